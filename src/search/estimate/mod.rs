//! Estimates of the size of a tree from random probes, without searching it.
//!
//! Nothing in the first seconds of a search shows whether it will take a minute or a year. But the
//! size of its tree can be estimated in a fraction of that time, by random descents that record the
//! number of children at each node.
//!
//! - [`Search::estimate`]: the size of a tree, by depth, in a short time.
//! - [`Search::estimate_stratified`]: with a smaller error, if nodes with the same depth and number
//!   of children have similar subtrees.
//! - [`Search::estimate_stratified_by`]: the same, with another criterion for similar subtrees.
//! - [`Search::estimate_within`], [`Search::estimate_within_by`]: from a given number of entered
//!   nodes, with types of nodes that are derived or supplied. Mostly the best choice.
//!
//! # Random probes
//!
//! Knuth (1975, "Estimating the efficiency of backtrack programs") descends from the root to a
//! leaf, taking each child of a node with the same probability. A node whose ancestors have b₀, b₁,
//! …, b₍ₖ₋₁₎ children is reached with probability 1/(b₀b₁…b₍ₖ₋₁₎). If each node on the path counts
//! as b₀b₁…b₍ₖ₋₁₎ nodes of its depth, a probe counts each node of the tree once on average. The sum
//! 1 + b₀ + b₀b₁ + … is therefore an unbiased estimate of the size of any tree, and each term is
//! one for its depth. The estimate is the mean over many probes, and their variance determines its
//! error.
//!
//! # Why the error can be huge
//!
//! The variance of a probe may far exceed the square of the size of the tree. If most nodes are
//! below a few children that a probe seldom takes, nearly all probes amount to too little, and one
//! in a million to a million times too much. The mean is right *on average*, but almost always too
//! small; and the error, computed from the same probes, is too small as well. An [`Estimate`]
//! therefore says three things: the mean with its standard error; a number of nodes that the tree
//! has [at least](Estimate::at_least), which holds for every tree; and the part of the sum that
//! [one probe](Estimate::largest_share) contributes, which shows whether the mean depends on luck.
//! If one probe contributes more than 5 %, if the probes have a [heavy tail](#heavy-tails), or if a
//! search would visit another tree, the estimate is not [reliable](Estimate::is_reliable): quote
//! the lower bound instead.
//!
//! Purdom (1978, "Tree size by partial backtracking") descends into more than one child per node,
//! which helps in deep and narrow trees where most paths end early. Chen goes further.
//!
//! # Stratified probes
//!
//! Chen (1992, "Heuristic sampling: a method for predicting the performance of tree searching
//! programs") uses a *stratifier* that says which nodes are similar, and expands one node of each
//! *stratum*. When a probe reaches a second node of a stratum, that node replaces the first with a
//! probability that follows from their weights, and the survivor gets both weights. The estimate is
//! unbiased for any strata. If nodes of a stratum have subtrees of equal size, a single probe is
//! exact. Here a stratum consists of a depth and the value of the stratifier, so that no node is in
//! the stratum of an ancestor, as Chen requires. With one stratum per depth, the method is close to
//! Knuth's; with one per node, it is a complete search.
//!
//! A stratified probe costs as many expansions as there are strata, and moves the hooks to each
//! expanded node by replay. Make a hundred or a thousand of them instead of ten thousand random
//! probes, and compare the squared standard error times the [time](Estimate::elapsed). On n-queens,
//! where nodes with equally many children are not very similar, random probes win; where strata are
//! nearly exact, stratified probes win by far.
//!
//! # Type systems and learnt sizes
//!
//! Lelis, Zilles and Holte (2013, "Predicting the size of IDA*'s search tree") call the stratifier
//! a *type system*. [`Search::estimate_within`] derives the types of a depth from the number of
//! admitted children. [`Search::estimate_within_by`] takes a function of the state that returns the
//! type; the number of remaining candidates is often a good one, and for branch and bound the gap
//! between bound and incumbent. Both learn the mean size of subtrees by type from pilot probes, and
//! keep more nodes where large subtrees are expected. The pilot probes also determine how many
//! types and nodes a probe can afford, so that the run enters about as many nodes as it may.
//!
//! The estimate is unbiased for any types. If the type is a poor one, as the number of children is
//! for a knapsack, it can be far too small.
//!
//! # Intervals
//!
//! The sizes that probes amount to are skewed: they spread over orders of magnitude, and large ones
//! are rare. [`Estimate::interval`] therefore uses the *logarithms* of the means of up to ten
//! groups of probes. If s² is their variance and n the number of groups, the logarithm of the
//! estimate has the standard error √(s²/n + s⁴/(2(n − 1))); the second term is the uncertainty of a
//! mean whose distribution is skewed (Cox's method for lognormal means, in the form of Olsson 2005,
//! "Confidence intervals for the mean of a log-normal distribution"). The ends of the interval are
//! the mean divided and multiplied by e to the power of that error times the 95 % quantile of
//! Student's t. The test `predictions` measures how often it contains the truth.
//!
//! # Heavy tails
//!
//! If the sizes of subtrees follow a power law, so do those of probes: P(X > x) decreases like
//! x⁻ᵅ. For α ≤ 2 the variance is infinite, and the interval above, computed from the probes at
//! hand, is too narrow and too low. The largest probes tell α: 1/α is the mean of ln(x/u) over the
//! M probes x above a threshold u (Hill 1975, "A simple general approach to inference about the
//! tail of a distribution"). As in the diagnosis of importance sampling, of which random probes are
//! an instance, M is the minimum of n/5 and 3√n for n probes (Vehtari, Simpson, Gelman, Yao and
//! Gabry 2024, "Pareto smoothed importance sampling"), and at most 1024. An estimate is reliable
//! only if 1/α is at most 1/2 with a confidence of 90 %, and M at least 4.
//!
//! [`Estimate::interval`] then leaves room for what lies beyond the largest probe: its upper end is
//! multiplied by 1 + 3b/S, where S is the sum of all probes and b the expected sum of values beyond
//! the quantile 1 − 1/n of that power law, u·(M^(1/α)/(1 − 1/α) − 1).
//!
//! Learnt sizes come from few, large probes. There, the values are those of the representatives
//! that were drawn among others: the nodes that each of them stands for, descendants included. The
//! depth with the largest b decides.
//!
//! `FULL=1 cargo test --release --test search -- --nocapture power_laws` prints how often
//! intervals contain the size of trees whose subtrees follow power laws with exponents from 0.7
//! to 2, by depth and by breadth (35 kinds of trees, twelve of each, three seeds, 200 and 1,000
//! probes or an equivalent effort):
//!
//! | method | covered | reliable | covered if reliable |
//! |---|---:|---:|---:|
//! | [`Search::estimate`] | 76 % | 4 % | 92 % |
//! | [`Search::estimate_stratified`] | 74 % | 5 % | 91 % |
//! | [`Search::estimate_within`] | 78 % | 8 % | 93 % |
//! | [`Search::estimate_within_by`] | 83 % | 17 % | 97 % |
//!
//! Of 1,000 probes of eight to twelve queens, nearly all estimates are reliable, and nine of ten
//! intervals contain the size.
//!
//! # What is estimated
//!
//! The tree that a search would visit, *after* pruning. The brancher and the hooks take part as in
//! a search: all children of a node are drawn, the hooks are asked to admit each, and they enter
//! the one that is taken. A child that is pruned on entering counts as a node without children. A
//! bound that compares with an incumbent compares with its current value, which the estimate
//! [reports](Estimate::incumbent_hooks). A search improves the incumbent: its tree is smaller than
//! that for the first value, often by orders of magnitude, and a little larger than that for the
//! optimum. So find a good solution first, by [`Anytime`](crate::search::Anytime) for example, and
//! estimate then. The probes themselves offer nothing: a sample of a large tree hardly ever
//! contains a solution that is nearly optimal.
//!
//! A probe exhausts no subtree. All nodes are left [unfinished](crate::Hook::leave_unfinished), and
//! hooks that remember what was searched [learn nothing](Estimate::unlearned). Hooks that remember
//! visited nodes are [left out](Estimate::left_out), because they would take the second probe for a
//! repetition of the first. The estimate reports both; the tree is then smaller than estimated.
//!
//! # Limits
//!
//! Limits of time, nodes (those that probes enter) and depth, and cancellation apply to probes as
//! they do to a search. An interrupted probe does not count, nor do the other probes of its batch;
//! an infinite tree, whose probes do not end, therefore has no estimate unless its depth is
//! limited. Sizes are computed in double precision, which is far more accurate than the estimates,
//! and up to 10¹⁴⁰ nodes. A probe that amounts to more ends the run with [`Stop::CountOverflow`],
//! and nothing is estimated.

