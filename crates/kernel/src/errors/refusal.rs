//! What every machine's refusal can say about itself, so that a door can render any of them.
//! It carries facts; the sentence is made from `code` and `details` where it is read.

use super::code::Code;
use super::reason::Machine;

/// A command that is not possible now. The world is unchanged.
///
/// Scalar fields of `details` become variables of the message of the same name, so a field is
/// named as the catalogue names it: `path`, `holder`, `max`, `expected`, `actual`.
pub trait Refusal {
    /// The word without the machine's prefix, one of `REASONS`.
    fn reason(&self) -> &'static str;

    /// Every command accepted now; empty when nothing is, or when it does not matter.
    fn allowed(&self) -> &[&'static str];

    /// The facts behind it as a JSON object.
    fn details(&self) -> serde_json::Value;

    /// The full code; a word missing from `REASONS` is a broken invariant and reads as internal.
    fn code(&self, machine: Machine) -> Code {
        Code::refused(machine, self.reason())
    }
}
