//! A march over ground: section 5 of the geometry page and the movement rules of the terrain
//! chapter. A body, its allowance and the stretches of its way enter; the distance got in each
//! quarter, where it stands and in which state, or the rule that stops it, leave.
//!
//! Geometry makes the stretches, or a player names them: for each, its length and every element
//! that some base of the body overlaps meanwhile, from the first contact until the last base has
//! left (TE-R06).

mod crossing;
mod rates;

pub use rates::{ChargeType, RateClass, charge_distance, rate, rate_named};

use kernel::{Centimetres, Clerk, Effect, Measure, Verdict, Whole};
use rulebook::options::tabletop::{Ditch, LinearCrossing, Options};
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::terrain::ground::{self, Element, Fraction, Ground};
use crate::terrain::obstacles::{ObstacleClass, cross};
use crate::terrain::state::{self, State};
use crate::terrain::troops::{Formation, Troops};
use crate::terrain::{charge, hills, plateau, rivers, roads};

/// How a body moves.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Pace {
    /// At its ordinary rate.
    #[default]
    Normal,
    /// Forced march: column only, and its order is lost.
    Forced,
    /// Backwards, keeping its face to the enemy, at half rate.
    Backward,
    /// To contact, with the charge bonus.
    Charge,
}

/// One stretch of a way.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// Its length.
    pub cm: Centimetres,
    /// Every element some base overlaps on it.
    #[serde(default)]
    pub ground: Vec<Ground>,
    /// Every rank is on a road strip, a street or a bridge.
    #[serde(default)]
    pub on_road: bool,
    /// Only part of the body is in those elements.
    #[serde(default)]
    pub partly: bool,
    /// A linear obstacle that lies across its beginning.
    pub obstacle: Option<ObstacleClass>,
    /// Ranks already over that obstacle.
    #[serde(default)]
    pub ranks_across: Whole<0, 99>,
    /// It begins by leaving a tree-lined road between the trees, or by a gap.
    pub leaves_trees: Option<LeavesTrees>,
    /// The width of the sappers' bridge it goes over.
    pub bridge_width_cm: Option<Centimetres>,
    /// Quarters spent turning before it.
    #[serde(default)]
    pub turn_quarters: Whole<0, 40>,
}

/// How a tree-lined road is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LeavesTrees {
    /// Between the trees.
    BetweenTrees,
    /// By a section without any.
    ByGap,
}

impl Stretch {
    /// A stretch of this length over these elements.
    #[must_use]
    pub fn new(cm: Centimetres, ground: &[Ground]) -> Self {
        Self {
            cm,
            ground: ground.to_vec(),
            on_road: false,
            partly: false,
            obstacle: None,
            ranks_across: Whole::default(),
            leaves_trees: None,
            bridge_width_cm: None,
            turn_quarters: Whole::default(),
        }
    }
}

/// A march.
#[derive(Clone, Debug)]
pub struct March<'a> {
    /// Who marches.
    pub troops: &'a Troops,
    /// Its movement in a half-period on plain, in its formation and pace.
    pub half_period: Centimetres,
    /// How.
    pub pace: Pace,
    /// Quarters it marches.
    pub quarters: i32,
    /// Its way.
    pub way: &'a [Stretch],
    /// It takes the road bonus where it can.
    pub road_bonus: bool,
    /// Its charge bonus.
    pub charge_bonus: Centimetres,
    /// The state that the ground it starts from imposes.
    pub loosened: Option<State>,
}

/// What a stretch cost.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Cost {
    /// Which stretch, from 0.
    pub stretch: usize,
    /// Distance made on it.
    pub distance_cm: Centimetres,
    /// Allowance spent on it, rounded up to a tenth of a millimetre.
    pub spent_cm: Centimetres,
    /// Ranks that crossed its obstacle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranks_across: Option<i32>,
}

