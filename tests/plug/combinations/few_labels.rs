//! Random programs on labels of few bits, each with as many components as there are labels most of
//! the time; and the same programs on lists of components.

use fastrand::Rng;
use secateurs::plug::ContourProblem;
use secateurs::plug::code::{Joined, Labels};

use super::Small;

/// The maximum number of plugs of a program.
const PLUGS: usize = 16;
/// The number of the reserved component in a list.
const RESERVED: u8 = u8::MAX;

/// One operation of a step.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Begin(usize),
    Connect(usize, usize),
    Close(usize),
    /// Makes the component of a plug the reserved one.
    Reserve(usize),
    Copy(usize, usize),
}

/// A state that a program can change.
trait Components: Small {
    /// Returns the state of this number of plugs, each with a component of its own.
    fn full(plugs: usize) -> Self;
    /// Applies an operation; `None` if it does not apply to the state.
    fn after(self, operation: Operation) -> Option<Self>;
    /// Returns the number of components beside the reserved one.
    fn count(self) -> usize;
    /// Returns the unique form of the state.
    fn unique(self) -> Self;
}

impl<const BITS: u32> Components for Labels<u64, BITS> {
    fn full(plugs: usize) -> Self {
        (0..plugs).fold(Labels::EMPTY, |code, plug| code.fresh(plug)).canonical()
    }
    fn after(self, operation: Operation) -> Option<Self> {
        let is_empty = |plug| self.get(plug) == 0;
        Some(match operation {
            Operation::Begin(plug) => self.fresh(plug),
            Operation::Connect(a, b) if is_empty(a) || is_empty(b) => return None,
            Operation::Connect(a, b) => match self.connect(a, b) {
                Joined::Path(next) => next,
                Joined::Loop(_) | Joined::Complete(_) => return None,
            },
            Operation::Close(plug) if is_empty(plug) => return None,
            Operation::Close(plug) => self.close(plug).state(),
            Operation::Reserve(plug) if is_empty(plug) => return None,
            Operation::Reserve(plug) => self.relabelled(self.get(plug), Self::RESERVED),
            Operation::Copy(from, to) => self.with(to, self.get(from)),
        })
    }
    fn count(self) -> usize {
        self.components()
    }
    fn unique(self) -> Self {
        self.canonical()
    }
}

/// The number of the component of each plug; 0 for an empty plug.
type List = [u8; PLUGS];

impl Components for List {
    fn full(plugs: usize) -> Self {
        std::array::from_fn(|plug| if plug < plugs { plug as u8 + 1 } else { 0 })
    }
    fn after(self, operation: Operation) -> Option<Self> {
        let mut next = self;
        let all_of = |from: u8, to: u8| self.map(|part| if part == from { to } else { part });
        match operation {
            Operation::Begin(plug) => {
                next[plug] = (1..RESERVED).find(|part| !self.contains(part)).expect("few parts");
            }
            Operation::Connect(a, b) => match (self[a], self[b]) {
                (0, _) | (_, 0) => return None,
                (from, to) if from == to => return None,
                (from, to) => next = all_of(from.min(to), from.max(to)),
            },
            Operation::Close(plug) | Operation::Reserve(plug) if self[plug] == 0 => return None,
            Operation::Close(plug) => next[plug] = 0,
            Operation::Reserve(plug) => next = all_of(self[plug], RESERVED),
            Operation::Copy(from, to) => next[to] = self[from],
        }
        Some(next)
    }
    fn count(self) -> usize {
        (1..RESERVED).filter(|part| self.contains(part)).count()
    }
    fn unique(self) -> Self {
        let mut order: Vec<u8> = Vec::new();
        self.map(|part| match part {
            0 | RESERVED => part,
            _ => {
                let known = order.iter().position(|&other| other == part);
                let place = known.unwrap_or_else(|| {
                    order.push(part);
                    order.len() - 1
                });
                place as u8 + 1
            }
        })
    }
}

