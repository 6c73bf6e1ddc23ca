//! The sight distances of the chapter (`sight-distances.csv`), in hundredths of a centimetre.

use std::sync::LazyLock;

use kernel::RuleId;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::{SIGHT_DISTANCES, SightDistancesKey as Key};

/// Distances that decide what is seen.
pub(crate) struct Limits {
    /// Behind a house or wood, from above, so much is dead ground.
    pub(super) dead_ground: i64,
    /// From above, a unit hides what stands no farther behind it than this.
    pub(super) high_mask: i64,
    /// So far from the foot of a covered slope nothing is seen from its crest.
    pub(super) covered_slope: i64,
    /// How far behind a crest infantry observes unseen.
    pub(super) infantry_observes: i64,
    /// The same for cavalry.
    pub(super) cavalry_observes: i64,
    /// The same for limbered artillery.
    pub(super) guns_observe: i64,
    /// Outwards from the contour of a plateau, unseen from its top.
    pub(super) below_contour: i64,
    /// So near to the contour nobody in the plain sees the top.
    pub(super) top_from_plain: i64,
    /// The edge of a wood.
    pub(crate) wood_edge: i64,
    /// How far one sees in a wood.
    pub(crate) in_wood: i64,
    /// The edge of tall crops.
    pub(super) crops_edge: i64,
    /// How far one sees in tall crops.
    pub(super) in_crops: i64,
}

/// The table, read once.
pub(crate) static LIMITS: LazyLock<Limits> = LazyLock::new(|| {
    let of = |key: Key| i64::from(key.row().distance_cm.count());
    Limits {
        dead_ground: of(Key::CrestDeadGroundBehindVillageOrWood),
        high_mask: of(Key::CrestMaskedByEnemyUnit),
        covered_slope: of(Key::CrestFootOfCoveredSlope),
        infantry_observes: of(Key::HiddenObserverInfantryMax),
        cavalry_observes: of(Key::HiddenObserverCavalryMax),
        guns_observe: of(Key::HiddenObserverLimberedArtilleryMax),
        below_contour: of(Key::PlateauDeadGroundOutwards),
        top_from_plain: of(Key::PlateauSeenFromPlain),
        wood_edge: of(Key::WoodSeeOut),
        in_wood: of(Key::WoodSeeInside),
        crops_edge: of(Key::CropsSeeOut),
        in_crops: of(Key::CropsSeeInside),
    }
});

/// Whether a rule hides by a distance of the table.
pub(super) fn is_by_distance(rule: RuleId) -> bool {
    SIGHT_DISTANCES.iter().any(|row| row.rule == rule) || rule == rule!(TE_5_3_03)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_distance_is_in_the_table() {
        let l = &*LIMITS;
        let found = [l.dead_ground, l.high_mask, l.covered_slope, l.below_contour, l.top_from_plain];
        assert_eq!(found, [1500, 1000, 1500, 1500, 1500]);
        assert_eq!([l.infantry_observes, l.cavalry_observes, l.guns_observe], [250, 500, 500]);
        assert_eq!([l.wood_edge, l.in_wood, l.crops_edge, l.in_crops], [200, 800, 200, 400]);
    }
}
