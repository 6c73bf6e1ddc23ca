//! The Python package: built as a wheel by `maturin` in a folder of its own, so that nothing else waits for it,
//! installed into a virtual environment beside what its tests want (`PettingZoo`, Ray, pandas, the generator of
//! clients), and tested there. Where there is no Python, or nothing can be fetched, its tests are skipped, and
//! counted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::packages;
use crate::run::{Failure, built_once, output, root, run, skipped};

/// What the tests want, at the versions whose word is taken.
const PACKAGES: [&str; 10] = [
    "gymnasium==1.4.0",
    "httpx==0.28.1",
    "maturin==1.16.0",
    "numpy==2.4.6",
    "openapi-python-client==0.29.1",
    "pandas==3.1.1",
    "pettingzoo==1.27.0",
    "pyarrow==26.0.1",
    "pytest==9.2.0",
    "ray==2.60.0",
];

/// Builds, installs and tests the package.
pub(crate) fn check() -> Result<(), Failure> {
    let environment = root().join("target/python-package");
    if let Err(reason) = prepare(&environment) {
        // An environment without its packages would fail the tests instead of skipping them.
        let _ = fs::remove_dir_all(&environment);
        skipped(tests()?, &format!("the Python package needs {}: {reason}", PACKAGES.join(" and ")));
        return Ok(());
    }
    let python = environment.join("bin/python");
    let wheel = build(&environment)?;
    let mut install = patient(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    run({
        install.args(["--force-reinstall", "--no-deps"]).arg(wheel);
        install
    })?;
    let mut tests = patient(&python);
    tests.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]).arg(root().join("python/tests"));
    tests.env("GLACIS_PROGRAM", root().join("target/debug/glacis"));
    run(tests)
}

/// A program that stands back behind what runs beside it, where that can be said.
fn patient(program: &Path) -> Command {
    let mut command = if packages::is_there("nice") {
        let mut command = Command::new("nice");
        command.arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir(root());
    built_once(&mut command);
    command
}

/// Makes the environment unless it is there with what is wanted.
fn prepare(environment: &Path) -> Result<(), Failure> {
    let kept = environment.join("packages");
    let wanted = PACKAGES.join("\n");
    if fs::read_to_string(&kept).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    if !packages::is_there("python3") {
        return Err("there is no python3 here".to_owned());
    }
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--clear"]).arg(environment);
    let mut fetch = Command::new(environment.join("bin/python"));
    fetch.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(PACKAGES);
    output(make).and_then(|_| output(fetch))?;
    fs::write(&kept, wanted).map_err(|error| format!("{}: {error}", kept.display()))
}

/// Builds the wheel, and says where it is.
fn build(environment: &Path) -> Result<PathBuf, Failure> {
    let folder = root().join("target/wheel");
    let wheels = folder.join("wheels");
    // An older wheel of the same name is no witness.
    let _ = fs::remove_dir_all(&wheels);
    let mut build = patient(&environment.join("bin/maturin"));
    build.args(["build", "--quiet", "--manifest-path", "python/Cargo.toml", "--out"]).arg(&wheels);
    build.arg("--target-dir").arg(&folder).arg("--interpreter").arg(environment.join("bin/python"));
    run(build)?;
    let found = fs::read_dir(&wheels).map_err(|error| format!("{}: {error}", wheels.display()))?;
    let found = found.filter_map(Result::ok).map(|file| file.path());
    let mut found = found.filter(|path| path.extension().is_some_and(|ending| ending == "whl"));
    found.next().ok_or_else(|| format!("{}: there is no wheel", wheels.display()))
}

/// How many tests the package has.
pub(crate) fn tests() -> Result<usize, Failure> {
    let folder = root().join("python/tests");
    let files = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let texts = files.filter_map(Result::ok).filter_map(|file| fs::read_to_string(file.path()).ok());
    Ok(texts.map(|text| text.lines().filter(|line| line.starts_with("def test_")).count()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lint that forbids it is off in this one crate, for what the macros of `PyO3` write.
    #[test]
    fn no_line_of_the_package_is_unsafe() {
        for file in fs::read_dir(root().join("python/src")).unwrap() {
            let text = fs::read_to_string(file.unwrap().path()).unwrap();
            assert!(!text.contains("unsafe ") && !text.contains("unsafe{"), "{text}");
        }
    }

    #[test]
    fn the_tests_of_the_package_are_counted() {
        assert!(tests().unwrap() > 20, "{:?}", tests());
    }

    /// What the chores fetch is what the package says it wants.
    #[test]
    fn every_package_that_is_named_is_fetched() {
        let manifest = fs::read_to_string(root().join("python/pyproject.toml")).unwrap();
        for name in ["numpy", "pettingzoo", "pyarrow", "ray"] {
            assert!(manifest.contains(&format!("\"{name}\"")), "{name}");
            assert!(PACKAGES.iter().any(|package| package.starts_with(&format!("{name}=="))), "{name}");
        }
    }
}
