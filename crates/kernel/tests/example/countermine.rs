//! A besieger digs towards a place; its garrison hides one countermine under one of his galleries.
//!
//! - EX-1: the garrison lays its countermine before anything else.
//! - EX-2: each turn the besieger does two works; then the garrison answers.
//! - EX-3: a gallery has two lengths.
//! - EX-4: whoever listens in a gallery hears whether the countermine is there; once for each.
//! - EX-5: an assault goes through a finished gallery.
//! - EX-6: a die of 5 or more takes the place; otherwise the gallery falls in.
//! - EX-7: with damp powder, one less on that die.
//! - EX-8: two less over the countermine, which is spent.
//! - EX-9: the garrison may blow the countermine under a gallery that was begun, which falls in.
//! - EX-10: a place not taken by the last turn holds, and the plans are laid open.

use kernel::{Clerk, Disclosure, Event, Game, Live, Phrase, Refusal, RuleId, Setup, Sides, Verdict};
use serde::{Deserialize, Serialize};

macro_rules! rules {
    ($($name:ident = $id:literal;)*) => { $(const $name: RuleId = RuleId::declared($id);)* };
}

rules! {
    LAYING = "EX-1"; WORKS = "EX-2"; LENGTHS = "EX-3"; LISTENING = "EX-4"; FINISHED = "EX-5";
    ASSAULT = "EX-6"; DAMP = "EX-7"; OVER_THE_MINE = "EX-8"; BLOWING = "EX-9"; LAST_TURN = "EX-10";
}

pub(crate) const FULL: u8 = 2;
const TURNS: u8 = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    Besieger,
    Garrison,
}

use Side::{Besieger, Garrison};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    /// The garrison lays its countermine under this gallery.
    Lay(u8),
    /// The besieger digs one length of this gallery.
    Dig(u8),
    /// The besieger listens in this gallery.
    Listen(u8),
    /// The besieger assaults through this gallery.
    Assault(u8),
    /// The garrison blows its countermine.
    Blow,
    /// The garrison holds its breath.
    Hold,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Taken,
    Held,
}

