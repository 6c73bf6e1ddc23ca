//! `tabletop.layout`: the labels of a table and whether its elements are fit to be placed
//! (sections 1, 5.1 and 6 of the terrain chapter), as facts.

use std::collections::BTreeSet;

use kernel::{Centimetres, Clerk, Question, Refusal, Verdict, Whole};
use rulebook::options::tabletop::Options;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::terrain::setup::{self, Course, Inventory, Label, LaidBy, Village, Watercourse};

/// The question `tabletop.layout`.
pub struct Layout;

/// A table before the first period.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What stands on it, counted.
    #[serde(default)]
    pub inventory: Inventory,
    /// It is a competition or a meeting of clubs.
    #[serde(default)]
    pub competition: bool,
    /// Who laid the terrain out.
    pub laid_by: Option<LaidBy>,
    /// All players agree.
    #[serde(default = "yes")]
    pub agreed: bool,
    /// How large its elements are.
    #[serde(default)]
    pub sizes_cm: Vec<Centimetres>,
    /// For each hill, whether its crest is drawn.
    #[serde(default)]
    pub hills_with_crest: Vec<bool>,
    /// For each plateau, whether its contour is drawn.
    #[serde(default)]
    pub plateaus_with_contour: Vec<bool>,
    /// For each track, whether it is marked out in a wood.
    #[serde(default)]
    pub tracks_marked: Vec<bool>,
    /// For each redoubt, its gaps at the rear.
    #[serde(default)]
    pub redoubt_gaps: Vec<Whole<0, 99>>,
    /// Villages.
    #[serde(default)]
    pub villages: Vec<VillageFacts>,
    /// Watercourses.
    #[serde(default)]
    pub watercourses: Vec<CourseFacts>,
}

fn yes() -> bool {
    true
}

/// A village.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VillageFacts {
    /// Houses on the one side of the street and on the other.
    pub sides: [Whole<0, 99>; 2],
    /// It has a street.
    #[serde(default = "yes")]
    pub street: bool,
    /// From each house to the nearest road.
    #[serde(default)]
    pub to_road_cm: Vec<Centimetres>,
}

/// A watercourse.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CourseFacts {
    /// Its kind.
    pub kind: Watercourse,
    /// Its bridges.
    pub bridges: Option<Whole<0, 99>>,
    /// Its fords.
    pub fords: Option<Whole<0, 99>>,
    /// It runs from one table side to a different one.
    #[serde(default = "yes")]
    pub from_side_to_side: bool,
    /// It lies inside a wood.
    #[serde(default)]
    pub in_wood: bool,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Answer {
    /// The labels of the table.
    pub labels: BTreeSet<Label>,
    /// For each village, the houses on the two sides of its street.
    pub villages: Vec<(u32, u32)>,
}

fn count<const MOST: i32>(number: Option<Whole<0, MOST>>) -> u32 {
    number.and_then(|number| u32::try_from(number.get()).ok()).unwrap_or(0)
}

impl Question for Layout {
    const NAME: &'static str = "tabletop.layout";
    type Options = Options;
    type Request = Request;
    type Answer = Answer;

    fn answer(request: &Request, _: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
        let laid_by =
            request.laid_by.unwrap_or(if request.competition { LaidBy::Organiser } else { LaidBy::Players });
        setup::layout(request.competition, laid_by, request.agreed, clerk)?;
        let at = |list: &str, number: usize, refusal: Refusal| refusal.at(format!("{list}.{number}"));
        for (number, &across) in request.sizes_cm.iter().enumerate() {
            setup::size(across, clerk).map_err(|refusal| at("sizes_cm", number, refusal))?;
        }
        for (number, &drawn) in request.hills_with_crest.iter().enumerate() {
            setup::hill(drawn, clerk).map_err(|refusal| at("hills_with_crest", number, refusal))?;
        }
        for (number, &drawn) in request.plateaus_with_contour.iter().enumerate() {
            setup::plateau(drawn, clerk).map_err(|refusal| at("plateaus_with_contour", number, refusal))?;
        }
        for (number, &marked) in request.tracks_marked.iter().enumerate() {
            setup::forest_track(marked, clerk).map_err(|refusal| at("tracks_marked", number, refusal))?;
        }
        for (number, gaps) in request.redoubt_gaps.iter().enumerate() {
            setup::redoubt(usize::try_from(gaps.get()).unwrap_or(0), clerk)
                .map_err(|refusal| at("redoubt_gaps", number, refusal))?;
        }
        let mut villages = Vec::new();
        for (number, facts) in request.villages.iter().enumerate() {
            let [one, other] = facts.sides.map(|side| count(Some(side)));
            let village =
                Village { sides: (one, other), street: facts.street, to_road: facts.to_road_cm.clone() };
            setup::village(&village, clerk).map_err(|refusal| at("villages", number, refusal))?;
            villages.push(setup::street_split(one + other, clerk));
        }
        for (number, facts) in request.watercourses.iter().enumerate() {
            let course = Course {
                kind: facts.kind,
                bridges: count(facts.bridges),
                fords: count(facts.fords),
                from_side_to_side: facts.from_side_to_side,
                in_wood: facts.in_wood,
            };
            setup::watercourse(course, clerk).map_err(|refusal| at("watercourses", number, refusal))?;
        }
        let labels = setup::labels(&request.inventory, clerk).map_err(super::within("inventory"))?;
        Ok(Answer { labels, villages })
    }
}
