//! Sections 1 and 6 of the terrain chapter, and what else must hold before the first period:
//! labels of a table, and which elements are fit to be placed.

use std::collections::BTreeSet;

use kernel::{Centimetres, Clerk, Effect, Refusal, RuleId, Verdict};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a table is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Label {
    /// Woods.
    Wooded,
    /// Hills.
    Hilly,
    /// Villages.
    Urban,
    /// Crops or ploughed land.
    Agricultural,
    /// Standing water.
    Marshy,
    /// Elements on top of one another.
    Mixed,
    /// Nothing of its own.
    Plain,
    /// A watercourse.
    Valley,
}

/// What stands on a table, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Inventory {
    /// Separate woods, orchards among them.
    pub woods: u32,
    /// A forest lies along a side of the table.
    pub forest_on_side: bool,
    /// Hills.
    pub hills: u32,
    /// Villages.
    pub villages: u32,
    /// Fields of crops or ploughed land.
    pub fields: u32,
    /// Points of standing water.
    pub water_points: u32,
    /// Those without vegetation around them.
    pub bare_water_points: u32,
    /// Streams, rivers and large rivers.
    pub watercourses: u32,
    /// Some element overlaps one of another kind.
    pub overlapping: bool,
    /// Mountains.
    pub mountains: u32,
}

/// The labels of a table (TE-R96), which have no effect on play. Water without vegetation is worth a
/// warning, no more (TE-R97).
///
/// # Errors
/// Mountains are outside the rules.
pub fn labels(table: &Inventory, clerk: &mut impl Clerk) -> Verdict<BTreeSet<Label>> {
    if rule!(TE_1_1_08).holds(table.mountains > 0) {
        return Err(Refusal::rule(rule!(TE_1_1_08), phrase::NO_MOUNTAINS).at("mountains"));
    }
    if table.bare_water_points > 0 {
        clerk.because(rule!(TE_R97), Effect::Set(phrase::WATER_WITHOUT_VEGETATION.into()));
    }
    let mut labels = BTreeSet::new();
    let mut when = |holds: bool, label, rule, clerk: &mut _| {
        if holding(rule, holds, clerk) {
            labels.insert(label);
        }
    };
    when(table.woods >= 3 || table.forest_on_side, Label::Wooded, rule!(TE_1_1_01), clerk);
    when(table.hills >= 3, Label::Hilly, rule!(TE_1_1_02), clerk);
    when(table.villages >= 3, Label::Urban, rule!(TE_1_1_03), clerk);
    when(table.fields >= 1, Label::Agricultural, rule!(TE_1_1_04), clerk);
    when(table.water_points >= 1, Label::Marshy, rule!(TE_1_1_05), clerk);
    when(table.overlapping, Label::Mixed, rule!(TE_1_1_06), clerk);
    when(table.watercourses >= 1, Label::Valley, rule!(TE_1_1_07), clerk);
    let plain = labels.iter().all(|label| *label == Label::Valley);
    if clerk.holds(rule!(TE_1_1_07), plain) {
        labels.insert(Label::Plain);
    }
    Ok(labels)
}

fn holding(rule: RuleId, condition: bool, clerk: &mut impl Clerk) -> bool {
    clerk.holds(rule, condition)
}

/// A relief declared a hill needs a crest line that both players can see.
///
/// # Errors
/// Without one.
pub fn hill(crest_drawn: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    accepted(crest_drawn, rule!(TE_2_2_03), phrase::HILL_WITHOUT_CREST, clerk)
}

/// A plateau needs its contour drawn.
///
/// # Errors
/// Without one.
pub fn plateau(contour_drawn: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    accepted(contour_drawn, rule!(TE_3_1_03), phrase::PLATEAU_WITHOUT_CONTOUR, clerk)
}

/// A forest track is marked out.
///
/// # Errors
/// When it is not, or lies in no wood.
pub fn forest_track(marked_in_a_wood: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    accepted(marked_in_a_wood, rule!(TE_4_3_12), phrase::TRACK_NOT_MARKED, clerk)
}

/// A redoubt has a way in at its rear.
///
/// # Errors
/// Without one.
pub fn redoubt(rear_gaps: usize, clerk: &mut impl Clerk) -> Verdict<()> {
    accepted(rear_gaps > 0, rule!(TE_9_1_04), phrase::REDOUBT_WITHOUT_GAP, clerk)
}

fn accepted(holds: bool, rule: RuleId, fault: kernel::Phrase, clerk: &mut impl Clerk) -> Verdict<()> {
    if !clerk.holds(rule, holds) {
        return Err(Refusal::rule(rule, fault));
    }
    Ok(())
}

/// How many houses of a village stand on each side of its street.
pub fn street_split(houses: u32, clerk: &mut impl Clerk) -> (u32, u32) {
    let smaller = clerk.value(rule!(TE_5_1_03), i64::from(houses / 2));
    let smaller = u32::try_from(smaller).unwrap_or(houses);
    (smaller, houses.saturating_sub(smaller))
}

/// How far a house may stand from its road (TE-R38).
const ADJOINS: Centimetres = Centimetres::hundredths(50);

