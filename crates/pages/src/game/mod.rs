//! The page of a game, whatever its system: sheets, what may be decided, the tracks, the journal. A
//! position enters as its reader may see it; a page leaves. Orders go to the server's own interface.

mod advice;
mod ask;
mod board;
mod dice;
mod gazette;
mod panel;
mod review;

use kernel::board::{Kind, Offered, Position, Spot, Wanted, Wording};
use kernel::{Fairness, Line, Phrase};
use maud::{Markup, PreEscaped, html};
use rulebook::phrase::{board as words, table as common};

use crate::assets::{GAME_SCRIPT, GAME_STYLE};
use crate::page::{Headline, Room, Width, page_with};
use crate::query::Query;
use crate::reader::Reader;
use crate::system::System;
use crate::typography;

pub use advice::{Advised, game_advice};
pub use review::{Fortune, Turning, review_page};

/// The journal of a page holds so many entries of the record, however long the page stays open.
pub const LONGEST_JOURNAL: usize = 80;

/// An entry of the journal.
#[derive(Clone, Debug)]
pub struct Entry {
    /// After so many entries of the record.
    pub n: u64,
    /// Who did it, by place.
    pub by: Option<usize>,
    /// What was ordered, in the reader's words.
    pub order: Option<String>,
    /// Where the game stood when it was ordered, in the reader's words: turn and step.
    pub moment: Option<String>,
    /// Where on a sheet the order lies, if it lies anywhere.
    pub at: Option<(&'static str, Spot)>,
    /// Whether it takes back what was ordered before it.
    pub takes_back: bool,
    /// The faces of the dice that were rolled for it.
    pub dice: Vec<u8>,
    /// What was said, as far as the reader may know.
    pub said: Vec<Line>,
}

/// A day of a game whose record is leafed through by days.
#[derive(Clone, Debug)]
pub struct Day {
    /// So many entries of the record came before it.
    pub n: u64,
    /// What it is called, in the reader's words.
    pub name: String,
    /// What happened on it, as far as the reader may know and is told.
    pub said: Vec<Line>,
}

/// So many orders are written into the page; of more, the kinds, and the rest when it is asked for.
const LISTED: usize = 1_000;

/// So many orders of one kind are told at once.
const MOST_OF_A_KIND: usize = 200;

/// What a reader may decide.
enum Offers {
    /// All of it.
    Listed(Vec<Offered>),
    /// Its kinds, where all of it is too long.
    Staged(Vec<Kind>),
}

impl Offers {
    /// The sheet on which something can be decided now, if there is one.
    fn first_sheet(&self) -> Option<&'static str> {
        let at = match self {
            Self::Listed(offers) => offers.iter().find_map(|offered| offered.choice.at),
            Self::Staged(kinds) => kinds.iter().find_map(|kind| kind.first.at),
        };
        at.map(|(sheet, _)| sheet)
    }
}

/// A game as one reader sees it.
pub struct Seen<'a> {
    /// Its name.
    pub game: &'a str,
    /// Its system.
    pub system: &'a System,
    /// The position.
    pub position: &'a dyn Position,
    /// The sides the reader plays, by place; none for a spectator.
    pub seats: &'a [usize],
    /// Whose decision is waited for, by place.
    pub awaited: &'a [usize],
    /// The order that the reader has written in secret, as JSON: it can still be changed.
    pub sealed: Option<&'a str>,
    /// How many entries the record holds.
    pub entries: u64,
    /// The entry shown, if it is not the last.
    pub at: Option<u64>,
    /// The journal, oldest first: the last entries, or those after the last one the reader knows.
    pub told: &'a [Entry],
    /// The days of the whole record, oldest first; what happened, on those about the moment that is shown.
    pub days: &'a [Day],
    /// Whether it is over, by the rules or by agreement.
    pub over: bool,
    /// What everybody may know about its dice.
    pub fairness: &'a Fairness,
    /// What is wrong with the game as it is kept, in the reader's words: then it can only be read.
    pub damaged: Option<&'a str>,
}

