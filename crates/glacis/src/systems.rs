//! The registry: every system of the house, and the only place outside its own crate that names one.
//! Whoever does something for systems goes through this list.

use pages::{Figure, Map, Playable, scene_picture};
use rulebook::phrase::{figure as words, scene};
use rulebook::{Asking, Book};

use crate::host::{Counting, Ending, Gauge, Plain};
use crate::system::{Evenings, Game, System, drawn, inquiry};

/// All systems.
#[must_use]
pub fn systems() -> Vec<System> {
    vec![danzig(), tabletop(), campaign(), breach()]
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
    let playable = Playable {
        first: Some(danzig::Cut::FirstParallel.scenario()),
        ..Playable::of::<danzig::State>(&danzig::SCENARIOS, Some(Book::Danzig))
    };
    System {
        shown: pages::System {
            name: "danzig",
            style: danzig::board::STYLE,
            maps: MAPS,
            figures: DANZIG_FIGURES,
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

fn tabletop() -> System {
    let asked = System::asked("tabletop", tabletop::questions);
    System {
        shown: pages::System { figures: TABLETOP_FIGURES, ..asked.shown },
        evenings: Some(Evenings::of::<tabletop::evening::Evening>()),
        ..asked
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
            figures: BREACH_FIGURES,
            game: Some(playable),
        },
        records: &[
            "scenarios/breach/watchtower.record",
            "scenarios/breach/help.record",
            "scenarios/breach/keep.record",
        ],
        game: Some(Game::of::<breach::game::State, Plain>(&breach::game::SCENARIOS)),
        ..System::asked("breach", breach::questions)
    }
}

fn campaign() -> System {
    const MAPS: &[Map] = &[
        Map { name: "campaign-1805", draw: campaign::map_svg, places: Some(pages::explorer_places) },
        Map {
            name: "campaign-sheet",
            draw: campaign::sheet_svg,
            places: Some(|lang| pages::place_names::<campaign::game::State>("map", lang)),
        },
    ];
    let playable =
        Playable::of::<campaign::game::State>(&campaign::game::SCENARIOS, Some(Book::CampaignCore));
    System {
        shown: pages::System {
            name: "campaign",
            style: campaign::board::STYLE,
            maps: MAPS,
            figures: &[],
            game: Some(playable),
        },
        records: &["scenarios/campaign/1805.record"],
        game: Some(Game::of::<campaign::game::State, Plain>(&campaign::game::SCENARIOS)),
        charts: Some(|lang| {
            campaign::charts(lang).into_iter().map(|(name, sheet)| (name.to_string(), sheet)).collect()
        }),
        ..System::asked("campaign", campaign::questions)
    }
}

/// How games of Danzig are counted, and what their dice are measured by.
struct Danzig;

impl Counting<danzig::State> for Danzig {
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

    fn turn(state: &danzig::State) -> u8 {
        state.table.turn
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

/// A diagram.
macro_rules! figure {
    ($book:ident $sections:expr, $name:literal, $caption:expr, $draw:expr) => {
        Figure {
            book: Book::$book,
            sections: &$sections,
            caption: $caption,
            picture: Map { name: $name, draw: $draw, places: None },
        }
    };
}

/// Windows onto the maps of Danzig.
const DANZIG_FIGURES: &[Figure] = &[
    figure!(Danzig ["4.7.2", "2.4.2"], "figure-works", words::WORKS, danzig::draw::figure::works),
    figure!(Danzig ["4.4", "4.3.3", "0"], "figure-arc", words::ARC, danzig::draw::figure::arc),
    figure!(Danzig["4.5.3"], "figure-enfilade", words::ENFILADE, danzig::draw::figure::enfilade),
    figure!(Danzig ["4.1.1", "2.4.3"], "figure-open-ground", words::OPEN_GROUND, danzig::draw::figure::open_ground),
    figure!(Danzig ["4.7.1", "4.5.2"], "figure-walls", words::WALLS, danzig::draw::figure::walls),
    figure!(Danzig ["3.1.1", "3.8.1", "3.8.2"], "figure-guns", words::GUNS, danzig::draw::figure::under_the_guns),
];

/// Scenes of the miniatures table, with the arcs and corridors that the umpire measures.
const TABLETOP_FIGURES: &[Figure] = &[
    figure!(TabletopFire ["2.1", "1.3"], "figure-hedge", scene::COLUMN_BEHIND_THE_HEDGE_STORY, |lang| scene_picture("column-behind-the-hedge", &["line"], lang)),
    figure!(TabletopFire ["2.4", "4.2"], "figure-screen", scene::SKIRMISH_SCREEN_STORY, |lang| scene_picture("skirmish-screen", &["line"], lang)),
    figure!(TabletopFire ["3.4", "3.7", "3.5"], "figure-corridor", scene::GRAND_BATTERY_STORY, |lang| scene_picture("grand-battery", &["b12"], lang)),
    figure!(TabletopFire["1.5"], "figure-square", scene::SQUARE_CHARGED_STORY, |lang| scene_picture(
        "square-charged",
        &["square"],
        lang
    )),
    figure!(TabletopTerrain ["2.3", "2.2"], "figure-crest", scene::CREST_STORY, |lang| scene_picture("crest", &["foot"], lang)),
    figure!(TabletopTerrain ["4.2", "4.4"], "figure-wood", scene::WOOD_EDGE_STORY, |lang| scene_picture("wood-edge", &["jager"], lang)),
    figure!(TabletopTerrain ["5.2", "5.4", "5.5"], "figure-village", scene::VILLAGE_STREET_STORY, |lang| scene_picture("village-street", &[], lang)),
    figure!(TabletopTerrain["6.3"], "figure-river", scene::RIVER_CROSSING_STORY, |lang| scene_picture(
        "river-crossing",
        &[],
        lang
    )),
    figure!(TabletopTerrain ["8.3", "8.5"], "figure-obstacle", scene::COLUMN_BEHIND_THE_HEDGE_STORY, |lang| scene_picture("column-behind-the-hedge", &["battery"], lang)),
    figure!(TabletopTerrain ["7.3", "5.1"], "figure-farm", scene::FORTIFIED_FARM_STORY, |lang| scene_picture("fortified-farm", &[], lang)),
];

/// The fortress of the sieges.
const BREACH_FIGURES: &[Figure] =
    &[figure!(Breach ["towers", "ramparts"], "figure-fortress", words::FORTRESS, breach::draw::sheet)];
