//! Two units without a table, on one page of a phone: a table is laid for them behind the scenes, and the
//! umpire asked about it as about any other. A query enters; the page with its answer leaves.

use kernel::{Centimetres, Fact, Refusal};
use maud::{Markup, html};
use rulebook::options::tabletop::Options;
use rulebook::phrase::{evening as words, table as common};
use rulebook::speak;
use serde_json::{Value, json};
use tabletop::evening::Evening;
use tabletop::evening::may::Deed;
use tabletop::evening::quick::{Aspect, Came, OURS, SCREEN, THEIRS, Two, Unit, comes_off};
use tabletop::evening::templates::{Template, templates};
use tabletop::fire::{Cover, Projectile};
use tabletop::scene::{Formation, Muster};

use super::ask::{asked, outcomes, received, why};
use super::palette::{called, formations, nations, unit_name};
use super::place_of;
use crate::answer::{self, value_name};
use crate::page::{Headline, Room, Width, page as whole};
use crate::query::Query;
use crate::reader::Reader;
use crate::router::Pages;

/// Where the page is.
pub(crate) const PLACE: &str = "/umpire/two-units";

const COVERS: [(&str, Cover, kernel::Phrase); 3] = [
    ("none", Cover::None, words::QUICK_COVER_NONE),
    ("light", Cover::Light, words::QUICK_COVER_LIGHT),
    ("hard", Cover::Hard, words::QUICK_COVER_HARD),
];
const ASPECTS: [(&str, Aspect, kernel::Phrase); 3] = [
    ("front", Aspect::Front, words::QUICK_ASPECT_FRONT),
    ("flank", Aspect::Flank, words::QUICK_ASPECT_FLANK),
    ("rear", Aspect::Rear, words::QUICK_ASPECT_REAR),
];
const CAME: [(&str, Came, kernel::Phrase); 3] = [
    ("stood", Came::Stood, words::QUICK_CAME_STOOD),
    ("second", Came::Second, words::QUICK_CAME_SECOND),
    ("both", Came::Both, words::QUICK_CAME_BOTH),
];

/// One of a few things a query may name; the first unless it names another.
fn of<T: Copy>(query: &Query, name: &str, all: &[(&str, T, kernel::Phrase)]) -> T {
    let wanted = query.get(name).unwrap_or_default();
    all.iter().find(|(word, ..)| *word == wanted).map_or(all[0].1, |one| one.1)
}

fn word(value: impl serde::Serialize) -> String {
    serde_json::to_value(value).unwrap_or_default().as_str().unwrap_or_default().to_owned()
}

/// The place of a unit among the templates that a query names.
fn chosen(query: &Query, side: &str, all: &[Template]) -> usize {
    let usual = if side == "ours" { "foot 8-pounder" } else { "line battalion" };
    let usual = all.iter().position(|one| one.name == usual).unwrap_or(0);
    let wanted = query.get(&format!("{side}.unit")).and_then(|place| place.parse().ok());
    wanted.filter(|place| *place < all.len()).unwrap_or(usual)
}

fn unit(reader: &Reader, query: &Query, side: &str, all: &[Template]) -> Unit {
    let template = called(reader, &all[chosen(query, side, all)]);
    let wanted = query.get(&format!("{side}.formation")).unwrap_or_default();
    let known = formations(&template.troops).iter().copied().find(|formation| word(formation) == wanted);
    Unit { formation: known.unwrap_or(template.formation), name: unit_name(reader, &template), template }
}

/// A length as a person writes it.
fn length(query: &Query, name: &str) -> Option<Centimetres> {
    let cm: f64 = query.get(name)?.replace(',', ".").parse().ok()?;
    #[allow(clippy::cast_possible_truncation, reason = "limited to what a table can hold")]
    let hundredths = (cm * 100.0).round().clamp(0.0, 100_000.0) as i32;
    Some(Centimetres::hundredths(hundredths))
}

