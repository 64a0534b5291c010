//! Memory: cutting off a state that was met before (Michie 1968, "memo" functions; transposition
//! tables, Greenblatt, Eastlake and Crocker 1967; the closed set of graph search, Hart, Nilsson and
//! Raphael 1968).

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;

use super::table::Table;
use crate::digest::Digest;
use crate::hook::{self, Effect, Hook, Node, NodeMut, Verdict};
use crate::problem::Problem;

/// How many keys are remembered unless [`Memo::capacity`] says otherwise: 2²².
const CAPACITY: usize = 1 << 22;

/// A hook that remembers states by a key, and cuts off those whose key it knows.
///
/// There are three kinds, which remember different things and promise different things:
///
/// | made by | remembers | when | claims |
/// |---|---|---|---|
/// | [`failed`](Memo::failed) | that there is no solution at or below | the node is left | preserving |
/// | [`counted`](Memo::counted) | how many solutions there are at or below, and [credits](NodeMut::credit) them | the node is left | preserving |
/// | [`visited`](Memo::visited) | that the state was met | the node is entered | representatives |
///
/// # The key
///
/// Two states of equal keys must have the same tree below them, as far as the question goes: the
/// key holds all of the state that what is still to come depends on, and nothing else. What was
/// chosen to get there should not be in it; that is what makes states meet. Each kind says below
/// what exactly has to be the same.
///
/// # Memory
///
/// At most [`capacity`](Memo::capacity) keys are remembered, and no more than fit into the memo's
/// share of a [limit of memory](crate::Limits::memory). When there is no room, those that were not
/// met for longest go first, roughly; what is forgotten is searched again. The report has the
/// figures `entries`, `hits` (cuts) and `evictions`. A memo of failures or counts may be lent to
/// several runs (`&mut memo`) as long as they search the same problem, and none before was lossy or
/// under a depth limit: what such a run has not found it remembers as not there. One of visited
/// states would cut off the second run at its root.
///
/// # Beside other hooks
///
/// All kinds hold beside [preserving](Effect::Preserving) hooks only: what was not found because a
/// bound cut it off is not a failure. A node that a later hook cuts off on entering is one that the
/// memo has entered and leaves; as that hook preserves solutions, or credits them, what the memo
/// then remembers is true.
///
/// # Limits
///
/// Below a [depth limit](crate::Limits::depth) trees of equal keys are no longer the same, as one
/// may be cut shorter than the other. If anything was cut short, the run ends with
/// [`Stop::DepthLimit`](crate::Stop::DepthLimit) and proves nothing, as ever; but it may also miss
/// a solution that lies above the limit, and its memo must not be lent to another run. A run
/// stopped by any other limit does not leave the nodes that it stands on, so that nothing is
/// remembered of them by mistake.
pub struct Memo<P, K, F> {
    name: String,
    key: F,
    parameters: Option<Digest>,
    memory: Memory<K>,
    /// The nodes on the path with the count on entering them, for the kinds that look at the
    /// difference.
    path: Vec<(K, u128)>,
    hits: u64,
    problem: PhantomData<fn(&P)>,
}

#[derive(Clone)]
enum Memory<K> {
    Failed(Table<K, ()>),
    /// `None` stands for too many.
    Counted(Table<K, Option<u128>>),
    Visited(Table<K, ()>),
}

impl<P: Problem, K: Hash + Eq, F: Fn(&P, &P::State) -> K> Memo<P, K, F> {
    fn new(name: impl Into<String>, key: F, memory: Memory<K>) -> Self {
        Memo {
            name: name.into(),
            parameters: Digest::of_unit(&key),
            key,
            memory,
            path: Vec::new(),
            hits: 0,
            problem: PhantomData,
        }
    }

    /// States the data that the key has captured: see [`Hook::parameters`]. Keys that
    /// capture nothing have no parameters.
    #[must_use]
    pub fn parameters(mut self, data: &(impl Hash + ?Sized)) -> Self {
        self.parameters = Some(Digest::of(data));
        self
    }

