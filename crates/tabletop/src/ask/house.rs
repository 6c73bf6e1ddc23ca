//! `tabletop.house`: everything a house can be asked, as facts (section 5).

use kernel::{Centimetres, Clerk, Question, Verdict, Whole};
use rulebook::options::tabletop::Options;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::within;
use crate::scene::Setup;
use crate::terrain::houses::assault::{self, AfterRound, Attack, Combat, Ended, HouseFight, Where};
use crate::terrain::houses::entry::{self, AtTheDoor, Entry, Relief};
use crate::terrain::houses::exit::{self, Evacuated, Evacuation, Leaving, Out};
use crate::terrain::houses::fire::{self, AtHouse, FromHouse};
use crate::terrain::houses::garrison::{self, Garrison, Placement, Reposition, Repositioned};
use crate::terrain::houses::surrender::{self, Fate, Morale, Tested};
use crate::terrain::houses::{Side, capacity};
use crate::terrain::obstacles::occupy::{self, At, Extension};
use crate::terrain::on_table::house::{self as table_house, AtSide, HouseNow};
use crate::terrain::state::{Catcher, State};
use crate::terrain::troops::Troops;

/// The question `tabletop.house`.
pub struct House;

/// What is asked of a house.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// A unit starts to enter.
    Enter(Enter),
    /// A unit is touched before its entry is complete.
    CaughtEntering(Caught),
    /// Figures are spread over the sides.
    Place(Placement),
    /// Figures are moved between sides.
    Reposition(Reposition),
    /// A gap is filled from the reserve.
    Refill(Refill),
    /// A friend relieves the garrison.
    Relieve(Relieve),
    /// The garrison leaves by its own will.
    Leave(Leaving),
    /// A column that has left is attacked with ranks still in the street.
    AttackedInStreet(InStreet),
    /// May a unit that came out directly act?
    AfterDirectExit(AfterExit),
    /// Must the garrison leave?
    Evacuate(Evacuation),
    /// The garrison fires from a side.
    FireFrom(FromHouse),
    /// A side is fired at.
    FireAt(AtHouse),
    /// Figures lost to fire.
    Losses(Losses),
    /// Who fights in an assault.
    Assault(Attack),
    /// How many figures fight and fold at a side.
    Fold(Fold),
    /// What follows a round.
    AfterRound(Ending),
    /// The attacker extends his front.
    Extend(Extend),
    /// Losses of an attacker's first rank, replaced.
    ReplaceLosses(Replace),
    /// May an attacker go in through a held side?
    EnterHeldSide(HeldSide),
    /// May the loser of a street fight come back?
    ComeBack(Troops),
    /// Where a figure lost in several combats comes off.
    FigureComesOff(Vec<Combat>),
    /// What a morale result means.
    Morale(Tested),
    /// What it means for a unit caught while entering, and beaten.
    CaughtAndBeaten(Morale),
    /// May the enemy pursue a garrison that leaves on a morale result?
    Pursue(Pursue),
    /// A house of a scene: its sides, its garrison, who touches it.
    OnTable(Box<OnTable>),
    /// A body of a scene starts to enter a house.
    EnterOnTable(Box<EnterOnTable>),
    /// A body of a scene assaults a house.
    AssaultOnTable(Box<AssaultOnTable>),
}

/// A house of a scene.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnTable {
    /// The table.
    pub scene: Setup,
    /// The house.
    pub house: String,
}

/// An entry on a scene.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnterOnTable {
    /// The table.
    pub scene: Setup,
    /// The house.
    pub house: String,
    /// Who enters.
    pub body: String,
    /// The quarter it starts in.
    pub quarter: Whole<1, 9999>,
}

/// An assault on a scene.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssaultOnTable {
    /// The table.
    pub scene: Setup,
    /// The house.
    pub house: String,
    /// Who attacks.
    pub attacker: String,
    /// The round.
    #[serde(default)]
    pub round: Whole<1, 99>,
    /// The quarter of the period in which contact was made.
    #[serde(default)]
    pub contact_quarter: Whole<1, 4>,
}

/// An entry.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Enter {
    /// Who.
    pub unit: AtTheDoor,
    /// The quarter it starts in, numbered over the whole game.
    pub quarter: Whole<1, 9999>,
}

/// A relief.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Relieve {
    /// Who.
    pub relief: Relief,
    /// The quarter it starts in.
    pub quarter: Whole<1, 9999>,
}

/// A unit caught at the door.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Caught {
    /// Who.
    pub troops: Troops,
    /// By whom.
    pub by: Catcher,
}

/// A gap on a side.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refill {
    /// Figures missing.
    pub gap: Whole<0, 99>,
    /// Figures set aside.
    pub reserve: Whole<0, 99>,
    /// An enemy touches the side.
    #[serde(default)]
    pub side_touched: bool,
}

/// A column leaving by the street.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InStreet {
    /// Who.
    pub troops: Troops,
    /// The round.
    pub round: Whole<1, 99>,
}

