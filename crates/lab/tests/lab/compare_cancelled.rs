//! Cancelled comparisons: what they run, keep and report.

use std::cell::{Cell, RefCell};

use secateurs::{Cancel, Limits, Search};
use secateurs_lab::{Answer, Compare, CompareError, Contender, Trial};
use secateurs_problems::queens::BitQueens;

use crate::comparisons::plain;
use crate::support::problems::queens;

#[test]
fn cancellation_ends_the_comparison() {
    let cancel = Cancel::new();
    let limits = Limits::new().cancel(&cancel);
    let stopper = Contender::new("stops", |queens: &BitQueens, limits| {
        cancel.cancel();
        Search::new(queens).limits(limits).count()
    });
    let cancelled = Compare::of("8", queens(8))
        .contender(stopper)
        .contender(plain("never"))
        .limits(limits)
        .run();
    assert_eq!(cancelled.expect_err("cancelled"), CompareError::Cancelled);
}

#[test]
fn cancellation_does_not_hide_a_disagreement() {
    let compare = |cancel_in_counted_run: bool| {
        let cancel = Cancel::new();
        let cancel_if = |condition: bool| {
            if condition {
                cancel.cancel();
            }
        };
        let wrong = |queens: &BitQueens, limits| {
            let report = Search::new(queens).limits(limits).count().report().clone();
            Trial::new(Answer::Proven("5".to_owned()), report)
        };
        let watched = Contender::new("watched", |queens: &BitQueens, limits| {
            cancel_if(!cancel_in_counted_run);
            Search::new(queens).limits(limits).count()
        })
        .counted(|queens: &BitQueens, limits| {
            cancel_if(cancel_in_counted_run);
            Search::new(queens).limits(limits).count()
        });
        Compare::of("6", queens(6))
            .contenders([plain("plain"), Contender::new("wrong", wrong), watched])
            .limits(Limits::new().cancel(&cancel))
            .run()
    };
    for in_counted_run in [false, true] {
        let found = compare(in_counted_run);
        assert!(matches!(found, Err(CompareError::Disagreement(_))), "{in_counted_run}: {found:?}");
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
            Contender::new(name, move |queens: &BitQueens, limits| {
                count.set(count.get() + 1);
                if count.get() == stop_at {
                    cancel.cancel();
                }
                Search::new(queens).limits(limits).count()
            })
        };
        let done = Cell::new((0, 0));
        let sizes = (4..7).map(|size| (size.to_string(), queens(size)));
        let comparison = Compare::over(sizes)
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
        let count = |queens: &BitQueens, limits| Search::new(queens).limits(limits).count();
        let run = move |queens: &BitQueens, limits| {
            call(name);
            count(queens, limits)
        };
        Contender::new(name, run).counted(move |queens, limits| {
            call('+');
            count(queens, limits)
        })
    };
    let result = Compare::over((4..7).map(|size| (size.to_string(), queens(size))))
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
        let cancel = Cancel::new();
        let runs = Cell::new(0);
        let contender = |name: &str| {
            let (cancel, runs) = (&cancel, &runs);
            Contender::new(name, move |queens: &BitQueens, limits| {
                let report = Search::new(queens).limits(limits).count().report().clone();
                runs.set(runs.get() + 1);
                let answer = if runs.get() == cancel_at {
                    cancel.cancel();
                    "5"
                } else {
                    "4"
                };
                Trial::new(Answer::Proven(answer.to_owned()), report)
            })
        };
        let found = Compare::of("6", queens(6))
            .contenders([contender("one"), contender("other")])
            .limits(Limits::new().cancel(&cancel))
            .rounds(2)
            .run();
        assert!(matches!(found, Err(CompareError::Disagreement(_))), "{cancel_at}: {found:?}");
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
        let comparison = Compare::of("10 queens", queens(10))
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
    let comparison = Compare::over([6, 7].map(|size| (size.to_string(), queens(size))))
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
