//! A declared fire, resolved: sections 5 to 11 of the procedure. A declaration enters; the bodies
//! hit and their losses leave, or why it is refused.

use std::borrow::Cow;

use kernel::{Centimetres, Clerk, Effect, Losses, Measure, Refusal, Verdict};
use rulebook::options::tabletop::{PenetrationDie, ScreenDeduction};
use rulebook::phrase::tabletop_shoot as say;
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::corridor::cm;
use super::die::{self, Order, Roll};
use super::ground::{Element, Ground, Part, Slot, Target};
use super::losses::{Adjustment, Duration, Group, behind, earns_a_tenth_more, losses};
use super::measure::{Aim, CoverChoice, Shot, Volley};
use super::modifiers::{self, Mark};
use super::shelter::{is_uphill, shelter};
use super::{Class, Cover, Projectile, SmallArm};
use crate::Arm;
use crate::geometry::{Base, Gap, Point, Segment};
use crate::scene::{self, Figure, Formation, Kind, Muster, Presence, counting};
use crate::terrain::houses::fire as house_fire;
use crate::terrain::{cover, state};

/// How figures of different base factors fire together (FE-2.2-03).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Method 2: all at the lowest factor, and one tenth more where it is earned.
    #[default]
    Together,
    /// Method 1: a fire of its own for each factor.
    Apart,
}

/// What a player declares before anything is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Who fires.
    pub element: Element,
    /// When.
    pub slot: Slot,
    /// At what.
    pub target: Target,
    /// What a battery fires.
    pub projectile: Projectile,
    /// Whether it means to set the target's house or redoubt on fire.
    pub burn: bool,
    /// How unlike figures fire.
    pub method: Method,
    /// What to do with partial cover.
    pub choice: CoverChoice,
    /// Point-blank fire called; matters only with the option `small_arms_call`.
    pub called: bool,
    /// Figures of other companies of the unit that have fired point-blank at the target already.
    pub fired_already: usize,
    /// The rank the owner of the target takes figures lost to ball from, if he has said so.
    pub taken_from: Option<u16>,
}

impl Declaration {
    /// A plain fire of an element at a target.
    #[must_use]
    pub fn new(element: Element, slot: Slot, target: Target) -> Self {
        Self {
            element,
            slot,
            target,
            projectile: Projectile::Ball,
            burn: false,
            method: Method::default(),
            choice: CoverChoice::default(),
            called: false,
            fired_already: 0,
            taken_from: None,
        }
    }
}

/// A body hit by a fire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// What was hit.
    pub target: Target,
    /// The losses, before they are limited to what removes it.
    pub losses: Losses,
    /// Figures that fired at it.
    pub figures: i32,
    /// The factors of its groups, die included, with their figures.
    pub groups: Vec<Group>,
    /// The nearest distance.
    pub distance: Centimetres,
    /// The best cover it had.
    pub cover: Cover,
    /// The cover each of its groups met.
    pub covers: Vec<Cover>,
}

/// One fire, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fired {
    /// As declared.
    pub declaration: Declaration,
    /// The bodies hit, in the order the fire met them.
    pub hits: Vec<Hit>,
    /// Point-blank.
    pub point_blank: bool,
    /// Declared out of reach.
    pub lost: bool,
    /// The target's house or redoubt is on fire.
    pub ignited: bool,
}

