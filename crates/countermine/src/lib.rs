//! The example game. A besieger digs towards a place; its garrison hides one countermine under one of
//! his galleries; in the nights both write their orders at once, and nobody reads the other's.
//!
//! - EX-1: the garrison lays its countermine before anything else, and only says that it has.
//! - EX-2: each turn the besieger does two works; then the garrison answers.
//! - EX-3: a gallery has two lengths.
//! - EX-4: whoever listens in a gallery hears whether the countermine is there; once for each.
//! - EX-5: an assault goes through a finished gallery.
//! - EX-6: a die of 5 or more takes the place; otherwise the gallery falls in.
//! - EX-7: with damp powder, one less on that die.
//! - EX-8: two less over the countermine, which is spent.
//! - EX-9: the garrison may blow the countermine under a gallery that was begun, which falls in.
//! - EX-10: a place not taken by the last turn holds, and the plans are laid open.
//!
//! In the scenarios `dark` and `vast` there is more:
//!
//! - EX-11: after the answer comes the night. Both write an order in secret: the besieger saps in one of
//!   his unfinished galleries or sleeps, the garrison patrols one gallery or sleeps.
//! - EX-12: a sap that no patrol meets is one more length.
//! - EX-13: where a patrol meets the sappers, a die of 4 or more fills one length in.
//! - EX-14: as a work, the besieger once places his battery anywhere on the ground before the wall.
//! - EX-15: one more on the die of an assault through a gallery that the battery stands near.
//!
//! A gallery is dug, and the assault through it rolls a 5:
//!
//! ```
//! use countermine::{Action, Countermine, Outcome, Side, setup};
//! use kernel::{Game, scripted};
//!
//! let mut game = Countermine::start(&setup("narrow", None)).unwrap();
//! let (_, said) = scripted(&[5], |clerk| {
//!     for (side, action) in [
//!         (Side::Garrison, Action::Lay(1)),
//!         (Side::Besieger, Action::Dig(0)),
//!         (Side::Besieger, Action::Dig(0)),
//!         (Side::Garrison, Action::Hold),
//!         (Side::Besieger, Action::Assault(0)),
//!     ] {
//!         game.check(side, &action).unwrap();
//!         game.perform(side, &action, clerk);
//!     }
//! })
//! .unwrap();
//! assert_eq!(game.outcome(), Some(Outcome::Taken));
//! assert!(said.reasons().any(|because| because.rule.as_str() == "EX-6"));
//! ```

mod board;
mod features;
mod told;

pub use board::ground;

use kernel::{
    Audience, Clerk, Disclosure, Event, Freedom, Game, Live, Phrase, Refusal, RuleId, Setup, Sides, Topic,
    Verdict,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! rules {
    ($($name:ident = $id:literal;)*) => { $(const $name: RuleId = RuleId::declared($id);)* };
}

rules! {
    LAYING = "EX-1"; WORKS = "EX-2"; LENGTHS = "EX-3"; LISTENING = "EX-4"; FINISHED = "EX-5";
    ASSAULT = "EX-6"; DAMP = "EX-7"; OVER_THE_MINE = "EX-8"; BLOWING = "EX-9"; LAST_TURN = "EX-10";
    NIGHT = "EX-11"; SAPPED = "EX-12"; PATROL = "EX-13"; BATTERY = "EX-14"; SUPPORT = "EX-15";
}

/// The scenarios.
pub const SCENARIOS: [&str; 4] = ["narrow", "broad", "dark", "vast"];
/// The lengths of a finished gallery.
pub const FULL: u8 = 2;
/// The width of the ground and its depth before the wall, in metres.
pub const GROUND: (u16, u16) = (1_000, 500);
/// The battery keeps so far from the wall, in metres.
pub const FAR_ENOUGH: u16 = 100;
/// It helps galleries so far aside, in metres.
const NEAR: u16 = 150;
const TURNS: u8 = 6;

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Who digs.
    Besieger,
    /// Who waits.
    Garrison,
}

use Side::{Besieger, Garrison};

