//! The worked examples of the game page, each with its own numbers.
