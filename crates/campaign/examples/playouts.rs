//! Silent playouts on one core: `playouts [DECISIONS]` plays whole campaigns, a uniformly random choice from the full
//! list at every decision, until that many are made (the last game is cut short), and prints how fast; then how long
//! the clone of a state takes, and how many decisions a player turn costs the machine player.

use std::time::Instant;

use campaign::game::{Action, SCENARIOS, State};
use kernel::{Desk, Game as _, Live, Setup, Silent, Told as _};

/// What was played.
#[derive(Default)]
struct Played {
    games: u64,
    decisions: u64,
    choices: u64,
}

fn main() {
    let most = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100_000);
    // The map is read once; that is no part of a decision.
    let (mut warm, mut played) = (Played::default(), Played::default());
    game(0, 500, &mut warm);
    let clock = Instant::now();
    let mut number = 0;
    while played.decisions < most {
        game(number, most, &mut played);
        number += 1;
    }
    report(&played, clock.elapsed().as_secs_f64());
    clones();
    turns();
}

fn start(number: u64) -> Option<State> {
    let scenario = SCENARIOS[usize::try_from(number % 4).unwrap_or(0)].to_owned();
    State::start(&Setup { scenario, ..Setup::default() }).ok()
}

/// Plays one game to its end, or until so many decisions have been made in all.
fn game(number: u64, most: u64, played: &mut Played) {
    let Some(mut state) = start(number) else { return };
    let mut choice = Live::numbered(number);
    let mut desk = Desk::new(Live::numbered(number ^ 0x5eed), Silent);
    let mut actions = Vec::new();
    while let Some(side) = state.to_move() {
        if played.decisions == most {
            return;
        }
        state.actions(side, &mut actions);
        let count = u32::try_from(actions.len()).unwrap_or(u32::MAX);
        let Some(action) = actions.get(choice.below(count) as usize) else { return };
        state.perform(side, action, &mut desk);
        played.decisions += 1;
        played.choices += u64::from(count);
    }
    played.games += 1;
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn report(played: &Played, seconds: f64) {
    println!(
        "{seconds:7.3} s: {:9.0} decisions/s; {} decisions, {} whole games, mean branching {:.1}",
        played.decisions as f64 / seconds,
        played.decisions,
        played.games,
        played.choices as f64 / played.decisions as f64,
    );
}

/// How long the clone of a state in mid-game takes.
fn clones() {
    const CLONES: u32 = 20_000;
    let Some(mut state) = start(2) else { return };
    let mut choice = Live::numbered(7);
    let mut desk = Desk::new(Live::numbered(8), Silent);
    let mut actions = Vec::new();
    for _ in 0..300 {
        let Some(side) = state.to_move() else { return };
        state.actions(side, &mut actions);
        let count = u32::try_from(actions.len()).unwrap_or(u32::MAX);
        let Some(action) = actions.get(choice.below(count) as usize) else { return };
        state.perform(side, action, &mut desk);
    }
    let clock = Instant::now();
    for _ in 0..CLONES {
        std::hint::black_box(std::hint::black_box(&state).clone());
    }
    println!("    clone {:7.3} microseconds", clock.elapsed().as_secs_f64() * 1e6 / f64::from(CLONES));
}

/// The decisions of the machine player, turn by turn and side by side; a march that is taken up, made and halted
/// counts once, as the one order that a person gives for it.
fn turns() {
    let (mut given, mut thoughts): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    for number in 0..4 {
        let Some(mut state) = start(number) else { return };
        let mut stream = Live::numbered(number);
        let mut desk = Desk::new(Live::numbered(number ^ 0x5eed), Silent);
        let mut actions = Vec::new();
        let mut counts = [[0; 2]; 2];
        let mut turn = state.public.turn;
        while let Some(side) = state.to_move() {
            if state.public.turn != turn {
                turn = state.public.turn;
                for [all, few] in std::mem::take(&mut counts) {
                    given.push(all);
                    thoughts.push(few);
                }
            }
            state.actions(side, &mut actions);
            let seen = State::imagine(&state.view(Some(side)), &mut stream);
            let chosen = seen.choose(side, &actions, &mut stream);
            let Some(action) = actions.get(chosen) else { return };
            let count = &mut counts[usize::from(State::place(side) == 1)];
            count[0] += 1;
            count[1] += u32::from(!matches!(action, Action::March(_) | Action::Halt));
            state.perform(side, action, &mut desk);
        }
    }
    for (name, list) in [("decisions", &mut given), ("thoughts", &mut thoughts)] {
        list.sort_unstable();
        let middle = list.get(list.len() / 2).copied().unwrap_or(0);
        let most = list.last().copied().unwrap_or(0);
        println!("{name:>9} of a side in a turn: median {middle}, most {most}, {} turns", list.len());
    }
}
