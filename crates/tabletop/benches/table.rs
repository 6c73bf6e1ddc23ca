//! The cost of a fire phase and of the full sight matrix on large tables, one core. Run with
//! `cargo bench -p glacis-tabletop`. Scenes are laid out in blocks of fifteen figures a body, four thirds of
//! a terrain element for each body, at the density of a crowded battle.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

#[path = "../tests/support/large.rs"]
mod large;

use divan::{Bencher, black_box};
use kernel::{Desk, Live, Silent};
use rulebook::options::tabletop::Options;
use tabletop::fire::ground::Ground;
use tabletop::fire::phase;
use tabletop::scene::Instant;
use tabletop::sight::{Outlook, View};

const BODIES: [usize; 4] = [30, 60, 120, 240];

fn main() {
    divan::main();
}

#[divan::bench(args = BODIES)]
fn fire_phase(bencher: Bencher<'_, '_>, bodies: usize) {
    let scene = large::scene(bodies);
    let options = Options::default();
    bencher.bench_local(|| {
        let ground = Ground::new(black_box(&scene), &options);
        let declared = phase::automatic(&ground);
        let mut desk = Desk::new(Live::from_seed([7; 32]), Silent);
        phase::resolve(&scene, &options, &declared, &mut desk).map(|outcome| outcome.fires.len())
    });
}

#[divan::bench(args = BODIES)]
fn sight_matrix(bencher: Bencher<'_, '_>, bodies: usize) {
    let scene = large::scene(bodies);
    let options = Options::default();
    bencher.bench_local(|| {
        let outlook = Outlook::new(black_box(&scene), &options, Instant::P2);
        let mut seen = 0;
        for a in 0..scene.bodies().len() {
            for b in 0..scene.bodies().len() {
                if scene.bodies()[a].side() != scene.bodies()[b].side() {
                    seen += usize::from(View::new(&outlook, a, b).clear_line().is_some());
                }
            }
        }
        seen
    });
}

#[divan::bench(args = BODIES)]
fn check(bencher: Bencher<'_, '_>, bodies: usize) {
    let scene = large::scene(bodies);
    bencher.bench_local(|| black_box(scene.setup()).check(&Options::default()).is_ok());
}

/// A step of a drag: the whole table judged, the thing in the hand drawn.
#[divan::bench(args = BODIES)]
fn drag_step(bencher: Bencher<'_, '_>, bodies: usize) {
    let scene = large::scene(bodies);
    let (table, options) = (scene.setup().clone(), Options::default());
    bencher.bench_local(|| {
        let survey = black_box(&table).survey(&options);
        let body = survey.bodies().iter().find(|body| body.id() == "b7");
        body.map(|body| tabletop::draw::things::body(body, scene.depth()).markup.len())
    });
}

/// Everything a body may do now: with one of the front line.
#[divan::bench(args = BODIES)]
fn everything_it_may_do(bencher: Bencher<'_, '_>, bodies: usize) {
    let scene = large::scene(bodies);
    let evening = tabletop::evening::Evening::on(scene.setup().clone(), Options::default());
    bencher.bench_local(|| evening.may(black_box(&scene), 0).can.len());
}
