//! Asking by touch: who, then whom or where. An evening and one or two bodies enter; what may be done,
//! with the odds of the fire and what is laid over the table to show it, leaves.

use kernel::{Chosen, Fact, Refusal};
use maud::{Markup, html};
use rulebook::phrase::{evening as words, table as common, umpire};
use rulebook::speak;
use serde::Deserialize;
use serde_json::{Value, json};
use tabletop::draw::Mark;
use tabletop::draw::things::{Overlay, overlays};
use tabletop::evening::may::{self, Deed};
use tabletop::evening::{Action, Evening, Shot};
use tabletop::fire::Projectile;
use tabletop::fire::ground::Ground;
use tabletop::geometry::Point;
use tabletop::movement::Pace;
use tabletop::scene::{Instant, Scene};
use tabletop::sight::sees;

use super::{name_of, place_of, spoken};
use crate::answer::{self, bar, number, value_name};
use crate::page::rule_link_under;
use crate::reader::Reader;
use crate::router::Pages;
use crate::umpire::scene::hits;

/// Who is asked about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Who {
    evening: Box<Evening>,
    body: String,
}

/// Everything a body may do now.
pub(super) fn may(reader: &Reader, request: &Who) -> Result<Value, Refusal> {
    let evening = &request.evening;
    let table = evening.table();
    let scene = table.checked("table", evening.options())?;
    scene.body(&request.body, "body")?;
    let place = place_of(&scene, &request.body).unwrap_or(0);
    let may = may::may(&scene, evening.options(), place);
    let name = |id: &str| name_of(reader, table, id);
    let line = |deed: &Deed| told(reader, &name, deed);
    let html = html! {
        h2 { (reader.say_with(words::MAY, "name", name(&request.body))) }
        @if may.can.is_empty() { p { (reader.say(words::MAY_NOTHING)) } }
        ul.targets.may-do {
            @for deed in &may.can {
                li {
                    @match deed {
                        Deed::Fire { target: Some(target), .. } | Deed::Charge { target } | Deed::Melee { target } =>
                            button.link type="button" data-who=(request.body) data-whom=(target) { (line(deed)) },
                        _ => (line(deed)),
                    }
                }
            }
        }
        @if !may.refused.is_empty() {
            details.may-not-do {
                summary { (reader.say_with(words::MAY_NOT, "count", crate::home::count(may.refused.len()))) }
                ul.targets.may-not {
                    @for (deed, refusal) in &may.refused { li { (line(deed)) (reader.lang.colon()) (why(reader, evening, refusal)) } }
                }
            }
        }
        (super::act::open(reader, evening))
    };
    let shown = arcs(&scene, evening, place);
    Ok(json!({ "html": html.into_string(), "overlay": overlays(&scene, &shown) }))
}

/// The arcs or the corridor of a body.
fn arcs(scene: &Scene, evening: &Evening, place: usize) -> Vec<Overlay> {
    if scene.bodies()[place].battery().is_some() {
        return vec![Overlay::Corridor(place)];
    }
    Ground::new(scene, evening.options()).elements(place).into_iter().map(Overlay::Arcs).collect()
}

/// A refusal with its rule.
fn why(reader: &Reader, evening: &Evening, refusal: &Refusal) -> Markup {
    html! {
        (spoken(reader, evening.table(), refusal))
        @if let Some(rule) = refusal.rule { " " (rule_link_under(rule.as_str(), &Chosen::default())) }
    }
}

/// A deed in words.
fn told(reader: &Reader, name: &dyn Fn(&str) -> String, deed: &Deed) -> String {
    let of = |phrase, id: &str| reader.say_with(phrase, "name", name(id));
    match deed {
        Deed::Fire { target: None, .. } => reader.say(words::WHAT_FIRE),
        Deed::Fire { target: Some(target), side, priority, distance } => {
            let mut text = of(words::DEED_FIRE, target);
            if let Some(side) = side {
                text += &format!(" ({})", reader.say_with(umpire::SIDE, "count", i64::from(*side)));
            }
            if let Some(distance) = distance {
                text += &format!(" · {} cm", number(reader, &distance.to_string()));
            }
            if let Some(priority) = priority {
                text += &format!(" · {}", reader.say_with(umpire::PRIORITY, "count", i64::from(*priority)));
            }
            text
        }
        Deed::March { pace, quarter, half } => {
            let pace = serde_json::to_value(pace).unwrap_or_default();
            let pace = value_name(reader, pace.as_str().unwrap_or_default());
            let cm = |length: &kernel::Centimetres| number(reader, &length.to_string());
            let facts = [
                Fact { name: "quarter", value: cm(quarter).into() },
                Fact { name: "half", value: cm(half).into() },
            ];
            let march = reader.say_with(words::DEED_MARCH, "pace", pace);
            if half.count() == 0 {
                return march;
            }
            format!("{march} · {}", speak(words::DEED_FAR, &facts, reader.lang))
        }
        Deed::Charge { target } => of(words::DEED_CHARGE, target),
        Deed::Melee { target } => of(words::DEED_MELEE, target),
        Deed::Enter { house } => of(words::DEED_ENTER, house),
    }
}