/// A spot on the ground: metres from its left edge, and from the wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spot {
    /// From the left edge.
    pub x: u16,
    /// From the wall.
    pub y: u16,
}

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The garrison lays its countermine under this gallery.
    Lay(u16),
    /// The besieger digs one length of this gallery.
    Dig(u16),
    /// The besieger listens in this gallery.
    Listen(u16),
    /// The besieger assaults through this gallery.
    Assault(u16),
    /// The besieger places his battery.
    Place(Spot),
    /// The garrison blows its countermine.
    Blow,
    /// The garrison holds its breath.
    Hold,
    /// By night the besieger saps in this gallery.
    Sap(u16),
    /// By night the garrison patrols this gallery.
    Patrol(u16),
    /// By night a side does nothing.
    Sleep,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The place was taken.
    Taken,
    /// The place held.
    Held,
}

/// Where in the turn we are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The countermine is laid.
    Laying,
    /// So many works are left.
    Works(u8),
    /// The garrison answers.
    Answer,
    /// Both write their orders.
    Night,
    /// The besieger saps here, or sleeps; the garrison's order is read next.
    Patrols(Option<u16>),
    /// It is over.
    Over(Outcome),
}

/// A gallery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gallery {
    /// Its lengths.
    pub dug: u8,
    /// Whether the besieger knows what is under it.
    pub known: bool,
}

/// The game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Countermine {
    /// The galleries.
    pub galleries: Vec<Gallery>,
    /// Where the countermine lies: hidden from the besieger.
    pub mine: Option<u16>,
    /// Where in the turn we are.
    pub phase: Phase,
    turn: u8,
    damp: bool,
    /// Whether there are nights and a battery.
    dark: bool,
    battery: Option<Spot>,
}

/// What a reader may see.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct View {
    /// The turn.
    pub turn: u8,
    /// Where in the turn we are.
    pub phase: Phase,
    /// The lengths of the galleries.
    pub dug: Vec<u8>,
    /// Of which galleries the besieger knows what is under them.
    pub known: Vec<bool>,
    /// Whether there is a countermine.
    pub laid: bool,
    /// The gallery with the countermine, for whoever knows it.
    pub mine: Option<u16>,
    /// Whether the powder is damp.
    pub damp: bool,
    /// Whether there are nights and a battery.
    pub dark: bool,
    /// Where the battery stands.
    pub battery: Option<Spot>,
}

fn refused(rule: RuleId, reason: &'static str) -> Refusal {
    Refusal::rule(rule, Phrase::declared(reason))
}

fn event(phrase: &'static str, gallery: u16) -> Event {
    Event::new(Phrase::declared(phrase)).with("gallery", gallery)
}

/// How far from the left edge a gallery runs, in metres.
fn way_of(gallery: u16) -> u16 {
    (gallery % 5) * 200 + 100
}

impl Countermine {
    /// The numbers of the galleries.
    pub fn numbers(&self) -> impl Iterator<Item = u16> + use<> {
        0..u16::try_from(self.galleries.len()).unwrap_or(u16::MAX)
    }

    /// The turn, from 1.
    #[must_use]
    pub const fn turn(&self) -> u8 {
        self.turn
    }

    /// Where the battery stands.
    #[must_use]
    pub const fn battery(&self) -> Option<Spot> {
        self.battery
    }

    fn gallery(&self, number: u16) -> Verdict<&Gallery> {
        self.galleries.get(usize::from(number)).ok_or_else(|| {
            let most = self.galleries.len().saturating_sub(1);
            Refusal::field("gallery", kernel::phrase::IMPOSSIBLE_VALUE)
                .with("found", number)
                .with("expected", format!("0…{most}"))
        })
    }

    fn gallery_mut(&mut self, number: u16) -> &mut Gallery {
        &mut self.galleries[usize::from(number)]
    }

    fn lies_open(&self) -> bool {
        matches!(self.phase, Phase::Over(_))
    }

    fn may_dig(&self, number: u16) -> Verdict<()> {
        match self.gallery(number)?.dug {
            FULL => Err(refused(LENGTHS, "ex-finished").with("gallery", number)),
            _ => Ok(()),
        }
    }

