//! Everything a body may do now: whom it may fire at and who comes first, how far it may march, whom it
//! may charge, whom it fights, which house it may enter or assault, what it may cross. A scene and a body enter; what is allowed and
//! what is refused, each with its rule, leave.

use kernel::{Centimetres, Clerk, Refusal, Verdict, Whole};
use rulebook::options::tabletop::Options;
use rulebook::phrase::evening as say;

use super::{Evening, Shot, deeds, volley};
use crate::fire::Projectile;
use crate::fire::ground::{Ground, Slot, Target};
use crate::fire::priority::nobody;
use crate::geometry::{Point, turned};
use crate::movement::Pace;
use crate::scene::{Body, Element, Kind, Place, Scene, State};
use crate::terrain::houses::entry;
use crate::terrain::obstacles::cross;
use crate::terrain::on_table::{self, house};

/// Something a body might do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Fire at a body, or at all if none is named.
    Fire {
        /// At whom.
        target: Option<String>,
        /// The side of its house.
        side: Option<u8>,
        /// Its priority, 1 to 5.
        priority: Option<u8>,
        /// How far it is; a battery declares before it measures (FE-3.3-12).
        distance: Option<Centimetres>,
    },
    /// March straight ahead, or back.
    March {
        /// How.
        pace: Pace,
        /// How far in a quarter.
        quarter: Centimetres,
        /// How far in a half-period.
        half: Centimetres,
        /// The place it makes for.
        to: Option<Point>,
    },
    /// Charge a body.
    Charge {
        /// Whom.
        target: String,
    },
    /// Fight a body it touches.
    Melee {
        /// Whom.
        target: String,
    },
    /// Enter a house it touches.
    Enter {
        /// Which.
        house: String,
    },
    /// Leave its house.
    Leave {
        /// By which side.
        side: u8,
    },
    /// Assault a house it touches.
    Assault {
        /// Which.
        house: String,
    },
    /// Cross a hedge, a wall or the face of a redoubt it stands at.
    Cross {
        /// Which.
        obstacle: String,
        /// Half-periods until its last rank is over.
        half_periods: i32,
    },
    /// Change its formation; guns limber or go into position.
    Form,
    /// Find its order again.
    Reform {
        /// Quarters it takes.
        quarters: i32,
    },
}

/// What a body may do, and what not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct May {
    /// What it may.
    pub can: Vec<Deed>,
    /// What it may not, and why.
    pub refused: Vec<(Deed, Refusal)>,
}

impl May {
    fn judge<T>(&mut self, verdict: Verdict<T>, deed: impl FnOnce(Option<T>) -> Deed) {
        match verdict {
            Ok(found) => self.can.push(deed(Some(found))),
            Err(refusal) => self.refused.push((deed(None), refusal)),
        }
    }
}

impl Deed {
    /// Whether it takes the quarter of whoever does it.
    const fn takes_a_quarter(&self) -> bool {
        match self {
            Self::March { .. }
            | Self::Charge { .. }
            | Self::Enter { .. }
            | Self::Leave { .. }
            | Self::Cross { .. }
            | Self::Form
            | Self::Reform { .. } => true,
            Self::Fire { .. } | Self::Melee { .. } | Self::Assault { .. } => false,
        }
    }
}

impl Evening {
    /// Everything a body of the table may do now, with what it has done already.
    #[must_use]
    pub fn may(&self, scene: &Scene, place: usize) -> May {
        let Some(body) = scene.bodies().get(place) else { return May::default() };
        let May { can, mut refused } = may(scene, self.options(), place);
        let acted = self.is_free(body.id());
        let fired = self.fired().iter().any(|fire| fire.shooter == body.id());
        let mut still = Vec::new();
        for deed in can {
            let verdict = match &deed {
                Deed::Fire { target: Some(target), side, .. } if fired => volley::may(
                    self,
                    &Shot {
                        shooter: body.id().to_owned(),
                        part: None,
                        slot: None,
                        target: target.clone(),
                        side: *side,
                        projectile: Projectile::Ball,
                        burn: false,
                        batters: None,
                    },
                ),
                deed if deed.takes_a_quarter() => acted.clone(),
                _ => Ok(()),
            };
            match verdict {
                Ok(()) => still.push(deed),
                Err(refusal) => refused.push((deed, refusal)),
            }
        }
        May { can: still, refused }
    }
}

