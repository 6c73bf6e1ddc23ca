//! The random but sensible player at the kernel's example game.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::BTreeMap;

use kernel::{Game, Live, Play, Source};
use opponent::{Player, Sensible, kind};

#[allow(dead_code, reason = "shared with the kernel's own tests")]
#[path = "../../kernel/tests/example/countermine.rs"]
mod countermine;

use countermine::Countermine;

#[test]
fn sensible_players_end_every_game_and_favour_no_kind() {
    let mut kinds = BTreeMap::<String, u32>::new();
    for seed in 0..200 {
        let mut stream = Live::numbered(seed);
        let mut play = Play::<Countermine>::begin(
            &countermine::setup("broad", None),
            Source::Open(kernel::HexHash([7; 32])),
            None,
        )
        .unwrap();
        for _ in 0..200 {
            let Some(side) = play.to_move() else { break };
            let mut actions = Vec::new();
            play.state().actions(side, &mut actions);
            let view = play.state().view(Some(side));
            let place = Player::<Countermine>::choose(&mut Sensible, side, &view, &actions, &mut stream);
            *kinds.entry(kind(&actions[place])).or_default() += 1;
            play.decide(play.entries(), side, &actions[place]).unwrap();
        }
        assert!(play.is_over(), "the game of seed {seed} goes on");
    }
    assert_eq!(kinds["lay"], 200);
    assert!(["dig", "listen", "assault", "blow", "hold"].iter().all(|kind| kinds[*kind] > 50), "{kinds:?}");
}
