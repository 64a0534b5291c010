//! Audits of sweeps: [`SweepAudit`].
//!
//! Files, in reading order:
//!
//! - `layers.rs`: all layers of the sweep without hooks.
//! - `evidence.rs`: the data shared by all checks, and the completions of each state.
//! - `claims.rs`: checks of hooks on single states and layers, and of dominance relations.
//! - `whole.rs`: checks of the whole sweep with all hooks.

mod claims;
mod evidence;
mod layers;
mod whole;

use std::fmt;

use claims::{NamedDominance, Relation};
use evidence::{Evidence, Show, WeightSource};
use layers::{BoxedHooks, Layers};
use secateurs::plug::algebra::Weight;
use secateurs::plug::{ContourProblem, StateDominance, Sweep, SweepHook};
use secateurs::{Direction, Effect, Limits};

use super::coverage::{Coverage, GapReason, Sampler};
use super::violation::{Loss, Violation};

/// The default maximal number of states of a layer.
const MAX_STATES: u64 = 1 << 16;

/// The number of random weights that are tried if no weight is given.
const RANDOM_WEIGHTS: u64 = 4;

/// The builder of an audit of a sweep: a contour problem, and the hooks and dominance relations to
/// audit.
///
/// The audit builds all layers of the sweep *without* hooks, and counts the completions of each
/// state from the last layer. Then it checks the claim of each hook at every one of these states,
/// whether or not a sweep with the hook would reach it:
///
/// - A [preserving](secateurs::Effect::Preserving) filter must not drop a state with a completion.
/// - A preserving canonicaliser must not replace a state by one with another number of completions,
///   or, if it [keeps labels](SweepHook::keeps_labels), with other words of labels.
/// - For dominance ([`BestState`](secateurs::plug::BestState),
///   [`Antichain`](secateurs::plug::Antichain), or any hook that calls
///   [`dominate`](secateurs::plug::Thinning::dominate)), each word of labels that leads the dropped
///   state to an end must lead the dominating state to an end that is as good.
/// - If no hook is lossy or a constraint and all keep labels, a sweep with all of them must find a
///   solution of the best weight. Weights are [given](SweepAudit::weight), or drawn at random for
///   each label and cell, so that a hook whose claim is about one weight needs that weight. (Hooks
///   that keep representatives are only checked with a given weight.)
///
/// Hooks that cannot be [combined](SweepHook#hooks-together) are a violation by themselves, because
/// their combination claims nothing.
///
/// ```
/// use secateurs::plug::code::Labels;
/// use secateurs::plug::{ContourProblem, SweepHook};
/// use secateurs::Verdict;
/// use secateurs_lab::{Loss, SweepAudit};
/// use secateurs_problems::catalogue::{Grid, SpanningForests, spanning_trees};
///
/// /// A wrong hook: it merges two components that are both on the contour.
/// struct Merge;
///
/// impl SweepHook<SpanningForests> for Merge {
///     fn name(&self) -> &str {
///         "merge"
///     }
///     fn enter(&self, _: &SpanningForests, _: usize, state: &mut Labels<u64>) -> Verdict {
///         if state.has(2) {
///             *state = state.relabelled(2, 1).canonical();
///         }
///         Verdict::Keep
///     }
/// }
///
/// let trees = spanning_trees(&Grid::new(2, 3)?);
/// let violation = SweepAudit::new(&trees).hook(Merge).run().unwrap_err();
/// assert_eq!(violation.hook(), "merge");
/// assert!(matches!(violation.loss(), Loss::Joined { .. }));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
///
/// Labels are compared by their `Debug` output, and sets of words by a fingerprint, which has a
/// collision with a probability of about 10⁻¹⁶.
///
/// # Cost
///
/// The whole sweep without hooks is kept in memory, with all transitions, at a few hundred bytes
/// per state. The audit is meant for small instances, which show most errors. If a layer has more
/// states than the [limits](SweepAudit::limits) allow, or its states may not
/// [fit](ContourProblem::fits) into their type, nothing is checked, and the coverage records this.
#[must_use = "nothing is audited until it is run"]
pub struct SweepAudit<'a, P: ContourProblem> {
    problem: &'a P,
    weights: Option<WeightSource<'a, P>>,
    by_weight_alone: bool,
    hooks: BoxedHooks<'a, P>,
    relations: Vec<Box<dyn Relation<P> + 'a>>,
    show: Show<'a, P>,
    limits: Limits,
    sampler: Sampler,
}

impl<'a, P: ContourProblem> SweepAudit<'a, P> {
    /// Creates an audit of the sweeps of a contour problem.
    pub fn new(problem: &'a P) -> Self {
        SweepAudit {
            problem,
            weights: None,
            by_weight_alone: false,
            hooks: Vec::new(),
            relations: Vec::new(),
            show: Box::new(|_, _, state| format!("{state:?}")),
            limits: Limits::new().states(MAX_STATES),
            sampler: Sampler::new(1.0, 0),
        }
    }

    /// Sets the weight that defines the best solutions, for hooks that claim to keep one of them.
    /// In checks of dominance, it also decides whether one end is as good as another.
    pub fn weight(mut self, direction: Direction, weight: impl Weight<P> + 'a) -> Self {
        self.weights = Some(WeightSource::Given(direction, Box::new(weight)));
        self
    }

    /// Weakens the check of dominance: the dominating state only needs a completion whose
    /// [weight](SweepAudit::weight) is as good, by any word of labels. It has no effect if no
    /// weight is given.
    pub fn by_weight_alone(mut self) -> Self {
        self.by_weight_alone = true;
        self
    }

