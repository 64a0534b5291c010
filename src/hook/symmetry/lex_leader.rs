//! The lex-leader hook: one solution per orbit, the lexicographically smallest.

use std::borrow::Cow;

use super::group::SymmetryGroup;
use crate::digest::Digest;
use crate::hook::{Effect, Hook, Node, NodeMut, Path, Verdict};
use crate::problem::Problem;

/// A hook that keeps the lexicographically smallest solution of each orbit of a symmetry group, and
/// knows the size of the orbit.
///
/// It consists of a [group](SymmetryGroup) of permutations of (variable, value) pairs, and of a
/// closure that returns the pair of a choice, given the problem and the path before the choice. A
/// solution is the assignment of the pairs of its path; assignments are compared by the value of
/// variable 0, then of variable 1, and so on. With each choice, the hook extends the image of the
/// assignment under every symmetry, and prunes the node as soon as some image is smaller whatever
/// is assigned later (Crawford, Ginsberg, Luks and Roy 1996, as a constraint; here it is checked
/// during the search, as in symmetry breaking by dominance detection). At a solution every image is
/// known, so exactly one solution per orbit remains:
/// [`representatives`](crate::Outcome::representatives) is the number of *fundamental solutions*.
/// By the orbit-stabiliser theorem, the orbit size is the order of the group divided by the number
/// of symmetries that fix the solution, so [`exact`](crate::Outcome::exact) is the full count.
///
/// `Queens::lex_leader` of [`secateurs-problems`](https://docs.rs/secateurs-problems) is a
/// ready-made one.
///
/// ```
/// use secateurs::hook::{LexLeader, Permutation, SymmetryGroup};
/// use secateurs::Search;
/// use secateurs_problems::queens::{BitQueens, Queens, RowByRow};
///
/// let queens = Queens::new(8)?.bits();
/// let turn = Permutation::new(8, 8, |row, column| (column, 7 - row))?;
/// let flip = Permutation::new(8, 8, |row, column| (row, 7 - column))?;
/// let square = SymmetryGroup::generate(8, 8, &[turn, flip], 8)?;
/// let lex_leader = LexLeader::new(square, |_: &BitQueens, path, choice| {
///     (path.len(), BitQueens::column(choice))
/// });
/// let outcome = Search::new(&queens).hooks((lex_leader,)).count();
/// assert_eq!(outcome.exact(), Some(92));
/// assert_eq!(outcome.representatives(), Some(12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Requirements
///
/// - Every permutation maps solutions to solutions. If one does not, solutions are lost, the count
///   is wrong, and the outcome does not show it.
/// - Every variable is assigned exactly once on a path to a solution, and no two such paths make
///   the same assignment. If a variable has no value at a solution, the orbit is unknown, which the
///   outcome reports.
/// - The closure depends on its arguments only.
/// - For the [`best`](crate::Search::best) solution, the permutations preserve the value of a
///   solution.
///
/// If propagation assigns variables without a choice, as in a constraint network under
/// full propagation, use `symmetry::LexSmallest` of
/// [`secateurs-csp`](https://docs.rs/secateurs-csp), which reads domains.
///
/// Variables may be assigned in any order, and in different orders along different paths, but the
/// hook prunes early only if they are assigned approximately in the order of their numbers.
///
/// # Panics
///
/// The run panics if the closure returns a pair that the group does not have.
///
/// # Cost
///
/// Per node, time proportional to the number of symmetries whose image is not yet known to be
/// larger, and to the number of variables in which these images newly agree. Memory proportional to
/// the order of the group times the number of pairs.
#[derive(Clone)]
pub struct LexLeader<F> {
    name: Cow<'static, str>,
    group: SymmetryGroup,
    pair_of: F,
    parameters: Option<Digest>,
    /// The value of each variable, or [`NONE`].
    assigned: Vec<u32>,
    /// The value of each variable in the image under each element.
    images: Vec<u32>,
    /// For each element, the first variable in which its image is not yet known to agree with the
    /// assignment.
    agreed: Vec<usize>,
    /// A permutation of the elements; the images of the first [`active`](Self::active) are not
    /// known to be larger.
    elements: Vec<usize>,
    active: usize,
    /// One entry per assignment and element that was active then.
    trail: Vec<TrailEntry>,
    steps: Vec<Assigned>,
}

/// The value of `agreed` of an element before an assignment, to be restored on backtracking.
#[derive(Clone)]
struct TrailEntry {
    element: usize,
    agreed: usize,
}

/// The data that reverts an assignment.
#[derive(Clone)]
struct Assigned {
    depth: usize,
    pair: (usize, usize),
    active: usize,
    trail_length: usize,
}

/// The value that stands for no assignment. Values are smaller, because pairs have codes below 2³².
const NONE: u32 = u32::MAX;

