//! The end of the turn (section 3.12 and 7): sieges, control, diplomacy, victory.

use kernel::{Clerk, Event};
use rulebook::options::campaign::FinalScore;
use rulebook::tables::campaign::{GAME_FIRST_ARMY, GAME_VICTORY_HEXES};
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::map::{HexId, map};
use crate::politics::{self, MoraleEvent, Reply, Ultimatum};
use crate::terms::{Army, Road};

use super::super::action::Action;
use super::super::knowledge::around;
use super::super::march::quiet;
use super::super::roster::{self, Key, UnitId, constant, enemy, hex, place};
use super::super::state::{Extent, Outcome, Phase, Prussia, Reason, Scenario, State, Talks, Whereabouts};
use super::Opened;

impl State {
    pub(super) fn player_turn_end(&mut self, clerk: &mut impl Clerk) -> Opened {
        let phasing = self.public.phasing;
        let host = self.host_mut(phasing);
        host.skip = None;
        for flags in host.flags.values_mut() {
            flags.command = false;
            flags.entered = false;
        }
        self.lift_sieges();
        if !self.public.second {
            self.public.second = true;
            self.public.phasing = enemy(phasing);
            return self.goes_to(Phase::PlayerTurn);
        }
        for siege in &mut self.public.sieges {
            siege.turns += 1;
        }
        let next = clerk.rather(rule!(CC_3_01), Phase::Politics, Phase::Victory);
        self.goes_to(next)
    }

    /// A siege lasts while a stronger enemy is adjacent and somebody is inside.
    pub(super) fn lift_sieges(&mut self) {
        let mut sieges = std::mem::take(&mut self.public.sieges);
        sieges.retain(|siege| {
            let inside = self.stacks(siege.army).get(&siege.hex).map_or(0, |stack| stack.points.all());
            let outside = self.stacks(enemy(siege.army));
            let around: i32 =
                around(siege.hex).filter_map(|next| outside.get(&next)).map(|stack| stack.points.all()).sum();
            inside > 0 && rule!(CA_R71).holds(around > inside)
        });
        self.public.sieges = sieges;
    }

    pub(super) fn political(&mut self, clerk: &mut impl Clerk) -> Opened {
        for siege in self.public.sieges.clone() {
            if siege.turns < constant(Key::SiegeSurrenderFrom) {
                continue;
            }
            let die = i32::from(clerk.d6());
            if clerk.holds(rule!(CC_15_1_01), die >= constant(Key::SiegeSurrender)) {
                self.surrender(siege.army, siege.hex, clerk);
            }
        }
        if !self.politics() {
            return self.goes_to(Phase::Victory);
        }
        let mut events = Vec::new();
        for &(at, by) in &self.public.captures {
            events.extend(match (at.to_string().as_str(), by) {
                ("2603", Army::French) => Some(MoraleEvent::FrenchCaptureOlmutz),
                ("1822", Army::AustroRussian) => Some(MoraleEvent::AustroRussianCaptureBrunn),
                ("1930", Army::AustroRussian) => Some(MoraleEvent::AustroRussianCapturePohrlitz),
                _ => None,
            });
        }
        events.extend(self.public.napoleon.then_some(MoraleEvent::NapoleonEliminated));
        events.extend(self.public.critical.iter().map(|army| match army {
            Army::French => MoraleEvent::CriticalBattleWonByFrench,
            Army::AustroRussian => MoraleEvent::CriticalBattleWonByAustroRussian,
        }));
        let from = self.public.scenario.row().from_15_november;
        let options = self.public.options;
        if let Ok(vienna) = politics::morale(self.public.morale, &events, from, &options, clerk) {
            self.public.morale = vienna.morale;
        }
        self.goes_to(Phase::Declare)
    }

    /// A garrison gives itself up, and the place changes hands at once.
    fn surrender(&mut self, army: Army, at: HexId, clerk: &mut impl Clerk) {
        let force = self.host(army).all_at(at);
        let points = self.host(army).force_points(&force);
        let split = [points.infantry, points.cavalry, points.artillery];
        self.remove(army, &force, split);
        self.lost_in_action(army, split);
        for leader in force.leaders {
            self.captured(army, leader);
        }
        let host = self.host_mut(army);
        for unit in force.units {
            if let Some(unit) = host.units.get_mut(&unit) {
                unit.leader = None;
                unit.at = Whereabouts::Lost;
            }
        }
        self.public.sieges.retain(|siege| siege.hex != at);
        self.public.control.insert(at, enemy(army));
        self.public.captures.retain(|(hex, _)| *hex != at);
        self.public.captures.push((at, enemy(army)));
        clerk.happened(|| Event::new(phrase::SURRENDERS).with("hex", at.called()));
    }

