//! Section 5.2, its middle: figures on the four sides, companies, reserve and repositioning.

use std::collections::BTreeMap;

use kernel::{Clerk, Refusal, Verdict, Whole};
use rulebook::options::tabletop::{Options, RepositionReaction};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::HouseActionsAction as Takes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Side, capacity, quarters};
use kernel::Centimetres;

/// Figures of one company on one side.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Posted {
    /// The company.
    pub company: String,
    /// The side.
    pub side: Side,
    /// How many figures.
    pub figures: Whole<0, 99>,
}

/// The lengths of the four sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Walls {
    /// North and south.
    pub length_cm: Centimetres,
    /// East and west.
    pub width_cm: Centimetres,
}

impl Walls {
    /// The length of a side.
    #[must_use]
    pub const fn of(&self, side: Side) -> Centimetres {
        match side {
            Side::North | Side::South => self.length_cm,
            Side::East | Side::West => self.width_cm,
        }
    }
}

/// A garrison as its player wants it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// The house.
    pub walls: Walls,
    /// All figures of the unit.
    pub figures: Whole<0, 999>,
    /// Who stands where.
    pub posted: Vec<Posted>,
    /// They came in skirmish order.
    #[serde(default)]
    pub skirmishers: bool,
}

/// Figures on each side and in reserve.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Garrison {
    /// On each side.
    pub sides: BTreeMap<Side, i32>,
    /// Set aside.
    pub reserve: i32,
}

/// Places a garrison: capacity of each side, companies on one side or two that adjoin, and only
/// what does not fit in reserve.
///
/// # Errors
/// The constraint that is not kept.
pub fn place(placement: &Placement, options: &Options, clerk: &mut impl Clerk) -> Verdict<Garrison> {
    clerk.applied(rule!(TE_5_2_15));
    let mut sides: BTreeMap<Side, i32> = BTreeMap::new();
    for posted in &placement.posted {
        *sides.entry(posted.side).or_default() += posted.figures.get();
    }
    let mut room = 0;
    for side in Side::ALL {
        let most = capacity(placement.walls.of(side), placement.skirmishers, options, clerk);
        let there = sides.get(&side).copied().unwrap_or(0);
        if rule!(TE_5_2_20).holds(there > most) {
            return Err(Refusal::rule(rule!(TE_5_2_20), phrase::SIDE_FULL)
                .with("side", side.word())
                .with("figures", there)
                .with("limit", most));
        }
        room += most;
    }
    companies(&placement.posted, clerk)?;
    let on_sides: i32 = sides.values().sum();
    let all = placement.figures.get();
    if on_sides > all {
        return Err(Refusal::field("posted", phrase::MORE_POSTED_THAN_FIGURES)
            .with("figures", on_sides)
            .with("limit", all));
    }
    let mut reserve = all - on_sides;
    if reserve > 0 {
        if rule!(TE_R43).holds(on_sides < room) {
            return Err(Refusal::rule(rule!(TE_R43), phrase::RESERVE_WHILE_ROOM)
                .with("figures", reserve)
                .with("limit", (all - room).max(0)));
        }
        reserve = clerk.value(rule!(TE_5_2_17), reserve);
    }
    Ok(Garrison { sides, reserve })
}

/// Each company stands on one side, or on two that share a corner.
fn companies(posted: &[Posted], clerk: &mut impl Clerk) -> Verdict<()> {
    let mut by_company: BTreeMap<&str, Vec<Side>> = BTreeMap::new();
    for post in posted.iter().filter(|post| post.figures.get() > 0) {
        let sides = by_company.entry(&post.company).or_default();
        if !sides.contains(&post.side) {
            sides.push(post.side);
        }
    }
    for (company, sides) in by_company {
        let lawful = match sides.as_slice() {
            [] | [_] => true,
            [one, other] => one.adjoins(*other),
            _ => false,
        };
        if rule!(TE_5_2_16).holds(!lawful) {
            return Err(Refusal::rule(rule!(TE_5_2_16), phrase::COMPANY_SCATTERED).with("company", company));
        }
    }
    clerk.applied(rule!(TE_5_2_16));
    Ok(())
}

