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

#[cfg(test)]
mod tests {
    use kernel::{Game as _, Setup};

    use super::*;
    use crate::draw::figure::{dug, post};
    use crate::siege::{Facing, GROUND, Pose, WallId, WorkKind, list_builds};
    use crate::state::Phase;
    use crate::unit::{Arm, Level, Place, Side};

    /// The heads of the trenches lie 150 m before the wall, and a battery on H8 looks at them.
    fn before_the_wall() -> (State, UnitId) {
        use WorkKind::{Parallel, Sap};
        let mut state = State::start(&Setup::default()).unwrap();
        let plan = [
            (Sap, 700, 550),
            (Sap, 700, 650),
            (Parallel, 750, 725),
            (Sap, 750, 800),
            (Sap, 750, 900),
            (Parallel, 700, 975),
            (Sap, 700, 1050),
        ];
        (state.table, _) = dug(&plan);
        state.table.turn = 2;
        let point = WallId::of_code("H8").unwrap();
        let facing = Facing::towards(GROUND.point(point), Spot::metres(650, 1125)).get();
        post(&mut state.table, Arm::Fortress, Side::Prussian, Place::Wall(point), facing).unwrap();
        (state.phase, state.table.danzig.may_build, state.table.danzig.construction) =
            (Phase::Build, true, 10);
        let mut battalions =
            UnitId::of_side(Side::French).filter(|unit| unit.data().level == Level::Battalion);
        let (strong, weak) = (battalions.next().unwrap(), battalions.next().unwrap());
        for unit in [strong, weak] {
            state.table.unit_mut(unit).place = Place::Concentration;
        }
        state.table.unit_mut(weak).steps = 1;
        (state, weak)
    }

    #[test]
    fn whoever_digs_is_told_which_guns_would_rake_the_work() {
        let (state, worker) = before_the_wall();
        let dig = |kind, x| {
            let pose = Pose::new(Spot::metres(x, 1125), Facing::CITY);
            Action::Build(Build::New { kind, pose, worker })
        };
        let told = warnings(&state, &dig(WorkKind::Parallel, 650));
        let [raked] = told.as_slice() else { panic!("{told:?}") };
        let said = rulebook::speak(raked.phrase, &raked.facts, rulebook::Lang::En);
        assert!(said.contains("A battery would rake it") && said.contains("H8"), "{said}");
        assert!(sketch(&state, &dig(WorkKind::Parallel, 650)).unwrap().contains("class=\"rake\""));
        // Beside it none does.
        assert!(warnings(&state, &dig(WorkKind::Parallel, 750)).is_empty());
    }

    /// The list of the rules names a strong battalion; people are proposed the weakest, in the label and as
    /// the worker that is chosen unless they choose another.
    #[test]
    fn the_weakest_battalion_is_named_first() {
        let (state, weak) = before_the_wall();
        let mut proposed = 0;
        list_builds(&state.table, |build| {
            let Build::New { worker, .. } = build else { return };
            assert_ne!(worker, weak);
            let action = Action::Build(build);
            let choice = crate::board::choice::choice(&state, &action);
            assert_eq!(choice.subjects, [crate::board::names::unit_thing(weak)]);
            let variants =
                crate::board::price::workers(&state, Side::French, &action).expect("some can work");
            assert_eq!(variants.meant, 0, "the weakest first");
            let Action::Build(Build::New { worker, .. }) = variants.each[0].1 else { panic!("a work") };
            assert_eq!(worker, weak);
            proposed += 1;
        });
        assert!(proposed > 0);
    }
}
