//! The tree of one searcher. Its nodes stand for what was decided so far; dice, and what is hidden, are drawn
//! anew for every playout, so that a node is the average of all tables that may stand there (an open-loop
//! search over information sets). Where several decide in secret, each chooses for itself from what it has
//! tried, and none sees what the others chose.

use std::collections::BTreeMap;

use kernel::{Desk, Game, Live, Silent};

use super::Prospect;
use crate::{Searcher, order_of};

/// How much is given to orders that were tried seldom.
const CURIOSITY: f64 = 0.7;
/// At most so many orders are tried at a decision.
const MOST_ORDERS: usize = 16;

/// What was tried by one side at a node.
struct Edge<A> {
    action: A,
    /// Whether it is what the doctrine proposed.
    proposed: bool,
    playouts: u32,
    /// How often it could have been tried.
    available: u32,
    /// What came of it for the side, in all.
    worth: f64,
}

/// The orders that one side has tried at a node.
struct Seat<A> {
    place: usize,
    visits: u32,
    edges: Vec<Edge<A>>,
}

struct Node<A> {
    seats: Vec<Seat<A>>,
    /// What follows, by the edges that were taken together.
    next: BTreeMap<Vec<usize>, usize>,
}

impl<A> Node<A> {
    const fn new() -> Self {
        Self { seats: Vec::new(), next: BTreeMap::new() }
    }
}

/// An edge that a playout went along: node, seat and edge.
type Taken = (usize, usize, usize);

pub(super) struct Tree<'v, G: Searcher> {
    view: &'v G::View,
    offered: &'v [G::Action],
    own: usize,
    nodes: Vec<Node<G::Action>>,
    stream: Live,
}

impl<'v, G: Searcher> Tree<'v, G> {
    pub(super) fn new(side: G::Side, view: &'v G::View, offered: &'v [G::Action], stream: Live) -> Self {
        Self { view, offered, own: G::place(side), nodes: vec![Node::new()], stream }
    }

    /// One playout: down the tree to where nobody has been, on as the doctrine would, and back.
    pub(super) fn playout(&mut self) {
        let mut state = G::imagine(self.view, &mut self.stream);
        let mut dice = Desk::new(Live::numbered(number(&mut self.stream)), Silent);
        let mut taken = Vec::new();
        let mut at = 0;
        loop {
            let Some((orders, way)) = self.descend(at, &state, &mut taken) else { break };
            for (side, order) in orders {
                if state.outcome().is_none() {
                    state.perform(side, &order, &mut dice);
                }
            }
            let next = self.nodes.len();
            at = *self.nodes[at].next.entry(way).or_insert(next);
            if at == next {
                self.nodes.push(Node::new());
                break;
            }
        }
        let worth = self.play_on(state, &mut dice);
        for (node, seat, edge) in taken {
            let seat = &mut self.nodes[node].seats[seat];
            let worth = worth.get(seat.place).copied().unwrap_or(0.5);
            seat.visits += 1;
            let edge = &mut seat.edges[edge];
            edge.playouts += 1;
            edge.worth += worth;
        }
    }

    /// What everybody who decides at this node does now, and the edges that it goes along; nothing at the
    /// end of the game.
    #[expect(clippy::type_complexity, reason = "orders by side, and the way they lead")]
    fn descend(
        &mut self,
        node: usize,
        state: &G,
        taken: &mut Vec<Taken>,
    ) -> Option<(Vec<(G::Side, G::Action)>, Vec<usize>)> {
        let mut orders = Vec::new();
        let mut way = Vec::new();
        for place in state.deciders().iter() {
            let side = *G::SIDES.get(place)?;
            let (seat, edge) = self.choose(node, place, side, state)?;
            orders.push((side, self.nodes[node].seats[seat].edges[edge].action.clone()));
            way.extend([seat, edge]);
            taken.push((node, seat, edge));
        }
        (!orders.is_empty()).then_some((orders, way))
    }

