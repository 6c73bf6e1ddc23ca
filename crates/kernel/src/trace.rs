//! Proof that a rule acted: with the feature `trace`, every rule the engine cites is written, once
//! per process, to a file in the folder that `GLACIS_TRACE` names. `cargo xtask trace` reads them
//! after the tests have passed. And proof that a test would notice: the one rule that
//! `GLACIS_FALSIFY` names is false in the whole process (`cargo xtask prove`). Without the feature
//! this module is empty.

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
        FALSE.as_deref().is_some_and(|id| id == rule.as_str())
    }
}

#[cfg(feature = "trace")]
mod recording {
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::fs::File;
    use std::io::Write;
    use std::path::Path;
    use std::sync::{LazyLock, Mutex, PoisonError};

    use super::RuleId;

    struct Recording {
        seen: BTreeSet<RuleId>,
        file: Option<File>,
    }

    static RECORDING: LazyLock<Mutex<Recording>> = LazyLock::new(|| {
        let file = std::env::var_os("GLACIS_TRACE")
            .and_then(|folder| File::create(Path::new(&folder).join(std::process::id().to_string())).ok());
        Mutex::new(Recording { seen: BTreeSet::new(), file })
    });

    thread_local! {
        /// What this thread has handed in already, by the address of the id.
        static HANDED_IN: RefCell<BTreeSet<usize>> = const { RefCell::new(BTreeSet::new()) };
    }

    pub(super) fn cited(rule: RuleId) {
        let address = rule.as_str().as_ptr() as usize;
        if !HANDED_IN.with_borrow_mut(|seen| seen.insert(address)) {
            return;
        }
        let mut recording = RECORDING.lock().unwrap_or_else(PoisonError::into_inner);
        if recording.file.is_some()
            && recording.seen.insert(rule)
            && let Some(file) = &mut recording.file
        {
            // A trace that cannot be written shows as a rule not proven; the engine goes on.
            let _ = writeln!(file, "{rule}");
        }
    }
}
