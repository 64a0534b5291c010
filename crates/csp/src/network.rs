//! Constraint networks ready to be searched, their [assignments](Assignment), and the lists of
//! constraints of each variable.

use std::collections::BTreeMap;
use std::ops::{Index, RangeInclusive};
use std::sync::Arc;

use secateurs::Branch;
use secateurs::hook::Node;

use super::adjacency::Adjacency;
use super::binary::{Clique, Pair, Relation};
use super::propagator::{CallRule, Events, Waking, are_distinct, holds};
use super::rows::Rows;
use super::variable::{Layout, VISIT};
use super::{Decision, Domain, Domains, Propagator, Variable};

/// Variables, domains and constraints in the form in which they are searched: a
/// [`Problem`](secateurs::Problem) whose solutions are the assignments that satisfy all
/// constraints.
///
/// A network is built by [`Model::build`](super::Model::build). [`solver`](Self::solver) searches
/// it with settings that suit most models. With a [`Search`](secateurs::Search) of your own, plug
/// in [`Propagate`](super::Propagate) as a hook to propagate, and [`Branching`](super::Branching)
/// as the brancher to choose variables and values. Without both, the search is plain backtracking:
/// variables in the order in which they were added, values in ascending order, each constraint
/// checked as soon as all of its variables are decided.
#[derive(Clone, Debug)]
pub struct Network {
    pub(super) layout: Arc<Layout>,
    /// The words of the root state.
    pub(super) words: Vec<u64>,
    names: BTreeMap<usize, String>,
    pub(super) pairs: Vec<Pair>,
    pub(super) cliques: Vec<Clique>,
    /// All pairs and cliques as one table, if the network is small enough.
    pub(super) rows: Option<Rows>,
    /// The pairs of each variable, and its side in them.
    pub(super) pairs_of: Adjacency<(u32, u8)>,
    /// The cliques of each variable, and its index in them.
    pub(super) cliques_of: Adjacency<(u32, u32)>,
    /// Whether each variable may prune others while it has several values. With two values left, it
    /// supports all values of variables that must only be different.
    pub(super) is_revised_early: Vec<bool>,
    pub(super) propagators: Vec<Arc<dyn Propagator>>,
    /// The variables that say which of two tasks comes first.
    pub(super) orders: Vec<Order>,
    /// The properties of each propagator.
    pub(super) call_rules: Vec<CallRule>,
    /// The propagators of each variable, and the changes of the variable that wake them.
    pub(super) propagators_of: Adjacency<(u32, Waking)>,
    /// The constant part of the work of revising the neighbours of each variable, in words of
    /// domains.
    pub(super) work_of: Vec<u64>,
    /// The work of propagation at a node, after which it stops without a fixpoint.
    pub(super) work_limit: u64,
}

/// A variable that says which of two tasks comes first, and the starts of the tasks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    pub(super) order: Variable,
    pub(super) starts: [Variable; 2],
}

/// The constant part of the limit of work at a node, in words of domains. This work takes some tens
/// of milliseconds.
const MAX_WORK: u64 = 1 << 21;

/// The limit of work also allows each constraint this many visits to each of its variables, so that
/// large networks reach a fixpoint. Each counts as [`VISIT`]; the words of a wide domain are
/// allowed once only.
const FREE_VISITS: u64 = 64;

