//! Where each rule stands in the law, acts in the code and is tested: an index of the sources that this
//! program is built from, for `glacis rules ID --where`. It is part of the program, so that a released one
//! tells the lines of its own version. Built without the workspace around it, it knows of none.
//!
//! The lines of tests are those of the last build that something under `src` or `rules` made necessary: a
//! change to a test alone does not build the program anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), std::io::Error> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = here.join("../..");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", root.join("rules").display());
    let mut index = Index { root: &root, law: BTreeSet::new(), lines: BTreeSet::new() };
    for ledger in files(&root.join("rules"), "toml") {
        for (at, line) in fs::read_to_string(&ledger)?.lines().enumerate() {
            index.state(&ledger, at + 1, line);
        }
    }
    for package in fs::read_dir(root.join("crates")).into_iter().flatten().flatten().map(|one| one.path()) {
        println!("cargo::rerun-if-changed={}", package.join("src").display());
        for source in ["src", "tests"].iter().flat_map(|folder| files(&package.join(folder), "rs")) {
            let beside = source.starts_with(package.join("tests"))
                || source.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("tests"));
            index.cite(&source, &fs::read_to_string(&source)?, beside);
        }
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let line =
        |(key, what, file, line): &(String, &str, String, usize)| format!("{key}\t{what}\t{file}:{line}\n");
    fs::write(out.join("places.tsv"), index.lines.iter().map(line).collect::<String>())
}

/// All files with this ending in a folder and those below it; none if it is not there.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let inside = |path: PathBuf| match path.is_dir() {
        true => files(&path, ending),
        false if path.extension().is_some_and(|found| found == ending) => vec![path],
        false => Vec::new(),
    };
    fs::read_dir(folder).into_iter().flatten().flatten().flat_map(|one| inside(one.path())).collect()
}

/// The ids that the ledgers state, as constants are named, and where they stand in what.
struct Index<'a> {
    root: &'a Path,
    law: BTreeSet<String>,
    lines: BTreeSet<(String, &'static str, String, usize)>,
}

impl Index<'_> {
    fn add(&mut self, key: String, what: &'static str, file: &Path, line: usize) {
        let file = file.strip_prefix(self.root).unwrap_or(file).display().to_string().replace('\\', "/");
        self.lines.insert((key, what, file, line));
    }

    /// A line of a ledger.
    fn state(&mut self, ledger: &Path, at: usize, line: &str) {
        let id = line.strip_prefix("id = \"").and_then(|rest| rest.split('"').next());
        if let Some(id) = id.filter(|id| id.contains(|letter: char| letter.is_ascii_digit())) {
            self.law.insert(key(id));
            self.add(key(id), "law", ledger, at);
        }
    }

    /// A source: an id acts where its constant stands in the code; in tests ids stand in texts and, of
    /// examples, in the names of functions too (`fe_ex_26_…`).
    fn cite(&mut self, source: &Path, text: &str, beside: bool) {
        let (mut tested, mut attribute) = (beside, false);
        for (at, line) in text.lines().enumerate() {
            // What follows the head of the tests beside the code is nothing but tests.
            tested |= attribute && line.starts_with("mod ") && line.ends_with('{');
            attribute = line == "#[cfg(test)]";
            if line.trim_start().starts_with("//") {
                continue;
            }
            let words = |joined: &'static [char]| {
                line.split(move |letter: char| !letter.is_alphanumeric() && !joined.contains(&letter))
            };
            let mut keys: BTreeSet<String> = words(&['_']).map(str::to_owned).collect();
            if tested {
                keys.extend(words(&['-', '.']).map(|text| key(text.trim_matches('.'))));
                let name = line.trim_start().strip_prefix("fn ").map(str::to_uppercase);
                keys.extend(name.iter().flat_map(|name| examples(name)));
            }
            for key in keys.intersection(&self.law).cloned().collect::<Vec<_>>() {
                self.add(key, if tested { "tested" } else { "acts" }, source, at + 1);
            }
        }
    }
}

/// The id of a rule as constants are named.
fn key(id: &str) -> String {
    id.replace(['-', '.'], "_").to_uppercase()
}

/// The ids of examples that the name of a test may bear.
fn examples(name: &str) -> Vec<String> {
    let words: Vec<&str> = name.split(|letter: char| !letter.is_alphanumeric()).collect();
    words.windows(3).filter(|words| words[1] == "EX").map(|words| words.join("_")).collect()
}
