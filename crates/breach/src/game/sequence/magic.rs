//! Magic (sections 3.3 and 3.5 of the game page; section 12 of the core rules, BR-R59 and BR-R110): a Wizard
//! and a spell enter; what it does leaves, unless a Runesmith cancels it. Played with the option `magic`.

use kernel::{Clerk, Event, Phrase, Refusal, Verdict};
use rulebook::options::breach::{MachineOrders, Magic};
use rulebook::phrase::breach_game as phrase;
use rulebook::rule;
use tabletop::geometry::Point;

use crate::command::Character as Rank;
use crate::lists::Line;
use crate::shooting::{self, Cover, Moment, Shooter, Weapon};

use super::super::action::{Action, Spell};
use super::super::geometry::{Rect, shift};
use super::super::plan::{ElementId, Kind, Terrain};
use super::super::profile::{Troop, profile};
use super::super::state::{
    Casting, Character, CharacterId, State, Step, Table, Unit, UnitId, Whereabouts, cm,
};
use super::Opened;
use super::reaction::mark;

/// How far a spell reaches.
const REACH: i64 = 3_000;
/// How near to a Runesmith a spell is cast that he can cancel.
const RUNES: i64 = 5_000;
/// A list is no longer than this.
const MOST: usize = 126;
/// So many units of his own side are offered to a Wizard who teleports.
const GOALS: usize = 12;

/// No spell across standing walls.
fn unless_barred(barred: bool) -> Verdict<()> {
    if rule!(BR_R59).holds(barred) {
        return Err(Refusal::rule(rule!(BR_R59), phrase::BEHIND_WALLS));
    }
    Ok(())
}

impl Spell {
    /// What a die must show.
    fn needed(self, clerk: &mut impl Clerk) -> i32 {
        match self {
            Self::FireLine(_) => clerk.value(rule!(BC_12_05), 5),
            Self::CommandVoice(_) => clerk.value(rule!(BC_12_06), 5),
            Self::Dread(_) => clerk.value(rule!(BC_12_07), 4),
            Self::Teleport(_) => clerk.value(rule!(BC_12_09), 2),
        }
    }

    /// Its mark on a unit that it has affected in this turn.
    const fn mark(self) -> u8 {
        match self {
            Self::FireLine(_) => 1,
            Self::CommandVoice(_) => 2,
            Self::Dread(_) => 4,
            Self::Teleport(_) => 0,
        }
    }

    const fn name(self) -> Phrase {
        match self {
            Self::FireLine(_) => phrase::SPELL_FIRE_LINE,
            Self::CommandVoice(_) => phrase::SPELL_COMMAND_VOICE,
            Self::Dread(_) => phrase::SPELL_DREAD,
            Self::Teleport(_) => phrase::SPELL_TELEPORT,
        }
    }
}

impl Character {
    /// Whether he has a spell left in this phase.
    fn may_cast(&self) -> bool {
        let rank = profile(self.side.army(), Troop::Line(self.line)).character;
        rank == Some(Rank::Wizard) && !rule!(BC_12_01).holds(self.casting == Casting::Done)
    }
}

impl Unit {
    /// How far it goes at its full pace: at half of it in dread.
    pub(super) fn reach(&self) -> i64 {
        let (full, half) = self.paces();
        if rule!(BC_12_07).holds(self.marks.dread) { half } else { full }
    }

    /// Whether it assaults works, or fights on them.
    fn is_fighting_at_works(&self) -> bool {
        let on_works = |at: usize| self.stands[at].place.element().is_some();
        self.is_posted() || self.along.is_some() || (self.marks.engaged && self.alive().any(on_works))
    }
}

impl State {
    /// The Wizards of the active side who may cast, with their places.
    fn casters(&self) -> impl Iterator<Item = (CharacterId, Point)> {
        let played = rule!(BR_R59).holds(self.table.options.magic == Magic::On);
        let able = |id: CharacterId| self.table.character(id).is_some_and(Character::may_cast);
        self.speakers().filter(move |(id, _)| played && able(*id))
    }

