//! Retreat, pursuit and advance (section 3.11).

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::battle::Points;
use crate::map::{HexId, map};
use crate::pursuit::{self, Path, Pursuit};
use crate::routes::Field;
use crate::terms::{Army, Crossing, Game, Hex, Party, Side};
use crate::terrain;

use super::super::action::Action;
use super::super::march::{distance, quiet};
use super::super::roster::{Key, LeaderId, constant, enemy};
use super::super::state::{Body, Flight, Force, Group, Hand, Host, Owed, Phase, State, Walk, Whereabouts};
use super::{Opened, not_now};

impl State {
    pub(super) fn open_retreat(&mut self, clerk: &mut impl Clerk) -> Opened {
        if self.public.walk.is_none() {
            self.begin_retreat();
        }
        self.open_walk(clerk)
    }

    /// The groups of the losing force, by hex.
    fn begin_retreat(&mut self) {
        let Some(battle) = &self.public.battle else { return };
        let loser = usize::from(battle.loser.unwrap_or(0));
        let army = battle.army(loser);
        let away_from = if loser == 1 { battle.main } else { battle.hex };
        let length = battle.numbers[loser];
        let host = self.host(army);
        let force = &host.force;
        let mut hexes: Vec<HexId> =
            force.leaders.iter().filter_map(|&leader| host.leader_at(leader)).collect();
        hexes.extend(force.units.iter().filter_map(|&unit| host.unit_at(unit)));
        hexes.extend(force.vedettes.iter().filter_map(|id| host.vedettes.get(id)).map(|vedette| vedette.hex));
        hexes.sort_unstable();
        hexes.dedup();
        let part = |hex: HexId| Force {
            leaders: force.leaders.iter().copied().filter(|&one| host.leader_at(one) == Some(hex)).collect(),
            units: force.units.iter().copied().filter(|&one| host.unit_at(one) == Some(hex)).collect(),
            vedettes: force
                .vedettes
                .iter()
                .copied()
                .filter(|id| host.vedettes.get(id).is_some_and(|vedette| vedette.hex == hex))
                .collect(),
        };
        let parts: Vec<Force> = hexes.iter().map(|&hex| part(hex)).collect();
        let groups = hexes.iter().zip(&parts).map(|(&from, part)| Group {
            from,
            path: Vec::new(),
            left: length,
            blocked: 0,
            zone: false,
            off: false,
            sp: host.force_points(part).all(),
        });
        let walk = Walk { army, flight: Flight::Battle, enemy: away_from, groups: groups.collect() };
        self.public.walk = Some(walk);
        self.host_mut(army).groups = parts;
    }

    /// Goes on with a retreat.
    pub(super) fn open_walk(&mut self, clerk: &mut impl Clerk) -> Opened {
        let Some(walk) = &self.public.walk else { return Opened::Done };
        let army = walk.army;
        let Some(place) = walk.groups.iter().position(|group| group.left > 0) else {
            return self.walked(clerk);
        };
        if !self.next_hexes(place).is_empty() {
            return Opened::Ask(army);
        }
        let at = walk.groups[place].at();
        let home = self.kind() == Game::Campaign && map().sources(army).contains(&at);
        let leaves = clerk.holds(rule!(CA_R74), home && walk.flight == Flight::Battle);
        if leaves {
            self.leave_map(army, place, at, clerk);
        }
        if let Some(group) = self.public.walk.as_mut().and_then(|walk| walk.groups.get_mut(place)) {
            group.off = leaves;
            if !leaves {
                group.blocked = group.left;
            }
            group.left = 0;
        }
        Opened::Done
    }

    /// A group goes off the map at its own source and comes back later.
    fn leave_map(&mut self, army: Army, place: usize, at: HexId, clerk: &mut impl Clerk) {
        let back = clerk.value(rule!(CC_13_3_02), constant(Key::OffMapReturn));
        let turn = self.public.turn.saturating_add(u8::try_from(back).unwrap_or(0));
        let due = Whereabouts::Due { hex: at, turn };
        let Some(group) = self.host(army).groups.get(place).cloned() else { return };
        let host = self.host_mut(army);
        for leader in &group.leaders {
            if let Some(found) = host.leaders.get_mut(leader) {
                found.at = due;
            }
        }
        for unit in &group.units {
            if let Some(found) = host.units.get_mut(unit).filter(|unit| unit.leader.is_none()) {
                found.at = if found.sp > 0 { due } else { Whereabouts::Lost };
            }
        }
        let lost = group.vedettes.iter().filter(|id| host.vedettes.remove(id).is_some()).count();
        self.lost_in_action(army, [0, i32::try_from(lost).unwrap_or(0), 0]);
    }

