//! Games as they are kept: opened from snapshots, damaged at rest, the file taken away, the disk full.
//! What is sound can be read, nothing is acknowledged that is not kept, and everything is told.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use yardstick::patience;

use crate::client::{Answer, Begun, Client, begin, begin_with, view};
use crate::house::{Database, House, databases, sqlite};

fn health(client: &mut Client) -> Answer {
    client.send("GET", "/healthz", &[], b"")
}

/// Digs, takes back, digs again, until the record holds so many entries.
fn play_to(client: &mut Client, game: &Begun, entries: u64) {
    let mut seen = view(client, game, "besieger")["entries"].as_u64().unwrap();
    while seen < entries {
        let answer = dig(client, game, seen);
        assert_eq!(answer.status, 200, "{answer:?}");
        seen += 1;
    }
}

/// The next order of such a game.
fn dig(client: &mut Client, game: &Begun, seen: u64) -> Answer {
    let state = view(client, game, "besieger");
    let dug = state["view"]["dug"].as_array().unwrap().iter().any(|dug| dug != 0);
    let (path, secret, order) = match dug {
        _ if state["to_move"] == "garrison" => {
            ("/act", &game.garrison, json!({ "seen": seen, "action": { "lay": 0 } }))
        }
        false => ("/act", &game.besieger, json!({ "seen": seen, "action": { "dig": 1 } })),
        true => ("/undo", &game.besieger, json!({ "seen": seen })),
    };
    client.post(&game.path(path), secret, &order)
}

#[test]
fn a_long_game_is_opened_from_its_snapshot() {
    for database in databases() {
        let mut house = House::open(&database);
        let game = begin(&mut house.client());
        // A word first: what is taken back right after a snapshot, only the whole record remembers.
        let words = json!({ "seen": 0, "words": "Allons !" });
        assert_eq!(house.client().post(&game.path("/words"), &game.besieger, &words).status, 200);
        play_to(&mut house.client(), &game, 151);
        house.kill();
        assert_eq!(database.run("SELECT n FROM snapshots"), Some(128), "{database:?}");
        house.again();
        let mut client = house.client();
        assert_eq!(view(&mut client, &game, "besieger")["entries"], 151);
        let told = health(&mut client).json();
        assert_eq!(told["games"], json!({ "damaged": 0, "opened": 1, "replayed": 23 }), "{database:?}");
        // The next one takes its place.
        play_to(&mut client, &game, 260);
        assert_eq!(database.run("SELECT n FROM snapshots"), Some(256));
    }
}

/// A game of eleven entries, damaged while no server looks.
fn damaged(database: &Database, statements: &[&str]) -> (House, Begun) {
    let mut house = House::open(database);
    let game = begin(&mut house.client());
    play_to(&mut house.client(), &game, 11);
    house.kill();
    for statement in statements {
        database.run(statement);
    }
    house.again();
    (house, game)
}

/// What everybody must find in a damaged game of which so many entries are sound.
fn sound_part_can_be_read(house: &House, game: &Begun, sound: u64, english: &str, french: &str) {
    let mut client = house.client();
    let state = view(&mut client, game, "besieger");
    assert_eq!(state["entries"], sound, "{english}");
    let told = state["damaged"].as_str().unwrap();
    assert!(told.starts_with("damaged: ") && told.contains(english), "{told}");
    let translated = client.get(&game.path("?lang=fr"), &game.besieger).json();
    let translated = translated["damaged"].as_str().unwrap();
    assert!(translated.starts_with("endommagée : ") && translated.contains(french), "{translated}");

    for path in ["/act", "/undo", "/resign"] {
        let order = match path {
            "/act" => json!({ "seen": sound, "action": { "dig": 1 } }),
            _ => json!({ "seen": sound }),
        };
        let refused = client.post(&game.path(path), &game.besieger, &order);
        assert_eq!((refused.status, refused.message().as_str()), (423, told), "{path}");
    }
    assert_eq!(client.get(&game.path("/actions"), &game.besieger).json()["actions"], json!([]));

    let both = format!("{},{}", game.besieger, game.garrison);
    let record = client.get(&game.path("/record"), &both);
    let record = kernel::Record::read(&record.body).unwrap();
    assert_eq!(record.lines.len() as u64, sound, "{english}");
    let log = client.get(&game.path("/log"), &game.besieger).json();
    assert_eq!(log.as_array().unwrap().len() as u64, sound, "{english}");
    assert_eq!(client.get(&game.path("/luck"), &game.besieger).status, 200);
    one_damaged_game_is_told_of(house, game, english);
}