/// A unit that came out directly.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AfterExit {
    /// It has re-formed in line.
    pub reformed_in_line: bool,
}

/// Figures lost to fire.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Losses {
    /// Figures lost.
    pub figures_lost: Whole<0, 999>,
    /// Figures on the side fired at.
    pub on_side: Whole<0, 99>,
    /// Figures set aside.
    pub reserve: Whole<0, 99>,
}

/// An attacker's front against a side.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fold {
    /// First-rank figures.
    pub front: Whole<1, 999>,
    /// Length of the side that his front touches.
    pub contact_cm: Centimetres,
    /// The side's length.
    pub side_cm: Centimetres,
    /// Movement is left to go round the corner.
    #[serde(default)]
    pub movement_left: bool,
}

/// A round that is over.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// Where.
    pub place: Where,
    /// How.
    pub ended: Ended,
}

/// An extension of the front.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Extend {
    /// Figures in contact when it begins.
    pub in_contact: Whole<0, 999>,
    /// Figures to bring up.
    pub wanted: Whole<0, 999>,
    /// Lengths of the sides the front may run along.
    pub sides_cm: Vec<Centimetres>,
}

/// Losses made good.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Replace {
    /// Figures in contact before.
    pub in_contact: Whole<0, 999>,
    /// Figures lost.
    pub lost: Whole<0, 999>,
    /// Figures brought up.
    pub brought_up: Whole<0, 999>,
}

/// A held side.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeldSide {
    /// The attacker has won there.
    pub has_won: bool,
}

/// A pursuit.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pursue {}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// An entry or a relief.
    Entry(Entry),
    /// A state.
    State(State),
    /// A garrison on its sides.
    Garrison(Garrison),
    /// A repositioning.
    Repositioned(Repositioned),
    /// So many figures.
    Figures(i32),
    /// The unit outside.
    Out(Out),
    /// It may be done.
    Allowed,
    /// An evacuation.
    Evacuation {
        /// What happens.
        what: Evacuated,
        /// Men in the house.
        men: i32,
        /// Men in each of its buildings.
        men_per_building: i32,
    },
    /// A fire from a side.
    Fire {
        /// Figures that fire.
        figures: i32,
        /// Degrees on either side of the outward normal.
        angle_degrees: Centidegrees,
        /// Their state as shooters.
        state: State,
    },
    /// Figures removed.
    Removed {
        /// Off the side.
        side: i32,
        /// Out of the reserve.
        reserve: i32,
        /// Quarters the shooter idles.
        shooter_idles: i32,
    },
    /// Who fights.
    Fight(HouseFight),
    /// Figures that fight and that may fold.
    Fold {
        /// In full contact.
        fight: i32,
        /// Free to go round the corner.
        may_fold: i32,
    },
    /// What follows.
    AfterRound(AfterRound),
    /// Figures in contact after each quarter.
    Extended([i32; 4]),
    /// Sides to choose from.
    Sides(Vec<Side>),
    /// What becomes of the garrison.
    Fate(Fate),
    /// A morale result.
    Morale(Morale),
    /// A house as it stands.
    House(HouseNow),
    /// The combats of an assault, side by side.
    Assault(Vec<AtSide>),
}

/// An angle, kept in tenths of a degree and written in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(with = "f64")]
pub struct Centidegrees(i32);

impl Serialize for Centidegrees {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 10.0)
    }
}

impl Question for House {
    const NAME: &'static str = "tabletop.house";
    type Options = Options;
    type Request = Request;
    type Answer = Answer;

    fn answer(request: &Request, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
        match request {
            Request::Enter(_)
            | Request::CaughtEntering(_)
            | Request::Place(_)
            | Request::Reposition(_)
            | Request::Refill(_)
            | Request::Relieve(_) => coming_in(request, options, clerk),
            Request::Leave(_)
            | Request::AttackedInStreet(_)
            | Request::AfterDirectExit(_)
            | Request::Evacuate(_)
            | Request::Morale(_)
            | Request::CaughtAndBeaten(_)
            | Request::Pursue(_) => going_out(request, clerk),
            Request::OnTable(_) | Request::EnterOnTable(_) | Request::AssaultOnTable(_) => {
                on_the_table(request, options, clerk)
            }
            _ => fighting(request, options, clerk),
        }
    }
}

fn coming_in(request: &Request, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
    Ok(match request {
        Request::Enter(Enter { unit, quarter }) => {
            Answer::Entry(entry::enter(unit, quarter.get(), options, clerk)?)
        }
        Request::CaughtEntering(caught) => {
            Answer::State(entry::caught_entering(&caught.troops, caught.by, options, clerk))
        }
        Request::Place(placement) => {
            Answer::Garrison(garrison::place(placement, options, clerk).map_err(within("place"))?)
        }
        Request::Reposition(wish) => {
            Answer::Repositioned(garrison::reposition(wish, options, clerk).map_err(within("reposition"))?)
        }
        Request::Refill(refill) => Answer::Figures(garrison::refill(
            refill.gap.get(),
            refill.reserve.get(),
            refill.side_touched,
            clerk,
        )),
        Request::Relieve(Relieve { relief, quarter }) => {
            Answer::Entry(entry::relieve(relief, quarter.get(), options, clerk)?)
        }
        _ => Answer::Allowed,
    })
}

