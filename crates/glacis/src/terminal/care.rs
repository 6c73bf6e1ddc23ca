//! `glacis store`: looks after the games that a server keeps. Nothing is ever destroyed: what is cut
//! from a damaged game is first written to a file of its own.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::host::Hosting;
use crate::serve::StartFault;
use crate::store::{Adopted, Cut, Damage, Memory, Mending, Opened, Place, RawRow, Recalled, Snapshot, Store};
use kernel::record::read_header;
use kernel::{Fact, Measure, Phrase, Seed, Terms};
use rulebook::{Lang, phrase::server, phrase::store as words};
use serde_json::{Value, json};

use super::{Failure, Language, start};

/// What `glacis store` is told.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(clap::Subcommand)]
enum Task {
    /// Check every game, or one: the whole chain of its record, its orders, dice and states.
    ///
    /// The exit status is 1 if any is damaged.
    Check {
        #[command(flatten)]
        games: Games,
    },
    /// Cut damaged games back to their last sound entry. Stop the server first.
    ///
    /// What is cut is kept in a file of its own. The exit status is 1 if any game stays damaged.
    Repair {
        #[command(flatten)]
        games: Games,
        /// The folder for what is cut.
        #[arg(long, value_name = "FOLDER")]
        keep: PathBuf,
    },
    /// Write the record of every game, or of one, as far as it is sound, to files that `glacis verify`
    /// accepts.
    Export {
        #[command(flatten)]
        games: Games,
        /// The folder for the records.
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
    },
}

#[derive(clap::Args)]
struct Games {
    /// The game; without it, all of them.
    game: Option<String>,
    /// Where games are kept, as for `glacis serve`.
    #[arg(long, value_name = "DATABASE")]
    database: Option<Place>,
    #[command(flatten)]
    language: Language,
}

/// Carries out `glacis store`.
///
/// # Errors
/// When it cannot be carried out at all: a file that cannot be read or written, say.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        match args.task {
            Task::Check { games } => Keeper::open(games).await?.check().await,
            Task::Repair { games, keep } => Keeper::open(games).await?.repair(&keep).await,
            Task::Export { games, out } => Keeper::open(games).await?.export(&out).await,
        }
    })
}

/// A game that was looked into.
struct Found {
    id: String,
    system: Hosting,
    opened: Opened,
    /// The game, unless nothing of it is sound.
    recalled: Result<Recalled, Damage>,
}

impl Found {
    fn damage(&self) -> Option<&Damage> {
        match &self.recalled {
            Ok(recalled) => recalled.damage.as_ref(),
            Err(damage) => Some(damage),
        }
    }

    fn sound(&self) -> u64 {
        self.recalled.as_ref().map_or(0, |recalled| recalled.game.entries())
    }
}

struct Keeper {
    store: Store,
    systems: Vec<Hosting>,
    /// The games asked for.
    games: Vec<String>,
    /// Whether one was asked for by its name.
    named: bool,
    lang: Lang,
}

impl Keeper {
    async fn open(games: Games) -> Result<Self, Failure> {
        let lang = games.language.get();
        let place = start::database(games.database, lang)?;
        if let Place::Sqlite(file) = &place
            && !file.is_file()
        {
            return Err(say(words::NO_FILE, &[("file", file.display().to_string().into())], lang).into());
        }
        let store =
            Store::open(&place).await.map_err(|fault| start::reason(&StartFault::Store(fault), lang))?;
        let named = games.game.is_some();
        let games = match games.game {
            Some(game) => vec![game],
            None => store.games().await?,
        };
        let systems = crate::systems().into_iter().filter_map(|system| Some(system.game?.hosting)).collect();
        Ok(Self { store, systems, games, named, lang })
    }

