//! The form for an assault, made for a phone at a gaming table: where, who storms, who defends; three
//! taps, and the odds stand below. Names of troops stand for their Attacks, Hits and armour.

use breach::lists::{Army, Entry, Kind};
use maud::{Markup, html};
use rulebook::{Asking, phrase::umpire as words};
use serde_json::Value;

use crate::answer::{self, value_name};
use crate::query::Query;
use crate::reader::Reader;
use crate::shape::Field;

use super::form::options;

/// The question of the page.
pub(super) const QUESTION: &str = "breach.assault";

/// Its address.
pub(super) const PLACE: &str = "/umpire/breach.assault";

/// Where the sides meet, the commonest first.
const PLACES: [(&str, kernel::Phrase); 7] = [
    ("wall", words::ASSAULT_AT_WALL),
    ("siege_tower", words::ASSAULT_AT_SIEGE_TOWER),
    ("tower", words::ASSAULT_AT_TOWER),
    ("defended", words::ASSAULT_AT_DEFENDED),
    ("inside", words::ASSAULT_AT_INSIDE),
    ("along", words::ASSAULT_AT_ALONG),
    ("open", words::ASSAULT_AT_OPEN),
];

/// The names under which the two sides are chosen.
const SIDES: [(&str, &str); 2] = [("by", "attacker"), ("on", "defender")];

/// Troops that fight at the works, of both lists.
fn troops() -> impl Iterator<Item = (String, &'static Entry)> {
    let of = |army: Army, word: &'static str| {
        let fights = |entry: &&Entry| {
            matches!(entry.kind, Kind::Infantry | Kind::Artillery) && entry.profile.attack >= 0
        };
        army.list().iter().filter(fights).map(move |entry| (format!("{word}-{}", entry.line.id()), entry))
    };
    of(Army::Dwarf, "dwarf").chain(of(Army::Empire, "empire"))
}

fn chosen(query: &Query, name: &str) -> Option<&'static Entry> {
    let wanted = query.get(name)?;
    troops().find(|(id, _)| id == wanted).map(|(_, entry)| entry)
}

/// A number as the list prints it: `5+` is 5, nothing is 0.
fn number(cell: &str) -> String {
    let digits: String = cell.chars().take_while(char::is_ascii_digit).collect();
    if digits.is_empty() { "0".to_owned() } else { digits }
}

/// The form says names; the question wants numbers.
pub(super) fn asked(query: &Query) -> Query {
    let mut given = query.clone();
    for (name, side) in SIDES {
        let Some(entry) = chosen(query, name) else { continue };
        let put =
            |given: &Query, field: &str, value: &str| given.with(&format!("{side}.{field}"), Some(value));
        given = put(&given, "attack", &entry.profile.attack.to_string());
        given = put(&given, "hits", &number(entry.profile.hits));
        given = put(&given, "armour", &number(entry.profile.armour));
        if query.get(&format!("{side}.stands")).is_none() {
            given = put(&given, "stands", "1");
        }
        given = given.with(name, None);
    }
    if !given.is_empty() && given.get("place").is_none() {
        given = given.with("place", Some(PLACES[0].0));
    }
    given
}

/// Whether somebody must still be chosen.
pub(super) fn waits(query: &Query) -> bool {
    SIDES
        .iter()
        .any(|(name, side)| query.get(name).is_none() && query.get(&format!("{side}.attack")).is_none())
}

/// A chance as it is written in answers: `29791/110592`.
fn share(chance: &Value) -> f64 {
    let text = chance.as_str().unwrap_or_default();
    let (part, whole) = text.split_once('/').unwrap_or((text, "1"));
    let number = |text: &str| text.trim().parse::<f64>().unwrap_or(0.0);
    number(part) / number(whole).max(1.0)
}

/// What the thumb asked for: how it ends, who is hit, who loses stands; every outcome below.
pub(super) fn result(reader: &Reader, given: &Query, answered: &Value) -> Markup {
    let Some(odds) = answered["odds"].as_array() else {
        return answer::answer(reader, answered, &given.chosen());
    };
    let sum = |wanted: &dyn Fn(&Value) -> bool| -> f64 {
        odds.iter().filter(|one| wanted(&one["answer"])).map(|one| share(&one["p"])).sum()
    };
    let mut ends: Vec<(String, f64)> = Vec::new();
    for one in odds {
        let end = one["answer"]["outcome"].as_str().unwrap_or_default();
        match ends.iter_mut().find(|(known, _)| known == end) {
            Some((_, chance)) => *chance += share(&one["p"]),
            None => ends.push((end.to_owned(), share(&one["p"]))),
        }
    }
    ends.sort_by(|a, b| b.1.total_cmp(&a.1));
    let count = |answer: &Value, side: &str, what: &str| answer[side][what].as_i64().unwrap_or(0);
    // The hits a side has dealt are those the other takes.
    let hurt = [("attacker", "defender"), ("defender", "attacker")].map(|(side, enemy)| {
        let hit = sum(&|answer| count(answer, enemy, "unsaved") > 0);
        let lost = sum(&|answer| count(answer, side, "stands_lost") > 0);
        (side, hit, lost)
    });
    let row = |chance: f64, text: &str| {
        let share = 100.0 * chance;
        html! {
            tr { th.chance scope="row" { span.share { (answer::number(reader, &format!("{share:.1}"))) " %" } " " (answer::bar(share)) }
                td { (text) } }
        }
    };
    let brief: Vec<String> = ends
        .iter()
        .take(2)
        .map(|(end, chance)| {
            format!(
                "{} {} %",
                value_name(reader, end),
                answer::number(reader, &format!("{:.0}", 100.0 * chance))
            )
        })
        .collect();
    let chosen = given.chosen();
    html! {
        section.answer id="answer" data-brief=(brief.join(" · ")) aria-live="polite" aria-atomic="true" tabindex="-1" {
            h2 { (reader.say(words::ASSAULT_ENDS)) }
            table.odds { tbody { @for (end, chance) in &ends { (row(*chance, &value_name(reader, end))) } } }
            h2 { (reader.say(words::ASSAULT_HURT)) }
            table.odds { tbody {
                @for (side, hit, lost) in hurt {
                    @let (hits, losses) = if side == "attacker" { (words::ASSAULT_HIT_ATTACKER, words::ASSAULT_LOST_ATTACKER) } else { (words::ASSAULT_HIT_DEFENDER, words::ASSAULT_LOST_DEFENDER) };
                    (row(hit, &reader.say(hits)))
                    (row(lost, &reader.say(losses)))
                }
            } }
            details { summary { (reader.say(words::ASSAULT_ALL)) } (answer::odds_table(reader, odds, &str::to_owned)) }
            (answer::reasons(reader, answered["because"].as_array().map_or(&[], Vec::as_slice), &chosen))
        }
    }
}

