//! A round of combat (section 2.2, point 5, and section 3.4.1 of the game page; section 8 of the core
//! rules). Blows and results are those of [`crate::combat`].

use kernel::{Centimetres, Clerk, Event};
use rulebook::options::breach::RampartInside;
use rulebook::phrase::breach_game as words;
use rulebook::rule;
use tabletop::geometry::Point;

use crate::combat::{self, Blow, Fight, Outcome, Place as Where, Winner};
use crate::scenario::Side;
use crate::terms::{Arm, casualties};

use super::super::melee::{Touch, backs};
use super::super::profile::{Troop, profile};
use super::super::state::{Aftermath, Ended, Place, State, Step, Unit, UnitId, UnitSet, Whereabouts, Why};
use super::Opened;
use super::reaction::small;

/// Stands of one unit that strike at another.
struct Strike {
    unit: UnitId,
    target: UnitId,
    stands: Vec<usize>,
    flanked: i32,
    place: Where,
    /// Whether the strikers are those who attack the place.
    attacks: bool,
}

impl State {
    pub(super) fn round(&mut self, clerk: &mut impl Clerk) -> Opened {
        self.over();
        let touches: Vec<Touch> = self
            .table
            .contacts()
            .into_iter()
            .filter(|touch| self.melee.units.has(touch.one.0) && self.melee.units.has(touch.other.0))
            .collect();
        if touches.is_empty() {
            return Opened::Done;
        }
        let round = self.melee.round;
        let strikes = self.strikes(&touches);
        let mut hits: Vec<(UnitId, i32)> = Vec::new();
        let mut dealt = [0_i32; 2];
        for side in [self.active, self.active.other()] {
            for strike in &strikes {
                if self.side_of(strike.unit) != Some(side) {
                    continue;
                }
                let unsaved = self.strike(strike, round, clerk);
                let seat = super::super::plan::seat(side);
                dealt[seat] += unsaved;
                hits.push((strike.target, unsaved));
            }
        }
        let ended = self.result(&touches, &strikes, dealt, round, clerk);
        for (unit, id) in self.table.units.iter_mut().zip((0..).map(UnitId)) {
            if self.melee.units.has(id) {
                unit.marks.fought = true;
                unit.before = 0;
                unit.pursues = None;
            }
        }
        self.steps.push(Step::RoundEnd(ended));
        // The loser's stands go first, so they are put on top last.
        let loser = ended.winner.map(Side::other).unwrap_or(self.active);
        for side in [loser.other(), loser] {
            let mut units: Vec<UnitId> = hits.iter().map(|(id, _)| *id).collect();
            units.sort_unstable();
            units.dedup();
            for id in units.into_iter().rev() {
                if self.side_of(id) != Some(side) {
                    continue;
                }
                let total: i32 = hits.iter().filter(|(target, _)| *target == id).map(|(_, hits)| hits).sum();
                let Some(unit) = self.table.unit(id).copied() else { continue };
                let lost = casualties(
                    unit.strength().into(),
                    unit.profile().hits,
                    i32::from(unit.odd_hits) + total,
                    clerk,
                );
                self.table.with_unit(id, |unit| unit.odd_hits = small(lost.odd_hits));
                if lost.stands > 0 {
                    self.steps.push(Step::Casualty(id, small(lost.stands)));
                }
            }
        }
        Opened::Done
    }

    fn side_of(&self, id: UnitId) -> Option<Side> {
        self.table.unit(id).map(|unit| unit.side)
    }

