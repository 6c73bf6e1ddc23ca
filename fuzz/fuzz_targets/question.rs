//! Any text, to every question of the table.
#![no_main]

#[path = "../../crates/tabletop/tests/support/hold.rs"]
mod hold;

libfuzzer_sys::fuzz_target!(|text: &str| hold::any_text(text));
