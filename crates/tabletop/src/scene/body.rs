//! Bodies on the table: their figures at the three instants of the half-period, their class for
//! fire and masking (FE-R45), what they did in each quarter (fire procedure, section 1).

use kernel::{RuleId, Whole};
use rulebook::rule;

use super::figures::Figure;
use super::muster::{Company, Muster};
use super::setup::{BodySetup, Formation, Side, Situation, State};
use crate::Arm;
pub use crate::fire::Class;
use crate::geometry::{Extent, Facing, Gap, Point, Polygon, hull};
use crate::terrain::troops::Troops;

/// The three instants of a half-period at which things are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Instant {
    /// Its start.
    P0,
    /// The end of Q1.
    P1,
    /// The end of Q2, when the fire phase opens.
    P2,
}

/// A body as it stands at some instant.
#[derive(Clone, Debug)]
pub struct Presence {
    /// Its formation.
    pub formation: Formation,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// The convex hull of its bases.
    pub footprint: Polygon,
    /// The mean of its base centres.
    pub centre: Point,
    /// Where it faces; for a garrison, outwards from the first side.
    pub facing: Facing,
    /// The house it is in, by its place among the elements.
    pub house: Option<usize>,
    /// The redoubt it is in.
    pub redoubt: Option<usize>,
    /// What it is for fire and masking (FE-R45); single officers have none.
    pub class: Option<Class>,
    /// The box around its bases.
    pub extent: Extent,
    /// Its bases joined where they touch: the outermost corners of each piece.
    pub pieces: Vec<Vec<Point>>,
}

impl Presence {
    /// The shortest distance between the bases of two bodies.
    #[must_use]
    pub fn gap_to(&self, other: &Self) -> Gap {
        let mut best = Gap::FAR;
        for mine in &self.figures {
            for theirs in &other.figures {
                if best == Gap::ZERO {
                    return best;
                }
                if box_gap(&mine.base.extent, &theirs.base.extent) < best {
                    best = best.min(mine.base.gap_to(&theirs.base));
                }
            }
        }
        best
    }

    /// The same body moved by so much.
    #[must_use]
    pub fn moved(&self, dx: i64, dy: i64) -> Self {
        let mut there = self.clone();
        for figure in &mut there.figures {
            figure.base.shift(dx, dy);
        }
        for corner in there.pieces.iter_mut().flatten() {
            *corner = corner.moved(dx, dy);
        }
        let corners = there.figures.iter().flat_map(|figure| figure.base.corners);
        there.footprint = hull(corners.collect());
        there.extent = Extent { low: self.extent.low.moved(dx, dy), high: self.extent.high.moved(dx, dy) };
        there.centre = self.centre.moved(dx, dy);
        there
    }

    /// The number of its ranks.
    #[must_use]
    pub fn ranks(&self) -> u16 {
        self.figures.iter().map(|figure| figure.rank + 1).max().unwrap_or(0)
    }

    /// Whether it is a square of either kind.
    #[must_use]
    pub const fn is_square(&self) -> bool {
        matches!(self.formation, Formation::HollowSquare | Formation::FullSquare)
    }

    /// Whether a figure belongs to those that see and fire: the first rank, every outer figure of a
    /// square, every figure in open order and every figure posted in a house.
    #[must_use]
    pub fn is_in_front(&self, figure: &Figure) -> bool {
        match self.formation {
            Formation::HollowSquare | Formation::Skirmish | Formation::Foragers => true,
            Formation::FullSquare => figure.rank == 0 || figure.face != 0,
            _ => self.house.is_some() || figure.rank == 0,
        }
    }

    /// The figures that see and fire.
    pub fn front(&self) -> impl Iterator<Item = &Figure> {
        self.figures.iter().filter(|figure| self.is_in_front(figure))
    }
}

/// Bases joined where a corner of one lies on another: the outermost corners of each piece.
#[must_use]
pub(super) fn pieces(figures: &[Figure]) -> Vec<Vec<Point>> {
    let mut piece: Vec<usize> = (0..figures.len()).collect();
    for (k, one) in figures.iter().enumerate() {
        for (j, other) in figures[..k].iter().enumerate() {
            let (one, other) = (&one.base, &other.base);
            if piece[k] != piece[j]
                && one.extent.meets(&other.extent)
                && (one.corners.iter().any(|&corner| other.holds(corner))
                    || other.corners.iter().any(|&corner| one.holds(corner)))
            {
                let (from, to) = (piece[k], piece[j]);
                piece[..=k].iter_mut().filter(|piece| **piece == from).for_each(|piece| *piece = to);
            }
        }
    }
    let mut names = piece.clone();
    names.sort_unstable();
    names.dedup();
    let corners = |name: usize| {
        let of = figures.iter().zip(&piece).filter(move |(_, piece)| **piece == name);
        hull(of.flat_map(|(figure, _)| figure.base.corners).collect()).outline().to_vec()
    };
    names.into_iter().map(corners).collect()
}

/// A lower bound of the distance between what two boxes hold.
pub(crate) fn box_gap(a: &Extent, b: &Extent) -> Gap {
    let dx = (a.low.x - b.high.x).max(b.low.x - a.high.x).max(0);
    let dy = (a.low.y - b.high.y).max(b.low.y - a.high.y).max(0);
    Gap::whole(dx * dx + dy * dy)
}

