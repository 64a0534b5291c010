//! No-goods: decisions that do not go together, kept from one run to the next.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::layout::NO_OWNER;
use super::{Decision, Domains, Network, Variable, Wipeout};
use crate::digest::Digest;
use crate::hook::{Effect, Hook, HookMemory, Node, NodeMut, Verdict};

/// No more decisions than this are kept in all no-goods together: about twenty megabytes.
const MAX_DECISIONS: usize = 1 << 20;

/// A hook that remembers what earlier runs have searched, so that no run searches it again; handed
/// out by [`Restarts`](super::Restarts).
///
/// When a run is broken off, it stands somewhere in the tree. At each node of the path to there,
/// some siblings of the step that was taken have been searched to the end, and there is no solution
/// below them. So the decisions down to that node, together with that of such a sibling, are a
/// *no-good*: no solution takes all of them. (These are the nld-nogoods of Lecoutre, Sais, Tabary
/// and Vidal 2007, reduced to their positive decisions.) As soon as all decisions of a no-good but
/// one hold, the last one is forbidden. Two decisions of each no-good are *watched*, so that a
/// no-good costs nothing as long as neither of these holds (Moskewicz, Madigan, Zhao, Zhang and
/// Malik 2001).
///
/// Together they say just what has been searched without success, whatever the order of variables
/// and values is. So a run that exhausts its tree has proved that there is no solution, however
/// little of it was left to that run.
///
/// Put it first in the tuple: it then sees every node that is cut off by the hooks behind it, and
/// propagation follows up what it forbids. The no-goods of the deepest nodes forbid the least, and
/// are not kept when there are a million decisions in all of them together; nothing is proved that
/// is not so then, but something may be searched twice.
///
/// Cost a node: a look at what has been taken away since the last one, and at the no-goods of which
/// a watched decision has come to hold.
pub struct NoGoods {
    store: Option<Box<Store>>,
    shared: Arc<Mutex<Option<Box<Store>>>>,
}

/// Where the no-goods are between two runs.
#[derive(Debug)]
pub(super) struct SharedNoGoods(Arc<Mutex<Option<Box<Store>>>>);

impl SharedNoGoods {
    /// No no-goods; `fixed` says that other hooks keep the same representatives in all runs, and
    /// `record` whether what a run has left is searched.
    pub(super) fn new(fixed: bool, record: bool) -> Self {
        SharedNoGoods(Arc::new(Mutex::new(Some(Box::new(Store {
            fixed,
            record,
            ..Store::default()
        })))))
    }

    /// The hook for the next run, which gives back what it has when it is dropped.
    pub(super) fn lend(&self) -> NoGoods {
        let store =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
        NoGoods { store: Some(store), shared: Arc::clone(&self.0) }
    }

    /// Adds the no-goods of the run that has been broken off.
    pub(super) fn record(&self) {
        if let Some(store) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            store.record_path();
        }
    }
}

impl Drop for NoGoods {
    fn drop(&mut self) {
        *self.shared.lock().unwrap_or_else(PoisonError::into_inner) = self.store.take();
    }
}

/// The no-goods, and where the walk stands.
#[derive(Debug, Default)]
struct Store {
    fixed: bool,
    record: bool,
    no_goods: Vec<NoGood>,
    decisions: Vec<Decision>,
    /// By variable, the no-goods that watch a decision about it, and which of their two it is.
    watching: Vec<Vec<(u32, u8)>>,
    /// The path, the root first.
    path: Vec<PathNode>,
    /// The decisions of nodes that are done, whose parent is on the path.
    refuted: Vec<Decision>,
    /// How many no-goods the last run has left.
    added: usize,
}

/// Decisions that do not go together.
#[derive(Clone, Copy, Debug)]
struct NoGood {
    start: u32,
    length: u32,
    /// The two that are watched, as indices into all decisions.
    watched: [u32; 2],
}

/// A node of the path.
#[derive(Clone, Copy, Debug)]
struct PathNode {
    /// How much of the trail has been looked at when its children are entered.
    seen: usize,
    /// Where its children begin in what is refuted.
    refuted: usize,
    /// What led to it; `None` at the root.
    decision: Option<Decision>,
}

impl Store {
    /// Adds what the run has searched whose path is there still.
    fn record_path(&mut self) {
        let before = self.no_goods.len();
        let path = std::mem::take(&mut self.path);
        for depth in 0..if self.record { path.len() } else { 0 } {
            let end = path.get(depth + 1).map_or(self.refuted.len(), |place| place.refuted);
            for refuted in path[depth].refuted..end {
                if self.decisions.len() + depth + 1 > MAX_DECISIONS {
                    break;
                }
                let start = self.decisions.len() as u32;
                self.decisions.extend(path[..=depth].iter().filter_map(|place| place.decision));
                self.decisions.push(self.refuted[refuted]);
                let length = self.decisions.len() as u32 - start;
                self.no_goods.push(NoGood { start, length, watched: [start; 2] });
            }
        }
        self.refuted.clear();
        self.added = self.no_goods.len() - before;
    }

