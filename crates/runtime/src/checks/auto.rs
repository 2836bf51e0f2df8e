//! Reads output of an unknown command: every form there is. Of those that fit, the first that is
//! red counts, else the first: what a test prints in another runner's words hides nothing. None
//! fits: then the exit code is all there is, and a success that shows no tests proves nothing.

use super::parse::{Form, Output};
use super::tally::Tally;
use super::{cargo, dart, go, jest, junit, mocha, nextest, pytest, tap};

/// Names the suite of a result that stands for a whole command.
pub(super) const SUITE: &str = "exit-code";

type Read = fn(&Output, &mut Tally<'_>) -> Form;

/// What is hardest to mistake comes first; `go test` says least of itself.
const FORMS: [Read; 9] = [
    junit::read_all,
    nextest::read,
    cargo::read,
    pytest::read_text,
    jest::read_text,
    mocha::read_text,
    dart::read,
    tap::read_unknown,
    go::read,
];

pub(super) fn read(output: &Output, tally: &mut Tally<'_>) -> Form {
    let mut fitting: Option<Read> = None;
    for form in FORMS {
        let mut nobody = |_: &_| {};
        let mut probe = Tally::new(&mut nobody);
        let found = form(output, &mut probe);
        let red = probe.counts.failed > 0 || found == Form::Broken;
        if found != Form::Other && (red || fitting.is_none()) {
            fitting = Some(form);
            if red {
                break;
            }
        }
    }
    fitting.map_or(Form::Other, |form| form(output, tally))
}
