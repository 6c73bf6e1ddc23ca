//! The page of a game of Danzig: two maps, what may be decided, the tracks, the journal. The table
//! enters as it stands; a page leaves. Orders go to the server's own interface.

mod ask;
mod board;
mod choice;
mod counter;
mod dice;
mod panel;
mod reach;
mod tried;

use std::sync::LazyLock;

use danzig::{Action, Side, State, UnitId, UnitSet};
use kernel::{Fairness, Game as _, Line};
use maud::{Markup, html};
use rulebook::Lang;
use rulebook::phrase::{board as words, table as common};

use crate::assets::{GAME_SCRIPT, GAME_STYLE};
use crate::page::{Headline, Room, Width, page_with};
use crate::query::Query;
use crate::reader::Reader;
use crate::typography;

use choice::Map;

pub use panel::side_name;

/// The journal of a page holds so many entries of the record, however long the page stays open.
pub const LONGEST_JOURNAL: usize = 80;

/// A line of the journal.
#[derive(Clone, Debug)]
pub struct Told {
    /// After so many entries.
    pub n: u64,
    /// Who did it.
    pub by: Option<Side>,
    /// What was ordered, in the reader's words.
    pub order: Option<String>,
    /// Whether dice were rolled for it.
    pub rolled: bool,
    /// What was said, as far as the reader may know.
    pub said: Vec<Line>,
}

/// A game as one reader sees it.
pub struct Seen<'a> {
    /// Its name.
    pub game: &'a str,
    /// The table.
    pub state: &'a State,
    /// The sides the reader plays; none for a spectator.
    pub seats: &'a [Side],
    /// How many entries the record holds.
    pub entries: u64,
    /// The entry shown, if it is not the last.
    pub at: Option<u64>,
    /// The journal, oldest first: the last entries, or those after the last one the reader knows.
    pub told: &'a [Told],
    /// Whether it is over, by the rules or by agreement.
    pub over: bool,
    /// What everybody may know about its dice.
    pub fairness: &'a Fairness,
    /// What is wrong with the game as it is kept, in the reader's words: then it can only be read.
    pub damaged: Option<&'a str>,
}

impl Seen<'_> {
    /// The side that decides, if it is the reader's and the table is the present one.
    fn deciding(&self) -> Option<Side> {
        if self.at.is_some() || self.over || self.damaged.is_some() {
            return None;
        }
        self.state.to_move().filter(|side| self.seats.contains(side))
    }
}

/// The whole page of a game.
#[must_use]
pub fn game_page(reader: &Reader, seen: &Seen<'_>) -> String {
    let title = panel::headline(reader, seen);
    let shown = panel::first_map(reader, seen).unwrap_or(Map::Siege);
    let main = html! {
        div.game id="game" data-game=(seen.game) data-api={ "/api/games/" (seen.game) } data-pledge=(dice::to_pledge(seen)) data-words=(script_words(reader)) {
            h1.vh { (reader.say(common::SYSTEM_DANZIG)) }
            div.maps {
                div.tabs {
                    div.which role="group" aria-label=(reader.say(words::MAPS)) {
                        @for (map, phrase) in [(Map::Siege, words::MAP_SIEGE), (Map::Operational, words::MAP_OPS)] {
                            button type="button" id={ "tab-" (map.name()) } aria-pressed=(map == shown) { (reader.say(phrase)) }
                        }
                        button type="button" id="both-maps" aria-pressed="false" { (reader.say(words::MAP_BOTH)) }
                    }
                    span.zoom {
                        @for (by, sign, phrase) in [("0.8", "+", words::ZOOM_IN), ("1.25", "−", words::ZOOM_OUT), ("0", "▢", words::ZOOM_ALL)] {
                            button type="button" data-zoom=(by) aria-label=(reader.say(phrase)) title=(reader.say(phrase)) { (sign) }
                        }
                        button type="button" id="help-button" aria-label=(reader.say(words::HELP)) title=(reader.say(words::HELP)) { "?" }
                    }
                }
                div.map-pair {
                    (siege_map(reader, seen, shown == Map::Siege))
                    (ops_map(reader, seen, shown == Map::Operational))
                }
                (replay(reader, seen))
            }
            aside.panel aria-label=(reader.say(words::PANEL)) {
                div id="panel" { (panel::panel(reader, seen)) }
                div.preview id="preview" role="status" aria-live="polite" {}
                (panel::aim(reader, seen))
                section.journal {
                    h2 { (reader.say(words::JOURNAL)) }
                    ol id="journal" data-n=(seen.entries) data-most=(LONGEST_JOURNAL) { (panel::journal(reader, seen)) }
                }
            }
            (help(reader))
            dialog id="go-to" aria-labelledby="go-to-label" {
                form method="dialog" {
                    label id="go-to-label" for="go-to-name" { (reader.say(words::GO_TO)) }
                    input type="text" id="go-to-name" autocomplete="off" placeholder="2607 · H5";
                    button.primary type="submit" value="go" { (reader.say(words::GO)) }
                }
            }
            div.vh id="spoken" role="log" aria-live="polite" {}
        }
    };
    let head = html! {
        link rel="stylesheet" href=(GAME_STYLE.path);
        script type="module" src=(GAME_SCRIPT.path) {}
    };
    let headline = Headline { title: &title, about: &reader.say(words::ABOUT) };
    page_with(reader, headline, Some(Room::Home), Width::Full, &head, &main).into_string()
}

