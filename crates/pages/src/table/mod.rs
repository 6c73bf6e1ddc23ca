//! The table that is laid by hand: the page, and what its script asks of the umpire while a table is
//! laid, asked about and kept through an evening. Everything is answered from what is sent; nothing is
//! remembered here.

mod act;
mod ask;
mod at;
mod cards;
mod fight;
mod look;
mod palette;
pub(crate) mod quick;

use kernel::{Node, Phrase, Refusal};
use maud::{Markup, html};
use rulebook::phrase::{evening as words, table as common};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tabletop::scene::{Scene, Setup};

use crate::assets::{TABLE_SCRIPT, TABLE_STYLE};
use crate::page::{Headline, Room, Width, page_with};
use crate::reader::Reader;
use crate::router::Pages;
use crate::umpire::scene::examples;

pub(crate) use palette::palette;

/// Where the table is.
pub(crate) const PLACE: &str = "/table";

/// What the script says by itself, in the reader's language.
const SAID: [(&str, Phrase); 53] = [
    ("armed", words::ARMED),
    ("none", words::CHOSEN_NONE),
    ("legal", words::LEGAL),
    ("unchecked", words::UNCHECKED),
    ("unreadable", words::UNREADABLE),
    ("conflict", words::CONFLICT),
    ("shared", words::SHARED),
    ("otherChanged", words::OTHER_CHANGED),
    ("who", words::TOUCH_WHO),
    ("whom", words::TOUCH_WHOM),
    ("applied", words::APPLIED),
    ("clock", words::CLOCK),
    ("x", words::X),
    ("y", words::Y),
    ("angle", words::ANGLE),
    ("length", words::LENGTH),
    ("width", words::WIDTH),
    ("formation", words::FORMATION),
    ("front", words::FRONT),
    ("label", words::LABEL),
    ("remove", words::REMOVE),
    ("left", words::TURN_LEFT),
    ("right", words::TURN_RIGHT),
    ("addPoint", words::POINT_ADD),
    ("removePoint", words::POINT_REMOVE),
    ("snap", words::SNAP),
    ("wrong", words::WRONG),
    ("empty", words::EMPTY),
    ("wheelLeft", words::WHEEL_LEFT),
    ("wheelRight", words::WHEEL_RIGHT),
    ("turnHand", words::TURN_HAND),
    ("cornerHand", words::CORNER_HAND),
    ("snapWall", words::SNAP_WALL),
    ("snapRoad", words::SNAP_ROAD),
    ("snapFront", words::SNAP_FRONT),
    ("snapWater", words::SNAP_WATER),
    ("snapNone", words::SNAP_NONE),
    ("intoHouse", words::INTO_HOUSE),
    ("outOfHouse", words::OUT_OF_HOUSE),
    ("more", words::MORE),
    ("kindOf", words::KIND_OF),
    ("class", words::CLASS),
    ("closed", words::CLOSED),
    ("burning", words::BURNING),
    ("trees", words::TREES),
    ("treesTo", words::TREES_TO),
    ("state", words::STATE),
    ("situation", words::SITUATION),
    ("marker", words::MARKER),
    ("furtherArmed", words::FURTHER_ARMED),
    ("forgotten", words::FORGOTTEN),
    ("takenOver", words::TAKEN_OVER),
    ("replayed", words::REPLAYED),
];

