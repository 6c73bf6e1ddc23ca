//! The fire phase of an evening (fire procedure, section 2): fires are declared and rolled one by one as
//! players come to them, and yet all with the figures that stood at the opening of the phase. A shot and
//! its die enter; the table after all losses of the phase leaves.

use kernel::{Clerk, Desk, Effect, Event, Refusal, RuleId, Scripted, Silent, Verdict};
use rulebook::options::tabletop::{DegradingFireCausesLosses, FireOrder, Options};
use rulebook::phrase::{evening as say, tabletop_shoot};
use rulebook::rule;
use serde::{Deserialize, Serialize};

use super::battering::{self, Battered};
use super::{Evening, FiredAt, Phase, Rolled, Written};
use crate::fire::Projectile;
use crate::fire::declare::{Declaration, Fired};
use crate::fire::ground::{Element, Ground, Part, Slot};
use crate::fire::phase::{after_losses, kind_order, once, one_target_per_battery};
use crate::fire::priority::nobody;
use crate::fire::removal::apply;
use crate::scene::{Scene, Setup, Shape, Side};
use crate::terrain::ground::Ground as Terrain;
use crate::terrain::on_table;

/// A fire, as it is declared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// Who fires.
    pub shooter: String,
    /// Which part of it; the whole, or the only one it has, unless told.
    #[serde(default)]
    pub part: Option<Part>,
    /// When; one fire for the half-period unless told.
    #[serde(default)]
    pub slot: Option<Slot>,
    /// At whom.
    pub target: String,
    /// The side of the target's house; one that can be fired at unless told.
    #[serde(default)]
    pub side: Option<u8>,
    /// What a battery fires.
    #[serde(default)]
    pub projectile: Projectile,
    /// Whether it means to set the house or redoubt on fire.
    #[serde(default)]
    pub burn: bool,
    /// The wall before the target that it means to shoot to pieces as well (TE-R82).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batters: Option<String>,
}

/// A clerk who keeps the faces he rolled.
struct Noted<'a, C> {
    clerk: &'a mut C,
    faces: Vec<u8>,
}

impl<C: Clerk> Clerk for Noted<'_, C> {
    fn die(&mut self, sides: u8) -> u8 {
        let face = self.clerk.die(sides);
        self.faces.push(face);
        face
    }

    fn because(&mut self, rule: RuleId, effect: Effect) {
        self.clerk.because(rule, effect);
    }

    fn happened(&mut self, event: impl FnOnce() -> Event) {
        self.clerk.happened(event);
    }
}

impl Evening {
    /// The table at the opening of the phase in which this side fires: all fire at once, unless the
    /// sides alternate.
    pub(super) fn opening(&self, shooter: &str) -> Phase {
        let side = |id: &str| self.table().bodies.iter().find(|body| body.id == id).map(|body| body.side);
        let alternates = |phase: &Phase| {
            self.options.fire_order == FireOrder::Alternating
                && phase
                    .shots
                    .iter()
                    .any(|rolled| side(&rolled.shot.shooter) == side(shooter).map(Side::enemy))
        };
        match &self.phase {
            Some(phase) if !alternates(phase) => phase.clone(),
            _ => Phase { opening: self.table.clone(), shots: Vec::new(), battered: Vec::new() },
        }
    }
}

/// The declaration of a shot on the ground.
pub(super) fn declared(ground: &Ground<'_>, shot: &Shot, clerk: &mut impl Clerk) -> Verdict<Declaration> {
    let place = |id: &str, field: &str| -> Verdict<usize> {
        ground.scene.body(id, field)?;
        Ok(ground.scene.bodies().iter().position(|body| body.id() == id).unwrap_or(0))
    };
    let (body, at) = (place(&shot.shooter, "shooter")?, place(&shot.target, "target")?);
    let part = shot.part.unwrap_or_else(|| match ground.elements(body).as_slice() {
        [one] => one.part,
        _ => Part::Whole,
    });
    let element = Element { body, part };
    ground.may_fire(body, clerk)?;
    ground.is_element(element, clerk)?;
    let slots = ground.slots(element, clerk)?;
    let usual = if slots.contains(&Slot::Joint) { Some(Slot::Joint) } else { slots.first().copied() };
    let slot = shot.slot.or(usual).unwrap_or_default();
    let sides = ground.as_targets(at);
    let target = match shot.side {
        Some(side) => sides.into_iter().find(|target| target.side == Some(side)),
        None => sides
            .iter()
            .find(|&&target| ground.is_eligible(element, slot, target, &mut nobody()).is_ok())
            .or(sides.first())
            .copied(),
    };
    let target = target.ok_or_else(|| Refusal::field("side", tabletop_shoot::SIDE_EMPTY))?;
    Ok(Declaration {
        projectile: shot.projectile,
        burn: shot.burn,
        ..Declaration::new(element, slot, target)
    })
}

