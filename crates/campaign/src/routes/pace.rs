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
use crate::terms::{Arm, Game, Road, Weather};

/// What a step in each direction costs, in halves.
pub(super) type Steps = [u16; 6];

/// It cannot be made.
pub(super) const SHUT: u16 = u16::MAX;

/// No step can be made.
pub(super) const NOWHERE: Steps = [SHUT; 6];

/// What water does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Water {
    Open,
    Ice,
    /// Only lakes bear.
    IceOnLakes,
}

impl Water {
    pub(super) fn of(weather: Weather, options: &Options) -> Self {
        match options.frozen_primary_rivers {
            _ if !weather.freezes() => Self::Open,
            FrozenPrimaryRivers::LakesOnly => Self::IceOnLakes,
            FrozenPrimaryRivers::Yes => Self::Ice,
        }
    }
}

/// What the steps of a line of communication cost on roads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Roads {
    /// As printed.
    Printed,
    /// One MP, whatever the road.
    One,
}

/// The chart over the map, by the places of the hexes.
pub(super) struct Chart {
    pub(super) infantry: Vec<Steps>,
    pub(super) cavalry: Vec<Steps>,
    /// Lines out of a hex, with roads as printed and at one.
    out: [Vec<Steps>; 2],
    /// Lines into a hex, from its neighbour in each direction.
    back: [Vec<Steps>; 2],
    /// Primary roads, a hex as one point.
    pub(super) roads: Vec<Steps>,
    /// Over which sides a zone of control reaches, a bit for each.
    zones: Vec<u8>,
}

impl Chart {
    pub(super) fn out(&self, roads: Roads) -> &[Steps] {
        &self.out[roads as usize]
    }

    pub(super) fn back(&self, roads: Roads) -> &[Steps] {
        &self.back[roads as usize]
    }
}

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
    let over = |of: &dyn Fn(HexId, usize) -> Option<u16>| -> Vec<Steps> {
        let steps = |hex| std::array::from_fn(|direction| of(hex, direction).unwrap_or(SHUT));
        map().cells().iter().map(|cell| steps(cell.id)).collect()
    };
    let arm = |arm: Arm| {
        over(&|hex, direction| halves(field.step(arm, hex, direction, &mut quiet()).ok().flatten()?))
    };
    let lines = |roads: Roads| over(&|hex, direction| field.line(hex, direction, roads));
    let back = |roads: Roads| over(&|hex, direction| field.line_back(hex, direction, roads));
    let zones = |hex: HexId| {
        let reached = |direction: &usize| field.reaches_over(field.way(hex, *direction).0);
        (0..6).filter(reached).fold(0, |bits, direction| bits | 1 << direction)
    };
    Chart {
        infantry: arm(Arm::Infantry),
        cavalry: arm(Arm::Cavalry),
        out: [lines(Roads::Printed), lines(Roads::One)],
        back: [back(Roads::Printed), back(Roads::One)],
        roads: over(&|hex, direction| field.primary_road(hex, direction)),
        zones: map().cells().iter().map(|cell| zones(cell.id)).collect(),
    }
}

fn halves(cost: MovementPoints) -> Option<u16> {
    u16::try_from(cost.count()).ok().filter(|cost| *cost != SHUT)
}

