//! A table looked over: what each thing looks like, what it is called and where it stands, and what
//! cannot stay as it lies, with its rule. Only the things named are drawn, so that a step of a drag is
//! cheap; the whole table is judged every time.

use std::fmt::Write;

use kernel::Fact;
use rulebook::options::tabletop::Options;
use rulebook::phrase::evening as words;
use rulebook::speak;
use serde::Deserialize;
use serde_json::{Value, json};
use tabletop::draw::things::{self, Thing, unit};
use tabletop::geometry::Extent;
use tabletop::scene::{Kind, Setup, Survey};

use super::{name_of, spoken};
use crate::answer::number;
use crate::reader::Reader;

/// What the script sends.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    scene: Setup,
    /// The things to draw; all unless told.
    #[serde(default)]
    only: Option<Vec<String>>,
}

/// Things nearer than this are said to touch, in hundredths of a centimetre.
const TOUCH: i64 = 10;

/// Looks a table over.
pub(super) fn look(reader: &Reader, request: &Request) -> Value {
    let table = &request.scene;
    let survey = table.survey(&Options::default());
    let faults: Vec<Value> = survey
        .faults()
        .iter()
        .map(|fault| {
            json!({
                "id": fault.thing,
                "rule": fault.refusal.rule.map(kernel::RuleId::as_str),
                "text": spoken(reader, table, &fault.refusal),
            })
        })
        .collect();
    let wanted = |id: &str| request.only.as_ref().is_none_or(|only| only.iter().any(|one| one == id));
    let depth = i64::from(table.depth.count());
    let mut drawn: Vec<Value> = Vec::new();
    for element in survey.elements().iter().filter(|element| wanted(&element.id)) {
        let thing = things::element(element, depth);
        let said = said(reader, table, &survey, &element.id, element.extent, None);
        drawn.push(shown(&element.id, &thing, &said));
    }
    for body in survey.bodies().iter().filter(|body| wanted(body.id())) {
        let thing = things::body(body, depth);
        let facing = Some(f64::from(body.now().facing)).filter(|_| body.now().house.is_none());
        let said = said(reader, table, &survey, body.id(), body.now().extent, facing);
        drawn.push(shown(body.id(), &thing, &said));
    }
    let names: serde_json::Map<String, Value> = table
        .terrain
        .iter()
        .map(|element| &element.id)
        .chain(table.bodies.iter().map(|body| &body.id))
        .map(|id| (id.clone(), json!(name_of(reader, table, id))))
        .collect();
    json!({
        "legal": survey.scene().is_some(),
        "faults": faults,
        "things": drawn,
        "names": names,
        "patterns": request.only.is_none().then(things::patterns),
        "said": (!faults.is_empty()).then(|| reader.say_with(words::FAULTS, "count", crate::home::count(faults.len()))),
    })
}

fn shown(id: &str, thing: &Thing, said: &str) -> Value {
    let mut outline = String::new();
    for (x, y) in &thing.outline {
        // Writing to a string does not fail.
        let _ = write!(outline, "{x:.1},{y:.1} ");
    }
    json!({ "id": id, "layer": thing.layer, "svg": thing.markup, "outline": outline, "closed": thing.closed, "said": said })
}

/// A thing as a screen reader says it: its name, its place, where it faces, what it touches.
fn said(
    reader: &Reader,
    table: &Setup,
    survey: &Survey,
    id: &str,
    extent: Extent,
    facing: Option<f64>,
) -> String {
    if extent.low.x > extent.high.x {
        // A village is nowhere but in its houses.
        return name_of(reader, table, id);
    }
    let middle = extent.low.towards(extent.high, 1, 2);
    let cm = |length: i64| number(reader, &format!("{:.1}", unit(length) / 10.0));
    let fact = |name: &'static str, value: String| Fact { name, value: value.into() };
    let facts = [fact("name", name_of(reader, table, id)), fact("x", cm(middle.x)), fact("y", cm(middle.y))];
    let mut parts = vec![speak(words::STANDS, &facts, reader.lang)];
    if let Some(facing) = facing {
        parts.push(speak(words::FACES, &[fact("angle", number(reader, &facing.to_string()))], reader.lang));
    }
    let touched = touched(survey, id);
    if !touched.is_empty() {
        let names: Vec<String> = touched.iter().map(|id| name_of(reader, table, id)).collect();
        parts.push(speak(words::TOUCHES, &[fact("names", names.join(", "))], reader.lang));
    }
    if survey.faults().iter().any(|fault| fault.thing.as_deref() == Some(id)) {
        parts.push(reader.say(words::WRONG));
    }
    parts.join(", ")
}

/// What a thing touches: a body other bodies, walls and hedges, houses; a piece of ground the bodies at
/// it, a bridge or a ford its water.
fn touched<'a>(survey: &'a Survey, id: &str) -> Vec<&'a str> {
    let Some(body) = survey.bodies().iter().find(|body| body.id() == id) else {
        let own = survey.elements().iter().find(|element| element.id == id);
        let water = match own.map(|element| &element.kind) {
            Some(Kind::Bridge(bridge, _)) => Some(bridge.over.as_str()),
            Some(Kind::Ford(ford, _)) => Some(ford.river.as_str()),
            _ => None,
        };
        let extent = own.map(|element| element.extent.grown(TOUCH));
        let near =
            survey.bodies().iter().filter(|body| extent.is_some_and(|own| own.meets(&body.now().extent)));
        let at = near.map(tabletop::scene::Body::id).filter(|body| touched(survey, body).contains(&id));
        return water.into_iter().chain(at).collect();
    };
    let near = body.now().extent.grown(TOUCH);
    let bodies = survey.bodies().iter().filter(|other| {
        other.id() != id && other.now().extent.meets(&near) && other.now().gap_to(body.now()).touches()
    });
    let bases = || body.now().figures.iter().map(|figure| &figure.base);
    let elements = survey.elements().iter().filter(|element| {
        element.extent.meets(&near)
            && match &element.kind {
                Kind::Obstacle(line) => bases().any(|base| line.gap_to(base).touches()),
                Kind::House(house) => bases().any(|base| base.gap_to_outline(&house.area).touches()),
                _ => false,
            }
    });
    bodies.map(tabletop::scene::Body::id).chain(elements.map(|element| element.id.as_str())).collect()
}
