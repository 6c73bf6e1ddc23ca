//! The record of the example: what was altered is found, what was lost by a crash does no harm, and
//! the dice are those that were promised.

use kernel::record::{HexHash, Record, Source, commitment, record_phrase};
use kernel::{Measure, Phrase, Play, Refusal, Seed, StepKind, Verdict, phrase};
use serde_json::Value;

use countermine::{Action, Countermine, Side, setup};

use Side::{Besieger, Garrison};

type Siege = Play<Countermine>;

const SEED: Seed = [7; 32];
const OPEN: Source = Source::Open(HexHash(SEED));

/// A game and the text of its record.
struct Recorded {
    play: Siege,
    text: String,
}

impl Recorded {
    fn begin(source: Source, secret: Option<Seed>) -> Self {
        let play = Siege::begin(&setup("narrow", None), source, secret).unwrap();
        let text = format!("{}\n", play.header_line());
        Self { play, text }
    }

    fn keep(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn say(&mut self, side: Side, words: &str) {
        let step = self.play.words(self.play.entries(), side, words).unwrap();
        self.keep(&step.record_line);
    }

    /// The garrison gives up, so that the game is over.
    fn give_up(&mut self) {
        let step = self.play.resign(self.play.entries(), Garrison).unwrap();
        self.keep(&step.record_line);
    }

    fn decide(&mut self, side: Side, action: Action) -> Vec<u8> {
        let step = self.play.decide(self.play.entries(), side, &action).unwrap();
        self.keep(&step.record_line);
        step.dice
    }

    /// Up to the moment before the first assault.
    fn dug(source: Source, secret: Option<Seed>) -> Self {
        let mut game = Self::begin(source, secret);
        game.decide(Garrison, Action::Lay(1));
        game.decide(Besieger, Action::Dig(0));
        game.decide(Besieger, Action::Dig(0));
        game.decide(Garrison, Action::Hold);
        game
    }

    /// With an assault, that rolls.
    fn stormed(source: Source, secret: Option<Seed>) -> Self {
        let mut game = Self::dug(source, secret);
        assert_eq!(game.decide(Besieger, Action::Assault(0)).len(), 1);
        game
    }

    fn lines(&self) -> Vec<String> {
        self.text.lines().map(str::to_owned).collect()
    }
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn verify(text: &str) -> Verdict<Siege> {
    Siege::replay(&Record::read(text)?, None)
}

fn reason(refused: Verdict<impl Sized>) -> Phrase {
    refused.err().expect("a refusal").reason
}

/// The line a refusal names.
fn line_of(refusal: &Refusal) -> Option<i64> {
    refusal.facts.iter().find_map(|fact| match (fact.name, &fact.value) {
        ("line", Measure::Number(line)) => Some(*line),
        _ => None,
    })
}

fn blamed(refused: Verdict<impl Sized>) -> (Phrase, Option<i64>) {
    let refusal = refused.err().expect("a refusal");
    let line = line_of(&refusal);
    (refusal.reason, line)
}

/// What a forger can do who knows the format: he changes the last entry and makes the chain whole.
fn forged(lines: &[String], change: impl FnOnce(&mut Value)) -> String {
    let number = lines.len() - 1;
    let mut value: Value = serde_json::from_str(&lines[number]).unwrap();
    change(&mut value);
    let mut chain = [0; 32];
    let mut text = String::new();
    for (place, line) in lines.iter().enumerate() {
        let (mut body, _) =
            line.rsplit_once(",\"chain\"").map(|(body, rest)| (body.to_owned(), rest)).unwrap();
        if place == number {
            // The fields in the order of the format.
            let field = |name: &str| format!("\"{name}\":{}", value[name]);
            body = format!("{{{}", ["n", "side", "deed", "state"].map(field).join(","));
        }
        let hash = blake3::keyed_hash(&chain, body.as_bytes());
        chain = *hash.as_bytes();
        text.push_str(&format!("{body},\"chain\":\"{hash}\"}}\n"));
    }
    text
}

#[test]
fn a_forger_who_changes_nothing_is_believed() {
    let game = Recorded::stormed(OPEN, None);
    assert_eq!(forged(&game.lines(), |_| {}), game.text);
}

#[test]
fn a_game_is_its_record() {
    let mut game = Recorded::stormed(OPEN, None);
    game.say(Garrison, "Bien visé, \",\"chain\":\"!");
    let record = Record::read(&game.text).unwrap();
    assert!(!record.truncated);
    let mut kinds = Vec::new();
    let again = Siege::replay_with(&record, None, |_, step| kinds.push(step.kind)).unwrap();
    assert_eq!((again.state(), again.chain()), (game.play.state(), game.play.chain()));
    assert_eq!(kinds[3..], [StepKind::Plain, StepKind::Rolled, StepKind::Plain]);
}

#[test]
fn a_record_is_played_again_to_any_entry() {
    let mut game = Recorded::begin(OPEN, None);
    let mut states = vec![game.play.state().clone()];
    let orders = [(Garrison, Action::Lay(0)), (Besieger, Action::Listen(1)), (Besieger, Action::Dig(1))];
    for (side, action) in orders {
        game.decide(side, action);
        states.push(game.play.state().clone());
    }
    let step = game.play.undo(3, Besieger).unwrap();
    game.keep(&step.record_line);
    states.push(states[2].clone());
    let record = Record::read(&game.text).unwrap();
    for (n, state) in (0..).zip(&states) {
        let part = Siege::replay(&record, Some(n)).unwrap();
        assert_eq!((part.entries(), part.state()), (n, state));
    }
}

#[test]
fn one_flipped_bit_anywhere_is_found() {
    let game = Recorded::stormed(OPEN, None);
    let whole = Record::read(&game.text).unwrap().lines.len();
    let last = game.text.len() - 1;
    for place in 0..game.text.len() {
        let line = 1 + i64::try_from(game.text[..place].matches('\n').count()).unwrap();
        for bit in 0..8 {
            let mut bytes = game.text.clone().into_bytes();
            bytes[place] ^= 1 << bit;
            let Ok(text) = String::from_utf8(bytes) else {
                continue; // It is no text at all.
            };
            match Record::read(&text) {
                Err(refusal) => {
                    let found = line_of(&refusal).unwrap_or(1);
                    assert_eq!(found, line, "byte {place}, bit {bit}: {refusal}");
                }
                Ok(record) => {
                    assert_eq!(place, last, "byte {place}, bit {bit} goes unnoticed");
                    assert!(record.truncated && record.lines.len() == whole - 1);
                }
            }
        }
    }
}

#[test]
fn one_flipped_bit_of_a_last_line_without_its_newline_is_found_or_the_line_dropped() {
    let game = Recorded::dug(OPEN, None);
    let whole = Record::read(&game.text).unwrap().lines.len();
    let text = game.text.trim_end();
    let (mut dropped, mut refused) = (0, 0);
    for place in text.rfind('\n').unwrap() + 1..text.len() {
        for bit in 0..7 {
            let mut bytes = text.to_owned().into_bytes();
            bytes[place] ^= 1 << bit;
            match Record::read(&String::from_utf8(bytes).unwrap()) {
                Err(_) => refused += 1,
                Ok(record) => {
                    assert!(record.truncated && record.lines.len() < whole, "byte {place}, bit {bit}");
                    dropped += 1;
                }
            }
        }
    }
    assert!(dropped > 0 && refused > 0, "{dropped} dropped, {refused} refused");
}

#[test]
fn an_altered_line_is_named() {
    let game = Recorded::stormed(OPEN, None);
    let altered = |from: &str, to: &str| {
        assert!(game.text.contains(from));
        blamed(Record::read(&game.text.replacen(from, to, 1)))
    };
    assert_eq!(altered("\"lay\":1", "\"lay\":0"), (record_phrase::ALTERED, Some(2)));
    assert_eq!(altered("\"n\":3", "\"n\":9"), (record_phrase::ALTERED, Some(4)));
    assert_eq!(altered("narrow", "broad"), (record_phrase::ALTERED, Some(1)));
    assert_eq!(altered("\"n\":3", "\"m\":3"), (record_phrase::NO_ENTRY, Some(4)));
    assert_eq!(altered("\"system\"", "\"sistem\"").0, record_phrase::NO_HEADER);
    assert_eq!(altered("\"glacis\":2", "\"glacis\":3").0, record_phrase::VERSION);
    assert_eq!(reason(Record::read("")), record_phrase::EMPTY);
}

#[test]
fn a_hash_in_capitals_is_an_altered_line() {
    let game = Recorded::dug(OPEN, None);
    let mut lines = game.lines();
    let (body, hash) = lines[2].rsplit_once(":\"").unwrap();
    lines[2] = format!("{body}:\"{}", hash.to_uppercase());
    assert_eq!(blamed(Record::read(&text(&lines))), (record_phrase::ALTERED, Some(3)));
}

#[test]
fn a_removed_line_is_missing() {
    let lines = Recorded::stormed(OPEN, None).lines();
    for removed in 1..lines.len() - 1 {
        let mut fewer = lines.clone();
        fewer.remove(removed);
        let refusal = Record::read(&text(&fewer)).unwrap_err();
        let told =
            format!("refused: record-missing line={} expected={removed} found={}", removed + 1, removed + 1);
        assert_eq!(refusal.to_string(), told);
    }
    assert_eq!(reason(Record::read(&text(&lines[1..]))), record_phrase::NO_HEADER);
}

#[test]
fn two_swapped_lines_are_out_of_order() {
    let lines = Recorded::stormed(OPEN, None).lines();
    for one in 1..lines.len() {
        for other in one + 1..lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(one, other);
            let told = blamed(Record::read(&text(&swapped)));
            let line = i64::try_from(one + 1).unwrap();
            assert_eq!(told, (record_phrase::OUT_OF_ORDER, Some(line)), "{one} and {other}");
        }
    }
}

#[test]
fn a_doubled_line_is_repeated() {
    let lines = Recorded::stormed(OPEN, None).lines();
    for doubled in 1..lines.len() {
        for place in doubled + 1..=lines.len() {
            let mut more = lines.clone();
            more.insert(place, lines[doubled].clone());
            let told = blamed(Record::read(&text(&more)));
            let line = i64::try_from(place + 1).unwrap();
            assert_eq!(told, (record_phrase::REPEATED, Some(line)), "{doubled} at {place}");
        }
    }
}

#[test]
fn a_half_written_last_line_is_dropped_and_play_goes_on() {
    let game = Recorded::stormed(OPEN, None);
    let start = game.text.trim_end().rfind('\n').unwrap() + 1;
    let whole = game.text.len() - 1;
    for cut in start..=game.text.len() {
        let record = Record::read(&game.text[..cut]).unwrap();
        assert_eq!(record.truncated, start < cut && cut < whole, "cut at {cut}");
        assert_eq!(record.lines.len(), if cut < whole { 4 } else { 5 }, "cut at {cut}");
    }

    let record = Record::read(&game.text[..start + 40]).unwrap();
    let play = Siege::replay(&record, None).unwrap();
    let mut resumed = Recorded { play, text: game.text[..start].to_owned() };
    resumed.decide(Besieger, Action::Assault(0));
    assert_eq!(resumed.text, game.text, "the same order rolls the same dice");
    assert!(verify(&resumed.text).is_ok());

    let header = game.text.find('\n').unwrap();
    assert_eq!(reason(Record::read(&game.text[..header / 2])), record_phrase::EMPTY);
}

#[test]
fn a_record_of_another_system_is_refused() {
    let mut record = Record::read(&Recorded::dug(OPEN, None).text).unwrap();
    record.header.system = "danzig".to_owned();
    assert_eq!(reason(Siege::replay(&record, None)), record_phrase::OTHER_SYSTEM);
}

#[test]
fn what_cannot_have_happened_is_refused_though_the_chain_is_whole() {
    let lines = Recorded::stormed(OPEN, None).lines();
    let blame = |change: fn(&mut Value)| blamed(verify(&forged(&lines, change)));
    let zeros = "0".repeat(64);
    assert_eq!(blame(|entry| entry["side"] = "garrison".into()), (record_phrase::REFUSED, Some(6)));
    assert_eq!(
        blame(|entry| entry["deed"]["decide"]["action"]["assault"] = 1.into()),
        (record_phrase::REFUSED, Some(6))
    );
    assert_eq!(blame(|entry| entry["deed"] = "undo".into()), (record_phrase::REFUSED, Some(6)));
    assert_eq!(blame(|entry| entry["side"] = Value::Null), (record_phrase::NO_ENTRY, Some(6)));
    assert_eq!(blame(|entry| entry["n"] = 9.into()).0, record_phrase::ALTERED);
    let state = blamed(verify(&forged(&lines, |entry| entry["state"] = zeros.into())));
    assert_eq!(state, (record_phrase::STATE, Some(6)));
}

/// The record of a game whose last entry rolled, with another face for that die.
fn with_another_die(lines: &[String], face: impl Fn(u64) -> u64) -> String {
    forged(lines, |entry| {
        let dice = &mut entry["deed"]["decide"]["dice"];
        dice[0]["face"] = face(dice[0]["face"].as_u64().unwrap()).into();
    })
}

#[test]
fn the_dice_of_an_open_seed_are_checked_against_it() {
    let lines = Recorded::stormed(OPEN, None).lines();
    let other = with_another_die(&lines, |face| face % 6 + 1);
    assert_eq!(blamed(verify(&other)), (record_phrase::NOT_OF_THE_SEED, Some(6)));
    let none = forged(&lines, |entry| entry["deed"]["decide"]["dice"] = Value::Array(Vec::new()));
    assert_eq!(blamed(verify(&none)), (record_phrase::NOT_OF_THE_SEED, Some(6)));
}

#[test]
fn the_sides_of_every_die_are_recorded_and_checked() {
    let lines = Recorded::stormed(OPEN, None).lines();
    assert!(lines[5].contains("\"dice\":[{\"d\":6,\"face\":"), "{}", lines[5]);
    let other = forged(&lines, |entry| entry["deed"]["decide"]["dice"][0]["d"] = 8.into());
    assert_eq!(blamed(verify(&other)), (record_phrase::NOT_OF_THE_SEED, Some(6)));
    let mut table = Recorded::dug(Source::Table, None);
    let step = table.play.decide_with(4, Besieger, &Action::Assault(0), &[3]).unwrap();
    table.keep(&step.record_line);
    let other = forged(&table.lines(), |entry| entry["deed"]["decide"]["dice"][0]["d"] = 8.into());
    assert_eq!(blamed(verify(&other)), (record_phrase::DICE, Some(6)));
}

#[test]
fn nobody_brings_his_own_dice_to_a_seeded_game() {
    for (source, secret) in [(OPEN, None), (committed(), Some(SEED)), (committed(), None)] {
        let mut game = Recorded::dug(source, secret);
        let before = *game.play.chain();
        for face in 1..=6 {
            let refused = game.play.decide_with(4, Besieger, &Action::Assault(0), &[face]).unwrap_err();
            assert_eq!(
                (refused.field.as_deref(), refused.reason),
                (Some("dice"), phrase::DICE_NOT_ASKED),
                "whatever the die, the answer tells nothing"
            );
        }
        assert_eq!((game.play.entries(), game.play.chain()), (4, &before));
    }
}

#[test]
fn dice_of_a_real_table_must_fit_and_change_nothing_if_they_do_not() {
    let mut game = Recorded::dug(Source::Table, None);
    let before = (*game.play.chain(), game.play.state().clone());
    for (faces, fault) in [
        (vec![], phrase::DIE_MISSING),
        (vec![7], phrase::DIE_IMPOSSIBLE),
        (vec![3, 3], phrase::DIE_LEFT_OVER),
    ] {
        let refused = game.play.decide_with(4, Besieger, &Action::Assault(0), &faces);
        assert_eq!(reason(refused), fault);
        assert_eq!((*game.play.chain(), game.play.state().clone()), before);
    }
    assert_eq!(reason(game.play.decide(4, Besieger, &Action::Assault(0))), phrase::DIE_MISSING);
    let step = game.play.decide_with(4, Besieger, &Action::Assault(0), &[3]).unwrap();
    game.keep(&step.record_line);
    assert!(verify(&game.text).is_ok());
    assert!(blamed(verify(&with_another_die(&game.lines(), |_| 7))) == (record_phrase::DICE, Some(6)));
}

#[test]
fn an_order_for_another_moment_is_stale() {
    let mut game = Recorded::dug(OPEN, None);
    let refused = game.play.decide(3, Besieger, &Action::Dig(1)).unwrap_err();
    assert_eq!(refused.to_string(), "refused: kernel-stale-order expected=4 found=3");
    assert_eq!(reason(game.play.undo(5, Garrison)), phrase::STALE_ORDER);
}

fn committed() -> Source {
    Source::Committed(HexHash(commitment(&SEED)))
}

#[test]
fn a_secret_seed_is_checked_when_it_is_revealed() {
    let mut game = Recorded::stormed(committed(), Some(SEED));
    assert!(!game.text.contains(&"07".repeat(32)), "the seed is not in the record");
    assert!(verify(&game.text).is_ok());
    game.give_up();

    assert_eq!(reason(game.play.reveal([8; 32])), record_phrase::COMMITMENT);
    let line = game.play.reveal(SEED).unwrap();
    game.keep(&line);
    let again = verify(&game.text).unwrap();
    assert_eq!(again.chain(), game.play.chain());

    let false_seed = forged(&game.lines(), |entry| entry["deed"]["reveal"] = "08".repeat(32).into());
    assert_eq!(blamed(verify(&false_seed)), (record_phrase::COMMITMENT, Some(8)));
}

#[test]
fn a_lie_about_a_secret_die_comes_out_with_the_seed() {
    let honest = Recorded::stormed(committed(), Some(SEED));
    // Another face that takes the place, or does not, as the first did: the state is the same.
    let lying = with_another_die(&honest.lines(), |face| if face >= 5 { 11 - face } else { face % 4 + 1 });
    let liar =
        Recorded { play: verify(&lying).expect("while the seed is secret nobody can tell"), text: lying };
    for (mut game, told) in [(honest, None), (liar, Some((record_phrase::NOT_OF_THE_SEED, Some(6))))] {
        if !game.play.is_over() {
            game.give_up();
        }
        let line = game.play.reveal(SEED).unwrap();
        game.keep(&line);
        assert_eq!(verify(&game.text).err().map(|refusal| (refusal.reason, line_of(&refusal))), told);
    }
}

#[test]
fn the_seed_is_revealed_when_the_game_is_over_and_nothing_follows_it() {
    let mut game = Recorded::dug(committed(), Some(SEED));
    assert_eq!(reason(game.play.reveal(SEED)), record_phrase::REVEALED);
    assert_eq!(game.play.reveal_at_the_end(), None);
    game.give_up();
    let line = game.play.reveal_at_the_end().unwrap();
    game.keep(&line);
    let mut again = verify(&game.text).unwrap();
    for play in [&mut game.play, &mut again] {
        assert_eq!(reason(play.decide(6, Besieger, &Action::Assault(0))), phrase::GAME_OVER);
        assert_eq!(reason(play.undo(6, Garrison)), phrase::GAME_OVER);
        assert_eq!(reason(play.words(6, Garrison, "well played")), phrase::GAME_OVER);
        assert_eq!(reason(play.reveal(SEED)), record_phrase::REVEALED);
        assert_eq!(play.reveal_at_the_end(), None);
    }
}

#[test]
fn a_game_begins_with_the_seed_it_is_committed_to_or_not_at_all() {
    let begin = |secret| Siege::begin(&setup("narrow", None), committed(), secret);
    assert_eq!(reason(begin(Some([8; 32]))), record_phrase::COMMITMENT);
    assert!(begin(Some(SEED)).is_ok());
    assert!(begin(None).is_ok());
}

#[test]
fn a_committed_game_goes_on_in_another_process_that_keeps_the_seed() {
    let mut first = Recorded::dug(committed(), Some(SEED));
    let mut second = verify(&first.text).unwrap();
    assert_eq!(reason(second.decide(4, Besieger, &Action::Assault(0))), phrase::SEED_UNKNOWN);
    assert_eq!(reason(second.entrust([8; 32])), record_phrase::COMMITMENT);
    second.entrust(SEED).unwrap();
    second.decide(4, Besieger, &Action::Assault(0)).unwrap();
    first.decide(Besieger, Action::Assault(0));
    assert_eq!(second.chain(), first.play.chain());
    assert_eq!(reason(Recorded::dug(OPEN, None).play.entrust(SEED)), record_phrase::COMMITMENT);
}

#[test]
fn only_the_last_plain_step_is_taken_back_and_only_by_its_side() {
    let mut game = Recorded::dug(OPEN, None);
    let before = game.play.state().clone();
    game.decide(Besieger, Action::Dig(1));
    assert_eq!(reason(game.play.undo(5, Garrison)), phrase::NOTHING_TO_UNDO);
    let step = game.play.undo(5, Besieger).unwrap();
    game.keep(&step.record_line);
    assert_eq!(*game.play.state(), before);
    game.decide(Besieger, Action::Listen(0));
    assert_eq!(reason(game.play.undo(7, Besieger)), phrase::NOTHING_TO_UNDO);
    assert!(verify(&game.text).is_ok());
}

#[test]
fn a_record_of_the_first_format_is_refused_with_the_version_that_reads_it() {
    let mut chain =
        String::from("{\"glacis\":1,\"system\":\"countermine\",\"scenario\":\"narrow\",\"options\":{},");
    chain.push_str("\"seed\":\"table\",\"product\":\"0.1.0\"");
    let hash = blake3::keyed_hash(&[0; 32], chain.as_bytes());
    let refused = Record::read(&format!("{chain},\"chain\":\"{hash}\"}}\n")).unwrap_err();
    assert_eq!(refused.to_string(), "refused: record-version found=1 expected=2 product=0.1.0");
}

/// The format itself: a record that today's program wrote is what it will always be able to read.
#[test]
fn the_format_is_the_one_that_was_written_down() {
    let mut game = Recorded::stormed(OPEN, None);
    game.say(Garrison, "Bien visé !");
    kernel::conformance::golden("tests/golden/countermine.jsonl", &game.text);
}
