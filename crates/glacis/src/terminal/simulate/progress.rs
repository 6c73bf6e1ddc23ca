//! How far it is: a bar with the rate and the time that is left, where somebody looks on.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use rulebook::{Lang, phrase::simulate as words};

use super::{number, word};
use crate::simulation::figure;

/// So wide is the bar.
const WIDTH: u64 = 24;

/// The line that tells how far it is, on the error stream of a terminal, now and then.
pub(in crate::terminal) struct Progress {
    begun: Instant,
    told: Option<Instant>,
    before: u64,
    games: u64,
    seen: bool,
    lang: Lang,
}

impl Progress {
    /// So many games are to be played, of which so many were before.
    pub(in crate::terminal) fn begin(games: u64, before: u64, lang: Lang) -> Self {
        Self { begun: Instant::now(), told: None, before, games, seen: io::stderr().is_terminal(), lang }
    }

    /// So many are done.
    pub(in crate::terminal) fn tell(&mut self, done: u64) {
        let now = Instant::now();
        if !self.seen || self.told.is_some_and(|told| now - told < Duration::from_millis(200)) {
            return;
        }
        self.told = Some(now);
        let line = self.line(done, now - self.begun);
        let _ = write!(io::stderr(), "\r\x1b[K{line}");
    }

    fn line(&self, done: u64, passed: Duration) -> String {
        let rate = figure(done.saturating_sub(self.before)) / passed.as_secs_f64().max(0.001);
        let left = figure(self.games.saturating_sub(done)) / rate.max(0.001);
        let full = (done * WIDTH / self.games.max(1)).min(WIDTH);
        let part = |times: u64, sign: &str| sign.repeat(usize::try_from(times).unwrap_or(0));
        let facts = [
            word("bar", &format!("[{}{}]", part(full, "#"), part(WIDTH - full, "."))),
            number("done", done),
            number("games", self.games),
            word("rate", &format!("{rate:.1}")),
            word("left", &span(Duration::from_secs_f64(left.min(1e7)))),
        ];
        rulebook::speak(words::PROGRESS, &facts, self.lang)
    }

    /// Takes the line away.
    pub(in crate::terminal) fn clear(&self) {
        if self.told.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// Hours, minutes and seconds.
fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_counts_what_is_played_now_and_the_bar_everything() {
        let progress = Progress::begin(100, 25, Lang::En);
        let line = progress.line(50, Duration::from_secs(10));
        assert!(line.contains("[############............]"), "{line}");
        assert!(
            line.contains("50 of 100") && line.contains("2.5 a second") && line.contains("0:20"),
            "{line}"
        );
        assert_eq!(span(Duration::from_secs(3_725)), "1:02:05");
    }
}
