//! Shelter against fire: the best single class of what stands around a target (TE-R04), and the
//! morale bonus of the cover a body holds. Facts about the place enter; none, light or hard leaves.

use kernel::{Centimetres, Clerk, Measure, Phrase, RuleId, Shifted};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_core::{MELEE_FACTORS, MORALE_FACTORS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ground::Ground;
use super::obstacles::ObstacleClass;
pub use crate::fire::Cover;

/// What shelters a body in melee.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum MeleeCover {
    /// Nothing.
    #[default]
    None,
    /// A hedge, a wood, abandoned guns.
    Light,
    /// A wall.
    Hard,
    /// A house or a redoubt.
    House,
}

/// The word for a cover.
#[must_use]
pub fn word(cover: Cover) -> Phrase {
    match cover {
        Cover::None => phrase::COVER_NONE,
        Cover::Light => phrase::COVER_LIGHT,
        Cover::Hard => phrase::COVER_HARD,
    }
}

/// The word for a cover in melee.
#[must_use]
pub fn melee_word(cover: MeleeCover) -> Phrase {
    match cover {
        MeleeCover::None => phrase::COVER_NONE,
        MeleeCover::Light => phrase::COVER_LIGHT,
        MeleeCover::Hard => phrase::COVER_HARD,
        MeleeCover::House => phrase::COVER_HOUSE,
    }
}

impl From<Cover> for Measure {
    fn from(cover: Cover) -> Self {
        word(cover).into()
    }
}

impl Shifted for Cover {
    fn shifted(self) -> Self {
        match self {
            Self::None => Self::Light,
            Self::Light => Self::Hard,
            Self::Hard => Self::None,
        }
    }
}

impl From<MeleeCover> for Measure {
    fn from(cover: MeleeCover) -> Self {
        melee_word(cover).into()
    }
}

impl Shifted for MeleeCover {
    fn shifted(self) -> Self {
        match self {
            Self::None => Self::Light,
            Self::Light => Self::Hard,
            Self::Hard => Self::House,
            Self::House => Self::None,
        }
    }
}

/// A linear obstacle near a target figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Screen {
    /// Its class.
    pub class: ObstacleClass,
    /// From the base of the target to it.
    pub distance_cm: Centimetres,
    /// The shot crosses it on its way to the figure.
    #[serde(default = "yes")]
    pub crossed: bool,
    /// The shooter too stands within 2 cm of it, on the other side.
    #[serde(default)]
    pub shooter_behind_it_too: bool,
    /// The target is a column touching it with its front, and the fire comes from its flank.
    #[serde(default)]
    pub column_in_flank: bool,
}

fn yes() -> bool {
    true
}

/// The place of a target.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The elements it stands in.
    #[serde(default)]
    pub ground: Vec<Ground>,
    /// It is the garrison of a house.
    #[serde(default)]
    pub garrison: bool,
    /// The shooter stands in the same wood.
    #[serde(default)]
    pub shooter_in_same_wood: bool,
    /// The fire crosses a face of the redoubt it stands in.
    #[serde(default)]
    pub across_face: bool,
    /// Linear obstacles near it.
    #[serde(default)]
    pub screens: Vec<Screen>,
}

/// How near an obstacle must be to shelter from fire.
const NEAR: Centimetres = Centimetres::whole(2);

/// The shelter of one obstacle for one figure.
pub fn behind(screen: Screen, clerk: &mut impl Clerk) -> Cover {
    if screen.column_in_flank {
        return clerk.value(rule!(TE_8_5_06), Cover::None);
    }
    if !screen.crossed {
        return clerk.value(rule!(TE_8_5_05), Cover::None);
    }
    if screen.distance_cm >= NEAR {
        return clerk.value(rule!(TE_8_5_07), Cover::None);
    }
    let rule = if screen.shooter_behind_it_too { rule!(TE_8_5_04) } else { rule!(TE_8_5_01) };
    clerk.value(rule, screen.class.fire_cover())
}

