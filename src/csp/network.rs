//! A constraint network, ready to be searched.

use std::collections::BTreeMap;
use std::ops::Index;
use std::sync::Arc;

use super::constraint::{Clique, Pair, Rows, WakeRule, holds};
use super::layout::Layout;
use super::{Domain, Domains, Propagator, Variable};
use crate::hook::Node;
use crate::problem::Branch;

/// Variables, domains and constraints in the form in which they are searched: a [`Problem`] whose
/// solutions are the assignments for which all constraints hold.
///
/// Made by [`Model::build`](super::Model::build). By itself it is plain generate and test:
/// variables in the order in which they were added, values in ascending order, and constraints
/// looked at when everything is assigned. What makes a search of it is plugged in:
/// [`Propagate`](super::Propagate) as a hook, [`Branching`](super::Branching) as the brancher.
#[derive(Clone, Debug)]
pub struct Network {
    pub(super) layout: Arc<Layout>,
    /// The words at the root.
    pub(super) words: Vec<u64>,
    names: BTreeMap<usize, String>,
    pub(super) pairs: Vec<Pair>,
    pub(super) cliques: Vec<Clique>,
    /// All of pairs and cliques, if the network is small.
    pub(super) rows: Option<Rows>,
    /// The pairs of each variable, and on which side of them it is.
    pub(super) pairs_of: Adjacency<(u32, u8)>,
    /// The cliques of each variable, and its place in them.
    pub(super) cliques_of: Adjacency<(u32, u32)>,
    pub(super) propagators: Vec<Arc<dyn Propagator>>,
    /// When each propagator is called.
    pub(super) wake_rules: Vec<WakeRule>,
    /// The propagators of each variable.
    pub(super) propagators_of: Adjacency<u32>,
}

impl Network {
    pub(super) fn new(
        domains: &[Domain],
        names: BTreeMap<usize, String>,
        pairs: Vec<Pair>,
        cliques: Vec<Clique>,
        mut propagators: Vec<Arc<dyn Propagator>>,
    ) -> Self {
        // Propagation calls those first that come first.
        propagators.sort_by_key(|propagator| propagator.cost());
        let variables = domains.len();
        let layout = Layout::new(domains);
        let words = layout.words(domains);
        let base = |variable| layout.slot(variable).base;
        let rows = if layout.one_word {
            Rows::new(&words[..layout.open], base, &pairs, &cliques)
        } else {
            None
        };
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
        let propagators_of = Adjacency::new(variables, |add| {
            for (index, propagator) in propagators.iter().enumerate() {
                let mut scope = propagator.scope().to_vec();
                scope.sort_unstable();
                scope.dedup();
                for variable in scope {
                    add(variable.index(), index as u32);
                }
            }
        });
        let wake_rules = propagators.iter().map(|propagator| WakeRule::of(&**propagator)).collect();
        let layout = Arc::new(layout);
        Network {
            layout,
            words,
            names,
            pairs,
            cliques,
            rows,
            pairs_of,
            cliques_of,
            propagators,
            wake_rules,
            propagators_of,
        }
    }

