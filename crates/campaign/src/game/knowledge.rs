//! What a side knows (section 6 of the game page): the level at which it sees each enemy hex, and the map as
//! it follows from that. Levels depend on positions and weather only; nothing of this is kept but reports.

use std::rc::Rc;

use kernel::{Clerk, MovementPoints};
use rulebook::options::campaign::Intelligence;
use rulebook::rule;
use rulebook::tables::campaign::GAME_SIZE_BANDS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::battle::Points;
use crate::map::{HexId, map};
use crate::routes::{Changed, Enemy, Field};
use crate::terms::{Army, Road, Side};

use super::muster::{self, Look};
use super::roster::{Key, LeaderId, constant, enemy, place};
use super::state::{Body, Host, Mode, Report, Span, State, Whereabouts};

/// Everything of one side in a hex, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stack {
    pub(crate) points: Points,
    /// SP that do not forage.
    pub(crate) watching: i32,
    /// Vedettes among them.
    pub(crate) vedettes: i32,
    pub(crate) commander: Option<LeaderId>,
}

impl Stack {
    pub(crate) fn forages(&self) -> bool {
        self.points.all() > 0 && self.watching == 0
    }

    pub(crate) fn only_vedettes(&self) -> bool {
        self.vedettes > 0 && self.points.all() == self.vedettes
    }
}

/// The stacks of one side, by hex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stacks(Vec<(HexId, Stack)>);

impl Stacks {
    /// The hexes of an army with everything in them.
    pub(super) fn of(host: &Host) -> Self {
        let mut stacks = Self::default();
        for (&id, leader) in host.leaders.iter() {
            if let Whereabouts::Map(hex) = leader.at {
                let stack = stacks.at(hex);
                if stack.commander.is_none_or(|other| id.seniority() < other.seniority()) {
                    stack.commander = Some(id);
                }
            }
        }
        for (&id, unit) in host.units.iter().filter(|(_, unit)| unit.sp > 0) {
            let Some(hex) = host.unit_at(id) else { continue };
            let forages = unit.leader.is_some_and(|leader| {
                host.flags.get(&host.head(leader)).is_some_and(|flags| flags.mode == Mode::Forage)
            });
            let stack = stacks.at(hex);
            stack.points.add(unit.arm, unit.sp);
            stack.watching += if forages { 0 } else { unit.sp };
        }
        for vedette in host.vedettes.values() {
            let stack = stacks.at(vedette.hex);
            stack.points.cavalry += 1;
            stack.watching += 1;
            stack.vedettes += 1;
        }
        stacks.0.sort_unstable_by_key(|(hex, _)| *hex);
        stacks
    }

    /// The stack of a hex while they are put together.
    fn at(&mut self, hex: HexId) -> &mut Stack {
        let place = self.0.iter().position(|(other, _)| *other == hex).unwrap_or_else(|| {
            self.0.push((hex, Stack::default()));
            self.0.len() - 1
        });
        &mut self.0[place].1
    }

    pub(crate) fn get(&self, hex: &HexId) -> Option<&Stack> {
        self.0.binary_search_by_key(hex, |(other, _)| *other).ok().map(|place| &self.0[place].1)
    }

    /// Whether there are troops in a hex.
    pub(crate) fn hold(&self, hex: HexId) -> bool {
        self.get(&hex).is_some_and(|stack| stack.points.all() > 0)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (HexId, &Stack)> {
        self.0.iter().map(|(hex, stack)| (*hex, stack))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = HexId> {
        self.0.iter().map(|(hex, _)| *hex)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &Stack> {
        self.0.iter().map(|(_, stack)| stack)
    }

    /// Those next to a hex.
    fn around(&self, hex: HexId) -> impl Iterator<Item = &Stack> {
        let near = move |other: HexId| {
            other != hex && other.column.abs_diff(hex.column) <= 1 && other.row.abs_diff(hex.row) <= 1
        };
        let found = self.0.iter().filter(move |(other, _)| near(*other));
        found.filter(move |(other, _)| hex.towards(*other).is_some()).map(|(_, stack)| stack)
    }
}

/// Who commands a hex, as contact shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// This leader.
    Leader(LeaderId),
    /// No leader.
    NoLeader,
    /// A vedette.
    Vedette,
}

/// What contact shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contact {
    /// Who commands.
    pub commander: Shown,
    /// 1, 2, or 3 for more.
    pub class: u8,
    /// Whether there is cavalry.
    pub cavalry: bool,
    /// The size band, if cavalry reports it.
    pub band: Option<u8>,
    /// Everything, where nothing is hidden.
    pub open: Option<[i32; 3]>,
}

/// What a side sees of an enemy hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seen {
    /// The hex.
    pub hex: HexId,
    /// Whether there is only a headquarters.
    pub headquarters: bool,
    /// Whether all of it forages.
    pub forages: bool,
    /// What contact shows.
    pub contact: Option<Contact>,
}

