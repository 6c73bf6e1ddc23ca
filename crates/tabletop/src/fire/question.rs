//! `tabletop.shoot`: what an element of a described table may fire at, or what its fire does.

use kernel::{Centimetres, Clerk, Effect, Losses, Question, Refusal, RuleId, Verdict, Whole};
use rulebook::options::tabletop::{BallRemoval, Options};
use rulebook::phrase::tabletop_scene as scene_say;
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::declare::{Declaration, Method};
use super::ground::{Element, Ground, Part, Slot, Target};
use super::measure::CoverChoice;
use super::removal::{Suffered, apply};
use super::{Class, Cover, Duration, Projectile};
use crate::draw::{self, Mark, Overlay};
use crate::geometry::Point;
use crate::scene::{Scene, Setup};
use crate::terrain::houses::fire as house_fire;

/// The question `tabletop.shoot`.
pub struct AskShoot;

/// Who fires, and at what.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The table.
    pub scene: Setup,
    /// The body that fires.
    pub shooter: String,
    /// The part of it: the whole unless told.
    #[serde(default)]
    pub part: Option<WhichPart>,
    /// When: one fire for the half-period unless told.
    #[serde(default)]
    pub slot: Option<Slot>,
    /// The body fired at; without it, everything that may be is listed.
    #[serde(default)]
    pub target: Option<String>,
    /// The side of its house.
    #[serde(default)]
    pub side: Option<Whole<0, 3>>,
    /// What a battery fires.
    #[serde(default)]
    pub projectile: Projectile,
    /// Whether it means to set the house or redoubt on fire.
    #[serde(default)]
    pub burn: bool,
    /// How figures of unlike factors fire.
    #[serde(default)]
    pub method: Method,
    /// What to do with partial cover.
    #[serde(default)]
    pub aim: CoverChoice,
    /// Point-blank fire called before measuring; matters only with the option `small_arms_call`.
    #[serde(default)]
    pub point_blank: bool,
    /// Figures of other companies of the same unit that have fired point-blank at the target already:
    /// they share one limit.
    #[serde(default)]
    pub fired_already: Whole<0, 60>,
    /// The rank, 0 the first, from which the owner of the target takes figures lost to ball; matters
    /// only with the option `ball_removal`.
    #[serde(default)]
    pub taken_from: Option<Whole<0, 59>>,
    /// Whether to draw it.
    #[serde(default)]
    pub draw: bool,
}

/// Which part of a body.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhichPart {
    /// A company, by its name.
    Company(String),
    /// A face of a square: 0 front, then clockwise.
    Face(Whole<0, 3>),
    /// A side of a house.
    Side(Whole<0, 3>),
}

/// What may be fired at, or what the fire does.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Answer {
    /// The time slots the element has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<Slot>,
    /// Enemies that may be fired at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Eligible>,
    /// Enemies that may not, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refused>,
    /// The bodies hit, in the order the fire met them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hits: Vec<HitAnswer>,
    /// Point-blank.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub point_blank: bool,
    /// A battery's fire declared out of reach.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// Quarters the shooter idles before it notices that nobody is left on the side it fired at.
    #[serde(skip_serializing_if = "is_zero")]
    pub shooter_idles: i32,
    /// The house or redoubt of the target is on fire.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub on_fire: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
const fn is_zero(number: &i32) -> bool {
    *number == 0
}

/// An enemy that may be fired at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Eligible {
    /// The body.
    pub body: String,
    /// The side of its house.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<u8>,
    /// Its priority, 1 to 5; none if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u8>,
    /// Whether the priorities let it be taken.
    pub allowed: bool,
    /// The distance; hidden from a battery until it has declared (FE-3.3-12).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<Centimetres>,
}

/// An enemy that may not be fired at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Refused {
    /// The body.
    pub body: String,
    /// The side of its house.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<u8>,
    /// The rule that forbids it.
    #[schemars(with = "Option<String>")]
    pub rule: Option<RuleId>,
    /// The reason, in the reader's words.
    pub reason: String,
    /// The same, not yet put into words.
    #[serde(skip)]
    #[schemars(skip)]
    pub refusal: Refusal,
}

/// A body hit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct HitAnswer {
    /// The body.
    pub body: String,
    /// The side of its house.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<u8>,
    /// Its class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// The best cover it had; what each group met stands with the group.
    pub cover: Cover,
    /// The nearest distance.
    pub distance: Centimetres,
    /// Groups of figures with the same factor and duration.
    pub groups: Vec<GroupAnswer>,
    /// Losses.
    pub losses: Losses,
    /// Figures lost.
    pub figures_lost: i32,
    /// What stays on its marker.
    pub marker: Losses,
    /// The figures removed: company, rank and file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<(String, u16, u16)>,
    /// No figure is left.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub destroyed: bool,
}

