//! `cargo xtask package`: every crate that can be published is packed as it would be, and a new crate outside
//! the workspace is made of what was packed: the packages lie in a folder that stands for the registry, with
//! whatever else they need from the usual cache beside them. Only what the lock file names and no build has asked for
//! yet is fetched.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::packages::is_there;
use crate::run::{Failure, cargo, output, patient_cargo, root, run, skipped};

/// What is not published: the program is built from the repository, the rest is for its tests and chores.
const KEPT: [&str; 5] = ["glacis", "glacis-python", "countermine", "xtask", "yardstick"];

/// The crates that the program outside asks for.
const WANTED: [&str; 4] = ["glacis-kernel", "glacis-opponent", "glacis-tabletop", "glacis-danzig"];

/// The programs outside and what they must say: one fire, its odds and a game to its end; and the program of the
/// page for programmers, as it stands there.
pub(crate) const PROGRAMS: [(&str, &str, &[&str]); 2] = [
    (
        "whole",
        include_str!("../outside/main.rs"),
        &[
            "fire: factor Some(6), 1 figures lost, by FE-",
            "odds: 1/3 of Some(5), 1/3 of Some(6), 1/3 of Some(7)",
            "Some(Outcome {",
        ],
    ),
    ("first", include_str!("../../docs/library.md"), &["1/3: 60 men lost"]),
];

/// A program, or the one that a page shows.
fn program(text: &str) -> &str {
    text.split("```rust\n").nth(1).and_then(|rest| rest.split("```\n").next()).unwrap_or(text)
}

pub(crate) fn check() -> Result<(), Failure> {
    // What only other machines are built of is not in the cache of this one, and whoever resolves wants it named.
    run(cargo(&["fetch", "--locked", "--quiet"]))?;
    let packed = pack()?;
    semver()?;
    let shelf = root().join("target/shelf");
    shelve(&packed, &shelf)?;
    outside(&shelf)
}

fn fault(place: &Path, error: &std::io::Error) -> Failure {
    format!("{}: {error}", place.display())
}

/// Packs everything that can be published; gives back the packages.
fn pack() -> Result<Vec<PathBuf>, Failure> {
    let target = root().join("target/packed");
    let _ = fs::remove_dir_all(&target);
    let mut command =
        cargo(&["package", "--workspace", "--no-verify", "--allow-dirty", "--offline", "--quiet"]);
    command.args(KEPT.iter().flat_map(|name| ["--exclude", name])).arg("--target-dir").arg(&target);
    run(command)?;
    let folder = target.join("package");
    let found = fs::read_dir(&folder).map_err(|error| fault(&folder, &error))?.flatten();
    let mut packages: Vec<PathBuf> =
        found.map(|entry| entry.path()).filter(|path| is_package(path)).collect();
    packages.sort();
    if packages.is_empty() { Err("nothing was packed".to_owned()) } else { Ok(packages) }
}

fn is_package(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "crate")
}

/// What was promised by the last release still holds, where there was one and the tool is there.
fn semver() -> Result<(), Failure> {
    let mut last = Command::new("git");
    last.current_dir(root()).args(["describe", "--tags", "--abbrev=0", "--match", "v*"]);
    match (is_there("cargo-semver-checks"), output(last)) {
        (true, Ok(tag)) => {
            let mut command = patient_cargo(&["semver-checks", "--workspace", "--baseline-rev", tag.trim()]);
            command.args(KEPT.iter().flat_map(|name| ["--exclude", name]));
            run(command)
        }
        (false, Ok(_)) => {
            skipped(1, "cargo-semver-checks is not installed");
            Ok(())
        }
        // There is no release yet whose promises could be broken.
        (_, Err(_)) => Ok(()),
    }
}

/// Lays the packages, and what the workspace itself is built of, where a registry would have them.
fn shelve(packed: &[PathBuf], shelf: &Path) -> Result<(), Failure> {
    let _ = fs::remove_dir_all(shelf);
    fs::create_dir_all(shelf).map_err(|error| fault(shelf, &error))?;
    for package in packed {
        let mut unpack = Command::new("tar");
        unpack.arg("xzf").arg(package).arg("-C").arg(shelf);
        run(unpack)?;
        let name = package.file_stem().unwrap_or_default();
        mark(&shelf.join(name))?;
    }
    for source in fetched()? {
        let name = source.file_name().unwrap_or_default();
        let place = shelf.join(name);
        if place.exists() {
            continue;
        }
        fs::create_dir(&place).map_err(|error| fault(&place, &error))?;
        for entry in fs::read_dir(&source).map_err(|error| fault(&source, &error))?.flatten() {
            let link = place.join(entry.file_name());
            symlink(entry.path(), &link).map_err(|error| fault(&link, &error))?;
        }
        mark(&place)?;
    }
    Ok(())
}

