//! The drawing of a scene with what is asked laid over it, and everything that can be clicked on.
//! A scene, what was chosen and the answer enter; SVG leaves.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use rulebook::phrase::umpire as words;
use serde_json::Value;
use tabletop::draw::{Mark, Overlay, sheet};
use tabletop::fire::ground::{Element as Firing, Ground, Part};
use tabletop::geometry::Point;
use tabletop::scene::{Element, Kind, Side};

use super::Page;
use super::ask::Ask;
use crate::answer::value_name;
use crate::home::count;

/// A spot of the drawing: ten units to the centimetre, north up.
#[allow(clippy::cast_precision_loss, reason = "a picture")]
fn spot(point: Point, depth: i64) -> (f64, f64) {
    (point.x as f64 / 10.0, (depth - point.y) as f64 / 10.0)
}

fn line(points: &[Point], depth: i64) -> String {
    let mut text = String::new();
    for &point in points {
        let (x, y) = spot(point, depth);
        let _ = write!(text, "{x:.1},{y:.1} ");
    }
    text
}

/// The whole drawing.
pub(super) fn drawing(page: &Page<'_>, answered: Option<&Value>) -> Markup {
    let scene = page.chosen.scene;
    let overlays = overlays(page, answered);
    let drawn = sheet(scene, &overlays);
    let name = scene.setup().name.as_str();
    let depth = scene.depth();
    html! {
        figure.sheet id="sheet" {
            svg.scene-sheet id="scene-sheet" viewBox=(drawn.view) tabindex="0" role="group"
                aria-label=(page.reader.say_with(words::SCENE_DRAWING, "name", name)) aria-describedby="sheet-keys"
                data-depth=(depth) data-width=(scene.width()) data-ask=(page.chosen.ask.name()) {
                (PreEscaped(drawn.markup))
                g.way-drawn { (way(page, answered)) }
                g.picks {
                    @for element in scene.elements().iter().filter(|element| page.chosen.ask.takes(element)) {
                        (element_pick(page, element, depth))
                    }
                    @for body in scene.bodies() { (body_pick(page, body, depth)) }
                }
            }
            (super::zoom_buttons(page.reader))
            p.vh id="sheet-keys" { (page.reader.say(words::SCENE_KEYS)) }
            figcaption {
                @if let Some(story) = Some(scene.setup().story.as_str()).filter(|story| !story.is_empty()) { span.story { (story) } " " }
                (legend(page, &overlays))
            }
        }
    }
}

fn legend(page: &Page<'_>, overlays: &[Overlay]) -> Markup {
    let say = |phrase| page.reader.say(phrase);
    let has = |wanted: fn(&Overlay) -> bool| overlays.iter().any(wanted);
    html! {
        @if !overlays.is_empty() {
            span.legend {
                @if has(|one| matches!(one, Overlay::Arcs(_))) { span.key-arc { (say(words::LEGEND_ARC)) } }
                @if has(|one| matches!(one, Overlay::Corridor(_))) { span.key-corridor { (say(words::LEGEND_CORRIDOR)) } }
                @if has(|one| matches!(one, Overlay::Line(mark) if mark.blocked.is_none())) { span.key-clear { (say(words::LEGEND_CLEAR)) } }
                @if has(|one| matches!(one, Overlay::Line(mark) if mark.blocked.is_some())) { span.key-stopped { (say(words::LEGEND_STOPPED)) } }
            }
        }
    }
}

/// Arcs, corridors and lines, from who fires or looks and from the answer.
fn overlays(page: &Page<'_>, answered: Option<&Value>) -> Vec<Overlay> {
    let chosen = &page.chosen;
    let mut overlays = Vec::new();
    let (Ask::Shoot | Ask::Sight, Some(from)) = (chosen.ask, chosen.body("from")) else { return overlays };
    let place = chosen.place_of(from.id()).unwrap_or(0);
    if chosen.ask == Ask::Sight {
        overlays.extend(answered.and_then(|answered| mark(&answered["answer"])).map(Overlay::Line));
        return overlays;
    }
    if from.battery().is_some() {
        overlays.push(Overlay::Corridor(place));
    } else {
        let options = rulebook::options::tabletop::Options::default();
        let ground = Ground::new(chosen.scene, &options);
        let wanted = chosen.query.get("part").and_then(|text| {
            let (kind, which) = text.split_once(':')?;
            match kind {
                "face" => which.parse().ok().map(Part::Face),
                "side" => which.parse().ok().map(Part::Side),
                _ => None,
            }
        });
        let elements = ground.elements(place).into_iter();
        overlays.extend(
            elements
                .filter(|element: &Firing| wanted.is_none_or(|part| part == element.part))
                .map(Overlay::Arcs),
        );
    }
    let Some(answered) = answered else { return overlays };
    let body = |id: &Value| id.as_str().and_then(|id| chosen.place_of(id));
    let clear = |to: usize| {
        let (from, to) = (from.now().centre, chosen.scene.bodies()[to].now().centre);
        Overlay::Line(Mark { from, to, blocked: None })
    };
    if let Some(to) = chosen.body("to") {
        let refused = answered.get("refused").is_some();
        let stopped = refused.then(|| page.stopped(from.id(), to.id())).flatten();
        match stopped {
            Some(mark) => overlays.push(Overlay::Line(mark)),
            None if refused => {}
            None => overlays.extend(chosen.place_of(to.id()).map(clear)),
        }
        for hit in answered["answer"]["hits"].as_array().into_iter().flatten() {
            let losses = hit["losses"].as_i64().and_then(|losses| i32::try_from(losses).ok());
            overlays
                .extend(body(&hit["body"]).zip(losses).map(|(place, losses)| Overlay::Losses(place, losses)));
        }
        return overlays;
    }
    for target in answered["answer"]["targets"].as_array().into_iter().flatten() {
        overlays.extend(body(&target["body"]).map(clear));
    }
    for refused in answered["answer"]["refused"].as_array().into_iter().flatten().take(super::MOST_REASONS) {
        let stopped = refused["body"].as_str().and_then(|id| page.stopped(from.id(), id));
        overlays.extend(stopped.map(Overlay::Line));
    }
    overlays
}

