//! The weather chart: month, die and the die of the turn before enter; the weather leaves. A chain
//! of turns gives the exact chances some turns ahead.

use kernel::{Clerk, Desk, Effect, Odds, Silent, TooManyOutcomes};
use rulebook::options::campaign::{DecemberSeven, Fog, Options, RainOnMud};
use rulebook::rule;

use crate::tables;
use crate::terms::{Game, Month, Weather};

/// What the turn before leaves behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Memory {
    /// Its natural die; none on the first turn.
    pub die: Option<u8>,
    /// Its weather, where rain over mud matters.
    pub weather: Option<Weather>,
}

/// The weather of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sky {
    /// The weather.
    pub weather: Weather,
    /// Whether there is fog.
    pub fog: bool,
    /// The modified die.
    pub die: i32,
    /// The natural die, for the next turn.
    pub natural: u8,
}

/// Rolls the weather of a turn.
pub fn roll(month: Month, before: Memory, game: Game, options: &Options, clerk: &mut impl Clerk) -> Sky {
    let month = clerk.rather(rule!(CA_WEATHER_02), month, month.other());
    let natural = clerk.d6();
    let mut die = i32::from(natural);
    match clerk.rather(rule!(CA_WEATHER_09), before.die, None) {
        Some(1) => die += clerk.modifier(rule!(CA_WEATHER_03), -1),
        Some(6) => die += clerk.modifier(rule!(CA_WEATHER_04), 1),
        _ => {}
    }
    let (mut weather, bold) = tables::weather(month, die);
    if month == Month::December && die == 7 {
        let (clear, rain) = (Weather::Clear, Weather::Rain);
        weather = match options.december_seven {
            DecemberSeven::Clear => clerk.rather(rule!(CA_R17), clear, rain),
            DecemberSeven::Rain => clerk.rather(rule!(CA_R17), rain, clear),
        };
    }
    let mut listed = options.fog == Fog::Listed;
    if bold && game == Game::Campaign {
        listed = clerk.rather(rule!(CA_R18), listed, !listed);
    }
    let fog = rule!(CA_WEATHER_08).holds(bold && game == Game::Campaign && listed);
    if bold {
        let effect = if fog { Effect::Applied } else { Effect::Times(0, 1) };
        clerk.because(rule!(CA_WEATHER_08), effect);
    }
    if weather == Weather::Rain
        && before.weather.is_some_and(Weather::is_muddy)
        && options.rain_on_mud == RainOnMud::CarryOver
    {
        clerk.applied(rule!(CA_R19));
        weather = Weather::RainMud;
    }
    let die = clerk.value(rule!(CA_WEATHER_01), die);
    Sky { weather, fog, die, natural }
}

/// The weather of the last of these turns, rolled one after another: a Markov chain whose state is
/// the natural die (1, 6 or neither) and the weather of the turn before.
///
/// # Errors
/// When there are more outcomes than can be counted.
pub fn ahead(
    months: &[Month],
    before: Memory,
    game: Game,
    options: &Options,
) -> Result<Odds<(Weather, bool)>, TooManyOutcomes> {
    let mut chain = Odds::certain((before, false));
    for &month in months {
        chain = chain.and_then(|&(memory, _)| {
            Odds::of(|dice| {
                let sky = roll(month, memory, game, options, &mut Desk::new(dice, Silent));
                let die = matches!(sky.natural, 1 | 6).then_some(sky.natural);
                (Memory { die, weather: Some(sky.weather) }, sky.fog)
            })
        })?;
    }
    Ok(chain.map(|(memory, fog)| (memory.weather.unwrap_or_default(), fog)))
}
