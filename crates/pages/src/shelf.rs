//! Where scenes that are too long for an address are kept for a while. The pages know no clock and
//! no memory: whoever serves them brings a shelf along with each request.

use std::sync::Arc;

/// Keeps texts for a while, each under a word that follows from it.
pub trait Shelf: Send + Sync {
    /// Keeps a text, and gives the word under which it is found again.
    fn keep(&self, text: &str) -> String;
    /// What is kept under this word; nothing once it is forgotten.
    fn find(&self, word: &str) -> Option<Arc<str>>;
}

/// The shelf of a request, among its extensions.
#[derive(Clone)]
pub struct Shelved(pub Arc<dyn Shelf>);

/// The word of a text: long enough that no two texts share one.
#[must_use]
pub fn shelf_word(text: &str) -> String {
    let mut word = blake3::hash(text.as_bytes()).to_hex().to_string();
    word.truncate(32);
    word
}
