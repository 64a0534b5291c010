//! The bound for maximum cliques: [`ColouringBound`].

use secateurs::hook::{Effect, Hook, HookMemory, Node, NodeMut, Verdict};
use secateurs::{Digest, Incumbent, IncumbentId};

use super::refinement::Target;
use super::{Candidate, CliqueState, Cliques, Refinement};

/// The bound of Tomita and Seki (2003) for a maximum clique, as a hook: it prunes a candidate of
/// colour k unless the current clique with k more vertices would beat the incumbent.
///
/// A clique takes at most k vertices from candidates of k colours: one of each colour. The hook
/// tests the bound twice: before a step, by the colour of the candidate, and after it, when the
/// remaining candidates have new and often fewer colours. Each test is one comparison, since the
/// colours are part of the state.
///
/// ```
/// use secateurs::{Effect, Search};
/// use secateurs_problems::clique::{Cliques, ColouringBound};
/// use secateurs_problems::dimacs;
///
/// let cliques = Cliques::new(&dimacs::parse("p edge 4 4\ne 1 2\ne 2 3\ne 3 1\ne 3 4\n")?)?;
/// let size = Cliques::size();
/// size.incumbent().offer(2); // an edge is known; is there a triangle?
/// let search = Search::new(&cliques).hooks((ColouringBound::new(size.incumbent()),));
/// let outcome = search.extract(Cliques::clique).best(&size);
/// assert_eq!(outcome.proven(), Some(&3));
/// assert_eq!(outcome.solution(), Some(&vec![0, 1, 2]));
/// assert_eq!(outcome.effect(), Effect::OptimumOnly);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ColouringBound {
    incumbent: Incumbent<usize>,
    refinement: Option<Refinement>,
}

impl ColouringBound {
    /// Creates a bound that compares with `incumbent`, which must be the one of the
    /// [objective](Cliques::size) of the run.
    #[must_use]
    pub fn new(incumbent: &Incumbent<usize>) -> Self {
        ColouringBound { incumbent: incumbent.clone().declared(), refinement: None }
    }

    /// Refines the colouring of each node by the incumbent, so that fewer candidates are tried.
    ///
    /// The tree then depends on when the incumbent improves. A search [in
    /// order](secateurs::search::Threads::in_order) on several threads may find another clique of
    /// the same size than a search on one thread.
    #[must_use]
    pub fn refined(self, refinement: Refinement) -> Self {
        ColouringBound { refinement: Some(refinement), ..self }
    }

    /// Returns the largest size of cliques that need not be found.
    #[inline]
    fn size_to_beat(&mut self) -> usize {
        let accepts_ties = self.incumbent.accepts_ties();
        let best = self.incumbent.latest().copied().unwrap_or(0);
        if accepts_ties { best.saturating_sub(1) } else { best }
    }

    #[inline]
    fn test(&mut self, state: &CliqueState, more: usize) -> Verdict {
        Verdict::keep_if(self.incumbent.is_beaten_by(&(state.size() + more)))
    }
}

impl Hook<Cliques> for ColouringBound {
    fn name(&self) -> &str {
        match self.refinement {
            None => "colouring",
            Some(Refinement::Recolouring) => "recolouring",
            Some(Refinement::InfraChromatic) => "infra-chromatic",
        }
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        Some(self.incumbent.id())
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn admit(&mut self, node: &Node<'_, Cliques>, candidate: &Candidate) -> Verdict {
        self.test(node.state(), candidate.colour())
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, Cliques>) -> Verdict {
        if let Some(refinement) = self.refinement {
            let target = Target::new(self.size_to_beat(), refinement);
            let cliques = node.problem();
            node.state_mut().aim(cliques, target);
        }
        let colours = node.state().colours();
        self.test(node.state(), colours)
    }
}
