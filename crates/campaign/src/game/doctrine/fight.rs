//! Battles: when to attack and how, how to bear losses, when to stop, whom to send after the beaten.

use rulebook::tables::campaign::GameWeightsKey as Weight;

use crate::Line;
use crate::battle::{Points, Stance};
use crate::combat::first_column;
use crate::map::{HexId, map};
use crate::terms::{Hex, Strength};
use crate::terrain::{self, AttackGround};

use super::super::action::Action;
use super::super::knowledge::around;
use super::super::march::quiet;
use super::super::roster::enemy;
use super::{Column, Mind, outweighs, weight};

impl Mind<'_> {
    /// The ground of an attack over a hexside, if it may be made.
    pub(super) fn ground(&self, from: HexId, to: HexId) -> Option<AttackGround> {
        let direction = from.towards(to)?;
        let side = self.field.way(from, direction).0;
        let cell = map().cell(to);
        let public = &self.state.public;
        let judge = |ground: &AttackGround| {
            let one = Strength::hundredths(ground.attacker(20, 0).max(1));
            first_column(one, Strength::hundredths(ground.defender(10)), ground.line)
        };
        terrain::attack(cell.hex, cell.ground, side, public.weather, &public.options, judge, &mut quiet())
            .ok()
    }

    /// The least ratio at which this staff attacks.
    pub(super) fn least_ratio(&self, line: Line, falls_back: bool) -> i32 {
        weight(match line {
            _ if falls_back => Weight::AttackRatioRetreat,
            Line::A => Weight::AttackRatioA,
            Line::Na => Weight::AttackRatio,
        })
    }

    /// The forces of the battle, infantry and cavalry, the own first.
    pub(super) fn forces(&self) -> [i32; 2] {
        [self.side, enemy(self.side)].map(|army| {
            let host = self.state.host(army);
            host.force_points(&host.force).fighting()
        })
    }

    fn attacks(&self) -> bool {
        self.state.public.battle.as_ref().is_some_and(|battle| battle.attacker == self.side)
    }

    /// The ratio of an attack by some columns, after the factors of the ground, with its line.
    fn ratio(&self, target: HexId, columns: &[&Column]) -> Option<(i32, Line)> {
        let foe = self.foes.iter().find(|foe| foe.hex == target)?;
        let sum = |at: Option<HexId>| {
            let here = columns.iter().filter(|column| at.is_none_or(|at| column.at == at));
            here.fold(Points::default(), |sum, column| Points {
                infantry: sum.infantry + column.points.infantry,
                cavalry: sum.cavalry + column.points.cavalry,
                artillery: sum.artillery + column.points.artillery,
            })
        };
        let main = columns.iter().map(|column| column.at).max_by_key(|&at| (sum(Some(at)).fighting(), at))?;
        let ground = self.ground(main, target)?;
        let all = sum(None);
        let own = ground.attacker(all.infantry, all.cavalry);
        let ratio = 100 * own / ground.defender(foe.sp.max(1)).max(1);
        i32::try_from(ratio).ok().map(|ratio| (ratio, ground.line))
    }
}

/// The attack with the best ratio, if one is good enough: with everybody who can.
pub(super) fn attack(mind: &Mind<'_>) -> Action {
    let falls_back = mind.falls_back();
    let mut best: Option<(i32, &Action)> = None;
    for action in mind.offered {
        let Action::Attack { hex, formations } = action else { continue };
        let columns: Vec<&Column> =
            mind.columns.iter().filter(|column| formations.contains(&column.head)).collect();
        let Some((ratio, line)) = mind.ratio(*hex, &columns) else { continue };
        let enough = ratio >= mind.least_ratio(line, falls_back);
        if enough && best.is_none_or(|(most, _)| ratio > most) {
            best = Some((ratio, action));
        }
    }
    best.map_or(Action::EndCombat, |(_, action)| action.clone())
}

/// A garrison comes out only where it need not fear.
pub(super) fn gates(mind: &Mind<'_>) -> Action {
    let [own, other] = mind.forces();
    if outweighs(own, other, weight(Weight::PitchedDefender)) { Action::Accept } else { Action::Decline }
}

fn chosen(pitched: bool) -> Action {
    Action::Stance(if pitched { Stance::Pitched } else { Stance::Pursuit })
}

