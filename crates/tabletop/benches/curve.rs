//! How the cost of a fire phase and of the full sight matrix grows with the table, in processor time,
//! which does not depend on what else the machine does. `cargo bench -p glacis-tabletop --bench curve`
//! prints the table of `docs/performance.md`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a measurement may fail loudly, and shares its helpers"
)]

#[path = "../tests/support/large.rs"]
mod large;

use std::hint::black_box;
use std::time::{Duration, Instant as Clock};

use kernel::{Desk, Live, Silent};
use rulebook::options::tabletop::Options;
use tabletop::fire::ground::Ground;
use tabletop::fire::phase;
use tabletop::scene::{Instant, Scene};
use tabletop::sight::{Outlook, View};

fn main() {
    println!("| bodies | figures | elements | fires | fire phase | pairs | seen | sight matrix | a pair |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for bodies in [30, 60, 120, 240] {
        let scene = large::scene(bodies);
        let figures: i64 = scene.bodies().iter().map(tabletop::scene::Body::strength).sum();
        let (phase, fires) = cost(|| fire_phase(&scene));
        let (matrix, (pairs, seen)) = cost(|| sight_matrix(&scene));
        println!(
            "| {bodies} | {figures} | {} | {fires} | {:.1} ms | {pairs} | {seen} | {:.1} ms | {:.1} µs |",
            scene.elements().len(),
            phase.as_secs_f64() * 1e3,
            matrix.as_secs_f64() * 1e3,
            matrix.as_secs_f64() * 1e6 / f64::from(pairs),
        );
    }
}

fn fire_phase(scene: &Scene) -> usize {
    let options = Options::default();
    let ground = Ground::new(scene, &options);
    let declared = phase::automatic(&ground);
    let mut desk = Desk::new(Live::from_seed([7; 32]), Silent);
    phase::resolve(scene, &options, &declared, &mut desk).unwrap().fires.len()
}

/// Every body of one side looking at every body of the other.
fn sight_matrix(scene: &Scene) -> (u32, usize) {
    let options = Options::default();
    let outlook = Outlook::new(scene, &options, Instant::P2);
    let (mut pairs, mut seen) = (0, 0);
    for a in 0..scene.bodies().len() {
        for b in 0..scene.bodies().len() {
            if scene.bodies()[a].side() != scene.bodies()[b].side() {
                pairs += 1;
                seen += usize::from(View::new(&outlook, a, b).clear_line().is_some());
            }
        }
    }
    (pairs, seen)
}

/// The median processor time of some runs, and what the last one gave.
fn cost<T>(run: impl Fn() -> T) -> (Duration, T) {
    let once = || {
        let before = processor();
        let given = black_box(run());
        (processor() - before, given)
    };
    let mut times = vec![once().0; 1];
    let enough = Clock::now();
    while times.len() < 9 && enough.elapsed() < Duration::from_secs(10) {
        times.push(once().0);
    }
    times.sort_unstable();
    (times[times.len() / 2], once().1)
}

/// The time this thread has had a processor; where the system does not tell, the time of the clock.
fn processor() -> Duration {
    static START: std::sync::OnceLock<Clock> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Clock::now).elapsed(), Duration::from_nanos)
}
