//! How the game is told: every decision and the situation as phrases with facts. The words are in the
//! rulebook, in both languages.

use kernel::{Desk, Measure, Phrase, Saying, Scripted, Silent, Told};
use rulebook::phrase::breach_say as say;
use tabletop::geometry::Point;

use crate::scenario::{Scenario, Side};
use crate::terms::Item;

use super::action::{Action, Answer, Charge, Spell, Target};
use super::names;
use super::plan::{ElementId, Slot};
use super::state::{CharacterId, Outcome, Place, Reason, State, Step, Table, UnitId, Whereabouts};

/// A side by name.
pub(crate) const fn side(side: Side) -> Phrase {
    match side {
        Side::Garrison => say::SIDE_GARRISON,
        Side::Besieger => say::SIDE_BESIEGER,
    }
}

const fn slot(slot: Slot) -> Phrase {
    match slot {
        Slot::Outer | Slot::OuterSecond => say::SLOT_OUTER,
        Slot::Inner => say::SLOT_INNER,
        Slot::North => say::SLOT_NORTH,
        Slot::East => say::SLOT_EAST,
        Slot::South => say::SLOT_SOUTH,
        Slot::West => say::SLOT_WEST,
    }
}

pub(crate) const fn item(item: Item) -> Phrase {
    match item {
        Item::None => say::ITEM_NONE,
        Item::Ladders => say::ITEM_LADDERS,
        Item::Mantlets => say::ITEM_MANTLETS,
        Item::PortableRam => say::ITEM_PORTABLE_RAM,
        Item::Ram => say::ITEM_RAM,
        Item::SiegeTower => say::ITEM_SIEGE_TOWER,
        Item::Sow => say::ITEM_SOW,
    }
}

/// A place in whole centimetres.
fn at(point: Point) -> Measure {
    format!("({}, {})", point.x / 100, point.y / 100).into()
}

impl Table {
    fn called(&self, unit: UnitId) -> Measure {
        self.unit(unit).map_or_else(|| "".into(), names::unit)
    }

    fn all_called(&self, units: impl IntoIterator<Item = UnitId>) -> Measure {
        Measure::Several(units.into_iter().filter_map(|id| self.unit(id)).map(names::unit).collect())
    }

    fn person(&self, character: CharacterId) -> Measure {
        self.character(character).map_or_else(|| "".into(), names::person)
    }

    fn works(&self, element: ElementId) -> Measure {
        names::works(self, element)
    }

    fn place(&self, place: Place) -> Measure {
        match place {
            Place::Ground { front, .. } => at(front),
            Place::Rampart { element, .. } | Place::Tower { element } => self.works(element),
            Place::Reserve | Place::Off | Place::Out | Place::Dead => say::AT_OUT.into(),
        }
    }

    fn whereabout(&self, place: Whereabouts) -> Measure {
        match place {
            Whereabouts::With(unit) => Saying::new(say::AT_WITH).with("unit", self.called(unit)).into(),
            Whereabouts::At(point) => at(point),
            Whereabouts::On(element) => self.works(element),
            Whereabouts::Reserve | Whereabouts::Out | Whereabouts::Slain => say::AT_OUT.into(),
        }
    }

    fn target(&self, charge: &Charge) -> Measure {
        let at = |phrase: Phrase, element: ElementId| {
            Measure::from(Saying::new(phrase).with("element", self.works(element)))
        };
        match charge.target {
            Target::Unit(unit) => self.called(unit),
            Target::Wall(element) | Target::TowerSide(element, _) => self.works(element),
            Target::Inside(element) => at(say::TARGET_INSIDE, element),
            Target::Along(element) => at(say::TARGET_ALONG, element),
            Target::Ram(element) => at(say::TARGET_RAM, element),
        }
    }
}

pub(crate) const fn scenario(scenario: Scenario) -> Phrase {
    match scenario {
        Scenario::Watchtower => say::SCENARIO_WATCHTOWER,
        Scenario::Help => say::SCENARIO_HELP,
        Scenario::Keep => say::SCENARIO_KEEP,
    }
}

