//! Questions of the operational map: what a march costs, what a volley does, how a melee ends. A
//! request as plain facts enters; the answer comes from the very rules of the game.

use kernel::{Clerk, Effect, Question, Refusal, Verdict, Whole};
use rulebook::{phrase::danzig_ops as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ops::{
    Against, AttackGround, Bar, Cover, Edge, Exposure, Field, FightFacts, Fighter, FireFacts, Firer, Heading,
    Hex, Mover, Stride, Terrain, attack_strength, defence_strength, fight, make, map, shot,
};
use crate::series::{FireResult, MeleeOdds, Toll};
use crate::{Arm, Formation, Options, Place, Side, Table, UnitId, UnitSet};

/// The questions of the operational map.
pub(super) fn questions() -> Vec<rulebook::Asking> {
    vec![
        rulebook::question::<MoveQuestion>(),
        rulebook::question::<FireQuestion>(),
        rulebook::question::<MeleeQuestion>(),
    ]
}

/// `danzig.move`: what it costs a counter to go along hexes, and what fire of the fortress it draws.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveQuestion;

/// A counter standing on the map.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Standing {
    unit: UnitId,
    hex: Hex,
    facing: Option<Heading>,
    formation: Option<Formation>,
}

/// A march.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveRequest {
    /// Who marches.
    unit: UnitId,
    /// The hex it stands in, then those it enters.
    path: Vec<Hex>,
    facing: Option<Heading>,
    formation: Option<Formation>,
    /// Other counters on the map.
    #[serde(default)]
    others: Vec<Standing>,
    /// Built redoubts.
    #[serde(default)]
    redoubts: Vec<Hex>,
    /// The two ends of the bridge.
    bridge: Option<(Hex, Hex)>,
    /// Trenches have been opened.
    #[serde(default)]
    siege_works: bool,
    /// The concentration area has been entered.
    #[serde(default)]
    concentration_entered: bool,
}

/// What a march costs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct MoveAnswer {
    /// Movement points spent in all.
    mp: u8,
    /// What each hex cost.
    costs: Vec<u8>,
    /// Whether the unit must stop where it is.
    halted: bool,
    /// Attacks of the fortress it draws on the way.
    fortress_attacks: u8,
}

fn facing_of(
    table: &mut Table,
    unit: UnitId,
    hex: Hex,
    facing: Option<Heading>,
    formation: Option<Formation>,
) {
    let adapts = map().terrain(hex).adapts() && !unit.data().arm.is_artillery();
    let counter = table.unit_mut(unit);
    counter.place = Place::Hex(hex);
    counter.facing = facing.unwrap_or_default() as u16;
    let usual = if adapts { Formation::Adapted } else { Formation::at_entry(unit.data().arm) };
    counter.formation = formation.unwrap_or(usual);
}

/// Whether an arm knows a formation.
const fn knows(arm: Arm, formation: Formation) -> bool {
    match arm {
        Arm::Infantry => matches!(
            formation,
            Formation::Column
                | Formation::Line
                | Formation::Square
                | Formation::Skirmish
                | Formation::Adapted
        ),
        Arm::LightCavalry | Arm::HeavyCavalry => {
            matches!(formation, Formation::Formed | Formation::Blown | Formation::Adapted)
        }
        _ => matches!(formation, Formation::Limbered | Formation::Unlimbered),
    }
}

fn check_formation(arm: Arm, formation: Formation, field: String) -> Verdict<()> {
    if knows(arm, formation) {
        Ok(())
    } else {
        Err(Refusal::rule(rule!(DZ_R94), phrase::FORMATION_ARM).at(field))
    }
}

impl MoveRequest {
    fn table(&self, options: &Options) -> Verdict<Table> {
        let mut table = crate::setup::table(*options);
        table.danzig.siege_works_begun = self.siege_works;
        table.danzig.concentration_entered = self.concentration_entered;
        table.ops.bridge = self.bridge;
        for (at, &hex) in self.redoubts.iter().enumerate() {
            let Some(place) = map().cell(hex).redoubt else {
                return Err(
                    Refusal::rule(rule!(DZ_3_8_3_01), phrase::REDOUBT_NONE).at(format!("redoubts.{at}"))
                );
            };
            table.ops.redoubts |= 1 << place;
        }
        for (at, other) in self.others.iter().enumerate() {
            if let Some(formation) = other.formation {
                check_formation(other.unit.data().arm, formation, format!("others.{at}.formation"))?;
            }
            facing_of(&mut table, other.unit, other.hex, other.facing, other.formation);
        }
        Ok(table)
    }
}

