//! How the game is told: every decision and the situation as phrases with facts. Where it stands is told from
//! what both sides know; a decision is told to whoever may read it.

use kernel::{Measure, MovementPoints, Phrase, Saying, Told};
use rulebook::phrase::{campaign as words, campaign_say as say};

use crate::battle::Stance;
use crate::map::HexId;
use crate::terms::{Army, Month, Weather};

use super::action::Action;
use super::roster::LeaderId;
use super::state::{Body, Extent, Hand, Outcome, Phase, Reason, Scenario, Segment, Share, State, Watch};

/// An army by name.
pub(crate) const fn army(army: Army) -> Phrase {
    match army {
        Army::French => say::SIDE_FRENCH,
        Army::AustroRussian => say::SIDE_ALLIED,
    }
}

/// The weather of a turn.
pub(crate) fn weather(weather: Weather, fog: bool) -> Measure {
    let sky = match weather {
        Weather::Clear => words::WORD_CLEAR_SKY,
        Weather::Frost => words::WORD_FROST,
        Weather::Snow => words::WORD_SNOW,
        Weather::Rain => words::WORD_RAIN,
        Weather::Mud => words::WORD_MUD,
        Weather::RainMud => say::RAIN_MUD,
    };
    if fog { [sky.into(), say::FOG.into()].into() } else { sky.into() }
}

/// A scenario by name.
pub(crate) const fn scenario(scenario: Scenario) -> Phrase {
    match scenario {
        Scenario::Austerlitz => words::SCENARIO_AUSTERLITZ,
        Scenario::Hollabrunn => words::SCENARIO_HOLLABRUNN,
        Scenario::November => words::SCENARIO_NOVEMBER,
        Scenario::December => words::SCENARIO_DECEMBER,
    }
}

/// The name of a phase.
pub(crate) const fn phase(phase: Phase) -> Phrase {
    match phase {
        Phase::Begin | Phase::TurnStart | Phase::PlayerTurn => say::PHASE_BEGIN,
        Phase::Entry => say::PHASE_ENTRY,
        Phase::Receive | Phase::Admin => say::PHASE_ADMIN,
        Phase::Organise => say::PHASE_ORGANISE,
        Phase::Command => say::PHASE_COMMAND,
        Phase::Move => say::PHASE_MOVE,
        Phase::React => say::PHASE_REACT,
        Phase::Force => say::PHASE_FORCE,
        Phase::Attrition => say::PHASE_ATTRITION,
        Phase::Combat | Phase::PlayerTurnEnd => say::PHASE_COMBAT,
        Phase::Decline => say::PHASE_DECLINE,
        Phase::StanceAttacker | Phase::StanceDefender | Phase::RestanceAttacker | Phase::RestanceDefender => {
            say::PHASE_STANCE
        }
        Phase::Bombard | Phase::Bombarded | Phase::Clash | Phase::Leaders | Phase::BattleEnd => {
            say::PHASE_BATTLE
        }
        Phase::Override => say::PHASE_OVERRIDE,
        Phase::Guns(_) => say::PHASE_GUNS,
        Phase::Counter => say::PHASE_COUNTER,
        Phase::Retreat => say::PHASE_RETREAT,
        Phase::Pursue | Phase::Advance | Phase::Toll => say::PHASE_PURSUE,
        Phase::Politics | Phase::Declare | Phase::Diplomacy | Phase::Victory => say::PHASE_POLITICS,
        Phase::Over => say::PHASE_OVER,
    }
}

const fn segment(segment: Segment) -> Phrase {
    match segment {
        Segment::Organise => say::PHASE_ORGANISE,
        Segment::Command => say::PHASE_COMMAND,
        Segment::Move => say::PHASE_MOVE,
        Segment::Force => say::PHASE_FORCE,
        Segment::Combat => say::PHASE_COMBAT,
        Segment::End => say::PHASE_END,
    }
}

const fn watch(watch: Watch) -> Phrase {
    match watch {
        Watch::Always => say::WATCH_ALWAYS,
        Watch::Near => say::WATCH_NEAR,
        Watch::Never => say::WATCH_NEVER,
    }
}

const fn share(share: Share) -> Phrase {
    match share {
        Share::InProportion => say::SHARE_IN_PROPORTION,
        Share::InfantryFirst => say::SHARE_INFANTRY_FIRST,
        Share::CavalryFirst => say::SHARE_CAVALRY_FIRST,
    }
}

fn all(leaders: &[LeaderId]) -> Measure {
    Measure::Several(leaders.iter().map(|leader| leader.name().into()).collect())
}

