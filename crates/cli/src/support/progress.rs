//! The progress of a long run, on standard error: a bar, or lines without a terminal.

use std::collections::VecDeque;
use std::io::{IsTerminal, stderr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use secateurs::plug::{ContourProblem, Sweep, SweepProgress};
use secateurs::search::{Progress, Remaining};
use secateurs::{Problem, Search};
use secateurs_csp::Solver;

/// The interval between progress reports of a run.
pub const INTERVAL: Duration = Duration::from_millis(200);

/// The time before a run shows its progress.
const QUIET: Duration = Duration::from_secs(1);

/// The interval between lines.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// The length of a text beside the bar, so that both fit into 80 columns.
const MESSAGE_COLUMNS: usize = 80 - "[========] 59s: ".len();

/// The position of a full bar.
const FULL: u64 = 10_000;

/// The option to show the progress of a run.
#[derive(Args)]
#[group(id = "shown")]
pub struct Options {
    /// Report progress every few seconds even if standard error is not a terminal. On a terminal, a
    /// bar appears when the run takes more than a second.
    #[arg(long)]
    progress: bool,
}

impl Options {
    /// Creates the display of the progress of a run.
    pub fn bar(&self) -> Bar {
        Bar::new(self.progress)
    }
}

/// The display of the progress of a run, if there is one. Dropping it clears the bar.
pub struct Bar(Option<Shared>);

/// A screen shared by the bar and the callback. The lock protects the screen: a callback may run on
/// another thread.
#[derive(Clone)]
struct Shared(Arc<Mutex<Screen>>);

impl Bar {
    /// Creates a bar if standard error is a terminal, or lines if it is not and `wanted` is set.
    pub fn new(wanted: bool) -> Self {
        let terminal = stderr().is_terminal();
        let screen = || Screen {
            bar: terminal
                .then(|| ProgressBar::with_draw_target(Some(FULL), ProgressDrawTarget::hidden())),
            next: QUIET,
            pace: Pace::default(),
        };
        Bar((terminal || wanted).then(|| Shared(Arc::new(Mutex::new(screen())))))
    }

    /// Makes `search` report its progress: the best value so far, if it optimises, and the fraction
    /// that is done, if `with_share` is set.
    pub fn watch<'p, P: Problem, B, H, X, S>(
        &self,
        search: Search<'p, P, B, H, X, S>,
        best: impl Fn() -> Option<String> + Send + 'p,
        with_share: bool,
    ) -> Search<'p, P, B, H, X, S> {
        match self.search_callback(best) {
            Some(callback) if with_share => search.progress(INTERVAL, callback).fraction(),
            Some(callback) => search.progress(INTERVAL, callback),
            None => search,
        }
    }

    /// Returns the callback of a search, to be called at [these intervals](INTERVAL), or `None`
    /// without a display, so that the search need not read the clock.
    pub fn search_callback<'p>(
        &self,
        best: impl Fn() -> Option<String> + Send + 'p,
    ) -> Option<impl FnMut(&Progress) + Send + 'p> {
        let shared = self.0.clone()?;
        Some(move |progress: &Progress| {
            let left = progress.time_left();
            shared.show_left(progress.elapsed, progress.fraction, left, || {
                let nodes = progress.nodes as f64;
                let found = best().map(|best| format!("best {best}"));
                vec![
                    found.unwrap_or_else(|| {
                        format!("{} found", short_number(progress.solutions as f64))
                    }),
                    format!("{} nodes/s", short_number(nodes / progress.elapsed.as_secs_f64())),
                    format!("{} nodes", short_number(nodes)),
                ]
            });
        })
    }

    /// Makes `solver` report its progress: the best value so far, and the value that none beats.
    pub fn watch_solver<'p>(&self, solver: Solver<'p>) -> Solver<'p> {
        let Some(shared) = self.0.clone() else { return solver };
        solver.progress(INTERVAL, move |progress| {
            shared.show(progress.elapsed, None, || {
                let value = |of, value: Option<i32>| value.map(|value| format!("{of} {value}"));
                let values = [value("best", progress.best), value("bound", progress.bound)];
                let nodes = format!("{} nodes", short_number(progress.nodes as f64));
                values.into_iter().flatten().chain([nodes]).collect()
            });
        })
    }

    /// Shows the progress of a run that is neither a search nor a sweep: the fraction that is done,
    /// if it is known, and details in words.
    pub fn show(
        &self,
        elapsed: Duration,
        fraction: Option<f64>,
        details: impl FnOnce() -> Vec<String>,
    ) {
        if let Some(shared) = &self.0 {
            shared.show(elapsed, fraction, details);
        }
    }

    /// Makes `sweep` report its progress.
    pub fn watch_sweep<'p, P: ContourProblem, H>(&self, sweep: Sweep<'p, P, H>) -> Sweep<'p, P, H> {
        match self.sweep_callback() {
            Some(callback) => sweep.progress(INTERVAL, callback),
            None => sweep,
        }
    }

    /// Returns the callback of a sweep, to be called at [these intervals](INTERVAL), or `None`
    /// without a display.
    pub fn sweep_callback(&self) -> Option<impl FnMut(&SweepProgress) + Send + use<>> {
        let shared = self.0.clone()?;
        Some(move |progress: &SweepProgress| {
            let SweepProgress { cells_done, cells, states, bytes, pass, passes, .. } = *progress;
            let fraction = passes
                .map(|passes| (f64::from(pass - 1) + progress.fraction()) / f64::from(passes));
            shared.show(progress.elapsed, fraction, || {
                let pass = if passes == Some(1) { None } else { Some(format!("pass {pass}")) };
                let details = [
                    format!("cell {cells_done} of {cells}"),
                    format!("{} states", short_number(states as f64)),
                    format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20)),
                ];
                pass.into_iter().chain(details).collect()
            });
        })
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = self.0.as_ref().and_then(|shared| shared.lock().bar.take()) {
            bar.finish_and_clear();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Screen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(
        &self,
        elapsed: Duration,
        fraction: Option<f64>,
        details: impl FnOnce() -> Vec<String>,
    ) {
        let mut screen = self.lock();
        let left = fraction.and_then(|fraction| screen.pace.remaining(elapsed, fraction));
        let left = left.map(|left| format!("about {} left", short_time(left)));
        screen.show(elapsed, fraction, left, details);
    }

    /// Shows the time left that the search predicts.
    fn show_left(
        &self,
        elapsed: Duration,
        fraction: Option<f64>,
        left: Option<Remaining<Duration>>,
        details: impl FnOnce() -> Vec<String>,
    ) {
        let left = left.map(|Remaining { estimate, interval: (from, to), .. }| {
            let [estimate, from, to] = [estimate, from, to].map(short_time);
            format!("about {estimate} ({from} to {to}) left")
        });
        self.lock().show(elapsed, fraction, left, details);
    }
}

