//! Fair dice: nothing that a player can repeat changes or tells the dice to come; each seat may put a
//! seed of its own into them; a game taken over rolls with dice nobody knew; and what a live game
//! refuses is refused in a record too, however well its chain is sealed.

use kernel::record::{HexHash, Offer, Record, Source, Terms, commitment, record_phrase};
use kernel::{MOST_ENTRIES, Measure, Phrase, Play, Seed, Verdict, phrase};
use serde_json::{Value, json};

use countermine::{Action, Countermine, Side, setup};

use Side::{Besieger, Garrison};

type Siege = Play<Countermine>;

const SEED: Seed = [7; 32];

fn committed() -> Source {
    Source::Committed(HexHash(commitment(&SEED)))
}

fn machine(take_backs: bool) -> Terms {
    Terms { machines: vec!["garrison".to_owned()], take_backs }
}

/// A game and its lines.
struct Kept {
    play: Siege,
    lines: Vec<String>,
}

impl Kept {
    fn begin(terms: Terms) -> Self {
        let play = Siege::begin_on(&setup("narrow", None), committed(), Some(SEED), terms).unwrap();
        let lines = vec![play.header_line().to_owned()];
        Self { play, lines }
    }

    fn decide(&mut self, side: Side, action: Action) -> Vec<u8> {
        let step = self.play.decide(self.play.entries(), side, &action).unwrap();
        self.lines.push(step.record_line);
        step.dice
    }

    /// Up to the moment before the first assault.
    fn dug(mut self) -> Self {
        for (side, action) in [
            (Garrison, Action::Lay(1)),
            (Besieger, Action::Dig(0)),
            (Besieger, Action::Dig(0)),
            (Garrison, Action::Hold),
        ] {
            self.decide(side, action);
        }
        self
    }

    fn pledge(&mut self, side: Side, seed: u8) -> Verdict<()> {
        self.lines.push(self.play.pledge(side, &[seed; 32])?.record_line);
        Ok(())
    }

    /// Ends the game and reveals the seed.
    fn over(&mut self) {
        if !self.play.is_over() {
            self.lines.push(self.play.resign(self.play.entries(), Garrison).unwrap().record_line);
        }
        self.lines.extend(self.play.reveal_at_the_end());
    }

    /// The game from its last snapshot.
    fn resumed(&self, secret: Seed) -> Siege {
        let last = self.lines.last().unwrap();
        Siege::resume(&self.lines[0], Some(secret), last, &self.play.snapshot()).unwrap()
    }
}

fn verify(lines: &[String]) -> Verdict<Siege> {
    Siege::replay(&Record::read(&(lines.join("\n") + "\n"))?, None)
}

fn reason(refused: Verdict<impl Sized>) -> Phrase {
    refused.err().expect("a refusal").reason
}

/// Why a record is refused: the phrase, its line and the reason behind it.
fn blamed(lines: &[String]) -> (Phrase, i64, String) {
    let refusal = verify(lines).expect_err("a refusal");
    let fact = |name| refusal.facts.iter().find(|fact| fact.name == name).map(|fact| fact.value.clone());
    let line = match fact("line") {
        Some(Measure::Number(line)) => line,
        _ => 0,
    };
    let detail = fact("detail").map(|detail| detail.to_string()).unwrap_or_default();
    (refusal.reason, line, detail)
}

/// Puts an entry into a record and seals the chain anew: all that a forger can do.
fn inserted(lines: &[String], place: usize, entry: Value) -> Vec<String> {
    let mut bodies: Vec<(Option<Value>, &str)> = lines.iter().map(|line| (None, line.as_str())).collect();
    let state = serde_json::from_str::<Value>(&lines[place - 1]).unwrap()["state"].clone();
    bodies.insert(place, (Some(entry), ""));
    let mut chain = [0; 32];
    let seal = |(number, (entry, line)): (usize, (Option<Value>, &str))| {
        let mut value = entry.unwrap_or_else(|| serde_json::from_str(line).unwrap());
        let body = if number == 0 {
            line.rsplit_once(",\"chain\"").unwrap().0.to_owned()
        } else {
            value["n"] = number.into();
            if value["state"].is_null() {
                value["state"] = state.clone();
            }
            let field = |name: &str| format!("\"{name}\":{}", value[name]);
            format!("{{{}", ["n", "side", "deed", "state"].map(field).join(","))
        };
        let hash = blake3::keyed_hash(&chain, body.as_bytes());
        chain = *hash.as_bytes();
        format!("{body},\"chain\":\"{hash}\"}}")
    };
    bodies.into_iter().enumerate().map(seal).collect()
}

