//! The checks of bodies, and their figures at the three instants.

use kernel::Refusal;
use rulebook::phrase::tabletop_scene as say;

use super::terrain::stands_in;
use super::{Faults, MOST_FIGURES, Table};
use crate::Arm;
use crate::fire::marker::MEN_PER_FIGURE;
use crate::geometry::{Extent, Gap, Point, hull};
use crate::scene::body::{Body, Presence, class_of, pieces};
use crate::scene::element::{Element, Kind, hundredths};
use crate::scene::figures::{Figure, layout, placed_one_by_one};
use crate::scene::index::Grid;
use crate::scene::muster::{Company, Muster};
use crate::scene::setup::{BodySetup, Formation, GarrisonAt, Place, Setup};
use crate::terrain::on_table::house::attacks;

/// Checks each body by itself, then what they owe one another.
pub(super) fn bodies(setup: &Setup, table: &Table, elements: &[Element], faults: &mut Faults) -> Vec<Body> {
    let figures: i64 = setup.bodies.iter().map(|body| count(&body.troops)).sum();
    if figures > MOST_FIGURES {
        faults
            .push(Refusal::field("bodies", say::TOO_MANY).with("found", figures).with("most", MOST_FIGURES));
        return Vec::new();
    }
    let mut bodies = Vec::with_capacity(setup.bodies.len());
    for (place, written) in setup.bodies.iter().enumerate() {
        let mut one = One { written, path: format!("bodies.{place}"), table, elements, faults };
        if let Some(body) = one.body() {
            bodies.push(body);
        }
        references(setup, place, written, faults);
    }
    if !faults.any() {
        together(setup, table, elements, &mut bodies, faults);
    }
    bodies
}

fn count(troops: &Muster) -> i64 {
    let total = |companies: &[Company]| companies.iter().map(|c| i64::from(c.figures.get())).sum();
    match troops {
        Muster::Infantry(drill) => total(&drill.companies),
        Muster::Cavalry(weight) => total(&weight.companies),
        Muster::Artillery(_) | Muster::Officer(_) => 1,
    }
}

/// Names of other things that a body mentions.
fn references(setup: &Setup, place: usize, written: &BodySetup, faults: &mut Faults) {
    let body = |id: &str| setup.bodies.iter().find(|body| body.id == id);
    let mut enemy = |id: &str, field: String| match body(id) {
        None => faults.push(Refusal::field(field, say::NO_SUCH_BODY).with("id", id.to_owned())),
        Some(other) if other.side == written.side => {
            faults.push(Refusal::field(field, say::NOT_AN_ENEMY).with("id", id.to_owned()));
        }
        Some(_) => {}
    };
    for (k, id) in written.record.fired_at_by.iter().enumerate() {
        enemy(id, format!("bodies.{place}.record.fired_at_by.{k}"));
    }
    if let Some(contact) = &written.record.contact {
        enemy(&contact.with, format!("bodies.{place}.record.contact.with"));
    }
    if let Some(of) = written.order.as_ref().and_then(|order| order.of.as_ref())
        && body(of).is_none()
        && !setup.terrain.iter().any(|element| &element.id == of)
    {
        faults.push(
            Refusal::field(format!("bodies.{place}.order.of"), say::NO_SUCH_BODY).with("id", of.clone()),
        );
    }
    if let Some(inside) = &written.record.inside
        && !setup.terrain.iter().any(|element| &element.id == inside)
    {
        faults.push(
            Refusal::field(format!("bodies.{place}.record.inside"), say::NO_SUCH_ELEMENT)
                .with("id", inside.clone()),
        );
    }
}

/// One body under check.
struct One<'a> {
    written: &'a BodySetup,
    path: String,
    table: &'a Table,
    elements: &'a [Element],
    faults: &'a mut Faults,
}

