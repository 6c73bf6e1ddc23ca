//! What follows from the rolls of an army and is asked for again and again while a side makes up its mind: who is
//! under whom and how strong, who stands where, what the other side sees of it. Each is worked out once and good
//! for as long as the rolls keep their marks; what is kept here is never more than they say.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rulebook::options::campaign::Intelligence;

use crate::battle::Points;
use crate::terms::{Arm, Army};

use super::host::weight;
use super::knowledge::{Seen, Stacks};
use super::roll::{Mark, Numbered as _};
use super::roster::LeaderId;
use super::state::{Host, Mode, Vedette};

/// More than there are leaders in all scenarios together.
const MOST: usize = 96;

/// The deepest that superiors are followed: a tree has three ranks below its head at most.
const DEPTH: usize = 8;

/// Who is under whom, by the numbers of the leaders.
pub(crate) struct Order {
    /// A leader and all below him, a bit for each.
    below: [u128; MOST],
    strength: [Points; MOST],
    span: [i32; MOST],
}

impl Order {
    fn of(host: &Host) -> Self {
        let mut order = Self { below: [0; MOST], strength: [Points::default(); MOST], span: [0; MOST] };
        for (&leader, found) in host.leaders.iter() {
            order.put(host, leader);
            if let Some(span) = found.superior.and_then(|superior| order.span.get_mut(superior.place())) {
                *span += leader.subordination();
            }
        }
        for unit in host.units.values() {
            let Some(leader) = unit.leader else { continue };
            order.put(host, leader);
            if let Some(span) = order.span.get_mut(leader.place()) {
                *span += weight(unit.arm);
            }
            for above in above(host, leader) {
                if let Some(points) = order.strength.get_mut(above.place()).filter(|_| unit.sp > 0) {
                    points.add(unit.arm, unit.sp);
                }
            }
        }
        order
    }

    /// Puts a leader under all above him.
    fn put(&mut self, host: &Host, leader: LeaderId) {
        for above in above(host, leader) {
            if let Some(below) = self.below.get_mut(above.place()) {
                *below |= 1 << leader.place();
            }
        }
    }

    pub(crate) fn is_below(&self, leader: LeaderId, head: LeaderId) -> bool {
        self.below.get(head.place()).is_some_and(|below| below >> leader.place() & 1 == 1)
    }

    pub(crate) fn strength(&self, head: LeaderId) -> Points {
        self.strength.get(head.place()).copied().unwrap_or_default()
    }

    pub(crate) fn span_used(&self, leader: LeaderId) -> i32 {
        self.span.get(leader.place()).copied().unwrap_or(0)
    }
}

/// A leader and those above him, the lowest first.
fn above(host: &Host, leader: LeaderId) -> impl Iterator<Item = LeaderId> {
    let superior = |at: &LeaderId| host.leaders.get(at).and_then(|found| found.superior);
    std::iter::successors(Some(leader), superior).take(DEPTH)
}

impl Points {
    /// Adds SP of an arm.
    pub(crate) const fn add(&mut self, arm: Arm, sp: i32) {
        match arm {
            Arm::Infantry => self.infantry += sp,
            Arm::Cavalry => self.cavalry += sp,
            Arm::Artillery => self.artillery += sp,
        }
    }
}

/// On what the stacks of an army hang.
#[derive(PartialEq, Eq)]
struct Stood {
    leaders: Mark,
    units: Mark,
    /// The heads of what forages, a bit for each.
    foraging: u128,
    vedettes: BTreeMap<u8, Vedette>,
}

/// On what it hangs what is seen.
#[derive(Clone)]
pub(crate) struct Look {
    pub(crate) reader: Option<Army>,
    pub(crate) own: Rc<Stacks>,
    pub(crate) of: Rc<Stacks>,
    pub(crate) fog: bool,
    pub(crate) intelligence: Intelligence,
}

impl Look {
    fn is(&self, other: &Self) -> bool {
        (self.reader, self.fog, self.intelligence) == (other.reader, other.fog, other.intelligence)
            && Rc::ptr_eq(&self.own, &other.own)
            && Rc::ptr_eq(&self.of, &other.of)
    }
}

/// The last of a kind, the newest first.
struct Last<K, V>(Vec<(K, V)>);

/// How many of a kind are kept.
const KEPT: usize = 8;

impl<K, V: Clone> Last<K, V> {
    fn find(&mut self, is: impl Fn(&K) -> bool) -> Option<V> {
        let place = self.0.iter().position(|(key, _)| is(key))?;
        self.0[..=place].rotate_right(1);
        self.0.first().map(|(_, value)| value.clone())
    }

    fn keep(&mut self, key: K, value: &V) {
        self.0.truncate(KEPT - 1);
        self.0.insert(0, (key, value.clone()));
    }
}

thread_local! {
    static ORDERS: RefCell<Last<(Mark, Mark), Rc<Order>>> = const { RefCell::new(Last(Vec::new())) };
    static STACKS: RefCell<Last<Stood, Rc<Stacks>>> = const { RefCell::new(Last(Vec::new())) };
    static LOOKS: RefCell<Last<Look, Rc<Vec<Seen>>>> = const { RefCell::new(Last(Vec::new())) };
}

/// Who is under whom in an army.
pub(crate) fn order(host: &Host) -> Rc<Order> {
    let key = (host.leaders.mark(), host.units.mark());
    ORDERS.with_borrow_mut(|last| {
        last.find(|other| *other == key).unwrap_or_else(|| {
            let order = Rc::new(Order::of(host));
            last.keep(key, &order);
            order
        })
    })
}

/// The stacks of an army.
pub(crate) fn stacks(host: &Host) -> Rc<Stacks> {
    let (leaders, units) = (host.leaders.mark(), host.units.mark());
    let forages = host.flags.iter().filter(|(_, flags)| flags.mode == Mode::Forage);
    let foraging = forages.fold(0, |bits: u128, (head, _)| bits | 1 << head.place());
    let same = |other: &Stood| {
        (other.leaders, other.units, other.foraging) == (leaders, units, foraging)
            && other.vedettes == host.vedettes
    };
    STACKS.with_borrow_mut(|last| {
        last.find(same).unwrap_or_else(|| {
            let new = Stacks::of(host);
            // Much is changed on a roll without anybody moving.
            let known = last.0.iter().find(|(_, other)| **other == new).map(|(_, other)| Rc::clone(other));
            let stacks = known.unwrap_or_else(|| Rc::new(new));
            last.keep(Stood { leaders, units, foraging, vedettes: host.vedettes.clone() }, &stacks);
            stacks
        })
    })
}

/// What is seen of some stacks.
pub(crate) fn seen(look: Look, find: impl FnOnce(&Look) -> Vec<Seen>) -> Rc<Vec<Seen>> {
    let known = LOOKS.with_borrow_mut(|last| last.find(|other| other.is(&look)));
    known.unwrap_or_else(|| {
        let seen = Rc::new(find(&look));
        LOOKS.with_borrow_mut(|last| last.keep(look, &seen));
        seen
    })
}
