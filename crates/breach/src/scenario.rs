//! The three linked scenarios: which one, what came before and the sizes agreed enter; the terms it is
//! fought on leave. Sections "scenario 1" to "scenario 3"
//! and "campaign" of the supplement.

use kernel::{ArmyPoints, Clerk, Refusal, Verdict};
use rulebook::options::breach::{
    BesiegerWon1, CampaignVictory, GarrisonWon2, Options, ReliefForce, Scenario2TurnLimit, StallLimit,
};
use rulebook::{phrase::breach as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::army::{self, Allotment, Multipliers, Role};
use crate::end::{FIRST_ROLL, FIRST_ROLL_WITH_HELP};
use crate::lists::{Army, Item, Line, Sublist, Ware};

/// The scenarios, in the order of the campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scenario {
    /// Race for the watchtower.
    Watchtower,
    /// Help for the tower.
    Help,
    /// The siege of Braken Keep.
    Keep,
}

impl Scenario {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Watchtower, Self::Help, Self::Keep];

    /// Its number.
    #[must_use]
    pub const fn number(self) -> i32 {
        match self {
            Self::Watchtower => 1,
            Self::Help => 2,
            Self::Keep => 3,
        }
    }

    /// Whether an army that reaches its break point withdraws: never in a siege, unless the scenario says
    /// otherwise.
    pub fn has_break_point(self, clerk: &mut impl Clerk) -> bool {
        match self {
            Self::Watchtower | Self::Help => clerk.holds(rule!(BR_GENERAL_03), true),
            Self::Keep => {
                let ignored = clerk.holds(rule!(BR_GENERAL_01), true);
                !clerk.holds(rule!(BR_SCENARIO_3_15), ignored)
            }
        }
    }

    /// The scenario with this number.
    #[must_use]
    pub const fn numbered(number: i32) -> Option<Self> {
        match number {
            1 => Some(Self::Watchtower),
            2 => Some(Self::Help),
            3 => Some(Self::Keep),
            _ => None,
        }
    }
}

/// The sides of the campaign; they keep their names in all three scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The Dwarfs.
    Besieger,
    /// The Imperials.
    Garrison,
}

impl Side {
    /// Its word in the tables.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Besieger => "besieger",
            Self::Garrison => "garrison",
        }
    }

    /// Its army list.
    #[must_use]
    pub const fn army(self) -> Army {
        match self {
            Self::Besieger => Army::Dwarf,
            Self::Garrison => Army::Empire,
        }
    }

    /// What it does in a scenario: in the second the garrison breaks out.
    #[must_use]
    pub const fn role(self, scenario: Scenario) -> Role {
        match (self, scenario) {
            (Self::Besieger, Scenario::Help) | (Self::Garrison, Scenario::Watchtower | Scenario::Keep) => {
                Role::Defender
            }
            _ => Role::Attacker,
        }
    }

    /// The side that has a role in a scenario.
    #[must_use]
    pub fn with_role(role: Role, scenario: Scenario) -> Self {
        if Self::Besieger.role(scenario) == role { Self::Besieger } else { Self::Garrison }
    }

    /// The side against it.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Besieger => Self::Garrison,
            Self::Garrison => Self::Besieger,
        }
    }
}

/// Who won the scenarios before this one; nobody where it was not played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Earlier {
    /// Scenario 1.
    pub first: Option<Side>,
    /// Scenario 2.
    pub second: Option<Side>,
}

impl Earlier {
    /// What is said of them, else what the options say of a scenario played alone (BR-R69).
    pub fn or_chosen(self, options: &Options, clerk: &mut impl Clerk) -> Self {
        let mut known = self;
        if self.first.is_none() && options.besieger_won_1 == BesiegerWon1::Yes {
            known.first = clerk.rather(rule!(BR_R69), Some(Side::Besieger), None);
        }
        if self.second.is_none() && options.garrison_won_2 == GarrisonWon2::Yes {
            known.second = clerk.rather(rule!(BR_R69), Some(Side::Garrison), None);
        }
        known
    }
}

/// The sizes of both armies, where they are not those of the book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Of the besieger.
    pub besieger: Option<i32>,
    /// Of the garrison.
    pub garrison: Option<i32>,
}

/// How a scenario is fought.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Terms {
    /// Which it is.
    pub name: Scenario,
    /// Whether the siege rules are used.
    pub siege: bool,
    /// What the besieger has.
    pub besieger: Forces,
    /// What the garrison has.
    pub garrison: Forces,
    /// What is built.
    pub fortress: Fortress,
    /// How far terrain keeps away from it, in centimetres.
    pub clear_cm: i32,
    /// How far the deployment zones are from each other, in centimetres.
    pub gap_cm: i32,
    /// Who deploys first.
    pub deploys_first: Order,
    /// Who has the first turn.
    pub first_turn: Order,
    /// What the garrison, or whoever has more of it, must achieve.
    pub objective: Objective,
    /// Whether broken armies withdraw.
    pub break_point: bool,
    /// The last turn, if there is one; the besieger then wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_turn: Option<i32>,
    /// The first turn with an end roll, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_rolls_from: Option<i32>,
}

