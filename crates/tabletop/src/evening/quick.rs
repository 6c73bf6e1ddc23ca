//! Two units without a table: what each is, how it stands, how far apart, behind what. From these facts a
//! table is laid on which everything can be asked that is asked of a real one.

use kernel::{Centimetres, Losses, Refusal, Verdict, Whole};
use rulebook::options::tabletop::Options;
use rulebook::phrase::evening as say;

use super::templates::Template;
use super::{Evening, Shot, volley};
use crate::fire::declare::{Fired, Hit};
use crate::fire::ground::Ground;
use crate::fire::priority::nobody;
use crate::fire::removal::apply;
use crate::fire::{Cover, Projectile};
use crate::geometry::{Extent, Facing, Point};
use crate::scene::{
    BodySetup, Company, Drill, DrillClass, ElementSetup, Figures, Formation, Muster, ObstacleClass,
    ObstacleSetup, Place, Record, Setup, Shape, Side, Situation, Stand, State, layout,
};
use crate::terrain::on_table;

/// The unit of whoever asks.
pub const OURS: &str = "ours";
/// The other one.
pub const THEIRS: &str = "theirs";
/// The skirmishers before the other one.
pub const SCREEN: &str = "screen";

/// Which part of the other unit is towards us.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aspect {
    /// Its front.
    #[default]
    Front,
    /// Its flank.
    Flank,
    /// Its back.
    Rear,
}

/// How the other unit came to where it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Came {
    /// It stood there.
    #[default]
    Stood,
    /// It marched at us in the second quarter.
    Second,
    /// It marched at us in both quarters.
    Both,
}

/// A unit in its formation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What it is.
    pub template: Template,
    /// How it stands.
    pub formation: Formation,
    /// What it is called.
    pub name: String,
}

/// Two units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Two {
    /// Ours, which looks straight at the other.
    pub ours: Unit,
    /// The other one.
    pub theirs: Unit,
    /// From base to base.
    pub distance: Centimetres,
    /// What the other stands behind.
    pub cover: Cover,
    /// What it turns to us.
    pub aspect: Aspect,
    /// How it came.
    pub came: Came,
    /// Skirmishers so far before it.
    pub screen: Option<Centimetres>,
}

/// The side of the square table on which they stand.
const TABLE: i32 = 240;
/// No two units are farther apart.
const FARTHEST: Centimetres = Centimetres::whole(110);
/// The depth of a skirmisher's base.
const SKIRMISHER: i64 = 250;

fn body(id: &str, unit: &Unit, side: Side, stand: Stand) -> BodySetup {
    BodySetup {
        id: id.to_owned(),
        label: unit.name.clone(),
        side,
        unit: None,
        troops: unit.template.troops.clone(),
        status: unit.template.status,
        morale: unit.template.morale,
        state: State::Formed,
        situation: Situation::Steady,
        changing_to: None,
        place: Place::Stand(stand),
        order: None,
        marker: Losses::ZERO,
        lost: Figures::default(),
        record: Record::default(),
    }
}

/// The ground a unit covers.
fn covers(troops: &Muster, stand: &Stand) -> Extent {
    layout(troops, stand).iter().fold(Extent::of(&[]), |all, figure| all.and(figure.base.extent))
}

impl Two {
    /// The table of the two, ours south of the other.
    ///
    /// # Errors
    /// When they cannot stand so.
    pub fn table(&self) -> Verdict<Setup> {
        if self.distance < Centimetres::ZERO || self.distance > FARTHEST {
            return Err(Refusal::field("distance", kernel::phrase::IMPOSSIBLE_VALUE)
                .with("found", self.distance)
                .with("expected", format!("0…{FARTHEST}")));
        }
        let middle = i64::from(TABLE) * 50;
        let facing = match self.aspect {
            Aspect::Front => Facing::SOUTH,
            Aspect::Flank => Facing::EAST,
            Aspect::Rear => Facing::NORTH,
        };
        let stand = |at, facing, formation| Stand { at, facing, formation, front: None };
        let there = stand(Point::new(middle, middle), facing, self.theirs.formation);
        let ground = covers(&self.theirs.template.troops, &there);
        let (south, west) = (ground.low.y, i64::midpoint(ground.low.x, ground.high.x));
        let distance = i64::from(self.distance.count());
        let here = Point::new(west, south - distance);
        let mut theirs = body(THEIRS, &self.theirs, Side::Red, there);
        let ours = body(OURS, &self.ours, Side::Blue, stand(here, Facing::NORTH, self.ours.formation));
        let mut table = Setup {
            name: String::new(),
            story: String::new(),
            width: Centimetres::whole(TABLE),
            depth: Centimetres::whole(TABLE),
            terrain: Vec::new(),
            bodies: vec![ours],
        };
        if let Some(class) = match self.cover {
            Cover::None => None,
            Cover::Light => Some(ObstacleClass::Light),
            Cover::Hard => Some(ObstacleClass::Hard),
        } {
            // Half a centimetre before it, or between the two where they stand closer.
            let y = south - (distance / 2).min(50);
            let line = vec![Point::new(ground.low.x - 200, y), Point::new(ground.high.x + 200, y)];
            let shape = Shape::Obstacle(ObstacleSetup { line, closed: false, class, pieces: Vec::new() });
            let id = "cover".to_owned();
            table.terrain.push(ElementSetup { id, label: String::new(), hidden_in: None, shape });
        }
        if let Some(before) = self.screen {
            let front = south - i64::from(before.count()) - SKIRMISHER;
            if front <= here.y {
                return Err(Refusal::field("screen", say::NO_ROOM_FOR_SCREEN));
            }
            let mut screen = body(SCREEN, &self.theirs, Side::Red, there_with(front, west));
            screen.troops = skirmishers();
            screen.label = String::new();
            table.bodies.push(screen);
        }
        self.came(&mut theirs);
        table.bodies.push(theirs);
        Ok(table)
    }

