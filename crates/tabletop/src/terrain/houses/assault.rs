//! Section 5.5: the assault on a house, side by side: who fights, who gets in, what follows.

use kernel::{Centimetres, Clerk, Effect, Refusal, Verdict, Whole};
use rulebook::options::tabletop::Options;
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::HouseActionsAction as Takes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::cover::MeleeCover;
use super::super::state::{self, State};
use super::super::troops::Troops;
use super::{Side, capacity};

/// How a house is attacked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Attack {
    /// At a side with defenders.
    OccupiedSide(OccupiedSide),
    /// By a side without any.
    EmptySide(EmptySide),
    /// Both opponents enter an empty house.
    SimultaneousEntry(SimultaneousEntry),
}

/// An attack at a side with defenders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OccupiedSide {
    /// The side's length.
    pub side_cm: Centimetres,
    /// First-rank figures of the attacker.
    pub front: Whole<1, 999>,
    /// Length of the side that his front touches; the shorter of the two if nobody says.
    pub contact_cm: Option<Centimetres>,
    /// Figures brought up by an extension of the front, beyond the first rank.
    #[serde(default)]
    pub brought_up: Whole<0, 999>,
    /// Figures posted on the side.
    pub defenders: Whole<0, 999>,
    /// The wall the defenders stand behind was shot to pieces: hard shelter, not a house (TE-R82).
    #[serde(default)]
    pub degraded: bool,
    /// The round.
    #[serde(default)]
    pub round: Whole<1, 99>,
    /// The attacker has won a round and entered.
    #[serde(default)]
    pub inside: bool,
    /// All figures of the attacker and of the garrison, for fights inside.
    pub strengths: Option<(Whole<1, 999>, Whole<1, 999>)>,
    /// The quarter of the period in which contact was made.
    #[serde(default)]
    pub contact_quarter: Whole<1, 4>,
}

/// An attack by a side without defenders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmptySide {
    /// Figures of the attacker.
    pub attacker: Whole<1, 999>,
    /// Figures of the garrison.
    pub garrison: Whole<1, 999>,
    /// The quarter of the period in which contact was made.
    pub contact_quarter: Whole<1, 4>,
}

/// Two units entering one empty house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimultaneousEntry {
    /// Figures of the first and of the second.
    pub figures: (Whole<1, 999>, Whole<1, 999>),
    /// The quarters in which they started, numbered over the whole game.
    pub started: (Whole<1, 9999>, Whole<1, 9999>),
    /// They came by the same side.
    #[serde(default)]
    pub same_side: bool,
}

/// Who fights at a house and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct HouseFight {
    /// Attacking figures that fight.
    pub attackers: i32,
    /// Defending figures that fight.
    pub defenders: i32,
    /// State of the attacker, if the house imposes one.
    pub attacker_state: Option<State>,
    /// State of the defender.
    pub defender_state: State,
    /// What protects the defender.
    pub protection: MeleeCover,
    /// Whether the result is halved.
    pub halved: bool,
    /// The first of two entering units is the garrison already.
    pub first_is_garrison: bool,
}

/// Attackers that fight at a side: those in full contact.
pub fn attackers_at(
    front: i32,
    contact: Centimetres,
    side: Centimetres,
    options: &Options,
    clerk: &mut impl Clerk,
) -> i32 {
    let room = capacity(side, false, options, clerk);
    let full = contact.count().max(0) / super::FIGURE;
    let fighting = front.min(full).min(room);
    let fighting = clerk.limit(rule!(TE_R55), fighting);
    clerk.limit(rule!(TE_5_5_05), fighting)
}

/// First-rank figures that may fold round the corner: those without any contact.
pub fn may_fold(front: i32, contact: Centimetres, movement_left: bool, clerk: &mut impl Clerk) -> i32 {
    let touching = contact.count().max(0).saturating_add(super::FIGURE - 1) / super::FIGURE;
    let free = (front - touching).max(0);
    if free > 0 && movement_left {
        let free = clerk.limit(rule!(TE_R54), free);
        clerk.limit(rule!(TE_5_5_07), free)
    } else {
        0
    }
}

/// Whether a result is halved by the quarter of contact.
fn halved(quarter: i32, round: i32, clerk: &mut impl Clerk) -> bool {
    let halved = quarter >= 3 && round == 1;
    let effect = if halved { Effect::Times(1, 2) } else { Effect::Times(1, 1) };
    let halved = clerk.makes(rule!(TE_R102), effect.clone(), halved, !halved);
    clerk.makes(rule!(TE_5_5_31), effect, halved, !halved)
}

