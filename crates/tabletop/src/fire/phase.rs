//! A whole fire phase (procedure, section 2): every element lists its targets, takes the one the
//! priorities give, fires, and all losses are applied in the fixed order.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::tabletop::{FireOrder, Options};
use rulebook::rule;

use super::declare::{Declaration, Fired};
use super::ground::{Element, Ground, Part, Slot, Target};
use super::priority::nobody;
use super::removal::{Suffered, apply};
use crate::scene::{
    AbandonedSetup, Body, Cause, Company, ElementSetup, GarrisonAt, Muster, Place, Scene, Setup, Shape, Side,
};

/// What came of a phase.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The fires, in the order they were applied.
    pub fires: Vec<Fired>,
    /// What each body hit suffered.
    pub suffered: Vec<Suffered>,
    /// Declarations that were refused.
    pub refused: Vec<(Declaration, Refusal)>,
}

/// What unattended play declares: every element that can fires once, at the nearest target the
/// priorities allow.
#[must_use]
pub fn automatic(ground: &Ground<'_>) -> Vec<Declaration> {
    let mut declared = Vec::new();
    for place in 0..ground.scene.bodies().len() {
        if ground.may_fire(place, &mut nobody()).is_err() {
            continue;
        }
        for element in ground.elements(place) {
            let Ok(slots) = ground.slots(element, &mut nobody()) else { continue };
            let slot = if slots.contains(&Slot::Joint) { Slot::Joint } else { slots[0] };
            declared
                .extend(choice(ground, element, slot).map(|target| Declaration::new(element, slot, target)));
        }
    }
    declared
}

/// The nearest target the priorities allow.
fn choice(ground: &Ground<'_>, element: Element, slot: Slot) -> Option<Target> {
    let eligible: Vec<Target> = ground
        .prospects(element)
        .into_iter()
        .filter(|&target| ground.is_eligible(element, slot, target, &mut nobody()).is_ok())
        .collect();
    let ranked = ground.rank(element, slot, &eligible, &mut nobody());
    ranked
        .into_iter()
        .filter(|one| one.allowed)
        .min_by_key(|one| (one.class, one.gap, one.target))
        .map(|one| one.target)
}

/// Resolves the declarations of a phase. With `fire_order` simultaneous, all fire with the figures
/// present at its start; alternating, blue fires first and its losses reduce red's fire.
///
/// # Errors
/// When two declarations of one battery name different targets.
pub fn resolve(
    scene: &Scene,
    options: &Options,
    declared: &[Declaration],
    clerk: &mut impl Clerk,
) -> Verdict<Outcome> {
    clerk.applied(rule!(FE_1_01));
    one_target_per_battery(scene, declared, clerk)?;
    let apart = declared.iter().enumerate().any(|(k, one)| {
        declared[..k].iter().any(|other| {
            other.element.body == one.element.body
                && other.element.part != one.element.part
                && other.target != one.target
        })
    });
    if apart && !clerk.holds(rule!(FE_1_5_08), true) {
        return Err(Refusal::rule(rule!(FE_R71), rulebook::phrase::tabletop_shoot::ONE_TARGET));
    }
    let mut sorted = declared.to_vec();
    sorted.sort_by_key(|one| (kind_order(one.slot), one.element));
    match options.fire_order {
        FireOrder::Simultaneous => Ok(volley(&Ground::new(scene, options), &sorted, clerk)),
        FireOrder::Alternating => {
            let of = |side: Side| -> Vec<Declaration> {
                sorted.iter().copied().filter(|one| scene.bodies()[one.element.body].side() == side).collect()
            };
            let mut outcome = volley(&Ground::new(scene, options), &of(Side::Blue), clerk);
            let after = after_losses(scene, &outcome.suffered);
            let Ok(next) = after.check(options) else { return Ok(outcome) };
            // Bodies that were destroyed are gone: the others are found again by name.
            let found =
                |place: usize| next.bodies().iter().position(|body| body.id() == scene.bodies()[place].id());
            let reply: Vec<Declaration> = of(Side::Red)
                .into_iter()
                .filter_map(|one| {
                    let element = Element { body: found(one.element.body)?, ..one.element };
                    let target = Target { body: found(one.target.body)?, ..one.target };
                    Some(Declaration { element, target, ..one })
                })
                .collect();
            let back = volley(&Ground::new(&next, options), &reply, clerk);
            let place = |new: usize| {
                scene.bodies().iter().position(|body| body.id() == next.bodies()[new].id()).unwrap_or(new)
            };
            outcome.fires.extend(back.fires.into_iter().map(|mut fired| {
                fired.declaration.element.body = place(fired.declaration.element.body);
                fired.declaration.target.body = place(fired.declaration.target.body);
                for hit in &mut fired.hits {
                    hit.target.body = place(hit.target.body);
                }
                fired
            }));
            outcome
                .suffered
                .extend(back.suffered.into_iter().map(|one| Suffered { body: place(one.body), ..one }));
            outcome.refused.extend(back.refused);
            Ok(outcome)
        }
    }
}