    /// Who strikes whom (BR-R81): each stand at one enemy unit.
    fn strikes(&self, touches: &[Touch]) -> Vec<Strike> {
        let mut strikes: Vec<Strike> = Vec::new();
        let mut sides_used: Vec<UnitId> = Vec::new();
        let tower = self.tower_fight();
        for (id, unit) in self.table.each().filter(|(id, _)| self.melee.units.has(*id)) {
            for at in unit.alive() {
                let mut best: Option<(u8, u8, u8, UnitId, Where, bool, bool)> = None;
                for touch in touches {
                    let (own, enemy, attacks) = if touch.one == (id, at) {
                        (touch.one, touch.other, true)
                    } else if touch.other == (id, at) {
                        (touch.other, touch.one, false)
                    } else {
                        continue;
                    };
                    let _ = own;
                    let Some(foe) = self.table.unit(enemy.0) else { continue };
                    let (place, attacks, rank, flanked) = match touch.place {
                        Some(place) => (place, attacks, u8::from(touch.corner), false),
                        None => {
                            let (rank, flanked) = self.contact_rank(unit, at, foe, enemy.1);
                            let defended = !foe.marks.exposed
                                && self
                                    .stand_centre(unit, at)
                                    .is_some_and(|from| self.table.is_defended(foe, enemy.1, from));
                            (if defended { Where::Defended } else { Where::Open }, true, rank, flanked)
                        }
                    };
                    let key = (rank, foe.strength(), foe.number);
                    if best.is_none_or(|known| key < (known.0, known.1, known.2)) {
                        best = Some((key.0, key.1, key.2, enemy.0, place, attacks, flanked));
                    }
                }
                let Some((_, _, _, target, place, attacks, flanked)) = best else { continue };
                // One stand fights along a rampart, at a side of a tower, and from a siege tower.
                if place == Where::Tower && !attacks {
                    continue;
                }
                let single =
                    matches!(place, Where::Along | Where::Tower) || (place == Where::SiegeTower && attacks);
                let known = strikes.iter_mut().find(|strike| {
                    strike.unit == id
                        && strike.target == target
                        && strike.place == place
                        && strike.attacks == attacks
                });
                match known {
                    Some(_) if single => {}
                    Some(strike) => {
                        strike.stands.push(at);
                        strike.flanked += i32::from(flanked);
                    }
                    None => strikes.push(Strike {
                        unit: id,
                        target,
                        stands: vec![at],
                        flanked: i32::from(flanked),
                        place,
                        attacks,
                    }),
                }
            }
        }
        // Of a tower one stand strikes at each attacked side.
        if let Some((_, _, stands)) = tower {
            let attackers: Vec<UnitId> = strikes
                .iter()
                .filter(|strike| strike.place == Where::Tower && strike.attacks)
                .map(|strike| strike.unit)
                .collect();
            let mut used: Vec<u8> = Vec::new();
            for (side, target) in attackers.into_iter().enumerate() {
                let assigned = self.melee.assigned.get(side).copied().unwrap_or(0);
                let Some(&(unit, at)) = stands.get(usize::from(assigned)) else { continue };
                if sides_used.contains(&target) || used.contains(&assigned) {
                    continue;
                }
                sides_used.push(target);
                used.push(assigned);
                strikes.push(Strike {
                    unit,
                    target,
                    stands: vec![at],
                    flanked: 0,
                    place: Where::Tower,
                    attacks: false,
                });
            }
        }
        strikes.sort_by_key(|strike| {
            let number = |id: UnitId| self.table.unit(id).map_or(0, |unit| unit.number);
            (number(strike.unit), number(strike.target))
        });
        strikes
    }

    fn stand_centre(&self, unit: &Unit, at: usize) -> Option<Point> {
        self.table.stand_rect(unit, at).map(|rect| rect.centre)
    }

    /// How a stand touches an enemy: to its front, at its sides, by a corner; and whether it is struck
    /// in flank.
    fn contact_rank(&self, unit: &Unit, at: usize, foe: &Unit, to: usize) -> (u8, bool) {
        let (Some(own), Some(other)) = (self.table.stand_rect(unit, at), self.table.stand_rect(foe, to))
        else {
            return (2, false);
        };
        let (x, y) = own.frame(other.centre);
        let (x, y) = (x >> 30, y >> 30);
        let (a, b) = own.halves();
        let front = y >= b && x.abs() < a + other.halves().0;
        let (fx, fy) = other.frame(own.centre);
        let (fa, fb) = other.halves();
        let by_front = (fy >> 30) >= fb && (fx >> 30).abs() <= fa + a;
        (if front { 0 } else { 1 }, !front && by_front)
    }

