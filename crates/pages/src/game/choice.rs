//! What may be decided, as a reader meets it: a sentence, who acts, on what, and where that lies.

use danzig::ops::{Heading, Hex, Stride};
use danzig::siege::{
    BatteryTarget, Build, GROUND, GarrisonMove, GunTarget, OpenEnd, Pose, SiegeMove, SortieTarget, Spot,
    WallId, WorkId, WorkKind,
};
use danzig::{Action, Hand, Owed, Place, State, UnitId, UnitSet};
use kernel::{Fact, Measure};
use rulebook::speak_with_key;
use serde_json::Value;

use super::board::{hex_centre, on_sheet};
use crate::reader::Reader;

/// One of the two maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Map {
    /// Hexes.
    Operational,
    /// Metres.
    Siege,
}

impl Map {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Operational => "ops",
            Self::Siege => "siege",
        }
    }
}

/// A thing on a map, by its name in the page: `u:F01`, `h:2607`, `w:H5`, `k:3`.
pub(crate) type Thing = String;

/// A choice.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The order, as the server takes it.
    pub(crate) action: String,
    /// The kind of order.
    pub(crate) kind: String,
    /// What it does, in words.
    pub(crate) label: String,
    /// Who acts.
    pub(crate) subjects: Vec<Thing>,
    /// On what.
    pub(crate) object: Option<Thing>,
    /// Where that lies.
    pub(crate) at: Option<(Map, f64, f64)>,
    /// A work to be dug: what, and how it lies.
    pub(crate) pose: Option<(WorkKind, Pose)>,
}

impl Choice {
    /// The map it is decided on, if it has a place.
    pub(crate) fn map(&self) -> Option<Map> {
        self.at.map(|(map, _, _)| map).or(self.pose.map(|_| Map::Siege))
    }
}

pub(crate) fn unit_thing(unit: UnitId) -> Thing {
    format!("u:{unit}")
}

/// What a counter is called.
pub(crate) fn unit_name(reader: &Reader, unit: UnitId) -> String {
    rulebook::name(unit.data().label, reader.lang)
}

/// What a hex is called: its number and, if it has one, its name.
pub(crate) fn hex_name(reader: &Reader, hex: Hex) -> String {
    match danzig::ops::map().name(hex) {
        Some(name) => format!("{hex} {}", rulebook::name(name, reader.lang)),
        None => hex.to_string(),
    }
}

/// What a hex is called, with what grows there.
pub(crate) fn hex_label(reader: &Reader, hex: Hex) -> String {
    let terrain = word(&danzig::ops::map().terrain(hex));
    format!(
        "{}, {}",
        hex_name(reader, hex),
        rulebook::speak_key(&format!("board-terrain-{terrain}"), reader.lang)
    )
}

/// What a work is called.
pub(crate) fn work_name(reader: &Reader, state: &State, id: WorkId) -> String {
    let kind = state.table.siege.work(id).map_or("work", |work| kind_word(work.kind));
    let number = Fact { name: "number", value: Measure::Number(i64::from(id.number())) };
    speak_with_key(&format!("board-work-{kind}"), &[number], reader.lang)
}

pub(crate) const fn kind_word(kind: WorkKind) -> &'static str {
    match kind {
        WorkKind::Sap => "sap",
        WorkKind::Parallel => "parallel",
        WorkKind::Battery => "battery",
    }
}

/// What a place is called.
pub(crate) fn place_name(reader: &Reader, state: &State, place: Place) -> String {
    let say = |key: &str| rulebook::speak_key(&format!("board-place-{key}"), reader.lang);
    match place {
        Place::Away => say("away"),
        Place::Waiting => say("waiting"),
        Place::Eliminated => say("eliminated"),
        Place::Hex(hex) | Place::Crossing(hex) => hex_name(reader, hex),
        Place::Reserve => say("reserve"),
        Place::Wall(point) => point.code().to_owned(),
        Place::Green(point) => format!("{} {}", say("green"), point.code()),
        Place::Kalke => say("kalke"),
        Place::KalkeBox => say("kalke-box"),
        Place::Concentration => say("concentration"),
        Place::Work(work) => work_name(reader, state, work),
        Place::Open(_) => say("open"),
    }
}

