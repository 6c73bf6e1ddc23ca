//! What a reader asks of a game before he decides: what may come of it, and why not.

use danzig::ops::Hex;
use danzig::siege::Build;
use danzig::{Action, Arm, Hand, Phase, Place, State, UnitId, UnitSet};
use kernel::{Chooses as _, Desk, Game, Line, Odds, Phrase, Spoken};
use maud::{Markup, html};
use rulebook::phrase::{board as words, table as common};

use super::choice::{place_name, unit_name};
use super::reach::reach;
use super::tried::tried;
use crate::page::rule_link_under;
use crate::query::Query;
use crate::reader::Reader;

/// So many ways the dice may fall are looked at; an order with more is too long to list.
const MOST_RUNS: usize = 20_000;

/// Every outcome of an order with its exact chance, from the code that will carry it out.
pub(crate) fn odds(reader: &Reader, state: &State, action: &Action) -> Markup {
    if let Err(refusal) = state.validate(state.active(), action) {
        return refused(reader, state, &refusal);
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
    let mut bill = Bill::of(state);
    let outcomes = Odds::within(MOST_RUNS, |dice| {
        let mut after = state.clone();
        let mut desk = Desk::new(&mut *dice, Spoken::default());
        let _ = after.perform(after.active(), action, &mut desk);
        bill.compare(state, &after);
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
    let Ok(outcomes) = outcomes else {
        return html! { (bill.line(reader)) p.outcomes.quiet { (reader.say(words::TOO_MANY)) } };
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
    let chosen = state.chosen();
    // What is dug is dug: the price says all.
    let plain = certain && matches!(action, Action::Build(_));
    html! {
        (bill.line(reader))
        (workers(reader, state, action))
        @if plain {} @else if certain {
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
                    span.reason { (rule_link_under(reason.rule.as_str(), &chosen)) " " (rulebook::text(reason.rule, &chosen, reader.lang)) }
                } } }
            }
        }
    }
}

/// So many ways the dice may fall are looked at for the figure on a target.
const FEW_RUNS: usize = 1_300;

/// How likely each shot or attack of a counter is to do anything, in hundredths, by its order.
pub(crate) fn chances(state: &State, unit: UnitId) -> Vec<(Action, u8)> {
    let mut actions = Vec::new();
    state.actions(state.active(), &mut actions);
    actions.retain(|action| match *action {
        Action::FireSiegeGun { gun: by, .. } | Action::FireBattery { battery: by, .. } => by == unit,
        Action::Fire(attack) | Action::DefensiveFire(attack) => attack.firers.has(unit),
        Action::Melee(melee) => melee.attackers.has(unit),
        _ => false,
    });
    actions.into_iter().filter_map(|action| Some((action, chance(state, &action)?))).collect()
}

/// How likely it is that anything is said of this order; nothing if that is too long to find out.
fn chance(state: &State, action: &Action) -> Option<u8> {
    let outcomes = Odds::within(FEW_RUNS, |dice| {
        let mut after = state.clone();
        let mut desk = Desk::new(&mut *dice, Spoken::default());
        let _ = after.perform(after.active(), action, &mut desk);
        desk.notes.into_lines().iter().any(|line| matches!(line, Line::Happened(_)))
    })
    .ok()?;
    let share: f64 = outcomes.iter().filter(|(said, _)| **said).map(|(_, chance)| chance.as_f64()).sum();
    percent(share)
}

/// A share as whole hundredths.
fn percent(share: f64) -> Option<u8> {
    (0..=100_u8).min_by(|a, b| {
        let off = |hundredths: u8| (f64::from(hundredths) - 100.0 * share).abs();
        off(*a).total_cmp(&off(*b))
    })
}

/// What an order costs: the stores before it, and after it whatever the dice say.
struct Bill {
    before: [u16; 5],
    after: Option<[Option<u16>; 5]>,
}

const STORES: [Phrase; 5] =
    [words::TRACK_24, words::TRACK_12, words::TRACK_BUILD, words::TRACK_REPAIR, words::MOVEMENT_LEFT];

fn stores(state: &State) -> [u16; 5] {
    let danzig = &state.table.danzig;
    let movement = match state.hand {
        Hand::Moving(mover) | Hand::Leaving { mover, .. } => {
            let most = mover.units.iter().map(|unit| unit.data().mp).min().unwrap_or(0);
            u16::from(most.saturating_sub(mover.spent))
        }
        _ => 0,
    };
    [
        danzig.ammunition_24,
        danzig.ammunition_12,
        danzig.construction.into(),
        danzig.repair_pool.into(),
        movement,
    ]
}

impl Bill {
    fn of(state: &State) -> Self {
        Self { before: stores(state), after: None }
    }

