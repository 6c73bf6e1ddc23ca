//! Marches by path (section 5 of the game page): the validator, what each step does, and the candidates.

use kernel::{Clerk, Desk, Event, MovementPoints, Phrase, Refusal, RuleId, Scripted, Silent, Verdict};
use rulebook::tables::campaign::GAME_GOALS;
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::map::{HexId, HexSet, map};
use crate::routes::Field;
use crate::terms::{Arm, Army, Game, Hex, Road, Side};
use crate::terrain;

use super::action::Action;
use super::knowledge::{Seen, Stacks, around};
use super::roster::{self, Key, LeaderId, constant, enemy, halves, hex, place};
use super::state::{Body, Hand, Mode, State, Whereabouts, Why};

pub(crate) fn quiet() -> Desk<Scripted<'static>, Silent> {
    Desk::new(Scripted::new(&[]), Silent)
}

/// Hexes between two hexes.
pub(crate) fn distance(one: HexId, other: HexId) -> i32 {
    let axial = |hex: HexId| {
        let (column, row) = (i32::from(hex.column), i32::from(hex.row));
        (column, row - (column + (column & 1)) / 2)
    };
    let ((q, r), (to_q, to_r)) = (axial(one), axial(other));
    let (q, r) = (to_q - q, to_r - r);
    q.abs().max(r.abs()).max((q + r).abs())
}

/// What a step costs infantry and cavalry, in halves.
pub(crate) type Pay = [i16; 2];

/// What may still be spent, per arm, with what of it is extended march.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purse {
    /// What is left of the ordinary march, if the arm is there.
    pub(crate) left: [Option<i16>; 2],
    /// What may be added.
    pub(crate) extension: i16,
}

/// Why a path cannot be marched, before it is put into words: many are tried while a list is made.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// There is nobody to march.
    Nobody,
    /// A hex of the path is wrong.
    Path(Phrase, HexId),
    /// A rule stops it in a hex.
    Rule(RuleId, Phrase, HexId),
    /// An arm has only so much left.
    Spent(RuleId, HexId, i16),
    /// The chart says why.
    Chart(Refusal),
    /// It leads no nearer to the guns.
    NotNearer,
}

impl Stop {
    fn refusal(self) -> Refusal {
        match self {
            Self::Nobody => Refusal::plain(phrase::NOT_NOW),
            Self::Path(reason, hex) => Refusal::field("path", reason).with("hex", hex.called()),
            Self::Rule(rule, reason, hex) => Refusal::rule(rule, reason).with("hex", hex.called()),
            Self::Spent(rule, hex, left) => Refusal::rule(rule, phrase::TOO_FAR)
                .with("hex", hex.called())
                .with("mp", MovementPoints::halves(i32::from(left.max(0)))),
            Self::Chart(refusal) => refusal,
            Self::NotNearer => Refusal::rule(rule!(CC_10_4_01), phrase::NOT_NEARER),
        }
    }
}

/// The first two rules of the validator: hex by hex, none twice, and no seen enemy in any of them.
fn check_hexes(start: HexId, path: &[HexId], field: &Field<'_>) -> Result<(), Stop> {
    let refused = |reason, hex: HexId| Err(Stop::Path(reason, hex));
    let mut at = start;
    for (place, &next) in path.iter().enumerate() {
        if at.towards(next).is_none() || !map().cell(next).in_play {
            return refused(phrase::NO_WAY, next);
        }
        if next == start || path[..place].contains(&next) {
            return refused(phrase::HEX_TWICE, next);
        }
        at = next;
    }
    match path.iter().find(|&&hex| field.is_occupied(hex)) {
        Some(&hex) => refused(phrase::ENEMY_THERE, hex),
        None => Ok(()),
    }
}

impl State {
    /// Whether the zone of control of a hex reaches over one of its sides.
    pub(crate) fn reaches(&self, from: HexId, to: HexId) -> bool {
        let Some(direction) = from.towards(to) else { return false };
        let side = self.way(from, direction).0;
        let side = terrain::in_weather(side, self.public.weather, &self.public.options, &mut quiet());
        !matches!(side, Side::Lake | Side::PrimaryRiver)
    }

