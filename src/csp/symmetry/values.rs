//! Values that may be exchanged.

use crate::csp::{Domains, Network, Variable, Wipeout};
use crate::digest::Digest;
use crate::hook::{Effect, Hook, Node, NodeMut, Verdict};

/// A hook for values that may be exchanged for each other, such as the colours of a map: a value
/// comes up for the first time only after all values before it have (Law and Lee 2004).
///
/// So of the k! ways to name k values one is left, and it stands for k·(k−1)·…·(k−u+1) solutions if
/// it uses u of the values. It takes away all that the constraint excludes, by going once through
/// the variables with all numbers of values that may have come up, and once back (a regular
/// constraint; Pesant 2004).
///
/// *First* is meant in the order of the variables as they are given here, not in that in which they
/// are decided. Where most is to be cut off, give them about in the order in which they will be
/// decided: a clique of a graph first.
///
/// It goes behind propagation in the tuple of hooks: see [the module](super#where-to-put-them).
///
/// Cost a node: the number of variables times the number of values.
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
    /// The values in ascending order, with their places.
    sorted: Vec<(i32, usize)>,
    /// Before each variable and at the end, for each number of values: whether so many may have
    /// come up.
    forward: Vec<bool>,
    /// After the variable at which the way back stands: whether the rest goes with that number.
    rest: Vec<bool>,
    before: Vec<bool>,
}

impl ValuePrecedence {
    /// `values` may be exchanged for each other in all of `variables`, and are in no other
    /// variable. A value that is given twice counts once.
    #[must_use]
    pub fn new(variables: &[Variable], values: impl IntoIterator<Item = i32>) -> Self {
        let mut precedence = ValuePrecedence {
            variables: variables.to_vec(),
            values: Vec::new(),
            sorted: Vec::new(),
            forward: Vec::new(),
            rest: Vec::new(),
            before: Vec::new(),
        };
        for value in values {
            if let Err(place) = precedence.sorted.binary_search_by_key(&value, |&(known, _)| known)
            {
                precedence.sorted.insert(place, (value, precedence.values.len()));
                precedence.values.push(value);
            }
        }
        precedence
    }

    /// The place of a value among those that may be exchanged.
    fn place(&self, value: i32) -> Option<usize> {
        let found = self.sorted.binary_search_by_key(&value, |&(known, _)| known).ok()?;
        Some(self.sorted[found].1)
    }

    /// The smallest place of a value that is left to a variable, and whether a value is left that
    /// has none.
    fn left(&self, domains: &Domains, variable: Variable) -> (usize, bool) {
        let mut left = (usize::MAX, false);
        for value in domains.values(variable) {
            match self.place(value) {
                Some(place) => left.0 = left.0.min(place),
                None => left.1 = true,
            }
        }
        left
    }

    /// Takes away what is in no assignment in which values come up in their order.
    fn tighten(&mut self, domains: &mut Domains) -> Result<(), Wipeout> {
        let count = self.values.len();
        let width = count + 1;
        self.forward.clear();
        self.forward.resize((self.variables.len() + 1) * width, false);
        self.forward[0] = true;
        for (step, &variable) in self.variables.iter().enumerate() {
            let (least, other) = self.left(domains, variable);
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
        self.rest.clear();
        self.rest.resize(width + 1, true);
        self.before.clear();
        self.before.resize(width + 1, false);
        for (step, &variable) in self.variables.iter().enumerate().rev() {
            let (least, other) = self.left(domains, variable);
            let may_be = &self.forward[step * width..][..width];
            // Any of the values that came up before may come again, if the rest goes with as many
            // of them as before.
            let most = (0..=count).rev().find(|&used| may_be[used] && self.rest[used]);
            domains.retain(variable, |value| match self.place(value) {
                Some(place) => {
                    most.is_some_and(|most| place < most) || may_be[place] && self.rest[place + 1]
                }
                None => most.is_some(),
            })?;
            for (used, &may_be) in may_be.iter().enumerate() {
                let stays = (other || least < used) && self.rest[used];
                let rises = used < count
                    && self.rest[used + 1]
                    && domains.contains(variable, self.values[used]);
                self.before[used] = may_be && (stays || rises);
            }
            std::mem::swap(&mut self.before, &mut self.rest);
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

    fn follows_path(&self) -> bool {
        false
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
