//! One node of a game: a state, whoever is to move, and everything that must hold there.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Check, Found, Report, Suite, ensure, pick};
use crate::{
    Desk, Dice, Disclosure, Freedom, Game, Kept, Line, Live, Play, Refusal, Scripted, Silent, Spoken,
    StepKind, phrase,
};

/// A node and what is needed to check it.
pub(super) struct Node<'a, G: Game> {
    pub(super) suite: &'a Suite<G>,
    pub(super) play: &'a Play<G>,
    /// Actions of other nodes.
    pub(super) pool: &'a [G::Action],
    pub(super) choice: &'a mut Live,
    pub(super) report: &'a mut Report,
}

/// What became of a state.
struct Done<G> {
    state: G,
    faces: Vec<u8>,
    said: Vec<Line>,
    disclosure: Disclosure,
}

impl<G> Done<G> {
    /// As the contract says it, and not by the code that the play uses.
    fn kind(&self) -> StepKind {
        match (self.faces.as_slice(), self.disclosure) {
            ([], Disclosure::Nothing) => StepKind::Plain,
            ([], Disclosure::Revealed) => StepKind::Revealed,
            ([..], _) => StepKind::Rolled,
        }
    }
}

fn done<G: Game, D: Dice>(mut state: G, side: G::Side, action: &G::Action, dice: D) -> (Done<G>, D) {
    let mut desk = Desk::new(Kept::new(dice), Spoken::default());
    let disclosure = state.perform(side, action, &mut desk);
    let (dice, faces) = desk.dice.into_parts();
    (Done { state, faces, said: desk.notes.into_lines(), disclosure }, dice)
}

fn bytes(value: &impl Serialize) -> Found<Vec<u8>> {
    postcard::to_stdvec(value)
        .map_err(|error| (Check::RoundTrip, format!("cannot be written in the compact form: {error}")))
}

fn json(value: &impl Serialize) -> Found<String> {
    serde_json::to_string(value)
        .map_err(|error| (Check::RoundTrip, format!("cannot be written as JSON: {error}")))
}

/// Written and read again as JSON.
fn copied<T: Serialize + DeserializeOwned>(value: &T) -> Found<T> {
    serde_json::from_str(&json(value)?)
        .map_err(|error| (Check::RoundTrip, format!("cannot be read from JSON: {error}")))
}