    /// Begins a run: chooses what is watched.
    fn start(&mut self, network: &Network, domains: &mut Domains) -> Result<(), Wipeout> {
        self.path.clear();
        self.refuted.clear();
        self.watching.iter_mut().for_each(Vec::clear);
        self.watching.resize(network.len(), Vec::new());
        for index in 0..self.no_goods.len() {
            let NoGood { start, length, .. } = self.no_goods[index];
            let mut open =
                (start..start + length).filter(|&at| !self.decisions[at as usize].holds(domains));
            match (open.next(), open.next()) {
                (Some(first), Some(second)) => {
                    self.no_goods[index].watched = [first, second];
                    for (side, at) in [(0, first), (1, second)] {
                        let variable = self.decisions[at as usize].variable();
                        self.watching[variable.index()].push((index as u32, side));
                    }
                }
                (Some(last), None) => self.decisions[last as usize].forbid(domains)?,
                (None, _) => return Err(Wipeout(self.decisions[start as usize].variable())),
            }
        }
        Ok(())
    }

    /// Looks at what has been taken away since the trail was `seen` long, and forbids what follows.
    fn follow(
        &mut self,
        network: &Network,
        domains: &mut Domains,
        mut seen: usize,
    ) -> Result<(), Wipeout> {
        while seen < domains.trail_length() {
            let owner = network.layout.owner[domains.change(seen).word as usize];
            if owner != NO_OWNER && !self.watching[owner as usize].is_empty() {
                self.visit(domains, Variable::new(owner as usize))?;
            }
            seen += 1;
        }
        Ok(())
    }

    /// Looks at the no-goods that watch a variable which has lost values.
    fn visit(&mut self, domains: &mut Domains, variable: Variable) -> Result<(), Wipeout> {
        let mut place = 0;
        while let Some(&(index, side)) = self.watching[variable.index()].get(place) {
            place += 1;
            let NoGood { start, length, watched } = self.no_goods[index as usize];
            let other = watched[1 - usize::from(side)];
            if !self.decisions[watched[usize::from(side)] as usize].holds(domains)
                || self.decisions[other as usize].fails(domains)
            {
                continue;
            }
            let open = |&at: &u32| at != other && !self.decisions[at as usize].holds(domains);
            match (start..start + length).find(open) {
                Some(at) => {
                    self.no_goods[index as usize].watched[usize::from(side)] = at;
                    place -= 1;
                    self.watching[variable.index()].swap_remove(place);
                    let variable = self.decisions[at as usize].variable();
                    self.watching[variable.index()].push((index, side));
                }
                None => self.decisions[other as usize].forbid(domains)?,
            }
        }
        Ok(())
    }
}

impl Hook<Network> for NoGoods {
    fn name(&self) -> &str {
        "no-goods"
    }

    /// What it knows follows from the problem.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn effect(&self) -> Effect {
        Effect::Preserving
    }

    /// What has no representative in one run must have none in the next.
    fn tolerates(&self, other: Effect) -> bool {
        other != Effect::Representatives || self.store.as_ref().is_some_and(|store| store.fixed)
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Searched
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        let Some(store) = &mut self.store else { return Verdict::Keep };
        let (network, depth, decision) =
            (node.problem(), node.depth(), node.path().last().copied());
        let domains = node.state_mut();
        let followed = match store.path.get(depth.wrapping_sub(1)) {
            Some(parent) if depth > 0 => {
                let seen = parent.seen;
                if let Some(left_over) = store.path.get(depth) {
                    store.refuted.truncate(left_over.refuted);
                    store.path.truncate(depth);
                }
                store.follow(network, domains, seen)
            }
            _ => match store.start(network, domains) {
                Ok(()) => store.follow(network, domains, 0),
                wiped => wiped,
            },
        };
        if followed.is_err() {
            store.refuted.extend(decision);
            return Verdict::Prune;
        }
        store.path.push(PathNode {
            seen: domains.trail_length(),
            refuted: store.refuted.len(),
            decision,
        });
        Verdict::Keep
    }

    fn leave(&mut self, node: &Node<'_, Network>) {
        let Some(store) = &mut self.store else { return };
        if let Some(place) = store.path.get(node.depth()).copied() {
            store.path.truncate(node.depth());
            store.refuted.truncate(place.refuted);
            store.refuted.extend(place.decision);
        }
    }

    /// What is left has been searched only if it is left as finished.
    fn leave_unfinished(&mut self, node: &Node<'_, Network>) {
        let Some(store) = &mut self.store else { return };
        if let Some(place) = store.path.get(node.depth()).copied() {
            store.path.truncate(node.depth());
            store.refuted.truncate(place.refuted);
        }
    }

    /// The sum over all runs is the number of no-goods that the last run knew.
    fn stats(&self) -> Vec<(String, u64)> {
        vec![("new no-goods".to_owned(), self.store.as_ref().map_or(0, |store| store.added as u64))]
    }
}

impl fmt::Debug for NoGoods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.store.as_ref().map_or(0, |store| store.no_goods.len());
        f.debug_struct("NoGoods").field("known", &known).finish_non_exhaustive()
    }
}
