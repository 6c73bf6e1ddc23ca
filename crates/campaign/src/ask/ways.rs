//! Questions that need the map: forage, supply, and how far a formation gets.

use kernel::{Clerk, Effect, MovementPoints, Question, Refusal, Verdict, Whole};
use rulebook::options::campaign::Options;
use rulebook::{phrase::campaign as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::attrition;
use crate::map::{HexId, map};
use crate::routes::{Enemy, Field, Reached, Ways};
use crate::tables;
use crate::terms::{Arm, Army, ForageValue, Game, Hex, Side, Spent, Strength, Weather};
use crate::terrain;

/// An enemy formation.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EnemyRequest {
    hex: HexId,
    sp: Strength,
    #[serde(default)]
    cavalry: bool,
    #[serde(default)]
    foraging: bool,
}

fn enemies(list: &[EnemyRequest]) -> Vec<Enemy> {
    list.iter()
        .map(|enemy| Enemy {
            hex: enemy.hex,
            sp: enemy.sp.millionths() / 10_000,
            cavalry: enemy.cavalry,
            foraging: enemy.foraging,
        })
        .collect()
}

/// A hex that is in play.
fn in_play(hex: HexId, field: &str) -> Verdict<()> {
    if map().cell(hex).in_play {
        return Ok(());
    }
    Err(Refusal::field(field, phrase::NO_SUCH_HEX).with("hex", hex.to_string()))
}

/// `campaign.forage`
pub(crate) struct Forage;

/// A foraging formation.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForageRequest {
    hex: HexId,
    /// Hexes the enemy occupies.
    #[serde(default)]
    enemies: Vec<HexId>,
    /// Hexes other foragers have used this turn.
    #[serde(default)]
    used: Vec<HexId>,
    #[serde(default)]
    weather: Weather,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct ForageAnswer {
    /// The sum.
    value: ForageValue,
    /// What counts: fractions are dropped.
    forage: i32,
    /// The column of the attrition chart.
    column: String,
    /// The hexes foraged.
    hexes: Vec<HexId>,
}

impl Question for Forage {
    const NAME: &'static str = "campaign.forage";
    type Options = Options;
    type Request = ForageRequest;
    type Answer = ForageAnswer;

    fn answer(request: &ForageRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<ForageAnswer> {
        in_play(request.hex, "hex")?;
        let own = map().cell(request.hex);
        let mut around: Vec<(HexId, Hex)> = Vec::new();
        for direction in 0..6 {
            let Some(next) = own.id.neighbour(direction).map(|id| map().cell(id)) else { continue };
            let side = terrain::in_weather(own.sides[direction], request.weather, options, clerk);
            let cut = matches!(side, Side::Lake | Side::PrimaryRiver);
            if next.in_play && !cut && !request.enemies.contains(&next.id) && !request.used.contains(&next.id)
            {
                around.push((next.id, next.hex));
            }
        }
        let kinds: Vec<Hex> = around.iter().map(|&(_, hex)| hex).collect();
        let sum = terrain::forage(own.hex, &kinds, options, clerk);
        let column = attrition::column_of(attrition::Provision::Forage(sum), Game::Campaign, clerk);
        let whole = options.forage_area == rulebook::options::campaign::ForageArea::SevenHexes;
        let mut hexes = vec![own.id];
        hexes.extend(around.iter().filter(|_| whole).map(|&(id, _)| id));
        Ok(ForageAnswer {
            value: ForageValue(sum),
            forage: sum / 100,
            column: column.printed().to_owned(),
            hexes,
        })
    }
}

/// `campaign.supply`
pub(crate) struct Supply;

/// A formation and its army.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SupplyRequest {
    army: Army,
    hex: HexId,
    /// The centre of operations.
    centre: Option<HexId>,
    /// The active supply source.
    source: Option<HexId>,
    /// The army commander.
    commander: Option<HexId>,
    /// Whether the centre is inactive after a change of source.
    #[serde(default)]
    inactive_centre: bool,
    #[serde(default)]
    enemies: Vec<EnemyRequest>,
    /// Hexes that friendly formations hold.
    #[serde(default)]
    friends: Vec<HexId>,
    #[serde(default)]
    weather: Weather,
    #[serde(default)]
    game: Game,
}

/// Why a way does or does not serve.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Reason {
    /// Near enough.
    Within,
    /// Farther than the distance allowed.
    TooFar,
    /// The enemy stands in the way.
    CutByEnemy,
    /// There is no way at all.
    NoWay,
}

/// A way.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
struct Leg {
    from: HexId,
    to: HexId,
    /// Its cost, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    mp: Option<MovementPoints>,
    limit: MovementPoints,
    reason: Reason,
    path: Vec<HexId>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct SupplyAnswer {
    /// Whether the formation has a line of communication: it may use the army's APs, unless the
    /// centre is inactive (CA-attrition-09).
    line: bool,
    /// Whether it can be given a movement command.
    command: bool,
    /// The way to the centre.
    #[serde(skip_serializing_if = "Option::is_none")]
    centre: Option<Leg>,
    /// The way to the nearest own supply source.
    source: Leg,
    /// The way of the dispatches.
    #[serde(skip_serializing_if = "Option::is_none")]
    dispatch: Option<Leg>,
    /// Primary road hexes between centre and active source, if the road is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    road_hexes: Option<i32>,
}

/// The ways from one hex, stopped by the enemy and not.
struct Traced {
    from: HexId,
    open: Ways,
    bare: Ways,
}

impl Traced {
    fn new(field: &Field<'_>, from: HexId) -> Self {
        Self { from, open: field.lines(from, true), bare: field.lines(from, false) }
    }

