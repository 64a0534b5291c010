//! Audits of the bounds for maximum cliques.

use secateurs_lab::{Audit, Coverage, Violation};
use secateurs_problems::clique::{CliqueState, Cliques, ColouringBound, Refinement};
use secateurs_problems::graph::Graph;

fn random(vertices: usize, percent: u32, seed: u64) -> Cliques {
    let mut random = fastrand::Rng::with_seed(seed);
    let pairs = (0..vertices).flat_map(|to| (0..to).map(move |from| (from, to)));
    let graph = Graph::from_edges(vertices, pairs.filter(|_| random.u32(..100) < percent));
    Cliques::new(&graph.expect("a small graph")).expect("a small graph")
}

/// Audits a hook, and the number of vertices and of colours less `less` as a bound.
fn audit(
    cliques: &Cliques,
    refinement: Option<Refinement>,
    less: usize,
) -> Result<Coverage, Violation> {
    let size = Cliques::size();
    let bound = ColouringBound::new(size.incumbent());
    let bound = match refinement {
        Some(refinement) => bound.refined(refinement),
        None => bound,
    };
    let most = move |_: &Cliques, state: &CliqueState| state.size() + state.colours() - less;
    Audit::of_best(cliques, &size).hook(bound).bound("colours", most).run()
}

#[test]
fn refined_bounds_prune_no_larger_clique() {
    for refinement in [None, Some(Refinement::Recolouring), Some(Refinement::InfraChromatic)] {
        let mut cuts = 0;
        for seed in 0..60 {
            let cliques = random(6 + seed as usize % 6, 40 + seed as u32 % 50, seed);
            let coverage = audit(&cliques, refinement, 0).expect("a sound bound");
            cuts += coverage.cuts.checked;
        }
        assert!(cuts > 300, "{cuts} cuts by {refinement:?}");
    }
}

#[test]
fn a_bound_below_the_number_of_colours_is_found() {
    let complete = Cliques::new(&Graph::complete(5).expect("a graph")).expect("a small graph");
    let violation = audit(&complete, Some(Refinement::InfraChromatic), 1).expect_err("unsound");
    assert_eq!(violation.hook(), "colours");
}
