//! The tests: built once, with the recording clerk, then run a few binaries at a time.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::{Failure, cargo, root, run as run_command};

/// One program of tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Binary {
    /// The package and the program in it.
    pub(crate) name: String,
    /// Where it was built.
    pub(crate) program: PathBuf,
    /// The folder of its package, where it is run.
    pub(crate) folder: PathBuf,
    /// When it was built.
    built: SystemTime,
}

/// How many tests passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Count {
    /// Adds up the closing lines of what test programs print.
    fn read(said: &str) -> Self {
        let mut count = Self::default();
        for line in said.lines().filter_map(|line| line.strip_prefix("test result: ")) {
            for part in line.split([';', '.']) {
                let mut words = part.split_whitespace();
                let number = words.next().and_then(|word| word.parse::<usize>().ok()).unwrap_or(0);
                match words.next() {
                    Some("passed") => count.passed += number,
                    Some("failed") => count.failed += number,
                    _ => {}
                }
            }
        }
        count
    }

    fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

static COUNTED: OnceLock<Count> = OnceLock::new();

/// What the tests came to, if they were run.
pub(crate) fn counted() -> Option<Count> {
    COUNTED.get().copied()
}

/// How many programs, and how many tests in each, run at the same time. A test on a thread of its
/// own bears its name, which the trace needs: never less than two.
pub(crate) fn hands() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get).clamp(2, 8)
}

/// The package of a folder of `crates`: most bear the name of the house before their own.
pub(crate) fn package(folder: &str) -> String {
    match folder {
        "glacis" | "countermine" | "xtask" | "yardstick" => folder.to_owned(),
        own => format!("glacis-{}", own.trim_start_matches("glacis-")),
    }
}

fn selection(packages: &[String]) -> Vec<String> {
    match packages {
        [] => vec!["--workspace".to_owned()],
        packages => packages.iter().flat_map(|one| ["--package".to_owned(), package(one)]).collect(),
    }
}

/// The features the tests of these packages, or of all, are built with: the recording clerk, and, where the
/// registry is, the contract of every game in it.
fn features(packages: &[String]) -> &'static str {
    let registry = packages.is_empty() || packages.iter().any(|package| package == "glacis");
    if registry { FEATURES } else { "kernel/trace" }
}

/// What all tests are built with.
pub(crate) const FEATURES: &str = "kernel/trace,glacis/conformance";

/// Builds the tests of these packages, or of all, and says where they are. Of the examples only the server that the
/// tests start is built; that the others compile is seen by the lints.
pub(crate) fn build(packages: &[String]) -> Result<Vec<Binary>, Failure> {
    let features = features(packages);
    if features == FEATURES {
        run_command(cargo(&["build", "--workspace", "--example", "host", "--features", features]))?;
    }
    let mut build = cargo(&["test", "--no-run", "--tests", "--features", features]);
    build.args(selection(packages)).arg("--message-format=json-render-diagnostics");
    let built = build.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let built = built.map_err(|error| format!("cargo test --no-run could not be run: {error}"))?;
    if !built.status.success() {
        return Err("the tests do not compile".to_owned());
    }
    let messages = String::from_utf8_lossy(&built.stdout).into_owned();
    messages.lines().filter_map(|line| serde_json::from_str(line).ok()).filter_map(|m| binary(&m)).collect()
}

/// The program of tests that a message of cargo tells of, if it does.
fn binary(message: &Value) -> Option<Result<Binary, Failure>> {
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let program = PathBuf::from(message["executable"].as_str()?);
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_path_buf();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let target = &message["target"];
    let tests = target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "test"));
    // The tests beside the code have no name of their own.
    let name =
        if tests { format!("{package} {}", target["name"].as_str()?) } else { format!("{package} src") };
    let built = fs::metadata(&program).and_then(|file| file.modified());
    let built = built.map_err(|error| format!("{}: {error}", program.display()));
    Some(built.map(|built| Binary { name, program, folder, built }))
}

/// A call of a program of tests as cargo would make it.
pub(crate) fn call(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("CARGO_MANIFEST_DIR", folder).stdin(Stdio::null());
    // The same random cases on every machine; set the variable to try others.
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        command.env("PROPTEST_RNG_SEED", "1807");
    }
    command
}

