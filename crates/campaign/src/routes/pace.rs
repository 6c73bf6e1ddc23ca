//! The terrain chart laid over the whole map, once for every state of the water, so that a search need not read it
//! step by step; and the last searches of this thread, which are asked for again and again while a side makes up
//! its mind. Both are what the chart says, and nothing is kept that it does not.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::LazyLock;

use kernel::MovementPoints;
use rulebook::options::campaign::{CommunicationRoads, FrozenPrimaryRivers, Options};

use super::{Changed, Enemy, Field, Ways, quiet};
use crate::map::{HEXES, HexId, HexSet, map};
use crate::terms::{Arm, Game, Weather};

/// What a step in each direction costs, in halves.
type Steps = [u8; 6];

/// It cannot be made.
const SHUT: u8 = u8::MAX;

/// What water does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Water {
    Open,
    Ice,
    /// Only lakes bear.
    IceOnLakes,
}

impl Water {
    const ALL: [Self; 3] = [Self::Open, Self::Ice, Self::IceOnLakes];

    fn of(weather: Weather, options: &Options) -> Self {
        match options.frozen_primary_rivers {
            _ if !weather.freezes() => Self::Open,
            FrozenPrimaryRivers::LakesOnly => Self::IceOnLakes,
            FrozenPrimaryRivers::Yes => Self::Ice,
        }
    }
}

/// The chart over the map: infantry, cavalry, lines with roads as printed, lines with roads at one.
type Chart = Vec<[Steps; 4]>;

static CHARTS: [LazyLock<Chart>; 3] = [
    LazyLock::new(|| chart(Water::Open)),
    LazyLock::new(|| chart(Water::Ice)),
    LazyLock::new(|| chart(Water::IceOnLakes)),
];

fn chart(water: Water) -> Chart {
    let frozen_primary_rivers = match water {
        Water::IceOnLakes => FrozenPrimaryRivers::LakesOnly,
        Water::Open | Water::Ice => FrozenPrimaryRivers::Yes,
    };
    let options = Options { frozen_primary_rivers, ..Options::default() };
    let weather = if water == Water::Open { Weather::Clear } else { Weather::Frost };
    let field = Field::new(map(), weather, Game::Campaign, &[], &[], &options);
    let halves = |cost: Option<MovementPoints>| {
        cost.and_then(|cost| u8::try_from(cost.count()).ok()).filter(|cost| *cost < SHUT).unwrap_or(SHUT)
    };
    let steps =
        |of: &dyn Fn(usize) -> Option<MovementPoints>| std::array::from_fn(|direction| halves(of(direction)));
    let mut chart = Vec::with_capacity(HEXES);
    for cell in map().cells() {
        let arm =
            |arm: Arm| steps(&|direction| field.step(arm, cell.id, direction, &mut quiet()).ok().flatten());
        let line = |at_one: bool| steps(&|direction| field.line_step(cell.id, direction, at_one));
        chart.push([arm(Arm::Infantry), arm(Arm::Cavalry), line(false), line(true)]);
    }
    chart
}

impl Field<'_> {
    fn read(&self, from: HexId, column: usize, direction: usize) -> Option<u16> {
        let water = Water::of(self.weather, self.options);
        let chart = Water::ALL.iter().position(|other| *other == water).unwrap_or(0);
        let cost = CHARTS[chart].get(from.place())?[column].get(direction).copied()?;
        (cost != SHUT).then_some(u16::from(cost))
    }

    fn is_changed(&self, from: HexId, direction: usize) -> bool {
        self.changed.iter().any(|one| one.from == from && one.direction == direction)
    }

    /// What [`step`](Self::step) costs an arm, in halves, without a word; nothing where it cannot be made.
    #[must_use]
    pub fn pace(&self, arm: Arm, from: HexId, direction: usize) -> Option<u16> {
        let to = from.neighbour(direction)?;
        if self.is_occupied(to) {
            return None;
        }
        if self.near.has(from) || self.is_changed(from, direction) {
            let cost = self.step(arm, from, direction, &mut quiet()).ok().flatten()?;
            return u16::try_from(cost.count()).ok();
        }
        self.read(from, usize::from(arm == Arm::Cavalry), direction)
    }

    /// What a step of a line of communication costs, in halves.
    pub(super) fn line_pace(&self, from: HexId, direction: usize) -> Option<u16> {
        let at_one =
            self.game == Game::Battle || self.options.communication_roads == CommunicationRoads::OneMp;
        if self.is_changed(from, direction) {
            return u16::try_from(self.line_step(from, direction, at_one)?.count()).ok();
        }
        self.read(from, 2 + usize::from(at_one), direction)
    }
}

/// What was searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Search {
    LinesTo(Vec<HexId>, MovementPoints),
    LinesFrom(HexId, MovementPoints),
    Marches(Arm, HexId, MovementPoints),
    Roads(HexId),
}

/// A search with everything on which its answer hangs.
struct Asked {
    search: Search,
    water: Water,
    game: Game,
    roads: CommunicationRoads,
    enemies: Vec<Enemy>,
    friends: HexSet,
    changed: Vec<Changed>,
    ways: Rc<Ways>,
}

impl Asked {
    fn is(&self, field: &Field<'_>, search: &Search) -> bool {
        self.search == *search
            && self.enemies == field.enemies
            && self.water == Water::of(field.weather, field.options)
            && self.game == field.game
            && self.roads == field.options.communication_roads
            && self.friends == field.friends
            && self.changed == field.changed
    }
}

/// How many searches are kept.
const KEPT: usize = 12;

thread_local! {
    static LAST: RefCell<Vec<Asked>> = const { RefCell::new(Vec::new()) };
}

/// The ways of a search: those of the last one that asked the same on the same field, or found anew.
pub(super) fn remembered(field: &Field<'_>, search: &Search, find: impl FnOnce() -> Ways) -> Rc<Ways> {
    let known = LAST.with_borrow_mut(|last| {
        let place = last.iter().position(|asked| asked.is(field, search))?;
        last[..=place].rotate_right(1);
        last.first().map(|asked| Rc::clone(&asked.ways))
    });
    known.unwrap_or_else(|| {
        let ways = Rc::new(find());
        let asked = Asked {
            search: search.clone(),
            water: Water::of(field.weather, field.options),
            game: field.game,
            roads: field.options.communication_roads,
            enemies: field.enemies.clone(),
            friends: field.friends,
            changed: field.changed.clone(),
            ways: Rc::clone(&ways),
        };
        LAST.with_borrow_mut(|last| {
            last.truncate(KEPT - 1);
            last.insert(0, asked);
        });
        ways
    })
}