/// Fires at chargers first, then first-quarter shots, then all others (FE-R57).
pub(crate) const fn kind_order(slot: Slot) -> u8 {
    match slot {
        Slot::Charged => 0,
        Slot::First => 1,
        Slot::Joint | Slot::Second => 2,
    }
}

/// A battery that fires twice in a half-period fires at one target (FE-R28).
pub(crate) fn one_target_per_battery(
    scene: &Scene,
    declared: &[Declaration],
    clerk: &mut impl Clerk,
) -> Verdict<()> {
    for (k, one) in declared.iter().enumerate() {
        let battery = &scene.bodies()[one.element.body];
        if battery.battery().is_none() {
            continue;
        }
        let mut others = declared[..k].iter().filter(|other| other.element == one.element).peekable();
        let one_only = others.peek().is_some() && clerk.holds(rule!(FE_3_6_01), true);
        if one_only && others.any(|other| other.target != one.target) {
            Refusal::rule(rule!(FE_3_4_10), rulebook::phrase::tabletop_shoot::ONE_TARGET)
                .with("body", battery.name().to_owned())
                .stands(())?;
        }
    }
    Ok(())
}

/// A body fires whole or by companies (FE-R71), and an element in one fire or in two shots by quarter
/// (FE-2.3-08), never twice with the same figures.
pub(crate) fn once(ground: &Ground<'_>, made: &[Declaration], one: Declaration) -> Verdict<()> {
    let again = |other: &Declaration| {
        let shots = [other.slot, one.slot];
        let divided = shots == [Slot::First, Slot::Second] || shots == [Slot::Second, Slot::First];
        other.element == one.element && !divided
    };
    let split = |other: &Declaration| {
        other.element.body == one.element.body
            && (other.element.part == Part::Whole) != (one.element.part == Part::Whole)
    };
    let rule = if made.iter().any(again) {
        rule!(FE_2_3_08)
    } else if made.iter().any(split) {
        rule!(FE_R71)
    } else {
        return Ok(());
    };
    let name = ground.body(one.element.body).name().to_owned();
    Refusal::rule(rule, rulebook::phrase::tabletop_shoot::FIRED_ALREADY).with("body", name).stands(())
}

fn volley(ground: &Ground<'_>, declared: &[Declaration], clerk: &mut impl Clerk) -> Outcome {
    let mut outcome = Outcome::default();
    let mut made: Vec<Declaration> = Vec::new();
    for &one in declared {
        // Companies of one unit that fire point-blank at one target share one limit (FE-R25).
        let shared = outcome.fires.iter().filter(|fired: &&Fired| {
            let other = fired.declaration;
            fired.point_blank
                && (other.element.body, other.slot, other.target) == (one.element.body, one.slot, one.target)
                && matches!((other.element.part, one.element.part), (Part::Company(_), Part::Company(_)))
        });
        let fired_already = shared
            .flat_map(|fired| fired.hits.iter().filter(|hit| hit.target == one.target))
            .filter_map(|hit| usize::try_from(hit.figures).ok())
            .sum();
        let resolved = once(ground, &made, one)
            .and_then(|()| ground.resolve(Declaration { fired_already, ..one }, clerk));
        match resolved {
            Ok(fires) => {
                made.push(one);
                outcome.fires.extend(fires);
            }
            Err(refusal) => outcome.refused.push((one, refusal)),
        }
    }
    outcome.suffered = apply(ground, &outcome.fires, clerk);
    outcome
}

