//! Debian's packages, installed where that is possible: as root, or with a `sudo` that asks for no
//! password.

use std::process::Command;

use crate::run::output;

/// Whether this is the superuser.
pub(crate) fn is_root() -> bool {
    output(Command::new("id")).is_ok_and(|id| id.starts_with("uid=0"))
}

/// Whether a program can be called.
pub(crate) fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Installs packages, or says why they cannot be installed.
pub(crate) fn install(packages: &[&str]) -> Result<(), String> {
    let root = is_root();
    let mut sudo = Command::new("sudo");
    sudo.args(["-n", "true"]);
    let free_sudo = !root && is_there("sudo") && output(sudo).is_ok();
    let apt = way_to_install(is_there("apt-get"), root, free_sudo, packages)?;
    let call = |arguments: &[&str]| {
        let mut command = Command::new(apt[0]);
        command.args(&apt[1..]).args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        output(command).map(drop)
    };
    let install = [&["install", "-y", "--no-install-recommends"][..], packages].concat();
    eprintln!("{} {}", apt.join(" "), install.join(" "));
    // The list of packages may be old, or not there yet.
    call(&install).or_else(|_| call(&["update"]).and_then(|()| call(&install)))
}

/// How to call `apt-get`, or why nobody can.
fn way_to_install(
    apt: bool,
    root: bool,
    free_sudo: bool,
    packages: &[&str],
) -> Result<&'static [&'static str], String> {
    let by_hand = packages.join(" ");
    match (apt, root, free_sudo) {
        (false, _, _) => Err(format!("there is no apt-get here; install by hand: {by_hand}")),
        (true, true, _) => Ok(&["apt-get"]),
        (true, false, true) => Ok(&["sudo", "-n", "apt-get"]),
        (true, false, false) => Err(format!("this needs root: apt-get install {by_hand}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_installed_by_who_may_and_the_others_are_told_how() {
        let way = |apt, root, sudo| way_to_install(apt, root, sudo, &["postgresql"]);
        assert_eq!(way(true, true, false), Ok(&["apt-get"][..]));
        assert_eq!(way(true, false, true), Ok(&["sudo", "-n", "apt-get"][..]));
        let told = way(true, false, false).unwrap_err();
        assert!(told.contains("needs root") && told.contains("apt-get install postgresql"), "{told}");
        assert!(way(false, true, true).unwrap_err().contains("by hand: postgresql"));
    }

    #[test]
    fn what_is_not_there_is_not_called() {
        assert!(is_there("cargo") && !is_there("no-such-program"));
    }
}
