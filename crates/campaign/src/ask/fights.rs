//! Questions about fighting: one attack or a pitched battle of several rounds, a pursuit, a whole
//! battle with guns, retreat and pursuit.

use kernel::{Clerk, Question, Refusal, Stages, Verdict, Whole};
use rulebook::options::campaign::Options;
use rulebook::phrase::campaign as phrase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::yes;
use crate::battle::{self, Ending, Force, MOST_ROUNDS, Points, Stances, State};
use crate::combat::{self, Affair, Attack};
use crate::pursuit::{self, Path};
use crate::tables::{Level, Line};
use crate::terms::{Crossing, Foraging, Game, Ground, Hex, Party, Side, Strength, Weather};

/// A command bonus.
type Bonus = Whole<0, 9>;
/// Strength points of one arm.
type Sp = Whole<0, 1000>;

/// Whether the ground has effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Effect {
    /// Line NA.
    #[default]
    Plain,
    /// Line A.
    Effect,
}

impl Effect {
    const fn line(self) -> Line {
        match self {
            Self::Plain => Line::Na,
            Self::Effect => Line::A,
        }
    }
}

/// `campaign.combat`
pub(crate) struct Combat;

/// An attack; with `rounds`, a whole battle of them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CombatRequest {
    attacker_sp: Strength,
    defender_sp: Strength,
    ground: Effect,
    shift: Option<Whole<-20, 20>>,
    bonus: Option<Bonus>,
    #[serde(default)]
    snow: bool,
    #[serde(default)]
    after_failed_repulse: bool,
    #[serde(default)]
    foraging: Foraging,
    /// The defending commander's bonus: for his counterattacks, and where the option counts it.
    defender_bonus: Option<Bonus>,
    /// The choices of both sides, round by round; a pursuit battle ends the affair.
    rounds: Option<Vec<Stances>>,
    /// The ground of the counterattacks.
    counter_ground: Option<Effect>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum CombatAnswer {
    /// One attack.
    Once { ratio: String, column: i32, die: i32, attacker: i32, defender: i32, loser: Party },
    /// A battle of several rounds.
    Rounds(RoundsAnswer),
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct RoundsAnswer {
    /// Rounds fought.
    rounds: i32,
    /// SP the attacker lost.
    attacker_lost: i32,
    /// SP the defender lost.
    defender_lost: i32,
    /// Rounds the attacker lost.
    attacker_rounds_lost: i32,
    /// Rounds the defender lost.
    defender_rounds_lost: i32,
    /// How it ended.
    ending: Ending,
    /// Who retreats or is eliminated.
    loser: Option<Party>,
    /// Hexes of retreat.
    retreat: i32,
}

impl CombatRequest {
    fn attack(&self) -> Attack {
        Attack {
            attacker: self.attacker_sp,
            defender: self.defender_sp,
            line: self.ground.line(),
            shift: self.shift.map_or(0, Whole::get),
            bonus: self.bonus.map_or(0, Whole::get),
            defender_bonus: self.defender_bonus.map_or(0, Whole::get),
            snow: self.snow,
            after_failed_repulse: self.after_failed_repulse,
            foraging: self.foraging,
        }
    }

    fn affair<'a>(&self, rounds: &'a [Stances]) -> Verdict<Affair<'a>> {
        check_rounds(rounds)?;
        let counter = self.counter_ground.unwrap_or_default().line();
        Ok(Affair { first: self.attack(), counter, stances: rounds })
    }
}

/// Checks the list of rounds: some, not too many, nothing after a pursuit battle.
fn check_rounds(rounds: &[Stances]) -> Verdict<()> {
    if rounds.is_empty() || rounds.len() > MOST_ROUNDS {
        let most = i64::try_from(MOST_ROUNDS).unwrap_or(i64::MAX);
        return Err(Refusal::field("rounds", phrase::TOO_MANY_ROUNDS).with("most", most));
    }
    Ok(())
}

impl Question for Combat {
    const NAME: &'static str = "campaign.combat";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = CombatRequest;
    type Answer = CombatAnswer;

