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

use super::super::action::Action;
use super::super::melee::{Touch, backs};
use super::super::state::{Aftermath, Ended, State, Step, Unit, UnitId};
use super::Opened;
use super::reaction::small;

/// Stands of one unit that strike at another.
struct Strike {
    unit: UnitId,
    target: UnitId,
    stands: Vec<usize>,
    /// The Attack of each of them.
    attack: i32,
    flanked: i32,
    place: Where,
    /// Whether the strikers are those who attack the place.
    attacks: bool,
    /// What a character adds.
    character: i32,
}

/// An enemy that a stand touches.
struct Met {
    foe: UnitId,
    /// The stands he has left, and his number.
    strength: u8,
    number: u8,
    place: Where,
    /// Whether the stand is of those who attack the place.
    attacks: bool,
    /// How it touches him: to its front or on its section, otherwise.
    rank: u8,
    /// Whether it is struck in flank.
    flanked: bool,
}

impl State {
    pub(super) fn round(&mut self, clerk: &mut impl Clerk) -> Opened {
        self.over();
        let touches = self.touches();
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

    /// The contacts of the fight in hand.
    fn touches(&self) -> Vec<Touch> {
        let mut touches = self.table.contacts();
        touches.retain(|touch| self.melee.units.has(touch.one.0) && self.melee.units.has(touch.other.0));
        touches
    }

    // Whom stands strike that touch several, where their owner names it (BR-R81).

    /// The first stand of a side that touches several enemies in the same way and has none named, with them.
    fn undecided(&self, side: Side) -> Option<(UnitId, u8, Vec<UnitId>)> {
        let touches = self.touches();
        let own = self.table.of_side(side).filter(|(id, _)| self.melee.units.has(*id));
        own.flat_map(|(id, unit)| unit.alive().map(move |at| (id, unit, at))).find_map(|(id, unit, at)| {
            let met = || touches.iter().filter_map(|touch| self.met((id, unit, at), touch));
            let rank = met().map(|met| met.rank).min()?;
            // Those in a tower strike at the sides they are assigned to.
            let free = |met: &Met| met.rank == rank && (met.attacks || met.place != Where::Tower);
            let mut foes: Vec<UnitId> = met().filter(free).map(|met| met.foe).collect();
            foes.sort_unstable();
            foes.dedup();
            let open = foes.len() > 1 && self.named(id, at).is_none();
            open.then_some((id, u8::try_from(at).ok()?, foes))
        })
    }

    /// The enemy that its owner has named for a stand.
    fn named(&self, id: UnitId, at: usize) -> Option<UnitId> {
        let mut named = self.melee.named.iter();
        named.find(|(unit, stand, _)| (*unit, usize::from(*stand)) == (id, at)).map(|(.., target)| *target)
    }

    pub(super) fn open_strikes(&mut self, side: Side) -> Opened {
        if self.undecided(side).is_some() {
            return Opened::Ask(side);
        }
        if side == self.active { self.next(Step::Strikes(side.other())) } else { self.over() }
    }

    pub(super) fn list_strikes(&self, side: Side, into: &mut Vec<Action>) {
        if let Some((unit, stand, foes)) = self.undecided(side) {
            into.extend(foes.into_iter().map(|target| Action::Strike { unit, stand, target }));
        }
    }

    /// The enemy at the other end of a contact, as a stand meets him.
    fn met(&self, (id, unit, at): (UnitId, &Unit, usize), touch: &Touch) -> Option<Met> {
        let (enemy, attacks) = if touch.one == (id, at) {
            (touch.other, true)
        } else if touch.other == (id, at) {
            (touch.one, false)
        } else {
            return None;
        };
        let foe = self.table.unit(enemy.0)?;
        let (place, attacks, rank, flanked) = match touch.place {
            Some(place) => (place, attacks, u8::from(touch.corner), false),
            None => {
                let (rank, flanked) = self.contact_rank(unit, at, foe, enemy.1);
                let from = self.stand_centre(unit, at).unwrap_or_default();
                let defended =
                    self.table.is_defended(foe, enemy.1, from) && !self.has_left_shelter(foe, enemy.1, from);
                (if defended { Where::Defended } else { Where::Open }, true, rank, flanked)
            }
        };
        Some(Met {
            foe: enemy.0,
            strength: foe.strength(),
            number: foe.number,
            place,
            attacks,
            rank,
            flanked,
        })
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
                let named = self.named(id, at);
                let best = touches
                    .iter()
                    .filter_map(|touch| self.met((id, unit, at), touch))
                    .min_by_key(|met| (met.rank, named != Some(met.foe), met.strength, met.number));
                let Some(Met { foe: target, place, attacks, flanked, .. }) = best else { continue };
                // One stand fights along a rampart, at a side of a tower, and from a siege tower.
                if place == Where::Tower && !attacks {
                    continue;
                }
                let single =
                    matches!(place, Where::Along | Where::Tower) || (place == Where::SiegeTower && attacks);
                let attack = self.attack_of(unit, at, target);
                let alike = |strike: &&mut Strike| {
                    strike.unit == id
                        && strike.target == target
                        && strike.place == place
                        && strike.attacks == attacks
                };
                let known = strikes.iter_mut().filter(alike).find(|strike| single || strike.attack == attack);
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
                        attack,
                        flanked: i32::from(flanked),
                        place,
                        attacks,
                        character: 0,
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
                let attack = self.table.unit(unit).map_or(0, |held| self.attack_of(held, at, target));
                strikes.push(Strike {
                    unit,
                    target,
                    stands: vec![at],
                    attack,
                    flanked: 0,
                    place: Where::Tower,
                    attacks: false,
                    character: 0,
                });
            }
        }
        // A character goes with the lowest stand of his unit that fights.
        for (id, _) in self.table.each().filter(|(id, _)| self.melee.units.has(*id)) {
            let lowest = strikes.iter().filter(|strike| strike.unit == id).flat_map(|strike| &strike.stands);
            let lowest = lowest.min().copied();
            let own = strikes.iter_mut().filter(|strike| strike.unit == id);
            if let Some(strike) =
                own.into_iter().find(|strike| lowest.is_some_and(|at| strike.stands.contains(&at)))
            {
                strike.character = self.table.bonus(id);
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

    /// The Attack of a stand against an enemy unit.
    fn attack_of(&self, unit: &Unit, at: usize, target: UnitId) -> i32 {
        let beast = self.table.unit(target).is_some_and(|foe| foe.profile().arm == Arm::Monster);
        unit.attack(at) + i32::from(beast && unit.is_line(crate::lists::Line::Slayers))
    }

    /// A blow: dice, armour, unsaved hits.
    fn strike(&mut self, strike: &Strike, round: u8, clerk: &mut impl Clerk) -> i32 {
        let (Some(unit), Some(target)) =
            (self.table.unit(strike.unit).copied(), self.table.unit(strike.target).copied())
        else {
            return 0;
        };
        let field = self.table.plan().terrain.iter().any(|(kind, ground)| {
            *kind == super::super::plan::Terrain::Field
                && self
                    .stand_centre(&target, target.alive().next().unwrap_or(0))
                    .is_some_and(|at| ground.holds(at))
        });
        // Fanatics and those who spread terror themselves are not afraid.
        let dread = clerk.holds(rule!(BC_12_08), unit.marks.dread);
        let terror = (self.table.terrifies(strike.target) || dread)
            && !self.table.terrifies(strike.unit)
            && !unit.profile().fanatic;
        let own = |unit: &Unit, stands: &[usize], attack: i32, flanked: i32, character: i32| combat::Side {
            stands: i32::try_from(stands.len()).unwrap_or(0),
            attack,
            hits: unit.profile().hits,
            armour: unit.profile().armour,
            behind: 0,
            odd_hits: 0,
            before: 0,
            character,
            supports: 0,
            confused: unit.is_confused(),
            terror,
            flanked,
            units: 1,
        };
        self.told_of_shelter(strike, &unit, &target, clerk);
        let striker = own(&unit, &strike.stands, strike.attack, strike.flanked, strike.character);
        let struck = own(&target, &[0], target.profile().attack, 0, 0);
        let fresh = round == 1 || unit.marks.advanced;
        let charges = unit.marks.charged && fresh && !field;
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

    /// Whether a stand has given up what sheltered it: also behind earthworks, after the charge.
    fn has_left_shelter(&self, unit: &Unit, at: usize, from: Point) -> bool {
        let behind = |rect| self.table.behind_work(&rect, from);
        let work = self.table.ground_rect(unit, at).is_some_and(behind);
        unit.marks.exposed && (!work || rule!(BR_EARTHWORKS_09).holds(true))
    }

    /// Says by which rules of the works those who are struck on the ground are sheltered, or no longer.
    fn told_of_shelter(&self, strike: &Strike, unit: &Unit, target: &Unit, clerk: &mut impl Clerk) {
        if strike.place.at_the_works() {
            return;
        }
        let defended = strike.place == Where::Defended;
        let from = strike.stands.first().and_then(|&at| self.stand_centre(unit, at)).unwrap_or_default();
        let mut bases = target.alive().filter_map(|at| self.table.ground_rect(target, at));
        let behind = bases.any(|rect| self.table.behind_work(&rect, from));
        for (rule, acts) in [
            (rule!(BR_BREACHES_04), defended && self.table.is_in_breach(target)),
            (rule!(BR_EARTHWORKS_08), defended && behind),
            (rule!(BR_EARTHWORKS_09), !defended && behind && target.marks.exposed),
        ] {
            if acts {
                clerk.applied(rule);
            }
        }
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
        let (attackers_gone, defenders_gone) = (gone(&attacks, by_defender), gone(&defends, by_attacker));
        let arm = main
            .and_then(|touch| self.table.unit(touch.one.0))
            .map_or(Arm::Infantry, |unit| unit.profile().arm);
        let fight = Fight {
            place: works.unwrap_or(Where::Open),
            charges: false,
            pursues: None,
            arm,
            exposed: false,
            attacker: combat::Side { units: if attackers_gone { 1 } else { attacks.units }, ..attacks },
            defender: combat::Side { units: if defenders_gone { 1 } else { defends.units }, ..defends },
        };
        let blow = |unsaved: i32| Blow { dice: 0, unsaved };
        let decided =
            combat::decide(&fight, blow(by_attacker), blow(by_defender), &self.table.options, clerk);
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
}
