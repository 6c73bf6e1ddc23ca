//! Orders on the siege map that its rules forbid.

use danzig::siege::{
    Assault, BatteryTarget, Build, CounterAttack, Facing, GarrisonMove, Group, GunTarget, KalkeSide, Mine,
    OpenEnd, Pose, RedoubtId, SiegeMove, Site, Sortie, SortieRun, SortieTarget, Spot, WallId, Work, WorkId,
    WorkKind, check_site,
};
use danzig::{Action, Arm, Formation, Marks, Phase, Place, Side, State, UnitId, UnitSet};

use super::{Row, at, row, unit, with};

const SAP: WorkId = WorkId(0);
const HEAD: WorkId = WorkId(1);
pub(super) const PARALLEL: WorkId = WorkId(2);
const BATTERY: WorkId = WorkId(3);
/// Two saps, a parallel, a battery emplacement.
const NETWORK: [(WorkKind, i32, i32); 4] = [
    (WorkKind::Sap, 700, 550),
    (WorkKind::Sap, 700, 650),
    (WorkKind::Parallel, 750, 725),
    (WorkKind::Battery, 650, 725),
];

fn pose(x: i32, y: i32) -> Pose {
    Pose::new(Spot::metres(x, y), Facing::CITY)
}

pub(super) fn point(code: &str) -> WallId {
    WallId::of_code(code).expect("a wall point")
}

pub(super) fn put(state: &mut State, code: &str, place: Place, steps: u8) {
    let id = unit(code);
    let counter = state.table.unit_mut(id);
    (counter.place, counter.steps, counter.most) = (place, steps, steps.max(1));
    if id.data().arm.is_artillery() {
        counter.formation = Formation::Unlimbered;
    }
}

/// Turn 8 in a phase of the siege: a small network with a 24-pounder in its battery, battalions in it and
/// in the concentration area, stores for everything.
fn before(phase: Phase) -> State {
    with(at(phase, 8), |state| {
        for (kind, x, y) in NETWORK {
            let map = &mut state.table.siege;
            let mut desk = kernel::Desk::new(kernel::Live::numbered(0), kernel::Silent);
            let Site { covers, at_zone, links } =
                check_site(map, kind, pose(x, y), 2, |_| false, &mut desk).expect("a place for a work");
            map.add_work(Work {
                kind,
                pose: pose(x, y),
                damaged: false,
                worker: None,
                covers,
                at_zone,
                links,
            })
            .expect("room for a work");
        }
        for code in ["F02a", "F02b", "F04a", "F04b"] {
            put(state, code, Place::Concentration, 2);
        }
        put(state, "F05a", Place::Concentration, 1);
        put(state, "F06a", Place::Work(PARALLEL), 2);
        put(state, "F41", Place::Work(BATTERY), 1);
        put(state, "F45", Place::Concentration, 1);
        put(state, "F51", Place::Concentration, 1);
        put(state, "F32", Place::Concentration, 5);
        let stores = &mut state.table.danzig;
        (stores.ammunition_12, stores.ammunition_24) = (50, 50);
        (stores.may_build, stores.construction) = (true, 10);
    })
}

fn new(kind: WorkKind, x: i32, y: i32, worker: &str) -> Action {
    Action::Build(Build::New { kind, pose: pose(x, y), worker: unit(worker) })
}

fn network(code: &str, to: WorkId) -> Action {
    Action::SiegeMove(SiegeMove::Network { unit: unit(code), to })
}

fn open(code: &str, to: OpenEnd) -> Action {
    Action::SiegeMove(SiegeMove::Open { unit: unit(code), with: None, exit: None, via: None, to, facing: 90 })
}

pub(super) fn set(codes: &[&str]) -> UnitSet {
    codes.iter().map(|code| unit(code)).collect()
}

fn storm(codes: &[&str], code: &str) -> Action {
    Action::Assault(Assault { units: set(codes), at: GunTarget::Wall(point(code)) })
}

fn group(codes: &[&str], target: SortieTarget) -> Option<Group> {
    Some(Group { unit: unit(codes[0]), with: codes.get(1).map(|code| unit(code)), target })
}

