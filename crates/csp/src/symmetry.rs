//! Symmetry of networks: hooks that keep one representative of each orbit by pruning domains.
//!
//! - [`ValuePrecedence`], for interchangeable values such as colours, keeps the solution whose
//!   values first occur in their order.
//! - [`InterchangeableVariables`] keeps the solution whose values ascend.
//! - [`LexSmallest`], for a given group of permutations of (variable, value) pairs, keeps the
//!   lexicographically smallest solution.
//!
//! Each hook enforces a constraint that does not depend on the order in which variables are
//! decided. It can therefore be combined with any order and any level of propagation, and keeps the
//! same representatives in each run. It prunes the values that the constraint excludes, and knows
//! the size of each solution's orbit, so that [`exact`](secateurs::Outcome::exact) is the number of
//! all solutions.
//!
//! # Position among the hooks
//!
//! Put these hooks **after** [`Propagate`](super::Propagate): if propagation assigns the last
//! variables, the hook must see their values. Propagation acts on the hook's pruning at the next
//! node. A hook before propagation may fail to prune solutions that are not representatives.
//! The search then visits them, but counts them neither as solutions nor as representatives.
//!
//! # Unverified claims
//!
//! The caller claims that values, variables or pairs are interchangeable. If they are not,
//! solutions are lost and counts are wrong, and no check detects it. Two of these hooks cannot be
//! combined, since each may prune the solutions that the other keeps; the report then says so.

use std::cmp::Ordering;

use rustc_hash::FxHashSet;

use secateurs::Digest;
use secateurs::hook::{
    Effect, Hook, HookMemory, Node, NodeMut, SymmetryError, SymmetryGroup, Verdict,
};

use crate::{Domains, Network, Pruned, Variable, Wipeout};

/// A hook that keeps the lexicographically smallest solution of each orbit of a symmetry group (lex
/// leader; Crawford, Ginsberg, Luks and Roy 1996), and knows the size of the orbit.
///
/// Symmetries are permutations of (variable, value) pairs. One that exchanges variables only is
/// `Permutation::new(n, k, |variable, value| (image[variable], value))`. For each symmetry, the
/// hook compares the domains with those of the image, variable by variable while both are known to
/// agree. At the first variable at which they are not, it prunes the values that would make the
/// image smaller, and prunes the node if none remains.
///
/// [`hook::LexLeader`](secateurs::hook::LexLeader) does the same for any problem from the choices
/// on the path, and needs every variable to be decided there. This hook reads domains, and works
/// with all levels of propagation.
///
/// Put it after propagation in the tuple of hooks: see [the
/// module](self#position-among-the-hooks).
///
/// The time per node is, for each symmetry, the number of values times one more than the number of
/// variables in which the image is known to agree. The memory is four bytes for each symmetry and
/// pair, in addition to the group.
///
/// ```
/// use secateurs::Search;
/// use secateurs::hook::{Permutation, SymmetryGroup};
/// use secateurs_csp::{Propagate, Variable};
/// use secateurs_csp::symmetry::LexSmallest;
/// use secateurs_problems::queens::Queens;
///
/// let network = Queens::new(8)?.board().network();
/// let turn = Permutation::new(8, 8, |row, column| (column, 7 - row))?;
/// let flip = Permutation::new(8, 8, |row, column| (row, 7 - column))?;
/// let square = SymmetryGroup::generate(8, 8, &[turn, flip], 8)?;
/// let rows: Vec<Variable> = network.variables().collect();
/// let smallest = LexSmallest::new(&network, &rows, 0, square)?;
/// let outcome = Search::new(&network).hooks((Propagate::full(), smallest)).count();
/// assert_eq!(outcome.exact(), Some(92));
/// assert_eq!(outcome.representatives(), Some(12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LexSmallest {
    variables: Vec<Variable>,
    /// The value that the group calls 0.
    base: i32,
    group: SymmetryGroup,
    /// For each element but the identity, and for each pair, the pair that the element maps to it,
    /// as variable × values + value.
    origins: Vec<u32>,
}

