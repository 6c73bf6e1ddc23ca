//! What ground does to a melee: who fights in which round, in which state, behind what, and with
//! which bonus. A house has its own assault ([`super::houses::assault`]); everything else is here.

mod facts;

pub use facts::{
    Battery, Fighter, FollowedAcross, Obstacle, Part, Place, Reached, Road, Round, Slope, Stand, Water, What,
    Wood,
};

use kernel::{Clerk, Refusal, RuleId, Verdict};
use rulebook::options::tabletop::{Options, SkirmishersElsewhere, SkirmishersOnBareSlope};
use rulebook::rule;

use super::cover::{self, MeleeCover};
use super::hills::{self, Height};
use super::obstacles::{ObstacleClass, cross};
use super::rivers;
use super::roads::{self, RoadMelee};
use super::state::{self, Catcher, State};

/// A melee on some ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Melee<'a> {
    /// Where: every element that has a say (TE-R04).
    pub places: &'a [Place],
    /// Which round.
    pub round: i32,
    /// Who came.
    pub attacker: &'a Fighter,
    /// Who was there.
    pub defender: &'a Fighter,
    /// Where the attacker touches the defender.
    pub reached: Reached,
}

impl Melee<'_> {
    /// Where the defender is taken: a square is nowhere but in front.
    const fn taken(&self) -> Reached {
        if self.defender.is_square() { Reached::Front } else { self.reached }
    }
}

/// Takes up what ground does to one side.
#[derive(Debug)]
struct Sheet {
    stand: Stand,
    above: bool,
    follows: Option<RuleId>,
}

impl Sheet {
    fn new(fighter: &Fighter, fights: i32) -> Self {
        Self {
            stand: Stand {
                fights,
                state: fighter.troops.state,
                charge_bonus: fighter.charging,
                ..Stand::default()
            },
            above: false,
            follows: None,
        }
    }

    /// Fights in no better state than this one, which a rule has told.
    fn at_best(&mut self, state: State) {
        self.stand.state = self.stand.state.max(state);
    }

    fn worsen(&mut self, imposed: State, rule: RuleId, clerk: &mut impl Clerk) {
        self.stand.state = state::worsen(self.stand.state, imposed, rule, clerk);
    }

    fn part(&mut self, what: What, value: i32) {
        if value != 0 {
            self.stand.parts.push(Part { what, value });
        }
    }

    fn finish(mut self, enemy_cover: MeleeCover, clerk: &mut impl Clerk) -> Stand {
        let state = state::melee_factor(self.stand.state);
        let state = if state == 0 { 0 } else { clerk.modifier(rule!(TE_R90), state) };
        self.part(What::State, state);
        let penalty = cover::melee_penalty(enemy_cover, clerk);
        self.part(What::EnemyCover, penalty);
        if self.above {
            let bonus = clerk.modifier(rule!(TE_R90), cover::melee_value("above"));
            self.part(What::Above, bonus);
        }
        if let Some(rule) = self.follows {
            let bonus = clerk.modifier(rule, cover::melee_value("follow"));
            self.part(What::Following, bonus);
        }
        self.stand.factor = self.stand.parts.iter().map(|part| part.value).sum();
        self.stand
    }
}

/// Figures in contact, with one more on each flank of the wider front where ground allows it: not
/// against a square, nor on the outer side of a flank (tabletop-core, section 10).
fn in_the_open(melee: &Melee<'_>, clerk: &mut impl Clerk) -> Verdict<(i32, i32)> {
    let (a, d) = (melee.attacker, melee.defender);
    if melee.round > 1 {
        if melee.places.iter().any(Place::says_who_fights) {
            return Ok((a.figures.get(), d.figures.get()));
        }
        return Ok((
            clerk.value(rule!(TE_R90), a.figures.get()),
            clerk.value(rule!(TE_R90), d.figures.get()),
        ));
    }
    if melee.places.iter().any(Place::is_by_contact) {
        return Ok((a.touching.get(), d.touching.get()));
    }
    let (front_a, front_d) = fronts(melee)?;
    let most = if melee.taken() == Reached::Flank { 1 } else { 2 };
    let overlap = |own: &Fighter, enemy: &Fighter, front: i32, enemy_front: i32| {
        let wider = front > enemy_front && !enemy.is_square();
        if wider { (front - own.touching.get()).clamp(0, most) } else { 0 }
    };
    let fights = |own: &Fighter, overlap: i32| own.touching.get() + overlap;
    Ok((
        clerk.value(rule!(TE_R90), fights(a, overlap(a, d, front_a, front_d))),
        clerk.value(rule!(TE_R90), fights(d, overlap(d, a, front_d, front_a))),
    ))
}

