//! From sight to fire: the line of fire (procedure, section 4.2), who can never be a target (4.1)
//! and range and time, figure by figure (4.3).

use kernel::{Centimetres, Refusal, Verdict};
use rulebook::options::tabletop::{ArtilleryAtOfficers, FireThroughFriendlySkirmishers, RangeTimeTest};
use rulebook::phrase::tabletop_shoot as say;
use rulebook::rule;

use super::ground::{Element, Ground, Slot, Target};
use super::priority::nobody;
use super::shelter::is_lower;
use super::{Class, Duration};
use crate::Arm;
use crate::geometry::{Gap, Segment, crosses_line};
use crate::scene::{Figure, Instant, Kind, Presence};
use crate::sight::{Block, Eye, View, eyes};

/// Nobody fires at a figure nearer than this to a friend's melee (FE-1.5-04).
const NEAR_MELEE: i64 = 200;
/// An officer is a target only farther than this from his own (FE-1.5-13).
const ISOLATED: i64 = 500;
/// Units below are fired over only farther away than this (TE-2.5-06).
const OVERHEAD: i64 = 200;

/// What stops a fire at somebody who is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stop {
    /// Friendly skirmishers or an officer on the line.
    Body(usize),
    /// The crest of a hill that the figure has not passed.
    Crest(usize),
    /// A body that may not be fired over.
    Overhead(usize),
}

