//! Places that are taken and given back: so many for each, so many in all. Whoever goes away gives
//! his place back, however he goes.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    /// This one has as many as he may.
    Yours,
    /// All are taken.
    All,
}

#[derive(Debug)]
struct Taken<K> {
    by: HashMap<K, usize>,
    all: usize,
}

/// Places to be taken.
#[derive(Debug)]
pub(super) struct Places<K> {
    each: usize,
    all: usize,
    taken: Mutex<Taken<K>>,
}

impl<K: Clone + Eq + Hash> Places<K> {
    /// So many for each, so many in all.
    pub(super) fn new(each: usize, all: usize) -> Arc<Self> {
        Arc::new(Self { each, all, taken: Mutex::new(Taken { by: HashMap::new(), all: 0 }) })
    }

    fn taken(&self) -> MutexGuard<'_, Taken<K>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place.
    pub(super) fn take(self: &Arc<Self>, whose: K) -> Result<Place<K>, Full> {
        let mut taken = self.taken();
        if taken.all >= self.all {
            return Err(Full::All);
        }
        let own = taken.by.entry(whose.clone()).or_insert(0);
        if *own >= self.each {
            return Err(Full::Yours);
        }
        *own += 1;
        taken.all += 1;
        drop(taken);
        Ok(Place { places: self.clone(), whose })
    }
}

/// A place that is taken.
#[derive(Debug)]
pub(super) struct Place<K: Clone + Eq + Hash> {
    places: Arc<Places<K>>,
    whose: K,
}

impl<K: Clone + Eq + Hash> Drop for Place<K> {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        taken.all = taken.all.saturating_sub(1);
        if let Some(own) = taken.by.get_mut(&self.whose) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                taken.by.remove(&self.whose);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_takes_more_than_his_places_and_all_come_back() {
        let places = Places::new(2, 3);
        let held = [places.take("a").unwrap(), places.take("a").unwrap()];
        assert_eq!(places.take("a").unwrap_err(), Full::Yours);
        let other = places.take("b").unwrap();
        assert_eq!(places.take("c").unwrap_err(), Full::All);
        drop((held, other));
        assert!(places.taken().by.is_empty(), "nothing is remembered of those who left");
        assert!(places.take("c").is_ok());
    }
}
