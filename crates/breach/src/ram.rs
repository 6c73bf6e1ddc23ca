//! Ramming: an attempt, the reactions of those above in their order and the test enter; what is left of
//! element, unit and ram leaves. Section "ramming" of the supplement.

use kernel::{Centimetres, Clerk, Refusal, Verdict};
use rulebook::options::breach::{Options, RamAfterFailure, RamReactionStands, ReactionOrder};
use rulebook::{phrase::breach as phrase, rule};
use schemars::JsonSchema;
use serde::Serialize;

use crate::bombard;
use crate::oil::{self, Below, Means};
use crate::shooting::{self, Moment, Shooter, Target};
use crate::terms::{Arm, Machine};

/// An attempt before anybody reacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The unit with its ram.
    pub unit: Below,
    /// Whether it is the turn of its own side.
    pub own_turn: bool,
    /// Whether it is confused.
    pub confused: bool,
    /// Whether it fights troops on the ground.
    pub engaged: bool,
}

/// What a unit with a stand on the element does before the attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Oil or rocks.
    Oil,
    /// Shots at the rammers.
    Shots {
        /// Who shoots.
        shooter: Shooter,
        /// Those of its stands that are on the element.
        on_element: i32,
    },
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The element is destroyed.
    Destroyed,
    /// It withstood.
    Failed,
    /// The reactions stopped it.
    Abandoned,
}

/// The unit while the reactions go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rammers {
    /// Unsaved hits of all reactions so far.
    pub hits: i32,
    /// Stands lost to them.
    pub stands_lost: i32,
    /// Hits left over.
    pub odd_hits: i32,
    /// Whether the covered machine is gone.
    pub machine_destroyed: bool,
    /// Whether the attempt is abandoned.
    pub abandoned: bool,
    /// How far the unit draws back.
    pub back_cm: i32,
    /// How many reactions were resolved.
    pub reactions: i32,
}

/// What came of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Rammed {
    /// How it ended.
    pub attempt: Ended,
    /// The destruction dice the element carries; none once it fell.
    pub destruction_dice: i32,
    /// Reactions that were resolved: nobody reacts to an attempt that is abandoned already.
    pub reactions: i32,
    /// Unsaved hits of the reactions.
    pub unsaved: i32,
    /// Stands lost to them.
    pub stands_lost: i32,
    /// Hits left over.
    pub odd_hits: i32,
    /// How far the unit draws back.
    pub back_cm: i32,
    /// How far it may advance through the opening.
    pub advance_cm: i32,
    /// Whether the covered ram is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_destroyed: Option<bool>,
}

/// Whether the unit may try.
///
/// # Errors
/// In the enemy's turn, confused, or in close combat on the ground.
pub fn may_try(attempt: &Attempt) -> Verdict<()> {
    let refused = |rule, reason, field: &str| Err(Refusal::rule(rule, reason).at(field));
    if rule!(BR_RAMMING_07).holds(!attempt.own_turn) {
        return refused(rule!(BR_RAMMING_07), phrase::OWN_TURN_ONLY, "own_turn");
    }
    if rule!(BR_R22).holds(attempt.confused) {
        return refused(rule!(BR_R22), phrase::CONFUSED, "confused");
    }
    if rule!(BR_R93).holds(attempt.engaged) {
        return refused(rule!(BR_R93), phrase::ENGAGED, "engaged");
    }
    Ok(())
}

/// Whether these reactions may follow one another: one provision of oil, used by one unit.
///
/// # Errors
/// A second kettle; a shooter that cannot shoot at chargers or has no stand on the element.
pub fn check_reactions(reactions: &[Reaction]) -> Verdict<()> {
    let mut oil = false;
    for (place, reaction) in reactions.iter().enumerate() {
        match reaction {
            Reaction::Oil if rule!(BR_R19).holds(oil) => {
                return Err(
                    Refusal::rule(rule!(BR_R19), phrase::OIL_ONCE).at(format!("reactions.{place}.oil"))
                );
            }
            Reaction::Oil => oil = true,
            Reaction::Shots { on_element, .. } if rule!(BR_R20).holds(*on_element < 1) => {
                return Err(Refusal::rule(rule!(BR_R20), phrase::NO_STAND_THERE)
                    .at(format!("reactions.{place}.on_element")));
            }
            Reaction::Shots { shooter, on_element } => {
                if *on_element > shooter.stands {
                    return Err(Refusal::rule(rule!(BR_R20), phrase::MORE_THAN_STANDS)
                        .at(format!("reactions.{place}.on_element"))
                        .with("stands", shooter.stands));
                }
            }
        }
    }
    Ok(())
}

