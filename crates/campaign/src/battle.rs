//! A whole battle: artillery of both sides, combat, retreat and pursuit, round after round. The
//! charts are those of the other modules; the order of things is section 12 to 14 of the campaign
//! core. The same three phases are played, replayed, or walked through for the exact odds.

use kernel::{Clerk, Effect, Refusal, Stages, Verdict};
use rulebook::options::campaign::{NegotiationTruce, Options};
use rulebook::{phrase::campaign as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::artillery::{self, Fire};
use crate::combat::{self, Attack};
use crate::initiative::{self, Comparison, Purpose};
use crate::pursuit::{self, Path, Pursuit};
use crate::tables;
use crate::terms::{Crossing, Foraging, Game, Ground, Hex, Party, Side, Strength, Weather};
use crate::terrain::{self, AttackGround};

/// A side's choice for a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stance {
    /// A pitched battle.
    Pitched,
    /// A pursuit battle.
    #[default]
    Pursuit,
}

/// The choices of both sides for a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stances {
    /// Of the side that attacked first.
    pub attacker: Stance,
    /// Of the other.
    pub defender: Stance,
}

impl Stances {
    /// Whether both want a pitched battle.
    #[must_use]
    pub fn pitched(self) -> bool {
        self.attacker == Stance::Pitched && self.defender == Stance::Pitched
    }
}

/// The SP of a force, by arm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points {
    /// Infantry.
    pub infantry: i32,
    /// Cavalry.
    pub cavalry: i32,
    /// Artillery.
    pub artillery: i32,
}

impl Points {
    /// What counts in the ratio.
    #[must_use]
    pub const fn fighting(self) -> i32 {
        self.infantry + self.cavalry
    }

    /// All of it.
    #[must_use]
    pub const fn all(self) -> i32 {
        self.fighting() + self.artillery
    }

    /// Takes losses, infantry first and artillery last; gives back what was really lost.
    pub fn lose(&mut self, points: i32) -> i32 {
        let mut left = points.max(0);
        for arm in [&mut self.infantry, &mut self.cavalry, &mut self.artillery] {
            let taken = left.min(*arm);
            *arm -= taken;
            left -= taken;
        }
        points.max(0) - left
    }
}

/// A force and its commander.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Force {
    /// Its SP.
    pub points: Points,
    /// The commander's initiative.
    pub initiative: i32,
    /// His bonus.
    pub bonus: i32,
    /// Whether it is in forage mode.
    pub foraging: bool,
    /// Whether it is a vedette.
    pub vedette: bool,
}

/// The retreat, if there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retreat {
    /// The water it crosses.
    pub crossing: Crossing,
    /// Whether the pursuers go over it too.
    pub followed: bool,
    /// Whether it passes through an enemy zone of control.
    pub through_ezoc: bool,
    /// Hexes of it that cannot be gone.
    pub blocked: i32,
}

/// A battle before its first die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Battle {
    /// Attacker and defender.
    pub forces: [Force; 2],
    /// The hex attacked.
    pub hex: Hex,
    /// The ground of a town there.
    pub ground: Ground,
    /// The hex the attackers come from.
    pub attacker_hex: Hex,
    /// The ground of a town there.
    pub attacker_ground: Ground,
    /// The hexside between them.
    pub side: Side,
    /// The weather.
    pub weather: Weather,
    /// Whether there is fog.
    pub fog: bool,
    /// The choices, round by round; none is one pursuit battle.
    pub rounds: Vec<Stances>,
    /// A further shift of the first attack.
    pub shift: i32,
    /// Whether the first attack follows a failed repulse.
    pub after_failed_repulse: bool,
    /// Whether the defender declines the attack in his citadel.
    pub declines: bool,
    /// After this round the side that should attack next does not.
    pub stops_after: Option<i32>,
    /// Whether negotiations are under way.
    pub negotiations: bool,
    /// Whether the winner pursues.
    pub pursue: bool,
    /// The retreat.
    pub retreat: Retreat,
    /// The kind of game.
    pub game: Game,
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// A retreat after a pursuit battle.
    Retreat,
    /// A force has nothing left to fight with.
    Eliminated,
    /// The side that should have attacked did not, and both stay.
    Stopped,
    /// All rounds given were fought, and both stay.
    Undecided,
    /// The defender shut himself up in the citadel.
    Siege,
}

/// A battle under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// What is left of attacker and defender.
    pub left: [Points; 2],
    /// SP lost by each.
    pub lost: [i32; 2],
    /// Rounds lost by each.
    pub rounds_lost: [i32; 2],
    /// Rounds fought.
    pub round: i32,
    /// How it ended, if it did.
    pub ending: Option<Ending>,
    /// The loser of the affair.
    pub loser: Option<Party>,
    /// Hexes of retreat.
    pub retreat: i32,
    /// SP the winner lost in the last round.
    pub winner_loss: i32,
    /// Hexes the winner may advance.
    pub advance: i32,
}

