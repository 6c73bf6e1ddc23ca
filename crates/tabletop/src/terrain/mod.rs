//! The terrain chapter, one module per section: what each element does to movement, order, fire,
//! melee and morale. Sight is its own part. Rules act on small facts, whether a player named them
//! or a scene's geometry measured them.

pub mod aftermath;
pub mod batteries;
pub mod charge;
pub mod cover;
pub mod crops;
pub mod engineers;
pub mod ground;
pub mod hills;
pub mod houses;
pub mod melee;
pub mod obstacles;
pub mod plateau;
pub mod redoubts;
pub mod rivers;
pub mod roads;
pub mod setup;
pub mod state;
pub mod troops;
pub mod woods;

#[cfg(test)]
pub(crate) mod testing {
    use kernel::{Desk, Scripted, Spoken, scripted};

    /// Runs a rule that rolls nothing, and gives the ids it cited.
    pub(crate) fn told<T>(rule: impl FnOnce(&mut Desk<Scripted<'_>, Spoken>) -> T) -> (T, Vec<&'static str>) {
        let (result, notes) = scripted(&[], rule).unwrap();
        let said = notes.reasons().map(|because| because.rule.as_str()).collect();
        (result, said)
    }
}
