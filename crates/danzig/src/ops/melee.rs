//! Melee on the operational map (TET, 3.3, series rules 11): strengths, odds, the table and who
//! may attack whom. Attackers and a target hex enter; the result of the table leaves.

use std::sync::LazyLock;

use kernel::{Clerk, Verdict};
use rulebook::rule;
use rulebook::tables::danzig::SERIES_MELEE_VALUES;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HalfStep;
use super::bar::Bar;
use super::clash::Manner;
use super::field::{Field, heading};
use super::hex::{Heading, Hex};
use super::map::Terrain;
use super::series::{MeleeOdds, MeleeResult, Toll, melee_result};
use super::terrain::{AttackGround, attack_ground};
use crate::{Arm, Formation, Marks, Place, Side, Table, UnitId, UnitSet};

/// One attack in melee: a hex and those who attack it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Melee {
    /// The hex attacked.
    pub target: Hex,
    /// Who attacks.
    pub attackers: UnitSet,
}

/// A body of men in a melee, as plain facts.
#[derive(Clone, Copy, Debug)]
pub struct Fighter {
    /// What they are.
    pub arm: Arm,
    /// How they are drawn up.
    pub formation: Formation,
    /// Whether they are out of order.
    pub disordered: bool,
    /// Their steps.
    pub steps: u8,
    /// They charge, or countercharge.
    pub charging: bool,
}

/// Attack, defence and defence against a charge, per step.
type Values = [u8; 3];

#[derive(Default)]
struct Book {
    line: Values,
    column: Values,
    square: Values,
    in_forest: Values,
    in_village: Values,
    skirmish: Values,
    disordered: Values,
    light: Values,
    light_charging: Values,
    heavy: Values,
    heavy_charging: Values,
    tied: Values,
    against_square: Values,
    battery: Values,
    limbered: Values,
}

static BOOK: LazyLock<Book> = LazyLock::new(|| {
    let mut book = Book::default();
    for row in &SERIES_MELEE_VALUES {
        let defence = row.defence_per_step.parse().unwrap_or(0);
        let values = [
            row.attack_per_step.parse().unwrap_or(0),
            defence,
            row.defence_per_step_vs_charge.parse().unwrap_or(defence),
        ];
        let place = match (row.arm, row.formation) {
            ("infantry", "line, works or wall") => &mut book.line,
            ("infantry", "column") => &mut book.column,
            ("infantry", "square") => &mut book.square,
            ("infantry", "adapted in forest") => &mut book.in_forest,
            ("infantry", "adapted in village") => &mut book.in_village,
            ("infantry", "skirmish") => &mut book.skirmish,
            ("any", "disordered") => &mut book.disordered,
            ("light cavalry", "formed") => &mut book.light,
            ("light cavalry", "charging") => &mut book.light_charging,
            ("heavy cavalry", "formed") => &mut book.heavy,
            ("heavy cavalry", "charging") => &mut book.heavy_charging,
            ("cavalry", "against a square") => &mut book.against_square,
            ("cavalry", _) => &mut book.tied,
            ("field artillery", "unlimbered") => &mut book.battery,
            ("field artillery", _) => &mut book.limbered,
            _ => continue,
        };
        *place = values;
    }
    book
});

/// The values of a fighter by arm and formation.
fn values(who: &Fighter) -> &'static Values {
    let book = &*BOOK;
    if who.arm.is_siege_train() || who.arm == Arm::Fortress {
        return &book.limbered;
    }
    match (who.arm, who.formation) {
        (Arm::FieldArtillery, Formation::Unlimbered) if !who.disordered => &book.battery,
        (Arm::FieldArtillery, _) => &book.limbered,
        _ if who.disordered => &book.disordered,
        (Arm::LightCavalry, Formation::Formed) if who.charging => &book.light_charging,
        (Arm::LightCavalry, Formation::Formed) => &book.light,
        (Arm::HeavyCavalry, Formation::Formed) if who.charging => &book.heavy_charging,
        (Arm::HeavyCavalry, Formation::Formed) => &book.heavy,
        (Arm::LightCavalry | Arm::HeavyCavalry, _) => &book.tied,
        (_, Formation::Line) => &book.line,
        (_, Formation::Square) => &book.square,
        (_, Formation::Skirmish) => &book.skirmish,
        (_, Formation::Adapted) => &book.in_village,
        _ => &book.column,
    }
}

