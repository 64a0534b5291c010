//! wip

mod answer;
mod children;
mod moments;
mod pace;
mod probes;
mod strata;
mod table;

pub use answer::{Estimate, Estimated, EstimatedLevel, Sampling};

use super::meter::Meter;
use super::tree::Tree;
use super::{DepthFirst, Search, Settings};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Memory, Node, Probing, Terms};
use crate::limits::Limits;
use crate::problem::Problem;
use moments::Sums;
use probes::Prober;
use strata::{By, ByChildren, Sampler, Stratify};

type Probed<'p, P, B, H> = Tree<'p, P, B, Probing<H>>;

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X> Search<'p, P, B, H, X, DepthFirst> {
    /// Estimates the size of the tree.
    pub fn estimate(self, probes: u64, seed: u64) -> Estimate {
        self.probed(Sampling::Probes, |tree, sums| {
            let mut prober = Prober::new(tree, seed);
            (prober.run(probes, sums), prober.pace.visited())
        })
    }

    /// Estimates the size of the tree.
    pub fn estimate_stratified(self, probes: u64, seed: u64) -> Estimate {
        self.stratified(probes, seed, ByChildren)
    }

    /// Estimates the size of the tree.
    pub fn estimate_stratified_by<K: Ord>(
        self,
        probes: u64,
        seed: u64,
        stratum: impl FnMut(&Node<'_, P>) -> K,
    ) -> Estimate {
        self.stratified(probes, seed, By(stratum))
    }

    fn stratified(self, probes: u64, seed: u64, stratify: impl Stratify<P, B, Probing<H>>) -> Estimate {
        self.probed(Sampling::Strata, |tree, sums| {
            let mut sampler = Sampler::new(tree, stratify, seed);
            (sampler.run(probes, sums), sampler.pace.visited())
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