impl Seen<'_> {
    /// The side that decides, if it is the reader's and the position is the present one.
    fn deciding(&self) -> Option<usize> {
        if self.at.is_some() || self.over || self.damaged.is_some() {
            return None;
        }
        let deciders = self.position.deciders();
        self.position.reader().filter(|place| self.seats.contains(place) && deciders.contains(place))
    }

    /// What the reader may decide.
    fn offers(&self) -> Offers {
        match self.deciding() {
            None => Offers::Listed(Vec::new()),
            Some(_) if self.position.count() <= LISTED => Offers::Listed(self.position.offers()),
            Some(_) => Offers::Staged(self.position.kinds()),
        }
    }

    /// A side as records write it.
    fn side_key(&self, place: usize) -> Option<String> {
        self.position.sides().get(place).cloned()
    }

    /// What a side is called.
    fn side_name(&self, reader: &Reader, place: usize) -> String {
        self.position.side_name(place).map(|phrase| reader.say(phrase)).unwrap_or_default()
    }

    /// What sides are called.
    fn side_names(&self, reader: &Reader, places: &[usize]) -> String {
        places.iter().map(|place| self.side_name(reader, *place)).collect::<Vec<_>>().join(", ")
    }
}

/// The whole page of a game.
#[must_use]
pub fn game_page(reader: &Reader, seen: &Seen<'_>) -> String {
    let title = panel::headline(reader, seen);
    let offers = seen.offers();
    let (wording, sheets) = (seen.position.wording(), seen.position.sheets());
    let first = sheets.first().map(|sheet| sheet.name);
    let shown = offers.first_sheet().or(first);
    let main = html! {
        div.game id="game" data-game=(seen.game) data-api={ "/api/games/" (seen.game) } data-pledge=(dice::to_pledge(seen)) data-words=(script_words(reader, wording)) {
            h1.vh { (reader.say(wording.title)) }
            div.maps {
                div.tabs {
                    @if sheets.len() > 1 {
                        div.which role="group" aria-label=(reader.say(words::MAPS)) {
                            @for sheet in sheets {
                                button type="button" id={ "tab-" (sheet.name) } aria-pressed=(Some(sheet.name) == shown) { (reader.say(sheet.title)) }
                            }
                            button type="button" id="both-maps" aria-pressed="false" { (reader.say(words::MAP_BOTH)) }
                        }
                    }
                    span.zoom {
                        @for (by, sign, phrase) in [("0.8", "+", words::ZOOM_IN), ("1.25", "−", words::ZOOM_OUT), ("0", "▢", words::ZOOM_ALL)] {
                            button type="button" data-zoom=(by) aria-label=(reader.say(phrase)) title=(reader.say(phrase)) { (sign) }
                        }
                        button type="button" id="legend-button" { (reader.say(words::LEGEND)) }
                        button type="button" id="help-button" aria-label=(reader.say(words::HELP)) title=(reader.say(words::HELP)) { "?" }
                    }
                }
                div.map-pair { @for sheet in sheets { (board::sheet(reader, seen, sheet, Some(sheet.name) == shown)) } }
                (replay(reader, seen))
            }
            aside.panel aria-label=(reader.say(words::PANEL)) {
                div id="panel" { (panel::panel(reader, seen, &offers)) }
                div.preview id="preview" role="status" aria-live="polite" {}
                details.since id="since" hidden open {
                    summary { (reader.say(words::SINCE)) }
                    ul {}
                    button type="button" id="since-play" { "▶ " (reader.say(words::SINCE_PLAY)) }
                }
                (panel::aim(reader, seen))
                section.journal {
                    h2 { (reader.say(words::JOURNAL)) }
                    ol id="journal" data-n=(seen.entries) data-most=(LONGEST_JOURNAL) { (panel::journal(reader, seen)) }
                }
            }
            (help(reader, wording))
            (legend(reader, seen))
            dialog id="go-to" aria-labelledby="go-to-label" {
                form method="dialog" {
                    label id="go-to-label" for="go-to-name" { (reader.say(wording.go_to.unwrap_or(words::GO_TO))) }
                    input type="text" id="go-to-name" autocomplete="off" placeholder=(wording.example);
                    button.primary type="submit" value="go" { (reader.say(words::GO)) }
                }
            }
            div.vh id="spoken" role="log" aria-live="polite" {}
        }
    };
    let head = html! {
        link rel="stylesheet" href=(GAME_STYLE.path);
        @if !seen.system.style.is_empty() { link rel="stylesheet" href=(seen.system.style_address()); }
        script type="module" src=(GAME_SCRIPT.path) {}
    };
    let headline = Headline { title: &title, about: &reader.say(wording.about) };
    page_with(reader, headline, Some(Room::Home), Width::Full, &head, &main).into_string()
}

