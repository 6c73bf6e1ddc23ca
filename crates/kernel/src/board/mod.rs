//! The board contract: what a system shows of its game, as plain data. Sheets and what stands on
//! them, what a choice looks like, where something may go, what a gesture means. Whoever draws
//! pages makes pictures and words of it and needs to know no system.
//!
//! All functions are asked of a state that a reader may see: the host imagines it from his view. What is
//! hidden from him is there, but drawn by lot: they are told who reads, and show him none of it.

mod position;

use crate::{Chosen, Clerk, Event, Measure, Phrase, Saying, Told, Verdict};

pub use position::{Forecast, Kind, Meant, Offered, Outlook, Position, Price, Wanted, position};

/// A thing on a sheet, or a named place of it, by its name in pages. What acts is a piece and begins
/// with [`PIECE`]; everything else has another letter before the colon, or a word without one.
pub type ThingId = String;

/// How the names of pieces begin.
pub const PIECE: &str = "u:";

/// A place of a sheet, in its units: to the right, downwards.
pub type Spot = (f64, f64);

/// A sheet: a map, or a table.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// Its name in pages: `siege`.
    pub name: &'static str,
    /// What it is called.
    pub title: Phrase,
    /// The drawing under it, by its name among the maps of the system: `danzig-siege`.
    pub ground: &'static str,
    /// Its upper left corner.
    pub corner: Spot,
    /// How wide and how high it is.
    pub size: Spot,
    /// How places on it are pointed at.
    pub pointing: Pointing,
    /// How large marks on it are.
    pub marks: MarkSizes,
}

/// How places of a sheet are pointed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pointing {
    /// By name: of the places that [`Board::places`] names the nearest, if it is no farther than this.
    Named(f64),
    /// Anywhere, in whole units to the right and upwards from this line.
    Anywhere(f64),
}

/// How large marks are, in units of the sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkSizes {
    /// The ring of a target.
    pub target: f64,
    /// The hexagon of a place in reach.
    pub reach: f64,
    /// The cursor of the keyboard.
    pub cursor: f64,
    /// A piece as large as a finger must find it.
    pub finger: f64,
    /// A piece of a stack that is spread out, in multiples of its picture.
    pub fan: f64,
    /// Whether lines and letters are drawn broad: the sheet has many small units.
    pub broad: bool,
}

/// A place with a name, for the keyboard.
#[derive(Clone, Debug)]
pub struct NamedPlace {
    /// What it is in choices.
    pub id: ThingId,
    /// Where it lies.
    pub at: Spot,
    /// What it is called.
    pub name: Measure,
}

/// What stands on a sheet, from the ground upwards.
#[derive(Clone, Debug)]
pub enum Standing {
    /// Something that is only looked at, as SVG.
    Drawing(String),
    /// Something that is pointed at.
    Thing(Thing),
    /// Pieces that stand together.
    Stack(Stack),
}

/// Something on a sheet that is pointed at.
#[derive(Clone, Debug)]
pub struct Thing {
    /// Its name.
    pub id: ThingId,
    /// The classes its picture is styled by.
    pub class: String,
    /// What it is called aloud.
    pub label: Measure,
    /// Where it lies.
    pub at: Spot,
    /// Its picture as SVG.
    pub picture: Picture,
}

/// A picture as SVG.
#[derive(Clone, Debug)]
pub enum Picture {
    /// Drawn around the origin.
    Around(String),
    /// Drawn where it lies.
    InPlace(String),
}

/// Pieces that stand together.
#[derive(Clone, Debug)]
pub struct Stack {
    /// A name of its own: that of its place, where the place has one.
    pub id: ThingId,
    /// Where it stands.
    pub at: Spot,
    /// Its pieces, the lowest first.
    pub pieces: Vec<Piece>,
}

/// A piece: what may be given orders.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its name, beginning with [`PIECE`].
    pub id: ThingId,
    /// Whose it is, by place.
    pub side: usize,
    /// What it is called aloud: who, how strong, in what state, where.
    pub label: Measure,
    /// What it is called for short.
    pub caption: Measure,
    /// Where it is drawn.
    pub at: Spot,
    /// How large.
    pub scale: f64,
    /// Where it looks, in degrees round from the upper edge, if it looks anywhere.
    pub turn: Option<f64>,
    /// Its picture around the origin, as SVG.
    pub picture: String,
}

/// A piece that stands on no sheet but may be given orders.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Its name.
    pub id: ThingId,
    /// What it is called aloud.
    pub label: Measure,
    /// What it is called for short.
    pub caption: Measure,
    /// Its picture around the origin, as SVG.
    pub picture: String,
    /// Whether it could only leave again.
    pub rests: bool,
    /// Whether it is out of action.
    pub broken: bool,
}

