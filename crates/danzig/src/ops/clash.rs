//! A melee being fought on the operational map (series rules 11): it is carried on from stage to stage,
//! and between two of them its players take what is owed. Attackers and a target hex enter; losses,
//! retreats and who occupies the hex leave.

use kernel::{Clerk, Event};
use rulebook::{phrase::danzig_ops as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field::Field;
use super::hex::{Heading, Hex};
use super::losses::{disorder_all, eliminate, holds, lose_steps};
use super::map::Terrain;
use super::melee::{Melee, Swept, facts_of, fight, swept};
use super::series::Toll;
use super::{HalfStep, fortress, march};
use crate::{Arm, Formation, Marks, Owed, Place, Table, UnitId, UnitSet};

/// How a melee is fought: at the pace of the melee step, or as a charge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Manner {
    /// The attackers charge.
    pub(super) charge: bool,
    /// Defending cavalry that countercharges.
    pub(super) countercharge: UnitSet,
}

/// How far a melee has come. Between two stages its players take what is owed: whether skirmishers give
/// way, whose steps are lost, where to the broken go, who occupies the hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Stage {
    /// The attackers come up.
    Meeting,
    /// The siege train is swept aside, skirmishers have given way or stand.
    Met,
    /// The dice have fallen and the steps are lost: now these of the defenders and those of the
    /// attackers test, or break.
    Struck {
        /// Who defended.
        defenders: UnitSet,
        /// What falls on them, on their ground.
        hit: Toll,
        /// What falls on the attackers.
        own: Toll,
    },
    /// The broken have left.
    Decided {
        /// The attackers are in order.
        in_order: bool,
    },
    /// The attackers have won; one stack of them may occupy the hex.
    Won,
    /// The victors leave this hex for the one they have won, and the fortress has fired at them.
    MovingIn {
        /// Where from.
        from: Hex,
    },
    /// It is over.
    Over {
        /// The attackers have won.
        won: bool,
    },
}

/// A melee being fought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Clash {
    target: Hex,
    attackers: UnitSet,
    manner: Manner,
    stage: Stage,
}

impl Clash {
    /// A charge that strikes home.
    pub(super) const fn of_charge(target: Hex, attackers: UnitSet, countercharge: UnitSet) -> Self {
        Self { target, attackers, manner: Manner { charge: true, countercharge }, stage: Stage::Meeting }
    }

    /// Whether it is over.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over { .. })
    }

    /// Fights on to where somebody may have to decide something: to be called while nothing is owed,
    /// until it is over.
    pub fn carry_on(&mut self, table: &mut Table, clerk: &mut impl Clerk) {
        self.stage = match self.stage {
            Stage::Meeting => self.come_up(table, clerk),
            Stage::Met => self.strike(table, clerk),
            Stage::Struck { defenders, hit, own } => self.break_up(table, defenders, hit, own, clerk),
            Stage::Decided { in_order } => self.decide(table, in_order),
            Stage::Won => Stage::Over { won: true },
            Stage::MovingIn { from } => {
                move_in(table, self.attackers, from, self.target, clerk);
                Stage::Over { won: true }
            }
            over @ Stage::Over { .. } => over,
        };
        if let (Stage::Over { won }, true) = (self.stage, self.manner.charge) {
            super::charge::end(table, self.attackers, self.manner.countercharge, won);
        }
    }

    /// The attackers come up: the siege train is swept aside, skirmishers may give way to infantry.
    fn come_up(&self, table: &mut Table, clerk: &mut impl Clerk) -> Stage {
        for unit in self.attackers.iter() {
            table.unit_mut(unit).marks.set(Marks::ASSAULTED);
        }
        let before: UnitSet = Field::of(table).at(self.target).collect();
        overrun_siege_train(table, before, clerk);
        if !self.manner.charge && self.attackers.iter().all(|unit| unit.data().arm == Arm::Infantry) {
            let asked: UnitSet =
                Field::of(table).at(self.target).filter(|unit| is_skirmishing(table, *unit)).collect();
            table.owed.extend(asked.iter().map(Owed::GiveWay));
        }
        Stage::Met
    }

    /// The sides meet: the dice fall and steps are lost.
    fn strike(&self, table: &mut Table, clerk: &mut impl Clerk) -> Stage {
        let Self { target, attackers, manner, .. } = *self;
        let field = Field::of(table);
        let defenders: UnitSet = field.at(target).collect();
        if defenders.is_empty() {
            return Stage::Decided { in_order: true };
        }
        let facts = facts_of(&field, target, attackers, defenders, manner, clerk);
        let fought = fight(&facts, clerk);
        clerk.happened(|| {
            Event::new(phrase::MELEE)
                .with("hex", target.to_string())
                .with("odds", fought.odds.name())
                .with("roll", fought.die)
        });
        let hit = fought.result.defender.in_ground(field.ground(target), clerk);
        let own = fought.result.attacker;
        lose_steps(table, target, defenders, hit.steps, clerk);
        let base = attackers.iter().find_map(|unit| match table.unit(unit).place {
            Place::Hex(hex) => Some(hex),
            _ => None,
        });
        lose_steps(table, base.unwrap_or(target), attackers, own.steps, clerk);
        Stage::Struck { defenders, hit, own }
    }

    /// Those who are left test or break.
    fn break_up(
        &self,
        table: &mut Table,
        defenders: UnitSet,
        hit: Toll,
        own: Toll,
        clerk: &mut impl Clerk,
    ) -> Stage {
        let mut broken = UnitSet::EMPTY;
        for unit in defenders.iter().filter(|&unit| table.unit(unit).steps > 0).collect::<UnitSet>().iter() {
            if hit.disordered || (hit.test && !holds(table, unit, self.target, clerk)) {
                broken.insert(unit);
            }
        }
        let mut beaten = UnitSet::EMPTY;
        for unit in self.attackers.iter() {
            let Place::Hex(hex) = table.unit(unit).place else { continue };
            if own.disordered || (own.test && !holds(table, unit, hex, clerk)) {
                beaten.insert(unit);
            }
        }
        let alone = defenders.iter().all(|unit| unit.data().arm.is_artillery());
        if alone {
            // Guns alone and beaten are lost.
            for unit in broken.iter() {
                clerk.applied(rule!(DZ_R94));
                eliminate(table, unit, clerk);
            }
        } else {
            disorder_all(table, broken, clerk);
        }
        disorder_all(table, beaten, clerk);
        Stage::Decided { in_order: !own.disordered }
    }

    /// Whether the attackers have won: nobody defends the hex and they are in order. Then one stack of
    /// them may move in.
    fn decide(&self, table: &mut Table, in_order: bool) -> Stage {
        let field = Field::of(table);
        let fit = self.attackers.iter().any(|unit| field.unit(unit).stands_in_order());
        if !in_order || field.holder(self.target).is_some() || !fit {
            return Stage::Over { won: false };
        }
        table.owed.push(Owed::Occupy { hex: self.target, victors: self.attackers });
        Stage::Won
    }

    /// The victors who stand in a hex leave it for the one they have won, under the fire of the fortress.
    pub fn occupy(&mut self, table: &mut Table, from: Hex, clerk: &mut impl Clerk) {
        clerk.applied(rule!(DZ_R94));
        fortress::opportunity(table, fit_in(table, self.attackers, from), from, clerk);
        self.stage = Stage::MovingIn { from };
    }
}