    /// A blow: dice, armour, unsaved hits.
    fn strike(&mut self, strike: &Strike, round: u8, clerk: &mut impl Clerk) -> i32 {
        let (Some(unit), Some(target)) =
            (self.table.unit(strike.unit).copied(), self.table.unit(strike.target).copied())
        else {
            return 0;
        };
        let character = self
            .table
            .characters
            .iter()
            .filter(|one| one.place == Whereabouts::With(strike.unit))
            .map(|one| profile(one.side.army(), Troop::Line(one.line)).attack)
            .max()
            .unwrap_or(0);
        let field = self.table.plan().terrain.iter().any(|(kind, ground)| {
            *kind == super::super::plan::Terrain::Field
                && self
                    .stand_centre(&target, target.alive().next().unwrap_or(0))
                    .is_some_and(|at| ground.holds(at))
        });
        let own = |unit: &Unit, stands: &[usize], flanked: i32, character: i32| combat::Side {
            stands: i32::try_from(stands.len()).unwrap_or(0),
            attack: stands.iter().map(|&at| unit.attack(at)).max().unwrap_or(0),
            hits: unit.profile().hits,
            armour: unit.profile().armour,
            behind: 0,
            odd_hits: 0,
            before: 0,
            character,
            supports: 0,
            confused: unit.is_confused(),
            terror: false,
            flanked,
            units: 1,
        };
        let striker = own(&unit, &strike.stands, strike.flanked, character);
        let struck = own(&target, &[0], 0, 0);
        let fresh = round == 1 || unit.marks.advanced;
        let charges = unit.marks.charged && unit.side == self.active && fresh && !field;
        let fight = Fight {
            place: strike.place,
            charges: strike.attacks && charges,
            pursues: unit
                .pursues
                .filter(|_| strike.place == Where::Open)
                .map(|cm| Centimetres::whole(cm.into())),
            arm: if strike.attacks { unit.profile().arm } else { target.profile().arm },
            exposed: self.table.options.rampart_inside == RampartInside::Open,
            attacker: if strike.attacks { striker } else { struck },
            defender: if strike.attacks { struck } else { striker },
        };
        let blow = if strike.attacks {
            combat::attackers_strike(&fight, clerk)
        } else {
            combat::defenders_strike(&fight, clerk)
        };
        blow.unsaved
    }

    /// Supporting stands of a side: infantry behind or beside those who fight to their front.
    fn supports(&self, side: Side, strikes: &[Strike]) -> i32 {
        let mut count = 0;
        let fighting: Vec<(UnitId, usize)> = strikes
            .iter()
            .filter(|strike| matches!(strike.place, Where::Open | Where::Defended))
            .flat_map(|strike| strike.stands.iter().map(|&at| (strike.unit, at)))
            .collect();
        for (id, unit) in self.table.of_side(side) {
            if unit.profile().arm != Arm::Infantry || unit.is_confused() {
                continue;
            }
            if unit.marks.engaged && !self.melee.units.has(id) {
                continue;
            }
            for at in unit.alive().filter(|&at| !fighting.contains(&(id, at))) {
                let Some(own) = self.table.ground_rect(unit, at) else { continue };
                let backs = fighting.iter().any(|&(other, to)| {
                    let Some(friend) = self
                        .table
                        .unit(other)
                        .filter(|friend| friend.side == side && friend.profile().arm == Arm::Infantry)
                    else {
                        return false;
                    };
                    let Some(rect) = self.table.ground_rect(friend, to) else { return false };
                    backs(&rect, &own)
                });
                count += i32::from(backs);
            }
        }
        count
    }

