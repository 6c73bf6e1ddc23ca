//! The diagrams of the rules: windows onto the two maps, drawn by the code that draws the game, with a
//! position that the rules themselves have judged. A language enters, a picture leaves.

use std::fmt::Write as _;

use rulebook::Lang;

use super::siege_ground::{Point, at, fine, spot};
use super::{ops, siege};
use crate::ops::{Hex, Unheard};
use crate::setup;
use crate::siege::{
    Danger, Facing, GROUND, Pose, Site, Sited, Spot, WallId, Work, WorkId, WorkKind, check_site, dangers,
    list_enfiladed,
};
use crate::state::{Options, Table};
use crate::unit::{Arm, Place, Side, UnitId};

/// The turn of the diagrams.
const TURN: u8 = 2;
/// How far an arc is drawn, in metres: as far as the walls.
const ARC_M: i64 = 620;

/// A table on which these works have been dug, in this order, their middles in metres.
pub(crate) fn dug(works: &[(WorkKind, i32, i32)]) -> (Table, Vec<WorkId>) {
    let mut table = setup::table(Options::default());
    let mut ids = Vec::new();
    for (kind, x, y) in works {
        let pose = Pose::new(Spot::metres(*x, *y), Facing::CITY);
        let judged = check_site(&table.siege, *kind, pose, TURN, |_| false, &mut Unheard);
        let Ok(Site { covers, at_zone, links }) = judged else { continue };
        let work = Work { kind: *kind, pose, damaged: false, worker: None, covers, at_zone, links };
        ids.extend(table.siege.add_work(work));
    }
    (table, ids)
}

/// A gun that stands nowhere yet is put there.
pub(crate) fn post(table: &mut Table, arm: Arm, side: Side, place: Place, facing: u16) -> Option<UnitId> {
    let gun = UnitId::of_side(side)
        .find(|unit| unit.data().arm == arm && table.unit(*unit).place == Place::Away)?;
    let state = table.unit_mut(gun);
    (state.place, state.facing) = (place, facing);
    Some(gun)
}

/// The sector in which a gun may fire, a quarter of a circle round the way it looks (4.5.1).
fn sector(gun: &Sited, class: &str) -> String {
    let edge = |turn: i32| {
        let way = gun.facing.turned(turn).vector();
        fine(gun.muzzle().plus(way.times(ARC_M * crate::siege::geometry::DM)))
    };
    let ((x, y), (ax, ay), (bx, by)) = (fine(gun.muzzle()), edge(45), edge(-45));
    let radius = (ax - x).hypot(ay - y);
    format!(
        "<path class='arc {class}' d='M{x:.1} {y:.1}L{ax:.1} {ay:.1}A{radius:.1} {radius:.1} 0 0 1 {bx:.1} {by:.1}Z'/>"
    )
}

fn line((x, y): Point, (to_x, to_y): Point) -> String {
    format!("<path class='ray' d='M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}'/>")
}

/// A window onto the siege map between two corners in metres: lower left, upper right.
fn window(
    table: &Table,
    lang: Lang,
    (left, low): (f64, f64),
    (right, high): (f64, f64),
    over: &str,
) -> String {
    let ((x, y), (end, foot)) = (at(left, high), at(right, low));
    siege::excerpt(table, lang, (x, y), (end - x, foot - y), over)
}

/// 4.7.2: two saps from the concentration area, a parallel across their head, a battery at its end.
#[must_use]
pub fn works(lang: Lang) -> String {
    use WorkKind::{Battery, Parallel, Sap};
    let (mut table, ids) = dug(&[
        (Sap, 700, 550),
        (Sap, 700, 650),
        (Battery, 650, 725),
        (Parallel, 750, 725),
        (Parallel, 850, 725),
    ]);
    if let Some(battery) = ids.get(2) {
        post(&mut table, Arm::Siege24, Side::French, Place::Work(*battery), 90);
    }
    window(&table, lang, (440.0, 430.0), (1060.0, 830.0), "")
}

/// 4.4: the arc of a battery, and the wall points in it.
#[must_use]
pub fn arc(lang: Lang) -> String {
    use WorkKind::{Battery, Parallel, Sap};
    let (mut table, ids) =
        dug(&[(Sap, 800, 550), (Sap, 800, 650), (Parallel, 750, 725), (Battery, 850, 725)]);
    let mut over = String::new();
    if let Some(battery) = ids.get(3)
        && let Some(gun) = post(&mut table, Arm::Siege24, Side::French, Place::Work(*battery), 90)
        && let Some(sited) = Sited::of(&table, gun)
    {
        over.push_str(&sector(&sited, "french"));
        for point in WallId::all() {
            let mark = GROUND.point(point);
            if crate::siege::sight::check_sight(&sited, mark.fine(), |_| false).is_ok()
                && crate::siege::geometry::sees(sited.centre, sited.facing, mark.fine())
            {
                over.push_str(&line(fine(sited.muzzle()), spot(mark)));
            }
        }
    }
    window(&table, lang, (330.0, 600.0), (1430.0, 1420.0), &over)
}