impl<G: Game> Node<'_, G> {
    /// The list of actions, which is as the contract says.
    pub(super) fn list(&self) -> Found<Vec<G::Action>> {
        let state = self.play.state();
        let mut list = Vec::new();
        let (side, outcome) = (state.to_move(), state.outcome());
        if let Some(side) = side {
            state.actions(side, &mut list);
        }
        ensure(side.is_none() == outcome.is_some(), Check::ToMove, || {
            format!("{side:?} is to move and the outcome is {outcome:?}")
        })?;
        ensure(list.is_empty() == side.is_none(), Check::List, || {
            format!("{} actions while {side:?} is to move", list.len())
        })?;
        if let Some(pair) = list.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err((Check::List, format!("{:?} stands before {:?}", pair[0], pair[1])));
        }
        if let Some(side) = side {
            for action in &list {
                state
                    .check(side, action)
                    .map_err(|refusal| (Check::Listed, format!("{action:?} is listed and {refusal}")))?;
            }
        }
        Ok(list)
    }

    /// Everything else. `plain` are the plain steps that led here, with the states before them.
    pub(super) fn check(&mut self, list: &[G::Action], plain: &[(G::Side, G)]) -> Found {
        self.report.nodes += 1;
        self.round_trips(list)?;
        let strangers = self.strangers(list)?;
        let accepted = self.refusals(list, &strangers)?;
        self.undo_to_the_last_die(plain)?;
        let mut tried = self.sample(list);
        tried.extend(accepted);
        if let Some(side) = self.play.state().to_move() {
            for action in &tried {
                self.stale(side, action)?;
                self.step(side, action)?;
            }
        }
        self.twins(list, &strangers, &tried)
    }

    /// All of a short list, some of a long one.
    fn sample(&mut self, list: &[G::Action]) -> Vec<G::Action> {
        if list.len() <= self.suite.width {
            return list.to_vec();
        }
        (0..self.suite.width).map(|_| pick(list, self.choice).clone()).collect()
    }

    fn round_trips(&mut self, list: &[G::Action]) -> Found {
        let state = self.play.state();
        let unequal = |what: &str| format!("the state is not equal to {what}");
        let written = bytes(state)?;
        let copy = state.clone();
        ensure(copy == *state && bytes(&copy)? == written, Check::RoundTrip, || unequal("its clone"))?;
        let copy = copied(state)?;
        ensure(copy == *state && bytes(&copy)? == written, Check::RoundTrip, || {
            unequal("its JSON read again")
        })?;
        ensure(json(&copy)? == json(state)?, Check::RoundTrip, || unequal("its JSON written again"))?;
        let copy: G = postcard::from_bytes(&written)
            .map_err(|error| (Check::RoundTrip, format!("cannot be read from the compact form: {error}")))?;
        ensure(copy == *state && bytes(&copy)? == written, Check::RoundTrip, || unequal("its compact form"))?;
        for reader in readers::<G>() {
            let views = [json(&state.view(reader))?, json(&state.view(reader))?, json(&copy.view(reader))?];
            ensure(views[0] == views[1] && views[0] == views[2], Check::RoundTrip, || {
                format!("{reader:?} does not see a copy as the state")
            })?;
        }
        for action in self.sample(list) {
            let copy = copied(&action)?;
            ensure(copy == action && json(&copy)? == json(&action)?, Check::RoundTrip, || {
                format!("{action:?} is read as {copy:?}")
            })?;
        }
        Ok(())
    }

    /// Actions that are not listed here: those of other nodes, and listed ones with an argument
    /// changed.
    fn strangers(&mut self, list: &[G::Action]) -> Found<Vec<G::Action>> {
        let mut strangers = self.pool.to_vec();
        for action in self.sample(list) {
            for _ in 0..3 {
                let mut value = serde_json::to_value(&action)
                    .map_err(|error| (Check::RoundTrip, format!("{action:?} cannot be written: {error}")))?;
                let mut leaf = self.choice.below(u32::try_from(leaves(&value)).unwrap_or(u32::MAX)) as usize;
                tamper(&mut value, &mut leaf, self.choice);
                strangers.extend(serde_json::from_value::<G::Action>(value).ok());
            }
        }
        strangers.sort();
        strangers.dedup();
        strangers.retain(|action| list.binary_search(action).is_err());
        Ok(strangers)
    }

    /// Refused orders change nothing, by the game and by the play. Gives back what free geometry
    /// accepts.
    fn refusals(&mut self, list: &[G::Action], strangers: &[G::Action]) -> Found<Vec<G::Action>> {
        let state = self.play.state();
        let to_move = state.to_move();
        let written = bytes(state)?;
        let mut accepted = Vec::new();
        let mut copy = state.clone();
        let mut fork = self.play.fork();
        let listed = list.iter().take(self.suite.width);
        for &side in G::SIDES {
            let own = Some(side) == to_move;
            for action in strangers.iter().chain(listed.clone().filter(|_| !own)) {
                if state.check(side, action).is_ok() {
                    let check = if own { Check::Unlisted } else { Check::WrongSide };
                    ensure(own && G::freedom(action) == Freedom::Free, check, || {
                        format!("{action:?} by {side:?} is accepted while {to_move:?} is to move")
                    })?;
                    accepted.push(action.clone());
                    continue;
                }
                let refused = copy.apply(side, action, &mut Desk::new(&mut *self.choice, Silent)).is_err();
                ensure(refused && copy == *state, Check::Untouched, || {
                    format!("{action:?} by {side:?}, refused, changed the state")
                })?;
                let refused = fork.decide(fork.entries(), side, action).is_err();
                ensure(refused && same(&fork, self.play), Check::Untouched, || {
                    format!("{action:?} by {side:?}, refused, changed the play")
                })?;
                self.report.refused += 1;
            }
        }
        ensure(bytes(&copy)? == written && bytes(fork.state())? == written, Check::Untouched, || {
            "refused actions changed the state".to_owned()
        })?;
        accepted.truncate(self.suite.width);
        Ok(accepted)
    }

    /// An order for an earlier or a later point of the game.
    fn stale(&mut self, side: G::Side, action: &G::Action) -> Found {
        let mut fork = self.play.fork();
        let entries = fork.entries();
        for seen in [Some(entries + 1), fork.moved().checked_sub(1)].into_iter().flatten() {
            let refusals = [fork.decide(seen, side, action), fork.undo(seen, side)];
            ensure(refusals.iter().all(|refused| is(refused, phrase::STALE_ORDER)), Check::Stale, || {
                format!("{action:?} for entry {seen} is accepted at {entries}")
            })?;
        }
        ensure(same(&fork, self.play), Check::Untouched, || format!("{action:?}, stale, changed the play"))?;
        self.report.refused += 1;
        Ok(())
    }

    /// A step, done four times: live, by the play, with its faces from a copy that was written and
    /// read, and silently; and taken back if that can be.
    fn step(&mut self, side: G::Side, action: &G::Action) -> Found {
        let state = self.play.state();
        let what = |text: &str| format!("{action:?}: {text}");
        let dice = || {
            let dice = self.play.live_dice();
            dice.ok_or_else(|| (Check::Repeatable, what("no dice though the seed is open")))
        };
        let (live, _) = done(state.clone(), side, action, dice()?);
        self.report.count(live.kind());
        let after = bytes(&live.state)?;

        let (again, list) = done(copied(state)?, side, action, Scripted::new(&live.faces));
        list.finish().map_err(|fault| (Check::Repeatable, what(&fault.to_string())))?;
        let equal = again.state == live.state && bytes(&again.state)? == after;
        ensure(equal, Check::Repeatable, || what("another state with the same dice"))?;
        ensure(again.said == live.said && again.disclosure == live.disclosure, Check::Repeatable, || {
            what("other words or another disclosure with the same dice")
        })?;
        let mut silent = state.clone();
        silent.perform(side, action, &mut Desk::new(dice()?, Silent));
        ensure(silent == live.state && bytes(&silent)? == after, Check::Repeatable, || {
            what("another state when nobody listens")
        })?;

        let mut fork = self.play.fork();
        let step = fork
            .decide(fork.entries(), side, action)
            .map_err(|refusal| (Check::Listed, what(&refusal.to_string())))?;
        ensure(*fork.state() == live.state && step.said == live.said, Check::Repeatable, || {
            what("another state or other words in the play")
        })?;
        ensure(step.kind == live.kind(), Check::Kind, || {
            format!("{action:?} is {:?} with dice {:?} and {:?}", step.kind, live.faces, live.disclosure)
        })?;
        for &other in G::SIDES.iter().filter(|&&other| other != side) {
            let refused = fork.undo(fork.entries(), other);
            ensure(is(&refused, phrase::NOTHING_TO_UNDO), Check::Undo, || {
                format!("{other:?} takes back {action:?} by {side:?}")
            })?;
        }
        ensure(bytes(fork.state())? == after, Check::Untouched, || what("a refused undo changed the state"))?;
        let undone = fork.undo(fork.entries(), side);
        let (possible, expected) = match step.kind {
            StepKind::Plain => (undone.is_ok(), bytes(state)?),
            StepKind::Rolled | StepKind::Revealed => (is(&undone, phrase::NOTHING_TO_UNDO), after),
        };
        ensure(possible && bytes(fork.state())? == expected, Check::Undo, || {
            format!("{action:?} is {:?}, and taking it back gives {:?}", step.kind, undone.err())
        })
    }

    /// Takes back everything since the last die or revelation.
    fn undo_to_the_last_die(&self, plain: &[(G::Side, G)]) -> Found {
        let mut play = self.play.clone();
        for (side, before) in plain.iter().rev() {
            play.undo(play.entries(), *side).map_err(|refusal| (Check::Undo, refusal.to_string()))?;
            ensure(play.state() == before && bytes(play.state())? == bytes(before)?, Check::Undo, || {
                format!("a step by {side:?} is not taken back exactly")
            })?;
        }
        for &side in G::SIDES {
            let refused = play.undo(play.entries(), side);
            ensure(is(&refused, phrase::NOTHING_TO_UNDO), Check::Undo, || {
                format!("{side:?} takes back a die or a revelation")
            })?;
        }
        Ok(())
    }

    /// For every side, another state that it cannot tell from this one.
    fn twins(&mut self, list: &[G::Action], strangers: &[G::Action], tried: &[G::Action]) -> Found {
        let Some(twin_of) = self.suite.twin else {
            return Ok(());
        };
        let state = self.play.state();
        for &side in G::SIDES {
            let Some(twin) = twin_of(state, side, self.choice).filter(|twin| twin != state) else {
                continue;
            };
            self.report.twins += 1;
            alike(state, &twin, side).map_err(|what| (Check::TwinView, what))?;
            let mut other_list = Vec::new();
            if state.to_move() == Some(side) {
                twin.actions(side, &mut other_list);
            }
            ensure(state.to_move() != Some(side) || list == other_list, Check::TwinRefusal, || {
                format!("{side:?} is offered {list:?}, or {other_list:?}")
            })?;
            for action in strangers.iter().chain(list).chain(&other_list) {
                let answers = [json(&state.check(side, action))?, json(&twin.check(side, action))?];
                ensure(answers[0] == answers[1], Check::TwinRefusal, || {
                    format!("{action:?} by {side:?} is answered {}, or {}", answers[0], answers[1])
                })?;
            }
            for action in tried {
                self.twin_step(&twin, side, action)?;
            }
        }
        Ok(())
    }

    /// The same step in both states, if it can be taken in both.
    fn twin_step(&mut self, twin: &G, side: G::Side, action: &G::Action) -> Found {
        let (state, Some(to_move)) = (self.play.state(), self.play.state().to_move()) else {
            return Ok(());
        };
        if twin.check(to_move, action).is_err() {
            return Ok(());
        }
        let dice = Live::numbered(u64::from(self.choice.below(u32::MAX)));
        let (one, _) = done(state.clone(), to_move, action, dice.clone());
        let (other, _) = done(twin.clone(), to_move, action, dice);
        let plain = [&one, &other].map(|done| done.kind() == StepKind::Plain);
        ensure(to_move != side || plain[0] == plain[1], Check::TwinStep, || {
            format!(
                "{action:?} is {:?} or {:?}, and {side:?} could tell by taking it back",
                one.kind(),
                other.kind()
            )
        })?;
        if plain != [true, true] {
            return Ok(());
        }
        alike(&one.state, &other.state, side)
            .map_err(|what| (Check::TwinStep, format!("{action:?} is plain, but {what}")))?;
        for reader in [Some(G::place(side)), None] {
            let heard = [&one, &other].map(|done| Line::readable(&done.said, reader));
            ensure(heard[0] == heard[1], Check::TwinStep, || {
                format!("{action:?} is plain, but {side:?} reads {:?}, or {:?}", heard[0], heard[1])
            })?;
        }
        Ok(())
    }
}