    /// Remembers the keys of subtrees without a solution, and cuts them off when they come again.
    ///
    /// States of equal keys must either both have a solution at or below them, or neither. Nothing
    /// is learnt breadth-first.
    ///
    /// In a finite tree no key can come again below itself, if equal keys mean equal trees; in an
    /// infinite one it is not recognised there, because a subtree has not failed as long as the
    /// walk is in it. Use [`visited`](Memo::visited) for a graph with cycles.
    ///
    /// ```
    /// use secateurs::hook::Memo;
    /// use secateurs::{Branch, Problem, Search};
    ///
    /// /// Is there a subset of this sum? All numbers are even, so of an odd one there is not.
    /// struct SubsetSum(Vec<u32>, u32);
    ///
    /// impl Problem for SubsetSum {
    ///     type State = (usize, u32); // numbers decided, sum left
    ///     type Cursor = u8;
    ///     type Choice = bool;
    ///     type Undo = (usize, u32);
    ///     fn root(&self) -> (usize, u32) {
    ///         (0, self.1)
    ///     }
    ///     fn branch(&self, &(decided, left): &(usize, u32)) -> Branch<u8> {
    ///         match left {
    ///             0 => Branch::Solution,
    ///             _ if decided == self.0.len() => Branch::DeadEnd,
    ///             _ => Branch::Inner(0),
    ///         }
    ///     }
    ///     fn next(&self, &(decided, left): &(usize, u32), cursor: &mut u8) -> Option<bool> {
    ///         *cursor += 1;
    ///         match *cursor {
    ///             1 => Some(false),
    ///             2 => (self.0[decided] <= left).then_some(true),
    ///             _ => None,
    ///         }
    ///     }
    ///     fn apply(&self, state: &mut (usize, u32), &take: &bool) -> (usize, u32) {
    ///         let left = if take { state.1 - self.0[state.0] } else { state.1 };
    ///         std::mem::replace(state, (state.0 + 1, left))
    ///     }
    ///     fn undo(&self, state: &mut (usize, u32), _: &bool, undo: (usize, u32)) {
    ///         *state = undo;
    ///     }
    /// }
    ///
    /// let problem = SubsetSum((1..=40).map(|n| 2 * n).collect(), 821);
    /// let memo = Memo::failed("failed", |_: &SubsetSum, state: &(usize, u32)| *state);
    /// let outcome = Search::new(&problem).hooks((memo,)).exists();
    /// assert_eq!(outcome.exists(), Some(false));
    /// assert!(outcome.report().nodes() < 40_000); // in place of billions
    /// ```
    pub fn failed(name: impl Into<String>, key: F) -> Self {
        Self::new(name, key, Memory::Failed(Table::new(CAPACITY)))
    }

