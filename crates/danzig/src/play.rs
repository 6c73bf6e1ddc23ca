//! The restless player of the tests: it does something of everything, and so comes to every rule. Random,
//! but sensible enough to bring the armies where the siege is decided, to invest the city, to dig, to
//! breach, to storm, and to let every step come to its end. Who wants to win plays the
//! [doctrine](crate::doctrine).

use kernel::Live;

use crate::action::Action;
use crate::errand::{FAR, best_stride, nearest, way};
use crate::siege::{Build, GROUND, GunTarget, SiegeMove, Spot, WallId, WorkId, WorkKind};
use crate::state::{Hand, Phase};
use crate::unit::{Arm, Place, Side, UnitSet};
use crate::view::View;

/// Battalions kept in the concentration area as workers of the next turn.
const WORKERS: usize = 12;
/// From so far an assault is made, in metres.
const STORM_M: i32 = 250;

/// Chooses among the actions offered to the side that sees this. Gives the place in the list, 0 for
/// an empty one.
#[must_use]
pub fn auto_choice(view: &View, actions: &[Action], dice: &mut Live) -> usize {
    // Trenches are dug to stay, and the groups that are ready will do.
    let wanton = |action: &Action| match action {
        Action::Build(Build::Remove { work }) => {
            view.state.table.siege.work(*work).is_some_and(|work| !work.damaged)
        }
        Action::Muster { .. } | Action::Dismiss { .. } => true,
        _ => false,
    };
    if actions.iter().any(wanton) {
        let kept: Vec<Action> = actions.iter().copied().filter(|action| !wanton(action)).collect();
        let chosen = kept.get(auto_choice(view, &kept, dice));
        return chosen.and_then(|chosen| actions.iter().position(|action| action == chosen)).unwrap_or(0);
    }
    let count = u32::try_from(actions.len()).unwrap_or(u32::MAX);
    let any = dice.below(count) as usize;
    let stop = actions.iter().position(|action| {
        matches!(action, Action::EndPhase | Action::PutDown | Action::Decline | Action::Pass)
    });
    let mut one_in = |chances: u32| dice.below(chances) == 0;
    match (view.state.phase, view.state.hand) {
        (Phase::SetUp, _) => {
            let rest = actions.iter().position(|action| *action == Action::SetUpTheRest);
            rest.filter(|_| one_in(8)).unwrap_or(any)
        }
        (Phase::Half, _) => {
            let pass = match view.state.clock.round {
                0..=2 if view.state.clock.phasing == Side::French && has_errands(view) => one_in(6),
                0..=2 => one_in(3),
                3..=6 => one_in(3) || one_in(2),
                _ => true,
            };
            usize::from(pass == (stop == Some(1)))
        }
        (Phase::Move, Hand::Moving(mover)) => {
            if one_in(8) {
                return any;
            }
            let stride = best_stride(&view.state.table, &mover).map(Action::March);
            let step = actions.iter().position(|action| Some(*action) == stride);
            step.or(stop).unwrap_or(any)
        }
        (phase, hand) => {
            let chances = match phase {
                Phase::Move if view.state.clock.phasing == Side::Prussian => 4,
                Phase::Build | Phase::Move | Phase::Guns | Phase::SiegeMove => 30,
                Phase::ArrivalsFrench => 1,
                Phase::GarrisonMove => 4,
                _ => 10,
            };
            if stop.is_some() && one_in(chances) {
                return stop.unwrap_or(any);
            }
            let whim = match phase {
                Phase::Build | Phase::SiegeMove | Phase::Guns | Phase::Move => 8,
                _ => 3,
            };
            if hand == Hand::Empty && !one_in(whim) {
                let plan = Plan::of(view);
                let worth: Vec<i32> = actions.iter().map(|action| plan.worth(action)).collect();
                if let Some(most) = worth.iter().copied().max().filter(|most| *most > 0) {
                    let best: Vec<usize> = (0..actions.len()).filter(|at| worth[*at] == most).collect();
                    let pick = dice.below(u32::try_from(best.len()).unwrap_or(1)) as usize;
                    return best.get(pick).copied().unwrap_or(any);
                }
                // Nothing more to be done: troops are not moved about for nothing.
                if matches!(phase, Phase::SiegeMove | Phase::Move) && stop.is_some() {
                    return stop.unwrap_or(any);
                }
            }
            match stop {
                // Anything but the end of the step.
                Some(stop) if any == stop && count > 1 => (any + 1) % actions.len(),
                _ => any,
            }
        }
    }
}

