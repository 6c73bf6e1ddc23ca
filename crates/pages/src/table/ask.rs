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
use tabletop::evening::may::Deed;
use tabletop::evening::{Action, Evening, Shot};
use tabletop::fire::Projectile;
use tabletop::fire::ground::Ground;
use tabletop::geometry::Point;
use tabletop::movement::Pace;
use tabletop::scene::{Formation, Instant, Scene};
use tabletop::sight::sees;

use super::{at, fight, name_of, place_of, spoken};
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
    let may = evening.may(&scene, place);
    let name = |id: &str| name_of(reader, table, id);
    let line = |deed: &Deed| told(reader, &name, deed);
    let body = || request.body.clone();
    let html = html! {
        h2 { (reader.say_with(words::MAY, "name", name(&request.body))) }
        @if may.can.is_empty() { p { (reader.say(words::MAY_NOTHING)) } }
        ul.targets.may-do {
            @for deed in &may.can {
                li {
                    @match deed {
                        Deed::Fire { target: Some(target), .. } | Deed::Charge { target } | Deed::Melee { target } =>
                            button.link type="button" data-who=(request.body) data-whom=(target) { (line(deed)) },
                        Deed::Enter { house: element } | Deed::Assault { house: element } | Deed::Cross { obstacle: element, .. } =>
                            button.link type="button" data-who=(request.body) data-element=(element) { (line(deed)) },
                        Deed::March { pace, to: Some(to), quarter, .. } if quarter.count() > 0 => {
                            (act_link(&line(deed), &Action::March { body: body(), to: vec![*to], pace: *pace }))
                        },
                        Deed::Leave { side } => (act_link(&line(deed), &Action::Leave { body: body(), side: *side })),
                        Deed::Reform { .. } => (act_link(&line(deed), &Action::Reform { body: body() })),
                        Deed::Form => {
                            details { summary { (line(deed)) }
                                div.chip-line { @for formation in formations(&scene.bodies()[place]) {
                                    (act_link(&worded(reader, formation), &Action::Form { body: body(), formation }))
                                } }
                            }
                        },
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

/// A line that does what it says.
fn act_link(label: &str, action: &Action) -> Markup {
    let action = serde_json::to_string(action).unwrap_or_default();
    html! { button.link type="button" data-act=(action) data-dice="[]" { (label) } }
}

/// A word of the table in the reader's language.
fn worded(reader: &Reader, value: impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value_name(reader, value.as_str().unwrap_or_default())
}

/// The formations a body can change into.
fn formations(body: &tabletop::scene::Body) -> Vec<Formation> {
    let all = super::palette::formations(&body.setup.troops);
    all.iter().copied().filter(|formation| *formation != body.now().formation).collect()
}

/// The arcs or the corridor of a body.
fn arcs(scene: &Scene, evening: &Evening, place: usize) -> Vec<Overlay> {
    if scene.bodies()[place].battery().is_some() {
        return vec![Overlay::Corridor(place)];
    }
    Ground::new(scene, evening.options()).elements(place).into_iter().map(Overlay::Arcs).collect()
}

/// A refusal with its rule.
pub(super) fn why(reader: &Reader, evening: &Evening, refusal: &Refusal) -> Markup {
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
        Deed::March { pace, quarter, half, .. } => {
            let pace = worded(reader, pace);
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
        Deed::Assault { house } => of(words::DEED_ASSAULT, house),
        Deed::Leave { side } => reader.say_with(words::DEED_LEAVE, "side", i64::from(*side)),
        Deed::Form => reader.say(words::DEED_FORM),
        Deed::Reform { quarters } if *quarters > 0 => {
            format!(
                "{} · {}",
                reader.say(words::DEED_REFORM),
                reader.say_with(words::QUARTERS, "count", i64::from(*quarters))
            )
        }
        Deed::Reform { .. } => reader.say(words::DEED_REFORM),
        Deed::Cross { obstacle, half_periods } if *half_periods > 0 => format!(
            "{} · {}",
            of(words::DEED_CROSS, obstacle),
            reader.say_with(words::HALF_PERIODS, "count", i64::from(*half_periods))
        ),
        Deed::Cross { obstacle, .. } => of(words::DEED_CROSS, obstacle),
    }
}

/// Who, and whom or where.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    pub(super) evening: Box<Evening>,
    pub(super) from: String,
    /// Another body.
    #[serde(default)]
    pub(super) to: Option<String>,
    /// Or a house or an obstacle.
    #[serde(default)]
    pub(super) element: Option<String>,
    /// Or a way to march, place by place.
    #[serde(default)]
    pub(super) way: Vec<Point>,
    /// How it marches.
    #[serde(default)]
    pub(super) pace: Pace,
    #[serde(default)]
    pub(super) projectile: Projectile,
    /// The wall that it means to shoot to pieces as well.
    #[serde(default)]
    pub(super) batters: Option<String>,
    /// The die that was rolled.
    #[serde(default)]
    pub(super) die: Option<u8>,
}

/// What there is between two bodies, or between a body and a place.
pub(super) fn pair(reader: &Reader, pages: &Pages, request: &Pair) -> Result<Value, Refusal> {
    let evening = &request.evening;
    let scene = evening.table().checked("table", evening.options())?;
    scene.body(&request.from, "from")?;
    let from = place_of(&scene, &request.from).unwrap_or(0);
    match (&request.to, &request.element) {
        (Some(to), _) => {
            scene.body(to, "to")?;
            let to = place_of(&scene, to).unwrap_or(0);
            let (html, shown) = between(reader, pages, request, &scene, from, to);
            Ok(json!({ "html": html.into_string(), "overlay": overlays(&scene, &shown) }))
        }
        (None, Some(element)) => at::element(reader, pages, request, &scene, from, element),
        (None, None) if request.way.is_empty() => Err(Refusal::field("to", kernel::phrase::MISSING_FIELD)),
        (None, None) => Ok(at::march(reader, pages, request, &scene, from)),
    }
}

/// A button that applies an action.
pub(super) fn apply(reader: &Reader, label: kernel::Phrase, action: &Action, dice: &[u8]) -> Markup {
    let action = serde_json::to_string(action).unwrap_or_default();
    html! { button.primary type="button" data-act=(action) data-dice=(json!(dice).to_string()) { (reader.say(label)) } }
}

/// What there is between two bodies, and what is laid over the table to show it.
pub(super) fn between(
    reader: &Reader,
    pages: &Pages,
    request: &Pair,
    scene: &Scene,
    from: usize,
    to: usize,
) -> (Markup, Vec<Overlay>) {
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
    let may = evening.may(scene, from);
    let of =
        |deed: &Deed| matches!(deed, Deed::Charge { target } | Deed::Melee { target } if target == ids.1);
    // A garrison is fought through its house.
    let house = bodies[to].now().house.and_then(|place| scene.elements().get(place));
    let stormed = house
        .map(|house| house.id.as_str())
        .filter(|id| may.can.contains(&Deed::Assault { house: (*id).to_owned() }));
    let html = html! {
        h2 { (speak(words::PAIR, &facts, reader.lang)) }
        p.quiet {
            @if measured { (reader.say_with(words::DISTANCE, "distance", number(reader, &gap.to_string()))) " · " }
            (speak(if seen.is_ok() { umpire::SEES } else { umpire::SEES_NOT }, &facts, reader.lang))
            @if let Err(block) = &seen { " " (rule_link_under(block.rule.as_str(), &Chosen::default())) }
        }
        @if enemies {
            (fire(reader, pages, request, ids, &mut shown))
            @for deed in may.can.iter().filter(|deed| of(deed)) {
                h3 { (told(reader, &name, deed)) }
                @match deed {
                    Deed::Charge { .. } => {
                        (received(reader, pages, evening, ids))
                        (apply(reader, words::APPLY_CHARGE, &Action::March { body: ids.0.to_owned(), to: vec![centres.1], pace: Pace::Charge }, &[]))
                    },
                    _ => {
                        (fight::ended(reader, evening, ids.0, ids.1))
                        (melee(reader, pages, evening, ids))
                    },
                }
            }
            @if let Some(house) = stormed {
                (at::assault(reader, pages, evening, house, ids))
            }
            @for (deed, refusal) in may.refused.iter().filter(|(deed, _)| of(deed)) {
                h3 { (told(reader, &name, deed)) }
                p.refusal { (why(reader, evening, refusal)) }
            }
        }
    };
    (html, shown)
}

/// What the umpire answers to a question about the table of an evening.
pub(super) fn asked(
    reader: &Reader,
    pages: &Pages,
    evening: &Evening,
    name: &str,
    mut asked: Value,
) -> Value {
    asked["options"] = json!(kernel::Options::chosen(evening.options()));
    pages
        .question(name)
        .map(|question| question.reply(&asked.to_string(), reader.lang).tree())
        .unwrap_or_default()
}

/// What the charged body fires before it is reached: in how many quarters contact comes, and its odds.
pub(super) fn received(
    reader: &Reader,
    pages: &Pages,
    evening: &Evening,
    (from, to): (&str, &str),
) -> Markup {
    let Some((after, quarters)) = evening.charged(from, to) else { return html! {} };
    let named = |id: &str| name_of(reader, evening.table(), id);
    let wish = json!({ "scene": after, "shooter": to, "target": from });
    let answered = asked(reader, pages, evening, "tabletop.shoot", wish);
    let whole = kernel::Options::chosen(evening.options());
    html! {
        p { (reader.say_with(words::CONTACT_IN, "count", i64::from(quarters))) }
        @if let Some(refused) = answered.get("refused") {
            p { (reader.say_with(words::FIRES_NOT_FIRST, "name", named(to))) (reader.lang.colon()) (refused["message"].as_str().unwrap_or_default())
                @if let Some(rule) = refused["rule"].as_str() { " " (rule_link_under(rule, &whole)) } }
        } @else {
            p { (reader.say_with(words::FIRES_FIRST, "name", named(to))) (reader.lang.colon()) }
            (outcomes(reader, &named, &answered))
        }
    }
}

/// Who fights, behind what and with which bonus.
fn melee(reader: &Reader, pages: &Pages, evening: &Evening, (from, to): (&str, &str)) -> Markup {
    let wish = json!({ "on-table": { "scene": evening.table(), "attacker": from, "defender": to } });
    let answered = asked(reader, pages, evening, "tabletop.melee-ground", wish);
    let named = |id: &str| name_of(reader, evening.table(), id);
    answer::answer_named(reader, &answered, &named, &kernel::Options::chosen(evening.options()))
}

/// The outcomes of a fire, each with its chance.
pub(super) fn outcomes(reader: &Reader, named: &dyn Fn(&str) -> String, answered: &Value) -> Markup {
    html! {
        @if let Some(odds) = answered["odds"].as_array() {
            table.odds.outcomes { tbody {
                @for row in answer::joined(odds, |answer| hits(reader, named, answer)) {
                    tr {
                        th.chance scope="row" title=(row.fraction) { span.share { (number(reader, &format!("{:.1}", row.share))) " %" } " " (bar(row.share)) }
                        td { (row.what) }
                    }
                }
            } }
        } @else if answered.get("answer").is_some() { p.says.result { (hits(reader, named, &answered["answer"])) } }
    }
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
        batters: request.batters.clone(),
    };
    let action = Action::Fire(shot);
    let title = html! { h3 { (reader.say(words::WHAT_FIRE)) } };
    if let Err(refusal) = kernel::Game::check(&**evening, tabletop::evening::Seat::Umpire, &action) {
        return html! { (title) p.refusal { (why(reader, evening, &refusal)) } };
    }
    let mut wish = json!({ "scene": evening.firing_table(from), "shooter": from, "target": to, "projectile": request.projectile });
    if let Some(die) = request.die {
        wish["dice"] = json!([die]);
    }
    let chosen = kernel::Options::chosen(evening.options());
    let answered = asked(reader, pages, evening, "tabletop.shoot", wish);
    // A fire that is lost rolls nothing: the die is then not used.
    let used = answered["dice"].as_array().into_iter().flatten();
    let used: Vec<u8> = used.filter_map(|die| die.as_u64().and_then(|die| u8::try_from(die).ok())).collect();
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
                @if let Some(wall) = evening.wall_before(from, to).filter(|_| request.projectile == Projectile::Ball) {
                    button type="button" data-batters=(wall) aria-pressed=(if request.batters.is_some() { "true" } else { "false" }) { (reader.say_with(words::AT_THE_WALL, "name", named(&wall))) }
                }
            }
        }
        @if answered.get("answer").is_some() { p.says.result { (hits(reader, &named, &answered["answer"])) } }
        @if answered.get("refused").is_none() {
            div.laid-dice role="group" aria-label=(reader.say(words::DIE)) {
                @for die in 1..=6_u8 {
                    button type="button" data-die=(die) aria-pressed=(if request.die == Some(die) { "true" } else { "false" }) { (die) }
                }
                button type="button" data-roll="true" { (reader.say(words::ROLL)) }
            }
            @if request.die.is_some() { (apply(reader, words::APPLY, &action, &used)) }
        }
        @if let Some(refused) = answered.get("refused") { (answer::refusal(reader, refused, &chosen)) }
        @if answered.get("odds").is_some() { (outcomes(reader, &named, &answered)) }
        details.why { summary { (reader.say(common::REASONS)) }
            (answer::reasons(reader, answered["because"].as_array().map_or(&[], Vec::as_slice), &chosen)) }
    }
}
