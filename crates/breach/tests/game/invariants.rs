//! The invariants of section 9 of the game page that can be read off a state, and those between a state
//! and the one before it.

use breach::game::{ElementId, Look, Place, Slot, State, Troop, Unit, Whereabouts};
use breach::lists::{self, Line};
use breach::scenario::{Scenario, Side};
use breach::terms::Item;
use kernel::Game as _;
use rulebook::tables::breach::{FORTRESS_PLAN, FORTRESS_SLOTS};
use tabletop::geometry::{Facing, Point};

/// A base on the table, in hundredths of a centimetre.
#[derive(Clone, Copy, Debug)]
struct Base {
    corners: [(f64, f64); 4],
}

impl Base {
    fn new(front: Point, facing: Facing, (width, depth): (f64, f64), by: f64) -> Self {
        let turn = f64::from(facing.count()) / 1800.0 * std::f64::consts::PI;
        let (s, c) = turn.sin_cos();
        #[allow(clippy::cast_precision_loss, reason = "a table is small")]
        let (x, y) = (front.x as f64, front.y as f64);
        let at = |right: f64, ahead: f64| (x + right * c + ahead * s, y - right * s + ahead * c);
        let half = width / 2.0 + by;
        Self { corners: [at(-half, by), at(-half, -depth - by), at(half, -depth - by), at(half, by)] }
    }

    fn axis(x: f64, y: f64, w: f64, d: f64, by: f64) -> Self {
        let (l, r, b, t) = (x - by, x + w + by, y - by, y + d + by);
        Self { corners: [(l, t), (l, b), (r, b), (r, t)] }
    }

    /// Whether two bases share ground: no line along an edge parts them.
    fn meets(&self, other: &Self) -> bool {
        for (one, two) in [(self, other), (other, self)] {
            for k in 0..4 {
                let ((ax, ay), (bx, by)) = (one.corners[k], one.corners[(k + 1) % 4]);
                let side = |(x, y): (f64, f64)| (bx - ax) * (y - ay) - (by - ay) * (x - ax);
                if two.corners.iter().all(|&corner| side(corner) <= 0.0) {
                    return false;
                }
            }
        }
        true
    }
}

fn size(unit: &Unit) -> (f64, f64) {
    match unit.troop {
        Troop::Engine(lists::Item::Trebuchet) => (400.0, 600.0),
        Troop::Engine(_)
        | Troop::Line(
            Line::Knights
            | Line::Pistoliers
            | Line::VolleyGun
            | Line::Cannon
            | Line::FlameCannon
            | Line::SteamTank
            | Line::Gyrocopter,
        ) => (200.0, 400.0),
        Troop::Line(_) => (400.0, 200.0),
    }
}

fn hits(unit: &Unit) -> u8 {
    match unit.troop {
        Troop::Line(line) => {
            let entry = unit.side.army().entry(line).unwrap();
            entry.profile.hits.get(..1).and_then(|digit| digit.parse().ok()).unwrap_or(1)
        }
        Troop::Engine(_) => 9,
    }
}

/// The ground of an element.
fn element(scenario: Scenario, at: ElementId, by: f64) -> Base {
    let row =
        FORTRESS_PLAN.iter().filter(|row| row.scenario == scenario.number()).nth(usize::from(at.0)).unwrap();
    let cm = |length: kernel::Centimetres| f64::from(length.count());
    Base::axis(cm(row.x_cm), cm(row.y_cm), cm(row.w_cm), cm(row.d_cm), by)
}

fn footprint(state: &State, unit: &Unit, at: usize, by: f64) -> Option<Base> {
    match unit.stands[at].place {
        Place::Ground { front, facing } => Some(Base::new(front, facing, size(unit), by)),
        Place::Rampart { element: on, .. } | Place::Tower { element: on } => {
            Some(element(state.table.scenario, on, by))
        }
        _ => None,
    }
}

/// Whether the stands of a unit touch, its machine between them.
fn is_whole(state: &State, unit: &Unit) -> bool {
    let alive: Vec<usize> = (0..4).filter(|&at| unit.stands[at].place.is_on_table()).collect();
    let mut bases: Vec<Base> = alive.iter().filter_map(|&at| footprint(state, unit, at, 6.0)).collect();
    bases.extend(unit.machine.map(|(front, facing)| Base::new(front, facing, (400.0, 400.0), 6.0)));
    let mut known = vec![0];
    loop {
        let next = (0..bases.len())
            .find(|k| !known.contains(k) && known.iter().any(|&l: &usize| bases[l].meets(&bases[*k])));
        match next {
            Some(next) => known.push(next),
            None => return bases.is_empty() || known.len() == bases.len(),
        }
    }
}

