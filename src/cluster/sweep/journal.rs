//! The journal of a sweep: complete layers in files, one file for the part of each worker. A sweep
//! resumes from the last complete and undamaged layer.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{BuildHasher, Hash, RandomState};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::checkpoint::{Fingerprint, LoadError, Lock, replace, target_of};
use crate::cluster::error::Abort;
use crate::cluster::sweep::batch::{self, Outbox};
use crate::cluster::sweep::exchange::{Exchange, Received, first_reason};
use crate::limits::Stop;
use crate::plug::executor::{
    BLOCK, EntryReader, EntryRules, Failure, Head, Layer, LoadedShards, Question, Resumed, Shards,
    SweepStats, hash, illegal_state, inconsistent, open_layer, shard, write_layer,
};
use crate::report::Report;

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
    /// The last layer that all workers have saved, which is therefore complete.
    complete: Option<LayerId>,
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
            complete: None,
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
        if self.complete != Some(first) && saved.all(|other| other == Some(first)) {
            self.complete = Some(first);
            if self.own == 0 {
                remove_superseded(&self.plan.directory, first);
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
        S: Copy + Eq + Hash + Serialize + DeserializeOwned,
        V: Serialize + DeserializeOwned,
    {
        let id = LayerId {
            cell: stats.cells_done() as u64,
            width: self.width,
            parts: self.workers,
            run: self.run,
        };
        let is_saved =
            self.saved.is_some_and(|saved| (saved.cell, saved.width) == (id.cell, id.width));
        // After an overflow, the same cell is repeated with wider numbers; if there are none, the
        // layer is useless.
        if is_saved || stop == Some(Stop::CountOverflow) {
            return;
        }
        let head = Head::new(&self.question, self.width, part.len() as u64, stats, stop);
        let path = self.plan.directory.join(id.name(self.own));
        let entries = part.entries().iter().map(|(state, value)| (state, value));
        let saved = replace(&path, |out| {
            write_layer::<_, (S, V)>(out, BLOCK, &self.plan.fingerprint, Some(&head), entries)
        });
        stats.set_unsaved(saved.as_ref().err().map(|error| format!("{}: {error}", path.display())));
        if saved.is_ok() {
            self.saved = Some(id);
        }
        self.last = Instant::now();
    }
}

/// The identity of a layer whose parts are in several files. Later layers are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct LayerId {
    /// The cell that comes after the layer.
    cell: u64,
    /// The width of the values: the index of their type among the types of the question, in order
    /// of increasing width.
    width: u32,
    /// The number of files.
    parts: u64,
    /// The run of the cluster that wrote the layer. Parts written by two runs do not form a layer,
    /// because each run may divide it differently.
    run: u64,
}

impl LayerId {
    /// Returns the name of the file of a part, counted from 0.
    fn name(self, part: u64) -> String {
        let LayerId { cell, width, parts, run } = self;
        format!("layer-{cell}-width-{width}-run-{run:016x}-part-{part}-of-{parts}")
    }

    /// Parses the name of a file into its layer and part.
    fn from_name(name: &str) -> Option<(LayerId, u64)> {
        let (cell, rest) = name.strip_prefix("layer-")?.split_once("-width-")?;
        let (width, rest) = rest.split_once("-run-")?;
        let (run, rest) = rest.split_once("-part-")?;
        let run = u64::from_str_radix(run, 16).ok()?;
        let (part, parts) = rest.split_once("-of-")?;
        let id = LayerId {
            cell: cell.parse().ok()?,
            width: width.parse().ok()?,
            parts: parts.parse().ok()?,
            run,
        };
        let part = part.parse().ok()?;
        // Numbers may have other spellings, such as leading zeros.
        (id.name(part) == name && part < id.parts).then_some((id, part))
    }
}

