//! `tabletop.melee-ground`: who fights in a round, in which state, behind what and with which bonus
//! by the ground; on facts or on a scene. Recoils and the morale of cover are asked here too.

use kernel::{Clerk, Question, Verdict, Whole};
use rulebook::options::tabletop::Options;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::within;
use crate::scene::Setup;
use crate::terrain::aftermath::{self, Recoil, RecoilPath};
use crate::terrain::cover::{self, MeleeCover};
use crate::terrain::houses::surrender::{self, Caught, Morale};
use crate::terrain::melee::{self, Fighter, Melee, Place, Reached, Round};
use crate::terrain::on_table;
use crate::terrain::redoubts::{self, TakenFromRear};
use crate::terrain::troops::{Status, Troops};

/// The question `tabletop.melee-ground`.
pub struct MeleeGround;

/// What is asked.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// A round, as facts.
    Round(Box<Fight>),
    /// A round between two bodies of a scene.
    OnTable(Box<OnTable>),
    /// The recoil of a loser.
    Recoil(Pushed),
    /// The morale bonus of a cover.
    Morale(Sheltered),
    /// A morale result of a body beaten while caught in movement.
    CaughtAndBeaten(Beaten),
    /// A garrison of a redoubt is reached from the rear.
    RedoubtFromRear(FromRear),
}

/// A round as facts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fight {
    /// Where.
    pub place: Place,
    /// What else the ground there is: the slope of a wood, the stream in it.
    #[serde(default)]
    pub also: Vec<Place>,
    /// Which round; the first unless said otherwise.
    #[serde(default)]
    pub round: Whole<1, 99>,
    /// Who came.
    pub attacker: Fighter,
    /// Who was there.
    pub defender: Fighter,
    /// Where the attacker touches the defender: in front unless said otherwise.
    #[serde(default)]
    pub reached: Reached,
}

/// A round on a scene.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnTable {
    /// The table.
    pub scene: Setup,
    /// Who came.
    pub attacker: String,
    /// Who was there.
    pub defender: String,
    /// Which round.
    #[serde(default)]
    pub round: Whole<1, 99>,
}

/// A loser pushed back.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pushed {
    /// Who.
    pub loser: Troops,
    /// Over what.
    #[serde(default)]
    pub path: RecoilPath,
}

/// A body in cover.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sheltered {
    /// Its cover.
    pub cover: MeleeCover,
    /// An enemy is in the house.
    #[serde(default)]
    pub enemy_inside: bool,
}

/// A body caught and beaten.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Beaten {
    /// The result of its test.
    pub result: Morale,
    /// Where it was caught.
    pub caught: Caught,
}

/// A garrison of a redoubt.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FromRear {
    /// Its quality.
    #[serde(default)]
    pub status: Status,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The round.
    Round(Round),
    /// The recoil.
    Recoil(Recoil),
    /// A bonus.
    Bonus(i32),
    /// A morale result.
    Morale(Morale),
    /// The garrison is captured, or may refuse.
    Rear {
        /// It may refuse and fight on.
        may_refuse: bool,
        /// On a scene, the round it fights if it refuses.
        #[serde(skip_serializing_if = "Option::is_none")]
        round: Option<Round>,
    },
}

impl Question for MeleeGround {
    const NAME: &'static str = "tabletop.melee-ground";
    type Options = Options;
    type Request = Request;
    type Answer = Answer;

    fn answer(request: &Request, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
        Ok(match request {
            Request::Round(fight) => {
                let places: Vec<Place> = std::iter::once(&fight.place).chain(&fight.also).cloned().collect();
                let melee = Melee {
                    places: &places,
                    round: fight.round.get(),
                    attacker: &fight.attacker,
                    defender: &fight.defender,
                    reached: fight.reached,
                };
                Answer::Round(melee::round(&melee, options, clerk).map_err(within("round"))?)
            }
            Request::OnTable(fight) => on_a_scene(fight, options, clerk).map_err(within("on-table"))?,
            Request::Recoil(Pushed { loser, path }) => {
                Answer::Recoil(aftermath::recoil(loser, path, options, clerk))
            }
            Request::Morale(Sheltered { cover, enemy_inside }) => {
                Answer::Bonus(cover::morale_bonus(*cover, *enemy_inside, clerk))
            }
            Request::CaughtAndBeaten(Beaten { result, caught }) => {
                Answer::Morale(surrender::caught_and_beaten(*result, *caught, clerk))
            }
            Request::RedoubtFromRear(FromRear { status }) => Answer::Rear {
                may_refuse: redoubts::taken_from_rear(*status, options, clerk) == TakenFromRear::MayRefuse,
                round: None,
            },
        })
    }
}

fn on_a_scene(fight: &OnTable, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
    let scene = fight.scene.checked("scene", options)?;
    let attacker = scene.body(&fight.attacker, "attacker")?;
    let defender = scene.body(&fight.defender, "defender")?;
    let status = defender.setup.status;
    let contact = on_table::contact(&scene, attacker, defender, options, clerk)?;
    // A garrison taken by the gap falls at once: whoever fights inside later came over a face.
    let taken = match contact.rear {
        Some(on_table::Rear::FromBehind) => true,
        Some(on_table::Rear::ByTheGap) => fight.round.get() == 1,
        None => false,
    };
    let may_refuse = taken && redoubts::taken_from_rear(status, options, clerk) == TakenFromRear::MayRefuse;
    if taken && !may_refuse {
        return Ok(Answer::Rear { may_refuse, round: None });
    }
    let melee = Melee {
        places: &contact.places,
        round: fight.round.get(),
        attacker: &contact.attacker,
        defender: &contact.defender,
        reached: contact.reached,
    };
    let round = melee::round(&melee, options, clerk)?;
    Ok(if taken { Answer::Rear { may_refuse, round: Some(round) } } else { Answer::Round(round) })
}
