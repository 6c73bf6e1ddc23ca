//! Orders: a character, a unit or a brigade and what weighs on it enter; what is needed on two dice,
//! and what comes of them, leave. Sections 4.2 to 4.4 of the core rules.

use kernel::{Centimetres, Clerk, Refusal, Verdict};
use rulebook::options::breach::{CoreEdition, MachineOrders, Options};
use rulebook::{phrase::breach as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::terms::{Arm, Item};

/// Who gives the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Character {
    /// The one who commands the army.
    General,
    /// A captain.
    Hero,
    /// A wizard.
    Wizard,
}

/// A unit that is ordered, alone or in a brigade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ordered {
    /// From the character.
    pub distance: Centimetres,
    /// What it is.
    pub arm: Arm,
    /// Stands it has lost.
    pub lost_stands: i32,
    /// Whether an enemy unit is within 20 cm.
    pub enemy_near: bool,
    /// Whether a stand of it is in dense ground.
    pub dense: bool,
    /// What it carries.
    pub item: Item,
}

/// An order before the dice.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// Who gives it.
    pub character: Character,
    /// His Command.
    pub command: i32,
    /// The how-manieth order to these units in this phase.
    pub number: i32,
    /// Whether the move before went wholly along a road.
    pub road: bool,
    /// Earlier blunders of 1 that weigh on the units.
    pub blunders: i32,
    /// The units: one, or a brigade.
    pub units: &'a [Ordered],
}

/// How an order ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrderResult {
    /// They obey.
    Success,
    /// They do not.
    Failure,
    /// They do something else.
    Blunder,
}

/// How far the units may move of their own will.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// Up to their pace.
    Full,
    /// Up to half of it, without charging.
    Half,
    /// Not at all.
    None,
}

/// Whose orders end with this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrdersEnd {
    /// Nobody's.
    No,
    /// Those of the character.
    Character,
    /// Everybody's.
    All,
}

/// What a blunder makes of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Blunder {
    /// The Command of the unit is lower by 1 for the rest of the battle.
    #[serde(rename = "minus-1")]
    Minus1,
    /// The units go out of the enemy's way.
    Away,
    /// They stay where they are.
    Halt,
    /// They go for the nearest enemy.
    Charge,
}

/// What came of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Obeyed {
    /// The most the two dice may show; not limited to what they can.
    pub needed: i32,
    /// How it ended.
    pub result: OrderResult,
    /// How far the units may move.
    #[serde(rename = "move")]
    pub pace: Pace,
    /// Whose orders end.
    pub orders_end: OrdersEnd,
    /// What the blunder was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blunder: Option<Blunder>,
}

/// How far a character's voice reaches; nothing for the whole table.
fn range(character: Character) -> Option<Centimetres> {
    match character {
        Character::General => None,
        Character::Hero => Some(Centimetres::whole(60)),
        Character::Wizard => Some(Centimetres::whole(20)),
    }
}

/// How far a flyer hears.
const FLYERS: Centimetres = Centimetres::whole(20);
/// The orders to one unit in a phase.
const MOST_ORDERS: i32 = 3;

/// Whether the order may be given at all.
fn may_be_given(order: &Order<'_>, options: &Options) -> Verdict<()> {
    let classic = options.core_edition == CoreEdition::Classic;
    if rule!(BC_4_2_10).holds(!classic && order.number > MOST_ORDERS) {
        return Err(Refusal::rule(rule!(BC_4_2_10), phrase::TOO_MANY_ORDERS)
            .at("order")
            .with("most", MOST_ORDERS));
    }
    if rule!(BC_4_2_09).holds(order.road && order.number == 1) {
        return Err(Refusal::rule(rule!(BC_4_2_09), phrase::ROAD_OF_FIRST_ORDER).at("road"));
    }
    for (place, unit) in order.units.iter().enumerate() {
        let far = |rule, most: Centimetres| {
            Err(Refusal::rule(rule, phrase::BEYOND_COMMAND)
                .at(format!("units.{place}.distance_cm"))
                .with("distance", unit.distance)
                .with("most", most))
        };
        if let Some(most) = range(order.character)
            && rule!(BC_4_2_01).holds(unit.distance > most)
        {
            return far(rule!(BC_4_2_01), most);
        }
        if unit.arm == Arm::Flyer && rule!(BC_4_2_02).holds(unit.distance > FLYERS) {
            return far(rule!(BC_4_2_02), FLYERS);
        }
        carried_by_infantry(unit.item, unit.arm, &format!("units.{place}.item"))?;
        if order.number > 1 && unit.item.moves_once() && options.machine_orders == MachineOrders::OnePerTurn {
            let rule = match unit.item {
                Item::PortableRam => rule!(BR_PORTABLE_RAM_04),
                _ => rule!(BR_R30),
            };
            if rule.holds(true) {
                return Err(Refusal::rule(rule, phrase::ONE_MOVE_A_TURN).at("order"));
            }
        }
    }
    Ok(())
}

