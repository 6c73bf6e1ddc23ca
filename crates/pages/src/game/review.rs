//! A game that is over, looked back at: the decisions after which the expected outcome was most another, how
//! much of that was the order and how much the dice.

use maud::html;
use rulebook::phrase::board as words;

use super::Seen;
use crate::page::{Headline, Room, Width, page};
use crate::reader::Reader;

/// A decision that mattered, judged for the first side in parts of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Turning {
    /// The number of its entry.
    pub n: u64,
    /// Who decided, by place.
    pub by: Option<usize>,
    /// What was ordered.
    pub order: String,
    /// Where the game stood.
    pub moment: Option<String>,
    /// What the position before was worth.
    pub before: f64,
    /// What the order was worth on average over its dice.
    pub expected: f64,
    /// What came of it.
    pub after: f64,
}

/// A line of the luck ledger: a side, what is measured, what came of its dice and what was to be expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Fortune {
    /// The side, by place.
    pub side: usize,
    /// What is measured.
    pub gauge: String,
    /// By how much the dice changed it.
    pub actual: i64,
    /// By how much they change it on average.
    pub expected: f64,
    /// The chance of as much or more, in percent.
    pub at_least: f64,
}

/// The page of the review.
#[must_use]
pub fn review_page(reader: &Reader, seen: &Seen<'_>, turnings: &[Turning], fortunes: &[Fortune]) -> String {
    let say = |phrase| reader.say(phrase);
    let title = say(words::REVIEW);
    let first = seen.side_name(reader, 0);
    let percent = |share: f64| format!("{:.0}", share * 100.0);
    let change = |from: f64, to: f64| format!("{:+.0}", (to - from) * 100.0);
    let main = html! {
        h1 { (title) }
        p { a href={ "/g/" (seen.game) } { (reader.say(seen.position.wording().title)) } }
        p { (reader.say_with(words::REVIEW_SCALE, "side", first.as_str())) }
        @if turnings.is_empty() { p.quiet { (say(words::REVIEW_NOTHING)) } } @else {
            div.scroll { table.review {
                thead { tr {
                    th scope="col" { (say(words::REVIEW_WHEN)) } th scope="col" { (say(words::REVIEW_WHO)) } th scope="col" { (say(words::REVIEW_ORDER)) }
                    th scope="col" { (say(words::REVIEW_WORTH)) } th scope="col" { (say(words::REVIEW_BY_ORDER)) } th scope="col" { (say(words::REVIEW_BY_DICE)) }
                } }
                tbody { @for turning in turnings { tr {
                    td { a href={ "/g/" (seen.game) "?at=" (turning.n) } { (turning.moment.as_deref().unwrap_or("·")) } }
                    td { (turning.by.map(|place| seen.side_name(reader, place)).unwrap_or_default()) }
                    td { (turning.order) }
                    td { (percent(turning.before)) " → " (percent(turning.after)) }
                    td { (change(turning.before, turning.expected)) }
                    td { (change(turning.expected, turning.after)) }
                } } }
            } }
        }
        h2 { (say(words::REVIEW_LUCK)) }
        @if fortunes.is_empty() { p.quiet { (say(words::REVIEW_NO_LUCK)) } } @else {
            div.scroll { table.review {
                thead { tr {
                    th scope="col" { (say(words::REVIEW_WHO)) } th scope="col" { (say(words::REVIEW_GAUGE)) } th scope="col" { (say(words::REVIEW_ACTUAL)) }
                    th scope="col" { (say(words::REVIEW_EXPECTED)) } th scope="col" { (say(words::REVIEW_AT_LEAST)) }
                } }
                tbody { @for line in fortunes { tr {
                    td { (seen.side_name(reader, line.side)) } td { (line.gauge) } td { (format!("{:+}", line.actual)) }
                    td { (format!("{:+.1}", line.expected)) } td { (format!("{:.1} %", line.at_least)) }
                } } }
            } }
        }
    };
    let headline = Headline { title: &title, about: &reader.say(seen.position.wording().about) };
    page(reader, headline, Some(Room::Home), Width::Wide, &main).into_string()
}