    /// The hexes of an army that exert a zone of control on a hex.
    pub(crate) fn exerting(&self, of: Army, on: HexId) -> Vec<HexId> {
        self.exerted(&self.stacks(of), on).collect()
    }

    /// Those of some stacks that do.
    fn exerted(&self, stacks: &Stacks, on: HexId) -> impl Iterator<Item = HexId> {
        let near = around(on).filter(|next| stacks.get(next).is_some_and(|stack| stack.watching > 0));
        near.filter(move |&next| self.reaches(next, on))
    }

    /// What lies on a hexside now, and the road over it.
    pub(crate) fn way(&self, from: HexId, direction: usize) -> (Side, Road) {
        if !self.public.damaged.is_empty() || !self.public.pontoons.is_empty() {
            let changed = self.changed();
            if let Some(one) = changed.iter().find(|one| one.from == from && one.direction == direction) {
                return (one.side, one.road);
            }
        }
        let cell = map().cell(from);
        (cell.sides[direction], cell.roads[direction])
    }

    /// What a body in hand may still spend.
    pub(crate) fn purse(&self, side: Army, hand: Hand) -> Purse {
        let host = self.host(side);
        match (hand.body, hand.why) {
            (Body::Vedette(number), _) => {
                let spent = host.vedettes.get(&number).map_or(0, |vedette| vedette.spent);
                Purse { left: [None, Some(halves(Key::AllowanceCavalry) - spent)], extension: 0 }
            }
            (Body::Formation(head), Why::March) => {
                let flags = host.flags(head);
                let [foot, horse] = self.allowance(side, head);
                let extends = flags.command
                    && self.kind() == Game::Campaign
                    && flags.mode == Mode::Normal
                    && host.strength(head).all() > 0;
                Purse {
                    left: [
                        foot.map(|most| most - flags.foot - flags.worked),
                        horse.map(|most| most - flags.horse - flags.worked),
                    ],
                    extension: if extends { halves(Key::ExtendedMost) } else { 0 },
                }
            }
            (Body::Formation(head), Why::Forced { foot, horse } | Why::Guns { foot, horse, .. }) => {
                let [on_foot, mounted] = self.allowance(side, head);
                Purse { left: [on_foot.map(|_| foot), mounted.map(|_| horse)], extension: 0 }
            }
        }
    }

    /// What a step costs the arms that are there; nothing where it cannot be made.
    fn pay(&self, purse: &Purse, from: HexId, to: HexId, field: &Field<'_>) -> Verdict<Option<Pay>> {
        let Some(direction) = from.towards(to) else { return Ok(None) };
        let mut pay = [0; 2];
        for (place, arm) in [Arm::Infantry, Arm::Cavalry].into_iter().enumerate() {
            if purse.left[place].is_none() {
                continue;
            }
            pay[place] = match field.pace(arm, from, direction) {
                Some(cost) => i16::try_from(cost).unwrap_or(i16::MAX),
                // Why it cannot be made, the chart says.
                None => match field.step(arm, from, direction, &mut quiet())? {
                    Some(cost) => i16::try_from(cost.count()).unwrap_or(i16::MAX),
                    None => return Ok(None),
                },
            };
        }
        Ok(Some(pay))
    }

    /// The validator: what the steps of a path cost.
    pub(crate) fn plan(
        &self,
        side: Army,
        hand: Hand,
        path: &[HexId],
        seen: &[Seen],
        field: &Field<'_>,
    ) -> Verdict<Vec<Pay>> {
        self.steps(side, hand, path, seen, field).map_err(Stop::refusal)
    }

