//! The Shooting phase (section 3.3 of the game page; sections 6, 7 and 14.2 of the core rules): volleys,
//! bombardments, the test of the works and what falls, drive backs. The dice are those of
//! [`crate::shooting`] and [`crate::bombard`].

use std::cell::OnceCell;

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::options::breach::WatchtowerIndestructible;
use rulebook::phrase::breach_game as phrase;
use rulebook::rule;

use crate::bombard::{self, Element, Gun};
use crate::collapse;
use crate::scenario::Side;
use crate::shooting::{self, Cover, Moment};
use crate::terms::Item;

use super::super::action::Action;
use super::super::geometry::{Rect, shift};
use super::super::ground::Boxed;
use super::super::plan::{ElementId, Kind};
use super::super::sight::{Aim, Seen};
use super::super::state::{Place, State, Step, Table, Unit, UnitId, UnitSet, Whereabouts, Why, cm};
use super::Opened;
use super::reaction::{mark, small};

/// The enemies on the table, and those of them who may be picked as targets at all: asked once.
struct Enemies<'t> {
    all: Vec<Boxed<'t>>,
    open: OnceCell<UnitSet>,
}

impl<'t> Enemies<'t> {
    fn of(table: &'t Table, side: Side) -> Self {
        Self { all: table.boxes(side), open: OnceCell::new() }
    }

    fn open(&self, state: &State) -> UnitSet {
        let targets = || self.all.iter().filter(|(_, unit, _)| state.is_target(unit)).map(|(id, ..)| *id);
        *self.open.get_or_init(|| targets().collect())
    }
}

impl State {
    // Shots: each unit of the active side once.

    pub(super) fn open_shoot(&mut self) -> Opened {
        let mut list = Vec::new();
        let enemies = Enemies::of(&self.table, self.active.other());
        let able = self.table.of_side(self.active).any(|(id, unit)| {
            self.shots_of(id, unit, &enemies, &mut list);
            !list.is_empty()
        });
        self.list_casts(&mut list);
        if able || !list.is_empty() {
            return Opened::Ask(self.active);
        }
        self.next(Step::Structure(0))
    }

    pub(super) fn list_shoot(&self, into: &mut Vec<Action>) {
        into.push(Action::EndShooting);
        let enemies = Enemies::of(&self.table, self.active.other());
        for (id, unit) in self.table.of_side(self.active) {
            self.shots_of(id, unit, &enemies, into);
        }
        self.list_casts(into);
    }

    /// What one unit may shoot at.
    fn shots_of(&self, id: UnitId, unit: &Unit, enemies: &Enemies<'_>, into: &mut Vec<Action>) {
        if unit.profile().weapon.is_none() || unit.marks.shot || unit.marks.engaged {
            return;
        }
        let near = self.table.nearest_of(unit, unit.profile().range.1, &enemies.all);
        let mut seen = Seen::default();
        for &(_, target) in &near {
            if into.len() < 100 && self.may_shoot(id, target, &near, enemies, &mut seen).is_ok() {
                into.push(Action::Shoot { unit: id, target });
            }
        }
        if unit.profile().breacher.is_none() {
            return;
        }
        for (element, _) in self.table.plan().each() {
            for leaf in [false, true] {
                if into.len() < 126 && self.check_bombardment(id, element, leaf).is_ok() {
                    into.push(Action::Bombard { unit: id, element, leaf });
                }
            }
        }
    }

    fn shooter(&self, id: UnitId) -> Verdict<&Unit> {
        let unit = self.table.unit(id).filter(|unit| unit.side == self.active && unit.is_on_table());
        let Some(unit) = unit.filter(|unit| unit.profile().weapon.is_some()) else {
            return Err(Refusal::rule(rule!(BC_6_13), phrase::NO_SUCH_UNIT));
        };
        if unit.marks.engaged {
            return Err(Refusal::rule(rule!(BC_6_13), rulebook::phrase::breach::ENGAGED));
        }
        if rule!(BR_RAMMING_02).holds(unit.rams_at().is_some()) {
            return Err(Refusal::rule(rule!(BR_RAMMING_02), rulebook::phrase::breach::ENGAGED));
        }
        if unit.marks.shot {
            return Err(Refusal::rule(rule!(BC_6_13), phrase::HAS_SHOT));
        }
        Ok(unit)
    }

