//! The start of a turn and of a player turn (sections 2.1, 3.1 and the reception of 3.2).

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::admin::{self, Source};
use crate::map::{HexId, map};
use crate::terms::{Army, Game};
use crate::weather::{self, Memory};

use super::super::action::Action;
use super::super::roster::{Key, LeaderId, constant, enemy, hex, place};
use super::super::say;
use super::super::state::{Flags, Mode, Phase, State, Whereabouts};
use super::{Opened, not_now};

/// West edge hexes by which nobody comes that was not meant to.
const ONLY_ENTRIES: [&str; 2] = ["0123", "0134"];

impl State {
    pub(super) fn turn_start(&mut self, clerk: &mut impl Clerk) -> Opened {
        let first = self.public.own_turns == [0; 2];
        let memory = Memory { die: self.public.die, weather: (!first).then_some(self.public.weather) };
        let options = self.public.options;
        let sky = weather::roll(self.month(), memory, self.kind(), &options, clerk);
        self.public.weather = sky.weather;
        self.public.fog = sky.fog;
        self.public.die = Some(sky.natural);
        clerk.happened(|| {
            Event::new(phrase::WEATHER)
                .with("turn", i32::from(self.public.turn))
                .with("weather", say::weather(sky.weather, sky.fog))
                .with("die", sky.die)
        });
        self.public.second = false;
        self.public.phasing = self.public.first;
        self.public.captures.clear();
        self.public.critical.clear();
        self.public.napoleon = false;
        self.goes_to(Phase::PlayerTurn)
    }

    pub(super) fn player_turn(&mut self, clerk: &mut impl Clerk) -> Opened {
        let army = self.public.phasing;
        self.public.own_turns[place(army)] += 1;
        self.public.attacked.clear();
        self.public.truce = false;
        for side in [Army::French, Army::AustroRussian] {
            let host = self.host_mut(side);
            host.reported.clear();
            for flags in host.flags.values_mut() {
                flags.tried = false;
                flags.forced_used = false;
                flags.forced = 0;
                flags.slipped.clear();
                flags.failed_repulse = None;
                flags.fought = 0;
                flags.again = false;
                flags.guns = None;
                flags.guns_tried = false;
            }
        }
        let host = self.host_mut(army);
        let heads = host.heads();
        host.flags.retain(|head, _| heads.contains(head));
        for flags in host.flags.values_mut() {
            let kept = Flags {
                mode: if flags.mode == Mode::Forage { Mode::Forage } else { Mode::Normal },
                last_march: flags.marched(),
                goal: flags.goal,
                share: flags.share,
                ..Flags::default()
            };
            *flags = kept;
        }
        for leader in host.leaders.values_mut() {
            leader.organised = false;
        }
        for unit in host.units.values_mut() {
            unit.organised = false;
        }
        for vedette in host.vedettes.values_mut() {
            vedette.spent = 0;
            vedette.done = false;
        }
        host.foraged = std::mem::take(&mut host.foraging);
        host.asked_for.clear();
        host.centre_moved = false;
        host.source_changed = false;
        host.replacement_used = false;
        host.watch_set = false;
        host.skip = None;
        host.hand = None;
        let row = self.public.scenario.row();
        let commands = if army == Army::French { row.french_commands } else { row.allied_commands };
        self.base_mut(army).commands = commands.unwrap_or(0);
        self.enter_due(army, clerk);
        self.goes_to(Phase::Entry)
    }

    /// Places every entrant that is due and whose hex is free of the enemy.
    fn enter_due(&mut self, army: Army, clerk: &mut impl Clerk) {
        let turn = self.public.turn;
        let held = self.stacks(enemy(army));
        let free = |hex: HexId| held.get(&hex).is_none_or(|stack| stack.points.all() == 0);
        let due: Vec<(LeaderId, HexId)> = self
            .host(army)
            .leaders
            .iter()
            .filter(|(_, leader)| leader.superior.is_none())
            .filter_map(|(&id, leader)| match leader.at {
                Whereabouts::Due { hex, turn: due } if due <= turn && free(hex) => Some((id, hex)),
                _ => None,
            })
            .collect();
        for (head, hex) in due {
            self.enter(army, head, hex, clerk);
        }
        let posts: Vec<_> = self
            .host(army)
            .units
            .iter()
            .filter(|(_, unit)| unit.leader.is_none())
            .filter_map(|(&id, unit)| match unit.at {
                Whereabouts::Due { hex, turn: due } if due <= turn && free(hex) => Some((id, hex)),
                _ => None,
            })
            .collect();
        for (unit, hex) in posts {
            clerk.applied(rule!(CA_R70));
            if let Some(unit) = self.host_mut(army).units.get_mut(&unit) {
                unit.at = Whereabouts::Map(hex);
            }
            self.entered(army, hex, true, clerk);
        }
        clerk.happened(|| {
            Event::new(phrase::PLAYER_TURN).with("turn", i32::from(turn)).with("side", say::army(army))
        });
    }

    /// A tree enters the map.
    pub(super) fn enter(&mut self, army: Army, head: LeaderId, hex: HexId, clerk: &mut impl Clerk) {
        let host = self.host_mut(army);
        for leader in host.tree(head) {
            if let Some(leader) = host.leaders.get_mut(&leader) {
                leader.at = Whereabouts::Map(hex);
            }
        }
        let flags = host.flags_mut(head);
        let command = clerk.holds(rule!(CC_17_01), true);
        *flags = Flags { command, entered: true, ..Flags::default() };
        let troops = host.strength(head).all() > 0;
        self.entered(army, hex, troops, clerk);
    }

