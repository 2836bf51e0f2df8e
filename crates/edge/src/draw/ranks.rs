//! From states and pairs to layers: who stands above whom, and the chain of slots each edge passes.
//! States stand on even layers; the layer between two of them holds the labels of edges.

use std::collections::BTreeMap;

/// What stands in a slot of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A state, by index.
    State(usize),
    /// The label of an edge, by index.
    Label(usize),
    /// Room for an edge to pass.
    Pass,
}

/// An edge between two different states.
#[derive(Clone, Debug)]
pub struct Edge {
    /// From which state.
    pub from: usize,
    /// To which state.
    pub to: usize,
}

/// Layers of slots, and for each edge its chain of slots from the upper to the lower state.
#[derive(Debug)]
pub struct Layers {
    /// Slots by id.
    pub slots: Vec<Slot>,
    /// Ids of the slots of each layer, from left to right.
    pub layers: Vec<Vec<usize>>,
    /// For each edge the ids it passes, upper state first.
    pub chains: Vec<Vec<usize>>,
}

/// Puts states on layers so that most edges lead down, and gives each edge its chain.
pub fn layers(states: usize, begins: &[usize], edges: &[Edge]) -> Layers {
    let ranks = ranks(states, begins, edges);
    let depth = ranks.iter().max().map_or(0, |rank| rank * 2 + 1);
    let mut all = Layers {
        slots: (0..states).map(Slot::State).collect(),
        layers: vec![Vec::new(); depth],
        chains: Vec::new(),
    };
    for (state, rank) in ranks.iter().enumerate() {
        all.layers[rank * 2].push(state);
    }
    for (index, edge) in edges.iter().enumerate() {
        let (upper, lower) = if ranks[edge.from] <= ranks[edge.to] {
            (edge.from, edge.to)
        } else {
            (edge.to, edge.from)
        };
        all.chain(index, (upper, ranks[upper] * 2), (lower, ranks[lower] * 2));
    }
    all
}

impl Layers {
    /// The slots of one edge: its label on the label layer nearest its middle, room elsewhere.
    fn chain(&mut self, edge: usize, upper: (usize, usize), lower: (usize, usize)) {
        let middle = usize::midpoint(upper.1, lower.1) | 1;
        let mut chain = vec![upper.0];
        for layer in upper.1 + 1..lower.1 {
            let slot = if layer == middle { Slot::Label(edge) } else { Slot::Pass };
            chain.push(self.slots.len());
            self.layers[layer].push(self.slots.len());
            self.slots.push(slot);
        }
        chain.push(lower.0);
        self.chains.push(chain);
    }

    /// Neighbours of each slot on the layer above and on the layer below.
    pub fn neighbours(&self) -> BTreeMap<usize, [Vec<usize>; 2]> {
        let mut all: BTreeMap<usize, [Vec<usize>; 2]> = BTreeMap::new();
        for pair in self.chains.iter().flat_map(|chain| chain.windows(2)) {
            all.entry(pair[0]).or_default()[1].push(pair[1]);
            all.entry(pair[1]).or_default()[0].push(pair[0]);
        }
        all
    }
}

/// The longest way down to each state, edges that lead back left out of account.
fn ranks(states: usize, begins: &[usize], edges: &[Edge]) -> Vec<usize> {
    let mut seen = vec![Seen::Not; states];
    let mut down = Vec::new();
    let starts = begins.iter().copied().chain(0..states);
    for state in starts {
        visit(state, edges, &mut seen, &mut down);
    }
    let mut ranks = vec![0; states];
    // As many rounds as there are states: the longest way has no more steps.
    for _ in 0..states {
        for (from, to) in &down {
            ranks[*to] = ranks[*to].max(ranks[*from] + 1);
        }
    }
    ranks
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    Open,
    Done,
}

/// Depth first; an edge to a state that is still open leads back and is left out.
fn visit(state: usize, edges: &[Edge], seen: &mut [Seen], down: &mut Vec<(usize, usize)>) {
    if seen[state] != Seen::Not {
        return;
    }
    seen[state] = Seen::Open;
    for edge in edges.iter().filter(|edge| edge.from == state) {
        if seen[edge.to] != Seen::Open {
            down.push((state, edge.to));
            visit(edge.to, edges, seen, down);
        }
    }
    seen[state] = Seen::Done;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_stand_below_what_leads_to_them() {
        let edge = |(from, to)| Edge { from, to };
        let table: [&[(usize, usize)]; 3] =
            [&[(0, 1), (1, 2)], &[(0, 1), (1, 2), (2, 0)], &[(0, 2), (0, 1), (1, 2)]];
        for edges in table {
            let edges: Vec<_> = edges.iter().copied().map(edge).collect();
            assert_eq!(ranks(3, &[0], &edges), [0, 1, 2]);
        }
    }

    #[test]
    fn each_edge_has_one_label_between_two_states() {
        let edges = [Edge { from: 0, to: 1 }, Edge { from: 1, to: 2 }, Edge { from: 2, to: 0 }];
        let all = layers(3, &[0], &edges);
        for (index, chain) in all.chains.iter().enumerate() {
            let labels: Vec<_> =
                chain.iter().filter(|id| all.slots[**id] == Slot::Label(index)).collect();
            assert_eq!(labels.len(), 1, "{chain:?}");
        }
        assert_eq!(all.layers.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 2, 2, 1]);
    }
}
