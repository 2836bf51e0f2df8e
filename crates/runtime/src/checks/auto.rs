//! Reads output of an unknown command: each text form in turn. None fits: then the exit code is
//! all there is, and a success that shows no tests proves nothing.

use super::parse::{Form, Output};
use super::tally::Tally;
use super::{cargo, jest, pytest};

/// Names the suite of a result that stands for a whole command.
pub(super) const SUITE: &str = "exit-code";

pub(super) fn read(output: &Output, tally: &mut Tally<'_>) -> Form {
    for form in [cargo::read, pytest::read_text, jest::read_text] {
        let found = form(output, tally);
        if found != Form::Other {
            return found;
        }
    }
    Form::Other
}