impl Network {
    pub(super) fn new(
        domains: &[Domain],
        names: BTreeMap<usize, String>,
        pairs: Vec<Pair>,
        cliques: Vec<Clique>,
        propagators: Vec<Arc<dyn Propagator>>,
    ) -> Self {
        let variables = domains.len();
        let layout = Layout::new(domains);
        let words = layout.words(domains);
        let base = |variable| layout.slot(variable).base;
        let pairs_of = Adjacency::new(variables, |add| {
            for (index, pair) in pairs.iter().enumerate() {
                add(pair.variables[0].index(), (index as u32, 0));
                add(pair.variables[1].index(), (index as u32, 1));
            }
        });
        let cliques_of = Adjacency::new(variables, |add| {
            for (index, clique) in cliques.iter().enumerate() {
                for (place, &(variable, _)) in clique.members.iter().enumerate() {
                    add(variable.index(), (index as u32, place as u32));
                }
            }
        });
        let rows = if layout.one_word {
            let words = &words[..layout.open];
            Rows::new(words, base, (&pairs, &pairs_of), (&cliques, &cliques_of))
        } else {
            None
        };
        let is_revised_early = (0..variables)
            .map(|variable| {
                let mut pairs =
                    pairs_of.of(variable).iter().map(|&(pair, _)| &pairs[pair as usize]);
                pairs.any(|pair| !matches!(pair.relation, Relation::Different { .. }))
            })
            .collect();
        let call_rules: Vec<CallRule> =
            propagators.iter().map(|propagator| CallRule::of(&**propagator, &layout)).collect();
        let propagators_of = Adjacency::new(variables, |add| {
            for ((index, propagator), rule) in (0..).zip(&propagators).zip(&call_rules) {
                let scope = propagator.scope().iter().enumerate();
                let waking =
                    |(place, &variable)| (variable, Events::waking(propagator.wake(place)));
                let mut events: Vec<(Variable, Events)> = scope.map(waking).collect();
                events.sort_unstable_by_key(|&(variable, _)| variable);
                for same in events.chunk_by(|one, other| one.0 == other.0) {
                    let events = same.iter().fold(Events::default(), |all, one| all.union(one.1));
                    add(same[0].0.index(), (index, Waking { events, class: rule.class }));
                }
            }
        });
        let layout = Arc::new(layout);
        let mut network = Network {
            layout,
            words,
            names,
            pairs,
            cliques,
            rows,
            pairs_of,
            cliques_of,
            is_revised_early,
            propagators,
            orders: Vec::new(),
            call_rules,
            propagators_of,
            work_of: Vec::new(),
            work_limit: 0,
        };
        let sizes: Vec<u64> = domains.iter().map(Domain::len).collect();
        let revisions = network.pairs.iter().map(|pair| pair.work(|one| sizes[one.index()]));
        // One revision in each direction: with less, all nodes might repeat the first revisions and
        // stop before the others.
        let mut work = revisions.fold(0, u64::saturating_add).saturating_mul(2);
        let mut visits = 0;
        for variable in network.variables() {
            let index = variable.index();
            let constraints = network.pairs_of.of(index).len() + network.cliques_of.of(index).len();
            let own = network.layout.work(variable) * (1 + constraints as u64);
            work = work.saturating_add(own);
            visits += 1 + constraints as u64;
            network.work_of.push(own);
        }
        for (rule, propagator) in network.call_rules.iter().zip(&network.propagators) {
            work = work.saturating_add(rule.work);
            visits += propagator.scope().len() as u64;
        }
        network.work_limit = work.saturating_add(MAX_WORK + FREE_VISITS * VISIT * visits);
        network
    }

