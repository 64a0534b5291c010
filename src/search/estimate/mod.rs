//! wip

mod answer;
mod children;
mod moments;
mod probes;

pub use answer::{Estimate, Estimated, EstimatedLevel, Sampling};

use super::meter::Meter;
use super::tree::Tree;
use super::{DepthFirst, Search, Settings};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Memory, Probing, Terms};
use crate::limits::Limits;
use crate::problem::Problem;
use moments::Sums;
use probes::Prober;

type Probed<'p, P, B, H> = Tree<'p, P, B, Probing<H>>;

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X> Search<'p, P, B, H, X, DepthFirst> {
    /// Estimates the size of the tree.
    pub fn estimate(self, probes: u64, seed: u64) -> Estimate {
        self.probed(Sampling::Probes, |tree, sums| {
            let mut prober = Prober::new(tree, seed);
            (prober.run(probes, sums), prober.visited())
        })
    }

    fn probed(
        self,
        sampling: Sampling,
        run: impl FnOnce(&mut Probed<'p, P, B, H>, &mut Sums) -> (crate::Stop, u64),
    ) -> Estimate {
        let terms = Terms { brancher: self.brancher.effect(), incumbent: None };
        let Settings { limits, watcher, .. } = self.settings;
        let meter = Meter::new(Limits { solutions: None, ..limits }, watcher);
        let mut tree = Tree::new(self.problem, self.brancher, Probing(self.hooks), meter, terms, None);
        let mut sums = Sums::default();
        let (stop, visited) = run(&mut tree, &mut sums);
        let mut estimate = Estimate::new(sampling, &sums, stop, visited, tree.meter.elapsed());
        tree.hooks.each(&mut |hook| match hook.memory() {
            Memory::Path => {}
            Memory::Searched => estimate.unlearned.push(hook.name().to_owned()),
            Memory::Met => estimate.left_out.push(hook.name().to_owned()),
        });
        estimate
    }
}