/// Fails where a state breaks the law.
pub fn check(state: &State) -> Result<(), String> {
    let table = &state.table;
    let fail = |what: String| Err(what);
    // 1: somebody decides exactly while the game goes on.
    if state.to_move().is_none() != state.outcome().is_some() {
        return fail("somebody decides after the end, or nobody before it".to_owned());
    }
    let mut ground: Vec<(String, Base)> = Vec::new();
    for unit in &table.units {
        let name = unit.name();
        // 2: stands.
        if unit.stands.iter().skip(usize::from(unit.began)).any(|stand| stand.place != Place::Dead) {
            return fail(format!("{name}: stands come from nowhere"));
        }
        // 9 and 10: hits, orders.
        if unit.odd_hits >= hits(unit) {
            return fail(format!("{name}: {} odd hits", unit.odd_hits));
        }
        if unit.orders > 3 && table.options.core_edition == rulebook::options::breach::CoreEdition::Revolution
        {
            return fail(format!("{name}: {} orders", unit.orders));
        }
        if unit.machine_hits >= 3 {
            return fail(format!("{name}: {} hits on a machine", unit.machine_hits));
        }
        // 8: what is carried.
        let covered = matches!(unit.item, Item::Ram | Item::SiegeTower | Item::Sow);
        if unit.machine.is_some() != (covered && unit.is_on_table()) {
            return fail(format!("{name}: a machine without a unit, or a unit without its machine"));
        }
        for at in 0..4 {
            let stand = &unit.stands[at];
            if let Place::Ground { front, facing } = stand.place {
                // 3: on the table, over nobody, not on closed ground.
                let base = Base::new(front, facing, size(unit), -3.0);
                if base
                    .corners
                    .iter()
                    .any(|&(x, y)| !(0.0..=18_000.0).contains(&x) || !(0.0..=12_000.0).contains(&y))
                {
                    return fail(format!("{name}: off the table"));
                }
                ground.push((format!("{name}.{}", at + 1), base));
            }
            // 7: posts.
            if let Some(post) = stand.post {
                let pose = match (unit.machine, stand.place) {
                    (Some(pose), _) => Some(pose),
                    (None, Place::Ground { front, facing }) => Some((front, facing)),
                    _ => None,
                };
                let plan = FORTRESS_PLAN.iter().filter(|row| row.scenario == table.scenario.number());
                let on = plan.into_iter().nth(usize::from(post.element.0)).map_or("", |row| row.id);
                let slot = FORTRESS_SLOTS.iter().find(|row| {
                    row.scenario == table.scenario.number() && row.element == on && named(row.slot, post.slot)
                });
                let slot = slot.map(|row| {
                    let front = Point::new(i64::from(row.x_cm.count()), i64::from(row.y_cm.count()));
                    (front, Facing::tenths(row.facing_deg * 10))
                });
                if pose != slot || table.elements[usize::from(post.element.0)].down {
                    return fail(format!("{name}: posted at {post:?} and standing at {pose:?}"));
                }
            }
        }
        if let Some((front, facing)) = unit.machine {
            ground.push((format!("{name} machine"), Base::new(front, facing, (400.0, 400.0), -3.0)));
        }
        // 6: units hang together.
        let excused = unit.marks.engaged || unit.marks.split || unit.marks.torn;
        if unit.is_on_table() && !excused && !is_whole(state, unit) {
            let places: Vec<Place> = unit.stands.iter().map(|stand| stand.place).collect();
            return fail(format!("{name} is torn: {places:?}"));
        }
    }
    for (k, (one, base)) in ground.iter().enumerate() {
        for (other, under) in ground.iter().skip(k + 1) {
            if base.meets(under) {
                return fail(format!("{one} stands on {other}"));
            }
        }
    }
    works(state, &ground)?;
    people(state)
}

fn named(word: &str, slot: Slot) -> bool {
    match slot {
        Slot::Outer => matches!(word, "outer" | "outer_1"),
        Slot::OuterSecond => word == "outer_2",
        Slot::Inner => word == "inner",
        Slot::North => word == "north",
        Slot::East => word == "east",
        Slot::South => word == "south",
        Slot::West => word == "west",
    }
}

