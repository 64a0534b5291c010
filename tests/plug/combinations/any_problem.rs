//! The problems of the random combinations as one type, so that the engine is compiled once.

use secateurs::plug::code::{Labels, Parentheses};
use secateurs::plug::motzkin::PathPiece;
use secateurs::plug::{Both, ContourProblem, Only};
use serde::{Deserialize, Serialize};

use super::few_labels::Program;
use crate::automata::Automaton;
use crate::motzkin::entrances::Board;

/// The solutions of two automata for which [`may_meet`] holds in each cell.
pub(super) type Pair = Only<Both<Automaton, Automaton>, fn(usize, (u8, u8)) -> bool>;

/// Returns whether two labels may be in the same cell: two thirds of the pairs may.
pub(super) fn may_meet(cell: usize, (one, other): (u8, u8)) -> bool {
    !(usize::from(one ^ other) + cell).is_multiple_of(3)
}

#[derive(Debug)]
pub(super) enum AnyProblem {
    Automaton(Automaton),
    Pair(Pair),
    Program(Program<Labels<u64, 2>>),
    Board(Board),
}

/// A state of the problem of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) enum AnyState {
    Automaton(u8),
    Pair((u8, u8)),
    Program(Labels<u64, 2>),
    Board(Parentheses),
}

/// A label of the problem of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum AnyLabel {
    Automaton(u8),
    Pair((u8, u8)),
    Program(u8),
    Board(PathPiece),
}

const OTHER_KIND: &str = "a state of another kind of problem";

impl ContourProblem for AnyProblem {
    type State = AnyState;
    type Label = AnyLabel;

    fn cells(&self) -> usize {
        match self {
            AnyProblem::Automaton(automaton) => automaton.cells(),
            AnyProblem::Pair(pair) => pair.cells(),
            AnyProblem::Program(program) => program.cells(),
            AnyProblem::Board(board) => board.cells(),
        }
    }
    fn start(&self) -> AnyState {
        match self {
            AnyProblem::Automaton(automaton) => AnyState::Automaton(automaton.start()),
            AnyProblem::Pair(pair) => AnyState::Pair(pair.start()),
            AnyProblem::Program(program) => AnyState::Program(program.start()),
            AnyProblem::Board(board) => AnyState::Board(board.start()),
        }
    }
    fn step(&self, cell: usize, state: AnyState, emit: &mut impl FnMut(AnyState, AnyLabel)) {
        match (self, state) {
            (AnyProblem::Automaton(automaton), AnyState::Automaton(state)) => {
                automaton.step(cell, state, &mut |state, label| {
                    emit(AnyState::Automaton(state), AnyLabel::Automaton(label));
                });
            }
            (AnyProblem::Pair(pair), AnyState::Pair(state)) => {
                pair.step(cell, state, &mut |state, labels| {
                    emit(AnyState::Pair(state), AnyLabel::Pair(labels));
                });
            }
            (AnyProblem::Program(program), AnyState::Program(state)) => {
                program.step(cell, state, &mut |state, label| {
                    emit(AnyState::Program(state), AnyLabel::Program(label));
                });
            }
            (AnyProblem::Board(board), AnyState::Board(state)) => {
                board.step(cell, state, &mut |state, label| {
                    emit(AnyState::Board(state), AnyLabel::Board(label));
                });
            }
            _ => panic!("{OTHER_KIND}"),
        }
    }
    fn accept(&self, state: AnyState) -> bool {
        match (self, state) {
            (AnyProblem::Automaton(automaton), AnyState::Automaton(state)) => {
                automaton.accept(state)
            }
            (AnyProblem::Pair(pair), AnyState::Pair(state)) => pair.accept(state),
            (AnyProblem::Program(program), AnyState::Program(state)) => program.accept(state),
            (AnyProblem::Board(board), AnyState::Board(state)) => board.accept(state),
            _ => panic!("{OTHER_KIND}"),
        }
    }
}
