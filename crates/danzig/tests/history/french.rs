//! The besieger's plan: the roads of the first turn, the natural network of the map plan before the
//! Hagelsberg, the guns, the breach and the lodgements.

use danzig::ops::{Hex, Stride, Terrain, map};
use danzig::siege::{
    Build, Facing, GROUND, GunTarget, Pose, SiegeMove, Spot, WallId, WorkId, WorkKind, gun_at, steps_on,
};
use danzig::{Action, Arm, Corps, Hand, Level, Marks, Phase, Place, Side, State, UnitId, UnitSet};
use kernel::Game as _;

use crate::march::{hex, hex_of, step};

/// The points of the breach: of the first wall and, behind it, of the second.
pub(crate) fn breach() -> (WallId, WallId) {
    let first = WallId::of_code("H5").expect("a wall point");
    (first, first.linked())
}

/// The cavalry and what it does: the stars it rides to, and where it stays.
fn ride(state: &State, unit_: UnitId) -> Option<Hex> {
    let star = |printed: u16| {
        let place = map().cell(hex(printed)).star.expect("a blue star");
        (state.table.ops.stars >> place & 1 == 0).then(|| hex(printed))
    };
    match unit_.data().code {
        "F20" => star(1606).or_else(|| star(1815)).or(Some(hex(1617))),
        "F21" => {
            let here = hex_of(state, unit_);
            let right_bank = here.is_some_and(|here| crossed(here, 2));
            let holm = here.is_some_and(|here| crossed(here, 1));
            Some(match () {
                () if right_bank => {
                    star(1627).or_else(|| star(2131)).or_else(|| star(2036)).unwrap_or_else(|| hex(2732))
                }
                () if holm => hex(1521),
                () if star(2832).is_none() => hex(2832),
                () => hex(1519),
            })
        }
        "F22" => star(3204).or_else(|| star(4212)).or(Some(hex(4212))),
        "F23" => star(2807).or(Some(hex(2906))),
        "F24" => star(4515).or(Some(hex(4515))),
        _ => None,
    }
}

/// Where a crossing leads: 1 the Holm, 2 the right bank.
fn crossed(here: Hex, bank: u8) -> bool {
    let (column, row) = (here.column(), here.row());
    let holm = (13..=24).contains(&column)
        && (17..=22).contains(&row)
        && BANK_OF_HOLM.contains(&(column * 100 + row));
    let right = row >= 22 && column < 29 && !holm && !matches!(column * 100 + row, 2827..=2836);
    if bank == 1 { holm } else { right }
}

/// The island, hex by hex.
const BANK_OF_HOLM: [u16; 40] = [
    1321, 1420, 1520, 1521, 1619, 1620, 1621, 1718, 1719, 1720, 1721, 1722, 1817, 1818, 1819, 1820, 1821,
    1918, 1919, 1920, 1921, 1922, 2017, 2018, 2019, 2020, 2021, 2118, 2119, 2120, 2121, 2122, 2218, 2219,
    2220, 2221, 2320, 2321, 2322, 2421,
];

/// Regiments that stay outside: one on the river below the city.
const OUTSIDE: [(&str, u16); 1] = [("F03", 1717)];

/// Where a French counter on the operational map goes.
fn goals(state: &State, unit_: UnitId) -> Vec<Hex> {
    if let Some((_, printed)) = OUTSIDE.iter().find(|(code, _)| *code == unit_.data().code) {
        return vec![hex(*printed)];
    }
    if unit_.data().corps == Corps::Lannes {
        return lannes(state, unit_);
    }
    match ride(state, unit_) {
        Some(goal) => vec![goal],
        None => map().red_arrows.clone(),
    }
}

/// Lannes: against the Russians who have come out of the fort, then back along the track.
fn lannes(state: &State, unit_: UnitId) -> Vec<Hex> {
    let number = unit_.index() - 68;
    let russians: Vec<Hex> = ["K01", "K02"]
        .into_iter()
        .filter_map(|code| hex_of(state, UnitId::of_code(code)?))
        .filter(|hex| hex.column() >= 12)
        .collect();
    if number < 5 && state.clock.round <= 9 && !russians.is_empty() {
        let beside = russians.iter().flat_map(|russian| russian.around().map(|(_, hex)| hex));
        let open = |hex: &Hex| map().cell(*hex).terrain == Terrain::Clear && !map().shaded(*hex);
        let goals: Vec<Hex> = beside.filter(open).collect();
        if !goals.is_empty() {
            return goals;
        }
    }
    vec![hex([2130, 2032, 2033, 2034, 2035, 2229, 2329, 2228, 2128, 2029][number.min(9)])]
}