fn sortie(codes: &[&str], target: SortieTarget) -> Action {
    Action::DeclareSortie(Sortie { groups: [group(codes, target), None, None] })
}

fn reserve(phase: Phase) -> State {
    with(before(phase), |state| {
        for code in ["P01", "P02", "P03"] {
            put(state, code, Place::Reserve, 2);
        }
    })
}

/// The same with a sortie before the parallel.
fn sallying(phase: Phase) -> State {
    with(reserve(phase), |state| {
        let sortie = Sortie { groups: [group(&["P01"], SortieTarget::Work(PARALLEL)), None, None] };
        state.sortie = Some(SortieRun { sortie, fired: [UnitSet::EMPTY; 3], next: 0 });
    })
}

/// French infantry on H5, stormed on turn 7.
pub(super) fn stormed(phase: Phase) -> State {
    with(reserve(phase), |state| {
        for id in UnitId::of_side(Side::Prussian) {
            if state.table.unit(id).place == Place::Wall(point("H5")) {
                let place =
                    if id.data().arm == Arm::Fortress { Place::Wall(point("B9")) } else { Place::Reserve };
                state.table.unit_mut(id).place = place;
            }
        }
        let wall = state.table.siege.wall_mut(point("H5"));
        (wall.level, wall.holder, wall.stormed_at, wall.stormed_on) = (9, Side::French, 9, 7);
        put(state, "F07a", Place::Wall(point("H5")), 2);
    })
}