impl Field<'_> {
    pub(super) fn chart(&self) -> &'static Chart {
        &CHARTS[self.water as usize]
    }

    /// How lines go on roads here.
    pub(super) fn roads(&self) -> Roads {
        let at_one =
            self.game == Game::Battle || self.options.communication_roads == CommunicationRoads::OneMp;
        if at_one { Roads::One } else { Roads::Printed }
    }

    /// Over which sides of a hex a zone of control reaches, a bit for each.
    pub(super) fn zone_sides(&self, hex: HexId) -> u8 {
        if self.mended.has(hex) {
            let reached = |direction: &usize| self.reaches_over(self.way(hex, *direction).0);
            return (0..6).filter(reached).fold(0, |bits, direction| bits | 1 << direction);
        }
        self.chart().zones[hex.place()]
    }

    /// What [`step`](Self::step) costs an arm, in halves, without a word; nothing where it cannot be made.
    #[must_use]
    pub fn pace(&self, arm: Arm, from: HexId, direction: usize) -> Option<u16> {
        let to = from.neighbour(direction)?;
        if self.is_occupied(to) {
            return None;
        }
        if self.near.has(from) || self.mended.has(from) {
            return halves(self.step(arm, from, direction, &mut quiet()).ok().flatten()?);
        }
        Some(self.of_arm(arm)[from.place()][direction]).filter(|cost| *cost != SHUT)
    }

    fn of_arm(&self, arm: Arm) -> &'static [Steps] {
        let chart = self.chart();
        if arm == Arm::Cavalry { &chart.cavalry } else { &chart.infantry }
    }

    /// What the steps out of a hex cost, as the chart says but where somebody or something is in the way.
    pub(super) fn paces(&self, arm: Arm) -> impl Fn(HexId) -> Steps {
        let chart = self.of_arm(arm);
        move |from| {
            if self.near.has(from) || self.mended.has(from) {
                return std::array::from_fn(|direction| self.pace(arm, from, direction).unwrap_or(SHUT));
            }
            chart[from.place()]
        }
    }

    /// What steps cost that only hexsides change, by the chart, or by `anew` where one is not as printed.
    pub(super) fn by_chart<'a>(
        &'a self,
        chart: &'a [Steps],
        anew: impl Fn(HexId, usize) -> Option<u16> + 'a,
    ) -> impl Fn(HexId) -> Steps + 'a {
        move |hex| {
            if self.mended.has(hex) {
                return std::array::from_fn(|direction| anew(hex, direction).unwrap_or(SHUT));
            }
            chart[hex.place()]
        }
    }

    /// What a step of a line of communication costs, in halves.
    pub(super) fn line(&self, from: HexId, direction: usize, roads: Roads) -> Option<u16> {
        halves(self.line_step(from, direction, roads)?)
    }

    /// What the step costs by which a line comes from the neighbour in a direction.
    pub(super) fn line_back(&self, to: HexId, direction: usize, roads: Roads) -> Option<u16> {
        let from = to.neighbour(direction).filter(|&from| self.map.cell(from).in_play)?;
        self.line(from, (direction + 3) % 6, roads)
    }

    /// A step along a primary road: one point, whatever it costs to march.
    pub(super) fn primary_road(&self, from: HexId, direction: usize) -> Option<u16> {
        from.neighbour(direction)?;
        (self.way(from, direction).1 == Road::Primary).then_some(2)
    }
}

/// What was searched for, with whatever bars the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Search {
    LinesTo(Vec<HexId>, MovementPoints, Roads, HexSet),
    LinesFrom(HexId, MovementPoints, Roads, HexSet),
    Marches(Arm, HexId, MovementPoints, Game, Vec<Enemy>),
    PrimaryRoads(HexId, HexSet),
}

/// A search with everything on which its answer hangs.
struct Asked {
    search: Search,
    water: Water,
    changed: Vec<Changed>,
    ways: Rc<Ways>,
}

impl Asked {
    fn is(&self, field: &Field<'_>, search: &Search) -> bool {
        self.search == *search && self.water == field.water && self.changed == field.changed
    }
}

/// How many searches are kept.
const KEPT: usize = 24;

thread_local! {
    static LAST: RefCell<Vec<Asked>> = const { RefCell::new(Vec::new()) };
}

/// The ways of a search: those of the last one that asked the same on the same field, or found anew.
pub(super) fn remembered(field: &Field<'_>, search: Search, find: impl FnOnce() -> Ways) -> Rc<Ways> {
    let known = LAST.with_borrow_mut(|last| {
        let place = last.iter().position(|asked| asked.is(field, &search))?;
        last[..=place].rotate_right(1);
        last.first().map(|asked| Rc::clone(&asked.ways))
    });
    known.unwrap_or_else(|| {
        let ways = Rc::new(find());
        let (water, changed) = (field.water, field.changed.clone());
        let asked = Asked { search, water, changed, ways: Rc::clone(&ways) };
        LAST.with_borrow_mut(|last| {
            last.truncate(KEPT - 1);
            last.insert(0, asked);
        });
        ways
    })
}

/// Nothing is in the way anywhere.
pub(super) const NOTHING: HexSet = HexSet::EMPTY;

const _: () = assert!(HEXES < SHUT as usize, "places fit beside the mark of what is shut");