    /// What the steps of a path cost, or what stops it.
    pub(crate) fn steps(
        &self,
        side: Army,
        hand: Hand,
        path: &[HexId],
        seen: &[Seen],
        field: &Field<'_>,
    ) -> Result<Vec<Pay>, Stop> {
        let Some(start) = self.body_at(side, hand.body) else { return Err(Stop::Nobody) };
        if path.is_empty() {
            return Err(Stop::Path(phrase::NO_WAY, start));
        }
        let purse = self.purse(side, hand);
        let mut at = start;
        let mut pays = Vec::with_capacity(path.len());
        let mut spent = [0; 2];
        check_hexes(start, path, field)?;
        // One arm has its allowance; of two, the first that is spent stops both.
        let mixed = purse.left.iter().all(Option::is_some);
        let spending = if mixed { rule!(CC_7_2_01) } else { rule!(CC_7_1_01) };
        for (place, &next) in path.iter().enumerate() {
            if place + 1 < path.len() && rule!(CA_R56).holds(field.in_zone(next)) {
                return Err(Stop::Rule(rule!(CA_R56), phrase::ZONE_ON_WAY, next));
            }
            if place == 0 {
                self.check_slip(side, hand.body, at, next, seen)?;
            }
            let pay = self.pay(&purse, at, next, field).map_err(Stop::Chart)?;
            let pay = pay.ok_or(Stop::Path(phrase::NO_WAY, next))?;
            let mut extended = false;
            for arm in 0..2 {
                spent[arm] += pay[arm];
                let Some(left) = purse.left[arm] else { continue };
                if spending.holds(spent[arm] > left + purse.extension) {
                    return Err(Stop::Spent(spending, next, left));
                }
                extended |= spent[arm] > left;
            }
            if rule!(CC_7_3_01).holds(extended && field.in_zone(next)) {
                return Err(Stop::Rule(rule!(CC_7_3_01), phrase::NOT_EXTENDED, next));
            }
            pays.push(pay);
            at = next;
        }
        self.check_guns_way(hand, start, at)?;
        Ok(pays)
    }

    /// Out of the zone of an enemy hex into another hex of it: once per enemy hex and phase.
    fn check_slip(&self, side: Army, body: Body, from: HexId, to: HexId, seen: &[Seen]) -> Result<(), Stop> {
        let Body::Formation(head) = body else { return Ok(()) };
        let Some(flags) = self.host(side).flags.get(&head).filter(|flags| !flags.slipped.is_empty()) else {
            return Ok(());
        };
        let again = self.slips(from, to, seen).into_iter().find(|hex| flags.slipped.contains(hex));
        match again {
            Some(hex) if rule!(CC_8_2_01).holds(true) => {
                Err(Stop::Rule(rule!(CC_8_2_01), phrase::SLIPPED, hex))
            }
            _ => Ok(()),
        }
    }

    /// The enemy hexes in whose zones both hexes lie.
    fn slips(&self, from: HexId, to: HexId, seen: &[Seen]) -> Vec<HexId> {
        let reaches = |hex: HexId, to: HexId| self.reaches(hex, to);
        let exerting = seen.iter().filter(|seen| !seen.headquarters && !seen.forages);
        exerting.map(|seen| seen.hex).filter(|&hex| reaches(hex, from) && reaches(hex, to)).collect()
    }

    /// A march to the guns ends nearer to them, or where the battle is joined.
    fn check_guns_way(&self, hand: Hand, from: HexId, to: HexId) -> Result<(), Stop> {
        let (Why::Guns { .. }, Some(battle)) = (hand.why, &self.public.battle) else { return Ok(()) };
        if distance(to, battle.hex) < distance(from, battle.hex)
            || to == battle.hex
            || to.towards(battle.hex).is_some()
        {
            return Ok(());
        }
        Err(Stop::NotNearer)
    }

