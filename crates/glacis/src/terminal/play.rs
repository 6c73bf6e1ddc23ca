//! `glacis play`: a whole game in the terminal. Choices are listed by kind, searched by words and
//! weighed by their exact odds, and every step tells what happened and by which rules.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use kernel::record::{HexHash, Source};
use kernel::{Desk, Event, Line, Live, Odds, Play, Record, Saying, Setup, Spoken, Step, Told};
use opponent::{Planner, Player, Sensible};
use rulebook::{Lang, fold, phrase};

use super::told::{said, sentence, words};
use super::{Failure, Language};
use crate::System;
use crate::host::Hosting;

/// So many choices are listed one by one; more are grouped.
const LISTED: usize = 24;

/// So many ways the dice may fall are looked at for the odds of a choice.
const MOST_WAYS: usize = 20_000;

/// So many of its outcomes are told, the likeliest first.
const MOST_OUTCOMES: usize = 12;

/// What `glacis play` is told.
#[derive(clap::Args)]
pub struct Args {
    /// The game.
    #[arg(value_parser = with_games())]
    system: String,
    /// The scenario; without it, the first of the system.
    #[arg(long)]
    scenario: Option<String>,
    /// Any text; the same text rolls the same dice for the same orders.
    #[arg(long)]
    seed: Option<String>,
    /// Options of the rulings: `name=value`, several times or joined by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Keep the record in this file; a record that is there already is continued.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Let the machine decide for a side, or for both.
    #[arg(long, value_name = "SIDE|both")]
    auto: Vec<String>,
    /// Stop after so many decisions of the machine playing alone.
    #[arg(long, value_name = "N")]
    most: Option<u64>,
    #[command(flatten)]
    language: Language,
}

/// Carries out `glacis play`.
///
/// # Errors
/// When it cannot be carried out at all: a file that cannot be read or written, say.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let game = crate::systems::system(&args.system).and_then(|system| system.game);
    let game = game.ok_or_else(|| format!("{}: ?", args.system))?;
    (game.play)(args, &game.hosting)
}

/// Those that can be played.
fn with_games() -> PossibleValuesParser {
    let all = crate::systems();
    PossibleValuesParser::new(all.iter().filter(|system| system.game.is_some()).map(System::name))
}

/// Plays a game in the terminal.
///
/// # Errors
/// When it cannot be begun or its record cannot be written.
pub fn session<G: Told + Planner>(args: &Args, hosting: &Hosting) -> Result<ExitCode, Failure> {
    Session::<G>::begin(args, hosting)?.run()
}

/// A game at the terminal.
struct Session<G: Told + Planner> {
    play: Play<G>,
    file: Option<File>,
    machine: Vec<G::Side>,
    choice: Live,
    most: Option<u64>,
    lang: Lang,
}

/// What the player typed.
enum Typed {
    Choose(usize),
    Search(String),
    Group(usize),
    Odds(usize),
    Rule(String),
    All,
    Undo,
    Help,
    Quit,
    Unclear,
}

impl Typed {
    fn parse(line: &str) -> Self {
        let line = line.trim();
        if let Some(words) = line.strip_prefix('/') {
            return Self::Search(words.to_owned());
        }
        if let Some(group) = line.strip_prefix('g').and_then(|number| number.trim().parse().ok()) {
            return Self::Group(group);
        }
        if let Some(choice) = line.strip_prefix('o').and_then(|number| number.trim().parse().ok()) {
            return Self::Odds(choice);
        }
        if let Some(rule) = line.strip_prefix("r ") {
            return Self::Rule(rule.trim().to_uppercase());
        }
        match line {
            "a" => Self::All,
            "u" => Self::Undo,
            "?" | "h" => Self::Help,
            "q" => Self::Quit,
            number => number.parse().map_or(Self::Unclear, Self::Choose),
        }
    }
}

