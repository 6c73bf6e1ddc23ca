//! What ground makes of a body that stands on it: the matrix read where its bases are (TE-9.3-08). A
//! body at one of its places enters; the state imposed and its rule leave, or why nobody of its kind
//! stands there.

use kernel::{Desk, Scripted, Spoken, Verdict};
use rulebook::options::tabletop::{Ditch, Options};
use rulebook::rule;

use super::super::ground::{self, Ground};
use super::super::obstacles::{ObstacleClass, cross};
use super::super::state::{self, State};
use super::super::troops::{Formation, Troops};
use super::super::{rivers, roads};
use super::{Ranked, class, extent_of, near, ranked, sappers_bridge, standing_in};
use crate::Arm;
use crate::fire::priority::nobody;
use crate::geometry::{Point, Polygon, Segment};
use crate::movement::stops_a_rider;
use crate::scene::{self, Body, Imposed, Kind, Presence, Scene, WaterKind};

/// The worst state the ground imposes on a body where it stands.
///
/// # Errors
/// The rule that keeps its arm out, or that deploys no guns there.
pub(crate) fn standing(
    scene: &Scene,
    body: &Body,
    presence: &Presence,
    options: &Options,
) -> Verdict<Option<Imposed>> {
    if presence.house.is_some() {
        return Ok(None);
    }
    let bases = ranked(&presence.figures);
    let (mut grounds, _, on_road) = standing_in(scene, &bases);
    let rider = body.arm == Arm::Officer;
    // Who may be in a house is a matter of garrisons and their doors.
    grounds.retain(|&ground| ground != Ground::House && (!rider || stops_a_rider(ground)));
    let troops = body.troops_at(presence, body.setup.state);
    let clerk = &mut nobody();
    let road = on_road && roads::takes_road(&troops, clerk)?;
    if grounds.contains(&Ground::Bridge) {
        rivers::fits_bridge(&troops, sappers_bridge(scene, &bases), clerk)?;
    }
    let mut worst = None;
    for element in ground::elements(&grounds, options, clerk) {
        // A road cancels what it goes through; of water, only what no bridge carries is met here.
        if road && !element.ground.is_watercourse() {
            continue;
        }
        if !was_pushed_into(element.ground, &troops) {
            element.admits(&troops, options)?;
        }
        if presence.formation == Formation::InPosition {
            element.deploy(true, clerk)?;
        }
        if !(element.ground.is_slope() && has_reorganised(body)) {
            worst = worse(worst, |desk| element.imposes(&troops, options, desk));
        }
    }
    if !rider
        && !road
        && let Some(class) = crossing(scene, &bases, options)
    {
        cross::may_cross(class, &troops)?;
        worst = worse(worst, |desk| cross::imposes(class, &troops, options, desk));
    }
    Ok(worst)
}

/// The worse of what was imposed so far and of what an element imposes, with the rule it names.
fn worse(
    sofar: Option<Imposed>,
    imposes: impl FnOnce(&mut Desk<Scripted<'static>, Spoken>) -> Option<State>,
) -> Option<Imposed> {
    let mut desk = Desk::new(Scripted::new(&[]), Spoken::default());
    let Some(state) = imposes(&mut desk) else {
        // Who keeps his order where others lose it does so by an option, and this is told.
        let kept = desk.notes.reasons().any(|because| because.rule == rule!(TE_R07));
        return sofar.or(kept.then_some(Imposed { state: State::Formed, rule: rule!(TE_R07) }));
    };
    if state == State::Formed || sofar.is_some_and(|sofar| sofar.state >= state) {
        return sofar;
    }
    let rule = desk.notes.reasons().last().map_or(rule!(TE_9_3_08), |because| because.rule);
    Some(Imposed { state, rule })
}

/// Nobody walks into a marsh; who was pushed back into one stands there without formation (TE-R68).
fn was_pushed_into(ground: Ground, troops: &Troops) -> bool {
    ground == Ground::Marsh && troops.state >= State::Unformed
}

/// Whether a body has stood still on its slope for the time it needs to reorganise (TE-2.6-07).
fn has_reorganised(body: &Body) -> bool {
    let needed = state::reform_quarters(State::Disorganised, body.setup.status, &mut nobody());
    match body.moved {
        [_, second] if second > 0 => false,
        [first, _] if first > 0 => needed <= 1,
        _ => true,
    }
}

/// The worst of the linear obstacles that a body is crossing: one that runs through a base, or has
/// some of its bases on either side (TE-R06).
pub(super) fn crossing(scene: &Scene, bases: &[Ranked], options: &Options) -> Option<ObstacleClass> {
    near(scene, &extent_of(bases))
        .filter_map(|element| match &element.kind {
            Kind::Obstacle(line) => line_crossed(bases, line),
            Kind::Redoubt(redoubt) => line_crossed(bases, &redoubt.faces),
            Kind::Water(water)
                if water.kind == WaterKind::Ditch && options.ditch == Ditch::AsLightObstacle =>
            {
                let edges = || water.axis.windows(2).map(|edge| Segment::new(edge[0], edge[1]));
                let through = bases.iter().any(|one| runs_through(one, edges()));
                let parts = |to: Point| {
                    let way = Segment::new(bases[0].base.centre, to);
                    edges().filter(|edge| way.crosses(edge.from, edge.to)).count() % 2 == 1
                };
                (through || bases.iter().any(|one| parts(one.base.centre))).then_some(ObstacleClass::Light)
            }
            _ => None,
        })
        .max()
}

/// The class of a line where a body is crossing it.
pub(super) fn line_crossed(bases: &[Ranked], line: &scene::Obstacle) -> Option<ObstacleClass> {
    let through = line
        .stretches()
        .filter(|(stretch, _)| bases.iter().any(|one| runs_through(one, [*stretch].into_iter())))
        .filter_map(|(_, of)| class(of));
    let (first, others) = bases.split_first()?;
    let parted = others.iter().filter_map(|other| {
        let between = Segment::new(first.base.centre, other.base.centre);
        let met: Vec<ObstacleClass> = line.crossings(between).filter_map(|(_, _, of)| class(of)).collect();
        if met.len() % 2 == 1 { met.into_iter().max() } else { None }
    });
    through.chain(parted).max()
}

/// Whether a line runs through a base by more than the rounding of a corner.
fn runs_through(one: &Ranked, mut edges: impl Iterator<Item = Segment>) -> bool {
    let [_, inner @ ..] = one.base.points;
    let inner = Polygon::new(inner.to_vec());
    edges.any(|edge| inner.is_entered_by(edge))
}
