//! Resumption of a sweep from its last complete and undamaged layer.

use std::hash::{BuildHasher, Hash, RandomState};
use std::io::ErrorKind;
use std::time::SystemTime;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{LayerId, LayerJournal, files};
use crate::checkpoint::LoadError;
use crate::cluster::sweep::batch::{self, Outbox};
use crate::cluster::sweep::exchange::{Abort, Exchange, Received, first_reason};
use crate::limits::Stop;
use crate::plug::executor::{
    Clock, Failure, Head, LoadedShards, Question, Resumed, Shards, SweepStats, hash, inconsistent,
    open_layer, read_entries, shard,
};
use crate::report::Report;

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
    pub(in crate::cluster::sweep) fn resume<S, V>(
        &mut self,
        exchange: &mut Exchange,
        question: &Question,
        stats: &mut SweepStats<'_>,
        heap_bytes: &dyn Fn(&V) -> usize,
    ) -> Result<Resumed<Shards<S, V>>, Stop>
    where
        S: Copy + Eq + Hash + Serialize + DeserializeOwned,
        V: Serialize + DeserializeOwned,
    {
        self.question = question.name.clone().into_owned();
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
        let layer = self.load(exchange, stats, id, heap_bytes)?;
        self.saved = Some(id);
        Ok(Resumed::Layer(layer, id.cell as usize))
    }

    /// Returns the last complete and undamaged layer, on which all workers agree. Worker 0 lists
    /// the candidates.
    fn choose(&mut self, exchange: &mut Exchange) -> Result<Option<LayerId>, Stop> {
        let found = if self.own == 0 {
            files::complete_layers(&self.plan.directory)
        } else {
            Ok(Vec::new())
        };
        let found = found.map_err(|error| {
            exchange.abort(Abort::Journal(format!("{}: {error}", self.plan.directory.display())))
        })?;
        // `RandomState` is seeded by the system's random numbers.
        let run = RandomState::new().hash_one(SystemTime::now());
        let (candidates, run) = exchange.all_gather(&(found, run))?.swap_remove(0);
        self.run = run;
        for id in candidates {
            let own = self.inspect(id);
            let verdicts = exchange.all_gather(&own)?;
            if let Inspection::Refused(reason) = own {
                return Err(exchange.abort(Abort::Journal(reason)));
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
        let (reader, head) = open_layer(&self.plan.directory.join(name), &self.plan.fingerprint)?;
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
        heap_bytes: &dyn Fn(&V) -> usize,
    ) -> Result<Shards<S, V>, Stop>
    where
        S: Copy + Eq + Hash + Serialize + DeserializeOwned,
        V: Serialize + DeserializeOwned,
    {
        let share = stats.max_bytes() / self.workers as usize;
        let mut own: LoadedShards<'_, S, V> = LoadedShards::new(1, share, heap_bytes);
        let mut report = None;
        let mut stop = None;
        for part in self.parts(id) {
            match self.load_part(exchange, stats.clock(), id, part, &mut report, &mut own) {
                Ok(()) => {}
                Err(Failure::Stopped(Stop::Interrupted)) => return Err(Stop::Interrupted),
                Err(Failure::Stopped(reason)) => {
                    stop = Some(reason);
                    break;
                }
                Err(Failure::Load(error)) => {
                    return Err(
                        exchange.abort(Abort::Journal(format!("{}: {error}", id.name(part))))
                    );
                }
            }
        }
        exchange.end_round();
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
            exchange.all_gather(&LoadResult { stop, report, states: own_states as u64 })?;
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
        clock: &Clock,
        id: LayerId,
        part: u64,
        report: &mut Option<Report>,
        own: &mut LoadedShards<'_, S, V>,
    ) -> Result<(), Failure>
    where
        S: Copy + Eq + Hash + Serialize + DeserializeOwned,
        V: Serialize + DeserializeOwned,
    {
        let (reader, head) =
            open_layer(&self.plan.directory.join(id.name(part)), &self.plan.fingerprint)?;
        let Head { entries, report: found, .. } = head.ok_or_else(|| inconsistent("no layer"))?;
        if part == 0 {
            *report = Some(found);
        }
        let workers = self.workers as usize;
        let mut outboxes: Vec<Outbox> = (0..workers).map(|_| Outbox::new(workers)).collect();
        let go_on = || clock.check().map_err(Failure::from);
        read_entries(reader, entries, go_on, |(state, value): (S, V)| {
            let owner = shard(hash(&state), workers);
            if owner as u64 == self.own {
                return Ok(own.push(0, (state, value))?);
            }
            if let Some(full) = outboxes[owner]
                .put(&state, &value)
                .map_err(|error| inconsistent(error.to_string()))?
            {
                exchange.send(owner, full);
            }
            Ok::<(), Failure>(())
        })?;
        for (owner, mut outbox) in outboxes.into_iter().enumerate() {
            if let Some(bytes) = outbox.take() {
                exchange.send(owner, bytes);
            }
        }
        Ok(())
    }
}