/// The entry by which a counter comes.
fn entry(unit_: UnitId) -> u16 {
    match unit_.data().code {
        "F20" | "F21" | "F03" => 901,
        "F22" => 3101,
        "F24" => 3901,
        _ if unit_.data().corps == Corps::Lannes => 2036,
        _ => 2501,
    }
}

/// The boats a stack takes, if it stands where it must.
fn boats(state: &State, unit_: UnitId) -> Option<Hex> {
    if unit_.data().code != "F21" {
        return None;
    }
    let across = match hex_of(state, unit_)? {
        here if here == hex(1519) => hex(1520),
        here if here == hex(1521) => hex(1522),
        here if here == hex(2732) && goals(state, unit_) == [hex(2732)] => hex(2832),
        _ => return None,
    };
    Some(across)
}

/// The French order of the operational rounds that is still to be carried out, if any.
fn errand(state: &State) -> Option<Action> {
    let table = &state.table;
    let offered = offered(state);
    let has = |action: &Action| state.phase == Phase::Half || offered.contains(action);
    let mut movers: Vec<(u16, UnitId)> = UnitId::of_side(Side::French)
        .filter(|unit_| !table.marked(*unit_, Marks::MOVED))
        .filter_map(|unit_| {
            let here = hex_of(state, unit_)?;
            let away = goals(state, unit_).iter().map(|goal| here.distance(*goal)).min()?;
            Some((away, unit_))
        })
        .collect();
    movers.sort_unstable();
    for (away, unit_) in movers {
        if let Some(across) = boats(state, unit_) {
            let start = Action::BoatsStart { units: UnitSet::of(unit_), across };
            if has(&start) {
                return Some(start);
            }
        }
        let to_the_trenches = goals(state, unit_) == map().red_arrows;
        let take_up = Action::TakeUp { units: UnitSet::of(unit_) };
        if (away > 0 || to_the_trenches) && has(&take_up) {
            return Some(take_up);
        }
    }
    for unit_ in UnitId::of_side(Side::French).filter(|unit_| table.unit(*unit_).place == Place::Waiting) {
        let enter = Action::EnterMap { unit: unit_, hex: hex(entry(unit_)) };
        if state.phase == Phase::Half && unit_.data().corps == Corps::Lannes {
            continue;
        }
        if has(&enter) {
            return Some(enter);
        }
    }
    None
}

pub(crate) fn offered(state: &State) -> Vec<Action> {
    let mut offered = Vec::new();
    state.actions(state.active(), &mut offered);
    offered
}

/// One thing to build: from which turn on, what, where in metres, and how long.
const PLAN: [(u8, WorkKind, i32, i32, u8); 30] = {
    use WorkKind::{Battery, Parallel, Sap};
    [
        // The first parallel, 31 March to 4 April.
        (2, Sap, 700, 550, 100),
        (2, Sap, 700, 650, 100),
        (2, Sap, 1000, 550, 100),
        (2, Sap, 1000, 650, 100),
        (2, Parallel, 750, 725, 100),
        (2, Parallel, 850, 725, 100),
        (2, Parallel, 950, 725, 100),
        (2, Battery, 650, 725, 100),
        (2, Sap, 950, 800, 100),
        (3, Battery, 1050, 725, 100),
        (3, Sap, 950, 900, 100),
        (3, Sap, 750, 800, 100),
        (3, Sap, 750, 900, 100),
        // The second.
        (4, Parallel, 900, 975, 100),
        (4, Parallel, 800, 975, 100),
        (4, Battery, 1000, 975, 100),
        (4, Battery, 700, 975, 100),
        (5, Battery, 1100, 975, 100),
        (6, Sap, 800, 1050, 100),
        (6, Sap, 900, 1050, 100),
        // The third.
        (7, Battery, 850, 1125, 100),
        (7, Battery, 950, 1125, 100),
        (7, Battery, 750, 1125, 100),
        // The foot of the wall, and over it.
        (8, Sap, 800, 1200, 100),
        (8, Sap, 900, 1200, 100),
        (8, Sap, 800, 1257, 14),
        (8, Battery, 850, 1289, 100),
        (9, Sap, 850, 1349, 70),
        (9, Battery, 850, 1409, 100),
        (10, Parallel, 650, 1125, 100),
    ]
};

/// The work whose centre is here.
pub(crate) fn work_at(state: &State, x: i32, y: i32) -> Option<WorkId> {
    let at = Spot::metres(x, y);
    state.table.siege.all_works().find(|(_, work)| work.pose.at == at).map(|(id, _)| id)
}

