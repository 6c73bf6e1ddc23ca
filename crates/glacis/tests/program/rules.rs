//! `glacis rules` as a reader sees it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use std::process::{Command, Output};

fn rules(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_glacis")).arg("rules").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_rule_is_shown_with_its_rulings_options_and_examples_in_both_languages() {
    let english = text(&rules(&["fe-5-16", "--lang", "en"]));
    for part in ["FE-5-16", "more than one rank", "FE-R72", "enfilade = none", "FE-EX-26"] {
        assert!(english.contains(part), "{part}: {english}");
    }
    assert!(text(&rules(&["FE-5-16", "--lang", "fr"])).contains("plus d'un rang"));
}

#[test]
fn what_is_not_there_is_said_and_the_status_tells() {
    assert_eq!(rules(&["FE-99"]).status.code(), Some(1));
    assert_eq!(rules(&["--search", "zeppelin"]).status.code(), Some(1));
    assert_eq!(rules(&["--search", "hedge", "cover"]).status.code(), Some(0));
}

#[test]
fn all_ledgers_are_listed() {
    let list = text(&rules(&["--lang", "en"]));
    for (book, rules) in [
        ("breach ", 214),
        ("breach-core", 144),
        ("campaign", 161),
        ("danzig", 353),
        ("tabletop-fire", 242),
        ("tabletop-terrain", 385),
    ] {
        assert!(list.lines().any(|line| line.starts_with(book) && line.contains(&format!(" {rules} rules"))));
    }
}

/// What `--where` says of a rule: what is said of each place, and the place.
fn places(id: &str) -> Vec<(String, String)> {
    let output = rules(&[id, "--where", "--lang", "en"]);
    assert!(output.status.success(), "{output:?}");
    let told = text(&output);
    let lines = told.lines().skip(1).map(|line| line.trim().rsplit_once(' ').unwrap());
    lines.map(|(what, place)| (what.trim().to_owned(), place.to_owned())).collect()
}

#[test]
fn a_rule_is_found_in_the_law_where_it_acts_and_where_it_is_tested() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (id, constant) in [("FE-5-16", "FE_5_16"), ("DZ-2.1-01", "DZ_2_1_01"), ("CA-crt-07", "CA_CRT_07")] {
        let places = places(id);
        for (what, shown) in [("the law", format!("id = \"{id}\"")), ("acts", constant.to_owned())] {
            let lines: Vec<String> = places
                .iter()
                .filter(|(said, _)| said == what)
                .map(|(_, place)| {
                    let (file, line) = place.rsplit_once(':').unwrap();
                    let text = std::fs::read_to_string(root.join(file)).unwrap();
                    text.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap_or_default().to_owned()
                })
                .collect();
            assert!(!lines.is_empty(), "{id} {what}: {places:?}");
            assert!(lines.iter().all(|line| line.contains(&shown)), "{id} {what}: {lines:?}");
        }
        let tested = places.iter().filter(|(what, _)| what == "tested");
        assert!(tested.clone().count() > 0, "{places:?}");
        assert!(tested.clone().all(|(_, place)| place.starts_with("crates/")), "{places:?}");
    }
    // The test of an example is one of the rules it shows.
    let shown = places("FE-5-16");
    assert!(
        shown.iter().any(|(what, place)| what == "tested" && place.contains("tabletop/tests")),
        "{shown:?}"
    );
    assert_eq!(rules(&["FE-99", "--where"]).status.code(), Some(1));
    assert_eq!(rules(&["--where"]).status.code(), Some(2), "of which rule?");
}
