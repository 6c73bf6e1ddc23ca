//! The quartermaster's questions: `breach.roster` and `breach.scenario`. Requests are checked here;
//! the answers come from [`roster`](crate::roster), [`forces`](crate::forces) and
//! [`scenario`](crate::scenario).

use std::collections::BTreeMap;

use kernel::{Clerk, Question, Refusal, Verdict, Whole};
use rulebook::options::breach::Options;
use rulebook::{Asking, phrase::breach as phrase, question, rule};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::army::Role;
use crate::forces::{self, Occasion};
use crate::lists::{Army, Counts, Item, Line};
use crate::roster::{self, Battle, Load, Muster, Race};
use crate::scenario::{self, Earlier, Scenario, Side, Sizes, Terms};

/// The quartermaster's questions.
pub(crate) fn questions() -> Vec<Asking> {
    vec![question::<Roster>(), question::<ScenarioTerms>()]
}

/// The size of an army.
type Points = Whole<1, 100_000>;

/// `breach.roster`
struct Roster;

/// A list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RosterRequest {
    army: Army,
    role: Role,
    /// The agreed size of this army.
    points: Points,
    /// Whether it is for a siege; scenario 3 is one, scenarios 1 and 2 are not.
    siege: Option<bool>,
    /// How many of each line of the army list.
    lines: Counts<Line>,
    /// How many of each item of siege equipment.
    #[serde(default)]
    equipment: Counts<Item>,
    /// Whose army the list stands for.
    #[serde(default)]
    race: Race,
    /// The scenario it is for.
    scenario: Option<Whole<1, 3>>,
    /// The size of the other army.
    other_points: Option<Points>,
    /// Who won scenario 1, for scenario 2.
    first: Option<Side>,
    /// Which unit carries what.
    #[serde(default)]
    carried: Vec<Load>,
}

impl RosterRequest {
    /// What the list is for.
    fn occasion(&self) -> Option<Occasion> {
        let scenario = self.scenario.and_then(|number| Scenario::numbered(number.get()))?;
        let earlier = Earlier { first: self.first, second: None };
        Some(Occasion { scenario, earlier, other_points: self.other_points.map(Points::get) })
    }

    fn battle(&self, occasion: Option<Occasion>) -> Verdict<Battle> {
        let asked = self.siege.map(|siege| if siege { Battle::Siege } else { Battle::Field });
        let Some(scenario) = occasion.map(|occasion| occasion.scenario) else {
            return Ok(asked.unwrap_or(Battle::Siege));
        };
        let fought = scenario.battle();
        if asked.is_some_and(|asked| asked != fought) {
            let rule = match scenario {
                Scenario::Watchtower => rule!(BR_SCENARIO_1_02),
                Scenario::Help => rule!(BR_SCENARIO_2_02),
                Scenario::Keep => rule!(BR_SCENARIO_3_08),
            };
            return Err(Refusal::rule(rule, phrase::OTHER_RULES).at("siege"));
        }
        Ok(fought)
    }

    /// Lines of the other list, results that matter to nobody and loads that are not there.
    fn check(&self) -> Verdict<()> {
        if let Some((line, _)) = self.lines.iter().find(|(line, _)| self.army.entry(*line).is_none()) {
            return Err(Refusal::field(format!("lines.{}", line.id()), phrase::NOT_IN_LIST));
        }
        let scenario = self.scenario.map(Whole::get);
        if self.other_points.is_some() && !matches!(scenario, Some(1 | 3)) {
            return Err(Refusal::field("other_points", phrase::NO_MATTER));
        }
        if self.first.is_some() && scenario != Some(2) {
            return Err(Refusal::field("first", phrase::NO_MATTER));
        }
        let mut units: BTreeMap<Line, i32> = BTreeMap::new();
        let mut items: BTreeMap<Item, i32> = BTreeMap::new();
        for (place, load) in self.carried.iter().enumerate() {
            let unit = units.entry(load.line).or_default();
            *unit += 1;
            if *unit > self.lines.of(load.line) {
                return Err(Refusal::field(format!("carried.{place}.line"), phrase::NO_SUCH_UNIT));
            }
            for (at, item) in load.items.iter().enumerate() {
                let used = items.entry(*item).or_default();
                *used += 1;
                if *used > self.equipment.of(*item) {
                    return Err(Refusal::field(format!("carried.{place}.items.{at}"), phrase::NOT_BOUGHT));
                }
            }
        }
        Ok(())
    }
}

impl Question for Roster {
    const NAME: &'static str = "breach.roster";
    type Options = Options;
    type Request = RosterRequest;
    type Answer = Muster;

    fn answer(request: &RosterRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<Muster> {
        request.check()?;
        let occasion = request.occasion();
        let roster = roster::Roster {
            army: request.army,
            race: request.race,
            role: request.role,
            points: request.points.get(),
            battle: request.battle(occasion)?,
            lines: &request.lines,
            equipment: &request.equipment,
        };
        let muster = match occasion {
            Some(occasion) => forces::muster(&roster, occasion, options, clerk),
            None => roster::muster(&roster, options, clerk),
        };
        let loads = roster::loads(request.army, &request.carried, options, clerk);
        Ok(loads.into_iter().fold(muster, Muster::with))
    }
}

/// `breach.scenario`
struct ScenarioTerms;

/// A scenario and what came before it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ScenarioRequest {
    scenario: Whole<1, 3>,
    /// Who won scenario 1.
    first: Option<Side>,
    /// Who won scenario 2.
    second: Option<Side>,
    /// The besieger's size, where it is not that of the book.
    besieger_points: Option<Points>,
    /// The garrison's.
    garrison_points: Option<Points>,
}

impl Question for ScenarioTerms {
    const NAME: &'static str = "breach.scenario";
    type Options = Options;
    type Request = ScenarioRequest;
    type Answer = Terms;

    fn answer(request: &ScenarioRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<Terms> {
        let Some(scenario) = Scenario::numbered(request.scenario.get()) else {
            return Err(Refusal::field("scenario", phrase::NO_MATTER));
        };
        let earlier = Earlier { first: request.first, second: request.second };
        let sizes = Sizes {
            besieger: request.besieger_points.map(Points::get),
            garrison: request.garrison_points.map(Points::get),
        };
        scenario::terms(scenario, earlier, sizes, options, clerk)
    }
}
