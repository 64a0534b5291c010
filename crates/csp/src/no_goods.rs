//! No-goods: sets of decisions that no solution satisfies, kept from one run to the next.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use secateurs::Digest;
use secateurs::hook::{
    Effect, Hook, HookMemory, Node, NodeMut, Substitute, SubstituteOrder, Verdict,
};

use super::variable::NO_OWNER;
use super::{Decision, Domains, Network, Pruned, Variable, Wipeout};

/// The largest number of decisions in all no-goods together: about twenty megabytes.
const MAX_DECISIONS: usize = 1 << 20;

/// The maximum memory per decision, in bytes: the decision, its copy in the list of refuted ones,
/// and a no-good with its two watches. A vector that grows has up to twice the memory that it
/// needs, and at the same time its former one.
const BYTES_PER_DECISION: usize =
    3 * (2 * size_of::<Decision>() + size_of::<NoGood>() + 2 * size_of::<(u32, u8)>());

/// A hook that remembers what earlier runs have searched, so that no run searches it again.
/// [`Restarts`](super::Restarts) creates it.
///
/// A run that reaches its budget stops at some node. At each node on the path to it, some siblings
/// of the child on the path have been searched to the end without a solution. The decisions down to
/// that node, together with the decision of such a sibling, form a *no-good*: no solution satisfies
/// all of them. (These are the nld-nogoods of Lecoutre, Sais, Tabary and Vidal 2007, reduced to
/// their positive decisions.) As soon as all decisions of a no-good but one hold, the last one is
/// forbidden. Two decisions of each no-good are *watched*, so that a no-good costs little while
/// neither of them holds (watched literals; Moskewicz, Madigan, Zhao, Zhang and Malik 2001).
///
/// Together the no-goods describe exactly what has been searched without success, whatever the
/// orders of variables and values are. A run that exhausts its tree therefore proves that there is
/// no solution, however small the part of the tree is that the run had to search.
///
/// Put this hook first in the tuple: it then sees every node that the hooks after it prune, and
/// propagation acts on what it forbids. All no-goods together have at most about a million
/// decisions, and fewer if the run has a [limit of memory](secateurs::Limits::memory). Those that
/// do not fit are dropped: in each run the no-goods of the deepest nodes, which forbid the least.
/// Proofs stay valid then, but a part of the tree may be searched twice.
///
/// The time per node is linear in the number of changes since the parent was entered, in the number
/// of watched decisions about the variable of each change, and in the lengths of the no-goods in
/// which one of these decisions holds.
pub struct NoGoods {
    store: Option<Box<Store>>,
    shared: Arc<Mutex<Option<Box<Store>>>>,
}

/// The no-goods between two runs.
///
/// The lock protects the store, which is inside only between runs: the hook of a run takes it out
/// and puts it back when it is dropped, so that the lock is not contended. Poisoning is ignored:
/// taking and returning move a single value, and a partly recorded path only lacks no-goods.
#[derive(Debug)]
pub(super) struct SharedNoGoods(Arc<Mutex<Option<Box<Store>>>>);

impl SharedNoGoods {
    /// Creates an empty store. `fixed_representatives` promises that other hooks lose the same
    /// solutions in all runs; `records` says whether interrupted runs are recorded as no-goods.
    pub(super) fn new(fixed_representatives: bool, records: bool) -> Self {
        SharedNoGoods(Arc::new(Mutex::new(Some(Box::new(Store {
            fixed_representatives,
            records,
            ..Store::default()
        })))))
    }

    /// Returns the hook for the next run, which returns the store when it is dropped.
    pub(super) fn lend(&self) -> NoGoods {
        let store =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
        NoGoods { store: Some(store), shared: Arc::clone(&self.0) }
    }

    /// Records the no-goods of the run that was just interrupted, unless it may have lost what the
    /// next runs look for.
    pub(super) fn record(&self, is_lossless: bool) {
        if let Some(store) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            store.record_path(is_lossless);
        }
    }
}

