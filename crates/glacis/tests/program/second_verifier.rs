//! A second verifier, written from `docs/fair-dice.md` alone: it reads the lines of a record, computes
//! the chain, the commitments, the mixed seed, the stream of every roll (with a `ChaCha` of its own) and
//! every die, and shares no code with the first.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::process::Command;

use glacis::host::{Hosted, Hosting, Order, Report, reopen};
use kernel::record::commitment;
use kernel::{HexHash, Live, Record, Setup, Source, Terms};
use serde_json::Value;

type Key = [u8; 32];

/// `ChaCha` with twelve rounds and all other parameters zero, word by word.
struct ChaCha12 {
    key: [u32; 8],
    block: u64,
    words: Vec<u32>,
}

impl ChaCha12 {
    fn new(key: Key) -> Self {
        let word = |place: usize| u32::from_le_bytes(key[4 * place..4 * place + 4].try_into().unwrap());
        Self { key: std::array::from_fn(word), block: 0, words: Vec::new() }
    }

    fn next(&mut self) -> u32 {
        if self.words.is_empty() {
            let low = u32::try_from(self.block & 0xffff_ffff).unwrap();
            let high = u32::try_from(self.block >> 32).unwrap();
            let [a, b, c, d, e, f, g, h] = self.key;
            let (w, x, y, z) = (0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574);
            let start = [w, x, y, z, a, b, c, d, e, f, g, h, low, high, 0, 0];
            let mut state: [u32; 16] = start;
            for _ in 0..6 {
                for [a, b, c, d] in [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]] {
                    quarter(&mut state, a, b, c, d);
                }
                for [a, b, c, d] in [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]] {
                    quarter(&mut state, a, b, c, d);
                }
            }
            self.words =
                state.iter().zip(start).map(|(word, start)| word.wrapping_add(start)).rev().collect();
            self.block += 1;
        }
        self.words.pop().unwrap()
    }

    /// A die without bias: numbers from the last, incomplete round of faces on are drawn again.
    fn die(&mut self, sides: u32) -> u32 {
        let bound = u32::MAX - u32::MAX % sides;
        loop {
            let drawn = self.next();
            if drawn < bound {
                return drawn % sides + 1;
            }
        }
    }
}

fn quarter(state: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    for (to, from, into, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        state[to] = state[to].wrapping_add(state[from]);
        state[into] = (state[into] ^ state[to]).rotate_left(by);
    }
}

fn derived(context: &str, parts: &[Key]) -> Key {
    blake3::derive_key(context, &parts.concat())
}

fn key(value: &Value) -> Option<Key> {
    Some(*blake3::Hash::from_hex(value.as_str()?).ok()?.as_bytes())
}

/// The seat's seed in a pledge, if it is the one committed to.
fn opened(pledge: &Value, server: Key) -> Option<Key> {
    let (hash, sealed) = (key(&pledge["commitment"])?, key(&pledge["sealed"])?);
    let mask = derived("glacis sealed seat seed v2", &[server, hash]);
    let seed: Key = std::array::from_fn(|place| sealed[place] ^ mask[place]);
    (derived("glacis seat seed commitment v2", &[seed]) == hash).then_some(seed)
}

/// The order under the mask of a seal and its salt, if they are those committed to.
fn unmasked(seal: &Value, server: Key) -> Option<String> {
    let hash = key(&seal["commitment"])?;
    let digits = seal["masked"].as_str()?;
    let mut mask = vec![0; digits.len() / 2];
    let mut hasher = blake3::Hasher::new_derive_key("glacis sealed order v1");
    hasher.update(&server).update(&hash).finalize_xof().fill(&mut mask);
    let bytes: Vec<u8> = mask
        .iter()
        .enumerate()
        .map(|(place, mask)| u8::from_str_radix(&digits[2 * place..2 * place + 2], 16).unwrap() ^ mask)
        .collect();
    let order = String::from_utf8(bytes[32..].to_vec()).ok()?;
    let order = order.trim_end_matches(' ').to_owned();
    (committed_to(&bytes[..32], &order) == hash).then_some(order)
}

fn committed_to(salt: &[u8], order: &str) -> Key {
    blake3::derive_key("glacis sealed order commitment v1", &[salt, order.as_bytes()].concat())
}

