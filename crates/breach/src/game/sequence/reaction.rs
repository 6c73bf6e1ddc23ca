//! A charge lands: reactions with shots and oil, and what hits do to stands (sections 2.2, 3.4 and 3.5 of
//! the game page). The dice are those of [`crate::shooting`] and [`crate::oil`].

use kernel::{Centimetres, Clerk, Event, Refusal};
use rulebook::options::breach::{RamReactionTiming, ReactionOrder};
use rulebook::phrase::breach_game as words;
use rulebook::rule;

use crate::oil::{self, Below, Means};
use crate::scenario::Side;
use crate::shooting::{self, Cover, Moment, Shooter, Target as Mark};
use crate::terms::{Arm, Item, Machine, carried};

use super::super::action::{Action, Answer, Charge, Target, TowerSide};
use super::super::charge::Landed;
use super::super::plan::{ElementId, Kind, Slot};
use super::super::state::{Onset, Place, Ramming, State, Step, Unit, UnitId, UnitSet, Whereabouts};
use super::Opened;

/// A small number of hits.
pub(super) fn small(value: i32) -> u8 {
    u8::try_from(value.clamp(0, 255)).unwrap_or(0)
}

impl State {
    /// A charge has ended: contact, then those under its way, then the reactions.
    pub(super) fn land(&mut self, charge: &Charge, landed: &Landed, clerk: &mut impl Clerk) {
        let Some(before) = self.table.unit(charge.unit).copied() else { return };
        let from = before
            .alive()
            .filter_map(|at| self.table.stand_rect(&before, at))
            .next()
            .map_or(tabletop::geometry::Point::default(), |rect| rect.centre);
        let ram = matches!(charge.target, Target::Ram(_));
        let free = UnitSet(
            landed.charged.0
                & self
                    .table
                    .each()
                    .filter(|(_, unit)| !unit.marks.engaged)
                    .map(|(id, _)| id)
                    .collect::<UnitSet>()
                    .0,
        );
        let mut after = landed.after;
        after.marks.finished = true;
        after.marks.moved_once |= after.item.moves_once();
        if !ram {
            after.marks.charged = true;
            after.marks.exposed = true;
            after.marks.engaged = true;
            if clerk.holds(rule!(BC_14_9_01), after.item == Item::Mantlets) {
                after.use_next();
            }
        }
        let log = ram && after.item == Item::PortableRam;
        if log && !clerk.holds(rule!(BR_PORTABLE_RAM_09), true) {
            for stand in &mut after.stands {
                stand.post = None;
            }
        }
        self.told_of_charge(&before, charge, clerk);
        self.table.with_unit(charge.unit, |unit| *unit = after);
        for (id, engaged) in
            self.table.units.iter_mut().zip(0..).map(|(unit, at)| (UnitId(at), &mut unit.marks.engaged))
        {
            *engaged |= landed.charged.has(id);
        }
        clerk.applied(rule!(BR_R80));
        let onset = Onset {
            unit: charge.unit,
            charge: charge.clone(),
            charged: free,
            reacted: UnitSet::default(),
            poured: 0,
            from,
            hits: 0,
            declared: Vec::new(),
            resolving: false,
            failed: false,
        };
        self.steps.push(Step::Assaulted(charge.unit));
        self.steps.push(Step::Reaction(onset));
        self.overrun(&before, &after);
    }

    /// Says by which rules of the works a charge may be made as it is.
    fn told_of_charge(&self, unit: &Unit, charge: &Charge, clerk: &mut impl Clerk) {
        let Target::TowerSide(tower, TowerSide::Slot(slot)) = charge.target else { return };
        let lone = self.table.plan().element(tower).is_some_and(|part| part.kind == Kind::LoneTower);
        let wings = unit.profile().arm == Arm::Flyer && slot != Slot::Inner;
        for (rule, acts) in [(rule!(BR_TOWERS_21), lone), (rule!(BR_FLYERS_06), wings && !lone)] {
            if acts {
                clerk.applied(rule);
            }
        }
    }

    /// The sections a charge assaults.
    fn assaulted(&self, onset: &Onset) -> Vec<ElementId> {
        let Some(unit) = self.table.unit(onset.unit) else { return Vec::new() };
        let mut sections: Vec<ElementId> =
            unit.stands.iter().filter_map(|stand| stand.post.map(|post| post.element)).collect();
        sections.extend(unit.along);
        sections
    }