/// The unit before the reactions.
#[must_use]
pub const fn untouched(unit: &Below) -> Rammers {
    Rammers {
        hits: 0,
        stands_lost: 0,
        odd_hits: unit.earlier_hits,
        machine_destroyed: false,
        abandoned: false,
        back_cm: 0,
        reactions: 0,
    }
}

/// One reaction, unless the attempt is abandoned already; what was declared beforehand is resolved all
/// the same, on what is left of the unit.
///
/// # Errors
/// A weapon that does not shoot at chargers.
pub fn react(
    unit: &Below,
    before: Rammers,
    reaction: &Reaction,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<Rammers> {
    let stands = unit.stands - before.stands_lost;
    let declared = stands > 0 && options.reaction_order == ReactionOrder::AllDeclared;
    if before.abandoned && !clerk.holds(rule!(BR_R79), declared) {
        return Ok(before);
    }
    // Without its machine the unit carries what is left by hand.
    let means = if before.machine_destroyed { Means::PortableRam } else { unit.means };
    let below = Below { means, stands, earlier_hits: before.odd_hits, ..*unit };
    let (unsaved, shaken, fails) = match reaction {
        Reaction::Oil => {
            clerk.applied(rule!(BR_RAMMING_09));
            let (poured, shaken) = oil::strike(&below, options, clerk)?;
            (poured.unsaved, shaken, poured.fails)
        }
        Reaction::Shots { shooter, on_element } => {
            let stands = match options.ram_reaction_stands {
                RamReactionStands::WholeUnit => shooter.stands,
                RamReactionStands::StandsOnSection => clerk.value(rule!(BR_R20), *on_element),
            };
            let shooter = Shooter { stands, ..*shooter };
            let target = target(&below);
            clerk.applied(rule!(BR_RAMMING_10));
            let volley = shooting::aim(&shooter, Centimetres::ZERO, &target, Moment::Charge, clerk)?;
            let struck = volley.roll(clerk);
            let shaken = below.shaken(struck.unsaved, options, clerk);
            (struck.unsaved, shaken, shaken.fails)
        }
    };
    let hits = before.hits + unsaved;
    let abandoned = before.abandoned || fails;
    Ok(Rammers {
        hits,
        stands_lost: before.stands_lost + shaken.stands_lost,
        odd_hits: shaken.odd_hits,
        machine_destroyed: before.machine_destroyed || shaken.machine_destroyed.unwrap_or(false),
        abandoned,
        back_cm: if abandoned { unit.back(hits, shaken.somebody, clerk) } else { 0 },
        reactions: before.reactions + 1,
    })
}

/// The unit as those see it who shoot at it.
fn target(below: &Below) -> Target {
    Target {
        stands: below.stands,
        hits: below.hits,
        armour: below.armour,
        arm: Arm::Infantry,
        cover: shooting::Cover::Open,
        earlier_hits: below.earlier_hits,
        machine: if below.means == Means::Ram { Machine::Ram } else { Machine::None },
        fanatic: false,
    }
}

/// How far a unit may advance through the opening it has made.
const ADVANCE: i32 = 20;
/// How far it falls back from an element that withstood, where players want it so.
const FALLS_BACK: i32 = 10;

/// The test, unless the attempt was abandoned.
pub fn attempt(
    unit: &Below,
    rammers: Rammers,
    resistance: i32,
    destruction_dice: i32,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Rammed {
    let mut rammed = Rammed {
        attempt: Ended::Abandoned,
        destruction_dice,
        reactions: rammers.reactions,
        unsaved: rammers.hits,
        stands_lost: rammers.stands_lost,
        odd_hits: rammers.odd_hits,
        back_cm: rammers.back_cm,
        advance_cm: 0,
        machine_destroyed: (unit.means == Means::Ram).then_some(rammers.machine_destroyed),
    };
    if rammers.abandoned {
        return rammed;
    }
    clerk.applied(rule!(BR_RAMMING_04));
    let hits = bombard::ram_hits(unit.stands, options, clerk);
    match bombard::test(resistance, hits, destruction_dice, true, clerk) {
        None => {
            rammed.attempt = Ended::Destroyed;
            rammed.destruction_dice = 0;
            rammed.advance_cm = clerk.value(rule!(BR_RAMMING_06), ADVANCE);
        }
        Some(dice) => {
            rammed.attempt = Ended::Failed;
            rammed.destruction_dice = dice;
            if options.ram_after_failure == RamAfterFailure::FallBack10cm {
                rammed.back_cm = clerk.value(rule!(BR_R03), FALLS_BACK);
            }
        }
    }
    rammed
}
