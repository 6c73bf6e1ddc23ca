//! The terrain matrix: what each element does to entry, speed, state, charges, changes of formation
//! and deployment (TE-9.3-08), and how elements combine on one place (TE-R04). The elements some
//! base of a body overlaps enter; fractions, states and refusals leave, each with its rule.

use kernel::{Clerk, Phrase, Refusal, RuleId, Verdict};
use rulebook::options::tabletop::{
    Ditch, FlatVineyard, ForestTrackArms, Options, SkirmishersElsewhere, SkirmishersOnBareSlope,
};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::TerrainMatrixElement as Matrix;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::{self, State};
use super::tables::{Change, ChargeAt, Deploy, Row, row};
use super::troops::{Arm, Kind, Troops, arm_word};
use super::{batteries, crops, hills, plateau, rivers, woods};

pub use super::tables::Fraction;

/// An element some base of a body overlaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// Nothing else.
    Plain,
    /// The slope of a hill.
    HillSlope,
    /// The crest line of a hill.
    HillCrest,
    /// The slope of a plateau.
    PlateauSlope,
    /// The flat top of a plateau.
    PlateauTop,
    /// A wood, a forest or an orchard.
    Wood,
    /// A clearing in a wood.
    Clearing,
    /// A track through a wood.
    ForestTrack,
    /// A wide ride through a wood.
    Ride,
    /// A house element.
    House,
    /// The street of a village.
    Street,
    /// A stream.
    Stream,
    /// A ditch.
    Ditch,
    /// A river.
    River,
    /// A large river.
    LargeRiver,
    /// A bridge.
    Bridge,
    /// A ford.
    Ford,
    /// A marsh or a pond.
    Marsh,
    /// A road.
    Road,
    /// A road between trees.
    TreeLinedRoad,
    /// The inside of a redoubt.
    Redoubt,
    /// Wheat, maize and the like.
    TallCrops,
    /// Vines.
    Vineyard,
    /// Ploughed land.
    PloughedLand,
    /// A battery abandoned, spiked or overturned.
    AbandonedBattery,
    /// Mountains, which the rules do not know.
    Mountain,
}

impl Ground {
    /// Its name, for readers.
    #[must_use]
    pub const fn word(self) -> Phrase {
        match self {
            Self::Plain => phrase::GROUND_PLAIN,
            Self::HillSlope => phrase::GROUND_HILL_SLOPE,
            Self::HillCrest => phrase::GROUND_HILL_CREST,
            Self::PlateauSlope => phrase::GROUND_PLATEAU_SLOPE,
            Self::PlateauTop => phrase::GROUND_PLATEAU_TOP,
            Self::Wood => phrase::GROUND_WOOD,
            Self::Clearing => phrase::GROUND_CLEARING,
            Self::ForestTrack => phrase::GROUND_FOREST_TRACK,
            Self::Ride => phrase::GROUND_RIDE,
            Self::House => phrase::GROUND_HOUSE,
            Self::Street => phrase::GROUND_STREET,
            Self::Stream => phrase::GROUND_STREAM,
            Self::Ditch => phrase::GROUND_DITCH,
            Self::River => phrase::GROUND_RIVER,
            Self::LargeRiver => phrase::GROUND_LARGE_RIVER,
            Self::Bridge => phrase::GROUND_BRIDGE,
            Self::Ford => phrase::GROUND_FORD,
            Self::Marsh => phrase::GROUND_MARSH,
            Self::Road => phrase::GROUND_ROAD,
            Self::TreeLinedRoad => phrase::GROUND_TREE_LINED_ROAD,
            Self::Redoubt => phrase::GROUND_REDOUBT,
            Self::TallCrops => phrase::GROUND_TALL_CROPS,
            Self::Vineyard => phrase::GROUND_VINEYARD,
            Self::PloughedLand => phrase::GROUND_PLOUGHED_LAND,
            Self::AbandonedBattery => phrase::GROUND_ABANDONED_BATTERY,
            Self::Mountain => phrase::GROUND_MOUNTAIN,
        }
    }