/// The health page counts it, the log names it once, and everybody else plays on.
fn one_damaged_game_is_told_of(house: &House, game: &Begun, english: &str) {
    let mut client = house.client();
    let told = health(&mut client);
    assert_eq!((told.status, &told.json()["status"]), (200, &json!("damaged")), "{told:?}");
    assert_eq!(told.json()["games"]["damaged"], 1);
    let log = house.log();
    let named: Vec<&str> =
        log.lines().filter(|line| line.contains(&format!("game {} is damaged", game.id))).collect();
    assert_eq!(named.len(), 1, "{log}");
    assert!(named[0].contains("damaged: ") && named[0].contains(english), "{log}");
    assert!(!log.contains("panicked"), "{log}");
    let other = begin(&mut client);
    play_to(&mut client, &other, 3);
}

#[test]
fn what_is_sound_of_a_damaged_game_can_be_read_and_no_order_is_taken() {
    let cases: [(&str, u64, &str, &str); 5] = [
        (
            "DELETE FROM entries WHERE n > 7",
            7,
            "held 11 entries, those from 8 on are lost",
            "avait 11 entrées, celles à partir de 8 sont perdues",
        ),
        ("DELETE FROM entries WHERE n = 5", 4, "entry 5 is missing", "l'entrée 5 manque"),
        (
            "UPDATE entries SET line = REPLACE(line, 'undo', 'Undo') WHERE n = 7",
            6,
            "entry 7 is not what was written",
            "l'entrée 7 n'est pas celle qui fut écrite",
        ),
        ("UPDATE entries SET line = 'x' WHERE n = 1", 0, "entry 1 is not what was written", "l'entrée 1"),
        ("UPDATE games SET entries = 9", 11, "holds 11 entries where 9 were counted", "a 11 entrées là où 9"),
    ];
    for database in databases() {
        for (statement, sound, english, french) in cases {
            // Each has a database of its own.
            let database = if database.file().is_some() { sqlite() } else { emptied(&database) };
            let (house, game) = damaged(&database, &[statement]);
            sound_part_can_be_read(&house, &game, sound, english, french);
        }
    }
}

/// A shared database without the games of the last case.
fn emptied(database: &Database) -> Database {
    for table in ["snapshots", "entries", "seats", "games"] {
        let there = format!(
            "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = '{table}' AND table_schema = current_schema()"
        );
        if database.run(&there) == Some(1) {
            database.run(&format!("DELETE FROM {table}"));
        }
    }
    database.clone()
}

#[test]
fn a_row_that_is_not_text_is_damage_and_no_panic() {
    for (statement, sound, english, french) in [
        ("UPDATE entries SET line = x'fffe00' WHERE n = 4", 3, "entry 4 is not text", "n'est pas du texte"),
        (
            "UPDATE entries SET line = CAST(x'7bff7d' AS TEXT) WHERE n = 4",
            3,
            "entry 4 is not text",
            "n'est pas du texte",
        ),
        ("UPDATE entries SET n = 'nine' WHERE n = 9", 8, "entry 9 is missing", "l'entrée 9 manque"),
        ("UPDATE games SET seed = x'ff'", 11, "the secret seed of the dice", "la graine secrète"),
    ] {
        let (house, game) = damaged(&sqlite(), &[statement]);
        sound_part_can_be_read(&house, &game, sound, english, french);
    }
}

