//! The diagrams of the books, a part of the registry: which section each belongs to, and the drawing code
//! of its system that draws it.

use pages::{Figure, Map, scene_picture};
use rulebook::Book;
use rulebook::phrase::{figure as words, scene};

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
pub(crate) const DANZIG_FIGURES: &[Figure] = &[
    figure!(Danzig ["4.7.2", "2.4.2"], "figure-works", words::WORKS, danzig::draw::figure::works),
    figure!(Danzig ["4.4", "4.3.3", "0"], "figure-arc", words::ARC, danzig::draw::figure::arc),
    figure!(Danzig["4.5.3"], "figure-enfilade", words::ENFILADE, danzig::draw::figure::enfilade),
    figure!(Danzig ["4.1.1", "2.4.3"], "figure-open-ground", words::OPEN_GROUND, danzig::draw::figure::open_ground),
    figure!(Danzig ["4.7.1", "4.5.2"], "figure-walls", words::WALLS, danzig::draw::figure::walls),
    figure!(Danzig ["3.1.1", "3.8.1", "3.8.2"], "figure-guns", words::GUNS, danzig::draw::figure::under_the_guns),
];

/// Scenes of the miniatures table, with the arcs and corridors that the umpire measures.
pub(crate) const TABLETOP_FIGURES: &[Figure] = &[
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
pub(crate) const BREACH_FIGURES: &[Figure] =
    &[figure!(Breach ["towers", "ramparts"], "figure-fortress", words::FORTRESS, breach::draw::sheet)];
