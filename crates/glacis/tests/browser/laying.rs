//! The table under the hand in a real Chromium: shapes pulled, fronts wheeled, things snapped, houses
//! manned, everything taken back, a record gone on with, and all of it fluid and said aloud.

use serde_json::{Value, json};

use super::driver::Browser;
use super::hands::key;
use super::house;
use super::table::{TABLE, Thumb, blob, is_legal, measure, rests};
use super::umpire::fits;

/// Opens a file of these letters.
fn open(browser: &Browser<'_>, text: &str) {
    let script = "const files = new DataTransfer(); files.items.add(new File([arguments[0]], 'table.json'));\
        const input = document.getElementById('table-open'); input.files = files.files; input.dispatchEvent(new Event('change'))";
    browser.run(script, &json!(text));
}

/// A table with twenty units in two lines.
fn battle() -> String {
    let companies: Vec<Value> =
        (0..6).map(|k| json!({ "name": format!("c{k}"), "figures": 2, "fire": 4 })).collect();
    let bodies: Vec<Value> = (0..20)
        .map(|k| {
            let (side, y, facing) = if k < 10 { ("blue", 15, 0) } else { ("red", 75, 180) };
            json!({ "id": format!("b{k}"), "side": side, "troops": { "infantry": { "companies": companies } },
                "place": { "stand": { "at": [12 + 24 * (k % 10), y], "facing": facing, "formation": "line" } } })
        })
        .collect();
    json!({ "name": "Twenty", "width": 240, "depth": 90, "terrain": [], "bodies": bodies }).to_string()
}

#[test]
fn twenty_units_are_dragged_at_sixty_frames_a_second() {
    house("fluid", |driver, address| {
        let browser = driver.browser(1280, 900, "en");
        browser.go(&format!("{address}/table"));
        rests(&browser);
        open(&browser, &battle());
        browser.until("opened", "return document.querySelectorAll('.laid-thing').length === 20");
        assert!(is_legal(&browser), "{}", browser.text("#laid-faults"));
        // The hand moves at every frame; what a frame costs and how long it is are taken down.
        let drag = "const done = arguments[arguments.length - 1]; const svg = document.getElementById('laid-svg');\
            const body = document.querySelector('[data-id=b4] .laid-pick'); const box = body.getBoundingClientRect();\
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];\
            const send = (type, dx, dy) => body.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 7, pointerType: 'touch', isPrimary: true, clientX: x + dx, clientY: y + dy }));\
            svg.setPointerCapture = () => {}; send('pointerdown', 0, 0); const [frames, costs] = [[], []]; let [last, count] = [performance.now(), 0];\
            const step = (now) => { frames.push(now - last); last = now; const before = performance.now(); send('pointermove', 20 * Math.sin(count / 9), -count / 2); costs.push(performance.now() - before);\
                if (++count < 150) requestAnimationFrame(step); else { send('pointerup', 0, -70); const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]; done([middle(frames.slice(5)), middle(costs), Math.max(...costs)]); } };\
            requestAnimationFrame(step)";
        let told = browser.run_async(drag, &Value::Null);
        let number = |place: usize| told[place].as_f64().unwrap_or(f64::MAX);
        eprintln!(
            "a frame: {:.1} ms; the hand in it: {:.2} ms, at most {:.1} ms",
            number(0),
            number(1),
            number(2)
        );
        assert!(number(0) < 17.5 * yardstick::pace(), "sixty frames a second: {told}");
        assert!(number(1) < 4.0 * yardstick::pace(), "the hand leaves most of the frame: {told}");
        rests(&browser);
        let moved = browser.run(TABLE, &Value::Null)["bodies"][4]["place"]["stand"]["at"][1].clone();
        assert!(moved.as_f64().is_some_and(|y| y > 16.0), "it was dragged: {moved}");
    });
}

