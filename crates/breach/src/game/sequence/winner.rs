//! After a round (section 3.4 of the game page; sections 8.3 to 8.5 of the core rules): falling back,
//! standing, pursuit, advance; reforming at the end of the phase.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::breach::{CoreEdition, ReformAfterCombat, TowerSecondRound};
use rulebook::phrase::breach_game as phrase;
use rulebook::rule;
use tabletop::geometry::Facing;

use crate::scenario::Side;
use crate::terms::Arm;

use super::super::action::{Action, Charge, Move, Target};
use super::super::candidates::rigid;
use super::super::charge::Landed;
use super::super::geometry::{ahead, towards};
use super::super::ground::{Formation, Keep};
use super::super::moves::Mover;
use super::super::state::{Look, Place, State, Step, Unit, UnitId, UnitSet, Why};
use super::Opened;
use super::reaction::small;

impl State {
    // A draw: each side rolls three dice, each of its units falls back, or stands where it may.

    /// The units of a side that must choose.
    fn choosers(&self, side: Side) -> Vec<UnitId> {
        self.table
            .of_side(side)
            .filter(|(id, _)| self.melee.units.has(*id) && !self.melee.chosen.has(*id))
            .map(|(id, _)| id)
            .collect()
    }

    pub(super) fn open_draw(&mut self, side: Side, clerk: &mut impl Clerk) -> Opened {
        let at_works = self.table.contacts().iter().any(|touch| {
            touch.place.is_some() && self.melee.units.has(touch.one.0) && self.melee.units.has(touch.other.0)
        });
        let mut left = self.choosers(side);
        if at_works {
            // At walls flyers fall back; nobody else moves.
            left.retain(|&id| self.table.unit(id).is_some_and(|unit| unit.profile().arm == Arm::Flyer));
        }
        if left.is_empty() {
            self.melee.fall_back = 0;
            self.over();
            self.release();
            return Opened::Done;
        }
        if self.melee.fall_back == 0 {
            let dice = i32::from(clerk.d6()) + i32::from(clerk.d6()) + i32::from(clerk.d6());
            self.melee.fall_back = small(clerk.value(rule!(BC_8_3_05), dice));
        }
        for id in left {
            let mut list = Vec::new();
            self.ways_back(id, true, &mut list);
            if list.is_empty() {
                // It cannot fall back: it stays and is confused (BR-R104).
                self.melee.chosen = self.melee.chosen.with(id);
                if clerk.holds(rule!(BR_R104), true) {
                    self.confuse(id, clerk);
                }
            } else {
                return Opened::Ask(side);
            }
        }
        Opened::Done
    }

    pub(super) fn list_draw(&self, side: Side, into: &mut Vec<Action>) {
        for id in self.choosers(side) {
            if into.len() < 10 {
                self.ways_back(id, true, into);
            }
        }
    }

    /// Whether a unit may stand after a draw: somebody of it is defended or fortified.
    fn may_stand(&self, unit: &Unit) -> bool {
        self.table.is_on_works(unit)
            || unit.alive().any(|at| {
                self.table.of_side(unit.side.other()).any(|(id, enemy)| {
                    self.melee.units.has(id)
                        && enemy
                            .alive()
                            .filter_map(|to| self.table.stand_rect(enemy, to))
                            .any(|rect| self.table.is_defended(unit, at, rect.centre))
                })
            })
    }

    /// Falling back and standing.
    fn ways_back(&self, id: UnitId, draw: bool, into: &mut Vec<Action>) {
        let Some(unit) = self.table.unit(id) else { return };
        if !draw || self.may_stand(unit) {
            into.push(Action::Stand(id));
        }
        if self.table.is_on_works(unit) || unit.machine.is_some() || unit.profile().engine {
            if draw && into.is_empty() {
                into.push(Action::Stand(id));
            }
            return;
        }
        let facing = unit
            .alive()
            .filter_map(|at| self.table.ground_rect(unit, at))
            .next()
            .map_or(Facing::NORTH, |rect| rect.facing);
        let most = i64::from(self.melee.fall_back) * 100;
        let away = facing.turned(1800);
        let mut offer = |by: (i64, i64)| {
            let Some(step) = rigid(id, unit, by) else { return false };
            let fits = self.check_fall_back(&step).is_ok();
            if fits {
                into.push(Action::FallBack(step));
            }
            fits
        };
        let whole = offer(ahead(away, most));
        offer(ahead(away, most / 200 * 100));
        if !whole {
            let mut found = false;
            let mut distance = most - 100;
            while distance >= 100 && !found {
                found = offer(ahead(away, distance));
                distance -= 100;
            }
            if !found {
                for eighth in 0..8 {
                    let mut distance = most;
                    while distance >= 100 && !offer(ahead(Facing::tenths(eighth * 450), distance)) {
                        distance -= 100;
                    }
                }
            }
        }
    }

