//! The order of slots within their layers: swept by the middle of their neighbours, the order with
//! the fewest crossings is kept. Deterministic; it does not know sizes.

use super::ranks::Layers;

/// Sweeps down and up; more rounds have changed nothing on graphs of this size.
const SWEEPS: usize = 24;

/// Orders every layer so that few edges cross.
pub fn order(all: &mut Layers) {
    let near = all.neighbours();
    let gaps = gaps(all);
    let mut best = (crossings(all, &gaps), all.layers.clone());
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
        swap(all, &gaps);
        let now = crossings(all, &gaps);
        if now < best.0 {
            best = (now, all.layers.clone());
        }
    }
    all.layers = best.1;
}

/// Edges between neighbouring layers, by the upper one: the slots that each joins.
type Gaps = Vec<Vec<(usize, usize)>>;

fn gaps(all: &Layers) -> Gaps {
    let mut layer_of = vec![0; all.slots.len()];
    for (at, layer) in all.layers.iter().enumerate() {
        layer.iter().for_each(|id| layer_of[*id] = at);
    }
    let mut gaps = vec![Vec::new(); all.layers.len()];
    for pair in all.chains.iter().flat_map(|chain| chain.windows(2)) {
        gaps[layer_of[pair[0]]].push((pair[0], pair[1]));
    }
    gaps
}

/// Swaps neighbours within a layer while that takes crossings away. Only the edges above and below
/// that layer can tell, so no others are looked at.
fn swap(all: &mut Layers, gaps: &Gaps) {
    let mut index = indices(all);
    for layer in 0..all.layers.len() {
        let around = |index: &[usize]| {
            let above = layer.checked_sub(1).map_or(0, |above| crossed(&gaps[above], index));
            above + crossed(&gaps[layer], index)
        };
        for at in 1..all.layers[layer].len() {
            let before = around(&index);
            let (left, right) = (all.layers[layer][at - 1], all.layers[layer][at]);
            index.swap(left, right);
            if around(&index) < before {
                all.layers[layer].swap(at - 1, at);
            } else {
                index.swap(left, right);
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

/// The number of each slot within its layer.
fn indices(all: &Layers) -> Vec<usize> {
    let mut index = vec![0; all.slots.len()];
    for layer in &all.layers {
        layer.iter().enumerate().for_each(|(at, id)| index[*id] = at);
    }
    index
}

/// How many pairs of edges cross between neighbouring layers.
fn crossings(all: &Layers, gaps: &Gaps) -> usize {
    let index = indices(all);
    gaps.iter().map(|gap| crossed(gap, &index)).sum()
}

fn crossed(gap: &[(usize, usize)], index: &[usize]) -> usize {
    let cross = |a: &(usize, usize), b: &(usize, usize)| {
        let (upper, lower) = (index[a.0].cmp(&index[b.0]), index[a.1].cmp(&index[b.1]));
        upper.is_ne() && upper == lower.reverse()
    };
    let pairs =
        gap.iter().enumerate().map(|(at, a)| gap[at + 1..].iter().filter(|b| cross(a, b)).count());
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
        let gaps = gaps(&all);
        assert_eq!(crossings(&all, &gaps), 0);
    }
}