    fn may_place(&self, spot: Spot) -> Verdict<()> {
        let impossible = |field: &str, found: u16, most: u16| {
            Err(Refusal::field(field, kernel::phrase::IMPOSSIBLE_VALUE)
                .with("found", found)
                .with("expected", format!("0…{most}")))
        };
        match spot {
            _ if !self.dark => Err(refused(BATTERY, "ex-no-battery")),
            _ if self.battery.is_some() => Err(refused(BATTERY, "ex-placed")),
            Spot { x, .. } if x > GROUND.0 => impossible("x", x, GROUND.0),
            Spot { y, .. } if y > GROUND.1 => impossible("y", y, GROUND.1),
            Spot { y, .. } if y < FAR_ENOUGH => Err(refused(BATTERY, "ex-too-near").with("metres", y)),
            Spot { .. } => Ok(()),
        }
    }

    /// One work less, or the garrison's answer.
    fn work_done(&mut self) {
        self.phase = match self.phase {
            Phase::Works(left) if left > 1 => Phase::Works(left - 1),
            _ => Phase::Answer,
        };
    }

    /// The night, the next turn, or the end.
    fn turn_done(&mut self, clerk: &mut impl Clerk) -> Disclosure {
        if self.turn == TURNS {
            clerk.applied(LAST_TURN);
            clerk.happened(|| Event::new(Phrase::declared("ex-held")));
            self.phase = Phase::Over(Outcome::Held);
            return Disclosure::Revealed;
        }
        if self.dark {
            self.phase = Phase::Night;
        } else {
            self.next_turn();
        }
        Disclosure::Nothing
    }

    fn next_turn(&mut self) {
        self.turn += 1;
        self.phase = Phase::Works(2);
    }

    fn assault(&mut self, number: u16, clerk: &mut impl Clerk) -> Disclosure {
        let mut die = i32::from(clerk.d6());
        if self.damp {
            die += clerk.modifier(DAMP, -1);
        }
        if self.battery.is_some_and(|spot| spot.x.abs_diff(way_of(number)) <= NEAR) {
            die += clerk.modifier(SUPPORT, 1);
        }
        if self.mine == Some(number) {
            die += clerk.modifier(OVER_THE_MINE, -2);
            self.mine = None;
        }
        clerk.applied(ASSAULT);
        let taken = die >= 5;
        clerk.happened(|| event(if taken { "ex-taken" } else { "ex-repulsed" }, number).with("die", die));
        *self.gallery_mut(number) = Gallery { dug: 0, known: true };
        if taken {
            self.phase = Phase::Over(Outcome::Taken);
        } else {
            self.work_done();
        }
        Disclosure::Revealed
    }

    /// Both orders of the night are known.
    fn night(&mut self, sapped: Option<u16>, patrolled: Option<u16>, clerk: &mut impl Clerk) {
        match sapped {
            Some(number) if patrolled == Some(number) => {
                let die = clerk.d6();
                clerk.applied(PATROL);
                let filled = die >= 4;
                clerk.happened(|| {
                    event(if filled { "ex-filled" } else { "ex-escaped" }, number).with("die", die)
                });
                let gallery = self.gallery_mut(number);
                gallery.dug = gallery.dug.saturating_sub(u8::from(filled));
            }
            Some(number) => {
                clerk.applied(SAPPED);
                clerk.happened(|| event("ex-sapped", number));
                self.gallery_mut(number).dug += 1;
            }
            None => clerk.happened(|| Event::new(Phrase::declared("ex-quiet"))),
        }
        self.next_turn();
    }
}

impl Game for Countermine {
    const SYSTEM: &'static str = "countermine";
    type Side = Side;
    const SIDES: &'static [Side] = &[Besieger, Garrison];
    type Action = Action;
    type View = View;
    type Outcome = Outcome;

    fn start(setup: &Setup) -> Verdict<Self> {
        let unknown = |field: &str, found: &str| {
            Refusal::field(field, kernel::phrase::UNKNOWN_CHOICE).with("found", found).with("expected", "…")
        };
        let (galleries, dark) = match setup.scenario.as_str() {
            "narrow" => (2, false),
            "broad" => (4, false),
            "dark" => (4, true),
            "vast" => (2_500, true),
            other => return Err(unknown("scenario", other)),
        };
        let mut damp = false;
        for (name, value) in &setup.options {
            match (name.as_str(), value.as_str()) {
                ("powder", "damp") => damp = true,
                ("powder", "dry") => damp = false,
                ("powder", other) => return Err(unknown("options.powder", other)),
                (other, _) => return Err(unknown("options", other)),
            }
        }
        let galleries = vec![Gallery::default(); galleries];
        Ok(Self { galleries, mine: None, phase: Phase::Laying, turn: 1, damp, dark, battery: None })
    }

