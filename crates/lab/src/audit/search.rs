//! Audits of searches: [`Audit`].

use std::cell::{Cell, RefCell};
use std::fmt::{self, Debug};
use std::rc::Rc;
use std::time::Duration;

use secateurs::hook::SymmetryGroup;
use secateurs::{
    Brancher, Constraint, Effect, Hook, Limits, Node, Objective, ObjectiveValue, Problem,
    ProblemOrder, Report, Search, Stop,
};

use super::audited_hook::{AuditedHook, LedgerObserver};
use super::brancher_check::BestFound;
use super::coverage::{Coverage, GapReason, Sampler, Share};
use super::ledger::Ledger;
use super::observed_brancher::{AnyBrancher, ErasedCursors, ObservedBrancher};
use super::reference::{
    Assignment, AuditMeter, AuditProgress, BoxedHooks, Question, Reference, Symmetries, image,
    known,
};
use super::violation::{Loss, Violation};
use super::walk::{Checks, walk};

/// The default node limit of each reference search.
const NODES: u64 = 1_000_000;

type AuditedBrancher<'a, P, V> = ObservedBrancher<'a, P, LedgerObserver<'a, P, V>>;

/// A function that runs the audited search. It returns the count if it is proven, and the report.
type Run<'a, P, V> = Box<
    dyn for<'h> Fn(AuditedBrancher<'a, P, V>, BoxedHooks<'h, P>, Limits) -> (Option<u128>, Report)
        + 'a,
>;

/// The builder of an audit of a search: a problem, a question about it, and the subjects of the
/// audit.
///
/// The search runs with its hooks as usual. Whatever a hook cuts off, or removes from a state, is
/// searched as well, without any of the audited hooks. A hook violates its claim as follows:
///
/// - [`Preserving`](secateurs::Effect::Preserving): a solution is lost, or more solutions are
///   credited than exist.
/// - [`Representatives`](secateurs::Effect::Representatives): all solutions of an
///   [orbit](Audit::orbits) are lost, or the orbit sizes do not add up to the number of solutions;
///   with an objective, all best solutions are lost.
/// - [`OptimumOnly`](secateurs::Effect::OptimumOnly): all best solutions are lost, unless an
///   equally good value was known, or a credited solution may have one; without an objective, all
///   solutions are lost.
/// - [`Lossy`](secateurs::Effect::Lossy): never, because it claims nothing.
/// - All but `Lossy`: tightening or crediting adds solutions that did not exist before, or, with an
///   objective, better ones.
///
/// - A substitute of a [better value](secateurs::SubstituteOrder::BetterValue): a best solution is
///   lost.
/// - A [constraint of states](secateurs::Constraint::State): equal states, by their `Debug` texts,
///   are both kept and rejected.
///
/// The reported cut is the one with which the claim was first violated. Hooks that had cut off
/// equivalent solutions before are [named as well](Violation::others). Hooks that cannot be
/// [combined](Hook::tolerates) are a violation by themselves, because their combination claims
/// nothing. Next to a lossy hook, only preserving hooks are checked.
///
/// Every audit also checks at every visited node that undo restores the state.
///
/// ```
/// use secateurs::{Effect, Node, Verdict, hook};
/// use secateurs_lab::{Audit, Loss};
/// use secateurs_problems::queens::{BitQueens, Queens};
///
/// let queens = Queens::new(6)?.bits();
/// Audit::of_count(&queens).hook(Queens::mirror()).run()?.exhaustive()?;
///
/// // A wrong hook: it assumes that no solution has a queen in the first corner.
/// let queens = Queens::new(5)?.bits();
/// let no_corner = hook::admit("no corner", Effect::Preserving, |node: &Node<BitQueens>, choice| {
///     Verdict::prune_if(node.depth() == 0 && *choice == 1)
/// });
/// let violation = Audit::of_count(&queens).hook(no_corner).run().unwrap_err();
/// assert_eq!((violation.hook(), violation.path()), ("no corner", "[1]"));
/// assert!(matches!(violation.loss(), Loss::Solutions { count: 2, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Besides hooks, their components can be audited, against every node of the tree without hooks: a
/// [bound](Audit::bound), a [key](Audit::key), or a [dominance relation](Audit::dominance). Such a
/// check is stronger than the audit of a hook, which only finds errors that happen to lose
/// solutions. A [brancher](Audit::brancher) is audited against the problem's own order.
///
/// # Cost
///
/// For each cut, the subtree without hooks is searched, so that all cuts together cost at most one
/// search of the whole tree without hooks. For each tightening, the subtree is searched as well, so
/// that parts of the tree may be searched many times. For large instances there are
/// [`best_below`](Audit::best_below), [`share`](Audit::share), [`limits`](Audit::limits) and
/// [`nodes`](Audit::nodes); the [`Coverage`] counts the omitted checks, and
/// [`Coverage::exhaustive`] fails if there are any. A bound, a key or a dominance costs a walk of
/// the whole tree. Keys and dominances also store a copy of one state per key, or of up to 40
/// states per group.
#[must_use = "nothing is audited until it is run"]
pub struct Audit<'a, P: Problem, V = ()> {
    reference: Reference<'a, P, V>,
    run: Run<'a, P, V>,
    /// Returns the best value known to the objective now.
    best_known: Box<dyn Fn() -> Option<V> + 'a>,
    hooks: BoxedHooks<'a, P>,
    /// The checks against the whole tree.
    pub(super) checks: Checks<'a, P, V>,
    /// Draws the actions to check.
    sampler: Sampler,
    locally: bool,
    /// The node limit of the audited search.
    max_nodes: Option<u64>,
}

