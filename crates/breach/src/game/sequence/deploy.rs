//! Before the first turn (section 3.1 of the game page): the entrance of the watchtower, works and oil,
//! units and characters.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::breach::{EquipmentPerUnit, Scenario3Placement};
use rulebook::{phrase::breach_game as phrase, rule};
use tabletop::geometry::{Facing, Point};

use crate::command::carried_by_infantry;
use crate::scenario::{Scenario, Side};
use crate::terms::{Arm, Item};

use super::super::action::Action;
use super::super::geometry::Rect;
use super::super::ground::{Formation, Keep, aloft};
use super::super::moves::Mover;
use super::super::plan::{ElementId, Kind, Slot, Terrain, degrees, point, seat};
use super::super::setup::{ready, rows, shelf};
use super::super::state::{
    CharacterId, Earthwork, Look, Place, State, Step, Table, Unit, UnitId, UnitSet, Whereabouts,
};
use super::Opened;

/// The most candidates of a placing.
const MOST_PLACES: usize = 90;

impl State {
    // The entrance of the watchtower: the garrison names one of four sides.

    pub(super) fn open_tower_side(&mut self, clerk: &mut impl Clerk) -> Opened {
        match self.table.scenario {
            Scenario::Watchtower => Opened::Ask(Side::Garrison),
            Scenario::Help => self.next(Step::Works(Side::Garrison)),
            Scenario::Keep => {
                let first = clerk.rather(rule!(BR_SCENARIO_3_11), Side::Garrison, Side::Besieger);
                self.next(Step::Works(first))
            }
        }
    }

    pub(super) fn list_tower_side(&self, into: &mut Vec<Action>) {
        into.extend([Slot::North, Slot::East, Slot::South, Slot::West].map(Action::DeclareSide));
    }

    pub(super) fn declare_side(&mut self, slot: Slot, clerk: &mut impl Clerk) {
        self.table.entrance = clerk.rather(rule!(BR_TOWERS_19), Some(slot), None);
        self.next(Step::Works(Side::Garrison));
    }

    // Works and oil: by turns, the garrison first.

    pub(super) fn open_works(&mut self, side: Side) -> Opened {
        let left = |side: Side| {
            let stores = &self.table.stores[seat(side)];
            stores.earthworks > 0 || stores.oil > 0
        };
        if left(side) {
            return Opened::Ask(side);
        }
        if left(side.other()) {
            return self.next(Step::Works(side.other()));
        }
        self.next(Step::Deploy)
    }

    pub(super) fn list_works(&self, side: Side, into: &mut Vec<Action>) {
        into.extend([Action::PlaceTheRest, Action::GiveUpWorks]);
        let stores = &self.table.stores[seat(side)];
        if stores.oil > 0 {
            let elements = self.table.plan().each().map(|(id, _)| id);
            into.extend(elements.filter(|&id| self.may_oil(id)).map(Action::PlaceOil));
        }
        if stores.earthworks > 0 {
            for &(_, front, facing) in &self.table.plan().works[seat(side)] {
                if into.len() < 48 && self.check_work(side, front, facing).is_ok() {
                    into.push(Action::PlaceWork { front, facing });
                }
            }
        }
    }

    fn may_oil(&self, element: ElementId) -> bool {
        self.table.elements.get(usize::from(element.0)).is_some_and(|works| !works.oil && !works.down)
    }

    pub(super) fn check_work(&self, side: Side, front: Point, facing: Facing) -> Verdict<()> {
        if self.table.stores[seat(side)].earthworks == 0 {
            return Err(Refusal::rule(rule!(BR_EARTHWORKS_02), phrase::NO_PROVISION));
        }
        let work = Earthwork { front, facing, owner: side, standing: true };
        let rect = work.rect();
        let zone = match self.table.scenario {
            Scenario::Help => rule!(BR_SCENARIO_2_04),
            Scenario::Watchtower | Scenario::Keep => rule!(BR_EARTHWORKS_03),
        };
        if zone.holds(self.table.is_in_zone(side, &rect, false).is_err()) {
            return Err(Refusal::rule(zone, phrase::NOT_IN_ZONE));
        }
        let closed = |(kind, ground): &(Terrain, Rect)| *kind == Terrain::Building && ground.overlaps(&rect);
        let blocked = self.table.plan().elements.iter().any(|part| part.rect.overlaps(&rect))
            || self.table.plan().terrain.iter().any(closed)
            || self.table.standing_works().any(|(_, other)| other.overlaps(&rect))
            || !self.may_adjoin(&rect);
        if rule!(BR_R09).holds(blocked) {
            return Err(Refusal::rule(rule!(BR_R09), phrase::CLOSED_GROUND));
        }
        Ok(())
    }

