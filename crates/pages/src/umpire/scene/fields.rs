//! The form beside a table: who, whom, where, and what else each question wants to know.

use maud::{Markup, html};
use rulebook::phrase::{table as common, umpire as words};

use super::ask::{Ask, TASKS};
use super::{Page, drawing};
use crate::answer::{field_name, value_name};

/// Who, whom, where, and what else the question wants to know.
pub(super) fn fields(page: &Page<'_>) -> Markup {
    let (first, second) = page.chosen.ask.roles();
    let ask = page.chosen.ask;
    let lists = ask == Ask::Shoot;
    html! {
        div.pair.scene-pair {
            @if let Some(role) = first { (bodies(page, "from", role, words::CHOOSE)) }
            @if let Some(role) = second { (bodies(page, "to", role, if lists { words::ALL_TARGETS } else { words::CHOOSE })) }
            @if let Some(role) = ask.place_role() { (places(page, role)) }
        }
        @match ask {
            Ask::Shoot => (shoot_fields(page)),
            Ask::Sight => (more(page, &["at"], &html! { (choice(page, "at", &["end", "middle", "start"])) })),
            Ask::Move => (move_fields(page)),
            Ask::Melee => (more(page, &["round"], &html! { (number(page, "round", "1")) })),
            Ask::House => (house_fields(page)),
            Ask::Obstacle => {},
            Ask::Engineers => {
                (choice(page, "task", &TASKS))
                div.pair { (number(page, "sappers", "4")) (number(page, "quarters", "4")) }
                (flag(page, "held", "held_by_enemy"))
            },
        }
    }
}

fn bodies(page: &Page<'_>, name: &str, role: kernel::Phrase, none: kernel::Phrase) -> Markup {
    let chosen = page.chosen.query.get(name);
    html! {
        div.field {
            label for=(name) { (page.reader.say(role)) }
            select id=(name) name=(name) aria-invalid=[page.is_wrong(name)] {
                option value="" { (page.reader.say(none)) }
                @for body in page.chosen.scene.bodies() {
                    option value=(body.id()) selected[chosen == Some(body.id())] { (drawing::body_name(page, body)) }
                }
            }
            (page.complaint(name))
        }
    }
}

fn places(page: &Page<'_>, role: kernel::Phrase) -> Markup {
    let chosen = page.chosen.query.get("place");
    let fit = page.chosen.scene.elements().iter().filter(|element| page.chosen.ask.takes(element));
    html! {
        div.field {
            label for="place" { (page.reader.say(role)) }
            select id="place" name="place" aria-invalid=[page.is_wrong("place")] {
                option value="" { (page.reader.say(words::CHOOSE)) }
                @for element in fit {
                    option value=(element.id) selected[chosen == Some(element.id.as_str())] { (page.element_name(element)) }
                }
            }
            (page.complaint("place"))
        }
    }
}

/// What is folded away, open if any of it is set.
fn more(page: &Page<'_>, names: &[&str], fields: &Markup) -> Markup {
    let set = names.iter().any(|name| page.chosen.query.get(name).is_some());
    html! { details.more open[set] { summary { (page.reader.say(words::MORE)) } (fields) } }
}

fn choice(page: &Page<'_>, name: &str, values: &[&str]) -> Markup {
    let chosen = page.chosen.query.get(name);
    html! {
        div.field {
            label for=(name) { (field_name(page.reader, name)) }
            select id=(name) name=(name) aria-invalid=[page.is_wrong(name)] {
                @for (place, value) in values.iter().enumerate() {
                    // The default is not written into the address; a task has none.
                    @let written = if place == 0 && name != "task" { "" } else { value };
                    option value=(written) selected[chosen == Some(value)] { (value_name(page.reader, value)) }
                }
            }
            (page.complaint(name))
        }
    }
}

fn number(page: &Page<'_>, name: &str, usual: &str) -> Markup {
    html! {
        div.field {
            label for=(name) { (field_name(page.reader, name)) }
            input type="number" id=(name) name=(name) min="0" inputmode="numeric" placeholder=(usual)
                value=[page.chosen.query.get(name)] aria-invalid=[page.is_wrong(name)];
            (page.complaint(name))
        }
    }
}

fn flag(page: &Page<'_>, name: &str, label: &str) -> Markup {
    html! {
        div.field.field-flag {
            input type="checkbox" id=(name) name=(name) value="true" checked[page.chosen.query.get(name).is_some()];
            label for=(name) { (field_name(page.reader, label)) }
        }
    }
}