    /// The legal next hexes of a group: the best class that is not empty, towards the goal (CA-R61).
    fn next_hexes(&self, place: usize) -> Vec<HexId> {
        let Some(walk) = &self.public.walk else { return Vec::new() };
        let Some(group) = walk.groups.get(place) else { return Vec::new() };
        let at = group.at();
        let field = self.known_field(walk.army);
        let own = self.stacks(walk.army);
        let now = distance(at, walk.enemy);
        let mut classes: [Vec<HexId>; 4] = Default::default();
        for next in super::super::knowledge::around(at) {
            let away = distance(next, walk.enemy);
            let legal = map().cell(next).in_play && next != group.from && !group.path.contains(&next);
            if !legal || self.shut(at, next, &field) || !rule!(CC_13_1_01).holds(away >= now) {
                continue;
            }
            let friends = own.get(&next).is_some_and(|stack| stack.points.all() > 0);
            let zone = field.in_zone(next) && !friends;
            classes[usize::from(away == now) * 2 + usize::from(zone)].push(next);
        }
        let Some(best) = classes.into_iter().find(|class| !class.is_empty()) else { return Vec::new() };
        let base = self.base(walk.army);
        let goal = base.centre.unwrap_or(base.source);
        let home: Vec<HexId> =
            best.iter().copied().filter(|&next| distance(next, goal) <= distance(at, goal)).collect();
        let mut found = if home.is_empty() { best } else { home };
        found.sort_unstable();
        found
    }

    /// Whether a step of a retreat is shut: by an enemy who is seen, or by water.
    fn shut(&self, at: HexId, next: HexId, field: &Field<'_>) -> bool {
        rule!(CC_13_2_01).holds(field.is_occupied(next) || !self.infantry_passes(at, next))
    }

    fn turn_of(&self) -> Option<usize> {
        self.public.walk.as_ref()?.groups.iter().position(|group| group.left > 0)
    }

    pub(super) fn list_retreat(&self, into: &mut Vec<Action>) {
        let Some(place) = self.turn_of() else { return };
        into.extend(self.next_hexes(place).into_iter().map(Action::RetreatTo));
        into.push(Action::RetreatRest);
    }

    pub(super) fn check_retreat(&self, action: &Action) -> Verdict<()> {
        let Some(place) = self.turn_of() else { return not_now() };
        match action {
            Action::RetreatRest => Ok(()),
            Action::RetreatTo(hex) if rule!(CA_R61).holds(self.next_hexes(place).contains(hex)) => Ok(()),
            Action::RetreatTo(hex) => {
                let walk =
                    self.public.walk.as_ref().and_then(|walk| Some((walk.army, walk.groups.get(place)?)));
                let shut =
                    walk.is_some_and(|(army, group)| self.shut(group.at(), *hex, &self.known_field(army)));
                let rule = if shut { rule!(CC_13_2_01) } else { rule!(CA_R61) };
                Err(Refusal::rule(rule, phrase::NO_RETREAT).with("hex", hex.called()))
            }
            _ => not_now(),
        }
    }

    pub(super) fn act_retreat(&mut self, action: &Action, clerk: &mut impl Clerk) {
        let Some(place) = self.turn_of() else { return };
        match *action {
            Action::RetreatTo(hex) => self.retreat_step(place, hex, clerk),
            _ => {
                clerk.applied(rule!(CA_R83));
                while self.turn_of() == Some(place) {
                    let Some(next) = self.rest_step(place) else { break };
                    self.retreat_step(place, next, clerk);
                }
            }
        }
    }

    /// The step that needs no asking: nearest to the goal, then along roads, then the lower hex.
    fn rest_step(&self, place: usize) -> Option<HexId> {
        let walk = self.public.walk.as_ref()?;
        let at = walk.groups.get(place)?.at();
        let base = self.base(walk.army);
        let goal = base.centre.unwrap_or(base.source);
        let road = |next: HexId| match self.road(at, next) {
            crate::terms::Road::Primary => 0,
            crate::terms::Road::Secondary => 1,
            crate::terms::Road::None => 2,
        };
        let next = self.next_hexes(place).into_iter();
        next.min_by_key(|&next| (distance(next, goal), road(next), next))
    }

