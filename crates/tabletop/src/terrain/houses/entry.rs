//! Section 5.2, its beginning: who may enter an empty house, how long it takes and what happens to
//! a unit caught at the door; and the relief of one garrison by another.

use kernel::{Clerk, Refusal, Verdict, Whole};
use rulebook::options::tabletop::{DisorganisedMayEnterHouse, Options, SkirmishersElsewhere};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::HouseActionsAction as Takes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::state::{self, Catcher, State};
use super::super::troops::{Arm, Troops, arm_word};
use super::{Burnt, not_burning, quarters};

/// A unit before a house.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AtTheDoor {
    /// The unit.
    pub troops: Troops,
    /// All its figures.
    pub figures: Whole<0, 999>,
    /// Figures of its first rank.
    pub first_rank: Whole<1, 999>,
    /// Those with their whole front against one side, the one at which it arrived.
    pub touching: Whole<0, 999>,
    /// It touches by its end figure alone, at right angles to its front.
    #[serde(default)]
    pub by_its_end: bool,
    /// It made a forced march and has not re-formed.
    #[serde(default)]
    pub after_forced_march: bool,
    /// Some unit is in the house.
    #[serde(default)]
    pub occupied: bool,
    /// That unit is a friend.
    #[serde(default)]
    pub by_a_friend: bool,
    /// The unit holds another house already.
    #[serde(default)]
    pub holds_another_house: bool,
    /// The house was set on fire.
    pub burnt: Option<Burnt>,
}

/// An entry under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Entry {
    /// Its first quarter, numbered over the whole game.
    pub from_quarter: i32,
    /// Its last: the unit is the garrison at its end.
    pub to_quarter: i32,
    /// Its state meanwhile and inside.
    pub state: State,
}

/// Figures a unit needs.
const LEAST: i32 = 3;

/// The conditions of entry but for the house being empty (relief and assault ask for them too).
pub(crate) fn fit_to_enter(unit: &AtTheDoor, options: &Options, clerk: &mut impl Clerk) -> Verdict<()> {
    let troops = &unit.troops;
    not_burning(unit.burnt, options)?;
    if !clerk.holds(rule!(TE_5_2_03), troops.arm == Arm::Infantry) {
        return Err(Refusal::rule(rule!(TE_5_2_03), phrase::NOT_ADMITTED)
            .with("arm", arm_word(troops.kind()))
            .with("ground", phrase::GROUND_HOUSE));
    }
    if rule!(TE_5_2_41).holds(unit.figures.get() < LEAST) {
        return Err(Refusal::rule(rule!(TE_5_2_41), phrase::TOO_FEW_FIGURES)
            .with("figures", unit.figures.get())
            .with("limit", LEAST));
    }
    state::may_act(troops, false, clerk)?;
    if troops.state == State::Disorganised
        && options.disorganised_may_enter_house == DisorganisedMayEnterHouse::No
    {
        Refusal::rule(rule!(TE_R39), phrase::REFORM_FIRST)
            .with("state", state::word(troops.state))
            .with("quarters", 1)
            .stands(())?;
    }
    if rule!(TE_5_2_07).holds(unit.after_forced_march) {
        return Err(Refusal::rule(rule!(TE_5_2_07), phrase::FORCED_MARCH_BEFORE_ENTRY));
    }
    if rule!(TE_5_2_12).holds(unit.holds_another_house) {
        return Err(Refusal::rule(rule!(TE_5_2_12), phrase::ONE_HOUSE_PER_UNIT));
    }
    if rule!(TE_5_2_10).holds(unit.by_its_end) {
        return Err(Refusal::rule(rule!(TE_5_2_10), phrase::ONLY_END_TOUCHES));
    }
    if !clerk.holds(rule!(TE_5_2_09), unit.touching.get() >= unit.first_rank.get()) {
        return Err(Refusal::rule(rule!(TE_5_2_09), phrase::FIRST_RANK_NOT_IN_CONTACT)
            .with("touching", unit.touching.get())
            .with("front", unit.first_rank.get()));
    }
    Ok(())
}

