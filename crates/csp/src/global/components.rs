//! The strongly connected components of a graph.

/// Returns the number of words that [`components`] needs.
pub(super) fn words_for(nodes: usize) -> usize {
    6 * nodes
}

/// Computes the strongly connected components of a graph by depth-first search (Tarjan 1972),
/// without recursion.
///
/// `next(node, from)` must return the first neighbour at or after position `from` in the list of
/// neighbours of `node`, and the position after it; positions begin with 0. `scratch` must have at
/// least [`words_for`] words, with any content.
///
/// Returns the number of components and the component of each node, counted from 1. Visits each
/// edge once.
pub(super) fn components(
    nodes: usize,
    scratch: &mut [u64],
    mut next: impl FnMut(usize, u64) -> Option<(usize, u64)>,
) -> (u64, &[u64]) {
    let scratch = &mut scratch[..words_for(nodes)];
    scratch.fill(0);
    let (component, rest) = scratch.split_at_mut(nodes);
    let (position, rest) = rest.split_at_mut(nodes);
    // The time at which each node was entered, from 1; and Tarjan's low link: the smallest entry
    // time, as far as known, of the nodes that can be reached from the node and have no component.
    let (entered, rest) = rest.split_at_mut(nodes);
    let (low_link, rest) = rest.split_at_mut(nodes);
    // The path from the root to the current node, and the stack of entered nodes without a
    // component.
    let (path, waiting) = rest.split_at_mut(nodes);
    let (mut depth, mut waiting_count, mut time, mut count) = (0, 0, 0, 0);
    for root in 0..nodes {
        let mut enter = (entered[root] == 0).then_some(root);
        loop {
            if let Some(node) = enter.take() {
                time += 1;
                (entered[node], low_link[node]) = (time, time);
                (path[depth], waiting[waiting_count]) = (node as u64, node as u64);
                depth += 1;
                waiting_count += 1;
            }
            if depth == 0 {
                break;
            }
            let node = path[depth - 1] as usize;
            if let Some((neighbour, after)) = next(node, position[node]) {
                position[node] = after;
                if entered[neighbour] == 0 {
                    enter = Some(neighbour);
                } else if component[neighbour] == 0 {
                    low_link[node] = low_link[node].min(entered[neighbour]);
                }
                continue;
            }
            depth -= 1;
            if low_link[node] == entered[node] {
                count += 1;
                while component[node] == 0 {
                    waiting_count -= 1;
                    component[waiting[waiting_count] as usize] = count;
                }
            }
            if depth > 0 {
                let parent = path[depth - 1] as usize;
                low_link[parent] = low_link[parent].min(low_link[node]);
            }
        }
    }
    (count, component)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Two nodes are in one component exactly if each can be reached from the other.
        #[test]
        fn components_are_classes_of_mutual_reachability(
            edges in prop::collection::vec((0_usize..9, 0_usize..9), 0..=24),
        ) {
            let mut reach = [[false; 9]; 9];
            edges.iter().for_each(|&(from, to)| reach[from][to] = true);
            for (via, from) in (0..9).flat_map(|via| (0..9).map(move |from| (via, from))) {
                if reach[from][via] {
                    (0..9).for_each(|to| reach[from][to] |= reach[via][to]);
                }
            }
            let next = |node: usize, from: u64| {
                let rest = edges.iter().enumerate().skip(from as usize);
                let mut after = rest.filter(|(_, edge)| edge.0 == node);
                after.next().map(|(index, edge)| (edge.1, index as u64 + 1))
            };
            let mut scratch = vec![7; words_for(9)];
            let (count, component) = components(9, &mut scratch, next);
            for (one, other) in (0..9).flat_map(|one| (0..9).map(move |other| (one, other))) {
                let together = one == other || reach[one][other] && reach[other][one];
                prop_assert_eq!(component[one] == component[other], together);
            }
            prop_assert_eq!(component.iter().copied().max(), Some(count));
        }
    }

    #[test]
    fn a_graph_without_nodes_has_no_components() {
        assert_eq!(components(0, &mut [], |_, _| None).0, 0);
    }
}
