//! How many files this process may have open: every connection is one.

/// So many are kept for the database, the log and what else a program opens.
const OWN: usize = 128;

/// The most connections that the system has files for, after asking it for as many as it gives.
#[cfg(unix)]
pub(super) fn most_connections(wanted: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let needed = u64::try_from(wanted + OWN).unwrap_or(u64::MAX);
    let raised = maximum.map_or(needed, |maximum| maximum.min(needed));
    let have = match current {
        None => return wanted,
        Some(current) if current >= needed => return wanted,
        Some(current) => {
            let asked = setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum });
            if asked.is_ok() { raised } else { current }
        }
    };
    let have = usize::try_from(have).unwrap_or(usize::MAX);
    have.saturating_sub(OWN).clamp(16, wanted)
}

/// The most connections: elsewhere the system does not count files.
#[cfg(not(unix))]
pub(super) fn most_connections(wanted: usize) -> usize {
    wanted
}
