//! A first evening: the guide of the first turn, the legend, keys that are as the help says, maps that open
//! where something is to be decided, targets by their odds, results on the map, the film of what others did,
//! and rules that are read as chapters.

use serde_json::{Value, json};

use crate::driver::Browser;
use crate::game::{after, before_a_shot, before_the_first_trench, entries, given, order, take_over};
use crate::hands::key;
use crate::house;
use crate::umpire::fits;

/// Begins his first game on the front page: one click, and he sits there as the French.
fn sit_down(browser: &Browser<'_>, address: &str) {
    browser.go(address);
    browser.click(".hero .first-game");
    browser.wait(".turn[data-deciding='french']");
}

#[test]
fn a_newcomer_is_guided_through_his_first_turn_until_he_has_enough() {
    house("guide", |driver, address| {
        for (lang, deed) in [("en", "Click"), ("fr", "Cliquez")] {
            let browser = driver.browser(1280, 860, lang);
            sit_down(&browser, address);
            let mut told = std::collections::BTreeSet::new();
            while told.len() < 3 {
                browser.wait("#guide:not([hidden])");
                let said = browser.text("#guide .guide-deed");
                assert!(said.starts_with(deed), "{said}");
                assert!(browser.text("#guide .guide-why").len() > 30);
                // What it speaks of is pointed at.
                assert!(browser.count("#panel .guided") > 0, "{said}");
                browser.picture(&format!("guide-{lang}-{}", told.len()));
                told.insert(said);
                if browser.count("#panel .plain .choice.ends") == 0 {
                    break;
                }
                let before = entries(&browser);
                browser.click("#panel .plain .choice.ends");
                given(&browser, before);
                browser.wait(".turn[data-deciding]");
            }
            assert!(told.len() >= 2, "{told:?}");
            // The aim is that of the scenario.
            assert!(browser.text("#aim").contains("350"), "{}", browser.text("#aim"));
            browser.click("#guide-skip");
            browser.until("no guide", "return document.querySelector('#guide').hidden");
            assert_eq!(browser.count("#panel .guided"), 0);
            let here = browser.run("return location.href", &Value::Null);
            browser.go(here.as_str().unwrap_or_default());
            browser.wait(".turn[data-deciding]");
            browser.until("still none", "return document.querySelector('#guide').hidden");
            browser.click("#legend-button");
            browser.click("#guide-again");
            browser.wait("#guide:not([hidden])");
            assert_eq!(browser.complaints(), Vec::<String>::new());
        }
    });
}

#[test]
fn the_legend_shows_what_the_signs_mean() {
    house("legend", |driver, address| {
        for (width, height, lang) in [(1280, 860, "en"), (360, 740, "fr")] {
            let browser = driver.browser(width, height, lang);
            let (french, _) = take_over(&browser, address, &before_a_shot());
            browser.go(&french);
            browser.click("#legend-button");
            browser.wait("#legend[open]");
            assert!(browser.count("#legend .signs svg") >= 20);
            let bare = "return [...document.querySelectorAll('#legend .signs > div')].filter((one) => {\
                const box = one.querySelector('svg').getBBox(); return box.width < 4 || box.height < 1 || one.querySelector('dd').textContent.length < 3; }).map((one) => one.textContent)";
            assert_eq!(browser.run(bare, &Value::Null), json!([]));
            browser.picture(&format!("legend-{lang}-{width}"));
            fits(&browser);
            browser.press(key::ESCAPE);
            assert_eq!(browser.complaints(), Vec::<String>::new());
        }
    });
}

#[test]
fn every_key_does_what_the_help_says_and_no_other_does_anything() {
    house("help", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let (french, _) = take_over(&browser, address, &before_the_first_trench());
        browser.go(&french);
        browser.wait(".tools");
        let listed = browser.run(
            "return [...document.querySelectorAll('#help kbd')].flatMap((key) => key.textContent.split(' '))",
            &Value::Null,
        );
        let listed: Vec<String> = listed
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|key| key.as_str().map(str::to_owned))
            .collect();
        assert!(listed.len() > 20, "{listed:?}");
        // A key that is heard is not left to the browser.
        let heard = |key: &str| {
            let script = "for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();\
                const names = { '←': 'ArrowLeft', '↑': 'ArrowUp', '→': 'ArrowRight', '↓': 'ArrowDown', '−': '-', Esc: 'Escape', PgUp: 'PageUp', PgDn: 'PageDown' };\
                const key = names[arguments[0]] ?? (arguments[0].length === 1 ? arguments[0].toLowerCase() : arguments[0]);\
                const svg = document.querySelector('.map:not([hidden]) svg.board'); svg.focus();\
                const free = svg.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));\
                for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();\
                return !free";
            browser.run(script, &json!(key)) == json!(true)
        };
        // Enter needs a place to act on: the arrows give one. The focus goes on with Tab by itself.
        heard("→");
        let deaf: Vec<&String> = listed.iter().filter(|key| key.as_str() != "Tab" && !heard(key)).collect();
        assert_eq!(deaf, Vec::<&String>::new(), "in the help, but not heard");
        let letters = ('A'..='Z').map(String::from).filter(|letter| !listed.contains(letter));
        let secret: Vec<String> = letters.filter(|letter| heard(letter)).collect();
        assert_eq!(secret, Vec::<String>::new(), "heard, but not in the help");
    });
}

