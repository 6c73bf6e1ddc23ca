//! Initiative, the return of flyers, and characters (section 3.2 of the game page; sections 4.1, 4.5, 10
//! and 11 of the core rules).

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::phrase::breach_game as phrase;
use rulebook::rule;
use tabletop::geometry::Point;

use crate::lists::Line;
use crate::scenario::{Scenario, Side};
use crate::terms::Arm;

use super::super::action::{Action, Charge, Target, TowerSide};
use super::super::charge::Landed;
use super::super::geometry::{Rect, shift};
use super::super::ground::{Boxed, Keep, nearest_of};
use super::super::moves::Mover;
use super::super::plan::{ElementId, Kind, Slot, TABLE};
use super::super::sight::{Aim, Seen};
use super::super::state::{
    Character, CharacterId, Place, State, Step, Unit, UnitId, UnitSet, Whereabouts, cm,
};
use super::Opened;

/// How near an enemy must be for initiative.
const NEAR: i64 = 2_000;

impl Unit {
    /// The same as it stands, elsewhere.
    fn moved_by(&self, (dx, dy): (i64, i64)) -> Self {
        let mut after = *self;
        for at in self.alive() {
            if let Place::Ground { front, facing } = self.stands[at].place {
                after.stands[at].place = Place::Ground { front: front.moved(dx, dy), facing };
                after.stands[at].post = None;
            }
        }
        after.machine = self.machine.map(|(front, facing)| (front.moved(dx, dy), facing));
        after
    }
}

impl State {
    // Initiative: units of the active side, one at a time, with regard to the closest visible enemy.

    pub(super) fn open_initiative(&mut self) -> Opened {
        let mut list = Vec::new();
        let enemies = self.table.boxes(self.active.other());
        let able = self.table.of_side(self.active).any(|(id, unit)| {
            self.initiative_of(id, unit, &enemies, &mut list);
            !list.is_empty()
        });
        if able {
            return Opened::Ask(self.active);
        }
        self.next(Step::HomeBack)
    }

    fn may_act(&self, id: UnitId) -> Verdict<&Unit> {
        let unit = self.table.unit(id).filter(|unit| unit.side == self.active && unit.is_on_table());
        let Some(unit) = unit else { return Err(Refusal::rule(rule!(BC_4_1_01), phrase::NO_SUCH_UNIT)) };
        if rule!(BC_4_1_05).holds(unit.is_confused()) {
            return Err(Refusal::rule(rule!(BC_4_1_05), phrase::NO_INITIATIVE));
        }
        let busy = unit.marks.initiative || unit.marks.engaged || unit.profile().engine || unit.is_posted();
        if rule!(BC_4_1_02).holds(busy) {
            return Err(Refusal::rule(rule!(BC_4_1_02), phrase::NO_INITIATIVE));
        }
        Ok(unit)
    }

    pub(super) fn list_initiative(&self, into: &mut Vec<Action>) {
        let mut forced = false;
        let enemies = self.table.boxes(self.active.other());
        for (id, unit) in self.table.of_side(self.active) {
            if into.len() <= 60 {
                let before = into.len();
                self.initiative_of(id, unit, &enemies, into);
                let at_units = into[before..].iter().any(|action| {
                    matches!(action, Action::InitiativeCharge(Charge { target: Target::Unit(_), .. }))
                });
                forced |= unit.profile().fanatic && at_units;
            }
        }
        if !forced {
            into.push(Action::EndInitiative);
        }
    }