    pub(super) fn check_fall_back(&self, step: &Move) -> Verdict<Unit> {
        let unit = self.table.unit(step.unit).filter(|unit| {
            self.melee.units.has(step.unit)
                && !self.melee.chosen.has(step.unit)
                && Some(unit.side) == self.asked.or(Some(unit.side))
                && !unit.profile().engine
        });
        let Some(unit) = unit else { return Err(Refusal::rule(rule!(BC_8_3_05), phrase::NO_SUCH_UNIT)) };
        let most = i64::from(self.melee.fall_back) * 100;
        let mover = Mover::new(&self.table, step.unit, most, UnitSet::default(), Keep::Clear(100));
        let Some(mover) = mover else { return Err(Refusal::rule(rule!(BC_8_3_05), phrase::NO_SUCH_UNIT)) };
        let after = mover.check(step)?;
        // Who does not move far enough is still in contact.
        let near = self.table.touched_by(&after);
        if rule!(BC_8_3_05).holds(!near.is_empty() || after.stands == unit.stands) {
            return Err(Refusal::rule(rule!(BC_8_3_05), phrase::TOO_NEAR).with("unit", unit.name()));
        }
        Ok(after)
    }

    pub(super) fn fall_back(&mut self, step: &Move, clerk: &mut impl Clerk) {
        if let Ok(after) = self.check_fall_back(step) {
            clerk.applied(rule!(BC_8_3_05));
            let before = self.table.unit(step.unit).copied();
            self.table.with_unit(step.unit, |unit| *unit = after);
            if let Some(before) = before {
                self.overrun(&before, &after);
            }
        }
        self.melee.chosen = self.melee.chosen.with(step.unit);
        self.release();
    }

    pub(super) fn stand(&mut self, id: UnitId) {
        self.melee.chosen = self.melee.chosen.with(id);
    }

    // The winners choose, unit by unit.

    /// Whether the losers are in a tower that the winners attack.
    fn tower_held(&self) -> bool {
        self.melee.winner.is_some_and(|winner| {
            self.table.contacts().iter().any(|touch| {
                touch.place == Some(crate::combat::Place::Tower)
                    && self.melee.units.has(touch.one.0)
                    && self.table.unit(touch.one.0).is_some_and(|unit| unit.side == winner)
            })
        })
    }

    pub(super) fn open_winner(&mut self, clerk: &mut impl Clerk) -> Opened {
        let Some(winner) = self.melee.winner else { return self.over() };
        let open = self
            .choosers(winner)
            .into_iter()
            .any(|id| self.table.unit(id).is_some_and(|unit| unit.profile().arm != Arm::Artillery));
        if !open {
            return self.winners_done(clerk);
        }
        if self.tower_held() {
            let allowed = self.table.options.tower_second_round == TowerSecondRound::Allowed;
            if allowed && self.another_round() {
                return Opened::Ask(winner);
            }
            return self.over();
        }
        if self.choosers(winner).into_iter().any(|id| self.table.is_flyer_at_wall(id)) {
            clerk.applied(rule!(BR_FLYERS_03));
        }
        // Who can only stand is not asked.
        let rooted = self.choosers(winner).into_iter().find(|&id| {
            self.table.unit(id).is_some_and(|unit| {
                self.table.is_on_works(unit) || unit.machine.is_some() || unit.profile().engine
            }) && self.pursuit(id).is_none()
                && !self.may_advance(id)
        });
        if let Some(id) = rooted {
            clerk.applied(rule!(BC_8_5_03));
            self.stand(id);
            return Opened::Done;
        }
        if self.melee.fall_back == 0 {
            let dice = i32::from(clerk.d6()) + i32::from(clerk.d6()) + i32::from(clerk.d6());
            self.melee.fall_back = small(clerk.value(rule!(BC_8_5_02), dice));
        }
        Opened::Ask(winner)
    }