    /// Whether earthworks may touch others: in any arrangement.
    fn may_adjoin(&self, rect: &Rect) -> bool {
        rule!(BR_EARTHWORKS_06).holds(true) || !self.adjoins_works(rect)
    }

    fn adjoins_works(&self, rect: &Rect) -> bool {
        self.table.standing_works().any(|(_, other)| other.touches(rect))
    }

    fn works_side(&self) -> Side {
        self.asked.unwrap_or(Side::Garrison)
    }

    /// One item is placed: the other side is next, or the garrison places all of its own first (BR-R29).
    fn works_done(&mut self, side: Side, clerk: &mut impl Clerk) {
        let all_first = self.table.options.scenario3_placement == Scenario3Placement::DefenderAllFirst;
        let next = if rule!(BR_R29).holds(all_first) {
            clerk.rather(rule!(BR_EARTHWORKS_04), Side::Garrison, Side::Besieger)
        } else {
            side.other()
        };
        self.next(Step::Works(next));
    }

    pub(super) fn place_work(&mut self, front: Point, facing: Facing, clerk: &mut impl Clerk) {
        let side = self.works_side();
        if self.adjoins_works(&Earthwork { front, facing, owner: side, standing: true }.rect()) {
            clerk.applied(rule!(BR_EARTHWORKS_06));
        }
        self.lay(side, front, facing);
        self.works_done(side, clerk);
    }

    fn lay(&mut self, side: Side, front: Point, facing: Facing) {
        self.table.earthworks.push(Earthwork { front, facing, owner: side, standing: true });
        self.table.stores[seat(side)].earthworks -= 1;
    }

    pub(super) fn place_oil(&mut self, element: ElementId, clerk: &mut impl Clerk) {
        let side = self.works_side();
        self.oil(element, side);
        self.works_done(side, clerk);
    }

    fn oil(&mut self, element: ElementId, side: Side) {
        if let Some(works) = self.table.elements.get_mut(usize::from(element.0)) {
            works.oil = true;
            self.table.stores[seat(side)].oil -= 1;
        }
    }

    pub(super) fn place_the_rest(&mut self, clerk: &mut impl Clerk) {
        let side = self.works_side();
        clerk.applied(rule!(BR_R29));
        let scenario = self.table.scenario;
        let places: Vec<(Point, Facing)> = rows(scenario, side)
            .filter(|row| row.formation == "work")
            .filter_map(|row| Some((point(row.x_cm?, row.y_cm?), degrees(row.facing_deg?))))
            .chain(self.table.plan().works[seat(side)].iter().map(|&(_, front, facing)| (front, facing)))
            .collect();
        for (front, facing) in places {
            if self.check_work(side, front, facing).is_ok() {
                self.lay(side, front, facing);
            }
        }
        let elements: Vec<ElementId> = self.table.plan().each().map(|(id, _)| id).collect();
        for element in elements {
            if self.table.stores[seat(side)].oil > 0 && self.may_oil(element) {
                self.oil(element, side);
            }
        }
        self.give_up_works(clerk);
    }

    pub(super) fn give_up_works(&mut self, clerk: &mut impl Clerk) {
        let side = self.works_side();
        let stores = &mut self.table.stores[seat(side)];
        stores.earthworks = 0;
        stores.oil = 0;
        self.works_done(side, clerk);
    }

    // Units: by turns in the first scenario, else one side after the other.

    fn waiting(&self, side: Side) -> impl Iterator<Item = UnitId> {
        let mut units: Vec<(bool, u8, UnitId)> = self
            .table
            .each()
            .filter(|(_, unit)| {
                unit.side == side && unit.stands[0].place == Place::Reserve && !unit.marks.held
            })
            .map(|(id, unit)| (!unit.profile().engine, unit.number, id))
            .collect();
        units.sort_unstable();
        units.into_iter().map(|(_, _, id)| id)
    }