/// The few words the script of a game needs.
fn script_words(reader: &Reader, wording: &Wording) -> String {
    let words = [
        ("can", words::SAY_CAN),
        ("target", words::SAY_TARGET),
        ("order", words::SAY_ORDER),
        ("orders", words::SAY_ORDERS),
        ("letGo", words::SAY_LET_GO),
        ("edge", words::SAY_EDGE),
        ("reach", wording.in_reach.unwrap_or(words::SAY_REACH)),
        ("vain", wording.vain.unwrap_or(words::SAY_VAIN)),
        ("stopped", wording.stopped.unwrap_or(words::STOPPED)),
        ("lost", words::CONNECTION_LOST),
        ("more", words::AND_MORE),
        ("dice", words::ENTER_DIE),
        ("stack", words::WHOLE_STACK),
        ("play", words::PLAY),
        ("pause", words::PAUSE),
        ("since", words::SINCE),
        ("hopeless", words::HOPELESS),
        ("passing", words::PASSING),
        ("passedOn", words::PASSED_ON),
        ("considering", words::CONSIDERING),
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
            div id="panel" { (panel::panel(reader, seen, &seen.offers())) }
            svg {
                @for sheet in seen.position.sheets() {
                    g id={ "standing-" (sheet.name) } { (board::standing(reader, seen.position, sheet)) }
                }
            }
            (replay(reader, seen))
            ol id="news" data-n=(seen.entries) { (panel::journal(reader, seen)) }
        }
    };
    typography::set(reader.lang, &parts.into_string())
}

/// More of a long list of orders: those of a kind, or those of a piece, as a part of a page.
#[must_use]
pub fn game_offers(reader: &Reader, seen: &Seen<'_>, query: &Query) -> String {
    let wanted = match (query.get("kind"), query.get("by")) {
        (Some(kind), _) => Wanted::Kind(kind),
        (None, Some(thing)) => Wanted::By(thing),
        (None, None) => return String::new(),
    };
    let offers = match seen.deciding() {
        Some(_) => seen.position.some_offers(&wanted, MOST_OF_A_KIND),
        None => Vec::new(),
    };
    typography::set(reader.lang, &panel::list(reader, &offers).into_string())
}

/// How likely each shot of a piece is to do anything, as JSON: orders with hundredths.
#[must_use]
pub fn game_chances(position: &dyn Position, query: &Query) -> String {
    let chances = query.get("piece").map(|piece| position.chances(piece)).unwrap_or_default();
    serde_json::to_string(&chances).unwrap_or_default()
}

/// Where these pieces may go, as JSON: each place with its cost and the orders that lead there.
#[must_use]
pub fn game_reach(reader: &Reader, position: &dyn Position, query: &Query) -> String {
    ask::reach(reader, position, query).to_string()
}

/// What may come of an order, as a part of a page.
#[must_use]
pub fn game_odds(reader: &Reader, position: &dyn Position, action: &str) -> String {
    typography::set(reader.lang, &ask::odds(reader, position, action).into_string())
}

/// Why what was tried cannot be done, as a part of a page.
#[must_use]
pub fn game_why(reader: &Reader, position: &dyn Position, query: &Query) -> String {
    typography::set(reader.lang, &ask::why(reader, position, query).into_string())
}

fn replay(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let at = seen.at.unwrap_or(seen.entries);
    html! {
        form.replay id="replay" method="get" action={ "/g/" (seen.game) } {
            label for="at" { (reader.say(words::REPLAY)) }
            button.step type="button" data-step="-1" aria-label=(reader.say(words::STEP_BACK)) { "◂" }
            input type="range" id="at" name="at" min="0" max=(seen.entries) value=(at) aria-valuetext={ (at) " / " (seen.entries) };
            button.step type="button" data-step="1" aria-label=(reader.say(words::STEP_ON)) { "▸" }
            button.step type="button" id="film" aria-pressed="false" aria-label=(reader.say(words::PLAY)) { "▶" }
            label.vh for="pace" { (reader.say(words::PACE)) }
            select id="pace" { @for (pace, rest) in [("½ ×", 1600), ("1 ×", 800), ("2 ×", 400), ("4 ×", 200)] {
                option value=(rest) selected[rest == 800] { (pace) }
            } }
            output for="at" { (at) " / " (seen.entries) }
            (gazette::days(reader, seen))
            noscript { button type="submit" { (reader.say(common::SEE_IT_ACT)) } }
            @if seen.at.is_some() { a href={ "/g/" (seen.game) } { (reader.say(words::NOW)) } }
        }
    }
}