    /// Whether the engagement may be fought for another round in this phase.
    fn another_round(&self) -> bool {
        let classic = self.table.options.core_edition == CoreEdition::Classic;
        classic || !rule!(BC_8_1_01).holds(self.melee.round >= 2)
    }

    /// All winners have chosen: a second round for those who pursue.
    fn winners_done(&mut self, clerk: &mut impl Clerk) -> Opened {
        self.over();
        self.release();
        if self.melee.pursuers.is_empty() {
            return Opened::Done;
        }
        // After the last round of the phase contact is kept, and the bonus waits for the next.
        if !self.another_round() {
            clerk.applied(rule!(BC_8_1_01));
        } else {
            let round = self.melee.round + 1;
            let touches = self.table.contacts();
            let first = (0..64).map(UnitId).find(|id| self.melee.pursuers.has(*id));
            if let Some(first) = first {
                let units = self.table.engagement(first, &touches);
                self.melee = super::super::state::Melee { units, round, ..Default::default() };
                self.begin_round();
            }
        }
        Opened::Done
    }

    pub(super) fn list_winner(&self, into: &mut Vec<Action>) {
        let Some(winner) = self.melee.winner else { return };
        if self.tower_held() {
            into.extend([Action::Continue, Action::Stop]);
            return;
        }
        let Some(id) = self
            .choosers(winner)
            .into_iter()
            .find(|&id| self.table.unit(id).is_some_and(|unit| unit.profile().arm != Arm::Artillery))
        else {
            return;
        };
        let Some(unit) = self.table.unit(id) else { return };
        let pursues = self.pursuit(id).is_some();
        let advances = self.may_advance(id);
        let must = unit.profile().fanatic && rule!(BC_17_02).holds(pursues || advances);
        if pursues {
            into.push(Action::Pursue(id));
        }
        if advances {
            into.push(Action::Advance(id));
        }
        if !must {
            self.ways_back(id, false, into);
        }
    }

    /// Where a pursuit would end.
    fn pursuit(&self, id: UnitId) -> Option<Landed> {
        let unit = self.table.unit(id)?;
        let arm = unit.profile().arm;
        if rule!(BC_8_5_03).holds(arm == Arm::Artillery || self.table.is_on_works(unit)) {
            return None;
        }
        if rule!(BR_FLYERS_03).holds(self.table.is_flyer_at_wall(id)) {
            return None;
        }
        let rangers = unit.is_line(crate::lists::Line::Rangers);
        self.table
            .of_side(unit.side.other())
            .filter(|(enemy, foe)| {
                let foe_arm = foe.profile().arm;
                let fast = matches!(foe_arm, Arm::Cavalry | Arm::Chariot) && arm == Arm::Infantry && !rangers;
                let wings = foe_arm == Arm::Flyer && arm != Arm::Flyer;
                self.melee.units.has(*enemy) && !self.table.is_fortified(foe) && !fast && !wings
            })
            .find_map(|(enemy, _)| {
                if let Some(after) = self.straight_after(id, unit, enemy) {
                    let charged = self.table.touched_by(&after).with(enemy);
                    return Some(Landed { after, charged });
                }
                let charge =
                    Charge { unit: id, target: Target::Unit(enemy), extra: Vec::new(), envelop: false };
                let mut table = self.table.clone();
                table.with_unit(id, |unit| unit.marks.engaged = false);
                let within = i64::from(self.melee.distance) * 100 + 400;
                table.charge(&charge, within).ok()
            })
    }

