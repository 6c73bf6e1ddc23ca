//! What the dice do is told: when a decision that rolled has cost somebody a step, his order, a gun, a work or
//! a piece of wall, something is said to have happened.

use danzig::{Marks, Table, UnitId};
use kernel::Line;

/// What differs for the worse, in words; nothing when all is as it was.
fn harm(before: &Table, after: &Table) -> Option<String> {
    for unit in UnitId::all() {
        let (was, is) = (before.unit(unit), after.unit(unit));
        let marked = |marks| !was.marks.has(marks) && is.marks.has(marks);
        if is.steps < was.steps || marked(Marks::DISORDERED) || marked(Marks::DAMAGED) {
            return Some(format!("{unit} was {was:?} and is {is:?}"));
        }
    }
    for (was, is) in before.siege.walls.iter().zip(&after.siege.walls) {
        if is.level < was.level {
            return Some(format!("a wall was {was:?} and is {is:?}"));
        }
    }
    for (id, was) in before.siege.all_works() {
        if after.siege.work(id).is_none_or(|is| is.damaged && !was.damaged) {
            return Some(format!("work {id:?} has suffered"));
        }
    }
    let (was, is) = (before.siege.kalke, after.siege.kalke);
    if is.holder != was.holder || is.damage != was.damage {
        return Some(format!("Kalke was {was:?} and is {is:?}"));
    }
    (after.owed.len() > before.owed.len()).then(|| format!("{:?} is owed", after.owed.last()))
}

/// Whether a decision that rolled has told what it did.
pub(crate) fn told(before: &Table, after: &Table, said: &[Line]) -> Result<(), String> {
    if said.iter().any(|line| matches!(line, Line::Happened(_))) {
        return Ok(());
    }
    harm(before, after).map_or(Ok(()), |harm| Err(format!("nothing is told, but {harm}")))
}
