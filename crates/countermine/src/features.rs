//! The example game in numbers.

use opponent::{Featured, Pen};

use crate::{Countermine, View};

/// So many galleries have a place of their own.
const GALLERIES: usize = 16;

impl Featured for Countermine {
    fn features(view: &View, pen: &mut impl Pen) {
        pen.put("turn", view.turn);
        pen.variant("phase", Some(&view.phase));
        pen.put("laid", view.laid);
        pen.put("mine", view.mine.map_or(-1, i32::from));
        pen.put("damp", view.damp);
        pen.put("battery", view.battery.is_some());
        for slot in 0..GALLERIES {
            pen.about(|| format!("gallery[{slot}]"));
            pen.put("dug", view.dug.get(slot).copied().unwrap_or_default());
            pen.put("known", view.known.get(slot).copied().unwrap_or_default());
        }
    }
}