    /// What one unit may do by initiative.
    fn initiative_of(&self, id: UnitId, unit: &Unit, enemies: &[Boxed<'_>], into: &mut Vec<Action>) {
        if self.may_act(id).is_err() {
            return;
        }
        let near = self.table.nearest_of(unit, NEAR, enemies);
        if near.is_empty() && !unit.is_burdened() {
            return;
        }
        let mut seen = Seen::default();
        if let Some(mut charger) = self.table.charger(id, self.table.charge_reach(unit)).map(Mover::briefly) {
            for target in self.targets(unit, NEAR, &near) {
                let charge = Charge { unit: id, target, extra: Vec::new(), envelop: true };
                if self.initiative_lands(&mut charger, &near, &charge, &mut seen).is_ok() {
                    into.push(Action::InitiativeCharge(charge));
                }
            }
        }
        let closest = near
            .iter()
            .map(|&(_, enemy)| enemy)
            .find(|&enemy| seen.of(enemy, || self.table.sees(unit, enemy, NEAR, Aim::Charge)));
        let way = closest.and_then(|enemy| self.away_from(unit, enemy));
        let most = unit.reach();
        let mover = way.and_then(|_| Mover::new(&self.table, id, most, UnitSet::default(), Keep::Clear(500)));
        if let Some(mover) = mover.map(Mover::briefly) {
            let fits = |distance: &i64| self.evades(&mover, way, *distance).is_ok();
            let paces = most / 100;
            if let Some(most) = (1..=paces).rev().map(|step| step * 100).find(fits) {
                let half = Some(most / 200 * 100).filter(|half| *half >= 100 && fits(half));
                let evade = |distance| Action::InitiativeEvade { unit: id, distance: cm(distance) };
                into.extend([most].into_iter().chain(half).map(evade));
            }
        }
        if unit.is_burdened() && self.active == Side::Besieger {
            for (element, _) in self.table.plan().each() {
                if self.machine_lands(id, element).is_ok() {
                    into.push(Action::InitiativeMachine { unit: id, element });
                }
            }
        }
    }

    pub(super) fn check_end_initiative(&self) -> Verdict<()> {
        let mut list = Vec::new();
        self.list_initiative(&mut list);
        if list.contains(&Action::EndInitiative) {
            return Ok(());
        }
        let fanatic = list.iter().find_map(Action::unit).and_then(|id| self.table.unit(id));
        Err(Refusal::rule(rule!(BC_17_02), phrase::FANATICS_MUST_CHARGE)
            .with("unit", fanatic.map(Unit::name).unwrap_or_default()))
    }

    /// What a unit might charge within a distance, with the enemies that near.
    pub(super) fn targets(&self, unit: &Unit, distance: i64, near: &[(i64, UnitId)]) -> Vec<Target> {
        let mut targets = Vec::new();
        let arm = unit.profile().arm;
        for &(_, other) in near {
            if self.table.unit(other).is_some_and(|other| !self.table.is_fortified(other)) {
                targets.push(Target::Unit(other));
            }
        }
        if !matches!(arm, Arm::Infantry | Arm::Flyer) {
            return targets;
        }
        for (element, part) in self.table.plan().each() {
            let near = self.table.works_rect(element).is_some_and(|rect| {
                unit.alive()
                    .filter_map(|at| self.table.stand_rect(unit, at))
                    .any(|own| own.is_near(&rect, distance))
            });
            if !near || !self.table.stands(element) {
                continue;
            }
            let held = self.table.held_by(element) == Some(unit.side.other());
            if held && self.table.is_wall(element) {
                if unit.side == Side::Besieger {
                    targets.push(Target::Wall(element));
                }
                targets.extend([Target::Inside(element), Target::Along(element)]);
            }
            if held && !self.table.is_wall(element) {
                let slots = part.slots.iter().map(|&(slot, ..)| TowerSide::Slot(slot));
                let sections = part.beside.iter().flatten().map(|&section| TowerSide::Section(section));
                targets.extend(slots.chain(sections).map(|side| Target::TowerSide(element, side)));
            }
            if unit.side == Side::Besieger && unit.item.rams() && part.kind != Kind::LoneTower {
                targets.push(Target::Ram(element));
            }
        }
        targets
    }

    pub(super) fn check_initiative_charge(&self, charge: &Charge) -> Verdict<Landed> {
        let unit = self.may_act(charge.unit)?;
        match self.table.charger(charge.unit, self.table.charge_reach(unit)) {
            Some(mut mover) => {
                let near = self.table.enemies_within(unit, NEAR);
                self.initiative_lands(&mut mover, &near, charge, &mut Seen::default())
            }
            None => Err(Refusal::rule(rule!(BC_4_1_01), phrase::NO_SUCH_UNIT)),
        }
    }

    /// Where the charge of a unit ends that may act, with these enemies near.
    fn initiative_lands(
        &self,
        charger: &mut Mover<'_>,
        near: &[(i64, UnitId)],
        charge: &Charge,
        known: &mut Seen,
    ) -> Verdict<Landed> {
        let unit = charger.unit;
        if rule!(BC_4_1_03).holds(unit.profile().arm == Arm::Artillery) {
            return Err(Refusal::rule(rule!(BC_4_1_03), phrase::NO_INITIATIVE));
        }
        let along = matches!(charge.target, Target::Along(_))
            || matches!(charge.target, Target::TowerSide(_, TowerSide::Section(_)));
        let landed = self.table.charge_of(charger, charge)?;
        if !along {
            let wanted = |id: UnitId| landed.charged.has(id);
            let mut ok = false;
            for &(gap, id) in near {
                let fortified = self.table.unit(id).is_some_and(|other| self.table.is_fortified(other));
                let seen = known.of(id, || self.table.sees(unit, id, NEAR, Aim::Charge));
                if !seen {
                    continue;
                }
                if wanted(id) {
                    ok = true;
                    break;
                }
                let tie = near.iter().any(|(other, id)| *other == gap && wanted(*id));
                if tie || (fortified && rule!(BC_4_1_04).holds(true)) {
                    continue;
                }
                let name = self.table.unit(id).map(Unit::name).unwrap_or_default();
                return Err(Refusal::rule(rule!(BC_4_1_01), phrase::NOT_CLOSEST).with("unit", name));
            }
            if rule!(BC_4_1_01).holds(!ok) {
                return Err(Refusal::rule(rule!(BC_4_1_01), phrase::NOBODY_NEAR));
            }
        }
        Ok(landed)
    }

    pub(super) fn initiative_charge(&mut self, charge: &Charge, clerk: &mut impl Clerk) {
        let landed = self.check_initiative_charge(charge);
        self.table.with_unit(charge.unit, |unit| unit.marks.initiative = true);
        if let Ok(landed) = landed {
            if self.passes_by_works(charge.unit, &landed) {
                clerk.applied(rule!(BC_4_1_04));
            }
            self.land(charge, &landed, clerk);
        }
    }

    /// Whether a charge leaves a nearer enemy on the works alone.
    fn passes_by_works(&self, id: UnitId, landed: &Landed) -> bool {
        let Some(unit) = self.table.unit(id) else { return false };
        let near = self.table.enemies_within(unit, NEAR);
        let nearer = near.iter().take_while(|(_, enemy)| !landed.charged.has(*enemy));
        let mut foes = nearer.filter_map(|(_, enemy)| self.table.unit(*enemy));
        foes.any(|foe| self.table.is_fortified(foe))
    }

    /// The stand of an enemy that an evade goes away from, and the own stand that is nearest to it.
    fn away_from(&self, unit: &Unit, enemy: UnitId) -> Option<(Point, Point)> {
        let enemy = self.table.unit(enemy)?;
        let mut best: Option<(i64, Point, Point)> = None;
        for at in unit.alive() {
            let own = self.table.stand_rect(unit, at)?;
            for to in enemy.alive() {
                let other = self.table.stand_rect(enemy, to)?;
                let gap = own.gap(&other);
                if best.is_none_or(|(least, ..)| gap < least) {
                    best = Some((gap, other.centre, own.centre));
                }
            }
        }
        best.map(|(_, from, to)| (from, to))
    }

    /// The way of an evade: from the closest enemy that is seen.
    fn way_out(&self, unit: &Unit) -> Option<(Point, Point)> {
        let closest = self.table.closest(unit, NEAR, Aim::Charge);
        closest.first().and_then(|&(_, enemy)| self.away_from(unit, enemy))
    }

    pub(super) fn check_evade(&self, id: UnitId, distance: i64) -> Verdict<Unit> {
        let unit = self.may_act(id)?;
        let way = self.way_out(unit);
        match Mover::new(&self.table, id, unit.reach(), UnitSet::default(), Keep::Clear(500)) {
            Some(mover) => self.evades(&mover, way, distance),
            None => Err(Refusal::rule(rule!(BC_5_3_01), phrase::NO_SUCH_UNIT)),
        }
    }

    /// Where a unit ends that may act and goes so far out of the way of an enemy.
    fn evades(&self, mover: &Mover<'_>, way: Option<(Point, Point)>, distance: i64) -> Verdict<Unit> {
        let (id, unit) = (mover.id, mover.unit);
        if rule!(BC_4_1_03).holds(unit.profile().arm == Arm::Flyer) {
            return Err(Refusal::rule(rule!(BC_4_1_03), phrase::NO_INITIATIVE));
        }
        if rule!(BC_17_02).holds(unit.profile().fanatic) {
            return Err(Refusal::rule(rule!(BC_17_02), phrase::NO_INITIATIVE));
        }
        if self.table.is_on_works(unit) {
            return Err(Refusal::rule(rule!(BC_5_3_01), phrase::NO_INITIATIVE));
        }
        let Some((from, to)) = way else {
            return Err(Refusal::rule(rule!(BC_4_1_01), phrase::NOBODY_NEAR));
        };
        let most = unit.reach();
        if rule!(BC_5_3_01).holds(distance <= 0 || distance > most) {
            return Err(Refusal::rule(rule!(BC_5_3_01), phrase::TOO_FAR)
                .with("travel", cm(distance))
                .with("most", cm(most)));
        }
        let by = shift(from, to, tabletop::geometry::Facing::NORTH, distance);
        let after = unit.moved_by(by);
        mover.ends(&after).map_err(|refusal| {
            let near = refusal.rule == Some(rule!(BC_5_2_03));
            if near { Refusal { rule: Some(rule!(BC_5_3_01)), ..refusal } } else { refusal }
        })?;
        let (enemies, friends) = self.swept_by(id, unit, by);
        let fights = friends.iter().any(|&id| self.table.unit(id).is_some_and(|unit| unit.marks.engaged));
        let closed = unit.alive().filter_map(|at| self.table.ground_rect(unit, at)).any(|rect| {
            let hull = rect.swept(by);
            self.table.is_solid(unit.side, &hull)
        });
        if rule!(BC_5_3_01).holds(enemies || fights || closed) {
            return Err(Refusal::rule(rule!(BC_5_3_01), phrase::BLOCKED));
        }
        Ok(after)
    }

    /// Whether enemies lie under a straight move, and the friends who do.
    fn swept_by(&self, id: UnitId, unit: &Unit, by: (i64, i64)) -> (bool, Vec<UnitId>) {
        let hulls: Vec<Rect> = unit
            .alive()
            .filter_map(|at| self.table.ground_rect(unit, at))
            .map(|rect| rect.swept(by))
            .collect();
        let mut friends = Vec::new();
        let mut enemies = false;
        for (other, held) in self.table.each().filter(|(other, held)| *other != id && held.is_on_table()) {
            let under = |hull: &Rect| self.table.bases_near(held, hull, 0).any(|base| hull.overlaps(&base));
            if hulls.iter().any(under) {
                if held.side == unit.side {
                    friends.push(other);
                } else {
                    enemies = true;
                }
            }
        }
        (enemies, friends)
    }

    /// A unit moved as it stands, if nothing is in its way where it ends.
    pub(super) fn shifted(&self, id: UnitId, unit: &Unit, by: (i64, i64), keep: Keep) -> Verdict<Unit> {
        let after = unit.moved_by(by);
        let mover = Mover::new(&self.table, id, by.0.abs().max(by.1.abs()), UnitSet::default(), keep);
        match mover {
            Some(mover) => mover.ends(&after).map(|()| after),
            None => Err(Refusal::rule(rule!(BC_5_3_01), phrase::NO_SUCH_UNIT)),
        }
    }

    pub(super) fn evade(&mut self, id: UnitId, distance: i64, clerk: &mut impl Clerk) {
        if let Ok(after) = self.check_evade(id, distance) {
            clerk.applied(rule!(BC_5_3_01));
            let before = self.table.unit(id).copied();
            if let (Some(before), Some((from, to))) =
                (before, before.as_ref().and_then(|unit| self.way_out(unit)))
            {
                // Friends whom they burst through are shaken until the end of the phase.
                let by = shift(from, to, tabletop::geometry::Facing::NORTH, distance);
                for friend in self.swept_by(id, &before, by).1 {
                    let shaken = clerk.holds(rule!(BC_9_01), true);
                    self.table.with_unit(friend, |unit| unit.marks.shaken = shaken);
                }
            }
            self.table.with_unit(id, |unit| *unit = after);
            if let Some(before) = before {
                self.overrun(&before, &after);
            }
        }
        self.table.with_unit(id, |unit| {
            unit.marks.initiative = true;
            unit.marks.moved_once |= unit.item.moves_once();
        });
    }

    /// Where a machine ends that moves by initiative.
    fn machine_lands(&self, id: UnitId, element: ElementId) -> Verdict<Charge> {
        let unit = self.may_act(id)?;
        let refused = |reason| Refusal::rule(rule!(BC_4_1_06), reason);
        if !unit.is_burdened() || unit.marks.moved_once || self.active != Side::Besieger {
            return Err(refused(phrase::NO_INITIATIVE));
        }
        let gap = |element: ElementId| {
            let rect = self.table.works_rect(element)?;
            let machine = unit.machine_rect().into_iter();
            let own = unit.alive().filter_map(|at| self.table.ground_rect(unit, at));
            own.chain(machine).map(|own| own.gap(&rect)).min()
        };
        let here = gap(element).unwrap_or(i64::MAX);
        if rule!(BC_4_1_06).holds(here > NEAR) {
            return Err(refused(phrase::OUT_OF_REACH));
        }
        let nearer = self.table.plan().each().any(|(other, part)| {
            part.kind == Kind::Wall && self.table.stands(other) && gap(other).is_some_and(|gap| gap < here)
        });
        if rule!(BC_4_1_06).holds(nearer) {
            return Err(refused(phrase::OUT_OF_REACH));
        }
        let target = if unit.item.rams() { Target::Ram(element) } else { Target::Wall(element) };
        let charge = Charge { unit: id, target, extra: Vec::new(), envelop: false };
        self.table.charge(&charge, unit.reach())?;
        Ok(charge)
    }

    pub(super) fn why_no_machine(&self, unit: UnitId, element: ElementId) -> Refusal {
        self.machine_lands(unit, element).err().unwrap_or_else(|| Refusal::plain(phrase::NOT_NOW))
    }

    pub(super) fn initiative_machine(&mut self, id: UnitId, element: ElementId, clerk: &mut impl Clerk) {
        if let Ok(charge) = self.machine_lands(id, element)
            && let Some(unit) = self.table.unit(id)
            && let Ok(landed) = self.table.charge(&charge, unit.reach())
        {
            clerk.applied(rule!(BC_4_1_06));
            self.land(&charge, &landed, clerk);
        }
        self.table.with_unit(id, |unit| {
            unit.marks.initiative = true;
            unit.marks.moved_once = true;
        });
    }

    // Home back: flyers far from every character.

    fn strays(&self) -> Option<UnitId> {
        self.table
            .of_side(self.active)
            .find(|(_, unit)| {
                unit.profile().arm == Arm::Flyer
                    && !unit.marks.homed
                    && !unit.marks.initiative
                    && !unit.marks.engaged
                    && self.speakers().all(|(_, at)| self.table.gap_to(at, unit) > 2_000)
            })
            .map(|(id, _)| id)
    }

    /// The characters of the active side, with their places.
    pub(super) fn speakers(&self) -> impl Iterator<Item = (CharacterId, Point)> {
        self.table
            .people()
            .filter(|(_, one)| one.side == self.active)
            .filter_map(|(id, one)| Some((id, self.table.whereabouts(one)?)))
    }

    pub(super) fn open_home_back(&mut self) -> Opened {
        if self.strays().is_some() && self.speakers().next().is_some() {
            return Opened::Ask(self.active);
        }
        self.next(Step::Orders)
    }

    pub(super) fn list_home_back(&self, into: &mut Vec<Action>) {
        if let Some(unit) = self.strays() {
            into.push(Action::Stay(unit));
            into.extend(self.speakers().take(5).map(|(character, _)| Action::HomeBack { unit, character }));
        }
    }

    pub(super) fn home_back(&mut self, id: UnitId, character: CharacterId, clerk: &mut impl Clerk) {
        let die = i32::from(clerk.d6());
        let die = i64::from(clerk.value(rule!(BC_11_02), die));
        let place = self.table.character(character).and_then(|one| self.table.whereabouts(one));
        if let (Some(unit), Some(to)) = (self.table.unit(id).copied(), place) {
            let from = unit.alive().filter_map(|at| self.table.stand_rect(&unit, at)).next();
            if let Some(from) = from {
                let mut distance = (die * 1_000).min(from.centre.gap_to(to).rounded());
                while distance > 0 {
                    let by = shift(from.centre, to, from.facing, distance);
                    if let Ok(after) = self.shifted(id, &unit, by, Keep::Away(10)) {
                        self.table.with_unit(id, |unit| *unit = after);
                        break;
                    }
                    distance -= 10;
                }
            }
        }
        self.table.with_unit(id, |unit| unit.marks.homed = true);
    }

    // Characters: each moves once at the end of the phase.

    pub(super) fn open_characters(&mut self) -> Opened {
        if self.speakers().any(|(id, _)| self.table.character(id).is_some_and(|one| !one.moved)) {
            return Opened::Ask(self.active);
        }
        self.next(Step::CommandEnd)
    }

    pub(super) fn list_characters(&self, into: &mut Vec<Action>) {
        into.push(Action::EndCharacters);
        let movers: Vec<(CharacterId, Point)> = self
            .speakers()
            .filter(|(id, _)| self.table.character(*id).is_some_and(|one| !one.moved))
            .collect();
        let own: Vec<_> =
            self.table.of_side(self.active).map(|(unit, held)| (unit, self.table.footprints(held))).collect();
        for (id, at) in movers {
            let mut near: Vec<(i64, UnitId)> =
                own.iter().map(|(unit, bases)| (nearest_of(bases, at), *unit)).collect();
            near.sort_unstable();
            for (gap, unit) in near.into_iter().take(12) {
                let to = Whereabouts::With(unit);
                let joins = self.table.character(id).is_some_and(|one| {
                    one.place != to && !one.is_too_far(gap) && self.may_join(one.side, unit)
                });
                if into.len() < 62 && joins {
                    into.push(Action::MoveCharacter { character: id, to });
                }
            }
            if self.check_move_character(id, Whereabouts::Out).is_ok() {
                into.push(Action::MoveCharacter { character: id, to: Whereabouts::Out });
            }
        }
    }

    pub(super) fn check_move_character(&self, id: CharacterId, to: Whereabouts) -> Verdict<()> {
        let character = self.table.character(id).filter(|one| one.side == self.active && !one.moved);
        let from = character.and_then(|one| self.table.whereabouts(one));
        let (Some(character), Some(from)) = (character, from) else {
            return Err(Refusal::rule(rule!(BC_4_5_01), phrase::NO_SUCH_UNIT));
        };
        if character.is_too_far(self.way_to(character, from, to)?) {
            return Err(Refusal::rule(rule!(BC_4_5_01), phrase::CHARACTER_TOO_FAR));
        }
        Ok(())
    }

    /// How far a place is from a character, if he may be there.
    pub(super) fn way_to(&self, character: &Character, from: Point, to: Whereabouts) -> Verdict<i64> {
        Ok(match to {
            Whereabouts::With(unit) if self.may_join(character.side, unit) && character.place != to => {
                self.table.unit(unit).map_or(i64::MAX, |unit| self.table.gap_to(from, unit))
            }
            Whereabouts::At(point) => {
                let on_table = (0..=TABLE.0).contains(&point.x) && (0..=TABLE.1).contains(&point.y);
                if !on_table {
                    return Err(Refusal::rule(rule!(BC_5_6_01), phrase::OFF_THE_TABLE));
                }
                let rect = Rect::new(point, tabletop::geometry::Facing::NORTH, 0, 0);
                let covered = self
                    .table
                    .of_side(character.side.other())
                    .any(|(_, enemy)| self.table.bases(enemy).any(|base| base.holds(point)));
                if covered || self.table.is_solid(character.side, &rect) {
                    return Err(Refusal::rule(rule!(BC_5_5_01), phrase::CLOSED_GROUND));
                }
                from.gap_to(point).rounded()
            }
            Whereabouts::On(element) => {
                let held = self.table.held_by(element);
                let closed = !self.table.stands(element) || held == Some(character.side.other());
                if rule!(BC_10_03).holds(closed) || self.table.scenario != Scenario::Keep {
                    return Err(Refusal::rule(rule!(BC_10_03), phrase::HELD_BY_ENEMY));
                }
                self.table.works_rect(element).map_or(i64::MAX, |rect| rect.centre.gap_to(from).rounded())
            }
            Whereabouts::Out => {
                let general = character.side == Side::Garrison && character.is_general();
                if rule!(BR_R44).holds(self.table.scenario != Scenario::Help || !general) {
                    return Err(Refusal::rule(rule!(BR_R44), phrase::NO_EXIT));
                }
                TABLE.1 - from.y
            }
            _ => return Err(Refusal::rule(rule!(BR_R90), phrase::NO_SUCH_PLACE)),
        })
    }

    pub(super) fn move_character(&mut self, id: CharacterId, to: Whereabouts, clerk: &mut impl Clerk) {
        if let Some(character) = self.table.characters.get_mut(usize::from(id.0)) {
            character.place = to;
            character.moved = true;
        }
        if to == Whereabouts::Out {
            self.message_out(clerk);
        }
    }

    // Lone characters that an enemy moves onto.

    /// Asks the lone characters under the way of an enemy unit.
    pub(super) fn overrun(&mut self, before: &Unit, after: &Unit) {
        let side = after.side;
        let mut found = Vec::new();
        for (id, one) in self.table.people().filter(|(_, one)| one.side != side) {
            let Whereabouts::At(point) = one.place else { continue };
            let covered = after.alive().any(|at| {
                let (Some(from), Some(to)) =
                    (self.table.ground_rect(before, at), self.table.ground_rect(after, at))
                else {
                    return false;
                };
                let strip = Rect::strip(from.centre, to.centre, 2 * to.halves().0);
                to.holds(point) || (from.centre != to.centre && strip.holds(point))
            });
            if covered {
                found.push(id);
            }
        }
        self.steps.extend(found.into_iter().map(Step::Escape));
    }

    fn refuges(&self, id: CharacterId) -> Vec<UnitId> {
        let Some(one) = self.table.character(id) else { return Vec::new() };
        let Some(at) = self.table.whereabouts(one) else { return Vec::new() };
        let mut near: Vec<(i64, UnitId)> = self
            .table
            .of_side(one.side)
            .filter(|(unit, _)| self.may_join(one.side, *unit))
            .map(|(unit, held)| (self.table.gap_to(at, held), unit))
            .filter(|(gap, _)| *gap <= 3_000)
            .collect();
        near.sort_unstable();
        near.into_iter().map(|(_, unit)| unit).take(8).collect()
    }

    pub(super) fn open_escape(&mut self, id: CharacterId, clerk: &mut impl Clerk) -> Opened {
        if !self.refuges(id).is_empty()
            && let Some(one) = self.table.character(id)
        {
            return Opened::Ask(one.side);
        }
        self.over();
        if clerk.holds(rule!(BC_10_02), true) {
            self.slay(id, clerk);
            self.generals(clerk);
        }
        Opened::Done
    }

    pub(super) fn list_escape(&self, id: CharacterId, into: &mut Vec<Action>) {
        into.extend(self.refuges(id).into_iter().map(Action::Escape));
    }

    pub(super) fn escape(&mut self, unit: UnitId) {
        if let Some(Step::Escape(id)) = self.steps.pop()
            && let Some(one) = self.table.characters.get_mut(usize::from(id.0))
        {
            one.place = Whereabouts::With(unit);
        }
    }

    /// Works have changed hands: characters of the other side on them escape.
    pub(super) fn seized(&mut self, element: ElementId, side: Side) {
        let found: Vec<CharacterId> = self
            .table
            .people()
            .filter(|(_, one)| one.side != side && one.place == Whereabouts::On(element))
            .map(|(id, _)| id)
            .collect();
        self.steps.extend(found.into_iter().map(Step::Escape));
    }

    /// Besiegers on works that had oil: it is lost, and whoever of the garrison is there escapes.
    pub(super) fn spoil(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        let Some(unit) = self.table.unit(id).copied().filter(|unit| unit.side == Side::Besieger) else {
            return;
        };
        for element in unit.alive().filter_map(|at| unit.stands[at].place.element()) {
            if let Some(works) = self.table.elements.get_mut(usize::from(element.0)) {
                works.oil &= !clerk.holds(rule!(BR_R58), works.oil);
            }
            self.seized(element, unit.side);
        }
    }

    /// A character falls.
    pub(super) fn slay(&mut self, id: CharacterId, clerk: &mut impl Clerk) {
        if let Some(one) = self.table.characters.get_mut(usize::from(id.0)) {
            one.place = Whereabouts::Slain;
            let name = one.name();
            clerk.happened(|| Event::new(phrase::SLAIN).with("who", name));
        }
    }
}

impl Character {
    /// Whether something is farther than he moves.
    fn is_too_far(&self, far: i64) -> bool {
        let most = if self.mount == Some(Line::Griffon) { 10_000 } else { 6_000 };
        rule!(BC_4_5_01).holds(far > most)
    }
}

impl Unit {
    /// Whether a stand of it is posted at the works.
    pub(crate) fn is_posted(&self) -> bool {
        self.stands.iter().any(|stand| stand.post.is_some() && stand.place.is_on_table())
    }

    /// The element it is posted at with a ram.
    pub(crate) fn rams_at(&self) -> Option<ElementId> {
        let post =
            self.stands.iter().filter(|stand| stand.place.is_on_table()).find_map(|stand| stand.post)?;
        (self.item.rams() && post.slot != Slot::Inner).then_some(post.element)
    }
}