/// An enemy taken in flank or in rear: the bonus of the first round, and from the rear no reply.
fn taken(melee: &Melee<'_>, attacker: &mut Sheet, defender: &mut Sheet, clerk: &mut impl Clerk) {
    let (what, key) = match melee.taken() {
        Reached::Front => return,
        Reached::Flank => (What::Flank, "flank"),
        Reached::Rear => (What::Rear, "rear"),
    };
    let between_trees = |place: &Place| matches!(place, Place::Road(road) if road.tree_lined && road.flank);
    if melee.round > 1 || melee.places.iter().any(between_trees) {
        return;
    }
    attacker.part(what, clerk.modifier(rule!(TE_R90), cover::melee_value(key)));
    if what == What::Rear {
        defender.stand.fights = clerk.value(rule!(TE_R90), 0);
    }
}

/// From the second round all figures fight, where a rule of the ground says so.
fn with_all(
    melee: &Melee<'_>,
    rule: RuleId,
    attacker: &mut Sheet,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) {
    let (a, d) = (melee.attacker, melee.defender);
    let all = (a.figures.get(), d.figures.get());
    let touching = (a.touching.get(), d.touching.get());
    (attacker.stand.fights, defender.stand.fights) = clerk.rather(rule, all, touching);
}

/// The figures abreast of both sides.
fn fronts(melee: &Melee<'_>) -> Verdict<(i32, i32)> {
    Ok((
        melee.attacker.abreast().map_err(of_side("attacker"))?,
        melee.defender.abreast().map_err(of_side("defender"))?,
    ))
}

/// A refusal that asks for the front or the ranks of a side, with its path.
fn of_side(side: &'static str) -> impl Fn(Refusal) -> Refusal {
    move |refusal| {
        let path = refusal.field.as_ref().map(|field| format!("{side}.troops.{field}"));
        Refusal { field: path, ..refusal }
    }
}

/// What the ground makes of this round. Where several elements have a say, the worst state and the
/// best single shelter count, and all prohibitions (TE-R04).
///
/// # Errors
/// When a front or a number of ranks matters that nobody said.
pub fn round(melee: &Melee<'_>, options: &Options, clerk: &mut impl Clerk) -> Verdict<Round> {
    let (a, d) = in_the_open(melee, clerk)?;
    let mut attacker = Sheet::new(melee.attacker, a);
    let mut defender = Sheet::new(melee.defender, d);
    if melee.round > 1 {
        attacker.stand.charge_bonus = false;
        defender.stand.charge_bonus = false;
    }
    // The cover each side has against the other.
    let (mut own_a, mut own_d) = (MeleeCover::None, MeleeCover::None);
    let mut places: Vec<&Place> = melee.places.iter().collect();
    places.sort_by_key(|place| place.order());
    if places.len() > 1 {
        clerk.applied(rule!(TE_R04));
    }
    for place in places {
        let (cover_a, cover_d) = on_place(melee, place, options, (&mut attacker, &mut defender), clerk)?;
        own_a = own_a.max(cover_a);
        own_d = own_d.max(cover_d);
    }
    taken(melee, &mut attacker, &mut defender, clerk);
    attacker.stand.cover = own_a;
    defender.stand.cover = own_d;
    Ok(Round { attacker: attacker.finish(own_d, clerk), defender: defender.finish(own_a, clerk) })
}

