//! The file of an SQLite database, as it stands on the disk under its name. A file that was removed or
//! replaced can still be written to by whoever has it open, and nobody would ever read it again: what
//! is written there is not kept.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use super::StoreFault;

/// What tells a file from another of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity(#[cfg(unix)] (u64, u64));

impl Identity {
    fn of(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|metadata| Self::from(&metadata))
    }
}

#[cfg(unix)]
impl From<&Metadata> for Identity {
    fn from(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self((metadata.dev(), metadata.ino()))
    }
}

/// Elsewhere a file that is open cannot be removed: that there is one is enough.
#[cfg(not(unix))]
impl From<&Metadata> for Identity {
    fn from(_: &Metadata) -> Self {
        Self()
    }
}

/// Makes the file, if there is none, for its owner alone: it holds the seeds of games that go on. Its
/// log gets the same rights from it. A file that is there keeps those its owner gave it.
pub(super) fn make_private(path: &Path) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// The file that was opened.
#[derive(Clone, Debug)]
pub(super) struct File {
    path: PathBuf,
    identity: Identity,
    log: PathBuf,
}

impl File {
    /// The file as it is now, which is open.
    pub(super) fn opened(path: &Path) -> std::io::Result<Self> {
        let identity = Identity::from(&fs::metadata(path)?);
        // The log stands beside the file itself, wherever a link to it may be.
        let mut log = fs::canonicalize(path)?.into_os_string();
        log.push("-wal");
        Ok(Self { path: path.to_owned(), identity, log: log.into() })
    }

    /// The log of the newest orders, which is open.
    pub(super) fn log(&self) -> Option<Identity> {
        Identity::of(&self.log)
    }

    /// Whether the file is still the one that was opened.
    pub(super) fn is_there(&self) -> bool {
        Identity::of(&self.path) == Some(self.identity)
    }

    pub(super) fn gone(&self) -> StoreFault {
        StoreFault::Gone { file: self.path.clone() }
    }
}
