//! Fire at an enemy on its way to contact, on a table (procedure, section 4.4): a declaration enters;
//! where the enemy is when it is fired at, in which slot and for how long, leaves.

use kernel::{Clerk, Effect, Refusal, Verdict};
use rulebook::phrase::tabletop_shoot as say;
use rulebook::rule;

use super::Duration;
use super::charge::{Reception, approach};
use super::corridor::cm;
use super::declare::Declaration;
use super::ground::{Element, Ground, Slot};
use crate::scene::{self, Body, Presence};
use crate::sight::View;

/// A fire at a charger, settled.
pub(super) struct Settled {
    /// Where the enemy is, if not where it stands now.
    pub(super) presence: Option<Presence>,
    /// How long the fire lasts, if its approach decides it.
    pub(super) duration: Option<Duration>,
    /// At contact, point-blank.
    pub(super) at_contact: bool,
    /// When it is measured.
    pub(super) slot: Slot,
}

impl Ground<'_> {
    /// How an enemy on its way to contact is fired at (procedure, section 4.4); ordinary rules if
    /// it reaches nobody.
    pub(super) fn settle(&self, declared: Declaration, clerk: &mut impl Clerk) -> Verdict<Settled> {
        let plain = Settled { presence: None, duration: None, at_contact: false, slot: declared.slot };
        let charger = self.body(declared.target.body);
        let (Some(contact), Some(approach)) = (charger.setup.record.contact.as_ref(), approach(charger))
        else {
            return Ok(plain);
        };
        if contact.quarter_move.is_none() && approach.quarter == kernel::Centimetres::hundredths(450) {
            clerk.because(rule!(FE_1_4_07), Effect::Set(approach.quarter.into()));
        }
        if let Some(reception) = self.reception(declared.element, declared.target.body, clerk) {
            clerk.applied(rule!(FE_1_6_02));
            return match (reception, declared.slot) {
                (Reception::None, _) => {
                    Err(Refusal::rule(rule!(FE_1_4_09), say::NO_TIME)
                        .with("target", charger.name().to_owned()))
                }
                // A divided fire: the first shot where the charger was after its quarter.
                (Reception::AtContact(_), Slot::First) | (Reception::AtFirstQuarter, _) => Ok(Settled {
                    presence: Some(on_the_way(charger, cm_of(approach.quarter), cm_of(approach.length))),
                    duration: Some(Duration::Quarter),
                    ..plain
                }),
                (Reception::AtContact(_), Slot::Second) => {
                    Ok(Settled { duration: Some(Duration::Quarter), at_contact: true, ..plain })
                }
                (Reception::AtContact(duration), _) => {
                    Ok(Settled { duration: Some(duration), at_contact: true, ..plain })
                }
            };
        }
        let refused = Refusal::rule(rule!(FE_1_4_14), say::NO_TIME).with("target", charger.name().to_owned());
        match (approach.witnessed(clerk), declared.slot) {
            (1, Slot::First) => {
                let along = if approach.length == approach.quarter + approach.bonus {
                    approach.length
                } else {
                    approach.quarter
                };
                Ok(Settled {
                    presence: Some(on_the_way(charger, cm_of(along), cm_of(approach.length))),
                    slot: Slot::First,
                    ..plain
                })
            }
            (2, Slot::Joint) => Ok(plain),
            _ => refused.stands(plain),
        }
    }

    /// What an element may fire at an enemy that reached its body.
    pub(super) fn reception(
        &self,
        element: Element,
        charger: usize,
        clerk: &mut impl Clerk,
    ) -> Option<Reception> {
        let (shooter, enemy) = (self.body(element.body), self.body(charger));
        let contact = enemy.setup.record.contact.as_ref().filter(|contact| contact.with == shooter.id())?;
        let approach = approach(enemy)?;
        let seen = contact.seen.unwrap_or_else(|| self.seen_on_the_way(element, charger, approach.length));
        Some(approach.received(seen, contact.waited, shooter.still, clerk))
    }

    /// The last part of a charger's path along which it was in view and in range of the shooter.
    fn seen_on_the_way(
        &self,
        element: Element,
        target: usize,
        length: kernel::Centimetres,
    ) -> kernel::Centimetres {
        let Element { body, .. } = element;
        let shooter = self.body(body);
        let charger = self.body(target);
        let range = match shooter.battery() {
            Some(battery) => battery.calibre.bands().range,
            None => self.reach(element),
        };
        let (whole, step) = (cm_of(length), 50);
        let outlook = self.outlook(scene::Instant::P2);
        let mut hidden_up_to = 0;
        for along in (0..whole).step_by(step) {
            let there = on_the_way(charger, along, whole);
            let in_range = shooter.now().gap_to(&there).rounded() <= i64::from(range.count());
            let seen =
                in_range && View::between(outlook, (body, shooter.now()), (target, &there)).sees().is_ok();
            if !seen {
                hidden_up_to = (along + i64::try_from(step).unwrap_or(0)).min(whole);
            }
        }
        cm(whole - hidden_up_to)
    }
}

fn cm_of(length: kernel::Centimetres) -> i64 {
    i64::from(length.count())
}

/// A body on its way, so far along its path to where it stands now.
fn on_the_way(body: &Body, along: i64, whole: i64) -> Presence {
    let (start, now) = (body.at(scene::Instant::P0), body.now());
    let front =
        |presence: &Presence| presence.figures.first().map_or(presence.centre, |figure| figure.base.front);
    let (from, to) = (front(start), front(now));
    let place = from.towards(to, along.min(whole), whole.max(1));
    now.moved(place.x - to.x, place.y - to.y)
}