/// How many dice were checked, and how many could not be.
#[derive(Debug, Default, PartialEq, Eq)]
struct Checked {
    dice: usize,
    unknown: usize,
    pledges: usize,
    seals: usize,
    opened: usize,
}

/// Checks a record; the first line that is wrong, and why.
fn second_verify(text: &str) -> Result<Checked, String> {
    let (mut chain, mut values) = ([0; 32], Vec::new());
    for (number, line) in text.lines().enumerate() {
        let (body, hash) = line.rsplit_once(",\"chain\":\"").ok_or("no hash")?;
        chain = *blake3::keyed_hash(&chain, body.as_bytes()).as_bytes();
        if hash != format!("{}\"}}", blake3::Hash::from_bytes(chain)) {
            return Err(format!("line {}: the chain is broken", number + 1));
        }
        values.push(serde_json::from_str::<Value>(line).map_err(|error| error.to_string())?);
    }
    let [header, entries @ ..] = values.as_slice() else { return Err("no header".to_owned()) };
    if header["glacis"] != 2 {
        return Err("not of format 2".to_owned());
    }
    let revealed = entries.iter().find_map(|entry| key(&entry["deed"]["reveal"]));
    let fits = |hash: &Value| {
        revealed.filter(|seed| key(hash) == Some(derived("glacis seed commitment v1", &[*seed])))
    };
    let mut server = key(&header["seed"]["open"]).or(fits(&header["seed"]["committed"]));
    let (mut seats, mut rolls, mut rolled, mut checked) = (Vec::new(), 0_u64, false, Checked::default());
    let mut sealed = std::collections::BTreeMap::new();
    for (place, entry) in entries.iter().enumerate() {
        let fault = |what: &str| Err(format!("line {}: {what}", place + 2));
        let deed = &entry["deed"];
        if deed["adopt"].is_object() {
            (server, seats, rolled) = (fits(&deed["adopt"]["commitment"]), Vec::new(), false);
        }
        if deed["pledge"].is_object() {
            if rolled || seats.iter().any(|(side, _)| *side == entry["side"]) {
                return fault("a pledge too late or too many");
            }
            let seed = match server {
                None => [0; 32],
                Some(server) => {
                    opened(&deed["pledge"], server).ok_or(format!("line {}: sealed", place + 2))?
                }
            };
            seats.push((entry["side"].clone(), seed));
            checked.pledges += 1;
        }
        let side = entry["side"].to_string();
        if deed["seal"].is_object() {
            if server.is_some_and(|server| unmasked(&deed["seal"], server).is_none()) {
                return fault("a seal that holds another order");
            }
            sealed.insert(side.clone(), key(&deed["seal"]["commitment"]));
            checked.seals += 1;
        }
        if deed == "undo" || deed["adopt"].is_object() {
            // A side takes back what it sealed; another server has no key to any.
            sealed.retain(|other, _| deed == "undo" && *other != side);
        }
        if let Some(salt) = key(&deed["decide"]["salt"]) {
            let line = text.lines().nth(place + 1).unwrap_or_default();
            let order = line.split_once("\"action\":").and_then(|(_, rest)| rest.split_once(",\"dice\":"));
            if sealed.remove(&side).flatten() != order.map(|(order, _)| committed_to(&salt, order)) {
                return fault("not the order that was sealed");
            }
            checked.opened += 1;
        }
        if deed["reveal"].is_string() && server.is_none() {
            return fault("the seed revealed is not the one committed to");
        }
        let Some(dice) = deed["decide"]["dice"].as_array().filter(|dice| !dice.is_empty()) else { continue };
        if let Some(server) = server {
            let all: Vec<Key> = std::iter::once(server).chain(seats.iter().map(|(_, seed)| *seed)).collect();
            let mixed = derived("glacis mixed seed v2", &all);
            let stream = blake3::keyed_hash(&mixed, &rolls.to_le_bytes());
            let mut stream = ChaCha12::new(*stream.as_bytes());
            for die in dice {
                let sides = u32::try_from(die["d"].as_u64().unwrap_or(0)).unwrap_or(0).max(1);
                if die["face"] != stream.die(sides) {
                    return fault("not the dice of the seeds");
                }
            }
            checked.dice += dice.len();
        } else {
            checked.unknown += dice.len();
        }
        rolls += 1;
        rolled = true;
    }
    Ok(checked)
}

