//! The example game on its one sheet: the ground before the wall, the galleries as pieces that are chosen
//! for every order, the battery as a tool that is placed anywhere.

use std::fmt::Write as _;

use kernel::board::{
    Board, Choice, Extent, Gesture, MarkSizes, PIECE, Picture, Piece, Pointing, Pose, Sense, Sheet, Stack,
    Standing, Status, Thing, Tool, Track, Wording,
};
use kernel::{Chosen, Game as _, Measure, Phrase, Saying, Told as _, Verdict};

use crate::{Action, Countermine, Gallery, Phase, Side, Spot, TURNS, way_of};

const fn words(key: &'static str) -> Phrase {
    Phrase::declared(key)
}

/// So many galleries are drawn at most; the others are chosen from the list.
const DRAWN: u16 = 40;

/// The ground in the units of the sheet, and the wall below it.
const WIDE: f64 = 1_000.0;
const HIGH: f64 = 500.0;
const WALL: f64 = 60.0;

/// The sheet is as wide as the ground and a little higher: the wall is on it.
const SHEET: Sheet = Sheet {
    name: "ground",
    title: words("ex-ground"),
    ground: "countermine-ground",
    corner: (0.0, 0.0),
    size: (WIDE, HIGH + WALL),
    pointing: Pointing::Anywhere(HIGH),
    marks: MarkSizes { target: 20.0, reach: 20.0, cursor: 24.0, finger: 24.0, fan: 1.6, broad: true },
};

/// The sheet without anything on it.
#[must_use]
pub fn ground() -> String {
    let (wide, high) = SHEET.size;
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"><rect width="{wide}" height="{high}" fill="#efe6cf"/><rect y="{}" width="{wide}" height="{WALL}" fill="#8a6a4a"/></svg>"##,
        high - WALL
    )
}

/// Where a gallery begins on the sheet.
fn place_of(gallery: u16) -> (f64, f64) {
    (f64::from(way_of(gallery)), 60.0 + 45.0 * f64::from(gallery / 5))
}

fn gallery_thing(gallery: u16) -> String {
    format!("{PIECE}g{gallery}")
}

fn gallery_of(thing: &str) -> Option<u16> {
    thing.strip_prefix(PIECE)?.strip_prefix('g')?.parse().ok()
}

