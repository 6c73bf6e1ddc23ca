//! The front page: what Glacis is, what one can do here.

use maud::{Markup, html};
use rulebook::phrase::table as words;

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

/// A count as words take it.
pub(crate) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
