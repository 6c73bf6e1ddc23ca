//! Runs one hot path many times: `hot PATH RUNS`. `cargo xtask instructions` counts it.

use std::hint::black_box;

use kernel::{Clerk, Desk, Dice, Effect, Event, Live, Node, Question, RuleId, Silent, Spoken, without_dice};
use rulebook::Lang;
use rulebook::options::tabletop::Options;
use tabletop::fire::facts::{Fire, Request};

const REQUEST: &str = r#"{"shooter": {"weapon": "musket", "factor": 4, "figures": 12, "superior": 4}, "distance_cm": 6.0, "target": {"class": "mass"}}"#;

/// A clerk that cannot take notes at all: `fire-silent` must cost no more.
struct Mute(Live);

impl Clerk for Mute {
    fn die(&mut self, sides: u8) -> u8 {
        self.0.die(sides)
    }

    fn because(&mut self, _: RuleId, _: Effect) {}

    fn happened(&mut self, _: impl FnOnce() -> Event) {}
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_default();
    let runs: u64 = arguments.next().and_then(|runs| runs.parse().ok()).unwrap_or(1);
    let Ok(request) = Node::parse(REQUEST).and_then(Node::read::<Request>) else { return };
    let options = Options::default();
    let questions = tabletop::questions();
    let Some(asking) = questions.iter().find(|asking| asking.name == Fire::NAME) else { return };
    let mut silent = Desk::new(Live::numbered(1), Silent);
    let mut mute = Mute(Live::numbered(1));
    for _ in 0..runs {
        match path.as_str() {
            "fire-silent" => {
                let _ = black_box(Fire::answer(black_box(&request), &options, &mut silent));
            }
            "fire-mute" => {
                let _ = black_box(Fire::answer(black_box(&request), &options, &mut mute));
            }
            "fire-spoken" => {
                let mut desk = Desk::new(&mut silent.dice, Spoken::default());
                let _ = black_box(Fire::answer(black_box(&request), &options, &mut desk));
                black_box(desk.notes);
            }
            "fire-odds" => {
                let _ = black_box(without_dice::<Fire>(black_box(&request), &options));
            }
            "fire-line" => {
                black_box(asking.ask(black_box(REQUEST), Lang::En));
            }
            _ => {}
        }
    }
}
