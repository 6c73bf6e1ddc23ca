//! The seeds of the seats, as browsers put them into the dice.

use serde_json::Value;

use crate::game::begin;
use crate::house;

#[test]
fn a_seat_puts_a_seed_into_the_dice_when_it_is_first_opened() {
    house("fair", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let (french, prussian) = begin(&browser, address);
        let asked = "fetch(document.getElementById('game').dataset.api).then((answer) => answer.json())";
        for (link, sides) in [(french, "french"), (prussian, "french prussian")] {
            browser.go(&link);
            let script = format!(
                "window.pledged ??= ''; {asked}.then(({{ dice }}) => {{ window.pledged = dice.pledges.map((pledge) => pledge.side).join(' '); }}); return window.pledged === '{sides}'"
            );
            browser.until("the seed is in the dice", &script);
        }
        // Opened again, nothing more is sent, and each hash stands on the page.
        browser.run("location.reload()", &Value::Null);
        browser.wait("#game[data-pledge='']");
        browser.until("both hashes", "return document.querySelectorAll('.fair li code').length === 2");
        assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
    });
}
