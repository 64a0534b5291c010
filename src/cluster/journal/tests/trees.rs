//! Trees whose nodes are counted by tasks, as a search does.

use super::*;

/// Each node's children.
#[derive(Clone, Debug)]
pub(super) struct Tree(pub(super) Vec<Vec<u32>>);

impl Tree {
    /// With so many nodes besides the root, each below one that comes before it.
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

    /// Visits so many nodes of those below the roots: which, and the roots of what is left.
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

/// The cluster: what each process has written, and the tasks that are underway.
pub(super) struct Life {
    journals: Vec<Journal>,
    pub(super) tasks: Vec<(TaskId, Vec<u8>)>,
    next: u64,
}

impl Life {
    /// Goes on from the journals, after a look at whether they tell of every node of the tree once.
    pub(super) fn begin(
        directory: &Path,
        tree: &Tree,
        processes: usize,
    ) -> Result<Self, JournalError> {
        let (recovery, records) = recovered(directory)?;
        let (results, mut tasks) = match recovery.results {
            None => (Vec::new(), vec![(task(0, 0), encode(&[0]))]),
            Some(results) => ([vec![results], records].concat().concat(), recovery.tasks),
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

    /// A process runs one of the tasks for so many nodes, and makes so many tasks at most of what
    /// is left.
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
