//! Recordings of searches: [`Recording`], the recorded hooks, and the recorded nodes.

use std::fmt::{self, Display, Write};

use super::log::{Improvement, Log, NONE};
use super::node_outcome::NodeOutcome;
use crate::hook::{Effect, Hook, Hooks, Node, NodeMut, Sealed};
use crate::incumbent::Direction;
use crate::limits::Stop;
use crate::problem::Problem;
use crate::report::Report;

type Label<'f, P> = Box<dyn Fn(&P, &<P as Problem>::Choice, &mut String) + 'f>;
type Picture<'f, P> = Box<dyn Fn(&Node<'_, P>) -> String + 'f>;
type Value<'f, P> = Box<dyn Fn(&Node<'_, P>) -> i64 + 'f>;

/// A record of a search: its tree, what became of each node, what states looked like, and when
/// solutions got better.
///
/// A recording is set up with what is to be written down of a node, and then [wraps](Recording::of)
/// the hooks of a run. It learns of each node that is entered and left, of each child that some
/// hook does not admit, and which hook it was; the run goes as it would without. Afterwards it is
/// read [node by node](Recording::nodes), or, with the feature `pages`, written by `html` as a page
/// on which the tree can be unfolded, with the picture of each state.
///
/// ```
/// use secateurs::lab::{NodeOutcome, Recording};
/// use secateurs::problems::queens::{BitQueens, Queens, RowByRow};
/// use secateurs::Search;
///
/// let queens = Queens::new(4)?.bits();
/// let mut recording = Recording::new().label(|_, choice| format!("column {}", BitQueens::column(choice) + 1));
/// let outcome = Search::new(&queens).hooks(recording.of((Queens::mirror(),))).count();
/// recording.ended(outcome.report());
///
/// let tree: String = recording
///     .nodes()
///     .map(|node| format!("{}{} {:?}\n", "  ".repeat(node.depth()), node.label().unwrap_or("root"), node.outcome()))
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
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
///
/// # What it is worth
///
/// - **Which walks.** Depth-first search, as `count`, `first`, `solutions` and `best` do it in one
///   thread, and also where it is led back to what a [frontier](crate::Search::frontier) has left:
///   nodes that are entered again are recognised by their labels, so that those of siblings should
///   differ. A second run with the same recording, as of a restart, adds a second root. Walks that
///   jump, as breadth-first search does, enter nodes whose parents have been left: these are
///   counted as [unplaced](Recording::unplaced), and not recorded; or, if some hook follows the
///   path, they are found below nodes that the walk was [led through](NodeOutcome::Replayed) again.
///   Threads cannot be recorded, which their types see to.
/// - **Limits.** When there are as many nodes as [asked for](Recording::node_limit), the search
///   goes on, and what is missing is [counted](Recording::missing_nodes). Children that were not
///   admitted count as nodes towards that limit, for they take as much room.
/// - **Unfinished nodes.** Those on which a run stood when it was stopped, or an iterator when it
///   was dropped, are [unfinished](NodeOutcome::Unfinished), and so are those that an exhausted run left
///   before it was led back to them, until the recording is told that it [ended](Recording::ended).
/// - **Cost.** A run that is not recorded is not wrapped, and pays nothing. One that is takes 50 to
///   100 nanoseconds a node more, with labels or without (12-queens on bit masks: 11 ns without a
///   recording, 60 to 115 with one). A picture takes as long as it takes to draw it, and to compare
///   it with the one above: of a board of 12 × 12 squares, 20 to 40 microseconds. Memory: 10 bytes
///   a node, and each label, line and edit once.
///
/// Drawing the tree that a search went through is an old wish (Fages, Soliman and Coolen 2004,
/// *CLPGUI*; Schulte 1996, *the Oz Explorer*, with a tree that folds what has failed); here,
/// prunings are coloured.
pub struct Recording<'f, P: Problem> {
    pub(super) log: Log,
    label: Option<Label<'f, P>>,
    pub(super) picture: Option<Picture<'f, P>>,
    value: Option<(Direction, Value<'f, P>)>,
    pub(super) hooks: Vec<String>,
    /// Where the hooks of the last run are among all.
    first_hook: usize,
    pub(super) ended: Option<(Stop, Effect)>,
    scratch: String,
}

impl<'f, P: Problem> Default for Recording<'f, P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'f, P: Problem> Recording<'f, P> {
    /// So many nodes are recorded unless told otherwise.
    pub const NODES: usize = 1_000_000;
    /// No recording has more nodes.
    pub const MOST_NODES: usize = 1 << 30;

    /// A recording of up to [a million](Recording::NODES) nodes, without labels, pictures and
    /// values.
    #[must_use]
    pub fn new() -> Self {
        Recording {
            log: Log::new(Self::NODES),
            label: None,
            picture: None,
            value: None,
            hooks: Vec::new(),
            first_hook: 0,
            ended: None,
            scratch: String::new(),
        }
    }

    /// Records up to so many nodes, children that were not admitted included;
    /// [`MOST_NODES`](Recording::MOST_NODES) at most. Those that come first in the order of the
    /// tree are recorded.
    #[must_use]
    pub fn node_limit(mut self, nodes: usize) -> Self {
        self.log.limit = nodes.min(Self::MOST_NODES);
        self
    }

