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
        ("breach-core", 134),
        ("campaign", 161),
        ("danzig", 353),
        ("tabletop-fire", 242),
        ("tabletop-terrain", 385),
    ] {
        assert!(list.lines().any(|line| line.starts_with(book) && line.contains(&format!(" {rules} rules"))));
    }
}