/// The display on standard error.
struct Screen {
    /// `None` without a terminal.
    bar: Option<ProgressBar>,
    /// The elapsed time of the run before which nothing more is shown.
    next: Duration,
    pace: Pace,
}

impl Screen {
    fn show(
        &mut self,
        elapsed: Duration,
        fraction: Option<f64>,
        left: Option<String>,
        details: impl FnOnce() -> Vec<String>,
    ) {
        if elapsed < self.next {
            return;
        }
        // The most important parts come first, because parts that do not fit are left out.
        let share = fraction.map(|fraction| format!("{} done", percent(fraction)));
        let mut parts: Vec<String> = share.into_iter().chain(left).chain(details()).collect();
        let Some(bar) = &self.bar else {
            self.next = elapsed + LINE_INTERVAL;
            eprintln!("{}: {}", short_time(elapsed), parts.join(", "));
            return;
        };
        while parts.len() > 1 && parts.join(", ").len() > MESSAGE_COLUMNS {
            parts.pop();
        }
        let style = if fraction.is_some() {
            "[{bar:8}] {elapsed}: {wide_msg}"
        } else {
            "{spinner} {elapsed}: {wide_msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_position(fraction.map_or(0, |fraction| (fraction * FULL as f64) as u64));
        bar.set_message(parts.join(", "));
        // The bar is hidden until something is shown for the first time.
        if bar.is_hidden() {
            // The clone shares its state with the bar.
            let _ = bar.clone().with_elapsed(elapsed);
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(INTERVAL);
        }
    }
}

/// Samples of elapsed time and fraction done, for an estimate of the remaining time of what is no
/// search.
#[derive(Default)]
struct Pace(VecDeque<(Duration, f64)>);

impl Pace {
    /// Adds a sample, and estimates the remaining time from the pace of the second half of the
    /// elapsed time, because the beginning of a run is often not typical.
    fn remaining(&mut self, elapsed: Duration, fraction: f64) -> Option<Duration> {
        while self.0.get(1).is_some_and(|(earlier, _)| *earlier <= elapsed / 2) {
            self.0.pop_front();
        }
        let pace = self
            .0
            .front()
            .map(|&(earlier, before)| (fraction - before) / (elapsed - earlier).as_secs_f64());
        // Samples that hardly differ from the last one are not kept.
        if self.0.back().is_none_or(|(last, _)| elapsed >= last.mul_f64(1.02)) {
            self.0.push_back((elapsed, fraction));
        }
        Duration::try_from_secs_f64((1.0 - fraction) / pace.filter(|pace| *pace > 0.0)?).ok()
    }
}

/// Formats a time in few characters.
fn short_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let units = [(31_556_952.0, "years"), (86_400.0, "days"), (3_600.0, "h"), (60.0, "min")];
    match units.into_iter().find(|&(unit, _)| seconds >= 2.0 * unit) {
        Some((unit, _)) if seconds / unit >= 1e3 => "a thousand years or more".to_owned(),
        Some((unit, name)) => format!("{:.1} {name}", seconds / unit),
        None => format!("{seconds:.0} s"),
    }
}

/// Formats a number in few characters.
fn short_number(number: f64) -> String {
    // Only numbers from 10,000 are abbreviated.
    let units = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")];
    match units.into_iter().find(|&(least, _)| number >= least) {
        Some((unit, name)) => {
            let value = if name == "k" { number / 1e3 } else { number / unit };
            format!("{value:.*} {name}", if value < 10.0 { 2 } else { usize::from(value < 100.0) })
        }
        None => format!("{number:.0}"),
    }
}

/// Formats a fraction as a percentage with two significant digits, unless it is very small.
fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    let digits = match percent {
        1e-6..10.0 => (1.0 - percent.log10().floor()) as usize,
        _ => usize::from(percent >= 10.0),
    };
    format!("{percent:.digits$} %")
}
