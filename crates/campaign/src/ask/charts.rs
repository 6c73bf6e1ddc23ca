//! Questions about one chart: movement, attrition, artillery, initiative, cavalry, weather,
//! administration, bridges.

use kernel::{Clerk, MovementPoints, Question, Refusal, Verdict, Whole};
use rulebook::options::campaign::Options;
use rulebook::phrase::campaign as phrase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Likely, likely};
use crate::admin::{self, Source};
use crate::artillery::{self, Fire};
use crate::attrition::{self, March, Provision};
use crate::bridges::{self, Enemy, Task, Work};
use crate::initiative::{self, Comparison, Purpose};
use crate::tables;
use crate::terms::{Arm, ForageValue, Foraging, Game, Ground, Hex, Month, Road, Side, Spent, Strength};
use crate::terrain::{self, Holder, Step};
use crate::weather::{self, Memory};
use crate::{terms, weather as sky};

/// A command bonus.
type Bonus = Whole<0, 9>;
/// An initiative.
type Initiative6 = Whole<0, 5>;

/// `campaign.move-cost`
pub(crate) struct MoveCost;

/// What a step costs.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveCostRequest {
    arm: Arm,
    hex: Hex,
    /// The ground of a town.
    ground: Option<Ground>,
    #[serde(default)]
    road: Road,
    #[serde(default)]
    side: Side,
    #[serde(default)]
    weather: terms::Weather,
    /// The zone of control the step leaves.
    leaves_zoc: Option<LeavesZoc>,
}

/// An enemy zone of control.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LeavesZoc {
    enemy_sp: Strength,
    enemy_has_cavalry: bool,
    /// Whether the enemy, in an adjacent hex, is in forage mode.
    #[serde(default)]
    enemy_foraging: bool,
    campaign: bool,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct MoveCostAnswer {
    mp: MovementPoints,
}

impl Question for MoveCost {
    const NAME: &'static str = "campaign.move-cost";
    type Options = Options;
    type Request = MoveCostRequest;
    type Answer = MoveCostAnswer;

    fn answer(
        request: &MoveCostRequest,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<MoveCostAnswer> {
        if request.ground.is_some() && request.hex != Hex::Town {
            return Err(Refusal::field("ground", phrase::GROUND_ONLY_WITH_TOWN));
        }
        let step = Step {
            hex: request.hex,
            ground: request.ground.unwrap_or_default(),
            road: request.road,
            side: request.side,
        };
        let mut mp = terrain::enter(request.arm, step, request.weather, options, clerk)?;
        if let Some(zone) = &request.leaves_zoc {
            let holder = Holder {
                sp: zone.enemy_sp.millionths() / 10_000,
                cavalry: zone.enemy_has_cavalry,
                foraging: zone.enemy_foraging,
                same_hex: false,
            };
            let game = if zone.campaign { Game::Campaign } else { Game::Battle };
            mp += terrain::leave_zoc(request.arm, &[holder], game, clerk);
        }
        Ok(MoveCostAnswer { mp })
    }
}

/// `campaign.attrition`
pub(crate) struct Attrition;

/// A march and what feeds it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AttritionRequest {
    size_sp: Whole<1, 10_000>,
    /// The whole distance, forced and extended MP included.
    march_mp: Spent,
    ap: Option<Whole<0, 1000>>,
    forage: Option<ForageValue>,
    bonus: Option<Bonus>,
    forced_mp: Option<Whole<0, 100>>,
    extended_mp: Option<Whole<0, 100>>,
    #[serde(default)]
    mud: bool,
    #[serde(default)]
    besieged: bool,
    #[serde(default)]
    out_of_supply: bool,
    /// Whether the centre of operations is inactive after a change of supply source.
    #[serde(default)]
    inactive_centre: bool,
    /// Battle scenarios: MP to the supply source, road hexes at 1 MP.
    source_mp: Option<Spent>,
    #[serde(default)]
    game: Game,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct AttritionAnswer {
    loss_sp: i32,
    die: i32,
    row: i32,
    column: i32,
}

impl AttritionRequest {
    fn provision(&self) -> Verdict<Provision> {
        if self.ap.is_some() && self.forage.is_some() {
            return Err(Refusal::field("forage", phrase::AP_OR_FORAGE));
        }
        if self.besieged {
            return Ok(Provision::Besieged);
        }
        if let Some(forage) = self.forage {
            return Ok(Provision::Forage(forage.0));
        }
        if self.out_of_supply {
            return Ok(Provision::OutOfSupply);
        }
        if self.inactive_centre && self.game == Game::Campaign {
            return Ok(Provision::InactiveCentre);
        }
        if self.game == Game::Battle
            && self.source_mp.is_some_and(|distance| distance.0 > MovementPoints::whole(18))
        {
            return Ok(Provision::FarFromSource);
        }
        match self.ap {
            Some(points) => Ok(Provision::Points(points.get())),
            None => Err(Refusal::field("ap", phrase::AP_OR_FORAGE_NEEDED)),
        }
    }
}

impl Question for Attrition {
    const NAME: &'static str = "campaign.attrition";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = AttritionRequest;
    type Answer = AttritionAnswer;