/// The line of an answer of `tabletop.sight`.
pub(super) fn mark(answer: &Value) -> Option<Mark> {
    let point = |value: &Value| serde_json::from_value::<Point>(value.clone()).ok();
    Some(Mark {
        from: point(&answer["from"])?,
        to: point(&answer["to"])?,
        blocked: point(&answer["blocked"]["at"]),
    })
}

/// The way of a march and where it ends.
fn way(page: &Page<'_>, answered: Option<&Value>) -> Markup {
    let chosen = &page.chosen;
    if chosen.ask != Ask::Move {
        return html! {};
    }
    let depth = chosen.scene.depth();
    let start = chosen.body("from").map(|body| spot(body.now().centre, depth));
    #[allow(clippy::cast_precision_loss, reason = "a picture")]
    let high = depth as f64 / 10.0;
    let places: Vec<(f64, f64)> = chosen.way().iter().map(|[x, y]| (x * 10.0, high - y * 10.0)).collect();
    let mut path = String::new();
    for (place, (x, y)) in start.iter().chain(&places).enumerate() {
        let _ = write!(path, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
    }
    let end = answered.and_then(|answered| {
        serde_json::from_value::<Point>(answered["answer"]["on-table"]["at"].clone()).ok()
    });
    html! {
        @if !path.is_empty() { path.route d=(path) {} }
        @for (place, (x, y)) in places.iter().enumerate() {
            g.stop transform=(format!("translate({x:.1} {y:.1})")) { circle r="9" {} text y="4.5" { (place + 1) } }
        }
        @if let Some(end) = end {
            @let (x, y) = spot(end, depth);
            g.arrival transform=(format!("translate({x:.1} {y:.1})")) {
                title { (page.reader.say(words::WAY_ENDS)) }
                path d="M0-15L13 0 0 15-13 0Z" {} path d="M-6 0L-1 6 7-6" {}
            }
        }
    }
}

/// How a body is spoken of.
pub(super) fn body_name(page: &Page<'_>, body: &tabletop::scene::Body) -> String {
    let side = match body.side() {
        Side::Blue => "blue",
        Side::Red => "red",
    };
    let arm = serde_json::to_value(body.arm).unwrap_or_default();
    let figures = usize::try_from(body.strength()).unwrap_or(0);
    format!(
        "{}, {}, {}, {}",
        body.name(),
        value_name(page.reader, side),
        value_name(page.reader, arm.as_str().unwrap_or_default()),
        page.reader.say_with(words::FIGURES, "count", count(figures))
    )
}

fn body_pick(page: &Page<'_>, body: &tabletop::scene::Body, depth: i64) -> Markup {
    let chosen = |name: &str| page.chosen.query.get(name) == Some(body.id());
    let class = match (chosen("from"), chosen("to")) {
        (true, _) => "pick is-from",
        (_, true) => "pick is-to",
        _ => "pick",
    };
    let role = match (chosen("from"), chosen("to"), page.chosen.ask.roles()) {
        (true, _, (Some(role), _)) | (false, true, (_, Some(role))) => {
            format!(" · {}", page.reader.say(role))
        }
        _ => String::new(),
    };
    let name = format!("{}{role}", body_name(page, body));
    html! {
        a class=(class) href=(page.pick_body(body)) data-pick=(body.id()) aria-label=(name) {
            title { (name) }
            polygon points=(line(body.now().footprint.outline(), depth)) {}
        }
    }
}

fn element_pick(page: &Page<'_>, element: &Element, depth: i64) -> Markup {
    let chosen = page.chosen.query.get("place") == Some(element.id.as_str());
    let class = if chosen { "pick is-place" } else { "pick" };
    let points = match &element.kind {
        Kind::Obstacle(obstacle) => line(&obstacle.line, depth),
        Kind::Redoubt(redoubt) => line(&redoubt.faces.line, depth),
        Kind::Abandoned(_, base) => line(&base.corners, depth),
        _ => element.area().map(|area| line(area.outline(), depth)).unwrap_or_default(),
    };
    let open = matches!(element.kind, Kind::Obstacle(_) | Kind::Redoubt(_));
    let name = page.element_name(element);
    html! {
        a class=(class) href=(page.with("place", (!chosen).then_some(element.id.as_str()))) data-pick=(element.id) aria-label=(name) {
            title { (name) }
            @if open { polyline points=(points) {} } @else { polygon points=(points) {} }
        }
    }
}
