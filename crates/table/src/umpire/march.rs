//! The map of 1805 as an explorer of marches: a hex is chosen, and the map shows how far an arm gets
//! in the weather and what each way costs. The answer of `campaign.reach` enters; marks leave.

use std::fmt::Write;

use campaign::HexId;
use campaign::map::{COLUMNS, ROWS};
use maud::{Markup, html};
use rulebook::phrase::table as words;
use serde_json::Value;

use crate::query::Query;
use crate::reader::Reader;

/// Centre to corner of a hex on the drawn sheet, and its margin.
const SIZE: f64 = 20.0;
const MARGIN: f64 = 64.0;
const STEP: f64 = SIZE * 1.732_050_8;

fn centre(hex: HexId) -> (f64, f64) {
    let low = if hex.column.is_multiple_of(2) { 0.5 } else { 0.0 };
    (
        MARGIN + SIZE * (1.5 * (f64::from(hex.column) - 1.0) + 1.0),
        MARGIN + STEP * (f64::from(hex.row) - 0.5 + low),
    )
}

/// The map with what can be reached; `answered` is the umpire's reply, if something was asked.
pub(super) fn map(reader: &Reader, query: &Query, answered: Option<&str>) -> Markup {
    let wide = 2.0 * MARGIN + SIZE * (1.5 * f64::from(COLUMNS) + 0.5);
    let high = 2.0 * MARGIN + STEP * (f64::from(ROWS) + 0.5) + 128.0;
    html! {
        figure.map-1805 {
            svg.explorer data-explorer="hex" viewBox=(format!("0 0 {wide:.0} {high:.0}")) role="img" aria-label=(reader.say(words::MAP_1805)) tabindex="0"
                data-size=(SIZE) data-margin=(MARGIN) data-columns=(COLUMNS) data-rows=(ROWS) {
                image href={ "/maps/campaign-1805." (reader.lang.code()) ".svg" } width=(format!("{wide:.0}")) height=(format!("{high:.0}")) {}
                g id="also" { (marks(query, answered)) }
            }
            figcaption { (reader.say(words::MAP_1805_HINT)) }
        }
    }
}

fn marks(query: &Query, answered: Option<&str>) -> Markup {
    let answered: Value = answered.and_then(|json| serde_json::from_str(json).ok()).unwrap_or(Value::Null);
    let reached: Vec<(HexId, String, &Value)> = answered["answer"]["hexes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            Some((HexId::read(entry["hex"].as_str()?)?, crate::query::plain(&entry["mp"]), &entry["path"]))
        })
        .collect();
    let way = query.get("to").and_then(|to| {
        let path = reached.iter().find(|(hex, _, _)| hex.to_string() == to)?.2.as_array()?;
        let mut line = String::new();
        for (place, hex) in path.iter().filter_map(|hex| HexId::read(hex.as_str()?)).enumerate() {
            let (x, y) = centre(hex);
            let _ = write!(line, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
        }
        Some(line)
    });
    html! {
        @for (hex, cost, _) in &reached {
            @let (x, y) = centre(*hex);
            g.reached data-hex=(hex) transform=(format!("translate({x:.1} {y:.1})")) {
                title { (hex) " · " (cost) }
                circle r="11" {}
                text y="4" { (cost) }
            }
        }
        @if let Some(way) = way { path.way d=(way) {} }
        @if let Some(start) = query.get("hex").and_then(HexId::read) {
            @let (x, y) = centre(start);
            circle.start cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="15" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulebook::Lang;

    #[test]
    fn what_can_be_reached_is_marked_with_its_cost() {
        let reach =
            campaign::questions().into_iter().find(|question| question.name == "campaign.reach").unwrap();
        let hex = campaign::map().sources(campaign::terms::Army::French)[0];
        let query = Query::parse(&format!("hex={hex}&arm=infantry"));
        let answered = reach.ask(&format!(r#"{{"hex":"{hex}","arm":"infantry"}}"#), Lang::En);
        assert!(!answered.refused, "{}", answered.json);
        let drawn = map(&Reader::of(Lang::En), &query, Some(&answered.json)).into_string();
        assert!(drawn.matches("class=\"reached\"").count() > 3);
        assert!(drawn.contains("class=\"start\""));
    }
}
