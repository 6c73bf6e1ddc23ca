//! Whoever reads what the program prints may stop reading, as `head` does: the program ends quietly,
//! and what it found still stands in its exit status.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/danzig/1807.record");

/// Runs the program with nobody at the other end of its output.
fn unread(arguments: &[&str], input: &str) -> Output {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut child = Command::new(env!("CARGO_BIN_EXE_glacis"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends before it has read everything is no fault of this test.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn every_command_that_prints_ends_quietly_when_nobody_reads() {
    let charts = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unread-charts");
    let charts = charts.to_str().unwrap();
    let fire = "{\"shooter\": {\"weapon\": \"musket\", \"factor\": 4, \"figures\": 12}, \
        \"distance_cm\": 6, \"target\": {\"class\": \"mass\"}}\n";
    let cases: [(&[&str], String); 8] = [
        (&["verify", GAME], String::new()),
        (&["replay", GAME], String::new()),
        (&["replay", GAME, "--quiet"], String::new()),
        (&["rules"], String::new()),
        (&["rules", "--search", "fire"], String::new()),
        (&["ask", "--list"], String::new()),
        (&["ask", "tabletop.fire"], fire.repeat(2000)),
        (&["charts", "campaign", "--out", charts], String::new()),
    ];
    for (arguments, input) in cases {
        let output = unread(arguments, &input);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*complaint), (Some(0), ""), "{arguments:?}");
    }
    let sheets = std::fs::read_dir(charts).unwrap().count();
    assert!(sheets > 3, "all charts are written, read or not: {sheets}");
}

#[test]
fn a_broken_record_is_found_broken_though_nobody_reads_it() {
    let text = std::fs::read_to_string(GAME).unwrap();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unread-broken.jsonl");
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(&file, [&lines[..40], &lines[41..60]].concat().join("\n") + "\n").unwrap();
    let output = unread(&["verify", file.to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
}
