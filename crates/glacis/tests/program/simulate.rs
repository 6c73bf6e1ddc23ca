//! Many games, counted: the same whatever the number of threads.

use std::fs;
use std::process::{Command, Output};

fn simulate(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_glacis")).arg("simulate").args(args).output().expect("the program runs")
}

#[test]
fn one_thread_and_two_write_the_same_bytes() {
    let folder = std::env::temp_dir().join(format!("glacis-simulate-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let run = |threads: &str, seed: &str| {
        let file = folder.join(format!("{threads}-{seed}.jsonl"));
        let path = file.display().to_string();
        let players = "french=random,prussian=sensible";
        let args = ["danzig", "--games", "4", "--seed", seed, "--players", players, "--lang", "en"];
        let done = simulate(&[&args[..], &["--threads", threads, "--out", &path]].concat());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        (fs::read(&file).expect("the file is written"), done.stdout)
    };
    let one = run("1", "a");
    assert_eq!(one, run("2", "a"));
    assert_ne!(one.0, run("2", "b").0, "another seed, another four games");
    assert_eq!(one.0.iter().filter(|byte| **byte == b'\n').count(), 4);
    let told = String::from_utf8(one.1).expect("words");
    assert!(told.contains("4 games of danzig") && told.contains("95 % interval"), "{told}");
    fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn a_side_or_level_that_is_not_there_is_named() {
    for (players, expected) in [
        ("english=random", "--players english=random: french, prussian"),
        ("french=clever", "--players french=clever: random, sensible"),
    ] {
        let done = simulate(&["danzig", "--games", "1", "--players", players]);
        assert_eq!(done.status.code(), Some(2));
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(said.contains(expected), "{said}");
    }
}
