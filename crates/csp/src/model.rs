//! Models: variables, their domains, and constraints on them; and the errors of malformed models.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use super::binary::{Clique, Pair, Relation};
use super::network::Order;
use super::variable::words_of;
use super::{Domain, Network, Propagator, Variable};

/// A problem stated as variables with finite domains and constraints on them.
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{Model, Propagate};
///
/// // How many ways are there to colour a triangle with a tail, in three colours?
/// let mut model = Model::new();
/// let [a, b, c, tail] = model.variables(4, 1..=3)?[..] else { unreachable!() };
/// for (x, y) in [(a, b), (b, c), (c, a), (c, tail)] {
///     model.different(x, y)?;
/// }
/// let network = model.build();
/// assert_eq!(Search::new(&network).hooks((Propagate::forward(),)).count().exact(), Some(12));
/// # Ok::<(), secateurs_csp::ModelError>(())
/// ```
///
/// A model that cannot be satisfied, or a variable without values, is not an error: the search
/// finds no solution. Malformed input (a domain too wide for memory, an unknown variable, a table
/// row of the wrong length) is an error that names the variable and leaves the model as it was.
/// Variables are numbers: one of another model is unknown only if this model has no variable of its
/// number, and otherwise means that one.
#[derive(Clone, Debug, Default)]
pub struct Model {
    domains: Vec<Domain>,
    words: u64,
    names: BTreeMap<usize, String>,
    pairs: Vec<Pair>,
    cliques: Vec<Clique>,
    propagators: Vec<Arc<dyn Propagator>>,
    pub(super) orders: Vec<Order>,
    /// While constraints are stated under a condition: the values to which they restrict variables.
    restrictions: Option<Vec<(Variable, Domain)>>,
}

/// Constraints that were stated under a condition.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) restrictions: Vec<(Variable, Domain)>,
    pub(super) pairs: Vec<Pair>,
    pub(super) cliques: Vec<Clique>,
    pub(super) propagators: Vec<Arc<dyn Propagator>>,
}

/// A model, and its size before constraints were stated under a condition. When it is dropped, the
/// model has what it had before, even if the caller's code has panicked.
struct UnfinishedCondition<'m> {
    model: &'m mut Model,
    variables: usize,
    words: u64,
    /// The numbers of pairs, cliques and propagators.
    constraints: [usize; 3],
    orders: usize,
    restrictions: Option<Vec<(Variable, Domain)>>,
}

impl Drop for UnfinishedCondition<'_> {
    fn drop(&mut self) {
        let [pairs, cliques, propagators] = self.constraints;
        self.model.pairs.truncate(pairs);
        self.model.cliques.truncate(cliques);
        self.model.propagators.truncate(propagators);
        // An order of two tasks may be swapped only if it holds in any case.
        self.model.orders.truncate(self.orders);
        self.model.domains.truncate(self.variables);
        // Conditions are many, and names of new variables are rare.
        while self.model.names.last_key_value().is_some_and(|(&last, _)| last >= self.variables) {
            self.model.names.pop_last();
        }
        self.model.words = self.words;
        self.model.restrictions = self.restrictions.take();
    }
}

/// The largest number of 8-byte words that all variables may take together: 2 GiB.
const MAX_WORDS: u64 = 1 << 28;

/// The number of words that a variable takes in addition to its values and their owners: its slot,
/// its stated domain, and the bit of the set of open variables.
const EXTRA_WORDS: u64 = 5;

impl Model {
    /// The largest span of the values of a variable: the number of integers from the smallest to
    /// the largest.
    pub const MAX_SPAN: u64 = 1 << 24;

