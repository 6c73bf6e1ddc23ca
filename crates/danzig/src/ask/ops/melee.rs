//! `danzig.melee`: one melee on the operational map, as facts or in a saved game.

use kernel::{Clerk, Effect, Inquiry, Measure, Question, Refusal, Verdict, Whole};
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{check_formation, clear};
use crate::ops::{
    Against, AttackGround, Bar, Edge, Encounter, FightFacts, Fighter, Hex, Melee, Swept, Terrain,
    attack_strength, defence_strength, fight, met, swept,
};
use crate::series::{MeleeOdds, Toll, in_halves};
use crate::{Arm, Formation, Options, State, UnitId};

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
    /// The column used; none where nobody but the siege train is met.
    odds: Option<MeleeOdds>,
    /// The die.
    die: Option<u8>,
    /// What the attackers suffer.
    attacker: Toll,
    /// What the defenders suffer, a village considered.
    defender: Toll,
    /// What becomes of each piece of the siege train among the defenders, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    train: Vec<Swept>,
}

impl MeleeRequest {
    /// What covers the defenders: behind a redoubt the ground itself does not count.
    fn ground(&self) -> Terrain {
        if self.redoubt { Terrain::Clear } else { self.terrain }
    }
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
    const ROLLS: bool = true;
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
            return Err(Refusal::from(Bar::NobodyThere).at("defenders"));
        }
        let mut facts = FightFacts {
            flank: request.flank,
            surrounded: request.surrounded,
            disordered: true,
            ..FightFacts::default()
        };
        let mut encounter = Encounter { train: Vec::new(), facts: None, ground: request.ground() };
        for (at, who) in request.attackers.iter().enumerate() {
            facts.attack += strength(request, at, who, clerk)?;
        }
        for (at, who) in request.defenders.iter().enumerate() {
            check_formation(who.arm, who.formation, format!("defenders.{at}.formation"))?;
            if let Some(fate) = swept(who.arm, who.disordered, clerk) {
                encounter.train.push(fate);
                continue;
            }
            let fighter = Fighter {
                arm: who.arm,
                formation: who.formation,
                disordered: who.disordered,
                steps: small(who.steps),
                charging: who.countercharging,
            };
            facts.defence += defence_strength(&fighter, encounter.ground, request.charge, clerk);
            facts.disordered &= who.disordered;
            encounter.facts = Some(facts);
        }
        Ok(fought(encounter, clerk))
    }
}

/// The melee itself; the ground may change what the defenders suffer.
fn fought(encounter: Encounter, clerk: &mut impl Clerk) -> MeleeAnswer {
    let Encounter { train, facts, ground } = encounter;
    let Some(facts) = facts else {
        let (attacker, defender) = (Toll::default(), Toll::default());
        return MeleeAnswer { odds: None, die: None, attacker, defender, train };
    };
    clerk.because(rule!(DZ_R88), Effect::Set(in_halves(facts.attack, facts.defence)));
    let fought = fight(&facts, clerk);
    clerk.because(rule!(DZ_R88), Effect::Set(Measure::Name(fought.result.to_string())));
    let defender = fought.result.defender.in_ground(ground, clerk);
    let (odds, die) = (Some(fought.odds), Some(fought.die));
    MeleeAnswer { odds, die, attacker: fought.result.attacker, defender, train }
}

/// A melee in a saved game.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Clash {
    /// Who attacks.
    attackers: Vec<UnitId>,
    /// The hex attacked.
    target: Hex,
}

impl Inquiry for MeleeQuestion {
    const NAME: &'static str = <Self as Question>::NAME;
    const ROLLS: bool = <Self as Question>::ROLLS;
    type Position = State;
    type Request = Clash;
    type Answer = MeleeAnswer;

    fn answer(state: &State, request: &Clash, clerk: &mut impl Clerk) -> Verdict<MeleeAnswer> {
        let attackers = request.attackers.iter().copied().collect();
        let melee = Melee { target: request.target, attackers };
        Ok(fought(met(&state.table, &melee, clerk)?, clerk))
    }
}