    /// The reactions to an assault are over: towers beside it have had their shot of this phase.
    pub(super) fn assault_seen(&mut self, id: UnitId) -> Opened {
        self.over();
        let Some(unit) = self.table.unit(id) else { return Opened::Done };
        let plan = self.table.plan();
        let posts = unit.stands.iter().filter_map(|stand| stand.post).filter(|post| post.slot.is_outside());
        let beside: Vec<ElementId> = posts
            .filter_map(|post| plan.element(post.element))
            .flat_map(|part| part.beside)
            .flatten()
            .filter(|&next| !self.table.is_wall(next))
            .collect();
        for tower in beside {
            if let Some(works) = self.table.elements.get_mut(usize::from(tower.0)) {
                works.shot_beside = true;
            }
        }
        Opened::Done
    }

    /// Who may still react, and how (BR-R102).
    fn reactors(&self, onset: &Onset) -> Vec<(UnitId, Answer)> {
        let mut found = Vec::new();
        let Some(charger) = self.table.unit(onset.unit).filter(|unit| unit.is_on_table()) else {
            return found;
        };
        let flyer = charger.profile().arm == Arm::Flyer;
        let sections = self.assaulted(onset);
        let outside = matches!(onset.charge.target, Target::Wall(_));
        if matches!(onset.charge.target, Target::Ram(_)) {
            let timing = self.table.options.ram_reaction_timing;
            if rule!(BR_R19).holds(timing == RamReactionTiming::BeforeEachAttempt) {
                return found;
            }
        }
        let busy = |id: UnitId| match onset.charge.target {
            Target::TowerSide(tower, _) => self.busy_in(tower, id),
            _ => 0,
        };
        for (id, unit) in self.table.of_side(charger.side.other()) {
            if onset.reacted.has(id) {
                continue;
            }
            let places: Vec<ElementId> =
                unit.alive().filter_map(|at| unit.stands[at].place.element()).collect();
            let there = sections.iter().any(|section| places.contains(section));
            // Towers shoot at the first unit that assaults beside them in a phase.
            let ready = |next: ElementId| {
                self.table.is_wall(next)
                    || !self.table.elements.get(usize::from(next.0)).is_some_and(|works| works.shot_beside)
                    || !rule!(BR_R102).holds(true)
            };
            let beside = outside
                && sections.iter().any(|&section| {
                    let part = self.table.plan().element(section);
                    part.is_some_and(|part| {
                        part.beside
                            .iter()
                            .flatten()
                            .any(|&next| places.contains(&next) && self.table.stands(next) && ready(next))
                    })
                });
            let on_ground = onset.charged.has(id) && matches!(onset.charge.target, Target::Unit(_));
            let rammed = there && matches!(onset.charge.target, Target::Ram(_));
            // In a tower those who face nobody yet shoot, whoever fights beside them.
            let in_tower = there && matches!(onset.charge.target, Target::TowerSide(..));
            let fresh = onset.charged.has(id) || in_tower || ((beside || rammed) && !unit.marks.engaged);
            let shoots = unit.profile().weapon.is_some_and(|weapon| !weapon_is_engine(weapon))
                && (on_ground || ((there || beside) && fresh))
                && self.shooters(unit, onset).0 > busy(id);
            if shoots && !unit.is_posted() {
                found.push((id, Answer::Shoot));
            }
            let oil = there
                && outside
                && !rule!(BR_FLYERS_08).holds(flyer)
                && sections.iter().any(|&section| {
                    places.contains(&section)
                        && onset.poured & (1 << section.0.min(15)) == 0
                        && self.table.elements.get(usize::from(section.0)).is_some_and(|works| works.oil)
                });
            if oil {
                found.push((id, Answer::Oil));
            }
        }
        found
    }