/// The page.
pub(crate) fn page(reader: &Reader) -> Markup {
    let say = |phrase| reader.say(phrase);
    let said: serde_json::Map<String, Value> =
        SAID.iter().map(|(name, phrase)| ((*name).to_owned(), json!(blank(reader, *phrase)))).collect();
    let head = html! {
        link rel="stylesheet" href=(TABLE_STYLE.path);
        script type="module" src=(TABLE_SCRIPT.path) {}
    };
    let button = |id: &str, phrase: Phrase, sign: &str| {
        let label = say(phrase);
        html! { button type="button" id=(id) aria-label=(label) title=(label) { (sign) } }
    };
    let main = html! {
        nav.trail aria-label=(say(common::TRAIL)) { a href="/umpire" { (say(common::NAV_UMPIRE)) } }
        div.page-head { h1 { (say(words::TITLE)) } p.lead { (say(words::LEAD)) } }
        noscript { p.wrong { (say(words::SCRIPT)) } }
        div.laid id="laid" data-words=(Value::Object(said).to_string()) data-units=(units_address(reader)) {
            div.laid-bar {
                div.laid-modes role="group" aria-label=(say(words::MODE)) {
                    button type="button" id="mode-lay" aria-pressed="true" { (say(words::LAY)) }
                    button type="button" id="mode-ask" aria-pressed="false" { (say(words::ASK)) }
                }
                div.laid-tools {
                    (button("undo", words::UNDO, "↶")) (button("redo", words::REDO, "↷"))
                    (button("closer", words::CLOSER, "+")) (button("farther", words::FARTHER, "−")) (button("all", words::WHOLE, "▣"))
                }
            }
            figure.sheet.laid-sheet id="laid-figure" {
                svg.scene-sheet.laid-svg id="laid-svg" viewBox="-35 -35 1270 970" tabindex="0" role="group"
                    aria-label=(say(words::SHEET)) aria-describedby="laid-keys" {}
                p.vh id="laid-keys" { (say(words::SHEET_KEYS)) }
            }
            p.laid-status id="laid-status" role="status" aria-live="polite" {}
            p.vh id="laid-said" aria-live="assertive" {}
            p.laid-heard.quiet id="table-heard" role="status" aria-live="polite" {}
            ul.laid-faults id="laid-faults" {}
            section.laid-palette id="laid-palette" aria-label=(say(words::PALETTE)) {
                div.laid-tabs role="group" aria-label=(say(words::PALETTE)) {
                    @for (name, phrase) in [("ground", words::GROUND), ("blue", words::BLUE), ("red", words::RED)] {
                        button type="button" data-tab=(name) aria-pressed=(if name == "ground" { "true" } else { "false" }) { (say(phrase)) }
                    }
                    label.vh for="laid-nation" { (say(words::NATION)) }
                    select id="laid-nation" hidden {}
                }
                div.laid-items.scroll id="laid-items" tabindex="0" {}
            }
            section.laid-chosen id="laid-chosen" aria-live="off" {}
            section.laid-evening id="laid-evening" hidden {
                div.laid-clock {
                    strong id="laid-clock" {}
                    button type="button" data-next="quarter" { (say(words::NEXT_QUARTER)) }
                    button type="button" data-next="half-period" { (say(words::NEXT_HALF)) }
                    button type="button" data-next="period" { (say(words::NEXT_PERIOD)) }
                }
                div id="laid-answer" aria-live="polite" tabindex="-1" {}
            }
            (files(reader))
        }
        div.laid-print id="laid-print" aria-hidden="true" {}
        section.laid-cards id="laid-cards" {}
    };
    let headline = Headline { title: &say(words::TITLE), about: &say(words::DOOR_TEXT) };
    page_with(reader, headline, Some(Room::Umpire), Width::Desk, &head, &main)
}

/// The table itself, files, printing and sharing, folded away.
fn files(reader: &Reader) -> Markup {
    let say = |phrase| reader.say(phrase);
    html! {
        details.laid-files {
            summary { (say(words::FILES)) }
            div.pair {
                div.field { label for="table-name" { (say(words::TABLE_NAME)) } input type="text" id="table-name" maxlength="80"; }
                div.field { label for="table-width" { (say(words::TABLE_WIDTH)) } input type="number" id="table-width" min="10" max="1000" step="1"; }
                div.field { label for="table-depth" { (say(words::TABLE_DEPTH)) } input type="number" id="table-depth" min="10" max="1000" step="1"; }
                div.field {
                    label for="table-example" { (say(words::EXAMPLE)) }
                    select id="table-example" {
                        option value="" { (say(words::OWN)) }
                        @for (name, label) in examples(reader) { option value=(name) { (label) } }
                    }
                }
            }
            div.laid-actions {
                button type="button" id="table-new" { (say(words::NEW)) }
                label.quiet-button for="table-open" { (say(words::OPEN)) }
                input.vh type="file" id="table-open" accept="application/json,.json,.jsonl";
                button type="button" id="table-save" { (say(words::SAVE)) }
                button type="button" id="table-share" { (say(words::SHARE)) }
                button type="button" id="table-record" { (say(words::RECORD)) }
                button type="button" id="table-svg" { (say(words::PICTURE)) }
                button type="button" id="table-print" { (say(words::PRINT)) }
                button type="button" id="table-cards" { (say(words::CARDS)) }
                label.quiet-button for="table-photo" { (say(words::PHOTO)) }
                input.vh type="file" id="table-photo" accept="image/*" data-hint=(say(words::PHOTO_HINT));
                button type="button" id="photo-away" hidden { (say(words::PHOTO_AWAY)) }
                form method="post" action="/umpire/scene" id="table-viewer" { input type="hidden" name="table" value=""; button type="submit" { (say(words::IN_VIEWER)) } }
            }
            p id="table-shared" hidden {}
        }
    }
}

/// Where the script finds the units in the reader's language: another address for every version of it.
fn units_address(reader: &Reader) -> String {
    let version = TABLE_SCRIPT.path.rsplit('/').next().unwrap_or_default();
    format!("/table/units/{}?{version}", reader.lang.code())
}

/// A phrase whose facts the script puts in: each stands as its name in braces.
fn blank(reader: &Reader, phrase: Phrase) -> String {
    let facts = ["name", "names", "count", "reason", "period", "quarter"]
        .map(|name| kernel::Fact { name, value: format!("{{{name}}}").into() });
    rulebook::speak(phrase, &facts, reader.lang).replace(['\u{2068}', '\u{2069}'], "")
}

