//! The umpire and the plan of a fortress: checked, and drawn where a picture is wanted.

use kernel::{Centimetres, Clerk, Question, Refusal, Verdict, Whole};
use rulebook::options::breach::Options;
use rulebook::{Asking, phrase::breach as phrase, question};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wall::counted;
use crate::draw;
use crate::fortress::{self, Appraised, Part, PartKind, Violation};
use crate::terms::Cm;

/// The questions of this page.
pub(super) fn questions() -> Vec<Asking> {
    vec![question::<Fortress>()]
}

/// `breach.fortress`
struct Fortress;

/// A plan.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FortressRequest {
    #[schemars(length(min = 1, max = 200))]
    elements: Vec<ElementAsked>,
    /// The points of the defending army: the numbers of the scenario and the room of the besieger are
    /// then checked too.
    defender_points: Option<Whole<1, 100_000>>,
    /// Whether the answer brings a picture.
    #[serde(default)]
    draw: bool,
}

/// A part of the fortress, its sides along those of the table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ElementAsked {
    name: String,
    kind: PartKind,
    /// Its left edge.
    x_cm: Cm,
    /// Its near edge.
    y_cm: Cm,
    /// From left to right.
    w_cm: Cm,
    /// From near to far.
    d_cm: Cm,
    /// Whether it was declared a tower for its height before the game.
    #[serde(default)]
    tall: bool,
    #[serde(default)]
    destroyed: bool,
    #[serde(default)]
    destruction_dice: Whole<0, 20>,
    /// Stands on it or in it.
    #[serde(default)]
    stands: Whole<0, 40>,
    /// Whether the besieger holds it.
    #[serde(default)]
    taken: bool,
    /// Whether oil or rocks are ready on it.
    #[serde(default)]
    oil: bool,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
struct FortressAnswer {
    /// Whether nothing is wrong but what is a warning.
    legal: bool,
    walls: i32,
    towers: i32,
    gates: i32,
    violations: Vec<Violation>,
    elements: Vec<Appraised>,
}

/// The most parts of a fortress.
const MOST_PARTS: usize = 200;
/// The longest a part may be, and the farthest it may lie.
const FARTHEST: Centimetres = Centimetres::whole(1_000);
/// The longest name.
const LONGEST_NAME: usize = 60;

impl ElementAsked {
    fn part(&self, place: usize) -> Verdict<Part> {
        if self.name.is_empty() || self.name.chars().count() > LONGEST_NAME {
            let most = i64::try_from(LONGEST_NAME).unwrap_or(i64::MAX);
            return Err(
                Refusal::field(format!("elements.{place}.name"), phrase::NAME_TOO_LONG).with("most", most)
            );
        }
        let lengths = [
            ("x_cm", self.x_cm, true),
            ("y_cm", self.y_cm, true),
            ("w_cm", self.w_cm, false),
            ("d_cm", self.d_cm, false),
        ];
        for (name, Cm(length), may_be_nothing) in lengths {
            if length > FARTHEST || (length == Centimetres::ZERO && !may_be_nothing) {
                return Err(Refusal::field(
                    format!("elements.{place}.{name}"),
                    kernel::phrase::IMPOSSIBLE_VALUE,
                )
                .with("found", length.to_string())
                .with("expected", format!("0–{FARTHEST}")));
            }
        }
        Ok(Part {
            name: self.name.clone(),
            kind: self.kind,
            x: self.x_cm.0,
            y: self.y_cm.0,
            width: self.w_cm.0,
            depth: self.d_cm.0,
            tall: self.tall,
            destroyed: self.destroyed,
            destruction_dice: self.destruction_dice.get(),
            stands: self.stands.get(),
            taken: self.taken,
            oil: self.oil,
        })
    }
}

impl FortressRequest {
    /// The parts of the plan.
    fn parts(&self) -> Verdict<Vec<Part>> {
        counted(&self.elements, "elements", MOST_PARTS)?;
        let mut parts: Vec<Part> = Vec::with_capacity(self.elements.len());
        for (place, element) in self.elements.iter().enumerate() {
            let part = element.part(place)?;
            if parts.iter().any(|other| other.name == part.name) {
                return Err(Refusal::field(format!("elements.{place}.name"), phrase::NAME_TWICE)
                    .with("name", part.name));
            }
            parts.push(part);
        }
        Ok(parts)
    }
}

impl Question for Fortress {
    const NAME: &'static str = "breach.fortress";
    const DRAWS: bool = true;
    type Options = Options;
    type Request = FortressRequest;
    type Answer = FortressAnswer;

    fn answer(
        request: &FortressRequest,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<FortressAnswer> {
        let parts = request.parts()?;
        let violations = fortress::check(&parts, request.defender_points.map(Whole::get), options, clerk);
        let found = |kind: PartKind| {
            i32::try_from(parts.iter().filter(|part| part.kind == kind).count()).unwrap_or(i32::MAX)
        };
        Ok(FortressAnswer {
            legal: violations.iter().all(|violation| violation.warning),
            walls: found(PartKind::Wall),
            towers: found(PartKind::Tower),
            gates: found(PartKind::Gate),
            violations,
            elements: fortress::appraise(&parts, options, clerk),
        })
    }

    fn wishes_picture(request: &FortressRequest) -> bool {
        request.draw
    }

    fn draw(request: &FortressRequest, _: &Options, _: &FortressAnswer) -> Option<String> {
        request.parts().ok().map(|parts| draw::svg(&parts))
    }
}
