//! What is laid over the map: arcs, corridors, lines of sight with the point that blocks them.

use super::Pen;
use crate::fire::corridor::Corridor;
use crate::fire::ground::{Element, Ground};
use crate::fire::measure::arc;
use crate::geometry::{Arc, Facing, Point, turned};
use crate::scene::{Body, Instant, Place, Scene, Stand, layout};

/// A line from somewhere to somewhere, and where it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// From here.
    pub from: Point,
    /// To there.
    pub to: Point,
    /// Stopped here.
    pub blocked: Option<Point>,
}

/// One thing laid over the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// The arcs of the figures of an element, as far as its weapon reaches.
    Arcs(Element),
    /// The corridor of a battery.
    Corridor(usize),
    /// A line of sight or of fire.
    Line(Mark),
    /// Losses beside a body.
    Losses(usize, i32),
    /// Where a body would halt: the middle of its front, and where it faces.
    Halt(usize, Point, Facing),
}

/// What lies under the figures.
pub(super) fn beneath(pen: &mut Pen, scene: &Scene, overlays: &[Overlay]) {
    let options = rulebook::options::tabletop::Options::default();
    if overlays.is_empty() {
        return;
    }
    let ground = Ground::new(scene, &options);
    for overlay in overlays {
        match overlay {
            Overlay::Arcs(element) => arcs(pen, &ground, *element),
            Overlay::Corridor(body) => corridor(pen, &ground, *body),
            Overlay::Line(_) | Overlay::Losses(..) | Overlay::Halt(..) => {}
        }
    }
}

fn arcs(pen: &mut Pen, ground: &Ground<'_>, element: Element) {
    let body = ground.body(element.body);
    let half = match arc(body, body.now()) {
        Arc::Narrow => 225,
        Arc::Wide => 450,
    };
    let figures: Vec<_> = ground.figures(element, body.now()).collect();
    // Many arcs overlap: the outer two and the middle tell all.
    let shown: Vec<usize> = match figures.len() {
        0 => return,
        1..=3 => (0..figures.len()).collect(),
        many => vec![0, many / 2, many - 1],
    };
    for k in shown {
        let base = &figures[k].base;
        let Some(weapon) = ground.weapon_of(element.body, figures[k]) else { continue };
        let bands = weapon.bands();
        for (limit, alpha) in [(bands.range, 0.07), (bands.two_thirds, 0.07), (bands.third, 0.09)] {
            let reach = i64::from(limit.count());
            let rim: Vec<Point> = (-8..=8)
                .map(|step| turned(base.front, base.facing.turned(half * step / 8), 0, reach))
                .collect();
            let path = pen.path(&[&[base.front], rim.as_slice()].concat(), true);
            pen.put(format_args!(
                "<path d=\"{path}\" fill=\"#c08a2b\" fill-opacity=\"{alpha}\" stroke=\"#9c6b17\" stroke-opacity=\".45\" stroke-width=\".8\"/>"
            ));
        }
    }
}

fn corridor(pen: &mut Pen, ground: &Ground<'_>, body: usize) {
    let Some(corridor) = Corridor::of(ground, body, Instant::P2) else { return };
    let path = pen.path(&corridor.corners(), true);
    pen.put(format_args!(
        "<path d=\"{path}\" fill=\"#c08a2b\" fill-opacity=\".13\" stroke=\"#9c6b17\" stroke-width=\"1.2\" stroke-dasharray=\"8 4\"/>"
    ));
    let bands = corridor.calibre.bands();
    for limit in [bands.canister, bands.half, bands.three_quarters] {
        let y = i64::from(limit.count());
        let at = |x: i64| turned(corridor.origin, corridor.facing, x, y);
        let path = pen.path(&[at(-corridor.half), at(corridor.half)], false);
        pen.put(format_args!("<path d=\"{path}\" stroke=\"#9c6b17\" stroke-width=\"1\"/>"));
        let (x, y) = pen.at(at(corridor.half + 160));
        pen.label((x, y + 4.0), 10.0, "place", &limit.to_string());
    }
}

/// What lies over the figures.
pub(super) fn above(pen: &mut Pen, scene: &Scene, overlays: &[Overlay]) {
    for overlay in overlays {
        match overlay {
            Overlay::Line(mark) => line(pen, *mark),
            Overlay::Losses(body, losses) => {
                let centre = scene.bodies()[*body].now().centre;
                let (x, y) = pen.at(centre);
                pen.put(format_args!(
                    "<g transform=\"translate({x:.1} {y:.1})\"><path d=\"M0-17L5-7 16-9 9 0 16 9 5 7 0 17-5 7-16 9-9 0-16-9-5-7Z\" fill=\"#f0c75e\" stroke=\"#a3231b\" stroke-width=\"1.4\"/>\
                     <text class=\"bad toll\" y=\"4.4\" font-size=\"12\">{losses}</text></g>"
                ));
            }
            Overlay::Halt(body, at, facing) => halt(pen, &scene.bodies()[*body], *at, *facing),
            Overlay::Arcs(_) | Overlay::Corridor(_) => {}
        }
    }
}

/// The bases of a body where it would halt.
fn halt(pen: &mut Pen, body: &Body, at: Point, facing: Facing) {
    let Place::Stand(now) = &body.setup.place else { return };
    for figure in layout(&body.setup.troops, &Stand { at, facing, ..now.clone() }) {
        let path = pen.path(&figure.base.corners, true);
        pen.put(format_args!(
            "<path d=\"{path}\" fill=\"#2d6a3a\" fill-opacity=\".12\" stroke=\"#2d6a3a\" stroke-width=\"1.2\" stroke-dasharray=\"3 2\"/>"
        ));
    }
}

fn line(pen: &mut Pen, mark: Mark) {
    let (colour, reach) = match mark.blocked {
        None => ("#2d6a3a", mark.to),
        Some(at) => ("#a3231b", at),
    };
    let clear = pen.path(&[mark.from, reach], false);
    pen.put(format_args!(
        "<path d=\"{clear}\" stroke=\"#fff8ea\" stroke-width=\"5\" stroke-opacity=\".8\"/>\
         <path d=\"{clear}\" stroke=\"{colour}\" stroke-width=\"2.2\"/>"
    ));
    let (x, y) = pen.at(mark.from);
    pen.put(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.4\" fill=\"{colour}\"/>"));
    let (x, y) = pen.at(mark.to);
    if let Some(at) = mark.blocked {
        let rest = pen.path(&[at, mark.to], false);
        let (bx, by) = pen.at(at);
        pen.put(format_args!(
            "<path d=\"{rest}\" stroke=\"{colour}\" stroke-width=\"1.6\" stroke-dasharray=\"3 6\"/>\
             <g transform=\"translate({bx:.1} {by:.1})\"><circle r=\"9\" fill=\"#fff8ea\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <path d=\"M-4-4L4 4M-4 4L4-4\" stroke=\"{colour}\" stroke-width=\"2.4\" stroke-linecap=\"round\"/></g>"
        ));
    } else {
        pen.put(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\"/>"
        ));
    }
}