    /// Whether a unit may be picked as a target at all.
    fn is_target(&self, other: &Unit) -> bool {
        // Rammers are in close combat until the turn of the defenders.
        let rams = other.rams_at().is_some() && !rule!(BR_RAMMING_08).holds(other.side != self.active);
        !other.marks.engaged && !rams && !self.meets(other)
    }

    /// Whether enemies of a unit assault or ram an element that it has a stand on.
    fn meets(&self, other: &Unit) -> bool {
        rule!(BR_RAMMING_03).holds(other.alive().any(|at| {
            other.stands[at].place.element().is_some_and(|element| self.attacked(element, other.side.other()))
        }))
    }

    /// Whether troops of a side assault or ram an element.
    fn attacked(&self, element: ElementId, by: Side) -> bool {
        self.table.of_side(by).any(|(_, unit)| {
            unit.along == Some(element)
                || unit.alive().any(|at| unit.stands[at].post.is_some_and(|post| post.element == element))
        })
    }

    fn check_shot(&self, id: UnitId, target: UnitId) -> Verdict<()> {
        let unit = self.shooter(id)?;
        let enemies = Enemies::of(&self.table, self.active.other());
        let near = self.table.nearest_of(unit, unit.profile().range.1, &enemies.all);
        self.may_shoot(id, target, &near, &enemies, &mut Seen::default())
    }

    /// The same with the enemies in reach, and what is known of who is seen.
    fn may_shoot(
        &self,
        id: UnitId,
        target: UnitId,
        near: &[(i64, UnitId)],
        enemies: &Enemies<'_>,
        seen: &mut Seen,
    ) -> Verdict<()> {
        let unit = self.shooter(id)?;
        let range = unit.profile().range;
        let Some(other) =
            self.table.unit(target).filter(|other| other.is_on_table() && other.side != unit.side)
        else {
            return Err(Refusal::rule(rule!(BC_6_13), phrase::NO_SUCH_UNIT));
        };
        let open = enemies.open(self);
        if rule!(BC_6_13).holds(!open.has(target)) {
            let rule = if self.meets(other) { rule!(BR_RAMMING_03) } else { rule!(BC_6_13) };
            return Err(Refusal::rule(rule, phrase::ENGAGED_TARGET));
        }
        let known = near.iter().find(|(_, enemy)| *enemy == target).map(|(gap, _)| *gap);
        let gap = known.unwrap_or_else(|| self.table.gap(unit, other));
        let machine_gap = other.machine_rect().map_or(gap, |machine| {
            unit.alive()
                .filter_map(|at| self.table.stand_rect(unit, at))
                .map(|own| own.gap(&machine))
                .min()
                .unwrap_or(gap)
        });
        let gap = gap.min(machine_gap);
        if rule!(BC_6_01).holds(gap > range.1 || gap < range.0) {
            return Err(Refusal::rule(rule!(BC_6_01), phrase::NOT_IN_RANGE).with("distance", cm(gap)));
        }
        let mut sees = |target: UnitId| {
            seen.of(target, || {
                unit.alive().any(|at| self.table.stand_sees(unit, at, target, range, Aim::Shot))
            })
        };
        if rule!(BC_1_02).holds(!sees(target)) {
            return Err(Refusal::rule(rule!(BC_1_02), phrase::NOT_SEEN));
        }
        if other.machine.is_some() {
            return Ok(());
        }
        for &(nearer, closer) in near {
            if nearer >= gap {
                break;
            }
            let in_tower = self.table.in_tower(unit).is_some();
            let rule = if in_tower { rule!(BR_TOWERS_24) } else { rule!(BC_6_13) };
            if nearer >= range.0 && open.has(closer) && closer != target && rule.holds(sees(closer)) {
                let name = self.table.unit(closer).map(Unit::name).unwrap_or_default();
                return Err(Refusal::rule(rule, phrase::NOT_CLOSEST).with("unit", name));
            }
        }
        Ok(())
    }

