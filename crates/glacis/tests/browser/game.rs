//! The page of a game, played in a real Chromium by mouse and by keyboard.

use danzig::siege::Build;
use danzig::{Action, Arm, Phase, Place, Side, State};
use kernel::Game as _;
use serde_json::{Value, json};

use crate::driver::{Browser, patience};
use crate::hands::key;
use crate::house;

/// The tests share the machine with others: so much slower than promised may it be before they fail.
const PATIENCE: f64 = 10.0;

/// The addresses of the seats of a new game, begun on the front page.
pub(crate) fn begin(browser: &Browser<'_>, address: &str) -> (String, String) {
    browser.go(address);
    browser.run("document.getElementById('seat.prussian.human').click()", &Value::Null);
    browser.click("#new-game button.primary");
    browser.wait("#seats .seat-link");
    let link = |side: &str| {
        let script = "return document.querySelector(`#seats a[data-side=\"${arguments[0]}\"]`).href";
        browser.run(script, &json!(side)).as_str().unwrap_or_default().to_owned()
    };
    (link("french"), link("prussian"))
}

pub(crate) fn entries(browser: &Browser<'_>) -> u64 {
    let script = "return Number(document.querySelector('.turn').dataset.n)";
    browser.run(script, &Value::Null).as_u64().unwrap_or(0)
}

/// Waits until an order is carried out and the page is at rest.
pub(crate) fn after(browser: &Browser<'_>, before: u64) {
    let script = format!(
        "return Number(document.querySelector('.turn')?.dataset.n) > {before} && !document.querySelector('#game[aria-busy]')"
    );
    browser.until("the order is carried out", &script);
}

/// Confirms an order if the page asks for it, which it does not where nothing is at stake, and waits
/// until it is carried out.
pub(crate) fn confirmed(browser: &Browser<'_>, before: u64) {
    let script = format!(
        "const busy = document.querySelector('#game[aria-busy]') !== null;\
         if (!busy && Number(document.querySelector('.turn').dataset.n) === {before}) document.querySelector('#preview .confirm')?.click();\
         return !busy && Number(document.querySelector('.turn').dataset.n) > {before}"
    );
    browser.until("the order is carried out", &script);
}

pub(crate) fn deciding(browser: &Browser<'_>) -> bool {
    browser.count(".turn[data-deciding]") > 0
}

/// Clicks an order without a target, by its kind, and waits until it is done.
pub(crate) fn order(browser: &Browser<'_>, kind: &str) {
    browser.wait(&format!("#panel .plain [data-kind='{kind}']"));
    let before = entries(browser);
    browser.click(&format!("#panel .plain [data-kind='{kind}']"));
    given(browser, before);
}

/// A counter from beside the maps to the first place that is marked for it.
fn place_one(browser: &Browser<'_>) {
    let before = entries(browser);
    browser.click(".tray-unit");
    browser.wait(".map:not([hidden]) .target, .map:not([hidden]) .reach:not(.no-stop)");
    browser.click_on(".map:not([hidden]) .target, .map:not([hidden]) .reach:not(.no-stop)");
    given(browser, before);
}

/// Waits until an order that was clicked is carried out, at once or after it was confirmed.
pub(crate) fn given(browser: &Browser<'_>, before: u64) {
    browser.until(
        "carried out, or asked about first",
        &format!("return Number(document.querySelector('.turn').dataset.n) > {before} || document.querySelector('#preview .confirm') !== null"),
    );
    // What turns out to be certain is given without being asked about: the button may be gone by now.
    if entries(browser) == before {
        browser.run("document.querySelector('#preview .confirm')?.click()", &Value::Null);
    }
    after(browser, before);
}

