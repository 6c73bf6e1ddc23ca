//! The map of 1805 as an explorer. March: a hex is chosen, and the map shows how far foot and horse
//! get today and what each way costs. Supply: the ways to centre and source, or why they are cut.
//! The answers of `campaign.reach` and `campaign.supply` enter; marks on the map leave.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::LazyLock;

use campaign::map::{COLUMNS, Cell, ROWS};
use campaign::terms::{Army, Road};
use campaign::{HexId, map};
use kernel::Fact;
use maud::{Markup, PreEscaped, html};
use rulebook::phrase::{table as common, umpire as words};
use rulebook::{Lang, speak};
use serde_json::{Map, Value, json};

use super::form::options;
use crate::answer::{self, field_name, number, value_name};
use crate::home::count;
use crate::page::{Headline, Room, Width, page};
use crate::query::Query;
use crate::reader::Reader;
use crate::router::Pages;
use crate::shape;

/// Centre to corner of a hex on the drawn sheet, and its margin.
const SIZE: f64 = 20.0;
const MARGIN: f64 = 64.0;
const STEP: f64 = SIZE * 1.732_050_8;
/// The weathers, as they are written.
const WEATHERS: [&str; 6] = ["clear", "frost", "snow", "rain", "mud", "rain-mud"];

/// The names of the towns, as the sheet writes them.
static NAMES: LazyLock<String> = LazyLock::new(campaign::map_names);

fn centre(hex: HexId) -> (f64, f64) {
    let low = if hex.column.is_multiple_of(2) { 0.5 } else { 0.0 };
    (
        MARGIN + SIZE * (1.5 * (f64::from(hex.column) - 1.0) + 1.0),
        MARGIN + STEP * (f64::from(hex.row) - 0.5 + low),
    )
}

/// Which of its two pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    March,
    Supply,
}

impl Mode {
    const fn question(self) -> &'static str {
        match self {
            Self::March => "campaign.reach",
            Self::Supply => "campaign.supply",
        }
    }
}

/// The page of a question, if it is asked on the map.
pub(super) fn mode(question: &str) -> Option<Mode> {
    [Mode::March, Mode::Supply].into_iter().find(|mode| mode.question() == question)
}

/// How a hex is spoken of: its place, its number, what it is, its roads.
fn spoken(reader: &Reader, cell: &Cell) -> String {
    let mut parts = Vec::new();
    parts.extend(cell.name.map(str::to_owned));
    parts.push(reader.say_with(words::HEX_NAMED, "hex", cell.id.to_string()));
    if !cell.in_play {
        parts.push(reader.say(words::HEX_OFF));
        return parts.join(", ");
    }
    let kind = serde_json::to_value(cell.hex).unwrap_or_default();
    parts.push(value_name(reader, kind.as_str().unwrap_or_default()));
    if cell.roads.contains(&Road::Primary) {
        parts.push(reader.say(words::HEX_ROAD_PRIMARY));
    } else if cell.roads.contains(&Road::Secondary) {
        parts.push(reader.say(words::HEX_ROAD_SECONDARY));
    }
    for (army, phrase) in
        [(Army::French, words::HEX_SOURCE_FRENCH), (Army::AustroRussian, words::HEX_SOURCE_ALLIED)]
    {
        if map().sources(army).contains(&cell.id) {
            parts.push(reader.say(phrase));
        }
    }
    parts.join(", ")
}

/// A short name: the place, or the number.
fn short(hex: HexId) -> String {
    map().cell(hex).name.map_or_else(|| hex.to_string(), |name| format!("{name} ({hex})"))
}

/// Every hex in play with its spoken name, as JSON: `{"0101": "…"}`.
#[must_use]
pub fn explorer_places(lang: Lang) -> String {
    let reader = Reader::of(lang);
    let names: BTreeMap<String, String> = map()
        .cells()
        .iter()
        .filter(|cell| cell.in_play)
        .map(|cell| (cell.id.to_string(), spoken(&reader, cell)))
        .collect();
    serde_json::to_string(&names).unwrap_or_default()
}

