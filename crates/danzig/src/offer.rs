//! How decisions are offered: which kinds are listed whole, and what each decision is about.

use kernel::{Freedom, Topic};

use crate::action::Action;
use crate::siege::{BatteryTarget, Build, GarrisonMove, SiegeMove, WorkId};
use crate::unit::{UnitId, UnitSet};

/// What a decision is about: a counter, a work or a wall point, by its number within its kind of decision.
enum About {
    Unit(UnitId),
    Units(UnitSet),
    Work(WorkId),
    Point(u8),
    Nothing,
}

impl Action {
    /// Whether all decisions like this one are listed: not where a counter is laid or turned by metres
    /// and degrees, nor where any group of counters may be chosen to go or fight together, nor where the
    /// way or the number of shots is free.
    #[must_use]
    pub fn freedom(&self) -> Freedom {
        match self {
            Self::TakeUp { units } if units.len() > 1 => Freedom::Free,
            Self::SetBattery { .. }
            | Self::RepairBattery { .. }
            | Self::DisplaceBattery { .. }
            | Self::Build(
                Build::New { .. } | Build::Redoubt { .. } | Build::Shorten { .. } | Build::Mine { .. },
            )
            | Self::SiegeMove(SiegeMove::Open { .. })
            | Self::Garrison(GarrisonMove::Battery { .. } | GarrisonMove::Pivot { .. })
            | Self::FireBattery { target: BatteryTarget::Open(_), .. }
            | Self::BoatsStart { .. }
            | Self::MarchAlong(_)
            | Self::Bombard { .. }
            | Self::Charge(_)
            | Self::DefensiveFire(_)
            | Self::Fire(_)
            | Self::Melee(_)
            | Self::Assault(_)
            | Self::DeclareSortie(_)
            | Self::DeclareCounterAttack(_) => Freedom::Free,
            _ => Freedom::Listed,
        }
    }

    /// The kind of this decision and what it is about.
    #[must_use]
    pub fn topic(&self) -> Topic {
        let topic = Topic::named(self);
        let number = |unit: UnitId| u32::try_from(unit.index()).unwrap_or_default();
        match self.about() {
            About::Unit(unit) => topic.about(number(unit)),
            About::Units(units) => units.iter().next().map_or(topic, |unit| topic.about(number(unit))),
            About::Work(work) => topic.about(work.number()),
            About::Point(point) => topic.about(point),
            About::Nothing => topic,
        }
    }

    const fn about(&self) -> About {
        match *self {
            Self::SetCityUnit { unit, .. }
            | Self::SetOutsideUnit { unit, .. }
            | Self::SetBattery { battery: unit, .. }
            | Self::DeclareBridge { unit, .. }
            | Self::Postpone { unit }
            | Self::PlaceKamenski { unit, .. }
            | Self::ReplaceFrench { unit }
            | Self::ReplacePrussian { unit }
            | Self::RepairBattery { battery: unit, .. }
            | Self::Retreat { unit, .. }
            | Self::EnterMap { unit, .. }
            | Self::OpportunityShot { firer: unit }
            | Self::React { unit, .. }
            | Self::BuildRedoubt { unit }
            | Self::GiveWay { unit, .. }
            | Self::Desert { unit }
            | Self::TakeLoss { unit }
            | Self::DisplaceBattery { battery: unit, .. }
            | Self::PlaceExcess { unit, .. }
            | Self::ChooseOccupier { unit: Some(unit) }
            | Self::FireMortar { mortar: unit }
            | Self::FireSiegeGun { gun: unit, .. }
            | Self::Bombard { gun: unit, .. }
            | Self::SiegeMove(
                SiegeMove::Network { unit, .. }
                | SiegeMove::Back { unit }
                | SiegeMove::Through { unit, .. }
                | SiegeMove::Box { unit }
                | SiegeMove::Open { unit, .. },
            )
            | Self::Garrison(
                GarrisonMove::Infantry { unit, .. }
                | GarrisonMove::Battery { battery: unit, .. }
                | GarrisonMove::Pivot { battery: unit, .. },
            )
            | Self::FireBattery { battery: unit, .. }
            | Self::Muster { unit }
            | Self::Dismiss { unit }
            | Self::FieldFire { battery: unit, .. }
            | Self::CommitDefender { unit, .. }
            | Self::CounterAttackFire { battery: unit } => About::Unit(unit),
            Self::TakeUp { units } | Self::BoatsStart { units, .. } => About::Units(units),
            Self::MarchAlong(route) => About::Units(route.units),
            Self::Charge(charge) => About::Units(charge.units),
            Self::DefensiveFire(attack) | Self::Fire(attack) => About::Units(attack.firers),
            Self::Melee(melee) => About::Units(melee.attackers),
            Self::Assault(assault) => About::Units(assault.units),
            Self::DeclareCounterAttack(attack) => About::Units(attack.units),
            Self::Build(
                Build::Repair { work, .. }
                | Build::Upgrade { work, .. }
                | Build::Shorten { work, .. }
                | Build::Remove { work },
            )
            | Self::EnfiladeFire { work } => About::Work(work),
            Self::RepairWall { point } => About::Point(point.0),
            _ => About::Nothing,
        }
    }
}