/// Returns the layers whose parts all exist, the last one first.
fn complete_layers(directory: &Path) -> io::Result<Vec<LayerId>> {
    let mut parts: BTreeMap<LayerId, BTreeSet<u64>> = BTreeMap::new();
    for entry in fs::read_dir(directory)? {
        if let Some((id, part)) = entry?.file_name().to_str().and_then(LayerId::from_name) {
            parts.entry(id).or_default().insert(part);
        }
    }
    let complete = parts.into_iter().filter(|(id, parts)| parts.len() as u64 == id.parts);
    Ok(complete.map(|(id, _)| id).rev().collect())
}

/// Removes the layers before one that is known to be complete, and the leftovers of writing it. A
/// file that cannot be removed only takes space.
fn remove_superseded(directory: &Path, complete: LayerId) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let (name, is_left_behind) = match target_of(name) {
            Some(target) => (target, true),
            None => (name, false),
        };
        let Some((id, _)) = LayerId::from_name(name) else { continue };
        let is_older = (id.cell, id.width) <= (complete.cell, complete.width);
        if is_older && (id != complete || is_left_behind) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The verdict of a worker on its share of the files of a layer.
#[derive(Serialize, Deserialize)]
enum Inspection {
    Sound,
    Damaged,
    /// The files belong to another sweep, so they must be neither used nor overwritten.
    Refused(String),
}

/// The result of reading a share of a layer, sent to all workers.
#[derive(Serialize, Deserialize)]
struct LoadResult {
    stop: Option<Stop>,
    /// The report in the first part, from the worker that has read it.
    report: Option<Report>,
    /// The number of states of the layer that the worker owns.
    states: u64,
}

impl LayerJournal {
    /// Loads this worker's part of the last complete layer, if there is one.
    pub(super) fn resume<S, V>(
        &mut self,
        exchange: &mut Exchange,
        question: &Question,
        stats: &mut SweepStats<'_>,
        entries: &EntryRules<'_, S, V>,
    ) -> Result<Resumed<Shards<S, V>>, Stop>
    where
        S: Copy + Eq + Hash + Serialize + DeserializeOwned,
        V: Serialize + DeserializeOwned,
    {
        // The run has checked that its question has stated its data.
        self.question = question.text().unwrap_or_default();
        let chosen = match self.chosen {
            Some(chosen) => chosen,
            None => {
                let chosen = self.choose(exchange)?;
                *self.chosen.insert(chosen)
            }
        };
        let Some(id) = chosen else { return Ok(Resumed::Nothing) };
        if id.width > self.width && id.width < question.value_types {
            return Ok(Resumed::WiderValues);
        }
        if id.width != self.width {
            return Err(exchange
                .abort(Abort::Journal(format!("{}: values of an unknown width", id.name(0)))));
        }
        let layer = self.load(exchange, stats, id, entries)?;
        self.saved = Some(id);
        Ok(Resumed::Layer(layer, id.cell as usize))
    }