/// 3 to 5 and 7: what stands on the works, and what is solid.
fn works(state: &State, ground: &[(String, Base)]) -> Result<(), String> {
    let table = &state.table;
    for (at, works) in table.elements.iter().enumerate() {
        let id = ElementId(u8::try_from(at).unwrap());
        let on = |side: Side| {
            table
                .units
                .iter()
                .filter(|unit| unit.side == side)
                .flat_map(|unit| unit.stands.iter())
                .filter(|stand| stand.place.element() == Some(id))
                .count()
        };
        let (garrison, besieger) = (on(Side::Garrison), on(Side::Besieger));
        let walk = table.units.iter().flat_map(|unit| unit.stands.iter()).any(|stand| {
            stand.place == Place::Rampart { element: id, look: Look::Out }
                || stand.place == Place::Rampart { element: id, look: Look::In }
        });
        let room = if walk { 1 } else { 4 };
        if garrison > 0 && besieger > 0 {
            return Err(format!("element {at} is held by both"));
        }
        if garrison + besieger > room || (works.down && garrison + besieger > 0) {
            return Err(format!("element {at} holds {}", garrison + besieger));
        }
        if works.oil && (works.down || besieger > 0) {
            return Err(format!("oil on the breach or the captured element {at}"));
        }
        let kind = FORTRESS_PLAN
            .iter()
            .filter(|row| row.scenario == table.scenario.number())
            .nth(at)
            .map_or("", |row| row.kind);
        if !works.down && kind != "gate" {
            let solid = element(table.scenario, id, -3.0);
            if let Some((name, _)) = ground.iter().find(|(_, base)| base.meets(&solid)) {
                return Err(format!("{name} stands in element {at}"));
            }
        }
        let rams = table.units.iter().filter(|unit| {
            matches!(unit.item, Item::Ram | Item::PortableRam)
                && unit.stands.iter().any(|stand| stand.post.is_some_and(|post| post.element == id))
        });
        if rams.count() > 1 {
            return Err(format!("two rams at element {at}"));
        }
    }
    Ok(())
}

/// 12 and 14: characters, counts and turns.
fn people(state: &State) -> Result<(), String> {
    let table = &state.table;
    for character in &table.characters {
        let name = character.name();
        match character.place {
            Whereabouts::With(unit) => {
                let with = table.units.get(usize::from(unit.0));
                let there = with.is_some_and(|unit| {
                    unit.is_on_table() || unit.stands.iter().any(|stand| stand.place == Place::Off)
                });
                if !there {
                    return Err(format!("{name} is with nobody"));
                }
            }
            Whereabouts::On(on) => {
                let held = table.units.iter().any(|unit| {
                    unit.side != character.side
                        && unit.stands.iter().any(|stand| stand.place.element() == Some(on))
                });
                let asked = state.steps.iter().any(|step| matches!(step, breach::game::Step::Escape(_)));
                if (held || table.elements[usize::from(on.0)].down) && !asked {
                    return Err(format!("{name} is among enemies"));
                }
            }
            _ => {}
        }
        if character.is_general()
            && character.place == Whereabouts::Slain
            && state.outcome().is_none()
            && !state.steps.iter().any(|step| matches!(step, breach::game::Step::RoundEnd(_)))
        {
            return Err(format!("{name} is slain and the game goes on"));
        }
    }
    let endless = table.options.stall_limit == rulebook::options::breach::StallLimit::None;
    let most = if table.scenario == Scenario::Keep { 10 } else { 20 };
    if state.turn > most && !(endless && table.scenario != Scenario::Keep) {
        return Err(format!("turn {}", state.turn));
    }
    if table.holder.is_some_and(|(_, count)| count > 1) && state.outcome().is_none() {
        return Err("held for too long".to_owned());
    }
    Ok(())
}

/// What may not change from one state to the next: the dead stay dead, what is out stays out, and time
/// does not run backwards.
pub fn check_after(before: &State, after: &State) -> Result<(), String> {
    if before.winners.len() != after.winners.len() || before.table.units.len() != after.table.units.len() {
        return Ok(());
    }
    for (was, is) in before.table.units.iter().zip(&after.table.units) {
        for (one, two) in was.stands.iter().zip(&is.stands) {
            let gone = |place: Place| matches!(place, Place::Dead | Place::Out);
            if was.troop == is.troop && gone(one.place) && one.place != two.place {
                return Err(format!("{}: a stand returns from {:?}", is.name(), one.place));
            }
        }
    }
    if after.turn < before.turn || after.table.stands_out < before.table.stands_out {
        return Err("time runs backwards".to_owned());
    }
    Ok(())
}