#[test]
fn nothing_that_costs_nothing_changes_the_next_dice() {
    let storm = |before: &dyn Fn(&mut Siege)| {
        let mut game = Kept::begin(Terms::default()).dug();
        before(&mut game.play);
        let entries = game.play.entries();
        game.play.decide(entries, Besieger, &Action::Assault(0)).unwrap().dice
    };
    let dice = storm(&|_| {});
    let now = |play: &Siege| play.entries();
    assert_eq!(dice.len(), 1);
    for times in 1..20 {
        let draws = |play: &mut Siege| {
            for _ in 0..times {
                play.offer(now(play), Besieger, Offer::Draw).unwrap();
                play.decline(now(play), Besieger).unwrap();
            }
        };
        assert_eq!(storm(&draws), dice, "{times} draws offered and withdrawn");
        let words = |play: &mut Siege| drop(play.words(now(play), Besieger, &"alea ".repeat(times)).unwrap());
        assert_eq!(storm(&words), dice, "words");
        let back = |play: &mut Siege| {
            for _ in 0..times {
                play.decide(now(play), Besieger, &Action::Dig(1)).unwrap();
                play.undo(now(play), Besieger).unwrap();
            }
        };
        assert_eq!(storm(&back), dice, "{times} steps taken and taken back");
    }
}

#[test]
fn equivalent_orders_roll_the_same_dice() {
    // Both galleries are finished; whichever the assault goes through, the die is the same.
    let both = || {
        let mut game = Kept::begin(Terms::default()).dug();
        for (side, action) in
            [(Besieger, Action::Dig(1)), (Besieger, Action::Dig(1)), (Garrison, Action::Hold)]
        {
            game.decide(side, action);
        }
        game
    };
    assert_eq!(both().decide(Besieger, Action::Assault(0)), both().decide(Besieger, Action::Assault(1)));
}

#[test]
fn a_roll_taken_back_is_never_rolled_again() {
    let mut game = Kept::begin(Terms::default()).dug();
    let mut rolled = Vec::new();
    for _ in 0..30 {
        rolled.extend(game.decide(Besieger, Action::Assault(0)));
        if game.play.is_over() {
            break;
        }
        let n = game.play.entries();
        game.lines.push(game.play.offer(n, Besieger, Offer::TakeBack).unwrap().record_line);
        game.lines.push(game.play.accept(n + 1, Garrison).unwrap().record_line);
    }
    assert!(rolled.len() > 1 && rolled.iter().any(|face| *face != rolled[0]), "{rolled:?}");
    let again = verify(&game.lines).unwrap();
    assert_eq!(usize::try_from(again.fairness().rolls_taken_back).unwrap(), rolled.len() - 1);
}

#[test]
fn each_seat_puts_in_one_seed_before_the_first_die() {
    let mut game = Kept::begin(Terms::default());
    game.pledge(Besieger, 1).unwrap();
    assert_eq!(reason(game.pledge(Besieger, 2)), phrase::PLEDGED_ALREADY);
    let mut game = game.dug();
    game.pledge(Garrison, 2).unwrap();
    assert_eq!(game.play.moved(), 5, "a pledge makes nobody's order stale");
    game.play.clone().decide(5, Besieger, &Action::Assault(0)).unwrap();
    game.decide(Besieger, Action::Assault(0));
    let mut late = Kept::begin(Terms::default()).dug();
    late.decide(Besieger, Action::Assault(0));
    assert_eq!(reason(late.pledge(Garrison, 2)), phrase::PLEDGE_TOO_LATE);
    game.over();
    assert_eq!(reason(game.pledge(Garrison, 3)), phrase::GAME_OVER);
    let again = verify(&game.lines).unwrap();
    let provenance = again.fairness().provenance;
    assert_eq!(provenance.pledges.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [0, 1]);
    assert!(provenance.checked, "the seed revealed opens what the seats pledged");
    let mut open = Siege::begin(&setup("narrow", None), Source::Open(HexHash(SEED)), None).unwrap();
    assert_eq!(reason(open.pledge(Garrison, &SEED)), phrase::NO_PLEDGES);
    assert_eq!(reason(Kept::begin(machine(false)).pledge(Garrison, 1)), phrase::NO_PLEDGES);
}