impl LexSmallest {
    /// Creates a hook that keeps the smallest solution of each orbit of `group`, whose variable i
    /// is `variables[i]` and whose value j is `first_value` + j. No symmetry changes other
    /// variables of the network.
    ///
    /// Time and memory are linear in the order of the group times the number of pairs.
    ///
    /// # Errors
    ///
    /// [`SymmetryError::Size`] if the group has another number of variables,
    /// [`SymmetryError::Outside`] if a variable has values that the group does not have; the error
    /// then gives the smallest or the largest of them.
    ///
    /// # Panics
    ///
    /// If the network has no such variable.
    pub fn new(
        network: &Network,
        variables: &[Variable],
        first_value: i32,
        group: SymmetryGroup,
    ) -> Result<Self, SymmetryError> {
        let (count, values) = (group.variables(), group.values());
        if variables.len() != count {
            return Err(SymmetryError::Size {
                found: (variables.len(), values),
                expected: (count, values),
            });
        }
        for (index, &variable) in variables.iter().enumerate() {
            let Some((low, high)) = network.bounds(variable) else { continue };
            for value in [low, high] {
                let place = i64::from(value) - i64::from(first_value);
                if usize::try_from(place).map_or(true, |place| place >= values) {
                    let pair = (index, usize::try_from(place).unwrap_or(usize::MAX));
                    return Err(SymmetryError::Outside { pair, variables: count, values });
                }
            }
        }
        let pairs = count * values;
        let mut origins = vec![0; pairs * group.others().len()];
        for (element, origins) in group.others().iter().zip(origins.chunks_mut(pairs.max(1))) {
            for pair in 0..pairs {
                let (variable, value) = element.apply(pair / values, pair % values);
                // This fits: the group has less than 2³² pairs.
                origins[variable * values + value] = pair as u32;
            }
        }
        Ok(LexSmallest { variables: variables.to_vec(), base: first_value, group, origins })
    }

    /// Returns the variable and the value of the network that a pair stands for.
    #[inline]
    fn pair(&self, code: u32) -> (Variable, i32) {
        let (variable, value) =
            (code as usize / self.group.values(), code as usize % self.group.values());
        // Pairs outside the range of `i32` are in no domain, and wrapping does not map them into
        // one.
        (self.variables[variable], self.base.wrapping_add(value as i32))
    }

    /// Prunes the values that make the image under one symmetry smaller than the assignment.
    /// `origins` is the table of the symmetry.
    fn tighten(&self, domains: &mut Domains, origins: &[u32]) -> Pruned {
        let places = 0..self.group.values();
        for (&variable, origins) in self.variables.iter().zip(origins.chunks(self.group.values())) {
            let image_may_be = |domains: &Domains, place: usize| {
                let (variable, value) = self.pair(origins[place]);
                domains.contains(variable, value)
            };
            // The image must have a value here, and the assignment must not have a larger one.
            let image_most = places
                .clone()
                .rev()
                .find(|&place| image_may_be(domains, place))
                .ok_or(Wipeout(variable))?;
            let bound = i64::from(self.base).saturating_add(image_most as i64);
            domains.at_most(variable, i32::try_from(bound).unwrap_or(i32::MAX))?;
            let (low, high) = match (domains.min(variable), domains.max(variable)) {
                (Some(low), Some(high)) => (low, high),
                _ => return Err(Wipeout(variable)),
            };
            // The image must not have a value below the smallest one of the assignment.
            let least = low.abs_diff(self.base) as usize;
            for &origin in &origins[..least] {
                let (other, value) = self.pair(origin);
                domains.remove(other, value)?;
            }
            let image_least = (least..=image_most)
                .find(|&place| image_may_be(domains, place))
                .ok_or(Wipeout(variable))?;
            let agrees = low == high && image_least == image_most && image_least == least;
            if !agrees {
                return Ok(());
            }
        }
        Ok(())
    }
}

impl Hook<Network> for LexSmallest {
    fn name(&self) -> &str {
        "lexicographically smallest"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&(&self.variables, self.base, &self.origins)))
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        let domains = node.state_mut();
        let pairs = (self.variables.len() * self.group.values()).max(1);
        Verdict::keep_if(
            self.origins.chunks(pairs).all(|origins| self.tighten(domains, origins).is_ok()),
        )
    }

    fn orbit(&self, node: &Node<'_, Network>) -> Option<u64> {
        let place = |&variable| {
            node.state().value(variable).map(|value| value.abs_diff(self.base) as usize)
        };
        let assigned: Vec<usize> = self.variables.iter().map(place).collect::<Option<_>>()?;
        let mut image = vec![0; assigned.len()];
        let mut fixing = 1;
        for element in self.group.others() {
            for (variable, &value) in assigned.iter().enumerate() {
                let (image_variable, image_value) = element.apply(variable, value);
                image[image_variable] = image_value;
            }
            match image.cmp(&assigned) {
                Ordering::Less => return Some(0),
                Ordering::Equal => fixing += 1,
                Ordering::Greater => {}
            }
        }
        Some((self.group.order() / fixing) as u64)
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("symmetries".to_owned(), self.group.order() as u64)]
    }
}

