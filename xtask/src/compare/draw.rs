//! Requests drawn by lot from a JSON Schema: mostly small numbers and few optional fields, so that
//! many of them make sense.

use serde_json::{Map, Value, json};

/// A lot that falls the same everywhere.
pub(super) struct Lot(u64);

impl Lot {
    pub(super) fn new(seed: u64, name: &str) -> Self {
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(name.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, mix))
    }

    /// The next 64 bits (`SplitMix64`).
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// One of `count` numbers from 0.
    fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count.max(1)).unwrap_or(1);
        usize::try_from(self.next() % count).unwrap_or(0)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}

/// Draws requests of one question.
pub(super) struct Draw<'a> {
    schema: &'a Value,
    scenes: &'a [Value],
    lot: Lot,
    /// The names of what stands on the scene of this request.
    names: Vec<String>,
}

impl<'a> Draw<'a> {
    pub(super) fn new(schema: &'a Value, scenes: &'a [Value], lot: Lot) -> Self {
        Self { schema, scenes, lot, names: Vec::new() }
    }

    /// The next request.
    pub(super) fn request(&mut self) -> Value {
        let scene = self.lot.pick(self.scenes).cloned().unwrap_or_default();
        let bodies = scene["bodies"].as_array().into_iter().flatten();
        self.names = bodies.filter_map(|body| body["id"].as_str()).map(str::to_owned).collect();
        let mut request = self.value(self.schema, 0);
        if let Some(field) = request.get_mut("scene") {
            *field = self.moved(scene);
        }
        request
    }

    /// A scene with a number or two of it changed, or none.
    fn moved(&mut self, mut scene: Value) -> Value {
        fn numbers<'v>(value: &'v mut Value, found: &mut Vec<&'v mut Value>) {
            match value {
                Value::Number(_) => found.push(value),
                Value::Array(list) => list.iter_mut().for_each(|item| numbers(item, found)),
                Value::Object(fields) => fields.values_mut().for_each(|item| numbers(item, found)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        numbers(&mut scene, &mut found);
        for _ in 0..self.lot.below(3) {
            let place = self.lot.below(found.len());
            if let Some(number) = found.get_mut(place)
                && let Some(was) = number.as_i64()
            {
                **number = json!(was + i64::try_from(self.lot.below(7)).unwrap_or(0) - 3);
            }
        }
        scene
    }

    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.rsplit('/').next().unwrap_or_default();
            return match name {
                "UnitId" => self.counter(),
                "Position" => self.position(),
                _ => self.value(&self.schema["$defs"][name], depth),
            };
        }
        if let Some(only) = schema.get("const") {
            return only.clone();
        }
        if let Some(words) = schema["enum"].as_array() {
            return self.lot.pick(words).cloned().unwrap_or_default();
        }
        for kinds in ["oneOf", "anyOf"] {
            if let Some(kinds) = schema[kinds].as_array() {
                // What may be left open is seldom written as null.
                let said: Vec<&Value> = kinds.iter().filter(|kind| kind["type"] != "null").collect();
                return self.lot.pick(&said).map_or(Value::Null, |kind| self.value(kind, depth));
            }
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds.first().cloned().unwrap_or_default(),
            kind => kind.clone(),
        };
        match kind.as_str() {
            Some("object") => self.object(schema, depth),
            Some("array") => self.array(schema, depth),
            Some("string") => self.string(schema),
            Some("integer") => json!(self.integer(schema)),
            Some("number") => self.number(schema),
            Some("boolean") => json!(self.lot.one_in(3)),
            _ => Value::Null,
        }
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let mut fields = Map::new();
        let required = |name: &str| {
            schema["required"].as_array().is_some_and(|names| names.iter().any(|required| required == name))
        };
        // A field in four, deeper down and among many options fewer.
        let all = schema["properties"].as_object();
        let often = if all.is_some_and(|all| all.len() > 15) { 12 } else { 4 + depth };
        for (name, of) in all.into_iter().flatten() {
            if required(name) || self.lot.one_in(often) {
                let value = if name == "dice" { self.dice() } else { self.value(of, depth + 1) };
                fields.insert(name.clone(), value);
            }
        }
        Value::Object(fields)
    }

    /// One or two dice: most rolls want no more.
    fn dice(&mut self) -> Value {
        (0..=self.lot.below(2)).map(|_| json!(1 + self.lot.below(6))).collect()
    }

