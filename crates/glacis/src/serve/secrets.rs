//! Secrets: made from the system's randomness, kept only as hashes, compared in constant time.

use std::fmt;

use super::trouble::Trouble;
use crate::store::to_hex;

/// The secret of a seat. It cannot be printed by accident.
pub struct Secret(String);

impl Secret {
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

/// What the name and the secrets of a game are struck from; nobody keeps it.
pub struct Mint([u8; 32]);

impl Mint {
    /// A new one: no two games are struck from the same.
    ///
    /// # Errors
    /// When the system has no randomness to give.
    pub fn new() -> Result<Self, Trouble> {
        Ok(Self(random()?))
    }

    /// That of a request that holds a random word of its sender: the same for the same request, so that
    /// whoever repeats it is answered as before.
    #[must_use]
    pub fn of_request(request: &str) -> Self {
        Self(derived("glacis request v1", request.as_bytes()).into())
    }

    /// The secret of a seat: 160 bits nobody can guess.
    #[must_use]
    pub fn secret(&self, place: i64) -> Secret {
        let bytes = [self.0.as_slice(), &place.to_le_bytes()].concat();
        Secret(to_hex(&derived("glacis new seat v1", &bytes).as_bytes()[..20]))
    }

    /// A name for the game, which is public: 80 bits, so that none is met twice.
    #[must_use]
    pub fn name(&self) -> String {
        to_hex(&derived("glacis new game v1", &self.0).as_bytes()[..10])
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

/// What is kept of a secret.
#[must_use]
pub(super) fn hash(secret: &str) -> blake3::Hash {
    derived("glacis seat secret v1", secret.as_bytes())
}

/// The word that opens the feed of a seat: it follows from what is kept and opens nothing else.
#[must_use]
pub(super) fn feed_word(seat_hash: &str) -> String {
    derived("glacis feed v1", seat_hash.as_bytes()).to_hex().to_string()
}

fn derived(context: &str, secret: &[u8]) -> blake3::Hash {
    blake3::Hasher::new_derive_key(context).update(secret).finalize()
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