    /// Walks a path that was planned, as far as it goes; gives back whether the last hex was reached.
    pub(crate) fn walk(&mut self, side: Army, path: &[HexId], clerk: &mut impl Clerk) -> bool {
        let Some(hand) = self.host(side).hand else { return false };
        let seen = self.seen(Some(side), enemy(side));
        let field = self.field_of(side, &seen, &[]);
        let Ok(pays) = self.steps(side, hand, path, &seen, &field) else { return false };
        let start = self.body_at(side, hand.body);
        let slips = match (start, path.first()) {
            (Some(from), Some(&to)) => self.slips(from, to, &seen),
            _ => Vec::new(),
        };
        drop(field);
        if let Body::Formation(head) = hand.body {
            self.host_mut(side).flags_mut(head).slipped.extend(slips);
        }
        // The enemy does not move meanwhile; who is alone in the way is no obstacle.
        let theirs = self.stacks(enemy(side));
        let mut reached = true;
        for (&next, pay) in path.iter().zip(pays) {
            if theirs.hold(next) {
                reached = false;
                break;
            }
            self.spend(side, pay);
            self.place_body(side, hand.body, next);
            let troops = match hand.body {
                Body::Vedette(_) => true,
                Body::Formation(head) => self.host(side).strength(head).all() > 0,
            };
            self.entered(side, next, troops, clerk);
            let held = self.exerted(&theirs, next).next().is_some();
            if clerk.holds(rule!(CA_R56), held) {
                reached = path.last() == Some(&next);
                break;
            }
        }
        clerk.happened(|| {
            let at = self.body_at(side, hand.body).map(HexId::called).unwrap_or_default();
            Event::new(phrase::MARCHED_ON).with("who", hand.body.name()).with("hex", at).only_for(place(side))
        });
        reached
    }

    /// Takes movement points for a step.
    fn spend(&mut self, side: Army, pay: Pay) {
        let own_turn = self.public.phasing == side;
        let host = self.host_mut(side);
        let Some(mut hand) = host.hand else { return };
        match hand.body {
            Body::Vedette(number) => {
                if let Some(vedette) = host.vedettes.get_mut(&number) {
                    vedette.spent += pay[1];
                }
            }
            Body::Formation(head) => {
                let larger = pay[0].max(pay[1]);
                let flags = host.flags_mut(head);
                match &mut hand.why {
                    Why::March => {
                        flags.foot += pay[0];
                        flags.horse += pay[1];
                    }
                    Why::Forced { foot, horse } => {
                        // In the enemy's turn it is paid for by itself; the own march is remembered.
                        if own_turn {
                            flags.foot += pay[0];
                            flags.horse += pay[1];
                        }
                        flags.forced += larger;
                        *foot -= pay[0];
                        *horse -= pay[1];
                    }
                    Why::Guns { foot, horse, gone } => {
                        *foot -= pay[0];
                        *horse -= pay[1];
                        *gone += larger;
                    }
                }
            }
        }
        host.hand = Some(hand);
    }

    /// Puts a body into a hex.
    pub(crate) fn place_body(&mut self, side: Army, body: Body, to: HexId) {
        let host = self.host_mut(side);
        match body {
            Body::Vedette(number) => {
                if let Some(vedette) = host.vedettes.get_mut(&number) {
                    vedette.hex = to;
                }
            }
            Body::Formation(head) => {
                for leader in host.tree(head) {
                    if let Some(found) = host.leaders.get_mut(&leader) {
                        found.at = Whereabouts::Map(to);
                    }
                }
                if host.flags(head).goal == Some(to) {
                    host.flags_mut(head).goal = None;
                }
            }
        }
    }

    /// Somebody of this side is in a hex that he was not in before: leaders alone, control, centre, pontoons.
    pub(crate) fn entered(&mut self, side: Army, at: HexId, troops: bool, clerk: &mut impl Clerk) {
        let other = enemy(side);
        if troops {
            let lone: Vec<LeaderId> = self.host(other).all_at(at).leaders;
            for leader in lone {
                clerk.applied(rule!(CA_R59));
                self.lone_leader(other, leader, clerk);
            }
            if self.base(other).centre == Some(at) {
                self.displace(other, at, clerk);
            }
            let foot = self.host(side).all_at(at);
            let foot = self.host(side).force_points(&foot);
            if foot.infantry + foot.artillery > 0 {
                let taken = self
                    .public
                    .pontoons
                    .iter_mut()
                    .filter(|(span, army)| *army == other && (span.a == at || span.b == at));
                for (_, army) in taken {
                    *army = side;
                }
            }
        }
        self.settle(side, at, clerk);
    }

    /// A place belongs to whoever has troops in it that are no vedettes.
    pub(crate) fn settle(&mut self, side: Army, at: HexId, clerk: &mut impl Clerk) {
        let here = self.host(side).all_at(at);
        let troops = self.host(side).points(&here.units).all() > 0;
        let Some(holder) = self.public.control.get_mut(&at) else { return };
        if *holder != side && clerk.holds(rule!(CC_18_1_01), troops) {
            *holder = side;
            self.public.captures.retain(|(hex, _)| *hex != at);
            self.public.captures.push((at, side));
            clerk.happened(|| Event::new(phrase::TAKEN).with("hex", at.called()));
        }
    }