/// The shelter of a target against one fire: the best single one.
pub fn against_fire(place: &Place, clerk: &mut impl Clerk) -> Cover {
    let mut best = Cover::None;
    let mut give = |rule, cover, clerk: &mut _| {
        best = best.max(given(rule, cover, clerk));
    };
    if place.garrison {
        give(rule!(TE_5_4_09), Cover::Hard, clerk);
    }
    for ground in &place.ground {
        match ground {
            Ground::Wood | Ground::ForestTrack | Ground::Ride => {
                let rule = if place.shooter_in_same_wood { rule!(TE_4_4_06) } else { rule!(TE_4_4_03) };
                give(rule, Cover::Light, clerk);
            }
            Ground::Stream | Ground::Ditch => give(rule!(TE_6_2_04), Cover::None, clerk),
            Ground::Ford => give(rule!(TE_6_3_07), Cover::None, clerk),
            Ground::Marsh => give(rule!(TE_6_5_03), Cover::None, clerk),
            Ground::Road | Ground::Street => give(rule!(TE_7_2_01), Cover::None, clerk),
            Ground::TreeLinedRoad => give(rule!(TE_7_3_02), Cover::Light, clerk),
            Ground::Redoubt if place.across_face => give(rule!(TE_9_1_01), Cover::Hard, clerk),
            Ground::PloughedLand => give(rule!(TE_9_2_10), Cover::None, clerk),
            Ground::TallCrops | Ground::Vineyard => give(rule!(TE_R87), Cover::None, clerk),
            Ground::AbandonedBattery => give(rule!(TE_9_3_07), Cover::Light, clerk),
            _ => {}
        }
    }
    for &screen in &place.screens {
        best = best.max(behind(screen, clerk));
    }
    best
}

fn given(rule: RuleId, cover: Cover, clerk: &mut impl Clerk) -> Cover {
    clerk.value(rule, cover)
}

/// What a shelter does to the factor of a fire at whoever is in it.
pub fn fire_factor(cover: Cover, clerk: &mut impl Clerk) -> i32 {
    match cover {
        Cover::None => 0,
        Cover::Light => clerk.modifier(rule!(TE_1_3_04), -1),
        Cover::Hard => clerk.modifier(rule!(TE_1_3_04), -3),
    }
}

fn value(rows: impl Iterator<Item = (&'static str, &'static str)>, key: &str) -> i32 {
    rows.filter(|(name, _)| *name == key).find_map(|(_, value)| value.parse().ok()).unwrap_or(0)
}

/// A factor of the melee chapter (tabletop-core, section 10).
#[must_use]
pub fn melee_value(key: &str) -> i32 {
    value(MELEE_FACTORS.iter().map(|row| (row.key, row.value)), key)
}

/// The melee penalty of whoever fights an enemy in this cover.
pub fn melee_penalty(enemy: MeleeCover, clerk: &mut impl Clerk) -> i32 {
    let key = match enemy {
        MeleeCover::None => return 0,
        MeleeCover::Light => "light",
        MeleeCover::Hard => "hard",
        MeleeCover::House => "house",
    };
    clerk.modifier(rule!(TE_1_3_05), melee_value(key))
}

/// The morale bonus of a body in this cover (tabletop-core, section 11).
pub fn morale_bonus(cover: MeleeCover, enemy_inside: bool, clerk: &mut impl Clerk) -> i32 {
    let key = match cover {
        MeleeCover::None => return 0,
        MeleeCover::House if enemy_inside => return 0,
        MeleeCover::Light => "light",
        MeleeCover::Hard => "hard",
        MeleeCover::House => "house",
    };
    clerk.modifier(rule!(TE_1_3_06), value(MORALE_FACTORS.iter().map(|row| (row.key, row.value)), key))
}

/// Do bullets at skirmishers who line an obstacle go on to those behind?
pub fn bullets_pass_screen(lined_by_skirmishers: bool, clerk: &mut impl Clerk) -> bool {
    !clerk.holds(rule!(TE_8_5_02), lined_by_skirmishers)
}

/// Whether a figure with this shelter stands in the open.
#[must_use]
pub(crate) fn is_exposed(shelter: Cover) -> bool {
    shelter == Cover::None
}

