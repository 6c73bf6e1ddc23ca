//! Two games that differ only in what is hidden give the other side and spectators the same pages, parts,
//! odds and reasons, to the last byte.

use countermine::{Action, setup};
use kernel::{HexHash, Node, Source, Terms};
use pages::game::{Seen, game_chances, game_odds, game_page, game_parts, game_why};
use pages::{Query, Reader};
use rulebook::Lang;

use glacis::host::{Hosted, Order};

use crate::example::example;

fn order(game: &mut dyn Hosted, side: usize, action: &Action) {
    let action = Node::parse(&serde_json::to_string(action).unwrap()).unwrap();
    game.order(game.entries(), side, Order::Act { action, dice: None }).unwrap();
}

/// A game whose countermine lies there, after the first day; the garrison has written its order of the
/// night.
fn game(mine: u16, patrol: u16) -> Box<dyn Hosted> {
    let hosting = example().game.unwrap().hosting;
    let seed = [3; 32];
    let mut game =
        hosting.begin(&setup("dark", None), Source::Open(HexHash(seed)), None, Terms::default()).unwrap();
    order(&mut *game, 1, &Action::Lay(mine));
    order(&mut *game, 0, &Action::Dig(0));
    order(&mut *game, 0, &Action::Dig(0));
    order(&mut *game, 1, &Action::Hold);
    order(&mut *game, 1, &Action::Patrol(patrol));
    game
}

/// Everything a reader can be shown of a game.
fn all_that_is_shown(game: &dyn Hosted, reader: Option<usize>) -> String {
    let seats: Vec<usize> = reader.into_iter().collect();
    let position = game.position(reader);
    let awaited: Vec<usize> = game.awaited().iter().collect();
    let sealed = reader.and_then(|place| game.own_sealed(place));
    let fairness = game.fairness();
    let system = example().shown;
    let seen = Seen {
        game: "g",
        system: &system,
        position: &*position,
        seats: &seats,
        awaited: &awaited,
        sealed: sealed.as_deref(),
        entries: game.entries(),
        at: None,
        told: &[],
        days: &[],
        over: game.is_over(),
        fairness: &fairness,
        damaged: None,
    };
    let mut shown = String::new();
    for lang in Lang::ALL {
        let page_reader = Reader::of(lang);
        shown += &game_page(&page_reader, &seen);
        shown += &game_parts(&page_reader, &seen);
        for number in 0..4_u16 {
            for action in [Action::Sap(number), Action::Patrol(number), Action::Assault(number), Action::Blow]
            {
                let action = serde_json::to_string(&action).unwrap();
                shown += &game_odds(&page_reader, &*position, &action);
            }
            let piece = format!("u:g{number}");
            shown += &game_why(&page_reader, &*position, &Query::parse(&format!("subject={piece}")));
            shown += &game_chances(&*position, &Query::parse(&format!("piece={piece}")));
        }
    }
    shown + &game.view(reader)
}

#[test]
fn what_is_hidden_is_on_no_page_of_anybody_else() {
    let (one, other) = (game(1, 0), game(2, 3));
    let own = |game: &dyn Hosted| all_that_is_shown(game, Some(1));
    assert_ne!(own(&*one), own(&*other), "the garrison sees its own countermine");
    assert!(own(&*one).contains("ex-over-the-mine"));
    for reader in [Some(0), None] {
        let (one, other) = (all_that_is_shown(&*one, reader), all_that_is_shown(&*other, reader));
        assert!(!one.contains("ex-over-the-mine"));
        assert!(one == other, "{reader:?} is shown something hidden");
    }
}