    /// The pursuers straight after an enemy who went back from their front.
    fn straight_after(&self, id: UnitId, unit: &Unit, enemy: UnitId) -> Option<Unit> {
        let first = unit.alive().next()?;
        let facing = self.table.ground_rect(unit, first)?.facing;
        let by = ahead(facing, i64::from(self.melee.distance) * 100);
        let after = self.shifted(id, unit, by, Keep::Contact).ok()?;
        self.table.touched_by(&after).has(enemy).then_some(after)
    }

    pub(super) fn pursue(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        if let Some(landed) = self.pursuit(id) {
            clerk.applied(rule!(BC_8_5_01));
            let before = self.table.unit(id).copied();
            let distance = self.melee.distance;
            self.table.with_unit(id, |unit| {
                *unit = landed.after;
                unit.marks.engaged = true;
                unit.marks.exposed = true;
                unit.pursues = Some(distance);
                if unit.item.is_machine() || unit.item == crate::terms::Item::Mantlets {
                    unit.lose_item();
                }
            });
            if let Some(before) = before {
                self.overrun(&before, &landed.after);
            }
            for (unit, other) in self.table.units.iter_mut().zip((0..).map(UnitId)) {
                unit.marks.engaged |= landed.charged.has(other);
            }
            self.melee.pursuers = self.melee.pursuers.with(id);
        }
        self.melee.chosen = self.melee.chosen.with(id);
    }

    pub(super) fn go_on(&mut self) {
        self.over();
        self.melee.round += 1;
        self.melee.fall_back = 0;
        self.begin_round();
    }

    /// The attackers of a tower draw back a centimetre.
    pub(super) fn stop(&mut self, clerk: &mut impl Clerk) {
        self.over();
        clerk.applied(rule!(BR_R13));
        let Some(winner) = self.melee.winner else { return };
        for id in self.choosers(winner) {
            let Some(unit) = self.table.unit(id).copied() else { continue };
            self.table.with_unit(id, |unit| unit.along = None);
            let posted = unit.alive().find(|&at| unit.stands[at].post.is_some());
            if let Some(rect) = posted.and_then(|at| self.table.ground_rect(&unit, at)) {
                self.push_back(id, ahead(rect.facing, -100), Why::Repelled);
            }
        }
        self.release();
    }

    // Advance: every enemy of the fight is gone.

    fn may_advance(&self, id: UnitId) -> bool {
        let Some(unit) = self.table.unit(id) else { return false };
        let enemies = self.table.of_side(unit.side.other()).any(|(enemy, _)| self.melee.units.has(enemy));
        // Who has taken a tower holds it.
        let in_tower = self.table.in_tower(unit).is_some();
        let stays = if in_tower { rule!(BR_TOWERS_28).holds(true) } else { self.table.is_on_works(unit) };
        !enemies
            && !unit.marks.advanced
            && unit.profile().arm != Arm::Artillery
            && !stays
            && self.advances(id).next().is_some()
    }

    fn advances(&self, id: UnitId) -> impl Iterator<Item = Charge> {
        let near = self.table.unit(id).map(|unit| self.table.enemies_within(unit, 2_000)).unwrap_or_default();
        near.into_iter()
            .map(move |(_, enemy)| Charge {
                unit: id,
                target: Target::Unit(enemy),
                extra: Vec::new(),
                envelop: false,
            })
            .filter(move |charge| self.check_advance(id, charge).is_ok())
    }

    pub(super) fn check_advance(&self, id: UnitId, charge: &Charge) -> Verdict<Landed> {
        let unit =
            self.table.unit(id).filter(|_| charge.unit == id && matches!(charge.target, Target::Unit(_)));
        let Some(unit) = unit else { return Err(Refusal::rule(rule!(BC_8_5_04), phrase::NOT_THIS_WAY)) };
        let mut table = self.table.clone();
        table.with_unit(id, |unit| {
            unit.marks.engaged = false;
            if unit.item.is_machine() {
                unit.lose_item();
            }
        });
        let landed = table.charge(charge, 2_000)?;
        self.nearest_only(unit, charge, &landed)?;
        Ok(landed)
    }

    pub(super) fn advance(&mut self, id: UnitId) {
        self.melee.chosen = self.melee.chosen.with(id);
        self.steps.push(Step::Advance(id));
    }