    pub(super) fn open_deploy(&mut self, clerk: &mut impl Clerk) -> Opened {
        let left = [Side::Garrison, Side::Besieger].map(|side| self.waiting(side).count());
        let [garrison, besieger] = left;
        if garrison + besieger == 0 {
            self.hand.unit = None;
            self.hand.placing = None;
            return self.next(Step::DeployCharacters);
        }
        let side = match (self.table.scenario, self.hand.placing) {
            (Scenario::Watchtower, None) => {
                let first = if garrison == besieger {
                    if clerk.d6() <= 3 { Side::Garrison } else { Side::Besieger }
                } else if clerk.holds(rule!(BR_SCENARIO_1_09), besieger > garrison) {
                    Side::Besieger
                } else {
                    Side::Garrison
                };
                self.first = first;
                first
            }
            (Scenario::Watchtower, Some(side)) => side,
            (Scenario::Help, _) => {
                if besieger > 0 {
                    Side::Besieger
                } else {
                    Side::Garrison
                }
            }
            (Scenario::Keep, _) => {
                if garrison > 0 {
                    Side::Garrison
                } else {
                    Side::Besieger
                }
            }
        };
        let side = if left[seat(side)] == 0 { side.other() } else { side };
        self.hand.placing = Some(side);
        if self.hand.unit.is_none_or(|unit| !self.waiting(side).any(|other| other == unit)) {
            self.hand.unit = None;
        }
        if self.table.stores[seat(side)].rest {
            self.rest_of(side, clerk);
            return Opened::Done;
        }
        Opened::Ask(side)
    }

    /// The unit that is set up next.
    pub(crate) fn in_hand(&self) -> Option<UnitId> {
        let side = self.hand.placing?;
        self.hand.unit.or_else(|| self.waiting(side).next())
    }

    pub(super) fn list_deploy(&self, into: &mut Vec<Action>) {
        let (Some(side), Some(id)) = (self.hand.placing, self.in_hand()) else { return };
        into.push(Action::DeployTheRest);
        if self.hand.unit.is_none() {
            into.extend(self.waiting(side).filter(|&other| other != id).map(Action::PickUnit).take(20));
        }
        if self.check_hold_back(id).is_ok() {
            into.push(Action::HoldBack(id));
        }
        for item in [Item::Mantlets, Item::PortableRam] {
            if self.check_add_item(id, item).is_ok() {
                into.push(Action::AddItem { unit: id, item });
            }
        }
        let before = into.len();
        self.places(id, &mut |action| {
            into.push(action);
            into.len() < MOST_PLACES
        });
        if into.len() == before {
            into.push(Action::LeaveOut(id));
        }
    }

    /// What it is given to carry if nobody says otherwise.
    pub(crate) fn gift(&self, unit: &Unit) -> Item {
        let stores = &self.table.stores[seat(unit.side)];
        let left = |item: Item| shelf(item).is_some_and(|shelf| stores.items[shelf] > 0);
        let foot = unit.profile().arm == Arm::Infantry;
        if foot && left(unit.wish) && unit.takes(unit.wish).is_ok() { unit.wish } else { Item::None }
    }

    // What a unit is given besides the item it uses (BR-R73).

    fn check_add_item(&self, id: UnitId, item: Item) -> Verdict<()> {
        let refused = |reason| Err(Refusal::rule(rule!(BR_R73), reason));
        let several = self.table.options.equipment_per_unit == EquipmentPerUnit::Several;
        let Some(unit) = self.table.unit(id).filter(|_| self.in_hand() == Some(id)) else {
            return refused(phrase::NO_SUCH_UNIT);
        };
        if rule!(BR_R73).holds(!several) || !matches!(item, Item::Mantlets | Item::PortableRam) {
            return refused(phrase::GOES_NOT_WITH);
        }
        carried_by_infantry(item, unit.profile().arm, "item")?;
        unit.takes(item)?;
        let left = shelf(item).map_or(0, |shelf| self.table.stores[seat(unit.side)].items[shelf]);
        if rule!(BR_R73).holds(left == 0) { refused(phrase::ITEM_NOT_LEFT) } else { Ok(()) }
    }

    pub(super) fn why_no_more(&self, unit: UnitId, item: Item) -> Refusal {
        self.check_add_item(unit, item).err().unwrap_or_else(|| Refusal::plain(phrase::NOT_NOW))
    }

    pub(super) fn add_item(&mut self, id: UnitId, item: Item) {
        let Some(side) = self.table.unit(id).map(|unit| unit.side) else { return };
        if let Some(shelf) = shelf(item) {
            self.table.stores[seat(side)].items[shelf] -= 1;
        }
        self.table.with_unit(id, |unit| {
            if let Some(free) = unit.spare.iter_mut().find(|spare| **spare == Item::None) {
                *free = item;
            }
        });
    }