    /// Writes down where the other unit came from.
    fn came(&self, theirs: &mut BodySetup) {
        let Place::Stand(now) = &theirs.place else { return };
        let now = now.clone();
        let Ok(scene) = alone(theirs).check(&Options::default()) else { return };
        let step = scene.bodies().first().map_or(0, |body| i64::from(on_table::quarter_move(body).count()));
        let back =
            |quarters: i64| Place::Stand(Stand { at: now.at.moved(0, step * quarters), ..now.clone() });
        let record = &mut theirs.record;
        match self.came {
            Came::Stood => {}
            Came::Second => (record.start, record.middle) = (Some(back(1)), Some(back(1))),
            Came::Both => (record.start, record.middle) = (Some(back(2)), Some(back(1))),
        }
    }
}

/// A table with one body only, to ask how it moves.
fn alone(body: &BodySetup) -> Setup {
    Setup {
        width: Centimetres::whole(TABLE),
        depth: Centimetres::whole(TABLE),
        bodies: vec![body.clone()],
        ..Setup::default()
    }
}

fn there_with(front: i64, x: i64) -> Stand {
    Stand { at: Point::new(x, front), facing: Facing::SOUTH, formation: Formation::Skirmish, front: None }
}

/// Four men of a light company.
fn skirmishers() -> Muster {
    let company = Company {
        name: "light".to_owned(),
        figures: Whole::new(4).unwrap_or_default(),
        initial: None,
        fire: Whole::new(5).unwrap_or_default(),
        melee: None,
        weapon: None,
        elite: false,
        sappers: false,
        light: true,
    };
    Muster::Infantry(Drill { class: DrillClass::A, companies: vec![company] })
}

/// The figure that comes off next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Off {
    /// Its company.
    pub company: String,
    /// Its rank, from 1.
    pub rank: u16,
    /// Its place in the rank from the left, from 1.
    pub file: u16,
}

/// The figure a body loses first to a fire of another, if it loses one.
///
/// # Errors
/// When it may not fire.
pub fn comes_off(
    evening: &Evening,
    shooter: &str,
    target: &str,
    projectile: Projectile,
) -> Verdict<Option<Off>> {
    let scene = evening.table().checked("table", evening.options())?;
    let ground = Ground::new(&scene, evening.options());
    let shot = Shot {
        shooter: shooter.to_owned(),
        part: None,
        slot: None,
        target: target.to_owned(),
        side: None,
        projectile,
        burn: false,
        batters: None,
    };
    let declaration = volley::declared(&ground, &shot, &mut nobody())?;
    ground.is_eligible(declaration.element, declaration.slot, declaration.target, &mut nobody())?;
    let hit = Hit {
        target: declaration.target,
        losses: Losses::men(40),
        figures: 0,
        groups: Vec::new(),
        distance: Centimetres::ZERO,
        cover: Cover::None,
        covers: Vec::new(),
    };
    let fired = Fired { declaration, hits: vec![hit], point_blank: false, lost: false, ignited: false };
    let body = &scene.bodies()[declaration.target.body];
    let suffered = apply(&ground, &[fired], &mut nobody());
    let removed = suffered.iter().flat_map(|one| &one.removed).next();
    Ok(removed.and_then(|&place| body.now().figures.get(place)).map(|figure| Off {
        company: body
            .companies()
            .get(usize::from(figure.company))
            .map_or_else(String::new, |company| company.name.clone()),
        rank: figure.rank + 1,
        file: figure.file + 1,
    }))
}
