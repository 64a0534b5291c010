//! The lexicographic order of two lists of variables.
//!
//! The first place at which the lists can differ decides, so only the variables of this place are
//! pruned (Frisch, Hnich, Kiziltan, Miguel and Walsh 2002). They must be in order, and in strict
//! order if the lists after this place cannot be: then they cannot be equal here. Every other value
//! after this place is in a solution in which the lists differ at it.
//!
//! As the order depends on smallest and largest values only, this prunes every value that is in no
//! solution, though it reads and changes only bounds.

use std::cmp::Ordering;

use crate::propagator::are_distinct;
use crate::{
    Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wake, Wipeout,
};

/// A list of variables is at most another one of the same length or, if `is_strict`, less.
#[derive(Clone, Debug)]
struct Lexicographic {
    is_strict: bool,
    /// The left list, and the right one. No variable is at the same place of both lists.
    scope: Vec<Variable>,
}

impl Lexicographic {
    /// Returns whether the lists from a place on cannot be in order.
    fn must_exceed(&self, domains: &Domains, place: usize) -> Result<bool, Wipeout> {
        let (left, right) = self.scope.split_at(self.scope.len() / 2);
        for (&left, &right) in left.iter().zip(right).skip(place) {
            let least = domains.min(left).ok_or(Wipeout(left))?;
            let most = domains.max(right).ok_or(Wipeout(right))?;
            match least.cmp(&most) {
                Ordering::Less => return Ok(false),
                Ordering::Equal => {}
                Ordering::Greater => return Ok(true),
            }
        }
        Ok(self.is_strict)
    }
}

impl Propagator for Lexicographic {
    fn name(&self) -> &str {
        if self.is_strict { "strict lexicographic order" } else { "lexicographic order" }
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        let (left, right) = values.split_at(values.len() / 2);
        left < right || !self.is_strict && left == right
    }

    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Pruned {
        let Some(&first) = self.scope.first() else { return Ok(()) };
        let (left, right) = self.scope.split_at(self.scope.len() / 2);
        for (place, (&left, &right)) in left.iter().zip(right).enumerate() {
            let most = domains.max(right).ok_or(Wipeout(right))?;
            domains.at_most(left, most)?;
            let least = domains.min(left).ok_or(Wipeout(left))?;
            domains.at_least(right, least)?;
            // No value of the left variable exceeds `most`, and none of the right one is less than
            // `least`: both are assigned if these are equal.
            if least == most {
                continue;
            }
            if self.must_exceed(domains, place + 1)? {
                domains.at_most(left, most - 1)?;
                domains.at_least(right, least + 1)?;
            }
            return Ok(());
        }
        if self.is_strict { Err(Wipeout(first)) } else { Ok(()) }
    }

    fn propagates_last(&self) -> bool {
        true
    }

    fn wake(&self, _: usize) -> Wake {
        Wake::Bounds
    }

    /// A call decides the places up to the first one at which the lists can differ, and reads the
    /// rest after that.
    fn is_idempotent(&self) -> bool {
        are_distinct(&self.scope)
    }
}

impl Model {
    /// Requires that `left` is at most `right` in *lexicographic* order: at the first place at
    /// which they differ, `left` has the smaller value. If one list is a beginning of the other,
    /// the shorter one is less, as for words.
    ///
    /// [Full propagation](crate::Propagate::full) prunes every value that is in no solution of
    /// the constraint, if no variable is at two different places (Frisch, Hnich, Kiziltan, Miguel
    /// and Walsh 2002). A call takes time linear in the length of the shorter list. The levels
    /// below prune nothing before all variables but one are assigned.
    ///
    /// If exchanging two rows of a matrix of variables leads from solutions to solutions, this
    /// keeps one of the two:
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate};
    ///
    /// // Four rows of four bits, two of which are set.
    /// let mut model = Model::new();
    /// let bits = model.variables(16, 0..=1)?;
    /// let rows: Vec<_> = bits.chunks(4).collect();
    /// for row in &rows {
    ///     model.sum(row, 2..=2)?;
    /// }
    /// for two in rows.windows(2) {
    ///     model.lexicographic(two[0], two[1])?;
    /// }
    /// let network = model.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).count();
    /// assert_eq!(outcome.exact(), Some(126)); // multisets of 4 rows out of 6, instead of 6⁴
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn lexicographic(
        &mut self,
        left: &[Variable],
        right: &[Variable],
    ) -> Result<(), ModelError> {
        self.order(left, right, left.len() > right.len())
    }

    /// Requires that `left` is less than `right` in lexicographic order: see
    /// [`lexicographic`](Self::lexicographic), which also allows equal lists.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate};
    ///
    /// // Two pairs of digits: 100 of the 100² combinations are equal, and half of the rest remain.
    /// let mut model = Model::new();
    /// let digits = model.variables(4, 0..=9)?;
    /// model.lexicographic_strict(&digits[..2], &digits[2..])?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).count();
    /// assert_eq!(outcome.exact(), Some((10_000 - 100) / 2));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn lexicographic_strict(
        &mut self,
        left: &[Variable],
        right: &[Variable],
    ) -> Result<(), ModelError> {
        self.order(left, right, left.len() >= right.len())
    }

    /// Requires that `left` is less than `right` up to the length of the shorter list or, unless
    /// `is_strict`, equal to it.
    fn order(
        &mut self,
        left: &[Variable],
        right: &[Variable],
        is_strict: bool,
    ) -> Result<(), ModelError> {
        self.check(left.iter().chain(right).copied())?;
        // A variable at the same place of both lists never decides.
        let (left, right): (Vec<_>, Vec<_>) =
            left.iter().copied().zip(right.iter().copied()).filter(|(x, y)| x != y).unzip();
        self.propagator(Lexicographic { is_strict, scope: [left, right].concat() })
    }
}
