//! `tabletop.move`: a body, its way, its pace: the distance got in each quarter, where it stands
//! and in which state, what each stretch cost, or why not. On facts or on a scene. Changes of
//! formation and charges, as far as ground has a word, are asked here too.

use kernel::{Centimetres, Clerk, Question, Refusal, Verdict, Whole};
use rulebook::options::tabletop::Options;
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{of_body, within};
use crate::geometry::{Facing, Point};
use crate::movement::{self, ChargeType, March, Marched, Pace, Stretch};
use crate::scene::Setup;
use crate::terrain::charge::{self, Charged, Way};
use crate::terrain::ground::{self, Ground};
use crate::terrain::troops::{Formation, State, Troops};
use crate::terrain::{hills, on_table, redoubts, woods};

/// The question `tabletop.move`.
pub struct Move;

/// What is asked.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// A march, its stretches given as facts.
    March(OnGround),
    /// A march on a scene.
    OnTable(Box<OnTable>),
    /// May a charge be made, as far as ground is concerned?
    Charge(ChargeOnGround),
    /// May a body change formation where it stands?
    ChangeFormation(Manoeuvre),
    /// May guns be deployed where they stand?
    Unlimber(Manoeuvre),
    /// A column lines the edge of a wood.
    LineWoodEdge(LineEdge),
    /// A body bends along the edge of a wood.
    FollowWoodEdge(Troops),
    /// A body bends along a curved crest.
    FollowCrest(Troops),
    /// A body re-forms.
    Reform(Reform),
    /// A body moves on along the slope on which it reorganised.
    ResumeOnSlope(Troops),
    /// A body enters a redoubt.
    EnterRedoubt(EnterRedoubt),
}

/// A march as facts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnGround {
    /// Who marches.
    pub body: Troops,
    /// Its class in the table of rates: A, B or C; light, medium or heavy; `foot_12` and so on.
    pub class: Option<String>,
    /// Its movement in a half-period, instead of the table's.
    pub half_period_cm: Option<Centimetres>,
    /// How.
    #[serde(default)]
    pub pace: Pace,
    /// Quarters it marches; two unless said otherwise.
    #[serde(default = "two")]
    pub quarters: Whole<1, 40>,
    /// Its way.
    pub path: Vec<Stretch>,
    /// It takes the road bonus where it can.
    #[serde(default = "yes")]
    pub road_bonus: bool,
    /// Its charge bonus, instead of the table's.
    pub charge_bonus_cm: Option<Centimetres>,
}

fn two() -> Whole<1, 40> {
    Whole::new(2).unwrap_or_else(|| unreachable!())
}

fn yes() -> bool {
    true
}

/// The most stretches or places of one way.
const MOST: usize = 200;

/// A march on a scene.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnTable {
    /// The table.
    pub scene: Setup,
    /// Who marches.
    pub body: String,
    /// Where its head goes, place by place.
    pub to: Vec<Point>,
    /// How.
    #[serde(default)]
    pub pace: Pace,
    /// Quarters it marches.
    #[serde(default = "two")]
    pub quarters: Whole<1, 40>,
    /// It takes the road bonus where it can.
    #[serde(default = "yes")]
    pub road_bonus: bool,
}

/// A charge as facts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChargeOnGround {
    /// Who charges.
    pub charger: Troops,
    /// Along what.
    #[serde(default)]
    pub way: Way,
    /// At whom.
    #[serde(default)]
    pub target: Charged,
}

/// A manoeuvre on the spot.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manoeuvre {
    /// The elements the body stands in.
    #[serde(default)]
    pub ground: Vec<Ground>,
    /// The new formation fits there.
    #[serde(default = "yes")]
    pub fits: bool,
}

/// A column at the edge of a wood.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineEdge {
    /// Who.
    pub body: Troops,
    /// Its head has reached the edge.
    pub head_at_edge: bool,
    /// Quarters from march column to line in the plain.
    pub plain_quarters: Whole<0, 40>,
}

/// A body that re-forms.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reform {
    /// Who.
    pub body: Troops,
    /// Where.
    #[serde(default)]
    pub place: ReformAt,
    /// It stands still, out of melee.
    #[serde(default = "yes")]
    pub halted: bool,
}

/// Where a body re-forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReformAt {
    /// Clear of what caused its state.
    #[default]
    ClearGround,
    /// On the slope.
    Slope,
    /// Wholly in a clearing.
    Clearing,
    /// Partly under trees.
    EdgeOfClearing,
}