fn fire_and_works() -> Vec<Row> {
    let gun = |code: &str, target: &str| Action::FireSiegeGun {
        gun: unit(code),
        target: GunTarget::Wall(point(target)),
    };
    let build = Action::Build;
    vec![
        row(
            "a gun fires as a mortar",
            before(Phase::Mortars),
            Action::FireMortar { mortar: unit("F41") },
            "DZ-4.3.4-01",
        ),
        row(
            "a mortar fires from the rear",
            before(Phase::Mortars),
            Action::FireMortar { mortar: unit("F51") },
            "DZ-4.1.1-03",
        ),
        row(
            "a mortar fires twice",
            with(before(Phase::Mortars), |state| {
                put(state, "F51", Place::Work(BATTERY), 1);
                state.table.unit_mut(unit("F51")).marks.set(Marks::FIRED);
            }),
            Action::FireMortar { mortar: unit("F51") },
            "DZ-4.8-01",
        ),
        row("field guns at a wall", before(Phase::Guns), gun("F32", "H5"), "DZ-2.4.1-01"),
        row("a siege gun that came back too late", before(Phase::Guns), gun("F45", "H5"), "DZ-4.3.3-04"),
        row("a shot out of the arc", before(Phase::Guns), gun("F41", "B9"), "DZ-4.5.1-02"),
        row(
            "a shot beyond its range",
            with(before(Phase::Guns), |state| {
                put(state, "F41", Place::Concentration, 1);
                put(state, "F45", Place::Work(BATTERY), 1);
                state.table.siege.work_mut(BATTERY).expect("a battery").pose.at = Spot::metres(650, 125);
            }),
            gun("F45", "B2"),
            "DZ-R12",
        ),
        row(
            "a shot without ammunition",
            with(before(Phase::Guns), |state| state.table.danzig.ammunition_24 = 0),
            gun("F41", "H3"),
            "DZ-4.8-02",
        ),
        row(
            "a row of shots without ammunition",
            with(before(Phase::Guns), |state| state.table.danzig.ammunition_24 = 0),
            Action::Bombard { gun: unit("F41"), target: GunTarget::Wall(point("H3")), shots: 3 },
            "DZ-4.8-02",
        ),
        row("a shot at one's own wall", stormed(Phase::Guns), gun("F41", "H5"), "DZ-4.5.2-06"),
        row(
            "an intact work repaired",
            before(Phase::Repair),
            build(Build::Repair { work: PARALLEL, worker: unit("F02a") }),
            "DZ-4.7.2-03",
        ),
        row(
            "building among the repairs",
            before(Phase::Repair),
            new(WorkKind::Parallel, 850, 725, "F02a"),
            "DZ-2.4-01",
        ),
        row("a sap from nowhere", before(Phase::Build), new(WorkKind::Sap, 1200, 900, "F02a"), "DZ-4.7.2-06"),
        row("a work on another", before(Phase::Build), new(WorkKind::Parallel, 760, 730, "F02a"), "DZ-R80"),
        row(
            "a third sap in a row",
            before(Phase::Build),
            build(Build::New {
                kind: WorkKind::Sap,
                pose: Pose::new(Spot::metres(775, 650), Facing::degrees(0)),
                worker: unit("F02a"),
            }),
            "DZ-4.7.2-14",
        ),
        row(
            "a parallel without a sap's end",
            before(Phase::Build),
            new(WorkKind::Parallel, 625, 625, "F02a"),
            "DZ-4.7.2-09",
        ),
        row(
            "a parallel in the city",
            before(Phase::Build),
            new(WorkKind::Parallel, 1000, 1700, "F02a"),
            "DZ-4.1.1-10",
        ),
        row(
            "nobody to work",
            with(before(Phase::Build), |state| state.table.danzig.may_build = false),
            new(WorkKind::Parallel, 850, 725, "F02a"),
            "DZ-4.7.2-10",
        ),
        row(
            "no points left",
            with(before(Phase::Build), |state| state.table.danzig.construction = 0),
            new(WorkKind::Parallel, 850, 725, "F02a"),
            "DZ-4.7.2-10",
        ),
        row("a gun digs", before(Phase::Build), new(WorkKind::Parallel, 850, 725, "F45"), "DZ-4.7.2-21"),
        row(
            "a digger from the trenches",
            before(Phase::Build),
            new(WorkKind::Parallel, 850, 725, "F06a"),
            "DZ-4.7.2-04",
        ),
        row(
            "a disordered digger",
            with(before(Phase::Build), |state| {
                state.table.unit_mut(unit("F02a")).marks.set(Marks::DISORDERED);
            }),
            new(WorkKind::Parallel, 850, 725, "F02a"),
            "DZ-R30",
        ),
        row(
            "a digger who digs already",
            with(before(Phase::Build), |state| state.table.unit_mut(unit("F02a")).marks.set(Marks::WORKER)),
            new(WorkKind::Parallel, 850, 725, "F02a"),
            "DZ-4.8-05",
        ),
        row(
            "a sap made a battery",
            before(Phase::Build),
            build(Build::Upgrade { work: SAP, worker: unit("F02a") }),
            "DZ-4.7.2-27",
        ),
        row(
            "a battery made a battery",
            before(Phase::Build),
            build(Build::Upgrade { work: BATTERY, worker: unit("F02a") }),
            "DZ-4.7.2-08",
        ),
        row(
            "a printed redoubt out of touch",
            before(Phase::Build),
            build(Build::Redoubt { redoubt: RedoubtId(1), facing: Facing::CITY, worker: unit("F02a") }),
            "DZ-4.7.3-02",
        ),
        row(
            "a printed redoubt turned aside",
            before(Phase::Build),
            build(Build::Redoubt {
                redoubt: RedoubtId(1),
                facing: Facing::degrees(45),
                worker: unit("F02a"),
            }),
            "DZ-R99",
        ),
        row(
            "a sap cut short far from the walls",
            before(Phase::Build),
            build(Build::Shorten { work: HEAD, length: 60, worker: unit("F02a") }),
            "DZ-4.7.2-24",
        ),
        row(
            "a mine from nowhere",
            before(Phase::Build),
            build(Build::Mine { pose: pose(1200, 900) }),
            "DZ-R55",
        ),
        row(
            "a mine that does not reach the wall",
            before(Phase::Build),
            build(Build::Mine { pose: pose(750, 800) }),
            "DZ-8.0-02",
        ),
        row(
            "a second mine",
            with(before(Phase::Build), |state| state.table.siege.mine = Mine::Spent),
            build(Build::Mine { pose: pose(750, 800) }),
            "DZ-8.0-01",
        ),
        row(
            "a work on a standing wall",
            before(Phase::Build),
            new(WorkKind::Battery, 850, 1275, "F02a"),
            "DZ-4.7.2-22",
        ),
    ]
}