/// What a staff keeps a list of: its formations, each with what is to be known of it.
#[derive(Clone, Debug)]
pub struct Roll {
    /// What it lists.
    pub title: Phrase,
    /// What stands over its columns, the name first.
    pub heads: Vec<Phrase>,
    /// Its rows.
    pub rows: Vec<Enrolled>,
}

/// A row of a roll.
#[derive(Clone, Debug)]
pub struct Enrolled {
    /// The piece it is about: it is chosen by its name.
    pub thing: ThingId,
    /// What it is called.
    pub name: Measure,
    /// The other columns.
    pub cells: Vec<Measure>,
}

/// A reckoning: what is at stake now, and what each way to meet it would come to.
#[derive(Clone, Debug)]
pub struct Reckoning {
    /// What it is about.
    pub title: Saying,
    /// What is known of it.
    pub told: Vec<Saying>,
    /// What stands over its columns, that of the ways first.
    pub heads: Vec<Phrase>,
    /// Each way, with what it would come to.
    pub rows: Vec<(Measure, Vec<Measure>)>,
}

/// A store or a number that everybody watches.
#[derive(Clone, Debug)]
pub struct Track {
    /// What it counts.
    pub name: Phrase,
    /// Where it stands.
    pub value: u32,
    /// Where it ends.
    pub most: u32,
    /// Whether its end is told beside it.
    pub out_of: bool,
    /// The class it is styled by.
    pub class: &'static str,
}

/// A part of a game that is played in several, one after the other.
#[derive(Clone, Debug)]
pub struct Leg {
    /// What it is called.
    pub name: Phrase,
    /// Whether it is played, being played, or yet to come.
    pub when: When,
    /// How it ended, and what follows from that for the next.
    pub told: Vec<Saying>,
}

/// When a part of a game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// It is over.
    Past,
    /// It is being played.
    Now,
    /// It is yet to come.
    Ahead,
}

/// Where the game stands.
#[derive(Clone, Debug)]
pub struct Status {
    /// The turn.
    pub turn: Saying,
    /// The step of the turn.
    pub step: Phrase,
    /// What stands beside it: the round.
    pub round: Option<Saying>,
    /// What is to be done now, in a sentence.
    pub prompt: Phrase,
    /// How it ended, by the rules.
    pub ending: Option<Phrase>,
    /// The tracks.
    pub tracks: Vec<Track>,
    /// The parts of a game that is played in several, in their order.
    pub legs: Vec<Leg>,
    /// Whether it has only begun: newcomers are told their aim.
    pub is_young: bool,
}

/// What an order is to whoever gives it: how it is shown, and what goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// An order like any other.
    Deed,
    /// It takes pieces in hand: where they may go can be asked.
    Take,
    /// Pieces go a whole way at once: one of those that reach tells, or one that is proposed.
    March,
    /// What is in hand goes one step.
    Step,
    /// What is in hand is put down.
    Stop,
    /// It may hit or miss: how likely it does anything can be asked.
    Shot,
    /// It is aimed at something by nobody in particular: its place is marked at once.
    Aim,
    /// It lets the moment pass.
    Pass,
    /// It gives up more than the moment, a whole turn of doing: it is asked about first.
    Forgo,
}

impl Sense {
    /// Its name in pages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deed => "deed",
            Self::Take => "take",
            Self::March => "march",
            Self::Step => "step",
            Self::Stop => "stop",
            Self::Shot => "shot",
            Self::Aim => "aim",
            Self::Pass => "pass",
            Self::Forgo => "forgo",
        }
    }
}

/// A choice as a reader meets it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The kind of order, as the record writes it.
    pub kind: String,
    /// What stands over choices of this kind.
    pub heading: Phrase,
    /// What it does.
    pub label: Saying,
    /// Who acts.
    pub subjects: Vec<ThingId>,
    /// On what.
    pub object: Option<ThingId>,
    /// On which sheet, and where.
    pub at: Option<(&'static str, Spot)>,
    /// What is laid down by it, and how it lies.
    pub pose: Option<Pose>,
    /// What it is to whoever gives it.
    pub sense: Sense,
    /// Whether it is carried out without being confirmed: it can be taken back.
    pub at_once: bool,
    /// Whether several of its kind, each on something else, are often ordered in a row: they can be ticked
    /// and ordered together.
    pub in_a_row: bool,
}

/// A sign of a legend: how something looks on the sheets, and what it means.
#[derive(Clone, Debug)]
pub struct Sign {
    /// Its picture as SVG, around the origin: twelve units to each side, nine up and down.
    pub picture: String,
    /// What it means.
    pub meaning: Phrase,
}

