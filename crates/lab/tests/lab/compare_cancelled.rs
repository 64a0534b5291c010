//! Cancelled comparisons: what they run, keep and report.

use std::cell::{Cell, RefCell};

use secateurs::{Cancel, Limits, Search};
use secateurs_lab::{CompareError, Contender};
use secateurs_problems::queens::BitQueens;

use crate::comparisons::{boards, claim, counting_after, disagreement, plain, proven};

#[test]
fn cancellation_ends_the_comparison() {
    let cancel = Cancel::new();
    let compare = boards("", [8])
        .contender(counting_after("stops", || cancel.cancel()))
        .contender(plain("never"))
        .limits(Limits::new().cancel(&cancel));
    assert_eq!(compare.run().expect_err("cancelled"), CompareError::Cancelled);
}

#[test]
fn cancellation_does_not_hide_a_disagreement() {
    for in_counted_run in [false, true] {
        let cancel = Cancel::new();
        let cancel_if = |condition: bool| {
            if condition {
                cancel.cancel();
            }
        };
        let wrong = |queens: &BitQueens, limits| claim(proven("5"), queens, limits);
        let watched = counting_after("watched", || cancel_if(!in_counted_run)).counted(
            |queens: &BitQueens, limits| {
                cancel_if(in_counted_run);
                Search::new(queens).limits(limits).count()
            },
        );
        let contenders = [plain("plain"), Contender::new("wrong", wrong), watched];
        let limits = Limits::new().cancel(&cancel);
        let _ = disagreement(boards("", [6]).contenders(contenders).limits(limits));
    }
}

#[test]
fn a_cancelled_comparison_keeps_what_it_has_measured() {
    // The comparison is cancelled during the first round, or during the second.
    for (stop_at, instances, runs) in [(4, 1, [1, 1]), (8, 3, [2, 1])] {
        let cancel = Cancel::new();
        let limits = Limits::new().cancel(&cancel);
        let count = Cell::new(0);
        let stops = |name: &str| {
            let (cancel, count) = (&cancel, &count);
            counting_after(name, move || {
                count.set(count.get() + 1);
                if count.get() == stop_at {
                    cancel.cancel();
                }
            })
        };
        let done = Cell::new((0, 0));
        let comparison = boards("", 4..7)
            .contenders([stops("one"), stops("other")])
            .limits(limits)
            .rounds(2)
            .progress(|progress| done.set((progress.done, progress.runs)))
            .run()
            .expect("measured on some instances");
        assert!(comparison.is_cancelled());
        assert_eq!(comparison.instances().len(), instances);
        assert_eq!(done.get(), (stop_at - 1, 12));
        let mut times: Vec<usize> = comparison
            .contenders()
            .iter()
            .map(|contender| contender.runs()[0].times().len())
            .collect();
        times.sort_unstable_by(|one, other| other.cmp(one));
        assert_eq!(times, runs);
        let note = format!("Cancelled: measured on {instances} of 3 instances");
        assert!(comparison.to_string().contains(&note), "{comparison}");
    }
}

/// Returns the calls of a comparison of two contenders on boards of three sizes, in two rounds. A
/// call is the progress callback (`?`), the run of a contender, or the counted run of one (`+`).
/// The call of number `cancel_at` sets the cancel switch; with 0 it is set from the start.
fn calls_until_cancelled(cancel_at: usize) -> String {
    let cancel = Cancel::new();
    let calls = RefCell::new(String::new());
    let call = |name: char| {
        calls.borrow_mut().push(name);
        if calls.borrow().len() == cancel_at {
            cancel.cancel();
        }
    };
    if cancel_at == 0 {
        cancel.cancel();
    }
    let contender = |name: char| {
        counting_after(&name.to_string(), move || call(name)).counted(
            move |queens: &BitQueens, limits| {
                call('+');
                Search::new(queens).limits(limits).count()
            },
        )
    };
    let result = boards("", 4..7)
        .contenders([contender('a'), contender('b')])
        .limits(Limits::new().cancel(&cancel))
        .rounds(2)
        .progress(|_| call('?'))
        .run();
    // Six calls measure the first instance.
    match result {
        Ok(comparison) => assert!(comparison.is_cancelled() && cancel_at > 6),
        Err(error) => assert!(error == CompareError::Cancelled && cancel_at <= 6, "{error}"),
    }
    calls.into_inner()
}

