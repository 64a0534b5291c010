//! Hand-written programs for n-queens: forward checking on machine words, smallest domain first.
//! They search the same tree as the network.

/// The columns that are left for the queen of each row.
pub(super) type Words = [u64; 16];

/// Returns the first of the open rows with the fewest columns left.
fn smallest(words: &Words, open: u64) -> usize {
    let (mut rest, mut best, mut least) = (open, 0, u32::MAX);
    while rest != 0 {
        let row = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let size = words[row].count_ones();
        if size < least {
            (best, least) = (row, size);
        }
    }
    best
}

/// Counts solutions. Backtracking drops a copy of all words.
pub(super) fn copying(words: &Words, open: u64) -> u64 {
    if open == 0 {
        return 1;
    }
    let row = smallest(words, open);
    let open = open & !(1 << row);
    let (mut columns, mut solutions) = (words[row], 0);
    while columns != 0 {
        let queen = columns & columns.wrapping_neg();
        columns ^= queen;
        let mut below = *words;
        let mut rest = open;
        let mut dead = false;
        while rest != 0 && !dead {
            let other = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let away = other.abs_diff(row);
            below[other] &= !(queen | queen << away | queen >> away);
            dead = below[other] == 0;
        }
        if !dead {
            solutions += copying(&below, open);
        }
    }
    solutions
}

/// Counts solutions. Backtracking restores the changed words from a trail.
pub(super) fn trailing(words: &mut Words, open: u64, trail: &mut Vec<(u32, u64)>) -> u64 {
    if open == 0 {
        return 1;
    }
    let row = smallest(words, open);
    let open = open & !(1 << row);
    let (mut columns, mut solutions) = (words[row], 0);
    while columns != 0 {
        let queen = columns & columns.wrapping_neg();
        columns ^= queen;
        let mark = trail.len();
        let mut rest = open;
        let mut dead = false;
        while rest != 0 && !dead {
            let other = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let away = other.abs_diff(row);
            let lost = words[other] & (queen | queen << away | queen >> away);
            if lost != 0 {
                trail.push((other as u32, words[other]));
                words[other] ^= lost;
                dead = words[other] == 0;
            }
        }
        if !dead {
            solutions += trailing(words, open, trail);
        }
        while trail.len() > mark {
            let Some((other, before)) = trail.pop() else { break };
            words[other as usize] = before;
        }
    }
    solutions
}
