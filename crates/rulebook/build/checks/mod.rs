//! The checks and the code they lead to. The tests of the crate include this module too, to show
//! that each kind of typo is caught.

use std::fs;
use std::path::{Path, PathBuf};

mod ledger;
mod tables;
mod words;

/// A fault: where it is, and what.
pub(crate) type Fault = String;

/// Generated files: name and text.
pub(crate) type Sources = Vec<(&'static str, String)>;

/// Reads and checks everything below `root`, the folder of this package.
pub(crate) fn all(root: &Path) -> Result<Sources, Vec<Fault>> {
    let mut faults = Vec::new();
    let ledgers = ledger::read(root, &mut faults);
    let tables = tables::read(root, &ledger::ids(&ledgers), &mut faults);
    let words = words::read(root, &ledger::named(&ledgers), &mut faults);
    if faults.is_empty() {
        Ok(vec![
            ("ledger.rs", ledger::code(&ledgers)),
            ("options.rs", ledger::options_code(&ledgers)),
            ("printed.rs", tables::printed(root)),
            ("tables.rs", tables),
            ("words.rs", words),
        ])
    } else {
        Err(faults)
    }
}

/// The path of a file as a reader of the project knows it.
fn shown(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    // As whoever mends it finds it in the repository, where the law lies at the root.
    let words = Path::new("crates/rulebook").join(inside);
    if inside.starts_with("words") { words.display().to_string() } else { inside.display().to_string() }
}

/// The files of a folder with this ending, by name.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    files.sort();
    files
}

/// The folders of a folder, by name.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}

/// `loss_table`, `map-siege-points`, `25x12.5` as a type: `LossTable`, `MapSiegePoints`, `V25x12_5`.
fn type_name(name: &str) -> String {
    let mut result = String::new();
    for part in name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
        if result.ends_with(|c: char| c.is_ascii_digit()) && part.starts_with(|c: char| c.is_ascii_digit()) {
            result.push('_');
        }
        let mut letters = part.chars();
        result.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        result.push_str(letters.as_str());
    }
    if result.starts_with(|c: char| c.is_ascii_digit()) { format!("V{result}") } else { result }
}

/// Any name as a lower-case field or module.
fn field_name(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let name = name.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
    match name.as_str() {
        "override" | "type" | "move" | "ref" | "in" | "where" | "for" | "loop" | "use" => format!("{name}_"),
        _ if name.starts_with(|c: char| c.is_ascii_digit()) => format!("v{name}"),
        _ => name,
    }
}

/// Any name as a constant.
fn const_name(name: &str) -> String {
    field_name(name).to_ascii_uppercase()
}

/// A text as a Rust string literal.
fn literal(text: &str) -> String {
    format!("{text:?}")
}
