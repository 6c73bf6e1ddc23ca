//! The running umpire on a phone, by touch alone: a march, a melee whose end is said in one tap, a house stormed,
//! a wall shot to pieces, each applied to the table and taken back, the next quarter, and asked again.

use serde_json::{Value, json};

use super::driver::Browser;
use super::house;
use super::table::{TABLE, Thumb, blob, is_legal, rests};
use super::umpire::fits;

/// A column of four companies of three.
fn column(id: &str, side: &str, place: &Value) -> Value {
    let companies: Vec<Value> =
        (0..4).map(|k| json!({ "name": format!("c{k}"), "figures": 3, "fire": 4 })).collect();
    json!({ "id": id, "label": id, "side": side, "troops": { "infantry": { "companies": companies } }, "place": place })
}

fn stand(x: f64, y: f64, facing: u16) -> Value {
    json!({ "stand": { "at": [x, y], "facing": facing, "formation": "company-column" } })
}

/// A melee in the west, a farm that is stormed in the middle, guns before a wall in the east, one who marches.
fn table() -> String {
    let posts: Vec<Value> =
        (0..4).map(|side| json!({ "side": side, "company": format!("c{side}"), "figures": 3 })).collect();
    let garrison = json!({ "garrison": { "house": "farm", "posts": posts } });
    let guns = json!({ "id": "guns", "label": "guns", "side": "blue", "place": { "stand": { "at": [96, 14], "facing": 0, "formation": "in-position" } },
        "troops": { "artillery": { "calibre": "calibre-8", "guns": 8, "crew": 4, "initial_crew": 4, "fire": 6 } } });
    json!({ "name": "Aftermath", "width": 120, "depth": 90,
        "terrain": [
            { "id": "farm", "label": "farm", "shape": { "house": { "corner": [56, 40], "length": 9, "width": 8 } } },
            { "id": "road", "label": "", "shape": { "road": { "axis": [[0, 50.8], [120, 50.8]], "width": 5 } } },
            { "id": "wall", "label": "wall", "shape": { "obstacle": { "line": [[84, 40], [108, 40]], "class": "hard" } } },
        ],
        "bodies": [
            column("blue", "blue", &stand(24.0, 30.0, 0)), column("red", "red", &stand(24.0, 30.0, 180)),
            column("storm", "blue", &stand(60.5, 40.0, 0)), column("garrison", "red", &garrison),
            guns, column("marcher", "blue", &stand(20.0, 70.0, 0)),
        ] })
    .to_string()
}

/// A body or an element of the table as it is kept in this browser.
fn thing(phone: &Browser<'_>, list: &str, id: &str) -> Value {
    let table = phone.run(TABLE, &Value::Null);
    let all = table[list].as_array().cloned().unwrap_or_default();
    all.into_iter().find(|one| one["id"] == json!(id)).unwrap_or_default()
}

fn applied(phone: &Browser<'_>, count: u32) {
    phone.until("applied", &format!("return document.getElementById('laid').dataset.applied === '{count}'"));
    rests(phone);
}

#[test]
fn everything_the_umpire_says_is_applied_with_a_thumb() {
    house("aftermath", |driver, address| {
        let phone = driver.browser(360, 740, "en");
        phone.go(&format!("{address}/table"));
        rests(&phone);
        let open = "const files = new DataTransfer(); files.items.add(new File([arguments[0]], 'table.json'));\
            const input = document.getElementById('table-open'); input.files = files.files; input.dispatchEvent(new Event('change'))";
        phone.run(open, &json!(table()));
        phone.until("opened", "return document.querySelectorAll('.laid-thing').length === 9");
        assert!(is_legal(&phone), "{}", phone.text("#laid-faults"));
        let thumb = Thumb::new(&phone);
        thumb.tap("#mode-ask");

        // A march: who, where to, applied.
        thumb.tap_table(20.0, 67.0);
        phone.wait("#laid-answer .may-do");
        thumb.tap_table(20.0, 78.0);
        phone.wait("#laid-answer [data-pace]");
        phone.picture("aftermath-march");
        thumb.tap("#laid-answer button.primary[data-act]");
        applied(&phone, 1);
        let marched = thing(&phone, "bodies", "marcher")["place"]["stand"]["at"][1].as_f64().unwrap_or(0.0);
        assert!(marched > 71.0, "it has marched to {marched}");

        // A melee: who, whom, two figures off the other, one tap for its end.
        thumb.tap_table(24.0, 27.0);
        phone.wait("#laid-answer .may-do");
        thumb.tap_table(24.0, 33.0);
        phone.wait("#laid-answer .round-over");
        for _ in 0..2 {
            thumb.tap("#laid-answer [data-of='lost-defender'][data-count='1']");
        }
        fits(&phone);
        phone.picture("aftermath-melee");
        thumb.tap("#laid-answer .ending");
        applied(&phone, 2);
        let red = thing(&phone, "bodies", "red");
        assert_eq!((&red["lost"]["all"], &red["state"]), (&json!(2), &json!("disorganised")), "{red}");
        assert_eq!(red["place"]["stand"]["at"], json!([24, 33]), "three centimetres straight back");
        // Taken back, and done again.
        thumb.tap("#undo");
        rests(&phone);
        assert_eq!(thing(&phone, "bodies", "red")["place"]["stand"]["at"], json!([24, 30]));
        thumb.tap("#redo");
        rests(&phone);

        // The house: who, the house, won and gone in.
        thumb.tap_table(60.5, 36.0);
        phone.wait("#laid-answer .may-do");
        thumb.tap_table(60.5, 44.5);
        phone.wait("#laid-answer .round-over");
        phone.picture("aftermath-house");
        thumb.tap("#laid-answer .ending:nth-of-type(2)");
        phone.until("in the house", "return JSON.parse(localStorage.getItem('glacis-table')).state.table.bodies.some((one) => one.record?.inside === 'farm')");
        rests(&phone);

        // The wall: the guns, the wall, three centimetres of it.
        thumb.tap_table(96.0, 12.5);
        phone.wait("#laid-answer .may-do");
        thumb.tap_table(90.0, 40.0);
        phone.wait("#laid-answer button.primary[data-act*='batter']");
        thumb.tap("#laid-answer button.primary[data-act*='batter']");
        phone.until("shot to pieces", "return JSON.parse(localStorage.getItem('glacis-table')).state.table.terrain.some((one) => one.shape.obstacle?.pieces?.length)");
        rests(&phone);
        let pieces = thing(&phone, "terrain", "wall")["shape"]["obstacle"]["pieces"].clone();
        assert_eq!(pieces, json!([{ "from": 10.5, "to": 13.5, "class": "light" }]));
        phone.picture("aftermath-wall");

        // The next quarter, and asked again: who was beaten may re-form.
        thumb.tap("[data-next='quarter']");
        phone.until(
            "the clock",
            "return document.getElementById('laid-clock').textContent.includes('quarter 2')",
        );
        rests(&phone);
        thumb.tap_table(24.0, 36.0);
        phone.wait("#laid-answer .may-do");
        assert!(phone.text("#laid-answer .may-do").contains("Re-form"), "{}", phone.text("#laid-answer"));
        // All of it is in the record.
        let record = blob(&phone, "table-record");
        let again = kernel::Record::read(&record)
            .and_then(|record| kernel::Play::<tabletop::evening::Evening>::replay(&record, None))
            .unwrap_or_else(|refusal| unreachable!("{refusal}: {record}"));
        assert_eq!(again.state().clock().quarter(), 2);
        assert_eq!(phone.complaints(), Vec::<String>::new());
    });
}