    /// The stands of a unit that shoot at a charger, and how far he was.
    fn shooters(&self, unit: &Unit, onset: &Onset) -> (i32, i64) {
        let range = unit.profile().range.1;
        let up = unit.alive().any(|at| unit.stands[at].place.element().is_some());
        let mut count = 0;
        let mut nearest = i64::MAX;
        for at in unit.alive() {
            if unit.is_skirmisher(at) {
                continue;
            }
            let Some(own) = self.table.stand_rect(unit, at) else { continue };
            let far = own.gap_to(onset.from);
            let ahead = own.frame(onset.from).1 > 0 || unit.profile().all_round;
            let at_start = far <= range && ahead;
            let able = up
                || at_start
                || self.table.stand_sees(unit, at, onset.unit, (0, range), super::super::sight::Aim::Shot);
            if able {
                count += 1;
                nearest = nearest.min(if at_start { far } else { 0 });
            }
        }
        (count, if up { 0 } else { nearest.clamp(0, range) })
    }

    /// Why this is no answer to a charge.
    pub(super) fn why_no_reaction(&self, answer: Answer) -> Refusal {
        let wings = matches!(self.steps.last(), Some(Step::Reaction(onset))
            if self.table.unit(onset.unit).is_some_and(|unit| unit.profile().arm == Arm::Flyer));
        if wings && answer == Answer::Oil {
            return Refusal::rule(rule!(BR_FLYERS_08), words::NO_OIL_AT_FLYERS);
        }
        Refusal::plain(words::NOT_NOW)
    }

    pub(super) fn open_reaction(&mut self, onset: &Onset, clerk: &mut impl Clerk) -> Opened {
        let side = self.table.unit(onset.unit).map(|unit| unit.side.other());
        match side {
            Some(side) if !onset.resolving && !self.reactors(onset).is_empty() => Opened::Ask(side),
            _ if onset.declared.is_empty() => {
                self.over();
                if onset.failed {
                    self.steps.push(Step::Repel(onset.unit, onset.hits));
                }
                Opened::Done
            }
            _ => {
                // What was declared is resolved in its order, whatever comes of it.
                self.over();
                let mut onset = onset.clone();
                onset.resolving = true;
                let (id, answer) = onset.declared.remove(0);
                self.react_to_charge(onset, id, answer, clerk);
                Opened::Done
            }
        }
    }

    pub(super) fn list_reaction(&self, onset: &Onset, into: &mut Vec<Action>) {
        into.push(Action::Decline);
        into.extend(self.reactors(onset).into_iter().map(|(unit, answer)| Action::React { unit, answer }));
    }

    pub(super) fn decline(&mut self) {
        match self.steps.pop() {
            Some(Step::RamReaction(ramming)) if ramming.declared[0].is_none() => {
                self.steps.push(Step::RamTest(ramming));
            }
            Some(Step::RamReaction(ramming)) => {
                self.steps.push(Step::RamReaction(Ramming { resolving: true, ..ramming }));
            }
            Some(Step::Reaction(onset)) if !onset.declared.is_empty() => {
                self.steps.push(Step::Reaction(Onset { resolving: true, ..onset }));
            }
            _ => {}
        }
    }

    pub(super) fn react(&mut self, id: UnitId, answer: Answer, clerk: &mut impl Clerk) {
        match self.steps.pop() {
            Some(Step::Reaction(onset)) => self.react_to_charge(onset, id, answer, clerk),
            Some(Step::RamReaction(ramming)) => self.react_to_ram(ramming, id, answer, clerk),
            Some(other) => self.steps.push(other),
            None => {}
        }
    }

    /// Whether reactions are all declared before any is resolved (BR-R79).
    fn declares(&self) -> bool {
        self.table.options.reaction_order == ReactionOrder::AllDeclared
    }

