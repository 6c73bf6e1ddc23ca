//! The example keeps the contract, and its refusals, odds and playthrough are as its rules say.

use kernel::conformance::{Suite, golden, playthrough};
use kernel::{Desk, Disclosure, Game, Odds, Silent, scripted};

use crate::countermine::{Action, Countermine, FULL, Outcome, Side, setup, twin};

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
    let setups = [setup("narrow", None), setup("broad", None), setup("broad", Some("damp"))];
    let report = Suite::<Countermine>::new(setups).games(20).most_decisions(40).twin(twin).run();
    assert_eq!(report.games, 60);
    assert!(
        [report.nodes, report.rolled, report.revealed, report.plain, report.twins].iter().all(|&n| n > 100),
        "{report:?}"
    );
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
