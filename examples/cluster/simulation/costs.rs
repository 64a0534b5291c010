//! What rounds cost: measured on one machine, to be replaced by what another one measures.

use clap::Args;

/// Times that both simulations are made from; the page on planning says how they were measured.
#[derive(Args, Clone, Copy, Debug)]
pub struct Costs {
    /// From one host to another, one way, in microseconds.
    #[arg(long, value_name = "US", default_value_t = 50.0)]
    pub latency_us: f64,
    /// Of each host, in gigabits a second.
    #[arg(long, value_name = "GBIT", default_value_t = 10.0)]
    pub bandwidth_gbit: f64,
    /// Workers of each process, as far as there are so many.
    #[arg(long, value_name = "T", default_value_t = 64)]
    pub threads: usize,
    /// Processor time of a message of progress for each worker that gets it, in microseconds.
    #[arg(long, value_name = "US", default_value_t = 2.0)]
    pub progress_us: f64,
    /// Processor time that its way to another process takes, at both ends together, in
    /// microseconds.
    #[arg(long, value_name = "US", default_value_t = 20.0)]
    pub network_us: f64,
}

impl Costs {
    /// How many of `workers` a process has.
    pub fn together(&self, workers: usize) -> usize {
        self.threads.clamp(1, workers)
    }

    /// In seconds.
    pub fn latency(&self) -> f64 {
        self.latency_us * 1e-6
    }

    /// Seconds that a byte takes on the way out of a host.
    pub fn byte(&self) -> f64 {
        8e-9 / self.bandwidth_gbit
    }

    /// The chance that another worker is in another process.
    pub fn remote_share(&self, workers: usize) -> f64 {
        1.0 - self.together(workers) as f64 / workers as f64
    }

    /// Seconds of a worker's processor that one message of progress, which all get, takes from each
    /// of the others.
    pub fn progress(&self, workers: usize) -> f64 {
        // It goes once to each process, whose threads share what the network takes.
        (self.progress_us
            + self.remote_share(workers) * self.network_us / self.together(workers) as f64)
            * 1e-6
    }
}