    pub(super) fn open_advance(&mut self, id: UnitId) -> Opened {
        let side = self.table.unit(id).filter(|unit| unit.is_on_table()).map(|unit| unit.side);
        match side {
            Some(side) if self.advances(id).next().is_some() => Opened::Ask(side),
            _ => self.over(),
        }
    }

    pub(super) fn list_advance(&self, id: UnitId, into: &mut Vec<Action>) {
        into.extend(self.advances(id).map(Action::AdvanceCharge).take(11));
        let fanatic = self.table.unit(id).is_some_and(|unit| unit.profile().fanatic);
        if !fanatic {
            into.push(Action::AdvanceNone);
        }
    }

    pub(super) fn advance_charge(&mut self, charge: &Charge, clerk: &mut impl Clerk) {
        self.over();
        if let Ok(landed) = self.check_advance(charge.unit, charge) {
            clerk.applied(rule!(BC_8_5_04));
            let first = self.melee.round == 1 && clerk.holds(rule!(BR_R21), true);
            self.steps.push(Step::Charged(charge.unit));
            self.land(charge, &landed, clerk);
            self.table.with_unit(charge.unit, |unit| {
                unit.marks.advanced = true;
                unit.marks.charged = first;
            });
        }
    }

    // Reforming at the end of the phase.

    fn reformers(&self, side: Side) -> Vec<UnitId> {
        let all = self.table.options.reform_after_combat == ReformAfterCombat::Allowed;
        self.table
            .of_side(side)
            .filter(|(_, unit)| {
                let marks = &unit.marks;
                // A split unit must, even if it has dug; another may, once.
                let may = all && marks.fought && !marks.worked && unit.strength() > 1;
                !marks.engaged
                    && !unit.is_posted()
                    && unit.machine.is_none()
                    && !unit.profile().engine
                    && (marks.split || may)
            })
            .map(|(id, _)| id)
            .collect()
    }

    /// Whether one of these can reform now.
    pub(super) fn must_reform(&self, apart: &[UnitId]) -> bool {
        !apart.is_empty()
            && [Side::Garrison, Side::Besieger]
                .iter()
                .any(|&side| self.reformers(side).iter().any(|id| apart.contains(id)))
    }

    pub(super) fn open_reform(&mut self, side: Side) -> Opened {
        if !self.reformers(side).is_empty() {
            return Opened::Ask(side);
        }
        if side == self.active {
            return self.next(Step::Reform(side.other()));
        }
        self.next(Step::CombatEnd)
    }

    pub(super) fn list_reform(&self, side: Side, into: &mut Vec<Action>) {
        let Some(id) = self.reformers(side).into_iter().next() else { return };
        let Some(unit) = self.table.unit(id) else { return };
        if unit.marks.split {
            for at in unit.alive().filter_map(|at| u8::try_from(at).ok()) {
                into.push(Action::Reform { unit: id, stand: at, places: Vec::new() });
            }
        } else {
            into.push(Action::Keep(id));
        }
        let enemy = self.table.of_side(side.other()).filter_map(|(_, foe)| {
            let first = foe.alive().next()?;
            self.table.stand_rect(foe, first).map(|rect| rect.centre)
        });
        let enemies: Vec<_> = enemy.collect();
        for stand in unit.alive() {
            let Some(rect) = self.table.stand_rect(unit, stand) else { continue };
            let Ok(number) = u8::try_from(stand) else { continue };
            let facing = enemies
                .iter()
                .min_by_key(|at| at.square_to(rect.centre))
                .map_or(rect.facing, |at| towards(rect.centre, *at));
            let shape = Unit { machine: None, item: crate::terms::Item::None, ..*unit };
            for formation in [Formation::Line, Formation::Column] {
                let (places, _) = self.table.template(&shape, formation, rect.front(), facing);
                let others = unit.alive().filter(|&at| at != stand);
                let places: Vec<(u8, Place)> = others
                    .zip(places.into_iter().skip(1))
                    .filter_map(|(at, place)| Some((u8::try_from(at).ok()?, place)))
                    .collect();
                let action = Action::Reform { unit: id, stand: number, places };
                if let Action::Reform { places, .. } = &action
                    && into.len() < 22
                    && self.check_reform(side, id, number, places).is_ok()
                {
                    into.push(action);
                }
            }
            for places in self.breach_places(unit, stand) {
                if into.len() < 22 && self.check_reform(side, id, number, &places).is_ok() {
                    into.push(Action::Reform { unit: id, stand: number, places });
                }
            }
            if let Some(element) = unit.stands[stand].place.element()
                && let Some(part) = self.table.plan().element(element)
            {
                let free = part.beside.iter().flatten().map(|&next| self.table.looking(next, Look::Out));
                let others = unit.alive().filter(|&at| at != stand).filter_map(|at| u8::try_from(at).ok());
                let places: Vec<(u8, Place)> = others.zip(free).collect();
                if into.len() < 22 && self.check_reform(side, id, number, &places).is_ok() {
                    into.push(Action::Reform { unit: id, stand: number, places });
                }
            }
        }
    }

