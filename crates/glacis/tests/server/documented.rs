//! The programs of `docs/api.md`, run as they stand there, against the real server.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::house::{Served, sqlite};

/// The one program of the page that is written in this language.
fn program(language: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks: Vec<&str> = page.split(&format!("```{language}\n")).skip(1).collect();
    let [block] = blocks.as_slice() else { panic!("{} programs in {language}", blocks.len()) };
    block.split("```\n").next().unwrap().to_owned()
}

/// Runs it, unless what it needs is not there.
fn run(needs: &str, command: &[&str], program: &str) -> Option<(Output, String)> {
    let here = Command::new(needs).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !here.is_ok_and(|status| status.success()) {
        eprintln!("skipped (1): there is no {needs} here");
        return None;
    }
    let served = Served::open(&sqlite(), &["--lang", "en"]);
    let output = Command::new(command[0])
        .args(&command[1..])
        .arg(program)
        .env("GLACIS", format!("http://{}", served.address))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Some((output, said))
}

#[test]
fn a_game_is_created_heard_played_and_the_umpire_asked_in_25_lines_of_python() {
    let program = program("python");
    assert!(program.lines().count() <= 25, "{} lines", program.lines().count());
    let Some((output, said)) = run("python3", &["python3", "-c"], &program) else { return };
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.lines().filter(|line| line.starts_with("entry ")).count(), 5, "{said}");
    assert!(said.contains("DZ-") && said.contains("'p': '1/3'"), "{said}");
}

#[test]
fn the_same_in_25_lines_of_curl() {
    let program = program("sh");
    assert!(program.lines().count() <= 25, "{} lines", program.lines().count());
    let Some((output, said)) = run("curl", &["sh", "-ec"], &program) else { return };
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    for part in [
        "\"kind\":\"set-up-the-rest\"",
        "{\"n\":1,",
        "event: happened",
        "event: state",
        "the game has moved on",
        "409",
        "{\"answer\":{\"factor\":6,\"losses\":60",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

/// Sends every example of the description to the server that describes itself, in a game of its own, and
/// holds every reply, and every reply that is shown as an example, against the schema of its operation.
const DESCRIBED: &str = r##"
import json, os, urllib.request
from jsonschema import Draft202012Validator

server = os.environ["GLACIS"]
def call(method, path, body=None, secret=""):
    request = urllib.request.Request(server + path, json.dumps(body).encode() if body is not None else None,
        {"Authorization": "Bearer " + secret, "Accept-Language": "en"}, method=method)
    return json.load(urllib.request.urlopen(request))

api = call("GET", "/api")
operations = {operation["operationId"]: (method.upper(), path, operation)
    for path, methods in api["paths"].items() for method, operation in methods.items()}
def parts(operation):
    reply = next(reply for status, reply in operation["responses"].items() if status.startswith("2"))
    request = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return request, next(iter(reply["content"].values()))
def hold(name, schema, value):
    faults = list(Draft202012Validator({**schema, "components": api["components"]}).iter_errors(value))
    assert not faults, (name, faults[0].message, list(faults[0].absolute_path), str(value)[:300])

shown = 0
for name, (_, _, operation) in operations.items():
    for part in parts(operation):
        if "example" in part:
            hold(name, part["schema"], part["example"])
            shown += 1

def send(name, **told):
    method, path, operation = operations[name]
    request, reply = parts(operation)
    body = {**request["example"], **told} if "example" in request else None
    answer = call(method, path.replace("{game}", game), body, secret)
    hold(name, reply["schema"], answer)
    return answer

game, secret = "", ""
created = send("createGame")
game = created["game"]
secret = next(seat["secret"] for seat in created["seats"] if seat["side"] == "prussian")
sent = ["createGame"]
for name in ["health", "listSystems", "listQuestions", "listGames", "viewGame", "listActions"]:
    send(name)
    sent.append(name)
for n, name in enumerate(["act", "addWords", "offer", "answerOffer", "undo", "pledge", "resign"]):
    happened = send(name, **({} if name == "pledge" else {"seen": n}))
    assert happened["n"] == n + 1, happened
    sent.append(name)
for name in ["viewGame", "listActions", "readLog", "luck"]:
    send(name)
    sent.append(name)
for name in [name for name in operations if name.startswith("ask")]:
    request, reply = parts(operations[name][2])
    assert send(name) == reply["example"], name
    send("schema" + name[3:])
    sent.append(name)
unsent = [name for name, (_, _, operation) in operations.items() if "example" in parts(operation)[0] and name not in sent]
assert not unsent, unsent
print(len(operations), "operations,", len(set(sent)), "sent,", shown, "examples")
"##;

#[test]
fn the_examples_of_the_description_are_sent_and_answered_in_the_shapes_it_tells() {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python");
    let python = python.to_str().unwrap();
    let Some((output, said)) = run(python, &[python, "-c"], DESCRIBED) else { return };
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains(" sent, "), "{said}");
}
