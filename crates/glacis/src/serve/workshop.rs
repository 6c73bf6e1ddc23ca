//! The workshop: everything whose cost depends on what is asked is worked out here, on a few threads
//! of its own, so that the threads that serve everybody never wait for it. Whoever asks takes turns
//! with all others and has one thread at a time: a reader with much under way waits for himself alone.
//!
//! Work that was begun cannot be stopped, so every piece of it must be short: what is asked has its
//! limits, and what is long goes in slices. Work that nobody waits for any more is not begun.

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::Trouble;
use super::places::Places;

/// The most pieces of work that one reader may have waiting or under way.
const MOST_EACH: usize = 8;
/// The most pieces of work that may wait or be under way.
const MOST_IN_ALL: usize = 512;
/// So long somebody waits for a piece of work; then he is told to come back.
const PATIENCE: Duration = Duration::from_secs(10);
/// Long work is put down after this time, so that others have their turn.
const SLICE: Duration = Duration::from_millis(20);
/// The most paths of dice that one piece of work walks.
const MOST_PATHS: usize = 500_000;

/// Whose turn a piece of work takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// A reader's, by the network he comes from.
    Reader(IpAddr),
    /// A game's: it is opened, or its computer player thinks.
    Game(String),
}

type Work = Box<dyn FnOnce() + Send>;

/// What waits: a line for each, and whose turn it is. Nobody who is being served has a turn.
#[derive(Default)]
struct Waiting {
    lines: HashMap<Whose, VecDeque<Work>>,
    turns: VecDeque<Whose>,
    served: HashSet<Whose>,
    closed: bool,
}

impl Waiting {
    fn add(&mut self, whose: Whose, work: Work) {
        let line = self.lines.entry(whose.clone()).or_default();
        if line.is_empty() && !self.served.contains(&whose) {
            self.turns.push_back(whose);
        }
        line.push_back(work);
    }

    /// The next piece of work, and whose it is.
    fn next(&mut self) -> Option<(Whose, Work)> {
        let whose = self.turns.pop_front()?;
        let line = self.lines.get_mut(&whose)?;
        let work = line.pop_front()?;
        if line.is_empty() {
            self.lines.remove(&whose);
        }
        self.served.insert(whose.clone());
        Some((whose, work))
    }

    /// A piece of work is done; who has more goes to the end of the line.
    fn done(&mut self, whose: Whose) {
        self.served.remove(&whose);
        if self.lines.contains_key(&whose) {
            self.turns.push_back(whose);
        }
    }
}

#[derive(Default)]
struct Bench {
    waiting: Mutex<Waiting>,
    more: Condvar,
}

impl Bench {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a worker does until the workshop is closed.
    fn labour(&self) {
        loop {
            let (whose, work) = {
                let mut waiting = self.waiting();
                loop {
                    if waiting.closed {
                        return;
                    }
                    match waiting.next() {
                        Some(next) => break next,
                        None => waiting = self.more.wait(waiting).unwrap_or_else(PoisonError::into_inner),
                    }
                }
            };
            work();
            self.waiting().done(whose);
        }
    }
}

