//! The sheet every page is printed on: head, masthead, foot.

use kernel::{Chosen, RuleId};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use rulebook::{Lang, phrase::table as words};

use crate::assets::{HOME_SCRIPT, ICON, SCRIPT, STYLE, UMPIRE_SCRIPT, UMPIRE_STYLE};
use crate::reader::{Reader, Theme};
use crate::typography;

/// The part of the house a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    Home,
    Umpire,
    Rules,
}

/// How wide the text may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// For reading.
    Column,
    /// For lists.
    Wide,
    /// For maps with a desk beside them: a large screen is used, a huge one not.
    Desk,
    /// For a game: all there is.
    Full,
}

impl Width {
    const fn class(self) -> &'static str {
        match self {
            Self::Column => "column",
            Self::Wide => "wide",
            Self::Desk => "desk",
            Self::Full => "full",
        }
    }
}

/// What a page is called, and what a search engine or a shared link says of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Headline<'a> {
    pub(crate) title: &'a str,
    pub(crate) about: &'a str,
}

/// A whole page.
pub(crate) fn page(
    reader: &Reader,
    headline: Headline<'_>,
    room: Option<Room>,
    width: Width,
    main: &Markup,
) -> Markup {
    page_with(reader, headline, room, width, &html! {}, main)
}

/// A whole page with files of its own.
pub(crate) fn page_with(
    reader: &Reader,
    headline: Headline<'_>,
    room: Option<Room>,
    width: Width,
    head: &Markup,
    main: &Markup,
) -> Markup {
    let rooms = [
        (Room::Home, "/", words::NAV_PLAY),
        (Room::Umpire, "/umpire", words::NAV_UMPIRE),
        (Room::Rules, "/rules", words::NAV_RULES),
    ];
    let sheet = html! {
        (DOCTYPE)
        html lang=(reader.lang.code()) data-theme=(reader.theme.name()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (headline.title) " · Glacis" }
                meta name="description" content=(headline.about);
                link rel="stylesheet" href=(STYLE.path);
                link rel="icon" href=(ICON.path) type="image/svg+xml";
                script type="module" src=(SCRIPT.path) {}
                @if matches!(room, Some(Room::Umpire | Room::Home)) { link rel="stylesheet" href=(UMPIRE_STYLE.path); }
                @if room == Some(Room::Umpire) { script type="module" src=(UMPIRE_SCRIPT.path) {} }
                @if room == Some(Room::Home) { script type="module" src=(HOME_SCRIPT.path) {} }
                (head)
            }
            body {
                a.skip href="#main" { (reader.say(words::SKIP)) }
                header.masthead {
                    a.wordmark href="/" {
                        (crate::fort::sign())
                        span { "Glacis" }
                    }
                    nav aria-label=(reader.say(words::NAV)) {
                        @for (place, href, phrase) in rooms {
                            a href=(href) aria-current=[(room == Some(place)).then_some("page")] { (reader.say(phrase)) }
                        }
                    }
                    div.settings {
                        @for lang in Lang::ALL {
                            @let name = if lang == Lang::Fr { "Français" } else { "English" };
                            a.lang href=(setting("lang", lang.code(), reader)) lang=(lang.code()) hreflang=(lang.code())
                                title=(name) aria-current=[(lang == reader.lang).then_some("true")] rel="nofollow" {
                                abbr title=(name) { (lang.code().to_uppercase()) }
                            }
                        }
                        (light_switch(reader))
                    }
                }
                main id="main" class=(width.class()) { (main) }
                footer.foot {
                    p { (reader.say(words::FOOT)) }
                    p {
                        a href="/rules/glossary" { (reader.say(words::GLOSSARY)) } " · "
                        a href="/rules/rulings" { (reader.say(words::RULINGS)) }
                    }
                }
                dialog.rule-sheet id="rule-sheet" aria-label=(reader.say(words::RULE))
                    data-close=(reader.say(words::CLOSE)) data-permanent=(reader.say(words::PERMANENT_PAGE)) {}
            }
        }
    };
    PreEscaped(typography::set(reader.lang, &sheet.into_string()))
}

/// The address that changes a setting and comes back here.
fn setting(name: &str, value: &str, reader: &Reader) -> String {
    // A language asked for in the address would win over the one chosen here.
    let place = match reader.place.split_once('?') {
        Some((path, query)) => {
            let rest: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with("lang=")).collect();
            if rest.is_empty() { path.to_owned() } else { format!("{path}?{}", rest.join("&")) }
        }
        None => reader.place.clone(),
    };
    let to: String = form_urlencoded::byte_serialize(place.as_bytes()).collect();
    format!("/settings/{name}/{value}?to={to}")
}

fn light_switch(reader: &Reader) -> Markup {
    let (next, phrase) = match reader.theme {
        Theme::Device => (Theme::Dark, words::LIGHT_DEVICE),
        Theme::Dark => (Theme::Light, words::LIGHT_NIGHT),
        Theme::Light => (Theme::Device, words::LIGHT_DAY),
    };
    let label = reader.say(phrase);
    html! {
        a.light href=(setting("theme", next.name(), reader)) rel="nofollow" aria-label=(label) title=(label) {
            svg viewBox="0 0 20 20" aria-hidden="true" {
                circle cx="10" cy="10" r="6.5" fill="none" stroke="currentColor" stroke-width="1.4" {}
                @match reader.theme {
                    Theme::Device => path d="M10 3.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" {},
                    Theme::Dark => circle cx="10" cy="10" r="6.5" fill="currentColor" {},
                    Theme::Light => {},
                }
            }
        }
    }
}

/// A link to a rule; the script opens its text on the spot.
pub(crate) fn rule_link(rule: RuleId) -> Markup {
    rule_link_under(rule.as_str(), &Chosen::default())
}

/// A link to a rule that says what it says under these options.
pub(crate) fn rule_link_under(rule: &str, chosen: &Chosen) -> Markup {
    let changed = rulebook::entry(rule).and_then(|entry| entry.changed(chosen));
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in changed.into_iter().flat_map(|otherwise| otherwise.when) {
        query.append_pair(&format!("options.{name}"), value);
    }
    let query = query.finish();
    html! { a.rule href={ "/rules/" (rule) @if !query.is_empty() { "?" (query) } } { (rule) } }
}
