//! How a round of melee ended, said in one tap: the round itself is fought by the rules of the parent book. Two
//! bodies that touch enter; the figures each lost and a button for each ending leave.

use maud::{Markup, html};
use rulebook::phrase::evening as words;
use tabletop::evening::{Action, Evening, Fought, Lost};
use tabletop::terrain::aftermath::{Choice, Winner};

use super::name_of;
use crate::reader::Reader;

/// The ways a round between two bodies can have ended; nothing where none is fought.
pub(super) fn ended(reader: &Reader, evening: &Evening, attacker: &str, defender: &str) -> Markup {
    let Ok(endings) = evening.endings(attacker, defender) else { return html! {} };
    let name = |id: &str| name_of(reader, evening.table(), id);
    let ending = |label: String, winner: Winner, choice: Choice| {
        let (attacker, defender) = (attacker.to_owned(), defender.to_owned());
        let action = Action::Melee(Fought { attacker, defender, winner, choice, lost: Lost::default() });
        let action = serde_json::to_string(&action).unwrap_or_default();
        html! { button.primary.ending type="button" data-act=(action) data-dice="[]" { (label) } }
    };
    let of = |phrase, id: &str| reader.say_with(phrase, "name", name(id));
    let goes_after = if endings.at_house { words::WINS_AND_ENTERS } else { words::WINS_AND_FOLLOWS };
    html! {
        fieldset.round-over {
            legend { (reader.say(words::ROUND_OVER)) }
            @if endings.captured {
                (ending(of(words::IS_CAPTURED, defender), Winner::Attacker, Choice::Occupy))
            } @else {
                @for (id, who) in [(attacker, "attacker"), (defender, "defender")] {
                    div.lost-figures {
                        label for={ "lost-" (who) } { (of(words::LOST_BY, id)) }
                        button type="button" data-count="-1" data-of={ "lost-" (who) } aria-label={ "− 1, " (name(id)) } { "−" }
                        input type="number" inputmode="numeric" min="0" max="999" value="0" id={ "lost-" (who) } data-lost=(who);
                        button type="button" data-count="1" data-of={ "lost-" (who) } aria-label={ "+ 1, " (name(id)) } { "+" }
                    }
                }
                div.endings {
                    (ending(of(words::WINS, attacker), Winner::Attacker, Choice::Occupy))
                    @if endings.attacker_follows { (ending(of(goes_after, attacker), Winner::Attacker, Choice::Follow)) }
                    (ending(reader.say(words::NOBODY_WINS), Winner::Nobody, Choice::Occupy))
                    (ending(of(words::WINS, defender), Winner::Defender, Choice::Occupy))
                    @if endings.defender_follows { (ending(of(words::WINS_AND_FOLLOWS, defender), Winner::Defender, Choice::Follow)) }
                }
            }
        }
    }
}