/// What becomes of a piece of the siege train that a melee catches; it takes no part in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Swept {
    /// Out of order, and out of the hex.
    Disordered,
    /// Lost.
    Eliminated,
}

/// The siege train caught in a melee: disordered at once, lost if it already was (3.3.2, 3.3.3).
pub fn swept(arm: Arm, disordered: bool, clerk: &mut impl Clerk) -> Option<Swept> {
    let rule = match arm {
        Arm::Mortar => rule!(DZ_3_3_3_02),
        Arm::Siege12 | Arm::Siege24 => rule!(DZ_3_3_2_02),
        _ => return None,
    };
    let fate = if disordered { Swept::Eliminated } else { Swept::Disordered };
    clerk.holds(rule, true).then_some(fate)
}

/// What an attack meets besides the ground.
#[derive(Clone, Copy, Debug, Default)]
pub struct Against {
    /// A square is among the defenders.
    pub square: bool,
}

/// The strength of an attacker in halves: steps times the value of each step, which the ground
/// lowers but never below one half (TET).
pub fn attack_strength(who: &Fighter, over: &AttackGround, against: Against, clerk: &mut impl Clerk) -> u32 {
    let base = i32::from(values(who)[0]);
    let mut value = base;
    if who.arm.is_cavalry() {
        let out_of = matches!(over.from, Terrain::Forest | Terrain::Marsh | Terrain::Village);
        if over.ties_cavalry() || out_of {
            value = clerk.value(rule!(DZ_TET_07), i32::from(BOOK.tied[0]));
        } else if against.square {
            value = clerk.value(rule!(DZ_R88), i32::from(BOOK.against_square[0]));
        }
    } else if who.formation == Formation::Column {
        // The column's value is the line's and one more.
        let line = i32::from(BOOK.line[0]);
        value = line + clerk.modifier(rule!(DZ_R88), base - line);
    } else if who.formation == Formation::Adapted {
        value = clerk.rather(rule!(DZ_TET_02), base, 0);
    }
    value += attack_ground(who.arm, over, clerk);
    per_step(who.steps, value)
}

/// Steps times a value in whole points, in halves, at least one half a step.
fn per_step(steps: u8, value: i32) -> u32 {
    u32::from(steps) * u32::try_from(2 * value).unwrap_or(0).max(1)
}

/// The strength of a defender in halves.
pub fn defence_strength(who: &Fighter, ground: Terrain, charged: bool, clerk: &mut impl Clerk) -> u32 {
    let book = &*BOOK;
    let column = usize::from(charged) + 1;
    let covered = matches!(ground, Terrain::Forest | Terrain::Marsh);
    let value = if who.arm.is_cavalry() && (covered || ground == Terrain::Village) && !who.disordered {
        clerk.value(rule!(DZ_TET_07), book.tied[1])
    } else if who.arm == Arm::Infantry && covered && !who.disordered {
        clerk.value(rule!(DZ_TET_08), book.in_forest[column])
    } else if who.charging && who.arm.is_cavalry() {
        values(who)[0]
    } else {
        values(who)[column]
    };
    if value == 0 { 0 } else { per_step(who.steps, value.into()) }
}

/// A melee as plain facts: strengths in halves and what shifts the odds.
#[derive(Clone, Copy, Debug, Default)]
pub struct FightFacts {
    /// The attackers' strength, in halves.
    pub attack: u32,
    /// The defenders' strength, in halves.
    pub defence: u32,
    /// It comes through a flank or rear.
    pub flank: bool,
    /// It comes from two opposite or three hexsides.
    pub surrounded: bool,
    /// All defenders are disordered.
    pub disordered: bool,
}

/// What came of a melee on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Fight {
    /// The column used.
    pub odds: MeleeOdds,
    /// The die.
    pub die: u8,
    /// The result.
    pub result: MeleeResult,
}