/// The name of a step.
pub(crate) const fn step(step: &Step) -> Phrase {
    match step {
        Step::ChainNext
        | Step::Army(_)
        | Step::TowerSide
        | Step::Deploy
        | Step::DeployCharacters
        | Step::FirstTurn
        | Step::TurnStart
        | Step::PlayerTurnStart => say::STEP_SET_UP,
        Step::Works(_) => say::STEP_WORKS,
        Step::Initiative => say::STEP_INITIATIVE,
        Step::HomeBack => say::STEP_HOME_BACK,
        Step::Orders => say::STEP_ORDERS,
        Step::Move => say::STEP_MOVE,
        Step::Blunder(_) => say::STEP_BLUNDER,
        Step::Characters | Step::CommandEnd => say::STEP_CHARACTERS,
        Step::Shoot | Step::Structure(_) | Step::ShootEnd | Step::TowerTarget(..) => say::STEP_SHOOT,
        Step::Dispel(..) => say::STEP_DISPEL,
        Step::DriveBack | Step::Forced(_) => say::STEP_DRIVE_BACK,
        Step::Dig(_) => say::STEP_DIG,
        Step::Fights
        | Step::Assign
        | Step::Strikes(_)
        | Step::Round
        | Step::RoundEnd(_)
        | Step::Losers
        | Step::CombatEnd => say::STEP_COMBAT,
        Step::RamReaction(_) | Step::RamTest(_) | Step::RamAdvance(_) => say::STEP_RAM,
        Step::Reaction(_) | Step::Assaulted(_) | Step::Charged(_) | Step::Repel(..) => say::STEP_REACTION,
        Step::Winner | Step::Advance(_) => say::STEP_WINNER,
        Step::Draw(_) => say::STEP_FALL_BACK,
        Step::Reform(_) => say::STEP_REFORM,
        Step::Casualty(..) | Step::CollapseChoice(_) | Step::SplitChoice(_) => say::STEP_CASUALTY,
        Step::Escape(_) => say::STEP_ESCAPE,
        Step::MakeWay(..) => say::STEP_MAKE_WAY,
        Step::PlayerTurnEnd | Step::TurnEnd | Step::GameOver => say::STEP_OVER,
    }
}

pub(crate) const fn reason(reason: Reason) -> Phrase {
    match reason {
        Reason::Held => say::REASON_HELD,
        Reason::Exit => say::REASON_EXIT,
        Reason::Broken => say::REASON_BROKEN,
        Reason::General => say::REASON_GENERAL,
        Reason::Points => say::REASON_POINTS,
        Reason::Limit => say::REASON_LIMIT,
        Reason::NoWayLeft => say::REASON_NO_WAY_LEFT,
    }
}

impl Told for State {
    fn standing(&self) -> Vec<Saying> {
        let now = self.steps.last().map_or(say::STEP_OVER, step);
        let lost = |side: Side| {
            let dead: usize = self
                .table
                .units
                .iter()
                .filter(|unit| unit.side == side)
                .map(|unit| {
                    unit.stands
                        .iter()
                        .take(usize::from(unit.began))
                        .filter(|stand| stand.place == Place::Dead)
                        .count()
                })
                .sum();
            i64::try_from(dead).unwrap_or(0)
        };
        let mut lines = vec![
            Saying::new(say::STANDING)
                .with("scenario", scenario(self.table.scenario))
                .with("turn", self.turn)
                .with("side", side(self.active))
                .with("step", now),
        ];
        if let Some(asked) = self.asked {
            lines.push(Saying::new(say::STANDING_ASKED).with("side", side(asked)));
        }
        lines.push(
            Saying::new(say::STANDING_LOSS)
                .with("garrison", lost(Side::Garrison))
                .with("besieger", lost(Side::Besieger)),
        );
        if self.table.scenario == Scenario::Keep && self.turn > 0 {
            let score = self.table.score(&mut Desk::new(Scripted::new(&[]), Silent));
            lines.push(
                Saying::new(say::STANDING_POINTS)
                    .with("garrison", score.defender)
                    .with("besieger", score.attacker),
            );
        }
        lines
    }

