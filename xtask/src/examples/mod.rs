//! `cargo xtask examples`: every worked example of the ledgers against the test that bears its id.
//! The numbers of what is expected must stand in the body of that test; those of what is given there
//! or in the helpers of the same file it calls. So a test cannot drift from its example unnoticed. What cannot stand
//! there is listed in `xtask/examples.toml`, each with its reason; an exception nobody needs is
//! refused as well.

mod numbers;
mod source;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::run::{Failure, root};
use numbers::{Number, Numbers};
use source::Tests;

/// Where the exceptions stand.
const EXCEPTIONS: &str = "xtask/examples.toml";

/// `xtask/examples.toml`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exceptions {
    /// Examples without a test.
    #[serde(default)]
    untested: Vec<Untested>,
    /// Numbers that do not stand in the test of their example.
    #[serde(default)]
    number: Vec<Exempt>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Untested {
    id: String,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exempt {
    id: String,
    numbers: Vec<String>,
    reason: String,
}

/// An example as the comparison sees it.
struct Example<'a> {
    id: &'a str,
    given: &'a str,
    expect: &'a str,
}

pub(crate) fn run() -> Result<(), Failure> {
    let fail = |error: &dyn std::fmt::Display| format!("{EXCEPTIONS}: {error}");
    let text = fs::read_to_string(root().join(EXCEPTIONS)).map_err(|error| fail(&error))?;
    let exceptions: Exceptions = toml::from_str(&text).map_err(|error| fail(&error))?;
    let tests = Tests::read(&sources(&root().join("crates"))?);
    let examples: Vec<Example<'_>> = rulebook::examples()
        .iter()
        .map(|example| Example { id: example.id, given: example.given.en, expect: example.expect.en })
        .collect();
    let faults = compare(&examples, &tests, &exceptions);
    if faults.is_empty() {
        eprintln!(
            "{} examples stand in their tests with their numbers; {} have no test, with a reason",
            examples.len() - exceptions.untested.len(),
            exceptions.untested.len()
        );
        return Ok(());
    }
    for fault in &faults {
        eprintln!("{fault}");
    }
    Err(format!("{} faults between the examples and their tests", faults.len()))
}

/// Every Rust file below a folder, with its text.
fn sources(folder: &Path) -> Result<Vec<(PathBuf, String)>, Failure> {
    let fail = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| fail(&folder, error))? {
            let path = entry.map_err(|error| fail(&folder, error))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).map_err(|error| fail(&path, error))?;
                files.push((path, text));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// What is wrong between the examples, the tests and the exceptions.