/// A village on the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Village {
    /// Houses on the one and on the other side of the street.
    pub sides: (u32, u32),
    /// It has a street.
    pub street: bool,
    /// From each house to the nearest road.
    pub to_road: Vec<Centimetres>,
}

/// Is the village laid out as the chapter wants?
///
/// # Errors
/// The first thing that is not.
pub fn village(village: &Village, clerk: &mut impl Clerk) -> Verdict<()> {
    let houses = village.sides.0 + village.sides.1;
    accepted(houses < 2 || village.street, rule!(TE_5_1_02), phrase::VILLAGE_WITHOUT_STREET, clerk)?;
    let (fewer, more) = street_split(houses, clerk);
    let found = (village.sides.0.min(village.sides.1), village.sides.0.max(village.sides.1));
    if houses > 1 && found != (fewer, more) {
        Refusal::rule(rule!(TE_5_1_03), phrase::VILLAGE_UNEVEN)
            .with("fewer", i64::from(found.0))
            .with("more", i64::from(found.1))
            .stands(())?;
    }
    if let Some(far) = village.to_road.iter().find(|distance| **distance > ADJOINS) {
        Refusal::rule(rule!(TE_5_1_05), phrase::HOUSE_OFF_ROAD).with("distance", *far).stands(())?;
    }
    clerk.applied(rule!(TE_5_1_05));
    Ok(())
}

/// The kinds of deep or shallow water.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Watercourse {
    /// Fordable everywhere.
    Stream,
    /// Like a stream, and free to end anywhere.
    Ditch,
    /// Crossed at bridges and fords.
    River,
    /// Crossed on bridges.
    LargeRiver,
}

/// A watercourse on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// Its kind.
    pub kind: Watercourse,
    /// Bridges over it.
    pub bridges: u32,
    /// Fords through it.
    pub fords: u32,
    /// It runs from one side of the table to a different one.
    pub from_side_to_side: bool,
    /// It lies inside a wood.
    pub in_wood: bool,
}

/// Is the watercourse fit to be placed?
///
/// # Errors
/// Too few crossings, a ford in a large river, or a course that does not leave the table.
pub fn watercourse(course: Course, clerk: &mut impl Clerk) -> Verdict<()> {
    let exempt = course.kind == Watercourse::Ditch || (course.kind == Watercourse::Stream && course.in_wood);
    if !exempt {
        accepted(course.from_side_to_side, rule!(TE_6_1_02), phrase::COURSE_ENDS_ON_TABLE, clerk)?;
    }
    match course.kind {
        Watercourse::Stream | Watercourse::Ditch => Ok(()),
        Watercourse::River => {
            accepted(course.bridges + course.fords >= 2, rule!(TE_6_3_02), phrase::TOO_FEW_CROSSINGS, clerk)
        }
        Watercourse::LargeRiver => {
            let enough = course.bridges >= 2 && course.fords == 0;
            accepted(enough, rule!(TE_6_4_02), phrase::TOO_FEW_BRIDGES, clerk)
        }
    }
}

/// May an element of this size be placed? Any size does, if it is one.
///
/// # Errors
/// Nothing at all is no element.
pub fn size(across: Centimetres, clerk: &mut impl Clerk) -> Verdict<()> {
    if across <= Centimetres::ZERO {
        return Err(Refusal::field("sizes_cm", kernel::phrase::IMPOSSIBLE_VALUE)
            .with("found", across)
            .with("expected", "0.01…"));
    }
    clerk.applied(rule!(TE_1_2_02));
    Ok(())
}

/// Who laid the terrain out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LaidBy {
    /// The players.
    Players,
    /// The organiser of a meeting.
    Organiser,
}

