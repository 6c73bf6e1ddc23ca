//! The name of a rule, as the ledger prints it.

use std::fmt;

use serde::Serialize;

use crate::trace;

/// The id of a rule or a ruling: `FE-5-16`, `DZ-R01`.
///
/// Systems never build one by hand: the rulebook declares a constant for every entry of the
/// ledgers (`rule!(FE_5_16)`), so that a wrong id does not compile. Two ids are equal when their
/// texts are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct RuleId(&'static str);

impl RuleId {
    /// Declares an id. For the rulebook, which has checked it, and for tests of the kernel.
    #[must_use]
    pub const fn declared(id: &'static str) -> Self {
        Self(id)
    }

    /// The id as printed in the ledger.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// Whether the condition of this rule holds: for a check that nobody listens to. Where reasons
    /// are told, [`Clerk::holds`](crate::Clerk::holds) says so as well.
    ///
    /// Gives back the condition, so that a test run can falsify the rule at the line that acts.
    #[inline(always)]
    #[must_use = "a condition that nobody looks at is no rule"]
    pub fn holds(self, condition: bool) -> bool {
        condition != trace::falsified(self)
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
