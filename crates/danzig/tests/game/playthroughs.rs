//! Golden playthroughs: one turn of each kind, as the sensible random player plays it, and a whole
//! game recorded, verified and played again.

use std::fmt::Write as _;

use danzig::{Action, Phase, State, auto_choice};
use kernel::conformance::golden;
use kernel::{Game as _, HexHash, Line, Live, Play, Record, Setup, Source};

/// A game with everything that was decided in it.
struct Told {
    game: Play<State>,
    record: String,
    /// For each turn what was decided and what happened.
    turns: Vec<String>,
    /// The first turn with an assault.
    assault: Option<u8>,
}

fn tell(seed: u8, setup: &Setup) -> Told {
    let secret = [seed; 32];
    let mut game =
        Play::<State>::begin(setup, Source::Open(HexHash(secret)), Some(secret)).expect("a legal set-up");
    let mut record = format!("{}\n", game.header_line());
    let mut turns = vec![String::new(); 16];
    let mut dice = Live::numbered(u64::from(seed));
    let mut actions = Vec::new();
    let mut assault = None;
    while let Some(side) = game.state().to_move() {
        game.state().actions(side, &mut actions);
        let action = actions[auto_choice(&game.state().view(Some(side)), &actions, &mut dice)];
        let turn = usize::from(game.state().table.turn);
        let phase = game.state().phase;
        if matches!(action, Action::Assault(_)) && assault.is_none() {
            assault = u8::try_from(turn).ok();
        }
        let step = game.decide(game.entries(), side, &action).expect("what is offered is legal");
        record.push_str(&step.record_line);
        record.push('\n');
        if phase != Phase::SetUp {
            line(&mut turns[turn], phase, &action, &step.said);
        }
    }
    Told { game, record, turns, assault }
}

/// One decision: the phase, the order, the rules that acted (each once) and what happened.
fn line(text: &mut String, phase: Phase, action: &Action, said: &[Line]) {
    let order = serde_json::to_string(action).expect("an action can be written");
    writeln!(text, "{phase:?} {order}").expect("text grows");
    let mut rules: Vec<String> = Vec::new();
    for line in said {
        match line {
            Line::Because(because) => {
                let rule = because.rule.to_string();
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            }
            Line::Happened(_) => writeln!(text, "   {line}").expect("text grows"),
        }
    }
    if !rules.is_empty() {
        writeln!(text, "   by {}", rules.join(" ")).expect("text grows");
    }
}

fn setup() -> Setup {
    Setup { scenario: danzig::SCENARIOS[0].to_owned(), ..Setup::default() }
}

#[test]
fn one_turn_of_each_kind() {
    // The first game in which somebody storms something.
    let mut games = (7..64).map(|seed| tell(seed, &setup()));
    let told = games.find(|told| told.assault.is_some()).expect("somebody storms something");
    golden("tests/golden/turn-1.txt", &told.turns[1]);
    golden("tests/golden/turn-2-building.txt", &told.turns[2]);
    golden("tests/golden/turn-6-firing.txt", &told.turns[6]);
    golden("tests/golden/turn-10-relief.txt", &told.turns[10]);
    let assault = usize::from(told.assault.unwrap_or_default());
    golden("tests/golden/turn-of-assault.txt", &told.turns[assault]);
}

#[test]
fn a_record_plays_again_to_the_same_state() {
    for seed in [1, 2] {
        let told = tell(seed, &setup());
        let record = Record::read(&told.record).expect("the record is whole");
        let again = Play::<State>::replay(&record, None).expect("the record is true");
        assert_eq!(again.state(), told.game.state());
        assert_eq!(again.chain(), told.game.chain());
    }
}