/// Plays on, at most so many orders: the machine's, as it sends them.
fn play_on(game: &mut dyn Hosted, text: &mut String, most: usize) {
    let mut stream = Live::numbered(1807);
    for _ in 0..most {
        let Some(place) = game.awaited().first() else { return };
        let order = game.choose(place, opponent::Level::Sensible, &mut stream).unwrap();
        let told = game.order(game.entries(), place, order).unwrap();
        keep(text, told);
    }
}

fn keep(text: &mut String, told: Vec<Report>) {
    told.into_iter().for_each(|told| text.extend([told.line.as_str(), "\n"]));
}

/// More orders than any game has.
const WHOLE: usize = 100_000;

/// The first game of the house.
fn hosting() -> Hosting {
    glacis::systems().into_iter().find_map(|system| system.game).unwrap().hosting
}

/// A game of Danzig with a committed seed and pledges of both seats, given up after so many orders.
fn committed_game(most: usize) -> String {
    let seed = [5; 32];
    let system = hosting();
    let setup = Setup { scenario: system.scenarios[0].to_owned(), ..Setup::default() };
    let source = Source::Committed(HexHash(commitment(&seed)));
    let mut game = system.begin(&setup, source, Some(seed), Terms::default()).unwrap();
    let mut text = format!("{}\n", game.header_line());
    for place in [1, 0] {
        let pledge = Order::Pledge([u8::try_from(place).unwrap(); 32]);
        keep(&mut text, game.order(game.entries(), place, pledge).unwrap());
    }
    play_on(game.as_mut(), &mut text, most);
    give_up(game.as_mut(), &mut text);
    text
}

/// Ends a game that is not over.
fn give_up(game: &mut dyn Hosted, text: &mut String) {
    if !game.is_over() {
        keep(text, game.order(game.entries(), 0, Order::Resign).unwrap());
    }
}

/// The game that a record tells, every line of it checked by the first verifier.
fn first_played_again(text: &str) -> Box<dyn Hosted> {
    let record = Record::read(text).unwrap();
    let mut game = reopen(&hosting(), &record, text.lines().next().unwrap()).unwrap();
    record.lines.iter().for_each(|line| drop(game.follow(line).unwrap()));
    game
}