fn going_out(request: &Request, clerk: &mut impl Clerk) -> Verdict<Answer> {
    Ok(match request {
        Request::Leave(leaving) => Answer::Out(exit::leave(leaving, clerk)?),
        Request::AttackedInStreet(InStreet { troops, round }) => {
            Answer::State(exit::attacked_in_street(troops, round.get(), clerk))
        }
        Request::AfterDirectExit(after) => {
            exit::after_direct_exit(after.reformed_in_line, clerk)?;
            Answer::Allowed
        }
        Request::Evacuate(evacuation) => {
            let figures =
                evacuation.sides.iter().map(|side| side.get()).sum::<i32>() + evacuation.reserve.get();
            let (men, men_per_building) = exit::men_per_building(figures, clerk);
            Answer::Evacuation { what: exit::evacuate(evacuation, clerk), men, men_per_building }
        }
        Request::Morale(tested) => Answer::Fate(surrender::fate(tested, clerk).map_err(within("morale"))?),
        Request::CaughtAndBeaten(result) => {
            Answer::Morale(surrender::caught_and_beaten(*result, surrender::Caught::AtHouse, clerk))
        }
        Request::Pursue(_) => {
            surrender::pursue()?;
            Answer::Allowed
        }
        _ => Answer::Allowed,
    })
}

fn on_the_table(request: &Request, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
    match request {
        Request::OnTable(wish) => stands(wish, options, clerk).map_err(within("on-table")),
        Request::EnterOnTable(wish) => enters(wish, options, clerk).map_err(within("enter-on-table")),
        Request::AssaultOnTable(wish) => assaults(wish, options, clerk).map_err(within("assault-on-table")),
        _ => Ok(Answer::Allowed),
    }
}

fn stands(wish: &OnTable, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
    let scene = wish.scene.checked("scene", options)?;
    table_house::now(&scene, &wish.house, options, clerk).map(Answer::House)
}

fn enters(wish: &EnterOnTable, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
    let scene = wish.scene.checked("scene", options)?;
    let body = scene.body(&wish.body, "body")?;
    let unit = table_house::at_the_door(&scene, &wish.house, body)?;
    entry::enter(&unit, wish.quarter.get(), options, clerk).map(Answer::Entry)
}

fn assaults(wish: &AssaultOnTable, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
    let scene = wish.scene.checked("scene", options)?;
    let attacker = scene.body(&wish.attacker, "attacker")?;
    table_house::assault(&scene, &wish.house, attacker, wish.round, wish.contact_quarter, options, clerk)
        .map(Answer::Assault)
}

fn fighting(request: &Request, options: &Options, clerk: &mut impl Clerk) -> Verdict<Answer> {
    Ok(match request {
        Request::FireFrom(from) => {
            let fire = fire::from_house(from, clerk)?;
            Answer::Fire { figures: fire.figures, angle_degrees: Centidegrees(fire.angle), state: fire.state }
        }
        Request::FireAt(at) => {
            fire::at_house(*at, clerk)?;
            Answer::Allowed
        }
        Request::Losses(lost) => {
            let off = fire::losses(lost.figures_lost.get(), lost.on_side.get(), lost.reserve.get(), clerk);
            Answer::Removed { side: off.side, reserve: off.reserve, shooter_idles: off.shooter_idles }
        }
        Request::Assault(attack) => Answer::Fight(assault::fight(attack, options, clerk)?),
        Request::Fold(fold) => {
            let Fold { front, contact_cm, side_cm, movement_left } = *fold;
            Answer::Fold {
                fight: assault::attackers_at(front.get(), contact_cm, side_cm, options, clerk),
                may_fold: assault::may_fold(front.get(), contact_cm, movement_left, clerk),
            }
        }
        Request::AfterRound(Ending { place, ended }) => {
            Answer::AfterRound(assault::after_round(*place, *ended, clerk))
        }
        Request::Extend(extend) => {
            let room = extend.sides_cm.iter().map(|side| capacity(*side, false, options, clerk)).sum();
            let extension =
                Extension { in_contact: extend.in_contact.get(), wanted: extend.wanted.get(), room };
            Answer::Extended(occupy::extend(At::House, extension, clerk))
        }
        Request::ReplaceLosses(Replace { in_contact, lost, brought_up }) => {
            Answer::Figures(occupy::replace_losses(in_contact.get(), lost.get(), brought_up.get(), clerk))
        }
        Request::EnterHeldSide(side) => {
            assault::enter_held_side(side.has_won, clerk)?;
            Answer::Allowed
        }
        Request::ComeBack(troops) => {
            assault::come_back(troops, clerk)?;
            Answer::Allowed
        }
        Request::FigureComesOff(combats) => Answer::Sides(assault::figure_comes_off(combats, clerk)),
        _ => Answer::Allowed,
    })
}
