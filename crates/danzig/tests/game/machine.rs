//! The table of states (`state_machine.csv`) against the game: every decision belongs to a state of the
//! table, its actor and its turns, and follows from the one before by the table's transitions. A state
//! whose entry condition is false is passed over.

use std::collections::{BTreeMap, BTreeSet};

use danzig::{Hand, Owed, Phase, Side, State, relief_turn};
use kernel::{Desk, Game as _, Live, Setup, Silent};
use rulebook::tables::danzig::STATE_MACHINE;

use crate::common::{Manner, random_options};

/// The state of the table in which the game stands.
fn name(state: &State) -> &'static str {
    match state.table.owed.last() {
        Some(Owed::Losses { .. }) => return "LOSS_CHOICE",
        Some(Owed::Retreat { .. }) => return "RETREAT_CHOICE",
        Some(Owed::GiveWay(_)) => return "P22_GIVE_WAY",
        Some(Owed::Occupy { .. }) => return "P22_OCCUPY",
        Some(Owed::Battery(_)) if state.phase == Phase::Assault => return "P244_RELOCATE",
        Some(Owed::Battery(_)) => return "P241_RELOCATE",
        Some(Owed::Excess(_)) => return "P244_EXCESS",
        Some(Owed::Occupier { .. }) => return "P255_OCCUPY",
        None => {}
    }
    match state.hand {
        Hand::Leaving { .. } | Hand::Running { .. } => return "P22_OPPORTUNITY",
        Hand::Charged { .. } => return "P22_REACTION",
        Hand::Exposed(_) => return "P243_OPPORTUNITY",
        Hand::Empty | Hand::Moving(_) | Hand::Fighting(_) => {}
    }
    match state.phase {
        Phase::SetUp => "SETUP_PRUSSIAN",
        Phase::BridgeDeclare => "P21_BRIDGE_DECLARE",
        Phase::Benningsen | Phase::Dauntless => "P21_EVENTS",
        Phase::ArrivalsFrench => "P21_ARRIVALS_FRENCH",
        Phase::ArrivalsKamenski => "P21_ARRIVALS_KAMENSKI",
        Phase::ReplacementFrench => "P21_REPLACEMENT_FRENCH",
        Phase::ReplacementPrussian => "P21_REPLACEMENT_PRUSSIAN",
        Phase::BatteryRepair => "P21_BATTERY_REPAIR",
        Phase::Retreat | Phase::Half | Phase::Move => "P22_MOVE",
        Phase::Redoubt => "P22_REDOUBT",
        Phase::DefensiveFire => "P22_DEFENSIVE_FIRE",
        Phase::Fire => "P22_FIRE",
        Phase::Melee => "P22_MELEE",
        Phase::Repetition | Phase::LastHalf => "P22_ROLLOFF",
        Phase::DesertionRoll | Phase::Desertion => "P23_DESERTION",
        Phase::Mine => "P241_MINE",
        Phase::Mortars => "P241_MORTARS",
        Phase::Guns => "P241_GUNS",
        Phase::Repair => "P242_REPAIR",
        Phase::Build => "P242_BUILD",
        Phase::Enfilade => "P242_ENFILADE",
        Phase::SiegeMove => "P243_MOVE",
        Phase::Assault => "P244_ASSAULT",
        Phase::GarrisonMove => "P251_MOVE",
        Phase::BatteryFire => "P252_FIRE",
        // By option batteries are repaired here too (DZ-R29).
        Phase::WallRepair | Phase::LateBatteryRepair => "P253_REPAIR",
        Phase::Countermine => "P253_COUNTERMINE",
        Phase::Sortie => "P254_SORTIE",
        Phase::SortieFire => "P254_FIELD_FIRE",
        Phase::Defenders => "P254_DEFENDERS",
        Phase::SortieMelee => "P254_MELEES",
        Phase::CounterAttack => "P255_COUNTERATTACK",
        Phase::CounterAttackFire => "P255_FIELD_FIRE",
        Phase::GameOver => "GAME_OVER",
    }
}

/// The table, by state.
struct Machine {
    rows: BTreeMap<&'static str, (&'static str, &'static str)>,
    /// Where the game may stand next after each state, states passed over included.
    next: BTreeMap<&'static str, BTreeSet<&'static str>>,
    interrupts: BTreeSet<&'static str>,
}

