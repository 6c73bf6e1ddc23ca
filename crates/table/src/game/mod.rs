//! The page of a game of Danzig: two maps, what may be decided, the tracks, the journal. The table
//! enters as it stands; a page leaves. Orders go to the server's own interface.

mod ask;
mod board;
mod choice;
mod panel;

use danzig::{Action, Side, State};
use kernel::{Game as _, Line};
use maud::{Markup, html};
use rulebook::phrase::{board as words, table as common};

use crate::page::{Room, Width, page};
use crate::query::Query;
use crate::reader::Reader;

pub use panel::side_name;

/// A line of the journal.
#[derive(Clone, Debug)]
pub struct Told {
    /// After so many entries.
    pub n: u64,
    /// Who did it.
    pub by: Option<Side>,
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
    /// The journal, oldest first.
    pub told: &'a [Told],
    /// Whether it is over, by the rules or by agreement.
    pub over: bool,
}

impl Seen<'_> {
    /// The side that decides, if it is the reader's and the table is the present one.
    fn deciding(&self) -> Option<Side> {
        if self.at.is_some() || self.over {
            return None;
        }
        self.state.to_move().filter(|side| self.seats.contains(side))
    }
}

/// The whole page of a game.
#[must_use]
pub fn game_page(reader: &Reader, seen: &Seen<'_>) -> String {
    let title = panel::headline(reader, seen);
    let main = html! {
        div.game id="game" data-game=(seen.game) data-api={ "/api/games/" (seen.game) } {
            h1.vh { (reader.say(common::SYSTEM_DANZIG)) }
            div.maps {
                div.tabs role="tablist" aria-label=(reader.say(words::MAPS)) {
                    button type="button" role="tab" id="tab-siege" aria-controls="map-siege" aria-selected="true" { (reader.say(words::MAP_SIEGE)) }
                    button type="button" role="tab" id="tab-ops" aria-controls="map-ops" aria-selected="false" { (reader.say(words::MAP_OPS)) }
                    button type="button" id="both-maps" aria-pressed="false" { (reader.say(words::MAP_BOTH)) }
                    span.zoom {
                        button type="button" data-zoom="0.8" aria-label=(reader.say(words::ZOOM_IN)) { "+" }
                        button type="button" data-zoom="1.25" aria-label=(reader.say(words::ZOOM_OUT)) { "−" }
                        button type="button" data-zoom="0" aria-label=(reader.say(words::ZOOM_ALL)) { "▢" }
                        button type="button" id="help-button" aria-label=(reader.say(words::HELP)) { "?" }
                    }
                }
                div.map-pair {
                    (siege_map(reader, seen))
                    (ops_map(reader, seen))
                }
                (replay(reader, seen))
            }
            aside.panel aria-label=(reader.say(words::PANEL)) {
                div id="panel" { (panel::panel(reader, seen)) }
                div.preview id="preview" role="status" aria-live="polite" {}
                section.journal {
                    h2 { (reader.say(words::JOURNAL)) }
                    ol id="journal" data-live="" { (panel::journal(reader, seen)) }
                }
            }
            (help(reader))
            p.vh id="spoken" role="status" aria-live="assertive" {}
        }
    };
    page(reader, &title, Some(Room::Home), Width::Full, &main).into_string()
}

/// The parts of the page that change, by the ids of what they replace.
#[must_use]
pub fn game_parts(reader: &Reader, seen: &Seen<'_>) -> String {
    html! {
        div data-title=(panel::headline(reader, seen)) {
            div id="panel" { (panel::panel(reader, seen)) }
            svg { g id="standing-siege" { (board::siege(reader, seen.state)) } g id="standing-ops" { (board::operational(reader, seen.state)) } }
            (replay(reader, seen))
        }
    }
    .into_string()
}

/// What may come of an order, as a part of a page.
#[must_use]
pub fn game_odds(reader: &Reader, state: &State, action: &str) -> String {
    match serde_json::from_str::<Action>(action) {
        Ok(action) => ask::odds(reader, state, &action).into_string(),
        Err(_) => String::new(),
    }
}

/// Why what was tried cannot be done, as a part of a page.
#[must_use]
pub fn game_why(reader: &Reader, state: &State, query: &Query) -> String {
    ask::why(reader, state, query).into_string()
}

