//! The artillery fire chart: guns and weather enter, the enemy's loss leaves.

use kernel::Clerk;
use rulebook::options::campaign::{Options, RainOnMud};
use rulebook::rule;

use crate::tables;
use crate::terms::Weather;

/// One side's fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fire {
    /// Artillery SP that fire, at least one.
    pub guns: i32,
    /// The weather.
    pub weather: Weather,
    /// The commander's bonus.
    pub bonus: i32,
    /// Whether the firing side's cavalry is at least twice the enemy's.
    pub cavalry: bool,
}

/// What it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// SP lost by the target.
    pub loss: i32,
    /// The die used.
    pub die: i32,
}

/// Fires.
pub fn fire(fire: &Fire, options: &Options, clerk: &mut impl Clerk) -> Hit {
    let mut die = i32::from(clerk.d6()) + weather(fire.weather, options, clerk);
    if fire.bonus > 0 {
        die += clerk.modifier(rule!(CA_ARTILLERY_05), -1);
    }
    if fire.cavalry {
        die += clerk.modifier(rule!(CA_ARTILLERY_06), -1);
    }
    if !(0..=6).contains(&die) {
        die = clerk.limit(rule!(CA_ARTILLERY_07), die.clamp(0, 6));
    }
    let read = clerk.rather(rule!(CA_ARTILLERY_01), tables::artillery(die, fire.guns), 0);
    let loss = clerk.value(rule!(CA_ARTILLERY_02), read);
    Hit { loss, die }
}

fn weather(weather: Weather, options: &Options, clerk: &mut impl Clerk) -> i32 {
    let over_mud = match weather {
        Weather::Mud => true,
        Weather::RainMud => {
            clerk.applied(rule!(CA_R19));
            options.rain_on_mud == RainOnMud::CarryOver
        }
        _ => false,
    };
    let hinders = over_mud || weather.rains() || weather == Weather::Snow;
    if !clerk.holds(rule!(CA_WEATHER_07), hinders) {
        return 0;
    }
    if over_mud {
        clerk.modifier(rule!(CA_ARTILLERY_04), 2)
    } else {
        clerk.modifier(rule!(CA_ARTILLERY_03), 1)
    }
}
