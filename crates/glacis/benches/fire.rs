//! The fire of one battalion: resolved silently, with its reasons, as exact odds, and as one line
//! of JSON in and out.

use divan::{Bencher, black_box, counter::ItemsCount};
use kernel::{Desk, Live, Node, Odds, Question, Silent, Spoken, without_dice};
use rulebook::Lang;
use rulebook::options::tabletop::Options;
use tabletop::fire::facts::{Fire, Request};

const REQUEST: &str = r#"{"shooter": {"weapon": "musket", "factor": 4, "figures": 12, "superior": 4}, "distance_cm": 6.0, "target": {"class": "mass"}, "dice": [4]}"#;
const WITHOUT_DICE: &str = r#"{"shooter": {"weapon": "musket", "factor": 4, "figures": 12, "superior": 4}, "distance_cm": 6.0, "target": {"class": "mass"}}"#;

fn main() {
    divan::main();
}

fn request() -> Request {
    Node::parse(WITHOUT_DICE).and_then(Node::read).expect("the request is sound")
}

#[divan::bench]
fn silent(bencher: Bencher<'_, '_>) {
    let (request, options) = (request(), Options::default());
    let mut desk = Desk::new(Live::numbered(1), Silent);
    bencher
        .counter(ItemsCount::new(1_u32))
        .bench_local(|| Fire::answer(black_box(&request), &options, &mut desk));
}

#[divan::bench]
fn spoken(bencher: Bencher<'_, '_>) {
    let (request, options) = (request(), Options::default());
    let mut dice = Live::numbered(1);
    bencher.bench_local(|| {
        let mut desk = Desk::new(&mut dice, Spoken::default());
        let answer = Fire::answer(black_box(&request), &options, &mut desk);
        (answer, desk.notes)
    });
}

#[divan::bench]
fn odds(bencher: Bencher<'_, '_>) {
    let (request, options) = (request(), Options::default());
    bencher.bench_local(|| {
        Odds::of(|dice| Fire::answer(black_box(&request), &options, &mut Desk::new(dice, Silent)))
    });
}

#[divan::bench]
fn odds_with_reasons(bencher: Bencher<'_, '_>) {
    let (request, options) = (request(), Options::default());
    bencher.bench_local(|| without_dice::<Fire>(black_box(&request), &options));
}

#[divan::bench]
fn line_with_dice(bencher: Bencher<'_, '_>) {
    line(bencher, REQUEST);
}

#[divan::bench]
fn line_of_odds(bencher: Bencher<'_, '_>) {
    line(bencher, WITHOUT_DICE);
}

fn line(bencher: Bencher<'_, '_>, text: &str) {
    let questions = tabletop::questions();
    let asking = questions.iter().find(|asking| asking.name == Fire::NAME).expect("the question is there");
    bencher.counter(ItemsCount::new(1_u32)).bench_local(|| asking.ask(black_box(text), Lang::En));
}
