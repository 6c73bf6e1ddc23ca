//! The scene viewer: a table is chosen or brought along, bodies are clicked on, and the umpire is
//! asked who may fire, see, march, fight, enter, cross and dig. The whole question is the address.

mod ask;
mod drawing;
mod fields;
mod inflate;
mod library;
mod verdict;

use maud::{Markup, html};
use rulebook::phrase::{table as common, umpire as words};
use serde_json::Value;
use tabletop::draw::Mark;
use tabletop::scene::{Body, Element, Instant, Kind, ObstacleClass, WaterKind};

use self::ask::{Ask, Chosen};
use self::fields::fields;
pub use self::library::scene_picture;
use self::library::{EXAMPLES, Table, example_name};
pub(crate) use self::library::{LONGEST, example_text, examples};
pub(crate) use self::verdict::hits;
use super::form::options;
use crate::answer::value_name;
use crate::page::{Headline, Room, Width, page};
use crate::query::Query;
use crate::reader::Reader;
use crate::router::Pages;
use crate::shape;
use crate::shelf::Shelf;

/// Where the viewer is.
pub(crate) const PLACE: &str = "/umpire/scene";

/// How the viewer calls a question, if it asks it.
pub(super) fn asked_there(question: &str) -> Option<&'static str> {
    Ask::ALL.into_iter().find(|ask| ask.question() == question).map(Ask::name)
}

/// What every part of the page needs.
struct Page<'a> {
    reader: &'a Reader,
    chosen: Chosen<'a>,
    /// The field that was refused, and why.
    refused: Option<(&'static str, String)>,
}

impl Page<'_> {
    /// This address with one thing changed.
    fn with(&self, name: &str, value: Option<&str>) -> String {
        address(&self.chosen.query.with(name, value))
    }

    /// What a click on a body asks.
    fn pick_body(&self, body: &Body) -> String {
        let query = self.chosen.query;
        let id = body.id();
        let (first, second) = self.chosen.ask.roles();
        let from = self.chosen.body("from");
        let next = match from {
            // Sappers are counted, not clicked on.
            _ if first.is_none() => query.clone(),
            Some(from) if from.id() == id => query.with("from", None).with("to", None).with("part", None),
            Some(_) if second.is_none() => query.with("from", Some(id)).with("way", None),
            Some(_) if query.get("to") == Some(id) => query.with("to", None),
            // Friends do not fire at each other: another of the same side takes over.
            Some(from) if from.side() == body.side() && self.chosen.ask != Ask::Sight => {
                query.with("from", Some(id)).with("to", None).with("part", None)
            }
            Some(_) => query.with("to", Some(id)).with("side", None),
            None => query.with("from", Some(id)),
        };
        address(&next)
    }

    /// The line that is stopped between two bodies, if it is.
    fn stopped(&self, from: &str, to: &str) -> Option<Mark> {
        let (from, to) = (self.chosen.place_of(from)?, self.chosen.place_of(to)?);
        let options = rulebook::options::tabletop::Options::default();
        let block = tabletop::sight::sees(self.chosen.scene, &options, Instant::P2, from, to).err()?;
        let (from, to) = block.line.map_or((block.at, block.at), |line| (line.from, line.to));
        Some(Mark { from, to, blocked: Some(block.at) })
    }

    /// What a piece of ground is called: its kind, and its name if it has one.
    fn element_name(&self, element: &Element) -> String {
        let kind = match &element.kind {
            Kind::House(_) => "house",
            Kind::Redoubt(_) => "redoubt",
            Kind::Abandoned(..) => "abandoned-battery",
            Kind::Water(water) if water.kind == WaterKind::Stream => "stream",
            Kind::Water(_) => "river",
            Kind::Obstacle(line) if line.pieces.iter().any(|piece| piece.2 == ObstacleClass::Light) => {
                "light-linear"
            }
            _ => "hard-linear",
        };
        let kind = value_name(self.reader, kind);
        if element.label.is_empty() {
            format!("{kind} ({})", element.id)
        } else {
            format!("{} ({kind})", element.label)
        }
    }

    /// The name of a body or a piece of ground.
    fn name_of(&self, id: &str) -> String {
        let scene = self.chosen.scene;
        let body = scene.bodies().iter().find(|body| body.id() == id).map(|body| body.name().to_owned());
        let element = || scene.elements().iter().find(|element| element.id == id);
        body.or_else(|| element().map(|element| self.element_name(element))).unwrap_or_else(|| id.to_owned())
    }

    fn complaint(&self, field: &str) -> Markup {
        html! {
            @if let Some((_, message)) = self.refused.as_ref().filter(|(wrong, _)| *wrong == field) {
                p.wrong id={ (field) "-wrong" } { (message) }
            }
        }
    }

    fn is_wrong(&self, field: &str) -> Option<&'static str> {
        self.refused.as_ref().is_some_and(|(wrong, _)| *wrong == field).then_some("true")
    }
}