    fn answer(request: &CombatRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<CombatAnswer> {
        let Some(rounds) = &request.rounds else {
            if request.counter_ground.is_some() {
                return Err(Refusal::field("counter_ground", phrase::ONLY_ROUNDS));
            }
            let outcome = combat::resolve(&request.attack(), options, clerk);
            return Ok(CombatAnswer::Once {
                ratio: Level(outcome.level).printed(),
                column: outcome.column,
                die: outcome.die,
                attacker: outcome.attacker,
                defender: outcome.defender,
                loser: outcome.loser,
            });
        };
        Ok(request.affair(rounds)?.fight(options, clerk)?.into())
    }

    fn stages(request: &CombatRequest, options: &Options) -> Verdict<Stages<CombatAnswer>> {
        let Some(rounds) = &request.rounds else {
            return Stages::first(|clerk| Self::answer(request, options, clerk));
        };
        let Stages { odds, because, rolled } = request.affair(rounds)?.odds(options)?;
        Ok(Stages { odds: odds.map(CombatAnswer::from), because, rolled })
    }
}

impl From<combat::Rounds> for CombatAnswer {
    fn from(fought: combat::Rounds) -> Self {
        Self::Rounds(RoundsAnswer {
            rounds: fought.round,
            attacker_lost: fought.lost[0],
            defender_lost: fought.lost[1],
            attacker_rounds_lost: fought.rounds_lost[0],
            defender_rounds_lost: fought.rounds_lost[1],
            ending: fought.ending,
            loser: fought.loser,
            retreat: fought.retreat,
        })
    }
}

/// `campaign.pursuit`
pub(crate) struct Pursuit;

/// A pursuit; with `path`, what it costs.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PursuitRequest {
    initiative: Whole<0, 5>,
    retreat: Whole<1, 100>,
    modifier: Option<Whole<-20, 20>>,
    /// The way of the retreat: the answer then says the losses.
    path: Option<RetreatPath>,
}

/// The way of a retreat.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RetreatPath {
    #[serde(default)]
    crossing: Crossing,
    /// Whether the pursuers really go over the water.
    #[serde(default = "yes")]
    followed: bool,
    #[serde(default)]
    through_ezoc: bool,
    /// Hexes that could not be retreated.
    blocked: Option<Whole<0, 100>>,
    /// SP the winner lost in the battle.
    winner_loss: Option<Whole<0, 100>>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct PursuitAnswer {
    advance: i32,
    die: i32,
    /// SP the retreating side loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    loss_sp: Option<i32>,
    /// Hexes the pursuers may really go.
    #[serde(skip_serializing_if = "Option::is_none")]
    may_advance: Option<i32>,
}

impl Question for Pursuit {
    const NAME: &'static str = "campaign.pursuit";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = PursuitRequest;
    type Answer = PursuitAnswer;

    fn answer(request: &PursuitRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<PursuitAnswer> {
        let retreat = request.retreat.get();
        let rolled = pursuit::roll(
            &pursuit::Pursuit {
                initiative: request.initiative.get(),
                retreat,
                modifier: request.modifier.map_or(0, Whole::get),
            },
            options,
            clerk,
        );
        let toll = request.path.as_ref().map(|path| {
            let way = Path {
                retreat,
                blocked: path.blocked.map_or(0, Whole::get).min(retreat),
                crossing: path.crossing,
                followed: path.followed,
                through_ezoc: path.through_ezoc,
                winner_loss: path.winner_loss.map_or(0, Whole::get),
            };
            pursuit::toll(rolled.advance, &way, clerk)
        });
        Ok(PursuitAnswer {
            advance: rolled.advance,
            die: rolled.die,
            loss_sp: toll.map(|toll| toll.loss),
            may_advance: toll.map(|toll| toll.advance),
        })
    }
}

/// `campaign.battle`
pub(crate) struct Battle;

/// A force and its commander.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ForceRequest {
    infantry: Sp,
    cavalry: Option<Sp>,
    artillery: Option<Sp>,
    initiative: Whole<0, 5>,
    bonus: Option<Bonus>,
    #[serde(default)]
    foraging: bool,
    #[serde(default)]
    vedette: bool,
}

impl ForceRequest {
    fn force(&self, field: &str) -> Verdict<Force> {
        let points = Points {
            infantry: self.infantry.get(),
            cavalry: self.cavalry.map_or(0, Whole::get),
            artillery: self.artillery.map_or(0, Whole::get),
        };
        if points.fighting() == 0 {
            return Err(Refusal::field(format!("{field}.infantry"), phrase::NO_FORCE));
        }
        Ok(Force {
            points,
            initiative: self.initiative.get(),
            bonus: self.bonus.map_or(0, Whole::get),
            foraging: self.foraging,
            vedette: self.vedette,
        })
    }
}

