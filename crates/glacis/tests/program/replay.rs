//! `glacis replay` and `glacis verify` on the siege that is checked in: the record is believed, and its
//! commentary is told in the reader's language.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

fn glacis(arguments: &[&str]) -> String {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/danzig/1807.record");
    let output = Command::new(env!("CARGO_BIN_EXE_glacis")).args(arguments).arg(record).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_siege_of_1807_is_believed() {
    let said = glacis(&["verify", "--lang", "en"]);
    assert!(said.contains("seed"), "{said}");
}

#[test]
fn the_commentary_is_told_in_both_languages() {
    let french = glacis(&["replay", "--lang", "fr"]);
    assert!(french.contains("La tranchée est ouverte"));
    assert!(french.contains("Dantzig capitule"));
    let english = glacis(&["replay", "--lang", "en"]);
    assert!(english.contains("The trenches are open"));
    assert!(english.contains("Danzig surrenders, the breach made"));
    assert!(!glacis(&["replay", "--quiet"]).contains("The trenches are open"));
}

/// What a question about the position after so many entries is answered, and whether it was refused.
fn asked(question: &str, at: &str, request: &str) -> (bool, String) {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/danzig/1807.record");
    let mut child = Command::new(env!("CARGO_BIN_EXE_glacis"))
        .args(["ask", question, "--lang", "en", "--at", at, "--game"])
        .arg(record)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(request.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (!output.status.success(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_umpire_answers_about_a_position_of_the_record() {
    let (refused, said) = asked("danzig.morale", "40", r#"{"unit": "P02"}"#);
    assert!(!refused && said.contains(r#""p":"2/3""#), "{said}");
    let (refused, said) = asked("danzig.morale", "40", r#"{"unit": "K01"}"#);
    assert!(refused && said.contains(r#""field":"unit""#), "Kamenski has not landed: {said}");
}

/// The record of an evening at a real table is proven and told like that of a game; one letter changed, it is
/// refused.
#[test]
fn an_evening_is_believed_and_told() {
    use kernel::{Play, Setup, Source};
    use tabletop::evening::{Action, Evening, Seat, Step, Written};
    let farm = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/tabletop/fortified-farm.json");
    let farm = std::fs::read_to_string(farm).unwrap();
    let farm: tabletop::scene::Setup = kernel::Node::parse(&farm).unwrap().read().unwrap();
    let empty = Setup { scenario: "empty".into(), ..Setup::default() };
    let mut play = Play::<Evening>::begin(&empty, Source::Table, None).unwrap();
    let mut lines = vec![play.header_line().to_owned()];
    for action in [Action::Lay(Written(farm)), Action::Next(Step::Quarter), Action::Next(Step::HalfPeriod)] {
        let step = play.decide_with(play.entries(), Seat::Umpire, &action, &[]).unwrap();
        lines.push(step.record_line);
    }
    lines.push(String::new());
    let record = lines.join("\n");
    let run = |command: &str, text: &str| {
        let file =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("evening-{command}-{}.jsonl", text.len()));
        std::fs::write(&file, text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_glacis"))
            .args([command, "--lang", "en"])
            .arg(&file)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success(), said, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (believed, said, wrong) = run("verify", &record);
    assert!(believed && said.contains("rolled by the players"), "{said}{wrong}");
    let (told, said, wrong) = run("replay", &record);
    assert!(told && said.contains("the table is laid: The fortified farm"), "{said}{wrong}");
    assert!(said.contains("Period 1, quarter 3"), "{said}");
    let (believed, said, wrong) = run("verify", &record.replace("\"quarter\"", "\"period\""));
    assert!(!believed && !wrong.is_empty(), "{said}{wrong}");
}
