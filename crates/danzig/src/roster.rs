//! The rosters of both armies (reinforcement chapter): what is printed on each counter, read once from
//! the tables.

use std::sync::LazyLock;

use rulebook::tables::danzig as tables;

use crate::unit::{Arm, Corps, Level, Nation, Side, UNITS, UnitId};

/// What the roster says of a counter.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its code in the rosters.
    pub code: &'static str,
    /// What is printed on it.
    pub label: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Who plays it.
    pub side: Side,
    /// Whose soldiers they are.
    pub nation: Nation,
    /// With whom they came.
    pub corps: Corps,
    /// What they are.
    pub arm: Arm,
    /// Regiment, battalion, or neither.
    pub level: Level,
    /// Whether it may skirmish: light infantry, jägers and fusiliers.
    pub light: bool,
    /// Whether its guns are drawn by mounted gunners.
    pub horse: bool,
    /// Steps at full strength.
    pub steps: u8,
    /// Printed gun factor, 0 without guns.
    pub gun: u8,
    /// Fire in line.
    pub fire_line: u8,
    /// Morale value.
    pub morale: u8,
    /// Movement points.
    pub mp: u8,
    /// The turn it arrives; 0 is there from the start. Kamenski and Lannes follow the option.
    pub turn: u8,
    /// The regiment of a battalion.
    pub regiment: Option<UnitId>,
    /// The battalions of a regiment.
    pub battalions: Vec<UnitId>,
}

/// The roster of both armies, in the order of [`UnitId`].
pub static ROSTER: LazyLock<Vec<Unit>> = LazyLock::new(roster);

macro_rules! rows {
    ($table:expr, $side:expr, $corps:expr) => {
        $table.iter().map(|row| Unit {
            code: row.id,
            label: row.label,
            name: row.name,
            side: $side,
            nation: nation(row.nation),
            corps: $corps,
            arm: arm(row.arm, row.label, $side),
            level: Level::Single,
            light: ["light infantry", "Jager", "usiliers"].iter().any(|word| row.name.contains(word)),
            horse: row.mp == 8,
            steps: small(row.steps_full),
            gun: small(row.fire_gun),
            fire_line: small(row.fire_line),
            morale: small(row.morale),
            mp: small(row.mp),
            turn: 0,
            regiment: None,
            battalions: Vec::new(),
        })
    };
}

fn roster() -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::with_capacity(UNITS);
    units.extend(rows!(tables::ROSTER_FRENCH, Side::French, Corps::Besiegers));
    for (unit, row) in units.iter_mut().zip(&tables::ROSTER_FRENCH) {
        unit.turn = small(row.entry_turn);
        if unit.arm == Arm::Infantry {
            unit.level = Level::Regiment;
        }
    }
    let first = units.len();
    units.extend(rows!(tables::ROSTER_FRENCH_BATTALIONS, Side::French, Corps::Besiegers));
    for at in first..units.len() {
        let regiment = units.iter().position(|unit| Some(unit.code) == units[at].code.get(..3));
        if let (Some(regiment), Ok(own)) = (regiment, u8::try_from(at)) {
            units[at].regiment = u8::try_from(regiment).ok().map(UnitId::new);
            units[at].light = units[regiment].light;
            units[regiment].battalions.push(UnitId::new(own));
        }
        units[at].level = Level::Battalion;
    }
    units.extend(rows!(tables::ROSTER_LANNES, Side::French, Corps::Lannes));
    units.extend(rows!(tables::ROSTER_PRUSSIAN, Side::Prussian, Corps::Garrison));
    let first = units.len();
    units.extend(rows!(tables::ROSTER_KAMENSKI, Side::Prussian, Corps::Kamenski));
    // Inside the city the Fusiliers act as two battalions (DZ-R22): their counter is the first.
    if let Some(at) = units.iter().skip(first).position(|unit| unit.nation == Nation::Prussia) {
        let (at, next) = (first + at, units.len());
        let second = Unit {
            code: "K07b",
            label: "Fusiliers II",
            steps: 2,
            level: Level::Battalion,
            regiment: u8::try_from(at).ok().map(UnitId::new),
            ..units[at].clone()
        };
        units[at].battalions.extend(u8::try_from(next).ok().map(UnitId::new));
        units.push(second);
    }
    for unit in &mut units {
        if unit.corps == Corps::Garrison && unit.arm == Arm::Infantry {
            unit.level = Level::Battalion;
        }
    }
    units
}

fn small(number: i32) -> u8 {
    u8::try_from(number).unwrap_or(0)
}

fn nation(word: &str) -> Nation {
    match word {
        "Baden" => Nation::Baden,
        "Poland" => Nation::Poland,
        "Saxony" => Nation::Saxony,
        "Prussia" => Nation::Prussia,
        "Russia" => Nation::Russia,
        _ => Nation::France,
    }
}

fn arm(word: &str, label: &str, side: Side) -> Arm {
    match (word, side) {
        ("light cavalry", _) => Arm::LightCavalry,
        ("heavy cavalry", _) => Arm::HeavyCavalry,
        ("field artillery", _) => Arm::FieldArtillery,
        ("mortar", _) => Arm::Mortar,
        ("siege artillery", Side::Prussian) => Arm::Fortress,
        ("siege artillery", Side::French) if label.starts_with("24") => Arm::Siege24,
        ("siege artillery", Side::French) => Arm::Siege12,
        _ => Arm::Infantry,
    }
}
