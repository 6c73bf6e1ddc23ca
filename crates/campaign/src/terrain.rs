//! The terrain chart: what a step costs, what leaving a zone of control costs, what the ground
//! does to an attack, and what a hex yields to foragers.

use kernel::{Clerk, Effect, MovementPoints, Refusal, RuleId, Verdict};
use rulebook::options::campaign::{CombatTerrain, ForageArea, FrozenPrimaryRivers, Options};
use rulebook::{phrase::campaign as phrase, rule};

use crate::tables::{self, HexRow, Line, SideCost, SideLine};
use crate::terms::{Arm, ForageValue, Game, Ground, Hex, Road, Side, Weather};

/// One step: the hex entered, the ground below a town, the road followed, the hexside crossed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The hex entered.
    pub hex: Hex,
    /// The ground a town stands on.
    pub ground: Ground,
    /// The road followed.
    pub road: Road,
    /// The hexside crossed.
    pub side: Side,
}

/// The rule that speaks of a kind of hex.
#[must_use]
pub const fn hex_rule(hex: Hex) -> RuleId {
    match hex {
        Hex::Clear => rule!(CA_TERRAIN_03),
        Hex::Mountain => rule!(CA_TERRAIN_04),
        Hex::Forest => rule!(CA_TERRAIN_06),
        Hex::Hill => rule!(CA_TERRAIN_09),
        Hex::WoodedHill => rule!(CA_TERRAIN_10),
        Hex::Town => rule!(CA_TERRAIN_11),
        Hex::Depot => rule!(CA_TERRAIN_13),
        Hex::Citadel => rule!(CA_TERRAIN_14),
    }
}

/// The row that holds a value: a town takes what it lacks from its ground.
fn row_of<T: Copy>(hex: Hex, ground: Ground, pick: impl Fn(&HexRow) -> Option<T>) -> (Hex, Option<T>) {
    match pick(tables::hex(hex)) {
        None if hex == Hex::Town => (ground.hex(), pick(tables::hex(ground.hex()))),
        found => (hex, found),
    }
}

/// The hexside as the weather makes it: ice is a secondary river.
pub fn in_weather(side: Side, weather: Weather, options: &Options, clerk: &mut impl Clerk) -> Side {
    let melts = side == Side::PrimaryRiver && options.frozen_primary_rivers == FrozenPrimaryRivers::LakesOnly;
    let ice = weather.freezes() && !melts && tables::side(side).is_some_and(|row| row.freezes);
    if clerk.holds(rule!(CA_TERRAIN_20), ice) { Side::SecondaryRiver } else { side }
}

/// What a step costs an arm: hex or road, and the hexside.
///
/// # Errors
/// When the hexside cannot be crossed.
pub fn enter(
    arm: Arm,
    step: Step,
    weather: Weather,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<MovementPoints> {
    let pays = match arm {
        Arm::Artillery => clerk.rather(rule!(CA_TERRAIN_36), Arm::Infantry, Arm::Cavalry),
        Arm::Cavalry => clerk.rather(rule!(CA_TERRAIN_37), Arm::Cavalry, Arm::Infantry),
        Arm::Infantry => arm,
    };
    let ground = match step.road {
        Road::Primary => {
            let cost = clerk.rather(rule!(CA_TERRAIN_02), tables::primary_road(), MovementPoints::ZERO);
            clerk.value(rule!(CA_TERRAIN_17), cost)
        }
        Road::Secondary => {
            let cost = clerk.rather(rule!(CA_TERRAIN_02), tables::secondary_road(), MovementPoints::ZERO);
            clerk.value(rule!(CA_TERRAIN_18), cost)
        }
        Road::None => {
            let (read, cost) = row_of(step.hex, step.ground, |row| match pays {
                Arm::Cavalry => row.cavalry,
                Arm::Infantry | Arm::Artillery => row.infantry,
            });
            let mut cost = clerk.rather(rule!(CA_TERRAIN_01), cost.unwrap_or_default(), MovementPoints::ZERO);
            if step.hex != read {
                cost = clerk.rather(hex_rule(step.hex), cost, MovementPoints::ZERO);
            }
            clerk.value(hex_rule(read), cost)
        }
    };
    let crossing = cross(in_weather(step.side, weather, options, clerk), clerk)?;
    let adds_up = clerk.holds(rule!(CA_TERRAIN_34), crossing > MovementPoints::ZERO);
    Ok(if adds_up { ground + crossing } else { ground })
}

/// What a hexside adds.
fn cross(side: Side, clerk: &mut impl Clerk) -> Verdict<MovementPoints> {
    let Some(row) = tables::side(side) else { return Ok(MovementPoints::ZERO) };
    if rule!(CA_TERRAIN_19).holds(row.cost == SideCost::Forbidden) {
        return Err(Refusal::rule(rule!(CA_TERRAIN_19), phrase::LAKE_CLOSED).at("side"));
    }
    if rule!(CA_TERRAIN_21).holds(row.cost == SideCost::BridgeOnly) {
        return Err(Refusal::rule(rule!(CA_TERRAIN_21), phrase::PRIMARY_RIVER_CLOSED).at("side"));
    }
    let SideCost::Add(cost) = row.cost else { return Ok(MovementPoints::ZERO) };
    let cost = clerk.rather(rule!(CA_TERRAIN_02), cost, MovementPoints::ZERO);
    let rule = if side.is_bridge() { rule!(CA_TERRAIN_27) } else { rule!(CA_TERRAIN_24) };
    Ok(clerk.value(rule, cost))
}

/// An enemy formation whose zone of control is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Its strength, in hundredths of an SP.
    pub sp: i64,
    /// Whether its hex contains cavalry.
    pub cavalry: bool,
    /// Whether it is in forage mode.
    pub foraging: bool,
    /// Whether it stands in the very hex that is left.
    pub same_hex: bool,
}