/// What `glacis verify` says, and whether it believes.
fn first_verify(name: &str, text: &str) -> (bool, String) {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("second-{name}.jsonl"));
    std::fs::write(&file, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_glacis"))
        .args(["verify", "--lang", "en"])
        .arg(file)
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

/// The record with `change` made to a line, and the chain made whole again.
fn resealed(text: &str, change: impl Fn(usize, &str) -> Option<String>) -> String {
    let (mut chain, mut whole) = ([0; 32], String::new());
    for (number, line) in text.lines().enumerate() {
        let (body, _) = line.rsplit_once(",\"chain\":\"").unwrap();
        let body = change(number, body).unwrap_or_else(|| body.to_owned());
        let hash = blake3::keyed_hash(&chain, body.as_bytes());
        chain = *hash.as_bytes();
        whole.push_str(&format!("{body},\"chain\":\"{hash}\"}}\n"));
    }
    whole
}

#[test]
fn both_verifiers_agree_on_every_die_of_a_whole_game() {
    let text = committed_game(WHOLE);
    let checked = second_verify(&text).unwrap();
    assert!(checked.dice > 100 && checked.unknown == 0 && checked.pledges == 2, "{checked:?}");
    let game = first_played_again(&text);
    assert!(game.is_over() && game.fairness().provenance.checked);
}

#[test]
fn each_player_finds_his_seed_and_a_forged_die_is_found_by_both() {
    let text = committed_game(600);
    let (believed, said) = first_verify("pledged", &text);
    assert!(believed && said.contains("the seed revealed is the one committed to"), "{said}");
    assert_eq!(said.matches("a seed of the player's own is in the dice").count(), 2, "{said}");
    for seed in [[0_u8; 32], [1; 32]] {
        let hash = blake3::Hash::from_bytes(derived("glacis seat seed commitment v2", &[seed]));
        assert!(said.contains(&hash.to_string()), "{hash} is in {said}");
    }
    let number = text.lines().position(|line| line.contains("\"face\":1}")).unwrap();
    let forged =
        resealed(&text, |at, body| (at == number).then(|| body.replacen("\"face\":1}", "\"face\":2}", 1)));
    let told = second_verify(&forged).unwrap_err();
    assert_eq!(told, format!("line {}: not the dice of the seeds", number + 1));
    let (believed, said) = first_verify("forged", &forged);
    let blamed = format!("the dice of line {} are not those of the seed", number + 1);
    assert!(!believed && said.contains(&blamed), "{said}");
}

#[test]
fn both_verifiers_agree_on_a_game_that_another_server_took_over() {
    // Exported after its first dice, without its seed, and taken over.
    let half: String = committed_game(400).lines().take(400).map(|line| format!("{line}\n")).collect();
    let mut game = first_played_again(&half);
    let mut taken = half;
    taken.extend([game.adopt([9; 32], Terms::default()).unwrap().as_str(), "\n"]);
    keep(&mut taken, game.order(game.entries(), 0, Order::Pledge([3; 32])).unwrap());
    play_on(game.as_mut(), &mut taken, 400);
    give_up(game.as_mut(), &mut taken);
    let checked = second_verify(&taken).unwrap();
    assert!(checked.dice > 0 && checked.unknown > 0 && checked.pledges == 3, "{checked:?}");
    let (believed, said) = first_verify("taken", &taken);
    assert!(believed, "{said}");
    for told in [
        "with entry 400 another server took the game over",
        "these dice cannot be checked",
        "the seed revealed is the one committed to",
        "the player put no seed of his own into the dice",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
}

/// A siege with all its nights, each side choosing at random and in secret.
fn dark_game() -> String {
    use countermine::{Action, Countermine, setup};
    use kernel::{Game, Play};
    let seed = [5; 32];
    let source = Source::Committed(HexHash(commitment(&seed)));
    let mut play = Play::<Countermine>::begin(&setup("dark", None), source, Some(seed)).unwrap();
    let mut text = format!("{}\n", play.header_line());
    let (mut stream, mut actions) = (Live::numbered(1), Vec::new());
    while let Some(place) = play.awaited().iter().last() {
        let side = Countermine::SIDES[place];
        play.actions(side, &mut actions);
        // Nothing that ends it early, and enough to dig by day.
        let early = |action: &Action| matches!(action, Action::Assault(_) | Action::Sap(_));
        actions.retain(|action| !early(action));
        let action = actions[stream.below(u32::try_from(actions.len()).unwrap()) as usize];
        let step = play.decide(play.entries(), side, &action).unwrap();
        text.extend([step.record_line.as_str(), "\n"]);
        while let Some(opened) = play.open_next() {
            text.extend([opened.step.record_line.as_str(), "\n"]);
        }
    }
    text.extend([play.reveal_at_the_end().unwrap().as_str(), "\n"]);
    text
}

#[test]
fn what_was_sealed_is_checked_by_the_second_verifier_too() {
    let text = dark_game();
    let checked = second_verify(&text).unwrap();
    assert_eq!((checked.seals, checked.opened), (10, 10), "five nights: {checked:?}");
    let number = text.lines().position(|line| line.contains("\"salt\"")).unwrap();
    let forged = resealed(&text, |at, body| {
        let digit = |body: &str| {
            let at = body.find("\"salt\":\"").unwrap() + 8;
            let other = if body[at..].starts_with('0') { "1" } else { "0" };
            format!("{}{other}{}", &body[..at], &body[at + 1..])
        };
        (at == number).then(|| digit(body))
    });
    assert_eq!(
        second_verify(&forged).unwrap_err(),
        format!("line {}: not the order that was sealed", number + 1)
    );
}

#[test]
fn the_record_of_1807_passes_the_second_verifier() {
    let text = include_str!("../../../../scenarios/danzig/1807.record");
    let checked = second_verify(text).unwrap();
    assert!(checked.dice > 100 && checked.unknown == 0, "{checked:?}");
}
