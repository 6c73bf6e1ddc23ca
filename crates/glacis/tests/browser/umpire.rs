//! Every page but that of a game, in a real Chromium: the umpire on a phone, scenes, the campaign,
//! the map of 1805, the rules, the home page.

use serde_json::{Value, json};

use super::driver::Browser;
use super::house;

const ENTER: &str = "\u{E007}";
const LEFT: &str = "\u{E012}";
const RIGHT: &str = "\u{E014}";

/// Fails if the page is wider than its window.
pub(crate) fn fits(browser: &Browser<'_>) {
    let wide = "const w = document.documentElement.clientWidth;\
        return [...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > w + 1 && !e.closest('.scroll, pre, svg, .vh'))\
        .slice(0, 4).map(e => e.outerHTML.slice(0, 120))";
    let whole = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth";
    assert_eq!(browser.run(whole, &Value::Null), json!(true), "{}", browser.run(wide, &Value::Null));
}

fn is_quiet(browser: &Browser<'_>) {
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A click on the middle of something drawn: an SVG shape, by its selector.
fn click_drawn(browser: &Browser<'_>, selector: &str) {
    let (x, y) = browser.middle(selector);
    click_at(browser, x, y);
}

fn click_at(browser: &Browser<'_>, x: f64, y: f64) {
    for kind in ["mousePressed", "mouseReleased"] {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
        browser.devtools("Input.dispatchMouseEvent", &event);
    }
}

#[test]
fn a_phone_at_the_gaming_table() {
    house("phone", |driver, address| {
        let phone = driver.browser(360, 740, "fr");
        phone.go(&format!("{address}/umpire/tabletop.fire"));
        // The answer is there at once, with the shooter that comes first.
        phone.wait("#answer .odds");
        fits(&phone);
        phone.picture("umpire-fire-phone-fr");
        // Every target of a thumb is large.
        let small = "return [...document.querySelectorAll('.fire .chip label, .fire button')].filter(e => e.offsetParent && !e.closest('details:not([open])'))\
            .filter(e => e.getBoundingClientRect().height < 44).length";
        assert_eq!(phone.run(small, &Value::Null), json!(0), "targets under 44 pixels");
        // A die gives a result with its reasons, and the bar under the thumb says it in a line.
        phone.run("document.querySelector('#dice-4').click()", &Value::Null);
        phone.wait("#answer .result");
        assert!(phone.text("#answer").contains("FE-"), "{}", phone.text("#answer"));
        phone.until("the line", "return /pertes/.test(document.querySelector('#brief').textContent)");
        // The whole question is in the address.
        phone.until("the address", "return location.search.includes('dice=4')");
        // The last shooter is remembered.
        phone.run("document.querySelector('[id=\"shooter.weapon-rifle\"]').click()", &Value::Null);
        phone.until("kept", "return Object.values(localStorage).some(v => v.includes('rifle'))");
        phone.go(&format!("{address}/umpire/tabletop.fire"));
        phone.until("remembered", "return document.querySelector('[id=\"shooter.weapon-rifle\"]').checked");
        // The switch changes the language and comes back here; the choice is kept.
        phone.click(".settings a[hreflang='en']");
        phone.until("English", "return document.documentElement.lang === 'en'");
        assert!(phone.text("h1").contains("fire"), "{}", phone.text("h1"));
        phone.go(&format!("{address}/rules"));
        phone.until("still English", "return document.documentElement.lang === 'en'");
        is_quiet(&phone);
    });
}

#[test]
fn a_scene_is_asked_by_clicks() {
    house("scene", |driver, address| {
        let browser = driver.browser(1280, 900, "en");
        browser.go(&format!("{address}/umpire/scene?scene=skirmish-screen"));
        // Who fires: his arcs, and everything he may fire at.
        click_drawn(&browser, ".pick[data-pick=line] polygon");
        browser.wait(".pick.is-from[data-pick=line]");
        browser.wait("#answer .targets li");
        browser.wait(".legend .key-arc");
        browser.picture("scene-targets");
        // At whom: the odds, then a die.
        click_drawn(&browser, ".pick[data-pick=column] polygon");
        browser.wait(".pick.is-to[data-pick=column]");
        browser.wait("#answer table.outcomes");
        browser.until(
            "the address",
            "return location.search.includes('from=line') && location.search.includes('to=column')",
        );
        browser.run(
            "const d = document.getElementById('dice'); d.value = '4'; d.dispatchEvent(new Event('input', { bubbles: true }))",
            &Value::Null,
        );
        browser.wait("#answer .die");
        assert!(browser.text("#answer").contains("losses"), "{}", browser.text("#answer"));
        browser.picture("scene-fire");
        // What a reload shows is what was asked.
        let before = browser.text("#answer");
        let here = browser.run("return location.href", &Value::Null);
        browser.go(here.as_str().unwrap_or_default());
        assert_eq!(browser.text("#answer"), before);
        // Sight, stopped: the line with its cross, and the rule.
        browser.go(&format!("{address}/umpire/scene?scene=crest&ask=sight&from=column&to=reserve"));
        browser.wait(".legend .key-stopped");
        assert!(browser.text("#answer h2").contains("does not see"));
        assert!(browser.count("#answer a.rule") > 0);
        browser.picture("scene-sight");
        // A march: two clicks on the ground are two places of the way.
        browser.go(&format!("{address}/umpire/scene?scene=crest&ask=move&from=column"));
        let spot = "const m = document.getElementById('scene-sheet').getScreenCTM(); const p = new DOMPoint(arguments[0][0], arguments[0][1]).matrixTransform(m); return [p.x, p.y]";
        for (places, (x, y)) in [(1, (400.0, 445.0)), (2, (430.0, 420.0))] {
            browser.wait("#scene-sheet");
            let at = browser.run(spot, &json!([x, y]));
            click_at(&browser, at[0].as_f64().unwrap_or(0.0), at[1].as_f64().unwrap_or(0.0));
            browser.until(
                "a place",
                &format!("return document.querySelectorAll('.way-drawn .stop').length === {places}"),
            );
        }
        browser.picture("scene-march");
        // By keys alone: a body takes the focus, Enter chooses it.
        browser.go(&format!("{address}/umpire/scene?scene=crest&ask=sight"));
        browser.run("document.querySelector('.pick[data-pick=watch]').focus()", &Value::Null);
        browser.press(ENTER);
        browser.wait(".pick.is-from[data-pick=watch]");
        let tree = browser.devtools("Accessibility.getFullAXTree", &json!({})).to_string();
        assert!(tree.contains("52nd Foot, red, infantry, 20 figures"), "bodies have spoken names");
        is_quiet(&browser);
    });
}

#[test]
fn a_table_of_ones_own_travels_in_the_address() {
    house("own", |driver, address| {
        let phone = driver.browser(360, 740, "fr");
        phone.go(&format!("{address}/umpire/scene"));
        fits(&phone);
        phone.picture("scene-phone-fr");
        phone.run("document.querySelector('.own-table').open = true", &Value::Null);
        let change = "const t = document.getElementById('own-text'); t.value = t.value.replace('That column', 'Mes gens'); t.form.requestSubmit()";
        phone.run(change, &Value::Null);
        phone.until("the address", "return location.search.startsWith('?z=')");
        phone.wait("#scene-sheet");
        assert!(phone.text("#scene-form").contains("Mes gens"), "{}", phone.text("#scene-form"));
        // A fault stands at the field, in words.
        let fault = "const t = document.getElementById('own-text'); t.value = t.value.replace('in-position', 'crowd'); t.form.requestSubmit()";
        phone.run(fault, &Value::Null);
        phone.wait("#own-wrong");
        assert!(phone.text("#own-wrong").contains("crowd"), "{}", phone.text("#own-wrong"));
        fits(&phone);
        is_quiet(&phone);
    });
}

#[test]
fn a_combat_in_three_fields() {
    house("combat", |driver, address| {
        let browser = driver.browser(360, 740, "en");
        browser.go(&format!("{address}/umpire/campaign.combat"));
        // The odds are charted at once, on an example.
        assert_eq!(browser.count("#answer .chart"), 3);
        fits(&browser);
        let spoken = "return document.querySelector('#answer .chart svg').getAttribute('aria-label')";
        assert!(browser.run(spoken, &Value::Null).as_str().unwrap_or_default().contains("defender 67 %"));
        // One more point changes the address and the chart.
        browser.click("button[data-for=defender_sp][data-step='1']");
        browser.until("the address", "return location.search.includes('defender_sp=10')");
        browser.until("the chart", "return document.querySelector('#answer').textContent.includes('3-2')");
        browser.run("document.querySelector('#dice-3').click()", &Value::Null);
        browser.wait("#answer .die");
        assert!(browser.count("#answer a.rule") > 1);
        browser.picture("umpire-combat-phone");
        for question in ["campaign.attrition", "campaign.pursuit"] {
            browser.go(&format!("{address}/umpire/{question}"));
            assert_eq!(browser.count("#answer .chart"), 1, "{question}");
            fits(&browser);
        }
        let wide = driver.browser(1280, 860, "en");
        wide.go(&format!("{address}/umpire/campaign.combat"));
        wide.picture("umpire-combat");
        is_quiet(&browser);
        is_quiet(&wide);
    });
}

#[test]
fn the_map_of_1805_by_mouse_and_by_keys() {
    house("map", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        browser.go(&format!("{address}/umpire/campaign.reach?hex=Austerlitz"));
        browser.wait("#marks .reached.foot");
        browser.wait("#marks .reached.horse");
        // A click on what can be reached shows the way there and what it costs.
        click_drawn(&browser, "#marks .reached.foot[data-hex='2421'] circle");
        browser.wait("#marks .way");
        browser.wait("#answer .way-reasons a.rule");
        browser.until("the address", "return location.search.includes('to=')");
        browser.picture("map-1805");
        // Fewer points, less ground.
        let reached = browser.count("#marks .reached");
        browser.run(
            "const mp = document.getElementById('mp'); mp.value = '2'; mp.dispatchEvent(new Event('input', { bubbles: true }))",
            &Value::Null,
        );
        browser.until(
            "less",
            &format!("return document.querySelectorAll('#marks .reached').length < {reached}"),
        );
        // Closer by the wheel and by keys, moved by a drag.
        let view = "return document.getElementById('map-1805').getAttribute('viewBox')";
        let before = browser.run(view, &Value::Null);
        browser.devtools(
            "Input.dispatchMouseEvent",
            &json!({ "type": "mouseWheel", "x": 400, "y": 450, "deltaX": 0, "deltaY": -240 }),
        );
        browser.until(
            "closer",
            &format!("return document.getElementById('map-1805').getAttribute('viewBox') !== {before}"),
        );
        browser.run("document.getElementById('map-1805').focus()", &Value::Null);
        let before = browser.run(view, &Value::Null);
        browser.press("-");
        browser.until(
            "farther",
            &format!("return document.getElementById('map-1805').getAttribute('viewBox') !== {before}"),
        );
        // The arrows go from hex to hex, each is spoken; Enter goes there, S starts there.
        browser.press(RIGHT);
        browser
            .until("a spoken hex", "return /hex \\d{4}/.test(document.getElementById('spoken').textContent)");
        let first = browser.text("#spoken");
        browser.press(RIGHT);
        browser.until(
            "another",
            &format!("return document.getElementById('spoken').textContent !== {}", json!(first)),
        );
        assert!(browser.text("#spoken").contains("MP"), "the cost is spoken: {}", browser.text("#spoken"));
        browser.press(LEFT);
        browser.press("s");
        let hex: String = first.chars().filter(char::is_ascii_digit).take(4).collect();
        browser.until(
            "a new start",
            &format!("return document.querySelector('#marks [data-start]')?.dataset.start === '{hex}'"),
        );
        // Supply: in French, on a phone, with the reason it is cut.
        let phone = driver.browser(360, 740, "fr");
        phone.go(&format!("{address}/umpire/campaign.supply?hex=2012&army=french"));
        phone.wait("#marks .way.to-source");
        assert!(phone.text("#answer").contains("plus loin que les 18"), "{}", phone.text("#answer"));
        fits(&phone);
        phone.picture("map-supply-phone-fr");
        is_quiet(&browser);
        is_quiet(&phone);
    });
}