#[test]
fn what_stands_beside_the_record_is_looked_at_too() {
    for (statement, english, french) in [
        (
            "DELETE FROM seats WHERE place = 1",
            "what is kept of its seats",
            "ce qui est conservé de ses places",
        ),
        (
            "DELETE FROM seats WHERE place = -1",
            "what is kept of its seats",
            "ce qui est conservé de ses places",
        ),
        ("UPDATE seats SET hash = 'ab' WHERE place = 1", "what is kept of its seats", "de ses places"),
        ("UPDATE seats SET player = 'wizard' WHERE place = 1", "who plays its seats", "qui tient ses places"),
        (
            "UPDATE seats SET player = 'sensible' WHERE place = 1",
            "who plays its seats",
            "qui tient ses places",
        ),
        ("UPDATE games SET system = x'ff'", "the name of its system", "le nom de son système"),
        ("UPDATE games SET created = 'once'", "a time that is kept with it", "une heure conservée avec elle"),
        ("UPDATE entries SET at = 'noon' WHERE n = 3", "a time that is kept with it", "une heure conservée"),
    ] {
        let (house, game) = damaged(&sqlite(), &[statement]);
        let mut client = house.client();
        let state = view(&mut client, &game, "besieger");
        assert_eq!(state["entries"], 11, "{statement}");
        let told = state["damaged"].as_str().unwrap_or_default();
        assert!(told.starts_with("damaged: the record is whole, but ") && told.contains(english), "{told}");
        let translated = client.get(&game.path("?lang=fr"), &game.besieger).json();
        assert!(translated["damaged"].as_str().unwrap().contains(french), "{translated}");
        let refused = dig(&mut client, &game, 11);
        assert_eq!((refused.status, refused.message().as_str()), (423, told), "{statement}");
        one_damaged_game_is_told_of(&house, &game, english);
    }
}

#[test]
fn a_game_does_not_go_on_without_its_seed() {
    let other = format!("UPDATE games SET seed = '{}'", "0".repeat(64));
    for seed in [
        "UPDATE games SET seed = 'no hexadecimal digits'",
        "UPDATE games SET seed = '00ff'",
        &other,
        "UPDATE games SET seed = ''",
    ] {
        let (house, game) = damaged(&sqlite(), &[seed]);
        sound_part_can_be_read(&house, &game, 11, "the secret seed of the dice", "la graine secrète des dés");
    }
}

#[test]
fn a_game_without_its_first_line_is_damaged_and_no_fault_of_the_reader() {
    for header in ["'junk'", "''", "x'ff00ff'", "REPLACE(header, 'broad', 'narrow')"] {
        let (house, game) = damaged(&sqlite(), &[&format!("UPDATE games SET header = {header}")]);
        let mut client = house.client();
        let order = json!({ "seen": 11, "action": { "dig": 1 } });
        for answer in [
            client.get(&game.path(""), &game.besieger),
            client.get(&game.path("/record"), &game.besieger),
            client.post(&game.path("/act"), &game.besieger, &order),
        ] {
            assert_eq!(answer.status, 423, "{answer:?}");
            assert!(answer.message().starts_with("damaged: the first line"), "{answer:?}");
        }
        one_damaged_game_is_told_of(&house, &game, "the first line of the record");
    }
}

#[test]
fn a_snapshot_ahead_of_the_record_tells_of_lost_entries() {
    for database in databases() {
        let mut house = House::open(&database);
        let game = begin(&mut house.client());
        play_to(&mut house.client(), &game, 130);
        house.kill();
        database.run("DELETE FROM entries WHERE n > 120");
        database.run("UPDATE games SET entries = 120");
        house.again();
        let english = "held 128 entries, those from 121 on are lost";
        sound_part_can_be_read(&house, &game, 120, english, "avait 128 entrées");
    }
}

#[test]
fn no_order_is_written_after_an_entry_that_is_gone() {
    for database in databases() {
        let house = House::open(&database);
        let mut client = house.client();
        let game = begin(&mut client);
        play_to(&mut client, &game, 5);
        database.run("DELETE FROM entries WHERE n = 5");
        let refused = dig(&mut client, &game, 5);
        assert_eq!(refused.status, 423, "{refused:?}");
        assert!(refused.message().contains("held 5 entries, those from 5 on are lost"), "{refused:?}");
        assert_eq!(database.run("SELECT COUNT(*) FROM entries"), Some(4), "nothing was written");
        sound_part_can_be_read(&house, &game, 4, "those from 5 on are lost", "à partir de 5");
    }
}

