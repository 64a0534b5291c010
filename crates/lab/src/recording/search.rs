//! Recordings of searches: [`Recording`], the hooks that feed it, and access to its nodes.

use std::fmt::{self, Display, Write};

use secateurs::hook::{Observed, Observer};
use secateurs::{Direction, Effect, Hooks, Node, Problem, Report, Stop};

use super::log::{Improvement, Log, NONE, NodeOutcome};

type Label<'f, P> = Box<dyn Fn(&P, &<P as Problem>::Choice, &mut String) + 'f>;
type Picture<'f, P> = Box<dyn Fn(&Node<'_, P>) -> String + 'f>;
type Value<'f, P> = Box<dyn Fn(&Node<'_, P>) -> i64 + 'f>;

/// A recording of a search: its tree with the outcome of each node, pictures of states, and
/// improvements of the best value.
///
/// A recording is configured with the data to record for each node, and then [wraps](Recording::of)
/// the hooks of a run. It observes which nodes are entered and left, which children are not
/// admitted, and the hooks responsible. The run itself is unaffected. Afterwards the recording is
/// read [node by node](Recording::nodes), or, with the feature `pages`, printed by `html` as a page
/// with a foldable tree and the picture of each state.
///
/// ```
/// use secateurs::Search;
/// use secateurs_lab::{NodeOutcome, Recording};
/// use secateurs_problems::queens::{BitQueens, Queens, RowByRow};
///
/// let queens = Queens::new(4)?.bits();
/// let label = |_: &BitQueens, choice: &u64| format!("column {}", BitQueens::column(choice) + 1);
/// let mut recording = Recording::new().label(label);
/// let outcome = Search::new(&queens).hooks(recording.of((Queens::mirror(),))).count();
/// recording.ended(outcome.report());
///
/// let tree: String = recording
///     .nodes()
///     .map(|node| {
///         let (indent, label) = ("  ".repeat(node.depth()), node.label().unwrap_or("root"));
///         format!("{indent}{label} {:?}\n", node.outcome())
///     })
///     .collect();
/// assert_eq!(tree, "\
/// root Inner
///   column 1 Inner
///     column 3 DeadEnd
///     column 4 Inner
///       column 2 DeadEnd
///   column 2 Inner
///     column 4 Inner
///       column 1 Inner
///         column 3 Solution
///   column 3 NotAdmitted(0)
///   column 4 NotAdmitted(0)
/// ");
/// assert_eq!(recording.count(NodeOutcome::Solution), outcome.report().solutions());
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
///
/// # Scope and cost
///
/// - **Walks.** Single-threaded depth-first search, by `count`, `first`, `solutions` and `best`, is
///   recorded completely, also when it replays paths to the subtrees of a
///   [frontier](secateurs::Search::frontier). Replayed nodes are recognised by their labels, so the
///   labels of siblings should differ. A second run with the same recording, such as a restart,
///   adds a second root. Non-contiguous walks, such as breadth-first search, enter nodes whose
///   parents have been left: these are counted as [unplaced](Recording::unplaced) and not recorded.
///   If some hook follows the path, they are recorded below [replayed](NodeOutcome::Replayed)
///   nodes. Searches by several threads cannot be recorded, which is enforced by types.
/// - **Limits.** When the recording reaches its [node limit](Recording::node_limit), the search
///   continues, and missing nodes are [counted](Recording::missing_nodes). Children that were not
///   admitted count towards the limit, because they need as much memory.
/// - **Unfinished nodes.** The open nodes of a run that was stopped, or of an iterator that was
///   dropped, are [unfinished](NodeOutcome::Unfinished). So are nodes that an exhausted run left
///   before it replayed them, until [`ended`](Recording::ended) is called.
/// - **Cost.** A run that is not recorded is not wrapped, and costs nothing extra. Recording takes
///   50 to 100 nanoseconds per node, with or without labels (12-queens on bit masks: 11 ns per node
///   without a recording, 60 to 115 ns with one). A picture costs the time to draw it and to
///   compare it with the one of the parent: 3 microseconds for 11 queens, whose empty board is
///   drawn once; tens of microseconds if each square is formatted again. Memory: 10 bytes per node,
///   and each distinct label, line and edit once.
///
/// Related tools draw search trees as well: the Oz Explorer, which folds failed subtrees (Schulte
/// 1996), and CLPGUI (Fages, Soliman and Coolen 2004). A recording also shows which hook cut off
/// each node.
pub struct Recording<'f, P: Problem> {
    pub(super) log: Log,
    label: Option<Label<'f, P>>,
    pub(super) picture: Option<Picture<'f, P>>,
    value: Option<(Direction, Value<'f, P>)>,
    pub(super) hooks: Vec<String>,
    /// The index of the first hook of the last run.
    first_hook: usize,
    /// By run: the number of nodes that were recorded before it, and the names of its hooks.
    pub(super) runs: Vec<(usize, String)>,
    /// The stop of the last run, and the effect of its hooks.
    pub(super) ended: Option<(Stop, Effect)>,
    /// A buffer for labels.
    scratch: String,
}