    /// A counter of the siege, French or Prussian.
    fn counter(&mut self) -> Value {
        json!(format!("{}{:02}", if self.lot.one_in(2) { 'F' } else { 'P' }, 1 + self.lot.below(45)))
    }

    /// A place before the walls: a point of them, or metres.
    fn position(&mut self) -> Value {
        if self.lot.one_in(2) {
            return json!({ "point": format!("{}{}", if self.lot.one_in(2) { 'H' } else { 'B' }, 1 + self.lot.below(9)) });
        }
        json!({ "x_m": 10 * self.lot.below(250), "y_m": 10 * self.lot.below(150) })
    }

    /// A way over hexes, one row further each time.
    fn way(&mut self, count: u64) -> Value {
        let (column, row) = (1 + self.lot.below(40), 1 + self.lot.below(45));
        (row..).zip(0..count.max(2)).map(|(row, _)| json!(format!("{column:02}{row:02}"))).collect()
    }

    fn array(&mut self, schema: &Value, depth: usize) -> Value {
        if let Some(each) = schema["prefixItems"].as_array() {
            return each.iter().map(|of| self.value(of, depth + 1)).collect();
        }
        let least = schema["minItems"].as_u64().unwrap_or(0);
        let most = schema["maxItems"].as_u64().unwrap_or(least + 3).min(least + 3);
        let count = least + u64::try_from(self.lot.below(4)).unwrap_or(0).min(most - least);
        if schema["items"]["$ref"].as_str().is_some_and(|of| of.ends_with("/Hex")) && !self.lot.one_in(4) {
            return self.way(count);
        }
        (0..count).map(|_| self.value(&schema["items"], depth + 1)).collect()
    }

    fn string(&mut self, schema: &Value) -> Value {
        match schema["pattern"].as_str() {
            // The hexes of the map of 1805, and beyond.
            Some("^[0-9]{4}$") => {
                json!(format!("{:02}{:02}", 1 + self.lot.below(40), 1 + self.lot.below(55)))
            }
            Some("^[HBhb][1-9]$") => {
                json!(format!("{}{}", if self.lot.one_in(2) { 'H' } else { 'B' }, 1 + self.lot.below(9)))
            }
            _ => json!(self.lot.pick(&self.names).cloned().unwrap_or_default()),
        }
    }

    /// Mostly near its lower end, sometimes anywhere.
    fn integer(&mut self, schema: &Value) -> i64 {
        let least = schema["minimum"].as_i64().unwrap_or(-2);
        let most = schema["maximum"].as_i64().unwrap_or(least.saturating_add(8));
        let room = usize::try_from(most.saturating_sub(least).saturating_add(1)).unwrap_or(1);
        let room = if self.lot.one_in(4) { room } else { room.min(8) };
        least + i64::try_from(self.lot.below(room)).unwrap_or(0)
    }

    fn number(&mut self, schema: &Value) -> Value {
        let least = schema["minimum"].as_f64().or(schema["exclusiveMinimum"].as_f64()).unwrap_or(0.0);
        let most = schema["maximum"].as_f64().unwrap_or(least + 60.0);
        let room = if self.lot.one_in(4) { most - least } else { (most - least).min(20.0) };
        let halves = i32::try_from(self.lot.below(1000)).map_or(0.0, f64::from);
        // Halves, so that every build reads the same number.
        json!(((least + room * halves / 1000.0) * 2.0).round() / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_draws_the_same_requests_and_keeps_to_the_schema() {
        let schema = json!({
            "type": "object",
            "properties": {
                "hex": { "type": "string", "pattern": "^[0-9]{4}$" },
                "army": { "enum": ["french", "austro-russian"] },
                "sp": { "$ref": "#/$defs/Points" },
            },
            "required": ["hex", "sp"],
            "$defs": { "Points": { "type": "integer", "minimum": 1, "maximum": 40 } },
        });
        let draw = |seed| {
            let mut draw = Draw::new(&schema, &[], Lot::new(seed, "campaign.supply"));
            (0..50).map(|_| draw.request()).collect::<Vec<_>>()
        };
        assert_eq!(draw(1807), draw(1807));
        assert_ne!(draw(1807), draw(1808));
        for request in draw(1807) {
            assert!(request["hex"].as_str().is_some_and(|hex| hex.len() == 4));
            assert!(request["sp"].as_i64().is_some_and(|sp| (1..=40).contains(&sp)));
            assert!(request.get("army").is_none_or(|army| army == "french" || army == "austro-russian"));
        }
    }
}