    /// Its row in the matrix.
    const fn row(self) -> Matrix {
        match self {
            Self::Plain | Self::Mountain => Matrix::Plain,
            Self::HillSlope => Matrix::HillSlopeBare,
            Self::HillCrest => Matrix::HillCrest,
            Self::PlateauSlope => Matrix::PlateauSlope,
            Self::PlateauTop => Matrix::PlateauTop,
            Self::Wood => Matrix::Wood,
            Self::Clearing => Matrix::WoodClearing,
            Self::ForestTrack => Matrix::ForestTrack,
            Self::Ride => Matrix::WoodRide,
            Self::House => Matrix::House,
            Self::Street => Matrix::VillageStreet,
            Self::Stream => Matrix::Stream,
            Self::Ditch => Matrix::Ditch,
            Self::River => Matrix::River,
            Self::LargeRiver => Matrix::LargeRiver,
            Self::Bridge => Matrix::Bridge,
            Self::Ford => Matrix::Ford,
            Self::Marsh => Matrix::Marsh,
            Self::Road => Matrix::Road,
            Self::TreeLinedRoad => Matrix::TreeLinedRoad,
            Self::Redoubt => Matrix::Redoubt,
            Self::TallCrops => Matrix::TallCrops,
            Self::Vineyard => Matrix::VineyardFlat,
            Self::PloughedLand => Matrix::PloughedLand,
            Self::AbandonedBattery => Matrix::AbandonedBattery,
        }
    }

    /// A slope, of a hill or of a plateau.
    #[must_use]
    pub const fn is_slope(self) -> bool {
        matches!(self, Self::HillSlope | Self::HillCrest | Self::PlateauSlope)
    }

    /// Running or standing water that a road crosses only on a bridge (TE-R70).
    #[must_use]
    pub const fn is_watercourse(self) -> bool {
        matches!(self, Self::Stream | Self::Ditch | Self::River | Self::LargeRiver | Self::Ford)
    }
}

/// The rules by which an element's effects are cited.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cited {
    /// Who may enter.
    pub(crate) entry: Option<RuleId>,
    /// How fast.
    pub(crate) speed: Option<RuleId>,
    /// How fast skirmishers are, where the chapter says it apart.
    pub(crate) speed_open: Option<RuleId>,
    /// What it does to close order.
    pub(crate) close: Option<RuleId>,
    /// What it does to horse, where the chapter says it apart.
    pub(crate) horse: Option<RuleId>,
    /// That skirmishers stay formed.
    pub(crate) open: Option<RuleId>,
    /// That no charge goes through it.
    pub(crate) charge: Option<RuleId>,
    /// That no formation is changed in it.
    pub(crate) change: Option<RuleId>,
    /// That no gun is deployed in it.
    pub(crate) deploy: Option<RuleId>,
}

/// An element on a place, covered slopes being one element (TE-2.4-09).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    /// What it is called.
    pub(crate) ground: Ground,
    row: Row,
    cited: Cited,
}

/// The elements that act on a place: a slope under a wood or a crop is a covered slope, a ditch or
/// a flat vineyard is what the option says.
pub(crate) fn elements(grounds: &[Ground], options: &Options, clerk: &mut impl Clerk) -> Vec<Element> {
    let mut all = Vec::new();
    let slope = grounds.iter().any(|ground| ground.is_slope());
    let in_wood_by_path = grounds.iter().any(|g| matches!(g, Ground::ForestTrack | Ground::Ride));
    let covered = |ground: Ground| match ground {
        Ground::Wood if slope => Some(Matrix::HillSlopeWooded),
        Ground::TallCrops | Ground::Vineyard if slope => Some(Matrix::HillSlopeCultivated),
        _ => None,
    };
    let any_cover = grounds.iter().any(|&ground| covered(ground).is_some());
    let plain = grounds.iter().all(|ground| *ground == Ground::Plain);
    if !plain && !clerk.holds(rule!(TE_9_3_08), true) {
        return all;
    }
    let on_crest = grounds.contains(&Ground::HillCrest);
    for (place, &ground) in grounds.iter().enumerate() {
        // An element counts once, and the crest of a hill is part of its slope.
        let again = grounds.iter().take(place).any(|before| *before == ground);
        if again || (ground == Ground::HillSlope && on_crest) {
            continue;
        }
        if let Some(name) = covered(ground) {
            let name = clerk.rather(rule!(TE_R23), name, ground.row());
            all.push(Element { ground, row: row(name), cited: hills::COVERED_SLOPE });
            continue;
        }
        if ground.is_slope() && any_cover {
            continue;
        }
        // On its track or ride a body is not in the wood around it (TE-R34).
        if ground == Ground::Wood && in_wood_by_path {
            continue;
        }
        if ground == Ground::Vineyard {
            let plain = options.flat_vineyard == FlatVineyard::AsPlain;
            if clerk.rather(rule!(TE_R86), plain, !plain) {
                continue;
            }
        }
        if ground == Ground::Ditch {
            let obstacle = options.ditch == Ditch::AsLightObstacle;
            if clerk.rather(rule!(TE_R63), obstacle, !obstacle) {
                continue;
            }
        }
        all.push(Element { ground, row: row(ground.row()), cited: cited(ground) });
    }
    all
}

