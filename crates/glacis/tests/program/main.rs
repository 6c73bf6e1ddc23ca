//! The program as a script, a reader and a suspicious player use it.

mod arena;
mod ask;
mod pipe;
mod play;
mod python;
mod readme;
mod replay;
mod rules;
mod second_verifier;
mod simulate;
mod strict;
mod verify;

#[path = "../shared/example.rs"]
mod example;
