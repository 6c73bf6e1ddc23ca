//! Marches: those who need a die first, the commanded and heavy last. A column goes into contact only where it
//! helps to strike, and otherwise towards its goal as far as no stronger enemy stands about.

use std::rc::Rc;

use rulebook::tables::campaign::GameWeightsKey as Weight;

use crate::Line;
use crate::map::{HexId, map};
use crate::routes::Ways;

use super::super::action::Action;
use super::super::knowledge::around;
use super::super::march::distance;
use super::super::state::{Body, Hand, Phase, Segment, State, Why};
use super::estimate::Foe;
use super::goals::way_left;
use super::{Column, Mind, outweighs, weight};

/// Who is taken to march when a strike is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marching {
    /// Everybody, since commands are still to be given.
    Everybody,
    /// Whoever has a command, and others by their chance.
    ByInitiative,
}

/// A column with where it can be today.
struct Reach {
    column: Column,
    ways: Option<Rc<Ways>>,
    left: i32,
}

impl Reach {
    fn of(mind: &Mind<'_>, column: Column) -> Self {
        let hand = Hand { body: Body::Formation(column.head), why: Why::March };
        let purse = mind.state.purse(mind.side, hand);
        let left = purse.left[0].or(purse.left[1]).unwrap_or(0);
        let ways = if column.done { None } else { State::ways_of(column.at, &purse, &mind.field) };
        Self { column, ways, left: i32::from(left) }
    }

    /// What it costs to be in a hex, if that can be done with an ordinary march.
    fn cost(&self, to: HexId) -> Option<i32> {
        let cost = self.ways.as_ref()?.cost(to)?.count();
        (cost <= self.left).then_some(cost)
    }

    /// The cheapest hex from which it can attack a foe today: where it stands, if it can do so from there.
    fn stand(&self, mind: &Mind<'_>, foe: &Foe) -> Option<(i32, HexId)> {
        let over = |from: HexId| mind.ground(from, foe.hex).is_some();
        if self.column.at.towards(foe.hex).is_some() {
            return over(self.column.at).then_some((0, self.column.at));
        }
        let reached = around(foe.hex).filter_map(|hex| Some((self.cost(hex)?, hex)));
        reached.filter(|&(_, hex)| over(hex)).min()
    }

    /// The way to a hex, as far as the validator lets it go.
    fn path(&self, mind: &Mind<'_>, to: HexId) -> Vec<HexId> {
        let Some(ways) = &self.ways else { return Vec::new() };
        let hand = Hand { body: Body::Formation(self.column.head), why: Why::March };
        let mut path = ways.path(to).get(1..).unwrap_or_default().to_vec();
        while !path.is_empty() && mind.state.plan(mind.side, hand, &path, &mind.seen, &mind.field).is_err() {
            path.pop();
        }
        path
    }
}

/// An attack that could be made today: on whom, and who could be beside him at what cost.
struct Strike {
    target: HexId,
    worth: i32,
    attackers: Vec<(usize, HexId)>,
}

/// The strikes that are strong enough, with the columns that can take part.
fn strikes(mind: &Mind<'_>, reaches: &[Reach], marching: Marching) -> Vec<Strike> {
    let falls_back = mind.falls_back();
    let mut all = Vec::new();
    for foe in mind.foes.iter().filter(|foe| foe.sp > 0) {
        let mut strength = 0;
        let mut line = Line::A;
        let mut attackers = Vec::new();
        for (place, reach) in reaches.iter().enumerate() {
            let fights = reach.column.points.fighting() > 0 && !reach.column.shaken;
            let Some((_, from)) = reach.stand(mind, foe).filter(|_| fights) else { continue };
            let sure = from == reach.column.at || reach.column.commanded || marching == Marching::Everybody;
            let sixths = if sure { 6 } else { reach.column.head.initiative().min(6) };
            strength += reach.column.points.fighting() * sixths;
            if mind.ground(from, foe.hex).is_some_and(|ground| ground.line == Line::Na) {
                line = Line::Na;
            }
            attackers.push((place, from));
        }
        let least = mind.least_ratio(line, falls_back);
        if outweighs(strength, 6 * foe.sp, least) {
            let ratio = (100 * strength / (6 * foe.sp)).min(300);
            all.push(Strike { target: foe.hex, worth: ratio + 5 * foe.sp.min(20), attackers });
        }
    }
    all
}