/// A unit starts to enter at the beginning of `quarter`.
///
/// # Errors
/// The condition it does not meet.
pub fn enter(unit: &AtTheDoor, quarter: i32, options: &Options, clerk: &mut impl Clerk) -> Verdict<Entry> {
    if rule!(TE_5_2_25).holds(unit.occupied && unit.by_a_friend) {
        return Err(Refusal::rule(rule!(TE_5_2_25), phrase::HOUSE_HOLDS_A_FRIEND));
    }
    if rule!(TE_5_2_02).holds(unit.occupied) {
        return Err(Refusal::rule(rule!(TE_5_2_02), phrase::HOUSE_OCCUPIED));
    }
    fit_to_enter(unit, options, clerk)?;
    let (_, length) = quarters(Takes::EnterEmptyHouse, clerk);
    let length = clerk.value(rule!(TE_5_2_04), length);
    clerk.applied(rule!(TE_5_2_14));
    let to_quarter = quarter.saturating_add(length - 1);
    if (quarter - 1).div_euclid(2) != (to_quarter - 1).div_euclid(2) {
        clerk.applied(rule!(TE_5_2_08));
    }
    let state = entering_state(&unit.troops, options, clerk);
    Ok(Entry { from_quarter: quarter, to_quarter, state })
}

/// The state of a unit while it enters and once it is in.
pub(crate) fn entering_state(troops: &Troops, options: &Options, clerk: &mut impl Clerk) -> State {
    if troops.skirmishes() && options.skirmishers_elsewhere == SkirmishersElsewhere::StayFormed {
        return clerk.value(rule!(TE_R07), troops.state);
    }
    state::worsen(troops.state, State::Unformed, rule!(TE_5_2_06), clerk)
}

/// A relief of the garrison by a friend.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Relief {
    /// The newcomers.
    pub incoming: AtTheDoor,
    /// An enemy touches the house.
    #[serde(default)]
    pub enemy_touches: bool,
}

/// The exchange of garrisons, from the start of `quarter`.
///
/// # Errors
/// The condition the newcomers do not meet, or an enemy at the walls.
pub fn relieve(relief: &Relief, quarter: i32, options: &Options, clerk: &mut impl Clerk) -> Verdict<Entry> {
    if rule!(TE_R46).holds(relief.enemy_touches) {
        return Err(Refusal::rule(rule!(TE_R46), phrase::ENEMY_TOUCHES_HOUSE));
    }
    fit_to_enter(&relief.incoming, options, clerk)?;
    let (_, length) = quarters(Takes::Relieve, clerk);
    let length = clerk.value(rule!(TE_5_2_26), length);
    let state = entering_state(&relief.incoming.troops, options, clerk);
    Ok(Entry { from_quarter: quarter, to_quarter: quarter.saturating_add(length - 1), state })
}

