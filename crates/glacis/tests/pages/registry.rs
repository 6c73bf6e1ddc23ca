//! The registry is the only place that names a system: everything else goes through it.

use std::path::{Path, PathBuf};

/// All files under a folder.
fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, into);
        } else {
            into.push(path);
        }
    }
}

/// The umpire has a few forms made by hand for single questions; a form names the book it asks about,
/// whether or not that book is also a game. Whatever else serves games names none.
const FORMS: [&str; 9] = [
    "pages/Cargo.toml",
    "pages/assets/umpire.css",
    "pages/examples/pages.rs",
    "pages/src/umpire/assault.rs",
    "pages/src/umpire/campaign.rs",
    "pages/src/umpire/explorer.rs",
    "pages/src/umpire/mod.rs",
    "pages/src/umpire/roster.rs",
    "pages/src/umpire/roster/paper.rs",
];

#[test]
fn no_file_but_the_registry_names_a_game() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let games: Vec<&str> =
        glacis::systems().iter().filter(|system| system.game.is_some()).map(glacis::System::name).collect();
    assert!(games.contains(&"danzig"));
    let mut all = Vec::new();
    files(&root.join("pages"), &mut all);
    files(&root.join("glacis/src"), &mut all);
    let named: Vec<String> = all
        .iter()
        .filter(|path| {
            let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).to_lowercase();
            let mut words = text.split(|letter: char| !letter.is_alphanumeric());
            words.any(|word| games.contains(&word))
        })
        .map(|path| path.strip_prefix(&root).unwrap().display().to_string())
        .filter(|path| !FORMS.contains(&path.as_str()))
        .collect();
    assert_eq!(named, ["glacis/src/systems.rs"]);
}

#[test]
fn every_system_has_a_name_and_its_example_records_are_true() {
    for system in glacis::systems() {
        for lang in rulebook::Lang::ALL {
            let key = format!("{}-title", system.name());
            assert_ne!(rulebook::speak_key(&key, lang), key, "{lang:?}");
        }
        for record in system.records {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(record);
            let text = std::fs::read_to_string(file).unwrap();
            let record = kernel::Record::read(&text).unwrap();
            assert_eq!(record.header.system, system.name());
        }
    }
}

/// The contract of the kernel, for every game there is: none needs a line of its own here.
#[cfg(feature = "conformance")]
#[test]
fn the_contract_holds_for_every_game_of_the_registry() {
    let mut checked = 0;
    for system in glacis::systems().into_iter().chain([crate::example::example()]) {
        let Some(game) = &system.game else { continue };
        let scenarios = game.hosting.scenarios;
        let report = (game.conforms)(scenarios);
        let games = u64::try_from(scenarios.len()).unwrap();
        assert!(report.games == games && report.nodes > 0, "{}: {report:?}", system.name());
        checked += 1;
    }
    assert!(checked > 1, "the example game and another at least");
}