/// A group of figures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct GroupAnswer {
    /// The factor, die included.
    pub factor: i32,
    /// How many figures.
    pub figures: i32,
    /// How long.
    pub duration: Duration,
    /// The cover it met.
    pub cover: Cover,
}

impl Question for AskShoot {
    const NAME: &'static str = "tabletop.shoot";
    const ROLLS: bool = true;
    const DRAWS: bool = true;
    type Options = Options;
    type Request = Request;
    type Answer = Answer;

    fn said(mut answer: Answer, say: &dyn Fn(&Refusal) -> String) -> Answer {
        for refused in &mut answer.refused {
            refused.reason = say(&refused.refusal);
        }
        answer
    }

    fn answer(request: &Request, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
        let scene = request.scene.checked("scene", options)?;
        let ground = Ground::new(&scene, options);
        let shooter = find(&scene, &request.shooter, "shooter")?;
        let element = element(request, &ground, shooter)?;
        match &request.target {
            Some(id) => {
                let body = find(&scene, id, "target")?;
                fire(request, &ground, element, body, clerk)
            }
            None => list(request, &ground, element, clerk),
        }
    }

    fn wishes_picture(request: &Request) -> bool {
        request.draw
    }

    /// The table with what the element can reach, and the lines to what it may fire at, or to what it
    /// fired at with the losses there.
    fn draw(request: &Request, options: &Options, answer: &Answer) -> Option<String> {
        let scene = request.scene.checked("scene", options).ok()?;
        let ground = Ground::new(&scene, options);
        let shooter = find(&scene, &request.shooter, "shooter").ok()?;
        let element = element(request, &ground, shooter).ok()?;
        let battery = ground.body(shooter).battery().is_some();
        let mut overlays = vec![if battery { Overlay::Corridor(shooter) } else { Overlay::Arcs(element) }];
        let line =
            |to: Point| Overlay::Line(Mark { from: ground.body(shooter).now().centre, to, blocked: None });
        let places = 0..scene.bodies().len();
        match &request.target {
            Some(id) => {
                let target = aimed(request, &ground, element, find(&scene, id, "target").ok()?).ok()?;
                overlays.push(line(ground.centre(target, ground.body(target.body).now())));
                overlays.extend(places.filter_map(|place| {
                    let hit = answer.hits.iter().find(|hit| hit.body == scene.bodies()[place].id())?;
                    Some(Overlay::Losses(place, hit.losses.count()))
                }));
            }
            None => {
                let listed = |target: &Target| {
                    let id = ground.body(target.body).id();
                    answer.targets.iter().any(|one| one.body == id && one.side == target.side)
                };
                let targets = places.flat_map(|place| ground.as_targets(place)).filter(listed);
                overlays.extend(targets.map(|target| line(ground.body(target.body).now().centre)));
            }
        }
        Some(draw::svg(&scene, &overlays))
    }
}

fn find(scene: &Scene, id: &str, field: &str) -> Verdict<usize> {
    scene.body(id, field)?;
    Ok(scene.bodies().iter().position(|body| body.id() == id).unwrap_or(0))
}

fn element(request: &Request, ground: &Ground<'_>, body: usize) -> Verdict<Element> {
    let short = |side: Whole<0, 3>| u8::try_from(side.get()).unwrap_or(0);
    let part = match &request.part {
        None => match ground.elements(body).as_slice() {
            [one] => one.part,
            _ => Part::Whole,
        },
        Some(WhichPart::Company(name)) => {
            let place = ground.body(body).companies().iter().position(|company| &company.name == name);
            let place = place.and_then(|place| u16::try_from(place).ok()).ok_or_else(|| {
                Refusal::field("part", scene_say::NO_SUCH_COMPANY)
                    .with("name", ground.body(body).name().to_owned())
            })?;
            Part::Company(place)
        }
        Some(WhichPart::Face(face)) => Part::Face(short(*face)),
        Some(WhichPart::Side(side)) => Part::Side(short(*side)),
    };
    Ok(Element { body, part })
}

/// The slot asked for, or the one the element has.
fn slot(request: &Request, slots: &[Slot]) -> Slot {
    let usual = if slots.contains(&Slot::Joint) { Some(Slot::Joint) } else { slots.first().copied() };
    request.slot.or(usual).unwrap_or_default()
}

