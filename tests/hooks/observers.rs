//! Observers see what the report counts, in every kind of walk.

use std::sync::{Arc, Mutex};

use secateurs::hook::{Observed, Observer};
use secateurs::{Effect, Hook, Node, NodeMut, Report, Search, Verdict, hook};

use crate::support::trees::RandomTree;

/// The numbers of calls of an observer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Calls {
    hooks: Vec<String>,
    /// By hook: the children that it did not admit, and the nodes that it cut off on entering.
    cuts: [[u64; 2]; 2],
    sibling_cuts: u64,
    entered: u64,
    solutions: u64,
    finished: u64,
}

/// An observer whose clones count together. The lock protects the counts of several threads.
#[derive(Clone, Default)]
struct Counter(Arc<Mutex<Calls>>);

impl Counter {
    fn count(&self, count: impl FnOnce(&mut Calls)) {
        count(&mut self.0.lock().expect("no thread panics"));
    }
}

impl Observer<RandomTree> for Counter {
    fn begin(&mut self, hooks: &[&str]) {
        self.count(|calls| calls.hooks = hooks.iter().map(ToString::to_string).collect());
    }
    fn not_admitted(&mut self, _: &Node<'_, RandomTree>, _: &u32, hook: usize, siblings: bool) {
        self.count(|calls| {
            calls.cuts[hook][0] += 1;
            calls.sibling_cuts += u64::from(siblings);
        });
    }
    fn entered(&mut self, _: &Node<'_, RandomTree>, cut: Option<usize>) {
        self.count(|calls| {
            calls.entered += 1;
            cut.into_iter().for_each(|hook| calls.cuts[hook][1] += 1);
        });
    }
    fn solution(&mut self, _: &Node<'_, RandomTree>) {
        self.count(|calls| calls.solutions += 1);
    }
    fn left(&mut self, _: &Node<'_, RandomTree>, is_finished: bool) {
        self.count(|calls| calls.finished += u64::from(is_finished));
    }
}

/// Returns a hook that does not admit some children, and one that cuts off some nodes.
fn hooks() -> (impl Hook<RandomTree> + Clone, impl Hook<RandomTree> + Clone) {
    let admit = |node: &Node<'_, RandomTree>, &child: &u32| match node.depth() as u32 + child {
        sum if sum % 4 == 3 => Verdict::PruneSiblings,
        sum => Verdict::prune_if(sum % 5 == 4),
    };
    let enter = |node: &mut NodeMut<'_, RandomTree>| {
        Verdict::prune_if(node.state().iter().sum::<u32>() % 5 == 3)
    };
    (hook::admit("admit", Effect::Lossy, admit), hook::enter("enter", Effect::Lossy, enter))
}

/// Returns the calls that an observer should have seen of a run.
fn expected(report: &Report) -> Calls {
    let cuts = [0, 1].map(|hook| {
        let cuts = report.hooks()[hook].cuts_in_total();
        [cuts.admit, cuts.enter]
    });
    Calls {
        hooks: report.hooks().iter().map(|hook| hook.name().to_owned()).collect(),
        cuts,
        sibling_cuts: report.hooks()[0].sibling_cuts(),
        entered: report.nodes(),
        solutions: report.solutions(),
        finished: report.nodes() - cuts[0][1] - cuts[1][1],
    }
}

#[test]
fn observers_see_what_the_report_counts() {
    let mut seen = [0; 3];
    for seed in 0..40 {
        let tree = RandomTree::new(seed, 5, 6);
        let search =
            |counter: &Counter| Search::new(&tree).hooks(Observed::new(counter.clone(), hooks()));
        let unobserved = Search::new(&tree).hooks(hooks()).count();

        let alone = Counter::default();
        let outcome = search(&alone).count();
        assert_eq!(outcome.value(), unobserved.value());
        assert_eq!(outcome.report().levels(), unobserved.report().levels());
        let calls = alone.0.lock().expect("no thread panics").clone();
        assert_eq!(calls, expected(outcome.report()), "seed {seed}");
        seen[0] += calls.cuts[0][0];
        seen[1] += calls.cuts[1][1];
        seen[2] += calls.sibling_cuts;

        let [breadth_first, threads] = [(); 2].map(|()| Counter::default());
        for (outcome, counter) in [
            (search(&breadth_first).breadth_first().count(), breadth_first),
            (search(&threads).threads(2).count(), threads),
        ] {
            let calls = counter.0.lock().expect("no thread panics").clone();
            let expected = Calls { finished: 0, ..expected(outcome.report()) };
            assert_eq!(Calls { finished: 0, ..calls }, expected);
        }
    }
    assert!(seen.iter().all(|&cuts| cuts > 0), "each kind of cut occurs: {seen:?}");
}
