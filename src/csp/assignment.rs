//! A solution: a value for each variable.

use std::ops::Index;

use super::{Network, Variable};
use crate::hook::Node;

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