/// Is the layout agreed? Players agree on number, size, place and nature before the first period;
/// in competition the organiser alone decides. No element is too small or too large.
///
/// # Errors
/// When the players do not agree, or compose in the organiser's stead.
pub fn layout(competition: bool, laid_by: LaidBy, all_agree: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    if competition {
        if !clerk.holds(rule!(TE_1_1_12), laid_by != LaidBy::Players) {
            return Err(Refusal::rule(rule!(TE_1_1_12), phrase::ORGANISER_LAYS_OUT));
        }
    } else if !clerk.holds(rule!(TE_1_1_11), all_agree) {
        return Err(Refusal::rule(rule!(TE_1_1_11), phrase::LAYOUT_NOT_AGREED));
    }
    clerk.applied(rule!(TE_1_2_03));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    #[test]
    fn te_ex_07_houses_of_a_village() {
        let split = |houses| told(|clerk| street_split(houses, clerk)).0;
        assert_eq!([2, 3, 4, 5].map(split), [(1, 1), (1, 2), (2, 2), (2, 3)]);
    }

    #[test]
    fn te_ex_25_bridges_and_fords_of_a_river() {
        let valid = |kind, bridges, fords| {
            let course = Course { kind, bridges, fords, from_side_to_side: true, in_wood: false };
            told(|clerk| watercourse(course, clerk)).0.is_ok()
        };
        use Watercourse::{LargeRiver, River};
        assert_eq!(
            [valid(River, 1, 1), valid(River, 2, 0), valid(River, 0, 2), valid(River, 1, 0)],
            [true, true, true, false]
        );
        assert_eq!([valid(LargeRiver, 2, 0), valid(LargeRiver, 1, 1)], [true, false]);
    }

    #[test]
    fn te_ex_52_labels_of_a_table() {
        let table = Inventory {
            woods: 3,
            hills: 2,
            villages: 1,
            fields: 1,
            watercourses: 1,
            overlapping: true,
            ..Inventory::default()
        };
        let (labels, _) = told(|clerk| labels(&table, clerk));
        assert_eq!(
            labels,
            Ok(BTreeSet::from([Label::Wooded, Label::Agricultural, Label::Mixed, Label::Valley]))
        );
    }

    #[test]
    fn any_size_is_a_size() {
        for hundredths in [1, 100, 500_000] {
            assert!(told(|clerk| size(Centimetres::hundredths(hundredths), clerk)).0.is_ok());
        }
        assert_eq!(
            told(|clerk| size(Centimetres::ZERO, clerk)).0.unwrap_err().field.as_deref(),
            Some("sizes_cm")
        );
    }

    #[test]
    fn te_ex_55_a_relief_with_a_flat_top() {
        assert_eq!(told(|clerk| hill(false, clerk)).0.unwrap_err().rule, Some(rule!(TE_2_2_03)));
        assert!(told(|clerk| hill(true, clerk)).0.is_ok());
    }

    #[test]
    fn other_labels_and_mountains() {
        let label = |table: Inventory| told(|clerk| labels(&table, clerk)).0;
        assert_eq!(label(Inventory::default()), Ok(BTreeSet::from([Label::Plain])));
        let valley = Inventory { watercourses: 1, ..Inventory::default() };
        assert_eq!(label(valley), Ok(BTreeSet::from([Label::Plain, Label::Valley])));
        let towns = Inventory { hills: 3, villages: 3, water_points: 1, ..Inventory::default() };
        assert_eq!(label(towns), Ok(BTreeSet::from([Label::Hilly, Label::Urban, Label::Marshy])));
        assert_eq!(
            label(Inventory { mountains: 1, ..Inventory::default() }).unwrap_err().rule,
            Some(rule!(TE_1_1_08))
        );
        let bare = Inventory { water_points: 2, bare_water_points: 1, ..Inventory::default() };
        let (labels, said) = told(|clerk| labels(&bare, clerk));
        assert_eq!(labels, Ok(BTreeSet::from([Label::Marshy])));
        assert!(said.contains(&"TE-R97"), "a warning and no more: {said:?}");
    }

    #[test]
    fn elements_that_are_not_accepted() {
        assert_eq!(told(|clerk| plateau(false, clerk)).0.unwrap_err().rule, Some(rule!(TE_3_1_03)));
        assert_eq!(told(|clerk| forest_track(false, clerk)).0.unwrap_err().rule, Some(rule!(TE_4_3_12)));
        assert_eq!(told(|clerk| redoubt(0, clerk)).0.unwrap_err().rule, Some(rule!(TE_9_1_04)));
        assert!(told(|clerk| plateau(true, clerk)).0.is_ok());
        assert!(told(|clerk| forest_track(true, clerk)).0.is_ok());
        assert!(told(|clerk| redoubt(1, clerk)).0.is_ok());
    }

    #[test]
    fn a_village_has_a_street_even_sides_and_roads_at_its_doors() {
        let laid = |sides, street, distance| {
            let village = Village { sides, street, to_road: vec![Centimetres::hundredths(distance)] };
            told(|clerk| super::village(&village, clerk)).0.map_err(|refusal| refusal.rule)
        };
        assert_eq!(laid((1, 2), true, 50), Ok(()));
        assert_eq!(laid((1, 0), false, 0), Ok(()));
        assert_eq!(laid((1, 1), false, 0), Err(Some(rule!(TE_5_1_02))));
        assert_eq!(laid((1, 3), true, 0), Err(Some(rule!(TE_5_1_03))));
        assert_eq!(laid((1, 1), true, 51), Err(Some(rule!(TE_5_1_05))));
    }

    #[test]
    fn streams_leave_the_table_and_ditches_need_not() {
        let placed = |kind, in_wood| {
            let course = Course { kind, bridges: 0, fords: 0, from_side_to_side: false, in_wood };
            told(|clerk| watercourse(course, clerk)).0.is_ok()
        };
        assert!(!placed(Watercourse::Stream, false));
        assert!(placed(Watercourse::Stream, true) && placed(Watercourse::Ditch, false));
    }

    #[test]
    fn players_agree_unless_an_organiser_decides() {
        let laid = |competition, by, agree| told(|clerk| layout(competition, by, agree, clerk)).0.is_ok();
        assert!(laid(false, LaidBy::Players, true) && !laid(false, LaidBy::Players, false));
        assert!(laid(true, LaidBy::Organiser, false) && !laid(true, LaidBy::Players, true));
    }
}