    /// The candidates for the place of a unit, until enough are found.
    fn places(&self, id: UnitId, found: &mut impl FnMut(Action) -> bool) {
        let Some(unit) = self.table.unit(id) else { return };
        let item = self.gift(unit);
        let wanted = Unit { item, ..*unit };
        let count = usize::from(unit.began);
        let mover = self.deployer(id).filter(|_| self.in_hand() == Some(id));
        let Some(mover) = mover.map(Mover::briefly) else { return };
        let mut offer = |formation: Formation, front: Point, facing: Facing| {
            let (places, machine) = self.table.template(&wanted, formation, front, facing);
            if self.deployed(&mover, &places[..count], machine, item).is_err() {
                return true;
            }
            found(Action::Deploy { unit: id, places: places[..count].to_vec(), machine, item })
        };
        if let Some((front, facing, formation)) = self.ready_pose(unit)
            && !offer(formation, front, facing)
        {
            return;
        }
        let gun = unit.profile().arm == Arm::Artillery;
        for anchor in &self.table.plan().anchors[seat(unit.side)] {
            if anchor.gun && !gun {
                continue;
            }
            let formations: &[Formation] = if unit.profile().arm == Arm::Infantry && !item.is_machine() {
                &[Formation::Line, Formation::Column]
            } else {
                &[Formation::Line]
            };
            for &formation in formations {
                if !offer(formation, anchor.front, anchor.facing) {
                    return;
                }
            }
        }
        if self.table.scenario == Scenario::Keep && unit.side == Side::Garrison {
            for places in self.on_works(unit, count) {
                let fits = self.deployed(&mover, &places, None, item).is_ok();
                if fits && !found(Action::Deploy { unit: id, places, machine: None, item }) {
                    return;
                }
            }
        }
    }

    /// Runs of sections and towers that hold a whole unit.
    fn on_works(&self, unit: &Unit, count: usize) -> Vec<Vec<Place>> {
        let plan = self.table.plan();
        let mut found = Vec::new();
        if let Some(row) = ready(self.table.scenario, unit.side, &unit.name()) {
            let elements: Vec<ElementId> =
                row.places.split(' ').filter_map(|name| plan.named(name)).collect();
            if elements.len() == count {
                found.push(elements.iter().map(|&id| aloft(&self.table, id, Look::Out)).collect());
            }
        }
        for (id, part) in plan.each() {
            if part.kind != Kind::Wall && !self.table.is_wall(id) {
                found.push(vec![Place::Tower { element: id }; count]);
                continue;
            }
            let mut run = vec![id];
            while let Some(next) = run.last().and_then(|&id| plan.element(id)?.beside[1]) {
                if run.len() == count || !self.table.is_wall(next) {
                    break;
                }
                run.push(next);
            }
            if run.len() == count {
                found.push(run.iter().map(|&element| Place::Rampart { element, look: Look::Out }).collect());
            }
        }
        found
    }

    fn ready_pose(&self, unit: &Unit) -> Option<(Point, Facing, Formation)> {
        let row = ready(self.table.scenario, unit.side, &unit.name())?;
        let formation = if row.formation == "column" { Formation::Column } else { Formation::Line };
        Some((point(row.x_cm?, row.y_cm?), degrees(row.facing_deg?), formation))
    }

    pub(super) fn check_deploy(
        &self,
        id: UnitId,
        places: &[Place],
        machine: Option<(Point, Facing)>,
        item: Item,
    ) -> Verdict<Unit> {
        match self.deployer(id).filter(|_| self.in_hand() == Some(id)) {
            Some(mover) => self.deployed(&mover, places, machine, item),
            None => Err(Refusal::rule(rule!(BR_R101), phrase::NO_SUCH_UNIT)),
        }
    }

