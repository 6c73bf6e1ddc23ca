//! A typo in the rules, the tables or the words stops the build, and the message says where.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

#[path = "../../build/checks/mod.rs"]
pub(crate) mod checks;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A copy of the data of the project, to be spoiled.
pub(crate) struct Copy(pub(crate) PathBuf);

impl Copy {
    pub(crate) fn new(name: &str) -> Self {
        let root = root();
        let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&copy);
        for folder in ["rules", "maps", "crates/rulebook/words"] {
            copy_folder(&root.join(folder), &copy.join(folder));
        }
        // The law lies at the root and is linked into the package, as in the project itself.
        for folder in ["rules", "maps"] {
            symlink(Path::new("../..").join(folder), copy.join("crates/rulebook").join(folder)).unwrap();
        }
        Self(copy)
    }

    /// What the build makes of it, or its faults.
    pub(crate) fn built(&self) -> Result<checks::Sources, Vec<String>> {
        checks::all(&self.0.join("crates/rulebook"))
    }

    /// The faults after one change in one file.
    pub(crate) fn spoil(&self, file: &str, change: &str, to: &str) -> Vec<String> {
        let path = self.0.join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(change), "{file} contains {change}");
        fs::write(&path, text.replacen(change, to, 1)).unwrap();
        let faults = self.built().err().unwrap_or_default();
        fs::write(&path, text).unwrap();
        faults
    }

    /// The line on which a text stands.
    fn line(&self, file: &str, text: &str) -> usize {
        let all = fs::read_to_string(self.0.join(file)).unwrap();
        all[..all.find(text).unwrap()].matches('\n').count() + 1
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).into_iter().flatten().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn the_project_itself_is_sound() {
    assert_eq!(checks::all(Path::new(env!("CARGO_MANIFEST_DIR"))).err(), None);
}

#[test]
fn every_kind_of_typo_is_caught_with_its_file_and_line() {
    let copy = Copy::new("unsound");
    let fire = "rules/tabletop-fire.toml";
    let losses = "rules/tables/tabletop-fire/loss_table.csv";
    let words = "crates/rulebook/words/fr/kernel.ftl";
    for (file, change, to, wanted) in [
        (fire, "id = \"FE-1-02\"", "id = \"FE-1-01\"", "the id FE-1-01 stands twice"),
        (fire, "\"FE-R59\"]", "\"FE-R599\"]", "there is no FE-R599"),
        (fire, "kind = \"sequence\"", "kind = \"sequense\"", "sequense is no kind of rule"),
        (fire, "rules = [\"FE-1.2-01\"", "rules = [\"FE-1.2-99\"", "there is no FE-1.2-99"),
        (
            fire,
            "option = \"fire_then_move:",
            "option = \"fire_then_move ",
            "is not of the form name: default | other",
        ),
        (losses, "-5,0,", "-5,O,", "the cell \"O\" in column n1 is not a whole number"),
        (losses, "factor,", "faktor,", "there is no column factor, which the schema names"),
        (
            words,
            "kernel-not-json = ce n'est pas du JSON : { $detail }",
            "kernel-not-json = { $detial }",
            "does not use detial",
        ),
        (words, "kernel-applied =", "kernel-aplied =", "lacks the message kernel-aplied"),
    ] {
        let line = copy.line(file, change);
        let faults = copy.spoil(file, change, to);
        let place = format!("{file}:{line}: ");
        assert!(
            faults.iter().any(|fault| fault.starts_with(&place) && fault.contains(wanted)),
            "{wanted} at {place}: {faults:?}"
        );
    }
    let faults = copy.spoil(fire, "fr = \"Une unité ne tire", "fre = \"Une unité ne tire");
    assert!(faults[0].contains("unknown field `fre`"), "{faults:?}");
    let faults = copy.spoil(losses, "-5,0,", "-5,");
    assert!(faults[0].contains("24 cells under 25 columns"), "{faults:?}");
}

#[test]
fn a_new_value_of_an_option_needs_its_word_and_its_sentence_in_both_languages() {
    let copy = Copy::new("unsound-option");
    let ledger = "rules/campaign.toml";
    let option = "option = \"krems_far: minus_1 | same_as_far | nothing";
    let faults = copy.spoil(ledger, option, &format!("{option} | plus_one"));
    for lang in ["en", "fr"] {
        let wanted = format!(
            "crates/rulebook/words/{lang}/form.ftl:1: there is no message form-value-plus-one for the value \
             krems_far: plus_one (CA-R13) of {ledger}"
        );
        assert!(faults.contains(&wanted), "{wanted}: {faults:?}");
    }
    let line = copy.line(ledger, "id = \"CA-R13\"");
    let wanted = format!("{ledger}:{line}: CA-R13 must say once what is done with krems_far: plus_one");
    assert!(faults.contains(&wanted), "{wanted}: {faults:?}");
    // What the pages name after a ledger's own words is wanted as well.
    let faults = copy.spoil("crates/rulebook/words/fr/table.ftl", "table-kind-advice", "table-kind-advise");
    let wanted =
        "crates/rulebook/words/fr/table.ftl:1: there is no message table-kind-advice for the kind advice of";
    assert!(faults.iter().any(|fault| fault.starts_with(wanted)), "{faults:?}");
}

#[test]
fn a_sentence_for_a_choice_nobody_has_is_refused() {
    let copy = Copy::new("unsound-otherwise");
    let ledger = "rules/campaign.toml";
    let when = "when = \"krems_far: nothing\"";
    let line = copy.line(ledger, when);
    for (to, what) in [
        ("when = \"krems_far: nothin\"", "no ruling here offers krems_far: nothin"),
        ("when = \"krems_far: minus_1\"", "no ruling here offers krems_far: minus_1"),
        ("when = \"krems_far\"", "this is not of the form name: value"),
    ] {
        let faults = copy.spoil(ledger, when, to);
        assert!(faults.contains(&format!("{ledger}:{line}: {what}")), "{what}: {faults:?}");
    }
    // Two choices of one ruling made together have a sentence of their own.
    let both = "when = \"ram_after_failure: fall_back_10cm; ram_hits: one_per_stand\"";
    let faults = copy.spoil("rules/breach.toml", both, "when = \"ram_hits: one_per_stand\"");
    let wanted =
        "BR-R03 must say once what is done with ram_after_failure: fall_back_10cm; ram_hits: one_per_stand";
    assert!(faults.iter().any(|fault| fault.ends_with(wanted)), "{faults:?}");
}
