//! What a newcomer is told: a lesson for each decision of his first days, which points at something that can
//! be ordered there.

use std::collections::BTreeSet;

use campaign::game::{SCENARIOS, State};
use campaign::terms::Army;
use kernel::board::Board as _;
use kernel::{Desk, Game as _, Live, Setup, Silent};
use opponent::Planner as _;
use rulebook::Lang;

#[test]
fn a_lesson_points_at_what_can_be_ordered() {
    let mut taught = BTreeSet::new();
    for scenario in SCENARIOS {
        let setup = Setup { scenario: scenario.to_owned(), ..Setup::default() };
        let mut state = State::start(&setup).unwrap();
        let (mut stream, mut desk) = (Live::numbered(3), Desk::new(Live::numbered(4), Silent));
        let mut actions = Vec::new();
        while let Some(side) = state.public.asked.filter(|_| state.public.own_turns.iter().all(|n| *n < 2)) {
            state.actions(side, &mut actions);
            if let Some(lesson) = state.lesson(side) {
                let points = actions.iter().any(|one| lesson.points_at.contains(&State::topic(one).kind));
                assert!(points, "{scenario}, {:?} of {side:?}: {lesson:?}", state.public.phase);
                taught.insert((side == Army::French, format!("{:?}", state.public.phase)));
            }
            let order = State::plan(side, &state.view(Some(side)), &actions, &mut stream);
            state.apply(side, &order, &mut desk).unwrap();
        }
        assert!([Army::French, Army::AustroRussian].into_iter().all(|side| state.lesson(side).is_none()));
    }
    for french in [true, false] {
        let of: Vec<&str> =
            taught.iter().filter(|one| one.0 == french).map(|(_, phase)| phase.as_str()).collect();
        for phase in ["Organise", "Command", "Move"] {
            assert!(of.contains(&phase), "nothing is said of {phase}: {of:?}");
        }
    }
}

/// What the guide bids to click stands on a button, word for word.
#[test]
fn the_guide_quotes_the_buttons() {
    use rulebook::phrase::{campaign_board as words, campaign_say as say};
    for lang in Lang::ALL {
        let speak = |phrase| rulebook::speak(phrase, &[], lang);
        for (deed, button) in [
            (words::GUIDE_BEGIN, say::TELL_BEGIN),
            (words::GUIDE_ADMIN, say::TELL_END_ADMIN),
            (words::GUIDE_ORGANISE, say::TELL_RECOVER_ALL),
            (words::GUIDE_ORGANISE, say::TELL_END_ORGANISE),
            (words::GUIDE_COMMAND, say::TELL_END_COMMAND),
            (words::GUIDE_MOVE, say::TELL_END_MOVEMENT),
            (words::GUIDE_FORCE, say::TELL_END_FORCED),
            (words::GUIDE_COMBAT, say::TELL_END_COMBAT),
            (words::GUIDE_STANCE, say::TELL_PITCHED),
            (words::GUIDE_STANCE, say::TELL_PURSUIT),
            (words::GUIDE_GUNS, say::TELL_PASS_BATTLE),
            (words::GUIDE_COUNTER, say::TELL_COUNTERATTACK),
            (words::GUIDE_COUNTER, say::TELL_STOP),
        ] {
            let (deed, button) = (speak(deed), speak(button));
            assert!(deed.contains(&button), "{deed} does not name {button}");
        }
    }
}