fn cited(ground: Ground) -> Cited {
    match ground {
        Ground::HillSlope | Ground::HillCrest => hills::BARE_SLOPE,
        Ground::PlateauSlope => plateau::SLOPE,
        Ground::Wood => woods::WOOD,
        Ground::ForestTrack => woods::TRACK,
        Ground::Ride => woods::RIDE,
        Ground::Stream | Ground::Ditch => rivers::STREAM,
        Ground::Ford => rivers::FORD,
        Ground::River => rivers::RIVER,
        Ground::LargeRiver => rivers::LARGE_RIVER,
        Ground::Marsh => rivers::MARSH,
        Ground::Bridge => rivers::BRIDGE,
        Ground::TallCrops | Ground::Vineyard => crops::TALL_CROPS,
        Ground::PloughedLand => crops::PLOUGHED_LAND,
        Ground::AbandonedBattery => batteries::ABANDONED,
        Ground::House => Cited { entry: Some(rule!(TE_5_2_01)), ..Cited::default() },
        Ground::Redoubt => Cited { entry: Some(rule!(TE_R73)), ..Cited::default() },
        Ground::Mountain => Cited { entry: Some(rule!(TE_1_1_08)), ..Cited::default() },
        Ground::Clearing => Cited { entry: Some(rule!(TE_R36)), ..Cited::default() },
        Ground::Plain | Ground::PlateauTop | Ground::Street | Ground::Road | Ground::TreeLinedRoad => {
            Cited::default()
        }
    }
}

impl Element {
    /// May this body enter it?
    ///
    /// # Errors
    /// The rule that keeps its arm out.
    pub(crate) fn admits(&self, troops: &Troops, options: &Options) -> Verdict<()> {
        let kind = troops.kind();
        let mut allowed = self.row.enter[kind as usize];
        let mut rule = self.cited.entry.unwrap_or(rule!(TE_9_3_08));
        match self.ground {
            // A house is entered as an action, never marched through.
            Ground::House | Ground::Mountain => allowed = false,
            Ground::ForestTrack | Ground::Ride => {
                if options.forest_track_arms == ForestTrackArms::InfantryOnly && troops.arm != Arm::Infantry {
                    allowed = false;
                }
                woods::fits_track(troops)?;
            }
            Ground::Wood if self.row.speed[0] == Some(Fraction::new(1, 4)) => rule = rule!(TE_R23),
            _ => {}
        }
        if allowed {
            return Ok(());
        }
        Refusal::rule(rule, phrase::NOT_ADMITTED)
            .with("arm", arm_word(kind))
            .with("ground", self.ground.word())
            .stands(())
    }

    /// The part of full speed a body makes in it.
    pub(crate) fn speed(&self, troops: &Troops, clerk: &mut impl Clerk) -> Fraction {
        let kind = troops.kind();
        let fraction = self.row.speed[kind as usize].unwrap_or(Fraction::ONE);
        let rule = match kind {
            Kind::Skirmishers => self.cited.speed_open.or(self.cited.speed),
            _ => self.cited.speed,
        };
        let Some(rule) = rule else { return fraction };
        let (of, whole) = clerk.times(rule, (fraction.of, fraction.whole));
        Fraction::new(of, whole)
    }

    /// The state it imposes on a body, if any.
    pub(crate) fn imposes(
        &self,
        troops: &Troops,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Option<State> {
        let kind = troops.kind();
        let mut state = self.row.during[kind as usize];
        if self.ground == Ground::Ride && woods::ride_keeps_order(troops, clerk) {
            return None;
        }
        if kind == Kind::Skirmishers {
            let elsewhere = matches!(self.ground, Ground::Stream | Ground::Ditch | Ground::Ford);
            if elsewhere && options.skirmishers_elsewhere == SkirmishersElsewhere::StayFormed {
                return state::stays_formed(rule!(TE_R07), clerk);
            }
            if self.ground.is_slope() {
                let disorganised = options.skirmishers_on_bare_slope == SkirmishersOnBareSlope::Disorganised;
                let loosened = if disorganised { State::Disorganised } else { State::Formed };
                let loosened = clerk.value(rule!(TE_R08), loosened);
                state = (loosened > State::Formed).then_some(loosened);
            }
            if state.is_none()
                && let Some(rule) = self.cited.open
            {
                return state::stays_formed(rule, clerk);
            }
        }
        let rule =
            if kind == Kind::Cavalry { self.cited.horse.or(self.cited.close) } else { self.cited.close };
        if state.is_none() && self.ground == Ground::PloughedLand {
            return crops::ploughed_keeps_order(clerk);
        }
        match (state, rule) {
            (Some(state), Some(rule)) => Some(clerk.value(rule, state)),
            (state, _) => state,
        }
    }

    /// May a charge go through it?
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(crate) fn charge_through(&self) -> Verdict<()> {
        if self.row.charge_through {
            return Ok(());
        }
        Refusal::rule(self.cited.charge.unwrap_or(rule!(TE_R25)), phrase::NO_CHARGE_THROUGH)
            .with("ground", self.ground.word())
            .stands(())
    }

    /// How somebody in it may be charged.
    pub(crate) fn charge_at(&self) -> ChargeAt {
        self.row.charge_at
    }

    /// May a formation be changed in it? `fits` says that the new formation stays inside it.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(crate) fn change(&self, fits: bool, clerk: &mut impl Clerk) -> Verdict<()> {
        match (self.row.change, self.ground) {
            (Change::Yes, _) => Ok(()),
            (Change::IfItFits, Ground::PlateauTop) => plateau::change_on_top(fits, clerk),
            (Change::IfItFits, _) if fits => Ok(()),
            (Change::IfItFits, _) => {
                Refusal::rule(rule!(TE_R71), phrase::NO_ROOM).with("ground", self.ground.word()).stands(())
            }
            (Change::No, _) => {
                Refusal::rule(self.cited.change.unwrap_or(rule!(TE_9_3_08)), phrase::NO_CHANGE)
                    .with("ground", self.ground.word())
                    .stands(())
            }
        }
    }

