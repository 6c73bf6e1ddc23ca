//! How the game is told: every decision and the situation as phrases with facts. The words are in
//! the rulebook, in both languages.

use kernel::{Measure, Phrase, Saying, Told};
use rulebook::phrase::danzig_say as say;

use crate::action::Action;
use crate::ops::{Goal, Heading, Reaction, Route, Stride};
use crate::siege::{
    BatteryTarget, Build, GarrisonMove, GunTarget, OpenEnd, SiegeMove, Sortie, SortieTarget, Spot, WorkId,
    WorkKind,
};
use crate::state::{Outcome, Phase, Score, State};
use crate::unit::{Formation, Place, Side, UnitId, UnitSet};

/// The label of a counter.
fn unit(id: UnitId) -> Measure {
    id.data().label.into()
}

/// The labels of a stack.
fn units(set: UnitSet) -> Measure {
    let labels: Vec<&str> = set.iter().map(|id| id.data().label).collect();
    labels.join(" + ").into()
}

/// A place by its code on the maps.
fn place(place: Place) -> Measure {
    match place {
        Place::Away | Place::Waiting => say::PLACE_AWAY.into(),
        Place::Eliminated => say::PLACE_LOST.into(),
        Place::Hex(hex) | Place::Crossing(hex) => hex.to_string().into(),
        Place::Reserve => say::PLACE_CITY.into(),
        Place::Wall(point) | Place::Green(point) => point.into(),
        Place::Kalke | Place::KalkeBox => say::PLACE_KALKE.into(),
        Place::Concentration => say::PLACE_CONCENTRATION.into(),
        Place::Work(work) => format!("#{}", work.number()).into(),
        Place::Open(spot) => at(spot),
    }
}

const fn heading(heading: Heading) -> Phrase {
    match heading {
        Heading::East => say::HEADING_EAST,
        Heading::SouthEast => say::HEADING_SOUTH_EAST,
        Heading::SouthWest => say::HEADING_SOUTH_WEST,
        Heading::West => say::HEADING_WEST,
        Heading::NorthWest => say::HEADING_NORTH_WEST,
        Heading::NorthEast => say::HEADING_NORTH_EAST,
    }
}

const fn formation(formation: Formation) -> Phrase {
    match formation {
        Formation::Column => say::FORMATION_COLUMN,
        Formation::Line => say::FORMATION_LINE,
        Formation::Square => say::FORMATION_SQUARE,
        Formation::Skirmish => say::FORMATION_SKIRMISH,
        Formation::Adapted => say::FORMATION_ADAPTED,
        Formation::Formed => say::FORMATION_FORMED,
        Formation::Blown => say::FORMATION_BLOWN,
        Formation::Limbered => say::FORMATION_LIMBERED,
        Formation::Unlimbered => say::FORMATION_UNLIMBERED,
    }
}

