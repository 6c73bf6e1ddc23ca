//! `tabletop.fire-ground`: what ground does to a fire, as facts: who may fire out of it, over it
//! and into it, in which arc, and what shelters the target.

use kernel::{Centimetres, Clerk, Question, Verdict, Whole};
use rulebook::options::tabletop::Options;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fire::Cover;
use crate::terrain::batteries::{self, Guns, Mishap};
use crate::terrain::cover::{self, Place};
use crate::terrain::crops::{self, CropFire};
use crate::terrain::ground::Ground;
use crate::terrain::hills::{self, CrestFire, DownhillOverCover, FiredOver};
use crate::terrain::houses::fire as house_fire;
use crate::terrain::plateau::{self, PlateauFire};
use crate::terrain::revealed::{self, GaveItselfAway};
use crate::terrain::rivers;
use crate::terrain::troops::Troops;
use crate::terrain::woods::{self, WoodFire};
use crate::{Arm, arm};

/// The question `tabletop.fire-ground`.
pub struct FireGround;

/// What is asked.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// What shelters a target.
    Shelter(Place),
    /// Which figures of a target stand in the open, by the shelter of each.
    Exposed(Vec<Cover>),
    /// Do bullets at skirmishers on an obstacle go on?
    BulletsPass(Lined),
    /// Fire over a crest.
    OverCrest(OverCrest),
    /// The penalty of firing from a bare slope.
    FromSlope(Troops),
    /// Fire over somebody lower.
    OverUnit(OverUnit),
    /// Fire down over a covered slope.
    DownCoveredSlope(DownSlope),
    /// Fire to, from or on a plateau.
    Plateau(OnPlateau),
    /// Fire in, into or out of a wood.
    Wood(InWood),
    /// The firing angle of a body.
    Angle(Troops),
    /// Fire in, into or out of crops.
    Crops(InCrops),
    /// Fire from a stream or a ford.
    Water(InWater),
    /// The range from the wall of a house.
    FromWall(Centimetres),
    /// Does the enemy still know of a unit that gave itself away?
    Revealed(GaveItselfAway),
    /// What becomes of a battery's guns.
    Guns(GunsLost),
}

/// An obstacle with somebody on it.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lined {
    /// Skirmishers line it.
    pub by_skirmishers: bool,
}

/// Figures at a crest.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverCrest {
    /// Astride it.
    pub astride: Whole<0, 999>,
    /// On the slope towards the target.
    pub beyond: Whole<0, 999>,
    /// Behind it.
    pub behind: Whole<0, 999>,
}

/// Somebody lower.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverUnit {
    /// From the shooter to him.
    pub distance_cm: Centimetres,
    /// It is a melee.
    #[serde(default)]
    pub melee: bool,
    /// The target takes part in some melee.
    #[serde(default)]
    pub target_in_melee: bool,
}

/// A covered slope below a shooter.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DownSlope {
    /// What stands on the slope leaves the target in view.
    pub sight_free: bool,
    /// The target is in that wood or village.
    #[serde(default)]
    pub target_inside: bool,
    /// It has given itself away.
    #[serde(default)]
    pub revealed: bool,
}

/// Fire and a plateau.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum OnPlateau {
    /// Both on the flat top.
    OnTop,
    /// From the contour down.
    FromContour,
    /// From behind the contour, at a target so far from it.
    FromBehindContour(Centimetres),
    /// From the plain, so far from the contour, at somebody behind it.
    FromPlain(Centimetres),
    /// Does the ball of a battery on the top go on behind its target?
    BallPenetrates(OnTop),
}

/// Where the target of a battery stands.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnTop {
    /// On the top too.
    pub target_on_top: bool,
}

/// Fire and a wood.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum InWood {
    /// Out of it, through so much of it.
    Outwards(Centimetres),
    /// Into it.
    Inwards(Inwards),
    /// Between two bodies in it, so far apart.
    Inside(Centimetres),
}

/// A target in a wood.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inwards {
    /// Trees in front of it.
    pub depth_cm: Centimetres,
    /// It has given itself away.
    pub revealed: bool,
}

/// Fire and crops.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InCrops {
    /// The shooter stands in them.
    #[serde(default)]
    pub shooter_inside: bool,
    /// They are vines.
    #[serde(default)]
    pub vines: bool,
    /// The target stands in them.
    #[serde(default)]
    pub target_inside: bool,
    /// The arm of the target.
    #[serde(default, deserialize_with = "arm::on_ground")]
    #[schemars(with = "arm::GroundWord")]
    pub target_arm: Arm,
    /// Base to base.
    pub distance_cm: Centimetres,
}

/// A body in water.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InWater {
    /// Which.
    pub water: Ground,
    /// Who.
    pub body: Troops,
}