    fn retreat_step(&mut self, place: usize, to: HexId, clerk: &mut impl Clerk) {
        let Some(army) = self.public.walk.as_ref().map(|walk| walk.army) else { return };
        clerk.applied(rule!(CC_13_1_01));
        let Some(members) = self.host(army).groups.get(place).cloned() else { return };
        let held = !self.exerting(enemy(army), to).is_empty();
        let friends = self.stacks(army).get(&to).is_some_and(|stack| stack.points.all() > 0);
        let freed = held && clerk.holds(rule!(CC_8_3_01), friends);
        let host = self.host_mut(army);
        for leader in &members.leaders {
            if let Some(found) = host.leaders.get_mut(leader) {
                found.at = Whereabouts::Map(to);
            }
        }
        for unit in &members.units {
            if let Some(found) = host.units.get_mut(unit).filter(|unit| unit.leader.is_none() && unit.sp > 0)
            {
                found.at = Whereabouts::Map(to);
            }
        }
        for id in &members.vedettes {
            if let Some(vedette) = host.vedettes.get_mut(id) {
                vedette.hex = to;
            }
        }
        let heads: Vec<LeaderId> = members.leaders.iter().map(|&leader| host.head(leader)).collect();
        for head in heads {
            host.flags_mut(head).goal = None;
        }
        if let Some(group) = self.public.walk.as_mut().and_then(|walk| walk.groups.get_mut(place)) {
            group.path.push(to);
            group.left -= 1;
            group.zone |= held && !freed;
        }
        let troops = self.host(army).force_points(&members).all() > 0;
        self.entered(army, to, troops, clerk);
        clerk.happened(|| Event::new(phrase::RETREATS).with("hex", to.called()));
    }

    /// Everybody has gone as far as he can.
    fn walked(&mut self, clerk: &mut impl Clerk) -> Opened {
        let Some(walk) = self.public.walk.clone() else { return Opened::Done };
        match walk.flight {
            Flight::Battle => self.goes_to(Phase::Pursue),
            Flight::Repulse => {
                self.public.walk = None;
                let members = std::mem::take(&mut self.host_mut(walk.army).groups);
                let Some(group) = walk.groups.first() else { return Opened::Done };
                if group.path.is_empty() {
                    let vedettes: Vec<u8> = members.iter().flat_map(|one| one.vedettes.clone()).collect();
                    let alone = members.iter().all(|one| self.host(walk.army).points(&one.units).all() == 0);
                    if alone {
                        self.lose_vedettes(walk.army, &vedettes);
                    } else if let Some(Hand { body: Body::Formation(head), .. }) =
                        self.host(enemy(walk.army)).hand
                    {
                        self.repulse_failed(enemy(walk.army), head, group.from, clerk);
                    }
                }
                Opened::Done
            }
            Flight::Vedettes => {
                let groups = std::mem::take(&mut self.host_mut(walk.army).groups);
                for (group, members) in walk.groups.iter().zip(groups) {
                    if clerk.holds(rule!(CC_2_7_03), group.blocked > 0) {
                        self.lose_vedettes(walk.army, &members.vedettes);
                    }
                }
                self.public.walk = None;
                let attacker = enemy(walk.army);
                let heads = self.force_heads(attacker);
                self.host_mut(attacker).pursuers = heads;
                if let Some(battle) = &mut self.public.battle {
                    battle.limit = 1;
                }
                self.goes_to(Phase::Advance)
            }
        }
    }

    fn lose_vedettes(&mut self, army: Army, vedettes: &[u8]) {
        let host = self.host_mut(army);
        let lost = vedettes.iter().filter(|id| host.vedettes.remove(id).is_some()).count();
        let lost = i32::try_from(lost).unwrap_or(0);
        self.lost_in_action(army, [0, lost, 0]);
        if let Some(battle) = &mut self.public.battle {
            let party = usize::from(battle.attacker != army);
            battle.lost[party] += lost;
        }
    }

    /// Who may pursue.
    fn may_pursue(&self) -> Vec<LeaderId> {
        let Some(battle) = &self.public.battle else { return Vec::new() };
        let loser = usize::from(battle.loser.unwrap_or(0));
        let winner = 1 - loser;
        let garrison = winner == 1 && map().cell(battle.hex).hex == Hex::Citadel;
        if garrison || battle.numbers[loser] == 0 {
            return Vec::new();
        }
        self.force_heads(battle.army(winner))
    }

    pub(super) fn open_pursue(&mut self) -> Opened {
        let Some(battle) = &self.public.battle else { return self.goes_to(Phase::Combat) };
        let army = battle.army(1 - usize::from(battle.loser.unwrap_or(0)));
        if self.may_pursue().is_empty() {
            return self.goes_to(Phase::Toll);
        }
        Opened::Ask(army)
    }

