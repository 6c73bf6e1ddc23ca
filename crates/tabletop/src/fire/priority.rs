//! Target priorities: section 1.6 of the fire chapter (procedure, section 5). Eligible targets enter;
//! each leaves with its class, and with whether the shooter may take it.

use kernel::{Clerk, Desk, Refusal, Scripted, Silent, Verdict};
use rulebook::phrase::tabletop_shoot as say;
use rulebook::rule;

use super::Class;
use super::corridor::Corridor;
use super::declare::Declaration;
use super::ground::{Element, Ground, Part, Slot, Target};
use super::measure::{Aim, CoverChoice};
use crate::Arm;
use crate::geometry::{Extent, Gap, Segment};
use crate::scene::{Figure, Instant, OrderKind, Situation, Status};

/// An eligible target and its class, 1 to 5; a target of no class may be taken only when no binding
/// class has anybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The target.
    pub target: Target,
    /// Its lowest class; 6 for none.
    pub class: u8,
    /// The gap between the bases.
    pub gap: Gap,
    /// Whether the priorities let the shooter take it.
    pub allowed: bool,
}

/// A clerk to whom nobody listens, for questions asked only to know the answer.
pub(crate) fn nobody() -> Desk<Scripted<'static>, Silent> {
    Desk::new(Scripted::new(&[]), Silent)
}

