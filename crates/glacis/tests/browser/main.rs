//! The pages in a real Chromium: clicks, keys, two seats in two browsers. Where there is no
//! Chromium the tests say so and are counted as skipped.

mod driver;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use driver::{Browser, Driver};
use glacis::serve::{Running, Start, start};
use glacis::store::Place;
use serde_json::{Value, json};

static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// A server on a database of its own, and a driver; nothing where there is no Chromium.
fn house(name: &str, test: impl FnOnce(&Driver, &str)) {
    let Some(driver) = Driver::start() else {
        let skipped = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
        eprintln!("{name}: skipped, there is no chromedriver here ({skipped} browser tests skipped so far)");
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("glacis-browser-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let running: Running = runtime
        .block_on(start(Start {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            database: Place::Sqlite(folder.join("glacis.db")),
            base_url: None,
            rate: None,
            behind_proxy: false,
            systems: glacis::systems(),
            questions: glacis::questions(),
        }))
        .unwrap_or_else(|fault| unreachable!("the server does not start: {fault:?}"));
    let address = running.base_url.clone();
    test(&driver, &address);
    runtime.block_on(running.stop());
    let _ = std::fs::remove_dir_all(folder);
}

/// The addresses of the seats of a new game, begun on the front page.
fn begin(browser: &Browser<'_>, address: &str) -> (String, String) {
    browser.go(address);
    browser.click("#new-game button.primary");
    browser.wait("#seats .seat-link");
    let link = |side: &str| {
        let script = "return document.querySelector(`#seats a[data-side=\"${arguments[0]}\"]`).href";
        browser.run(script, &json!(side)).as_str().unwrap_or_default().to_owned()
    };
    (link("french"), link("prussian"))
}

/// Clicks an order without a target, by its kind, and waits until it is done.
fn order(browser: &Browser<'_>, kind: &str) {
    let before = entries(browser);
    browser.click(&format!("#panel .plain [data-kind='{kind}']"));
    after(browser, before);
}

fn entries(browser: &Browser<'_>) -> u64 {
    let script = "return Number(document.querySelector('.turn').dataset.n)";
    browser.run(script, &Value::Null).as_u64().unwrap_or(0)
}

fn after(browser: &Browser<'_>, before: u64) {
    let script = format!("return Number(document.querySelector('.turn')?.dataset.n) > {before}");
    browser.until("the order is carried out", &script);
}

fn turn(browser: &Browser<'_>) -> String {
    browser.text(".turn-number")
}

#[test]
fn a_phone_at_the_gaming_table() {
    house("phone", |driver, address| {
        let phone = driver.browser(360, 740, "fr");
        phone.go(&format!("{address}/umpire/tabletop.fire"));
        // The answer is there at once, with the shooter that comes first.
        phone.wait("#answer .odds");
        let overflow = "return document.documentElement.scrollWidth <= 360";
        assert_eq!(phone.run(overflow, &Value::Null), json!(true), "the page is wider than the phone");
        phone.picture("umpire-fire-phone-fr");
        // A die gives a result with its reasons.
        phone.run("document.querySelector('#dice-4').click()", &Value::Null);
        phone.wait("#answer .result");
        assert!(phone.text("#answer").contains("FE-"), "{}", phone.text("#answer"));
        // The whole question is in the address.
        phone.until("the address", "return location.search.includes('dice=4')");
        // The last shooter is remembered.
        phone.run("document.querySelector('[id=\"shooter.weapon-rifle\"]').click()", &Value::Null);
        phone.until("kept", "return Object.values(localStorage).some(v => v.includes('rifle'))");
        phone.go(&format!("{address}/umpire/tabletop.fire"));
        phone.until("remembered", "return document.querySelector('[id=\"shooter.weapon-rifle\"]').checked");
        // The switch changes the language and comes back here.
        phone.click(".settings a[hreflang='en']");
        phone.until("English", "return document.documentElement.lang === 'en'");
        assert!(phone.text("h1").contains("fire"), "{}", phone.text("h1"));
        assert_eq!(phone.complaints(), Vec::<String>::new());
    });
}

#[test]
fn rules_are_found_and_open_on_the_spot() {
    house("rules", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        browser.go(&format!("{address}/rules?q=contre-mine"));
        assert!(browser.count(".hits li") > 0);
        browser.picture("rules-search");
        browser.click(".hits a.rule");
        browser.wait("dialog[open] .says");
        browser.go(&format!("{address}/rules/FE-5-16"));
        assert!(
            browser.count("main a[href^='/umpire/tabletop.fire?']") == 1,
            "the rule names the question that uses it"
        );
        browser.picture("rule");
        browser.go(&format!("{address}/rules/glossary"));
        browser.picture("glossary");
        browser.go(&format!("{address}/umpire/campaign.combat?attacker_sp=18&defender_sp=9&ground=plain"));
        browser.wait("#answer .odds");
        browser.picture("umpire-combat");
        // The map of 1805: a click on it asks, and marks what can be reached.
        browser.go(&format!("{address}/umpire/campaign.reach"));
        browser.wait("svg.explorer");
        browser
            .run("document.querySelector('form[data-live]').elements.arm.value = 'infantry'", &Value::Null);
        browser.click("svg.explorer");
        browser.wait("#also .start");
        browser.until("an answer", "return document.querySelector('#also .reached') !== null || document.querySelector('#answer .refusal') !== null");
        browser.picture("map-1805");
        browser.go(&format!("{address}/rules/nothing-here"));
        assert!(browser.text("h1").len() > 5);
    });
}

/// Plays with both seats, each in its own browser, until `done`.
fn play(french: &Browser<'_>, prussian: &Browser<'_>, most: usize, done: impl Fn(&Browser<'_>) -> bool) {
    for _ in 0..most {
        if done(french) {
            return;
        }
        let deciding = |browser: &Browser<'_>| browser.count(".turn[data-deciding]") > 0;
        let browser = if deciding(french) {
            french
        } else if deciding(prussian) {
            prussian
        } else {
            std::thread::sleep(std::time::Duration::from_millis(50));
            continue;
        };
        let before = entries(browser);
        let script = "const ends = document.querySelector('#panel .plain .ends') ?? document.querySelector('#panel .plain .choice');\
            if (ends) { ends.scrollIntoView({ block: 'center' }); return true } return false";
        if browser.run(script, &Value::Null) == json!(true) {
            if browser.count("#panel .plain .ends") > 0 {
                browser.click("#panel .plain .ends");
            } else {
                browser.click("#panel .plain .choice");
            }
        } else {
            // Only orders with a target are left: the first of them, confirmed.
            browser.run("document.querySelector('#panel details.kind').open = true", &Value::Null);
            browser.click("#panel details.kind .choice");
            browser.click("#preview .confirm");
        }
        after(browser, before);
    }
    assert!(done(french), "the game did not get there: {} {}", turn(french), french.text(".turn h2"));
}

#[test]
fn two_players_play_a_turn_and_look_back() {
    house("turn", |driver, address| {
        let french = driver.browser(1280, 860, "en");
        let (french_seat, prussian_seat) = begin(&french, address);
        let prussian = driver.browser(1280, 860, "fr");
        french.go(&french_seat);
        prussian.go(&prussian_seat);
        french.wait("#game .turn");
        // The Prussian sets up; the other sees it without a reload.
        prussian.wait(".turn[data-deciding='prussian']");
        prussian.picture("set-up-fr");
        order(&prussian, "set-up-the-rest");
        french.until("news of the set-up", "return Number(document.querySelector('.turn').dataset.n) >= 1");
        // Taken back, and done again.
        let before = entries(&prussian);
        prussian.click("#undo");
        after(&prussian, before);
        order(&prussian, "set-up-the-rest");
        order(&prussian, "set-up-done");
        // The French march: a counter, then a hex.
        play(&french, &prussian, 60, |browser| browser.count("#panel [data-kind='play-half']") > 0);
        order(&french, "play-half");
        french.wait("#panel [data-kind='enter-map'], #panel [data-kind='take-up']");
        french.picture("operational-map");
        let before = entries(&french);
        french.run("document.querySelector('#panel details.kind').open = true", &Value::Null);
        french.click("#panel details.kind .choice");
        if french.count("#preview .confirm") > 0 {
            french.click("#preview .confirm");
        }
        after(&french, before);
        if french.count("#marks-ops .target") > 0 {
            french.picture("a-march");
        }
        // A reload in mid-game loses nothing.
        let before = entries(&french);
        french.go(french.run("return location.href", &Value::Null).as_str().unwrap_or_default());
        french.wait("#game .turn");
        assert_eq!(entries(&french), before);
        play(&french, &prussian, 400, |browser| turn(browser).contains('2'));
        french.picture("turn-two");
        // The slider shows the set-up again.
        french.run(
            "const at = document.querySelector('#at'); at.value = 1; at.dispatchEvent(new Event('input', { bubbles: true }))",
            &Value::Null,
        );
        french.until("the past", "return document.querySelector('.turn-number').textContent.includes('0')");
        assert_eq!(french.count(".turn[data-deciding]"), 0, "nothing is decided in the past");
        assert_eq!(french.complaints(), Vec::<String>::new());
        assert_eq!(prussian.complaints(), Vec::<String>::new());
    });
}

/// The record of a game that has come to a place worth a picture, played by the machine.
fn record_up_to(wanted: impl Fn(&danzig::State, &[danzig::Action]) -> bool) -> String {
    use kernel::Game as _;
    let seed = [7; 32];
    let setup = kernel::Setup { scenario: danzig::SCENARIOS[0].to_owned(), ..kernel::Setup::default() };
    let source = kernel::Source::Open(kernel::HexHash(seed));
    let mut game =
        kernel::Play::<danzig::State>::begin(&setup, source, Some(seed)).expect("the scenario is there");
    let mut record = format!("{}\n", game.header_line());
    let mut dice = kernel::Live::numbered(3);
    let mut actions = Vec::new();
    while let Some(side) = game.state().to_move() {
        game.state().actions(&mut actions);
        if wanted(game.state(), &actions) {
            break;
        }
        let action = actions[danzig::auto_choice(&game.state().view(Some(side)), &actions, &mut dice)];
        let step = game.decide(game.entries(), side, &action).expect("an action offered is accepted");
        record.push_str(&step.record_line);
        record.push('\n');
    }
    record
}

/// Puts a record on the server and sits down at the French seat.
fn sit_down_at(browser: &Browser<'_>, address: &str, record: &str) {
    browser.go(address);
    let script = "window.seat = null; fetch('/api/import', { method: 'POST', headers: { 'content-type': 'application/json' },\
        body: JSON.stringify({ record: arguments[0] }) }).then(r => r.json())\
        .then(made => { window.seat = made.seats ? made.seats.find(s => s.side === 'french').link : JSON.stringify(made); })";
    browser.run(script, &json!(record));
    browser.until("the record is taken over", "return window.seat !== null");
    let seat = browser.run("return window.seat", &Value::Null);
    browser.go(seat.as_str().unwrap_or_default());
    browser.wait("#game .turn");
}

#[test]
fn a_siege_gun_fires_and_says_why() {
    house("gun", |driver, address| {
        let record = record_up_to(|state, actions| {
            state.table.turn >= 6
                && actions.iter().any(|action| matches!(action, danzig::Action::FireSiegeGun { .. }))
        });
        let browser = driver.browser(1280, 860, "en");
        sit_down_at(&browser, address, &record);
        browser.wait(".counter.can");
        // A gun, then its target: the odds come before the order.
        browser.press("n");
        browser.run("document.querySelector('svg.board').focus()", &Value::Null);
        browser.press("n");
        browser.wait("#marks-siege .target");
        browser.picture("siege-guns");
        browser.click("#selected li:last-child .choice-copy");
        browser.wait("#preview .confirm");
        browser.until("the odds", "return document.querySelector('#preview .outcomes') !== null");
        browser.picture("siege-gun-odds");
        let before = entries(&browser);
        browser.click("#preview .confirm");
        after(&browser, before);
        // The journal opens into the reasons, and a reason into its rule.
        browser.click("#journal li details summary");
        browser.click("#journal li details[open] a.rule");
        browser.wait("dialog[open] .says");
        browser.picture("journal-rule");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn a_work_that_does_not_fit_says_why() {
    house("dig", |driver, address| {
        let record = record_up_to(|state, actions| {
            state.table.turn >= 4
                && actions
                    .iter()
                    .any(|action| matches!(action, danzig::Action::Build(danzig::siege::Build::New { .. })))
        });
        let browser = driver.browser(1280, 860, "fr");
        sit_down_at(&browser, address, &record);
        browser.click(".tool");
        browser.wait(".ghost.possible");
        browser.picture("digging-fr");
        // In the middle of nowhere: the ghost is refused, with the rule.
        browser.run(
            "const svg = document.querySelector('svg.board[data-map=siege]'); const m = svg.getScreenCTM();\
             const p = new DOMPoint(2500, 1500).matrixTransform(m);\
             svg.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: p.x, clientY: p.y }))",
            &Value::Null,
        );
        browser.wait("#preview .refusal");
        browser.wait(".ghost.wrong-place");
        browser.picture("refused-work-fr");
        // A place that is offered is dug.
        browser.press("\u{E00C}");
        let before = entries(&browser);
        browser.run("document.querySelector('#panel details.kind').open = true", &Value::Null);
        browser.click("#panel details.kind .choice");
        browser.click("#preview .confirm");
        after(&browser, before);
        browser.wait("#standing-siege .work");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn a_siege_without_eyes_or_mouse() {
    house("keyboard", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let (_, prussian_seat) = begin(&browser, address);
        browser.go(&prussian_seat);
        browser.wait(".turn[data-deciding]");
        browser.run("document.querySelector('svg.board[data-map=siege]').focus()", &Value::Null);
        // The arrows go from thing to thing, and each is spoken.
        browser.press("\u{E013}");
        browser.until("a spoken name", "return document.querySelector('#spoken').textContent.length > 10");
        let first = browser.text("#spoken");
        browser.press("\u{E014}");
        browser.until(
            "another name",
            &format!("return document.querySelector('#spoken').textContent !== {}", json!(first)),
        );
        // Every thing of the map has a role and a name.
        let nameless = "return document.querySelectorAll('svg.board [data-thing]:not([aria-label])').length";
        assert_eq!(browser.run(nameless, &Value::Null), json!(0));
        let tree = browser.devtools("Accessibility.getFullAXTree", &json!({})).to_string();
        assert!(
            tree.contains("wall point H1") && tree.contains("\"live\""),
            "the tree names the walls and the live region"
        );
        // The whole phase by keys: the buttons are reached and pressed.
        let before = entries(&browser);
        browser.run("document.querySelector('[data-kind=\"set-up-the-rest\"]').focus()", &Value::Null);
        browser.press("\u{E007}");
        after(&browser, before);
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn the_first_page_is_light_and_an_order_is_quick() {
    house("speed", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        browser.go(address);
        browser.picture("home");
        browser.night(true);
        browser.picture("home-night");
        browser.night(false);
        let size = "return performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))\
            .reduce((sum, entry) => sum + entry.encodedBodySize, 0)";
        let bytes = browser.run(size, &Value::Null).as_f64().unwrap_or(f64::MAX);
        assert!(bytes < 200_000.0, "the first page weighs {bytes} bytes");
        let (_, prussian_seat) = begin(&browser, address);
        let start = Instant::now();
        browser.go(&prussian_seat);
        browser.wait("#standing-siege .point");
        eprintln!("first map after {:?}", start.elapsed());
        browser.picture("siege-map");
        browser.night(true);
        browser.picture("siege-map-night");
    });
}
