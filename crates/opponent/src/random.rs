//! The player who knows nothing of the game.

use std::collections::BTreeMap;

use kernel::{Game, Live};

use crate::Player;

/// The random player: it first chooses what kind of thing to do, each kind being as likely as any other,
/// and then one of that kind. A hundred possible marches do not crowd out the one assault, and every
/// phase ends after a while.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, _: G::Side, _: &G::View, offered: &[G::Action], stream: &mut Live) -> G::Action {
        let mut kinds = BTreeMap::<&str, Vec<&G::Action>>::new();
        for action in offered {
            kinds.entry(G::topic(action).kind).or_default().push(action);
        }
        let kinds: Vec<Vec<&G::Action>> = kinds.into_values().collect();
        let kind = any_of(&kinds, stream);
        (*any_of(kind, stream)).clone()
    }
}

/// One of these, each as likely as any other.
///
/// # Panics
/// When there is none.
pub fn any_of<'a, T>(many: &'a [T], stream: &mut Live) -> &'a T {
    let count = u32::try_from(many.len()).unwrap_or(u32::MAX);
    &many[stream.below(count) as usize]
}
