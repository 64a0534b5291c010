//! The ends of paths, and the result of joining them: [`PathEnds`], [`Role`] and [`Joined`].

/// The ends of paths on a frontier or contour: the *role* of each of its slots, and the *mate* of
/// each end, which is the other end of the same path.
///
/// A path behind the frontier matters to the rest of a sweep only by its two ends. How they are
/// stored depends on what can occur:
///
/// | representation | ends are matched | loose ends | inner vertices | bits per slot |
/// |---|---|---|---|---|
/// | [`Parentheses`](super::Parentheses) | like parentheses | unless enclosed | no | 2 |
/// | `PathState` of the catalogue | like parentheses | yes | no | 3 |
/// | [`Mates`](super::Mates) | in any way | yes | yes | 4 or 5 |
/// | `DenseMates` of `meet_in_the_middle` | in any way | no | yes | about 3 |
///
/// Dense mates must be unpacked to read a role; the unpacked form implements this trait.
///
/// ```
/// use secateurs::plug::code::{Mates, Parentheses, PathEnds, Role};
///
/// let (planar, any): (Parentheses, Mates) = ("(.()".parse()?, "!.aa".parse()?);
/// for slot in 0..4 {
///     assert_eq!(planar.role(slot), any.role(slot));
/// }
/// assert_eq!((planar.role(0), planar.role(2)), (Role::Loose, Role::End(3)));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
pub trait PathEnds {
    /// Returns the role of a slot.
    fn role(&self, slot: usize) -> Role;
}

/// The role of a slot of a frontier in the paths behind it: see [`PathEnds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// No path visits the slot, which may hold a vertex or be empty.
    Untouched,
    /// One end of a path, with the slot of its other end.
    End(usize),
    /// A loose end: one end of a path with its other end behind the frontier.
    Loose,
    /// An inner vertex of a path.
    Inner,
}

impl Role {
    /// Returns the degree of the vertex in the paths.
    #[inline]
    #[must_use]
    pub fn degree(self) -> usize {
        match self {
            Role::Untouched => 0,
            Role::End(_) | Role::Loose => 1,
            Role::Inner => 2,
        }
    }
}

/// The result of joining two ends or two components, or of closing one, with the next state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joined<S> {
    /// The joined path (or component) continues: part of it is still in the state.
    Path(S),
    /// The two were ends of the same path, which is now a loop, or plugs of the same component, in
    /// which a cycle closes.
    Loop(S),
    /// A path (or component) is complete: nothing of it is left in the state.
    Complete(S),
}

impl<S> Joined<S> {
    /// Returns the state if the path continues, `None` if a loop or a path was closed.
    #[inline]
    #[must_use]
    pub fn path(self) -> Option<S> {
        match self {
            Joined::Path(state) => Some(state),
            Joined::Loop(_) | Joined::Complete(_) => None,
        }
    }

    /// Returns the next state in each case.
    #[inline]
    #[must_use]
    pub fn state(self) -> S {
        match self {
            Joined::Path(state) | Joined::Loop(state) | Joined::Complete(state) => state,
        }
    }
}
