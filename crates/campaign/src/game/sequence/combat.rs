//! Combat: declaring (section 3.9). Who attacks what, whether a garrison comes out, and the sealed choices.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::options::campaign::{MultiHexTerrain, NegotiationTruce};
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::Line;
use crate::battle::Stance;
use crate::map::{HexId, map};
use crate::terms::{Army, Hex};
use crate::terrain;

use super::super::action::Action;
use super::super::march::quiet;
use super::super::roster::{Key, LeaderId, constant, enemy, hex};
use super::super::state::{Battle, Flight, Force, Group, Mode, Phase, Segment, Siege, State, Talks, Walk};
use super::{Opened, not_now};

/// Where Murat's envoy makes a truce.
const TRUCE_AT: &str = "1446";

/// The two choices.
pub(crate) fn stances() -> impl Iterator<Item = Stance> {
    [Stance::Pitched, Stance::Pursuit].into_iter()
}

impl State {
    pub(super) fn open_combat(&mut self) -> Opened {
        let army = self.public.phasing;
        if self.skips(Segment::Combat) || self.targets(army).is_empty() {
            return self.goes_to(Phase::PlayerTurnEnd);
        }
        Opened::Ask(army)
    }

    /// Whether an attack may be made over a hexside.
    pub(super) fn may_attack_over(&self, from: HexId, to: HexId) -> bool {
        self.attack_line(from, to).is_some()
    }

    /// The line of an attack over a hexside, if it may be made.
    fn attack_line(&self, from: HexId, to: HexId) -> Option<Line> {
        let direction = from.towards(to)?;
        let side = self.way(from, direction).0;
        let options = &self.public.options;
        let open = terrain::attack(
            Hex::Clear,
            crate::terms::Ground::Clear,
            side,
            self.public.weather,
            options,
            |_| 0,
            &mut quiet(),
        );
        open.ok().map(|ground| ground.line)
    }

    /// The hexes that may be attacked, each with who may attack it.
    fn targets(&self, side: Army) -> Vec<(HexId, Vec<LeaderId>)> {
        let seen = self.seen(Some(side), enemy(side));
        let hexes = seen.iter().filter(|seen| !seen.headquarters).map(|seen| seen.hex);
        let hexes = hexes.filter(|&hex| self.may_be_attacked(side, hex).is_ok());
        let heads = self.host(side).heads();
        let mut targets = Vec::new();
        for hex in hexes {
            let near: Vec<LeaderId> =
                heads.iter().copied().filter(|&head| self.may_attack(side, head, hex).is_ok()).collect();
            let fighting = |&head: &LeaderId| self.host(side).strength(head).fighting() > 0;
            if near.iter().any(fighting) {
                targets.push((hex, near));
            }
        }
        targets
    }

    fn may_be_attacked(&self, side: Army, at: HexId) -> Verdict<()> {
        let truce = matches!(self.public.talks, Talks::UnderWay(_))
            && self.public.options.negotiation_truce == NegotiationTruce::NoAttacks;
        if rule!(CA_R31).holds(truce) {
            return Err(Refusal::rule(rule!(CA_R31), phrase::TRUCE));
        }
        if self.public.truce && side == Army::French && rule!(CA_R78).holds(at == hex(TRUCE_AT)) {
            return Err(Refusal::rule(rule!(CA_R78), phrase::TRUCE));
        }
        if rule!(CC_12_1_01).holds(self.public.attacked.contains(&at)) {
            return Err(Refusal::rule(rule!(CC_12_1_01), phrase::ATTACKED).with("hex", at.called()));
        }
        Ok(())
    }

    fn may_attack(&self, side: Army, head: LeaderId, target: HexId) -> Verdict<()> {
        self.formation(side, head)?;
        let host = self.host(side);
        let Some(at) = host.leader_at(head) else { return not_now() };
        let flags = host.flags(head);
        if at.towards(target).is_none() {
            return Err(Refusal::rule(rule!(CC_12_1_01), phrase::NOT_ADJACENT).with("leader", head.name()));
        }
        if !self.may_attack_over(at, target) {
            return Err(Refusal::rule(rule!(CA_TERRAIN_22), phrase::NO_CROSSING));
        }
        if rule!(CA_R80).holds(flags.mode == Mode::Forage) {
            return Err(Refusal::rule(rule!(CA_R80), phrase::FORAGES));
        }
        if rule!(CC_13_4_01).holds(flags.shaken) {
            return Err(Refusal::rule(rule!(CC_13_4_01), phrase::SHAKEN));
        }
        if rule!(CC_12_1_02).holds(flags.fought > 0 && !flags.again) {
            return Err(Refusal::rule(rule!(CC_12_1_02), phrase::FOUGHT).with("leader", head.name()));
        }
        Ok(())
    }

