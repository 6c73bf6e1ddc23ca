//! The commands of the terminal, one module each.

/// Complains on the error stream, if anybody still reads it.
macro_rules! complain {
    ($($said:tt)*) => { $crate::terminal::complain(&format!($($said)*)) };
}

pub mod ask;
#[cfg(feature = "server")]
pub mod care;
pub mod map;
pub mod play;
pub mod replay;
pub mod rules;
#[cfg(feature = "server")]
pub mod simulate;
#[cfg(feature = "server")]
pub mod start;
mod told;
#[cfg(feature = "server")]
pub mod tournament;
pub mod verify;

use std::io::Write as _;

use rulebook::Lang;

/// Complains on the error stream, if anybody still reads it. What is complained of may stand in the
/// complaint, and others may have written it.
pub fn complain(said: &str) {
    let _ = writeln!(std::io::stderr(), "{}", crate::printable(said));
}

/// The language of texts and messages.
#[derive(clap::Args)]
pub struct Language {
    /// French or English; without it, the language of the environment (`LANG`).
    #[arg(long, value_name = "fr|en", value_parser = language)]
    lang: Option<Lang>,
}

fn language(code: &str) -> Result<Lang, String> {
    Lang::from_code(code).ok_or_else(|| "fr, en".to_owned())
}

impl Language {
    /// The language.
    #[must_use]
    pub fn get(&self) -> Lang {
        let french = || std::env::var("LANG").is_ok_and(|lang| lang.starts_with("fr"));
        self.lang.unwrap_or_else(|| if french() { Lang::Fr } else { Lang::En })
    }
}

/// What a command could not do.
pub type Failure = Box<dyn std::error::Error>;

/// Prints a line. A reader who went away, as `head` does, misses it; what is being done goes on, and
/// its exit status still tells how it went.
pub(crate) fn tell(line: &str) -> std::io::Result<()> {
    match writeln!(std::io::stdout(), "{}", crate::printable(line)) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        told => told,
    }
}
