//! What may be decided, as a reader meets it: a sentence, who acts, on what, and where that lies.

use kernel::board::{Choice, Pose, Sense, Spot as OnSheet, ThingId};
use kernel::{Fact, Measure, Saying};
use rulebook::phrase::danzig_board as words;

use super::names::{
    heading_name, hex_name, kind_word, phrase, place_name, unit_name, unit_names, unit_thing, word, work_name,
};
use super::price::spared;
use super::{OPS, SIEGE};
use crate::action::Action;
use crate::draw::ops::hex_centre;
use crate::draw::siege::metres;
use crate::ops::{Goal, Hex, Stride};
use crate::siege::{
    BatteryTarget, Build, GROUND, GarrisonMove, GunTarget, OpenEnd, Pose as Lie, SiegeMove, SortieTarget,
    Spot, WallId, WorkId, WorkKind,
};
use crate::state::{Hand, Owed, State};
use crate::unit::{Place, UnitId, UnitSet};

/// Where the mark of the concentration area is drawn.
pub(super) fn zone_mark() -> Spot {
    Spot::metres(900, 240)
}

/// A thing with the place of its mark, if it has one.
type Marked = (ThingId, Option<(&'static str, OnSheet)>);

fn thing_of(place: Place) -> Option<Marked> {
    let siege = |spot: Spot| Some((SIEGE, metres(spot)));
    Some(match place {
        Place::Hex(hex) | Place::Crossing(hex) => of_hex(hex),
        Place::Wall(point) | Place::Green(point) => of_wall(point),
        Place::Kalke | Place::KalkeBox => ("kalke".to_owned(), siege(GROUND.kalke_guns)),
        Place::Concentration => ("zone".to_owned(), siege(zone_mark())),
        Place::Reserve => ("city".to_owned(), siege(Spot::metres(1310, 1800))),
        Place::Open(spot) => (format!("s:{},{}", spot.x, spot.y), siege(spot)),
        Place::Work(work) => (format!("k:{}", work.0), None),
        Place::Away | Place::Waiting | Place::Eliminated => return None,
    })
}

fn of_hex(hex: Hex) -> Marked {
    (format!("h:{hex}"), Some((OPS, hex_centre(hex))))
}

fn of_wall(point: WallId) -> Marked {
    (format!("w:{}", point.code()), Some((SIEGE, metres(GROUND.point(point)))))
}

/// A choice being put together.
struct Draft<'a> {
    state: &'a State,
    facts: Vec<Fact>,
    subjects: Vec<ThingId>,
    object: Option<ThingId>,
    at: Option<(&'static str, OnSheet)>,
    pose: Option<Pose>,
    key: String,
}

impl Draft<'_> {
    fn by(&mut self, unit: UnitId) {
        self.by_all(UnitSet::of(unit));
    }

    fn by_all(&mut self, units: UnitSet) {
        self.subjects.extend(units.iter().map(unit_thing));
        self.fact("unit", unit_names(units));
    }

    fn fact(&mut self, name: &'static str, value: impl Into<Measure>) {
        self.facts.push(Fact { name, value: value.into() });
    }

    fn hex(&mut self, hex: Hex) {
        (self.object, self.at) = some(of_hex(hex));
        self.fact("to", hex_name(hex));
    }

    fn wall(&mut self, point: WallId) {
        (self.object, self.at) = some(of_wall(point));
        let level = self.state.table.siege.wall(point).level;
        self.fact("to", format!("{} ({level})", point.code()));
    }

    fn work(&mut self, id: WorkId) {
        self.object = Some(format!("k:{}", id.0));
        self.at = self.state.table.siege.work(id).map(|work| (SIEGE, metres(work.pose.at)));
        self.fact("to", work_name(self.state, id));
    }

    fn place(&mut self, place: Place) {
        if let Place::Work(id) = place {
            return self.work(id);
        }
        if let Some((thing, at)) = thing_of(place) {
            (self.object, self.at) = (Some(thing), at);
        }
        self.fact("to", place_name(self.state, place));
    }

    fn gun_target(&mut self, target: GunTarget) {
        match target {
            GunTarget::Wall(point) => self.wall(point),
            GunTarget::Kalke(side) => {
                self.object = Some(format!("kalke:{side:?}"));
                self.at = Some((SIEGE, metres(target.spot())));
                self.fact("to", format!("Kalke {side:?}"));
            }
        }
    }

    fn facing(&mut self, degrees: u16) {
        self.fact("facing", i64::from(degrees));
    }

    fn dig(&mut self, kind: WorkKind, pose: Lie) {
        self.at = Some((SIEGE, metres(pose.at)));
        self.pose = Some(Pose {
            tool: kind_word(kind),
            at: (f64::from(pose.at.x) / 10.0, f64::from(pose.at.y) / 10.0),
            facing: pose.facing.get(),
            length: pose.length.into(),
        });
        self.fact("facing", i64::from(pose.facing.get()));
        self.fact("x", i64::from(pose.at.x) / 10);
        self.fact("y", i64::from(pose.at.y) / 10);
    }
}

fn some<A, B>((a, b): (A, Option<B>)) -> (Option<A>, Option<B>) {
    (Some(a), b)
}

/// What an order is to whoever gives it.
const fn sense(action: &Action) -> Sense {
    match action {
        Action::TakeUp { .. } | Action::EnterMap { .. } => Sense::Take,
        Action::MarchAlong(_) => Sense::March,
        Action::March(_) => Sense::Step,
        Action::PutDown => Sense::Stop,
        Action::FireSiegeGun { .. }
        | Action::FireBattery { .. }
        | Action::Fire(_)
        | Action::DefensiveFire(_)
        | Action::Melee(_) => Sense::Shot,
        Action::RepairWall { .. } | Action::EnfiladeFire { .. } => Sense::Aim,
        Action::EndPhase | Action::Decline | Action::SetUpDone => Sense::Pass,
        Action::Pass => Sense::Forgo,
        _ => Sense::Deed,
    }
}

/// Whether an order changes nothing for good: it is carried out at once and can be taken back.
const fn is_at_once(action: &Action) -> bool {
    matches!(
        action,
        Action::MarchAlong(_)
            | Action::March(_)
            | Action::TakeUp { .. }
            | Action::EnterMap { .. }
            | Action::SetCityUnit { .. }
            | Action::SetOutsideUnit { .. }
            | Action::SetBattery { .. }
            | Action::PlaceKamenski { .. }
    )
}

/// What an action is to a reader.
pub(super) fn choice(state: &State, action: &Action) -> Choice {
    let kind = word(action);
    let mut draft = Draft {
        state,
        facts: Vec::new(),
        subjects: Vec::new(),
        object: None,
        at: None,
        pose: None,
        key: format!("act-{kind}"),
    };
    fill(&mut draft, action);
    let Draft { facts, subjects, object, at, pose, key, .. } = draft;
    Choice {
        heading: phrase(&format!("kind-{kind}")),
        kind,
        label: Saying { phrase: phrase(&key), facts },
        subjects,
        object,
        at,
        pose,
        sense: sense(action),
        at_once: is_at_once(action),
        in_a_row: matches!(action, Action::Build(Build::Repair { .. }) | Action::RepairWall { .. }),
    }
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
                Some(Goal::City) => "-city",
                Some(Goal::Fort) => "-fort",
                Some(_) => "-back",
            });
        }
        Action::ChooseOccupier { unit } => match unit {
            Some(unit) => draft.by(unit),
            None => draft.key.push_str("-nobody"),
        },
        Action::TakeUp { units } => draft.by_all(units),
        Action::MarchAlong(route) => {
            draft.by_all(route.units);
            draft.place(route.end(&draft.state.table));
            // It is decided where it begins.
            let start = route.entry.or_else(|| route.start(&draft.state.table));
            draft.at = start.map(|hex| (OPS, hex_centre(hex))).or(draft.at);
            if route.entry.is_some() {
                draft.key.push_str("-enter");
            }
        }
        Action::March(stride) => march(draft, stride),
        Action::Charge(charge) => {
            draft.by_all(charge.units);
            draft.hex(charge.target);
        }
        Action::React { unit, reaction } => {
            draft.by(unit);
            draft.key = format!("react-{}", word(&reaction));
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
        Action::NameLastHalf { side } => draft.key = format!("last-{}", word(&side)),
        Action::FireSiegeGun { gun, target } => {
            draft.by(gun);
            draft.gun_target(target);
        }
        Action::Bombard { gun, target, shots } => {
            draft.by(gun);
            draft.gun_target(target);
            draft.fact("shots", i64::from(shots));
        }
        Action::Build(build) => dig(draft, build, spared(draft.state, build)),
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
            let mut groups = Vec::new();
            for group in sortie.groups.into_iter().flatten() {
                draft.subjects.push(unit_thing(group.unit));
                draft.subjects.extend(group.with.map(unit_thing));
                let target = match group.target {
                    SortieTarget::Work(id) => {
                        draft.work(id);
                        work_name(draft.state, id)
                    }
                    SortieTarget::Kalke(side) => format!("Kalke {side:?}").into(),
                };
                let group = Saying::new(words::GROUP).with("unit", unit_name(group.unit)).with("to", target);
                groups.push(group);
            }
            // One after the other, as in a list of few.
            let all = groups
                .into_iter()
                .reduce(|before, last| Saying::new(words::GROUPS).with("before", before).with("last", last));
            draft.facts.clear();
            draft.facts.extend(all.map(|all| Fact { name: "groups", value: all.into() }));
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
    draft.key = format!("stride-{kind}");
    match stride {
        Stride::Go(heading) => match from.and_then(|hex| hex.beyond(heading)) {
            Some(hex) => draft.hex(hex),
            None => draft.fact("to", heading_name(heading)),
        },
        Stride::Turn(heading) => {
            draft.fact("to", heading_name(heading));
        }
        Stride::Form(formation) => {
            draft.fact("to", phrase(&format!("formation-{}", word(&formation))));
        }
        Stride::LeaveCity(gate) => draft.fact("to", format!("{gate:?}")),
        Stride::LeaveConcentration(hex) => draft.hex(hex),
        Stride::EnterConcentration => draft.place(Place::Concentration),
        Stride::FortFerry | Stride::DestroyBridge => {}
    }
}

/// A work, by whoever is best spared for it if somebody is.
fn dig(draft: &mut Draft<'_>, build: Build, spared: Option<UnitId>) {
    draft.key = format!("build-{}", word(&build));
    match build {
        Build::Repair { work, worker } | Build::Upgrade { work, worker } => {
            draft.by(spared.unwrap_or(worker));
            draft.work(work);
        }
        Build::Shorten { work, length, worker } => {
            draft.by(worker);
            draft.work(work);
            draft.fact("length", i64::from(length));
        }
        Build::Remove { work } => draft.work(work),
        Build::New { kind, pose, worker } => {
            draft.key = format!("build-{}", kind_word(kind));
            draft.by(spared.unwrap_or(worker));
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
    draft.key = format!("siege-{}", word(&siege_move));
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
