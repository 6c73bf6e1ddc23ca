//! Walls, towers and gates as a besieger sees them: the plan with a slight view from above, so that the
//! outer faces show. Ground, state and holder of an element enter; markup in millimetres leaves. Damage
//! grows from cracks over fallen merlons to a heap of rubble; nothing is told by colour alone.

use std::fmt::Write as _;

use super::hand::{Pen, Spot, scatter};
use crate::scenario::Side;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A section of wall.
    Wall,
    /// A tower.
    Tower,
    /// A gatehouse, with what is left of its leaf.
    Gate(Leaf),
}

/// The leaf of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// Shut.
    Shut,
    /// Open, for the garrison stands in the passage.
    Open,
    /// Broken.
    Broken,
}

/// The edge of the plan over which a wall looks outwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Brow {
    /// Towards whoever looks at the sheet.
    Near,
    /// Away from him.
    Far,
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// All round.
    Round,
}

/// An element of the works.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stonework {
    /// What it is.
    pub(crate) form: Form,
    /// Its ground on the sheet: left, top, width, depth.
    pub(crate) ground: [f64; 4],
    /// Where it looks.
    pub(crate) brow: Brow,
    /// Destruction dice it carries.
    pub(crate) dice: u8,
    /// Destruction dice of the leaf.
    pub(crate) leaf_dice: u8,
    /// Hits of this phase, which are tested at its end.
    pub(crate) hits: u8,
    /// Whether it is a breach.
    pub(crate) down: bool,
    /// Whether oil or rocks lie ready.
    pub(crate) oil: bool,
    /// Who holds it: his flag flies there.
    pub(crate) flag: Option<Side>,
}

impl Form {
    /// How high it stands, as it is seen from above, in millimetres of the sheet.
    pub(crate) const fn height(self) -> f64 {
        match self {
            Self::Wall => 11.0,
            Self::Gate(_) => 17.0,
            Self::Tower => 19.0,
        }
    }
}

impl Stonework {
    /// The middle of the walk on top, or of the ground where it has fallen.
    pub(crate) fn middle(&self) -> Spot {
        let [x, y, w, d] = self.ground;
        let up = if self.down { 0.0 } else { self.form.height() };
        (x + w / 2.0, y + d / 2.0 - up)
    }

    /// Something of its own for every element, so that no two crack alike.
    #[allow(clippy::cast_possible_truncation, reason = "a table is a few thousand millimetres wide")]
    fn grain(&self) -> i32 {
        (self.ground[0] * 7.0 + self.ground[1] * 13.0) as i32
    }

    /// The picture.
    pub(crate) fn draw(&self) -> String {
        let mut pen = Pen::default();
        if self.down {
            self.rubble(&mut pen);
        } else {
            self.cast(&mut pen);
            self.face(&mut pen);
            self.walk(&mut pen);
            self.battlements(&mut pen);
            self.cracks(&mut pen);
            if let Form::Gate(leaf) = self.form {
                self.door(&mut pen, leaf);
            }
            self.pips(&mut pen);
            if self.oil {
                self.kettle(&mut pen);
            }
            if let Some(side) = self.flag {
                self.pennant(&mut pen, side);
            }
        }
        pen.done()
    }

    /// The shadow on the ground.
    fn cast(&self, pen: &mut Pen) {
        let [x, y, w, d] = self.ground;
        let far = self.form.height() * 0.55;
        pen.outline(
            "s-cast",
            &[
                (x + w, y),
                (x + w + far, y + far * 0.7),
                (x + w + far, y + d + far * 0.7),
                (x + far, y + d + far * 0.7),
                (x, y + d),
            ],
        );
    }

