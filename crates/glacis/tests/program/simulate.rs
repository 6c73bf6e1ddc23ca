//! Many games, counted: the same whatever the number of threads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn program(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_glacis")).args(args).output().expect("the program runs")
}

fn simulate(args: &[&str]) -> Output {
    program(&[&["simulate", "danzig"], args].concat())
}

/// Short games: the last assault between random players.
const SHORT: [&str; 6] =
    ["--scenario", "assault-1807", "--players", "french=random,prussian=random", "--lang", "en"];

/// A folder of this test's own, which goes with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("glacis-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn told(done: &Output) -> String {
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout.clone()).expect("words")
}

#[test]
fn one_thread_and_two_write_the_same_bytes() {
    let folder = Folder::new("threads");
    let run = |threads: &str, seed: &str| {
        let file = folder.path(&format!("{threads}-{seed}.jsonl"));
        let players = "french=random,prussian=sensible";
        let args = ["--games", "4", "--seed", seed, "--players", players, "--lang", "en"];
        let done = simulate(&[&args[..], &["--threads", threads, "--out", &file]].concat());
        let told = told(&done);
        (fs::read(&file).expect("the file is written"), told)
    };
    let one = run("1", "a");
    assert_eq!(one, run("2", "a"));
    assert_ne!(one.0, run("2", "b").0, "another seed, another four games");
    assert_eq!(one.0.iter().filter(|byte| **byte == b'\n').count(), 4);
    assert!(one.1.contains("4 games of danzig") && one.1.contains("95 % interval"), "{}", one.1);
    assert!(one.1.contains("morale of Danzig, mean at the start and after every turn"), "{}", one.1);
}

#[test]
fn a_machine_that_thinks_ahead_by_playouts_is_the_same_on_any_number_of_threads() {
    let folder = Folder::new("search");
    let run = |threads: &str| {
        let file = folder.path(&format!("{threads}.jsonl"));
        let players = "french=search:2,prussian=random";
        let args = ["--games", "2", "--scenario", "assault-1807", "--players", players];
        told(&simulate(&[&args[..], &["--threads", threads, "--out", &file]].concat()));
        fs::read(&file).expect("the file is written")
    };
    assert_eq!(run("1"), run("2"));
}

/// The tables of six short games: each format once, and once more from a run that was broken off.
#[test]
fn a_run_that_was_broken_off_goes_on_to_the_same_bytes() {
    let folder = Folder::new("resume");
    for end in ["jsonl", "csv", "parquet"] {
        let (whole, part) = (folder.path(&format!("whole.{end}")), folder.path(&format!("part.{end}")));
        let games = |number: &str, file: &str, more: &[&str]| {
            simulate(&[&SHORT[..], &["--games", number, "--out", file], more].concat())
        };
        told(&games("6", &whole, &[]));
        told(&games("4", &part, &[]));
        // As if the program had been stopped: the rows are there, the last of them broken off.
        let rows = if end == "jsonl" { part.clone() } else { format!("{part}.rows.jsonl") };
        if end != "jsonl" {
            assert!(!Path::new(&rows).exists(), "the rows of a whole table go");
            told(&games("4", &rows, &[]));
        }
        let mut text = fs::read_to_string(&rows).expect("rows");
        text.truncate(text.len() - 5);
        fs::write(&rows, &text).expect("rows");
        let done = told(&games("6", &part, &["--resume"]));
        assert!(done.contains("6 games of danzig"), "{done}");
        assert_eq!(fs::read(&part).expect("a file"), fs::read(&whole).expect("a file"), "{end}");
    }
    let csv = fs::read_to_string(folder.path("whole.csv")).expect("a table");
    assert_eq!(csv.lines().count(), 7);
    assert!(
        csv.starts_with("game,result,turn,decisions,score_french,score_prussian,end_french_steps"),
        "{csv}"
    );
}

#[test]
fn games_of_another_match_are_not_gone_on_with() {
    let folder = Folder::new("foreign");
    let file = folder.path("a.jsonl");
    told(&simulate(&[&SHORT[..], &["--games", "2", "--out", &file]].concat()));
    let before = fs::read(&file).expect("rows");
    let args = [&SHORT[..], &["--games", "4", "--seed", "other", "--resume", "--out", &file]].concat();
    let other = simulate(&args);
    assert_eq!(other.status.code(), Some(2));
    let said = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(said.contains("holds games of another match: game 1 is not one of this"), "{said}");
    assert_eq!(fs::read(&file).expect("rows"), before, "nothing is lost");
}

