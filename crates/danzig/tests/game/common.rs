//! What must hold on the table after every action, and how random games are played.
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::BTreeMap;

use danzig::ops::{Field, Hex, map};
use danzig::siege::{SiegeMap, WallId, Work, steps_on};
use danzig::{
    Action, Arm, Corps, Formation, Hand, Level, Options, Phase, Place, Side, State, Table, UnitId, UnitSet,
    auto_choice,
};
use kernel::{Game as _, Live, Options as _};

use crate::walls;

/// How a random game is played.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Manner {
    /// Any action, each as likely as any other.
    Uniform,
    /// By the sensible player on both sides.
    Sensible,
    /// The garrison lets the siege come until this turn, so that the game goes on from the middle of a
    /// siege that was brought about by legal orders; then as it says.
    Prepared {
        /// From this turn on both play.
        turn: u8,
        /// With any action, or sensibly.
        uniform: bool,
    },
}

impl Manner {
    /// The manner of the game of this number.
    pub(crate) fn of(number: u64) -> Self {
        let round = number / 5;
        match number % 5 {
            0 => Self::Uniform,
            1 => Self::Sensible,
            place => Self::Prepared { turn: u8::try_from(6 + round % 10).unwrap_or(6), uniform: place == 2 },
        }
    }

    /// Chooses one of the actions.
    pub(crate) fn choose(self, state: &State, actions: &[Action], stream: &mut Live) -> usize {
        let any = |stream: &mut Live| stream.below(u32::try_from(actions.len()).unwrap_or(1)) as usize;
        let side = state.to_move();
        match self {
            Self::Uniform => any(stream),
            Self::Prepared { turn, uniform: true } if state.table.turn >= turn => any(stream),
            Self::Prepared { turn, .. } if state.table.turn < turn && side == Some(Side::Prussian) => {
                idle(actions)
            }
            Self::Sensible | Self::Prepared { .. } => auto_choice(&state.view(side), actions, stream),
        }
    }
}

/// The garrison does what it must and nothing else.
fn idle(actions: &[Action]) -> usize {
    let rests = |action: &Action| {
        matches!(
            action,
            Action::SetUpTheRest | Action::EndPhase | Action::Pass | Action::Decline | Action::PutDown
        )
    };
    actions.iter().position(rests).unwrap_or(0)
}

/// A value of every option, each as likely as any other; nobody has measured the counters.
pub(crate) fn random_options(stream: &mut Live) -> BTreeMap<String, String> {
    Options::all()
        .into_iter()
        .filter(|(name, _)| *name != "trench_counter_mm")
        .filter_map(|(name, values)| {
            let value = values.get(stream.below(u32::try_from(values.len()).unwrap_or(1)) as usize)?;
            Some((name.to_owned(), (*value).to_owned()))
        })
        .collect()
}

/// Compares each state with the one before it.
pub(crate) struct Guard {
    stores: Stores,
    works: Vec<Option<Work>>,
    /// Who stood in which hex when nothing was on the move.
    stood: BTreeMap<Hex, UnitSet>,
    /// The table before an order that may lead through the walls.
    before: Option<Table>,
}

/// What is counted from action to action.
#[derive(Clone, Copy, Debug)]
struct Stores {
    turn: u8,
    phase: Phase,
    /// Ammunition spent of each calibre.
    spent: [i32; 2],
    pool: u8,
    construction: u8,
    /// Steps of each side, those still to come included.
    steps: [u32; 2],
}

impl Stores {
    fn of(state: &State) -> Self {
        let stores = &state.table.danzig;
        // What has come so far: ammunition arrives with the turn's units.
        let turn = if state.phase >= Phase::ArrivalsFrench {
            state.table.turn
        } else {
            state.table.turn.saturating_sub(1)
        };
        let row =
            rulebook::tables::danzig::SIEGE_TRAIN_CUMULATIVE.iter().find(|row| row.turn == i32::from(turn));
        let (twelve, twenty_four) =
            row.map_or((0, 0), |row| (row.ammo_12pdr_received, row.ammo_24pdr_received));
        Self {
            turn: state.table.turn,
            phase: state.phase,
            spent: [twelve - i32::from(stores.ammunition_12), twenty_four - i32::from(stores.ammunition_24)],
            pool: stores.repair_pool,
            construction: stores.construction,
            steps: [Side::French, Side::Prussian].map(|side| strength(state, side)),
        }
    }
}