    /// Adds a hook to audit, after those already added.
    ///
    /// A [constraint](SweepHook::is_constraint) defines the solutions and preserves none, so its
    /// actions count as unchecked. To audit other hooks beside it, make it part of the problem.
    pub fn hook(mut self, hook: impl SweepHook<P> + 'a) -> Self {
        self.hooks.push(Box::new(hook));
        self
    }

    /// Checks the [laws of dominance](StateDominance#laws) on every layer: the relation is
    /// transitive, a state that covers another one has no smaller key, all keys are different, and
    /// a covering state can do everything that the covered one can. All pairs of up to 60 states of
    /// each layer are compared; from larger layers, 60 states are drawn at random.
    ///
    /// ```
    /// use secateurs::Direction;
    /// use secateurs_lab::SweepAudit;
    /// use secateurs_problems::rocket_mania::{Containment, Fuses, Mode, Rockets};
    ///
    /// let case = &Mode::Single.cases("1\nLTL\nT-L\n")?[0];
    /// let fuses = Fuses::<u64>::new(case);
    /// let coverage = SweepAudit::new(&fuses)
    ///     .weight(Direction::Maximise, Rockets)
    ///     .dominance("containment", Containment)
    ///     .run()?;
    /// assert!(coverage.pairs.checked > 0 && coverage.is_exhaustive());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dominance(
        mut self,
        name: impl Into<String>,
        dominance: impl StateDominance<P> + 'a,
    ) -> Self {
        self.relations.push(Box::new(NamedDominance { name: name.into(), dominance }));
        self
    }

    /// Sets how states are printed. The second argument is the cell that was swept last. Default:
    /// `Debug`.
    pub fn show(mut self, show: impl Fn(&P, usize, P::State) -> String + 'a) -> Self {
        self.show = Box::new(show);
        self
    }

    /// Sets the maximal number of [states](Limits::states) of a layer. Default: 65,536. Other
    /// limits are ignored.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Checks only a random share, from 0 to 1, of the actions of hooks. The seed makes it
    /// reproducible.
    pub fn share(mut self, share: f64, seed: u64) -> Self {
        self.sampler = Sampler::new(share, seed);
        self
    }

    /// Runs the sweep and all checks.
    ///
    /// # Errors
    /// Returns the first violation. Relations are checked before hooks, and single states before
    /// the whole sweep.
    pub fn run(self) -> Result<Coverage, Violation> {
        let SweepAudit {
            problem,
            weights,
            by_weight_alone,
            hooks,
            relations,
            show,
            limits,
            sampler,
        } = self;
        let borrowed: Vec<&(dyn SweepHook<P> + 'a)> = hooks.iter().map(|hook| &**hook).collect();
        // A sweep over no cell reports whether the hooks can be combined.
        let report = Sweep::new(problem)
            .hooks(borrowed)
            .limits(Limits::new().depth(0))
            .count()
            .into_parts()
            .1;
        if !report.conflicts().is_empty() {
            let loss = Loss::Conflict { reasons: report.conflicts().to_vec() };
            return Err(Violation::new("the hooks together", loss, Vec::new()));
        }
        // States have indexes of 32 bits, and a layer is found too large only after the successors
        // of a state were added.
        let max_states =
            limits.max_states().unwrap_or(MAX_STATES).min(u64::from(u32::MAX >> 1)) as usize;
        let layers = match Layers::new(problem, &hooks, max_states) {
            Ok(layers) => layers,
            Err(reason) => {
                let mut coverage = Coverage::of_one();
                coverage.omit(reason, "the sweep without hooks", 1);
                return Ok(coverage);
            }
        };
        let mut evidence = Evidence::new(problem, layers, weights, by_weight_alone, show, sampler);
        let mut coverage = Coverage::default();
        if hooks.is_empty() && relations.is_empty() {
            coverage.omit(GapReason::NoSubject, "the audit", 1);
        }
        relations.iter().try_for_each(|relation| relation.check(&evidence, &mut coverage))?;
        evidence.check_actions(&hooks)?;
        evidence.check_thinning(&hooks)?;
        if !hooks.is_empty() {
            let random: Vec<WeightSource<'_, P>>;
            let sources: Vec<&WeightSource<'_, P>> = match &evidence.given {
                Some((given, _)) => vec![given],
                None => {
                    random = (0..RANDOM_WEIGHTS).map(WeightSource::Random).collect();
                    random.iter().collect()
                }
            };
            for weights in sources {
                match evidence.check_whole(&hooks, weights)? {
                    Some(pairs) => {
                        coverage.pairs += pairs;
                        let too_large = pairs.of - pairs.checked;
                        coverage.omit(GapReason::TooLarge, "the whole sweep", too_large);
                    }
                    // The hooks together claim nothing about the whole sweep, whatever the weights
                    // are, so that no other weights are tried. Preserving hooks were already
                    // checked at each state.
                    None => {
                        for hook in hooks.iter().filter(|hook| hook.effect() != Effect::Preserving)
                        {
                            coverage.omit(GapReason::Unclaimed, hook.name(), 1);
                        }
                        break;
                    }
                }
            }
        }
        coverage += evidence.coverage;
        coverage.assert_explained();
        Ok(coverage)
    }
}

impl<P: ContourProblem> fmt::Debug for SweepAudit<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hooks: Vec<_> = self.hooks.iter().map(|hook| hook.name()).collect();
        f.debug_struct("SweepAudit").field("hooks", &hooks).finish_non_exhaustive()
    }
}
