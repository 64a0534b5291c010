//! What an audit finds: who broke which promise, and where.

use std::error::Error;
use std::fmt::{self, Write};

use super::loss::Loss;
use crate::hook::Effect;

/// A state that is shown as evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exhibit {
    /// What part it plays, such as `cut off`.
    pub role: &'static str,
    /// The state, printed.
    pub state: String,
    /// The choices that lead there; empty if they are not known.
    pub path: String,
}

impl Exhibit {
    pub(super) fn new(
        role: &'static str,
        state: impl Into<String>,
        path: impl Into<String>,
    ) -> Self {
        Exhibit { role, state: state.into(), path: path.into() }
    }
}

/// A promise that was broken: of a hook, a bound, a key, a dominance, or of the problem's undo.
///
/// `Display` takes some lines: who it was and what was lost, then the states and the paths to them.
/// `Debug` is the same, as it is what a test prints that ends with this error, or unwraps it.
///
/// ```
/// use secateurs::lab::Audit;
/// use secateurs::problems::queens::{BitQueens, Queens};
/// use secateurs::{Effect, Node, Verdict, hook};
///
/// let queens = Queens::new(5)?.bits();
/// let no_corner = hook::admit("no corner", Effect::Preserving, |node: &Node<BitQueens>, &choice| {
///     Verdict::prune_if(node.depth() == 0 && choice == 1)
/// });
/// let violation = Audit::of_count(&queens)
///     .show(|_, state| format!("columns {:05b}", state.columns()))
///     .hook(no_corner)
///     .run()
///     .unwrap_err();
/// assert_eq!(violation.to_string(), "\
/// `no corner` (preserving): 2 solutions were lost, among them columns 11111
///   cut off: columns 00001
///   reached by: [1]");
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Violation(Box<Inside>);

/// What is inside, in a box: errors are to be small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Inside {
    who: String,
    effect: Option<Effect>,
    loss: Loss,
    exhibits: Vec<Exhibit>,
    others: Vec<String>,
}

impl Violation {
    pub(super) fn new(who: impl Into<String>, loss: Loss, exhibits: Vec<Exhibit>) -> Self {
        Violation(Box::new(Inside {
            who: who.into(),
            effect: None,
            loss,
            exhibits,
            others: Vec::new(),
        }))
    }

    /// The same, by a hook that claims this effect.
    pub(super) fn of_effect(mut self, effect: Effect) -> Self {
        self.0.effect = Some(effect);
        self
    }

    /// The same, after others had done the same.
    pub(super) fn after_others(mut self, others: Vec<String>) -> Self {
        self.0.others = others;
        self
    }

    /// The same, with one more exhibit.
    pub(super) fn showing(mut self, exhibit: Exhibit) -> Self {
        self.0.exhibits.push(exhibit);
        self
    }

    /// The hooks together have counted wrongly.
    pub(super) fn of_count(hooks: &[(String, Effect)], counted: u128, solutions: u128) -> Self {
        let representatives = hooks.iter().find(|(_, effect)| *effect == Effect::Representatives);
        let (hook, effect) = representatives
            .or(hooks.first())
            .cloned()
            .unwrap_or((String::new(), Effect::Preserving));
        let others =
            hooks.iter().map(|(name, _)| name).filter(|name| **name != hook).cloned().collect();
        Violation::new(hook, Loss::OrbitSizes { counted, solutions }, Vec::new())
            .of_effect(effect)
            .after_others(others)
    }

    /// Who it was: the name of the hook, of the bound, the key or the dominance; `undo` for the
    /// problem's undo.
    #[must_use]
    pub fn hook(&self) -> &str {
        &self.0.who
    }

    /// What the hook claims; `None` if it is no hook.
    #[must_use]
    pub fn effect(&self) -> Option<Effect> {
        self.0.effect
    }

    /// What was lost.
    #[must_use]
    pub fn loss(&self) -> &Loss {
        &self.0.loss
    }

    /// The states that show it. Of a hook that tightened one, that before and that after.
    #[must_use]
    pub fn exhibits(&self) -> &[Exhibit] {
        &self.0.exhibits
    }

    /// The choices that lead to the first state that is shown; empty if there is none.
    #[must_use]
    pub fn path(&self) -> &str {
        self.0.exhibits.first().map_or("", |exhibit| &exhibit.path)
    }

    /// The first state that is shown: of a hook, what was cut off, or is to be tightened; empty if
    /// there is none.
    #[must_use]
    pub fn state(&self) -> &str {
        self.0.exhibits.first().map_or("", |exhibit| &exhibit.state)
    }

    /// Other hooks that had cut off solutions as good before: the claims of all of them together do
    /// not hold, and it may be one of those that is wrong.
    #[must_use]
    pub fn others(&self) -> &[String] {
        &self.0.others
    }
}

/// `head: ` and the text behind it, or in lines of its own if it has several.
pub(super) fn write_block(
    f: &mut fmt::Formatter<'_>,
    indent: &str,
    head: &str,
    text: &str,
) -> fmt::Result {
    let text = text.trim_end_matches('\n');
    write!(f, "{indent}{head}:")?;
    if !text.contains('\n') {
        return write!(f, " {text}");
    }
    text.lines().try_for_each(|line| write!(f, "\n{indent}  {line}"))
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inside { who, effect, loss, exhibits, others } = &*self.0;
        write!(f, "`{who}`")?;
        if let Some(effect) = effect {
            write!(f, " ({effect})")?;
        }
        write!(f, ": {loss}")?;
        for (index, exhibit) in exhibits.iter().enumerate() {
            f.write_char('\n')?;
            write_block(f, "  ", exhibit.role, &exhibit.state)?;
            // The path of several states in a row is said once.
            if exhibits.get(index + 1).is_none_or(|next| next.path != exhibit.path)
                && !exhibit.path.is_empty()
            {
                f.write_char('\n')?;
                write_block(f, "  ", "reached by", &exhibit.path)?;
            }
        }
        if !others.is_empty() {
            write!(f, "\n  together with: `{}`", others.join("`, `"))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for Violation {}