#[test]
fn a_map_opens_where_something_is_to_be_decided() {
    house("opening", |driver, address| {
        for (width, height) in [(1280, 860), (1920, 1080)] {
            let browser = driver.browser(width, height, "en");
            let (french, _) = take_over(&browser, address, &before_a_shot());
            browser.go(&french);
            browser.wait("#map-siege:not([hidden]) .piece.can");
            let small = "const frame = document.querySelector('.map:not([hidden])').getBoundingClientRect();\
                const boxes = [...document.querySelectorAll('.map:not([hidden]) .piece.can .counter .body')].map((one) => one.getBoundingClientRect())\
                .filter((one) => one.left >= frame.left && one.right <= frame.right && one.top >= frame.top && one.bottom <= frame.bottom);\
                return boxes.length ? boxes.filter((one) => one.width < 24).map((one) => one.width) : ['none in sight']";
            assert_eq!(browser.run(small, &Value::Null), json!([]), "at {width}");
            browser.picture(&format!("opening-{width}"));
            // Whoever wants the whole map keeps it.
            browser.click("[data-zoom='0']");
            let view = "return document.querySelector('svg.board[data-map=siege]').getAttribute('viewBox')";
            let whole = browser.run(view, &Value::Null);
            order(&browser, "end-phase");
            browser.wait("#game .turn");
            assert_eq!(browser.run(view, &Value::Null), whole);
            assert_eq!(browser.complaints(), Vec::<String>::new());
        }
        // Side by side from 1440 on: two maps, each wide enough.
        let browser = driver.browser(1440, 900, "en");
        let (french, _) = take_over(&browser, address, &before_a_shot());
        browser.go(&french);
        browser.wait("#map-siege:not([hidden]) .piece.can");
        browser.click("#both-maps");
        browser.wait("#game.both");
        let script = "return [...document.querySelectorAll('svg.board')].map((one) => { const box = one.getBoundingClientRect(); return [Math.round(box.top), box.width]; })";
        let maps = browser.run(script, &Value::Null);
        assert_eq!(maps[0][0], maps[1][0], "side by side: {maps}");
        assert!(maps[0][1].as_f64().is_some_and(|width| width >= 480.0), "{maps}");
        browser.picture("side-by-side-1440");
    });
}

