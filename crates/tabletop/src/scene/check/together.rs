//! What the elements of a table owe one another (terrain geometry page, section 9): each by itself
//! is in order; whether the terrain chapter accepts them together leaves.

use kernel::{Centimetres, Refusal};
use rulebook::phrase::tabletop_scene as say;
use rulebook::rule;

use super::terrain::nobody;
use super::{Faults, Table};
use crate::geometry::{Gap, Point, Segment};
use crate::scene::element::{Element, House, Kind, Road, Water};
use crate::scene::terrain::WaterKind;
use crate::terrain::setup::{self, Course, Village, Watercourse};

/// Roads farther from a house need not be measured.
const NEAR_ROAD: i64 = 100;

/// What the elements owe one another.
pub(super) fn together(elements: &[Element], table: &Table, faults: &mut Faults) {
    for (place, element) in elements.iter().enumerate() {
        let path = |field: &str| format!("terrain.{place}.{field}");
        let mut known = |id: &str, field: &str, wanted: fn(&Kind) -> bool| {
            let found = elements.iter().find(|other| other.id == id);
            if !found.is_some_and(|other| wanted(&other.kind)) {
                faults.push(Refusal::field(path(field), say::NO_SUCH_ELEMENT).with("id", id.to_owned()));
                return None;
            }
            found
        };
        if let Some(wood) = &element.hidden_in {
            known(wood, "hidden_in", |kind| matches!(kind, Kind::Wood(..)));
        }
        match &element.kind {
            Kind::Track(track, area) => {
                let wood = known(&track.wood, "shape.track.wood", |kind| matches!(kind, Kind::Wood(..)));
                let outside = wood.and_then(Element::area).is_some_and(|wood| wood.gap_to(area) > Gap::ZERO);
                let verdict = setup::forest_track(!outside, &mut nobody());
                faults.judge(&verdict, path("shape.track.axis"), say::TRACK_OUTSIDE_WOOD, &element.id);
            }
            Kind::House(house) => house_place(elements, place, house, faults),
            Kind::Village(village) => {
                let street =
                    known(&village.street, "shape.village.street", |kind| matches!(kind, Kind::Road(_)));
                let houses: Vec<Option<&Element>> = village
                    .houses
                    .iter()
                    .enumerate()
                    .map(|(k, id)| {
                        known(id, &format!("shape.village.houses.{k}"), |kind| matches!(kind, Kind::House(_)))
                    })
                    .collect();
                if let Some(Element { kind: Kind::Road(road), .. }) = street {
                    balance(&element.id, &houses, road, path("shape.village.houses"), faults);
                }
            }
            Kind::Bridge(bridge, area) => {
                let over = known(&bridge.over, "shape.bridge.over", |kind| matches!(kind, Kind::Water(_)));
                if let Some(road) = &bridge.road {
                    known(road, "shape.bridge.road", |kind| matches!(kind, Kind::Road(_)));
                }
                let dry = over.and_then(Element::area).is_some_and(|water| water.gap_to(area) > Gap::ZERO);
                if dry {
                    faults.add(path("shape.bridge.over"), say::CROSSING_DRY, &element.id);
                }
            }
            Kind::Ford(ford, area) => {
                let river = known(&ford.river, "shape.ford.river", |kind| matches!(kind, Kind::Water(_)));
                if let Some(Element { kind: Kind::Water(water), .. }) = river {
                    if water.kind == WaterKind::LargeRiver {
                        faults.add(path("shape.ford.river"), say::FORD_IN_LARGE_RIVER, &element.id);
                    } else if water.area.gap_to(area) > Gap::ZERO {
                        faults.add(path("shape.ford.river"), say::CROSSING_DRY, &element.id);
                    }
                }
            }
            Kind::Water(water) => watercourse(elements, place, element, water, table, faults),
            _ => {}
        }
    }
}