    /// Creates a model without variables and constraints, which has one solution: the empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of variables added so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.domains.len()
    }

    /// Returns whether no variable has been added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.domains.is_empty()
    }

    /// Adds a variable. The memory is one bit for each integer from its smallest value to its
    /// largest.
    ///
    /// # Errors
    ///
    /// [`ModelError::DomainTooWide`] if the values span more than [`MAX_SPAN`](Self::MAX_SPAN)
    /// integers, [`ModelError::TooLarge`] if all domains together take too much memory.
    pub fn variable(&mut self, domain: impl Into<Domain>) -> Result<Variable, ModelError> {
        let variable = Variable::new(self.len());
        self.add(1, domain.into())?;
        Ok(variable)
    }

    /// Adds `count` variables with the same domain.
    ///
    /// # Errors
    ///
    /// The same as of [`variable`](Self::variable). On an error no variable is added.
    pub fn variables(
        &mut self,
        count: usize,
        domain: impl Into<Domain>,
    ) -> Result<Vec<Variable>, ModelError> {
        let before = self.len();
        self.add(count, domain.into())?;
        Ok((before..self.len()).map(Variable::new).collect())
    }

    fn add(&mut self, count: usize, domain: Domain) -> Result<(), ModelError> {
        let span = domain.bounds().map_or(0, |(low, high)| u64::from(low.abs_diff(high)) + 1);
        if span > Self::MAX_SPAN && count > 0 {
            let variable = self.describe(Variable::new(self.len()));
            return Err(ModelError::DomainTooWide { variable, span, max: Self::MAX_SPAN });
        }
        let words = words_of(domain.bounds());
        // The layout stores the owner of each word in half a word.
        let words_per_variable = EXTRA_WORDS + words + words / 2;
        let room = (MAX_WORDS - self.words) / words_per_variable;
        if count as u64 > room {
            // The first variable that does not fit.
            let variable = self.describe(Variable::new(self.len() + room as usize));
            return Err(ModelError::TooLarge { variable, max: MAX_WORDS });
        }
        self.words += count as u64 * words_per_variable;
        self.domains.resize(self.len() + count, domain);
        Ok(())
    }

    /// Names a variable, for error messages, [labels](Network::describe) and pictures.
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn name(&mut self, variable: Variable, name: impl Into<String>) -> Result<(), ModelError> {
        self.check([variable])?;
        self.names.insert(variable.index(), name.into());
        Ok(())
    }

    /// Restricts the domain of a variable to the values for which `keep` returns `true`: a
    /// constraint on one variable.
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn restrict(
        &mut self,
        variable: Variable,
        keep: impl FnMut(i32) -> bool,
    ) -> Result<(), ModelError> {
        self.check([variable])?;
        let domain = &mut self.domains[variable.index()];
        let restricted = domain.filter(keep);
        if let Some(restrictions) = &mut self.restrictions {
            restrictions.push((variable, restricted));
            return Ok(());
        }
        // This does not underflow: restricting can only bring the bounds closer together.
        self.words -= words_of(domain.bounds()) - words_of(restricted.bounds());
        *domain = restricted;
        Ok(())
    }

    /// Requires that `x` and `y` have different values.
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`], as for all constraints on two variables.
    pub fn different(&mut self, x: Variable, y: Variable) -> Result<(), ModelError> {
        self.different_by(x, y, 0)
    }

    /// Requires that the value of `x` is not the value of `y` plus `offset`.
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn different_by(
        &mut self,
        x: Variable,
        y: Variable,
        offset: i32,
    ) -> Result<(), ModelError> {
        self.relation(x, y, Relation::Different { offset: offset.into() })
    }

    /// Requires that `allowed(x, y)` returns `true` for the values of `x` and `y`. The predicate
    /// must depend on its arguments only.
    ///
    /// In a small network, the predicate is called once for each pair of values, to build a table.
    /// Otherwise it is called repeatedly during the search.
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn binary(
        &mut self,
        x: Variable,
        y: Variable,
        allowed: impl Fn(i32, i32) -> bool + Send + Sync + 'static,
    ) -> Result<(), ModelError> {
        self.relation(x, y, Relation::Predicate(Arc::new(allowed)))
    }

    /// Requires that the values of `x` and `y` are one of these pairs. Without pairs there is no
    /// solution.
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn pairs(
        &mut self,
        x: Variable,
        y: Variable,
        allowed: impl IntoIterator<Item = (i32, i32)>,
    ) -> Result<(), ModelError> {
        let mut pairs: Vec<(i32, i32)> = allowed.into_iter().collect();
        pairs.sort_unstable();
        pairs.dedup();
        self.relation(x, y, Relation::Pairs(pairs.into()))
    }

    fn relation(&mut self, x: Variable, y: Variable, relation: Relation) -> Result<(), ModelError> {
        self.check([x, y])?;
        if x == y {
            return self.restrict(x, |value| relation.holds(value, value));
        }
        self.pairs.push(Pair { variables: [x, y], relation });
        Ok(())
    }

    /// Requires that all of these variables have different values. Propagates pair by pair: as soon
    /// as a variable is assigned, the others lose its value.
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn all_different(&mut self, variables: &[Variable]) -> Result<(), ModelError> {
        self.all_different_shifted(variables.iter().map(|&variable| (variable, 0)))
    }

    /// Requires that the sums of each variable and its shift are different, as for queens on
    /// different diagonals. Propagates pair by pair.
    ///
    /// Memory and set-up time are linear in the number of variables, not of pairs, unless the
    /// network is small.
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn all_different_shifted(
        &mut self,
        members: impl IntoIterator<Item = (Variable, i32)>,
    ) -> Result<(), ModelError> {
        let members: Vec<(Variable, i32)> = members.into_iter().collect();
        self.check(members.iter().map(|member| member.0))?;
        let mut sorted = members.clone();
        sorted.sort_unstable();
        // A variable that must differ from itself has no value.
        for two in sorted.windows(2).filter(|two| two[0] == two[1]) {
            self.restrict(two[0].0, |_| false)?;
        }
        self.cliques.push(Clique { members });
        Ok(())
    }

    /// Adds a constraint of your own.
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`] if a variable of its scope is not one of this model.
    pub fn propagator(&mut self, propagator: impl Propagator + 'static) -> Result<(), ModelError> {
        self.check(propagator.scope().iter().copied())?;
        self.propagators.push(Arc::new(propagator));
        Ok(())
    }

    /// Returns the constraints that `constraints` adds, instead of adding them. On an error or a
    /// panic, the model is as it was.
    pub(super) fn collect(
        &mut self,
        constraints: impl FnOnce(&mut Model) -> Result<(), ModelError>,
    ) -> Result<Collected, ModelError> {
        let mut before = UnfinishedCondition {
            variables: self.len(),
            words: self.words,
            constraints: [self.pairs.len(), self.cliques.len(), self.propagators.len()],
            orders: self.orders.len(),
            restrictions: self.restrictions.replace(Vec::new()),
            model: self,
        };
        constraints(before.model)?;
        let model = &mut *before.model;
        // The variables stay.
        (before.variables, before.words) = (model.len(), model.words);
        let [pairs, cliques, propagators] = before.constraints;
        Ok(Collected {
            restrictions: model.restrictions.take().unwrap_or_default(),
            pairs: model.pairs.split_off(pairs),
            cliques: model.cliques.split_off(cliques),
            propagators: model.propagators.split_off(propagators),
        })
    }

    /// Returns the domain of a variable as the model states it.
    ///
    /// # Panics
    ///
    /// If the model has no such variable.
    #[must_use]
    pub fn domain(&self, variable: Variable) -> &Domain {
        &self.domains[variable.index()]
    }

    /// Builds the network: the model in the form in which it is searched. Memory is linear in the
    /// size of the model, plus two megabytes at most for a table of the constraints on pairs. Time
    /// is linear in the size of the model; if there is a table, each constraint on pairs is tested
    /// for every pair of values.
    #[must_use]
    pub fn build(self) -> Network {
        let mut network =
            Network::new(&self.domains, self.names, self.pairs, self.cliques, self.propagators);
        network.orders = self.orders;
        network
    }

    /// Returns an error if a variable is not one of this model.
    pub(super) fn check(
        &self,
        variables: impl IntoIterator<Item = Variable>,
    ) -> Result<(), ModelError> {
        match variables.into_iter().find(|variable| variable.index() >= self.domains.len()) {
            None => Ok(()),
            Some(unknown) => Err(ModelError::UnknownVariable {
                variable: unknown.index(),
                variables: self.domains.len(),
            }),
        }
    }

    /// Returns an error if a quantity of the task with this start is negative.
    pub(super) fn check_not_negative(
        &self,
        quantity: &str,
        start: Variable,
        found: i32,
    ) -> Result<(), ModelError> {
        if found >= 0 {
            return Ok(());
        }
        let start = self.describe(start);
        Err(ModelError::Negative { quantity: format!("{quantity} of the task at {start}"), found })
    }

    /// Describes a variable by its number and name, for error messages.
    pub(super) fn describe(&self, variable: Variable) -> String {
        match self.names.get(&variable.index()) {
            Some(name) => format!("variable {} (`{name}`)", variable.index()),
            None => format!("variable {}", variable.index()),
        }
    }
}

