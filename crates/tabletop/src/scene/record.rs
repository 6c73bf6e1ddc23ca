//! What a body did in the half-period: where it was, what it spent its quarters on, whom it reached.

use kernel::{Centimetres, Whole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::setup::Place;

/// What a body did in the half-period that ends now. Nothing written means that it stood still.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Where it was at the start of the half-period, if elsewhere than at the end of Q1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Place>,
    /// Where it was at the end of Q1, if elsewhere than now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub middle: Option<Place>,
    /// The path moved in Q1; the straight distance unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_q1: Option<Centimetres>,
    /// The path moved in Q2; the straight distance unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_q2: Option<Centimetres>,
    /// Other actions that cost a quarter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// In melee at any time of Q1.
    #[serde(default)]
    pub melee_q1: bool,
    /// In melee at any time of Q2.
    #[serde(default)]
    pub melee_q2: bool,
    /// The enemies that fired at it in the previous fire phase.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fired_at_by: Vec<String>,
    /// Whether the enemy knows of it though it is in a wood or house (TE-R30).
    #[serde(default)]
    pub revealed: bool,
    /// Crossing at a ford (TE-6.3-07).
    #[serde(default)]
    pub at_ford: bool,
    /// In its reaction quarter (TE-R53).
    #[serde(default)]
    pub reacting: bool,
    /// Inside a house that the enemy holds, the house it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// The enemy it came into contact with in this half-period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<Contact>,
}

/// An action other than a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// The quarter, 1 or 2.
    pub quarter: Whole<1, 2>,
    /// What was done.
    pub kind: ActionKind,
}

/// Actions that break stillness (FE-R07).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ActionKind {
    /// Turned.
    Pivot,
    /// Limbered or unlimbered.
    Limber,
    /// Changed formation.
    ChangeFormation,
    /// Rallied.
    Rally,
    /// Re-formed.
    Reform,
    /// An action at a house.
    House,
}

/// How an enemy was reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// The enemy.
    pub with: String,
    /// By a charge.
    #[serde(default)]
    pub charging: bool,
    /// The path from the start of the half-period to contact, in movement cost; the straight
    /// distance between the two places unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Centimetres>,
    /// Its base move for a quarter; that of its troops unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quarter_move: Option<Centimetres>,
    /// Its charge bonus; that of its troops unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Centimetres>,
    /// The last part of the path along which it was seen and in range; judged on the table unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Centimetres>,
    /// Whether it spent a quarter of this half-period still, in view and in range, before starting.
    #[serde(default)]
    pub waited: bool,
}
