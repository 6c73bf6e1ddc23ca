//! One node of a game: a state, whoever decides, and everything that must hold there.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Check, Found, Report, Suite, ensure, pick};
use crate::play::MOST_UNDONE;
use crate::{
    Audience, Desk, Dice, Disclosure, Freedom, Game, Kept, Line, Live, Play, Refusal, Scripted, Silent,
    Spoken, StepKind, phrase,
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

/// Orders carried out one after the other.
fn done<G: Game, D: Dice>(mut state: G, orders: &[(G::Side, &G::Action)], dice: D) -> (Done<G>, D) {
    let mut desk = Desk::new(Kept::new(dice), Spoken::default());
    let mut disclosure = Disclosure::Nothing;
    for (side, action) in orders {
        if state.perform(*side, action, &mut desk) == Disclosure::Revealed {
            disclosure = Disclosure::Revealed;
        }
    }
    let (dice, faces) = desk.dice.into_parts();
    (Done { state, faces, said: desk.notes.into_lines(), disclosure }, dice)
}

fn bytes(value: &impl Serialize) -> Found<Vec<u8>> {
    crate::canonical::bytes(value)
        .map_err(|error| (Check::RoundTrip, format!("has no canonical form: {error}")))
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

/// What each of the deciding sides may decide, in the order of the sides.
pub(super) type Lists<G> = Vec<(<G as Game>::Side, Vec<<G as Game>::Action>)>;

impl<G: Game> Node<'_, G> {
    /// The lists of actions, which are as the contract says.
    pub(super) fn lists(&self) -> Found<Lists<G>> {
        let state = self.play.state();
        let (deciders, outcome) = (state.deciders(), state.outcome());
        ensure(deciders.is_empty() == outcome.is_some(), Check::Deciders, || {
            format!("{deciders:?} decide and the outcome is {outcome:?}")
        })?;
        ensure(deciders.iter().all(|place| place < G::SIDES.len()), Check::Deciders, || {
            format!("{deciders:?} are no sides")
        })?;
        let mut lists = Vec::new();
        for &side in G::SIDES {
            let mut list = Vec::new();
            state.actions(side, &mut list);
            ensure(list.is_empty() != state.decides(side), Check::List, || {
                format!("{} actions for {side:?} while {deciders:?} decide", list.len())
            })?;
            if let Some(pair) = list.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err((Check::List, format!("{:?} stands before {:?}", pair[0], pair[1])));
            }
            for action in &list {
                state
                    .check(side, action)
                    .map_err(|refusal| (Check::Listed, format!("{action:?} is listed and {refusal}")))?;
            }
            if !list.is_empty() {
                lists.push((side, list));
            }
        }
        Ok(lists)
    }

    /// Everything else. `plain` are the plain steps that led here, with the states before them.
    pub(super) fn check(&mut self, lists: &Lists<G>, plain: &[(G::Side, G)]) -> Found {
        self.report.nodes += 1;
        let all: Vec<G::Action> = {
            let mut all: Vec<G::Action> = lists.iter().flat_map(|(_, list)| list.iter().cloned()).collect();
            all.sort();
            all.dedup();
            all
        };
        self.round_trips(&all)?;
        self.stages(lists)?;
        let strangers = self.strangers(&all)?;
        let accepted = self.refusals(lists, &strangers)?;
        self.undo_to_the_last_die(plain)?;
        let mut tried = Vec::new();
        for (side, list) in lists {
            tried.extend(self.sample(list).into_iter().map(|action| (*side, action)));
        }
        tried.extend(accepted);
        for (side, action) in &tried {
            self.stale(*side, action)?;
            if lists.len() == 1 {
                self.step(*side, action)?;
            } else {
                self.seal(*side, action)?;
            }
        }
        if lists.len() > 1 {
            let orders: Vec<(G::Side, &G::Action)> =
                lists.iter().map(|(side, list)| (*side, pick(list, self.choice))).collect();
            self.repeatable(&orders)?;
        }
        self.twins(lists, &strangers, &tried)?;
        if lists.len() == 1 {
            self.private(&tried)?;
        }
        self.imagined(lists, &strangers, &tried)
    }

    /// The offer told stage by stage is the list.
    fn stages(&self, lists: &Lists<G>) -> Found {
        let state = self.play.state();
        for (side, list) in lists {
            let kinds = state.kinds(*side);
            let mut all = Vec::new();
            let mut candidates = Vec::new();
            for (kind, count) in &kinds {
                let before = all.len();
                for (subject, count) in state.subjects(*side, kind) {
                    candidates.clear();
                    state.candidates(*side, kind, subject, &mut candidates);
                    ensure(candidates.len() == count && count > 0, Check::Stages, || {
                        format!("{} of {count} {kind} about {subject:?}", candidates.len())
                    })?;
                    all.append(&mut candidates);
                }
                ensure(all.len() - before == *count, Check::Stages, || {
                    format!("{} of {count} {kind}", all.len() - before)
                })?;
            }
            all.sort();
            ensure(all == *list, Check::Stages, || format!("{} of {} actions", all.len(), list.len()))?;
        }
        Ok(())
    }

    /// From every reader's view a whole state can be imagined, which is the same to him, and, where that is
    /// asked for, stays so as long as nothing is rolled or revealed.
    fn imagined(
        &mut self,
        lists: &Lists<G>,
        strangers: &[G::Action],
        tried: &[(G::Side, G::Action)],
    ) -> Found {
        let state = self.play.state();
        for reader in readers::<G>() {
            let mut stream = Live::numbered(u64::from(self.choice.below(u32::MAX)));
            let view = state.view(reader);
            let imagined = G::imagine(&view, &mut stream);
            self.report.imagined += u64::from(imagined != *state);
            let views = [json(&view)?, json(&imagined.view(reader))?];
            ensure(views[0] == views[1], Check::Imagine, || {
                format!("{reader:?} sees {}, and imagines {}", views[0], views[1])
            })?;
            let same = imagined.deciders() == state.deciders() && imagined.outcome() == state.outcome();
            ensure(same, Check::Imagine, || format!("{reader:?} imagines others to decide, or another end"))?;
            let Some(side) = reader else { continue };
            let mut list = Vec::new();
            imagined.actions(side, &mut list);
            let own = lists.iter().find(|(own, _)| *own == side).map_or(&[][..], |(_, list)| list);
            ensure(list == own, Check::Imagine, || format!("{side:?} is offered {own:?}, or {list:?}"))?;
            for action in strangers.iter().take(2 * self.suite.width) {
                let answers = [json(&state.check(side, action))?, json(&imagined.check(side, action))?];
                ensure(answers[0] == answers[1], Check::Imagine, || {
                    format!("{action:?} by {side:?} is answered {}, or {}", answers[0], answers[1])
                })?;
            }
            if self.suite.imagined_steps && lists.len() == 1 && imagined != *state {
                for (to_move, action) in tried {
                    self.twin_step(&imagined, side, *to_move, action)?;
                }
            }
        }
        Ok(())
    }

    /// Orders that only some may know are all the same to the others, as long as they reveal nothing.
    fn private(&mut self, tried: &[(G::Side, G::Action)]) -> Found {
        let state = self.play.state();
        let mut first: Option<(&str, Done<G>)> = None;
        for (side, action) in tried {
            let Audience::Side(knows) = state.audience(*side, action) else { continue };
            let (now, _) = done(state.clone(), &[(*side, action)], Live::numbered(1));
            let kind = G::topic(action).kind;
            if now.kind() != StepKind::Plain {
                continue;
            }
            let Some((of, other)) = first.as_ref().filter(|(of, _)| *of == kind) else {
                first = Some((kind, now));
                continue;
            };
            self.report.private += 1;
            for reader in readers::<G>().filter(|reader| reader.map(G::place) != Some(knows)) {
                let seen = [json(&now.state.view(reader))?, json(&other.state.view(reader))?];
                let place = reader.map(G::place);
                let heard = [Line::readable(&now.said, place), Line::readable(&other.said, place)];
                ensure(seen[0] == seen[1] && heard[0] == heard[1], Check::Audience, || {
                    format!("{reader:?} can tell {action:?} from another {of}")
                })?;
            }
        }
        Ok(())
    }

    /// An order of one of several: it changes nothing, can be given again and taken back.
    fn seal(&mut self, side: G::Side, action: &G::Action) -> Found {
        let what = |text: &str| format!("{action:?} by {side:?}: {text}");
        let mut fork = self.play.fork();
        let entries = fork.entries();
        let give = |fork: &mut Play<G>| {
            fork.decide(entries, side, action).map_err(|refusal| (Check::Sealed, what(&refusal.to_string())))
        };
        let mut commitments = Vec::new();
        for _ in 0..2 {
            let step = give(&mut fork)?;
            let quiet = step.said.is_empty() && step.dice.is_empty() && step.kind == StepKind::Plain;
            ensure(quiet && fork.state() == self.play.state(), Check::Sealed, || what("is told or done"))?;
            commitments.extend(step.commitment);
        }
        ensure(commitments.len() == 2 && commitments[0] != commitments[1], Check::Sealed, || {
            what("the same order can be told by its hash")
        })?;
        ensure(fork.own_sealed(side).as_ref() == Some(action), Check::Sealed, || what("is lost"))?;
        ensure(fork.open_next().is_none(), Check::Sealed, || what("is opened before the last is in"))?;
        fork.undo(entries, side).map_err(|refusal| (Check::Sealed, what(&refusal.to_string())))?;
        ensure(fork.sealed().next().is_none() && fork.state() == self.play.state(), Check::Sealed, || {
            what("is not taken back")
        })
    }

    /// The same orders with the same dice give the same again: live, from a copy that was written and
    /// read, and silently.
    fn repeatable(&mut self, orders: &[(G::Side, &G::Action)]) -> Found<Done<G>> {
        let state = self.play.state();
        let what = |text: &str| format!("{orders:?}: {text}");
        let dice = || {
            let dice = self.play.live_dice();
            dice.ok_or_else(|| (Check::Repeatable, what("no dice though the seed is open")))
        };
        let (live, _) = done(state.clone(), orders, dice()?);
        let after = bytes(&live.state)?;
        let (again, list) = done(copied(state)?, orders, Scripted::new(&live.faces));
        list.finish().map_err(|fault| (Check::Repeatable, what(&fault.to_string())))?;
        let equal = again.state == live.state && bytes(&again.state)? == after;
        ensure(equal, Check::Repeatable, || what("another state with the same dice"))?;
        ensure(again.said == live.said && again.disclosure == live.disclosure, Check::Repeatable, || {
            what("other words or another disclosure with the same dice")
        })?;
        let mut silent = state.clone();
        let mut desk = Desk::new(dice()?, Silent);
        for (side, action) in orders {
            silent.perform(*side, action, &mut desk);
        }
        ensure(silent == live.state && bytes(&silent)? == after, Check::Repeatable, || {
            what("another state when nobody listens")
        })?;
        Ok(live)
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
        let copy: G = postcard::to_stdvec(state)
            .and_then(|kept| postcard::from_bytes(&kept))
            .map_err(|error| (Check::RoundTrip, format!("cannot be kept for later: {error}")))?;
        ensure(copy == *state && bytes(&copy)? == written, Check::RoundTrip, || {
            unequal("what is kept of it")
        })?;
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

    /// Refused orders change nothing, by the game and by the play. Gives back what free kinds accept.
    fn refusals(&mut self, lists: &Lists<G>, strangers: &[G::Action]) -> Found<Vec<(G::Side, G::Action)>> {
        let state = self.play.state();
        let written = bytes(state)?;
        let mut accepted = Vec::new();
        let mut copy = state.clone();
        let mut fork = self.play.fork();
        for &side in G::SIDES {
            let own = lists.iter().find(|(own, _)| *own == side).map(|(_, list)| list);
            let others = lists.iter().filter(|(other, _)| *other != side);
            let others = others.flat_map(|(_, list)| list.iter().take(self.suite.width));
            for action in strangers.iter().chain(others) {
                if own.is_some_and(|own| own.binary_search(action).is_ok()) {
                    continue;
                }
                if state.check(side, action).is_ok() {
                    let check = if own.is_some() { Check::Unlisted } else { Check::WrongSide };
                    ensure(own.is_some() && G::freedom(action) == Freedom::Free, check, || {
                        format!("{action:?} by {side:?} is accepted while {:?} decide", state.deciders())
                    })?;
                    accepted.push((side, action.clone()));
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
        let live = self.repeatable(&[(side, action)])?;
        self.report.count(live.kind());
        let (state, after) = (self.play.state(), bytes(&live.state)?);
        let what = |text: &str| format!("{action:?}: {text}");
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

    /// Takes back everything since the last die or revelation, as far as it is kept.
    fn undo_to_the_last_die(&self, plain: &[(G::Side, G)]) -> Found {
        let mut play = self.play.clone();
        for (side, before) in plain.iter().rev().take(MOST_UNDONE) {
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
    fn twins(&mut self, lists: &Lists<G>, strangers: &[G::Action], tried: &[(G::Side, G::Action)]) -> Found {
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
            twin.actions(side, &mut other_list);
            let list = lists.iter().find(|(own, _)| *own == side).map_or(&[][..], |(_, list)| list);
            ensure(list == other_list, Check::TwinRefusal, || {
                format!("{side:?} is offered {list:?}, or {other_list:?}")
            })?;
            for action in strangers.iter().chain(list).chain(&other_list) {
                let answers = [json(&state.check(side, action))?, json(&twin.check(side, action))?];
                ensure(answers[0] == answers[1], Check::TwinRefusal, || {
                    format!("{action:?} by {side:?} is answered {}, or {}", answers[0], answers[1])
                })?;
            }
            if lists.len() == 1 {
                for (to_move, action) in tried {
                    self.twin_step(&twin, side, *to_move, action)?;
                }
            }
        }
        Ok(())
    }

    /// The same step in both states, if it can be taken in both.
    fn twin_step(&mut self, twin: &G, side: G::Side, to_move: G::Side, action: &G::Action) -> Found {
        let state = self.play.state();
        if twin.check(to_move, action).is_err() {
            return Ok(());
        }
        let dice = Live::numbered(u64::from(self.choice.below(u32::MAX)));
        let (one, _) = done(state.clone(), &[(to_move, action)], dice.clone());
        let (other, _) = done(twin.clone(), &[(to_move, action)], dice);
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
    if one.outcome() != other.outcome() || one.deciders() != other.deciders() {
        return Err("the outcome, or who decides, differs".to_owned());
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