    pub(super) fn list_combat(&self, side: Army, into: &mut Vec<Action>) {
        into.push(Action::EndCombat);
        let host = self.host(side);
        for (hex, heads) in self.targets(side) {
            let mut alone: Vec<LeaderId> =
                heads.iter().copied().filter(|&head| host.strength(head).fighting() > 0).collect();
            into.push(Action::Attack { hex, formations: heads });
            alone.sort_by_key(|&head| (-host.strength(head).all(), head));
            let alone = alone.into_iter().take(8);
            into.extend(alone.map(|head| Action::Attack { hex, formations: vec![head] }));
            if into.len() > 64 {
                into.truncate(64);
                break;
            }
        }
    }

    pub(super) fn check_combat(&self, side: Army, action: &Action) -> Verdict<()> {
        match action {
            Action::EndCombat => Ok(()),
            Action::Attack { hex, formations } => {
                let seen = self.seen(Some(side), enemy(side));
                let there = seen.iter().find(|seen| seen.hex == *hex);
                if rule!(CA_R77).holds(there.is_none()) {
                    let rule = if self.public.fog { rule!(CC_4_01) } else { rule!(CA_R77) };
                    return Err(Refusal::rule(rule, phrase::NOBODY));
                }
                if rule!(CC_GAME_06).holds(there.is_some_and(|seen| seen.headquarters)) {
                    return Err(Refusal::rule(rule!(CC_GAME_06), phrase::NOBODY));
                }
                self.may_be_attacked(side, *hex)?;
                if formations.is_empty() || formations.windows(2).any(|pair| pair[0] >= pair[1]) {
                    return Err(Refusal::field("formations", phrase::NOT_SORTED));
                }
                formations.iter().try_for_each(|&head| self.may_attack(side, head, *hex))?;
                let fighting: i32 =
                    formations.iter().map(|&head| self.host(side).strength(head).fighting()).sum();
                if rule!(CC_12_2_01).holds(fighting == 0) {
                    return Err(Refusal::rule(rule!(CC_12_2_01), phrase::NO_TROOPS));
                }
                Ok(())
            }
            _ => not_now(),
        }
    }

    pub(super) fn act_combat(&mut self, side: Army, action: &Action, clerk: &mut impl Clerk) {
        let Action::Attack { hex, formations } = action else { return self.end_segment(clerk) };
        let (hex, other) = (*hex, enemy(side));
        self.host_mut(side).force = Force::default();
        for &head in formations {
            self.commit(side, head);
        }
        let there = self.host(other).all_at(hex);
        for &head in &there.leaders {
            let head = self.host(other).head(head);
            self.host_mut(other).flags_mut(head).goal = None;
        }
        let start = [
            self.host(side).force_points(&self.host(side).force).all(),
            self.host(other).force_points(&there).all(),
        ];
        self.host_mut(other).force = there;
        let main = self.main_hex(side, hex, formations, clerk);
        let failed = formations.iter().any(|&head| self.host(side).flags(head).failed_repulse == Some(hex));
        let number = u8::try_from(self.public.attacked.len()).unwrap_or(u8::MAX);
        self.public.attacked.push(hex);
        self.public.battle = Some(Battle {
            number,
            hex,
            main,
            attacker: side,
            round: 0,
            stances: [None; 2],
            failed_repulse: failed,
            start,
            lost: [0; 2],
            round_lost: [0; 2],
            rounds_lost: [0; 2],
            pitched: false,
            numbers: [0; 2],
            loser: None,
            eliminated: false,
            quiet: false,
            winner_loss: 0,
            pursuit: 0,
            limit: 0,
            advanced: 0,
        });
        clerk.happened(|| Event::new(phrase::ATTACKS).with("hex", hex.called()).with("main", main.called()));
        let citadel = map().cell(hex).hex == Hex::Citadel;
        if clerk.holds(rule!(CA_TERRAIN_16), citadel) {
            self.public.phase = Phase::Decline;
        } else {
            self.fight(clerk);
        }
    }

    /// The main hex of an attack (CA-R49).
    fn main_hex(&self, side: Army, target: HexId, formations: &[LeaderId], clerk: &mut impl Clerk) -> HexId {
        let host = self.host(side);
        let mut hexes: Vec<HexId> = formations.iter().filter_map(|&head| host.leader_at(head)).collect();
        hexes.sort_unstable();
        hexes.dedup();
        let strength = |at: &HexId| -> i32 {
            let here = formations.iter().filter(|&&head| host.leader_at(head) == Some(*at));
            here.map(|&head| host.strength(head).fighting()).sum()
        };
        let hard = |at: &HexId| {
            self.public.options.multi_hex_terrain == MultiHexTerrain::Hardest
                && self.attack_line(*at, target) == Some(Line::A)
        };
        let main = hexes.iter().copied().min_by_key(|at| (!hard(at), -strength(at), *at));
        let other = hexes.iter().copied().max_by_key(|at| (-strength(at), *at));
        clerk.rather(rule!(CA_R49), main, other).unwrap_or(target)
    }

