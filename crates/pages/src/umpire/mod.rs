//! The umpire's pages: a list of questions, a form for each, the answer under it. The whole
//! question is in the address.

mod assault;
mod campaign;
mod explorer;
mod fire;
mod form;
mod roster;
pub(crate) mod scene;

use maud::{Markup, html};
use rulebook::{Asking, phrase, phrase::table as words, phrase::umpire};

use crate::page::{Headline, Room, Width, page};
use crate::query::Query;
use crate::reader::Reader;
use crate::router::Pages;
use crate::shelf::Shelf;
use crate::{answer, shape};

pub use explorer::explorer_places;
pub use scene::scene_picture;

/// What a question is about, in words.
pub(crate) fn question_name(reader: &Reader, name: &str) -> String {
    reader.named(&format!("question-{}", name.replace('.', "-"))).unwrap_or_else(|| name.to_owned())
}

/// The short name of a question, for titles.
fn title(reader: &Reader, name: &str) -> String {
    reader.named(&format!("table-question-{}", name.replace('.', "-"))).unwrap_or_else(|| name.to_owned())
}

/// The pages made by hand: address, title, text.
const DOORS: [(&str, &str, kernel::Phrase, kernel::Phrase); 8] = [
    ("tabletop.fire", "/umpire/tabletop.fire", words::DOOR_FIRE, words::DOOR_FIRE_TEXT),
    ("tabletop.shoot", crate::table::PLACE, phrase::evening::DOOR, phrase::evening::DOOR_TEXT),
    (
        "tabletop.shoot",
        crate::table::quick::PLACE,
        phrase::evening::QUICK_DOOR,
        phrase::evening::QUICK_DOOR_TEXT,
    ),
    ("tabletop.scene", scene::PLACE, umpire::DOOR_SCENE, umpire::DOOR_SCENE_TEXT),
    ("campaign.combat", "/umpire/campaign.combat", umpire::DOOR_CAMPAIGN, umpire::DOOR_CAMPAIGN_TEXT),
    ("campaign.reach", "/umpire/campaign.reach", umpire::DOOR_MAP, umpire::DOOR_MAP_TEXT),
    (roster::QUESTION, "/umpire/breach.roster", phrase::roster::DOOR, phrase::roster::DOOR_TEXT),
    (assault::QUESTION, assault::PLACE, umpire::DOOR_ASSAULT, umpire::DOOR_ASSAULT_TEXT),
];

/// The doors to the pages made by hand.
pub(crate) fn doors(reader: &Reader, pages: &Pages) -> Markup {
    html! {
        @for (question, place, title, text) in DOORS {
            @if pages.question(question).is_some() {
                a.door href=(place) { h2 { (reader.say(title)) } p { (reader.say(text)) } }
            }
        }
    }
}

/// The page a question has: one made by hand, or the form made from its schema.
pub(crate) fn ask(
    reader: &Reader,
    pages: &Pages,
    question: &Asking,
    query: &Query,
    shelf: Option<&dyn Shelf>,
) -> Result<Markup, Markup> {
    match question.name {
        "tabletop.shoot" => scene::viewer(reader, pages, &query.with("ask", Some("shoot")), shelf),
        "tabletop.sight" => scene::viewer(reader, pages, &query.with("ask", Some("sight")), shelf),
        "tabletop.scene" => scene::viewer(reader, pages, query, shelf),
        roster::QUESTION => Ok(roster::page(reader, question, query)),
        name => Ok(match explorer::mode(name) {
            Some(mode) => explorer::explorer(reader, pages, query, mode),
            None => self::question(reader, question, query),
        }),
    }
}

/// The list of questions, by system.
pub(crate) fn front(reader: &Reader, pages: &Pages) -> Markup {
    let mut systems: Vec<(&str, Vec<&Asking>)> = Vec::new();
    for question in pages.questions() {
        let system = question.name.split('.').next().unwrap_or_default();
        match systems.iter_mut().find(|(known, _)| *known == system) {
            Some((_, list)) => list.push(question),
            None => systems.push((system, vec![question])),
        }
    }
    let main = html! {
        h1 { (reader.say(words::UMPIRE_TITLE)) }
        p.lead { (reader.say(words::UMPIRE_LEAD)) }
        section.doors aria-label=(reader.say(umpire::UMPIRE_FIRST)) { (doors(reader, pages)) }
        h2.all-questions { (reader.say(umpire::UMPIRE_ALL)) }
        @for (system, questions) in &systems {
            section {
                h3 { (reader.system_name(system)) }
                ul.questions {
                    @for question in questions {
                        li { a href={ "/umpire/" (question.name) } {
                            strong { (title(reader, question.name)) }
                            @let lead = question_name(reader, question.name);
                            @if lead != question.name { span { (lead) } }
                        } }
                    }
                }
            }
        }
    };
    let headline =
        Headline { title: &reader.say(words::UMPIRE_TITLE), about: &reader.say(words::UMPIRE_LEAD) };
    page(reader, headline, Some(Room::Umpire), Width::Wide, &main)
}

