//! `tabletop.fire`: one fire with the situation given as facts. Everything of sections 5, 4.1 to
//! 4.4 and 6 of the fire chapter acts here; who may fire at whom is another question.

use kernel::{Centimetres, Clerk, Effect, Losses, Measure, Question, Refusal, Verdict, Whole};
use rulebook::options::tabletop::{CanisterLimit, FigureLostAt40, Options};
use rulebook::{phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::losses::{Adjustment, Duration, Group, earns_a_tenth_more, losses};
use super::modifiers::{self, Class, Cover, Mark, State};
use super::point_blank::{Firing, Struck, limit};
use super::weapon::{CANISTER_DOUBLED_UNDER, Calibre, Projectile, SmallArm, Weapon, WeaponKind};
use super::{die, die::Order, marker};
use crate::{Arm, arm};

/// The question `tabletop.fire`.
pub struct Fire;

/// One fire, as facts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Who fires.
    pub shooter: Shooter,
    /// What a battery fires; ball unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub projectile: Option<Projectile>,
    /// The distance, base to base, in centimetres.
    pub distance_cm: Centimetres,
    /// Whole, or a quarter fire.
    #[serde(default)]
    pub duration: Duration,
    /// Who is fired at.
    pub target: Target,
}

impl Request {
    /// A whole fire at a distance, a battery's with ball.
    #[must_use]
    pub fn new(shooter: Shooter, distance_cm: Centimetres, target: Target) -> Self {
        Self { shooter, projectile: None, distance_cm, duration: Duration::default(), target }
    }
}

/// Who fires.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shooter {
    /// With what.
    pub weapon: Weapon,
    /// The base fire factor; the lowest, where figures differ.
    pub factor: Whole<-20, 40>,
    /// Figures that fire.
    pub figures: Whole<0, 999>,
    /// Of these, figures whose own factor is above the lowest (small arms only).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superior: Option<Whole<0, 999>>,
    /// Close or skirmish order (small arms only).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// Its state.
    #[serde(default)]
    pub state: State,
    /// A light company; matters only with the option `skirmish_die`.
    #[serde(default)]
    pub light_company: bool,
}

impl Shooter {
    /// So many figures with this weapon and base factor, in close order and in good state. What else there
    /// is to say of them is said in the other fields: `Shooter { superior, ..Shooter::new(…)? }`.
    ///
    /// # Errors
    /// When there is no such factor, or are not so many figures: the refusal names the field.
    pub fn new(weapon: Weapon, factor: i32, figures: i32) -> Verdict<Self> {
        fn within<const MIN: i32, const MAX: i32>(field: &str, value: i32) -> Verdict<Whole<MIN, MAX>> {
            Whole::new(value).ok_or_else(|| {
                Refusal::field(field, kernel::phrase::IMPOSSIBLE_VALUE)
                    .with("found", value)
                    .with("expected", format!("{MIN}–{MAX}"))
            })
        }
        Ok(Self {
            weapon,
            factor: within("shooter.factor", factor)?,
            figures: within("shooter.figures", figures)?,
            superior: None,
            order: None,
            state: State::default(),
            light_company: false,
        })
    }
}

/// Who is fired at.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Its class; officers have none, and one given for them is ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// Its arm.
    #[serde(default, deserialize_with = "arm::of_target", serialize_with = "arm::as_target")]
    #[schemars(with = "arm::TargetWord")]
    pub arm: Arm,
    /// Irregular troops.
    #[serde(default)]
    pub irregular: bool,
    /// What shelters it.
    #[serde(default)]
    pub cover: Cover,
    /// It is charging the shooter.
    #[serde(default)]
    pub charging_shooter: bool,
    /// It stands higher on a slope.
    #[serde(default)]
    pub uphill: bool,
    /// A battery that is unlimbered (artillery only).
    #[serde(default)]
    pub in_position: bool,
    /// The fire comes from its flank; matters only with the option `enfilade`.
    #[serde(default)]
    pub on_flank: bool,
    /// Losses already on its marker.
    #[serde(default)]
    pub marker: Whole<0, 40>,
    /// Its figures: 24 unless said otherwise, 1 for an officer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<Whole<1, 999>>,
    /// Its figures on the side that faces the shooter; gunners of a battery. Point-blank they limit
    /// how many fire; without them, all that the shooter names do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front: Option<Whole<1, 999>>,
}

