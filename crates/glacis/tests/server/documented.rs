//! The programs of `docs/api.md`, run as they stand there, against the real server.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::house::{Served, sqlite};

/// The one program of the page that is written in this language.
fn program(language: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks: Vec<&str> = page.split(&format!("```{language}\n")).skip(1).collect();
    let [block] = blocks.as_slice() else { panic!("{} programs in {language}", blocks.len()) };
    block.split("```\n").next().unwrap().to_owned()
}

/// Runs it, unless what it needs is not there.
fn run(needs: &str, command: &[&str], program: &str) -> Option<(Output, String)> {
    let here = Command::new(needs).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !here.is_ok_and(|status| status.success()) {
        eprintln!("skipped (1): there is no {needs} here");
        return None;
    }
    let served = Served::open(&sqlite(), &["--lang", "en"]);
    let output = Command::new(command[0])
        .args(&command[1..])
        .arg(program)
        .env("GLACIS", format!("http://{}", served.address))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Some((output, said))
}

#[test]
fn a_game_is_created_heard_played_and_the_umpire_asked_in_25_lines_of_python() {
    let program = program("python");
    assert!(program.lines().count() <= 25, "{} lines", program.lines().count());
    let Some((output, said)) = run("python3", &["python3", "-c"], &program) else { return };
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.lines().filter(|line| line.starts_with("entry ")).count(), 5, "{said}");
    assert!(said.contains("DZ-") && said.contains("'p': '1/3'"), "{said}");
}

#[test]
fn the_same_in_25_lines_of_curl() {
    let program = program("sh");
    assert!(program.lines().count() <= 25, "{} lines", program.lines().count());
    let Some((output, said)) = run("curl", &["sh", "-ec"], &program) else { return };
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    for part in [
        "\"kind\":\"set-up-the-rest\"",
        "{\"n\":1,",
        "event: happened",
        "event: state",
        "the game has moved on",
        "409",
        "{\"answer\":{\"factor\":6,\"losses\":60",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}