/// Who fights in this round, in which state, behind what.
///
/// # Errors
/// When two units try to enter by one side.
pub fn fight(attack: &Attack, options: &Options, clerk: &mut impl Clerk) -> Verdict<HouseFight> {
    clerk.applied(rule!(TE_5_5_01));
    match attack {
        Attack::OccupiedSide(side) => Ok(at_occupied_side(side, options, clerk)),
        Attack::EmptySide(side) => {
            let (_, length) = super::quarters(Takes::AssaultEntryByEmptySide, clerk);
            // All of the one against all of the other.
            let all = Effect::Set(length.into());
            let (attackers, defenders) =
                clerk.makes(rule!(TE_5_5_29), all, (side.attacker.get(), side.garrison.get()), (0, 0));
            let state = clerk.value(rule!(TE_5_5_30), State::Unformed);
            Ok(HouseFight {
                attackers,
                defenders,
                attacker_state: Some(state),
                defender_state: state,
                protection: MeleeCover::House,
                halved: halved(side.contact_quarter.get(), 1, clerk),
                first_is_garrison: false,
            })
        }
        Attack::SimultaneousEntry(entry) => simultaneous(entry, clerk),
    }
}

fn at_occupied_side(side: &OccupiedSide, options: &Options, clerk: &mut impl Clerk) -> HouseFight {
    clerk.applied(rule!(TE_5_5_06));
    clerk.because(rule!(TE_5_5_04), Effect::Set(0.into()));
    let round = side.round.get();
    let halved = halved(side.contact_quarter.get(), round, clerk);
    if side.inside
        && let Some((attacker, garrison)) = side.strengths
    {
        let attackers = clerk.rather(rule!(TE_5_5_14), attacker.get(), side.front.get());
        let defenders = clerk.rather(rule!(TE_5_5_20), garrison.get(), side.defenders.get());
        return HouseFight {
            attackers,
            defenders,
            attacker_state: Some(State::Unformed),
            defender_state: State::Unformed,
            protection: clerk.value(rule!(TE_5_5_37), MeleeCover::House),
            halved,
            first_is_garrison: false,
        };
    }
    let front = side.front.get() + side.brought_up.get();
    let width = Centimetres::hundredths(front.saturating_mul(super::FIGURE));
    let contact = side.contact_cm.unwrap_or_else(|| width.min(side.side_cm));
    let attackers = attackers_at(front, contact, side.side_cm, options, clerk);
    let attackers = clerk.value(if round == 1 { rule!(TE_5_5_10) } else { rule!(TE_5_5_15) }, attackers);
    let posted = side.defenders.get();
    let defenders = clerk.value(rule!(TE_5_5_11), posted.min(attackers));
    if posted > 0 && posted < capacity(side.side_cm, false, options, clerk) {
        clerk.applied(rule!(TE_5_5_03));
    }
    let protection = if side.degraded {
        clerk.value(rule!(TE_8_5_13), MeleeCover::Hard)
    } else {
        clerk.value(rule!(TE_5_5_09), MeleeCover::House)
    };
    HouseFight {
        attackers,
        defenders,
        attacker_state: None,
        defender_state: State::Unformed,
        protection,
        halved,
        first_is_garrison: false,
    }
}

fn simultaneous(entry: &SimultaneousEntry, clerk: &mut impl Clerk) -> Verdict<HouseFight> {
    if rule!(TE_R60).holds(entry.same_side) {
        return Err(Refusal::rule(rule!(TE_R60), phrase::ONE_SIDE_FOR_TWO));
    }
    // Whoever started first, in whatever order they are named.
    let mut units = [(entry.started.0.get(), entry.figures.0), (entry.started.1.get(), entry.figures.1)];
    units.sort_by_key(|&(started, _)| started);
    let [(first, earlier), (second, later)] = units;
    let quarter = (second - 1).rem_euclid(4) + 1;
    let together = second - first <= 1;
    let all = (later.get(), earlier.get());
    let ((attackers, defenders), protection, state) = if together {
        let all = clerk.rather(rule!(TE_5_5_32), all, (0, 0));
        (all, clerk.value(rule!(TE_5_5_33), MeleeCover::None), State::Unformed)
    } else {
        let protection = clerk.rather(rule!(TE_R60), MeleeCover::House, MeleeCover::None);
        let all = clerk.makes(rule!(TE_5_5_29), Effect::Set(2.into()), all, (0, 0));
        (all, protection, clerk.value(rule!(TE_5_5_30), State::Unformed))
    };
    Ok(HouseFight {
        attackers,
        defenders,
        attacker_state: Some(state),
        defender_state: state,
        protection,
        halved: halved(quarter, 1, clerk),
        first_is_garrison: !together,
    })
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// The attacker inflicted more.
    AttackerWon,
    /// The garrison did.
    GarrisonWon,
    /// Neither.
    Draw,
}

