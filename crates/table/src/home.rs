//! The front page: what Glacis is, what one can do here.

use maud::{Markup, html};
use rulebook::phrase::{board, table as words};

use crate::page::{Room, Width, page};
use crate::reader::Reader;
use crate::router::Pages;

/// The front page.
pub(crate) fn front(reader: &Reader, pages: &Pages) -> Markup {
    let has_fire = pages.question("tabletop.fire").is_some();
    let main = html! {
        section.hero {
            div.hero-words {
                h1 { (reader.say(words::HOME_TITLE)) }
                p.lead { (reader.say(words::HOME_LEAD)) }
                p { (reader.say(words::HOME_REASONS)) }
                p { (reader.say(words::HOME_TABLES)) }
            }
            figure.frame { (crate::fort::plate(&reader.say(words::HOME_PLATE))) figcaption { (reader.say(words::HOME_CAPTION)) } }
        }
        @if pages.plays("danzig") { (new_game(reader)) }
        section.doors aria-label=(reader.say(words::HOME_DOORS)) {
            @if has_fire {
                a.door href="/umpire/tabletop.fire" {
                    h2 { (reader.say(words::DOOR_FIRE)) }
                    p { (reader.say(words::DOOR_FIRE_TEXT)) }
                }
            }
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
    page(reader, &reader.say(words::HOME_TITLE), Some(Room::Home), Width::Wide, &main)
}

/// The form for a new game of Danzig, with every option of its rulings.
fn new_game(reader: &Reader) -> Markup {
    let side = |name: &str, label: kernel::Phrase| {
        html! {
            div.field {
                label for={ "seat." (name) } { (reader.say(label)) }
                select id={ "seat." (name) } name={ "seat." (name) } {
                    option value="human" { (reader.say(board::PEOPLE)) }
                    option value="sensible" { (reader.say(board::MACHINE)) }
                }
            }
        }
    };
    let rulings = rulebook::rulings().iter().filter(|ruling| ruling.book == rulebook::Book::Danzig);
    html! {
        section.new-game aria-labelledby="new-game-title" {
            h2 id="new-game-title" { (reader.say(board::NEW_GAME)) }
            p { (reader.say(board::NEW_GAME_LEAD)) }
            form id="new-game" data-french=(reader.say(board::FRENCH)) data-prussian=(reader.say(board::PRUSSIAN)) data-spectator=(reader.say(board::SPECTATOR)) {
                input type="hidden" name="system" value="danzig";
                input type="hidden" name="scenario" value=(danzig::SCENARIOS[0]);
                div.seat-pair { (side("french", board::FRENCH)) (side("prussian", board::PRUSSIAN)) }
                details.options {
                    summary { (reader.say(words::OPTIONS)) }
                    @for (ruling, toggle) in rulings.flat_map(|ruling| ruling.options.iter().map(move |toggle| (ruling.id, toggle))) {
                        div.field {
                            label for={ "options." (toggle.name) } { (toggle.text.get(reader.lang)) " " (crate::page::rule_link(ruling)) }
                            select id={ "options." (toggle.name) } name={ "options." (toggle.name) } {
                                @for (place, value) in toggle.values.iter().enumerate() {
                                    option value=(if place == 0 { "" } else { value }) { (crate::answer::value_name(reader, value)) }
                                }
                            }
                        }
                    }
                }
                button.primary type="submit" { (reader.say(board::BEGIN)) }
                div id="seats" role="status" aria-live="polite" {}
            }
            div id="my-games" data-title=(reader.say(board::MY_GAMES)) data-open=(reader.say(board::OPEN_GAME)) data-over=(reader.say(board::OVER))
                data-french=(reader.say(board::FRENCH)) data-prussian=(reader.say(board::PRUSSIAN)) {}
        }
    }
}

/// A count as words take it.
pub(crate) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
