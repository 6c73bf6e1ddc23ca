//! Section 5 of the fire chapter: from the base factor and the situation of the target to the
//! factor before the die.

use std::sync::LazyLock;

use kernel::{Centimetres, Clerk, Refusal, Verdict};
use rulebook::options::tabletop::{ArtilleryAtOfficers, Enfilade, Options, PointBlankBonusFromCm};
use rulebook::tables::tabletop_fire as tables;
use rulebook::{phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::weapon::{Calibre, Projectile, SmallArm};
use crate::Arm;

/// How a body stands to fire: deep, in line or in open order (FE-R45).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// More than one rank, square, or no formation at all.
    Mass,
    /// One rank.
    Line,
    /// Skirmishers and foragers.
    Open,
}

/// What shelters a target.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Cover {
    /// Nothing.
    #[default]
    None,
    /// A hedge, a fence, a wood.
    Light,
    /// A wall, a house, a redoubt.
    Hard,
}

/// The order a body is in, from good to bad.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// In formation.
    #[default]
    Formed,
    /// Loosened by the ground; no effect on fire.
    Disorganised,
    /// Without formation.
    Unformed,
    /// In disorder.
    Disordered,
}

/// A target as a fire sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its class, which officers do not have.
    pub class: Option<Class>,
    /// Its arm.
    pub arm: Arm,
    /// Irregular troops.
    pub irregular: bool,
    /// What shelters it from this fire, the better cover only.
    pub cover: Cover,
    /// It is charging the very body that fires.
    pub charging_shooter: bool,
    /// It stands higher on a slope than the shooter.
    pub uphill: bool,
    /// A battery that is unlimbered.
    pub in_position: bool,
    /// The fire comes from its flank; matters only with the option `enfilade`.
    pub on_flank: bool,
}

impl Mark {
    /// Whether depth counts: more than one rank, or a line taken from the flank where the option
    /// says so. Open order, artillery in position and single officers exclude it (FE-R60, FE-R62).
    fn is_deep(&self, options: &Options, clerk: &mut impl Clerk) -> bool {
        match self.class {
            _ if self.battery_in_position() => false,
            Some(Class::Mass) => true,
            Some(Class::Line) => clerk.holds(rule!(FE_R72), self.is_enfiladed(options)),
            Some(Class::Open) | None => false,
        }
    }

    fn is_enfiladed(&self, options: &Options) -> bool {
        options.enfilade == Enfilade::LineCountsAsDeepFromFlank && self.on_flank
    }

    fn is_line(&self, options: &Options) -> bool {
        self.class == Some(Class::Line) && !self.battery_in_position() && !self.is_enfiladed(options)
    }

    fn battery_in_position(&self) -> bool {
        self.arm.is_artillery() && self.in_position
    }
}

/// The factors common to every fire.
struct Common {
    irregular: i32,
    skirmish_order: i32,
    light_cover: i32,
    hard_cover: i32,
    charging: i32,
    uphill: i32,
}

/// The factors of one small arm.
struct Small {
    point_blank: i32,
    beyond_third: i32,
    beyond_two_thirds: i32,
    unformed: i32,
    disordered: i32,
    cuirassiers: i32,
    artillery_in_position: i32,
    deep: i32,
    isolated_officer: i32,
}

/// The factors of one calibre.
struct Gun {
    deep: i32,
    canister: i32,
    artillery_in_position: i32,
    line: i32,
    beyond_half: i32,
    beyond_three_quarters: i32,
}

struct Factors {
    common: Common,
    small: [Small; 3],
    guns: [Gun; 6],
}