/// Where a fight at a house was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Where {
    /// At the wall.
    AtTheWall,
    /// Inside.
    Inside,
    /// Between two units that entered together.
    Street,
}

/// What follows from a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct AfterRound {
    /// How far the loser goes back.
    pub recoil_cm: Centimetres,
    /// The attacker may enter.
    pub attacker_may_enter: bool,
    /// The winner has the follow-up bonus next round.
    pub follow_up_bonus: bool,
    /// The attacker may extend his front.
    pub may_extend: bool,
    /// The state of the loser, or of an attacker who enters.
    pub state: Option<State>,
    /// The loser is put out of the house.
    pub put_out: bool,
    /// The winner holds the house.
    pub winner_occupies: bool,
}

/// What follows from a round of an assault.
pub fn after_round(where_: Where, ended: Ended, clerk: &mut impl Clerk) -> AfterRound {
    let mut after = AfterRound {
        recoil_cm: Centimetres::ZERO,
        attacker_may_enter: false,
        follow_up_bonus: false,
        may_extend: false,
        state: None,
        put_out: false,
        winner_occupies: false,
    };
    let three = Centimetres::whole(3);
    match (where_, ended) {
        (Where::AtTheWall, Ended::AttackerWon) => {
            after.recoil_cm = clerk.value(rule!(TE_5_5_18), Centimetres::ZERO);
            after.follow_up_bonus = clerk.value(rule!(TE_5_5_19), 0) != 0;
            after.attacker_may_enter = clerk.holds(rule!(TE_5_5_12), true);
            after.state = Some(clerk.value(rule!(TE_5_5_36), State::Unformed));
        }
        (Where::AtTheWall, Ended::GarrisonWon) => {
            after.state = Some(clerk.value(rule!(TE_R56), State::Disorganised));
            after.recoil_cm = three;
        }
        (Where::AtTheWall, Ended::Draw) => {
            clerk.applied(rule!(TE_5_5_15));
            after.may_extend = clerk.holds(rule!(TE_5_5_21), true);
        }
        (Where::Inside, Ended::AttackerWon) => {
            after.recoil_cm = clerk.value(rule!(TE_5_5_18), Centimetres::ZERO);
        }
        (Where::Inside, Ended::GarrisonWon) => {
            after.state = Some(clerk.value(rule!(TE_R56), State::Unformed));
            after.recoil_cm = three;
            after.put_out = true;
        }
        (Where::Inside | Where::Street, Ended::Draw) => {}
        (Where::Street, Ended::AttackerWon | Ended::GarrisonWon) => {
            after.recoil_cm = clerk.value(rule!(TE_5_5_34), three);
            after.state = Some(clerk.value(rule!(TE_5_5_38), State::Unformed));
            after.winner_occupies = clerk.holds(rule!(TE_5_5_35), true);
            after.put_out = true;
        }
    }
    after
}

/// May an attacker go in through a side that is held?
///
/// # Errors
/// Until he has won there.
pub fn enter_held_side(has_won: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    if rule!(TE_5_5_12).holds(!has_won) {
        return Err(Refusal::rule(rule!(TE_5_5_12), phrase::WIN_FIRST));
    }
    clerk.applied(rule!(TE_5_5_36));
    Ok(())
}

/// May the loser of a street fight come back?
///
/// # Errors
/// Until it has re-formed.
pub fn come_back(loser: &Troops, clerk: &mut impl Clerk) -> Verdict<()> {
    if rule!(TE_5_5_38).holds(loser.state >= State::Unformed) {
        return Err(Refusal::rule(rule!(TE_5_5_38), phrase::REFORM_FIRST)
            .with("state", state::word(loser.state))
            .with("quarters", state::reform_quarters(loser.state, loser.status, clerk)));
    }
    Ok(())
}

/// One combat at a side in which the garrison suffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Combat {
    /// The side.
    pub side: Side,
    /// Losses inflicted on the garrison there.
    pub losses: Whole<0, 9999>,
}