impl Seen {
    /// The level of the knowledge.
    #[must_use]
    pub const fn level(&self) -> u8 {
        match self.contact {
            None => 1,
            Some(Contact { open: Some(_), .. }) => 4,
            Some(Contact { band: Some(_), .. }) => 3,
            Some(_) => 2,
        }
    }
}

/// The size band of so many SP.
pub(crate) fn band(sp: i32) -> u8 {
    let row = GAME_SIZE_BANDS.iter().find(|row| (row.sp_min..=row.sp_max).contains(&sp));
    row.and_then(|row| u8::try_from(row.band).ok()).unwrap_or(0)
}

/// The least SP of a size band.
pub(crate) fn least_of(band: u8) -> i32 {
    GAME_SIZE_BANDS.iter().find(|row| row.band == i32::from(band)).map_or(1, |row| row.sp_min)
}

/// The SP of a size band, from and to; the last has no end.
pub(crate) fn range(band: u8) -> (i32, i32) {
    GAME_SIZE_BANDS
        .iter()
        .find(|row| row.band == i32::from(band))
        .map_or((1, 1), |row| (row.sp_min, row.sp_max))
}

/// The six neighbours.
pub(crate) fn around(hex: HexId) -> impl Iterator<Item = HexId> {
    (0..6).filter_map(move |direction| hex.neighbour(direction))
}

impl State {
    /// The hexes of a side with everything in them.
    pub(crate) fn stacks(&self, army: Army) -> Rc<Stacks> {
        muster::stacks(self.host(army))
    }

    /// The hexes in which a side has anything.
    pub(crate) fn occupied(&self, army: Army) -> Vec<HexId> {
        self.stacks(army).keys().collect()
    }

    /// Both armies on the map, the French first.
    pub(crate) fn armies(&self) -> [Rc<Stacks>; 2] {
        [Army::French, Army::AustroRussian].map(|army| self.stacks(army))
    }

    /// What a side, or a spectator, sees of the other.
    pub(crate) fn seen(&self, reader: Option<Army>, of: Army) -> Rc<Vec<Seen>> {
        let own = reader.map(|army| self.stacks(army)).unwrap_or_default();
        self.look(reader, own, self.stacks(of), self.public.fog)
    }

    fn look(&self, reader: Option<Army>, own: Rc<Stacks>, of: Rc<Stacks>, fog: bool) -> Rc<Vec<Seen>> {
        let intelligence = self.public.options.intelligence;
        muster::seen(Look { reader, own, of, fog, intelligence }, seen_of)
    }

    /// What each side sees of the other when the armies stand like this, the French first.
    pub(crate) fn looks(&self, armies: &[Rc<Stacks>; 2], fog: bool) -> [Rc<Vec<Seen>>; 2] {
        [Army::French, Army::AustroRussian].map(|army| {
            let [own, of] = [army, enemy(army)].map(|army| Rc::clone(&armies[place(army)]));
            self.look(Some(army), own, of, fog)
        })
    }

    /// The hexsides that are no longer as printed.
    pub(crate) fn changed(&self) -> Vec<Changed> {
        let mut list: Vec<Changed> = Vec::new();
        let mut put = |span: Span, change: &dyn Fn(Side, Road) -> (Side, Road)| {
            for (from, to) in [(span.a, span.b), (span.b, span.a)] {
                let Some(direction) = from.towards(to) else { continue };
                let cell = map().cell(from);
                let (side, road) = change(cell.sides[direction], cell.roads[direction]);
                list.retain(|one| one.from != from || one.direction != direction);
                list.push(Changed { from, direction, side, road });
            }
        };
        for &span in &self.public.damaged {
            put(span, &|side, _| (unbridged(side), Road::None));
        }
        for &(span, _) in self.public.pontoons.iter().filter(|(span, _)| !self.public.damaged.contains(span))
        {
            put(span, &|_, _| (Side::Pontoon, Road::None));
        }
        list
    }

