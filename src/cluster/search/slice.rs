//! How much of a task is searched at a time: [`Slice`].

use std::time::Duration;

/// The nodes that a worker visits before it looks for letters, and sends on what is left: adapted
/// so that it takes about a given time, or fixed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    nodes: u64,
    /// How long it should take; `None` if the nodes are fixed.
    length: Option<Duration>,
}

/// What the first slice is: others wait for what is left of it.
const FIRST: u64 = 1 << 10;
/// A slice grows by no more than this at a time, and so adapts to nodes that suddenly cost more or
/// less.
const GROWTH: f64 = 2.0;

impl Slice {
    /// About so long.
    pub(super) fn of_length(length: Duration) -> Self {
        Slice { nodes: FIRST, length: Some(length) }
    }

    /// So many nodes, at least 1.
    pub(super) fn of_nodes(nodes: u64) -> Self {
        Slice { nodes: nodes.max(1), length: None }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A slice of `nodes` has taken so long.
    pub(super) fn adapt(&mut self, nodes: u64, took: Duration) {
        let Some(length) = self.length.filter(|_| nodes > 0) else { return };
        let wanted = length.as_secs_f64() / took.as_secs_f64().max(1e-9) * nodes as f64;
        // A slice that ended early, as there was nothing left to do, does not say that a longer one
        // is not too long.
        let most = if nodes < self.nodes { self.nodes as f64 } else { self.nodes as f64 * GROWTH };
        self.nodes = wanted.clamp(1.0, most).round() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_to_its_length_and_shrinks_at_once() {
        let mut slice = Slice::of_length(Duration::from_millis(20));
        for _ in 0..20 {
            // A node a microsecond.
            slice.adapt(slice.nodes(), Duration::from_micros(slice.nodes()));
        }
        assert!((19_900..20_100).contains(&slice.nodes()), "{slice:?}");
        let before = slice.nodes();
        slice.adapt(5, Duration::from_micros(5));
        assert_eq!(slice.nodes(), before);
        slice.adapt(before, Duration::from_secs(20));
        assert!((15..25).contains(&slice.nodes()), "{slice:?}");
        slice.adapt(slice.nodes(), Duration::from_secs(60));
        assert_eq!(slice.nodes(), 1);
        let mut fixed = Slice::of_nodes(0);
        fixed.adapt(1, Duration::from_nanos(1));
        assert_eq!(fixed.nodes(), 1);
    }
}
