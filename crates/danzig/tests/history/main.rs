//! The siege as it was, more or less: a director plays both sides with legal orders and fair dice. Its
//! record is checked in under `scenarios/danzig` with a commentary, and replayed here.
#![allow(clippy::panic, reason = "a test may fail loudly")]

mod french;
mod march;
mod milestones;
mod prussian;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use danzig::ops::{Path as Way, Route};
use danzig::{Action, Cut, Hand, Outcome, Score, Side, State, UnitSet};
use kernel::conformance::golden;
use kernel::record::Deed;
use kernel::{Desk, Game as _, HexHash, Live, Play, Record, Setup, Silent, Source};
use milestones::{Milestone, Watch};

/// The first seed that is tried when the record is written anew.
const FIRST_SEED: u64 = 1807;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/danzig").join(name)
}

fn decide(state: &State, side: Side) -> Action {
    match side {
        Side::French => french::decide(state),
        Side::Prussian => prussian::decide(state),
    }
}

/// Who is taken up or enters marches the whole way that the director has in mind for him, as one order.
fn whole_march(state: &State, side: Side, first: Action) -> Action {
    let (units, entry) = match first {
        Action::TakeUp { units } => (units, None),
        Action::EnterMap { unit, hex } => (UnitSet::of(unit), Some(hex)),
        _ => return first,
    };
    let mut thought = state.clone();
    let mut desk = Desk::new(Live::numbered(0), Silent);
    let mut strides = Vec::new();
    let mut next = first;
    while strides.len() < Way::MOST && thought.apply(side, &next, &mut desk).is_ok() {
        let Hand::Moving(_) = thought.hand else { break };
        if thought.to_move() != Some(side) {
            break;
        }
        next = decide(&thought, side);
        let Action::March(stride) = next else { break };
        strides.push(stride);
    }
    let order = Way::of(&strides).map(|path| Action::MarchAlong(Route { units, entry, path }));
    order.filter(|order| state.validate(side, order).is_ok()).unwrap_or(first)
}

/// Plays the whole game with the dice of a seed: the game, its record, what was seen, and the table at the
/// first decision of each turn.
fn play(seed: u64) -> (Play<State>, String, Watch, BTreeMap<u8, State>) {
    let mut secret = [0; 32];
    secret[..8].copy_from_slice(&seed.to_le_bytes());
    // The morale with which the city of 1807 fell when it did.
    let options = [("morale_start".to_owned(), "19".to_owned())].into();
    let setup = Setup { scenario: danzig::SCENARIOS[0].to_owned(), options };
    let mut game = Play::<State>::begin(&setup, Source::Open(HexHash(secret)), None).expect("a legal set-up");
    let mut record = format!("{}\n", game.header_line());
    let mut watch = Watch::default();
    let mut turns = BTreeMap::new();
    while let Some(side) = game.state().to_move() {
        turns.entry(game.state().table.turn).or_insert_with(|| game.state().clone());
        assert!(game.entries() < 20_000, "the siege does not end");
        let action = whole_march(game.state(), side, decide(game.state(), side));
        let phase = game.state().phase;
        let step = game
            .decide(game.entries(), side, &action)
            .unwrap_or_else(|refusal| panic!("{phase:?}: {action:?}: {refusal:?}"));
        record.push_str(&step.record_line);
        record.push('\n');
        watch.look(game.entries(), &action, game.state());
    }
    (game, record, watch, turns)
}

/// The director plays the game that is checked in, order for order and die for die. When the rules
/// have changed, `GLACIS_GOLDEN=write` looks for the first seed with which the siege goes as it went and
/// writes the record and its commentary anew.
#[test]
fn the_director_plays_the_record() {
    let seed = if std::env::var_os("GLACIS_GOLDEN").is_some_and(|value| value == "write") {
        let went = |seed: &u64| {
            let (game, _, watch, _) = play(*seed);
            as_it_went(game.state(), &watch).is_ok()
        };
        (FIRST_SEED..FIRST_SEED + 500).find(went).expect("a siege like that of 1807")
    } else {
        let record =
            Record::read(&std::fs::read_to_string(file("1807.record")).expect("the record is there"));
        let Source::Open(HexHash(secret)) = record.expect("the record is whole").header.seed else {
            panic!("the dice follow from an open seed");
        };
        let mut number = [0; 8];
        number.copy_from_slice(&secret[..8]);
        u64::from_le_bytes(number)
    };
    let (_, record, watch, turns) = play(seed);
    golden(file("1807.record"), &record);
    golden(file("1807.notes"), &watch.notes());
    // The short scenarios are cuts of this very siege.
    for cut in Cut::ALL {
        let table = State { cut: Some(cut), ..turns[&cut.first_turn()].clone() };
        let text = serde_json::to_string_pretty(&table).expect("plain data");
        golden(file(&format!("{}.json", cut.scenario())), &format!("{text}\n"));
    }
}

/// Whether a siege has all the milestones of 1807, each on its turn; the first that is missing.
fn as_it_went(state: &State, watch: &Watch) -> Result<(), String> {
    use Milestone as M;
    let turn =
        |what: M| watch.seen.get(&what).map(|reached| reached.turn).ok_or(format!("{what:?} never came"));
    let on = |what: M, turns: std::ops::RangeInclusive<u8>| match turn(what)? {
        found if turns.contains(&found) => Ok(()),
        found => Err(format!("{what:?} on turn {found}")),
    };
    on(M::Invested, 2..=2)?;
    on(M::FirstParallel, 2..=2)?;
    on(M::Sortie, 2..=8)?;
    on(M::KalkeTaken, 2..=6)?;
    on(M::SecondParallel, 3..=8)?;
    on(M::ThirdParallel, 4..=8)?;
    on(M::FirstBreach, 8..=10)?;
    on(M::Lodgement, 8..=10)?;
    on(M::CounterAttack, 8..=12)?;
    on(M::Kamenski, 10..=10)?;
    on(M::Lannes, 10..=10)?;
    on(M::CorvetteLost, 11..=11)?;
    on(M::SecondWall, 10..=12)?;
    on(M::Surrender, 12..=12)?;
    let order = [
        M::FirstParallel,
        M::SecondParallel,
        M::ThirdParallel,
        M::FirstBreach,
        M::Lodgement,
        M::SecondWall,
        M::Surrender,
    ];
    if let Some(pair) = order.windows(2).find(|pair| watch.seen[&pair[0]].entry >= watch.seen[&pair[1]].entry)
    {
        return Err(format!("{:?} came after {:?}", pair[0], pair[1]));
    }
    let expected = Some(Outcome { surrendered: Some(12), result: Score::FrenchVictory, cut: None });
    if state.outcome == expected { Ok(()) } else { Err(format!("it ended {:?}", state.outcome)) }
}

/// The record that is checked in is whole and true, and the siege goes as it went.
#[test]
fn the_siege_of_1807() {
    let text = std::fs::read_to_string(file("1807.record")).expect("the record is there");
    let record = Record::read(&text).expect("the record is whole");
    assert!(matches!(record.header.seed, Source::Open(_)), "the dice follow from an open seed");
    let entries = record.entries::<Side, Action>().expect("the entries can be read");
    let mut watch = Watch::default();
    let game = Play::<State>::replay_with(&record, None, |play, _| {
        let at = usize::try_from(play.entries()).expect("a short game") - 1;
        if let Deed::Decide { action, .. } = &entries[at].deed {
            watch.look(play.entries(), action, play.state());
        }
    })
    .expect("the record is true");
    as_it_went(game.state(), &watch).expect("the siege goes as it went");
}
