//! The rows of a simulation as they come: lines of JSON in the file itself, or beside the table that is made
//! of them at the end. What is written stays written when the program is stopped.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use rulebook::{Lang, phrase::simulate as words};

use super::{Failure, number, refused, word};
use crate::simulation::{Format, Match, Row, Summary, write};

pub(super) struct Journal {
    table: PathBuf,
    lines: PathBuf,
    format: Format,
    file: BufWriter<File>,
}

/// Where the lines of a table are kept until it is whole.
fn beside(table: &Path, format: Format) -> PathBuf {
    if format == Format::Lines {
        return table.to_owned();
    }
    let mut name = OsString::from(table);
    name.push(".rows.jsonl");
    name.into()
}

fn trouble(path: &Path, error: &io::Error) -> Failure {
    format!("{}: {error}", path.display()).into()
}

impl Journal {
    /// Begins anew.
    pub(super) fn begin(table: &Path, format: Format) -> Result<Self, Failure> {
        let lines = beside(table, format);
        let file = File::create(&lines).map_err(|error| trouble(&lines, &error))?;
        Ok(Self { table: table.to_owned(), lines, format, file: BufWriter::new(file) })
    }

    /// Goes on with what is there: the rows are added up, a line that was broken off is cut off, and the last
    /// game is played again, so that nobody goes on with games of another match.
    pub(super) fn resume(
        table: &Path,
        format: Format,
        games: &Match,
        summary: &mut Summary,
        lang: Lang,
    ) -> Result<Self, Failure> {
        let lines = beside(table, format);
        let file = File::open(&lines).map_err(|error| trouble(&lines, &error))?;
        let mut sound = 0;
        let mut last: Option<Row> = None;
        let mut reader = BufReader::new(file);
        let mut line = String::new();
        let foreign = |row: u64| -> Failure {
            let facts = [word("file", &lines.display().to_string()), number("game", row)];
            rulebook::speak(words::FOREIGN, &facts, lang).into()
        };
        loop {
            line.clear();
            let size = reader.read_line(&mut line).map_err(|error| trouble(&lines, &error))?;
            if !line.ends_with('\n') {
                break;
            }
            let row = Row::read(line.trim_end()).filter(|row| row.game == summary.games);
            let row = row.ok_or_else(|| foreign(summary.games))?;
            summary.add(&row);
            sound += u64::try_from(size).unwrap_or(0);
            last = Some(row);
        }
        if let Some(last) = last {
            let again = games.row(last.game).map_err(|refusal| refused(&refusal, lang))?;
            if again.line() != last.line() {
                return Err(foreign(last.game));
            }
        }
        let file = OpenOptions::new().append(true).open(&lines).map_err(|error| trouble(&lines, &error))?;
        file.set_len(sound).map_err(|error| trouble(&lines, &error))?;
        Ok(Self { table: table.to_owned(), lines, format, file: BufWriter::new(file) })
    }

    /// Writes a row.
    pub(super) fn write(&mut self, row: &Row) -> io::Result<()> {
        writeln!(self.file, "{}", row.line())?;
        // A game is long, a line is short: whatever stops the program, the line is there.
        self.file.flush()
    }

    /// Makes the table of what there is. When that is everything, the lines beside it go.
    pub(super) fn finish(mut self, whole: bool) -> Result<(), Failure> {
        self.file.flush()?;
        if self.format == Format::Lines {
            return Ok(());
        }
        let file = File::open(&self.lines).map_err(|error| trouble(&self.lines, &error))?;
        let rows = BufReader::new(file).lines().map_while(Result::ok).filter_map(|line| Row::read(&line));
        write(&self.table, self.format, rows).map_err(|error| trouble(&self.table, &error))?;
        if whole {
            fs::remove_file(&self.lines)?;
        }
        Ok(())
    }
}
