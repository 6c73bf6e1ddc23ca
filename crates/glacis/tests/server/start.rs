//! Starting and stopping the program itself: one clear sentence for each way it cannot start.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use yardstick::patience;

use crate::client::Client;
use crate::house::sqlite;

fn glacis() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glacis"));
    command.stdin(Stdio::null()).env("LANG", "C");
    command
}

/// What is said when it cannot start, in one line, with a non-zero exit.
fn refused(arguments: &[&str]) -> String {
    let output = glacis().arg("serve").args(arguments).output().unwrap();
    assert_ne!(output.status.code(), Some(0));
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

#[test]
fn it_serves_and_stops_cleanly() {
    let database = sqlite();
    let mut child = glacis()
        .args(["serve", "--listen", "127.0.0.1:0", "--database", &database.address])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().rsplit_once("http://").unwrap().1.parse().unwrap();
    let mut client = Client::to(address);
    let health = client.send("GET", "/healthz", &[], b"");
    assert_eq!((health.status, health.json()["status"].as_str()), (200, Some("ok")));
    let door = client.send("GET", "/", &[("accept-language", "fr-FR,fr;q=0.9")], b"");
    assert!(door.body.contains("Demander à l’arbitre") && door.body.contains("id=\"new-game\""), "{door:?}");
    assert!(client.send("GET", "/", &[], b"").body.contains("Ask the umpire"));
    let nowhere = client.send("GET", "/nowhere", &[], b"");
    assert_eq!((nowhere.status, nowhere.message().as_str()), (404, "there is nothing at this address"));
    for (address, status, words) in
        [("/nowhere", 404, "There is nothing here"), ("/g/none", 404, "there is no such game")]
    {
        let browser = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
        let page = client.send("GET", address, &browser, b"");
        assert_eq!((page.status, page.header("content-type")), (status, Some("text/html; charset=utf-8")));
        assert!(page.body.starts_with("<!DOCTYPE html>") && page.body.contains(words), "{page:?}");
        assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"));
    }
    danzig_is_played_resigned_and_verified(&mut client);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert!(child.wait().unwrap().success(), "a clean end");
    let mut said = String::new();
    child.stderr.unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("stopping"), "{said}");
}

#[test]
fn alone_it_serves_from_the_users_folder() {
    let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("home{}", std::process::id()));
    // The default port may be taken on the machine of the tests; either way it is one sentence.
    let mut child = glacis()
        .env("XDG_DATA_HOME", &home)
        .env("HOME", &home)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    if line.is_empty() {
        let mut said = String::new();
        child.stderr.unwrap().read_to_string(&mut said).unwrap();
        assert!(said.contains("in use"), "{said}");
    } else {
        assert!(line.contains("http://127.0.0.1:1807"), "{line}");
        assert!(cfg!(not(target_os = "linux")) || home.join("glacis/glacis.db").exists());
    }
}

#[test]
fn each_reason_not_to_start_is_one_sentence() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let database = sqlite().address;
    assert!(refused(&["--listen", &address, "--database", &database]).contains("in use by another program"));
    let said = refused(&["--listen", "127.0.0.1:0", "--database", "sqlite:/proc/none/games.db"]);
    assert!(said.contains("/proc/none") && said.contains("cannot be written"), "{said}");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let said =
        refused(&["--listen", "127.0.0.1:0", "--database", &format!("postgres://me:hush@{free}/games")]);
    assert!(said.contains("cannot be reached") && !said.contains("hush"), "{said}");
    assert!(refused(&["--lang", "fr", "--listen", &address, "--database", &database]).contains("déjà prise"));
}

#[test]
fn a_file_that_is_no_database_is_said_to_be_none() {
    let file = sqlite().file().unwrap();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(
        &file,
        "no database at all, but a text that is long enough to be taken for one".repeat(40),
    )
    .unwrap();
    let database = format!("sqlite:{}", file.display());
    let said = refused(&["--listen", "127.0.0.1:0", "--database", &database]);
    assert!(said.contains("is not a database of games") && said.contains("games.db"), "{said}");
    let said = refused(&["--lang", "fr", "--listen", "127.0.0.1:0", "--database", &database]);
    assert!(said.contains("n'est pas une base de parties"), "{said}");
}

#[cfg(unix)]
#[test]
fn the_files_of_the_games_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let database = sqlite();
    let served = crate::house::Served::open(&database, &[]);
    let body = json!({ "system": "danzig", "scenario": "danzig-1807" }).to_string();
    assert_eq!(served.client().send("POST", "/api/games", &[], body.as_bytes()).status, 201);
    let file = database.file().unwrap();
    for end in ["", "-wal", "-shm"] {
        let file = format!("{}{end}", file.display());
        let mode = std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{file}: {mode:o}");
    }
}