/// 4.5.3: a parallel that a battery on the wall looks along, from one short side to the other.
#[must_use]
pub fn enfilade(lang: Lang) -> String {
    use WorkKind::{Battery, Parallel, Sap};
    let (mut table, _) = dug(&[
        (Sap, 700, 550),
        (Sap, 700, 650),
        (Parallel, 750, 725),
        (Sap, 750, 800),
        (Sap, 750, 900),
        (Parallel, 700, 975),
        (Sap, 700, 1050),
        (Parallel, 650, 1125),
        (Battery, 750, 1125),
    ]);
    let mut over = String::new();
    for point in WallId::all().filter(|point| matches!(point.code(), "H8" | "H9")) {
        let facing = Facing::towards(GROUND.point(point), Spot::metres(650, 1125)).get();
        post(&mut table, Arm::Fortress, Side::Prussian, Place::Wall(point), facing);
    }
    let mut raked = Vec::new();
    list_enfiladed(&table, &mut raked);
    for id in raked {
        let Some(work) = table.siege.work(id) else { continue };
        let guns = UnitId::of_side(Side::Prussian).filter_map(|gun| Sited::of(&table, gun));
        for gun in guns {
            let hit = crate::siege::sight::check_enfilade(
                &table.siege,
                &table.options,
                &gun,
                id,
                false,
                &mut Unheard,
            );
            if hit.is_ok() {
                over.push_str(&line(fine(gun.centre), spot(work.pose.at)));
            }
        }
    }
    window(&table, lang, (380.0, 880.0), (1320.0, 1500.0), &over)
}

/// 4.1.1: a way over open ground, and where it is fired at: once for every 250 m begun.
#[must_use]
pub fn open_ground(lang: Lang) -> String {
    use WorkKind::{Parallel, Sap};
    let (table, _) = dug(&[(Sap, 700, 550), (Sap, 700, 650), (Parallel, 750, 725)]);
    let way = [Spot::metres(1150, 500), Spot::metres(1150, 900), Spot::metres(900, 1130)];
    let mut over = String::from("<path class='way' d='");
    for (place, stop) in way.iter().enumerate() {
        let (x, y) = spot(*stop);
        let _ = write!(over, "{}{x:.1} {y:.1}", if place == 0 { "M" } else { "L" });
    }
    over.push_str("'/>");
    for (shot, Danger { at, .. }) in dangers(&table.siege, &way).iter().enumerate() {
        let (x, y) = spot(*at);
        let _ = write!(
            over,
            "<circle class='shot' cx='{x:.1}' cy='{y:.1}' r='9'/><text class='count' x='{x:.1}' y='{:.1}'>{}</text>",
            y + 2.7,
            shot + 1
        );
    }
    window(&table, lang, (560.0, 430.0), (1420.0, 1330.0), &over)
}

/// 4.7.1: a wall at every stage, from its full level to a breach one can walk through.
#[must_use]
pub fn walls(lang: Lang) -> String {
    let (mut table, _) = dug(&[]);
    for (code, level) in [("H3", 18), ("H4", 16), ("H5", 12), ("H6", 7), ("H7", 2)] {
        if let Some(point) = WallId::of_code(code) {
            table.siege.wall_mut(point).level = level;
        }
    }
    window(&table, lang, (430.0, 1130.0), (1330.0, 1480.0), "")
}

/// 3.1.1: the ground under the guns of Danzig, of the camp and of the fort.
#[must_use]
pub fn under_the_guns(lang: Lang) -> String {
    ops::excerpt(lang, Hex::printed(1604), Hex::printed(4632))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every diagram is well formed, and shows what its chapter speaks of.
    #[test]
    fn the_diagrams_show_what_they_are_for() {
        type Drawn = fn(Lang) -> String;
        let figures: [(&str, Drawn, &str, usize); 6] = [
            ("works", works, "class='dug'", 5),
            ("arc", arc, "class='arc french'", 1),
            ("enfilade", enfilade, "class='ray'", 1),
            ("open ground", open_ground, "class='shot'", 3),
            ("walls", walls, "class='slope'", 5),
            ("under the guns", under_the_guns, "class='zone'", 1),
        ];
        for (name, draw, part, least) in figures {
            for lang in Lang::ALL {
                let svg = draw(lang);
                assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count(), "{name}");
                assert!(!svg.contains("NaN") && !svg.contains("inf "), "{name}");
                let found = svg.matches(part).count();
                assert!(found >= least, "{name}: {found} of {part}");
                if let Some(folder) = std::env::var_os("GLACIS_DRAWINGS") {
                    let file = format!("figure-{}-{}.svg", name.replace(' ', "-"), lang.code());
                    std::fs::write(std::path::Path::new(&folder).join(file), &svg).unwrap();
                }
            }
        }
        // Of the wall points only those in the arc and in sight are pointed at.
        let rays = arc(Lang::En).matches("class='ray'").count();
        assert!((3..30).contains(&rays), "{rays} of 36 points");
    }
}
