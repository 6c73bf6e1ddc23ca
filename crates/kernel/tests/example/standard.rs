//! The records of `docs/record`, which are part of its specification: each is played here, line by line,
//! and must come out as it stands there. `docs/record/verify.py` is run against them elsewhere.

use std::collections::BTreeMap;

use countermine::{Action, Countermine, Side, setup};
use kernel::record::{HexHash, Offer, Record, Source, commitment};
use kernel::{Dice as _, Live, Play, Seed, Step, Terms, Verdict};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use serde::Serialize;
use serde_json::Value;

use Side::{Besieger, Garrison};

type Siege = Play<Countermine>;

const SERVER: Seed = [5; 32];
const OTHER: Seed = [9; 32];

/// A game and its lines.
struct Written {
    play: Siege,
    text: String,
}

impl Written {
    fn begin(scenario: &str, source: Source, secret: Option<Seed>) -> Self {
        let play = Siege::begin(&setup(scenario, None), source, secret).unwrap();
        let text = format!("{}\n", play.header_line());
        Self { play, text }
    }

    fn committed(scenario: &str) -> Self {
        Self::begin(scenario, Source::Committed(HexHash(commitment(&SERVER))), Some(SERVER))
    }

    fn line(&mut self, line: &str) {
        self.text.extend([line, "\n"]);
    }

    fn does(&mut self, deed: impl FnOnce(&mut Siege, u64) -> Verdict<Step>) {
        let seen = self.play.entries();
        let step = deed(&mut self.play, seen).unwrap();
        self.line(&step.record_line);
    }

    fn decides(&mut self, orders: &[(Side, Action)]) {
        for (side, action) in orders {
            self.does(|play, seen| play.decide(seen, *side, action));
        }
    }

    /// The garrison gives up, and the server reveals its seed.
    fn ends(&mut self) {
        self.does(|play, seen| play.resign(seen, Garrison));
        let line = self.play.reveal_at_the_end().unwrap();
        self.line(&line);
    }