/// The day of a date.
fn day(date: &str) -> i64 {
    date.rsplit('-').next().and_then(|day| day.parse().ok()).unwrap_or(0)
}

impl Body {
    /// Who it is.
    pub(crate) fn name(self) -> Measure {
        match self {
            Self::Formation(head) => head.name().into(),
            Self::Vedette(number) => Saying::new(say::VEDETTE).with("number", number).into(),
        }
    }
}

impl State {
    /// The first day of a turn and its month.
    pub(crate) fn date(&self, turn: u8) -> (i64, Month) {
        let row = self.calendar_of(turn);
        let month = match row.map(|row| row.weather_month) {
            Some("november") => Month::November,
            _ => Month::December,
        };
        (row.map_or(0, |row| day(row.first_day)), month)
    }

    /// The days of the turn, with Vienna's morale where there are politics.
    pub(crate) fn day(&self) -> Saying {
        let row = self.calendar();
        let month = match self.month() {
            Month::November => words::WORD_NOVEMBER,
            Month::December => words::WORD_DECEMBER,
        };
        let days = Saying::new(if self.politics() { say::DAYS_POLITICS } else { say::DAYS })
            .with("turn", i32::from(self.public.turn))
            .with("first", row.map_or(0, |row| day(row.first_day)))
            .with("last", row.map_or(0, |row| day(row.last_day)))
            .with("month", month);
        if self.politics() { days.with("morale", format!("{:+}", self.public.morale)) } else { days }
    }

    /// What is in the hand of whoever decides.
    pub(crate) fn in_hand(&self) -> Option<Hand> {
        self.public.asked.and_then(|side| self.host(side).hand)
    }

    fn hand_name(&self) -> Measure {
        self.in_hand().map_or_else(|| "".into(), |hand| hand.body.name())
    }
}

impl Told for State {
    fn standing(&self) -> Vec<Saying> {
        let mut lines = vec![
            Saying::new(say::STANDING)
                .with("day", self.day())
                .with("side", army(self.public.phasing))
                .with("phase", phase(self.public.phase)),
        ];
        let [french, allied] = [Army::French, Army::AustroRussian].map(|army| self.base(army));
        lines.push(
            Saying::new(say::STANDING_POINTS)
                .with("weather", weather(self.public.weather, self.public.fog))
                .with("french", french.ap)
                .with("allied", allied.ap),
        );
        lines.push(Saying::new(scenario(self.public.scenario)));
        lines.push(Saying::new(say::STANDING_LOST).with("french", french.lost).with("allied", allied.lost));
        if let Some(battle) = &self.public.battle {
            lines.push(
                Saying::new(say::STANDING_BATTLE)
                    .with("hex", battle.hex.called())
                    .with("round", battle.round),
            );
        }
        lines
    }

    fn kind(action: &Action) -> Saying {
        Saying::new(match action {
            Action::Begin => say::KIND_BEGIN,
            Action::Wait(_) | Action::Redirect { .. } => say::KIND_ENTRY,
            Action::ChangeSource(_)
            | Action::MoveCentre(_)
            | Action::ReformCentre(_)
            | Action::CallMortier => say::KIND_ADMIN,
            Action::Attach { .. }
            | Action::Detach(_)
            | Action::Spread(_)
            | Action::Gather(_)
            | Action::Transfer { .. } => say::KIND_REGROUP,
            Action::VedetteOut(_) | Action::VedetteIn { .. } => say::KIND_VEDETTE,
            Action::ForageOn(_) | Action::ForageOff(_) => say::KIND_FORAGE,
            Action::Recover { .. } | Action::RecoverAll | Action::Replace(_) => say::KIND_RECOVER,
            Action::Losses { .. } | Action::TakeLosses { .. } => say::KIND_LOSSES,
            Action::Command(_) | Action::Commands(_) => say::KIND_COMMAND,
            Action::TakeUp(_) => say::KIND_TAKE,
            Action::Order { .. } | Action::March(_) => say::KIND_MARCH,
            Action::Standing { .. } | Action::CarryOn | Action::Watch(_) => say::KIND_STANDING,
            Action::SkipTo(_) => say::KIND_SKIP,
            Action::Repulse(_) => say::KIND_REPULSE,
            Action::DamageBridge(_)
            | Action::RepairBridge(_)
            | Action::LayPontoon(_)
            | Action::LiftPontoon(_) => say::KIND_WORKS,
            Action::DropLeader(_) | Action::DropUnit(_) => say::KIND_DROP,
            Action::ForceMarch(_) => say::KIND_FORCE,
            Action::Attack { .. } => say::KIND_ATTACK,
            Action::Accept | Action::Decline => say::KIND_DECLINE,
            Action::Stance(_) => say::KIND_STANCE,
            Action::GunsMarch(_) => say::KIND_GUNS,
            Action::Counterattack | Action::Stop | Action::Override | Action::Stand => say::KIND_BATTLE,
            Action::RetreatTo(_) | Action::RetreatRest => say::KIND_RETREAT,
            Action::Pursue(_) | Action::NoPursuit | Action::Advance(_) => say::KIND_PURSUE,
            Action::DeclareVictory | Action::DeclineVictory => say::KIND_POLITICS,
            Action::EndAdmin
            | Action::EndOrganise
            | Action::EndCommand
            | Action::EndMovement
            | Action::Halt
            | Action::EndForced
            | Action::EndCombat
            | Action::Pass
            | Action::PassBattle => say::KIND_END,
        })
    }

