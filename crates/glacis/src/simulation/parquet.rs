//! A small writer of Apache Parquet: plain values, no compression, one page for each column of a row group.
//! It writes what the tables of simulations need and nothing more. The layout is that of the format's own
//! specification, the metadata in Thrift's compact protocol.

use std::io::{self, Write};

use super::sheet::Cell;

const MAGIC: &[u8; 4] = b"PAR1";
/// So many rows are kept in memory before they are written.
const GROUP: usize = 4096;

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Whole,
    OptionalWhole,
    Real,
    Text,
    OptionalText,
}

impl Column {
    /// The number of the physical type: `INT64`, `DOUBLE`, `BYTE_ARRAY`.
    const fn kind(self) -> i64 {
        match self {
            Self::Whole | Self::OptionalWhole => 2,
            Self::Real => 5,
            Self::Text | Self::OptionalText => 6,
        }
    }

    const fn may_be_empty(self) -> bool {
        matches!(self, Self::OptionalWhole | Self::OptionalText)
    }

    const fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::OptionalText)
    }
}

/// A column of a row group, as it was written.
struct Chunk {
    offset: i64,
    size: i64,
}

struct Group {
    rows: i64,
    chunks: Vec<Chunk>,
}

pub(super) struct Parquet<W: Write> {
    out: W,
    at: i64,
    columns: Vec<(String, Column)>,
    rows: Vec<Vec<Cell>>,
    groups: Vec<Group>,
}

impl<W: Write> Parquet<W> {
    pub(super) fn begin(mut out: W, columns: Vec<(String, Column)>) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        Ok(Self { out, at: 4, columns, rows: Vec::new(), groups: Vec::new() })
    }

    pub(super) fn row(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        self.rows.push(cells);
        if self.rows.len() == GROUP { self.group() } else { Ok(()) }
    }

    pub(super) fn end(mut self) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.group()?;
        }
        let footer = self.footer();
        self.out.write_all(&footer)?;
        self.out.write_all(&length(footer.len())?)?;
        self.out.write_all(MAGIC)
    }

    /// Writes the rows that are kept.
    fn group(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let count = whole(rows.len());
        let mut chunks = Vec::new();
        for (place, (_, column)) in self.columns.iter().enumerate() {
            let page = page(*column, rows.iter().map(|row| row.get(place).unwrap_or(&Cell::None)))?;
            let header = page_header(count, whole(page.len()));
            self.out.write_all(&header)?;
            self.out.write_all(&page)?;
            let size = whole(header.len() + page.len());
            chunks.push(Chunk { offset: self.at, size });
            self.at += size;
        }
        self.groups.push(Group { rows: count, chunks });
        Ok(())
    }

    /// The metadata of the file.
    fn footer(&self) -> Vec<u8> {
        let mut file = Thrift::default();
        file.integer(1, I32, 1);
        file.list(2, STRUCT, self.columns.len() + 1);
        let mut root = Thrift::default();
        root.text(4, "games");
        root.integer(5, I32, whole(self.columns.len()));
        file.part(root);
        for (name, column) in &self.columns {
            let mut element = Thrift::default();
            element.integer(1, I32, column.kind());
            element.integer(3, I32, i64::from(column.may_be_empty()));
            element.text(4, name);
            if column.is_text() {
                // UTF8
                element.integer(6, I32, 0);
            }
            file.part(element);
        }
        file.integer(3, I64, self.groups.iter().map(|group| group.rows).sum());
        file.list(4, STRUCT, self.groups.len());
        for group in &self.groups {
            file.part(self.row_group(group));
        }
        file.text(6, "glacis");
        file.end()
    }

    fn row_group(&self, group: &Group) -> Thrift {
        let mut row_group = Thrift::default();
        row_group.list(1, STRUCT, group.chunks.len());
        for (chunk, (name, column)) in group.chunks.iter().zip(&self.columns) {
            let mut meta = Thrift::default();
            meta.integer(1, I32, column.kind());
            // PLAIN for values, RLE for what is empty.
            meta.list(2, I32, 2);
            meta.number(0);
            meta.number(3);
            meta.list(3, BINARY, 1);
            meta.bytes(name.as_bytes());
            // UNCOMPRESSED
            meta.integer(4, I32, 0);
            meta.integer(5, I64, group.rows);
            meta.integer(6, I64, chunk.size);
            meta.integer(7, I64, chunk.size);
            meta.integer(9, I64, chunk.offset);
            let mut whole = Thrift::default();
            whole.integer(2, I64, chunk.offset);
            whole.field(3, STRUCT);
            whole.part(meta);
            row_group.part(whole);
        }
        row_group.integer(2, I64, group.chunks.iter().map(|chunk| chunk.size).sum());
        row_group.integer(3, I64, group.rows);
        row_group
    }
}

