//! Rows as a table: for spreadsheets (CSV) and for tools that analyse data (Parquet). The columns follow from
//! the first row; what is nested is written as JSON.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::Row;
use super::parquet::{Column, Parquet};

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    /// Nothing.
    None,
    /// A whole number.
    Whole(i64),
    /// Another number.
    Real(f64),
    /// Words.
    Text(String),
}

/// A column's name and what its cells are; `None` cells only where it may be empty.
fn columns(row: &Row) -> Vec<(String, Column)> {
    let fixed = |name: &str, column| (name.to_owned(), column);
    let counted = &row.counted;
    let mut all = vec![
        fixed("game", Column::Whole),
        fixed("result", Column::OptionalText),
        fixed("turn", Column::OptionalWhole),
        fixed("decisions", Column::Whole),
    ];
    all.extend(counted.scores.keys().map(|side| (format!("score_{}", plain(side)), Column::Real)));
    all.extend(counted.curves.keys().map(|gauge| (format!("end_{}", plain(gauge)), Column::Whole)));
    all.extend(["curves", "changes", "outcome"].map(|name| fixed(name, Column::Text)));
    all
}

fn plain(name: &str) -> String {
    name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
}

fn cells(row: &Row) -> Vec<Cell> {
    let json = |value: serde_json::Result<String>| Cell::Text(value.unwrap_or_default());
    let counted = &row.counted;
    let mut all = vec![
        Cell::Whole(i64::try_from(row.game).unwrap_or(i64::MAX)),
        counted.result.clone().map_or(Cell::None, Cell::Text),
        counted.turn.map_or(Cell::None, |turn| Cell::Whole(turn.into())),
        Cell::Whole(counted.decisions.into()),
    ];
    all.extend(counted.scores.values().map(|score| Cell::Real(*score)));
    all.extend(counted.curves.values().map(|curve| Cell::Whole(curve.last().copied().unwrap_or(0))));
    all.push(json(serde_json::to_string(&counted.curves)));
    all.push(json(serde_json::to_string(&counted.changes)));
    all.push(json(serde_json::to_string(&counted.outcome)));
    all
}

/// How results are written, by the end of the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line of JSON for each game.
    Lines,
    /// Comma-separated values.
    Csv,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// How results are written into this file.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "jsonl" | "json" | "ndjson" => Some(Self::Lines),
            "csv" => Some(Self::Csv),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// Writes all rows into a file; of lines of JSON it is a copy.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, format: Format, rows: impl Iterator<Item = Row>) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let mut rows = rows.peekable();
    let columns = rows.peek().map(columns).unwrap_or_default();
    match format {
        Format::Lines => rows.try_for_each(|row| writeln!(file, "{}", row.line()))?,
        Format::Csv => {
            let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
            writeln!(file, "{}", names.join(","))?;
            for row in rows {
                let cells: Vec<String> = cells(&row).into_iter().map(quoted).collect();
                writeln!(file, "{}", cells.join(","))?;
            }
        }
        Format::Parquet => {
            let mut parquet = Parquet::begin(&mut file, columns)?;
            for row in rows {
                parquet.row(cells(&row))?;
            }
            parquet.end()?;
        }
    }
    file.flush()
}

fn quoted(cell: Cell) -> String {
    match cell {
        Cell::None => String::new(),
        Cell::Whole(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) if text.contains(['"', ',', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Cell::Text(text) => text,
    }
}
