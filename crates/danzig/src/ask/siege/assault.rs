//! `danzig.assault`: an assault from the opportunity shot to the melee, as facts or in a saved game.

use kernel::{Clerk, Inquiry, Question, Refusal, Verdict, Whole};
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::{Battalion, bare, muster, share_out, steps_left};
use crate::siege::{Assault, GROUND, GunTarget, INTACT, KalkeSide, Spot, WallId};
use crate::{Arm, Marks, Options, Place, Side, State, Table, UnitId};

/// An assault on a wall point, from the opportunity shot to the melee.
pub(super) struct AssaultQuestion;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AssaultRequest {
    /// The battalions that storm, four steps at most.
    attackers: Vec<Battalion>,
    /// The level of the wall point.
    level: Whole<0, 20>,
    /// The battalions on it, two steps at most.
    #[serde(default)]
    defenders: Vec<Battalion>,
    /// A Prussian battery on it.
    #[serde(default)]
    battery: BatteryFacts,
    /// The Prussian takes his opportunity shot.
    #[serde(default = "yes")]
    opportunity: bool,
}

fn yes() -> bool {
    true
}

/// A Prussian battery on the point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum BatteryFacts {
    /// None.
    #[default]
    None,
    /// Undamaged.
    Intact,
    /// Damaged.
    Damaged,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct AssaultAnswer {
    /// The French stand on the point.
    won: bool,
    /// French steps left, disorganised ones included.
    attacker_steps: u8,
    /// Prussian infantry steps left, disorganised ones included.
    defender_steps: u8,
}

impl Question for AssaultQuestion {
    const NAME: &'static str = "danzig.assault";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = AssaultRequest;
    type Answer = AssaultAnswer;

    fn answer(request: &AssaultRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<AssaultAnswer> {
        let mut table = bare(options);
        let point = WallId(0);
        table.siege.wall_mut(point).level = u8::try_from(request.level.get()).unwrap_or(INTACT);
        // Some place in the open 100 m before the point.
        let spot = GROUND.point(point);
        let before = Place::Open(Spot::new(spot.x - 700, spot.y - 700));
        let attackers = muster(&mut table, Side::French, before, &request.attackers, "attackers")?;
        let defenders =
            muster(&mut table, Side::Prussian, Place::Wall(point), &request.defenders, "defenders")?;
        if steps_left(&table, &defenders) > 2 {
            return Err(Refusal::rule(rule!(DZ_4_2_06), phrase::NO_ROOM)
                .with("steps", steps_left(&table, &defenders))
                .at("defenders"));
        }
        let level = table.siege.wall(point).level;
        let low = request.battery != BatteryFacts::None && !crate::siege::bears_artillery(level, options);
        if rule!(DZ_4_7_1_05).holds(low) {
            return Err(Refusal::rule(rule!(DZ_4_7_1_05), phrase::WALL_TOO_LOW)
                .with("point", point)
                .with("level", level)
                .at("battery"));
        }
        if request.battery != BatteryFacts::None
            && let Some(battery) =
                UnitId::of_side(Side::Prussian).find(|unit| unit.data().arm == Arm::Fortress)
        {
            let state = table.unit_mut(battery);
            (state.place, state.steps) = (Place::Wall(point), 1);
            if request.battery == BatteryFacts::Damaged {
                state.marks.set(Marks::DAMAGED);
            }
        }
        let assault = Assault { units: attackers.iter().copied().collect(), at: GunTarget::Wall(point) };
        let won = storm(&mut table, &assault, request.opportunity, clerk)?;
        Ok(AssaultAnswer {
            won,
            attacker_steps: steps_left(&table, &attackers),
            defender_steps: steps_left(&table, &defenders),
        })
    }
}

/// The whole assault; true when the French stand on what they stormed.
fn storm(table: &mut Table, assault: &Assault, opportunity: bool, clerk: &mut impl Clerk) -> Verdict<bool> {
    crate::siege::check_assault(table, assault)?;
    let mut exposure = if opportunity {
        crate::siege::begin_assault(table, assault, clerk)
    } else {
        crate::siege::begin_unopposed(table, assault, clerk)
    };
    while exposure.shots > 0 {
        crate::siege::exposed_shot(table, &mut exposure, clerk);
        share_out(table, clerk);
    }
    crate::siege::arrive(table, &exposure, clerk);
    if table.siege.brawl.is_some() {
        share_out(table, clerk);
        crate::siege::arrive(table, &exposure, clerk);
    }
    table.owed.clear();
    Ok(match assault.at {
        GunTarget::Wall(point) => table.siege.wall(point).stormed_on > 0,
        GunTarget::Kalke(_) => table.siege.kalke.holder == Side::French,
    })
}

/// An assault in a saved game, on a wall point or on a side of the Kalke-Schanze.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Storm {
    /// Who storms.
    units: Vec<UnitId>,
    /// A wall point.
    wall: Option<WallId>,
    /// A side of the Kalke-Schanze.
    kalke: Option<KalkeSide>,
    /// The Prussian takes his opportunity shot.
    #[serde(default = "yes")]
    opportunity: bool,
}

impl Inquiry for AssaultQuestion {
    const NAME: &'static str = <Self as Question>::NAME;
    const ROLLS: bool = <Self as Question>::ROLLS;
    type Position = State;
    type Request = Storm;
    type Answer = AssaultAnswer;

    fn answer(state: &State, request: &Storm, clerk: &mut impl Clerk) -> Verdict<AssaultAnswer> {
        let mut table = state.table.clone();
        table.owed.clear();
        let (at, place) = match (request.wall, request.kalke) {
            (Some(point), None) => (GunTarget::Wall(point), Place::Wall(point)),
            (None, Some(side)) => (GunTarget::Kalke(side), Place::Kalke),
            _ => return Err(Refusal::field("wall", phrase::ONE_TARGET)),
        };
        let infantry = |unit: &UnitId| unit.data().arm == Arm::Infantry;
        let defenders: Vec<UnitId> = table.at(Side::Prussian, place).filter(infantry).collect();
        let assault = Assault { units: request.units.iter().copied().collect(), at };
        let won = storm(&mut table, &assault, request.opportunity, clerk)?;
        Ok(AssaultAnswer {
            won,
            attacker_steps: steps_left(&table, &request.units),
            defender_steps: steps_left(&table, &defenders),
        })
    }
}