    fn tell(&self, action: &Action) -> Saying {
        let plain = Saying::new;
        let who = |phrase: Phrase, leader: LeaderId| Saying::new(phrase).with("who", leader.name());
        let at = |phrase: Phrase, hex: HexId| Saying::new(phrase).with("hex", hex.called());
        let last = |path: &[HexId]| path.last().map(|hex| hex.called()).unwrap_or_default();
        let by_hand = |phrase: Phrase, hex: HexId| at(phrase, hex).with("who", self.hand_name());
        match action {
            Action::Begin => plain(say::TELL_BEGIN),
            Action::Wait(leader) => who(say::TELL_WAIT, *leader),
            Action::Redirect { entrant, source } => {
                who(say::TELL_REDIRECT, *entrant).with("hex", source.called())
            }
            Action::ChangeSource(hex) => at(say::TELL_CHANGE_SOURCE, *hex),
            Action::MoveCentre(hex) => at(say::TELL_MOVE_CENTRE, *hex),
            Action::ReformCentre(hex) => at(say::TELL_REFORM_CENTRE, *hex),
            Action::CallMortier => plain(say::TELL_CALL_MORTIER),
            Action::EndAdmin => plain(say::TELL_END_ADMIN),
            Action::Attach { leader, superior } => {
                who(say::TELL_ATTACH, *leader).with("superior", superior.name())
            }
            Action::Detach(leader) => who(say::TELL_DETACH, *leader),
            Action::Spread(leader) => who(say::TELL_SPREAD, *leader),
            Action::Gather(leader) => who(say::TELL_GATHER, *leader),
            Action::Transfer { unit, to: Some(to) } => {
                plain(say::TELL_TRANSFER).with("unit", unit.name()).with("who", to.name())
            }
            Action::Transfer { unit, to: None } => plain(say::TELL_POST).with("unit", unit.name()),
            Action::VedetteOut(unit) => plain(say::TELL_VEDETTE_OUT).with("unit", unit.name()),
            Action::VedetteIn { vedette, unit } => plain(say::TELL_VEDETTE_IN)
                .with("who", Body::Vedette(*vedette).name())
                .with("unit", unit.name()),
            Action::ForageOn(leader) => who(say::TELL_FORAGE_ON, *leader),
            Action::ForageOff(leader) => who(say::TELL_FORAGE_OFF, *leader),
            Action::Recover { unit, sp } => {
                plain(say::TELL_RECOVER).with("unit", unit.name()).with("sp", *sp)
            }
            Action::RecoverAll => plain(say::TELL_RECOVER_ALL),
            Action::Replace(unit) => plain(say::TELL_REPLACE).with("unit", unit.name()),
            Action::Losses { formation, share: how } => {
                who(say::TELL_LOSSES, *formation).with("share", share(*how))
            }
            Action::EndOrganise => plain(say::TELL_END_ORGANISE),
            Action::Command(leader) => who(say::TELL_COMMAND, *leader),
            Action::Commands(leaders) => plain(say::TELL_COMMANDS).with("who", all(leaders)),
            Action::EndCommand => plain(say::TELL_END_COMMAND),
            Action::TakeUp(body) => plain(say::TELL_TAKE_UP).with("who", body.name()),
            Action::Order { formation, path } => {
                plain(say::TELL_MARCH).with("who", formation.name()).with("hex", last(path))
            }
            Action::Standing { formation, goal: Some(goal) } => {
                who(say::TELL_STANDING, *formation).with("hex", goal.called())
            }
            Action::Standing { formation, goal: None } => who(say::TELL_STANDING_NONE, *formation),
            Action::CarryOn => plain(say::TELL_CARRY_ON),
            Action::Watch(how) => plain(say::TELL_WATCH).with("watch", watch(*how)),
            Action::SkipTo(to) => plain(say::TELL_SKIP_TO).with("phase", segment(*to)),
            Action::EndMovement => plain(say::TELL_END_MOVEMENT),
            Action::March(path) => {
                plain(say::TELL_MARCH).with("who", self.hand_name()).with("hex", last(path))
            }
            Action::Repulse(hex) => by_hand(say::TELL_REPULSE, *hex),
            Action::DamageBridge(hex) => by_hand(say::TELL_DAMAGE_BRIDGE, *hex),
            Action::RepairBridge(hex) => by_hand(say::TELL_REPAIR_BRIDGE, *hex),
            Action::LayPontoon(hex) => by_hand(say::TELL_LAY_PONTOON, *hex),
            Action::LiftPontoon(hex) => by_hand(say::TELL_LIFT_PONTOON, *hex),
            Action::DropLeader(leader) => who(say::TELL_DROP, *leader),
            Action::DropUnit(unit) => plain(say::TELL_DROP).with("who", unit.name()),
            Action::Halt => plain(say::TELL_HALT).with("who", self.hand_name()),
            Action::ForceMarch(leader) => who(say::TELL_FORCE_MARCH, *leader),
            Action::EndForced => plain(say::TELL_END_FORCED),
            Action::TakeLosses { infantry, cavalry } => {
                plain(say::TELL_TAKE_LOSSES).with("infantry", *infantry).with("cavalry", *cavalry)
            }
            Action::Attack { hex, formations } => at(say::TELL_ATTACK, *hex).with("who", all(formations)),
            Action::EndCombat => plain(say::TELL_END_COMBAT),
            Action::Accept => plain(say::TELL_ACCEPT),
            Action::Decline => plain(say::TELL_DECLINE),
            Action::Stance(Stance::Pitched) => plain(say::TELL_PITCHED),
            Action::Stance(Stance::Pursuit) => plain(say::TELL_PURSUIT),
            Action::GunsMarch(leader) => who(say::TELL_GUNS_MARCH, *leader),
            Action::Pass => plain(say::TELL_PASS),
            Action::PassBattle => plain(say::TELL_PASS_BATTLE),
            Action::Counterattack => plain(say::TELL_COUNTERATTACK),
            Action::Stop => plain(say::TELL_STOP),
            Action::Override => plain(say::TELL_OVERRIDE),
            Action::Stand => plain(say::TELL_STAND),
            Action::RetreatTo(hex) => at(say::TELL_RETREAT_TO, *hex),
            Action::RetreatRest => plain(say::TELL_RETREAT_REST),
            Action::Pursue(leaders) => plain(say::TELL_PURSUE).with("who", all(leaders)),
            Action::NoPursuit => plain(say::TELL_NO_PURSUIT),
            Action::Advance(hexes) => plain(say::TELL_ADVANCE).with("hexes", *hexes),
            Action::DeclareVictory => plain(say::TELL_DECLARE_VICTORY),
            Action::DeclineVictory => plain(say::TELL_DECLINE_VICTORY),
        }
    }