mod answer;
mod drawing;
mod learned;
mod moments;
mod probes;
mod stratified;
mod table;

pub use answer::{Estimate, Estimated, EstimatedLevel, Sampling};

use super::builder::{Search, Settings};
use super::depth_first::DepthFirst;
use super::meter::Meter;
use super::tree::SearchTree;
use crate::brancher::Brancher;
use crate::hook::{HookMemory, Hooks, Node, Terms};
use crate::limits::{Limits, Stop};
use crate::problem::Problem;
use crate::report::Report;
use learned::ByExpectedSize;
use moments::Sums;
use probes::Prober;
use stratified::{ByChildren, ByClosure, OnePerStratum, Sampler, Stratify};

/// A search tree whose hooks take part in probes.
type Probed<'p, P, B, H> = SearchTree<'p, P, B, <H as Hooks<P>>::Probing>;

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X> Search<'p, P, B, H, X, DepthFirst> {
    /// Estimates the size of the tree from random probes (Knuth 1975). The same seed gives the same
    /// result, unless limits or progress reports are set in one case and not in the other, which
    /// changes the size of batches.
    ///
    /// [`search::estimate`](crate::search::estimate) explains what is estimated, and why the error
    /// may be large.
    ///
    /// Cost per probe: the nodes on one path from the root to a leaf, with all children of each
    /// drawn. That is two or three times the time per node of a search where a node is very cheap;
    /// but nodes near the root are entered once for many probes. (10,000 probes of 14-queens on bit
    /// masks enter 0.3 % of its 27 million nodes, and take 0.9 % of its time: `cargo bench --bench
    /// ratios -- estimates`.) Under limits of nodes or time, an interrupted batch of probes does
    /// not count. Memory: the children of the nodes on one path, up to a limit for each.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(12)?.bits();
    /// let estimate = Search::new(&queens).estimate(10_000, 1);
    /// let nodes = estimate.nodes().ok_or("no probe was made")?;
    /// assert!((800_000.0..900_000.0).contains(&nodes.mean)); // exactly 856,189
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
            (prober.run(probes, sums), prober.probe_meter.visited())
        })
    }

    /// Estimates the size of the tree from stratified probes (Chen 1992). The same seed gives the
    /// same result. A stratum consists of the nodes with the same depth and the same number of
    /// admitted children.
    ///
    /// Cost per probe: for each stratum, the children of one node, each entered and its own
    /// children drawn; and a replay of up to twice its depth in steps, less if neighbours have
    /// common ancestors.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(10)?.bits();
    /// let error = |estimate: secateurs::search::Estimate| {
    ///     estimate.nodes().and_then(|nodes| nodes.standard_error)
    /// };
    /// let random = error(Search::new(&queens).estimate(100, 1)).ok_or("no error")?;
    /// let stratified = error(Search::new(&queens).estimate_stratified(100, 1)).ok_or("no error")?;
    /// assert!(stratified < 0.8 * random); // but it has entered more nodes
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimate_stratified(self, probes: u64, seed: u64) -> Estimate {
        self.stratified(probes, seed, ByChildren)
    }

    /// Estimates like [`estimate_stratified`](Search::estimate_stratified), but with a custom
    /// stratifier: a stratum consists of the nodes of the same depth with the same value of
    /// `stratum`, which is called for nodes that may have children. The more similar the subtrees
    /// within a stratum, the better the estimate; it is unbiased in any case.
    ///
    /// ```
    /// use secateurs::{Node, Search};
    /// use secateurs_problems::queens::{BitQueens, Queens};
    ///
    /// // As many queens and as many free squares on the next row.
    /// let queens = Queens::new(8)?.bits();
    /// let free = |node: &Node<'_, BitQueens>| (!node.state().attacked() & 0xff).count_ones();
    /// let estimate = Search::new(&queens).estimate_stratified_by(200, 1, free);
    /// let nodes = estimate.nodes().map(|nodes| nodes.mean);
    /// assert!(nodes.is_some_and(|nodes| (1_950.0..2_150.0).contains(&nodes))); // it has 2057
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn estimate_stratified_by<K: Ord>(
        self,
        probes: u64,
        seed: u64,
        stratum: impl FnMut(&Node<'_, P>) -> K,
    ) -> Estimate {
        self.stratified(probes, seed, ByClosure(stratum))
    }

    fn stratified(
        self,
        probes: u64,
        seed: u64,
        stratify: impl Stratify<P, B, H::Probing>,
    ) -> Estimate {
        self.probed(Sampling::Strata, |tree, sums| {
            let mut sampler = Sampler::new(tree, stratify, OnePerStratum::default(), seed);
            (sampler.run(probes, sums), sampler.probe_meter.visited())
        })
    }

    /// Estimates the size of the tree from stratified probes that enter about `nodes` nodes in all,
    /// and learn the sizes of subtrees by type. The same seed gives the same result. The types of a
    /// depth are [derived](crate::search::estimate#type-systems-and-learnt-sizes) from numbers of
    /// children.
    ///
    /// At least three probes are made, each of at least one path. To enter fewer nodes, set a
    /// [limit](crate::Limits::nodes). Memory: the nodes that one probe enters, mostly less than a
    /// quarter of `nodes`.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(12)?.bits(); // 856,189 nodes
    /// let estimate = Search::new(&queens).estimate_within(8_000, 1);
    /// let (from, to) = estimate.interval().ok_or("fewer than two probes")?;
    /// assert!(500_000.0 < from && to < 1_500_000.0, "{from} to {to}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimate_within(self, nodes: u64, seed: u64) -> Estimate {
        self.within(nodes, seed, ByChildren)
    }

    /// Estimates like [`estimate_within`](Search::estimate_within), with a custom type system: the
    /// nodes of the same depth with the same value of `types` should have subtrees of similar size.
    /// Types that are neighbours in the order of `K` are merged if there are many. `types` is
    /// called for nodes that may have children.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::knapsack::{Knapsack, Filling};
    ///
    /// // The gap between bound and optimum, and the room, both by powers of two.
    /// let knapsack = Knapsack::strongly_correlated(37, 1000, 167)?;
    /// let value = Knapsack::objective();
    /// let bound = || value.bound("relaxation", Knapsack::relaxation);
    /// let search = || Search::new(&knapsack).hook(bound());
    /// let optimum = search().best(&value).proven().copied().ok_or("no optimum")?;
    /// let types = |filling: &Filling| {
    ///     let gap = knapsack.relaxation(filling).saturating_sub(optimum);
    ///     ((1 + gap).ilog2(), (1 + filling.room).ilog2())
    /// };
    /// let estimate = search().estimate_within_by(20_000, 1, |node| types(node.state()));
    /// let nodes = estimate.nodes().ok_or("no probe was made")?;
    /// let counted = search().count().report().nodes();
    /// assert!((0.5..2.0).contains(&(nodes.mean / counted as f64)), "{nodes:?}, {counted}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimate_within_by<K: Ord + Clone>(
        self,
        nodes: u64,
        seed: u64,
        types: impl FnMut(&Node<'_, P>) -> K,
    ) -> Estimate {
        self.within(nodes, seed, ByClosure(types))
    }

    fn within<S: Stratify<P, B, H::Probing, Stratum: Clone>>(
        self,
        nodes: u64,
        seed: u64,
        stratify: S,
    ) -> Estimate {
        self.probed(Sampling::Learned, |tree, sums| {
            let mut sampler = Sampler::new(tree, stratify, ByExpectedSize::new(), seed);
            (sampler.run_within(nodes, sums), sampler.probe_meter.visited())
        })
    }

    /// Runs probes, and makes an estimate from their sums.
    fn probed(
        self,
        sampling: Sampling,
        run: impl FnOnce(&mut Probed<'p, P, B, H>, &mut Sums) -> (Stop, u64),
    ) -> Estimate {
        let terms = Terms { incumbent: None, depth_first: true, strategy: None };
        let Settings { limits, watcher, .. } = self.settings;
        let mut meter = Meter::new(Limits { solutions: None, ..limits }, watcher);
        // Probes do not know the share of the tree that is done, and do not pause to report it.
        meter.knows_fraction = false;
        let hooks = self.hooks.probing();
        let mut tree = SearchTree::new(self.problem, self.brancher, hooks, meter, terms, None);
        let mut sums = Sums::default();
        let recording = tree.reads.begin();
        let (stop, visited) = run(&mut tree, &mut sums);
        recording.end(&mut tree.reads);
        let mut estimate = Estimate::new(sampling, &sums, stop, visited, tree.meter.elapsed());
        tree.hooks.each(&mut |hook| {
            let name = || hook.name().to_owned();
            match hook.memory() {
                HookMemory::Nothing | HookMemory::Path => {}
                HookMemory::Searched => estimate.unlearned.push(name()),
                HookMemory::Visited | HookMemory::PathAndVisited => {
                    estimate.left_out.push(name());
                }
            }
            if hook.incumbent().is_some() {
                estimate.incumbent_hooks.push(name());
            }
        });
        if tree.brancher.memory() > HookMemory::Path {
            estimate.unlearned.push(Report::BRANCHER.to_owned());
        }
        if tree.brancher.incumbent().is_some() {
            estimate.incumbent_hooks.push(Report::BRANCHER.to_owned());
        }
        if !tree.undeclared_reads().is_empty() {
            estimate.incumbent_hooks.push("an undeclared read".to_owned());
        }
        estimate
    }
}

