//! The invariants of section 9 of the game page that can be read off a state.

use breach::game::{Place, State, Whereabouts};
use breach::scenario::{Scenario, Side};

/// Fails where a state breaks the law.
pub fn check(state: &State) -> Result<(), String> {
    let table = &state.table;
    let fail = |what: String| Err(what);
    for unit in &table.units {
        let name = unit.name();
        let began = unit.stands.iter().take(usize::from(unit.began));
        if began.clone().count() != usize::from(unit.began)
            || unit.stands.iter().skip(usize::from(unit.began)).any(|stand| stand.place != Place::Dead)
        {
            return fail(format!("{name}: stands come from nowhere"));
        }
        if unit.orders > 3 {
            return fail(format!("{name}: {} orders", unit.orders));
        }
        if unit.machine_hits >= 3 {
            return fail(format!("{name}: {} hits on a machine", unit.machine_hits));
        }
        if unit.machine.is_some()
            && !matches!(
                unit.item,
                breach::terms::Item::Ram | breach::terms::Item::SiegeTower | breach::terms::Item::Sow
            )
        {
            return fail(format!("{name}: a machine without a unit"));
        }
        for stand in &unit.stands {
            if let Place::Ground { front, .. } = stand.place
                && !((0..=18_000).contains(&front.x) && (0..=12_000).contains(&front.y))
            {
                return fail(format!("{name}: off the table"));
            }
        }
    }
    // Works hold what they can, and stands of one side only; none on what has fallen.
    for (at, works) in table.elements.iter().enumerate() {
        let on = |side: Side| {
            table
                .units
                .iter()
                .filter(|unit| unit.side == side)
                .flat_map(|unit| unit.stands.iter())
                .filter(|stand| stand.place.element().is_some_and(|element| usize::from(element.0) == at))
                .count()
        };
        let (garrison, besieger) = (on(Side::Garrison), on(Side::Besieger));
        if garrison > 0 && besieger > 0 {
            return fail(format!("element {at} is held by both"));
        }
        if garrison + besieger > 4 || (works.down && garrison + besieger > 0) {
            return fail(format!("element {at} holds {}", garrison + besieger));
        }
        if works.down && works.oil {
            return fail(format!("oil on the breach {at}"));
        }
    }
    for character in &table.characters {
        if let Whereabouts::With(unit) = character.place
            && !table.units.get(usize::from(unit.0)).is_some_and(breach::game::Unit::is_on_table)
        {
            return fail(format!("{} is with nobody", character.name()));
        }
    }
    let most = if table.scenario == Scenario::Keep { 10 } else { 20 };
    if state.turn > most {
        return fail(format!("turn {}", state.turn));
    }
    if table.holder.is_some_and(|(_, count)| count > 1) && state.outcome.is_none() {
        return fail("held for too long".to_owned());
    }
    Ok(())
}
