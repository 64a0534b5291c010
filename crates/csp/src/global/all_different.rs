//! Variables that are all different, with a choice of what is pruned: [`Consistency`].

use super::{bounds_matching, matching};
use crate::propagator::are_distinct;
use crate::{Model, ModelError, Variable};

/// The values that [full propagation](crate::Propagate::full) of a constraint prunes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Consistency {
    /// The values of variables that are assigned, from the other variables.
    Value,
    /// The smallest and the largest value of a variable, unless the other variables can have
    /// different integers between their bounds (López-Ortiz, Quimper, Tromp and van Beek 2003).
    Bounds,
    /// Every value that is in no assignment of different values to all variables, by matching
    /// (Régin 1994).
    Domain,
}

impl Model {
    /// Requires that all of these variables have different values, and propagates them as a whole,
    /// if they are to be consistent by more than values: full propagation notices at once, for
    /// example, that three variables cannot share two values. The levels below full propagation
    /// treat them like [`all_different`](Self::all_different), which is stated as well.
    ///
    /// - [`Consistency::Bounds`] suits domains that are intervals, together with constraints that
    ///   prune bounds, such as sums. A call takes time O(*n* log *n*) for *n* variables, whatever
    ///   the number of values, and is repeated only if a bound moved past missing values. It runs
    ///   when a bound has changed.
    /// - [`Consistency::Domain`] also finds values in the middle of a domain. A call takes time
    ///   linear in the number of remaining values and of distinct values. In the worst case, it
    ///   takes as long again for each variable whose value in the last matching was pruned. Memory
    ///   is linear in the number of distinct values. With more than 2²⁰ of them, the variables are
    ///   propagated pair by pair only.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Consistency, Model, Propagate};
    ///
    /// // Ten pigeons and nine holes, refuted at the root.
    /// let mut model = Model::new();
    /// let pigeons = model.variables(10, 1..=9)?;
    /// model.all_different_with(&pigeons, Consistency::Domain)?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).count();
    /// assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(0), 1));
    ///
    /// // A million values and three variables that share two of them.
    /// let mut model = Model::new();
    /// let wide = model.variables(20, 0..1_000_000)?;
    /// let narrow = model.variables(3, 7..=8)?;
    /// model.all_different_with(&[wide, narrow].concat(), Consistency::Bounds)?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).exists();
    /// assert_eq!((outcome.exists(), outcome.report().nodes()), (Some(false), 1));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn all_different_with(
        &mut self,
        variables: &[Variable],
        consistency: Consistency,
    ) -> Result<(), ModelError> {
        self.all_different(variables)?;
        // A variable that must differ from itself has already lost its values.
        if variables.len() < 2 || !are_distinct(variables) {
            return Ok(());
        }
        match consistency {
            Consistency::Value => Ok(()),
            Consistency::Bounds => bounds_matching::add(self, variables),
            Consistency::Domain => matching::add(self, variables),
        }
    }
}