    fn react_to_charge(&mut self, mut onset: Onset, id: UnitId, answer: Answer, clerk: &mut impl Clerk) {
        onset.reacted = onset.reacted.with(id);
        if self.declares() && !onset.resolving {
            onset.declared.push((id, answer));
            if answer == Answer::Oil {
                for section in self.assaulted(&onset) {
                    onset.poured |= 1 << section.0.min(15);
                }
            }
            self.steps.push(Step::Reaction(onset));
            return;
        }
        let (Some(unit), Some(charger)) =
            (self.table.unit(id).copied(), self.table.unit(onset.unit).copied())
        else {
            return;
        };
        let sections = self.assaulted(&onset);
        let assault = matches!(onset.charge.target, Target::Wall(_));
        let unsaved = match answer {
            Answer::Oil => {
                for section in &sections {
                    onset.poured |= 1 << section.0.min(15);
                }
                let means = if charger.machine.is_some() { Means::SiegeTower } else { Means::Ladders };
                let below = below(&charger, means, i32::from(onset.hits));
                oil::pour(&below, &self.table.options, clerk).map_or(0, |poured| poured.unsaved)
            }
            Answer::Shoot => {
                let (able, distance) = self.shooters(&unit, &onset);
                let mut stands = clerk.value(rule!(BC_6_14), able);
                // In a tower as many stands as sides were attacked before are busy (BR-towers-26).
                if let Target::TowerSide(tower, _) = onset.charge.target {
                    stands = clerk.rather(rule!(BR_TOWERS_25), stands, 1);
                    let busy = self.busy_in(tower, id);
                    if clerk.holds(rule!(BR_TOWERS_26), busy > 0) {
                        stands = (stands - busy).max(0);
                    }
                }
                let target = [mark(&charger, Cover::Open)];
                self.volley(&unit, stands, 0, distance, &target, Moment::Charge, id, clerk)
            }
        };
        let lost = self.hurt(onset.unit, unsaved, clerk);
        onset.hits = onset.hits.saturating_add(small(unsaved));
        self.table.with_unit(onset.unit, |unit| unit.before = unit.before.saturating_add(small(unsaved)));
        let machine_gone = charger.machine.is_some()
            && self.table.unit(onset.unit).is_some_and(|unit| unit.machine.is_none());
        let total = onset.hits;
        let attacker = onset.unit;
        let fails = assault && clerk.holds(rule!(BC_14_4_02), lost > 0 || machine_gone);
        if onset.resolving {
            onset.failed |= fails;
            self.steps.push(Step::Reaction(onset));
        } else if fails {
            self.steps.push(Step::Repel(attacker, total));
        } else {
            self.steps.push(Step::Reaction(onset));
        }
        if lost > 0 {
            self.steps.push(Step::Casualty(attacker, lost));
        }
    }

    /// The stands of a unit in a tower that face those who attacked it before: first those who do not
    /// shoot, then those with the lowest numbers.
    fn busy_in(&self, tower: ElementId, id: UnitId) -> i32 {
        let Some(unit) = self.table.unit(id) else { return 0 };
        let before_it = |(other, count): (UnitId, usize)| {
            let held = self.table.unit(other)?;
            let first = held.profile().weapon.is_none() || held.number < unit.number;
            (other != id && first).then_some(count)
        };
        let others: usize = self.table.on(tower).filter_map(before_it).sum();
        let sides = self.sides_attacked(tower).saturating_sub(1);
        i32::try_from(sides.saturating_sub(others)).unwrap_or(0)
    }

    /// How many sides of a tower are attacked.
    pub(super) fn sides_attacked(&self, tower: ElementId) -> usize {
        self.table
            .each()
            .filter(|(_, unit)| {
                unit.along == Some(tower)
                    || unit.alive().any(|at| unit.stands[at].post.is_some_and(|post| post.element == tower))
                        && unit.rams_at().is_none()
            })
            .count()
    }

    /// A volley: unsaved hits; a volley gun that bursts is gone.
    #[allow(clippy::too_many_arguments, reason = "one volley, told once")]
    pub(super) fn volley(
        &mut self,
        unit: &Unit,
        stands: i32,
        further: i32,
        distance: i64,
        targets: &[Mark],
        moment: Moment,
        id: UnitId,
        clerk: &mut impl Clerk,
    ) -> i32 {
        let Some(weapon) = unit.profile().weapon else { return 0 };
        if stands <= 0 {
            return 0;
        }
        let shooter = Shooter { weapon, stands, attack: unit.profile().shots, further_stands: further };
        let distance = Centimetres::hundredths(i32::try_from(distance).unwrap_or(0));
        let mut volleys = Vec::with_capacity(targets.len());
        for target in targets {
            let Ok(volley) = shooting::aim(&shooter, distance, target, moment, clerk) else { return 0 };
            volleys.push(volley);
        }
        let hits = targets.first().map_or(1, |target| target.hits);
        let struck = shooting::roll_in_turn(&volleys, hits, clerk);
        if struck.gun_destroyed {
            self.kill_all(id, clerk);
        }
        struck.unsaved
    }

