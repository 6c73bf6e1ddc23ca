//! A game played out between players, by its number: the same number gives the same game, whoever plays
//! others beside it.

use kernel::{Desk, Game, Live, Setup, Silent, Verdict};

use crate::{Level, Player, Random, Searcher};

/// A game that was played out.
#[derive(Clone, Debug)]
pub struct Duel<G: Game> {
    /// How it stood at the end.
    pub last: G,
    /// How many decisions were made.
    pub decisions: u32,
}

/// So many decisions and a game is given up: it goes nowhere.
pub const LONGEST: u32 = 200_000;

/// Plays the game of this number out, each side at its level in the order of the game's sides. The dice,
/// and each player, have a stream of their own. A player whose order is refused plays at random instead.
///
/// # Errors
/// When there is no such scenario or option.
pub fn duel<G: Searcher>(setup: &Setup, levels: &[Level], number: u64) -> Verdict<Duel<G>> {
    watched(setup, levels, number, |_, _, _| ())
}

/// The same, before the eyes of somebody who is shown every order with the table after it.
///
/// # Errors
/// When there is no such scenario or option.
pub fn watched<G: Searcher>(
    setup: &Setup,
    levels: &[Level],
    number: u64,
    mut watch: impl FnMut(&G, G::Side, &G::Action),
) -> Verdict<Duel<G>> {
    let mut state = G::start(setup)?;
    // The streams of a game are apart from each other and from those of every other game.
    let places = u64::try_from(G::SIDES.len()).unwrap_or(u64::MAX) + 1;
    let stream = |place: u64| Live::numbered(number.wrapping_mul(places).wrapping_add(place));
    let mut desk = Desk::new(stream(0), Silent);
    let mut players: Vec<(Box<dyn Player<G>>, Live)> = G::SIDES
        .iter()
        .zip(1..)
        .zip(levels.iter().chain(std::iter::repeat(&Level::Random)))
        .map(|((_, place), level)| (level.player(), stream(place)))
        .collect();
    let mut offered = Vec::new();
    let mut decisions = 0;
    while decisions < LONGEST {
        let deciders = state.deciders();
        if deciders.is_empty() {
            break;
        }
        // Whoever decides in secret at once decides before anything is carried out.
        let mut orders = Vec::new();
        for place in deciders.iter() {
            let (Some(&side), Some((player, stream))) = (G::SIDES.get(place), players.get_mut(place)) else {
                continue;
            };
            state.actions(side, &mut offered);
            let view = state.view(Some(side));
            let mut order = player.choose(side, &view, &offered, stream);
            if offered.binary_search(&order).is_err() && state.validate(side, &order).is_err() {
                order = Player::<G>::choose(&mut Random, side, &view, &offered, stream);
            }
            orders.push((side, order));
        }
        for (side, order) in orders {
            if state.outcome().is_none() {
                state.perform(side, &order, &mut desk);
                decisions += 1;
                watch(&state, side, &order);
            }
        }
    }
    Ok(Duel { last: state, decisions })
}
