//! Global constraints: propagators on many variables, each with the method of
//! [`Model`](super::Model) that states it.
//!
//! - `all_different`: variables that are all different, with a choice of the propagation.
//! - `difference`: the constraint of the next three, which are rules that prune it.
//! - `bounds_matching`: all different, consistent by bounds.
//! - `matching`: the same, consistent by domains.
//! - `word_matching`: the same for at most 64 values, by operations on words.
//! - `conditional`: constraints of any kind under a condition.
//! - `linear`: sums.
//! - `arithmetic`: products, quotients, remainders, powers and absolute values.
//! - `table`: tables of allowed or forbidden rows.
//! - `counting`: numbers of occurrences of values.
//! - `cardinality`: ranges for the numbers of occurrences of several values.
//! - `n_values`: numbers of different values.
//! - `functional`: elements of arrays, minimum and maximum.
//! - `arg_extreme`: positions of the minimum and of the maximum.
//! - `lexicographic`: the order of two lists of variables.
//! - `precedence`: one of two tasks before the other, with a variable that says which.
//! - `regular`: words that an automaton accepts.
//! - `circuit`: successors that form one circuit.
//! - `disjunctive`: tasks that do not overlap.
//! - `cumulative`: tasks that share a resource.
//! - `variable_tasks`: the same, with durations, demands and capacity as variables.
//! - `tasks`: the windows of tasks, for the three of them.
//! - `components`: the strongly connected components of a graph, for `matching`, `circuit` and
//!   `cardinality`.

mod all_different;
mod arg_extreme;
mod arithmetic;
mod bounds_matching;
mod cardinality;
mod circuit;
mod components;
mod conditional;
mod counting;
mod cumulative;
mod difference;
mod disjunctive;
mod functional;
mod lexicographic;
mod linear;
mod matching;
mod n_values;
mod precedence;
mod regular;
mod table;
mod tasks;
mod variable_tasks;
mod word_matching;

pub use all_different::Consistency;
pub use cumulative::Task;
pub use regular::Automaton;
