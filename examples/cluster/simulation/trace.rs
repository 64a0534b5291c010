//! Measured slices, as written by `cluster_queens --trace`.

use fastrand::Rng;

/// The slices of a measured run.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The mean number of nodes of a slice. Short slices at the start and the end are excluded.
    pub slice_nodes: u64,
    /// The duration of a slice of this many nodes at the mean speed of the run, in seconds.
    pub slice_seconds: f64,
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
                .position(|&found| found == name)
                .ok_or(format!("expected a column `{name}`"))
        };
        let (nodes, microseconds) = (column("nodes")?, column("microseconds")?);
        let mut slices = Vec::new();
        for (number, line) in (2..).zip(lines) {
            let values: Vec<u64> = line.split(',').map_while(|value| value.parse().ok()).collect();
            match (values.get(nodes), values.get(microseconds)) {
                (Some(&nodes), Some(&microseconds)) if values.len() == names.len() => {
                    slices.push((nodes as f64, microseconds as f64 * 1e-6))
                }
                _ => {
                    return Err(format!(
                        "line {number}: expected whole numbers, as many as there are columns"
                    ));
                }
            }
        }
        let (total_nodes, total_seconds) =
            slices.iter().fold((0.0, 0.0), |sum, slice| (sum.0 + slice.0, sum.1 + slice.1));
        let longest = slices.iter().map(|&(nodes, _)| nodes).fold(0.0, f64::max);
        // Short slices at the start and the end measure the resolution of the clock rather than the
        // nodes.
        slices.retain(|&(nodes, seconds)| nodes > longest / 8.0 && seconds > 0.0);
        if slices.is_empty() {
            return Err("expected slices".to_owned());
        }
        let count = slices.len() as f64;
        let nodes = slices.iter().map(|&(nodes, _)| nodes).sum::<f64>() / count;
        let pace: Vec<f64> = slices.iter().map(|&(nodes, seconds)| seconds / nodes).collect();
        // Simulated slices all have the same number of nodes. Normalising the times per node to a
        // mean of 1 gives them `slice_seconds` as their mean duration.
        let mean = pace.iter().sum::<f64>() / count;
        let pace = pace.into_iter().map(|pace| pace / mean).collect();
        Ok(Trace {
            slice_nodes: nodes.max(1.0) as u64,
            slice_seconds: nodes * total_seconds / total_nodes,
            pace,
        })
    }

    /// Draws the relative time per node of a random slice.
    pub fn draw(&self, random: &mut Rng) -> f64 {
        self.pace[random.usize(0..self.pace.len())]
    }
}