fn list(request: &Request, ground: &Ground<'_>, element: Element, clerk: &mut impl Clerk) -> Verdict<Answer> {
    ground.may_fire(element.body, clerk)?;
    ground.is_element(element, clerk)?;
    let slots = ground.slots(element, clerk)?;
    let slot = slot(request, &slots);
    let shooter = ground.body(element.body);
    let (mut eligible, mut refused) = (Vec::new(), Vec::new());
    for place in 0..ground.scene.bodies().len() {
        if ground.body(place).side() == shooter.side() {
            continue;
        }
        for target in ground.as_targets(place) {
            match ground.is_eligible(element, slot, target, &mut super::priority::nobody()) {
                Ok(()) => eligible.push(target),
                Err(refusal) => {
                    explain(&refusal, clerk);
                    refused.push(Refused {
                        body: ground.body(place).id().to_owned(),
                        side: target.side,
                        rule: refusal.rule,
                        reason: String::new(),
                        refusal,
                    });
                }
            }
        }
    }
    let ranked = ground.rank(element, slot, &eligible, clerk);
    ground.by_option(element, clerk);
    let battery = shooter.battery().is_some();
    let unmeasured = battery && (ranked.is_empty() || clerk.holds(rule!(FE_3_3_08), true));
    let mut targets: Vec<Eligible> = ranked
        .iter()
        .map(|one| Eligible {
            body: ground.body(one.target.body).id().to_owned(),
            side: one.target.side,
            priority: (one.class <= 5).then_some(one.class),
            allowed: one.allowed,
            distance: (!unmeasured).then(|| one.gap.centimetres()),
        })
        .collect();
    targets.sort_by_key(|one| (one.priority.unwrap_or(6), one.distance));
    Ok(Answer { slots, targets, refused, ..Answer::default() })
}

/// Says by which rules an enemy may not be fired at: the one that refuses, and the principle of the
/// fire chapter that it serves.
fn explain(refusal: &Refusal, clerk: &mut impl Clerk) {
    use rulebook::phrase::tabletop_shoot as say;
    let Some(rule) = refusal.rule else { return };
    clerk.because(rule, Effect::Refused);
    let unseen = [
        say::NOT_SEEN,
        say::NOT_REVEALED,
        say::TOO_DEEP_TO_SEE_OUT,
        say::HIDDEN_IN,
        say::HIDDEN_IN_CROPS,
        say::TOO_FAR_INSIDE,
        say::WATCHES_UNSEEN,
        say::BELOW_CONTOUR,
        say::NOT_SEEN_FROM_THERE,
    ];
    if unseen.contains(&refusal.reason) {
        clerk.because(rule!(FE_1_04), Effect::Refused);
        clerk.because(rule!(TE_2_3_11), Effect::Refused);
    }
    let hidden = [rule!(TE_4_2_04), rule!(TE_4_2_05), rule!(TE_4_4_02), rule!(TE_5_3_04)];
    let behind_crest = [rule!(TE_2_3_01), rule!(TE_2_3_12), rule!(TE_3_2_02), rule!(TE_3_2_03)];
    let conditions = [rule!(FE_1_07), rule!(FE_1_08), rule!(FE_1_4_04)];
    if hidden.contains(&rule) {
        clerk.because(rule!(FE_1_3_02), Effect::Refused);
    } else if behind_crest.contains(&rule) {
        clerk.because(rule!(FE_1_3_06), Effect::Refused);
    } else if conditions.contains(&rule) {
        clerk.because(rule!(FE_1_10), Effect::Refused);
    } else if rule == rule!(FE_3_4_01) {
        clerk.because(rule!(FE_3_4_05), Effect::Refused);
    }
}

/// What is fired at: a body, or one side of its house.
fn aimed(request: &Request, ground: &Ground<'_>, element: Element, body: usize) -> Verdict<Target> {
    let side = match (ground.body(body).now().house, request.side) {
        (None, Some(_)) => Refusal::rule(rule!(FE_R77), rulebook::phrase::tabletop_shoot::NO_HOUSE)
            .at("side")
            .stands(None)?,
        (None, None) => None,
        (Some(_), Some(side)) => u8::try_from(side.get()).ok(),
        // The garrisoned side that can be fired at, if only one can.
        (Some(_), None) => ground
            .as_targets(body)
            .into_iter()
            .find(|&target| {
                ground.is_eligible(element, Slot::Joint, target, &mut super::priority::nobody()).is_ok()
            })
            .or_else(|| ground.as_targets(body).first().copied())
            .and_then(|target| target.side),
    };
    Ok(Target { body, side })
}