/// Everything a body may do now.
#[must_use]
pub fn may(scene: &Scene, options: &Options, place: usize) -> May {
    let mut may = May::default();
    let Some(body) = scene.bodies().get(place) else { return may };
    fires(scene, options, place, &mut may);
    marches(scene, options, body, &mut may);
    for enemy in scene.bodies().iter().filter(|other| other.side() != body.side()) {
        charge(scene, options, body, enemy, &mut may);
        if on_table::contact(scene, body, enemy, options, &mut nobody()).is_ok() {
            may.can.push(Deed::Melee { target: enemy.id().to_owned() });
        }
    }
    for element in
        scene.elements().iter().filter(|element| element.extent.grown(50).meets(&body.now().extent))
    {
        match &element.kind {
            Kind::House(_) => at_house(scene, options, body, &element.id, &mut may),
            Kind::Obstacle(_) | Kind::Redoubt(_) if touches(body, element) => {
                let crossed = crosses(body, element, options, &mut nobody());
                may.judge(crossed, |half_periods| Deed::Cross {
                    obstacle: element.id.clone(),
                    half_periods: half_periods.unwrap_or_default(),
                });
            }
            _ => {}
        }
    }
    if body.now().house.is_some() {
        for side in 0..4 {
            may.judge(deeds::may_leave(scene, options, body, side), |_| Deed::Leave { side });
        }
    } else if body.arm != crate::Arm::Officer {
        may.judge(deeds::may_form(scene, options, body), |_| Deed::Form);
    }
    if body.setup.state != State::Formed {
        let quarters = deeds::may_reform(body);
        may.judge(quarters, |quarters| Deed::Reform { quarters: quarters.unwrap_or_default() });
    }
    may
}

/// What it may do at a house whose wall it touches: go in, or assault it.
fn at_house(scene: &Scene, options: &Options, body: &Body, house: &str, may: &mut May) {
    // Who touches no side of it is not at its door.
    let Ok(door) = house::at_the_door(scene, house, body) else { return };
    if door.occupied && !door.by_a_friend {
        let (round, quarter) = (Whole::default(), Whole::default());
        let fight = house::assault(scene, house, body, round, quarter, options, &mut nobody());
        may.judge(fight, |_| Deed::Assault { house: house.to_owned() });
        return;
    }
    if body.now().house.is_none() {
        let entry = entry::enter(&door, 1, options, &mut nobody());
        may.judge(entry, |_| Deed::Enter { house: house.to_owned() });
    }
}

fn touches(body: &Body, element: &Element) -> bool {
    let line = match &element.kind {
        Kind::Obstacle(line) => line,
        Kind::Redoubt(redoubt) => &redoubt.faces,
        _ => return false,
    };
    body.now().house.is_none() && body.now().figures.iter().any(|figure| line.gap_to(&figure.base).touches())
}

/// Half-periods until the last rank of a body has crossed an obstacle at which it stands.
///
/// # Errors
/// When it may not cross at all, or nothing stands there.
pub fn crosses(body: &Body, element: &Element, options: &Options, clerk: &mut impl Clerk) -> Verdict<i32> {
    let line = match &element.kind {
        Kind::Obstacle(line) => line,
        Kind::Redoubt(redoubt) => &redoubt.faces,
        _ => return Err(Refusal::field("element", say::NO_OBSTACLE)),
    };
    let class = line.pieces.iter().find_map(|&(_, _, class)| on_table::class(class));
    let class = class.ok_or_else(|| Refusal::field("element", say::NO_OBSTACLE))?;
    let half = on_table::half_period(body, Pace::Normal)?;
    cross::half_periods(class, &body.troops(), half, options, clerk)
}