/// The most rounds of a battle (campaign-core 12.7).
pub const MOST_ROUNDS: usize = 6;
/// SP each side needs for a critical battle (campaign-core 12.11).
const CRITICAL: i32 = 20;

impl Battle {
    /// The choices of a round, from 1.
    fn stances(&self, round: i32) -> Stances {
        usize::try_from(round - 1).ok().and_then(|place| self.rounds.get(place)).copied().unwrap_or_default()
    }

    /// How many rounds were given: one at least.
    fn planned(&self) -> i32 {
        i32::try_from(self.rounds.len().max(1)).unwrap_or(1)
    }

    fn foraging(&self, active: Party) -> Foraging {
        match (self.forces[active as usize].foraging, self.forces[active.other() as usize].foraging) {
            (false, false) => Foraging::None,
            (true, false) => Foraging::Attacker,
            (false, true) => Foraging::Defender,
            (true, true) => Foraging::Both,
        }
    }

    /// Checks that the battle can be fought so, and opens it.
    ///
    /// # Errors
    /// When a truce forbids it, a choice is not open to a side, or the defender may not decline.
    pub fn open(&self, options: &Options, clerk: &mut impl Clerk) -> Verdict<State> {
        let mut state = State {
            left: self.forces.map(|force| force.points),
            lost: [0; 2],
            rounds_lost: [0; 2],
            round: 0,
            ending: None,
            loser: None,
            retreat: 0,
            winner_loss: 0,
            advance: 0,
        };
        if self.negotiations && options.negotiation_truce == NegotiationTruce::NoAttacks {
            return Err(Refusal::rule(rule!(CA_R31), phrase::TRUCE).at("negotiations"));
        }
        if self.declines {
            if !clerk.holds(rule!(CA_TERRAIN_16), self.hex == Hex::Citadel) {
                return Err(Refusal::rule(rule!(CA_TERRAIN_16), phrase::ONLY_CITADEL).at("declines"));
            }
            state.ending = Some(Ending::Siege);
            return Ok(state);
        }
        self.check_stances(clerk)?;
        if let Some(round) = self.stops_after {
            self.check_stop(round, options, clerk)?;
        }
        // The ground is asked once, aloud: a forbidden attack is refused before any die.
        self.ground(&state, Party::Attacker, options, clerk)?;
        Ok(state)
    }

    fn check_stances(&self, clerk: &mut impl Clerk) -> Verdict<()> {
        let defender = &self.forces[Party::Defender as usize];
        for (place, stances) in self.rounds.iter().enumerate() {
            if stances.defender != Stance::Pitched {
                continue;
            }
            if rule!(CA_TERRAIN_12).holds(defender.foraging || defender.vedette) {
                return Err(Refusal::rule(rule!(CA_TERRAIN_12), phrase::NO_PITCHED_BATTLE)
                    .at(format!("rounds.{place}.defender")));
            }
            if tables::hex(self.hex).pitched {
                clerk.applied(rule!(CA_TERRAIN_12));
            }
        }
        combat::check_order(&self.rounds)
    }

    /// Only a river or a citadel excuses the side that should counterattack.
    fn check_stop(&self, round: i32, options: &Options, clerk: &mut impl Clerk) -> Verdict<()> {
        let side = terrain::in_weather(self.side, self.weather, options, clerk);
        let optional = tables::side(side).is_some_and(|row| row.counterattack_optional);
        if clerk.holds(rule!(CA_TERRAIN_23), optional) {
            return Ok(());
        }
        let garrison_next = round % 2 == 1 && self.hex == Hex::Citadel;
        if garrison_next { Ok(()) } else { Err(Refusal::field("stops_after", phrase::COUNTERATTACK_DUE)) }
    }