/// The values of a column, after the levels that say which are there.
fn page<'c>(column: Column, cells: impl Iterator<Item = &'c Cell> + Clone) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    if column.may_be_empty() {
        let levels = runs(cells.clone().map(|cell| *cell != Cell::None));
        page.extend(length(levels.len())?);
        page.extend(levels);
    }
    for cell in cells {
        match cell {
            Cell::None if column.may_be_empty() => {}
            Cell::None => return Err(io::Error::other("an empty cell in a full column")),
            Cell::Whole(number) => page.extend(number.to_le_bytes()),
            Cell::Real(number) => page.extend(number.to_le_bytes()),
            Cell::Text(text) => {
                page.extend(length(text.len())?);
                page.extend(text.as_bytes());
            }
        }
    }
    Ok(page)
}

/// Levels of one bit as runs: twice the length of each, then the level.
fn runs(levels: impl Iterator<Item = bool>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut run: Option<(bool, u64)> = None;
    let mut close = |run: Option<(bool, u64)>| {
        if let Some((level, times)) = run {
            varint(&mut out, times << 1);
            out.push(u8::from(level));
        }
    };
    for level in levels {
        run = match run {
            Some((same, times)) if same == level => Some((same, times + 1)),
            other => {
                close(other);
                Some((level, 1))
            }
        };
    }
    close(run);
    out
}

fn page_header(values: i64, size: i64) -> Vec<u8> {
    let mut header = Thrift::default();
    // DATA_PAGE
    header.integer(1, I32, 0);
    header.integer(2, I32, size);
    header.integer(3, I32, size);
    header.field(5, STRUCT);
    let mut page = Thrift::default();
    page.integer(1, I32, values);
    page.integer(2, I32, 0);
    page.integer(3, I32, 3);
    page.integer(4, I32, 3);
    header.part(page);
    header.end()
}

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure of Thrift's compact protocol.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    last: u8,
}

impl Thrift {
    fn field(&mut self, id: u8, kind: u8) {
        self.bytes.push((id - self.last) << 4 | kind);
        self.last = id;
    }

    fn integer(&mut self, id: u8, kind: u8, value: i64) {
        self.field(id, kind);
        self.number(value);
    }

    fn text(&mut self, id: u8, text: &str) {
        self.field(id, BINARY);
        self.bytes(text.as_bytes());
    }

    /// The head of a list; its parts follow.
    fn list(&mut self, id: u8, kind: u8, size: usize) {
        self.field(id, LIST);
        match u8::try_from(size) {
            Ok(small) if small < 15 => self.bytes.push(small << 4 | kind),
            _ => {
                self.bytes.push(0xF0 | kind);
                varint(&mut self.bytes, u64::try_from(size).unwrap_or(u64::MAX));
            }
        }
    }

    fn number(&mut self, value: i64) {
        // Zigzag: small numbers of either sign are short.
        varint(&mut self.bytes, ((value << 1) ^ (value >> 63)).cast_unsigned());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        varint(&mut self.bytes, u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        self.bytes.extend(bytes);
    }

    fn part(&mut self, part: Self) {
        self.bytes.extend(part.end());
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    loop {
        let [low, ..] = value.to_le_bytes();
        value >>= 7;
        if value == 0 {
            out.push(low & 0x7F);
            return;
        }
        out.push(low | 0x80);
    }
}

fn whole(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

fn length(size: usize) -> io::Result<[u8; 4]> {
    u32::try_from(size).map(u32::to_le_bytes).map_err(|_| io::Error::other("too long for Parquet"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_the_protocol_wants() {
        let mut thrift = Thrift::default();
        for value in [0, -1, 1, 150, -300] {
            thrift.number(value);
        }
        assert_eq!(thrift.bytes, [0, 1, 2, 0xAC, 0x02, 0xD7, 0x04]);
    }

    #[test]
    fn runs_say_how_often_and_what() {
        assert_eq!(runs([true, true, true, false, true].into_iter()), [6, 1, 2, 0, 2, 1]);
        assert_eq!(runs(std::iter::empty()), Vec::<u8>::new());
    }

    #[test]
    fn a_file_begins_and_ends_with_its_name_and_tells_the_size_of_its_footer() {
        let mut out = Vec::new();
        let columns = vec![("game".to_owned(), Column::Whole), ("turn".to_owned(), Column::OptionalWhole)];
        let mut parquet = Parquet::begin(&mut out, columns).expect("memory");
        parquet.row(vec![Cell::Whole(7), Cell::None]).expect("memory");
        parquet.end().expect("memory");
        assert!(out.starts_with(MAGIC) && out.ends_with(MAGIC));
        let size = out[out.len() - 8..out.len() - 4].try_into().map(u32::from_le_bytes).expect("four bytes");
        let footer = &out[out.len() - 8 - size as usize..out.len() - 8];
        assert!(footer.windows(4).any(|four| four == b"turn"));
        // The one game's number stands in the file as it is.
        assert!(out.windows(8).any(|eight| eight == 7_i64.to_le_bytes()));
    }
}