    pub(super) fn why_no_shot(&self, unit: UnitId, target: UnitId) -> Refusal {
        self.check_shot(unit, target).err().unwrap_or_else(|| Refusal::plain(phrase::NOT_NOW))
    }

    fn check_bombardment(&self, id: UnitId, element: ElementId, leaf: bool) -> Verdict<()> {
        let unit = self.shooter(id)?;
        let refused = |rule, reason| Err(Refusal::rule(rule, reason));
        let part = self.table.plan().element(element).filter(|_| self.table.stands(element));
        let Some(part) = part else { return refused(rule!(BR_R02), phrase::NO_SUCH_PLACE) };
        let lone = part.kind == Kind::LoneTower;
        let whole = self.table.options.watchtower_indestructible == WatchtowerIndestructible::Yes;
        if rule!(BR_R38).holds(lone && whole) {
            return refused(rule!(BR_R38), phrase::NOT_THIS_WAY);
        }
        if rule!(BR_R86).holds(unit.side != Side::Besieger || unit.profile().breacher.is_none()) {
            return refused(rule!(BR_R86), phrase::NOT_THIS_WAY);
        }
        let works = self.table.elements.get(usize::from(element.0)).copied().unwrap_or_default();
        if leaf && (part.kind != Kind::Gate || works.leaf_down) {
            return refused(rule!(BR_R86), phrase::NO_SUCH_PLACE);
        }
        let own = self.table.held_by(element) == Some(unit.side) || self.attacked(element, unit.side);
        if rule!(BR_RAMMING_01).holds(own) {
            return refused(rule!(BR_RAMMING_01), phrase::ENGAGED_TARGET);
        }
        if self.gunners(unit, &part.rect, !leaf).0 == 0 {
            return refused(rule!(BR_R07), phrase::NOT_IN_RANGE);
        }
        Ok(())
    }

    pub(super) fn why_no_bombardment(&self, unit: UnitId, element: ElementId, leaf: bool) -> Refusal {
        self.check_bombardment(unit, element, leaf).err().unwrap_or_else(|| Refusal::plain(phrase::NOT_NOW))
    }

    /// The stands of a gun that reach a mark and see it, and the least distance.
    fn gunners(&self, unit: &Unit, mark: &Rect, aloft: bool) -> (i32, i64) {
        let (least, most) = unit.profile().range;
        let mut count = 0;
        let mut nearest = i64::MAX;
        for at in unit.alive() {
            let Some(own) = self.table.stand_rect(unit, at).filter(|own| own.is_near(mark, most)) else {
                continue;
            };
            let gap = own.gap(mark);
            if gap <= most && gap >= least && self.table.ray(unit, at, mark, None, aloft, Aim::Shot) {
                count += 1;
                nearest = nearest.min(gap);
            }
        }
        (count, nearest)
    }

    pub(super) fn bombard(&mut self, id: UnitId, element: ElementId, leaf: bool, clerk: &mut impl Clerk) {
        let Some(unit) = self.table.unit(id).copied() else { return };
        let Some(part) = self.table.plan().element(element) else { return };
        let (stands, distance) = self.gunners(&unit, &part.rect, !leaf);
        self.table.with_unit(id, |unit| unit.marks.shot = true);
        if let Some(gun) = unit.profile().breacher {
            let hits = bombard::shoot_at(&Gun { gun, stands, distance: cm(distance) }, clerk);
            if let Some(works) = self.table.elements.get_mut(usize::from(element.0)) {
                let hits = small(hits);
                if leaf { works.leaf_hits += hits } else { works.hits += hits }
            }
        }
    }