    /// The ground of the attack that `active` makes.
    fn ground(
        &self,
        state: &State,
        active: Party,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<AttackGround> {
        let (hex, ground) = match active {
            Party::Attacker => (self.hex, self.ground),
            Party::Defender => (self.attacker_hex, self.attacker_ground),
        };
        let judge = |ground: &AttackGround| {
            let (attacker, defender) = strengths(state, active, ground);
            // Silent guns break a tie in the defender's eyes.
            combat::first_column(attacker, defender, ground.line) * 2 + i32::from(ground.artillery)
        };
        terrain::attack(hex, ground, self.side, self.weather, options, judge, clerk)
    }

    /// Phase one of a round: both sides' guns, at once.
    ///
    /// # Errors
    /// When the attack cannot be made.
    pub fn bombard(&self, mut state: State, options: &Options, clerk: &mut impl Clerk) -> Verdict<State> {
        if state.ending.is_some() {
            return Ok(state);
        }
        state.round += 1;
        let losses = self.fire(&state, options, clerk)?;
        for (place, loss) in losses.into_iter().enumerate() {
            state.lost[place] += state.left[place].lose(loss);
        }
        eliminate(&mut state);
        Ok(state)
    }

    /// What the guns of both sides do to each other in the round of `state`.
    ///
    /// # Errors
    /// When the attack cannot be made.
    pub fn fire(&self, state: &State, options: &Options, clerk: &mut impl Clerk) -> Verdict<[i32; 2]> {
        let active = active(state.round);
        let ground = self.ground(state, active, options, clerk)?;
        let mut losses = [0; 2];
        for party in [active, active.other()] {
            let own = state.left[party as usize];
            let silent = (self.fog && state.round == 1) || (party == active && !ground.artillery);
            if own.artillery == 0 || silent {
                continue;
            }
            let enemy = state.left[party.other() as usize];
            let fire = Fire {
                guns: own.artillery,
                weather: self.weather,
                bonus: self.forces[party as usize].bonus,
                cavalry: own.cavalry > 0 && own.cavalry >= 2 * enemy.cavalry,
            };
            losses[party.other() as usize] = artillery::fire(&fire, options, clerk).loss;
        }
        Ok(losses)
    }

    /// Phase two: the attack.
    ///
    /// # Errors
    /// When the attack cannot be made.
    pub fn clash(&self, mut state: State, options: &Options, clerk: &mut impl Clerk) -> Verdict<State> {
        if state.ending.is_some() {
            return Ok(state);
        }
        let (loser, numbers) = self.meet(&state, options, clerk)?;
        let winner = loser.other();
        if self.stances(state.round).pitched() {
            for (place, number) in numbers.into_iter().enumerate() {
                state.lost[place] += state.left[place].lose(number);
            }
            state.rounds_lost[loser as usize] += 1;
            eliminate(&mut state);
            if state.ending.is_none() && self.stops_after == Some(state.round) {
                state.ending = Some(Ending::Stopped);
            }
            if state.ending.is_none() && state.round >= self.planned() {
                state.ending = Some(Ending::Undecided);
            }
        } else {
            let really = state.left[winner as usize].lose(numbers[winner as usize]);
            state.lost[winner as usize] += really;
            state.winner_loss = really;
            state.retreat = numbers[loser as usize];
            state.loser = Some(loser);
            state.ending = Some(Ending::Retreat);
        }
        Ok(state)
    }

    /// Who loses the attack of the round of `state`, and the numbers of attacker and defender.
    ///
    /// # Errors
    /// When the attack cannot be made.
    pub fn meet(
        &self,
        state: &State,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<(Party, [i32; 2])> {
        let active = active(state.round);
        let ground = self.ground(state, active, options, clerk)?;
        let (attacker, defender) = strengths(state, active, &ground);
        let first = state.round == 1;
        let outcome = combat::resolve(
            &Attack {
                attacker,
                defender,
                line: ground.line,
                shift: if first { self.shift } else { 0 },
                bonus: self.forces[active as usize].bonus,
                defender_bonus: self.forces[active.other() as usize].bonus,
                snow: self.weather == Weather::Snow,
                after_failed_repulse: first && self.after_failed_repulse,
                foraging: self.foraging(active),
            },
            options,
            clerk,
        );
        let loser = if outcome.loser == Party::Attacker { active } else { active.other() };
        let mut numbers = [0; 2];
        numbers[active as usize] = outcome.attacker;
        numbers[active.other() as usize] = outcome.defender;
        Ok((loser, numbers))
    }

    /// Phase three: the pursuit, if there is a retreat.
    pub fn chase(&self, mut state: State, options: &Options, clerk: &mut impl Clerk) -> State {
        let (Some(Ending::Retreat), Some(loser)) = (state.ending, state.loser) else { return state };
        let winner = loser.other();
        let blocked = self.retreat.blocked.min(state.retreat);
        let can_pursue = self.pursue && state.left[winner as usize].fighting() > 0;
        let advance = if can_pursue && state.retreat > 0 {
            let modifier = self.pursuit_modifier(&state, winner, options, clerk);
            let initiative = self.forces[winner as usize].initiative;
            pursuit::roll(&Pursuit { initiative, retreat: state.retreat, modifier }, options, clerk).advance
        } else {
            0
        };
        let path = Path {
            retreat: state.retreat,
            blocked,
            crossing: self.retreat.crossing,
            followed: self.retreat.followed && advance > 1,
            through_ezoc: self.retreat.through_ezoc,
            winner_loss: state.winner_loss,
        };
        let toll = pursuit::toll(advance, &path, clerk);
        state.advance = toll.advance;
        state.lost[loser as usize] += state.left[loser as usize].lose(toll.loss + blocked);
        state
    }

    /// The modifier of the winner's pursuit die.
    pub fn pursuit_modifier(
        &self,
        state: &State,
        winner: Party,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> i32 {
        let (own, enemy) = (state.left[winner as usize], state.left[winner.other() as usize]);
        let cavalry = initiative::cavalry(own.cavalry, enemy.cavalry, self.game, clerk);
        let resistance = initiative::compare(
            &Comparison {
                active: self.forces[winner as usize].initiative,
                passive: self.forces[winner.other() as usize].initiative,
                weather: self.weather,
                purpose: Purpose::Pursuit,
                cavalry,
                foraging: self.foraging(winner),
                game: self.game,
            },
            options,
            clerk,
        );
        let mut modifier = clerk.modifier(rule!(CA_PURSUIT_07), resistance.resistance);
        if self.game == Game::Battle && own.infantry == 0 {
            modifier += clerk.modifier(rule!(CA_PURSUIT_08), -1);
        }
        let rounds = state.rounds_lost[winner as usize];
        if rounds > 0 {
            modifier += clerk.modifier(rule!(CA_PURSUIT_09), rounds);
        }
        modifier
    }

    /// The winner of a critical battle, if it was one.
    #[must_use]
    pub fn critical(&self, state: &State) -> Option<Party> {
        let pitched = self.stances(1).pitched() && state.round > 0;
        let large = self.forces.iter().all(|force| force.points.all() >= CRITICAL);
        if !pitched || !large {
            return None;
        }
        state.loser.map(Party::other).or_else(|| match state.lost[0].cmp(&state.lost[1]) {
            std::cmp::Ordering::Less => Some(Party::Attacker),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Party::Defender),
        })
    }

    /// Fights the battle to its end.
    ///
    /// # Errors
    /// When it cannot be fought so.
    pub fn fight(&self, options: &Options, clerk: &mut impl Clerk) -> Verdict<State> {
        let mut state = self.open(options, clerk)?;
        for _ in 0..self.planned() {
            state = self.bombard(state, options, clerk)?;
            state = self.clash(state, options, clerk)?;
        }
        let state = self.chase(state, options, clerk);
        Ok(self.close(state, clerk))
    }

    /// Says who won a critical battle.
    fn close(&self, state: State, clerk: &mut impl Clerk) -> State {
        if let Some(winner) = self.critical(&state) {
            clerk.because(rule!(CA_VIENNA_MORALE_07), Effect::Set(word(winner).into()));
        }
        state
    }

    /// Every end of the battle with its exact chance: the phases of [`fight`](Self::fight), equal
    /// states merged between them.
    ///
    /// # Errors
    /// When it cannot be fought so, or the outcomes cannot be counted.
    pub fn odds(&self, options: &Options) -> Verdict<Stages<State>> {
        let mut battle = Stages::first(|clerk| self.open(options, clerk))?;
        for _ in 0..self.planned() {
            battle = battle.then(|&state, clerk| self.bombard(state, options, clerk))?;
            battle = battle.then(|&state, clerk| self.clash(state, options, clerk))?;
        }
        battle.then(|&state, clerk| Ok(self.close(self.chase(state, options, clerk), clerk)))
    }
}

const fn word(party: Party) -> &'static str {
    match party {
        Party::Attacker => "attacker",
        Party::Defender => "defender",
    }
}

/// Who attacks in a round: they alternate.
const fn active(round: i32) -> Party {
    if round % 2 == 1 { Party::Attacker } else { Party::Defender }
}

/// The strengths of an attack on this ground. A force that is spent counts next to nothing.
fn strengths(state: &State, active: Party, ground: &AttackGround) -> (Strength, Strength) {
    let own = state.left[active as usize];
    let enemy = state.left[active.other() as usize];
    (
        Strength::hundredths(ground.attacker(own.infantry, own.cavalry).max(1)),
        Strength::hundredths(ground.defender(enemy.fighting()).max(1)),
    )
}

/// A force without infantry and cavalry is out of the battle; if both are, it is the first attacker.
fn eliminate(state: &mut State) {
    for party in [Party::Attacker, Party::Defender] {
        if state.ending.is_none() && state.left[party as usize].fighting() == 0 {
            state.ending = Some(Ending::Eliminated);
            state.loser = Some(party);
        }
    }
}