    fn answer(
        request: &AttritionRequest,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<AttritionAnswer> {
        let provision = request.provision()?;
        let forced = request.forced_mp.map_or(0, Whole::get);
        let extended = request.extended_mp.map_or(0, Whole::get);
        let march = March {
            size: request.size_sp.get(),
            distance: request.march_mp.0,
            forced,
            extended,
            bonus: request.bonus.map_or(0, Whole::get),
            mud: request.mud,
            provision,
            game: request.game,
        };
        let loss = attrition::roll(&march, options, clerk);
        Ok(AttritionAnswer { loss_sp: loss.sp, die: loss.die, row: loss.row, column: loss.column })
    }
}

/// `campaign.artillery`
pub(crate) struct Artillery;

/// One side's fire.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArtilleryRequest {
    artillery_sp: Whole<1, 1000>,
    #[serde(default)]
    weather: terms::Weather,
    bonus: Option<Bonus>,
    #[serde(default)]
    cavalry_2_to_1: bool,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct ArtilleryAnswer {
    loss_sp: i32,
    die: i32,
}

impl Question for Artillery {
    const NAME: &'static str = "campaign.artillery";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = ArtilleryRequest;
    type Answer = ArtilleryAnswer;

    fn answer(
        request: &ArtilleryRequest,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<ArtilleryAnswer> {
        let fire = Fire {
            guns: request.artillery_sp.get(),
            weather: request.weather,
            bonus: request.bonus.map_or(0, Whole::get),
            cavalry: request.cavalry_2_to_1,
        };
        let hit = artillery::fire(&fire, options, clerk);
        Ok(ArtilleryAnswer { loss_sp: hit.loss, die: hit.die })
    }
}

/// `campaign.initiative`
pub(crate) struct Initiative;

/// Two commanders.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InitiativeRequest {
    active: Initiative6,
    passive: Initiative6,
    #[serde(default)]
    weather: terms::Weather,
    purpose: Purpose,
    cavalry: Option<Whole<-3, 3>>,
    /// Who is in forage mode: the attacker is the active side.
    #[serde(default)]
    foraging: Foraging,
    #[serde(default)]
    game: Game,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct InitiativeAnswer {
    initiative: i32,
    resistance: i32,
}

impl Question for Initiative {
    const NAME: &'static str = "campaign.initiative";
    type Options = Options;
    type Request = InitiativeRequest;
    type Answer = InitiativeAnswer;

    fn answer(
        request: &InitiativeRequest,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<InitiativeAnswer> {
        let comparison = Comparison {
            active: request.active.get(),
            passive: request.passive.get(),
            weather: request.weather,
            purpose: request.purpose,
            cavalry: request.cavalry.map_or(0, Whole::get),
            foraging: request.foraging,
            game: request.game,
        };
        let found = initiative::compare(&comparison, options, clerk);
        Ok(InitiativeAnswer { initiative: found.initiative, resistance: found.resistance })
    }
}

/// `campaign.cavalry`
pub(crate) struct Cavalry;

/// The horse of two sides.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CavalryRequest {
    active: Whole<0, 1000>,
    passive: Whole<0, 1000>,
    #[serde(default)]
    game: Game,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct CavalryAnswer {
    modifier: i32,
}

impl Question for Cavalry {
    const NAME: &'static str = "campaign.cavalry";
    type Options = Options;
    type Request = CavalryRequest;
    type Answer = CavalryAnswer;