    /// Scores, and what follows.
    fn result(
        &mut self,
        touches: &[Touch],
        strikes: &[Strike],
        dealt: [i32; 2],
        round: u8,
        clerk: &mut impl Clerk,
    ) -> Ended {
        let seat = super::super::plan::seat;
        // The place that decides: works before ground; there those who attack are the attackers.
        let main = touches.iter().find(|touch| touch.place.is_some()).or_else(|| touches.first());
        let works = main.and_then(|touch| touch.place);
        let attacker = match (works, main) {
            (Some(_), Some(touch)) => self.side_of(touch.one.0).unwrap_or(self.active),
            _ => self.active,
        };
        let sides = [attacker, attacker.other()];
        let [attacks, defends] = sides.map(|side| {
            let units: Vec<Unit> = self
                .table
                .each()
                .filter(|(id, unit)| self.melee.units.has(*id) && unit.side == side)
                .map(|(_, unit)| *unit)
                .collect();
            let could: i32 = units
                .iter()
                .map(|unit| i32::from(unit.strength()) * unit.profile().hits - i32::from(unit.odd_hits))
                .sum();
            let before = if round == 1 { units.iter().map(|unit| i32::from(unit.before)).sum() } else { 0 };
            let supports = if works.is_none() { self.supports(side, strikes) } else { 0 };
            combat::Side {
                stands: could.max(0),
                attack: 1,
                hits: 1,
                armour: crate::terms::Armour::NONE,
                behind: 0,
                odd_hits: 0,
                before,
                character: 0,
                supports,
                confused: false,
                terror: false,
                flanked: 0,
                units: i32::try_from(units.len()).unwrap_or(1).max(1),
            }
        });
        let gone = |side: &combat::Side, taken: i32| taken >= side.stands;
        let [by_attacker, by_defender] = sides.map(|side| dealt[seat(side)]);
        let arm = main
            .and_then(|touch| self.table.unit(touch.one.0))
            .map_or(Arm::Infantry, |unit| unit.profile().arm);
        let fight = Fight {
            place: works.unwrap_or(Where::Open),
            charges: false,
            pursues: None,
            arm,
            exposed: false,
            attacker: combat::Side { units: attacks.units, ..attacks },
            defender: combat::Side { units: defends.units, ..defends },
        };
        let blow = |unsaved: i32| Blow { dice: 0, unsaved };
        let decided =
            combat::decide(&fight, blow(by_attacker), blow(by_defender), &self.table.options, clerk);
        let (attackers_gone, defenders_gone) = (gone(&attacks, by_defender), gone(&defends, by_attacker));
        let winner = match (attackers_gone, defenders_gone) {
            (true, true) => None,
            (true, false) => Some(attacker.other()),
            (false, true) => Some(attacker),
            (false, false) => match decided.winner {
                Winner::Attacker => Some(attacker),
                Winner::Defender => Some(attacker.other()),
                Winner::Draw => None,
            },
        };
        let score = format!("{} : {}", decided.attacker.score, decided.defender.score);
        clerk.happened(|| match winner {
            Some(side) => {
                Event::new(words::BEATEN).with("side", super::super::say::side(side)).with("score", score)
            }
            None => Event::new(words::DRAWN).with("score", score),
        });
        let outcome = match decided.outcome {
            _ if (attackers_gone || defenders_gone) && works.is_none() => Aftermath::Destroyed,
            _ if attackers_gone => Aftermath::Destroyed,
            Outcome::Retreat | Outcome::Repulsed => Aftermath::Retreat,
            Outcome::Taken => Aftermath::Taken,
            Outcome::Held => Aftermath::Held,
            Outcome::Stays | Outcome::Unresolved => Aftermath::Unresolved,
            Outcome::FallBack => Aftermath::FallBack,
            Outcome::Destroyed => Aftermath::Destroyed,
        };
        Ended { winner, distance: small(decided.retreat_cm), outcome }
    }

    /// The end of a round, after the casualties.
    pub(super) fn round_end(&mut self, ended: Ended, clerk: &mut impl Clerk) -> Opened {
        self.over();
        self.generals(clerk);
        if self.outcome.is_some()
            || self.steps.is_empty()
            || matches!(self.steps.last(), Some(Step::ChainNext))
        {
            return Opened::Done;
        }
        self.melee.winner = ended.winner;
        self.melee.distance = ended.distance;
        match (ended.outcome, ended.winner) {
            (Aftermath::Unresolved, _) => {}
            (Aftermath::FallBack, _) | (_, None) => {
                self.steps.push(Step::Draw(self.active.other()));
                self.steps.push(Step::Draw(self.active));
                self.melee.chosen = UnitSet::default();
                self.melee.fall_back = 0;
            }
            (Aftermath::Held | Aftermath::Destroyed, Some(_)) => self.steps.push(Step::Winner),
            (Aftermath::Retreat, Some(_)) => {
                self.steps.push(Step::Winner);
                self.steps.push(Step::Losers);
            }
            (Aftermath::Taken, Some(winner)) => self.occupy(winner, ended.distance, clerk),
        }
        Opened::Done
    }