static FACTORS: LazyLock<Factors> = LazyLock::new(|| {
    use tables::{FactorsArtilleryId as Ball, FactorsCommonId as Any, FactorsSmallArmsId as Volley};
    let common = |id: Any| id.row().modifier;
    let small = |id: Volley, pick: fn(&tables::FactorsSmallArms) -> i32| pick(id.row());
    let gun = |id: Ball, pick: fn(&tables::FactorsArtillery) -> i32| pick(id.row());
    Factors {
        common: Common {
            irregular: common(Any::TargetIrregular),
            skirmish_order: common(Any::TargetSkirmishOrder),
            light_cover: common(Any::TargetLightCover),
            hard_cover: common(Any::TargetHardCover),
            charging: common(Any::TargetCavalryChargingTheShooter),
            uphill: common(Any::TargetUphill),
        },
        small: [
            |row: &tables::FactorsSmallArms| row.musketoon,
            |row: &tables::FactorsSmallArms| row.musket,
            |row: &tables::FactorsSmallArms| row.rifle,
        ]
        .map(|pick| Small {
            point_blank: small(Volley::TargetPointBlank, pick),
            beyond_third: small(Volley::TargetBeyondThird, pick),
            beyond_two_thirds: small(Volley::TargetBeyondTwoThirds, pick),
            unformed: small(Volley::ShooterUnformed, pick),
            disordered: small(Volley::ShooterDisordered, pick),
            cuirassiers: small(Volley::TargetCuirassiers, pick),
            artillery_in_position: small(Volley::TargetArtilleryInPosition, pick),
            deep: small(Volley::TargetDeeperThanOneRankOrSquare, pick),
            isolated_officer: small(Volley::TargetIsolatedOfficer, pick),
        }),
        guns: [
            |row: &tables::FactorsArtillery| row.cal3,
            |row: &tables::FactorsArtillery| row.cal4,
            |row: &tables::FactorsArtillery| row.cal6,
            |row: &tables::FactorsArtillery| row.cal8,
            |row: &tables::FactorsArtillery| row.cal9,
            |row: &tables::FactorsArtillery| row.cal12,
        ]
        .map(|pick| Gun {
            deep: gun(Ball::TargetDeeperThanOneRankOrSquare, pick),
            canister: gun(Ball::CanisterWithinQuarterRange, pick),
            artillery_in_position: gun(Ball::TargetArtilleryInPosition, pick),
            line: gun(Ball::TargetInLine, pick),
            beyond_half: gun(Ball::TargetBeyondHalfRange, pick),
            beyond_three_quarters: gun(Ball::TargetBeyondThreeQuarterRange, pick),
        }),
    }
});

/// The modifiers that count for every fire (FE-5-01).
fn common(mark: &Mark, clerk: &mut impl Clerk) -> i32 {
    let factors = &FACTORS.common;
    let mut sum = 0;
    if mark.irregular {
        sum += clerk.modifier(rule!(FE_5_02), factors.irregular);
    }
    if mark.class == Some(Class::Open) {
        sum += clerk.modifier(rule!(FE_5_03), factors.skirmish_order);
    }
    match mark.cover {
        Cover::None => {}
        Cover::Light => sum += clerk.modifier(rule!(FE_5_04), factors.light_cover),
        Cover::Hard => sum += clerk.modifier(rule!(FE_5_05), factors.hard_cover),
    }
    if mark.charging_shooter && mark.arm.is_cavalry() {
        sum += clerk.modifier(rule!(FE_5_06), factors.charging);
    }
    if mark.uphill {
        sum += clerk.modifier(rule!(FE_5_07), factors.uphill);
    }
    if sum == 0 {
        sum += clerk.modifier(rule!(FE_5_01), 0);
    }
    sum
}

