//! Asked of a body and a place of the ground: how far it marches there, by which way and at what cost;
//! what it may do at a house or an obstacle.

use kernel::{Fact, Refusal};
use maud::{Markup, html};
use rulebook::phrase::{evening as words, table as common};
use rulebook::speak;
use serde_json::{Value, json};
use tabletop::draw::Mark;
use tabletop::draw::things::{Overlay, overlays};
use tabletop::evening::{Action, Evening, Seat, may};
use tabletop::geometry::{Facing, Point};
use tabletop::movement::Pace;
use tabletop::scene::{Kind, Scene};

use super::ask::{Pair, apply, asked, why};
use super::{fight, name_of, place_of};
use crate::answer::{self, number, value_name};
use crate::page::rule_link_under;
use crate::reader::Reader;
use crate::router::Pages;

/// How a body can march by touch.
const PACES: [Pace; 4] = [Pace::Normal, Pace::Forced, Pace::Backward, Pace::Charge];

fn word(value: impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

/// A march along a way: how far it goes in the quarter and in the half-period, what each stretch costs,
/// and the button that applies it.
pub(super) fn march(reader: &Reader, pages: &Pages, request: &Pair, scene: &Scene, from: usize) -> Value {
    let evening = &request.evening;
    let body = &scene.bodies()[from];
    let action = Action::March { body: body.id().to_owned(), to: request.way.clone(), pace: request.pace };
    let verdict = kernel::Game::check(&**evening, Seat::Umpire, &action);
    let walked = |quarters: i32| {
        let wish = json!({ "on-table": { "scene": evening.table(), "body": body.id(), "to": request.way,
            "pace": request.pace, "quarters": quarters } });
        asked(reader, pages, evening, "tabletop.move", wish)
    };
    let (quarter, half) = (walked(1), walked(2));
    let far = |answered: &Value| {
        let cm = &answered["answer"]["on-table"]["march"]["distance_cm"];
        cm.as_f64().map(|cm| number(reader, &cm.to_string()))
    };
    let name = name_of(reader, evening.table(), body.id());
    let named = |id: &str| name_of(reader, evening.table(), id);
    let chosen = kernel::Options::chosen(evening.options());
    let html = html! {
        h2 { (reader.say_with(words::MARCHES, "name", name)) }
        div.chip-line role="group" aria-label=(reader.say(words::PACE)) {
            @for pace in PACES {
                button type="button" data-pace=(word(pace)) aria-pressed=(if pace == request.pace { "true" } else { "false" }) { (value_name(reader, &word(pace))) }
            }
        }
        @if let Some((quarter, half)) = far(&quarter).zip(far(&half)) {
            p.says { (speak(words::DEED_FAR, &[Fact { name: "quarter", value: quarter.into() }, Fact { name: "half", value: half.into() }], reader.lang)) }
        }
        @match verdict {
            Ok(()) => (apply(reader, words::MARCH_TO, &action, &[])),
            Err(refusal) => p.refusal { (why(reader, evening, &refusal)) },
        }
        button type="button" data-further="true" { (reader.say(words::FURTHER)) }
        details.why { summary { (reader.say(words::WHAT_IT_COSTS)) } (answer::answer_named(reader, &half, &named, &chosen)) }
    };
    let legs = std::iter::once(&body.now().centre).chain(&request.way);
    let mut marks: Vec<Overlay> =
        legs.zip(&request.way).map(|(&from, &to)| Overlay::Line(Mark { from, to, blocked: None })).collect();
    // Where the half-period ends.
    let end = &half["answer"]["on-table"];
    let at = serde_json::from_value::<Point>(end["at"].clone()).ok();
    let facing = serde_json::from_value::<Facing>(end["facing"].clone()).ok();
    marks.extend(at.zip(facing).map(|(at, facing)| Overlay::Halt(from, at, facing)));
    json!({ "html": html.into_string(), "overlay": overlays(scene, &marks) })
}

/// What a body may do at a house or an obstacle.
pub(super) fn element(
    reader: &Reader,
    pages: &Pages,
    request: &Pair,
    scene: &Scene,
    from: usize,
    id: &str,
) -> Result<Value, Refusal> {
    let element = scene.element(id, "element")?;
    let html = match &element.kind {
        Kind::House(_) => house(reader, pages, request, scene, from, id),
        _ => obstacle(reader, request, scene, from, id),
    };
    Ok(json!({ "html": html.into_string(), "overlay": "" }))
}

fn house(reader: &Reader, pages: &Pages, request: &Pair, scene: &Scene, from: usize, id: &str) -> Markup {
    let evening = &request.evening;
    let body = scene.bodies()[from].id();
    let named = |id: &str| name_of(reader, evening.table(), id);
    let chosen = kernel::Options::chosen(evening.options());
    let now = asked(
        reader,
        pages,
        evening,
        "tabletop.house",
        json!({ "on-table": { "scene": evening.table(), "house": id } }),
    );
    let garrison = now["answer"]["house"]["garrison"].as_str().map(str::to_owned);
    let enemy = garrison
        .as_deref()
        .and_then(|id| place_of(scene, id))
        .filter(|&place| scene.bodies()[place].side() != scene.bodies()[from].side());
    let enter = Action::Enter { body: body.to_owned(), house: id.to_owned() };
    let facts =
        [Fact { name: "from", value: named(body).into() }, Fact { name: "to", value: named(id).into() }];
    html! {
        h2 { (speak(words::PAIR, &facts, reader.lang)) }
        @if let (Some(garrison), Some(_)) = (&garrison, enemy) {
            p { button.link type="button" data-who=(body) data-whom=(garrison) { (reader.say_with(words::DEED_FIRE, "name", named(garrison))) } }
            (assault(reader, pages, evening, id, (body, garrison)))
        } @else {
            h3 { (reader.say_with(words::DEED_ENTER, "name", named(id))) }
            @match kernel::Game::check(&**evening, Seat::Umpire, &enter) {
                Ok(()) => (apply(reader, words::APPLY, &enter, &[])),
                Err(refusal) => p.refusal { (why(reader, evening, &refusal)) },
            }
        }
        details.why { summary { (named(id)) } (answer::answer_named(reader, &now, &named, &chosen)) }
    }
}

/// The assault of a body on a garrison: how the round ended, and who fights at which side.
pub(super) fn assault(
    reader: &Reader,
    pages: &Pages,
    evening: &Evening,
    house: &str,
    (attacker, garrison): (&str, &str),
) -> Markup {
    let named = |id: &str| name_of(reader, evening.table(), id);
    let wish =
        json!({ "assault-on-table": { "scene": evening.table(), "house": house, "attacker": attacker } });
    let answered = asked(reader, pages, evening, "tabletop.house", wish);
    html! {
        h3 { (reader.say_with(words::DEED_ASSAULT, "name", named(house))) }
        (fight::ended(reader, evening, attacker, garrison))
        (answer::answer_named(reader, &answered, &named, &kernel::Options::chosen(evening.options())))
    }
}

fn obstacle(reader: &Reader, request: &Pair, scene: &Scene, from: usize, id: &str) -> Markup {
    let evening = &request.evening;
    let body = &scene.bodies()[from];
    let named = |id: &str| name_of(reader, evening.table(), id);
    let mut desk = kernel::Desk::new(kernel::Scripted::new(&[]), kernel::Spoken::default());
    let crossed = scene
        .element(id, "element")
        .and_then(|element| may::crosses(body, element, evening.options(), &mut desk));
    let facts =
        [Fact { name: "from", value: named(body.id()).into() }, Fact { name: "to", value: named(id).into() }];
    let batter = Action::Batter { battery: body.id().to_owned(), element: id.to_owned() };
    html! {
        h2 { (speak(words::PAIR, &facts, reader.lang)) }
        @if body.battery().is_some() {
            h3 { (reader.say_with(words::BATTER, "name", named(id))) }
            @match kernel::Game::check(&**evening, Seat::Umpire, &batter) {
                Ok(()) => (apply(reader, words::APPLY, &batter, &[])),
                Err(refusal) => p.refusal { (why(reader, evening, &refusal)) },
            }
        }
        h3 { (reader.say_with(words::DEED_CROSS, "name", named(id))) }
        @match crossed {
            Ok(half_periods) => {
                p.says { (reader.say_with(words::HALF_PERIODS, "count", i64::from(half_periods))) }
                p.quiet { (reader.say(words::CROSS_HOW)) }
            },
            Err(refusal) => p.refusal { (why(reader, evening, &refusal)) },
        }
        @if desk.notes.reasons().next().is_some() {
            details.why { summary { (reader.say(common::REASONS)) }
                p { @for rule in super::act::rules(&desk.notes) { (rule_link_under(rule, &kernel::Options::chosen(evening.options()))) " " } } }
        }
    }
}