impl Ground<'_> {
    /// Everything an element might fire at: enemy bodies near enough, garrisons side by side.
    #[must_use]
    pub fn prospects(&self, element: Element) -> Vec<Target> {
        let shooter = self.body(element.body);
        let reach = match Corridor::of(self, element.body, Slot::Joint.instant()) {
            Some(corridor) => Extent::of(&corridor.corners()),
            None => shooter.now().extent.grown(i64::from(self.reach(element).count()) + 1),
        };
        let mut found = Vec::new();
        for number in self.scene.grid().near(&reach) {
            let number = usize::try_from(number).unwrap_or(0);
            let Some(place) = number.checked_sub(self.scene.elements().len()) else { continue };
            if self.body(place).side() != shooter.side() {
                found.extend(self.as_targets(place));
            }
        }
        found
    }

    /// A body as one target, or the garrisoned sides of its house.
    #[must_use]
    pub fn as_targets(&self, place: usize) -> Vec<Target> {
        let now = self.body(place).now();
        if now.house.is_none() {
            return vec![Target { body: place, side: None }];
        }
        (0..4_u8)
            .filter(|&side| now.figures.iter().any(|figure| figure.face == side))
            .map(|side| Target { body: place, side: Some(side) })
            .collect()
    }

    /// Whether an element could fire at a target in a slot.
    ///
    /// # Errors
    /// Why it could not.
    pub fn is_eligible(
        &self,
        element: Element,
        slot: Slot,
        target: Target,
        clerk: &mut impl Clerk,
    ) -> Verdict<()> {
        self.is_its_charger(element, slot, target.body)?;
        self.is_legal(element, slot, target)?;
        if self.body(element.body).battery().is_some() {
            let settled = self.settle(Declaration::new(element, slot, target), &mut nobody())?;
            return self.in_corridor(element, slot, target, &settled, clerk).map(|_| ());
        }
        let contact = self.body(target.body).setup.record.contact.is_some();
        if contact || slot == Slot::Charged {
            // A charger is judged by its path; the die that a full resolution rolls is thrown away.
            let mut desk = Desk::new(kernel::Live::from_seed([0; 32]), Silent);
            return self.resolve(Declaration::new(element, slot, target), &mut desk).map(|_| ());
        }
        let presence = self.body(target.body).at(slot.instant());
        // The cheap tests come first: range and arc know nothing of sight.
        let aim = Aim {
            target,
            presence,
            slot,
            settled: None,
            at_contact: false,
            seen: [true; 2],
            choice: CoverChoice::Whole,
            called: true,
            fired_already: 0,
        };
        self.any_volley(element, aim, &mut nobody())?;
        let seen = self.seen(element, target);
        if seen == [true; 2] {
            return Ok(());
        }
        self.any_volley(element, Aim { seen, ..aim }, clerk)
    }

    /// Whether figures of an element with any one of its weapons can fire.
    fn any_volley(&self, element: Element, aim: Aim<'_>, clerk: &mut impl Clerk) -> Verdict<()> {
        let mut refused = Refusal::rule(rule!(FE_1_1_02), say::NO_WEAPON)
            .with("body", self.body(element.body).name().to_owned());
        for arm in self.weapons(element).into_iter().rev() {
            let carries = |figure: &Figure| self.weapon_of(element.body, figure) == Some(arm);
            match self.volley(element, arm, aim, carries, clerk) {
                Ok(_) => return Ok(()),
                Err(refusal) => refused = refusal,
            }
        }
        Err(refused)
    }

    /// Ranks eligible targets and says which of them the priorities allow.
    pub fn rank(
        &self,
        element: Element,
        slot: Slot,
        targets: &[Target],
        clerk: &mut impl Clerk,
    ) -> Vec<Ranked> {
        let instant = slot.instant();
        let gaps: Vec<Gap> = targets.iter().map(|&target| self.gap_of(element, target, instant)).collect();
        // What stands beyond the end of a corridor binds no battery (FE-R18).
        let corridor = Corridor::of(self, element.body, instant);
        let within: Vec<bool> = targets
            .iter()
            .map(|&target| {
                let there = self.body(target.body).at(instant);
                corridor.is_none_or(|corridor| corridor.holds(&self.footprint(target, there)))
            })
            .collect();
        let nearest = gaps.iter().zip(&within).filter(|&(_, within)| *within).map(|(gap, _)| *gap).min();
        let mut ranked: Vec<Ranked> = targets
            .iter()
            .zip(gaps)
            .zip(within)
            .map(|((&target, gap), within)| {
                let class = if within { self.class(element, target.body, Some(gap) == nearest) } else { 6 };
                Ranked { target, class, gap, allowed: false }
            })
            .collect();
        let binding = self.binding(element, clerk);
        let first = ranked.iter().map(|one| one.class).filter(|&class| class <= binding).min();
        match first {
            None => ranked.iter_mut().for_each(|one| one.allowed = true),
            Some(first) => {
                let ordered = clerk.holds(rule!(FE_1_6_01), true);
                let class = match first {
                    1 => rule!(FE_1_6_02),
                    2 => rule!(FE_1_6_03),
                    3 => rule!(FE_1_6_04),
                    4 => rule!(FE_1_6_05),
                    _ => rule!(FE_1_6_06),
                };
                let free = !clerk.holds(class, true) || !ordered;
                for k in 0..ranked.len() {
                    let behind = (0..ranked.len()).any(|s| {
                        ranked[s].class == first
                            && self.is_screened(element, ranked[s].target, ranked[k].target)
                    });
                    ranked[k].allowed = free || ranked[k].class == first || behind;
                }
            }
        }
        ranked
    }

    /// The shortest distance between the bases of an element and of a target.
    fn gap_of(&self, element: Element, target: Target, instant: Instant) -> Gap {
        let (mine, theirs) = (self.body(element.body).at(instant), self.body(target.body).at(instant));
        if element.part == Part::Whole && target.side.is_none() {
            return mine.gap_to(theirs);
        }
        let counts = |figure: &&Figure| match element.part {
            Part::Whole => true,
            Part::Company(company) => figure.company == company,
            Part::Face(face) | Part::Side(face) => figure.face == face,
        };
        let figures = mine.figures.iter().filter(counts);
        figures.map(|figure| self.gap_from(figure, target, theirs)).min().unwrap_or(Gap::FAR)
    }

    /// The last class that binds a shooter: all five, fewer beside a general.
    fn binding(&self, element: Element, clerk: &mut impl Clerk) -> u8 {
        let shooter = self.body(element.body);
        let led = self.scene.bodies().iter().any(|body| {
            body.is_general()
                && body.side() == shooter.side()
                && body.now().extent.grown(10).meets(&shooter.now().extent)
                && body.now().gap_to(shooter.now()).touches()
        });
        match (led, shooter.setup.status) {
            (false, _) => 5,
            (true, Status::Guard | Status::Elite) => clerk.rather(rule!(FE_1_6_07), 1, 5),
            (true, _) => clerk.rather(rule!(FE_1_6_08), 2, 5),
        }
    }

    fn class(&self, element: Element, place: usize, nearest: bool) -> u8 {
        let (shooter, enemy) = (self.body(element.body), self.body(place));
        let contact = enemy.setup.record.contact.as_ref();
        if contact.is_some_and(|contact| contact.with == shooter.id()) {
            return 1;
        }
        if contact.is_none() && self.can_reach(place, element.body) {
            return 2;
        }
        if let Some(order) = &shooter.setup.order
            && matches!(
                order.kind,
                OrderKind::Support
                    | OrderKind::Cover
                    | OrderKind::Defend
                    | OrderKind::Sustain
                    | OrderKind::Deny
            )
            && let Some(of) = &order.of
        {
            let threatens = contact.is_some_and(|contact| &contact.with == of)
                || self.scene.bodies().iter().any(|body| {
                    body.id() == of && body.setup.record.fired_at_by.iter().any(|by| by == enemy.id())
                })
                || self.scene.elements().iter().any(|element| {
                    &element.id == of
                        && contact.is_some()
                        && element.extent.grown(10).meets(&enemy.now().extent)
                });
            if threatens {
                return 3;
            }
        }
        if shooter.setup.record.fired_at_by.iter().any(|by| by == enemy.id()) {
            return 4;
        }
        if nearest { 5 } else { 6 }
    }

    /// Whether an enemy could charge a body or come into contact with it within a half-period
    /// (FE-R05).
    fn can_reach(&self, place: usize, shooter: usize) -> bool {
        let enemy = self.body(place);
        if enemy.arm.is_artillery()
            || enemy.arm == Arm::Officer
            || enemy.in_melee
            || enemy.setup.situation != Situation::Steady
            || enemy.now().house.is_some()
        {
            return false;
        }
        self.reaches(place, shooter)
    }

    /// Whether a body of class line or mass stands behind a screen so that the fire would reach it.
    fn is_screened(&self, element: Element, screen: Target, behind: Target) -> bool {
        let (front, back) = (self.body(screen.body).now(), self.body(behind.body).now());
        if front.class != Some(Class::Open)
            || !matches!(back.class, Some(Class::Line | Class::Mass))
            // Nothing limits how far behind open order a ball hits (FE-3.7-12).
            || (self.body(element.body).battery().is_none() && front.gap_to(back).rounded() > 700)
        {
            return false;
        }
        self.figures(element, self.body(element.body).now()).any(|figure| {
            let apex = figure.base.front;
            let nearest = back
                .figures
                .iter()
                .map(|mark| mark.base.nearest_to(apex))
                .min_by_key(|point| point.square_to(apex));
            nearest.is_some_and(|point| front.footprint.is_entered_by(Segment::new(apex, point)))
        })
    }

    /// Whether the priorities let an element fire at a target.
    ///
    /// # Errors
    /// Which enemy it must take first.
    pub fn must_take(
        &self,
        element: Element,
        slot: Slot,
        target: Target,
        clerk: &mut impl Clerk,
    ) -> Verdict<()> {
        let mut eligible: Vec<Target> = self
            .prospects(element)
            .into_iter()
            .filter(|&prospect| {
                prospect == target || self.is_eligible(element, slot, prospect, &mut nobody()).is_ok()
            })
            .collect();
        if !eligible.contains(&target) {
            eligible.push(target);
        }
        let ranked = self.rank(element, slot, &eligible, clerk);
        let chosen = ranked.iter().find(|one| one.target == target);
        if chosen.is_none_or(|one| one.allowed) {
            return Ok(());
        }
        let first =
            ranked.iter().filter(|one| one.allowed).min_by_key(|one| (one.class, one.gap, one.target));
        let name = first.map_or("", |one| self.body(one.target.body).name());
        Err(Refusal::rule(rule!(FE_1_6_01), say::PRIORITY)
            .with("target", self.body(target.body).name().to_owned())
            .with("first", name.to_owned())
            .at("target"))
    }
}