/// A hex by its number or its name, or what is wrong with it.
fn hex_of(reader: &Reader, query: &Query, field: &str) -> Option<Result<HexId, String>> {
    let text = query.get(field)?;
    let folded = rulebook::fold(text);
    let named = |cell: &&Cell| cell.name.is_some_and(|name| rulebook::fold(name) == folded);
    let found = HexId::read(text).or_else(|| map().cells().iter().find(named).map(|cell| cell.id));
    Some(match found {
        Some(hex) if map().cell(hex).in_play => Ok(hex),
        Some(hex) => Err(reader.say_with(words::MAP_OFF, "hex", hex.to_string())),
        None => Err(reader.say_with(words::MAP_NO_PLACE, "name", text.to_owned())),
    })
}

/// What was asked and what was answered.
struct Asked<'a> {
    reader: &'a Reader,
    query: &'a Query,
    mode: Mode,
    hex: Option<Result<HexId, String>>,
    to: Option<Result<HexId, String>>,
    centre: Option<Result<HexId, String>>,
    /// The umpire's refusal, by field.
    refused: Option<(String, String)>,
    foot: Value,
    horse: Value,
    supply: Value,
}

/// The page.
pub(super) fn explorer(reader: &Reader, pages: &Pages, query: &Query, mode: Mode) -> Markup {
    let hex = hex_of(reader, query, "hex");
    let mut asked = Asked {
        reader,
        query,
        mode,
        to: hex_of(reader, query, "to").filter(|_| mode == Mode::March),
        centre: hex_of(reader, query, "centre").filter(|_| mode == Mode::Supply),
        hex,
        refused: None,
        foot: Value::Null,
        horse: Value::Null,
        supply: Value::Null,
    };
    asked.put(pages);
    let title = reader.say(words::MAP_TITLE);
    let main = html! {
        nav.trail aria-label=(reader.say(common::TRAIL)) { a href="/umpire" { (reader.say(common::NAV_UMPIRE)) } }
        div.page-head { h1 { (title) } p.lead { (reader.say(words::MAP_LEAD)) } }
        div.ask.ask-map id="explorer" {
            (asked.sheet())
            div.map-desk {
                (asked.form(pages))
                (asked.told(pages))
            }
        }
    };
    let headline = Headline { title: &title, about: &reader.say(words::MAP_LEAD) };
    page(reader, headline, Some(Room::Umpire), Width::Desk, &main)
}

