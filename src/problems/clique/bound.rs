//! The bound by colours: [`ColouringBound`].

use super::Cliques;
use super::tree::{Candidate, CliqueState};
use crate::digest::Digest;
use crate::hook::{Effect, Hook, Node, NodeMut, Verdict};
use crate::incumbent::{Incumbent, IncumbentId};

/// The bound of Tomita and Seki (2003) for a largest clique: a hook that cuts off a candidate
/// unless the clique with as many more vertices as the number of its colour would beat the
/// incumbent.
///
/// Those that a clique takes from candidates of k colours are at most k, one of each colour. The
/// bound is asked twice: before the step, by the colour of the candidate, and after it, when the
/// candidates that are left have got new and often fewer colours. Cost: a comparison each, the
/// colours are there.
///
/// ```
/// use secateurs::problems::clique::{Cliques, ColouringBound};
/// use secateurs::problems::dimacs;
/// use secateurs::{Effect, Search};
///
/// let cliques = Cliques::new(&dimacs::parse("p edge 4 4\ne 1 2\ne 2 3\ne 3 1\ne 3 4\n")?)?;
/// let size = Cliques::size();
/// size.incumbent().offer(2); // an edge is known: are there triangles?
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
}

impl ColouringBound {
    /// Compares with this incumbent, which is that of the [objective](Cliques::size) of the run.
    #[must_use]
    pub fn new(incumbent: &Incumbent<usize>) -> Self {
        ColouringBound { incumbent: incumbent.clone().declared() }
    }

    #[inline]
    fn judge(&mut self, state: &CliqueState, more: usize) -> Verdict {
        Verdict::keep_if(self.incumbent.is_beaten_by(&(state.size() + more)))
    }
}

impl Hook<Cliques> for ColouringBound {
    fn name(&self) -> &str {
        "colouring"
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

    fn follows_path(&self) -> bool {
        false
    }

    #[inline]
    fn admit(&mut self, node: &Node<'_, Cliques>, candidate: &Candidate) -> Verdict {
        self.judge(node.state(), candidate.colour())
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, Cliques>) -> Verdict {
        let colours = node.state().colours();
        self.judge(node.state(), colours)
    }
}