    pub(super) fn open_declare(&mut self) -> Opened {
        if rule!(CC_18_3_01).holds(self.public.napoleon) {
            return Opened::Ask(Army::AustroRussian);
        }
        self.goes_to(Phase::Diplomacy)
    }

    pub(super) fn act_declare(&mut self, action: &Action, clerk: &mut impl Clerk) {
        if *action == Action::DeclareVictory {
            clerk.applied(rule!(CC_18_3_01));
            self.ends(
                Some(Army::AustroRussian),
                Extent::Operational,
                Reason::Declaration,
                [self.public.morale, 0],
            );
        } else {
            self.public.phase = Phase::Diplomacy;
        }
    }

    fn ends(&mut self, winner: Option<Army>, extent: Extent, reason: Reason, totals: [i32; 2]) {
        self.public.outcome = Some(Outcome { winner, extent, reason, totals });
        self.public.phase = Phase::Over;
    }

    pub(super) fn diplomacy(&mut self, clerk: &mut impl Clerk) -> Opened {
        let asked = match self.public.talks {
            Talks::NotYet => Some(politics::Talks::NotYet),
            Talks::UnderWay(turns) => Some(politics::Talks::UnderWay(turns)),
            Talks::Held => Some(politics::Talks::Held),
            Talks::Refused => None,
        };
        if let Some(talks) = asked
            && let Ok((reply, turns)) = politics::negotiate(self.public.morale, talks, clerk)
        {
            self.public.talks = match politics::after(talks, reply, turns) {
                politics::Talks::NotYet => Talks::NotYet,
                politics::Talks::UnderWay(turns) => Talks::UnderWay(turns),
                politics::Talks::Held => Talks::Held,
                politics::Talks::Refused | politics::Talks::Victory => Talks::Refused,
            };
            clerk.happened(|| Event::new(phrase::TALKS));
            if clerk.holds(rule!(CC_18_3_01), reply == Reply::MarginalVictory) {
                self.ends(Some(Army::French), Extent::Marginal, Reason::Star, [self.public.morale, 0]);
                return Opened::Done;
            }
        }
        if self.public.prussia == Prussia::NotYet {
            let turn = self.public.turn;
            let began = self.public.scenario.row().first_turn;
            let options = self.public.options;
            let (result, _) =
                politics::ultimatum(self.public.morale, i32::from(turn), began, &options, clerk);
            match result {
                Ultimatum::PrussianUltimatum => self.public.prussia = Prussia::Ultimatum(turn),
                Ultimatum::PrussiaLeaves => self.public.prussia = Prussia::Left,
                Ultimatum::NotYet | Ultimatum::RollAgain => {}
            }
            clerk.happened(|| Event::new(phrase::PRUSSIA));
        }
        self.goes_to(Phase::Victory)
    }

    /// Infantry and cavalry of a side on the map, and whether more may come.
    fn remains(&self, army: Army) -> (i32, bool) {
        let host = self.host(army);
        let stacks = self.stacks(army);
        let due = |at: Whereabouts| matches!(at, Whereabouts::Due { .. });
        let more = host.leaders.values().any(|leader| due(leader.at))
            || host.units.values().any(|unit| unit.leader.is_none() && due(unit.at));
        (stacks.values().map(|stack| stack.points.fighting()).sum(), more)
    }

    pub(super) fn victory(&mut self, clerk: &mut impl Clerk) -> Opened {
        let with_losses = self.public.options.final_score == FinalScore::WithLosses;
        if self.politics() && with_losses {
            for army in [Army::French, Army::AustroRussian] {
                let (left, more) = self.remains(army);
                if clerk.holds(rule!(CA_R65), left < constant(Key::DestructionSize) && !more) {
                    self.ends(
                        Some(enemy(army)),
                        Extent::Operational,
                        Reason::Destruction,
                        [self.public.morale, 0],
                    );
                    return Opened::Done;
                }
            }
        }
        let mut last = self.last_turn();
        if let Prussia::Ultimatum(turn) = self.public.prussia {
            let turns = clerk.value(rule!(CC_18_4_01), constant(Key::UltimatumTurns));
            last = last.min(turn.saturating_add(u8::try_from(turns).unwrap_or(0)));
        }
        if self.public.turn < last {
            self.public.turn += 1;
            return self.goes_to(Phase::TurnStart);
        }
        match self.public.scenario {
            Scenario::Austerlitz | Scenario::Hollabrunn => self.count_points(clerk),
            Scenario::November | Scenario::December => self.final_score(clerk),
        }
        Opened::Done
    }

