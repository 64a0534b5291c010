//! The journal of a sweep: complete layers in files, a file for each worker's part.

mod files;
mod load;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub(super) use files::LayerId;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checkpoint::{Fingerprint, Kind, LoadError, Lock, replace_with, seal_into};
use crate::limits::Stop;
use crate::plug::account::Account;
use crate::plug::checkpoint::{Head, write};
use crate::plug::layer::Layer;

/// Where layers are saved, how often, and whose they are.
#[derive(Clone, Debug)]
pub(super) struct JournalPlan {
    pub(super) directory: PathBuf,
    pub(super) every: Duration,
    pub(super) fingerprint: Fingerprint,
}

/// What one worker has to do with it.
pub(super) struct LayerJournal {
    plan: JournalPlan,
    own: u64,
    workers: u64,
    question: String,
    width: u32,
    /// When a layer was saved, or it was tried.
    last: Instant,
    /// The last layer that this worker's part is saved of, or that was read.
    saved: Option<LayerId>,
    /// The last layer that is known to be saved by all.
    whole: Option<LayerId>,
    /// Which life of the cluster this is, once worker 0 has said.
    run: u64,
    /// What there was to go on with, once it is known.
    chosen: Option<Option<LayerId>>,
    /// Of the whole directory, of worker 0, until the sweep has ended.
    _lock: Option<Lock>,
}

impl LayerJournal {
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

    /// Whether it is time to save a layer: what worker 0 says counts.
    pub(super) fn is_due(&self) -> bool {
        self.last.elapsed() >= self.plan.every
    }

    /// The last layer of which this worker's part is saved.
    pub(super) fn saved(&self) -> Option<LayerId> {
        self.saved
    }

    /// What all workers have saved: once that is the same layer, older ones are of no use.
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

    /// Saves this worker's part of a layer: the last one before a stop, if there is one.
    pub(super) fn save<S, V>(
        &mut self,
        account: &mut Account<'_>,
        part: &Layer<S, V>,
        stop: Option<Stop>,
    ) where
        S: Copy + Eq + std::hash::Hash + Serialize + DeserializeOwned,
        V: Serialize + DeserializeOwned,
    {
        let id = LayerId {
            cell: account.cells_done() as u64,
            width: self.width,
            parts: self.workers,
            run: self.run,
        };
        let is_there =
            self.saved.is_some_and(|saved| (saved.cell, saved.width) == (id.cell, id.width));
        // Numbers grow on an overflow, and the same cell comes again; or they cannot, and nothing
        // is to be gone on with.
        if is_there || stop == Some(Stop::CountOverflow) {
            return;
        }
        let head = Head {
            question: self.question.clone(),
            width: self.width,
            entries: part.len() as u64,
            report: account.report(stop.unwrap_or(Stop::Paused), false),
        };
        let path = self.plan.directory.join(id.name(self.own));
        let entries = part.entries().iter().map(|(state, value)| (state, value));
        let saved = replace_with(&path, |out| {
            seal_into(out, Kind::Layer, &self.plan.fingerprint, |sink| {
                write::<_, (S, V)>(sink, Some(&head), entries)
            })
        });
        account
            .set_unsaved(saved.as_ref().err().map(|error| format!("{}: {error}", path.display())));
        if saved.is_ok() {
            self.saved = Some(id);
        }
        self.last = Instant::now();
    }
}