    fn leg(&self, to: HexId, limit: MovementPoints) -> Leg {
        let mp = self.open.cost(to);
        let reason = match (mp, self.bare.cost(to)) {
            (Some(cost), _) if cost <= limit => Reason::Within,
            (_, Some(bare)) if bare <= limit => Reason::CutByEnemy,
            (Some(_), _) | (None, Some(_)) => Reason::TooFar,
            (None, None) => Reason::NoWay,
        };
        Leg { from: self.from, to, mp, limit, reason, path: self.open.path(to) }
    }
}

impl Question for Supply {
    const NAME: &'static str = "campaign.supply";
    type Options = Options;
    type Request = SupplyRequest;
    type Answer = SupplyAnswer;

    fn answer(request: &SupplyRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<SupplyAnswer> {
        in_play(request.hex, "hex")?;
        let sources = map().sources(request.army);
        if let Some(source) = request.source.filter(|source| !sources.contains(source)) {
            return Err(Refusal::field("source", phrase::SOURCE_NOT_YOURS).with("hex", source.to_string()));
        }
        let chart = tables::communications(request.army);
        let chart = clerk.rather(rule!(CA_COMMUNICATIONS_01), chart, tables::Communications::NONE);
        let of_army = match request.army {
            Army::French => rule!(CA_COMMUNICATIONS_05),
            Army::AustroRussian => rule!(CA_COMMUNICATIONS_04),
        };
        let sources = clerk.rather(of_army, sources, &[]);
        clerk.applied(rule!(CA_TERRAIN_31));
        if request.game == Game::Campaign
            && options.communication_roads == rulebook::options::campaign::CommunicationRoads::OneMp
        {
            clerk.applied(rule!(CA_R42));
        }
        let mut friends = request.friends.clone();
        friends.push(request.hex);
        friends.extend(request.commander);
        let foes = enemies(&request.enemies);
        let field = Field::new(map(), request.weather, request.game, &foes, &friends, options);
        let supply = match request.game {
            Game::Campaign => clerk.limit(rule!(CA_COMMUNICATIONS_03), chart.supply),
            Game::Battle => chart.supply,
        };
        let out = Traced::new(&field, request.hex);
        // Nearest by the open way; where none is open, nearest by the bare one.
        let nearest = sources
            .iter()
            .map(|&source| out.leg(source, supply))
            .min_by_key(|leg| (leg.reason, leg.mp.is_none(), leg.mp, out.bare.cost(leg.to)))
            .ok_or_else(|| Refusal::field("army", phrase::SOURCE_NOT_YOURS).with("hex", ""))?;
        let centre = request.centre.map(|centre| out.leg(centre, supply));
        let serves = |leg: &Leg| leg.reason == Reason::Within;
        let (line, command, dispatch) = match request.game {
            Game::Campaign => {
                let active = centre.as_ref().filter(|_| !request.inactive_centre);
                let line = serves(&nearest) || active.is_some_and(serves);
                let dispatch = dispatch(request, &field, chart.dispatch, clerk);
                if request.inactive_centre {
                    clerk.because(rule!(CA_ATTRITION_09), Effect::Refused);
                    clerk.because(rule!(CA_R40), Effect::Refused);
                }
                let command = line && !request.inactive_centre && dispatch.as_ref().is_some_and(serves);
                (line, command, dispatch)
            }
            Game::Battle => {
                let near = serves(&nearest);
                if !near {
                    clerk.because(
                        rule!(CA_ATTRITION_07),
                        Effect::Set(tables::ApColumn::Zero.printed().into()),
                    );
                    clerk.because(rule!(CA_ATTRITION_08), Effect::Refused);
                }
                let (uses_points, moves) =
                    (!rule!(CA_ATTRITION_07).holds(!near), !rule!(CA_ATTRITION_08).holds(!near));
                (uses_points, moves, None)
            }
        };
        let road_hexes = request
            .centre
            .zip(request.source)
            .and_then(|(centre, source)| field.road_distance(centre, source, clerk));
        Ok(SupplyAnswer { line, command, centre, source: nearest, dispatch, road_hexes })
    }
}

/// The way of the dispatches: from the centre, or from the army commander if he is himself within
/// reach of it; whichever serves better.
fn dispatch(
    request: &SupplyRequest,
    field: &Field<'_>,
    limit: MovementPoints,
    clerk: &mut impl Clerk,
) -> Option<Leg> {
    let limit = clerk.limit(rule!(CA_COMMUNICATIONS_02), limit);
    let centre = Traced::new(field, request.centre?);
    let direct = centre.leg(request.hex, limit);
    let relayed = request
        .commander
        .filter(|&commander| centre.leg(commander, limit).reason == Reason::Within)
        .map(|commander| Traced::new(field, commander).leg(request.hex, limit));
    Some(match relayed {
        Some(leg) if (leg.reason, leg.mp) < (direct.reason, direct.mp) => leg,
        _ => direct,
    })
}

/// `campaign.reach`
pub(crate) struct Reach;

/// Who marches.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Marcher {
    /// Foot.
    Infantry,
    /// Horse.
    Cavalry,
    /// Guns.
    Artillery,
    /// Foot and horse together.
    Mixed,
}

/// A formation that means to march.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReachRequest {
    hex: HexId,
    arm: Marcher,
    /// Its MP; by default 6, for cavalry 9.
    mp: Option<Spent>,
    /// Further MP of extended march.
    extended_mp: Option<Whole<0, 3>>,
    #[serde(default)]
    weather: Weather,
    #[serde(default)]
    enemies: Vec<EnemyRequest>,
    #[serde(default)]
    game: Game,
    /// One hex: the answer is then the path to it, with its reasons.
    to: Option<HexId>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct ReachAnswer {
    /// How many hexes can be reached.
    count: i32,
    /// The hexes, nearest first.
    hexes: Vec<ReachedHex>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
struct ReachedHex {
    hex: HexId,
    mp: MovementPoints,
    /// What it costs the cavalry of a mixed formation.
    #[serde(skip_serializing_if = "Option::is_none")]
    cavalry_mp: Option<MovementPoints>,
    /// The way there, where there is one arm.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<HexId>,
}

/// The allowances: infantry and artillery 6 MP, cavalry 9 (campaign-core 7.1).
const FOOT: MovementPoints = MovementPoints::whole(6);
const HORSE: MovementPoints = MovementPoints::whole(9);
/// The longest march a question may ask for.
const LONGEST: MovementPoints = MovementPoints::whole(60);

impl Question for Reach {
    const NAME: &'static str = "campaign.reach";
    type Options = Options;
    type Request = ReachRequest;
    type Answer = ReachAnswer;

    fn answer(request: &ReachRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<ReachAnswer> {
        in_play(request.hex, "hex")?;
        let foes = enemies(&request.enemies);
        let field = Field::new(map(), request.weather, request.game, &foes, &[], options);
        if field.is_occupied(request.hex) {
            return Err(Refusal::field("hex", phrase::ENEMY_IN_HEX).with("hex", request.hex.to_string()));
        }
        let extended = MovementPoints::whole(request.extended_mp.map_or(0, Whole::get));
        let own = |usual: MovementPoints| (request.mp.map_or(usual, |mp| mp.0) + extended).min(LONGEST);
        let arm = match request.arm {
            Marcher::Infantry => Arm::Infantry,
            Marcher::Artillery => Arm::Artillery,
            Marcher::Cavalry => Arm::Cavalry,
            Marcher::Mixed => {
                clerk.applied(rule!(CA_TERRAIN_37));
                let reached = field.reach_mixed(request.hex, own(FOOT), HORSE + extended);
                return mixed(request, &reached);
            }
        };
        let most = own(if arm == Arm::Cavalry { HORSE } else { FOOT });
        let ways = field.ways(arm, request.hex, most);
        if let Some(to) = request.to {
            in_play(to, "to")?;
            let Some(mp) = ways.cost(to) else { return Err(not_reached(to, most)) };
            let path = ways.path(to);
            for pair in path.windows(2) {
                if let Some(direction) = pair[0].towards(pair[1]) {
                    field.step(arm, pair[0], direction, clerk)?;
                }
            }
            let hexes = vec![ReachedHex { hex: to, mp, cavalry_mp: None, path }];
            return Ok(ReachAnswer { count: 1, hexes });
        }
        let hexes: Vec<ReachedHex> = field
            .reach(arm, request.hex, most)
            .into_iter()
            .map(|reached| ReachedHex {
                hex: reached.hex,
                mp: reached.cost,
                cavalry_mp: None,
                path: ways.path(reached.hex),
            })
            .collect();
        Ok(ReachAnswer { count: i32::try_from(hexes.len()).unwrap_or(i32::MAX), hexes })
    }
}

fn not_reached(to: HexId, most: MovementPoints) -> Refusal {
    Refusal::field("to", phrase::NOT_REACHED).with("hex", to.to_string()).with("mp", most)
}

fn mixed(request: &ReachRequest, reached: &[Reached]) -> Verdict<ReachAnswer> {
    let hexes: Vec<ReachedHex> = reached
        .iter()
        .filter(|reached| request.to.is_none_or(|to| to == reached.hex))
        .map(|reached| ReachedHex {
            hex: reached.hex,
            mp: reached.cost,
            cavalry_mp: reached.cavalry,
            path: Vec::new(),
        })
        .collect();
    if let Some(to) = request.to
        && hexes.is_empty()
    {
        return Err(not_reached(to, FOOT));
    }
    Ok(ReachAnswer { count: i32::try_from(hexes.len()).unwrap_or(i32::MAX), hexes })
}