impl Asked<'_> {
    /// Asks the umpire.
    fn put(&mut self, pages: &Pages) {
        let Some(Ok(hex)) = self.hex else { return };
        let ask = |question: &str, request: &Value| {
            pages
                .question(question)
                .map_or(Value::Null, |question| question.reply(&request.to_string(), self.reader.lang).tree())
        };
        let mut request = self.request(hex);
        match self.mode {
            Mode::March => {
                let mut reach = |arm: &str| {
                    request.insert("arm".to_owned(), json!(arm));
                    ask("campaign.reach", &Value::Object(request.clone()))
                };
                (self.foot, self.horse) = (reach("infantry"), reach("cavalry"));
                self.refused = refusal(&self.foot);
            }
            Mode::Supply => {
                let army = self.query.get("army").unwrap_or("french");
                request.insert("army".to_owned(), json!(army));
                if let Some(Ok(centre)) = self.centre {
                    request.insert("centre".to_owned(), json!(centre.to_string()));
                }
                self.supply = ask("campaign.supply", &Value::Object(request));
                self.refused = refusal(&self.supply);
            }
        }
    }

    fn request(&self, hex: HexId) -> Map<String, Value> {
        let mut request = Map::new();
        request.insert("hex".to_owned(), json!(hex.to_string()));
        if let Some(weather) = self.query.get("weather") {
            request.insert("weather".to_owned(), json!(weather));
        }
        if let Some(mp) = self.query.get("mp").filter(|_| self.mode == Mode::March) {
            let number = mp.replace(',', ".").parse::<f64>().map_or_else(|_| json!(mp), |mp| json!(mp));
            request.insert("mp".to_owned(), number);
        }
        let enemies: Vec<Value> = self.enemies().map(|hex| json!({ "hex": hex, "sp": 5 })).collect();
        if !enemies.is_empty() {
            request.insert("enemies".to_owned(), json!(enemies));
        }
        let options: Map<String, Value> =
            self.query.under("options").map(|(name, value)| (name.to_owned(), json!(value))).collect();
        if !options.is_empty() {
            request.insert("options".to_owned(), Value::Object(options));
        }
        request
    }

    fn enemies(&self) -> impl Iterator<Item = &str> {
        self.query.get("enemies").unwrap_or_default().split([' ', ',', ';']).filter(|hex| !hex.is_empty())
    }

    fn sheet(&self) -> Markup {
        let reader = self.reader;
        let wide = 2.0 * MARGIN + SIZE * (1.5 * f64::from(COLUMNS) + 0.5);
        let high = 2.0 * MARGIN + STEP * (f64::from(ROWS) + 0.5) + 128.0;
        html! {
            figure.sheet.map-1805 id="sheet" {
                svg.explorer id="map-1805" viewBox=(format!("0 0 {wide:.0} {high:.0}")) role="application" tabindex="0"
                    aria-label=(reader.say(words::MAP_DRAWING)) aria-describedby="sheet-keys"
                    data-size=(SIZE) data-margin=(MARGIN) data-columns=(COLUMNS) data-rows=(ROWS) data-mode=(self.mode.question())
                    data-edge=(reader.say(words::MAP_EDGE))
                    data-names={ "/maps/campaign-1805." (reader.lang.code()) ".json" } {
                    image href={ "/maps/campaign-1805." (reader.lang.code()) ".svg" } width=(format!("{wide:.0}")) height=(format!("{high:.0}")) {}
                    g id="marks" { (self.marks()) }
                    g id="hover" {}
                }
                (super::scene::zoom_buttons(reader))
                p.under-map id="under" aria-hidden="true" { "\u{a0}" }
                p.vh id="spoken" role="status" aria-live="polite" {}
                p.quiet id="sheet-keys" { (reader.say(words::MAP_KEYS)) }
                figcaption {
                    @if self.mode == Mode::March {
                        span.legend { span.key-foot { (reader.say(words::MAP_LEGEND_FOOT)) } span.key-horse { (reader.say(words::MAP_LEGEND_HORSE)) } }
                    }
                }
            }
        }
    }

    fn marks(&self) -> Markup {
        let mut reached: BTreeMap<HexId, (Option<String>, Option<String>, String)> = BTreeMap::new();
        for (answered, horse) in [(&self.foot, false), (&self.horse, true)] {
            for entry in answered["answer"]["hexes"].as_array().into_iter().flatten() {
                let Some(hex) = entry["hex"].as_str().and_then(HexId::read) else { continue };
                let cost = number(self.reader, &crate::query::plain(&entry["mp"]));
                let place = reached.entry(hex).or_default();
                if horse {
                    place.1 = Some(cost);
                } else {
                    place.0 = Some(cost);
                }
                if place.2.is_empty() {
                    place.2 = path_of(&entry["path"]);
                }
            }
        }
        let start = self.hex.as_ref().and_then(|hex| hex.as_ref().ok()).copied();
        html! {
            @for (hex, (foot, horse, path)) in &reached {
                @let (x, y) = centre(*hex);
                @let class = if foot.is_some() { "reached foot" } else { "reached horse" };
                g class=(class) data-hex=(hex) data-path=(path) data-cost=(self.cost(foot.as_deref(), horse.as_deref())) transform=(format!("translate({x:.1} {y:.1})")) {
                    @if foot.is_some() { circle r="10" {} } @else { path d="M0-11L11 0 0 11-11 0Z" {} }
                    text y="3.6" { (foot.as_deref().or(horse.as_deref()).unwrap_or_default()) }
                }
            }
            // The marks lie over the sheet, and the names of the places over the marks.
            @if !reached.is_empty() { g.place-names aria-hidden="true" { (PreEscaped(NAMES.as_str())) } }
            @for hex in self.enemies().filter_map(HexId::read) {
                @let (x, y) = centre(hex);
                g.enemy transform=(format!("translate({x:.1} {y:.1})")) { rect x="-12" y="-9" width="24" height="18" {} path d="M-12-9L12 9M-12 9L12-9" {} }
            }
            @for (class, leg) in [("to-source", &self.supply["answer"]["source"]), ("to-centre", &self.supply["answer"]["centre"])] {
                @let path = path_of(&leg["path"]);
                @if !path.is_empty() { path class={ "way " (class) } d=(path) {} }
            }
            @if let (Mode::March, Some(Ok(to))) = (self.mode, &self.to) {
                @if let Some((_, _, path)) = reached.get(to) { path.way d=(path) {} }
            }
            @if let Some(start) = start {
                @let (x, y) = centre(start);
                circle.start cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="15" data-start=(start) {}
            }
        }
    }

    fn cost(&self, foot: Option<&str>, horse: Option<&str>) -> String {
        let mut parts = Vec::new();
        parts.extend(foot.map(|cost| self.reader.say_with(words::MAP_COST_FOOT, "cost", cost.to_owned())));
        parts.extend(horse.map(|cost| self.reader.say_with(words::MAP_COST_HORSE, "cost", cost.to_owned())));
        parts.join(", ")
    }

    fn form(&self, pages: &Pages) -> Markup {
        let reader = self.reader;
        let fields = pages.question(self.mode.question()).map(|question| shape::fields(&question.schema()));
        html! {
            form.question id="map-form" action={ "/umpire/" (self.mode.question()) } method="get" {
                nav.tabs-line aria-label=(reader.say(words::MAP_TITLE)) {
                    @for (mode, phrase) in [(Mode::March, words::MAP_MARCH), (Mode::Supply, words::MAP_SUPPLY)] {
                        a.tab href={ "/umpire/" (mode.question()) "?" (self.query.with("to", None)) } data-live="true" aria-current=[(mode == self.mode).then_some("page")] { (reader.say(phrase)) }
                    }
                }
                (self.place_field("hex", words::MAP_FROM, &self.hex))
                @if self.mode == Mode::March { (self.place_field("to", words::MAP_TO, &self.to)) }
                (self.choices("weather", &WEATHERS))
                @if self.mode == Mode::Supply {
                    (self.choices("army", &["french", "austro-russian"]))
                    (self.place_field("centre", words::MAP_CENTRE, &self.centre))
                }
                details.more open[self.query.get("enemies").is_some() || self.query.get("mp").is_some()] {
                    summary { (reader.say(words::MORE)) }
                    @if self.mode == Mode::March {
                        div.field { label for="mp" { (reader.say(words::MAP_MP)) } input type="number" id="mp" name="mp" step="0.5" min="0" max="60" inputmode="decimal" value=[self.query.get("mp")]; (self.complaint("mp")) }
                    }
                    div.field {
                        label for="enemies" { (reader.say(words::MAP_ENEMIES)) span.optional { " " (reader.say(words::MAP_ENEMIES_HINT)) } }
                        input type="text" id="enemies" name="enemies" inputmode="numeric" autocomplete="off" value=[self.query.get("enemies")];
                        (self.complaint("enemies"))
                    }
                }
                @if let Some(fields) = &fields { (options(reader, fields, self.query, "campaign")) }
                datalist id="places" { @for cell in map().cells().iter().filter(|cell| cell.in_play) { @if let Some(name) = cell.name { option value=(name) {} } } }
                div.ask-bar.no-script { button.primary type="submit" { (reader.say(common::ASK)) } }
            }
        }
    }

    fn place_field(&self, name: &str, phrase: kernel::Phrase, hex: &Option<Result<HexId, String>>) -> Markup {
        let wrong = hex.as_ref().and_then(|hex| hex.as_ref().err());
        // A number is shown with its place where it has a name.
        let value = match hex {
            Some(Ok(hex)) => map().cell(*hex).name.map_or_else(|| hex.to_string(), str::to_owned),
            _ => self.query.get(name).unwrap_or_default().to_owned(),
        };
        html! {
            div.field {
                label for=(name) { (self.reader.say(phrase)) }
                input type="text" id=(name) name=(name) list="places" autocomplete="off" value=(value) aria-invalid=[wrong.map(|_| "true")];
                @if let Some(wrong) = wrong { p.wrong { (wrong) } } @else { (self.complaint(name)) }
            }
        }
    }

    fn choices(&self, name: &str, values: &[&str]) -> Markup {
        let chosen = self.query.get(name).unwrap_or(values[0]);
        html! {
            fieldset.chips {
                legend { (field_name(self.reader, name)) }
                div.chip-line {
                    @for (place, value) in values.iter().enumerate() {
                        span.chip {
                            input type="radio" id={ (name) "-" (value) } name=(name) value=(if place == 0 { "" } else { value }) checked[chosen == *value];
                            label for={ (name) "-" (value) } { (value_name(self.reader, value)) }
                        }
                    }
                }
            }
            (self.complaint(name))
        }
    }

    fn complaint(&self, field: &str) -> Markup {
        let here = |path: &str| path.split(['.', '[']).next() == Some(field);
        html! { @if let Some((_, message)) = self.refused.as_ref().filter(|(path, _)| here(path)) { p.wrong { (message) } } }
    }

    /// The answer in words.
    fn told(&self, pages: &Pages) -> Markup {
        let reader = self.reader;
        let Some(Ok(hex)) = self.hex else {
            return html! { section.answer id="answer" aria-live="polite" tabindex="-1" { p.quiet { (reader.say(words::MAP_ASK_FIRST)) } } };
        };
        let first = if self.mode == Mode::March { &self.foot } else { &self.supply };
        html! {
            section.answer id="answer" aria-live="polite" tabindex="-1" {
                h2 { (spoken(reader, map().cell(hex))) }
                @if first.get("refused").is_some() { (answer::refusal(reader, &first["refused"], &self.query.chosen())) }
                @else {
                    @match self.mode {
                        Mode::March => {
                            @for (answered, phrase) in [(&self.foot, words::MAP_REACH_FOOT), (&self.horse, words::MAP_REACH_HORSE)] {
                                @if let Some(hexes) = answered["answer"]["hexes"].as_array() { p { (reader.say_with(phrase, "count", count(hexes.len()))) } }
                            }
                            @if self.query.get("weather").is_some() { p.quiet { (reader.say(words::MAP_WEATHER)) } }
                            @if let Some(Ok(to)) = self.to { (self.way_to(pages, hex, to)) }
                        },
                        Mode::Supply => (self.lines(hex)),
                    }
                }
            }
        }
    }

    /// The way to one hex, for foot and for horse, with its reasons.
    fn way_to(&self, pages: &Pages, from: HexId, to: HexId) -> Markup {
        let reader = self.reader;
        let Some(question) = pages.question("campaign.reach") else { return html! {} };
        let arms = [("infantry", words::MAP_COST_FOOT), ("cavalry", words::MAP_COST_HORSE)];
        html! {
            h3 { (reader.say_with(words::MAP_THE_WAY, "name", short(to))) }
            @for (arm, phrase) in arms {
                @let mut request = self.request(from);
                @let _ = request.insert("arm".to_owned(), json!(arm));
                @let _ = request.insert("to".to_owned(), json!(to.to_string()));
                @let answered = question.reply(&Value::Object(request).to_string(), reader.lang).tree();
                @match answered["answer"]["hexes"].get(0) {
                    Some(way) => {
                        details.way-reasons open[arm == "infantry"] {
                            summary { strong { (reader.say_with(phrase, "cost", number(reader, &crate::query::plain(&way["mp"])))) } " · " (steps(&way["path"])) }
                            (answer::reasons(reader, answered["because"].as_array().map_or(&[], Vec::as_slice), &self.query.chosen()))
                        }
                    },
                    None => p { (value_name(reader, arm)) (reader.lang.colon()) (reader.say_with(words::MAP_NOT_TODAY, "message", answered["refused"]["message"].as_str().unwrap_or_default().to_owned())) },
                }
            }
        }
    }

    /// The lines of supply.
    fn lines(&self, hex: HexId) -> Markup {
        let reader = self.reader;
        let answer = &self.supply["answer"];
        let fed = answer["line"] == true;
        let legs = [
            ("source", words::MAP_LEG_SOURCE),
            ("centre", words::MAP_LEG_CENTRE),
            ("dispatch", words::MAP_LEG_DISPATCH),
        ];
        html! {
            p.says.refused[!fed] { (reader.say_with(if fed { words::MAP_FED } else { words::MAP_UNFED }, "name", short(hex))) }
            p { (reader.say(if answer["command"] == true { words::MAP_COMMANDED } else { words::MAP_UNCOMMANDED })) }
            dl.legs {
                @for (name, phrase) in legs {
                    @let leg = &answer[name];
                    @if leg.is_object() {
                        @let to = leg["to"].as_str().and_then(HexId::read).map(short).unwrap_or_default();
                        div { dt { (reader.say_with(phrase, "name", to)) } dd { (leg_told(reader, leg)) } }
                    }
                }
                @if let Some(hexes) = answer["road_hexes"].as_i64() { div { dt { (field_name(reader, "road_hexes")) } dd { (hexes) } } }
            }
            (answer::reasons(reader, self.supply["because"].as_array().map_or(&[], Vec::as_slice), &self.query.chosen()))
        }
    }
}

