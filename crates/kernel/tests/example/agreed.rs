//! What players do to a game beside its rules: give up, agree on a draw, let each other take back;
//! and a game that goes on from a snapshot.

use kernel::record::{Ending, HexHash, Offer, Record, Source, record_phrase};
use kernel::{Play, Seed, phrase};

use countermine::{Action, Countermine, Side, setup};

use Side::{Besieger, Garrison};

type Siege = Play<Countermine>;

const SEED: Seed = [7; 32];

/// A game with a gallery listened in, and its lines.
fn listened() -> (Siege, Vec<String>) {
    let mut play = Siege::begin(&setup("narrow", None), Source::Open(HexHash(SEED)), None).unwrap();
    let mut lines = vec![play.header_line().to_owned()];
    for (side, action) in
        [(Garrison, Action::Lay(1)), (Besieger, Action::Dig(0)), (Besieger, Action::Listen(1))]
    {
        lines.push(play.decide(play.entries(), side, &action).unwrap().record_line);
    }
    (play, lines)
}

fn verified(lines: &[String]) -> Siege {
    Siege::replay(&Record::read(&(lines.join("\n") + "\n")).unwrap(), None).unwrap()
}

#[test]
fn a_revelation_is_taken_back_when_the_other_side_agrees() {
    let (mut play, mut lines) = listened();
    assert_eq!(play.undo(3, Besieger).unwrap_err().reason, phrase::NOTHING_TO_UNDO);
    lines.push(play.offer(3, Besieger, Offer::TakeBack).unwrap().record_line);
    assert_eq!(play.offered(), Some((Besieger, Offer::TakeBack)));
    assert_eq!(play.offer(4, Garrison, Offer::Draw).unwrap_err().reason, phrase::OFFER_PENDING);
    assert_eq!(play.accept(4, Besieger).unwrap_err().reason, phrase::NO_OFFER);
    lines.push(play.accept(4, Garrison).unwrap().record_line);
    assert!(!play.state().galleries[1].known && play.state().galleries[0].dug == 1);
    assert_eq!(verified(&lines).chain(), play.chain());
}

#[test]
fn an_offer_lapses_with_the_next_decision_and_can_be_declined_or_withdrawn() {
    let (mut play, mut lines) = listened();
    lines.push(play.offer(3, Besieger, Offer::Draw).unwrap().record_line);
    lines.push(play.decide(4, Garrison, &Action::Hold).unwrap().record_line);
    assert_eq!(play.accept(5, Garrison).unwrap_err().reason, phrase::NO_OFFER);
    lines.push(play.offer(5, Besieger, Offer::Draw).unwrap().record_line);
    lines.push(play.decline(6, Garrison).unwrap().record_line);
    assert_eq!(play.decline(7, Garrison).unwrap_err().reason, phrase::NO_OFFER);
    assert_eq!(play.offered(), None);
    assert_eq!(verified(&lines).chain(), play.chain());
}

#[test]
fn a_draw_or_a_resignation_ends_the_game() {
    for draw in [true, false] {
        let (mut play, mut lines) = listened();
        if draw {
            lines.push(play.offer(3, Besieger, Offer::Draw).unwrap().record_line);
            lines.push(play.accept(4, Garrison).unwrap().record_line);
            assert_eq!(play.ending(), Some(Ending::Drawn));
        } else {
            lines.push(play.resign(3, Garrison).unwrap().record_line);
            assert_eq!(play.ending(), Some(Ending::Resigned(Garrison)));
        }
        assert!(play.is_over() && play.deciders().is_empty());
        let n = play.entries();
        assert_eq!(play.decide(n, Garrison, &Action::Hold).unwrap_err().reason, phrase::GAME_OVER);
        assert_eq!(play.resign(n, Besieger).unwrap_err().reason, phrase::GAME_OVER);
        assert_eq!(verified(&lines).ending(), play.ending());
    }
}

#[test]
fn a_game_goes_on_from_a_snapshot_as_if_it_had_never_stopped() {
    let (mut play, lines) = listened();
    let snapshot = play.snapshot();
    let mut resumed = Siege::resume(&lines[0], None, &lines[3], &snapshot).unwrap();
    assert!(resumed.is_forgetful() && !play.is_forgetful());
    let hold = play.decide(3, Garrison, &Action::Hold).unwrap().record_line;
    assert_eq!(resumed.follow(&hold).unwrap().record_line, hold);
    let one = play.decide(4, Besieger, &Action::Dig(0)).unwrap().record_line;
    let other = resumed.decide(4, Besieger, &Action::Dig(0)).unwrap().record_line;
    assert_eq!(one, other);
    assert_eq!(play.chain(), resumed.chain());
}

#[test]
fn a_snapshot_of_another_moment_or_a_spoiled_one_is_refused() {
    let (play, lines) = listened();
    let snapshot = play.snapshot();
    let reason =
        |line: &str, snapshot: &[u8]| Siege::resume(&lines[0], None, line, snapshot).unwrap_err().reason;
    assert_eq!(reason(&lines[2], &snapshot), record_phrase::STATE);
    for place in 0..snapshot.len() {
        let mut spoiled = snapshot.clone();
        spoiled[place] ^= 1;
        assert_eq!(reason(&lines[3], &spoiled), record_phrase::STATE, "byte {place}");
    }
    assert_eq!(reason(&lines[3], &snapshot[..5]), record_phrase::STATE);
}

#[test]
fn a_resumed_game_does_not_guess_what_it_has_forgotten() {
    let (mut play, lines) = listened();
    let offer = play.offer(3, Besieger, Offer::TakeBack).unwrap().record_line;
    let mut resumed = Siege::resume(&lines[0], None, &offer, &play.snapshot()).unwrap();
    assert_eq!(resumed.offered(), Some((Besieger, Offer::TakeBack)));
    assert_eq!(resumed.accept(4, Garrison).unwrap_err().reason, phrase::NOTHING_TO_UNDO);
    assert!(play.accept(4, Garrison).is_ok());
}

#[test]
fn a_line_that_does_not_follow_is_refused() {
    let (mut play, lines) = listened();
    assert_eq!(play.follow(&lines[3]).unwrap_err().reason, record_phrase::ALTERED);
    assert_eq!(play.follow("{}").unwrap_err().reason, record_phrase::NO_ENTRY);
    assert_eq!(Siege::open(&lines[1], None).unwrap_err().reason, record_phrase::NO_HEADER);
}
