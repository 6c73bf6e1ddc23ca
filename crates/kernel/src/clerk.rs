//! The clerk: what rule code is handed so that it never rolls a die or writes a log by itself.

use crate::{
    Because, DiceFault, Effect, Event, Measure, Notes, Reading, RuleId, Scripted, Shifted, Spoken, Tally,
    dice::Dice, trace,
};

/// The one context of every rule: dice on one side, notes on the other.
///
/// Rules speak where they act: [`modifier`](Self::modifier), [`value`](Self::value),
/// [`limit`](Self::limit), [`holds`](Self::holds) and [`rather`](Self::rather) tell the reason and give
/// back what they were given, so that a test run can falsify one rule at a time
/// (`cargo xtask prove`). What is told is always what the rule says; only what is given back differs
/// then. [`applied`](Self::applied) is for what is a fact already: it can be cited, but not proven.
///
/// Rules take `clerk: &mut impl Clerk`. The game hands them live dice, a replay hands them the
/// recorded ones, the odds hand them every outcome; whether anybody listens is likewise not the
/// rule's business.
pub trait Clerk {
    /// The face of a die with `sides` sides.
    fn die(&mut self, sides: u8) -> u8;

    /// Says that a rule acted, and how.
    fn because(&mut self, rule: RuleId, effect: Effect);

    /// Says what happened on the table.
    fn happened(&mut self, event: impl FnOnce() -> Event);

    /// A six-sided die.
    fn d6(&mut self) -> u8 {
        self.die(6)
    }

    /// What is read off so many six-sided dice, rolled one after the other: the odds take them in one
    /// step.
    fn tally(&mut self, dice: u32, reading: &Reading) -> Tally {
        (0..dice).fold(Tally::default(), |tally, _| reading.and(tally, self.d6()))
    }

    /// Two six-sided dice, in the order they fell.
    fn two_d6(&mut self) -> [u8; 2] {
        [self.d6(), self.d6()]
    }

    /// Says that a rule applied.
    fn applied(&mut self, rule: RuleId) {
        self.because(rule, Effect::Applied);
    }

    /// Says that a rule adds `value`, and gives it back to be added.
    #[inline(always)]
    fn modifier(&mut self, rule: RuleId, value: i32) -> i32 {
        self.because(rule, Effect::Modifier(value));
        if trace::falsified(rule) { Shifted::negated(value) } else { value }
    }

    /// Says that a rule applied where its condition holds, and gives the condition back.
    #[inline(always)]
    #[must_use = "a condition that nobody looks at is no rule"]
    fn holds(&mut self, rule: RuleId, condition: bool) -> bool {
        if condition {
            self.applied(rule);
        }
        rule.holds(condition)
    }

    /// Says that a rule sets `value`, and gives it back to be used.
    #[inline(always)]
    #[must_use = "a value that nobody uses is no rule"]
    fn value<V: Shifted + Into<Measure>>(&mut self, rule: RuleId, value: V) -> V {
        self.because(rule, Effect::Set(value.into()));
        if trace::falsified(rule) { value.shifted() } else { value }
    }

    /// Says that a rule limits something to `most`, and gives the limit back to be kept.
    #[inline(always)]
    #[must_use = "a limit that nobody keeps is no rule"]
    fn limit<V: Shifted + Into<Measure>>(&mut self, rule: RuleId, most: V) -> V {
        self.because(rule, Effect::Limit(most.into()));
        if trace::falsified(rule) { most.shifted() } else { most }
    }

    /// Says that a rule applied, and gives back what it makes of something; `without` is what would
    /// be if there were no such rule. For what is neither a number nor a condition.
    #[inline(always)]
    #[must_use = "a choice that nobody follows is no rule"]
    fn rather<V>(&mut self, rule: RuleId, with: V, without: V) -> V {
        self.applied(rule);
        if trace::falsified(rule) { without } else { with }
    }
}

/// A clerk at work: some dice, some notes.
#[derive(Clone, Debug, Default)]
pub struct Desk<D, N> {
    /// Where the dice come from.
    pub dice: D,
    /// Where the notes go.
    pub notes: N,
}

impl<D, N> Desk<D, N> {
    /// A clerk with these dice and these notes.
    pub const fn new(dice: D, notes: N) -> Self {
        Self { dice, notes }
    }
}

impl<D: Dice, N: Notes> Clerk for Desk<D, N> {
    #[inline]
    fn die(&mut self, sides: u8) -> u8 {
        self.dice.die(sides)
    }

    #[inline]
    fn tally(&mut self, dice: u32, reading: &Reading) -> Tally {
        self.dice.tally(dice, reading)
    }

    #[inline(always)]
    fn because(&mut self, rule: RuleId, effect: Effect) {
        trace::cited(rule);
        self.notes.because(Because { rule, effect });
    }

    #[inline(always)]
    fn happened(&mut self, event: impl FnOnce() -> Event) {
        self.notes.happened(event);
    }
}

impl<D: Dice + ?Sized> Dice for &mut D {
    fn die(&mut self, sides: u8) -> u8 {
        (**self).die(sides)
    }

    fn tally(&mut self, dice: u32, reading: &Reading) -> Tally {
        (**self).tally(dice, reading)
    }
}

/// Runs a rule with the dice of a list and keeps what it says.
///
/// # Errors
/// When the list is not exactly what the rule rolls.
pub fn scripted<T>(
    faces: &[u8],
    rule: impl FnOnce(&mut Desk<Scripted<'_>, Spoken>) -> T,
) -> Result<(T, Spoken), DiceFault> {
    let mut desk = Desk::new(Scripted::new(faces), Spoken::default());
    let result = rule(&mut desk);
    desk.dice.finish()?;
    Ok((result, desk.notes))
}