/// A wish to move figures between sides.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reposition {
    /// From this side.
    pub from: Side,
    /// To that one.
    pub to: Side,
    /// So many figures.
    pub figures: Whole<1, 99>,
    /// Figures on each side now: north, east, south, west.
    pub sides: [i32; 4],
    /// Sides that an enemy unit attacks or touches.
    #[serde(default)]
    pub touched: Vec<Side>,
    /// The garrison as it would stand, to check room and companies.
    pub placement: Placement,
}

/// A repositioning that may be made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Repositioned {
    /// Quarters of reaction, in which all may fire.
    pub reaction_quarters: i32,
    /// Quarters of movement, in which those who move do not fire.
    pub moving_quarters: i32,
    /// Figures on each side that fire meanwhile: north, east, south, west.
    pub may_fire: [i32; 4],
    /// The garrison afterwards.
    pub garrison: Garrison,
}

/// Moves figures inside a house.
///
/// # Errors
/// From an attacked side, to a touched one, without room, or against the company rule.
pub fn reposition(wish: &Reposition, options: &Options, clerk: &mut impl Clerk) -> Verdict<Repositioned> {
    if rule!(TE_5_2_19).holds(wish.touched.contains(&wish.from)) {
        return Err(Refusal::rule(rule!(TE_5_2_19), phrase::SIDE_ATTACKED).with("side", wish.from.word()));
    }
    if rule!(TE_5_2_21).holds(wish.touched.contains(&wish.to)) {
        return Err(Refusal::rule(rule!(TE_5_2_21), phrase::SIDE_TOUCHED).with("side", wish.to.word()));
    }
    let index = wish.from as usize;
    let moving = wish.figures.get();
    if wish.sides[index] < moving {
        return Err(Refusal::field("figures", phrase::MORE_POSTED_THAN_FIGURES)
            .with("figures", moving)
            .with("limit", wish.sides[index]));
    }
    let garrison = place(&wish.placement, options, clerk).map_err(|refusal| {
        let refusal = match &refusal.field {
            Some(field) => {
                let path = format!("placement.{field}");
                refusal.at(path)
            }
            None => refusal,
        };
        if rule!(TE_5_2_22).holds(refusal.rule == Some(rule!(TE_5_2_16))) {
            Refusal { rule: Some(rule!(TE_5_2_22)), ..refusal }
        } else {
            refusal
        }
    })?;
    clerk.applied(rule!(TE_5_2_22));
    let (reaction, action) = quarters(Takes::Reposition, clerk);
    let reaction = match options.reposition_reaction {
        RepositionReaction::Added => reaction,
        RepositionReaction::Included => 0,
    };
    let reaction = clerk.value(rule!(TE_5_2_18), reaction);
    let action = clerk.value(rule!(TE_5_2_23), action);
    let mut may_fire = wish.sides;
    may_fire[index] = super::fire::not_moving(wish.sides[index], moving, clerk);
    Ok(Repositioned { reaction_quarters: reaction, moving_quarters: action, may_fire, garrison })
}