    /// The face towards the reader, in courses of stone.
    fn face(&self, pen: &mut Pen) {
        let [x, y, w, d] = self.ground;
        let high = self.form.height();
        let (top, foot) = (y + d - high, y + d);
        pen.rect("s-face", [x, top, w, high]);
        let mut joints = String::new();
        let courses = if high > 12.0 { 5 } else { 3 };
        for course in 1..=courses {
            let (from, to) = (
                top + high * f64::from(course - 1) / f64::from(courses),
                top + high * f64::from(course) / f64::from(courses),
            );
            if course < courses {
                let _ = write!(joints, "M{x:.1} {to:.1}h{w:.1}");
            }
            let mut at = x + if course % 2 == 0 { 3.0 } else { 6.0 };
            while at < x + w - 1.0 {
                let _ = write!(joints, "M{at:.1} {from:.1}V{to:.1}");
                at += 6.0;
            }
        }
        pen.path("s-joint", &joints);
        // A batter of a few stones where it meets the ground.
        pen.path("s-foot", &format!("M{x:.1} {foot:.1}h{w:.1}"));
        if self.form == Form::Tower {
            let middle = x + w / 2.0;
            let slit = |at: f64| format!("M{at:.1} {:.1}v{:.1}", top + high * 0.3, high * 0.42);
            pen.path("s-slit", &format!("{}{}", slit(middle - w * 0.22), slit(middle + w * 0.22)));
        }
    }

    /// The walk on top.
    fn walk(&self, pen: &mut Pen) {
        let [x, y, w, d] = self.ground;
        let up = self.form.height();
        pen.rect("s-walk", [x, y - up, w, d]);
        if self.form != Form::Wall {
            pen.rect("s-floor", [x + 4.0, y - up + 4.0, w - 8.0, d - 8.0]);
        }
    }

    /// The merlons; the third die of damage throws the first of them down.
    fn battlements(&self, pen: &mut Pen) {
        let [x, y, w, d] = self.ground;
        let top = y - self.form.height();
        let lost = i32::from(self.dice.saturating_sub(2));
        let teeth = 4;
        let mut number = 0;
        let mut row = |pen: &mut Pen, from: Spot, along: Spot, deep: f64, flat: bool| {
            for tooth in 0..teeth {
                number += 1;
                if number <= lost {
                    continue;
                }
                let at = (f64::from(tooth) + 0.22) / f64::from(teeth);
                let long = 0.56 / f64::from(teeth);
                let (left, high) = (from.0 + along.0 * at, from.1 + along.1 * at);
                if flat {
                    // A merlon that is seen from outside has a face of its own.
                    pen.rect("s-merlon", [left, high - deep, along.0 * long, deep + 1.6]);
                } else {
                    pen.rect("s-merlon", [left, high, deep, along.1 * long]);
                }
            }
        };
        let thick = 3.4;
        let (left, right) = ((x, top), (x + w - thick, top));
        let (far, near) = ((x, top + 1.2), (x, top + d));
        match self.brow {
            Brow::Near => row(pen, near, (w, 0.0), thick, true),
            Brow::Far => row(pen, far, (w, 0.0), thick, true),
            Brow::Left => row(pen, left, (0.0, d), thick, false),
            Brow::Right => row(pen, right, (0.0, d), thick, false),
            Brow::Round => {
                row(pen, near, (w, 0.0), thick, true);
                row(pen, left, (0.0, d), thick, false);
                row(pen, right, (0.0, d), thick, false);
                row(pen, far, (w, 0.0), thick * 0.6, true);
            }
        }
    }

    /// Cracks: one for each die, longer with each; stones on the ground from the third.
    fn cracks(&self, pen: &mut Pen) {
        let [x, y, w, d] = self.ground;
        let high = self.form.height();
        let (top, grain) = (y + d - high, self.grain());
        for crack in 0..i32::from(self.dice.min(9)) {
            let start = x + w * (0.12 + 0.76 * scatter(grain + crack, 17));
            let deep = (high * (0.45 + 0.14 * f64::from(self.dice))).min(high);
            let mut d = format!("M{start:.1} {:.1}", top - 3.0 - 4.0 * scatter(crack, grain));
            let mut across = start;
            for bend in 1..=3 {
                across += 5.0 * (scatter(grain + 3 * crack, bend) - 0.5);
                let _ = write!(d, "L{across:.1} {:.1}", top + deep * f64::from(bend) / 3.0);
            }
            pen.path("s-crack", &d);
        }
        for hit in 0..i32::from(self.hits.min(6)) {
            let (cx, cy) =
                (x + w * (0.1 + 0.8 * scatter(hit, grain)), top + high * (0.2 + 0.6 * scatter(grain, hit)));
            pen.put(format_args!(
                r#"<path class="s-hit" d="M{:.1} {cy:.1}h5M{cx:.1} {:.1}v5M{:.1} {:.1}l3.500 3.500m0 -3.500l-3.500 3.500"></path>"#,
                cx - 2.5,
                cy - 2.5,
                cx - 1.75,
                cy - 1.75
            ));
        }
        let fallen = 2 * i32::from(self.dice.saturating_sub(2).min(6));
        for stone in 0..fallen {
            let at = (x + w * scatter(stone, grain + 5), y + d + 1.0 + 4.0 * scatter(grain, stone + 9));
            pen.put(format_args!(
                r#"<circle class="s-stone" cx="{:.1}" cy="{:.1}" r="{:.1}"></circle>"#,
                at.0,
                at.1,
                1.0 + 1.1 * scatter(stone, 4)
            ));
        }
    }

