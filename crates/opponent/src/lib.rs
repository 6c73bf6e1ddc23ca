//! Players that choose. A player is given what its side may see and what it may decide, and has a
//! random stream of its own: it never sees the table itself, nor the dice to come.
//!
//! ```
//! use countermine::{Action, Countermine, Side, setup};
//! use kernel::{Game, Live};
//! use opponent::{Player, Sensible};
//!
//! let game = Countermine::start(&setup("narrow", None)).unwrap();
//! let mut actions = Vec::new();
//! game.actions(Side::Garrison, &mut actions);
//! let view = game.view(Some(Side::Garrison));
//! let place = Player::<Countermine>::choose(
//!     &mut Sensible, Side::Garrison, &view, &actions, &mut Live::numbered(1),
//! );
//! assert!(matches!(actions[place], Action::Lay(_)));
//! ```

use std::collections::BTreeMap;

use kernel::{Game, Live};

/// A player of one game.
pub trait Player<G: Game>: Send {
    /// Chooses one of `actions`, which are those offered to the side that sees `view`; gives its
    /// place in the list. The list is never empty, and a place beyond its end counts as the last.
    fn choose(&mut self, side: G::Side, view: &G::View, actions: &[G::Action], stream: &mut Live) -> usize;
}

/// The random but sensible player: it first chooses what kind of thing to do, each kind being as
/// likely as any other, and then one of that kind. A hundred possible marches do not crowd out the
/// one assault, and every phase ends after a while.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sensible;

impl<G: Game> Player<G> for Sensible {
    fn choose(&mut self, _: G::Side, _: &G::View, actions: &[G::Action], stream: &mut Live) -> usize {
        let mut kinds = BTreeMap::<&str, Vec<usize>>::new();
        for (place, action) in actions.iter().enumerate() {
            kinds.entry(G::topic(action).kind).or_default().push(place);
        }
        let places = one_of(kinds.into_values().collect(), stream).unwrap_or_default();
        one_of(places, stream).unwrap_or(0)
    }
}

/// One of these, each as likely as any other.
fn one_of<T>(mut many: Vec<T>, stream: &mut Live) -> Option<T> {
    let count = u32::try_from(many.len()).ok().filter(|&count| count > 0)?;
    let place = usize::try_from(stream.below(count)).ok()?;
    Some(many.swap_remove(place))
}