/// The few words the script of a game needs.
fn script_words(reader: &Reader) -> String {
    let words = [
        ("can", words::SAY_CAN),
        ("target", words::SAY_TARGET),
        ("order", words::SAY_ORDER),
        ("orders", words::SAY_ORDERS),
        ("letGo", words::SAY_LET_GO),
        ("edge", words::SAY_EDGE),
        ("reach", words::SAY_REACH),
        ("vain", words::SAY_VAIN),
        ("stopped", words::MARCH_STOPPED),
        ("lost", words::CONNECTION_LOST),
        ("more", words::AND_MORE),
        ("dice", words::ENTER_DIE),
        ("why", common::REASONS),
    ];
    let words: serde_json::Map<String, serde_json::Value> =
        words.into_iter().map(|(key, phrase)| (key.to_owned(), reader.say(phrase).into())).collect();
    serde_json::Value::Object(words).to_string()
}

/// The parts of the page that change, by the ids of what they replace.
#[must_use]
pub fn game_parts(reader: &Reader, seen: &Seen<'_>) -> String {
    let parts = html! {
        div data-title=(panel::headline(reader, seen)) {
            div id="panel" { (panel::panel(reader, seen)) }
            svg { g id="standing-siege" { (board::siege(reader, seen.state)) } g id="standing-ops" { (board::operational(reader, seen.state)) } }
            (replay(reader, seen))
            ol id="news" data-n=(seen.entries) { (panel::journal(reader, seen)) }
        }
    };
    typography::set(reader.lang, &parts.into_string())
}

/// How likely each shot or attack of a counter is to do anything, as JSON: orders with hundredths.
#[must_use]
pub fn game_chances(state: &State, query: &Query) -> String {
    let unit = query.get("unit").and_then(UnitId::of_code);
    let chances = unit.map(|unit| ask::chances(state, unit)).unwrap_or_default();
    serde_json::to_string(&chances).unwrap_or_default()
}

/// Where these counters may march, as JSON: each place with its cost and the orders that lead there.
#[must_use]
pub fn game_reach(reader: &Reader, state: &State, query: &Query) -> String {
    let units: UnitSet =
        query.get("units").unwrap_or_default().split(' ').filter_map(UnitId::of_code).collect();
    match reach::reach(state, units) {
        Ok(reach) => reach.to_json(reader, state).to_string(),
        Err(refusal) => serde_json::json!({
            "refused": rulebook::refusal(&refusal, reader.lang), "rule": refusal.rule, "places": [],
        })
        .to_string(),
    }
}

/// What may come of an order, as a part of a page.
#[must_use]
pub fn game_odds(reader: &Reader, state: &State, action: &str) -> String {
    match serde_json::from_str::<Action>(action) {
        Ok(action) => typography::set(reader.lang, &ask::odds(reader, state, &action).into_string()),
        Err(_) => String::new(),
    }
}

/// Why what was tried cannot be done, as a part of a page.
#[must_use]
pub fn game_why(reader: &Reader, state: &State, query: &Query) -> String {
    typography::set(reader.lang, &ask::why(reader, state, query).into_string())
}

/// The address of a ground, with its hash so that browsers may keep it until it is drawn anew.
fn ground_address(map: &str, reader: &Reader) -> String {
    static HASHES: LazyLock<[String; 2]> = LazyLock::new(|| {
        let hash = |drawing: String| blake3::hash(drawing.as_bytes()).to_hex()[..12].to_owned();
        [hash(danzig::draw::siege::ground(Lang::En)), hash(danzig::draw::ops::ground(Lang::En))]
    });
    let hash = &HASHES[usize::from(map == "ops")];
    format!("/maps/danzig-{map}.{}.svg?{hash}", reader.lang.code())
}

/// The ground of the operational map.
#[must_use]
pub fn ops_ground(reader: &Reader) -> String {
    danzig::draw::ops::ground(reader.lang)
}

/// The ground of the siege map.
#[must_use]
pub fn siege_ground(reader: &Reader) -> String {
    danzig::draw::siege::ground(reader.lang)
}

