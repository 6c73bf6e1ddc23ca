//! Combat: the rounds (section 3.10), with the charts of artillery and combat, and the end of a battle.

use kernel::{Clerk, Event};
use rulebook::options::campaign::Override;
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::battle::{self as charts, Stance, Stances};
use crate::map::map;
use crate::tables;
use crate::terms::{Army, Hex, Party, Side};
use crate::terrain;

use super::super::action::Action;
use super::super::march::quiet;
use super::super::roster::{Key, LeaderId, constant, enemy};
use super::super::state::{Battle, Mode, Owed, Phase, State};
use super::Opened;

const PARTIES: [Party; 2] = [Party::Attacker, Party::Defender];

impl Battle {
    /// The army of a party.
    pub(crate) const fn army(&self, party: usize) -> Army {
        if party == 0 { self.attacker } else { enemy(self.attacker) }
    }

    /// Whether the round is a pitched battle.
    pub(crate) fn is_pitched(&self) -> bool {
        self.stances == [Some(Stance::Pitched); 2]
    }

    /// Who attacks in a round.
    const fn active(round: i32) -> usize {
        if round % 2 == 1 { 0 } else { 1 }
    }
}

impl State {
    /// The side between main and attacked hex.
    fn battle_side(&self, battle: &Battle) -> Side {
        let direction = battle.main.towards(battle.hex).unwrap_or(0);
        self.way(battle.main, direction).0
    }

    /// The battle as the charts want it.
    pub(crate) fn engagement(
        &self,
        battle: &Battle,
        clerk: &mut impl Clerk,
    ) -> (charts::Battle, charts::State) {
        let mut force = |party: usize| {
            let army = battle.army(party);
            let host = self.host(army);
            let last = host.force.leaders.iter().copied().max_by_key(|leader| leader.seniority());
            let commander = clerk.rather(rule!(CC_2_5_01), self.commander_of(army), last);
            let forages = party == 1
                && host
                    .force
                    .leaders
                    .iter()
                    .any(|&leader| host.flags(host.head(leader)).mode == Mode::Forage);
            charts::Force {
                points: host.force_points(&host.force),
                initiative: commander.map_or(0, LeaderId::initiative),
                bonus: commander.map_or(0, LeaderId::bonus),
                foraging: forages,
                vedette: false,
            }
        };
        let forces = [force(0), force(1)];
        let stances = Stances {
            attacker: battle.stances[0].unwrap_or_default(),
            defender: battle.stances[1].unwrap_or_default(),
        };
        let (there, here) = (map().cell(battle.hex), map().cell(battle.main));
        let round = battle.round.max(1);
        let asked = charts::Battle {
            forces,
            hex: there.hex,
            ground: there.ground,
            attacker_hex: here.hex,
            attacker_ground: here.ground,
            side: self.battle_side(battle),
            weather: self.public.weather,
            fog: self.public.fog,
            rounds: vec![stances; usize::try_from(round).unwrap_or(1)],
            shift: 0,
            after_failed_repulse: battle.failed_repulse,
            declines: false,
            stops_after: None,
            negotiations: false,
            retreat: charts::Retreat::default(),
            pursue: true,
            game: self.kind(),
        };
        let state = charts::State {
            left: forces.map(|force| force.points),
            lost: battle.lost,
            rounds_lost: battle.rounds_lost,
            round,
            ending: None,
            loser: None,
            retreat: 0,
            winner_loss: 0,
            advance: 0,
        };
        (asked, state)
    }

    /// A side owes a loss.
    fn owes(&mut self, army: Army, sp: i32) {
        let host = self.host(army);
        let sp = sp.min(host.force_points(&host.force).all());
        if sp > 0 {
            self.public.owed.push(Owed { army, sp, attrition: None });
        }
    }

    pub(super) fn bombard(&mut self, clerk: &mut impl Clerk) -> Opened {
        let Some(battle) = self.public.battle.clone() else { return self.goes_to(Phase::Combat) };
        let (asked, state) = self.engagement(&battle, clerk);
        let options = self.public.options;
        let silent = clerk.holds(rule!(CC_4_02), self.public.fog && battle.round == 1);
        let losses = if silent { [0; 2] } else { asked.fire(&state, &options, clerk).unwrap_or_default() };
        let losses = clerk.rather(rule!(CC_12_5_01), losses, [0; 2]);
        clerk.happened(|| Event::new(phrase::GUNS).with("attacker", losses[0]).with("defender", losses[1]));
        let active = Battle::active(battle.round);
        for party in [active, 1 - active] {
            self.owes(battle.army(party), losses[party]);
        }
        self.goes_to(Phase::Bombarded)
    }

    pub(super) fn bombarded(&mut self) -> Opened {
        if let Some(party) = self.spent() {
            return self.spend_force(party);
        }
        self.goes_to(Phase::Clash)
    }

    /// Who has neither infantry nor cavalry left; if both have not, the attacker.
    fn spent(&self) -> Option<usize> {
        let battle = self.public.battle.as_ref()?;
        (0..2).find(|&party| {
            let host = self.host(battle.army(party));
            host.force_points(&host.force).fighting() == 0
        })
    }