/// Fights: odds, shifts, die, table.
pub fn fight(facts: &FightFacts, clerk: &mut impl Clerk) -> Fight {
    let mut shifts = 0;
    for applies in [facts.flank, facts.surrounded, facts.disordered] {
        if applies {
            shifts += u8::try_from(clerk.modifier(rule!(DZ_R88), 1)).unwrap_or(0);
        }
    }
    let odds = MeleeOdds::of(facts.attack, facts.defence).shifted(shifts.min(2));
    let die = clerk.d6();
    Fight { odds, die, result: melee_result(odds, die) }
}

impl Toll {
    /// The toll of a defender on his ground: in a village he neither tests nor is disordered, and a D
    /// costs him a step.
    #[must_use]
    pub fn in_ground(mut self, ground: Terrain, clerk: &mut impl Clerk) -> Self {
        if ground == Terrain::Village && (self.test || self.disordered) && clerk.holds(rule!(DZ_TET_08), true)
        {
            self.steps += u8::from(self.disordered);
            self.test = false;
            self.disordered = false;
        }
        self
    }
}

fn fighter(field: &Field<'_>, unit: UnitId, charging: bool) -> Fighter {
    let state = field.unit(unit);
    Fighter {
        arm: unit.data().arm,
        formation: state.formation,
        disordered: state.is_disordered(),
        steps: state.steps,
        charging,
    }
}

fn ground_between(field: &Field<'_>, from: Hex, side: Heading, to: Hex) -> AttackGround {
    AttackGround {
        from: field.ground(from),
        into: field.map.terrain(to),
        redoubt: field.redoubt(to),
        edge: field.map.edge(from, side),
        bridge: field.bridge(from, to),
    }
}

/// The strength of one counter attacking a neighbour, in halves.
pub fn strength_of(
    field: &Field<'_>,
    unit: UnitId,
    target: Hex,
    charging: bool,
    clerk: &mut impl Clerk,
) -> u32 {
    let Ok(from) = field.hex_of(unit) else { return 0 };
    let Some(side) = from.towards(target) else { return 0 };
    let square = field.at(target).any(|unit| field.unit(unit).formation == Formation::Square);
    let over = ground_between(field, from, side, target);
    attack_strength(&fighter(field, unit, charging), &over, Against { square }, clerk)
}

/// Whether one counter may attack a hex in melee.
pub(super) fn may_attack(field: &Field<'_>, unit: UnitId, target: Hex) -> Result<(), Bar> {
    let from = field.hex_of(unit)?;
    let side = from.towards(target).ok_or(Bar::NotAdjacent)?;
    let state = field.unit(unit);
    let arm = unit.data().arm;
    Bar::Disordered.bars(state.is_disordered())?;
    Bar::GunsNeverAttack.bars(arm.is_artillery())?;
    Bar::NeverAttacks.bars(state.formation == Formation::Square)?;
    Bar::AttackedAlready.bars(state.marks.has(Marks::ASSAULTED))?;
    Bar::Crossing.bars(field.table.ops.boats[unit.side() as usize].units.has(unit))?;
    Bar::FrenchAtWalls.bars(
        matches!(field.map.terrain(target), Terrain::City | Terrain::Fort) && unit.side() == Side::French,
    )?;
    let edge = field.map.edge(from, side);
    Bar::Wall.bars(edge.wall())?;
    let bridge = field.bridge(from, target);
    Bar::AcrossVistula.bars(edge.vistula() && !bridge)?;
    Bar::CavalryAtWorks.bars(arm.is_cavalry() && (field.redoubt(target) || edge.camp()))?;
    Bar::BridgeColumn.bars(bridge && arm == Arm::Infantry && state.formation != Formation::Column)?;
    Bar::NotAhead.bars(!field.in_front(unit, side))?;
    Bar::Covered.bars(field.covered(target, unit.side()))?;
    Ok(())
}

fn may_fight(field: &Field<'_>, side: Side, melee: &Melee) -> Result<(), Bar> {
    Bar::NobodyThere.bars(!field.enemy_at(melee.target, side))?;
    Bar::NobodyAttacks.bars(melee.attackers.is_empty())?;
    Bar::AttackedAlready
        .bars(field.table.ops.step == HalfStep::Melee && field.table.ops.fought.has(melee.target))?;
    for unit in melee.attackers.iter() {
        Bar::NobodyAttacks.bars(unit.side() != side)?;
        may_attack(field, unit, melee.target)?;
    }
    Ok(())
}

