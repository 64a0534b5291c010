//! The journal of a sweep: complete layers in files, one file for the part of each worker. Read
//! `mod` (writing) first, then `files` (names), then `load` (resumption).

mod files;
mod load;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub(super) use files::LayerId;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checkpoint::{Fingerprint, LoadError, Lock, replace};
use crate::limits::Stop;
use crate::plug::executor::{Head, Layer, SweepStats, write_layer};

/// The directory of the layers, the interval between saves, and the fingerprint of the sweep.
#[derive(Clone, Debug)]
pub(super) struct JournalPlan {
    pub(super) directory: PathBuf,
    pub(super) every: Duration,
    pub(super) fingerprint: Fingerprint,
}

/// The journal of one worker.
pub(super) struct LayerJournal {
    plan: JournalPlan,
    own: u64,
    workers: u64,
    question: String,
    width: u32,
    /// The time of the last attempt to save a layer.
    last: Instant,
    /// The last layer whose part this worker has saved or read.
    saved: Option<LayerId>,
    /// The last layer that all workers have saved.
    whole: Option<LayerId>,
    /// A random number of this run, drawn by worker 0.
    run: u64,
    /// The layer from which the sweep continues, once all workers have agreed on it.
    chosen: Option<Option<LayerId>>,
    /// The lock of the directory, held by worker 0 until the sweep has ended. It excludes other
    /// sweeps.
    _lock: Option<Lock>,
}

impl LayerJournal {
    /// Creates the directory if it does not exist. Worker 0 locks it.
    ///
    /// # Errors
    /// Returns a message if the directory cannot be created, or another run holds its lock.
    pub(super) fn new(plan: JournalPlan, own: usize, workers: usize) -> Result<Self, String> {
        let about = |error: LoadError| format!("{}: {error}", plan.directory.display());
        fs::create_dir_all(&plan.directory).map_err(LoadError::Io).map_err(about)?;
        let lock = (own == 0).then(|| Lock::of_directory(&plan.directory)).transpose();
        let lock = lock.map_err(LoadError::from).map_err(about)?;
        Ok(LayerJournal {
            plan,
            own: own as u64,
            workers: workers as u64,
            question: String::new(),
            width: 0,
            last: Instant::now(),
            saved: None,
            whole: None,
            run: 0,
            chosen: None,
            _lock: lock,
        })
    }

    pub(super) fn set_width(&mut self, width: u32) {
        self.width = width;
    }

    /// Returns whether a save is due. Only the answer of worker 0 counts.
    pub(super) fn is_due(&self) -> bool {
        self.last.elapsed() >= self.plan.every
    }

    /// Returns the last layer whose part this worker has saved or read.
    pub(super) fn saved(&self) -> Option<LayerId> {
        self.saved
    }

    /// Takes note of the layer that each worker saved last. Once it is the same for all workers,
    /// the layer is complete, and worker 0 removes older ones.
    pub(super) fn learn(&mut self, saved: impl IntoIterator<Item = Option<LayerId>>) {
        let mut saved = saved.into_iter();
        let Some(Some(first)) = saved.next() else { return };
        if self.whole != Some(first) && saved.all(|other| other == Some(first)) {
            self.whole = Some(first);
            if self.own == 0 {
                files::tidy(&self.plan.directory, first);
            }
        }
    }

    /// Saves this worker's part of a layer. `stop` is the reason if the sweep ends after it.
    pub(super) fn save<S, V>(
        &mut self,
        stats: &mut SweepStats<'_>,
        part: &Layer<S, V>,
        stop: Option<Stop>,
    ) where
        S: Copy + Eq + std::hash::Hash + Serialize + DeserializeOwned,
        V: Serialize + DeserializeOwned,
    {
        let id = LayerId {
            cell: stats.cells_done() as u64,
            width: self.width,
            parts: self.workers,
            run: self.run,
        };
        let is_there =
            self.saved.is_some_and(|saved| (saved.cell, saved.width) == (id.cell, id.width));
        // After an overflow, the same cell is repeated with wider numbers; if there are none, the
        // layer is useless.
        if is_there || stop == Some(Stop::CountOverflow) {
            return;
        }
        let head = Head::new(&self.question, self.width, part.len() as u64, stats, stop);
        let path = self.plan.directory.join(id.name(self.own));
        let entries = part.entries().iter().map(|(state, value)| (state, value));
        let saved = replace(&path, |out| {
            write_layer::<_, (S, V)>(out, &self.plan.fingerprint, Some(&head), entries)
        });
        stats.set_unsaved(saved.as_ref().err().map(|error| format!("{}: {error}", path.display())));
        if saved.is_ok() {
            self.saved = Some(id);
        }
        self.last = Instant::now();
    }
}