/// A malformed model. (A model without solutions is well-formed: a search of it finds none.)
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// The smallest and the largest value of a variable are too far apart.
    DomainTooWide {
        /// The variable, by its number and name.
        variable: String,
        /// The number of integers from the smallest value to the largest.
        span: u64,
        /// The largest span allowed.
        max: u64,
    },
    /// The variables together take too much memory.
    TooLarge {
        /// The first variable that does not fit, by its number and name.
        variable: String,
        /// The limit for all variables, in words of eight bytes. A variable takes one and a half
        /// words per 64 integers between its smallest and its largest value, and a few more.
        max: u64,
    },
    /// The model has no variable of this number: it was made by a larger model.
    UnknownVariable {
        /// The number of the variable.
        variable: usize,
        /// The number of variables of the model.
        variables: usize,
    },
    /// A row of a table does not have one value for each variable.
    RowLength {
        /// The number of the row, from 1.
        row: usize,
        /// The number of values in the row.
        found: usize,
        /// The number of variables.
        expected: usize,
        /// The first variable of the table, by its number and name.
        variable: String,
    },
    /// A sum, or a coefficient in it, may exceed 2⁶¹ in absolute value, so that computing it in 64
    /// bits might overflow; or the constant of an expression has exceeded 128 bits.
    SumTooLarge {
        /// The first variable at which the sum may be too large, by its number and name; or `the
        /// constant`.
        variable: String,
    },
    /// A duration, a demand or a capacity is negative.
    Negative {
        /// The quantity. That of a task is named with the variable of its start, by its number and
        /// name.
        quantity: String,
        /// The negative number.
        found: i32,
    },
    /// The work of the tasks of a cumulative constraint, and the capacity between their earliest
    /// start and latest end, are more than 2⁶¹ together, so that computing them in 64 bits might
    /// overflow.
    WorkTooLarge {
        /// The start of the first task at which they are too large, by its number and name.
        variable: String,
    },
    /// A state of an automaton is not less than the number of its states.
    UnknownState {
        /// The place of the state: the start, the accepting states, or a transition with its
        /// number from 1.
        place: String,
        /// The state.
        state: usize,
        /// The number of states.
        states: usize,
    },
    /// Two transitions of an automaton lead from one state, with the same value, to different
    /// states.
    AmbiguousTransition {
        /// The state from which they lead.
        state: usize,
        /// The value.
        value: i32,
        /// The states to which they lead.
        targets: [usize; 2],
    },
    /// The states of an automaton at each of a sequence of variables take too much memory.
    AutomatonTooLarge {
        /// The number of variables.
        variables: usize,
        /// The number of states that occur in transitions.
        states: usize,
        /// The largest number of bits, one for each state at each variable and at the end.
        max: u64,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::DomainTooWide { variable, span, max } => {
                write!(f, "{variable}: the values span {span} integers, expected at most {max}")
            }
            ModelError::TooLarge { variable, max } => {
                let message = "the domains up to this variable take more than";
                write!(f, "{variable}: {message} {max} words of 8 bytes")
            }
            ModelError::UnknownVariable { variable, variables } => {
                write!(
                    f,
                    "variable {variable} is not one of this model, which has {variables} (from 0)"
                )
            }
            ModelError::RowLength { row, found, expected, variable } => {
                write!(
                    f,
                    "table of {variable}: row {row} has length {found}, expected {expected}, \
                     one value for each variable"
                )
            }
            ModelError::SumTooLarge { variable } => {
                write!(f, "{variable}: the sum up to here may exceed 2^61 in absolute value")
            }
            ModelError::Negative { quantity, found } => {
                write!(f, "{quantity} is {found}, expected at least 0")
            }
            ModelError::WorkTooLarge { variable } => {
                write!(
                    f,
                    "{variable}: the work of the tasks up to this one, plus the capacity between \
                     their earliest start and latest end, exceeds 2^61"
                )
            }
            ModelError::UnknownState { place, state, states } => {
                write!(f, "automaton: {place} has state {state}, expected less than {states}")
            }
            ModelError::AmbiguousTransition { state, value, targets: [one, other] } => {
                write!(
                    f,
                    "automaton: value {value} leads from state {state} to state {one} and to state \
                     {other}, expected one of them"
                )
            }
            ModelError::AutomatonTooLarge { variables, states, max } => {
                write!(
                    f,
                    "automaton: {states} states at each of {variables} variables take more than \
                     {max} bits"
                )
            }
        }
    }
}

impl Error for ModelError {}
