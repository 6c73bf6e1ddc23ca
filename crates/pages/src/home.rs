//! The front page: what Glacis is, a game to begin or to go on with, the umpire, the rules.

use maud::{Markup, html};
use rulebook::phrase::{board, table as words, umpire};

use crate::answer::value_name;
use crate::page::{Headline, Room, Width, page};
use crate::reader::Reader;
use crate::router::Pages;
use crate::system::Playable;

/// The front page.
pub(crate) fn front(reader: &Reader, pages: &Pages) -> Markup {
    let games: Vec<Game> = pages
        .systems()
        .iter()
        .filter_map(|system| Some(Game { system: system.name, playable: system.game? }))
        .collect();
    let lines = [umpire::HOME_ONE, umpire::HOME_TWO, umpire::HOME_THREE].map(|phrase| reader.say(phrase));
    let main = html! {
        section.hero {
            div.hero-words {
                h1 { (reader.say(words::HOME_TITLE)) }
                ul.three-lines { @for line in &lines { li { (line) } } }
                p.hero-ways {
                    @if !games.is_empty() { a.primary.button href="#play" { (reader.say(umpire::HOME_PLAY)) } " " }
                    @if let Some((game, first)) = games.iter().find_map(|game| Some((game, game.playable.first?))) {
                        button.first-game type="button" data-system=(game.system) data-scenario=(first) { (reader.say(umpire::HOME_FIRST_GAME)) } " "
                    }
                    a.quiet-button href="/umpire" { (reader.say(umpire::HOME_UMPIRE)) } " "
                    a.quiet-button href="/rules" { (reader.say(words::DOOR_RULES)) }
                }
            }
            figure.frame { (crate::fort::plate(&reader.say(words::HOME_PLATE))) figcaption { (reader.say(words::HOME_CAPTION)) } }
        }
        @if !games.is_empty() { (play(reader, &games)) }
        section.doors.thirds aria-label=(reader.say(words::HOME_DOORS)) {
            (crate::umpire::doors(reader, pages))
            a.door href="/umpire" {
                h2 { (reader.say(words::DOOR_UMPIRE)) }
                p { (reader.say_with(words::DOOR_UMPIRE_TEXT, "count", count(pages.questions().len()))) }
            }
            a.door href="/rules" {
                h2 { (reader.say(words::DOOR_RULES)) }
                p { (reader.say_with(words::DOOR_RULES_TEXT, "count", count(rulebook::rules().len()))) }
            }
        }
        section.find {
            h2 { (reader.say(words::FIND_RULE)) }
            (crate::rules::search_form(reader, ""))
        }
    };
    let headline = Headline { title: &reader.say(words::HOME_TITLE), about: &lines.join(" ") };
    page(reader, headline, Some(Room::Home), Width::Wide, &main)
}

/// A game that can be begun.
struct Game {
    system: &'static str,
    playable: Playable,
}

/// The form for a new game, with every option of its rulings, and the games of this browser.
fn play(reader: &Reader, games: &[Game]) -> Markup {
    let say = |phrase| reader.say(phrase);
    html! {
        section.new-game id="play" aria-labelledby="new-game-title" {
            h2 id="new-game-title" { (say(umpire::HOME_PLAY)) }
            noscript { p.wrong { (say(umpire::HOME_SCRIPT)) } }
            form id="new-game" data-spectator=(say(board::SPECTATOR))
                data-links=(say(umpire::HOME_LINKS)) data-alone=(say(umpire::HOME_ALONE)) data-sit=(reader.say_with(umpire::HOME_SIT, "side", "…")) data-look-on=(reader.say_with(umpire::HOME_LOOK_ON, "side", "…"))
                data-copy=(say(umpire::HOME_COPY)) data-copied=(say(umpire::HOME_COPIED)) data-another=(say(umpire::HOME_ANOTHER)) data-failed=(reader.say_with(umpire::HOME_FAILED, "reason", "…")) {
                div.pair {
                    div.field {
                        label for="system" { (say(umpire::HOME_SYSTEM)) }
                        select id="system" name="system" {
                            @for game in games { option value=(game.system) { (say(game.playable.title)) } }
                        }
                    }
                    @for (place, game) in games.iter().enumerate() { (scenario(reader, game, place)) }
                }
                @for (place, game) in games.iter().enumerate() { (seats(reader, game, place)) }
                div.chip-line.sentence {
                    span.chip {
                        input type="checkbox" id="take-backs" name="take-backs";
                        label for="take-backs" { (say(umpire::HOME_TAKE_BACKS)) }
                    }
                }
                @for (place, game) in games.iter().enumerate() {
                    @if let Some(book) = game.playable.book { fieldset.of-system data-system=(game.system) hidden[place > 0] disabled[place > 0] { (rulings(reader, book, game.system, place)) } }
                }
                div.ask-bar {
                    button.primary type="submit" { (say(umpire::HOME_BEGIN)) } " "
                    button type="button" id="watch-machine" { (say(umpire::HOME_WATCH_MACHINE)) }
                }
                div id="seats" role="status" aria-live="polite" {}
            }
        }
        div.games id="games" data-over=(say(umpire::HOME_OVER)) data-imported=(say(umpire::HOME_IMPORTED)) data-yours=(say(umpire::HOME_TURN_YOURS)) data-systems=(words_of(reader, games))
            data-one=(reader.say_with(umpire::HOME_ORDERS, "count", 1_i64)) data-many=(reader.say_with(umpire::HOME_ORDERS, "count", 987_i64)) {
            section { h2 { (say(umpire::HOME_MINE)) } ul id="my-games" {} p.quiet.none { (say(umpire::HOME_NONE)) } }
            section { h2 { (say(umpire::HOME_WATCHING)) } ul id="watched-games" {} p.quiet.none { (say(umpire::HOME_NO_WATCHING)) } }
        }
    }
}

