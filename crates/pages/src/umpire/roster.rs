//! The army builder: an army written line by line, with its sums and whatever is wrong at every
//! change. The whole list is in the address; a script keeps it in the browser and in files, and the
//! page prints as one sheet.

mod paper;

use crate::answer::value_name;
use crate::assets::{ROSTER_SCRIPT, ROSTER_STYLE};
use crate::page::{Headline, Room, Width, page_with, rule_link};
use crate::query::Query;
use crate::reader::Reader;
use crate::shape::{self, Field, Shape};
use breach::army::{Multipliers, Role};
use breach::lists::{Army, Counts, Entry, Item, Kind, Line, Listed, MOST, Ware};
use breach::roster::{self, Battle, Race, Roster};
use breach::scenario::Scenario;
use kernel::{Chosen, Desk, Fact, Measure, Phrase, Scripted, Silent};
use maud::{Markup, html};
use rulebook::{Asking, phrase::roster as words, phrase::table as common, speak};

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
        (paper::ready(reader))
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
