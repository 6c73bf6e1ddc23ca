//! What is offered, to the byte: a change that only makes the lists faster changes none of them. Whoever changes
//! a rule, or the order of a list, takes the new figures over and says why.

use campaign::game::{SCENARIOS, State};
use kernel::{Desk, Game as _, Live, Setup, Silent};

/// FNV-1a, which is short and the same everywhere.
fn fold(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Every list of a random game, folded together, and how many were offered in all.
fn lists(scenario: &str, number: u64, mut hash: u64) -> (u64, usize) {
    let setup = Setup { scenario: scenario.to_owned(), ..Setup::default() };
    let mut state = State::start(&setup).unwrap();
    let mut choice = Live::numbered(number);
    let mut desk = Desk::new(Live::numbered(number ^ 0x5eed), Silent);
    let (mut offered, mut all) = (Vec::new(), 0);
    while let Some(side) = state.to_move() {
        state.actions(side, &mut offered);
        hash = fold(hash, serde_json::to_string(&offered).unwrap().as_bytes());
        all += offered.len();
        let chosen = choice.below(u32::try_from(offered.len()).unwrap()) as usize;
        state.perform(side, &offered[chosen], &mut desk);
    }
    (fold(hash, serde_json::to_string(&state).unwrap().as_bytes()), all)
}

#[test]
fn lists_of_random_games_are_those_of_before() {
    let played = SCENARIOS.map(|scenario| {
        (0..40).fold((0xcbf2_9ce4_8422_2325, 0), |(hash, all), number| {
            let (hash, offered) = lists(scenario, number, hash);
            (hash, all + offered)
        })
    });
    assert_eq!(
        played,
        [
            (9693108152362387771, 132206),
            (18441922272606074752, 136079),
            (9729972453702286568, 583200),
            (7493431763547573956, 420027)
        ]
    );
}