fn address(query: &Query) -> String {
    format!("{PLACE}?{query}")
}

/// The buttons beside a drawing.
pub(super) fn zoom_buttons(reader: &Reader) -> Markup {
    let button = |by: &str, sign: &str, phrase| {
        let label = reader.say(phrase);
        html! { button type="button" data-by=(by) aria-label=(label) title=(label) { (sign) } }
    };
    html! {
        div.sheet-zoom hidden {
            (button("0.7", "+", words::CLOSER)) (button("1.43", "−", words::FARTHER)) (button("0", "▣", words::WHOLE_SHEET))
        }
    }
}

/// The most enemies of whom it is said in full why they may not be fired at.
const MOST_REASONS: usize = 12;

/// The page of the viewer, or the page that says what is wrong with the table.
pub(crate) fn viewer(
    reader: &Reader,
    pages: &Pages,
    query: &Query,
    shelf: Option<&dyn Shelf>,
) -> Result<Markup, Markup> {
    let title = reader.say(words::SCENE_TITLE);
    let Some(checker) = pages.question("tabletop.scene") else { return Ok(super::front(reader, pages)) };
    let table = Table::of(reader, query, checker, shelf);
    let query = &table.query;
    let body = match &table.scene {
        Some(scene) => {
            let chosen = Chosen { ask: Ask::of(query), query, scene, text: &table.text };
            asked(reader, pages, chosen, &table)
        }
        None => html! {
            div.scene-page id="scene" {
                section.answer id="answer" { h2.refused { (reader.say(words::SCENE_BROKEN)) } }
                form.question.scene-form action=(PLACE) method="get" { (choose_table(reader, query, &table)) }
                (own_table(reader, &table))
            }
        },
    };
    let main = html! {
        nav.trail aria-label=(reader.say(common::TRAIL)) { a href="/umpire" { (reader.say(common::NAV_UMPIRE)) } }
        div.page-head { h1 { (title) } p.lead { (reader.say(words::SCENE_LEAD)) } }
        (body)
    };
    let headline = Headline { title: &title, about: &reader.say(words::DOOR_SCENE_TEXT) };
    let sheet = page(reader, headline, Some(Room::Umpire), Width::Desk, &main);
    if table.refused { Err(sheet) } else { Ok(sheet) }
}

/// The address of a table that was just put on the shelf.
pub(crate) fn kept_address(word: &str) -> String {
    address(&library::kept_query(&Query::default(), word))
}

fn asked(reader: &Reader, pages: &Pages, chosen: Chosen<'_>, table: &Table) -> Markup {
    let question = pages.question(chosen.ask.question());
    let request = chosen.request();
    let answered: Option<Value> = question
        .zip(request.as_deref())
        .map(|(question, request)| question.reply(request, reader.lang).tree());
    let refused = answered.as_ref().and_then(|answered| {
        let refused = &answered["refused"];
        let field = chosen.ask.field(refused["field"].as_str()?);
        Some((field, refused["message"].as_str()?.to_owned()))
    });
    let page = Page { reader, chosen, refused };
    html! {
        div.scene-page id="scene" {
            (drawing::drawing(&page, answered.as_ref()))
            div.scene-desk {
                form.question.scene-form id="scene-form" action=(PLACE) method="get" {
                    (choose_table(reader, page.chosen.query, table))
                    (questions(&page))
                    (fields(&page))
                    @if let Some(question) = question {
                        (options(reader, &shape::fields(&question.schema()), page.chosen.query, "tabletop"))
                    }
                    div.ask-bar.no-script { button.primary type="submit" { (reader.say(common::ASK)) } }
                }
                (verdict::verdict(&page, answered.as_ref()))
            }
            (own_table(reader, table))
        }
    }
}

/// Which table.
fn choose_table(reader: &Reader, query: &Query, table: &Table) -> Markup {
    html! {
        div.field {
            label for="scene-name" { (reader.say(words::SCENE_CHOOSE)) }
            select id="scene-name" name="scene" data-fresh="true" {
                @if table.example.is_none() { option value="" selected { (reader.say(words::SCENE_OWN_NAME)) } }
                @for example in EXAMPLES {
                    option value=(example.name) selected[table.example == Some(example.name)] { (example_name(reader, example.name)) }
                }
            }
        }
        @for name in ["kept", "z", "table"] {
            @if let Some(value) = query.get(name) { input type="hidden" name=(name) value=(value); }
        }
    }
}