/// What one element does; the cover each side has of it leaves.
fn on_place(
    melee: &Melee<'_>,
    place: &Place,
    options: &Options,
    (attacker, defender): (&mut Sheet, &mut Sheet),
    clerk: &mut impl Clerk,
) -> Verdict<(MeleeCover, MeleeCover)> {
    let bare = (MeleeCover::None, MeleeCover::None);
    match place {
        Place::Open => follow(melee, rule!(TE_R90), attacker, defender),
        Place::Slope(slope) => on_slope(melee, slope, options, attacker, defender, clerk),
        Place::Wood(wood) => return in_wood(melee, *wood, options, attacker, defender, clerk),
        Place::Obstacle(obstacle) => {
            return at_obstacle(melee, obstacle, options, attacker, defender, clerk);
        }
        Place::Water(water) => at_water(melee, *water, options, attacker, defender, clerk),
        Place::Road(road) => on_road(melee, *road, attacker, defender, clerk),
        Place::AbandonedBattery(guns) => {
            let shelters = clerk.holds(rule!(TE_R88), true);
            attacker.stand.charge_bonus = false;
            let light = |holds: bool| if holds && shelters { MeleeCover::Light } else { MeleeCover::None };
            return Ok((light(guns.attacker_touches && melee.round > 1), light(guns.defender_holds)));
        }
    }
    Ok(bare)
}

fn on_slope(
    melee: &Melee<'_>,
    slope: &Slope,
    options: &Options,
    attacker: &mut Sheet,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) {
    let height = |own, enemy, whole_front, attacks| Height {
        own,
        enemy,
        whole_front,
        same_slope: slope.same_slope,
        attacks,
    };
    let up = height(slope.attacker_cm, slope.defender_cm, slope.attacker_whole_front, true);
    let down = height(slope.defender_cm, slope.attacker_cm, slope.defender_whole_front, false);
    attacker.above |= hills::above(up, melee.round, clerk);
    defender.above |= hills::above(down, melee.round, clerk);
    if melee.round == 1 {
        if slope.attacker_on_slope {
            loosen(melee.attacker, rule!(TE_2_4_02), options, attacker, clerk);
            attacker.stand.charge_bonus = false;
        }
        if melee.defender.moving {
            loosen(melee.defender, rule!(TE_2_6_06), options, defender, clerk);
        }
        return;
    }
    for sheet in [&mut *attacker, &mut *defender] {
        sheet.worsen(State::Unformed, rule!(TE_2_6_04), clerk);
    }
    with_all(melee, rule!(TE_2_6_09), attacker, defender, clerk);
    follow(melee, rule!(TE_2_6_10), attacker, defender);
}

/// A move on a slope loosens a body, but skirmishers only if the option says so (TE-R08).
fn loosen(fighter: &Fighter, rule: RuleId, options: &Options, sheet: &mut Sheet, clerk: &mut impl Clerk) {
    if fighter.troops.skirmishes() && options.skirmishers_on_bare_slope == SkirmishersOnBareSlope::Formed {
        sheet.stand.state = clerk.value(rule!(TE_R08), sheet.stand.state);
    } else {
        sheet.worsen(State::Disorganised, rule, clerk);
    }
}

/// The side that followed has the bonus.
fn follow(melee: &Melee<'_>, rule: RuleId, attacker: &mut Sheet, defender: &mut Sheet) {
    if melee.attacker.followed {
        attacker.follows = Some(rule);
    }
    if melee.defender.followed {
        defender.follows = Some(rule);
    }
}

/// A body caught while entering or crossing fights so, without the cover it was making for.
fn caught(
    melee: &Melee<'_>,
    rules: [RuleId; 3],
    options: &Options,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) -> (MeleeCover, MeleeCover) {
    let [state_rule, contact_rule, cover_rule] = rules;
    if clerk.holds(state_rule, true) {
        let by = Catcher { arm: melee.attacker.troops.arm, charging: melee.attacker.charging };
        defender.stand.state = state::caught(defender.stand.state, by, options, clerk);
    }
    defender.stand.fights = clerk.value(contact_rule, melee.defender.touching.get());
    (MeleeCover::None, clerk.value(cover_rule, MeleeCover::None))
}

