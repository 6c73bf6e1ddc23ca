//! The terrain effects table (TET) as data: what a step costs each arm, and what the ground does to
//! fire and melee. Read once from the tables.

use std::sync::LazyLock;

use kernel::Clerk;
use rulebook::options::danzig::{Options, RedoubtEntryCost};
use rulebook::rule;
use rulebook::tables::danzig::{TERRAIN_COMBAT, TERRAIN_MOVEMENT};

use super::bar::Bar;
use super::map::{Edge, Terrain};
use crate::Arm;

/// The columns of the movement table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Travel {
    /// Foot.
    Infantry,
    /// Horse at an ordinary pace.
    Cavalry,
    /// Guns of any kind.
    Artillery,
    /// Horse that charges.
    Charge,
}

impl Travel {
    /// How an arm travels.
    #[must_use]
    pub const fn of(arm: Arm) -> Self {
        match arm {
            Arm::Infantry => Self::Infantry,
            Arm::LightCavalry | Arm::HeavyCavalry => Self::Cavalry,
            _ => Self::Artillery,
        }
    }

    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "inf" => Self::Infantry,
            "cav" => Self::Cavalry,
            "art" => Self::Artillery,
            "cav_charge" => Self::Charge,
            _ => return None,
        })
    }
}

/// Costs by [`Travel`]; none where it is forbidden.
type Row = [Option<u8>; 4];

#[derive(Default)]
struct Costs {
    hexes: [Row; 5],
    up: Row,
    down: Row,
    redoubt: Row,
    camp: Row,
    stream: Row,
    stream_in_line: Row,
    bridge: Row,
    way: Row,
    road_bonus: Row,
}

static COSTS: LazyLock<Costs> = LazyLock::new(|| {
    let mut costs = Costs::default();
    for row in &TERRAIN_MOVEMENT {
        let Some(arm) = Travel::named(row.arm) else { continue };
        let mp = row.mp.and_then(|mp| u8::try_from(mp).ok());
        let cells: &mut [&mut Row] = &mut match (row.terrain_id, row.direction, row.formation) {
            ("clear", ..) => vec![&mut costs.hexes[0]],
            ("forest", ..) => vec![&mut costs.hexes[1]],
            ("difficult", ..) => vec![&mut costs.hexes[2]],
            ("marsh", ..) => vec![&mut costs.hexes[3]],
            ("village", ..) => vec![&mut costs.hexes[4]],
            ("slope", "up", _) => vec![&mut costs.up],
            ("slope", ..) => vec![&mut costs.down],
            ("redoubt_built", ..) => vec![&mut costs.redoubt],
            ("camp_hexside", ..) => vec![&mut costs.camp],
            ("stream", _, "line") => vec![&mut costs.stream_in_line],
            ("stream", _, "not_line") => vec![&mut costs.stream],
            ("stream", ..) => vec![&mut costs.stream, &mut costs.stream_in_line],
            ("bridge", ..) => vec![&mut costs.bridge],
            ("road", _, "whole_move_on_road") => vec![&mut costs.road_bonus],
            ("track", _, "column_limbered_or_disorganised") => vec![&mut costs.way],
            _ => continue,
        };
        for cell in cells.iter_mut() {
            cell[arm as usize] = mp;
        }
    }
    costs
});

/// What the ferry costs (3.1.3).
pub(super) const FERRY_COST: u8 = 4;

/// A step into the next hex, as plain facts.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// How the unit travels.
    pub travel: Travel,
    /// It is an infantry line.
    pub in_line: bool,
    /// It is in column, limbered, disorganised or cavalry in order: roads and tracks help it.
    pub uses_ways: bool,
    /// What covers the hex it enters.
    pub terrain: Terrain,
    /// A built redoubt stands there.
    pub redoubt: bool,
    /// The hexside it crosses.
    pub edge: Edge,
    /// The bridge lies over that hexside.
    pub bridge: bool,
}