/// A body that passed the checks.
#[derive(Clone, Debug)]
pub struct Body {
    /// As written.
    pub setup: BodySetup,
    /// Its arm.
    pub arm: Arm,
    /// How it stood, each way it stood once.
    pub(super) presences: Vec<Presence>,
    /// Which of them at each instant.
    pub(super) at: [usize; 3],
    /// The path moved in each quarter, in hundredths of a centimetre.
    pub moved: [i64; 2],
    /// Whether it was still in each quarter.
    pub still: [bool; 2],
    /// Whether it touches an enemy now, or is recorded as in melee in Q2.
    pub in_melee: bool,
    /// Its state: the worse of the one written and the one its ground imposes (TE-R01).
    pub state: State,
    /// What the ground it stands on imposes, and by which rule.
    pub imposed: Option<Imposed>,
}

/// A state that ground imposes on whoever stands on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imposed {
    /// The state.
    pub state: State,
    /// The rule that imposes it.
    pub rule: RuleId,
}

impl Body {
    /// How it stands at an instant.
    #[must_use]
    pub fn at(&self, instant: Instant) -> &Presence {
        let place = match instant {
            Instant::P0 => self.at[0],
            Instant::P1 => self.at[1],
            Instant::P2 => self.at[2],
        };
        &self.presences[place]
    }

    /// How it stands now.
    #[must_use]
    pub fn now(&self) -> &Presence {
        self.at(Instant::P2)
    }

    /// Its name on the table.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.setup.id
    }

    /// The name players read: the label, or the id without one.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.setup.label.is_empty() { &self.setup.id } else { &self.setup.label }
    }

    /// Whose it is.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.setup.side
    }

    /// Its companies or squadrons; none for guns and officers.
    #[must_use]
    pub fn companies(&self) -> &[Company] {
        self.setup.troops.companies()
    }

    /// What ground sees of it now, in the state its ground leaves it.
    #[must_use]
    pub fn troops(&self) -> Troops {
        self.troops_at(self.now(), self.state)
    }

    /// What ground sees of it at one of its places, in some state.
    pub(crate) fn troops_at(&self, presence: &Presence, state: State) -> Troops {
        let front = presence.figures.iter().filter(|figure| figure.rank == 0).count();
        Troops {
            arm: self.arm,
            formation: presence.formation,
            state,
            status: self.setup.status,
            front: i32::try_from(front).ok().and_then(Whole::new),
            ranks: Whole::new(i32::from(presence.ranks())),
        }
    }

    /// The battery it is, if it is one.
    #[must_use]
    pub const fn battery(&self) -> Option<&super::muster::Battery> {
        match &self.setup.troops {
            Muster::Artillery(battery) => Some(battery),
            _ => None,
        }
    }

    /// Its figures left: gunners of a battery, one officer, else those of its companies.
    #[must_use]
    pub fn strength(&self) -> i64 {
        match &self.setup.troops {
            Muster::Infantry(drill) => total(&drill.companies),
            Muster::Cavalry(weight) => total(&weight.companies),
            Muster::Artillery(battery) => battery.crew_left(),
            Muster::Officer(_) => 1,
        }
    }

    /// Whether it is a general of either side.
    #[must_use]
    pub const fn is_general(&self) -> bool {
        matches!(&self.setup.troops, Muster::Officer(officer) if officer.general)
    }

    /// Whether it has lost its formation, or is rallying (FE-1.5-10).
    #[must_use]
    pub fn is_shapeless(&self) -> bool {
        self.state >= State::Unformed || self.setup.situation == Situation::Rallying
    }
}

fn total(companies: &[Company]) -> i64 {
    companies.iter().map(|company| i64::from(company.figures.get())).sum()
}

/// The class of a body in some state by the first line of FE-R45 that fits. While it changes, the
/// formation that counts is the one of FE-R68.
#[must_use]
pub(super) fn class_of(setup: &BodySetup, arm: Arm, state: State, presence: &Presence) -> Option<Class> {
    let formation = counting(presence.formation, setup.changing_to);
    // A formation sought has the ranks of its kind, not those of the figures still on their way.
    let single = matches!(formation, Formation::Line | Formation::InPosition);
    let ranks = if formation == presence.formation { presence.ranks() } else { u16::from(!single) + 1 };
    let sheltered = presence.house.is_some() || presence.redoubt.is_some();
    let shapeless = state >= State::Unformed || setup.situation == Situation::Rallying;
    let square = matches!(formation, Formation::HollowSquare | Formation::FullSquare);
    Some(match arm {
        Arm::Officer => return None,
        Arm::Infantry | Arm::Cavalry | Arm::Cuirassiers if sheltered => Class::Line,
        _ if rule!(FE_1_5_10).holds(shapeless) => Class::Mass,
        _ if matches!(formation, Formation::Skirmish | Formation::Foragers) => Class::Open,
        _ if square || formation == Formation::Limbered || ranks > 1 => Class::Mass,
        _ => Class::Line,
    })
}

/// The formation that counts for fire at a body that changes: the one sought, except that skirmish
/// order counts only once complete (FE-1.5-11, FE-1.5-12, FE-R68).
#[must_use]
pub(crate) fn counting(now: Formation, changing_to: Option<Formation>) -> Formation {
    match changing_to {
        None => now,
        Some(sought @ (Formation::Skirmish | Formation::Foragers)) => {
            if rule!(FE_1_5_12).holds(true) {
                now
            } else {
                sought
            }
        }
        Some(sought) => {
            if rule!(FE_1_5_11).holds(true) {
                sought
            } else {
                now
            }
        }
    }
}