impl One<'_> {
    fn fault(&mut self, field: &str, phrase: kernel::Phrase) {
        self.faults.add(format!("{}.{field}", self.path), phrase, &self.written.id);
    }

    fn body(&mut self) -> Option<Body> {
        let arm = self.troops()?;
        if self.written.marker.count() < 0
            || self.written.marker.count() > MEN_PER_FIGURE
            || self.written.marker.count() % 5 != 0
        {
            self.faults.push(
                Refusal::field(format!("{}.marker", self.path), say::MARKER)
                    .with("name", self.written.id.clone())
                    .with("most", MEN_PER_FIGURE - 5),
            );
            return None;
        }
        let record = &self.written.record;
        let now = &self.written.place;
        let middle = record.middle.as_ref().unwrap_or(now);
        let start = record.start.as_ref().unwrap_or(middle);
        let mut presences = vec![self.presence(arm, "place", now)?];
        let mut at = [0; 3];
        if middle != now {
            presences.push(self.presence(arm, "record.middle", middle)?);
            at[1] = 1;
        }
        at[0] = if start == middle {
            at[1]
        } else if start == now {
            0
        } else {
            presences.push(self.presence(arm, "record.start", start)?);
            presences.len() - 1
        };
        let straight =
            |from: usize, to: usize| front_of(&presences[from]).gap_to(front_of(&presences[to])).rounded();
        let mut moved = [straight(at[0], at[1]), straight(at[1], at[2])];
        let told = [record.moved_q1, record.moved_q2];
        for (quarter, told) in told.into_iter().enumerate() {
            if let Some(told) = told {
                let told = hundredths(told);
                if !(0..=20_000).contains(&told) || told + 1 < moved[quarter] {
                    self.fault(
                        if quarter == 0 { "record.moved_q1" } else { "record.moved_q2" },
                        say::PATH_SHORT,
                    );
                    return None;
                }
                moved[quarter] = told;
            }
        }
        let acted = |quarter: i32| record.actions.iter().any(|action| action.quarter.get() == quarter);
        let still =
            [start == middle && moved[0] == 0 && !acted(1), middle == now && moved[1] == 0 && !acted(2)];
        Some(Body {
            setup: self.written.clone(),
            arm,
            presences,
            at,
            moved,
            still,
            in_melee: record.melee_q2,
            state: self.written.state,
            imposed: None,
        })
    }

    fn troops(&mut self) -> Option<Arm> {
        let (arm, companies) = (self.written.troops.arm(), self.written.troops.companies());
        match &self.written.troops {
            Muster::Infantry(_) | Muster::Cavalry(_) => {}
            Muster::Artillery(battery) => {
                if battery.crew_left() > battery.full_crew() {
                    self.fault("troops.artillery.crew", say::MORE_THAN_AT_FIRST);
                    return None;
                }
                if battery.crew_left() == 0 {
                    self.fault("troops.artillery.crew", say::NO_FIGURES);
                    return None;
                }
                return Some(arm);
            }
            Muster::Officer(_) => return Some(arm),
        }
        let field =
            if arm == Arm::Infantry { "troops.infantry.companies" } else { "troops.cavalry.companies" };
        let total: i32 = companies.iter().map(|company| company.figures.get()).sum();
        if total == 0 {
            self.fault(field, say::NO_FIGURES);
            return None;
        }
        if companies.len() > 20 || total > 120 {
            self.fault(field, say::SIZE);
            return None;
        }
        for (k, company) in companies.iter().enumerate() {
            if companies[..k].iter().any(|before| before.name == company.name) {
                self.fault(&format!("{field}.{k}.name"), say::NAME_TWICE);
                return None;
            }
            if company.initial.is_some_and(|initial| initial.get() < company.figures.get()) {
                self.fault(&format!("{field}.{k}.initial"), say::MORE_THAN_AT_FIRST);
                return None;
            }
        }
        Some(arm)
    }

    fn presence(&mut self, arm: Arm, field: &str, place: &Place) -> Option<Presence> {
        let troops = &self.written.troops;
        let (formation, figures, house) = match place {
            Place::Stand(stand) => {
                self.suits(arm, stand.formation, &format!("{field}.stand.formation"))?;
                (stand.formation, layout(troops, stand), None)
            }
            Place::Bases(bases) => {
                self.suits(arm, bases.formation, &format!("{field}.bases.formation"))?;
                if arm.is_artillery()
                    || arm == Arm::Officer
                    || i64::try_from(bases.bases.len()) != Ok(count(troops))
                {
                    self.fault(&format!("{field}.bases.bases"), say::BASE_COUNT);
                    return None;
                }
                (bases.formation, placed_one_by_one(troops, bases), None)
            }
            Place::Garrison(garrison) => {
                let (house, figures) = self.garrison(arm, field, garrison)?;
                (Formation::Line, figures, Some(house))
            }
        };
        if figures.iter().flat_map(|figure| &figure.base.corners).any(|&corner| !self.table.holds(corner)) {
            self.fault(field, say::OFF_TABLE);
            return None;
        }
        if house.is_none() && self.written.record.inside.is_none() {
            let in_house = figures.iter().any(|figure| {
                self.elements.iter().any(|element| match &element.kind {
                    Kind::House(house) => stands_in(house, &figure.base),
                    _ => false,
                })
            });
            if in_house {
                self.fault(field, say::STANDS_IN_HOUSE);
                return None;
            }
        }
        let redoubt = self.elements.iter().position(|element| match &element.kind {
            Kind::Redoubt(redoubt) => figures.iter().all(|figure| redoubt.interior.holds(figure.base.centre)),
            _ => false,
        });
        Some(self.present(arm, formation, figures, house, redoubt))
    }

    fn present(
        &self,
        arm: Arm,
        formation: Formation,
        figures: Vec<Figure>,
        house: Option<usize>,
        redoubt: Option<usize>,
    ) -> Presence {
        let corners: Vec<Point> = figures.iter().flat_map(|figure| figure.base.corners).collect();
        let total = i64::try_from(figures.len()).unwrap_or(1).max(1);
        let (x, y) = figures
            .iter()
            .fold((0, 0), |(x, y), figure| (x + figure.base.centre.x, y + figure.base.centre.y));
        let mut presence = Presence {
            formation,
            footprint: hull(corners.clone()),
            centre: Point::new(0, 0).towards(Point::new(x, y), 1, total),
            facing: figures.first().map(|figure| figure.base.facing).unwrap_or_default(),
            house,
            redoubt,
            class: None,
            extent: Extent::of(&corners),
            pieces: pieces(&figures),
            figures,
        };
        presence.class = class_of(self.written, arm, self.written.state, &presence);
        presence
    }

    /// Whether a formation is one of the arm's.
    fn suits(&mut self, arm: Arm, formation: Formation, field: &str) -> Option<()> {
        use Formation as F;
        let suits = match arm {
            Arm::Infantry => {
                !matches!(formation, F::Column | F::Foragers | F::Limbered | F::InPosition | F::Single)
            }
            Arm::Cavalry | Arm::Cuirassiers => {
                matches!(formation, F::Column | F::Line | F::DoubleLine | F::Foragers)
            }
            Arm::FootArtillery | Arm::HorseArtillery => matches!(formation, F::Limbered | F::InPosition),
            Arm::Officer => formation == F::Single,
        };
        if !suits {
            self.fault(field, say::FORMATION_OF_ANOTHER_ARM);
            return None;
        }
        Some(())
    }

    /// The figures of a garrison, each at its slot.
    fn garrison(&mut self, arm: Arm, field: &str, garrison: &GarrisonAt) -> Option<(usize, Vec<Figure>)> {
        let place = self.elements.iter().position(|element| element.id == garrison.house);
        let Some((place, Kind::House(house))) = place.map(|place| (place, &self.elements[place].kind)) else {
            self.faults.push(
                Refusal::field(format!("{}.{field}.garrison.house", self.path), say::NO_SUCH_ELEMENT)
                    .with("id", garrison.house.clone()),
            );
            return None;
        };
        if arm != Arm::Infantry {
            self.fault(&format!("{field}.garrison"), say::GARRISON_OF_ANOTHER_ARM);
            return None;
        }
        let Muster::Infantry(drill) = &self.written.troops else { return None };
        let mut left: Vec<i32> = drill.companies.iter().map(|company| company.figures.get()).collect();
        let mut on_side = [0_u16; 4];
        let mut figures = Vec::new();
        for (k, post) in garrison.posts.iter().enumerate() {
            let Some(company) = drill.companies.iter().position(|company| company.name == post.company)
            else {
                self.fault(&format!("{field}.garrison.posts.{k}.company"), say::NO_SUCH_COMPANY);
                return None;
            };
            left[company] -= post.figures.get();
            if left[company] < 0 {
                self.fault(&format!("{field}.garrison.posts.{k}.figures"), say::MORE_THAN_AT_FIRST);
                return None;
            }
            let side = usize::try_from(post.side.get()).unwrap_or(0).min(3);
            for _ in 0..post.figures.get() {
                if on_side[side] >= house.sides[side].capacity {
                    self.fault(&format!("{field}.garrison.posts.{k}.figures"), say::SIDE_FULL);
                    return None;
                }
                figures.push(Figure {
                    base: house.sides[side].slot(on_side[side]),
                    rank: 0,
                    file: on_side[side],
                    company: u16::try_from(company).unwrap_or(0),
                    face: u8::try_from(side).unwrap_or(0),
                    moving: post.moving,
                });
                on_side[side] += 1;
            }
        }
        if figures.is_empty() {
            self.fault(&format!("{field}.garrison.posts"), say::NO_FIGURES);
            return None;
        }
        Some((place, figures))
    }
}