    /// It is what stands in the book of records, and can be played again.
    fn stands_in(&self, name: &str) {
        let file = format!("{}/../../docs/record/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        kernel::conformance::golden(file, &self.text);
        let again = Siege::replay(&Record::read(&self.text).unwrap(), None).unwrap();
        assert_eq!(again.chain(), self.play.chain());
    }
}

/// A gallery is dug to its end.
const DUG: [(Side, Action); 4] = [
    (Garrison, Action::Lay(1)),
    (Besieger, Action::Dig(0)),
    (Besieger, Action::Dig(0)),
    (Garrison, Action::Hold),
];

#[test]
fn with_an_open_seed() {
    let mut game = Written::begin("narrow", Source::Open(HexHash([7; 32])), None);
    game.decides(&DUG);
    game.decides(&[(Besieger, Action::Dig(1))]);
    game.does(|play, seen| play.undo(seen, Besieger));
    game.decides(&[(Besieger, Action::Assault(0))]);
    game.does(|play, seen| play.words(seen, Garrison, "Bien visé ! \"4\""));
    game.stands_in("open");
}

#[test]
fn with_a_committed_seed_and_pledges_and_a_roll_taken_back() {
    let mut game = Written::committed("narrow");
    game.does(|play, _| play.pledge(Garrison, &[1; 32]));
    game.does(|play, _| play.pledge(Besieger, &[2; 32]));
    game.decides(&DUG);
    game.decides(&[(Besieger, Action::Assault(0))]);
    game.does(|play, seen| play.offer(seen, Besieger, Offer::TakeBack));
    game.does(|play, seen| play.accept(seen, Garrison));
    game.decides(&[(Besieger, Action::Assault(0))]);
    game.ends();
    game.stands_in("committed");
}

#[test]
fn with_orders_in_secret_one_of_them_changed() {
    let mut game = Written::committed("dark");
    game.decides(&[
        (Garrison, Action::Lay(1)),
        (Besieger, Action::Dig(2)),
        (Besieger, Action::Dig(0)),
        (Garrison, Action::Hold),
        // The night: the besieger sleeps, thinks better of it, and meets a patrol.
        (Besieger, Action::Sleep),
    ]);
    game.does(|play, seen| play.undo(seen, Besieger));
    game.decides(&[(Besieger, Action::Sap(2)), (Garrison, Action::Patrol(2))]);
    while let Some(opened) = game.play.open_next() {
        game.line(&opened.step.record_line);
    }
    game.ends();
    game.stands_in("secret");
}

#[test]
fn taken_over_by_another_server_and_at_its_end_by_a_third() {
    let mut game = Written::committed("narrow");
    game.decides(&DUG);
    game.decides(&[(Besieger, Action::Assault(0)), (Besieger, Action::Dig(0)), (Garrison, Action::Hold)]);
    let line = game.play.adopt(OTHER, Terms::default()).unwrap();
    game.line(&line);
    game.does(|play, _| play.pledge(Besieger, &[3; 32]));
    game.decides(&[(Besieger, Action::Dig(0)), (Besieger, Action::Assault(0))]);
    game.ends();
    let line = game.play.adopt([11; 32], Terms::default()).unwrap();
    game.line(&line);
    game.stands_in("taken-over");
}

#[test]
fn with_dice_of_a_real_table_from_the_middle_on() {
    let mut game = Written::committed("narrow");
    game.decides(&DUG);
    game.decides(&[(Besieger, Action::Assault(0)), (Besieger, Action::Dig(0)), (Garrison, Action::Hold)]);
    game.does(|play, seen| play.offer(seen, Garrison, Offer::TableDice));
    game.does(|play, seen| play.accept(seen, Besieger));
    game.decides(&[(Besieger, Action::Dig(0))]);
    game.does(|play, seen| play.decide_with(seen, Besieger, &Action::Assault(0), &[3]));
    game.ends();
    game.stands_in("table");
}

fn of_the_book(name: &str) -> String {
    let file = format!("{}/../../docs/record/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&file).unwrap()
}

fn vectors() -> Value {
    serde_json::from_str(&of_the_book("vectors.json")).unwrap()
}

fn seed(value: &Value) -> Seed {
    *blake3::Hash::from_hex(value.as_str().unwrap()).unwrap().as_bytes()
}

fn all(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

#[test]
fn the_vectors_are_what_the_kernel_computes() {
    let told = vectors();
    for vector in all(&told["chain"]) {
        let hash = blake3::keyed_hash(&seed(&vector["before"]), vector["body"].as_str().unwrap().as_bytes());
        assert_eq!(vector["chain"], hash.to_string(), "{vector}");
        let line = format!("{},\"chain\":\"{hash}\"}}", vector["body"].as_str().unwrap());
        assert!(of_the_book("committed.jsonl").lines().any(|other| other == line), "{line}");
    }
    assert_eq!(commitment(&seed(&told["server"]["seed"])), seed(&told["server"]["commitment"]));
    for (side, pledge) in [Garrison, Besieger].into_iter().zip(all(&told["pledges"])) {
        let mut game = Written::committed("narrow");
        game.does(|play, _| play.pledge(side, &seed(&pledge["seat"])));
        let written = format!(
            "{{\"pledge\":{{\"commitment\":{},\"sealed\":{}}}}}",
            pledge["commitment"], pledge["sealed"]
        );
        assert!(game.text.contains(&written), "{written}");
    }
    for vector in all(&told["streams"]) {
        let key =
            blake3::keyed_hash(&seed(&vector["mixed"]), &vector["rolls"].as_u64().unwrap().to_le_bytes());
        assert_eq!(vector["key"], key.to_string(), "{vector}");
    }
    for vector in all(&told["streams"]).iter().chain([&told["zero_key"]]) {
        let mut stream = ChaCha12Rng::from_seed(seed(&vector["key"]));
        for word in all(&vector["words"]) {
            assert_eq!(*word, stream.next_u32(), "{vector}");
        }
    }
    for vector in all(&told["dice"]) {
        let mut dice = Live::from_seed(seed(&vector["key"]));
        let sides = u8::try_from(vector["d"].as_u64().unwrap()).unwrap();
        for face in all(&vector["faces"]) {
            assert_eq!(*face, dice.die(sides), "{vector}");
        }
    }
    // The mixed seed of both seats gives the two dice of the record.
    let both = &all(&told["mixed"])[2];
    let faces = [0, 1].map(|rolls| Live::for_roll(&seed(&both["mixed"]), rolls).die(6));
    let record = of_the_book("committed.jsonl");
    let written: Vec<&str> = record.split("\"face\":").skip(1).map(|rest| &rest[..1]).collect();
    assert_eq!(written, faces.map(|face| face.to_string()));
}

#[test]
fn the_vectors_of_a_seal_and_of_a_state_are_what_the_kernel_writes() {
    let told = vectors();
    let seal = format!(
        "{{\"seal\":{{\"commitment\":{},\"masked\":{}}}}}",
        told["seal"]["commitment"], told["seal"]["masked"]
    );
    assert!(of_the_book("secret.jsonl").contains(&seal));
    // A game of two galleries whose countermine is laid: the bytes are those of the table of the page.
    let mut game = Written::committed("narrow");
    game.decides(&DUG[..1]);
    assert_eq!(kernel::record::state_hash(game.play.state()), seed(&told["state"]["state"]));
    assert_eq!(blake3::hash(&unhex(&told["state"]["bytes"])).to_string(), told["state"]["state"]);
}

fn unhex(digits: &Value) -> Vec<u8> {
    let pairs = digits.as_str().unwrap().as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[derive(Serialize)]
enum Arm {
    Foot,
    Horse(u16),
    Guns { calibre: u8, horses: Option<i32> },
    Train(u8, i64),
}

/// Each row of the table of the page, with the bytes that its vectors tell.
#[test]
fn the_canonical_form_is_that_of_the_page() {
    fn hash(value: &impl Serialize) -> Seed {
        kernel::record::state_hash(value)
    }
    let written = [
        ("yes", hash(&true)),
        ("no", hash(&false)),
        ("one byte: 200", hash(&200_u8)),
        ("one byte with sign: -1", hash(&-1_i8)),
        ("0", hash(&0_u32)),
        ("127", hash(&127_u16)),
        ("128", hash(&128_u16)),
        ("300", hash(&300_u64)),
        ("18446744073709551615", hash(&u64::MAX)),
        ("with sign: 0", hash(&0_i32)),
        ("with sign: -1", hash(&-1_i16)),
        ("with sign: 1", hash(&1_i64)),
        ("with sign: -64", hash(&-64_i32)),
        ("with sign: 64", hash(&64_i32)),
        ("with sign: -9223372036854775808", hash(&i64::MIN)),
        ("1.5", hash(&1.5_f64)),
        ("text: é", hash(&"é")),
        ("nothing", hash(&None::<u8>)),
        ("something: 7", hash(&Some(7_u8))),
        ("list: 1, 128", hash(&vec![1_u16, 128])),
        ("map: a to 1, b to 2", hash(&BTreeMap::from([("b", 2_u16), ("a", 1)]))),
        ("kind 0", hash(&Arm::Foot)),
        ("kind 1 with 300", hash(&Arm::Horse(300))),
        ("kind 2 with parts 12 and nothing", hash(&Arm::Guns { calibre: 12, horses: None })),
        ("kind 3 with 2 and -3", hash(&Arm::Train(2, -3))),
        ("pair: 1, -1", hash(&(1_u16, -1_i16))),
    ];
    let told = vectors();
    let told = told["forms"].as_object().unwrap();
    assert_eq!(told.len(), written.len());
    for (what, hash) in written {
        assert_eq!(*blake3::hash(&unhex(&told[what])).as_bytes(), hash, "{what}");
    }
}

/// The text of a record of the book with one change made to it.
fn tampered(case: &Value) -> String {
    let record = of_the_book(&format!("{}.jsonl", case["file"].as_str().unwrap()));
    let mut lines: Vec<String> = record.lines().map(str::to_owned).collect();
    let place = usize::try_from(case["line"].as_u64().unwrap()).unwrap() - 1;
    match case["from"].as_str() {
        Some(from) => lines[place] = lines[place].replacen(from, case["to"].as_str().unwrap(), 1),
        None => drop(lines.remove(place)),
    }
    if case["chain_made_whole"] == true {
        let mut chain = [0; 32];
        for line in &mut lines {
            let (body, _) = line.rsplit_once(",\"chain\":\"").unwrap();
            let hash = blake3::keyed_hash(&chain, body.as_bytes());
            chain = *hash.as_bytes();
            *line = format!("{body},\"chain\":\"{hash}\"}}");
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn what_was_tampered_with_is_refused_by_the_kernel_at_the_line_that_the_book_names() {
    let cases: Value = serde_json::from_str(&of_the_book("tampered.json")).unwrap();
    assert!(all(&cases).len() > 25);
    for case in all(&cases) {
        let text = tampered(case);
        let refused = Record::read(&text).and_then(|record| Siege::replay(&record, None)).unwrap_err();
        let line = refused.facts.iter().find(|fact| fact.name == "line").map(|fact| fact.value.clone());
        // A line that stands in the place of another is named by the number that it bears.
        let moved = case["from"].is_null() && case["chain_made_whole"] == true;
        let found = case["found_at"].as_i64().unwrap() + i64::from(moved);
        // A format that is not known is refused before any line is looked at.
        let expected = (found > 1).then(|| found.into());
        assert_eq!(line, expected, "{case}: {refused}");
    }
}
