//! The newspaper of a game that is told by days, and the list by which its days are leafed through: made of what
//! happened and the reader may know, in the words that the system has for news.

use kernel::Line;
use maud::{Markup, html};
use rulebook::phrase::board as words;

use super::panel::sentence;
use super::{Day, Seen};
use crate::reader::Reader;

/// The papers of the last days, the newest first.
pub(super) fn gazette(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let papers: Vec<(&Day, Vec<String>)> = seen
        .days
        .iter()
        .rev()
        .map(|day| (day, articles(reader, seen, day)))
        .filter(|(_, articles)| !articles.is_empty())
        .collect();
    html! {
        @if !papers.is_empty() {
            details.gazette open[papers.len() == 1] {
                summary { (reader.say(words::GAZETTE)) " " span.quiet { (papers[0].0.name) } }
                @for (day, articles) in &papers {
                    article {
                        h4 { (day.name) }
                        ul { @for text in articles { li { (text) } } }
                    }
                }
            }
        }
    }
}

/// What a paper tells of a day: every piece of news once.
fn articles(reader: &Reader, seen: &Seen<'_>, day: &Day) -> Vec<String> {
    let mut articles: Vec<String> = Vec::new();
    for line in &day.said {
        let Line::Happened(event) = line else { continue };
        let Some(news) = seen.position.news(event) else { continue };
        let text = sentence(&reader.tell(&news));
        if !articles.contains(&text) {
            articles.push(text);
        }
    }
    articles
}

/// The days of the record: choosing one looks back at its beginning.
pub(super) fn days(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let at = seen.at.unwrap_or(seen.entries);
    let shown = seen.days.iter().rposition(|day| day.n <= at);
    html! {
        @if seen.days.len() > 1 {
            label.vh for="day" { (reader.say(words::DAYS)) }
            select id="day" {
                @for (place, day) in seen.days.iter().enumerate() {
                    option value=(day.n) selected[Some(place) == shown] { (day.name) }
                }
            }
        }
    }
}