#[test]
fn every_kind_of_ground_is_laid_pulled_and_snapped() {
    house("kinds", |driver, address| {
        let browser = driver.browser(1280, 900, "en");
        browser.go(&format!("{address}/table"));
        rests(&browser);
        assert!(browser.text("#laid-status").contains("The table is empty"));
        let thumb = Thumb::new(&browser);
        let shape = |place: usize| browser.run(TABLE, &Value::Null)["terrain"][place]["shape"].clone();
        // A hill: its crest pulled, made wider by its number.
        thumb.tap("[data-item=hill]");
        thumb.tap_table(60.0, 70.0);
        rests(&browser);
        measure(&browser, "chosen-length", 60.0);
        let crest = shape(0)["hill"]["crest"][2].clone();
        let from = (crest[0].as_f64().unwrap_or(0.0), crest[1].as_f64().unwrap_or(0.0));
        thumb.drag_table(from, (from.0 - 4.0, from.1 + 3.0));
        rests(&browser);
        let pulled = shape(0)["hill"]["crest"][2].clone();
        assert!((pulled[0].as_f64().unwrap_or(0.0) - from.0 + 4.0).abs() < 0.6, "{crest} {pulled}");
        // A village by one touch: four houses, their street, and it stands as the rules want it.
        thumb.tap("[data-item=village]");
        thumb.tap_table(60.0, 30.0);
        assert!(is_legal(&browser), "{}", browser.text("#laid-faults"));
        assert_eq!(browser.run(TABLE, &Value::Null)["terrain"].as_array().map(Vec::len), Some(7));
        // A house elsewhere goes to the road it belongs to.
        thumb.tap("[data-item=house]");
        thumb.tap_table(95.0, 45.0);
        assert!(!is_legal(&browser));
        thumb.tap("#chosen-snap-house");
        assert!(is_legal(&browser), "{}", browser.text("#laid-faults"));
        // A stream and its bridge.
        thumb.tap("[data-item=stream]");
        thumb.tap_table(60.0, 50.0);
        thumb.tap("[data-item=bridge]");
        thumb.tap_table(30.0, 54.0);
        thumb.tap("#chosen-snap-water");
        assert!(is_legal(&browser), "{}", browser.text("#laid-faults"));
        // A wall with corners where the table is touched, one after the other.
        thumb.tap("[data-item=wall]");
        thumb.tap_table(20.0, 12.0);
        rests(&browser);
        thumb.tap("#chosen-corner-add");
        thumb.tap_table(28.0, 4.0);
        rests(&browser);
        thumb.tap_table(12.0, 4.0);
        rests(&browser);
        let wall = browser.run("return JSON.parse(localStorage.getItem('glacis-table')).state.table.terrain.at(-1).shape.obstacle.line.length", &Value::Null);
        assert_eq!(wall, json!(4));
        thumb.tap("#chosen-corner-add");
        // Units: into a house, in one front with a neighbour, wheeled about a flank.
        thumb.tap("[data-tab=blue]");
        thumb.tap("[data-item='Light battalion']");
        thumb.tap_table(90.0, 12.0);
        rests(&browser);
        thumb.tap("[data-item='Line battalion, field strength']");
        thumb.tap_table(60.0, 9.0);
        rests(&browser);
        thumb.tap("#chosen-snap-front");
        rests(&browser);
        let bodies = || browser.run(TABLE, &Value::Null)["bodies"].clone();
        let front = |place: usize| bodies()[place]["place"]["stand"]["at"][1].clone();
        assert_eq!(front(1), front(0), "in one front");
        let flank = thumb.middle("[data-hand=right]");
        thumb.touch(&[flank, (flank.0 + 4.0, flank.1 - 20.0), (flank.0 + 4.0, flank.1 - 40.0)]);
        rests(&browser);
        let facing = bodies()[1]["place"]["stand"]["facing"].as_f64().unwrap_or(0.0);
        assert!((270.0..360.0).contains(&facing), "its right flank came forward: {facing}");
        thumb.tap("#chosen-garrison");
        browser.until("in the house", "return Boolean(JSON.parse(localStorage.getItem('glacis-table')).state.table.bodies[1].place.garrison)");
        assert!(is_legal(&browser), "{}", browser.text("#laid-faults"));
        browser.picture("table-kinds");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn hundreds_of_changes_are_taken_back_after_a_reload_and_said_aloud() {
    house("undo", |driver, address| {
        let browser = driver.browser(1280, 900, "en");
        browser.go(&format!("{address}/table"));
        rests(&browser);
        open(&browser, &battle());
        browser.until("opened", "return document.querySelectorAll('.laid-thing').length === 20");
        rests(&browser);
        // By one key the place, the facing and what it touches are said.
        browser.run("document.querySelector('[data-id=b3]').focus()", &Value::Null);
        browser.press(key::UP);
        rests(&browser);
        assert_eq!(
            browser.text("#laid-said"),
            "b3, 84.0 cm from the west, 14.8 cm from the south, facing 0 degrees"
        );
        let press = "const b = document.querySelector('[data-id=b3]'); for (let k = 0; k < 450; k++) b.dispatchEvent(new KeyboardEvent('keydown', { key: k % 2 ? 'ArrowLeft' : 'ArrowRight', bubbles: true }))";
        browser.run(press, &Value::Null);
        rests(&browser);
        browser.go(&format!("{address}/table"));
        rests(&browser);
        let undo = "let n = 0; const u = document.getElementById('undo'); while (!u.disabled) { u.click(); n++; } return n";
        assert_eq!(browser.run(undo, &Value::Null), json!(452), "every one of them, back to the bare table");
        rests(&browser);
        assert_eq!(browser.count(".laid-thing"), 0);
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn an_evening_is_opened_from_its_record_and_goes_on() {
    house("record", |driver, address| {
        let browser = driver.browser(1280, 900, "en");
        browser.go(&format!("{address}/table"));
        rests(&browser);
        let open_example = "const s = document.getElementById('table-example'); s.value = 'column-behind-the-hedge'; s.dispatchEvent(new Event('change'))";
        browser.run(open_example, &Value::Null);
        browser.until("opened", "return document.querySelectorAll('.laid-thing').length > 3");
        rests(&browser);
        browser.run("document.getElementById('mode-ask').click()", &Value::Null);
        browser.run("document.querySelector('[data-next=quarter]').click()", &Value::Null);
        browser.until(
            "the clock",
            "return document.getElementById('laid-clock').textContent.includes('quarter 2')",
        );
        rests(&browser);
        let (before, record) = (browser.run(TABLE, &Value::Null), blob(&browser, "table-record"));
        browser.run("document.getElementById('table-new').click()", &Value::Null);
        rests(&browser);
        open(&browser, &record);
        browser.until(
            "played again",
            "return document.getElementById('table-heard').textContent.includes('played again')",
        );
        browser.until(
            "the clock",
            "return document.getElementById('laid-clock').textContent.includes('quarter 2')",
        );
        let after = browser.run(TABLE, &Value::Null);
        let read = |table: Value| serde_json::from_value::<tabletop::scene::Setup>(table).expect("a table");
        assert_eq!(read(after), read(before), "the same table");
        rests(&browser);
        browser.run("document.querySelector('[data-next=quarter]').click()", &Value::Null);
        browser.until(
            "it goes on",
            "return document.getElementById('laid-clock').textContent.includes('quarter 3')",
        );
        rests(&browser);
        // One letter changed, and it is the record of no evening.
        open(&browser, &record.replace("\"quarter\"", "\"period\""));
        browser
            .until("refused", "return document.getElementById('laid-status').classList.contains('is-wrong')");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn two_units_are_asked_about_on_a_phone() {
    house("two-units", |driver, address| {
        let phone = driver.browser(360, 740, "fr");
        phone.go(&format!("{address}/umpire"));
        let thumb = Thumb::new(&phone);
        thumb.tap("a.door[href='/umpire/two-units']");
        phone.wait("#answer table.odds");
        fits(&phone);
        thumb.tap("label[for='cover-hard']");
        phone.until("behind a wall", "return location.search.includes('cover=hard') && !document.getElementById('answer').hasAttribute('aria-busy')");
        thumb.tap("label[for='dice-6']");
        phone.until("with its die", "return Boolean(document.querySelector('#answer .result'))");
        assert!(phone.text("#answer").contains("La prochaine figurine ôtée"), "{}", phone.text("#answer"));
        fits(&phone);
        phone.picture("two-units-phone");
        assert_eq!(phone.complaints(), Vec::<String>::new());
    });
}
