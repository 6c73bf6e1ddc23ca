//! Orders that both sides write at once: sealed until the last is in, then opened in the order of the
//! sides; and what a forger, a crash, another server and a real table make of them.

use countermine::{Action, Countermine, Phase, Side, setup};
use kernel::record::{HexHash, Offer, Record, Source, commitment, record_phrase};
use kernel::{Game, Play, Seed, Sides, StepKind, Terms, phrase};

use Side::{Besieger, Garrison};

type Siege = Play<Countermine>;

const SECRET: Seed = [7; 32];
const SAP: Action = Action::Sap(2);
const PATROL: Action = Action::Patrol(2);

/// A game at its first night, and its lines.
fn night(source: Source, secret: Option<Seed>) -> (Siege, Vec<String>) {
    let mut play = Siege::begin(&setup("dark", None), source, secret).unwrap();
    let mut lines = vec![play.header_line().to_owned()];
    for (side, action) in [
        (Garrison, Action::Lay(1)),
        (Besieger, Action::Dig(2)),
        (Besieger, Action::Dig(0)),
        (Garrison, Action::Hold),
    ] {
        lines.push(play.decide(play.entries(), side, &action).unwrap().record_line);
    }
    assert_eq!((play.state().phase, play.awaited().count()), (Phase::Night, 2));
    (play, lines)
}

fn secret_night() -> (Siege, Vec<String>) {
    night(Source::Committed(HexHash(commitment(&SECRET))), Some(SECRET))
}

/// Everything that follows by itself.
fn open_all(play: &mut Siege, lines: &mut Vec<String>) -> Vec<(Side, Action)> {
    let mut opened = Vec::new();
    while let Some(next) = play.open_next() {
        lines.push(next.step.record_line);
        opened.push((next.side, next.action));
    }
    opened
}

fn record(lines: &[String]) -> Record {
    Record::read(&(lines.join("\n") + "\n")).unwrap()
}

/// The record with `change` made to a line, and the chain made whole again.
fn resealed(lines: &[String], number: usize, change: impl Fn(&str) -> String) -> Vec<String> {
    let mut chain = [0; 32];
    let mut whole = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let (body, _) = line.rsplit_once(",\"chain\":\"").unwrap();
        let body = if at == number { change(body) } else { body.to_owned() };
        let hash = blake3::keyed_hash(&chain, body.as_bytes());
        chain = *hash.as_bytes();
        whole.push(format!("{body},\"chain\":\"{hash}\"}}"));
    }
    whole
}

#[test]
fn nobody_reads_an_order_before_the_last_is_in_and_then_all_are_carried_out_in_the_order_of_the_sides() {
    let (mut play, mut lines) = secret_night();
    let before = play.state().clone();
    let step = play.decide(4, Garrison, &PATROL).unwrap();
    assert_eq!((step.kind, step.said.len(), play.state()), (StepKind::Plain, 0, &before));
    assert_eq!(play.sealed().collect::<Vec<_>>(), [(1, step.commitment.unwrap())]);
    assert_eq!(play.awaited(), Sides::one(0));
    assert!(!step.record_line.contains("patrol"), "{}", step.record_line);
    lines.push(step.record_line);
    assert!(play.open_next().is_none());
    // The other was at the same point of the game all the time.
    let step = play.decide(4, Besieger, &SAP).unwrap();
    assert_eq!(step.record_line.len(), lines.last().unwrap().len() + "besieger".len() - "garrison".len());
    lines.push(step.record_line);
    assert_eq!(open_all(&mut play, &mut lines), [(Besieger, SAP), (Garrison, PATROL)]);
    assert_eq!((play.sealed().count(), play.state().phase), (0, Phase::Works(2)));
    // Whoever reads the record, with or without the seed, comes to the same.
    let again = Siege::replay(&record(&lines), None).unwrap();
    assert_eq!((again.state(), again.chain()), (play.state(), play.chain()));
}