#[test]
fn targets_come_by_their_odds_and_results_stand_on_the_map() {
    house("odds", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let (french, prussian) = take_over(&browser, address, &before_a_shot());
        let other = driver.browser(1280, 860, "fr");
        other.go(&prussian);
        other.wait("#game .turn");
        browser.go(&french);
        browser.wait("#standing-siege .piece.can");
        // A long list is told by who acts, then where.
        let mixed = "return [...document.querySelectorAll('#panel details.actor')].filter((one) => new Set([...one.querySelectorAll('.choice')].map((choice) => choice.dataset.subjects)).size !== 1).map((one) => one.textContent)";
        assert_eq!(browser.run(mixed, &Value::Null), json!([]));
        assert!(browser.count("#panel details.actor") > 1);
        browser.run("document.querySelector('svg.board[data-map=siege]').focus()", &Value::Null);
        // The guns in turn, until one has something to hit.
        for _ in 0..browser.count("#standing-siege .piece.can").max(1) {
            browser.press("n");
            browser.until("the odds", "return document.querySelector('#selected .share') !== null");
            if browser.count("#selected > ul .share") > 0 {
                break;
            }
        }
        let shares = "return [...document.querySelectorAll('#selected > ul .share')].map((one) => parseInt(one.textContent))";
        let shares = browser.run(shares, &Value::Null);
        let shares: Vec<i64> = shares.as_array().into_iter().flatten().filter_map(Value::as_i64).collect();
        assert!(!shares.is_empty() && shares.iter().all(|share| *share > 0), "{shares:?}");
        assert!(shares.is_sorted_by(|a, b| a >= b), "the best first: {shares:?}");
        let folded = "return [...document.querySelectorAll('#selected .hopeless .share')].every((one) => parseInt(one.textContent) === 0) && document.querySelector('#selected .hopeless')?.open !== true";
        assert_eq!(browser.run(folded, &Value::Null), json!(true));
        browser.picture("targets-by-odds");
        // What came of it stands where it was aimed, for both.
        let before = entries(&browser);
        browser.click("#selected > ul .choice-copy");
        browser.wait("#preview .confirm");
        browser.click("#preview .confirm");
        after(&browser, before);
        for seat in [&browser, &other] {
            seat.until(
                "the result on the map",
                "return document.querySelector('svg.board[data-map=siege] .result') !== null",
            );
        }
        browser.picture("result-on-the-map");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn what_the_other_side_did_is_played_as_a_film() {
    house("film", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        sit_down(&browser, address);
        // Until the machine has decided something.
        for _ in 0..12 {
            if browser.count("#since:not([hidden]) li") > 1 {
                break;
            }
            let before = entries(&browser);
            browser.click("#panel .plain .choice.ends, #panel .plain .choice");
            given(&browser, before);
            browser.wait(".turn[data-deciding]");
        }
        assert!(browser.count("#since:not([hidden]) li") > 1, "{}", browser.text("#journal"));
        let now = entries(&browser);
        browser.run("document.querySelector('#pace').value = '400'", &Value::Null);
        browser.click("#since-play");
        let runs = |runs: bool| {
            let script =
                format!("return document.querySelector('#film').getAttribute('aria-pressed') === '{runs}'");
            browser.until("the film", &script);
        };
        runs(true);
        browser.until("back in time", &format!("return Number(document.querySelector('#at').value) < {now}"));
        // A pause holds it, and it goes on to the present.
        browser.click("#film");
        runs(false);
        browser.picture("film-paused");
        let at = browser.run("return Number(document.querySelector('#at').value)", &Value::Null);
        if at.as_u64().is_some_and(|at| at < now) {
            browser.click("#film");
        }
        let present = format!(
            "return Number(document.querySelector('#at').value) >= {now} && document.querySelector('.turn[data-deciding]') !== null"
        );
        browser.until("the present", &present);
        assert!(browser.count("#since:not([hidden]) li") > 1, "what they did is still told");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn on_a_phone_the_map_and_the_choice_are_seen_together() {
    house("together", |driver, address| {
        let phone = driver.browser(360, 740, "fr");
        let (french, _) = take_over(&phone, address, &before_a_shot());
        phone.go(&french);
        phone.wait("#standing-siege .piece.can");
        let together = "const all = [...document.querySelectorAll('#panel .hint, #panel .plain .choice, #panel summary')].filter((one) => one.checkVisibility());\
            return all.map((one) => { one.scrollIntoView({ block: 'nearest' }); const map = document.querySelector('.map:not([hidden])').getBoundingClientRect(); const box = one.getBoundingClientRect();\
                const seen = Math.min(map.bottom, innerHeight) - Math.max(map.top, 0);\
                return seen > 200 && box.top >= map.bottom - 1 && box.bottom <= innerHeight + 1 ? null : `${one.textContent.slice(0, 40)} ${Math.round(seen)} ${Math.round(box.top)} ${Math.round(map.bottom)}`; }).filter(Boolean)";
        assert_eq!(phone.run(together, &Value::Null), json!([]));
        phone.picture("together-fr-360");
        fits(&phone);
        assert_eq!(phone.complaints(), Vec::<String>::new());
    });
}

#[test]
fn the_rules_are_read_as_chapters_with_their_diagrams() {
    house("chapters", |driver, address| {
        let titles =
            [("fr", 1280, "Sapes, parallèles et batteries"), ("en", 360, "Saps, parallels and batteries")];
        for (lang, width, title) in titles {
            let browser = driver.browser(width, 800, lang);
            browser.go(&format!("{address}/rules/book/danzig"));
            browser.click("#s-4-7-2 a");
            browser.hears("h1", title);
            let drawn = "const image = document.querySelector('.diagram img'); image.loading = 'eager'; image.scrollIntoView(); return image.complete && image.naturalWidth > 100";
            browser.until("the diagram", drawn);
            browser.picture(&format!("chapter-{lang}-{width}"));
            fits(&browser);
            browser.click(".neighbours [rel='next']");
            browser.hears("h1", "4.7.3");
            for (book, section) in
                [("tabletop-fire", "3.4"), ("tabletop-terrain", "2.3"), ("breach", "towers")]
            {
                browser.go(&format!("{address}/rules/book/{book}/{section}"));
                browser.wait(".chapter-text h1");
                browser.until(section, drawn);
            }
            assert_eq!(browser.complaints(), Vec::<String>::new());
        }
    });
}
