//! Audits of constraint networks: propagation belongs to the problem, or is audited itself.

use secateurs::{Effect, NodeMut, Verdict, hook};
use secateurs_csp::symmetry::ValuePrecedence;
use secateurs_csp::{
    Ascending, Branching, Domains, Model, Network, Propagate, Propagator, PropagatorScratch,
    SmallestDomain, Variable, Wipeout, maximise,
};
use secateurs_lab::{Audit, Loss};

/// The flaw of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    None,
    /// It removes one value too many.
    TakesTooMuch,
    /// It never checks whether it holds.
    Blind,
}

/// The constraint `x < y`.
#[derive(Debug)]
struct Less {
    variables: [Variable; 2],
    flaw: Flaw,
}

impl Propagator for Less {
    fn name(&self) -> &str {
        "less"
    }
    fn scope(&self) -> &[Variable] {
        &self.variables
    }
    fn holds(&self, values: &[i32]) -> bool {
        values[0] < values[1]
    }
    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Result<(), Wipeout> {
        let [x, y] = self.variables;
        if self.flaw == Flaw::Blind {
            return Ok(());
        }
        if let Some(most) = domains.max(y) {
            domains.at_most(x, most - 1 - i32::from(self.flaw == Flaw::TakesTooMuch))?;
        }
        if let Some(least) = domains.min(x) {
            domains.at_least(y, least + 1)?;
        }
        Ok(())
    }
}

fn chain(flaw: Flaw) -> Network {
    let mut model = Model::new();
    let variables = model.variables(4, 0..8).expect("small");
    for pair in variables.windows(2) {
        model.propagator(Less { variables: [pair[0], pair[1]], flaw }).expect("known");
    }
    model.build()
}

#[test]
fn flawed_propagators_are_unsound() {
    for level in [
        Propagate::backward(),
        Propagate::forward(),
        Propagate::arc_consistency(),
        Propagate::full(),
    ] {
        let coverage = Audit::of_count(&chain(Flaw::None)).hook(level).run().expect("right");
        assert!(
            coverage.is_exhaustive() && coverage.tightenings.checked + coverage.cuts.checked > 0,
            "{coverage}"
        );
    }
    let violation = Audit::of_count(&chain(Flaw::TakesTooMuch))
        .hook(Propagate::full())
        .run()
        .expect_err("wrong");
    assert_eq!(violation.hook(), "full propagation");
    assert!(matches!(violation.loss(), Loss::Solutions { .. }), "{violation}");
    assert_eq!(violation.exhibits().len(), 2);
    let violation =
        Audit::of_count(&chain(Flaw::Blind)).hook(Propagate::full()).run().expect_err("wrong");
    assert!(matches!(violation.loss(), Loss::Surplus { .. }), "{violation}");
}

#[test]
fn values_that_do_not_beat_the_incumbent_may_be_lost() {
    let things = [(6, 10), (3, 5), (4, 7), (2, 3)];
    let mut model = Model::new();
    let taken = model.variables(things.len(), 0..=1).expect("small");
    let worth = model.variable(0..=25).expect("small");
    let terms = |of: fn((i64, i64)) -> i64| {
        taken.iter().zip(things).map(move |(&taken, thing)| (of(thing), taken))
    };
    model.linear(terms(|(weight, _)| weight), ..=10).expect("known");
    model.linear(terms(|(_, worth)| worth).chain([(-1, worth)]), 0..=0).expect("known");
    let network = model.build();
    let (objective, better) = maximise(worth);
    let coverage = Audit::of_best(&network, &objective)
        .hook(better)
        .hook(Propagate::full())
        .run()
        .expect("sound");
    assert!(coverage.is_exhaustive() && coverage.tightenings.checked > 0, "{coverage}");
    // A hook that requires much more than a better value is unsound.
    let (objective, _) = maximise(worth);
    let mut incumbent = objective.incumbent().clone();
    let greedy =
        hook::enter("much better", Effect::OptimumOnly, move |node: &mut NodeMut<'_, Network>| {
            let bound = incumbent.latest().map_or(0, |best| best + 9);
            Verdict::prune_if(node.state_mut().at_least(worth, bound).is_err())
        });
    let violation =
        Audit::of_best(&network, &objective).problem_hook(Propagate::full).hook(greedy).run();
    assert!(matches!(violation.expect_err("too greedy").loss(), Loss::Optimum { .. }));
}

/// Returns a ring of countries in three colours. If `one_is_special`, the first country may not
/// have the last colour.
fn ring(one_is_special: bool) -> (Network, Vec<Variable>) {
    let mut model = Model::new();
    let countries = model.variables(6, 0..3).expect("small");
    for index in 0..6 {
        model.different(countries[index], countries[(index + 1) % 6]).expect("known");
    }
    if one_is_special {
        model.restrict(countries[0], |colour| colour < 2).expect("known");
    }
    (model.build(), countries)
}

#[test]
fn value_precedence_requires_interchangeable_values() {
    let audit = |one_is_special| {
        let (network, countries) = ring(one_is_special);
        let order = || Branching::new(SmallestDomain::first_tie(), Ascending);
        let orbit = move |network: &Network, domains: &Domains| {
            // Colours are renamed in the order of their first country.
            let assignment = network.assignment(domains).expect("a solution");
            let mut names: Vec<i32> = Vec::new();
            let name = |&colour: &i32| {
                names.iter().position(|&name| name == colour).unwrap_or_else(|| {
                    names.push(colour);
                    names.len() - 1
                })
            };
            assignment.values().iter().map(name).collect::<Vec<_>>()
        };
        Audit::of_count(&network)
            .problem_hook(Propagate::forward)
            .brancher(order)
            .orbits(orbit)
            .hook(ValuePrecedence::new(&countries, 0..3))
            .run()
    };
    let coverage = audit(false).expect("right");
    assert!(coverage.is_exhaustive() && coverage.tightenings.checked > 0, "{coverage}");
    assert!(audit(true).is_err());
}