/// What the script asks, by the last part of the address.
pub(crate) fn answer(reader: &Reader, pages: &Pages, what: &str, body: &str) -> Option<String> {
    let answered = match what {
        "look" => read(body).map(|request| look::look(reader, &request).to_string()),
        "may" => read(body).and_then(|request| ask::may(reader, &request)).map(|said| said.to_string()),
        "pair" => {
            read(body).and_then(|request| ask::pair(reader, pages, &request)).map(|said| said.to_string())
        }
        "act" => read(body).and_then(|request| act::act(reader, &request)),
        "record" => read(body).and_then(|request| act::record(&request)).map(|said| said.to_string()),
        "garrison" => read(body).and_then(|request| act::garrison(&request)).map(|said| said.to_string()),
        "replay" => read(body).and_then(|request| act::replay(&request)),
        "cards" => read(body).map(|request| cards::cards(reader, &request).to_string()),
        "svg" => read(body).and_then(|request| cards::picture(&request)).map(|said| said.to_string()),
        _ => return None,
    };
    Some(answered.unwrap_or_else(|refusal| json!({ "refused": refused(reader, &refusal) }).to_string()))
}

/// A request, read strictly; an evening stands in it as records write it.
fn read<T: DeserializeOwned>(body: &str) -> Result<T, Refusal> {
    Node::parse(body)?.read_written()
}

/// A refusal as the script shows it.
fn refused(reader: &Reader, refusal: &Refusal) -> Value {
    json!({
        "text": rulebook::refusal(refusal, reader.lang),
        "rule": refusal.rule.map(kernel::RuleId::as_str),
        "field": refusal.field,
    })
}

/// What a terrain element is called when it has no name: its kind.
fn kind_name(reader: &Reader, element: &tabletop::scene::ElementSetup) -> String {
    use tabletop::scene::{FieldKind, ObstacleClass, Shape, WaterKind, WoodKind};
    let kind = match &element.shape {
        Shape::Hill(_) => words::KIND_HILL,
        Shape::Plateau(_) => words::KIND_PLATEAU,
        Shape::Wood(wood) if wood.kind == WoodKind::Orchard => words::KIND_ORCHARD,
        Shape::Wood(_) => words::KIND_WOOD,
        Shape::Track(_) => words::KIND_TRACK,
        Shape::House(_) => words::KIND_HOUSE,
        Shape::Village(_) => words::KIND_VILLAGE,
        Shape::Road(_) => words::KIND_ROAD,
        Shape::Bridge(_) => words::KIND_BRIDGE,
        Shape::Water(water) => match water.kind {
            WaterKind::Stream => words::KIND_STREAM,
            WaterKind::Ditch => words::KIND_DITCH,
            WaterKind::River => words::KIND_RIVER,
            WaterKind::LargeRiver => words::KIND_LARGE_RIVER,
        },
        Shape::Ford(_) => words::KIND_FORD,
        Shape::Marsh(_) => words::KIND_MARSH,
        Shape::Field(field) => match field.kind {
            FieldKind::TallCrops => words::KIND_TALL_CROPS,
            FieldKind::Vineyard => words::KIND_VINEYARD,
            FieldKind::Ploughed => words::KIND_PLOUGHED,
        },
        Shape::Obstacle(line) if line.class == ObstacleClass::Light => words::KIND_HEDGE,
        Shape::Obstacle(_) => words::KIND_WALL,
        Shape::Redoubt(_) => words::KIND_REDOUBT,
        Shape::AbandonedBattery(_) => words::KIND_ABANDONED_BATTERY,
    };
    reader.say(kind)
}

/// What a thing on the table is called.
fn name_of(reader: &Reader, table: &Setup, id: &str) -> String {
    if let Some(body) = table.bodies.iter().find(|body| body.id == id) {
        return if body.label.is_empty() { body.id.clone() } else { body.label.clone() };
    }
    let Some(element) = table.terrain.iter().find(|element| element.id == id) else { return id.to_owned() };
    if !element.label.is_empty() {
        return element.label.clone();
    }
    let number =
        element.id.rsplit('-').next().filter(|end| end.chars().all(|letter| letter.is_ascii_digit()));
    let kind = kind_name(reader, element);
    match number {
        Some(number) => format!("{kind} {number}"),
        None => format!("{kind} ({})", element.id),
    }
}

/// A refusal in words, with the names players use instead of the ids.
fn spoken(reader: &Reader, table: &Setup, refusal: &Refusal) -> String {
    let mut refusal = refusal.clone();
    for fact in &mut refusal.facts {
        if let kernel::Measure::Name(id) = &fact.value {
            fact.value = name_of(reader, table, id).into();
        }
    }
    rulebook::refusal(&refusal, reader.lang)
}

/// Where a body is in a scene.
fn place_of(scene: &Scene, id: &str) -> Option<usize> {
    scene.bodies().iter().position(|body| body.id() == id)
}