/// The name of a step of the turn.
#[must_use]
pub const fn phase(phase: Phase) -> Phrase {
    match phase {
        Phase::SetUp => say::PHASE_SET_UP,
        Phase::BridgeDeclare => say::PHASE_BRIDGE_DECLARE,
        Phase::Benningsen => say::PHASE_BENNINGSEN,
        Phase::Dauntless => say::PHASE_DAUNTLESS,
        Phase::ArrivalsFrench => say::PHASE_ARRIVALS_FRENCH,
        Phase::ArrivalsKamenski => say::PHASE_ARRIVALS_KAMENSKI,
        Phase::ReplacementFrench => say::PHASE_REPLACEMENT_FRENCH,
        Phase::ReplacementPrussian => say::PHASE_REPLACEMENT_PRUSSIAN,
        Phase::BatteryRepair | Phase::LateBatteryRepair => say::PHASE_BATTERY_REPAIR,
        Phase::Retreat => say::PHASE_RETREAT,
        Phase::Half => say::PHASE_HALF,
        Phase::Move => say::PHASE_MOVE,
        Phase::Redoubt => say::PHASE_REDOUBT,
        Phase::DefensiveFire => say::PHASE_DEFENSIVE_FIRE,
        Phase::Fire => say::PHASE_FIRE,
        Phase::Melee => say::PHASE_MELEE,
        Phase::Repetition => say::PHASE_REPETITION,
        Phase::LastHalf => say::PHASE_LAST_HALF,
        Phase::DesertionRoll | Phase::Desertion => say::PHASE_DESERTION,
        Phase::Mine => say::PHASE_MINE,
        Phase::Mortars => say::PHASE_MORTARS,
        Phase::Guns => say::PHASE_GUNS,
        Phase::Repair => say::PHASE_REPAIR,
        Phase::Build => say::PHASE_BUILD,
        Phase::Enfilade => say::PHASE_ENFILADE,
        Phase::SiegeMove => say::PHASE_SIEGE_MOVE,
        Phase::Assault => say::PHASE_ASSAULT,
        Phase::GarrisonMove => say::PHASE_GARRISON_MOVE,
        Phase::BatteryFire => say::PHASE_BATTERY_FIRE,
        Phase::WallRepair => say::PHASE_WALL_REPAIR,
        Phase::Countermine => say::PHASE_COUNTERMINE,
        Phase::Sortie => say::PHASE_SORTIE,
        Phase::SortieFire => say::PHASE_SORTIE_FIRE,
        Phase::Defenders => say::PHASE_DEFENDERS,
        Phase::SortieMelee => say::PHASE_SORTIE_MELEE,
        Phase::CounterAttack => say::PHASE_COUNTER_ATTACK,
        Phase::CounterAttackFire => say::PHASE_COUNTER_ATTACK_FIRE,
        Phase::GameOver => say::PHASE_GAME_OVER,
    }
}

fn stride(stride: Stride) -> Saying {
    match stride {
        Stride::Go(to) => Saying::new(say::STRIDE_GO).with("heading", heading(to)),
        Stride::Turn(to) => Saying::new(say::STRIDE_TURN).with("heading", heading(to)),
        Stride::Form(as_) => Saying::new(say::STRIDE_FORM).with("formation", formation(as_)),
        Stride::FortFerry => Saying::new(say::STRIDE_FORT_FERRY),
        Stride::LeaveCity(gate) => Saying::new(say::STRIDE_LEAVE_CITY).with("gate", format!("{gate:?}")),
        Stride::EnterConcentration => Saying::new(say::STRIDE_ENTER_CONCENTRATION),
        Stride::LeaveConcentration(hex) => {
            Saying::new(say::STRIDE_LEAVE_CONCENTRATION).with("hex", hex.to_string())
        }
        Stride::DestroyBridge => Saying::new(say::STRIDE_DESTROY_BRIDGE),
    }
}

/// A whole march: who, and where to.
fn march(state: &State, route: &Route) -> Saying {
    let to = place(route.end(&state.table));
    let phrase = if route.entry.is_some() { say::ENTER_AND_MARCH } else { say::MARCH_ALONG };
    Saying::new(phrase).with("units", units(route.units)).with("place", to)
}

fn gun_target(target: GunTarget) -> Measure {
    match target {
        GunTarget::Wall(point) => point.into(),
        GunTarget::Kalke(side) => format!("Kalke {side:?}").into(),
    }
}

fn battery_target(target: BatteryTarget) -> Measure {
    match target {
        BatteryTarget::Work(work) => place(Place::Work(work)),
        BatteryTarget::Open(spot) => place(Place::Open(spot)),
        BatteryTarget::Wall(point) => point.into(),
        BatteryTarget::Kalke => say::PLACE_KALKE.into(),
    }
}

const fn side(side: Side) -> Phrase {
    match side {
        Side::French => say::SIDE_FRENCH,
        Side::Prussian => say::SIDE_PRUSSIAN,
    }
}

/// Where a counter lies, in metres from the corner of the siege map.
fn at(spot: Spot) -> Measure {
    format!("({}, {}) m", spot.x / 10, spot.y / 10).into()
}

fn work(id: WorkId) -> Measure {
    place(Place::Work(id))
}

