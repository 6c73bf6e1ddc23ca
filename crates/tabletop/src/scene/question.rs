//! `tabletop.scene`: a described table, checked and drawn.

use kernel::{Clerk, Question, RuleId, Verdict};
use rulebook::options::tabletop::Options;
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Kind, Setup, State};
use crate::draw::{self, Overlay};
use crate::fire::ground::Ground;
use crate::terrain::state;

/// The question `tabletop.scene`.
pub struct AskScene;

/// A table to check and draw.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The table.
    pub scene: Setup,
    /// Whether to draw it.
    #[serde(default = "yes")]
    pub draw: bool,
    /// The bodies whose arcs or corridors to show.
    #[serde(default)]
    pub show: Vec<String>,
}

const fn yes() -> bool {
    true
}

/// A table that is in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Answer {
    /// Its name.
    pub name: String,
    /// How many terrain elements.
    pub elements: usize,
    /// How many bodies.
    pub bodies: usize,
    /// How many figures.
    pub figures: i64,
    /// Elements that look odd, though they are allowed: marshes without reeds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub odd: Vec<String>,
    /// Bodies that their ground leaves in a worse state than the one written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub worsened: Vec<Worsened>,
}

/// A body that its ground leaves in a worse state than the one written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Worsened {
    /// The body.
    pub body: String,
    /// Its state.
    pub state: State,
    /// The rule by which the ground imposes it.
    #[schemars(with = "String")]
    pub rule: RuleId,
}

impl Question for AskScene {
    const NAME: &'static str = "tabletop.scene";
    const DRAWS: bool = true;
    type Options = Options;
    type Request = Request;
    type Answer = Answer;

    fn answer(request: &Request, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
        let scene = request.scene.checked("scene", options)?;
        for (k, id) in request.show.iter().enumerate() {
            scene.body(id, &format!("show.{k}"))?;
        }
        let encloses = |element: &super::Element| match &element.kind {
            Kind::Obstacle(obstacle) => {
                obstacle.line.len() > 2 && obstacle.line.first() == obstacle.line.last()
            }
            _ => false,
        };
        if scene.elements().iter().any(encloses) {
            clerk.applied(rule!(TE_8_1_04));
        }
        let odd = scene.elements().iter().filter(|element| match &element.kind {
            Kind::Marsh(marsh, _) => !marsh.vegetation,
            _ => false,
        });
        let mut worsened = Vec::new();
        for body in scene.bodies() {
            if let Some(kept) = body.imposed.filter(|imposed| imposed.state == State::Formed) {
                clerk.because(kept.rule, state::set(kept.state));
            }
            if let Some(imposed) = body.imposed.filter(|imposed| imposed.state > body.setup.state) {
                clerk.because(imposed.rule, state::set(imposed.state));
                worsened.push(Worsened {
                    body: body.id().to_owned(),
                    state: imposed.state,
                    rule: imposed.rule,
                });
            }
        }
        Ok(Answer {
            worsened,
            name: request.scene.name.clone(),
            elements: scene.elements().len(),
            bodies: scene.bodies().len(),
            figures: scene.bodies().iter().map(super::Body::strength).sum(),
            odd: odd.map(|element| element.id.clone()).collect(),
        })
    }

    fn wishes_picture(request: &Request) -> bool {
        request.draw
    }

    /// The table, with the arcs and corridors of the bodies that are to be shown.
    fn draw(request: &Request, options: &Options, _: &Answer) -> Option<String> {
        let scene = request.scene.checked("scene", options).ok()?;
        let ground = Ground::new(&scene, options);
        let mut overlays = Vec::new();
        for id in &request.show {
            let place = scene.bodies().iter().position(|body| body.id() == id)?;
            if scene.bodies()[place].battery().is_some() {
                overlays.push(Overlay::Corridor(place));
            } else {
                overlays.extend(ground.elements(place).into_iter().map(Overlay::Arcs));
            }
        }
        Some(draw::svg(&scene, &overlays))
    }
}