    pub(super) fn shoot(&mut self, id: UnitId, target: UnitId, clerk: &mut impl Clerk) {
        self.table.with_unit(id, |unit| unit.marks.shot = true);
        let tower = self.table.unit(target).and_then(|other| self.table.in_tower(other));
        if let Some(tower) = tower
            && self.table.on(tower).count() > 1
        {
            self.steps.push(Step::TowerTarget(id, tower));
            return;
        }
        self.fire(id, target, clerk);
    }

    pub(super) fn open_tower_target(&mut self, tower: ElementId) -> Opened {
        match self.table.held_by(tower) {
            Some(side) => Opened::Ask(side),
            None => self.over(),
        }
    }

    pub(super) fn name_target(&mut self, target: UnitId, clerk: &mut impl Clerk) {
        if let Some(Step::TowerTarget(shooter, _)) = self.steps.pop() {
            clerk.applied(rule!(BR_R68));
            self.fire(shooter, target, clerk);
        }
    }

    /// A volley of the Shooting phase: the stands that reach the target, then those that have another
    /// closest enemy of their own.
    fn fire(&mut self, id: UnitId, target: UnitId, clerk: &mut impl Clerk) {
        let Some(unit) = self.table.unit(id).copied() else { return };
        let range = unit.profile().range;
        let sees = |at: usize, target: UnitId| self.table.stand_sees(&unit, at, target, range, Aim::Shot);
        let able = |at: &usize| !unit.is_skirmisher(*at);
        let (main, rest): (Vec<usize>, Vec<usize>) =
            unit.alive().filter(able).partition(|&at| sees(at, target));
        let mut others: Vec<(UnitId, Vec<usize>)> = Vec::new();
        for at in rest {
            let alone = self.table.enemies_of_stand(&unit, at, range.1);
            let own = alone.into_iter().map(|(_, enemy)| enemy).find(|&enemy| {
                self.table.unit(enemy).is_some_and(|foe| self.is_target(foe)) && sees(at, enemy)
            });
            let Some(own) = own.filter(|_| unit.profile().weapon != Some(shooting::Weapon::VolleyGun)) else {
                continue;
            };
            match others.iter_mut().find(|(enemy, _)| *enemy == own) {
                Some((_, stands)) => stands.push(at),
                None => others.push((own, vec![at])),
            }
        }
        others.sort_unstable();
        self.fire_at(id, &unit, target, &main, clerk);
        for (enemy, stands) in others {
            self.fire_at(id, &unit, enemy, &stands, clerk);
        }
    }