/// Where a column wants to march; nowhere if it wants to stay.
fn wish(mind: &Mind<'_>, reaches: &[Reach], strikes: &[Strike], place: usize) -> Vec<HexId> {
    let Some(reach) = reaches.get(place) else { return Vec::new() };
    let column = &reach.column;
    let strike = strikes
        .iter()
        .filter_map(|strike| {
            let (_, from) = strike.attackers.iter().find(|(of, _)| *of == place)?;
            Some((strike.worth - reach.cost(*from).unwrap_or(0), *from, strike.target))
        })
        .max_by_key(|&(worth, from, _)| (worth, std::cmp::Reverse(from)));
    if let Some((_, from, _)) = strike {
        return if from == column.at { Vec::new() } else { reach.path(mind, from) };
    }
    if mind.field.in_zone(column.at) {
        return if mind.outnumbered(column.at) { leaves(mind, reach) } else { Vec::new() };
    }
    if mind.is_garrison(column) { Vec::new() } else { towards_goal(mind, reach) }
}

/// As near to the goal as is prudent today, if that is nearer than here.
fn towards_goal(mind: &Mind<'_>, reach: &Reach) -> Vec<HexId> {
    let Some(goal) = mind.goal(&reach.column).map(super::goals::Goal::hex) else { return Vec::new() };
    let here = way_left(reach.column.at, goal);
    nearest(mind, reach, goal)
        .filter(|&end| way_left(end, goal) < here)
        .map_or_else(Vec::new, |end| reach.path(mind, end))
}

/// Out of contact, towards the own army.
fn leaves(mind: &Mind<'_>, reach: &Reach) -> Vec<HexId> {
    let home = mind.home(&reach.column);
    nearest(mind, reach, home).map_or_else(Vec::new, |end| reach.path(mind, end))
}

/// The hex in reach that is nearest to a goal, out of every enemy zone and away from stronger enemies.
fn nearest(mind: &Mind<'_>, reach: &Reach, goal: HexId) -> Option<HexId> {
    let cells = map().cells().iter().map(|cell| cell.id).filter(|&end| end != reach.column.at);
    let ends = cells.filter_map(|end| Some((reach.cost(end)?, end)));
    let open = ends.filter(|&(_, end)| !mind.field.in_zone(end));
    let mut ends: Vec<(i32, i32, HexId)> = open.map(|(cost, end)| (way_left(end, goal), cost, end)).collect();
    ends.sort_unstable();
    let prudent = |end: &HexId| mind.prudent(&reach.column, *end);
    ends.into_iter().map(|(_, _, end)| end).find(prudent)
}

impl Mind<'_> {
    /// The goal of a column that has to get away: its refuge, else the heaviest stack or the centre.
    fn home(&self, column: &Column) -> HexId {
        let heaviest = self.heaviest().filter(|&at| at != column.at);
        let base = self.state.base(self.side);
        let centre = base.centre.unwrap_or(base.source);
        if self.falls_back() {
            return self.goal(column).map_or(centre, super::goals::Goal::hex);
        }
        heaviest.unwrap_or(centre)
    }

    /// Whether the enemies beside a hex are too strong for what stands in and about it.
    fn outnumbered(&self, at: HexId) -> bool {
        outweighs(self.foes_within(1, at), self.own_within(1, at), weight(Weight::ReactRatio))
    }

    /// Whether a march of a column may end in a hex: no stronger enemy is about.
    fn prudent(&self, column: &Column, end: HexId) -> bool {
        let near = self.foes_within(2, end);
        let already = if distance(column.at, end) <= 2 { 0 } else { column.points.all() };
        near == 0 || !outweighs(near, self.own_within(2, end) + already, weight(Weight::CautionRatio))
    }
}

/// The columns that could still march, in the order in which they do: those who need a die first, the quickest
/// before others, then the commanded, the heaviest last.
fn in_order(reaches: &[Reach]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..reaches.len()).filter(|&place| !reaches[place].column.done).collect();
    order.sort_by_key(|&place| {
        let column = &reaches[place].column;
        let rank = if column.commanded { column.points.all() } else { -column.head.initiative() };
        (column.commanded, rank, column.head)
    });
    order
}

/// The columns that want to march today, each with its way, if commands were given to all.
pub(super) fn wishes(mind: &Mind<'_>) -> Vec<Column> {
    let reaches: Vec<Reach> = mind.columns.iter().map(|&column| Reach::of(mind, column)).collect();
    let strikes = strikes(mind, &reaches, Marching::Everybody);
    let wants = |place: &usize| !wish(mind, &reaches, &strikes, *place).is_empty();
    (0..reaches.len()).filter(wants).map(|place| reaches[place].column).collect()
}

/// The movement segment: the next march, or its end.
pub(super) fn on_the_move(mind: &Mind<'_>) -> Action {
    if mind.state.host(mind.side).hand.is_some() {
        return in_hand(mind);
    }
    let reaches: Vec<Reach> = mind.columns.iter().map(|&column| Reach::of(mind, column)).collect();
    let strikes = strikes(mind, &reaches, Marching::ByInitiative);
    for place in in_order(&reaches) {
        let path = wish(mind, &reaches, &strikes, place);
        if !path.is_empty() {
            let order = Action::Order { formation: reaches[place].column.head, path };
            return mind.first_legal([order, Action::EndMovement]);
        }
    }
    let followers = staff_rides(mind);
    mind.first_legal(followers.into_iter().chain([Action::SkipTo(Segment::Combat), Action::EndMovement]))
}

