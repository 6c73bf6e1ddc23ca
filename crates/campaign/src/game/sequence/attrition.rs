//! Attrition and losses (sections 3.7, 3.8 and the leaders of 3.11): what marching costs, who pays, and what
//! becomes of leaders whose men are gone.

use kernel::{Clerk, Event, Measure, MovementPoints, Refusal, Verdict};
use rulebook::options::campaign::{ForageArea, LossChoice, Stragglers};
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::attrition::{self, March, Provision};
use crate::map::{HexId, map};
use crate::terms::{Arm, Army, Game};
use crate::terrain;

use super::super::action::Action;
use super::super::host::weight;
use super::super::knowledge::around;
use super::super::march::distance;
use super::super::roster::{Key, LeaderId, UnitId, enemy, halves, place};
use super::super::state::{Flags, Force, Mode, Phase, Share, State, Train, Whereabouts};
use super::Opened;

/// Whole MP, a half being a march begun.
fn whole(halves: i16) -> i32 {
    i32::from(halves + 1) / 2
}

/// The place of an arm in lists.
const fn slot(arm: Arm) -> usize {
    match arm {
        Arm::Infantry => 0,
        Arm::Cavalry => 1,
        Arm::Artillery => 2,
    }
}

impl State {
    pub(super) fn attrition(&mut self, clerk: &mut impl Clerk) -> Opened {
        let army = self.public.phasing;
        for head in self.host(army).heads() {
            if self.host(army).strength(head).all() == 0 {
                continue;
            }
            let rests = self.host(army).flags(head).marched() == 0;
            if rests && !clerk.holds(rule!(CC_3_04), true) {
                continue;
            }
            self.wear_march(army, head, clerk);
        }
        let mut posts: Vec<HexId> = Vec::new();
        for (&id, unit) in self.host(army).units.iter() {
            if unit.leader.is_none() && unit.sp > 0 {
                posts.extend(self.host(army).unit_at(id));
            }
        }
        posts.sort_unstable();
        posts.dedup();
        for hex in posts {
            self.wear(army, None, Some(hex), (0, 0, 0), clerk);
        }
        self.goes_to(Phase::Combat)
    }

    /// The attrition of what a formation has marched in its player turn.
    pub(super) fn wear_march(&mut self, army: Army, head: LeaderId, clerk: &mut impl Clerk) {
        let flags = self.host(army).flags(head);
        let [foot, horse] = self.allowance(army, head);
        let over = |spent: i16, most: Option<i16>| most.map_or(0, |most| (spent - most).max(0));
        let ordinary = |spent: i16| spent - flags.forced.min(spent);
        let extended = over(ordinary(flags.foot) + flags.worked, foot)
            .max(over(ordinary(flags.horse) + flags.worked, horse))
            .min(halves(Key::ExtendedMost));
        let march = (flags.marched(), flags.forced, extended);
        self.wear(army, Some(head), None, march, clerk);
    }

    /// The attrition of a march in the enemy's turn, or to the guns.
    pub(super) fn march_attrition(
        &mut self,
        army: Army,
        head: LeaderId,
        gone: i16,
        forced: i16,
        clerk: &mut impl Clerk,
    ) {
        self.wear(army, Some(head), None, (gone, forced, 0), clerk);
    }

    /// What feeds the counters of a hex.
    fn provision(
        &mut self,
        army: Army,
        head: Option<LeaderId>,
        at: HexId,
        clerk: &mut impl Clerk,
    ) -> Provision {
        if self.besieged(army, at) {
            return Provision::Besieged;
        }
        if head.is_some_and(|head| self.host(army).flags(head).mode == Mode::Forage) {
            return Provision::Forage(self.forage(army, at, clerk));
        }
        if !self.has_line(army, at, clerk) {
            return match self.kind() {
                Game::Campaign => Provision::OutOfSupply,
                Game::Battle => Provision::FarFromSource,
            };
        }
        let base = self.base(army);
        let active = match base.centre {
            Some(_) => self.centre_active(army).is_some(),
            None => clerk.holds(rule!(CC_GAME_05), true),
        };
        if active { Provision::Points(base.ap) } else { Provision::InactiveCentre }
    }