/// A body before a redoubt.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnterRedoubt {
    /// Who.
    pub body: Troops,
    /// By the gap at its rear.
    pub by_gap: bool,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The march.
    Marched(Marched),
    /// The march on the table.
    OnTable(Moved),
    /// The charge may be made.
    Charge {
        /// The charge bonus counts in the melee.
        melee_bonus: bool,
    },
    /// It may be done.
    Allowed,
    /// It takes so many quarters.
    Quarters(i32),
    /// It may be done; bases may overlap.
    FollowsEdge {
        /// Bases of skirmishers may partly overlap.
        bases_may_overlap: bool,
    },
    /// It stands so.
    Stands {
        /// It counts as in this formation.
        formation: Formation,
        /// In this state.
        state: State,
    },
    /// In this state.
    State(State),
}

/// A march on the table, with where it ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Moved {
    /// The march.
    pub march: Marched,
    /// The middle of its front.
    pub at: Point,
    /// Where it faces.
    pub facing: Facing,
    /// The elements it stands in.
    pub ground: Vec<Ground>,
    /// The elements of each stretch.
    pub stretches: Vec<Passed>,
    /// The enemy it has come into contact with.
    pub contact: Option<String>,
    /// In a charge, whether the charge bonus counts in the melee.
    pub melee_bonus: Option<bool>,
}

/// A stretch the geometry found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Passed {
    /// Its length.
    pub cm: Centimetres,
    /// Its elements.
    pub ground: Vec<Ground>,
    /// On a road.
    pub on_road: bool,
    /// The obstacle at its beginning.
    pub obstacle: Option<crate::terrain::obstacles::ObstacleClass>,
}

impl Question for Move {
    const NAME: &'static str = "tabletop.move";
    type Options = Options;
    type Request = Request;
    type Answer = Answer;

    fn answer(request: &Request, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
        match request {
            Request::March(march) => {
                on_ground(march, options, clerk).map(Answer::Marched).map_err(within("march"))
            }
            Request::OnTable(march) => {
                on_the_table(march, options, clerk).map(Answer::OnTable).map_err(within("on-table"))
            }
            Request::Charge(charge) => {
                let ChargeOnGround { charger, way, target } = charge;
                let charge = charge::may_charge(charger, way, target, options, clerk)?;
                Ok(Answer::Charge { melee_bonus: charge.melee_bonus })
            }
            Request::ChangeFormation(Manoeuvre { ground, fits }) => {
                ground::may_change_formation(ground, *fits, options, clerk)?;
                Ok(Answer::Allowed)
            }
            Request::Unlimber(Manoeuvre { ground, fits }) => {
                ground::may_unlimber(ground, *fits, options, clerk)?;
                Ok(Answer::Allowed)
            }
            Request::LineWoodEdge(edge) => {
                woods::extend_along_edge(&edge.body, edge.head_at_edge, edge.plain_quarters.get(), clerk)
                    .map(Answer::Quarters)
            }
            Request::FollowWoodEdge(body) => {
                Ok(Answer::FollowsEdge { bases_may_overlap: woods::follow_edge(body, clerk) })
            }
            Request::FollowCrest(body) => {
                let (formation, state) = hills::bent_along_crest(body, clerk);
                Ok(Answer::Stands { formation, state })
            }
            Request::Reform(reform) => re_form(reform, clerk).map(Answer::Quarters),
            Request::ResumeOnSlope(body) => Ok(Answer::State(hills::resume_on_slope(body, clerk))),
            Request::EnterRedoubt(EnterRedoubt { body, by_gap }) => {
                redoubts::may_enter(body, *by_gap, clerk)?;
                let (formation, state) = redoubts::inside(clerk);
                Ok(Answer::Stands { formation, state })
            }
        }
    }
}

fn re_form(reform: &Reform, clerk: &mut impl Clerk) -> Verdict<i32> {
    match reform.place {
        ReformAt::Slope => hills::reorganise_on_slope(&reform.body, reform.halted, clerk),
        _ if !reform.halted => Err(Refusal::rule(rule!(TE_R02), phrase::NOT_HALTED)),
        ReformAt::Clearing => woods::reform_in_clearing(&reform.body, true, clerk),
        ReformAt::EdgeOfClearing => woods::reform_in_clearing(&reform.body, false, clerk),
        ReformAt::ClearGround => {
            Ok(crate::terrain::state::reform_quarters(reform.body.state, reform.body.status, clerk))
        }
    }
}