/// What the signs on the sheets mean: those of every game, then those of this one.
fn legend(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let counter = |class: &str| {
        format!(
            r#"<g class="{class}"><g class="counter"><path class="body legend-body" d="M-10 -7H10V7H-10Z"></path></g></g>"#
        )
    };
    let hex = |class: &str| {
        format!(
            r#"<g class="reach {class}"><path d="M0 -9L8 -4.500V4.500L0 9L-8 4.500V-4.500Z"></path><text y="3.500">3</text></g>"#
        )
    };
    let since = |part: &str| format!(r#"<g class="sign-since">{part}</g>"#);
    let shared = [
        (counter("sign-can"), words::LEGEND_CAN),
        (counter("sign-chosen"), words::LEGEND_CHOSEN),
        (hex(""), words::LEGEND_REACH),
        (hex("fire"), words::LEGEND_REACH_FIRE),
        (r#"<g class="target"><circle r="7"></circle><path d="M-9.500 0h4M9.500 0h-4M0 -9.500v4M0 9.500v-4"></path></g>"#.to_owned(), words::LEGEND_TARGET),
        (since(r#"<path d="M-10 4L8 -3M3 -6L8 -3L5 2"></path>"#), words::LEGEND_MOVED),
        (since(r#"<circle class="came" r="7"></circle>"#), words::LEGEND_CAME),
        (since(r#"<circle class="gone" r="7"></circle>"#), words::LEGEND_GONE),
    ];
    let own = seen.position.legend();
    let sign = |picture: &str, meaning: Phrase| {
        html! {
            div {
                dt { svg viewBox="-13 -10 26 20" aria-hidden="true" { (PreEscaped(picture)) } }
                dd { (reader.say(meaning)) }
            }
        }
    };
    html! {
        dialog id="legend" aria-labelledby="legend-title" {
            h2 id="legend-title" { (reader.say(words::LEGEND)) }
            dl.signs {
                @for (picture, meaning) in &shared { (sign(picture, *meaning)) }
                @for one in &own { (sign(&one.picture, one.meaning)) }
            }
            p { button type="button" id="guide-again" { (reader.say(words::GUIDE_AGAIN)) } }
            form method="dialog" { button type="submit" { (reader.say(common::CLOSE)) } }
        }
    }
}

fn help(reader: &Reader, wording: &Wording) -> Markup {
    let (enter, escape, pages) = (
        reader.say(words::KEYBOARD_ENTER),
        reader.say(words::KEYBOARD_ESCAPE),
        reader.say(words::KEYBOARD_PAGES),
    );
    let keys = [
        ("Tab ← ↑ → ↓", wording.key_move.unwrap_or(words::KEY_MOVE)),
        (&enter, words::KEY_CHOOSE),
        (&escape, words::KEY_LEAVE),
        ("+ − 0", words::KEY_ZOOM),
        ("1 2 3", wording.key_sheets.unwrap_or(words::KEY_MAPS)),
        ("Q E", wording.key_turn.unwrap_or(words::KEY_TURN)),
        ("N", words::KEY_NEXT),
        (&pages, words::KEY_EACH),
        ("T", words::KEY_TARGET),
        ("G", wording.key_go.unwrap_or(words::KEY_GO)),
        ("F", words::KEY_FAN),
        ("I", words::KEY_INFO),
    ];
    let tools = wording.key_tools;
    let last = [
        ("X", words::KEY_END),
        ("U", words::KEY_UNDO),
        ("H", words::SUGGEST),
        ("L", words::LEGEND),
        ("?", words::HELP),
    ];
    html! {
        dialog id="help" aria-labelledby="help-title" {
            h2 id="help-title" { (reader.say(words::HELP)) }
            dl.keys { @for (key, phrase) in keys.into_iter().chain(tools).chain(last) { div { dt { kbd { (key) } } dd { (reader.say(phrase)) } } } }
            p id="board-keys" { (reader.say(words::KEYS_SPOKEN)) }
            p.field-flag {
                input type="checkbox" id="letters-on-map";
                label for="letters-on-map" { (reader.say(words::KEYS_ON_MAP)) }
            }
            form method="dialog" { button type="submit" { (reader.say(common::CLOSE)) } }
        }
    }
}