/// What a side has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Forces {
    /// What it does.
    pub role: Role,
    /// Its army list.
    pub army: Army,
    /// Points of troops, at most.
    pub points: i32,
    /// How many times the Min of the list.
    pub min_multiplier: i32,
    /// How many times the Max of the list.
    pub max_multiplier: i32,
    /// Points of siege equipment, at most.
    pub equipment: i32,
    /// Points of that for siege artillery, at most.
    pub artillery: ArmyPoints,
    /// The lists of equipment it may buy from.
    pub open: Vec<Sublist>,
    /// Earthworks it is given beside all that.
    pub works: Works,
}

/// Earthworks that the result of an earlier scenario gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Works {
    /// Points that buy nothing else.
    pub points: i32,
    /// The sections these pay for.
    pub sections: i32,
    /// What is left over and lost.
    pub lost: i32,
}

/// What is built on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Fortress {
    /// Sections of wall.
    pub walls: i32,
    /// Towers, the watchtower included.
    pub towers: i32,
    /// Gates.
    pub gates: i32,
}

/// Who begins something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The besieger.
    Besieger,
    /// The garrison.
    Garrison,
    /// The army with more units, then in turn.
    MoreUnits,
    /// Whom the dice name.
    Dice,
}

/// What decides a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The garrison holds the watchtower.
    HoldWatchtower,
    /// The garrison's General and three stands leave by the besieger's edge.
    Exit,
    /// The sections of the fortress.
    Sections,
}

