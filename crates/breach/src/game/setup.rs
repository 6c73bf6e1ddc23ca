//! The table before the first turn (sections 5 and 6 of the game page): armies as the tables have them,
//! the fortress, and the ready-made set-up.

use rulebook::options::breach::{Options, ReliefForce};
use rulebook::tables::breach::{DEFAULT_ARMIES, DEFAULT_DEPLOYMENT, DEFAULT_WORKS, DefaultDeployment};

use kernel::{Desk, Scripted, Silent};

use crate::lists::{self, Line, Listed as _};
use crate::scenario::{self, Earlier, Scenario, Side};
use crate::terms::Item;

use super::plan::{plan, seat};
use super::profile::{Troop, profile};
use super::state::{
    Casting, Character, Marks, Place, STANDS, Stand, Stores, Table, Unit, Whereabouts, Works,
};

/// The number in a name of the tables: `e4`.
fn number(name: &str) -> u8 {
    name.get(1..).and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// What a word of the tables gives a unit to carry.
pub(crate) fn item(word: &str) -> Item {
    match word {
        "ladders" => Item::Ladders,
        "mantlets" => Item::Mantlets,
        "portable_ram" => Item::PortableRam,
        "ram" => Item::Ram,
        "siege_tower" => Item::SiegeTower,
        "sow" => Item::Sow,
        _ => Item::None,
    }
}

/// The place of an item among the stores.
pub(crate) const fn shelf(item: Item) -> Option<usize> {
    match item {
        Item::None => None,
        Item::Ladders => Some(0),
        Item::Mantlets => Some(1),
        Item::PortableRam => Some(2),
        Item::Ram => Some(3),
        Item::SiegeTower => Some(4),
        Item::Sow => Some(5),
    }
}

/// A unit that is not set up yet.
pub(crate) fn fresh(side: Side, number: u8, troop: Troop, stands: u8, skirmisher: bool, wish: Item) -> Unit {
    let mut places = [Stand { place: Place::Dead, post: None }; STANDS];
    for stand in places.iter_mut().take(usize::from(stands)) {
        stand.place = Place::Reserve;
    }
    Unit {
        side,
        number,
        troop,
        stands: places,
        began: stands.min(4),
        skirmisher,
        item: Item::None,
        wish,
        spare: [Item::None; 2],
        machine: None,
        machine_hits: 0,
        odd_hits: 0,
        shot_hits: 0,
        shot_from: None,
        before: 0,
        penalty: 0,
        orders: 0,
        along: None,
        pursues: None,
        hits_on: 0,
        left_at: None,
        spells: 0,
        marks: Marks::default(),
    }
}

/// The table of a scenario with the ready-made armies, nothing placed yet.
pub(crate) fn table(scenario: Scenario, options: Options, earlier: Earlier) -> Table {
    let mut units = Vec::new();
    let mut characters = Vec::new();
    let mut stores = [Stores::default(); 2];
    let substitute = scenario == Scenario::Help && options.relief_force == ReliefForce::Substitute;
    for side in [Side::Garrison, Side::Besieger] {
        let own = |row: i32, name: &str| row == scenario.number() && name == side.id();
        for row in DEFAULT_ARMIES.iter().filter(|row| own(row.scenario, row.side)) {
            let name = number(row.unit);
            let wish = item(row.equipment);
            if let Some(shelf) = shelf(wish) {
                stores[seat(side)].items[shelf] += 1;
            }
            let troop = match (Line::named(row.line), lists::Item::named(row.line)) {
                (Some(line), _) => Troop::Line(line),
                (None, Some(engine)) => Troop::Engine(engine),
                (None, None) => continue,
            };
            // The substitute relief force rides with pistols in place of the third unit of Knights.
            let troop = if substitute && side == Side::Garrison && name == 4 {
                Troop::Line(Line::Pistoliers)
            } else {
                troop
            };
            if let Troop::Line(line) = troop
                && profile(side.army(), troop).character.is_some()
            {
                let place = Whereabouts::Reserve;
                characters.push(Character {
                    side,
                    number: name,
                    line,
                    place,
                    done: false,
                    moved: false,
                    mount: None,
                    casting: Casting::Any,
                });
                continue;
            }
            let stands = u8::try_from(row.stands).unwrap_or(1);
            units.push(fresh(side, name, troop, stands, row.attached == "skirmishers", wish));
        }
        for row in DEFAULT_WORKS.iter().filter(|row| own(row.scenario, row.side)) {
            let count = u8::try_from(row.count).unwrap_or(0);
            match row.item {
                "oil_rocks" => stores[seat(side)].oil = count,
                _ => stores[seat(side)].earthworks = count,
            }
        }
    }
    if scenario == Scenario::Help {
        let mut quiet = Desk::new(Scripted::new(&[]), Silent);
        let known = earlier.or_chosen(&options, &mut quiet);
        let sections = scenario::works(known, &mut quiet).sections;
        let most = stores[seat(Side::Besieger)].earthworks;
        stores[seat(Side::Besieger)].earthworks = most.min(u8::try_from(sections).unwrap_or(0));
    }
    Table {
        scenario,
        options,
        units,
        characters,
        elements: vec![Works::default(); plan(scenario).elements.len()],
        earthworks: Vec::new(),
        stores,
        entrance: None,
        holder: None,
        stands_out: 0,
    }
}

/// The row of the ready-made set-up for a unit or a character.
pub(crate) fn ready(scenario: Scenario, side: Side, name: &str) -> Option<&'static DefaultDeployment> {
    rows(scenario, side).find(|row| row.unit == name)
}

/// The rows of the ready-made set-up of a side.
pub(crate) fn rows(scenario: Scenario, side: Side) -> impl Iterator<Item = &'static DefaultDeployment> {
    DEFAULT_DEPLOYMENT.iter().filter(move |row| row.scenario == scenario.number() && row.side == side.id())
}