    /// What a hex and its neighbours yield, each to one forager of the turn.
    fn forage(&mut self, army: Army, at: HexId, clerk: &mut impl Clerk) -> i32 {
        let mut hexes = vec![at];
        if self.public.options.forage_area == ForageArea::SevenHexes {
            hexes.extend(around(at).filter(|&next| self.reaches(at, next)));
        }
        let held = self.stacks(enemy(army));
        let mut sum = 0;
        for hex in hexes {
            let cell = map().cell(hex);
            let taken = self.host(army).foraging.contains(&hex);
            if taken || !cell.in_play || held.get(&hex).is_some_and(|stack| stack.points.all() > 0) {
                continue;
            }
            let value = terrain::forage_of(cell.hex, clerk);
            let again = self.host(army).foraged.contains(&hex);
            sum += if clerk.holds(rule!(CC_11_4_01), again) { value / 2 } else { value };
            self.host_mut(army).foraging.push(hex);
        }
        clerk.value(rule!(CA_R03), sum)
    }

    /// Rolls for a formation or a post, and takes what it loses.
    fn wear(
        &mut self,
        army: Army,
        head: Option<LeaderId>,
        post: Option<HexId>,
        (gone, forced, extended): (i16, i16, i16),
        clerk: &mut impl Clerk,
    ) {
        let host = self.host(army);
        let Some(at) = post.or_else(|| head.and_then(|head| host.leader_at(head))) else { return };
        let units = match head {
            Some(head) => host.units_below(head),
            None => {
                let here = host
                    .units
                    .iter()
                    .filter(|(id, unit)| unit.leader.is_none() && host.unit_at(**id) == Some(at));
                here.map(|(&id, _)| id).collect()
            }
        };
        let points = host.points(&units);
        let share = head.map_or(Share::InProportion, |head| host.flags(head).share);
        let provision = self.provision(army, head, at, clerk);
        let march = March {
            size: points.all(),
            distance: clerk.value(rule!(CC_11_1_01), MovementPoints::halves(i32::from(gone))),
            forced: clerk.value(rule!(CA_R69), whole(forced)),
            extended: whole(extended),
            bonus: head.map_or(0, LeaderId::bonus),
            mud: self.public.weather.is_muddy(),
            provision,
            game: self.kind(),
        };
        let options = self.public.options;
        let loss = attrition::roll(&march, &options, clerk).sp.min(points.all());
        let first =
            if options.loss_choice == LossChoice::InfantryFirst { Share::InfantryFirst } else { share };
        let cavalry = match first {
            Share::InProportion => {
                let mounted = loss * points.cavalry / points.fighting().max(1);
                clerk.value(rule!(CA_R73), mounted)
            }
            Share::InfantryFirst => (loss - points.infantry).max(0),
            Share::CavalryFirst => loss,
        };
        let cavalry = cavalry.clamp(0, points.cavalry.min(loss));
        let infantry = (loss - cavalry).min(points.infantry);
        let cavalry = (loss - infantry).min(points.cavalry);
        let guns = loss - infantry - cavalry;
        let split = [infantry, cavalry, guns];
        self.remove(army, &Force { units, ..Force::default() }, split);
        let mut returns = (loss + 1) / 2;
        if options.stragglers == Stragglers::None || self.kind() == Game::Battle {
            returns = 0;
        } else if loss > 0 {
            returns = clerk.value(rule!(CA_R50), returns);
        }
        let host = self.host_mut(army);
        host.worn += loss;
        let foot = returns.min(infantry);
        let horse = (returns - foot).min(cavalry);
        host.pool[0] += foot;
        host.pool[1] += horse;
        for (slot, lost) in [infantry - foot, cavalry - horse, guns].into_iter().enumerate() {
            host.gone[slot] += lost;
        }
        clerk.happened(|| {
            let who = head.map_or_else(|| phrase::POST.into(), |head| Measure::from(head.name()));
            Event::new(phrase::WORN)
                .with("who", who)
                .with("hex", at.called())
                .with("loss", loss)
                .only_for(place(army))
        });
        if let Some(head) = head {
            self.emptied(army, head, clerk);
        }
    }