#[test]
fn every_seed_of_a_seat_changes_the_dice() {
    let storm = |seed: Option<u8>| {
        let mut game = Kept::begin(Terms::default());
        if let Some(seed) = seed {
            game.pledge(Garrison, seed).unwrap();
        }
        game.dug().decide(Besieger, Action::Assault(0))
    };
    let faces: std::collections::BTreeSet<_> = (0..60).map(|seed| storm(Some(seed))).collect();
    assert_eq!(faces.len(), 6, "{faces:?}");
    assert_eq!(storm(None), storm(None));
}

#[test]
fn a_pledge_that_does_not_hold_its_seed_comes_out_with_the_servers() {
    let mut game = Kept::begin(Terms::default());
    game.pledge(Garrison, 2).unwrap();
    let mut game = game.dug();
    game.over();
    let other = json!({ "side": "besieger", "deed": { "pledge": {
        "commitment": "11".repeat(32), "sealed": "22".repeat(32) } } });
    let (phrase, line, _) = blamed(&inserted(&game.lines, 2, other.clone()));
    assert_eq!((phrase, line), (record_phrase::PLEDGE, 3));
    // While the server's seed is secret nobody can tell; when it comes it does not open the pledge.
    let secret: Vec<String> = game.lines[..3].to_vec();
    let mut open = verify(&inserted(&secret, 2, other)).unwrap();
    assert_eq!(reason(open.entrust(SEED)), record_phrase::COMMITMENT);
}

#[test]
fn what_the_table_refuses_the_record_refuses() {
    let mut game = Kept::begin(Terms::default());
    game.pledge(Garrison, 2).unwrap();
    let mut game = game.dug();
    game.decide(Besieger, Action::Assault(0));
    let lines = &game.lines;
    let end = lines.len();
    let pledge = json!({ "pledge": { "commitment": "11".repeat(32), "sealed": "22".repeat(32) } });
    let entry = |side: &str, deed: Value| json!({ "side": side, "deed": deed });
    for (name, place, entry, behind) in [
        ("a pledge after the first die", end, entry("besieger", pledge.clone()), "kernel-pledge-too-late"),
        ("a second pledge", 2, entry("garrison", pledge), "kernel-pledged-already"),
        (
            "words without end",
            end,
            entry("garrison", json!({ "words": "x".repeat(201) })),
            "kernel-wrong-length",
        ),
        ("no words", end, entry("garrison", json!({ "words": "" })), "kernel-wrong-length"),
        ("an answer to nothing", end, entry("garrison", json!("accept")), "kernel-no-offer"),
        ("to take back a roll alone", end, entry("besieger", json!("undo")), "kernel-nothing-to-undo"),
    ] {
        let (phrase, line, detail) = blamed(&inserted(lines, place, entry));
        assert_eq!((phrase, line), (record_phrase::REFUSED, i64::try_from(place + 1).unwrap()), "{name}");
        assert!(detail.contains(behind), "{name}: {detail}");
    }
    let reveal = json!({ "side": null, "deed": { "reveal": "07".repeat(32) } });
    let (phrase, line, _) = blamed(&inserted(lines, end, reveal));
    assert_eq!((phrase, line), (record_phrase::REVEALED, i64::try_from(end + 1).unwrap()));
    game.over();
    let end = game.lines.len();
    let (phrase, line, detail) =
        blamed(&inserted(&game.lines, end, entry("garrison", json!({ "words": "well played" }))));
    assert_eq!((phrase, line), (record_phrase::REFUSED, i64::try_from(end + 1).unwrap()));
    assert!(detail.contains("kernel-game-over"), "{detail}");
}

