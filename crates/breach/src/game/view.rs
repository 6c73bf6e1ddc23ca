//! What a side may see (section 7 of the game page). With the options that are played nothing on the
//! table is hidden: both players and spectators see all of it.

use serde::{Serialize, Serializer};

use crate::scenario::Side;

use super::state::State;

/// The table as a reader sees it.
#[derive(Clone, Debug)]
pub struct View {
    /// Who reads; none for a spectator.
    pub reader: Option<Side>,
    /// All there is.
    pub state: State,
}

impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// The view as it is told.
        #[derive(Serialize)]
        struct Shown<'a> {
            reader: Option<Side>,
            #[serde(flatten)]
            state: &'a State,
        }
        Shown { reader: self.reader, state: &self.state }.serialize(serializer)
    }
}