fn on_ground(march: &OnGround, options: &Options, clerk: &mut impl Clerk) -> Verdict<Marched> {
    if march.path.is_empty() || march.path.len() > MOST {
        return Err(Refusal::field("path", kernel::phrase::WRONG_LENGTH)
            .with("found", i64::try_from(march.path.len()).unwrap_or(i64::MAX))
            .with("expected", format!("1…{MOST}")));
    }
    for (number, stretch) in march.path.iter().enumerate() {
        if stretch.cm < Centimetres::ZERO || stretch.cm > LONGEST {
            return Err(Refusal::field(format!("path.{number}.cm"), kernel::phrase::IMPOSSIBLE_VALUE)
                .with("found", stretch.cm)
                .with("expected", "0…1000"));
        }
    }
    let rider = march.body.formation == Formation::Single;
    let class = march.class.as_deref().unwrap_or(if rider { "-" } else { "A" });
    let half_period = match march.half_period_cm {
        Some(given) if given >= Centimetres::ZERO && given <= LONGEST => given,
        Some(given) => {
            return Err(Refusal::field("half_period_cm", kernel::phrase::IMPOSSIBLE_VALUE)
                .with("found", given)
                .with("expected", "0…1000"));
        }
        None => movement::rate_named(&march.body, class, march.pace).map_err(|r| r.at("class"))?,
    };
    let charge_bonus = march
        .charge_bonus_cm
        .unwrap_or_else(|| movement::charge_distance(&march.body, ChargeType::named(class)))
        .clamp(Centimetres::ZERO, LONGEST);
    movement::march(
        &March {
            troops: &march.body,
            half_period,
            pace: march.pace,
            quarters: march.quarters.get(),
            way: &march.path,
            road_bonus: march.road_bonus,
            charge_bonus,
            loosened: None,
        },
        options,
        clerk,
    )
    .map_err(of_body("body"))
}

/// No stretch and no movement is longer.
const LONGEST: Centimetres = Centimetres::whole(1000);

fn on_the_table(request: &OnTable, options: &Options, clerk: &mut impl Clerk) -> Verdict<Moved> {
    if request.to.is_empty() || request.to.len() > MOST {
        return Err(Refusal::field("to", kernel::phrase::WRONG_LENGTH)
            .with("found", i64::try_from(request.to.len()).unwrap_or(i64::MAX))
            .with("expected", format!("1…{MOST}")));
    }
    let scene = request.scene.checked("scene", options)?;
    let body = scene.body(&request.body, "body")?;
    let troops = body.troops();
    let half_period = on_table::half_period(body, request.pace).map_err(|r| r.at("body"))?;
    let charge_bonus = on_table::charge_bonus(body);
    let way = on_table::Way::new(&scene, body, &request.to, request.pace)?;
    let quarters = request.quarters.get();
    // More than plain, road and charge can give; ground only takes away.
    let reach = i64::from(half_period.count()) * i64::from(quarters) * 6 / 10
        + i64::from(charge_bonus.count()) * 2
        + i64::from(body.now().ranks()) * i64::from(troops.base_depth().count());
    let on_table::Walked { stretches, foe, melee_bonus, march } =
        way.walk(reach, request.pace, quarters, request.road_bonus, options, clerk)?;
    let whole: Centimetres = stretches.iter().map(|stretch| stretch.cm).sum();
    let along = i64::from(march.distance_cm.count());
    let arrived = march.distance_cm >= whole;
    if let Some(friend) = way.ends_on(along, march.turning_quarters) {
        return Err(Refusal::field("to", phrase::ENDS_ON_UNIT).with("unit", friend.id()));
    }
    let (at, facing) = way.head(along, march.turning_quarters);
    Ok(Moved {
        at,
        facing,
        ground: way.grounds_at(along, march.turning_quarters),
        stretches: stretches
            .iter()
            .map(|stretch| Passed {
                cm: stretch.cm,
                ground: stretch.ground.clone(),
                on_road: stretch.on_road,
                obstacle: stretch.obstacle,
            })
            .collect(),
        contact: foe.filter(|_| arrived).map(|foe| foe.id().to_owned()),
        melee_bonus,
        march,
    })
}
