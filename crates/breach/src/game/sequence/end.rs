//! Turns, the end of phases and of scenarios, and the campaign (sections 2.3, 2.4 and 5 of the game page).

use kernel::{Clerk, Event};
use rulebook::options::breach::{Scenario2TurnLimit, StallLimit};
use rulebook::phrase::breach_game as words;
use rulebook::rule;
use tabletop::geometry::Point;

use crate::army::Role;
use crate::scenario::{self, Earlier, Scenario, Side};
use crate::{end, score};

use super::super::plan::{Kind, seat};
use super::super::setup;
use super::super::state::{
    Casting, InHand, Melee, Outcome, Place, Reason, State, Step, Table, Unit, UnitId, Whereabouts,
};
use super::Opened;

impl State {
    /// What is known of the scenarios before this one.
    pub(super) fn earlier(&self) -> Earlier {
        let mut winners = self.winners.iter().copied();
        Earlier { first: winners.next(), second: winners.next() }
    }

    /// The next scenario of the campaign.
    pub(super) fn chain_next(&mut self) -> Opened {
        let scenario = match self.winners.len() {
            0 => Scenario::Watchtower,
            1 => Scenario::Help,
            _ => Scenario::Keep,
        };
        self.table = setup::table(scenario, self.table.options, self.earlier());
        self.turn = 0;
        self.hand = InHand::default();
        self.melee = Melee::default();
        self.lists = Default::default();
        self.steps = vec![Step::Army(Self::first_to_write(scenario))];
        Opened::Done
    }

    /// Who begins: dice, but the besieger in the third scenario.
    pub(super) fn first_turn(&mut self, clerk: &mut impl Clerk) -> Opened {
        self.first = if self.table.scenario == Scenario::Keep {
            clerk.rather(rule!(BR_SCENARIO_3_14), Side::Besieger, Side::Garrison)
        } else {
            let [garrison, besieger] = clerk.two_d6();
            match garrison.cmp(&besieger) {
                std::cmp::Ordering::Greater => clerk.rather(rule!(BR_R41), Side::Garrison, Side::Besieger),
                std::cmp::Ordering::Less => clerk.rather(rule!(BR_R41), Side::Besieger, Side::Garrison),
                std::cmp::Ordering::Equal => {
                    let garrison = clerk.d6() <= 3;
                    let side = if garrison { Side::Garrison } else { Side::Besieger };
                    clerk.rather(rule!(BR_R71), side, side.other())
                }
            }
        };
        let first = self.first;
        clerk.happened(|| Event::new(words::FIRST_TURN).with("side", super::super::say::side(first)));
        self.next(Step::TurnStart)
    }

    pub(super) fn turn_start(&mut self) -> Opened {
        self.turn += 1;
        self.active = self.first;
        self.next(Step::PlayerTurnStart)
    }

    /// Marks of the turn before are cleared; units off the table roll.
    pub(super) fn player_turn_start(&mut self, clerk: &mut impl Clerk) -> Opened {
        let active = self.active;
        for unit in &mut self.table.units {
            let own = unit.side == active;
            let marks = &mut unit.marks;
            marks.fought = false;
            marks.worked = false;
            marks.advanced = false;
            marks.driven = false;
            unit.spells = 0;
            if own {
                unit.orders = 0;
                marks.initiative = false;
                marks.finished = false;
                marks.charged = false;
                marks.shot = false;
                marks.moved_once = false;
                marks.homed = false;
                if !marks.engaged {
                    marks.exposed = false;
                }
            }
        }
        for character in self.table.characters.iter_mut().filter(|one| one.side == active) {
            character.done = false;
            character.moved = false;
            character.casting = Casting::Any;
        }
        self.hand = InHand::default();
        let away: Vec<UnitId> = self
            .table
            .each()
            .filter(|(_, unit)| {
                unit.side == active && unit.stands.iter().any(|stand| stand.place == Place::Off)
            })
            .map(|(id, _)| id)
            .collect();
        for id in away {
            self.off_table(id, clerk);
        }
        self.next(Step::Initiative)
    }

    /// Confusion ends.
    pub(super) fn command_end(&mut self, clerk: &mut impl Clerk) -> Opened {
        let active = self.active;
        for unit in self.table.units.iter_mut() {
            unit.marks.shaken = false;
            if unit.side == active && unit.marks.confused {
                unit.marks.confused = !clerk.holds(rule!(BC_9_02), true);
            }
        }
        for works in &mut self.table.elements {
            works.shot_beside = false;
        }
        self.next(Step::Shoot);
        self.tested(clerk);
        Opened::Done
    }

