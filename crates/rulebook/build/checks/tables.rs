//! The tables: every `*.csv` below `rules/tables` and `maps`, read against the `schema.toml` of
//! its folder and turned into typed rows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::{Fault, const_name, field_name, files, folders, literal, shown, type_name};

/// What a column may hold.
#[derive(Deserialize)]
#[serde(untagged)]
enum Column {
    /// A type by name, with `?` when the cell may be empty.
    Named(String),
    /// One of these words, as text.
    Words(Vec<String>),
    /// One of these words, as a variant of an enum.
    Enum {
        /// The words.
        #[serde(rename = "one-of")]
        one_of: Vec<String>,
        /// The name of the enum, where columns of a table share one; that of the column otherwise.
        named: Option<String>,
    },
}

/// Table -> column (or `first..last` of a run of columns) -> what it holds.
type Schema = BTreeMap<String, toml::Table>;

/// A field of the generated row: one column, or a run of numbered ones.
struct Field {
    name: String,
    /// The name of its enum, if it is one.
    kind: String,
    columns: Vec<usize>,
    column: Column,
}

/// Reads and checks all tables; the result is their code.
pub(super) fn read(root: &Path, ids: &BTreeSet<String>, faults: &mut Vec<Fault>) -> String {
    let mut code = String::new();
    let groups = folders(&root.join("rules/tables")).into_iter().chain(folders(&root.join("maps")));
    for folder in groups {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(schema) = schema(root, &folder, faults) else { continue };
        let mut module = String::new();
        let mut unused: BTreeSet<&String> = schema.keys().collect();
        for path in files(&folder, "csv") {
            let table = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            unused.remove(&table);
            match schema.get(&table) {
                Some(columns) => module.push_str(&one(root, &path, &table, columns, ids, faults)),
                None => faults.push(format!("{}:1: the schema does not name this table", shown(root, &path))),
            }
        }
        for table in unused {
            faults.push(format!("{}/schema.toml:1: there is no table {table}", shown(root, &folder)));
        }
        let _ = writeln!(code, "/// The tables of `{name}`.\npub mod {} {{\n{module}}}\n", field_name(&name));
    }
    code
}

/// The tables of the books once more, as text: the cells of a row between tabs.
pub(super) fn printed(root: &Path) -> String {
    let mut code = String::from("&[\n");
    for folder in folders(&root.join("rules/tables")) {
        for path in files(&folder, "csv") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let Ok(mut reader) = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_path(&path)
            else {
                continue;
            };
            let rows: Vec<String> = reader
                .records()
                .flatten()
                .map(|record| {
                    let cells: Vec<String> =
                        record.iter().map(|cell| cell.replace(['\t', '\n'], " ")).collect();
                    cells.join("\t")
                })
                .collect();
            let _ = writeln!(
                code,
                "    PrintedTable {{ name: {}, text: {} }},",
                literal(&name),
                literal(&rows.join("\n"))
            );
        }
    }
    code.push_str("]\n");
    code
}

fn schema(root: &Path, folder: &Path, faults: &mut Vec<Fault>) -> Option<Schema> {
    let path = folder.join("schema.toml");
    let text = fs::read_to_string(&path)
        .map_err(|error| faults.push(format!("{}:1: {error}", shown(root, &path))))
        .ok()?;
    toml::from_str(&text)
        .map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            faults.push(format!("{}:{line}: {}", shown(root, &path), error.message()));
        })
        .ok()
}

fn one(
    root: &Path,
    path: &Path,
    table: &str,
    schema: &toml::Table,
    ids: &BTreeSet<String>,
    faults: &mut Vec<Fault>,
) -> String {
    let file = shown(root, path);
    let mut reader = match csv::ReaderBuilder::new().flexible(true).from_path(path) {
        Ok(reader) => reader,
        Err(error) => {
            faults.push(format!("{file}:1: {error}"));
            return String::new();
        }
    };
    let header: Vec<String> = match reader.headers() {
        Ok(header) => header.iter().map(str::to_owned).collect(),
        Err(error) => {
            faults.push(format!("{file}:1: {error}"));
            return String::new();
        }
    };
    let row = type_name(table);
    let Some(fields) = fields(&file, &row, &header, schema, faults) else { return String::new() };
    let mut rows = String::new();
    let mut count = 0;
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                faults.push(format!("{file}: {error}"));
                continue;
            }
        };
        let line = record.position().map_or(0, csv::Position::line);
        if record.len() != header.len() {
            faults.push(format!("{file}:{line}: {} cells under {} columns", record.len(), header.len()));
            continue;
        }
        count += 1;
        let _ = write!(rows, "        {row} {{ ");
        for field in &fields {
            let mut cells = Vec::new();
            for &place in &field.columns {
                let cell = &record[place];
                match value(cell, &field.column, &field.kind, ids) {
                    Ok(code) => {
                        found.entry(&field.name).or_default().push(code.clone());
                        cells.push(code);
                    }
                    Err(wanted) => faults.push(format!(
                        "{file}:{line}: the cell \"{cell}\" in column {} is not {wanted}",
                        header[place]
                    )),
                }
            }
            let code = if cells.len() == 1 && field.columns.len() == 1 {
                cells.remove(0)
            } else {
                format!("[{}]", cells.join(", "))
            };
            let _ = write!(rows, "{}: {code}, ", field.name);
        }
        rows.push_str("},\n");
    }
    let mut declared = String::new();
    for field in &fields {
        let first = header[field.columns[0]].clone();
        let kind = rust_type(field);
        let (doc, kind) = match field.columns.len() {
            1 => (format!("Column `{first}`."), kind),
            many => (
                format!("Columns `{first}` to `{}`.", header[field.columns[many - 1]]),
                format!("[{kind}; {many}]"),
            ),
        };
        let _ = writeln!(declared, "        /// {doc}\n        pub {}: {kind},", field.name);
    }
    let name = const_name(table);
    let enums: String = fields
        .iter()
        .map(|field| {
            let words = found.get(field.name.as_str()).map_or(&[][..], Vec::as_slice);
            variants(&file, field, &fields) + &one_row_each(field, words, &row, &name)
        })
        .collect();
    format!(
        "{enums}    /// A row of `{file}`.\n    #[derive(Clone, Copy, Debug, PartialEq)]\n    pub struct {row} {{\n{declared}    }}\n\n\
         \x20   /// The table `{file}`.\n    pub static {name}: [{row}; {count}] = [\n{rows}    ];\n\n",
    )
}

