//! The rulebook as its readers and its editors see it.

mod chosen;
mod house;
mod unsound;