#[test]
fn rules_are_found_in_both_languages_and_open_on_the_spot() {
    house("rules", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        browser.go(&format!("{address}/rules?q=contre-mine"));
        assert!(browser.count(".hits li") > 0);
        assert!(browser.count(".hits .other mark") > 0, "the French words that fit are shown");
        browser.picture("rules-search");
        browser.click(".hits a.rule");
        browser.wait("dialog[open] .says");
        browser.go(&format!("{address}/rules/FE-5-16"));
        assert!(
            browser.count("main a[href^='/umpire/tabletop.fire?']") == 1,
            "the rule names the question that uses it"
        );
        browser.picture("rule");
        browser.go(&format!("{address}/rules/glossary?q=sap"));
        assert!(browser.count(".terms dt") > 0);
        browser.go(&format!("{address}/rules/glossary"));
        browser.picture("glossary");
        browser.click(".settings a[hreflang='fr']");
        browser.until("French", "return document.documentElement.lang === 'fr'");
        is_quiet(&browser);
        browser.go(&format!("{address}/rules/nothing-here"));
        assert!(browser.text("h1").contains("Il n’y a rien ici"), "{}", browser.text("h1"));
        browser.picture("lost-fr");
    });
}

#[test]
fn the_home_page_begins_a_game_and_lists_it() {
    house("home", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        browser.go(address);
        let size = "return performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))\
            .reduce((sum, entry) => sum + entry.encodedBodySize, 0)";
        let bytes = browser.run(size, &Value::Null).as_f64().unwrap_or(f64::MAX);
        assert!(bytes < 200_000.0, "the first page weighs {bytes} bytes in all");
        eprintln!("the first page weighs {bytes} bytes in all");
        let squeezed = "const [page] = performance.getEntriesByType('navigation'); return page.decodedBodySize > 2 * page.encodedBodySize";
        assert_eq!(browser.run(squeezed, &Value::Null), json!(true), "the page travels squeezed");
        browser.picture("home");
        // Every option says what it decides, with its rule.
        let toggles = browser.count("#new-game .toggle");
        assert!(toggles > 10 && browser.count("#new-game .toggle a.rule") == toggles);
        // Against the machine: a link for the seat, one for spectators; the game is then listed.
        browser.click("#new-game button.primary");
        browser.click("#seats .seat-link[data-side=french]");
        browser.wait("#game");
        browser.go(address);
        browser.wait("#my-games li a[href^='/g/']");
        assert_eq!(browser.count("#watched-games li"), 0);
        // The machine against itself, to be watched.
        browser.click("#watch-machine");
        browser.wait("#game");
        browser.go(address);
        browser.wait("#watched-games li a[href^='/g/']");
        is_quiet(&browser);
    });
}
