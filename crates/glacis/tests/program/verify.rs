//! `glacis verify` as a suspicious player uses it: whatever was done to a record is found and named.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// A record of the kernel's example game.
const RECORD: &str = include_str!("../../../kernel/tests/golden/countermine.jsonl");

/// Exit status and everything said about a record with this text.
fn verify(name: &str, text: impl AsRef<[u8]>) -> (Option<i32>, String) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("verify-{name}.jsonl"));
    fs::write(&file, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_glacis"))
        .args(["verify", "--lang", "en"])
        .arg(&file)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

fn lines() -> Vec<&'static str> {
    RECORD.lines().collect()
}

fn joined(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_whole_record_is_believed() {
    let (status, said) = verify("whole", RECORD);
    assert_eq!((status, said.contains("is whole: 6 entries")), (Some(0), true), "{said}");
    assert!(said.contains("the rules of countermine are not known here"), "{said}");
}

#[test]
fn a_flipped_byte_a_removed_line_and_a_moved_line_have_each_their_message() {
    let mut flipped = RECORD.as_bytes().to_vec();
    let place = RECORD.find("\"dig\":0").unwrap() + "\"dig\":".len();
    flipped[place] = b'1';
    let mut removed = lines();
    removed.remove(3);
    let mut moved = lines();
    moved.swap(3, 4);
    let mut doubled = lines();
    doubled.insert(3, doubled[2]);
    for (name, text, message) in [
        ("flipped", String::from_utf8(flipped).unwrap(), "line 3 was altered"),
        ("removed", joined(&removed), "a line is missing before line 4: entry 3 is expected, 4 stands there"),
        (
            "moved",
            joined(&moved),
            "the lines are out of order at line 4: entry 3 is expected, 4 stands there",
        ),
        ("doubled", joined(&doubled), "line 4 repeats entry 2"),
        ("empty", String::new(), "the record is empty"),
        ("other", "hello\n".to_owned(), "the first line is not the header of a record"),
    ] {
        let (status, said) = verify(name, text);
        assert_eq!((status, said.contains(message)), (Some(1), true), "{name}: {said}");
    }
}

#[test]
fn a_line_that_a_crash_left_half_written_is_dropped() {
    let half = RECORD.trim_end().len() - 20;
    let (status, said) = verify("half", &RECORD[..half]);
    assert_eq!(status, Some(0));
    assert!(said.contains("half-written") && said.contains("is whole: 5 entries"), "{said}");
}

#[test]
fn a_file_that_is_no_text_or_is_not_there_is_said_plainly() {
    let (status, said) = verify("bytes", [0xff, 0xfe, b'\n']);
    assert_eq!(status, Some(1), "{said}");
    let output =
        Command::new(env!("CARGO_BIN_EXE_glacis")).args(["verify", "/no/such/file"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// A record with its chain sealed anew: all that a forger can do.
fn sealed(bodies: &[String]) -> String {
    let mut chain = [0; 32];
    let seal = |body: &String| {
        let hash = blake3::keyed_hash(&chain, body.as_bytes());
        chain = *hash.as_bytes();
        format!("{body},\"chain\":\"{hash}\"}}\n")
    };
    bodies.iter().map(seal).collect()
}

/// The bodies of the lines of the siege as it was played.
fn siege() -> Vec<String> {
    let record = include_str!("../../../../scenarios/danzig/1807.record");
    record.lines().map(|line| line.rsplit_once(",\"chain\":").unwrap().0.to_owned()).collect()
}

#[test]
fn what_a_record_says_does_nothing_to_the_terminal() {
    let header = &siege()[0];
    let product = header.rsplit_once("\"product\":\"").unwrap().0;
    let old = header
        .replace("{\"glacis\":2", "{\"glacis\":1")
        .replace(&header[product.len()..], "\"product\":\"\\u001b]0;evil\\u0007\\n<script>\\u202e\"");
    let (status, said) = verify("terminal", sealed(&[old]));
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("\\u{1b}]0;evil\\u{7}\\n<script>\\u{202e}"), "{said}");
    let unknown = header.replace("\"danzig\"", "\"danzig\\r\\nthe dice are fair\\u009b2J\"");
    let (_, said) = verify("system", sealed(&[unknown]));
    assert!(said.contains("danzig\\r\\nthe dice are fair\\u{9b}2J"), "{said}");
    assert!(!said.chars().any(|letter| letter.is_control() && letter != '\n'), "{said:?}");
}

#[test]
fn a_refused_line_is_explained_in_words_and_nothing_is_called_whole_before() {
    let mut forged = siege();
    forged.truncate(5);
    let state = forged[4].rsplit_once("\"state\":").unwrap().1.to_owned();
    forged.push(format!("{{\"n\":5,\"side\":\"french\",\"deed\":\"accept\",\"state\":{state}"));
    let (status, said) = verify("accept", sealed(&forged));
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("the rules refuse line 6: nothing is offered that you could answer"), "{said}");
    assert!(!said.contains("kernel-") && !said.contains("is whole"), "{said}");
    forged.pop();
    forged.push(format!(
        "{{\"n\":5,\"side\":\"french\",\"deed\":{{\"words\":\"\\u001b[2J\"}},\"state\":{state}"
    ));
    let (status, said) = verify("escape", sealed(&forged));
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("line 6: words: this text holds a character that cannot be read (U+001B)"),
        "{said}"
    );
}