/// The steps of a side: a divided regiment counts as its battalions.
fn strength(state: &State, side: Side) -> u32 {
    let place = |unit: &UnitId| state.table.unit(*unit).place;
    UnitId::of_side(side)
        .filter(|unit| match place(unit) {
            Place::Eliminated => false,
            Place::Away => {
                unit.data().regiment.is_none()
                    && unit.battalions().iter().all(|other| place(other) == Place::Away)
            }
            _ => true,
        })
        .map(|unit| u32::from(state.table.unit(unit).steps))
        .sum()
}

impl Guard {
    pub(crate) fn new(state: &State) -> Self {
        Self { stores: Stores::of(state), works: Vec::new(), stood: BTreeMap::new(), before: None }
    }

    /// Checks the table after an action; the fault in words.
    pub(crate) fn check(&mut self, state: &State, action: &Action) -> Result<(), String> {
        invariants(state)?;
        if let Some(before) = &self.before {
            walls::order(before, action)?;
        }
        self.before = matches!(state.phase, Phase::SiegeMove | Phase::Assault).then(|| state.table.clone());
        if is_at_rest(state) {
            self.crowds(state)?;
        }
        let (before, after) = (self.stores, Stores::of(state));
        let fail = |what: &str| Err(format!("{what}: {before:?}, then {after:?}"));
        // A shot costs one, a row of shots one or more.
        let (gun, most) = match action {
            Action::FireSiegeGun { gun, .. } => (Some(gun.data().arm), 1),
            Action::Bombard { gun, shots, .. } => (Some(gun.data().arm), i32::from(*shots)),
            _ => (None, 0),
        };
        for (place, arm) in [Arm::Siege12, Arm::Siege24].into_iter().enumerate() {
            let spent = after.spent[place] - before.spent[place];
            let right = if gun == Some(arm) { (1..=most).contains(&spent) } else { spent == 0 };
            if !right {
                return fail("ammunition");
            }
        }
        let repaired = u8::from(matches!(action, Action::RepairBattery { .. }));
        if before.pool - after.pool != repaired {
            return fail("repair pool");
        }
        let building = |phase| matches!(phase, Phase::Repair | Phase::Build);
        if building(before.phase) && building(after.phase) && before.turn == after.turn {
            // A work is paid for when its worker has come through: with the last shot at him, or with the
            // last step that shot has cost.
            let pays = matches!(
                action,
                Action::Build(_) | Action::OpportunityFire | Action::Decline | Action::TakeLoss { .. }
            );
            let most = if pays { 2 } else { 0 };
            if after.construction > before.construction || before.construction - after.construction > most {
                return fail("construction points");
            }
        }
        let back = match action {
            Action::ReplaceFrench { .. } => [1, 0],
            Action::ReplacePrussian { .. } => [0, 1],
            _ => [0, 0],
        };
        if [0, 1].into_iter().any(|place| after.steps[place] > before.steps[place] + back[place]) {
            return fail("steps");
        }
        let lost = match action {
            Action::TakeLoss { unit } | Action::Desert { unit } => Some(unit.side() as usize),
            _ => None,
        };
        if lost.is_some_and(|side| after.steps[side] >= before.steps[side]) {
            return fail("steps not lost");
        }
        self.stores = after;
        if self.works != state.table.siege.works {
            walls::works(&self.works, &state.table.siege)?;
            self.works.clone_from(&state.table.siege.works);
            network(&state.table.siege)?;
        }
        Ok(())
    }
}