    /// The others of a unit in the breaches beside a stand, facing outwards (4.9).
    fn breach_places(&self, unit: &Unit, stand: usize) -> Vec<Vec<(u8, Place)>> {
        let Some(rect) = self.table.stand_rect(unit, stand) else { return Vec::new() };
        let near = self.table.plan().each().filter(|(id, part)| {
            !self.table.stands(*id) && part.rect.is_near(&rect, 10) && part.rect.gap(&rect) < 10
        });
        let places: Vec<Place> = near
            .map(|(_, part)| {
                let facing = part.outward.unwrap_or(Facing::NORTH);
                let (_, half) = part.rect.halves();
                let half = if facing.count().is_multiple_of(1800) { half } else { part.rect.halves().0 };
                let (dx, dy) = ahead(facing, half);
                Place::Ground { front: part.rect.centre.moved(dx, dy), facing }
            })
            .collect();
        let others: Vec<u8> =
            unit.alive().filter(|&at| at != stand).filter_map(|at| u8::try_from(at).ok()).collect();
        let mut found = Vec::new();
        for &place in &places {
            found.extend(others.iter().map(|&at| vec![(at, place)]));
        }
        if places.len() > 1 && others.len() > 1 {
            found.push(others.into_iter().zip(places).collect());
        }
        found
    }

    pub(super) fn check_reform(
        &self,
        side: Side,
        id: UnitId,
        stand: u8,
        places: &[(u8, Place)],
    ) -> Verdict<Unit> {
        let refused = |reason| Err(Refusal::rule(rule!(BR_R89), reason));
        let Some(unit) = self.table.unit(id).filter(|_| self.reformers(side).contains(&id)) else {
            return refused(phrase::NO_SUCH_UNIT);
        };
        if !unit.alive().any(|at| at == usize::from(stand)) {
            return refused(phrase::TOO_MANY_STANDS);
        }
        let mut after = *unit;
        let pace = unit.paces().0;
        let mut named = 1_u8.checked_shl(stand.into()).unwrap_or(0);
        for &(at, place) in places {
            if at == stand {
                self.check_pivot(unit, usize::from(at), place)?;
                after.stands[usize::from(at)].place = place;
                continue;
            }
            let bit = 1_u8.checked_shl(at.into()).unwrap_or(0);
            let old = unit.alive().find(|&alive| alive == usize::from(at) && named & bit == 0);
            let Some(old) = old else { return refused(phrase::TOO_MANY_STANDS) };
            named |= bit;
            let (Some(from), Some(to)) =
                (self.table.stand_rect(unit, old), self.table.footprint(place, unit.profile().base))
            else {
                return refused(phrase::NO_SUCH_PLACE);
            };
            let travel = from.centre.gap_to(to.centre).rounded();
            if rule!(BR_R17).holds(travel > pace) {
                return refused(phrase::OUT_OF_REACH);
            }
            after.stands[old].place = place;
        }
        // A split unit leaves behind what finds no place.
        if unit.marks.split {
            for at in unit.alive() {
                if named & (1 << at) == 0 {
                    after.stands[at].place = Place::Dead;
                }
            }
        }
        let mover = Mover::new(&self.table, id, pace, UnitSet::default(), Keep::Away(10));
        let Some(mover) = mover else { return refused(phrase::NO_SUCH_UNIT) };
        after.marks.split = false;
        if rule!(BR_BREACHES_15).holds(!self.table.is_whole(&after)) {
            return Err(Refusal::rule(rule!(BR_BREACHES_15), phrase::APART));
        }
        mover.ends(&after)?;
        Ok(after)
    }