    /// The losers retreat, in the order of their numbers.
    pub(super) fn losers(&mut self, clerk: &mut impl Clerk) -> Opened {
        self.over();
        let Some(winner) = self.melee.winner else { return Opened::Done };
        let touches = self.table.contacts();
        let losers: Vec<UnitId> = self
            .table
            .each()
            .filter(|(id, unit)| self.melee.units.has(*id) && unit.side != winner && unit.is_on_table())
            .map(|(id, _)| id)
            .collect();
        let distance = i64::from(self.melee.distance) * 100;
        for id in losers.into_iter().rev() {
            let Some(unit) = self.table.unit(id).copied() else { continue };
            // Along a rampart, up to one centimetre the stand stays and is free (BR-R106).
            if unit.along.is_some() && self.table.is_on_works(&unit) {
                self.along_back(id, &unit, distance, clerk);
                continue;
            }
            if unit.alive().all(|at| matches!(unit.stands[at].place, Place::Tower { .. })) {
                continue;
            }
            if let Some(shift) = self.retreat_shift(id, &unit, &touches, distance) {
                self.push_back(id, shift, Why::Beaten);
            }
        }
        Opened::Done
    }

    /// Straight away from the edge with most enemies.
    fn retreat_shift(&self, id: UnitId, unit: &Unit, touches: &[Touch], distance: i64) -> Option<(i64, i64)> {
        let mut counts = [0_u8; 4];
        let mut facing = None;
        for touch in touches {
            let (own, foe) = if touch.one.0 == id {
                (touch.one, touch.other)
            } else if touch.other.0 == id {
                (touch.other, touch.one)
            } else {
                continue;
            };
            let rect = self.table.stand_rect(unit, own.1)?;
            facing.get_or_insert(rect.facing);
            let enemy = self.table.unit(foe.0)?;
            let other = self.table.stand_rect(enemy, foe.1)?;
            let (x, y) = rect.frame(other.centre);
            let (x, y) = (x >> 30, y >> 30);
            let (a, b) = rect.halves();
            let edge = if y >= b && x.abs() - a <= y - b {
                0
            } else if -y >= b && x.abs() - a <= -y - b {
                2
            } else if x < 0 {
                3
            } else {
                1
            };
            counts[edge] += 1;
        }
        let facing = facing.or_else(|| {
            let first = unit.alive().next()?;
            self.table.stand_rect(unit, first).map(|rect| rect.facing)
        })?;
        let most = counts.iter().copied().max()?;
        let edge = [0, 3, 1, 2].into_iter().find(|&edge| counts[edge] == most)?;
        let away = facing.turned(match edge {
            0 => 1800,
            1 => 2700,
            2 => 0,
            _ => 900,
        });
        Some(super::super::geometry::ahead(away, distance))
    }

    /// A retreat along the rampart (BR-R106).
    fn along_back(&mut self, id: UnitId, unit: &Unit, distance: i64, clerk: &mut impl Clerk) {
        self.table.with_unit(id, |unit| unit.along = None);
        if clerk.holds(rule!(BR_R106), distance <= 100) {
            return;
        }
        // More than a centimetre: the stand that fought is driven from its section, or lost.
        let Some(target) = unit.along else { return };
        let stand = unit.alive().find(|&at| {
            unit.stands[at].place.element().is_some_and(|own| {
                self.table.plan().element(target).is_some_and(|part| part.beside.contains(&Some(own)))
            })
        });
        let Some(at) = stand else { return };
        let Some(own) = unit.stands[at].place.element() else { return };
        let part = self.table.plan().element(own);
        let away = part.and_then(|part| part.beside.into_iter().flatten().find(|&next| next != target));
        let place = away
            .filter(|&next| self.table.stands(next))
            .map(|next| self.table.looking(next, super::super::state::Look::In));
        let fits = place.filter(|&place| {
            self.table.fits(unit, place, UnitSet::default(), super::super::ground::Keep::Contact).is_ok()
        });
        match fits {
            Some(place) => self.table.with_unit(id, |unit| unit.stands[at].place = place),
            None => self.kill(id, at, clerk),
        }
        self.tear(id);
        self.release();
    }