    /// The order that a side tries now: a new one while there are few for how often it has been here, else
    /// the one that promises most of those that are legal on this table.
    fn choose(&mut self, node: usize, place: usize, side: G::Side, state: &G) -> Option<(usize, usize)> {
        let seats = &mut self.nodes[node].seats;
        let seat = seats.iter().position(|seat| seat.place == place).unwrap_or_else(|| {
            seats.push(Seat { place, visits: 0, edges: Vec::new() });
            seats.len() - 1
        });
        let known = &mut seats[seat];
        let legal: Vec<usize> = (0..known.edges.len())
            .filter(|&edge| state.validate(side, &known.edges[edge].action).is_ok())
            .collect();
        for &edge in &legal {
            known.edges[edge].available += 1;
        }
        let few = legal.len() < MOST_ORDERS && legal.len() <= widest(known.visits);
        if (few || legal.is_empty())
            && let Some(edge) = self.widen(node, seat, side, state)
        {
            return Some((seat, edge));
        }
        let known = &self.nodes[node].seats[seat];
        let promise = |edge: usize| promise(&known.edges[edge], edge);
        let best = legal.into_iter().max_by(|&a, &b| promise(a).total_cmp(&promise(b)).then(b.cmp(&a)))?;
        Some((seat, best))
    }

    /// An order that was not tried here: first what the doctrine says, then something else.
    fn widen(&mut self, node: usize, seat: usize, side: G::Side, state: &G) -> Option<usize> {
        let own;
        let list;
        let (view, offered) = if node == 0 && G::place(side) == self.own {
            (self.view, self.offered)
        } else {
            own = state.view(Some(side));
            list = listed(state, side);
            (&own, list.as_slice())
        };
        let edges = &self.nodes[node].seats[seat].edges;
        let is_new = |action: &G::Action| edges.iter().all(|edge| edge.action != *action);
        let planned = order_of(state, side, view, offered, &mut self.stream)?;
        let (action, proposed) = if is_new(&planned) {
            (planned, true)
        } else {
            let mut others = G::alternatives(side, view, offered, MOST_ORDERS, &mut self.stream);
            others.retain(|other| is_new(other) && state.validate(side, other).is_ok());
            (others.into_iter().next()?, false)
        };
        let edges = &mut self.nodes[node].seats[seat].edges;
        edges.push(Edge { action, proposed, playouts: 0, available: 1, worth: 0.0 });
        Some(edges.len() - 1)
    }

    /// Plays on by doctrine until the end or the horizon; what it is worth then to each side.
    fn play_on(&mut self, mut state: G, dice: &mut Desk<Live, Silent>) -> Vec<f64> {
        let mut decisions = 0;
        while decisions < G::HORIZON && state.outcome().is_none() {
            let mut orders = Vec::new();
            for place in state.deciders().iter() {
                let Some(&side) = G::SIDES.get(place) else { continue };
                let (view, list) = (state.view(Some(side)), listed(&state, side));
                orders.extend(
                    order_of(&state, side, &view, &list, &mut self.stream).map(|order| (side, order)),
                );
            }
            if orders.is_empty() {
                break;
            }
            for (side, order) in orders {
                if state.outcome().is_none() {
                    state.perform(side, &order, dice);
                    decisions += 1;
                }
            }
        }
        let outcome = state.outcome();
        let worth = |side: &G::Side| match &outcome {
            Some(outcome) => G::score(outcome, *side),
            None => state.evaluate(*side),
        };
        G::SIDES.iter().map(worth).collect()
    }

    /// What it found of the own orders at the root.
    pub(super) fn found(self) -> Vec<Prospect<G::Action>> {
        let root = self.nodes.into_iter().next();
        let seat = root.and_then(|root| root.seats.into_iter().find(|seat| seat.place == self.own));
        let edges = seat.map(|seat| seat.edges).unwrap_or_default();
        edges
            .into_iter()
            .map(|edge| Prospect {
                worth: edge.worth / f64::from(edge.playouts.max(1)),
                action: edge.action,
                playouts: edge.playouts,
                proposed: edge.proposed,
            })
            .collect()
    }
}

/// How many orders may have been tried before another is, after so many visits.
fn widest(visits: u32) -> usize {
    visits.isqrt() as usize
}

/// What an edge promises: what came of it, and the more the seldomer it was tried; those that came first,
/// the doctrine's own before all, have the benefit of the doubt.
fn promise<A>(edge: &Edge<A>, rank: usize) -> f64 {
    let rank = f64::from(u32::try_from(rank).unwrap_or(u32::MAX));
    let prior = 1.0 / (1.0 + rank.sqrt());
    let known = if edge.playouts == 0 { 0.5 } else { edge.worth / f64::from(edge.playouts) };
    known + CURIOSITY * prior * f64::from(edge.available).sqrt() / (1.0 + f64::from(edge.playouts))
}

fn listed<G: Game>(state: &G, side: G::Side) -> Vec<G::Action> {
    let mut list = Vec::new();
    state.actions(side, &mut list);
    list
}

pub(super) fn number(stream: &mut Live) -> u64 {
    u64::from(stream.below(u32::MAX)) << 32 | u64::from(stream.below(u32::MAX))
}
