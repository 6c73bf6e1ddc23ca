//! `glacis serve`, and `glacis` alone: the server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::serve::{Each, Forget, Start, StartFault, start};
use crate::store::{Place, StoreFault};
use kernel::{Fact, Phrase};
use rulebook::{Lang, phrase};

use super::{Failure, Language};

/// What `glacis serve` is told.
#[derive(clap::Args)]
pub struct Args {
    /// The address to listen on.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:1807")]
    listen: SocketAddr,
    /// Where games are kept: `sqlite:FILE` or `postgres://USER@HOST/DATABASE`; without it, a file
    /// in the user's data folder.
    #[arg(long, value_name = "DATABASE")]
    database: Option<Place>,
    /// The address that players use, where it is another than the one listened on.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The most requests a second from one address; 0 for no limit.
    #[arg(long, value_name = "N", default_value_t = 100)]
    rate: u32,
    /// The most connections at once from one address; 0 for no limit.
    #[arg(long, value_name = "N", default_value_t = 512)]
    connections: usize,
    /// The most streams of events at once to one address; 0 for no limit.
    #[arg(long, value_name = "N", default_value_t = 128)]
    streams: usize,
    /// The most games that one address may begin or take over in a day; 0 for no limit.
    #[arg(long, value_name = "N", default_value_t = 200)]
    games_a_day: u32,
    /// Forget games in which only machines sit, so many days after their last order.
    #[arg(long, value_name = "DAYS")]
    forget_machines: Option<u32>,
    /// Forget games in which nobody ever gave an order, so many days after they were begun.
    #[arg(long, value_name = "DAYS")]
    forget_unplayed: Option<u32>,
    /// Believe the proxy in front about who asks (`X-Forwarded-For`).
    #[arg(long)]
    behind_proxy: bool,
    #[command(flatten)]
    language: Language,
}

/// Carries out `glacis serve`.
///
/// # Errors
/// When it cannot be carried out at all: a file that cannot be read or written, say.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let lang = args.language.get();
    let database = database(args.database, lang)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let running = start(Start {
            listen: args.listen,
            database,
            base_url: args.base_url,
            each: Each {
                rate: Some(args.rate).filter(|&most| most > 0),
                connections: Some(args.connections).filter(|&most| most > 0),
                streams: Some(args.streams).filter(|&most| most > 0),
                games: Some(args.games_a_day).filter(|&most| most > 0),
            },
            forget: Forget { machines: args.forget_machines, unplayed: args.forget_unplayed },
            behind_proxy: args.behind_proxy,
            systems: crate::systems(),
            questions: crate::questions(),
        })
        .await
        .map_err(|fault| reason(&fault, lang))?;
        println!("{}", say(phrase::server::LISTENING, &[fact("address", &running.base_url)], lang));
        told_to_stop().await?;
        eprintln!("{}", say(phrase::server::STOPPING, &[], lang));
        running.stop().await;
        Ok(ExitCode::SUCCESS)
    })
}

/// The database that is named, or that of the user.
pub(crate) fn database(named: Option<Place>, lang: Lang) -> Result<Place, Failure> {
    let own = || data_folder().map(|folder| Place::Sqlite(folder.join("glacis.db")));
    Ok(named.or_else(own).ok_or_else(|| say(phrase::server::NO_HOME, &[], lang))?)
}

fn fact(name: &'static str, value: &str) -> Fact {
    Fact { name, value: value.into() }
}

fn say(phrase: Phrase, facts: &[Fact], lang: Lang) -> String {
    rulebook::speak(phrase, facts, lang)
}

/// One clear sentence for each way not to start.
pub(crate) fn reason(fault: &StartFault, lang: Lang) -> String {
    match fault {
        StartFault::PortInUse(address) => {
            say(phrase::server::PORT_IN_USE, &[fact("address", &address.to_string())], lang)
        }
        StartFault::Address { address, detail } => say(
            phrase::server::NO_ADDRESS,
            &[fact("address", &address.to_string()), fact("detail", detail)],
            lang,
        ),
        StartFault::Store(StoreFault::Folder { folder, detail }) => say(
            phrase::server::NO_FOLDER,
            &[fact("folder", &folder.display().to_string()), fact("detail", detail)],
            lang,
        ),
        StartFault::Store(StoreFault::NotADatabase { file, detail }) => say(
            phrase::server::NOT_A_DATABASE,
            &[fact("file", &file.display().to_string()), fact("detail", detail)],
            lang,
        ),
        StartFault::Store(StoreFault::Unreachable { place, detail }) => {
            say(phrase::server::NO_DATABASE, &[fact("place", place), fact("detail", detail)], lang)
        }
        StartFault::Store(StoreFault::Newer { .. }) => say(phrase::server::NEWER_DATABASE, &[], lang),
        StartFault::Store(other) => other.to_string(),
        StartFault::Threads(_) => fault.to_string(),
    }
}

/// Waits for the signal to stop.
pub(super) async fn told_to_stop() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
        tokio::select! {
            done = tokio::signal::ctrl_c() => done,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// The folder for the data of the user's programs.
fn data_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("glacis"))
}
