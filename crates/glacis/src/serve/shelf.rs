//! The shelf: scenes too long for an address, kept for a while in memory. So much in all, so much for
//! each network; the oldest make room.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pages::{Shelf, shelf_word};

/// A text nobody asked for in this time is forgotten.
const KEPT: Duration = Duration::from_secs(24 * 3600);
/// The most bytes that are kept in all.
const MOST: usize = 32 << 20;
/// The most bytes that are kept for one network.
const MOST_EACH: usize = 2 << 20;
/// What it costs to remember one text, beside its letters.
const OVERHEAD: usize = 256;

struct Kept {
    text: Arc<str>,
    by: IpAddr,
    used: Instant,
}

impl Kept {
    fn bytes(&self) -> usize {
        self.text.len() + OVERHEAD
    }
}

/// All that is kept, by its word.
#[derive(Default)]
pub(super) struct Shelves(Mutex<HashMap<String, Kept>>);

impl Shelves {
    fn kept(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, by: IpAddr, text: &str, now: Instant) -> String {
        let word = shelf_word(text);
        let mut kept = self.kept();
        if let Some(known) = kept.get_mut(&word) {
            known.used = now;
            return word;
        }
        kept.retain(|_, one| now.saturating_duration_since(one.used) < KEPT);
        make_room(&mut kept, text.len(), MOST_EACH, |one| one.by == by);
        make_room(&mut kept, text.len(), MOST, |_| true);
        kept.insert(word.clone(), Kept { text: text.into(), by, used: now });
        word
    }

    fn find(&self, word: &str, now: Instant) -> Option<Arc<str>> {
        let mut kept = self.kept();
        let found = kept.get_mut(word).filter(|one| now.saturating_duration_since(one.used) < KEPT)?;
        found.used = now;
        Some(found.text.clone())
    }
}

/// Forgets the oldest of some until so many bytes more fit.
fn make_room(kept: &mut HashMap<String, Kept>, more: usize, most: usize, of: impl Fn(&Kept) -> bool) {
    loop {
        let held: usize = kept.values().filter(|one| of(one)).map(Kept::bytes).sum();
        let oldest = kept.iter().filter(|(_, one)| of(one)).min_by_key(|(_, one)| one.used);
        match oldest.map(|(word, _)| word.clone()) {
            Some(word) if held + more + OVERHEAD > most => drop(kept.remove(&word)),
            _ => return,
        }
    }
}

/// The shelves as one reader uses them.
pub(super) struct OwnShelf {
    pub(super) shelves: Arc<Shelves>,
    pub(super) by: IpAddr,
}

impl Shelf for OwnShelf {
    fn keep(&self, text: &str) -> String {
        self.shelves.keep(self.by, text, Instant::now())
    }

    fn find(&self, word: &str) -> Option<Arc<str>> {
        self.shelves.find(word, Instant::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: usize, length: usize) -> String {
        let mut text = number.to_string();
        text.extend(std::iter::repeat_n('x', length - text.len()));
        text
    }

    #[test]
    fn what_is_not_asked_for_is_forgotten() {
        let (shelves, now) = (Shelves::default(), Instant::now());
        let word = shelves.keep([192, 0, 2, 1].into(), "a scene", now);
        assert_eq!(shelves.find(&word, now + KEPT / 2).as_deref(), Some("a scene"));
        assert_eq!(shelves.find(&word, now + KEPT).as_deref(), Some("a scene"), "asked for in between");
        assert_eq!(shelves.find(&word, now + KEPT * 3), None);
        assert_eq!(shelves.find("no such word", now), None);
    }

    #[test]
    fn one_network_pushes_out_its_own_and_all_are_bounded() {
        let (shelves, now) = (Shelves::default(), Instant::now());
        let size = 64 << 10;
        let neighbour = shelves.keep([192, 0, 2, 1].into(), "a neighbour's", now);
        let hog: IpAddr = [192, 0, 2, 2].into();
        let later = |number: usize| now + Duration::from_secs(u64::try_from(number).unwrap());
        let words: Vec<String> =
            (1..=100).map(|number| shelves.keep(hog, &text(number, size), later(number))).collect();
        assert!(shelves.find(&neighbour, later(200)).is_some(), "the neighbour's stays");
        assert_eq!(shelves.find(&words[0], later(200)), None, "his own oldest made room");
        assert!(shelves.find(&words[99], later(200)).is_some());
        for network in 0..100_u8 {
            for number in 0..10 {
                let by = [198, 51, 100, network].into();
                shelves.keep(by, &text(1000 * usize::from(network) + number, size), later(300));
            }
        }
        let held: usize = shelves.kept().values().map(Kept::bytes).sum();
        assert!((MOST - size - OVERHEAD..=MOST).contains(&held), "{held}");
    }
}