/// The page.
pub(crate) fn page(reader: &Reader, pages: &Pages, query: &Query) -> Markup {
    let all = templates();
    let two = Two {
        ours: unit(reader, query, "ours", &all),
        theirs: unit(reader, query, "theirs", &all),
        distance: length(query, "distance").unwrap_or(Centimetres::whole(20)),
        cover: of(query, "cover", &COVERS),
        aspect: of(query, "aspect", &ASPECTS),
        came: of(query, "came", &CAME),
        screen: length(query, "screen"),
    };
    let say = |phrase| reader.say(phrase);
    let result = result(reader, pages, &two, query);
    let main = html! {
        nav.trail aria-label=(say(common::TRAIL)) { a href="/umpire" { (say(common::NAV_UMPIRE)) } }
        h1 { (say(words::QUICK_TITLE)) }
        p.lead { (say(words::QUICK_LEAD)) }
        div.ask.ask-fire {
            form.question.fire action=(PLACE) method="get" data-live="answer" data-remember="ours" {
                (side(reader, query, "ours", words::QUICK_OURS, &all, &two.ours))
                (side(reader, query, "theirs", words::QUICK_THEIRS, &all, &two.theirs))
                section.pad {
                    div.pair {
                        (stepper(reader, query, "distance", words::QUICK_DISTANCE, "20", "1"))
                        (stepper(reader, query, "screen", words::QUICK_SCREEN, "", "1"))
                    }
                    (chips(reader, query, "cover", words::QUICK_COVER, &COVERS))
                    (chips(reader, query, "aspect", words::QUICK_ASPECT, &ASPECTS))
                    (chips(reader, query, "came", words::QUICK_CAME, &CAME))
                }
                section.pad.pad-die { (die(reader, query)) }
                div.ask-bar { output.brief id="brief" {} button.primary type="submit" { (say(common::ASK)) } " "
                    a.quiet-button href=(PLACE) { (say(common::CLEAR)) } }
            }
            (result)
        }
    };
    let headline = Headline { title: &say(words::QUICK_TITLE), about: &say(words::QUICK_LEAD) };
    whole(reader, headline, Some(Room::Umpire), Width::Wide, &main)
}

/// What a unit is and how it stands.
fn side(
    reader: &Reader,
    query: &Query,
    name: &str,
    title: kernel::Phrase,
    all: &[Template],
    unit: &Unit,
) -> Markup {
    let (of, how) = (format!("{name}.unit"), format!("{name}.formation"));
    let place = chosen(query, name, all);
    // Any formation may follow: who changes the unit has not yet asked for its own.
    let known: &[Formation] = formations(&unit.template.troops);
    html! {
        section.pad aria-labelledby={ "pad-" (name) } {
            h2 id={ "pad-" (name) } { (reader.say(title)) }
            div.field { label for=(of) { (reader.say(words::QUICK_UNIT)) }
                select id=(of) name=(of) {
                    @for (nation, label) in nations(reader) {
                        optgroup label=(label) {
                            @for (number, one) in all.iter().enumerate().filter(|(_, one)| one.nation == nation) {
                                option value=(number) selected[number == place] { (unit_name(reader, one)) " · " (one.strength) }
                            }
                        }
                    }
                }
            }
            div.field { label for=(how) { (reader.say(words::FORMATION)) }
                select id=(how) name=(how) {
                    @for formation in every_formation() {
                        option value=(word(formation)) selected[formation == unit.formation] hidden[!known.contains(&formation)] { (value_name(reader, &word(formation))) }
                    }
                }
            }
        }
    }
}

/// Every formation there is, once.
fn every_formation() -> Vec<Formation> {
    let mut all = Vec::new();
    for template in templates() {
        for formation in formations(&template.troops) {
            if !all.contains(formation) {
                all.push(*formation);
            }
        }
    }
    all
}