    /// Some stands of a unit shoot at an enemy unit.
    fn fire_at(&mut self, id: UnitId, unit: &Unit, target: UnitId, stands: &[usize], clerk: &mut impl Clerk) {
        let Some(other) = self.table.unit(target).copied().filter(Unit::is_on_table) else { return };
        let mut nearest: Option<(i64, Rect)> = None;
        for &at in stands {
            let Some(own) = self.table.stand_rect(unit, at) else { continue };
            let gap = other
                .alive()
                .filter_map(|to| self.table.stand_rect(&other, to))
                .chain(other.machine_rect())
                .map(|rect| own.gap(&rect))
                .min()
                .unwrap_or(0);
            if nearest.is_none_or(|(least, _)| gap < least) {
                nearest = Some((gap, own));
            }
        }
        let Some((distance, from)) = nearest else { return };
        self.told_of_shot(unit, &other, &from, clerk);
        let inside = self.table.is_inside(from.centre);
        // From a siege tower ramparts are defended, not fortified.
        let level = unit.item == Item::SiegeTower && unit.machine.is_some();
        let covered = |at: usize| match self.table.cover(&other, at, from.centre, inside) {
            Cover::Fortified if level && other.stands[at].place.element().is_some() => Cover::Defended,
            cover => cover,
        };
        let in_sight = |at: &usize| {
            self.table.stand_rect(&other, *at).is_some_and(|rect| {
                let aloft = other.stands[*at].place.element().is_some();
                stands.iter().any(|&own| self.table.ray(unit, own, &rect, Some(target), aloft, Aim::Shot))
            })
        };
        let alike = {
            let mut covers = other.alive().map(covered);
            let first = covers.next();
            covers.all(|cover| Some(cover) == first)
        };
        let mut covers: Vec<Cover> = if alike {
            other.alive().take(1).map(covered).collect()
        } else {
            other.alive().filter(in_sight).map(covered).collect()
        };
        covers.sort_unstable();
        if covers.is_empty() {
            covers.push(other.alive().map(covered).min().unwrap_or(Cover::Open));
        }
        let count = i32::try_from(stands.len()).unwrap_or(0);
        let marks: Vec<shooting::Target> = covers.iter().map(|&cover| mark(&other, cover)).collect();
        let bounces = unit.profile().weapon.is_some_and(shooting::Weapon::bounces)
            && covers.first() != Some(&Cover::Tower);
        let path = bounces.then(|| self.line_of_shot(&from, &other)).flatten();
        let further = path.map_or(0, |path| self.under(&path, &other).saturating_sub(1));
        let further = i32::try_from(further).unwrap_or(0);
        let unsaved = self.volley(unit, count, further, distance, &marks, Moment::Phase, id, clerk);
        self.struck_by(target, unsaved, from.centre, distance, clerk);
        if let Some(path) = path {
            self.bounce(id, target, &path, from.centre, clerk);
        }
    }

    /// Says by which rules of the works a shot may be aimed as it is.
    fn told_of_shot(&self, unit: &Unit, other: &Unit, from: &Rect, clerk: &mut impl Clerk) {
        let towards = other.alive().filter_map(|at| self.table.stand_rect(other, at)).next();
        let mut bases = other.alive().filter_map(|at| self.table.ground_rect(other, at));
        let behind = bases.any(|rect| self.table.behind_work(&rect, from.centre));
        for (rule, acts) in [
            (rule!(BR_TOWERS_23), self.table.in_tower(unit).is_some()),
            (rule!(BR_RAMMING_08), other.rams_at().is_some()),
            (rule!(BR_EARTHWORKS_07), behind),
            (
                rule!(BR_BREACHES_06),
                towards.is_some_and(|to| self.table.is_over_breach(from.centre, to.centre)),
            ),
        ] {
            if acts {
                clerk.applied(rule);
            }
        }
    }

    /// Hits of a volley on a unit, remembered for the drive back; those on engaged units count in the
    /// first round of their combat.
    pub(super) fn struck_by(
        &mut self,
        target: UnitId,
        unsaved: i32,
        from: tabletop::geometry::Point,
        distance: i64,
        clerk: &mut impl Clerk,
    ) {
        let Some(other) = self.table.unit(target).copied() else { return };
        let lost = self.hurt(target, unsaved, clerk);
        self.table.with_unit(target, |unit| {
            if unit.marks.engaged {
                unit.before = unit.before.saturating_add(small(unsaved));
            } else if other.machine.is_none() {
                unit.shot_hits = unit.shot_hits.saturating_add(small(unsaved));
                let gap = u16::try_from(distance).unwrap_or(u16::MAX);
                if unit.shot_from.is_none_or(|(_, known)| gap < known) {
                    unit.shot_from = Some((from, gap));
                }
            }
        });
        if lost > 0 {
            self.steps.push(Step::Casualty(target, lost));
        }
    }

