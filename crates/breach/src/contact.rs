//! Who touches what: a charge at a chain of sections, standing and breached, enters; the sections that
//! must and may be attacked and who fights leave. Section "ramming" of the supplement, with ruling BR-R25.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::{phrase::breach as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a place of the chain is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A section that stands.
    #[default]
    Standing,
    /// A section that is rubble.
    Breach,
    /// A tower or a gate tower: the chain ends there.
    Tower,
}

/// A place of the chain, in order along the wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub status: Status,
    /// The unit with a stand there, by its name.
    pub unit: Option<String>,
}

/// With what a unit comes up a wall.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// Not at all.
    #[default]
    None,
    /// Ladders.
    Ladders,
    /// A siege tower: one stand.
    SiegeTower,
    /// Wings.
    Wings,
}

impl Way {
    /// Whether a section that stands can be the target of those who come so.
    pub(crate) fn scales(self) -> Verdict<()> {
        if rule!(BR_LADDERS_02).holds(self == Self::None) {
            return Err(Refusal::rule(rule!(BR_LADDERS_02), phrase::NO_LADDERS).at("target"));
        }
        Ok(())
    }
}

/// A charge at a chain of sections.
#[derive(Clone, Copy, Debug)]
pub struct Charge<'a> {
    /// The chain.
    pub sections: &'a [Section],
    /// The place of the first target.
    pub target: usize,
    /// The stands of the charging unit.
    pub stands: usize,
    /// How it comes up.
    pub way: Way,
    /// The places its stands can reach.
    pub reach: &'a [usize],
    /// Places it attacks without having to.
    pub also: &'a [usize],
}

/// Who touches what, by the places of the chain in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contact {
    /// What must be attacked, as far as stands and movement allow.
    pub must: Vec<usize>,
    /// What may be attacked besides.
    pub may: Vec<usize>,
    /// What is touched.
    pub touches: Vec<usize>,
    /// The places whose defenders fight: those touched and their neighbours at a corner.
    pub fights: Vec<usize>,
    /// Stands of the charging unit that find no place and go behind.
    pub behind: usize,
}

