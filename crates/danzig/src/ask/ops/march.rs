//! `danzig.move`: what a march costs, as facts or in a saved game.

use kernel::{Clerk, Effect, Inquiry, Question, Refusal, Verdict};
use rulebook::{phrase::danzig_ops as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::check_formation;
use crate::ops::{Bar, Exposure, Field, Heading, Hex, Mover, Stride, Terrain, make, map};
use crate::{Arm, Formation, Options, Place, Side, State, Table, UnitId, UnitSet};

/// `danzig.move`: what it costs a counter to go along hexes, and what fire of the fortress it draws.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveQuestion;

/// A counter standing on the map.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Standing {
    unit: UnitId,
    hex: Hex,
    facing: Option<Heading>,
    formation: Option<Formation>,
}

/// A march.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveRequest {
    /// Who marches.
    unit: UnitId,
    /// The hex it stands in, then those it enters.
    path: Vec<Hex>,
    facing: Option<Heading>,
    formation: Option<Formation>,
    /// Other counters on the map.
    #[serde(default)]
    others: Vec<Standing>,
    /// Built redoubts.
    #[serde(default)]
    redoubts: Vec<Hex>,
    /// The two ends of the bridge.
    bridge: Option<(Hex, Hex)>,
    /// Trenches have been opened.
    #[serde(default)]
    siege_works: bool,
    /// The concentration area has been entered.
    #[serde(default)]
    concentration_entered: bool,
}

/// What a march costs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct MoveAnswer {
    /// Movement points spent in all.
    mp: u8,
    /// What each hex cost.
    costs: Vec<u8>,
    /// Whether the unit must stop where it is.
    halted: bool,
    /// Attacks of the fortress it draws on the way.
    fortress_attacks: u8,
}

fn facing_of(
    table: &mut Table,
    unit: UnitId,
    hex: Hex,
    facing: Option<Heading>,
    formation: Option<Formation>,
) {
    let adapts = map().terrain(hex).adapts() && !unit.data().arm.is_artillery();
    let counter = table.unit_mut(unit);
    counter.place = Place::Hex(hex);
    counter.facing = facing.unwrap_or_default() as u16;
    let usual = if adapts { Formation::Adapted } else { Formation::at_entry(unit.data().arm) };
    counter.formation = formation.unwrap_or(usual);
}

/// Whether a counter can stand on this map at all, and in that hex.
fn check_stands(unit: UnitId, hex: Hex, counter: &str, place: &str) -> Verdict<()> {
    if unit.data().arm == Arm::Fortress {
        return Err(Refusal::from(Bar::FortressBattery).at(counter));
    }
    if unit.data().regiment.is_some() {
        return Err(Refusal::from(Bar::NotHere).at(counter));
    }
    match map().terrain(hex) {
        Terrain::Sea => Err(Refusal::from(Bar::Sea).at(place)),
        Terrain::City => Err(Refusal::from(Bar::Wall).at(place)),
        Terrain::Fort if unit.side() == Side::French => Err(Refusal::from(Bar::FrenchAtWalls).at(place)),
        _ => Ok(()),
    }
}

impl MoveRequest {
    fn table(&self, options: &Options) -> Verdict<Table> {
        let mut table = crate::setup::table(*options);
        table.danzig.siege_works_begun = self.siege_works;
        table.danzig.concentration_entered = self.concentration_entered;
        if let Some((from, to)) = self.bridge
            && !from.towards(to).is_some_and(|side| map().edge(from, side).vistula())
        {
            return Err(Refusal::from(Bar::NotRiverside).at("bridge"));
        }
        table.ops.bridge = self.bridge;
        for (at, &hex) in self.redoubts.iter().enumerate() {
            let Some(place) = map().cell(hex).redoubt else {
                return Err(
                    Refusal::rule(rule!(DZ_3_8_3_01), phrase::REDOUBT_NONE).at(format!("redoubts.{at}"))
                );
            };
            table.ops.redoubts |= 1 << place;
        }
        for (at, other) in self.others.iter().enumerate() {
            check_stands(other.unit, other.hex, &format!("others.{at}.unit"), &format!("others.{at}.hex"))?;
            if let Some(formation) = other.formation {
                check_formation(other.unit.data().arm, formation, format!("others.{at}.formation"))?;
            }
            facing_of(&mut table, other.unit, other.hex, other.facing, other.formation);
        }
        Ok(table)
    }
}

impl Question for MoveQuestion {
    const NAME: &'static str = "danzig.move";
    type Options = Options;
    type Request = MoveRequest;
    type Answer = MoveAnswer;

    fn answer(request: &MoveRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<MoveAnswer> {
        let mut table = request.table(options)?;
        let unit = request.unit;
        let Some((&start, rest)) = request.path.split_first() else {
            return Err(Refusal::field("path", kernel::phrase::WRONG_LENGTH)
                .with("found", 0)
                .with("expected", 1));
        };
        check_stands(unit, start, "unit", "path.0")?;
        if let Some(formation) = request.formation {
            check_formation(unit.data().arm, formation, "formation".to_owned())?;
        }
        facing_of(&mut table, unit, start, request.facing, request.formation);
        go_along(&mut table, unit, start, rest, 1, clerk)
    }
}

/// Goes along hexes; `skipped` places of the request's path come before them.
fn go_along(
    table: &mut Table,
    unit: UnitId,
    start: Hex,
    path: &[Hex],
    skipped: usize,
    clerk: &mut impl Clerk,
) -> Verdict<MoveAnswer> {
    let mut mover = Mover::fresh(UnitSet::of(unit));
    let mut answer = MoveAnswer { mp: 0, costs: Vec::new(), halted: false, fortress_attacks: 0 };
    let mut from = start;
    for (at, &to) in path.iter().enumerate() {
        let field = format!("path.{}", at + skipped);
        let side = from.towards(to).ok_or_else(|| Refusal::from(Bar::NotAdjacent).at(field.clone()))?;
        let exposed = Field::of(table).fortress_exposure(from) == Exposure::Shaded;
        if exposed && unit.side() == Side::French {
            clerk.because(rule!(DZ_3_1_1_01), Effect::Set(7.into()));
            answer.fortress_attacks += 1;
        }
        let before = mover.spent;
        make(table, &mut mover, Stride::Go(side), clerk).map_err(|bar| Refusal::from(bar).at(field))?;
        answer.costs.push(mover.spent - before);
        from = to;
    }
    answer.mp = mover.spent;
    answer.halted = mover.halted;
    Ok(answer)
}

/// A march in a saved game, from where the counter stands.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct March {
    /// Who marches.
    unit: UnitId,
    /// The hexes it enters.
    path: Vec<Hex>,
}

impl Inquiry for MoveQuestion {
    const NAME: &'static str = <Self as Question>::NAME;
    type Position = State;
    type Request = March;
    type Answer = MoveAnswer;

    fn answer(state: &State, request: &March, clerk: &mut impl Clerk) -> Verdict<MoveAnswer> {
        let Place::Hex(start) = state.table.unit(request.unit).place else {
            return Err(Refusal::from(Bar::NotHere).at("unit"));
        };
        if state.table.unit(request.unit).is_disordered() {
            return Err(Refusal::from(Bar::Disordered).at("unit"));
        }
        let mut table = state.table.clone();
        go_along(&mut table, request.unit, start, &request.path, 0, clerk)
    }
}