/// Begins an attack that was checked.
#[must_use]
pub fn melee(table: &mut Table, melee: &Melee) -> Clash {
    table.ops.step_into(HalfStep::Melee);
    table.ops.fought.insert(melee.target);
    let Melee { target, attackers } = *melee;
    Clash { target, attackers, manner: Manner::default(), stage: Stage::Meeting }
}

/// The siege train caught in a melee is swept aside before the sides meet (3.3.2, 3.3.3).
fn overrun_siege_train(table: &mut Table, defenders: UnitSet, clerk: &mut impl Clerk) {
    let mut disordered = UnitSet::EMPTY;
    for unit in defenders.iter() {
        match swept(unit.data().arm, table.unit(unit).is_disordered(), clerk) {
            Some(Swept::Eliminated) => eliminate(table, unit, clerk),
            Some(Swept::Disordered) => disordered.insert(unit),
            None => {}
        }
    }
    disorder_all(table, disordered, clerk);
}

/// Whether a unit skirmishes in good order.
fn is_skirmishing(table: &Table, unit: UnitId) -> bool {
    let state = table.unit(unit);
    state.formation == Formation::Skirmish && !state.is_disordered()
}

/// Lists the hexes to which attacked skirmishers may fall back.
#[must_use]
pub fn ways_to_give(table: &Table, unit: UnitId) -> Vec<Hex> {
    let field = Field::of(table);
    let side = unit.side();
    let Ok(from) = field.hex_of(unit) else { return Vec::new() };
    let open = |&(heading, hex): &(Heading, Hex)| {
        let edge = field.map.edge(from, heading);
        let barred = edge.vistula() || edge.wall() || edge.gate();
        let held = field.enemy_at(hex, side) || field.covered(hex, side);
        !(barred || held || matches!(field.map.terrain(hex), Terrain::Sea | Terrain::City | Terrain::Fort))
            && field.controllers(hex, side).is_empty()
            && field.fits(UnitSet::of(unit), hex).is_ok()
    };
    from.around().filter(open).map(|(_, hex)| hex).collect()
}

/// Skirmishers fall back a hex before the melee; a French one may be fired at by the fortress.
pub fn give_way(table: &mut Table, unit: UnitId, to: Hex, clerk: &mut impl Clerk) {
    let Place::Hex(from) = table.unit(unit).place else { return };
    clerk.applied(rule!(DZ_R94));
    fortress::opportunity(table, UnitSet::of(unit), from, clerk);
    if table.unit(unit).place == Place::Hex(from) {
        march::put(table, unit, to, clerk);
        clerk.happened(|| {
            Event::new(phrase::GIVES_WAY).with("unit", unit.data().label).with("hex", to.to_string())
        });
    }
}

/// The hexes from which victors of a melee may move into the hex they have won.
#[must_use]
pub fn ways_to_occupy(table: &Table, victors: UnitSet, won: Hex) -> Vec<Hex> {
    let field = Field::of(table);
    let comes = |&hex: &Hex| {
        let stack = fit_in(table, victors, hex);
        !stack.is_empty() && field.fits(stack, won).is_ok()
    };
    won.around().map(|(_, hex)| hex).filter(comes).collect()
}

/// Those of a set who stand in a hex in order.
fn fit_in(table: &Table, units: UnitSet, hex: Hex) -> UnitSet {
    let fit = |unit: &UnitId| {
        let state = table.unit(*unit);
        state.place == Place::Hex(hex) && !state.is_disordered()
    };
    units.iter().filter(fit).collect()
}

/// The attackers of one hex occupy the hex they have won.
fn move_in(table: &mut Table, attackers: UnitSet, from: Hex, to: Hex, clerk: &mut impl Clerk) {
    let stack = fit_in(table, attackers, from);
    if !stack.is_empty() {
        clerk.happened(|| Event::new(phrase::ADVANCES).with("hex", to.to_string()));
    }
    for unit in stack.iter() {
        table.unit_mut(unit).facing = from.towards(to).unwrap_or_default() as u16;
        march::put(table, unit, to, clerk);
    }
}
