//! Layers that are saved in a file, and read from it.

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
use crate::plug::layer::{Layer, hash};
use crate::plug::layer::{Shards, count_states, shard};
use crate::plug::stats::SweepStats;
use crate::plug::sweep::saving::{LayerSaver, Question, Resumed};

/// Why a layer was not read.
pub(crate) enum Failure {
    Load(LoadError),
    /// The sweep has come to a limit meanwhile.
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

/// Saves the layers of one run.
pub(crate) struct LayerFile<'c> {
    file: &'c mut SavedFile,
    /// Whether there is something in the file to go on with.
    resume: bool,
    question: String,
    width: u32,
    /// When it was saved.
    last: Instant,
    /// What is in the file: the width of its values, and the cell.
    saved: Option<(u32, usize)>,
    failed: Option<LoadError>,
}

impl<'c> LayerFile<'c> {
    /// Of a run that begins or goes on now.
    pub(crate) fn new(file: &'c mut SavedFile, resume: bool) -> Self {
        let (question, last) = (String::new(), Instant::now());
        LayerFile { file, resume, question, width: 0, last, saved: None, failed: None }
    }

    /// What a run gives that was asked of it, or why there was no run.
    pub(crate) fn result<T>(self, value: T) -> Result<T, LoadError> {
        self.failed.map_or(Ok(value), Err)
    }

    /// From now on, values are of the type of this number.
    pub(crate) fn set_width(&mut self, width: u32) {
        self.width = width;
    }

    /// Whether a layer is to be saved now, and if so, what is to be known of it.
    pub(crate) fn is_due(&self, stats: &SweepStats<'_>, stop: Option<Stop>) -> bool {
        // Numbers grow then, and the same cell comes again; or they cannot, and nothing is to be
        // gone on with.
        stop != Some(Stop::CountOverflow)
            && self.saved != Some((self.width, stats.cells_done()))
            && (stop.is_some() || self.last.elapsed() >= self.file.every)
    }

    /// Saves a layer, read again as `D`s.
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

    /// Reads what is in the file, if it is to be gone on with: `read` gets the account, how many
    /// entries there are, and where to read them.
    pub(crate) fn load<L>(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        read: impl FnOnce(&mut SweepStats<'_>, u64, &mut Source<BufReader<File>>) -> Result<L, Failure>,
    ) -> Result<Resumed<L>, Stop> {
        self.question = question.name.clone().into_owned();
        if !self.resume {
            return Ok(Resumed::Nothing);
        }
        match self.try_load(question, stats, read) {
            Ok(taken) => Ok(taken),
            Err(Failure::Stopped(stop)) => {
                // The file is as good as it was.
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
        read: impl FnOnce(&mut SweepStats<'_>, u64, &mut Source<BufReader<File>>) -> Result<L, Failure>,
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
                return Err(unsound("values of a type that is not known").into());
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
            // All of it was looked at before.
            return taken;
        }
        // If the file is damaged, that is what to say.
        source.finish(&self.file.fingerprint)?;
        if let Ok(Resumed::Layer(_, cell)) = &taken {
            self.saved = Some((width, *cell));
        }
        taken
    }
}

fn open(path: &Path) -> Result<Source<BufReader<File>>, LoadError> {
    Source::open(Kind::Layer, BufReader::with_capacity(1 << 16, File::open(path)?))
}

/// Looks through the whole file, for what can be said without knowing what its states are.
pub(super) fn inspect(file: &SavedFile) -> Result<(), LoadError> {
    open(&file.path)?.finish(&file.fingerprint)?;
    remove_leftovers(&file.path);
    Ok(())
}

/// Makes the file of a sweep that has not begun.
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
                return Err(unsound("another number of states than its stats has").into());
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
