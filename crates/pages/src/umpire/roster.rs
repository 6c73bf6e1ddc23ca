//! The army builder: an army written line by line, with its sums and whatever is wrong at every
//! change. The whole list is in the address; a script keeps it in the browser and in files, and the
//! page prints as one sheet.

use breach::army::{self, Multipliers, Role};
use breach::forces;
use breach::lists::{Army, Counts, Entry, Item, Kind, Line, Listed, MOST, Ware};
use breach::roster::{self, Battle, Race, Roster};
use breach::scenario::{Scenario, Side};
use kernel::{Chosen, Desk, Fact, Measure, Phrase, Scripted, Silent};
use maud::{Markup, html};
use rulebook::{Asking, phrase::roster as words, phrase::table as common, speak};
use serde_json::{Value, json};

use crate::answer::{self, number, value_name};
use crate::assets::{ROSTER_SCRIPT, ROSTER_STYLE};
use crate::page::{Headline, Room, Width, page_with, rule_link, rule_link_under};
use crate::query::Query;
use crate::reader::Reader;
use crate::shape::{self, Field, Shape};

use super::form::options;

/// The question the page asks.
pub(super) const QUESTION: &str = "breach.roster";

/// Where the page is.
const PLACE: &str = "/umpire/breach.roster";

/// The rulings that change what a list costs or may hold.
const OPTIONS: [&str; 2] = ["ladder_price", "relief_force"];

/// What a list is written for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    Siege,
    Field,
    Scenario(Scenario),
}

impl For {
    fn of(query: &Query) -> Self {
        let scenario = |text: &str| text.parse().ok().and_then(Scenario::numbered).map(Self::Scenario);
        match query.get("_for") {
            Some("siege") => Self::Siege,
            Some("field") => Self::Field,
            Some(text) => scenario(text).unwrap_or(Self::Siege),
            None => match (query.get("scenario").and_then(scenario), query.get("siege")) {
                (Some(scenario), _) => scenario,
                (None, Some("false")) => Self::Field,
                (None, _) => Self::Siege,
            },
        }
    }

    fn word(self) -> String {
        match self {
            Self::Siege => "siege".to_owned(),
            Self::Field => "field".to_owned(),
            Self::Scenario(scenario) => scenario.number().to_string(),
        }
    }

    const fn name(self) -> Phrase {
        match self {
            Self::Siege => words::FOR_SIEGE,
            Self::Field => words::FOR_FIELD,
            Self::Scenario(Scenario::Watchtower) => words::SCENARIO_1,
            Self::Scenario(Scenario::Help) => words::SCENARIO_2,
            Self::Scenario(Scenario::Keep) => words::SCENARIO_3,
        }
    }

    const fn battle(self) -> Battle {
        match self {
            Self::Siege => Battle::Siege,
            Self::Field => Battle::Field,
            Self::Scenario(scenario) => scenario.battle(),
        }
    }

    const ALL: [Self; 5] = [
        Self::Siege,
        Self::Scenario(Scenario::Watchtower),
        Self::Scenario(Scenario::Help),
        Self::Scenario(Scenario::Keep),
        Self::Field,
    ];
}