/// The enemies it may fire at by their priority, and those it may not.
fn fires(scene: &Scene, options: &Options, place: usize, may: &mut May) {
    let ground = Ground::new(scene, options);
    let whole = || Deed::Fire { target: None, side: None, priority: None, distance: None };
    if let Err(refusal) = ground.may_fire(place, &mut nobody()) {
        may.refused.push((whole(), refusal));
        return;
    }
    let battery = ground.body(place).battery().is_some();
    let mut refused: Vec<(Target, Refusal)> = Vec::new();
    let mut fired: Vec<Target> = Vec::new();
    for element in ground.elements(place) {
        let slots = match ground.slots(element, &mut nobody()) {
            Ok(slots) => slots,
            Err(refusal) => {
                may.refused.push((whole(), refusal));
                continue;
            }
        };
        let slot = if slots.contains(&Slot::Joint) { Slot::Joint } else { slots[0] };
        let enemies =
            (0..scene.bodies().len()).filter(|&other| ground.body(other).side() != ground.body(place).side());
        let mut eligible = Vec::new();
        for target in enemies.flat_map(|other| ground.as_targets(other)) {
            match ground.is_eligible(element, slot, target, &mut nobody()) {
                Ok(()) => eligible.push(target),
                Err(refusal) => refused.push((target, refusal)),
            }
        }
        for one in ground.rank(element, slot, &eligible, &mut nobody()) {
            if fired.contains(&one.target) {
                continue;
            }
            let deed = Deed::Fire {
                target: Some(ground.body(one.target.body).id().to_owned()),
                side: one.target.side,
                priority: (one.class <= 5).then_some(one.class),
                distance: (!battery).then(|| one.gap.centimetres()),
            };
            if one.allowed {
                fired.push(one.target);
                may.can.push(deed);
            } else if let Err(refusal) = ground.must_take(element, slot, one.target, &mut nobody()) {
                may.refused.push((deed, refusal));
            }
        }
    }
    let mut told: Vec<Target> = fired;
    for (target, refusal) in refused {
        if !told.contains(&target) {
            told.push(target);
            let id = ground.body(target.body).id().to_owned();
            let deed = Deed::Fire { target: Some(id), side: target.side, priority: None, distance: None };
            may.refused.push((deed, refusal));
        }
    }
}

/// A place straight ahead, or behind, as far as the table goes.
fn ahead(scene: &Scene, body: &Body, reach: i64) -> Option<Point> {
    let Place::Stand(stand) = &body.setup.place else { return None };
    (1..=16)
        .rev()
        .map(|part| turned(stand.at, stand.facing, 0, reach * part / 16))
        .find(|&at| scene.holds(at))
}

fn marches(scene: &Scene, options: &Options, body: &Body, may: &mut May) {
    for pace in [Pace::Normal, Pace::Forced, Pace::Backward] {
        let walked = on_table::half_period(body, pace).and_then(|half| {
            let half = i64::from(half.count());
            let reach = if pace == Pace::Backward { -half } else { half };
            let Some(to) = ahead(scene, body, reach) else {
                return Ok((Centimetres::ZERO, Centimetres::ZERO, None));
            };
            let way = on_table::Way::new(scene, body, &[to], pace)?;
            let far = |quarters| {
                way.walk(half * 2, pace, quarters, true, options, &mut nobody())
                    .map(|walked| walked.march.distance_cm)
            };
            Ok((far(1)?, far(2)?, Some(to)))
        });
        may.judge(walked, |walked| {
            let (quarter, half, to) = walked.unwrap_or_default();
            Deed::March { pace, quarter, half, to }
        });
    }
}

/// A charge at an enemy that a half-period could reach.
fn charge(scene: &Scene, options: &Options, body: &Body, enemy: &Body, may: &mut May) {
    let Ok(half) = on_table::half_period(body, Pace::Charge) else { return };
    let reach = i64::from(half.count()) + i64::from(on_table::charge_bonus(body).count());
    let gap = body.now().gap_to(enemy.now());
    if gap.touches() || gap.rounded() > reach || body.battery().is_some() {
        return;
    }
    let charged = on_table::Way::new(scene, body, &[enemy.now().centre], Pace::Charge).and_then(|way| {
        let walked = way.walk(reach * 2, Pace::Charge, 2, true, options, &mut nobody())?;
        let whole: Centimetres = walked.stretches.iter().map(|stretch| stretch.cm).sum();
        let there = walked.foe.is_some_and(|foe| foe.id() == enemy.id()) && walked.march.distance_cm >= whole;
        if there {
            return Ok(());
        }
        Err(Refusal::plain(say::TOO_FAR)
            .with("name", body.name().to_owned())
            .with("distance", walked.march.distance_cm)
            .with("target", enemy.name().to_owned()))
    });
    may.judge(charged, |_| Deed::Charge { target: enemy.id().to_owned() });
}