/// Where a march ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Marched {
    /// Distance got in each quarter.
    pub quarters_cm: Vec<Centimetres>,
    /// In all.
    pub distance_cm: Centimetres,
    /// Whether the way is at its end.
    pub arrived: bool,
    /// The quarter of arrival.
    pub arrival_quarter: Option<i32>,
    /// Its state.
    pub state: State,
    /// What each stretch cost.
    pub costs: Vec<Cost>,
    /// The stretch on which it stands.
    pub stands_on: usize,
    /// Quarters spent turning.
    #[serde(skip_serializing_if = "is_zero")]
    pub turning_quarters: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Allowance is counted in thirds of a tenth of a millimetre, so that every fraction is exact.
const THIRDS: i64 = 3;

/// A march in progress.
struct Marcher<'a> {
    march: &'a March<'a>,
    options: &'a Options,
    takes_road: bool,
    state: State,
    before_terrain: State,
    at: usize,
    done: i64,
    across: i32,
    /// Its ranks; they matter on a way with an obstacle alone.
    deep: i32,
    quarters: Vec<i64>,
    costs: Vec<(i64, i64, Option<i32>)>,
    touched_slope: bool,
    /// Quarters of turning still to spend before the stretch at hand.
    to_turn: i32,
    turned: usize,
}

/// What ground a stretch has for this body.
struct Going {
    fraction: Fraction,
    imposed: Option<State>,
    road: bool,
}

/// Marches a body along its way.
///
/// # Errors
/// The rule that stops it at its first forbidden step.
pub fn march(march: &March<'_>, options: &Options, clerk: &mut impl Clerk) -> Verdict<Marched> {
    if march.troops.formation == Formation::Single {
        clerk.applied(rule!(TE_R91));
        let way = as_a_rider_goes(march.way);
        return on_way(&March { way: &way, ..march.clone() }, options, clerk);
    }
    if options.ditch == Ditch::AsLightObstacle {
        let way = ditches_as_hedges(march.way);
        return on_way(&March { way: &way, ..march.clone() }, options, clerk);
    }
    on_way(march, options, clerk)
}

/// The way of a single rider: only houses, rivers and marshes matter to him.
fn as_a_rider_goes(way: &[Stretch]) -> Vec<Stretch> {
    way.iter()
        .map(|stretch| {
            let mut stretch = stretch.clone();
            stretch.obstacle = None;
            stretch.leaves_trees = None;
            stretch.bridge_width_cm = None;
            stretch.ground.retain(|&ground| stops_a_rider(ground));
            stretch
        })
        .collect()
}

/// Whether ground matters to a single rider (tabletop-core, section 5).
pub(crate) const fn stops_a_rider(ground: Ground) -> bool {
    matches!(ground, Ground::House | Ground::River | Ground::LargeRiver | Ground::Marsh | Ground::Bridge)
}

/// Each ditch of a way as a light obstacle at its near bank (TE-R63).
fn ditches_as_hedges(way: &[Stretch]) -> Vec<Stretch> {
    let mut in_ditch = false;
    way.iter()
        .map(|stretch| {
            let ditch = stretch.ground.contains(&Ground::Ditch);
            let mut stretch = stretch.clone();
            if ditch && !in_ditch && stretch.obstacle.is_none() {
                stretch.obstacle = Some(ObstacleClass::Light);
            }
            in_ditch = ditch;
            stretch
        })
        .collect()
}

fn on_way(march: &March<'_>, options: &Options, clerk: &mut impl Clerk) -> Verdict<Marched> {
    let start_ground = march.way.first().map(|stretch| stretch.ground.as_slice()).unwrap_or_default();
    let held = {
        let all = ground::elements(start_ground, options, clerk);
        march.loosened.is_some()
            || ground::imposed_state(&all, march.troops, options, clerk).is_some()
            || march.way.first().is_some_and(|stretch| stretch.ranks_across.get() > 0)
    };
    state::may_act(march.troops, held, clerk)?;
    if march.pace == Pace::Backward {
        let slope = march.way.iter().any(|stretch| stretch.ground.iter().any(|g| g.is_slope()));
        hills::move_back(slope)?;
    }
    let on_any_road = march.way.iter().any(|stretch| stretch.on_road);
    let crosses = march.way.iter().any(|stretch| stretch.obstacle.is_some());
    charge::not_across(crosses && march.pace == Pace::Charge)?;
    let mut marcher = Marcher {
        march,
        options,
        takes_road: on_any_road && roads::takes_road(march.troops, clerk)?,
        state: march.loosened.map_or(march.troops.state, |loosened| loosened.max(march.troops.state)),
        before_terrain: march.troops.state,
        at: 0,
        done: 0,
        across: march.way.first().map_or(0, |stretch| stretch.ranks_across.get()),
        deep: if crosses { march.troops.deep()? } else { 1 },
        quarters: Vec::new(),
        costs: vec![(0, 0, None); march.way.len()],
        touched_slope: false,
        to_turn: march.way.first().map_or(0, |stretch| stretch.turn_quarters.get()),
        turned: 0,
    };
    marcher.run(clerk)?;
    marcher.finish(clerk)
}