/// Whether a shot may be fired beside those of the phase.
pub(super) fn may(evening: &Evening, shot: &Shot) -> Verdict<()> {
    let Phase { opening, shots, battered } = evening.opening(&shot.shooter);
    let scene = opening.0.checked("table", &evening.options)?;
    let ground = Ground::new(&scene, &evening.options);
    let mut made = Vec::new();
    for rolled in &shots {
        made.extend(declared(&ground, &rolled.shot, &mut nobody()));
    }
    let one = declared(&ground, shot, &mut nobody())?;
    once(&ground, &made, one)?;
    if battered.iter().any(|wall| wall.battery == shot.shooter && wall.target.is_none()) {
        let name = ground.body(one.element.body).name().to_owned();
        return Err(Refusal::rule(rule!(FE_2_3_08), tabletop_shoot::FIRED_ALREADY).with("body", name));
    }
    made.push(one);
    one_target_per_battery(&scene, &made, &mut nobody())?;
    ground.is_eligible(one.element, one.slot, one.target, &mut nobody())?;
    ground.must_take(one.element, one.slot, one.target, &mut nobody())?;
    if let Some(wall) = walled(shot) {
        battering::may(evening, &wall, shot.projectile)?;
        if !kills(shot, &evening.options) {
            return Ok(());
        }
    }
    // What only the whole resolution refuses; its die is thrown away.
    let mut desk = Desk::new(kernel::Live::from_seed([0; 32]), Silent);
    ground.resolve(one, &mut desk).map(|_| ())
}

/// The wall that a shot means to shoot to pieces.
fn walled(shot: &Shot) -> Option<Battered> {
    let element = shot.batters.clone()?;
    Some(Battered { battery: shot.shooter.clone(), element, target: Some(shot.target.clone()) })
}

/// Whether a shot inflicts losses: at a wall only if the table is played so (TE-R82).
fn kills(shot: &Shot, options: &Options) -> bool {
    shot.batters.is_none() || options.degrading_fire_causes_losses == DegradingFireCausesLosses::Yes
}

/// Figures of other companies of the unit that have fired point-blank at the same target: they share
/// one limit (FE-R25).
fn fired_already(fires: &[Fired], one: Declaration) -> usize {
    let shared = fires.iter().filter(|fired| {
        let other = fired.declaration;
        fired.point_blank
            && (other.element.body, other.slot, other.target) == (one.element.body, one.slot, one.target)
            && matches!((other.element.part, one.element.part), (Part::Company(_), Part::Company(_)))
    });
    shared
        .flat_map(|fired| fired.hits.iter().filter(|hit| hit.target == one.target))
        .filter_map(|hit| usize::try_from(hit.figures).ok())
        .sum()
}