impl Drop for NoGoods {
    fn drop(&mut self) {
        *self.shared.lock().unwrap_or_else(PoisonError::into_inner) = self.store.take();
    }
}

/// All no-goods, and the path to the current node with its refuted siblings.
#[derive(Debug, Default)]
struct Store {
    fixed_representatives: bool,
    /// Whether interrupted runs are recorded as no-goods.
    records: bool,
    no_goods: Vec<NoGood>,
    decisions: Vec<Decision>,
    /// For each variable, the no-goods that watch a decision about it, and which of their two
    /// watches it is.
    watching: Vec<Vec<(u32, u8)>>,
    /// The path from the root to the current node.
    path: Vec<PathNode>,
    /// The decisions of nodes whose subtree is exhausted and whose parent is on the path.
    refuted: Vec<Decision>,
    /// The number of no-goods recorded after the previous run.
    newly_recorded: usize,
    max_decisions: MaxDecisions,
}

/// The largest number of decisions in all no-goods together.
#[derive(Debug)]
struct MaxDecisions(AtomicUsize);

impl Default for MaxDecisions {
    fn default() -> Self {
        MaxDecisions(AtomicUsize::new(MAX_DECISIONS))
    }
}

/// A no-good: a range of the decisions of the store.
#[derive(Clone, Copy, Debug)]
struct NoGood {
    start: u32,
    length: u32,
    /// The indices of the two watched decisions.
    watched: [u32; 2],
}

/// A node on the path.
#[derive(Clone, Copy, Debug)]
struct PathNode {
    /// The length of the trail after this hook has entered the node. Changes before it have been
    /// handled. Later ones are handled when a child is entered.
    handled_changes: usize,
    /// The index in the list of refuted decisions at which those of the node's children begin. They
    /// end where those of the next node on the path begin.
    refuted: usize,
    /// The decision that led to the node; `None` at the root.
    decision: Option<Decision>,
}

impl Store {
    /// Turns the current path, where the run was interrupted, into no-goods, if it is lossless.
    fn record_path(&mut self, is_lossless: bool) {
        let before = self.no_goods.len();
        let path = std::mem::take(&mut self.path);
        let max_decisions = *self.max_decisions.0.get_mut();
        for depth in 0..if self.records && is_lossless { path.len() } else { 0 } {
            let end = path.get(depth + 1).map_or(self.refuted.len(), |node| node.refuted);
            for refuted in path[depth].refuted..end {
                if self.decisions.len() + depth + 1 > max_decisions {
                    break;
                }
                let start = self.decisions.len() as u32;
                self.decisions.extend(path[..=depth].iter().filter_map(|node| node.decision));
                self.decisions.push(self.refuted[refuted]);
                let length = self.decisions.len() as u32 - start;
                self.no_goods.push(NoGood { start, length, watched: [start; 2] });
            }
        }
        self.refuted.clear();
        self.newly_recorded = self.no_goods.len() - before;
    }

