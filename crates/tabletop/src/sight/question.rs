//! `tabletop.sight`: why one body sees another, or does not, with what blocks and where.

use kernel::{Centimetres, Clerk, Effect, Question, RuleId, Verdict};
use rulebook::options::tabletop::{DeadGroundMeasure, Options};
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limits::is_by_distance;
use super::{By, Outlook, Role, View};
use crate::Arm;
use crate::draw::{self, Mark, Overlay};
use crate::geometry::{Point, Segment};
use crate::scene::{Instant, Kind, Setup};

/// The question `tabletop.sight`.
pub struct AskSight;

/// Who looks at whom.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The table.
    pub scene: Setup,
    /// Who looks.
    pub from: String,
    /// At whom: a body, or a terrain element that a wood may hide.
    pub to: String,
    /// At which instant of the half-period; now unless told.
    #[serde(default)]
    pub at: When,
    /// Whether to draw it.
    #[serde(default)]
    pub draw: bool,
}

/// The instants of a half-period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// Its start.
    Start,
    /// The end of its first quarter.
    Middle,
    /// Its end, when the fire phase opens.
    #[default]
    End,
}

impl From<When> for Instant {
    fn from(when: When) -> Self {
        match when {
            When::Start => Self::P0,
            When::Middle => Self::P1,
            When::End => Self::P2,
        }
    }
}

/// What is seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Answer {
    /// Whether it is seen.
    pub sees: bool,
    /// Where the line starts.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
    /// Its length.
    pub length: Centimetres,
    /// What blocks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Blocked>,
}

/// What blocks a line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Blocked {
    /// The terrain element or body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Where.
    pub at: Point,
    /// The rule.
    #[schemars(with = "String")]
    pub rule: RuleId,
}

impl Question for AskSight {
    const NAME: &'static str = "tabletop.sight";
    const DRAWS: bool = true;
    type Options = Options;
    type Request = Request;
    type Answer = Answer;

    fn answer(request: &Request, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
        let scene = request.scene.checked("scene", options)?;
        scene.body(&request.from, "from")?;
        let place = |id: &str| scene.bodies().iter().position(|body| body.id() == id);
        let (observer, target) = (place(&request.from).unwrap_or(0), place(&request.to));
        let outlook = Outlook::new(&scene, options, request.at.into());
        let element = scene.elements().iter().position(|element| element.id == request.to);
        let judged = match (target, element) {
            (None, Some(element)) => {
                let judged = super::discovers(&outlook, observer, element);
                if judged.is_ok() && scene.elements()[element].hidden_in.is_some() {
                    clerk.applied(rule!(TE_4_3_10));
                }
                judged
            }
            _ => {
                scene.body(&request.to, "to")?;
                View::new(&outlook, observer, target.unwrap_or(0)).sees()
            }
        };
        let along = options.dead_ground_measure == DeadGroundMeasure::AlongTheSight;
        if along && target.is_some() && !outlook.roles(observer).is_empty() {
            clerk.applied(rule!(TE_R15));
        }
        let (line, blocked) = match judged {
            Ok(seen) => {
                let clear = target.is_none_or(|target| explain(&outlook, observer, target, seen, clerk));
                (seen, (!clear).then_some(Blocked { by: None, at: seen.to, rule: rule!(TE_1_3_02) }))
            }
            Err(block) => {
                clerk.because(block.rule, Effect::Refused);
                if matches!(block.by, By::Element(_)) {
                    clerk.because(rule!(TE_1_3_02), Effect::Refused);
                }
                if block.rule == rule!(TE_2_3_05) {
                    clerk.because(rule!(TE_2_3_07), Effect::Refused);
                }
                if is_by_distance(block.rule) {
                    clerk.because(rule!(TE_2_3_16), Effect::Refused);
                }
                let line = block.line.map_or(super::Seen { from: block.at, to: block.at }, |line| {
                    super::Seen { from: line.from, to: line.to }
                });
                let by = match block.by {
                    By::Element(place) => Some(scene.elements()[place].id.clone()),
                    By::Body(place) => Some(scene.bodies()[place].id().to_owned()),
                    By::Nobody => None,
                };
                (line, Some(Blocked { by, at: block.at, rule: block.rule }))
            }
        };
        Ok(Answer {
            sees: blocked.is_none(),
            from: line.from,
            to: line.to,
            length: line.from.gap_to(line.to).centimetres(),
            blocked,
        })
    }

    fn wishes_picture(request: &Request) -> bool {
        request.draw
    }

    /// The table with the line, and where it is blocked.
    fn draw(request: &Request, options: &Options, answer: &Answer) -> Option<String> {
        let scene = request.scene.checked("scene", options).ok()?;
        let blocked = answer.blocked.as_ref().map(|block| block.at);
        Some(draw::svg(&scene, &[Overlay::Line(Mark { from: answer.from, to: answer.to, blocked })]))
    }
}

/// The rules by which a body sees from where it stands, past what blocks no sight; whether it does.
fn explain(
    outlook: &Outlook<'_>,
    observer: usize,
    target: usize,
    seen: super::Seen,
    clerk: &mut impl Clerk,
) -> bool {
    let mut sees = true;
    let line = Segment::new(seen.from, seen.to);
    let middle = |body: usize| outlook.scene.bodies()[body].at(outlook.instant).centre;
    let between = Segment::new(middle(observer), middle(target));
    for rule in View::new(outlook, observer, target).never_masked(between) {
        clerk.applied(rule);
    }
    for &(_, role) in outlook.roles(observer) {
        clerk.applied(match role {
            Role::Crest => rule!(TE_2_3_02),
            Role::Hidden(_) => rule!(TE_2_3_12),
            Role::Contour => rule!(TE_3_2_01),
            Role::Top => rule!(TE_3_2_02),
            Role::Downhill => rule!(TE_R101),
        });
        match role {
            Role::Crest => sees &= clerk.holds(rule!(TE_2_3_03), true),
            Role::Hidden(_) => clerk.applied(match outlook.scene.bodies()[observer].arm {
                Arm::Infantry => rule!(TE_2_3_13),
                Arm::FootArtillery | Arm::HorseArtillery => rule!(TE_2_3_15),
                Arm::Cavalry | Arm::Cuirassiers | Arm::Officer => rule!(TE_2_3_14),
            }),
            Role::Contour | Role::Top | Role::Downhill => {}
        }
    }
    if outlook.roles(target).iter().any(|(_, role)| *role == Role::Top) {
        clerk.applied(rule!(TE_3_2_03));
    }
    let scene = outlook.scene;
    let (from, to) =
        (scene.bodies()[observer].at(outlook.instant), scene.bodies()[target].at(outlook.instant));
    for element in scene.elements() {
        if !element.extent.meets(&from.extent.and(to.extent)) {
            continue;
        }
        let crossed = line;
        match &element.kind {
            Kind::Obstacle(obstacle) if obstacle.crossings(crossed).next().is_some() => {
                sees &= clerk.holds(rule!(TE_8_2_01), true);
                sees &= clerk.holds(rule!(FE_1_3_03), true);
            }
            Kind::Field(crate::scene::FieldKind::Ploughed, area) if area.is_entered_by(crossed) => {
                sees &= clerk.holds(rule!(TE_9_2_09), true);
            }
            Kind::Abandoned(_, base) if base.is_met_by(crossed) => {
                sees &= clerk.holds(rule!(TE_9_3_06), true);
            }
            _ => {}
        }
    }
    if scene.bodies()[observer].at(outlook.instant).house.is_some() {
        clerk.applied(rule!(TE_5_3_01));
    }
    sees
}