/// The place by which a move is measured.
fn front_of(presence: &Presence) -> Point {
    presence.figures.first().map_or(presence.centre, |figure| figure.base.front)
}

/// Whether a body attacks a garrisoned side of the house another one holds.
fn storms(body: &Body, holder: &Body, elements: &[Element]) -> bool {
    let Some(Kind::House(house)) = holder.now().house.and_then(|at| elements.get(at)).map(|at| &at.kind)
    else {
        return false;
    };
    (0_u8..).zip(&house.sides).any(|(number, side)| {
        holder.now().figures.iter().any(|figure| figure.face == number) && attacks(body, holder, number, side)
    })
}

/// No two bodies on the same ground; who touches an enemy, or the wall he holds, is in melee.
fn together(setup: &Setup, table: &Table, elements: &[Element], bodies: &mut [Body], faults: &mut Faults) {
    let grid =
        Grid::new(table.width, table.depth, bodies.iter().map(|body| body.now().extent.grown(10)).collect());
    let mut touching = Vec::new();
    for place in 0..bodies.len() {
        for other in grid.near(&bodies[place].now().extent) {
            let other = usize::try_from(other).unwrap_or(0);
            if other <= place {
                continue;
            }
            let (a, b) = (&bodies[place], &bodies[other]);
            let officers = a.arm == Arm::Officer || b.arm == Arm::Officer;
            if !officers && on_same_ground(a.now(), b.now()) {
                faults.push(
                    Refusal::field(format!("bodies.{other}.place"), say::SAME_GROUND)
                        .with("name", b.id().to_owned())
                        .with("other", a.id().to_owned()),
                );
            }
            if a.side() != b.side() && !officers && a.now().gap_to(b.now()).touches() {
                touching.push((place, other));
            }
        }
        if let Some(house) = bodies[place].now().house.and_then(|house| elements.get(house)) {
            for other in grid.near(&house.extent) {
                let other = usize::try_from(other).unwrap_or(0);
                if storms(&bodies[other], &bodies[place], elements) {
                    touching.push((place, other));
                }
            }
        }
    }
    for (a, b) in touching {
        // A contact made in this half-period forms a melee only after the fire it meets (FE-R15).
        let fresh = |one: usize, other: usize| {
            setup.bodies[one]
                .record
                .contact
                .as_ref()
                .is_some_and(|contact| contact.with == setup.bodies[other].id)
        };
        if !fresh(a, b) && !fresh(b, a) {
            bodies[a].in_melee = true;
            bodies[b].in_melee = true;
        }
    }
}

/// Whether two bodies overlap by more than the rounding of a corner.
fn on_same_ground(a: &Presence, b: &Presence) -> bool {
    let inner = |figure: &Figure| {
        let points = &figure.base.points;
        let corners = [points[1], points[2], points[3], points[4]];
        crate::geometry::Base { corners, extent: Extent::of(&corners), ..figure.base.clone() }
    };
    a.figures.iter().any(|mine| {
        let mine = inner(mine);
        mine.corners[0] != mine.corners[1]
            && b.figures.iter().any(|theirs| {
                let theirs = inner(theirs);
                theirs.corners[0] != theirs.corners[1]
                    && mine.extent.meets(&theirs.extent)
                    && mine.overlaps_base(&theirs)
                    && mine.gap_to(&theirs) == Gap::ZERO
            })
    })
}
