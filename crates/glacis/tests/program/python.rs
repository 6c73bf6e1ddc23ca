//! The reference verifier of `docs/record`, in Python: it believes every record that is shipped and every one
//! of its own book, and refuses each that was tampered with, at the line that the book names.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The virtual environment that `cargo xtask` makes, if it is there.
fn python() -> Option<PathBuf> {
    let python = root().join("target/python/bin/python");
    if python.exists() {
        return Some(python);
    }
    eprintln!("skipped (1): there is no Python with BLAKE3 here; `cargo xtask python` prepares it");
    None
}

fn verified(python: &Path, records: &[PathBuf]) -> Output {
    Command::new(python).arg(root().join("docs/record/verify.py")).args(records).output().unwrap()
}

fn book() -> Vec<PathBuf> {
    let files = std::fs::read_dir(root().join("docs/record")).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|ending| ending == "jsonl")).collect();
    files.sort();
    files
}

/// The records of the registry, and whatever else lies beside them.
fn shipped() -> Vec<PathBuf> {
    let of_the_registry = glacis::systems().into_iter().flat_map(|system| system.records);
    let mut found: Vec<PathBuf> = of_the_registry.map(|record| root().join(record)).collect();
    for folder in std::fs::read_dir(root().join("scenarios")).unwrap() {
        let files = std::fs::read_dir(folder.unwrap().path()).into_iter().flatten();
        found.extend(
            files
                .map(|file| file.unwrap().path())
                .filter(|file| file.extension().is_some_and(|is| is == "record")),
        );
    }
    found.sort();
    found.dedup();
    found
}

#[test]
fn the_reference_verifier_has_a_hundred_lines_and_believes_every_record() {
    let program = std::fs::read_to_string(root().join("docs/record/verify.py")).unwrap();
    assert!(program.lines().count() <= 100, "{} lines", program.lines().count());
    let Some(python) = python() else { return };
    let records: Vec<PathBuf> = shipped().into_iter().chain(book()).collect();
    assert!(records.len() >= 9, "{records:?}");
    let output = verified(&python, &records);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.lines().count(), records.len(), "{said}");
    // What the program ships hides nothing: every die of it can be computed.
    for line in said.lines().filter(|line| line.contains("scenarios")) {
        assert!(line.contains(" 0 unknown,") && !line.contains(" 0 dice of the seeds"), "{line}");
    }
}

/// A record of the book with one change made to it, and, where that is said, its chain made whole again.
fn tampered(case: &Value) -> String {
    let text = |name: &str| case[name].as_str();
    let file = root().join("docs/record").join(format!("{}.jsonl", text("file").unwrap()));
    let record = std::fs::read_to_string(file).unwrap();
    let mut lines: Vec<String> = record.lines().map(str::to_owned).collect();
    let place = usize::try_from(case["line"].as_u64().unwrap()).unwrap() - 1;
    match text("from") {
        Some(from) => lines[place] = lines[place].replacen(from, text("to").unwrap(), 1),
        None => drop(lines.remove(place)),
    }
    let mut chain = [0; 32];
    for line in lines.iter_mut().filter(|_| case["chain_made_whole"] == true) {
        let (body, _) = line.rsplit_once(",\"chain\":\"").unwrap();
        let hash = blake3::keyed_hash(&chain, body.as_bytes());
        chain = *hash.as_bytes();
        *line = format!("{body},\"chain\":\"{hash}\"}}");
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_reference_verifier_refuses_what_was_tampered_with() {
    let Some(python) = python() else { return };
    let cases = std::fs::read_to_string(root().join("docs/record/tampered.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&cases).unwrap();
    assert!(cases.len() > 25);
    for (number, case) in cases.iter().enumerate() {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tampered-{number}.jsonl"));
        std::fs::write(&file, tampered(case)).unwrap();
        let output = verified(&python, &[file]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let expected = format!("line {}: {}", case["found_at"], case["fault"].as_str().unwrap());
        assert!(!output.status.success() && said.trim_end().ends_with(&expected), "{case}: {said}");
    }
}