fn compare(examples: &[Example<'_>], tests: &Tests, exceptions: &Exceptions) -> Vec<String> {
    let mut faults = Vec::new();
    let mut used = BTreeSet::new();
    for example in examples {
        let untested = exceptions.untested.iter().any(|entry| entry.id == example.id);
        match (tests.of(example.id), untested) {
            (None, true) => {}
            (None, false) => faults.push(format!("{}: no test bears its name", example.id)),
            (Some(_), true) => {
                faults.push(format!("{EXCEPTIONS}: {} has a test: strike it out", example.id));
            }
            (Some(found), false) => {
                let excused: Vec<Number> = exceptions
                    .number
                    .iter()
                    .filter(|entry| entry.id == example.id)
                    .flat_map(|entry| &entry.numbers)
                    .filter_map(|text| Number::read(text))
                    .collect();
                let wanting = missing(example, &found.body, &found.reach);
                for number in &excused {
                    used.insert((example.id.to_owned(), number.to_string()));
                    if !wanting.contains(number) {
                        faults.push(format!(
                            "{EXCEPTIONS}: the {number} of {} needs no exception: strike it out",
                            example.id
                        ));
                    }
                }
                for number in wanting.iter().filter(|number| !excused.contains(number)) {
                    faults.push(format!(
                        "{}: its {number} does not stand in {} ({})",
                        example.id,
                        found.names.join(", "),
                        example.expect
                    ));
                }
            }
        }
    }
    let known: BTreeSet<&str> = examples.iter().map(|example| example.id).collect();
    let reasons = exceptions
        .untested
        .iter()
        .map(|entry| (&entry.id, &entry.reason))
        .chain(exceptions.number.iter().map(|entry| (&entry.id, &entry.reason)));
    for (id, reason) in reasons {
        if !known.contains(id.as_str()) {
            faults.push(format!("{EXCEPTIONS}: there is no example {id}"));
        }
        if reason.trim().is_empty() {
            faults.push(format!("{EXCEPTIONS}: {id} has no reason"));
        }
    }
    for Exempt { id, numbers, .. } in &exceptions.number {
        for text in numbers {
            if Number::read(text).is_none_or(|number| !used.contains(&(id.clone(), number.to_string()))) {
                faults.push(format!("{EXCEPTIONS}: {id} is not compared for \"{text}\""));
            }
        }
    }
    faults
}

/// The numbers of an example that stand neither in the test's body nor, if they are given, within
/// its reach.
fn missing(example: &Example<'_>, body: &Numbers, reach: &Numbers) -> Vec<Number> {
    // Lengths on the table are counted in hundredths of a centimetre.
    let in_cm = [example.given, example.expect].iter().any(|text| numbers::measures(text));
    let given = numbers::stated(example.given);
    let expected = numbers::expected(example.expect, |number| body.hold(number, in_cm));
    let mut missing: Vec<Number> = expected.into_iter().filter(|number| !body.hold(*number, in_cm)).collect();
    missing.extend(given.into_iter().filter(|number| !reach.hold(*number, in_cm)));
    missing.sort();
    missing.dedup();
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: Example<'static> = Example {
        id: "FE-EX-03",
        given: "musketoon R = 15; the column moves 4.5 cm in Q1; distance d = 10",
        expect: "10 + 4.5 = 14.5 <= 15: yes; 2 figures fire (FE-R07)",
    };

    fn faults(source: &str, exceptions: &str) -> Vec<String> {
        let tests = Tests::read(&[(PathBuf::from("crates/a/tests/a.rs"), source.to_owned())]);
        compare(&[EXAMPLE], &tests, &toml::from_str(exceptions).unwrap())
    }

    #[test]
    fn an_example_needs_a_test_of_its_name() {
        assert_eq!(faults("#[test] fn fe_ex_030() {}", ""), ["FE-EX-03: no test bears its name"]);
        let untested = "[[untested]]\nid = \"FE-EX-03\"\nreason = \"No table here.\"";
        assert_eq!(faults("", untested), [""; 0]);
        let told = faults("#[test] fn fe_ex_03() {}", untested);
        assert_eq!(told, ["xtask/examples.toml: FE-EX-03 has a test: strike it out"]);
    }

    #[test]
    fn the_numbers_expected_stand_in_the_body_and_those_given_within_reach() {
        let good = "fn far() { range(1500); moved(4.5) }
            #[test] fn fe_ex_03() { far(); assert_eq!(at(10), cm(1450)); assert_eq!(fire(1500), 2); }";
        assert_eq!(faults(good, ""), [""; 0]);
        // What is expected may not hide in a helper.
        let hidden = "fn far() { range(15); moved(4.5); assert_eq!(fire(), 2); }
            #[test] fn fe_ex_03() { far(); assert_eq!(at(10), (14.5, 15)); }";
        assert!(faults(hidden, "")[0].starts_with("FE-EX-03: its 2 does not stand in fe_ex_03"));
        // A comment proves nothing, nor does a place in a list or the number of a field.
        let remark = "fn far() { range(15); moved(4.5) }
            #[test] fn fe_ex_03() { far(); /* 2 */ fired[2].2; assert_eq!(at(10), (14.5, 15)); }";
        assert_eq!(faults(remark, "").len(), 1);
    }

    #[test]
    fn an_exception_has_its_reason_and_is_needed() {
        let test = "#[test] fn fe_ex_03() { at(10, 4.5); assert_eq!(fire(15), 2); }";
        assert!(faults(test, "")[0].starts_with("FE-EX-03: its 14.5 does not stand"));
        let with = |numbers: &str, reason: &str| {
            format!("[[number]]\nid = \"FE-EX-03\"\nnumbers = [{numbers}]\nreason = \"{reason}\"")
        };
        assert_eq!(faults(test, &with("\"14.5\"", "A sum the reader makes.")), [""; 0]);
        assert_eq!(faults(test, &with("\"14.5\"", " ")), ["xtask/examples.toml: FE-EX-03 has no reason"]);
        let told = faults(test, &with("\"14.5\", \"2\"", "Too much."));
        assert_eq!(told, ["xtask/examples.toml: the 2 of FE-EX-03 needs no exception: strike it out"]);
    }
}