impl Target {
    /// Its figures: as said, 24, or the one officer.
    fn figures(&self) -> i32 {
        self.figures.map_or(if self.arm == Arm::Officer { 1 } else { 24 }, Whole::get)
    }
}

/// What the fire does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Answer {
    /// The factor, die included; absent when the fire is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<i32>,
    /// Figures that fire point-blank, where the front of the target was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fires: Option<i32>,
    /// Men lost.
    pub losses: Losses,
    /// Figures removed.
    pub figures_lost: i32,
    /// What stays on the marker.
    pub marker: Losses,
    /// True when the fire is lost: a battery out of range.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
}

impl Question for Fire {
    const NAME: &'static str = "tabletop.fire";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = Request;
    type Answer = Answer;

    fn answer(request: &Request, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
        request.check(options)?;
        match request.shooter.weapon.kind() {
            WeaponKind::Small(arm) => {
                let shooter = &request.shooter;
                let skirmish = die::rolls_skirmish_die(
                    arm,
                    shooter.order.unwrap_or_default(),
                    shooter.light_company,
                    options,
                    clerk,
                );
                let mark = request.mark();
                let before = modifiers::small_arms(
                    arm,
                    shooter.factor.get(),
                    shooter.state,
                    &mark,
                    request.distance_cm,
                    options,
                    clerk,
                )
                .map_err(|refusal| refusal.at("distance_cm"))?;
                let fires = request.point_blank(arm, options, clerk);
                let figures = fires.unwrap_or(shooter.figures.get());
                let superior = shooter.superior.map_or(0, Whole::get).min(figures);
                let tenth_more = earns_a_tenth_more(superior, figures, clerk);
                let adjustment = Adjustment { tenth_more, doubled: false };
                let answer = request.resolve(before, skirmish, figures, adjustment, options, clerk);
                Ok(Answer { fires, ..answer })
            }
            WeaponKind::Gun(calibre) => request.battery(calibre, options, clerk),
        }
    }
}

impl Request {
    /// What no type can say: fields that exclude each other.
    fn check(&self, options: &Options) -> Verdict<()> {
        let shooter = &self.shooter;
        let refuse = |field: &str, phrase| Err(Refusal::field(field, phrase));
        if self.distance_cm < Centimetres::ZERO {
            return refuse("distance_cm", phrase::tabletop::NEGATIVE_DISTANCE);
        }
        let superior = shooter.superior.map_or(0, Whole::get);
        if superior > shooter.figures.get() {
            return refuse("shooter.superior", phrase::tabletop::MORE_SUPERIOR_THAN_FIGURES);
        }
        match shooter.weapon.kind() {
            WeaponKind::Small(_) if self.projectile.is_some() => {
                return refuse("projectile", phrase::tabletop::BATTERIES_ONLY);
            }
            WeaponKind::Gun(_) if shooter.superior.is_some() => {
                return refuse("shooter.superior", phrase::tabletop::SMALL_ARMS_ONLY);
            }
            WeaponKind::Gun(_) if shooter.order.is_some() => {
                return refuse("shooter.order", phrase::tabletop::SMALL_ARMS_ONLY);
            }
            WeaponKind::Gun(_) if shooter.state >= State::Unformed => {
                let rule = if shooter.state == State::Unformed { rule!(FE_3_6_05) } else { rule!(FE_R64) };
                Refusal::rule(rule, phrase::tabletop::BATTERY_WITHOUT_FORMATION)
                    .at("shooter.state")
                    .stands(())?;
            }
            WeaponKind::Small(_) | WeaponKind::Gun(_) => {}
        }
        if let WeaponKind::Gun(_) = shooter.weapon.kind() {
            modifiers::may_aim_guns(self.target.arm, options).map_err(|refusal| refusal.at("target.arm"))?;
        }
        if self.target.class.is_none() && self.target.arm != Arm::Officer {
            return refuse("target.class", kernel::phrase::MISSING_FIELD);
        }
        if self.target.in_position && !self.target.arm.is_artillery() {
            return refuse("target.in_position", phrase::tabletop::ARTILLERY_ONLY);
        }
        let figures = self.target.figures();
        if self.target.front.is_some_and(|front| front.get() > figures) {
            return Err(Refusal::field("target.front", kernel::phrase::IMPOSSIBLE_VALUE)
                .with("found", self.target.front.map_or(0, Whole::get))
                .with("expected", format!("1…{figures}")));
        }
        if self.target.arm == Arm::Officer && figures > 1 {
            return Err(Refusal::field("target.figures", kernel::phrase::IMPOSSIBLE_VALUE)
                .with("found", figures)
                .with("expected", "1"));
        }
        let marker = self.target.marker.get();
        let full = marker == 40 && options.figure_lost_at_40 == FigureLostAt40::Reached;
        if marker % 5 != 0 || full {
            return Err(Refusal::field("target.marker", kernel::phrase::IMPOSSIBLE_VALUE)
                .with("found", marker)
                .with("expected", "0, 5, … 35"));
        }
        Ok(())
    }

