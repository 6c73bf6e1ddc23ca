//! `glacis ask`: questions to the umpire as JSON Lines.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kernel::{Phrase, Record, Refusal, Saying};
use rulebook::{Lang, Replied, phrase};

use super::told::sentence;
use super::{Failure, Language, replay};
use crate::questions;
use crate::system::Inquiry;

/// A line longer than this is refused without being read.
const LONGEST_LINE: usize = 16 << 20;

/// What `glacis ask` is told.
#[derive(clap::Args)]
pub struct Args {
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
    /// Draw the table and write the picture there instead of into the answer; a second line goes to
    /// `name-2.svg`, and so on.
    #[arg(long, value_name = "FILE", requires = "question", conflicts_with = "game")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    language: Language,
}

/// Carries out `glacis ask`.
///
/// # Errors
/// When it cannot be carried out at all: a file that cannot be read or written, say.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
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
        let (record, inquiry) = inquiry(name, file, lang)?;
        if args.schema {
            writeln!(output, "{}", serde_json::to_string_pretty(&inquiry.schema)?)?;
            output.flush()?;
            return Ok(ExitCode::SUCCESS);
        }
        let about = (inquiry.about)(&record, args.at)
            .map_err(|refusal| format!("{}: {}", file.display(), rulebook::refusal(&refusal, lang)))?;
        let ask = |text: &str| about(text, lang);
        let refused = stream(
            ask,
            Shown { pretty: args.pretty, svg: None },
            lang,
            BufReader::new(io::stdin().lock()),
            &mut output,
        )?;
        return Ok(if refused { ExitCode::FAILURE } else { ExitCode::SUCCESS });
    }
    if args.schema {
        writeln!(output, "{}", serde_json::to_string_pretty(&asking.schema())?)?;
        output.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.svg.is_some() && !asking.draws {
        let with: Vec<&str> =
            questions().iter().filter(|asking| asking.draws).map(|asking| asking.name).collect();
        let refusal = Refusal::plain(phrase::tabletop_scene::NO_DRAWING)
            .with("question", name)
            .with("with", with.join(", "));
        return Err(rulebook::refusal(&refusal, lang).into());
    }
    let shown = Shown { pretty: args.pretty, svg: args.svg.as_deref() };
    let ask = |text: &str| match shown.svg {
        Some(_) => asking.drawn(text, lang),
        None => asking.reply(text, lang),
    };
    let refused = stream(ask, shown, lang, BufReader::new(io::stdin().lock()), &mut output)?;
    Ok(if refused { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A recorded game and the question asked about it.
fn inquiry(name: &str, file: &Path, lang: Lang) -> Result<(Record, Inquiry), Failure> {
    let (record, game) = replay::open(file, lang)?;
    let inquiry = (game.inquire)(name).ok_or_else(|| {
        let system = record.header.system.as_str();
        let saying = Saying::new(phrase::play::NOT_ASKED_OF_A_GAME).with("name", name).with("system", system);
        sentence(&saying, lang)
    })?;
    Ok((record, inquiry))
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

/// How answers are shown.
#[derive(Clone, Copy)]
struct Shown<'a> {
    pretty: bool,
    svg: Option<&'a Path>,
}

/// Where the picture of one line goes.
fn numbered(path: &Path, line: usize) -> PathBuf {
    if line < 2 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{line}.svg"))
}

/// Answers every line; whether any was refused.
fn stream(
    ask: impl Fn(&str) -> Replied,
    shown: Shown<'_>,
    lang: Lang,
    mut input: BufReader<impl Read>,
    output: &mut impl Write,
) -> Result<bool, Failure> {
    let mut refused = false;
    let mut line = Vec::new();
    let mut count = 0;
    loop {
        line.clear();
        count += 1;
        let limit = u64::try_from(LONGEST_LINE).unwrap_or(u64::MAX);
        if input.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
            output.flush()?;
            return Ok(refused);
        }
        let reply = if line.len() == LONGEST_LINE && line.last() != Some(&b'\n') {
            skip_line(&mut input)?;
            malformed(kernel::phrase::NOT_JSON, "16 MiB", lang)
        } else {
            match std::str::from_utf8(&line) {
                Ok(text) => ask(text.trim_end()),
                Err(error) => malformed(kernel::phrase::NOT_JSON, &error.to_string(), lang),
            }
        };
        refused |= reply.is_refused();
        if let (Some(path), Some(svg)) = (shown.svg, &reply.picture) {
            let path = numbered(path, count);
            std::fs::write(&path, svg).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        if shown.pretty {
            writeln!(output, "{}", serde_json::to_string_pretty(&reply.tree())?)?;
        } else {
            writeln!(output, "{}", reply.line())?;
        }
        // Somebody may be waiting for the answer before he asks again.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
}

fn malformed(phrase: Phrase, detail: &str, lang: Lang) -> Replied {
    Replied::refused(&Refusal::plain(phrase).with("detail", detail), lang)
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
