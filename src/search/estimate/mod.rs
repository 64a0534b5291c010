//! How large a tree is that has not been searched: estimates from random probes.
//!
//! A search that will take a year looks just like one that will take a minute. But its size can be
//! estimated in a fraction of the time, by walking down at random and taking note of how many ways
//! there were.
//!
//! | to | use |
//! |---|---|
//! | know the size of a tree, by depth, in a moment | [`Search::estimate`] |
//! | be wrong by less, where equal depth and equally many children mean similar subtrees | [`Search::estimate_stratified`] |
//! | the same, if something else tells better which subtrees are similar | [`Search::estimate_stratified_by`] |
//!
//! # Random probes
//!
//! Knuth (1975, "Estimating the efficiency of backtrack programs") walks from the root to a leaf,
//! taking each of a node's children with the same probability. A node whose ancestors have b₀, b₁,
//! …, b₍ₖ₋₁₎ children is on the way with probability 1/(b₀b₁…b₍ₖ₋₁₎); if each node on the way
//! counts b₀b₁…b₍ₖ₋₁₎ nodes of its depth, then a probe counts each node of the tree once on
//! average. So the sum 1 + b₀ + b₀b₁ + … is an unbiased estimate of the size of the tree, whatever
//! the tree is, and so it is depth by depth. Many probes are made; their mean is the estimate, and
//! how they differ says how far it may be off.
//!
//! # Why the error can be huge
//!
//! The variance of a probe may be as large as the tree itself times its size. Where most of the
//! nodes are below a few children that a probe seldom takes, nearly all probes come to too little,
//! and one in a million to a million times too much. The mean is right *on average*, and almost
//! always too small; and as the error is computed from the same probes, it is too small as well.
//! That is why an [`Estimate`] says three things: the mean with its standard error; a number of
//! nodes that are there [at least](Estimate::at_least), which holds whatever the tree is; and how
//! much of the sum [one probe](Estimate::largest_share) makes up, which shows when the mean hangs
//! on luck. An estimate of which one probe makes up more than 5 %, or which is not of the tree that
//! a search would visit, is not [reliable](Estimate::is_reliable): quote the lower bound instead.
//!
//! Purdom (1978, "Tree size by partial backtracking") goes down more than one child at a node,
//! which helps where trees are deep and thin, and most ways end early. Chen goes further.
//!
//! # Stratified probes
//!
//! Chen (1992, "Heuristic sampling: a method for predicting the performance of tree searching
//! programs") has a *stratifier* say which nodes are similar, and goes down from one node of each
//! *stratum*. When a probe comes to a second node of a stratum, that one takes the place of the
//! first with a probability that follows from their weights, and has the weight of both from then
//! on. That is unbiased too, whatever the strata; and if nodes of a stratum have subtrees of equal
//! size, a single probe is exact. Here a stratum is a depth together with what the stratifier says,
//! so that no node is in the stratum of its ancestors, as Chen asks. With a stratum for each depth
//! alone, it is nearly Knuth's probe; with one for each node, it is the search.
//!
//! A stratified probe costs as many nodes as there are strata, times the children of a node, and
//! leads the hooks to each of its nodes by replay. Ask for a hundred or a thousand of them where
//! there would be ten thousand random ones, and compare what counts: the standard error, squared,
//! times the [time](Estimate::elapsed) taken. On n-queens, where nodes of equally many children are
//! not that similar, random probes win; where strata are nearly exact, nothing beats them.
//!
//! # What is estimated
//!
//! The tree that a search would visit, *after* pruning. The brancher and the hooks take part as in
//! a search: all children of a node are drawn, the hooks are asked to admit each, and enter the one
//! that is taken; one that is cut off on entering is a node without children. A bound that compares
//! with an incumbent compares with the value that it has, which the estimate
//! [says](Estimate::incumbent_hooks). (As a search improves it on the way, the tree of that search
//! is smaller than the one at the start, and larger than the one for the optimum.)
//!
//! A probe searches nothing to its end, so all nodes are left
//! [unfinished](crate::Hook::leave_unfinished), and hooks that remember what was searched [learn
//! nothing](Estimate::unlearned). Hooks that remember what they have met are [left
//! out](Estimate::left_out), for they would take the second probe for a repetition of the first.
//! Both is said in the estimate; the tree is smaller than estimated then.
//!
//! # Limits
//!
//! Time, cancellation, nodes (those that probes enter) and depth limit the probes as they do a
//! search. A probe that is broken off does not count, nor do those that went down together with it,
//! so that a tree without end, whose probes do not end, has no estimate unless its depth is
//! limited. Sizes are computed to the 16 digits of a double, far more than are known, and up to
//! 10¹⁴⁰ nodes: a probe that comes to more ends the run with [`Stop::CountOverflow`], and nothing
//! is estimated.

mod answer;
mod children;
mod moments;
mod pace;
mod probes;
mod strata;
mod table;

pub use answer::{Estimate, Estimated, EstimatedLevel, Sampling};

use super::meter::Meter;
use super::tree::SearchTree;
use super::{DepthFirst, Search, Settings};
use crate::brancher::Brancher;
use crate::hook::{HookMemory, Hooks, Node, Probing, Terms};
use crate::limits::{Limits, Stop};
use crate::problem::Problem;
use crate::report::Report;
use moments::Sums;
use probes::Prober;
use strata::{By, ByChildren, Sampler, Stratify};

