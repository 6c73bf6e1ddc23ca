//! A column as a block: the outline of its side, the sign of its arms, its strength, its pennants. What is only
//! seen of an enemy has a dashed outline where something is not known. Colour only helps.

use std::fmt::Write;

use crate::battle::Points;
use crate::game::{Contact, Seen, range};
use crate::terms::Army;

/// What is flown over a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flown {
    /// It has a command.
    pub(super) command: bool,
    /// It has marched.
    pub(super) done: bool,
    /// It is in hand.
    pub(super) in_hand: bool,
    /// It forages.
    pub(super) forages: bool,
    /// It has retreated.
    pub(super) shaken: bool,
}

const fn army_class(army: Army) -> &'static str {
    match army {
        Army::French => "a-french",
        Army::AustroRussian => "a-allied",
    }
}

/// The outline of 20 by 14: square corners for the French, cut ones for the Austro-Russians.
const fn outline(army: Army) -> &'static str {
    match army {
        Army::French => "M-10 -7H10V7H-10Z",
        Army::AustroRussian => "M-7.500 -7H7.500L10 -4.500V4.500L7.500 7H-7.500L-10 4.500V-4.500Z",
    }
}

const FOOT: &str = "M-4 -3h8v6h-8ZM-4 -3l8 6M4 -3l-8 6";
const HORSE: &str = "M-4 -3h8v6h-8ZM-4 3l8 -6";
const FLAG: &str = "M-2.500 4V-4.500H4L2 -2.200L4 0H-2.500";

fn block(army: Army, class: &str, sign: &str, number: &str) -> String {
    let outline = outline(army);
    let (size, x, place) = match number.chars().count() {
        0 => ("", "0", "translate(0 0)"),
        1 => ("", "4.800", "translate(-4.400 -.600) scale(.9)"),
        2 => (" small", "4.400", "translate(-5 -.600) scale(.8)"),
        _ => (" tiny", "3", "translate(-6.600 -.600) scale(.6)"),
    };
    let mut drawn = format!(
        r#"<g class="counter {}{class}"><path class="shadow" d="{outline}" transform="translate(.8 .8)"></path><path class="body" d="{outline}"></path><path class="sign" d="{sign}" transform="{place}"></path>"#,
        army_class(army),
    );
    if !number.is_empty() {
        let _ = write!(drawn, r#"<text class="steps{size}" x="{x}" y="3">{number}</text>"#);
    }
    drawn
}

/// A formation of one's own.
pub(super) fn column(army: Army, points: Points, flown: Flown) -> String {
    let mut class = String::new();
    for (word, so) in [(" moved", flown.done), (" in-hand", flown.in_hand), (" disordered", flown.shaken)] {
        class.push_str(if so { word } else { "" });
    }
    let sign = match points {
        points if points.all() == 0 => FLAG,
        points if points.infantry > 0 => FOOT,
        _ => HORSE,
    };
    let number = if points.all() > 0 { points.all().to_string() } else { String::new() };
    let mut drawn = block(army, &class, sign, &number);
    for gun in 0..points.artillery.clamp(0, 5) {
        let _ = write!(
            drawn,
            r#"<circle class="gun" cx="{:.1}" cy="5.200" r=".9"></circle>"#,
            -7.6 + 2.2 * f64::from(gun)
        );
    }
    if points.infantry > 0 && points.cavalry > 0 {
        drawn.push_str(r#"<path class="lance" d="M-8.600 -5.600l3.400 2M-8.600 -3.600l3.400 -2"></path>"#);
    }
    if flown.command {
        drawn.push_str(r#"<path class="order" d="M6.200 -7V-13.500L11.500 -11.500L6.200 -9.500"></path>"#);
    }
    if flown.forages {
        drawn.push_str(r#"<path class="sheaf" d="M-8 -7v-4M-9.800 -10l1.800 1.800l1.800 -1.800M-9.800 -12l1.800 1.800l1.800 -1.800"></path>"#);
    }
    drawn + "</g>"
}

/// A vedette.
pub(super) fn vedette(army: Army, done: bool) -> String {
    block(army, if done { " picket moved" } else { " picket" }, HORSE, "1") + "</g>"
}

/// The strength of an enemy hex, as far as it is known.
pub(super) fn strength(contact: Option<Contact>) -> String {
    match contact {
        None => "?".to_owned(),
        Some(Contact { open: Some(open), .. }) => open.iter().sum::<i32>().to_string(),
        Some(Contact { band: Some(band), .. }) => match range(band) {
            (least, most) if least == most => least.to_string(),
            (least, most) if most > 200 => format!("{least}+"),
            (least, most) => format!("{least}–{most}"),
        },
        Some(Contact { class, .. }) if class >= 3 => "3+".to_owned(),
        Some(Contact { class, .. }) => class.to_string(),
    }
}

/// What is seen of an enemy hex; a report is what was seen once.
pub(super) fn seen(army: Army, seen: &Seen, report: bool) -> String {
    let class = if report {
        " reported"
    } else if seen.contact.is_none() {
        " unknown"
    } else {
        ""
    };
    if seen.headquarters {
        return block(army, class, FLAG, "") + "</g>";
    }
    let sign = match seen.contact {
        Some(contact) if contact.cavalry => HORSE,
        Some(_) => FOOT,
        None => "",
    };
    let mut drawn = block(army, class, sign, &strength(seen.contact));
    if seen.forages {
        drawn.push_str(r#"<path class="sheaf" d="M-8 -7v-4M-9.800 -10l1.800 1.800l1.800 -1.800"></path>"#);
    }
    drawn + "</g>"
}