    /// A unit about to be set up: the same for each of its places.
    fn deployer(&self, id: UnitId) -> Option<Mover<'_>> {
        Mover::new(&self.table, id, 0, UnitSet::default(), Keep::Away(10))
    }

    /// The unit in hand at one of its places.
    fn deployed(
        &self,
        mover: &Mover<'_>,
        places: &[Place],
        machine: Option<(Point, Facing)>,
        item: Item,
    ) -> Verdict<Unit> {
        let unit = mover.unit;
        let zone = match self.table.scenario {
            Scenario::Watchtower => rule!(BR_SCENARIO_1_08),
            Scenario::Help => rule!(BR_SCENARIO_2_10),
            Scenario::Keep => rule!(BR_SCENARIO_3_12),
        };
        if places.len() != usize::from(unit.began) {
            return Err(Refusal::rule(rule!(BC_1_01), phrase::TOO_MANY_STANDS));
        }
        let mut after = Unit { item, ..*unit };
        unit.takes(item)?;
        if item == Item::None {
            after.use_next();
        }
        if let Some(shelf) = shelf(item) {
            carried_by_infantry(item, unit.profile().arm, "item")?;
            if rule!(BR_R73).holds(self.table.stores[seat(unit.side)].items[shelf] == 0) {
                return Err(Refusal::rule(rule!(BR_R73), phrase::ITEM_NOT_LEFT));
            }
        }
        for (stand, &place) in after.stands.iter_mut().zip(places) {
            stand.place = place;
        }
        let pushed = item.is_machine();
        if pushed != machine.is_some() {
            return Err(Refusal::rule(rule!(BC_14_6_01), phrase::MACHINE_LEADS));
        }
        if let Some((front, facing)) = machine {
            after.machine = machine;
            let (column, _) = self.table.template(&after, Formation::Column, front, facing);
            if column[..places.len()] != *places {
                return Err(Refusal::rule(rule!(BC_14_6_01), phrase::MACHINE_LEADS));
            }
            if let Some(rect) = after.machine_rect() {
                self.table.is_in_zone(unit.side, &rect, pushed)?;
            }
        }
        for &place in places {
            match place {
                Place::Ground { front, facing } => {
                    let (width, depth) = unit.profile().base;
                    let rect = Rect::new(front, facing, width, depth);
                    self.table.is_in_zone(unit.side, &rect, pushed)?;
                }
                _ if self.table.scenario == Scenario::Keep && unit.side == Side::Garrison => {}
                _ => return Err(Refusal::rule(zone, phrase::NOT_IN_ZONE)),
            }
        }
        mover.ends(&after)?;
        Ok(after)
    }

    pub(super) fn deploy(
        &mut self,
        id: UnitId,
        places: &[Place],
        machine: Option<(Point, Facing)>,
        item: Item,
        clerk: &mut impl Clerk,
    ) {
        if let Ok(after) = self.check_deploy(id, places, machine, item) {
            if after.is_on_levels() {
                clerk.applied(rule!(BR_RAMPARTS_01));
            }
            if let Some(shelf) = shelf(item) {
                self.table.stores[seat(after.side)].items[shelf] -= 1;
            }
            self.table.with_unit(id, |unit| *unit = after);
        }
        self.placed();
    }

    /// One unit is placed: in the first scenario the other side is next.
    pub(super) fn placed(&mut self) {
        self.hand.unit = None;
        if self.table.scenario == Scenario::Watchtower {
            self.hand.placing = self.hand.placing.map(Side::other);
        }
    }

    pub(super) fn leave_out(&mut self, id: UnitId) {
        self.table.with_unit(id, |unit| {
            for stand in &mut unit.stands {
                stand.place = Place::Dead;
            }
            unit.marks.left_out = true;
        });
        self.placed();
    }

    pub(super) fn deploy_the_rest(&mut self) {
        if let Some(side) = self.hand.placing {
            self.table.stores[seat(side)].rest = true;
        }
    }

    /// Places one unit as the ready-made set-up has it.
    fn rest_of(&mut self, side: Side, clerk: &mut impl Clerk) {
        // The rows of the table first, so that nobody takes their place.
        let names: Vec<&str> = rows(self.table.scenario, side).map(|row| row.unit).collect();
        let mut waiting: Vec<UnitId> = self.waiting(side).collect();
        let place = |id: &UnitId| {
            let name = self.table.unit(*id).map(Unit::name).unwrap_or_default();
            names.iter().position(|known| *known == name).unwrap_or(usize::MAX)
        };
        waiting.sort_by_key(place);
        let Some(&id) = waiting.first() else { return };
        self.hand.unit = Some(id);
        let mut chosen = None;
        // On the works first, where the table has it so.
        if let Some(unit) = self.table.unit(id)
            && let Some(row) = ready(self.table.scenario, side, &unit.name())
            && matches!(row.formation, "rampart" | "tower")
        {
            let item = self.gift(unit);
            chosen = self
                .on_works(unit, usize::from(unit.began))
                .into_iter()
                .find(|places| self.check_deploy(id, places, None, item).is_ok())
                .map(|places| Action::Deploy { unit: id, places, machine: None, item });
        }
        if chosen.is_none() {
            self.places(id, &mut |action| {
                chosen = Some(action);
                false
            });
        }
        match chosen {
            Some(Action::Deploy { unit, places, machine, item }) => {
                self.deploy(unit, &places, machine, item, clerk);
            }
            _ => self.leave_out(id),
        }
    }

    // Characters: each with a unit or in the zone.

    fn next_character(&self) -> Option<CharacterId> {
        let order = match self.table.scenario {
            Scenario::Watchtower => [self.first, self.first.other()],
            Scenario::Help => [Side::Besieger, Side::Garrison],
            Scenario::Keep => [Side::Garrison, Side::Besieger],
        };
        order.into_iter().find_map(|side| {
            let own =
                self.table.people().find(|(_, one)| one.side == side && one.place == Whereabouts::Reserve);
            own.map(|(id, _)| id)
        })
    }

    pub(super) fn open_deploy_characters(&mut self) -> Opened {
        match self.next_character().and_then(|id| self.table.character(id)) {
            Some(character) => Opened::Ask(character.side),
            None => self.next(Step::FirstTurn),
        }
    }

    pub(super) fn list_deploy_characters(&self, into: &mut Vec<Action>) {
        let Some(id) = self.next_character() else { return };
        let Some(character) = self.table.character(id) else { return };
        for (unit, _) in self.table.of_side(character.side).take(22) {
            let place = Whereabouts::With(unit);
            if self.check_deploy_character(id, place).is_ok() {
                into.push(Action::DeployCharacter { character: id, place });
            }
        }
        if into.is_empty() {
            let anchor = self.table.plan().anchors[seat(character.side)].first();
            let place = Whereabouts::At(anchor.map_or(Point::cm(90, 10), |anchor| anchor.front));
            into.push(Action::DeployCharacter { character: id, place });
        }
    }

    pub(super) fn check_deploy_character(&self, id: CharacterId, place: Whereabouts) -> Verdict<()> {
        let next = self.next_character();
        let Some(character) = self.table.character(id).filter(|_| next == Some(id)) else {
            return Err(Refusal::rule(rule!(BR_R101), phrase::NO_SUCH_UNIT));
        };
        let refused = || Err(Refusal::rule(rule!(BR_R90), phrase::NO_SUCH_PLACE));
        match place {
            Whereabouts::With(unit) if self.may_join(character.side, unit) => Ok(()),
            Whereabouts::At(at) => {
                let rect = Rect::new(at, Facing::NORTH, 0, 0);
                self.table.is_in_zone(character.side, &rect, false)
            }
            _ => refused(),
        }
    }

    /// Whether a character may be with a unit: not with flyers and engines.
    pub(super) fn may_join(&self, side: Side, unit: UnitId) -> bool {
        self.table.unit(unit).is_some_and(|unit| {
            unit.side == side
                && unit.is_on_table()
                && unit.profile().arm != Arm::Flyer
                && !unit.profile().engine
        })
    }

    pub(super) fn deploy_character(&mut self, id: CharacterId, place: Whereabouts) {
        if let Some(character) = self.table.characters.get_mut(usize::from(id.0)) {
            character.place = place;
        }
    }
}