    /// A centre that the enemy entered goes back along its road.
    fn displace(&mut self, army: Army, from: HexId, clerk: &mut impl Clerk) {
        if self.kind() == Game::Battle {
            return;
        }
        let source = self.base(army).source;
        let bare = Field::changed(
            map(),
            self.public.weather,
            self.kind(),
            &[],
            &[],
            self.changed(),
            &self.public.options,
        );
        let ways = bare.primary_roads(from);
        let path = ways.path(source);
        let held = self.stacks(enemy(army));
        let least = usize::try_from(constant(Key::CentreDisplaced)).unwrap_or(0);
        let fits = |at: &HexId| {
            matches!(map().cell(*at).hex, Hex::Town | Hex::Depot | Hex::Citadel)
                && self.public.control.get(at) == Some(&army)
                && held.get(at).is_none_or(|stack| stack.points.all() == 0)
        };
        let found = path.into_iter().skip(least).find(|at| fits(at));
        let found = clerk.rather(rule!(CC_5_9_01), found, Some(from));
        let own_turn = self.public.own_turns[place(army)];
        let base = self.base_mut(army);
        base.centre = found;
        base.active_from = own_turn + 2;
        clerk.happened(|| Event::new(phrase::DISPLACED).with("hex", from.called()));
    }

    /// The marches that are offered to what is in hand.
    pub(crate) fn marches(&self, side: Army, hand: Hand, into: &mut Vec<Action>) {
        let seen = self.seen(Some(side), enemy(side));
        let field = self.field_of(side, &seen, &[]);
        let Some(start) = self.body_at(side, hand.body) else { return };
        let purse = self.purse(side, hand);
        let place = usize::from(purse.left[0].is_none());
        let Some(left) = purse.left[place] else { return };
        let points = |halves: i16| MovementPoints::halves(i32::from(halves.max(0)));
        let Some(ways) = Self::ways_of(start, &purse, &field) else { return };
        // Nearest first, then by number; what the ordinary march reaches comes first.
        let reached: Vec<(MovementPoints, HexId)> = ways.reached().filter(|(_, hex)| *hex != start).collect();
        let common = reached.partition_point(|(cost, _)| *cost <= points(left));
        let ordinary = || reached[..common].iter().map(|(_, hex)| *hex);
        let mut ends: Vec<HexId> = Vec::new();
        let nearest = |goal: HexId, within: &[(MovementPoints, HexId)]| {
            within.iter().min_by_key(|(_, hex)| distance(*hex, goal)).map(|(_, hex)| *hex)
        };
        let goals = self.goals(side, &seen, start);
        let most = usize::try_from(constant(Key::CandidatesGoal)).unwrap_or(0);
        ends.extend(goals.iter().take(most).filter_map(|&goal| nearest(goal, &reached[..common])));
        if common < reached.len() {
            ends.extend(goals.iter().take(2).filter_map(|&goal| nearest(goal, &reached)));
        }
        let contact = usize::try_from(constant(Key::CandidatesContact)).unwrap_or(0);
        let touched: HexSet =
            seen.iter().filter(|seen| !seen.headquarters).flat_map(|seen| around(seen.hex)).collect();
        ends.extend(ordinary().filter(|&hex| touched.has(hex)).take(contact));
        let host = self.host(side);
        let friends: HexSet = host.heads().into_iter().filter_map(|head| host.leader_at(head)).collect();
        let join = usize::try_from(constant(Key::CandidatesJoin)).unwrap_or(0);
        ends.extend(ordinary().filter(|&hex| friends.has(hex)).take(join));
        if let (Why::Guns { .. }, Some(battle)) = (hand.why, &self.public.battle) {
            ends.extend(nearest(battle.hex, &reached[..common]));
            ends.extend(around(battle.hex));
        }
        ends.sort_unstable();
        ends.dedup();
        for end in ends {
            let path = ways.path(end);
            let mut path = path.get(1..).unwrap_or_default().to_vec();
            while !path.is_empty() {
                if self.steps(side, hand, &path, &seen, &field).is_ok() {
                    into.push(Action::March(path));
                    break;
                }
                path.pop();
            }
        }
    }

