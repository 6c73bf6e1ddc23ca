//! Turns the ledgers, the tables and the word files into Rust, and refuses to build when one of
//! them is not sound: every message names the file and the line.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

mod checks;

fn main() {
    let root = root();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for folder in ["rules", "maps", "crates/rulebook/words"] {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
    }
    println!("cargo::rerun-if-changed=build");
    match checks::all(&root) {
        Ok(sources) => {
            for (name, text) in sources {
                if let Err(error) = fs::write(out.join(name), text) {
                    fail(&[format!("{name}: {error}")]);
                }
            }
        }
        Err(faults) => fail(&faults),
    }
}

/// The root of the workspace: two folders above this crate.
fn root() -> PathBuf {
    let here = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    Path::new(&here).join("../..").canonicalize().unwrap_or_else(|error| {
        fail(&[format!("the workspace root: {error}")]);
    })
}

fn fail(faults: &[String]) -> ! {
    for fault in faults {
        println!("cargo::error={fault}");
        eprintln!("{fault}");
    }
    process::exit(1)
}