    /// The way of a ball: from the gun through the closest point of the nearest stand of the target, and
    /// five centimetres beyond.
    fn line_of_shot(&self, from: &Rect, other: &Unit) -> Option<Rect> {
        let rects = other.alive().filter_map(|at| self.table.ground_rect(other, at));
        let first = rects.min_by_key(|rect| rect.gap(from))?;
        let muzzle = from.front();
        let mark = first.nearest(muzzle);
        let far = muzzle.gap_to(mark).rounded() + 500;
        let (dx, dy) = shift(muzzle, mark, from.facing, far);
        Some(Rect::strip(muzzle, muzzle.moved(dx, dy), 10))
    }

    /// Stands of a unit under the way of a ball.
    fn under(&self, path: &Rect, unit: &Unit) -> usize {
        unit.alive()
            .filter_map(|at| self.table.ground_rect(unit, at))
            .filter(|rect| path.overlaps(rect))
            .count()
    }

    /// The ball goes on: one attack for each stand of other units in its path, friends and engaged units
    /// too (core 7.2).
    fn bounce(
        &mut self,
        gun: UnitId,
        target: UnitId,
        path: &Rect,
        from: tabletop::geometry::Point,
        clerk: &mut impl Clerk,
    ) {
        let Some(unit) = self.table.unit(gun).copied() else { return };
        let struck: Vec<(UnitId, usize)> = self
            .table
            .each()
            .filter(|(id, other)| *id != gun && *id != target && other.is_on_table())
            .map(|(id, other)| (id, self.under(path, other)))
            .filter(|(_, count)| *count > 0)
            .collect();
        let inside = self.table.is_inside(from);
        for (id, count) in struck {
            let Some(other) = self.table.unit(id).copied() else { continue };
            let cover = other
                .alive()
                .filter(|&at| self.table.ground_rect(&other, at).is_some_and(|rect| path.overlaps(&rect)))
                .map(|at| self.table.cover(&other, at, from, inside))
                .min()
                .unwrap_or(Cover::Open);
            let dice = clerk.value(rule!(BC_7_03), i32::try_from(count).unwrap_or(0));
            let struck = shooting::ball(dice, &mark(&other, cover), clerk);
            let far = self.table.gap_to(from, &unit).max(self.table.gap_to(from, &other));
            self.struck_by(id, struck, from, far, clerk);
        }
    }

    // The works are tested in plan order.

    pub(super) fn structure(&mut self, from: u8, clerk: &mut impl Clerk) -> Opened {
        if self.active != Side::Besieger {
            return self.next(Step::DriveBack);
        }
        for at in from..u8::try_from(self.table.elements.len()).unwrap_or(0) {
            let element = ElementId(at);
            let Some(works) = self.table.elements.get(usize::from(at)).copied() else { break };
            let rammed = self.table.each().any(|(_, unit)| unit.rams_at() == Some(element));
            if works.down || (rammed && clerk.holds(rule!(BR_R03), true)) {
                continue;
            }
            let kind = self.part_kind(element);
            let mut fell = false;
            if kind == Element::GateTower && !works.leaf_down && (works.leaf_hits > 0 || works.leaf_dice > 0)
            {
                let resistance = Element::Gate.resistance(&self.table.options, clerk);
                let tested =
                    bombard::test(resistance, works.leaf_hits.into(), works.leaf_dice.into(), false, clerk);
                match tested {
                    Some(dice) => {
                        if let Some(works) = self.table.elements.get_mut(usize::from(at)) {
                            works.leaf_dice = small(dice);
                        }
                    }
                    None => self.leaf_falls(element, clerk),
                }
            }
            if works.hits > 0 || works.dice > 0 {
                let resistance = kind.resistance(&self.table.options, clerk);
                match bombard::test(resistance, works.hits.into(), works.dice.into(), false, clerk) {
                    Some(dice) => {
                        if let Some(works) = self.table.elements.get_mut(usize::from(at)) {
                            works.dice = small(dice);
                        }
                    }
                    None => fell = true,
                }
            }
            if fell {
                self.next(Step::Structure(at + 1));
                self.collapse(element, clerk);
                return Opened::Done;
            }
        }
        self.next(Step::DriveBack)
    }

