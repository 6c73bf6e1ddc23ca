//! The board of the game: two maps, what stands on them, what an order looks like there and what a
//! gesture means. The table enters as a reader may see it; plain data leaves, for whoever draws pages.

mod choice;
mod counter;
mod gesture;
mod legend;
mod lesson;
mod names;
mod panel;
mod price;
mod rake;
mod reach;
mod standing;

use kernel::board::{
    Board, Choice, Gesture, Lesson, MarkSizes, NamedPlace, Pointing, Reached, Sheet, Sign, Standing, Status,
    ThingId, Tool, Variants, Waiting, Wording,
};
use kernel::{Chosen, Phrase, Saying, Verdict};
use rulebook::phrase::{danzig as book, danzig_board as words};

use crate::action::Action;
use crate::draw;
use crate::state::State;
use crate::unit::Side;

/// The style of what is drawn on the maps.
pub const STYLE: &str = include_str!("board.css");

/// The siege map, in metres.
const SIEGE: &str = "siege";
/// The operational map, in hexes.
const OPS: &str = "ops";

/// How wide and high the siege map is with the paper around it.
const PAPER: (f64, f64) = (
    draw::siege::METRES.0 + 2.0 * draw::siege::MARGIN.0,
    draw::siege::METRES.1 + 2.0 * draw::siege::MARGIN.1,
);

impl Board for State {
    const SHEETS: &'static [Sheet] = &[
        Sheet {
            name: SIEGE,
            title: words::MAP_SIEGE,
            ground: "danzig-siege",
            corner: (-draw::siege::MARGIN.0, -draw::siege::MARGIN.1),
            size: PAPER,
            pointing: Pointing::Anywhere(draw::siege::METRES.1),
            marks: MarkSizes { target: 32.0, reach: 34.0, cursor: 40.0, finger: 34.0, fan: 2.9, broad: true },
        },
        Sheet {
            name: OPS,
            title: words::MAP_OPS,
            ground: "danzig-ops",
            corner: (0.0, 0.0),
            size: draw::ops::SHEET,
            pointing: Pointing::Named(16.0),
            marks: MarkSizes {
                target: 12.0,
                reach: 14.4,
                cursor: 14.0,
                finger: 16.0,
                fan: 1.15,
                broad: false,
            },
        },
    ];

    const WORDING: Wording = Wording {
        over: Some(words::OVER),
        key_move: Some(words::KEY_MOVE),
        key_sheets: Some(words::KEY_MAPS),
        key_turn: Some(words::KEY_TURN),
        key_go: Some(words::KEY_GO),
        key_tools: Some(("S P B", words::KEY_TOOLS)),
        go_to: Some(words::GO_TO),
        example: "2607 · H5",
        tools: Some(words::TOOLS),
        in_reach: Some(words::SAY_REACH),
        vain: Some(words::SAY_VAIN),
        stopped: Some(words::MARCH_STOPPED),
        ..Wording::new(book::TITLE, words::ABOUT)
    };

    fn places(sheet: &str) -> Vec<NamedPlace> {
        if sheet == OPS { names::hexes() } else { Vec::new() }
    }

    fn aims(&self, reader: Option<Side>) -> &'static [Phrase] {
        lesson::aims(self.cut, reader)
    }

    fn legend() -> Vec<Sign> {
        legend::signs()
    }

    fn lesson(&self, side: Side) -> Option<Lesson> {
        lesson::next(self, side)
    }

    fn intention(&self, side: Side) -> Option<Saying> {
        Some(crate::doctrine::intention(self, side))
    }

    fn chosen(&self) -> Chosen {
        kernel::Chooses::chosen(self)
    }

    fn status(&self, _: Option<Side>) -> Status {
        panel::status(self)
    }

    fn on_sheet(&self, _: Option<Side>, sheet: &str) -> Vec<Standing> {
        if sheet == OPS { standing::operational(self) } else { standing::siege(self) }
    }

    fn beside(&self, _: Option<Side>) -> Vec<Waiting> {
        standing::beside(self)
    }

    fn tools(&self, _: Side) -> Vec<Tool> {
        panel::tools(self)
    }

    fn choice(&self, _: Side, action: &Action) -> Choice {
        choice::choice(self, action)
    }

    fn sketch(&self, _: Side, action: &Action) -> Option<(&'static str, String)> {
        rake::sketch(self, action).map(|drawn| (SIEGE, drawn))
    }

    fn warnings(&self, _: Side, action: &Action) -> Vec<Saying> {
        rake::warnings(self, action)
    }

    fn reach(&self, _: Side, pieces: &[ThingId]) -> Verdict<Vec<Reached<Action>>> {
        let units = pieces.iter().filter_map(|piece| names::unit_of(piece)).collect();
        Ok(reach::reach(self, units)?.places())
    }

    fn meant(&self, _: Side, gesture: &Gesture) -> Verdict<Vec<Action>> {
        gesture::meant(self, gesture)
    }

    fn variants(&self, side: Side, action: &Action) -> Option<Variants<Action>> {
        price::workers(self, side, action).or_else(|| price::shots(self, action))
    }

    fn stores(&self) -> Vec<(Phrase, i64)> {
        price::stores(self)
    }

    fn is_same_step(&self, after: &Self) -> bool {
        self.phase == after.phase
    }

    fn is_told_by_price(action: &Action) -> bool {
        // What is dug is dug.
        matches!(action, Action::Build(_))
    }
}