/// The page of one question: its form and, if something was asked, the answer.
pub(crate) fn question(reader: &Reader, question: &Asking, query: &Query) -> Markup {
    let fields = shape::fields(&question.schema());
    let by_hand = campaign::has(question.name);
    let fire = question.name == "tabletop.fire";
    let assault = question.name == assault::QUESTION;
    let given = match question.name {
        "tabletop.fire" => fire::asked(query),
        assault::QUESTION => assault::asked(query),
        name if by_hand => campaign::asked(name, query),
        _ => query.clone(),
    };
    let wants_front = fire && fire::wants_front(&given);
    // Which of several questions is meant asks nothing yet.
    let waits = wants_front || (assault && assault::waits(query));
    let asked = !given.with("@", None).is_empty() && query.get("_add").is_none() && !waits;
    let answered = asked.then(|| {
        let request = shape::request(&fields, &given);
        question.reply(&request.to_string(), reader.lang).tree()
    });
    let refused = answered.as_ref().and_then(|answered| {
        let refused = &answered["refused"];
        Some((refused["field"].as_str()?.to_owned(), refused["message"].as_str()?.to_owned()))
    });
    let system = question.name.split('.').next().unwrap_or_default();
    let result = html! {
        @match &answered {
            Some(answered) if fire => (fire::result(reader, &given, answered)),
            Some(answered) if assault => (assault::result(reader, &given, answered)),
            Some(answered) => (answer::answer(reader, answered, &given.chosen())),
            None if wants_front => (fire::asks_front(reader)),
            None => section.answer id="answer" aria-live="polite" aria-atomic="true" tabindex="-1" { p.quiet { (reader.say(words::NOT_ASKED)) } },
        }
    };
    let lead = question_name(reader, question.name);
    let main = html! {
        nav.trail aria-label=(reader.say(words::TRAIL)) { a href="/umpire" { (reader.say(words::NAV_UMPIRE)) } }
        h1 { (title(reader, question.name)) }
        @if lead != question.name { p.lead { (lead) } }
        @if let Some(ask) = scene::asked_there(question.name) {
            p { a href={ (scene::PLACE) "?ask=" (ask) } { (reader.say(umpire::ON_A_SCENE)) " →" } }
        }
        @if fire {
            (fire::form(reader, question, &fields, query, &result))
        } @else if assault {
            (assault::form(reader, question, &fields, query, &result))
        } @else if by_hand {
            (campaign::page(reader, question, &fields, query, answered.as_ref(), refused.as_ref()))
        } @else {
            div.ask {
                (form::form(reader, question, &fields, query, system, refused.as_ref()))
                (result)
            }
        }
        details.raw {
            summary { (reader.say(words::FOR_PROGRAMS)) }
            p { code { "POST /api/ask/" (question.name) } }
            @if asked { pre tabindex="0" { code { (serde_json::to_string_pretty(&shape::request(&fields, &given)).unwrap_or_default()) } } }
        }
    };
    let headline = Headline { title: &title(reader, question.name), about: &lead };
    page(reader, headline, Some(Room::Umpire), Width::Wide, &main)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulebook::Lang;

    /// Every field and every choice of a form has a name in both languages.
    #[test]
    fn every_field_speaks_both_languages() {
        fn missing(reader: &Reader, fields: &[shape::Field], lost: &mut Vec<String>) {
            for field in fields {
                // Options are named by their ruling; a scene is not filled in by hand.
                match (field.name.as_str(), &field.shape) {
                    ("lang" | "scene" | "draw", _) => {}
                    ("options", shape::Shape::Group(options)) => {
                        options.iter().for_each(|option| inside(reader, &option.shape, lost));
                    }
                    (name, shape) => {
                        let key = format!("form-field-{}", name.replace('_', "-"));
                        if !name.is_empty() && reader.named(&key).is_none() {
                            lost.push(key);
                        }
                        inside(reader, shape, lost);
                    }
                }
            }
        }
        fn inside(reader: &Reader, shape: &shape::Shape, lost: &mut Vec<String>) {
            match shape {
                shape::Shape::Choice(words) => lost.extend(
                    words
                        .iter()
                        .map(|word| {
                            format!("form-value-{}", word.to_lowercase().replace(['_', '.', ' '], "-"))
                        })
                        .filter(|key| !key.contains('*') && reader.named(key).is_none())
                        .filter(|key| {
                            !key.trim_start_matches("form-value-")
                                .starts_with(|first: char| first.is_ascii_digit())
                        }),
                ),
                shape::Shape::Group(fields) => missing(reader, fields, lost),
                shape::Shape::List(inner) | shape::Shape::Row(inner) => inside(reader, inner, lost),
                shape::Shape::Variant(variants) => {
                    for inner in variants.iter().filter_map(|(_, inner)| inner.as_ref()) {
                        inside(reader, inner, lost);
                    }
                }
                _ => {}
            }
        }
        for lang in [Lang::Fr, Lang::En] {
            let reader = Reader::of(lang);
            let mut lost = Vec::new();
            let sums = [
                "breach.budget",
                "breach.roster",
                "breach.scenario",
                "breach.tower",
                "breach.end",
                "breach.score",
            ];
            let sums = breach::questions().into_iter().filter(|question| sums.contains(&question.name));
            for question in tabletop::questions().into_iter().chain(::campaign::questions()).chain(sums) {
                missing(&reader, &shape::fields(&question.schema()), &mut lost);
            }
            lost.sort();
            lost.dedup();
            assert!(lost.is_empty(), "{lost:?}");
        }
    }

    fn fire_page(lang: Lang, query: &str) -> String {
        let question = tabletop::questions().into_iter().find(|one| one.name == "tabletop.fire").unwrap();
        super::question(&Reader::of(lang), &question, &Query::parse(query)).into_string()
    }

    const NEAR: &str =
        "shooter.weapon=musket&shooter.figures=12&shooter.factor=4&target.class=mass&dice=5&distance_cm=4";

    #[test]
    fn the_fire_page_asks_for_the_front_at_five_centimetres_or_less() {
        let asks = fire_page(Lang::En, NEAR);
        assert!(asks.contains("How many figures of the target face the shooter?"), "{asks}");
        assert!(
            asks.contains("<div class=\"near\" id=\"near\">") && !asks.contains("class=\"result"),
            "{asks}"
        );
        let told = fire_page(Lang::En, &format!("{NEAR}&target.front=3"));
        assert!(told.contains("5 of 12 fire") && told.contains("<dd>35</dd>"), "{told}");
        let told = fire_page(Lang::Fr, &format!("{NEAR}&target.front=3"));
        assert!(told.contains("5 sur 12 tirent"), "{told}");
        let odds = fire_page(Lang::En, &format!("{}&target.front=3", NEAR.replace("&dice=5", "")));
        assert!(odds.contains("5 of 12 fire"), "{odds}");
        // An officer is one figure: nobody need be asked.
        let officer = fire_page(Lang::En, &format!("{NEAR}&target.arm=officer"));
        assert!(officer.contains("4 of 12 fire"), "{officer}");
    }

    #[test]
    fn farther_away_or_with_guns_the_front_is_not_asked() {
        for query in [NEAR.replace("cm=4", "cm=5.5"), NEAR.replace("weapon=musket", "weapon=calibre-8")] {
            let page = fire_page(Lang::En, &format!("{query}&target.front=3"));
            assert!(page.contains("<div class=\"near\" id=\"near\" hidden>"), "{page}");
            assert!(!page.contains("of 12 fire") && page.contains("class=\"result"), "{page}");
        }
    }

    /// The outcomes of a table of odds, one for each row.
    fn outcomes(page: &str) -> Vec<&str> {
        let table = page.split("<table class=\"odds").nth(1).unwrap().split("</table>").next().unwrap();
        table.split("<tr>").filter_map(|row| row.split_once("</th><td>").map(|(_, cells)| cells)).collect()
    }

    #[test]
    fn outcomes_that_look_the_same_are_one_row() {
        let reader = Reader::of(Lang::En);
        let question =
            ::campaign::questions().into_iter().find(|one| one.name == "campaign.attrition").unwrap();
        let page =
            super::question(&reader, &question, &Query::parse("size_sp=22&march_mp=5&ap=8")).into_string();
        let rows = outcomes(&page);
        let mut once = rows.clone();
        once.sort_unstable();
        once.dedup();
        assert!(rows.len() > 1 && rows.len() == once.len(), "{rows:?}");
        assert!(rows.len() < 6, "some of the six faces cost the same: {rows:?}");
    }

    #[test]
    fn a_question_with_several_kinds_shows_the_fields_of_one() {
        let question = tabletop::questions().into_iter().find(|one| one.name == "tabletop.obstacle").unwrap();
        let reader = Reader::of(Lang::En);
        let bare = super::question(&reader, &question, &Query::default()).into_string();
        assert!(bare.contains("name=\"cross.class\""), "the first kind is open");
        let other = super::question(&reader, &question, &Query::parse("@=reorient")).into_string();
        assert!(other.contains("reorient.base_would_meet_obstacle") && !other.contains("class=\"refused\""));
        let asked = Query::parse("@=deploy&deploy.figures=24&deploy.room=10&deploy.in_contact=true");
        assert!(super::question(&reader, &question, &asked).into_string().contains("figures holding"));
    }
}