    /// Takes SP from units of a force, one at a time from the largest of the arm; vedettes go last.
    pub(super) fn remove(&mut self, army: Army, force: &Force, split: [i32; 3]) {
        let host = self.host_mut(army);
        for arm in [Arm::Infantry, Arm::Cavalry, Arm::Artillery] {
            for _ in 0..split[slot(arm)] {
                let of_arm = force
                    .units
                    .iter()
                    .copied()
                    .filter(|id| host.units.get(id).is_some_and(|unit| unit.arm == arm && unit.sp > 0));
                let largest = of_arm.min_by_key(|id| (-host.units.get(id).map_or(0, |unit| unit.sp), *id));
                if let Some(unit) = largest.and_then(|id| host.units.get_mut(&id)) {
                    unit.sp -= 1;
                    if unit.sp == 0 && unit.leader.is_none() {
                        unit.at = Whereabouts::Lost;
                    }
                } else if arm == Arm::Cavalry
                    && let Some(vedette) = force.vedettes.iter().find(|id| host.vedettes.contains_key(id))
                {
                    host.vedettes.remove(vedette);
                }
            }
        }
    }

    /// SP lost in action.
    pub(super) fn lost_in_action(&mut self, army: Army, split: [i32; 3]) {
        let sum: i32 = split.iter().sum();
        self.base_mut(army).lost += sum;
        let host = self.host_mut(army);
        for (gone, lost) in host.gone.iter_mut().zip(split) {
            *gone += lost;
        }
    }

    /// A formation without SP loses its cadres, and its leaders are in danger.
    pub(super) fn emptied(&mut self, army: Army, head: LeaderId, clerk: &mut impl Clerk) {
        let host = self.host(army);
        let units = host.units_below(head);
        if units.is_empty() || host.points(&units).all() > 0 || host.leader_at(head).is_none() {
            return;
        }
        let tree = host.tree(head);
        let host = self.host_mut(army);
        for unit in units {
            if let Some(unit) = host.units.get_mut(&unit) {
                unit.leader = None;
                unit.at = Whereabouts::Lost;
            }
        }
        for leader in tree {
            self.lone_leader(army, leader, clerk);
        }
    }

    /// A leader alone in an entered hex, or whose men are gone: captured, or with the nearest friends.
    pub(crate) fn lone_leader(&mut self, army: Army, leader: LeaderId, clerk: &mut impl Clerk) {
        let host = self.host(army);
        let Some(at) = host.leader_at(leader) else { return };
        let die = clerk.d6();
        let captured = clerk.holds(rule!(CC_2_8_01), die <= 2);
        let friends = host.heads().into_iter().filter(|&head| host.strength(head).all() > 0);
        let friends = friends.filter_map(|head| host.leader_at(head)).filter(|&hex| hex != at);
        let nearest = friends.min_by_key(|&hex| (distance(at, hex), hex));
        let host = self.host_mut(army);
        // Nobody follows him: he has no men.
        for below in host.leaders.values_mut().filter(|found| found.superior == Some(leader)) {
            below.superior = None;
        }
        if let Some(found) = host.leaders.get_mut(&leader) {
            found.superior = None;
        }
        host.flags.insert(leader, Flags { done: true, ..Flags::default() });
        match nearest.filter(|_| !captured) {
            Some(hex) => {
                if let Some(found) = host.leaders.get_mut(&leader) {
                    found.at = Whereabouts::Map(hex);
                }
            }
            None => self.gone(army, leader),
        }
        clerk.happened(|| {
            Event::new(if captured { phrase::LEADER_LOST } else { phrase::LEADER_FLED })
                .with("leader", leader.name())
                .only_for(place(army))
        });
    }

    /// A leader of a garrison that gave itself up.
    pub(super) fn captured(&mut self, army: Army, leader: LeaderId) {
        for below in self.host_mut(army).leaders.values_mut().filter(|found| found.superior == Some(leader)) {
            below.superior = None;
        }
        self.gone(army, leader);
    }

    /// A leader is out of the game.
    fn gone(&mut self, army: Army, leader: LeaderId) {
        let host = self.host_mut(army);
        if let Some(found) = host.leaders.get_mut(&leader) {
            found.at = Whereabouts::Lost;
            found.superior = None;
        }
        host.flags.remove(&leader);
        host.force.leaders.retain(|other| *other != leader);
        for group in &mut host.groups {
            group.leaders.retain(|other| *other != leader);
        }
        host.pursuers.retain(|other| *other != leader);
        if host.train == Train::With(leader) {
            host.train = Train::None;
        }
        if leader.id() == "napoleon" {
            self.public.napoleon = true;
        }
    }