    /// The map as a side knows it.
    pub(crate) fn known_field(&self, army: Army) -> Field<'_> {
        let seen = self.seen(Some(army), enemy(army));
        self.field_of(army, &seen, &[])
    }

    /// The same with some hexes that count as held, for the ends of lines.
    pub(crate) fn field_of(&self, army: Army, seen: &[Seen], ends: &[HexId]) -> Field<'_> {
        let enemies: Vec<Enemy> = seen
            .iter()
            .filter(|seen| !seen.headquarters)
            .map(|seen| Enemy {
                hex: seen.hex,
                sp: i64::from(seen.contact.map_or(3, |contact| contact.class)) * 100,
                cavalry: seen.contact.is_none_or(|contact| contact.cavalry),
                foraging: seen.forages,
            })
            .collect();
        self.field_with(army, &enemies, ends)
    }

    /// The map as it is, seen from a side.
    pub(crate) fn true_field(&self, army: Army, ends: &[HexId]) -> Field<'_> {
        let enemies: Vec<Enemy> = self
            .stacks(enemy(army))
            .iter()
            .filter(|(_, stack)| stack.points.all() > 0)
            .map(|(hex, stack)| Enemy {
                hex,
                sp: i64::from(stack.points.all()) * 100,
                cavalry: stack.points.cavalry > 0,
                foraging: stack.forages(),
            })
            .collect();
        self.field_with(army, &enemies, ends)
    }

    fn field_with(&self, army: Army, enemies: &[Enemy], ends: &[HexId]) -> Field<'_> {
        let own = self.stacks(army);
        let mut friends: Vec<HexId> =
            own.iter().filter(|(_, stack)| stack.points.all() > 0).map(|(hex, _)| hex).collect();
        friends.extend(ends);
        let weather = self.public.weather;
        Field::changed(map(), weather, self.kind(), enemies, &friends, self.changed(), &self.public.options)
    }

    /// The length of the line between two hexes, if there is one of at most 18 MP.
    pub(crate) fn line(&self, field: &Field<'_>, from: HexId, to: HexId) -> Option<MovementPoints> {
        let most = MovementPoints::whole(constant(Key::Supply));
        if from == to {
            return Some(MovementPoints::ZERO);
        }
        field.lines_from(from, most).cost(to)
    }

    /// Where the lines of a side end: its active centre, and every own source free of the enemy.
    pub(crate) fn line_ends(&self, army: Army, held: impl Fn(HexId) -> bool) -> Vec<HexId> {
        if self.kind() == crate::terms::Game::Battle {
            return vec![self.base(army).source];
        }
        let mut ends: Vec<HexId> = self.centre_active(army).into_iter().collect();
        let sources = map().sources(army);
        ends.extend(sources.iter().copied().filter(|&source| rule!(CC_5_9_02).holds(!held(source))));
        ends
    }

    /// Whether a hex has, in truth, a line of communication.
    pub(crate) fn has_line(&self, army: Army, from: HexId, clerk: &mut impl Clerk) -> bool {
        let reached = self.line_by(army, from, &self.true_field(army, &[]));
        clerk.holds(rule!(CC_6_1_01), reached)
    }

    /// Whether a hex has a line of communication on this map.
    pub(crate) fn line_by(&self, army: Army, from: HexId, field: &Field<'_>) -> bool {
        let ends = self.line_ends(army, |hex| field.is_occupied(hex));
        let most = MovementPoints::whole(constant(Key::Supply));
        ends.contains(&from) || field.lines_to(&ends, most).cost(from).is_some()
    }

    /// Adds the reports of what has just been seen for the first time in this player turn.
    pub(crate) fn report(&mut self, armies: &[Rc<Stacks>; 2]) {
        let turn = self.public.turn;
        let looks = self.looks(armies, self.public.fog);
        for (army, looked) in [Army::French, Army::AustroRussian].into_iter().zip(looks) {
            let host = self.host_mut(army);
            for &seen in looked.iter() {
                let level = seen.level();
                if level < 2 || host.reported.contains(&(seen.hex, level)) {
                    continue;
                }
                host.reported.push((seen.hex, level));
                host.reports.push(Report { turn, seen });
            }
        }
    }

    /// Where a body stands.
    pub(crate) fn body_at(&self, army: Army, body: Body) -> Option<HexId> {
        let host = self.host(army);
        match body {
            Body::Formation(head) => host.leader_at(head),
            Body::Vedette(number) => host.vedettes.get(&number).map(|vedette| vedette.hex),
        }
    }
}

/// A river whose bridge is gone.
pub(crate) const fn unbridged(side: Side) -> Side {
    match side {
        Side::PrimaryBridge => Side::PrimaryRiver,
        Side::SecondaryBridge => Side::SecondaryRiver,
        other => other,
    }
}

/// What is seen of stacks by whoever has these own ones.
fn seen_of(look: &Look) -> Vec<Seen> {
    let open = look.intelligence == Intelligence::Open && look.reader.is_some();
    let fog = look.fog && !open;
    let mut list = Vec::with_capacity(look.of.0.len());
    for (hex, stack) in look.of.iter() {
        let (mut near, mut touched, mut scouted) = (false, false, false);
        for stack in look.own.around(hex) {
            near = true;
            touched |= stack.points.all() > 0;
            scouted |= stack.points.cavalry > 0;
        }
        if rule!(CC_4_01).holds(fog && !near) {
            continue;
        }
        let sp = stack.points.all();
        let contact = (rule!(CC_16_01).holds(touched) || open).then(|| Contact {
            commander: match stack.commander {
                _ if stack.only_vedettes() && stack.commander.is_none() => Shown::Vedette,
                Some(leader) => Shown::Leader(leader),
                None => Shown::NoLeader,
            },
            class: u8::try_from(sp.min(3)).unwrap_or(3),
            cavalry: stack.points.cavalry > 0,
            band: (rule!(CC_16_02).holds(scouted) || open).then(|| band(sp)),
            open: open.then_some([stack.points.infantry, stack.points.cavalry, stack.points.artillery]),
        });
        list.push(Seen { hex, headquarters: sp == 0, forages: stack.forages(), contact });
    }
    list
}