impl Question for MoveQuestion {
    const NAME: &'static str = "danzig.move";
    type Options = Options;
    type Request = MoveRequest;
    type Answer = MoveAnswer;

    fn answer(request: &MoveRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<MoveAnswer> {
        let mut table = request.table(options)?;
        let unit = request.unit;
        let Some((&start, rest)) = request.path.split_first() else {
            return Err(Refusal::field("path", kernel::phrase::WRONG_LENGTH)
                .with("found", 0)
                .with("expected", 1));
        };
        if let Some(formation) = request.formation {
            check_formation(unit.data().arm, formation, "formation".to_owned())?;
        }
        facing_of(&mut table, unit, start, request.facing, request.formation);
        let mut mover = Mover::fresh(UnitSet::of(unit));
        let mut answer = MoveAnswer { mp: 0, costs: Vec::new(), halted: false, fortress_attacks: 0 };
        let mut from = start;
        for (at, &to) in rest.iter().enumerate() {
            let field = format!("path.{}", at + 1);
            let side = from.towards(to).ok_or_else(|| Refusal::from(Bar::NotAdjacent).at(field.clone()))?;
            let exposed = Field::of(&table).fortress_exposure(from) == Exposure::Shaded;
            if exposed && unit.side() == Side::French {
                clerk.because(rule!(DZ_3_1_1_01), Effect::Set(7.into()));
                answer.fortress_attacks += 1;
            }
            let before = mover.spent;
            make(&mut table, &mut mover, Stride::Go(side), clerk)
                .map_err(|bar| Refusal::from(bar).at(field))?;
            answer.costs.push(mover.spent - before);
            from = to;
        }
        answer.mp = mover.spent;
        answer.halted = mover.halted;
        Ok(answer)
    }
}

/// `danzig.fire`: one attack by fire on the operational map; one die.
#[derive(Clone, Copy, Debug)]
pub(super) struct FireQuestion;

/// Who fires.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FirerKind {
    /// A battalion.
    Battalion,
    /// A regiment.
    Regiment,
    /// A French double battery.
    FrenchBattery,
    /// The reserve battery of Lannes.
    ReserveBattery,
    /// A Russian battery.
    RussianBattery,
    /// The fortress, at a unit that leaves a shaded hex.
    Fortress,
    /// The fortress, one hex outside the shaded zone.
    FortressRing1,
    /// Two hexes outside.
    FortressRing2,
    /// Three hexes outside.
    FortressRing3,
}

/// One firer.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FirerFacts {
    kind: FirerKind,
    formation: Option<Formation>,
    steps: Option<Whole<1, 8>>,
    /// Hexes to the target: 1 to 5, by default 1.
    distance: Option<Whole<1, 5>>,
}

/// What is fired at.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TargetFacts {
    #[serde(default = "clear")]
    terrain: Terrain,
    #[serde(default)]
    redoubt: bool,
    #[serde(default)]
    camp_hexside: bool,
    #[serde(default)]
    skirmish: bool,
    /// Unlimbered artillery alone in the open.
    #[serde(default)]
    guns_alone: bool,
    /// A square, or six steps or more in column.
    #[serde(default)]
    dense: bool,
    /// The fire comes through the flank or rear of a line or battery.
    #[serde(default)]
    flank: bool,
    /// Limbered or disordered.
    #[serde(default)]
    helpless: bool,
}

const fn clear() -> Terrain {
    Terrain::Clear
}

/// An attack by fire.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FireRequest {
    firers: Vec<FirerFacts>,
    target: TargetFacts,
}

/// What a shot does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct FireAnswer {
    /// The fire value used.
    factor: i32,
    /// The modified die.
    roll: i32,
    /// Steps lost.
    steps: u8,
    /// Whether every unit of the target tests its morale.
    morale_test: bool,
}