/// What belongs to a system is shown while it is chosen; ids of all but the first carry its name.
fn own_id(id: &str, system: &str, place: usize) -> String {
    if place == 0 { id.to_owned() } else { format!("{system}.{id}") }
}

fn scenario(reader: &Reader, game: &Game, place: usize) -> Markup {
    let id = own_id("scenario", game.system, place);
    html! {
        fieldset.of-system.field data-system=(game.system) hidden[place > 0] disabled[place > 0] {
            label for=(id) { (reader.say(umpire::HOME_SCENARIO)) }
            select id=(id) name="scenario" {
                @for scenario in game.playable.scenarios {
                    option value=(scenario) { (reader.named(&format!("{}-scenario-{scenario}", game.system)).unwrap_or_else(|| (*scenario).to_owned())) }
                }
            }
        }
    }
}

/// Who plays each side: the first a person, the others the machine, unless told otherwise.
fn seats(reader: &Reader, game: &Game, place: usize) -> Markup {
    let side = |name: &str, label: kernel::Phrase, machine: bool| {
        html! {
            fieldset.chips {
                legend { (reader.say(label)) }
                div.chip-line {
                    @for (kind, phrase, usual) in [("human", umpire::HOME_HUMAN, !machine), ("random", umpire::HOME_RECRUIT, false), ("sensible", umpire::HOME_SERGEANT, machine), ("search", umpire::HOME_MARSHAL, false)] {
                        @let id = own_id(&format!("seat.{name}.{kind}"), game.system, place);
                        span.chip {
                            input type="radio" id=(id) name={ "seat." (name) } value=(kind) checked[usual];
                            label for=(id) { (reader.say(phrase)) }
                        }
                    }
                }
            }
        }
    };
    html! {
        fieldset.of-system.pair data-system=(game.system) hidden[place > 0] disabled[place > 0] {
            @for (place, (name, label)) in (game.playable.sides)().into_iter().enumerate() { (side(&name, label, place > 0)) }
        }
    }
}

/// What systems and sides are called, and whose turn it is, for the script.
fn words_of(reader: &Reader, games: &[Game]) -> String {
    let words: serde_json::Map<String, serde_json::Value> = games
        .iter()
        .map(|game| {
            let sides: serde_json::Map<String, serde_json::Value> = (game.playable.sides)()
                .into_iter()
                .map(|(name, phrase)| {
                    let side = reader.say(phrase);
                    let turn = reader.say_with(umpire::HOME_TURN_OTHER, "side", side.as_str());
                    (name, serde_json::json!({ "name": side, "turn": turn }))
                })
                .collect();
            let title = reader.say(game.playable.title);
            (game.system.to_owned(), serde_json::json!({ "title": title, "sides": sides }))
        })
        .collect();
    serde_json::Value::Object(words).to_string()
}

/// Every option of the game, each with what it decides and a link to the ruling.
fn rulings(reader: &Reader, book: rulebook::Book, system: &str, place: usize) -> Markup {
    let rulings = rulebook::rulings().iter().filter(|ruling| ruling.book == book);
    let toggles: Vec<_> =
        rulings.flat_map(|ruling| ruling.options.iter().map(move |toggle| (ruling, toggle))).collect();
    html! {
        details.options {
            summary { (reader.say(umpire::HOME_OPTIONS)) " · " span.quiet { (reader.say_with(umpire::HOME_OPTIONS_COUNT, "count", count(toggles.len()))) } }
            @for (ruling, toggle) in toggles {
                @let name = format!("options.{}", toggle.name);
                @let id = own_id(&name, system, place);
                div.field.toggle {
                    label for=(id) { (toggle.text.get(reader.lang)) }
                    select id=(id) name=(name) {
                        @for (place, value) in toggle.values.iter().enumerate() {
                            @let said = value_name(reader, value);
                            option value=(if place == 0 { "" } else { value }) {
                                @if place == 0 { (reader.say_with(umpire::HOME_DEFAULT, "value", said)) } @else { (said) }
                            }
                        }
                    }
                    p.quiet { (ruling.decision.get(reader.lang)) " " (crate::page::rule_link(ruling.id)) }
                }
            }
        }
    }
}

/// A count as words take it.
pub(crate) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
