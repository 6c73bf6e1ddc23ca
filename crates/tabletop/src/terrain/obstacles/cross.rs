//! Section 8.4: crossing a linear obstacle, whole rank by whole rank (TE-R75).

use kernel::{Centimetres, Clerk, Refusal, Verdict};
use rulebook::options::tabletop::{LinearCrossing, Options, SkirmishersElsewhere};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::super::ground::Fraction;
use super::super::state::{self, State};
use super::super::troops::{Arm, Kind, Troops, arm_word};
use super::ObstacleClass;

/// May this body cross?
///
/// # Errors
/// Guns never, horse over nothing hard.
pub fn may_cross(class: ObstacleClass, troops: &Troops) -> Verdict<()> {
    let (rule, crosses) = if class.is_light() {
        (rule!(TE_8_4_01), !troops.arm.is_artillery())
    } else {
        (rule!(TE_8_4_06), troops.arm == Arm::Infantry)
    };
    if rule.holds(crosses) {
        return Ok(());
    }
    Err(Refusal::rule(rule, phrase::NOT_ADMITTED)
        .with("arm", arm_word(troops.kind()))
        .with("ground", class.word()))
}

/// The state a crossing imposes, during it and after (TE-R76).
pub fn imposes(
    class: ObstacleClass,
    troops: &Troops,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Option<State> {
    let kind = troops.kind();
    if kind == Kind::Skirmishers && options.skirmishers_elsewhere == SkirmishersElsewhere::StayFormed {
        return state::stays_formed(rule!(TE_R07), clerk);
    }
    let (rule, state) = match (class.is_light(), kind) {
        (true, Kind::Cavalry) => (rule!(TE_8_4_03), State::Unformed),
        (true, _) => (rule!(TE_8_4_02), State::Disorganised),
        (false, _) => (rule!(TE_8_4_08), State::Unformed),
    };
    Some(clerk.value(rule, state))
}

/// The part of its movement a body keeps in a half-period in which it crosses.
pub fn fraction(class: ObstacleClass, clerk: &mut impl Clerk) -> Fraction {
    let fraction = class.fraction();
    let rule = if class.is_light() { rule!(TE_8_4_10) } else { rule!(TE_8_4_11) };
    let (of, whole) = clerk.times(rule, (fraction.of, fraction.whole));
    Fraction::new(of, whole)
}

/// What a half-period of crossing achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Ranks across after it.
    pub ranks_across: i32,
    /// Allowance left to move on, once all are across.
    pub left: Centimetres,
}

/// One half-period: `movement` in the plain, `approach` paid first, `across` ranks over already.
///
/// # Errors
/// When nobody said how many ranks there are.
pub fn half_period(
    class: ObstacleClass,
    troops: &Troops,
    movement: Centimetres,
    approach: Centimetres,
    across: i32,
    clerk: &mut impl Clerk,
) -> Verdict<Step> {
    let fraction = fraction(class, clerk);
    let allowance = i64::from(movement.count()) * i64::from(fraction.of) / i64::from(fraction.whole);
    let left = (allowance - i64::from(approach.count())).max(0);
    let depth = i64::from(troops.base_depth().count());
    let behind = i64::from((troops.deep()? - across).max(0));
    let mut ranks = (left / depth).min(behind);
    if ranks == 0 && approach == Centimetres::ZERO {
        ranks = 1.min(behind);
    }
    let rule = if class.is_light() { rule!(TE_8_4_05) } else { rule!(TE_8_4_07) };
    let ranks = clerk.value(rule, ranks);
    let rest = if ranks == behind { (left - ranks * depth).max(0) } else { 0 };
    Ok(Step {
        ranks_across: across + i32::try_from(ranks).unwrap_or(i32::MAX),
        left: Centimetres::hundredths(i32::try_from(rest).unwrap_or(i32::MAX)),
    })
}

