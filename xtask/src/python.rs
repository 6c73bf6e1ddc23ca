//! What the tests want of Python, from its index of packages, in a virtual environment of its own: the
//! validator of OpenAPI documents, and the hash of the records for their reference verifier. Where there is
//! no Python, or nothing can be fetched, the tests that need it are skipped, and counted.

use std::process::Command;

use crate::packages;
use crate::run::{output, root, skipped};

/// The packages, at the versions whose word is taken.
const PACKAGES: [&str; 2] = ["openapi-spec-validator==0.9.0", "blake3==1.0.11"];

/// Makes the environment unless it is there; says and counts what is skipped without it.
pub(crate) fn prepare() {
    let folder = root().join("target/python");
    let works = || {
        let mut python = Command::new(folder.join("bin/python"));
        python.args(["-c", "import blake3, openapi_spec_validator"]);
        output(python)
    };
    if works().is_ok() {
        return;
    }
    let made = if packages::is_there("python3") {
        let mut environment = Command::new("python3");
        environment.args(["-m", "venv", "--clear"]).arg(&folder);
        let mut fetch = Command::new(folder.join("bin/python"));
        fetch.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(PACKAGES);
        output(environment).and_then(|_| output(fetch)).and_then(|_| works()).map(drop)
    } else {
        Err("there is no python3 here".to_owned())
    };
    if let Err(reason) = made {
        // An environment without its packages would fail the tests instead of skipping them.
        let _ = std::fs::remove_dir_all(&folder);
        skipped(
            3,
            &format!(
                "the description of the API and the reference verifier of records need {}: {reason}",
                PACKAGES.join(" and ")
            ),
        );
    }
}