impl FirerFacts {
    fn factor(&self) -> i32 {
        let steps = |full: i32| u8::try_from(self.steps.map_or(full, Whole::get)).unwrap_or(1);
        let formation = self.formation.unwrap_or(Formation::Line);
        let firer = match self.kind {
            FirerKind::Battalion => Firer::Battalion(formation),
            FirerKind::Regiment => Firer::Regiment(formation, steps(4)),
            FirerKind::FrenchBattery => Firer::FrenchGuns(steps(5)),
            FirerKind::ReserveBattery => Firer::ReserveGuns(steps(6)),
            FirerKind::RussianBattery => Firer::RussianGuns(steps(6)),
            FirerKind::Fortress => return Exposure::Shaded.fire_value(),
            FirerKind::FortressRing1 => return Exposure::Ring(1).fire_value(),
            FirerKind::FortressRing2 => return Exposure::Ring(2).fire_value(),
            FirerKind::FortressRing3 => return Exposure::Ring(3).fire_value(),
        };
        i32::from(firer.factor(u16::try_from(self.distance.map_or(1, Whole::get)).unwrap_or(1)))
    }

    const fn is_fortress(&self) -> bool {
        matches!(
            self.kind,
            FirerKind::Fortress
                | FirerKind::FortressRing1
                | FirerKind::FortressRing2
                | FirerKind::FortressRing3
        )
    }
}

impl Question for FireQuestion {
    const NAME: &'static str = "danzig.fire";
    type Options = Options;
    type Request = FireRequest;
    type Answer = FireAnswer;

    fn answer(request: &FireRequest, _: &Options, clerk: &mut impl Clerk) -> Verdict<FireAnswer> {
        let mut facts = FireFacts::default();
        let fortress = request.firers.iter().any(FirerFacts::is_fortress);
        if request.firers.is_empty() || (fortress && request.firers.len() > 1) {
            return Err(Refusal::rule(rule!(DZ_3_5_01), phrase::CANNOT_FIRE).at("firers"));
        }
        for (at, firer) in request.firers.iter().enumerate() {
            if let Some(formation) = firer.formation {
                let arm = match firer.kind {
                    FirerKind::Battalion | FirerKind::Regiment => Arm::Infantry,
                    _ => Arm::FieldArtillery,
                };
                check_formation(arm, formation, format!("firers.{at}.formation"))?;
            }
            let factor = firer.factor();
            if factor == 0 {
                return Err(Refusal::from(Bar::OutOfRange).at(format!("firers.{at}.distance")));
            }
            let rule = if fortress { rule!(DZ_R37) } else { rule!(DZ_3_5_01) };
            clerk.because(rule, Effect::Modifier(factor));
            facts.factor += factor;
        }
        let target = &request.target;
        facts.cover =
            Cover { terrain: target.terrain, redoubt: target.redoubt, camp_side: target.camp_hexside };
        if !fortress {
            facts.skirmish = target.skirmish;
            facts.guns_alone = target.guns_alone;
            facts.dense = target.dense;
            facts.raked = target.flank;
            facts.helpless = target.helpless;
        }
        let strike = shot(&facts, clerk).map_err(|bar| Refusal::from(bar).at("target"))?;
        let village = target.terrain == Terrain::Village && !target.redoubt;
        if village && strike.result == FireResult::Test {
            clerk.applied(rule!(DZ_TET_05));
        }
        Ok(FireAnswer {
            factor: strike.factor,
            roll: strike.roll,
            steps: strike.result.steps(),
            morale_test: strike.result == FireResult::Test && !village,
        })
    }
}

/// `danzig.melee`: one melee on the operational map; one die.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeleeQuestion;

/// One attacking counter.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AttackerFacts {
    arm: Arm,
    formation: Formation,
    steps: Whole<1, 8>,
    /// What covers its own hex.
    #[serde(default = "clear")]
    from: Terrain,
    #[serde(default)]
    uphill: bool,
    #[serde(default)]
    stream: bool,
    #[serde(default)]
    bridge: bool,
    #[serde(default)]
    camp_hexside: bool,
}

/// One defending counter.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DefenderFacts {
    arm: Arm,
    formation: Formation,
    steps: Whole<1, 8>,
    #[serde(default)]
    disordered: bool,
    #[serde(default)]
    countercharging: bool,
}