fn in_wood(
    melee: &Melee<'_>,
    wood: Wood,
    options: &Options,
    attacker: &mut Sheet,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) -> Verdict<(MeleeCover, MeleeCover)> {
    let (a, d) = (melee.attacker, melee.defender);
    if melee.round > 1 {
        with_all(melee, rule!(TE_4_5_12), attacker, defender, clerk);
        for sheet in [&mut *attacker, &mut *defender] {
            // The drop comes once, at the start of the second round (TE-R32).
            if melee.round == 2 {
                let better = sheet.stand.state < State::Unformed;
                let worse = if better { State::Unformed } else { State::Disordered };
                sheet.worsen(worse, rule!(TE_4_5_13), clerk);
            }
        }
        let cover = clerk.value(rule!(TE_4_5_14), MeleeCover::Light);
        follow(melee, rule!(TE_4_5_11), attacker, defender);
        return Ok((cover, cover));
    }
    if wood.defender_caught {
        let rules = [rule!(TE_4_5_06), rule!(TE_4_5_07), rule!(TE_4_5_08)];
        return Ok(caught(melee, rules, options, defender, clerk));
    }
    attacker.stand.charge_bonus = clerk.value(rule!(TE_4_5_02), 0) != 0;
    let mixed = a.troops.skirmishes() != d.troops.skirmishes();
    let (mine, theirs) = (a.touching.get(), d.touching.get());
    let fights = if mixed {
        let (front_a, front_d) = fronts(melee)?;
        let matched = clerk.rather(rule!(TE_4_5_04), front_a.min(front_d), mine.min(theirs));
        clerk.applied(rule!(TE_4_5_05));
        matched
    } else {
        clerk.rather(rule!(TE_4_5_03), mine.min(theirs), mine.max(theirs))
    };
    let fights = clerk.value(rule!(TE_R33), fights);
    attacker.stand.fights = fights;
    defender.stand.fights = fights;
    let cover = |inside: bool, clerk: &mut _| {
        if inside { shelter(rule!(TE_4_5_01), MeleeCover::Light, clerk) } else { MeleeCover::None }
    };
    Ok((cover(wood.attacker_in, clerk), cover(wood.defender_in, clerk)))
}

fn shelter(rule: RuleId, cover: MeleeCover, clerk: &mut impl Clerk) -> MeleeCover {
    clerk.value(rule, cover)
}

fn at_obstacle(
    melee: &Melee<'_>,
    obstacle: &Obstacle,
    options: &Options,
    attacker: &mut Sheet,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) -> Verdict<(MeleeCover, MeleeCover)> {
    let bare = Ok((MeleeCover::None, MeleeCover::None));
    let redoubt = obstacle.class == ObstacleClass::RedoubtFace;
    if let (Some(across), true) = (obstacle.followed_across, melee.round > 1) {
        followed_across(melee, obstacle.class, across, options, (attacker, defender), clerk)?;
        return bare;
    }
    if obstacle.defender_caught && melee.round == 1 {
        let rules = [rule!(TE_8_6_08), rule!(TE_8_6_09), rule!(TE_8_6_23)];
        return Ok(caught(melee, rules, options, defender, clerk));
    }
    if obstacle.from_open_side {
        return bare;
    }
    if !obstacle.defender_touches {
        return Ok((MeleeCover::None, shelter(rule!(TE_8_6_07), MeleeCover::None, clerk)));
    }
    attacker.stand.charge_bonus = false;
    let opposed = melee.attacker.touching.get().min(melee.defender.touching.get());
    let cover = obstacle.class.melee_cover();
    if melee.round == 1 {
        clerk.applied(rule!(TE_8_6_03));
        let fights = clerk.value(rule!(TE_8_6_04), opposed);
        (attacker.stand.fights, defender.stand.fights) = (fights, fights);
        let occupant = clerk.holds(rule!(TE_8_6_06), true);
        let cover = shelter(if redoubt { rule!(TE_9_1_02) } else { rule!(TE_8_6_21) }, cover, clerk);
        let both = clerk.value(rule!(TE_8_6_22), 0) != 0;
        let of = |has: bool| if has { cover } else { MeleeCover::None };
        return Ok((of(both), of(occupant)));
    }
    let fights = clerk.value(rule!(TE_8_6_16), opposed);
    (attacker.stand.fights, defender.stand.fights) = (fights, fights);
    if redoubt {
        return Ok((MeleeCover::None, shelter(rule!(TE_9_1_02), cover, clerk)));
    }
    if obstacle.attacker_kept_contact {
        let cover = shelter(rule!(TE_R79), cover, clerk);
        return Ok((shelter(rule!(TE_8_6_18), cover, clerk), cover));
    }
    Ok((MeleeCover::None, cover))
}