fn moves_and_assaults() -> Vec<Row> {
    let moves = Action::SiegeMove;
    vec![
        row(
            "a unit moves that is elsewhere",
            before(Phase::SiegeMove),
            network("F01a", PARALLEL),
            "DZ-4.1.1-09",
        ),
        row("into a full work", before(Phase::SiegeMove), network("F02a", PARALLEL), "DZ-4.2-05"),
        row("a gun into a sap", before(Phase::SiegeMove), network("F45", SAP), "DZ-4.2-05"),
        row("a second gun into a battery", before(Phase::SiegeMove), network("F45", BATTERY), "DZ-4.2-04"),
        row(
            "a worker leaves his work",
            with(before(Phase::SiegeMove), |state| {
                state.table.unit_mut(unit("F06a")).marks.set(Marks::WORKER);
            }),
            network("F06a", HEAD),
            "DZ-4.8-05",
        ),
        row(
            "through a broken trench by the safe way",
            with(before(Phase::SiegeMove), |state| {
                state.table.siege.work_mut(HEAD).expect("a sap").damaged = true;
                state.table.siege.join();
            }),
            network("F02a", BATTERY),
            "DZ-4.1.1-08",
        ),
        row(
            "back to where it is",
            before(Phase::SiegeMove),
            moves(SiegeMove::Back { unit: unit("F02a") }),
            "DZ-4.1.1-08",
        ),
        row(
            "through the trenches to where it is",
            before(Phase::SiegeMove),
            moves(SiegeMove::Through { unit: unit("F06a"), to: PARALLEL }),
            "DZ-4.1.1-08",
        ),
        row(
            "a siege gun over open ground",
            before(Phase::SiegeMove),
            open("F45", OpenEnd::Spot(Spot::metres(900, 900))),
            "DZ-4.8-11",
        ),
        row(
            "on foot onto a Prussian wall",
            before(Phase::SiegeMove),
            open("F02a", OpenEnd::Wall(point("H5"))),
            "DZ-R102",
        ),
        row(
            "on foot into the city",
            before(Phase::SiegeMove),
            open("F02a", OpenEnd::Spot(Spot::metres(1200, 1800))),
            "DZ-4.1.1-10",
        ),
        row(
            "a third battalion in the box",
            with(before(Phase::SiegeMove), |state| {
                put(state, "F04a", Place::KalkeBox, 2);
                put(state, "F04b", Place::KalkeBox, 2);
            }),
            moves(SiegeMove::Box { unit: unit("F02a") }),
            "DZ-4.7.4-05",
        ),
        row(
            "into Prussian Kalke",
            before(Phase::SiegeMove),
            moves(SiegeMove::IntoKalke { unit: unit("F02a") }),
            "DZ-4.7.4-09",
        ),
        row(
            "out of Kalke without being there",
            before(Phase::SiegeMove),
            moves(SiegeMove::OutOfKalke { unit: unit("F02a") }),
            "DZ-R60",
        ),
        row("a shot at nobody in the open", before(Phase::SiegeMove), Action::OpportunityFire, "DZ-2.4-01"),
        row("an intact wall stormed", before(Phase::Assault), storm(&["F06a"], "H5"), "DZ-4.7.1-08"),
        row(
            "a wall stormed from afar",
            with(before(Phase::Assault), |state| state.table.siege.wall_mut(point("H5")).level = 10),
            storm(&["F06a"], "H5"),
            "DZ-4.8-14",
        ),
        row(
            "five steps in an assault",
            before(Phase::Assault),
            storm(&["F06a", "F02a", "F05a"], "H5"),
            "DZ-4.8-15",
        ),
        row(
            "workers in an assault",
            with(before(Phase::Assault), |state| state.table.unit_mut(unit("F06a")).marks.set(Marks::WORKER)),
            storm(&["F06a"], "H5"),
            "DZ-4.8-16",
        ),
        row(
            "a second assault by the same",
            with(before(Phase::Assault), |state| {
                state.table.unit_mut(unit("F06a")).marks.set(Marks::ASSAULTED);
            }),
            storm(&["F06a"], "H5"),
            "DZ-R101",
        ),
        row("one's own wall stormed", stormed(Phase::Assault), storm(&["F06a"], "H5"), "DZ-4.8-14"),
        row(
            "Kalke stormed from the trenches",
            before(Phase::Assault),
            Action::Assault(Assault { units: set(&["F06a"]), at: GunTarget::Kalke(KalkeSide::K1) }),
            "DZ-R60",
        ),
        row(
            "Kalke stormed twice in a turn",
            with(before(Phase::Assault), |state| {
                state.table.siege.kalke.assaulted_on = state.table.turn;
                state.table.unit_mut(unit("F06a")).place = Place::KalkeBox;
            }),
            Action::Assault(Assault { units: set(&["F06a"]), at: GunTarget::Kalke(KalkeSide::K1) }),
            "DZ-R101",
        ),
        row(
            "one's own Kalke stormed",
            with(before(Phase::Assault), |state| state.table.siege.kalke.holder = Side::French),
            Action::Assault(Assault { units: set(&["F06a"]), at: GunTarget::Kalke(KalkeSide::K1) }),
            "DZ-4.7.4-06",
        ),
    ]
}

