//! Players that choose. A player is given what its side may see and what it may decide, and has a
//! random stream of its own: it never sees the table itself, nor the dice to come.
//!
//! ```
//! use kernel::Live;
//! use opponent::kind;
//!
//! #[derive(serde::Serialize)]
//! enum Action { March(u8), Rest }
//!
//! assert_eq!(kind(&Action::March(3)), "March");
//! assert_eq!(kind(&Action::Rest), "Rest");
//! # let _ = Live::numbered(1);
//! ```

use std::collections::BTreeMap;

use kernel::{Game, Live};
use serde::Serialize;

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
        let mut kinds = BTreeMap::<String, Vec<usize>>::new();
        for (place, action) in actions.iter().enumerate() {
            kinds.entry(kind(action)).or_default().push(place);
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

/// The kind of an action: the name of its variant.
pub fn kind(action: &impl Serialize) -> String {
    match serde_json::to_value(action) {
        Ok(serde_json::Value::Object(fields)) => fields.into_iter().next().map(|(name, _)| name),
        Ok(serde_json::Value::String(name)) => Some(name),
        Ok(_) | Err(_) => None,
    }
    .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

    use kernel::{Play, Source};

    use super::*;

    #[allow(dead_code, unreachable_pub, clippy::match_bool, reason = "shared with the kernel's own tests")]
    #[path = "../../kernel/tests/example/countermine.rs"]
    mod countermine;

    use countermine::Countermine;

    #[test]
    fn sensible_players_end_every_game_and_favour_no_kind() {
        let mut kinds = BTreeMap::<String, u32>::new();
        for seed in 0..200 {
            let mut stream = Live::numbered(seed);
            let mut play =
                Play::<Countermine>::begin(&countermine::setup("broad", None), Source::Open(kernel::HexHash([7; 32])), None)
                    .unwrap();
            for _ in 0..200 {
                let Some(side) = play.to_move() else { break };
                let mut actions = Vec::new();
                play.state().actions(&mut actions);
                let view = play.state().view(Some(side));
                let place = Player::<Countermine>::choose(&mut Sensible, side, &view, &actions, &mut stream);
                *kinds.entry(kind(&actions[place])).or_default() += 1;
                play.decide(play.entries(), side, &actions[place]).unwrap();
            }
            assert!(play.is_over(), "the game of seed {seed} goes on");
        }
        assert_eq!(kinds["lay"], 200);
        assert!(["dig", "listen", "assault", "blow", "hold"].iter().all(|kind| kinds[*kind] > 50), "{kinds:?}");
    }
}