/// The table after losses: figures taken off, markers turned, bodies without figures gone.
#[must_use]
pub fn after_losses(scene: &Scene, suffered: &[Suffered]) -> Setup {
    let mut setup = scene.setup().clone();
    for one in suffered {
        let body = &scene.bodies()[one.body];
        let written = &mut setup.bodies[one.body];
        written.marker = one.marker;
        let mut companies = vec![0_i32; body.companies().len()];
        for &figure in &one.removed {
            if let Some(count) = companies.get_mut(usize::from(body.now().figures[figure].company)) {
                *count += 1;
            }
        }
        let lost = u16::try_from(one.figures).unwrap_or(u16::MAX);
        written.lost.all = written.lost.all.saturating_add(lost);
        written.lost.to_ball = written.lost.to_ball.saturating_add(one.to_ball);
        if let Place::Garrison(garrison) = &written.place {
            reserve(garrison, body.companies(), one, &mut companies);
        }
        match &mut written.troops {
            Muster::Infantry(drill) => thin(&mut drill.companies, &companies),
            Muster::Cavalry(weight) => thin(&mut weight.companies, &companies),
            Muster::Artillery(battery) => {
                let left = battery.crew_left() - i64::from(one.figures);
                battery.crew = i32::try_from(left).ok().and_then(kernel::Whole::new);
            }
            Muster::Officer(_) => {}
        }
        if let Place::Bases(bases) = &mut written.place {
            let mut number = 0;
            bases.bases.retain(|_| {
                number += 1;
                !one.removed.contains(&(number - 1))
            });
        }
        if let Place::Garrison(garrison) = &mut written.place {
            for &figure in &one.removed {
                let gone = &body.now().figures[figure];
                let name = body.companies().get(usize::from(gone.company)).map(|company| &company.name);
                let post = garrison
                    .posts
                    .iter_mut()
                    .find(|post| i32::from(gone.face) == post.side.get() && Some(&post.company) == name);
                if let Some(post) = post {
                    match kernel::Whole::new(post.figures.get() - 1) {
                        Some(fewer) => post.figures = fewer,
                        None => post.company.clear(),
                    }
                }
            }
            garrison.posts.retain(|post| !post.company.is_empty());
        }
    }
    for one in suffered.iter().filter(|one| one.destroyed) {
        if one.gun_stays {
            setup.terrain.extend(gun_left(&setup, &scene.bodies()[one.body]));
        }
    }
    let gone: Vec<String> = suffered
        .iter()
        .filter(|one| one.destroyed)
        .map(|one| scene.bodies()[one.body].id().to_owned())
        .collect();
    take_away(&mut setup, &gone);
    setup
}

/// Takes bodies off the table, and out of what is written of others.
pub(crate) fn take_away(setup: &mut Setup, gone: &[String]) {
    setup.bodies.retain(|body| !gone.contains(&body.id));
    for body in &mut setup.bodies {
        body.record.fired_at_by.retain(|by| !gone.contains(by));
        if body.record.contact.as_ref().is_some_and(|contact| gone.contains(&contact.with)) {
            body.record.contact = None;
        }
        if body.order.as_ref().and_then(|order| order.of.as_ref()).is_some_and(|of| gone.contains(of)) {
            body.order = None;
        }
    }
}

/// Figures lost from the reserve belong to the companies that are not posted to the last man.
fn reserve(garrison: &GarrisonAt, written: &[Company], one: &Suffered, lost: &mut [i32]) {
    let from_reserve = usize::try_from(one.figures).unwrap_or(0).saturating_sub(one.removed.len());
    let unposted = |company: &Company| {
        let posts = garrison.posts.iter().filter(|post| post.company == company.name);
        company.figures.get() - posts.map(|post| post.figures.get()).sum::<i32>()
    };
    let mut left: Vec<i32> = written.iter().map(unposted).collect();
    for _ in 0..from_reserve {
        let Some(company) = left.iter().rposition(|&figures| figures > 0) else { return };
        left[company] -= 1;
        lost[company] += 1;
    }
}

/// The gun of a battery without gunners stays where it is, as an obstacle (FE-3.7-25, FE-3.7-26).
fn gun_left(setup: &Setup, body: &Body) -> Option<ElementSetup> {
    let (battery, base) = (body.battery()?, &body.now().figures.first()?.base);
    let taken = |id: &str| setup.terrain.iter().any(|element| element.id == id);
    let mut id = format!("{}-gun", body.id());
    while taken(&id) {
        id.push('+');
    }
    let gun = AbandonedSetup {
        at: base.front,
        facing: base.facing,
        crew: i32::try_from(battery.full_crew()).ok().and_then(kernel::Whole::new)?,
        cause: Cause::Abandoned,
        battery: Some(body.id().to_owned()),
    };
    let label = body.setup.label.clone();
    Some(ElementSetup { id, label, hidden_in: None, shape: Shape::AbandonedBattery(gun) })
}

/// Takes figures off the companies they belong to; what they began with is kept.
fn thin(companies: &mut [Company], lost: &[i32]) {
    for (company, &lost) in companies.iter_mut().zip(lost) {
        if company.initial.is_none() {
            company.initial = kernel::Whole::new(company.figures.get());
        }
        if let Some(left) = kernel::Whole::new(company.figures.get() - lost) {
            company.figures = left;
        }
    }
}
