//! Trees whose nodes are counted task by task, as in a search.

use super::*;

/// A tree, as the children of each node.
#[derive(Clone, Debug)]
pub(super) struct Tree(pub(super) Vec<Vec<u32>>);

impl Tree {
    /// Creates a tree with `parents.len()` nodes besides the root, each below an earlier one.
    pub(super) fn new(parents: &[usize]) -> Self {
        let mut children = vec![Vec::new(); parents.len() + 1];
        for (index, parent) in parents.iter().enumerate() {
            children[parent % (index + 1)].push(index as u32 + 1);
        }
        Tree(children)
    }

    pub(super) fn nodes(&self) -> Vec<u32> {
        (0..self.0.len() as u32).collect()
    }

    /// Visits up to `budget` nodes of the subtrees with these roots. Returns them, and the roots of
    /// the unvisited subtrees.
    pub(super) fn visit(&self, mut roots: Vec<u32>, budget: usize) -> (Vec<u32>, Vec<u32>) {
        let mut nodes = Vec::new();
        while nodes.len() < budget {
            let Some(node) = roots.pop() else { break };
            nodes.push(node);
            roots.extend(&self.0[node as usize]);
        }
        (nodes, roots)
    }
}

pub(super) fn encode(nodes: &[u32]) -> Vec<u8> {
    nodes.iter().flat_map(|node| node.to_le_bytes()).collect()
}

pub(super) fn decode(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four"))).collect()
}

/// One lifetime of the cluster: the journals of the processes, and the tasks in progress.
pub(super) struct Life {
    journals: Vec<Journal>,
    pub(super) tasks: Vec<(TaskId, Vec<u8>)>,
    next: u64,
}

impl Life {
    /// Continues from the journals, after asserting that they account for every node of the tree
    /// once.
    pub(super) fn begin(
        directory: &Path,
        tree: &Tree,
        processes: usize,
    ) -> Result<Self, JournalError> {
        let (recovery, results) = recovered(directory)?;
        let (results, mut tasks) = match recovery.found_run {
            false => (Vec::new(), vec![(task(0, 0), encode(&[0]))]),
            true => (results.concat(), recovery.tasks),
        };
        let left = tasks.iter().flat_map(|(_, roots)| tree.visit(decode(roots), usize::MAX).0);
        let mut nodes: Vec<u32> = decode(&results).into_iter().chain(left).collect();
        nodes.sort_unstable();
        assert_eq!(nodes, tree.nodes());
        for (number, (name, _)) in tasks.iter_mut().enumerate() {
            *name = task(0, number as u64);
        }
        let next = tasks.len() as u64;
        let first = Journal::begin(recovery.directory, results, tasks.clone())?;
        let others = 1..processes;
        let mut journals = Vec::new();
        for process in others {
            journals.push(Journal::join(directory, &fingerprint(), first.run(), process as u32)?);
        }
        journals.insert(0, first);
        Ok(Life { journals, tasks, next })
    }

    /// Runs one of the tasks in a process for up to `budget` nodes, and splits the rest of it into
    /// up to `parts` tasks.
    pub(super) fn step(
        &mut self,
        tree: &Tree,
        process: usize,
        chosen: usize,
        budget: usize,
        parts: usize,
    ) {
        let (name, roots) = self.tasks.swap_remove(chosen % self.tasks.len());
        let process = process % self.journals.len();
        let (nodes, left) = tree.visit(decode(&roots), budget);
        let remaining: Vec<(TaskId, Vec<u8>)> = left
            .chunks(left.len().div_ceil(parts).max(1))
            .map(|roots| {
                self.next += 1;
                (task(process as u32, self.next), encode(roots))
            })
            .collect();
        self.journals[process].append(name, &encode(&nodes), &remaining).expect("written");
        self.tasks.extend(remaining);
    }
}
