//! The validator of OpenAPI documents, from the index of Python packages, in a virtual environment of its
//! own. Where there is no Python, or nothing can be fetched, the test that needs it is skipped, and counted.

use std::process::Command;

use crate::packages;
use crate::run::{output, root, skipped};

/// The version whose word is taken.
const VALIDATOR: &str = "openapi-spec-validator==0.9.0";

/// Makes the environment unless it is there; says and counts what is skipped without it.
pub(crate) fn prepare() {
    let folder = root().join("target/openapi");
    let works = || {
        let mut python = Command::new(folder.join("bin/python"));
        python.args(["-c", "import openapi_spec_validator"]);
        output(python)
    };
    if works().is_ok() {
        return;
    }
    let made = if packages::is_there("python3") {
        let mut environment = Command::new("python3");
        environment.args(["-m", "venv", "--clear"]).arg(&folder);
        let mut fetch = Command::new(folder.join("bin/python"));
        fetch.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", VALIDATOR]);
        output(environment).and_then(|_| output(fetch)).and_then(|_| works()).map(drop)
    } else {
        Err("there is no python3 here".to_owned())
    };
    if let Err(reason) = made {
        // An environment without the validator would fail the test instead of skipping it.
        let _ = std::fs::remove_dir_all(&folder);
        skipped(1, &format!("the description of the API is not held against {VALIDATOR}: {reason}"));
    }
}
