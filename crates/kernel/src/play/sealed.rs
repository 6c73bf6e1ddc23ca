//! Decisions that several sides take at once, in secret: each is sealed, and can be changed, until the
//! last one is in; then all are opened and carried out, in the order of the sides.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Play, Step};
use crate::record::{Deed, HexHash, Sealed, record_phrase};
use crate::{Game, Refusal, Rolled, Scripted, Seed, Sides, Verdict, phrase};

/// An order that was sealed, is known to all now, and was carried out.
#[derive(Clone, Debug)]
pub struct Opened<G: Game> {
    /// Whose it was.
    pub side: G::Side,
    /// The order.
    pub action: G::Action,
    /// The table before it was carried out.
    pub before: G,
    /// What came of it.
    pub step: Step,
}

/// The orders of a phase in which several sides decide.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct Phase<G: Game> {
    /// What each side has sealed, by place.
    pub(super) orders: BTreeMap<usize, Sealed>,
    /// All are in: the table as all of them saw it, and how many were carried out.
    pub(super) opening: Option<(G, usize)>,
}

impl<G: Game> Default for Phase<G> {
    fn default() -> Self {
        Self { orders: BTreeMap::new(), opening: None }
    }
}

impl<G: Game> Phase<G> {
    /// Whose order is carried out next.
    fn next(&self) -> Option<usize> {
        self.opening.as_ref().and_then(|_| self.orders.keys().next().copied())
    }
}

impl<G: Game> Play<G> {
    /// Whose decision it is; nobody's when the game is over, however it ended. A side that has sealed
    /// its order may still change it.
    #[must_use]
    pub fn deciders(&self) -> Sides {
        match self.phase.next() {
            _ if self.is_over() => Sides::NONE,
            Some(place) => Sides::one(place),
            None => self.state.deciders(),
        }
    }

    /// Whose decision is waited for: of several, those who have not sealed theirs.
    #[must_use]
    pub fn awaited(&self) -> Sides {
        if self.phase.opening.is_some() {
            return self.deciders();
        }
        self.phase.orders.keys().fold(self.deciders(), |awaited, &place| awaited.without(place))
    }