/// Guns and what befalls them.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GunsLost {
    /// As they are.
    #[serde(default)]
    pub guns: Guns,
    /// What befalls them.
    pub by: Mishap,
    /// The budget of the battery.
    #[serde(default)]
    pub budget: u32,
}

/// What is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The shelter and its factor.
    Shelter {
        /// The best single one.
        cover: Cover,
        /// What it adds to the factor of the fire.
        factor: i32,
    },
    /// So many figures.
    Figures(i32),
    /// Yes or no.
    Holds(bool),
    /// It may be done.
    Allowed,
    /// A modifier.
    Modifier(i32),
    /// Tenths of a degree on either side.
    AngleTenths(i32),
    /// A distance.
    Distance(Centimetres),
    /// The guns, and whether they are an obstacle now.
    Guns {
        /// As they are now.
        guns: Guns,
        /// They count as an obstacle.
        obstacle: bool,
        /// What of its budget is lost with them.
        budget_lost: u32,
    },
}

impl Question for FireGround {
    const NAME: &'static str = "tabletop.fire-ground";
    type Options = Options;
    type Request = Request;
    type Answer = Answer;

    fn answer(request: &Request, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
        let allowed = |()| Answer::Allowed;
        match request {
            Request::Shelter(place) => {
                let cover = cover::against_fire(place, clerk);
                Ok(Answer::Shelter { cover, factor: cover::fire_factor(cover, clerk) })
            }
            Request::Exposed(shelters) => Ok(Answer::Figures(
                i32::try_from(cover::exposed_figures(shelters, clerk)).unwrap_or(i32::MAX),
            )),
            Request::BulletsPass(lined) => {
                Ok(Answer::Holds(cover::bullets_pass_screen(lined.by_skirmishers, clerk)))
            }
            Request::OverCrest(at) => {
                let figures =
                    CrestFire { astride: at.astride.get(), beyond: at.beyond.get(), behind: at.behind.get() };
                hills::firing_over_crest(figures, clerk).map(Answer::Figures)
            }
            Request::FromSlope(body) => Ok(Answer::Modifier(hills::slope_fire_penalty(body, clerk))),
            Request::OverUnit(over) => hills::fire_over(
                FiredOver {
                    distance: over.distance_cm,
                    melee: over.melee,
                    target_in_melee: over.target_in_melee,
                },
                clerk,
            )
            .map(allowed),
            Request::DownCoveredSlope(down) => hills::fire_downhill_over_cover(
                DownhillOverCover {
                    sight_free: down.sight_free,
                    target_inside: down.target_inside,
                    revealed: down.revealed,
                },
                clerk,
            )
            .map(allowed),
            Request::Plateau(fire) => {
                let fire = match *fire {
                    OnPlateau::OnTop => PlateauFire::OnTop,
                    OnPlateau::FromContour => PlateauFire::FromContour,
                    OnPlateau::FromBehindContour(distance) => PlateauFire::FromBehind(distance),
                    OnPlateau::FromPlain(distance) => PlateauFire::FromPlain(distance),
                    OnPlateau::BallPenetrates(OnTop { target_on_top }) => {
                        return Ok(Answer::Holds(plateau::penetrates(target_on_top, clerk)));
                    }
                };
                plateau::may_fire(fire, clerk).map(allowed)
            }
            Request::Wood(fire) => {
                let fire = match *fire {
                    InWood::Outwards(depth) => WoodFire::Outwards(depth),
                    InWood::Inwards(Inwards { depth_cm, revealed }) => {
                        WoodFire::Inwards { depth: depth_cm, revealed }
                    }
                    InWood::Inside(distance) => WoodFire::Inside(distance),
                };
                woods::may_fire(fire, clerk).map(allowed)
            }
            Request::Angle(body) => Ok(Answer::AngleTenths(woods::firing_angle(body, clerk))),
            Request::Crops(fire) => crops::may_fire(
                CropFire {
                    shooter_inside: fire.shooter_inside,
                    vines: fire.vines,
                    target_inside: fire.target_inside,
                    target_arm: fire.target_arm,
                    distance: fire.distance_cm,
                },
                options,
                clerk,
            )
            .map(allowed),
            Request::Water(InWater { water, body }) => rivers::may_fire(*water, body, clerk).map(allowed),
            Request::FromWall(distance) => Ok(Answer::Distance(house_fire::range(*distance, clerk))),
            Request::Revealed(unit) => Ok(Answer::Holds(revealed::still(*unit, options, clerk))),
            Request::Guns(GunsLost { guns, by, budget }) => {
                let guns = batteries::after(*guns, *by, clerk)?;
                Ok(Answer::Guns {
                    guns,
                    obstacle: batteries::is_obstacle(guns, clerk),
                    budget_lost: batteries::budget_lost(guns, *budget, clerk),
                })
            }
        }
    }
}