/// A melee.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MeleeRequest {
    attackers: Vec<AttackerFacts>,
    defenders: Vec<DefenderFacts>,
    /// What covers the hex of the defenders.
    #[serde(default = "clear")]
    terrain: Terrain,
    #[serde(default)]
    redoubt: bool,
    /// The attackers charge.
    #[serde(default)]
    charge: bool,
    /// Through a flank or rear.
    #[serde(default)]
    flank: bool,
    /// From two opposite or three hexsides.
    #[serde(default)]
    surrounded: bool,
}

/// How a melee ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct MeleeAnswer {
    /// The column used.
    odds: MeleeOdds,
    /// The die.
    die: u8,
    /// What the attackers suffer.
    attacker: Toll,
    /// What the defenders suffer, a village considered.
    defender: Toll,
}

fn small(number: Whole<1, 8>) -> u8 {
    u8::try_from(number.get()).unwrap_or(1)
}

fn strength(request: &MeleeRequest, at: usize, who: &AttackerFacts, clerk: &mut impl Clerk) -> Verdict<u32> {
    let named = |field: &str| format!("attackers.{at}.{field}");
    check_formation(who.arm, who.formation, named("formation"))?;
    let refuse = |bar: Bar, field: &str| Err(Refusal::from(bar).at(named(field)));
    if who.arm.is_artillery() {
        return refuse(Bar::GunsNeverAttack, "arm");
    }
    if who.formation == Formation::Square {
        return refuse(Bar::NeverAttacks, "formation");
    }
    if who.arm.is_cavalry() && (request.redoubt || who.camp_hexside) {
        return refuse(Bar::CavalryAtWorks, "arm");
    }
    if who.bridge && who.arm == Arm::Infantry && who.formation != Formation::Column {
        return refuse(Bar::BridgeColumn, "formation");
    }
    if request.charge && !who.arm.is_cavalry() {
        return refuse(Bar::NotCavalry, "arm");
    }
    let fighter = Fighter {
        arm: who.arm,
        formation: who.formation,
        disordered: false,
        steps: small(who.steps),
        charging: request.charge,
    };
    let over = AttackGround {
        from: who.from,
        into: request.terrain,
        redoubt: request.redoubt,
        edge: Edge::made(who.uphill, who.stream, who.camp_hexside),
        bridge: who.bridge,
    };
    let square = request.defenders.iter().any(|who| who.formation == Formation::Square);
    Ok(attack_strength(&fighter, &over, Against { square }, clerk))
}

impl Question for MeleeQuestion {
    const NAME: &'static str = "danzig.melee";
    type Options = Options;
    type Request = MeleeRequest;
    type Answer = MeleeAnswer;

    fn answer(request: &MeleeRequest, _: &Options, clerk: &mut impl Clerk) -> Verdict<MeleeAnswer> {
        if matches!(request.terrain, Terrain::City | Terrain::Fort | Terrain::Sea) {
            return Err(Refusal::from(Bar::FrenchAtWalls).at("terrain"));
        }
        if request.attackers.is_empty() {
            return Err(Refusal::from(Bar::NobodyAttacks).at("attackers"));
        }
        if request.defenders.is_empty() {
            return Err(Refusal::from(Bar::NoTarget).at("defenders"));
        }
        let mut facts = FightFacts {
            flank: request.flank,
            surrounded: request.surrounded,
            disordered: request.defenders.iter().all(|who| who.disordered),
            ..FightFacts::default()
        };
        for (at, who) in request.attackers.iter().enumerate() {
            facts.attack += strength(request, at, who, clerk)?;
        }
        let ground = if request.redoubt { Terrain::Clear } else { request.terrain };
        for (at, who) in request.defenders.iter().enumerate() {
            check_formation(who.arm, who.formation, format!("defenders.{at}.formation"))?;
            let fighter = Fighter {
                arm: who.arm,
                formation: who.formation,
                disordered: who.disordered,
                steps: small(who.steps),
                charging: who.countercharging,
            };
            facts.defence += defence_strength(&fighter, ground, request.charge, clerk);
        }
        let fought = fight(&facts, clerk);
        let defender = fought.result.defender.in_ground(ground, clerk);
        Ok(MeleeAnswer { odds: fought.odds, die: fought.die, attacker: fought.result.attacker, defender })
    }
}

#[cfg(test)]
mod tests {
    use rulebook::Lang;
    use serde_json::{Value, json};