/// Fires, and writes the losses of the whole phase to the table.
pub(super) fn fire(evening: &mut Evening, shot: &Shot, clerk: &mut impl Clerk) {
    let Phase { opening, mut shots, mut battered } = evening.opening(&shot.shooter);
    let options = evening.options;
    // Validated: what cannot be fired changes nothing.
    let Ok(scene) = opening.0.checked("table", &options) else { return };
    let ground = Ground::new(&scene, &options);
    let mut fires: Vec<Fired> = Vec::new();
    for rolled in shots.iter().filter(|rolled| kills(&rolled.shot, &options)) {
        let Ok(one) = declared(&ground, &rolled.shot, &mut nobody()) else { continue };
        let one = Declaration { fired_already: fired_already(&fires, one), ..one };
        let mut desk = Desk::new(Scripted::new(&rolled.dice), Silent);
        fires.extend(ground.resolve(one, &mut desk).into_iter().flatten());
    }
    let Ok(one) = declared(&ground, shot, &mut nobody()) else { return };
    let one = Declaration { fired_already: fired_already(&fires, one), ..one };
    let mut noted = Noted { clerk, faces: Vec::new() };
    let resolved = if kills(shot, &options) { ground.resolve(one, &mut noted) } else { Ok(Vec::new()) };
    let Ok(new) = resolved else { return };
    let dice = noted.faces;
    let hit: Vec<usize> = new.iter().flat_map(|fired| fired.hits.iter().map(|hit| hit.target.body)).collect();
    fires.extend(new);
    fires.sort_by_key(|fired| (kind_order(fired.declaration.slot), fired.declaration.element));
    let suffered = apply(&ground, &fires, clerk);
    let told: Vec<_> = suffered.iter().filter(|one| hit.contains(&one.body)).collect();
    if told.is_empty() && kills(shot, &options) {
        clerk.happened(|| Event::new(say::NOTHING_LOST));
    }
    for one in told {
        let name = scene.bodies()[one.body].name().to_owned();
        clerk.happened(|| {
            if one.destroyed {
                Event::new(say::DESTROYED).with("name", name)
            } else {
                Event::new(say::FIRED)
                    .with("name", name)
                    .with("losses", one.losses)
                    .with("figures", i64::from(one.figures))
                    .with("marker", one.marker)
            }
        });
    }
    let mut table = after_losses(&scene, &suffered);
    for fired in &fires {
        disclose(&mut table, &scene, fired);
    }
    let before = battered.len();
    battered.extend(walled(shot));
    if battered.len() > before {
        battering::apply(&mut table, &opening.0, evening, &battered, clerk);
    } else {
        battering::apply(&mut table, &opening.0, evening, &battered, &mut nobody());
    }
    shots.push(Rolled { shot: shot.clone(), dice });
    evening.table = Written(table);
    evening.phase = Some(Phase { opening, shots, battered });
    evening.fired.push(FiredAt { shooter: shot.shooter.clone(), target: shot.target.clone() });
}

/// Who fires out of a wood or a house is known from then on (TE-R30); a house set on fire burns.
fn disclose(table: &mut Setup, scene: &Scene, fired: &Fired) {
    let shooter = &scene.bodies()[fired.declaration.element.body];
    let hidden = shooter.now().house.is_some() || on_table::grounds(scene, shooter).contains(&Terrain::Wood);
    if let Some(written) = table.bodies.iter_mut().find(|body| body.id == shooter.id())
        && hidden
    {
        written.record.revealed = true;
    }
    let target = &scene.bodies()[fired.declaration.target.body];
    let place = target.now().house.or(target.now().redoubt).filter(|_| fired.ignited);
    let Some(element) = place.and_then(|place| scene.elements().get(place)) else { return };
    for written in table.terrain.iter_mut().filter(|written| written.id == element.id) {
        match &mut written.shape {
            Shape::House(house) => house.burning = true,
            Shape::Redoubt(redoubt) => redoubt.burning = true,
            _ => {}
        }
    }
}

/// Bodies that have not fired in this half-period, with the target the priorities give them first.
pub(super) fn open(evening: &Evening) -> Vec<FiredAt> {
    let Ok(scene) = evening.table().checked("table", &evening.options) else { return Vec::new() };
    let ground = Ground::new(&scene, &evening.options);
    let declared = crate::fire::phase::automatic(&ground);
    let mut open: Vec<FiredAt> = Vec::new();
    for one in declared {
        let (shooter, target) = (scene.bodies()[one.element.body].id(), scene.bodies()[one.target.body].id());
        let known = evening.fired.iter().chain(&open).any(|fire| fire.shooter == shooter);
        if !known {
            open.push(FiredAt { shooter: shooter.to_owned(), target: target.to_owned() });
        }
    }
    open
}
