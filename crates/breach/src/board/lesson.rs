//! What a newcomer is told: step by step of the set-up and of the first turn, what to click and why.

use kernel::Phrase;
use kernel::board::Lesson;
use rulebook::phrase::breach_board as words;

use crate::game::{State, Step};
use crate::scenario::{Scenario, Side};

/// Whether a scenario has only begun: its set-up and its first turn.
pub(super) const fn is_young(state: &State) -> bool {
    state.turn < 2
}

const fn lesson(deed: Phrase, why: Phrase, points_at: &'static [&'static str]) -> Option<Lesson> {
    Some(Lesson { deed, why, points_at })
}

/// What a newcomer is told of the decision before him.
pub(super) fn next(state: &State, side: Side) -> Option<Lesson> {
    if !is_young(state) {
        return None;
    }
    match (state.steps.last()?, side) {
        (Step::Army(_), _) => {
            lesson(words::GUIDE_ARMY, words::GUIDE_ARMY_WHY, &["take_default_army", "army_done"])
        }
        (Step::TowerSide, _) => {
            lesson(words::GUIDE_TOWER_SIDE, words::GUIDE_TOWER_SIDE_WHY, &["declare_side"])
        }
        (Step::Works(_), Side::Garrison) => {
            lesson(words::GUIDE_WORKS, words::GUIDE_WORKS_GARRISON_WHY, &["place_the_rest"])
        }
        (Step::Works(_), Side::Besieger) => {
            lesson(words::GUIDE_WORKS, words::GUIDE_WORKS_BESIEGER_WHY, &["place_the_rest"])
        }
        (Step::Deploy, Side::Garrison) => {
            lesson(words::GUIDE_DEPLOY, words::GUIDE_DEPLOY_GARRISON_WHY, &["deploy_the_rest", "deploy"])
        }
        (Step::Deploy, Side::Besieger) => {
            lesson(words::GUIDE_DEPLOY, words::GUIDE_DEPLOY_BESIEGER_WHY, &["deploy_the_rest", "deploy"])
        }
        (Step::DeployCharacters, _) => {
            lesson(words::GUIDE_PERSONS, words::GUIDE_PERSONS_WHY, &["deploy_the_rest", "deploy_character"])
        }
        (Step::Initiative, _) => lesson(
            words::GUIDE_INITIATIVE,
            words::GUIDE_INITIATIVE_WHY,
            &["initiative_charge", "initiative_machine", "initiative_evade", "end_initiative"],
        ),
        (Step::Orders, _) if state.hand.commander.is_some() => {
            lesson(words::GUIDE_ORDER, words::GUIDE_ORDER_WHY, &["order", "dismiss"])
        }
        (Step::Orders, Side::Garrison) => {
            lesson(words::GUIDE_COMMAND, words::GUIDE_COMMAND_GARRISON_WHY, &["take_command", "end_orders"])
        }
        (Step::Orders, Side::Besieger) => {
            lesson(words::GUIDE_COMMAND, words::GUIDE_COMMAND_BESIEGER_WHY, &["take_command", "end_orders"])
        }
        (Step::Move, _) => move_of(state.table.scenario, side),
        (Step::Characters, _) => {
            lesson(words::GUIDE_CHARACTERS, words::GUIDE_CHARACTERS_WHY, &["end_characters"])
        }
        (Step::Shoot, _) => {
            lesson(words::GUIDE_SHOOT, words::GUIDE_SHOOT_WHY, &["shoot", "bombard", "end_shooting"])
        }
        (Step::Fights, _) => lesson(words::GUIDE_FIGHT, words::GUIDE_FIGHT_WHY, &["fight", "ram"]),
        (Step::RamReaction(_) | Step::Reaction(_), _) => {
            lesson(words::GUIDE_REACT, words::GUIDE_REACT_WHY, &["react", "decline"])
        }
        (Step::Winner, _) => lesson(
            words::GUIDE_WINNER,
            words::GUIDE_WINNER_WHY,
            &["pursue", "advance", "stand", "fall_back", "continue", "stop"],
        ),
        _ => None,
    }
}

/// Where the units of an order go depends on what is to be won.
fn move_of(scenario: Scenario, side: Side) -> Option<Lesson> {
    let why = match (scenario, side) {
        (Scenario::Watchtower, _) => words::GUIDE_MOVE_TOWER_WHY,
        (Scenario::Help, Side::Garrison) => words::GUIDE_MOVE_MESSAGE_WHY,
        (Scenario::Help, Side::Besieger) => words::GUIDE_MOVE_CLOSE_WHY,
        (Scenario::Keep, Side::Garrison) => words::GUIDE_MOVE_MAN_WHY,
        (Scenario::Keep, Side::Besieger) => words::GUIDE_MOVE_STORM_WHY,
    };
    lesson(words::GUIDE_MOVE, why, &["charge", "climb", "exit", "march", "ram_march", "halt"])
}
