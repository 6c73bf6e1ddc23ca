//! The quartermaster and the sums around the table of a fantasy siege: the examples of the ledger, its
//! tables cell by cell, every refusal and violation by its rule, and what must hold for any siege.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

#[path = "../asking/mod.rs"]
mod asking;

mod any_list;
mod ready;
mod roster;
mod scenario;
mod sums;

/// The rows of a table of the supplement, by column.
fn table(name: &str) -> Vec<std::collections::HashMap<String, String>> {
    let path = format!("{}/../../rules/tables/breach/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}
