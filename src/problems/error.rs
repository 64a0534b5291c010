//! The error of arguments that describe no instance: [`InstanceError`].

use std::error::Error;
use std::fmt;

use crate::text::ParseError;

/// Arguments that describe no instance of a problem: what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceError(Box<str>);

impl InstanceError {
    /// Creates an error with a message of the form "found …, expected …".
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        InstanceError(message.to_string().into())
    }
}

impl fmt::Display for InstanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for InstanceError {}

impl From<InstanceError> for ParseError {
    /// Reports a text that is well formed but describes no instance.
    fn from(error: InstanceError) -> ParseError {
        ParseError::new(error)
    }
}