impl Ground<'_> {
    /// Whether an enemy may be a target of an element at all.
    ///
    /// # Errors
    /// Why he may not.
    pub fn is_legal(&self, element: Element, slot: Slot, target: Target) -> Verdict<()> {
        let (shooter, body) = (self.body(element.body), self.body(target.body));
        let refuse =
            |rule, phrase| Refusal::rule(rule, phrase).with("target", body.name().to_owned()).stands(());
        if shooter.side() == body.side() {
            refuse(rule!(FE_1_03), say::FRIEND)?;
        }
        let presence = body.now();
        if let (Some(house), Some(side)) = (presence.house, target.side) {
            let wall = Element { body: target.body, part: super::ground::Part::Side(side) };
            if self.is_inside(shooter.side(), house) || self.is_touched(wall) {
                refuse(rule!(FE_R77), say::SIDE_TOUCHED)?;
            }
        } else if body.in_melee
            || (slot != Slot::Charged
                && self.contacted_by(target.body).iter().any(|&by| self.body(by).side() == shooter.side()))
        {
            refuse(rule!(FE_1_5_03), say::TARGET_IN_MELEE)?;
        }
        self.out_of_crops(element.body, Some(target.body), &mut nobody())?;
        if slot == Slot::First && self.is_leaving(target.body) {
            refuse(rule!(FE_1_5_09), say::ONLY_AT_END)?;
        }
        if body.arm == Arm::Officer {
            if shooter.arm.is_artillery()
                && self.options.artillery_at_officers == ArtilleryAtOfficers::Forbidden
            {
                refuse(rule!(FE_R62), say::NO_GUNS_AT_OFFICERS)?;
            }
            let near = self.scene.bodies().iter().enumerate().any(|(place, friend)| {
                place != target.body
                    && friend.side() == body.side()
                    && friend.arm != Arm::Officer
                    && friend.now().extent.grown(ISOLATED).meets(&presence.extent)
                    && friend.now().gap_to(presence).rounded() <= ISOLATED
            });
            if near {
                refuse(rule!(FE_1_5_13), say::OFFICER_NOT_ALONE)?;
            }
        }
        Ok(())
    }

    /// Whether a figure of a target is an aim point: not near a melee with one of the shooter's side.
    #[must_use]
    pub fn is_aim_point(&self, element: Element, figure: &Figure) -> bool {
        let side = self.body(element.body).side();
        let near = |place: usize| {
            self.body(place).now().figures.iter().any(|other| {
                other.base.extent.grown(NEAR_MELEE).meets(&figure.base.extent)
                    && other.base.gap_to(&figure.base).rounded() < NEAR_MELEE
            })
        };
        // A melee that contains a friend: a friend in it, or an enemy whom a friend touches.
        let clear = self.melees().iter().all(|&place| {
            let involved = self.body(place).side() == side
                || self.melees().iter().any(|&friend| {
                    self.body(friend).side() == side
                        && self.body(friend).now().extent.grown(10).meets(&self.body(place).now().extent)
                        && self.body(friend).now().gap_to(self.body(place).now()).touches()
                });
            !involved || !near(place)
        });
        rule!(FE_1_5_04).holds(clear)
    }

    /// Whether an element sees a target at an instant, arcs ignored.
    ///
    /// # Errors
    /// What blocks the shortest line.
    pub fn sees(&self, element: Element, target: Target, instant: Instant) -> Result<(), Block> {
        let outlook = self.outlook(instant);
        let shooter = self.body(element.body).at(instant);
        let mut view = View::new(outlook, element.body, target.body);
        let marks: Vec<Figure> = self.marks(target, self.body(target.body).at(instant)).cloned().collect();
        if outlook.lookout(element.body).is_some() || self.body(element.body).battery().is_some() {
            let seen = eyes(outlook, element.body, shooter)
                .into_iter()
                .any(|eye| view.eye_sees(eye, &marks).is_some());
            return if seen { Ok(()) } else { view.sees().map(|_| ()) };
        }
        for figure in self.figures(element, shooter) {
            let eye = Eye { at: figure.base.front, figure: Some(figure) };
            if view.eye_sees(eye, &marks).is_some() {
                return Ok(());
            }
        }
        match view.sees() {
            Err(block) => Err(block),
            // Another part of the body sees it, or another side of the house is seen.
            Ok(seen) => Err(Block::elsewhere(seen)),
        }
    }

    /// Whether an element saw a target in Q1 and in Q2: at both ends of the quarter (FE-R75).
    #[must_use]
    pub fn seen(&self, element: Element, target: Target) -> [bool; 2] {
        let sees = |instant| self.sees(element, target, instant).is_ok();
        let same = |a: Instant, b: Instant| std::ptr::eq(self.outlook(a), self.outlook(b));
        let end = sees(Instant::P2);
        let middle = if same(Instant::P1, Instant::P2) { end } else { sees(Instant::P1) };
        let second = end && middle;
        let melee = self.body(target.body).setup.record.melee_q1;
        let first = middle && !melee && (same(Instant::P0, Instant::P1) || sees(Instant::P0));
        [first, second]
    }

    /// Whether a figure has a line of fire to a figure of the target.
    pub fn has_line(&self, view: &mut View<'_>, element: Element, figure: &Figure, mark: &Figure) -> bool {
        let eye = Eye { at: figure.base.front, figure: Some(figure) };
        view.clear_to(eye, mark, |view, line| self.is_fire_clear(view, element, figure, line))
    }

    /// What the line of fire asks beyond sight.
    fn is_fire_clear(&self, view: &View<'_>, element: Element, figure: &Figure, line: Segment) -> bool {
        self.fire_stopped(view, element, figure, line).is_none()
    }

    /// What stops a fire along a line that sight has free.
    pub(super) fn fire_stopped(
        &self,
        view: &View<'_>,
        element: Element,
        figure: &Figure,
        line: Segment,
    ) -> Option<Stop> {
        let shooter = self.body(element.body);
        let outlook = view.outlook();
        let blocked_by_friend = |place: usize| {
            let friend = self.body(place);
            let presence = friend.at(outlook.instant);
            if !presence.extent.meets(&line.extent()) {
                return false;
            }
            let skirmishers = presence.class == Some(Class::Open);
            match self.options.fire_through_friendly_skirmishers {
                FireThroughFriendlySkirmishers::Free if skirmishers => false,
                FireThroughFriendlySkirmishers::Forbidden if skirmishers => {
                    presence.footprint.is_entered_by(line)
                        || presence.figures.iter().any(|figure| figure.base.is_met_by(line))
                }
                _ => presence.figures.iter().any(|figure| figure.base.is_met_by(line)),
            }
        };
        if let Some(&friend) =
            view.friends().iter().find(|&&place| rule!(FE_R70).holds(blocked_by_friend(place)))
        {
            return Some(Stop::Body(friend));
        }
        let passed = |place: usize| match &self.scene.elements()[place].kind {
            Kind::Hill(hill) if hill.outline.holds(figure.base.front) => {
                figure.base.gap_to_line(&hill.crest).touches() || !crosses_line(line, &hill.long_crest)
            }
            _ => true,
        };
        if let Some(&crest) = view.elements().iter().find(|&&place| !rule!(FE_1_3_07).holds(passed(place))) {
            return Some(Stop::Crest(crest));
        }
        if !outlook.is_high(element.body, line) {
            return None;
        }
        let clears = |place: usize| {
            let other = self.body(place);
            let presence = other.at(outlook.instant);
            let met = presence.extent.meets(&line.extent())
                && presence.figures.iter().any(|figure| figure.base.is_met_by(line));
            !met || (is_lower(self.scene, outlook.instant, shooter, other)
                && shooter.at(outlook.instant).gap_to(presence).rounded() > OVERHEAD)
        };
        view.maskers().iter().find(|&&place| !clears(place)).map(|&place| Stop::Overhead(place))
    }

    /// The shortest distance from a figure to the figures of a target.
    #[must_use]
    pub fn gap_from(&self, figure: &Figure, target: Target, presence: &Presence) -> Gap {
        self.marks(target, presence).map(|mark| figure.base.gap_to(&mark.base)).min().unwrap_or(Gap::FAR)
    }

    /// How much a target's approach in each quarter counts against the range (FE-R10).
    #[must_use]
    pub fn approached(&self, figure: &Figure, target: Target) -> [i64; 2] {
        let body = self.body(target.body);
        let gap = |instant| self.gap_from(figure, target, body.at(instant)).rounded();
        let counts = |quarter: usize, from: Instant, to: Instant| {
            let nearer = body.moved[quarter] > 0 && gap(to) < gap(from);
            if rule!(FE_1_4_01).holds(nearer) { body.moved[quarter] } else { 0 }
        };
        [counts(0, Instant::P0, Instant::P1), counts(1, Instant::P1, Instant::P2)]
    }

    /// How long a figure may fire: range and time (procedure, section 4.3).
    ///
    /// # Errors
    /// Which of the three conditions fails.
    #[allow(clippy::too_many_arguments, reason = "the facts of one figure's fire")]
    pub fn duration(
        &self,
        element: Element,
        slot: Slot,
        figure: &Figure,
        target: Target,
        distance: i64,
        range: Centimetres,
        seen: [bool; 2],
    ) -> Verdict<Duration> {
        let body = self.body(target.body);
        let range_here = i64::from(range.count());
        let still = if self.body(element.body).now().house.is_some() {
            [true; 2]
        } else {
            self.body(element.body).still
        };
        let name = || body.name().to_owned();
        let in_time: [bool; 2] = match self.options.range_time_test {
            RangeTimeTest::AdditiveActualMove => {
                let [first, second] = self.approached(figure, target);
                match slot {
                    Slot::First => [distance + first <= range_here, false],
                    _ => [
                        rule!(FE_1_4_03).holds(distance + first + second <= range_here),
                        rule!(FE_1_4_02).holds(distance + second <= range_here),
                    ],
                }
            }
            RangeTimeTest::ExactPositions => {
                let at = |instant| self.gap_from(figure, target, body.at(instant)).rounded() <= range_here;
                match slot {
                    Slot::First => [at(Instant::P0), false],
                    _ => [at(Instant::P0) && at(Instant::P1), at(Instant::P1)],
                }
            }
        };
        let (seen_enough, time_enough) = match slot {
            Slot::First => (seen[0], in_time[0]),
            _ => (seen[1], in_time[1]),
        };
        if rule!(FE_1_08).holds(!seen_enough) {
            return Err(Refusal::rule(rule!(FE_1_08), say::NOT_SEEN_FOR_A_QUARTER).with("target", name()));
        }
        if rule!(FE_1_4_04).holds(!rule!(FE_1_09).holds(time_enough)) {
            return Err(Refusal::rule(rule!(FE_1_4_04), say::NOT_A_QUARTER_IN_RANGE)
                .with("target", name())
                .with("range", range));
        }
        let motionless = match still {
            // Who moved first and stood then has a quarter fire.
            [false, true] => !rule!(FE_1_2_03).holds(true),
            both => both == [true; 2],
        };
        let whole = match slot {
            Slot::Joint => rule!(FE_1_4_05).holds(motionless && seen == [true; 2] && in_time[0]),
            Slot::First | Slot::Second => !rule!(FE_2_3_09).holds(true),
            Slot::Charged => false,
        };
        Ok(if whole { Duration::Whole } else { Duration::Quarter })
    }
}
