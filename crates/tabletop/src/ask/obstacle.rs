//! `tabletop.obstacle`: linear obstacles as facts: crossed, lined, extended along, fought over,
//! degraded by guns (section 8).

use kernel::{Centimetres, Clerk, Question, Verdict, Whole};
use rulebook::options::tabletop::Options;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{of_body, within};
use crate::terrain::aftermath::{self, AfterObstacle, OverObstacle};
use crate::terrain::houses::surrender::{self, Morale};
use crate::terrain::obstacles::degrade::{self, Damage, Shelling};
use crate::terrain::obstacles::occupy::{self, At, Extension};
use crate::terrain::obstacles::{ObstacleClass, cross};
use crate::terrain::state::State;
use crate::terrain::troops::Troops;

/// The question `tabletop.obstacle`.
pub struct Obstacle;

/// What is asked of an obstacle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// How long a body takes to cross.
    Cross(Crossing),
    /// May a body re-form after crossing?
    Reform(Reform),
    /// How many figures hold it after a deployment along it.
    Deploy(Deploy),
    /// May a body that lines it march off?
    Leave(Leave),
    /// How a front is extended along it.
    Extend(Extend),
    /// What follows a round over it.
    AfterRound(OverObstacle),
    /// The state of an attacker that comes back to it after a recoil.
    ComeBack(ComeBack),
    /// What a morale result means for a body beaten while it was caught crossing.
    CaughtAndBeaten(Morale),
    /// What guns do to it.
    Shell(Shelling),
    /// May a battery behind it turn?
    Reorient(Reorient),
}

/// A body before an obstacle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Crossing {
    /// Its class.
    pub class: ObstacleClass,
    /// Who crosses, with its ranks.
    pub troops: Troops,
    /// Its movement in a half-period on plain.
    pub half_period_cm: Centimetres,
}

/// A body that crosses.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reform {
    /// Who.
    pub troops: Troops,
    /// Ranks on the far side.
    pub ranks_across: Whole<0, 99>,
}

/// A deployment along an obstacle.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deploy {
    /// Figures of the body.
    pub figures: Whole<1, 999>,
    /// Figures its outline has room for.
    pub room: Whole<0, 999>,
    /// The body touches it.
    pub in_contact: bool,
}

/// A body that lines an obstacle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Leave {
    /// Who.
    pub troops: Troops,
    /// Its figures face different ways.
    pub faces_several_ways: bool,
}

/// An extension along an obstacle or a house.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Extend {
    /// Figures in contact when it begins.
    pub in_contact: Whole<0, 999>,
    /// Figures to bring up.
    pub wanted: Whole<0, 999>,
    /// Figures there is room for in all.
    pub room: Whole<0, 999>,
    /// A round over it was drawn.
    #[serde(default)]
    pub after_draw: bool,
}

/// An attacker that recoiled.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComeBack {
    /// Who.
    pub troops: Troops,
    /// It has re-formed since.
    #[serde(default)]
    pub reformed: bool,
}

/// A battery that turns.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reorient {
    /// Its base, turned, would meet an obstacle, a house or a wood.
    pub base_would_meet_obstacle: bool,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The crossing.
    Cross {
        /// Half-periods from contact until the last rank is over.
        half_periods: i32,
        /// Ranks in the first of them.
        ranks_per_half_period: i32,
        /// The state during it and after.
        state: State,
    },
    /// Quarters of re-forming.
    Reform(i32),
    /// Figures that hold the obstacle.
    Holding(i32),
    /// It may be done.
    Allowed,
    /// Figures in contact after each quarter of the period.
    Extended([i32; 4]),
    /// What follows.
    AfterRound(AfterObstacle),
    /// A state.
    State(State),
    /// A morale result.
    Morale(Morale),
    /// What the guns did.
    Damage(Damage),
}

impl Question for Obstacle {
    const NAME: &'static str = "tabletop.obstacle";
    type Options = Options;
    type Request = Request;
    type Answer = Answer;

    fn answer(request: &Request, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
        Ok(match request {
            Request::Cross(crossing) => {
                let Crossing { class, troops, half_period_cm: movement } = crossing;
                let asks = of_body("cross.troops");
                let half_periods =
                    cross::half_periods(*class, troops, *movement, options, clerk).map_err(&asks)?;
                let step = cross::half_period(*class, troops, *movement, Centimetres::ZERO, 0, clerk)
                    .map_err(&asks)?;
                let imposed = cross::imposes(*class, troops, options, clerk);
                let state = troops.state.max(imposed.unwrap_or_default());
                Answer::Cross { half_periods, ranks_per_half_period: step.ranks_across, state }
            }
            Request::Reform(Reform { troops, ranks_across }) => {
                let reform = cross::may_reform(troops, ranks_across.get(), clerk);
                Answer::Reform(reform.map_err(of_body("reform.troops"))?)
            }
            Request::Deploy(deploy) => Answer::Holding(occupy::deploy_along(
                deploy.figures.get(),
                deploy.room.get(),
                deploy.in_contact,
                clerk,
            )?),
            Request::Leave(leave) => {
                occupy::may_leave(&leave.troops, leave.faces_several_ways, clerk)?;
                Answer::Allowed
            }
            Request::Extend(extend) => {
                let at = if extend.after_draw { At::ObstacleAfterDraw } else { At::Obstacle };
                let extension = Extension {
                    in_contact: extend.in_contact.get(),
                    wanted: extend.wanted.get(),
                    room: extend.room.get(),
                };
                Answer::Extended(occupy::extend(at, extension, clerk))
            }
            Request::AfterRound(round) => {
                Answer::AfterRound(aftermath::over_obstacle(round, options, clerk)?)
            }
            Request::ComeBack(back) => {
                Answer::State(aftermath::come_back(&back.troops, back.reformed, clerk))
            }
            Request::CaughtAndBeaten(result) => {
                Answer::Morale(surrender::caught_and_beaten(*result, surrender::Caught::AtObstacle, clerk))
            }
            Request::Shell(shelling) => {
                Answer::Damage(degrade::shell(shelling, options, clerk).map_err(within("shell"))?)
            }
            Request::Reorient(turn) => {
                degrade::reorient(turn.base_would_meet_obstacle, clerk)?;
                Answer::Allowed
            }
        })
    }
}
