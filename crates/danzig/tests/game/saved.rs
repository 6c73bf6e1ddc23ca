//! Every question of the umpire asked about positions of the record that is checked in: just before an
//! order of its kind was given, with the die that was rolled for it.

use std::sync::LazyLock;

use danzig::ops::{Mover, Route, Standpoint, Stride};
use danzig::siege::{Build, GunTarget, WorkKind};
use danzig::{Action, Place, Side, State, UnitId};
use kernel::record::Deed;
use kernel::{Play, Record};
use rulebook::Lang;
use serde_json::{Value, json};

/// An order of the record: the table before it, the order, its dice, the table after it.
struct Moment {
    before: State,
    action: Action,
    dice: Vec<u8>,
    after: State,
}

static MOMENTS: LazyLock<Vec<Moment>> = LazyLock::new(|| {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/danzig/1807.record");
    let record = Record::read(&std::fs::read_to_string(file).expect("a record")).expect("a whole record");
    let entries = record.entries::<Side, Action>().expect("entries");
    let mut moments = Vec::new();
    let mut before = Play::<State>::replay(&record, Some(0)).expect("a true record").state().clone();
    Play::<State>::replay_with(&record, None, |play, step| {
        let at = usize::try_from(play.entries()).expect("a short game") - 1;
        let after = play.state().clone();
        if let Deed::Decide { action, .. } = &entries[at].deed {
            let dice = step.dice.clone();
            moments.push(Moment { before: before.clone(), action: *action, dice, after: after.clone() });
        }
        before = after;
    })
    .expect("a true record");
    moments
});

/// The orders for which `wanted` gives something.
fn moments<T>(wanted: impl Fn(&Moment) -> Option<T>) -> Vec<(&'static Moment, T)> {
    let found: Vec<_> =
        MOMENTS.iter().filter_map(|moment| wanted(moment).map(|part| (moment, part))).collect();
    assert!(!found.is_empty(), "the record has such an order");
    found
}

fn ask(state: &State, name: &str, request: &Value) -> Value {
    let inquiring = danzig::inquiries().into_iter().find(|inquiring| inquiring.name == name).expect("a name");
    serde_json::from_str(&inquiring.ask(state, &request.to_string(), Lang::En).json).expect("JSON")
}

fn chances(reply: &Value) -> f64 {
    let odds = reply["odds"].as_array().unwrap_or_else(|| panic!("odds: {reply}"));
    odds.iter()
        .map(|outcome| {
            let (part, whole) = outcome["p"].as_str().expect("a chance").split_once('/').expect("a fraction");
            part.parse::<f64>().expect("a number") / whole.parse::<f64>().expect("a number")
        })
        .sum()
}

#[test]
fn a_siege_gun_does_what_the_umpire_says() {
    let shots = moments(|moment| match moment.action {
        Action::FireSiegeGun { gun, target: GunTarget::Wall(point) } => Some((gun, point)),
        _ => None,
    });
    for (moment, (gun, point)) in shots.into_iter().step_by(7) {
        let request = json!({ "gun": gun, "wall": point, "dice": [moment.dice[0]] });
        let reply = ask(&moment.before, "danzig.siege-fire", &request);
        let level = |state: &State| state.table.siege.wall(point).level;
        let lost = level(&moment.before) - level(&moment.after);
        assert_eq!(reply["answer"]["wall_levels"], lost, "{request}: {reply}");
        let arc =
            ask(&moment.before, "danzig.arc", &json!({ "gun": gun, "target": { "point": point.code() } }));
        assert_eq!((&arc["answer"]["in_arc"], &arc["answer"]["in_sight"]), (&json!(true), &json!(true)));
        let metres = arc["answer"]["distance_m"].as_f64().expect("metres");
        let map = arc["answer"]["distance_mm"].as_f64().expect("millimetres");
        assert!((map - metres / 4.0).abs() <= 0.5, "{arc}");
    }
    let moment = &MOMENTS[MOMENTS.len() / 2];
    let idle = |state: &State| {
        UnitId::all().find(|unit| {
            let counter = state.table.unit(*unit);
            unit.data().arm == danzig::Arm::Siege12
                && counter.place == Place::Concentration
                && !counter.is_disordered()
        })
    };
    let (idling, gun) = moments(|moment| idle(&moment.before))[0];
    let reply = ask(&idling.before, "danzig.siege-fire", &json!({ "gun": gun, "wall": "H5" }));
    assert_eq!(reply["refused"]["rule"], "DZ-4.3.3-04");
    let both = json!({ "gun": "F41", "wall": "H5", "kalke": "K1" });
    assert!(ask(&moment.before, "danzig.siege-fire", &both)["refused"].is_object());
    let options = json!({ "gun": "F41", "wall": "H5", "options": { "kamenski_turn": "8" } });
    let reply = ask(&moment.before, "danzig.siege-fire", &options);
    assert_eq!(reply["refused"]["field"], "options.kamenski_turn", "the options are those of the game");
}