#[test]
fn nothing_is_run_after_the_cancellation() {
    // The second instance is visited backwards; the second round starts with the second order.
    let all = "?a+?b+?b+?a+?b+?a+?b?a?b?a?a?b";
    for cancel_at in 0..=all.len() {
        assert_eq!(calls_until_cancelled(cancel_at), all[..cancel_at], "call {cancel_at}");
    }
}

#[test]
fn a_proof_of_the_cancelled_run_is_compared() {
    // The switch is set during the run that contradicts an earlier one, in either round.
    for cancel_at in [2, 4] {
        let (cancel, runs) = (Cancel::new(), Cell::new(0));
        let contender = |name: &str| {
            Contender::new(name, |queens: &BitQueens, limits| {
                runs.set(runs.get() + 1);
                let is_last = runs.get() == cancel_at;
                if is_last {
                    cancel.cancel();
                }
                claim(proven(if is_last { "5" } else { "4" }), queens, limits)
            })
        };
        let contenders = [contender("one"), contender("other")];
        let limits = Limits::new().cancel(&cancel);
        let _ = disagreement(boards("", [6]).contenders(contenders).limits(limits).rounds(2));
    }
}

#[test]
fn estimates_that_were_made_before_the_cancellation_are_kept() {
    // The switch is set by the progress callback before an estimate, or during the estimate. The
    // third one repeats an earlier one with more probes.
    let moments = [(1, true), (1, false), (2, true), (2, false), (3, true), (3, false), (4, false)];
    for (cancel_at, in_callback) in moments {
        let cancel = Cancel::new();
        let estimates = Cell::new(0);
        let contender = |name: &str| {
            let (cancel, estimates) = (&cancel, &estimates);
            plain(name).estimated(move |queens, probes, seed| {
                estimates.set(estimates.get() + 1);
                if estimates.get() == cancel_at {
                    cancel.cancel();
                }
                Search::new(queens).limits(Limits::new().cancel(cancel)).estimate(probes, seed)
            })
        };
        let calls = Cell::new(0);
        let comparison = boards("", [10])
            .contenders([contender("one"), contender("other")])
            .limits(Limits::new().nodes(1000).cancel(&cancel))
            .rounds(1)
            .progress(|_| {
                calls.set(calls.get() + 1);
                // Both runs come first.
                if in_callback && calls.get() == 2 + cancel_at {
                    cancel.cancel();
                }
            })
            .run()
            .expect("both were run");
        let kept = comparison
            .contenders()
            .iter()
            .filter(|contender| contender.runs()[0].estimate().is_some());
        assert_eq!(kept.count(), (cancel_at - 1).min(2), "{cancel_at}, {in_callback}");
        // There is no fourth estimate.
        assert_eq!(comparison.is_cancelled(), cancel_at < 4, "{cancel_at}, {in_callback}");
        assert_eq!(estimates.get(), if in_callback { cancel_at - 1 } else { cancel_at.min(3) });
    }
}

#[test]
fn a_comparison_that_lacks_nothing_is_not_marked_as_cancelled() {
    let cancel = Cancel::new();
    let comparison = boards("", [6, 7])
        .contender(plain("plain"))
        .limits(Limits::new().cancel(&cancel))
        .tally("all", |_, _| {
            cancel.cancel();
            true
        })
        .run()
        .expect("measured");
    assert!(!comparison.is_cancelled());
    assert_eq!(comparison.contenders()[0].tally("all"), Some(2));
}
