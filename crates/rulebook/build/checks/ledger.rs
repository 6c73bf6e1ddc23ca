//! The ledgers: `rules/*.toml`.

mod code;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

pub(super) use self::code::{code, options_code};
use super::{Fault, files, shown};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    system: System,
    #[serde(default)]
    rule: Vec<Rule>,
    #[serde(default)]
    ruling: Vec<Ruling>,
    #[serde(default)]
    example: Vec<Example>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct System {
    id: Spanned<String>,
    title: String,
    source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    id: Spanned<String>,
    section: String,
    kind: Spanned<String>,
    en: Spanned<String>,
    fr: Spanned<String>,
    #[serde(default)]
    otherwise: Vec<Otherwise>,
    #[serde(default)]
    ruling: Vec<Spanned<String>>,
    #[serde(default)]
    depends_on_series: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ruling {
    id: Spanned<String>,
    problem: Spanned<String>,
    problem_fr: Spanned<String>,
    decision: Spanned<String>,
    decision_fr: Spanned<String>,
    why: Spanned<String>,
    why_fr: Spanned<String>,
    option: Option<Spanned<String>>,
    option_en: Option<Spanned<String>>,
    option_fr: Option<Spanned<String>>,
    #[serde(default)]
    otherwise: Vec<Otherwise>,
}

/// What is said instead where the players chose other than the default: `when = "krems_far: nothing"`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Otherwise {
    when: Spanned<String>,
    en: Spanned<String>,
    fr: Spanned<String>,
}

impl Otherwise {
    /// The options and values it speaks of.
    fn choices(&self) -> Vec<(&str, &str)> {
        let parts = self.when.get_ref().split(';');
        parts
            .filter_map(|part| part.split_once(':').map(|(name, value)| (name.trim(), value.trim())))
            .collect()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    id: Spanned<String>,
    rules: Vec<Spanned<String>>,
    given: Spanned<String>,
    given_fr: Spanned<String>,
    expect: Spanned<String>,
    expect_fr: Spanned<String>,
    note: Option<Spanned<String>>,
    note_fr: Option<Spanned<String>>,
}

/// A ledger with what its options say.
pub(super) struct Ledger {
    /// Its path.
    name: String,
    file: File,
    options: Vec<OptionSet>,
}

/// One toggle: its name and values, the default first.
struct OptionSet {
    name: String,
    values: Vec<String>,
    ruling: String,
    en: String,
    fr: String,
}

const KINDS: &[&str] = &[
    "advice",
    "construction",
    "definition",
    "equipment",
    "fire",
    "formation",
    "melee",
    "morale",
    "movement",
    "reinforcement",
    "restriction",
    "sequence",
    "setup",
    "sight",
    "supply",
    "table",
    "victory",
    "weather",
];

/// A ledger's text, to turn an offset into a line.
struct Text<'a> {
    name: String,
    text: &'a str,
}

impl Text<'_> {
    fn at<T>(&self, spanned: &Spanned<T>, what: impl std::fmt::Display) -> Fault {
        let line = self.text[..spanned.span().start].matches('\n').count() + 1;
        format!("{}:{line}: {what}", self.name)
    }
}

/// The one file beside the ledgers that is none: why a rule is never cited (`cargo xtask trace` reads it).
const UNPROVEN: &str = "unproven.toml";

/// Reads and checks all ledgers.
pub(super) fn read(root: &Path, faults: &mut Vec<Fault>) -> Vec<Ledger> {
    let texts: Vec<(String, String)> = files(&root.join("rules"), "toml")
        .iter()
        .filter(|path| !path.ends_with(UNPROVEN))
        .filter_map(|path| match fs::read_to_string(path) {
            Ok(text) => Some((shown(root, path), text)),
            Err(error) => {
                faults.push(format!("{}: {error}", shown(root, path)));
                None
            }
        })
        .collect();
    let mut parsed = Vec::new();
    for (name, text) in &texts {
        match toml::from_str::<File>(text) {
            Ok(file) => parsed.push((Text { name: name.clone(), text }, file)),
            Err(error) => {
                let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
                faults.push(format!("{name}:{line}: {}", error.message()));
            }
        }
    }
    let known = known_ids(&parsed, faults);
    for (text, file) in &parsed {
        check_references(text, file, &known, faults);
        check_texts(text, file, &known, faults);
    }
    let mut names = BTreeMap::new();
    parsed
        .into_iter()
        .map(|(text, file)| {
            let options = options(&text, &file, &mut names, faults);
            check_otherwise(&text, &file, &options, faults);
            Ledger { name: text.name, file, options }
        })
        .collect()
}

