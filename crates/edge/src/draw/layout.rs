//! Coordinates for ordered layers: boxes that do not touch, each as near to its neighbours' middle
//! as the order allows. It draws nothing.

use super::ranks::{Layers, Slot};

/// Sideways room between two slots.
const GAP_X: f64 = 22.0;
/// Room between two layers, enough for a curve to turn.
const GAP_Y: f64 = 48.0;
/// Free border around everything.
const MARGIN: f64 = 24.0;
/// Rounds of drawing slots towards their neighbours.
const ROUNDS: usize = 60;
/// How much more a line's own slots pull at each other than at states: long lines run straight.
const STRAIGHT: f64 = 8.0;

/// The place of a slot: its middle, its size, and the borders of its layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Middle, from the left.
    pub x: f64,
    /// Middle, from the top.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
    /// Upper border of the layer.
    pub top: f64,
    /// Lower border of the layer.
    pub bottom: f64,
}

/// Places for all slots of these sizes, and the size of the whole.
pub fn place(all: &Layers, sizes: &[(f64, f64)]) -> (Vec<Spot>, (f64, f64)) {
    let (mut spots, bottom) = packed(all, sizes);
    let near = all.neighbours();
    for round in 0..ROUNDS {
        for step in 0..all.layers.len() {
            let at = if round % 2 == 0 { step } else { all.layers.len() - 1 - step };
            let wishes: Vec<f64> = all.layers[at]
                .iter()
                .map(|id| {
                    let others = near.get(id).into_iter().flatten().flatten().copied();
                    wish(all, &spots, *id, others)
                })
                .collect();
            settle(&all.layers[at], &wishes, &mut spots);
        }
    }
    let left = spots.iter().map(|s| s.x - s.w / 2.0).fold(f64::MAX, f64::min) - MARGIN;
    spots.iter_mut().for_each(|spot| spot.x = (spot.x - left).round());
    let right = spots.iter().map(|s| s.x + s.w / 2.0).fold(0.0, f64::max) + MARGIN;
    (spots, (right, bottom + MARGIN))
}

/// Every layer packed to the left, and where the lowest one ends.
fn packed(all: &Layers, sizes: &[(f64, f64)]) -> (Vec<Spot>, f64) {
    let new = |(w, h): &(f64, f64)| Spot { x: 0.0, y: 0.0, w: *w, h: *h, top: 0.0, bottom: 0.0 };
    let mut spots: Vec<Spot> = sizes.iter().map(new).collect();
    let mut top = MARGIN;
    for layer in &all.layers {
        let height = layer.iter().map(|id| spots[*id].h).fold(0.0, f64::max);
        let mut left = 0.0;
        for id in layer {
            let Spot { w, h, .. } = spots[*id];
            let (x, y) = (left + w / 2.0, top + height / 2.0);
            spots[*id] = Spot { x, y, w, h, top, bottom: top + height };
            left += w + GAP_X;
        }
        top += height + GAP_Y;
    }
    (spots, top - GAP_Y)
}

/// The middle of the neighbours, by how much each pulls.
fn wish(all: &Layers, spots: &[Spot], id: usize, others: impl Iterator<Item = usize>) -> f64 {
    let state = |id: usize| matches!(all.slots[id], Slot::State(_));
    let (mut sum, mut pull) = (0.0, 0.0);
    for other in others {
        let weight = if state(id) || state(other) { 1.0 } else { STRAIGHT };
        sum += spots[other].x * weight;
        pull += weight;
    }
    if pull > 0.0 { sum / pull } else { spots[id].x }
}

/// Moves the slots of a layer to their wishes as far as their order and sizes allow: once pushed
/// from the left, once from the right, and the middle of both.
fn settle(layer: &[usize], wishes: &[f64], spots: &mut [Spot]) {
    let apart = |a: usize, b: usize| (spots[a].w + spots[b].w) / 2.0 + GAP_X;
    let mut from_left = wishes.to_vec();
    for at in 1..layer.len() {
        from_left[at] = from_left[at].max(from_left[at - 1] + apart(layer[at - 1], layer[at]));
    }
    let mut from_right = wishes.to_vec();
    for at in (1..layer.len()).rev() {
        from_right[at - 1] =
            from_right[at - 1].min(from_right[at] - apart(layer[at - 1], layer[at]));
    }
    for (at, id) in layer.iter().enumerate() {
        spots[*id].x = f64::midpoint(from_left[at], from_right[at]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::ranks::{Edge, layers};
    use super::*;

    #[test]
    fn no_two_boxes_touch() {
        let edges: Vec<Edge> =
            (1..6).flat_map(|to| [Edge { from: 0, to }, Edge { from: to, to: 0 }]).collect();
        let all = layers(6, &[0], &edges);
        let sizes: Vec<_> = (0..all.slots.len()).map(|i| (40.0 + 9.0 * i as f64, 20.0)).collect();
        let (spots, (width, height)) = place(&all, &sizes);
        for (at, a) in spots.iter().enumerate() {
            assert!(a.x - a.w / 2.0 >= 0.0 && a.x + a.w / 2.0 <= width, "{a:?}");
            assert!(a.y - a.h / 2.0 >= 0.0 && a.y + a.h / 2.0 <= height, "{a:?}");
            for b in &spots[at + 1..] {
                let apart = (a.x - b.x).abs() >= (a.w + b.w) / 2.0
                    || (a.y - b.y).abs() >= (a.h + b.h) / 2.0;
                assert!(apart, "{a:?} {b:?}");
            }
        }
    }
}
