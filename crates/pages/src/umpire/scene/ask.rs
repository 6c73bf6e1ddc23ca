//! What is asked on a scene: who, whom, at what. A query and a scene enter; the request to the umpire
//! leaves, built from the scene where the question itself takes only facts.

use kernel::Phrase;
use rulebook::phrase::umpire as words;
use serde_json::{Map, Value, json};
use tabletop::geometry::Point;
use tabletop::movement::{Pace, rate};
use tabletop::scene::{Body, Element, Kind, ObstacleClass, Scene};
use tabletop::terrain::on_table;

use crate::query::Query;

/// The questions a scene can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    Shoot,
    Sight,
    Move,
    Melee,
    House,
    Obstacle,
    Engineers,
}

impl Ask {
    /// All of them.
    pub(super) const ALL: [Self; 7] =
        [Self::Shoot, Self::Sight, Self::Move, Self::Melee, Self::House, Self::Obstacle, Self::Engineers];

    /// Its name in addresses.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Shoot => "shoot",
            Self::Sight => "sight",
            Self::Move => "move",
            Self::Melee => "melee",
            Self::House => "house",
            Self::Obstacle => "obstacle",
            Self::Engineers => "engineers",
        }
    }

    /// The question of the umpire behind it.
    pub(super) const fn question(self) -> &'static str {
        match self {
            Self::Shoot => "tabletop.shoot",
            Self::Sight => "tabletop.sight",
            Self::Move => "tabletop.move",
            Self::Melee => "tabletop.melee-ground",
            Self::House => "tabletop.house",
            Self::Obstacle => "tabletop.obstacle",
            Self::Engineers => "tabletop.engineers",
        }
    }

    /// The one a query names.
    pub(super) fn of(query: &Query) -> Self {
        let wanted = query.get("ask").unwrap_or("shoot");
        Self::ALL.into_iter().find(|ask| ask.name() == wanted).unwrap_or(Self::Shoot)
    }

    /// What it is called, and what to click on.
    pub(super) const fn phrases(self) -> (Phrase, Phrase) {
        match self {
            Self::Shoot => (words::ASK_SHOOT, words::HINT_SHOOT),
            Self::Sight => (words::ASK_SIGHT, words::HINT_SIGHT),
            Self::Move => (words::ASK_MOVE, words::HINT_MOVE),
            Self::Melee => (words::ASK_MELEE, words::HINT_MELEE),
            Self::House => (words::ASK_HOUSE, words::HINT_HOUSE),
            Self::Obstacle => (words::ASK_OBSTACLE, words::HINT_OBSTACLE),
            Self::Engineers => (words::ASK_ENGINEERS, words::HINT_ENGINEERS),
        }
    }

    /// What the two bodies are to each other; nothing where there is no such body.
    pub(super) const fn roles(self) -> (Option<Phrase>, Option<Phrase>) {
        match self {
            Self::Shoot => (Some(words::ROLE_SHOOTER), Some(words::ROLE_TARGET)),
            Self::Sight => (Some(words::ROLE_OBSERVER), Some(words::ROLE_SEEN)),
            Self::Move => (Some(words::ROLE_MARCHER), None),
            Self::Melee => (Some(words::ROLE_ATTACKER), Some(words::ROLE_DEFENDER)),
            Self::House | Self::Obstacle => (Some(words::ROLE_UNIT), None),
            Self::Engineers => (None, None),
        }
    }

    /// What the piece of ground is to it.
    pub(super) const fn place_role(self) -> Option<Phrase> {
        match self {
            Self::House => Some(words::ROLE_HOUSE),
            Self::Obstacle => Some(words::ROLE_OBSTACLE),
            Self::Engineers => Some(words::ROLE_WORK),
            _ => None,
        }
    }

    /// Whether it is asked of this piece of ground.
    pub(super) const fn takes(self, element: &Element) -> bool {
        match self {
            Self::House => matches!(element.kind, Kind::House(_)),
            Self::Obstacle => matches!(element.kind, Kind::Obstacle(_) | Kind::Redoubt(_)),
            Self::Engineers => matches!(
                element.kind,
                Kind::House(_) | Kind::Obstacle(_) | Kind::Redoubt(_) | Kind::Water(_) | Kind::Abandoned(..)
            ),
            _ => false,
        }
    }

    /// The names of fields in addresses, for those the umpire may refuse.
    pub(super) fn field(self, refused: &str) -> &'static str {
        match refused.rsplit('.').next().unwrap_or(refused).split('[').next().unwrap_or_default() {
            "shooter" | "from" | "attacker" | "body" | "troops" | "class" => "from",
            "target" | "defender" => "to",
            "to" if self == Self::Sight => "to",
            "to" => "way",
            "house" | "length_cm" | "task" => "place",
            "part" => "part",
            "side" => "side",
            "slot" => "slot",
            "quarters" => "quarters",
            "sappers" => "sappers",
            "round" => "round",
            "quarter" => "quarter",
            "dice" => "dice",
            _ => "",
        }
    }
}