    fn answer(request: &CavalryRequest, _: &Options, clerk: &mut impl Clerk) -> Verdict<CavalryAnswer> {
        let modifier = initiative::cavalry(request.active.get(), request.passive.get(), request.game, clerk);
        Ok(CavalryAnswer { modifier })
    }
}

/// `campaign.weather`
pub(crate) struct Weather;

/// A month and the turn before; or how many turns ahead.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WeatherRequest {
    month: Month,
    /// The natural die of the turn before; none on the first turn.
    previous_die: Option<Whole<1, 6>>,
    /// The weather of the turn before, where rain may fall on mud.
    previous_weather: Option<terms::Weather>,
    /// So many turns ahead: the answer is then the exact distribution, and no die is used.
    turns: Option<Whole<1, 23>>,
    /// The turn of the calendar that is rolled for first; the months follow from it.
    turn: Option<Whole<1, 23>>,
    #[serde(default)]
    game: Game,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum WeatherAnswer {
    /// One roll.
    Rolled { weather: terms::Weather, fog: bool, die: i32 },
    /// The last of so many turns.
    Ahead { turns: i32, distribution: Vec<Likely<WeatherOutcome>> },
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct WeatherOutcome {
    weather: terms::Weather,
    fog: bool,
}

impl WeatherRequest {
    fn months(&self, turns: i32) -> Verdict<Vec<Month>> {
        let Some(first) = self.turn.map(Whole::get) else {
            return Ok((0..turns).map(|_| self.month).collect());
        };
        if tables::month_of(first) != Some(self.month) {
            return Err(Refusal::field("month", phrase::MONTH_NOT_CALENDAR).with("turn", first));
        }
        (first..first + turns)
            .map(|turn| {
                tables::month_of(turn)
                    .ok_or_else(|| Refusal::field("turns", phrase::BEYOND_CALENDAR).with("last", 23))
            })
            .collect()
    }
}

impl Question for Weather {
    const NAME: &'static str = "campaign.weather";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = WeatherRequest;
    type Answer = WeatherAnswer;

    fn answer(request: &WeatherRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<WeatherAnswer> {
        let before = Memory {
            die: request.previous_die.and_then(|die| u8::try_from(die.get()).ok()),
            weather: request.previous_weather,
        };
        if let Some(turns) = request.turns {
            let odds = weather::ahead(&request.months(turns.get())?, before, request.game, options)?;
            let distribution = likely(&odds, |(weather, fog)| WeatherOutcome { weather, fog });
            return Ok(WeatherAnswer::Ahead { turns: turns.get(), distribution });
        }
        request.months(1)?;
        let rolled = sky::roll(request.month, before, request.game, options, clerk);
        Ok(WeatherAnswer::Rolled { weather: rolled.weather, fog: rolled.fog, die: rolled.die })
    }
}

/// `campaign.admin`
pub(crate) struct Admin;

/// A supply source and its distance.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AdminRequest {
    source: Source,
    /// Primary road hexes.
    distance: Whole<0, 1000>,
    /// Whether the army commander has a bonus and is within dispatch distance.
    #[serde(default)]
    commander_bonus: bool,
    /// His bonus points, where each counts.
    bonus_points: Option<Whole<1, 9>>,
    /// Points already in the reserve: the answer then says what it holds.
    accumulated: Option<Whole<0, 20>>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct AdminAnswer {
    ap: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    accumulated: Option<i32>,
}

impl Question for Admin {
    const NAME: &'static str = "campaign.admin";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = AdminRequest;
    type Answer = AdminAnswer;

    fn answer(request: &AdminRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<AdminAnswer> {
        let bonus = if request.commander_bonus { request.bonus_points.map_or(1, Whole::get) } else { 0 };
        let ap = admin::receive(request.source, request.distance.get(), bonus, options, clerk);
        let accumulated = request.accumulated.map(|held| (held.get() + ap).min(admin::MOST_POINTS));
        Ok(AdminAnswer { ap, accumulated })
    }
}

/// `campaign.bridge`
pub(crate) struct Bridge;

/// A bridge and what is done to it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BridgeRequest {
    bridge: bridges::Bridge,
    action: Work,
    #[serde(default)]
    all_cavalry: bool,
    #[serde(default)]
    enemy: Enemy,
    #[serde(default)]
    damaged: bool,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct BridgeAnswer {
    mp: MovementPoints,
    /// How many of them count as march for attrition.
    march_mp: MovementPoints,
}

impl Question for Bridge {
    const NAME: &'static str = "campaign.bridge";
    type Options = Options;
    type Request = BridgeRequest;
    type Answer = BridgeAnswer;

    fn answer(request: &BridgeRequest, _: &Options, clerk: &mut impl Clerk) -> Verdict<BridgeAnswer> {
        let task = Task {
            bridge: request.bridge,
            work: request.action,
            all_cavalry: request.all_cavalry,
            enemy: request.enemy,
            damaged: request.damaged,
        };
        let cost = bridges::cost(&task, clerk)?;
        Ok(BridgeAnswer { mp: cost.points, march_mp: cost.march })
    }
}
