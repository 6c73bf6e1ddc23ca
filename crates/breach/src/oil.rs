//! Boiling oil and rocks: an attack that reaches the foot of the works enters; what is poured on it, and
//! whether it goes on, leave. Section 14.11 of the core rules.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::breach::{OilSixAbortsRamming, Options};
use rulebook::{phrase::breach as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::terms::{Armour, Casualties, MACHINE_HITS, carried, casualties, shown};

/// With what the works are attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// An assault with ladders.
    Ladders,
    /// An assault from a siege tower.
    SiegeTower,
    /// A covered ram.
    Ram,
    /// A log carried by hand.
    PortableRam,
}

impl Means {
    /// Whether a covered machine takes the hits.
    #[must_use]
    pub const fn is_covered(self) -> bool {
        matches!(self, Self::SiegeTower | Self::Ram)
    }

    /// Whether the works are rammed and not assaulted.
    #[must_use]
    pub const fn rams(self) -> bool {
        matches!(self, Self::Ram | Self::PortableRam)
    }
}

/// The unit at the foot of the works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Below {
    /// With what it attacks.
    pub means: Means,
    /// Its stands.
    pub stands: i32,
    /// The Hits of a stand.
    pub hits: i32,
    /// Its armour.
    pub armour: Armour,
    /// Unsaved hits of reactions to this attack so far: of the machine, if it is covered.
    pub earlier_hits: i32,
}

/// What a reaction did to an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Poured {
    /// The attacks of the table.
    pub attacks: i32,
    /// Hits that no armour stopped.
    pub unsaved: i32,
    /// Whole stands lost.
    pub stands_lost: i32,
    /// Hits left over.
    pub odd_hits: i32,
    /// Whether the assault or the attempt fails.
    pub fails: bool,
    /// How far the unit goes back then.
    pub back_cm: i32,
    /// Whether the covered machine is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_destroyed: Option<bool>,
}

/// What hits do to an attack on the works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shaken {
    /// Whole stands lost.
    pub stands_lost: i32,
    /// Hits left over.
    pub odd_hits: i32,
    /// Whether the covered machine is gone.
    pub machine_destroyed: Option<bool>,
    /// Whether the attack fails by it.
    pub fails: bool,
    /// Whether somebody is left to go back.
    pub somebody: bool,
}

impl Below {
    /// Whether the hits so far can be.
    ///
    /// # Errors
    /// When they would have removed a stand or the machine, and with it the attack.
    pub fn check(&self) -> Verdict<()> {
        let (rule, most) = if self.means.is_covered() {
            (rule!(BC_14_6_01), MACHINE_HITS)
        } else {
            (rule!(BC_6_07), self.hits)
        };
        if self.earlier_hits >= most {
            return Err(Refusal::rule(rule, phrase::TOO_MANY_ODD_HITS).at("earlier_hits").with("hits", most));
        }
        Ok(())
    }

    /// What these unsaved hits of a reaction do: a stand or the machine lost ends the attack.
    pub fn shaken(&self, unsaved: i32, options: &Options, clerk: &mut impl Clerk) -> Shaken {
        let hits = self.earlier_hits + unsaved;
        let ends = if self.means.rams() { rule!(BR_RAMMING_12) } else { rule!(BC_14_4_02) };
        if self.means.is_covered() {
            let destroyed = clerk.holds(rule!(BC_14_6_01), hits >= MACHINE_HITS);
            let lost = match carried(hits, options, clerk) {
                0 => Casualties { stands: 0, odd_hits: if destroyed { 0 } else { hits }, all: false },
                over => casualties(self.stands, self.hits, over, clerk),
            };
            return Shaken {
                stands_lost: lost.stands,
                odd_hits: lost.odd_hits,
                machine_destroyed: Some(destroyed),
                fails: clerk.holds(ends, destroyed),
                somebody: !lost.all,
            };
        }
        let ends = if self.means == Means::PortableRam { rule!(BR_PORTABLE_RAM_10) } else { ends };
        let lost = casualties(self.stands, self.hits, hits, clerk);
        Shaken {
            stands_lost: lost.stands,
            odd_hits: lost.odd_hits,
            machine_destroyed: None,
            fails: clerk.holds(ends, lost.stands > 0),
            somebody: !lost.all,
        }
    }

    /// How far the unit goes back when its attack fails: a centimetre for each hit of all reactions.
    pub fn back(&self, hits: i32, somebody: bool, clerk: &mut impl Clerk) -> i32 {
        if !somebody {
            return 0;
        }
        let rule = if self.means.rams() { rule!(BR_R23) } else { rule!(BC_14_4_02) };
        clerk.value(rule, hits)
    }

    /// The armour that oil leaves.
    fn armour_against_oil(&self, clerk: &mut impl Clerk) -> Armour {
        let armour = if self.means.is_covered() {
            clerk.rather(rule!(BC_14_11_03), Armour::MACHINE, self.armour)
        } else if self.means == Means::PortableRam {
            clerk.rather(rule!(BR_PORTABLE_RAM_01), self.armour, Armour::MACHINE)
        } else {
            self.armour
        };
        if armour == Armour::NONE { armour } else { armour.worse(clerk.value(rule!(BC_14_11_02), 1)) }
    }
}

/// Pours: a die on the table, the attacks, the armour.
///
/// # Errors
/// When the hits before would have ended the attack already.
pub fn pour(below: &Below, options: &Options, clerk: &mut impl Clerk) -> Verdict<Poured> {
    let (poured, shaken) = strike(below, options, clerk)?;
    if !poured.fails {
        return Ok(poured);
    }
    let back_cm = below.back(below.earlier_hits + poured.unsaved, shaken.somebody, clerk);
    Ok(Poured { back_cm, ..poured })
}

/// The same, before anybody goes back.
///
/// # Errors
/// When the hits before would have ended the attack already.
pub(crate) fn strike(below: &Below, options: &Options, clerk: &mut impl Clerk) -> Verdict<(Poured, Shaken)> {
    below.check()?;
    let die = clerk.d6();
    let attacks = clerk.value(
        rule!(BC_14_11_01),
        match die {
            1 => 0,
            2 | 3 => 1,
            4 | 5 => 2,
            _ => 3,
        },
    );
    let hits = shown(attacks, 4, clerk);
    let unsaved = below.armour_against_oil(clerk).unsaved(hits, clerk);
    let shaken = below.shaken(unsaved, options, clerk);
    let six = die == 6 && below.means.rams() && options.oil_six_aborts_ramming == OilSixAbortsRamming::Yes;
    let fails = clerk.holds(rule!(BR_R04), six) || shaken.fails;
    let poured = Poured {
        attacks,
        unsaved,
        stands_lost: shaken.stands_lost,
        odd_hits: shaken.odd_hits,
        fails,
        back_cm: 0,
        machine_destroyed: shaken.machine_destroyed,
    };
    Ok((poured, shaken))
}