/// What it costs to leave the zones of control of these enemies: the highest of them.
pub fn leave_zoc(arm: Arm, enemies: &[Holder], game: Game, clerk: &mut impl Clerk) -> MovementPoints {
    let mut highest = MovementPoints::ZERO;
    for enemy in enemies {
        let elsewhere = game == Game::Campaign && enemy.foraging && !enemy.same_hex;
        if clerk.holds(rule!(CA_TERRAIN_40), elsewhere) {
            continue;
        }
        let mut cost = clerk.value(rule!(CA_TERRAIN_32), tables::leaving_zoc());
        if game == Game::Campaign {
            let excepted = match enemy.sp {
                100 => Some(MovementPoints::ZERO),
                200 => Some(MovementPoints::whole(1)),
                _ => None,
            };
            if let Some(less) = excepted {
                cost = clerk.value(rule!(CA_TERRAIN_38), less);
            }
            if arm == Arm::Cavalry && !enemy.cavalry && cost > MovementPoints::ZERO {
                cost = clerk.value(rule!(CA_TERRAIN_39), MovementPoints::ZERO);
            }
        }
        highest = highest.max(cost);
    }
    if enemies.len() > 1 {
        return clerk.value(rule!(CA_R38), highest);
    }
    highest
}

/// What the ground does to an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackGround {
    /// The line of the combat chart.
    pub line: Line,
    /// What attacking infantry counts, in hundredths.
    pub infantry: i32,
    /// What attacking cavalry counts, in hundredths.
    pub cavalry: i32,
    /// Whether the attacker's guns may fire.
    pub artillery: bool,
    /// The most SP the attacker may count.
    pub limit: Option<i32>,
    /// The first so many defending SP count double.
    pub doubled: Option<i32>,
}

impl AttackGround {
    /// Open ground.
    pub const OPEN: Self =
        Self { line: Line::Na, infantry: 100, cavalry: 100, artillery: true, limit: None, doubled: None };

    /// The attacker's strength in hundredths of a SP.
    #[must_use]
    pub fn attacker(&self, infantry: i32, cavalry: i32) -> i64 {
        let (mut foot, mut horse) = (infantry, cavalry);
        if let Some(limit) = self.limit
            && foot + horse > limit
        {
            // The attacker counts the arm that the ground hinders least first.
            if self.infantry >= self.cavalry {
                foot = foot.min(limit);
                horse = limit - foot;
            } else {
                horse = horse.min(limit);
                foot = limit - horse;
            }
        }
        i64::from(foot) * i64::from(self.infantry) + i64::from(horse) * i64::from(self.cavalry)
    }

    /// The defender's strength in hundredths of a SP.
    #[must_use]
    pub fn defender(&self, points: i32) -> i64 {
        let doubled = self.doubled.map_or(0, |most| points.min(most));
        (i64::from(points) + i64::from(doubled)) * 100
    }
}