impl<'a, P: Problem<State: Debug>, V> Audit<'a, P, V> {
    fn new(problem: &'a P, question: Question<'a, P, V>, run: Run<'a, P, V>) -> Self {
        Audit {
            reference: Reference {
                problem,
                question,
                problem_hooks: Vec::new(),
                merges: Cell::new(false),
                prefix: RefCell::new(Vec::new()),
                brancher: Box::new(|| Box::new(ErasedCursors::new(ProblemOrder))),
                audits_brancher: false,
                show: Box::new(|_, state| format!("{state:?}")),
                debug: Box::new(|_, state| format!("{state:#?}")),
                symmetries: None,
                meter: AuditMeter::new(),
                limits: Limits::new().nodes(NODES),
            },
            run,
            best_known: Box::new(|| None),
            hooks: Vec::new(),
            checks: Vec::new(),
            sampler: Sampler::new(1.0, 0),
            locally: false,
            max_nodes: None,
        }
    }
}

impl<'a, P> Audit<'a, P>
where
    P: Problem<State: Clone + Debug + PartialEq, Choice: Clone + Debug>,
{
    /// Creates an audit of a search that counts solutions, or looks for one.
    pub fn of_count(problem: &'a P) -> Self {
        let run = move |brancher: AuditedBrancher<'a, P, ()>, hooks: BoxedHooks<'_, P>, limits| {
            let outcome =
                Search::new(problem).brancher(brancher).hooks(hooks).limits(limits).count();
            (outcome.exact(), outcome.into_parts().1)
        };
        let question =
            Question { direction: None, value: Box::new(|_, _| ()), best_below: None, orbit: None };
        Audit::new(problem, question, Box::new(run))
    }

    /// Sets a function that maps solutions to keys, such as the least of all images of a solution,
    /// so that two solutions have the same key exactly if they belong to the same orbit. This is an
    /// alternative to [symmetries](Audit::symmetries). Without either, hooks that keep
    /// representatives are only expected to keep at least one solution, and to count correctly if
    /// they give orbit sizes; if they do not, the audit is [not
    /// exhaustive](GapReason::WithoutOrbits). With orbit sizes, the audit shows that the count is
    /// right, but not that the solutions that were kept represent all others: sizes are compared in
    /// their sum only.
    pub fn orbits<K: Debug>(mut self, key: impl Fn(&P, &P::State) -> K + 'a) -> Self {
        let key = move |problem: &P, state: &P::State| format!("{:?}", key(problem, state));
        self.reference.question.orbit = Some(Box::new(key));
        self
    }
}