    /// Whether the designated stand only pivots: about its middle on the ground, on its own rampart.
    fn check_pivot(&self, unit: &Unit, at: usize, place: Place) -> Verdict<()> {
        let base = unit.profile().base;
        let pivots = match (unit.stands[at].place, place) {
            (old @ Place::Ground { .. }, Place::Ground { .. }) => {
                let middle = |place| self.table.footprint(place, base).map(|rect| rect.centre);
                match (middle(old), middle(place)) {
                    (Some(from), Some(to)) => from.square_to(to) <= 100,
                    _ => false,
                }
            }
            (Place::Rampart { element, .. }, Place::Rampart { element: other, .. }) => element == other,
            _ => false,
        };
        if rule!(BR_BREACHES_16).holds(!pivots) {
            return Err(Refusal::rule(rule!(BR_BREACHES_16), phrase::NO_SUCH_PLACE));
        }
        Ok(())
    }

    pub(super) fn reform(&mut self, id: UnitId, stand: u8, places: &[(u8, Place)], clerk: &mut impl Clerk) {
        let Some(Step::Reform(side)) = self.steps.last() else { return };
        if let Ok(after) = self.check_reform(*side, id, stand, places) {
            clerk.applied(rule!(BR_BREACHES_15));
            if places.iter().any(|(at, _)| *at == stand) {
                clerk.applied(rule!(BR_BREACHES_16));
            }
            self.table.with_unit(id, |unit| {
                *unit = after;
                unit.marks.worked = true;
                unit.marks.torn = false;
            });
            self.spoil(id, clerk);
        } else {
            self.table.with_unit(id, |unit| unit.marks.worked = true);
        }
    }

    // Units that a retreat has torn apart.

    pub(super) fn open_split_choice(&mut self, id: UnitId, clerk: &mut impl Clerk) -> Opened {
        let Some(unit) = self.table.unit(id).copied() else { return self.over() };
        if unit.strength() > 1 && !self.table.is_whole(&unit) && clerk.holds(rule!(BC_8_4_03), true) {
            return Opened::Ask(unit.side);
        }
        self.table.with_unit(id, |unit| unit.marks.torn = false);
        self.over()
    }

    pub(super) fn list_split_choice(&self, id: UnitId, into: &mut Vec<Action>) {
        if let Some(unit) = self.table.unit(id) {
            into.extend(unit.alive().filter_map(|at| u8::try_from(at).ok()).map(Action::RemoveStand));
        }
    }

    /// The rest closes up on its lowest stand; what finds no place is removed.
    pub(super) fn close_up(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        let Some(unit) = self.table.unit(id).copied().filter(Unit::is_on_table) else { return };
        if self.table.is_whole(&unit) {
            return;
        }
        let Some(first) = unit.alive().next() else { return };
        let together = self.table.group(&unit, first);
        if let Some(rect) = self.table.ground_rect(&unit, first) {
            for formation in [Formation::Line, Formation::Column] {
                let shape = Unit { machine: None, item: crate::terms::Item::None, ..unit };
                let (places, _) = self.table.template(&shape, formation, rect.front(), rect.facing);
                let mut after = unit;
                for (at, place) in unit.alive().zip(places) {
                    after.stands[at].place = place;
                }
                let mover = Mover::new(&self.table, id, 0, UnitSet::default(), Keep::Away(10));
                if mover.is_some_and(|mover| mover.ends(&after).is_ok()) {
                    self.table.with_unit(id, |unit| *unit = after);
                    return;
                }
            }
        }
        for at in unit.alive().filter(|at| together & (1 << at) == 0) {
            self.kill(id, at, clerk);
        }
    }
}
