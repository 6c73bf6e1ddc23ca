//! A private PostgreSQL: started from the system's package on a free port, in a temporary folder,
//! and gone without a trace afterwards.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
        let root = is_root();
        let programs = match find().map_or_else(|| install(root), Ok) {
            Ok(programs) => programs,
            Err(why) => {
                skipped(1, &format!("PostgreSQL is not installed, and {why}"));
                return Ok(None);
            }
        };
        // PostgreSQL refuses to run as root.
        let as_user = root.then_some("postgres");
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

fn is_root() -> bool {
    output(Command::new("id")).is_ok_and(|id| id.starts_with("uid=0"))
}

/// Whether a program can be called.
fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Installs Debian's package.
fn install(root: bool) -> Result<PathBuf, String> {
    let mut sudo = Command::new("sudo");
    sudo.args(["-n", "true"]);
    let free_sudo = !root && is_there("sudo") && output(sudo).is_ok();
    let words = way_to_install(is_there("apt-get"), root, free_sudo)?;
    eprintln!("PostgreSQL is missing: {}", words.join(" "));
    let (program, arguments) = words.split_first().ok_or("there is nothing to run")?;
    let mut install = Command::new(program);
    install.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    output(install).map_err(|failure| format!("its package could not be installed: {failure}"))?;
    find().ok_or_else(|| "its package brought no server".to_owned())
}

/// The command that installs it, or why there is none.
fn way_to_install(apt: bool, root: bool, free_sudo: bool) -> Result<Vec<&'static str>, String> {
    const INSTALL: [&str; 5] = ["apt-get", "install", "-y", "--no-install-recommends", "postgresql"];
    match (apt, root, free_sudo) {
        (false, _, _) => Err("there is no apt-get to install it with; install its server by hand".to_owned()),
        (true, true, _) => Ok(INSTALL.to_vec()),
        (true, false, true) => Ok(["sudo", "-n"].into_iter().chain(INSTALL).collect()),
        (true, false, false) => Err(format!("installing it needs root; run as root: {}", INSTALL.join(" "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_installed_by_who_may_and_the_others_are_told_how() {
        let command = |root, sudo| way_to_install(true, root, sudo).map(|words| words.join(" "));
        assert!(command(true, false).is_ok_and(|words| words.starts_with("apt-get install -y")));
        assert!(command(false, true).is_ok_and(|words| words.starts_with("sudo -n apt-get install")));
        let told = command(false, false).unwrap_err();
        assert!(told.contains("needs root") && told.contains("apt-get install"), "{told}");
        assert!(way_to_install(false, true, true).unwrap_err().contains("by hand"));
    }

    #[test]
    fn what_is_not_there_is_not_called() {
        assert!(is_there("cargo") && !is_there("no-such-program"));
    }
}