/// Which question.
fn questions(page: &Page<'_>) -> Markup {
    html! {
        fieldset.chips.asks {
            legend { (page.reader.say(words::ASK_WHAT)) }
            div.chip-line {
                @for ask in Ask::ALL {
                    span.chip {
                        input type="radio" id={ "ask-" (ask.name()) } name="ask" value=(ask.name()) checked[ask == page.chosen.ask];
                        label for={ "ask-" (ask.name()) } { (page.reader.say(ask.phrases().0)) }
                    }
                }
            }
        }
        p.hint id="hint" { (page.reader.say(page.chosen.ask.phrases().1)) }
    }
}

/// A table of the reader's own: pasted, opened, or made from the one shown.
fn own_table(reader: &Reader, table: &Table) -> Markup {
    let wrong = table.fault.is_some();
    html! {
        details.own-table open[wrong] {
            summary { (reader.say(words::SCENE_OWN)) }
            p { (reader.say(words::SCENE_OWN_LEAD)) " " a href="/api/ask/tabletop.scene" { (reader.say(words::SCENE_OWN_SCHEMA)) } }
            form.question id="own-table" action=(PLACE) method="post" {
                div.field {
                    label for="own-text" { (reader.say(words::SCENE_OWN_TEXT)) }
                    textarea id="own-text" name="table" rows="14" spellcheck="false" aria-invalid=[wrong.then_some("true")] aria-describedby=[wrong.then_some("own-wrong")] { (table.written) }
                    @if let Some(fault) = &table.fault { p.wrong id="own-wrong" { (fault) } }
                }
                div.ask-bar {
                    button.primary type="submit" { (reader.say(words::SCENE_SHOW)) }
                    label.quiet-button for="own-file" id="own-file-label" hidden { (reader.say(words::SCENE_FILE)) }
                    input type="file" id="own-file" accept=".json,application/json" hidden;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulebook::Lang;
    use serde_json::json;

    fn shown(query: &str) -> String {
        let pages = Pages::new(tabletop::questions());
        let page = viewer(&Reader::of(Lang::En), &pages, &Query::parse(query), Some(&OneScene));
        page.unwrap_or_else(|page| page).into_string()
    }

    /// A shelf with one scene: a hundred bodies on either side.
    struct OneScene;

    impl Shelf for OneScene {
        fn keep(&self, text: &str) -> String {
            crate::shelf_word(text)
        }

        fn find(&self, word: &str) -> Option<std::sync::Arc<str>> {
            (word == "many").then(|| crowd(200).into())
        }
    }

    /// A table with so many bodies, in two armies.
    fn crowd(count: u32) -> String {
        let bodies: Vec<Value> = (0..count)
            .map(|place| {
                let (side, front, facing) = if place % 2 == 0 { ("blue", 10, 0) } else { ("red", 150, 180) };
                let at = [place / 2 % 20 * 15 + 10, front + place / 40 * 10];
                serde_json::json!({
                    "id": format!("b{place}"), "label": format!("Company {place}"), "side": side,
                    "troops": { "infantry": { "class": "b", "companies": [
                        { "name": "one", "figures": 3, "fire": 4, "melee": 4 },
                    ] } },
                    "place": { "stand": { "at": at, "facing": facing, "formation": "line" } },
                })
            })
            .collect();
        serde_json::json!({ "name": "A crowd", "width": 320, "depth": 300, "terrain": [], "bodies": bodies })
            .to_string()
    }

    /// A table as a form sends it.
    fn sent(text: &str) -> String {
        form_urlencoded::Serializer::new(String::new()).append_pair("table", text).finish()
    }

    #[test]
    fn links_do_not_repeat_a_long_scene() {
        let text = crowd(60);
        let page = shown(&format!("{}&from=b0", sent(&text)));
        assert_eq!(page.matches("data-pick=").count(), 60);
        let kept = format!("kept={}", crate::shelf_word(&text));
        assert!(page.matches(&kept).count() >= 60, "every link names it");
        assert!(!page.contains("href=\"/umpire/scene?table="), "and none repeats it");
        assert!(page.len() < 20 * text.len(), "{} for {}", page.len(), text.len());
        // A short scene still travels in the address.
        assert!(shown(&sent(&crowd(2))).contains("/umpire/scene?table="));
    }

    #[test]
    fn a_crowd_is_answered_with_a_page_that_can_be_sent() {
        let page = shown("kept=many&from=b0");
        assert!(page.contains("id=\"answer\"") && !page.contains("id=\"own-wrong\""), "{page}");
        assert!(page.len() < 1 << 20, "{} bytes", page.len());
        let reasons =
            page.split("targets may-not").nth(1).map_or(0, |rest| rest.matches("data-live").count());
        assert!(reasons <= MOST_REASONS, "{reasons} reasons in full");
    }

    #[test]
    fn more_bodies_than_a_page_draws_are_refused_by_name() {
        let page = shown(&sent(&crowd(251)));
        assert!(page.contains("251 are too many; at most 250"), "{page}");
    }

    #[test]
    fn a_scene_that_is_forgotten_says_so_and_leads_back() {
        let pages = Pages::new(tabletop::questions());
        let gone = viewer(&Reader::of(Lang::En), &pages, &Query::parse("kept=gone"), Some(&OneScene));
        let page = gone.expect_err("a page that refuses").into_string();
        assert!(page.contains("this table was kept for a while and is forgotten"), "{page}");
        assert!(page.contains("id=\"own-table\"") && page.contains("scene-name"), "the way back");
    }

    #[test]
    fn everything_on_a_table_can_be_chosen_and_asked() {
        let page = shown("scene=crest");
        assert_eq!(page.matches("class=\"pick\"").count(), 7, "seven bodies of the crest");
        assert!(page.contains("52nd Foot, red, infantry, 20 figures"));
        assert!(page.contains("/umpire/scene?scene=crest&amp;from=foot"));
        let list = shown("scene=crest&from=foot");
        assert!(list.contains("May be fired at"), "{list}");
        assert!(list.contains("key-arc"));
        assert!(list.contains("class=\"pick is-from\""));
    }

    #[test]
    fn a_stopped_line_is_drawn_with_what_stops_it() {
        let page = shown("scene=crest&ask=sight&from=column&to=reserve");
        assert!(page.contains("does not see"), "{page}");
        assert!(page.contains("key-stopped"));
        let clear = shown("scene=crest&ask=sight&from=column&to=foot");
        assert!(clear.contains("Grenadiers sees 52nd Foot"), "{clear}");
    }

    #[test]
    fn every_question_is_answered_on_some_table() {
        for (query, expected) in [
            ("scene=column-behind-the-hedge&from=battery&to=column", "Odds"),
            ("scene=column-behind-the-hedge&from=battery&to=column&dice=3", "losses"),
            ("scene=crest&ask=move&from=column&way=40 36", "class=\"route\""),
            ("scene=village-street&ask=house&place=nw", "garrison"),
            ("scene=column-behind-the-hedge&ask=obstacle&place=hedge&from=column", "half periods"),
            ("scene=column-behind-the-hedge&ask=engineers&place=hedge&task=destroy-light-shelter", "Result"),
        ] {
            let page = shown(query);
            assert!(
                page.contains(expected),
                "{query}: {}",
                page.split("id=\"answer\"").nth(1).unwrap_or(&page)
            );
        }
    }

    /// Ground is asked about horse, whatever it wears.
    #[test]
    fn cuirassiers_cross_what_other_horse_crosses() {
        let example = EXAMPLES.iter().find(|example| example.name == "square-charged");
        let mut table: Value =
            example.and_then(|one| serde_json::from_str(one.json).ok()).unwrap_or_default();
        let hedge = json!({ "id": "hedge", "shape": { "obstacle": { "line": [[40, 8], [60, 8]], "class": "light" } } });
        if let Some(terrain) = table["terrain"].as_array_mut() {
            terrain.push(hedge);
        }
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("table", &table.to_string());
        query.extend_pairs([("ask", "obstacle"), ("place", "hedge"), ("from", "cuirassiers")]);
        let page = shown(&query.finish());
        let answer = page.split("id=\"answer\"").nth(1).unwrap_or(&page);
        assert!(answer.contains("half periods"), "{answer}");
    }

    #[test]
    fn outcomes_of_a_fire_that_look_the_same_are_one_row() {
        for query in [
            "scene=column-behind-the-hedge&from=battery&to=column",
            "scene=skirmish-screen&from=line&to=column",
            "scene=wood-edge&from=jager&to=line",
            "scene=wood-edge&from=line&to=jager",
            "scene=grand-battery&from=b12&to=line",
        ] {
            let page = shown(query);
            let table = page.split("<table class=\"odds").nth(1).unwrap_or_else(|| panic!("{query}: {page}"));
            let table = table.split("</table>").next().unwrap_or_default();
            let rows: Vec<&str> = table.split("</th><td>").skip(1).collect();
            let mut once: Vec<&str> =
                rows.iter().map(|row| row.split("</td>").next().unwrap_or_default()).collect();
            once.sort_unstable();
            once.dedup();
            assert_eq!(rows.len(), once.len(), "{query}: {rows:?}");
        }
    }

    #[test]
    fn what_is_wrong_stands_at_its_field() {
        let page = shown("scene=crest&ask=sight&from=nobody&to=foot");
        assert!(page.contains("id=\"from-wrong\""), "{page}");
        let page = shown("scene=crest&ask=move&from=column&way=forty");
        assert!(page.contains("id=\"way-wrong\""), "{page}");
        let page = shown("table=%7B");
        assert!(page.contains("id=\"own-wrong\""));
    }
}
