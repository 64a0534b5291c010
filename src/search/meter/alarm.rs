//! A watchdog thread for all searches of this process. It sets a flag when a deadline has passed or
//! a run is cancelled, so that the hot loop notices at the next node, however long nodes take.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The interval at which the conditions of all alarms are checked.
const TICK: Duration = Duration::from_millis(10);

/// Returns whether an alarm is to ring.
type Condition = Box<dyn Fn() -> bool + Send>;

/// An alarm that is set: its flag, and its condition.
struct ActiveAlarm {
    flag: Arc<AtomicBool>,
    condition: Condition,
}

/// The alarms that are set, and whether the watchdog thread runs.
struct Registry {
    alarms: Vec<ActiveAlarm>,
    is_running: bool,
}

/// The lock protects the list of alarms and the decision to start or end the watchdog thread, so
/// that a new alarm is never added to a list that no thread checks.
static REGISTRY: Mutex<Registry> = Mutex::new(Registry { alarms: Vec::new(), is_running: false });

fn lock() -> MutexGuard<'static, Registry> {
    // A poisoned lock is safe to use: alarms are added and removed as a whole.
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The alarm of one walk.
#[derive(Debug, Default)]
pub(crate) struct Alarm {
    flag: Arc<AtomicBool>,
    is_set: bool,
}

impl Alarm {
    /// Returns the flag that is set when the alarm rings.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Returns whether the alarm rings.
    #[inline]
    pub(crate) fn rings(&self) -> bool {
        // `Relaxed` suffices: the flag publishes no data. A walk that sees it checks the clock, the
        // cancel switch and the shared meter themselves, which have orderings of their own.
        self.flag.load(Ordering::Relaxed)
    }

    /// Sets the alarm to ring when the condition holds, unless it is set already.
    ///
    /// The watchdog thread checks the condition, and ends when no alarm is left. On platforms
    /// without threads, the alarm never rings.
    pub(crate) fn set(&mut self, condition: impl FnOnce() -> Condition) {
        if self.is_set {
            return;
        }
        self.is_set = true;
        let mut registry = lock();
        registry.alarms.push(ActiveAlarm { flag: self.flag(), condition: condition() });
        if !registry.is_running {
            registry.is_running =
                thread::Builder::new().name("secateurs-alarm".to_owned()).spawn(run).is_ok();
            if !registry.is_running {
                // Without a watchdog, each walk checks the clock between portions of fuel only, and
                // the next one that sets an alarm tries again to start the thread.
                registry.alarms.clear();
                self.is_set = false;
            }
        }
    }

    /// Clears the flag, so that the alarm can be set again.
    pub(crate) fn reset(&mut self) {
        // `Relaxed`: only the walk itself reads the flag, and the watchdog sets it again only after
        // `set` has registered a new condition under the lock.
        self.flag.store(false, Ordering::Relaxed);
        self.is_set = false;
    }
}

impl Registry {
    /// Checks all alarms, and removes those that ring or that no walk needs any more.
    fn check(&mut self) {
        self.alarms.retain(|ActiveAlarm { flag, condition }| {
            // Only the registry still holds the flag: the walk has been dropped.
            if Arc::strong_count(flag) == 1 {
                return false;
            }
            let rings = condition();
            if rings {
                // `Relaxed`: a hint to check the conditions, see `Alarm::rings`.
                flag.store(true, Ordering::Relaxed);
            }
            !rings
        });
    }
}

/// Checks all alarms until none is left.
fn run() {
    loop {
        thread::sleep(TICK);
        let mut registry = lock();
        registry.check();
        if registry.alarms.is_empty() {
            registry.is_running = false;
            return;
        }
    }
}

