//! Odds gathered stage by stage: equal states are merged between the stages, so that a long affair
//! costs the sum of its stages and not their product. The reasons that hold on every path are kept.

use crate::{Because, Desk, Exhaustive, Line, MOST_PATHS, Odds, Spoken, Verdict};

/// The clerk of one path through one stage.
pub type Walker<'a> = Desk<&'a mut Exhaustive, Spoken>;

/// Every outcome so far with its exact weight, and the reasons that held whatever the dice showed.
#[derive(Clone, Debug)]
pub struct Stages<T> {
    /// The outcomes.
    pub odds: Odds<T>,
    /// The reasons common to all paths.
    pub because: Vec<Because>,
    /// Whether a die was asked for on any path.
    pub rolled: bool,
}

impl<T: Ord> Stages<T> {
    /// The first stage: every path of `run`.
    ///
    /// # Errors
    /// The first refusal met, or more outcomes than can be counted.
    pub fn first(mut run: impl FnMut(&mut Walker<'_>) -> Verdict<T>) -> Verdict<Self> {
        let start = Stages { odds: Odds::certain(()), because: Vec::new(), rolled: false };
        start.then(|(), clerk| run(clerk))
    }

    /// The next stage: every path that follows from each outcome, equal outcomes merged.
    ///
    /// ```
    /// use kernel::{Clerk, Stages};
    ///
    /// // Three rounds of one die each, of which only the sum matters: 6 + 36 + 66 paths, not 216.
    /// let mut sum = Stages::first(|clerk| Ok(clerk.d6())).unwrap();
    /// for _ in 0..2 {
    ///     sum = sum.then(|sum, clerk| Ok(sum + clerk.d6())).unwrap();
    /// }
    /// assert_eq!(sum.odds.chance(&3).to_string(), "1/216");
    /// ```
    ///
    /// # Errors
    /// The first refusal met, or more outcomes than can be counted.
    pub fn then<U: Ord>(self, mut next: impl FnMut(&T, &mut Walker<'_>) -> Verdict<U>) -> Verdict<Stages<U>> {
        let mut common: Option<Vec<Because>> = None;
        let mut refused = None;
        let mut rolled = self.rolled;
        let mut dice = Exhaustive::default();
        let odds = self.odds.and_then(|state| {
            Odds::walked(&mut dice, MOST_PATHS, |dice| {
                let mut clerk = Desk::new(dice, Spoken::default());
                let outcome = next(state, &mut clerk);
                rolled |= clerk.dice.rolled();
                let said = reasons(clerk.notes);
                match &mut common {
                    None => common = Some(said),
                    Some(common) => keep_common(common, &said),
                }
                outcome.map_err(|refusal| {
                    refused.get_or_insert(refusal);
                })
            })
        })?;
        if let Some(refusal) = refused {
            return Err(refusal);
        }
        let mut because = self.because;
        because.extend(common.unwrap_or_default());
        Ok(Stages { odds: odds.flatten(), because, rolled })
    }
}

/// Keeps of `common` what was `said` too, in the same order.
fn keep_common(common: &mut Vec<Because>, said: &[Because]) {
    let mut rest = said;
    common.retain(|because| {
        let place = rest.iter().position(|other| other == because);
        if let Some(place) = place {
            rest = &rest[place + 1..];
        }
        place.is_some()
    });
}

/// The reasons among the notes.
pub(crate) fn reasons(notes: Spoken) -> Vec<Because> {
    let lines = notes.into_lines().into_iter();
    lines
        .filter_map(|line| match line {
            Line::Because(because) => Some(because),
            Line::Happened(_) => None,
        })
        .collect()
}