    fn spend_force(&mut self, party: usize) -> Opened {
        self.eliminate(party, &mut quiet());
        Opened::Done
    }

    /// A party is out of the battle, with its guns.
    pub(super) fn eliminate(&mut self, party: usize, clerk: &mut impl Clerk) {
        let Some(battle) = &self.public.battle else { return };
        let army = battle.army(party);
        let force = self.host(army).force.clone();
        let points = self.host(army).force_points(&force);
        let split = [points.infantry, points.cavalry, points.artillery];
        self.remove(army, &force, split);
        self.lost_in_action(army, split);
        clerk.happened(|| Event::new(phrase::ELIMINATED).with("loss", points.all()));
        let sum = points.all();
        if let Some(battle) = &mut self.public.battle {
            battle.lost[party] += sum;
            battle.loser = u8::try_from(party).ok();
            battle.eliminated = true;
            battle.limit = 1;
        }
        if party == 1 {
            let attacker = enemy(army);
            let heads = self.force_heads(attacker);
            self.host_mut(attacker).pursuers = heads;
            self.public.phase = Phase::Advance;
        } else {
            self.public.phase = Phase::BattleEnd;
        }
    }

    /// The heads of a side's force that have infantry or cavalry.
    pub(super) fn force_heads(&self, army: Army) -> Vec<LeaderId> {
        let host = self.host(army);
        let heads = host.force.leaders.iter().copied().filter(|&leader| host.is_head(leader));
        heads.filter(|&head| host.strength(head).fighting() > 0).collect()
    }

    pub(super) fn clash(&mut self, clerk: &mut impl Clerk) -> Opened {
        let Some(battle) = self.public.battle.clone() else { return self.goes_to(Phase::Combat) };
        let (asked, state) = self.engagement(&battle, clerk);
        let options = self.public.options;
        let Ok((loser, numbers)) = asked.meet(&state, &options, clerk) else {
            return self.goes_to(Phase::BattleEnd);
        };
        let pitched = clerk.holds(rule!(CC_12_4_01), battle.is_pitched());
        clerk
            .happened(|| Event::new(phrase::CLASH).with("attacker", numbers[0]).with("defender", numbers[1]));
        let loser = PARTIES.iter().position(|&party| party == loser).unwrap_or(0);
        if let Some(battle) = &mut self.public.battle {
            battle.numbers = numbers;
            if pitched {
                battle.rounds_lost[loser] += 1;
                battle.pitched = true;
            } else {
                battle.loser = u8::try_from(loser).ok();
            }
        }
        if !pitched {
            return self.goes_to(Phase::Override);
        }
        let active = Battle::active(battle.round);
        for party in [active, 1 - active] {
            self.owes(battle.army(party), numbers[party]);
        }
        self.goes_to(Phase::Leaders)
    }

    pub(super) fn open_override(&mut self) -> Opened {
        let Some(battle) = &self.public.battle else { return Opened::Done };
        let winner = 1 - usize::from(battle.loser.unwrap_or(0));
        let chose = battle.stances[winner] == Some(Stance::Pursuit);
        let army = battle.army(winner);
        let may = self.public.options.override_ == Override::Swap && chose && battle.numbers[winner] > 0;
        if rule!(CA_R57).holds(may) {
            return Opened::Ask(army);
        }
        self.stand(&mut quiet());
        Opened::Done
    }

    pub(super) fn act_override(&mut self, action: &Action, clerk: &mut impl Clerk) {
        if *action == Action::Stand {
            return self.stand(clerk);
        }
        clerk.applied(rule!(CA_R57));
        if let Some(battle) = &mut self.public.battle {
            battle.loser = battle.loser.map(|loser| 1 - loser);
            battle.winner_loss = 0;
        }
        clerk.happened(|| Event::new(phrase::OVERRIDES));
        self.public.phase = Phase::Leaders;
    }

    /// The winner of a pursuit battle pays his number.
    fn stand(&mut self, clerk: &mut impl Clerk) {
        let Some(battle) = self.public.battle.clone() else { return };
        let winner = 1 - usize::from(battle.loser.unwrap_or(0));
        let number = clerk.value(rule!(CC_12_6_01), battle.numbers[winner]);
        self.owes(battle.army(winner), number);
        let paid = self.public.owed.last().map_or(0, |owed| owed.sp);
        if let Some(battle) = &mut self.public.battle {
            battle.winner_loss = paid;
        }
        self.public.phase = Phase::Leaders;
    }