/// The form, with the result where a thumb does not hide it.
pub(super) fn form(
    reader: &Reader,
    question: &Asking,
    fields: &[Field],
    query: &Query,
    result: &Markup,
) -> Markup {
    let place = query.get("place").unwrap_or(PLACES[0].0);
    let chip = |name: &str, value: &str, label: &str, checked: bool| {
        html! {
            span.chip {
                input type="radio" id={ (name) "-" (value) } name=(name) value=(value) checked[checked];
                label for={ (name) "-" (value) } { (label) }
            }
        }
    };
    let who = |name: &str, title: kernel::Phrase, army: &str| {
        html! {
            fieldset.chips {
                legend { (reader.say(title)) }
                div.chip-line {
                    @for (id, entry) in troops().filter(|(id, _)| id.starts_with(army)) {
                        (chip(name, &id, entry.name(reader.lang), query.get(name) == Some(id.as_str())))
                    }
                }
            }
        }
    };
    let stands = |side: &str, most: u8| {
        let path = format!("{side}.stands");
        html! {
            fieldset.chips {
                legend { (reader.say(words::ASSAULT_STANDS)) }
                div.chip-line {
                    @for count in 1..=most {
                        (chip(&path, &count.to_string(), &count.to_string(), query.get(&path).unwrap_or("1") == count.to_string()))
                    }
                }
            }
        }
    };
    html! {
        div.ask.ask-fire {
            form.question.fire action=(PLACE) method="get" data-live="answer" {
                section.pad aria-labelledby="pad-place" {
                    h2 id="pad-place" { (reader.say(words::ASSAULT_WHERE)) }
                    fieldset.chips {
                        legend { (reader.say(words::ASSAULT_PLACE)) }
                        div.chip-line { @for (one, name) in PLACES { (chip("place", one, &reader.say(name), place == one)) } }
                    }
                }
                section.pad aria-labelledby="pad-by" {
                    h2 id="pad-by" { (reader.say(words::ASSAULT_BY)) }
                    (who("by", words::ASSAULT_TROOPS, "dwarf"))
                    (stands("attacker", 3))
                }
                section.pad aria-labelledby="pad-on" {
                    h2 id="pad-on" { (reader.say(words::ASSAULT_ON)) }
                    (who("on", words::ASSAULT_TROOPS, "empire"))
                    (stands("defender", 4))
                }
                (options(reader, fields, query, "breach"))
                div.ask-bar { output.brief id="brief" {} button.primary type="submit" { (reader.say(rulebook::phrase::table::ASK)) } " "
                    a.quiet-button href={ "/umpire/" (question.name) } { (reader.say(rulebook::phrase::table::CLEAR)) } }
            }
            (result)
        }
    }
}

#[cfg(test)]
mod tests {
    use rulebook::Lang;

    use super::*;

    fn page(lang: Lang, query: &str) -> String {
        let question = breach::questions().into_iter().find(|one| one.name == QUESTION).unwrap();
        super::super::question(&Reader::of(lang), &question, &Query::parse(query)).into_string()
    }

    #[test]
    fn three_taps_give_the_odds_at_the_wall() {
        // A stand of three Attacks at a wall hits on sixes only; the defenders on fours.
        let answered = page(Lang::En, "place=wall&by=dwarf-warriors&on=empire-halberdiers");
        let told =
            |share: &str, what: &str| answered.contains(&format!("{share} %")) && answered.contains(what);
        // Three dice on 6 against a save of 6+: none gets through in (31/36)^3 of all cases; three dice on 4
        // against a save of 4+: none gets through in (3/4)^3.
        assert!(told("36.1", "The defenders are hit"), "{answered}");
        assert!(told("57.8", "The attackers are hit"), "{answered}");
        assert!(answered.contains("BC-"), "with their rules: {answered}");
        let french = page(Lang::Fr, "place=tower&by=dwarf-slayers&on=empire-crossbowmen");
        assert!(
            french.contains("Les défenseurs sont touchés") && french.contains("Hallebardiers"),
            "{french}"
        );
    }

    #[test]
    fn two_taps_wait_for_the_third() {
        let waiting = page(Lang::En, "place=wall&by=dwarf-warriors");
        assert!(!waiting.contains("refused") && waiting.contains("on-empire-halberdiers"), "{waiting}");
    }
}
