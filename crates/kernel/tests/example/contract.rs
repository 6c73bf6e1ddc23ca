//! The example keeps the contract, and its refusals, odds and playthrough are as its rules say.

use kernel::board::Outlook;
use kernel::conformance::{Suite, golden, playthrough};
use kernel::{Desk, Disclosure, Game, Odds, Silent, scripted};

use countermine::{Action, Countermine, FULL, Outcome, Side, Spot, setup, twin};

pub(crate) fn after(powder: Option<&str>, steps: &[(Side, Action)]) -> Countermine {
    let mut game = Countermine::start(&setup("broad", powder)).unwrap();
    for (side, action) in steps {
        scripted(&[], |clerk| game.apply(*side, action, clerk)).unwrap().0.unwrap();
    }
    game
}

const READY: [(Side, Action); 5] = [
    (Side::Garrison, Action::Lay(1)),
    (Side::Besieger, Action::Dig(1)),
    (Side::Besieger, Action::Dig(1)),
    (Side::Garrison, Action::Hold),
    (Side::Besieger, Action::Dig(0)),
];

#[test]
fn the_example_conforms() {
    let setups =
        [setup("narrow", None), setup("broad", None), setup("broad", Some("damp")), setup("dark", None)];
    let report =
        Suite::<Countermine>::new(setups).games(20).most_decisions(40).twin(twin).imagined_steps().run();
    assert_eq!(report.games, 80);
    assert!(
        [report.nodes, report.rolled, report.revealed, report.plain, report.twins].iter().all(|&n| n > 100),
        "{report:?}"
    );
    assert!([report.sealed, report.imagined, report.private].iter().all(|&n| n > 50), "{report:?}");
    assert!(report.refused > 10_000, "{report:?}");
}

#[test]
fn only_every_other_node_may_be_checked_in_full() {
    let suite = Suite::<Countermine>::new([setup("broad", None)]).games(5);
    let (all, some) = (suite.clone().run(), suite.every(3).run());
    assert_eq!(all.games, some.games);
    assert!(some.nodes > 0 && some.nodes * 2 < all.nodes, "{some:?} of {all:?}");
}

#[test]
fn a_refusal_names_its_rule_and_its_facts() {
    let game = after(None, &READY);
    let refusal = |side, action| game.check(side, &action).unwrap_err().to_string();
    assert_eq!(refusal(Side::Besieger, Action::Dig(1)), "refused by EX-3: ex-finished gallery=1");
    assert_eq!(refusal(Side::Besieger, Action::Assault(0)), "refused by EX-5: ex-unfinished gallery=0 dug=1");
    assert_eq!(refusal(Side::Besieger, Action::Blow), "refused by EX-2: ex-not-now");
    assert_eq!(
        refusal(Side::Besieger, Action::Listen(4)),
        "refused at gallery: kernel-impossible-value found=4 expected=0…3"
    );
    assert_eq!(refusal(Side::Garrison, Action::Hold), "refused: kernel-not-your-decision to_move=Besieger");
}

#[test]
fn an_assault_rolls_one_die_and_says_why() {
    let mut game = after(Some("damp"), &READY);
    assert_eq!(game.galleries[1].dug, FULL);
    let (disclosure, notes) =
        scripted(&[6], |clerk| game.apply(Side::Besieger, &Action::Assault(1), clerk)).unwrap();
    assert_eq!(disclosure.unwrap(), Disclosure::Revealed);
    let said: Vec<String> = notes.lines().iter().map(ToString::to_string).collect();
    assert_eq!(said, ["EX-7 -1", "EX-8 -2", "EX-6 applied", "* ex-repulsed gallery=1 die=3"]);
}

