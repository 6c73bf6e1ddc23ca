//! Opening a game as it was kept. The whole chain of its record is checked; only the entries after
//! its last snapshot are played again. Whatever does not hold is told, and the game stands after its
//! last sound entry.

use kernel::{Measure, Record, Refusal, Seed, Source, Verdict};

use super::damage::{Beside, Damage, Wrong};
use super::read::{Lines, Opened, Snapshot, from_hex};
use super::{Store, StoreFault, StoredSeat};
use crate::host::{Hosted, Hosting};
use crate::serve::hall::PlayerKind;

/// How a game is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// From its last snapshot, if there is one that fits: older decisions cannot be taken back then.
    Short,
    /// From its first line.
    Whole,
}

/// A game that was opened.
pub struct Recalled {
    /// The game after its last sound entry.
    pub game: Box<dyn Hosted>,
    /// What is wrong with it.
    pub damage: Option<Damage>,
    /// How many entries were played again.
    pub replayed: u64,
}

impl Opened {
    /// The secret seed, if there is one.
    ///
    /// # Errors
    /// When what is kept is no seed.
    pub fn secret(&self) -> Result<Option<Seed>, Wrong> {
        if self.seed.is_empty() {
            return Ok(None);
        }
        let seed: Option<Seed> = from_hex(&self.seed).and_then(|bytes| bytes.try_into().ok());
        seed.map(Some).ok_or(Wrong::Seed)
    }
}

/// What the store holds of a game beside its first line.
pub struct Kept {
    snapshot: Option<Snapshot>,
    lines: Lines,
}

impl Store {
    /// What is kept of a game.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn kept(&self, id: &str) -> Result<Kept, StoreFault> {
        // The snapshot first: what is appended meanwhile makes the record longer, never shorter.
        let snapshot = self.snapshot(id).await?;
        Ok(Kept { snapshot, lines: self.lines(id, 0).await? })
    }
}

impl Kept {
    /// Opens the game. A long record is no work for a thread that serves others.
    ///
    /// # Errors
    /// What is wrong with a game of which nothing is sound.
    pub fn recall(self, system: Hosting, opened: &Opened, memory: Memory) -> Result<Recalled, Damage> {
        let Self { snapshot, lines: Lines { entries, mut damage, untimed } } = self;
        let mut lines: Vec<&str> = entries.iter().map(|entry| entry.line.as_str()).collect();
        let nothing =
            |refusal: Refusal| Damage { wrong: Wrong::Header, sound: 0, detail: refusal.to_string() };
        system.open(&opened.header, None).map_err(nothing)?;
        if let Some((sound, detail)) = broken(&opened.header, &lines) {
            lines.truncate(sound);
            damage = Some(Damage { wrong: Wrong::Altered, sound: sound as u64, detail });
        }
        let seed = opened.secret();
        let opening = Opening { system, header: &opened.header, seed: seed.ok().flatten(), lines: &lines };
        let short = snapshot.as_ref().filter(|_| memory == Memory::Short);
        let (game, replayed, refused) = opening.play(short).map_err(nothing)?;
        let sound = game.entries();
        if let Some(refusal) = refused {
            damage = Some(Damage { wrong: Wrong::Unplayable, sound, detail: refusal.to_string() });
        }
        let ahead = snapshot.map(|snapshot| snapshot.n).filter(|&n| n > sound);
        if let (None, Some(claimed)) = (&damage, ahead) {
            let detail = format!("a snapshot is of entry {claimed}");
            damage = Some(Damage { wrong: Wrong::Lost(claimed), sound, detail });
        }
        if damage.is_none() && (seed.is_err() || lacks_seed(game.as_ref())) {
            damage = Some(Damage { wrong: Wrong::Seed, sound, detail: String::new() });
        }
        if let (None, Some((beside, detail))) = (&damage, beside(system, opened, game.as_ref(), untimed)) {
            damage = Some(Damage { wrong: Wrong::Beside(beside), sound, detail });
        }
        Ok(Recalled { game, damage, replayed })
    }
}

impl Recalled {
    /// Whether the game, as it stands, cannot go on with the seed that is kept.
    #[must_use]
    pub fn lacks_seed(&self) -> bool {
        lacks_seed(self.game.as_ref())
    }
}

