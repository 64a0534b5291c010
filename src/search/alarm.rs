//! A clock beside the searches of this process: it sets a flag when a deadline has passed or a
//! switch was thrown, so that the hot loop notices it at the next node, however long nodes take.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often the conditions of all alarms are looked at.
const TICK: Duration = Duration::from_millis(10);

/// Whether an alarm is to ring.
type Condition = Box<dyn Fn() -> bool + Send>;

/// An alarm that has been set: its flag, and when it is to ring.
struct Set {
    flag: Arc<AtomicBool>,
    condition: Condition,
}

/// The alarms that have been set, and whether a thread looks at them.
struct Watch {
    set: Vec<Set>,
    is_running: bool,
}

static WATCH: Mutex<Watch> = Mutex::new(Watch { set: Vec::new(), is_running: false });

fn lock() -> MutexGuard<'static, Watch> {
    // Alarms are added and removed as a whole.
    WATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The alarm of one walk.
#[derive(Default)]
pub(super) struct Alarm {
    flag: Arc<AtomicBool>,
    is_set: bool,
}

impl Alarm {
    /// The flag that is set when it rings. Relaxed loads will do: who sees it looks at the
    /// conditions themselves.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Whether it rings.
    #[inline]
    pub(super) fn rings(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Lets it ring when the condition holds, unless it has been set before.
    ///
    /// The condition is looked at by a thread that ends when no alarm is left. Where there are no
    /// threads, it never rings.
    pub(super) fn set(&mut self, condition: impl FnOnce() -> Condition) {
        if self.is_set {
            return;
        }
        self.is_set = true;
        let mut watch = lock();
        watch.set.push(Set { flag: self.flag(), condition: condition() });
        if !watch.is_running {
            watch.is_running =
                thread::Builder::new().name("secateurs-alarm".to_owned()).spawn(run).is_ok();
            if !watch.is_running {
                watch.set.clear();
            }
        }
    }

    /// It has been heard.
    pub(super) fn silence(&mut self) {
        self.flag.store(false, Ordering::Relaxed);
        self.is_set = false;
    }
}

impl fmt::Debug for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Alarm").field("rings", &self.rings()).finish_non_exhaustive()
    }
}

/// Looks at all alarms until there are none.
fn run() {
    loop {
        thread::sleep(TICK);
        let mut watch = lock();
        watch.set.retain(|Set { flag, condition }| {
            // Nobody but this thread has the flag of a walk that is gone.
            if Arc::strong_count(flag) == 1 {
                return false;
            }
            let rings = condition();
            if rings {
                flag.store(true, Ordering::Relaxed);
            }
            !rings
        });
        if watch.set.is_empty() {
            watch.is_running = false;
            return;
        }
    }
}