#[test]
fn a_prussian_battery_does_what_the_umpire_says() {
    let shots = moments(|moment| match moment.action {
        Action::FireBattery { battery, target: danzig::siege::BatteryTarget::Work(work) } => {
            Some((battery, work))
        }
        _ => None,
    });
    for (moment, (battery, work)) in shots.into_iter().step_by(9) {
        let request = json!({ "gun": battery, "work": work, "dice": [moment.dice[0]] });
        let reply = ask(&moment.before, "danzig.siege-fire", &request);
        let steps =
            |state: &State| state.table.siege.work(work).map_or(0, |work| 2 - i64::from(work.damaged));
        let lost = steps(&moment.before) - steps(&moment.after);
        assert_eq!(reply["answer"]["work_steps"].as_i64(), Some(lost), "{request}: {reply}");
        let arc = ask(&moment.before, "danzig.arc", &json!({ "gun": battery, "work": work }));
        assert_eq!(arc["answer"]["in_arc"], true);
    }
}

#[test]
fn an_enfiladed_work_is_raked_by_some_gun() {
    let raked = moments(|moment| match moment.action {
        Action::EnfiladeFire { work } => Some(work),
        _ => None,
    });
    for (moment, work) in raked {
        let guns = UnitId::of_side(Side::Prussian).filter(|unit| unit.data().arm == danzig::Arm::Fortress);
        let rakes = guns.into_iter().any(|gun| {
            ask(&moment.before, "danzig.enfilade", &json!({ "gun": gun, "work": work }))["answer"]["enfiladed"]
                == true
        });
        assert!(rakes, "{work:?}");
    }
    let reply = ask(&MOMENTS[0].before, "danzig.enfilade", &json!({ "gun": "F41", "work": 0 }));
    assert_eq!(reply["refused"]["field"], "gun");
}

#[test]
fn what_was_built_could_be_built_and_then_no_more() {
    let built = moments(|moment| match moment.action {
        Action::Build(Build::New { kind, pose, .. }) => Some((kind, pose)),
        _ => None,
    });
    for (moment, (kind, pose)) in built {
        let request = json!({ "work": {
            "kind": kind, "x_m": f64::from(pose.at.x) / 10.0, "y_m": f64::from(pose.at.y) / 10.0,
            "facing": pose.facing.get(), "length_m": pose.length } });
        let reply = ask(&moment.before, "danzig.place", &request);
        let cost = if kind == WorkKind::Battery { 2 } else { 1 };
        assert_eq!((&reply["answer"]["legal"], &reply["answer"]["cost"]), (&json!(true), &json!(cost)));
        assert!(ask(&moment.after, "danzig.place", &request)["refused"]["rule"].is_string());
    }
}

#[test]
fn an_assault_has_its_odds() {
    let stormed = moments(|moment| match moment.action {
        Action::Assault(assault) => match assault.at {
            GunTarget::Kalke(side) => Some((assault.units, side)),
            GunTarget::Wall(_) => None,
        },
        _ => None,
    });
    let (moment, (units, side)) = stormed[0];
    let reply = ask(&moment.before, "danzig.assault", &json!({ "units": units, "kalke": side }));
    assert!((chances(&reply) - 1.0).abs() < 1e-9, "{reply}");
    let wall = ask(&moment.before, "danzig.assault", &json!({ "units": units, "wall": "H5" }));
    assert_eq!(wall["refused"]["rule"], "DZ-4.7.1-08", "an intact wall is not stormed");
}

