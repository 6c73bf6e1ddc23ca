//! The bookkeeping between fires: marches with what they leave in the record of a body, and the ends of
//! quarters and half-periods (fire procedure, sections 3 and 4: who stood still, where from, who was
//! fired at).

use kernel::{Centimetres, Clerk, Desk, Refusal, Scripted, Silent, Verdict};
use rulebook::options::tabletop::Options;
use rulebook::phrase::tabletop_terrain as phrase;

use super::{Clock, Evening, PERIOD, Step, fights};
use crate::geometry::{Facing, Point};
use crate::movement::Pace;
use crate::scene::{Action as Done, ActionKind, Contact, Muster, Place, Setup, Stand, layout};
use crate::terrain::on_table;
use crate::terrain::state::State;

/// Where a march of one quarter ends.
pub(super) struct Gone {
    at: Point,
    facing: Facing,
    state: State,
    turned: bool,
    contact: Option<Contact>,
    pub(super) distance: Centimetres,
}

/// Walks a body along a way for one quarter.
pub(super) fn walk(table: &Setup, options: &Options, body: &str, to: &[Point], pace: Pace) -> Verdict<Gone> {
    let scene = table.checked("table", options)?;
    let body = scene.body(body, "body")?;
    let troops = body.troops();
    let half = on_table::half_period(body, pace).map_err(|refusal| refusal.at("body"))?;
    let bonus = on_table::charge_bonus(body);
    let way = on_table::Way::new(&scene, body, to, pace)?;
    // More than plain, road and charge can give; ground only takes away.
    let reach = i64::from(half.count()) * 6 / 10
        + i64::from(bonus.count()) * 2
        + i64::from(body.now().ranks()) * i64::from(troops.base_depth().count());
    let mut nobody = Desk::new(Scripted::new(&[]), Silent);
    let walked = way.walk(reach, pace, 1, true, options, &mut nobody)?;
    let march = &walked.march;
    let along = i64::from(march.distance_cm.count());
    if let Some(friend) = way.ends_on(along, march.turning_quarters) {
        return Err(Refusal::field("to", phrase::ENDS_ON_UNIT).with("unit", friend.id()));
    }
    let whole: Centimetres = walked.stretches.iter().map(|stretch| stretch.cm).sum();
    let (at, facing) = way.head(along, march.turning_quarters);
    let contact = walked.foe.filter(|_| march.distance_cm >= whole).map(|foe| Contact {
        with: foe.id().to_owned(),
        charging: pace == Pace::Charge,
        length: None,
        quarter_move: None,
        bonus: None,
        seen: None,
        waited: false,
    });
    Ok(Gone {
        at,
        facing,
        state: march.state,
        turned: march.turning_quarters > 0,
        contact,
        distance: march.distance_cm,
    })
}

/// Puts a body where its march ended, and writes down where it came from.
pub(super) fn arrive(table: &mut Setup, clock: Clock, body: &str, gone: Gone) {
    let Some(written) = table.bodies.iter_mut().find(|one| one.id == body) else { return };
    let (formation, front) = match &written.place {
        Place::Stand(stand) => (stand.formation, stand.front),
        Place::Bases(bases) => (bases.formation, None),
        Place::Garrison(_) => return,
    };
    let there = Place::Stand(Stand { at: gone.at, facing: gone.facing, formation, front });
    // A wheeling wing goes farther than the middle of the front.
    let ends = [head(&written.troops, &written.place), head(&written.troops, &there)];
    let straight = match ends {
        [Some(from), Some(to)] => from.gap_to(to).centimetres(),
        _ => Centimetres::ZERO,
    };
    let moved = Some(gone.distance.max(straight));
    let here = std::mem::replace(&mut written.place, there);
    let record = &mut written.record;
    // The place at the end of Q1 is that of now unless written, that of the start the one after it.
    if clock.is_second() {
        record.start.get_or_insert_with(|| here.clone());
        record.middle.get_or_insert(here);
        record.moved_q2 = moved;
    } else {
        record.start.get_or_insert(here);
        record.moved_q1 = moved;
    }
    if gone.turned {
        let quarter = kernel::Whole::new(if clock.is_second() { 2 } else { 1 }).unwrap_or_default();
        record.actions.push(Done { quarter, kind: ActionKind::Pivot });
    }
    if gone.contact.is_some() {
        record.contact = gone.contact;
    }
    written.state = gone.state;
}

/// The front of the first figure, by which a move is measured.
fn head(troops: &Muster, place: &Place) -> Option<Point> {
    match place {
        Place::Stand(stand) => layout(troops, stand).first().map(|figure| figure.base.front),
        Place::Bases(bases) => bases.bases.first().map(|base| base.at),
        Place::Garrison(_) => None,
    }
}

/// Lets the clock go on: reactions end, work in houses goes on, and at the end of a half-period
/// everybody's book is closed and the fires of the phase become those of the previous one.
pub(super) fn next(evening: &mut Evening, step: Step, clerk: &mut impl Clerk) {
    let quarters = match step {
        Step::Quarter => 1,
        Step::HalfPeriod => 2 - evening.clock.0 % 2,
        Step::Period => PERIOD - evening.clock.0 % PERIOD,
    };
    for _ in 0..quarters {
        quarter(evening);
        if evening.clock.0.is_multiple_of(PERIOD) {
            fights::settle(evening, clerk);
        }
    }
}

fn quarter(evening: &mut Evening) {
    let ends = evening.clock.is_second();
    // Who is in melee when a half-period ends is so in the first quarter of the next.
    let fighting: Vec<String> = match evening.table().check(&evening.options) {
        Ok(scene) if ends => {
            scene.bodies().iter().filter(|body| body.in_melee).map(|body| body.id().to_owned()).collect()
        }
        _ => Vec::new(),
    };
    let there: Vec<String> = evening.table().bodies.iter().map(|body| body.id.clone()).collect();
    for body in &mut evening.table.0.bodies {
        body.record.reacting = false;
        if let Place::Garrison(garrison) = &mut body.place {
            garrison.busy = garrison.busy.take().and_then(|mut busy| {
                busy.quarters = kernel::Whole::new(busy.quarters.get() - 1)?;
                (busy.quarters.get() > 0).then_some(busy)
            });
        }
        if !ends {
            continue;
        }
        let record = &mut body.record;
        (record.start, record.middle, record.moved_q1, record.moved_q2) = (None, None, None, None);
        (record.melee_q1, record.melee_q2) = (fighting.contains(&body.id), false);
        record.actions.clear();
        record.contact = None;
        let by = evening.fired.iter().filter(|fire| fire.target == body.id && there.contains(&fire.shooter));
        record.fired_at_by = by.map(|fire| fire.shooter.clone()).collect();
        record.fired_at_by.dedup();
    }
    if ends {
        evening.fired.clear();
    }
    // Who did something else for a quarter begins again to find its order.
    let acted = std::mem::take(&mut evening.marched);
    evening.reforming.retain(|one| acted.contains(&one.body));
    evening.clock.0 += 1;
}