impl Unit {
    /// Whether an item goes together with what the unit has besides: ladders go with nothing, nothing
    /// goes twice.
    fn takes(&self, item: Item) -> Verdict<()> {
        let laden = self.spare != [Item::None; 2];
        if rule!(BR_LADDERS_04).holds(laden && item == Item::Ladders) {
            return Err(Refusal::rule(rule!(BR_LADDERS_04), phrase::GOES_NOT_WITH));
        }
        let twice = item != Item::None && self.spare.contains(&item);
        if rule!(BR_R73).holds(twice) {
            return Err(Refusal::rule(rule!(BR_R73), phrase::GOES_NOT_WITH));
        }
        Ok(())
    }

    /// What it used is gone: the next of what it has comes into use.
    pub(crate) const fn use_next(&mut self) {
        let [next, last] = self.spare;
        self.item = next;
        self.spare = [last, Item::None];
    }
}

impl Table {
    /// The tower that a stand of a unit is in.
    pub(crate) fn in_tower(&self, unit: &Unit) -> Option<ElementId> {
        unit.alive().find_map(|at| match unit.stands[at].place {
            Place::Tower { element } => Some(element),
            _ => None,
        })
    }

    /// Stands of a unit in the watchtower.
    pub(crate) fn in_watchtower(&self, unit: &Unit) -> usize {
        unit.alive().filter(|&at| matches!(unit.stands[at].place, Place::Tower { .. })).count()
    }
}
