//! Saving layers in a file and loading them: [`LayerFile`].

use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::layer_format::{Head, LayerReader, inconsistent, open_layer, read_entries, write_layer};
use super::loaded_shards::LoadedShards;
use crate::checkpoint::{LoadError, Lock, SavedFile};
use crate::clock::Instant;
use crate::limits::Stop;
use crate::plug::executor::{Question, Resumed};
use crate::plug::layer::{Layer, Shards, count_states, hash, shard};
use crate::plug::stats::SweepStats;
use crate::plug::sweep::run::LayerSaver;

/// The reason why a layer was not loaded.
pub(crate) enum Failure {
    Load(LoadError),
    /// The sweep reached a limit while loading.
    Stopped(Stop),
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Failure::Load(error)
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Failure::Stopped(stop)
    }
}

/// The file in which one run saves its layers.
#[derive(Debug)]
pub(crate) struct LayerFile<'c> {
    file: &'c mut SavedFile,
    /// The lock of the file, which keeps other runs from saving in it until this one has ended.
    _lock: Lock,
    /// Whether the run resumes from the file.
    resume: bool,
    question: String,
    width: u32,
    /// The time of the last attempt to save.
    last: Instant,
    /// The contents of the file: the index of the type of its values, and the cell.
    saved: Option<(u32, usize)>,
    failed: Option<LoadError>,
}

impl<'c> LayerFile<'c> {
    pub(super) fn new(file: &'c mut SavedFile, lock: Lock, resume: bool) -> Self {
        LayerFile {
            file,
            _lock: lock,
            resume,
            question: String::new(),
            width: 0,
            last: Instant::now(),
            saved: None,
            failed: None,
        }
    }

    /// Returns `value`, the result of the run, or the error that prevented the run.
    pub(crate) fn result<T>(self, value: T) -> Result<T, LoadError> {
        self.failed.map_or(Ok(value), Err)
    }

    /// Sets the index of the type that values have from now on.
    pub(crate) fn set_width(&mut self, width: u32) {
        self.width = width;
    }

    /// Returns whether a layer has to be saved now.
    pub(crate) fn is_due(&self, stats: &SweepStats<'_>, stop: Option<Stop>) -> bool {
        // After an overflow, either the numbers grow and the same cell comes again, or they cannot
        // grow and there is nothing to resume.
        stop != Some(Stop::CountOverflow)
            && self.saved != Some((self.width, stats.cells_done()))
            && (stop.is_some() || self.last.elapsed() >= self.file.interval)
    }

    /// Saves a layer whose entries can be read back as `D`s.
    pub(crate) fn save<T: Serialize, D: DeserializeOwned>(
        &mut self,
        stats: &mut SweepStats<'_>,
        stop: Option<Stop>,
        length: u64,
        entries: impl Iterator<Item = T>,
    ) {
        let head = Head::new(&self.question, self.width, length, stats, stop);
        let saved = self
            .file
            .save(|out, fingerprint| write_layer::<T, D>(out, fingerprint, Some(&head), entries));
        if saved.is_ok() {
            self.saved = Some((self.width, stats.cells_done()));
        }
        stats.set_unsaved(saved.err());
        self.last = Instant::now();
    }

    /// Loads the layer if the run resumes. `read` gets the statistics, the number of entries, and
    /// the reader of the entries.
    pub(crate) fn load<L>(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        read: impl FnOnce(&mut SweepStats<'_>, u64, LayerReader) -> Result<L, Failure>,
    ) -> Result<Resumed<L>, Stop> {
        self.question = question.name.clone().into_owned();
        if !self.resume {
            return Ok(Resumed::Nothing);
        }
        match self.try_load(question, stats, read) {
            Ok(taken) => Ok(taken),
            Err(Failure::Stopped(stop)) => {
                // The file is still valid.
                self.saved = Some((self.width, stats.cells_done()));
                Err(stop)
            }
            Err(Failure::Load(error)) => {
                self.failed = Some(error.in_file(&self.file.path));
                Err(Stop::Interrupted)
            }
        }
    }

    fn try_load<L>(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        read: impl FnOnce(&mut SweepStats<'_>, u64, LayerReader) -> Result<L, Failure>,
    ) -> Result<Resumed<L>, Failure> {
        let (reader, head) = open_layer(&self.file.path, &self.file.fingerprint)?;
        let Some(head) = head else { return Ok(Resumed::Nothing) };
        head.check_question(&question.name)?;
        if head.width >= question.value_types || head.width < self.width {
            let reason =
                format!("found values of an unexpected type, with the number {}", head.width);
            return Err(inconsistent(reason).into());
        }
        if head.width > self.width {
            return Ok(Resumed::WiderValues);
        }
        let cell = stats.resume(head.report).map_err(inconsistent)?;
        let layer = read(stats, head.entries, reader)?;
        self.saved = Some((self.width, cell));
        Ok(Resumed::Layer(layer, cell))
    }
}

impl<S, V> LayerSaver<S, V> for LayerFile<'_>
where
    S: Copy + Eq + Hash + Serialize + DeserializeOwned,
    V: Serialize + DeserializeOwned,
{
    fn set_width(&mut self, width: u32) {
        LayerFile::set_width(self, width);
    }

    fn resume(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        threads: usize,
        heap_bytes: &dyn Fn(&V) -> usize,
    ) -> Result<Resumed<Shards<S, V>>, Stop> {
        self.load(question, stats, |stats, entries, reader| {
            if entries != stats.states() {
                let expected = stats.states();
                let reason = format!("found {entries} states, expected {expected} by its report");
                return Err(inconsistent(reason).into());
            }
            let mut loaded = LoadedShards::new(threads, stats.max_bytes(), heap_bytes);
            loaded.reserve_states(usize::try_from(entries).unwrap_or(usize::MAX))?;
            let go_on = || stats.clock().check().map_err(Failure::from);
            read_entries(reader, entries, go_on, |entry: (S, V)| {
                Ok(loaded.push(shard(hash(&entry.0), threads), entry)?)
            })?;
            if loaded.lengths().any(|states| states >= u32::MAX as usize) {
                return Err(Stop::StateLimit.into());
            }
            Ok(loaded.into_layer())
        })
    }

    fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<S, V>], stop: Option<Stop>) {
        if self.is_due(stats, stop) {
            let entries =
                layer.iter().flat_map(Layer::entries).map(|(state, value)| (state, value));
            LayerFile::save::<_, (S, V)>(self, stats, stop, count_states(layer) as u64, entries);
        }
    }
}
