//! Measuring and counting small arms: sections 2.1 and 2.3 of the fire chapter (procedure, sections
//! 6.1 and 6.2). An element, a target and a moment enter; the figures that fire leave, each with its
//! distance, duration and the cover it meets.

use kernel::{Centimetres, Clerk, Effect, Measure, Refusal, Verdict};
use rulebook::options::tabletop::{ArcApex, PartialCover, SmallArmsCall};
use rulebook::phrase::tabletop_shoot as say;
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::aim::Stop;
use super::ground::{Element, Ground, Slot, Target};
use super::shelter::shelter;
use super::{Cover, Duration, SmallArm, State};
use crate::geometry::{Arc, Facing, Gap, Point, Segment, into_frame};
use crate::scene::{Body, Figure, Formation, Instant, Presence};
use crate::sight::View;
use crate::terrain::cover;

/// Fire at this distance or less is point-blank (FE-2.3-01).
pub const POINT_BLANK: i64 = 500;

/// What to do with a target that is partly sheltered (FE-1.5-02).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CoverChoice {
    /// Fire at the whole body, with the penalty.
    #[default]
    Whole,
    /// Fire at its exposed figures alone.
    Exposed,
}

/// A figure that fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shot {
    /// Its company.
    pub company: u16,
    /// The apex of its arc.
    pub apex: Point,
    /// Its distance.
    pub distance: Centimetres,
    /// How long it fires.
    pub duration: Duration,
    /// The cover it meets.
    pub cover: Cover,
}

/// What an element aims at, and when.
#[derive(Clone, Copy)]
pub struct Aim<'p> {
    /// The target.
    pub target: Target,
    /// How the target stands.
    pub presence: &'p Presence,
    /// The slot.
    pub slot: Slot,
    /// A duration settled otherwise, for fire at a charger.
    pub settled: Option<Duration>,
    /// The fire of a charged element at contact.
    pub at_contact: bool,
    /// Whether the declared target was seen in each quarter.
    pub seen: [bool; 2],
    /// What to do with partial cover.
    pub choice: CoverChoice,
    /// Point-blank fire called before measuring; matters only with the option `small_arms_call`.
    pub called: bool,
    /// Figures of other companies of the unit that have fired point-blank at the target already.
    pub fired_already: usize,
}

/// The figures that fire.
#[derive(Clone, Debug, Default)]
pub struct Volley {
    /// Each of them.
    pub shots: Vec<Shot>,
    /// Whether it is point-blank fire.
    pub point_blank: bool,
}

/// From where a fire comes, by the facing of its target (FE-R56).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// From ahead.
    Front,
    /// From either flank.
    Flank,
    /// From behind.
    Rear,
}

/// The direction of a fire from a centre at a target.
#[must_use]
pub fn direction(centre: Point, facing: Facing, shooter: Point) -> Direction {
    let (x, y) = into_frame(centre, facing, shooter);
    if x.abs() <= y {
        Direction::Front
    } else if x.abs() <= -y {
        Direction::Rear
    } else {
        Direction::Flank
    }
}

/// The arc of the figures of a body (FE-2.1-02, FE-2.1-03, FE-R19).
#[must_use]
pub fn arc(body: &Body, presence: &Presence) -> Arc {
    let wide = matches!(presence.formation, Formation::Skirmish | Formation::HollowSquare)
        && body.state < State::Unformed
        && presence.house.is_none();
    let rule = if wide { rule!(FE_2_1_03) } else { rule!(FE_2_1_02) };
    if rule.holds(wide) { Arc::Wide } else { Arc::Narrow }
}