fn stepper(
    reader: &Reader,
    query: &Query,
    name: &str,
    label: kernel::Phrase,
    default: &str,
    step: &str,
) -> Markup {
    let value = query.get(name).unwrap_or(if query.is_empty() { default } else { "" });
    let label = reader.say(label);
    html! {
        div.field {
            label for=(name) { (label) }
            span.stepper {
                button type="button" data-step="-1" data-for=(name) aria-label=(reader.say_with(common::LESS, "what", label.as_str())) hidden { "−" }
                input type="number" id=(name) name=(name) value=(value) step="any" data-by=(step) min="0" inputmode="decimal" placeholder=(default);
                button type="button" data-step="1" data-for=(name) aria-label=(reader.say_with(common::MORE, "what", label.as_str())) hidden { "+" }
            }
        }
    }
}

fn chips<T>(
    reader: &Reader,
    query: &Query,
    name: &str,
    label: kernel::Phrase,
    all: &[(&str, T, kernel::Phrase)],
) -> Markup {
    let wanted = query.get(name).unwrap_or(all[0].0);
    html! {
        fieldset.chips {
            legend { (reader.say(label)) }
            div.chip-line {
                @for (word, _, phrase) in all {
                    span.chip {
                        input type="radio" id={ (name) "-" (word) } name=(name) value=(word) checked[wanted == *word];
                        label for={ (name) "-" (word) } { (reader.say(*phrase)) }
                    }
                }
            }
        }
    }
}

fn die(reader: &Reader, query: &Query) -> Markup {
    let wanted = query.get("dice").unwrap_or_default();
    html! {
        fieldset.chips.die-chips {
            legend { (reader.say(common::FIRE_DIE_LEGEND)) }
            div.chip-line {
                span.chip.chip-odds {
                    input type="radio" id="dice-none" name="dice" value="" checked[wanted.is_empty()];
                    label for="dice-none" { (reader.say(common::FIRE_ODDS)) }
                }
                @for face in 1..=6 {
                    span.chip {
                        input type="radio" id={ "dice-" (face) } name="dice" value=(face) checked[wanted == face.to_string()];
                        label for={ "dice-" (face) } { (face) }
                    }
                }
            }
        }
    }
}

/// The answer: the fire of ours, the figure that comes off, our charge, and their fire.
fn result(reader: &Reader, pages: &Pages, two: &Two, query: &Query) -> Markup {
    let answered = two.table().and_then(|table| {
        table.checked("table", &Options::default())?;
        Ok(Evening::on(table, Options::default()))
    });
    let brief = match &answered {
        Ok(_) => String::new(),
        Err(_) => format!("✕ {}", reader.say(common::REFUSED)),
    };
    html! {
        section.answer id="answer" data-brief=(brief) aria-live="polite" aria-atomic="true" tabindex="-1" {
            @match &answered {
                Ok(evening) => (told(reader, pages, two, evening, query)),
                Err(refusal) => (cannot(reader, refusal)),
            }
        }
    }
}

fn cannot(reader: &Reader, refusal: &Refusal) -> Markup {
    html! { h2.refused { (reader.say(common::REFUSED)) } p.refusal { (why(reader, &Evening::default(), refusal)) } }
}