impl<G: Told + Planner> Session<G> {
    fn begin(args: &Args, hosting: &Hosting) -> Result<Self, Failure> {
        let lang = args.language.get();
        let refused = |refusal: kernel::Refusal| rulebook::refusal(&refusal, lang);
        let seed = match &args.seed {
            Some(text) => *blake3::hash(text.as_bytes()).as_bytes(),
            None => fresh_seed()?,
        };
        let existing = args.record.as_deref().map(read_if_there).transpose()?.flatten();
        let (play, file) = match (existing, &args.record) {
            (Some(text), Some(path)) => {
                let record = Record::read(&text).map_err(refused)?;
                let play = Play::<G>::replay(&record, None).map_err(refused)?;
                // A half-written last line goes; what follows is appended after the whole ones.
                let file = OpenOptions::new().write(true).open(path).map_err(|error| named(path, &error))?;
                let whole =
                    if record.truncated { text.rfind('\n').map_or(0, |end| end + 1) } else { text.len() };
                file.set_len(u64::try_from(whole)?)?;
                let file = OpenOptions::new().append(true).open(path).map_err(|error| named(path, &error))?;
                (play, Some(file))
            }
            (_, path) => {
                let setup = setup(args, hosting)?;
                let play = Play::begin(&setup, Source::Open(HexHash(seed)), None).map_err(refused)?;
                let mut file =
                    path.as_deref().map(|path| File::create(path).map_err(|error| named(path, &error)));
                let mut file = file.take().transpose()?;
                if let Some(file) = &mut file {
                    writeln!(file, "{}", play.header_line())?;
                }
                (play, file)
            }
        };
        let machine = machine::<G>(&args.auto)?;
        let choice = Live::from_seed(*blake3::hash(&seed).as_bytes());
        Ok(Self { play, file, machine, choice, most: args.most, lang })
    }

    fn run(mut self) -> Result<ExitCode, Failure> {
        let mut input = io::stdin().lock();
        let mut output = io::stdout().lock();
        let mut decided = 0;
        loop {
            // When the last of several orders is in, all are carried out.
            while let Some(opened) = self.play.open_next() {
                let told = sentence(&opened.before.tell(&opened.action), self.lang);
                writeln!(output, "— {}{}{told}", words(G::name(opened.side), self.lang), self.lang.colon())?;
                self.keep(&mut output, &opened.step)?;
            }
            let state = self.play.state();
            let awaited = self.play.awaited().first();
            let Some(side) = awaited.and_then(|place| G::SIDES.get(place).copied()) else {
                for line in state.standing() {
                    writeln!(output, "{}", sentence(&line, self.lang))?;
                }
                if let Some(outcome) = state.outcome() {
                    writeln!(output, "{}", sentence(&G::ending(&outcome), self.lang))?;
                }
                return Ok(ExitCode::SUCCESS);
            };
            let mut actions = Vec::new();
            self.play.actions(side, &mut actions);
            let chosen = if self.machine.contains(&side) {
                if self.most.is_some_and(|most| decided >= most) {
                    return Ok(ExitCode::SUCCESS);
                }
                decided += 1;
                let view = state.view(Some(side));
                Some(Player::<G>::choose(&mut Sensible, side, &view, &actions, &mut self.choice))
            } else {
                self.headline(&mut output, side)?;
                match self.ask(&mut input, &mut output, side, &actions)? {
                    Asked::Decided(place) => actions.get(place).cloned(),
                    Asked::Undone => continue,
                    Asked::Left => return Ok(ExitCode::SUCCESS),
                }
            };
            let Some(action) = chosen else { continue };
            let told = if self.play.deciders().count() > 1 {
                words(phrase::play::SEALS, self.lang)
            } else {
                sentence(&self.play.state().tell(&action), self.lang)
            };
            writeln!(output, "— {}{}{told}", words(G::name(side), self.lang), self.lang.colon())?;
            match self.play.decide(self.play.entries(), side, &action) {
                Ok(step) => self.keep(&mut output, &step)?,
                Err(refusal) => writeln!(output, "  {}", said::refusal(&refusal, self.lang))?,
            }
        }
    }

