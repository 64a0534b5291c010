//! Tables of the cuts of each hook, and of the nodes by depth, summed over all instances.

use super::pick;
use super::table::Table;
use crate::hook::OFF;
use crate::lab::comparison::{Compared, Comparison};
use crate::report::table::grouped;
use crate::report::{Cuts, HookReport};

/// The maximal number of hooks or contenders in columns.
const COLUMNS: usize = 12;
/// The maximal number of contenders in rows.
const ROWS: usize = 60;
/// The maximal number of rows by depth. More depths are grouped into bands.
const BANDS: usize = 24;

impl Compared {
    /// Returns the hooks of all runs, except those that were switched off.
    pub(in crate::lab) fn hooks(&self) -> impl Iterator<Item = &HookReport> {
        let is_on = |hook: &&HookReport| hook.name() != OFF || hook.cuts() > 0;
        self.runs.iter().flat_map(|run| run.report.hooks()).filter(is_on)
    }

    /// Returns the cuts and calls of the hooks of this name, summed over all instances; `None` if
    /// there are no such hooks.
    fn cuts_and_calls(&self, hook: &str) -> Option<(Cuts, Cuts)> {
        let own = self.hooks().filter(|own| own.name() == hook);
        own.map(|own| (own.cuts_in_total(), own.calls_in_total()))
            .reduce(|(cuts, calls), (more, asked)| (cuts + more, calls + asked))
    }

    /// Returns the nodes by depth, summed over all instances.
    pub(in crate::lab) fn nodes_by_depth(&self) -> Vec<u64> {
        let mut depths = Vec::new();
        for run in &self.runs {
            let levels = run.report.levels();
            depths.resize(depths.len().max(levels.len()), 0);
            depths.iter_mut().zip(levels).for_each(|(sum, level)| *sum += level.nodes);
        }
        depths
    }
}

impl Comparison {
    /// Returns the names of all hooks in the order of their first occurrence, and their number. If
    /// there are more than `most`, only those with the most cuts are returned; of hooks with equal
    /// cuts, the first ones.
    pub(in crate::lab) fn hook_names(&self, most: usize) -> (Vec<&str>, usize) {
        let mut names: Vec<(&str, u64)> = Vec::new();
        for hook in self.contenders.iter().flat_map(Compared::hooks) {
            match names.iter_mut().find(|(name, _)| *name == hook.name()) {
                Some((_, cuts)) => *cuts = cuts.saturating_add(hook.cuts()),
                None => names.push((hook.name(), hook.cuts())),
            }
        }
        let all = names.len();
        let cuts: Vec<u64> = names.iter().map(|&(_, cuts)| cuts).collect();
        (pick::greatest(&cuts, most).into_iter().map(|index| names[index].0).collect(), all)
    }

    /// Returns the cuts of the hooks of this name, summed over all contenders.
    fn cuts_of(&self, hook: &str) -> Cuts {
        let own = self.contenders.iter().filter_map(|own| own.cuts_and_calls(hook));
        own.fold(Cuts::default(), |sum, (cuts, _)| sum + cuts)
    }

    /// Returns the names of the hooks that cut something, and of those that never did.
    pub(in crate::lab) fn cutting_hooks(&self, most: usize) -> (Vec<&str>, Vec<&str>) {
        self.hook_names(most).0.into_iter().partition(|hook| self.cuts_of(hook).sum() > 0)
    }

    pub(super) fn cut_table(&self) -> Table {
        let all = self.hook_names(usize::MAX).1;
        let (hooks, idle) = self.cutting_hooks(COLUMNS);
        let picked = pick::contenders(self, ROWS);
        let titles = hooks.iter().map(|&hook| hook.to_owned());
        let mut rows: Vec<Vec<String>> =
            vec![["contender".to_owned()].into_iter().chain(titles).collect()];
        let columns: Vec<(&str, Cuts)> =
            hooks.iter().map(|&hook| (hook, self.cuts_of(hook))).collect();
        for contender in picked.indices.iter().map(|&index| &self.contenders[index]) {
            let cell = |&(hook, all): &(&str, Cuts)| {
                let Some((cuts, calls)) = contender.cuts_and_calls(hook) else {
                    return String::new();
                };
                let of = |cuts: u64, calls: u64| format!("{} of {}", grouped(cuts), grouped(calls));
                let (admit, enter) = (of(cuts.admit, calls.admit), of(cuts.enter, calls.enter));
                // Most hooks cut in one callback only. The calls of the other one are omitted.
                match all {
                    Cuts { enter: 0, .. } => admit,
                    Cuts { admit: 0, .. } => enter,
                    _ => format!("admit {admit}, enter {enter}"),
                }
            };
            let name = [contender.name.clone()];
            rows.push(name.into_iter().chain(columns.iter().map(cell)).collect());
        }
        let mut notes: Vec<String> = picked.note.into_iter().collect();
        if all > COLUMNS {
            notes.push(format!("{COLUMNS} of {all} hooks: those with the most cuts."));
        }
        if !idle.is_empty() {
            notes.push(format!(
                "Without cuts, although they may have changed states: {}.",
                idle.join("; ")
            ));
        }
        Table { title: "cuts of each hook, out of the calls that may cut", rows, notes }
    }

    pub(super) fn depth_table(&self) -> Table {
        let picked = pick::contenders(self, COLUMNS);
        let shown: Vec<&Compared> =
            picked.indices.iter().map(|&index| &self.contenders[index]).collect();
        let columns: Vec<Vec<u64>> =
            shown.iter().map(|contender| contender.nodes_by_depth()).collect();
        let depths = columns.iter().map(Vec::len).max().unwrap_or(0);
        let band = depths.div_ceil(BANDS).max(1);
        let titles = shown.iter().map(|contender| contender.name.clone());
        let mut rows: Vec<Vec<String>> =
            vec![["depth".to_owned()].into_iter().chain(titles).collect()];
        for start in (0..depths).step_by(band) {
            let end = (start + band).min(depths);
            let title =
                if end - start == 1 { start.to_string() } else { format!("{start}–{}", end - 1) };
            let nodes =
                |column: &Vec<u64>| grouped(column.iter().take(end).skip(start).sum::<u64>());
            rows.push([title].into_iter().chain(columns.iter().map(nodes)).collect());
        }
        let limited = shown.iter().any(|contender| contender.limited() > 0);
        let limited = limited
            .then(|| "For runs that reached a limit, only visited nodes are counted.".to_owned());
        Table {
            title: "nodes by depth",
            rows,
            notes: picked.note.into_iter().chain(limited).collect(),
        }
    }
}
