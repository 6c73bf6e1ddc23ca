//! The players at the kernel's example game.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::BTreeMap;

use kernel::{Desk, Game, Live, Play, Silent, Source};
use opponent::features::{self, Numbers};
use opponent::{Featured, Level, Player, Random, duel};

use countermine::{Action, Countermine, Side};

#[test]
fn random_players_end_every_game_and_favour_no_kind() {
    let mut kinds = BTreeMap::<&str, u32>::new();
    for seed in 0..200 {
        let mut stream = Live::numbered(seed);
        let mut play = Play::<Countermine>::begin(
            &countermine::setup("broad", None),
            Source::Open(kernel::HexHash([7; 32])),
            None,
        )
        .unwrap();
        for _ in 0..200 {
            let Some(side) = play.state().to_move() else { break };
            let mut actions = Vec::new();
            play.state().actions(side, &mut actions);
            let view = play.state().view(Some(side));
            let order = Player::<Countermine>::choose(&mut Random, side, &view, &actions, &mut stream);
            *kinds.entry(Countermine::topic(&order).kind).or_default() += 1;
            play.decide(play.entries(), side, &order).unwrap();
        }
        assert!(play.is_over(), "the game of seed {seed} goes on");
    }
    assert_eq!(kinds["lay"], 200);
    assert!(["dig", "listen", "assault", "blow", "hold"].iter().all(|kind| kinds[*kind] > 50), "{kinds:?}");
}

#[test]
fn a_duel_is_the_same_for_its_number_and_another_for_another() {
    let setup = countermine::setup("broad", None);
    let play = |number| duel::<Countermine>(&setup, &[Level::Sensible, Level::Random], number).unwrap();
    let games: Vec<_> = (0..20).map(play).collect();
    for (number, game) in (0..).zip(&games) {
        let again = play(number);
        assert_eq!((again.last, again.decisions), (game.last.clone(), game.decisions));
        assert!(game.last.outcome().is_some());
    }
    assert!(games.iter().any(|game| game.last != games[0].last), "all games are the same");
}

#[test]
fn a_duel_is_refused_where_there_is_no_such_scenario() {
    let setup = kernel::Setup { scenario: "nowhere".to_owned(), ..kernel::Setup::default() };
    let refusal = duel::<Countermine>(&setup, &[], 1).unwrap_err();
    assert_eq!(refusal, Countermine::start(&setup).unwrap_err());
}

/// The names of the numbers stand where the numbers do, and a side is told in numbers what it sees alone.
#[test]
fn a_view_is_as_many_numbers_as_they_have_names() {
    let mut game = Countermine::start(&countermine::setup("broad", None)).unwrap();
    game.perform(Side::Garrison, &Action::Lay(2), &mut Desk::new(Live::numbered(1), Silent));
    let told = |reader| {
        let view = game.view(reader);
        let mut numbers = Numbers::default();
        Countermine::features(&view, &mut numbers);
        let names = features::names::<Countermine>(&view);
        assert_eq!(names.len(), numbers.0.len());
        let number = |name: &str| numbers.0[names.iter().position(|other| other == name).unwrap()];
        (
            number("laid"),
            number("mine"),
            number("phase=works"),
            number("phase=laying"),
            number("gallery[3].dug"),
        )
    };
    assert_eq!(told(Some(Side::Garrison)), (1.0, 2.0, 1.0, 0.0, 0.0));
    assert_eq!(told(Some(Side::Besieger)), (1.0, -1.0, 1.0, 0.0, 0.0));
}