    fn deciders(&self) -> Sides {
        match self.phase {
            Phase::Laying | Phase::Answer | Phase::Patrols(_) => Sides::one(Self::place(Garrison)),
            Phase::Works(_) => Sides::one(Self::place(Besieger)),
            Phase::Night => Self::SIDES.iter().map(|&side| Self::place(side)).collect(),
            Phase::Over(_) => Sides::NONE,
        }
    }

    fn actions(&self, side: Side, into: &mut Vec<Action>) {
        into.clear();
        if !self.decides(side) {
            return;
        }
        for each in [Action::Lay, Action::Dig, Action::Listen, Action::Assault] {
            into.extend(self.numbers().map(each));
        }
        into.extend(self.numbers().take(4).map(|number| Action::Place(Spot { x: way_of(number), y: 200 })));
        into.extend([Action::Blow, Action::Hold]);
        for each in [Action::Sap, Action::Patrol] {
            into.extend(self.numbers().map(each));
        }
        into.push(Action::Sleep);
        into.retain(|action| self.validate(side, action).is_ok());
    }

    fn validate(&self, side: Side, action: &Action) -> Verdict<()> {
        match (self.phase, *action) {
            (Phase::Laying, Action::Lay(number)) => self.gallery(number).map(drop),
            (Phase::Laying, _) => Err(refused(LAYING, "ex-lay-first")),
            (Phase::Works(_), Action::Dig(number)) => self.may_dig(number),
            (Phase::Works(_), Action::Listen(number)) if self.gallery(number)?.known => {
                Err(refused(LISTENING, "ex-known").with("gallery", number))
            }
            (Phase::Works(_), Action::Listen(_)) => Ok(()),
            (Phase::Works(_), Action::Assault(number)) => match self.gallery(number)?.dug {
                FULL => Ok(()),
                dug => Err(refused(FINISHED, "ex-unfinished").with("gallery", number).with("dug", dug)),
            },
            (Phase::Works(_), Action::Place(spot)) => self.may_place(spot),
            (Phase::Answer, Action::Hold) => Ok(()),
            (Phase::Answer, Action::Blow) => match self.mine {
                Some(number) if self.gallery(number)?.dug > 0 => Ok(()),
                Some(number) => Err(refused(BLOWING, "ex-not-begun").with("gallery", number)),
                None => Err(refused(BLOWING, "ex-spent")),
            },
            (Phase::Night | Phase::Patrols(_), Action::Sleep) => Ok(()),
            (Phase::Night, Action::Sap(number)) if side == Besieger => self.may_dig(number),
            (Phase::Night | Phase::Patrols(_), Action::Patrol(number)) if side == Garrison => {
                self.gallery(number).map(drop)
            }
            (Phase::Night | Phase::Patrols(_), _) => Err(refused(NIGHT, "ex-not-by-night")),
            (Phase::Works(_) | Phase::Answer | Phase::Over(_), _) => Err(refused(WORKS, "ex-not-now")),
        }
    }

