//! Secrets: made from the system's randomness, kept only as hashes, compared in constant time.

use std::fmt;

use super::trouble::Trouble;
use crate::store::to_hex;

/// The secret of a seat. It cannot be printed by accident.
pub struct Secret(String);

impl Secret {
    /// A new one: 160 bits nobody can guess.
    ///
    /// # Errors
    /// When the system has no randomness to give.
    pub fn new() -> Result<Self, Trouble> {
        Ok(Self(to_hex(&random::<20>()?)))
    }

    /// The secret itself.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Random bytes of the system.
///
/// # Errors
/// When it has none to give.
pub(super) fn random<const N: usize>() -> Result<[u8; N], Trouble> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Trouble::Broken(error.to_string()))?;
    Ok(bytes)
}

/// A name for a game, which is public: 80 bits, so that none is met twice.
///
/// # Errors
/// When the system has no randomness to give.
pub(super) fn name() -> Result<String, Trouble> {
    Ok(to_hex(&random::<10>()?))
}

/// What is kept of a secret.
#[must_use]
pub(super) fn hash(secret: &str) -> blake3::Hash {
    derived("glacis seat secret v1", secret)
}

/// The word that opens the feed of a seat: it follows from what is kept and opens nothing else.
#[must_use]
pub(super) fn feed_word(seat_hash: &str) -> String {
    derived("glacis feed v1", seat_hash).to_hex().to_string()
}

fn derived(context: &str, secret: &str) -> blake3::Hash {
    blake3::Hasher::new_derive_key(context).update(secret.as_bytes()).finalize()
}

/// Whether two hashes are the same, in constant time.
#[must_use]
pub(super) fn same(one: &str, other: &str) -> bool {
    match (blake3::Hash::from_hex(one), blake3::Hash::from_hex(other)) {
        // blake3 compares its hashes in constant time.
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
