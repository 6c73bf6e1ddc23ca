//! The pages as the whole house serves them: every system of the registry, every link, every kind of
//! decision, in both languages.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod decisions;
mod house;
mod markup;
mod registry;