/// The movement points added to the allowance of a move made wholly on a road.
#[must_use]
pub(super) fn road_bonus(travel: Travel) -> u8 {
    COSTS.road_bonus[travel as usize].unwrap_or(0)
}

/// The row of a hex in the tables: city, fort and camp count as clear inside (DZ-R97).
const fn row_of(terrain: Terrain) -> usize {
    match terrain {
        Terrain::Forest => 1,
        Terrain::Difficult => 2,
        Terrain::Marsh => 3,
        Terrain::Village => 4,
        _ => 0,
    }
}

/// What a step costs, as the terrain table says.
///
/// # Errors
/// The bar, where it is forbidden.
pub fn step_cost(step: &Crossing, options: &Options, clerk: &mut impl Clerk) -> Result<u8, Bar> {
    let arm = step.travel as usize;
    let charge = step.travel == Travel::Charge;
    let costs = &*COSTS;
    Bar::Sea.bars(step.terrain == Terrain::Sea)?;
    Bar::Wall.bars(step.edge.wall())?;
    if step.edge.vistula() && !step.bridge {
        if step.edge.ferry() && !charge {
            return Ok(clerk.value(rule!(DZ_3_1_3_03), FERRY_COST));
        }
        Bar::Vistula.bars(true)?;
    }
    if step.edge.way() && step.uses_ways && !charge {
        return Ok(clerk.value(rule!(DZ_TET_12), costs.way[arm].unwrap_or(1)));
    }
    if step.edge.camp() {
        let cost = costs.camp[arm].ok_or(if charge { Bar::ChargeBarred } else { Bar::CampHexside })?;
        return Ok(clerk.value(rule!(DZ_TET_10), cost));
    }
    let printed = options.redoubt_entry_cost == RedoubtEntryCost::PrintedTerrainPlus2;
    let ground = if step.redoubt && !printed { Terrain::Clear } else { step.terrain };
    let barred = if charge { Bar::ChargeBarred } else { Bar::ForestGuns };
    let hex = costs.hexes[row_of(ground)][arm].ok_or(barred)?;
    let table = if charge { rule!(DZ_TET_11) } else { rule!(DZ_TET_09) };
    let mut cost = clerk.value(table, hex);
    let added = if charge { rule!(DZ_TET_11) } else { rule!(DZ_TET_10) };
    let mut add = |row: &Row, clerk: &mut _| -> Result<(), Bar> {
        let extra = row[arm].ok_or(Bar::ChargeBarred)?;
        if extra > 0 {
            cost += u8::try_from(Clerk::modifier(clerk, added, extra.into())).unwrap_or(0);
        }
        Ok(())
    };
    if step.redoubt {
        add(&costs.redoubt, clerk)?;
    }
    if step.edge.up() {
        add(&costs.up, clerk)?;
    }
    if step.edge.down() {
        add(&costs.down, clerk)?;
    }
    if step.edge.stream() {
        add(if step.in_line { &costs.stream_in_line } else { &costs.stream }, clerk)?;
    }
    if step.bridge {
        add(&costs.bridge, clerk)?;
    }
    Ok(cost)
}

#[derive(Default)]
struct Combat {
    target: [i8; 5],
    attacker: [[i8; 2]; 5],
    village_to_village: i8,
    slope: i8,
    stream: i8,
    bridge: i8,
    works_fire: i8,
    works_melee: i8,
}