impl<'f, P: Problem> Default for Recording<'f, P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'f, P: Problem> Recording<'f, P> {
    /// The default node limit.
    pub const NODES: usize = 1_000_000;
    /// The maximal node limit.
    pub const MOST_NODES: usize = (1 << 30) - 1;

    /// Creates a recording of up to [a million](Recording::NODES) nodes, without labels, pictures
    /// and values.
    #[must_use]
    pub fn new() -> Self {
        Recording {
            log: Log::new(Self::NODES),
            label: None,
            picture: None,
            value: None,
            hooks: Vec::new(),
            first_hook: 0,
            runs: Vec::new(),
            ended: None,
            scratch: String::new(),
        }
    }

    /// Sets the maximal number of recorded nodes, including children that were not admitted, up to
    /// [`MOST_NODES`](Recording::MOST_NODES). The first nodes in the order of the tree are
    /// recorded.
    #[must_use]
    pub fn node_limit(mut self, nodes: usize) -> Self {
        self.log.limit = nodes.min(Self::MOST_NODES);
        self
    }

    /// Sets how choices are labelled: with a few words on one line. Line breaks are replaced by
    /// spaces.
    #[must_use]
    pub fn label<T: Display>(mut self, label: impl Fn(&P, &P::Choice) -> T + 'f) -> Self {
        self.label = Some(Box::new(move |problem, choice, out| {
            // Writing to a string fails only if the label's own `Display` does.
            let _ = write!(out, "{}", label(problem, choice));
        }));
        self
    }