    fn perform(&mut self, side: Side, action: &Action, clerk: &mut impl Clerk) -> Disclosure {
        match *action {
            Action::Lay(number) => {
                clerk.applied(LAYING);
                clerk.happened(|| event("ex-laid", number).only_for(Self::place(Garrison)));
                clerk.happened(|| Event::new(Phrase::declared("ex-mined")));
                self.mine = Some(number);
                self.phase = Phase::Works(2);
                Disclosure::Nothing
            }
            Action::Dig(number) => {
                clerk.happened(|| event("ex-dug", number));
                self.gallery_mut(number).dug += 1;
                self.work_done();
                Disclosure::Nothing
            }
            Action::Listen(number) => {
                clerk.applied(LISTENING);
                let found = self.mine == Some(number);
                clerk.happened(|| event(if found { "ex-heard" } else { "ex-silent" }, number));
                self.gallery_mut(number).known = true;
                self.work_done();
                Disclosure::Revealed
            }
            Action::Assault(number) => self.assault(number, clerk),
            Action::Place(spot) => {
                clerk.applied(BATTERY);
                clerk.happened(|| {
                    Event::new(Phrase::declared("ex-battery")).with("x", spot.x).with("y", spot.y)
                });
                self.battery = Some(spot);
                self.work_done();
                Disclosure::Nothing
            }
            Action::Blow => {
                clerk.applied(BLOWING);
                if let Some(number) = self.mine.take() {
                    clerk.happened(|| event("ex-blown", number));
                    *self.gallery_mut(number) = Gallery { dug: 0, known: true };
                }
                self.turn_done(clerk);
                Disclosure::Revealed
            }
            Action::Hold => self.turn_done(clerk),
            Action::Sap(_) | Action::Patrol(_) | Action::Sleep => {
                clerk.applied(NIGHT);
                let gallery = match *action {
                    Action::Sap(number) | Action::Patrol(number) => Some(number),
                    _ => None,
                };
                match self.phase {
                    Phase::Patrols(sapped) if side == Garrison => self.night(sapped, gallery, clerk),
                    _ => self.phase = Phase::Patrols(gallery),
                }
                Disclosure::Revealed
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    fn view(&self, reader: Option<Side>) -> View {
        let knows = |number: u16| {
            reader == Some(Garrison) || self.lies_open() || self.galleries[usize::from(number)].known
        };
        View {
            turn: self.turn,
            phase: self.phase,
            dug: self.galleries.iter().map(|gallery| gallery.dug).collect(),
            known: self.galleries.iter().map(|gallery| gallery.known).collect(),
            laid: self.mine.is_some(),
            mine: self.mine.filter(|&number| knows(number)),
            damp: self.damp,
            dark: self.dark,
            battery: self.battery,
        }
    }

    fn imagine(view: &View, stream: &mut Live) -> Self {
        let unknown: Vec<u16> =
            (0..).zip(&view.known).filter(|(_, known)| !**known).map(|(number, _)| number).collect();
        let count = u32::try_from(unknown.len()).unwrap_or(u32::MAX);
        let drawn = unknown.get(stream.below(count) as usize).copied();
        let galleries = view.dug.iter().zip(&view.known);
        Self {
            galleries: galleries.map(|(&dug, &known)| Gallery { dug, known }).collect(),
            mine: view.mine.or(drawn.filter(|_| view.laid)),
            phase: view.phase,
            turn: view.turn,
            damp: view.damp,
            dark: view.dark,
            battery: view.battery,
        }
    }

    fn audience(&self, side: Side, action: &Action) -> Audience {
        match action {
            Action::Lay(_) => Audience::Side(Self::place(side)),
            _ => Audience::All,
        }
    }

    fn freedom(action: &Action) -> Freedom {
        match action {
            Action::Place(_) => Freedom::Free,
            _ => Freedom::Listed,
        }
    }

    fn topic(action: &Action) -> Topic {
        let topic = Topic::named(action);
        match *action {
            Action::Lay(number)
            | Action::Dig(number)
            | Action::Listen(number)
            | Action::Assault(number)
            | Action::Sap(number)
            | Action::Patrol(number) => topic.about(number),
            Action::Place(_) | Action::Blow | Action::Hold | Action::Sleep => topic,
        }
    }
}

/// Another state that this side cannot tell apart: the countermine under another gallery of which
/// the besieger knows nothing.
#[must_use]
pub fn twin(state: &Countermine, side: Side, choice: &mut Live) -> Option<Countermine> {
    let hidden = |number: &u16| !state.galleries[usize::from(*number)].known;
    if side == Garrison || state.lies_open() || !state.mine.as_ref().is_some_and(hidden) {
        return None;
    }
    let others: Vec<u16> =
        state.numbers().filter(hidden).filter(|&other| Some(other) != state.mine).collect();
    let place = choice.below(u32::try_from(others.len()).unwrap_or(u32::MAX)) as usize;
    others.get(place).map(|&other| Countermine { mine: Some(other), ..state.clone() })
}

/// A setup of the example.
#[must_use]
pub fn setup(scenario: &str, powder: Option<&str>) -> Setup {
    let options = powder.iter().map(|&value| ("powder".to_owned(), value.to_owned())).collect();
    Setup { scenario: scenario.to_owned(), options }
}
