//! What a reader is told about the dice: where they come from, who had a hand in them, what was taken
//! back; and, before anything else, whether the game was begun elsewhere.

use kernel::Source;
use maud::{Markup, html};
use rulebook::phrase::board as words;

use super::Seen;
use crate::reader::Reader;

/// A number as words take it.
fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// The part of the panel about the dice.
pub(super) fn dice(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let fairness = seen.fairness;
    let provenance = &fairness.provenance;
    let (source, commitment) = match provenance.source {
        Source::Open(_) => (words::DICE_OPEN, None),
        Source::Committed(commitment) => (words::DICE_COMMITTED, Some(commitment)),
        Source::Table => (words::DICE_TABLE, None),
    };
    html! {
        @if let Some(entry) = fairness.adopted { p.hint.imported { (reader.say_with(words::IMPORTED, "entry", number(entry))) } }
        @if fairness.rolls_taken_back > 0 { p.hint { (reader.say_with(words::ROLLS_TAKEN_BACK, "count", i64::from(fairness.rolls_taken_back))) } }
        details.fair {
            summary { (reader.say(words::DICE)) }
            p { (reader.say(source)) }
            @if let Some(commitment) = commitment {
                p { (reader.say(words::DICE_COMMITMENT)) " " code { (commitment) } }
                ul { @for place in 0..seen.position.sides().len() { li { (seat(reader, seen, place)) } } }
            }
        }
    }
}

/// What a seat put into the dice.
fn seat(reader: &Reader, seen: &Seen<'_>, place: usize) -> Markup {
    let name = seen.side_name(reader, place);
    let pledge = seen.fairness.provenance.pledges.iter().find(|(pledged, _)| *pledged == place);
    html! {
        @match pledge {
            Some((_, hash)) => { (reader.say_with(words::DICE_PLEDGED, "side", name)) " " code { (hash) } },
            None if seen.fairness.machines.contains(&place) => { (reader.say_with(words::DICE_MACHINE, "side", name)) },
            None => { (reader.say_with(words::DICE_NOT_PLEDGED, "side", name)) },
        }
    }
}

/// The seats of this reader that may still put a seed of their own into the dice, for the script.
pub(super) fn to_pledge(seen: &Seen<'_>) -> String {
    let sides = seen.position.sides();
    let open = seen.seats.iter().filter(|place| seen.fairness.may_pledge.contains(place));
    open.filter_map(|place| sides.get(*place)).map(String::as_str).collect::<Vec<_>>().join(" ")
}