fn shoot_fields(page: &Page<'_>) -> Markup {
    let reader = page.reader;
    let from = page.chosen.body("from");
    let battery = from.is_some_and(|body| body.battery().is_some());
    let garrison = page.chosen.body("to").is_some_and(|body| body.now().house.is_some());
    let chosen = page.chosen.query.get("part").unwrap_or_default();
    let parts: Vec<(String, String)> = from.filter(|_| !battery).map_or_else(Vec::new, |body| {
        let now = body.now();
        let numbered = |kind: &'static str, phrase: kernel::Phrase| {
            let there = (0..4_u8).filter(move |face| now.front().any(|figure| figure.face == *face));
            there
                .map(move |face| {
                    (format!("{kind}:{face}"), reader.say_with(phrase, "count", i64::from(face)))
                })
                .collect()
        };
        if now.house.is_some() {
            numbered("side", words::SIDE)
        } else if now.is_square() {
            numbered("face", words::FACE)
        } else if body.companies().len() > 1 {
            body.companies()
                .iter()
                .map(|company| (format!("company:{}", company.name), company.name.clone()))
                .collect()
        } else {
            Vec::new()
        }
    });
    let rolls = page.chosen.query.get("to").is_some();
    html! {
        @if !parts.is_empty() {
            div.field {
                label for="part" { (reader.say(words::SHOTS_FROM)) }
                select id="part" name="part" aria-invalid=[page.is_wrong("part")] {
                    option value="" { (reader.say(words::WHOLE)) }
                    @for (value, name) in &parts { option value=(value) selected[chosen == value] { (name) } }
                }
                (page.complaint("part"))
            }
        }
        @if battery { (choice(page, "projectile", &["ball", "canister"])) }
        @if garrison { (number(page, "side", "")) }
        @if rolls { (dice(page)) }
        (more(page, &["slot", "method", "aim", "burn", "point_blank"], &html! {
            (choice(page, "slot", &["joint", "first", "second", "charged"]))
            @if !battery {
                (choice(page, "method", &["together", "apart"]))
                (choice(page, "aim", &["whole", "exposed"]))
                (flag(page, "point_blank", "point_blank"))
            }
            (flag(page, "burn", "burn"))
        }))
    }
}

/// The dice of a fire on a scene: a battery's ball may need more than one.
fn dice(page: &Page<'_>) -> Markup {
    html! {
        div.field.field-dice {
            label for="dice" { (page.reader.say(common::DICE)) }
            input type="text" id="dice" name="dice" inputmode="numeric" autocomplete="off" pattern="[0-9 ]*"
                value=[page.chosen.query.get("dice")] placeholder=(page.reader.say(common::DICE_NONE)) aria-invalid=[page.is_wrong("dice")];
            (page.complaint("dice"))
        }
    }
}

fn move_fields(page: &Page<'_>) -> Markup {
    let way = page.chosen.query.get("way").unwrap_or_default();
    let shorter = way.rsplit_once(';').map(|(rest, _)| rest.trim().to_owned());
    html! {
        div.field {
            label for="way" { (page.reader.say(words::WAY)) }
            input type="text" id="way" name="way" value=(way) placeholder="40 25; 50 30" autocomplete="off" aria-invalid=[page.is_wrong("way")];
            (page.complaint("way"))
            @if !way.is_empty() { a.quiet-button href=(page.with("way", shorter.as_deref())) data-live="true" { (page.reader.say(words::WAY_BACK)) } }
        }
        div.pair { (choice(page, "pace", &["normal", "forced", "backward", "charge"])) (number(page, "quarters", "2")) }
    }
}

fn house_fields(page: &Page<'_>) -> Markup {
    let what = page.chosen.query.get("what").unwrap_or_default();
    let kinds = [("", words::HOUSE_NOW), ("enter", words::HOUSE_ENTER), ("assault", words::HOUSE_ASSAULT)];
    html! {
        fieldset.chips {
            legend { (page.reader.say(words::WHAT)) }
            div.chip-line {
                @for (value, phrase) in kinds {
                    span.chip {
                        input type="radio" id={ "what-" (value) } name="what" value=(value) checked[what == value];
                        label for={ "what-" (value) } { (page.reader.say(phrase)) }
                    }
                }
            }
        }
        @match what {
            "enter" => (number(page, "quarter", "1")),
            "assault" => div.pair { (number(page, "round", "1")) (number(page, "contact_quarter", "1")) },
            _ => {},
        }
    }
}