/// A thing with the place of its mark, if it has one.
type Marked = (Thing, Option<(Map, f64, f64)>);

fn thing_of(place: Place) -> Option<Marked> {
    let siege = |spot: Spot| {
        let (x, y) = on_sheet(spot);
        Some((Map::Siege, x, y))
    };
    Some(match place {
        Place::Hex(hex) | Place::Crossing(hex) => of_hex(hex),
        Place::Wall(point) | Place::Green(point) => of_wall(point),
        Place::Kalke | Place::KalkeBox => ("kalke".to_owned(), siege(GROUND.kalke_guns)),
        Place::Concentration => ("zone".to_owned(), siege(super::reach::zone_mark())),
        Place::Reserve => ("city".to_owned(), siege(Spot::metres(1310, 1800))),
        Place::Open(spot) => (format!("s:{},{}", spot.x, spot.y), siege(spot)),
        Place::Work(work) => (format!("k:{}", work.0), None),
        Place::Away | Place::Waiting | Place::Eliminated => return None,
    })
}

fn of_hex(hex: Hex) -> Marked {
    let (x, y) = hex_centre(hex);
    (format!("h:{hex}"), Some((Map::Operational, x, y)))
}

fn of_wall(point: WallId) -> Marked {
    let (x, y) = on_sheet(GROUND.point(point));
    (format!("w:{}", point.code()), Some((Map::Siege, x, y)))
}

/// A choice being put together.
struct Draft<'a> {
    reader: &'a Reader,
    state: &'a State,
    facts: Vec<Fact>,
    subjects: Vec<Thing>,
    object: Option<Thing>,
    at: Option<(Map, f64, f64)>,
    pose: Option<(WorkKind, Pose)>,
    key: String,
}

impl Draft<'_> {
    fn by(&mut self, unit: UnitId) {
        self.by_all(UnitSet::of(unit));
    }

    fn by_all(&mut self, units: UnitSet) {
        self.subjects.extend(units.iter().map(unit_thing));
        let names: Vec<String> = units.iter().map(|unit| unit_name(self.reader, unit)).collect();
        self.fact("unit", names.join(", "));
    }

    fn fact(&mut self, name: &'static str, value: impl Into<Measure>) {
        self.facts.push(Fact { name, value: value.into() });
    }

    fn hex(&mut self, hex: Hex) {
        (self.object, self.at) = some(of_hex(hex));
        self.fact("to", hex_name(self.reader, hex));
    }

    fn wall(&mut self, point: WallId) {
        (self.object, self.at) = some(of_wall(point));
        let level = self.state.table.siege.wall(point).level;
        self.fact("to", format!("{} ({level})", point.code()));
    }

    fn work(&mut self, id: WorkId) {
        self.object = Some(format!("k:{}", id.0));
        self.at = self.state.table.siege.work(id).map(|work| {
            let (x, y) = on_sheet(work.pose.at);
            (Map::Siege, x, y)
        });
        self.fact("to", work_name(self.reader, self.state, id));
    }

    fn place(&mut self, place: Place) {
        if let Place::Work(id) = place {
            return self.work(id);
        }
        if let Some((thing, at)) = thing_of(place) {
            (self.object, self.at) = (Some(thing), at);
        }
        self.fact("to", place_name(self.reader, self.state, place));
    }

    fn gun_target(&mut self, target: GunTarget) {
        match target {
            GunTarget::Wall(point) => self.wall(point),
            GunTarget::Kalke(side) => {
                let (x, y) = on_sheet(target.spot());
                self.object = Some(format!("kalke:{side:?}"));
                self.at = Some((Map::Siege, x, y));
                self.fact("to", format!("Kalke {side:?}"));
            }
        }
    }

    fn facing(&mut self, degrees: u16) {
        self.fact("facing", i64::from(degrees));
    }

    fn dig(&mut self, kind: WorkKind, pose: Pose) {
        let (x, y) = on_sheet(pose.at);
        self.at = Some((Map::Siege, x, y));
        self.pose = Some((kind, pose));
        self.fact("facing", i64::from(pose.facing.get()));
        self.fact("x", i64::from(pose.at.x) / 10);
        self.fact("y", i64::from(pose.at.y) / 10);
    }
}

