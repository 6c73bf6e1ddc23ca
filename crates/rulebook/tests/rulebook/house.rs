//! The worked example of `docs/house-rules.md`: its patch fits the sources as they are, and the build of
//! the rulebook takes what it makes of them. What it adds to the code and its tests is compiled by nobody here.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use std::fs;
use std::process::{Command, Stdio};

use crate::unsound::{Copy, checks, root};

const PATCH: &str = "docs/house-rules.patch";

fn of(name: &str, sources: &checks::Sources) -> String {
    sources.iter().find(|(found, _)| *found == name).unwrap().1.clone()
}

#[test]
fn the_house_rule_of_the_page_is_taken_by_the_build() {
    let copy = Copy::new("house-rule");
    let patch = fs::read_to_string(root().join(PATCH)).unwrap();
    let changed: Vec<&str> = patch.lines().filter_map(|line| line.strip_prefix("+++ b/")).collect();
    assert_eq!(changed.len(), 5, "law, words, code and test: {changed:?}");
    for file in &changed {
        fs::create_dir_all(copy.0.join(file).parent().unwrap()).unwrap();
        fs::copy(root().join(file), copy.0.join(file)).unwrap();
    }
    let before = copy.built().unwrap();
    assert!(!of("options.rs", &before).contains("enum Powder"));

    let applied = Command::new("patch")
        .args(["-p1", "--batch", "--input"])
        .arg(root().join(PATCH).canonicalize().unwrap())
        .current_dir(&copy.0)
        .stdin(Stdio::null())
        .output();
    let Ok(applied) = applied else {
        eprintln!("skipped (1): there is no program `patch` here");
        return;
    };
    assert!(applied.status.success(), "{applied:?}");
    let after = copy.built().unwrap_or_else(|faults| panic!("{faults:#?}"));
    assert!(of("ledger.rs", &after).contains("FE_R99"));
    let options = of("options.rs", &after);
    assert!(options.contains("enum Powder") && options.contains("pub powder: Powder"));

    // The page tells what the patch does, and each part of it is missed.
    let page = fs::read_to_string(root().join("docs/house-rules.md")).unwrap();
    let told =
        page.lines().filter(|line| line.starts_with("form-") || line.trim_start().starts_with("factor +="));
    for line in told {
        assert!(
            patch.lines().any(|other| other.strip_prefix('+').is_some_and(|is| is.trim() == line.trim())),
            "{line}"
        );
    }
    let words = "crates/rulebook/words/fr/form.ftl";
    let faults = copy.spoil(words, "form-value-damp = humide\n", "");
    assert!(faults.iter().any(|fault| fault.contains("form-value-damp")), "{faults:#?}");
    let faults = copy.spoil("rules/tabletop-fire.toml", "when = \"powder: damp\"", "when = \"powder: wet\"");
    assert!(faults.iter().any(|fault| fault.contains("wet")), "{faults:#?}");
}