fn told(reader: &Reader, pages: &Pages, two: &Two, evening: &Evening, query: &Query) -> Markup {
    let name = |id: &str| match id {
        OURS => two.ours.name.clone(),
        SCREEN => reader.say(words::QUICK_SCREEN_NAME),
        _ => two.theirs.name.clone(),
    };
    let die = query.get("dice").and_then(|die| die.parse::<u8>().ok());
    let guns = matches!(two.ours.template.troops, Muster::Artillery(_));
    let shots: &[Projectile] =
        if guns { &[Projectile::Ball, Projectile::Canister] } else { &[Projectile::Ball] };
    let fire = |from: &str, to: &str, projectile: Projectile| {
        let mut wish =
            json!({ "scene": evening.table(), "shooter": from, "target": to, "projectile": projectile });
        if let Some(die) = die {
            wish["dice"] = json!([die]);
        }
        asked(reader, pages, evening, "tabletop.shoot", wish)
    };
    let scene = evening.table().checked("table", evening.options());
    let may = scene.ok().and_then(|scene| place_of(&scene, OURS).map(|place| evening.may(&scene, place)));
    let charges = |deed: &Deed| matches!(deed, Deed::Charge { .. });
    html! {
        @for &projectile in shots {
            h2 { (reader.say_with(words::DEED_FIRE, "name", name(THEIRS))) @if guns { " · " (value_name(reader, &word(projectile))) } }
            (shot(reader, &name, &fire(OURS, THEIRS, projectile)))
        }
        @if let Ok(off) = comes_off(evening, OURS, THEIRS, Projectile::Ball) {
            h3 { (reader.say(words::QUICK_COMES_OFF)) }
            p { @match off {
                Some(off) => {
                    (speak(words::QUICK_OFF, &[
                        Fact { name: "company", value: off.company.into() },
                        Fact { name: "rank", value: i64::from(off.rank).into() },
                        Fact { name: "file", value: i64::from(off.file).into() },
                    ], reader.lang))
                },
                None => (reader.say(words::QUICK_OFF_NONE)),
            } }
        }
        @if let Some(may) = may {
            @for _ in may.can.iter().filter(|deed| charges(deed)) {
                h2 { (reader.say_with(words::DEED_CHARGE, "name", name(THEIRS))) }
                (received(reader, pages, evening, (OURS, THEIRS)))
            }
            @for (_, refusal) in may.refused.iter().filter(|(deed, _)| charges(deed)) {
                h2 { (reader.say_with(words::DEED_CHARGE, "name", name(THEIRS))) }
                p.refusal { (why(reader, evening, refusal)) }
            }
        }
        h2 { (reader.say(words::QUICK_BACK)) }
        (shot(reader, &name, &fire(THEIRS, OURS, Projectile::Ball)))
    }
}

fn shot(reader: &Reader, name: &dyn Fn(&str) -> String, answered: &Value) -> Markup {
    let chosen = kernel::Chosen::default();
    html! {
        @if let Some(refused) = answered.get("refused") {
            p.refusal { (refused["message"].as_str().unwrap_or_default())
                @if let Some(rule) = refused["rule"].as_str() { " " (crate::page::rule_link_under(rule, &chosen)) } }
        } @else {
            (outcomes(reader, name, answered))
            details.why { summary { (reader.say(common::REASONS)) }
                (answer::reasons(reader, answered["because"].as_array().map_or(&[], Vec::as_slice), &chosen)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulebook::Lang;

    fn asked_of(query: &str) -> String {
        let pages = Pages::new(tabletop::questions());
        page(&Reader::of(Lang::En), &pages, &Query::parse(query)).into_string()
    }

    fn place(nation: Option<&str>, name: &str) -> usize {
        templates().iter().position(|one| one.nation == nation && one.name == name).unwrap()
    }

    /// Everything the page promises: a fire with its reasons, the figure that comes off, the charge, the fire
    /// back; a screen takes its part first.
    #[test]
    fn two_units_are_asked_about_without_a_table() {
        let page = asked_of("");
        assert!(page.contains("class=\"odds outcomes\"") && page.contains("FE-"), "{page}");
        assert!(page.contains("rank 1, place"), "the figure that comes off: {page}");
        let french = place(Some("French"), "line battalion (field strength)");
        let near = format!("ours.unit={french}&ours.formation=line&distance=8");
        let page = asked_of(&near);
        assert!(page.contains("Charge Line battalion") && page.contains("Contact in"), "{page}");
        assert!(page.contains("fires first"), "{page}");
        let screened = asked_of(&format!("{near}&screen=1"));
        assert!(screened.contains("the screen") && screened.contains("FE-2.4-0"), "{screened}");
        assert!(asked_of(&format!("{near}&screen=9")).contains("no room for skirmishers"));
        // Who marched at us in both quarters was in range for less time than who stood there.
        let far = format!("ours.unit={french}&ours.formation=line&distance=14&came=both");
        assert!(asked_of(&far).contains("FE-1.4-0"), "{}", asked_of(&far));
    }
}