    /// Hits of shots are dropped.
    pub(super) fn shoot_end(&mut self, clerk: &mut impl Clerk) -> Opened {
        for unit in &mut self.table.units {
            unit.shot_hits = 0;
            unit.shot_from = None;
            unit.machine_hits = 0;
            unit.marks.driven = false;
            if !unit.marks.engaged {
                unit.odd_hits = 0;
                unit.hits_on = 0;
            }
        }
        for works in &mut self.table.elements {
            works.hits = 0;
            works.leaf_hits = 0;
        }
        self.next(Step::Dig(self.active));
        self.tested(clerk);
        Opened::Done
    }

    /// The Combat phase ends: hits of free units are dropped, posts without enemies end.
    pub(super) fn combat_end(&mut self, clerk: &mut impl Clerk) -> Opened {
        let torn =
            self.table.each().find(|(_, unit)| unit.marks.torn && !unit.marks.engaged).map(|(id, _)| id);
        if let Some(id) = torn {
            self.steps.push(Step::SplitChoice(id));
            return Opened::Done;
        }
        self.disengage();
        let apart: Vec<UnitId> = self
            .table
            .each()
            .filter(|(_, unit)| unit.marks.split && !self.table.is_whole(unit))
            .map(|(id, _)| id)
            .collect();
        // Whoever has come free by now reforms before the phase is over.
        if self.must_reform(&apart) {
            return self.next(Step::Reform(self.active));
        }
        // Groups that are held in close combat stay groups until they are free.
        for unit in &mut self.table.units {
            unit.marks.split = false;
        }
        for id in apart {
            let held = clerk.holds(rule!(BR_R17), true);
            self.table.with_unit(id, |unit| unit.marks.split = held);
        }
        for unit in &mut self.table.units {
            unit.before = 0;
            unit.machine_hits = 0;
            unit.hits_on = 0;
            unit.marks.charged = false;
            if !unit.marks.engaged {
                unit.odd_hits =
                    if clerk.holds(rule!(BC_8_6_01), unit.odd_hits > 0) { 0 } else { unit.odd_hits };
                unit.pursues = None;
                unit.along = None;
                unit.marks.exposed = false;
            }
        }
        self.next(Step::PlayerTurnEnd);
        self.tested(clerk);
        Opened::Done
    }

    /// The watchtower is counted; the other side is next, or the turn ends.
    pub(super) fn player_turn_end(&mut self, clerk: &mut impl Clerk) -> Opened {
        let active = self.active;
        for unit in self.table.units.iter_mut().filter(|unit| unit.side == active && unit.marks.dread) {
            unit.marks.dread = !clerk.holds(rule!(BC_12_07), true);
        }
        if self.table.scenario == Scenario::Watchtower && self.count_holding(clerk) {
            self.finish(Side::Garrison, Reason::Held, None, clerk);
            return Opened::Done;
        }
        if self.active == self.first {
            self.active = self.first.other();
            return self.next(Step::PlayerTurnStart);
        }
        self.next(Step::TurnEnd)
    }

    /// Whether the watchtower has been held long enough.
    fn count_holding(&mut self, clerk: &mut impl Clerk) -> bool {
        let inside = |table: &Table, id: UnitId| table.unit(id).map_or(0, |unit| table.in_watchtower(unit));
        match self.table.holder {
            Some((unit, count)) => {
                if clerk.holds(rule!(BR_R39), inside(&self.table, unit) < 2) {
                    self.table.holder = None;
                    return false;
                }
                self.table.holder = Some((unit, count + 1));
                clerk.holds(rule!(BR_SCENARIO_1_13), count + 1 >= 2)
            }
            None => {
                if self.active == Side::Garrison {
                    let best = self
                        .table
                        .of_side(Side::Garrison)
                        .filter(|(id, _)| inside(&self.table, *id) >= 2)
                        .max_by_key(|(id, unit)| (inside(&self.table, *id), u8::MAX - unit.number));
                    let best = best.map(|(id, _)| (id, 0));
                    if clerk.holds(rule!(BR_R40), best.is_some()) {
                        self.table.holder = best;
                    }
                }
                false
            }
        }
    }

