//! [`Mates`] against a list of edges that is walked along, and as the state of a sweep over graphs.

use proptest::prelude::*;
use secateurs::plug::TooWide;
use secateurs::plug::code::{Joined, Mates, PathEnds, Role, Word};

use super::{Action, actions};

/// A state as a list of edges.
#[derive(Clone, Debug)]
struct Model {
    /// The vertex in each slot.
    vertices: Vec<usize>,
    /// The number of vertices created so far.
    created: usize,
    /// All edges added so far, those between vertices without a slot included.
    edges: Vec<(usize, usize)>,
}

impl Model {
    fn new(slots: usize) -> Self {
        Model { vertices: (0..slots).collect(), created: slots, edges: Vec::new() }
    }

    fn degree(&self, vertex: usize) -> usize {
        self.edges.iter().map(|&(a, b)| usize::from(a == vertex) + usize::from(b == vertex)).sum()
    }

    /// Returns the other end of the path that ends in `vertex`.
    fn far_end(&self, vertex: usize) -> usize {
        let (mut end, mut used) = (vertex, vec![false; self.edges.len()]);
        while let Some(edge) = (0..used.len())
            .find(|&edge| !used[edge] && (self.edges[edge].0 == end || self.edges[edge].1 == end))
        {
            used[edge] = true;
            end = self.edges[edge].0 + self.edges[edge].1 - end;
        }
        end
    }

    fn role(&self, slot: usize) -> Role {
        let vertex = self.vertices[slot];
        match self.degree(vertex) {
            0 => Role::Untouched,
            1 => {
                let end = self.far_end(vertex);
                self.vertices.iter().position(|&other| other == end).map_or(Role::Loose, Role::End)
            }
            _ => Role::Inner,
        }
    }

    fn join(&mut self, a: usize, b: usize) -> Option<Joined<()>> {
        let (roles, vertices) =
            ([self.role(a), self.role(b)], (self.vertices[a], self.vertices[b]));
        if roles.contains(&Role::Inner) {
            return None;
        }
        self.edges.push(vertices);
        Some(match roles {
            [Role::Loose, Role::Loose] => Joined::Complete(()),
            [Role::End(end), _] if end == b => Joined::Loop(()),
            _ => Joined::Path(()),
        })
    }

    fn new_vertex(&mut self) -> usize {
        self.created += 1;
        self.created - 1
    }

    /// Checks every query of the code against this model.
    fn check<W: Word>(&self, code: Mates<W>) {
        for slot in 0..Mates::<W>::CAPACITY {
            let expected =
                if slot < self.vertices.len() { self.role(slot) } else { Role::Untouched };
            let found = code.role(slot);
            assert_eq!(found, expected, "slot {slot} of {code}");
            let far_end = match expected {
                Role::Untouched => Some(slot),
                Role::End(end) => Some(end),
                Role::Loose | Role::Inner => None,
            };
            assert_eq!(code.far_end(slot), far_end);
            let degree = self.vertices.get(slot).map_or(0, |&vertex| self.degree(vertex));
            assert_eq!(found.degree(), degree);
        }
        let used = (0..self.vertices.len()).rfind(|&slot| self.role(slot) != Role::Untouched);
        assert_eq!(code.len(), used.map_or(0, |last| last + 1));
        assert_eq!(code.is_empty(), used.is_none());
        let slots = (0..self.vertices.len()).map(|slot| (slot, self.role(slot)));
        let roles: Vec<_> = slots.filter(|&(_, role)| role != Role::Untouched).collect();
        assert_eq!(code.roles().collect::<Vec<_>>(), roles);
        assert_eq!(code.has_ends(), roles.iter().any(|(_, role)| role.degree() == 1));
        assert_eq!(
            code.loose_ends(),
            roles.iter().filter(|&&(_, role)| role == Role::Loose).count()
        );
        // Problems may use the word of all ones as a mark of their own.
        assert_ne!(code.word(), !W::ZERO);
        assert_eq!(Mates::from_word(code.word()), code);
        assert_eq!(code.to_string().parse(), Ok(code));
    }

