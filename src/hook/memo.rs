//! Memoisation: pruning states that are equivalent to an earlier one ("memo" functions, Michie
//! 1968; transposition tables, Greenblatt, Eastlake and Crocker 1967; the closed set of graph
//! search, Hart, Nilsson and Raphael 1968).

use std::hash::Hash;
use std::marker::PhantomData;

use super::table::{Table, Weight};
use crate::digest::Digest;
use crate::hook::{
    self, Constraint, Effect, Hook, Node, NodeMut, Substitute, SubstituteOrder, Verdict,
};
use crate::problem::Problem;

/// The default of [`Memo::capacity`].
const CAPACITY: usize = 1 << 22;

/// A hook that remembers states by a key, and prunes states whose key it knows.
///
/// There are three kinds:
///
/// | constructor | remembers | when | claims |
/// |---|---|---|---|
/// | [`failed`] | that there is no solution at or below | the node is left | preserving |
/// | [`counted`] | the number of solutions, and [credits][] them | the node is left | preserving |
/// | [`visited`] | that the state was visited | the node is entered | representatives |
///
/// [`failed`]: Memo::failed
/// [`counted`]: Memo::counted
/// [`visited`]: Memo::visited
/// [credits]: NodeMut::credit
///
/// # The key
///
/// Two states of equal keys must have equivalent subtrees with respect to the question: the key
/// contains everything in the state that the subtree depends on. It should contain nothing else, in
/// particular not the choices that led there, or no two states have equal keys. Each constructor
/// documents which equivalence it requires.
///
/// # Memory
///
/// At most [`capacity`](Memo::capacity) keys are remembered, and no more than fit into the memo's
/// share of a [memory limit](crate::Limits::memory). Without room, approximately the least recently
/// used keys are evicted first; their states are searched again. The report has the statistics
/// `entries`, `hits` (cuts) and `evictions`. A memo of failures or counts may serve several runs
/// (`&mut memo`) if they search the same problem with the same
/// [constraints](crate::hook#constraints), and no earlier one was lossy or had a depth limit: it
/// would remember what such a run missed as absent. A memo of visited states would prune the root
/// of a second run.
///
/// # Combination with other hooks
///
/// All kinds can be combined with [preserving](Effect::Preserving) hooks: a subtree whose solutions
/// a bound pruned is no failure. A memo of failures can also be combined with hooks whose
/// [substitutes](crate::Substitute) are below a sibling or below the node itself, such as
/// [`FirstChoices`](super::FirstChoices): a node that has solutions then keeps one.
///
/// With other symmetries, a subtree may be left without a solution because its representatives are
/// in another one, perhaps below the next state of an equal key, which the memo would prune. Do
/// without the symmetry hook, and let equivalent states have equal keys (by sorting what is
/// interchangeable, or by the smallest image): the memo then searches one of them. To count
/// representatives, let [`Problem::next`] leave out the other choices.
///
/// A [constraint](crate::hook#constraints) must be one of [states](crate::Constraint::State); the
/// key must then contain what it reads. If a later hook prunes a node on entering, the memo has
/// entered it and leaves it. Since that hook prunes no such node with solutions, or credits them,
/// what the memo then remembers is true.
///
/// # Limits
///
/// Under a [depth limit](crate::Limits::depth), subtrees of equal keys at different depths are
/// truncated differently. If anything was truncated, the run ends with
/// [`Stop::DepthLimit`](crate::Stop::DepthLimit) and proves nothing. It may also miss a solution
/// above the limit, and its memo must not serve another run. A run that any other limit stops does
/// not leave the nodes of its current path, so the memo learns nothing wrong about them.
pub struct Memo<P, K, F> {
    name: String,
    key: F,
    parameters: Option<Digest>,
    memory: Memory<K>,
    /// The keys of the nodes on the path, each with the number of [solutions so
    /// far](Memo::solutions_so_far) on entering it. Empty for [`Memory::Visited`].
    path: Vec<(K, u128)>,
    hits: u64,
    problem: PhantomData<fn(&P)>,
}

/// The table of a memo of each kind.
#[derive(Clone)]
enum Memory<K> {
    Failed(Table<K, ()>),
    Counted(Table<K, StoredCount>),
    Visited(Table<K, ()>),
}

