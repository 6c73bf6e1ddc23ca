//! What is printed for the evening: the table as a picture, and cards of the units with their formation,
//! factors, morale and boxes for the losses.

use maud::html;
use rulebook::options::tabletop::Options;
use rulebook::phrase::{evening as words, umpire};
use serde::Deserialize;
use serde_json::{Value, json};
use tabletop::scene::{BodySetup, Company, Muster, Place, Setup, Side, Situation, State};

use crate::answer::value_name;
use crate::reader::Reader;

/// The table whose units are wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    scene: Setup,
}

/// The cards, as markup.
pub(super) fn cards(reader: &Reader, request: &Request) -> Value {
    let cards = html! { @for body in &request.scene.bodies { (card(reader, body)) } };
    json!({ "html": cards.into_string() })
}

/// The table as a picture of its own, with its measures.
pub(super) fn picture(request: &Request) -> Result<Value, kernel::Refusal> {
    let scene = request.scene.checked("scene", &Options::default())?;
    Ok(json!({ "svg": tabletop::draw::svg(&scene, &[]) }))
}

fn named(reader: &Reader, value: impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value_name(reader, value.as_str().unwrap_or_default())
}

fn card(reader: &Reader, body: &BodySetup) -> maud::Markup {
    let formation = match &body.place {
        Place::Stand(stand) => Some(stand.formation),
        Place::Bases(bases) => Some(bases.formation),
        Place::Garrison(_) => None,
    };
    let companies: &[Company] = match &body.troops {
        Muster::Infantry(drill) => &drill.companies,
        Muster::Cavalry(weight) => &weight.companies,
        Muster::Artillery(_) | Muster::Officer(_) => &[],
    };
    let side = match body.side {
        Side::Blue => "card blue",
        Side::Red => "card red",
    };
    let figures: i64 = match &body.troops {
        Muster::Artillery(battery) => battery.crew_left(),
        Muster::Officer(_) => 1,
        Muster::Infantry(_) | Muster::Cavalry(_) => {
            companies.iter().map(|company| i64::from(company.figures.get())).sum()
        }
    };
    html! {
        article class=(side) {
            h3 { @if body.label.is_empty() { (body.id) } @else { (body.label) } }
            p {
                (reader.say_with(umpire::FIGURES, "count", figures)) " · " (named(reader, body.status))
                @if let Some(formation) = formation { " · " (named(reader, formation)) }
                @if let Some(morale) = body.morale { " · " (reader.say(words::CARD_MORALE)) " " (morale.get()) }
            }
            @if !matches!(body.troops, Muster::Officer(_)) { (factors(reader, body, companies)) (boxes(reader, body, figures)) }
            @if body.state != State::Formed || body.situation != Situation::Steady {
                p { (named(reader, body.state)) }
            }
        }
    }
}

/// What each company, or the battery, brings: figures, fire and melee.
fn factors(reader: &Reader, body: &BodySetup, companies: &[Company]) -> maud::Markup {
    html! {
        table {
            thead {
                tr {
                    th {}
                    th scope="col" { (reader.say(words::CARD_FIGURES)) }
                    th scope="col" { (reader.say(words::CARD_FIRE)) }
                    th scope="col" { (reader.say(words::CARD_MELEE)) }
                }
            }
            tbody {
                @for company in companies {
                    tr {
                        th scope="row" { (company.name) }
                        td { (company.figures.get()) }
                        td { (company.fire.get()) }
                        td { @if let Some(melee) = company.melee { (melee.get()) } }
                    }
                }
                @if let Muster::Artillery(battery) = &body.troops {
                    tr {
                        th scope="row" { (named(reader, battery.calibre)) " × " (battery.guns.get()) }
                        td { (battery.crew_left()) }
                        td { (battery.fire.get()) }
                        td { @if let Some(melee) = battery.melee { (melee.get()) } }
                    }
                }
            }
        }
    }
}

/// A box for each figure it began with, those lost crossed; then the marker, five by five.
fn boxes(reader: &Reader, body: &BodySetup, figures: i64) -> maud::Markup {
    html! {
        p.boxes aria-label=(reader.say(words::CARD_LOSSES)) {
            @for _ in 0..body.lost.all { span.lost { "✕" } }
            @for _ in 0..figures { span {} }
        }
        p.boxes.marker { (reader.say(words::CARD_MARKER)) " "
            @for step in 1..=7 { span class=[(step * 5 <= body.marker.count()).then_some("lost")] { (step * 5) } }
        }
    }
}