    fn keep(&mut self, output: &mut impl Write, step: &Step) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            writeln!(file, "{}", step.record_line)?;
        }
        said::step(output, step, &self.play.header().options, self.lang)?;
        Ok(())
    }

    fn headline(&self, output: &mut impl Write, side: G::Side) -> io::Result<()> {
        writeln!(output)?;
        for line in self.play.state().standing() {
            writeln!(output, "{}", sentence(&line, self.lang))?;
        }
        let to_move = Saying::new(phrase::play::TO_MOVE).with("side", G::name(side));
        writeln!(output, "{}", sentence(&to_move, self.lang))
    }

    /// Asks until something is decided.
    fn ask(
        &mut self,
        input: &mut impl BufRead,
        output: &mut impl Write,
        side: G::Side,
        actions: &[G::Action],
    ) -> Result<Asked, Failure> {
        let groups = groups::<G>(actions, self.lang);
        let all: Vec<usize> = (0..actions.len()).collect();
        if actions.len() <= LISTED {
            self.list(output, actions, &all)?;
        } else {
            for (number, (kind, places)) in groups.iter().enumerate() {
                writeln!(output, "  g{:<3} {kind} ({})", number + 1, places.len())?;
            }
        }
        loop {
            write!(output, "> ")?;
            output.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return Ok(Asked::Left);
            }
            match Typed::parse(&line) {
                Typed::Choose(number) if (1..=actions.len()).contains(&number) => {
                    return Ok(Asked::Decided(number - 1));
                }
                Typed::Search(wanted) => {
                    let wanted = fold(&wanted);
                    let fits = |place: &usize| {
                        let told = fold(&sentence(&self.play.state().tell(&actions[*place]), self.lang));
                        wanted.split_whitespace().all(|word| told.contains(word))
                    };
                    let found: Vec<usize> = all.iter().copied().filter(fits).collect();
                    self.list(output, actions, &found)?;
                }
                Typed::Group(number) if (1..=groups.len()).contains(&number) => {
                    self.list(output, actions, &groups[number - 1].1)?;
                }
                Typed::Odds(number) if (1..=actions.len()).contains(&number) => {
                    self.weigh(output, side, &actions[number - 1])?;
                }
                Typed::Rule(id) => match rulebook::entry(&id) {
                    Some(entry) => {
                        let text = entry.text_under(&self.play.header().options);
                        writeln!(output, "{id}  {}", text.get(self.lang))?;
                    }
                    None => writeln!(output, "{id}: {}", words(phrase::rules::NO_SUCH_RULE, self.lang))?,
                },
                Typed::All => self.list(output, actions, &all)?,
                Typed::Undo => {
                    let undone = G::SIDES
                        .iter()
                        .filter(|other| !self.machine.contains(other))
                        .find_map(|&other| self.play.undo(self.play.entries(), other).ok());
                    match undone {
                        Some(step) => {
                            self.keep(output, &step)?;
                            return Ok(Asked::Undone);
                        }
                        None => {
                            let refusal = kernel::Refusal::plain(kernel::phrase::NOTHING_TO_UNDO);
                            writeln!(output, "{}", said::refusal(&refusal, self.lang))?;
                        }
                    }
                }
                Typed::Quit => return Ok(Asked::Left),
                Typed::Help | Typed::Choose(_) | Typed::Group(_) | Typed::Odds(_) | Typed::Unclear => {
                    writeln!(output, "{}", words(phrase::play::HELP, self.lang))?;
                }
            }
        }
    }

    /// Every outcome of a choice with its exact chance, from the code that will carry it out.
    fn weigh(&self, output: &mut impl Write, side: G::Side, action: &G::Action) -> io::Result<()> {
        let outcomes = Odds::within(MOST_WAYS, |dice| {
            let mut after = self.play.state().clone();
            let mut desk = Desk::new(dice, Spoken::default());
            after.perform(side, action, &mut desk);
            let happened = desk.notes.into_lines().into_iter().filter_map(|line| match line {
                Line::Happened(event) => Some(event),
                Line::Because(_) => None,
            });
            let next = after.deciders();
            (happened.collect::<Vec<Event>>(), !next.is_empty() && !next.has(G::place(side)))
        });
        let Ok(outcomes) = outcomes else {
            return writeln!(output, "{}", words(phrase::board::TOO_MANY, self.lang));
        };
        let mut rows: Vec<_> = outcomes.iter().collect();
        rows.sort_by(|a, b| b.1.as_f64().total_cmp(&a.1.as_f64()));
        for ((events, others_next), chance) in rows.iter().take(MOST_OUTCOMES) {
            let told: Vec<String> =
                events.iter().map(|event| rulebook::speak(event.phrase, &event.facts, self.lang)).collect();
            let told = match told.is_empty() {
                true if *others_next => words(phrase::board::ANSWERED, self.lang),
                true => words(phrase::board::NO_EFFECT, self.lang),
                false => told.join(" · "),
            };
            writeln!(output, "  {:>5.1} %  {:<9} {told}", 100.0 * chance.as_f64(), chance.to_string())?;
        }
        if rows.len() > MOST_OUTCOMES {
            writeln!(output, "  … {}", rows.len() - MOST_OUTCOMES)?;
        }
        Ok(())
    }

    fn list(&self, output: &mut impl Write, actions: &[G::Action], places: &[usize]) -> io::Result<()> {
        for &place in places {
            let told = sentence(&self.play.state().tell(&actions[place]), self.lang);
            writeln!(output, "  {:<4} {told}", place + 1)?;
        }
        if places.is_empty() {
            writeln!(output, "{}", words(phrase::play::NOTHING_FOUND, self.lang))?;
        }
        Ok(())
    }
}