impl Marcher<'_> {
    /// The going of a stretch, said once when the body sets foot on it.
    fn going(&mut self, clerk: &mut impl Clerk) -> Verdict<Going> {
        let Some(stretch) = self.march.way.get(self.at) else {
            return Ok(Going { fraction: Fraction::ONE, imposed: None, road: false });
        };
        let road = stretch.on_road && self.takes_road;
        let bridged = stretch.ground.contains(&Ground::Bridge);
        if bridged {
            rivers::fits_bridge(self.march.troops, stretch.bridge_width_cm, clerk)?;
        }
        let all = ground::elements(&stretch.ground, self.options, clerk);
        let mut acting: Vec<Element> = Vec::new();
        let mut cancelled = false;
        for element in all {
            let water = element.ground.is_watercourse();
            if (bridged && water) || (road && !water) {
                cancelled |= !bridged && !matches!(element.ground, Ground::Road | Ground::Street);
                continue;
            }
            element.admits(self.march.troops, self.options)?;
            acting.push(element);
        }
        if cancelled {
            clerk.because(rule!(TE_7_1_04), Effect::Times(1, 1));
        }
        if self.march.pace == Pace::Charge {
            for element in &acting {
                element.charge_through()?;
            }
        }
        self.touched_slope |= acting.iter().any(|element| element.ground.is_slope());
        if stretch.ground.contains(&Ground::PlateauTop) {
            plateau::speed_on_top(!stretch.ground.contains(&Ground::PlateauSlope), clerk);
        }
        let fraction = ground::speed(&acting, self.march.troops, clerk);
        let imposed = ground::imposed_state(&acting, self.march.troops, self.options, clerk);
        if fraction != Fraction::ONE && imposed.is_some() {
            clerk.applied(rule!(TE_1_3_03));
        }
        if stretch.partly && (fraction != Fraction::ONE || imposed.is_some()) {
            clerk.applied(rule!(TE_4_3_06));
        }
        Ok(Going { fraction, imposed, road })
    }

    /// Enters the stretch at hand: trees left, state taken.
    fn enter(&mut self, clerk: &mut impl Clerk) -> Verdict<Going> {
        if let Some(how) = self.march.way.get(self.at).and_then(|stretch| stretch.leaves_trees) {
            let body = self.march.troops.clone().in_state(self.state);
            self.state = roads::leave_tree_lined(&body, how == LeavesTrees::BetweenTrees, clerk);
            self.before_terrain = self.before_terrain.max(self.state);
        }
        let going = self.going(clerk)?;
        if let Some(imposed) = going.imposed {
            self.state = self.state.max(imposed);
        }
        Ok(going)
    }

    fn run(&mut self, clerk: &mut impl Clerk) -> Verdict<()> {
        let half = i64::from(self.march.half_period.count().max(0));
        let half = if self.march.pace == Pace::Backward { half / 2 } else { half };
        let mut going = self.enter(clerk)?;
        let mut charge_left = self.march.pace == Pace::Charge;
        let mut quarter = 0;
        let mut unspent = 0;
        while quarter < self.march.quarters {
            if self.has_stopped_to_turn() {
                self.next_stretch();
                going = self.enter(clerk)?;
            }
            if self.to_turn > 0 {
                // What is left of a quarter is lost to a body that turns: it turns for whole ones.
                clerk.because(rule!(TE_R91), Effect::Set(Measure::Number(0)));
                self.to_turn -= 1;
                self.turned += 1;
                self.quarters.push(0);
                unspent = 0;
                quarter += 1;
                continue;
            }
            let halves = (self.march.quarters - quarter).min(2);
            if let Some(class) = self.obstacle_ahead(half, &going)
                && self.options.linear_crossing == LinearCrossing::ByRank
            {
                self.cross_by_rank(class, half, halves, &mut going, clerk)?;
                quarter += halves;
                continue;
            }
            let mut moved = 0;
            // What one quarter could not use up exactly serves the other of the half-period.
            let mut budget = half * THIRDS / 2 + if quarter % 2 == 1 { unspent } else { 0 };
            let left = self.way_left();
            if charge_left && left <= half / 2 + i64::from(self.march.charge_bonus.count()) {
                charge_left = false;
                let bonus = self.march.charge_bonus;
                budget += i64::from(bonus.count()) * THIRDS;
                if going.road && self.march.road_bonus {
                    budget += i64::from(roads::charge_bonus(bonus, self.options, clerk).count()) * THIRDS;
                }
            }
            let road_at_start = going.road;
            let mut whole_road = road_at_start;
            self.advance(&mut budget, &mut moved, &mut going, &mut whole_road, clerk)?;
            unspent = budget;
            if self.takes_road && (road_at_start || going.road) && moved > 0 {
                let d = Centimetres::hundredths(i32::try_from(moved).unwrap_or(i32::MAX));
                let more = roads::bonus(d, whole_road, self.march.road_bonus, self.options, clerk);
                let mut extra = i64::from(more.count()) * THIRDS;
                let mut on_road = true;
                self.advance(&mut extra, &mut moved, &mut going, &mut on_road, clerk)?;
            }
            self.quarters.push(moved);
            quarter += 1;
        }
        Ok(())
    }

    /// The stretch at hand is at its end and the next begins with a turn.
    fn has_stopped_to_turn(&self) -> bool {
        let length = self.march.way.get(self.at).map_or(0, |stretch| i64::from(stretch.cm.count().max(0)));
        self.to_turn == 0 && self.done >= length && self.turns_next()
    }

    fn turns_next(&self) -> bool {
        self.march.way.get(self.at + 1).is_some_and(|next| next.turn_quarters.get() > 0)
    }

    fn way_left(&self) -> i64 {
        let ahead: i64 =
            self.march.way.iter().skip(self.at).map(|stretch| i64::from(stretch.cm.count().max(0))).sum();
        ahead - self.done
    }

    fn next_stretch(&mut self) {
        self.at += 1;
        self.done = 0;
        self.across = self.march.way.get(self.at).map_or(0, |next| next.ranks_across.get());
        self.to_turn = self.march.way.get(self.at).map_or(0, |next| next.turn_quarters.get());
    }

    fn note(&mut self, distance: i64, spent: i64) {
        if let Some(cost) = self.costs.get_mut(self.at) {
            cost.0 += distance;
            cost.1 += spent;
        }
    }

    /// Spends a budget along the way, stretch by stretch, until it, the way, or free ground ends.
    fn advance(
        &mut self,
        budget: &mut i64,
        moved: &mut i64,
        going: &mut Going,
        whole_road: &mut bool,
        clerk: &mut impl Clerk,
    ) -> Verdict<()> {
        while let Some(stretch) = self.march.way.get(self.at) {
            let mut fraction = going.fraction;
            let continuous = self.options.linear_crossing == LinearCrossing::Continuous;
            if let Some(class) = stretch.obstacle
                && continuous
                && self.across < self.deep
            {
                cross::may_cross(class, self.march.troops)?;
                charge::not_across(self.march.pace == Pace::Charge)?;
                if let Some(imposed) = cross::imposes(class, self.march.troops, self.options, clerk) {
                    self.state = self.state.max(imposed);
                }
                // The depth of the body goes through at the fraction of the obstacle.
                let slow = cross::fraction(class, clerk);
                clerk.applied(rule!(TE_R75));
                let depth = i64::from(self.march.troops.base_depth().count()) * i64::from(self.deep);
                let length = depth.min(i64::from(stretch.cm.count().max(0)));
                fraction = fraction.times(slow);
                let (went, through) = self.spend(budget, fraction, length - self.done);
                *moved += went;
                if !through {
                    return Ok(());
                }
                self.across = self.deep;
                fraction = going.fraction;
            } else if stretch.obstacle.is_some() && self.across < self.deep {
                return Ok(());
            }
            *whole_road &= going.road;
            let length = i64::from(stretch.cm.count().max(0)) - self.done;
            let (went, through) = self.spend(budget, fraction, length);
            *moved += went;
            if !through || self.at + 1 >= self.march.way.len() {
                return Ok(());
            }
            let next_obstacle = self.march.way.get(self.at + 1).and_then(|next| next.obstacle);
            if next_obstacle.is_some() && !continuous {
                // Crossed by ranks, in a half-period of its own.
                return Ok(());
            }
            if *budget == 0 || self.turns_next() {
                return Ok(());
            }
            self.next_stretch();
            *going = self.enter(clerk)?;
        }
        Ok(())
    }

    /// Moves up to `length` at a fraction; says how far it got and whether it is through.
    fn spend(&mut self, budget: &mut i64, fraction: Fraction, length: i64) -> (i64, bool) {
        let (of, whole) = (i64::from(fraction.of.max(1)), i64::from(fraction.whole.max(1)));
        let reach = *budget * of / (THIRDS * whole);
        let went = reach.min(length.max(0));
        let cost = (went * THIRDS * whole + of - 1) / of;
        *budget = (*budget - cost).max(0);
        self.done += went;
        self.note(went, cost);
        (went, went >= length)
    }

    fn finish(mut self, clerk: &mut impl Clerk) -> Verdict<Marched> {
        if self.march.pace == Pace::Forced {
            if self.touched_slope {
                let body = self.march.troops.clone().in_state(self.state);
                self.state = hills::forced_march(&body, clerk);
            } else {
                self.state = state::worsen(self.state, State::Unformed, rule!(TE_R91), clerk);
            }
        } else if self.state > self.before_terrain {
            let still_held = {
                let here = self.march.way.get(self.at).map(|s| s.ground.as_slice()).unwrap_or_default();
                let all = ground::elements(here, self.options, clerk);
                ground::imposed_state(&all, self.march.troops, self.options, clerk).is_some()
                    || (self.across > 0 && self.across < self.deep)
            };
            if !still_held {
                self.state = state::on_leaving(self.before_terrain, self.state, self.options, clerk);
            }
        }
        let as_cm = |value: i64| Centimetres::hundredths(i32::try_from(value).unwrap_or(i32::MAX));
        let arrived = self.at + 1 >= self.march.way.len() && self.way_left() <= 0 && self.to_turn == 0;
        let mut arrival_quarter = None;
        if arrived {
            let last = self.quarters.iter().rposition(|&moved| moved > 0).unwrap_or(0);
            arrival_quarter = i32::try_from(last + 1).ok();
        }
        let total: i64 = self.quarters.iter().sum();
        Ok(Marched {
            distance_cm: as_cm(total),
            quarters_cm: self.quarters.iter().map(|&moved| as_cm(moved)).collect(),
            arrived,
            arrival_quarter,
            state: self.state,
            costs: self
                .costs
                .iter()
                .enumerate()
                .filter(|(_, cost)| **cost != (0, 0, None))
                .map(|(stretch, &(distance, spent, ranks))| Cost {
                    stretch,
                    distance_cm: as_cm(distance),
                    spent_cm: as_cm((spent + THIRDS - 1) / THIRDS),
                    ranks_across: ranks,
                })
                .collect(),
            stands_on: self.at,
            turning_quarters: self.turned,
        })
    }
}

#[cfg(test)]
#[path = "movement_tests.rs"]
mod tests;