    fn name(side: Army) -> Phrase {
        army(side)
    }

    fn ending(outcome: &Outcome) -> Saying {
        let reason = match outcome.reason {
            Reason::Star => say::REASON_STAR,
            Reason::Declaration => say::REASON_DECLARATION,
            Reason::Destruction => say::REASON_DESTRUCTION,
            Reason::Score => say::REASON_SCORE,
            Reason::Points => say::REASON_POINTS,
        };
        Saying::new(result(outcome))
            .with("reason", reason)
            .with("one", outcome.totals[0])
            .with("other", outcome.totals[1])
    }
}

/// How it ended, in a word.
pub(crate) const fn result(outcome: &Outcome) -> Phrase {
    match (outcome.winner, outcome.extent) {
        (None, _) | (_, Extent::Draw) => say::ENDED_DRAW,
        (Some(Army::French), Extent::Operational) => say::ENDED_FRENCH_OPERATIONAL,
        (Some(Army::French), Extent::Marginal) => say::ENDED_FRENCH_MARGINAL,
        (Some(Army::French), Extent::Victory) => say::ENDED_FRENCH,
        (Some(Army::AustroRussian), Extent::Operational) => say::ENDED_ALLIED_OPERATIONAL,
        (Some(Army::AustroRussian), Extent::Marginal) => say::ENDED_ALLIED_MARGINAL,
        (Some(Army::AustroRussian), Extent::Victory) => say::ENDED_ALLIED,
    }
}

/// Half movement points as a measure.
pub(crate) fn points(halves: i16) -> MovementPoints {
    MovementPoints::halves(i32::from(halves.max(0)))
}
