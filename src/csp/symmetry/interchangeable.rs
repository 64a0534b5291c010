//! Interchangeable values, and interchangeable variables.

use rustc_hash::FxHashSet;

use crate::csp::{Domains, Network, Variable, Wipeout};
use crate::digest::Digest;
use crate::hook::{Effect, Hook, HookMemory, Node, NodeMut, Verdict};

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
/// Put it behind propagation in the tuple of hooks: see [the
/// module](super#position-among-the-hooks).
///
/// The time per node is proportional to the number of variables times the number of values, up to a
/// logarithmic factor.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Model, Propagate};
/// use secateurs::csp::symmetry::ValuePrecedence;
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
/// # Ok::<(), secateurs::csp::ModelError>(())
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
    fn tighten(&mut self, domains: &mut Domains) -> Result<(), Wipeout> {
        let count = self.values.len();
        let width = count + 1;
        self.forward.clear();
        self.forward.resize((self.variables.len() + 1) * width, false);
        self.forward[0] = true;
        for (step, &variable) in self.variables.iter().enumerate() {
            let (least, other) = self.smallest_place(domains, variable);
            let mut any = false;
            for used in 0..=count.min(step) {
                if !self.forward[step * width + used] {
                    continue;
                }
                if other || least < used {
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
            let (least, other) = self.smallest_place(domains, variable);
            let may_be = &self.forward[step * width..][..width];
            // A value that has occurred before may occur again if the remaining variables can be
            // completed from the same number of used values.
            let most = (0..=count).rev().find(|&used| may_be[used] && self.completable[used]);
            domains.retain(variable, |value| match self.place(value) {
                Some(place) => {
                    most.is_some_and(|most| place < most)
                        || may_be[place] && self.completable[place + 1]
                }
                None => most.is_some(),
            })?;
            for (used, &may_be) in may_be.iter().enumerate() {
                let stays = (other || least < used) && self.completable[used];
                let rises = used < count
                    && self.completable[used + 1]
                    && domains.contains(variable, self.values[used]);
                self.completable_before[used] = may_be && (stays || rises);
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
/// Put it behind propagation in the tuple of hooks: see [the
/// module](super#position-among-the-hooks).
///
/// The time per node is linear in the number of these variables.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Model, Propagate};
/// use secateurs::csp::symmetry::InterchangeableVariables;
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
/// # Ok::<(), secateurs::csp::ModelError>(())
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

    fn tighten(&self, domains: &mut Domains) -> Result<(), Wipeout> {
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
        let mut alike = 0;
        for (&variable, count) in self.variables.iter().zip(1..) {
            let value = node.state().value(variable)?;
            if last > Some(value) {
                return Some(0);
            }
            alike = if last == Some(value) { alike + 1 } else { 1 };
            last = Some(value);
            // The number of arrangements so far; the division is exact.
            let product = u128::from(orbit) * count / alike;
            orbit = u64::try_from(product).ok()?;
        }
        Some(orbit)
    }
}