    pub(super) fn leaders(&mut self, clerk: &mut impl Clerk) -> Opened {
        let Some(battle) = self.public.battle.clone() else { return self.goes_to(Phase::Combat) };
        let active = Battle::active(battle.round);
        for party in [active, 1 - active] {
            let army = battle.army(party);
            let bloody = battle.round_lost[party] >= constant(Key::LeaderLossSp);
            let Some(commander) = self.commander_of(army).filter(|_| bloody) else { continue };
            let [first, second] = clerk.two_d6();
            let total = i32::from(first) + i32::from(second);
            if clerk.holds(rule!(CC_2_8_02), total <= constant(Key::LeaderLossRoll)) {
                self.fallen(army, commander, clerk);
            }
        }
        if let Some(party) = self.spent() {
            return self.spend_force(party);
        }
        if !battle.is_pitched() {
            return self.goes_to(Phase::Retreat);
        }
        if clerk.holds(rule!(CC_12_7_03), battle.round >= constant(Key::RoundsMost)) {
            return self.goes_to(Phase::BattleEnd);
        }
        for army in [Army::French, Army::AustroRussian] {
            for flags in self.host_mut(army).flags.values_mut() {
                flags.guns_tried = false;
            }
        }
        let phasing = self.public.phasing;
        self.goes_to(Phase::Guns(phasing))
    }

    pub(super) fn open_counter(&mut self, clerk: &mut impl Clerk) -> Opened {
        let Some(battle) = self.public.battle.clone() else { return self.goes_to(Phase::Combat) };
        let party = Battle::active(battle.round + 1);
        let army = battle.army(party);
        if clerk.holds(rule!(CC_GAME_08), self.commander_of(army).is_none()) {
            return self.goes_to(Phase::BattleEnd);
        }
        let side =
            terrain::in_weather(self.battle_side(&battle), self.public.weather, &self.public.options, clerk);
        let river = tables::side(side).is_some_and(|row| row.counterattack_optional);
        let river = clerk.holds(rule!(CA_TERRAIN_23), river);
        let garrison = party == 1 && map().cell(battle.hex).hex == Hex::Citadel;
        let besieger = party == 1 && self.besieged(battle.attacker, battle.main);
        if clerk.holds(rule!(CC_12_7_01), river || garrison || besieger) {
            return Opened::Ask(army);
        }
        self.next_round();
        Opened::Done
    }

    pub(super) fn act_counter(&mut self, action: &Action) {
        if *action == Action::Counterattack {
            self.next_round();
        } else {
            self.public.phase = Phase::BattleEnd;
        }
    }

    fn next_round(&mut self) {
        let Some(battle) = &mut self.public.battle else { return };
        battle.round += 1;
        battle.round_lost = [0; 2];
        let again = battle.round >= constant(Key::PitchedChoiceAgain);
        self.public.phase =
            if rule!(CC_12_7_02).holds(again) { Phase::RestanceAttacker } else { Phase::Bombard };
    }

    pub(super) fn battle_end(&mut self, clerk: &mut impl Clerk) -> Opened {
        let Some(battle) = self.public.battle.take() else { return self.goes_to(Phase::Combat) };
        let retreated = battle.loser.filter(|_| !battle.quiet);
        let left_hex = {
            let other = self.stacks(enemy(battle.attacker));
            other.get(&battle.hex).is_none_or(|stack| stack.points.all() == 0)
        };
        for party in 0..2 {
            let army = battle.army(party);
            let force = std::mem::take(&mut self.host_mut(army).force);
            let pursuers = self.host(army).pursuers.clone();
            let heads: Vec<LeaderId> =
                force.leaders.iter().copied().filter(|&leader| self.host(army).is_head(leader)).collect();
            for head in heads {
                let flags = self.host_mut(army).flags_mut(head);
                if party == 0 {
                    flags.fought += 1;
                    let far = pursuers.contains(&head) && battle.advanced > 1;
                    flags.again = flags.fought == 1 && left_hex && !far;
                }
                if retreated == u8::try_from(party).ok() {
                    flags.shaken = clerk.holds(rule!(CC_13_4_01), true);
                }
                self.emptied(army, head, clerk);
            }
            let host = self.host_mut(army);
            host.groups.clear();
            host.pursuers.clear();
            host.sealed = None;
            host.deaf = false;
        }
        let large = battle.start.iter().all(|&sp| sp >= constant(Key::CriticalSize));
        if clerk.holds(rule!(CC_12_11_01), battle.pitched && large) {
            let winner = battle.loser.map(|loser| 1 - usize::from(loser)).or_else(|| {
                match battle.lost[0].cmp(&battle.lost[1]) {
                    std::cmp::Ordering::Less => Some(0),
                    std::cmp::Ordering::Equal => None,
                    std::cmp::Ordering::Greater => Some(1),
                }
            });
            self.public.critical.extend(winner.map(|party| battle.army(party)));
        }
        clerk.happened(|| Event::new(phrase::BATTLE_OVER).with("hex", battle.hex.called()));
        self.public.walk = None;
        self.settle_all(clerk);
        self.goes_to(Phase::Combat)
    }

    /// Whoever stands alone in a place now holds it.
    pub(super) fn settle_all(&mut self, clerk: &mut impl Clerk) {
        for army in [Army::French, Army::AustroRussian] {
            let hexes = self.occupied(army);
            for hex in hexes {
                self.settle(army, hex, clerk);
            }
        }
    }
}
