//! What a newcomer is told: a lesson for each decision of the set-up and of the first turn, which points at
//! something that can be ordered there.

use std::collections::BTreeSet;

use breach::game::{SCENARIOS, State};
use breach::scenario::Side;
use kernel::board::Board as _;
use kernel::{Desk, Game as _, Live, Silent};
use rulebook::Lang;

use crate::players::Manner;
use crate::table::start;

#[test]
fn a_lesson_points_at_what_can_be_ordered() {
    let mut taught = BTreeSet::new();
    for (scenario, number) in SCENARIOS.iter().flat_map(|scenario| [(scenario, 0), (scenario, 2)]) {
        let mut state = start(scenario, &[]);
        let (mut stream, mut desk) = (Live::numbered(number), Desk::new(Live::numbered(number), Silent));
        let mut actions = Vec::new();
        while let Some(side) = state.asked.filter(|_| state.turn < 2) {
            state.actions(side, &mut actions);
            let step = format!("{:?}", state.steps.last().unwrap());
            if let Some(lesson) = state.lesson(side) {
                let points = actions.iter().any(|one| lesson.points_at.contains(&State::topic(one).kind));
                assert!(points, "{scenario}, {step} of {side:?}: {lesson:?}");
                let name = step.split(['(', ' ']).next().unwrap_or_default().to_owned();
                taught.insert((side == Side::Garrison, name));
            }
            let chosen = Manner::of(number).choose(&state, side, &actions, &mut stream);
            state.apply(side, &actions[chosen], &mut desk).unwrap();
        }
        // With the second turn the lessons are over.
        assert!(
            [Side::Garrison, Side::Besieger].into_iter().all(|side| state.lesson(side).is_none()),
            "{scenario}"
        );
    }
    for garrison in [true, false] {
        let of: Vec<&str> =
            taught.iter().filter(|one| one.0 == garrison).map(|(_, step)| step.as_str()).collect();
        for step in ["Deploy", "DeployCharacters", "Orders", "Move", "Shoot"] {
            assert!(of.contains(&step), "nothing is said of {step}: {of:?}");
        }
    }
}

/// What the guide bids to click stands on a button, word for word.
#[test]
fn the_guide_quotes_the_buttons() {
    use rulebook::phrase::{breach_board as words, breach_say as say};
    for lang in Lang::ALL {
        let speak = |phrase| rulebook::speak(phrase, &[], lang);
        for (deed, button) in [
            (words::GUIDE_ARMY, say::TELL_TAKE_DEFAULT_ARMY),
            (words::GUIDE_WORKS, say::TELL_PLACE_THE_REST),
            (words::GUIDE_DEPLOY, say::TELL_DEPLOY_THE_REST),
            (words::GUIDE_INITIATIVE, say::TELL_END_INITIATIVE),
            (words::GUIDE_MOVE, say::TELL_HALT),
            (words::GUIDE_CHARACTERS, say::TELL_END_CHARACTERS),
            (words::GUIDE_SHOOT, say::TELL_END_SHOOTING),
        ] {
            let (deed, button) = (speak(deed), speak(button));
            assert!(deed.contains(&button), "{deed} does not name {button}");
        }
    }
}
