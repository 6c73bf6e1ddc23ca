//! The board of the game: one table, seen from the besieger's edge, what stands on it, what an order looks
//! like there and what a gesture means. The state enters as a reader may see it; plain data leaves.

mod choice;
mod gesture;
mod lesson;
mod names;
mod panel;
mod sketch;
mod standing;

use kernel::board::{
    Board, Choice, Gesture, Lesson, MarkSizes, Pointing, Sheet, Standing, Status, Tool, Waiting, Wording,
};
use kernel::{Chosen, Clerk, Options as _, Phrase, Verdict};
use rulebook::phrase::breach_board as words;

use crate::draw::ground::{MARGIN, SIZE};
use crate::game::{Action, State};
use crate::scenario::Side;

/// The style of what is drawn on the table.
pub const STYLE: &str = concat!(include_str!("../draw/draw.css"), include_str!("board.css"));

/// The table, in millimetres.
const TABLE: &str = "table";
/// How high the table is.
const HIGH: f64 = SIZE.1;

impl Board for State {
    const SHEETS: &'static [Sheet] = &[Sheet {
        name: TABLE,
        title: words::TABLE,
        ground: "breach-table",
        corner: (-MARGIN, -MARGIN),
        size: (SIZE.0 + 2.0 * MARGIN, SIZE.1 + 2.0 * MARGIN),
        pointing: Pointing::Anywhere(HIGH),
        marks: MarkSizes { target: 15.0, reach: 15.0, cursor: 22.0, finger: 22.0, fan: 1.6, broad: true },
    }];

    const WORDING: Wording = Wording {
        over: Some(words::OVER),
        key_turn: Some(words::KEY_TURN),
        key_tools: Some(("L C W M", words::KEY_TOOLS)),
        tools: Some(words::TOOLS),
        vain: Some(words::SAY_VAIN),
        ..Wording::new(words::TITLE, words::ABOUT)
    };

    fn aims(&self, reader: Option<Side>) -> &'static [Phrase] {
        panel::aims(reader)
    }

    fn lesson(&self, side: Side) -> Option<Lesson> {
        lesson::next(self, side)
    }

    fn chosen(&self) -> Chosen {
        self.table.options.chosen()
    }

    fn status(&self, _: Option<Side>) -> Status {
        panel::status(self)
    }

    fn on_sheet(&self, reader: Option<Side>, _: &str) -> Vec<Standing> {
        standing::table(self, reader)
    }

    fn beside(&self, reader: Option<Side>) -> Vec<Waiting> {
        standing::beside(self, reader)
    }

    fn tools(&self, side: Side) -> Vec<Tool> {
        if self.asked == Some(side) { panel::tools(self) } else { Vec::new() }
    }

    fn choice(&self, _: Side, action: &Action) -> Choice {
        choice::choice(self, action)
    }

    fn sketch(&self, _: Side, action: &Action) -> Option<(&'static str, String)> {
        sketch::sketch(self, action).map(|drawn| (TABLE, drawn))
    }

    fn glance(&self, _: Side, action: &Action, clerk: &mut impl Clerk) -> Option<Self> {
        match action {
            Action::Fight(unit) => self.first_round(*unit, clerk),
            _ => None,
        }
    }

    fn is_told_by_price(action: &Action) -> bool {
        // Whatever only takes up a place says all by its picture.
        matches!(
            action,
            Action::PickUnit(_)
                | Action::Deploy { .. }
                | Action::DeployCharacter { .. }
                | Action::PlaceWork { .. }
                | Action::PlaceOil(_)
                | Action::TakeCommand(_)
                | Action::March(_)
                | Action::Climb { .. }
                | Action::HomeBack { .. }
                | Action::Stay(_)
                | Action::MoveCharacter { .. }
                | Action::FallBack(_)
                | Action::Stand(_)
                | Action::Reform { .. }
                | Action::Keep(_)
                | Action::WaiveRam(_)
        )
    }

    fn meant(&self, _: Side, gesture: &Gesture) -> Verdict<Vec<Action>> {
        gesture::meant(self, gesture)
    }
}
