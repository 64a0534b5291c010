//! Langford pairs as a constraint network.

use super::Langford;
use crate::csp::{Assignment, Model, ModelError, Network};
use crate::digest::Digest;
use crate::hook::{Effect, Hook, Node, NodeMut, Verdict};

/// Langford pairs as a network: what [`Langford::network`] gives.
///
/// The variable of each number, in ascending order, is the place of the first of the two, from 0.
/// That of k also takes the place k + 1 behind, and all places are different: one all-different
/// constraint, in which each variable is twice, with two shifts.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Ascending, Branching, Propagate, SmallestDomain};
/// use secateurs::problems::langford::Langford;
///
/// let pairs = Langford::new(7)?.network();
/// let order = Branching::new(SmallestDomain::last_tie(), Ascending);
/// let hooks = (pairs.reversal(), Propagate::full());
/// let outcome = Search::new(pairs.network()).hooks(hooks).brancher(order).count();
/// assert_eq!((outcome.representatives(), outcome.exact()), (Some(26), Some(52)));
/// # Ok::<(), secateurs::problems::langford::LangfordError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LangfordNetwork {
    langford: Langford,
    network: Network,
}

impl Langford {
    /// The problem as a constraint network.
    #[must_use]
    pub fn network(self) -> LangfordNetwork {
        match self.model() {
            Ok(model) => LangfordNetwork { langford: self, network: model.build() },
            Err(error) => unreachable!(
                "a thousand variables of two thousand values are not too large: {error}"
            ),
        }
    }

    fn model(self) -> Result<Model, ModelError> {
        let mut model = Model::new();
        let mut places = Vec::with_capacity(2 * self.numbers);
        for number in 1..=self.numbers {
            let first = model.variable(0..self.firsts(number).end as i32)?;
            places.extend([(first, 0), (first, number as i32 + 1)]);
        }
        model.all_different_shifted(places)?;
        Ok(model)
    }
}

impl LangfordNetwork {
    /// The network, to be searched.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The row that a solution makes; `None` if the assignment is that of another network.
    #[must_use]
    pub fn row(&self, solution: &Assignment) -> Option<Vec<usize>> {
        let mut row = vec![0; 2 * self.langford.numbers];
        for (number, &first) in (1..).zip(solution.values()) {
            let first = usize::try_from(first).ok()?;
            for place in [first, first.checked_add(number + 1)?] {
                *row.get_mut(place)? = number;
            }
        }
        self.langford.is_solution(&row).then_some(row)
    }

    /// A hook that finds one of each row and its reversal, and counts it twice: the pair of the
    /// largest odd number stays in the left half, as in the
    /// [cover](super::LangfordCover::reversal).
    #[must_use]
    pub fn reversal(&self) -> Reversal {
        Reversal { langford: self.langford }
    }
}

/// The hook of [`LangfordNetwork::reversal`].
#[derive(Clone, Copy, Debug)]
pub struct Reversal {
    langford: Langford,
}

impl Hook<Network> for Reversal {
    fn name(&self) -> &str {
        "reversal"
    }

    /// What it needs to know is the problem.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    fn follows_path(&self) -> bool {
        false
    }

    /// Takes the right half away at the root, where it comes back no more.
    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        let (langford, number) = (self.langford, self.langford.special());
        let special = node.problem().variables().nth(number.wrapping_sub(1));
        let Some(special) = special.filter(|_| node.depth() == 0) else { return Verdict::Keep };
        let is_left = |first: i32| (first as usize) < langford.mirrored(number, first as usize);
        Verdict::prune_if(node.state_mut().retain(special, is_left).is_err())
    }

    fn orbit(&self, _: &Node<'_, Network>) -> Option<u64> {
        Some(if self.langford.numbers == 0 { 1 } else { 2 })
    }
}