    /// What an element is for the rules of structures.
    pub(super) fn part_kind(&self, element: ElementId) -> Element {
        match self.table.plan().element(element).map(|part| part.kind) {
            Some(Kind::Gate) => Element::GateTower,
            Some(Kind::Tower | Kind::LoneTower) => Element::Tower,
            _ => Element::Wall,
        }
    }

    pub(super) fn leaf_falls(&mut self, element: ElementId, clerk: &mut impl Clerk) {
        let opened = collapse::ruin(Element::Gate, clerk) == collapse::Ruin::OpenGate;
        if let Some(works) = self.table.elements.get_mut(usize::from(element.0)) {
            works.leaf_down = opened && clerk.holds(rule!(BR_BREACHES_09), true);
            works.leaf_dice = 0;
            works.leaf_hits = 0;
        }
        clerk.happened(|| Event::new(phrase::LEAF_DOWN));
    }

    /// An element falls: those on it are lost, posts end, characters escape.
    pub(super) fn collapse(&mut self, element: ElementId, clerk: &mut impl Clerk) {
        let kind = self.part_kind(element);
        let on_it: Vec<UnitId> = self.table.on(element).map(|(id, _)| id).collect();
        collapse::ruin(kind, clerk);
        for id in on_it {
            let Some(unit) = self.table.unit(id).copied() else { continue };
            let remains = collapse::remains(kind, &self.table.along_the_works(&unit, element), clerk);
            for at in unit.alive().filter(|&at| unit.stands[at].place.element() == Some(element)) {
                if remains.stands_lost > 0 {
                    self.kill(id, at, clerk);
                }
            }
            let Some(unit) = self.table.unit(id).copied().filter(Unit::is_on_table) else { continue };
            if remains.reforms && !self.table.is_whole(&unit) {
                self.table.with_unit(id, |unit| unit.marks.split = true);
                if unit.odd_hits > 0 {
                    self.steps.push(Step::CollapseChoice(id));
                }
            }
        }
        if let Some(works) = self.table.elements.get_mut(usize::from(element.0)) {
            *works =
                super::super::state::Works { down: true, leaf_down: works.leaf_down, ..Default::default() };
        }
        for unit in &mut self.table.units {
            if unit.along == Some(element) {
                unit.along = None;
            }
            for stand in &mut unit.stands {
                if stand.post.is_some_and(|post| post.element == element) {
                    stand.post = None;
                }
            }
        }
        let name = self.table.plan().element(element).map_or("", |part| part.id);
        clerk.happened(|| Event::new(phrase::COLLAPSED).with("element", name));
        let fallen: Vec<_> = self
            .table
            .people()
            .filter(|(_, one)| one.place == Whereabouts::On(element))
            .map(|(id, _)| id)
            .collect();
        self.steps.extend(fallen.into_iter().map(Step::Escape));
        self.release();
        self.generals(clerk);
    }

    pub(super) fn open_collapse_choice(&mut self, id: UnitId) -> Opened {
        let mut list = Vec::new();
        self.list_collapse_choice(id, &mut list);
        match self.table.unit(id) {
            Some(unit) if list.len() > 1 => Opened::Ask(unit.side),
            _ => self.over(),
        }
    }

    pub(super) fn list_collapse_choice(&self, id: UnitId, into: &mut Vec<Action>) {
        let Some(unit) = self.table.unit(id) else { return };
        let mut known = 0_u8;
        for at in unit.alive() {
            if known & (1 << at) == 0 {
                known |= self.table.group(unit, at);
                into.extend(u8::try_from(at).ok().map(Action::KeepOddHits));
            }
        }
    }

