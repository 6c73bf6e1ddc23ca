//! The counters of the siege map: guns that point where they look, battalions with their steps.

use std::fmt::Write as _;

use rulebook::Lang;

use super::siege_ground::{Point, at, spot};
use crate::siege::{GROUND, WorkKind};
use crate::{Arm, Marks, Nation, Place, Side, Table, UnitId};

fn colour(nation: Nation) -> &'static str {
    match nation {
        Nation::France => "#27457c",
        Nation::Poland => "#94263a",
        Nation::Saxony => "#3f6b42",
        Nation::Baden => "#a9812e",
        Nation::Prussia => "#35353b",
        Nation::Russia => "#2c4a3b",
    }
}

/// Where the counters of a place begin, and how they are laid out.
pub(super) fn counters(svg: &mut String, table: &Table, lang: Lang) {
    let mut crowds = [0_u32; 2];
    let mut stacks: Vec<(Place, u32)> = Vec::new();
    for unit in UnitId::all() {
        let place = table.unit(unit).place;
        if !place.is_siege() {
            continue;
        }
        let order = match stacks.iter_mut().find(|(known, _)| *known == place) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                stacks.push((place, 0));
                0
            }
        };
        let fan = f64::from(order);
        let (x, y) = match place {
            Place::Concentration | Place::Reserve => {
                let crowd = usize::from(place == Place::Reserve);
                let at_row = crowds[crowd];
                crowds[crowd] += 1;
                let per_row = if crowd == 1 { 13 } else { 20 };
                let (column, row) = (f64::from(at_row % per_row), f64::from(at_row / per_row));
                let (x, y) = if crowd == 1 { at(1030.0, 1890.0) } else { at(350.0, 455.0) };
                (x + column * 26.0, y + row * 22.0)
            }
            Place::Work(id) => {
                let Some(work) = table.siege.work(id) else { continue };
                let (x, y) = spot(work.pose.at);
                match (work.kind, unit.data().arm.is_artillery()) {
                    (WorkKind::Battery, true) => (x + 12.0, y + 4.0),
                    (WorkKind::Battery, false) => (x - 12.0 + fan * 5.0, y + 4.0 - fan * 5.0),
                    (WorkKind::Sap | WorkKind::Parallel, _) => (x + fan * 7.0, y + 4.0 - fan * 6.0),
                }
            }
            Place::Open(there) => {
                let (x, y) = spot(there);
                (x + fan * 6.0, y - fan * 5.0)
            }
            Place::Wall(point) => {
                let (x, y) = spot(GROUND.point(point));
                let behind = if unit.side() == Side::French { 20.0 } else { -19.0 };
                let gun = unit.data().arm == Arm::Fortress;
                (
                    x + if gun { 0.0 } else { 9.0 + fan * 5.0 },
                    y + if gun { behind } else { behind - 9.0 - fan * 5.0 },
                )
            }
            Place::Green(point) => {
                let (x, y) = spot(GROUND.green(point));
                (x + fan * 6.0, y - fan * 5.0)
            }
            Place::Kalke => {
                let (x, y) = spot(GROUND.kalke_guns);
                (x - 8.0 + fan * 11.0, y + 6.0 + (fan % 2.0) * 9.0)
            }
            Place::KalkeBox => {
                let (x, y) = at(130.0, 720.0);
                (x + fan * 26.0, y)
            }
            _ => continue,
        };
        counter(svg, table, unit, (x, y), lang);
    }
}

/// One counter: the sign of the arm and the steps; a gun points where it looks; out of order it is
/// hollow and tilted.
fn counter(svg: &mut String, table: &Table, unit: UnitId, (x, y): Point, lang: Lang) {
    let (state, data) = (table.unit(unit), unit.data());
    let broken = state.is_disordered() || state.marks.has(Marks::DAMAGED);
    let class = if broken { "broken" } else { "whole" };
    let label = rulebook::name(data.label, lang).replace('&', "&amp;").replace('<', "&lt;");
    let _ = write!(
        svg,
        "<g class='{class}' transform='translate({x:.1} {y:.1})'><title>{} {label} {}/{}</title>",
        data.code, state.steps, data.steps
    );
    if data.arm.is_artillery() {
        let facing = match state.place {
            Place::Work(id) => table.siege.work(id).map_or(90, |work| work.pose.facing.get()),
            Place::Concentration => 0,
            _ => state.facing,
        };
        let turn = -f64::from(facing) + if broken { 14.0 } else { 0.0 };
        let body = match data.arm {
            Arm::Siege24 => 12.0,
            Arm::Mortar => 6.0,
            _ => 9.5,
        };
        let _ = write!(
            svg,
            "<g transform='rotate({turn:.1})'><rect class='shadow' x='-9.1' y='-6.1' width='20' height='14' rx='1.4'/>\
             <rect class='body' fill='{}' x='-10' y='-7' width='20' height='14' rx='1.4'/>\
             <path class='mark' stroke-width='2.2' d='M-4 0h{body}'/><circle class='mark' cx='-3' cy='-3.9' r='2.1'/>\
             <circle class='mark' cx='-3' cy='3.9' r='2.1'/></g></g>",
            colour(data.nation)
        );
        return;
    }
    let turn = if broken { 14 } else { 0 };
    let _ = write!(
        svg,
        "<g transform='rotate({turn})'><rect class='shadow' x='-9.1' y='-6.1' width='20' height='14' rx='1.2'/>\
         <rect class='body' fill='{}' x='-10' y='-7' width='20' height='14' rx='1.2'/>\
         <path class='mark' stroke-opacity='.45' d='M-10 -7L10 7M10 -7L-10 7'/></g>\
         <text class='steps' y='2.6'>{}</text></g>",
        colour(data.nation),
        state.steps
    );
}