/// A hook for interchangeable values, such as the colours of a map: a value may occur for the first
/// time only after all values before it have occurred (Law and Lee 2004).
///
/// One of the k! ways to name k values remains, and it stands for k·(k−1)·…·(k−u+1) solutions if it
/// uses u of the values. The hook prunes all values that the constraint excludes: a forward pass
/// over the variables computes the possible numbers of values used so far, and a backward pass
/// prunes (a regular constraint; Pesant 2004).
///
/// *First* refers to the order of the variables given here, not to the order in which they are
/// decided. The hook prunes most if both orders are similar: give the variables of a clique of a
/// graph first, for example.
///
/// Put it after propagation in the tuple of hooks: see [the
/// module](self#position-among-the-hooks).
///
/// The time per node is proportional to the number of variables times the number of values, up to a
/// logarithmic factor.
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{Model, Propagate};
/// use secateurs_csp::symmetry::ValuePrecedence;
///
/// // A ring of five countries in three colours.
/// let mut model = Model::new();
/// let countries = model.variables(5, 0..3)?;
/// for index in 0..5 {
///     model.different(countries[index], countries[(index + 1) % 5])?;
/// }
/// let network = model.build();
/// let colours = ValuePrecedence::new(&countries, 0..3);
/// let outcome = Search::new(&network).hooks((Propagate::forward(), colours)).count();
/// assert_eq!(outcome.exact(), Some(30));
/// assert_eq!(outcome.representatives(), Some(5));
/// # Ok::<(), secateurs_csp::ModelError>(())
/// ```
///
/// # Panics
///
/// The run panics if the network has no such variable.
#[derive(Clone, Debug)]
pub struct ValuePrecedence {
    variables: Vec<Variable>,
    values: Vec<i32>,
    /// The values in ascending order, each with its index in `values`.
    sorted: Vec<(i32, usize)>,
    /// For each number of leading variables, and each number of values: whether these variables may
    /// use exactly that many values.
    forward: Vec<bool>,
    /// For each number of values used so far: whether the variables after the current one of the
    /// backward pass can still be assigned.
    completable: Vec<bool>,
    /// The same for the current variable and those after it.
    completable_before: Vec<bool>,
}

impl ValuePrecedence {
    /// Creates a hook for `values` that are interchangeable in all of `variables` and are not
    /// values of other variables. Repeated values count once.
    #[must_use]
    pub fn new(variables: &[Variable], values: impl IntoIterator<Item = i32>) -> Self {
        let mut seen = FxHashSet::default();
        let values: Vec<i32> = values.into_iter().filter(|&value| seen.insert(value)).collect();
        let mut sorted: Vec<(i32, usize)> = values.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        ValuePrecedence {
            variables: variables.to_vec(),
            values,
            sorted,
            forward: Vec::new(),
            completable: Vec::new(),
            completable_before: Vec::new(),
        }
    }

    /// Returns the index of a value among the interchangeable ones.
    fn place(&self, value: i32) -> Option<usize> {
        let found = self.sorted.binary_search_by_key(&value, |&(known, _)| known).ok()?;
        Some(self.sorted[found].1)
    }

    /// Returns the smallest index of the remaining values of a variable, and whether a value
    /// remains that is not interchangeable.
    fn smallest_place(&self, domains: &Domains, variable: Variable) -> (usize, bool) {
        let mut found = (usize::MAX, false);
        for value in domains.values(variable) {
            match self.place(value) {
                Some(place) => found.0 = found.0.min(place),
                None => found.1 = true,
            }
        }
        found
    }

    /// Prunes the values that belong to no assignment in which the values first occur in order.
    fn tighten(&mut self, domains: &mut Domains) -> Pruned {
        let count = self.values.len();
        let width = count + 1;
        self.forward.clear();
        self.forward.resize((self.variables.len() + 1) * width, false);
        self.forward[0] = true;
        for (step, &variable) in self.variables.iter().enumerate() {
            let (least, has_other) = self.smallest_place(domains, variable);
            let mut any = false;
            for used in 0..=count.min(step) {
                if !self.forward[step * width + used] {
                    continue;
                }
                if has_other || least < used {
                    self.forward[(step + 1) * width + used] = true;
                    any = true;
                }
                if used < count && domains.contains(variable, self.values[used]) {
                    self.forward[(step + 1) * width + used + 1] = true;
                    any = true;
                }
            }
            if !any {
                return Err(Wipeout(variable));
            }
        }
        self.completable.clear();
        self.completable.resize(width + 1, true);
        self.completable_before.clear();
        self.completable_before.resize(width + 1, false);
        for (step, &variable) in self.variables.iter().enumerate().rev() {
            let (least, has_other) = self.smallest_place(domains, variable);
            let reachable = &self.forward[step * width..][..width];
            // A value that has occurred before may occur again if the remaining variables can be
            // completed from the same number of used values.
            let most = (0..=count).rev().find(|&used| reachable[used] && self.completable[used]);
            domains.retain(variable, |value| match self.place(value) {
                Some(place) => {
                    most.is_some_and(|most| place < most)
                        || reachable[place] && self.completable[place + 1]
                }
                None => most.is_some(),
            })?;
            for (used, &is_reachable) in reachable.iter().enumerate() {
                let stays = (has_other || least < used) && self.completable[used];
                let rises = used < count
                    && self.completable[used + 1]
                    && domains.contains(variable, self.values[used]);
                self.completable_before[used] = is_reachable && (stays || rises);
            }
            std::mem::swap(&mut self.completable_before, &mut self.completable);
        }
        Ok(())
    }
}