/// Whether a side may make this attack in its melee step.
///
/// # Errors
/// The refusal.
pub fn check_melee(table: &Table, side: Side, melee: &Melee) -> Verdict<()> {
    Ok(may_fight(&Field::of(table), side, melee)?)
}

/// Lists melees of a side: for each hex it can attack, each neighbouring stack alone and all of them
/// together.
pub fn list_melees(table: &Table, side: Side, mut each: impl FnMut(Melee)) {
    let field = Field::of(table);
    for enemy in UnitId::of_side(side.other()) {
        let Place::Hex(target) = field.unit(enemy).place else { continue };
        if field.at(target).next() != Some(enemy) {
            continue;
        }
        let mut all = UnitSet::EMPTY;
        let mut hexes = 0;
        let mut offer = |attackers: UnitSet| {
            let melee = Melee { target, attackers };
            if may_fight(&field, side, &melee).is_ok() {
                each(melee);
            }
        };
        for (_, from) in target.around() {
            if !field.enemy_at(from, side.other()) {
                continue;
            }
            let stack: UnitSet =
                field.at(from).filter(|&unit| may_attack(&field, unit, target).is_ok()).collect();
            if stack.is_empty() {
                continue;
            }
            hexes += 1;
            stack.iter().for_each(|unit| all.insert(unit));
            offer(stack);
            if stack.len() > 1 {
                stack.iter().for_each(|unit| offer(UnitSet::of(unit)));
            }
        }
        if hexes > 1 {
            offer(all);
        }
    }
}

/// Those who meet in a melee.
pub(crate) struct Encounter {
    /// What becomes of the siege train in the hex.
    pub train: Vec<Swept>,
    /// The fight with the others, if there are any.
    pub facts: Option<FightFacts>,
    /// What covers the hex of the defenders.
    pub ground: Terrain,
}

/// The facts of a melee that may be fought and the ground of the defenders, for whoever wants its odds.
///
/// # Errors
/// The refusal.
pub(crate) fn met(table: &Table, melee: &Melee, clerk: &mut impl Clerk) -> Verdict<Encounter> {
    let side = melee.attackers.iter().next().map_or(Side::French, UnitId::side);
    check_melee(table, side, melee)?;
    let field = Field::of(table);
    let (mut defenders, mut train) = (UnitSet::EMPTY, Vec::new());
    for unit in field.at(melee.target) {
        match swept(unit.data().arm, field.unit(unit).is_disordered(), clerk) {
            Some(fate) => train.push(fate),
            None => defenders.insert(unit),
        }
    }
    let facts = (!defenders.is_empty())
        .then(|| facts_of(&field, melee.target, melee.attackers, defenders, Manner::default(), clerk));
    Ok(Encounter { train, facts, ground: field.ground(melee.target) })
}

/// The facts of a melee between these.
pub(super) fn facts_of(
    field: &Field<'_>,
    target: Hex,
    attackers: UnitSet,
    defenders: UnitSet,
    manner: Manner,
    clerk: &mut impl Clerk,
) -> FightFacts {
    let ground = clerk.rather(rule!(DZ_TET_02), field.ground(target), Terrain::Clear);
    let mut facts = FightFacts { disordered: true, ..FightFacts::default() };
    let mut sides = [false; 6];
    for unit in attackers.iter() {
        facts.attack += strength_of(field, unit, target, manner.charge, clerk);
        if let Ok(from) = field.hex_of(unit)
            && let Some(side) = target.towards(from)
        {
            sides[side as usize] = true;
        }
    }
    for unit in defenders.iter() {
        let who = fighter(field, unit, manner.countercharge.has(unit));
        facts.defence += defence_strength(&who, ground, manner.charge, clerk);
        facts.disordered &= who.disordered;
        let state = field.unit(unit);
        let faces = field.faces(unit) && state.formation != Formation::Limbered;
        facts.flank |=
            faces && Heading::ALL.iter().any(|&side| sides[side as usize] && heading(state).angle(side) > 1);
    }
    let count = sides.iter().filter(|&&side| side).count();
    facts.surrounded = count >= 3 || (0..3).any(|side| sides[side] && sides[side + 3]);
    facts
}