/// Marches with the stack in hand, or the counter chosen, to the dearest hex without fire.
fn march(browser: &Browser<'_>) {
    let before = entries(browser);
    browser.wait("#marks-ops .reach:not(.fire):not(.no-stop)");
    browser.hover("#marks-ops .reach:not(.fire):not(.no-stop)");
    assert!(
        browser.text("#card-ops").chars().any(|letter| letter.is_ascii_digit()),
        "the cost is on the card"
    );
    browser.click_on("#marks-ops .reach:not(.fire):not(.no-stop)");
    after(browser, before);
    if browser.count("#panel .plain [data-kind='put-down']") > 0 {
        order(browser, "put-down");
    }
}

/// Ends one step after the other with both seats until `done`; whatever must be chosen is chosen.
fn play(french: &Browser<'_>, prussian: &Browser<'_>, most: usize, done: impl Fn() -> bool) {
    for _ in 0..most {
        if done() {
            return;
        }
        let Some(browser) = [french, prussian].into_iter().find(|browser| deciding(browser)) else {
            std::thread::sleep(std::time::Duration::from_millis(50));
            continue;
        };
        let before = entries(browser);
        if browser.count("#panel .plain .ends") > 0 {
            browser.click("#panel .plain .ends");
        } else if browser.count("#panel .plain .choice") > 0 {
            browser.click("#panel .plain .choice");
        } else if browser.count(".tray-unit") > 0 {
            place_one(browser);
            continue;
        } else {
            browser.click("#panel details.kind:not([open]) summary, #panel details.kind[open] .choice");
            browser.click("#panel details.kind[open] .choice");
        }
        given(browser, before);
    }
    assert!(done(), "the game did not get there: {}", french.text(".turn"));
}

#[test]
fn two_seats_play_a_whole_first_turn_by_clicks() {
    house("turn", |driver, address| {
        let french = driver.browser(1280, 860, "en");
        let (french_seat, prussian_seat) = begin(&french, address);
        let prussian = driver.browser(1280, 860, "fr");
        french.go(&french_seat);
        prussian.go(&prussian_seat);
        french.wait("#game .turn");
        assert!(!deciding(&french), "the Prussian begins");
        // The Prussian places a battalion by hand; the other sees it without a reload.
        prussian.wait(".turn[data-deciding='prussian']");
        place_one(&prussian);
        prussian.picture("set-up-fr");
        french.until("news", "return document.querySelectorAll('#journal > li').length === 1");
        // Taken back, and done again.
        let before = entries(&prussian);
        prussian.click("#undo");
        after(&prussian, before);
        french.until("news", "return document.querySelectorAll('#journal > li').length === 2");
        order(&prussian, "set-up-the-rest");
        order(&prussian, "set-up-done");
        // The French have reinforcements, the Prussian lands Kamenski's.
        french.wait(".turn[data-deciding='french']");
        order(&french, "end-phase");
        prussian.wait(".turn[data-deciding='prussian'], .turn:not([data-deciding])");
        play(&french, &prussian, 40, || french.count("#panel [data-kind='play-half']") > 0);
        // A French regiment comes onto the map and marches; its reach is shown with its costs.
        order(&french, "play-half");
        french.picture("operational-map");
        french.click(".tray-unit");
        french.wait("#marks-ops .reach");
        french.until("the hexes are drawn", "return document.querySelectorAll('.reach').length > 10");
        french.picture("a-march");
        let reached = french.count("#marks-ops .reach");
        assert!(reached > 10, "only {reached} hexes in reach");
        march(&french);
        // Who has marched cannot march again; nobody comes out of the sea. The rules say why.
        french.click_on("#standing-ops .stack[data-size='1'] .piece:not(.can)");
        french.wait("#preview .refusal a.rule");
        french.click(".tray-unit");
        french.point("ops", (80.0, 300.0), true);
        french.hears("#preview .refusal", "DZ-5.3-02");
        french.press(key::ESCAPE);
        order(&french, "end-phase");
        // The Prussian has his half-round: a counter of his marches, too.
        play(&french, &prussian, 20, || prussian.count("#panel [data-kind='play-half']") > 0);
        order(&prussian, "play-half");
        prussian.wait("#standing-ops .piece.can");
        prussian.click_on("#standing-ops .stack[data-size='1'] .piece.can");
        march(&prussian);
        // A reload in mid-game loses nothing.
        let (before, lines) = (entries(&french), french.count("#journal > li"));
        french.go(french.run("return location.href", &Value::Null).as_str().unwrap_or_default());
        french.wait("#game .turn");
        assert!(entries(&french) >= before && french.count("#journal > li") >= lines.min(20));
        play(&french, &prussian, 400, || french.text(".turn-number").contains('2'));
        french.picture("turn-two");
        // His page was never loaded again: it remembers every order.
        let (trip, orders) = prussian.median("order-trip");
        let (whole, _) = prussian.median("order");
        eprintln!(
            "order round trip: median {trip:.1} ms, with the page renewed {whole:.1} ms, {orders} orders"
        );
        assert!(trip < 50.0 * PATIENCE, "an order takes {trip} ms");
        assert_eq!(french.complaints(), Vec::<String>::new());
        assert_eq!(prussian.complaints(), Vec::<String>::new());
    });
}