    fn ask(name: &str, request: &Value) -> Value {
        let question = super::questions().into_iter().find(|asking| asking.name == name).unwrap();
        serde_json::from_str(&question.ask(&request.to_string(), Lang::En).json).unwrap()
    }

    #[test]
    fn a_march_costs_what_the_terrain_says() {
        let reply = ask(
            "danzig.move",
            &json!({ "unit": "F01", "path": ["0901", "0902", "0903", "1003", "1104", "1204", "1305", "1405", "1506"] }),
        );
        assert_eq!(reply["answer"]["mp"], 8);
        assert_eq!(reply["answer"]["halted"], false);
        let reply = ask(
            "danzig.move",
            &json!({ "unit": "F45", "path": ["2403", "2404", "2405", "2406", "2407", "2408"] }),
        );
        assert_eq!(reply["refused"]["field"], "path.5");
        assert_eq!(reply["refused"]["rule"], "DZ-3.3.2-01");
        let reply = ask("danzig.move", &json!({ "unit": "F01", "path": ["3717", "3817", "3917", "4017"] }));
        assert_eq!(reply["answer"]["fortress_attacks"], 3);
        let zone = json!({ "unit": "F01", "path": ["2407", "2408", "2409", "2309"],
                           "others": [{ "unit": "P18", "hex": "2410", "facing": "west" }] });
        assert_eq!(ask("danzig.move", &zone)["refused"]["field"], "path.3");
        let far = json!({ "unit": "F01", "path": ["2407", "2607"] });
        assert_eq!(ask("danzig.move", &far)["refused"]["field"], "path.1");
        let gun = json!({ "unit": "F32", "path": ["2407"], "formation": "square" });
        assert_eq!(ask("danzig.move", &gun)["refused"]["field"], "formation");
    }

    #[test]
    fn a_shot_gives_its_odds_or_its_result() {
        let fortress = json!({ "firers": [{ "kind": "fortress" }], "target": {} });
        let reply = ask("danzig.fire", &fortress);
        assert_eq!(reply["odds"].as_array().unwrap().len(), 6);
        let battery = json!({ "firers": [{ "kind": "french-battery", "distance": 2 }],
                              "target": { "terrain": "forest", "helpless": true }, "dice": [5] });
        let reply = ask("danzig.fire", &battery);
        assert_eq!(reply["answer"], json!({ "factor": 3, "roll": 6, "steps": 1, "morale_test": false }));
        let far = json!({ "firers": [{ "kind": "battalion", "distance": 2 }], "target": {} });
        assert_eq!(ask("danzig.fire", &far)["refused"]["field"], "firers.0.distance");
        let covered = json!({ "firers": [{ "kind": "battalion", "formation": "column" }], "target": { "redoubt": true } });
        assert_eq!(ask("danzig.fire", &covered)["refused"]["rule"], "DZ-TET-05");
    }

    #[test]
    fn a_melee_counts_strengths_and_shifts() {
        let column = |steps: u8| json!({ "arm": "infantry", "formation": "column", "steps": steps });
        let request = json!({ "attackers": [column(4)], "defenders": [column(2)], "dice": [5] });
        let reply = ask("danzig.melee", &request);
        assert_eq!(reply["answer"]["odds"], "2:1");
        assert_eq!(reply["answer"]["defender"], json!({ "steps": 1, "disordered": true, "test": false }));
        let village = json!({ "attackers": [column(8)], "defenders": [{ "arm": "infantry", "formation": "adapted", "steps": 2 }],
                              "terrain": "village", "dice": [4] });
        let reply = ask("danzig.melee", &village);
        assert_eq!(
            (&reply["answer"]["odds"], &reply["answer"]["defender"]["steps"]),
            (&json!("2:1"), &json!(1))
        );
        let horse = json!({ "attackers": [{ "arm": "light-cavalry", "formation": "formed", "steps": 3 }],
                            "defenders": [column(2)], "redoubt": true });
        assert_eq!(ask("danzig.melee", &horse)["refused"]["rule"], "DZ-R106");
        let flanked =
            json!({ "attackers": [column(2)], "defenders": [column(2)], "flank": true, "surrounded": true });
        let reply = ask("danzig.melee", &flanked);
        assert!(reply["odds"].as_array().unwrap().iter().all(|outcome| outcome["answer"]["odds"] == "2:1"));
    }
}
