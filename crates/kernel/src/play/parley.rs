//! What players do to a game beside its rules: give up, propose, agree, talk, put a seed of their own
//! into the dice; and what a server does to it: take it over, reveal its seed.

use super::{Pending, Phase, Play, Step, StepKind};
use crate::cup::Cup;
use crate::record::{self, Deed, Ending, HexHash, Offer, Pledge, Source, Terms, record_phrase};
use crate::{Game, Refusal, Seed, Sides, Verdict, phrase};

/// The most characters of a player's words.
const LONGEST_WORDS: usize = 200;

/// How often one side may speak or propose something in a game: nobody fills a record with talk.
const MOST_TALK: u32 = 1_000;

/// A character that is not for reading: it moves the cursor, ends the line or turns the text round.
fn is_control(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl<G: Game> Play<G> {
    /// Gives the game up.
    ///
    /// # Errors
    /// When the order is stale or the game is over. The machine never does.
    pub fn resign(&mut self, seen: u64, side: G::Side) -> Verdict<Step> {
        self.is_of_people(side)?;
        if self.is_over() {
            return Err(Refusal::plain(phrase::GAME_OVER));
        }
        // However long the record is.
        self.in_time(seen)?;
        self.pending = None;
        self.ending = Some(Ending::Resigned(side));
        Ok(Step::silent(self.append(Some(side), Deed::Resign)))
    }

    /// Proposes something to the other sides. The offer lapses with the next decision.
    ///
    /// # Errors
    /// When the order is stale, the game is over, something is offered already, the dice are rolled
    /// on a table already or the machine would have to, there is no decision of this side that can be
    /// taken back, or it has talked enough. The machine never does.
    pub fn offer(&mut self, seen: u64, side: G::Side, offer: Offer) -> Verdict<Step> {
        self.is_of_people(side)?;
        self.going_on(seen)?;
        if self.pending.is_some() {
            return Err(Refusal::plain(phrase::OFFER_PENDING));
        }
        match offer {
            Offer::TakeBack => self.may_take_back(side)?,
            Offer::TableDice if self.cup.is_table() => return Err(Refusal::plain(phrase::TABLE_ALREADY)),
            Offer::TableDice if !self.machines.is_empty() => {
                return Err(Refusal::plain(phrase::MACHINE_TABLE));
            }
            Offer::TableDice | Offer::Draw => {}
        }
        self.talks(side)?;
        self.pending = Some(Pending { by: side, offer, agreed: Sides::one(G::place(side)) });
        Ok(Step::silent(self.append(Some(side), Deed::Offer(offer))))
    }

    /// Counts something that this side says or proposes.
    fn talks(&mut self, side: G::Side) -> Verdict<()> {
        match self.talk.get_mut(G::place(side)) {
            Some(talk) if *talk < MOST_TALK => {
                *talk += 1;
                Ok(())
            }
            _ => Err(Refusal::plain(phrase::TOO_MUCH_TALK).with("most", MOST_TALK)),
        }
    }

    /// Whether there is a decision of this side to go back to. The machine gives nothing back that
    /// rolled or revealed, unless that was settled before.
    fn may_take_back(&self, side: G::Side) -> Verdict<()> {
        let Some(last) = self.past.iter().rposition(|past| past.side == side) else {
            return Err(Refusal::plain(phrase::NOTHING_TO_UNDO));
        };
        let plain = self.past[last..].iter().all(|past| past.kind == StepKind::Plain);
        if !self.machines.is_empty() && !self.terms.take_backs && !plain {
            return Err(Refusal::plain(phrase::TAKE_BACK_OFF));
        }
        Ok(())
    }

    /// Agrees to what another side offers. When all have agreed, it is done.
    ///
    /// # Errors
    /// When the order is stale, the game is over or nothing is offered to this side. The machine gives
    /// a decision back, and agrees to nothing else.
    pub fn accept(&mut self, seen: u64, side: G::Side) -> Verdict<Step> {
        self.going_on(seen)?;
        let mut pending = self.offered_to(side)?;
        if pending.offer != Offer::TakeBack {
            self.is_of_people(side)?;
        }
        pending.agreed = pending.agreed.with(G::place(side));
        if pending.offer == Offer::TakeBack {
            self.may_take_back(pending.by)?;
        }
        let all = G::SIDES.iter().all(|&side| pending.agreed.has(G::place(side)));
        self.pending = Some(pending).filter(|_| !all);
        match pending.offer {
            Offer::Draw if all => self.ending = Some(Ending::Drawn),
            Offer::TakeBack if all => self.take_back(pending.by),
            Offer::TableDice if all => self.cup.roll_on_the_table(self.entries + 1),
            Offer::Draw | Offer::TakeBack | Offer::TableDice => {}
        }
        Ok(Step::silent(self.append(Some(side), Deed::Accept)))
    }

    /// Goes back to before the last decision of this side, and before those that were taken at once with
    /// it. What is sealed lapses.
    fn take_back(&mut self, side: G::Side) {
        self.phase = Phase::default();
        let mut found = false;
        while let Some(past) = self.past.pop() {
            self.state = past.before;
            self.rolls_taken_back += u32::from(past.kind == StepKind::Rolled);
            found |= past.side == side;
            if found && !past.joined {
                break;
            }
        }
    }

    /// Declines what another side offers, or withdraws the own offer.
    ///
    /// # Errors
    /// When the order is stale, the game is over or nothing is offered.
    pub fn decline(&mut self, seen: u64, side: G::Side) -> Verdict<Step> {
        self.going_on(seen)?;
        if self.pending.take().is_none() {
            return Err(Refusal::plain(phrase::NO_OFFER));
        }
        Ok(Step::silent(self.append(Some(side), Deed::Decline)))
    }

    fn offered_to(&self, side: G::Side) -> Verdict<Pending<G::Side>> {
        self.pending
            .filter(|pending| !pending.agreed.has(G::place(side)))
            .ok_or_else(|| Refusal::plain(phrase::NO_OFFER))
    }

    /// Says something to the others. It changes nothing, and makes nobody's order stale.
    ///
    /// # Errors
    /// When it is too long or nothing at all, or not all of it can be read; when the order is stale, the
    /// game is over, or the side has talked enough. The machine never speaks.
    pub fn words(&mut self, seen: u64, side: G::Side, words: &str) -> Verdict<Step> {
        let length = words.chars().count();
        if !(1..=LONGEST_WORDS).contains(&length) {
            return Err(Refusal::field("words", phrase::WRONG_LENGTH)
                .with("found", i64::try_from(length).unwrap_or(i64::MAX))
                .with("expected", format!("1…{LONGEST_WORDS}")));
        }
        if let Some(letter) = words.chars().find(|letter| is_control(*letter)) {
            return Err(Refusal::field("words", phrase::CONTROL_CHARACTER)
                .with("found", format!("U+{:04X}", u32::from(letter))));
        }
        self.is_of_people(side)?;
        self.going_on(seen)?;
        self.talks(side)?;
        Ok(Step::silent(self.append(Some(side), Deed::Words(words.to_owned()))))
    }

    /// Whether this side may put a seed of its own into the dice.
    ///
    /// # Errors
    /// When the game is over, its dice take none, a die was rolled, or it has done so already. The
    /// machine has no seed of its own.
    pub fn may_pledge(&self, side: G::Side) -> Verdict<()> {
        if self.is_over() {
            return Err(Refusal::plain(phrase::GAME_OVER));
        }
        if self.is_machine(side) {
            return Err(Refusal::plain(phrase::NO_PLEDGES));
        }
        self.cup.may_pledge(G::place(side))
    }

    /// Puts a seed of this side into the dice, before the first of them: all depend on it.
    ///
    /// # Errors
    /// As [`may_pledge`](Self::may_pledge); or when the server's seed is not known here.
    pub fn pledge(&mut self, side: G::Side, seed: &Seed) -> Verdict<Step> {
        self.may_pledge(side)?;
        let server = self.cup.secret().ok_or_else(|| Refusal::plain(phrase::SEED_UNKNOWN))?;
        self.pledged(side, Pledge::seal(seed, &server))
    }

    /// Adds a sealed seed.
    pub(super) fn pledged(&mut self, side: G::Side, pledge: Pledge) -> Verdict<Step> {
        self.may_pledge(side)?;
        if !self.cup.believes(&pledge) {
            return Err(self.fault(record_phrase::PLEDGE));
        }
        self.cup.pledge(G::place(side), pledge);
        Ok(Step::silent(self.append(Some(side), Deed::Pledge(pledge))))
    }

    /// Takes over a game that was begun elsewhere: all further dice come from this seed, which is
    /// committed to here, and from what the seats add to it. A game that is over stays as it is.
    ///
    /// # Errors
    /// When the terms name a side that does not exist, or the record is as long as one may be.
    pub fn adopt(&mut self, seed: Seed, terms: Terms) -> Verdict<String> {
        self.coming = Some(seed);
        let commitment = (!self.is_over()).then(|| HexHash(record::commitment(&seed)));
        self.taken_over(commitment, terms)
    }

    /// Goes on, or closes, with another server.
    pub(super) fn taken_over(&mut self, commitment: Option<HexHash>, terms: Terms) -> Verdict<String> {
        if commitment.is_some() == self.is_over() {
            return Err(self.fault(record_phrase::ADOPTED));
        }
        if commitment.is_some() {
            self.has_room()?;
        }
        self.machines = Self::machines(&terms)?;
        self.terms = terms.clone();
        self.pending = None;
        self.adopted = Some(self.entries + 1);
        match commitment {
            Some(commitment) => {
                // The keys of sealed orders stay with the server that sealed them: the sides decide anew.
                self.lapse();
                self.cup = Cup::new(Source::Committed(commitment), self.entries + 1, self.cup.rolls());
                self.coming.map(|seed| self.cup.entrust(seed));
            }
            None => self.closed = true,
        }
        Ok(self.append(None, Deed::Adopt { commitment, terms }))
    }

    /// Reveals the secret seed once the game is over: nothing can follow it.
    ///
    /// # Errors
    /// When there is none, it is not the one committed to or does not open what the seats pledged,
    /// the game goes on, or it was revealed before.
    pub fn reveal(&mut self, seed: Seed) -> Verdict<String> {
        if self.closed || !self.is_over() {
            return Err(self.fault(record_phrase::REVEALED));
        }
        self.entrust(seed)?;
        self.closed = true;
        Ok(self.append(None, Deed::Reveal(HexHash(seed))))
    }

    /// The line that reveals the secret seed, as soon as the game is over; nothing while it goes on,
    /// or where there is no secret.
    pub fn reveal_at_the_end(&mut self) -> Option<String> {
        let seed = self.cup.secret().filter(|_| self.is_over())?;
        self.reveal(seed).ok()
    }
}