fn refusal(answered: &Value) -> Option<(String, String)> {
    let refused = &answered["refused"];
    Some((refused["field"].as_str()?.to_owned(), refused["message"].as_str()?.to_owned()))
}

/// Why a way serves or does not.
fn leg_told(reader: &Reader, leg: &Value) -> String {
    let figure = |name: &str| number(reader, &crate::query::plain(&leg[name]));
    let facts = [
        Fact { name: "cost", value: figure("mp").into() },
        Fact { name: "limit", value: figure("limit").into() },
    ];
    let phrase = match leg["reason"].as_str() {
        Some("within") => words::MAP_LEG_WITHIN,
        Some("too-far") if leg["mp"].is_number() => words::MAP_LEG_TOO_FAR,
        Some("cut-by-enemy") => words::MAP_LEG_CUT,
        _ => words::MAP_LEG_NONE,
    };
    speak(phrase, &facts, reader.lang)
}

/// A path of hexes as a line.
fn path_of(hexes: &Value) -> String {
    let mut line = String::new();
    for (place, hex) in
        hexes.as_array().into_iter().flatten().filter_map(|hex| HexId::read(hex.as_str()?)).enumerate()
    {
        let (x, y) = centre(hex);
        let _ = write!(line, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
    }
    line
}

/// A path of hexes in words: its places, else its numbers.
fn steps(hexes: &Value) -> String {
    let all = hexes.as_array().into_iter().flatten().filter_map(|hex| HexId::read(hex.as_str()?));
    all.map(|hex| map().cell(hex).name.map_or_else(|| hex.to_string(), str::to_owned))
        .collect::<Vec<_>>()
        .join(" – ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(mode: Mode, query: &str) -> String {
        let pages = Pages::new(campaign::questions());
        explorer(&Reader::of(Lang::En), &pages, &Query::parse(query), mode).into_string()
    }

    #[test]
    fn foot_and_horse_are_marked_apart_with_their_cost() {
        let page = shown(Mode::March, "hex=Brünn");
        assert!(page.matches("class=\"reached foot\"").count() > 20, "{page}");
        assert!(page.matches("class=\"reached horse\"").count() > 3);
        assert!(page.contains("Infantry reaches"));
    }

    #[test]
    fn a_way_is_told_step_by_step() {
        let page = shown(Mode::March, "hex=2012&to=2014");
        assert!(page.contains("infantry 4 MP") && page.contains("CA-terrain-10"), "{page}");
        assert!(page.contains("class=\"way\""));
    }

    #[test]
    fn supply_names_its_source_or_why_it_is_cut() {
        let source = map().sources(Army::French)[0];
        let fed = shown(Mode::Supply, &format!("hex={source}&army=french"));
        assert!(fed.contains("In supply"), "{fed}");
        let far = shown(Mode::Supply, "hex=2012&army=french");
        assert!(far.contains("Cut off") && far.contains("farther than the 18 allowed"), "{far}");
    }

    #[test]
    fn what_is_not_there_is_said_at_the_field() {
        assert!(shown(Mode::March, "hex=Paris").contains("there is no hex or place called"));
        assert!(shown(Mode::March, "hex=2012&weather=hot").contains("class=\"wrong\""));
    }

    #[test]
    fn every_hex_in_play_has_a_spoken_name() {
        let names: BTreeMap<String, String> = serde_json::from_str(&explorer_places(Lang::Fr)).unwrap();
        assert_eq!(names.len(), map().cells().iter().filter(|cell| cell.in_play).count());
        assert!(names.values().any(|name| name.starts_with("Austerlitz, hexagone ")));
    }
}