    /// The entrants that the enemy keeps out and that were not asked for yet.
    fn blocked(&self, army: Army) -> Vec<LeaderId> {
        let turn = self.public.turn;
        let host = self.host(army);
        let blocked = host.leaders.iter().filter(|(id, leader)| {
            leader.superior.is_none()
                && matches!(leader.at, Whereabouts::Due { turn: due, .. } if due <= turn)
                && !host.asked_for.contains(id)
        });
        blocked.map(|(&id, _)| id).collect()
    }

    /// The sources by which a blocked entrant may come instead.
    fn other_sources(&self, army: Army, entrant: LeaderId) -> Vec<HexId> {
        let Some(Whereabouts::Due { hex: at, .. }) = self.host(army).leaders.get(&entrant).map(|one| one.at)
        else {
            return Vec::new();
        };
        let seen = self.seen(Some(army), enemy(army));
        map()
            .sources(army)
            .iter()
            .copied()
            .filter(|&source| source != at && !ONLY_ENTRIES.map(hex).contains(&source))
            .filter(|&source| !seen.iter().any(|seen| seen.hex == source && !seen.headquarters))
            .collect()
    }

    pub(super) fn open_entry(&mut self) -> Opened {
        let army = self.public.phasing;
        let open = self.blocked(army).iter().any(|&entrant| !self.other_sources(army, entrant).is_empty());
        if open && self.kind() == Game::Campaign {
            return Opened::Ask(army);
        }
        self.goes_to(Phase::Receive)
    }

    pub(super) fn list_entry(&self, side: Army, into: &mut Vec<Action>) {
        for entrant in self.blocked(side) {
            into.push(Action::Wait(entrant));
            let sources = self.other_sources(side, entrant);
            into.extend(sources.into_iter().map(|source| Action::Redirect { entrant, source }));
        }
    }

    pub(super) fn check_entry(&self, side: Army, action: &Action) -> Verdict<()> {
        let known = |entrant: &LeaderId| {
            if self.blocked(side).contains(entrant) {
                Ok(())
            } else {
                Err(Refusal::rule(rule!(CC_17_02), phrase::NOT_BLOCKED).with("leader", entrant.name()))
            }
        };
        match action {
            Action::Wait(entrant) => known(entrant),
            Action::Redirect { entrant, source } => {
                known(entrant)?;
                if rule!(CC_17_02).holds(self.other_sources(side, *entrant).contains(source)) {
                    return Ok(());
                }
                Err(Refusal::rule(rule!(CC_17_02), phrase::NO_SUCH_SOURCE).with("hex", source.called()))
            }
            _ => not_now(),
        }
    }

    pub(super) fn act_entry(&mut self, side: Army, action: &Action) {
        let next = self.public.turn + 1;
        let host = self.host_mut(side);
        match *action {
            Action::Wait(entrant) => host.asked_for.push(entrant),
            Action::Redirect { entrant, source } => {
                for leader in host.tree(entrant) {
                    if let Some(leader) = host.leaders.get_mut(&leader) {
                        leader.at = Whereabouts::Due { hex: source, turn: next };
                    }
                }
                host.asked_for.push(entrant);
            }
            _ => {}
        }
    }

    pub(super) fn receive(&mut self, clerk: &mut impl Clerk) -> Opened {
        let army = self.public.phasing;
        if clerk.holds(rule!(CC_19_01), self.kind() == Game::Battle) {
            return self.goes_to(Phase::Organise);
        }
        let Some(centre) = self.centre_active(army) else { return self.goes_to(Phase::Admin) };
        let source = self.base(army).source;
        let options = self.public.options;
        let field = self.true_field(army, &[centre, source]);
        let free = !clerk.holds(rule!(CC_5_9_02), field.is_occupied(source));
        let distance = field.primary_roads(centre).cost(source).map(|cost| cost.count() / 2);
        let distance = distance.filter(|_| clerk.holds(rule!(CC_5_2_01), free));
        let bonus = self.commander_near(army, centre).map_or(0, LeaderId::bonus);
        let received = distance.map_or(0, |distance| {
            let from = match source.to_string().as_str() {
                "2854" => Source::Vienna,
                "1154" => Source::Krems,
                _ => Source::AustroRussian,
            };
            admin::receive(from, distance, bonus, &options, clerk)
        });
        let base = self.base_mut(army);
        base.ap += received;
        let most = constant(Key::ApMost);
        if base.ap > most {
            base.ap = clerk.limit(rule!(CC_5_3_01), most).min(base.ap);
        }
        let total = base.ap;
        clerk.happened(|| Event::new(phrase::RECEIVED).with("ap", received).with("total", total));
        self.goes_to(Phase::Admin)
    }

    /// The army commander, if a dispatch reaches him from the centre.
    pub(super) fn commander_near(&self, army: Army, centre: HexId) -> Option<LeaderId> {
        let host = self.host(army);
        let commander = host.leaders.keys().copied().find(|leader| leader.commands_army())?;
        let at = host.leader_at(commander)?;
        let seen = self.seen(Some(army), enemy(army));
        let field = self.field_of(army, &seen, &[at]);
        self.line(&field, centre, at).map(|_| commander)
    }
}