fn fire(
    request: &Request,
    ground: &Ground<'_>,
    element: Element,
    body: usize,
    clerk: &mut impl Clerk,
) -> Verdict<Answer> {
    let target = aimed(request, ground, element, body)?;
    house_fire::is_held(ground.as_targets(body).contains(&target)).map_err(|refusal| {
        let said = Refusal::plain(rulebook::phrase::tabletop_shoot::SIDE_EMPTY);
        Refusal { rule: refusal.rule, ..said }.at("side")
    })?;
    ground.may_fire(element.body, clerk)?;
    ground.is_element(element, clerk)?;
    let slots = ground.slots(element, clerk)?;
    let declared = Declaration {
        element,
        slot: slot(request, &slots),
        target,
        projectile: request.projectile,
        burn: request.burn,
        method: request.method,
        choice: request.aim,
        called: request.point_blank,
        fired_already: usize::try_from(request.fired_already.get()).unwrap_or(0),
        taken_from: request.taken_from.and_then(|rank| u16::try_from(rank.get()).ok()),
    };
    let ball = ground.body(element.body).battery().is_some() && declared.projectile == Projectile::Ball;
    let ranks = ground.body(body).now().ranks();
    if ball
        && ground.options.ball_removal == BallRemoval::OwnerChoice
        && ranks > 1
        && declared.taken_from.is_none_or(|rank| rank >= ranks)
    {
        return Err(Refusal::field("taken_from", rulebook::phrase::tabletop_shoot::OWNER_CHOOSES));
    }
    // Eligible first, so that the refusal says why; then the priorities.
    ground.is_eligible(element, declared.slot, target, &mut super::priority::nobody())?;
    ground.must_take(element, declared.slot, target, clerk)?;
    let fires = ground.resolve(declared, clerk)?;
    let suffered = apply(ground, &fires, clerk);
    let mut hits: Vec<HitAnswer> = Vec::new();
    for hit in fires.iter().flat_map(|fired| &fired.hits) {
        let groups = hit.groups.iter().enumerate().map(|(k, group)| GroupAnswer {
            factor: group.factor,
            figures: group.figures,
            duration: group.duration,
            cover: hit.covers.get(k).copied().unwrap_or(hit.cover),
        });
        let id = ground.body(hit.target.body).id();
        if let Some(known) = hits.iter_mut().find(|known| known.body == id && known.side == hit.target.side) {
            known.groups.extend(groups);
            continue;
        }
        let Some(toll) = suffered.iter().find(|one| one.body == hit.target.body) else { continue };
        let struck = ground.body(hit.target.body);
        hits.push(HitAnswer {
            body: id.to_owned(),
            side: hit.target.side,
            class: struck.now().class,
            cover: hit.cover,
            distance: hit.distance,
            groups: groups.collect(),
            losses: toll.losses,
            figures_lost: toll.figures,
            marker: toll.marker,
            removed: toll
                .removed
                .iter()
                .map(|&figure| {
                    let figure = &struck.now().figures[figure];
                    let company = struck.companies().get(usize::from(figure.company));
                    (
                        company.map_or_else(String::new, |company| company.name.clone()),
                        figure.rank,
                        figure.file,
                    )
                })
                .collect(),
            destroyed: toll.destroyed,
        });
    }
    let shooter_idles = idles(ground, target, &suffered, clerk);
    Ok(Answer {
        hits,
        point_blank: fires.iter().any(|fired| fired.point_blank),
        lost: fires.iter().all(|fired| fired.lost),
        shooter_idles,
        on_fire: fires.iter().any(|fired| fired.ignited),
        ..Answer::default()
    })
}

/// How long a shooter idles once the side of a house it fired at is empty (TE-5.4-12).
fn idles(ground: &Ground<'_>, target: Target, suffered: &[Suffered], clerk: &mut impl Clerk) -> i32 {
    let (Some(side), Some(toll)) = (target.side, suffered.iter().find(|one| one.body == target.body)) else {
        return 0;
    };
    let figures = &ground.body(target.body).now().figures;
    let on_side = figures.iter().filter(|figure| figure.face == side).count();
    let lost_there = toll.removed.iter().filter(|&&figure| figures[figure].face == side).count();
    let [on_side, lost_there] = [on_side, lost_there].map(|n| i32::try_from(n).unwrap_or(i32::MAX));
    house_fire::idles(on_side, lost_there, clerk)
}
