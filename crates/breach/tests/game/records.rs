//! One game of each scenario, played whole by two bold players with fair dice. The records are checked in
//! under `scenarios/breach` with a commentary in both languages, and replayed here.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use breach::game::{Action, Outcome, Place, Reason, SCENARIOS, State, Whereabouts};
use breach::scenario::{Scenario, Side};
use kernel::conformance::golden;
use kernel::{Game as _, HexHash, Live, Play, Record, Setup, Source};

use crate::invariants;
use crate::players::Manner;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/breach").join(name)
}

/// What is worth a word, once in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Milestone {
    Begun,
    Charged,
    Fallen,
    TowerEntered,
    TowerLost,
    Out,
    LeafDown,
    Breach,
    Rampart,
    Courtyard,
    Slain,
    Ended,
}

/// What has been seen of a game.
#[derive(Default)]
struct Watch {
    seen: Vec<Milestone>,
    notes: String,
}

impl Watch {
    fn note(&mut self, what: Milestone, entry: u64, en: &str, fr: &str) {
        if !self.seen.contains(&what) {
            self.seen.push(what);
            let line = serde_json::json!({ "en": en, "fr": fr, "n": entry });
            writeln!(self.notes, "{line}").unwrap();
        }
    }

    fn look(&mut self, entry: u64, before: &State, action: &Action, after: &State) {
        let (sides_en, sides_fr) = match after.first {
            Side::Garrison => ("the garrison", "la garnison"),
            Side::Besieger => ("the besiegers", "les assiégeants"),
        };
        if after.turn == 1 {
            let en = format!("Both armies stand; the first turn is for {sides_en}.");
            let fr = format!("Les deux armées sont en place ; le premier tour est pour {sides_fr}.");
            self.note(Milestone::Begun, entry, &en, &fr);
        }
        if let Action::Charge(charge) | Action::InitiativeCharge(charge) = action {
            let name = before.table.units[usize::from(charge.unit.0)].name();
            let en = format!("Turn {}: {name} is the first to charge.", after.turn);
            let fr = format!("Tour {} : {name} charge le premier.", after.turn);
            self.note(Milestone::Charged, entry, &en, &fr);
        }
        if let Some(unit) = after.table.units.iter().find(|unit| unit.is_destroyed()) {
            let en = format!("The first unit is gone: {}.", unit.name());
            let fr = format!("La première unité disparaît : {}.", unit.name());
            self.note(Milestone::Fallen, entry, &en, &fr);
        }
        if let Some((unit, _)) = after.table.holder {
            let name = after.table.units[usize::from(unit.0)].name();
            let en = format!("{name} holds the watchtower: two player turns more and the beacon burns.");
            let fr = format!("{name} tient la tour de guet : encore deux tours de joueur et le feu brûle.");
            self.note(Milestone::TowerEntered, entry, &en, &fr);
        }
        if before.table.holder.is_some() && after.table.holder.is_none() && after.outcome.is_none() {
            let en = "Fewer than two stands are left in the watchtower; the count begins anew.";
            let fr = "Il reste moins de deux socles dans la tour de guet ; le compte repart de zéro.";
            self.note(Milestone::TowerLost, entry, en, fr);
        }
        if after.table.stands_out > 0 {
            let en = format!("The first riders are through: {} stands out.", after.table.stands_out);
            let fr =
                format!("Les premiers cavaliers sont passés : {} socles dehors.", after.table.stands_out);
            self.note(Milestone::Out, entry, &en, &fr);
        }
        if after.table.elements.iter().any(|works| works.leaf_down) {
            let en =
                format!("Turn {}: the leaf of the gate is broken; the passage is open for good.", after.turn);
            let fr = format!(
                "Tour {} : le battant de la porte cède ; le passage est ouvert pour de bon.",
                after.turn
            );
            self.note(Milestone::LeafDown, entry, &en, &fr);
        }
        if after.table.elements.iter().any(|works| works.down) {
            let en = format!("Turn {}: an element of the wall falls. There is a breach.", after.turn);
            let fr =
                format!("Tour {} : un élément de l'enceinte s'écroule. La brèche est faite.", after.turn);
            self.note(Milestone::Breach, entry, &en, &fr);
        }
        let besiegers = || after.table.units.iter().filter(|unit| unit.side == Side::Besieger);
        let up = |place: Place| matches!(place, Place::Rampart { .. });
        if let Some(unit) = besiegers().find(|unit| unit.stands.iter().any(|stand| up(stand.place))) {
            let en = format!("{} stands on the rampart.", unit.name());
            let fr = format!("{} est sur le rempart.", unit.name());
            self.note(Milestone::Rampart, entry, &en, &fr);
        }
        let court = |place: Place| matches!(place, Place::Ground { front, .. } if front.y < 1_400 && (7_400..=10_600).contains(&front.x));
        let keep = after.table.scenario == Scenario::Keep;
        if let Some(unit) =
            besiegers().find(|unit| keep && unit.stands.iter().any(|stand| court(stand.place)))
        {
            let en = format!("{} is in the courtyard.", unit.name());
            let fr = format!("{} est dans la cour.", unit.name());
            self.note(Milestone::Courtyard, entry, &en, &fr);
        }
        let slain = after.table.characters.iter().find(|one| one.place == Whereabouts::Slain);
        if let Some(one) = slain {
            let en = format!("{} falls with his men.", one.name());
            let fr = format!("{} tombe avec les siens.", one.name());
            self.note(Milestone::Slain, entry, &en, &fr);
        }
        if let Some(end) = after.outcome() {
            let (en, fr) = ending(&end);
            self.note(Milestone::Ended, entry, &en, &fr);
        }
    }
}