/// From the second round a body that followed across fights with all its figures.
fn followed_across(
    melee: &Melee<'_>,
    class: ObstacleClass,
    across: FollowedAcross,
    options: &Options,
    (attacker, defender): (&mut Sheet, &mut Sheet),
    clerk: &mut impl Clerk,
) -> Verdict<()> {
    let (sheet, fighter, side) = if across.attacker {
        (attacker, melee.attacker, "attacker")
    } else {
        (defender, melee.defender, "defender")
    };
    let all_over = across.ranks_across.get() >= fighter.deep().map_err(of_side(side))?;
    let imposed = if all_over {
        cross::imposes(class, &fighter.troops, options, clerk).unwrap_or_default()
    } else {
        State::Unformed
    };
    let imposed = clerk.value(rule!(TE_R78), imposed);
    sheet.worsen(imposed, rule!(TE_8_6_14), clerk);
    sheet.stand.fights = fighter.figures.get();
    sheet.follows = Some(rule!(TE_8_6_15));
    Ok(())
}

fn at_water(
    melee: &Melee<'_>,
    water: Water,
    options: &Options,
    attacker: &mut Sheet,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) {
    attacker.above |= rivers::enemy_below_in_stream(water.attacker_in, water.defender_in, melee.round, clerk);
    defender.above |= rivers::enemy_below_in_stream(water.defender_in, water.attacker_in, melee.round, clerk);
    for (wet, fighter, sheet) in [
        (water.attacker_in, melee.attacker, &mut *attacker),
        (water.defender_in, melee.defender, &mut *defender),
    ] {
        if wet {
            still_crossing(fighter, options, sheet, clerk);
        }
    }
    if melee.round == 1 {
        return;
    }
    if water.defender_pushed_in {
        pushed_in(defender, attacker, melee.attacker, clerk);
    }
    if water.attacker_pushed_in {
        pushed_in(attacker, defender, melee.defender, clerk);
    }
}

/// Who fights in the water is still crossing it (TE-R65), but skirmishers keep their order where the
/// option says so (TE-R07).
fn still_crossing(fighter: &Fighter, options: &Options, sheet: &mut Sheet, clerk: &mut impl Clerk) {
    let stays = options.skirmishers_elsewhere == SkirmishersElsewhere::StayFormed;
    if fighter.troops.skirmishes() && stays {
        sheet.stand.state = clerk.value(rule!(TE_R07), sheet.stand.state);
    } else if clerk.holds(rule!(TE_R65), true) {
        sheet.worsen(State::Disorganised, rule!(TE_6_2_02), clerk);
    }
}

/// Whoever was pushed into a stream fights on without formation, and so does who followed him.
fn pushed_in(loser: &mut Sheet, winner: &mut Sheet, follower: &Fighter, clerk: &mut impl Clerk) {
    loser.worsen(State::Unformed, rule!(TE_6_2_09), clerk);
    if follower.followed {
        winner.at_best(rivers::follow_into_stream(&follower.troops, clerk));
        winner.follows = Some(rule!(TE_6_2_10));
    }
}

fn on_road(
    melee: &Melee<'_>,
    road: Road,
    attacker: &mut Sheet,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) {
    let whole_strength = melee.round > 1;
    if road.attacker_on_bridge && whole_strength {
        attacker.at_best(rivers::whole_strength_on_bridge(&melee.attacker.troops, clerk));
    }
    if road.bridge && whole_strength {
        defender.at_best(rivers::whole_strength_on_bridge(&melee.defender.troops, clerk));
        return;
    }
    let how = RoadMelee {
        room_to_deploy: road.room_to_deploy,
        tree_lined: road.tree_lined,
        whole_strength,
        round: melee.round,
    };
    if road.attacker_between_trees {
        let between = RoadMelee { tree_lined: true, ..how };
        attacker.at_best(roads::melee_state(&melee.attacker.troops, between, clerk));
        if !road.tree_lined && road.room_to_deploy {
            // The defender is beside the road.
            return;
        }
    }
    defender.at_best(roads::melee_state(&melee.defender.troops, how, clerk));
    if road.tree_lined && road.flank {
        attacker.stand.charge_bonus = false;
        attacker.at_best(roads::flank_attack_between_trees(&melee.attacker.troops, clerk));
        if melee.round == 1 {
            attacker.part(What::Flank, cover::melee_value("flank"));
        }
    }
}

#[cfg(test)]
#[path = "melee_tests.rs"]
mod tests;
