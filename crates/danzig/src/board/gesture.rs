//! What a reader seems to mean when he points at something that is not offered: the order it would be
//! in this phase. The rules then say why it cannot be given.

use kernel::board::Gesture;
use kernel::{Refusal, Verdict};

use super::names::unit_of;
use super::reach::reach;
use crate::action::Action;
use crate::ops::{Attack, Charge, Goal, Heading, Hex, Melee, Terrain, map};
use crate::siege::{
    Assault, BatteryTarget, Build, CounterAttack, Facing, GROUND, GarrisonMove, Group, GunTarget, KalkeSide,
    OpenEnd, Pose, SiegeMove, Sortie, SortieTarget, Spot, WallId, WorkId, WorkKind,
};
use crate::state::{Hand, Owed, Phase, State};
use crate::unit::{Arm, Place, UnitId, UnitSet};

/// Batteries that nobody has turned look away from the city.
const OUTWARDS: u16 = 270;

/// What was pointed at.
#[derive(Clone, Copy, Debug, Default)]
struct Pointed {
    unit: Option<UnitId>,
    hex: Option<Hex>,
    wall: Option<WallId>,
    work: Option<WorkId>,
    kalke: Option<KalkeSide>,
    at_kalke: bool,
    zone: bool,
    city: bool,
    spot: Option<Spot>,
}

impl Pointed {
    fn of(state: &State, gesture: &Gesture) -> Self {
        let object = gesture.object.as_deref().unwrap_or_default();
        let mut pointed = Self {
            unit: unit_of(object),
            hex: object.strip_prefix("h:").and_then(|text| text.parse().ok()),
            wall: object.strip_prefix("w:").and_then(WallId::of_code),
            work: object.strip_prefix("k:").and_then(|text| text.parse().ok()).map(WorkId),
            kalke: object
                .strip_prefix("kalke:")
                .and_then(|text| KalkeSide::ALL.into_iter().find(|side| format!("{side:?}") == text)),
            at_kalke: object.starts_with("kalke"),
            zone: object == "zone",
            city: object == "city",
            spot: spot(gesture),
        };
        // A counter stands for the place it holds.
        if let Some(unit) = pointed.unit {
            match state.table.unit(unit).place {
                Place::Hex(hex) => pointed.hex = Some(hex),
                Place::Wall(point) | Place::Green(point) => pointed.wall = Some(point),
                Place::Work(work) => pointed.work = Some(work),
                Place::Kalke | Place::KalkeBox => pointed.at_kalke = true,
                Place::Concentration => pointed.zone = true,
                Place::Reserve => pointed.city = true,
                Place::Open(spot) => pointed.spot = Some(spot),
                _ => {}
            }
        }
        pointed
    }

    fn gun_target(&self) -> Option<GunTarget> {
        let kalke = || self.kalke.or(self.at_kalke.then_some(KalkeSide::ALL[0])).map(GunTarget::Kalke);
        self.wall.map(GunTarget::Wall).or_else(kalke)
    }

    fn city_place(&self) -> Option<Place> {
        let named = [(self.city, Place::Reserve), (self.at_kalke, Place::Kalke)];
        let wall = self.wall.map(Place::Wall);
        wall.or_else(|| named.into_iter().find(|(is, _)| *is).map(|(_, place)| place))
    }

    fn nothing(&self) -> bool {
        self.hex.is_none()
            && self.wall.is_none()
            && self.work.is_none()
            && !self.at_kalke
            && !self.zone
            && !self.city
            && self.spot.is_none()
    }
}

/// The place of the siege map that a gesture points at.
fn spot(gesture: &Gesture) -> Option<Spot> {
    gesture.at.map(|(x, y)| Spot::metres(x.clamp(-9999, 9999), y.clamp(-9999, 9999)))
}

fn named(gesture: &Gesture) -> Option<UnitId> {
    gesture.subject.as_deref().and_then(unit_of)
}

/// The work a reader wants to dig, where he holds it.
fn dug(state: &State, tool: &str, gesture: &Gesture) -> Option<Action> {
    let kind = match tool {
        "sap" => WorkKind::Sap,
        "parallel" => WorkKind::Parallel,
        _ => WorkKind::Battery,
    };
    let mut pose = Pose::new(spot(gesture)?, Facing::degrees(gesture.facing?.rem_euclid(360)));
    if let Some(length) = gesture.length.and_then(|metres| u8::try_from(metres).ok()) {
        pose.length = length;
    }
    let rested = || {
        UnitId::all().find(|unit| {
            unit.data().arm == Arm::Infantry && state.table.unit(*unit).place == Place::Concentration
        })
    };
    let anybody = || UnitId::all().find(|unit| state.table.unit(*unit).place == Place::Concentration);
    let worker = named(gesture).or_else(rested).or_else(anybody).or_else(|| UnitId::all().next())?;
    Some(Action::Build(Build::New { kind, pose, worker }))
}