/// A house stands within half a centimetre of a road (or hidden in a wood) and on no other house.
fn house_place(elements: &[Element], place: usize, house: &House, faults: &mut Faults) {
    let element = &elements[place];
    for other in &elements[..place] {
        let Kind::House(neighbour) = &other.kind else { continue };
        let shared = element.extent.meets(&other.extent)
            && (neighbour.area.edges().any(|edge| house.area.is_entered_by(edge))
                || house.area.edges().any(|edge| neighbour.area.is_entered_by(edge))
                || house.area.outline() == neighbour.area.outline());
        if shared {
            faults.push(
                Refusal::field(format!("terrain.{place}.shape.house.corner"), say::HOUSES_OVERLAP)
                    .with("name", element.id.clone())
                    .with("other", other.id.clone()),
            );
        }
    }
    if element.hidden_in.is_some() {
        return;
    }
    let near = house.area.extent().grown(NEAR_ROAD);
    let to_road = elements
        .iter()
        .filter_map(|other| match &other.kind {
            Kind::Road(Road { area, .. }) | Kind::Track(_, area) if area.extent().meets(&near) => {
                Some(area.gap_to(&house.area))
            }
            _ => None,
        })
        .min()
        .map_or(Centimetres::whole(1000), Gap::centimetres);
    let alone = Village { sides: (1, 0), street: true, to_road: vec![to_road] };
    faults.judge(
        &setup::village(&alone, &mut nobody()),
        format!("terrain.{place}.shape.house.corner"),
        say::HOUSE_WITHOUT_ROAD,
        &element.id,
    );
}

/// The two sides of a street differ by one house at most.
fn balance(name: &str, houses: &[Option<&Element>], road: &Road, path: String, faults: &mut Faults) {
    let axis = &road.setup.axis;
    let (mut left, mut right) = (0_u32, 0_u32);
    for house in houses.iter().flatten() {
        let middle = house.extent.low.towards(house.extent.high, 1, 2);
        let nearest = axis.windows(2).min_by_key(|edge| Segment::new(edge[0], edge[1]).gap_to(middle));
        if nearest.is_some_and(|edge| edge[0].turn(edge[1], middle) > 0) {
            left += 1;
        } else {
            right += 1;
        }
    }
    let village = Village { sides: (left, right), street: true, to_road: Vec::new() };
    faults.judge(&setup::village(&village, &mut nobody()), path, say::VILLAGE_LOPSIDED, name);
}

/// A watercourse runs from one side of the table to another; rivers can be crossed.
fn watercourse(
    elements: &[Element],
    place: usize,
    element: &Element,
    water: &Water,
    table: &Table,
    faults: &mut Faults,
) {
    let field = |field: &str| format!("terrain.{place}.shape.water.{field}");
    let edges_of = |point: Point| -> u8 {
        u8::from(point.x == 0)
            | u8::from(point.x == table.width) << 1
            | u8::from(point.y == 0) << 2
            | u8::from(point.y == table.depth) << 3
    };
    let (first, last) = (
        water.axis.first().map_or(0, |&point| edges_of(point)),
        water.axis.last().map_or(0, |&point| edges_of(point)),
    );
    let count = |wanted: &dyn Fn(&Kind) -> bool| {
        u32::try_from(elements.iter().filter(|other| wanted(&other.kind)).count()).unwrap_or(u32::MAX)
    };
    let course = Course {
        kind: match water.kind {
            WaterKind::Stream => Watercourse::Stream,
            WaterKind::Ditch => Watercourse::Ditch,
            WaterKind::River => Watercourse::River,
            WaterKind::LargeRiver => Watercourse::LargeRiver,
        },
        bridges: count(&|kind| matches!(kind, Kind::Bridge(bridge, _) if bridge.over == element.id)),
        fords: count(&|kind| matches!(kind, Kind::Ford(ford, _) if ford.river == element.id)),
        from_side_to_side: first != 0 && last != 0 && !(first == last && first.count_ones() == 1),
        in_wood: element.hidden_in.is_some(),
    };
    let verdict = setup::watercourse(course, &mut nobody());
    let ends = verdict.as_ref().is_err_and(|refusal| refusal.rule == Some(rule!(TE_6_1_02)));
    let (at, phrase) = if ends { ("axis", say::WATER_ENDS) } else { ("kind", say::RIVER_CROSSINGS) };
    faults.judge(&verdict, field(at), phrase, &element.id);
}
