//! What is around a unit that is about to move (sections 4.2 and 4.3 of the game page): the bases of all
//! others and the ground that is closed to it, taken once and asked for every place it might go to.

use kernel::{Phrase, Refusal, RuleId};
use rulebook::{phrase::breach_game as phrase, rule};

use crate::terms::Arm;

use super::geometry::{Around, Rect};
use super::ground::Keep;
use super::plan::Terrain;
use super::state::{Place, Table, Unit, UnitId, UnitSet};

/// Whoever is farther from the ground of a mover than this does not matter to him.
const MARGIN: i64 = 600;

/// A base on the ground, or an enemy's place on the works.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour {
    /// Whose.
    pub(crate) unit: UnitId,
    /// Its ground.
    pub(crate) rect: Rect,
    /// Whether it is an enemy.
    pub(crate) enemy: bool,
    /// Whether it is in close combat.
    engaged: bool,
    /// Whether it is on the works.
    pub(crate) aloft: bool,
}

/// Ground that is closed to a unit, and the rule that closes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bar {
    pub(crate) rect: Rect,
    pub(crate) rule: RuleId,
}

/// Why a base may not be somewhere, before it is put into words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Misfit {
    rule: RuleId,
    reason: Phrase,
    /// The unit that is in the way.
    unit: Option<UnitId>,
}

impl Misfit {
    /// As a list has it, which looks no further.
    pub(crate) fn brief(self) -> Refusal {
        Refusal::rule(self.rule, self.reason)
    }

    /// As a player is told.
    pub(crate) fn told(self, table: &Table) -> Refusal {
        let name = self.unit.and_then(|unit| table.unit(unit)).map(Unit::name);
        match name {
            Some(name) => self.brief().with("unit", name),
            None => self.brief(),
        }
    }
}

/// So many things near some ground are remembered by their places.
const FEW: usize = 24;

/// The places in a list of what is near some ground; where that is much, the whole list stands for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Few {
    places: [u8; FEW],
    /// How many; nothing stands for all.
    count: Option<usize>,
}

impl Few {
    /// Nothing of a list.
    const NONE: Self = Self { places: [0; FEW], count: Some(0) };

    /// All of a list.
    pub(crate) const ALL: Self = Self { places: [0; FEW], count: None };

    /// Those of a list that may be near.
    pub(crate) fn of<T>(list: &[T], near: impl Fn(&T) -> bool) -> Self {
        let mut few = Self { places: [0; FEW], count: None };
        let mut count = 0;
        for (at, thing) in list.iter().enumerate() {
            if near(thing) {
                let (Some(place), Ok(at)) = (few.places.get_mut(count), u8::try_from(at)) else {
                    return Self::ALL;
                };
                *place = at;
                count += 1;
            }
        }
        few.count = Some(count);
        few
    }

    /// They themselves, in the order of the list.
    pub(crate) fn each<'l, T>(&'l self, list: &'l [T]) -> impl Iterator<Item = &'l T> {
        let (mut few, mut all) = match self.count {
            Some(count) => (self.places.iter().take(count), [].iter()),
            None => (self.places.iter().take(0), list.iter()),
        };
        std::iter::from_fn(move || match few.next() {
            Some(&at) => list.get(usize::from(at)),
            None => all.next(),
        })
    }
}

/// Who and what of a crowd is around the bases of a unit: looked for once, asked for each of them.
pub(crate) struct Beset {
    others: Few,
    bars: Few,
}

impl Beset {
    /// By anybody.
    pub(crate) const BY_ALL: Self = Self { others: Few::ALL, bars: Few::ALL };
}

/// The bases around a unit and the ground closed to it, within a box or everywhere.
pub(crate) struct Crowd {
    pub(crate) others: Vec<Neighbour>,
    bars: Vec<Bar>,
    /// The box of all closed ground.
    closed: Option<Around>,
    within: Option<Around>,
    burdened: bool,
}

impl Crowd {
    /// Whether it knows all that matters to a base of such a unit.
    pub(crate) fn covers(&self, unit: &Unit, rect: &Rect) -> bool {
        self.burdened == unit.is_burdened() && self.within.is_none_or(|within| within.holds_all(rect))
    }

    /// Who and what of it matters to bases within a box.
    pub(crate) fn beset(&self, around: &Around, keep: Keep) -> Beset {
        let wide = around.grown(keep.distance() + 8);
        Beset {
            others: Few::of(&self.others, |other| other.rect.may_meet(&wide)),
            bars: if self.closed.is_some_and(|closed| closed.meets(around)) {
                Few::of(&self.bars, |bar| bar.rect.may_meet(around))
            } else {
                Few::NONE
            },
        }
    }
}

