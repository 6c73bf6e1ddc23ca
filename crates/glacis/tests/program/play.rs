//! `glacis play` at the terminal, as somebody types it.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::io::Write as _;
use std::process::{Command, Stdio};

/// What the terminal shows when these lines are typed.
fn typed(arguments: &[&str], lines: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_glacis"))
        .args(["play", "danzig", "--seed", "typed", "--lang", "en"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// The number in front of the choice that says so.
fn number(shown: &str, choice: &str) -> String {
    assert!(shown.contains(choice), "no {choice} in\n{shown}");
    let line = shown.lines().find(|line| line.contains(choice)).unwrap();
    line.split_whitespace().find(|word| word.parse::<u32>().is_ok()).unwrap().to_owned()
}

#[test]
fn choices_are_searched_chosen_and_taken_back() {
    let shown = typed(&[], &["/rest", "g1", "nonsense", "r dz-4.9-17", "r dz-0", "q"]);
    assert!(shown.contains("g1"), "{shown}");
    assert!(shown.contains("a number chooses"), "{shown}");
    assert!(shown.contains("DZ-4.9-17  Each melee is resolved separately"), "{shown}");
    assert!(shown.contains("DZ-0: "), "{shown}");
    let rest = number(&shown, "the rest");
    let shown = typed(&[], &[&rest, "u", "q"]);
    let headlines = shown.lines().filter(|line| line.starts_with("turn 0")).count();
    assert_eq!(headlines, 3, "before, after and once more before:\n{shown}");
}

#[test]
fn a_record_goes_on_where_it_was_left_and_a_shot_has_its_odds() {
    let folder = std::env::temp_dir().join(format!("glacis-play-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let record = folder.join("siege.record");
    let siege = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/danzig/1807.record");
    // The siege of 1807 up to the first shot of a siege gun.
    let whole = std::fs::read_to_string(siege).unwrap();
    let before = whole.lines().position(|line| line.contains("fire-siege-gun")).unwrap();
    let begun: Vec<&str> = whole.lines().take(before).collect();
    std::fs::write(&record, begun.join("\n") + "\n").unwrap();
    let path = record.to_str().unwrap();
    let shown = typed(&["--record", path], &["/fires", "q"]);
    let shot = number(&shown, "fires");
    let shown = typed(&["--record", path], &[&format!("o{shot}"), &shot, "q"]);
    assert!(shown.contains(" %  "), "the odds:\n{shown}");
    assert!(shown.contains("🎲"), "the shot:\n{shown}");
    assert!(shown.contains("DZ-4.5.1-03"), "its reasons:\n{shown}");
    let grown = std::fs::read_to_string(&record).unwrap();
    assert_eq!(grown.lines().count(), begun.len() + 1, "one order was added");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_rule_is_told_as_the_game_plays_it() {
    let shown = typed(&["--options", "wall_assault_max_level=14"], &["r dz-r06", "r dz-4.8-14", "q"]);
    assert!(shown.contains("DZ-R06  A wall point may be assaulted when F <= 14."), "{shown}");
    assert!(shown.contains("at level 14 or less may assault it"), "{shown}");
    assert!(typed(&[], &["r dz-r06", "q"]).contains("F <= 16."));
}
