//! Small tables for tests: bodies in one line each.

#![allow(clippy::unwrap_used, clippy::panic, clippy::needless_pass_by_value, reason = "helpers of tests")]
#![allow(dead_code, reason = "each test file uses what it needs")]
use kernel::{Desk, Node, Scripted, Spoken};
use rulebook::options::tabletop::Options;
use serde_json::{Value, json};
use tabletop::fire::declare::{Declaration, Fired, Hit};
use tabletop::fire::ground::{Element, Ground, Part, Slot, Target};
use tabletop::scene::{Scene, Setup};

pub(crate) fn company(name: &str, figures: i32, fire: i32) -> Value {
    json!({ "name": name, "figures": figures, "fire": fire })
}

pub(crate) fn elite(name: &str, figures: i32, fire: i32) -> Value {
    json!({ "name": name, "figures": figures, "fire": fire, "elite": true })
}

pub(crate) fn foot(id: &str, side: &str, companies: &[Value], place: Value) -> Value {
    json!({ "id": id, "side": side, "troops": { "infantry": { "companies": companies } }, "place": place })
}

pub(crate) fn guns(id: &str, calibre: i32, crew: i32, fire: i32, place: Value) -> Value {
    json!({ "id": id, "side": "blue", "place": place, "troops": { "artillery": {
        "calibre": format!("calibre-{calibre}"), "guns": 2 * crew, "crew": crew, "initial_crew": crew, "fire": fire } } })
}

pub(crate) fn stand(x: f64, y: f64, facing: f64, formation: &str) -> Value {
    json!({ "stand": { "at": [x, y], "facing": facing, "formation": formation } })
}

pub(crate) fn column(id: &str, x: f64, y: f64) -> Value {
    let companies: Vec<Value> = (1..=4).map(|k| company(&format!("c{k}"), 3, 4)).collect();
    foot(id, "red", &companies, stand(x, y, 180.0, "company-column"))
}

pub(crate) fn table(bodies: &[Value]) -> Scene {
    with_terrain(&[], bodies)
}

pub(crate) fn with_terrain(terrain: &[Value], bodies: &[Value]) -> Scene {
    let text =
        json!({ "name": "t", "width": 200, "depth": 150, "terrain": terrain, "bodies": bodies }).to_string();
    let setup: Setup = Node::parse(&text).unwrap().read().unwrap_or_else(|fault| panic!("{fault}"));
    setup.check(&Options::default()).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

pub(crate) fn whole(body: usize) -> Element {
    Element { body, part: Part::Whole }
}

pub(crate) fn at(body: usize) -> Target {
    Target { body, side: None }
}

pub(crate) fn fire(scene: &Scene, declared: Declaration, dice: &[u8]) -> Result<Vec<Fired>, kernel::Refusal> {
    let options = Options::default();
    let ground = Ground::new(scene, &options);
    let mut desk = Desk::new(Scripted::new(dice), Spoken::default());
    let fired = ground.resolve(declared, &mut desk)?;
    desk.dice.finish().unwrap();
    Ok(fired)
}

pub(crate) fn hits(scene: &Scene, declared: Declaration, die: u8) -> Vec<Hit> {
    fire(scene, declared, &[die]).unwrap_or_else(|refusal| panic!("{refusal}")).remove(0).hits
}

pub(crate) fn simple(shooter: usize, target: usize) -> Declaration {
    Declaration::new(whole(shooter), Slot::Joint, at(target))
}

pub(crate) fn losses(hits: &[Hit]) -> Vec<i32> {
    hits.iter().map(|hit| hit.losses.count()).collect()
}