fn build_saying(build: &Build) -> Saying {
    match *build {
        Build::Repair { work: id, worker } => {
            Saying::new(say::BUILD_REPAIR).with("unit", unit(worker)).with("work", work(id))
        }
        Build::New { kind, pose, worker } => Saying::new(say::BUILD_NEW)
            .with("unit", unit(worker))
            .with(
                "kind",
                match kind {
                    WorkKind::Sap => say::WORK_SAP,
                    WorkKind::Parallel => say::WORK_PARALLEL,
                    WorkKind::Battery => say::WORK_BATTERY,
                },
            )
            .with("at", at(pose.at))
            .with("facing", pose.facing.get())
            .with("points", build.points()),
        Build::Upgrade { work: id, worker } => {
            Saying::new(say::BUILD_UPGRADE).with("unit", unit(worker)).with("work", work(id))
        }
        Build::Redoubt { redoubt, facing, worker } => Saying::new(say::BUILD_REDOUBT_BATTERY)
            .with("unit", unit(worker))
            .with("redoubt", redoubt.0 + 1)
            .with("facing", facing.get()),
        Build::Shorten { work: id, length, worker } => Saying::new(say::BUILD_SHORTEN)
            .with("unit", unit(worker))
            .with("work", work(id))
            .with("length", length),
        Build::Mine { pose } => {
            Saying::new(say::BUILD_MINE).with("at", at(pose.at)).with("facing", pose.facing.get())
        }
        Build::Remove { work: id } => Saying::new(say::BUILD_REMOVE).with("work", work(id)),
    }
}

fn siege_move_saying(step: &SiegeMove) -> Saying {
    match *step {
        SiegeMove::Network { unit: id, to } => {
            Saying::new(say::MOVE_NETWORK).with("unit", unit(id)).with("work", work(to))
        }
        SiegeMove::Back { unit: id } => Saying::new(say::MOVE_BACK).with("unit", unit(id)),
        SiegeMove::Through { unit: id, to } => {
            Saying::new(say::MOVE_THROUGH).with("unit", unit(id)).with("work", work(to))
        }
        SiegeMove::Open { unit: id, with, to, .. } => {
            let to = match to {
                OpenEnd::Work(id) => work(id),
                OpenEnd::Spot(spot) => at(spot),
                OpenEnd::Wall(point) => point.into(),
                OpenEnd::Concentration => say::PLACE_CONCENTRATION.into(),
            };
            Saying::new(say::MOVE_OPEN).with("units", pair(id, with)).with("place", to)
        }
        SiegeMove::Box { unit: id } => Saying::new(say::MOVE_BOX).with("unit", unit(id)),
        SiegeMove::IntoKalke { unit: id } => Saying::new(say::MOVE_INTO_KALKE).with("unit", unit(id)),
        SiegeMove::OutOfKalke { unit: id } => Saying::new(say::MOVE_OUT_OF_KALKE).with("unit", unit(id)),
    }
}

/// The labels of one or two counters.
fn pair(first: UnitId, second: Option<UnitId>) -> String {
    match second {
        Some(second) => format!("{} + {}", first.data().label, second.data().label),
        None => first.data().label.to_owned(),
    }
}

fn garrison_saying(step: &GarrisonMove) -> Saying {
    match *step {
        GarrisonMove::Infantry { unit: id, to } => {
            Saying::new(say::GARRISON_INFANTRY).with("unit", unit(id)).with("place", place(to))
        }
        GarrisonMove::Battery { battery, to, facing } => Saying::new(say::GARRISON_BATTERY)
            .with("unit", unit(battery))
            .with("place", to)
            .with("facing", facing),
        GarrisonMove::Pivot { battery, facing } => {
            Saying::new(say::GARRISON_PIVOT).with("unit", unit(battery)).with("facing", facing)
        }
    }
}

fn sortie_saying(sortie: &Sortie) -> Saying {
    let groups: Vec<String> = sortie
        .groups
        .iter()
        .flatten()
        .map(|group| {
            let target = match group.target {
                SortieTarget::Work(id) => format!("#{}", id.number()),
                SortieTarget::Kalke(side) => format!("Kalke {side:?}"),
            };
            format!("{} → {target}", pair(group.unit, group.with))
        })
        .collect();
    Saying::new(say::SORTIE_WITH).with("groups", groups.join(", "))
}