/// Asks until the health page says so: it looks once a second.
fn until_health(client: &mut Client, status: u16) -> Value {
    let began = Instant::now();
    loop {
        let told = health(client);
        if told.status == status {
            return told.json();
        }
        assert!(began.elapsed() < patience(Duration::from_secs(20)), "{told:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_file_taken_away_acknowledges_nothing() {
    let database = sqlite();
    let house = House::open(&database);
    let mut client = house.client();
    let game = begin(&mut client);
    play_to(&mut client, &game, 5);
    let file = database.file().unwrap();
    let away = file.with_extension("away");
    let refused = |client: &mut Client, what: &str| {
        let refused = dig(client, &game, 5);
        assert_eq!(refused.status, 503, "{what}: {refused:?}");
        assert!(refused.message().contains("was removed or replaced"), "{what}: {refused:?}");
        let lines = |house: &House| house.log().matches("was removed or replaced").count();
        let before = lines(&house);
        for _ in 0..20 {
            assert_eq!(dig(client, &game, 5).status, 503, "{what}");
        }
        assert!(lines(&house) <= before + 1, "{what}: {}", house.log());
        let created = json!({ "system": "countermine", "scenario": "broad" }).to_string();
        assert_eq!(client.send("POST", "/api/games", &[], created.as_bytes()).status, 503, "{what}");
        // An order that could not be kept tells it at once.
        let told = health(client);
        assert_eq!((told.status, &told.json()["status"]), (503, &json!("unavailable")), "{what}");
        let told = told.json();
        assert!(told["trouble"].as_str().unwrap().contains("was removed or replaced"), "{told}");
        assert_eq!(view(client, &game, "besieger")["entries"], 5, "{what}: nothing was written");
    };
    std::fs::rename(&file, &away).unwrap();
    refused(&mut client, "removed");
    assert!(!file.exists(), "no empty one is made in its place");
    std::fs::copy(&away, &file).unwrap();
    refused(&mut client, "replaced");
    // Put back, it is the one that was opened.
    std::fs::rename(&away, &file).unwrap();
    assert_eq!(until_health(&mut client, 200)["status"], "ok");
    play_to(&mut client, &game, 8);
}

#[test]
fn a_log_taken_away_acknowledges_nothing_and_loses_nothing() {
    let database = sqlite();
    let mut house = House::open(&database);
    let mut client = house.client();
    let game = begin(&mut client);
    play_to(&mut client, &game, 20);
    let mut log = database.file().unwrap().into_os_string();
    log.push("-wal");
    std::fs::remove_file(log).unwrap();
    let refused = dig(&mut client, &game, 20);
    assert_eq!(refused.status, 503, "{refused:?}");
    assert!(refused.message().contains("was removed or replaced"), "{refused:?}");
    house.kill();
    house.again();
    let state = view(&mut house.client(), &game, "besieger");
    assert_eq!((&state["entries"], &state["damaged"]), (&json!(20), &Value::Null));
    play_to(&mut house.client(), &game, 22);
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let database = sqlite();
    let mut house = House::open_cramped(&database, 1024);
    let mut client = house.client();
    let game = begin(&mut client);
    assert_eq!(health(&mut client).status, 200);
    let mut kept = 0;
    let refused = loop {
        let answer = dig(&mut client, &game, kept);
        if answer.status != 200 {
            break answer;
        }
        kept += 1;
        assert!(kept < 1000, "the disk is never full");
    };
    assert_eq!(refused.status, 503, "{refused:?}");
    assert_eq!(until_health(&mut client, 503)["status"], "unavailable");
    house.kill();
    let house = House::open(&database);
    let mut client = house.client();
    assert_eq!(view(&mut client, &game, "besieger")["entries"], kept);
    assert_eq!(health(&mut client).json()["status"], "ok");
    play_to(&mut client, &game, kept + 2);
}

/// A game of Danzig with so many entries, both seats human; its seats' secrets.
fn danzig(client: &mut Client, entries: u64) -> (Begun, [String; 2]) {
    let game = begin_with(client, &json!({ "system": "danzig", "scenario": "danzig-1807" }));
    let secret = |seat: usize| game.answer["seats"][seat]["secret"].as_str().unwrap().to_owned();
    let secrets = [secret(0), secret(1)];
    danzig_to(client, &game, &secrets, entries);
    (game, secrets)
}

fn danzig_to(client: &mut Client, game: &Begun, secrets: &[String; 2], entries: u64) {
    let both = secrets.join(",");
    for seen in 0.. {
        let offered = client.get(&game.path("/actions"), &both).json();
        let seen = offered["entries"].as_u64().unwrap().max(seen);
        if seen >= entries {
            return;
        }
        let order = json!({ "seen": seen, "action": offered["actions"].as_array().unwrap().last() });
        let answer = client.post(&game.path("/act"), &both, &order);
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

fn glacis(arguments: &[&str]) -> (Output, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_glacis")).args(arguments).env("LANG", "C").output().unwrap();
    let said = [output.stdout.clone(), output.stderr.clone()].concat();
    (output, String::from_utf8(said).unwrap())
}

/// Every record in a folder is accepted by `glacis verify`; how many entries each has.
fn verified(folder: &Path) -> Vec<(String, usize)> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let records = files.iter().map(|file| {
        let (output, said) = glacis(&["verify", file.to_str().unwrap()]);
        assert!(output.status.success(), "{said}");
        let lines = std::fs::read_to_string(file).unwrap().lines().count() - 1;
        (file.file_stem().unwrap().to_str().unwrap().to_owned(), lines)
    });
    records.collect()
}

#[test]
fn damaged_games_are_found_exported_and_cut_back_and_nothing_is_destroyed() {
    for (number, database) in databases().iter().enumerate() {
        let folder =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("care{number}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let mut house = House::open(database);
        let mut client = house.client();
        let (gap, secrets) = danzig(&mut client, 12);
        let (seedless, _) = danzig(&mut client, 6);
        let (whole, _) = danzig(&mut client, 4);
        house.kill();
        database.run(&format!("DELETE FROM entries WHERE n = 9 AND game = '{}'", gap.id));
        database.run(&format!("UPDATE games SET seed = 'lost' WHERE id = '{}'", seedless.id));

        // On the page: what is wrong, and nothing to decide.
        house.again();
        let mut client = house.client();
        let cookie = client.send("GET", &format!("/s/{}/{}", gap.id, secrets[0]), &[], b"");
        let cookie = cookie.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        let page = client.send("GET", &format!("/g/{}", gap.id), &[("cookie", &cookie)], b"");
        assert!(page.body.contains("damaged: entry 9 is missing"), "{page:?}");
        assert!(!page.body.contains("data-deciding"), "{page:?}");
        let past = client.send("GET", &format!("/g/{}?at=5", gap.id), &[("cookie", &cookie)], b"");
        assert_eq!(past.status, 200, "{past:?}");
        house.kill();

        let store = |task: &[&str]| glacis(&[&["store"], task, &["--database", &database.address]].concat());
        let (output, said) = store(&["check"]);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(&format!("{}: damaged: entry 9 is missing", gap.id)), "{said}");
        assert!(said.contains(&format!("{}: damaged: the secret seed", seedless.id)), "{said}");
        assert!(said.contains("3 games, 2 damaged"), "{said}");
        let (_, french) = store(&["check", "--lang", "fr"]);
        assert!(french.contains("endommagée : l'entrée 9 manque"), "{french}");
        let (output, said) = store(&["check", &whole.id]);
        assert!(output.status.success() && said.contains("sound, 4 entries"), "{said}");

        let (output, said) = store(&["export", "--out", &path("out")]);
        assert!(output.status.success(), "{said}");
        let mut expected = vec![(gap.id.clone(), 8), (seedless.id.clone(), 6), (whole.id.clone(), 4)];
        expected.sort();
        assert_eq!(verified(&folder.join("out")), expected);
        let (output, said) = store(&["export", &whole.id, "--out", &path("out")]);
        assert_eq!(output.status.code(), Some(2), "nothing is overwritten: {said}");

        let (output, said) = store(&["repair", "--keep", &path("cut")]);
        assert_eq!(output.status.code(), Some(1), "one stays damaged: {said}");
        assert!(said.contains(&format!("{}: cut back to its 8 sound entries", gap.id)), "{said}");
        assert!(said.contains(&format!("{}: cutting back does not mend this", seedless.id)), "{said}");
        let kept = std::fs::read_to_string(folder.join(format!("cut/{}.cut-after-8.jsonl", gap.id))).unwrap();
        let kept: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((&kept[0]["sound"], &kept[0]["counted"]), (&json!(8), &json!(12)));
        let numbers: Vec<&str> = kept[1..].iter().map(|row| row["n"].as_str().unwrap()).collect();
        assert_eq!(numbers, ["10", "11", "12"]);
        assert!(kept[1]["line"].as_str().unwrap().contains("\"n\":10,"), "{}", kept[1]);
        assert!(store(&["check"]).1.contains("3 games, 1 damaged"));

        // And it goes on.
        house.again();
        danzig_to(&mut house.client(), &gap, &secrets, 12);
    }
}

#[test]
fn a_repair_goes_on_with_the_others_and_says_what_it_could_not_do() {
    let database = sqlite();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("repair-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let cut = folder.join("cut");
    let keep = cut.to_str().unwrap().to_owned();
    let mut house = House::open(&database);
    let mut client = house.client();
    let (negative, _) = danzig(&mut client, 4);
    let (text, _) = danzig(&mut client, 4);
    let (gap, secrets) = danzig(&mut client, 6);
    house.kill();
    database.run(&format!("UPDATE games SET entries = -5 WHERE id = '{}'", negative.id));
    database.run(&format!("UPDATE games SET entries = 'many' WHERE id = '{}'", text.id));
    database.run(&format!("DELETE FROM entries WHERE n = 5 AND game = '{}'", gap.id));
    let store = |task: &[&str]| glacis(&[&["store"], task, &["--database", &database.address]].concat());
    // One game whose copy cannot be kept: a folder stands where the file should.
    std::fs::create_dir_all(cut.join(format!("{}.cut-after-4.jsonl", negative.id))).unwrap();
    let (output, said) = store(&["repair", "--keep", &keep]);
    assert!(output.status.success(), "{said}");
    for game in [&negative, &text, &gap] {
        assert!(said.contains(&format!("{}: cut back to its 4 sound entries", game.id)), "{said}");
    }
    assert!(cut.join(format!("{}.cut-after-4-2.jsonl", negative.id)).is_file(), "another name was free");
    assert!(store(&["check"]).1.contains("3 games, 0 damaged"));
    // Nothing is destroyed that could not be kept, and the others are mended all the same.
    database.run(&format!("DELETE FROM entries WHERE n = 2 AND game = '{}'", negative.id));
    database.run(&format!("DELETE FROM entries WHERE n = 3 AND game = '{}'", gap.id));
    let nowhere = folder.join("file");
    std::fs::write(&nowhere, "no folder").unwrap();
    let (output, said) = store(&["repair", "--keep", nowhere.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for game in [&negative, &gap] {
        assert!(said.contains(&format!("{}: could not be cut back", game.id)), "{said}");
    }
    assert!(store(&["repair", "--keep", &keep]).0.status.success());
    house.again();
    danzig_to(&mut house.client(), &gap, &secrets, 6);
}

#[test]
fn a_game_cut_behind_the_line_that_took_it_over_is_taken_over_again() {
    let database = sqlite();
    let keep = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("adopt-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&keep);
    let mut house = House::open(&database);
    let mut client = house.client();
    let (game, both) = {
        let (elsewhere, secrets) = danzig(&mut client, 8);
        let record = client.get(&elsewhere.path("/record"), &secrets.join(",")).body;
        let body = json!({ "record": record, "seats": { "french": "sensible" } }).to_string();
        let imported = client.send("POST", "/api/import", &[], body.as_bytes());
        assert_eq!(imported.status, 201, "{imported:?}");
        let imported = imported.json();
        (
            imported["game"].as_str().unwrap().to_owned(),
            imported["seats"][0]["secret"].as_str().unwrap().to_owned(),
        )
    };
    let old = client.get(&format!("/api/games/{game}"), &both).json()["dice"]["commitment"].clone();
    house.kill();
    database.run(&format!("UPDATE entries SET line = 'x' WHERE n = 7 AND game = '{game}'"));
    let store = |task: &[&str]| glacis(&[&["store"], task, &["--database", &database.address]].concat());
    let (output, said) = store(&["repair", "--keep", keep.to_str().unwrap()]);
    assert!(output.status.success(), "{said}");
    assert!(said.contains(&format!("{game}: cut back to its 6 sound entries")), "{said}");
    assert!(said.contains("goes on with a fresh one, which entry 7 commits to"), "{said}");
    assert!(store(&["check"]).1.contains("2 games, 0 damaged"));
    house.again();
    let mut client = house.client();
    let state = client.get(&format!("/api/games/{game}"), &both).json();
    assert_eq!((&state["imported"], &state["damaged"]), (&json!(7), &Value::Null), "{state}");
    assert_ne!(state["dice"]["commitment"], old, "another seed, and it says so");
    // And it goes on: the machine, which still has its seat, may move meanwhile.
    let began = Instant::now();
    loop {
        let seen = client.get(&format!("/api/games/{game}"), &both).json()["entries"].clone();
        let words = json!({ "seen": seen, "words": "Où en étions-nous ?" });
        let said = client.post(&format!("/api/games/{game}/words"), &both, &words);
        if said.status == 200 {
            break;
        }
        assert!(
            said.message().contains("moved on") && began.elapsed() < patience(Duration::from_secs(20)),
            "{said:?}"
        );
    }
}