#[test]
fn a_game_taken_over_rolls_dice_that_its_importer_cannot_know() {
    const FRESH: Seed = [9; 32];
    let mut importer = Kept::begin(Terms::default()).dug();
    let known = importer.play.clone().decide(4, Besieger, &Action::Assault(0)).unwrap().dice;
    // Some seed of the new server rolls another die than the importer foresaw.
    let faces = (0..20).map(|seed| {
        let mut play = verify(&importer.lines).unwrap();
        play.adopt([seed; 32], Terms::default()).unwrap();
        play.decide(5, Besieger, &Action::Assault(0)).unwrap().dice
    });
    assert!(faces.into_iter().any(|dice| dice != known));

    let mut play = verify(&importer.lines).unwrap();
    assert_eq!(reason(play.decide(4, Besieger, &Action::Assault(0))), phrase::SEED_UNKNOWN);
    importer.lines.push(play.adopt(FRESH, Terms::default()).unwrap());
    importer.play = play;
    assert_eq!(importer.play.fairness().adopted, Some(5));
    let refused = importer.play.decide_with(5, Besieger, &Action::Assault(0), &[6]);
    assert_eq!(reason(refused), phrase::DICE_NOT_ASKED);
    importer.pledge(Garrison, 3).unwrap();
    assert_eq!(importer.resumed(FRESH).fairness().provenance, importer.play.fairness().provenance);
    importer.decide(Besieger, Action::Assault(0));
    importer.over();
    let again = verify(&importer.lines).unwrap();
    assert_eq!(
        (again.fairness().adopted, again.fairness().provenance.since, again.fairness().provenance.checked),
        (Some(5), 5, true)
    );
    assert_eq!(again.chain(), importer.play.chain());
}

#[test]
fn a_game_that_is_over_is_taken_over_as_it_is() {
    let mut game = Kept::begin(Terms::default()).dug();
    game.over();
    let mut play = verify(&game.lines).unwrap();
    game.lines.push(play.adopt([9; 32], Terms::default()).unwrap());
    let mut again = verify(&game.lines).unwrap();
    assert!(again.is_over() && again.fairness().adopted == Some(7));
    assert_eq!(reason(again.undo(7, Garrison)), phrase::GAME_OVER);
    let going_on = Kept::begin(Terms::default()).dug();
    let entry = json!({ "side": null, "deed": { "adopt": { "commitment": null,
        "terms": { "machines": [], "take_backs": false } } } });
    let (phrase, line, _) = blamed(&inserted(&going_on.lines, 5, entry));
    assert_eq!((phrase, line), (record_phrase::ADOPTED, 6));
}

#[test]
fn dice_of_a_real_table_need_the_consent_of_all() {
    let mut game = Kept::begin(Terms::default()).dug();
    let assault = |play: &mut Siege, faces: &[u8]| {
        let n = play.entries();
        play.decide_with(n, Besieger, &Action::Assault(0), faces)
    };
    game.lines.push(game.play.offer(4, Besieger, Offer::TableDice).unwrap().record_line);
    assert_eq!(reason(assault(&mut game.play, &[6])), phrase::DICE_NOT_ASKED);
    game.lines.push(game.play.accept(5, Garrison).unwrap().record_line);
    assert_eq!(game.play.fairness().provenance.source, Source::Table);
    assert_eq!(reason(game.play.offer(6, Besieger, Offer::TableDice)), phrase::TABLE_ALREADY);
    assert_eq!(reason(game.play.decide(6, Besieger, &Action::Assault(0))), phrase::DIE_MISSING);
    game.lines.push(assault(&mut game.play, &[2]).unwrap().record_line);
    assert_eq!(game.resumed(SEED).fairness().provenance.source, Source::Table);
    game.over();
    assert!(
        game.lines.last().unwrap().contains("reveal"),
        "the seed of the dice before is revealed all the same"
    );
    assert_eq!(verify(&game.lines).unwrap().chain(), game.play.chain());
}