/// Matches the header with the schema: every column once, in any grouping.
fn fields(
    file: &str,
    row: &str,
    header: &[String],
    schema: &toml::Table,
    faults: &mut Vec<Fault>,
) -> Option<Vec<Field>> {
    let before = faults.len();
    let mut covered = vec![false; header.len()];
    let mut fields = Vec::new();
    let place_of = |name: &str, faults: &mut Vec<Fault>| {
        let place = header.iter().position(|column| column == name);
        if place.is_none() {
            faults.push(format!("{file}:1: there is no column {name}, which the schema names"));
        }
        place
    };
    for (name, kind) in schema {
        let Ok(column) = kind.clone().try_into::<Column>() else {
            faults
                .push(format!("{file}:1: the schema of column {name} is neither a type nor a list of words"));
            continue;
        };
        if let Column::Named(kind) = &column
            && !TYPES.contains(&kind.trim_end_matches('?'))
        {
            faults.push(format!("{file}:1: the schema of column {name}: {kind} is no type"));
            continue;
        }
        let (first, last) = name.split_once("..").unwrap_or((name, name));
        let (Some(from), Some(to)) = (place_of(first, faults), place_of(last, faults)) else { continue };
        let field =
            if from == to { field_name(first) } else { field_name(first.trim_end_matches(char::is_numeric)) };
        covered[from..=to].fill(true);
        let named = if let Column::Enum { named: Some(named), .. } = &column { named } else { first };
        let kind = format!("{row}{}", type_name(named));
        fields.push(Field { name: field, kind, columns: (from..=to).collect(), column });
    }
    for (place, covered) in covered.iter().enumerate() {
        if !covered {
            faults.push(format!("{file}:1: the schema does not name column {}", header[place]));
        }
    }
    fields.sort_by_key(|field| field.columns[0]);
    (faults.len() == before).then_some(fields)
}

/// `int`, `decimal` (in hundredths), `cm`, `m`, `mp`, `bool`, `text`, `rule`; each may be followed by `?`.
const TYPES: &[&str] = &["int", "decimal", "cm", "m", "mp", "bool", "text", "rule"];

/// Where every word of an enum stands in one row alone: how to get from the word to its row, which cannot miss.
fn one_row_each(field: &Field, found: &[String], row: &str, table: &str) -> String {
    let Column::Enum { one_of, named: None } = &field.column else { return String::new() };
    let distinct: BTreeSet<&String> = found.iter().collect();
    if distinct.len() != found.len() || found.len() != one_of.len() {
        return String::new();
    }
    let mut arms = String::new();
    for (at, word) in found.iter().enumerate() {
        let _ = writeln!(arms, "                {word} => &{table}[{at}],");
    }
    format!(
        "    impl {kind} {{\n        /// The one row of this word.\n        #[must_use]\n        \
         pub fn row(self) -> &'static {row} {{\n            match self {{\n{arms}            }}\n        }}\n    }}\n\n",
        kind = field.kind,
    )
}

/// A word as a variant; an empty cell, or a stroke, is a word as well.
fn variant(word: &str) -> String {
    if word.chars().any(char::is_alphanumeric) { type_name(word) } else { "Blank".to_owned() }
}