    /// The leaf of the gate, seen from outside: shut planks, the dark of the passage, or splinters.
    fn door(&self, pen: &mut Pen, leaf: Leaf) {
        let [x, y, w, d] = self.ground;
        let high = self.form.height() - 2.0;
        let (wide, foot) = (w * 0.46, y + d);
        let left = x + (w - wide) / 2.0;
        let (jamb, half, rise) = (high * 0.62, wide / 2.0, high * 0.34);
        let arch =
            format!("M{left:.1} {foot:.1}v{:.1}a{half:.1} {rise:.1} 0 0 1 {wide:.1} 0v{jamb:.1}Z", -jamb);
        match leaf {
            Leaf::Shut => {
                pen.path("s-leaf", &arch);
                let mut planks = String::new();
                for plank in 1..5 {
                    let _ = write!(
                        planks,
                        "M{:.1} {foot:.1}v{:.1}",
                        left + wide * f64::from(plank) / 5.0,
                        -high * 0.72
                    );
                }
                pen.path("s-plank", &planks);
                pen.path(
                    "s-iron",
                    &format!(
                        "M{left:.1} {:.1}h{wide:.1}M{left:.1} {:.1}h{wide:.1}",
                        foot - high * 0.22,
                        foot - high * 0.55
                    ),
                );
                for crack in 0..i32::from(self.leaf_dice.min(6)) {
                    let at = left + wide * (0.15 + 0.7 * scatter(crack, self.grain()));
                    pen.path(
                        "s-crack",
                        &format!(
                            "M{at:.1} {:.1}l1.600 3l-2.400 2l1.800 {:.1}",
                            foot - high * 0.7,
                            high * 0.3
                        ),
                    );
                }
            }
            Leaf::Open => pen.path("s-dark", &arch),
            Leaf::Broken => {
                let low = high * 0.5;
                pen.path("s-dark", &arch);
                pen.path(
                    "s-splinter",
                    &format!(
                        "M{left:.1} {foot:.1}v{:.1}l2.400 3l1 -2l1.400 {low:.1}ZM{:.1} {foot:.1}v{:.1}l-2 2l-1.200 -1.600l-1.600 {low:.1}Z",
                        -high * 0.6,
                        left + wide,
                        -high * 0.7,
                    ),
                );
            }
        }
    }

    /// The destruction dice, counted in small squares at its foot.
    fn pips(&self, pen: &mut Pen) {
        let [x, y, w, d] = self.ground;
        let count = self.dice.max(if matches!(self.form, Form::Gate(_)) { self.leaf_dice } else { 0 }).min(9);
        let step = 4.6;
        let left = x + w / 2.0 - step * f64::from(count) / 2.0;
        for pip in 0..count {
            pen.rect("s-pip", [left + step * f64::from(pip) + 0.5, y + d + 2.2, 3.6, 3.6]);
        }
    }

    /// A kettle on the walk.
    fn kettle(&self, pen: &mut Pen) {
        let [x, y, w, _] = self.ground;
        let (cx, cy) = (x + w - 4.8, y - self.form.height() + 6.0);
        pen.put(format_args!(
            r#"<g transform="translate({cx:.1} {cy:.1}) scale(.85)"><path class="s-kettle" d="M-4 -1.500h8q0 5 -4 5t-4 -5ZM-3 3l-1 2M3 3l1 2"></path><path class="s-steam" d="M-2 -2.500q-1.500 -2 0 -3.500M1.500 -2.500q-1.500 -2 0 -3.500"></path></g>"#
        ));
    }