impl Table {
    /// All that is around troops like this one; units of `moving` are not looked at.
    pub(crate) fn crowd(&self, unit: &Unit, moving: UnitSet, within: Option<Around>) -> Crowd {
        let around = within.map(|within| within.grown(MARGIN));
        let is_near = |rect: &Rect| around.is_none_or(|around| around.meets(&Around::of(rect)));
        let mut others = Vec::with_capacity(32);
        for (id, other) in self.each().filter(|(id, _)| !moving.has(*id)) {
            let enemy = other.side != unit.side;
            let (width, depth) = other.profile().base;
            let mut add = |rect: Rect, aloft: bool| {
                others.push(Neighbour { unit: id, rect, enemy, engaged: other.marks.engaged, aloft });
            };
            for stand in &other.stands {
                if let Place::Ground { front, facing } = stand.place
                    && around.is_none_or(|around| around.may_hold(front, width / 2 + depth))
                {
                    add(Rect::new(front, facing, width, depth), false);
                }
            }
            if let Some(machine) = other.machine_rect().filter(is_near) {
                add(machine, false);
            }
            let works = other.stands.iter().filter(|_| enemy).filter_map(|stand| stand.place.element());
            for rect in works.filter_map(|element| self.works_rect(element)).filter(is_near) {
                add(rect, true);
            }
        }
        let bars: Vec<Bar> = self.bars(unit).filter(|bar| is_near(&bar.rect)).collect();
        let closed = bars.iter().map(|bar| Around::of(&bar.rect)).reduce(Around::and);
        Crowd { others, bars, closed, within, burdened: unit.is_burdened() }
    }

    /// The ground that is closed to a unit, in the order in which its rules are asked.
    fn bars(&self, unit: &Unit) -> impl Iterator<Item = Bar> {
        let arm = unit.profile().arm;
        let burdened = unit.is_burdened();
        let (flies, foot) = (arm == Arm::Flyer, arm == Arm::Infantry);
        let heavy = matches!(arm, Arm::Artillery | Arm::Chariot);
        let solids = self.solids(unit.side).map(|(_, rect)| rect).chain(self.passage_sides());
        let solids = solids.map(|rect| Bar { rect, rule: rule!(BC_14_1_02) });
        let breaches = self.plan().each().filter(move |(id, _)| !flies && !self.stands(*id));
        let breaches = breaches.filter(move |_| !foot || burdened).map(move |(_, part)| Bar {
            rect: part.rect,
            rule: if foot { rule!(BR_R28) } else { rule!(BR_BREACHES_05) },
        });
        let terrain = self.plan().terrain.iter().filter(move |(kind, _)| match kind {
            Terrain::Building => true,
            Terrain::Wood => !foot || burdened,
            Terrain::Broken => !flies && (burdened || arm == Arm::Artillery),
            Terrain::Field => heavy,
            Terrain::Hedge => heavy || (burdened && !flies),
        });
        let terrain = terrain.map(move |(_, rect)| Bar {
            rect: *rect,
            rule: match (flies, burdened) {
                (true, _) => rule!(BC_11_01),
                (_, true) => rule!(BR_PORTABLE_RAM_06),
                _ => rule!(BC_5_5_01),
            },
        });
        let works = self.standing_works().filter(move |_| !flies && (heavy || burdened));
        let works = works.map(|(_, rect)| Bar { rect, rule: rule!(BR_EARTHWORKS_11) });
        solids.chain(breaches).chain(terrain).chain(works)
    }

    /// The rule that keeps such troops off the ground under a base, if one does.
    pub(crate) fn barred(&self, unit: &Unit, rect: &Rect) -> Option<RuleId> {
        self.bars(unit).find(|bar| bar.rect.overlaps(rect)).map(|bar| bar.rule)
    }

    /// Whether a base may be where it is among others (V2, V6, V8 to V10).
    pub(crate) fn fits_among(
        &self,
        rect: &Rect,
        crowd: &Crowd,
        beset: &Beset,
        keep: Keep,
    ) -> Result<(), Misfit> {
        let misfit = |rule, reason, unit| Err(Misfit { rule, reason, unit });
        if !rect.is_on_table() {
            return misfit(rule!(BC_5_6_01), phrase::OFF_THE_TABLE, None);
        }
        if crowd.closed.is_some_and(|closed| rect.may_meet(&closed))
            && let Some(bar) = beset.bars.each(&crowd.bars).find(|bar| bar.rect.overlaps(rect))
        {
            return misfit(bar.rule, phrase::CLOSED_GROUND, None);
        }
        let distance = keep.distance();
        for other in beset.others.each(&crowd.others) {
            // Whoever is farther off matters to no rule.
            if !other.rect.may_be_near(rect.centre, rect.reach(), distance) {
                continue;
            }
            let near = other.enemy || (matches!(keep, Keep::Clear(_)) && other.engaged);
            let too_near = if other.aloft {
                keep != Keep::Contact && other.rect.touches(rect) && self.breach_at(rect.centre).is_none()
            } else if other.rect.overlaps(rect) {
                return misfit(rule!(BC_5_2_01), phrase::OCCUPIED, Some(other.unit));
            } else {
                near && distance > 0 && other.rect.is_near(rect, distance) && other.rect.gap(rect) < distance
            };
            if too_near {
                return misfit(rule!(BC_5_2_03), phrase::TOO_NEAR, Some(other.unit));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, Few};

    #[test]
    fn few_are_those_near_and_many_are_all() {
        let list: Vec<usize> = (0..300).collect();
        let near = |of: fn(&usize) -> bool| Few::of(&list, of).each(&list).copied().collect::<Vec<_>>();
        assert_eq!(near(|thing| [3, 17, 250].contains(thing)), [3, 17, 250]);
        assert!(near(|_| false).is_empty());
        assert_eq!(near(|thing| *thing < FEW).len(), 24);
        // One more than can be remembered, or one too far down the list: nobody is left out.
        assert_eq!(near(|thing| *thing < FEW + 1), list);
        assert_eq!(near(|thing| *thing == 256), list);
    }
}
