//! The limits of a run, with the same options in all examples, and the values of these options.

use std::cell::RefCell;
use std::thread;
use std::time::Duration;

use clap::Args;
use secateurs::search::RunBudget;
use secateurs::{Limits, Report, Stop};

use super::{interrupt, whole};

/// The limits of any run.
#[derive(Args)]
#[group(id = "limits")]
pub struct Options {
    /// Stop after this time in all, with the results so far: seconds as in `0.5`, or with a unit as
    /// in `2m`.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// Stop after this many nodes of a search, or states of all sweeps together, with the results
    /// so far.
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    pub nodes: Option<u64>,
    /// Stop when the run needs more memory than this: bytes, or with a unit as in `512M`.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
    /// The time of all runs together, from the first one on, and the nodes that they spend.
    #[arg(skip)]
    budget: RefCell<Option<RunBudget>>,
}

impl Options {
    /// Returns what earlier runs have left of these limits, including cancellation by Ctrl-C.
    pub fn limits(&self) -> Limits {
        self.budget.borrow_mut().get_or_insert_with(|| RunBudget::new(self.given())).limits()
    }

    /// Returns why another run would stop at once, if it would.
    pub fn used_up(&self) -> Option<Stop> {
        self.budget.borrow().as_ref().and_then(RunBudget::used_up)
    }

    /// Takes the nodes of a run from the limits of later ones. The time runs by itself.
    pub fn spend(&self, report: &Report) {
        if let Some(budget) = &mut *self.budget.borrow_mut() {
            budget.add(report.clone());
        }
    }

    /// Begins anew, with another limit of time.
    pub fn restart(&mut self, time: Duration) {
        self.time = Some(time);
        self.budget = RefCell::default();
    }

    fn given(&self) -> Limits {
        let mut limits = Limits::new().cancel(interrupt::cancel());
        if let Some(time) = self.time {
            limits = limits.time(time);
        }
        if let Some(nodes) = self.nodes {
            limits = limits.nodes(nodes);
        }
        if let Some(bytes) = self.memory {
            limits = limits.memory(bytes);
        }
        limits
    }
}

/// The options of a sweep.
#[derive(Args)]
#[group(id = "sweeping")]
pub struct SweepOptions {
    /// Sweep with this many threads; 0 means the available parallelism.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = whole::<usize>)]
    pub threads: usize,
    #[command(flatten)]
    pub limits: Options,
    /// Stop when a layer has more states than this.
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    pub states: Option<u64>,
}

impl SweepOptions {
    /// Returns what earlier sweeps have left of these limits, including cancellation by Ctrl-C.
    pub fn limits(&self) -> Limits {
        let limits = self.limits.limits();
        self.states.map_or(limits.clone(), |states| limits.states(states))
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

/// Reads a time of the command line.
pub fn time(text: &str) -> Result<Duration, String> {
    let unit = |unit: &str| match unit {
        "ms" => Some(1e-3),
        "" | "s" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3_600.0),
        "d" => Some(86_400.0),
        _ => None,
    };
    quantity(text, unit)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a time in seconds such as 0.5, or as in 250ms, 2m, 1h".to_owned())
}

/// Reads a number of bytes of the command line. As usual, `M` and `MiB` are 1024² bytes, and `MB`
/// are 1000².
pub fn size(text: &str) -> Result<u64, String> {
    let unit = |unit: &str| {
        let power = match unit.chars().next() {
            None | Some('B') => return (unit.len() < 2).then_some(1.0),
            Some(prefix) => "KMGT".find(prefix.to_ascii_uppercase())? as i32 + 1,
        };
        match &unit[1..] {
            "" | "iB" => Some(1024_f64.powi(power)),
            "B" => Some(1000_f64.powi(power)),
            _ => None,
        }
    };
    // Bytes without a unit are read as an integer, because a float would round large ones.
    text.parse()
        .ok()
        .or_else(|| {
            quantity(text, unit)
                .filter(|bytes| (0.0..2_f64.powi(64)).contains(bytes))
                .map(|b| b as u64)
        })
        .ok_or_else(|| "expected a number of bytes such as 65536, or as in 512M, 1.5G".to_owned())
}

/// Reads a number that is followed by a unit.
fn quantity(text: &str, unit: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let end = text.find(|char: char| char.is_alphabetic()).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    Some(number.parse::<f64>().ok()? * unit(suffix)?)
}