    /// Whether a march is offered to what is in hand, by the first of them alone.
    pub(crate) fn may_march(&self, side: Army, hand: Hand) -> bool {
        let seen = self.seen(Some(side), enemy(side));
        let field = self.field_of(side, &seen, &[]);
        let Some(start) = self.body_at(side, hand.body) else { return false };
        let purse = self.purse(side, hand);
        let Some(left) = purse.left[0].or(purse.left[1]) else { return false };
        let most = MovementPoints::halves(i32::from(left.max(0)));
        let Some(ways) = Self::ways_of(start, &purse, &field) else { return false };
        let Some(&goal) = self.goals(side, &seen, start).first() else { return false };
        let within = ways.reached().skip(1).take_while(|(cost, _)| *cost <= most);
        let Some((_, end)) = within.min_by_key(|(_, hex)| distance(*hex, goal)) else { return false };
        let path = ways.path(end);
        self.steps(side, hand, path.get(1..).unwrap_or_default(), &seen, &field).is_ok()
    }

    /// Where a side would go, the first first.
    fn goals(&self, side: Army, seen: &[Seen], start: HexId) -> Vec<HexId> {
        let host = self.host(side);
        let mut goals: Vec<HexId> = Vec::new();
        goals.extend(self.base(side).centre);
        goals.extend(self.base(enemy(side)).centre);
        let stacks = seen.iter().filter(|seen| !seen.headquarters).map(|seen| seen.hex);
        goals.extend(stacks.min_by_key(|&hex| (distance(start, hex), hex)));
        let heaviest = host.heads().into_iter().max_by_key(|&head| (host.strength(head).all(), head));
        goals.extend(heaviest.and_then(|head| host.leader_at(head)));
        let name = self.public.scenario.name();
        let table = GAME_GOALS.iter().filter(|row| row.scenario == name && roster::army(row.side) == side);
        goals.extend(table.map(|row| hex(row.hex)));
        let mut distinct: Vec<HexId> = Vec::new();
        for goal in goals {
            if goal != start && !distinct.contains(&goal) {
                distinct.push(goal);
            }
        }
        distinct
    }

    /// The way of a standing goal, cut at the ordinary allowance and before a known enemy zone.
    pub(crate) fn standing_way(&self, side: Army, head: LeaderId, goal: HexId) -> Vec<HexId> {
        let hand = Hand { body: Body::Formation(head), why: Why::March };
        let seen = self.seen(Some(side), enemy(side));
        let field = self.field_of(side, &seen, &[]);
        let Some(start) = self.host(side).leader_at(head) else { return Vec::new() };
        let purse = self.purse(side, hand);
        let arm = if purse.left[0].is_some() { Arm::Infantry } else { Arm::Cavalry };
        let ways = field.ways_where(start, MovementPoints::whole(1_000), |from, direction| {
            let next = from.neighbour(direction)?;
            if field.in_zone(next) && next != goal {
                return None;
            }
            field.pace(arm, from, direction).map(|cost| MovementPoints::halves(cost.into()))
        });
        let path = ways.path(goal);
        let mut path = path.get(1..).unwrap_or_default().to_vec();
        let ordinary = Purse { extension: 0, ..purse };
        while !path.is_empty() {
            let fits = self.steps(side, hand, &path, &seen, &field).is_ok_and(|pays| {
                (0..2).all(|arm| {
                    let spent: i16 = pays.iter().map(|pay| pay[arm]).sum();
                    ordinary.left[arm].is_none_or(|left| spent <= left)
                })
            });
            if fits {
                break;
            }
            path.pop();
        }
        path
    }

    /// The road over a hexside.
    pub(crate) fn road(&self, from: HexId, to: HexId) -> Road {
        from.towards(to).map_or(Road::None, |direction| self.way(from, direction).1)
    }
}