/// The sides from which a figure lost in several combats may be taken: where most was suffered,
/// the garrison choosing between equals.
pub fn figure_comes_off(combats: &[Combat], clerk: &mut impl Clerk) -> Vec<Side> {
    clerk.applied(rule!(TE_5_5_13));
    let most = combats.iter().map(|combat| combat.losses.get()).max().unwrap_or(0);
    let all = || combats.iter().map(|combat| combat.side);
    let mut sides: Vec<Side> = match combats.len() {
        0 | 1 => all().filter(|_| clerk.holds(rule!(TE_5_5_16), true)).collect(),
        _ => {
            let greater = combats.iter().filter(|combat| combat.losses.get() == most);
            let greater = greater.map(|combat| combat.side).collect();
            clerk.rather(rule!(TE_5_5_17), greater, all().collect())
        }
    };
    if sides.len() > 1 && !clerk.holds(rule!(TE_R57), true) {
        sides.truncate(1);
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;
    use crate::terrain::troops::{Arm, Formation};

    fn side(side: i32, front: i32, defenders: i32) -> OccupiedSide {
        OccupiedSide {
            side_cm: Centimetres::hundredths(side),
            front: Whole::new(front).unwrap(),
            contact_cm: None,
            brought_up: Whole::default(),
            defenders: Whole::new(defenders).unwrap(),
            degraded: false,
            round: Whole::default(),
            inside: false,
            strengths: None,
            contact_quarter: Whole::default(),
        }
    }

    fn fought(attack: &Attack) -> HouseFight {
        told(|clerk| fight(attack, &Options::default(), clerk)).0.unwrap()
    }

    fn numbers(at: OccupiedSide) -> (i32, i32) {
        let fight = fought(&Attack::OccupiedSide(at));
        (fight.attackers, fight.defenders)
    }

    #[test]
    fn te_ex_15_a_front_attacks_a_side() {
        assert_eq!(numbers(side(1200, 3, 8)), (3, 3));
    }

    #[test]
    fn te_ex_17_one_figure_on_a_side() {
        let (fight, said) =
            told(|clerk| fight(&Attack::OccupiedSide(side(750, 5, 1)), &Options::default(), clerk));
        assert_eq!(fight.unwrap().defenders, 1);
        assert!(said.contains(&"TE-5.5-03"));
    }

    #[test]
    fn te_ex_18_full_contact_at_a_house() {
        assert_eq!(numbers(side(500, 4, 3)).0, 3);
    }

    #[test]
    fn te_ex_19_a_column_at_a_house_side() {
        assert_eq!(numbers(side(500, 6, 3)).0, 3);
        let five = Centimetres::whole(5);
        assert_eq!(told(|clerk| may_fold(6, five, true, clerk)).0, 2);
        assert_eq!(told(|clerk| may_fold(6, five, false, clerk)).0, 0);
    }

    #[test]
    fn te_ex_20_those_in_full_contact_fight() {
        assert_eq!(numbers(side(750, 5, 1)), (5, 1));
    }

    #[test]
    fn te_ex_21_a_column_attacks_a_held_side() {
        assert_eq!(numbers(side(900, 3, 3)), (3, 3));
        assert_eq!(numbers(side(900, 3, 2)), (3, 2));
    }

    #[test]
    fn te_ex_22_fight() {
        let after = OccupiedSide {
            brought_up: Whole::new(4).unwrap(),
            round: Whole::new(2).unwrap(),
            ..side(1050, 3, 7)
        };
        let fight = fought(&Attack::OccupiedSide(after));
        assert_eq!((fight.attackers, fight.halved), (7, false));
    }

    #[test]
    fn te_ex_24_two_units_enter_one_house() {
        let enter = |second| {
            fought(&Attack::SimultaneousEntry(SimultaneousEntry {
                figures: (Whole::new(12).unwrap(), Whole::new(9).unwrap()),
                started: (Whole::new(3).unwrap(), Whole::new(second).unwrap()),
                same_side: false,
            }))
        };
        for quarter in [3, 4] {
            let fight = enter(quarter);
            assert_eq!((fight.attackers, fight.defenders), (9, 12));
            assert_eq!((fight.protection, fight.first_is_garrison), (MeleeCover::None, false));
            assert_eq!(
                (fight.attacker_state, fight.defender_state),
                (Some(State::Unformed), State::Unformed)
            );
        }
        let late = enter(5);
        assert_eq!((late.protection, late.first_is_garrison), (MeleeCover::House, true));
        let named_last = fought(&Attack::SimultaneousEntry(SimultaneousEntry {
            figures: (Whole::new(9).unwrap(), Whole::new(12).unwrap()),
            started: (Whole::new(5).unwrap(), Whole::new(3).unwrap()),
            same_side: false,
        }));
        assert_eq!(named_last, late, "the first to start is the garrison, whoever is named first");
        let one_door = Attack::SimultaneousEntry(SimultaneousEntry {
            figures: (Whole::new(12).unwrap(), Whole::new(9).unwrap()),
            started: (Whole::new(3).unwrap(), Whole::new(3).unwrap()),
            same_side: true,
        });
        assert_eq!(
            told(|clerk| fight(&one_door, &Options::default(), clerk)).0.unwrap_err().rule,
            Some(rule!(TE_R60))
        );
    }

    #[test]
    fn te_ex_49_an_attack_by_an_empty_side() {
        let by_empty_side = |quarter| {
            fought(&Attack::EmptySide(EmptySide {
                attacker: Whole::new(12).unwrap(),
                garrison: Whole::new(9).unwrap(),
                contact_quarter: Whole::new(quarter).unwrap(),
            }))
        };
        let fight = by_empty_side(1);
        assert_eq!((fight.attackers, fight.defenders, fight.halved), (12, 9, false));
        assert_eq!((fight.attacker_state, fight.defender_state), (Some(State::Unformed), State::Unformed));
        assert_eq!(fight.protection, MeleeCover::House);
        assert!(by_empty_side(3).halved);
    }

    #[test]
    fn a_wall_shot_to_pieces_is_no_house_any_more() {
        let protection =
            |degraded| fought(&Attack::OccupiedSide(OccupiedSide { degraded, ..side(600, 4, 3) })).protection;
        assert_eq!((protection(false), protection(true)), (MeleeCover::House, MeleeCover::Hard));
    }

    #[test]
    fn inside_all_fight_all() {
        let inside = OccupiedSide {
            inside: true,
            round: Whole::new(2).unwrap(),
            strengths: Some((Whole::new(11).unwrap(), Whole::new(8).unwrap())),
            ..side(600, 4, 3)
        };
        let fight = fought(&Attack::OccupiedSide(inside));
        assert_eq!((fight.attackers, fight.defenders, fight.protection), (11, 8, MeleeCover::House));
    }

    #[test]
    fn after_a_round() {
        let after = |place, ended| told(|clerk| after_round(place, ended, clerk)).0;
        let won = after(Where::AtTheWall, Ended::AttackerWon);
        assert!(won.attacker_may_enter && !won.follow_up_bonus && won.recoil_cm == Centimetres::ZERO);
        assert_eq!(won.state, Some(State::Unformed));
        assert_eq!(after(Where::AtTheWall, Ended::GarrisonWon).state, Some(State::Disorganised));
        assert!(after(Where::AtTheWall, Ended::Draw).may_extend);
        assert!(after(Where::Inside, Ended::GarrisonWon).put_out);
        assert_eq!(after(Where::Inside, Ended::AttackerWon).recoil_cm, Centimetres::ZERO);
        let street = after(Where::Street, Ended::GarrisonWon);
        assert!(street.put_out && street.winner_occupies);
        assert_eq!(street.recoil_cm, Centimetres::whole(3));
    }

    #[test]
    fn doors_open_to_the_winner_alone() {
        assert_eq!(told(|clerk| enter_held_side(false, clerk)).0.unwrap_err().rule, Some(rule!(TE_5_5_12)));
        assert!(told(|clerk| enter_held_side(true, clerk)).0.is_ok());
        let loser = Troops::new(Arm::Infantry, Formation::Line).in_state(State::Unformed);
        assert_eq!(told(|clerk| come_back(&loser, clerk)).0.unwrap_err().rule, Some(rule!(TE_5_5_38)));
        assert!(told(|clerk| come_back(&loser.clone().in_state(State::Formed), clerk)).0.is_ok());
    }

    #[test]
    fn figures_come_off_where_most_was_suffered() {
        let combat = |side, losses| Combat { side, losses: Whole::new(losses).unwrap() };
        let off = |combats: &[Combat]| told(|clerk| figure_comes_off(combats, clerk)).0;
        assert_eq!(off(&[combat(Side::North, 15)]), [Side::North]);
        assert_eq!(off(&[combat(Side::North, 15), combat(Side::East, 25)]), [Side::East]);
        assert_eq!(off(&[combat(Side::North, 15), combat(Side::East, 15)]), [Side::North, Side::East]);
    }
}
