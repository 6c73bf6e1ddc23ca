//! Formations as bases (tabletop core, sections 1 and 2): companies and a formation enter, figures
//! on their bases leave.

use rulebook::rule;

use super::muster::{Battery, Company, Muster};
use super::setup::{Bases, Formation, Stand};
use crate::Arm;
use crate::geometry::{Base, Facing, Point};

/// A figure on its base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its base.
    pub base: Base,
    /// Its rank, 0 the first.
    pub rank: u16,
    /// Its place in the rank, 0 the left one.
    pub file: u16,
    /// Its company.
    pub company: u16,
    /// The face of a square (0 front, then clockwise) or the side of a house it stands on.
    pub face: u8,
    /// Whether it is being moved inside a house.
    pub moving: bool,
}

/// Front and depth of a base, in hundredths of a centimetre (`basing.csv`).
#[must_use]
pub const fn size(arm: Arm, formation: Formation) -> (i64, i64) {
    match (arm, formation) {
        (Arm::Infantry, Formation::Skirmish) => (300, 250),
        (Arm::Infantry, _) => (150, 250),
        (Arm::Cavalry | Arm::Cuirassiers, Formation::Foragers) => (500, 500),
        _ => (250, 500),
    }
}

/// The base of a whole battery: it keeps its size when gunners are lost (FE-R39).
#[must_use]
pub fn crew_base(at: Point, facing: Facing, crew: i64, formation: Formation) -> Base {
    match formation {
        Formation::Limbered => Base::new(at, facing, 500, 500 * ((crew + 1) / 2).max(1)),
        _ => Base::new(at, facing, 250 * crew.max(1), 500),
    }
}

/// The gunner figures a battery has by the table of crews: half its guns, 3 to 6 (FE-R32).
#[must_use]
pub fn crew_by_guns(guns: i32) -> i32 {
    if !rule!(FE_3_2_02).holds(true) {
        return guns;
    }
    let half = (guns + 1) / 2;
    rulebook::tables::tabletop_fire::CREW_BY_GUNS.iter().find(|row| row.guns == guns).map_or_else(
        || if rule!(FE_3_1_02).holds(true) { half.clamp(3, 6) } else { half },
        |row| row.crew_figures,
    )
}

impl Battery {
    /// Gunner figures at the start.
    #[must_use]
    pub fn full_crew(&self) -> i64 {
        i64::from(self.initial_crew.map_or_else(|| crew_by_guns(self.guns.get()), kernel::Whole::get))
    }

    /// Gunner figures left.
    #[must_use]
    pub fn crew_left(&self) -> i64 {
        self.crew.map_or_else(|| self.full_crew(), |crew| i64::from(crew.get()))
    }
}

/// The figures of a body in formation.
#[must_use]
pub fn layout(troops: &Muster, stand: &Stand) -> Vec<Figure> {
    let single = |base: Base| vec![Figure { base, rank: 0, file: 0, company: 0, face: 0, moving: false }];
    match troops {
        Muster::Artillery(battery) => {
            return single(crew_base(stand.at, stand.facing, battery.full_crew(), stand.formation));
        }
        Muster::Officer(_) => return single(Base::new(stand.at, stand.facing, 250, 500)),
        Muster::Infantry(_) | Muster::Cavalry(_) => {}
    }
    let (arm, companies) = (troops.arm(), troops.companies());
    let figures: Vec<u16> = (0_u16..)
        .zip(companies)
        .flat_map(|(number, company)| (0..company.figures.get()).map(move |_| number))
        .collect();
    if stand.formation == Formation::HollowSquare {
        return hollow_square(arm, &figures, stand);
    }
    let rows = rows(&figures, companies, stand);
    let mut placed = Vec::with_capacity(figures.len());
    let last = rows.len().saturating_sub(1);
    for (rank, row) in rows.iter().enumerate() {
        for (file, &company) in row.iter().enumerate() {
            let turn = if stand.formation == Formation::FullSquare {
                outward(rank, last, file, row.len())
            } else {
                0
            };
            placed.push(in_row(arm, stand, (rank, file, row.len()), company, turn));
        }
    }
    placed
}

/// Which way a figure of a full square faces: the first rank ahead, the last to the rear, the ends
/// of the others outwards, in quarter turns.
const fn outward(rank: usize, last: usize, file: usize, in_row: usize) -> u8 {
    if rank == 0 {
        0
    } else if rank == last {
        2
    } else if file == 0 {
        3
    } else if file + 1 == in_row {
        1
    } else {
        0
    }
}

