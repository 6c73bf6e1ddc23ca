//! Worked examples of the game page: what a side sees, politics, and how a game ends.

use campaign::game::{Action, Extent, Outcome, Phase, Prussia, Reason, Shown, State, Talks};
use campaign::terms::{Army, Weather};
use kernel::Game as _;
use rulebook::tables::campaign::GAME_SIZE_BANDS;

use crate::table::{act, at_the_end, hex, leader, no_centre, only, points, put, strength, table, told};

fn end(state: &State) -> Outcome {
    state.outcome().unwrap()
}

#[test]
fn cg_ex_49_the_ultimatum() {
    let mut state = table("november", Phase::Force, Army::AustroRussian);
    only(&mut state, Army::AustroRussian, &["essen-i"]);
    no_centre(&mut state, Army::French);
    at_the_end(&mut state, Army::AustroRussian);
    (state.public.turn, state.public.morale) = (8, 0);
    state.public.captures = vec![(hex("1822"), Army::AustroRussian)];
    state.public.critical = vec![Army::AustroRussian];
    let said = act(&mut state, &Action::EndForced, &[6, 4, 2, 5]);
    // 0+1+1.
    assert_eq!(told(&said, "CA-vienna-morale-03"), ["+1"]);
    assert_eq!(told(&said, "CA-vienna-morale-07"), ["+1"]);
    assert_eq!(state.public.morale, 2);
    // A 10 at +2: roll again.
    assert_eq!(campaign::tables::negotiation(10, 2), campaign::tables::Overture::Again);
    assert_eq!((6 + 4, state.public.talks), (10, Talks::NotYet));
    assert_eq!(told(&said, "CA-ultimatum-01"), ["= 1"], "2 less 1");
    assert_eq!(state.public.prussia, Prussia::Ultimatum(8));
    // It ends after turn 12 at the latest.
    for (turn, over) in [(11, false), (12, true)] {
        let mut later = state.clone();
        at_the_end(&mut later, Army::AustroRussian);
        later.public.turn = turn;
        later.public.talks = Talks::Refused;
        act(&mut later, &Action::EndForced, if over { &[] } else { &[5] });
        assert_eq!(later.outcome().is_some(), over, "turn {turn}");
    }
}

#[test]
fn cg_ex_50_the_score_of_november() {
    let mut state = table("november", Phase::Force, Army::AustroRussian);
    only(&mut state, Army::AustroRussian, &["dokhtourov", "miloradovitch"]);
    for head in ["dokhtourov", "miloradovitch"] {
        put(&mut state, head, "2603");
    }
    at_the_end(&mut state, Army::AustroRussian);
    (state.public.turn, state.public.morale) = (23, -1);
    (state.public.prussia, state.public.talks) = (Prussia::Left, Talks::Refused);
    (state.public.bases[0].lost, state.public.bases[1].lost) = (31, 64);
    assert_eq!(state.base(Army::French).source, hex("2854"));
    let mut cut = state.clone();
    act(&mut state, &Action::EndForced, &[1, 1]);
    // -1 -1 -2.
    assert_eq!((64 - 31) / 15, 2);
    assert_eq!(
        end(&state),
        Outcome {
            winner: Some(Army::French),
            extent: Extent::Operational,
            reason: Reason::Score,
            totals: [-4, 0],
        }
    );
    // With Brünn cut off from 2854, one more for the allies.
    put(&mut cut, "miloradovitch", "1823");
    act(&mut cut, &Action::EndForced, &[1, 1]);
    assert_eq!(end(&cut).totals, [-3, 0]);
}