    /// The spells that may be cast.
    pub(super) fn list_casts(&self, into: &mut Vec<Action>) {
        for (character, from) in self.casters() {
            let mut offer = |spell: Spell| {
                if into.len() < MOST && self.check_cast(character, spell).is_ok() {
                    into.push(Action::Cast { character, spell });
                }
            };
            for (unit, _) in self.table.each().filter(|(_, unit)| unit.is_on_table()) {
                for spell in [Spell::FireLine(unit), Spell::CommandVoice(unit), Spell::Dread(unit)] {
                    offer(spell);
                }
            }
            let own = self.table.of_side(self.active).filter(|(_, unit)| unit.is_on_table());
            let mut near: Vec<(i64, UnitId)> =
                own.map(|(id, unit)| (self.table.gap_to(from, unit), id)).collect();
            near.sort_unstable();
            for (_, unit) in near.into_iter().take(GOALS) {
                offer(Spell::Teleport(Whereabouts::With(unit)));
            }
        }
    }

    /// Whether a spell may be cast, and from where.
    pub(super) fn check_cast(&self, id: CharacterId, spell: Spell) -> Verdict<Point> {
        let caster = self.casters().find(|(known, _)| *known == id);
        let (Some((_, from)), Some(wizard)) = (caster, self.table.character(id)) else {
            return Err(Refusal::rule(rule!(BC_12_01), phrase::NO_WIZARD));
        };
        match spell {
            Spell::FireLine(target) | Spell::Dread(target) => {
                let unit = self.check_mark(wizard, from, spell, target)?;
                if rule!(BC_12_04).holds(unit.side == wizard.side) {
                    return Err(Refusal::rule(rule!(BC_12_04), phrase::NO_SUCH_UNIT));
                }
                if rule!(BC_12_04).holds(!self.table.is_in_view(wizard, from, target)) {
                    return Err(Refusal::rule(rule!(BC_12_04), phrase::NOT_SEEN));
                }
            }
            Spell::CommandVoice(target) => {
                let unit = self.check_mark(wizard, from, spell, target)?;
                if rule!(BC_12_06).holds(unit.side != wizard.side || self.is_closed(unit)) {
                    return Err(Refusal::rule(rule!(BC_12_06), phrase::NO_ORDERS));
                }
            }
            Spell::Teleport(to) => {
                if rule!(BC_12_09).holds(wizard.casting == Casting::Another) {
                    return Err(Refusal::rule(rule!(BC_12_09), phrase::OTHER_SPELL));
                }
                self.way_to(wizard, from, to)?;
                unless_barred(self.table.is_barred(wizard, from, to))?;
            }
        }
        Ok(from)
    }

    /// The unit a spell is cast at, if it is near enough, not behind walls and not affected yet.
    fn check_mark(&self, wizard: &Character, from: Point, spell: Spell, target: UnitId) -> Verdict<&Unit> {
        let Some(unit) = self.table.unit(target).filter(|unit| unit.is_on_table()) else {
            return Err(Refusal::rule(rule!(BC_12_04), phrase::NO_SUCH_UNIT));
        };
        if rule!(BC_12_03).holds(unit.spells & spell.mark() != 0) {
            return Err(Refusal::rule(rule!(BC_12_03), phrase::SPELL_TWICE));
        }
        let gap = self.table.gap_to(from, unit);
        if rule!(BC_12_04).holds(gap > REACH) {
            return Err(Refusal::rule(rule!(BC_12_04), phrase::NOT_IN_RANGE).with("distance", cm(gap)));
        }
        unless_barred(self.table.is_barred(wizard, from, Whereabouts::With(target)))?;
        Ok(unit)
    }

    /// Whether a unit cannot move by a spell.
    fn is_closed(&self, unit: &Unit) -> bool {
        let once = self.table.options.machine_orders == MachineOrders::OnePerTurn;
        unit.marks.engaged
            || unit.marks.charged
            || unit.is_confused()
            || unit.rams_at().is_some()
            || unit.profile().engine
            || (once && unit.item.moves_once() && unit.marks.moved_once)
    }

    pub(super) fn cast(&mut self, id: CharacterId, spell: Spell, clerk: &mut impl Clerk) {
        let Ok(from) = self.check_cast(id, spell) else { return };
        clerk.applied(rule!(BC_12_01));
        self.with_caster(id, |one| one.casting = Casting::Done);
        let needed = spell.needed(clerk);
        let die = i32::from(clerk.d6());
        let works = clerk.holds(rule!(BC_12_02), die == 6 || (die != 1 && die >= needed));
        let who = self.table.character(id).map(Character::name).unwrap_or_default();
        let worked = if works { phrase::SPELL_WORKED } else { phrase::SPELL_FAILED };
        clerk.happened(|| {
            Event::new(phrase::SPELL_CAST).with("who", who).with("spell", spell.name()).with("worked", worked)
        });
        if !works {
            return;
        }
        if clerk.holds(rule!(BC_12_10), self.is_near_runes(from)) {
            self.steps.push(Step::Dispel(id, spell));
        } else {
            self.work(id, spell, clerk);
        }
    }