    /// Who has sealed an order that is not open yet, by place, with the hash that it is committed to with.
    pub fn sealed(&self) -> impl Iterator<Item = (usize, HexHash)> + '_ {
        self.phase.orders.iter().map(|(place, sealed)| (*place, sealed.commitment))
    }

    /// Lists what a side may decide now: where its sealed order waits for dice, that order alone.
    pub fn actions(&self, side: G::Side, into: &mut Vec<G::Action>) {
        into.clear();
        if !self.deciders().has(G::place(side)) {
            return;
        }
        match self.phase.next() {
            None => self.state.actions(side, into),
            Some(place) => into.extend(self.unsealed(place).map(|(action, _)| action)),
        }
    }

    /// The order that a side has sealed, where the key to it is known: for nobody else's eyes.
    #[must_use]
    pub fn own_sealed(&self, side: G::Side) -> Option<G::Action> {
        self.unsealed(G::place(side)).map(|(action, _)| action)
    }

    fn unsealed(&self, place: usize) -> Option<(G::Action, HexHash)> {
        let (text, salt) = self.phase.orders.get(&place)?.open(&self.sealing_key()?)?;
        Some((serde_json::from_str(&text).ok()?, HexHash(salt)))
    }

    /// What orders are sealed with: the server's seed, also where the dice are rolled on a table. An open
    /// seed hides nothing, and without any the first line of the record serves.
    fn sealing_key(&self) -> Option<Seed> {
        if self.cup.is_committed() {
            return self.cup.secret();
        }
        Some(self.cup.open_seed().or(self.coming).unwrap_or_else(|| crate::record::key_of(&self.header_line)))
    }

    /// Seals an order until those of the others are in.
    pub(super) fn seal(&mut self, seen: u64, side: G::Side, action: &G::Action) -> Verdict<Step> {
        self.fresh(seen)?;
        self.state.check(side, action)?;
        let key = self.sealing_key().ok_or_else(|| Refusal::plain(phrase::SEED_UNKNOWN))?;
        let sealed = Sealed::seal(&text_of(action), &key, &self.chain);
        Ok(self.keep_sealed(side, sealed))
    }

    /// Seals again what a record holds; the order itself is checked as far as it can be told yet.
    pub(super) fn seal_again(&mut self, side: G::Side, sealed: Sealed) -> Verdict<Step> {
        self.fresh(self.entries)?;
        let deciders = self.deciders();
        if deciders.is_empty() || self.phase.opening.is_some() {
            return Err(Refusal::plain(phrase::GAME_OVER));
        }
        if deciders.count() < 2 || !deciders.has(G::place(side)) {
            return Err(G::not_yours(deciders));
        }
        if let Some(key) =
            self.sealing_key().filter(|_| self.cup.is_committed() || self.cup.open_seed().is_some())
        {
            let opened = sealed.open(&key).and_then(|(text, _)| serde_json::from_str(&text).ok());
            let action: G::Action = opened.ok_or_else(|| self.fault(record_phrase::SEAL))?;
            self.state.check(side, &action)?;
        }
        Ok(self.keep_sealed(side, sealed))
    }

    fn keep_sealed(&mut self, side: G::Side, sealed: Sealed) -> Step {
        let commitment = sealed.commitment;
        self.phase.orders.insert(G::place(side), sealed.clone());
        if self.awaited().is_empty() {
            self.phase.opening = Some((self.state.clone(), 0));
        }
        let line = self.append(Some(side), Deed::Seal(sealed));
        Step { commitment: Some(commitment), ..Step::silent(line) }
    }

    /// Takes back the order that a side has sealed, while another's is waited for.
    pub(super) fn withdraw(&mut self, side: G::Side) -> Option<Step> {
        if self.phase.opening.is_some() {
            return None;
        }
        self.phase.orders.remove(&G::place(side))?;
        // Nobody else's order becomes stale by it.
        let moved = self.moved;
        let line = self.append(Some(side), Deed::Undo);
        self.moved = moved;
        Some(Step::silent(line))
    }

    /// All orders that wait lapse; those of a phase that were carried out already are undone.
    pub(super) fn lapse(&mut self) {
        if let Some((before, done)) = std::mem::take(&mut self.phase).opening {
            self.state = before;
            self.past.truncate(self.past.len().saturating_sub(done));
        }
    }

    /// When the last order is in: opens the next and carries it out, with dice of its own. Nothing if
    /// none waits, or if its dice are to be rolled on a real table: then its side sends them.
    pub fn open_next(&mut self) -> Option<Opened<G>> {
        if self.is_over() {
            return None;
        }
        let place = self.phase.next()?;
        let (action, salt) = self.unsealed(place)?;
        let side = *G::SIDES.get(place)?;
        let before = self.state.clone();
        let step = match self.cup.dice() {
            Some(dice) => self.carry_out(side, &action, Some(salt), dice, |_, _| Ok(())),
            None => {
                self.carry_out(side, &action, Some(salt), Scripted::new(&[]), |dice, _| Ok(dice.finish()?))
            }
        };
        Some(Opened { side, action, before, step: step.ok()? })
    }

    /// Whether all orders of a phase are in, and not all of them carried out.
    #[must_use]
    pub fn is_opening(&self) -> bool {
        self.phase.opening.is_some()
    }

    /// The order of a side is carried out with these dice: it must be the one that was sealed.
    pub(super) fn open_with(
        &mut self,
        seen: u64,
        side: G::Side,
        action: &G::Action,
        faces: &[u8],
    ) -> Verdict<Step> {
        self.fresh(seen)?;
        let place = G::place(side);
        if self.phase.next() != Some(place) {
            return Err(G::not_yours(self.deciders()));
        }
        let (sealed, salt) = self.unsealed(place).ok_or_else(|| Refusal::plain(phrase::SEED_UNKNOWN))?;
        if sealed != *action {
            return Err(Refusal::field("action", phrase::ORDER_SEALED));
        }
        self.carry_out(side, action, Some(salt), Scripted::new(faces), |dice, _| Ok(dice.finish()?))
    }

    /// Whether a recorded order is the one that was sealed, and was right for the table that all saw.
    pub(super) fn believes_opened(&self, side: G::Side, action: &G::Action, salt: HexHash) -> Verdict<()> {
        let place = G::place(side);
        let (Some(sealed), Some((before, _)), true) =
            (self.phase.orders.get(&place), &self.phase.opening, self.phase.next() == Some(place))
        else {
            return Err(G::not_yours(self.deciders()));
        };
        if sealed.commitment.0 != Sealed::commitment_of(&text_of(action), &salt.0) {
            return Err(self.fault(record_phrase::SEAL));
        }
        before.check(side, action)
    }

    /// The order of this side was carried out.
    pub(super) fn opened(&mut self, side: G::Side) {
        self.phase.orders.remove(&G::place(side));
        if self.phase.orders.is_empty() {
            self.phase.opening = None;
        } else if let Some((_, done)) = &mut self.phase.opening {
            *done += 1;
        }
    }
}

/// An order as records write it.
fn text_of(action: &impl Serialize) -> String {
    // Plain data can always be written as JSON.
    serde_json::to_string(action).unwrap_or_default()
}

/// What a recorded roll shows.
pub(super) fn faces_of(recorded: &[Rolled]) -> Vec<u8> {
    recorded.iter().map(|die| die.face).collect()
}
