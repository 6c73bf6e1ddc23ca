//! `cargo xtask compare OLD NEW`: the same questions to two builds of the program, by the thousand,
//! and every answer compared byte by byte. The requests are drawn from the schemas that the old
//! build prints, with a seed, so that they are the same on every machine.

mod draw;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::run::{Failure, output, root};
use draw::{Draw, Lot};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The program as it was.
    old: PathBuf,
    /// The program as it is.
    new: PathBuf,
    /// How many requests in all.
    #[arg(long, default_value_t = 10_000)]
    requests: usize,
    /// Which requests.
    #[arg(long, default_value_t = 1807)]
    seed: u64,
    /// This question only.
    #[arg(long)]
    question: Option<String>,
}

/// How many differences are shown of a question.
const SHOWN: usize = 3;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let scenes = scenes()?;
    let mut questions = questions(&args.old)?;
    if let Some(wanted) = &args.question {
        questions.retain(|question| question == wanted);
    }
    let new = self::questions(&args.new)?;
    let mut differ = 0;
    let mut asked = 0;
    for (place, question) in questions.iter().enumerate() {
        if !new.contains(question) {
            eprintln!("{question}: not asked of the new build any more");
            differ += 1;
            continue;
        }
        // What is left over of the division goes to the first questions.
        let share = args.requests / questions.len() + usize::from(place < args.requests % questions.len());
        let schema = schema(&args.old, question)?;
        let mut draw = Draw::new(&schema["request"], &scenes, Lot::new(args.seed, question));
        let requests: Vec<String> = (0..share).map(|_| draw.request().to_string()).collect();
        let [was, is] = [ask(&args.old, question, &requests)?, ask(&args.new, question, &requests)?];
        let unlike: Vec<usize> = (0..share).filter(|&line| was.get(line) != is.get(line)).collect();
        let answered = was
            .iter()
            .filter(|line| line.starts_with("{\"answer\"") || line.starts_with("{\"odds\""))
            .count();
        eprintln!("{question:<24} {share:>5} asked, {answered:>5} answered, {} unlike", unlike.len());
        for &line in unlike.iter().take(SHOWN) {
            let nothing = String::new();
            let (was, is) = (was.get(line).unwrap_or(&nothing), is.get(line).unwrap_or(&nothing));
            println!("{question}\n  asked {}\n  was   {was}\n  is    {is}", requests[line]);
        }
        asked += share;
        differ += unlike.len();
    }
    eprintln!("{asked} requests to {} questions (seed {}): {differ} unlike", questions.len(), args.seed);
    if differ == 0 { Ok(()) } else { Err(format!("{differ} answers differ")) }
}

/// The questions a build knows.
fn questions(program: &Path) -> Result<BTreeSet<String>, Failure> {
    let mut list = Command::new(program);
    list.args(["ask", "--list"]);
    Ok(output(list)?.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
}

fn schema(program: &Path, question: &str) -> Result<Value, Failure> {
    let mut schema = Command::new(program);
    schema.args(["ask", question, "--schema"]);
    serde_json::from_str(&output(schema)?).map_err(|error| format!("the schema of {question}: {error}"))
}

/// The scenes that are checked in: no table drawn at random has anything to see on it.
fn scenes() -> Result<Vec<Value>, Failure> {
    let folder = root().join("scenarios/tabletop");
    let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|error| fail(&error))? {
        files.push(entry.map_err(|error| fail(&error))?.path());
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    let read = |file: &PathBuf| {
        let text = fs::read_to_string(file).map_err(|error| fail(&error))?;
        serde_json::from_str(&text).map_err(|error| fail(&error))
    };
    files.iter().map(read).collect()
}

/// What a build answers, line by line; a refusal is an answer.
fn ask(program: &Path, question: &str, requests: &[String]) -> Result<Vec<String>, Failure> {
    let fail = |error: std::io::Error| format!("{}: {error}", program.display());
    let mut ask = Command::new(program);
    ask.args(["ask", question, "--lang", "en"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = ask.stderr(Stdio::null()).spawn().map_err(fail)?;
    let Some(mut asks) = child.stdin.take() else { return Err("no way to ask".to_owned()) };
    let text = requests.join("\n") + "\n";
    std::thread::scope(|scope| {
        // Whoever does not read to the end says so by his answers.
        scope.spawn(move || asks.write_all(text.as_bytes()));
        let said = child.wait_with_output().map_err(fail)?;
        Ok(String::from_utf8_lossy(&said.stdout).lines().map(str::to_owned).collect())
    })
}
