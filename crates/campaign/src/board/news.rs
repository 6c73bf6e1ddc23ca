//! The newspaper of the campaign: what is made of the events that a reader may know of, and the days by which the
//! record is leafed through.

use kernel::{Event, Measure, Phrase, Saying};
use rulebook::phrase::{
    campaign as book, campaign_board as words, campaign_game as events, campaign_say as say,
};

use crate::game::State;
use crate::terms::Month;

/// The days of a turn.
pub(super) fn days(state: &State) -> Saying {
    let (first, month) = state.date(state.public.turn);
    let month = match month {
        Month::November => book::WORD_NOVEMBER,
        Month::December => book::WORD_DECEMBER,
    };
    Saying::new(say::DAYS)
        .with("turn", i32::from(state.public.turn))
        .with("first", first)
        .with("last", first + 1)
        .with("month", month)
}

/// Events that are news, each with the words of the paper; its facts are those of the event.
const NEWS: [(Phrase, Phrase); 14] = [
    (events::WEATHER, words::NEWS_WEATHER),
    (events::TAKEN, words::NEWS_TAKEN),
    (events::ATTACKS, words::NEWS_ATTACKS),
    (events::GUNS, words::NEWS_GUNS),
    (events::ELIMINATED, words::NEWS_ELIMINATED),
    (events::BESIEGES, words::NEWS_BESIEGES),
    (events::SURRENDERS, words::NEWS_SURRENDERS),
    (events::RETREATS, words::NEWS_RETREATS),
    (events::TOLL, words::NEWS_TOLL),
    (events::REPULSED, words::NEWS_REPULSED),
    (events::DISPLACED, words::NEWS_DISPLACED),
    (events::LEADER_LOST, words::NEWS_LEADER_LOST),
    (events::TALKS, words::NEWS_TALKS),
    (events::PRUSSIA, words::NEWS_PRUSSIA),
];

/// What the paper makes of an event. What the roads cost is told only where they cost something.
pub(super) fn news(event: &Event) -> Option<Saying> {
    let worn = event.phrase == events::WORN
        && event.facts.iter().any(|fact| fact.name == "loss" && fact.value != Measure::Number(0));
    let phrase = if worn {
        Some(words::NEWS_WORN)
    } else {
        NEWS.iter().find(|(known, _)| *known == event.phrase).map(|(_, news)| *news)
    };
    phrase.map(|phrase| Saying { phrase, facts: event.facts.clone() })
}
