//! Audits of sweeps: [`SweepAudit`].

mod claims;
mod evidence;
mod futures;
mod layers;
mod relations;
mod whole;

use std::fmt;

use super::coverage::Coverage;
use super::ledger::Sampler;
use super::violation::Violation;
use crate::hook::Effect;
use crate::incumbent::Direction;
use crate::limits::Limits;
use crate::plug::algebra::Weight;
use crate::plug::{ContourProblem, StateDominance, SweepHook};
use evidence::{Evidence, Show};
use futures::Weighing;
use layers::{Hooks, Layers};
use relations::{Named, Relation};

/// A layer has at most so many states, unless told otherwise.
const STATES: u64 = 1 << 16;

/// Where no weight is given, sweeps are weighed by this many that are drawn.
const WEIGHTS: u64 = 4;

/// An audit of a sweep that is being set up: a profile, and the hooks and relations that are put to
/// the test.
///
/// The layers of a sweep *without* hooks are made, and what can still become of each of their
/// states is counted from the end. Then each hook is held to its claim at every one of those
/// states, whether or not a sweep would come there with it:
///
/// | what | claims | is broken if |
/// |---|---|---|
/// | a filter | [`Preserving`](crate::Effect::Preserving) | it drops a state from which a way leads to an end |
/// | a canonicaliser | `Preserving` | it replaces a state by one with another number of ways to an end, or, if it [keeps labels](SweepHook::keeps_labels), with other words of labels |
/// | dominance ([`BestState`](crate::plug::BestState), [`Antichain`](crate::plug::Antichain), or any hook that says [`dominate`](crate::plug::Thinning::dominate)) | [`OptimumOnly`](crate::Effect::OptimumOnly) | some word of labels leads the dropped state to an end, and the state for which it is dropped to none that is as good |
/// | any of them | `Representatives` or `OptimumOnly` | a sweep with all hooks together does not find the best weight: the one that is [given](SweepAudit::weight), or some that are drawn at random for each label and cell |
///
/// ```
/// use secateurs::lab::{Loss, SweepAudit};
/// use secateurs::plug::code::Labels;
/// use secateurs::plug::{ContourProblem, SweepHook};
/// use secateurs::problems::catalogue::{Grid, SpanningForests, spanning_trees};
/// use secateurs::Verdict;
///
/// /// Two components that are both on the contour might as well be one?
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
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
///
/// Labels are told apart by what `Debug` prints of them; sets of words by a fingerprint, which
/// takes different ones for the same once in 10¹⁶ times.
///
/// # Cost
///
/// The sweep without hooks, in memory as a whole, with all transitions: some hundred bytes for
/// each. It is for small boards, which is where mistakes are seen. If a layer has more states than
/// the [limits](SweepAudit::limits) allow, nothing is checked, and the coverage says so.
#[must_use = "nothing is audited until it is run"]
pub struct SweepAudit<'a, P: ContourProblem> {
    profile: &'a P,
    weighing: Option<Weighing<'a, P>>,
    by_weight_alone: bool,
    hooks: Hooks<'a, P>,
    relations: Vec<Box<dyn Relation<P> + 'a>>,
    show: Show<'a, P>,
    limits: Limits,
    share: (f64, u64),
}

impl<'a, P: ContourProblem> SweepAudit<'a, P> {
    /// Of the sweeps of a profile.
    pub fn new(profile: &'a P) -> Self {
        SweepAudit {
            profile,
            weighing: None,
            by_weight_alone: false,
            hooks: Vec::new(),
            relations: Vec::new(),
            show: Box::new(|_, _, state| format!("{state:?}")),
            limits: Limits::new().states(STATES),
            share: (1.0, 0),
        }
    }

    /// Which solutions are the best, for hooks that claim to keep one of those. Ends are compared
    /// by what this weight says of them.
    pub fn weight(mut self, direction: Direction, weight: impl Weight<P> + 'a) -> Self {
        self.weighing = Some(Weighing::Given(direction, Box::new(weight)));
        self
    }