    fn count_points(&mut self, clerk: &mut impl Clerk) {
        let name = self.public.scenario.name();
        let mut points = [self.base(Army::AustroRussian).lost, self.base(Army::French).lost];
        for row in GAME_VICTORY_HEXES.iter().filter(|row| row.scenario == name) {
            let holder = self.public.control.get(&hex(row.hex)).copied().unwrap_or(Army::AustroRussian);
            if row.who == "holder" || roster::army(row.who) == holder {
                points[place(holder)] += row.points;
            }
        }
        let hollabrunn = self.public.scenario == Scenario::Hollabrunn;
        if hollabrunn {
            points[1] += self.saved() / 2;
        }
        let difference = clerk.value(rule!(CC_GAME_01), points[0] - points[1]);
        let (french, allied) = if hollabrunn {
            (constant(Key::HollabrunnFrenchWins), constant(Key::HollabrunnAlliedWins))
        } else {
            (constant(Key::AusterlitzFrenchWins), constant(Key::AusterlitzAlliedWins))
        };
        let winner = match difference {
            _ if difference >= french => Some(Army::French),
            _ if difference <= allied => Some(Army::AustroRussian),
            _ => None,
        };
        let extent = if winner.is_some() { Extent::Victory } else { Extent::Draw };
        self.ends(winner, extent, Reason::Points, points);
    }

    /// SP of the first army with a line and in no enemy zone.
    fn saved(&self) -> i32 {
        let army = Army::AustroRussian;
        let host = self.host(army);
        let name = self.public.scenario.name();
        let units = GAME_FIRST_ARMY.iter().filter(|row| row.scenario == name);
        let safe = units.filter_map(|row| UnitId::named(row.unit)).filter(|&unit| {
            host.unit_at(unit).is_some_and(|at| {
                self.exerting(enemy(army), at).is_empty() && self.has_line(army, at, &mut quiet())
            })
        });
        safe.filter_map(|unit| host.units.get(&unit)).map(|unit| unit.sp).sum()
    }

    fn final_score(&mut self, clerk: &mut impl Clerk) {
        let with_losses = self.public.options.final_score == FinalScore::WithLosses;
        let mut score = self.public.morale;
        match self.public.prussia {
            Prussia::Ultimatum(_) => {
                let more = if with_losses { constant(Key::ScoreUltimatum) } else { 2 };
                score += clerk.modifier(rule!(CC_18_5_01), more);
            }
            Prussia::Left => score += clerk.modifier(rule!(CC_18_5_01), -constant(Key::ScorePrussiaLeaves)),
            Prussia::NotYet => {}
        }
        if with_losses {
            let difference = self.base(Army::AustroRussian).lost - self.base(Army::French).lost;
            let most = constant(Key::ScoreSpMost);
            let change = (difference / constant(Key::ScoreSp)).clamp(-most, most);
            score -= clerk.modifier(rule!(CA_R65), change);
        }
        if !self.brunn_joined() {
            score += clerk.modifier(rule!(CC_18_5_01), 1);
        }
        let allied = Army::AustroRussian;
        let hexes: Vec<HexId> = {
            let host = self.host(allied);
            host.heads()
                .into_iter()
                .filter(|&head| host.strength(head).all() > 0)
                .filter_map(|head| host.leader_at(head))
                .collect()
        };
        let line = hexes.into_iter().any(|at| self.has_line(allied, at, &mut quiet()));
        if !line {
            score += clerk.modifier(rule!(CC_18_5_01), -1);
        }
        let score = clerk.value(rule!(CC_18_5_01), score);
        let (winner, extent) = match score {
            ..=-3 => (Some(Army::French), Extent::Operational),
            -2 | -1 => (Some(Army::French), Extent::Marginal),
            0 => (None, Extent::Draw),
            1 => (Some(Army::AustroRussian), Extent::Marginal),
            2.. => (Some(Army::AustroRussian), Extent::Operational),
        };
        self.ends(winner, extent, Reason::Score, [score, 0]);
    }

    /// Whether a chain of road hexes free of the allies joins Brünn to a French source.
    fn brunn_joined(&self) -> bool {
        let brunn = hex("1822");
        let field = self.true_field(Army::French, &[]);
        let own = self.stacks(Army::French);
        let open = |at: HexId| {
            let held = own.get(&at).is_some_and(|stack| stack.points.all() > 0);
            !field.is_occupied(at) && (held || !field.in_zone(at))
        };
        if !open(brunn) {
            return false;
        }
        let ways = field.ways_where(brunn, kernel::MovementPoints::whole(1_000), |from, direction| {
            let next = from.neighbour(direction)?;
            (field.way(from, direction).1 != Road::None && open(next))
                .then_some(kernel::MovementPoints::whole(1))
        });
        map().sources(Army::French).iter().any(|&source| ways.cost(source).is_some())
    }
}