fn some<A, B>((a, b): (A, Option<B>)) -> (Option<A>, Option<B>) {
    (Some(a), b)
}

/// The kind of an action, as it is written.
fn kind_of(value: &Value) -> String {
    match value {
        Value::String(kind) => kind.clone(),
        Value::Object(fields) => fields.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    }
}

/// What an action is to a reader.
pub(crate) fn choice(reader: &Reader, state: &State, action: &Action) -> Choice {
    let value = serde_json::to_value(action).unwrap_or(Value::Null);
    let kind = kind_of(&value);
    let mut draft = Draft {
        reader,
        state,
        facts: Vec::new(),
        subjects: Vec::new(),
        object: None,
        at: None,
        pose: None,
        key: format!("board-act-{kind}"),
    };
    fill(&mut draft, action);
    let Draft { facts, subjects, object, at, pose, key, .. } = draft;
    let label = speak_with_key(&key, &facts, reader.lang);
    Choice { action: value.to_string(), kind, label, subjects, object, at, pose }
}

fn fill(draft: &mut Draft<'_>, action: &Action) {
    match *action {
        Action::SetCityUnit { unit, place } | Action::PlaceExcess { unit, to: place } => {
            draft.by(unit);
            draft.place(place);
        }
        Action::SetOutsideUnit { unit, hex }
        | Action::PlaceKamenski { unit, hex }
        | Action::EnterMap { unit, hex }
        | Action::DeclareBridge { unit, across: hex } => {
            draft.by(unit);
            draft.hex(hex);
        }
        Action::SetBattery { battery, place, facing } => {
            draft.by(battery);
            draft.place(place);
            draft.facing(facing);
        }
        Action::RepairBattery { battery, point, facing }
        | Action::DisplaceBattery { battery, point, facing } => {
            draft.by(battery);
            draft.wall(point);
            draft.facing(facing);
        }
        Action::Postpone { unit }
        | Action::ReplaceFrench { unit }
        | Action::ReplacePrussian { unit }
        | Action::BuildRedoubt { unit }
        | Action::Desert { unit }
        | Action::TakeLoss { unit }
        | Action::Muster { unit }
        | Action::Dismiss { unit }
        | Action::OpportunityShot { firer: unit }
        | Action::FireMortar { mortar: unit }
        | Action::CounterAttackFire { battery: unit } => draft.by(unit),
        Action::Retreat { unit, goal } => {
            draft.by(unit);
            draft.key.push_str(match goal {
                None => "-stay",
                Some(danzig::ops::Goal::City) => "-city",
                Some(danzig::ops::Goal::Fort) => "-fort",
                Some(_) => "-back",
            });
        }
        Action::ChooseOccupier { unit } => match unit {
            Some(unit) => draft.by(unit),
            None => draft.key.push_str("-nobody"),
        },
        Action::TakeUp { units } => draft.by_all(units),
        Action::March(stride) => march(draft, stride),
        Action::Charge(charge) => {
            draft.by_all(charge.units);
            draft.hex(charge.target);
        }
        Action::React { unit, reaction } => {
            draft.by(unit);
            draft.key = format!("board-react-{}", word(&reaction));
        }
        Action::BoatsStart { units, across } => {
            draft.by_all(units);
            draft.hex(across);
        }
        Action::DefensiveFire(attack) | Action::Fire(attack) => {
            draft.by_all(attack.firers);
            draft.hex(attack.target);
        }
        Action::Melee(melee) => {
            draft.by_all(melee.attackers);
            draft.hex(melee.target);
        }
        Action::GiveWay { unit, to } => {
            draft.by(unit);
            match to {
                Some(hex) => draft.hex(hex),
                None => draft.key.push_str("-stand"),
            }
        }
        Action::Occupy { from } => match (from, draft.state.table.owed.last()) {
            (Some(from), Some(Owed::Occupy { hex, victors })) => {
                let table = &draft.state.table;
                let comes = |unit: &UnitId| table.unit(*unit).place == Place::Hex(from);
                draft.by_all(victors.iter().filter(comes).collect());
                draft.hex(*hex);
            }
            _ => draft.key.push_str("-nobody"),
        },
        Action::NameLastHalf { side } => draft.key = format!("board-last-{}", word(&side)),
        Action::FireSiegeGun { gun, target } => {
            draft.by(gun);
            draft.gun_target(target);
        }
        Action::Build(build) => dig(draft, build),
        Action::EnfiladeFire { work } => draft.work(work),
        Action::SiegeMove(siege_move) => trench_move(draft, siege_move),
        Action::Assault(assault) => {
            draft.by_all(assault.units);
            draft.gun_target(assault.at);
        }
        Action::Garrison(garrison) => match garrison {
            GarrisonMove::Infantry { unit, to } => {
                draft.by(unit);
                draft.place(to);
            }
            GarrisonMove::Battery { battery, to, facing } => {
                draft.key.push_str("-battery");
                draft.by(battery);
                draft.wall(to);
                draft.facing(facing);
            }
            GarrisonMove::Pivot { battery, facing } => {
                draft.key.push_str("-pivot");
                draft.by(battery);
                draft.facing(facing);
            }
        },
        Action::FireBattery { battery, target } => {
            draft.by(battery);
            match target {
                BatteryTarget::Work(work) => draft.work(work),
                BatteryTarget::Open(spot) => draft.place(Place::Open(spot)),
                BatteryTarget::Wall(point) => draft.wall(point),
                BatteryTarget::Kalke => draft.place(Place::Kalke),
            }
        }
        Action::RepairWall { point } => draft.wall(point),
        Action::DeclareSortie(sortie) => {
            let mut targets = Vec::new();
            for group in sortie.groups.into_iter().flatten() {
                draft.subjects.push(unit_thing(group.unit));
                draft.subjects.extend(group.with.map(unit_thing));
                let target = match group.target {
                    SortieTarget::Work(id) => {
                        draft.work(id);
                        work_name(draft.reader, draft.state, id)
                    }
                    SortieTarget::Kalke(side) => format!("Kalke {side:?}"),
                };
                targets.push(format!("{} → {target}", unit_name(draft.reader, group.unit)));
            }
            draft.facts.clear();
            draft.fact("groups", targets.join("; "));
        }
        Action::FieldFire { battery, group } => {
            draft.by(battery);
            draft.fact("group", i64::from(group) + 1);
        }
        Action::CommitDefender { unit, work } => {
            draft.by(unit);
            draft.work(work);
        }
        Action::DeclareCounterAttack(attack) => {
            draft.by_all(attack.units);
            draft.wall(attack.target);
        }
        Action::SetUpTheRest
        | Action::SetUpDone
        | Action::EndPhase
        | Action::RollBenningsen
        | Action::RollDauntless
        | Action::Pass
        | Action::PlayHalf
        | Action::PutDown
        | Action::Decline
        | Action::ClaimRepetition
        | Action::RollDesertion
        | Action::ExplodeMine
        | Action::OpportunityFire
        | Action::Countermine => {}
    }
}