    /// The game turn ends: end roll, limits.
    pub(super) fn turn_end(&mut self, clerk: &mut impl Clerk) -> Opened {
        let turn = i32::from(self.turn);
        let options = self.table.options;
        match self.table.scenario {
            Scenario::Keep => {
                let help = self.earlier().or_chosen(&options, clerk).second == Some(Side::Garrison);
                if end::ends(3, turn, help, clerk) == Ok(true) {
                    self.finish_on_points(clerk);
                    return Opened::Done;
                }
            }
            Scenario::Watchtower | Scenario::Help => {
                let eight = self.table.scenario == Scenario::Help
                    && options.scenario2_turn_limit != Scenario2TurnLimit::default();
                let stall = options.stall_limit != StallLimit::None && clerk.holds(rule!(BR_R70), turn >= 20);
                if stall || (eight && clerk.holds(rule!(BR_R45), turn >= 8)) {
                    self.finish(Side::Besieger, Reason::Limit, None, clerk);
                    return Opened::Done;
                }
            }
        }
        self.next(Step::TurnStart)
    }

    /// Whether an army is broken, or a condition of the scenario decides (2.2, point 7).
    pub(super) fn tested(&mut self, clerk: &mut impl Clerk) {
        if self.outcome.is_some() {
            return;
        }
        self.generals(clerk);
        if self.outcome.is_some() || self.steps.is_empty() {
            return;
        }
        let scenario = self.table.scenario;
        if !scenario.has_break_point(clerk) {
            return;
        }
        let broken = [Side::Garrison, Side::Besieger].map(|side| self.table.is_broken(side, clerk));
        let [garrison, besieger] = broken;
        if garrison || besieger {
            let winner = self.withdrawn(garrison, besieger, clerk);
            self.finish(winner, Reason::Broken, None, clerk);
        } else if scenario == Scenario::Help {
            self.relief(clerk);
        }
    }

    /// Who has won a scenario of the field when one army withdraws, or both.
    fn withdrawn(&self, garrison: bool, besieger: bool, clerk: &mut impl Clerk) -> Side {
        if garrison && besieger {
            return self.active;
        }
        let watchtower = self.table.scenario == Scenario::Watchtower;
        let (rule, winner) = match (garrison, watchtower) {
            (true, true) => (rule!(BR_SCENARIO_1_14), Side::Besieger),
            (true, false) => (rule!(BR_SCENARIO_2_14), Side::Besieger),
            (false, true) => (rule!(BR_SCENARIO_1_15), Side::Garrison),
            (false, false) => (rule!(BR_SCENARIO_2_13), Side::Garrison),
        };
        clerk.rather(rule, winner, winner.other())
    }

    /// Scenario 2: whether enough can still get out.
    fn relief(&mut self, clerk: &mut impl Clerk) {
        let on_table: usize = self
            .table
            .each()
            .filter(|(_, unit)| unit.side == Side::Garrison)
            .map(|(_, unit)| {
                unit.stands
                    .iter()
                    .filter(|stand| stand.place.is_on_table() || stand.place == Place::Off)
                    .count()
            })
            .sum();
        let left = on_table + usize::from(self.table.stands_out);
        if clerk.holds(rule!(BR_R45), left < 3) {
            self.finish(Side::Besieger, Reason::NoWayLeft, None, clerk);
        }
    }

    /// Scenario 2: whether the message is out.
    pub(super) fn message_out(&mut self, clerk: &mut impl Clerk) {
        let general = self
            .table
            .characters
            .iter()
            .any(|one| one.side == Side::Garrison && one.is_general() && one.place == Whereabouts::Out);
        if clerk.holds(rule!(BR_SCENARIO_2_12), self.table.stands_out >= 3 && general) {
            self.finish(Side::Garrison, Reason::Exit, None, clerk);
        }
    }

    /// A General slain ends the scenario.
    pub(super) fn generals(&mut self, clerk: &mut impl Clerk) {
        let slain = |side: Side| {
            self.table
                .characters
                .iter()
                .any(|one| one.side == side && one.is_general() && one.place == Whereabouts::Slain)
        };
        let (garrison, besieger) = (slain(Side::Garrison), slain(Side::Besieger));
        if !garrison && !besieger {
            return;
        }
        if self.table.scenario == Scenario::Keep {
            let both = garrison && besieger;
            let late = self.turn > 6;
            if clerk.holds(rule!(BR_R50), both) || clerk.holds(rule!(BR_SCENARIO_3_24), late) {
                self.finish_on_points(clerk);
                return;
            }
            let winner = if garrison { Side::Besieger } else { Side::Garrison };
            let winner = clerk.rather(rule!(BR_SCENARIO_3_23), winner, winner.other());
            self.finish(winner, Reason::General, None, clerk);
            return;
        }
        let winner = self.withdrawn(garrison, besieger, clerk);
        let winner = clerk.rather(rule!(BR_GENERAL_02), winner, winner.other());
        self.finish(winner, Reason::General, None, clerk);
    }