    /// The flag of whoever holds it: a swallowtail for the garrison, a pointed one for the besieger.
    fn pennant(&self, pen: &mut Pen, side: Side) {
        let [x, y, _, _] = self.ground;
        let (cx, cy) = (x + 5.0, y - self.form.height() + 4.0);
        let (class, flag) = match side {
            Side::Garrison => ("n-garrison", "M0 -15h10l-3 3l3 3h-10Z"),
            Side::Besieger => ("n-besieger", "M0 -15l11 3l-11 3Z"),
        };
        pen.put(format_args!(
            r#"<g transform="translate({cx:.1} {cy:.1})"><path class="s-pole" d="M0 0V-15"></path><path class="s-flag {class}" d="{flag}"></path></g>"#
        ));
    }

    /// A breach: a slope of stones that runs out on both sides.
    fn rubble(&self, pen: &mut Pen) {
        let [x, y, w, d] = self.ground;
        let grain = self.grain();
        let mut slope = Vec::new();
        for corner in 0..16 {
            let turn = f64::from(corner) * std::f64::consts::TAU / 16.0;
            let out = 1.08 + 0.28 * scatter(grain, corner);
            slope.push((
                x + w / 2.0 + (w / 2.0 + 3.0) * out * turn.cos(),
                y + d / 2.0 + (d / 2.0 + 3.0) * out * turn.sin(),
            ));
        }
        pen.outline("s-slope", &slope);
        pen.rect("s-gone", [x, y, w, d]);
        for stone in 0..26 {
            let (cx, cy) =
                (x + w * (scatter(stone, grain) * 1.1 - 0.05), y + d * (scatter(grain, stone) * 1.2 - 0.1));
            let r = 1.6 + 2.2 * scatter(stone, 53);
            let dent = r * (0.5 + 0.4 * scatter(stone, 7));
            pen.outline(
                "s-stone",
                &[
                    (cx - r, cy),
                    (cx - dent * 0.4, cy - dent),
                    (cx + r * 0.8, cy - dent * 0.5),
                    (cx + r, cy + dent * 0.6),
                    (cx, cy + r * 0.8),
                ],
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(dice: u8) -> Stonework {
        Stonework {
            form: Form::Wall,
            ground: [800.0, 140.0, 40.0, 20.0],
            brow: Brow::Near,
            dice,
            leaf_dice: 0,
            hits: 0,
            down: false,
            oil: false,
            flag: None,
        }
    }

    fn count(picture: &str, class: &str) -> usize {
        picture.matches(&format!("class=\"{class}\"")).count()
    }

    #[test]
    fn damage_grows_from_crack_to_breach() {
        let pictures: Vec<String> = (0..6).map(|dice| wall(dice).draw()).collect();
        for (dice, picture) in pictures.iter().enumerate() {
            assert_eq!((count(picture, "s-crack"), count(picture, "s-pip")), (dice, dice));
        }
        // The third die throws the first merlon down, and its stones lie at the foot.
        assert_eq!(count(&pictures[2], "s-merlon"), 4);
        assert_eq!((count(&pictures[3], "s-merlon"), count(&pictures[3], "s-stone")), (3, 2));
        let fallen = Stonework { down: true, ..wall(3) }.draw();
        assert_eq!((count(&fallen, "s-face"), count(&fallen, "s-slope")), (0, 1));
    }

    #[test]
    fn the_leaf_of_a_gate_is_shut_open_or_broken() {
        let gate = |leaf| Stonework { form: Form::Gate(leaf), brow: Brow::Round, ..wall(0) }.draw();
        assert_eq!((count(&gate(Leaf::Shut), "s-leaf"), count(&gate(Leaf::Shut), "s-dark")), (1, 0));
        assert_eq!((count(&gate(Leaf::Open), "s-leaf"), count(&gate(Leaf::Open), "s-dark")), (0, 1));
        assert_eq!(count(&gate(Leaf::Broken), "s-splinter"), 1);
    }

    #[test]
    fn flags_differ_in_shape_and_not_in_colour_alone() {
        let held = |side| Stonework { flag: Some(side), ..wall(0) }.draw();
        let shape = |picture: &str| {
            picture.split("s-flag ").nth(1).and_then(|rest| rest.split("d=\"").nth(1).map(str::to_owned))
        };
        assert_ne!(shape(&held(Side::Garrison)), shape(&held(Side::Besieger)));
    }
}
