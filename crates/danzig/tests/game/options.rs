//! Every option of the rulings changes what it says: one row for each, with what is seen under each of
//! its values. An option without a row fails the test.

use danzig::ops::{self, Crossing, Edge, Exposure, Heading, Hex, Mover, Stride, Terrain, Travel, map};
use danzig::siege::{
    self, Assault, CounterAttack, Facing, GROUND, GarrisonMove, Group, GunTarget, KalkeSide, Mine, OpenEnd,
    Pose, SiegeMove, Sited, Sortie, SortieTarget, Spot, WallId, Work, WorkId, WorkKind,
};
use danzig::{
    Action, Arm, Clock, Hand, Level, Marks, Options, Phase, Place, Side, State, Table, UnitId, UnitSet,
};
use kernel::{Clerk, Desk, Effect, Event, Game as _, Live, Options as _, RuleId, Setup, Silent};

use crate::common::offered;

/// Shows what a game with one option set does.
type Probe = fn(&Setup) -> String;

/// The options, what shows each, and what is seen under its values, the default first.
const ROWS: &[(&str, Probe, &[&str])] = &[
    ("kamenski_turn", kamenski_turn, &["lands on 10", "lands on 8"]),
    ("wall_assault_max_level", highest_assault, &["up to 16", "up to 15", "up to 14"]),
    ("artillery_leaves_at", lowest_battery, &["from 11", "from 10"]),
    ("trench_counter_mm", begins, &["begins", "DZ-R14"]),
    ("redoubt_rate", second_redoubt, &["one more in the next round", "none in the next round"]),
    ("redoubt_entry_cost", into_a_redoubt, &["3 points", "4 points"]),
    ("kamenski_mans_walls", russians_on_the_wall, &["allowed", "DZ-4.2-08"]),
    ("morale_start", morale, &["14", "15", "16", "17", "18", "19", "20"]),
    ("battery_repair_step", battery_repair, &["early", "late"]),
    ("siege_rally", rally, &["French", "French and Prussian"]),
    ("repetition", repetition, &["goes on", "the dice are asked for"]),
    ("boats_move_after_landing", after_landing, &["moves on", "stays"]),
    ("fortress_fire_per", dice_of_the_fortress, &["1 die", "2 dice"]),
    ("breach_needs_both_walls", breach, &["surrenders", "holds out"]),
    ("sortie_targets", second_target, &["joined to the first", "any near one"]),
    ("melee_modifier_acts_on", melee_strength, &["6", "4"]),
    ("counterattacks", second_counterattack, &["none", "offered"]),
    ("mine_earliest_explosion", mine, &["2 turns later", "1 turns later"]),
    ("repair_before_building", unrepaired, &["may be left", "must be made"]),
    ("result_2_on_trench", result_two, &["1 step", "2 step"]),
    ("kalke_side_destroyed_at", kalke_side, &["at 3", "at 2"]),
    ("kalke_sortie_steps", kalke_sortie, &["4 steps", "6 steps"]),
    ("enfilade_750m_applies_to", far_work, &["raked", "not raked"]),
    ("enfilade_in_fire_step_max_m", farthest_raked, &["within 750 m", "beyond 750 m"]),
    ("gun_minimum_move", gun_uphill, &["DZ-3.3.3-01", "allowed"]),
    ("kalke_infantry_at_setup", kalke_at_setup, &["DZ-R100", "allowed"]),
    ("reinforce_bare_wall_point", reinforcement, &["allowed", "DZ-R102"]),
    ("walls_remanned_in_operational_rounds", remanned, &["DZ-R103", "allowed"]),
];

