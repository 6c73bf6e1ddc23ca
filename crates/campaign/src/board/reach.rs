//! Where a formation may march: every hex with its cost, and the one order that leads there.

use kernel::board::{Reached, ThingId};
use kernel::{Game as _, Measure, Saying, Verdict};
use rulebook::phrase::campaign_board as words;

use super::MAP;
use super::names::{body_of, hex_label, hex_thing};
use crate::draw::hex_centre;
use crate::game::say::points;
use crate::game::{Action, Body, Hand, Phase, Reach, State, Why};
use crate::map::HexId;
use crate::terms::Army;

/// What marches if these pieces do: what is in hand, or what could be.
pub(super) fn mover(state: &State, side: Army, piece: Option<&str>) -> Option<Hand> {
    let host = state.host(side);
    host.hand.or_else(|| {
        let body = piece.and_then(body_of).filter(|_| state.public.phase == Phase::Move)?;
        state.body_at(side, body).map(|_| Hand { body, why: Why::March })
    })
}

/// The orders that march along a path.
pub(super) fn way(state: &State, side: Army, hand: Hand, path: Vec<HexId>) -> Vec<Action> {
    match hand.body {
        _ if state.host(side).hand.is_some() => vec![Action::March(path)],
        Body::Formation(formation) => vec![Action::Order { formation, path }],
        Body::Vedette(_) => vec![Action::TakeUp(hand.body), Action::March(path)],
    }
}

/// Every hex that these pieces may march to.
///
/// # Errors
/// Why they cannot be taken in hand.
pub(super) fn reach(state: &State, side: Army, pieces: &[ThingId]) -> Verdict<Vec<Reached<Action>>> {
    let Some(hand) = mover(state, side, pieces.first().map(String::as_str)) else { return Ok(Vec::new()) };
    if state.host(side).hand.is_none() {
        state.validate(side, &Action::TakeUp(hand.body))?;
    }
    let reached = state.reach_of(side, hand).into_iter();
    Ok(reached.filter_map(|one| place(state, side, hand, one)).collect())
}

fn place(state: &State, side: Army, hand: Hand, reach: Reach) -> Option<Reached<Action>> {
    let to = *reach.path.last()?;
    let (Reach { cost, left, extended, zone, path }, asks) = (reach, matches!(hand.body, Body::Formation(_)));
    let mut name: Vec<Measure> =
        vec![Saying::new(words::REACHED).with("hex", hex_label(to)).with("cost", points(cost)).into()];
    name.extend(super::lines::arrives(state, side, hand, i32::from(cost)).map(Measure::from));
    name.extend(extended.then_some(words::REACHED_EXTENDED.into()));
    name.extend(zone.then_some(words::REACHED_ZONE.into()));
    // A half is a point begun.
    let whole = |halves: i16| u32::try_from((halves + 1) / 2).unwrap_or(0);
    Some(Reached {
        to: hex_thing(to),
        at: (MAP, hex_centre(to)),
        name: Measure::Several(name),
        cost: whole(cost),
        left: whole(left),
        under_fire: extended,
        stops: true,
        halts: zone,
        asks,
        way: way(state, side, hand, path),
    })
}
