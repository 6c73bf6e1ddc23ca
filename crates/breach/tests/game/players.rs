//! Random players: one who does anything, one who goes for the enemy; and the options they play with.

use std::collections::BTreeMap;

use breach::game::{Action, Place, State};
use breach::scenario::{Scenario, Side};
use kernel::{Game as _, Live};
use opponent::Planner as _;
use tabletop::geometry::Point;

/// How somebody plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Anything at all.
    Any,
    /// As the doctrine of the house has it, where that is on the list.
    House,
    /// Always at the enemy.
    Bold,
}

impl Manner {
    /// The manner of a game.
    pub fn of(number: u64) -> Self {
        match number % 4 {
            0 => Self::House,
            1 => Self::Any,
            _ => Self::Bold,
        }
    }

    /// The place of the action chosen.
    pub fn choose(self, state: &State, side: Side, actions: &[Action], dice: &mut Live) -> usize {
        let any = |dice: &mut Live| dice.below(u32::try_from(actions.len()).unwrap()) as usize;
        match self {
            Self::Any => any(dice),
            Self::House => {
                let chosen = State::plan(side, &state.view(Some(side)), actions, dice);
                actions.iter().position(|action| *action == chosen).unwrap_or_else(|| any(dice))
            }
            Self::Bold => {
                if dice.below(8) == 0 {
                    return any(dice);
                }
                let worth: Vec<i64> = actions.iter().map(|action| worth(state, side, action)).collect();
                let best = worth.iter().copied().max().unwrap_or(0);
                let equal: Vec<usize> = (0..actions.len()).filter(|&at| worth[at] == best).collect();
                equal[dice.below(u32::try_from(equal.len()).unwrap()) as usize]
            }
        }
    }
}

/// Where a side goes.
fn goal(state: &State, side: Side, from: Point) -> Point {
    let enemies = state.table.units.iter().filter(|unit| unit.side != side);
    let fronts = enemies.flat_map(|unit| unit.stands).filter_map(|stand| match stand.place {
        Place::Ground { front, .. } => Some(front),
        _ => None,
    });
    let nearest = fronts.min_by_key(|at| at.square_to(from));
    match (state.table.scenario, side) {
        (Scenario::Help, Side::Garrison) => Point::new(from.x, 12_000),
        (Scenario::Watchtower, Side::Garrison) => Point::cm(90, 58),
        (Scenario::Keep, Side::Besieger) => {
            let gate = Point::cm(90, 17);
            nearest.filter(|at| at.square_to(from) < gate.square_to(from)).unwrap_or(gate)
        }
        _ => nearest.unwrap_or(Point::cm(90, 60)),
    }
}

fn worth(state: &State, side: Side, action: &Action) -> i64 {
    match action {
        Action::PlaceTheRest | Action::DeployTheRest | Action::ArmyDone => 900,
        Action::HoldBack(_) => 950,
        Action::Infiltrate { .. } => 850,
        Action::BuyUnit { .. } => 800,
        Action::BuyItem(_) => 700,
        Action::Charge(_)
        | Action::InitiativeCharge(_)
        | Action::InitiativeMachine { .. }
        | Action::AdvanceCharge(_)
        | Action::Climb { .. }
        | Action::Exit(_)
        | Action::RamAdvance(Some(_)) => 800,
        Action::MoveCharacter { to: breach::game::Whereabouts::Out, .. } => 800,
        Action::Ram(_) | Action::Fight(_) | Action::Bombard { .. } | Action::Shoot { .. } => 700,
        Action::React { .. } | Action::Pursue(_) | Action::Advance(_) | Action::Continue => 600,
        Action::RamMarch(_) | Action::Dig { .. } | Action::Reform { .. } | Action::MakeWay(true) => 500,
        Action::March(moves) => {
            let end = moves.first().and_then(|step| {
                step.machine.map(|(front, _)| front).or_else(|| match step.stands.first()?.to {
                    Place::Ground { front, .. } => Some(front),
                    Place::Tower { .. } => Some(Point::cm(90, 58)),
                    _ => None,
                })
            });
            end.map_or(100, |end| 400 - end.gap_to(goal(state, side, end)).rounded() / 100)
        }
        Action::Order(units) => 300 + i64::try_from(units.len()).unwrap(),
        Action::TakeCommand(_) => 250,
        Action::Decline
        | Action::Halt
        | Action::Dismiss
        | Action::EndOrders
        | Action::EndShooting
        | Action::EndDig
        | Action::EndInitiative
        | Action::WaiveRam(_)
        | Action::Abandon(_) => 0,
        _ => 100,
    }
}

/// The options of the ledger that are played, with their values.
pub const OPTIONS: [(&str, &[&str]); 30] = [
    ("ram_after_failure", &["stay_in_contact", "fall_back_10cm"]),
    ("ram_hits", &["one", "one_per_stand"]),
    ("oil_six_aborts_ramming", &["yes", "no"]),
    ("core_edition", &["revolution", "classic"]),
    ("tower_second_round", &["allowed", "never"]),
    ("gate_kind", &["tower", "wall"]),
    ("ram_reaction_timing", &["before_each_attempt", "on_contact_too"]),
    ("ram_reaction_stands", &["whole_unit", "stands_on_section"]),
    ("ram_advance", &["free_move_with_bonus", "charge_only_no_bonus"]),
    ("flyers_beaten_on_walls", &["retreat", "destroyed"]),
    ("earthwork_removal_phase", &["own_turn", "both_turns"]),
    ("scenario3_placement", &["alternate", "defender_all_first"]),
    ("machine_orders", &["one_per_turn", "several_with_extra_penalty"]),
    ("ladder_price", &["per_unit", "per_stand"]),
    ("watchtower_indestructible", &["yes", "no"]),
    ("scenario2_turn_limit", &["none", "8"]),
    ("siege_tie", &["defender_wins", "attacker_wins"]),
    ("tower_drive_back", &["none", "normal"]),
    ("campaign_victory", &["last_battle", "best_of_three"]),
    ("besieger_won_1", &["no", "yes"]),
    ("garrison_won_2", &["no", "yes"]),
    ("army_choice", &["ready_made", "open", "hidden"]),
    ("rampart_inside", &["defended", "open"]),
    ("beaten_from_inside", &["destroyed", "retreat_along"]),
    ("reaction_order", &["one_by_one", "all_declared"]),
    ("machine_excess_hits", &["lost", "carried"]),
    ("reform_after_combat", &["allowed", "collapse_only"]),
    ("machine_start", &["zone", "forward"]),
    ("watchtower_entry", &["both", "garrison_only"]),
    ("infiltration", &["off", "on"]),
];

/// Options drawn by lot.
pub fn options(dice: &mut Live) -> BTreeMap<String, String> {
    let mut drawn = BTreeMap::new();
    for (name, values) in OPTIONS {
        if dice.below(3) == 0 {
            let value = values[dice.below(u32::try_from(values.len()).unwrap()) as usize];
            drawn.insert(name.to_owned(), value.to_owned());
        }
    }
    for (name, value) in [("deployment", "hidden"), ("relief_force", "substitute")] {
        if dice.below(4) == 0 {
            drawn.insert(name.to_owned(), value.to_owned());
        }
    }
    drawn
}

/// The name of what is being decided.
pub fn step(state: &State) -> String {
    let said = state.steps.last().map_or_else(String::new, |step| format!("{step:?}"));
    said.split(['(', ' ', '{']).next().unwrap_or("").to_owned()
}