/// The orders that a gesture may mean, the likeliest first.
///
/// # Errors
/// Why the hex pointed at cannot be reached.
pub(super) fn meant(state: &State, gesture: &Gesture) -> Verdict<Vec<Action>> {
    match unreachable_hex(state, gesture) {
        Some(refusal) => Err(refusal),
        None => Ok(tried(state, gesture)),
    }
}

/// Why the hex pointed at cannot be reached by the stack in hand or the counter chosen.
fn unreachable_hex(state: &State, gesture: &Gesture) -> Option<Refusal> {
    let hex: Hex = gesture.object.as_deref()?.strip_prefix("h:")?.parse().ok()?;
    let units = match (state.phase, state.hand) {
        (Phase::Move, Hand::Moving(mover)) => mover.units,
        // Who waits beside the map is told why he cannot enter there.
        (Phase::Move, Hand::Empty) => {
            UnitSet::of(named(gesture).filter(|unit| state.table.unit(*unit).place != Place::Waiting)?)
        }
        _ => return None,
    };
    match reach(state, units) {
        Ok(reach) => reach.why_not(hex),
        Err(refusal) => Some(refusal),
    }
}

fn tried(state: &State, gesture: &Gesture) -> Vec<Action> {
    if let Some(tool) = &gesture.tool {
        return dug(state, tool, gesture).into_iter().collect();
    }
    let unit = named(gesture);
    let pointed = Pointed::of(state, gesture);
    if let Some(owed) = state.table.owed.last() {
        return owed_to(state, *owed, unit.or(pointed.unit), &pointed);
    }
    match state.phase {
        Phase::WallRepair => pointed.wall.map(|point| Action::RepairWall { point }).into_iter().collect(),
        Phase::Enfilade => pointed.work.map(|work| Action::EnfiladeFire { work }).into_iter().collect(),
        Phase::Mine => vec![Action::ExplodeMine],
        Phase::Countermine => vec![Action::Countermine],
        Phase::Move => marched(state, unit.or(pointed.unit), &pointed),
        phase => match unit.or(pointed.unit) {
            Some(unit) => by_unit(state, phase, unit, &pointed),
            None => Vec::new(),
        },
    }
}

fn owed_to(state: &State, owed: Owed, unit: Option<UnitId>, pointed: &Pointed) -> Vec<Action> {
    let Some(unit) = unit else { return Vec::new() };
    match owed {
        Owed::Losses { .. } => vec![Action::TakeLoss { unit }],
        Owed::Retreat { unit, .. } => {
            let goal = match pointed.hex.map(|hex| map().terrain(hex)) {
                Some(Terrain::Fort) => Some(Goal::Fort),
                Some(Terrain::City) => Some(Goal::City),
                _ => pointed.city.then_some(Goal::City),
            };
            goal.map(|goal| Action::Retreat { unit, goal: Some(goal) }).into_iter().collect()
        }
        Owed::GiveWay(unit) => {
            pointed.hex.map(|hex| Action::GiveWay { unit, to: Some(hex) }).into_iter().collect()
        }
        Owed::Occupy { .. } => match state.table.unit(unit).place {
            Place::Hex(from) => vec![Action::Occupy { from: Some(from) }],
            _ => Vec::new(),
        },
        Owed::Battery(battery) => pointed
            .wall
            .map(|point| Action::DisplaceBattery { battery, point, facing: OUTWARDS })
            .into_iter()
            .collect(),
        Owed::Excess(_) => {
            let works = pointed.work.map(Place::Work);
            let zone = pointed.zone.then_some(Place::Concentration);
            let to = works.or(zone).or(pointed.wall.map(Place::Wall));
            to.map(|to| Action::PlaceExcess { unit, to }).into_iter().collect()
        }
        Owed::Occupier { .. } => vec![Action::ChooseOccupier { unit: Some(unit) }],
    }
}