pub(crate) fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().map(|value| kind_of(&value)).unwrap_or_default()
}

/// The stack in hand and where it stands.
fn in_hand(state: &State) -> Option<(UnitSet, Hex)> {
    let units = match state.hand {
        Hand::Moving(mover) | Hand::Leaving { mover, .. } => mover.units,
        _ => return None,
    };
    let first = units.iter().next()?;
    match state.table.unit(first).place {
        Place::Hex(hex) => Some((units, hex)),
        _ => None,
    }
}

fn march(draft: &mut Draft<'_>, stride: Stride) {
    if let Some((units, _)) = in_hand(draft.state) {
        draft.by_all(units);
    }
    let from = in_hand(draft.state).map(|(_, hex)| hex);
    let kind = word(&stride);
    draft.key = format!("board-stride-{kind}");
    match stride {
        Stride::Go(heading) => match from.and_then(|hex| hex.beyond(heading)) {
            Some(hex) => draft.hex(hex),
            None => draft.fact("to", heading_name(draft.reader, heading)),
        },
        Stride::Turn(heading) => {
            let name = heading_name(draft.reader, heading);
            draft.fact("to", name);
        }
        Stride::Form(formation) => {
            let key = format!("board-formation-{}", word(&formation));
            let name = rulebook::speak_key(&key, draft.reader.lang);
            draft.fact("to", name);
        }
        Stride::LeaveCity(gate) => draft.fact("to", format!("{gate:?}")),
        Stride::LeaveConcentration(hex) => draft.hex(hex),
        Stride::EnterConcentration => draft.place(Place::Concentration),
        Stride::FortFerry | Stride::DestroyBridge => {}
    }
}