/// Who, and whom or where.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    evening: Box<Evening>,
    from: String,
    /// Another body.
    #[serde(default)]
    to: Option<String>,
    /// Or a place to march to.
    #[serde(default)]
    place: Option<Point>,
    #[serde(default)]
    projectile: Projectile,
    /// The die that was rolled.
    #[serde(default)]
    die: Option<u8>,
}

/// What there is between two bodies, or between a body and a place.
pub(super) fn pair(reader: &Reader, pages: &Pages, request: &Pair) -> Result<Value, Refusal> {
    let evening = &request.evening;
    let scene = evening.table().checked("table", evening.options())?;
    scene.body(&request.from, "from")?;
    let from = place_of(&scene, &request.from).unwrap_or(0);
    match (&request.to, request.place) {
        (Some(to), _) => {
            scene.body(to, "to")?;
            let to = place_of(&scene, to).unwrap_or(0);
            Ok(between(reader, pages, request, &scene, from, to))
        }
        (None, Some(place)) => Ok(march(reader, request, &scene, from, place)),
        (None, None) => Err(Refusal::field("to", kernel::phrase::MISSING_FIELD)),
    }
}

/// A button that applies an action.
fn apply(reader: &Reader, label: kernel::Phrase, action: &Action, dice: &[u8]) -> Markup {
    let action = serde_json::to_string(action).unwrap_or_default();
    html! { button.primary type="button" data-act=(action) data-dice=(json!(dice).to_string()) { (reader.say(label)) } }
}

fn between(reader: &Reader, pages: &Pages, request: &Pair, scene: &Scene, from: usize, to: usize) -> Value {
    let evening = &request.evening;
    let table = evening.table();
    let name = |id: &str| name_of(reader, table, id);
    let bodies = scene.bodies();
    let ids = (bodies[from].id(), bodies[to].id());
    let facts =
        [Fact { name: "from", value: name(ids.0).into() }, Fact { name: "to", value: name(ids.1).into() }];
    let mut shown = arcs(scene, evening, from);
    let seen = sees(scene, evening.options(), Instant::P2, from, to);
    let centres = (bodies[from].now().centre, bodies[to].now().centre);
    shown.push(Overlay::Line(match &seen {
        Ok(_) => Mark { from: centres.0, to: centres.1, blocked: None },
        Err(block) => {
            let line = block.line.map_or(centres, |line| (line.from, line.to));
            Mark { from: line.0, to: line.1, blocked: Some(block.at) }
        }
    }));
    let enemies = bodies[from].side() != bodies[to].side();
    let gap = bodies[from].now().gap_to(bodies[to].now()).centimetres();
    // Who fires a battery declares before anything is measured (FE-3.3-08).
    let measured = bodies[from].battery().is_none();
    let charge = may::may(scene, evening.options(), from);
    let html = html! {
        h2 { (speak(words::PAIR, &facts, reader.lang)) }
        p.quiet {
            @if measured { (reader.say_with(words::DISTANCE, "distance", number(reader, &gap.to_string()))) " · " }
            (speak(if seen.is_ok() { umpire::SEES } else { umpire::SEES_NOT }, &facts, reader.lang))
            @if let Err(block) = &seen { " " (rule_link_under(block.rule.as_str(), &Chosen::default())) }
        }
        @if enemies {
            (fire(reader, pages, request, ids, &mut shown))
            @for deed in charge.can.iter().filter(|deed| matches!(deed, Deed::Charge { target } | Deed::Melee { target } if target == ids.1)) {
                h3 { (told(reader, &name, deed)) }
                @if matches!(deed, Deed::Charge { .. }) {
                    (apply(reader, words::APPLY, &Action::March { body: ids.0.to_owned(), to: vec![centres.1], pace: Pace::Charge }, &[]))
                }
            }
            @for (deed, refusal) in charge.refused.iter().filter(|(deed, _)| matches!(deed, Deed::Charge { target } if target == ids.1)) {
                h3 { (told(reader, &name, deed)) }
                p.refusal { (why(reader, evening, refusal)) }
            }
        }
    };
    json!({ "html": html.into_string(), "overlay": overlays(scene, &shown) })
}

