//! Hand-written programs for n-queens: forward checking on machine words, smallest domain first.
//! They search the same tree as the network.

/// The columns that are left for the queen of each row.
pub(super) type Domains = [u64; 16];

/// Returns the first of the open rows with the fewest columns left.
fn smallest(domains: &Domains, open: u64) -> usize {
    let (mut rest, mut best, mut least) = (open, 0, u32::MAX);
    while rest != 0 {
        let row = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let size = domains[row].count_ones();
        if size < least {
            (best, least) = (row, size);
        }
    }
    best
}

/// Counts solutions. Backtracking drops a copy of all domains.
pub(super) fn copying(domains: &Domains, open: u64) -> u64 {
    if open == 0 {
        return 1;
    }
    let row = smallest(domains, open);
    let open = open & !(1 << row);
    let (mut columns, mut solutions) = (domains[row], 0);
    while columns != 0 {
        let queen = columns & columns.wrapping_neg();
        columns ^= queen;
        let mut child = *domains;
        let mut rest = open;
        let mut dead = false;
        while rest != 0 && !dead {
            let other = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let distance = other.abs_diff(row);
            child[other] &= !(queen | queen << distance | queen >> distance);
            dead = child[other] == 0;
        }
        if !dead {
            solutions += copying(&child, open);
        }
    }
    solutions
}

/// Counts solutions. Backtracking restores the changed domains from a trail.
pub(super) fn trailing(domains: &mut Domains, open: u64, trail: &mut Vec<(u32, u64)>) -> u64 {
    if open == 0 {
        return 1;
    }
    let row = smallest(domains, open);
    let open = open & !(1 << row);
    let (mut columns, mut solutions) = (domains[row], 0);
    while columns != 0 {
        let queen = columns & columns.wrapping_neg();
        columns ^= queen;
        let mark = trail.len();
        let mut rest = open;
        let mut dead = false;
        while rest != 0 && !dead {
            let other = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let distance = other.abs_diff(row);
            let lost = domains[other] & (queen | queen << distance | queen >> distance);
            if lost != 0 {
                trail.push((other as u32, domains[other]));
                domains[other] ^= lost;
                dead = domains[other] == 0;
            }
        }
        if !dead {
            solutions += trailing(domains, open, trail);
        }
        while trail.len() > mark {
            let Some((other, before)) = trail.pop() else { break };
            domains[other as usize] = before;
        }
    }
    solutions
}