    /// Hits on a unit: on its machine first. The whole stands that it loses.
    pub(super) fn hurt(&mut self, id: UnitId, unsaved: i32, clerk: &mut impl Clerk) -> u8 {
        let Some(unit) = self.table.unit(id).copied() else { return 0 };
        if unsaved == 0 {
            return 0;
        }
        clerk.happened(|| Event::new(words::HIT).with("unit", unit.name()).with("hits", unsaved));
        let mut target = mark(&unit, Cover::Open);
        target.earlier_hits =
            if unit.machine.is_some() { i32::from(unit.machine_hits) } else { i32::from(unit.odd_hits) };
        if unit.machine.is_some() {
            let over = carried(target.earlier_hits + unsaved, &self.table.options, clerk);
            if over > 0 {
                self.table.with_unit(id, Unit::lose_item);
                return self.hurt(id, over, clerk);
            }
        }
        let suffered = shooting::suffer(&target, unsaved, &self.table.options, clerk);
        self.table.with_unit(id, |unit| {
            if unit.machine.is_some() {
                unit.machine_hits = small(suffered.odd_hits);
                if suffered.machine_destroyed {
                    unit.lose_item();
                }
            } else {
                unit.odd_hits = small(suffered.odd_hits);
            }
        });
        small(suffered.stands_lost)
    }

    /// A unit whose assault was stopped goes back a centimetre for each hit.
    pub(super) fn repel(&mut self, id: UnitId, distance: u8, clerk: &mut impl Clerk) -> Opened {
        self.over();
        let Some(unit) = self.table.unit(id).copied().filter(Unit::is_on_table) else { return Opened::Done };
        let facing = unit
            .alive()
            .find_map(|at| match unit.stands[at].place {
                Place::Ground { facing, .. } => Some(facing),
                _ => None,
            })
            .unwrap_or_default();
        let (dx, dy) = super::super::geometry::ahead(facing, -100 * i64::from(distance));
        self.table.with_unit(id, |unit| {
            unit.marks.engaged = false;
            unit.marks.charged = false;
            unit.before = 0;
            unit.along = None;
        });
        self.release();
        clerk.applied(rule!(BC_14_4_02));
        self.push_back(id, (dx, dy), super::super::state::Why::Repelled);
        Opened::Done
    }

    // Casualties: the owner removes stands from the ends.

    /// The stands that may be removed (BR-R82).
    fn ends(&self, unit: &Unit) -> Vec<usize> {
        let alive: Vec<usize> = unit.alive().collect();
        let chosen = |at: &&usize| unit.hits_on == 0 || unit.hits_on & (1 << **at) != 0;
        let without = |at: usize| {
            let mut rest = *unit;
            rest.stands[at].place = Place::Dead;
            // A machine is not left standing by itself.
            self.table.is_whole(&rest) && (rest.machine.is_none() || self.table.holds_machine(&rest))
        };
        let tower = |at: usize| matches!(unit.stands[at].place, Place::Tower { .. });
        let ends: Vec<usize> = alive
            .iter()
            .filter(chosen)
            .copied()
            .filter(|&at| unit.is_skirmisher(at) || tower(at) || without(at))
            .collect();
        if ends.is_empty() { alive } else { ends }
    }

    pub(super) fn open_casualty(&mut self, id: UnitId, count: u8, clerk: &mut impl Clerk) -> Opened {
        let Some(unit) = self.table.unit(id).copied() else { return self.over() };
        let strength = unit.strength();
        if count == 0 || strength == 0 {
            self.over();
            // Without the skirmisher in its middle a unit may hang together no longer.
            self.tear(id);
            if self.melee.units.is_empty() {
                self.generals(clerk);
            }
            return Opened::Done;
        }
        if count >= strength {
            self.next(Step::Casualty(id, 0));
            self.kill_all(id, clerk);
            return Opened::Done;
        }
        let ends = self.ends(&unit);
        if let [only] = ends[..] {
            self.next(Step::Casualty(id, count - 1));
            self.kill(id, only, clerk);
            return Opened::Done;
        }
        Opened::Ask(unit.side)
    }

    pub(super) fn list_casualty(&self, id: UnitId, into: &mut Vec<Action>) {
        if let Some(unit) = self.table.unit(id) {
            into.extend(
                self.ends(unit).into_iter().filter_map(|at| u8::try_from(at).ok()).map(Action::RemoveStand),
            );
        }
    }