/// What a simple mind makes of the table: where the breach shall be, and what is wanted for it.
struct Plan<'v> {
    view: &'v View,
    /// The point of the first wall that is to fall; the one behind it follows.
    breach: WallId,
    /// There are not enough emplacements for the guns at hand.
    wants_emplacement: bool,
    /// Battalions in the concentration area.
    workers: usize,
    /// Battalions within reach of the wall to be stormed.
    stormers: usize,
}

impl<'v> Plan<'v> {
    fn of(view: &'v View) -> Self {
        let mut plan = Self { view, breach: WallId(8), wants_emplacement: false, workers: 0, stormers: 0 };
        plan.breach = plan.weakest_pair();
        let target = plan.target();
        let (mut guns, mut emplaced) = (1, 0);
        for (unit, counter) in view.counters(Side::French) {
            let arm = unit.data().arm;
            match counter.place {
                Place::Concentration if arm.is_siege_train() => guns += 1,
                Place::Concentration if arm == Arm::Infantry => plan.workers += 1,
                Place::Work(_) if arm.is_artillery() => emplaced += 1,
                Place::Work(id) if arm == Arm::Infantry => {
                    plan.stormers += usize::from(plan.metres(id, target) <= STORM_M);
                }
                _ => {}
            }
        }
        let emplacements =
            view.state.table.siege.all_works().filter(|(_, work)| work.kind == WorkKind::Battery).count();
        plan.wants_emplacement = emplacements < guns + emplaced;
        plan
    }

    fn level(&self, point: WallId) -> u8 {
        self.view.state.table.siege.wall(point).level
    }

    /// The pair of wall points that is most damaged, or nearest to the head of the trenches.
    fn weakest_pair(&self) -> WallId {
        let head = self
            .view
            .state
            .table
            .siege
            .network
            .iter()
            .filter_map(|id| self.view.state.table.siege.work(id))
            .max_by_key(|work| work.pose.at.y)
            .map_or_else(|| GROUND.point(WallId(8)), |work| work.pose.at);
        let aside = |point: WallId| i32::from(GROUND.point(point).x.abs_diff(head.x));
        let standing = |point: WallId| i32::from(self.level(point)) + i32::from(self.level(point.linked()));
        WallId::first_wall().min_by_key(|point| standing(*point) * 400 + aside(*point)).unwrap_or(WallId(8))
    }

    /// The point to be taken next: that of the first wall, then the one behind it.
    fn target(&self) -> WallId {
        if self.view.state.table.siege.work_on(self.breach).is_some() {
            self.breach.linked()
        } else {
            self.breach
        }
    }

    /// Metres from a work to a wall point.
    fn metres(&self, id: WorkId, point: WallId) -> i32 {
        self.view
            .state
            .table
            .siege
            .work(id)
            .map_or(i32::MAX, |work| metres(work.pose.at, GROUND.point(point)))
    }