/// A record played by the machine, with `instead` where it is to decide otherwise, until `wanted`.
pub(crate) fn record_with(
    instead: impl Fn(&State, &[Action]) -> Option<usize>,
    wanted: impl Fn(&State, &[Action]) -> bool,
) -> String {
    let seed = [7; 32];
    let setup = kernel::Setup { scenario: danzig::SCENARIOS[0].to_owned(), ..kernel::Setup::default() };
    let source = kernel::Source::Open(kernel::HexHash(seed));
    let mut game = kernel::Play::<State>::begin(&setup, source, Some(seed)).expect("the scenario is there");
    let mut record = format!("{}\n", game.header_line());
    let mut dice = kernel::Live::numbered(3);
    let mut actions = Vec::new();
    while let Some(side) = game.state().to_move() {
        game.state().actions(side, &mut actions);
        if wanted(game.state(), &actions) {
            break;
        }
        let chosen = instead(game.state(), &actions)
            .unwrap_or_else(|| danzig::auto_choice(&game.state().view(Some(side)), &actions, &mut dice));
        let step =
            game.decide(game.entries(), side, &actions[chosen]).expect("an action offered is accepted");
        record.push_str(&step.record_line);
        record.push('\n');
    }
    record
}

/// Puts a record on the server and gives the addresses of its seats: French, Prussian.
pub(crate) fn take_over(browser: &Browser<'_>, address: &str, record: &str) -> (String, String) {
    browser.go(address);
    let script = "window.seats = null; fetch('/api/import', { method: 'POST', headers: { 'content-type': 'application/json' },\
        body: JSON.stringify({ record: arguments[0] }) }).then(r => r.json()).then(made => {\
        const link = (side) => made.seats?.find(s => s.side === side)?.link ?? JSON.stringify(made);\
        window.seats = [link('french'), link('prussian')]; })";
    browser.run(script, &json!(record));
    browser.until("the record is taken over", "return window.seats !== null");
    let seats = browser.run("return window.seats", &Value::Null);
    let seat = |place: usize| seats[place].as_str().unwrap_or_default().to_owned();
    (seat(0), seat(1))
}

/// The French of such a game do not dig before they can dig a whole parallel.
pub(crate) fn before_the_first_trench() -> String {
    record_with(
        |_, actions| {
            let builds = actions.iter().any(|action| matches!(action, Action::Build(_)));
            actions.iter().position(|action| builds && *action == Action::EndPhase)
        },
        |state, actions| {
            let rested = danzig::UnitId::of_side(Side::French).filter(|unit| {
                unit.data().arm == Arm::Infantry && state.table.unit(*unit).place == Place::Concentration
            });
            state.phase == Phase::Build
                && rested.count() >= 6
                && actions.iter().any(|action| matches!(action, Action::Build(Build::New { .. })))
        },
    )
}