impl Hook<Network> for ValuePrecedence {
    fn name(&self) -> &str {
        "value precedence"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&(&self.variables, &self.values)))
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        Verdict::keep_if(self.tighten(node.state_mut()).is_ok())
    }

    fn orbit(&self, node: &Node<'_, Network>) -> Option<u64> {
        let mut used = 0;
        for &variable in &self.variables {
            match self.place(node.state().value(variable)?) {
                Some(place) if place > used => return Some(0),
                Some(place) if place == used => used += 1,
                _ => {}
            }
        }
        let count = self.values.len() as u64;
        (0..used as u64).try_fold(1, |orbit: u64, used| orbit.checked_mul(count - used))
    }
}

/// A hook for interchangeable variables, such as the summands of a sum: each is at most as large as
/// the next one.
///
/// It keeps the lexicographically smallest solution of each orbit under all n! permutations without
/// enumerating them (Crawford, Ginsberg, Luks and Roy 1996). A representative stands for as many
/// solutions as its values have arrangements: n! divided by m! for each value that occurs m times.
///
/// Put it after propagation in the tuple of hooks: see [the
/// module](self#position-among-the-hooks).
///
/// The time per node is linear in the number of these variables.
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{Model, Propagate};
/// use secateurs_csp::symmetry::InterchangeableVariables;
///
/// // 10 as a sum of three positive integers.
/// let mut model = Model::new();
/// let parts = model.variables(3, 1..=8)?;
/// model.sum(&parts, 10..=10)?;
/// let network = model.build();
/// let ascending = InterchangeableVariables::new(&parts);
/// let outcome = Search::new(&network).hooks((Propagate::full(), ascending)).count();
/// assert_eq!(outcome.exact(), Some(36));
/// assert_eq!(outcome.representatives(), Some(8));
/// # Ok::<(), secateurs_csp::ModelError>(())
/// ```
///
/// # Panics
///
/// The run panics if the network has no such variable.
#[derive(Clone, Debug)]
pub struct InterchangeableVariables {
    variables: Vec<Variable>,
}

impl InterchangeableVariables {
    /// Creates a hook for `variables` that are all interchangeable. Repeated variables count once.
    #[must_use]
    pub fn new(variables: &[Variable]) -> Self {
        let mut seen = FxHashSet::default();
        let distinct = variables.iter().copied().filter(|&variable| seen.insert(variable));
        InterchangeableVariables { variables: distinct.collect() }
    }

    fn tighten(&self, domains: &mut Domains) -> Pruned {
        for two in self.variables.windows(2) {
            let least = domains.min(two[0]).ok_or(Wipeout(two[0]))?;
            domains.at_least(two[1], least)?;
        }
        for two in self.variables.windows(2).rev() {
            let most = domains.max(two[1]).ok_or(Wipeout(two[1]))?;
            domains.at_most(two[0], most)?;
        }
        Ok(())
    }
}

impl Hook<Network> for InterchangeableVariables {
    fn name(&self) -> &str {
        "interchangeable variables"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.variables))
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        Verdict::keep_if(self.tighten(node.state_mut()).is_ok())
    }

    fn orbit(&self, node: &Node<'_, Network>) -> Option<u64> {
        let mut orbit: u64 = 1;
        let mut last = None;
        let mut occurrences = 0;
        for (&variable, count) in self.variables.iter().zip(1..) {
            let value = node.state().value(variable)?;
            if last > Some(value) {
                return Some(0);
            }
            occurrences = if last == Some(value) { occurrences + 1 } else { 1 };
            last = Some(value);
            // The number of arrangements so far; the division is exact.
            let product = u128::from(orbit) * count / occurrences;
            orbit = u64::try_from(product).ok()?;
        }
        Some(orbit)
    }
}
