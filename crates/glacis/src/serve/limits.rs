//! How often one address may ask: a bucket of tokens each, filled at the rate, emptied by requests.
//! Who sits at a game has a bucket of his own, so that no neighbour behind the same address can empty
//! it.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// So many seconds' worth of requests may come at once.
const BURST: f64 = 4.0;
/// When so many buckets are known, those not used since as many others came are forgotten.
const MANY: usize = 10_000;
/// A provider's customer may have thousands of networks: all of them together have so many times
/// the rate of one.
const WIDE: f64 = 16.0;

/// Whose bucket it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bucket {
    /// A network: an IPv4 address, or the 64 bits that one IPv6 line has.
    Network(IpAddr),
    /// The 48 bits that one IPv6 customer may have.
    Wide(IpAddr),
    /// A seat of a game.
    Seat(String, i64),
}

impl Bucket {
    fn share(&self) -> f64 {
        if matches!(self, Self::Wide(_)) { WIDE } else { 1.0 }
    }
}

/// A table that never holds more than twice `MANY`: what is used moves into the newer half.
#[derive(Debug)]
struct Recent<K, V> {
    newer: HashMap<K, V>,
    older: HashMap<K, V>,
}

impl<K: Eq + Hash, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self { newer: HashMap::new(), older: HashMap::new() }
    }
}

impl<K: Eq + Hash, V> Recent<K, V> {
    fn entry(&mut self, key: K, fresh: impl FnOnce() -> V) -> &mut V {
        if self.newer.len() >= MANY && !self.newer.contains_key(&key) {
            self.older = std::mem::take(&mut self.newer);
        }
        let known = self.older.remove(&key);
        self.newer.entry(key).or_insert_with(|| known.unwrap_or_else(fresh))
    }
}

pub(super) struct Limits {
    rate: Option<f64>,
    buckets: Mutex<Recent<Bucket, (f64, Instant)>>,
}

impl Limits {
    pub(super) fn new(rate: Option<u32>) -> Self {
        Self { rate: rate.map(f64::from), buckets: Mutex::default() }
    }

    /// Whether there is a limit at all.
    pub(super) fn are_set(&self) -> bool {
        self.rate.is_some()
    }

    /// Takes `cost` tokens of each of these buckets in turn; false at the first that has too few. What
    /// one line is refused for does not empty what it shares with others.
    pub(super) fn allow(&self, buckets: impl IntoIterator<Item = Bucket>, cost: f64) -> bool {
        let Some(rate) = self.rate else { return true };
        let now = Instant::now();
        let mut known = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        for bucket in buckets {
            let (rate, full) = (rate * bucket.share(), rate * bucket.share() * BURST);
            let (level, at) = known.entry(bucket, || (full, now));
            let filled = (*level + now.saturating_duration_since(*at).as_secs_f64() * rate).min(full);
            let left = filled - cost;
            (*level, *at) = (left.max(0.0), now);
            if left < 0.0 {
                return false;
            }
        }
        true
    }
}

/// The buckets that a request from this network draws on.
pub(super) fn buckets(network: IpAddr) -> impl Iterator<Item = Bucket> {
    let wide = match network {
        IpAddr::V4(_) => None,
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            Some(Bucket::Wide(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0).into()))
        }
    };
    std::iter::once(Bucket::Network(network)).chain(wide)
}

/// The network an address belongs to: one customer of an IPv6 provider has a whole network of them.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => address.into(),
            None => {
                let [a, b, c, d, ..] = address.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
        },
    }
}

/// How many games each network began on the day.
pub(super) struct Quota {
    most: Option<u32>,
    begun: Mutex<(i64, Recent<IpAddr, u32>)>,
}

impl Quota {
    pub(super) fn new(most: Option<u32>) -> Self {
        Self { most, begun: Mutex::default() }
    }

    /// Counts a game that is to begin on this day; false when there were enough.
    pub(super) fn allow(&self, network: IpAddr, day: i64) -> bool {
        let Some(most) = self.most else { return true };
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if begun.0 != day {
            *begun = (day, Recent::default());
        }
        let count = begun.1.entry(network, || 0);
        let allowed = *count < most;
        *count += u32::from(allowed);
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(limits: &Limits, address: &str) -> bool {
        limits.allow(buckets(network(address.parse().unwrap())), 1.0)
    }

    #[test]
    fn a_flood_is_stopped_and_neighbours_are_not() {
        let limits = Limits::new(Some(10));
        let allowed = (0..10_000).filter(|_| asks(&limits, "10.0.0.1")).count();
        assert!((40..60).contains(&allowed), "{allowed}");
        assert!(asks(&limits, "10.0.0.2"));
        // Who sits at a game has his own, whatever the others behind his address do.
        assert!(limits.allow([Bucket::Seat("game".to_owned(), 0)], 1.0));
    }

    #[test]
    fn the_addresses_of_one_line_share_a_bucket_and_those_of_one_customer_a_larger_one() {
        let limits = Limits::new(Some(10));
        let one_line = (0..1000).filter(|n| asks(&limits, &format!("2001:db8:0:1::{n:x}"))).count();
        assert!((40..60).contains(&one_line), "{one_line}");
        assert!(asks(&limits, "2001:db8:0:2::1"), "the next line");
        let customer = (0..10_000).filter(|n| asks(&limits, &format!("2001:db8:0:{n:x}::1"))).count();
        assert!((400..900).contains(&customer), "{customer}");
        assert!(asks(&limits, "2001:db8:1:1::1"), "another customer");
        assert!(asks(&limits, "::ffff:10.0.0.1") && network("::ffff:10.0.0.1".parse().unwrap()).is_ipv4());
    }

    #[test]
    fn a_million_strangers_are_not_remembered() {
        let mut recent = Recent::default();
        for number in 0..1_000_000_u32 {
            *recent.entry(number, || 0) += 1;
            *recent.entry(7, || 0) += 1;
        }
        assert!(recent.newer.len() + recent.older.len() <= 2 * MANY);
        assert_eq!(*recent.entry(7, || 0), 1_000_001, "who comes often is");
    }

    #[test]
    fn a_day_has_so_many_games_for_each() {
        let quota = Quota::new(Some(2));
        let (one, other) = ([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
        assert!(quota.allow(one, 20) && quota.allow(one, 20) && !quota.allow(one, 20));
        assert!(quota.allow(other, 20), "a neighbour");
        assert!(quota.allow(one, 21), "the next day");
        assert!(Quota::new(None).allow(one, 20));
    }
}