    /// Takes note of one way it may go; what differs between them is no price.
    fn compare(&mut self, before: &State, after: &State) {
        // At the end of a step the stores change for other reasons.
        let comparable = before.phase == after.phase;
        let now = stores(after);
        let first = now.map(|store| comparable.then_some(store));
        let known = self.after.get_or_insert(first);
        for (known, now) in known.iter_mut().zip(now) {
            if !comparable || *known != Some(now) {
                *known = None;
            }
        }
    }

    fn line(&self, reader: &Reader) -> Markup {
        let after = self.after.unwrap_or_default();
        let rows = STORES
            .into_iter()
            .zip(self.before.into_iter().zip(after))
            .filter_map(|(name, (before, after))| after.map(|after| (name, before, after)))
            .filter(|(_, before, after)| after < before);
        html! {
            @for (name, before, after) in rows {
                p.price { (reader.say(name)) " " strong { "−" (before - after) } " " span.quiet { "(" (before) " → " (after) ")" } }
            }
        }
    }
}

/// The same work by somebody else, where anybody else may do it.
fn workers(reader: &Reader, state: &State, action: &Action) -> Markup {
    let Action::Build(build) = *action else { return html! {} };
    let (chosen, by): (UnitId, fn(Build, UnitId) -> Build) = match build {
        Build::New { worker, .. } => (worker, |build, unit| match build {
            Build::New { kind, pose, .. } => Build::New { kind, pose, worker: unit },
            other => other,
        }),
        Build::Repair { worker, .. } => (worker, |build, unit| match build {
            Build::Repair { work, .. } => Build::Repair { work, worker: unit },
            other => other,
        }),
        Build::Upgrade { worker, .. } => (worker, |build, unit| match build {
            Build::Upgrade { work, .. } => Build::Upgrade { work, worker: unit },
            other => other,
        }),
        _ => return html! {},
    };
    let able: Vec<(UnitId, Action)> = UnitId::of_side(chosen.side())
        .filter(|unit| unit.data().arm == Arm::Infantry)
        .map(|unit| (unit, Action::Build(by(build, unit))))
        .filter(|(unit, action)| *unit == chosen || state.validate(state.active(), action).is_ok())
        .collect();
    html! {
        div.worker { label for="worker" { (reader.say(words::WHO_WORKS)) }
            select id="worker" {
                @for (unit, action) in &able {
                    option value=(serde_json::to_string(action).unwrap_or_default()) selected[*unit == chosen] {
                        (unit_name(reader, *unit)) ", " (place_name(reader, state, state.table.unit(*unit).place))
                    }
                }
            }
        }
    }
}

/// A refusal as it is shown.
pub(crate) fn refused(reader: &Reader, state: &State, refusal: &kernel::Refusal) -> Markup {
    html! {
        p.refusal { "✕ " (rulebook::refusal(refusal, reader.lang))
            @if let Some(rule) = refusal.rule { " " (rule_link_under(rule.as_str(), &state.chosen())) } }
    }
}

/// Why what was tried with a counter cannot be done; if it can, what may come of it.
pub(crate) fn why(reader: &Reader, state: &State, query: &Query) -> Markup {
    let unit = query.get("subject").and_then(|thing| thing.strip_prefix("u:")).and_then(UnitId::of_code);
    if let Some(refusal) = unreachable_hex(state, unit, query) {
        return refused(reader, state, &refusal);
    }
    let mut first = None;
    for action in tried(state, query) {
        match state.validate(state.active(), &action) {
            Ok(()) => {
                let label = super::choice::choice(reader, state, &action).label;
                return html! {
                    p data-fits=(serde_json::to_string(&action).unwrap_or_default()) { (label) }
                    (odds(reader, state, &action))
                };
            }
            Err(refusal) => {
                first.get_or_insert(refusal);
            }
        }
    }
    match first {
        Some(refusal) => refused(reader, state, &refusal),
        None if unit.is_none() => html! { p.refusal { "✕ " (reader.say(words::CHOOSE_FIRST)) } },
        None => {
            html! { p.refusal { "✕ " (rulebook::speak(kernel::phrase::NOT_OFFERED, &[], reader.lang)) } }
        }
    }
}

/// Why the hex pointed at cannot be reached by the stack in hand or the counter chosen.
fn unreachable_hex(state: &State, unit: Option<UnitId>, query: &Query) -> Option<kernel::Refusal> {
    let hex: Hex = query.get("object")?.strip_prefix("h:")?.parse().ok()?;
    let units = match (state.phase, state.hand) {
        (Phase::Move, Hand::Moving(mover)) => mover.units,
        (Phase::Move, Hand::Empty) => {
            UnitSet::of(unit.filter(|unit| state.table.unit(*unit).place != Place::Waiting)?)
        }
        _ => return None,
    };
    match reach(state, units) {
        Ok(reach) => reach.why_not(state, hex),
        Err(refusal) => Some(refusal),
    }
}