/// A heading by the compass.
pub(crate) fn heading_name(reader: &Reader, heading: Heading) -> String {
    rulebook::speak_key(&format!("board-heading-{}", word(&heading)), reader.lang)
}

fn dig(draft: &mut Draft<'_>, build: Build) {
    draft.key = format!("board-build-{}", word(&build));
    match build {
        Build::Repair { work, worker } | Build::Upgrade { work, worker } => {
            draft.by(worker);
            draft.work(work);
        }
        Build::Shorten { work, length, worker } => {
            draft.by(worker);
            draft.work(work);
            draft.fact("length", i64::from(length));
        }
        Build::Remove { work } => draft.work(work),
        Build::New { kind, pose, worker } => {
            draft.key = format!("board-build-{}", kind_word(kind));
            draft.by(worker);
            draft.dig(kind, pose);
        }
        Build::Redoubt { redoubt, facing, worker } => {
            draft.by(worker);
            if let Some(pose) = GROUND.redoubt(redoubt, facing) {
                draft.dig(WorkKind::Battery, pose);
            }
            draft.fact("redoubt", i64::from(redoubt.0) + 1);
        }
        Build::Mine { pose } => draft.dig(WorkKind::Sap, pose),
    }
}

fn trench_move(draft: &mut Draft<'_>, siege_move: SiegeMove) {
    draft.key = format!("board-siege-{}", word(&siege_move));
    match siege_move {
        SiegeMove::Network { unit, to } | SiegeMove::Through { unit, to } => {
            draft.by(unit);
            draft.work(to);
        }
        SiegeMove::Open { unit, with, to, .. } => {
            draft.by_all([Some(unit), with].into_iter().flatten().collect());
            match to {
                OpenEnd::Work(work) => draft.work(work),
                OpenEnd::Spot(spot) => draft.place(Place::Open(spot)),
                OpenEnd::Wall(point) => draft.wall(point),
                OpenEnd::Concentration => draft.place(Place::Concentration),
            }
        }
        SiegeMove::Back { unit } => {
            draft.by(unit);
            draft.place(Place::Concentration);
        }
        SiegeMove::Box { unit } => {
            draft.by(unit);
            draft.place(Place::KalkeBox);
        }
        SiegeMove::IntoKalke { unit } => {
            draft.by(unit);
            draft.place(Place::Kalke);
        }
        SiegeMove::OutOfKalke { unit } => draft.by(unit),
    }
}