    /// The winners take the place that was attacked (3.6).
    fn occupy(&mut self, winner: Side, distance: u8, clerk: &mut impl Clerk) {
        let touches = self.table.contacts();
        let posted: Vec<(UnitId, usize, super::super::state::Post)> = self
            .table
            .each()
            .filter(|(id, unit)| self.melee.units.has(*id) && unit.side == winner)
            .flat_map(|(id, unit)| {
                unit.alive().filter_map(move |at| Some((id, at, unit.stands[at].post?))).collect::<Vec<_>>()
            })
            .collect();
        let inside = posted.iter().any(|(_, _, post)| post.slot == super::super::plan::Slot::Inner);
        let sections: Vec<_> = posted.iter().map(|(_, _, post)| post.element).collect();
        let tower = sections.iter().copied().find(|&element| !self.table.is_wall(element));
        let losers: Vec<(UnitId, usize)> = self
            .table
            .of_side(winner.other())
            .filter(|(id, _)| self.melee.units.has(*id))
            .flat_map(|(id, unit)| {
                unit.alive()
                    .filter(|&at| unit.stands[at].place.element().is_some_and(|on| sections.contains(&on)))
                    .map(move |at| (id, at))
                    .collect::<Vec<_>>()
            })
            .collect();
        let _ = touches;
        if tower.is_none() {
            if inside && clerk.holds(rule!(BR_R76), true) {
                for (id, at) in losers {
                    self.kill(id, at, clerk);
                    self.tear(id);
                }
            } else {
                let mut units: Vec<UnitId> = losers.iter().map(|(id, _)| *id).collect();
                units.dedup();
                for id in units {
                    if let Some(unit) = self.table.unit(id).copied() {
                        if unit.profile().arm == Arm::Artillery && clerk.holds(rule!(BC_8_4_02), true) {
                            self.kill_all(id, clerk);
                        } else {
                            self.off_rampart(id, &unit, i64::from(distance.max(2)) * 100, clerk);
                        }
                    }
                }
            }
        }
        for (id, at, post) in posted {
            let flyer = self.table.unit(id).is_some_and(|unit| unit.profile().arm == Arm::Flyer);
            let free = self.table.stands(post.element)
                && self.table.on(post.element).map(|(_, count)| count).sum::<usize>()
                    < self.table.capacity(post.element)
                && self.table.held_by(post.element) != Some(winner.other());
            if flyer || !free {
                continue;
            }
            let look = if inside && winner == Side::Garrison {
                super::super::state::Look::Out
            } else {
                super::super::state::Look::In
            };
            let place = self.table.looking(post.element, look);
            self.table.with_unit(id, |unit| {
                unit.stands[at].place = place;
                unit.stands[at].post = None;
            });
            if let Some(works) = self.table.elements.get_mut(usize::from(post.element.0))
                && winner == Side::Besieger
            {
                let lost = clerk.holds(rule!(BR_R58), works.oil);
                works.oil &= !lost;
            }
            self.tear(id);
        }
        let pushed = self
            .table
            .each()
            .find(|(id, unit)| self.melee.units.has(*id) && unit.side == winner && unit.machine.is_some())
            .map(|(id, _)| id);
        if let Some(id) = pushed {
            let left = self
                .table
                .unit(id)
                .is_some_and(|unit| unit.alive().any(|at| unit.stands[at].place.element().is_none()));
            if !left {
                self.table.with_unit(id, Unit::lose_item);
            }
        }
        self.release();
    }
}
