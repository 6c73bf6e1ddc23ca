//! The table that is laid by hand, in a real Chromium, by touch on a phone, by keys and by mouse: laid
//! from nothing, asked, applied, kept through reloads and without a network, saved to the byte.

use std::cell::Cell;
use std::net::SocketAddr;

use glacis::serve::{Each, Forget, Start, start};
use glacis::store::Place;
use serde_json::{Value, json};
use tabletop::evening::Evening;
use tabletop::scene::Setup;

use super::driver::{Browser, Driver};
use super::hands::key;
use super::umpire::fits;
use super::{house, skip};

/// A thumb that counts what it does.
pub(super) struct Thumb<'a> {
    browser: &'a Browser<'a>,
    deeds: Cell<u32>,
}

impl<'a> Thumb<'a> {
    pub(super) fn new(browser: &'a Browser<'a>) -> Self {
        browser
            .devtools("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true, "maxTouchPoints": 2 }));
        Self { browser, deeds: Cell::new(0) }
    }

    pub(super) fn touch(&self, path: &[(f64, f64)]) {
        self.deeds.set(self.deeds.get() + 1);
        let step = |(place, (x, y)): (usize, &(f64, f64))| {
            let duration = if place == 0 { 0 } else { 60 };
            json!({ "type": "pointerMove", "duration": duration, "x": x.round(), "y": y.round() })
        };
        let mut actions: Vec<Value> = path.iter().enumerate().map(step).collect();
        actions.insert(1, json!({ "type": "pointerDown", "button": 0 }));
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        let finger = json!({ "actions": [{ "type": "pointer", "id": "finger",
            "parameters": { "pointerType": "touch" }, "actions": actions }] });
        let done = self.browser.post("actions", &finger);
        assert!(done.is_null(), "the finger cannot go there: {done}");
    }

    /// Where the middle of something is, after it was brought into sight.
    pub(super) fn middle(&self, selector: &str) -> (f64, f64) {
        self.browser.wait(selector);
        let script = "const e = document.querySelector(arguments[0]); const mid = () => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; };\
            const seen = e.contains(document.elementFromPoint(...mid())); if (!seen) e.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' });\
            return [...mid(), seen]";
        let at = self.browser.run(script, &json!(selector));
        if at[2] == json!(false) {
            // To scroll there is a stroke of the thumb.
            self.deeds.set(self.deeds.get() + 1);
        }
        (at[0].as_f64().unwrap_or(0.0), at[1].as_f64().unwrap_or(0.0))
    }

    pub(super) fn tap(&self, selector: &str) {
        let at = self.middle(selector);
        self.touch(&[at, at]);
    }

    /// Where a place of the table is on the screen.
    pub(super) fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let script = "const svg = document.getElementById('laid-svg'); const before = svg.getBoundingClientRect();\
            if (before.top < 0 || before.bottom > innerHeight) svg.scrollIntoView({ block: 'start', behavior: 'instant' });\
            const depth = Number(document.getElementById('table-depth').value);\
            const p = new DOMPoint(arguments[0][0] * 10, (depth - arguments[0][1]) * 10).matrixTransform(svg.getScreenCTM()); return [p.x, p.y]";
        let at = self.browser.run(script, &json!([x, y]));
        (at[0].as_f64().unwrap_or(0.0), at[1].as_f64().unwrap_or(0.0))
    }

    pub(super) fn tap_table(&self, x: f64, y: f64) {
        let at = self.place((x, y));
        self.touch(&[at, at]);
        // What the umpire says of it moves the page.
        rests(self.browser);
    }