/// The factor of small arms before the die.
///
/// # Errors
/// When the target is beyond the range.
pub fn small_arms(
    arm: SmallArm,
    base: i32,
    shooter: State,
    mark: &Mark,
    distance: Centimetres,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<i32> {
    let bands = arm.bands();
    if rule!(FE_1_1_01).holds(distance > bands.range) {
        return Err(Refusal::rule(rule!(FE_1_1_01), phrase::tabletop::BEYOND_RANGE)
            .with("distance", distance)
            .with("range", bands.range));
    }
    let factors = &FACTORS.small[arm as usize];
    let from_common = clerk.value(rule!(FE_4_1_01), base) + common(mark, clerk);
    let mut factor = from_common + range_band(arm, distance, options, clerk);
    factor += match shooter {
        State::Formed | State::Disorganised => 0,
        State::Unformed => clerk.modifier(rule!(FE_5_12), factors.unformed),
        State::Disordered => clerk.modifier(rule!(FE_5_13), factors.disordered),
    };
    if mark.arm == Arm::Cuirassiers {
        factor += clerk.modifier(rule!(FE_5_14), factors.cuirassiers);
    }
    if mark.battery_in_position() {
        factor += clerk.modifier(rule!(FE_5_15), factors.artillery_in_position);
    }
    if mark.is_deep(options, clerk) {
        factor += clerk.modifier(rule!(FE_5_16), factors.deep);
    }
    if mark.arm == Arm::Officer {
        factor += clerk.modifier(rule!(FE_5_17), factors.isolated_officer);
    }
    if factor == from_common {
        factor += clerk.modifier(rule!(FE_5_08), 0);
    }
    Ok(clerk.value(rule!(FE_4_1_05), factor))
}

/// The modifier of the distance: the farthest band only (FE-R60); a limit belongs to the nearer
/// band (FE-R21).
fn range_band(arm: SmallArm, distance: Centimetres, options: &Options, clerk: &mut impl Clerk) -> i32 {
    // The rifle is a musket but for its milder penalties of range.
    let milder = arm != SmallArm::Rifle || rule!(FE_1_1_04).holds(true);
    let (bands, row) = (arm.bands(), if milder { arm } else { SmallArm::Musket });
    let factors = &FACTORS.small[row as usize];
    let bonus_from = match options.point_blank_bonus_from_cm {
        PointBlankBonusFromCm::V0 => Centimetres::ZERO,
        PointBlankBonusFromCm::V1 => Centimetres::whole(1),
    };
    if distance > bands.two_thirds {
        clerk.modifier(rule!(FE_5_11), factors.beyond_two_thirds)
    } else if distance > bands.third {
        clerk.modifier(rule!(FE_5_10), factors.beyond_third)
    } else if distance <= bands.point_blank && !clerk.holds(rule!(FE_R13), distance < bonus_from) {
        clerk.modifier(rule!(FE_5_09), factors.point_blank)
    } else {
        clerk.modifier(rule!(FE_5_25), 0)
    }
}

/// Whether a battery may be aimed at a target of this arm.
///
/// # Errors
/// When the option forbids artillery to aim at officers.
pub fn may_aim_guns(at: Arm, options: &Options) -> Verdict<()> {
    let forbidden = at == Arm::Officer && options.artillery_at_officers == ArtilleryAtOfficers::Forbidden;
    if rule!(FE_R62).holds(forbidden) {
        return Err(Refusal::rule(rule!(FE_R62), phrase::tabletop::NO_GUNS_AT_OFFICERS));
    }
    Ok(())
}

/// The factor of a battery before the die. Target and projectile have been declared and the distance
/// measured.
pub fn artillery(
    calibre: Calibre,
    projectile: Projectile,
    base: i32,
    mark: &Mark,
    distance: Centimetres,
    options: &Options,
    clerk: &mut impl Clerk,
) -> i32 {
    let (bands, factors) = (calibre.bands(), &FACTORS.guns[calibre as usize]);
    let from_common = clerk.value(rule!(FE_4_1_01), base) + common(mark, clerk);
    let mut factor = from_common;
    if mark.is_deep(options, clerk) {
        factor += clerk.modifier(rule!(FE_5_19), factors.deep);
    }
    let ball = match projectile {
        Projectile::Canister => false,
        // Ball may be fired within the range of canister: it stays ball.
        Projectile::Ball if distance <= bands.canister => clerk.holds(rule!(FE_3_7_21), true),
        Projectile::Ball => true,
    };
    if !ball {
        factor += clerk.modifier(rule!(FE_5_20), factors.canister);
    }
    if mark.battery_in_position() {
        factor += clerk.modifier(rule!(FE_5_21), factors.artillery_in_position);
    }
    if projectile == Projectile::Ball && mark.is_line(options) {
        factor += clerk.modifier(rule!(FE_5_22), factors.line);
    }
    factor += if distance > bands.three_quarters {
        clerk.modifier(rule!(FE_5_24), factors.beyond_three_quarters)
    } else if distance > bands.half {
        clerk.modifier(rule!(FE_5_23), factors.beyond_half)
    } else {
        clerk.modifier(rule!(FE_5_26), 0)
    };
    if factor == from_common {
        factor += clerk.modifier(rule!(FE_5_18), 0);
    }
    clerk.value(rule!(FE_4_1_05), factor)
}

#[cfg(test)]
mod tests {
    use kernel::{Desk, Scripted, Silent};

    use super::*;

    fn band(arm: SmallArm, hundredths: i32) -> Option<i32> {
        let mark = Mark {
            class: Some(Class::Line),
            arm: Arm::Infantry,
            irregular: false,
            cover: Cover::None,
            charging_shooter: false,
            uphill: false,
            in_position: false,
            on_flank: false,
        };
        let mut desk = Desk::new(Scripted::new(&[]), Silent);
        let distance = Centimetres::hundredths(hundredths);
        small_arms(arm, 0, State::Formed, &mark, distance, &Options::default(), &mut desk).ok()
    }

    #[test]
    fn fe_ex_48_range_modifiers_at_exact_limits() {
        use SmallArm::{Musket, Musketoon, Rifle};
        assert_eq!([500, 501].map(|d| band(Musketoon, d)), [Some(1), Some(-2)]);
        assert_eq!(
            [500, 501, 700, 701, 1400, 1401, 2100, 2101].map(|d| band(Musket, d)),
            [Some(1), Some(0), Some(0), Some(-2), Some(-2), Some(-4), Some(-4), None]
        );
        assert_eq!([1000, 1001, 2001].map(|d| band(Rifle, d)), [Some(0), Some(-1), Some(-2)]);
    }
}