impl<'a, P, V> Audit<'a, P, V>
where
    P: Problem<State: Clone + Debug + PartialEq, Choice: Clone + Debug>,
    V: ObjectiveValue,
{
    /// Creates an audit of a search for the best value. Bounds among the hooks should compare with
    /// the incumbent of this objective. The objective should be unused: a loss that does not beat a
    /// value known before the search is allowed, and its cut counts as
    /// [unchecked](crate::GapReason::KnownBefore).
    ///
    /// ```
    /// use secateurs::Objective;
    /// use secateurs_lab::Audit;
    /// use secateurs_problems::fire_net::{FireNetBoard, DegreeOne, Scope, TooFewCells};
    ///
    /// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
    /// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
    /// let coverage = Audit::of_best(&board, &placed)
    ///     .hook(DegreeOne::new(Scope::EveryNode))
    ///     .hook(TooFewCells::new(placed.incumbent().clone()))
    ///     .run()?;
    /// assert!(coverage.is_exhaustive());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_best<F: Fn(&P, &P::State) -> V>(
        problem: &'a P,
        objective: &'a Objective<P, V, F>,
    ) -> Self {
        let run = move |brancher: AuditedBrancher<'a, P, V>, hooks: BoxedHooks<'_, P>, limits| {
            let search = Search::new(problem).brancher(brancher).hooks(hooks).limits(limits);
            (None, search.extract(|_: &Node<'_, P>| ()).best(objective).into_parts().1)
        };
        let incumbent = objective.incumbent();
        let value = Box::new(|problem: &P, state: &P::State| objective.value(problem, state));
        let question = Question {
            direction: Some(incumbent.direction()),
            value,
            best_below: None,
            orbit: None,
        };
        let mut audit = Audit::new(problem, question, Box::new(run));
        audit.best_known = Box::new(|| incumbent.get());
        audit
    }

    /// Sets a function that computes the best value of the solutions at or below a state without
    /// searching; `None` if there is no solution. It makes audits of large instances possible. It
    /// must be correct, because losses are measured by it.
    pub fn best_below(mut self, best: impl Fn(&P, &P::State) -> Option<V> + 'a) -> Self {
        self.reference.question.best_below = Some(Box::new(best));
        self
    }

    /// Sets the group of symmetries by which hooks keep
    /// [representatives](Effect::Representatives). `assignment` returns the pairs of variables and
    /// values that a solution consists of.
    ///
    /// Unless there is an objective, the audit enumerates the orbits of all solutions, and requires
    /// that each keeps a solution. It also checks the group itself: each of its permutations must
    /// map each solution to a solution, and, with an objective, to one of equal value. This takes a
    /// search of the whole tree without hooks, and memory for all its solutions.
    ///
    /// ```
    /// use secateurs::hook::{LexLeader, Permutation, SymmetryGroup};
    /// use secateurs::{Effect, Node, Verdict, hook};
    /// use secateurs_lab::{Audit, Loss};
    /// use secateurs_problems::queens::{LookBackQueens, Queens};
    ///
    /// let queens = Queens::new(6)?.lookback();
    /// let mirror = Permutation::new(6, 6, |row, column| (row, 5 - column))?;
    /// let mirror = SymmetryGroup::generate(6, 6, &[mirror], 2)?;
    /// let pairs = |_: &LookBackQueens, columns: &Vec<usize>| {
    ///     columns.iter().copied().enumerate().collect::<Vec<_>>()
    /// };
    /// // A wrong hook: it loses both images of a solution.
    /// let inner = || {
    ///     hook::admit("inner", Effect::Representatives, |node: &Node<LookBackQueens>, &column| {
    ///         Verdict::prune_if(node.depth() == 0 && [1, 4].contains(&column))
    ///     })
    /// };
    /// let violation = Audit::of_count(&queens).symmetries(mirror, pairs).hook(inner()).run();
    /// assert!(matches!(violation.unwrap_err().loss(), Loss::Orbit { .. }));
    /// // Without the group, the claim cannot be checked.
    /// let coverage = Audit::of_count(&queens).hook(inner()).run()?;
    /// assert!(coverage.exhaustive().is_err());
    ///
    /// // A wrong group: a cyclic shift of the columns is no symmetry.
    /// let shift = Permutation::new(6, 6, |row, column| (row, (column + 1) % 6))?;
    /// let shift = SymmetryGroup::generate(6, 6, &[shift], 6)?;
    /// let violation = Audit::of_count(&queens).symmetries(shift, pairs).run().unwrap_err();
    /// assert!(matches!(violation.loss(), Loss::NotSymmetric { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// [`run`](Audit::run) panics if `assignment` returns a pair that the group does not have.
    pub fn symmetries<A>(
        mut self,
        group: SymmetryGroup,
        assignment: impl Fn(&P, &P::State) -> A + 'a,
    ) -> Self
    where
        A: IntoIterator<Item = (usize, usize)>,
    {
        let group = Rc::new(group);
        let assignment: Assignment<'a, P> = Rc::new(move |problem, state| {
            let mut pairs: Vec<_> = assignment(problem, state).into_iter().collect();
            pairs.sort_unstable();
            pairs
        });
        let (orbit_group, orbit_assignment) = (Rc::clone(&group), Rc::clone(&assignment));
        self.reference.question.orbit = Some(Box::new(move |problem, state| {
            let pairs = orbit_assignment(problem, state);
            let images = orbit_group.others().iter().map(|permutation| image(permutation, &pairs));
            let least = images.min().map_or(pairs.clone(), |least| least.min(pairs.clone()));
            format!("{least:?}")
        }));
        self.reference.symmetries = Some(Symmetries { group, assignment });
        self
    }

    /// Adds a hook to audit, after those already added.
    ///
    /// A [constraint](secateurs::hook#constraints) is audited alone this way. If there are other
    /// hooks, add it as a [`problem_hook`](Audit::problem_hook), so that they are checked against
    /// the solutions that it defines.
    pub fn hook(mut self, hook: impl Hook<P> + 'a) -> Self {
        self.hooks.push(Box::new(hook));
        self
    }

    /// Adds a hook that belongs to the problem, because its solutions are not defined or not found
    /// without it: a [constraint](secateurs::hook#constraints), or the propagation of a [constraint
    /// network](secateurs_csp). It is not audited, except that a constraint of states must depend
    /// on them alone, and is called before the audited hooks. Searches of cut-off subtrees use it
    /// too: `make` is called for each of them, and the new hook takes the state as the root of a
    /// tree; a constraint of paths sees the whole path. A [key](Audit::key) must have the same
    /// solutions for equal states *with* the constraint, and so must the key of a
    /// [diagram](Audit::merges).
    ///
    /// ```
    /// use secateurs_csp::symmetry::ValuePrecedence;
    /// use secateurs_csp::{Model, Propagate};
    /// use secateurs_lab::Audit;
    ///
    /// // Four countries in three colours. If the first country may not have the last colour, the
    /// // colours are not interchangeable.
    /// let mut model = Model::new();
    /// let countries = model.variables(4, 0..3)?;
    /// for pair in countries.windows(2) {
    ///     model.different(pair[0], pair[1])?;
    /// }
    /// let free = model.clone().build();
    /// model.restrict(countries[0], |colour| colour < 2)?;
    /// let bound = model.build();
    /// let audit = |network| {
    ///     Audit::of_count(network)
    ///         .problem_hook(Propagate::full)
    ///         .hook(ValuePrecedence::new(&countries, 0..3))
    ///         .run()
    /// };
    /// assert!(audit(&free).is_ok());
    /// assert!(audit(&bound).is_err());
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    pub fn problem_hook<H: Hook<P> + 'a>(mut self, make: impl Fn() -> H + 'a) -> Self {
        self.reference.problem_hooks.push(Box::new(move || Box::new(make())));
        self
    }

    /// Sets the brancher, which gives the children of each node and decides which nodes are
    /// solutions. It is also used for cut-off subtrees: `make` is called for each search, and the
    /// new brancher takes the state as the root of a tree.
    ///
    /// The brancher is audited as well, against the problem's own order:
    ///
    /// - Without an objective, its tree must have as many solutions as its
    ///   [effect](Brancher::effect) claims: all of them, one of each [orbit](Audit::orbits), or at
    ///   least one if there is any. It must not have more solutions than the problem's own tree.
    /// - With an objective, the audited search must find the best value of all solutions.
    ///
    /// Without an objective, this takes two more searches, without the audited hooks. With an
    /// objective, it takes one, or none if [`best_below`](Audit::best_below) is given. A lossy
    /// brancher claims nothing and counts as [unchecked](GapReason::Unclaimed).
    ///
    /// ```
    /// use secateurs::{Branch, Brancher, Node, Problem};
    /// use secateurs_lab::{Audit, Loss};
    /// use secateurs_problems::queens::{BitQueens, Queens};
    ///
    /// /// A wrong brancher: it leaves out the last child of each node.
    /// struct AllButLast;
    ///
    /// impl Brancher<BitQueens> for AllButLast {
    ///     type Cursor = std::vec::IntoIter<u64>;
    ///
    ///     fn branch(&mut self, node: &Node<'_, BitQueens>) -> Branch<Self::Cursor> {
    ///         let (queens, state) = (node.problem(), node.state());
    ///         queens.branch(state).map(|mut cursor| {
    ///             let next = || queens.next(state, &mut cursor);
    ///             let mut children: Vec<u64> = std::iter::from_fn(next).collect();
    ///             children.pop();
    ///             children.into_iter()
    ///         })
    ///     }
    ///     fn next(&mut self, _: &Node<'_, BitQueens>, cursor: &mut Self::Cursor) -> Option<u64> {
    ///         cursor.next()
    ///     }
    /// }
    ///
    /// let queens = Queens::new(6)?.bits();
    /// let violation = Audit::of_count(&queens).brancher(|| AllButLast).run().unwrap_err();
    /// assert!(matches!(violation.loss(), Loss::Solutions { .. }));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn brancher<B: Brancher<P> + 'a>(mut self, make: impl Fn() -> B + 'a) -> Self {
        self.reference.brancher =
            Box::new(move || Box::new(ErasedCursors::new(make())) as AnyBrancher<'a, P>);
        self.reference.audits_brancher = true;
        self
    }

    /// Sets how states are printed, which may take several lines, such as a drawing of a board. The
    /// text also identifies a solution that is reached after a tightening or by another brancher,
    /// so it should not depend on the order of the decisions. Default: `Debug`.
    pub fn show(mut self, show: impl Fn(&P, &P::State) -> String + 'a) -> Self {
        self.reference.show = Box::new(show);
        self
    }

    /// Sets the limits of each reference search: of the subtree below a cut, and of the whole tree.
    /// Default: a million nodes. A cut with a larger subtree counts as unchecked.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.reference.limits = limits;
        self
    }

    /// Checks only a random share, from 0 to 1, of the actions of hooks. The seed makes it
    /// reproducible. Reported losses are still real, but which of several hooks is named depends on
    /// chance.
    pub fn share(mut self, share: f64, seed: u64) -> Self {
        self.sampler = Sampler::new(share, seed);
        self
    }

    /// Ends the audited search after this many nodes. A loss may then be compensated elsewhere, so
    /// only the losses of preserving hooks are violations, or those of all hooks if losses are
    /// judged [locally](Audit::locally).
    pub fn nodes(mut self, nodes: u64) -> Self {
        self.max_nodes = Some(nodes);
        self
    }

    /// Requires more of hooks than they claim: each action must preserve a best solution of the
    /// subtree, unless no solution there beats the best value found so far. Bounds and inferences
    /// satisfy this. Dominances and symmetries do not, because they rely on solutions elsewhere.
    ///
    /// This requires no complete search. It has no effect without an objective.
    pub fn locally(mut self) -> Self {
        self.locally = true;
        self
    }

    /// Sets a function that is called about once per interval while the audit runs.
    ///
    /// ```
    /// use std::time::Duration;
    /// use secateurs_lab::{Audit, AuditProgress};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let mut nodes = 0;
    /// Audit::of_count(&queens)
    ///     .hook(Queens::mirror())
    ///     .progress(Duration::ZERO, |progress: &AuditProgress| nodes = progress.nodes)
    ///     .run()?
    ///     .exhaustive()?;
    /// assert!(nodes > 2_057);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn progress(
        mut self,
        interval: Duration,
        callback: impl FnMut(&AuditProgress) + 'a,
    ) -> Self {
        self.reference.meter.interval = interval;
        self.reference.meter.callback = Some(RefCell::new(Box::new(callback)));
        self
    }

    /// Runs the search and all checks. A successful audit that was cut short has proved little, so
    /// that a test should call [`exhaustive`](Coverage::exhaustive) as well.
    ///
    /// # Errors
    /// Returns the first violation. Symmetries, bounds, keys and dominances are checked before
    /// hooks; so is the brancher, unless there is an objective.
    pub fn run(self) -> Result<Coverage, Violation>
    where
        V: 'a,
    {
        let Audit {
            mut reference,
            run,
            best_known,
            hooks,
            mut checks,
            sampler,
            locally,
            max_nodes,
        } = self;
        reference.meter.start();
        let reference = Rc::new(reference);
        let mut coverage = walk(&reference, &mut checks)?;
        if let Some(symmetries) = &reference.symmetries {
            match known(reference.check_symmetries(symmetries))? {
                Some(solutions) => coverage.nodes += Share { checked: solutions, of: solutions },
                None => coverage.omit(GapReason::Unfinished, "the symmetries", 1),
            }
        }
        let has_objective = reference.question.direction.is_some();
        let audits_brancher = reference.audits_brancher;
        if audits_brancher && !has_objective {
            reference.check_brancher(&mut coverage)?;
        }
        let has_tree_checks = !checks.is_empty() || reference.symmetries.is_some();
        let has_subject_without_hooks = has_tree_checks || audits_brancher;
        if hooks.is_empty() && !has_subject_without_hooks {
            coverage.omit(GapReason::NoSubject, "the audit", 1);
        }
        // Then the audited search has nothing to check but constraints of states.
        let is_checked_without_hooks =
            hooks.is_empty() && has_subject_without_hooks && !(audits_brancher && has_objective);
        let mut observed = reference.problem_hooks();
        let has_constraint_of_states =
            observed.iter().any(|hook| hook.constraint() == Some(Constraint::State));
        if is_checked_without_hooks && !has_constraint_of_states {
            coverage.assert_explained();
            return Ok(coverage);
        }
        let conflict =
            |reasons| Violation::new("the hooks together", Loss::Conflict { reasons }, Vec::new());
        // This is computed before the audited search, because hooks and branchers may compare with
        // its incumbent afterwards.
        let best_in_own_order =
            (audits_brancher && has_objective).then(|| reference.best_in_own_order());
        let known_before = best_known();
        let brancher = (reference.brancher)();
        let counts_all = observed.iter().all(|hook| hook.effect() == Effect::Preserving);
        let combined_effect = observed
            .iter()
            .chain(&hooks)
            .map(|hook| hook.effect())
            .fold(brancher.effect(), Effect::max);
        let ledger = Ledger::new(
            Rc::clone(&reference),
            sampler,
            locally,
            combined_effect,
            known_before.clone(),
        );
        let ledger = Rc::new(RefCell::new(ledger));
        let claims: Vec<_> =
            hooks.iter().map(|hook| (hook.name().to_owned(), hook.effect())).collect();
        let (constraints, hooks): (Vec<_>, Vec<_>) =
            hooks.into_iter().partition(|hook| hook.constraint().is_some());
        if let Some(constraint) = constraints.first()
            && (!hooks.is_empty() || has_tree_checks)
        {
            let name = constraint.name();
            return Err(conflict(vec![format!(
                "`{name}` is a constraint: add it with `problem_hook`, because the solutions \
                 of the other checks depend on it"
            )]));
        }
        let defines_solutions = !constraints.is_empty();
        observed.extend(constraints);
        observed = observed
            .into_iter()
            .map(|hook| -> Box<dyn Hook<P> + 'a> {
                match hook.constraint() {
                    Some(_) => Box::new(AuditedHook::new(hook, Rc::clone(&ledger))),
                    None => hook,
                }
            })
            .collect();
        for hook in hooks {
            observed.push(Box::new(AuditedHook::new(hook, Rc::clone(&ledger))));
        }
        let run = |brancher, hooks: BoxedHooks<'_, P>, limits| {
            run(ObservedBrancher::new(brancher, LedgerObserver(Rc::clone(&ledger))), hooks, limits)
        };
        // A search without nodes reports whether the hooks can be combined.
        let borrowed = observed.iter_mut().map(|hook| -> Box<dyn Hook<P> + '_> { Box::new(hook) });
        let (_, report) = run((reference.brancher)(), borrowed.collect(), Limits::new().nodes(0));
        if !report.conflicts().is_empty() {
            return Err(conflict(report.conflicts().to_vec()));
        }
        let limits = match max_nodes {
            Some(nodes) => Limits::new().nodes(nodes),
            None if is_checked_without_hooks => reference.limits.clone(),
            None => Limits::new(),
        };
        let (counted, report) = run(brancher, observed, limits);
        let ledger = Rc::into_inner(ledger).expect("the run has dropped its hooks");
        let (is_exhausted, found) = (report.stop() == Stop::Exhausted, best_known());
        let mut hook_coverage = ledger.into_inner().finish(is_exhausted, found.as_ref())?;
        // `coverage` has already counted the instance.
        hook_coverage.instances = 0;
        coverage += hook_coverage;
        if let Some(best_in_own_order) = best_in_own_order {
            let (value, known_before) = (found.as_ref(), known_before.as_ref());
            let found = BestFound { value, known_before, is_exhausted, combined_effect };
            reference.check_best_by_brancher(best_in_own_order, found, &mut coverage)?;
        }
        coverage.assert_explained();
        // A search that proves a count of representatives claims to know their orbit sizes. (If
        // hooks of the problem keep representatives, there is nothing to compare the count with.)
        if let Some(counted) = counted.filter(|_| counts_all && !defines_solutions) {
            match known(reference.solutions_below(&reference.problem.root(), &mut |_| {}))? {
                Some(solutions) if counted != solutions => {
                    return Err(Violation::of_count(&claims, counted, solutions));
                }
                // The count is right, which is all that can be required without known orbits.
                Some(_) => coverage.close(GapReason::WithoutOrbits),
                None => coverage.omit(GapReason::Unfinished, "the number of solutions", 1),
            }
        }
        Ok(coverage)
    }
}

impl<P: Problem, V> Debug for Audit<'_, P, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hooks: Vec<_> = self.hooks.iter().map(|hook| hook.name()).collect();
        f.debug_struct("Audit")
            .field("hooks", &hooks)
            .field("checks", &self.checks.len())
            .finish_non_exhaustive()
    }
}