    pub(super) fn act_decline(&mut self, action: &Action, clerk: &mut impl Clerk) {
        let Some(battle) = &mut self.public.battle else { return };
        if *action != Action::Decline {
            return self.fight(clerk);
        }
        battle.quiet = true;
        let (hex, army) = (battle.hex, enemy(battle.attacker));
        clerk.applied(rule!(CA_R71));
        if !self.public.sieges.iter().any(|siege| siege.hex == hex) {
            self.public.sieges.push(Siege { hex, army, turns: 0 });
        }
        clerk.happened(|| Event::new(phrase::BESIEGES).with("hex", hex.called()));
        self.public.phase = Phase::BattleEnd;
    }

    /// Vedettes walk away, guns alone are lost, everybody else fights.
    fn fight(&mut self, clerk: &mut impl Clerk) {
        let Some(battle) = &self.public.battle else { return };
        let (hex, main, attacker) = (battle.hex, battle.main, battle.attacker);
        let other = enemy(attacker);
        let stack = self.stacks(other).get(&hex).copied().unwrap_or_default();
        if clerk.holds(rule!(CC_2_7_03), stack.only_vedettes()) {
            let vedettes = self.host(other).force.vedettes.clone();
            let group = |_: &u8| Group {
                from: hex,
                path: Vec::new(),
                left: constant(Key::VedetteRetreat),
                blocked: 0,
                zone: false,
                off: false,
                sp: 1,
            };
            let groups = vedettes.iter().map(group).collect();
            self.host_mut(other).groups =
                vedettes.into_iter().map(|id| Force { vedettes: vec![id], ..Force::default() }).collect();
            self.public.walk = Some(Walk { army: other, flight: Flight::Vedettes, enemy: main, groups });
            if let Some(battle) = &mut self.public.battle {
                battle.quiet = true;
            }
            self.public.phase = Phase::Retreat;
        } else if clerk.holds(rule!(CC_GAME_07), stack.points.fighting() == 0) {
            self.eliminate(1, clerk);
        } else {
            self.public.phase = Phase::StanceAttacker;
        }
    }

    pub(super) fn open_stance_defender(&mut self) -> Opened {
        let Some(battle) = &self.public.battle else { return Opened::Done };
        let other = enemy(battle.attacker);
        let stack = self.stacks(other).get(&battle.hex).copied().unwrap_or_default();
        if rule!(CA_TERRAIN_12).holds(stack.forages() || stack.only_vedettes()) {
            self.show(Stance::Pursuit);
            return Opened::Done;
        }
        Opened::Ask(other)
    }

    /// Both choices are shown, and the round begins.
    fn show(&mut self, defender: Stance) {
        let Some(battle) = &self.public.battle else { return };
        let attacker = battle.attacker;
        let sealed = self.host_mut(attacker).sealed.take();
        if let Some(battle) = &mut self.public.battle {
            battle.stances = [sealed, Some(defender)];
            battle.round = battle.round.max(1);
            battle.round_lost = [0; 2];
        }
        self.public.phase = Phase::Bombard;
    }

    pub(super) fn act_stance(&mut self, side: Army, action: &Action, clerk: &mut impl Clerk) {
        let &Action::Stance(mut stance) = action else { return };
        match self.public.phase {
            Phase::StanceAttacker => {
                self.host_mut(side).sealed = Some(stance);
                self.public.phase = Phase::StanceDefender;
            }
            Phase::RestanceAttacker => {
                self.host_mut(side).sealed = Some(stance);
                self.public.phase = Phase::RestanceDefender;
            }
            Phase::StanceDefender => {
                if let Some(battle) = &self.public.battle
                    && stance == Stance::Pitched
                {
                    let settled = matches!(map().cell(battle.hex).hex, Hex::Town | Hex::Depot | Hex::Citadel);
                    let initiative = self.commander_of(side).map_or(0, LeaderId::initiative);
                    if !settled {
                        let die = i32::from(clerk.d6());
                        if clerk.holds(rule!(CC_12_3_01), die > initiative) {
                            stance = Stance::Pursuit;
                        }
                    }
                }
                self.show(stance);
                clerk.happened(|| Event::new(phrase::CHOSEN));
            }
            _ => {
                clerk.applied(rule!(CC_12_7_02));
                self.show(stance);
                clerk.happened(|| Event::new(phrase::CHOSEN));
            }
        }
    }

    /// Who commands the force of a side.
    pub(super) fn commander_of(&self, side: Army) -> Option<LeaderId> {
        super::super::state::Host::commander(&self.host(side).force.leaders)
    }
}
