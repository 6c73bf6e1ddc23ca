//! The form for one fire, made for a phone at a gaming table: large targets, the commonest facts
//! first, the result at once.

use kernel::Fact;
use maud::{Markup, html};
use rulebook::{Asking, phrase::table as words, speak};
use serde_json::Value;

use crate::answer::{self, field_name, value_name};
use crate::query::Query;
use crate::reader::Reader;
use crate::shape::{Field, Shape};

use super::form::options;

/// Small arms at this distance or less fire point-blank (FE-2.3-01).
const POINT_BLANK_CM: f64 = 5.0;

/// The part of the form that point-blank fire alone needs.
const FRONT: &str = "target.front";

/// Whether the figures of the target that face the shooter limit those that fire.
fn is_point_blank(query: &Query) -> bool {
    let guns = query.get("shooter.weapon").is_some_and(|weapon| weapon.starts_with("calibre"));
    let near = query
        .get("distance_cm")
        .and_then(|distance| distance.replace(',', ".").parse::<f64>().ok())
        .is_some_and(|distance| (0.0..=POINT_BLANK_CM).contains(&distance));
    near && !guns
}

/// What is asked: the front of the target counts point-blank only, and an officer's is one figure.
pub(super) fn asked(query: &Query) -> Query {
    if !is_point_blank(query) {
        return query.with(FRONT, None);
    }
    if query.get("target.arm") == Some("officer") { query.with(FRONT, Some("1")) } else { query.clone() }
}

/// Whether the front of the target must still be told.
pub(super) fn wants_front(given: &Query) -> bool {
    is_point_blank(given) && given.get(FRONT).is_none()
}

/// The question that stands where the answer will.
pub(super) fn asks_front(reader: &Reader) -> Markup {
    html! {
        section.answer id="answer" aria-live="polite" aria-atomic="true" tabindex="-1" {
            p.says { label for=(FRONT) { (reader.say(words::FIRE_FRONT_NEEDED)) } }
        }
    }
}

/// The answer; point-blank it begins with how many of the figures fire.
pub(super) fn result(reader: &Reader, given: &Query, answered: &Value) -> Markup {
    let fires = answered["answer"]["fires"].as_i64().or(answered["odds"][0]["answer"]["fires"].as_i64());
    let lead = fires.zip(given.get("shooter.figures")).map(|(fires, figures)| {
        let facts = [
            Fact { name: "fires", value: fires.into() },
            Fact { name: "figures", value: figures.to_owned().into() },
        ];
        speak(words::FIRE_COUNT, &facts, reader.lang)
    });
    answer::answer_led(reader, answered, &str::to_owned, &given.chosen(), lead.as_deref())
}

/// The form, with the result where a thumb does not hide it.
pub(super) fn form(
    reader: &Reader,
    question: &Asking,
    fields: &[Field],
    query: &Query,
    result: &Markup,
) -> Markup {
    let pad = Pad { reader, query, fields };
    html! {
        div.ask.ask-fire {
            form.question.fire action={ "/umpire/" (question.name) } method="get" data-live="answer" data-remember="shooter" {
                section.pad aria-labelledby="pad-shooter" {
                    h2 id="pad-shooter" { (reader.say(words::FIRE_SHOOTER)) }
                    (pad.chips("shooter.weapon", None, "musket"))
                    div.pair {
                        (pad.stepper("shooter.figures", "12", "1", 1))
                        (pad.stepper("shooter.factor", "4", "1", -20))
                    }
                    details open[pad.any(&["shooter.superior", "shooter.order", "shooter.state", "shooter.light_company", "projectile", "duration"])] {
                        summary { (reader.say(words::FIRE_MORE_SHOOTER)) }
                        (pad.chips("projectile", Some(words::FIRE_USUAL), ""))
                        (pad.chips("duration", None, "whole"))
                        (pad.chips("shooter.order", Some(words::FIRE_USUAL), ""))
                        (pad.chips("shooter.state", None, "formed"))
                        (pad.stepper("shooter.superior", "", "1", 0))
                        (pad.flags(&["shooter.light_company"]))
                    }
                }
                section.pad aria-labelledby="pad-target" {
                    h2 id="pad-target" { (reader.say(words::FIRE_TARGET)) }
                    (pad.stepper("distance_cm", "10", "0.5", 0))
                    // A script shows and hides it as the distance changes; without one the page does.
                    @let near = is_point_blank(query) && query.get("target.arm") != Some("officer");
                    div.near id="near" hidden[!near] { (pad.stepper(FRONT, "", "1", 1)) }
                    (pad.chips("target.class", None, "mass"))
                    (pad.chips("target.cover", None, "none"))
                    details open[pad.any(&["target.arm", "target.figures", "target.marker", "target.irregular", "target.charging_shooter", "target.uphill", "target.in_position", "target.on_flank"])] {
                        summary { (reader.say(words::FIRE_MORE_TARGET)) }
                        (pad.chips("target.arm", None, "infantry"))
                        div.pair {
                            (pad.stepper("target.figures", "", "1", 1))
                            (pad.stepper("target.marker", "", "5", 0))
                        }
                        (pad.flags(&["target.charging_shooter", "target.uphill", "target.irregular", "target.in_position", "target.on_flank"]))
                    }
                }
                section.pad.pad-die aria-labelledby="pad-die" {
                    h2 id="pad-die" { (reader.say(words::FIRE_DIE)) }
                    (pad.die())
                }
                (options(reader, fields, query, "tabletop"))
                div.ask-bar { output.brief id="brief" {} button.primary type="submit" { (reader.say(words::ASK)) } " "
                    a.quiet-button href={ "/umpire/" (question.name) } { (reader.say(words::CLEAR)) } }
            }
            (result)
        }
    }
}

