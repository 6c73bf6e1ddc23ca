//! A real Chromium for the browser tests: found, or installed from the system's packages where that
//! is possible. Where it is not, the tests that need it are skipped, and counted.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::packages;
use crate::run::{root, skipped};

/// Where the browser tests note, a line each, that they were skipped.
const VARIABLE: &str = "GLACIS_SKIPPED";

/// Debian's packages; their names for the programs follow.
const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The browser the tests are given, and the note of those that were skipped for want of it.
pub(crate) struct Chromium {
    note: PathBuf,
}

impl Chromium {
    /// Looks for it and installs it if it is missing and can be installed.
    pub(crate) fn prepare() -> Self {
        let note = root().join("target/skipped.txt");
        // An old note would be counted again.
        let _ = fs::remove_file(&note);
        if !is_there() {
            eprintln!("Chromium or its driver is missing");
            if let Err(reason) = packages::install(&PACKAGES) {
                eprintln!("{reason}");
            }
        }
        Self { note }
    }

    /// Tells the tests where to note what they skip.
    pub(crate) fn tell(&self, tests: &mut Command) {
        tests.env(VARIABLE, &self.note);
    }

    /// Says and counts what was skipped.
    pub(crate) fn report(&self) {
        let noted = fs::read_to_string(&self.note).unwrap_or_default();
        let tests: Vec<&str> = noted.lines().collect();
        if !tests.is_empty() {
            let what = format!(
                "browser tests ({}): what they want is not here and cannot be installed; \
                 on Debian: apt-get install {} npm",
                tests.join(", "),
                PACKAGES.join(" ")
            );
            skipped(tests.len(), &what);
        }
    }
}

fn is_there() -> bool {
    packages::is_there("chromedriver") && BROWSERS.iter().any(|browser| packages::is_there(browser))
}
