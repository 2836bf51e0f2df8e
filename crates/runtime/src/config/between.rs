//! What settings mean to each other: values that are good alone and not together.

use super::fault::{Fault, Problem};
use super::layers::{Place, Values};
use super::shapes::Value;

/// What is wrong with them together.
pub(super) fn faults(values: &Values) -> Vec<Fault> {
    [ceiling(values), probe(values)].into_iter().flatten().collect()
}

fn fault(at: &Place, key: &str, problem: Problem) -> Fault {
    Fault { place: at.name.clone(), line: at.line, key: key.to_owned(), problem }
}

/// A loop may not start with more iterations than the ceiling allows it to be given.
fn ceiling(values: &Values) -> Option<Fault> {
    let number = |name: &str| match values.get(name) {
        Some((Value::Whole(number), _, place)) => Some((*number, place)),
        Some(_) | None => None,
    };
    let (limit, place) = number("loop.max_iterations")?;
    let (ceiling, other) = number("loop.max_iterations_ceiling")?;
    let at = if place.name.is_empty() { other } else { place };
    let problem = Problem::Above { other: "loop.max_iterations_ceiling" };
    (limit > ceiling).then(|| fault(at, "loop.max_iterations", problem))
}

/// A look at the network needs somebody to look for: without a host it would find nothing wrong.
fn probe(values: &Values) -> Option<Fault> {
    let Some((Value::Bool(true), _, at)) = values.get("collab.check_network") else { return None };
    let hosts = values.get("collab.network_probe");
    let nobody = matches!(hosts, Some((Value::Texts(hosts), _, _)) if hosts.is_empty());
    nobody.then(|| fault(at, "collab.network_probe", Problem::Missing))
}