    fn finish_on_points(&mut self, clerk: &mut impl Clerk) {
        let score = self.table.score(clerk);
        let winner = Side::with_role(score.winner, Scenario::Keep);
        let mut points = [0; 2];
        points[seat(Side::with_role(Role::Attacker, Scenario::Keep))] = score.attacker;
        points[seat(Side::with_role(Role::Defender, Scenario::Keep))] = score.defender;
        self.finish(winner, Reason::Points, Some(points), clerk);
    }

    /// A scenario is over.
    fn finish(&mut self, winner: Side, reason: Reason, points: Option<[i32; 2]>, clerk: &mut impl Clerk) {
        self.winners.push(winner);
        self.asked = None;
        let ignored = clerk.holds(rule!(BR_SCENARIO_1_17), self.table.scenario == Scenario::Watchtower);
        let points = points.filter(|_| !ignored);
        clerk.happened(|| Event::new(words::SCENARIO_ENDS).with("side", super::super::say::side(winner)));
        if self.campaign && self.winners.len() < 3 {
            self.steps = vec![Step::ChainNext];
            return;
        }
        let winner = match self.winners.as_slice() {
            [one, two, three] => scenario::campaign([*one, *two, *three], &self.table.options, clerk),
            _ => winner,
        };
        self.steps.clear();
        self.outcome = Some(Outcome { winner, reason, points, winners: self.winners.clone() });
    }
}

impl Table {
    /// Whether an army is broken (BR-R92).
    pub(crate) fn is_broken(&self, side: Side, clerk: &mut impl Clerk) -> bool {
        let units = || self.units.iter().filter(move |unit| unit.side == side);
        let began = units().count();
        let loss: usize = units().map(Unit::loss).sum();
        clerk.holds(rule!(BR_R92), loss >= 2 * began.div_ceil(2)) && clerk.holds(rule!(BC_13_01), true)
    }

    /// The points of the sections, from the places of the stands alone.
    pub(crate) fn score(&self, clerk: &mut impl Clerk) -> score::Score {
        let mut sections = Vec::new();
        let counts = |unit: &Unit| !unit.profile().engine && unit.profile().arm != crate::terms::Arm::Flyer;
        let mut court =
            score::Section { kind: score::Kind::Courtyard, attacker: 0, defender: 0, destroyed: false };
        let courtyard = |centre: Point| {
            self.plan().courtyard.is_some_and(|court| court.holds(centre))
                && !self.plan().elements.iter().any(|part| part.rect.holds(centre))
        };
        for (id, part) in self.plan().each() {
            let Some(kind) = part.section else { continue };
            let works = self.elements.get(usize::from(id.0)).copied().unwrap_or_default();
            let mut section =
                score::Section { kind, attacker: 0, defender: 0, destroyed: works.down || works.leaf_down };
            for unit in self.units.iter().filter(|unit| counts(unit)) {
                let passage = |at: usize| {
                    part.kind == Kind::Gate
                        && self.ground_rect(unit, at).is_some_and(|rect| part.rect.holds(rect.centre))
                };
                let there = unit
                    .alive()
                    .filter(|&at| unit.stands[at].place.element() == Some(id) || passage(at))
                    .count();
                let there = i32::try_from(there).unwrap_or(0);
                match unit.side.role(Scenario::Keep) {
                    Role::Attacker => section.attacker += there,
                    Role::Defender => section.defender += there,
                }
            }
            sections.push(section);
        }
        for unit in self.units.iter().filter(|unit| counts(unit)) {
            let there = unit
                .alive()
                .filter_map(|at| self.ground_rect(unit, at))
                .filter(|rect| courtyard(rect.centre));
            let there = i32::try_from(there.count()).unwrap_or(0);
            match unit.side.role(Scenario::Keep) {
                Role::Attacker => court.attacker += there,
                Role::Defender => court.defender += there,
            }
        }
        sections.push(court);
        score::score(&sections, &self.options, clerk)
    }
}

impl Unit {
    /// What it counts as lost, in half units (BR-R92).
    pub(crate) fn loss(&self) -> usize {
        if self.is_destroyed() || self.marks.left_out {
            return 2;
        }
        let left = self.stands.iter().filter(|stand| stand.place != Place::Dead).count();
        usize::from(self.began >= 3 && left == 1)
    }
}