/// A gap on a side filled from the reserve at the end of a fire phase: never where an enemy
/// touches (TE-R43).
pub fn refill(gap: i32, reserve: i32, side_touched: bool, clerk: &mut impl Clerk) -> i32 {
    if side_touched {
        return clerk.value(rule!(TE_R43), 0);
    }
    let filled = gap.min(reserve).max(0);
    if filled > 0 { clerk.value(rule!(TE_5_2_17), filled) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    fn posted(posts: &[(&str, Side, i32)]) -> Vec<Posted> {
        posts
            .iter()
            .map(|&(company, side, figures)| Posted {
                company: company.to_owned(),
                side,
                figures: Whole::new(figures).unwrap(),
            })
            .collect()
    }

    fn house(figures: i32, posts: &[(&str, Side, i32)]) -> Placement {
        Placement {
            walls: Walls { length_cm: Centimetres::whole(6), width_cm: Centimetres::whole(6) },
            figures: Whole::new(figures).unwrap(),
            posted: posted(posts),
            skirmishers: false,
        }
    }

    fn placed(placement: &Placement) -> Result<Garrison, Option<kernel::RuleId>> {
        told(|clerk| place(placement, &Options::default(), clerk)).0.map_err(|refusal| refusal.rule)
    }

    #[test]
    fn te_ex_10_a_column_enters_a_house() {
        let twelve = house(
            12,
            &[
                ("1", Side::North, 2),
                ("2", Side::North, 2),
                ("3", Side::West, 2),
                ("4", Side::West, 2),
                ("5", Side::East, 2),
                ("6", Side::East, 2),
            ],
        );
        let garrison = placed(&twelve).unwrap();
        assert_eq!(garrison.sides.get(&Side::North), Some(&4));
        assert_eq!(garrison.sides.get(&Side::West), Some(&4));
        assert_eq!(garrison.sides.get(&Side::East), Some(&4));
        assert_eq!((garrison.sides.get(&Side::South), garrison.reserve), (None, 0));
    }

    #[test]
    fn te_ex_11_companies_posted_on_adjoining_sides() {
        for side in Side::ALL {
            let (garrison, said) =
                told(|clerk| place(&house(3, &[("light", side, 3)]), &Options::default(), clerk));
            assert!(garrison.is_ok() && said.contains(&"TE-5.2-15"));
        }
    }

    #[test]
    fn te_ex_12_a_company_on_two_sides() {
        assert!(placed(&house(3, &[("a", Side::North, 1), ("a", Side::West, 2)])).is_ok());
        let scattered = Err(Some(rule!(TE_5_2_16)));
        assert_eq!(placed(&house(3, &[("a", Side::North, 1), ("a", Side::South, 2)])), scattered);
        assert_eq!(
            placed(&house(3, &[("a", Side::North, 1), ("a", Side::East, 1), ("a", Side::West, 1)])),
            scattered
        );
    }

    #[test]
    fn te_ex_13_repositioning_between_sides() {
        let wish = Reposition {
            from: Side::West,
            to: Side::East,
            figures: Whole::new(2).unwrap(),
            sides: [4, 2, 0, 4],
            touched: vec![],
            placement: house(
                10,
                &[("1", Side::North, 4), ("2", Side::East, 2), ("3", Side::East, 2), ("4", Side::West, 2)],
            ),
        };
        let (moved, _) = told(|clerk| reposition(&wish, &Options::default(), clerk));
        let moved = moved.unwrap();
        assert_eq!(moved.may_fire, [4, 2, 0, 2]);
        assert_eq!((moved.reaction_quarters, moved.moving_quarters), (1, 2));

        let options = Options { reposition_reaction: RepositionReaction::Included, ..Options::default() };
        let (included, _) = told(|clerk| reposition(&wish, &options, clerk));
        assert_eq!(included.unwrap().reaction_quarters, 0);

        let refused = |wish: &Reposition| {
            told(|clerk| reposition(wish, &Options::default(), clerk)).0.unwrap_err().rule
        };
        assert_eq!(
            refused(&Reposition { touched: vec![Side::West], ..wish.clone() }),
            Some(rule!(TE_5_2_19))
        );
        assert_eq!(
            refused(&Reposition { touched: vec![Side::East], ..wish.clone() }),
            Some(rule!(TE_5_2_21))
        );
        let crowded = house(10, &[("1", Side::North, 4), ("2", Side::East, 6)]);
        assert_eq!(refused(&Reposition { placement: crowded, ..wish.clone() }), Some(rule!(TE_5_2_20)));
        let split = house(10, &[("1", Side::North, 4), ("2", Side::East, 2), ("2", Side::West, 4)]);
        assert_eq!(refused(&Reposition { placement: split, ..wish }), Some(rule!(TE_5_2_22)));
    }

    #[test]
    fn the_reserve_is_what_four_sides_do_not_hold() {
        let full = [("1", Side::North, 4), ("2", Side::East, 4), ("3", Side::South, 4), ("4", Side::West, 4)];
        assert_eq!(placed(&house(18, &full)).unwrap().reserve, 2);
        assert_eq!(placed(&house(18, &full[..3])), Err(Some(rule!(TE_R43))));
        assert_eq!(told(|clerk| refill(1, 2, false, clerk)).0, 1);
        assert_eq!(told(|clerk| refill(1, 2, true, clerk)).0, 0);
    }
}