#[test]
fn a_page_stands_by_itself() {
    let folder = Folder::new("report");
    let page = folder.path("page.html");
    told(&simulate(&[&SHORT[..], &["--games", "5", "--report", &page]].concat()));
    let html = fs::read_to_string(&page).expect("a page");
    assert!(html.contains("5 games of danzig") && html.contains("<svg") && html.contains("polyline"));
    for foreign in ["src=", "href=", "http:", "https:", "@import", "url("] {
        assert!(!html.contains(foreign), "{foreign}");
    }
}

#[test]
fn settings_that_are_the_same_are_said_to_be() {
    let args =
        ["--games", "400", "--compare", "morale_start=19", "--set", "morale_start=19", "--enough", "20"];
    let told = told(&simulate(&[&SHORT[..], &args].concat()));
    assert!(told.contains("No difference that matters: morale_start=19"), "{told}");
}

#[test]
fn settings_are_compared_for_as_many_games_as_are_allowed() {
    let args = ["--games", "3", "--compare", "morale_start=14", "--threads", "1"];
    let done = simulate(&[&SHORT[..], &args].concat());
    assert_eq!(done.status.code(), Some(1), "it is not known");
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(told.contains("Not known after 3 pairs of games: morale_start=14"), "{told}");
}

#[test]
fn a_tournament_ranks_its_players() {
    let args = [
        "tournament",
        "danzig",
        "--scenario",
        "assault-1807",
        "--players",
        "random,sensible",
        "--games",
        "3",
    ];
    let run = |threads: &str| told(&program(&[&args[..], &["--threads", threads, "--lang", "en"]].concat()));
    let told = run("1");
    assert!(told.contains("random as french against sensible") && told.contains(" of 3"), "{told}");
    assert!(told.contains("1. ") && told.contains("2. ") && told.contains("Elo (95 % interval)"), "{told}");
    assert_eq!(told, run("2"));
}

#[test]
fn what_is_not_there_is_named() {
    let levels = "random, sensible, search:PLAYOUTS, search:TIMEms";
    for (args, expected) in [
        (["--players", "english=random"], "--players english=random: french, prussian".to_owned()),
        (["--players", "french=clever"], format!("--players french=clever: {levels}")),
        (["--players", "french=search:0"], format!("--players french=search:0: {levels}")),
        (["--scenario", "waterloo"], "--scenario waterloo: danzig-1807".to_owned()),
        (["--set", "morale_start"], "--set morale_start: NAME=VALUE".to_owned()),
        (["--out", "games.txt"], "--out games.txt: .jsonl, .csv, .parquet".to_owned()),
    ] {
        let done = simulate(&[&["--games", "1"][..], &args].concat());
        assert_eq!(done.status.code(), Some(2));
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(said.contains(&expected), "{said}");
    }
}

#[test]
fn others_read_the_parquet_that_is_written() {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python");
    let has_arrow = Command::new(&python).args(["-c", "import pyarrow"]).output();
    if !has_arrow.is_ok_and(|done| done.status.success()) {
        eprintln!("skipped (1): there is no Python with pyarrow here");
        return;
    }
    let folder = Folder::new("arrow");
    let (table, lines) = (folder.path("games.parquet"), folder.path("games.jsonl"));
    for file in [&table, &lines] {
        told(&simulate(&[&SHORT[..], &["--games", "5", "--out", file]].concat()));
    }
    let script = "import json, sys, pyarrow.parquet as pq\n\
        rows = pq.read_table(sys.argv[1]).to_pylist()\n\
        lines = [json.loads(line) for line in open(sys.argv[2])]\n\
        assert len(rows) == len(lines) == 5\n\
        for row, line in zip(rows, lines):\n    \
            assert all(row[name] == line[name] for name in ('game', 'result', 'turn', 'decisions')), row\n    \
            assert row['score_french'] == line['scores']['french'], row\n    \
            assert json.loads(row['changes']) == line['changes'], row\n";
    let read = Command::new(&python).args(["-c", script, &table, &lines]).output().expect("Python runs");
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
}
