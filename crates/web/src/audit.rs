//! Audits of prunings on small boards: [`Auditing`].

use std::fmt::Display;

use secateurs::Hook;
use secateurs::hook::BoxedHook;
use secateurs_lab::{Audit, Coverage, Instances, Violation};
use secateurs_problems::fire_net::{
    BoundKind, FireNetBoard, FireNetPrunings, FireNetSettings, Scope,
};
use secateurs_problems::queens::{LookBackQueens, Queens, RowByRow};
use serde::Serialize;

use crate::boards;
use crate::problems::{Bunkers, left_half, most_bunkers};
use crate::readings;
use crate::settings::Settings;

/// The most nodes of an audited search.
const NODES: u64 = 10_000;

/// The progress of an audit.
#[derive(Default, Serialize)]
pub struct Verdict {
    instances: u64,
    /// The boards that are audited, after "all".
    boards: &'static str,
    /// The numbers of checked cuts and of checked tightenings.
    cuts: u64,
    tightenings: u64,
    /// The number of checks that were left out, so that nothing is known about them.
    left_out: u64,
    /// Whether all instances have been audited, or one has a violation.
    is_done: bool,
    violation: Option<Found>,
}

/// A violation, on an instance such that there is none on any that is one step smaller.
#[derive(Serialize)]
struct Found {
    loss: String,
    /// The instance, in the format of its problem.
    instance: String,
    /// The states that the hook has cut off or changed: their roles and their pictures.
    exhibits: Vec<(&'static str, String)>,
}

/// An audit of a pruning, on one instance after another.
pub struct Auditing {
    next: Box<dyn FnMut() -> Option<Result<Coverage, Found>>>,
    verdict: Verdict,
}

impl Auditing {
    /// Begins an audit of the pruning that the settings name.
    pub fn new(settings: &Settings) -> Result<Self, String> {
        let name = settings.get("audit").to_owned();
        match (settings.get("problem"), &*name) {
            ("queens", "mirror") => Ok(queens(2, |_| Some(Queens::mirror()))),
            ("queens", "lex-leader") => Ok(queens(8, |queens| Queens::lex_leader(queens).ok())),
            ("queens", "left-half") => Ok(queens(2, |_| Some(left_half()))),
            ("fire-net", _) if fire_net_hook(&name, &most_bunkers()).is_some() => {
                let sizes = [(1, 2), (2, 2), (2, 3), (3, 3), (3, 4)];
                let named = "boards of 1×2, 2×2, 2×3, 3×3 and 3×4 cells";
                let all = sizes.into_iter().flat_map(|(rows, columns)| boards::all(rows, columns));
                Ok(Self::of(named, all, boards::smaller, move |board| {
                    let objective = most_bunkers();
                    let audit = Audit::of_best(board, &objective)
                        .best_below(boards::best_below)
                        .show(FireNetBoard::state_svg)
                        .locally()
                        .nodes(NODES);
                    fire_net_hook(&name, &objective).into_iter().fold(audit, Audit::hook).run()
                }))
            }
            _ => Err(format!("the pruning {name:?} cannot be audited")),
        }
    }

    fn of<I: Display + 'static, S: IntoIterator<Item = I>>(
        boards: &'static str,
        mut instances: impl Iterator<Item = I> + 'static,
        smaller: impl Fn(&I) -> S + 'static,
        audit: impl Fn(&I) -> Result<Coverage, Violation> + 'static,
    ) -> Self {
        let next = move || {
            let instance = instances.next()?;
            let audited = Instances::new([instance]).smaller(&smaller).audit(&audit);
            Some(audited.map_err(|unsound| {
                Found {
                    loss: unsound.violation().loss().to_string(),
                    instance: unsound.instance().to_string(),
                    exhibits: (unsound.violation().exhibits().iter())
                        .map(|exhibit| (exhibit.role, exhibit.state.clone()))
                        .collect(),
                }
            }))
        };
        Auditing { next: Box::new(next), verdict: Verdict { boards, ..Verdict::default() } }
    }

    /// Audits so many more instances.
    pub fn advance(&mut self, instances: u64) -> &Verdict {
        for _ in 0..instances {
            match (self.next)() {
                _ if self.verdict.is_done => break,
                None => self.verdict.is_done = true,
                Some(Ok(coverage)) => {
                    self.verdict.instances += 1;
                    self.verdict.cuts += coverage.cuts.checked;
                    self.verdict.tightenings += coverage.tightenings.checked;
                    self.verdict.left_out +=
                        coverage.gaps().iter().map(|gap| gap.count).sum::<u64>();
                }
                Some(Err(found)) => {
                    self.verdict.instances += 1;
                    self.verdict.is_done = true;
                    self.verdict.violation = Some(found);
                }
            }
        }
        &self.verdict
    }
}

/// Returns a pruning of fire-net, or a misreading of one.
fn fire_net_hook(name: &str, objective: &Bunkers) -> Option<BoxedHook<'static, FireNetBoard>> {
    if let Some(wrong) = name.strip_prefix("wrong-") {
        return readings::wrong(wrong).map(|hook| Box::new(hook) as BoxedHook<'static, _>);
    }
    let bound = BoundKind::ALL.into_iter().find(|kind| kind.to_string() == name);
    let pruning = FireNetPrunings::of(name.parse::<usize>().ok().filter(|n| (3..=10).contains(n)));
    let settings = FireNetSettings::article(pruning).scope(Scope::EveryNode).bound(bound);
    settings.hooks(objective.incumbent()).pop()
}

/// Audits a hook that keeps representatives under this many symmetries of the square.
fn queens<H: Hook<LookBackQueens> + 'static>(
    symmetries: u8,
    hook: impl Fn(&LookBackQueens) -> Option<H> + 'static,
) -> Auditing {
    Auditing::of(
        "empty boards of 4 to 8 rows",
        4..=8_usize,
        |size| size.checked_sub(1).filter(|&size| size > 0),
        move |&size| {
            let queens = Queens::new(size).expect("the boards are small").lookback();
            let least_image = move |queens: &LookBackQueens, columns: &Vec<usize>| {
                boards::least_image(queens, columns, symmetries)
            };
            let audit = Audit::of_count(&queens)
                .orbits(least_image)
                .show(|queens: &LookBackQueens, columns: &Vec<usize>| queens.svg(columns));
            hook(&queens).into_iter().fold(audit, Audit::hook).run()
        },
    )
}
