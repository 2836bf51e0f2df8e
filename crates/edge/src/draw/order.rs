//! The order of slots within their layers: swept by the middle of their neighbours, the order with
//! the fewest crossings is kept. Deterministic; it does not know sizes.

use super::ranks::Layers;

/// Sweeps down and up; more rounds have changed nothing on graphs of this size.
const SWEEPS: usize = 24;

/// Orders every layer so that few edges cross.
pub fn order(all: &mut Layers) {
    let near = all.neighbours();
    let mut best = (crossings(all), all.layers.clone());
    for sweep in 0..SWEEPS {
        let up = sweep % 2;
        let count = all.layers.len();
        for step in 0..count {
            let at = if up == 0 { step } else { count - 1 - step };
            let place = places(all);
            let middle = |id: &usize| {
                let from = near.get(id).map_or(&[][..], |sides| &sides[up]);
                let sum: f64 = from.iter().map(|other| place[*other]).sum();
                if from.is_empty() { place[*id] } else { sum / from.len() as f64 }
            };
            all.layers[at].sort_by(|a, b| middle(a).total_cmp(&middle(b)));
        }
        swap(all);
        let now = crossings(all);
        if now < best.0 {
            best = (now, all.layers.clone());
        }
    }
    all.layers = best.1;
}

/// Swaps neighbours within a layer while that takes crossings away.
fn swap(all: &mut Layers) {
    for layer in 0..all.layers.len() {
        for at in 1..all.layers[layer].len() {
            let before = crossings(all);
            all.layers[layer].swap(at - 1, at);
            if crossings(all) >= before {
                all.layers[layer].swap(at - 1, at);
            }
        }
    }
}

/// Where each slot stands in its layer, from 0 to 1, so that layers of any length compare.
fn places(all: &Layers) -> Vec<f64> {
    let mut place = vec![0.0; all.slots.len()];
    for layer in &all.layers {
        for (at, id) in layer.iter().enumerate() {
            place[*id] = (at as f64 + 0.5) / layer.len() as f64;
        }
    }
    place
}

/// How many pairs of edges cross between neighbouring layers.
fn crossings(all: &Layers) -> usize {
    let place = places(all);
    let mut layer_of = vec![0; all.slots.len()];
    for (at, layer) in all.layers.iter().enumerate() {
        layer.iter().for_each(|id| layer_of[*id] = at);
    }
    let steps: Vec<(usize, usize)> =
        all.chains.iter().flat_map(|chain| chain.windows(2).map(|w| (w[0], w[1]))).collect();
    let crossed = |a: &(usize, usize), b: &(usize, usize)| {
        layer_of[a.0] == layer_of[b.0]
            && (place[a.0] - place[b.0]) * (place[a.1] - place[b.1]) < 0.0
    };
    let pairs = steps
        .iter()
        .enumerate()
        .map(|(at, a)| steps[at + 1..].iter().filter(|b| crossed(a, b)).count());
    pairs.sum()
}

#[cfg(test)]
mod tests {
    use super::super::ranks::{Edge, layers};
    use super::*;

    #[test]
    fn a_plain_crossing_is_undone() {
        // Two states on top, two below, linked crosswise.
        let edges = [Edge { from: 0, to: 3 }, Edge { from: 1, to: 2 }];
        let mut all = layers(4, &[0, 1], &edges);
        order(&mut all);
        assert_eq!(crossings(&all), 0);
    }
}