    /// Returns the last complete and undamaged layer, on which all workers agree. Worker 0 lists
    /// the candidates.
    fn choose(&mut self, exchange: &mut Exchange) -> Result<Option<LayerId>, Stop> {
        let found =
            if self.own == 0 { complete_layers(&self.plan.directory) } else { Ok(Vec::new()) };
        let found = found.map_err(|error| {
            exchange.abort(Abort::Journal(format!("{}: {error}", self.plan.directory.display())))
        })?;
        // `RandomState` is seeded by the system's random numbers.
        let run = RandomState::new().hash_one(SystemTime::now());
        let (candidates, run) = exchange.all_gather((found, run))?.swap_remove(0);
        self.run = run;
        for id in candidates {
            let verdicts = exchange.all_gather(self.inspect(id))?;
            if let Inspection::Refused(reason) = &verdicts[exchange.index()] {
                return Err(exchange.abort(Abort::Journal(reason.clone())));
            }
            if let Some((worker, reason)) =
                verdicts.iter().enumerate().find_map(|(worker, verdict)| match verdict {
                    Inspection::Refused(reason) => Some((worker, reason)),
                    _ => None,
                })
            {
                return Err(
                    exchange.abort(Abort::Journal(format!("worker {worker} found {reason}")))
                );
            }
            if verdicts.iter().all(|verdict| matches!(verdict, Inspection::Sound)) {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Returns the parts of a layer that this worker reads.
    fn parts(&self, id: LayerId) -> impl Iterator<Item = u64> + use<> {
        (self.own..id.parts).step_by(self.workers as usize)
    }

    /// Checks that these parts are undamaged and belong to this sweep.
    fn inspect(&self, id: LayerId) -> Inspection {
        for part in self.parts(id) {
            let name = id.name(part);
            match self.inspect_part(&name, id) {
                Ok(()) => {}
                Err(LoadError::Io(error)) if error.kind() == ErrorKind::NotFound => {
                    return Inspection::Damaged;
                }
                Err(error) if error.is_damage() => return Inspection::Damaged,
                // The file belongs to another sweep, or cannot be read now but may be readable
                // later, so the sweep must not begin anew.
                Err(error) => return Inspection::Refused(format!("{name}: {error}")),
            }
        }
        Inspection::Sound
    }

    fn inspect_part(&self, name: &str, id: LayerId) -> Result<(), LoadError> {
        let (reader, head) =
            open_layer(&self.plan.directory.join(name), BLOCK, &self.plan.fingerprint)?;
        // Damage takes precedence over another question.
        reader.verify()?;
        let head = head.ok_or_else(|| inconsistent("no layer"))?;
        head.check_question(&self.question)?;
        if head.width != id.width {
            return Err(inconsistent("values of another type than its name says"));
        }
        Ok(())
    }

    /// Reads this worker's share of the files, and sends each state to its owner.
    fn load<S, V>(
        &mut self,
        exchange: &mut Exchange,
        stats: &mut SweepStats<'_>,
        id: LayerId,
        entries: &EntryRules<'_, S, V>,
    ) -> Result<Shards<S, V>, Stop>
    where
        S: Copy + Eq + Hash + Serialize + DeserializeOwned,
        V: Serialize + DeserializeOwned,
    {
        let share = stats.max_bytes() / self.workers as usize;
        let mut own: LoadedShards<'_, S, V> = LoadedShards::new(1, share, entries.heap_bytes);
        let mut report = None;
        let mut stop = None;
        for part in self.parts(id) {
            match self.load_part(
                exchange,
                stats,
                (id, part),
                entries.is_legal,
                &mut report,
                &mut own,
            ) {
                Ok(()) => {}
                Err(Failure::Stopped(Stop::Interrupted)) => return Err(Stop::Interrupted),
                Err(Failure::Stopped(reason)) => {
                    stop = Some(reason);
                    break;
                }
                Err(Failure::File(error)) => {
                    return Err(
                        exchange.abort(Abort::Journal(format!("{}: {error}", id.name(part))))
                    );
                }
            }
        }
        exchange.end_round();
        // The batches of the others must be received even if this worker has to stop, so the clock
        // is not checked.
        let mut entries = Vec::new();
        loop {
            match exchange.next_batch()? {
                Received::End => break,
                Received::Batch(batch) if stop.is_none() => {
                    batch::read(&batch.bytes, &mut entries)
                        .map_err(|reason| exchange.undecodable(batch.from, reason))?;
                    stop = entries.drain(..).try_for_each(|entry| own.push(0, entry)).err();
                }
                Received::Batch(_) | Received::Nothing => {}
            }
        }
        let own_states = own.lengths().sum::<usize>();
        if own_states >= u32::MAX as usize {
            stop = stop.or(Some(Stop::StateLimit));
        }
        let mut read =
            exchange.all_gather(LoadResult { stop, report, states: own_states as u64 })?;
        let stop = first_reason(read.iter().map(|read| read.stop));
        let states: u64 = read.iter().map(|read| read.states).sum();
        let resumed = match read.swap_remove(0).report {
            Some(report) => stats.resume(report),
            None => Err("no report of a sweep"),
        };
        if let Some(stop) = stop {
            // The files are still valid.
            self.saved = Some(id);
            return Err(stop);
        }
        match resumed {
            Ok(cell) if cell as u64 == id.cell && states == stats.states() => Ok(own.into_layer()),
            Ok(_) => Err(exchange
                .abort(Abort::Journal("another number of states than its report has".to_owned()))),
            Err(reason) => Err(exchange.abort(Abort::Journal(reason.to_owned()))),
        }
    }

    /// Reads a file of the layer. The first one contains the report of the sweep.
    fn load_part<S, V>(
        &self,
        exchange: &mut Exchange,
        stats: &SweepStats<'_>,
        (id, part): (LayerId, u64),
        is_legal: &dyn Fn(usize, S) -> bool,
        report: &mut Option<Report>,
        own: &mut LoadedShards<'_, S, V>,
    ) -> Result<(), Failure>
    where
        S: Copy + Eq + Hash + Serialize + DeserializeOwned,
        V: Serialize + DeserializeOwned,
    {
        let (reader, head) =
            open_layer(&self.plan.directory.join(id.name(part)), BLOCK, &self.plan.fingerprint)?;
        let Head { entries, report: found, .. } = head.ok_or_else(|| inconsistent("no layer"))?;
        let cell = usize::try_from(id.cell).ok().filter(|&cell| cell <= stats.cells());
        let cell = cell.ok_or_else(|| inconsistent("a layer that the problem does not have"))?;
        if part == 0 {
            *report = Some(found);
        }
        let workers = self.workers as usize;
        let mut outboxes: Vec<Outbox> = (0..workers).map(|_| Outbox::new(workers)).collect();
        let mut reader = EntryReader::new(reader, entries);
        let check_clock = || stats.clock().check().map_err(Failure::from);
        while let Some((state, value)) = reader.next::<(S, V), _>(check_clock)? {
            if !is_legal(cell, state) {
                return Err(illegal_state(cell).into());
            }
            let owner = shard(hash(&state), workers);
            if owner as u64 == self.own {
                own.push(0, (state, value))?;
                continue;
            }
            let full = outboxes[owner].put(&state, &value);
            if let Some(full) = full.map_err(|error| inconsistent(error.to_string()))? {
                exchange.send(owner, full);
            }
        }
        for (owner, mut outbox) in outboxes.into_iter().enumerate() {
            if let Some(bytes) = outbox.take() {
                exchange.send(owner, bytes);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let id = LayerId { cell: 17, width: 1, parts: 3, run: 250 };
        assert_eq!(id.name(2), "layer-17-width-1-run-00000000000000fa-part-2-of-3");
        assert_eq!(LayerId::from_name(&id.name(2)), Some((id, 2)));
        for other in [
            "layer-17-width-1-run-00000000000000fa-part-3-of-3",
            "layer-017-width-1-run-00000000000000fa-part-2-of-3",
            "layer-17-width-1-run-fa-part-2-of-3",
            "layer-17-width-1-part-2-of-3",
            "notes",
        ] {
            assert_eq!(LayerId::from_name(other), None);
        }
    }

    #[test]
    fn older_layers_and_leftovers_of_complete_ones_are_removed() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let id = LayerId { cell: 17, width: 1, parts: 2, run: 250 };
        let (older, newer) = (LayerId { cell: 16, ..id }, LayerId { cell: 18, ..id });
        let leftover = |id: LayerId| format!("{}.aB3dE9.part", id.name(0));
        let kept = [id.name(0), id.name(1), newer.name(0), leftover(newer), "notes".to_owned()];
        for name in kept.iter().chain(&[older.name(0), leftover(older), leftover(id)]) {
            fs::write(directory.path().join(name), "").expect("written");
        }
        remove_superseded(directory.path(), id);
        let entries = fs::read_dir(directory.path()).expect("a directory");
        let left: BTreeSet<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
        assert_eq!(left, kept.into_iter().map(Into::into).collect());
    }
}