/// A unit touched before its entry is complete: its state, without any protection of the house.
pub fn caught_entering(troops: &Troops, by: Catcher, options: &Options, clerk: &mut impl Clerk) -> State {
    if clerk.holds(rule!(TE_5_2_11), true) {
        state::caught(troops.state, by, options, clerk)
    } else {
        troops.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;
    use crate::terrain::troops::Formation;

    pub(crate) fn column(figures: i32, front: i32) -> AtTheDoor {
        AtTheDoor {
            troops: Troops::new(Arm::Infantry, Formation::CompanyColumn).front(front),
            figures: Whole::new(figures).unwrap(),
            first_rank: Whole::new(front).unwrap(),
            touching: Whole::new(front).unwrap(),
            by_its_end: false,
            after_forced_march: false,
            occupied: false,
            by_a_friend: false,
            holds_another_house: false,
            burnt: None,
        }
    }

    fn tried(unit: &AtTheDoor, options: &Options) -> Result<Entry, Option<kernel::RuleId>> {
        told(|clerk| enter(unit, 2, options, clerk)).0.map_err(|refusal| refusal.rule)
    }

    #[test]
    fn te_ex_08_entering_an_empty_house() {
        let (entry, said) = told(|clerk| enter(&column(12, 3), 2, &Options::default(), clerk));
        assert_eq!(entry, Ok(Entry { from_quarter: 2, to_quarter: 3, state: State::Unformed }));
        assert!(said.contains(&"TE-5.2-08"));
    }

    #[test]
    fn te_ex_09_a_line_against_a_house_side() {
        let mut line = column(6, 6);
        line.touching = Whole::new(4).unwrap();
        assert_eq!(tried(&line, &Options::default()), Err(Some(rule!(TE_5_2_09))));
        line.touching = Whole::new(1).unwrap();
        line.by_its_end = true;
        assert_eq!(tried(&line, &Options::default()), Err(Some(rule!(TE_5_2_10))));
    }

    #[test]
    fn te_ex_53_grouped_elites_in_a_house() {
        let relief = Relief { incoming: column(12, 3), enemy_touches: false };
        let (entry, _) = told(|clerk| relieve(&relief, 3, &Options::default(), clerk));
        assert_eq!(entry, Ok(Entry { from_quarter: 3, to_quarter: 4, state: State::Unformed }));
        let (refused, _) =
            told(|clerk| relieve(&Relief { enemy_touches: true, ..relief }, 3, &Options::default(), clerk));
        assert_eq!(refused.unwrap_err().rule, Some(rule!(TE_R46)));
    }

    #[test]
    fn who_may_not_enter() {
        let options = Options::default();
        let with = |change: fn(&mut AtTheDoor)| {
            let mut unit = column(12, 3);
            change(&mut unit);
            tried(&unit, &options).err().flatten()
        };
        assert_eq!(with(|unit| unit.occupied = true), Some(rule!(TE_5_2_02)));
        assert_eq!(
            with(|unit| {
                unit.occupied = true;
                unit.by_a_friend = true;
            }),
            Some(rule!(TE_5_2_25))
        );
        assert_eq!(with(|unit| unit.troops.arm = Arm::Cavalry), Some(rule!(TE_5_2_03)));
        assert_eq!(with(|unit| unit.figures = Whole::new(2).unwrap()), Some(rule!(TE_5_2_41)));
        assert_eq!(with(|unit| unit.troops.state = State::Unformed), Some(rule!(TE_5_2_05)));
        assert_eq!(with(|unit| unit.after_forced_march = true), Some(rule!(TE_5_2_07)));
        assert_eq!(with(|unit| unit.holds_another_house = true), Some(rule!(TE_5_2_12)));
        assert_eq!(with(|unit| unit.burnt = Some(Burnt::ThisPeriod)), Some(rule!(TE_R49)));
    }

    #[test]
    fn options_of_entry() {
        let mut options = Options::default();
        let mut loose = column(12, 3);
        loose.troops.state = State::Disorganised;
        assert!(tried(&loose, &options).is_ok());
        options.disorganised_may_enter_house = DisorganisedMayEnterHouse::No;
        assert_eq!(tried(&loose, &options), Err(Some(rule!(TE_R39))));

        let mut burnt = column(12, 3);
        burnt.burnt = Some(Burnt::EarlierPeriod);
        assert_eq!(tried(&burnt, &options), Err(Some(rule!(TE_R49))));
        options.burning_house = rulebook::options::tabletop::BurningHouse::ReusableNextPeriod;
        assert!(tried(&burnt, &options).is_ok());

        let mut open = column(6, 3);
        open.troops.formation = Formation::Skirmish;
        assert_eq!(tried(&open, &options).unwrap().state, State::Unformed);
        options.skirmishers_elsewhere = SkirmishersElsewhere::StayFormed;
        assert_eq!(tried(&open, &options).unwrap().state, State::Formed);
    }

    #[test]
    fn a_unit_caught_at_the_door_has_no_house() {
        let by = Catcher { arm: Arm::Cavalry, charging: true };
        let troops = Troops::new(Arm::Infantry, Formation::Line);
        let (state, said) = told(|clerk| caught_entering(&troops, by, &Options::default(), clerk));
        assert_eq!(state, State::Disordered);
        assert!(said.contains(&"TE-5.2-11"));
    }
}