/// The first choice: the stronger side wants a pitched battle, and so does a defender in a town.
pub(super) fn stance(mind: &Mind<'_>) -> Action {
    let [own, other] = mind.forces();
    if mind.attacks() {
        let enough = own >= weight(Weight::PitchedAttackerSp) / 100;
        return chosen(enough && outweighs(own, other, weight(Weight::PitchedAttacker)));
    }
    let settled =
        mind.state.public.battle.as_ref().is_some_and(|battle| {
            matches!(map().cell(battle.hex).hex, Hex::Town | Hex::Depot | Hex::Citadel)
        });
    let stands = outweighs(own, other, weight(Weight::PitchedDefender));
    chosen(!mind.falls_back() && (stands || settled && outweighs(own, other, weight(Weight::FleeRatio))))
}

/// From the third round on: the beaten end it at once, the stronger with a pursuit before it ends by itself.
pub(super) fn stance_again(mind: &Mind<'_>) -> Action {
    let [own, other] = mind.forces();
    let round = mind.state.public.battle.as_ref().map_or(0, |battle| battle.round);
    let active = mind.attacks() == (round % 2 == 1);
    let late = round >= weight(Weight::FinishRound) / 100;
    let finishes = active && late && outweighs(own, other, weight(Weight::FinishRatio));
    let flees = !outweighs(own, other, weight(Weight::FleeRatio));
    chosen(!finishes && !flees)
}

pub(super) fn counter(mind: &Mind<'_>) -> Action {
    let [own, other] = mind.forces();
    if outweighs(own, other, weight(Weight::CounterRatio)) { Action::Counterattack } else { Action::Stop }
}

/// A rear-guard that beat off a far stronger enemy slips away.
pub(super) fn slip_away(mind: &Mind<'_>) -> Action {
    let [own, other] = mind.forces();
    let slips = mind.falls_back() && outweighs(other, own, weight(Weight::OverrideRatio));
    if slips { Action::Override } else { Action::Stand }
}

/// Whoever has cavalry goes after the beaten; everybody if nobody has.
pub(super) fn pursue(mind: &Mind<'_>) -> Action {
    let horse = |action: &&Action| match action {
        Action::Pursue(heads) => mind
            .columns
            .iter()
            .filter(|column| heads.contains(&column.head))
            .all(|column| column.points.cavalry > 0),
        _ => false,
    };
    let most = |action: &&Action| match action {
        Action::Pursue(heads) => heads.len(),
        _ => 0,
    };
    let mounted = mind.offered.iter().filter(horse).max_by_key(most);
    mounted.or_else(|| mind.offered.iter().max_by_key(most)).cloned().unwrap_or(Action::NoPursuit)
}

/// One hex, so that the pursuers may fight again; none where a stronger enemy stands beside it.
pub(super) fn advance(mind: &Mind<'_>) -> Action {
    let Some(battle) = &mind.state.public.battle else { return Action::Advance(0) };
    let host = mind.state.host(mind.side);
    let own: i32 = host.pursuers.iter().map(|&head| host.strength(head).all()).sum();
    let left = mind.foes.iter().filter(|foe| around(battle.hex).any(|next| next == foe.hex));
    let beside: i32 = left.map(|foe| foe.sp).sum();
    let one = Action::Advance(1);
    let held = mind.foes.iter().any(|foe| foe.hex == battle.hex);
    if mind.offer(&one).is_some() && !held && !outweighs(beside, own, weight(Weight::ReactRatio)) {
        one
    } else {
        Action::Advance(0)
    }
}

/// Infantry pays while it is more than twice the cavalry; then the split that keeps it so.
pub(super) fn losses(mind: &Mind<'_>) -> Option<Action> {
    let host = mind.state.host(mind.side);
    let points = host.force_points(&host.force);
    let splits = mind.offered.iter().filter_map(|action| match action {
        Action::TakeLosses { infantry, cavalry } => {
            let left = [points.infantry - i32::from(*infantry), points.cavalry - i32::from(*cavalry)];
            Some(((left[0] - 2 * left[1]).abs(), action))
        }
        _ => None,
    });
    splits.min_by_key(|(off, _)| *off).map(|(_, action)| action.clone())
}