    /// Begins a run: chooses two watched decisions for each no-good.
    fn start(&mut self, network: &Network, domains: &mut Domains) -> Pruned {
        self.path.clear();
        self.refuted.clear();
        self.watching.iter_mut().for_each(Vec::clear);
        self.watching.resize(network.len(), Vec::new());
        for index in 0..self.no_goods.len() {
            let NoGood { start, length, .. } = self.no_goods[index];
            let mut not_held =
                (start..start + length).filter(|&at| !self.decisions[at as usize].holds(domains));
            match (not_held.next(), not_held.next()) {
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

    /// Updates the watches of the variables that have changed since the trail had length
    /// `handled_changes`, and forbids decisions accordingly.
    fn process_changes(
        &mut self,
        network: &Network,
        domains: &mut Domains,
        mut handled_changes: usize,
    ) -> Pruned {
        while handled_changes < domains.trail_length() {
            let owner = network.layout.owner[domains.change(handled_changes).word as usize];
            if owner != NO_OWNER && !self.watching[owner as usize].is_empty() {
                self.update_watches(domains, Variable::new(owner as usize))?;
            }
            handled_changes += 1;
        }
        Ok(())
    }

    /// Updates the no-goods that watch a variable that has lost values. If a watched decision has
    /// come to hold, the watch moves to a decision that does not hold. If there is none, the other
    /// watched decision is forbidden.
    ///
    /// Backtracking need not restore watches. A watch stays on a decision that holds only if the
    /// other watched decision fails. At a node where that one is possible again, the first one does
    /// not hold yet, or its change is processed again.
    fn update_watches(&mut self, domains: &mut Domains, variable: Variable) -> Pruned {
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
            let can_be_watched =
                |&at: &u32| at != other && !self.decisions[at as usize].holds(domains);
            match (start..start + length).find(can_be_watched) {
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

    /// No-goods follow from the problem alone.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn effect(&self) -> Effect {
        Effect::Preserving
    }

    /// A no-good excludes a subtree in which one run found nothing new. If that run may have lost a
    /// solution in favour of one outside of the subtree, this is valid only if no other run loses
    /// that one.
    fn tolerates(&self, other: Effect, substitute: Substitute) -> bool {
        use Substitute::{Elsewhere, Known, Sibling};
        let loses_no_best = matches!(substitute, Known | Elsewhere(SubstituteOrder::BetterValue));
        // Lossy runs are not recorded.
        matches!(other, Effect::Preserving | Effect::Lossy)
            || other == Effect::OptimumOnly && loses_no_best
            // If the choice that is left leads to nothing, the other ones do not either. A hook
            // with a substitute below is no such case: what it removes at a node is also missing
            // below each child, in favour of another child.
            || substitute == Sibling
            || self.store.as_ref().is_some_and(|store| store.fixed_representatives)
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Searched
    }

    fn limit_memory(&self, bytes: usize) {
        if let Some(store) = &self.store {
            let decisions = (bytes / BYTES_PER_DECISION).min(MAX_DECISIONS);
            // Relaxed: the number is independent of all other memory. It is an atomic because this
            // method takes `&self`, and hooks should be `Sync`.
            store.max_decisions.0.store(decisions, Ordering::Relaxed);
        }
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        let Some(store) = &mut self.store else { return Verdict::Keep };
        let (network, depth, decision) =
            (node.problem(), node.depth(), node.path().last().copied());
        let domains = node.state_mut();
        let processed = match store.path.get(depth.wrapping_sub(1)) {
            Some(&PathNode { handled_changes, .. }) => {
                store.process_changes(network, domains, handled_changes)
            }
            None => match store.start(network, domains) {
                Ok(()) => store.process_changes(network, domains, 0),
                wiped => wiped,
            },
        };
        if processed.is_err() {
            store.refuted.extend(decision);
            return Verdict::Prune;
        }
        store.path.push(PathNode {
            handled_changes: domains.trail_length(),
            refuted: store.refuted.len(),
            decision,
        });
        Verdict::Keep
    }

    fn leave(&mut self, node: &Node<'_, Network>) {
        let Some(store) = &mut self.store else { return };
        if let Some(left) = store.path.get(node.depth()).copied() {
            store.path.truncate(node.depth());
            store.refuted.truncate(left.refuted);
            store.refuted.extend(left.decision);
        }
    }

    /// An unfinished subtree has not been exhausted, so its decision is not refuted.
    fn leave_unfinished(&mut self, node: &Node<'_, Network>) {
        let Some(store) = &mut self.store else { return };
        if let Some(left) = store.path.get(node.depth()).copied() {
            store.path.truncate(node.depth());
            store.refuted.truncate(left.refuted);
        }
    }

    /// The number of no-goods recorded between the previous run and this one. Its sum over all runs
    /// is the number that the last run knew.
    fn stats(&self) -> Vec<(String, u64)> {
        vec![(
            "new no-goods".to_owned(),
            self.store.as_ref().map_or(0, |store| store.newly_recorded as u64),
        )]
    }
}

impl fmt::Debug for NoGoods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.store.as_ref().map_or(0, |store| store.no_goods.len());
        f.debug_struct("NoGoods").field("known", &known).finish_non_exhaustive()
    }
}