struct Pad<'a> {
    reader: &'a Reader,
    query: &'a Query,
    fields: &'a [Field],
}

impl Pad<'_> {
    fn any(&self, paths: &[&str]) -> bool {
        paths.iter().any(|path| {
            self.query
                .get(path)
                .is_some_and(|value| !matches!(value, "whole" | "formed" | "infantry" | "ball"))
        })
    }

    fn shape(&self, path: &str) -> Option<&Shape> {
        let mut fields = self.fields;
        let mut found = None;
        for name in path.split('.') {
            let field = fields.iter().find(|field| field.name == name)?;
            found = Some(&field.shape);
            fields = match &field.shape {
                Shape::Group(inner) => inner,
                _ => &[],
            };
        }
        found
    }

    fn label(&self, path: &str) -> String {
        field_name(self.reader, path.rsplit('.').next().unwrap_or(path))
    }

    /// A choice as large buttons; `usual` is the chip that leaves it open.
    fn chips(&self, path: &str, usual: Option<kernel::Phrase>, default: &str) -> Markup {
        let Some(Shape::Choice(choices)) = self.shape(path) else { return html! {} };
        let chosen = self.query.get(path).unwrap_or(default);
        let chip = |value: &str, name: &str| {
            html! {
                span.chip {
                    input type="radio" id={ (path) "-" (value) } name=(path) value=(value) checked[chosen == value];
                    label for={ (path) "-" (value) } { (name) }
                }
            }
        };
        html! {
            fieldset.chips {
                legend { (self.label(path)) }
                div.chip-line {
                    @if let Some(usual) = usual { (chip("", &self.reader.say(usual))) }
                    @for choice in choices { (chip(choice, &value_name(self.reader, choice))) }
                }
            }
        }
    }

    /// A number between two large buttons.
    fn stepper(&self, path: &str, default: &str, step: &str, min: i32) -> Markup {
        let asked = !self.query.is_empty();
        let value = self.query.get(path).unwrap_or(if asked { "" } else { default });
        let label = self.label(path);
        html! {
            div.field {
                label for=(path) { (label) }
                span.stepper {
                    button type="button" data-step="-1" data-for=(path) aria-label=(self.reader.say_with(words::LESS, "what", label.as_str())) hidden { "−" }
                    input type="number" id=(path) name=(path) value=(value) step="any" data-by=(step) min=(min) inputmode="decimal" placeholder=(default);
                    button type="button" data-step="1" data-for=(path) aria-label=(self.reader.say_with(words::MORE, "what", label.as_str())) hidden { "+" }
                }
            }
        }
    }

    fn flags(&self, paths: &[&str]) -> Markup {
        html! {
            div.flags {
                @for path in paths.iter().filter(|path| self.shape(path).is_some()) {
                    span.chip {
                        input type="checkbox" id=(path) name=(path) value="true" checked[self.query.get(path) == Some("true")];
                        label for=(path) { (self.label(path)) }
                    }
                }
            }
        }
    }

    fn die(&self) -> Markup {
        let chosen = self.query.get("dice").unwrap_or_default();
        html! {
            fieldset.chips.die-chips {
                legend { (self.reader.say(words::FIRE_DIE_LEGEND)) }
                div.chip-line {
                    span.chip.chip-odds {
                        input type="radio" id="dice-none" name="dice" value="" checked[chosen.is_empty()];
                        label for="dice-none" { (self.reader.say(words::FIRE_ODDS)) }
                    }
                    @for face in 1..=6 {
                        span.chip {
                            input type="radio" id={ "dice-" (face) } name="dice" value=(face) checked[chosen == face.to_string()];
                            label for={ "dice-" (face) } { (face) }
                        }
                    }
                }
            }
        }
    }
}