fn whole(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn short(value: usize) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

/// One figure of a rank. `turn` counts quarter turns to the right; a turned base keeps within the
/// ground of its place.
fn in_row(
    arm: Arm,
    stand: &Stand,
    (rank, file, in_row): (usize, usize, usize),
    company: u16,
    turn: u8,
) -> Figure {
    let (width, depth) = size(arm, stand.formation);
    let x2 = width * (2 * whole(file) + 1 - whole(in_row));
    let y2 = -2 * depth * whole(rank);
    let front = match turn {
        1 => (x2 + width, y2 - depth),
        2 => (x2, y2 - 2 * depth),
        3 => (x2 - width, y2 - depth),
        _ => (x2, y2),
    };
    Figure {
        base: Base::placed(stand.at, stand.facing, front, i32::from(turn) * 900, (width, depth)),
        rank: short(rank),
        file: short(file),
        company,
        face: turn,
        moving: false,
    }
}

/// The ranks of a formation, each a list of companies.
fn rows(figures: &[u16], companies: &[Company], stand: &Stand) -> Vec<Vec<u16>> {
    let chunks = |front: usize| figures.chunks(front.max(1)).map(<[u16]>::to_vec).collect();
    if let Some(front) = stand.front {
        return chunks(usize::try_from(front.get()).unwrap_or(1));
    }
    match stand.formation {
        Formation::CompanyColumn | Formation::ClosedColumn | Formation::FullSquare | Formation::Column => {
            by_companies(companies, 1)
        }
        Formation::DivisionColumn => by_companies(companies, 2),
        Formation::DoubleLine => chunks(figures.len().div_ceil(2)),
        _ => chunks(figures.len()),
    }
}

/// Ranks of so many companies abreast.
fn by_companies(companies: &[Company], abreast: usize) -> Vec<Vec<u16>> {
    let numbered: Vec<(u16, &Company)> =
        (0_u16..).zip(companies).filter(|(_, c)| c.figures.get() > 0).collect();
    numbered
        .chunks(abreast)
        .map(|rank| {
            rank.iter().flat_map(|(number, company)| (0..company.figures.get()).map(|_| *number)).collect()
        })
        .collect()
}

/// A hollow square: a quarter of the figures on each face, the odd ones on the first faces.
fn hollow_square(arm: Arm, figures: &[u16], stand: &Stand) -> Vec<Figure> {
    let (width, depth) = size(arm, stand.formation);
    let count = |face: usize| figures.len() / 4 + usize::from(face < figures.len() % 4);
    let half = (width * whole(count(0))).max(2 * depth);
    let flank = width * whole(count(1).max(count(3)));
    let mut placed = Vec::with_capacity(figures.len());
    let mut next = figures.iter();
    for face in 0..4_u8 {
        let on_face = count(usize::from(face));
        for file in 0..on_face {
            let Some(&company) = next.next() else { break };
            // Twice the distance along the face from its middle, left to right as it faces.
            let along = width * (2 * whole(file) + 1 - whole(on_face));
            let front = match face {
                0 => (along, 0),
                1 => (half, -2 * depth - flank - along),
                2 => (-along, -4 * depth - 2 * flank),
                _ => (-half, -2 * depth - flank + along),
            };
            placed.push(Figure {
                base: Base::placed(stand.at, stand.facing, front, i32::from(face) * 900, (width, depth)),
                rank: 0,
                file: short(file),
                company,
                face,
                moving: false,
            });
        }
    }
    placed
}

/// The figures of bases placed one by one.
#[must_use]
pub(super) fn placed_one_by_one(troops: &Muster, bases: &Bases) -> Vec<Figure> {
    let (width, depth) = size(troops.arm(), bases.formation);
    let kinds = (0_u16..)
        .zip(troops.companies())
        .flat_map(|(number, company)| (0..company.figures.get()).map(move |_| number));
    let mut files = std::collections::BTreeMap::<u16, u16>::new();
    bases
        .bases
        .iter()
        .zip(kinds)
        .map(|(at, company)| {
            let rank = at.rank.map_or(0, |rank| u16::try_from(rank.get()).unwrap_or(0));
            let file = files.entry(rank).or_default();
            let figure = Figure {
                base: Base::new(at.at, at.facing, width, depth),
                rank,
                file: *file,
                company,
                face: 0,
                moving: false,
            };
            *file += 1;
            figure
        })
        .collect()
}
