//! The graph as a picture: layers from top to bottom, one line for each pair of states with its
//! commands on it, and what leaves a state as it is listed inside its box. System fonts only;
//! colours follow the reader's light or dark setting.

use std::fmt::Write as _;

use kernel::table::Graph;

use super::layout::{Spot, place};
use super::mermaid::pairs;
use super::order::order;
use super::ranks::{Edge, Layers, Slot, layers};

/// Widest line of text in a label, in characters.
const LABEL_CHARS_MAX: usize = 26;
/// The same inside a state's box.
const SELF_CHARS_MAX: usize = 40;
/// Before the commands that leave a state as it is.
const STAYS: &str = "↻ ";
/// Width of a character of the small text; generous, so that a wider system font still fits.
const CHAR_W: f64 = 6.9;
/// Height of a line of the small text.
const LINE_H: f64 = 15.0;
/// Height of a state's name.
const NAME_H: f64 = 22.0;
/// Width that an edge needs to pass a layer.
const PASS_W: f64 = 16.0;
/// How far a line runs straight before and after a box, so that its arrow head points at the box.
const STRAIGHT_H: f64 = 9.0;
/// Distance at which two lines at the same side of a box still read as two.
const PORT_GAP: f64 = 26.0;

const STYLE: &str = "\
.back{fill:#ffffff}.box{fill:#f1f4f8;stroke:#56657a;stroke-width:1.5}\
.name{font-weight:600;font-size:15px;fill:#1b2430}.small{font-size:12px;fill:#3b4858}\
.line{fill:none;stroke:#7a8798;stroke-width:1.4}.head{fill:#7a8798}\
text{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;text-anchor:middle}\
@media(prefers-color-scheme:dark){.back{fill:#12161c}.box{fill:#1d2530;stroke:#8fa0b5}\
.name{fill:#eef2f7}.small{fill:#c3cedb}.line{stroke:#7f8fa3}.head{fill:#7f8fa3}}";

/// Only in pictures of one run, so that those of the machines stay as they are.
const MARKS: &str = "\
.passed{stroke:#1f7a4d;stroke-width:3}.now{fill:#d9f0e1;stroke:#1f7a4d;stroke-width:3}\
@media(prefers-color-scheme:dark){.passed{stroke:#5fc48c}.now{fill:#1d4a33;stroke:#5fc48c}}";

/// The picture, as a file that needs nothing else.
pub fn svg(graph: &Graph) -> String {
    drawn(graph, &[])
}

/// The same with the states that a run has passed, the last one being where it stands.
pub fn svg_passed(graph: &Graph, passed: &[String]) -> String {
    drawn(graph, passed)
}

