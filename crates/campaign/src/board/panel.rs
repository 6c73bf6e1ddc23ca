//! Beside the map: the days, the phase, what to do in it, the tracks, the list of the staff, the aim of each side.

use kernel::board::{Enrolled, Roll, Status, Track};
use kernel::{Measure, Phrase, Saying};
use rulebook::phrase::campaign_board as words;

use super::names::leader_thing;
use super::standing::conditions;
use crate::game::say::points;
use crate::game::{Key, Phase, State, constant, say};
use crate::terms::{Army, Game};

/// Where the game stands.
pub(super) fn status(state: &State) -> Status {
    let public = &state.public;
    let weather = Saying::new(words::SKY)
        .with("side", say::army(public.phasing))
        .with("weather", say::weather(public.weather, public.fog));
    Status {
        turn: state.day(),
        step: say::phase(public.phase),
        round: (public.phase != Phase::Begin).then_some(weather),
        prompt: prompt(state),
        ending: public.outcome.map(|outcome| match outcome.winner {
            None => words::WON_DRAW,
            Some(Army::French) => words::WON_FRENCH,
            Some(Army::AustroRussian) => words::WON_ALLIED,
        }),
        tracks: tracks(state),
        legs: Vec::new(),
        is_young: super::lesson::is_young(state),
    }
}

/// What to do now.
fn prompt(state: &State) -> Phrase {
    let public = &state.public;
    if !public.owed.is_empty() {
        return words::HINT_LOSSES;
    }
    if public.walk.is_some() {
        return words::HINT_RETREAT;
    }
    match public.phase {
        Phase::Begin | Phase::TurnStart | Phase::PlayerTurn => words::HINT_BEGIN,
        Phase::Entry => words::HINT_ENTRY,
        Phase::Receive | Phase::Admin => words::HINT_ADMIN,
        Phase::Organise => words::HINT_ORGANISE,
        Phase::Command => words::HINT_COMMAND,
        Phase::Move | Phase::React | Phase::Force | Phase::Guns(_) if state.in_hand().is_some() => {
            words::HINT_HAND
        }
        Phase::Move => words::HINT_MOVE,
        Phase::React => words::HINT_REACT,
        Phase::Force | Phase::Attrition => words::HINT_FORCE,
        Phase::Combat | Phase::PlayerTurnEnd => words::HINT_COMBAT,
        Phase::Decline => words::HINT_DECLINE,
        Phase::StanceAttacker | Phase::StanceDefender | Phase::RestanceAttacker | Phase::RestanceDefender => {
            words::HINT_STANCE
        }
        Phase::Bombard | Phase::Bombarded | Phase::Clash | Phase::Leaders | Phase::BattleEnd => {
            words::HINT_BATTLE
        }
        Phase::Override => words::HINT_OVERRIDE,
        Phase::Guns(_) => words::HINT_GUNS,
        Phase::Counter => words::HINT_COUNTER,
        Phase::Retreat => words::HINT_RETREAT,
        Phase::Pursue | Phase::Advance | Phase::Toll => words::HINT_PURSUE,
        Phase::Politics | Phase::Declare | Phase::Diplomacy | Phase::Victory => words::HINT_POLITICS,
        Phase::Over => words::HINT_OVER,
    }
}

fn tracks(state: &State) -> Vec<Track> {
    let count = |number: i32| u32::try_from(number.max(0)).unwrap_or(0);
    let public = &state.public;
    let first = u32::try_from(public.scenario.row().first_turn).unwrap_or(1);
    let mut tracks = vec![Track {
        name: words::TRACK_TURN,
        value: u32::from(public.turn) + 1 - first.min(u32::from(public.turn)),
        most: u32::from(state.last_turn()) + 1 - first,
        out_of: true,
        class: "turn",
    }];
    let most = count(constant(Key::ApMost));
    let sides = [
        (Army::French, words::TRACK_AP_FRENCH, words::TRACK_LOST_FRENCH, "french"),
        (Army::AustroRussian, words::TRACK_AP_ALLIED, words::TRACK_LOST_ALLIED, "allied"),
    ];
    let battle = state.kind() == Game::Battle;
    if battle {
        let value = count(state.base(public.phasing).commands);
        tracks.push(Track { name: words::TRACK_COMMANDS, value, most: 6, out_of: false, class: "commands" });
    }
    for (army, reserve, lost, class) in sides {
        let base = state.base(army);
        tracks.push(Track { name: reserve, value: count(base.ap), most, out_of: false, class });
        tracks.push(Track { name: lost, value: count(base.lost), most: 60, out_of: false, class });
    }
    tracks
}

/// The list of the staff: strength, march, state, the strongest first.
pub(super) fn roll(state: &State, side: Army) -> Roll {
    let host = state.host(side);
    let reached = state.dispatch_lines(side);
    let mut heads = host.heads();
    heads.sort_by_key(|&head| (-host.strength(head).all(), head));
    let rows = heads.into_iter().map(|head| {
        let mut told = conditions(state, side, head);
        let cut = reached.iter().any(|(other, line)| *other == head && line.is_none());
        told.extend(cut.then_some(words::OUT_OF_REACH.into()));
        told.extend(super::lines::trouble(state, side, head));
        if told.is_empty() {
            told.push(words::ROLL_READY.into());
        }
        told.extend(host.leader_at(head).map(|hex| hex.called().into()));
        Enrolled {
            thing: leader_thing(head),
            name: head.name().into(),
            cells: vec![
                host.strength(head).all().into(),
                points(host.flags(head).marched()).into(),
                points(host.flags(head).last_march).into(),
                Measure::Several(told),
            ],
        }
    });
    Roll {
        title: words::ROLL,
        heads: vec![
            words::ROLL_WHO,
            words::ROLL_SP,
            words::ROLL_MARCHED,
            words::ROLL_LAST_MARCH,
            words::ROLL_STATE,
        ],
        rows: rows.collect(),
    }
}

/// What orders are paid from.
pub(super) fn stores(state: &State) -> Vec<(Phrase, i64)> {
    let base = state.base(state.public.phasing);
    match state.kind() {
        Game::Battle => vec![(words::STORE_COMMANDS, base.commands.into())],
        Game::Campaign => vec![(words::STORE_AP, base.ap.into())],
    }
}

/// What it is all about.
pub(super) const fn aims(reader: Option<Army>) -> &'static [Phrase] {
    match reader {
        Some(Army::French) => {
            &[words::AIM_FRENCH, words::AIM_FRENCH_ONE, words::AIM_FRENCH_TWO, words::AIM_FRENCH_THREE]
        }
        Some(Army::AustroRussian) => {
            &[words::AIM_ALLIED, words::AIM_ALLIED_ONE, words::AIM_ALLIED_TWO, words::AIM_ALLIED_THREE]
        }
        None => &[words::AIM_WATCHING],
    }
}