    /// Looks into a game; nothing if its rules are not known here.
    async fn look(&self, id: &str) -> Result<Option<Found>, Failure> {
        let opened = self.store.game(id).await?;
        let opened = opened.ok_or_else(|| say(server::NO_SUCH_GAME, &[], self.lang))?;
        // A header that cannot be read is damage, whatever the system.
        let name = read_header(&opened.header).map_or(opened.system.clone(), |header| header.system);
        let Some(system) = self.systems.iter().find(|system| system.name == name) else {
            self.say(words::UNKNOWN_SYSTEM, &[("game", id.into()), ("system", name.as_str().into())])?;
            return Ok(None);
        };
        let recalled = self.store.kept(id).await?.recall(*system, &opened, Memory::Whole);
        Ok(Some(Found { id: id.to_owned(), system: *system, opened, recalled }))
    }

    fn say(&self, phrase: Phrase, facts: &[(&'static str, Measure)]) -> io::Result<()> {
        writeln!(io::stdout(), "{}", crate::printable(&say(phrase, facts, self.lang)))
    }

    fn tell_damage(&self, id: &str, damage: &Damage) -> io::Result<()> {
        self.say(words::GAME, &[("game", id.into()), ("what", damage.text(self.lang).into())])
    }

    async fn check(&self) -> Result<ExitCode, Failure> {
        let (mut games, mut damaged) = (0_i64, 0_i64);
        for id in &self.games {
            let Some(found) = self.look(id).await? else { continue };
            games += 1;
            match found.damage() {
                Some(damage) => {
                    damaged += 1;
                    self.tell_damage(id, damage)?;
                }
                None if self.named => {
                    self.say(
                        words::SOUND,
                        &[("game", id.as_str().into()), ("entries", number(found.sound()))],
                    )?;
                }
                None => {}
            }
        }
        self.say(words::CHECKED, &[("games", games.into()), ("damaged", damaged.into())])?;
        Ok(if damaged == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    async fn repair(&self, keep: &Path) -> Result<ExitCode, Failure> {
        let mut left = false;
        for id in &self.games {
            let Some(mut found) = self.look(id).await? else { continue };
            let Some(damage) = found.damage().cloned() else { continue };
            self.tell_damage(id, &damage)?;
            match damage.mending() {
                Mending::Cut => left |= !self.mended(&mut found, &damage, keep).await?,
                Mending::CutIfNamed if self.named => left |= !self.mended(&mut found, &damage, keep).await?,
                Mending::CutIfNamed => {
                    left = true;
                    self.say(words::NAME_IT, &[("game", id.as_str().into())])?;
                }
                Mending::None => {
                    left = true;
                    self.say(words::NO_REPAIR, &[("game", id.as_str().into())])?;
                }
            }
        }
        Ok(if left { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    /// Cuts a game back; whether that could be done. The others have their turn either way.
    async fn mended(&self, found: &mut Found, damage: &Damage, keep: &Path) -> Result<bool, Failure> {
        let done = self.cut(found, damage, keep).await;
        if let Err(failure) = &done {
            let facts = [("game", found.id.as_str().into()), ("why", failure.to_string().into())];
            self.say(words::NOT_REPAIRED, &facts)?;
        }
        Ok(done.is_ok())
    }

    /// The line with which a game goes on whose seed belonged to what is cut: it was taken over there.
    fn adopted(found: &mut Found) -> Result<Option<Adopted>, Failure> {
        let Ok(recalled) = &mut found.recalled else { return Ok(None) };
        if !recalled.lacks_seed() {
            return Ok(None);
        }
        let sides = found.system.sides();
        let machine = |(place, _): &(usize, &String)| {
            let seat = found.opened.seats.iter().find(|seat| usize::try_from(seat.place) == Ok(*place));
            seat.is_some_and(|seat| seat.player != "human")
        };
        let machines = sides.iter().enumerate().filter(machine).map(|(_, side)| side.clone()).collect();
        let mut seed = Seed::default();
        getrandom::fill(&mut seed).map_err(|error| error.to_string())?;
        // What the seats agreed on about taking back stood in what is cut.
        let line = recalled.game.adopt(seed, Terms { machines, take_backs: false })?;
        Ok(Some(Adopted { line, seed: hex(&seed) }))
    }

    /// Keeps a copy of what is cut, then cuts.
    async fn cut(&self, found: &mut Found, damage: &Damage, keep: &Path) -> Result<(), Failure> {
        let (id, sound) = (found.id.clone(), found.sound());
        let id = id.as_str();
        let counted = self.store.counted(id).await?;
        let snapshot = self.store.snapshot(id).await?;
        let rows = self.store.raw_rows(id, sound).await?;
        let copy = copy_of(found, damage, &counted, snapshot.as_ref(), &rows);
        let adopted = Self::adopted(found)?;
        let file = write_beside(keep, &format!("{id}.cut-after-{sound}"), &copy)?;
        let readopted = adopted.is_some();
        self.store.cut(Cut { game: id.to_owned(), sound, counted, adopted }).await?;
        let facts =
            [("game", id.into()), ("sound", number(sound)), ("file", file.display().to_string().into())];
        self.say(words::REPAIRED, &facts)?;
        if readopted {
            self.say(words::READOPTED, &[("game", id.into()), ("entry", number(sound + 1))])?;
        }
        Ok(())
    }

    async fn export(&self, out: &Path) -> Result<ExitCode, Failure> {
        for id in &self.games {
            let Some(found) = self.look(id).await? else { continue };
            if let Some(damage) = found.damage() {
                self.tell_damage(id, damage)?;
            }
            if found.recalled.is_err() {
                continue;
            }
            let sound = found.sound();
            let mut text = format!("{}\n", found.opened.header);
            for entry in self.store.lines(id, 0).await?.entries.iter().filter(|entry| entry.n <= sound) {
                text.push_str(&entry.line);
                text.push('\n');
            }
            let file = write_new(out, id, &text)?;
            let facts = [
                ("game", id.as_str().into()),
                ("entries", number(sound)),
                ("file", file.display().to_string().into()),
            ];
            self.say(words::EXPORTED, &facts)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn number(n: u64) -> Measure {
    i64::try_from(n).unwrap_or(i64::MAX).into()
}

fn say(phrase: Phrase, facts: &[(&'static str, Measure)], lang: Lang) -> String {
    let facts: Vec<Fact> = facts.iter().map(|(name, value)| Fact { name, value: value.clone() }).collect();
    rulebook::speak(phrase, &facts, lang)
}

/// What is cut from a game, as JSON Lines: first where it was cut and why, then every row as it stood,
/// text as text and anything else as hexadecimal digits.
fn copy_of(
    found: &Found,
    damage: &Damage,
    counted: &str,
    snapshot: Option<&Snapshot>,
    rows: &[RawRow],
) -> String {
    let head = json!({
        "game": found.id,
        "header": found.opened.header,
        "sound": found.sound(),
        // A number, if it is one.
        "counted": counted.parse::<i64>().map_or_else(|_| json!(counted), |counted| json!(counted)),
        "damage": damage.to_string(),
        "snapshot": snapshot.map(|snapshot| {
            json!({ "n": snapshot.n, "product": snapshot.product, "state": hex(&snapshot.state) })
        }),
    });
    let row = |row: &RawRow| match std::str::from_utf8(&row.line) {
        Ok(line) => json!({ "n": row.n, "at": row.at, "line": line }),
        Err(_) => json!({ "n": row.n, "at": row.at, "hex": hex(&row.line) }),
    };
    std::iter::once(head).chain(rows.iter().map(row)).map(|line: Value| format!("{line}\n")).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a file that is not there yet, and waits until it is on the disk. It shows what is hidden in a
/// game: it is its owner's alone.
fn write_new(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let file = place(folder, name)?;
    write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

/// The same, under another name where that one is taken.
fn write_beside(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let mut file = place(folder, name)?;
    for number in 2.. {
        match write(&file, text) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                file = place(folder, &format!("{name}-{number}"))?;
            }
            written => {
                written.map_err(|error| format!("{}: {error}", file.display()))?;
                break;
            }
        }
    }
    Ok(file)
}

fn place(folder: &Path, name: &str) -> Result<PathBuf, Failure> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    // Names come from a database that may hold anything.
    let safe: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    Ok(folder.join(format!("{}.jsonl", safe.trim_start_matches('.'))))
}

fn write(file: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut open = options.open(file)?;
    open.write_all(text.as_bytes())?;
    open.sync_all()
}