    pub(super) fn remove_chosen(&mut self, stand: u8, clerk: &mut impl Clerk) {
        match self.steps.pop() {
            Some(Step::Casualty(unit, count)) => {
                self.steps.push(Step::Casualty(unit, count.saturating_sub(1)));
                self.kill(unit, usize::from(stand), clerk);
            }
            Some(Step::SplitChoice(unit)) => {
                self.table.with_unit(unit, |unit| unit.marks.torn = false);
                self.kill(unit, usize::from(stand), clerk);
                self.close_up(unit, clerk);
            }
            Some(other) => self.steps.push(other),
            None => {}
        }
    }

    /// A stand is removed.
    pub(super) fn kill(&mut self, id: UnitId, at: usize, clerk: &mut impl Clerk) {
        self.table.with_unit(id, |unit| {
            if let Some(stand) = unit.stands.get_mut(at) {
                stand.place = Place::Dead;
                stand.post = None;
            }
        });
        let Some(unit) = self.table.unit(id).copied() else { return };
        clerk.happened(|| Event::new(words::STANDS_LOST).with("unit", unit.name()).with("stands", 1));
        if !unit.is_on_table() {
            self.destroyed(id, clerk);
        }
    }

    /// All its stands are removed.
    pub(super) fn kill_all(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        self.table.with_unit(id, |unit| {
            for stand in &mut unit.stands {
                if stand.place != Place::Out {
                    stand.place = Place::Dead;
                }
                stand.post = None;
            }
        });
        self.destroyed(id, clerk);
    }

    /// A unit is gone: its characters with it.
    fn destroyed(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        self.table.with_unit(id, |unit| {
            unit.spare = [Item::None; 2];
            unit.lose_item();
            unit.marks.engaged = false;
            unit.along = None;
            unit.odd_hits = 0;
        });
        if let Some(unit) = self.table.unit(id) {
            let name = unit.name();
            clerk.happened(|| Event::new(words::DESTROYED).with("unit", name));
        }
        let with: Vec<_> = self
            .table
            .people()
            .filter(|(_, one)| one.place == Whereabouts::With(id))
            .map(|(id, _)| id)
            .collect();
        for character in with {
            if clerk.holds(rule!(BC_10_01), true) {
                self.slay(character, clerk);
            }
        }
        // In a round the winners stay at their posts until it is known what they take.
        if !self.steps.iter().any(|step| matches!(step, Step::RoundEnd(_))) {
            self.release();
        }
    }

    // Reactions to a ramming attempt.

    fn ram_reactors(&self, ramming: &Ramming) -> Vec<(UnitId, Answer)> {
        let mut found = Vec::new();
        let oil = self.table.elements.get(usize::from(ramming.element.0)).is_some_and(|works| works.oil);
        for (id, _) in self.table.on(ramming.element) {
            let Some(unit) = self.table.unit(id) else { continue };
            if unit.side != Side::Garrison || ramming.reacted.has(id) {
                continue;
            }
            if oil && !ramming.poured {
                found.push((id, Answer::Oil));
            }
            if unit.profile().weapon.is_some_and(|weapon| !weapon_is_engine(weapon)) && !unit.marks.engaged {
                found.push((id, Answer::Shoot));
            }
        }
        found
    }

    pub(super) fn open_ram_reaction(&mut self, ramming: &Ramming, clerk: &mut impl Clerk) -> Opened {
        if !ramming.resolving && !self.ram_reactors(ramming).is_empty() {
            return Opened::Ask(Side::Garrison);
        }
        if let [Some((id, answer)), rest @ ..] = ramming.declared {
            let mut left = [None; 4];
            left[..rest.len()].copy_from_slice(&rest);
            self.over();
            let ramming = Ramming { resolving: true, declared: left, ..*ramming };
            self.react_to_ram(ramming, id, answer, clerk);
            return Opened::Done;
        }
        if ramming.failed {
            self.over();
            self.steps.push(Step::Repel(ramming.unit, ramming.hits));
            return Opened::Done;
        }
        self.next(Step::RamTest(*ramming))
    }

    pub(super) fn list_ram_reaction(&self, ramming: &Ramming, into: &mut Vec<Action>) {
        into.push(Action::Decline);
        into.extend(
            self.ram_reactors(ramming).into_iter().map(|(unit, answer)| Action::React { unit, answer }),
        );
    }