/// The next thing of the plan that can be built.
fn build(state: &State) -> Action {
    let table = &state.table;
    for redoubt in [1, 4] {
        for action in offered(state) {
            if matches!(action, Action::Build(Build::Redoubt { redoubt: r, facing, .. }) if r.0 == redoubt && facing == Facing::CITY)
            {
                return action;
            }
        }
    }
    let workers: Vec<UnitId> = table.at(Side::French, Place::Concentration).collect();
    for (turn, kind, x, y, length) in PLAN {
        if table.turn < turn || work_at(state, x, y).is_some() {
            continue;
        }
        let pose = Pose { length, ..Pose::new(Spot::metres(x, y), Facing::CITY) };
        for worker in &workers {
            let order = Action::Build(Build::New { kind, pose, worker: *worker });
            if state.validate(state.active(), &order).is_ok() {
                return order;
            }
        }
    }
    Action::EndPhase
}

/// The emplacements of the guns, the best first, for each kind of gun.
fn emplacements(state: &State, gun: UnitId) -> Vec<WorkId> {
    let places: &[(i32, i32)] = match gun.data().arm {
        Arm::Siege24 => &[(850, 1289), (850, 1125), (950, 1125), (750, 1125), (1000, 975), (700, 975)],
        Arm::Siege12 => &[(700, 975), (1000, 975), (1100, 975), (1050, 725), (650, 725)],
        Arm::Mortar => &[(650, 725), (1150, 725), (1050, 725)],
        Arm::FieldArtillery => &[(550, 1125), (850, 1409)],
        _ => &[],
    };
    places.iter().filter_map(|(x, y)| work_at(state, *x, *y)).collect()
}

/// Movement on the siege map: guns forward, a garrison into the most advanced works, the rest back to
/// the concentration area to work again.
fn siege_move(state: &State) -> Action {
    let table = &state.table;
    let kalke = table.siege.kalke.holder == Side::Prussian;
    let guns = UnitId::of_side(Side::French).filter(|unit_| unit_.data().arm.is_artillery());
    for gun in guns.filter(|gun| table.unit(*gun).place.is_siege()) {
        for work in emplacements(state, gun) {
            if table.unit(gun).place == Place::Work(work) {
                break;
            }
            let order = Action::SiegeMove(SiegeMove::Network { unit: gun, to: work });
            if gun_at(table, Side::French, Place::Work(work)).is_none()
                && state.validate(state.active(), &order).is_ok()
            {
                return order;
            }
        }
    }
    // The works nearest to the wall are manned, the others left.
    let mut works: Vec<(i16, WorkId)> =
        table.siege.all_works().map(|(id, work)| (work.pose.at.y, id)).collect();
    works.sort_unstable_by(|a, b| b.cmp(a));
    let front: Vec<WorkId> = works.iter().take(7).map(|(_, id)| *id).collect();
    let infantry = || {
        UnitId::of_side(Side::French).filter(|unit_| {
            unit_.data().arm == Arm::Infantry
                && unit_.data().level == Level::Battalion
                && !table.marked(*unit_, Marks::MOVED)
                && !table.marked(*unit_, Marks::WORKER)
        })
    };
    for unit_ in infantry() {
        if let Place::Work(work) = table.unit(unit_).place
            && !front.contains(&work)
        {
            let back = Action::SiegeMove(SiegeMove::Back { unit: unit_ });
            if state.validate(state.active(), &back).is_ok() {
                return back;
            }
        }
    }
    let waiting: Vec<UnitId> =
        infantry().filter(|unit_| table.unit(*unit_).place == Place::Concentration).collect();
    if kalke && table.at(Side::French, Place::KalkeBox).count() < 2 {
        for unit_ in &waiting {
            let order = Action::SiegeMove(SiegeMove::Box { unit: *unit_ });
            if table.unit(*unit_).steps == 2 && state.validate(state.active(), &order).is_ok() {
                return order;
            }
        }
    }
    if waiting.len() > 8 {
        for work in front {
            if steps_on(table, Side::French, Place::Work(work)) == 0 {
                for unit_ in &waiting {
                    let order = Action::SiegeMove(SiegeMove::Network { unit: *unit_, to: work });
                    if state.validate(state.active(), &order).is_ok() {
                        return order;
                    }
                }
            }
        }
    }
    Action::EndPhase
}

/// Whether a gun is near enough to open a wall: in the third parallel, or in the lodgement for the second.
fn near(state: &State, gun: UnitId, second: bool) -> bool {
    let Place::Work(work) = state.table.unit(gun).place else { return false };
    let from = state.table.siege.work(work).map_or(0, |work| work.pose.at.y);
    from > if second { 12_000 } else { 11_000 }
}

