//! What is printed for the evening: the table as a picture, and cards of the units with their formation,
//! factors, morale and boxes for the losses.

use maud::html;
use rulebook::options::tabletop::Options;
use rulebook::phrase::{evening as words, umpire};
use serde::Deserialize;
use serde_json::{Value, json};
use tabletop::scene::{BodySetup, Company, Muster, Place, Setup, Side, Situation, State};

use super::name_of;
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
    let cards = html! { @for body in &request.scene.bodies { (card(reader, &request.scene, body)) } };
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

fn card(reader: &Reader, table: &Setup, body: &BodySetup) -> maud::Markup {
    let stands = match &body.place {
        Place::Stand(stand) => named(reader, stand.formation),
        Place::Bases(bases) => named(reader, bases.formation),
        Place::Garrison(garrison) => {
            reader.say_with(words::CARD_IN_HOUSE, "house", name_of(reader, table, &garrison.house))
        }
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
            @if let Muster::Officer(officer) = &body.troops {
                p {
                    @if let Some(command) = officer.command { (reader.say(words::CARD_COMMAND)) " " (command.get()) }
                    @if officer.command.is_some() && officer.charisma.is_some() { " · " }
                    @if let Some(charisma) = officer.charisma { (reader.say(words::CARD_CHARISMA)) " " (charisma.get()) }
                }
            } @else {
                p {
                    (reader.say_with(umpire::FIGURES, "count", figures)) " · " (named(reader, body.status)) " · " (stands)
                    @if let Some(morale) = body.morale { " · " (reader.say(words::CARD_MORALE)) " " (morale.get()) }
                }
                (factors(reader, body, companies)) (boxes(reader, body, figures))
            }
            @if let Some(state) = in_disorder(reader, body) { p.disorder { (state) } }
        }
    }
}

/// What is not as it should be with a body: its order, and whether it stands; nothing if all is well.
fn in_disorder(reader: &Reader, body: &BodySetup) -> Option<String> {
    let word = |word: Value| {
        let word = word.as_str().unwrap_or_default().to_owned();
        reader.named(&format!("evening-word-{word}")).unwrap_or(word)
    };
    let state = (body.state != State::Formed).then(|| word(json!(body.state)));
    let situation = (body.situation != Situation::Steady).then(|| word(json!(body.situation)));
    let told: Vec<String> = state.into_iter().chain(situation).collect();
    (!told.is_empty()).then(|| told.join(" · "))
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

#[cfg(test)]
mod tests {
    use super::*;
    use rulebook::Lang;

    fn printed(lang: Lang, body: &Value) -> String {
        let farm = json!({ "id": "farm", "label": "La Haye", "shape": { "house": { "corner": [56, 40], "length": 9, "width": 8 } } });
        let scene = json!({ "name": "", "width": 120, "depth": 90, "terrain": [farm], "bodies": [body] });
        let request = Request { scene: serde_json::from_value(scene).unwrap() };
        cards(&Reader::of(lang), &request)["html"].as_str().unwrap().to_owned()
    }

    fn body(more: &Value) -> Value {
        let mut body = json!({ "id": "foot", "side": "blue", "troops": { "infantry": { "companies": [{ "name": "one", "figures": 3, "fire": 4 }] } },
            "place": { "stand": { "at": [60, 20], "facing": 0, "formation": "line" } } });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    }

    #[test]
    fn a_card_says_what_is_wrong_with_its_unit_and_where_it_is() {
        let calm = printed(Lang::En, &body(&json!({})));
        assert!(!calm.contains("disorder") && calm.contains("· line"), "{calm}");
        let routed = printed(Lang::En, &body(&json!({ "situation": "routing" })));
        assert!(routed.contains("<p class=\"disorder\">routing</p>"), "it is formed, and runs: {routed}");
        let both = printed(Lang::Fr, &body(&json!({ "state": "unformed", "situation": "fleeing" })));
        assert!(both.contains(" · ") && !both.contains("unformed") && !both.contains("fleeing"), "{both}");
        let inside = json!({ "place": { "garrison": { "house": "farm", "posts": [{ "side": 0, "company": "one", "figures": 3 }] } } });
        assert!(printed(Lang::En, &body(&inside)).contains("in La Haye"));
        assert!(printed(Lang::Fr, &body(&inside)).contains("dans La Haye"));
    }

    #[test]
    fn the_card_of_an_officer_tells_his_command() {
        let foy = json!({ "id": "foy", "side": "blue", "troops": { "officer": { "command": 3, "charisma": 2 } },
            "place": { "stand": { "at": [60, 20], "facing": 0, "formation": "single" } } });
        let card = printed(Lang::Fr, &foy);
        assert!(card.contains("Commandement 3 · Charisme 2") && !card.contains("figurine"), "{card}");
    }
}