/// A commander without troops rides to the heaviest stack when he is far from it.
fn staff_rides(mind: &Mind<'_>) -> Option<Action> {
    let host = mind.state.host(mind.side);
    let to = mind.heaviest()?;
    let alone =
        host.heads().into_iter().filter(|&head| host.strength(head).all() == 0 && !host.flags(head).done);
    let (head, at) =
        alone.filter_map(|head| Some((head, host.leader_at(head)?))).find(|(_, at)| distance(*at, to) > 3)?;
    let hand = Hand { body: Body::Formation(head), why: Why::March };
    let mut path = mind.state.long_way(mind.side, hand, to);
    while !path.is_empty() && mind.state.plan(mind.side, hand, &path, &mind.seen, &mind.field).is_err() {
        path.pop();
    }
    let safe = path.last().is_some_and(|end| mind.own_within(0, *end) > 0 || mind.foes_within(3, *end) == 0);
    (safe && path.last() != Some(&at)).then_some(Action::Order { formation: head, path })
}

/// What is in hand was stopped: vedettes are pushed out of the way, and so is whoever is four times weaker.
fn in_hand(mind: &Mind<'_>) -> Action {
    let pushed = mind.foes.iter().filter(|foe| {
        let own = mind.in_hand_strength();
        foe.vedettes || outweighs(own, foe.sp, 400)
    });
    let pushes = pushed.map(|foe| Action::Repulse(foe.hex)).find(|push| mind.offer(push).is_some());
    pushes.unwrap_or(Action::Halt)
}

impl Mind<'_> {
    fn in_hand_strength(&self) -> i32 {
        match self.state.host(self.side).hand.map(|hand| hand.body) {
            Some(Body::Formation(head)) => self.state.host(self.side).strength(head).fighting(),
            _ => 0,
        }
    }
}

/// Forced marches: in the enemy's turn whoever is in contact with too strong an enemy gets away.
pub(super) fn forced(mind: &Mind<'_>) -> Action {
    let host = mind.state.host(mind.side);
    if let Some(Hand { body: Body::Formation(head), .. }) = host.hand {
        let Some(column) = mind.columns.iter().find(|column| column.head == head) else {
            return Action::Halt;
        };
        return gets_away(mind, column);
    }
    let threatened = |column: &&Column| {
        mind.state.public.phase == Phase::React
            && mind.field.in_zone(column.at)
            && mind.outnumbered(column.at)
            && column.head.initiative() > 2
    };
    let runs = mind.columns.iter().filter(threatened).map(|column| Action::ForceMarch(column.head));
    let runs = runs.filter(|run| mind.offer(run).is_some()).collect::<Vec<_>>();
    mind.first_legal(runs.into_iter().chain([Action::SkipTo(Segment::Combat), Action::EndForced]))
}

/// Of the marches that are offered the one that leads out of contact and home; else it stays.
fn gets_away(mind: &Mind<'_>, column: &Column) -> Action {
    if !mind.field.in_zone(column.at) {
        return Action::Halt;
    }
    let home = mind.home(column);
    let ends = mind.offered.iter().filter_map(|action| match action {
        Action::March(path) => path.last().filter(|end| !mind.field.in_zone(**end)).map(|end| (*end, action)),
        _ => None,
    });
    ends.min_by_key(|(end, _)| (way_left(*end, home), *end))
        .map_or(Action::Halt, |(_, action)| action.clone())
}

/// To the sound of the guns: whoever can help where help turns the scales.
pub(super) fn to_the_guns(mind: &Mind<'_>) -> Action {
    let Some(battle) = &mind.state.public.battle else { return mind.offered[0].clone() };
    let attacks = battle.attacker == mind.side;
    if mind.state.host(mind.side).hand.is_some() {
        let joins =
            |end: HexId| if attacks { mind.ground(end, battle.hex).is_some() } else { end == battle.hex };
        let joining = mind.offered.iter().find(|action| match action {
            Action::March(path) => path.last().is_some_and(|&end| joins(end)),
            _ => false,
        });
        return joining.cloned().unwrap_or(Action::Halt);
    }
    let [own, other] = mind.forces();
    let helps = |column: &&Column| {
        column.head.initiative() > 2
            && distance(column.at, battle.hex) <= column.head.initiative().min(3)
            && !outweighs(own, other, 200)
            && outweighs(own + column.points.fighting(), other, weight(Weight::PitchedDefender))
    };
    let marches = mind.columns.iter().filter(helps).map(|column| Action::GunsMarch(column.head));
    let marches: Vec<Action> = marches.filter(|march| mind.offer(march).is_some()).collect();
    mind.first_legal(marches.into_iter().chain([Action::PassBattle]))
}