    /// May guns be deployed in it?
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(crate) fn deploy(&self, fits: bool, clerk: &mut impl Clerk) -> Verdict<()> {
        match (self.row.deploy, self.ground) {
            (Deploy::Yes, _) => Ok(()),
            (_, Ground::HillSlope | Ground::HillCrest) => hills::unlimber(self.ground, clerk),
            (Deploy::IfItFits, Ground::PlateauTop) => plateau::unlimber_on_top(fits, clerk),
            (Deploy::IfItFits, _) if fits => Ok(()),
            (Deploy::IfItFits, _) => {
                Refusal::rule(rule!(TE_R71), phrase::NO_ROOM).with("ground", self.ground.word()).stands(())
            }
            (Deploy::No, _) => {
                let rule = self.cited.deploy.or(self.cited.change).unwrap_or(rule!(TE_9_3_08));
                Refusal::rule(rule, phrase::NO_UNLIMBERING).with("ground", self.ground.word()).stands(())
            }
        }
    }
}

/// The speed of a body on a place: fractions multiply (TE-R04).
pub(crate) fn speed(all: &[Element], troops: &Troops, clerk: &mut impl Clerk) -> Fraction {
    let fractions: Vec<Fraction> = all.iter().map(|element| element.speed(troops, clerk)).collect();
    let product = fractions.iter().fold(Fraction::ONE, |product, &fraction| product.times(fraction));
    if fractions.iter().filter(|fraction| **fraction != Fraction::ONE).count() > 1 {
        let (of, whole) = clerk.times(rule!(TE_R04), (product.of, product.whole));
        return Fraction::new(of, whole);
    }
    product
}

/// The worst state a place imposes, if any (TE-R01).
pub(crate) fn imposed_state(
    all: &[Element],
    troops: &Troops,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Option<State> {
    let mut worst = None;
    for element in all {
        worst = worst.max(element.imposes(troops, options, clerk));
    }
    worst
}

/// May a body change formation where it stands?
///
/// # Errors
/// The rule that forbids it.
pub fn may_change_formation(
    grounds: &[Ground],
    fits: bool,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<()> {
    elements(grounds, options, clerk).iter().try_for_each(|element| element.change(fits, clerk))
}

/// May guns be unlimbered where they stand? Unlimbering is a change of formation.
///
/// # Errors
/// The rule that forbids it.
pub fn may_unlimber(
    grounds: &[Ground],
    fits: bool,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<()> {
    elements(grounds, options, clerk).iter().try_for_each(|element| element.deploy(fits, clerk))
}

/// What ground does to a body that stands on it: everything the matrix says, in one go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footing {
    /// The part of full speed.
    pub speed: Fraction,
    /// The state it imposes, if any.
    pub state: Option<State>,
}

/// Speed and state on a place, if the body may be there at all.
///
/// # Errors
/// The rule that keeps it out.
pub fn footing(
    grounds: &[Ground],
    troops: &Troops,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<Footing> {
    let all = elements(grounds, options, clerk);
    let bridged = grounds.contains(&Ground::Bridge);
    for element in &all {
        if !(bridged && element.ground.is_watercourse()) {
            element.admits(troops, options)?;
        }
    }
    let acting: Vec<Element> =
        all.into_iter().filter(|element| !(bridged && element.ground.is_watercourse())).collect();
    Ok(Footing {
        speed: speed(&acting, troops, clerk),
        state: imposed_state(&acting, troops, options, clerk),
    })
}