impl Ground<'_> {
    /// Whether a target figure lies in the arc of a firing figure.
    fn is_in_arc(&self, figure: &Figure, mark: &Figure, arc: Arc) -> bool {
        let facing = figure.base.facing;
        let bears = match self.options.arc_apex {
            ArcApex::BaseFrontCentre => mark.base.is_in_arc(figure.base.front, facing, arc),
            ArcApex::BaseFrontCorners => {
                mark.base.is_in_arc(figure.base.front_left(), facing, arc)
                    || mark.base.is_in_arc(figure.base.front_right(), facing, arc)
                    || mark
                        .base
                        .is_in_strip_of(&figure.base, i64::from(SmallArm::Rifle.bands().range.count()))
            }
        };
        rule!(FE_2_1_04).holds(bears)
    }

    /// Says where the arcs of small arms begin, if an option puts them elsewhere than usual.
    pub(super) fn by_option(&self, element: Element, clerk: &mut impl Clerk) {
        let corners = self.options.arc_apex == ArcApex::BaseFrontCorners;
        if corners && self.body(element.body).battery().is_none() {
            clerk.applied(rule!(FE_R20));
        }
    }

    /// The figures of an element that fire at a target, and how (only those for which `counts`
    /// holds).
    ///
    /// # Errors
    /// Why none does.
    pub fn volley(
        &self,
        element: Element,
        weapon: SmallArm,
        aim: Aim<'_>,
        counts: impl Fn(&Figure) -> bool,
        clerk: &mut impl Clerk,
    ) -> Verdict<Volley> {
        let mut aim = aim;
        let shooter = self.body(element.body);
        let instant = aim.slot.instant();
        let presence = shooter.at(instant);
        let range = weapon.bands().range;
        let mut marks: Vec<&Figure> = self.marks(aim.target, aim.presence).collect();
        let gap = self
            .figures(element, presence)
            .flat_map(|figure| marks.iter().map(|mark| figure.base.gap_to(&mark.base)))
            .min()
            .unwrap_or(Gap::FAR);
        if rule!(FE_1_1_01).holds(gap.rounded() > i64::from(range.count())) {
            return Err(Refusal::rule(rule!(FE_1_1_01), rulebook::phrase::tabletop::BEYOND_RANGE)
                .with("distance", gap.centimetres())
                .with("range", range));
        }
        let measured = i64::from(clerk.value(rule!(FE_1_06), gap.centimetres()).count());
        let error = measured - i64::from(gap.centimetres().count());
        if !clerk.holds(rule!(FE_1_05), true) {
            aim.presence = self.body(aim.target.body).at(Instant::P0);
            marks = self.marks(aim.target, aim.presence).collect();
        }
        if weapon == SmallArm::Rifle {
            clerk.applied(rule!(FE_1_1_04));
        }
        let near = measured <= POINT_BLANK
            && match self.options.small_arms_call {
                SmallArmsCall::Automatic => true,
                SmallArmsCall::AnnouncedBeforeMeasuring => {
                    clerk.rather(rule!(FE_R25), aim.called, !aim.called)
                }
            };
        self.by_option(element, clerk);
        if rule!(FE_2_3_01).holds(near || aim.at_contact) {
            return self.point_blank(element, weapon, aim, &marks, counts, clerk);
        }
        let mut volley = self.aimed(element, weapon, aim, &marks, counts, clerk)?;
        if error != 0 {
            volley.shots.iter_mut().for_each(|shot| shot.distance += super::corridor::cm(error));
        }
        Ok(volley)
    }

    /// The figures of a target that may be aimed at: not near a melee with one of the shooter's side.
    fn aim_points<'p>(
        &self,
        element: Element,
        aim: Aim<'_>,
        marks: &[&'p Figure],
    ) -> Verdict<Vec<&'p Figure>> {
        let legal: Vec<&Figure> =
            marks.iter().copied().filter(|mark| self.is_aim_point(element, mark)).collect();
        if legal.is_empty() {
            let name = self.body(aim.target.body).name().to_owned();
            return Err(Refusal::rule(rule!(FE_1_5_04), say::NEAR_MELEE).with("target", name));
        }
        Ok(legal)
    }

    /// Normal fire: every front-rank figure with a target figure in its arc, in range and in line.
    fn aimed(
        &self,
        element: Element,
        weapon: SmallArm,
        aim: Aim<'_>,
        marks: &[&Figure],
        counts: impl Fn(&Figure) -> bool,
        clerk: &mut impl Clerk,
    ) -> Verdict<Volley> {
        let shooter = self.body(element.body);
        let target = self.body(aim.target.body);
        let instant = aim.slot.instant();
        let presence = shooter.at(instant);
        let range = i64::from(weapon.bands().range.count());
        let arc = arc(shooter, presence);
        let mut view =
            View::between(self.outlook(instant), (element.body, presence), (aim.target.body, aim.presence));
        let legal = self.aim_points(element, aim, marks)?;
        let (mut in_arc, mut in_line) = (false, false);
        let mut late = None;
        let mut partly = false;
        let mut bare = false;
        let mut shots = Vec::new();
        for figure in self.figures(element, presence).filter(|figure| counts(figure)) {
            let bearing: Vec<(&Figure, i64)> = legal
                .iter()
                .filter(|mark| self.is_in_arc(figure, mark, arc))
                .map(|mark| (*mark, figure.base.gap_to(&mark.base).rounded()))
                .filter(|&(_, gap)| rule!(FE_2_1_06).holds(gap <= range))
                .collect();
            in_arc |= !bearing.is_empty();
            let clear: Vec<(&Figure, i64)> = bearing
                .into_iter()
                .filter(|(mark, _)| self.has_line(&mut view, element, figure, mark))
                .collect();
            in_line |= !clear.is_empty();
            let covers: Vec<(i64, Cover)> = clear
                .iter()
                .map(|&(mark, gap)| {
                    (gap, shelter(self.scene, self.options, target, aim.presence, mark, figure.base.front))
                })
                .collect();
            let Some((distance, cover)) = self.judge(&covers, aim.choice) else { continue };
            let exposed = covers.iter().filter(|&&(_, shelter)| cover::is_exposed(shelter)).count();
            bare |= exposed > 0;
            // Aimed at as a whole, a target that is partly sheltered keeps its shelter, or none of it.
            partly |= exposed > 0 && exposed < covers.len() && aim.choice == CoverChoice::Whole;
            let duration = match aim.settled {
                Some(duration) => Ok(duration),
                None => self.duration(
                    element,
                    aim.slot,
                    figure,
                    aim.target,
                    distance,
                    weapon.bands().range,
                    aim.seen,
                ),
            };
            match duration {
                Ok(duration) => shots.push(Shot {
                    company: figure.company,
                    apex: figure.base.front,
                    distance: Gap::whole(distance * distance).centimetres(),
                    duration,
                    cover,
                }),
                Err(refusal) => late = Some(refusal),
            }
        }
        if shots.is_empty() {
            let name = target.name().to_owned();
            let refusal = if !in_arc {
                Refusal::rule(rule!(FE_2_1_07), say::NOT_IN_ARC).with("target", name)
            } else if !in_line {
                self.no_line(element, aim, presence, name)
            } else {
                late.unwrap_or_else(|| {
                    Refusal::rule(rule!(FE_1_5_02), say::NONE_EXPOSED).with("target", name)
                })
            };
            return refusal.stands(Volley::default());
        }
        self.uncover(bare, &mut shots);
        self.counted(aim, presence, &mut shots, late.is_some(), partly, clerk);
        clerk.applied(match arc {
            Arc::Narrow => rule!(FE_2_1_02),
            Arc::Wide => rule!(FE_2_1_03),
        });
        let all = shots.len();
        let told = Effect::Set(Measure::Number(i64::try_from(all).unwrap_or(0)));
        shots.truncate(clerk.makes(rule!(FE_2_1_05), told, all, all.saturating_sub(1)));
        Ok(Volley { shots, point_blank: false })
    }

    /// The figures that fire, by the rules that count them.
    fn counted(
        &self,
        aim: Aim<'_>,
        presence: &Presence,
        shots: &mut Vec<Shot>,
        some_late: bool,
        partly: bool,
        clerk: &mut impl Clerk,
    ) {
        let target = self.body(aim.target.body);
        let (ahead, seen) = (clerk.holds(rule!(FE_1_03), true), clerk.holds(rule!(FE_1_3_01), true));
        shots.retain(|_| ahead && seen);
        if aim.settled.is_none() {
            let (visible, near) = (clerk.holds(rule!(FE_1_08), true), clerk.holds(rule!(FE_1_09), true));
            shots.retain(|_| visible && near);
        }
        if presence.ranks() > 1 {
            clerk.applied(rule!(FE_2_1_01));
        }
        let (each, aimed) = (clerk.holds(rule!(FE_2_1_04), true), clerk.holds(rule!(FE_2_1_06), true));
        shots.retain(|_| each && aimed);
        let first = shots.first().copied();
        let differs = |of: fn(&Shot, &Shot) -> bool| {
            first.is_some_and(|first| shots.iter().any(|shot| of(shot, &first)))
        };
        let (far_apart, unlike) = (
            differs(|one, other| one.distance != other.distance),
            differs(|one, other| one.duration != other.duration),
        );
        if far_apart && !clerk.holds(rule!(FE_2_1_08), true) {
            shots
                .iter_mut()
                .zip(first.into_iter().cycle())
                .for_each(|(shot, first)| shot.distance = first.distance);
        }
        if target.moved != [0, 0] && aim.settled.is_none() {
            clerk.applied(rule!(FE_1_4_01));
            let whole = shots.iter().any(|shot| shot.duration == Duration::Whole);
            clerk.applied(if whole { rule!(FE_1_4_03) } else { rule!(FE_1_4_02) });
        }
        if shots.iter().any(|shot| shot.duration == Duration::Whole) {
            clerk.applied(rule!(FE_1_4_05));
        }
        if (some_late || unlike) && !clerk.holds(rule!(FE_1_4_06), true) {
            shots.truncate(1);
        }
        let covered = shots.iter().filter(|shot| shot.cover > Cover::None).count();
        if covered > 0 && !clerk.holds(rule!(FE_1_3_03), true) {
            shots.retain(|shot| shot.cover == Cover::None);
        }
        if covered > 0 && !clerk.holds(rule!(FE_1_3_04), true) {
            shots.iter_mut().for_each(|shot| shot.cover = Cover::None);
        }
        if partly {
            clerk.applied(rule!(FE_R14));
        } else if covered > 0 && covered == shots.len() {
            clerk.applied(rule!(FE_1_5_01));
        }
        if aim.choice == CoverChoice::Exposed && !clerk.holds(rule!(FE_1_5_02), true) {
            shots.iter_mut().for_each(|shot| shot.cover = Cover::Light);
        }
    }

    /// Why a target in arc and range has no line of fire to it.
    fn no_line(&self, element: Element, aim: Aim<'_>, presence: &Presence, name: String) -> Refusal {
        let mut view = View::between(
            self.outlook(aim.slot.instant()),
            (element.body, presence),
            (aim.target.body, aim.presence),
        );
        match view.sees() {
            Err(block) => block.refusal(self.scene, self.body(aim.target.body)),
            Ok(_) => self.fire_stops(&view, element, aim, presence, name),
        }
    }

    /// What stands in the way of a fire at a target that is seen: of the shortest line that something
    /// stops.
    fn fire_stops(
        &self,
        view: &View<'_>,
        element: Element,
        aim: Aim<'_>,
        presence: &Presence,
        name: String,
    ) -> Refusal {
        let marks: Vec<&Figure> = self.marks(aim.target, aim.presence).collect();
        let lines = self.figures(element, presence).flat_map(|figure| {
            let points = marks.iter().flat_map(|mark| mark.base.points);
            points.map(move |point| (figure, Segment::new(figure.base.front, point)))
        });
        let stop = lines
            .filter_map(|(figure, line)| {
                let stop = self.fire_stopped(view, element, figure, line)?;
                Some((line.square(), stop))
            })
            .min();
        let refuse = |rule, phrase, by: &str| {
            Refusal::rule(rule, phrase).with("target", name.clone()).with("by", by.to_owned())
        };
        match stop.map(|(_, stop)| stop) {
            Some(Stop::Body(body)) => refuse(rule!(FE_R70), say::NO_LINE_OF_FIRE, self.body(body).name()),
            Some(Stop::Crest(hill)) => {
                refuse(rule!(FE_1_3_07), say::CREST_NOT_PASSED, self.scene.elements()[hill].name())
            }
            Some(Stop::Overhead(body)) => refuse(rule!(FE_R70), say::NOT_OVER, self.body(body).name()),
            // Seen by a figure that has it not in its arc, or not in range.
            None => Refusal::rule(rule!(FE_2_1_07), say::NOT_SEEN_FROM_THERE).with("target", name),
        }
    }

    /// The distance and cover of a figure that may aim at figures so far away and so sheltered.
    fn judge(&self, covers: &[(i64, Cover)], choice: CoverChoice) -> Option<(i64, Cover)> {
        let nearest = |covers: &mut dyn Iterator<Item = &(i64, Cover)>| covers.map(|&(gap, _)| gap).min();
        let all_sheltered = covers.iter().all(|&(_, shelter)| !cover::is_exposed(shelter));
        let best = covers.iter().map(|&(_, cover)| cover).max()?;
        if self.options.partial_cover == PartialCover::NoCoverAtAll && !all_sheltered {
            return nearest(&mut covers.iter()).map(|gap| (gap, Cover::None));
        }
        match choice {
            CoverChoice::Whole => {
                // A shelter shared by all counts, and one that part of the target has (FE-R14).
                let rule = if all_sheltered { rule!(FE_1_5_01) } else { rule!(FE_R14) };
                let cover = if rule.holds(true) { best } else { Cover::None };
                nearest(&mut covers.iter()).map(|gap| (gap, cover))
            }
            CoverChoice::Exposed => {
                nearest(&mut covers.iter().filter(|&&(_, shelter)| cover::is_exposed(shelter)))
                    .map(|gap| (gap, Cover::None))
            }
        }
    }

    /// A target of which a figure is bare has no cover at all, whoever fires, where players want it so.
    fn uncover(&self, bare: bool, shots: &mut [Shot]) {
        if bare && self.options.partial_cover == PartialCover::NoCoverAtAll {
            shots.iter_mut().for_each(|shot| shot.cover = Cover::None);
        }
    }

    /// Point-blank fire: those that could come into contact, and one more on each side.
    fn point_blank(
        &self,
        element: Element,
        weapon: SmallArm,
        aim: Aim<'_>,
        marks: &[&Figure],
        counts: impl Fn(&Figure) -> bool,
        clerk: &mut impl Clerk,
    ) -> Verdict<Volley> {
        let shooter = self.body(element.body);
        let target = self.body(aim.target.body);
        let instant = aim.slot.instant();
        let presence = shooter.at(instant);
        let marks = self.aim_points(element, aim, marks)?;
        let front: Vec<&Figure> = self.figures(element, presence).collect();
        let in_strip: Vec<usize> = (0..front.len())
            .filter(|&k| marks.iter().any(|mark| mark.base.is_in_strip_of(&front[k].base, POINT_BLANK)))
            .collect();
        let name = || target.name().to_owned();
        let (low, high) = match (in_strip.first(), in_strip.last()) {
            (Some(&low), Some(&high)) => (low, high),
            _ => {
                let nearest = (0..front.len())
                    .min_by_key(|&k| self.gap_from(front[k], aim.target, aim.presence))
                    .filter(|&k| {
                        marks.iter().any(|mark| self.is_in_arc(front[k], mark, arc(shooter, presence)))
                    });
                let Some(nearest) = nearest else {
                    return Err(Refusal::rule(rule!(FE_2_3_02), say::NOT_IN_ARC).with("target", name()));
                };
                (nearest, nearest)
            }
        };
        let available: Vec<usize> = (low.saturating_sub(1)..=(high + 1).min(front.len() - 1)).collect();
        let limit = self.table_value(shooter, presence, target, aim, clerk);
        // Those nearest to the middle of the core, the left one on a tie.
        let mut kept = available;
        kept.sort_by_key(|&k| ((2 * k).abs_diff(low + high), k));
        let mut left = limit.saturating_sub(aim.fired_already);
        if aim.fired_already > 0 {
            let shared = clerk.limit(rule!(FE_R25), i64::try_from(left).unwrap_or(0));
            left = usize::try_from(shared).unwrap_or(0);
        }
        kept.truncate(left);
        kept.sort_unstable();
        let mut view =
            View::between(self.outlook(instant), (element.body, presence), (aim.target.body, aim.presence));
        let clear = aim.at_contact
            || front
                .iter()
                .any(|figure| marks.iter().any(|mark| self.has_line(&mut view, element, figure, mark)));
        if !clear {
            return Err(self.no_line(element, aim, presence, name()));
        }
        let mut shots = Vec::new();
        let mut late = None;
        let mut bare = false;
        for figure in kept.into_iter().map(|k| front[k]).filter(|figure| counts(figure)) {
            let gap = self.gap_from(figure, aim.target, aim.presence).rounded();
            let covers: Vec<(i64, Cover)> = marks
                .iter()
                .map(|mark| {
                    (gap, shelter(self.scene, self.options, target, aim.presence, mark, figure.base.front))
                })
                .collect();
            let Some((_, cover)) = self.judge(&covers, aim.choice) else { continue };
            bare |= covers.iter().any(|&(_, shelter)| cover::is_exposed(shelter));
            let duration = match aim.settled {
                Some(duration) => Ok(duration),
                None => {
                    self.duration(element, aim.slot, figure, aim.target, gap, weapon.bands().range, aim.seen)
                }
            };
            match duration {
                Ok(duration) => shots.push(Shot {
                    company: figure.company,
                    apex: figure.base.front,
                    distance: Gap::whole(gap.min(POINT_BLANK).pow(2)).centimetres(),
                    duration,
                    cover,
                }),
                Err(refusal) => late = Some(refusal),
            }
        }
        if shots.is_empty() {
            return Err(late
                .unwrap_or_else(|| Refusal::rule(rule!(FE_2_3_02), say::NOT_IN_ARC).with("target", name())));
        }
        self.uncover(bare, &mut shots);
        clerk.applied(rule!(FE_2_3_01));
        let all = shots.len();
        let told = Effect::Set(Measure::Number(i64::try_from(all).unwrap_or(0)));
        shots.truncate(clerk.makes(rule!(FE_2_3_02), told, all, all - 1));
        let whole = shots.iter().any(|shot| shot.duration == Duration::Whole);
        let rule = if whole { rule!(FE_2_3_07) } else { rule!(FE_2_3_06) };
        if !clerk.holds(rule, true) {
            let other = if whole { Duration::Quarter } else { Duration::Whole };
            shots.iter_mut().for_each(|shot| shot.duration = other);
        }
        Ok(Volley { shots, point_blank: true })
    }

    /// Whether a target body is deep, in line or neither for a fire from there.
    #[must_use]
    pub fn comes_from_flank(&self, presence: &Presence, from: Point) -> bool {
        direction(presence.centre, presence.facing, from) == Direction::Flank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forty_five_degrees_is_still_front_and_still_rear() {
        let here = Point::cm(50, 50);
        let from = |x: i64, y: i64| direction(here, Facing::NORTH, Point::cm(50 + x, 50 + y));
        assert_eq!(from(10, 10), Direction::Front);
        assert_eq!(from(10, 9), Direction::Flank);
        assert_eq!(from(-10, -10), Direction::Rear);
    }
}
