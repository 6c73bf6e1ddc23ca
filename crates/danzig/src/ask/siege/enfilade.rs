//! `danzig.enfilade`: whether a gun rakes a work, as facts or in a saved game.

use kernel::{Clerk, Inquiry, Question, Refusal, Verdict, Whole};
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::{Position, WorkFacts, facing, judged, lay_all, sited};
use crate::siege::sight::{check_enfilade, no_such_work};
use crate::siege::{SiegeMap, Sited, WorkId};
use crate::{Arm, Options, State, UnitId};

/// Whether a gun rakes a work.
pub(super) struct Enfilade;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EnfiladeRequest {
    /// The centre of the Prussian gun.
    gun: Position,
    /// Where it looks.
    facing: Whole<0, 359>,
    /// The work.
    work: WorkFacts,
    /// In the Prussian fire step, not at the end of French construction.
    #[serde(default)]
    fire_step: bool,
    /// The other works of the network, for the option that asks for them.
    #[serde(default)]
    others: Vec<WorkFacts>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct EnfiladeAnswer {
    enfiladed: bool,
}

impl Question for Enfilade {
    const NAME: &'static str = "danzig.enfilade";
    type Options = Options;
    type Request = EnfiladeRequest;
    type Answer = EnfiladeAnswer;

    fn answer(
        request: &EnfiladeRequest,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<EnfiladeAnswer> {
        let (gun, on) = request.gun.find("gun")?;
        request.work.pose("work")?;
        let mut works = vec![request.work.clone()];
        works.extend(request.others.iter().cloned());
        let map = lay_all(&works)?;
        let sited = Sited { centre: gun.fine(), facing: facing(request.facing), on };
        Ok(rakes(&map, options, &sited, WorkId(0), request.fire_step, clerk))
    }
}

fn rakes(
    map: &SiegeMap,
    options: &Options,
    gun: &Sited,
    work: WorkId,
    fire_step: bool,
    clerk: &mut impl Clerk,
) -> EnfiladeAnswer {
    let checked = check_enfilade(map, options, gun, work, fire_step, clerk);
    EnfiladeAnswer { enfiladed: judged(checked, clerk) }
}

/// A gun and a work of a saved game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GunAndWork {
    /// The Prussian battery.
    gun: UnitId,
    /// The work, by its number.
    work: WorkId,
    /// In the Prussian fire step, not at the end of French construction.
    #[serde(default)]
    fire_step: bool,
}

impl Inquiry for Enfilade {
    const NAME: &'static str = <Self as Question>::NAME;
    type Position = State;
    type Request = GunAndWork;
    type Answer = EnfiladeAnswer;

    fn answer(state: &State, request: &GunAndWork, clerk: &mut impl Clerk) -> Verdict<EnfiladeAnswer> {
        let table = &state.table;
        if request.gun.data().arm != Arm::Fortress {
            return Err(Refusal::rule(rule!(DZ_4_5_3_02), phrase::ONLY_FORTRESS_GUNS)
                .with("unit", request.gun.data().label)
                .at("gun"));
        }
        let gun = sited(table, request.gun)?;
        table.siege.work(request.work).ok_or_else(|| no_such_work(request.work).at("work"))?;
        Ok(rakes(&table.siege, &table.options, &gun, request.work, request.fire_step, clerk))
    }
}