impl Guard {
    /// Stacking on the operational map (DZ-R94): whoever comes into a hex fits there. Who flees goes on
    /// until he is in the fort, full or not (DZ-3.9-04). The action that ends the rounds rallies everybody
    /// (DZ-3.9-01): cavalry that fled to infantry is formed then and stands with it until it is moved;
    /// whoever fled before that fits by numbers all the same.
    fn crowds(&mut self, state: &State) -> Result<(), String> {
        let rounds = Phase::Retreat..Phase::DesertionRoll;
        let rallied = rounds.contains(&self.stores.phase) && !rounds.contains(&state.phase);
        let unformed = rallied.then(|| {
            let mut table = state.table.clone();
            for unit in UnitId::all().filter(|unit| unit.data().arm.is_cavalry()) {
                table.unit_mut(unit).formation = Formation::Blown;
            }
            table
        });
        let field = Field::of(unformed.as_ref().unwrap_or(&state.table));
        let mut stands: BTreeMap<Hex, UnitSet> = BTreeMap::new();
        for unit in UnitId::all() {
            if let Place::Hex(hex) = state.table.unit(unit).place {
                stands.entry(hex).or_default().insert(unit);
            }
        }
        for (hex, units) in &stands {
            let before = self.stood.get(hex).copied().unwrap_or_default();
            let fled = |unit: UnitId| {
                map().terrain(*hex) == danzig::ops::Terrain::Fort
                    && (rallied || state.table.unit(unit).is_disordered())
            };
            let came = units.iter().any(|unit| !before.has(unit) && !fled(unit));
            if came && field.fits(UnitSet::EMPTY, *hex).is_err() {
                return Err(format!("too many in {hex}: {units:?}, before {before:?}"));
            }
        }
        self.stood = stands;
        Ok(())
    }
}

/// Whether nothing is on the move, nothing is owed and nothing is being fought for: units pass through
/// friends freely if they do not stop there (DZ-R94), and a stack may be too big while its owner still has
/// to say who leaves it (DZ-4.8-25, DZ-4.9-24).
fn is_at_rest(state: &State) -> bool {
    state.hand == Hand::Empty
        && state.table.owed.is_empty()
        && state.sortie.is_none()
        && state.counterattack.is_none()
}

/// The trench network: nothing overlaps, what is joined touches and knows it both ways, and the network is what an
/// intact way joins to the concentration area.
fn network(siege: &SiegeMap) -> Result<(), String> {
    for (id, work) in siege.all_works() {
        for (other_id, other) in siege.all_works().filter(|(other, _)| *other != id) {
            if work.links.contains(other_id) != other.links.contains(id) {
                return Err(format!("{id:?} and {other_id:?} do not agree that they touch"));
            }
            let touch = work.rect().touches(&other.rect());
            if work.links.contains(other_id) && !touch {
                return Err(format!("{id:?} and {other_id:?} are joined and do not touch"));
            }
            // Before the walls nothing stands between what touches.
            let low = |work: &Work| work.pose.at.y < 12_000;
            if touch && low(work) && low(other) && !work.links.contains(other_id) {
                return Err(format!("{id:?} and {other_id:?} touch and are not joined"));
            }
            if work.rect().overlaps(&other.rect()) {
                return Err(format!("{id:?} lies over {other_id:?}"));
            }
        }
        if work.links.iter().any(|other| siege.work(other).is_none()) {
            return Err(format!("{id:?} is joined to nothing"));
        }
        for point in work.covers.iter() {
            if siege.wall(point).level > 0 {
                return Err(format!("{id:?} lies on {point} at level {}", siege.wall(point).level));
            }
        }
    }
    let mut again = siege.clone();
    again.join();
    if again.network != siege.network {
        return Err(format!("the network is {:?}, not {:?}", again.network, siege.network));
    }
    Ok(())
}