    /// Applies one action to the model and to the code, and returns the next code.
    fn act<W: Word>(
        &mut self,
        code: Mates<W>,
        kind: usize,
        (a, b): (prop::sample::Index, prop::sample::Index),
    ) -> Mates<W> {
        let slots = self.vertices.len();
        let (a, b) = (a.index(slots), b.index(slots));
        match kind {
            0..=3 if a != b => match (code.join(a, b), self.join(a, b)) {
                (None, None) => code,
                (Some(Joined::Path(code)), Some(Joined::Path(())))
                | (Some(Joined::Loop(code)), Some(Joined::Loop(())))
                | (Some(Joined::Complete(code)), Some(Joined::Complete(()))) => code,
                (found, expected) => panic!("{found:?}, not {expected:?}"),
            },
            4 => {
                let expected = self.role(a);
                self.vertices[a] = self.new_vertex();
                match expected {
                    Role::Untouched | Role::Inner => code.without(a),
                    Role::End(_) | Role::Loose => {
                        let closed = code.close(a);
                        assert_eq!(matches!(closed, Joined::Complete(_)), expected == Role::Loose);
                        closed.state()
                    }
                }
            }
            5 => {
                self.vertices.remove(0);
                let new = self.new_vertex();
                self.vertices.push(new);
                leave(code).slide()
            }
            6 => {
                self.vertices.rotate_right(a);
                let moved = code.moved::<u128>(|slot| (slot + a) % slots).expect("room");
                self.check(moved);
                moved.moved(|slot| slot).expect("room")
            }
            7 => {
                self.vertices.reverse();
                code.moved(|slot| slots - 1 - slot).expect("room")
            }
            _ => code,
        }
    }
}

/// Removes the vertex in slot 0.
fn leave<W: Word>(code: Mates<W>) -> Mates<W> {
    match code.role(0) {
        Role::Untouched | Role::Inner => code.without(0),
        Role::End(_) | Role::Loose => code.close(0).state(),
    }
}

/// Applies the actions to a code and to the model, and compares the two after each action.
fn check_against_model<W: Word>(slots: usize, actions: &[Action]) {
    let mut model = Model::new(slots.min(Mates::<W>::CAPACITY));
    let mut code = Mates::<W>::EMPTY;
    model.check(code);
    for &(kind, slots) in actions {
        code = model.act(code, kind, slots);
        model.check(code);
    }
}

proptest! {
    #[test]
    fn mates_agree_with_a_list_of_edges(slots in 1..=25usize, actions in actions(8, 40)) {
        check_against_model::<u32>(slots, &actions);
        check_against_model::<u64>(slots, &actions);
        check_against_model::<u128>(slots, &actions);
    }
}

#[test]
fn mates_are_drawn_and_parsed() {
    let path = |code: Option<Joined<Mates>>| code.and_then(Joined::path).expect("a path");
    let code = path(path(Mates::<u64>::EMPTY.join(1, 15)).join(15, 11)).with_loose(3);
    assert_eq!(code.to_string(), ".a.!.......a...#");
    let code = code.close(11).state();
    assert_eq!(format!("{code:?}"), "Mates(.!.!...........#)");
    assert_eq!(
        code.roles().collect::<Vec<_>>(),
        [(1, Role::Loose), (3, Role::Loose), (15, Role::Inner)]
    );
    assert_eq!(format!("{:4}", Mates::<u64>::EMPTY), "....");
    // More slots than there are.
    assert_eq!(format!("{:18}", Mates::<u64>::EMPTY), ".".repeat(18));
    assert_eq!(Mates::<u64>::EMPTY.to_string(), ".");
    assert_eq!("ba.b!a#".parse::<Mates>().expect("a code").to_string(), "ab.a!b#");
}

#[test]
fn fits_and_moved_accept_as_many_slots_as_the_word_holds() {
    assert_eq!(
        (Mates::<u32>::CAPACITY, Mates::<u64>::CAPACITY, Mates::<u128>::CAPACITY),
        (8, 16, 25)
    );
    assert_eq!(Mates::<u32>::fits(8), Ok(()));
    assert_eq!(Mates::<u32>::fits(9), Err(TooWide { needed: 36, available: 32 }));
    assert_eq!(Mates::<u64>::fits(16), Ok(()));
    assert_eq!(Mates::<u64>::fits(17), Err(TooWide { needed: 85, available: 64 }));
    assert_eq!(Mates::<u128>::fits(25), Ok(()));
    assert_eq!(Mates::<u128>::fits(26), Err(TooWide { needed: 130, available: 128 }));
    assert!(Mates::<u128>::fits(usize::MAX).is_err());
    // `moved` refuses slots beyond the capacity of the new word.
    let code = Mates::<u128>::EMPTY.join(3, 16).and_then(Joined::path).expect("a path");
    assert_eq!(code.moved::<u64>(|slot| slot), None);
    assert!(code.moved::<u64>(|slot| slot - 1).is_some());
}