/// A gallery as it is drawn: its lengths, a ring if it is known, a keg for whoever may see it.
fn picture(gallery: Gallery, mined: bool) -> String {
    let mut picture = String::from(r#"<g class="counter"><path class="body" d="M-10 -7H10V7H-10Z"></path>"#);
    for length in 0..gallery.dug {
        let _ = write!(picture, r#"<path class="sign" d="M{} -4v8"></path>"#, 4 * i32::from(length) - 2);
    }
    if gallery.known {
        picture.push_str(r#"<circle class="sign" r="6"></circle>"#);
    }
    if mined {
        picture.push_str(r#"<text class="steps mine" y="3">×</text>"#);
    }
    picture + "</g>"
}

impl Countermine {
    /// Whether a reader may see that the countermine lies under this gallery.
    fn sees_mine(&self, reader: Option<Side>, number: u16, gallery: Gallery) -> bool {
        let may = reader == Some(Side::Garrison) || gallery.known || self.outcome().is_some();
        may && self.mine == Some(number)
    }

    fn piece(&self, reader: Option<Side>, number: u16, gallery: Gallery) -> Piece {
        let mined = self.sees_mine(reader, number, gallery);
        let name: Measure = Saying::new(words("ex-gallery")).with("number", number).into();
        let mut label = vec![name.clone(), format!("{number}").into(), format!("{}/2", gallery.dug).into()];
        label.extend(mined.then_some(words("ex-over-the-mine").into()));
        Piece {
            id: gallery_thing(number),
            side: Self::place(Side::Besieger),
            label: Measure::Several(label),
            caption: format!("{number}").into(),
            at: place_of(number),
            scale: 1.6,
            turn: None,
            picture: picture(gallery, mined),
        }
    }
}

impl Board for Countermine {
    const SHEETS: &'static [Sheet] = &[SHEET];
    const WORDING: Wording = Wording::new(words("ex-title"), words("ex-about"));

    fn aims(&self, _: Option<Side>) -> &'static [Phrase] {
        const { &[words("ex-aim")] }
    }

    fn chosen(&self) -> Chosen {
        let damp = ("powder".to_owned(), "damp".to_owned());
        self.damp.then_some(damp).into_iter().collect()
    }

    fn status(&self, _: Option<Side>) -> Status {
        let (step, prompt) = match self.phase {
            Phase::Laying => ("ex-phase-laying", "ex-hint-laying"),
            Phase::Works(_) => ("ex-phase-works", "ex-hint-works"),
            Phase::Answer => ("ex-phase-answer", "ex-hint-answer"),
            Phase::Night | Phase::Patrols(_) => ("ex-phase-night", "ex-hint-night"),
            Phase::Over(_) => ("ex-phase-over", "ex-hint-over"),
        };
        let turn = Track {
            name: words("ex-turn"),
            value: self.turn.into(),
            most: TURNS.into(),
            out_of: true,
            class: "turn",
        };
        Status {
            turn: Saying::new(words("ex-turn")).with("turn", self.turn),
            step: words(step),
            round: None,
            prompt: words(prompt),
            ending: self.outcome().map(|outcome| Self::ending(&outcome).phrase),
            tracks: vec![turn],
            legs: Vec::new(),
            is_young: self.turn < 2,
        }
    }

    fn on_sheet(&self, reader: Option<Side>, _: &str) -> Vec<Standing> {
        let galleries = self.numbers().zip(&self.galleries).take(usize::from(DRAWN));
        let stack = |(number, gallery): (u16, &Gallery)| {
            let piece = self.piece(reader, number, *gallery);
            Standing::Stack(Stack { id: format!("way:{number}"), at: piece.at, pieces: vec![piece] })
        };
        let battery = self.battery.map(|Spot { x, y }| {
            Standing::Thing(Thing {
                id: "battery".to_owned(),
                class: "battery".to_owned(),
                label: words("ex-battery-placed").into(),
                at: (x.into(), HIGH - f64::from(y)),
                picture: Picture::Around(
                    r#"<rect x="-30" y="-12" width="60" height="24"></rect>"#.to_owned(),
                ),
            })
        });
        galleries.map(stack).chain(battery).collect()
    }

    fn tools(&self, side: Side) -> Vec<Tool> {
        let digs = side == Side::Besieger && matches!(self.phase, Phase::Works(_));
        let battery = Tool {
            name: "battery",
            title: words("ex-battery-tool"),
            key: 'b',
            sheet: SHEET.name,
            broad: Extent::Fixed(60.0),
            deep: Extent::Fixed(24.0),
            snap: 30.0,
            turn: None,
        };
        Some(battery).filter(|_| digs && self.dark && self.battery.is_none()).into_iter().collect()
    }

    fn choice(&self, _: Side, action: &Action) -> Choice {
        let topic = Self::topic(action);
        let gallery = topic.subject.and_then(|number| u16::try_from(number).ok());
        let spot = match *action {
            Action::Place(spot) => Some((f64::from(spot.x), f64::from(spot.y))),
            _ => None,
        };
        let pose = spot.map(|at| Pose { tool: "battery", at, facing: 90, length: 60.0 });
        let at = gallery.map(place_of).or(spot.map(|(x, y)| (x, HIGH - y)));
        Choice {
            kind: topic.kind.to_owned(),
            heading: Self::kind(action).phrase,
            label: self.tell(action),
            subjects: gallery.map(gallery_thing).into_iter().collect(),
            object: None,
            at: at.map(|at| (SHEET.name, at)),
            pose,
            sense: match action {
                Action::Assault(_) => Sense::Shot,
                Action::Hold | Action::Sleep => Sense::Pass,
                _ => Sense::Deed,
            },
            at_once: matches!(action, Action::Dig(_)),
            in_a_row: false,
        }
    }

    fn meant(&self, _: Side, gesture: &Gesture) -> Verdict<Vec<Action>> {
        let spot = || {
            let (x, y) = gesture.at?;
            Some(Spot { x: u16::try_from(x).ok()?, y: u16::try_from(y).ok()? })
        };
        if gesture.tool.is_some() {
            return Ok(spot().map(Action::Place).into_iter().collect());
        }
        let Some(gallery) = gesture.subject.as_deref().and_then(gallery_of) else { return Ok(Vec::new()) };
        Ok(match self.phase {
            Phase::Laying => vec![Action::Lay(gallery)],
            Phase::Works(_) => vec![Action::Dig(gallery), Action::Assault(gallery)],
            Phase::Answer | Phase::Over(_) => vec![Action::Blow],
            Phase::Night | Phase::Patrols(_) => vec![Action::Sap(gallery), Action::Patrol(gallery)],
        })
    }
}
