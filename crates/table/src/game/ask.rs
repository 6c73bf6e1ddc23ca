//! What a reader asks of a game before he decides: what may come of it, and why not.

use danzig::ops::{Attack, Hex, Stride};
use danzig::siege::{Assault, BatteryTarget, Build, Facing, GunTarget, Pose, Spot, WallId, WorkId, WorkKind};
use danzig::{Action, Hand, Phase, Place, State, UnitId, UnitSet};
use kernel::{Desk, Game, Line, Odds, Spoken};
use maud::{Markup, html};
use rulebook::phrase::{board as words, table as common};

use super::board::towards;
use crate::page::rule_link;
use crate::query::Query;
use crate::reader::Reader;

/// So many ways the dice may fall are looked at; an order with more is too long to list.
const MOST_RUNS: usize = 20_000;

/// Every outcome of an order with its exact chance, from the code that will carry it out.
pub(crate) fn odds(reader: &Reader, state: &State, action: &Action) -> Markup {
    if let Err(refusal) = state.validate(action) {
        return refused(reader, &refusal);
    }
    let said = |lines: &[Line]| -> Vec<String> {
        lines
            .iter()
            .filter_map(|line| match line {
                Line::Happened(event) => Some(rulebook::speak(event.phrase, &event.facts, reader.lang)),
                Line::Because(_) => None,
            })
            .collect()
    };
    let mut because = Vec::new();
    let mut runs = 0_usize;
    let outcomes = Odds::of(|dice| {
        runs += 1;
        if runs > MOST_RUNS {
            return Vec::new();
        }
        let mut after = state.clone();
        let mut desk = Desk::new(&mut *dice, Spoken::default());
        let _ = after.perform(action, &mut desk);
        let lines = desk.notes.into_lines();
        if because.is_empty() {
            because = lines
                .iter()
                .filter_map(|line| match line {
                    Line::Because(because) => Some(because.clone()),
                    Line::Happened(_) => None,
                })
                .collect();
        }
        said(&lines)
    });
    let Some(outcomes) = outcomes.ok().filter(|_| runs <= MOST_RUNS) else {
        return html! { p.outcomes.quiet { (reader.say(words::TOO_MANY)) } };
    };
    let mut rows: Vec<(f64, String, String)> = outcomes
        .iter()
        .map(|(lines, chance)| {
            let text = if lines.is_empty() { reader.say(words::NO_EFFECT) } else { lines.join(" · ") };
            (100.0 * chance.as_f64(), chance.to_string(), text)
        })
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let certain = rows.len() == 1;
    html! {
        @if certain {
            @for (_, _, text) in &rows { p.outcomes { "100 % · " (text) } }
        } @else {
            table.odds.outcomes { tbody {
                @for (share, exact, text) in rows.iter().take(12) {
                    tr { th.chance scope="row" title=(exact) { span.share { (crate::answer::number(reader, &format!("{share:.1}"))) " %" } " " (crate::answer::bar(*share)) }
                        td { (text) } }
                }
            } }
            @if rows.len() > 12 { p.quiet { "… " (rows.len() - 12) } }
        }
        @if !because.is_empty() {
            details { summary { (reader.say(common::REASONS)) }
                ul.reasons { @for reason in because.iter().take(40) { li {
                    span.effect { (rulebook::effect(&reason.effect, reader.lang)) }
                    span.reason { (rule_link(reason.rule)) " " (rulebook::text(reason.rule, reader.lang)) }
                } } }
            }
        }
    }
}

/// A refusal as it is shown.
pub(crate) fn refused(reader: &Reader, refusal: &kernel::Refusal) -> Markup {
    html! {
        p.refusal { "✕ " (rulebook::refusal(refusal, reader.lang)) @if let Some(rule) = refusal.rule { " " (rule_link(rule)) } }
    }
}

/// Why what was tried with a counter cannot be done; nothing if it can.
pub(crate) fn why(reader: &Reader, state: &State, query: &Query) -> Markup {
    match tried(state, query) {
        None => html! { p.refusal { "✕ " (rulebook::speak(kernel::phrase::NOT_OFFERED, &[], reader.lang)) } },
        Some(action) => match state.validate(&action) {
            Err(refusal) => refused(reader, &refusal),
            Ok(()) => {
                html! { p data-fits=(serde_json::to_string(&action).unwrap_or_default()) { (super::choice::choice(reader, state, &action).label) } }
            }
        },
    }
}

/// The order a reader seems to mean: this counter, on that thing, in this phase.
fn tried(state: &State, query: &Query) -> Option<Action> {
    let unit = query.get("subject").and_then(|thing| thing.strip_prefix("u:")).and_then(UnitId::of_code);
    let object = query.get("object").unwrap_or_default();
    let hex = object.strip_prefix("h:").and_then(|text| text.parse::<Hex>().ok());
    let wall = object.strip_prefix("w:").and_then(WallId::of_code);
    let work = object.strip_prefix("k:").and_then(|text| text.parse().ok()).map(WorkId);
    if let Some(kind) = query.get("build") {
        let number = |name: &str| query.get(name).and_then(|text| text.parse::<i32>().ok());
        let kind = match kind {
            "sap" => WorkKind::Sap,
            "parallel" => WorkKind::Parallel,
            _ => WorkKind::Battery,
        };
        let at = Spot::metres(number("x")?, number("y")?);
        let pose = Pose::new(at, Facing::degrees(number("facing")?));
        let worker = unit
            .or_else(|| UnitId::all().find(|unit| state.table.unit(*unit).place == Place::Concentration))?;
        return Some(Action::Build(Build::New { kind, pose, worker }));
    }
    let target = wall.map(GunTarget::Wall);
    match state.phase {
        Phase::Move => match (&state.hand, unit) {
            (Hand::Moving(mover), _) => {
                let first = mover.units.iter().next()?;
                let Place::Hex(from) = state.table.unit(first).place else { return None };
                Some(Action::March(Stride::Go(towards(from, hex?)?)))
            }
            (_, Some(unit)) => Some(Action::TakeUp { units: UnitSet::of(unit) }),
            _ => None,
        },
        Phase::Fire => Some(Action::Fire(Attack { target: hex?, firers: UnitSet::of(unit?) })),
        Phase::DefensiveFire => {
            Some(Action::DefensiveFire(Attack { target: hex?, firers: UnitSet::of(unit?) }))
        }
        Phase::Guns => Some(Action::FireSiegeGun { gun: unit?, target: target? }),
        Phase::Assault => Some(Action::Assault(Assault { units: UnitSet::of(unit?), at: target? })),
        Phase::BatteryFire => {
            let target = work.map(BatteryTarget::Work).or(wall.map(BatteryTarget::Wall))?;
            Some(Action::FireBattery { battery: unit?, target })
        }
        _ => None,
    }
}
