//! Proof that a rule acted: with the feature `trace`, every rule the engine cites is written, with
//! the test that made it act, to a file of the process in the folder that `GLACIS_TRACE` names;
//! `cargo xtask trace` reads them after the tests have passed. And proof that a test would notice:
//! the one rule that `GLACIS_FALSIFY` names is false in the whole process (`cargo xtask prove`).
//! Without the feature this module is empty.

use crate::RuleId;

/// Remembers that `rule` was cited by the running engine.
#[inline(always)]
pub(crate) fn cited(rule: RuleId) {
    #[cfg(feature = "trace")]
    recording::cited(rule);
    #[cfg(not(feature = "trace"))]
    let _ = rule;
}

/// Whether this process is to act as if `rule` said the opposite.
#[inline(always)]
pub(crate) fn falsified(rule: RuleId) -> bool {
    #[cfg(feature = "trace")]
    return falsifying::falsified(rule);
    #[cfg(not(feature = "trace"))]
    {
        let _ = rule;
        false
    }
}

/// A value that can be told from another of its kind, for a rule that is falsified.
pub trait Shifted: Copy {
    /// Another value: one more.
    #[must_use]
    fn shifted(self) -> Self;

    /// The opposite value; of nothing, another.
    #[must_use]
    fn negated(self) -> Self {
        self.shifted()
    }
}

macro_rules! shifted_numbers {
    ($($type:ty),*) => {
        $(impl Shifted for $type {
            fn shifted(self) -> Self {
                self.checked_add(1).unwrap_or(self - 1)
            }
        })*
    };
}

shifted_numbers!(u8, u16, u32, i8, i16, i64);

impl Shifted for i32 {
    fn shifted(self) -> Self {
        self.checked_add(1).unwrap_or(self - 1)
    }

    fn negated(self) -> Self {
        if self == 0 { 1 } else { self.saturating_neg() }
    }
}

#[cfg(feature = "trace")]
mod falsifying {
    use std::sync::LazyLock;

    use super::RuleId;

    static FALSE: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("GLACIS_FALSIFY").ok());

    #[inline]
    pub(super) fn falsified(rule: RuleId) -> bool {
        super::recording::note(super::recording::Kind::Asked, rule);
        FALSE.as_deref().is_some_and(|id| id == rule.as_str())
    }
}

/// The file of a process: a line `of<TAB>program`, then for every test `cited<TAB>rule<TAB>test`,
/// `asked<TAB>rule<TAB>test` where a falsified rule would have given something else back, and
/// `took<TAB>milliseconds<TAB>test` when it ends. The test runner names the thread of a test after
/// it; other threads have a name of their own, or an empty one.
#[cfg(feature = "trace")]
mod recording {
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::fs::File;
    use std::io::Write;
    use std::path::Path;
    use std::sync::{LazyLock, Mutex, PoisonError};
    use std::thread;
    use std::time::Instant;

    use super::RuleId;

    /// What there is to say of a rule and a test.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub(super) enum Kind {
        Cited,
        Asked,
    }

    static FILE: LazyLock<Option<Mutex<File>>> = LazyLock::new(|| {
        let folder = std::env::var_os("GLACIS_TRACE")?;
        // The number of a process comes back after a while.
        let name = |turn: u32| Path::new(&folder).join(format!("{}-{turn}", std::process::id()));
        let mut file = (0..1000).find_map(|turn| File::create_new(name(turn)).ok())?;
        let program = std::env::current_exe().unwrap_or_default();
        writeln!(file, "of\t{}", program.display()).ok()?;
        Some(Mutex::new(file))
    });

    /// A trace that cannot be written shows as a rule not cited; the engine goes on.
    fn write(kind: &str, what: &dyn std::fmt::Display, test: &str) {
        if let Some(file) = &*FILE {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = file.write_all(format!("{kind}\t{what}\t{test}\n").as_bytes());
        }
    }

    /// What one thread has handed in already, by the address of the id.
    struct Thread {
        test: String,
        began: Instant,
        seen: BTreeSet<(Kind, usize)>,
    }

    impl Drop for Thread {
        fn drop(&mut self) {
            write("took", &self.began.elapsed().as_millis(), &self.test);
        }
    }

    thread_local! {
        static THREAD: RefCell<Thread> = RefCell::new(Thread {
            test: thread::current().name().unwrap_or_default().to_owned(),
            began: Instant::now(),
            seen: BTreeSet::new(),
        });
    }

    pub(super) fn cited(rule: RuleId) {
        note(Kind::Cited, rule);
    }

    pub(super) fn note(kind: Kind, rule: RuleId) {
        if FILE.is_none() {
            return;
        }
        let address = rule.as_str().as_ptr() as usize;
        // A thread that ends has no more to say.
        let _ = THREAD.try_with(|thread| {
            let mut thread = thread.borrow_mut();
            if thread.seen.insert((kind, address)) {
                let word = match kind {
                    Kind::Cited => "cited",
                    Kind::Asked => "asked",
                };
                write(word, &rule, &thread.test);
            }
        });
    }
}
