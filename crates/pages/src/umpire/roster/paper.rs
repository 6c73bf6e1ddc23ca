//! What comes of a list: what is wrong with it, the paper for the table, and the ready armies.

use breach::army::{self, Role};
use breach::forces;
use breach::lists::{Entry, Item, Kind, Line, Listed, Ware};
use breach::roster::{self, Battle};
use breach::scenario::{Scenario, Side};
use kernel::{Fact, Measure};
use maud::{Markup, html};
use rulebook::{phrase::roster as words, phrase::table as common, speak};
use serde_json::{Value, json};

use super::{Builder, For, PLACE, quietly};
use crate::answer::{self, number, value_name};
use crate::page::rule_link_under;
use crate::query::Query;
use crate::reader::Reader;

impl Builder<'_> {
    /// The sums, and whatever is wrong.
    pub(super) fn result(&self, reply: &Value) -> Markup {
        let Some(found) = reply.get("answer") else {
            return html! {
                section.answer id="answer" data-brief={ "✕ " (self.say(common::REFUSED)) } aria-live="polite" aria-atomic="true" tabindex="-1" {
                    (answer::refusal(self.reader, &reply["refused"], &self.chosen))
                }
            };
        };
        let spent = |name: &str| found[name].as_i64().unwrap_or(0);
        let allotment = quietly(|clerk| army::allotment(self.points, clerk));
        let of = |spent: i64, limit: &str| {
            self.say_of(words::OF, &[("spent", spent.into()), ("limit", number(self.reader, limit).into())])
        };
        let wrong = found["violations"].as_array().map_or(&[][..], Vec::as_slice);
        let siege = self.occasion.battle() == Battle::Siege;
        let army = if self.is_named() {
            spent("army").to_string()
        } else {
            of(spent("army"), &self.points.to_string())
        };
        let equipment = if siege {
            of(spent("equipment"), &allotment.equipment.to_string())
        } else {
            spent("equipment").to_string()
        };
        let artillery = (siege && self.role == Role::Attacker)
            .then(|| of(spent("artillery"), &allotment.artillery.to_string()));
        let left = i64::from(allotment.equipment) - spent("equipment");
        let verdict = if wrong.is_empty() {
            format!("✓ {}", self.say(words::LEGAL))
        } else {
            format!(
                "✕ {}",
                self.reader.say_with(words::ILLEGAL, "count", i64::try_from(wrong.len()).unwrap_or(i64::MAX))
            )
        };
        let brief = format!("{verdict} · {army} · {equipment}");
        let carried: i32 =
            self.equipment.iter().filter(|(item, _)| item.is_carried()).map(|(_, count)| count).sum();
        let infantry = self.roster().units(Kind::Infantry);
        html! {
            section.answer id="answer" data-brief=(brief) aria-live="polite" aria-atomic="true" tabindex="-1" {
                h2 class=(if wrong.is_empty() { "legal" } else { "illegal" }) { (verdict) }
                dl.result {
                    div { dt { (self.say(words::SUM_ARMY)) } dd { (army) } }
                    div { dt { (self.say(words::SUM_EQUIPMENT)) } dd { (equipment) } }
                    @if let Some(artillery) = artillery { div { dt { (self.say(words::SUM_ARTILLERY)) } dd { (artillery) } } }
                    @if siege && left > 0 { div { dt { (self.say(words::SUM_LEFT)) } dd { (left) } } }
                }
                @if !wrong.is_empty() {
                    ul.wrongs { @for one in wrong { li { (self.sentence(one, found)) " "
                        (rule_link_under(one["rule"].as_str().unwrap_or_default(), &self.chosen)) } } }
                }
                @if siege && carried > infantry {
                    p.quiet { (self.say_of(words::UNBORNE, &[("items", carried.into()), ("units", infantry.into())])) " " (rule_link_under("BR-R73", &self.chosen)) }
                }
            }
        }
    }

    /// What a line or an item is called.
    fn called(&self, id: &str) -> String {
        let lang = self.reader.lang;
        let line = Line::named(id).and_then(|line| self.army.entry(line)).map(|entry| entry.name(lang));
        let ware = || Ware::all().iter().find(|ware| ware.item.id() == id).map(|ware| ware.name(lang));
        line.or_else(ware).unwrap_or(id).to_owned()
    }

    /// One thing that is wrong, in words.
    fn sentence(&self, one: &Value, found: &Value) -> String {
        let id = one["line"].as_str().unwrap_or_default();
        let line = Line::named(id).filter(|line| self.army.entry(*line).is_some());
        let count = match (line, Item::named(id)) {
            (Some(line), _) => self.lines.of(line),
            (None, Some(item)) => self.equipment.of(item),
            (None, None) => 0,
        };
        let bounds =
            line.and_then(|line| self.army.entry(line)).map(|entry| roster::bounds(entry, self.times));
        let engine = Ware::all().iter().find(|ware| ware.item.id() == id).and_then(|ware| ware.max);
        let most = bounds.map_or(engine.map(|max| max * self.times.max), |(_, max)| max).unwrap_or(0);
        let allotment = quietly(|clerk| army::allotment(self.points, clerk));
        let spent = |name: &str| Measure::from(found[name].as_i64().unwrap_or(0));
        let named = ("line", Measure::from(self.called(id)));
        let counted = ("count", Measure::from(count));
        let rule = one["rule"].as_str().unwrap_or_default();
        match (one["what"].as_str().unwrap_or_default(), rule) {
            ("general", _) => self.say_of(words::WRONG_GENERAL, &[counted]),
            ("min", _) => {
                let least = bounds.map_or(0, |(min, _)| min);
                self.say_of(words::WRONG_MIN, &[named, counted, ("limit", least.into())])
            }
            ("max", _) => self.say_of(words::WRONG_MAX, &[named, counted, ("limit", most.into())]),
            ("attached", _) => self.say_of(words::WRONG_ATTACHED, &[named, counted]),
            ("closed", _) => self.say_of(words::WRONG_CLOSED, &[named]),
            ("points", "BR-scenario-2-07") => self.say_of(words::WRONG_RELIEF, &[("count", spent("army"))]),
            ("points", _) => {
                self.say_of(words::WRONG_POINTS, &[("count", spent("army")), ("limit", self.points.into())])
            }
            ("equipment", "BR-scenario-2-03") => self.say_of(words::WRONG_WORKS, &[("limit", 100.into())]),
            ("equipment", _) => self.say_of(
                words::WRONG_EQUIPMENT,
                &[("count", spent("equipment")), ("limit", allotment.equipment.into())],
            ),
            ("artillery", _) => {
                let limit = number(self.reader, &allotment.artillery.to_string());
                self.say_of(words::WRONG_ARTILLERY, &[("count", spent("artillery")), ("limit", limit.into())])
            }
            ("force", _) if id.is_empty() => self.say(words::WRONG_FORCE_WHOLE),
            ("force", _) => self.say_of(words::WRONG_FORCE, &[named]),
            ("ratio", _) => self.say(words::WRONG_RATIO),
            _ => self.say_of(words::WRONG_CARRIED, &[named]),
        }
    }

    /// What a script offers: armies kept in the browser and in files.
    pub(super) fn keep(&self) -> Markup {
        let name = |phrase| self.reader.say_with(phrase, "name", "…");
        html! {
            section.keep id="keep" aria-labelledby="keep-title" hidden
                data-open=(name(words::OPEN)) data-delete=(name(words::DELETE)) data-copied=(self.say(words::COPIED)) data-kept=(self.say(words::KEPT))
                data-deleted=(self.say(words::DELETED)) data-bad=(self.say(words::BAD_FILE)) data-unnamed=(self.say(words::UNNAMED)) {
                h2 id="keep-title" { (self.say(words::KEEP)) }
                div.field {
                    label for="_name" { (self.say(words::NAME)) }
                    input type="text" id="_name" name="_name" form="roster-form" maxlength="60" autocomplete="off" value=[self.query.get("_name")];
                }
                div.keep-bar {
                    button type="button" id="keep-save" { (self.say(words::SAVE)) }
                    button type="button" id="keep-export" { (self.say(words::EXPORT)) }
                    label.quiet-button for="keep-import" { (self.say(words::IMPORT)) }
                    input.vh type="file" id="keep-import" accept="application/json,.json";
                    button type="button" id="keep-copy" { (self.say(words::COPY)) }
                    button type="button" id="keep-print" { (self.say(words::PRINT)) }
                }
                p id="keep-said" role="status" aria-live="polite" {}
                h3 { (self.say(words::SAVED)) }
                ul id="keep-list" {}
                p.quiet id="keep-none" { (self.say(words::NONE_SAVED)) }
            }
        }
    }

    /// The list as one sheet of paper.
    pub(super) fn paper(&self, reply: &Value) -> Markup {
        let lang = self.reader.lang;
        let found = reply.get("answer");
        let spent = |name: &str| found.and_then(|found| found[name].as_i64()).unwrap_or(0);
        let name =
            self.query.get("_name").map_or_else(|| value_name(self.reader, self.army.id()), str::to_owned);
        let role = match self.role {
            Role::Attacker => "attacker",
            Role::Defender => "defender",
        };
        let troops: Vec<(&Entry, i32)> = self.roster().entries().filter(|(_, count)| *count > 0).collect();
        let wares: Vec<(&Ware, i32)> = Ware::all()
            .iter()
            .map(|ware| (ware, self.equipment.of(ware.item)))
            .filter(|(_, count)| *count > 0)
            .collect();
        let wrong = found.and_then(|found| found["violations"].as_array()).map_or(&[][..], Vec::as_slice);
        let attack = |entry: &Entry| match (entry.is_character() || entry.stands == 0, entry.profile.shooting)
        {
            (true, _) => format!("+{}", entry.profile.attack),
            (false, "-") => entry.profile.attack.to_string(),
            (false, shooting) => format!("{}/{shooting}", entry.profile.attack),
        };
        html! {
            div.paper id="paper" {
                h2 id="paper-title" { (self.say(words::PAPER)) " · " (name) }
                p { (value_name(self.reader, self.army.id())) " · " (value_name(self.reader, role)) " · " (self.points) " " (self.say(words::PAPER_POINTS)) " · " (self.say(self.occasion.name())) }
                @if troops.is_empty() { p.quiet { (self.say(words::PAPER_EMPTY)) } }
                @else {
                    div.scroll tabindex="0" role="region" aria-labelledby="paper-title" {
                        table.things {
                            thead { tr {
                                @for head in [words::PAPER_LINE, words::PAPER_COUNT, words::PAPER_STANDS, words::PAPER_ATTACK, words::PAPER_RANGE, words::PAPER_HITS, words::PAPER_ARMOUR, words::PAPER_COMMAND, words::PAPER_POINTS] {
                                    th scope="col" { (self.say(head)) }
                                }
                            } }
                            tbody {
                                @for (entry, count) in &troops {
                                    @let profile = entry.profile;
                                    tr {
                                        th scope="row" { (entry.name(lang)) } td { (count) }
                                        td { @if entry.stands > 0 { (entry.stands) } }
                                        td { (attack(entry)) } td { (dashed(profile.range_cm)) } td { (dashed(profile.hits)) }
                                        td { (dashed(profile.armour)) } td { (dashed(profile.command)) } td { (count * entry.points) }
                                    }
                                }
                                @for (ware, count) in &wares {
                                    tr { th scope="row" { (ware.name(lang)) } td { (count) } td colspan="6" {} td { (count * ware.points) } }
                                }
                            }
                            tfoot { tr { th scope="row" { (self.say(words::PAPER_TOTAL)) } td colspan="7" {
                                    (self.say(words::SUM_ARMY)) " " (spent("army")) " · " (self.say(words::SUM_EQUIPMENT)) " " (spent("equipment")) }
                                td { (spent("army") + spent("equipment")) } } }
                        }
                    }
                }
                @if !wrong.is_empty() {
                    h3 { (self.reader.say_with(words::ILLEGAL, "count", i64::try_from(wrong.len()).unwrap_or(i64::MAX))) }
                    ul { @for one in wrong { li { (self.sentence(one, found.unwrap_or(&Value::Null))) " (" (one["rule"].as_str().unwrap_or_default()) ")" } } }
                }
                p.notes-lines { (self.say(words::PAPER_NOTES)) }
            }
        }
    }
}