#[test]
fn the_odds_of_an_assault_come_from_the_same_code() {
    let chance = |powder, number| {
        let game = after(powder, &READY[..4]);
        let mut game = game.clone();
        game.galleries[number as usize].dug = FULL;
        Odds::of(|dice| {
            let mut game = game.clone();
            game.perform(Side::Besieger, &Action::Assault(number), &mut Desk::new(dice, Silent));
            game.outcome()
        })
        .unwrap()
        .chance(&Some(Outcome::Taken))
        .to_string()
    };
    assert_eq!([chance(None, 0), chance(Some("damp"), 0)], ["1/3", "1/6"]);
    assert_eq!([chance(None, 1), chance(Some("damp"), 1)], ["0/1", "0/1"]);
}

#[test]
fn a_playthrough_is_as_reviewed() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/countermine.txt");
    golden(path, &playthrough::<Countermine>(&setup("broad", Some("damp")), 3, 40));
}

#[test]
fn a_night_is_as_reviewed() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/night.txt");
    golden(path, &playthrough::<Countermine>(&setup("dark", None), 5, 30));
}

#[test]
fn a_long_list_is_told_in_stages() {
    let mut game = Countermine::start(&setup("vast", None)).unwrap();
    scripted(&[], |clerk| game.apply(Side::Garrison, &Action::Lay(7), clerk)).unwrap().0.unwrap();
    assert_eq!(game.kinds(Side::Besieger), [("dig", 2_500), ("listen", 2_500), ("place", 4)]);
    let subjects = game.subjects(Side::Besieger, "dig");
    assert_eq!((subjects.len(), subjects[17]), (2_500, (Some(17), 1)));
    let mut candidates = Vec::new();
    game.candidates(Side::Besieger, "dig", Some(17), &mut candidates);
    assert_eq!(candidates, [Action::Dig(17)]);
    assert_eq!(game.kinds(Side::Garrison), []);
}

#[test]
fn a_free_placement_is_checked_and_not_listed() {
    let mut game = Countermine::start(&setup("dark", None)).unwrap();
    scripted(&[], |clerk| game.apply(Side::Garrison, &Action::Lay(1), clerk)).unwrap().0.unwrap();
    let place = |x, y| Action::Place(Spot { x, y });
    let refusal = |action| game.check(Side::Besieger, &action).unwrap_err().to_string();
    assert_eq!(refusal(place(300, 99)), "refused by EX-14: ex-too-near metres=99");
    assert_eq!(refusal(place(1001, 200)), "refused at x: kernel-impossible-value found=1001 expected=0…1000");
    scripted(&[], |clerk| game.apply(Side::Besieger, &place(250, 100), clerk)).unwrap().0.unwrap();
    let chance = |number: u16| {
        let mut game = game.clone();
        game.galleries[usize::from(number)].dug = FULL;
        let odds = Odds::of(|dice| {
            let mut game = game.clone();
            game.perform(Side::Besieger, &Action::Assault(number), &mut Desk::new(dice, Silent));
            game.outcome()
        });
        odds.unwrap().chance(&Some(Outcome::Taken)).to_string()
    };
    // The battery stands before the galleries 0 (at 100 metres) and 2 (at 500), and near the first only.
    assert_eq!([chance(0), chance(2)], ["1/2", "1/3"]);
}

#[test]
fn a_forecast_says_where_the_other_side_decides_first() {
    let foreseen = |side: Side, steps: &[(Side, Action)], action: Action| {
        let position = kernel::board::position(after(None, steps), Some(side));
        let forecast = position
            .forecast(&serde_json::to_string(&action).unwrap(), &|event| event.phrase.key().to_owned());
        forecast.unwrap().outcomes.unwrap().into_iter().map(|(outlook, _)| outlook).collect::<Vec<_>>()
    };
    // The garrison holds its breath: nothing is said, and the besieger goes on.
    assert_eq!(foreseen(Side::Garrison, &READY[..3], Action::Hold), [Outlook::Answered]);
    // A length is dug and told, whoever decides next.
    let dug = || vec![Outlook::Settled(vec!["ex-dug".to_owned()])];
    assert_eq!(foreseen(Side::Besieger, &READY[..1], Action::Dig(1)), dug());
    assert_eq!(foreseen(Side::Besieger, &READY[..2], Action::Dig(1)), dug());
}