    pub(super) fn list_pursue(&self, side: Army, into: &mut Vec<Action>) {
        let heads = self.may_pursue();
        let host = self.host(side);
        let mounted: Vec<LeaderId> =
            heads.iter().copied().filter(|&head| host.strength(head).cavalry > 0).collect();
        into.push(Action::NoPursuit);
        into.extend(heads.iter().take(8).map(|&head| Action::Pursue(vec![head])));
        if !mounted.is_empty() {
            into.push(Action::Pursue(mounted));
        }
        into.push(Action::Pursue(heads));
    }

    pub(super) fn check_pursue(&self, _: Army, action: &Action) -> Verdict<()> {
        match action {
            Action::NoPursuit => Ok(()),
            Action::Pursue(heads) => {
                if heads.is_empty() || heads.windows(2).any(|pair| pair[0] >= pair[1]) {
                    return Err(Refusal::field("formations", phrase::NOT_SORTED));
                }
                let may = self.may_pursue();
                match heads.iter().find(|head| rule!(CC_14_1_01).holds(!may.contains(head))) {
                    Some(head) => {
                        Err(Refusal::rule(rule!(CC_14_1_01), phrase::NOT_IN_BATTLE)
                            .with("leader", head.name()))
                    }
                    None => Ok(()),
                }
            }
            _ => not_now(),
        }
    }

    /// The group that is pursued: the strongest, then the lower hex.
    fn main_group(&self) -> Option<&Group> {
        let walk = self.public.walk.as_ref()?;
        walk.groups.iter().min_by_key(|group| (-group.sp, group.from))
    }

    pub(super) fn act_pursue(&mut self, side: Army, action: &Action, clerk: &mut impl Clerk) {
        let Action::Pursue(heads) = action else {
            self.public.phase = Phase::Toll;
            return;
        };
        let Some(battle) = self.public.battle.clone() else { return };
        let loser = usize::from(battle.loser.unwrap_or(0));
        let winner = 1 - loser;
        clerk.applied(rule!(CC_14_1_01));
        let (mut asked, mut state) = self.engagement(&battle, clerk);
        let host = self.host(side);
        let mut leaders: Vec<LeaderId> = Vec::new();
        let mut pursuing = Points::default();
        for &head in heads {
            leaders.extend(host.tree(head));
            pursuing.infantry += host.strength(head).infantry;
        }
        let initiative = Host::commander(&leaders).map_or(0, LeaderId::initiative);
        asked.forces[winner].initiative = initiative;
        // The horse of the whole forces counts (CA-R25); whether all ride is asked of the pursuers.
        state.left[winner].infantry = pursuing.infantry;
        let options = self.public.options;
        let party = if winner == 0 { Party::Attacker } else { Party::Defender };
        let modifier = asked.pursuit_modifier(&state, party, &options, clerk);
        let retreat = battle.numbers[loser];
        let number = pursuit::roll(&Pursuit { initiative, retreat, modifier }, &options, clerk).advance;
        let (room, open) = self.main_group().map_or((0, 0), |group| {
            let length = i32::try_from(group.path.len()).unwrap_or(0);
            let room = pursuit::room(length + group.blocked, group.blocked);
            let held = self.stacks(enemy(side));
            let way = std::iter::once(&group.from).chain(&group.path);
            let free = way.take_while(|hex| held.get(hex).is_none_or(|stack| stack.points.all() == 0));
            (room, i32::try_from(free.count()).unwrap_or(0))
        });
        if let Some(battle) = &mut self.public.battle {
            battle.pursuit = number;
            battle.limit = number.min(room).min(open);
        }
        self.host_mut(side).pursuers = heads.clone();
        clerk.happened(|| Event::new(phrase::PURSUES).with("number", number));
        self.public.phase = Phase::Advance;
    }

    pub(super) fn open_advance(&mut self) -> Opened {
        let Some(battle) = &self.public.battle else { return self.goes_to(Phase::Combat) };
        let army = battle.army(1 - usize::from(battle.loser.unwrap_or(1)));
        let army = if battle.quiet { battle.attacker } else { army };
        let hex = battle.hex;
        let emptied = battle.quiet || battle.eliminated;
        let held = self.stacks(enemy(army)).get(&hex).is_some_and(|stack| stack.points.all() > 0);
        if battle.limit == 0 || self.host(army).pursuers.is_empty() || (emptied && held) {
            return self.goes_to(if emptied { Phase::BattleEnd } else { Phase::Toll });
        }
        Opened::Ask(army)
    }

    pub(super) fn list_advance(&self, into: &mut Vec<Action>) {
        let limit = self.public.battle.as_ref().map_or(0, |battle| battle.limit);
        into.extend((0..=limit).filter_map(|number| u8::try_from(number).ok()).map(Action::Advance));
    }

