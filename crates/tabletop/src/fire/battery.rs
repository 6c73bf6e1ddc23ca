//! The fire of a battery: sections 3.3 to 3.7 of the fire chapter (procedure, sections 4.5, 6.3,
//! 10.2 and 10.3).

use kernel::{Clerk, Effect, Losses, Measure, Refusal, RuleId, Verdict};
use rulebook::options::tabletop::{ArtilleryExposure, PenetrationDie, ScreenDeduction};
use rulebook::phrase::tabletop_shoot as say;
use rulebook::rule;

use super::corridor::{Corridor, Count, OnAxis, cm};
use super::declare::{Declaration, Fired, Hit};
use super::die;
use super::ground::{Element, Ground, Slot, Target};
use super::losses::{Adjustment, Duration, Group, behind, losses};
use super::modifiers;
use super::received::Settled;
use super::weapon::CANISTER_DOUBLED_UNDER;
use super::{Class, Projectile};
use crate::Arm;
use crate::geometry::{Extent, Segment, turned};
use crate::scene::{self, Body, Figure, Instant, Kind, Presence};
use crate::terrain::plateau;

/// How far behind open order canister still hits.
const CANISTER_BEHIND: i64 = 700;

/// A body on the aim axis.
#[derive(Clone, Copy)]
struct Met<'p> {
    target: Target,
    presence: &'p Presence,
    on: OnAxis,
}

