//! How often one address may ask: a bucket of tokens each, filled at the rate, emptied by requests.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// So many seconds' worth of requests may come at once.
const BURST: f64 = 4.0;
/// When so many addresses are known, the full buckets are forgotten.
const MANY: usize = 10_000;

pub(super) struct Limits {
    rate: Option<f64>,
    buckets: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Limits {
    pub(super) fn new(rate: Option<u32>) -> Self {
        Self { rate: rate.map(f64::from), buckets: Mutex::default() }
    }

    /// Takes `cost` tokens of this address; false when there are too few.
    pub(super) fn allow(&self, address: IpAddr, cost: f64) -> bool {
        let Some(rate) = self.rate else { return true };
        let now = Instant::now();
        let full = rate * BURST;
        let level = |(level, at): (f64, Instant)| {
            (level + now.saturating_duration_since(at).as_secs_f64() * rate).min(full)
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MANY {
            buckets.retain(|_, bucket| level(*bucket) < full);
        }
        let bucket = buckets.entry(network(address)).or_insert((full, now));
        let left = level(*bucket) - cost;
        *bucket = (left.max(0.0), now);
        left >= 0.0
    }
}

/// One customer of an IPv6 provider has a whole network of addresses.
fn network(address: IpAddr) -> IpAddr {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_stopped_and_neighbours_are_not() {
        let limits = Limits::new(Some(10));
        let flood: IpAddr = [10, 0, 0, 1].into();
        let allowed = (0..10_000).filter(|_| limits.allow(flood, 1.0)).count();
        assert!((40..60).contains(&allowed), "{allowed}");
        assert!(limits.allow([10, 0, 0, 2].into(), 1.0));
    }
}
