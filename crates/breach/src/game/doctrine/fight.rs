//! What a fight promises: expected unsaved hits of both sides by the numbers of section 3.4.1 of the game
//! page, and what is won by it.

use kernel::Game as _;

use crate::scenario::{Scenario, Side};
use crate::terms::Item;

use super::super::action::{Answer, Charge, Target};
use super::super::state::{Unit, UnitId, WorkId};
use super::super::{Action, ElementId, Kind};
use super::purpose::Purpose;
use super::{NEVER, Staff};

/// A side of a fight as it is reckoned.
struct Blows {
    /// Dice.
    dice: i64,
    /// The least face that hits.
    to_hit: i64,
}

/// Hundredths of a hit that these blows leave unsaved on troops with this armour.
fn unsaved(blows: &Blows, target: &Unit) -> i64 {
    let armour = target.profile().armour;
    // Three to six of six faces save; none without armour.
    let saved = (3..=6)
        .find(|&face| crate::terms::Armour::new(face) == Some(armour))
        .map_or(0, |face| i64::from(7 - face));
    blows.dice * (7 - blows.to_hit) * (6 - saved) * 100 / 36
}

impl Staff<'_> {
    /// What a charge is worth.
    pub(super) fn attack(&self, charge: &Charge) -> i64 {
        let Some(unit) = self.table.unit(charge.unit) else { return NEVER };
        match charge.target {
            Target::Unit(enemy) => self.field(charge.unit, enemy),
            Target::Ram(_) => 400,
            Target::Wall(element) => {
                let sections = charge.extra.iter().copied().chain([element]);
                self.storm(charge.unit, unit, sections, 6)
            }
            Target::Inside(element) => {
                let sections = charge.extra.iter().copied().chain([element]);
                self.storm(charge.unit, unit, sections, 5)
            }
            Target::Along(element) => self.storm(charge.unit, unit, [element].into_iter(), 4),
            Target::TowerSide(tower, _) => {
                let prize = match self.table.scenario {
                    // Whoever holds the watchtower wins by it.
                    Scenario::Watchtower => 250,
                    _ => 0,
                };
                self.storm(charge.unit, unit, [tower].into_iter(), 6) + prize
            }
        }
    }

    /// The same assault on more sections beside the first: with two and with three stands.
    pub(super) fn wider(&self, charge: &Charge) -> Vec<Charge> {
        let (Target::Wall(first) | Target::Inside(first)) = charge.target else { return Vec::new() };
        let held = |element: &ElementId| self.table.held_by(*element) == Some(self.side.other());
        let beside = |element: ElementId, way: usize| {
            self.table.plan().element(element).and_then(|part| part.beside[way]).filter(held)
        };
        let (before, after) = (beside(first, 0), beside(first, 1));
        let mut runs: Vec<Vec<ElementId>> = Vec::new();
        runs.extend(before.map(|one| vec![one]));
        runs.extend(after.map(|one| vec![one]));
        runs.extend(before.zip(after).map(|(one, other)| vec![one, other]));
        let charges = runs.into_iter().map(|extra| Charge { extra, ..charge.clone() });
        charges
            .filter(|charge| self.state.validate(self.side, &Action::Charge(charge.clone())).is_ok())
            .collect()
    }

    /// A charge at a unit on the ground.
    pub(super) fn field(&self, id: UnitId, enemy_id: UnitId) -> i64 {
        let (Some(unit), Some(enemy)) = (self.table.unit(id), self.table.unit(enemy_id)) else {
            return NEVER;
        };
        let Some(from) = self.middle(unit) else { return NEVER };
        let defended = enemy.alive().any(|at| self.table.is_defended(enemy, at, from));
        let wide = i64::from(unit.strength().min(enemy.strength() + 1));
        let met = i64::from(enemy.strength().min(unit.strength() + 1));
        let attack = i64::from(unit.profile().attack) + i64::from(!defended);
        let own = Blows { dice: wide * attack + self.bonus(id), to_hit: if defended { 5 } else { 4 } };
        let answer = i64::from(enemy.profile().attack) * met + self.bonus(enemy_id);
        let shots = i64::from(enemy.profile().shots) * i64::from(enemy.strength());
        let against = Blows { dice: answer + shots / 2, to_hit: 4 };
        let margin = unsaved(&own, enemy) - unsaved(&against, unit);
        // Half of what is won in hits, a little for the ground, much for a General or for guns.
        let prize = if self.has_general(enemy_id) { 150 } else { 0 };
        let risk = if self.has_general(id) { 150 } else { 0 };
        let worth = margin / 2 + 15 + prize - risk;
        match self.purpose(id, unit) {
            // Who runs for the edge or for the door does not stop to fight.
            Purpose::Enter(..) => worth / 4,
            Purpose::Reach(_) if self.table.scenario == Scenario::Help && self.side == Side::Garrison => {
                worth / 4
            }
            // The garrison fights within its walls.
            _ if self.is_siege() && self.side == Side::Garrison => {
                let inside = self
                    .middle(enemy)
                    .is_some_and(|at| self.table.is_inside(at) || self.table.breach_at(at).is_some());
                if inside { worth + 120 } else { NEVER }
            }
            _ => worth,
        }
    }

    /// An assault of works: of sections with so many stands on them, hit on this face.
    fn storm(&self, id: UnitId, unit: &Unit, sections: impl Iterator<Item = ElementId>, to_hit: i64) -> i64 {
        let tower = unit.item == Item::SiegeTower && to_hit == 6;
        let (mut wide, mut met, mut answer, mut prize) = (0_i64, 0_i64, 0_i64, 0_i64);
        let mut defender = None;
        for element in sections {
            wide += 1;
            prize += self.section(element);
            for (holder, at) in self.table.on(element) {
                let Some(holder) = self.table.unit(holder) else { continue };
                met += 1;
                answer += i64::from(holder.attack(at));
                defender = Some(holder);
            }
        }
        let wide = if tower { 1 } else { wide.min(i64::from(unit.strength())) };
        let attack = i64::from(unit.profile().attack) + i64::from(tower || to_hit == 4);
        let own = Blows { dice: wide * attack + self.bonus(id), to_hit: if tower { 4 } else { to_hit } };
        let won = defender.map_or(100 * met, |defender| unsaved(&own, defender));
        let lost = unsaved(&Blows { dice: answer, to_hit: 4 }, unit);
        // Time runs out: late assaults are made at worse odds.
        let hurry = if self.side == Side::Besieger && self.is_late() { 150 } else { 0 };
        let risk = if self.has_general(id) { 200 } else { 0 };
        (won - lost) / 2 + prize + hurry - risk
    }

    /// What a section counts for, in worth.
    fn section(&self, element: ElementId) -> i64 {
        match self.table.plan().element(element).map(|part| part.kind) {
            Some(Kind::Wall) => 40,
            Some(Kind::Tower) => 80,
            Some(Kind::Gate) => 60,
            Some(Kind::LoneTower) | None => 0,
        }
    }

    /// Whether the beaten are followed.
    pub(super) fn pursuit(&self, id: UnitId) -> i64 {
        let Some(unit) = self.table.unit(id) else { return NEVER };
        let within = self.is_siege() && self.side == Side::Garrison;
        if within || self.has_general(id) || unit.strength() < 2 { -1 } else { 40 }
    }

    /// Whether a unit that may stand does.
    pub(super) fn standing(&self, id: UnitId) -> i64 {
        let Some(unit) = self.table.unit(id) else { return 0 };
        let covered = unit
            .alive()
            .next()
            .is_some_and(|at| self.middle(unit).is_some_and(|from| self.table.is_defended(unit, at, from)));
        if covered || self.table.is_on_works(unit) { 50 } else { 0 }
    }

    /// Oil against ladders and what is carried by hand, shots against the rest.
    pub(super) fn reaction(&self, unit: UnitId, answer: Answer) -> i64 {
        let shots = self.table.unit(unit).map_or(0, |unit| i64::from(unit.profile().shots));
        match answer {
            Answer::Oil => 100,
            Answer::Shoot => 60 + shots,
        }
    }

    /// Works of the enemy that bar the way are dug away; the own ones stay.
    pub(super) fn digging(&self, works: &[(u8, WorkId)]) -> i64 {
        let theirs = works.iter().filter(|(_, work)| {
            self.table.earthworks.get(usize::from(work.0)).is_some_and(|work| work.owner != self.side)
        });
        i64::try_from(theirs.count()).unwrap_or(0) * 20 - 10
    }
}
