//! Large tables for measurements: always the same for the same number of bodies.

#![allow(clippy::unwrap_used, clippy::panic, clippy::needless_pass_by_value, reason = "helpers of tests")]
#![allow(dead_code, reason = "each test file uses what it needs")]
use rulebook::options::tabletop::Options;
use serde_json::{Value, json};
use tabletop::scene::{Scene, Setup};

/// A table with so many bodies of fifteen figures on average, and four terrain elements for three bodies, in
/// two armies that face each other in ranks of cells 25 cm wide.
pub(crate) fn setup(bodies: usize) -> Value {
    let columns = (bodies / 6).clamp(5, 39);
    let width = 25 * columns + 5;
    let mut terrain =
        vec![json!({ "id": "road", "shape": { "road": { "axis": [[0, 4], [width, 4]], "width": 4 } } })];
    let mut list = Vec::new();
    for k in 0..bodies {
        let (blue, place) = (k % 2 == 0, k / 2);
        let (column, row) = (place % columns, place / columns);
        #[allow(clippy::cast_precision_loss)]
        let x = 12.0 + 25.0 * column as f64 + (k % 3) as f64;
        #[allow(clippy::cast_precision_loss)]
        let depth = 30.0 * row as f64;
        let (y, facing) = if blue { (122.0 - depth, 0.0) } else { (137.0 + depth, 180.0) };
        let formation = ["line", "company-column", "skirmish", "line", "company-column"][k % 5];
        let count = if formation == "skirmish" { 1 } else { 5 };
        let companies: Vec<Value> = (0..count)
            .map(|c| json!({ "name": format!("c{c}"), "figures": if count == 1 { 10 } else if formation == "line" { 3 } else { 4 }, "fire": 4 + c % 3 }))
            .collect();
        let troops = if k % 11 == 10 {
            json!({ "artillery": { "calibre": "calibre-8", "guns": 8, "fire": 6 } })
        } else {
            json!({ "infantry": { "companies": companies } })
        };
        let formation = if k % 11 == 10 { "in-position" } else { formation };
        let mut stand = json!({ "at": [x, y], "facing": facing, "formation": formation });
        if formation == "skirmish" {
            stand["front"] = json!(5);
        }
        list.push(json!({ "id": format!("b{k}"), "side": if blue { "blue" } else { "red" },
            "troops": troops, "place": { "stand": stand } }));
    }
    let elements = bodies * 4 / 3 - 1;
    for k in 0..elements {
        let (column, row) = (k % columns, k / columns);
        let (x, y) = (25 * column, [128, 100, 160, 68, 192, 40, 222, 10][row % 8]);
        let shape = match k % 4 {
            0 => json!({ "wood": { "outline": [[x + 1, y], [x + 7, y], [x + 7, y + 4], [x + 1, y + 5]] } }),
            1 => json!({ "obstacle": { "line": [[x + 1, y + 1], [x + 18, y + 2]], "class": "light" } }),
            2 => {
                json!({ "field": { "kind": "ploughed", "outline": [[x + 1, y], [x + 15, y], [x + 15, y + 6], [x + 1, y + 6]] } })
            }
            _ => json!({ "hill": { "outline": [[x + 1, y], [x + 13, y], [x + 13, y + 9], [x + 1, y + 9]],
                "crest": [[x + 3, y + 4], [x + 11, y + 5]] } }),
        };
        terrain.push(json!({ "id": format!("e{k}"), "shape": shape }));
    }
    json!({ "name": "large", "width": width, "depth": 260, "terrain": terrain, "bodies": list })
}

/// The same, checked.
pub(crate) fn scene(bodies: usize) -> Scene {
    let text = setup(bodies).to_string();
    let setup: Setup = kernel::Node::parse(&text).unwrap().read().unwrap_or_else(|fault| panic!("{fault}"));
    setup.check(&Options::default()).unwrap_or_else(|faults| panic!("{}", faults[0]))
}