#[test]
fn cg_ex_51_the_points_of_austerlitz() {
    let mut state = table("austerlitz", Phase::Force, Army::French);
    only(&mut state, Army::French, &[]);
    at_the_end(&mut state, Army::French);
    state.public.turn = 10;
    (state.public.bases[0].lost, state.public.bases[1].lost) = (9, 15);
    for place in ["1822", "2521"] {
        state.public.control.insert(hex(place), Army::French);
    }
    let mut drawn = state.clone();
    act(&mut state, &Action::EndForced, &[]);
    // 15+10 = 25 against 9.
    assert_eq!((end(&state).totals, 25 - 9), ([25, 9], 16));
    assert_eq!((end(&state).winner, end(&state).extent), (Some(Army::French), Extent::Victory));
    drawn.public.bases[0].lost = 25 - 5 + 1;
    act(&mut drawn, &Action::EndForced, &[]);
    assert_eq!((end(&drawn).winner, end(&drawn).extent), (None, Extent::Draw));
}

#[test]
fn cg_ex_52_what_the_french_see() {
    let mut state = table("november", Phase::Move, Army::French);
    state.public.weather = Weather::Rain;
    put(&mut state, "walther", "1547");
    let sum: i32 = points(&state, "bagration").iter().sum();
    assert_eq!(sum, 9);
    let view = state.view(Some(Army::French));
    let stacks = &view.stacks[1];
    let seen = |at: &str| stacks.iter().find(|seen| seen.hex == hex(at)).copied();
    let far = seen("0944").unwrap();
    assert!(far.contact.is_none() && !far.headquarters && far.level() == 1);
    let near = seen("1446").unwrap().contact.unwrap();
    assert_eq!((near.commander, near.class, near.cavalry), (Shown::Leader(leader("bagration")), 3, true));
    let band = GAME_SIZE_BANDS.iter().find(|row| Some(row.band) == near.band.map(i32::from)).unwrap();
    assert_eq!((band.sp_min, band.sp_max, near.open), (8, 10, None));
    let text = serde_json::to_string(stacks).unwrap();
    assert!(!text.contains("nostitz") && !text.contains("initiative"), "{text}");
    state.public.fog = true;
    let fog = state.view(Some(Army::French));
    assert!(fog.stacks[1].iter().all(|seen| seen.hex != hex("0944")));
    assert!(fog.stacks[1].iter().any(|seen| seen.hex == hex("1446")));
}

#[test]
fn cg_ex_55_an_army_destroyed() {
    let ends = |sp: i32| {
        let mut state = table("december", Phase::Force, Army::French);
        only(&mut state, Army::French, &["soult"]);
        only(&mut state, Army::AustroRussian, &["langeron"]);
        strength(&mut state, "langeron", [sp, 0, 1]);
        at_the_end(&mut state, Army::French);
        state.public.turn = 14;
        (state.public.prussia, state.public.talks) = (Prussia::Left, Talks::Refused);
        no_centre(&mut state, Army::AustroRussian);
        act(&mut state, &Action::EndForced, if sp < 15 { &[1] } else { &[1, 5] });
        state.outcome()
    };
    let outcome = ends(13).unwrap();
    assert_eq!((outcome.winner, outcome.extent), (Some(Army::French), Extent::Operational));
    assert_eq!(outcome.reason, Reason::Destruction);
    assert_eq!(ends(15), None);
}

#[test]
fn cg_ex_56_the_points_of_hollabrunn() {
    let mut state = table("hollabrunn", Phase::Force, Army::AustroRussian);
    only(&mut state, Army::AustroRussian, &["dokhtourov", "miloradovitch"]);
    for head in ["dokhtourov", "miloradovitch"] {
        put(&mut state, head, "1822");
    }
    strength(&mut state, "dokhtourov", [10, 0, 0]);
    strength(&mut state, "miloradovitch", [5, 0, 0]);
    assert_eq!(points(&state, "dokhtourov")[0] + points(&state, "miloradovitch")[0], 15);
    at_the_end(&mut state, Army::AustroRussian);
    state.public.turn = 4;
    (state.public.bases[0].lost, state.public.bases[1].lost) = (6, 18);
    for place in ["1038", "1930"] {
        state.public.control.insert(hex(place), Army::French);
    }
    act(&mut state, &Action::EndForced, &[1, 1]);
    // 18+3+5 = 26 against 6 + 15 div 2 = 13.
    assert_eq!(end(&state).totals, [26, 13]);
    assert_eq!((26 - 13, end(&state).winner), (13, Some(Army::French)));
}
