//! Turns the ledgers, the tables and the word files into Rust, and refuses to build when one of
//! them is not sound: every message names the file and the line. All of it lies in this package: `rules` and
//! `maps` of the repository are linked here, so that what is published holds them.

use std::path::PathBuf;
use std::{env, fs, process};

mod checks;

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for folder in ["rules", "maps", "words"] {
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

fn fail(faults: &[String]) -> ! {
    for fault in faults {
        println!("cargo::error={fault}");
        eprintln!("{fault}");
    }
    process::exit(1)
}