    fn with_caster(&mut self, id: CharacterId, change: impl FnOnce(&mut Character)) {
        if let Some(one) = self.table.characters.get_mut(usize::from(id.0)) {
            change(one);
        }
    }

    /// Whether a Runesmith of the other side is near.
    fn is_near_runes(&self, from: Point) -> bool {
        let theirs = |one: &Character| one.side != self.active && one.line == Line::Runesmith;
        let mut smiths = self.table.people().filter(|(_, one)| theirs(one));
        smiths
            .any(|(_, one)| self.table.whereabouts(one).is_some_and(|at| at.gap_to(from).rounded() <= RUNES))
    }

    // The Runesmith's attempt.

    pub(super) fn open_dispel(&self) -> Opened {
        Opened::Ask(self.active.other())
    }

    pub(super) fn dispel(&mut self, attempt: bool, clerk: &mut impl Clerk) {
        let Some(Step::Dispel(id, spell)) = self.steps.pop() else { return };
        if attempt {
            let needed = clerk.value(rule!(BC_12_10), 4);
            let cancelled = i32::from(clerk.d6()) >= needed;
            let told = if cancelled { phrase::SPELL_CANCELLED } else { phrase::SPELL_NOT_CANCELLED };
            clerk.happened(|| Event::new(told));
            if cancelled {
                return;
            }
        }
        self.work(id, spell, clerk);
    }

    // What spells do.

    fn work(&mut self, id: CharacterId, spell: Spell, clerk: &mut impl Clerk) {
        match spell {
            Spell::FireLine(target) => self.line_of_fire(id, spell, target, clerk),
            Spell::CommandVoice(unit) => {
                self.table.with_unit(unit, |unit| unit.spells |= spell.mark());
                self.hand.waiting = vec![unit];
                self.hand.half = false;
                self.steps.push(Step::Move);
            }
            Spell::Dread(unit) => self.table.with_unit(unit, |unit| {
                unit.spells |= spell.mark();
                unit.marks.dread = true;
            }),
            Spell::Teleport(to) => self.with_caster(id, |one| {
                one.place = to;
                one.casting = Casting::Another;
            }),
        }
    }

    /// Shooting attacks on every unit under a straight line.
    fn line_of_fire(&mut self, id: CharacterId, spell: Spell, target: UnitId, clerk: &mut impl Clerk) {
        let Some(wizard) = self.table.character(id).copied() else { return };
        let Some(from) = self.table.whereabouts(&wizard) else { return };
        let Some(first) = self.table.unit(target).and_then(|unit| self.table.nearest_stand(unit, from))
        else {
            return;
        };
        let (dx, dy) = shift(from, first.nearest(from), first.facing, REACH);
        let path = Rect::strip(from, from.moved(dx, dy), 10);
        let under = |table: &Table, unit: &Unit, at: usize| {
            table.stand_rect(unit, at).is_some_and(|rect| path.overlaps(&rect))
        };
        let struck: Vec<UnitId> = self
            .table
            .each()
            .filter(|(unit, other)| {
                let to = Whereabouts::With(*unit);
                wizard.place != to
                    && other.alive().any(|at| under(&self.table, other, at))
                    && (*unit == target || !self.table.is_barred(&wizard, from, to))
            })
            .map(|(unit, _)| unit)
            .collect();
        let inside = self.table.is_inside(from);
        for unit in struck {
            let Some(other) = self.table.unit(unit).copied() else { continue };
            if other.spells & spell.mark() != 0 && clerk.holds(rule!(BC_12_03), true) {
                continue;
            }
            let stands = other.alive().filter(|&at| under(&self.table, &other, at));
            let covers = stands.map(|at| self.table.cover(&other, at, from, inside));
            let cover = covers.min().unwrap_or(Cover::Open);
            let attack = clerk.value(rule!(BC_12_05), 3);
            let shooter = Shooter { weapon: Weapon::Bow, stands: 1, attack, further_stands: 0 };
            let gap = self.table.gap_to(from, &other);
            let aimed = shooting::aim(&shooter, cm(gap), &mark(&other, cover), Moment::Phase, clerk);
            let Ok(volley) = aimed else { continue };
            let unsaved = shooting::roll_in_turn(&[volley], other.profile().hits, clerk).unsaved;
            self.table.with_unit(unit, |unit| unit.spells |= spell.mark());
            self.struck_by(unit, unsaved, from, gap, clerk);
        }
    }
}

