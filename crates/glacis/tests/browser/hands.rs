//! Hands, ears and a watch for the tests of the game: a real mouse, real keys, the accessibility tree
//! as a screen reader meets it, and the page's own timings.

use serde_json::{Value, json};

use crate::driver::Browser;

/// Keys by their `WebDriver` code points.
pub(crate) mod key {
    pub(crate) const TAB: &str = "\u{E004}";
    pub(crate) const SHIFT: &str = "\u{E008}";
    pub(crate) const ENTER: &str = "\u{E007}";
    pub(crate) const ESCAPE: &str = "\u{E00C}";
    pub(crate) const PAGE_DOWN: &str = "\u{E00F}";
    pub(crate) const END: &str = "\u{E010}";
    pub(crate) const HOME: &str = "\u{E011}";
    pub(crate) const LEFT: &str = "\u{E012}";
    pub(crate) const UP: &str = "\u{E013}";
    pub(crate) const RIGHT: &str = "\u{E014}";
}

/// What a screen reader is told of one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heard {
    pub(crate) role: String,
    pub(crate) name: String,
}

impl Browser<'_> {
    /// Moves the mouse to a place of the window, and presses its button there.
    fn mouse(&self, (x, y): (f64, f64), press: bool) {
        let mut actions =
            vec![json!({ "type": "pointerMove", "duration": 0, "x": x.round(), "y": y.round() })];
        if press {
            actions.push(json!({ "type": "pointerDown", "button": 0 }));
            actions.push(json!({ "type": "pointerUp", "button": 0 }));
        }
        let mouse = json!({ "actions": [{ "type": "pointer", "id": "mouse",
            "parameters": { "pointerType": "mouse" }, "actions": actions }] });
        let done = self.post("actions", &mouse);
        assert!(done.is_null(), "the mouse cannot go to {x}, {y}: {done}");
    }

    /// The middle of the first such element that nothing covers, once it rests there. Where all are out of
    /// sight the whole map is shown.
    pub(crate) fn middle(&self, selector: &str) -> (f64, f64) {
        self.wait(selector);
        let script = "const middle = (one) => { const r = one.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] };\
            const all = [...document.querySelectorAll(arguments[0])];\
            const free = all.find((one) => one.contains(document.elementFromPoint(...middle(one))));\
            const frame = !free && all[0]?.closest('svg.board')?.getBoundingClientRect();\
            const [x, y] = all.length ? middle(all[0]) : [];\
            if (frame && (x < frame.left || x > frame.right || y < frame.top || y > frame.bottom)) document.querySelector('[data-zoom=\"0\"]').click();\
            return all.length ? middle(free ?? all[0]) : null";
        let mut found = self.run(script, &json!(selector));
        self.until_at_rest(&mut found, || self.run(script, &json!(selector)));
        let number = |place: usize| found[place].as_f64().unwrap_or_default();
        (number(0), number(1))
    }

    /// Points at something.
    pub(crate) fn hover(&self, selector: &str) {
        self.mouse(self.middle(selector), false);
    }

    /// Points at something and clicks it, where nothing covers it.
    pub(crate) fn click_on(&self, selector: &str) {
        let place = self.middle(selector);
        self.mouse(place, false);
        self.mouse(place, true);
    }

    /// Clicks something twice, as fast as a hand does.
    pub(crate) fn double_click(&self, selector: &str) {
        let place = self.middle(selector);
        self.mouse(place, true);
        self.mouse(place, true);
    }

    /// Where a place of the sheet of a map lies in the window.
    pub(crate) fn on_map(&self, map: &str, (x, y): (f64, f64)) -> (f64, f64) {
        let script = "const [map, x, y] = arguments[0];\
            const p = new DOMPoint(x, y).matrixTransform(document.querySelector(`svg.board[data-map=${map}]`).getScreenCTM());\
            return [p.x, p.y]";
        let found = self.run(script, &json!([map, x, y]));
        (found[0].as_f64().unwrap_or_default(), found[1].as_f64().unwrap_or_default())
    }

    /// Points at a place of a map; clicks it if told so. What is out of sight is brought into it: the whole
    /// map is shown.
    pub(crate) fn point(&self, map: &str, place: (f64, f64), press: bool) {
        let script = "const [map, x, y] = arguments[0]; const svg = document.querySelector(`svg.board[data-map=${map}]`);\
            const p = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); const frame = svg.getBoundingClientRect();\
            if (p.x < frame.left || p.x > frame.right || p.y < frame.top || p.y > frame.bottom) document.querySelector('[data-zoom=\"0\"]').click()";
        self.run(script, &json!([map, place.0, place.1]));
        self.mouse(self.on_map(map, place), press);
    }

    /// Waits until a text appears in an element, and gives back all of it.
    pub(crate) fn hears(&self, selector: &str, what: &str) -> String {
        let script = format!(
            "return (document.querySelector({})?.textContent ?? '').includes({})",
            json!(selector),
            json!(what)
        );
        self.until(what, &script);
        self.text(selector)
    }

    /// Everything a screen reader is told, in the order of the tree.
    pub(crate) fn accessible(&self) -> Vec<Heard> {
        let tree = self.devtools("Accessibility.getFullAXTree", &json!({}));
        let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
        let nodes = tree["nodes"].as_array().cloned().unwrap_or_default();
        nodes
            .iter()
            .filter(|node| node["ignored"] != json!(true))
            .map(|node| Heard { role: text(&node["role"]), name: text(&node["name"]) })
            .filter(|heard| !heard.name.is_empty())
            .collect()
    }

    /// The median of what the page itself measured under this name, in milliseconds, and how often.
    pub(crate) fn median(&self, name: &str) -> (f64, usize) {
        let script = "return performance.getEntriesByName(arguments[0]).map((entry) => entry.duration).sort((a, b) => a - b)";
        let times = self.run(script, &json!(name));
        let times: Vec<f64> = times
            .as_array()
            .map(|times| times.iter().filter_map(Value::as_f64).collect())
            .unwrap_or_default();
        (times.get(times.len() / 2).copied().unwrap_or(f64::MAX), times.len())
    }
}
