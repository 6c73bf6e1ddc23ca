//! The tables as they are printed: headings and rows of text, for whoever wants to read them.

/// A table of `rules/tables`.
#[derive(Debug)]
pub struct PrintedTable {
    /// Its name, which no two books share.
    pub name: &'static str,
    text: &'static str,
}

static ALL: &[PrintedTable] = include!(concat!(env!("OUT_DIR"), "/printed.rs"));

impl PrintedTable {
    /// The names of the columns.
    pub fn heading(&self) -> impl Iterator<Item = &'static str> {
        self.text.lines().next().unwrap_or_default().split('\t')
    }

    /// The cells, row by row.
    pub fn rows(&self) -> impl Iterator<Item = Vec<&'static str>> {
        self.text.lines().skip(1).map(|row| row.split('\t').collect())
    }
}

/// The table with this name.
#[must_use]
pub fn printed_table(name: &str) -> Option<&'static PrintedTable> {
    ALL.iter().find(|table| table.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_printed_whole_and_no_two_share_a_name() {
        let losses = printed_table("loss_table").unwrap();
        assert_eq!(losses.rows().count(), crate::tables::tabletop_fire::LOSS_TABLE.len());
        for table in ALL {
            let columns = table.heading().count();
            assert!(table.rows().all(|row| row.len() == columns), "{}", table.name);
            assert_eq!(ALL.iter().filter(|other| other.name == table.name).count(), 1);
        }
    }
}