impl Machine {
    fn read() -> Self {
        let rows: BTreeMap<_, _> =
            STATE_MACHINE.iter().map(|row| (row.state, (row.turns, row.actor))).collect();
        let mut direct: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut interrupts = BTreeSet::new();
        for row in &STATE_MACHINE {
            if row.next.starts_with("back to") {
                interrupts.insert(row.state);
            }
            let words = row.next.split(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'));
            let named = words.filter_map(|word| rows.get_key_value(word).map(|(state, _)| *state));
            direct.entry(row.state).or_default().extend(named);
        }
        // One counter-attack after the other, by option (DZ-R51), and one sally from each way out.
        direct.entry("P255_OCCUPY").or_default().insert("P255_COUNTERATTACK");
        direct.entry("P255_MELEE").or_default().insert("P255_COUNTERATTACK");
        let mut next = BTreeMap::new();
        for &from in rows.keys() {
            let mut found = BTreeSet::new();
            let mut open: Vec<&str> = direct[from].iter().copied().collect();
            while let Some(state) = open.pop() {
                // Whoever is phasing is always asked whether he passes: nothing goes on past that.
                if found.insert(state) && state != "P22_MOVE" {
                    open.extend(&direct[state]);
                }
            }
            next.insert(from, found);
        }
        Self { rows, next, interrupts }
    }

    /// Checks a decision that comes after one in `before`, the state that any interruption broke into.
    fn check(&self, state: &State, before: &'static str) -> Result<&'static str, String> {
        let now = name(state);
        let (turns, actor) = *self.rows.get(now).ok_or_else(|| format!("no state {now}"))?;
        let turn = state.table.turn;
        let in_turn = match turns.split_once('-') {
            _ if turns == "K" => turn >= relief_turn(&state.table.options),
            _ if turns == "5-9, 11" => matches!(turn, 5..=9 | 11),
            Some((first, last)) => match (first.parse::<u8>(), last.parse::<u8>()) {
                (Ok(first), Ok(last)) => (first..=last).contains(&turn),
                _ => true,
            },
            None => true,
        };
        if !in_turn {
            return Err(format!("{now} on turn {turn}, not {turns}"));
        }
        let phasing = state.clock.phasing;
        let right = match (actor, state.to_move()) {
            ("french", side) => side == Some(Side::French),
            ("prussian", side) => side == Some(Side::Prussian),
            ("phasing player", side) => side == Some(phasing),
            ("non-phasing player", side) => side == Some(phasing.other()),
            ("system", side) => side.is_none(),
            _ => true,
        };
        if !right {
            return Err(format!("{now} is decided by {:?}, not by the {actor}", state.to_move()));
        }
        let follows = now == before || self.next[before].contains(now);
        if self.interrupts.contains(now) {
            let place = match now {
                "P22_OPPORTUNITY" | "P22_REACTION" => before.starts_with("P22_MOVE"),
                "P22_GIVE_WAY" => before == "P22_MELEE",
                "P22_OCCUPY" => matches!(before, "P22_MOVE" | "P22_MELEE"),
                "P243_OPPORTUNITY" => before.starts_with("P24"),
                "P241_RELOCATE" => before.starts_with("P241"),
                "P244_RELOCATE" | "P244_EXCESS" => before == "P244_ASSAULT",
                _ => true,
            };
            return if place { Ok(before) } else { Err(format!("{now} interrupts {before}")) };
        }
        if follows { Ok(now) } else { Err(format!("{now} after {before}")) }
    }
}

#[test]
fn every_decision_follows_the_table_of_states() {
    let machine = Machine::read();
    let mut seen = BTreeSet::new();
    for number in 0..15 {
        let manner = Manner::of(number);
        let mut stream = Live::numbered(number);
        let options = if number % 3 == 2 { random_options(&mut stream) } else { BTreeMap::new() };
        let mut state = State::start(&Setup { scenario: String::new(), options }).expect("legal options");
        let mut desk = Desk::new(Live::numbered(number), Silent);
        let mut actions = Vec::new();
        let mut before = name(&state);
        while let Some(side) = state.to_move() {
            state.actions(side, &mut actions);
            let action = actions[manner.choose(&state, &actions, &mut stream)];
            state.apply(side, &action, &mut desk).expect("offered");
            seen.insert(name(&state));
            before = machine
                .check(&state, before)
                .unwrap_or_else(|fault| panic!("game {number}, after {action:?}: {fault}"));
        }
    }
    for state in [
        "LOSS_CHOICE",
        "P21_ARRIVALS_FRENCH",
        "P21_ARRIVALS_KAMENSKI",
        "P21_EVENTS",
        "P21_REPLACEMENT_FRENCH",
        "P21_REPLACEMENT_PRUSSIAN",
        "P22_DEFENSIVE_FIRE",
        "P22_FIRE",
        "P22_MELEE",
        "P22_MOVE",
        "P22_OCCUPY",
        "P22_OPPORTUNITY",
        "P22_REACTION",
        "P22_REDOUBT",
        "P23_DESERTION",
        "P241_GUNS",
        "P241_MORTARS",
        "P242_BUILD",
        "P242_ENFILADE",
        "P242_REPAIR",
        "P243_MOVE",
        "P243_OPPORTUNITY",
        "P244_ASSAULT",
        "P251_MOVE",
        "P252_FIRE",
        "P253_REPAIR",
        "P254_SORTIE",
        "GAME_OVER",
    ] {
        assert!(seen.contains(state), "no game came to {state}");
    }
}
