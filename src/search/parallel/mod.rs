//! Search with several threads.
//!
//! The tree is one task at first. Idle workers block. A busy worker checks for idle ones whenever
//! it refuels, and donates half of its remaining work: the untried children of its shallowest open
//! nodes (Kumar and Rao 1987; Blumofe and Leiserson 1999). The number of nodes visited at each
//! depth so far tells which of these children make up half. In most trees they are the untried
//! children of one or two nodes. In trees whose deep nodes have as much work below them as shallow
//! ones, they are the children of thousands of nodes. A donation consists of a path and some
//! choices. States never move between threads. A search by diagrams donates every other one of its
//! best open nodes, each as a subtree.
//!
//! Each worker has its own clones of the hooks and of the brancher. They do not share what they
//! learn, except for an [incumbent](crate::Incumbent).
//!
//! Read the files in this order: [`threads`] (the public type and its operations), [`run`] (starts
//! and joins the workers), [`worker`] (the loop of one worker), [`pool`] (the tasks, their order
//! and the sums of results), [`solutions`] (visitors, and messages to the receiving thread), and
//! [`supervisor`] (progress and checkpoints).

mod pool;
mod run;
pub(super) mod solutions;
mod supervisor;
pub(super) mod threads;
mod worker;
