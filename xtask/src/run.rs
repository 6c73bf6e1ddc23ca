//! Running other programs from the root of the workspace.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What went wrong, in words.
pub(crate) type Failure = String;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// A `cargo` command at the root.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments);
    built_once(&mut command);
    command
}

/// Where everything is built once and thrown away, nothing is kept for building it again or for debuggers, and the
/// pieces of a crate are not looked over a second time.
pub(crate) fn built_once(command: &mut Command) {
    if std::env::var_os("CI").is_some() {
        command.env("CARGO_INCREMENTAL", "0");
        command.env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.env("CARGO_PROFILE_DEV_LTO", "off");
    }
}

/// A `cargo` command at the root that stands back behind what runs beside it, where that can be said.
pub(crate) fn patient_cargo(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = if crate::packages::is_there("nice") {
        let mut command = Command::new("nice");
        command.args(["-n", "19"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir(root()).args(arguments);
    built_once(&mut command);
    command
}

/// Runs a command and fails when it fails.
pub(crate) fn run(mut command: Command) -> Result<(), Failure> {
    let shown = shown(&command);
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` ended with {status}")),
        Err(error) => Err(format!("`{shown}` could not be run: {error}")),
    }
}

/// Runs a command and gives back what it printed, if it succeeded.
pub(crate) fn output(mut command: Command) -> Result<String, Failure> {
    let shown = shown(&command);
    match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(output) => Err(format!("`{shown}`: {}", String::from_utf8_lossy(&output.stderr).trim())),
        Err(error) => Err(format!("`{shown}` could not be run: {error}")),
    }
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// Says that something could not be checked here, and counts it.
pub(crate) fn skipped(count: usize, what: &str) {
    SKIPPED.fetch_add(count, Ordering::Relaxed);
    eprintln!("skipped ({count}): {what}");
}

/// How much could not be checked here.
pub(crate) fn skipped_in_all() -> usize {
    SKIPPED.load(Ordering::Relaxed)
}

/// The crates of the house that have such a file, by name.
pub(crate) fn crates_with(file: &str) -> Result<Vec<String>, Failure> {
    let folder = root().join("crates");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join(file).is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}