#[test]
fn an_order_can_be_changed_and_taken_back_until_the_last_is_in() {
    let (mut play, mut lines) = secret_night();
    let mut keep = |step: kernel::Step| {
        lines.push(step.record_line);
        step.commitment
    };
    let first = keep(play.decide(4, Besieger, &Action::Sleep).unwrap());
    let second = keep(play.decide(4, Besieger, &Action::Sleep).unwrap());
    assert_ne!(first, second, "the same order has another salt");
    keep(play.undo(4, Besieger).unwrap());
    assert_eq!((play.awaited().count(), play.moved()), (2, 4));
    keep(play.decide(4, Besieger, &SAP).unwrap());
    assert_eq!(play.own_sealed(Besieger), Some(SAP));
    let refused = play.decide(4, Garrison, &SAP).unwrap_err();
    assert_eq!(refused.reason.key(), "ex-not-by-night");
    keep(play.decide(4, Garrison, &Action::Sleep).unwrap());
    assert_eq!(open_all(&mut play, &mut lines).len(), 2);
    assert_eq!(play.state().galleries[2].dug, 2);
    assert_eq!(play.undo(play.entries(), Garrison).unwrap_err().reason, phrase::NOTHING_TO_UNDO);
    Siege::replay(&record(&lines), None).unwrap();
}

#[test]
fn what_was_decided_at_once_is_taken_back_at_once() {
    let (mut play, mut lines) = secret_night();
    for (side, action) in [(Besieger, SAP), (Garrison, Action::Patrol(0))] {
        lines.push(play.decide(4, side, &action).unwrap().record_line);
    }
    open_all(&mut play, &mut lines);
    for (side, offered) in [(Garrison, true), (Besieger, false)] {
        let now = play.entries();
        let step =
            if offered { play.offer(now, side, Offer::TakeBack) } else { play.accept(now, side) }.unwrap();
        lines.push(step.record_line);
    }
    assert_eq!((play.state().phase, play.awaited().count()), (Phase::Night, 2));
    let again = Siege::replay(&record(&lines), None).unwrap();
    assert_eq!(again.state(), play.state());
}

#[test]
fn an_order_that_was_not_sealed_so_is_refused_by_whoever_reads_the_record() {
    let (mut play, mut lines) = secret_night();
    for (side, action) in [(Besieger, SAP), (Garrison, Action::Patrol(0))] {
        lines.push(play.decide(4, side, &action).unwrap().record_line);
    }
    open_all(&mut play, &mut lines);
    // Without the seed: the orders opened must be those committed to, and in their turn.
    let forged = resealed(&lines, 7, |body| body.replace("{\"sap\":2}", "{\"sap\":3}"));
    let refusal = Siege::replay(&record(&forged), None).unwrap_err();
    assert_eq!((refusal.reason, refusal.facts[0].value.to_string()), (record_phrase::SEAL, "8".to_owned()));
    let mut swapped = lines.clone();
    swapped.swap(7, 8);
    let renumbered = |body: &str| body.replace("\"n\":8", "\"n\":7");
    let swapped = resealed(&resealed(&swapped[..8], 7, renumbered), 0, str::to_owned);
    assert_eq!(Siege::replay(&record(&swapped), None).unwrap_err().reason, record_phrase::REFUSED);
    // Openly decided, where it must be sealed.
    let open = resealed(&lines[..6], 5, |_| {
        let (body, _) = lines[7].rsplit_once(",\"chain\":\"").unwrap();
        let (before, salted) = body.split_once(",\"salt\":\"").unwrap();
        let (_, after) = salted.split_once('"').unwrap();
        format!("{before}{after}").replace("\"n\":7", "\"n\":5")
    });
    let refusal = Siege::replay(&record(&open), None).unwrap_err();
    assert_eq!((refusal.reason, refusal.facts[0].value.to_string()), (record_phrase::SEAL, "6".to_owned()));
    // With the seed: what lies under the mask must be the order, and a legal one.
    lines.push(play.resign(play.entries(), Garrison).unwrap().record_line);
    lines.push(play.reveal_at_the_end().unwrap());
    Siege::replay(&record(&lines), None).unwrap();
    let masked = resealed(&lines, 5, |body| {
        let (start, rest) = body.split_once("\"masked\":\"").unwrap();
        let digit = if rest.starts_with('0') { '1' } else { '0' };
        format!("{start}\"masked\":\"{digit}{}", &rest[1..])
    });
    let refusal = Siege::replay(&record(&masked), None).unwrap_err();
    assert_eq!((refusal.reason, refusal.facts[0].value.to_string()), (record_phrase::SEAL, "6".to_owned()));
}