    /// What a choice is called: a few words, one line. A line break within becomes a space.
    #[must_use]
    pub fn label<T: Display>(mut self, label: impl Fn(&P, &P::Choice) -> T + 'f) -> Self {
        self.label = Some(Box::new(move |problem, choice, out| {
            // Writing to a string fails only if the label says so.
            let _ = write!(out, "{}", label(problem, choice));
        }));
        self
    }

    /// What a state looks like: the text of an SVG file, or any other text, such as a board has. It
    /// is asked for each node that is entered, after the hooks have entered it, and sees what they
    /// have inferred.
    ///
    /// A picture is kept as what is different from the one above, line by line: lines that do not
    /// depend on the step should be the same from node to node.
    #[must_use]
    pub fn picture(mut self, picture: impl Fn(&Node<'_, P>) -> String + 'f) -> Self {
        self.picture = Some(Box::new(picture));
        self
    }

    /// What a solution is worth, and which way is better: it is asked at each solution, and each
    /// one that is better than all before makes an [`Improvement`].
    #[must_use]
    pub fn value(mut self, direction: Direction, value: impl Fn(&Node<'_, P>) -> i64 + 'f) -> Self {
        self.value = Some((direction, Box::new(value)));
        self
    }

    /// The hooks of a run, to be recorded: a tuple of them, or a vector. A run without hooks has
    /// `()`.
    ///
    /// If another run has been recorded with hooks of other names, these come
    /// [behind](Recording::hooks) those, and so each cut is one of its own run's hooks.
    pub fn of<'r, H: Hooks<P>>(&'r mut self, hooks: H) -> Recorded<'r, 'f, P, H> {
        let mut names = Vec::new();
        hooks.each(&mut |hook| names.push(hook.name().to_owned()));
        let known = (0..self.hooks.len()).find(|&first| self.hooks[first..].starts_with(&names));
        self.first_hook = known.unwrap_or_else(|| {
            // Without a node, none of the hooks before has cut anything.
            if self.log.entered == 0 {
                self.hooks.clear();
            }
            self.hooks.len()
        });
        if known.is_none() {
            self.hooks.append(&mut names);
        }
        self.ended = None;
        Recorded { recording: self, hooks }
    }

    /// Tells how the last run ended, by its report. If it has exhausted its tree, nothing of that
    /// is unfinished any more.
    pub fn ended(&mut self, report: &Report) {
        self.ended = Some((report.stop(), report.effect()));
        if report.stop().is_exhausted() {
            self.log.exhausted();
        }
    }

    /// The names of the hooks, in their order; if runs with different ones were recorded, those of
    /// one run after the other.
    #[must_use]
    pub fn hooks(&self) -> &[String] {
        &self.hooks
    }

    /// How many nodes and cuts there are in the recording.
    #[must_use]
    pub fn len(&self) -> usize {
        self.log.depths.len()
    }

    /// Whether nothing was recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many nodes the run entered that are not in the recording.
    #[must_use]
    pub fn missing_nodes(&self) -> u64 {
        self.log.missing_nodes
    }

    /// How many children were not admitted that are not in the recording.
    #[must_use]
    pub fn missing_cuts(&self) -> u64 {
        self.log.missing_cuts
    }

    /// How many of the missing nodes were not recorded though there was room, as the node above had
    /// been left: the walk jumped.
    #[must_use]
    pub fn unplaced(&self) -> u64 {
        self.log.unplaced
    }

    /// How many nodes of the recording have no picture, though there was one to be drawn: pictures
    /// that were drawn on the path, or all different lines, took up too much memory.
    #[must_use]
    pub fn without_picture(&self) -> u64 {
        self.log.without_picture
    }

    /// The solutions that were better than all before.
    #[must_use]
    pub fn improvements(&self) -> &[Improvement] {
        &self.log.improvements
    }

    /// How many nodes of the recording have this outcome.
    #[must_use]
    pub fn count(&self, outcome: NodeOutcome) -> u64 {
        self.log.outcomes.iter().filter(|code| code.outcome() == outcome).count() as u64
    }

    /// The number of the label of a step.
    fn label_of(&mut self, problem: &P, depth: usize, choice: Option<&P::Choice>) -> u32 {
        if self.log.takes(depth) { self.any_label_of(problem, choice) } else { NONE }
    }

    /// The same if there is no room for it, as of nodes that may be in the recording already.
    fn any_label_of(&mut self, problem: &P, choice: Option<&P::Choice>) -> u32 {
        let (Some(label), Some(choice)) = (&self.label, choice) else { return NONE };
        self.scratch.clear();
        label(problem, choice, &mut self.scratch);
        if self.scratch.contains(['\n', '\r']) {
            self.scratch = self.scratch.replace(['\n', '\r'], " ");
        }
        self.log.labels.number(&self.scratch[..]).0
    }

    /// The number of the edit that makes the picture of a node.
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

/// A set of hooks whose run is recorded: what [`Recording::of`] gives.
///
/// It asks the hooks as the run would, and passes on what they say, so that the run and its report
/// are what they would be without it. It cannot be cloned, and so no search in several threads
/// takes it: their walks make no one tree.
#[derive(Debug)]
pub struct Recorded<'r, 'f, P: Problem, H> {
    recording: &'r mut Recording<'f, P>,
    hooks: H,
}

impl<P: Problem, H> Sealed for Recorded<'_, '_, P, H> {}

impl<P: Problem, H> Recorded<'_, '_, P, H> {
    fn asked(&mut self, node: &Node<'_, P>, choice: &P::Choice, cut: Option<usize>) {
        let (depth, recording) = (node.depth(), &mut *self.recording);
        match cut {
            None => recording.log.admitted(depth),
            Some(hook) => {
                let label = recording.label_of(node.problem(), depth + 1, Some(choice));
                recording.log.not_admitted(depth + 1, recording.first_hook + hook, label);
            }
        }
    }
}

impl<P: Problem, H: Hooks<P>> Hooks<P> for Recorded<'_, '_, P, H> {
    #[inline]
    fn first_choices(&self) -> usize {
        self.hooks.first_choices()
    }

    fn admit_first(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
        let cut = self.hooks.admit_first(node, choice);
        self.asked(node, choice, cut);
        cut
    }

    #[inline]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
        let cut = self.hooks.admit(node, choice);
        self.asked(node, choice, cut);
        cut
    }

    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
        let cut = self.hooks.enter(node);
        let (node, depth) = (node.as_node(), node.depth());
        let recording = &mut *self.recording;
        let label = recording.label_of(node.problem(), depth, node.path().last());
        let edit = if recording.log.takes(depth) { recording.edit_of(&node) } else { NONE };
        recording.log.entered(depth, cut.map(|hook| recording.first_hook + hook), label, edit);
        cut
    }