/// Figures of a target and the shelter each has: the shooter may aim at those in the open alone.
pub fn exposed_figures(shelters: &[Cover], clerk: &mut impl Clerk) -> usize {
    let open = shelters.iter().filter(|shelter| is_exposed(**shelter)).count();
    if open > 0 && open < shelters.len() {
        return clerk.rather(rule!(TE_8_5_03), open, shelters.len());
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    fn screen(hundredths: i32) -> Screen {
        Screen {
            class: ObstacleClass::Hard,
            distance_cm: Centimetres::hundredths(hundredths),
            crossed: true,
            shooter_behind_it_too: false,
            column_in_flank: false,
        }
    }

    #[test]
    fn te_ex_43_figures_behind_a_wall() {
        let cover = |screen| told(|clerk| behind(screen, clerk)).0;
        assert_eq!([0, 190, 200].map(|d| cover(screen(d))), [Cover::Hard, Cover::Hard, Cover::None]);
        assert_eq!(cover(Screen { column_in_flank: true, ..screen(0) }), Cover::None);
        assert_eq!(cover(Screen { crossed: false, ..screen(0) }), Cover::None);
        assert_eq!(cover(Screen { shooter_behind_it_too: true, ..screen(100) }), Cover::Hard);
    }

    #[test]
    fn what_each_ground_gives_against_fire() {
        let cover = |ground: Ground| {
            let place = Place { ground: vec![ground], across_face: true, ..Place::default() };
            told(|clerk| against_fire(&place, clerk)).0
        };
        for ground in [Ground::Wood, Ground::TreeLinedRoad, Ground::AbandonedBattery] {
            assert_eq!(cover(ground), Cover::Light, "{ground:?}");
        }
        assert_eq!(cover(Ground::Redoubt), Cover::Hard);
        for ground in [
            Ground::Plain,
            Ground::Stream,
            Ground::Ford,
            Ground::Marsh,
            Ground::Road,
            Ground::PloughedLand,
            Ground::TallCrops,
        ] {
            assert_eq!(cover(ground), Cover::None, "{ground:?}");
        }
        let garrison = Place { garrison: true, ..Place::default() };
        assert_eq!(told(|clerk| against_fire(&garrison, clerk)).0, Cover::Hard);
        let duel = Place { ground: vec![Ground::Wood], shooter_in_same_wood: true, ..Place::default() };
        let (cover, said) = told(|clerk| against_fire(&duel, clerk));
        assert_eq!((cover, said), (Cover::Light, vec!["TE-4.4-06"]));
    }

    #[test]
    fn the_best_single_shelter_counts() {
        let place = Place { ground: vec![Ground::Wood], screens: vec![screen(100)], ..Place::default() };
        assert_eq!(told(|clerk| against_fire(&place, clerk)).0, Cover::Hard);
    }

    #[test]
    fn shelters_in_numbers() {
        assert_eq!(
            [Cover::None, Cover::Light, Cover::Hard].map(|c| told(|k| fire_factor(c, k)).0),
            [0, -1, -3]
        );
        let all = [MeleeCover::None, MeleeCover::Light, MeleeCover::Hard, MeleeCover::House];
        assert_eq!(all.map(|c| told(|clerk| melee_penalty(c, clerk)).0), [0, -1, -2, -3]);
        assert_eq!(all.map(|c| told(|clerk| morale_bonus(c, false, clerk)).0), [0, 1, 2, 3]);
        assert_eq!(told(|clerk| morale_bonus(MeleeCover::House, true, clerk)).0, 0);
    }

    #[test]
    fn skirmishers_on_an_obstacle_stop_bullets_and_figures_in_the_open_may_be_picked() {
        assert!(!told(|clerk| bullets_pass_screen(true, clerk)).0);
        assert!(told(|clerk| bullets_pass_screen(false, clerk)).0);
        assert_eq!(told(|clerk| exposed_figures(&[Cover::Hard, Cover::None, Cover::None], clerk)).0, 2);
    }
}
