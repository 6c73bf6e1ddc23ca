//! The registry: every system of the house, and the only place outside its own crate that names one.
//! Whoever does something for systems goes through this list.

use pages::{Map, Playable};
use rulebook::{Asking, Book};

use crate::host::{Chooser, Ending, Gauge, Seats};

use crate::system::{Game, System, drawn, inquiry};

/// All systems.
#[must_use]
pub fn systems() -> Vec<System> {
    vec![danzig(), System::asked("tabletop", tabletop::questions), campaign(), breach()]
}

/// The system with this name.
#[must_use]
pub fn system(name: &str) -> Option<System> {
    systems().into_iter().find(|system| system.name() == name)
}

/// All questions of all systems, by name.
#[must_use]
pub fn questions() -> Vec<Asking> {
    let mut all: Vec<Asking> = systems().iter().flat_map(|system| (system.questions)()).collect();
    all.sort_by_key(|asking| asking.name);
    all
}

fn danzig() -> System {
    const MAPS: &[Map] = &[
        Map { name: "danzig-siege", draw: danzig::draw::siege::ground, places: None },
        Map {
            name: "danzig-ops",
            draw: danzig::draw::ops::ground,
            places: Some(|lang| pages::place_names::<danzig::State>("ops", lang)),
        },
    ];
    let playable = Playable::of::<danzig::State>(&danzig::SCENARIOS, Some(Book::Danzig));
    System {
        shown: pages::System {
            name: "danzig",
            style: danzig::board::STYLE,
            maps: MAPS,
            game: Some(playable),
        },
        records: &["scenarios/danzig/1807.record"],
        game: Some(Game {
            maps: Some(|record, to, lang| {
                drawn(record, to, |state: &danzig::State| danzig::draw::maps(&state.table, lang))
            }),
            inquire: |name| inquiry(danzig::inquiries(), name),
            ..Game::of::<danzig::State, Danzig>(&danzig::SCENARIOS)
        }),
        ..System::asked("danzig", danzig::questions)
    }
}

fn breach() -> System {
    const MAPS: &[Map] = &[Map { name: "breach-table", draw: breach::draw::sheet, places: None }];
    let playable = Playable::of::<breach::game::State>(&breach::game::SCENARIOS, Some(Book::Breach));
    System {
        shown: pages::System {
            name: "breach",
            style: breach::board::STYLE,
            maps: MAPS,
            game: Some(playable),
        },
        game: Some(Game::of::<breach::game::State, Seats>(&breach::game::SCENARIOS)),
        ..System::asked("breach", breach::questions)
    }
}

fn campaign() -> System {
    const MAPS: &[Map] =
        &[Map { name: "campaign-1805", draw: campaign::map_svg, places: Some(pages::campaign_places) }];
    let asked = System::asked("campaign", campaign::questions);
    System {
        shown: pages::System { maps: MAPS, ..asked.shown },
        charts: Some(|lang| {
            campaign::charts(lang).into_iter().map(|(name, sheet)| (name.to_string(), sheet)).collect()
        }),
        ..asked
    }
}

/// The computer seats of Danzig, and what its dice are measured by.
#[derive(Default)]
struct Danzig;

impl Chooser<danzig::State> for Danzig {
    /// The result, and the turn on which the city surrendered.
    fn ending(outcome: &danzig::Outcome) -> Ending {
        let result = match outcome.result {
            danzig::Score::FrenchVictory => "french-victory",
            danzig::Score::Draw => "draw",
            danzig::Score::PrussianMinor => "prussian-minor",
            danzig::Score::PrussianMajor => "prussian-major",
        };
        Ending { result: result.to_owned(), turn: outcome.surrendered }
    }

    fn gauges() -> &'static [Gauge<danzig::State>] {
        &[
            Gauge { name: "french-steps", read: |state| danzig::steps(state, danzig::Side::French) },
            Gauge { name: "prussian-steps", read: |state| danzig::steps(state, danzig::Side::Prussian) },
            Gauge { name: "walls", read: danzig::walls },
            Gauge { name: "morale", read: |state| i64::from(state.table.danzig.morale) },
        ]
    }
}