    pub(super) fn check_advance(&self, action: &Action) -> Verdict<()> {
        let limit = self.public.battle.as_ref().map_or(0, |battle| battle.limit);
        match action {
            Action::Advance(number) if rule!(CC_14_3_01).holds(i32::from(*number) <= limit) => Ok(()),
            Action::Advance(_) => {
                Err(Refusal::rule(rule!(CC_14_3_01), phrase::TOO_FAR).with("hex", "").with("mp", limit))
            }
            _ => not_now(),
        }
    }

    pub(super) fn act_advance(&mut self, action: &Action, clerk: &mut impl Clerk) {
        let &Action::Advance(number) = action else { return };
        let Some(battle) = self.public.battle.clone() else { return };
        let emptied = battle.quiet || battle.eliminated;
        let army =
            if emptied { battle.attacker } else { battle.army(1 - usize::from(battle.loser.unwrap_or(1))) };
        let way: Vec<HexId> = if emptied {
            vec![battle.hex]
        } else {
            self.main_group()
                .map(|group| std::iter::once(group.from).chain(group.path.clone()).collect())
                .unwrap_or_default()
        };
        let pursuers = self.host(army).pursuers.clone();
        for &hex in way.iter().take(usize::from(number)) {
            clerk.applied(rule!(CA_R72));
            for &head in &pursuers {
                self.place_body(army, Body::Formation(head), hex);
                self.entered(army, hex, true, clerk);
            }
        }
        if let Some(battle) = &mut self.public.battle {
            battle.advanced = i32::from(number);
        }
        clerk.happened(|| Event::new(phrase::ADVANCES).with("hexes", i32::from(number)));
        self.public.phase = if emptied { Phase::BattleEnd } else { Phase::Toll };
    }

    /// What the water of a step is to a retreat.
    fn crossing(&self, from: HexId, to: HexId) -> Crossing {
        let Some(direction) = from.towards(to) else { return Crossing::None };
        let side = self.way(from, direction).0;
        match terrain::in_weather(side, self.public.weather, &self.public.options, &mut quiet()) {
            Side::SecondaryRiver | Side::PrimaryRiver | Side::Lake => Crossing::SecondaryRiver,
            Side::PrimaryBridge => Crossing::PrimaryBridge,
            Side::SecondaryBridge => Crossing::SecondaryBridge,
            Side::Pontoon => match map().cell(from).sides[direction] {
                Side::PrimaryRiver => Crossing::PrimaryPontoon,
                _ => Crossing::SecondaryPontoon,
            },
            Side::None => Crossing::None,
        }
    }

    pub(super) fn toll(&mut self, clerk: &mut impl Clerk) -> Opened {
        let (Some(battle), Some(group)) = (self.public.battle.clone(), self.main_group().cloned()) else {
            return self.goes_to(Phase::BattleEnd);
        };
        let loser = usize::from(battle.loser.unwrap_or(0));
        let way: Vec<HexId> = std::iter::once(group.from).chain(group.path.clone()).collect();
        let steps = way.windows(2).enumerate().map(|(place, pair)| {
            let followed = battle.advanced >= i32::try_from(place).unwrap_or(0) + 2;
            (self.crossing(pair[0], pair[1]), followed)
        });
        let wet = |crossing: Crossing| matches!(crossing, Crossing::SecondaryRiver | Crossing::PrimaryBridge);
        let found = steps.max_by_key(|&(crossing, followed)| (wet(crossing) && followed, wet(crossing)));
        let (crossing, followed) = found.unwrap_or((Crossing::None, false));
        let path = Path {
            retreat: i32::try_from(group.path.len()).unwrap_or(0) + group.blocked,
            blocked: group.blocked,
            crossing,
            followed,
            through_ezoc: group.zone,
            winner_loss: battle.winner_loss,
        };
        let toll = pursuit::toll(battle.pursuit, &path, clerk);
        let blocked: i32 =
            self.public.walk.as_ref().map_or(0, |walk| walk.groups.iter().map(|group| group.blocked).sum());
        let blocked = if blocked > 0 { clerk.value(rule!(CC_13_3_01), blocked) } else { 0 };
        let army = battle.army(loser);
        let host = self.host(army);
        let sp = (toll.loss + blocked).min(host.force_points(&host.force).all());
        clerk.happened(|| Event::new(phrase::TOLL).with("loss", sp));
        if sp > 0 {
            self.public.owed.push(Owed { army, sp, attrition: None });
        }
        self.goes_to(Phase::BattleEnd)
    }
}