/// Digs what is in hand at the first place that is offered for it, with the mouse.
fn dig(french: &Browser<'_>, prussian: &Browser<'_>, tool: &str) {
    if french.count(&format!(".tool[data-tool='{tool}'][aria-pressed='true']")) == 0 {
        french.click(&format!(".tool[data-tool='{tool}']"));
    }
    french.wait(".ghost.possible");
    let script = "const p = [...document.querySelectorAll('.ghost.possible')].map((g) => /translate\\(([-\\d.]+) ([-\\d.]+)\\)/.exec(g.getAttribute('transform')).slice(1).map(Number));\
        const middle = p[Math.floor(p.length / 2)]; return middle";
    let at = french.run(script, &Value::Null);
    let place = (at[0].as_f64().unwrap_or_default(), at[1].as_f64().unwrap_or_default());
    french.point("siege", place, false);
    french.wait(".ghost.held.fits");
    if tool == "parallel" {
        french.picture("digging-fr");
    }
    french.until(
        "the price beside the ghost",
        "return /−\\d/.test(document.querySelector('#card-siege').textContent)",
    );
    french.point("siege", place, true);
    french.wait("#preview .price");
    french.wait("#preview #variant");
    let before = entries(french);
    french.click("#preview .confirm");
    after(french, before);
    // Whoever works in the open may be fired at.
    let start = std::time::Instant::now();
    while !deciding(french) {
        assert!(start.elapsed() < patience(), "the French never decide again");
        if deciding(prussian) && prussian.count("#panel [data-kind='decline']") > 0 {
            order(prussian, "decline");
        }
        std::thread::sleep(std::time::Duration::from_millis(30));
    }
}

#[test]
fn a_first_parallel_with_batteries() {
    house("parallel", |driver, address| {
        let french = driver.browser(1280, 860, "fr");
        let (french_seat, prussian_seat) = take_over(&french, address, &before_the_first_trench());
        let prussian = driver.browser(1280, 860, "en");
        french.go(&french_seat);
        prussian.go(&prussian_seat);
        french.wait(".tools");
        prussian.wait("#game .turn");
        assert_eq!(french.count("#standing-siege .work"), 0);
        // A place in the middle of nowhere: the ghost turns red and says why, with the rule.
        french.click(".tool[data-tool='sap']");
        french.point("siege", (2500.0, 700.0), false);
        french.wait(".ghost.held.wrong-place");
        french.hears("#card-siege", "DZ-");
        french.picture("refused-work-fr");
        french.point("siege", (2500.0, 700.0), true);
        french.wait("#preview .refusal a.rule");
        // It turns with a key.
        let pose = "return document.querySelector('.ghost.held').getAttribute('transform')";
        let turned = french.run(pose, &Value::Null);
        french.press("q");
        assert_ne!(french.run(pose, &Value::Null), turned, "Q turns the ghost");
        french.press(key::ESCAPE);
        // A sap, a parallel across its head, batteries beside it.
        for (tool, works) in [("sap", 1), ("parallel", 2), ("battery", 3), ("battery", 4)] {
            dig(&french, &prussian, tool);
            assert_eq!(french.count("#standing-siege .work"), works, "after the {tool}");
        }
        assert_eq!(french.count("#standing-siege .work.battery"), 2);
        french.picture("first-parallel-fr");
        prussian.until(
            "the trench is seen",
            "return document.querySelectorAll('#standing-siege .work').length === 4",
        );
        // The last one is taken back.
        let before = entries(&french);
        french.click("#undo");
        after(&french, before);
        french.until("taken back", "return document.querySelectorAll('#standing-siege .work').length === 3");
        assert_eq!(french.complaints(), Vec::<String>::new());
    });
}

/// Whether one of the shots of this gun may do anything.
pub(crate) fn may_do_something(state: &State, gun: danzig::UnitId) -> bool {
    let position = kernel::board::position(state.clone(), state.to_move());
    position.chances(&format!("u:{gun}")).iter().any(|(_, share)| *share > 0)
}

/// A game in which a gun may do something to a wall.
pub(crate) fn before_a_shot() -> String {
    record_with(
        |_, _| None,
        |state, actions| {
            let gun = actions.iter().find_map(|action| match action {
                Action::FireSiegeGun { gun, .. } => Some(*gun),
                _ => None,
            });
            gun.is_some_and(|gun| may_do_something(state, gun))
        },
    )
}

