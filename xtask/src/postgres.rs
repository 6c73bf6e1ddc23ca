//! A private PostgreSQL: started from the system's package on a free port, in a temporary folder,
//! and gone without a trace afterwards.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::packages::{self, is_root};
use crate::run::{Failure, output, run as run_command, skipped};

/// Where the tests look for its address.
pub(crate) const VARIABLE: &str = "GLACIS_TEST_POSTGRES";

/// A PostgreSQL that runs as long as this lives.
pub(crate) struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    as_user: Option<&'static str>,
    pub(crate) address: String,
}

impl Postgres {
    /// Starts one; nothing where there is none and none can be installed. That is said and counted.
    pub(crate) fn start() -> Result<Option<Self>, Failure> {
        let programs = match find().map_or_else(install, Ok) {
            Ok(programs) => programs,
            Err(why) => {
                skipped(1, &format!("PostgreSQL is not installed, and {why}"));
                return Ok(None);
            }
        };
        // PostgreSQL refuses to run as root.
        let as_user = is_root().then_some("postgres");
        let folder = std::env::temp_dir().join(format!("glacis-postgres-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .map_err(|error| error.to_string())?
            .port();
        let address = format!("postgres://postgres@127.0.0.1:{port}/postgres");
        let postgres = Self { programs, folder, as_user, address };
        if let Some(user) = as_user {
            let mut own = Command::new("chown");
            own.arg(user).arg(&postgres.folder);
            run_command(own)?;
        }
        let data = postgres.folder.join("data");
        let mut init = postgres.program("initdb");
        init.args(["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-D"]).arg(&data);
        output(init)?;
        let mut start = postgres.program("pg_ctl");
        let settings = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c max_connections=200 -k {}",
            postgres.folder.display()
        );
        // It keeps its parent's output open, so it gets none.
        start
            .args(["-w", "-o", &settings, "-l"])
            .arg(postgres.folder.join("log"))
            .arg("-D")
            .arg(&data)
            .arg("start");
        start.stdout(Stdio::null()).stderr(Stdio::null());
        run_command(start)?;
        Ok(Some(postgres))
    }

    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        let mut command = match self.as_user {
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--"]).arg(path);
                command
            }
            None => Command::new(path),
        };
        command.current_dir(&self.folder);
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let mut stop = self.program("pg_ctl");
        stop.args(["-m", "immediate", "-w", "-D"]).arg(self.folder.join("data")).arg("stop");
        // What cannot be stopped or removed is in a temporary folder.
        let _ = output(stop);
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The folder of the newest PostgreSQL's programs.
fn find() -> Option<PathBuf> {
    let has = |folder: &Path| folder.join("initdb").exists() && folder.join("pg_ctl").exists();
    let packaged = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let packaged = packaged.map(|version| version.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found: Vec<PathBuf> =
        packaged.chain(std::env::split_paths(&path)).filter(|folder| has(folder)).collect();
    found.sort();
    found.pop()
}

/// Installs Debian's package.
fn install() -> Result<PathBuf, String> {
    packages::install(&["postgresql"])?;
    find().ok_or_else(|| "its package brought no server".to_owned())
}