    /// What an action is worth; 0 for what there is no opinion of.
    fn worth(&self, action: &Action) -> i32 {
        match *action {
            Action::Build(build) => self.build(&build),
            Action::FireSiegeGun { target: GunTarget::Wall(point), .. } => self.shot(point),
            Action::Bombard { target: GunTarget::Wall(point), .. } => match self.shot(point) {
                0 => 0,
                worth => worth + 1,
            },
            Action::SiegeMove(siege_move) => self.siege_move(&siege_move),
            Action::BoatsStart { units, across } => {
                let table = &self.view.state.table;
                let (from, to) = (way(table, units), nearest(table, units, across));
                (i32::from(from.saturating_sub(to)) - 3).max(0)
            }
            // Those who have a way to go march it at once.
            Action::MarchAlong(_) => 1,
            Action::Assault(assault) => 10 + i32::try_from(assault.units.len()).unwrap_or(0),
            Action::DeclareCounterAttack(attack) => 10 + i32::try_from(attack.units.len()).unwrap_or(0),
            Action::ExplodeMine => 10,
            _ => 0,
        }
    }

    fn build(&self, build: &Build) -> i32 {
        match *build {
            Build::New { kind, pose, .. } => {
                let head = metres(pose.rect(kind).muzzle().spot(), GROUND.point(self.target()));
                let first = match kind {
                    WorkKind::Battery if self.wants_emplacement => 1_000,
                    WorkKind::Battery => -400,
                    WorkKind::Parallel => -20,
                    WorkKind::Sap => 0,
                };
                (4_000 + first - head).max(1)
            }
            Build::Upgrade { work, .. } if self.wants_emplacement => {
                6_000 - self.metres(work, self.target()).min(5_000)
            }
            Build::Redoubt { .. } if self.wants_emplacement => 5_000,
            Build::Repair { .. } => 100,
            Build::Mine { .. } => 20_000,
            _ => 0,
        }
    }

    /// First the first wall, until a work can be built on it; then the second.
    fn shot(&self, point: WallId) -> i32 {
        let level = i32::from(self.level(point));
        match level {
            0 => 0,
            _ if point == self.breach && level > 5 => 200,
            _ if point == self.breach.linked() => 150,
            _ if point == self.breach => 100,
            _ => 40 - level,
        }
    }

    fn siege_move(&self, siege_move: &SiegeMove) -> i32 {
        let target = self.target();
        match *siege_move {
            SiegeMove::Network { unit, to } => {
                let here = self.view.counter(unit).map(|counter| counter.place);
                let far = self.metres(to, target);
                let gain = match here {
                    Some(Place::Work(id)) => self.metres(id, target).saturating_sub(far),
                    _ => i32::MAX,
                };
                match unit.data().arm {
                    Arm::Mortar if here == Some(Place::Concentration) => 18_000 + far.min(1_000),
                    Arm::Siege24 | Arm::Siege12 if gain > 100 => 20_000 - far.min(2_000),
                    Arm::Infantry if far <= STORM_M && gain > 0 && self.may_storm() => 15_000 - far,
                    _ => 0,
                }
            }
            SiegeMove::Back { unit } => {
                let needed = match self.view.counter(unit).map(|counter| counter.place) {
                    Some(Place::Work(id)) => self.metres(id, target) <= STORM_M && self.may_storm(),
                    _ => true,
                };
                if unit.data().arm == Arm::Infantry && self.workers < WORKERS && !needed { 8_000 } else { 0 }
            }
            SiegeMove::Box { .. } if self.workers > 4 => 100,
            _ => 0,
        }
    }

    /// Whether the wall is low enough and the stormers are still too few.
    fn may_storm(&self) -> bool {
        self.level(self.target()) <= 16 && self.stormers < 4
    }
}

/// Whether the French still have troops to bring in, on their way to the trenches, or stars to take.
fn has_errands(view: &View) -> bool {
    view.counters(Side::French).any(|(unit, counter)| match counter.place {
        Place::Waiting => true,
        Place::Hex(hex) => (1..FAR).contains(&nearest(&view.state.table, UnitSet::of(unit), hex)),
        _ => false,
    })
}

/// Metres between two spots.
fn metres(a: Spot, b: Spot) -> i32 {
    i32::try_from(a.fine().centimetres_to(b.fine()) / 100).unwrap_or(i32::MAX)
}