fn garrison() -> Vec<Row> {
    let fire = |code: &str, target| Action::FireBattery { battery: unit(code), target };
    let walk = |code: &str, to| Action::Garrison(GarrisonMove::Infantry { unit: unit(code), to });
    vec![
        row(
            "a third step onto a wall",
            with(reserve(Phase::GarrisonMove), |state| put(state, "P02", Place::Wall(point("H1")), 2)),
            walk("P01", Place::Wall(point("H1"))),
            "DZ-4.2-06",
        ),
        row(
            "onto a wall the French hold",
            stormed(Phase::GarrisonMove),
            walk("P01", Place::Wall(point("H5"))),
            "DZ-4.9-01",
        ),
        row(
            "into the French trenches",
            reserve(Phase::GarrisonMove),
            walk("P01", Place::Work(SAP)),
            "DZ-4.1.2-01",
        ),
        row(
            "a battery into the reserve",
            reserve(Phase::GarrisonMove),
            walk("P41", Place::Reserve),
            "DZ-4.3.2-06",
        ),
        row(
            "a disordered battalion to the walls",
            with(reserve(Phase::GarrisonMove), |state| {
                state.table.unit_mut(unit("P01")).marks.set(Marks::DISORDERED);
            }),
            walk("P01", Place::Wall(point("H1"))),
            "DZ-R30",
        ),
        row(
            "a second battery moved",
            with(reserve(Phase::GarrisonMove), |state| state.clock.battery_moved = true),
            Action::Garrison(GarrisonMove::Battery { battery: unit("P41"), to: point("h1"), facing: 270 }),
            "DZ-4.9-03",
        ),
        row(
            "a battery onto a ruined wall",
            with(reserve(Phase::GarrisonMove), |state| state.table.siege.wall_mut(point("h1")).level = 10),
            Action::Garrison(GarrisonMove::Battery { battery: unit("P41"), to: point("h1"), facing: 270 }),
            "DZ-4.7.1-05",
        ),
        row(
            "a French gun pivoted",
            reserve(Phase::GarrisonMove),
            Action::Garrison(GarrisonMove::Pivot { battery: unit("F41"), facing: 200 }),
            "DZ-4.3.2-06",
        ),
        row(
            "a damaged battery fires",
            with(reserve(Phase::BatteryFire), |state| {
                state.table.unit_mut(unit("P41")).marks.set(Marks::DAMAGED);
            }),
            fire("P41", BatteryTarget::Work(PARALLEL)),
            "DZ-4.9-04",
        ),
        row(
            "a battery fires twice",
            with(reserve(Phase::BatteryFire), |state| {
                state.table.unit_mut(unit("P41")).marks.set(Marks::FIRED);
            }),
            fire("P41", BatteryTarget::Work(PARALLEL)),
            "DZ-4.9-04",
        ),
        row(
            "a battery fires over its shoulder",
            with(reserve(Phase::BatteryFire), |state| state.table.unit_mut(unit("P41")).facing = 90),
            fire("P41", BatteryTarget::Work(PARALLEL)),
            "DZ-4.5.1-02",
        ),
        row(
            "a battery fires at empty ground",
            reserve(Phase::BatteryFire),
            fire("P41", BatteryTarget::Open(Spot::metres(900, 900))),
            "DZ-4.1.1-04",
        ),
        row(
            "a battery fires through its own second wall",
            with(stormed(Phase::BatteryFire), |state| {
                put(state, "P42", Place::Wall(point("h1")), 1);
                state.table.unit_mut(unit("P42")).facing = 320;
            }),
            fire("P42", BatteryTarget::Wall(point("H5"))),
            "DZ-4.4-02",
        ),
        row(
            "an intact wall repaired",
            reserve(Phase::WallRepair),
            Action::RepairWall { point: point("H1") },
            "DZ-4.9-07",
        ),
        row(
            "a wall repaired under the French",
            stormed(Phase::WallRepair),
            Action::RepairWall { point: point("H5") },
            "DZ-R82",
        ),
        row(
            "a sortie after the first lodgement",
            with(reserve(Phase::Sortie), |state| state.table.danzig.sorties_over = true),
            sortie(&["P01"], SortieTarget::Work(PARALLEL)),
            "DZ-4.9-10",
        ),
        row(
            "a battery sallies out",
            reserve(Phase::Sortie),
            sortie(&["P41"], SortieTarget::Work(PARALLEL)),
            "DZ-4.3.2-06",
        ),
        row(
            "a group of four steps",
            reserve(Phase::Sortie),
            sortie(&["P01", "P02"], SortieTarget::Work(PARALLEL)),
            "DZ-4.9-12",
        ),
        row(
            "a sortie at a far work",
            reserve(Phase::Sortie),
            sortie(&["P01"], SortieTarget::Work(SAP)),
            "DZ-4.9-09",
        ),
        row(
            "a sortie at one's own Kalke",
            reserve(Phase::Sortie),
            sortie(&["P01"], SortieTarget::Kalke(KalkeSide::K1)),
            "DZ-4.7.4-08",
        ),
        row(
            "a siege gun fires at a sortie",
            sallying(Phase::SortieFire),
            Action::FieldFire { battery: unit("F41"), group: 0 },
            "DZ-4.3.3-05",
        ),
        row(
            "field guns fire without a sortie",
            reserve(Phase::SortieFire),
            Action::FieldFire { battery: unit("F32"), group: 0 },
            "DZ-2.5-01",
        ),
        row(
            "a defender from the rear",
            sallying(Phase::Defenders),
            Action::CommitDefender { unit: unit("F02a"), work: PARALLEL },
            "DZ-4.9-14",
        ),
        row(
            "a defender where nobody attacks",
            sallying(Phase::Defenders),
            Action::CommitDefender { unit: unit("F06a"), work: SAP },
            "DZ-4.9-14",
        ),
        row(
            "a counter-attack on nobody",
            reserve(Phase::CounterAttack),
            Action::DeclareCounterAttack(CounterAttack { units: set(&["P01"]), target: point("H5") }),
            "DZ-4.9-21",
        ),
        row(
            "three battalions counter-attack",
            stormed(Phase::CounterAttack),
            Action::DeclareCounterAttack(CounterAttack {
                units: set(&["P01", "P02", "P03"]),
                target: point("H5"),
            }),
            "DZ-4.9-21",
        ),
        row(
            "a second counter-attack",
            with(stormed(Phase::CounterAttack), |state| state.clock.counterattacked = 1),
            Action::DeclareCounterAttack(CounterAttack { units: set(&["P01"]), target: point("H5") }),
            "DZ-R51",
        ),
        row(
            "a battery counter-attacks",
            stormed(Phase::CounterAttack),
            Action::DeclareCounterAttack(CounterAttack { units: set(&["P41"]), target: point("H5") }),
            "DZ-4.9-21",
        ),
        row(
            "field guns of the trenches at a counter-attack",
            with(stormed(Phase::CounterAttackFire), |state| {
                put(state, "F32", Place::Work(BATTERY), 5);
                put(state, "F41", Place::Concentration, 1);
                state.counterattack = Some(CounterAttack { units: set(&["P01"]), target: point("H5") });
            }),
            Action::CounterAttackFire { battery: unit("F32") },
            "DZ-R53",
        ),
    ]
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = fire_and_works();
    rows.extend(moves_and_assaults());
    rows.extend(garrison());
    rows
}
