//! A constraint network, ready to be searched.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::adjacency::Adjacency;
use super::branching::{Ascending, InputOrder, ValueOrder, Values};
use super::constraint::{Calling, Clique, Pair, Rows, holds};
use super::layout::Layout;
use super::trail::Mark;
use super::{Assignment, Decision, Domain, Domains, Propagator, Variable};
use crate::memory::vec_bytes;
use crate::problem::{Branch, Problem};

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
    words: Vec<u64>,
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
    pub(super) callings: Vec<Calling>,
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
        let callings = propagators.iter().map(|propagator| Calling::of(&**propagator)).collect();
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
            callings,
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
    pub(super) fn go_together(&self, x: Variable, value: i32, y: Variable, beside: i32) -> bool {
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

impl Problem for Network {
    type State = Domains;
    type Cursor = Values<<Ascending as ValueOrder>::Cursor>;
    type Choice = Decision;
    type Undo = Mark;

    fn root(&self) -> Domains {
        Domains::new(Arc::clone(&self.layout), self.words.clone())
    }

    fn branch(&self, domains: &Domains) -> Branch<Self::Cursor> {
        match InputOrder.first_open(domains) {
            None => self.leaf(domains),
            Some(variable) => {
                Values::branch(variable, Ascending.start(self, domains, variable), domains)
            }
        }
    }

    fn next(&self, domains: &Domains, cursor: &mut Self::Cursor) -> Option<Decision> {
        cursor.draw(self, domains, &mut Ascending)
    }

    fn can_apply(&self, domains: &Domains, decision: &Decision) -> bool {
        let variable = decision.variable();
        let is_left = |value| domains.contains(variable, value);
        variable.index() < self.variables().len()
            && match *decision {
                Decision::Is(_, value) => is_left(value),
                Decision::AtMost(_, most) => {
                    domains.min(variable).is_some_and(|least| least <= most)
                }
                Decision::AtLeast(_, least) => {
                    domains.max(variable).is_some_and(|most| least <= most)
                }
            }
    }

    fn heap_bytes(&self, domains: &Domains) -> usize {
        vec_bytes(&domains.words) + vec_bytes(&domains.trail)
    }

    #[inline]
    fn apply(&self, domains: &mut Domains, decision: &Decision) -> Mark {
        let mark = domains.mark();
        decision.take(domains);
        mark
    }

    #[inline]
    fn undo(&self, domains: &mut Domains, _: &Decision, mark: Mark) {
        domains.restore(mark);
    }
}
