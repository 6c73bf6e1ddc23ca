//! What a second is worth on this machine. Limits of time are set for a usual one; where a fixed piece of work takes
//! several times as long, so may whatever a test waits for or measures.
//!
//! ```
//! use std::time::Duration;
//!
//! let limit = yardstick::patience(Duration::from_millis(4));
//! assert!(limit >= Duration::from_millis(4));
//! ```

use std::hint::black_box;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How many steps the piece of work has; each waits for the one before it. They are few enough to be done before
/// the machine turns to something else.
const STEPS: u32 = 200_000;

/// What a usual machine needs for it: four cycles a step at three thousand million cycles a second.
const USUAL: Duration = Duration::from_nanos(266_667);

/// The best of so many is taken: whatever else runs on the machine slows some of them down.
const TRIES: usize = 50;

/// How many times as long as on a usual machine anything takes here; 1 on a faster one.
#[must_use]
pub fn pace() -> f64 {
    static PACE: OnceLock<f64> = OnceLock::new();
    *PACE.get_or_init(|| {
        let best = (0..TRIES).map(|_| work()).min().unwrap_or(USUAL);
        (best.as_secs_f64() / USUAL.as_secs_f64()).max(1.0)
    })
}

/// A limit of time that was set for a usual machine, as it holds here.
#[must_use]
pub fn patience(usual: Duration) -> Duration {
    usual.mul_f64(pace())
}

/// How long the piece of work takes.
fn work() -> Duration {
    let began = Instant::now();
    let mut number = black_box(1_807_u64);
    for _ in 0..STEPS {
        number = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (number >> 29);
    }
    black_box(number);
    began.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_never_shorter_than_on_a_usual_machine_and_the_same_every_time() {
        let usual = Duration::from_millis(30);
        assert!(patience(usual) >= usual);
        assert_eq!(patience(usual), patience(usual));
    }

    /// A step takes a tenth of a nanosecond at the least: the compiler has not done it beforehand.
    #[test]
    fn the_piece_of_work_is_done() {
        assert!(work() > Duration::from_micros(20));
    }
}
