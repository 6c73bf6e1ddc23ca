//! `danzig.fire`: one attack by fire on the operational map, as facts or in a saved game.

use kernel::{Clerk, Effect, Inquiry, Measure, Question, Refusal, Verdict, Whole};
use rulebook::{phrase::danzig_ops as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{check_formation, clear};
use crate::ops::{Attack, Bar, Cover, Exposure, FireFacts, Firer, Hex, Terrain, aimed, shot};
use crate::series::FireResult;
use crate::{Arm, Formation, Options, State, UnitId};

/// `danzig.fire`: one attack by fire on the operational map; one die.
#[derive(Clone, Copy, Debug)]
pub(super) struct FireQuestion;

/// Who fires.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FirerKind {
    /// A battalion.
    Battalion,
    /// A regiment.
    Regiment,
    /// A French double battery.
    FrenchBattery,
    /// The reserve battery of Lannes.
    ReserveBattery,
    /// A Russian battery.
    RussianBattery,
    /// The fortress, at a unit that leaves a shaded hex.
    Fortress,
    /// The fortress, one hex outside the shaded zone.
    FortressRing1,
    /// Two hexes outside.
    FortressRing2,
    /// Three hexes outside.
    FortressRing3,
}

/// One firer.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FirerFacts {
    kind: FirerKind,
    formation: Option<Formation>,
    steps: Option<Whole<1, 8>>,
    /// Hexes to the target: 1 to 5, by default 1.
    distance: Option<Whole<1, 5>>,
}

/// What is fired at.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TargetFacts {
    #[serde(default = "clear")]
    terrain: Terrain,
    #[serde(default)]
    redoubt: bool,
    #[serde(default)]
    camp_hexside: bool,
    #[serde(default)]
    skirmish: bool,
    /// Unlimbered artillery alone in the open.
    #[serde(default)]
    guns_alone: bool,
    /// A square, or six steps or more in column.
    #[serde(default)]
    dense: bool,
    /// The fire comes through the flank or rear of a line or battery.
    #[serde(default)]
    flank: bool,
    /// Limbered or disordered.
    #[serde(default)]
    helpless: bool,
}

/// An attack by fire.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FireRequest {
    firers: Vec<FirerFacts>,
    target: TargetFacts,
}

/// What a shot does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct FireAnswer {
    /// The fire value used.
    factor: i32,
    /// The modified die.
    roll: i32,
    /// Steps lost.
    steps: u8,
    /// Whether every unit of the target tests its morale.
    morale_test: bool,
}

impl FirerFacts {
    fn factor(&self) -> i32 {
        let steps = |full: i32| u8::try_from(self.steps.map_or(full, Whole::get)).unwrap_or(1);
        let formation = self.formation.unwrap_or(Formation::Line);
        let firer = match self.kind {
            FirerKind::Battalion => Firer::Battalion(formation),
            FirerKind::Regiment => Firer::Regiment(formation, steps(4)),
            FirerKind::FrenchBattery => Firer::FrenchGuns(steps(5)),
            FirerKind::ReserveBattery => Firer::ReserveGuns(steps(6)),
            FirerKind::RussianBattery => Firer::RussianGuns(steps(6)),
            FirerKind::Fortress => return Exposure::Shaded.fire_value(),
            FirerKind::FortressRing1 => return Exposure::Ring(1).fire_value(),
            FirerKind::FortressRing2 => return Exposure::Ring(2).fire_value(),
            FirerKind::FortressRing3 => return Exposure::Ring(3).fire_value(),
        };
        i32::from(firer.factor(u16::try_from(self.distance.map_or(1, Whole::get)).unwrap_or(1)))
    }

    const fn is_fortress(&self) -> bool {
        matches!(
            self.kind,
            FirerKind::Fortress
                | FirerKind::FortressRing1
                | FirerKind::FortressRing2
                | FirerKind::FortressRing3
        )
    }
}

impl Question for FireQuestion {
    const NAME: &'static str = "danzig.fire";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = FireRequest;
    type Answer = FireAnswer;

    fn answer(request: &FireRequest, _: &Options, clerk: &mut impl Clerk) -> Verdict<FireAnswer> {
        let mut facts = FireFacts::default();
        let fortress = request.firers.iter().any(FirerFacts::is_fortress);
        if request.firers.is_empty() || (fortress && request.firers.len() > 1) {
            return Err(Refusal::rule(rule!(DZ_3_5_01), phrase::CANNOT_FIRE).at("firers"));
        }
        for (at, firer) in request.firers.iter().enumerate() {
            if let Some(formation) = firer.formation {
                let arm = match firer.kind {
                    FirerKind::Battalion | FirerKind::Regiment => Arm::Infantry,
                    _ => Arm::FieldArtillery,
                };
                check_formation(arm, formation, format!("firers.{at}.formation"))?;
            }
            let factor = firer.factor();
            if factor == 0 {
                return Err(Refusal::from(Bar::OutOfRange).at(format!("firers.{at}.distance")));
            }
            let rule = if fortress { rule!(DZ_R37) } else { rule!(DZ_3_5_01) };
            clerk.because(rule, Effect::Modifier(factor));
            facts.factor += factor;
        }
        let target = &request.target;
        facts.cover =
            Cover { terrain: target.terrain, redoubt: target.redoubt, camp_side: target.camp_hexside };
        if !fortress {
            facts.skirmish = target.skirmish;
            facts.guns_alone = target.guns_alone;
            facts.dense = target.dense;
            facts.raked = target.flank;
            facts.helpless = target.helpless;
        }
        let village = target.terrain == Terrain::Village && !target.redoubt;
        volley(&facts, village, clerk)
    }
}

/// The shot itself; in a village nobody tests.
fn volley(facts: &FireFacts, village: bool, clerk: &mut impl Clerk) -> Verdict<FireAnswer> {
    let strike = shot(facts, clerk).map_err(|bar| Refusal::from(bar).at("target"))?;
    let told = match strike.result {
        FireResult::Test => Measure::Name("*".to_owned()),
        result => Measure::Number(result.steps().into()),
    };
    clerk.because(rule!(DZ_R87), Effect::Set(told));
    if village && strike.result == FireResult::Test {
        clerk.applied(rule!(DZ_TET_05));
    }
    Ok(FireAnswer {
        factor: strike.factor,
        roll: strike.roll,
        steps: strike.result.steps(),
        morale_test: strike.result == FireResult::Test && !village,
    })
}

/// An attack by fire in a saved game.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Volley {
    /// Who fires, one of each hex.
    firers: Vec<UnitId>,
    /// The hex fired at.
    target: Hex,
    /// It is defensive fire.
    #[serde(default)]
    defensive: bool,
}

impl Inquiry for FireQuestion {
    const NAME: &'static str = <Self as Question>::NAME;
    const ROLLS: bool = <Self as Question>::ROLLS;
    type Position = State;
    type Request = Volley;
    type Answer = FireAnswer;

    fn answer(state: &State, request: &Volley, clerk: &mut impl Clerk) -> Verdict<FireAnswer> {
        let attack = Attack { target: request.target, firers: request.firers.iter().copied().collect() };
        let facts = aimed(&state.table, request.defensive, &attack, clerk)?;
        volley(&facts, facts.cover.terrain == Terrain::Village && !facts.cover.redoubt, clerk)
    }
}