/// Runs all tests of these programs, the slowest of the last time first, and then those of the
/// documentation. What failed is shown whole.
pub(crate) fn run(
    binaries: &[Binary],
    packages: &[String],
    tell: &(dyn Fn(&mut Command) + Sync),
) -> Result<(), Failure> {
    let times = times();
    let mut waiting: Vec<&Binary> = binaries.iter().collect();
    let size = |binary: &Binary| fs::metadata(&binary.program).map_or(0, |file| file.len());
    waiting.sort_by_key(|binary| (times.get(&binary.name).copied().unwrap_or(0), size(binary)));
    let done = Mutex::new((waiting, times, Count::default(), Vec::new()));
    let lock = || done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let worker = || {
        loop {
            let Some(binary) = lock().0.pop() else { return };
            let began = Instant::now();
            let outcome = run_one(binary, tell);
            let took = began.elapsed();
            let mut done = lock();
            match outcome {
                Ok((count, said)) => {
                    eprintln!("   {:<28} {count}, {:.1} s", binary.name, took.as_secs_f64());
                    if let Some(said) = said {
                        eprintln!("{said}");
                        done.3.push(binary.name.clone());
                    }
                    done.1.insert(binary.name.clone(), u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
                    done.2.add(count);
                }
                Err(failure) => done.3.push(failure),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..hands() {
            scope.spawn(worker);
        }
    });
    let (_, times, mut count, mut failures) =
        done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    keep(&times);
    let documented = documentation(packages, tell)?;
    count.add(documented.0);
    failures.extend(documented.1);
    let count = *COUNTED.get_or_init(|| count);
    match failures.as_slice() {
        [] => Ok(()),
        failures => Err(format!("{count}: {}", failures.join(", "))),
    }
}

/// No program of tests takes longer; one that does hangs.
fn longest() -> Duration {
    yardstick::patience(Duration::from_secs(20 * 60))
}

/// Runs one program; what it said is given back if it failed or did not end.
fn run_one(binary: &Binary, tell: &dyn Fn(&mut Command)) -> Result<(Count, Option<String>), Failure> {
    let mut command = call(&binary.program, &binary.folder);
    command.env("RUST_TEST_THREADS", hands().to_string());
    tell(&mut command);
    let (ending, said) = run_for(command, longest()).map_err(|error| format!("{}: {error}", binary.name))?;
    let count = Count::read(&said);
    Ok(match ending {
        Ending::Passed => (count, None),
        Ending::Failed => (count, Some(said)),
        Ending::Hung => (count, Some(format!("{said}\n{} did not end and was stopped", binary.name))),
    })
}

/// The examples in the documentation, which cargo builds and runs by itself.
fn documentation(
    packages: &[String],
    tell: &dyn Fn(&mut Command),
) -> Result<(Count, Option<Failure>), Failure> {
    let mut command = cargo(&["test", "--doc", "--features", features(packages)]);
    command.args(selection(packages));
    tell(&mut command);
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        return Ok((Count::read(&said), None));
    }
    eprintln!("{}{said}", String::from_utf8_lossy(&output.stderr));
    Ok((Count::read(&said), Some("examples of the documentation".to_owned())))
}

fn times_file() -> PathBuf {
    root().join("target/test-times.json")
}

/// How long each program took the last time, in milliseconds.
fn times() -> BTreeMap<String, u64> {
    fs::read(times_file()).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

/// Keeps how long each took; without it the next run only has a worse order.
fn keep(times: &BTreeMap<String, u64>) {
    if let (Ok(text), Ok(mut file)) = (serde_json::to_vec(times), File::create(times_file())) {
        let _ = file.write_all(&text);
    }
}

/// What a run with a time limit came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Passed,
    Failed,
    /// It did not end in its time and was stopped.
    Hung,
}

/// Runs a program as [`run_for`] does, with an end to its memory too.
pub(crate) fn run_limited(command: &Command, limit: Duration) -> Result<(Ending, String), Failure> {
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -v 8388608; exec \"$0\" \"$@\""]).arg(command.get_program());
    limited.args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        limited.current_dir(folder);
    }
    run_for(limited, limit)
}

/// Runs a program with all it may start, with an end to its time; and what it said.
fn run_for(mut command: Command, limit: Duration) -> Result<(Ending, String), Failure> {
    use std::os::unix::process::CommandExt;
    let fail = |error: std::io::Error| error.to_string();
    let said = std::env::temp_dir().join(format!("glacis-{}-{}", std::process::id(), turn()));
    let _gone = Gone(said.clone());
    let file = File::create(&said).map_err(fail)?;
    command.stdin(Stdio::null()).stdout(file.try_clone().map_err(fail)?).stderr(file).process_group(0);
    let mut child = command.spawn().map_err(fail)?;
    let end = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    let ending = loop {
        match child.try_wait().map_err(fail)? {
            Some(status) if status.success() => break Ending::Passed,
            Some(_) => break Ending::Failed,
            None if Instant::now() >= end => {
                let mut kill = Command::new("kill");
                kill.args(["-KILL", "--", &format!("-{}", child.id())]);
                let _ = kill.stderr(Stdio::null()).status();
                let _ = child.kill();
                let _ = child.wait();
                break Ending::Hung;
            }
            None => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
        }
    };
    let said = fs::read(&said).map_err(fail)?;
    Ok((ending, String::from_utf8_lossy(&said).into_owned()))
}

fn turn() -> usize {
    static TURN: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    TURN.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

/// A file that is only there for a while.
struct Gone(PathBuf);

impl Drop for Gone {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_added_up() {
        let said = "running 3 tests\ntest result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; finished in 1s\n\
                    test result: FAILED. 12 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(Count::read(said), Count { passed: 15, failed: 2 });
        assert_eq!(Count::read(said).to_string(), "15 passed, 2 failed");
    }

    /// A crate whose own tests are not built has none.
    #[test]
    fn no_test_is_left_out() {
        let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
        for folder in crates {
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            let mut parts = manifest.split("\n[");
            if parts.any(|part| part.starts_with("lib]") && part.contains("\ntest = false")) {
                let mut folders = vec![folder.join("src")];
                while let Some(folder) = folders.pop() {
                    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                        if path.is_dir() {
                            folders.push(path);
                        } else {
                            let text = fs::read_to_string(&path).unwrap();
                            assert!(!text.contains("#[test]"), "{} is never run", path.display());
                        }
                    }
                }
            }
        }
    }

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_run_passes_fails_or_is_stopped() {
        let limit = Duration::from_secs(60);
        let ended = |script: &str, limit| run_limited(&shell(script), limit);
        assert_eq!(ended("exit 0", limit), Ok((Ending::Passed, String::new())));
        assert_eq!(ended("echo no; exit 1", limit), Ok((Ending::Failed, "no\n".to_owned())));
        assert_eq!(
            ended("while :; do :; done", Duration::from_millis(50)),
            Ok((Ending::Hung, String::new()))
        );
    }
}
