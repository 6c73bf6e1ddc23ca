//! The commands of the README do what it says: each is run as it stands there, in a shell.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::path::Path;
use std::process::{Command, Stdio};

/// The commands of the console blocks, each with the lines it is continued on.
fn commands(readme: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut open = false;
    for line in readme.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => commands.push(command.to_owned()),
            None if open => {
                let command = commands.last_mut().unwrap();
                command.push('\n');
                command.push_str(line);
            }
            None => continue,
        }
        let command = commands.last().unwrap();
        open = command.ends_with('\\') || command.matches('\'').count() % 2 == 1 || {
            let bare = command.replace("\\\"", "");
            !command.contains('\'') && bare.matches('"').count() % 2 == 1
        };
    }
    commands
}

#[test]
fn every_command_of_the_readme_succeeds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = Path::new(env!("CARGO_BIN_EXE_glacis"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(root.canonicalize().unwrap().join("scenarios"), folder.join("scenarios"))
        .unwrap();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let commands = commands(&readme);
    assert!(commands.len() > 10, "{commands:#?}");
    for command in commands {
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(&folder)
            .env("PATH", &path)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}\n{said}{complaint}");
        assert!(!said.is_empty() || command.contains("--out"), "{command} says nothing");
    }
}
