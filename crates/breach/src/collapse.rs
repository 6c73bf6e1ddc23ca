//! The fall of an element: those who stand on it enter; who is lost, what is left of each unit and what
//! the place becomes leave. Section "breaches" of the supplement.

use kernel::{Centimetres, Clerk};
use rulebook::rule;
use schemars::JsonSchema;
use serde::Serialize;

use crate::bombard::Element;

/// What a fallen element leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ruin {
    /// Rubble: dense ground for infantry alone, which is defended in it.
    Breach,
    /// A gate that stands open to everybody.
    OpenGate,
}

/// A unit with stands on the element, in line: which of its stands are on it.
pub type OnIt<'a> = &'a [bool];

/// What is left of a unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Remains {
    /// Stands lost; each lowers the Command by 1 from now on.
    pub stands_lost: i32,
    /// The stands of each group that still touches: units of their own until the end of the Combat
    /// phase if there are several.
    pub fragments: Vec<i32>,
    /// Whether it must reform at the end of the Combat phase.
    pub reforms: bool,
    /// Dice of drive back for the stands lost.
    pub drive_back_dice: i32,
    /// Whether nobody is left.
    pub destroyed: bool,
}

/// What a character on the element does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// He stays, for nothing has happened to his place.
    Stays,
    /// He joins a friendly unit.
    Joins,
    /// He is slain.
    Slain,
}

/// What becomes of the place.
pub fn ruin(element: Element, clerk: &mut impl Clerk) -> Ruin {
    match element {
        Element::Gate => clerk.rather(rule!(BR_BREACHES_08), Ruin::OpenGate, Ruin::Breach),
        _ => clerk.rather(rule!(BR_BREACHES_01), Ruin::Breach, Ruin::OpenGate),
    }
}

/// What is left of a unit when the element under some of its stands falls.
pub fn remains(element: Element, on_it: OnIt<'_>, clerk: &mut impl Clerk) -> Remains {
    let falls = if element == Element::Gate {
        clerk.rather(rule!(BR_R61), false, true)
    } else {
        clerk.holds(rule!(BC_14_2_03), true) && clerk.holds(rule!(BR_R62), true)
    };
    let lost = |on: bool| on && falls;
    let mut fragments = Vec::new();
    let mut run = 0;
    for &on in on_it {
        if lost(on) {
            fragments.push(run);
            run = 0;
        } else {
            run += 1;
        }
    }
    fragments.push(run);
    fragments.retain(|stands| *stands > 0);
    let stands_lost = i32::try_from(on_it.iter().filter(|on| lost(**on)).count()).unwrap_or(i32::MAX);
    if stands_lost > 0 {
        clerk.applied(rule!(BR_BREACHES_10));
    }
    let drive_back_dice =
        if stands_lost > 0 { clerk.rather(rule!(BR_BREACHES_11), 0, stands_lost) } else { 0 };
    let split = fragments.len() > 1;
    if split {
        let rule = if on_it.len() > 3 { rule!(BR_BREACHES_13) } else { rule!(BR_BREACHES_12) };
        if !clerk.holds(rule, true) {
            fragments = vec![fragments.iter().sum()];
        }
    }
    let reforms = split && clerk.holds(rule!(BR_BREACHES_14), true);
    let destroyed = fragments.is_empty();
    Remains { stands_lost, fragments, reforms, drive_back_dice, destroyed }
}

/// How far a character looks for friends.
const FRIENDS: Centimetres = Centimetres::whole(30);

/// What a character on the element does: his unit may be destroyed, and a friendly unit near.
pub fn fate(
    element: Element,
    unit_destroyed: bool,
    friend: Option<Centimetres>,
    clerk: &mut impl Clerk,
) -> Fate {
    if element == Element::Gate {
        return clerk.rather(rule!(BR_R61), Fate::Stays, Fate::Slain);
    }
    let near = friend.is_some_and(|distance| distance <= FRIENDS);
    if clerk.holds(rule!(BR_R63), unit_destroyed || !near) { Fate::Slain } else { Fate::Joins }
}