/// What is asked: a first list if nothing is; what the occasion does not know and the lines of the
/// other army are left out.
fn asked(query: &Query) -> Query {
    let mut asked = query.with("lang", None);
    if asked.is_empty() {
        for (name, value) in [("army", "dwarf"), ("role", "attacker"), ("points", "2000")] {
            asked = asked.with(name, Some(value));
        }
        asked = asked.with("lines.general", Some("1")).with("lines.warriors", Some("4"));
    }
    for (name, usual) in [("army", "dwarf"), ("role", "attacker"), ("points", "2000")] {
        if asked.get(name).is_none() {
            asked = asked.with(name, Some(usual));
        }
    }
    let occasion = For::of(query);
    let scenario = match occasion {
        For::Scenario(scenario) => Some(scenario),
        For::Siege | For::Field => None,
    };
    asked = asked
        .with("_for", None)
        .with("scenario", scenario.map(|scenario| scenario.number().to_string()).as_deref())
        .with("siege", (occasion == For::Field).then_some("false"));
    if scenario != Some(Scenario::Help) {
        asked = asked.with("first", None);
    }
    if !matches!(scenario, Some(Scenario::Watchtower | Scenario::Keep)) {
        asked = asked.with("other_points", None);
    }
    let army = army_of(&asked);
    for line in Line::ALL {
        let path = format!("lines.{}", line.id());
        if army.entry(*line).is_none() || asked.get(&path) == Some("0") {
            asked = asked.with(&path, None);
        }
    }
    for item in Item::ALL {
        let path = format!("equipment.{}", item.id());
        if asked.get(&path) == Some("0") {
            asked = asked.with(&path, None);
        }
    }
    if !asked.begins("lines") {
        asked = asked.with("lines.general", Some("0"));
    }
    asked
}

fn army_of(query: &Query) -> Army {
    query.get("army").and_then(Army::named).unwrap_or(Army::Dwarf)
}

/// How many of each a query names; what cannot be read is left to the umpire to refuse.
fn counts<K: Listed>(query: &Query, path: &str) -> Counts<K> {
    let mut counts = Counts::default();
    for (name, value) in query.under(path) {
        if let (Some(what), Ok(count)) = (K::named(name), value.parse()) {
            counts.add(what, count);
        }
    }
    counts
}

/// A list as the page shows it.
struct Builder<'a> {
    reader: &'a Reader,
    query: &'a Query,
    army: Army,
    role: Role,
    points: i32,
    occasion: For,
    lines: Counts<Line>,
    equipment: Counts<Item>,
    times: Multipliers,
    chosen: Chosen,
}