impl Ground<'_> {
    /// Whether a target may be declared: to the front, between the sides of the corridor and in view.
    /// Nothing is measured yet (FE-3.3-08).
    ///
    /// # Errors
    /// Why it may not.
    pub(super) fn in_corridor(
        &self,
        element: Element,
        slot: Slot,
        target: Target,
        settled: &Settled,
        clerk: &mut impl Clerk,
    ) -> Verdict<Corridor> {
        let instant = slot.instant();
        let Some(corridor) = Corridor::of(self, element.body, instant) else {
            return Err(Refusal::field("shooter", rulebook::phrase::tabletop::BATTERIES_ONLY));
        };
        let body = self.body(target.body);
        let presence = settled.presence.as_ref().unwrap_or_else(|| body.at(instant));
        if rule!(FE_3_4_01).holds(!corridor.faces(&self.footprint(target, presence))) {
            return Err(
                Refusal::rule(rule!(FE_3_4_01), say::NOT_IN_CORRIDOR).with("target", body.name().to_owned())
            );
        }
        clerk.applied(rule!(FE_3_4_02));
        clerk.because(rule!(FE_3_2_01), Effect::Limit(corridor.calibre.bands().range.into()));
        clerk.because(rule!(FE_3_4_03), Effect::Set(cm(2 * corridor.half).into()));
        if let Some(guns) = self.body(element.body).battery()
            && guns.initial_crew.is_none()
        {
            clerk.because(rule!(FE_3_2_02), Effect::Set(Measure::Number(guns.full_crew())));
            clerk.because(rule!(FE_3_1_02), Effect::Set(Measure::Number(guns.full_crew())));
        }
        // How much of its path a charger was seen on has been judged already.
        if settled.duration.is_none() {
            self.sees(element, target, instant)
                .map_err(|block| block.refusal(self.scene, self.body(target.body)))?;
        }
        if !self.marks(target, presence).any(|figure| self.is_aim_point(element, figure)) {
            return Err(
                Refusal::rule(rule!(FE_1_5_04), say::NEAR_MELEE).with("target", body.name().to_owned())
            );
        }
        Ok(corridor)
    }

    pub(super) fn battery(&self, mut declared: Declaration, clerk: &mut impl Clerk) -> Verdict<Fired> {
        let Declaration { element, slot, target, .. } = declared;
        let settled = self.settle(declared, clerk)?;
        let corridor = self.in_corridor(element, slot, target, &settled, clerk)?;
        let presence = settled.presence.as_ref().unwrap_or_else(|| self.body(target.body).at(slot.instant()));
        let centre = clerk.rather(rule!(FE_3_6_03), self.centre(target, presence), corridor.origin);
        let (axis, central) = corridor.axis(centre);
        let framed = corridor.framed(&self.footprint(target, presence));
        let Some(on) = Corridor::meets(&framed, axis) else {
            return Err(Refusal::rule(rule!(FE_3_4_06), say::NOT_IN_CORRIDOR)
                .with("target", self.body(target.body).name().to_owned()));
        };
        if declared.projectile == Projectile::Canister {
            self.canister_is_clear(declared, &corridor, on.distance)?;
            // What is not announced is ball.
            declared.projectile = clerk.rather(rule!(FE_3_3_07), declared.projectile, Projectile::Ball);
        }
        clerk.applied(rule!(FE_3_4_08));
        let unmeasured = clerk.holds(rule!(FE_3_3_12), true);
        declared.projectile =
            clerk.rather(rule!(FE_3_3_13), declared.projectile, declared.projectile.other());
        let duration = match settled.duration {
            Some(duration) => Some(duration),
            None => self.battery_duration(declared, &corridor, presence, on.distance, clerk)?,
        };
        let lost =
            Fired { declaration: declared, hits: Vec::new(), point_blank: false, lost: true, ignited: false };
        let Some(duration) = duration else {
            let told = Effect::Set(Measure::Number(0));
            return Ok(Fired { lost: clerk.makes(rule!(FE_R36), told, true, false), ..lost });
        };
        let count = Count {
            target,
            presence,
            instant: slot.instant(),
            axis,
            distance: on.distance,
            projectile: declared.projectile,
            passed: &[],
        };
        if declared.projectile == Projectile::Canister && self.canister_reaches(corridor.calibre, on.distance)
        {
            clerk.because(rule!(FE_3_3_04), Effect::Limit(corridor.calibre.bands().canister.into()));
        }
        if declared.projectile == Projectile::Canister && self.bearing(element.body, &corridor, count) == 0 {
            let reach = self.canister_reaches(corridor.calibre, on.distance);
            if !reach && unmeasured {
                clerk.because(rule!(FE_3_3_04), Effect::Limit(corridor.calibre.bands().canister.into()));
                let told = Effect::Set(Measure::Number(0));
                return Ok(Fired { lost: clerk.makes(rule!(FE_3_3_09), told, true, false), ..lost });
            }
            if self.fires_down(element.body, presence) {
                self.canister_is_low(declared, &corridor, on.distance)?;
            }
        }
        // The steps of a fire, in their order: who fires, with what, how far; then the die.
        let counted = clerk.holds(rule!(FE_4_1_02), true);
        declared.projectile =
            clerk.rather(rule!(FE_4_1_03), declared.projectile, declared.projectile.other());
        let distance = clerk.rather(rule!(FE_4_1_04), on.distance, 0);
        let roll = die::roll(false, clerk);
        let (ignited, spared) = self.ignites(declared, roll, clerk)?;
        let aimed = Met { target, presence, on: OnAxis { distance, ..on } };
        let walk = self.on_axis(declared, &corridor, axis, central, aimed, clerk);
        let mut hits = match declared.projectile {
            Projectile::Ball => self.ball(declared, &corridor, axis, &walk, duration, roll, clerk)?,
            Projectile::Canister => self.canister(declared, &corridor, axis, &walk, duration, roll, clerk)?,
        };
        if spared || !counted {
            hits.clear();
        }
        Ok(Fired { declaration: declared, hits, point_blank: false, lost: false, ignited })
    }

    /// Whether a declared fire is whole, a quarter fire, or lost (procedure, section 4.5).
    fn battery_duration(
        &self,
        declared: Declaration,
        corridor: &Corridor,
        presence: &Presence,
        distance: i64,
        clerk: &mut impl Clerk,
    ) -> Verdict<Option<Duration>> {
        let Declaration { element, slot, target, .. } = declared;
        let (battery, body) = (self.body(element.body), self.body(target.body));
        let range = i64::from(corridor.calibre.bands().range.count());
        if rule!(FE_3_2_01).holds(distance > range) {
            clerk.because(rule!(FE_3_2_01), Effect::Limit(corridor.calibre.bands().range.into()));
            return Ok(None);
        }
        let Some(gun) = battery.now().figures.first() else { return Ok(None) };
        let one_quarter = self.options.artillery_exposure == ArtilleryExposure::OneQuarterLikeSmallArms;
        let [first, second] = self.approached(gun, target);
        let on_its_way = !std::ptr::eq(presence, body.at(slot.instant()));
        // Half a period is counted back from where the target stands at its end; a quarter, and a
        // charger before its melee forms, from where the shot finds it.
        let reach = |slot: Slot| match slot {
            Slot::First => distance + first,
            _ => distance + second,
        };
        let from_the_end = if on_its_way {
            reach(slot)
        } else {
            self.axis_distance(corridor, target, body.now()).unwrap_or(distance) + first + second
        };
        let half_in_range = from_the_end <= range;
        let seen = self.seen(element, target);
        let at = |instant: Instant| {
            // The corridor of the half-period is the one the battery has now.
            corridor.holds(&self.footprint(target, body.at(instant)))
        };
        let [start, middle, end] = [Instant::P0, Instant::P1, Instant::P2].map(at);
        let (in_q1, in_q2) = (start && middle, middle && end);
        let exposed = match self.options.artillery_exposure {
            ArtilleryExposure::OneQuarterLikeSmallArms => {
                seen[usize::from(slot != Slot::First)] && reach(slot) <= range
            }
            ArtilleryExposure::HalfPeriodInView => seen == [true; 2] && half_in_range,
            ArtilleryExposure::HalfPeriodInCorridor => seen == [true; 2] && half_in_range && in_q1 && in_q2,
        };
        if rule!(FE_3_6_02).holds(!exposed) {
            clerk.because(rule!(FE_3_6_02), Effect::Set(Measure::Number(0)));
            return Ok(None);
        }
        let half_period = battery.still == [true; 2] && in_q1 && in_q2;
        let mut whole = half_period && seen == [true; 2] && half_in_range;
        // The second quarter is needed for any fire, but by who is content with one.
        let in_slot = match slot {
            Slot::First => in_q1 && (in_q2 || one_quarter || on_its_way),
            _ => in_q2,
        };
        if rule!(FE_3_4_07).holds(!in_slot) {
            clerk.because(rule!(FE_3_4_07), Effect::Set(Measure::Number(0)));
            return Ok(None);
        }
        clerk.applied(rule!(FE_3_4_07));
        let turned = battery
            .setup
            .record
            .actions
            .iter()
            .any(|action| action.kind == scene::ActionKind::Pivot && action.quarter.get() == 1)
            || battery.at(Instant::P0).facing != battery.at(Instant::P1).facing;
        if turned {
            whole |= !clerk.holds(rule!(FE_3_5_02), true);
            if !clerk.holds(rule!(FE_3_5_06), true) {
                return Ok(None);
            }
            let (before, after) = (battery.at(Instant::P0), battery.at(Instant::P1));
            if !clerk.holds(rule!(FE_3_5_04), before.centre.gap_to(after.centre).touches()) {
                return Err(
                    Refusal::rule(rule!(FE_3_5_04), say::PIVOT_MOVED).with("body", battery.name().to_owned())
                );
            }
            if !clerk.holds(rule!(FE_3_5_01), before.facing.angle_to(after.facing) <= 225) {
                return Err(Refusal::rule(rule!(FE_3_5_01), say::PIVOT_TOO_WIDE)
                    .with("body", battery.name().to_owned()));
            }
            whole |= clerk.times(rule!(FE_3_5_03), (1, 2)) != (1, 2);
        }
        let (brief, long) = (Duration::Quarter, Duration::Whole);
        let duration = if slot == Slot::Joint && whole {
            clerk.makes(rule!(FE_3_4_09), Effect::Applied, long, brief)
        } else {
            clerk.makes(rule!(FE_3_4_09), Effect::Times(1, 2), brief, long)
        };
        Ok(Some(duration))
    }

    /// The distance of a target along the aim axis through its centre.
    fn axis_distance(&self, corridor: &Corridor, target: Target, presence: &Presence) -> Option<i64> {
        let (axis, _) = corridor.axis(self.centre(target, presence));
        let framed = corridor.framed(&self.footprint(target, presence));
        Corridor::meets(&framed, axis).map(|on| on.distance)
    }

    /// Canister is refused over a friend (FE-3.7-27).
    fn canister_is_clear(&self, declared: Declaration, corridor: &Corridor, distance: i64) -> Verdict<()> {
        let side = self.body(declared.element.body).side();
        let friend = |body: &Body, _: &Presence| body.side() == side && body.arm != Arm::Officer;
        self.before_target(declared, corridor, distance, rule!(FE_3_7_27), friend)
    }

    /// From a plateau balls go over a line or a mass of the enemy, canister never does (FE-R44).
    fn canister_is_low(&self, declared: Declaration, corridor: &Corridor, distance: i64) -> Verdict<()> {
        let stops = |_: &Body, there: &Presence| matches!(there.class, Some(Class::Line | Class::Mass));
        self.before_target(declared, corridor, distance, rule!(FE_R44), stops)
    }

    /// Whether no body of some kind stands in the corridor before the target.
    ///
    /// # Errors
    /// By that rule, when one does.
    fn before_target(
        &self,
        declared: Declaration,
        corridor: &Corridor,
        distance: i64,
        rule: RuleId,
        of_kind: impl Fn(&Body, &Presence) -> bool,
    ) -> Verdict<()> {
        let in_front = |figure: &Figure| {
            let framed = figure.base.corners.map(|corner| corridor.frame(corner));
            let extent = Extent::of(&framed);
            extent.low.x < corridor.half
                && extent.high.x > -corridor.half
                && extent.high.y > 0
                && extent.low.y < distance
        };
        let found = self.scene.bodies().iter().enumerate().find(|(place, body)| {
            let there = body.at(declared.slot.instant());
            *place != declared.element.body
                && *place != declared.target.body
                && of_kind(body, there)
                && there.house.is_none()
                && there.figures.iter().any(in_front)
        });
        match found {
            Some((_, body)) => Refusal::rule(rule, say::CANISTER_OVER_BODY)
                .with("body", body.name().to_owned())
                .at("projectile")
                .stands(()),
            None => Ok(()),
        }
    }

    /// The bodies on the aim axis that the fire may meet, nearest first.
    fn on_axis<'p>(
        &'p self,
        declared: Declaration,
        corridor: &Corridor,
        axis: i64,
        central: bool,
        target: Met<'p>,
        clerk: &mut impl Clerk,
    ) -> Vec<Met<'p>> {
        let on = target.on;
        let target_below = self.fires_down(declared.element.body, target.presence);
        if !plateau::penetrates(!target_below, clerk) && clerk.holds(rule!(FE_3_7_10), true) {
            return vec![target];
        }
        let side = self.body(declared.element.body).side();
        let range = i64::from(corridor.calibre.bands().range.count());
        let mut before = Vec::new();
        let mut behind = Vec::new();
        let mut end = range;
        for number in self.scene.grid().near(&Extent::of(&corridor.corners())) {
            let number = usize::try_from(number).unwrap_or(0);
            if let Some(element) = self.scene.elements().get(number) {
                // Beyond the target, what blocks sight ends the path: the house or the wood it stands
                // in as well.
                let around = matches!(element.kind, Kind::House(_) | Kind::Wood(..));
                if Self::blocks_ball(&element.kind)
                    && let Some(area) = element.area()
                    && let Some(met) = Corridor::meets(&corridor.framed(area), axis)
                    && (met.distance > on.rear || (around && met.rear > on.rear))
                {
                    end = end.min(met.distance.max(on.rear));
                }
                continue;
            }
            let place = number - self.scene.elements().len();
            let body = self.body(place);
            let there = body.at(declared.slot.instant());
            if place == declared.target.body || place == declared.element.body || there.house.is_some() {
                continue;
            }
            let Some(met) = Corridor::meets(&corridor.framed(&there.footprint), axis) else { continue };
            let here = Met { target: Target { body: place, side: None }, presence: there, on: met };
            let beyond = met.distance > on.distance;
            if body.side() == side || body.in_melee {
                if beyond && body.arm != Arm::Officer {
                    end = end.min(met.distance);
                }
            } else if there.class.is_none()
                || !there.figures.iter().any(|figure| self.is_aim_point(declared.element, figure))
            {
                // Single officers are not in the way, and nobody is hit beside a friend's melee.
            } else if beyond {
                behind.push(here);
            } else if there.class == Some(Class::Open) {
                before.push(here);
            }
        }
        let key = |met: &Met<'_>| (met.on.distance, met.target.body);
        before.sort_by_key(key);
        behind.sort_by_key(key);
        if !central && clerk.holds(rule!(FE_3_6_04), true) {
            behind.clear();
        }
        behind.retain(|met| met.on.distance <= end);
        before.into_iter().chain([target]).chain(behind).collect()
    }

    /// Ball: through open order as if it were not there, through one line, into what stands behind.
    #[allow(clippy::too_many_arguments, reason = "the facts of one fire")]
    fn ball(
        &self,
        declared: Declaration,
        corridor: &Corridor,
        axis: i64,
        walk: &[Met<'_>],
        duration: Duration,
        mut roll: die::Roll,
        clerk: &mut impl Clerk,
    ) -> Verdict<Vec<Hit>> {
        let penetration = clerk.limit(rule!(FE_3_7_08), corridor.calibre.bands().penetration);
        let mut penetration = i64::from(penetration.count());
        if self.body(declared.element.body).battery().is_some_and(|guns| guns.team == scene::GunTeam::Horse) {
            penetration = clerk.rather(rule!(FE_3_7_09), penetration, 0);
        }
        let mut hits: Vec<Hit> = Vec::new();
        let mut passed: Vec<usize> = Vec::new();
        let mut line: Option<(Losses, i64)> = None;
        for (step, met) in walk.iter().enumerate() {
            if let Some((_, rear)) = line
                && met.on.distance - rear > penetration
                && clerk.makes(rule!(FE_3_7_06), Effect::Limit(cm(penetration).into()), true, false)
            {
                break;
            }
            let mut own = *met;
            if step > 0 {
                own = clerk.rather(rule!(FE_3_7_01), *met, walk[0]);
                if self.options.penetration_die == PenetrationDie::Separate {
                    roll = die::roll(false, clerk);
                }
            }
            let mut hit = self.strike(declared, corridor, axis, own, &passed, duration, roll, clerk)?;
            if let Some((front, _)) = line {
                if !clerk.holds(rule!(FE_3_7_05), true) {
                    break;
                }
                hit.losses = behind(hit.losses, front, rule!(FE_3_7_11), clerk);
                if hit.losses == Losses::ZERO {
                    hit.losses = clerk.value(rule!(FE_3_7_02), Losses::ZERO);
                }
            }
            passed.push(met.target.body);
            let class = met.presence.class;
            let taken = hit.losses;
            hits.push(hit);
            match class {
                Some(Class::Mass) => {
                    if walk.len() > step + 1 && !clerk.holds(rule!(FE_3_7_04), true) {
                        continue;
                    }
                    break;
                }
                Some(Class::Line) if line.is_some() => {
                    if clerk.holds(rule!(FE_3_7_07), true) {
                        break;
                    }
                }
                Some(Class::Line) => {
                    if walk.len() > step + 1 && !clerk.holds(rule!(FE_3_7_03), true) {
                        break;
                    }
                    line = Some((taken, met.on.rear));
                }
                Some(Class::Open) if walk.len() > step + 1 => {
                    let passes = clerk.holds(rule!(FE_3_7_12), true);
                    // In full on both: nothing is taken off for those in front.
                    if !clerk.holds(rule!(FE_3_7_13), true) {
                        line = Some((taken, met.on.rear));
                    }
                    let open = |met: &Met<'_>| met.presence.class == Some(Class::Open);
                    let next_is_open = walk.get(step + 1).is_some_and(open);
                    let next = if next_is_open { rule!(FE_3_7_15) } else { rule!(FE_3_7_14) };
                    if !clerk.holds(next, true) || !passes {
                        break;
                    }
                }
                Some(Class::Open) | None => {}
            }
        }
        Ok(hits)
    }

    /// Canister: as small arms, but along the axis (FE-3.7-16 to FE-3.7-19).
    #[allow(clippy::too_many_arguments, reason = "the facts of one fire")]
    fn canister(
        &self,
        declared: Declaration,
        corridor: &Corridor,
        axis: i64,
        walk: &[Met<'_>],
        duration: Duration,
        mut roll: die::Roll,
        clerk: &mut impl Clerk,
    ) -> Verdict<Vec<Hit>> {
        let mut hits: Vec<Hit> = Vec::new();
        let mut passed: Vec<usize> = Vec::new();
        let mut front: Option<(Losses, i64)> = None;
        let mut open = 0;
        for (step, met) in walk.iter().enumerate() {
            if let Some((_, rear)) = front
                && met.on.distance - rear > CANISTER_BEHIND
                && clerk.makes(rule!(FE_3_7_18), Effect::Limit(cm(CANISTER_BEHIND).into()), true, false)
            {
                break;
            }
            // At the declared target the lanes that reach it fire, wherever its centre is (FE-R34).
            if met.target != declared.target && !self.canister_reaches(corridor.calibre, met.on.distance) {
                break;
            }
            if step > 0 && self.options.penetration_die == PenetrationDie::Separate {
                roll = die::roll(false, clerk);
            }
            let mut hit = self.strike(declared, corridor, axis, *met, &passed, duration, roll, clerk)?;
            if let Some((before, _)) = front {
                if !clerk.holds(rule!(FE_3_7_17), true) {
                    break;
                }
                let body = self.body(met.target.body);
                if self.options.screen_deduction == ScreenDeduction::AnyUnit || body.arm == Arm::Infantry {
                    hit.losses = behind(hit.losses, before, rule!(FE_3_7_19), clerk);
                }
            }
            passed.push(met.target.body);
            let class = met.presence.class;
            let (taken, covered) = (hit.losses, hit.cover > super::Cover::None);
            hits.push(hit);
            if class != Some(Class::Open) {
                if walk.len() > step + 1 && !clerk.holds(rule!(FE_3_7_16), true) {
                    continue;
                }
                break;
            }
            open += 1;
            if open == 2 || covered {
                break;
            }
            front = Some((taken, met.on.rear));
        }
        Ok(hits)
    }

    /// The losses of a battery on one body, with that body's own distance, formation and cover.
    #[allow(clippy::too_many_arguments, reason = "the facts of one fire on one body")]
    fn strike(
        &self,
        declared: Declaration,
        corridor: &Corridor,
        axis: i64,
        met: Met<'_>,
        passed: &[usize],
        duration: Duration,
        roll: die::Roll,
        clerk: &mut impl Clerk,
    ) -> Verdict<Hit> {
        let battery = self.body(declared.element.body);
        let presence = met.presence;
        let count = Count {
            target: met.target,
            presence,
            instant: declared.slot.instant(),
            axis,
            distance: met.on.distance,
            projectile: declared.projectile,
            passed,
        };
        let unusable = self.unusable(declared.element.body, corridor, count);
        let mut crew = clerk.value(rule!(FE_3_1_05), corridor.crew);
        if battery.battery().is_some_and(|guns| guns.crew_left() < guns.full_crew()) {
            crew = clerk.value(rule!(FE_3_1_06), crew);
        }
        let mut figures = (crew - unusable / 250).max(0);
        if figures < crew {
            figures = clerk.value(rule!(FE_3_4_04), figures);
            let framed = corridor.framed(&self.footprint(met.target, presence));
            if framed.extent().low.x < -corridor.half || framed.extent().high.x > corridor.half {
                figures = clerk.rather(rule!(FE_3_4_06), figures, crew);
            }
            if declared.projectile == Projectile::Canister {
                figures = clerk.rather(rule!(FE_3_3_05), figures, crew);
            }
        }
        let from = turned(corridor.origin, corridor.facing, axis, 0);
        let far =
            turned(corridor.origin, corridor.facing, axis, i64::from(corridor.calibre.bands().range.count()));
        let cover = self.cover_from(declared, met.target, presence, from, Segment::new(from, far), clerk)?;
        self.explain_target(met.target, presence, clerk);
        let mark = self.mark(declared, met.target, presence, cover);
        let distance = cm(met.on.distance);
        let base = battery.battery().map_or(0, |guns| guns.fire.get());
        let before = modifiers::artillery(
            corridor.calibre,
            declared.projectile,
            base,
            &mark,
            distance,
            self.options,
            clerk,
        );
        let factor = before + roll.bonus;
        let figures = i32::try_from(figures).unwrap_or(0);
        let doubled = declared.projectile == Projectile::Canister && distance < CANISTER_DOUBLED_UNDER;
        let group = Group { factor, figures, duration };
        let suffered = losses(&[group], Adjustment { tenth_more: false, doubled }, self.options, clerk);
        Ok(Hit {
            target: met.target,
            losses: suffered,
            figures,
            groups: vec![group],
            distance,
            cover,
            covers: vec![cover],
        })
    }
}