    /// Sets how states are drawn: as the text of an SVG file, or as any other text, such as a
    /// board. The function is called for each entered node after the hooks, so it sees what they
    /// have inferred.
    ///
    /// A picture is stored as its line-by-line difference from the one of the parent, so lines that
    /// do not depend on the step should be equal.
    #[must_use]
    pub fn picture(mut self, picture: impl Fn(&Node<'_, P>) -> String + 'f) -> Self {
        self.picture = Some(Box::new(picture));
        self
    }

    /// Sets the value of solutions and the direction of the objective. Each solution that is better
    /// than all before it is recorded as an [`Improvement`].
    #[must_use]
    pub fn value(mut self, direction: Direction, value: impl Fn(&Node<'_, P>) -> i64 + 'f) -> Self {
        self.value = Some((direction, Box::new(value)));
        self
    }

    /// Wraps the hooks of a run to record it: a tuple or a vector of hooks, `()` if there are none.
    ///
    /// If earlier runs had hooks of other names, the new hooks are [appended](Recording::hooks), so
    /// that each cut refers to a hook of its own run. A recording of two runs shows their trees
    /// side by side, and where they differ.
    ///
    /// The set cannot be cloned, so searches by several threads do not accept it: their walks do
    /// not form one tree.
    pub fn of<H: Hooks<P>>(&mut self, hooks: H) -> Observed<&mut Self, H> {
        Observed::new(self, hooks)
    }

    /// Records how the last run ended. If it has exhausted its tree, none of its nodes remains
    /// unfinished.
    pub fn ended(&mut self, report: &Report) {
        self.ended = Some((report.stop(), report.effect()));
        if report.stop().is_exhausted() {
            self.log.exhausted();
        }
    }

    /// Returns the names of the hooks in their order, run by run if they differ between runs.
    #[must_use]
    pub fn hooks(&self) -> &[String] {
        &self.hooks
    }

    /// Returns the number of recorded nodes, including children that were not admitted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.log.depths.len()
    }

    /// Returns whether nothing was recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of entered nodes that are not recorded.
    #[must_use]
    pub fn missing_nodes(&self) -> u64 {
        self.log.missing_nodes
    }

    /// Returns the number of children that were not admitted and are not recorded.
    #[must_use]
    pub fn missing_cuts(&self) -> u64 {
        self.log.missing_cuts
    }

    /// Returns the number of missing nodes that were not recorded although there was room, because
    /// the walk was not contiguous and their parent had been left.
    #[must_use]
    pub fn unplaced(&self) -> u64 {
        self.log.unplaced
    }

    /// Returns the number of recorded nodes whose picture was not kept, because the pictures on the
    /// path, or all distinct lines, took too much memory.
    #[must_use]
    pub fn without_picture(&self) -> u64 {
        self.log.without_picture
    }

    /// Returns the solutions that were better than all before them.
    #[must_use]
    pub fn improvements(&self) -> &[Improvement] {
        &self.log.improvements
    }

    /// Returns the number of recorded nodes with this outcome.
    #[must_use]
    pub fn count(&self, outcome: NodeOutcome) -> u64 {
        self.log.outcomes.iter().filter(|code| code.outcome() == outcome).count() as u64
    }

    /// Returns the number of the label of a step, or [`NONE`] if the node cannot be recorded.
    fn label_if_recordable(
        &mut self,
        problem: &P,
        depth: usize,
        choice: Option<&P::Choice>,
    ) -> u32 {
        if self.log.can_record(depth) { self.label_of(problem, choice) } else { NONE }
    }

    /// Returns the number of the label of a step even if there is no room, for nodes that may be
    /// recorded already.
    fn label_of(&mut self, problem: &P, choice: Option<&P::Choice>) -> u32 {
        let (Some(label), Some(choice)) = (&self.label, choice) else { return NONE };
        self.scratch.clear();
        label(problem, choice, &mut self.scratch);
        if self.scratch.contains(['\n', '\r']) {
            self.scratch = self.scratch.replace(['\n', '\r'], " ");
        }
        self.log.labels.number(&self.scratch[..]).0
    }

    /// Returns the number of the edit that produces the picture of a node.
    fn edit_of(&mut self, node: &Node<'_, P>) -> u32 {
        let Some(picture) = &self.picture else { return NONE };
        let edit = self.log.pictures.add(node.depth(), || picture(node));
        self.log.without_picture += u64::from(edit.is_none());
        edit.unwrap_or(NONE)
    }
}

impl<P: Problem> fmt::Debug for Recording<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording")
            .field("nodes", &self.len())
            .field("missing_nodes", &self.missing_nodes())
            .field("missing_cuts", &self.missing_cuts())
            .finish_non_exhaustive()
    }
}