    fn mark(&self) -> Mark {
        let target = &self.target;
        Mark {
            class: target.class.filter(|_| target.arm != Arm::Officer),
            arm: target.arm,
            irregular: target.irregular,
            cover: target.cover,
            charging_shooter: target.charging_shooter,
            uphill: target.uphill,
            in_position: target.in_position,
            on_flank: target.on_flank,
        }
    }

    /// How many of the figures named fire, point-blank at a front that is known (FE-2.3-02).
    fn point_blank(&self, arm: SmallArm, options: &Options, clerk: &mut impl Clerk) -> Option<i32> {
        let front = self.target.front?;
        if !clerk.holds(rule!(FE_2_3_01), self.distance_cm <= arm.bands().point_blank) {
            return None;
        }
        let target = &self.target;
        let firing = Firing {
            arm: if arm == SmallArm::Musketoon { Arm::Cavalry } else { Arm::Infantry },
            open: self.shooter.order.unwrap_or_default() == Order::Skirmish,
        };
        let struck =
            Struck { arm: target.arm, open: target.class == Some(Class::Open), figures: front.get().into() };
        let most = i32::try_from(limit(firing, struck, options, clerk)).unwrap_or(i32::MAX);
        Some(clerk.value(rule!(FE_2_3_02), self.shooter.figures.get().min(most)))
    }

    fn battery(&self, calibre: Calibre, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
        let projectile = self.projectile.unwrap_or_default();
        let (bands, distance) = (calibre.bands(), self.distance_cm);
        let reaches = match (projectile, options.canister_limit) {
            (Projectile::Ball, _) => rule!(FE_3_2_01).holds(distance <= bands.range),
            (Projectile::Canister, CanisterLimit::Inclusive) => {
                rule!(FE_3_3_06).holds(distance <= bands.canister)
            }
            (Projectile::Canister, CanisterLimit::Strict) => {
                let limit = clerk.limit(rule!(FE_3_3_04), bands.canister);
                rule!(FE_3_3_06).holds(distance < limit)
            }
        };
        // Declared before it was measured, a fire that does not reach is lost.
        let mark = self.mark();
        if !reaches {
            let nothing = Effect::Set(Measure::Number(0));
            let lost = match projectile {
                Projectile::Ball => {
                    clerk.because(rule!(FE_3_2_01), Effect::Limit(bands.range.into()));
                    clerk.makes(rule!(FE_R36), nothing, true, false)
                }
                Projectile::Canister => {
                    clerk.because(rule!(FE_3_3_06), Effect::Limit(bands.canister.into()));
                    clerk.makes(rule!(FE_3_3_09), nothing, true, false)
                }
            };
            return Ok(Answer {
                factor: None,
                fires: None,
                losses: Losses::ZERO,
                figures_lost: 0,
                marker: Losses::men(self.target.marker.get()),
                lost,
            });
        }
        let before = modifiers::artillery(
            calibre,
            projectile,
            self.shooter.factor.get(),
            &mark,
            distance,
            options,
            clerk,
        );
        let doubled = projectile == Projectile::Canister && distance < CANISTER_DOUBLED_UNDER;
        let adjustment = Adjustment { tenth_more: false, doubled };
        Ok(self.resolve(before, false, self.shooter.figures.get(), adjustment, options, clerk))
    }

    /// The die, the table and the marker.
    fn resolve(
        &self,
        before: i32,
        skirmish: bool,
        figures: i32,
        adjustment: Adjustment,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Answer {
        let factor = before + die::bonus(skirmish, clerk);
        let group = Group { factor, figures, duration: self.duration };
        let inflicted = losses(&[group], adjustment, options, clerk);
        let figures = self.target.figures();
        let marker = Losses::men(self.target.marker.get());
        let toll = marker::take(marker, inflicted, figures, self.target.arm, options, clerk);
        Answer {
            factor: Some(factor),
            fires: None,
            losses: toll.losses,
            figures_lost: toll.figures,
            marker: toll.marker,
            lost: false,
        }
    }
}