fn known_ids(parsed: &[(Text<'_>, File)], faults: &mut Vec<Fault>) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for (text, file) in parsed {
        let ids = file
            .rule
            .iter()
            .map(|rule| &rule.id)
            .chain(file.ruling.iter().map(|ruling| &ruling.id))
            .chain(file.example.iter().map(|example| &example.id));
        for id in ids {
            if !known.insert(id.get_ref().clone()) {
                faults.push(text.at(id, format!("the id {} stands twice", id.get_ref())));
            }
        }
    }
    known
}

fn check_references(text: &Text<'_>, file: &File, known: &BTreeSet<String>, faults: &mut Vec<Fault>) {
    for rule in &file.rule {
        if !KINDS.contains(&rule.kind.get_ref().as_str()) {
            faults.push(text.at(&rule.kind, format!("{} is no kind of rule", rule.kind.get_ref())));
        }
    }
    let references = file
        .rule
        .iter()
        .flat_map(|rule| &rule.ruling)
        .chain(file.example.iter().flat_map(|example| &example.rules));
    for reference in references {
        if !known.contains(reference.get_ref()) {
            faults.push(text.at(reference, format!("there is no {}", reference.get_ref())));
        }
    }
}

/// No text is empty, and no text speaks of a rule that is not there.
fn check_texts(text: &Text<'_>, file: &File, known: &BTreeSet<String>, faults: &mut Vec<Fault>) {
    let rules = file.rule.iter().flat_map(|rule| [&rule.en, &rule.fr]);
    let otherwise = file.rule.iter().flat_map(|rule| &rule.otherwise);
    let otherwise = otherwise
        .chain(file.ruling.iter().flat_map(|ruling| &ruling.otherwise))
        .flat_map(|otherwise| [&otherwise.en, &otherwise.fr]);
    let rulings = file.ruling.iter().flat_map(|ruling| {
        let texts = [
            &ruling.problem,
            &ruling.problem_fr,
            &ruling.decision,
            &ruling.decision_fr,
            &ruling.why,
            &ruling.why_fr,
        ];
        texts.into_iter().chain(&ruling.option_en).chain(&ruling.option_fr)
    });
    let examples = file.example.iter().flat_map(|example| {
        [&example.given, &example.given_fr, &example.expect, &example.expect_fr]
            .into_iter()
            .chain(&example.note)
            .chain(&example.note_fr)
    });
    for words in rules.chain(rulings).chain(otherwise).chain(examples) {
        if words.get_ref().trim().is_empty() {
            faults.push(text.at(words, "the text is empty"));
        }
        for id in mentioned(words.get_ref()) {
            if !known.contains(&id) {
                faults.push(text.at(words, format!("the text speaks of {id}, which does not exist")));
            }
        }
    }
    for example in &file.example {
        if example.note.is_some() != example.note_fr.is_some() {
            faults.push(text.at(&example.id, "the note is in one language only"));
        }
    }
}

/// The ids a text names: `FE-4.3-08`, `DZ-R14`, `BR-general-04`.
fn mentioned(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.'))
        .map(|word| word.trim_end_matches(['.', '-']))
        .filter(|word| {
            ["FE-", "TE-", "DZ-", "CA-", "BR-", "BC-", "CC-"].iter().any(|prefix| word.starts_with(prefix))
                && word.ends_with(|c: char| c.is_ascii_digit())
                && (word.matches('-').count() > 1 || word[3..].starts_with('R'))
        })
        .map(str::to_owned)
        .collect()
}

/// Reads `name: default | other; second: default | other`.
fn options(
    text: &Text<'_>,
    file: &File,
    names: &mut BTreeMap<(String, String), String>,
    faults: &mut Vec<Fault>,
) -> Vec<OptionSet> {
    let mut result = Vec::new();
    for ruling in &file.ruling {
        let Some(option) = &ruling.option else { continue };
        let (Some(en), Some(fr)) = (&ruling.option_en, &ruling.option_fr) else {
            faults.push(text.at(option, "the option is not explained in both languages"));
            continue;
        };
        for part in option.get_ref().split(';') {
            let values = part.split_once(':').map(|(name, values)| {
                (
                    name.trim().to_owned(),
                    values.split('|').map(|value| value.trim().to_owned()).collect::<Vec<_>>(),
                )
            });
            let Some((name, values)) = values.filter(|(name, values)| {
                !name.is_empty() && values.len() > 1 && values.iter().all(|value| !value.is_empty())
            }) else {
                faults.push(text.at(option, format!("\"{part}\" is not of the form name: default | other")));
                continue;
            };
            let system = system_of(file.system.id.get_ref()).to_owned();
            if let Some(other) = names.insert((system, name.clone()), ruling.id.get_ref().clone()) {
                faults.push(text.at(option, format!("the option {name} is already that of {other}")));
            }
            result.push(OptionSet {
                name,
                values,
                ruling: ruling.id.get_ref().clone(),
                en: en.get_ref().clone(),
                fr: fr.get_ref().clone(),
            });
        }
    }
    result
}

/// Every value of an option but the default says what is done then, in both languages; a ruling with
/// several options says it for each combination. Nothing is said for a choice nobody has.
fn check_otherwise(text: &Text<'_>, file: &File, options: &[OptionSet], faults: &mut Vec<Fault>) {
    let said = file.rule.iter().flat_map(|rule| &rule.otherwise);
    for otherwise in said.chain(file.ruling.iter().flat_map(|ruling| &ruling.otherwise)) {
        let choices = otherwise.choices();
        if choices.is_empty() {
            faults.push(text.at(&otherwise.when, "this is not of the form name: value"));
        }
        for (name, value) in choices {
            let offered = options.iter().find(|option| option.name == name);
            if offered.is_none_or(|option| !option.values[1..].iter().any(|known| known == value)) {
                faults.push(text.at(&otherwise.when, format!("no ruling here offers {name}: {value}")));
            }
        }
    }
    for ruling in &file.ruling {
        let own = options.iter().filter(|option| option.ruling == *ruling.id.get_ref());
        let mut combinations = vec![BTreeSet::new()];
        for option in own {
            let further = combinations.iter().flat_map(|before: &BTreeSet<(&str, &str)>| {
                option.values[1..].iter().map(|value| {
                    let mut with = before.clone();
                    with.insert((option.name.as_str(), value.as_str()));
                    with
                })
            });
            let further: Vec<_> = further.collect();
            combinations.extend(further);
        }
        for wanted in combinations.iter().filter(|wanted| !wanted.is_empty()) {
            let said =
                |otherwise: &Otherwise| otherwise.choices().into_iter().collect::<BTreeSet<_>>() == *wanted;
            if ruling.otherwise.iter().filter(|otherwise| said(otherwise)).count() != 1 {
                let wanted: Vec<String> =
                    wanted.iter().map(|(name, value)| format!("{name}: {value}")).collect();
                let what =
                    format!("{} must say once what is done with {}", ruling.id.get_ref(), wanted.join("; "));
                faults.push(text.at(&ruling.id, what));
            }
        }
    }
}

/// The game a ledger belongs to: the fire and terrain chapters are one system.
fn system_of(ledger: &str) -> &str {
    ledger.split('-').next().unwrap_or(ledger)
}

/// All ids of rules and rulings.
pub(super) fn ids(ledgers: &[Ledger]) -> BTreeSet<String> {
    ledgers
        .iter()
        .flat_map(|ledger| {
            let rules = ledger.file.rule.iter().map(|rule| rule.id.get_ref().clone());
            rules.chain(ledger.file.ruling.iter().map(|ruling| ruling.id.get_ref().clone()))
        })
        .collect()
}

/// The messages that pages name after what stands in the ledgers, each with what wants it.
pub(super) fn named(ledgers: &[Ledger]) -> BTreeMap<String, String> {
    let mut named = BTreeMap::new();
    for Ledger { name, file, options } in ledgers {
        let mut want = |key: String, what: String| {
            named.entry(key).or_insert(format!("{what} of {name}"));
        };
        want(format!("table-book-{}", file.system.id.get_ref()), "the ledger".to_owned());
        for rule in &file.rule {
            want(format!("table-kind-{}", rule.kind.get_ref()), format!("the kind {}", rule.kind.get_ref()));
            let key = if is_figure(&rule.section) {
                format!("section-{}-{}", file.system.id.get_ref(), rule.section.replace('.', "-"))
            } else {
                format!("table-section-{}", rule.section)
            };
            want(key, format!("the section {}", rule.section));
        }
        for OptionSet { name: option, values, ruling, .. } in options {
            for value in values.iter().filter(|value| !is_figure(value)) {
                let key = value.to_lowercase().replace(['_', '.', ' '], "-");
                want(format!("form-value-{key}"), format!("the value {option}: {value} ({ruling})"));
            }
        }
    }
    named
}

/// A figure says itself in every language: `4.7.2`, `25x12.5`.
fn is_figure(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_digit())
}