/// This thread lets those that serve everybody go first. Linux gives every thread a rank of its own;
/// elsewhere it is the whole process that has one, and it is left alone.
fn stand_back() {
    // A system that does not allow it serves as before.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}

/// Threads that work things out.
pub struct Workshop {
    bench: Arc<Bench>,
    places: Arc<Places<Whose>>,
}

impl Drop for Workshop {
    fn drop(&mut self) {
        self.bench.waiting().closed = true;
        self.bench.more.notify_all();
    }
}

/// How far work in slices has come.
pub(super) enum Progress<S> {
    /// It is done.
    Done(S),
    /// Its time is over.
    Unfinished(S),
}

impl<S> Progress<S> {
    /// What was done, or that it takes too long.
    pub(super) fn done(self) -> Result<S, Trouble> {
        match self {
            Self::Done(state) => Ok(state),
            Self::Unfinished(_) => Err(Trouble::Busy),
        }
    }
}

impl Workshop {
    /// Opens a workshop for readers.
    ///
    /// # Errors
    /// When the system has no threads to give.
    pub fn for_readers() -> std::io::Result<Self> {
        Self::open("readers", MOST_EACH, MOST_IN_ALL)
    }

    /// Opens a workshop for games: each has at most one thing under way, and all are served.
    ///
    /// # Errors
    /// When the system has no threads to give.
    pub fn for_games() -> std::io::Result<Self> {
        Self::open("games", usize::MAX, usize::MAX)
    }

    /// Opens a workshop in which machines think ahead: each game, or reader who asks for advice, one thought
    /// at a time.
    ///
    /// # Errors
    /// When the system has no threads to give.
    pub fn for_minds() -> std::io::Result<Self> {
        Self::open("minds", 1, MOST_IN_ALL)
    }

    fn open(name: &str, each: usize, all: usize) -> std::io::Result<Self> {
        let bench = Arc::new(Bench::default());
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        for number in 0..cores.div_ceil(2).clamp(2, 8) {
            let bench = bench.clone();
            let named = std::thread::Builder::new().name(format!("{name} {number}"));
            named.spawn(move || {
                stand_back();
                bench.labour();
            })?;
        }
        Ok(Self { bench, places: Places::new(each, all) })
    }

    /// Has something worked out.
    ///
    /// # Errors
    /// When this one has too much under way, or all have, or it takes too long.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        whose: &Whose,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Trouble> {
        let place = self.places.take(whose.clone())?;
        let (tell, told) = oneshot::channel();
        let work = move || {
            // Whoever asked may have gone.
            if !tell.is_closed() {
                let done = std::panic::catch_unwind(AssertUnwindSafe(|| kernel::frugally(MOST_PATHS, work)));
                let _ = tell.send(done.map_err(|_| Trouble::Broken("a piece of work panicked".to_owned())));
            }
            drop(place);
        };
        self.bench.waiting().add(whose.clone(), Box::new(work));
        self.bench.more.notify_one();
        match tokio::time::timeout(PATIENCE, told).await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) | Err(_) => Err(Trouble::Busy),
        }
    }

    /// Has long work done in slices, between which others have their turn: `step` does a little of
    /// it and says whether there is more.
    ///
    /// # Errors
    /// Those of [`work`](Self::work), and the first of a step.
    pub(super) async fn slices<S: Send + 'static, E: Into<Trouble> + Send + 'static>(
        &self,
        whose: &Whose,
        within: Duration,
        mut state: S,
        mut step: impl FnMut(&mut S) -> Result<bool, E> + Send + 'static,
    ) -> Result<Progress<S>, Trouble> {
        let began = Instant::now();
        loop {
            let slice = move || {
                let put_down = Instant::now() + SLICE;
                loop {
                    match step(&mut state) {
                        Ok(true) if Instant::now() < put_down => {}
                        Ok(more) => return Ok((more, state, step)),
                        Err(error) => return Err(error),
                    }
                }
            };
            let more;
            (more, state, step) = self.work(whose, slice).await?.map_err(Into::into)?;
            if !more {
                return Ok(Progress::Done(state));
            }
            if began.elapsed() > within {
                return Ok(Progress::Unfinished(state));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn reader(last: u8) -> Whose {
        Whose::Reader([192, 0, 2, last].into())
    }

    #[test]
    fn everybody_has_his_turn() {
        let mut waiting = Waiting::default();
        let done = Arc::new(Mutex::new(Vec::new()));
        let mut add = |whose: u8, name: &'static str| {
            let done = done.clone();
            waiting.add(reader(whose), Box::new(move || done.lock().unwrap().push(name)));
        };
        for name in ["a1", "a2", "a3"] {
            add(1, name);
        }
        add(2, "b1");
        add(3, "c1");
        while let Some((whose, work)) = waiting.next() {
            work();
            waiting.done(whose);
        }
        assert_eq!(*done.lock().unwrap(), ["a1", "b1", "c1", "a2", "a3"]);
        assert!(waiting.lines.is_empty() && waiting.turns.is_empty() && waiting.served.is_empty());
    }

    #[test]
    fn nobody_has_two_threads() {
        let mut waiting = Waiting::default();
        for whose in [1, 1, 2] {
            waiting.add(reader(whose), Box::new(|| ()));
        }
        let mut next = || waiting.next().map(|(whose, _)| whose);
        assert_eq!([next(), next(), next()], [Some(reader(1)), Some(reader(2)), None]);
        // What comes meanwhile waits as well.
        waiting.add(reader(2), Box::new(|| ()));
        assert!(waiting.next().is_none());
        waiting.done(reader(2));
        assert_eq!(waiting.next().map(|(whose, _)| whose), Some(reader(2)));
    }

    #[tokio::test]
    async fn one_reader_is_refused_and_another_served() {
        let workshop = Workshop::for_readers().unwrap();
        let (release, hold) = std::sync::mpsc::channel::<()>();
        let hold = Arc::new(Mutex::new(hold));
        let hog = reader(1);
        let mut held: Vec<_> = (0..MOST_EACH)
            .map(|_| {
                let hold = hold.clone();
                Box::pin(workshop.work(&hog, move || hold.lock().unwrap().recv().is_ok()))
            })
            .collect();
        for work in &mut held {
            assert_eq!(work.as_mut().now_or_never().map(|done| done.is_ok()), None, "it is held up");
        }
        let more = workshop.work(&hog, || 1).await;
        assert!(matches!(more, Err(Trouble::TooMuchAtOnce)), "{more:?}");
        assert_eq!(workshop.work(&reader(2), || 7).await.unwrap(), 7, "while the first is still held up");
        for _ in 0..MOST_EACH {
            release.send(()).unwrap();
        }
        for work in held {
            assert!(work.await.unwrap());
        }
        assert_eq!(workshop.work(&hog, || 8).await.unwrap(), 8);
    }

    #[tokio::test]
    async fn a_panic_is_the_trouble_of_one_and_too_many_dice_are_refused() {
        let workshop = Workshop::for_readers().unwrap();
        let broken = workshop.work(&reader(1), || assert_eq!(1, 2)).await;
        assert!(matches!(broken, Err(Trouble::Broken(_))), "{broken:?}");
        let odds = || kernel::Odds::of(|dice| (0..9).map(|_| kernel::Dice::die(dice, 6)).sum::<u8>()).is_ok();
        assert!(!workshop.work(&reader(1), odds).await.unwrap(), "ten million paths are too many");
    }

    #[tokio::test]
    async fn long_work_is_put_down_and_taken_up_again() {
        let workshop = Workshop::for_readers().unwrap();
        let count = |count: &mut u32| {
            *count += 1;
            std::thread::sleep(Duration::from_millis(1));
            Ok::<_, Trouble>(*count < 60)
        };
        let counted = workshop.slices(&reader(1), PATIENCE, 0, count).await.unwrap().done().unwrap();
        assert_eq!(counted, 60);
        let cut = workshop.slices(&reader(1), Duration::ZERO, 0, count).await.unwrap();
        assert!(matches!(cut, Progress::Unfinished(done) if (1..60).contains(&done)));
    }
}
