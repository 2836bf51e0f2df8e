//! The graph as mermaid text, for pages that draw it themselves.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kernel::table::Graph;

/// A `stateDiagram-v2` with one line for each pair of states.
pub fn mermaid(graph: &Graph) -> String {
    let mut text = String::from("stateDiagram-v2\n");
    let mut line = |from: &str, to: &str, label: &str| {
        let colon = if label.is_empty() { "" } else { " : " };
        writeln!(text, "    {from} --> {to}{colon}{label}").expect("a String takes all text");
    };
    for state in &graph.begins {
        line("[*]", state, "");
    }
    for ((from, to), commands) in pairs(graph) {
        line(from, to, &commands.join(", "));
    }
    text
}

/// The commands that lead from one state to another, by pair.
pub(super) fn pairs(graph: &Graph) -> BTreeMap<(&'static str, &'static str), Vec<&'static str>> {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for step in &graph.moves {
        all.entry((step.from, step.to)).or_default().push(step.on);
    }
    all
}

#[cfg(test)]
mod tests {
    use kernel::table::Move;

    use super::*;

    #[test]
    fn one_line_a_pair() {
        let step = |from, on, to| Move { from, on, to };
        let graph = Graph {
            machine: "door",
            states: vec!["shut", "open"],
            begins: vec!["shut"],
            moves: vec![
                step("shut", "kick", "open"),
                step("shut", "knock", "shut"),
                step("shut", "open", "open"),
            ],
        };
        let expected = "stateDiagram-v2\n    [*] --> shut\n    shut --> open : kick, open\n    \
                        shut --> shut : knock\n";
        assert_eq!(mermaid(&graph), expected);
    }
}