/// The siege guns: the 24-pounders at the breach, the 12-pounders at the batteries that answer.
fn guns(state: &State) -> Action {
    let table = &state.table;
    let (first, second) = breach();
    let lodged = table.siege.work_on(first).is_some();
    let target = if lodged { second } else { first };
    let wanted = |point: WallId| {
        let open = table.siege.wall(point).level <= 10;
        let held = steps_on(table, Side::Prussian, Place::Wall(point)) > 0;
        table.siege.work_on(point).is_none() && (!open || held)
    };
    let may_shoot = table.turn >= if lodged { 11 } else { 9 };
    let offered = offered(state);
    if may_shoot && wanted(target) {
        for action in &offered {
            if let Action::FireSiegeGun { gun, target: GunTarget::Wall(point) } = action
                && gun.data().arm == Arm::Siege24
                && *point == target
                && near(state, *gun, point.is_second())
            {
                return *action;
            }
        }
    }
    let spare = match table.turn {
        ..=4 => 60,
        5..=6 => 150,
        7 => 150,
        8 => 100,
        9 => 70,
        10 => 45,
        11 => 20,
        _ => 0,
    };
    if table.danzig.ammunition_12 > spare {
        let best = offered
            .iter()
            .filter_map(|action| match action {
                Action::FireSiegeGun { gun, target: GunTarget::Wall(point) }
                    if gun.data().arm == Arm::Siege12 =>
                {
                    let battery = gun_at(table, Side::Prussian, Place::Wall(*point))?;
                    let sound = !table.marked(battery, Marks::DAMAGED);
                    let Place::Work(from) = table.unit(*gun).place else { return None };
                    let from = table.siege.work(from)?.rect().muzzle();
                    let far = from.centimetres_to(GROUND.point(*point).fine());
                    sound.then_some((far, *action))
                }
                _ => None,
            })
            .min_by_key(|(far, _)| *far);
        if let Some((far, action)) = best
            && far <= 50_000
        {
            return action;
        }
    }
    Action::EndPhase
}

/// The French decision.
pub(crate) fn decide(state: &State) -> Action {
    let offered = offered(state);
    let first = |wanted: fn(&Action) -> bool| offered.iter().copied().find(wanted);
    let end = || if offered.contains(&Action::EndPhase) { Action::EndPhase } else { offered[0] };
    if !state.table.owed.is_empty() {
        return offered[0];
    }
    match (state.phase, state.hand) {
        (Phase::Half, _) => {
            if errand(state).is_some() {
                Action::PlayHalf
            } else {
                Action::Pass
            }
        }
        (Phase::Move, Hand::Moving(mover)) => {
            let unit_ = mover.units.iter().next().expect("a stack");
            if let Some(enter) = first(|action| matches!(action, Action::March(Stride::EnterConcentration)))
                && goals(state, unit_) == map().red_arrows
            {
                return enter;
            }
            step(state, unit_, &goals(state, unit_), &offered)
        }
        (Phase::Move, Hand::Leaving { .. } | Hand::Running { .. }) => first(|a| matches!(a, Action::OpportunityShot { .. })).unwrap_or(offered[0]),
        (Phase::Move, Hand::Empty) => errand(state).unwrap_or(Action::EndPhase),
        (Phase::ReplacementFrench, _) => {
            first(|a| matches!(a, Action::ReplaceFrench { .. })).unwrap_or(Action::EndPhase)
        }
        (Phase::Mortars, _) => first(|a| matches!(a, Action::FireMortar { .. })).unwrap_or(Action::EndPhase),
        (Phase::Guns, _) => guns(state),
        (Phase::Repair, _) => first(|a| matches!(a, Action::Build(Build::Repair { .. }))).unwrap_or_else(end),
        (Phase::Build, _) => build(state),
        (Phase::SiegeMove, Hand::Empty) => siege_move(state),
        (Phase::Assault, Hand::Empty) => first(|a| {
            matches!(a, Action::Assault(assault) if matches!(assault.at, GunTarget::Kalke(_)) && assault.units.len() == 2)
        })
        .unwrap_or_else(end),
        (Phase::SortieFire, _) => first(|a| matches!(a, Action::FieldFire { .. })).unwrap_or_else(end),
        (Phase::Defenders, _) => first(|a| matches!(a, Action::CommitDefender { .. })).unwrap_or_else(end),
        (Phase::CounterAttackFire, _) => {
            first(|a| matches!(a, Action::CounterAttackFire { .. })).unwrap_or_else(end)
        }
        (Phase::Fire, _) => first(|a| matches!(a, Action::Fire(_))).unwrap_or_else(end),
        (Phase::Melee, _) => offered
            .iter()
            .copied()
            .filter_map(|action| match action {
                Action::Melee(melee) => Some((melee.attackers.len(), action)),
                _ => None,
            })
            .max_by_key(|(attackers, _)| *attackers)
            .map_or_else(end, |(_, action)| action),
        (Phase::DefensiveFire, _) => first(|a| matches!(a, Action::DefensiveFire(_))).unwrap_or_else(end),
        _ => end(),
    }
}
