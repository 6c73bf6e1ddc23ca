//! How a sensible staff plays (section 10 of the game page): what it takes the enemy for, where its columns
//! want to go, when it fights. It sees a view and what is offered; the state it asks the rules about is one
//! that it imagines from that view. Where it has nothing to do it ends the segment.

mod estimate;
mod fight;
mod goals;
mod march;
mod staff;

use kernel::{Game as _, Live};
use opponent::Planner;
use rulebook::tables::campaign::GameWeightsKey as Weight;

use crate::battle::Points;
use crate::map::HexId;
use crate::routes::Field;
use crate::terms::Army;

use super::action::Action;
use super::knowledge::Seen;
use super::march::distance;
use super::roster::{LeaderId, enemy};
use super::state::{Phase, State};
use super::view::View;
use estimate::Foe;

impl Planner for State {
    fn plan(side: Army, view: &View, offered: &[Action], stream: &mut Live) -> Action {
        let imagined = view.imagine(stream);
        Mind::of(&imagined, side, offered).decide()
    }
}

/// A weight of the table, in hundredths.
fn weight(key: Weight) -> i32 {
    key.row().value
}

/// Whether one strength is at least so many hundredths of another.
const fn outweighs(own: i32, other: i32, hundredths: i32) -> bool {
    own * 100 >= other * hundredths
}

/// A formation with troops, as its staff sees it.
#[derive(Clone, Copy, Debug)]
struct Column {
    head: LeaderId,
    at: HexId,
    points: Points,
    /// Whether it has moved, or failed to.
    done: bool,
    /// Whether it moves without a die.
    commanded: bool,
    /// Whether it retreated, and may not attack.
    shaken: bool,
}

/// What a staff has before it.
struct Mind<'v> {
    state: &'v State,
    side: Army,
    offered: &'v [Action],
    seen: std::rc::Rc<Vec<Seen>>,
    field: Field<'v>,
    foes: Vec<Foe>,
    columns: Vec<Column>,
}

impl<'v> Mind<'v> {
    fn of(state: &'v State, side: Army, offered: &'v [Action]) -> Self {
        let seen = state.seen(Some(side), enemy(side));
        let field = state.field_of(side, &seen, &[]);
        let foes = estimate::foes(state, side, &seen);
        let host = state.host(side);
        let column = |head: LeaderId| {
            let points = host.strength(head);
            let flags = host.flags(head);
            Some(Column {
                head,
                at: host.leader_at(head).filter(|_| points.all() > 0)?,
                points,
                done: flags.done,
                commanded: flags.command || flags.entered,
                shaken: flags.shaken,
            })
        };
        let columns = host.heads().into_iter().filter_map(column).collect();
        Self { state, side, offered, seen, field, foes, columns }
    }

    fn decide(&self) -> Action {
        let public = &self.state.public;
        let chosen = if self.offered.len() == 1 {
            None
        } else if !public.owed.is_empty() {
            fight::losses(self)
        } else {
            match public.phase {
                Phase::Admin => Some(staff::administer(self)),
                Phase::Organise => Some(staff::organise(self)),
                Phase::Command => Some(staff::command(self)),
                Phase::Move | Phase::Retreat if public.walk.is_some() => self.offer(&Action::RetreatRest),
                Phase::Move => Some(march::on_the_move(self)),
                Phase::React | Phase::Force => Some(march::forced(self)),
                Phase::Guns(_) => Some(march::to_the_guns(self)),
                Phase::Combat => Some(fight::attack(self)),
                Phase::Decline => self.offer(&fight::gates(self)),
                Phase::StanceAttacker | Phase::StanceDefender => self.offer(&fight::stance(self)),
                Phase::RestanceAttacker | Phase::RestanceDefender => self.offer(&fight::stance_again(self)),
                Phase::Counter => self.offer(&fight::counter(self)),
                Phase::Override => self.offer(&fight::slip_away(self)),
                Phase::Pursue => Some(fight::pursue(self)),
                Phase::Advance => self.offer(&fight::advance(self)),
                Phase::Declare => self.offer(&Action::DeclareVictory),
                _ => None,
            }
        };
        chosen.unwrap_or_else(|| self.offered[0].clone())
    }

    /// This order, if it is offered.
    fn offer(&self, action: &Action) -> Option<Action> {
        self.offered.binary_search(action).ok().map(|_| action.clone())
    }

    /// The first of these orders that is legal; else the first that is offered.
    fn first_legal(&self, wanted: impl IntoIterator<Item = Action>) -> Action {
        let legal = |action: &Action| {
            self.offered.binary_search(action).is_ok() || self.state.validate(self.side, action).is_ok()
        };
        wanted.into_iter().find(legal).unwrap_or_else(|| self.offered[0].clone())
    }

    /// The SP of the own columns within so many hexes of a hex.
    fn own_within(&self, hexes: i32, of: HexId) -> i32 {
        let near = self.columns.iter().filter(|column| distance(column.at, of) <= hexes);
        near.map(|column| column.points.all()).sum()
    }

    /// The SP that the enemy may have within so many hexes of a hex.
    fn foes_within(&self, hexes: i32, of: HexId) -> i32 {
        self.foes.iter().filter(|foe| distance(foe.hex, of) <= hexes).map(|foe| foe.sp).sum()
    }
}