/// Half-periods a body needs from contact until its last rank is across.
///
/// # Errors
/// When it may not cross at all.
pub fn half_periods(
    class: ObstacleClass,
    troops: &Troops,
    movement: Centimetres,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<i32> {
    may_cross(class, troops)?;
    let deep = troops.deep()?;
    if options.linear_crossing == LinearCrossing::Continuous {
        let fraction = fraction(class, clerk);
        let whole = i64::from(deep) * i64::from(troops.base_depth().count()) * i64::from(fraction.whole);
        let each = i64::from(movement.count().max(1)) * i64::from(fraction.of);
        let needed = (whole + each - 1) / each;
        let needed = clerk.value(rule!(TE_R75), needed);
        return Ok(i32::try_from(needed).unwrap_or(i32::MAX));
    }
    let first = half_period(class, troops, movement, Centimetres::ZERO, 0, clerk)?.ranks_across.max(1);
    Ok((deep + first - 1) / first)
}

/// May a body that crosses start to re-form? Only once all of it is on the far side.
///
/// # Errors
/// Before that.
pub fn may_reform(troops: &Troops, ranks_across: i32, clerk: &mut impl Clerk) -> Verdict<i32> {
    let ranks = troops.deep()?;
    if !clerk.holds(rule!(TE_8_4_04), ranks_across >= ranks) {
        return Err(Refusal::rule(rule!(TE_8_4_04), phrase::NOT_ALL_ACROSS)
            .with("across", ranks_across)
            .with("ranks", ranks));
    }
    Ok(state::reform_quarters(troops.state, troops.status, clerk))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;
    use crate::terrain::troops::Formation;

    fn column() -> Troops {
        Troops::new(Arm::Infantry, Formation::CompanyColumn).front(2).ranks(6)
    }

    const NINE: Centimetres = Centimetres::whole(9);

    #[test]
    fn te_ex_30_a_column_crosses_a_hedge() {
        let options = Options::default();
        let (step, _) =
            told(|clerk| half_period(ObstacleClass::Light, &column(), NINE, Centimetres::ZERO, 0, clerk));
        assert_eq!(step, Ok(Step { ranks_across: 2, left: Centimetres::ZERO }));
        let (needed, _) = told(|clerk| half_periods(ObstacleClass::Light, &column(), NINE, &options, clerk));
        assert_eq!(needed, Ok(3));
        let (state, _) = told(|clerk| imposes(ObstacleClass::Light, &column(), &options, clerk));
        assert_eq!(state, Some(State::Disorganised));
    }

    #[test]
    fn te_ex_31_a_column_crosses_a_wall() {
        let options = Options::default();
        let (step, _) =
            told(|clerk| half_period(ObstacleClass::Hard, &column(), NINE, Centimetres::ZERO, 0, clerk));
        assert_eq!(step.unwrap().ranks_across, 1);
        let (needed, _) = told(|clerk| half_periods(ObstacleClass::Hard, &column(), NINE, &options, clerk));
        assert_eq!(needed, Ok(6));
        let (state, _) = told(|clerk| imposes(ObstacleClass::Hard, &column(), &options, clerk));
        assert_eq!(state, Some(State::Unformed));
    }

    #[test]
    fn crossing_in_one_flow_is_an_option() {
        let options = Options { linear_crossing: LinearCrossing::Continuous, ..Options::default() };
        // 15 cm at half of 9: 3.3 half-periods, instead of 6 by ranks.
        let (needed, _) = told(|clerk| half_periods(ObstacleClass::Hard, &column(), NINE, &options, clerk));
        assert_eq!(needed, Ok(4));
    }

    #[test]
    fn skirmishers_keep_order_over_a_wall_only_with_the_option() {
        let open = Troops::new(Arm::Infantry, Formation::Skirmish);
        let mut options = Options::default();
        let over = |options: &Options| told(|clerk| imposes(ObstacleClass::Hard, &open, options, clerk)).0;
        assert_eq!(over(&options), Some(State::Unformed));
        options.skirmishers_elsewhere = SkirmishersElsewhere::StayFormed;
        assert_eq!(over(&options), None);
    }

    #[test]
    fn a_line_crosses_in_one_half_period_and_moves_on() {
        let line = Troops::new(Arm::Infantry, Formation::Line).front(12).ranks(1);
        let (step, _) = told(|clerk| {
            half_period(ObstacleClass::Light, &line, Centimetres::whole(6), Centimetres::whole(1), 0, clerk)
        });
        // 0.75 x 6 = 4.5, less 1 of approach and 2.5 of depth.
        assert_eq!(step, Ok(Step { ranks_across: 1, left: Centimetres::hundredths(100) }));
    }

    #[test]
    fn a_slow_unit_in_contact_passes_one_rank_all_the_same() {
        let slow = column();
        let (step, _) = told(|clerk| {
            half_period(ObstacleClass::Hard, &slow, Centimetres::whole(3), Centimetres::ZERO, 2, clerk)
        });
        assert_eq!(step.unwrap().ranks_across, 3);
    }

    #[test]
    fn a_column_says_how_many_ranks_it_has_and_a_line_need_not() {
        let unsaid = Troops::new(Arm::Infantry, Formation::CompanyColumn).front(2);
        let over = |troops: &Troops| {
            told(|clerk| half_periods(ObstacleClass::Hard, troops, NINE, &Options::default(), clerk)).0
        };
        let needed = over(&unsaid).unwrap_err();
        assert_eq!((needed.field.as_deref(), needed.reason), (Some("ranks"), phrase::RANKS_NEEDED));
        assert_eq!(over(&Troops::new(Arm::Infantry, Formation::Line)), Ok(1));
        assert_eq!(over(&Troops::new(Arm::Infantry, Formation::DoubleLine)), Ok(2));
    }

    #[test]
    fn nobody_re_forms_astride_a_hedge() {
        let astride = told(|clerk| may_reform(&column(), 5, clerk)).0.unwrap_err();
        assert_eq!(astride.rule, Some(rule!(TE_8_4_04)));
        let loose = column().in_state(State::Disorganised);
        assert_eq!(told(|clerk| may_reform(&loose, 6, clerk)).0, Ok(1));
    }
}