#[test]
fn the_machine_gives_no_die_back_unless_that_was_settled() {
    let mut strict = Kept::begin(machine(false)).dug();
    strict.decide(Besieger, Action::Assault(0));
    assert_eq!(reason(strict.play.offer(5, Besieger, Offer::TakeBack)), phrase::TAKE_BACK_OFF);
    let offer = json!({ "side": "besieger", "deed": { "offer": "take_back" } });
    let (_, _, detail) = blamed(&inserted(&strict.lines, 6, offer));
    assert!(detail.contains("kernel-take-back-off"), "{detail}");

    let mut kind = Kept::begin(machine(true)).dug();
    kind.decide(Besieger, Action::Assault(0));
    kind.lines.push(kind.play.offer(5, Besieger, Offer::TakeBack).unwrap().record_line);
    kind.lines.push(kind.play.accept(6, Garrison).unwrap().record_line);
    assert_eq!(kind.play.fairness().rolls_taken_back, 1);
    assert_eq!(kind.resumed(SEED).fairness().rolls_taken_back, 1);
    assert_eq!(verify(&kind.lines).unwrap().fairness().rolls_taken_back, 1);

    // What neither rolled nor revealed may be asked back from it.
    let mut plain = Kept::begin(machine(false));
    plain.decide(Garrison, Action::Lay(1));
    plain.decide(Besieger, Action::Dig(0));
    plain.play.offer(2, Besieger, Offer::TakeBack).unwrap();
    let nobody = Terms { machines: vec!["austrian".to_owned()], take_backs: false };
    let refused = Siege::begin_on(&setup("narrow", None), committed(), Some(SEED), nobody);
    assert_eq!(reason(refused), phrase::UNKNOWN_CHOICE);
}

#[test]
fn a_machine_seat_does_only_what_the_machine_does() {
    let mut game = Kept::begin(machine(true));
    game.decide(Garrison, Action::Lay(1));
    game.decide(Besieger, Action::Dig(0));
    for (deed, refused) in [
        (json!("undo"), reason(game.play.undo(2, Garrison))),
        (json!("resign"), reason(game.play.resign(2, Garrison))),
        (json!({ "offer": "draw" }), reason(game.play.offer(2, Garrison, Offer::Draw))),
        (json!({ "words": "ha" }), reason(game.play.words(2, Garrison, "ha"))),
    ] {
        assert_eq!(refused, phrase::MACHINE_SEAT, "{deed}");
        let (blame, line, detail) =
            blamed(&inserted(&game.lines, 3, json!({ "side": "garrison", "deed": deed })));
        assert_eq!((blame, line), (record_phrase::REFUSED, 4), "{deed}");
        assert!(detail.contains("kernel-machine-seat"), "{deed}: {detail}");
    }
    // It declines a draw, and agrees to none.
    game.lines.push(game.play.offer(2, Besieger, Offer::Draw).unwrap().record_line);
    assert_eq!(reason(game.play.accept(3, Garrison)), phrase::MACHINE_SEAT);
    let accept = json!({ "side": "garrison", "deed": "accept" });
    assert!(blamed(&inserted(&game.lines, 4, accept)).2.contains("kernel-machine-seat"));
    game.lines.push(game.play.decline(3, Garrison).unwrap().record_line);
    // It gives back.
    game.lines.push(game.play.offer(4, Besieger, Offer::TakeBack).unwrap().record_line);
    game.lines.push(game.play.accept(5, Garrison).unwrap().record_line);
    assert_eq!(verify(&game.lines).unwrap().chain(), game.play.chain());
}