    /// The number of variables.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.slots.len()
    }

    /// Whether there are no variables.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layout.slots.is_empty()
    }

    /// The variables in the order in which they were added.
    pub fn variables(
        &self,
    ) -> impl DoubleEndedIterator<Item = Variable> + ExactSizeIterator + use<> {
        (0..self.len()).map(Variable::new)
    }

    /// The variable before which so many were added.
    #[must_use]
    #[inline]
    pub fn variable(&self, index: usize) -> Option<Variable> {
        (index < self.len()).then(|| Variable::new(index))
    }

    /// The name of a variable, if it was given one.
    #[must_use]
    pub fn name(&self, variable: Variable) -> Option<&str> {
        self.names.get(&variable.index()).map(String::as_str)
    }

    /// The smallest and the largest value that a variable had to begin with; `None` if it had none.
    ///
    /// # Panics
    ///
    /// If the network has no such variable.
    #[must_use]
    #[inline]
    pub fn bounds(&self, variable: Variable) -> Option<(i32, i32)> {
        let slot = self.layout.slot(variable);
        // Spans are at most 2²⁴, and end within 32 bits.
        (slot.span > 0).then(|| (slot.base, slot.base.wrapping_add(slot.span as i32 - 1)))
    }

    /// How many constraints a variable is in: pairs, other variables of all-different constraints,
    /// and propagators.
    ///
    /// # Panics
    ///
    /// If the network has no such variable.
    #[must_use]
    pub fn degree(&self, variable: Variable) -> usize {
        let index = variable.index();
        let others = self
            .cliques_of
            .of(index)
            .iter()
            .map(|&(clique, _)| self.cliques[clique as usize].members.len() - 1);
        self.pairs_of.of(index).len() + others.sum::<usize>() + self.propagators_of.of(index).len()
    }

    /// The other variable of a pair.
    #[inline]
    pub(super) fn other(&self, pair: u32, side: u8) -> Variable {
        self.pairs[pair as usize].variables[1 - usize::from(side)]
    }

    /// The other variables of the constraints on two variables in which `variable` is, some of them
    /// more than once.
    pub(super) fn others(&self, variable: Variable) -> impl Iterator<Item = Variable> + '_ {
        let index = variable.index();
        let neighbours = self.rows.as_ref().map_or(&[][..], |rows| rows.neighbours(variable));
        // If there are rows, they say all.
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

    /// Whether no constraint on two variables forbids that `x` is `value` and `y` is `beside`.
    pub(super) fn are_compatible(&self, x: Variable, value: i32, y: Variable, beside: i32) -> bool {
        let pairs = self.pairs_of.of(x.index()).iter().all(|&(pair, side)| {
            self.other(pair, side) != y
                || self.pairs[pair as usize].holds(side.into(), value, beside)
        });
        pairs
            && self.cliques_of.of(x.index()).iter().all(|&(clique, place)| {
                let members = &self.cliques[clique as usize].members;
                let taken = i64::from(value) + i64::from(members[place as usize].1);
                members.iter().all(|&(member, shift)| {
                    member != y || i64::from(beside) + i64::from(shift) != taken
                })
            })
    }

    /// How many values of open variables the constraints on two variables take away if `variable`
    /// is `value`. A value that two constraints take away may count twice. Constraints on more
    /// variables are not asked.
    ///
    /// This is what the *least constraining* order of values goes by: see
    /// [`least_constraining`](super::least_constraining).
    ///
    /// Cost: a look at each constraint of the variable, and at each value of its neighbours for
    /// predicates and tables.
    ///
    /// # Panics
    ///
    /// If the network has no such variable.
    #[must_use]
    pub fn values_taken(&self, domains: &Domains, variable: Variable, value: i32) -> u64 {
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
        let mut taken = 0;
        for &(pair, side) in self.pairs_of.of(index) {
            let other = self.other(pair, side);
            if domains.is_open(other) {
                taken += self.pairs[pair as usize].count_forbidden(domains, side.into(), value);
            }
        }
        for &(clique, place) in self.cliques_of.of(index) {
            let members = &self.cliques[clique as usize].members;
            let number = i64::from(value) + i64::from(members[place as usize].1);
            for &(other, shift) in members {
                if other != variable && domains.is_open(other) {
                    let forbidden = i32::try_from(number - i64::from(shift));
                    taken += u64::from(
                        forbidden.is_ok_and(|forbidden| domains.contains(other, forbidden)),
                    );
                }
            }
        }
        taken
    }

    /// The values of all variables, if each is assigned.
    #[must_use]
    pub fn assignment(&self, domains: &Domains) -> Option<Assignment> {
        self.variables()
            .map(|variable| domains.value(variable))
            .collect::<Option<Vec<i32>>>()
            .map(Assignment::new)
    }

    /// Whether every variable is assigned and every constraint holds. Cost: all constraints.
    #[must_use]
    pub fn is_solution(&self, domains: &Domains) -> bool {
        let Some(assignment) = self.assignment(domains) else { return false };
        let pairs = |pair: &Pair| {
            pair.holds(0, assignment[pair.variables[0]], assignment[pair.variables[1]])
        };
        let cliques = |clique: &Clique| {
            let shifted = |&(variable, shift): &(Variable, i32)| {
                i64::from(assignment[variable]) + i64::from(shift)
            };
            let mut values: Vec<i64> = clique.members.iter().map(shifted).collect();
            values.sort_unstable();
            values.windows(2).all(|two| two[0] != two[1])
        };
        let mut values = Vec::new();
        self.pairs.iter().all(pairs)
            && self.cliques.iter().all(cliques)
            && self.propagators.iter().all(|propagator| holds(&**propagator, domains, &mut values))
    }

    /// What a node is at which no variable is chosen. Where propagation has followed up everything
    /// and no variable is open, it has checked every constraint.
    #[inline]
    pub(super) fn leaf<C>(&self, domains: &Domains) -> Branch<C> {
        let is_solution = if domains.is_propagated() && domains.open().next().is_none() {
            self.variables().all(|variable| domains.is_assigned(variable))
        } else {
            self.is_solution(domains)
        };
        if is_solution { Branch::Solution } else { Branch::DeadEnd }
    }
}

