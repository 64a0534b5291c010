//! Interchangeable variables.

use crate::csp::{Domains, Network, Variable, Wipeout};
use crate::digest::Digest;
use crate::hook::{Effect, Hook, HookMemory, Node, NodeMut, Verdict};

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
        let mut distinct = variables.to_vec();
        let mut seen = variables.to_vec();
        seen.sort_unstable();
        seen.dedup();
        distinct.retain(|variable| match seen.binary_search(variable) {
            Ok(place) => {
                seen.remove(place);
                true
            }
            Err(_) => false,
        });
        InterchangeableVariables { variables: distinct }
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