/// Checks the whole table; the fault in words.
pub(crate) fn invariants(state: &State) -> Result<(), String> {
    let table = &state.table;
    let fail = |text: String| Err(format!("turn {}, {:?}: {text}", table.turn, state.phase));
    let leaves_at: u8 = match table.options.artillery_leaves_at {
        rulebook::options::danzig::ArtilleryLeavesAt::V10 => 10,
        rulebook::options::danzig::ArtilleryLeavesAt::V9 => 9,
    };
    let mut hexes: BTreeMap<_, Side> = BTreeMap::new();
    let mut batteries = 0_u64;
    for unit in UnitId::all() {
        let counter = table.unit(unit);
        let data = unit.data();
        if counter.steps > counter.most || counter.most > data.steps.max(2) {
            return fail(format!("{unit} has {} of {} of {} steps", counter.steps, counter.most, data.steps));
        }
        if counter.steps == 0 && !matches!(counter.place, Place::Eliminated | Place::Away) {
            return fail(format!("{unit} without a step stands at {:?}", counter.place));
        }
        match counter.place {
            Place::Hex(hex) => {
                if map().terrain(hex) == danzig::ops::Terrain::Sea {
                    return fail(format!("{unit} swims at {hex}"));
                }
                if data.arm == Arm::Fortress || data.regiment.is_some() {
                    return fail(format!("{unit} does not belong on the operational map"));
                }
                if *hexes.entry(hex).or_insert(data.side) != data.side {
                    return fail(format!("both sides stand in {hex}"));
                }
            }
            Place::Work(work) => {
                if table.siege.work(work).is_none() {
                    return fail(format!("{unit} stands in a work that is not there"));
                }
                if data.side == Side::Prussian {
                    return fail(format!("{unit} stands in a French work"));
                }
            }
            Place::Wall(point) if data.arm == Arm::Fortress => {
                if batteries >> point.index() & 1 == 1 {
                    return fail(format!("two batteries on {point}"));
                }
                batteries |= 1 << point.index();
                let settled = table.owed.is_empty();
                if settled && table.siege.wall(point).level <= leaves_at {
                    return fail(format!("{unit} on {point} at level {}", table.siege.wall(point).level));
                }
            }
            Place::Reserve if data.arm == Arm::Fortress || data.side == Side::French => {
                return fail(format!("{unit} is no garrison"));
            }
            Place::Concentration if data.arm.is_cavalry() || data.corps == Corps::Lannes => {
                return fail(format!("{unit} is barred from the siege map"));
            }
            _ => {}
        }
        let awaited = matches!(data.corps, Corps::Kamenski | Corps::Lannes);
        if awaited && table.turn < danzig::relief_turn(&table.options) && counter.place != Place::Away {
            return fail(format!("{unit} has come too early"));
        }
        if data.level == Level::Regiment {
            let divided = data.battalions.iter().any(|other| table.unit(*other).place.is_siege());
            if divided && counter.place != Place::Away {
                return fail(format!("{unit} is whole and divided"));
            }
        }
    }
    if is_at_rest(state) {
        stacking(state).or_else(fail)?;
        if table.siege.brawl.is_some() {
            return fail("a melee goes on that nobody fights".to_owned());
        }
    }
    for point in WallId::all() {
        if table.siege.wall(point).level > 20 {
            return fail(format!("{point} above level 20"));
        }
    }
    let stores = &table.danzig;
    if stores.repair_pool > 40
        || stores.ammunition_12 > 250
        || stores.ammunition_24 > 50
        || stores.construction > 10
        || stores.morale > 30
        || table.turn > 15
    {
        return fail(format!("stores out of bounds: {stores:?}"));
    }
    if (state.phase == Phase::GameOver) != state.outcome.is_some() {
        return fail("over without an outcome".to_owned());
    }
    Ok(())
}

/// Stacking on the siege map, while nothing is on the move.
fn stacking(state: &State) -> Result<(), String> {
    let table = &state.table;
    let mut steps: BTreeMap<(Side, Place), u8> = BTreeMap::new();
    let mut guns: BTreeMap<Place, u8> = BTreeMap::new();
    for unit in UnitId::all() {
        let place = table.unit(unit).place;
        if matches!(place, Place::Wall(_) | Place::Work(_) | Place::Open(_) | Place::Kalke) {
            if unit.data().arm == Arm::Infantry {
                *steps.entry((unit.side(), place)).or_default() += danzig::siege::steps_of(table, unit);
            } else if let Place::Work(_) | Place::Open(_) = place {
                *guns.entry(place).or_default() += 1;
            }
        }
    }
    for ((side, place), steps) in &steps {
        let most = if *place == Place::Kalke { 6 } else { 2 };
        if *steps > most {
            return Err(format!("{steps} steps of {side:?} at {place:?}"));
        }
        if let Place::Wall(point) = place
            && *side == Side::French
            && steps_on(table, Side::Prussian, Place::Wall(*point)) > 0
        {
            return Err(format!("both sides stand on {point}"));
        }
    }
    if let Some((place, count)) = guns.iter().find(|(_, count)| **count > 1) {
        return Err(format!("{count} guns in {place:?}"));
    }
    Ok(())
}

/// Actions of a state, in a fresh list.
pub(crate) fn offered(state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    state.actions(state.active(), &mut actions);
    actions
}