    /// Remembers how many solutions a subtree has, and credits them instead of searching it when
    /// its key comes again: top-down dynamic programming. Counts go to 2¹²⁸ − 2; more end with
    /// [`Stop::CountOverflow`](crate::Stop::CountOverflow).
    ///
    /// States of equal keys must have equally many solutions at or below them. Nothing is learnt
    /// breadth-first; of cycles holds what is said at [`failed`](Memo::failed).
    ///
    /// Solutions that are credited are not *visited*: use it with [`count`](crate::Search::count)
    /// alone. An iterator or a visitor sees only one path to each key, and
    /// [`best`](crate::Search::best) compares only the solutions that it sees (and so does not call
    /// any of them proven). [`Report::credited`](crate::Report::credited) says how many were not
    /// visited.
    ///
    /// ```
    /// use secateurs::hook::Memo;
    /// use secateurs::{Branch, Problem, Search};
    ///
    /// /// Ways through a grid, going right and down.
    /// struct Grid(u32);
    ///
    /// impl Problem for Grid {
    ///     type State = [u32; 2];
    ///     type Cursor = usize;
    ///     type Choice = usize;
    ///     type Undo = ();
    ///     fn root(&self) -> [u32; 2] {
    ///         [0, 0]
    ///     }
    ///     fn branch(&self, &at: &[u32; 2]) -> Branch<usize> {
    ///         if at == [self.0, self.0] { Branch::Solution } else { Branch::Inner(0) }
    ///     }
    ///     fn next(&self, at: &[u32; 2], cursor: &mut usize) -> Option<usize> {
    ///         let axis = (*cursor..2).find(|&axis| at[axis] < self.0)?;
    ///         *cursor = axis + 1;
    ///         Some(axis)
    ///     }
    ///     fn apply(&self, at: &mut [u32; 2], &axis: &usize) {
    ///         at[axis] += 1;
    ///     }
    ///     fn undo(&self, at: &mut [u32; 2], &axis: &usize, (): ()) {
    ///         at[axis] -= 1;
    ///     }
    /// }
    ///
    /// let memo = Memo::counted("ways", |_: &Grid, at: &[u32; 2]| *at);
    /// let outcome = Search::new(&Grid(60)).hooks((memo,)).count();
    /// assert_eq!(outcome.exact(), Some(96_614_908_840_363_322_603_893_139_521_372_656));
    /// assert_eq!(outcome.report().nodes(), 1 + 2 * 60 * 61); // one an edge of the grid
    /// ```
    pub fn counted(name: impl Into<String>, key: F) -> Self {
        Self::new(name, key, Memory::Counted(Table::new(CAPACITY)))
    }

    /// Remembers every state that was met on any path, and cuts it off when it comes again: the
    /// closed set of graph search. It holds in any order, and makes a graph with cycles a finite
    /// tree.
    ///
    /// What is left of all the paths to a solution is the first that was met, so that
    /// [`Outcome::representatives`](crate::Outcome::representatives) counts the solutions that can
    /// be *reached*, by key. Breadth-first, that path is a shortest one. Two conditions:
    ///
    /// - States of equal keys must have the same choices below them, and reach the same solutions:
    ///   nothing may depend on how the state was reached, such as which squares a path has used
    ///   already.
    /// - If the run is for the [`best`](crate::Search::best) solution, then equal keys must also
    ///   mean equal values. The length of the path is not such a value, as the first path need not
    ///   be the shortest; use [`Dominance`](super::Dominance) for that.
    ///
    /// If keys are evicted, states are searched again, and a graph with cycles may then be searched
    /// for ever: let the [`capacity`](Memo::capacity) be twice the number of keys, and none is.
    /// [`Maze`](crate::problems::maze::Maze::closed_set) has an example.
    pub fn visited(name: impl Into<String>, key: F) -> Self {
        Self::new(name, key, Memory::Visited(Table::new(CAPACITY)))
    }

    /// Counts what keys own on the heap towards a [limit of memory](crate::Limits::memory):
    /// `heap_bytes` says how many bytes a key owns beside its own size,
    /// [`block_bytes`](crate::block_bytes) of each allocation. Without this, none.
    ///
    /// ```
    /// use secateurs::block_bytes;
    /// use secateurs::hook::Memo;
    /// # use secateurs::Problem;
    /// # fn remember<P: Problem<State = String>>() -> impl secateurs::Hook<P> {
    ///
    /// let memo = Memo::failed("failed", |_: &P, state: &String| state.clone());
    /// let memo = memo.heap_bytes(|key| block_bytes(key.capacity()));
    /// # memo
    /// # }
    /// ```
    #[must_use]
    pub fn heap_bytes(mut self, heap_bytes: fn(&K) -> usize) -> Self {
        match &mut self.memory {
            Memory::Failed(table) | Memory::Visited(table) => table.count_heap(heap_bytes),
            Memory::Counted(table) => table.count_heap(heap_bytes),
        }
        self
    }

    /// Remembers at most this many keys, in place of 4 194 304; less than 2 counts as 2. Forgets
    /// what it remembers now.
    ///
    /// An entry takes the size of a key, and that of a count for [`counted`](Memo::counted), about
    /// twice. Memory is taken as entries come.
    #[must_use]
    pub fn capacity(mut self, entries: usize) -> Self {
        self.memory = match self.memory {
            Memory::Failed(_) => Memory::Failed(Table::new(entries)),
            Memory::Counted(_) => Memory::Counted(Table::new(entries)),
            Memory::Visited(_) => Memory::Visited(Table::new(entries)),
        };
        self
    }
}