/// A value for each variable of a network.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Assignment, Model};
///
/// let mut model = Model::new();
/// let (x, y) = (model.variable(1..=9)?, model.variable(1..=9)?);
/// model.binary(x, y, |x, y| x * y == 35 && x < y)?;
/// let network = model.build();
/// let outcome = Search::new(&network).extract(Assignment::of).first();
/// let solution = outcome.solution().ok_or("there is one")?;
/// assert_eq!((solution[x], solution[y]), (5, 7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Assignment(Vec<i32>);

impl Assignment {
    pub(super) fn new(values: Vec<i32>) -> Self {
        Assignment(values)
    }

    /// The assignment at a solution of a search, for [`Search::extract`](crate::Search::extract).
    /// Where a variable is not assigned, its smallest value is taken, or 0 if there is none; at a
    /// solution every variable is assigned.
    #[must_use]
    pub fn of(node: &Node<'_, Network>) -> Self {
        let domains = node.state();
        Assignment(
            node.problem().variables().map(|variable| domains.min(variable).unwrap_or(0)).collect(),
        )
    }

    /// The values, by the number of the variable.
    #[must_use]
    pub fn values(&self) -> &[i32] {
        &self.0
    }

    /// The values of these variables.
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

/// For each variable, a list of entries.
#[derive(Clone, Debug)]
pub(super) struct Adjacency<T> {
    starts: Vec<u32>,
    entries: Vec<T>,
}

impl<T: Copy + Default> Adjacency<T> {
    /// The lists of `variables` variables; `each` is called twice, and calls its argument with each
    /// variable and entry.
    pub(super) fn new(variables: usize, each: impl Fn(&mut dyn FnMut(usize, T))) -> Self {
        let mut starts = vec![0; variables + 1];
        each(&mut |variable, _| starts[variable + 1] += 1);
        for variable in 0..variables {
            starts[variable + 1] += starts[variable];
        }
        let mut next = starts.clone();
        let mut entries = vec![T::default(); starts[variables] as usize];
        each(&mut |variable, entry| {
            entries[next[variable] as usize] = entry;
            next[variable] += 1;
        });
        Adjacency { starts, entries }
    }

    /// The list of a variable.
    #[inline]
    pub(super) fn of(&self, variable: usize) -> &[T] {
        &self.entries[self.starts[variable] as usize..self.starts[variable + 1] as usize]
    }

    /// Where the list of a variable begins, all lists lying one after the other.
    #[inline]
    pub(super) fn start(&self, variable: usize) -> usize {
        self.starts[variable] as usize
    }

    /// The length of all lists together.
    pub(super) fn total(&self) -> usize {
        self.entries.len()
    }
}