fn marched(state: &State, unit: Option<UnitId>, pointed: &Pointed) -> Vec<Action> {
    if let (Hand::Moving(mover), Some(hex)) = (state.hand, pointed.hex) {
        let way = reach(state, mover.units).ok().and_then(|reach| reach.way_to(hex));
        return way.into_iter().collect();
    }
    let Some(unit) = unit else { return Vec::new() };
    let mut orders = Vec::new();
    if let Some(hex) = pointed.hex {
        let way = reach(state, UnitSet::of(unit)).ok().and_then(|reach| reach.way_to(hex));
        orders.extend(way);
        if state.table.unit(unit).place == Place::Waiting {
            orders.push(Action::EnterMap { unit, hex });
        }
        let enemy = UnitId::of_side(unit.side().other())
            .any(|other| state.table.unit(other).place == Place::Hex(hex));
        if enemy && unit.data().arm.is_cavalry() {
            let heading = match state.table.unit(unit).place {
                Place::Hex(from) => from.towards(hex).unwrap_or(Heading::East),
                _ => Heading::East,
            };
            orders.push(Action::Charge(Charge { units: UnitSet::of(unit), target: hex, heading }));
        }
    }
    orders.push(Action::TakeUp { units: UnitSet::of(unit) });
    orders
}

fn by_unit(state: &State, phase: Phase, unit: UnitId, pointed: &Pointed) -> Vec<Action> {
    let units = UnitSet::of(unit);
    let gun_targets = || {
        let all = WallId::all().map(GunTarget::Wall).chain(KalkeSide::ALL.map(GunTarget::Kalke));
        if pointed.nothing() { all.collect() } else { pointed.gun_target().into_iter().collect::<Vec<_>>() }
    };
    let one = |action: Option<Action>| action.into_iter().collect();
    match phase {
        Phase::SetUp => set_up(unit, pointed),
        Phase::BridgeDeclare => one(pointed.hex.map(|across| Action::DeclareBridge { unit, across })),
        Phase::ArrivalsFrench => vec![Action::Postpone { unit }],
        Phase::ArrivalsKamenski => one(pointed.hex.map(|hex| Action::PlaceKamenski { unit, hex })),
        Phase::ReplacementFrench => vec![Action::ReplaceFrench { unit }],
        Phase::ReplacementPrussian => vec![Action::ReplacePrussian { unit }],
        Phase::BatteryRepair | Phase::LateBatteryRepair => {
            let point = pointed.wall.or_else(|| WallId::all().next());
            one(point.map(|point| Action::RepairBattery { battery: unit, point, facing: OUTWARDS }))
        }
        Phase::Redoubt => vec![Action::BuildRedoubt { unit }],
        Phase::DefensiveFire => {
            one(pointed.hex.map(|target| Action::DefensiveFire(Attack { target, firers: units })))
        }
        Phase::Fire => one(pointed.hex.map(|target| Action::Fire(Attack { target, firers: units }))),
        Phase::Melee => one(pointed.hex.map(|target| Action::Melee(Melee { target, attackers: units }))),
        Phase::Desertion => vec![Action::Desert { unit }],
        Phase::Mortars => vec![Action::FireMortar { mortar: unit }],
        Phase::Guns => {
            gun_targets().into_iter().map(|target| Action::FireSiegeGun { gun: unit, target }).collect()
        }
        Phase::Repair => one(pointed.work.map(|work| Action::Build(Build::Repair { work, worker: unit }))),
        Phase::Build => one(pointed.work.map(|work| Action::Build(Build::Upgrade { work, worker: unit }))),
        Phase::SiegeMove => siege_moves(unit, pointed),
        Phase::Assault => {
            gun_targets().into_iter().map(|at| Action::Assault(Assault { units, at })).collect()
        }
        Phase::GarrisonMove => garrison(state, unit, pointed),
        Phase::BatteryFire => battery_shots(unit, pointed),
        Phase::Sortie => {
            let work = pointed.work.map(SortieTarget::Work);
            let kalke = || pointed.at_kalke.then(|| pointed.kalke.unwrap_or(KalkeSide::ALL[0]));
            let target = work.or_else(|| kalke().map(SortieTarget::Kalke));
            let named = Action::Muster { unit };
            target.map_or(vec![named], |target| {
                let mut sortie = Sortie { groups: Default::default() };
                sortie.groups[0] = Some(Group { unit, with: None, target });
                vec![Action::DeclareSortie(sortie)]
            })
        }
        Phase::SortieFire => vec![Action::FieldFire { battery: unit, group: 0 }],
        Phase::Defenders => one(pointed.work.map(|work| Action::CommitDefender { unit, work })),
        Phase::CounterAttack => {
            let attack = |target| Action::DeclareCounterAttack(CounterAttack { units, target });
            vec![pointed.wall.map_or(Action::Muster { unit }, attack)]
        }
        Phase::CounterAttackFire => vec![Action::CounterAttackFire { battery: unit }],
        // Nothing can be done with a counter here: the rules say so.
        _ if state.hand == Hand::Empty => vec![Action::TakeUp { units }],
        _ => Vec::new(),
    }
}