#[test]
fn sealed_orders_outlive_a_crash_and_stay_with_who_has_the_seed() {
    let (mut play, mut lines) = secret_night();
    lines.push(play.decide(4, Besieger, &SAP).unwrap().record_line);
    let (header, last) = (&lines[0], lines.last().unwrap());
    let snapshot = play.snapshot();
    let mut resumed = Siege::resume(header, Some(SECRET), last, &snapshot).unwrap();
    let blind = Siege::resume(header, None, last, &snapshot).unwrap();
    assert_eq!((resumed.own_sealed(Besieger), blind.own_sealed(Besieger)), (Some(SAP), None));
    let mut read = Siege::open(header, Some(SECRET)).unwrap();
    lines[1..].iter().for_each(|line| drop(read.follow(line).unwrap()));
    for play in [&mut play, &mut resumed, &mut read] {
        play.decide(4, Garrison, &PATROL).unwrap();
        open_all(play, &mut Vec::new());
    }
    assert_eq!((resumed.chain(), read.chain()), (play.chain(), play.chain()));
}

#[test]
fn sealed_orders_lapse_when_another_server_takes_the_game_over() {
    let (mut play, mut lines) = secret_night();
    lines.push(play.decide(4, Besieger, &SAP).unwrap().record_line);
    let mut taken = Siege::replay(&record(&lines), None).unwrap();
    lines.push(taken.adopt([9; 32], Terms::default()).unwrap());
    assert_eq!((taken.awaited().count(), taken.sealed().count()), (2, 0));
    for (side, action) in [(Besieger, Action::Sleep), (Garrison, Action::Sleep)] {
        lines.push(taken.decide(taken.entries(), side, &action).unwrap().record_line);
    }
    open_all(&mut taken, &mut lines);
    assert_eq!(Siege::replay(&record(&lines), None).unwrap().chain(), taken.chain());
}

#[test]
fn at_a_real_table_the_dice_are_rolled_when_all_orders_are_in() {
    let (mut play, mut lines) = night(Source::Table, Some(SECRET));
    lines.push(play.decide(4, Besieger, &SAP).unwrap().record_line);
    // Whoever is last must not learn from the dice that are asked for what the other has ordered.
    let early = play.decide_with(4, Garrison, &PATROL, &[4]).unwrap_err();
    assert_eq!(early.reason, phrase::DICE_NOT_ASKED);
    lines.push(play.decide(4, Garrison, &PATROL).unwrap().record_line);
    assert_eq!(open_all(&mut play, &mut lines), [(Besieger, SAP)]);
    let mut offered = Vec::new();
    play.actions(Garrison, &mut offered);
    assert_eq!((play.deciders(), offered), (Sides::one(Countermine::place(Garrison)), vec![PATROL]));
    let now = play.entries();
    let changed = play.decide_with(now, Garrison, &Action::Sleep, &[]).unwrap_err();
    assert_eq!(changed.reason, phrase::ORDER_SEALED);
    assert_eq!(play.decide(now, Garrison, &PATROL).unwrap_err().reason, phrase::DIE_MISSING);
    assert_eq!(play.decide_with(now, Besieger, &SAP, &[]).unwrap_err().reason, phrase::NOT_YOUR_DECISION);
    assert_eq!(play.undo(now, Besieger).unwrap_err().reason, phrase::NOTHING_TO_UNDO);
    // Taken over here, the whole night begins again.
    let mut taken = Siege::replay(&record(&lines), None).unwrap();
    taken.adopt([9; 32], Terms::default()).unwrap();
    assert_eq!((taken.state().phase, taken.awaited().count()), (Phase::Night, 2));
    lines.push(play.decide_with(now, Garrison, &PATROL, &[4]).unwrap().record_line);
    assert_eq!((play.state().phase, play.state().galleries[2].dug), (Phase::Works(2), 0));
    let again = Siege::replay(&record(&lines), None).unwrap();
    assert_eq!(again.chain(), play.chain());
}