/// The enum of a column of words; that of several columns stands before the first of them and has the
/// words of all.
fn variants(file: &str, field: &Field, fields: &[Field]) -> String {
    let same: Vec<&Field> = fields.iter().filter(|other| other.kind == field.kind).collect();
    if same[0].name != field.name {
        return String::new();
    }
    let mut words: Vec<&String> = Vec::new();
    for one in &same {
        let Column::Enum { one_of, .. } = &one.column else { return String::new() };
        words.extend(one_of.iter().filter(|word| !words.contains(word)).collect::<Vec<_>>());
    }
    let (mut listed, mut all, mut arms) = (String::new(), String::new(), String::new());
    for word in &words {
        let name = variant(word);
        let _ = writeln!(listed, "        /// `{word}`.\n        {name},");
        let _ = write!(all, "Self::{name}, ");
        let _ = writeln!(arms, "                Self::{name} => {},", literal(word));
    }
    let columns: Vec<String> = same.iter().map(|field| format!("`{}`", field.name)).collect();
    format!(
        "    /// The words of {} of `{file}`.\n    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n    \
         pub enum {kind} {{\n{listed}    }}\n\n    impl {kind} {{\n        /// As the table writes it.\n        \
         #[must_use]\n        pub const fn word(self) -> &'static str {{\n            match self {{\n{arms}            }}\n        }}\n\n        \
         /// All of them.\n        pub const ALL: [Self; {count}] = [{all}];\n\n        \
         /// What a request calls so, if the table knows it.\n        #[must_use]\n        \
         pub fn named(word: &str) -> Option<Self> {{\n            Self::ALL.into_iter().find(|known| known.word() == word)\n        }}\n    }}\n\n",
        columns.join(", "),
        count = words.len(),
        kind = field.kind,
    )
}

fn rust_type(field: &Field) -> String {
    let name = match &field.column {
        Column::Named(name) => name,
        Column::Words(_) => return "&'static str".to_owned(),
        Column::Enum { .. } => return field.kind.clone(),
    };
    let kind = match name.trim_end_matches('?') {
        "int" | "decimal" => "i32",
        "cm" => "kernel::Centimetres",
        "m" => "kernel::Metres",
        "mp" => "kernel::MovementPoints",
        "bool" => "bool",
        "rule" => "kernel::RuleId",
        _ => "&'static str",
    };
    if name.ends_with('?') { format!("Option<{kind}>") } else { kind.to_owned() }
}

/// The code of a cell, or what it should have been.
fn value(cell: &str, column: &Column, kind: &str, ids: &BTreeSet<String>) -> Result<String, String> {
    let name = match column {
        Column::Words(words) | Column::Enum { one_of: words, .. }
            if !words.iter().any(|word| word == cell) =>
        {
            return Err(format!("one of {}", words.join(", ")));
        }
        Column::Words(_) => return Ok(literal(cell)),
        Column::Enum { .. } => return Ok(format!("{kind}::{}", variant(cell))),
        Column::Named(name) => name,
    };
    let optional = name.ends_with('?');
    if cell.is_empty() {
        return if optional { Ok("None".to_owned()) } else { Err("filled in".to_owned()) };
    }
    let code = match name.trim_end_matches('?') {
        "int" => {
            cell.parse::<i32>().map(|number| number.to_string()).map_err(|_| "a whole number".to_owned())
        }
        "decimal" => hundredths(cell, 100).map(|number| number.to_string()),
        "cm" => hundredths(cell, 100).map(|number| format!("kernel::Centimetres::hundredths({number})")),
        "m" => hundredths(cell, 100).map(|number| format!("kernel::Metres::hundredths({number})")),
        "mp" => hundredths(cell, 2).map(|number| format!("kernel::MovementPoints::halves({number})")),
        "bool" => match cell {
            "true" | "yes" => Ok("true".to_owned()),
            "false" | "no" => Ok("false".to_owned()),
            _ => Err("true, false, yes or no".to_owned()),
        },
        "rule" if ids.contains(cell) => Ok(format!("crate::ids::{}", const_name(cell))),
        "rule" => Err("the id of a rule".to_owned()),
        _ => Ok(literal(cell)),
    }?;
    Ok(if optional { format!("Some({code})") } else { code })
}

/// A decimal number as a whole number of `1 / scale`.
fn hundredths(cell: &str, scale: i64) -> Result<i64, String> {
    let wanted = || format!("a number in steps of 1/{scale}");
    let (whole, fraction) = cell.split_once('.').unwrap_or((cell, ""));
    let negative = whole.starts_with('-');
    let digits = fraction.len();
    if digits > 4 || !fraction.chars().all(|c| c.is_ascii_digit()) {
        return Err(wanted());
    }
    let ten = 10_i64.pow(u32::try_from(digits).unwrap_or(0));
    let whole: i64 = whole.trim_start_matches(['-', '+']).parse().map_err(|_| wanted())?;
    let fraction: i64 = if digits == 0 { 0 } else { fraction.parse().map_err(|_| wanted())? };
    let scaled = (whole * ten + fraction) * scale;
    if scaled % ten != 0 {
        return Err(wanted());
    }
    Ok(if negative { -scaled / ten } else { scaled / ten })
}