    /// Returns the number of variables.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.slots.len()
    }

    /// Returns whether there are no variables.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layout.slots.is_empty()
    }

    /// Returns the variables in the order in which they were added.
    pub fn variables(
        &self,
    ) -> impl DoubleEndedIterator<Item = Variable> + ExactSizeIterator + use<> {
        (0..self.len()).map(Variable::new)
    }

    /// Returns the variable with this number, or `None` if there is none.
    #[must_use]
    #[inline]
    pub fn variable(&self, index: usize) -> Option<Variable> {
        (index < self.len()).then(|| Variable::new(index))
    }

    /// Returns the name of a variable, if it has one.
    #[must_use]
    pub fn name(&self, variable: Variable) -> Option<&str> {
        self.names.get(&variable.index()).map(String::as_str)
    }

    /// Describes a decision by the name of its variable, or by its number if it has none: a label
    /// for the steps of a [`Recording`](https://docs.rs/secateurs-lab).
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Network};
    /// use secateurs_lab::Recording;
    ///
    /// let mut model = Model::new();
    /// let [x, y] = model.variables(2, 1..=2)?[..] else { unreachable!("two") };
    /// model.require(x.equals(y))?;
    /// model.name(x, "width")?;
    /// let network = model.build();
    /// let mut recording = Recording::new().label(Network::describe);
    /// let outcome = Search::new(&network).hooks(recording.of(())).first();
    /// assert!(outcome.solution().is_some());
    /// let labels: Vec<_> = recording.nodes().filter_map(|node| node.label()).collect();
    /// assert_eq!(labels, ["width = 1", "variable 1 = 1"]);
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    #[must_use]
    pub fn describe(&self, decision: &Decision) -> String {
        match self.name(decision.variable()) {
            Some(name) => format!("{name} {}", decision.relation()),
            None => decision.to_string(),
        }
    }

    /// Returns the smallest and the largest value of a variable at the root, or `None` if it has no
    /// values there.
    ///
    /// # Panics
    ///
    /// If the network has no such variable.
    #[must_use]
    #[inline]
    pub fn bounds(&self, variable: Variable) -> Option<(i32, i32)> {
        let slot = self.layout.slot(variable);
        // This does not overflow: spans are at most 2²⁴, and the largest value is an `i32`.
        (slot.span > 0).then(|| (slot.base, slot.base.wrapping_add(slot.span as i32 - 1)))
    }

    /// Returns whether a propagator that reasons about bounds contains the variable.
    pub(super) fn has_bounds_propagator(&self, variable: Variable) -> bool {
        let propagators = self.propagators_of.of(variable.index());
        propagators.iter().any(|(_, waking)| waking.events.are_of_bounds())
    }

    /// Returns the network without the values of a variable outside `range`.
    pub(super) fn restricted(&self, variable: Variable, range: RangeInclusive<i64>) -> Network {
        let mut domains = Domains::new(Arc::clone(&self.layout), self.words.clone());
        // Without a value left, the network has no solution.
        let _ = domains.retain(variable, |value| range.contains(&value.into()));
        Network { words: domains.words, ..self.clone() }
    }

    /// Returns the other variable of a pair.
    #[inline]
    pub(super) fn other(&self, pair: u32, side: u8) -> Variable {
        self.pairs[pair as usize].variables[1 - usize::from(side)]
    }

    /// Returns the other variables of the constraints on two variables that contain `variable`,
    /// some of them more than once.
    pub(super) fn others(&self, variable: Variable) -> impl Iterator<Item = Variable> + '_ {
        let index = variable.index();
        let neighbours = self.rows.as_ref().map_or(&[][..], |rows| rows.neighbours(variable));
        // Rows, if there are any, represent all pairs and cliques.
        let (pairs, cliques) = match self.rows {
            Some(_) => (&[][..], &[][..]),
            None => (self.pairs_of.of(index), self.cliques_of.of(index)),
        };
        let members = |&(clique, _): &(u32, u32)| self.cliques[clique as usize].members.iter();
        (neighbours.iter().map(|&other| Variable::new(other as usize)))
            .chain(pairs.iter().map(|&(pair, side)| self.other(pair, side)))
            .chain(
                cliques
                    .iter()
                    .flat_map(members)
                    .map(|&(member, _)| member)
                    .filter(move |&member| member != variable),
            )
    }

    /// Returns whether the constraints on two variables allow `x` = `a` together with `y` = `b`.
    pub(super) fn are_compatible(&self, x: Variable, a: i32, y: Variable, b: i32) -> bool {
        let pairs_allow = self.pairs_of.of(x.index()).iter().all(|&(pair, side)| {
            self.other(pair, side) != y || self.pairs[pair as usize].holds(side.into(), a, b)
        });
        pairs_allow
            && self.cliques_of.of(x.index()).iter().all(|&(clique, place)| {
                let mut forbidden = self.cliques[clique as usize].forbidden(place, a);
                forbidden.all(|pair| pair != (y, b))
            })
    }

    /// Counts the values that constraints on two variables would prune from open variables if
    /// `variable` were assigned `value`. A value that two constraints prune may count twice.
    /// Constraints on more variables are ignored.
    ///
    /// The *least constraining* order of values compares these numbers: see
    /// [`least_constraining`](super::least_constraining).
    ///
    /// The time is linear in the number of constraints of the variable and, for predicates and
    /// tables, in the number of values of its neighbours.
    ///
    /// # Panics
    ///
    /// If the network has no such variable.
    #[must_use]
    pub fn count_pruned_values(&self, domains: &Domains, variable: Variable, value: i32) -> u64 {
        if let Some(rows) = &self.rows {
            let base = self.layout.slot(variable).base;
            let Some(bit) = value
                .checked_sub(base)
                .and_then(|bit| u32::try_from(bit).ok())
                .filter(|&bit| bit < 64)
            else {
                return 0;
            };
            if !domains.contains(variable, value) {
                return 0;
            }
            return rows
                .forbidden(variable, bit)
                .filter(|&(other, _)| domains.is_open(other))
                .map(|(other, mask)| u64::from((domains.words[other.index()] & mask).count_ones()))
                .sum();
        }
        let index = variable.index();
        let mut pruned = 0;
        for &(pair, side) in self.pairs_of.of(index) {
            let other = self.other(pair, side);
            if domains.is_open(other) {
                pruned += self.pairs[pair as usize].count_forbidden(domains, side.into(), value);
            }
        }
        for &(clique, place) in self.cliques_of.of(index) {
            let is_pruned = |&(other, forbidden): &(Variable, i32)| {
                other != variable && domains.is_open(other) && domains.contains(other, forbidden)
            };
            let forbidden = self.cliques[clique as usize].forbidden(place, value);
            pruned += forbidden.filter(is_pruned).count() as u64;
        }
        pruned
    }

    /// Returns the values of all variables, or `None` if one is not assigned.
    #[must_use]
    pub fn assignment(&self, domains: &Domains) -> Option<Assignment> {
        self.variables()
            .map(|variable| domains.value(variable))
            .collect::<Option<Vec<i32>>>()
            .map(Assignment)
    }

    /// Returns whether every variable is assigned and every constraint holds. Checks all
    /// constraints.
    #[must_use]
    pub fn is_solution(&self, domains: &Domains) -> bool {
        let Some(assignment) = self.assignment(domains) else { return false };
        let pair_holds = |pair: &Pair| {
            pair.holds(0, assignment[pair.variables[0]], assignment[pair.variables[1]])
        };
        let clique_holds = |clique: &Clique| {
            let shifted = |&(variable, shift): &(Variable, i32)| {
                i64::from(assignment[variable]) + i64::from(shift)
            };
            are_distinct(clique.members.iter().map(shifted))
        };
        let mut values = Vec::new();
        self.pairs.iter().all(pair_holds)
            && self.cliques.iter().all(clique_holds)
            && self.propagators.iter().all(|propagator| holds(&**propagator, domains, &mut values))
    }

    /// Returns the kind of a node at which no variable is chosen. If all changes are propagated and
    /// no variable is open, propagation has checked every constraint, and it remains to check that
    /// every variable has a value.
    #[inline]
    pub(super) fn leaf<C>(&self, domains: &Domains) -> Branch<C> {
        if self.is_solution_leaf(domains) { Branch::Solution } else { Branch::DeadEnd }
    }

    /// Returns whether a node without open variables is a solution.
    // Not inlined, so that the walk has more registers.
    #[inline(never)]
    fn is_solution_leaf(&self, domains: &Domains) -> bool {
        if domains.is_propagated() && domains.open_variables().next().is_none() {
            self.variables().all(|variable| domains.is_assigned(variable))
        } else {
            self.is_solution(domains)
        }
    }
}