/// The effects of a hex on an attack into it, with the rules that give them.
fn of_hex(hex: Hex, ground: Ground, clerk: &mut impl Clerk) -> AttackGround {
    let mut found = AttackGround::OPEN;
    clerk.applied(rule!(CA_TERRAIN_01));
    let read = if clerk.holds(rule!(CA_TERRAIN_11), hex == Hex::Town) { ground.hex() } else { hex };
    let row = tables::hex(read);
    if clerk.holds(hex_rule(read), row.line == Some(Line::A)) {
        found.line = Line::A;
    }
    if rule!(CA_TERRAIN_07).holds(row.infantry_factor.is_some_and(|factor| factor < 100)) {
        found.infantry = row.infantry_factor.unwrap_or(100);
        found.cavalry = row.cavalry_factor.unwrap_or(100);
        clerk.because(rule!(CA_TERRAIN_07), Effect::Times(3, 4));
        clerk.because(rule!(CA_TERRAIN_07), Effect::Times(1, 2));
    }
    found.artillery = !clerk.holds(rule!(CA_TERRAIN_08), row.artillery == Some(false));
    found.limit = row.limit.map(|limit| clerk.limit(rule!(CA_TERRAIN_05), limit));
    if rule!(CA_TERRAIN_15).holds(row.defender_factor == 2) {
        found.doubled = row.defender_limit;
        clerk.because(rule!(CA_TERRAIN_15), Effect::Times(2, 1));
    }
    found
}

/// The effects of a hexside on an attack over it.
fn of_side(side: Side, clerk: &mut impl Clerk) -> Verdict<AttackGround> {
    let mut found = AttackGround::OPEN;
    let Some(row) = tables::side(side) else { return Ok(found) };
    clerk.applied(rule!(CA_TERRAIN_02));
    if rule!(CA_TERRAIN_19).holds(row.line == SideLine::Forbidden) {
        return Err(Refusal::rule(rule!(CA_TERRAIN_19), phrase::NO_ATTACK_OVER_LAKE).at("side"));
    }
    if rule!(CA_TERRAIN_22).holds(row.line == SideLine::BridgeOnly) {
        return Err(Refusal::rule(rule!(CA_TERRAIN_22), phrase::NO_ATTACK_OVER_RIVER).at("side"));
    }
    let rule = if side.is_bridge() { rule!(CA_TERRAIN_28) } else { rule!(CA_TERRAIN_25) };
    if clerk.holds(rule, row.line == SideLine::Line(Line::A)) {
        found.line = Line::A;
    }
    Ok(found)
}

/// What hex and hexside together do to an attack. Where only one of them may act, the defender
/// takes the one that `judge` puts lower.
///
/// # Errors
/// When no attack can be made over the hexside.
pub fn attack(
    hex: Hex,
    ground: Ground,
    side: Side,
    weather: Weather,
    options: &Options,
    judge: impl Fn(&AttackGround) -> i32,
    clerk: &mut impl Clerk,
) -> Verdict<AttackGround> {
    let side = in_weather(side, weather, options, clerk);
    let over = of_side(side, clerk)?;
    let into = of_hex(hex, ground, clerk);
    if over == AttackGround::OPEN {
        return Ok(into);
    }
    if into == AttackGround::OPEN {
        return Ok(over);
    }
    if options.combat_terrain == CombatTerrain::SingleEffect {
        clerk.applied(rule!(CA_R46));
        return Ok(if judge(&into) <= judge(&over) { into } else { over });
    }
    Ok(AttackGround { line: clerk.rather(rule!(CA_TERRAIN_35), Line::A, into.line), ..into })
}

/// What a hex yields to foragers, in hundredths: its settlement if it has one, else its ground.
pub fn forage_of(hex: Hex, clerk: &mut impl Clerk) -> i32 {
    let read = clerk.rather(rule!(CA_TERRAIN_01), tables::hex(hex).forage, 0);
    clerk.value(hex_rule(hex), ForageValue(read)).0
}

/// The forage value of a formation in hundredths: its own hex and the neighbours it may use.
pub fn forage(own: Hex, neighbours: &[Hex], options: &Options, clerk: &mut impl Clerk) -> i32 {
    let mut sum = forage_of(own, clerk);
    if options.forage_area == ForageArea::SevenHexes {
        for &hex in neighbours.iter().take(6) {
            sum += forage_of(hex, clerk);
        }
    }
    clerk.because(rule!(CA_R03), Effect::Set((sum / 100).into()));
    sum
}