/// What a newcomer is told of the decision before him.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// What to do: click here, then there.
    pub deed: Phrase,
    /// Why that is sensible.
    pub why: Phrase,
    /// The kinds of order that are meant: they are pointed at, with the pieces that can give them.
    pub points_at: &'static [&'static str],
}

/// How something lies that is placed freely: by the units in which its sheet is pointed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// With which tool it is placed.
    pub tool: &'static str,
    /// Its middle, to the right and upwards.
    pub at: Spot,
    /// Where it looks, in degrees from the right, against the clock.
    pub facing: u16,
    /// Its length.
    pub length: f64,
}

/// A tool: it places one kind of thing anywhere on a sheet. The rules say where it fits.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it is called.
    pub title: Phrase,
    /// The key that takes it in hand.
    pub key: char,
    /// The sheet it works on.
    pub sheet: &'static str,
    /// How broad the thing is, seen in the direction it faces.
    pub broad: Extent,
    /// How deep it is.
    pub deep: Extent,
    /// So near to a place that is offered it snaps to it.
    pub snap: f64,
    /// How it lies when it is taken in hand, in degrees from the right, against the clock; as it was last
    /// turned, where nothing is said.
    pub turn: Option<u16>,
}

/// One measure of a thing that is placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// Always so much.
    Fixed(f64),
    /// The length of its pose.
    Length,
}

/// A place that can be reached, and what that takes.
#[derive(Clone, Debug)]
pub struct Reached<A> {
    /// The place.
    pub to: ThingId,
    /// On which sheet, and where it lies.
    pub at: (&'static str, Spot),
    /// What is said of it: its name, the cost, the dangers.
    pub name: Measure,
    /// What it costs to get there.
    pub cost: u32,
    /// What is left then.
    pub left: u32,
    /// Whether somebody may hinder it on the way.
    pub under_fire: bool,
    /// Whether it can be stopped there.
    pub stops: bool,
    /// Whether nothing goes farther from there.
    pub halts: bool,
    /// Whether it is asked about before it is ordered: dice may fall, and it is not taken back.
    pub asks: bool,
    /// The orders that lead there.
    pub way: Vec<A>,
}

/// What somebody did with his hand: a thing or a place was pointed at with something chosen before, or a
/// tool was held over a place. Dragging a piece somewhere is pointing there with it.
#[derive(Clone, Debug, Default)]
pub struct Gesture {
    /// What was chosen before.
    pub subject: Option<ThingId>,
    /// What was pointed at.
    pub object: Option<ThingId>,
    /// Where, on a sheet that is pointed at anywhere.
    pub at: Option<(i32, i32)>,
    /// The tool in hand.
    pub tool: Option<String>,
    /// How it was turned, in degrees.
    pub facing: Option<i32>,
    /// How long it is.
    pub length: Option<i32>,
}

/// An order that others might carry out as well.
#[derive(Clone, Debug)]
pub struct Variants<A> {
    /// What is chosen between them.
    pub title: Phrase,
    /// Each with the order it makes.
    pub each: Vec<(Measure, A)>,
    /// The place of the one that was meant.
    pub meant: usize,
}

/// The words of a system in places where pages have words of their own for others.
#[derive(Clone, Copy, Debug)]
pub struct Wording {
    /// The name of the game.
    pub title: Phrase,
    /// What it is, in a sentence.
    pub about: Phrase,
    /// That it is over.
    pub over: Option<Phrase>,
    /// What arrow keys do.
    pub key_move: Option<Phrase>,
    /// What figures do: the sheets, in their order.
    pub key_sheets: Option<Phrase>,
    /// What turns with keys.
    pub key_turn: Option<Phrase>,
    /// What can be gone to by its name.
    pub key_go: Option<Phrase>,
    /// The keys of the tools, and what they are.
    pub key_tools: Option<(&'static str, Phrase)>,
    /// What is asked for when a place is to be named.
    pub go_to: Option<Phrase>,
    /// Names of places as an example.
    pub example: &'static str,
    /// What the tools are for.
    pub tools: Option<Phrase>,
    /// What is counted when places are in reach.
    pub in_reach: Option<Phrase>,
    /// That no shot can do anything.
    pub vain: Option<Phrase>,
    /// That somebody stopped what was on its way.
    pub stopped: Option<Phrase>,
}

impl Wording {
    /// A game with words of its own for nothing but its name.
    #[must_use]
    pub const fn new(title: Phrase, about: Phrase) -> Self {
        Self {
            title,
            about,
            over: None,
            key_move: None,
            key_sheets: None,
            key_turn: None,
            key_go: None,
            key_tools: None,
            go_to: None,
            example: "",
            tools: None,
            in_reach: None,
            vain: None,
            stopped: None,
        }
    }
}

/// A game that can be shown on sheets and played with the hand.
pub trait Board: Told {
    /// Its sheets, in the order in which they are shown.
    const SHEETS: &'static [Sheet];

