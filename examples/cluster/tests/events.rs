//! The events of runs, which are tested here because other packages do not compile `tracing`.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use secateurs::checkpoint::Fingerprint;
use secateurs::plug::Sweep;
use secateurs::search::{Anytime, Checkpoint};
use secateurs::{Limits, Objective, Search};
use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
use secateurs_problems::queens::Queens;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::support::scratch::Directory;

/// Collects the levels, messages and fields of events.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<(Level, String)>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            self.0.insert_str(0, &format!("{value:?}"));
        } else {
            write!(self.0, " {}={value:?}", field.name()).expect("written to memory");
        }
    }
}

impl Subscriber for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "secateurs"
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.0.lock().expect("no panic").push((*event.metadata().level(), line.0));
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// Returns the events of `run` in this thread.
fn events(run: impl FnOnce()) -> Vec<(Level, String)> {
    let collector = Collector::default();
    tracing::subscriber::with_default(collector.clone(), run);
    let events = collector.0.lock().expect("no panic");
    events.clone()
}

fn is_event(event: &(Level, String), level: Level, start: &str) -> bool {
    event.0 == level && event.1.starts_with(start)
}

#[test]
fn a_question_of_one_run_emits_one_event() {
    let queens = Queens::new(8).expect("not too large").bits();
    let counted = events(|| assert_eq!(Search::new(&queens).count().exact(), Some(92)));
    let expected = "a run has ended stop=exhausted effect=preserving nodes=2057 solutions=92";
    assert!(is_event(&counted[0], Level::DEBUG, expected), "{counted:?}");
    assert_eq!(counted.len(), 1, "{counted:?}");
    let existing = events(|| assert_eq!(Search::new(&queens).exists().exists(), Some(true)));
    assert_eq!(existing.len(), 1, "{existing:?}");
}

#[test]
fn improvements_and_layers_are_events() {
    let queens = Queens::new(6).expect("not too large").bits();
    let any = Objective::maximise_for(&queens, |_, _| 1);
    let best = events(|| assert_eq!(Search::new(&queens).best(&any).proven(), Some(&1)));
    assert!(is_event(&best[0], Level::DEBUG, "an incumbent has improved"), "{best:?}");
    assert_eq!(best.len(), 2, "{best:?}");
    let cycles = hamiltonian_cycles(&Grid::new(4, 4).expect("not too large"));
    let swept = events(|| assert_eq!(Sweep::new(&cycles).count().exact(), Some(6)));
    let layers = swept.iter().filter(|event| is_event(event, Level::TRACE, "a layer is complete"));
    assert_eq!((layers.count(), swept.len()), (16, 17), "{swept:?}");
}

#[test]
fn phases_emit_one_event_for_their_sum() {
    let queens = Queens::new(6).expect("not too large").bits();
    let any = Objective::maximise_for(&queens, |_, _| 1);
    let phases = events(|| {
        let search = || Search::new(&queens);
        let outcome = Anytime::new(&any)
            .then(search().limits(Limits::new().nodes(10)))
            .then(search())
            .finish();
        assert_eq!(outcome.proven(), Some(&1));
    });
    let ended = phases.iter().filter(|event| is_event(event, Level::DEBUG, "a run has ended"));
    assert_eq!(ended.count(), 1, "{phases:?}");
}

#[test]
fn saves_are_events() {
    let directory = Directory::new();
    let queens = Queens::new(8).expect("not too large").bits();
    let mut checkpoint =
        Checkpoint::new(directory.file(), Duration::MAX, Fingerprint::new("queens", &8));
    let begun = events(|| {
        let search = Search::new(&queens).limits(Limits::new().nodes(100));
        let _ = search.checkpoint(&mut checkpoint).expect("a new file").count();
    });
    // The file is written before the run, and when the run stops.
    let saved =
        begun.iter().filter(|event| is_event(event, Level::DEBUG, "a checkpoint was saved"));
    assert_eq!((saved.count(), begun.len()), (2, 3), "{begun:?}");
    assert!(is_event(&begun[0], Level::DEBUG, "a checkpoint was saved"), "{begun:?}");
    let ended = events(|| {
        let search = Search::new(&queens).resume(&mut checkpoint).expect("of this search");
        assert_eq!(search.count().exact(), Some(92));
    });
    assert!(is_event(&ended[0], Level::DEBUG, "a checkpoint was resumed"), "{ended:?}");
}