impl<P: Problem, B, H, X, S> Search<'_, P, B, H, X, S> {
    /// Adds an [estimate](crate::search::estimate) of the tree that this search visits to the
    /// [prediction](crate::search::Progress::nodes_left) of what is left. Several estimates can be
    /// added.
    ///
    /// Siblings often have subtrees of very different sizes, so that the explored share of a tree
    /// predicts little. If a search takes an hour, an estimate of some seconds tells much more. An
    /// estimate that a search exceeds is ignored from then on, and so is one of [another
    /// tree](crate::search::Estimate::left_out). For an optimisation, an estimate knows only the
    /// incumbent at its time. A search that continues from a
    /// [frontier](crate::search::Frontier) visits only a part of the tree: do not add an estimate
    /// of the whole.
    ///
    /// ```
    /// use std::time::Duration;
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(10)?.bits(); // 35,539 nodes
    /// let estimate = Search::new(&queens).estimate(1_000, 1);
    /// let mut first = None;
    /// let progress = |progress: &secateurs::search::Progress| {
    ///     first = first.or(progress.nodes_left());
    /// };
    /// let outcome = Search::new(&queens)
    ///     .estimated_size(&estimate)
    ///     .progress(Duration::ZERO, progress)
    ///     .fraction()
    ///     .count();
    /// assert_eq!(outcome.exact(), Some(724));
    /// let left = first.ok_or("no report")?;
    /// assert!((30_000.0..40_000.0).contains(&left.estimate));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimated_size(mut self, estimate: &Estimate) -> Self {
        if let Some((nodes, factor)) = estimate.size_of_same_tree() {
            self.settings.sizes.push((nodes, factor));
            if let Some(watcher) = &mut self.settings.watcher {
                watcher.expect(nodes, factor);
            }
        }
        self
    }
}
