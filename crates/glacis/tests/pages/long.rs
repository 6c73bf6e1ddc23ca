//! A position with more than five thousand orders: its page is as light as any other, and the orders come
//! when they are asked for.

use std::io::Write as _;
use std::time::{Duration, Instant};

use countermine::{Action, Countermine, Side, setup};
use kernel::board::position;
use kernel::{Desk, Fairness, Game as _, Live, Provenance, Silent, Source};
use pages::game::{Seen, game_offers, game_page};
use pages::{Query, Reader};
use rulebook::Lang;
use yardstick::patience;

use crate::example::example;

/// The besieger's works on a vast ground.
fn vast() -> Countermine {
    let mut game = Countermine::start(&setup("vast", None)).unwrap();
    let mut desk = Desk::new(Live::numbered(1), Silent);
    game.apply(Side::Garrison, &Action::Lay(7), &mut desk).unwrap();
    game
}

/// What is done with the page of the besieger.
fn seen_by_besieger<T>(look: impl Fn(&Seen<'_>) -> T) -> T {
    let view = vast().view(Some(Side::Besieger));
    let position = position(Countermine::imagine(&view, &mut Live::numbered(1)), Some(Side::Besieger));
    assert!(position.count() >= 5_000, "{} orders", position.count());
    let hash = kernel::HexHash([7; 32]);
    let provenance =
        Provenance { since: 0, source: Source::Committed(hash), pledges: Vec::new(), checked: false };
    let fairness = Fairness {
        provenance,
        adopted: None,
        machines: Vec::new(),
        take_backs: false,
        rolls_taken_back: 0,
        may_pledge: Vec::new(),
    };
    let system = example().shown;
    look(&Seen {
        game: "g",
        days: &[],
        system: &system,
        position: &*position,
        seats: &[0],
        awaited: &[0],
        sealed: None,
        entries: 1,
        at: None,
        told: &[],
        over: false,
        fairness: &fairness,
        damaged: None,
    })
}

/// So long a page may take; not optimised, it is slower.
const MOST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1_000 } else { 50 });

#[test]
fn a_page_with_five_thousand_orders_is_light() {
    let reader = Reader::of(Lang::Fr);
    seen_by_besieger(|seen| {
        // The first page draws the ground, once for all.
        let page = game_page(&reader, seen);
        let mut squeezed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        squeezed.write_all(page.as_bytes()).unwrap();
        let bytes = squeezed.finish().unwrap().len();
        assert!(bytes < 60_000, "{bytes} bytes squeezed, {} as they are", page.len());
        let began = Instant::now();
        let _ = game_page(&reader, seen);
        let took = began.elapsed();
        eprintln!("{bytes} bytes squeezed, {took:?}");
        assert!(took < patience(MOST), "{took:?}");
        assert_eq!(page.matches("class=\"choice\"").count(), 0, "no order of thousands is written out");
        assert!(page.contains("data-kind=\"dig\"") && page.contains("data-count=\"2500\""));
    });
}

#[test]
fn the_orders_come_when_they_are_asked_for() {
    let reader = Reader::of(Lang::En);
    seen_by_besieger(|seen| {
        let asked = |query: &str| game_offers(&reader, seen, &Query::parse(query));
        let of_one = asked("by=u:g1234");
        assert!(of_one.contains("{&quot;dig&quot;:1234}") && of_one.contains("{&quot;listen&quot;:1234}"));
        assert_eq!(of_one.matches("class=\"choice\"").count(), 2);
        assert_eq!(asked("kind=dig").matches("class=\"choice\"").count(), 200, "the first of many");
        assert_eq!(asked("kind=patrol"), "", "nothing that is not offered");
        assert_eq!(asked("by=u:nobody"), "");
    });
}
