//! The graph as data, for tools: states in the machine's order, moves sorted, each once.

use kernel::table::Graph;
use serde_json::{Value, json};

/// `{"machine", "states": […], "transitions": [{"from", "on", "to"}, …]}`.
pub fn json(graph: &Graph) -> Value {
    let moves: Vec<Value> = graph
        .moves
        .iter()
        .map(|step| json!({ "from": step.from, "on": step.on, "to": step.to }))
        .collect();
    json!({ "machine": graph.machine, "states": graph.states, "transitions": moves })
}

#[cfg(test)]
mod tests {
    use kernel::table::Move;

    use super::*;

    #[test]
    fn the_shape_is_as_documented() {
        let graph = Graph {
            machine: "door",
            states: vec!["shut", "open"],
            begins: vec!["shut"],
            moves: vec![Move { from: "shut", on: "open", to: "open" }],
        };
        let expected = json!({
            "machine": "door",
            "states": ["shut", "open"],
            "transitions": [{ "from": "shut", "on": "open", "to": "open" }],
        });
        assert_eq!(super::json(&graph), expected);
    }
}