/// Who and what was chosen.
pub(super) struct Chosen<'a> {
    pub(super) ask: Ask,
    pub(super) query: &'a Query,
    pub(super) scene: &'a Scene,
    /// The text of the scene, a whole JSON value.
    pub(super) text: &'a str,
}

/// The kind of work sappers do, as it is written.
pub(super) const TASKS: [&str; 6] = [
    "build-bridge",
    "build-light-shelter",
    "destroy-light-shelter",
    "destroy-hard-shelter",
    "destroy-house-or-redoubt",
    "spike-battery",
];

impl<'a> Chosen<'a> {
    /// A body by its place in the scene.
    pub(super) fn place_of(&self, id: &str) -> Option<usize> {
        self.scene.bodies().iter().position(|body| body.id() == id)
    }

    /// The body chosen under this name, if there is one.
    pub(super) fn body(&self, name: &str) -> Option<&'a Body> {
        let id = self.query.get(name)?;
        self.scene.bodies().iter().find(|body| body.id() == id)
    }

    /// The piece of ground chosen.
    pub(super) fn element(&self) -> Option<&'a Element> {
        let id = self.query.get("place")?;
        self.scene.elements().iter().find(|element| element.id == id)
    }

    /// The places of a way.
    pub(super) fn way(&self) -> Vec<[f64; 2]> {
        let text = self.query.get("way").unwrap_or_default();
        let place = |part: &str| {
            let mut numbers = part.split_whitespace().map(|number| number.replace(',', ".").parse::<f64>());
            match (numbers.next(), numbers.next(), numbers.next()) {
                (Some(Ok(x)), Some(Ok(y)), None) => Some([x, y]),
                _ => None,
            }
        };
        text.split(';').filter_map(place).collect()
    }

    /// The request, once enough is chosen; what is not understood is handed on, so that the umpire
    /// refuses it by name.
    pub(super) fn request(&self) -> Option<String> {
        let get = |name: &str| self.query.get(name);
        let mut inner = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                inner.insert(name.to_owned(), value);
            }
        };
        let word = |name: &str| get(name).map(|word| json!(word));
        let number = |name: &str| get(name).map(number);
        let wrap = match self.ask {
            Ask::Shoot => {
                get("from")?;
                put("shooter", word("from"));
                put("target", word("to"));
                put("part", get("part").map(part));
                for name in ["slot", "projectile", "method", "aim"] {
                    put(name, word(name));
                }
                put("side", number("side"));
                put("burn", get("burn").map(|_| json!(true)));
                put("point_blank", get("point_blank").map(|_| json!(true)));
                None
            }
            Ask::Sight => {
                get("from").and(get("to"))?;
                put("from", word("from"));
                put("to", word("to"));
                put("at", word("at"));
                None
            }
            Ask::Move => {
                get("from").and(get("way"))?;
                put("body", word("from"));
                let way = self.way();
                let whole = get("way")
                    .map_or(0, |text| text.split(';').filter(|part| !part.trim().is_empty()).count());
                // A place that cannot be read is refused, not left out.
                put("to", Some(if way.len() == whole { json!(way) } else { json!(get("way")) }));
                put("pace", word("pace"));
                put("quarters", number("quarters"));
                put("road_bonus", get("no_road").map(|_| json!(false)));
                Some("on-table")
            }
            Ask::Melee => {
                get("from").and(get("to"))?;
                put("attacker", word("from"));
                put("defender", word("to"));
                put("round", number("round"));
                Some("on-table")
            }
            Ask::House => {
                get("place")?;
                put("house", word("place"));
                match get("what") {
                    Some("enter") => {
                        get("from")?;
                        put("body", word("from"));
                        put("quarter", number("quarter").or(Some(json!(1))));
                        Some("enter-on-table")
                    }
                    Some("assault") => {
                        get("from")?;
                        put("attacker", word("from"));
                        put("round", number("round"));
                        put("contact_quarter", number("contact_quarter"));
                        Some("assault-on-table")
                    }
                    _ => Some("on-table"),
                }
            }
            Ask::Obstacle => return self.crossing(),
            Ask::Engineers => return self.work(),
        };
        let inner = Value::Object(inner).to_string();
        let inner = inner.trim_start_matches('{');
        let scene = self.text;
        let request = match wrap {
            None => format!("{{\"scene\":{scene},{}{inner}", self.envelope()),
            Some(name) => format!("{{{}\"{name}\":{{\"scene\":{scene},{inner}}}", self.envelope()),
        };
        Some(request)
    }

    /// Dice and options, each with a comma after it.
    fn envelope(&self) -> String {
        let mut text = String::new();
        if let Some(dice) = self.query.get("dice") {
            let dice: Vec<Value> = dice.split_whitespace().map(number).collect();
            text.push_str(&format!("\"dice\":{},", json!(dice)));
        }
        let options: Map<String, Value> =
            self.query.under("options").map(|(name, value)| (name.to_owned(), json!(value))).collect();
        if !options.is_empty() {
            text.push_str(&format!("\"options\":{},", Value::Object(options)));
        }
        text
    }

    /// A body before an obstacle: both from the scene.
    fn crossing(&self) -> Option<String> {
        let (body, element) = (self.body("from")?, self.element()?);
        let line = match &element.kind {
            Kind::Obstacle(line) => line,
            Kind::Redoubt(redoubt) => &redoubt.faces,
            _ => return None,
        };
        let class =
            line.pieces.iter().map(|&(_, _, class)| class).find(|class| *class != ObstacleClass::Open);
        let class = match class? {
            ObstacleClass::Light | ObstacleClass::Open => "light",
            ObstacleClass::Hard => "hard",
            ObstacleClass::HardFinal => "hard-for-good",
            ObstacleClass::House => "redoubt-face",
        };
        let troops = body.troops();
        let half_period = rate(&troops, on_table::rate_class(body), Pace::Normal).ok()?;
        let mut facts = json!({ "arm": troops.arm, "formation": troops.formation, "state": troops.state, "status": troops.status });
        if let Some(front) = troops.front {
            facts["front"] = json!(front.get());
        }
        if let Some(ranks) = troops.ranks {
            facts["ranks"] = json!(ranks.get());
        }
        let crossing = json!({ "class": class, "troops": facts, "half_period_cm": half_period });
        Some(format!("{{{}\"cross\":{crossing}}}", self.envelope()))
    }

    /// Sappers at work on a piece of ground: its length and the nearest wood or house from the scene.
    fn work(&self) -> Option<String> {
        let element = self.element()?;
        let task = self.query.get("task").unwrap_or(match &element.kind {
            Kind::Water(_) => "build-bridge",
            Kind::House(_) | Kind::Redoubt(_) => "destroy-house-or-redoubt",
            Kind::Abandoned(..) => "spike-battery",
            Kind::Obstacle(line) if line.pieces.iter().any(|piece| piece.2 == ObstacleClass::Hard) => {
                "destroy-hard-shelter"
            }
            _ => "destroy-light-shelter",
        });
        let middle = element.extent.low.towards(element.extent.high, 1, 2);
        let length = match &element.kind {
            Kind::Obstacle(line) => Some(line.length()),
            Kind::Redoubt(redoubt) => Some(redoubt.faces.length()),
            Kind::House(house) => house.sides.first().map(|side| side.length),
            Kind::Water(water) => {
                water.banks[0].first().zip(water.banks[1].first()).map(|(a, b)| a.gap_to(*b).rounded())
            }
            _ => None,
        };
        let number = |name: &str, usual: i64| self.query.get(name).map_or(json!(usual), number);
        let mut work =
            json!({ "task": task, "sappers": number("sappers", 4), "quarters": number("quarters", 4) });
        if let Some(length) = length {
            work["length_cm"] = json!(hundredths(length));
        }
        if let Some(far) = self.material(middle, element) {
            work["to_house_or_wood_cm"] = json!(hundredths(far));
        }
        if self.query.get("held").is_some() {
            work["held_by_enemy"] = json!(true);
        }
        Some(format!("{{{}\"work\":{work}}}", self.envelope()))
    }

    /// From a place to the nearest house or wood that is not the work itself.
    fn material(&self, from: Point, work: &Element) -> Option<i64> {
        let stands = self.scene.elements().iter().filter(|element| element.id != work.id);
        let areas = stands.filter(|element| matches!(element.kind, Kind::House(_) | Kind::Wood(..)));
        areas.filter_map(|element| element.area().map(|area| area.gap_to_outline(from).rounded())).min()
    }
}

/// Centimetres from hundredths, as JSON writes them.
#[allow(clippy::cast_precision_loss, reason = "lengths on a table are small")]
pub(super) fn hundredths(length: i64) -> f64 {
    length as f64 / 100.0
}

/// A number, or the text as it is.
fn number(text: &str) -> Value {
    match serde_json::from_str::<Value>(&text.replace(',', ".")) {
        Ok(value @ Value::Number(_)) => value,
        _ => json!(text),
    }
}

/// `face:0`, `side:2` or `company:grenadiers`.
fn part(text: &str) -> Value {
    match text.split_once(':') {
        Some((kind @ ("face" | "side"), which)) => json!({ kind: number(which) }),
        Some(("company", name)) => json!({ "company": name }),
        _ => json!(text),
    }
}