/// Whether a side, and a spectator, who knows no more than any side, see the same.
fn alike<G: Game>(one: &G, other: &G, side: G::Side) -> Result<(), String> {
    for reader in [Some(side), None] {
        let views = [one, other].map(|state| serde_json::to_string(&state.view(reader)));
        let [Ok(view), Ok(twin)] = views else {
            return Err("the view cannot be written as JSON".to_owned());
        };
        if view != twin {
            let reader = reader.map_or_else(|| "a spectator".to_owned(), |side| format!("{side:?}"));
            return Err(format!("{reader} sees {view}, or {twin}"));
        }
    }
    if one.outcome() != other.outcome() || one.to_move() != other.to_move() {
        return Err("the outcome, or who is to move, differs".to_owned());
    }
    Ok(())
}

fn same<G: Game>(one: &Play<G>, other: &Play<G>) -> bool {
    one.entries() == other.entries() && one.chain() == other.chain() && one.state() == other.state()
}

fn is<T>(verdict: &Result<T, Refusal>, reason: crate::Phrase) -> bool {
    verdict.as_ref().is_err_and(|refusal| refusal.reason == reason)
}

fn readers<G: Game>() -> impl Iterator<Item = Option<G::Side>> {
    G::SIDES.iter().copied().map(Some).chain([None])
}

/// How many values a JSON value holds that hold no others.
fn leaves(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(leaves).sum(),
        Value::Object(fields) => fields.values().map(leaves).sum(),
        _ => 1,
    }
}

/// Changes the leaf with this number to another value of its kind.
fn tamper(value: &mut Value, leaf: &mut usize, choice: &mut Live) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| tamper(item, leaf, choice)),
        Value::Object(fields) => fields.values_mut().for_each(|field| tamper(field, leaf, choice)),
        _ if *leaf > 0 => *leaf -= 1,
        _ => {
            *leaf = usize::MAX;
            *value = match &*value {
                Value::Number(number) => {
                    let number = number.as_i64().unwrap_or_default();
                    let near = [number.saturating_add(1), number.saturating_sub(1)];
                    Value::from(*pick(&[near[0], near[1], 0, -1, 255, 65_535, i64::MAX], choice))
                }
                Value::Bool(truth) => Value::from(!truth),
                Value::String(text) => Value::from(format!("{text}'")),
                _ => Value::from(1),
            };
        }
    }
}