/// A value for each variable of a network.
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{Assignment, Model};
///
/// let mut model = Model::new();
/// let (x, y) = (model.variable(1..=9)?, model.variable(1..=9)?);
/// model.binary(x, y, |x, y| x * y == 35 && x < y)?;
/// let network = model.build();
/// let outcome = Search::new(&network).extract(Assignment::of).first();
/// let solution = outcome.solution().ok_or("no solution")?;
/// assert_eq!((solution[x], solution[y]), (5, 7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Assignment(Vec<i32>);

impl Assignment {
    /// Returns the assignment at a solution of a search, for
    /// [`Search::extract`](secateurs::Search::extract). At other nodes, a variable that is not
    /// assigned gets its smallest value, or 0 if it has none; at a solution every variable is
    /// assigned.
    #[must_use]
    pub fn of(node: &Node<'_, Network>) -> Self {
        let domains = node.state();
        Assignment(
            node.problem().variables().map(|variable| domains.min(variable).unwrap_or(0)).collect(),
        )
    }

    /// Returns the values, indexed by the number of the variable.
    #[must_use]
    pub fn values(&self) -> &[i32] {
        &self.0
    }

    /// Returns the values of these variables.
    pub fn of_variables<'a>(
        &'a self,
        variables: &'a [Variable],
    ) -> impl ExactSizeIterator<Item = i32> + 'a {
        variables.iter().map(|&variable| self[variable])
    }
}

impl Index<Variable> for Assignment {
    type Output = i32;

    /// # Panics
    ///
    /// If the variable belongs to a larger network.
    fn index(&self, variable: Variable) -> &i32 {
        &self.0[variable.index()]
    }
}
