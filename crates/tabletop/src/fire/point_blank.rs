//! How many figures fire point-blank: section 2.3 of the fire chapter and its three tables. Who fires
//! and the target's figures that face him enter; the most that may fire leaves.

use kernel::Clerk;
use rulebook::options::tabletop::{Options, PointBlankOneHorseman};
use rulebook::rule;
use rulebook::tables::tabletop_fire as tables;

use super::Class;
use super::ground::Ground;
use super::measure::{Aim, Direction, direction};
use crate::Arm;
use crate::geometry::{Point, into_frame};
use crate::scene::{Body, Figure, Formation, Presence, size};

/// Who fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Firing {
    /// Its arm.
    pub(super) arm: Arm,
    /// In skirmish order.
    pub(super) open: bool,
}

/// Who is fired at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Struck {
    /// Its arm.
    pub(super) arm: Arm,
    /// In skirmish order, or foragers.
    pub(super) open: bool,
    /// Its figures on the side that faces the shooter; all gunners of a battery.
    pub(super) figures: i64,
}

/// How many figures may fire point-blank at those that face them.
pub(super) fn limit(firing: Firing, struck: Struck, options: &Options, clerk: &mut impl Clerk) -> i64 {
    let (close, facing) = (!firing.open, struck.figures);
    let (rule, limit) = match (firing.arm, struck.arm) {
        (Arm::Infantry, Arm::Infantry) if struck.open && close => {
            (rule!(FE_2_3_05), close_order_vs_skirmishers(facing))
        }
        (Arm::Infantry, Arm::Infantry) if close || struck.open => {
            (rule!(FE_2_3_03), infantry_vs_infantry(facing))
        }
        (Arm::Infantry, Arm::Cavalry | Arm::Cuirassiers) if close && !struck.open => {
            (rule!(FE_2_3_04), infantry_vs_cavalry(facing, options.point_blank_one_horseman))
        }
        _ => {
            let wide = width(firing.arm, firing.open);
            (rule!(FE_R26), (width(struck.arm, struck.open) * facing + wide - 1) / wide + 2)
        }
    };
    clerk.limit(rule, limit)
}

/// The front of one figure (FE-R03).
fn width(arm: Arm, open: bool) -> i64 {
    let formation = match (arm, open) {
        (Arm::Infantry, true) => Formation::Skirmish,
        (Arm::Cavalry | Arm::Cuirassiers, true) => Formation::Foragers,
        (Arm::Infantry | Arm::Cavalry | Arm::Cuirassiers, false) => Formation::Line,
        (Arm::Officer, _) => Formation::Single,
        // A gunner's part of the front of his battery.
        (Arm::FootArtillery | Arm::HorseArtillery, _) => return 250,
    };
    size(arm, formation).0
}

/// A value of a point-blank table, or the formula that prolongs it (FE-R26).
fn infantry_vs_infantry(figures: i64) -> i64 {
    tables::POINT_BLANK_INFANTRY_VS_INFANTRY
        .iter()
        .find(|row| i64::from(row.target_infantry_figures) == figures)
        .map_or(figures + 2, |row| i64::from(row.firing_infantry_figures))
}

fn infantry_vs_cavalry(figures: i64, one: PointBlankOneHorseman) -> i64 {
    if figures == 1 && one == PointBlankOneHorseman::V4 {
        return 4;
    }
    tables::POINT_BLANK_INFANTRY_VS_CAVALRY
        .iter()
        .find(|row| i64::from(row.target_cavalry_figures) == figures)
        .map_or((5 * figures + 2) / 3 + 2, |row| i64::from(row.firing_infantry_figures))
}

fn close_order_vs_skirmishers(figures: i64) -> i64 {
    tables::POINT_BLANK_CLOSE_ORDER_VS_SKIRMISHERS
        .iter()
        .find(|row| i64::from(row.target_skirmisher_figures) == figures)
        .map_or(2 * figures + 2, |row| i64::from(row.firing_close_order_figures))
}

impl Ground<'_> {
    /// How many figures may fire point-blank at the figures that face them.
    pub(super) fn table_value(
        &self,
        shooter: &Body,
        presence: &Presence,
        target: &Body,
        aim: Aim<'_>,
        clerk: &mut impl Clerk,
    ) -> usize {
        let firing = Firing { arm: shooter.arm, open: presence.formation == Formation::Skirmish };
        let struck = Struck {
            arm: target.arm,
            open: aim.presence.class == Some(Class::Open),
            figures: facing_figures(target, aim, presence.centre),
        };
        usize::try_from(limit(firing, struck, self.options, clerk)).unwrap_or(0)
    }
}

/// The target figures on the side that faces the shooter.
fn facing_figures(target: &Body, aim: Aim<'_>, shooter: Point) -> i64 {
    let presence = aim.presence;
    if target.arm == Arm::Officer {
        return 1;
    }
    if target.arm.is_artillery() {
        return target.strength();
    }
    let count = |wanted: &dyn Fn(&Figure) -> bool| {
        i64::try_from(presence.figures.iter().filter(|figure| wanted(figure)).count()).unwrap_or(0)
    };
    if let Some(side) = aim.target.side {
        return count(&|figure| figure.face == side);
    }
    if presence.is_square() {
        let (x, y) = into_frame(presence.centre, presence.facing, shooter);
        let face = if x.abs() <= y {
            0
        } else if x.abs() <= -y {
            2
        } else if x > 0 {
            1
        } else {
            3
        };
        return count(&|figure| figure.face == face);
    }
    let ranks = presence.ranks();
    match direction(presence.centre, presence.facing, shooter) {
        Direction::Front => count(&|figure| figure.rank == 0),
        Direction::Rear => count(&|figure| figure.rank + 1 == ranks),
        Direction::Flank => i64::from(ranks),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_tables_their_formula_goes_on() {
        assert_eq!((infantry_vs_infantry(12), infantry_vs_infantry(13)), (14, 15));
        assert_eq!(infantry_vs_cavalry(12, PointBlankOneHorseman::V3), 22);
        assert_eq!(infantry_vs_cavalry(13, PointBlankOneHorseman::V3), 24);
        assert_eq!(infantry_vs_cavalry(1, PointBlankOneHorseman::V3), 3);
        assert_eq!(infantry_vs_cavalry(1, PointBlankOneHorseman::V4), 4);
        assert_eq!((close_order_vs_skirmishers(12), close_order_vs_skirmishers(13)), (26, 28));
    }
}
