//! Tables that several lay together outlive the server: whatever was acknowledged is there after it was killed,
//! on either database, and a change that missed another is told of it.

use serde_json::{Value, json};

use crate::house::{House, databases, postgres, sqlite};

fn patch(number: u32) -> Value {
    let thing = json!(["bodies", format!("b{number}"), null, { "id": format!("b{number}") }]);
    json!({ "patch": { "things": [thing], "order": {}, "fields": [] } })
}

#[test]
fn a_shared_table_outlives_the_server() {
    for database in databases() {
        let mut house = House::open(&database);
        let mut client = house.client();
        let start = json!({ "table": { "name": "Farm" } });
        let made = client.post("/table/shared", "", &start).json();
        let path = format!("/table/shared/{}", made["word"].as_str().unwrap());
        for number in 0..3 {
            let answer = client.post(&format!("{path}?seen={number}"), "", &patch(number));
            assert_eq!(
                (answer.status, answer.json()["version"].as_u64()),
                (200, Some(u64::from(number) + 1))
            );
        }
        house.kill();
        house.again();
        let mut client = house.client();
        let found = client.get(&path, "").json();
        assert_eq!((&found["version"], &found["start"]), (&json!(3), &start));
        assert_eq!(found["changes"], json!([patch(0), patch(1), patch(2)]));
        // Who missed something is told of it, and goes on from there.
        let late = client.post(&format!("{path}?seen=1"), "", &patch(9));
        assert_eq!((late.status, &late.json()["changes"]), (409, &json!([patch(1), patch(2)])));
        assert_eq!(client.post(&format!("{path}?seen=3"), "", &patch(9)).status, 200);
        assert_eq!(client.get("/table/shared/nothing", "").status, 404);
    }
}

/// A week after it was last touched a table is forgotten, in the store as well.
#[test]
fn a_table_nobody_touches_is_forgotten() {
    for database in databases() {
        let mut house = House::open(&database);
        let made = house.client().post("/table/shared", "", &json!({ "table": 1 })).json();
        let path = format!("/table/shared/{}", made["word"].as_str().unwrap());
        assert_eq!(house.client().post(&format!("{path}?seen=0"), "", &patch(1)).status, 200);
        house.kill();
        database.run("UPDATE laid_tables SET used = used - 604801");
        house.again();
        assert_eq!(house.client().get(&path, "").status, 404);
        assert_eq!(database.run("SELECT COUNT(*) FROM laid_changes"), Some(0));
    }
}

/// What is written into a file that was removed is not kept: it is not acknowledged.
#[test]
fn a_file_taken_away_acknowledges_no_change_of_a_table() {
    let database = sqlite();
    let house = House::open(&database);
    let mut client = house.client();
    let made = client.post("/table/shared", "", &json!({ "table": 1 })).json();
    let path = format!("/table/shared/{}", made["word"].as_str().unwrap());
    let file = database.file().unwrap();
    let away = file.with_extension("away");
    std::fs::rename(&file, &away).unwrap();
    let refused = client.post(&format!("{path}?seen=0"), "", &patch(1));
    assert_eq!(refused.status, 503, "{refused:?}");
    assert!(refused.message().contains("was removed or replaced"), "{refused:?}");
    std::fs::rename(&away, &file).unwrap();
    let kept = client.post(&format!("{path}?seen=0"), "", &patch(1));
    assert_eq!((kept.status, &kept.json()["version"]), (200, &json!(1)), "nothing was held back in memory");
}

/// Who listens through another process hears of a change as it is made, and of his own once.
#[test]
fn a_change_through_one_process_is_heard_through_the_other() {
    let Some(database) = postgres() else { return };
    let houses = [House::open(&database), House::open(&database)];
    let made = houses[0].client().post("/table/shared", "", &json!({ "table": 1 })).json();
    let path = format!("/table/shared/{}", made["word"].as_str().unwrap());
    let mut heard = houses.each_ref().map(|house| house.client().events(&format!("{path}/events"), ""));
    for events in &mut heard {
        assert_eq!(events.next().unwrap().1, json!(0));
    }
    for number in 0..6 {
        let house = &houses[usize::from(number % 2 == 1)];
        let answer = house.client().post(&format!("{path}?seen={number}"), "", &patch(number));
        assert_eq!(answer.status, 200, "{answer:?}");
        for events in &mut heard {
            assert_eq!(events.next().unwrap().1, json!(number + 1));
        }
    }
    for house in &houses {
        assert_eq!(house.client().get(&path, "").json()["changes"].as_array().map(Vec::len), Some(6));
    }
}

#[test]
fn two_processes_lay_one_table() {
    let Some(database) = postgres() else { return };
    let houses = [House::open(&database), House::open(&database)];
    let made = houses[0].client().post("/table/shared", "", &json!({ "table": 1 })).json();
    let path = format!("/table/shared/{}", made["word"].as_str().unwrap());
    for number in 0..4 {
        let house = &houses[usize::from(number % 2 == 1)];
        let answer = house.client().post(&format!("{path}?seen={number}"), "", &patch(number));
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    for house in &houses {
        assert_eq!(house.client().get(&path, "").json()["version"], 4);
    }
}