/// A tree with hooks that go along with probes.
type Probed<'p, P, B, H> = SearchTree<'p, P, B, Probing<H>>;

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X> Search<'p, P, B, H, X, DepthFirst> {
    /// Estimates the size of the tree, from so many random probes (Knuth 1975); the same for the
    /// same seed, unless limits or progress are asked for in one case and not in the other: probes
    /// go down in other batches then.
    ///
    /// [`search::estimate`](crate::search::estimate) explains what is estimated, and why it may be
    /// far off.
    ///
    /// Cost a probe: the nodes on one way from the root to a leaf, with all the children of each
    /// drawn, about two or three times as much as a search takes over a node if that is next to
    /// nothing; but what is near the root is entered for many probes at a time. (10 000 probes of
    /// 14-queens on bit masks enter 0.3 % of its 27 million nodes, and take 0.9 % of its time:
    /// `cargo bench --bench ratios -- estimates`.) Under limits of nodes or time, a batch of probes
    /// that is broken off does not count. Memory: the children of the nodes on one way, of each to
    /// a limit.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(12)?.bits();
    /// let estimate = Search::new(&queens).estimate(10_000, 1);
    /// let nodes = estimate.nodes().ok_or("no probe was made")?;
    /// assert!((800_000.0..900_000.0).contains(&nodes.mean)); // in truth 856 189
    /// assert!(estimate.visited() < 100_000);
    ///
    /// // A hook that cuts off mirror images leaves about half of it.
    /// let mirrored = Search::new(&queens).hooks((Queens::mirror(),)).estimate(10_000, 1);
    /// assert!(mirrored.nodes().is_some_and(|half| half.mean < 0.55 * nodes.mean));
    /// println!("{estimate}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimate(self, probes: u64, seed: u64) -> Estimate {
        self.probed(Sampling::Probes, |tree, sums| {
            let mut prober = Prober::new(tree, seed);
            (prober.run(probes, sums), prober.pace.visited())
        })
    }

    /// Estimates the size of the tree, from so many stratified probes (Chen 1992); the same for the
    /// same seed. A stratum is the nodes of the same depth with the same number of children that
    /// are admitted.
    ///
    /// Cost a probe: the children of one node for each stratum, each entered and its own children
    /// drawn; for each stratum a replay of up to twice its depth in steps, less if neighbours have
    /// ancestors in common.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(10)?.bits();
    /// let error = |estimate: secateurs::search::Estimate| estimate.nodes().and_then(|nodes| nodes.standard_error);
    /// let random = error(Search::new(&queens).estimate(100, 1)).ok_or("no error")?;
    /// let stratified = error(Search::new(&queens).estimate_stratified(100, 1)).ok_or("no error")?;
    /// assert!(stratified < 0.8 * random); // for more nodes, though
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimate_stratified(self, probes: u64, seed: u64) -> Estimate {
        self.stratified(probes, seed, ByChildren)
    }

    /// [`estimate_stratified`](Search::estimate_stratified) with a stratifier: a stratum is the
    /// nodes of the same depth for which `stratum` gives the same. It is asked about nodes that may
    /// have children; the estimate is the better the more alike their subtrees are, and right on
    /// average whatever it gives.
    ///
    /// ```
    /// use secateurs::problems::queens::{BitQueens, Queens};
    /// use secateurs::{Node, Search};
    ///
    /// // As many queens and as many free squares on the next row.
    /// let queens = Queens::new(8)?.bits();
    /// let free = |node: &Node<'_, BitQueens>| (!node.state().attacked() & 0xff).count_ones();
    /// let estimate = Search::new(&queens).estimate_stratified_by(200, 1, free);
    /// assert!(estimate.nodes().is_some_and(|nodes| (1_950.0..2_150.0).contains(&nodes.mean))); // in truth 2057
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    pub fn estimate_stratified_by<K: Ord>(
        self,
        probes: u64,
        seed: u64,
        stratum: impl FnMut(&Node<'_, P>) -> K,
    ) -> Estimate {
        self.stratified(probes, seed, By(stratum))
    }

    fn stratified(
        self,
        probes: u64,
        seed: u64,
        stratify: impl Stratify<P, B, Probing<H>>,
    ) -> Estimate {
        self.probed(Sampling::Strata, |tree, sums| {
            let mut sampler = Sampler::new(tree, stratify, seed);
            (sampler.run(probes, sums), sampler.pace.visited())
        })
    }

    /// Runs probes, and makes an estimate of what they came to.
    fn probed(
        self,
        sampling: Sampling,
        run: impl FnOnce(&mut Probed<'p, P, B, H>, &mut Sums) -> (Stop, u64),
    ) -> Estimate {
        let terms = Terms { brancher: self.brancher.effect(), incumbent: None, depth_first: true };
        let Settings { limits, watcher, .. } = self.settings;
        let mut meter = Meter::new(Limits { solutions: None, ..limits }, watcher);
        // Probes know of no share that is done, and do not pause to tell it.
        meter.knows_fraction = false;
        let mut tree =
            SearchTree::new(self.problem, self.brancher, Probing(self.hooks), meter, terms, None);
        let mut sums = Sums::default();
        let (stop, visited) = run(&mut tree, &mut sums);
        let mut estimate = Estimate::new(sampling, &sums, stop, visited, tree.meter.elapsed());
        tree.hooks.each(&mut |hook| {
            let name = || hook.name().to_owned();
            match hook.memory() {
                HookMemory::Path => {}
                HookMemory::Searched => estimate.unlearned.push(name()),
                HookMemory::Visited => estimate.left_out.push(name()),
            }
            if hook.incumbent().is_some() {
                estimate.incumbent_hooks.push(name());
            }
        });
        if tree.brancher.memory() > HookMemory::Path {
            estimate.unlearned.push(Report::BRANCHER.to_owned());
        }
        estimate
    }
}
