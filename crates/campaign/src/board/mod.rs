//! The board of the campaign: the map of 1805, what stands on it for whoever reads, what an order looks like there
//! and what a gesture means. The state enters as a reader imagines it: of an enemy nothing is drawn but what the
//! side sees of him, or once saw.

mod battle;
mod choice;
mod counter;
mod gesture;
mod ground;
mod legend;
mod lesson;
mod lines;
mod names;
mod news;
mod panel;
mod reach;
mod standing;

use kernel::board::{
    Board, Choice, Gesture, Lesson, MarkSizes, NamedPlace, Pointing, Reached, Reckoning, Roll, Sheet, Sign,
    Standing, Status, ThingId, Wording,
};
use kernel::{Chosen, Clerk, Event, Options as _, Phrase, Saying, Verdict};
use rulebook::phrase::{campaign as book, campaign_board as words};

use crate::draw::SHEET;
use crate::game::{Action, State};
use crate::terms::Army;

/// The style of what is drawn on the map.
pub const STYLE: &str = include_str!("board.css");

/// The map.
const MAP: &str = "map";

impl Board for State {
    const SHEETS: &'static [Sheet] = &[Sheet {
        name: MAP,
        title: words::SHEET,
        ground: "campaign-sheet",
        corner: (0.0, 0.0),
        size: SHEET,
        pointing: Pointing::Named(20.0),
        marks: MarkSizes { target: 16.0, reach: 16.0, cursor: 18.0, finger: 22.0, fan: 1.7, broad: false },
    }];

    const WORDING: Wording = Wording {
        over: Some(words::OVER),
        key_move: Some(words::KEY_MOVE),
        key_go: Some(words::KEY_GO),
        go_to: Some(words::GO_TO),
        example: "1822 · 1446",
        in_reach: Some(words::IN_REACH),
        stopped: Some(words::STOPPED),
        ..Wording::new(book::TITLE, words::ABOUT)
    };

    fn places(_: &str) -> Vec<NamedPlace> {
        names::hexes()
    }

    fn aims(&self, reader: Option<Army>) -> &'static [Phrase] {
        panel::aims(reader)
    }

    fn lesson(&self, side: Army) -> Option<Lesson> {
        lesson::next(self, side)
    }

    fn chosen(&self) -> Chosen {
        self.public.options.chosen()
    }

    fn status(&self, _: Option<Army>) -> Status {
        panel::status(self)
    }

    fn on_sheet(&self, reader: Option<Army>, _: &str) -> Vec<Standing> {
        standing::map(self, reader)
    }

    fn roll(&self, reader: Option<Army>) -> Option<Roll> {
        reader.map(|side| panel::roll(self, side))
    }

    fn reckoning(&self, reader: Option<Army>) -> Option<Reckoning> {
        battle::reckoning(self, reader)
    }

    fn day(&self) -> Option<Saying> {
        Some(news::days(self))
    }

    fn news(event: &Event) -> Option<Saying> {
        news::news(event)
    }

    fn legend() -> Vec<Sign> {
        legend::signs()
    }

    fn warnings(&self, side: Army, action: &Action) -> Vec<Saying> {
        match action {
            Action::Attack { hex, .. } => battle::attack(self, side, action, *hex),
            Action::Standing { formation, goal: Some(goal) } => {
                let march = lines::cost(self, side, *formation, *goal);
                march.and_then(|(hand, cost)| lines::arrives(self, side, hand, cost)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn choice(&self, side: Army, action: &Action) -> Choice {
        choice::choice(self, side, action)
    }

    fn sketch(&self, side: Army, action: &Action) -> Option<(&'static str, String)> {
        ground::sketch(self, side, action).map(|drawn| (MAP, drawn))
    }

    fn glance(&self, side: Army, action: &Action, clerk: &mut impl Clerk) -> Option<Self> {
        Some(self.glanced(side, action, clerk))
    }

    fn reach(&self, side: Army, pieces: &[ThingId]) -> Verdict<Vec<Reached<Action>>> {
        reach::reach(self, side, pieces)
    }

    fn meant(&self, side: Army, gesture: &Gesture) -> Verdict<Vec<Action>> {
        Ok(gesture::meant(self, side, gesture))
    }

    fn stores(&self) -> Vec<(Phrase, i64)> {
        panel::stores(self)
    }

    fn is_same_step(&self, after: &Self) -> bool {
        self.public.phase == after.public.phase
    }
}