/// A cell of a profile; nothing where there is nothing.
fn dashed(cell: &str) -> &str {
    if cell == "-" { "" } else { cell }
}

/// The ready armies, each as an address.
pub(super) fn ready(reader: &Reader) -> Markup {
    let address = |scenario: Scenario, side: Side| {
        let ready = forces::ready(scenario, side);
        let mut request = json!({ "army": side.army(), "role": side.role(scenario), "points": ready.points,
            "scenario": scenario.number(), "lines": ready.lines, "equipment": ready.equipment });
        if (scenario, side) == (Scenario::Help, Side::Besieger) {
            request["first"] = json!("besieger");
        }
        (format!("{PLACE}?{}", Query::of(&request)), ready.points)
    };
    html! {
        details.ready {
            summary { (reader.say(words::READY)) }
            ul {
                @for scenario in Scenario::ALL {
                    @for (side, name) in [(Side::Besieger, words::SIDE_BESIEGER), (Side::Garrison, words::SIDE_GARRISON)] {
                        @let (address, points) = address(scenario, side);
                        @let facts = [
                            Fact { name: "scenario", value: reader.say(For::Scenario(scenario).name()).into() },
                            Fact { name: "side", value: reader.say(name).into() },
                            Fact { name: "points", value: points.into() },
                        ];
                        li { a href=(address) { (speak(words::READY_ONE, &facts, reader.lang)) } }
                    }
                }
            }
        }
    }
}
