//! What a side knows (section 6 of the game page): the level at which it sees each enemy hex, and the map as
//! it follows from that. Levels depend on positions and weather only; nothing of this is kept but reports.

use std::collections::BTreeMap;

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

use super::roster::{Key, LeaderId, constant, enemy};
use super::state::{Body, Mode, Report, Span, State};

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
    pub(crate) fn stacks(&self, army: Army) -> BTreeMap<HexId, Stack> {
        let host = self.host(army);
        let mut stacks: BTreeMap<HexId, Stack> = BTreeMap::new();
        for &leader in host.leaders.keys() {
            if let Some(hex) = host.leader_at(leader) {
                let stack = stacks.entry(hex).or_default();
                let first = stack.commander.is_none_or(|other| leader.seniority() < other.seniority());
                if first {
                    stack.commander = Some(leader);
                }
            }
        }
        for (&id, unit) in &host.units {
            let Some(hex) = host.unit_at(id).filter(|_| unit.sp > 0) else { continue };
            let forages = unit.leader.is_some_and(|leader| {
                host.flags.get(&host.head(leader)).is_some_and(|flags| flags.mode == Mode::Forage)
            });
            let stack = stacks.entry(hex).or_default();
            match unit.arm {
                crate::terms::Arm::Infantry => stack.points.infantry += unit.sp,
                crate::terms::Arm::Cavalry => stack.points.cavalry += unit.sp,
                crate::terms::Arm::Artillery => stack.points.artillery += unit.sp,
            }
            stack.watching += if forages { 0 } else { unit.sp };
        }
        for vedette in host.vedettes.values() {
            let stack = stacks.entry(vedette.hex).or_default();
            stack.points.cavalry += 1;
            stack.watching += 1;
            stack.vedettes += 1;
        }
        // A post of cadres without any SP is nothing on the map.
        stacks.retain(|_, stack| stack.points.all() > 0 || stack.commander.is_some());
        stacks
    }

    /// The hexes in which a side has anything.
    pub(crate) fn occupied(&self, army: Army) -> Vec<HexId> {
        self.stacks(army).into_keys().collect()
    }

    /// What a side, or a spectator, sees of the other.
    pub(crate) fn seen(&self, reader: Option<Army>, of: Army) -> Vec<Seen> {
        let own = reader.map(|army| self.stacks(army)).unwrap_or_default();
        let open = self.public.options.intelligence == Intelligence::Open && reader.is_some();
        let fog = self.public.fog && !open;
        let mut list = Vec::new();
        for (hex, stack) in self.stacks(of) {
            let near: Vec<&Stack> = around(hex).filter_map(|next| own.get(&next)).collect();
            if rule!(CC_4_01).holds(fog && near.is_empty()) {
                continue;
            }
            let touched = near.iter().any(|stack| stack.points.all() > 0);
            let scouted = near.iter().any(|stack| stack.points.cavalry > 0);
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
            .into_iter()
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
            own.into_iter().filter(|(_, stack)| stack.points.all() > 0).map(|(hex, _)| hex).collect();
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
        field.lines_within(from, true, most).cost(to)
    }

    /// Where the lines of a side end: its active centre, and every own source free of the enemy.
    pub(crate) fn line_ends(&self, army: Army, held: impl Fn(HexId) -> bool) -> Vec<HexId> {
        if self.kind() == crate::terms::Game::Battle {
            return vec![self.base(army).source];
        }
        let mut ends: Vec<HexId> = self.centre_active(army).into_iter().collect();
        let sources = map().sources(army);
        ends.extend(sources.into_iter().filter(|&source| rule!(CC_5_9_02).holds(!held(source))));
        ends
    }

    /// Whether a hex has a line of communication.
    pub(crate) fn has_line(&self, army: Army, from: HexId, truth: bool, clerk: &mut impl Clerk) -> bool {
        let seen;
        let field = if truth {
            self.true_field(army, &[])
        } else {
            seen = self.seen(Some(army), enemy(army));
            self.field_of(army, &seen, &[])
        };
        let ends = self.line_ends(army, |hex| field.is_occupied(hex));
        if ends.contains(&from) {
            return true;
        }
        let most = MovementPoints::whole(constant(Key::Supply));
        let ways = field.lines_within(from, true, most);
        // The ends are exempt from the test of zones: the last step may enter one.
        let reached = ends.iter().any(|&end| {
            ways.cost(end).is_some()
                || field.in_zone(end) && !field.is_occupied(end) && {
                    let last = self.ended(army, truth, end);
                    last.lines_within(from, true, most).cost(end).is_some()
                }
        });
        clerk.holds(rule!(CC_6_1_01), reached)
    }

    fn ended(&self, army: Army, truth: bool, end: HexId) -> Field<'_> {
        if truth {
            self.true_field(army, &[end])
        } else {
            let seen = self.seen(Some(army), enemy(army));
            self.field_of(army, &seen, &[end])
        }
    }

    /// Adds the reports of what has just been seen for the first time in this player turn.
    pub(crate) fn report(&mut self) {
        for army in [Army::French, Army::AustroRussian] {
            let turn = self.public.turn;
            for seen in self.seen(Some(army), enemy(army)) {
                let level = seen.level();
                let host = self.host_mut(army);
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
