//! Measured slices, as written by `cluster_queens --trace`.

use fastrand::Rng;

/// The slices of a measured run.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The mean number of nodes of a slice.
    pub nodes: u64,
    /// The mean duration of a slice, in seconds.
    pub slice: f64,
    /// The time per node of each slice, relative to the mean.
    pace: Vec<f64>,
}

impl Trace {
    /// Parses CSV with the columns `nodes` and `microseconds`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let column = |name| {
            names
                .iter()
                .position(|&known| known == name)
                .ok_or(format!("expected a column `{name}`"))
        };
        let (nodes, microseconds) = (column("nodes")?, column("microseconds")?);
        let mut slices = Vec::new();
        for (number, line) in (2..).zip(lines) {
            let values: Vec<f64> = line.split(',').map_while(|value| value.parse().ok()).collect();
            match (values.get(nodes), values.get(microseconds)) {
                (Some(&nodes), Some(&took)) if nodes >= 0.0 && took >= 0.0 => {
                    slices.push((nodes, took * 1e-6))
                }
                _ => {
                    return Err(format!(
                        "line {number}: expected whole numbers, as many as there are columns"
                    ));
                }
            }
        }
        let (all, took) =
            slices.iter().fold((0.0, 0.0), |sum, slice| (sum.0 + slice.0, sum.1 + slice.1));
        let longest = slices.iter().map(|&(nodes, _)| nodes).fold(0.0, f64::max);
        // Short slices at the start and the end measure the resolution of the clock rather than the
        // nodes.
        slices.retain(|&(nodes, took)| nodes > longest / 8.0 && took > 0.0);
        if slices.is_empty() {
            return Err("expected slices".to_owned());
        }
        let many = slices.len() as f64;
        let nodes = slices.iter().map(|&(nodes, _)| nodes).sum::<f64>() / many;
        let pace: Vec<f64> = slices.iter().map(|&(own, its)| its / own).collect();
        // Simulated slices all have the same number of nodes. Normalizing by the mean gives them
        // the mean duration of the measured ones.
        let mean = pace.iter().sum::<f64>() / many;
        let pace = pace.into_iter().map(|pace| pace / mean).collect();
        Ok(Trace { nodes: nodes.max(1.0) as u64, slice: nodes * took / all, pace })
    }

    /// Draws the relative time per node of a random slice.
    pub fn draw(&self, random: &mut Rng) -> f64 {
        self.pace[random.usize(0..self.pace.len())]
    }
}