impl Told for State {
    fn standing(&self) -> Vec<Saying> {
        let stores = &self.table.danzig;
        vec![
            Saying::new(say::STANDING)
                .with("turn", self.table.turn)
                .with("round", self.clock.round)
                .with("phase", phase(self.phase)),
            Saying::new(say::STORES)
                .with("morale", stores.morale)
                .with("twenty_four", stores.ammunition_24)
                .with("twelve", stores.ammunition_12)
                .with("construction", stores.construction)
                .with("repairs", stores.repair_pool),
        ]
    }

    fn name(of: Side) -> Phrase {
        side(of)
    }

    fn ending(outcome: &Outcome) -> Saying {
        if outcome.cut.is_some() && outcome.surrendered.is_none() {
            return Saying::new(match outcome.result {
                Score::FrenchVictory => say::CUT_WON_FRENCH,
                _ => say::CUT_WON_PRUSSIAN,
            });
        }
        let phrase = match outcome.result {
            Score::FrenchVictory => say::WON_FRENCH,
            Score::Draw => say::WON_DRAW,
            Score::PrussianMinor => say::WON_PRUSSIAN_MINOR,
            Score::PrussianMajor => return Saying::new(say::WON_PRUSSIAN_MAJOR),
        };
        Saying::new(phrase).with("turn", outcome.surrendered.unwrap_or_default())
    }

    fn kind(action: &Action) -> Saying {
        Saying::new(match action {
            Action::SetCityUnit { .. }
            | Action::SetOutsideUnit { .. }
            | Action::SetBattery { .. }
            | Action::SetUpTheRest
            | Action::SetUpDone => say::KIND_SET_UP,
            Action::EndPhase | Action::Decline | Action::PutDown => say::KIND_STEP,
            Action::Postpone { .. }
            | Action::PlaceKamenski { .. }
            | Action::ReplaceFrench { .. }
            | Action::ReplacePrussian { .. }
            | Action::EnterMap { .. } => say::KIND_ARRIVALS,
            Action::RollBenningsen
            | Action::RollDauntless
            | Action::RollDesertion
            | Action::ClaimRepetition
            | Action::Countermine => say::KIND_DICE,
            Action::RepairBattery { .. } | Action::RepairWall { .. } => say::KIND_REPAIR,
            Action::Pass | Action::PlayHalf | Action::NameLastHalf { .. } => say::KIND_HALF,
            Action::TakeUp { .. } => say::KIND_TAKE_UP,
            Action::MarchAlong(_) | Action::March(_) | Action::Retreat { .. } => say::KIND_MARCH,
            Action::Charge(_) | Action::React { .. } => say::KIND_CHARGE,
            Action::OpportunityShot { .. } | Action::DefensiveFire(_) | Action::Fire(_) => say::KIND_FIRE,
            Action::Melee(_) | Action::GiveWay { .. } | Action::Occupy { .. } => say::KIND_MELEE,
            Action::BoatsStart { .. } | Action::DeclareBridge { .. } | Action::BuildRedoubt { .. } => {
                say::KIND_BOATS
            }
            Action::Desert { .. }
            | Action::TakeLoss { .. }
            | Action::DisplaceBattery { .. }
            | Action::PlaceExcess { .. }
            | Action::ChooseOccupier { .. } => say::KIND_LOSSES,
            Action::ExplodeMine
            | Action::FireMortar { .. }
            | Action::FireSiegeGun { .. }
            | Action::Bombard { .. }
            | Action::EnfiladeFire { .. }
            | Action::OpportunityFire
            | Action::FireBattery { .. }
            | Action::FieldFire { .. }
            | Action::CounterAttackFire { .. } => say::KIND_SIEGE_GUN,
            Action::Build(_) => say::KIND_BUILD,
            Action::SiegeMove(_) => say::KIND_SIEGE_MOVE,
            Action::Assault(_) => say::KIND_ASSAULT,
            Action::Garrison(_) => say::KIND_GARRISON,
            Action::Muster { .. } | Action::Dismiss { .. } => say::KIND_MUSTER,
            Action::DeclareSortie(_) | Action::CommitDefender { .. } => say::KIND_SORTIE,
            Action::DeclareCounterAttack(_) => say::KIND_COUNTER_ATTACK,
        })
    }