#[test]
fn every_value_of_every_option_changes_what_it_says() {
    let mut faults = Vec::new();
    for (name, values) in Options::all() {
        let Some((_, probe, expected)) = ROWS.iter().find(|row| row.0 == name) else {
            faults.push(format!("{name} has no row"));
            continue;
        };
        if expected.len() != values.len() {
            faults.push(format!("{name} has {} values, its row {}", values.len(), expected.len()));
        }
        for (value, expected) in values.iter().zip(*expected) {
            let seen = probe(&setup(name, value));
            if seen != *expected {
                faults.push(format!("{name} = {value}: {seen:?}, not {expected:?}"));
            }
        }
    }
    for (name, ..) in ROWS {
        if !Options::all().iter().any(|(other, _)| other == name) {
            faults.push(format!("there is no option {name}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn setup(name: &str, value: &str) -> Setup {
    let options = [(name.to_owned(), value.to_owned())].into_iter().collect();
    Setup { scenario: danzig::SCENARIOS[0].to_owned(), options }
}

/// A game on turn 5 with nobody on either map.
fn game(setup: &Setup) -> State {
    let mut state = State::start(setup).unwrap();
    state.table.turn = 5;
    for unit in UnitId::all() {
        state.table.unit_mut(unit).place = Place::Away;
    }
    state
}

fn table(setup: &Setup) -> Table {
    game(setup).table
}

/// A clerk who rolls ones and counts them.
#[derive(Default)]
struct Counting(u32);

impl Clerk for Counting {
    fn die(&mut self, _: u8) -> u8 {
        self.0 += 1;
        1
    }
    fn because(&mut self, _: RuleId, _: Effect) {}
    fn happened(&mut self, _: impl FnOnce() -> Event) {}
}

fn silent() -> Desk<Live, Silent> {
    Desk::new(Live::numbered(1), Silent)
}

fn verdict(verdict: kernel::Verdict<()>) -> String {
    match verdict {
        Ok(()) => "allowed".to_owned(),
        Err(refusal) => refusal.rule.map_or_else(|| refusal.to_string(), |rule| rule.to_string()),
    }
}

fn point(code: &str) -> WallId {
    WallId::of_code(code).unwrap()
}

/// The first unused battalion, or counter of another arm, put in a place with so many steps.
fn post(table: &mut Table, side: Side, arm: Arm, place: Place, steps: u8) -> UnitId {
    let unit = UnitId::of_side(side)
        .find(|unit| {
            let data = unit.data();
            data.arm == arm
                && (arm != Arm::Infantry || data.level == Level::Battalion)
                && table.unit(*unit).place == Place::Away
        })
        .unwrap();
    let state = table.unit_mut(unit);
    (state.place, state.steps, state.facing) = (place, steps, 270);
    unit
}

fn foot(table: &mut Table, side: Side, place: Place, steps: u8) -> UnitId {
    post(table, side, Arm::Infantry, place, steps)
}

/// Lays a work without asking whether it may be built; it is joined to what it touches.
fn lay(table: &mut Table, kind: WorkKind, x: i32, y: i32) -> WorkId {
    let pose = Pose::new(Spot::metres(x, y), Facing::CITY);
    let rect = pose.rect(kind);
    let links =
        table.siege.all_works().filter(|(_, other)| rect.touches(&other.rect())).map(|(id, _)| id).collect();
    let at_zone = siege::leaves_zone(kind, &rect);
    let covers = siege::WallSet::default();
    table.siege.add_work(Work { kind, pose, damaged: false, worker: None, covers, at_zone, links }).unwrap()
}

fn kamenski_turn(setup: &Setup) -> String {
    let unit = UnitId::of_code("K01").unwrap();
    format!("lands on {}", danzig::arrival(unit, &table(setup).options))
}

fn highest_assault(setup: &Setup) -> String {
    let mut table = table(setup);
    let before = GROUND.point(point("H5"));
    let spot = Spot::new(before.x, before.y - 1_000);
    let unit = foot(&mut table, Side::French, Place::Open(spot), 2);
    let assault = Assault { units: UnitSet::of(unit), at: GunTarget::Wall(point("H5")) };
    let highest = (1..=20).rev().find(|level| {
        table.siege.wall_mut(point("H5")).level = *level;
        siege::check_assault(&table, &assault).is_ok()
    });
    format!("up to {}", highest.unwrap_or(0))
}

fn lowest_battery(setup: &Setup) -> String {
    let mut table = table(setup);
    let battery = post(&mut table, Side::Prussian, Arm::Fortress, Place::Wall(point("H1")), 1);
    let lowest = (1..=20).find(|level| {
        table.siege.wall_mut(point("H5")).level = *level;
        siege::check_battery_place(&table, battery, point("H5")).is_ok()
    });
    format!("from {}", lowest.unwrap_or(0))
}

fn begins(setup: &Setup) -> String {
    match State::start(setup) {
        Ok(_) => "begins".to_owned(),
        Err(refusal) => refusal.rule.unwrap().to_string(),
    }
}

/// The second half of a round, in which the Prussian passes.
fn pass_the_round(state: &mut State) {
    state.phase = Phase::Half;
    state.clock.phasing = Side::Prussian;
    (state.clock.second_half, state.clock.passes) = (true, 0);
    state.perform(state.active(), &Action::Pass, &mut silent());
}

fn second_redoubt(setup: &Setup) -> String {
    let mut state = game(setup);
    state.clock = Clock { round: 1, redoubt_built: true, ..Clock::default() };
    pass_the_round(&mut state);
    if state.clock.redoubt_built { "none in the next round" } else { "one more in the next round" }.to_owned()
}

fn into_a_redoubt(setup: &Setup) -> String {
    let step = Crossing {
        travel: Travel::Infantry,
        in_line: false,
        uses_ways: false,
        terrain: Terrain::Marsh,
        redoubt: true,
        edge: Edge::default(),
        bridge: false,
    };
    let cost = ops::step_cost(&step, &table(setup).options, &mut silent()).unwrap();
    format!("{cost} points")
}

fn russians_on_the_wall(setup: &Setup) -> String {
    let mut table = table(setup);
    let unit = UnitId::of_code("K01").unwrap();
    table.unit_mut(unit).place = Place::Reserve;
    let onto = GarrisonMove::Infantry { unit, to: Place::Wall(point("H5")) };
    verdict(siege::check_garrison(&table, false, &onto))
}

fn morale(setup: &Setup) -> String {
    table(setup).danzig.morale.to_string()
}

fn battery_repair(setup: &Setup) -> String {
    let mut state = game(setup);
    let battery = post(&mut state.table, Side::Prussian, Arm::Fortress, Place::Wall(point("H1")), 1);
    state.table.unit_mut(battery).marks.set(Marks::DAMAGED);
    state.phase = Phase::BatteryRepair;
    let early = offered(&state).iter().any(|action| matches!(action, Action::RepairBattery { .. }));
    state.phase = Phase::WallRepair;
    state.perform(state.active(), &Action::EndPhase, &mut silent());
    let late = state.phase == Phase::LateBatteryRepair;
    match (early, late) {
        (true, false) => "early",
        (false, true) => "late",
        _ => "never or twice",
    }
    .to_owned()
}

fn rally(setup: &Setup) -> String {
    let mut table = table(setup);
    let units = [
        foot(&mut table, Side::French, Place::Concentration, 2),
        foot(&mut table, Side::Prussian, Place::Reserve, 2),
    ];
    for unit in units {
        table.unit_mut(unit).marks.set(Marks::DISORDERED);
    }
    siege::rally(&mut table, Side::French, &mut silent());
    let rallied: Vec<String> = units
        .iter()
        .filter(|unit| !table.unit(**unit).is_disordered())
        .map(|unit| format!("{:?}", unit.side()))
        .collect();
    rallied.join(" and ")
}

fn repetition(setup: &Setup) -> String {
    let mut state = game(setup);
    state.clock = Clock { round: 1, ..Clock::default() };
    for _ in 0..3 {
        pass_the_round(&mut state);
        if state.phase == Phase::Repetition {
            return "the dice are asked for".to_owned();
        }
    }
    "goes on".to_owned()
}

fn after_landing(setup: &Setup) -> String {
    let mut table = table(setup);
    let unit = UnitId::of_code("F01").unwrap();
    let (from, across) = Hex::all()
        .flat_map(|hex| Heading::ALL.map(|side| (hex, side)))
        .filter_map(|(hex, side)| Some((hex, hex.beyond(side)?)))
        .find(|(from, across)| {
            table.unit_mut(unit).place = Place::Hex(*from);
            ops::check_boats(&table, Side::French, UnitSet::of(unit), *across).is_ok()
        })
        .unwrap();
    table.unit_mut(unit).place = Place::Hex(from);
    ops::start_crossing(&mut table, UnitSet::of(unit), across, &mut silent());
    table.unit_mut(unit).marks.clear(Marks::MOVED);
    ops::begin_half(&mut table, Side::French, &mut silent());
    assert_eq!(table.unit(unit).place, Place::Hex(across));
    if table.marked(unit, Marks::MOVED) { "stays" } else { "moves on" }.to_owned()
}

fn dice_of_the_fortress(setup: &Setup) -> String {
    let units = ["F01", "F02"].map(|code| UnitId::of_code(code).unwrap());
    let rolled = Hex::all().filter(|hex| map().exposure(*hex, true) == Exposure::Ring(1)).find_map(|hex| {
        let mut table = table(setup);
        for unit in units {
            table.unit_mut(unit).place = Place::Hex(hex);
        }
        let mut counting = Counting::default();
        ops::fortress_defensive_fire(&mut table, &mut counting);
        Some(counting.0).filter(|rolled| *rolled > 0)
    });
    match rolled {
        Some(1) => "1 die".to_owned(),
        rolled => format!("{} dice", rolled.unwrap_or(0)),
    }
}

fn breach(setup: &Setup) -> String {
    let mut state = game(setup);
    foot(&mut state.table, Side::French, Place::Wall(point("h5")), 2);
    state.table.siege.wall_mut(point("h5")).level = 0;
    state.table.danzig.morale = 0;
    state.phase = Phase::CounterAttack;
    state.perform(state.active(), &Action::EndPhase, &mut silent());
    if state.outcome.is_some() { "surrenders" } else { "holds out" }.to_owned()
}

fn second_target(setup: &Setup) -> String {
    let mut table = table(setup);
    // The nearest work, one joined to it farther back, and one beside it that nothing joins.
    let first = lay(&mut table, WorkKind::Sap, 850, 1_200);
    lay(&mut table, WorkKind::Parallel, 850, 1_125);
    let beside = lay(&mut table, WorkKind::Sap, 650, 1_190);
    let units: Vec<UnitId> = (0..2).map(|_| foot(&mut table, Side::Prussian, Place::Reserve, 2)).collect();
    let group = |unit: UnitId, work| Some(Group { unit, with: None, target: SortieTarget::Work(work) });
    let mut sortie = Sortie { groups: [group(units[0], first), group(units[1], beside), None] };
    if siege::check_sortie(&table, &sortie).is_err() {
        sortie.groups.swap(0, 1);
    }
    match siege::check_sortie(&table, &sortie) {
        Ok(()) => "any near one".to_owned(),
        Err(_) => "joined to the first".to_owned(),
    }
}

fn melee_strength(setup: &Setup) -> String {
    use siege::melee::{Against, Defence, strengths};
    let defence = Defence { steps: 2, ..Defence::default() };
    let found =
        strengths(3, defence, Against::Sortie { damaged: false }, &table(setup).options, &mut silent());
    found.attacker.to_string()
}

fn second_counterattack(setup: &Setup) -> String {
    let mut state = game(setup);
    foot(&mut state.table, Side::French, Place::Wall(point("H5")), 2);
    state.table.siege.wall_mut(point("H5")).level = 0;
    foot(&mut state.table, Side::Prussian, Place::Reserve, 2);
    state.phase = Phase::CounterAttack;
    let declared = |state: &State| {
        offered(state)
            .into_iter()
            .any(|action| matches!(action, Action::DeclareCounterAttack(CounterAttack { .. })))
    };
    assert!(declared(&state), "the first is always offered");
    state.clock.counterattacked = 1 << point("H4").index();
    if declared(&state) { "offered" } else { "none" }.to_owned()
}

fn mine(setup: &Setup) -> String {
    let mut table = table(setup);
    let pose = Pose::new(Spot::metres(850, 1_200), Facing::CITY);
    table.siege.mine = Mine::Dug { pose, under: point("H5"), turn: 5 };
    let wait = (0..9).find(|wait| {
        table.turn = 5 + wait;
        siege::mine_is_ripe(&table)
    });
    format!("{} turns later", wait.unwrap_or(0))
}

fn unrepaired(setup: &Setup) -> String {
    let mut state = game(setup);
    let work = lay(&mut state.table, WorkKind::Sap, 850, 550);
    state.table.siege.work_mut(work).unwrap().damaged = true;
    state.table.siege.join();
    foot(&mut state.table, Side::French, Place::Concentration, 2);
    (state.table.danzig.may_build, state.table.danzig.construction) = (true, 10);
    state.phase = Phase::Repair;
    assert!(offered(&state).iter().any(|action| matches!(action, Action::Build(_))));
    // Nobody must spend points; but new works may have to wait for the repairs.
    assert!(offered(&state).contains(&Action::EndPhase));
    state.phase = Phase::Build;
    let new = |action: &&Action| matches!(action, Action::Build(siege::Build::New { .. }));
    if offered(&state).iter().any(|action| new(&action)) { "may be left" } else { "must be made" }.to_owned()
}

fn result_two(setup: &Setup) -> String {
    use siege::fire::{Gun, Shot, Target, fire};
    let options = table(setup).options;
    let target = Target::Work { damaged: false };
    let shot = Shot { gun: Gun::Fortress, printed: 7, bands: 0, target, enfilade: false, night: false };
    let steps = (1..=6).find_map(|die| {
        let (struck, _) = kernel::scripted(&[die], |clerk| fire(&shot, &options, clerk)).unwrap();
        struck.ok().filter(|struck| struck.result == siege::FireResult::Two).map(|struck| struck.work_steps)
    });
    format!("{} step", steps.unwrap_or(0))
}

fn kalke_side(setup: &Setup) -> String {
    let options = table(setup).options;
    // A destroyed side counts as 3.
    let at = (1..=3).find(|damage| siege::fire::kalke_state(*damage, &options) == 3);
    format!("at {}", at.unwrap_or(0))
}

fn kalke_sortie(setup: &Setup) -> String {
    let mut table = table(setup);
    table.siege.kalke.holder = Side::French;
    table.siege.kalke.taken_on = 3;
    let target = SortieTarget::Kalke(KalkeSide::K2);
    let units: Vec<UnitId> = (0..3).map(|_| foot(&mut table, Side::Prussian, Place::Reserve, 2)).collect();
    let group = |at: usize| Some(Group { unit: units[at], with: None, target });
    let four = Sortie { groups: [group(0), group(1), None] };
    let six = Sortie { groups: [group(0), group(1), group(2)] };
    match (siege::check_sortie(&table, &four), siege::check_sortie(&table, &six)) {
        (Ok(()), Ok(())) => "6 steps",
        (Ok(()), Err(_)) => "4 steps",
        _ => "none",
    }
    .to_owned()
}

fn far_work(setup: &Setup) -> String {
    let mut table = table(setup);
    lay(&mut table, WorkKind::Sap, 700, 550);
    lay(&mut table, WorkKind::Sap, 700, 650);
    let raked = lay(&mut table, WorkKind::Parallel, 750, 725);
    lay(&mut table, WorkKind::Sap, 1_400, 550);
    let gun = post(&mut table, Side::Prussian, Arm::Fortress, Place::Kalke, 1);
    table.unit_mut(gun).facing = 340;
    if siege::enfiladed(&table).contains(raked) { "raked" } else { "not raked" }.to_owned()
}

fn farthest_raked(setup: &Setup) -> String {
    let mut table = table(setup);
    let gun = post(&mut table, Side::Prussian, Arm::Fortress, Place::Kalke, 1);
    table.unit_mut(gun).facing = 340;
    let sited = Sited::of(&table, gun).unwrap();
    let mut desk = Desk::new(Live::numbered(0), Silent);
    let mut far = 0;
    for x in (500..2_000).step_by(50) {
        for y in (500..1_000).step_by(25) {
            let mut here = table.clone();
            let work = lay(&mut here, WorkKind::Parallel, x, y);
            if siege::sight::check_enfilade(&here.siege, &here.options, &sited, work, true, &mut desk).is_ok()
            {
                far = far.max(sited.centre.centimetres_to(Spot::metres(x, y).fine()) / 100);
            }
        }
    }
    match far {
        0 => "never",
        1..=750 => "within 750 m",
        _ => "beyond 750 m",
    }
    .to_owned()
}

fn gun_uphill(setup: &Setup) -> String {
    let mut table = table(setup);
    let gun = UnitId::of_code("F51").unwrap();
    table.unit_mut(gun).formation = danzig::Formation::Limbered;
    // Uphill over a stream: too dear for a mortar.
    let (from, side) = Hex::all()
        .flat_map(|hex| Heading::ALL.map(|side| (hex, side)))
        .find(|&(hex, side)| {
            let edge = map().edge(hex, side);
            let clear = |hex| map().terrain(hex) == Terrain::Clear;
            edge.stream() && edge.up() && !edge.way() && clear(hex) && hex.beyond(side).is_some_and(clear)
        })
        .unwrap();
    table.unit_mut(gun).place = Place::Hex(from);
    verdict(ops::check_stride(&table, &Mover::fresh(UnitSet::of(gun)), Stride::Go(side)))
}

fn kalke_at_setup(setup: &Setup) -> String {
    let mut state = State::start(setup).unwrap();
    // The order of the roster asks for eight steps outside at some time, not at once.
    let unit = UnitId::of_side(Side::Prussian).find(|unit| unit.data().arm == Arm::Infantry).unwrap();
    state.hand = Hand::Empty;
    verdict(state.validate(state.active(), &Action::SetCityUnit { unit, place: Place::Kalke }))
}

fn reinforcement(setup: &Setup) -> String {
    let mut table = table(setup);
    let wall = point("H5");
    foot(&mut table, Side::French, Place::Wall(wall), 1);
    table.siege.wall_mut(wall).level = 0;
    table.siege.wall_mut(wall).holder = Side::French;
    let before = GROUND.point(wall);
    let unit = foot(&mut table, Side::French, Place::Open(Spot::new(before.x, before.y - 1_000)), 1);
    let to = OpenEnd::Wall(wall);
    let goes = SiegeMove::Open { unit, with: None, exit: None, via: None, to, facing: 90 };
    verdict(siege::check_move(&table, &goes))
}

fn remanned(setup: &Setup) -> String {
    let mut state = game(setup);
    let unit = foot(&mut state.table, Side::Prussian, Place::Reserve, 2);
    state.phase = Phase::Move;
    state.clock.phasing = Side::Prussian;
    let onto = Action::Garrison(GarrisonMove::Infantry { unit, to: Place::Wall(point("H5")) });
    assert_eq!(offered(&state).contains(&onto), state.validate(state.active(), &onto).is_ok());
    verdict(state.validate(state.active(), &onto))
}