impl Charge<'_> {
    fn status(&self, place: usize) -> Option<Status> {
        self.sections.get(place).map(|section| section.status)
    }

    fn unit(&self, place: usize) -> Option<&str> {
        self.sections.get(place)?.unit.as_deref()
    }

    /// The places beside one, in the chain.
    fn beside(&self, place: usize) -> impl Iterator<Item = usize> + use<> {
        let last = self.sections.len();
        [place.checked_sub(1), Some(place + 1)].into_iter().flatten().filter(move |other| *other < last)
    }

    /// Whether the unit can come up to a place at all.
    fn can_attack(&self, place: usize) -> bool {
        match self.status(place) {
            Some(Status::Breach) => true,
            Some(Status::Standing) => self.way != Way::None,
            Some(Status::Tower) => rule!(BR_FLYERS_06).holds(self.way == Way::Wings),
            None => false,
        }
    }

    /// What must be attacked, from the first target on.
    fn must(&self, clerk: &mut impl Clerk) -> Vec<usize> {
        let first = self.unit(self.target);
        let mut must = vec![self.target];
        let mut next = 0;
        while let Some(&place) = must.get(next) {
            next += 1;
            for other in self.beside(place) {
                let held = self.unit(other);
                if held.is_none() || must.contains(&other) || self.status(other) == Some(Status::Tower) {
                    continue;
                }
                let same = self.status(other) == self.status(place);
                let drawn_in = if same {
                    let rule = match self.status(other) {
                        Some(Status::Standing) => rule!(BR_RAMMING_21),
                        _ => rule!(BR_RAMMING_18),
                    };
                    clerk.holds(rule, true)
                } else {
                    let rule = match self.status(other) {
                        Some(Status::Standing) => rule!(BR_RAMMING_20),
                        _ => rule!(BR_RAMMING_22),
                    };
                    let apart = match self.status(other) {
                        Some(Status::Standing) => rule!(BR_RAMMING_15),
                        _ => rule!(BR_RAMMING_16),
                    };
                    if held == first { clerk.holds(rule, true) } else { !clerk.holds(apart, true) }
                };
                if drawn_in {
                    must.push(other);
                }
            }
        }
        // The duty to assault a wall lapses for those who cannot scale it.
        must.retain(|place| !clerk.holds(rule!(BR_R25), !self.can_attack(*place)));
        must.sort_unstable();
        must
    }

    /// Who touches what.
    ///
    /// # Errors
    /// A target that nobody holds, a standing wall without ladders, a place that may not be attacked.
    pub fn contact(&self, clerk: &mut impl Clerk) -> Verdict<Contact> {
        self.check()?;
        let must = self.must(clerk);
        let may: Vec<usize> = (0..self.sections.len())
            .filter(|place| !must.contains(place) && self.unit(*place).is_some() && self.can_attack(*place))
            .collect();
        if let Some(place) = self.also.iter().find(|place| !may.contains(place) && !must.contains(place)) {
            return Err(Refusal::rule(rule!(BR_RAMMING_23), phrase::NOTHING_TO_ATTACK)
                .at("also")
                .with("section", i64::try_from(*place + 1).unwrap_or(i64::MAX)));
        }
        if !self.also.is_empty() {
            clerk.applied(rule!(BR_RAMMING_23));
        }
        // What may be attacked besides is attacked by those who want to.
        let also = if may.is_empty() {
            self.also
        } else {
            clerk.rather(rule!(BR_RAMMING_24), self.also, may.as_slice())
        };
        let stands = if self.way == Way::SiegeTower && self.status(self.target) == Some(Status::Standing) {
            clerk.limit(rule!(BC_14_6_03), 1_u32)
        } else {
            u32::try_from(self.stands).unwrap_or(u32::MAX)
        };
        let wanted: Vec<usize> =
            must.iter().chain(also).copied().filter(|place| self.reach.contains(place)).collect();
        let mut wanted: Vec<usize> =
            (0..self.sections.len()).filter(|place| wanted.contains(place)).collect();
        // The nearest to the first target first; on both sides alike, in the order of the chain.
        wanted.sort_by_key(|place| place.abs_diff(self.target));
        wanted.truncate(usize::try_from(stands).unwrap_or(usize::MAX));
        if !wanted.contains(&self.target) {
            return Err(Refusal::field("reach", phrase::TARGET_OUT_OF_REACH));
        }
        wanted.sort_unstable();
        let behind = self.stands - wanted.len().min(self.stands);
        if behind > 0 {
            clerk.applied(rule!(BR_RAMMING_19));
        }
        let fights = self.fights(&wanted, clerk);
        Ok(Contact { must, may, touches: wanted, fights, behind })
    }

    fn check(&self) -> Verdict<()> {
        let target = |rule, reason| Err(Refusal::rule(rule, reason).at("target"));
        if self.unit(self.target).is_none() {
            return target(rule!(BR_RAMMING_13), phrase::NOBODY_THERE);
        }
        match self.status(self.target) {
            Some(Status::Tower) if rule!(BR_TOWERS_06).holds(self.way != Way::Wings) => {
                target(rule!(BR_TOWERS_06), phrase::TOWER_TOO_HIGH)
            }
            Some(Status::Standing) => self.way.scales(),
            _ => Ok(()),
        }
    }

    /// Those who fight: at the places touched, and beside them where the status is the same.
    fn fights(&self, touched: &[usize], clerk: &mut impl Clerk) -> Vec<usize> {
        let mut fights = touched.to_vec();
        for &place in touched {
            for other in self.beside(place) {
                if fights.contains(&other) || self.unit(other).is_none() {
                    continue;
                }
                let apart = self.status(other) != self.status(place);
                if !clerk.holds(rule!(BR_RAMMING_17), apart) {
                    fights.push(other);
                }
            }
        }
        fights.sort_unstable();
        fights
    }
}
