//! What a newcomer is told: the aim of his side in the game or in the cut of it that is played, and, step by
//! step of his first turn, what to click and why.

use kernel::Phrase;
use kernel::board::Lesson;
use rulebook::phrase::danzig_board as words;

use crate::cut::Cut;
use crate::state::{Hand, Phase, State};
use crate::unit::Side;

/// The first turn of the whole game is spent on the march; the second is the first before the walls.
const LAST_LESSON: u8 = 2;

/// Whether the game has only begun: its first turn, or of the whole siege the second, too.
pub(super) fn is_young(state: &State) -> bool {
    state.table.turn <= state.cut.map_or(LAST_LESSON, Cut::first_turn)
}

/// What it is all about.
pub(super) const fn aims(cut: Option<Cut>, reader: Option<Side>) -> &'static [Phrase] {
    match (cut, reader) {
        (None, Some(Side::French)) => &[
            words::AIM_FRENCH,
            words::AIM_FRENCH_ONE,
            words::AIM_FRENCH_TWO,
            words::AIM_FRENCH_THREE,
            words::AIM_FRENCH_FOUR,
        ],
        (None, Some(Side::Prussian)) => &[
            words::AIM_PRUSSIAN,
            words::AIM_PRUSSIAN_ONE,
            words::AIM_PRUSSIAN_TWO,
            words::AIM_PRUSSIAN_THREE,
            words::AIM_PRUSSIAN_FOUR,
        ],
        (None, None) => &[words::AIM_WATCHING],
        (Some(Cut::FirstParallel), Some(Side::French)) => {
            &[words::AIM_PARALLEL_FRENCH, words::AIM_PARALLEL_FRENCH_ONE, words::AIM_PARALLEL_FRENCH_TWO]
        }
        (Some(Cut::FirstParallel), Some(Side::Prussian)) => {
            &[words::AIM_PARALLEL_PRUSSIAN, words::AIM_PARALLEL_PRUSSIAN_ONE]
        }
        (Some(Cut::FirstParallel), None) => &[words::AIM_PARALLEL_FRENCH],
        (Some(Cut::Relief), Some(Side::French)) => &[words::AIM_RELIEF_FRENCH, words::AIM_RELIEF_FRENCH_ONE],
        (Some(Cut::Relief), Some(Side::Prussian)) => {
            &[words::AIM_RELIEF_PRUSSIAN, words::AIM_RELIEF_PRUSSIAN_ONE]
        }
        (Some(Cut::Relief), None) => &[words::AIM_RELIEF_PRUSSIAN],
        (Some(Cut::Assault), Some(Side::French)) => {
            &[words::AIM_ASSAULT_FRENCH, words::AIM_ASSAULT_FRENCH_ONE]
        }
        (Some(Cut::Assault), Some(Side::Prussian)) => {
            &[words::AIM_ASSAULT_PRUSSIAN, words::AIM_ASSAULT_PRUSSIAN_ONE]
        }
        (Some(Cut::Assault), None) => &[words::AIM_ASSAULT_FRENCH],
    }
}

const fn lesson(deed: Phrase, why: Phrase, points_at: &'static [&'static str]) -> Option<Lesson> {
    Some(Lesson { deed, why, points_at })
}

/// What a newcomer is told of the decision before him.
pub(super) fn next(state: &State, side: Side) -> Option<Lesson> {
    const END: &[&str] = &["end-phase"];
    if !is_young(state) || !state.table.owed.is_empty() {
        return None;
    }
    match (state.hand, state.phase) {
        (Hand::Exposed(_), _) => {
            lesson(words::GUIDE_EXPOSED, words::GUIDE_EXPOSED_WHY, &["opportunity-fire"])
        }
        (Hand::Empty, Phase::SetUp) => {
            lesson(words::GUIDE_SET_UP, words::GUIDE_SET_UP_WHY, &["set-up-the-rest", "set-up-done"])
        }
        (Hand::Empty, Phase::BridgeDeclare) => lesson(words::GUIDE_BRIDGE, words::GUIDE_BRIDGE_WHY, END),
        (Hand::Empty, Phase::ArrivalsFrench) => lesson(words::GUIDE_ARRIVALS, words::GUIDE_ARRIVALS_WHY, END),
        (Hand::Empty, Phase::ArrivalsKamenski) => {
            lesson(words::GUIDE_KAMENSKI, words::GUIDE_KAMENSKI_WHY, &["place-kamenski"])
        }
        (Hand::Empty, Phase::Half) if side == Side::French => {
            lesson(words::GUIDE_HALF_FRENCH, words::GUIDE_HALF_FRENCH_WHY, &["play-half"])
        }
        (Hand::Empty, Phase::Half) => {
            lesson(words::GUIDE_HALF_PRUSSIAN, words::GUIDE_HALF_PRUSSIAN_WHY, &["pass"])
        }
        (Hand::Empty, Phase::Move) if side == Side::French => {
            lesson(words::GUIDE_MOVE_FRENCH, words::GUIDE_MOVE_FRENCH_WHY, &["march-along"])
        }
        (Hand::Empty, Phase::Move) => lesson(words::GUIDE_MOVE_PRUSSIAN, words::GUIDE_MOVE_PRUSSIAN_WHY, END),
        (Hand::Empty, Phase::DefensiveFire | Phase::Fire) => {
            lesson(words::GUIDE_FIRE, words::GUIDE_FIRE_WHY, &["defensive-fire", "fire"])
        }
        (Hand::Empty, Phase::Mortars) => {
            lesson(words::GUIDE_MORTARS, words::GUIDE_MORTARS_WHY, &["fire-mortar"])
        }
        (Hand::Empty, Phase::Guns) => {
            lesson(words::GUIDE_GUNS, words::GUIDE_GUNS_WHY, &["fire-siege-gun", "bombard"])
        }
        (Hand::Empty, Phase::Repair) => lesson(words::GUIDE_REPAIR, words::GUIDE_REPAIR_WHY, &["build"]),
        (Hand::Empty, Phase::Build) => {
            lesson(words::GUIDE_BUILD, words::GUIDE_BUILD_WHY, &["build", "end-phase"])
        }
        (Hand::Empty, Phase::Enfilade) => {
            lesson(words::GUIDE_ENFILADE, words::GUIDE_ENFILADE_WHY, &["enfilade-fire"])
        }
        (Hand::Empty, Phase::SiegeMove) => {
            lesson(words::GUIDE_SIEGE_MOVE, words::GUIDE_SIEGE_MOVE_WHY, &["siege-move", "end-phase"])
        }
        (Hand::Empty, Phase::Assault) => lesson(words::GUIDE_ASSAULT, words::GUIDE_ASSAULT_WHY, &["assault"]),
        (Hand::Empty, Phase::GarrisonMove) => {
            lesson(words::GUIDE_GARRISON, words::GUIDE_GARRISON_WHY, &["garrison", "end-phase"])
        }
        (Hand::Empty, Phase::BatteryFire) => {
            lesson(words::GUIDE_BATTERIES, words::GUIDE_BATTERIES_WHY, &["fire-battery"])
        }
        (Hand::Empty, Phase::WallRepair) => {
            lesson(words::GUIDE_WALLS, words::GUIDE_WALLS_WHY, &["repair-wall"])
        }
        (Hand::Empty, Phase::Sortie) => lesson(words::GUIDE_SORTIE, words::GUIDE_SORTIE_WHY, &["end-phase"]),
        _ => None,
    }
}
