//! axe-core, which looks the pages over in the browser tests: brought by npm where node is there.
//! Where it is not, the test that needs it is skipped, and counted.

use std::path::PathBuf;
use std::process::Command;

use crate::packages;
use crate::run::{output, root};

/// Where the browser tests look for its file.
pub(crate) const VARIABLE: &str = "GLACIS_AXE";

/// The package, and the version that is looked with everywhere.
const PACKAGE: &str = "axe-core";
const VERSION: &str = "4.14.0";

/// Where it lies, if it is there or can be brought.
pub(crate) fn file() -> Option<PathBuf> {
    let folder = root().join(format!("target/npm/{PACKAGE}-{VERSION}"));
    let file = folder.join(format!("node_modules/{PACKAGE}/axe.min.js"));
    if !file.is_file() {
        if !packages::is_there("npm") {
            eprintln!("{PACKAGE} is not here, and there is no npm to bring it");
            return None;
        }
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"])
            .arg(&folder)
            .arg(format!("{PACKAGE}@{VERSION}"));
        if let Err(reason) = output(npm) {
            eprintln!("{reason}");
            return None;
        }
    }
    Some(file)
}
