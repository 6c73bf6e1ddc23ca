//! What a work that is to be dug or mended would be exposed to: the guns that would rake it at the end of
//! the building step (4.5.3), in words and as lines over the map.

use std::fmt::Write as _;

use kernel::{Measure, Saying};
use rulebook::phrase::danzig_board as words;

use super::names::place_name;
use crate::action::Action;
use crate::draw::siege::metres;
use crate::siege::{self, Build, Sited, Spot};
use crate::state::State;
use crate::unit::UnitId;

/// The guns that would rake the work of an order, and where it would lie.
fn raked(state: &State, action: &Action) -> Option<(Vec<UnitId>, Spot)> {
    let Action::Build(build) = action else { return None };
    match *build {
        Build::New { kind, pose, .. } => Some((siege::would_be_raked(&state.table, kind, pose), pose.at)),
        Build::Repair { work, .. } | Build::Upgrade { work, .. } => {
            let at = state.table.siege.work(work)?.pose.at;
            Some((siege::rakers(&state.table, work), at))
        }
        _ => None,
    }
}

/// What whoever digs should know.
pub(super) fn warnings(state: &State, action: &Action) -> Vec<Saying> {
    let Some((guns, _)) = raked(state, action).filter(|(guns, _)| !guns.is_empty()) else {
        return Vec::new();
    };
    let mut places: Vec<Measure> = Vec::new();
    for gun in &guns {
        let place = place_name(state, state.table.unit(*gun).place);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let count = i64::try_from(guns.len()).unwrap_or(i64::MAX);
    vec![Saying::new(words::RAKED).with("guns", Measure::Several(places)).with("count", count)]
}

/// The lines along which it would be raked.
pub(super) fn sketch(state: &State, action: &Action) -> Option<String> {
    let (guns, at) = raked(state, action).filter(|(guns, _)| !guns.is_empty())?;
    let (x, y) = metres(at);
    let mut lines = String::new();
    for gun in guns.into_iter().filter_map(|gun| Sited::of(&state.table, gun)) {
        let (from_x, from_y) = metres(gun.centre.spot());
        let _ = write!(lines, r#"<path class="rake" d="M{from_x:.0} {from_y:.0}L{x:.0} {y:.0}"></path>"#);
    }
    Some(lines)
}
