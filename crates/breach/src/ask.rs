//! The umpire's questions of a fantasy siege. Requests are checked here; the answers come from the
//! modules of the chapters.

use kernel::{Clerk, Millimetres, Question, Refusal, Verdict, Whole};
use rulebook::options::breach::{GarrisonWon2, Options};
use rulebook::{Asking, phrase::breach as phrase, question, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::army::{self, Role};
use crate::score::{self, Kind};
use crate::{end, towers};

mod contact;
mod plan;
mod wall;
mod works;

/// Every question of the supplement.
#[must_use]
pub fn questions() -> Vec<Asking> {
    let mut questions = vec![question::<Budget>()];
    questions.extend(crate::quartermaster::questions());
    questions.extend([question::<Tower>(), question::<End>(), question::<Score>()]);
    questions.extend(wall::questions());
    questions.extend(works::questions());
    questions.extend(plan::questions());
    questions
}

/// `breach.budget`
struct Budget;

/// A side of a siege and its size.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BudgetRequest {
    role: Role,
    attacker_points: Whole<1, 100_000>,
}

impl Question for Budget {
    const NAME: &'static str = "breach.budget";
    type Options = Options;
    type Request = BudgetRequest;
    type Answer = army::Budget;

    fn answer(request: &BudgetRequest, _: &Options, clerk: &mut impl Clerk) -> Verdict<army::Budget> {
        Ok(army::budget(request.role, request.attacker_points.get(), clerk))
    }
}

/// `breach.tower`
struct Tower;

/// An element of a fortress.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TowerRequest {
    /// Width and depth of its base.
    base_mm: [Millimetres; 2],
    /// Whether it was declared a tower for its height before the game.
    #[serde(default)]
    tall: bool,
}

impl Question for Tower {
    const NAME: &'static str = "breach.tower";
    type Options = Options;
    type Request = TowerRequest;
    type Answer = towers::Tower;

    fn answer(request: &TowerRequest, _: &Options, clerk: &mut impl Clerk) -> Verdict<towers::Tower> {
        /// No element of a fortress is larger than ten metres.
        const MOST: Millimetres = Millimetres::whole(10_000);
        for (place, &side) in request.base_mm.iter().enumerate() {
            if side <= Millimetres::ZERO || side > MOST {
                return Err(Refusal::field(format!("base_mm.{place}"), phrase::NO_BASE)
                    .with("found", side.to_string())
                    .with("most", MOST.to_string()));
            }
        }
        Ok(towers::tower(request.base_mm, request.tall, clerk))
    }
}

/// `breach.end`
struct End;

/// The end of a turn.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EndRequest {
    scenario: Whole<1, 3>,
    turn: Whole<1, 100>,
    /// Whether the Empire won scenario 2.
    #[serde(default)]
    message_got_through: bool,
}

/// Whether the game ends.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
struct EndAnswer {
    ends: bool,
}

impl Question for End {
    const NAME: &'static str = "breach.end";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = EndRequest;
    type Answer = EndAnswer;

    fn answer(request: &EndRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<EndAnswer> {
        let (scenario, turn) = (request.scenario.get(), request.turn.get());
        // Played alone, the third scenario learns from the options who won the second.
        let won = clerk.holds(rule!(BR_R69), options.garrison_won_2 == GarrisonWon2::Yes);
        Ok(EndAnswer { ends: end::ends(scenario, turn, request.message_got_through || won, clerk)? })
    }
}

/// `breach.score`
struct Score;

/// The fortress at the end of the game.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ScoreRequest {
    sections: Vec<Section>,
}

/// A section and the stands in it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Section {
    kind: Kind,
    attacker: Whole<0, 1000>,
    defender: Whole<0, 1000>,
    #[serde(default)]
    destroyed: bool,
}

/// The most sections a fortress may have.
const MOST_SECTIONS: usize = 10_000;

impl Question for Score {
    const NAME: &'static str = "breach.score";
    type Options = Options;
    type Request = ScoreRequest;
    type Answer = score::Score;

    fn answer(request: &ScoreRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<score::Score> {
        if request.sections.len() > MOST_SECTIONS {
            let most = i64::try_from(MOST_SECTIONS).unwrap_or(i64::MAX);
            return Err(Refusal::field("sections", phrase::TOO_MANY_SECTIONS).with("most", most));
        }
        let mut sections = Vec::new();
        for (place, section) in request.sections.iter().enumerate() {
            if section.destroyed && section.kind == Kind::Courtyard {
                return Err(Refusal::rule(rule!(BR_SCENARIO_3_22), phrase::COURTYARD_STANDS)
                    .at(format!("sections.{place}.destroyed")));
            }
            sections.push(score::Section {
                kind: section.kind,
                attacker: section.attacker.get(),
                defender: section.defender.get(),
                destroyed: section.destroyed,
            });
        }
        Ok(score::score(&sections, options, clerk))
    }
}