    pub(super) fn drag_table(&self, from: (f64, f64), to: (f64, f64)) {
        let (from, to) = (self.place(from), self.place(to));
        let part = |share: f64| (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
        self.touch(&[from, part(0.3), part(0.7), to]);
    }
}

const AT_REST: &str = "return document.getElementById('laid').dataset.ready === 'true' && !document.getElementById('laid').hasAttribute('aria-busy')";
pub(super) const TABLE: &str = "return JSON.parse(localStorage.getItem('glacis-table')).state.table";

pub(super) fn rests(browser: &Browser<'_>) {
    browser.until("the table at rest", AT_REST);
}

pub(super) fn is_legal(browser: &Browser<'_>) -> bool {
    rests(browser);
    browser.run("return document.getElementById('laid').dataset.legal", &Value::Null) == json!("true")
}

/// The file that a button saves.
pub(super) fn blob(browser: &Browser<'_>, button: &str) -> String {
    let script = "const done = arguments[arguments.length - 1]; const old = URL.createObjectURL;\
        URL.createObjectURL = (blob) => { URL.createObjectURL = old; blob.text().then(done); return old.call(URL, blob); };\
        document.getElementById(arguments[0]).click()";
    browser.run_async(script, &json!(button)).as_str().unwrap_or_default().to_owned()
}

fn saved(browser: &Browser<'_>) -> String {
    blob(browser, "table-save")
}

/// Writes a number into a field of what is chosen.
pub(super) fn measure(browser: &Browser<'_>, field: &str, value: f64) {
    rests(browser);
    browser.wait(&format!("#{field}"));
    let script = "const f = document.getElementById(arguments[0][0]); f.value = arguments[0][1]; f.dispatchEvent(new Event('change'))";
    browser.run(script, &json!([field, value]));
    rests(browser);
}

#[test]
fn a_table_is_laid_with_a_thumb_asked_applied_and_asked_again() {
    house("laid", |driver, address| {
        let phone = driver.browser(360, 740, "en");
        phone.go(address);
        let thumb = Thumb::new(&phone);
        thumb.tap("a.door[href='/table']");
        rests(&phone);
        fits(&phone);
        thumb.tap("[data-item=hedge]");
        thumb.tap_table(60.0, 40.0);
        thumb.tap("[data-tab=blue]");
        thumb.tap("[data-item='8-pounder foot battery']");
        thumb.tap_table(60.0, 14.0);
        thumb.tap("[data-tab=red]");
        thumb.tap("[data-item='Line battalion']");
        thumb.tap_table(60.0, 55.0);
        assert!(is_legal(&phone), "{}", phone.text("#laid-faults"));
        phone.picture("table-phone");
        // A column: the list is opened and a line of it touched.
        thumb.deeds.set(thumb.deeds.get() + 2);
        let column = "const s = document.getElementById('chosen-formation'); s.value = 'company-column'; s.dispatchEvent(new Event('change'))";
        phone.run(column, &Value::Null);
        rests(&phone);
        // Dragged behind the hedge.
        thumb.drag_table((60.0, 57.0), (60.0, 43.3));
        rests(&phone);
        let table = phone.run(TABLE, &Value::Null);
        let at = &table["bodies"][1]["place"]["stand"]["at"];
        assert!((at[1].as_f64().unwrap_or(0.0) - 41.3).abs() < 1.0, "it stands where the thumb let go: {at}");
        assert!(is_legal(&phone), "{}", phone.text("#laid-faults"));
        // May my battery fire at that column behind the hedge, and what happens?
        thumb.tap("#mode-ask");
        thumb.tap_table(60.0, 12.0);
        phone.wait("#laid-answer .may-do");
        thumb.tap_table(60.0, 46.0);
        phone.wait("#laid-answer table.odds");
        phone.picture("table-phone-odds");
        thumb.tap("#laid-answer [data-die='6']");
        phone.wait("#laid-answer .result");
        assert!(
            phone.text("#laid-answer").contains("FE-"),
            "with its reasons: {}",
            phone.text("#laid-answer")
        );
        thumb.tap("#laid-answer [data-act]");
        phone.until("applied", "return document.getElementById('laid').dataset.applied === '1'");
        rests(&phone);
        let hit = phone.run(TABLE, &Value::Null)["bodies"][1].clone();
        let losses = |body: &Value| {
            body["lost"]["all"].as_i64().unwrap_or(0) * 40 + body["marker"].as_i64().unwrap_or(0)
        };
        assert!(losses(&hit) > 0, "the losses stand on the table: {hit}");
        phone.picture("table-phone-applied");
        thumb.tap("[data-next='half-period']");
        phone.until(
            "the clock",
            "return document.getElementById('laid-clock').textContent.includes('quarter 3')",
        );
        rests(&phone);
        let table = phone.run(TABLE, &Value::Null);
        assert_eq!(table["bodies"][1]["record"]["fired_at_by"], json!([table["bodies"][0]["id"]]));
        thumb.tap_table(60.0, 12.0);
        phone.wait("#laid-answer .may-do");
        thumb.tap_table(60.0, 46.0);
        phone.wait("#laid-answer table.odds");
        eprintln!("{} taps and drags", thumb.deeds.get());
        assert!(thumb.deeds.get() <= 25, "{} taps and drags", thumb.deeds.get());
        fits(&phone);
        // The evening is a record that anybody can play again: it ends with this very table.
        let record = blob(&phone, "table-record");
        let again =
            kernel::Record::read(&record).and_then(|record| kernel::Play::<Evening>::replay(&record, None));
        let again = again.unwrap_or_else(|refusal| unreachable!("{refusal}: {record}"));
        let before = phone.run(TABLE, &Value::Null);
        let shown: Setup = serde_json::from_value(before.clone()).expect("a table");
        assert_eq!(again.state().table(), &shown);
        assert_eq!(again.state().clock().quarter(), 3);
        // A reload loses nothing, and everything can be taken back to the bare table.
        phone.go(&format!("{address}/table"));
        rests(&phone);
        assert_eq!(phone.run(TABLE, &Value::Null), before);
        assert_eq!(phone.count(".laid-thing"), 3);
        while phone.run("return document.getElementById('undo').disabled", &Value::Null) == json!(false) {
            phone.run("document.getElementById('undo').click()", &Value::Null);
        }
        rests(&phone);
        assert_eq!(phone.count(".laid-thing"), 0);
        assert_eq!(phone.complaints(), Vec::<String>::new());
    });
}

#[test]
fn every_scene_of_the_house_is_opened_and_saved_to_the_byte() {
    house("scenes-saved", |driver, address| {
        let browser = driver.browser(1280, 900, "en");
        browser.go(&format!("{address}/table"));
        rests(&browser);
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/tabletop");
        let mut seen = 0;
        for file in std::fs::read_dir(folder).expect("the scenes").flatten() {
            let text = std::fs::read_to_string(file.path()).expect("a scene");
            let name =
                file.path().file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let open = "const s = document.getElementById('table-example'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))";
            browser.run(open, &json!(name));
            let title: Value = serde_json::from_str(&text).expect("JSON");
            browser.until(
                "opened",
                &format!("return document.getElementById('table-name').value === {}", title["name"]),
            );
            assert!(is_legal(&browser), "{name}: {}", browser.text("#laid-faults"));
            assert_eq!(saved(&browser), text, "{name} is saved as it was");
            // Moved and moved back, it is the same to the byte; moved only, one line differs.
            let stands = title["bodies"]
                .as_array()
                .into_iter()
                .flatten()
                .find(|body| body["place"].get("stand").is_some());
            let body = stands.map_or(Value::Null, |body| body["id"].clone());
            browser.run("document.querySelector(`[data-id=\"${arguments[0]}\"]`).focus()", &body);
            browser.press(key::LEFT);
            rests(&browser);
            let moved = saved(&browser);
            let differ = moved.lines().zip(text.lines()).filter(|(a, b)| a != b).count();
            assert!(
                differ == 1 && moved.lines().count() == text.lines().count(),
                "{name}: {differ} lines differ"
            );
            browser.run("document.getElementById('undo').click()", &Value::Null);
            rests(&browser);
            assert_eq!(saved(&browser), text, "{name} is taken back to the byte");
            seen += 1;
        }
        assert_eq!(seen, 9);
        browser.picture("table-desk");
        // What cannot stand so says its rule at once, and stays where it was put.
        browser.run("document.getElementById('table-new').click()", &Value::Null);
        rests(&browser);
        let thumb = Thumb::new(&browser);
        thumb.tap("[data-item=house]");
        thumb.tap_table(60.0, 40.0);
        measure(&browser, "chosen-x", 60.0);
        measure(&browser, "chosen-y", 40.0);
        assert!(!is_legal(&browser));
        assert!(
            browser.text("#laid-faults").contains("within 0.5 cm of a road"),
            "{}",
            browser.text("#laid-faults")
        );
        assert!(browser.count("#laid-faults a.rule") == 1 && browser.count(".laid-thing.is-wrong") == 1);
        let corner = browser.run(TABLE, &Value::Null)["terrain"][0]["shape"]["house"]["corner"].clone();
        assert_eq!(corner, json!([56, 36.5]), "nothing is corrected");
        thumb.tap("[data-item=road]");
        thumb.tap_table(30.0, 30.0);
        measure(&browser, "chosen-y", 34.0);
        assert!(is_legal(&browser), "{}", browser.text("#laid-faults"));
        // By keys: every thing has its name, place and facing, and is moved, turned and taken away.
        browser.run("document.querySelector('[data-id=house-1]').focus()", &Value::Null);
        let said = "return document.querySelector('[data-id=house-1]').getAttribute('aria-label')";
        assert_eq!(
            browser.run(said, &Value::Null),
            json!("House 1, 60.0 cm from the west, 40.0 cm from the south")
        );
        browser.press(key::RIGHT);
        rests(&browser);
        assert_eq!(
            browser.run(said, &Value::Null),
            json!("House 1, 61.0 cm from the west, 40.0 cm from the south")
        );
        browser.press("e");
        rests(&browser);
        assert_eq!(browser.run(TABLE, &Value::Null)["terrain"][0]["shape"]["house"]["angle"], json!(112.5));
        browser.press("\u{E017}");
        rests(&browser);
        assert_eq!(browser.count(".laid-thing"), 1);
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn without_a_network_the_table_is_still_there() {
    let Some(driver) = Driver::start() else { return skip("without_a_network", "chromedriver") };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("glacis-browser-{}-offline", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let running = runtime.block_on(start(Start {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        database: Place::Sqlite(folder.join("glacis.db")),
        base_url: None,
        each: Each::default(),
        forget: Forget::default(),
        behind_proxy: false,
        systems: glacis::systems(),
        questions: glacis::questions(),
    }));
    let running = running.unwrap_or_else(|fault| unreachable!("the server does not start: {fault:?}"));
    let phone = driver.browser(360, 740, "fr");
    let address = format!("{}/table", running.base_url);
    phone.go(&address);
    rests(&phone);
    let thumb = Thumb::new(&phone);
    thumb.tap("[data-item=wood]");
    thumb.tap_table(60.0, 40.0);
    rests(&phone);
    phone.until("kept for later", "return document.getElementById('laid').dataset.offline === 'kept'");
    runtime.block_on(running.stop());
    phone.go(&address);
    phone.wait("[data-id=wood-1]");
    assert!(phone.count("[data-id=wood-1] path") > 1, "drawn as it was");
    phone.until("said", "return document.getElementById('laid-status').textContent.includes('Non vérifié')");
    // What is changed without the umpire is kept, too.
    phone.run("document.querySelector('[data-id=wood-1]').focus()", &Value::Null);
    phone.press(key::RIGHT);
    phone.go(&address);
    phone.wait("[data-id=wood-1]");
    let past = phone.run("return JSON.parse(localStorage.getItem('glacis-table')).past.length", &Value::Null);
    assert_eq!(past, json!(2));
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn two_phones_lay_one_table() {
    house("two-phones", |driver, address| {
        let one = driver.browser(360, 740, "en");
        one.go(&format!("{address}/table"));
        rests(&one);
        let thumb = Thumb::new(&one);
        thumb.tap("[data-item=hedge]");
        thumb.tap_table(60.0, 40.0);
        measure(&one, "chosen-x", 60.0);
        one.run("document.querySelector('.laid-files').open = true", &Value::Null);
        thumb.tap("#table-share");
        one.until("shared", "return document.getElementById('laid').dataset.shared === 'true'");
        one.wait("[data-id=hedge-1]");
        let link = one.run("return location.href", &Value::Null);
        let other = driver.browser(360, 740, "en");
        other.go(link.as_str().unwrap_or_default());
        other.until("joined", "return document.getElementById('laid').dataset.shared === 'true'");
        other.wait("[data-id=hedge-1]");
        // What one puts down the other sees, and is told of.
        thumb.tap("[data-item=wood]");
        thumb.tap_table(30.0, 60.0);
        measure(&one, "chosen-x", 30.0);
        other.wait("[data-id=wood-1]");
        other.until("told", "return document.getElementById('table-heard').textContent.includes('Wood 1')");
        // Both at once, each without the other's change: nothing is lost.
        let move_one = "const keep = window.fetch; window.fetch = async (...all) => { if (String(all[0]).includes('seen=')) await new Promise((done) => setTimeout(done, 400)); return keep(...all); };\
            document.querySelector('[data-id=hedge-1]').focus()";
        one.run(move_one, &Value::Null);
        one.press(key::RIGHT);
        other.run("document.querySelector('[data-id=wood-1]').focus()", &Value::Null);
        other.press(key::LEFT);
        let both = "const t = JSON.parse(localStorage.getItem(`glacis-table-${new URLSearchParams(location.search).get('at')}`)).state.table;\
            return t.terrain[0].shape.obstacle.line[0][0] === 53 && ((xs) => Math.abs((Math.max(...xs) + Math.min(...xs)) / 2 - 29) < 0.3)(t.terrain[1].shape.wood.outline.map(([x]) => x))";
        one.until("both changes here", both);
        other.until("both changes there", both);
        // Both move the same thing: the last writer is told which, and finds the other's place again when he
        // takes his own back.
        one.run("document.querySelector('[data-id=wood-1]').focus()", &Value::Null);
        one.press(key::UP);
        other.press(key::LEFT);
        let told = "return document.getElementById('table-heard').textContent.includes('Another had changed meanwhile: Wood 1')";
        one.until("the conflict is told by name", told);
        let middle = "const t = JSON.parse(localStorage.getItem(`glacis-table-${new URLSearchParams(location.search).get('at')}`)).state.table;\
            const xs = t.terrain[1].shape.wood.outline.map(([x]) => x); return Math.abs((Math.max(...xs) + Math.min(...xs)) / 2 - arguments[0]) < 0.3";
        one.run("document.getElementById('undo').click()", &Value::Null);
        one.until("the other's change stands again", &middle.replace("arguments[0]", "28"));
        assert_eq!(one.complaints().into_iter().filter(|line| !line.contains("409")).count(), 0);
    });
}

#[test]
fn a_photograph_is_squared_and_traced() {
    house("photo", |driver, address| {
        let browser = driver.browser(1280, 900, "en");
        browser.go(&format!("{address}/table"));
        rests(&browser);
        // A picture of a table seen at a slant, drawn on the spot.
        let open = "const canvas = document.createElement('canvas'); canvas.width = 300; canvas.height = 200; const pen = canvas.getContext('2d');\
            pen.fillStyle = '#7a4'; pen.fillRect(0, 0, 300, 200); pen.fillStyle = '#432'; pen.fillRect(100, 80, 60, 40);\
            canvas.toBlob((blob) => { const files = new DataTransfer(); files.items.add(new File([blob], 'table.png', { type: 'image/png' }));\
            const input = document.getElementById('table-photo'); input.files = files.files; input.dispatchEvent(new Event('change')); })";
        browser.run(open, &Value::Null);
        browser.wait(".photo-corner");
        let thumb = Thumb::new(&browser);
        let corners = [(0.0, 90.0), (120.0, 90.0), (120.0, 0.0), (0.0, 0.0)];
        for (place, corner) in corners.into_iter().enumerate() {
            let from = thumb.middle(&format!(".photo-corner:nth-last-of-type({})", 4 - place));
            let to = thumb.place(corner);
            thumb.touch(&[from, ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0), to]);
        }
        let squared = "return JSON.parse(localStorage.getItem('glacis-table-photo')).corners.flat().join()";
        browser.until("squared", &format!("{squared} === '0,0,1200,0,1200,900,0,900'"));
        // Traced: a wood on the dark patch; the photograph is still there after a reload, on this device only.
        thumb.tap("[data-item=wood]");
        thumb.tap_table(52.0, 45.0);
        rests(&browser);
        browser.picture("table-photo");
        browser.go(&format!("{address}/table"));
        browser.wait(".photo-corner");
        assert_eq!(browser.run(TABLE, &Value::Null)["terrain"].as_array().map(Vec::len), Some(1));
        assert!(!saved(&browser).contains("data:image"), "the photograph is no part of the table");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}