fn drawn(graph: &Graph, passed: &[String]) -> String {
    let plan = Plan::new(graph, passed);
    let marks = if passed.is_empty() { "" } else { MARKS };
    let mut all = layers(graph.states.len(), &plan.begins, &plan.edges);
    order(&mut all);
    let sizes: Vec<_> = all.slots.iter().map(|slot| plan.size(slot)).collect();
    let (spots, (width, height)) = place(&all, &sizes);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"States and moves of {}\">\n<style>{STYLE}{marks}</style>\n\
         <defs><marker id=\"a\" \
         viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto-start-reverse\"><path class=\"head\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
         <rect class=\"back\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n",
        graph.machine
    );
    for (edge, chain) in plan.edges.iter().zip(&all.chains) {
        let end = if chain[0] == edge.from { "marker-end" } else { "marker-start" };
        line(
            &mut out,
            &format!(
                "<path class=\"line\" {end}=\"url(#a)\" d=\"{}\"/>",
                path(&all, &spots, chain)
            ),
        );
    }
    for (slot, spot) in all.slots.iter().zip(&spots) {
        plan.draw(slot, spot, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

/// What is written where.
struct Plan {
    names: Vec<&'static str>,
    boxes: Vec<&'static str>,
    begins: Vec<usize>,
    stays: Vec<Vec<String>>,
    edges: Vec<Edge>,
    labels: Vec<Vec<String>>,
}

impl Plan {
    fn new(graph: &Graph, passed: &[String]) -> Self {
        let at = |name: &str| graph.states.iter().position(|state| *state == name);
        let mut plan = Self {
            names: graph.states.clone(),
            boxes: graph.states.iter().map(|state| class(state, passed)).collect(),
            begins: graph.begins.iter().filter_map(|name| at(name)).collect(),
            stays: vec![Vec::new(); graph.states.len()],
            edges: Vec::new(),
            labels: Vec::new(),
        };
        let named = pairs(graph).into_iter();
        let mut sorted: Vec<_> =
            named.filter_map(|((from, to), on)| Some((at(from)?, at(to)?, on))).collect();
        sorted.sort();
        for (from, to, commands) in sorted {
            if from == to {
                plan.stays[from] = wrap(&commands, SELF_CHARS_MAX);
                plan.stays[from][0].insert_str(0, STAYS);
            } else {
                plan.edges.push(Edge { from, to });
                plan.labels.push(wrap(&commands, LABEL_CHARS_MAX));
            }
        }
        plan
    }

    fn size(&self, slot: &Slot) -> (f64, f64) {
        let text = |lines: &[String]| {
            let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
            (widest as f64 * CHAR_W + 12.0, lines.len() as f64 * LINE_H + 4.0)
        };
        match slot {
            Slot::Pass => (PASS_W, 0.0),
            Slot::Label(edge) => text(&self.labels[*edge]),
            Slot::State(state) => {
                let (w, h) = text(&self.stays[*state]);
                let touching = |e: &&Edge| e.from == *state || e.to == *state;
                let ports = self.edges.iter().filter(touching).count() as f64 / 2.0 * PORT_GAP;
                let name = self.names[*state].chars().count() as f64 * 9.5;
                (w.max(name).max(ports).max(90.0) + 16.0, NAME_H + h + 8.0)
            }
        }
    }

    fn draw(&self, slot: &Slot, spot: &Spot, out: &mut String) {
        let (left, top) = (spot.x - spot.w / 2.0, spot.y - spot.h / 2.0);
        let Spot { w, h, .. } = *spot;
        let rect = |class: &str| {
            let at = format!("x=\"{left}\" y=\"{top}\"");
            let size = format!("width=\"{w}\" height=\"{h}\"");
            format!("<rect class=\"{class}\" {at} {size} rx=\"7\"/>")
        };
        match slot {
            Slot::Pass => {}
            Slot::Label(edge) => {
                line(out, &rect("back"));
                lines(out, spot.x, top + 13.0, &self.labels[*edge]);
            }
            Slot::State(state) => {
                line(out, &rect(self.boxes[*state]));
                if self.begins.contains(state) {
                    begin(out, left, spot.y);
                }
                let stays = &self.stays[*state];
                let y = if stays.is_empty() { spot.y + 5.0 } else { top + 20.0 };
                let name = self.names[*state];
                line(
                    out,
                    &format!("<text class=\"name\" x=\"{}\" y=\"{y}\">{name}</text>", spot.x),
                );
                lines(out, spot.x, top + 20.0 + LINE_H + 2.0, stays);
            }
        }
    }
}

/// How a state's box is drawn.
fn class(state: &str, passed: &[String]) -> &'static str {
    if passed.last().is_some_and(|now| now == state) {
        return "box now";
    }
    if passed.iter().any(|one| one == state) { "box passed" } else { "box" }
}

/// The dot from which a run begins, left of a box.
fn begin(out: &mut String, left: f64, y: f64) {
    let dot = left - 15.0;
    line(out, &format!("<circle class=\"head\" cx=\"{dot}\" cy=\"{y}\" r=\"4\"/>"));
    let d = format!("M{dot} {y}L{left} {y}");
    line(out, &format!("<path class=\"line\" marker-end=\"url(#a)\" d=\"{d}\"/>"));
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn lines(out: &mut String, x: f64, top: f64, texts: &[String]) {
    for (at, text) in texts.iter().enumerate() {
        let y = top + at as f64 * LINE_H;
        line(out, &format!("<text class=\"small\" x=\"{x}\" y=\"{y}\">{text}</text>"));
    }
}

/// Commands joined by commas, broken between commands only.
fn wrap(commands: &[&str], chars_max: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for command in commands {
        match lines.last_mut() {
            Some(last) if last.len() + command.len() + 2 <= chars_max => {
                last.push_str(", ");
                last.push_str(command);
            }
            Some(last) => {
                last.push(',');
                lines.push((*command).to_owned());
            }
            None => lines.push((*command).to_owned()),
        }
    }
    lines
}

/// A smooth line through the slots of a chain: straight within a layer, curved between two.
fn path(all: &Layers, spots: &[Spot], chain: &[usize]) -> String {
    let mut text = String::new();
    for pair in chain.windows(2) {
        let (upper, lower) = (spots[pair[0]], spots[pair[1]]);
        let (x1, y1) = (port(all, spots, pair[0], pair[1], 1), upper.y + upper.h / 2.0);
        let (x2, y2) = (port(all, spots, pair[1], pair[0], 0), lower.y - lower.h / 2.0);
        let (above, below) = (upper.bottom + STRAIGHT_H, lower.top - STRAIGHT_H);
        let middle = f64::midpoint(above, below);
        let start = if text.is_empty() { "M" } else { "L" };
        let curve = format!("C{x1} {middle} {x2} {middle} {x2} {below}");
        write!(text, "{start}{x1} {y1}L{x1} {above}{curve}L{x2} {y2}")
            .expect("a String takes all text");
    }
    text
}

/// Where a line touches a slot: the lines at one side of a box are spread in the order of where
/// they lead. `side` is 0 for the upper side, 1 for the lower one.
fn port(all: &Layers, spots: &[Spot], slot: usize, other: usize, side: usize) -> f64 {
    if !matches!(all.slots[slot], Slot::State(_)) {
        return spots[slot].x;
    }
    let near = all.neighbours();
    let mut others = near.get(&slot).map_or_else(Vec::new, |sides| sides[side].clone());
    others.sort_by(|a, b| spots[*a].x.total_cmp(&spots[*b].x));
    let at = others.iter().position(|id| *id == other).unwrap_or(0) as f64;
    let step = PORT_GAP.min(spots[slot].w / (others.len() as f64 + 1.0));
    (spots[slot].x + (at - (others.len() as f64 - 1.0) / 2.0) * step).round()
}

#[cfg(test)]
mod tests {
    use kernel::table::Move;

    use super::*;

    #[test]
    fn everything_is_drawn_and_nothing_twice() {
        let step = |from, on, to| Move { from, on, to };
        let graph = Graph {
            machine: "door",
            states: vec!["shut", "open", "gone"],
            begins: vec!["shut"],
            moves: vec![
                step("open", "close", "shut"),
                step("open", "burn", "gone"),
                step("shut", "burn", "gone"),
                step("shut", "knock", "shut"),
                step("shut", "open", "open"),
            ],
        };
        let text = svg(&graph);
        assert_eq!(text, svg(&graph));
        assert_eq!(text.matches("class=\"line\"").count(), 5);
        assert_eq!(text.matches("class=\"name\"").count(), 3);
        assert_eq!(text.matches("marker-start").count(), 1, "one move leads back up");
        assert_eq!(text.matches(">↻ knock</text>").count(), 1);
        let marked = svg_passed(&graph, &["shut".to_owned(), "open".to_owned()]);
        assert_eq!(marked.matches("class=\"box passed\"").count(), 1);
        assert_eq!(marked.matches("class=\"box now\"").count(), 1);
        assert!(!text.contains("passed"), "a machine's own picture has no marks");
    }

    #[test]
    fn labels_break_between_commands() {
        assert_eq!(wrap(&["aaaa", "bbbb", "cccc"], 10), ["aaaa, bbbb,", "cccc"]);
    }
}