/// The printed ground of a map, as a picture of its own: nothing stands on it, counters and works
/// are laid over it.
fn ground(draw: impl Fn(&danzig::Table) -> String) -> String {
    let setup = kernel::Setup { scenario: danzig::SCENARIOS[0].to_owned(), ..kernel::Setup::default() };
    let Ok(mut state) = State::start(&setup) else { return String::new() };
    for unit in danzig::UnitId::all() {
        state.table.unit_mut(unit).place = danzig::Place::Away;
    }
    // The title of the sheet names the turn, which the ground does not know.
    let mut svg = draw(&state.table);
    for word in [" · turn 0", " · tour 0"] {
        if let Some(start) = svg.find(word) {
            let end = svg[start..].find('<').map_or(svg.len(), |length| start + length);
            svg.replace_range(start..end, "");
        }
    }
    // Nor does it know the stores.
    if let Some(start) = svg.find("<text class='sub' x='146' y='69'>") {
        let end = svg[start..].find("</text>").map_or(svg.len(), |length| start + length + "</text>".len());
        svg.replace_range(start..end, "");
    }
    svg
}

/// The ground of the operational map.
#[must_use]
pub fn ops_ground(reader: &Reader) -> String {
    ground(|table| danzig::draw::ops::operational(table, reader.lang))
}

/// The ground of the siege map.
#[must_use]
pub fn siege_ground(reader: &Reader) -> String {
    ground(|table| danzig::draw::siege::siege(table, reader.lang))
}

/// The names of the hexes for the keyboard, as JSON.
#[must_use]
pub fn hex_names(reader: &Reader) -> String {
    board::hex_names(reader)
}

/// The paper around the sheet of the siege map, in metres.
const MARGIN: (f64, f64) = (40.0, 44.0);

fn siege_map(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let (wide, high) = board::SIEGE;
    html! {
        div.map id="map-siege" role="tabpanel" aria-labelledby="tab-siege" {
            svg.board data-map="siege" viewBox=(format!("{} {} {} {}", -MARGIN.0, -MARGIN.1, wide + 2.0 * MARGIN.0, high + 2.0 * MARGIN.1)) role="application" tabindex="0"
                aria-label=(reader.say(words::MAP_SIEGE)) aria-describedby="board-keys" {
                image href={ "/maps/danzig-siege." (reader.lang.code()) ".svg" } x=(-MARGIN.0) y=(-MARGIN.1)
                    width=(wide + 2.0 * MARGIN.0) height=(high + 2.0 * MARGIN.1) preserveAspectRatio="none" {}
                g id="standing-siege" { (board::siege(reader, seen.state)) }
                g.marks id="marks-siege" {}
            }
        }
    }
}

fn ops_map(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let (wide, high) = board::OPS;
    html! {
        div.map id="map-ops" role="tabpanel" aria-labelledby="tab-ops" hidden {
            svg.board data-map="ops" viewBox=(format!("0 0 {wide} {high}")) role="application" tabindex="0"
                aria-label=(reader.say(words::MAP_OPS)) aria-describedby="board-keys" {
                image href={ "/maps/danzig-ops." (reader.lang.code()) ".svg" } width=(wide) height=(high) {}
                g id="standing-ops" { (board::operational(reader, seen.state)) }
                g.marks id="marks-ops" {}
            }
        }
    }
}

fn replay(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let at = seen.at.unwrap_or(seen.entries);
    html! {
        form.replay id="replay" method="get" action={ "/g/" (seen.game) } {
            label for="at" { (reader.say(words::REPLAY)) }
            input type="range" id="at" name="at" min="0" max=(seen.entries) value=(at) aria-valuetext={ (at) " / " (seen.entries) };
            output for="at" { (at) " / " (seen.entries) }
            noscript { button type="submit" { (reader.say(common::SEE_IT_ACT)) } }
            @if seen.at.is_some() { a href={ "/g/" (seen.game) } { (reader.say(words::NOW)) } }
        }
    }
}

fn help(reader: &Reader) -> Markup {
    let keys = [
        ("Tab ← ↑ → ↓", words::KEY_MOVE),
        ("Enter", words::KEY_CHOOSE),
        ("Esc", words::KEY_LEAVE),
        ("+ − 0", words::KEY_ZOOM),
        ("1 2 3", words::KEY_MAPS),
        ("Q E", words::KEY_TURN),
        ("N", words::KEY_NEXT),
        ("X", words::KEY_END),
        ("U", words::KEY_UNDO),
        ("?", words::HELP),
    ];
    html! {
        dialog id="help" aria-labelledby="help-title" {
            h2 id="help-title" { (reader.say(words::HELP)) }
            dl.keys { @for (key, phrase) in keys { div { dt { kbd { (key) } } dd { (reader.say(phrase)) } } } }
            p id="board-keys" { (reader.say(words::KEYS_SPOKEN)) }
            form method="dialog" { button { (reader.say(common::CLOSE)) } }
        }
    }
}
