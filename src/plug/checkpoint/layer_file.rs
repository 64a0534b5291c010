//! Saving layers in a file and loading them: [`LayerFile`].

use std::fs::File;
use std::hash::Hash;
use std::io::{self, BufReader};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::blocks::{Head, read_entries, read_head, unsound, write};
use crate::checkpoint::{
    Kind, LoadError, SaveError, SavedFile, Source, create_with, remove_leftovers, replace_with,
    seal_into,
};
use crate::clock::Instant;
use crate::limits::Stop;
use crate::plug::executor::{Question, Resumed};
use crate::plug::layer::{Layer, Shards, count_states, hash, shard};
use crate::plug::stats::SweepStats;
use crate::plug::sweep::run::LayerSaver;

/// The source of the entries of a saved layer.
type LayerSource = Source<BufReader<File>>;

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

pub(crate) fn out_of_memory() -> Failure {
    Failure::Load(LoadError::Io(io::ErrorKind::OutOfMemory.into()))
}

/// The file in which one run saves its layers.
pub(crate) struct LayerFile<'c> {
    file: &'c mut SavedFile,
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
    /// Creates the saver of a run that begins or resumes now.
    pub(crate) fn new(file: &'c mut SavedFile, resume: bool) -> Self {
        let (question, last) = (String::new(), Instant::now());
        LayerFile { file, resume, question, width: 0, last, saved: None, failed: None }
    }

    /// Returns the result of a run, or the error that prevented the run.
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
            && (stop.is_some() || self.last.elapsed() >= self.file.every)
    }

    /// Saves a layer whose entries can be read back as `D`s.
    pub(crate) fn save<T: Serialize, D: DeserializeOwned>(
        &mut self,
        stats: &mut SweepStats<'_>,
        stop: Option<Stop>,
        length: u64,
        entries: impl Iterator<Item = T>,
    ) {
        let head = Head {
            question: self.question.clone(),
            width: self.width,
            entries: length,
            report: stats.report(stop.unwrap_or(Stop::Paused), false),
        };
        let saved = replace_with(&self.file.path, |out| {
            seal_into(out, Kind::Layer, &self.file.fingerprint, |sink| {
                write::<T, D>(sink, Some(&head), entries)
            })
        });
        if saved.is_ok() {
            self.saved = Some((self.width, stats.cells_done()));
        }
        stats.set_unsaved(self.file.record(saved).err());
        self.last = Instant::now();
    }

    /// Loads the layer if the run resumes. `read` gets the statistics, the number of entries, and
    /// the source to read them from.
    pub(crate) fn load<L>(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        read: impl FnOnce(&mut SweepStats<'_>, u64, &mut LayerSource) -> Result<L, Failure>,
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
                self.failed = Some(error);
                Err(Stop::Interrupted)
            }
        }
    }

    fn try_load<L>(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        read: impl FnOnce(&mut SweepStats<'_>, u64, &mut LayerSource) -> Result<L, Failure>,
    ) -> Result<Resumed<L>, Failure> {
        let mut source = open(&self.file.path)?;
        let width = self.width;
        let take = || {
            let Some(head) = read_head(&mut source)? else { return Ok(Resumed::Nothing) };
            if head.question != question.name {
                let (found, expected) = (head.question, question.name.clone().into_owned());
                return Err(LoadError::OtherQuestion { found, expected }.into());
            }
            if head.width >= question.widths || head.width < width {
                let reason =
                    format!("found values of an unexpected type, with the number {}", head.width);
                return Err(unsound(reason).into());
            }
            if head.width > width {
                return Ok(Resumed::Later);
            }
            let cell = stats.resume(head.report).map_err(unsound)?;
            Ok(Resumed::Layer(read(stats, head.entries, &mut source)?, cell))
        };
        let taken = take();
        if matches!(
            taken,
            Ok(Resumed::Later)
                | Err(Failure::Stopped(_) | Failure::Load(LoadError::OtherQuestion { .. }))
        ) {
            // The whole file was verified before this run.
            return taken;
        }
        // A damaged file takes precedence over any other error.
        source.finish(&self.file.fingerprint)?;
        if let Ok(Resumed::Layer(_, cell)) = &taken {
            self.saved = Some((width, *cell));
        }
        taken
    }
}

fn open(path: &Path) -> Result<LayerSource, LoadError> {
    Source::open(Kind::Layer, BufReader::with_capacity(1 << 16, File::open(path)?))
}

/// Verifies the whole file, as far as that is possible without knowing the types of its entries.
pub(super) fn inspect(file: &SavedFile) -> Result<(), LoadError> {
    open(&file.path)?.finish(&file.fingerprint)?;
    remove_leftovers(&file.path);
    Ok(())
}

/// Creates the file of a sweep that has not begun.
pub(super) fn begin(file: &SavedFile) -> Result<(), SaveError> {
    create_with(&file.path, |out| {
        seal_into(out, Kind::Layer, &file.fingerprint, |sink| {
            write::<(), ()>(sink, None, std::iter::empty())
        })
    })?;
    remove_leftovers(&file.path);
    Ok(())
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
    ) -> Result<Resumed<Shards<S, V>>, Stop> {
        self.load(question, stats, |stats, entries, source| {
            if entries != stats.states() {
                let expected = stats.states();
                let reason = format!("found {entries} states, expected {expected} by its report");
                return Err(unsound(reason).into());
            }
            let mut parts: Vec<Vec<(S, V)>> = (0..threads).map(|_| Vec::new()).collect();
            let go_on = || stats.clock().check().map_err(Failure::from);
            read_entries(source, entries, go_on, |entry: (S, V)| {
                let part = &mut parts[shard(hash(&entry.0), threads)];
                part.try_reserve(1).map_err(|_| out_of_memory())?;
                part.push(entry);
                Ok(())
            })?;
            if parts.iter().any(|part| part.len() >= u32::MAX as usize) {
                return Err(Stop::StateLimit.into());
            }
            Ok(parts.into_iter().map(Layer::from_entries).collect())
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