/// What is kept beside the record and is not what was written there.
fn beside(
    system: Hosting,
    opened: &Opened,
    game: &dyn Hosted,
    untimed: Option<u64>,
) -> Option<(Beside, String)> {
    if let Some(strange) = opened.strange {
        return Some((strange, "not of its kind".to_owned()));
    }
    if opened.system != system.name {
        return Some((Beside::System, opened.system.clone()));
    }
    // One seat for each side, and the spectators' before them.
    let last = i64::try_from(system.sides().len()).unwrap_or(i64::MAX);
    if !opened.seats.iter().map(|seat| seat.place).eq(-1..last) {
        return Some((Beside::Seats, format!("{} of them", opened.seats.len())));
    }
    if let Some(seat) = opened.seats.iter().find(|seat| blake3::Hash::from_hex(&seat.hash).is_err()) {
        return Some((Beside::Seats, format!("the hash of place {}", seat.place)));
    }
    // The record says which seats the machine plays.
    let machines = game.fairness().machines;
    let fits = |seat: &StoredSeat| {
        let machine = usize::try_from(seat.place).is_ok_and(|place| machines.contains(&place));
        PlayerKind::from_name(&seat.player).is_some_and(|kind| (kind != PlayerKind::Human) == machine)
    };
    if let Some(seat) = opened.seats.iter().find(|seat| !fits(seat)) {
        return Some((Beside::Players, format!("place {}: {}", seat.place, seat.player)));
    }
    untimed.map(|entry| (Beside::Times, format!("entry {entry}")))
}

/// Whether a game cannot go on because the seed that its dice come from is not the one kept.
fn lacks_seed(game: &dyn Hosted) -> bool {
    let dice = game.fairness().provenance;
    matches!(dice.source, Source::Committed(_)) && !dice.checked && !game.is_over()
}

/// Where the chain of a record breaks: how many of its lines are whole, and why no more.
fn broken(header: &str, lines: &[&str]) -> Option<(usize, String)> {
    let length = lines.iter().map(|line| line.len() + 1).sum::<usize>();
    let mut text = String::with_capacity(header.len() + 1 + length);
    for line in std::iter::once(&header).chain(lines) {
        text.push_str(line);
        text.push('\n');
    }
    let refusal = Record::read(&text).err()?;
    // The header is line 1.
    let line = refusal.facts.iter().find_map(|fact| match (fact.name, &fact.value) {
        ("line", Measure::Number(line)) => usize::try_from(*line).ok(),
        _ => None,
    });
    Some((line.unwrap_or(0).saturating_sub(2).min(lines.len()), refusal.to_string()))
}

/// What a game is opened from.
struct Opening<'a> {
    system: Hosting,
    header: &'a str,
    seed: Option<Seed>,
    lines: &'a [&'a str],
}

/// A game, how many entries were played again for it, and the refusal of the next one.
type Played = (Box<dyn Hosted>, u64, Option<Refusal>);

impl Opening<'_> {
    /// The game after its last line, or after the last one that the rules accept.
    fn play(&self, snapshot: Option<&Snapshot>) -> Verdict<Played> {
        if let Some(played) = snapshot.and_then(|snapshot| self.resume(snapshot)) {
            return Ok(played);
        }
        let (mut most, mut refused) = (self.lines.len(), None);
        loop {
            let mut game = self.system.open(self.header, self.seed)?;
            let mut lines = self.lines[..most].iter().enumerate();
            let stopped = lines.find_map(|(place, line)| Some((place, game.follow(line).err()?)));
            let Some((place, refusal)) = stopped else { return Ok((game, most as u64, refused)) };
            // What was refused left the game half-done: it is played again up to there.
            (most, refused) = (place, Some(refusal));
        }
    }

    /// The game from a snapshot and the lines since; nothing if that does not fit.
    fn resume(&self, snapshot: &Snapshot) -> Option<Played> {
        let place = usize::try_from(snapshot.n).ok()?;
        let last = self.lines.get(place.checked_sub(1)?)?;
        if snapshot.product != env!("CARGO_PKG_VERSION") {
            return None;
        }
        let mut game = self.system.resume(self.header, self.seed, last, &snapshot.state).ok()?;
        let after = self.lines.get(place..)?;
        let whole = after.iter().all(|line| game.follow(line).is_ok());
        whole.then_some((game, after.len() as u64, None))
    }
}