    fn tell(&self, action: &Action) -> Saying {
        match *action {
            Action::SetCityUnit { unit: id, place: to } => {
                Saying::new(say::SET_UNIT).with("unit", unit(id)).with("place", place(to))
            }
            Action::SetOutsideUnit { unit: id, hex } => {
                Saying::new(say::SET_UNIT).with("unit", unit(id)).with("place", hex.to_string())
            }
            Action::SetBattery { battery, place: to, facing } => Saying::new(say::SET_BATTERY)
                .with("unit", unit(battery))
                .with("place", place(to))
                .with("facing", facing),
            Action::SetUpTheRest => Saying::new(say::SET_UP_THE_REST),
            Action::SetUpDone => Saying::new(say::SET_UP_DONE),
            Action::EndPhase => Saying::new(say::END_PHASE),
            Action::DeclareBridge { unit: id, across } => {
                Saying::new(say::DECLARE_BRIDGE).with("unit", unit(id)).with("hex", across.to_string())
            }
            Action::RollBenningsen => Saying::new(say::ROLL_BENNINGSEN),
            Action::RollDauntless => Saying::new(say::ROLL_DAUNTLESS),
            Action::Postpone { unit: id } => Saying::new(say::POSTPONE).with("unit", unit(id)),
            Action::PlaceKamenski { unit: id, hex } => {
                Saying::new(say::PLACE_KAMENSKI).with("unit", unit(id)).with("hex", hex.to_string())
            }
            Action::ReplaceFrench { unit: id } | Action::ReplacePrussian { unit: id } => {
                Saying::new(say::REPLACE).with("unit", unit(id))
            }
            Action::RepairBattery { battery, point, facing } => Saying::new(say::REPAIR_BATTERY)
                .with("unit", unit(battery))
                .with("place", point)
                .with("facing", facing),
            Action::Pass => Saying::new(say::PASS),
            Action::PlayHalf => Saying::new(say::PLAY_HALF),
            Action::EnterMap { unit: id, hex } => {
                Saying::new(say::ENTER_MAP).with("unit", unit(id)).with("hex", hex.to_string())
            }
            Action::TakeUp { units: set } => {
                let at = set.iter().next().map_or(Place::Away, |id| self.table.unit(id).place);
                Saying::new(say::TAKE_UP).with("units", units(set)).with("place", place(at))
            }
            Action::MarchAlong(route) => march(self, &route),
            Action::March(step) => stride(step),
            Action::PutDown => Saying::new(say::PUT_DOWN),
            Action::OpportunityShot { firer } => Saying::new(say::OPPORTUNITY_SHOT).with("unit", unit(firer)),
            Action::Decline => Saying::new(say::DECLINE),
            Action::Charge(charge) => Saying::new(say::CHARGE)
                .with("units", units(charge.units))
                .with("hex", charge.target.to_string())
                .with("heading", heading(charge.heading)),
            Action::React { unit: id, reaction } => Saying::new(match reaction {
                Reaction::Stand => say::REACT_STAND,
                Reaction::Square => say::REACT_SQUARE,
                Reaction::Countercharge => say::REACT_COUNTERCHARGE,
                Reaction::Evade => say::REACT_EVADE,
            })
            .with("unit", unit(id)),
            Action::BoatsStart { units: set, across } => {
                Saying::new(say::BOATS_START).with("units", units(set)).with("hex", across.to_string())
            }
            Action::Retreat { unit: id, goal } => Saying::new(match goal {
                None => say::RETREAT_STAY,
                Some(Goal::City) => say::RETREAT_CITY,
                Some(Goal::Fort) => say::RETREAT_FORT,
                Some(Goal::WestEdge | Goal::EastEntry) => say::RETREAT_BACK,
            })
            .with("unit", unit(id)),
            Action::BuildRedoubt { unit: id } => Saying::new(say::BUILD_REDOUBT).with("unit", unit(id)),
            Action::DefensiveFire(attack) | Action::Fire(attack) => Saying::new(say::FIRE_AT)
                .with("units", units(attack.firers))
                .with("hex", attack.target.to_string()),
            Action::Melee(melee) => Saying::new(say::MELEE_AT)
                .with("units", units(melee.attackers))
                .with("hex", melee.target.to_string()),
            Action::GiveWay { unit: id, to: Some(hex) } => {
                Saying::new(say::GIVE_WAY).with("unit", unit(id)).with("hex", hex.to_string())
            }
            Action::GiveWay { unit: id, to: None } => Saying::new(say::STAND_FAST).with("unit", unit(id)),
            Action::Occupy { from: Some(hex) } => Saying::new(say::OCCUPY).with("hex", hex.to_string()),
            Action::Occupy { from: None } => Saying::new(say::OCCUPY_NOBODY),
            Action::ClaimRepetition => Saying::new(say::CLAIM_REPETITION),
            Action::NameLastHalf { side: who } => Saying::new(say::NAME_LAST_HALF).with("side", side(who)),
            Action::RollDesertion => Saying::new(say::ROLL_DESERTION),
            Action::Desert { unit: id } => Saying::new(say::DESERT).with("unit", unit(id)),
            Action::TakeLoss { unit: id } => Saying::new(say::TAKE_LOSS).with("unit", unit(id)),
            Action::DisplaceBattery { battery, point, facing } => Saying::new(say::DISPLACE_BATTERY)
                .with("unit", unit(battery))
                .with("place", point)
                .with("facing", facing),
            Action::PlaceExcess { unit: id, to } => {
                Saying::new(say::PLACE_EXCESS).with("unit", unit(id)).with("place", place(to))
            }
            Action::ChooseOccupier { unit: Some(id) } => {
                Saying::new(say::CHOOSE_OCCUPIER).with("unit", unit(id))
            }
            Action::ChooseOccupier { unit: None } => Saying::new(say::CHOOSE_NOBODY),
            Action::ExplodeMine => Saying::new(say::EXPLODE_MINE),
            Action::FireMortar { mortar } => Saying::new(say::FIRE_MORTAR).with("unit", unit(mortar)),
            Action::FireSiegeGun { gun, target } => {
                Saying::new(say::FIRE_SIEGE_GUN).with("unit", unit(gun)).with("target", gun_target(target))
            }
            Action::Bombard { gun, target, shots } => Saying::new(say::BOMBARD)
                .with("unit", unit(gun))
                .with("target", gun_target(target))
                .with("shots", shots),
            Action::Build(build) => build_saying(&build),
            Action::EnfiladeFire { work } => {
                Saying::new(say::ENFILADE_FIRE).with("work", place(Place::Work(work)))
            }
            Action::SiegeMove(step) => siege_move_saying(&step),
            Action::OpportunityFire => Saying::new(say::OPPORTUNITY_FIRE),
            Action::Assault(assault) => Saying::new(say::ASSAULT)
                .with("units", units(assault.units))
                .with("target", gun_target(assault.at)),
            Action::Garrison(step) => garrison_saying(&step),
            Action::FireBattery { battery, target } => Saying::new(say::FIRE_BATTERY)
                .with("unit", unit(battery))
                .with("target", battery_target(target)),
            Action::RepairWall { point } => Saying::new(say::REPAIR_WALL).with("point", point),
            Action::Countermine => Saying::new(say::COUNTERMINE),
            Action::Muster { unit: id } => Saying::new(say::MUSTER).with("unit", unit(id)),
            Action::Dismiss { unit: id } => Saying::new(say::DISMISS).with("unit", unit(id)),
            Action::DeclareSortie(sortie) => sortie_saying(&sortie),
            Action::FieldFire { battery, group } => {
                Saying::new(say::FIELD_FIRE).with("unit", unit(battery)).with("group", group + 1)
            }
            Action::CommitDefender { unit: id, work } => Saying::new(say::COMMIT_DEFENDER)
                .with("unit", unit(id))
                .with("work", place(Place::Work(work))),
            Action::DeclareCounterAttack(attack) => Saying::new(say::COUNTER_ATTACK)
                .with("units", units(attack.units))
                .with("target", attack.target),
            Action::CounterAttackFire { battery } => {
                Saying::new(say::COUNTER_ATTACK_FIRE).with("unit", unit(battery))
            }
        }
    }
}