fn ending(end: &Outcome) -> (String, String) {
    let (who_en, who_fr) = match end.winner {
        Side::Garrison => ("The garrison", "La garnison"),
        Side::Besieger => ("The besieger", "L'assiégeant"),
    };
    let (why_en, why_fr) = match end.reason {
        Reason::Held => {
            ("the watchtower was held long enough", "la tour de guet a été tenue assez longtemps")
        }
        Reason::Exit => ("the message is out", "le message est passé"),
        Reason::Broken => ("the other army is broken", "l'armée adverse est démoralisée"),
        Reason::General => ("the enemy's General has fallen", "le général adverse est tombé"),
        Reason::Points => ("the sections are counted", "on compte les sections"),
        Reason::Limit => ("no turn is left", "il ne reste plus de tour"),
        Reason::NoWayLeft => ("nobody is left to get out", "il ne reste personne pour passer"),
    };
    let points = |word: &str| {
        end.points.map_or_else(String::new, |[garrison, besieger]| format!(" ({garrison} {word} {besieger})"))
    };
    (
        format!("{who_en} wins: {why_en}{}.", points("to")),
        format!("{who_fr} gagne : {why_fr}{}.", points("à")),
    )
}

/// Plays a scenario with the dice of a seed.
fn play(scenario: &str, seed: u64) -> (Play<State>, String, Watch) {
    let mut secret = [0; 32];
    secret[..8].copy_from_slice(&seed.to_le_bytes());
    let setup = Setup { scenario: scenario.to_owned(), ..Setup::default() };
    let mut game = Play::<State>::begin(&setup, Source::Open(HexHash(secret)), None).unwrap();
    let mut record = format!("{}\n", game.header_line());
    let mut stream = Live::numbered(seed);
    let mut watch = Watch::default();
    let mut actions = Vec::new();
    while let Some(side) = game.state().to_move() {
        assert!(game.entries() < 6_000, "the game does not end");
        let before = game.state().clone();
        before.actions(side, &mut actions);
        let action = actions[Manner::Bold.choose(&before, side, &actions, &mut stream)].clone();
        let step = game.decide(game.entries(), side, &action).unwrap();
        record.push_str(&step.record_line);
        record.push('\n');
        watch.look(game.entries(), &before, &action, game.state());
    }
    (game, record, watch)
}

/// Whether a game is worth keeping: it is decided on the table, and the siege has its breach and its
/// storm.
fn worth_keeping(state: &State, watch: &Watch) -> bool {
    let has = |what| watch.seen.contains(&what);
    let Some(end) = state.outcome() else { return false };
    match state.table.scenario {
        Scenario::Watchtower => has(Milestone::TowerEntered) && has(Milestone::Charged),
        Scenario::Help => end.reason != Reason::Limit && has(Milestone::Out),
        Scenario::Keep => has(Milestone::Breach) && has(Milestone::Charged),
    }
}

/// The games that are checked in are played order for order and die for die. When the rules have changed,
/// `GLACIS_GOLDEN=write` looks for the first seeds worth keeping and writes records and commentaries anew.
#[test]
fn the_players_play_the_records() {
    let anew = std::env::var_os("GLACIS_GOLDEN").is_some_and(|value| value == "write");
    for scenario in &SCENARIOS[..3] {
        let seed = if anew {
            let kept = |seed: &u64| {
                let (game, _, watch) = play(scenario, *seed);
                worth_keeping(game.state(), &watch)
            };
            (1..200).find(kept).unwrap()
        } else {
            let text = std::fs::read_to_string(file(&format!("{scenario}.record"))).unwrap();
            let Source::Open(HexHash(secret)) = Record::read(&text).unwrap().header.seed else {
                panic!("the dice follow from an open seed");
            };
            let mut number = [0; 8];
            number.copy_from_slice(&secret[..8]);
            u64::from_le_bytes(number)
        };
        let (_, record, watch) = play(scenario, seed);
        golden(file(&format!("{scenario}.record")), &record);
        golden(file(&format!("{scenario}.notes")), &watch.notes);
    }
}

/// The records that are checked in are whole and true, keep the law, and tell what they say they tell.
#[test]
fn the_records_are_true() {
    for scenario in &SCENARIOS[..3] {
        let text = std::fs::read_to_string(file(&format!("{scenario}.record"))).unwrap();
        let record = Record::read(&text).unwrap();
        let game = Play::<State>::replay_with(&record, None, |play, _| {
            invariants::check(play.state()).unwrap();
        })
        .unwrap();
        let end = game.state().outcome().unwrap();
        let notes = std::fs::read_to_string(file(&format!("{scenario}.notes"))).unwrap();
        let last: serde_json::Value = serde_json::from_str(notes.lines().last().unwrap()).unwrap();
        let (en, fr) = ending(&end);
        assert_eq!((last["en"].as_str(), last["fr"].as_str()), (Some(&*en), Some(&*fr)));
        assert_eq!(last["n"].as_u64(), Some(game.entries()));
    }
}