/// Nobody listens, nothing is rolled.
fn quietly<T>(rule: impl FnOnce(&mut Desk<Scripted<'_>, Silent>) -> T) -> T {
    rule(&mut Desk::new(Scripted::new(&[]), Silent))
}

impl<'a> Builder<'a> {
    fn new(reader: &'a Reader, query: &'a Query) -> Self {
        let mut builder = Self {
            reader,
            query,
            army: army_of(query),
            role: if query.get("role") == Some("defender") { Role::Defender } else { Role::Attacker },
            points: query
                .get("points")
                .and_then(|points| points.parse().ok())
                .unwrap_or(2000)
                .clamp(1, 100_000),
            occasion: For::of(query),
            lines: counts(query, "lines"),
            equipment: counts(query, "equipment"),
            times: Multipliers { min: 0, max: 0 },
            chosen: query.chosen(),
        };
        builder.times = quietly(|clerk| roster::multipliers(&builder.roster(), clerk));
        builder
    }

    fn roster(&self) -> Roster<'_> {
        Roster {
            army: self.army,
            race: Race::OfTheList,
            role: self.role,
            points: self.points,
            battle: self.occasion.battle(),
            lines: &self.lines,
            equipment: &self.equipment,
        }
    }

    fn say(&self, phrase: Phrase) -> String {
        self.reader.say(phrase)
    }

    fn say_of(&self, phrase: Phrase, facts: &[(&'static str, Measure)]) -> String {
        let facts: Vec<Fact> =
            facts.iter().map(|(name, value)| Fact { name, value: value.clone() }).collect();
        speak(phrase, &facts, self.reader.lang)
    }

    /// Whether the force is named by the scenario, so that the limits of the list say nothing.
    fn is_named(&self) -> bool {
        self.occasion == For::Scenario(Scenario::Help) && self.role == Role::Attacker
    }

    /// How many there must and may be, in words.
    fn limits(&self, entry: &Entry) -> String {
        if self.is_named() {
            return String::new();
        }
        let (min, max) =
            if entry.line == Line::General { (1, Some(1)) } else { roster::bounds(entry, self.times) };
        match (min, max) {
            (0, None) => String::new(),
            (min, None) => self.say_of(words::AT_LEAST, &[("min", min.into())]),
            (0, Some(max)) => self.say_of(words::AT_MOST, &[("max", max.into())]),
            (min, Some(max)) if min == max => self.say_of(words::EXACTLY, &[("min", min.into())]),
            (min, Some(max)) => self.say_of(words::BETWEEN, &[("min", min.into()), ("max", max.into())]),
        }
    }

    /// A number between two large buttons.
    fn stepper(&self, path: &str, label: &str, value: &str, step: &str, (least, most): (i32, i32)) -> Markup {
        html! {
            span.stepper {
                button type="button" data-step="-1" data-for=(path) aria-label=(self.reader.say_with(common::LESS, "what", label)) hidden { "−" }
                input type="number" id=(path) name=(path) value=(value) step="1" data-by=(step) min=(least) max=(most) inputmode="numeric" placeholder="0";
                button type="button" data-step="1" data-for=(path) aria-label=(self.reader.say_with(common::MORE, "what", label)) hidden { "+" }
            }
        }
    }

    /// One line of a list: its name, what it costs, how many there may be, how many there are.
    fn row(&self, path: &str, name: &str, price: &str, limits: &str, count: i32, cost: i32) -> Markup {
        let value = if count == 0 { String::new() } else { count.to_string() };
        html! {
            div.line {
                label for=(path) { (name)
                    small { (price) span id={ "limit-" (path) } data-fresh { @if !limits.is_empty() { " · " (limits) } } }
                }
                (self.stepper(path, name, &value, "1", (0, MOST)))
                span.cost id={ "cost-" (path) } data-fresh { @if count > 0 { (cost) } }
            }
        }
    }

    fn chips(&self, path: &str, legend: Phrase, choices: &[&str]) -> Markup {
        let chosen = self.query.get(path).unwrap_or_default();
        html! {
            fieldset.chips {
                legend { (self.say(legend)) }
                div.chip-line {
                    @for choice in choices {
                        span.chip {
                            input type="radio" id={ (path) "-" (choice) } name=(path) value=(choice) checked[chosen == *choice];
                            label for={ (path) "-" (choice) } { (value_name(self.reader, choice)) }
                        }
                    }
                }
            }
        }
    }

    /// Who fights whom, and how large.
    fn basics(&self) -> Markup {
        let points = self.query.get("points").unwrap_or("2000");
        let first = self.query.get("first").unwrap_or_default();
        html! {
            section.pad aria-labelledby="pad-basics" {
                h2 id="pad-basics" { (self.say(words::BASICS)) }
                (self.chips("army", words::ARMY, &["empire", "dwarf"]))
                (self.chips("role", words::ROLE, &["attacker", "defender"]))
                div.pair {
                    div.field { label for="points" { (self.say(words::POINTS)) } (self.stepper("points", &self.say(words::POINTS), points, "250", (1, 100_000))) }
                    div.field {
                        label for="_for" { (self.say(words::OCCASION)) }
                        select id="_for" name="_for" {
                            @for occasion in For::ALL { option value=(occasion.word()) selected[occasion == self.occasion] { (self.say(occasion.name())) } }
                        }
                    }
                }
                @match self.occasion {
                    For::Scenario(Scenario::Help) => div.field {
                        label for="first" { (self.say(words::FIRST)) }
                        select id="first" name="first" {
                            option value="" { (self.say(words::NOBODY)) }
                            @for side in ["besieger", "garrison"] { option value=(side) selected[first == side] { (value_name(self.reader, side)) } }
                        }
                    },
                    For::Scenario(_) => div.field {
                        label for="other_points" { (self.say(words::OTHER_POINTS)) }
                        input type="number" id="other_points" name="other_points" value=[self.query.get("other_points")] min="1" max="100000" inputmode="numeric";
                    },
                    For::Siege | For::Field => {},
                }
            }
        }
    }

    fn troops(&self) -> Markup {
        let lang = self.reader.lang;
        html! {
            section.pad aria-labelledby="pad-troops" {
                h2 id="pad-troops" { (self.say(words::TROOPS)) }
                @for entry in self.army.list() {
                    @let path = format!("lines.{}", entry.line.id());
                    @let count = self.lines.of(entry.line);
                    @let borne = matches!(entry.kind, Kind::Mount | Kind::Upgrade);
                    @let price = self.say_of(if borne { words::BORNE_EACH } else { words::EACH }, &[("points", entry.points.into())]);
                    (self.row(&path, entry.name(lang), &price, &self.limits(entry), count, count * entry.points))
                }
            }
        }
    }

    fn wares(&self) -> Markup {
        let lang = self.reader.lang;
        let roster = self.roster();
        let works = self.occasion == For::Scenario(Scenario::Help) && self.role == Role::Defender;
        let closing = |ware: &Ware| {
            if works && ware.item == Item::Earthwork { None } else { roster::closing(ware.item, &roster) }
        };
        let (open, closed): (Vec<&Ware>, Vec<&Ware>) =
            Ware::all().iter().partition(|ware| closing(ware).is_none() || self.equipment.of(ware.item) > 0);
        html! {
            section.pad aria-labelledby="pad-equipment" {
                h2 id="pad-equipment" { (self.say(words::EQUIPMENT)) }
                @for ware in open {
                    @let path = format!("equipment.{}", ware.item.id());
                    @let count = self.equipment.of(ware.item);
                    @let price = self.say_of(words::EACH, &[("points", ware.points.into())]);
                    @let most = ware.max.map(|max| self.say_of(words::AT_MOST, &[("max", (max * self.times.max).into())]));
                    (self.row(&path, ware.name(lang), &price, &most.unwrap_or_default(), count, count * ware.points))
                }
                @if !closed.is_empty() {
                    p.quiet { (self.say(words::CLOSED)) " "
                        @for (place, ware) in closed.iter().enumerate() {
                            @if place > 0 { ", " } (ware.name(lang))
                            @if let Some(rule) = closing(ware) { " " (rule_link(rule)) }
                        }
                        "."
                    }
                }
            }
        }
    }

    fn form(&self, fields: &[Field]) -> Markup {
        let offered: Vec<Field> = fields
            .iter()
            .filter(|field| field.name == "options")
            .cloned()
            .map(|mut field| {
                if let Shape::Group(options) = &mut field.shape {
                    options.retain(|option| OPTIONS.contains(&option.name.as_str()));
                }
                field
            })
            .collect();
        let kind = format!("{} {:?} {}", self.army.id(), self.role, self.occasion.word());
        html! {
            form.question.roster id="roster-form" action=(PLACE) method="get" data-kind=(kind) {
                (self.basics())
                (self.troops())
                (self.wares())
                (options(self.reader, &offered, self.query, "breach"))
                div.ask-bar {
                    output.brief id="brief" {}
                    button.primary type="submit" { (self.say(words::CHECK)) } " "
                    a.quiet-button href=(PLACE) { (self.say(words::CLEAR)) }
                }
            }
        }
    }

    /// The sums, and whatever is wrong.
    fn result(&self, reply: &Value) -> Markup {
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
    fn keep(&self) -> Markup {
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
    fn paper(&self, reply: &Value) -> Markup {
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
fn ready(reader: &Reader) -> Markup {
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

/// The page.
pub(super) fn page(reader: &Reader, question: &Asking, query: &Query) -> Markup {
    let fields = shape::fields(&question.schema());
    let asked = asked(query);
    let request = shape::request(&fields, &asked);
    let reply = question.reply(&request.to_string(), reader.lang).tree();
    let builder = Builder::new(reader, &asked);
    let text = serde_json::to_string_pretty(&request).unwrap_or_default();
    let main = html! {
        nav.trail aria-label=(reader.say(common::TRAIL)) { a href="/umpire" { (reader.say(common::NAV_UMPIRE)) } }
        h1 { (reader.say(words::TITLE)) }
        p.lead { (reader.say(words::LEAD)) }
        (ready(reader))
        div.ask.ask-roster {
            (builder.form(&fields))
            div { (builder.result(&reply)) (builder.keep()) }
        }
        (builder.paper(&reply))
        details.raw {
            summary { (reader.say(common::FOR_PROGRAMS)) }
            p { code { "POST /api/ask/" (QUESTION) } }
            pre tabindex="0" { code id="request" data-fresh { (text) } }
        }
    };
    let head = html! {
        link rel="stylesheet" href=(ROSTER_STYLE.path);
        script type="module" src=(ROSTER_SCRIPT.path) {}
    };
    let headline = Headline { title: &reader.say(words::TITLE), about: &reader.say(words::LEAD) };
    page_with(reader, headline, Some(Room::Umpire), Width::Wide, &head, &main)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulebook::Lang;

    fn shown(lang: Lang, query: &str) -> String {
        let question = breach::questions().into_iter().find(|one| one.name == QUESTION).unwrap();
        page(&Reader::of(lang), &question, &Query::parse(query)).into_string()
    }

    #[test]
    fn a_first_list_is_offered_and_legal() {
        let page = shown(Lang::En, "");
        assert!(page.contains("✓ The list is legal") && page.contains("595 of 2000"), "{page}");
        assert!(page.contains("id=\"lines.warriors\"") && !page.contains("id=\"lines.knights\""));
        // A language in the address is no list.
        assert!(shown(Lang::Fr, "lang=fr").contains("595 sur 2000"));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_rule_in_both_languages() {
        let query =
            "army=dwarf&role=attacker&points=1000&lines.general=1&lines.warriors=1&equipment.ladders=3";
        let english = shown(Lang::En, query);
        assert!(
            english.contains("Warriors: 1 of at least 2.") && english.contains("/rules/BR-general-09"),
            "{english}"
        );
        let french = shown(Lang::Fr, query);
        assert!(french.contains("Guerriers") && french.contains("sur au moins 2."), "{french}");
    }

    #[test]
    fn lines_of_the_other_army_are_left_behind() {
        let page = shown(Lang::En, "army=empire&role=defender&points=1000&lines.general=1&lines.warriors=3");
        assert!(page.contains("125 of 1000") && !page.contains("id=\"lines.warriors\""), "{page}");
    }

    #[test]
    fn an_occasion_opens_and_closes_what_it_says() {
        let siege = shown(Lang::En, "army=dwarf&role=defender&points=1000&lines.general=1");
        assert!(siege.contains("id=\"equipment.oil_rocks\"") && !siege.contains("id=\"equipment.ladders\""));
        assert!(siege.contains("/rules/BR-equipment-16"));
        let field = shown(
            Lang::En,
            "army=dwarf&role=attacker&points=1000&_for=field&lines.general=1&lines.warriors=2",
        );
        assert!(!field.contains("id=\"equipment.") && field.contains("&quot;siege&quot;: false"), "{field}");
        let help = shown(
            Lang::En,
            "army=dwarf&role=defender&points=1000&_for=2&first=besieger&lines.general=1&lines.warriors=2&equipment.earthwork=7",
        );
        assert!(help.contains("/rules/BR-scenario-2-03"), "{help}");
    }

    #[test]
    fn the_ready_armies_lead_to_legal_lists() {
        let page = shown(Lang::En, "");
        let links: Vec<String> = page
            .split("href=\"/umpire/breach.roster?")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .map(|query| query.replace("&amp;", "&"))
            .collect();
        assert_eq!(links.len(), 6);
        for link in links {
            let page = shown(Lang::Fr, &link);
            assert!(page.contains("✓ La liste est légale"), "{link}: {page}");
        }
    }

    #[test]
    fn a_bad_number_is_refused_by_its_name() {
        let page = shown(Lang::En, "army=dwarf&role=attacker&points=1000&lines.general=1&lines.warriors=999");
        assert!(page.contains("class=\"refused\""), "{page}");
    }
}
