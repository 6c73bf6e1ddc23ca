//! Games that nobody plays are forgotten, where the host wants it: those in which only machines sit,
//! and those in which nobody ever gave an order.

use std::sync::Arc;
use std::time::Duration;

use super::{Forget, Hall};
use crate::store::{Stale, now};

/// How often it is looked for them.
const EVERY: Duration = Duration::from_secs(3600);

/// Forgets such games now, before anybody wakes them, and every hour as long as the hall is open.
pub(super) async fn start(hall: &Arc<Hall>, forget: Forget) {
    if forget == Forget::default() {
        return;
    }
    forget_stale(hall, forget).await;
    let hall = Arc::downgrade(hall);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(EVERY).await;
            let Some(hall) = hall.upgrade() else { return };
            forget_stale(&hall, forget).await;
        }
    });
}

async fn forget_stale(hall: &Hall, forget: Forget) {
    let before = |days: u32| now() - i64::from(days) * 86400;
    let kinds = [
        forget.machines.map(|days| (Stale::Machines, before(days))),
        forget.unplayed.map(|days| (Stale::Unplayed, before(days))),
    ];
    for (stale, before) in kinds.into_iter().flatten() {
        match hall.store().forget(stale, before).await {
            Ok(games) => {
                hall.forget(&games);
                if !games.is_empty() {
                    super::log(&format!("{} games that nobody plays are forgotten", games.len()));
                }
            }
            Err(fault) => super::log(&fault.to_string()),
        }
    }
}