    fn replay(&mut self, node: &mut NodeMut<'_, P>, pruned: &mut Vec<usize>) {
        self.hooks.replay(node, pruned);
        let (node, depth) = (node.as_node(), node.depth());
        let recording = &mut *self.recording;
        let label = recording.any_label_of(node.problem(), node.path().last());
        let mut log = std::mem::take(&mut recording.log);
        log.replayed(depth, label, |log| {
            std::mem::swap(log, &mut recording.log);
            let edit = recording.edit_of(&node);
            std::mem::swap(log, &mut recording.log);
            edit
        });
        recording.log = log;
    }

    fn leave_unfinished(&mut self, node: &Node<'_, P>, pruned: &[usize]) {
        self.recording.log.left(node.depth(), false);
        self.hooks.leave_unfinished(node, pruned);
    }

    fn leave_before(&mut self, node: &Node<'_, P>, end: usize) {
        self.hooks.leave_before(node, end);
    }

    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        self.recording.log.left(node.depth(), true);
        self.hooks.leave(node);
    }

    fn probe_admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
        self.hooks.probe_admit(node, choice)
    }

    fn probe_enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
        self.hooks.probe_enter(node)
    }

    fn probe_leave(&mut self, node: &Node<'_, P>, end: usize) {
        self.hooks.probe_leave(node, end);
    }

    fn solution(&mut self, node: &Node<'_, P>) {
        let recording = &mut *self.recording;
        let value = recording.value.as_ref().map(|(direction, value)| (*direction, value(node)));
        recording.log.solution(node.depth(), value);
        self.hooks.solution(node);
    }

    fn orbit(&self, node: &Node<'_, P>) -> Option<u128> {
        self.hooks.orbit(node)
    }

    fn each(&self, visit: &mut dyn FnMut(&dyn Hook<P>)) {
        self.hooks.each(visit);
    }
}

/// A node of a [`Recording`], or a child that was not admitted.
#[derive(Clone, Copy, Debug)]
pub struct RecordedNode<'r> {
    log: &'r Log,
    index: usize,
}

impl<'r> RecordedNode<'r> {
    /// Its number in the order in which nodes were met, from 0: the one above a node comes before
    /// it, and all that is below it right behind it.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its depth in the tree, 0 of the root.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.log.depths[self.index] as usize
    }

    /// What became of it.
    #[must_use]
    pub fn outcome(&self) -> NodeOutcome {
        self.log.outcomes[self.index].outcome()
    }

    /// Whether all below it was searched, but for what hooks cut off.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        !self.log.outcomes[self.index].is_unfinished()
    }

    /// What the choice that leads here is called, if the recording has labels. Of the root, `None`.
    #[must_use]
    pub fn label(&self) -> Option<&'r str> {
        let (label, _) = self.log.step_parts.all()[self.log.steps[self.index] as usize];
        self.log.labels.all().get(label as usize).map(String::as_str)
    }

    /// What its state looks like, if there are pictures and the node was entered. Each line ends
    /// with a line break.
    ///
    /// Cost: the nodes before it up to the root, and the pictures on its path.
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
    /// All nodes in the order in which they were met: each before those below it, and children as
    /// they were drawn.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = RecordedNode<'_>> + DoubleEndedIterator {
        let log = &self.log;
        (0..self.len()).map(move |index| RecordedNode { log, index })
    }
}