/// The names of the hexes for the keyboard, as JSON.
#[must_use]
pub fn hex_names(reader: &Reader) -> String {
    board::hex_names(reader)
}

/// The ground under a map: fetched with the page if the map is shown, else when it first is.
fn ground(reader: &Reader, map: Map, shown: bool, (x, y): (f64, f64), (wide, high): (f64, f64)) -> Markup {
    let address = ground_address(map.name(), reader);
    html! {
        image href=[shown.then_some(&address)] data-href=[(!shown).then_some(&address)] x=(x) y=(y)
            width=(wide) height=(high) preserveAspectRatio="none" {}
    }
}

fn siege_map(reader: &Reader, seen: &Seen<'_>, shown: bool) -> Markup {
    let ((wide, high), margin) = (board::SIEGE, board::MARGIN);
    let sheet = (wide + 2.0 * margin.0, high + 2.0 * margin.1);
    html! {
        div.map id="map-siege" hidden[!shown] {
            svg.board data-map="siege" data-high=(high) viewBox=(format!("{} {} {} {}", -margin.0, -margin.1, sheet.0, sheet.1)) role="application" tabindex="0"
                aria-label=(reader.say(words::MAP_SIEGE)) aria-describedby="board-keys" {
                (ground(reader, Map::Siege, shown, (-margin.0, -margin.1), sheet))
                g id="standing-siege" { (board::siege(reader, seen.state)) }
                g.marks id="marks-siege" {}
            }
            div.card id="card-siege" hidden {}
        }
    }
}

fn ops_map(reader: &Reader, seen: &Seen<'_>, shown: bool) -> Markup {
    let (wide, high) = board::OPS;
    html! {
        div.map id="map-ops" hidden[!shown] {
            svg.board data-map="ops" viewBox=(format!("0 0 {wide} {high}")) role="application" tabindex="0"
                aria-label=(reader.say(words::MAP_OPS)) aria-describedby="board-keys" {
                (ground(reader, Map::Operational, shown, (0.0, 0.0), (wide, high)))
                g id="standing-ops" { (board::operational(reader, seen.state)) }
                g.marks id="marks-ops" {}
            }
            div.card id="card-ops" hidden {}
        }
    }
}

fn replay(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let at = seen.at.unwrap_or(seen.entries);
    html! {
        form.replay id="replay" method="get" action={ "/g/" (seen.game) } {
            label for="at" { (reader.say(words::REPLAY)) }
            button.step type="button" data-step="-1" aria-label=(reader.say(words::STEP_BACK)) { "◂" }
            input type="range" id="at" name="at" min="0" max=(seen.entries) value=(at) aria-valuetext={ (at) " / " (seen.entries) };
            button.step type="button" data-step="1" aria-label=(reader.say(words::STEP_ON)) { "▸" }
            output for="at" { (at) " / " (seen.entries) }
            noscript { button type="submit" { (reader.say(common::SEE_IT_ACT)) } }
            @if seen.at.is_some() { a href={ "/g/" (seen.game) } { (reader.say(words::NOW)) } }
        }
    }
}

fn help(reader: &Reader) -> Markup {
    let (enter, escape, pages) = (
        reader.say(words::KEYBOARD_ENTER),
        reader.say(words::KEYBOARD_ESCAPE),
        reader.say(words::KEYBOARD_PAGES),
    );
    let keys = [
        ("Tab ← ↑ → ↓", words::KEY_MOVE),
        (&enter, words::KEY_CHOOSE),
        (&escape, words::KEY_LEAVE),
        ("+ − 0", words::KEY_ZOOM),
        ("1 2 3", words::KEY_MAPS),
        ("Q E", words::KEY_TURN),
        ("N", words::KEY_NEXT),
        (&pages, words::KEY_EACH),
        ("T", words::KEY_TARGET),
        ("G", words::KEY_GO),
        ("F", words::KEY_FAN),
        ("I", words::KEY_INFO),
        ("S P B", words::KEY_TOOLS),
        ("X", words::KEY_END),
        ("U", words::KEY_UNDO),
        ("?", words::HELP),
    ];
    html! {
        dialog id="help" aria-labelledby="help-title" {
            h2 id="help-title" { (reader.say(words::HELP)) }
            dl.keys { @for (key, phrase) in keys { div { dt { kbd { (key) } } dd { (reader.say(phrase)) } } } }
            p id="board-keys" { (reader.say(words::KEYS_SPOKEN)) }
            p.field-flag {
                input type="checkbox" id="letters-on-map";
                label for="letters-on-map" { (reader.say(words::KEYS_ON_MAP)) }
            }
            form method="dialog" { button type="submit" { (reader.say(common::CLOSE)) } }
        }
    }
}