#[test]
fn a_sortie_has_its_odds() {
    let sallies = moments(|moment| match moment.action {
        Action::DeclareSortie(sortie) => sortie.groups[0],
        _ => None,
    });
    for (moment, group) in sallies {
        let danzig::siege::SortieTarget::Work(work) = group.target else { continue };
        let units: Vec<UnitId> = [Some(group.unit), group.with].into_iter().flatten().collect();
        let request = json!({ "units": units, "work": work, "field_fire": false });
        let reply = ask(&moment.before, "danzig.sortie", &request);
        assert!(reply["answer"].is_object() || (chances(&reply) - 1.0).abs() < 1e-9, "{reply}");
    }
    let request = json!({ "units": ["P51"], "work": 0 });
    assert!(ask(&MOMENTS[0].before, "danzig.sortie", &request)["refused"].is_object());
}

#[test]
fn a_march_costs_what_it_cost() {
    // The first step of every march.
    let steps = moments(|moment| {
        let Action::MarchAlong(Route { units, entry: None, path }) = moment.action else { return None };
        let (stride, unit) = (path.iter().next()?, units.iter().next()?);
        let (Stride::Go(side), Place::Hex(here)) = (stride, moment.before.table.unit(unit).place) else {
            return None;
        };
        let mut marching = Standpoint::new(moment.before.table.clone(), Mover::fresh(units));
        marching.make(stride).ok()?;
        Some((unit, here.beyond(side)?, marching.mover.spent)).filter(|_| units.len() == 1)
    });
    for (moment, (unit, to, spent)) in steps {
        let reply = ask(&moment.before, "danzig.move", &json!({ "unit": unit, "path": [to] }));
        assert_eq!(reply["answer"]["mp"], spent, "{unit} to {to}: {reply}");
    }
    let away = ask(&MOMENTS[0].before, "danzig.move", &json!({ "unit": "F01", "path": ["0902"] }));
    assert_eq!(away["refused"]["field"], "unit");
}

#[test]
fn fire_and_melee_on_the_operational_map() {
    let volleys = moments(|moment| match moment.action {
        Action::Fire(attack) => Some((attack, false)),
        Action::DefensiveFire(attack) => Some((attack, true)),
        _ => None,
    });
    for (moment, (attack, defensive)) in volleys {
        let request = json!({ "firers": attack.firers, "target": attack.target, "defensive": defensive,
                              "dice": [moment.dice[0]] });
        let reply = ask(&moment.before, "danzig.fire", &request);
        assert!(reply["answer"]["factor"].as_i64() >= Some(1), "{reply}");
    }
    let melees = moments(|moment| match moment.action {
        Action::Melee(melee) => Some(melee),
        _ => None,
    });
    for (moment, melee) in melees {
        let request =
            json!({ "attackers": melee.attackers, "target": melee.target, "dice": [moment.dice[0]] });
        let reply = ask(&moment.before, "danzig.melee", &request);
        assert_eq!(reply["answer"]["die"], moment.dice[0], "{reply}");
        let odds = json!({ "attackers": melee.attackers, "target": melee.target });
        assert!((chances(&ask(&moment.before, "danzig.melee", &odds)) - 1.0).abs() < 1e-9);
    }
    let nobody = json!({ "attackers": ["F01"], "target": "2410" });
    assert!(ask(&MOMENTS[0].before, "danzig.melee", &nobody)["refused"]["rule"].is_string());
}

#[test]
fn a_counter_tests_its_morale_where_it_stands() {
    let last = &MOMENTS[MOMENTS.len() - 1].before;
    let battalion = UnitId::of_side(Side::French)
        .find(|unit| {
            matches!(last.table.unit(*unit).place, Place::Work(_)) && last.table.unit(*unit).steps == 2
        })
        .expect("somebody is in the trenches");
    let reply = ask(last, "danzig.morale", &json!({ "unit": battalion, "dice": [battalion.data().morale] }));
    assert_eq!(reply["answer"]["passed"], true);
    let reply =
        ask(last, "danzig.morale", &json!({ "unit": battalion, "dice": [battalion.data().morale + 1] }));
    assert_eq!(reply["answer"]["passed"], false);
    assert_eq!(
        ask(&MOMENTS[0].before, "danzig.morale", &json!({ "unit": "K01" }))["refused"]["field"],
        "unit"
    );
}