enum Asked {
    Decided(usize),
    Undone,
    Left,
}

/// The choices by kind, in the order of the list.
fn groups<G: Told>(actions: &[G::Action], lang: Lang) -> Vec<(String, Vec<usize>)> {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (place, action) in actions.iter().enumerate() {
        let kind = sentence(&G::kind(action), lang);
        match groups.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, places)) => places.push(place),
            None => groups.push((kind, vec![place])),
        }
    }
    groups
}

fn setup(args: &Args, hosting: &Hosting) -> Result<Setup, Failure> {
    let mut options = BTreeMap::new();
    for option in &args.options {
        let (name, value) =
            option.split_once('=').ok_or_else(|| format!("--options {option}: NAME=VALUE"))?;
        options.insert(name.to_owned(), value.to_owned());
    }
    let scenario =
        args.scenario.as_deref().or(hosting.scenarios.first().copied()).unwrap_or_default().to_owned();
    Ok(Setup { scenario, options })
}

/// The sides the machine plays.
fn machine<G: Told>(auto: &[String]) -> Result<Vec<G::Side>, Failure> {
    let mut sides = Vec::new();
    for name in auto {
        let found: Vec<G::Side> = G::SIDES
            .iter()
            .copied()
            .filter(|side| name == "both" || side_name(side).as_deref() == Some(name))
            .collect();
        if found.is_empty() {
            let known: Vec<String> = G::SIDES.iter().filter_map(side_name).collect();
            return Err(format!("--auto {name}: {}, both", known.join(", ")).into());
        }
        sides.extend(found);
    }
    Ok(sides)
}

/// A side as records write it.
fn side_name(side: &impl serde::Serialize) -> Option<String> {
    serde_json::to_value(side).ok()?.as_str().map(str::to_owned)
}

fn named(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// The text of a record that exists and is not empty.
fn read_if_there(path: &Path) -> Result<Option<String>, Failure> {
    match std::fs::read(path) {
        Ok(bytes) if bytes.is_empty() => Ok(None),
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(named(path, &error).into()),
    }
}

/// 32 bytes nobody can guess, from the operating system.
fn fresh_seed() -> Result<kernel::Seed, Failure> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|error| format!("no randomness to be had: {error}"))?;
    Ok(seed)
}
