//! Large cliques without a proof: a dynamic local search.

use fastrand::Rng;

/// The number of bits of a word.
const BITS: usize = u64::BITS as usize;

/// The numbers of missing neighbours of vertices that may not be added are at least this.
const BARRED: u32 = 1 << 16;

/// A clique that is changed step by step.
struct Walk<'r> {
    /// The adjacency matrix: for each vertex, a row of bits in whole words.
    rows: &'r [u64],
    /// The words of a row.
    words: usize,
    /// The ranks of the clique.
    clique: Vec<usize>,
    /// For each vertex, the number of other vertices of the clique that are not adjacent to it, and
    /// [`BARRED`] if it was added since the walk began anew.
    missing: Vec<u32>,
    /// For each vertex, how often it was in a clique from which no step led on.
    penalties: Vec<u32>,
}

impl<'r> Walk<'r> {
    fn row(&self, rank: usize) -> &'r [u64] {
        &self.rows[rank * self.words..(rank + 1) * self.words]
    }

    fn is_member(&self, rank: usize) -> bool {
        self.clique.contains(&rank)
    }

    /// Updates the numbers of missing neighbours after a vertex has entered or left the clique.
    fn update(&mut self, rank: usize, change: impl Fn(&mut u32)) {
        let row = self.row(rank);
        for (numbers, row) in self.missing.chunks_mut(BITS).zip(row) {
            let mut others = !row;
            while others != 0 {
                let Some(number) = numbers.get_mut(others.trailing_zeros() as usize) else { break };
                change(number);
                others &= others - 1;
            }
        }
    }

    fn remove(&mut self, index: usize) {
        let rank = self.clique.swap_remove(index);
        self.update(rank, |missing| *missing -= 1);
    }

    /// Adds a vertex that is not in the clique, and removes those that are not adjacent to it.
    fn add(&mut self, rank: usize) {
        let row = self.row(rank);
        let mut index = 0;
        while let Some(&other) = self.clique.get(index) {
            match row[other / BITS] >> (other % BITS) & 1 == 0 {
                true => self.remove(index),
                false => index += 1,
            }
        }
        self.clique.push(rank);
        self.update(rank, |missing| *missing += 1);
        self.missing[rank] |= BARRED;
    }

    /// Begins anew with a vertex and its neighbours in the clique.
    fn perturb(&mut self, rank: usize) {
        for &member in &self.clique {
            self.penalties[member] += 1;
        }
        if !self.is_member(rank) {
            self.add(rank);
        }
        self.missing.iter_mut().for_each(|missing| *missing &= BARRED - 1);
        for &member in &self.clique {
            self.missing[member] |= BARRED;
        }
    }

    /// Returns a vertex that may be added, has this number of missing neighbours and of these the
    /// least penalty: one at random of several.
    fn choose(&self, missing: u32, random: &mut Rng) -> Option<usize> {
        let (mut least, mut chosen, mut ties) = (u32::MAX, None, 0);
        for (rank, &penalty) in self.penalties.iter().enumerate() {
            if self.missing[rank] != missing || penalty > least {
                continue;
            }
            ties = if penalty < least { 1 } else { ties + 1 };
            least = penalty;
            // Reservoir sampling: each tie is kept with equal probability.
            if random.usize(0..ties) == 0 {
                chosen = Some(rank);
            }
        }
        chosen
    }
}

/// The most steps of a search, times the number of vertices.
const WORK: usize = 10_000_000;
/// The most steps of a search for each vertex.
const STEPS: usize = 50;

/// Returns the ranks of a large clique of a graph with this number of vertices, given by its
/// adjacency matrix, a row of whole words for each; found by a dynamic local search (Pullan and
/// Hoos 2006). A step adds a vertex, in exchange for at most one other one unless the walk begins
/// anew. Vertices of earlier cliques come last.
pub(super) fn large_clique(rows: &[u64], number: usize, seed: u64) -> Vec<usize> {
    let words = number.div_ceil(BITS);
    let mut random = Rng::with_seed(seed);
    let (missing, penalties) = (vec![0; number], vec![0; number]);
    let mut walk = Walk { rows, words, clique: Vec::new(), missing, penalties };
    let mut best = Vec::new();
    // The clique to which vertices were added last: exchanges end when all of it is left.
    let mut anchor: Vec<usize> = Vec::new();
    for _ in 0..(STEPS * number).min(WORK / number.max(1)) {
        if let Some(rank) = walk.choose(0, &mut random) {
            walk.add(rank);
            anchor.clone_from(&walk.clique);
            if walk.clique.len() > best.len() {
                best.clone_from(&walk.clique);
            }
            continue;
        }
        let overlaps = anchor.iter().any(|&rank| walk.is_member(rank));
        match walk.choose(1, &mut random).filter(|_| overlaps) {
            Some(rank) => walk.add(rank),
            None => {
                walk.perturb(random.usize(0..number));
                anchor.clone_from(&walk.clique);
            }
        }
    }
    best
}