/// The terms of a scenario.
///
/// # Errors
/// Sizes that the scenario does not allow; results of scenarios that do not come before it.
pub fn terms(
    scenario: Scenario,
    earlier: Earlier,
    sizes: Sizes,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<Terms> {
    let too_late = |field: &str| Refusal::rule(rule!(BR_CAMPAIGN_01), phrase::NOT_EARLIER).at(field);
    if earlier.first.is_some() && scenario < Scenario::Help {
        return Err(too_late("first"));
    }
    if earlier.second.is_some() && scenario < Scenario::Keep {
        return Err(too_late("second"));
    }
    let earlier = earlier.or_chosen(options, clerk);
    match scenario {
        Scenario::Watchtower => watchtower(sizes, options, clerk),
        Scenario::Help => help(earlier, sizes, options, clerk),
        Scenario::Keep => keep(earlier, sizes, clerk),
    }
}

/// Race for the watchtower: no equipment, ordinary limits, half as much again for the attacker.
fn watchtower(sizes: Sizes, options: &Options, clerk: &mut impl Clerk) -> Verdict<Terms> {
    let (besieger, garrison) = match (sizes.besieger, sizes.garrison) {
        (None, None) => {
            (clerk.value(rule!(BR_SCENARIO_1_04), 1500), clerk.value(rule!(BR_SCENARIO_1_04), 1000))
        }
        (Some(besieger), None) => (besieger, besieger * 2 / 3),
        (None, Some(garrison)) => ((garrison * 3 + 1) / 2, garrison),
        (Some(besieger), Some(garrison)) => (besieger, garrison),
    };
    if clerk.holds(rule!(BR_SCENARIO_1_05), !watchtower_ratio(besieger, garrison)) {
        return Err(Refusal::rule(rule!(BR_SCENARIO_1_05), phrase::RATIO)
            .at("besieger_points")
            .with("least", (garrison * 3 + 1) / 2));
    }
    let forces = |side: Side, points: i32, clerk: &mut _| field(side, Scenario::Watchtower, points, clerk);
    Ok(Terms {
        name: Scenario::Watchtower,
        siege: clerk.rather(rule!(BR_SCENARIO_1_02), false, true),
        besieger: forces(Side::Besieger, besieger, clerk),
        garrison: forces(Side::Garrison, garrison, clerk),
        fortress: Fortress { walls: 0, towers: clerk.value(rule!(BR_SCENARIO_1_06), 1), gates: 0 },
        clear_cm: clerk.value(rule!(BR_SCENARIO_1_07), 20),
        gap_cm: clerk.value(rule!(BR_SCENARIO_1_08), 80),
        deploys_first: clerk.rather(rule!(BR_SCENARIO_1_09), Order::MoreUnits, Order::Dice),
        first_turn: clerk.rather(rule!(BR_R41), Order::Dice, Order::Besieger),
        objective: clerk.rather(rule!(BR_SCENARIO_1_11), Objective::HoldWatchtower, Objective::Sections),
        break_point: Scenario::Watchtower.has_break_point(clerk),
        last_turn: stall_limit(options, clerk),
        end_rolls_from: None,
    })
}

/// Half as many points again, at least.
pub(crate) const fn watchtower_ratio(besieger: i32, garrison: i32) -> bool {
    besieger as i64 * 2 >= garrison as i64 * 3
}

/// Help for the tower: a named force breaks out; earthworks if the besieger has won the race.
fn help(earlier: Earlier, sizes: Sizes, options: &Options, clerk: &mut impl Clerk) -> Verdict<Terms> {
    let points = clerk.value(rule!(BR_SCENARIO_2_05), 1000);
    if sizes.besieger.is_some_and(|asked| asked != points) {
        return Err(Refusal::rule(rule!(BR_SCENARIO_2_05), phrase::FIXED_FORCE).at("besieger_points"));
    }
    if sizes.garrison.is_some() {
        return Err(Refusal::rule(rule!(BR_SCENARIO_2_06), phrase::FIXED_FORCE).at("garrison_points"));
    }
    let mut besieger = field(Side::Besieger, Scenario::Help, points, clerk);
    besieger.works = works(earlier, clerk);
    if besieger.works.points > 0 {
        besieger.open.push(Sublist::Earthworks);
    }
    let relief = relief_points(options, clerk);
    Ok(Terms {
        name: Scenario::Help,
        siege: clerk.rather(rule!(BR_SCENARIO_2_02), false, true),
        besieger,
        garrison: field(Side::Garrison, Scenario::Help, relief, clerk),
        fortress: Fortress { walls: 0, towers: 0, gates: 0 },
        clear_cm: 0,
        gap_cm: clerk.value(rule!(BR_SCENARIO_2_10), 80),
        deploys_first: clerk.rather(rule!(BR_SCENARIO_2_11), Order::Besieger, Order::MoreUnits),
        first_turn: clerk.rather(rule!(BR_R41), Order::Dice, Order::Besieger),
        objective: clerk.rather(rule!(BR_SCENARIO_2_12), Objective::Exit, Objective::Sections),
        break_point: Scenario::Help.has_break_point(clerk),
        last_turn: match options.scenario2_turn_limit {
            Scenario2TurnLimit::V8 => Some(clerk.value(rule!(BR_R45), 8)),
            Scenario2TurnLimit::None => stall_limit(options, clerk),
        },
        end_rolls_from: None,
    })
}

/// The siege of Braken Keep.
fn keep(earlier: Earlier, sizes: Sizes, clerk: &mut impl Clerk) -> Verdict<Terms> {
    let (besieger, garrison) = match (sizes.besieger, sizes.garrison) {
        (None, None) => {
            (clerk.value(rule!(BR_SCENARIO_3_06), 2000), clerk.value(rule!(BR_SCENARIO_3_06), 1000))
        }
        (Some(besieger), None) => (besieger, clerk.limit(rule!(BR_GENERAL_04), besieger / 2)),
        (None, Some(garrison)) => (garrison * 2, garrison),
        (Some(besieger), Some(garrison)) => (besieger, garrison),
    };
    if clerk.holds(rule!(BR_SCENARIO_3_07), !keep_ratio(besieger, garrison)) {
        return Err(Refusal::rule(rule!(BR_SCENARIO_3_07), phrase::RATIO)
            .at("besieger_points")
            .with("least", garrison.saturating_mul(2)));
    }
    let mut attacker = siege(Side::Besieger, besieger, clerk);
    attacker.open = clerk.rather(
        rule!(BR_SCENARIO_3_09),
        vec![
            Sublist::AttackerEquipment,
            Sublist::SiegeMachines,
            Sublist::SiegeArtillery,
            Sublist::Earthworks,
        ],
        Vec::new(),
    );
    let mut defender = siege(Side::Garrison, garrison, clerk);
    defender.open = clerk.rather(
        rule!(BR_SCENARIO_3_10),
        vec![Sublist::DefenderEquipment, Sublist::Earthworks],
        Vec::new(),
    );
    // The list is closed to him, whatever his allotment would be.
    defender.artillery = clerk.rather(rule!(BR_R56), ArmyPoints::ZERO, defender.artillery);
    let helped = earlier.second == Some(Side::Garrison);
    Ok(Terms {
        name: Scenario::Keep,
        siege: true,
        besieger: attacker,
        garrison: defender,
        fortress: fortress(garrison, clerk),
        clear_cm: clerk.value(rule!(BR_SCENARIO_3_04), 30),
        gap_cm: clerk.value(rule!(BR_SCENARIO_3_13), 60),
        deploys_first: clerk.rather(rule!(BR_SCENARIO_3_12), Order::Garrison, Order::MoreUnits),
        first_turn: clerk.rather(rule!(BR_SCENARIO_3_14), Order::Besieger, Order::Dice),
        objective: clerk.rather(rule!(BR_SCENARIO_3_18), Objective::Sections, Objective::HoldWatchtower),
        break_point: Scenario::Keep.has_break_point(clerk),
        last_turn: None,
        end_rolls_from: Some(if clerk.holds(rule!(BR_CAMPAIGN_03), helped) {
            FIRST_ROLL_WITH_HELP
        } else {
            FIRST_ROLL
        }),
    })
}

/// Twice the defender's points, at least (BR-R54).
pub(crate) const fn keep_ratio(besieger: i32, garrison: i32) -> bool {
    besieger as i64 >= garrison as i64 * 2
}

/// Six sections of wall and a tower for each full 500 points that defend, and the gate.
pub fn fortress(defending: i32, clerk: &mut impl Clerk) -> Fortress {
    let full = defending / 500;
    Fortress {
        walls: clerk.value(rule!(BR_R47), full * 6),
        towers: clerk.value(rule!(BR_SCENARIO_3_03), full),
        gates: clerk.value(rule!(BR_R48), 1),
    }
}

/// The earthworks that the race for the watchtower has won.
pub fn works(earlier: Earlier, clerk: &mut impl Clerk) -> Works {
    if !clerk.holds(rule!(BR_CAMPAIGN_02), earlier.first == Some(Side::Besieger)) {
        return Works::default();
    }
    let points = clerk.limit(rule!(BR_SCENARIO_2_03), 100);
    let price = Ware::all().iter().find(|ware| ware.item == Item::Earthwork);
    let each = price.map_or(points, |ware| clerk.value(ware.rule, ware.points));
    let sections = points / each;
    Works { points, sections, lost: clerk.value(rule!(BR_EQUIPMENT_12), points - sections * each) }
}

/// Forces that fight by the ordinary rules.
fn field(side: Side, scenario: Scenario, points: i32, clerk: &mut impl Clerk) -> Forces {
    let Multipliers { min, max } = army::ordinary_multipliers(points, clerk);
    Forces {
        role: side.role(scenario),
        army: side.army(),
        points,
        min_multiplier: min,
        max_multiplier: max,
        equipment: clerk.limit(rule!(BR_SCENARIO_1_03), 0),
        artillery: ArmyPoints::ZERO,
        open: clerk.rather(rule!(BR_EQUIPMENT_02), Vec::new(), Sublist::ALL.to_vec()),
        works: Works::default(),
    }
}

/// Forces that fight by the siege rules.
fn siege(side: Side, points: i32, clerk: &mut impl Clerk) -> Forces {
    let role = side.role(Scenario::Keep);
    let Multipliers { min, max } = army::multipliers(role, points, clerk);
    let Allotment { equipment, artillery } = army::allotment(points, clerk);
    Forces {
        role,
        army: side.army(),
        points,
        min_multiplier: min,
        max_multiplier: max,
        equipment: clerk.rather(rule!(BR_SCENARIO_3_08), equipment, 0),
        artillery,
        open: Vec::new(),
        works: Works::default(),
    }
}

/// The last turn of a scenario that has none of its own.
fn stall_limit(options: &Options, clerk: &mut impl Clerk) -> Option<i32> {
    match options.stall_limit {
        StallLimit::V20 => Some(clerk.value(rule!(BR_R70), 20)),
        StallLimit::None => None,
    }
}

/// Units of cavalry in the relief force, and the most in one that takes its place.
pub(crate) const RELIEF_UNITS: i32 = 3;

/// What the relief force costs: the named one what it costs, another one at most 450 points.
pub(crate) fn relief_points(options: &Options, clerk: &mut impl Clerk) -> i32 {
    match options.relief_force {
        ReliefForce::Named => {
            let price = |line| Army::Empire.entry(line).map_or(0, |entry| entry.points);
            clerk.value(rule!(BR_R43), price(Line::General) + RELIEF_UNITS * price(Line::Knights))
        }
        ReliefForce::Substitute => clerk.limit(rule!(BR_SCENARIO_2_07), 450),
    }
}

/// Who has won the campaign, from the winners of the three scenarios.
pub fn campaign(winners: [Side; 3], options: &Options, clerk: &mut impl Clerk) -> Side {
    let [_, _, last] = winners;
    let winner = match options.campaign_victory {
        CampaignVictory::LastBattle => last,
        CampaignVictory::BestOfThree => {
            let besieger = winners.into_iter().filter(|side| *side == Side::Besieger).count();
            if besieger >= 2 { Side::Besieger } else { Side::Garrison }
        }
    };
    clerk.rather(rule!(BR_R69), winner, winner.other())
}