impl<F> LexLeader<F> {
    /// Creates a hook that keeps the smallest solution of every orbit of `group`; `pair_of(problem,
    /// path, choice)` returns the variable and the value that `choice` assigns after `path`.
    pub fn new<P: Problem>(group: SymmetryGroup, pair_of: F) -> Self
    where
        F: Fn(&P, Path<'_, P::Choice>, &P::Choice) -> (usize, usize),
    {
        let others = group.others().len();
        LexLeader {
            name: Cow::Borrowed("lex leader"),
            assigned: vec![NONE; group.variables()],
            images: vec![NONE; group.variables() * others],
            agreed: vec![0; others],
            elements: (0..others).collect(),
            active: others,
            trail: Vec::new(),
            steps: Vec::new(),
            group,
            parameters: Digest::of_zero_sized(&pair_of),
            pair_of,
        }
    }

    crate::hook::parameters_of_captures!();

    /// Sets the name in reports.
    #[must_use]
    pub fn named(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.name = name.into();
        self
    }

    /// Returns the group.
    #[must_use]
    pub fn group(&self) -> &SymmetryGroup {
        &self.group
    }

    /// Clears the assignment. This is necessary at the root, because a run that was stopped has not
    /// left its nodes.
    fn reset(&mut self) {
        self.assigned.fill(NONE);
        self.images.fill(NONE);
        self.agreed.fill(0);
        self.active = self.elements.len();
        self.trail.clear();
        self.steps.clear();
    }

    /// Assigns a value to a variable, and reverts it at once if the node is to be pruned.
    fn assign(&mut self, depth: usize, pair: (usize, usize)) -> Verdict {
        let (variable, value) = pair;
        let (variables, values) = (self.group.variables(), self.group.values());
        assert!(
            variable < variables && value < values,
            "`{}`: the closure returned the pair ({variable}, {value}), expected a variable below \
             {variables} and a value below {values}",
            self.name
        );
        if self.assigned[variable] != NONE {
            // A path to a solution assigns no variable twice, so no solution lies below.
            return Verdict::Prune;
        }
        // Values fit, since pairs do.
        self.assigned[variable] = value as u32;
        let trail_length = self.trail.len();
        self.steps.push(Assigned { depth, pair, active: self.active, trail_length });
        let mut index = 0;
        while index < self.active {
            let element = self.elements[index];
            let image = &mut self.images[element * variables..][..variables];
            let (image_variable, image_value) = self.group.others()[element].apply(variable, value);
            if image[image_variable] != NONE {
                // The image has two values for one variable, so it extends to no solution, and
                // therefore neither does this assignment.
                self.revert();
                return Verdict::Prune;
            }
            image[image_variable] = image_value as u32;
            let agreed = self.agreed[element];
            self.trail.push(TrailEntry { element, agreed });
            let rest = self.assigned[agreed..].iter().zip(&image[agreed..]);
            let first =
                agreed + rest.take_while(|&(&own, &imaged)| own != NONE && own == imaged).count();
            self.agreed[element] = first;
            let (own, imaged) =
                if first < variables { (self.assigned[first], image[first]) } else { (NONE, NONE) };
            if own == NONE || imaged == NONE {
                index += 1;
            } else if imaged < own {
                self.revert();
                return Verdict::Prune;
            } else {
                self.active -= 1;
                self.elements.swap(index, self.active);
            }
        }
        Verdict::Keep
    }

    /// Reverts the last assignment.
    fn revert(&mut self) {
        let Some(step) = self.steps.pop() else { return };
        let (variable, value) = step.pair;
        let variables = self.group.variables();
        for TrailEntry { element, agreed } in self.trail.drain(step.trail_length..) {
            let (image_variable, _) = self.group.others()[element].apply(variable, value);
            self.images[element * variables + image_variable] = NONE;
            self.agreed[element] = agreed;
        }
        self.assigned[variable] = NONE;
        self.active = step.active;
    }
}

impl<P: Problem, F: Fn(&P, Path<'_, P::Choice>, &P::Choice) -> (usize, usize)> Hook<P>
    for LexLeader<F>
{
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.parameters, Some(Digest::of(self.group.others()))])
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let path = node.path();
        let Some(choice) = path.last() else {
            self.reset();
            return Verdict::Keep;
        };
        let depth = path.len();
        let pair = (self.pair_of)(node.problem(), path.prefix(depth - 1), choice);
        self.assign(depth, pair)
    }

    fn leave(&mut self, node: &Node<'_, P>) {
        // The root has no assignment. Every other node that is left has been assigned, because a
        // hook does not leave a node that it pruned, not even on a replay.
        if self.steps.last().is_some_and(|step| step.depth == node.depth()) {
            self.revert();
        }
    }

    fn orbit(&self, _: &Node<'_, P>) -> Option<u64> {
        let fixing = &self.elements[..self.active];
        let complete = !self.assigned.contains(&NONE)
            && fixing.iter().all(|&element| self.agreed[element] == self.group.variables());
        complete.then(|| (self.group.order() / (fixing.len() + 1)) as u64)
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("symmetries".to_owned(), self.group.order() as u64)]
    }
}

debug_fields!(impl[F] LexLeader<F>: name, group);
