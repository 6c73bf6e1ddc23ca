//! The maps drawn as an engraved plan: pure functions from the table to SVG.

mod chart;
pub mod figure;
mod ink;
pub mod ops;
mod sheet;
pub mod siege;
mod siege_counters;
mod siege_country;
mod siege_ground;
mod siege_works;

use rulebook::Lang;

use crate::state::Table;

/// Both maps, each with the name of its file.
#[must_use]
pub fn maps(table: &Table, lang: Lang) -> Vec<(&'static str, String)> {
    vec![("operational.svg", ops::operational(table, lang)), ("siege.svg", siege::siege(table, lang))]
}
