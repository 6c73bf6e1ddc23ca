//! The fire phase on a table: section 3 of the fire procedure. Bodies with their records enter;
//! the elements that may fire and their time slots leave, or why a body may not fire.

use std::cell::RefCell;
use std::collections::BTreeMap;

use kernel::{Centimetres, Clerk, Refusal, Verdict};
use rulebook::options::tabletop::{FireInsideCrops, FireThenMove, Options};
use rulebook::phrase::tabletop_shoot as say;
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::charge::Reception;
use super::priority::nobody;
use super::{Duration, SmallArm, State};
use crate::Arm;
use crate::geometry::Gap;
use crate::scene::{
    Body, FieldKind, Figure, Formation, Instant, Kind, Presence, Scene, Side, Situation, Weapon,
};
use crate::sight::Outlook;
use crate::terrain::crops::CropFire;
use crate::terrain::houses::fire as house_fire;
use crate::terrain::{self, crops, on_table, rivers};

/// What fires at one target in one go (FE-R71).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The whole body.
    Whole,
    /// One company, by its place.
    Company(u16),
    /// One face of a square: 0 front, then clockwise.
    Face(u8),
    /// One side of a house.
    Side(u8),
}

/// An element that fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Element {
    /// The body, by its place in the scene.
    pub body: usize,
    /// Which part of it.
    pub part: Part,
}

/// When it fires.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Slot {
    /// At an enemy that reached contact, before the melee forms.
    Charged,
    /// A quarter shot at the end of Q1.
    First,
    /// One fire for the half-period.
    #[default]
    Joint,
    /// A quarter shot at the end of Q2.
    Second,
}

impl Slot {
    /// The instant it is measured at.
    #[must_use]
    pub const fn instant(self) -> Instant {
        match self {
            Self::First => Instant::P1,
            Self::Charged | Self::Joint | Self::Second => Instant::P2,
        }
    }
}

/// What is fired at: a body, or one garrisoned side of a house (FE-R77).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The body.
    pub body: usize,
    /// The side of its house.
    pub side: Option<u8>,
}

/// A table when a fire phase opens.
pub struct Ground<'a> {
    /// The table.
    pub scene: &'a Scene,
    /// The options.
    pub options: &'a Options,
    outlooks: [Option<Outlook<'a>>; 2],
    now: Outlook<'a>,
    /// For each body, the enemies that came into contact with it in this half-period.
    contacted: Vec<Vec<usize>>,
    /// Whether a body stands in a melee with one of this side, by side.
    melees: Vec<usize>,
    /// Which body can reach which, as far as somebody asked (FE-R05).
    reaches: RefCell<BTreeMap<(usize, usize), bool>>,
}

impl<'a> Ground<'a> {
    /// Judges the table.
    #[must_use]
    pub fn new(scene: &'a Scene, options: &'a Options) -> Self {
        let moved = |from: Instant, to: Instant| {
            scene.bodies().iter().any(|body| !std::ptr::eq(body.at(from), body.at(to)))
        };
        let first = moved(Instant::P0, Instant::P1).then(|| Outlook::new(scene, options, Instant::P0));
        let middle = moved(Instant::P1, Instant::P2).then(|| Outlook::new(scene, options, Instant::P1));
        let mut contacted = vec![Vec::new(); scene.bodies().len()];
        for (place, body) in scene.bodies().iter().enumerate() {
            if let Some(contact) = &body.setup.record.contact
                && let Some(with) = scene.bodies().iter().position(|other| other.id() == contact.with)
            {
                contacted[with].push(place);
            }
        }
        let melees = (0..scene.bodies().len()).filter(|&place| scene.bodies()[place].in_melee).collect();
        Self {
            scene,
            options,
            outlooks: [first, middle],
            now: Outlook::new(scene, options, Instant::P2),
            contacted,
            melees,
            reaches: RefCell::default(),
        }
    }

    /// Whether a body could charge another or come into contact with it within a half-period, found
    /// once for each pair.
    #[must_use]
    pub fn reaches(&self, body: usize, other: usize) -> bool {
        let known = self.reaches.borrow().get(&(body, other)).copied();
        known.unwrap_or_else(|| {
            let found = on_table::reaches(self.scene, self.options, self.body(body), self.body(other));
            self.reaches.borrow_mut().insert((body, other), found);
            found
        })
    }

