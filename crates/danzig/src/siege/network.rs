//! The trench network (chapters 4.1.1 and 4.7.2): which works touch, which have an intact way to the
//! concentration area, and the ways through them, damaged ones included.

use super::ground::GROUND;
use super::state::{MOST_WORKS, SiegeMap, Work, WorkId, WorkSet};

impl SiegeMap {
    /// Puts a work on the map and joins it to those it touches. `None` when every slot is taken.
    pub fn add_work(&mut self, work: Work) -> Option<WorkId> {
        let free = self.works.iter().position(Option::is_none).unwrap_or(self.works.len());
        if free >= MOST_WORKS {
            return None;
        }
        let id = WorkId(u8::try_from(free).ok()?);
        let links = work.links;
        let placed = Some(work);
        match self.works.get_mut(free) {
            Some(slot) => *slot = placed,
            None => self.works.push(placed),
        }
        for other in links.iter() {
            if let Some(other) = self.work_mut(other) {
                other.links.insert(id);
            }
        }
        self.join();
        Some(id)
    }

    /// Puts a changed work back into its own slot.
    pub fn put_back(&mut self, id: WorkId, work: Work) {
        while self.works.len() <= id.index() {
            self.works.push(None);
        }
        if let Some(slot) = self.works.get_mut(id.index()) {
            *slot = Some(work);
        }
        for other in work.links.iter() {
            if let Some(other) = self.work_mut(other) {
                other.links.insert(id);
            }
        }
        self.join();
    }

    /// Takes a work off the map.
    pub fn remove_work(&mut self, id: WorkId) -> Option<Work> {
        let work = self.works.get_mut(id.index())?.take()?;
        for other in work.links.iter() {
            if let Some(other) = self.work_mut(other) {
                other.links.remove(id);
            }
        }
        while self.works.last().is_some_and(Option::is_none) {
            self.works.pop();
        }
        self.join();
        Some(work)
    }

    /// Finds the intact network again after a change (DZ-4.7.2-12).
    pub fn join(&mut self) {
        let at_zone: WorkSet =
            self.all_works().filter(|(_, work)| work.at_zone && !work.damaged).map(|(id, _)| id).collect();
        self.network = self.spread(at_zone);
    }

    /// The works that an intact way joins to some of these.
    #[must_use]
    pub fn spread(&self, from: WorkSet) -> WorkSet {
        let intact: WorkSet = self.all_works().filter(|(_, work)| !work.damaged).map(|(id, _)| id).collect();
        let mut reached = from.and(intact);
        let mut new = reached;
        while !new.is_empty() {
            let mut next = WorkSet::default();
            for id in new.iter() {
                if let Some(work) = self.work(id) {
                    next = next.or(work.links);
                }
            }
            new = next.and(intact).without(reached);
            reached = reached.or(new);
        }
        reached
    }

    /// The intact works that a unit in this one can reach without leaving intact trench.
    #[must_use]
    pub fn reach(&self, from: WorkId) -> WorkSet {
        let mut start = WorkSet::default();
        start.insert(from);
        self.spread(start)
    }

    /// The way with the fewest damaged works from the concentration area, or from a work, to a work;
    /// its ends are included. `None` when there is no unbroken line of works at all.
    #[must_use]
    pub fn way(&self, from: Option<WorkId>, to: WorkId) -> Option<Vec<WorkId>> {
        const FAR: u16 = u16::MAX;
        let mut cost = [FAR; MOST_WORKS];
        let mut before: [Option<WorkId>; MOST_WORKS] = [None; MOST_WORKS];
        let mut open: Vec<WorkId> = Vec::new();
        // A damaged work costs far more than any number of intact ones.
        let price = |id: WorkId| match self.work(id) {
            Some(work) if id != to && work.damaged => 256,
            _ => 1,
        };
        let starts: Vec<WorkId> = match from {
            Some(id) => vec![id],
            None => self.all_works().filter(|(_, work)| work.at_zone).map(|(id, _)| id).collect(),
        };
        for id in starts {
            if let Some(slot) = cost.get_mut(id.index()) {
                *slot = if from.is_some() { 0 } else { price(id) };
                open.push(id);
            }
        }
        while let Some((at, id)) = open
            .iter()
            .enumerate()
            .min_by_key(|(_, id)| (cost.get(id.index()).copied().unwrap_or(FAR), id.0))
            .map(|(at, id)| (at, *id))
        {
            open.swap_remove(at);
            if id == to {
                let mut way = vec![to];
                let mut here = to;
                while let Some(Some(previous)) = before.get(here.index()) {
                    way.push(*previous);
                    here = *previous;
                }
                way.reverse();
                return Some(way);
            }
            let so_far = cost.get(id.index()).copied().unwrap_or(FAR);
            for next in self.work(id).map(|work| work.links).unwrap_or_default().iter() {
                let total = so_far.saturating_add(price(next));
                if let (Some(known), Some(from)) = (cost.get_mut(next.index()), before.get_mut(next.index()))
                    && total < *known
                {
                    *known = total;
                    *from = Some(id);
                    if !open.contains(&next) {
                        open.push(next);
                    }
                }
            }
        }
        None
    }

    /// Which printed redoubts an intact, connected work touches, as bits (DZ-R99).
    #[must_use]
    pub fn redoubts_touched(&self) -> u8 {
        let mut touched = 0;
        for (at, spot) in GROUND.redoubts.iter().enumerate() {
            let mark = super::Pose::new(*spot, super::Facing::CITY).rect(super::WorkKind::Battery);
            if self.network.iter().any(|id| self.work(id).is_some_and(|work| work.rect().touches(&mark))) {
                touched |= 1 << at;
            }
        }
        touched
    }
}