    fn kind(action: &Action) -> Saying {
        Saying::new(match action {
            Action::TakeDefaultArmy
            | Action::BuyUnit { .. }
            | Action::RemoveUnit(_)
            | Action::BuyItem(_)
            | Action::RemoveItem(_)
            | Action::ArmyDone
            | Action::HoldBack(_)
            | Action::DeclareSide(_)
            | Action::PlaceWork { .. }
            | Action::PlaceOil(_)
            | Action::PlaceTheRest
            | Action::GiveUpWorks
            | Action::PickUnit(_)
            | Action::Deploy { .. }
            | Action::LeaveOut(_)
            | Action::DeployTheRest
            | Action::DeployCharacter { .. } => say::KIND_SET_UP,
            Action::InitiativeCharge(_)
            | Action::InitiativeEvade { .. }
            | Action::InitiativeMachine { .. } => say::KIND_INITIATIVE,
            Action::TakeCommand(_)
            | Action::Order(_)
            | Action::TurnEngine { .. }
            | Action::Infiltrate { .. }
            | Action::Abandon(_) => say::KIND_ORDER,
            Action::March(_) | Action::Climb { .. } | Action::Exit(_) | Action::HomeBack { .. } => {
                say::KIND_MOVE
            }
            Action::Charge(_) | Action::AdvanceCharge(_) | Action::RamAdvance(_) | Action::RamMarch(_) => {
                say::KIND_CHARGE
            }
            Action::MoveCharacter { .. } | Action::Escape(_) => say::KIND_CHARACTER,
            Action::Shoot { .. } | Action::Bombard { .. } => say::KIND_SHOOT,
            Action::Fight(_) | Action::Ram(_) | Action::WaiveRam(_) | Action::Dig { .. } => say::KIND_COMBAT,
            Action::React { .. } | Action::Decline => say::KIND_REACT,
            Action::EndInitiative
            | Action::EndOrders
            | Action::Dismiss
            | Action::EndCharacters
            | Action::EndShooting
            | Action::EndDig
            | Action::Halt => say::KIND_END,
            _ => say::KIND_CHOOSE,
        })
    }

