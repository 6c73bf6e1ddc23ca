//! `glacis ask`: questions to the umpire as JSON Lines.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use glacis::questions;
use kernel::{Phrase, Play, Refusal, Saying};
use rulebook::{Answered, Inquiring, Lang, phrase};

use crate::systems::Systems;
use crate::told::sentence;
use crate::{Failure, Language, replay};

/// A line longer than this is refused without being read.
const LONGEST_LINE: usize = 16 << 20;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The question: `tabletop.fire`.
    #[arg(required_unless_present = "list")]
    question: Option<String>,
    /// List all questions.
    #[arg(long)]
    list: bool,
    /// Print the JSON Schema of the question instead of answering.
    #[arg(long, requires = "question")]
    schema: bool,
    /// Spread each answer over several lines.
    #[arg(long)]
    pretty: bool,
    /// Ask about a position of this record: the request names counters, points and works.
    #[arg(long, value_name = "FILE", requires = "question")]
    game: Option<PathBuf>,
    /// The position after so many entries; the last one unless told.
    #[arg(long, value_name = "N", requires = "game")]
    at: Option<u64>,
    #[command(flatten)]
    language: Language,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let lang = args.language.get();
    let mut output = BufWriter::new(io::stdout().lock());
    if args.list {
        for asking in questions() {
            let key = format!("question-{}", asking.name.replace('.', "-"));
            writeln!(output, "{:<22} {}", asking.name, rulebook::speak_key(&key, lang))?;
        }
        output.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let name = args.question.as_deref().unwrap_or_default();
    let Some(asking) = questions().into_iter().find(|asking| asking.name == name) else {
        return Err(unknown(name, lang).into());
    };
    if let Some(file) = &args.game {
        let (inquiring, state) = position(name, file, args.at, lang)?;
        if args.schema {
            writeln!(output, "{}", serde_json::to_string_pretty(&inquiring.schema())?)?;
            output.flush()?;
            return Ok(ExitCode::SUCCESS);
        }
        let ask = |text: &str| inquiring.ask(&state, text, lang);
        let refused = stream(ask, args.pretty, lang, BufReader::new(io::stdin().lock()), &mut output)?;
        return Ok(if refused { ExitCode::FAILURE } else { ExitCode::SUCCESS });
    }
    if args.schema {
        writeln!(output, "{}", serde_json::to_string_pretty(&asking.schema())?)?;
        output.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let ask = |text: &str| asking.ask(text, lang);
    let refused = stream(ask, args.pretty, lang, BufReader::new(io::stdin().lock()), &mut output)?;
    Ok(if refused { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The question asked about a game, and the position it is asked about.
fn position(
    name: &str,
    file: &Path,
    at: Option<u64>,
    lang: Lang,
) -> Result<(Inquiring<danzig::State>, danzig::State), Failure> {
    let (record, system) = replay::open(file, lang)?;
    let known = (system == Systems::Danzig).then(danzig::inquiries).unwrap_or_default();
    let Some(inquiring) = known.into_iter().find(|inquiring| inquiring.name == name) else {
        let system = record.header.system.as_str();
        let saying = Saying::new(phrase::play::NOT_ASKED_OF_A_GAME).with("name", name).with("system", system);
        return Err(sentence(&saying, lang).into());
    };
    let play = Play::<danzig::State>::replay(&record, at)
        .map_err(|refusal| format!("{}: {}", file.display(), rulebook::refusal(&refusal, lang)))?;
    Ok((inquiring, play.state().clone()))
}

fn unknown(name: &str, lang: Lang) -> String {
    let refusal = Refusal::plain(kernel::phrase::UNKNOWN_QUESTION).with("name", name);
    let near: Vec<&str> = questions()
        .iter()
        .map(|asking| asking.name)
        .filter(|known| known.split('.').any(|part| name.split('.').any(|word| word == part)))
        .collect();
    let listed = if near.is_empty() { "glacis ask --list".to_owned() } else { near.join(", ") };
    format!("{} ({listed})", rulebook::refusal(&refusal, lang))
}

/// Answers every line; whether any was refused.
fn stream(
    ask: impl Fn(&str) -> Answered,
    pretty: bool,
    lang: Lang,
    mut input: BufReader<impl Read>,
    output: &mut impl Write,
) -> Result<bool, Failure> {
    let mut refused = false;
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = u64::try_from(LONGEST_LINE).unwrap_or(u64::MAX);
        if input.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
            output.flush()?;
            return Ok(refused);
        }
        let answered = if line.len() == LONGEST_LINE && line.last() != Some(&b'\n') {
            skip_line(&mut input)?;
            malformed(kernel::phrase::NOT_JSON, "16 MiB", lang)
        } else {
            match std::str::from_utf8(&line) {
                Ok(text) => ask(text.trim_end()),
                Err(error) => malformed(kernel::phrase::NOT_JSON, &error.to_string(), lang),
            }
        };
        refused |= answered.refused;
        if pretty {
            let value: serde_json::Value = serde_json::from_str(&answered.json)?;
            writeln!(output, "{}", serde_json::to_string_pretty(&value)?)?;
        } else {
            output.write_all(answered.json.as_bytes())?;
            output.write_all(b"\n")?;
        }
        // Somebody may be waiting for the answer before he asks again.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
}

fn malformed(phrase: Phrase, detail: &str, lang: Lang) -> Answered {
    Answered::refused(&Refusal::plain(phrase).with("detail", detail), lang)
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}
