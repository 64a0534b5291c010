//! The settings of a run: [`Settings`].

use std::fmt::Display;
use std::str::FromStr;

/// The settings of a run, as in the address of the page: pairs `name=value`, one per line. The
/// rows of boards are separated by slashes.
pub struct Settings(Vec<(String, String)>);

impl Settings {
    /// Reads settings.
    pub fn new(text: &str) -> Self {
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        Settings(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// Returns the value of a setting, or an empty text.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Reads the value of a setting.
    pub fn read<T: FromStr<Err: Display>>(&self, name: &str) -> Result<T, String> {
        let value = self.get(name);
        value.parse().map_err(|error| format!("{name}: found {value:?}, {error}"))
    }

    /// Reads a number of this range.
    pub fn within(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<usize>,
    ) -> Result<usize, String> {
        let found: usize = self.read(name)?;
        if range.contains(&found) {
            return Ok(found);
        }
        Err(format!("{name}: found {found}, expected {} to {}", range.start(), range.end()))
    }

    /// Reads a board.
    pub fn board<T: FromStr<Err: Display>>(&self) -> Result<T, String> {
        let rows = self.get("board").replace('/', "\n");
        rows.parse().map_err(|error: T::Err| format!("board: {error}"))
    }

    /// Returns whether a pruning is switched on.
    pub fn is_on(&self, pruning: &str) -> bool {
        self.get("on").split(',').any(|on| on == pruning)
    }

    /// Returns the path to the node below which to search, as indices among siblings.
    pub fn path(&self, name: &str) -> Vec<usize> {
        self.get(name).split('.').filter_map(|place| place.parse().ok()).collect()
    }
}