/// A number of solutions, the low half first, or [`StoredCount::OVERFLOW`]. Unlike a `u128` it
/// needs no alignment to 16 bytes, so that an entry with a key of 8 bytes has 24 bytes, not 32.
#[derive(Clone, Copy, PartialEq, Eq)]
struct StoredCount([u64; 2]);

impl StoredCount {
    /// Stands for a count that overflowed; no other count is as large.
    const OVERFLOW: Self = StoredCount([u64::MAX; 2]);

    fn new(count: u128) -> Self {
        StoredCount([count as u64, (count >> 64) as u64])
    }

    fn get(self) -> u128 {
        u128::from(self.0[0]) | u128::from(self.0[1]) << 64
    }
}

impl Weight for StoredCount {}

impl<P: Problem, K: Hash + Eq, F: Fn(&P, &P::State) -> K> Memo<P, K, F> {
    fn new(name: impl Into<String>, key: F, memory: Memory<K>) -> Self {
        Memo {
            name: name.into(),
            parameters: Digest::of_zero_sized(&key),
            key,
            memory,
            path: Vec::new(),
            hits: 0,
            problem: PhantomData,
        }
    }

    /// Returns a number that grows with the solutions of a subtree while it is searched. A memo of
    /// failures also counts solutions of orbit size 0: without them, it would take their subtree
    /// for a failure.
    fn solutions_so_far(&self, node: &Node<'_, P>) -> u128 {
        let visited = match self.memory {
            Memory::Failed(_) => node.visited(),
            Memory::Counted(_) | Memory::Visited(_) => 0,
        };
        node.counted().saturating_add(visited.into())
    }

    crate::hook::parameters_of_captures!();

    /// Creates a hook that remembers the keys of subtrees without a solution, and prunes them.
    ///
    /// Of two states of equal keys, both must have a solution at or below them, or neither. The
    /// hook learns nothing in breadth-first search.
    ///
    /// If equal keys mean equal subtrees, no key recurs below itself in a finite tree. In an
    /// infinite tree such a recurrence is not detected, because the subtree of the first occurrence
    /// has not failed yet. Use [`visited`](Memo::visited) for a graph with cycles.
    ///
    /// ```
    /// use secateurs::hook::Memo;
    /// use secateurs::{Branch, Problem, Search};
    ///
    /// /// Is there a subset of this sum? All numbers are even, so there is none with an odd sum.
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

    /// Creates a hook that remembers the number of solutions of a subtree, and credits them instead
    /// of searching an equivalent one: top-down dynamic programming. Counts go up to 2¹²⁸ − 2;
    /// larger ones end with [`Stop::CountOverflow`](crate::Stop::CountOverflow).
    ///
    /// States of equal keys must have equally many solutions at or below them. The hook learns
    /// nothing in breadth-first search. For cycles see [`failed`](Memo::failed).
    ///
    /// Credited solutions are not *visited*: use this hook with [`count`](crate::Search::count)
    /// only. An iterator or a visitor sees only one path to each key, and
    /// [`best`](crate::Search::best) compares only visited solutions, so it proves none optimal.
    /// [`Report::credited`](crate::Report::credited) is the number of solutions that were not
    /// visited.
    ///
    /// ```
    /// use secateurs::hook::Memo;
    /// use secateurs::{Branch, Problem, Search};
    ///
    /// /// Paths through a grid, going right and down.
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
    /// assert_eq!(outcome.report().nodes(), 1 + 2 * 60 * 61); // one per edge of the grid
    /// ```
    pub fn counted(name: impl Into<String>, key: F) -> Self {
        Self::new(name, key, Memory::Counted(Table::new(CAPACITY)))
    }

    /// Creates a hook that remembers every visited state, and prunes it when another path leads to
    /// it: the closed set of graph search. The claim holds in any search order, and a graph with
    /// cycles becomes a finite tree.
    ///
    /// Of all paths to a solution, the first one remains, so
    /// [`Outcome::representatives`](crate::Outcome::representatives) counts the *reachable*
    /// solutions, by key. In breadth-first search, that path is a shortest one. Two conditions:
    ///
    /// - States of equal keys must have the same choices and reach the same solutions: nothing may
    ///   depend on the path to the state, such as the squares that it has used.
    /// - If the run is for the [`best`](crate::Search::best) solution, then equal keys must also
    ///   mean equal values. The length of the path is not such a value, as the first path need not
    ///   be the shortest; use [`Dominance`](super::Dominance) for that.
    ///
    /// States of evicted keys are searched again, so the search of a graph with cycles may not
    /// terminate. With a [`capacity`](Memo::capacity) of twice the number of keys, none is evicted.
    /// `Maze::closed_set` of [`secateurs-problems`](https://docs.rs/secateurs-problems) has an
    /// example.
    pub fn visited(name: impl Into<String>, key: F) -> Self {
        Self::new(name, key, Memory::Visited(Table::new(CAPACITY)))
    }

