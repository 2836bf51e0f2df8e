//! The graphs as a long walk found them, kept as data: walking takes many seconds, looking none.
//! `cargo xtask gen` writes the data, and its check fails when a machine moves otherwise.

use std::collections::BTreeMap;

use kernel::run::Kind;
use kernel::table::Graph;

/// All graphs, by machine.
const KEPT: &str = include_str!("graphs.json");

/// The graph of a machine.
///
/// # Panics
/// When the data that was built in is not what `gen` writes; a test reads all of it.
#[must_use]
pub fn kept(kind: Kind) -> Graph {
    let mut all: BTreeMap<&str, Graph> =
        serde_json::from_str(KEPT).expect("gen writes it, and a test reads it");
    all.remove(kind.name()).expect("gen draws every machine, and a test asks for each")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_is_kept_under_its_name() {
        for kind in Kind::ALL {
            let graph = kept(kind);
            assert_eq!(graph.machine, kind.name());
            let known = |name: &&str| graph.states.contains(name);
            assert!(graph.begins.iter().all(&known), "{graph:?}");
            assert!(graph.moves.iter().all(|m| known(&m.from) && known(&m.to)), "{graph:?}");
            assert!(!graph.moves.is_empty());
        }
    }
}