impl Table {
    /// How far a unit charges: at half pace in dread.
    pub(super) fn charge_reach(&self, unit: &Unit) -> i64 {
        let pace = self.charge_pace(unit);
        if rule!(BC_12_07).holds(unit.marks.dread) { pace.min(unit.paces().1) } else { pace }
    }

    /// The stand of a unit nearest to a place.
    fn nearest_stand(&self, unit: &Unit, from: Point) -> Option<Rect> {
        let rects = unit.alive().filter_map(|at| self.stand_rect(unit, at));
        rects.min_by_key(|rect| rect.gap_to(from))
    }

    /// The elements that a character or those he is with stand on.
    fn footing(&self, place: Whereabouts) -> Vec<ElementId> {
        match place {
            Whereabouts::On(element) => vec![element],
            Whereabouts::With(unit) => self.unit(unit).map_or_else(Vec::new, |unit| {
                unit.alive().filter_map(|at| unit.stands[at].place.element()).collect()
            }),
            _ => Vec::new(),
        }
    }

    /// Whether standing walls lie between a Wizard and a place, or a unit that neither assaults nor fights
    /// there.
    fn is_barred(&self, wizard: &Character, from: Point, to: Whereabouts) -> bool {
        let goal = match to {
            Whereabouts::With(unit) => match self.unit(unit) {
                Some(unit) if unit.is_fighting_at_works() => return false,
                Some(unit) => self.nearest_stand(unit, from).map(|rect| rect.centre),
                None => None,
            },
            Whereabouts::At(point) => Some(point),
            Whereabouts::On(element) => self.works_rect(element).map(|rect| rect.centre),
            Whereabouts::Reserve | Whereabouts::Out | Whereabouts::Slain => None,
        };
        let Some(goal) = goal.filter(|goal| *goal != from) else { return false };
        let line = Rect::strip(from, goal, 0);
        let (own, their) = (self.footing(wizard.place), self.footing(to));
        self.plan().each().any(|(id, part)| {
            let wall = part.kind != Kind::LoneTower && !(part.kind == Kind::Gate && self.gate_is_open(id));
            let apart = !own.contains(&id) && !their.contains(&id);
            wall && apart && self.stands(id) && part.rect.overlaps(&line)
        })
    }

    /// Whether a Wizard sees a unit: nothing but the works lies on a straight line to one of its stands.
    fn is_in_view(&self, wizard: &Character, from: Point, target: UnitId) -> bool {
        let Some(unit) = self.unit(target) else { return false };
        let (own, their) = (self.footing(wizard.place), self.footing(Whereabouts::With(target)));
        let mut solid: Vec<Rect> = Vec::new();
        // From the works, and up to them, one looks over everybody.
        if own.is_empty() && their.is_empty() {
            for (id, other) in self.each() {
                if id != target && wizard.place != Whereabouts::With(id) {
                    solid.extend(self.bases(other).chain(other.machine_rect()));
                }
            }
        }
        solid.extend(self.plan().each().filter_map(|(id, part)| {
            let apart = !own.contains(&id) && !their.contains(&id);
            (part.kind == Kind::LoneTower && self.stands(id) && apart).then_some(part.rect)
        }));
        let stands = unit.alive().filter_map(|at| self.stand_rect(unit, at));
        stands.chain(unit.machine_rect()).any(|mark| {
            mark.corners.into_iter().chain([mark.centre]).any(|point| {
                let line = Rect::strip(from, point, 0);
                let bars = |(kind, ground): &(Terrain, Rect)| match kind {
                    Terrain::Building => ground.overlaps(&line),
                    Terrain::Wood => !ground.holds(from) && !ground.holds(point) && ground.overlaps(&line),
                    Terrain::Broken | Terrain::Field | Terrain::Hedge => false,
                };
                let clear =
                    !solid.iter().any(|base| base.overlaps(&line)) && !self.plan().terrain.iter().any(bars);
                from == point || clear
            })
        })
    }
}