    fn tell(&self, action: &Action) -> Saying {
        let table = &self.table;
        let plain = Saying::new;
        let unit = |phrase: Phrase, id: UnitId| Saying::new(phrase).with("unit", table.called(id));
        match action {
            Action::TakeDefaultArmy => plain(say::TELL_TAKE_DEFAULT_ARMY),
            Action::BuyUnit { line, attached } => {
                let more = attached.map_or("", crate::lists::Line::id);
                plain(say::TELL_BUY_UNIT).with("line", line.id()).with("attached", more)
            }
            Action::RemoveUnit(at) => plain(say::TELL_REMOVE_UNIT).with("place", i64::from(*at) + 1),
            Action::BuyItem(item) => plain(say::TELL_BUY_ITEM).with("item", item.id()),
            Action::RemoveItem(item) => plain(say::TELL_REMOVE_ITEM).with("item", item.id()),
            Action::ArmyDone => plain(say::TELL_ARMY_DONE),
            Action::HoldBack(id) => unit(say::TELL_HOLD_BACK, *id),
            Action::Infiltrate { unit: id, places } => {
                let first = places.first().copied().unwrap_or(Place::Reserve);
                unit(say::TELL_INFILTRATE, *id).with("at", table.place(first))
            }
            Action::DeclareSide(side) => plain(say::TELL_DECLARE_SIDE).with("slot", slot(*side)),
            Action::PlaceWork { front, .. } => plain(say::TELL_PLACE_WORK).with("at", at(*front)),
            Action::PlaceOil(element) => plain(say::TELL_PLACE_OIL).with("element", table.works(*element)),
            Action::PlaceTheRest => plain(say::TELL_PLACE_THE_REST),
            Action::GiveUpWorks => plain(say::TELL_GIVE_UP_WORKS),
            Action::PickUnit(id) => unit(say::TELL_PICK_UNIT, *id),
            Action::Deploy { unit: id, places, .. } => {
                let first = places.first().copied().unwrap_or(Place::Reserve);
                unit(say::TELL_DEPLOY, *id).with("at", table.place(first))
            }
            Action::LeaveOut(id) => unit(say::TELL_LEAVE_OUT, *id),
            Action::DeployTheRest => plain(say::TELL_DEPLOY_THE_REST),
            Action::DeployCharacter { character, place } => plain(say::TELL_DEPLOY_CHARACTER)
                .with("who", table.person(*character))
                .with("at", table.whereabout(*place)),
            Action::InitiativeCharge(charge) => {
                unit(say::TELL_INITIATIVE_CHARGE, charge.unit).with("target", table.target(charge))
            }
            Action::InitiativeEvade { unit: id, distance } => {
                unit(say::TELL_INITIATIVE_EVADE, *id).with("distance", *distance)
            }
            Action::InitiativeMachine { unit: id, element } => {
                unit(say::TELL_INITIATIVE_MACHINE, *id).with("element", table.works(*element))
            }
            Action::EndInitiative => plain(say::TELL_END_INITIATIVE),
            Action::HomeBack { unit: id, character } => {
                unit(say::TELL_HOME_BACK, *id).with("who", table.person(*character))
            }
            Action::Stay(id) => unit(say::TELL_STAY, *id),
            Action::TakeCommand(character) => {
                plain(say::TELL_TAKE_COMMAND).with("who", table.person(*character))
            }
            Action::Order(units) => {
                plain(say::TELL_ORDER).with("units", table.all_called(units.iter().copied()))
            }
            Action::TurnEngine { unit: id, facing } => {
                unit(say::TELL_TURN_ENGINE, *id).with("facing", facing.count() / 10)
            }
            Action::Dismiss => plain(say::TELL_DISMISS),
            Action::EndOrders => plain(say::TELL_END_ORDERS),
            Action::Abandon(id) => {
                let carried = table.unit(*id).map_or(Item::None, |unit| unit.item);
                unit(say::TELL_ABANDON, *id).with("item", item(carried))
            }
            Action::March(moves) => {
                let goal = moves.first().map(|step| match (step.machine, step.stands.first()) {
                    (Some((front, _)), _) => at(front),
                    (None, Some(way)) => table.place(way.to),
                    (None, None) => say::AT_OUT.into(),
                });
                plain(say::TELL_MARCH)
                    .with("units", table.all_called(moves.iter().map(|step| step.unit)))
                    .with("at", goal.unwrap_or_else(|| say::AT_OUT.into()))
            }
            Action::Charge(charge) => {
                unit(say::TELL_CHARGE, charge.unit).with("target", table.target(charge))
            }
            Action::Climb { unit: id, elements } => {
                let names = elements.iter().map(|&element| table.works(element)).collect();
                unit(say::TELL_CLIMB, *id).with("elements", Measure::Several(names))
            }
            Action::Exit(id) => unit(say::TELL_EXIT, *id),
            Action::Halt => plain(say::TELL_HALT),
            Action::BlunderChoice(id) => unit(say::TELL_BLUNDER_CHOICE, *id),
            Action::MoveCharacter { character, to } => plain(say::TELL_MOVE_CHARACTER)
                .with("who", table.person(*character))
                .with("at", table.whereabout(*to)),
            Action::EndCharacters => plain(say::TELL_END_CHARACTERS),
            Action::Shoot { unit: id, target } => {
                unit(say::TELL_SHOOT, *id).with("target", table.called(*target))
            }
            Action::Bombard { unit: id, element, leaf } => {
                let what: Measure = if *leaf { say::LEAF.into() } else { table.works(*element) };
                unit(say::TELL_BOMBARD, *id).with("element", what)
            }
            Action::EndShooting => plain(say::TELL_END_SHOOTING),
            Action::DriveBack(id) => unit(say::TELL_DRIVE_BACK, *id),
            Action::MakeWay(true) => plain(say::TELL_MAKE_WAY_YES),
            Action::MakeWay(false) => plain(say::TELL_MAKE_WAY_NO),
            Action::Dig { unit: id, .. } => unit(say::TELL_DIG, *id),
            Action::EndDig => plain(say::TELL_END_DIG),
            Action::Fight(id) => unit(say::TELL_FIGHT, *id),
            Action::Ram(id) => unit(say::TELL_RAM, *id),
            Action::WaiveRam(id) => unit(say::TELL_WAIVE_RAM, *id),
            Action::React { unit: id, answer: Answer::Oil } => unit(say::TELL_REACT_OIL, *id),
            Action::React { unit: id, answer: Answer::Shoot } => unit(say::TELL_REACT_SHOOT, *id),
            Action::Decline => plain(say::TELL_DECLINE),
            Action::RamAdvance(Some(charge)) => {
                plain(say::TELL_RAM_ADVANCE).with("target", table.target(charge))
            }
            Action::RamAdvance(None) => plain(say::TELL_RAM_ADVANCE_NONE),
            Action::RamMarch(step) => {
                let goal = step.stands.first().map_or_else(|| say::AT_OUT.into(), |way| table.place(way.to));
                unit(say::TELL_RAM_MARCH, step.unit).with("at", goal)
            }
            Action::Assign(stands) => {
                let names: Vec<String> = stands.iter().map(|at| (at + 1).to_string()).collect();
                plain(say::TELL_ASSIGN).with("stands", names.join(", "))
            }
            Action::RemoveStand(stand) => plain(say::TELL_REMOVE_STAND).with("stand", stand + 1),
            Action::KeepOddHits(stand) => plain(say::TELL_KEEP_ODD_HITS).with("stand", stand + 1),
            Action::FallBack(step) => {
                let goal = step.stands.first().map_or_else(|| say::AT_OUT.into(), |way| table.place(way.to));
                unit(say::TELL_FALL_BACK, step.unit).with("at", goal)
            }
            Action::Stand(id) => unit(say::TELL_STAND, *id),
            Action::Pursue(id) => unit(say::TELL_PURSUE, *id),
            Action::Continue => plain(say::TELL_CONTINUE),
            Action::Stop => plain(say::TELL_STOP),
            Action::Advance(id) => unit(say::TELL_ADVANCE, *id),
            Action::AdvanceCharge(charge) => {
                unit(say::TELL_ADVANCE_CHARGE, charge.unit).with("target", table.target(charge))
            }
            Action::AdvanceNone => plain(say::TELL_ADVANCE_NONE),
            Action::Reform { unit: id, .. } => unit(say::TELL_REFORM, *id),
            Action::Keep(id) => unit(say::TELL_KEEP, *id),
            Action::Escape(id) => unit(say::TELL_ESCAPE, *id),
            Action::NameTarget(id) => unit(say::TELL_NAME_TARGET, *id),
            Action::Cast { character, spell } => {
                let told = |phrase| plain(phrase).with("who", table.person(*character));
                match *spell {
                    Spell::FireLine(target) => {
                        told(say::TELL_CAST_FIRE_LINE).with("target", table.called(target))
                    }
                    Spell::CommandVoice(target) => {
                        told(say::TELL_CAST_COMMAND_VOICE).with("target", table.called(target))
                    }
                    Spell::Dread(target) => told(say::TELL_CAST_DREAD).with("target", table.called(target)),
                    Spell::Teleport(to) => told(say::TELL_CAST_TELEPORT).with("at", table.whereabout(to)),
                }
            }
            Action::Dispel(true) => plain(say::TELL_DISPEL_YES),
            Action::Dispel(false) => plain(say::TELL_DISPEL_NO),
            Action::AddItem { unit: id, item: more } => {
                unit(say::TELL_ADD_ITEM, *id).with("item", item(*more))
            }
            Action::Strike { unit: id, stand, target } => {
                unit(say::TELL_STRIKE, *id).with("stand", stand + 1).with("target", table.called(*target))
            }
        }
    }

    fn name(of: Side) -> Phrase {
        side(of)
    }

    fn ending(outcome: &Outcome) -> Saying {
        match outcome.points {
            Some([garrison, besieger]) => Saying::new(say::ENDING_POINTS)
                .with("side", side(outcome.winner))
                .with("garrison", garrison)
                .with("besieger", besieger),
            None => Saying::new(say::ENDING)
                .with("side", side(outcome.winner))
                .with("reason", reason(outcome.reason)),
        }
    }
}