    /// A leader falls; the next below him takes over what he can (CA-R58).
    pub(super) fn fallen(&mut self, army: Army, leader: LeaderId, clerk: &mut impl Clerk) {
        let host = self.host(army);
        let Some(at) = host.leader_at(leader) else { return };
        let superior = host.leaders.get(&leader).and_then(|found| found.superior);
        let flags = host.flags(host.head(leader));
        let below: Vec<LeaderId> = host.tree(leader).into_iter().filter(|&other| other != leader).collect();
        let successor =
            clerk.rather(rule!(CA_R58), below.iter().copied().min_by_key(|other| other.seniority()), None);
        let mut units: Vec<UnitId> =
            host.units.iter().filter(|(_, unit)| unit.leader == Some(leader)).map(|(&id, _)| id).collect();
        units.sort_by_key(|id| host.units.get(id).map(|unit| (slot(unit.arm), -unit.sp, *id)));
        let train = host.train == Train::With(leader);
        let direct: Vec<LeaderId> = host
            .leaders
            .iter()
            .filter(|(_, found)| found.superior == Some(leader))
            .map(|(&id, _)| id)
            .collect();
        self.gone(army, leader);
        let host = self.host_mut(army);
        if let Some(next) = successor {
            if let Some(found) = host.leaders.get_mut(&next) {
                found.superior = superior;
            }
            if superior.is_none() {
                host.flags.insert(next, Flags { goal: None, ..flags.clone() });
            }
            if train {
                host.train = Train::With(next);
            }
        }
        for id in units {
            let room = successor.filter(|&next| {
                let arm = host.units.get(&id).map_or(Arm::Infantry, |unit| unit.arm);
                host.span_used(next) + weight(arm) <= next.span()
            });
            if let Some(unit) = host.units.get_mut(&id) {
                unit.leader = room;
                unit.at = if unit.sp > 0 { Whereabouts::Map(at) } else { Whereabouts::Lost };
            }
        }
        for other in direct {
            let under = successor.filter(|&next| {
                next != other
                    && next.rank() < other.rank()
                    && host.span_used(next) + other.subordination() <= next.span()
            });
            if Some(other) == successor {
                continue;
            }
            if let Some(found) = host.leaders.get_mut(&other) {
                found.superior = under;
            }
            if under.is_none() {
                host.flags.insert(other, Flags { goal: None, ..flags.clone() });
            }
        }
        clerk.happened(|| Event::new(phrase::LEADER_LOST).with("leader", leader.name()));
    }

    pub(super) fn list_losses(&self, into: &mut Vec<Action>) {
        let Some(owed) = self.public.owed.first() else { return };
        let host = self.host(owed.army);
        let points = host.force_points(&host.force);
        let mut split = |cavalry: i32| {
            let infantry = (owed.sp - cavalry).min(points.infantry);
            into.push(Action::TakeLosses {
                infantry: u8::try_from(infantry).unwrap_or(u8::MAX),
                cavalry: u8::try_from(cavalry).unwrap_or(u8::MAX),
            });
        };
        let least = (owed.sp - points.infantry).clamp(0, points.cavalry);
        let most = owed.sp.min(points.cavalry).max(least);
        match self.public.options.loss_choice {
            LossChoice::InfantryFirst => split(least),
            LossChoice::Battle | LossChoice::Owner => (least..=most).for_each(split),
        }
    }

    pub(super) fn check_losses(&self, action: &Action) -> Verdict<()> {
        let mut list = Vec::new();
        self.list_losses(&mut list);
        if list.contains(action) {
            Ok(())
        } else {
            Err(Refusal::rule(rule!(CC_12_10_01), phrase::NOT_THE_LOSS))
        }
    }

    pub(super) fn take_losses(&mut self, action: &Action, clerk: &mut impl Clerk) {
        let &Action::TakeLosses { infantry, cavalry } = action else { return };
        if self.public.owed.is_empty() {
            return;
        }
        let owed = self.public.owed.remove(0);
        let host = self.host(owed.army);
        let force = host.force.clone();
        let points = host.force_points(&force);
        let (infantry, cavalry) = (i32::from(infantry), i32::from(cavalry));
        let rest = (owed.sp - infantry - cavalry).clamp(0, points.artillery);
        let rest = clerk.value(rule!(CC_12_10_01), rest).min(points.artillery);
        let split = [infantry, cavalry, rest];
        self.remove(owed.army, &force, split);
        self.lost_in_action(owed.army, split);
        let sum: i32 = split.iter().sum();
        if let Some(battle) = &mut self.public.battle {
            let party = usize::from(battle.attacker != owed.army);
            battle.lost[party] += sum;
            battle.round_lost[party] += sum;
        }
        clerk.happened(|| Event::new(phrase::LOST).with("loss", sum));
    }
}