    /// Counts the heap memory of keys towards a [memory limit](crate::Limits::memory): `heap_bytes`
    /// returns the bytes that a key owns beside its own size, the sum of
    /// [`block_bytes`](crate::block_bytes) over its allocations. The default is 0.
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
            Memory::Failed(table) | Memory::Visited(table) => table.set_key_heap_bytes(heap_bytes),
            Memory::Counted(table) => table.set_key_heap_bytes(heap_bytes),
        }
        self
    }

    /// Sets the largest number of keys to remember, and clears the memory. The default is
    /// 4,194,304; a value below 2 is treated as 2.
    ///
    /// An entry takes about twice the size of a key, plus that of a count for
    /// [`counted`](Memo::counted). Memory is allocated as the table grows.
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

    fn tolerates(&self, other: Effect, substitute: Substitute) -> bool {
        let is_left = matches!(substitute, Substitute::Sibling | Substitute::Below);
        other == Effect::Preserving || is_left && matches!(self.memory, Memory::Failed(_))
    }

    fn respects(&self, constraint: Constraint) -> bool {
        constraint == Constraint::State
    }

    /// A memo of visited states has kept a node with the same choices.
    fn substitute(&self) -> Substitute {
        Substitute::Elsewhere(match self.memory {
            Memory::Visited(_) => SubstituteOrder::FewerChoices,
            Memory::Failed(_) | Memory::Counted(_) => SubstituteOrder::Unstated,
        })
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

    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let key = (self.key)(node.problem(), node.state());
        let known = match &mut self.memory {
            Memory::Failed(table) => table.get(&key).is_some(),
            Memory::Counted(table) => match table.get(&key) {
                Some(&count) => {
                    node.credit_searched(count.get());
                    if count == StoredCount::OVERFLOW {
                        // Once more, so that the sum overflows whatever it was before.
                        node.credit_searched(u128::MAX);
                    }
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
            // An earlier run that was stopped did not leave its nodes.
            self.path.clear();
        }
        if known {
            self.hits += 1;
        } else {
            let before = self.solutions_so_far(&node.as_node());
            self.path.push((key, before));
        }
        Verdict::prune_if(known)
    }

    fn leave(&mut self, node: &Node<'_, P>) {
        if matches!(self.memory, Memory::Visited(_)) {
            return;
        }
        let solutions = self.solutions_so_far(node);
        let Some((key, before)) = self.path.pop() else { return };
        // At its largest value the count may have overflowed, and the difference is meaningless.
        let count = match solutions {
            u128::MAX => StoredCount::OVERFLOW,
            solutions => StoredCount::new(solutions.saturating_sub(before)),
        };
        match &mut self.memory {
            Memory::Failed(table) if count == StoredCount::new(0) => table.put(key, ()),
            Memory::Counted(table) => table.put(key, count),
            Memory::Failed(_) | Memory::Visited(_) => {}
        }
    }

    fn leave_unfinished(&mut self, _: &Node<'_, P>) {
        self.path.pop();
    }

    fn stats(&self) -> Vec<(String, u64)> {
        let (entries, evictions) = match &self.memory {
            Memory::Failed(table) | Memory::Visited(table) => (table.len(), table.evicted),
            Memory::Counted(table) => (table.len(), table.evicted),
        };
        let stats = [("entries", entries), ("hits", self.hits), ("evictions", evictions)];
        stats.map(|(name, value)| (name.to_owned(), value)).to_vec()
    }
}

clone_fields!(
    impl[P, K: Clone, F: Clone] Memo<P, K, F>:
    name, key, parameters, memory, path, hits, problem
);

debug_fields!(impl[P, K, F] Memo<P, K, F>: name);