/// Where in the turn we are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    Laying,
    /// So many works are left.
    Works(u8),
    Answer,
    Over(Outcome),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Gallery {
    pub(crate) dug: u8,
    /// Whether the besieger knows what is under it.
    pub(crate) known: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Countermine {
    pub(crate) galleries: Vec<Gallery>,
    /// Where the countermine lies: hidden from the besieger.
    pub(crate) mine: Option<u8>,
    pub(crate) phase: Phase,
    turn: u8,
    damp: bool,
}

/// What a reader may see.
#[derive(Debug, Serialize)]
pub(crate) struct View {
    turn: u8,
    phase: Phase,
    damp: bool,
    /// The galleries, and whether the besieger knows what is under them.
    galleries: Vec<Gallery>,
    /// Whether there is a countermine.
    laid: bool,
    /// The gallery with the countermine, for whoever knows it.
    mine: Option<u8>,
}

fn refused(rule: RuleId, reason: &'static str) -> Refusal {
    Refusal::rule(rule, Phrase::declared(reason))
}

fn event(phrase: &'static str, gallery: u8) -> Event {
    Event::new(Phrase::declared(phrase)).with("gallery", gallery)
}

impl Countermine {
    fn numbers(&self) -> impl Iterator<Item = u8> + use<> {
        0..u8::try_from(self.galleries.len()).unwrap()
    }

    fn gallery(&self, number: u8) -> Verdict<&Gallery> {
        self.galleries.get(usize::from(number)).ok_or_else(|| {
            let most = self.galleries.len().saturating_sub(1);
            Refusal::field("gallery", kernel::phrase::IMPOSSIBLE_VALUE)
                .with("found", number)
                .with("expected", format!("0…{most}"))
        })
    }

    fn gallery_mut(&mut self, number: u8) -> &mut Gallery {
        &mut self.galleries[usize::from(number)]
    }

    fn lies_open(&self) -> bool {
        matches!(self.phase, Phase::Over(_))
    }

    /// One work less, or the garrison's answer.
    fn work_done(&mut self) {
        self.phase = match self.phase {
            Phase::Works(left) if left > 1 => Phase::Works(left - 1),
            _ => Phase::Answer,
        };
    }

    /// The next turn, or the end.
    fn turn_done(&mut self, clerk: &mut impl Clerk) -> Disclosure {
        if self.turn == TURNS {
            clerk.applied(LAST_TURN);
            clerk.happened(|| Event::new(Phrase::declared("ex-held")));
            self.phase = Phase::Over(Outcome::Held);
            return Disclosure::Revealed;
        }
        self.turn += 1;
        self.phase = Phase::Works(2);
        Disclosure::Nothing
    }

    fn assault(&mut self, number: u8, clerk: &mut impl Clerk) -> Disclosure {
        let mut die = i32::from(clerk.d6());
        if self.damp {
            die += clerk.modifier(DAMP, -1);
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
        let galleries = match setup.scenario.as_str() {
            "narrow" => 2,
            "broad" => 4,
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
        Ok(Self { galleries, mine: None, phase: Phase::Laying, turn: 1, damp })
    }

    fn deciders(&self) -> Sides {
        match self.phase {
            Phase::Laying | Phase::Answer => Sides::one(Self::place(Garrison)),
            Phase::Works(_) => Sides::one(Self::place(Besieger)),
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
        into.extend([Action::Blow, Action::Hold]);
        into.retain(|action| self.validate(side, action).is_ok());
    }

    fn validate(&self, _: Side, action: &Action) -> Verdict<()> {
        match (self.phase, *action) {
            (Phase::Laying, Action::Lay(number)) => self.gallery(number).map(drop),
            (Phase::Laying, _) => Err(refused(LAYING, "ex-lay-first")),
            (Phase::Works(_), Action::Dig(number)) => match self.gallery(number)?.dug {
                FULL => Err(refused(LENGTHS, "ex-finished").with("gallery", number)),
                _ => Ok(()),
            },
            (Phase::Works(_), Action::Listen(number)) => match self.gallery(number)?.known {
                true => Err(refused(LISTENING, "ex-known").with("gallery", number)),
                false => Ok(()),
            },
            (Phase::Works(_), Action::Assault(number)) => match self.gallery(number)?.dug {
                FULL => Ok(()),
                dug => Err(refused(FINISHED, "ex-unfinished").with("gallery", number).with("dug", dug)),
            },
            (Phase::Answer, Action::Hold) => Ok(()),
            (Phase::Answer, Action::Blow) => match self.mine {
                Some(number) if self.gallery(number)?.dug > 0 => Ok(()),
                Some(number) => Err(refused(BLOWING, "ex-not-begun").with("gallery", number)),
                None => Err(refused(BLOWING, "ex-spent")),
            },
            (Phase::Works(_) | Phase::Answer | Phase::Over(_), _) => Err(refused(WORKS, "ex-not-now")),
        }
    }

    fn perform(&mut self, _: Side, action: &Action, clerk: &mut impl Clerk) -> Disclosure {
        match *action {
            Action::Lay(number) => {
                clerk.applied(LAYING);
                clerk.happened(|| event("ex-laid", number).only_for(Self::place(Garrison)));
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
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    fn view(&self, reader: Option<Side>) -> View {
        let knows = |number: u8| {
            reader == Some(Garrison) || self.lies_open() || self.galleries[usize::from(number)].known
        };
        View {
            turn: self.turn,
            phase: self.phase,
            damp: self.damp,
            galleries: self.galleries.clone(),
            laid: self.mine.is_some(),
            mine: self.mine.filter(|&number| knows(number)),
        }
    }

    fn imagine(view: &View, stream: &mut Live) -> Self {
        let unknown: Vec<u8> = (0..)
            .zip(&view.galleries)
            .filter(|(_, gallery)| !gallery.known)
            .map(|(number, _)| number)
            .collect();
        let drawn = unknown.get(stream.below(u32::try_from(unknown.len()).unwrap()) as usize).copied();
        Self {
            galleries: view.galleries.clone(),
            mine: view.mine.or(drawn.filter(|_| view.laid)),
            phase: view.phase,
            turn: view.turn,
            damp: view.damp,
        }
    }
}

/// Another state that this side cannot tell apart: the countermine under another gallery of which
/// the besieger knows nothing.
pub(crate) fn twin(state: &Countermine, side: Side, choice: &mut Live) -> Option<Countermine> {
    let hidden = |number: &u8| !state.galleries[usize::from(*number)].known;
    if side == Garrison || state.lies_open() || !state.mine.as_ref().is_some_and(hidden) {
        return None;
    }
    let others: Vec<u8> = state.numbers().filter(hidden).filter(|&other| Some(other) != state.mine).collect();
    let place = choice.below(u32::try_from(others.len()).unwrap()) as usize;
    others.get(place).map(|&other| Countermine { mine: Some(other), ..state.clone() })
}

/// A setup of the example.
pub(crate) fn setup(scenario: &str, powder: Option<&str>) -> Setup {
    let options = powder.iter().map(|&value| ("powder".to_owned(), value.to_owned())).collect();
    Setup { scenario: scenario.to_owned(), options }
}