    pub(super) fn keep_odd_hits(&mut self, stand: u8) {
        if let Some(Step::CollapseChoice(id)) = self.steps.pop()
            && let Some(unit) = self.table.unit(id)
        {
            let group = self.table.group(unit, usize::from(stand));
            self.table.with_unit(id, |unit| unit.hits_on = group);
        }
    }

    // Drive backs, in the order their owner names.

    /// The dice that drive a unit back.
    fn drive_dice(&self, unit: &Unit, clerk: &mut impl Clerk) -> i32 {
        let from = unit.shot_from.map_or_else(Default::default, |(from, _)| from);
        let inside = self.table.is_inside(from);
        let cover =
            unit.alive().map(|at| self.table.cover(unit, at, from, inside)).max().unwrap_or(Cover::Open);
        shooting::drive_back_dice(&mark(unit, cover), i32::from(unit.shot_hits), &self.table.options, clerk)
    }

    pub(super) fn open_drive_back(&mut self, clerk: &mut impl Clerk) -> Opened {
        let hit: Vec<UnitId> = self
            .table
            .each()
            .filter(|(_, unit)| unit.is_on_table() && unit.shot_hits > 0 && !unit.marks.driven)
            .map(|(id, _)| id)
            .collect();
        let mut waiting = None;
        for id in hit {
            let Some(unit) = self.table.unit(id).copied() else { continue };
            if unit.marks.engaged || unit.rams_at().is_some() || self.drive_dice(&unit, clerk) == 0 {
                self.table.with_unit(id, |unit| unit.marks.driven = true);
            } else {
                waiting = Some(unit.side);
            }
        }
        match waiting {
            Some(side) => Opened::Ask(side),
            None => self.next(Step::ShootEnd),
        }
    }

    pub(super) fn list_drive_back(&self, into: &mut Vec<Action>) {
        into.extend(
            self.table
                .each()
                .filter(|(_, unit)| {
                    unit.is_on_table() && unit.shot_hits > 0 && !unit.marks.driven && !unit.marks.engaged
                })
                .map(|(id, _)| Action::DriveBack(id)),
        );
    }

    pub(super) fn drive_back(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        let Some(unit) = self.table.unit(id).copied() else { return };
        self.table.with_unit(id, |unit| unit.marks.driven = true);
        let dice = self.drive_dice(&unit, clerk);
        let driven = shooting::drive_back(&mark(&unit, Cover::Open), dice, clerk);
        if driven.confused {
            self.confuse(id, clerk);
        }
        if driven.routed {
            self.kill_all(id, clerk);
            self.generals(clerk);
            return;
        }
        clerk.happened(|| Event::new(phrase::DRIVEN).with("unit", unit.name()).with("cm", driven.cm));
        let from = unit.shot_from.map_or_else(Default::default, |(from, _)| from);
        let nearest = unit
            .alive()
            .filter_map(|at| self.table.stand_rect(&unit, at))
            .min_by_key(|rect| rect.centre.square_to(from));
        if let Some(rect) = nearest {
            let by = shift(from, rect.centre, rect.facing, i64::from(driven.cm) * 100);
            self.push_back(id, by, Why::Driven);
        }
    }
}

impl Table {
    /// The stands of a unit as they hang together along the works: whether each is on this element, which
    /// parts those before it from those behind it.
    fn along_the_works(&self, unit: &Unit, element: ElementId) -> Vec<bool> {
        let mut left = *unit;
        for stand in left.stands.iter_mut().filter(|stand| stand.place.element() == Some(element)) {
            stand.place = Place::Dead;
        }
        let first = left.alive().next().map_or(0, |at| self.group(&left, at));
        let before = usize::try_from(first.count_ones()).unwrap_or(0);
        let behind = usize::from(left.strength()).saturating_sub(before);
        let on = usize::from(unit.strength()).saturating_sub(before + behind);
        [(false, before), (true, on), (false, behind)]
            .into_iter()
            .flat_map(|(on, count)| std::iter::repeat_n(on, count))
            .collect()
    }
}