/// Says that a package is what it should be: the cache and the packing have looked already.
fn mark(package: &Path) -> Result<(), Failure> {
    let file = package.join(".cargo-checksum.json");
    fs::write(&file, "{\"files\":{}}").map_err(|error| fault(&file, &error))
}

/// Everything of others that lies unpacked in the cache.
fn fetched() -> Result<Vec<PathBuf>, Failure> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let sources = home.ok_or("there is no home folder")?.join("registry/src");
    let of = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    Ok(of(&sources).iter().flat_map(|registry| of(registry)).filter(|path| path.is_dir()).collect())
}

/// Makes a new crate as anybody would, asks for ours by name, and runs it.
fn outside(shelf: &Path) -> Result<(), Failure> {
    let folder = root().join("target/outside");
    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        let parent = file.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).and_then(|()| fs::write(&file, text)).map_err(|error| fault(&file, &error))
    };
    let _ = fs::remove_file(folder.join("Cargo.lock"));
    // A workspace of its own.
    write(
        "Cargo.toml",
        "[package]\nname = \"outside\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\n\
         [workspace]\n\n[profile.dev]\ndebug = false\n",
    )?;
    for (name, text, _) in PROGRAMS {
        write(&format!("src/bin/{name}.rs"), program(text))?;
    }
    write(
        ".cargo/config.toml",
        &format!(
            "[source.crates-io]\nreplace-with = \"shelf\"\n\n[source.shelf]\ndirectory = {:?}\n",
            shelf.display().to_string()
        ),
    )?;
    let call = |arguments: &[&str]| {
        let mut command = patient_cargo(arguments);
        command.current_dir(&folder).env("CARGO_TARGET_DIR", folder.join("target")).arg("--offline");
        command
    };
    let mut add = call(&["add", "--quiet"]);
    add.args(WANTED);
    run(add)?;
    for (name, _, says) in PROGRAMS {
        let said = output(call(&["run", "--quiet", "--bin", name]))?;
        eprint!("{said}");
        if let Some(missing) = says.iter().find(|wanted| !said.contains(**wanted)) {
            return Err(format!("the program {name} outside does not say \"{missing}\""));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The packages that are published, by folder.
    fn published() -> Vec<(String, String)> {
        let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
        let mut all: Vec<(String, String)> = crates
            .map(|folder| {
                (folder.file_name().unwrap().to_str().unwrap().to_owned(), folder.join("Cargo.toml"))
            })
            .map(|(name, manifest)| (name, fs::read_to_string(manifest).unwrap()))
            .filter(|(_, manifest)| !manifest.contains("publish = false"))
            .collect();
        all.sort();
        all
    }

    #[test]
    fn what_is_published_says_what_it_is() {
        let all = published();
        assert_eq!(all.len(), 8, "{:?}", all.iter().map(|(name, _)| name).collect::<Vec<_>>());
        for (folder, manifest) in all {
            for wanted in [
                &format!("name = \"{}\"", crate::suite::package(&folder)),
                &format!("[lib]\nname = \"{folder}\""),
                "description = ",
                "version.workspace",
                "license.workspace",
                "repository.workspace",
                "rust-version.workspace",
                "readme = \"README.md\"",
                "keywords = [",
                "categories = [",
            ] {
                assert!(manifest.contains(wanted), "{folder}: {wanted}");
            }
        }
        assert!(KEPT.iter().all(|name| crate::suite::package(name) == *name));
    }

    /// The first example of a front page, as the documentation tests it.
    fn example(source: &str) -> String {
        let page = source.lines().map_while(|line| line.strip_prefix("//!"));
        let page: Vec<&str> = page.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        let begin = page.iter().position(|line| *line == "```").expect("an example") + 1;
        let lines = page[begin..].iter().take_while(|line| **line != "```");
        lines.filter(|line| !line.starts_with("# ")).map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn every_readme_shows_the_tested_example_of_its_front_page_and_how_to_get_it() {
        for (folder, _) in published() {
            let of = |file: &str| fs::read_to_string(root().join("crates").join(&folder).join(file)).unwrap();
            let readme = of("README.md");
            let shown = format!("```rust\n{}```\n", example(&of("src/lib.rs")));
            assert!(readme.contains(&shown), "{folder}: its README does not show\n{shown}");
            assert!(readme.contains(&format!("cargo add {}", crate::suite::package(&folder))), "{folder}");
        }
    }
}