/// The fire of one at the other: why not, or its odds, the die, what it does, and the button that applies it.
fn fire(
    reader: &Reader,
    pages: &Pages,
    request: &Pair,
    (from, to): (&str, &str),
    shown: &mut Vec<Overlay>,
) -> Markup {
    let evening = &request.evening;
    let shot = Shot {
        shooter: from.to_owned(),
        part: None,
        slot: None,
        target: to.to_owned(),
        side: None,
        projectile: request.projectile,
        burn: false,
    };
    let action = Action::Fire(shot);
    let title = html! { h3 { (reader.say(words::WHAT_FIRE)) } };
    if let Err(refusal) = kernel::Game::check(&**evening, tabletop::evening::Seat::Umpire, &action) {
        return html! { (title) p.refusal { (why(reader, evening, &refusal)) } };
    }
    let Some(question) = pages.question("tabletop.shoot") else { return html! {} };
    let mut asked = json!({ "scene": evening.firing_table(from), "shooter": from, "target": to, "projectile": request.projectile });
    if let Some(die) = request.die {
        asked["dice"] = json!([die]);
    }
    let chosen = kernel::Options::chosen(evening.options());
    asked["options"] = json!(chosen);
    let answered = question.ask(&asked.to_string(), reader.lang);
    let answered: Value = serde_json::from_str(&answered.json).unwrap_or_default();
    let named = |id: &str| name_of(reader, evening.table(), id);
    let battery = evening
        .table()
        .bodies
        .iter()
        .any(|body| body.id == from && matches!(body.troops, tabletop::scene::Muster::Artillery(_)));
    for hit in answered["answer"]["hits"].as_array().into_iter().flatten() {
        let scene = evening.table().checked("table", evening.options());
        let place = scene.ok().and_then(|scene| place_of(&scene, hit["body"].as_str().unwrap_or_default()));
        let losses = hit["losses"].as_i64().and_then(|losses| i32::try_from(losses).ok());
        shown.extend(place.zip(losses).map(|(place, losses)| Overlay::Losses(place, losses)));
    }
    html! {
        (title)
        @if battery {
            div.chip-line role="group" aria-label=(reader.say(words::PROJECTILE)) {
                @for kind in [Projectile::Ball, Projectile::Canister] {
                    @let word = serde_json::to_value(kind).unwrap_or_default();
                    @let word = word.as_str().unwrap_or_default();
                    button type="button" data-projectile=(word) aria-pressed=(if kind == request.projectile { "true" } else { "false" }) { (value_name(reader, word)) }
                }
            }
        }
        @if let Some(refused) = answered.get("refused") { (answer::refusal(reader, refused, &chosen)) }
        @if let Some(odds) = answered["odds"].as_array() {
            table.odds.outcomes { tbody {
                @for row in answer::joined(odds, |answer| hits(reader, &named, answer)) {
                    tr {
                        th.chance scope="row" title=(row.fraction) { span.share { (number(reader, &format!("{:.1}", row.share))) " %" } " " (bar(row.share)) }
                        td { (row.what) }
                    }
                }
            } }
        }
        @if answered.get("answer").is_some() { p.says.result { (hits(reader, &named, &answered["answer"])) } }
        @if answered.get("refused").is_none() {
            div.laid-dice role="group" aria-label=(reader.say(words::DIE)) {
                @for die in 1..=6_u8 {
                    button type="button" data-die=(die) aria-pressed=(if request.die == Some(die) { "true" } else { "false" }) { (die) }
                }
                button type="button" data-roll="true" { (reader.say(words::ROLL)) }
            }
            @if let Some(die) = request.die { (apply(reader, words::APPLY, &action, &[die])) }
        }
        details.why { summary { (reader.say(common::REASONS)) }
            (answer::reasons(reader, answered["because"].as_array().map_or(&[], Vec::as_slice), &chosen)) }
    }
}

/// A march to a place: how far it goes in the quarter, where it ends, and the button that applies it.
fn march(reader: &Reader, request: &Pair, scene: &Scene, from: usize, to: Point) -> Value {
    let evening = &request.evening;
    let body = &scene.bodies()[from];
    let action = Action::March { body: body.id().to_owned(), to: vec![to], pace: Pace::Normal };
    let mut after = (**evening).clone();
    let mut desk = kernel::Desk::new(kernel::Scripted::new(&[]), kernel::Spoken::default());
    let verdict = kernel::Game::apply(&mut after, tabletop::evening::Seat::Umpire, &action, &mut desk);
    let mark = Overlay::Line(Mark { from: body.now().centre, to, blocked: None });
    let html = html! {
        h2 { (reader.say_with(words::DEED_MARCH, "pace", "")) (reader.lang.colon()) (name_of(reader, evening.table(), body.id())) }
        @match verdict {
            Ok(_) => {
                @for line in desk.notes.lines() {
                    @if let kernel::Line::Happened(event) = line { p.says { (speak(event.phrase, &event.facts, reader.lang)) } }
                }
                (apply(reader, words::MARCH_TO, &action, &[]))
            },
            Err(refusal) => p.refusal { (why(reader, evening, &refusal)) },
        }
    };
    json!({ "html": html.into_string(), "overlay": overlays(scene, &[mark]) })
}
