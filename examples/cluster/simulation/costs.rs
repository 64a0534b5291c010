//! The costs of messages and rounds, as measured on one machine. Options replace them by
//! measurements of another machine.

use clap::Args;

/// Times that both simulations use; `docs/cluster-planning.md` says how they were measured.
#[derive(Args, Clone, Copy, Debug)]
pub struct Costs {
    /// Latency from host to host, one way, in microseconds.
    #[arg(long, value_name = "US", default_value_t = 50.0)]
    pub latency_us: f64,
    /// Bandwidth of each host, in gigabits per second.
    #[arg(long, value_name = "GBIT", default_value_t = 10.0)]
    pub bandwidth_gbit: f64,
    /// Workers of each process, at most.
    #[arg(long, value_name = "T", default_value_t = 64)]
    pub threads: usize,
    /// Processor time of a progress message for each worker that receives it, in microseconds.
    #[arg(long, value_name = "US", default_value_t = 2.0)]
    pub progress_us: f64,
    /// Processor time to transport a progress message to another process, at both ends together, in
    /// microseconds.
    #[arg(long, value_name = "US", default_value_t = 20.0)]
    pub network_us: f64,
}

impl Costs {
    /// Returns how many of `workers` belong to one process.
    pub fn workers_per_process(&self, workers: usize) -> usize {
        self.threads.clamp(1, workers)
    }

    /// Returns the latency in seconds.
    pub fn latency(&self) -> f64 {
        self.latency_us * 1e-6
    }

    /// Returns the seconds that a host needs to send a byte.
    pub fn byte(&self) -> f64 {
        8e-9 / self.bandwidth_gbit
    }

    /// Returns the probability that a random worker, the sender included, is in another process.
    pub fn remote_share(&self, workers: usize) -> f64 {
        1.0 - self.workers_per_process(workers) as f64 / workers as f64
    }

    /// Returns the processor time in seconds that a progress broadcast costs each worker that
    /// receives it.
    pub fn progress(&self, workers: usize) -> f64 {
        // It is sent once to each process, whose threads share the cost of the network.
        (self.progress_us
            + self.remote_share(workers) * self.network_us
                / self.workers_per_process(workers) as f64)
            * 1e-6
    }
}
