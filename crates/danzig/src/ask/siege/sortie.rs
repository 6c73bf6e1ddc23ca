//! `danzig.sortie`: one group of a sortie against one work, as facts or in a saved game.

use kernel::{Clerk, Inquiry, Metres, Question, Refusal, Verdict, Whole};
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::{Battalion, WorkFacts, bare, lay_all, muster, share_out, steps_left};
use crate::series::MeleeOdds;
use crate::siege::fire::bands_of;
use crate::siege::{Group, Sortie, SortieRun, SortieTarget, WorkId, WorkKind};
use crate::{Arm, Options, Place, Side, State, Table, UnitId};

/// One group of a sortie against one work, with the field guns that fire at it.
pub(super) struct SortieQuestion;

/// A field battery that fires at the group.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldGun {
    /// Its printed factor, 5 unless told.
    factor: Option<Whole<1, 20>>,
    /// From its front to the group.
    distance_m: Metres,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SortieRequest {
    /// The group: two steps at most.
    attackers: Vec<Battalion>,
    /// The defenders of the work: two steps at most.
    #[serde(default)]
    defenders: Vec<Battalion>,
    /// The work has lost its first step.
    #[serde(default)]
    damaged: bool,
    /// The field batteries that fire at the group, in order.
    #[serde(default)]
    field_guns: Vec<FieldGun>,
}

/// What is left of the work.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WorkLeft {
    Intact,
    Damaged,
    Destroyed,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct SortieAnswer {
    /// The column of the melee, absent without one.
    ratio: Option<MeleeOdds>,
    /// What is left of the work.
    work: WorkLeft,
    /// Prussian steps left, disorganised ones included.
    attacker_steps: u8,
    /// French steps left, disorganised ones included.
    defender_steps: u8,
}

impl Question for SortieQuestion {
    const NAME: &'static str = "danzig.sortie";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = SortieRequest;
    type Answer = SortieAnswer;

