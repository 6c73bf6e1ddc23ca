//! The draughtsman's hand: a pen that writes SVG in millimetres of the table, and a scatter that is the
//! same on every sheet.

use std::fmt::{Arguments, Write as _};

/// A place of the sheet: to the right, downwards.
pub(crate) type Spot = (f64, f64);

/// Markup in the making.
#[derive(Default)]
pub(crate) struct Pen(String);

impl Pen {
    /// Writes markup.
    pub(crate) fn put(&mut self, markup: Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.0.write_fmt(markup);
    }

    /// A rectangle: left, top, width, height.
    pub(crate) fn rect(&mut self, class: &str, [x, y, w, h]: [f64; 4]) {
        self.put(format_args!(
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}"></rect>"#
        ));
    }

    /// A path.
    pub(crate) fn path(&mut self, class: &str, d: &str) {
        self.put(format_args!(r#"<path class="{class}" d="{d}"></path>"#));
    }

    /// A closed outline through these places.
    pub(crate) fn outline(&mut self, class: &str, corners: &[Spot]) {
        let d: Vec<String> = corners.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        self.path(class, &format!("M{}Z", d.join("L")));
    }

    /// What was written.
    pub(crate) fn done(self) -> String {
        self.0
    }
}

/// A number from 0 to 1 that looks like chance and is always the same for the same pair.
pub(crate) fn scatter(a: i32, b: i32) -> f64 {
    let mut hash = a.wrapping_mul(73_856_093) ^ b.wrapping_mul(19_349_663);
    hash = (hash ^ (hash >> 13)).wrapping_mul(1_274_126_177);
    f64::from((hash ^ (hash >> 16)) & 1023) / 1023.0
}

/// Text that is safe in markup.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}
