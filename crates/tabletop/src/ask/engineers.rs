//! `tabletop.engineers`: what sappers achieve, and what a sapper is worth (section 8.7).

use kernel::{Clerk, Question, Verdict};
use rulebook::options::tabletop::Options;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::terrain::engineers::{self, Profile, Progress, Work};

/// The question `tabletop.engineers`.
pub struct Engineers;

/// What is asked of sappers.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// How far a work has come.
    Work(Work),
    /// The values of a sapper, from those of the commonest infantry figure of his nation.
    Profile(Profile),
}

/// What is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The work.
    Work(Progress),
    /// The sapper.
    Profile(Profile),
}

impl Question for Engineers {
    const NAME: &'static str = "tabletop.engineers";
    type Options = Options;
    type Request = Request;
    type Answer = Answer;

    fn answer(request: &Request, _: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
        Ok(match request {
            Request::Work(work) => Answer::Work(engineers::work(work, clerk)?),
            Request::Profile(common) => Answer::Profile(engineers::profile(*common, clerk)),
        })
    }
}
