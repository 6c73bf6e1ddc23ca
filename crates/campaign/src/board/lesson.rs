//! What a newcomer is told: step by step of his first turns, what to click and why.

use kernel::Phrase;
use kernel::board::Lesson;
use rulebook::phrase::campaign_board as words;

use crate::game::{Phase, State};
use crate::terms::{Army, Game};

/// With the second turn of a side the lessons end.
const LAST_LESSON: u8 = 2;

/// Whether the game has only begun.
pub(super) fn is_young(state: &State) -> bool {
    state.public.own_turns.iter().all(|turns| *turns < LAST_LESSON)
}

const fn lesson(deed: Phrase, why: Phrase, points_at: &'static [&'static str]) -> Option<Lesson> {
    Some(Lesson { deed, why, points_at })
}

/// What a newcomer is told of the decision before him.
pub(super) fn next(state: &State, side: Army) -> Option<Lesson> {
    if !is_young(state) || !state.public.owed.is_empty() || state.public.walk.is_some() {
        return None;
    }
    match (state.public.phase, state.kind(), side) {
        (Phase::Begin, ..) => lesson(words::GUIDE_BEGIN, words::GUIDE_BEGIN_WHY, &["begin"]),
        (Phase::Admin, ..) => {
            lesson(words::GUIDE_ADMIN, words::GUIDE_ADMIN_WHY, &["move_centre", "end_admin"])
        }
        (Phase::Organise, ..) => {
            lesson(words::GUIDE_ORGANISE, words::GUIDE_ORGANISE_WHY, &["recover_all", "end_organise"])
        }
        (Phase::Command, Game::Battle, _) => {
            lesson(words::GUIDE_COMMAND, words::GUIDE_COMMAND_BATTLE_WHY, &["command", "end_command"])
        }
        (Phase::Command, Game::Campaign, _) => {
            lesson(words::GUIDE_COMMAND, words::GUIDE_COMMAND_WHY, &["command", "end_command"])
        }
        (Phase::Move | Phase::Force | Phase::React, ..) if state.in_hand().is_some() => {
            lesson(words::GUIDE_HAND, words::GUIDE_HAND_WHY, &["halt"])
        }
        (Phase::Move, Game::Battle, _) => {
            lesson(words::GUIDE_MOVE, words::GUIDE_MOVE_BATTLE_WHY, &["take_up", "end_movement"])
        }
        (Phase::Move, Game::Campaign, Army::French) => {
            lesson(words::GUIDE_MOVE, words::GUIDE_MOVE_FRENCH_WHY, &["take_up", "end_movement"])
        }
        (Phase::Move, Game::Campaign, Army::AustroRussian) => {
            lesson(words::GUIDE_MOVE, words::GUIDE_MOVE_ALLIED_WHY, &["take_up", "end_movement"])
        }
        (Phase::React | Phase::Force, ..) => {
            lesson(words::GUIDE_FORCE, words::GUIDE_FORCE_WHY, &["end_forced"])
        }
        (Phase::Combat, ..) => {
            lesson(words::GUIDE_COMBAT, words::GUIDE_COMBAT_WHY, &["attack", "end_combat"])
        }
        (
            Phase::StanceAttacker | Phase::StanceDefender | Phase::RestanceAttacker | Phase::RestanceDefender,
            ..,
        ) => lesson(words::GUIDE_STANCE, words::GUIDE_STANCE_WHY, &["stance"]),
        (Phase::Guns(_), ..) => {
            lesson(words::GUIDE_GUNS, words::GUIDE_GUNS_WHY, &["guns_march", "pass", "pass_battle"])
        }
        (Phase::Counter, ..) => {
            lesson(words::GUIDE_COUNTER, words::GUIDE_COUNTER_WHY, &["counterattack", "stop"])
        }
        _ => None,
    }
}
