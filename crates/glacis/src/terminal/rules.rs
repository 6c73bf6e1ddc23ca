//! `glacis rules`: the ledgers at the command line.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use kernel::Phrase;
use rulebook::{Book, Entry, Lang, Rule, Ruling, phrase};

use super::{Failure, Language};

/// The most hits a search prints.
const MOST_HITS: usize = 20;

/// What `glacis rules` is told.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a rule or ruling: `FE-5-16`, `DZ-R01`.
    #[arg(conflicts_with = "search")]
    id: Option<String>,
    /// Print the lines that state it, that act on it and where tests name it or an example of it, in the
    /// sources this program was built from.
    #[arg(long = "where", requires = "id")]
    place: bool,
    /// Find rules by words, in either language.
    #[arg(long, value_name = "WORDS", num_args = 1..)]
    search: Vec<String>,
    #[command(flatten)]
    language: Language,
}

/// Carries out `glacis rules`.
///
/// # Errors
/// When it cannot be carried out at all: a file that cannot be read or written, say.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let lang = args.language.get();
    let mut output = BufWriter::new(io::stdout().lock());
    let found = match &args.id {
        Some(id) => match rulebook::entry(id) {
            Some(entry) if args.place => places(&mut output, entry, lang)?,
            Some(entry) => {
                show(&mut output, entry, lang)?;
                true
            }
            None => {
                complain!("glacis: {id}: {}", word(phrase::rules::NO_SUCH_RULE, lang));
                false
            }
        },
        None if args.search.is_empty() => {
            books(&mut output, lang)?;
            true
        }
        None => hits(&mut output, &args.search.join(" "), lang)?,
    };
    output.flush()?;
    Ok(if found { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn word(phrase: Phrase, lang: Lang) -> String {
    rulebook::speak(phrase, &[], lang)
}

fn books(output: &mut impl Write, lang: Lang) -> io::Result<()> {
    for &book in Book::ALL {
        let rules = rulebook::rules().iter().filter(|rule| rule.book == book).count();
        let rulings = rulebook::rulings().iter().filter(|ruling| ruling.book == book).count();
        let examples = rulebook::examples().iter().filter(|example| example.book == book).count();
        writeln!(
            output,
            "{:<18} {rules:>4} {}, {rulings:>3} {}, {examples:>2} {}",
            book.name(),
            word(phrase::rules::RULES, lang),
            word(phrase::rules::RULINGS, lang),
            word(phrase::rules::EXAMPLES, lang),
        )?;
    }
    Ok(())
}

fn hits(output: &mut impl Write, words: &str, lang: Lang) -> io::Result<bool> {
    let hits = match rulebook::search(words, lang) {
        Ok(hits) => hits,
        Err(refusal) => {
            complain!("glacis: {}", rulebook::refusal(&refusal, lang));
            return Ok(false);
        }
    };
    for hit in hits.iter().take(MOST_HITS) {
        writeln!(output, "{:<16} {}", hit.id.as_str(), hit.entry.text().get(lang))?;
    }
    if hits.len() > MOST_HITS {
        writeln!(output, "… {} {}", hits.len() - MOST_HITS, word(phrase::rules::MORE, lang))?;
    }
    if hits.is_empty() {
        complain!("glacis: {}", word(phrase::rules::NOTHING_FOUND, lang));
    }
    Ok(!hits.is_empty())
}

/// Where every rule is stated, acts and is tested: `KEY`, which of the three, and `file:line`, by tabs.
/// The build script makes it of the sources.
static PLACES: &str = include_str!(concat!(env!("OUT_DIR"), "/places.tsv"));

/// Where an id stands in the sources, in the order of the index.
fn places_of(id: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let key = id.replace(['-', '.'], "_").to_uppercase();
    PLACES
        .lines()
        .filter_map(move |line| line.strip_prefix(key.as_str())?.strip_prefix('\t')?.split_once('\t'))
}

/// Tells where a rule or ruling stands in the law, acts and is tested, also by the examples that show it.
fn places(output: &mut impl Write, entry: Entry, lang: Lang) -> io::Result<bool> {
    if PLACES.is_empty() {
        complain!("glacis: {}", word(phrase::rules::WHERE_UNKNOWN, lang));
        return Ok(false);
    }
    let id = match entry {
        Entry::Rule(rule) => rule.id,
        Entry::Ruling(ruling) => ruling.id,
    };
    writeln!(output, "{id}  (Glacis {})", env!("CARGO_PKG_VERSION"))?;
    let examples = rulebook::examples().iter().filter(|example| example.rules.contains(&id));
    let shown: Vec<_> = examples.flat_map(|example| places_of(example.id)).collect();
    let own: Vec<_> = places_of(id.as_str()).collect();
    for (what, named) in [
        ("law", phrase::rules::WHERE_LAW),
        ("acts", phrase::rules::WHERE_ACTS),
        ("tested", phrase::rules::WHERE_TESTED),
    ] {
        // An example is stated and tested; it does not act.
        let of_examples = shown.iter().filter(|_| what == "tested");
        for (_, place) in own.iter().chain(of_examples).filter(|(found, _)| *found == what) {
            writeln!(output, "  {:<10} {place}", word(named, lang))?;
        }
    }
    Ok(true)
}

fn show(output: &mut impl Write, entry: Entry, lang: Lang) -> io::Result<()> {
    match entry {
        Entry::Rule(rule) => show_rule(output, rule, lang),
        Entry::Ruling(ruling) => show_ruling(output, ruling, lang),
    }
}

fn show_rule(output: &mut impl Write, rule: &Rule, lang: Lang) -> io::Result<()> {
    writeln!(output, "{}  {} § {}", rule.id, rule.book.name(), rule.section)?;
    writeln!(output, "\n  {}", rule.text.get(lang))?;
    for id in rule.rulings {
        if let Some(Entry::Ruling(ruling)) = rulebook::entry(id.as_str()) {
            writeln!(output)?;
            show_ruling(output, ruling, lang)?;
        }
    }
    for example in rulebook::examples().iter().filter(|example| example.rules.contains(&rule.id)) {
        writeln!(output, "\n{}", example.id)?;
        writeln!(output, "  {}", example.given.get(lang))?;
        writeln!(output, "  → {}", example.expect.get(lang))?;
    }
    Ok(())
}

fn show_ruling(output: &mut impl Write, ruling: &Ruling, lang: Lang) -> io::Result<()> {
    writeln!(output, "{}  {}", ruling.id, ruling.problem.get(lang))?;
    writeln!(output, "  → {}", ruling.decision.get(lang))?;
    writeln!(output, "  {}: {}", word(phrase::rules::WHY, lang), ruling.why.get(lang))?;
    for toggle in ruling.options {
        writeln!(output, "  {} = {}: {}", toggle.name, toggle.values.join(" | "), toggle.text.get(lang))?;
    }
    for otherwise in ruling.otherwise {
        let when: Vec<String> =
            otherwise.when.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        writeln!(output, "  → {}: {}", when.join(", "), otherwise.text.get(lang))?;
    }
    Ok(())
}