    /// How bodies stand at an instant.
    #[must_use]
    pub fn outlook(&self, instant: Instant) -> &Outlook<'a> {
        let [first, middle] = &self.outlooks;
        match instant {
            Instant::P0 => first.as_ref().or(middle.as_ref()).unwrap_or(&self.now),
            Instant::P1 => middle.as_ref().unwrap_or(&self.now),
            Instant::P2 => &self.now,
        }
    }

    /// A body.
    #[must_use]
    pub fn body(&self, place: usize) -> &'a Body {
        &self.scene.bodies()[place]
    }

    /// The enemies that reached contact with a body in this half-period.
    #[must_use]
    pub fn contacted_by(&self, body: usize) -> &[usize] {
        &self.contacted[body]
    }

    /// Whether an enemy reached contact with an element in this half-period.
    fn is_reached(&self, element: Element) -> bool {
        self.contacted[element.body].iter().any(|&enemy| {
            !matches!(element.part, Part::Face(_) | Part::Side(_)) || self.touches(element, enemy)
        })
    }

    /// An element that an enemy reached fires at nobody else (FE-R15).
    ///
    /// # Errors
    /// At anybody else.
    pub(super) fn is_its_charger(&self, element: Element, slot: Slot, target: usize) -> Verdict<()> {
        let reached = slot == Slot::Charged || self.is_reached(element);
        if reached && !self.contacted[element.body].contains(&target) {
            Refusal::rule(rule!(FE_R15), say::NO_SUCH_SLOT).at("slot").stands(())?;
        }
        Ok(())
    }

    /// The bodies that stand in a melee.
    #[must_use]
    pub fn melees(&self) -> &[usize] {
        &self.melees
    }

    /// Whether figures of an element, or the wall they hold, are touched by a body.
    fn touches(&self, element: Element, other: usize) -> bool {
        let (mine, theirs) = (self.body(element.body).now(), self.body(other).now());
        if let (Part::Side(number), Some(house)) = (element.part, mine.house)
            && let Kind::House(house) = &self.scene.elements()[house].kind
            && let Some(side) = house.sides.get(usize::from(number))
        {
            return on_table::house::attacks(self.body(other), self.body(element.body), number, side);
        }
        self.figures(element, mine).any(|figure| {
            theirs.figures.iter().any(|enemy| {
                figure.base.extent.grown(10).meets(&enemy.base.extent)
                    && figure.base.gap_to(&enemy.base).touches()
            })
        })
    }

    /// Whether any enemy touches an element.
    #[must_use]
    pub fn is_touched(&self, element: Element) -> bool {
        let side = self.body(element.body).side();
        let now = self.body(element.body).now();
        let extent = now.house.map_or(now.extent, |house| self.scene.elements()[house].extent).grown(10);
        self.scene.grid().near(&extent).into_iter().any(|number| {
            let Some(other) =
                usize::try_from(number).ok().and_then(|n| n.checked_sub(self.scene.elements().len()))
            else {
                return false;
            };
            let body = self.body(other);
            body.side() != side && body.arm != Arm::Officer && self.touches(element, other)
        })
    }

    /// The figures of an element among those of a presence, front rank only, none that is moving.
    pub fn figures<'p>(
        &self,
        element: Element,
        presence: &'p Presence,
    ) -> impl Iterator<Item = &'p Figure> + use<'p> {
        let front = |figure: &&Figure| rule!(FE_2_1_01).holds(presence.is_in_front(figure));
        presence.figures.iter().filter(front).filter(move |figure| {
            !figure.moving
                && match element.part {
                    Part::Whole => true,
                    Part::Company(company) => figure.company == company,
                    Part::Face(face) | Part::Side(face) => figure.face == face,
                }
        })
    }

    /// The figures of a target among those of a presence.
    pub fn marks<'p>(
        &self,
        target: Target,
        presence: &'p Presence,
    ) -> impl Iterator<Item = &'p Figure> + use<'p> {
        presence.figures.iter().filter(move |figure| target.side.is_none_or(|side| figure.face == side))
    }

    /// Whether a body may fire at all in this phase.
    ///
    /// # Errors
    /// Why it may not.
    pub fn may_fire(&self, place: usize, clerk: &mut impl Clerk) -> Verdict<()> {
        let body = self.body(place);
        let refuse =
            |rule, phrase| Refusal::rule(rule, phrase).with("body", body.name().to_owned()).stands(());
        // The ground decides; here its refusal names the body.
        let said = |refusal: &Refusal, phrase| {
            let told = Refusal { rule: refusal.rule, ..Refusal::plain(phrase) };
            told.with("body", body.name().to_owned()).stands(())
        };
        let now = body.now();
        match body.arm {
            Arm::Officer => refuse(rule!(FE_1_1_05), say::NO_WEAPON)?,
            Arm::FootArtillery | Arm::HorseArtillery => match (now.formation, body.state) {
                (Formation::Limbered, _) => refuse(rule!(FE_R64), say::LIMBERED)?,
                (_, State::Unformed) => refuse(rule!(FE_3_6_05), say::BATTERY_UNFORMED)?,
                (_, State::Disordered) => refuse(rule!(FE_R64), say::BATTERY_UNFORMED)?,
                _ => {}
            },
            Arm::Infantry | Arm::Cavalry | Arm::Cuirassiers => {
                if body.companies().iter().all(|company| company.carries(body.arm) == Weapon::None) {
                    refuse(rule!(FE_1_1_02), say::NO_WEAPON)?;
                }
                let mounted = body.arm.is_cavalry();
                let fits = |weapon: Weapon| {
                    if mounted {
                        matches!(weapon, Weapon::Musketoon | Weapon::None)
                    } else {
                        weapon != Weapon::Musketoon
                    }
                };
                if let Some(company) =
                    body.companies().iter().find(|company| !fits(company.carries(body.arm)))
                {
                    let rule = if mounted { rule!(FE_1_1_02) } else { rule!(FE_1_1_03) };
                    Refusal::rule(rule, say::WEAPON_OF_ANOTHER_ARM)
                        .with("body", body.name().to_owned())
                        .with("company", company.name.clone())
                        .stands(())?;
                }
                clerk.applied(if mounted { rule!(FE_1_1_02) } else { rule!(FE_1_1_03) });
            }
        }
        if body.in_melee && !now.is_square() && now.house.is_none() {
            refuse(rule!(FE_1_5_05), say::SHOOTER_IN_MELEE)?;
        }
        if body.setup.record.at_ford || self.stands_in(now, |kind| matches!(kind, Kind::Ford(..))) {
            let verdict = rivers::may_fire(terrain::ground::Ground::Ford, &body.troops(), clerk);
            verdict.or_else(|refusal| said(&refusal, say::AT_FORD))?;
        }
        if self.options.fire_inside_crops == FireInsideCrops::Forbidden {
            self.out_of_crops(place, None, clerk).or_else(|refusal| said(&refusal, say::IN_CROPS))?;
        }
        let enemy_inside = now.house.is_some_and(|house| self.is_inside(body.side().enemy(), house));
        house_fire::no_enemy_inside(enemy_inside).or_else(|refusal| said(&refusal, say::ENEMY_INSIDE))
    }

    /// Whether a body that stands in tall crops may fire, at that target or at anybody (TE-R87).
    ///
    /// # Errors
    /// Out of them, and in them unless the option lets two opponents.
    pub(super) fn out_of_crops(
        &self,
        place: usize,
        target: Option<usize>,
        clerk: &mut impl Clerk,
    ) -> Verdict<()> {
        let now = self.body(place).now();
        let field = self.scene.grid().near(&now.extent).into_iter().find_map(|number| {
            let element = self.scene.elements().get(usize::try_from(number).ok()?)?;
            let Kind::Field(FieldKind::TallCrops, area) = &element.kind else { return None };
            now.figures.iter().any(|figure| area.holds(figure.base.centre)).then_some(area)
        });
        let Some(field) = field else { return Ok(()) };
        let other = target.map(|target| self.body(target));
        let inside = other
            .is_some_and(|other| other.now().figures.iter().any(|figure| field.holds(figure.base.centre)));
        let fire = CropFire {
            shooter_inside: true,
            vines: false,
            target_inside: inside,
            target_arm: other.map_or(Arm::Infantry, |other| other.arm),
            distance: other.map_or_else(|| Gap::FAR, |other| now.gap_to(other.now())).centimetres(),
        };
        crops::may_fire(fire, self.options, clerk)
    }

    /// Whether a body of a side is inside a house that the other holds.
    #[must_use]
    pub fn is_inside(&self, side: Side, house: usize) -> bool {
        let id = &self.scene.elements()[house].id;
        self.scene
            .bodies()
            .iter()
            .any(|body| body.side() == side && body.setup.record.inside.as_ref() == Some(id))
    }

    fn stands_in(&self, presence: &Presence, wanted: impl Fn(&Kind) -> bool) -> bool {
        self.scene.grid().near(&presence.extent).into_iter().any(|number| {
            let element = usize::try_from(number).ok().and_then(|number| self.scene.elements().get(number));
            element.is_some_and(|element| {
                wanted(&element.kind)
                    && element.area().is_some_and(|area| {
                        presence.figures.iter().any(|figure| area.holds(figure.base.centre))
                    })
            })
        })
    }

    /// The elements a body fires with when it fires whole: itself, the faces of a square, the
    /// garrisoned sides of a house.
    #[must_use]
    pub fn elements(&self, place: usize) -> Vec<Element> {
        let now = self.body(place).now();
        let faces = |part: fn(u8) -> Part| {
            (0..4_u8)
                .filter(|&face| now.front().any(|figure| figure.face == face))
                .map(|face| Element { body: place, part: part(face) })
                .collect()
        };
        if now.house.is_some() {
            faces(Part::Side)
        } else if now.is_square() {
            faces(Part::Face)
        } else {
            vec![Element { body: place, part: Part::Whole }]
        }
    }

    /// Whether an element is one a body may fire with (FE-1.5-07).
    ///
    /// # Errors
    /// Why it is not.
    pub fn is_element(&self, element: Element, clerk: &mut impl Clerk) -> Verdict<()> {
        let body = self.body(element.body);
        let now = body.now();
        let refuse = |rule| {
            let refusal = Refusal::rule(rule, say::NO_SUCH_ELEMENT);
            refusal.with("body", body.name().to_owned()).at("part").stands(())
        };
        match element.part {
            Part::Whole | Part::Company(_) if now.is_square() || now.house.is_some() => {
                refuse(rule!(FE_R71))?;
            }
            Part::Face(_) if !now.is_square() => refuse(rule!(FE_R71))?,
            Part::Side(_) if now.house.is_none() => refuse(rule!(FE_R77))?,
            Part::Company(company) => {
                if body.arm.is_artillery() || usize::from(company) >= body.companies().len() {
                    refuse(rule!(FE_1_5_07))?;
                }
                if !clerk.holds(rule!(FE_1_5_07), true) {
                    refuse(rule!(FE_R71))?;
                }
            }
            Part::Side(side) => {
                house_fire::angle(clerk);
                let posted = || now.figures.iter().filter(|figure| figure.face == side);
                let count = |figures: usize| i32::try_from(figures).unwrap_or(i32::MAX);
                let moving = count(posted().filter(|figure| figure.moving).count());
                if house_fire::not_moving(count(posted().count()), moving, clerk) == 0 && moving > 0 {
                    return Err(Refusal::rule(rule!(TE_5_2_24), say::FIGURES_MOVING)
                        .with("body", body.name().to_owned()));
                }
            }
            Part::Whole | Part::Face(_) => {}
        }
        if self.figures(element, now).next().is_none() {
            return Err(
                Refusal::rule(rule!(FE_2_1_01), say::NO_FRONT_FIGURES).with("body", body.name().to_owned())
            );
        }
        if body.setup.unit.is_some() {
            // Detached skirmishers fire for themselves.
            let (fires, alone) = (clerk.holds(rule!(FE_2_2_08), true), clerk.holds(rule!(FE_2_2_09), true));
            if !fires || !alone {
                refuse(rule!(FE_R71))?;
            }
        }
        Ok(())
    }

    /// The slots of an element, in the order they are resolved.
    ///
    /// # Errors
    /// Why it has none.
    pub fn slots(&self, element: Element, clerk: &mut impl Clerk) -> Verdict<Vec<Slot>> {
        let body = self.body(element.body);
        let touched = self.is_touched(element);
        if self.is_reached(element) && clerk.holds(rule!(FE_R15), true) {
            // Who had both quarters may divide its fire (FE-R11).
            let had_both = |&enemy: &usize| {
                self.reception(element, enemy, &mut nobody()) == Some(Reception::AtContact(Duration::Whole))
            };
            let divides = self.contacted[element.body].iter().any(had_both);
            return Ok(if divides {
                vec![Slot::Charged, Slot::First, Slot::Second]
            } else {
                vec![Slot::Charged]
            });
        }
        if body.setup.record.reacting {
            // Who is charged meanwhile has answered above.
            Refusal::rule(rule!(TE_R53), say::REACTING).with("body", body.name().to_owned()).stands(())?;
        }
        let silent =
            |rule| Refusal::rule(rule, say::SHOOTER_IN_MELEE).with("body", body.name().to_owned()).stands(());
        match element.part {
            Part::Side(_) => {
                if let Err(refusal) = house_fire::not_attacked(touched, body.in_melee, clerk) {
                    silent(refusal.rule.unwrap_or(rule!(FE_1_5_05)))?;
                }
            }
            Part::Face(_) if touched => silent(rule!(FE_1_5_05))?,
            Part::Face(_) if body.in_melee => {
                if !clerk.holds(rule!(FE_1_5_06), true) {
                    silent(rule!(FE_1_5_05))?;
                }
            }
            Part::Whole | Part::Company(_) | Part::Face(_) => {}
        }
        // In a house stillness is judged figure by figure: those that move are left out already.
        let still = if body.now().house.is_some() && body.at(Instant::P0).house == body.now().house {
            [true, true]
        } else {
            body.still
        };
        match still {
            [true, true] => {
                let all = vec![Slot::First, Slot::Joint, Slot::Second];
                Ok(clerk.rather(rule!(FE_1_2_02), all, vec![Slot::First]))
            }
            [false, true] => {
                let slots = clerk.rather(rule!(FE_1_2_01), vec![Slot::Joint], vec![Slot::First]);
                clerk.applied(rule!(FE_1_2_03));
                Ok(slots)
            }
            [true, false] if self.options.fire_then_move == FireThenMove::FirstQuarterFireAllowed => {
                Ok(vec![Slot::First])
            }
            _ => {
                let pivots = body.arm.is_artillery();
                let rule = if pivots { rule!(FE_3_5_05) } else { rule!(FE_1_07) };
                Refusal::rule(rule, say::NOT_STILL)
                    .with("body", body.name().to_owned())
                    .stands(vec![Slot::Joint])
            }
        }
    }

    /// Whether a target is rallying or left a melee in this half-period.
    #[must_use]
    pub fn is_leaving(&self, target: usize) -> bool {
        let setup = &self.body(target).setup;
        setup.situation == Situation::Rallying
            || (setup.record.melee_q1
                && matches!(setup.situation, Situation::Retreating | Situation::Routing))
    }

    /// The small arm a figure of a body carries.
    #[must_use]
    pub fn weapon_of(&self, body: usize, figure: &Figure) -> Option<SmallArm> {
        let body = self.body(body);
        body.companies().get(usize::from(figure.company))?.carries(body.arm).small_arm()
    }

    /// The small arms of an element, the one that reaches farthest last: figures with unlike weapons
    /// make fires of their own (FE-R23).
    #[must_use]
    pub fn weapons(&self, element: Element) -> Vec<SmallArm> {
        let figures = self.figures(element, self.body(element.body).now());
        let mut weapons: Vec<SmallArm> =
            figures.filter_map(|figure| self.weapon_of(element.body, figure)).collect();
        weapons.sort_unstable();
        weapons.dedup();
        weapons
    }

    /// How far the small arms of an element reach.
    #[must_use]
    pub fn reach(&self, element: Element) -> Centimetres {
        self.weapons(element).last().map_or(Centimetres::ZERO, |arm| arm.bands().range)
    }
}
