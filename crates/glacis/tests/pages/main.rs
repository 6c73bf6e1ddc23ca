//! The pages as the whole house serves them: every system of the registry, every link, every kind of
//! decision, in both languages.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod columns;
mod decisions;
#[path = "../shared/example.rs"]
mod example;
mod hidden;
mod house;
mod long;
mod markup;
mod registry;
mod siege;