#[test]
fn a_siege_gun_fires_and_says_why() {
    house("gun", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let (french, _) = take_over(&browser, address, &before_a_shot());
        browser.go(&french);
        browser.wait(".piece.can");
        browser.picture("siege-guns");
        // A gun that is pointed at is told apart from its stack, and chosen.
        browser.hover("#standing-siege .piece.can");
        browser.until(
            "the stack is spread",
            "const stack = document.querySelector('#standing-siege .stack:hover');\
             return Number(stack?.dataset.size) === 1 || stack?.classList.contains('spread') === true",
        );
        browser.click_on("#standing-siege .stack:hover .piece.can");
        browser.wait("#marks-siege .target text");
        // Pointing at a target shows the odds; clicking it shows the price and asks for the order.
        browser.hover("#marks-siege .target:not(.vain)");
        browser.until("the odds", "return document.querySelector('#card-siege .outcomes') !== null");
        browser.picture("siege-gun-odds");
        // The card hides no other target: they are compared.
        let hidden = "const card = document.querySelector('#card-siege').getBoundingClientRect();\
            return [...document.querySelectorAll('#marks-siege .target circle')].map((one) => one.getBoundingClientRect())\
            .filter((one) => one.right > card.left && one.left < card.right && one.bottom > card.top && one.top < card.bottom).length";
        assert_eq!(browser.run(hidden, &Value::Null), json!(0), "targets under the card");
        browser.click_on("#marks-siege .target:not(.vain)");
        browser.wait("#preview .price");
        let before = entries(&browser);
        browser.click("#preview .confirm");
        after(&browser, before);
        // The journal opens into the reasons, and a reason into its rule.
        browser.click("#journal li:first-child details summary");
        browser.click("#journal li:first-child details[open] a.rule");
        browser.wait("dialog[open] .says");
        browser.picture("journal-rule");
        browser.press(key::ESCAPE);
        // What cannot fire says why.
        browser.click_on("#standing-siege .stack[data-size='1'] .piece:not(.can)");
        browser.wait("#preview .refusal a.rule");
        // The language changes on the spot, and an address may ask for it.
        browser.click(".settings a[hreflang='fr']");
        browser.until("French", "return document.documentElement.lang === 'fr'");
        browser.hears(".turn h2", "Feu");
        let here = browser.run("return location.href", &Value::Null);
        browser.go(&format!("{}?lang=en", here.as_str().unwrap_or_default()));
        browser.hears(".turn h2", "fire");
        assert_eq!(browser.run("return document.documentElement.lang", &Value::Null), json!("en"));
        // The slider looks back: nothing can be decided there; its end is now.
        let now = entries(&browser);
        browser.click("#at");
        browser.press(key::HOME);
        browser.hears(".turn-number", "0");
        assert!(!deciding(&browser), "nothing is decided in the past");
        browser.click("#replay [data-step='1']");
        browser.hears("#replay output", "1 / ");
        browser.click("#at");
        browser.press(key::END);
        browser.wait(".turn[data-deciding]");
        assert_eq!(entries(&browser), now);
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
        // The set-up, a whole phase, by keys alone: a counter, its place, the rest, the end.
        browser.press("n");
        browser.hears("#spoken", "can act");
        browser.press("t");
        browser.hears("#spoken", "target");
        let before = entries(&browser);
        browser.press(key::ENTER);
        after(&browser, before);
        let placed = browser.hears("#spoken", " to ");
        assert!(placed.len() > 10, "{placed}");
        for _ in 0..2 {
            let before = entries(&browser);
            browser.press("x");
            browser.press(key::ENTER);
            after(&browser, before);
        }
        browser.hears("#spoken", "French arrivals");
        // The siege map: every thing in turn, each with a name; none is left out.
        browser.press("1");
        browser.press("g");
        browser.wait("#go-to[open]");
        for letter in ["H", "5"] {
            browser.press(letter);
        }
        browser.press(key::ENTER);
        browser.hears("#spoken", "wall point H5");
        let things = browser.count("#standing-siege [data-thing]");
        let named = "const name = document.querySelector('#cursor-siege')?.getAttribute('aria-label'); (window.met ??= new Set()).add(name); return window.met.size";
        for _ in 0..things {
            browser.press(key::PAGE_DOWN);
            browser.run(named, &Value::Null);
        }
        let missed = "return [...document.querySelectorAll('#standing-siege [data-thing]')].map(t => t.getAttribute('aria-label')).filter(n => ![...window.met].some(m => m.includes(n)))";
        assert_eq!(browser.run(missed, &Value::Null), json!([]), "every thing was met");
        // The operational map: any hex by its number, its neighbours by the arrows.
        browser.press("g");
        for letter in ["2", "6", "0", "7"] {
            browser.press(letter);
        }
        browser.press(key::ENTER);
        browser.hears("#spoken", "2607");
        for way in [key::UP, key::RIGHT] {
            let script = "return document.querySelector('#cursor-ops').getAttribute('aria-label')";
            let here = browser.run(script, &Value::Null);
            browser.press(way);
            browser.until("a neighbour", &format!("{script} !== {here}"));
        }
        // What a screen reader is told: the map, the cursor with place and terrain, the log.
        let heard = browser.accessible();
        let says =
            |role: &str, part: &str| heard.iter().any(|node| node.role == role && node.name.contains(part));
        assert!(says("application", "Operational map"), "the map");
        let terrain = ["clear", "forest", "cultivated", "marsh", "village"];
        assert!(
            heard
                .iter()
                .any(|node| node.role == "image" && terrain.iter().any(|word| node.name.contains(word))),
            "the hex under the cursor: {:?}",
            heard.iter().filter(|node| node.role == "image").collect::<Vec<_>>()
        );
        assert!(says("button", "Take back") || says("heading", "French arrivals"), "the panel");
        let tree = browser.devtools("Accessibility.getFullAXTree", &json!({})).to_string();
        assert!(tree.contains("\"log\"") && tree.contains("\"live\""), "results are announced");
        let nameless = "return document.querySelectorAll('svg.board [data-thing]:not([aria-label])').length";
        assert_eq!(browser.run(nameless, &Value::Null), json!(0));
        // The keys are listed.
        browser.press("?");
        browser.wait("#help[open]");
        assert!(browser.count("#help kbd") >= 12);
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn the_first_page_is_light_and_the_first_map_is_quick() {
    house("speed", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        browser.go(address);
        browser.picture("home");
        browser.night(true);
        browser.picture("home-night");
        browser.night(false);
        let size = "return performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))\
            .reduce((sum, entry) => sum + entry.encodedBodySize, 0)";
        let weight =
            |browser: &Browser<'_>| browser.run(size, &Value::Null).as_f64().unwrap_or(f64::MAX) / 1000.0;
        let first = weight(&browser);
        let (_, prussian_seat) = begin(&browser, address);
        browser.go(&prussian_seat);
        browser.wait("#standing-siege .point");
        let map = "const ground = performance.getEntriesByType('resource').find((entry) => entry.name.includes('danzig-siege'));\
            const paint = performance.getEntriesByName('first-contentful-paint')[0];\
            return (ground && paint ? Math.max(ground.responseEnd, paint.startTime) : null)";
        browser.until("the ground of the map", &format!("{map} !== null"));
        let shown = browser.run(map, &Value::Null).as_f64().unwrap_or(f64::MAX);
        eprintln!(
            "first page {first:.0} kB; first map after {shown:.0} ms, its page {:.0} kB",
            weight(&browser)
        );
        assert!(first < 200.0, "the first page weighs {first} kB");
        assert!(shown < 1000.0 * PATIENCE, "the first map comes after {shown} ms");
        browser.picture("siege-map");
        browser.night(true);
        browser.picture("siege-map-night");
    });
}