impl<P: Problem> Observer<P> for Recording<'_, P> {
    fn begin(&mut self, hooks: &[&str]) {
        let plugged_in: Vec<&str> = hooks.iter().copied().filter(|&name| name != "off").collect();
        self.runs.push((self.len(), plugged_in.join(", ")));
        let known = (0..self.hooks.len()).find(|&first| {
            self.hooks[first..].get(..hooks.len()).is_some_and(|known| known == hooks)
        });
        self.first_hook = known.unwrap_or_else(|| {
            // If no node was entered, nothing refers to an earlier hook.
            if self.log.entered == 0 {
                self.hooks.clear();
            }
            self.hooks.len()
        });
        if known.is_none() {
            self.hooks.extend(hooks.iter().map(|&name| name.to_owned()));
        }
        self.ended = None;
    }

    fn admitted(&mut self, parent: &Node<'_, P>, _: &P::Choice) {
        self.log.admitted(parent.depth());
    }

    fn not_admitted(
        &mut self,
        parent: &Node<'_, P>,
        choice: &P::Choice,
        hook: usize,
        with_siblings: bool,
    ) {
        let depth = parent.depth() + 1;
        let label = self.label_if_recordable(parent.problem(), depth, Some(choice));
        self.log.not_admitted(depth, self.first_hook + hook, with_siblings, label);
    }

    fn entered(&mut self, node: &Node<'_, P>, cut: Option<usize>) {
        let depth = node.depth();
        let label = self.label_if_recordable(node.problem(), depth, node.path().last());
        let edit = if self.log.can_record(depth) { self.edit_of(node) } else { NONE };
        self.log.entered(depth, cut.map(|hook| self.first_hook + hook), label, edit);
    }

    fn replayed(&mut self, node: &Node<'_, P>) {
        let label = self.label_of(node.problem(), node.path().last());
        // Drawing a picture needs the whole recording, so the log is taken out of it and, while
        // drawing, swapped back.
        let mut log = std::mem::take(&mut self.log);
        log.replayed(node.depth(), label, |log| {
            std::mem::swap(log, &mut self.log);
            let edit = self.edit_of(node);
            std::mem::swap(log, &mut self.log);
            edit
        });
        self.log = log;
    }

    fn solution(&mut self, node: &Node<'_, P>) {
        let value = self.value.as_ref().map(|(direction, value)| (*direction, value(node)));
        self.log.solution(node.depth(), value);
    }

    fn left(&mut self, node: &Node<'_, P>, is_finished: bool) {
        self.log.left(node.depth(), is_finished);
    }
}

/// A node of a [`Recording`], or a child that was not admitted.
#[derive(Clone, Copy, Debug)]
pub struct RecordedNode<'r> {
    log: &'r Log,
    index: usize,
}

impl<'r> RecordedNode<'r> {
    /// Returns its index in the order in which nodes were visited, which is a preorder: a parent
    /// comes before its children, and its subtree follows directly.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns its depth in the tree; the root has depth 0.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.log.depths[self.index] as usize
    }

    /// Returns its outcome.
    #[must_use]
    pub fn outcome(&self) -> NodeOutcome {
        self.log.outcomes[self.index].outcome()
    }

    /// Returns whether its subtree was completely searched, apart from what hooks cut off.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        !self.log.outcomes[self.index].is_unfinished()
    }

    /// Returns whether a hook cut off its later siblings together with it. They are not in the
    /// recording; see [`Verdict::PruneSiblings`](secateurs::Verdict::PruneSiblings).
    #[must_use]
    pub fn cuts_siblings(&self) -> bool {
        self.log.sibling_cuts.binary_search(&(self.index as u32)).is_ok()
    }

    /// Returns the label of the choice that leads to it, if the recording has labels; `None` for
    /// the root.
    #[must_use]
    pub fn label(&self) -> Option<&'r str> {
        let (label, _) = self.log.step_parts.all()[self.log.steps[self.index] as usize];
        self.log.labels.all().get(label as usize).map(String::as_str)
    }

    /// Returns the picture of its state, if there are pictures and the node was entered. Each line
    /// ends with a line break.
    ///
    /// Time: linear in the number of nodes before it, plus the pictures on its path.
    #[must_use]
    pub fn picture(&self) -> Option<String> {
        let (mut edits, mut depth) = (Vec::new(), self.depth());
        for index in (0..=self.index).rev() {
            if self.log.depths[index] as usize != depth {
                continue;
            }
            let (_, edit) = self.log.step_parts.all()[self.log.steps[index] as usize];
            if edit == NONE {
                return None;
            }
            edits.push(edit);
            let Some(above) = depth.checked_sub(1) else { break };
            depth = above;
        }
        Some(self.log.pictures.text(edits.into_iter().rev()))
    }
}

impl<P: Problem> Recording<'_, P> {
    /// Returns all nodes in preorder, with children in the order in which they were drawn.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = RecordedNode<'_>> + DoubleEndedIterator {
        let log = &self.log;
        (0..self.len()).map(move |index| RecordedNode { log, index })
    }
}