    fn react_to_ram(&mut self, mut ramming: Ramming, id: UnitId, answer: Answer, clerk: &mut impl Clerk) {
        let (Some(unit), Some(rammer)) =
            (self.table.unit(id).copied(), self.table.unit(ramming.unit).copied())
        else {
            return;
        };
        ramming.reacted = ramming.reacted.with(id);
        if self.declares() && !ramming.resolving {
            ramming.poured |= answer == Answer::Oil;
            if let Some(free) = ramming.declared.iter_mut().find(|declared| declared.is_none()) {
                *free = Some((id, answer));
            }
            self.steps.push(Step::RamReaction(ramming));
            return;
        }
        let means = if rammer.machine.is_some() { Means::Ram } else { Means::PortableRam };
        let below = below(&rammer, means, i32::from(ramming.hits));
        let reaction = match answer {
            Answer::Oil => {
                ramming.poured = true;
                crate::ram::Reaction::Oil
            }
            Answer::Shoot => {
                let on = unit
                    .alive()
                    .filter(|&at| unit.stands[at].place.element() == Some(ramming.element))
                    .count();
                let shooter = Shooter {
                    weapon: unit.profile().weapon.unwrap_or(shooting::Weapon::Bow),
                    stands: i32::from(unit.strength()),
                    attack: unit.profile().shots,
                    further_stands: 0,
                };
                crate::ram::Reaction::Shots { shooter, on_element: i32::try_from(on).unwrap_or(1) }
            }
        };
        let before = crate::ram::untouched(&below);
        let Ok(rammers) = crate::ram::react(&below, before, &reaction, &self.table.options, clerk) else {
            self.steps.push(Step::RamReaction(ramming));
            return;
        };
        let lost = self.hurt(ramming.unit, rammers.hits, clerk);
        ramming.hits = ramming.hits.saturating_add(small(rammers.hits));
        if ramming.resolving {
            ramming.failed |= rammers.abandoned;
            self.steps.push(Step::RamReaction(ramming));
        } else if rammers.abandoned {
            self.table.with_unit(ramming.unit, |unit| unit.marks.worked = true);
            self.steps.push(Step::Repel(ramming.unit, ramming.hits));
        } else {
            self.steps.push(Step::RamReaction(ramming));
        }
        if lost > 0 {
            self.steps.push(Step::Casualty(ramming.unit, lost));
        }
    }
}

/// Whether a weapon never shoots at those who attack.
const fn weapon_is_engine(weapon: shooting::Weapon) -> bool {
    matches!(
        weapon,
        shooting::Weapon::Mangonel
            | shooting::Weapon::Bombard
            | shooting::Weapon::Trebuchet
            | shooting::Weapon::StoneThrower
    )
}

/// A unit at the foot of the works.
fn below(unit: &Unit, means: Means, hits: i32) -> Below {
    let covered = means.is_covered();
    let most = if covered { 2 } else { unit.profile().hits - 1 };
    Below {
        means,
        stands: i32::from(unit.strength()),
        hits: unit.profile().hits,
        armour: unit.profile().armour,
        earlier_hits: (if covered { i32::from(unit.machine_hits) } else { i32::from(unit.odd_hits) }
            .max(hits))
        .min(most),
    }
}

/// A unit as those see it who shoot at it.
pub(super) fn mark(unit: &Unit, cover: Cover) -> Mark {
    let machine = match unit.item {
        _ if unit.machine.is_none() => Machine::None,
        Item::Ram => Machine::Ram,
        Item::SiegeTower => Machine::SiegeTower,
        Item::Sow => Machine::Sow,
        _ => Machine::None,
    };
    Mark {
        stands: i32::from(unit.strength()),
        hits: unit.profile().hits,
        armour: unit.profile().armour,
        arm: unit.profile().arm,
        cover: if machine == Machine::None { cover } else { Cover::Open },
        earlier_hits: if machine == Machine::None {
            i32::from(unit.odd_hits)
        } else {
            i32::from(unit.machine_hits)
        },
        machine,
        fanatic: unit.profile().fanatic,
    }
}

impl Unit {
    /// What it carried is gone; a machine's posts with it.
    pub(crate) fn lose_item(&mut self) {
        if self.machine.is_some() {
            for stand in &mut self.stands {
                stand.post = None;
            }
        }
        self.use_next();
        self.machine = None;
        self.machine_hits = 0;
    }
}