#[test]
fn behind_a_proxy_it_uses_the_name_that_players_know() {
    let database = sqlite();
    let mut child = glacis()
        .args(["serve", "--listen", "127.0.0.1:0", "--database", &database.address])
        .args(["--base-url", "https://siege.example/", "--behind-proxy", "--rate", "5"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("https://siege.example"), "the address that players use: {line}");
    let mut client = Client::to(listens_at(&child));
    let body = json!({ "system": "danzig", "scenario": "danzig-1807" }).to_string();
    let from = |who: &'static str| [("host", "siege.example"), ("x-forwarded-for", who)];
    let begun = client.send("POST", "/api/games", &from("203.0.113.1"), body.as_bytes());
    assert_eq!(begun.status, 201, "{begun:?}");
    let begun = begun.json();
    let link = begun["seats"][0]["link"].as_str().unwrap();
    assert!(link.starts_with("https://siege.example/s/"), "{link}");
    assert!(begun["seats"][0]["feed"].as_str().unwrap().starts_with("https://siege.example/feed/"));
    let path = link.strip_prefix("https://siege.example").unwrap();
    let seated = client.send("GET", path, &from("203.0.113.1"), b"");
    assert!(seated.header("set-cookie").unwrap().ends_with("; Secure"), "{seated:?}");
    // Orders come from the pages of that name, and of no other.
    let cookie = seated.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let act = format!("/api/games/{}/act", begun["game"].as_str().unwrap());
    for (host, origin, status) in [
        ("siege.example", "https://siege.example", 400),
        ("siege.example:443", "https://siege.example", 400),
        ("Siege.Example", "https://siege.example:443", 400),
        ("siege.example:80", "https://siege.example", 403),
        ("localhost", "http://localhost", 403),
        ("127.0.0.1", "https://siege.example", 403),
        ("siege.example", "https://evil.example", 403),
        ("evil.example", "https://siege.example", 403),
    ] {
        let headers = [("host", host), ("origin", origin), ("cookie", cookie.as_str())];
        assert_eq!(client.send("POST", &act, &headers, b"").status, status, "{host} {origin}");
    }
    // Each client has a rate of his own, and cannot make himself another.
    let statuses = |client: &mut Client, who: &'static str| -> Vec<u16> {
        (0..30).map(|_| client.send("GET", "/api/systems", &from(who), b"").status).collect()
    };
    assert!(statuses(&mut client, "203.0.113.7").contains(&429));
    assert_eq!(statuses(&mut client, "203.0.113.8")[0], 200, "another client");
    assert_eq!(statuses(&mut client, "198.51.100.9, 203.0.113.7")[29], 429, "the proxy has the last word");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Where a child listens: told by the system, since the child says where players find it.
fn listens_at(child: &std::process::Child) -> std::net::SocketAddr {
    let folder = format!("/proc/{}/fd", child.id());
    let sockets: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|file| std::fs::read_link(file.ok()?.path()).ok()?.to_str().map(str::to_owned))
        .collect();
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let port = table.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let own = sockets.contains(&format!("socket:[{}]", fields.get(9)?));
        // State 0A: listening.
        (own && fields[3] == "0A").then(|| u16::from_str_radix(fields[1].split(':').nth(1)?, 16).ok())?
    });
    ([127, 0, 0, 1], port.unwrap()).into()
}

/// A game of Danzig against the computer, given up after a while; its record convinces a stranger.
fn danzig_is_played_resigned_and_verified(client: &mut Client) {
    let body = json!({ "system": "danzig", "scenario": "danzig-1807", "seats": { "prussian": "sensible" } });
    let begun = client.send("POST", "/api/games", &[], body.to_string().as_bytes()).json();
    let secret = begun["seats"][0]["secret"].as_str().unwrap().to_owned();
    let game = begun["game"].as_str().unwrap();
    let path = format!("/api/games/{game}");
    let seated = client.send("GET", &format!("/s/{game}/{secret}"), &[], b"");
    let cookie = seated.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let page = client.send("GET", &format!("/g/{game}"), &[("cookie", &cookie)], b"");
    let title = page.body.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    assert!(title.contains("The siege of Danzig"), "{title}");
    let began = Instant::now();
    let mut entries = 0;
    while entries < 40 {
        assert!(began.elapsed() < patience(Duration::from_secs(60)), "the computer does not answer");
        let offered = client.get(&format!("{path}/actions"), &secret).json();
        entries = offered["entries"].as_u64().unwrap();
        let Some(action) = offered["actions"].as_array().unwrap().last() else {
            std::thread::sleep(Duration::from_millis(10));
            continue;
        };
        let order = json!({ "seen": entries, "action": action });
        let answer = client.post(&format!("{path}/act"), &secret, &order);
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    loop {
        let seen = client.get(&path, &secret).json()["entries"].clone();
        match client.post(&format!("{path}/resign"), &secret, &json!({ "seen": seen })).status {
            200 => break,
            status => assert_eq!(status, 409, "only a move of the computer may come between"),
        }
    }
    let record = client.get(&format!("{path}/record"), &secret);
    assert_eq!(record.status, 200);
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("danzig{}.jsonl", std::process::id()));
    std::fs::write(&file, &record.body).unwrap();
    let verified = glacis().arg("verify").arg(&file).output().unwrap();
    let said = String::from_utf8(verified.stdout).unwrap();
    assert!(verified.status.success(), "{said}");
    assert!(said.contains("the seed revealed is the one committed to"), "{said}");
    // The luck ledger, online and offline, is the same.
    let luck = client.get(&format!("{path}/luck"), &secret).json();
    assert!(luck["text"].as_str().unwrap().contains("the chances are exact"), "{luck}");
    for line in luck["results"].as_array().unwrap() {
        let (more, less) = (line["at_least"].as_f64().unwrap(), line["at_most"].as_f64().unwrap());
        assert!(more + less >= 100.0 && more <= 100.0 && less <= 100.0, "{line}");
        let told = format!(
            "{}: {} {:+},",
            "decisions",
            line["text"].as_str().unwrap(),
            line["actual"].as_i64().unwrap()
        );
        assert!(said.contains(&told), "{told} in {said}");
    }
    assert_eq!(luck, client.get(&format!("{path}/luck"), &secret).json(), "asked twice, the same");
}