#[test]
fn a_machine_never_rolls_on_a_real_table() {
    let table = |terms| Siege::begin_on(&setup("narrow", None), Source::Table, None, terms);
    let refusal = table(machine(false)).unwrap_err();
    assert_eq!((refusal.field.as_deref(), refusal.reason), (Some("dice"), phrase::MACHINE_TABLE));
    let mut game = Kept::begin(machine(false)).dug();
    assert_eq!(reason(game.play.offer(4, Besieger, Offer::TableDice)), phrase::MACHINE_TABLE);
    let offer = json!({ "side": "besieger", "deed": { "offer": "table_dice" } });
    assert!(blamed(&inserted(&game.lines, 5, offer)).2.contains("kernel-machine-table"));

    // Nor does a record believe that it did.
    let play = table(Terms::default()).unwrap();
    let mut game = Kept { lines: vec![play.header_line().to_owned()], play }.dug();
    let step = game.play.decide_with(4, Besieger, &Action::Assault(0), &[2]).unwrap();
    game.lines.push(step.record_line);
    assert!(verify(&game.lines).is_ok());
    game.lines[0] = game.lines[0].replace("\"machines\":[]", "\"machines\":[\"besieger\"]");
    let words = json!({ "side": "garrison", "deed": { "words": "ha" } });
    let (_, line, detail) = blamed(&inserted(&game.lines, 2, words));
    assert_eq!((line, detail.contains("kernel-machine-table")), (7, true), "{detail}");
}

#[test]
fn words_are_for_reading() {
    let mut game = Kept::begin(Terms::default()).dug();
    for words in ["a\u{1b}[2J", "a\0b", "one\ntwo", "\r", "tab\t", "\u{9b}31m", "\u{202e}evil", "\u{2028}"] {
        let refusal = game.play.words(4, Besieger, words).unwrap_err();
        assert_eq!((refusal.field.as_deref(), refusal.reason), (Some("words"), phrase::CONTROL_CHARACTER));
        let forged = json!({ "side": "besieger", "deed": { "words": words } });
        assert!(
            blamed(&inserted(&game.lines, 5, forged)).2.contains("kernel-control-character"),
            "{words:?}"
        );
    }
    game.play.words(4, Besieger, "« À l’assaut\u{202f}! » \u{1f4a3}").unwrap();
}

#[test]
fn nobody_fills_a_record_with_talk() {
    let mut game = Kept::begin(Terms::default()).dug();
    for _ in 0..1000 {
        game.lines.push(game.play.words(4, Besieger, "again").unwrap().record_line);
    }
    assert_eq!(reason(game.play.words(4, Besieger, "again")), phrase::TOO_MUCH_TALK);
    assert_eq!(reason(game.play.offer(4, Besieger, Offer::Draw)), phrase::TOO_MUCH_TALK);
    assert_eq!(reason(game.resumed(SEED).words(4, Besieger, "again")), phrase::TOO_MUCH_TALK);
    let more = json!({ "side": "besieger", "deed": { "words": "again" } });
    assert!(blamed(&inserted(&game.lines, 1005, more)).2.contains("kernel-too-much-talk"));
    // The other side still has its say, and the game goes on.
    game.lines.push(game.play.words(4, Garrison, "no").unwrap().record_line);
    game.decide(Besieger, Action::Assault(0));
    assert_eq!(verify(&game.lines).unwrap().chain(), game.play.chain());
}

#[test]
fn a_record_has_an_end() {
    let mut game = Kept::begin(Terms::default());
    game.decide(Garrison, Action::Lay(1));
    while game.play.entries() < MOST_ENTRIES {
        let n = game.play.entries();
        let step = match game.play.decide(n, Besieger, &Action::Dig(0)) {
            Ok(step) if n + 1 < MOST_ENTRIES => {
                game.lines.push(step.record_line);
                game.play.undo(n + 1, Besieger)
            }
            last => last,
        };
        game.lines.push(step.unwrap().record_line);
    }
    let n = game.play.entries();
    assert_eq!(reason(game.play.undo(n, Besieger)), phrase::TOO_LONG);
    assert_eq!(reason(game.play.words(n, Besieger, "at last")), phrase::TOO_LONG);
    assert_eq!(reason(game.play.adopt([9; 32], Terms::default())), phrase::TOO_LONG);
    let words = json!({ "side": "besieger", "deed": { "words": "at last" } });
    assert!(blamed(&inserted(&game.lines, game.lines.len(), words)).2.contains("kernel-too-long"));
    // Whoever has had enough can still say so, and the seed is revealed.
    game.over();
    assert_eq!(verify(&game.lines).unwrap().entries(), MOST_ENTRIES + 2);
}