/// Equipment is for infantry.
///
/// # Errors
/// When another arm has it.
pub fn carried_by_infantry(item: Item, arm: Arm, field: &str) -> Verdict<()> {
    let rule = match item {
        Item::None => return Ok(()),
        Item::Ladders => rule!(BR_LADDERS_02),
        Item::PortableRam => rule!(BR_PORTABLE_RAM_03),
        Item::Mantlets | Item::Ram | Item::SiegeTower | Item::Sow => rule!(BR_R05),
    };
    if rule.holds(arm != Arm::Infantry) {
        return Err(Refusal::rule(rule, phrase::INFANTRY_ONLY).at(field));
    }
    Ok(())
}

/// The most that two dice may show for the order to be obeyed.
///
/// # Errors
/// Who is too far away, who may not be ordered again, who cannot carry what he is said to.
pub fn needed(order: &Order<'_>, options: &Options, clerk: &mut impl Clerk) -> Verdict<i32> {
    may_be_given(order, options)?;
    let units = order.units;
    if units.len() > 1 {
        clerk.applied(rule!(BC_4_3_02));
    }
    let mut needed = order.command;
    let farthest = units.iter().map(|unit| unit.distance.count()).max().unwrap_or(0);
    let steps = (farthest + 1_999) / 2_000 - 1;
    if steps > 0 {
        needed += clerk.modifier(rule!(BC_4_2_04), -steps);
    }
    if order.number > 1 {
        needed += clerk.modifier(rule!(BC_4_2_05), 1 - order.number);
        if units.iter().any(|unit| unit.item.moves_once()) {
            needed += clerk.modifier(rule!(BR_R30), -1);
        }
    }
    if units.iter().any(|unit| unit.enemy_near) {
        needed += clerk.modifier(rule!(BC_4_2_06), -1);
    }
    if units.iter().any(|unit| unit.dense) {
        needed += clerk.modifier(rule!(BC_4_2_07), -1);
    }
    let lost = units.iter().map(|unit| unit.lost_stands).max().unwrap_or(0);
    if lost > 0 {
        needed += clerk.modifier(rule!(BC_4_2_08), -lost);
    }
    if order.road {
        needed += clerk.modifier(rule!(BC_4_2_09), 1);
    }
    if order.blunders > 0 {
        needed += clerk.modifier(rule!(BC_4_4_03), -order.blunders);
    }
    Ok(needed)
}

/// Gives the order: two dice, and one more for a blunder.
///
/// # Errors
/// Those of [`needed`].
pub fn give(order: &Order<'_>, options: &Options, clerk: &mut impl Clerk) -> Verdict<Obeyed> {
    let needed = needed(order, options, clerk)?;
    let [first, second] = clerk.two_d6();
    let sum = i32::from(first) + i32::from(second);
    if clerk.holds(rule!(BC_4_2_03), sum <= needed) {
        return Ok(Obeyed {
            needed,
            result: OrderResult::Success,
            pace: Pace::Full,
            orders_end: OrdersEnd::No,
            blunder: None,
        });
    }
    let general = order.character == Character::General;
    let orders_end =
        if clerk.holds(rule!(BC_4_2_12), general) { OrdersEnd::All } else { OrdersEnd::Character };
    let twelve = sum == 12;
    if !general && clerk.holds(rule!(BC_4_4_01), twelve) {
        let blunder = blunder(clerk);
        let classic_halt = options.core_edition == CoreEdition::Classic && blunder == Blunder::Halt;
        let pace =
            if classic_halt { clerk.rather(rule!(BR_R10), Pace::Half, Pace::None) } else { Pace::None };
        return Ok(Obeyed { needed, result: OrderResult::Blunder, pace, orders_end, blunder: Some(blunder) });
    }
    let pace = after_failure(order, twelve, options, clerk);
    Ok(Obeyed { needed, result: OrderResult::Failure, pace, orders_end, blunder: None })
}

/// How far the units may move although the order failed.
fn after_failure(order: &Order<'_>, twelve: bool, options: &Options, clerk: &mut impl Clerk) -> Pace {
    if order.number > 1 {
        return Pace::None;
    }
    if options.core_edition == CoreEdition::Classic {
        return clerk.rather(rule!(BR_R10), Pace::None, Pace::Half);
    }
    if twelve {
        return clerk.rather(rule!(BC_4_4_04), Pace::None, Pace::Half);
    }
    clerk.rather(rule!(BC_4_2_11), Pace::Half, Pace::None)
}

/// The table of blunders.
fn blunder(clerk: &mut impl Clerk) -> Blunder {
    let die = i32::from(clerk.d6());
    match clerk.value(rule!(BC_4_4_02), die) {
        1 => Blunder::Minus1,
        2 | 3 => Blunder::Away,
        4 | 5 => Blunder::Halt,
        _ => Blunder::Charge,
    }
}