impl<P: Problem, K: Hash + Eq, F: Fn(&P, &P::State) -> K> Hook<P> for Memo<P, K, F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> Option<Digest> {
        self.parameters
    }

    fn effect(&self) -> Effect {
        match self.memory {
            Memory::Failed(_) | Memory::Counted(_) => Effect::Preserving,
            Memory::Visited(_) => Effect::Representatives,
        }
    }

    fn tolerates(&self, other: Effect) -> bool {
        other == Effect::Preserving
    }

    fn memory(&self) -> hook::HookMemory {
        match self.memory {
            Memory::Failed(_) | Memory::Counted(_) => hook::HookMemory::Searched,
            Memory::Visited(_) => hook::HookMemory::Visited,
        }
    }

    fn limit_memory(&self, bytes: usize) {
        match &self.memory {
            Memory::Failed(table) | Memory::Visited(table) => table.limit_memory(bytes),
            Memory::Counted(table) => table.limit_memory(bytes),
        }
    }

    fn follows_path(&self) -> bool {
        !matches!(self.memory, Memory::Visited(_))
    }

    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let key = (self.key)(node.problem(), node.state());
        let known = match &mut self.memory {
            Memory::Failed(table) => table.get(&key).is_some(),
            Memory::Counted(table) => match table.get(&key) {
                Some(&Some(solutions)) => {
                    node.credit(solutions);
                    true
                }
                Some(None) => {
                    // Twice, so that the sum overflows whatever it was.
                    node.credit(u128::MAX);
                    node.credit(u128::MAX);
                    true
                }
                None => false,
            },
            Memory::Visited(table) => {
                let known = table.get(&key).is_some();
                if !known {
                    table.put(key, ());
                }
                self.hits += u64::from(known);
                return Verdict::prune_if(known);
            }
        };
        if node.depth() == 0 {
            // An earlier run that was stopped has not left its nodes.
            self.path.clear();
        }
        if known {
            self.hits += 1;
        } else {
            self.path.push((key, node.counted()));
        }
        Verdict::prune_if(known)
    }

    fn leave(&mut self, node: &Node<'_, P>) {
        if matches!(self.memory, Memory::Visited(_)) {
            return;
        }
        let counted = node.counted();
        let Some((key, before)) = self.path.pop() else { return };
        // At its greatest value the count has overflowed, or may have, and the difference says
        // nothing.
        let difference = (counted < u128::MAX).then(|| counted.saturating_sub(before));
        match &mut self.memory {
            Memory::Failed(table) if difference == Some(0) => table.put(key, ()),
            Memory::Counted(table) => table.put(key, difference),
            Memory::Failed(_) | Memory::Visited(_) => {}
        }
    }

    fn leave_unfinished(&mut self, _: &Node<'_, P>) {
        self.path.pop();
    }

    fn stats(&self) -> Vec<(String, u64)> {
        let (entries, evictions) = match &self.memory {
            Memory::Failed(table) | Memory::Visited(table) => (table.len(), table.evicted()),
            Memory::Counted(table) => (table.len(), table.evicted()),
        };
        let figures = [("entries", entries), ("hits", self.hits), ("evictions", evictions)];
        figures.map(|(name, value)| (name.to_owned(), value)).to_vec()
    }
}

impl<P, K: Clone, F: Clone> Clone for Memo<P, K, F> {
    fn clone(&self) -> Self {
        Memo {
            name: self.name.clone(),
            key: self.key.clone(),
            parameters: self.parameters,
            memory: self.memory.clone(),
            path: self.path.clone(),
            hits: self.hits,
            problem: PhantomData,
        }
    }
}

impl<P, K, F> fmt::Debug for Memo<P, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Memo").field(&self.name).finish()
    }
}