/// The operations of each cell: a step applies one of the lists, whose number is its label.
#[derive(Clone, Debug)]
pub(super) struct Program<S> {
    /// The number of components that labels suffice for.
    components: usize,
    plugs: usize,
    cells: Vec<Vec<Vec<Operation>>>,
    /// The accepted numbers of components, as a set of bits.
    accepted: u32,
    state: std::marker::PhantomData<S>,
}

impl<S> Program<S> {
    /// Returns the program on another kind of states.
    fn on<T>(&self) -> Program<T> {
        Program {
            components: self.components,
            plugs: self.plugs,
            cells: self.cells.clone(),
            accepted: self.accepted,
            state: std::marker::PhantomData,
        }
    }
}

impl<S: Components> ContourProblem for Program<S> {
    type State = S;
    type Label = u8;

    fn cells(&self) -> usize {
        self.cells.len()
    }
    fn start(&self) -> S {
        S::full(self.components.min(self.plugs))
    }
    fn step(&self, cell: usize, state: S, emit: &mut impl FnMut(S, u8)) {
        for (label, operations) in (0..).zip(&self.cells[cell]) {
            let after = operations.iter().try_fold(state, |state, &operation| {
                // As in a problem whose `fits` is right, there are never more components than
                // labels.
                let others = match operation {
                    Operation::Begin(plug) => state.after(Operation::Close(plug)).unwrap_or(state),
                    _ => return state.after(operation),
                };
                if others.count() < self.components { state.after(operation) } else { None }
            });
            if let Some(after) = after {
                emit(after.unique(), label);
            }
        }
    }
    fn accept(&self, state: S) -> bool {
        self.accepted >> state.count() & 1 == 1
    }
}

/// Returns a random program on labels of `BITS` bits, up to two more plugs than labels.
fn program<const BITS: u32>(rng: &mut Rng) -> Program<Labels<u64, BITS>> {
    let components = Labels::<u64, BITS>::COMPONENTS;
    let plugs = components + rng.usize(0..=2);
    let operation = |rng: &mut Rng| {
        let (a, b) = (rng.usize(0..plugs), rng.usize(0..plugs));
        match rng.usize(0..8) {
            0..=3 => Operation::Begin(a),
            4 => Operation::Connect(a, b),
            5 => Operation::Close(a),
            6 => Operation::Copy(a, b),
            _ => Operation::Reserve(a),
        }
    };
    let mut cell = || {
        let lists = rng.usize(1..=4);
        (0..lists)
            .map(|_| {
                let length = rng.usize(0..=5);
                (0..length).map(|_| operation(rng)).collect()
            })
            .collect()
    };
    let cells = (0..5).map(|_| cell()).collect();
    let accepted = rng.u32(..);
    Program { components, plugs, cells, accepted, state: std::marker::PhantomData }
}

/// Returns the labels of all solutions, in the order of the steps.
fn solutions<S: Components>(program: &Program<S>) -> Vec<Vec<u8>> {
    let mut partial = vec![(Vec::new(), program.start())];
    for cell in 0..program.cells() {
        let mut next = Vec::new();
        for (labels, state) in &partial {
            program.step(cell, *state, &mut |state, label| {
                next.push(([&labels[..], &[label]].concat(), state));
            });
        }
        partial = next;
    }
    partial
        .into_iter()
        .filter(|&(_, state)| program.accept(state))
        .map(|(labels, _)| labels)
        .collect()
}

/// Returns a random program whose solutions on labels are those on lists of components.
fn checked<const BITS: u32>(rng: &mut Rng) -> Result<Program<Labels<u64, BITS>>, String> {
    let program = program::<BITS>(rng);
    if solutions(&program) == solutions(&program.on::<List>()) {
        Ok(program)
    } else {
        Err(format!("labels and lists differ: {program:?}"))
    }
}

/// Returns a random program on labels of two bits, after comparing it and programs on wider labels
/// with lists of components.
///
/// # Errors
///
/// Returns the program whose solutions differ.
pub(super) fn random_program(rng: &mut Rng) -> Result<Program<Labels<u64, 2>>, String> {
    checked::<3>(rng)?;
    checked::<4>(rng)?;
    checked::<2>(rng)
}