/// Tests of how many nodes lie between the tick at which an alarm rings and the end of a run. They
/// do not depend on the time, because a node stands in for the watchdog thread.
#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use std::hash::Hash;

    use super::*;
    use crate::diagram::DiagramProblem;
    use crate::hook::Node;
    use crate::search::Frontier;
    use crate::{Branch, Cancel, CopyProblem, Effect, Limits, Objective, Search, Stop, Verdict};

    /// A tree of which any call may cancel the run, and last until the next tick of the watchdog.
    /// All states differ.
    struct LongCalls {
        cancelled_at: u64,
        calls: AtomicU64,
        cancel: Cancel,
    }

    type Executor = fn(Search<'_, LongCalls>) -> Stop;

    impl LongCalls {
        fn call(&self) {
            if self.calls.fetch_add(1, Ordering::Relaxed) == self.cancelled_at {
                self.cancel.cancel();
                lock().check();
            }
        }

        fn number(&self, &(_, number): &(usize, u64)) -> u64 {
            self.call();
            number
        }
    }

    impl CopyProblem for LongCalls {
        type State = (usize, u64);
        type Cursor = u64;
        type Choice = u64;

        fn root(&self) -> Self::State {
            (0, 1)
        }
        fn branch(&self, &(depth, _): &Self::State) -> Branch<u64> {
            if depth == 4 { Branch::Solution } else { Branch::Inner(0) }
        }
        fn next(&self, _: &Self::State, cursor: &mut u64) -> Option<u64> {
            *cursor += 1;
            (*cursor <= 20).then_some(*cursor)
        }
        fn apply(&self, state: Self::State, &choice: &u64) -> Self::State {
            (state.0 + 1, self.number(&state) * 20 + choice)
        }
    }

    impl DiagramProblem for LongCalls {
        fn layer(&self, &(depth, _): &Self::State) -> usize {
            depth
        }
        fn key(&self, state: &Self::State) -> impl Hash + Eq {
            self.number(state)
        }
        fn merge(&self, state: &mut Self::State, other: &Self::State) {
            state.1 = state.1.max(self.number(other));
        }
        fn rank(&self, state: &Self::State) -> u64 {
            self.number(state) % 7
        }
    }

    /// Returns why a run ended that the call number `cancelled_at` has cancelled, and the number of
    /// calls.
    fn run(executor: Executor, cancelled_at: u64, limits: Limits) -> (Stop, u64) {
        let cancel = Cancel::new();
        let limits = limits.cancel(&cancel);
        let tree = LongCalls { cancelled_at, calls: AtomicU64::new(0), cancel };
        let stop = executor(Search::new(&tree).limits(limits));
        (stop, tree.calls.into_inner())
    }

    #[test]
    fn a_walk_visits_no_node_after_its_alarm_has_rung() {
        assert!(TICK <= Duration::from_millis(10), "promised by the documentation of `Limits`");
        // A call is made for each step only.
        let executors: [Executor; 5] = [
            |search| search.count().stop(),
            |search| search.threads(1).count().stop(),
            |search| search.breadth_first().count().stop(),
            |search| search.estimate(1 << 20, 1).stop(),
            |search| {
                let depth = Objective::maximise(|_: &LongCalls, &(depth, _)| depth);
                search.best_first(&depth, |_, _| 5).best(&depth).stop()
            },
        ];
        // After so many nodes, a walk gets fuel for up to thousands of nodes at once.
        for cancelled_at in [0, 1, 300, 25_000] {
            for (index, executor) in executors.into_iter().enumerate() {
                let found = run(executor, cancelled_at, Limits::new());
                assert_eq!(found, (Stop::Cancelled, cancelled_at + 1), "executor {index}");
            }
        }
    }

    #[test]
    fn a_walk_rejects_no_choice_after_its_alarm_has_rung() {
        type Rejecting<'r> = &'r mut dyn FnMut() -> Verdict;
        let executors: [fn(Search<'_, LongCalls>, Rejecting<'_>) -> Stop; 4] = [
            |search, reject| search.admit("none", Effect::Lossy, |_, _| reject()).count().stop(),
            |search, reject| {
                let none = |_: &Node<'_, LongCalls>, _: &u64| reject();
                search.admit("none", Effect::Lossy, none).breadth_first().count().stop()
            },
            |search, reject| {
                let depth = Objective::maximise(|_: &LongCalls, &(depth, _)| depth);
                let search = search.admit("none", Effect::Lossy, |_, _| reject());
                search.best_first(&depth, |_, _| 5).best(&depth).stop()
            },
            |search, reject| {
                // The children are those of a subtree of a frontier.
                let problem = search.problem;
                let mut frontier = Frontier::new();
                let root = Search::new(problem).limits(Limits::new().nodes(1));
                let _ = root.frontier(&mut frontier).count();
                let mut is_first = true;
                let search = search.admit("none", Effect::Lossy, |_, _| {
                    // One child is entered, so that the alarm is set.
                    let keeps = std::mem::take(&mut is_first);
                    if keeps { Verdict::Keep } else { reject() }
                });
                search.frontier(&mut frontier).count().stop()
            },
        ];
        for (index, run) in executors.iter().enumerate() {
            let cancel = Cancel::new();
            let limits = Limits::new().cancel(&cancel);
            let tree = LongCalls { cancelled_at: u64::MAX, calls: AtomicU64::new(0), cancel };
            let mut rejected = 0;
            let stop = run(Search::new(&tree).limits(limits), &mut || {
                rejected += 1;
                if rejected == 10 {
                    tree.cancel.cancel();
                    lock().check();
                }
                Verdict::Prune
            });
            assert_eq!((stop, rejected), (Stop::Cancelled, 10), "executor {index}");
        }
    }

    #[test]
    fn a_walk_ends_in_the_middle_of_a_wide_layer() {
        const WIDTH: usize = 300;
        // Layers have up to 6,000 nodes before they are reduced.
        let executors: [Executor; 4] = [
            |search| search.beam(WIDTH, LongCalls::number).count().stop(),
            |search| {
                let value = Objective::maximise(LongCalls::number);
                search.restricted(&value, WIDTH).best(&value).stop()
            },
            |search| {
                let value = Objective::maximise(|_: &LongCalls, &(_, number)| number % 1_000);
                let rough = |calls: &LongCalls, state: &_| 1_000 + calls.number(state) % 10;
                search.diagrams(&value, WIDTH).rough(rough).best(&value).stop()
            },
            |search| {
                let value = Objective::maximise(LongCalls::number);
                search.diagrams(&value, WIDTH).cut_width(2).best(&value).stop()
            },
        ];
        for (index, executor) in executors.into_iter().enumerate() {
            let run = |cancelled_at| run(executor, cancelled_at, Limits::new().nodes(60_000));
            let (_, calls) = run(u64::MAX);
            assert!(calls > 15_000, "executor {index}: {calls} calls");
            for cancelled_at in (0..calls).step_by(calls as usize / 30) {
                let (stop, made) = run(cancelled_at);
                assert_eq!(stop, Stop::Cancelled, "executor {index}, {cancelled_at} of {calls}");
                // A merged state is compared with all others of its layer at once.
                let most = cancelled_at + 2 * WIDTH as u64;
                assert!(made <= most, "executor {index}: {made} of {calls}, from {cancelled_at}");
            }
        }
    }
}