    /// Holds dominance to less: it is enough if the better state comes to as good a
    /// [weight](SweepAudit::weight) as the worse one, by whatever labels.
    pub fn by_weight_alone(mut self) -> Self {
        self.by_weight_alone = true;
        self
    }

    /// Adds a hook, behind those that there are.
    pub fn hook(mut self, hook: impl SweepHook<P> + 'a) -> Self {
        self.hooks.push(Box::new(hook));
        self
    }

    /// Holds a relation to the [laws of dominance](StateDominance#laws), on every layer: it is
    /// transitive, keys do not rise, no two states have the same key, and what covers another state
    /// can do all that it can. Of a layer, all pairs of 60 states are looked at, or of 60 that are
    /// drawn if there are more.
    ///
    /// ```
    /// use secateurs::Direction;
    /// use secateurs::lab::SweepAudit;
    /// use secateurs::problems::rocket_mania::{Containment, Fuses, Mode, Rockets};
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
        self.relations.push(Box::new(Named { name: name.into(), dominance }));
        self
    }

    /// Prints states in another way than by `Debug`; the cell is the one that was swept last.
    pub fn show(mut self, show: impl Fn(&P, usize, P::State) -> String + 'a) -> Self {
        self.show = Box::new(show);
        self
    }

    /// How many [states](Limits::states) a layer may have, in place of 65 536. No other limit is
    /// looked at.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Checks only a random share of what the hooks do to states, from 0 to 1, drawn from this
    /// seed.
    pub fn share(mut self, share: f64, seed: u64) -> Self {
        self.share = (share, seed);
        self
    }

    /// Sweeps, and checks all that the hooks do.
    ///
    /// # Errors
    /// What was broken first: relations come before hooks, states one by one before the sweep as a
    /// whole.
    pub fn run(self) -> Result<Coverage, Violation> {
        let SweepAudit {
            profile,
            weighing,
            by_weight_alone,
            hooks,
            relations,
            show,
            limits,
            share,
        } = self;
        let most = limits.states.unwrap_or(STATES).min(u64::from(u32::MAX >> 1)) as usize;
        let Ok(layers) = Layers::new(profile, &hooks, most) else {
            return Ok(Coverage { unfinished: 1, ..Coverage::of_one() });
        };
        let sampler = Sampler::new(share.0, share.1);
        let mut evidence = Evidence::new(profile, layers, weighing, by_weight_alone, show, sampler);
        let mut coverage = Coverage::default();
        relations.iter().try_for_each(|relation| relation.check(&evidence, &mut coverage))?;
        evidence.check_actions(&hooks)?;
        evidence.check_thinning(&hooks)?;
        if !hooks.is_empty() {
            let drawn: Vec<Weighing<'_, P>>;
            let weighings: Vec<&Weighing<'_, P>> = match &evidence.given {
                Some((given, _)) => vec![given],
                None => {
                    drawn = (0..WEIGHTS).map(Weighing::Drawn).collect();
                    drawn.iter().collect()
                }
            };
            for weighing in weighings {
                match evidence.check_whole(&hooks, weighing)? {
                    Some(pairs) => {
                        coverage.pairs += pairs;
                        coverage.too_large += pairs.of - pairs.checked;
                    }
                    // Labels that are not kept have no weight; counts have been looked at state by
                    // state.
                    None => {
                        let weaker =
                            hooks.iter().filter(|hook| hook.effect() != Effect::Preserving).count();
                        coverage.unclaimed += weaker as u64;
                    }
                }
            }
        }
        coverage += evidence.coverage;
        Ok(coverage)
    }
}

impl<P: ContourProblem> fmt::Debug for SweepAudit<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hooks: Vec<_> = self.hooks.iter().map(|hook| hook.name()).collect();
        f.debug_struct("SweepAudit").field("hooks", &hooks).finish_non_exhaustive()
    }
}