    /// Its words.
    const WORDING: Wording;

    /// The places of a sheet that have a name.
    #[must_use]
    fn places(_sheet: &str) -> Vec<NamedPlace> {
        Vec::new()
    }

    /// What it is all about, for a side or a spectator: the aim, then the steps towards it.
    fn aims(&self, reader: Option<Self::Side>) -> &'static [Phrase];

    /// What the signs on its sheets mean.
    #[must_use]
    fn legend() -> Vec<Sign> {
        Vec::new()
    }

    /// What a newcomer on this side is told of the decision before him, while the game is young.
    fn lesson(&self, _side: Self::Side) -> Option<Lesson> {
        None
    }

    /// What a machine on this side says, to everybody, that it is after: from what everybody may know.
    fn intention(&self, _side: Self::Side) -> Option<Saying> {
        None
    }

    /// The options it is played with that differ from the default.
    fn chosen(&self) -> Chosen;

    /// Where it stands.
    fn status(&self, reader: Option<Self::Side>) -> Status;

    /// What stands on a sheet.
    fn on_sheet(&self, reader: Option<Self::Side>, sheet: &str) -> Vec<Standing>;

    /// The pieces on no sheet, in the order in which they are offered.
    fn beside(&self, _reader: Option<Self::Side>) -> Vec<Waiting> {
        Vec::new()
    }

    /// The list that the reader's staff keeps, if it keeps one.
    fn roll(&self, _reader: Option<Self::Side>) -> Option<Roll> {
        None
    }

    /// What is at stake now, if a reader can reckon with it.
    fn reckoning(&self, _reader: Option<Self::Side>) -> Option<Reckoning> {
        None
    }

    /// The day, or the turn, by which its record is leafed through; nothing where that is by entries alone.
    /// Everybody may know it.
    fn day(&self) -> Option<Saying> {
        None
    }

    /// What a newspaper makes of an event that its reader may know of; nothing of what is no news.
    #[must_use]
    fn news(_event: &Event) -> Option<Saying> {
        None
    }

    /// The tools that a side can take in hand now.
    fn tools(&self, _side: Self::Side) -> Vec<Tool> {
        Vec::new()
    }

    /// What an order looks like.
    fn choice(&self, side: Self::Side, action: &Self::Action) -> Choice;

    /// What an order would come to on its sheet, as SVG that is laid over it while it is considered: where
    /// things would stand, by which ways, whom they would meet.
    fn sketch(&self, _side: Self::Side, _action: &Self::Action) -> Option<(&'static str, String)> {
        None
    }

    /// What whoever gives an order should know beforehand and no outcome tells: what it exposes, what it
    /// leaves open.
    fn warnings(&self, _side: Self::Side, _action: &Self::Action) -> Vec<Saying> {
        Vec::new()
    }

    /// An order carried out as far as its odds are told, where it leads farther than can be looked ahead: up
    /// to its first result, by the code that will roll. Nothing where it is carried out whole.
    fn glance(&self, _side: Self::Side, _action: &Self::Action, _clerk: &mut impl Clerk) -> Option<Self> {
        None
    }

    /// Where these pieces, or those in hand, may go.
    ///
    /// # Errors
    /// Why they cannot be taken in hand.
    fn reach(&self, _side: Self::Side, _pieces: &[ThingId]) -> Verdict<Vec<Reached<Self::Action>>> {
        Ok(Vec::new())
    }

    /// The orders that a gesture may mean, the likeliest first. They need not be allowed.
    ///
    /// # Errors
    /// Why it can be none.
    fn meant(&self, _side: Self::Side, _gesture: &Gesture) -> Verdict<Vec<Self::Action>> {
        Ok(Vec::new())
    }

    /// The same order by somebody else, where anybody else could be told to.
    fn variants(&self, _side: Self::Side, _action: &Self::Action) -> Option<Variants<Self::Action>> {
        None
    }

    /// The stores that orders are paid from.
    fn stores(&self) -> Vec<(Phrase, i64)> {
        Vec::new()
    }

    /// Whether no step ended between this state and a later one: then what the stores lost is a price.
    fn is_same_step(&self, _after: &Self) -> bool {
        true
    }

    /// Whether the price says all there is to say of an order.
    #[must_use]
    fn is_told_by_price(_action: &Self::Action) -> bool {
        false
    }
}