fn set_up(unit: UnitId, pointed: &Pointed) -> Vec<Action> {
    if let Some(hex) = pointed.hex {
        return vec![Action::SetOutsideUnit { unit, hex }];
    }
    let Some(place) = pointed.city_place() else { return Vec::new() };
    if unit.data().arm == Arm::Fortress {
        vec![Action::SetBattery { battery: unit, place, facing: OUTWARDS }]
    } else {
        vec![Action::SetCityUnit { unit, place }]
    }
}

fn siege_moves(unit: UnitId, pointed: &Pointed) -> Vec<Action> {
    let open =
        |to| SiegeMove::Open { unit, with: None, exit: None, via: None, to, facing: Facing::CITY.get() };
    let moves = if let Some(to) = pointed.work {
        vec![SiegeMove::Network { unit, to }, SiegeMove::Through { unit, to }, open(OpenEnd::Work(to))]
    } else if let Some(wall) = pointed.wall {
        vec![open(OpenEnd::Wall(wall))]
    } else if pointed.zone {
        vec![SiegeMove::Back { unit }, SiegeMove::OutOfKalke { unit }, open(OpenEnd::Concentration)]
    } else if pointed.at_kalke {
        vec![SiegeMove::IntoKalke { unit }, SiegeMove::Box { unit }]
    } else if let Some(spot) = pointed.spot {
        vec![open(OpenEnd::Spot(spot))]
    } else {
        vec![SiegeMove::Back { unit }]
    };
    moves.into_iter().map(Action::SiegeMove).collect()
}

/// A battery that is pointed at something turns to it, whatever the angle; at a wall point it goes there.
fn garrison(state: &State, unit: UnitId, pointed: &Pointed) -> Vec<Action> {
    let here = match state.table.unit(unit).place {
        Place::Wall(point) => Some(GROUND.point(point)),
        Place::Kalke => Some(GROUND.kalke_guns),
        _ => None,
    };
    let seen = pointed.work.and_then(|id| state.table.siege.work(id)).map(|work| work.pose.at);
    let seen = seen.or(pointed.spot).or(pointed.wall.map(|point| GROUND.point(point)));
    let turned = match (here, seen) {
        (Some(from), Some(to)) if from != to => Facing::towards(from, to).get(),
        _ => OUTWARDS,
    };
    let turn = GarrisonMove::Pivot { battery: unit, facing: turned };
    let orders = match (unit.data().arm == Arm::Fortress, pointed.wall, pointed.city_place()) {
        (true, Some(to), _) => {
            vec![GarrisonMove::Battery { battery: unit, to, facing: state.table.unit(unit).facing }, turn]
        }
        (true, None, _) => vec![turn],
        (false, _, to) => to.map(|to| GarrisonMove::Infantry { unit, to }).into_iter().collect(),
    };
    orders.into_iter().map(Action::Garrison).collect()
}

fn battery_shots(battery: UnitId, pointed: &Pointed) -> Vec<Action> {
    let target = pointed
        .work
        .map(BatteryTarget::Work)
        .or(pointed.wall.map(BatteryTarget::Wall))
        .or(pointed.at_kalke.then_some(BatteryTarget::Kalke))
        .or(pointed.spot.map(BatteryTarget::Open));
    target.map(|target| Action::FireBattery { battery, target }).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use kernel::{Game as _, Setup};

    use super::*;

    /// A battery turns to any place of the map that is pointed at, to the degree.
    #[test]
    fn a_battery_turns_to_what_is_pointed_at() {
        let mut state = State::start(&Setup::default()).unwrap();
        state.table.turn = 7;
        state.phase = Phase::GarrisonMove;
        let battery = UnitId::all().find(|unit| unit.data().arm == Arm::Fortress).unwrap();
        let counter = state.table.unit_mut(battery);
        (counter.place, counter.facing) = (Place::Kalke, OUTWARDS);
        let pointed = |x: i32, y: i32| {
            let gesture =
                Gesture { subject: Some(format!("u:{battery}")), at: Some((x, y)), ..Gesture::default() };
            let orders = meant(&state, &gesture).unwrap();
            orders.into_iter().find(|order| state.validate(state.to_move().unwrap(), order).is_ok())
        };
        let turn = |facing| Some(Action::Garrison(GarrisonMove::Pivot { battery, facing }));
        // The guns of Kalke stand at (200, 975).
        assert_eq!(pointed(700, 975), turn(0));
        assert_eq!(pointed(700, 1125), turn(17));
        assert_eq!(pointed(650, 700), turn(329));
    }
}
