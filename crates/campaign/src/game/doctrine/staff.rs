//! Administration, organisation, commands: what the staff does before anybody marches.

use rulebook::tables::campaign::GameWeightsKey as Weight;

use crate::map::HexId;
use crate::terms::Game;

use super::super::action::Action;
use super::super::march::distance;
use super::super::state::Segment;
use super::march::wishes;
use super::{Mind, weight};

/// The centre follows the army, Mortier is called; then whatever has nothing to do is left out.
pub(super) fn administer(mind: &Mind<'_>) -> Action {
    let base = mind.state.base(mind.side);
    let spare = base.ap - weight(Weight::ApKeep) / 100;
    let cut = mind.foes.iter().any(|foe| foe.hex == base.source);
    let wanted = mind.offered.iter().find(|action| match action {
        Action::ReformCentre(at) => !mind.near_the_enemy(*at),
        Action::ChangeSource(_) => cut,
        Action::CallMortier => spare >= 2,
        _ => false,
    });
    let wanted = wanted.cloned().or_else(|| centre(mind, spare));
    let nothing_to_organise = if mind.has_stragglers() || mind.may_replace() {
        None
    } else {
        mind.offer(&Action::SkipTo(Segment::Command))
    };
    wanted.or(nothing_to_organise).unwrap_or(Action::EndAdmin)
}

/// The centre that brings the army nearest, if it is worth its APs.
fn centre(mind: &Mind<'_>, spare: i32) -> Option<Action> {
    let now = mind.state.base(mind.side).centre?;
    let far = |from: HexId| {
        let sp: i32 = mind.columns.iter().map(|column| column.points.all()).sum();
        let sum: i32 =
            mind.columns.iter().map(|column| column.points.all() * distance(column.at, from)).sum();
        100 * sum / sp.max(1)
    };
    let gain = |to: HexId| {
        // Six road hexes for an AP: the air distance is never more than that.
        let cost = (distance(now, to) + 5) / 6;
        let worth = far(now) - far(to) - weight(Weight::CentreGain) * cost;
        (cost <= spare && worth > 0 && !mind.near_the_enemy(to)).then_some(worth)
    };
    let moves = mind.offered.iter().filter_map(|action| match action {
        Action::MoveCentre(to) => gain(*to).map(|gain| (gain, action)),
        _ => None,
    });
    moves.max_by_key(|(gain, _)| *gain).map(|(_, action)| action.clone())
}

/// Stragglers and replacements come back; regrouping is left alone.
pub(super) fn organise(mind: &Mind<'_>) -> Action {
    let replacement = mind.offered.iter().find(|action| matches!(action, Action::Replace(_))).cloned();
    let forage_ends = mind.offered.iter().find(|action| matches!(action, Action::ForageOff(_))).cloned();
    mind.offer(&Action::RecoverAll).or(replacement).or(forage_ends).unwrap_or(Action::EndOrganise)
}

/// Commands for those who want to march, most to whom chance would serve worst, while a reserve is kept.
pub(super) fn command(mind: &Mind<'_>) -> Action {
    let base = mind.state.base(mind.side);
    let spare = match mind.state.kind() {
        Game::Battle => base.commands,
        Game::Campaign => base.ap - weight(Weight::ApKeep) / 100,
    };
    let mut wanted = wishes(mind);
    wanted.retain(|column| !column.commanded && mind.offer(&Action::Command(column.head)).is_some());
    wanted.sort_by_key(|column| (-(column.points.all() * (6 - column.head.initiative())), column.head));
    wanted.truncate(usize::try_from(spare).unwrap_or(0));
    let mut heads: Vec<_> = wanted.into_iter().map(|column| column.head).collect();
    heads.sort_unstable();
    if heads.is_empty() {
        Action::EndCommand
    } else {
        mind.first_legal([Action::Commands(heads), Action::EndCommand])
    }
}

impl Mind<'_> {
    fn near_the_enemy(&self, at: HexId) -> bool {
        self.foes_within(weight(Weight::CentreEnemy) / 100, at) > 0
    }

    fn has_stragglers(&self) -> bool {
        self.state.host(self.side).pool.iter().any(|sp| *sp > 0)
    }

    fn may_replace(&self) -> bool {
        self.state.calendar().is_some_and(|row| row.replacement)
    }
}