impl Ground<'_> {
    /// Resolves a declared fire. Under method 1, and where weapons differ, it is several fires.
    ///
    /// # Errors
    /// Why it may not be made.
    pub fn resolve(&self, declared: Declaration, clerk: &mut impl Clerk) -> Verdict<Vec<Fired>> {
        self.may_fire(declared.element.body, clerk)?;
        self.is_element(declared.element, clerk)?;
        let slots = self.slots(declared.element, clerk)?;
        if !slots.contains(&declared.slot) {
            let rule = if slots.first() == Some(&Slot::Charged) { rule!(FE_R15) } else { rule!(FE_2_3_08) };
            Refusal::rule(rule, say::NO_SUCH_SLOT).at("slot").stands(())?;
        }
        if matches!(declared.slot, Slot::First | Slot::Second) {
            clerk.applied(rule!(FE_2_3_08));
            clerk.because(rule!(FE_2_3_09), Effect::Times(1, 2));
        }
        self.is_its_charger(declared.element, declared.slot, declared.target.body)?;
        self.is_legal(declared.element, declared.slot, declared.target)?;
        if self.body(declared.element.body).battery().is_some() {
            return self.battery(declared, clerk).map(|fired| vec![fired]);
        }
        if declared.projectile == Projectile::Canister || declared.burn {
            let field = if declared.burn { "burn" } else { "projectile" };
            return Err(Refusal::field(field, rulebook::phrase::tabletop::BATTERIES_ONLY));
        }
        self.small_arms(declared, clerk)
    }

    fn small_arms(&self, declared: Declaration, clerk: &mut impl Clerk) -> Verdict<Vec<Fired>> {
        let settled = self.settle(declared, clerk)?;
        let shooter = self.body(declared.element.body);
        let target = self.body(declared.target.body);
        let presence = settled.presence.as_ref().unwrap_or_else(|| target.at(settled.slot.instant()));
        let seen =
            if settled.duration.is_some() { [true; 2] } else { self.seen(declared.element, declared.target) };
        let aim = Aim {
            target: declared.target,
            presence,
            slot: settled.slot,
            settled: settled.duration,
            at_contact: settled.at_contact,
            seen,
            choice: declared.choice,
            called: declared.called,
            fired_already: declared.fired_already,
        };
        // Figures with unlike weapons never share a fire; under method 1 nor do unlike factors.
        let apart = declared.method == Method::Apart && clerk.holds(rule!(FE_2_2_04), true);
        let mut kinds: Vec<(SmallArm, Option<i32>)> = self
            .figures(declared.element, shooter.at(settled.slot.instant()))
            .filter_map(|figure| {
                let company = shooter.companies().get(usize::from(figure.company))?;
                let factor = apart.then(|| company.fire.get());
                Some((company.carries(shooter.arm).small_arm()?, factor))
            })
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut fires = Vec::new();
        let mut refused = None;
        for (arm, factor) in kinds {
            let counts = |figure: &Figure| {
                shooter.companies().get(usize::from(figure.company)).is_some_and(|company| {
                    company.carries(shooter.arm).small_arm() == Some(arm)
                        && factor.is_none_or(|factor| company.fire.get() == factor)
                })
            };
            match self.volley(declared.element, arm, aim, counts, clerk) {
                Ok(volley) => {
                    fires.push(self.discharge(declared, arm, aim, &volley, &counts, clerk)?);
                }
                Err(refusal) => refused = Some(refusal),
            }
        }
        match refused {
            Some(refusal) if fires.is_empty() => Err(refusal),
            _ => Ok(fires),
        }
    }

    /// One fire of small arms: the die, then each body the bullets meet (procedure, section 10.1).
    fn discharge(
        &self,
        declared: Declaration,
        arm: SmallArm,
        aim: Aim<'_>,
        volley: &Volley,
        counts: &impl Fn(&Figure) -> bool,
        clerk: &mut impl Clerk,
    ) -> Verdict<Fired> {
        let shooter = self.body(declared.element.body);
        let presence = shooter.at(aim.slot.instant());
        // The steps of a fire, in their order: who fires, in which way, how far; then the die.
        let mut volley = Cow::Borrowed(volley);
        if !clerk.holds(rule!(FE_4_1_02), true) {
            volley.to_mut().shots.pop();
        }
        let point_blank = clerk.rather(rule!(FE_4_1_03), volley.point_blank, !volley.point_blank);
        if !clerk.holds(rule!(FE_4_1_04), true) {
            volley.to_mut().shots.iter_mut().for_each(|shot| shot.distance = Centimetres::ZERO);
        }
        let volley = &*volley;
        let order = if presence.formation == Formation::Skirmish { Order::Skirmish } else { Order::Close };
        let light = volley.shots.iter().all(|shot| {
            shooter.companies().get(usize::from(shot.company)).is_some_and(|company| company.light)
        });
        let skirmish_die = die::rolls_skirmish_die(arm, order, light, self.options, clerk);
        let mut roll = die::roll(skirmish_die, clerk);
        let walk = self.screens(declared, aim, volley);
        let mut hits: Vec<Hit> = Vec::new();
        let mut front: Option<usize> = None;
        let mut open = 0;
        for (step, &target) in walk.iter().enumerate() {
            let declared_one = target == declared.target;
            let there =
                if declared_one { aim.presence } else { self.body(target.body).at(aim.slot.instant()) };
            if let Some(before) = front {
                let gap = self.body(hits[before].target.body).at(aim.slot.instant()).gap_to(there);
                let told = Effect::Limit(cm(700).into());
                if gap.rounded() > 700 && clerk.makes(rule!(FE_2_4_04), told, true, false) {
                    break;
                }
            }
            let own = if declared_one {
                volley.clone()
            } else {
                // What is exposed matters at the declared target alone.
                let aim = Aim { target, presence: there, choice: CoverChoice::Whole, ..aim };
                match self.volley(declared.element, arm, aim, counts, clerk) {
                    Ok(own) => own,
                    Err(_) => {
                        let told = Effect::Set(Measure::Number(0));
                        if clerk.makes(rule!(FE_2_4_03), told, true, false) {
                            continue;
                        }
                        volley.clone()
                    }
                }
            };
            if step > 0 && self.options.penetration_die == PenetrationDie::Separate {
                roll = die::roll(skirmish_die, clerk);
            }
            let mut hit = self.work_out(declared, arm, target, there, &own, roll, clerk)?;
            if let Some(before) = front {
                if !clerk.holds(rule!(FE_2_4_02), true) {
                    break;
                }
                if !clerk.holds(rule!(FE_2_4_07), true) {
                    hit.losses = hits[before].losses;
                }
                if declared_one && !clerk.holds(rule!(FE_2_4_06), true) {
                    break;
                }
                let deducts = self.options.screen_deduction == ScreenDeduction::AnyUnit
                    || self.body(target.body).arm == Arm::Infantry;
                if deducts {
                    hit.losses = behind(hit.losses, hits[before].losses, rule!(FE_2_4_05), clerk);
                }
            }
            let is_open = there.class == Some(Class::Open);
            let covered = hit.cover > Cover::None;
            hits.push(hit);
            if !is_open && (there.class.is_none() || clerk.holds(rule!(FE_2_4_01), true)) {
                break;
            }
            if walk.len() > step + 1 && !clerk.holds(rule!(FE_2_4_08), true) {
                hits.pop();
            }
            open += 1;
            if open == 2 && clerk.holds(rule!(FE_2_4_09), true) {
                break;
            }
            if covered && clerk.holds(rule!(FE_2_4_10), true) {
                break;
            }
            front = hits.len().checked_sub(1);
        }
        Ok(Fired { declaration: declared, hits, point_blank, lost: false, ignited: false })
    }

    /// The bodies a fire of small arms meets, nearest first: screens before the target, the target,
    /// and, if it is itself in open order, what stands behind it.
    fn screens(&self, declared: Declaration, aim: Aim<'_>, volley: &Volley) -> Vec<Target> {
        let instant = aim.slot.instant();
        let side = self.body(declared.element.body).side();
        let shooter = self.body(declared.element.body).at(instant);
        let reach = shooter.extent.and(aim.presence.extent).grown(1000);
        let marks: Vec<&Base> =
            self.marks(declared.target, aim.presence).map(|figure| &figure.base).collect();
        let mut before: Vec<(Gap, usize)> = Vec::new();
        let mut behind: Vec<(Gap, usize)> = Vec::new();
        for number in self.scene.grid().near(&reach) {
            let number = usize::try_from(number).unwrap_or(0);
            let Some(place) = number.checked_sub(self.scene.elements().len()) else { continue };
            let body = self.body(place);
            let there = body.at(instant);
            if body.side() == side
                || place == declared.target.body
                || there.house.is_some()
                || there.class.is_none()
                || self.is_legal(declared.element, declared.slot, Target { body: place, side: None }).is_err()
            {
                continue;
            }
            let gap = shooter.gap_to(there);
            let crossed = |marks: &[&Base], screen: &Presence| {
                volley
                    .shots
                    .iter()
                    .any(|shot| screen.footprint.is_entered_by(Segment::new(shot.apex, nearest(marks, shot))))
            };
            if there.class == Some(Class::Open) && crossed(&marks, there) {
                before.push((gap, place));
            } else if aim.presence.class == Some(Class::Open) {
                let theirs: Vec<&Base> = there.figures.iter().map(|figure| &figure.base).collect();
                if crossed(&theirs, aim.presence) {
                    behind.push((gap, place));
                }
            }
        }
        before.sort_unstable();
        behind.sort_unstable();
        let plain = |(_, body): (Gap, usize)| Target { body, side: None };
        before.into_iter().map(plain).chain([declared.target]).chain(behind.into_iter().map(plain)).collect()
    }

    /// The losses of a volley on one body: modifiers, groups, table (procedure, sections 7 and 9).
    #[allow(clippy::too_many_arguments, reason = "the facts of one fire on one body")]
    fn work_out(
        &self,
        declared: Declaration,
        arm: SmallArm,
        target: Target,
        presence: &Presence,
        volley: &Volley,
        roll: Roll,
        clerk: &mut impl Clerk,
    ) -> Verdict<Hit> {
        let shooter = self.body(declared.element.body);
        let factor_of = |shot: &Shot| {
            shooter.companies().get(usize::from(shot.company)).map_or(0, |company| company.fire.get())
        };
        let base = volley.shots.iter().map(factor_of).min().unwrap_or(0);
        let superior = volley.shots.iter().filter(|shot| factor_of(shot) > base).count();
        let total = i32::try_from(volley.shots.len()).unwrap_or(i32::MAX);
        let state = match declared.element.part {
            Part::Side(_) => house_fire::state_of_shooters(clerk),
            _ => {
                if let Some(imposed) = shooter.imposed {
                    clerk.because(imposed.rule, state::set(imposed.state));
                }
                shooter.state
            }
        };
        let bands = arm.bands();
        let band = |shot: &Shot| {
            let d = shot.distance;
            [Centimetres::hundredths(99), bands.point_blank, bands.third, bands.two_thirds]
                .iter()
                .filter(|&&limit| d > limit)
                .count()
        };
        let mut kinds: Vec<(Cover, usize, Duration)> =
            volley.shots.iter().map(|shot| (shot.cover, band(shot), shot.duration)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut groups: Vec<Group> = Vec::new();
        let mut covers: Vec<Cover> = Vec::new();
        for (cover, in_band, duration) in kinds {
            let same = || {
                volley
                    .shots
                    .iter()
                    .filter(|shot| (shot.cover, band(shot), shot.duration) == (cover, in_band, duration))
            };
            let distance = same().map(|shot| shot.distance).max().unwrap_or_default();
            let mark = self.mark(declared, target, presence, cover);
            let before = modifiers::small_arms(arm, base, state, &mark, distance, self.options, clerk)?;
            let figures = i32::try_from(same().count()).unwrap_or(i32::MAX);
            let factor = before + roll.bonus;
            match groups.iter_mut().find(|group| group.factor == factor && group.duration == duration) {
                Some(group) => group.figures += figures,
                None => {
                    groups.push(Group { factor, figures, duration });
                    covers.push(cover);
                }
            }
        }
        let mut tenth_more = declared.method == Method::Together
            && earns_a_tenth_more(i32::try_from(superior).unwrap_or(0), total, clerk);
        self.explain_target(target, presence, clerk);
        let read = clerk.holds(rule!(FE_4_3_04), true);
        let detached = self.scene.bodies().iter().any(|other| {
            other.setup.unit.as_deref().is_some_and(|unit| unit == shooter.id() || unit == shooter.name())
        });
        if superior > 0 && detached {
            tenth_more = clerk.rather(rule!(FE_2_2_10), tenth_more, !tenth_more);
        }
        if declared.method == Method::Together && superior > 0 {
            tenth_more = clerk.rather(rule!(FE_2_2_03), tenth_more, !tenth_more);
        }
        let whole = volley.shots.iter().all(|shot| shot.duration == Duration::Whole);
        if !clerk.holds(if whole { rule!(FE_2_01) } else { rule!(FE_2_02) }, true) {
            let other = if whole { Duration::Quarter } else { Duration::Whole };
            groups.iter_mut().for_each(|group| group.duration = other);
        }
        let suffered = losses(&groups, Adjustment { tenth_more, doubled: false }, self.options, clerk);
        Ok(Hit {
            target,
            losses: if read { suffered } else { Losses::ZERO },
            figures: total,
            groups,
            distance: volley.shots.iter().map(|shot| shot.distance).min().unwrap_or_default(),
            cover: volley.shots.iter().map(|shot| shot.cover).max().unwrap_or_default(),
            covers,
        })
    }

    /// Says why a target has the class it has, where its formation alone does not tell.
    pub(super) fn explain_target(&self, target: Target, presence: &Presence, clerk: &mut impl Clerk) {
        let body = self.body(target.body);
        if body.is_shapeless() && presence.class == Some(Class::Mass) {
            clerk.applied(rule!(FE_1_5_10));
        }
        match body.setup.changing_to {
            Some(Formation::Skirmish | Formation::Foragers) => clerk.applied(rule!(FE_1_5_12)),
            Some(_) => clerk.applied(rule!(FE_1_5_11)),
            None => {}
        }
    }

    /// A target as a fire sees it.
    pub(super) fn mark(
        &self,
        declared: Declaration,
        target: Target,
        presence: &Presence,
        cover: Cover,
    ) -> Mark {
        let (shooter, body) = (self.body(declared.element.body), self.body(target.body));
        let standing = shooter.at(declared.slot.instant());
        let charging_shooter = body
            .setup
            .record
            .contact
            .as_ref()
            .is_some_and(|contact| contact.charging && contact.with == shooter.id());
        Mark {
            class: presence.class,
            arm: body.arm,
            irregular: body.setup.status == scene::Status::Irregular,
            cover,
            charging_shooter,
            uphill: is_uphill(self.scene, standing, presence),
            in_position: body.arm.is_artillery()
                && counting(presence.formation, body.setup.changing_to) == Formation::InPosition,
            on_flank: self.comes_from_flank(presence, standing.centre),
        }
    }

    /// The cover a battery meets, judged once from its aim axis (FE-R14).
    pub(super) fn cover_from(
        &self,
        declared: Declaration,
        target: Target,
        presence: &Presence,
        from: Point,
        axis: Segment,
        clerk: &mut impl Clerk,
    ) -> Verdict<Cover> {
        let body = self.body(target.body);
        let covers: Vec<(&Figure, Cover)> = self
            .marks(target, presence)
            .map(|figure| (figure, shelter(self.scene, self.options, body, presence, figure, from)))
            .collect();
        let all = covers.iter().all(|&(_, shelter)| !cover::is_exposed(shelter));
        let best = covers.iter().map(|&(_, cover)| cover).max().unwrap_or_default();
        let partial = self.options.partial_cover;
        let none = !all && partial == rulebook::options::tabletop::PartialCover::NoCoverAtAll;
        if none && (best == Cover::None || clerk.holds(rule!(FE_R14), true)) {
            return Ok(Cover::None);
        }
        if declared.choice == CoverChoice::Exposed && target == declared.target {
            let open_on_axis = covers
                .iter()
                .any(|(figure, shelter)| cover::is_exposed(*shelter) && figure.base.is_met_by(axis));
            return if open_on_axis {
                Ok(Cover::None)
            } else {
                Refusal::rule(rule!(FE_1_5_02), say::NONE_EXPOSED)
                    .with("target", body.name().to_owned())
                    .stands(best)
            };
        }
        Ok(best)
    }

    /// Whether the die sets the target's house or redoubt on fire (procedure, section 11), and whether
    /// its garrison is spared therefore.
    pub(super) fn ignites(
        &self,
        declared: Declaration,
        roll: Roll,
        clerk: &mut impl Clerk,
    ) -> Verdict<(bool, bool)> {
        if !declared.burn {
            return Ok((false, false));
        }
        let presence = self.body(declared.target.body).now();
        let howitzers = matches!(&self.body(declared.element.body).setup.troops, Muster::Artillery(battery) if battery.howitzers);
        if rule!(FE_3_3_15).holds(!howitzers) {
            return Err(Refusal::rule(rule!(FE_3_3_15), say::NO_HOWITZERS).at("burn"));
        }
        if rule!(FE_3_3_17).holds(declared.projectile == Projectile::Canister) {
            return Err(Refusal::rule(rule!(FE_3_3_17), say::CANISTER_DOES_NOT_BURN).at("burn"));
        }
        if rule!(FE_3_3_14).holds(presence.house.is_none() && presence.redoubt.is_none()) {
            return Err(Refusal::rule(rule!(FE_3_3_14), say::NOTHING_TO_BURN).at("burn"));
        }
        let has_them = clerk.holds(rule!(FE_3_3_02), true);
        let ignited = roll.face == 6;
        let told = if ignited { Effect::Applied } else { Effect::Refused };
        let ignited = clerk.makes(rule!(FE_3_3_15), told, ignited, !ignited) && has_them;
        Ok((ignited, !ignited && !clerk.holds(rule!(FE_3_3_16), true)))
    }

    /// Whether sight-blocking terrain stands there.
    pub(super) const fn blocks_ball(kind: &Kind) -> bool {
        matches!(kind, Kind::Wood(..) | Kind::House(_) | Kind::Hill(_) | Kind::Plateau(_))
    }
}

/// The nearest point of some bases to a firing figure.
fn nearest(marks: &[&Base], shot: &Shot) -> Point {
    marks
        .iter()
        .map(|base| base.nearest_to(shot.apex))
        .min_by_key(|point| point.square_to(shot.apex))
        .unwrap_or(shot.apex)
}
