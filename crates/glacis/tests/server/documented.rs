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
/// holds every reply and event, and every one that is shown as an example, against the schema of its operation;
/// then looks at a game of every system.
const DESCRIBED: &str = r##"
import json, os, urllib.error, urllib.request
from jsonschema import Draft202012Validator

server = os.environ["GLACIS"]
def ask(method, path, body=None, secret=""):
    return urllib.request.urlopen(urllib.request.Request(server + path,
        json.dumps(body).encode() if body is not None else None,
        {"Authorization": "Bearer " + secret, "Accept-Language": "en"}, method=method))

api = json.load(ask("GET", "/api"))
operations = {operation["operationId"]: (method.upper(), path, operation)
    for path, methods in api["paths"].items() for method, operation in methods.items()}
def parts(operation):
    reply = next(reply for status, reply in operation["responses"].items() if status.startswith("2"))
    request = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return request, next(iter(reply["content"].values()))
def hold(name, schema, value):
    faults = list(Draft202012Validator({**schema, "components": api["components"]}).iter_errors(value))
    assert not faults, (name, faults[0].message[:600], list(faults[0].absolute_path), str(value)[:300])
def events(lines):  # each event of a stream as its fields, its data read as JSON
    event = {}
    for line in lines:
        line = line.rstrip("\n") if isinstance(line, str) else line.decode().rstrip("\n")
        if line and not line.startswith(":"):
            name, value = line.split(": ", 1)
            event[name] = value if name == "event" else json.loads(value)
        elif event:
            event.pop("retry", None)
            yield event
            event = {}
def hold_any(name, part, value):  # a reply as it comes: a tree, or a text of some kind
    hold(name, part["schema"], value)
    for event in events(value.split("\n")) if part["schema"].get("contentSchema") else []:
        hold(name, part["schema"]["contentSchema"], event)

shown = 0
for name, (_, _, operation) in operations.items():
    for part in parts(operation) + (operation["responses"]["default"]["content"]["application/json"],):
        if "example" in part:
            hold_any(name, part, part["example"])
            shown += 1

sent = set()
def send(name, query="", **told):
    method, path, operation = operations[name]
    request, reply = parts(operation)
    body = {**request["example"], **told} if "example" in request else None
    text = ask(method, path.format(game=game, word=word) + query, body, secret).read().decode()
    answer = json.loads(text) if "contentMediaType" not in reply["schema"] else text
    hold_any(name, reply, answer)
    sent.add(name)
    return answer
def listen(name, count):  # the first events of a stream
    _, path, operation = operations[name]
    heard = events(ask("GET", path.format(game=game, word=word), None, secret))
    for event in [next(heard) for _ in range(count)]:
        hold(name, parts(operation)[1]["schema"]["contentSchema"], event)
    sent.add(name)

game, secret, word = "", "", ""
created = send("createGame")
game = created["game"]
secret = next(seat["secret"] for seat in created["seats"] if seat["side"] == "prussian")
for name in ["health", "describe", "listSystems", "listQuestions", "listGames", "viewGame", "listActions"]:
    send(name)
listen("streamEvents", 1)
for n, name in enumerate(["act", "addWords", "offer", "answerOffer", "undo", "pledge", "resign"]):
    happened = send(name, **({} if name == "pledge" else {"seen": n}))
    assert happened["n"] == n + 1, happened
for name in ["viewGame", "listActions", "readLog", "luck", "record", "importGame"]:
    send(name)
word = send("shareTable")["word"]
for name, query in [("readTable", ""), ("changeTable", "?seen=0"), ("readTable", ""), ("readTable", "?seen=1")]:
    send(name, query)
listen("streamTable", 1)
try:
    send("changeTable", "?seen=0")
    raise SystemExit("a change that came too late was taken")
except urllib.error.HTTPError as late:
    hold("changeTable", operations["changeTable"][2]["responses"]["409"]["content"]["application/json"]["schema"], json.load(late))
path, feed = operations["feed"][1], created["seats"][0]["feed"]
assert "<feed" in ask("GET", feed[feed.index("/feed/"):]).read().decode()
sent.add("feed")
for name in [name for name in operations if name.startswith("ask")]:
    request, reply = parts(operations[name][2])
    assert send(name) == reply["example"], name
    send("schema" + name[3:])
unsent = operations.keys() - sent
assert not unsent, unsent

# A game of every system, some orders long: its view, what it offers and what is heard of it.
looked = 0
for system in send("listSystems"):
    for scenario in system["scenarios"]:
        machine = {system["sides"][1]: "sensible"}
        created = send("createGame", system=system["system"], scenario=scenario, seats=machine)
        game, secret = created["game"], created["seats"][0]["secret"]
        heard = events(ask("GET", "/api/games/" + game + "/events?actions=true", None, secret))
        for step in range(12):
            event = next(heard)
            hold("streamEvents", {"$ref": "#/components/schemas/GameEvent"}, event)
            own = event["data"].get("actions")
            if own:
                send("viewGame")
                order = {"seen": event["data"]["n"], "action": own[step * 7 % len(own)]}
                hold("act", parts(operations["act"][2])[0]["schema"], order)
                send("act", **order)
                looked += 1
print(len(operations), "operations,", len(sent), "sent,", shown, "examples,", looked, "positions")
"##;

#[test]
fn the_examples_of_the_description_are_sent_and_answered_in_the_shapes_it_tells() {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python");
    let python = python.to_str().unwrap();
    let Some((output, said)) = run(python, &[python, "-c"], DESCRIBED) else { return };
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    eprintln!("{said}");
    assert!(said.contains(" positions"), "{said}");
}