    fn answer(request: &SortieRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<SortieAnswer> {
        let mut table = bare(options);
        let facts = WorkFacts {
            kind: WorkKind::Parallel,
            x_m: Metres::whole(850),
            y_m: Metres::whole(975),
            facing: Whole::new(90).ok_or_else(|| Refusal::plain(phrase::BAD_FACING))?,
            length_m: None,
            damaged: request.damaged,
        };
        table.siege = lay_all(&[facts])?;
        let work = WorkId(0);
        let attackers = muster(&mut table, Side::Prussian, Place::Reserve, &request.attackers, "attackers")?;
        let defenders = muster(&mut table, Side::French, Place::Work(work), &request.defenders, "defenders")?;
        if steps_left(&table, &defenders) > 2 {
            return Err(Refusal::rule(rule!(DZ_4_9_14), phrase::NO_ROOM)
                .with("steps", steps_left(&table, &defenders))
                .at("defenders"));
        }
        let (Some(unit), with, None) = (attackers.first(), attackers.get(1), attackers.get(2)) else {
            return Err(Refusal::rule(rule!(DZ_4_9_12), phrase::GROUP_TOO_BIG)
                .with("steps", steps_left(&table, &attackers))
                .at("attackers"));
        };
        let group = Group { unit: *unit, with: with.copied(), target: SortieTarget::Work(work) };
        let sortie = Sortie { groups: [Some(group), None, None] };
        crate::siege::check_sortie(&table, &sortie).map_err(|refusal| refusal.at("attackers"))?;
        let mut run: SortieRun = crate::siege::begin_sortie(&mut table, &sortie, clerk);
        for (at, gun) in request.field_guns.iter().enumerate() {
            let printed = gun.factor.and_then(|factor| u8::try_from(factor.get()).ok()).unwrap_or(5);
            crate::siege::night_shot(&mut table, &group, printed, bands_of(gun.distance_m), clerk)
                .map_err(|refusal| refusal.at(format!("field_guns.{at}.distance_m")))?;
            share_out(&mut table, clerk);
        }
        Ok(settle(&mut table, &mut run, work, &attackers, &defenders, clerk))
    }
}

/// The melee for the work, and what is left.
fn settle(
    table: &mut Table,
    run: &mut SortieRun,
    work: WorkId,
    attackers: &[UnitId],
    defenders: &[UnitId],
    clerk: &mut impl Clerk,
) -> SortieAnswer {
    let damaged = table.siege.work(work).is_some_and(|work| work.damaged);
    let ordered: Vec<UnitId> =
        attackers.iter().copied().filter(|unit| matches!(table.unit(*unit).place, Place::Open(_))).collect();
    let (attacking, defending) = (steps_left(table, &ordered), steps_left(table, defenders));
    let ratio = (attacking > 0 && defending > 0).then(|| {
        let defence = crate::siege::melee::Defence { steps: defending, ..Default::default() };
        let against = crate::siege::melee::Against::Sortie { damaged };
        let mut unheard = kernel::Desk::new(kernel::Scripted::new(&[]), kernel::Silent);
        let found = crate::siege::melee::strengths(attacking, defence, against, &table.options, &mut unheard);
        MeleeOdds::of(found.attacker, found.defender)
    });
    crate::siege::sortie_melee(table, run, clerk);
    if table.siege.brawl.is_some() {
        share_out(table, clerk);
        crate::siege::sortie_melee(table, run, clerk);
    }
    let left = match table.siege.work(work) {
        None => WorkLeft::Destroyed,
        Some(work) if work.damaged => WorkLeft::Damaged,
        Some(_) => WorkLeft::Intact,
    };
    SortieAnswer {
        ratio,
        work: left,
        attacker_steps: steps_left(table, attackers),
        defender_steps: steps_left(table, defenders),
    }
}

/// A group of a sortie in a saved game, against the first target the rules allow it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Sally {
    /// Who sallies out: one two-step unit or two of one step.
    units: Vec<UnitId>,
    /// The work, by its number.
    work: WorkId,
    /// Every French field battery that can fires at the group.
    #[serde(default = "yes")]
    field_fire: bool,
}

const fn yes() -> bool {
    true
}

impl Inquiry for SortieQuestion {
    const NAME: &'static str = <Self as Question>::NAME;
    const ROLLS: bool = <Self as Question>::ROLLS;
    type Position = State;
    type Request = Sally;
    type Answer = SortieAnswer;

    fn answer(state: &State, request: &Sally, clerk: &mut impl Clerk) -> Verdict<SortieAnswer> {
        let mut table = state.table.clone();
        table.owed.clear();
        let units = &request.units;
        let (Some(unit), with, None) = (units.first(), units.get(1), units.get(2)) else {
            return Err(Refusal::rule(rule!(DZ_4_9_12), phrase::GROUP_TOO_BIG)
                .with("steps", steps_left(&table, units))
                .at("units"));
        };
        let group = Group { unit: *unit, with: with.copied(), target: SortieTarget::Work(request.work) };
        let sortie = Sortie { groups: [Some(group), None, None] };
        crate::siege::check_sortie(&table, &sortie)?;
        let mut run: SortieRun = crate::siege::begin_sortie(&mut table, &sortie, clerk);
        if request.field_fire {
            let mut guns = Vec::new();
            crate::siege::list_field_fire(&table, &run, |battery, group| guns.push((battery, group)));
            for (battery, group) in guns {
                crate::siege::field_fire(&mut table, &mut run, battery, group, clerk);
                share_out(&mut table, clerk);
            }
        }
        let infantry = |unit: &UnitId| unit.data().arm == Arm::Infantry;
        let defenders: Vec<UnitId> =
            table.at(Side::French, Place::Work(request.work)).filter(infantry).collect();
        Ok(settle(&mut table, &mut run, request.work, units, &defenders, clerk))
    }
}