static COMBAT: LazyLock<Combat> = LazyLock::new(|| {
    let mut combat = Combat::default();
    for row in &TERRAIN_COMBAT {
        let number = row.number.and_then(|number| i8::try_from(number).ok()).unwrap_or(0);
        let hex = match row.terrain_id {
            "clear" => Some(0),
            "forest" => Some(1),
            "difficult" => Some(2),
            "marsh" => Some(3),
            "village" => Some(4),
            _ => None,
        };
        match (row.column, row.effect, hex, row.terrain_id, row.arm) {
            ("target", "fire_value_modifier", Some(hex), ..) => combat.target[hex] = number,
            ("target", "fire_value_modifier", None, "redoubt_built", _) => combat.works_fire = number,
            ("attacker", "melee_modifier", Some(4), ..)
                if row.condition == Some("attacker itself in a village") =>
            {
                combat.village_to_village = number;
            }
            ("attacker", "melee_modifier", Some(hex), _, "all") => combat.attacker[hex] = [number, number],
            ("attacker", "melee_modifier", Some(hex), _, "inf") => combat.attacker[hex][0] = number,
            ("attacker", "melee_modifier", None, "slope", _) => combat.slope = number,
            ("attacker", "melee_modifier", None, "stream", _) => combat.stream = number,
            ("attacker", "melee_modifier", None, "bridge", _) => combat.bridge = number,
            ("attacker", "melee_modifier", None, "redoubt_built", _) => combat.works_melee = number,
            _ => {}
        }
    }
    combat
});

/// The cover of a hex that is fired at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// What covers it.
    pub terrain: Terrain,
    /// A built redoubt.
    pub redoubt: bool,
    /// The shot comes over a camp hexside.
    pub camp_side: bool,
}

/// What the cover of the target takes from the fire value (DZ-TET-05).
pub(super) fn fire_cover(cover: Cover, clerk: &mut impl Clerk) -> i32 {
    let modifier = if cover.redoubt {
        clerk.rather(rule!(DZ_3_8_3_03), COMBAT.works_fire, 0)
    } else if cover.camp_side {
        COMBAT.works_fire
    } else {
        COMBAT.target[row_of(cover.terrain)]
    };
    if modifier == 0 { 0 } else { clerk.modifier(rule!(DZ_TET_05), modifier.into()) }
}

/// The ground an attack goes over.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttackGround {
    /// What covers the hex of the attacker.
    pub from: Terrain,
    /// What covers the hex of the defender.
    pub into: Terrain,
    /// The defender stands in a built redoubt.
    pub redoubt: bool,
    /// The hexside between them, seen from the attacker.
    pub edge: Edge,
    /// The bridge lies over it.
    pub bridge: bool,
}

impl AttackGround {
    /// The ground of the defender: a built redoubt is clear.
    const fn ground(&self) -> Terrain {
        if self.redoubt { Terrain::Clear } else { self.into }
    }

    /// Whether cavalry that attacks over it has value 1 (DZ-TET-07).
    #[must_use]
    pub const fn ties_cavalry(&self) -> bool {
        matches!(self.ground(), Terrain::Forest | Terrain::Marsh | Terrain::Village)
            || self.edge.stream()
            || self.bridge
    }
}

/// What the ground takes from each step of an attacker (DZ-TET-06).
pub(super) fn attack_ground(arm: Arm, over: &AttackGround, clerk: &mut impl Clerk) -> i32 {
    let combat = &*COMBAT;
    let infantry = arm == Arm::Infantry;
    let column = usize::from(!infantry);
    let mut sum = 0;
    let mut add = |value: i8, clerk: &mut _| {
        if value != 0 {
            sum += Clerk::modifier(clerk, rule!(DZ_TET_06), value.into());
        }
    };
    if infantry && over.ground() == Terrain::Village && over.from == Terrain::Village {
        add(combat.village_to_village, clerk);
    } else {
        add(combat.attacker[row_of(over.ground())][column], clerk);
    }
    if over.edge.up() {
        add(combat.slope, clerk);
    }
    if infantry {
        if over.edge.stream() {
            add(combat.stream, clerk);
        }
        if over.bridge {
            add(combat.bridge, clerk);
        }
        if over.redoubt {
            let works = clerk.rather(rule!(DZ_3_8_3_03), combat.works_melee, 0);
            add(works, clerk);
        } else if over.edge.camp() {
            add(combat.works_melee, clerk);
        }
    }
    sum
}
