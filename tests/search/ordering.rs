//! Value ordering: the adapters against sorting by hand.

use std::cell::RefCell;
use std::cmp::Reverse;

use proptest::prelude::*;
use secateurs::brancher::{Shuffled, Sorted};
use secateurs::{Branch, Brancher, Node, Problem, Search};

/// All words of a length over the letters `0, …, n-1`.
struct Words {
    letters: u32,
    length: usize,
}

impl Problem for Words {
    type State = Vec<u32>;
    type Cursor = u32;
    type Choice = u32;
    type Undo = ();

    fn root(&self) -> Vec<u32> {
        Vec::new()
    }
    fn branch(&self, word: &Vec<u32>) -> Branch<u32> {
        if word.len() == self.length { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, _: &Vec<u32>, cursor: &mut u32) -> Option<u32> {
        let letter = *cursor;
        *cursor += 1;
        (letter < self.letters).then_some(letter)
    }
    fn apply(&self, word: &mut Vec<u32>, &letter: &u32) {
        word.push(letter);
    }
    fn undo(&self, word: &mut Vec<u32>, _: &u32, (): ()) {
        word.pop();
    }
}

fn words(problem: &Words, brancher: impl Brancher<Words>) -> Vec<Vec<u32>> {
    Search::new(problem).brancher(brancher).solutions().collect()
}

#[test]
fn smallest_key_first_and_ties_in_the_inner_order() {
    let problem = Words { letters: 20, length: 1 };
    let by_last_digit = Sorted::by(|_: &Node<'_, Words>, letter: &u32| letter % 3);
    let mut expected: Vec<u32> = (0..20).collect();
    expected.sort_by_key(|letter| letter % 3);
    assert_eq!(words(&problem, by_last_digit).concat(), expected);
    // Over an inner order: descending, then stable by the same key.
    let descending = Sorted::by(|_: &Node<'_, Words>, &letter: &u32| Reverse(letter));
    let both = Sorted::over(descending, |_: &Node<'_, Words>, letter: &u32| letter % 3);
    let mut expected: Vec<u32> = (0..20).rev().collect();
    expected.sort_by_key(|letter| letter % 3);
    assert_eq!(words(&problem, both).concat(), expected);
}

#[test]
fn the_key_is_computed_once_per_child_at_its_parent() {
    let problem = Words { letters: 3, length: 2 };
    let calls = RefCell::new(Vec::new());
    let order = Sorted::by(|node: &Node<'_, Words>, &letter: &u32| {
        calls.borrow_mut().push((node.state().clone(), letter));
        letter
    });
    assert_eq!(Search::new(&problem).brancher(order).count().exact(), Some(9));
    let calls = calls.into_inner();
    assert_eq!(calls.len(), 3 + 9);
    assert_eq!(calls[..4], [(vec![], 0), (vec![], 1), (vec![], 2), (vec![0], 0)]);
}

#[test]
fn random_ties_stay_within_equal_keys() {
    let problem = Words { letters: 30, length: 1 };
    let order =
        |seed| Sorted::by(|_: &Node<'_, Words>, letter: &u32| letter / 10).random_ties(seed);
    let mut firsts = Vec::new();
    for seed in 0..50 {
        let drawn = words(&problem, order(seed)).concat();
        assert!(drawn.is_sorted_by_key(|letter| letter / 10), "{drawn:?}");
        assert_eq!(drawn, words(&problem, order(seed)).concat(), "seed {seed} twice");
        firsts.push(drawn[0]);
    }
    firsts.sort_unstable();
    firsts.dedup();
    assert!(firsts.len() >= 8, "{firsts:?}");
}

#[test]
fn shuffled_orders_differ_between_nodes_and_seeds() {
    let problem = Words { letters: 6, length: 2 };
    let drawn = words(&problem, Shuffled::new(1));
    let second: Vec<Vec<u32>> =
        drawn.chunks(6).map(|chunk| chunk.iter().map(|word| word[1]).collect()).collect();
    assert!(second.iter().any(|order| *order != second[0]), "{second:?}");
    assert_ne!(drawn, words(&problem, Shuffled::new(2)));
}

proptest! {
    /// Every child is tried once in any order. The order at a node does not depend on how the walk
    /// reached it.
    #[test]
    fn every_child_is_tried_exactly_once(
        letters in 0_u32..12,
        length in 0_usize..4,
        seed: u64,
    ) {
        let problem = Words { letters, length };
        let mut shuffled = words(&problem, Shuffled::new(seed));
        prop_assert_eq!(&shuffled, &words(&problem, Shuffled::new(seed)));
        let by_breadth: Vec<Vec<u32>> = Search::new(&problem)
            .brancher(Shuffled::new(seed))
            .breadth_first()
            .solutions()
            .collect();
        prop_assert_eq!(&shuffled, &by_breadth);
        let over =
            Shuffled::over(Sorted::by(|_: &Node<'_, Words>, &letter: &u32| Reverse(letter)), seed);
        let mut sorted = words(&problem, over.clone());
        prop_assert_eq!(&sorted, &words(&problem, over));
        shuffled.sort();
        sorted.sort();
        let plain: Vec<Vec<u32>> = Search::new(&problem).solutions().collect();
        prop_assert_eq!(&shuffled, &plain);
        prop_assert_eq!(&sorted, &plain);
    }
}
