//! The umpire's questions: one for every chart, and those that need the map. Requests are checked
//! here; the answers come from the chart modules.

mod charts;
mod fights;
mod politics;
mod ways;

use rulebook::{Asking, question};
use schemars::JsonSchema;
use serde::Serialize;

/// Every question of the campaign.
#[must_use]
pub fn questions() -> Vec<Asking> {
    vec![
        question::<charts::MoveCost>(),
        question::<charts::Attrition>(),
        question::<charts::Artillery>(),
        question::<fights::Combat>(),
        question::<fights::Pursuit>(),
        question::<fights::Battle>(),
        question::<charts::Initiative>(),
        question::<charts::Cavalry>(),
        question::<charts::Weather>(),
        question::<charts::Admin>(),
        question::<charts::Bridge>(),
        question::<politics::Morale>(),
        question::<politics::Negotiation>(),
        question::<politics::Ultimatum>(),
        question::<ways::Forage>(),
        question::<ways::Supply>(),
        question::<ways::Reach>(),
    ]
}

/// Something that may come, with its exact chance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct Likely<T> {
    /// The chance, in lowest terms.
    pub p: String,
    /// What may come.
    pub outcome: T,
}

/// Exact odds as a list, in the order of the outcomes.
fn likely<T: Ord + Clone, U>(odds: &kernel::Odds<T>, read: impl Fn(T) -> U) -> Vec<Likely<U>> {
    odds.iter()
        .map(|(outcome, chance)| Likely { p: chance.to_string(), outcome: read(outcome.clone()) })
        .collect()
}

/// `true`, for fields that default to it.
const fn yes() -> bool {
    true
}
