//! What troops can do: a line of an army list or an engine enters; arm, attacks, weapon, base and
//! special rules leave. Sections 1, 6, 7 and 17 of the core rules.

use std::sync::LazyLock;

use rulebook::tables::breach::{ARMY_DWARF, ARMY_EMPIRE, EQUIPMENT_ARTILLERY, GAME_BASES};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bombard::Breacher;
use crate::command;
use crate::lists::{Army, Entry, Item, Kind, Line};
use crate::shooting::Weapon;
use crate::terms::{Arm, Armour};

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Troop {
    /// A line of the army list.
    Line(Line),
    /// A siege engine.
    Engine(Item),
}

/// What troops of one kind can do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Profile {
    /// What they are.
    pub(crate) arm: Arm,
    /// Attacks of a stand.
    pub(crate) attack: i32,
    /// Hits of a stand.
    pub(crate) hits: i32,
    /// Armour.
    pub(crate) armour: Armour,
    /// What they shoot with.
    pub(crate) weapon: Option<Weapon>,
    /// Shooting attacks of a stand of foot, horse or in the air.
    pub(crate) shots: i32,
    /// The least and the greatest range in hundredths of a centimetre.
    pub(crate) range: (i64, i64),
    /// What breaks walls with it.
    pub(crate) breacher: Option<Breacher>,
    /// Width and depth of a base.
    pub(crate) base: (i64, i64),
    /// Whether they are fanatic.
    pub(crate) fanatic: bool,
    /// Whether they shoot all round.
    pub(crate) all_round: bool,
    /// A siege engine, which never moves.
    pub(crate) engine: bool,
    /// Who he is, if he is a character.
    pub(crate) character: Option<command::Character>,
    /// His Command.
    pub(crate) command: i32,
}

const NOBODY: Profile = Profile {
    arm: Arm::Infantry,
    attack: 0,
    hits: 1,
    armour: Armour::NONE,
    weapon: None,
    shots: 0,
    range: (0, 0),
    breacher: None,
    base: (400, 200),
    fanatic: false,
    all_round: false,
    engine: false,
    character: None,
    command: 0,
};

/// The leading number of a cell.
fn number(cell: &str) -> i32 {
    let digits = cell.find(|c: char| !c.is_ascii_digit()).unwrap_or(cell.len());
    cell.get(..digits).and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// A base of the table, in hundredths of a centimetre.
fn base(kind: &str) -> (i64, i64) {
    let row = GAME_BASES.iter().find(|row| row.type_ == kind);
    row.map_or(NOBODY.base, |row| (i64::from(row.front_mm) * 10, i64::from(row.depth_mm) * 10))
}

/// The base of a covered machine.
pub(crate) const MACHINE_BASE: (i64, i64) = (400, 400);

fn of_line(army: Army, entry: &Entry) -> Profile {
    let special = match army {
        Army::Empire => ARMY_EMPIRE.iter().find(|row| row.id == entry.line.id()).map(|row| row.special),
        Army::Dwarf => ARMY_DWARF.iter().find(|row| row.id == entry.line.id()).map(|row| row.special),
    }
    .unwrap_or("");
    let has = |word: &str| special.split(';').any(|part| part.trim().starts_with(word));
    let character = match entry.kind {
        Kind::General => Some(command::Character::General),
        Kind::Hero => Some(command::Character::Hero),
        Kind::Wizard => Some(command::Character::Wizard),
        _ => None,
    };
    let arm = match entry.kind {
        Kind::Cavalry => Arm::Cavalry,
        Kind::Artillery => Arm::Artillery,
        Kind::Machine if has("flying") => Arm::Flyer,
        Kind::Machine => Arm::Monster,
        _ => Arm::Infantry,
    };
    let shots = number(entry.profile.shooting);
    let weapon = match entry.line {
        Line::Cannon => Some(Weapon::Cannon),
        Line::VolleyGun => Some(Weapon::VolleyGun),
        Line::Pistoliers => Some(Weapon::Pistol),
        _ if shots == 0 => None,
        _ if has("armour_minus_1") => Some(Weapon::Handgun),
        _ => Some(Weapon::Bow),
    };
    Profile {
        arm,
        attack: entry.profile.attack,
        hits: number(entry.profile.hits).max(1),
        armour: Armour::new(number(entry.profile.armour)).unwrap_or(Armour::NONE),
        weapon,
        shots,
        range: (0, i64::from(number(entry.profile.range_cm)) * 100),
        breacher: (entry.line == Line::Cannon).then_some(Breacher::Cannon),
        base: base(match entry.kind {
            Kind::Cavalry => "cavalry",
            Kind::Artillery => "artillery",
            Kind::Machine => "machine",
            _ => "infantry",
        }),
        fanatic: has("fanatic"),
        all_round: has("sight_360"),
        engine: false,
        character,
        command: number(entry.profile.command),
    }
}

fn of_engine(item: Item) -> Profile {
    let (weapon, breacher, shots, range) = match item {
        Item::Mangonel => (Weapon::Mangonel, Breacher::Mangonel, 4, (2_000, 9_000)),
        Item::Bombard => (Weapon::Bombard, Breacher::Bombard, 4, (0, 9_000)),
        _ => (Weapon::Trebuchet, Breacher::Trebuchet, 6, (2_000, 12_000)),
    };
    let row = EQUIPMENT_ARTILLERY.iter().find(|row| row.id == item.id());
    Profile {
        arm: Arm::Artillery,
        hits: row.map_or(1, |row| row.hits),
        weapon: Some(weapon),
        shots,
        range,
        breacher: Some(breacher),
        base: base(item.id()),
        engine: true,
        ..NOBODY
    }
}

/// The profile of troops of an army.
pub(crate) fn profile(army: Army, troop: Troop) -> &'static Profile {
    type Lines = [Profile; Line::ALL.len()];
    static LINES: LazyLock<[Lines; 2]> = LazyLock::new(|| {
        [Army::Empire, Army::Dwarf].map(|army| {
            std::array::from_fn(|place| {
                let entry = Line::ALL.get(place).and_then(|line| army.entry(*line));
                entry.map_or(NOBODY, |entry| of_line(army, entry))
            })
        })
    });
    static ENGINES: LazyLock<[Profile; 3]> =
        LazyLock::new(|| [Item::Mangonel, Item::Bombard, Item::Trebuchet].map(of_engine));
    let [empire, dwarf] = &*LINES;
    let lines = match army {
        Army::Empire => empire,
        Army::Dwarf => dwarf,
    };
    let [mangonel, bombard, trebuchet] = &*ENGINES;
    match troop {
        Troop::Line(line) => &lines[line as usize],
        Troop::Engine(Item::Mangonel) => mangonel,
        Troop::Engine(Item::Bombard) => bombard,
        Troop::Engine(_) => trebuchet,
    }
}