/// A battle.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BattleRequest {
    attacker: ForceRequest,
    defender: ForceRequest,
    #[serde(default)]
    hex: Hex,
    /// The ground of a town.
    ground: Option<Ground>,
    /// The hex the attackers come from, for counterattacks.
    #[serde(default)]
    attacker_hex: Hex,
    #[serde(default)]
    side: Side,
    #[serde(default)]
    weather: Weather,
    /// Fog silences the guns in the first round.
    #[serde(default)]
    fog: bool,
    /// The choices, round by round; by default one pursuit battle.
    rounds: Option<Vec<Stances>>,
    shift: Option<Whole<-20, 20>>,
    #[serde(default)]
    after_failed_repulse: bool,
    /// The defender stays in his citadel.
    #[serde(default)]
    declines: bool,
    /// After this round the side that should attack next does not.
    stops_after: Option<Whole<1, 6>>,
    /// Negotiations are under way.
    #[serde(default)]
    negotiations: bool,
    /// Whether the winner pursues.
    #[serde(default = "yes")]
    pursue: bool,
    retreat: Option<RetreatPath>,
    #[serde(default)]
    game: Game,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct BattleEnd {
    ending: Ending,
    rounds: i32,
    /// Who retreats or is eliminated.
    loser: Option<Party>,
    /// SP lost by the attacker.
    attacker_lost: i32,
    /// SP lost by the defender.
    defender_lost: i32,
    /// Hexes of retreat.
    retreat: i32,
    /// Hexes the winner may advance.
    advance: i32,
    /// The winner, if it was a critical battle.
    critical: Option<Party>,
}

impl BattleRequest {
    fn battle(&self) -> Verdict<battle::Battle> {
        if self.ground.is_some() && self.hex != Hex::Town {
            return Err(Refusal::field("ground", phrase::GROUND_ONLY_WITH_TOWN));
        }
        if let Some(rounds) = &self.rounds {
            check_rounds(rounds)?;
        }
        let path = self.retreat.clone().unwrap_or_default();
        Ok(battle::Battle {
            forces: [self.attacker.force("attacker")?, self.defender.force("defender")?],
            hex: self.hex,
            ground: self.ground.unwrap_or_default(),
            attacker_hex: self.attacker_hex,
            attacker_ground: Ground::Clear,
            side: self.side,
            weather: self.weather,
            fog: self.fog && self.game == Game::Campaign,
            rounds: self.rounds.clone().unwrap_or_default(),
            shift: self.shift.map_or(0, Whole::get),
            after_failed_repulse: self.after_failed_repulse,
            declines: self.declines,
            stops_after: self.stops_after.map(Whole::get),
            negotiations: self.negotiations,
            pursue: self.pursue,
            retreat: battle::Retreat {
                crossing: path.crossing,
                followed: path.followed,
                through_ezoc: path.through_ezoc,
                blocked: path.blocked.map_or(0, Whole::get),
            },
            game: self.game,
        })
    }
}

fn end(battle: &battle::Battle, state: &State) -> BattleEnd {
    BattleEnd {
        ending: state.ending.unwrap_or(Ending::Undecided),
        rounds: state.round,
        loser: state.loser,
        attacker_lost: state.lost[0],
        defender_lost: state.lost[1],
        retreat: state.retreat,
        advance: state.advance,
        critical: battle.critical(state),
    }
}

impl Question for Battle {
    const NAME: &'static str = "campaign.battle";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = BattleRequest;
    type Answer = BattleEnd;

    fn answer(request: &BattleRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<BattleEnd> {
        let battle = request.battle()?;
        let state = battle.fight(options, clerk)?;
        Ok(end(&battle, &state))
    }

    fn stages(request: &BattleRequest, options: &Options) -> Verdict<Stages<BattleEnd>> {
        let battle = request.battle()?;
        let Stages { odds, because, rolled } = battle.odds(options)?;
        Ok(Stages { odds: odds.map(|state| end(&battle, &state)), because, rolled })
    }
}
