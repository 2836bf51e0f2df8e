//! Where sample commands lead from the sample states: a walk through a machine, and the graph of
//! the moves that it finds. It decides nothing and knows no row of its own.

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::Value;

use crate::owed::Owed;
use crate::table::{Graph, Move, Shown, evolved, index};

/// How many states a short walk goes on from: enough to get from any sample to the ends of its
/// machine. All moves of a loop are found within 1,600.
const WALK_MAX: usize = 2_000;
/// A graph is walked until so many states in a row had no move that was not known before: more than
/// twice what it took to find all moves of a loop, after which ten thousand more had none.
const QUIET_STATES: usize = 3_000;
/// And no further than this, so that a machine that always has something new is still drawn.
const GRAPH_WALK_MAX: usize = 8_000;
/// Numbers that a walk tells apart: rules wait for the third of something, hardly for the fourth.
const COUNTS: [&str; 4] = ["0 ", "1 ", "2 ", "3 "];

/// A walk: the sample states, and those that sample commands lead to. A step that changes neither
/// the column nor what is owed is not walked on from, states of one shape count once, and the walk
/// goes on where it has been least; but first from where a state led that had a move unknown so
/// far, because what is rare has rare neighbours.
pub struct Walk<M: Shown> {
    places: BTreeMap<String, Place<M::State>>,
    promising: VecDeque<M::State>,
    known: BTreeSet<(Option<&'static str>, &'static str, Option<&'static str>)>,
    seen: BTreeSet<String>,
    found: usize,
    steps: usize,
}

/// States of one place that are still to be walked on from, the oldest first, each with the number
/// under which it was found.
struct Place<S> {
    been: usize,
    open: VecDeque<(usize, S)>,
}

/// A state that was walked on from, and where each accepted command leads.
pub struct Step<M: Shown> {
    /// The state.
    pub from: M::State,
    /// The commands.
    pub moves: Vec<Taken<M::State>>,
}

/// What an accepted command led to.
pub struct Taken<S> {
    /// The command's name.
    pub on: &'static str,
    /// Whether it recorded anything.
    pub recorded: Recorded,
    /// The state after it.
    pub to: S,
}

/// Whether a command recorded a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It did.
    Facts,
    /// It only read.
    Nothing,
}

impl<M: Shown> Walk<M> {
    /// One that has not begun.
    #[must_use]
    pub fn new() -> Self {
        let mut walk = Self {
            places: BTreeMap::new(),
            promising: VecDeque::new(),
            known: BTreeSet::new(),
            seen: BTreeSet::new(),
            found: 0,
            steps: 0,
        };
        for (_, state) in M::states() {
            walk.seen.insert(shape(&state));
            walk.open(state);
        }
        walk
    }

    fn open(&mut self, state: M::State) {
        let place = self
            .places
            .entry(place::<M>(&state))
            .or_insert_with(|| Place { been: 0, open: VecDeque::new() });
        place.open.push_back((self.found, state));
        self.found += 1;
    }

    /// Broad and deep in turn: of the places least been to, the oldest state, then the newest.
    fn choose(&mut self) -> Option<M::State> {
        if let Some(state) = self.promising.pop_front() {
            return Some(state);
        }
        let broad = self.steps.is_multiple_of(2);
        let rank = |place: &Place<M::State>| {
            let end = if broad { place.open.front() } else { place.open.back() };
            end.map(|(number, _)| (place.been, if broad { *number } else { usize::MAX - number }))
        };
        let ranked = self.places.values_mut().filter_map(|place| Some((rank(place)?, place)));
        let (_, place) = ranked.min_by_key(|(rank, _)| *rank)?;
        place.been += 1;
        let taken = if broad { place.open.pop_front() } else { place.open.pop_back() };
        taken.map(|(_, state)| state)
    }
}

impl<M: Shown> Default for Walk<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Shown> Iterator for Walk<M> {
    type Item = Step<M>;

    fn next(&mut self) -> Option<Step<M>> {
        let from = self.choose()?;
        self.steps += 1;
        let (mut moves, mut fresh, known) = (Vec::new(), Vec::new(), self.known.len());
        let owed = M::owed(&from);
        for (_, said) in M::commands(&from) {
            let Ok(events) = M::decide(&from, &said) else { continue };
            let to = evolved::<M>(&from, &said, &events);
            let moved = M::column(&from) != M::column(&to) || owed != M::owed(&to);
            if moved && self.seen.insert(shape(&to)) {
                fresh.push(to.clone());
            }
            let on = M::command(&said.command);
            self.known.insert((M::drawn(&from), on, M::drawn(&to)));
            let recorded = if events.is_empty() { Recorded::Nothing } else { Recorded::Facts };
            moves.push(Taken { on, recorded, to });
        }
        if self.known.len() > known {
            self.promising.extend(fresh);
        } else {
            fresh.into_iter().for_each(|state| self.open(state));
        }
        Some(Step { from, moves })
    }
}

/// The states of a short walk.
#[must_use]
pub fn walk<M: Shown>() -> Vec<M::State> {
    Walk::<M>::new().take(WALK_MAX).map(|step| step.from).collect()
}

/// Where a walk is: the column, and the slots that are owed, without their numbers.
fn place<M: Shown>(state: &M::State) -> String {
    let mut text = String::from(M::column(state));
    for owed in M::owed(state) {
        let (Owed::Child { slot, .. }
        | Owed::Timer { slot, .. }
        | Owed::Question { slot, .. }
        | Owed::Effect { slot, .. }) = &owed;
        text.push(' ');
        text.extend(slot.chars().filter(|c| !c.is_ascii_digit()));
    }
    text
}

/// A state as far as a walk tells states apart: names without their digits, lists as sets, and
/// numbers only while they are small enough to be a count that some rule waits for.
fn shape<S: Serialize>(state: &S) -> String {
    let mut text = String::new();
    outline(&serde_json::to_value(state).unwrap_or_default(), &mut text);
    text
}

fn outline(value: &Value, out: &mut String) {
    let name = |text: &str, out: &mut String| {
        out.extend(text.chars().filter(|c| !c.is_ascii_digit()));
        out.push(' ');
    };
    match value {
        Value::Null => out.push_str("- "),
        Value::Bool(yes) => out.push_str(if *yes { "y " } else { "n " }),
        Value::Number(number) => {
            let small = number.as_u64().and_then(|n| COUNTS.get(usize::try_from(n).ok()?));
            out.push_str(small.unwrap_or(&"# "));
        }
        Value::String(text) => name(text, out),
        Value::Array(items) => {
            let parts: BTreeSet<String> = items.iter().map(shape).collect();
            out.extend(parts);
        }
        Value::Object(members) => {
            for (key, member) in members {
                name(key, out);
                outline(member, out);
            }
        }
    }
}

/// The states and moves of a machine, as far as a long walk finds them: it ends when nothing new
/// was found for long, or at its bound. This takes its time; what it found is kept as data for
/// whoever only wants to look. A command that records nothing is no move.
#[must_use]
pub fn graph<M: Shown>() -> Graph {
    let (mut states, mut moves, mut begins) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (_, state) in M::states() {
        M::drawn(&state).map(|name| index(&mut states, name));
    }
    let mut quiet = 0;
    for step in Walk::<M>::new().take(GRAPH_WALK_MAX) {
        let known = moves.len() + begins.len();
        let from = M::drawn(&step.from);
        from.map(|name| index(&mut states, name));
        for taken in step.moves {
            match (from, M::drawn(&taken.to)) {
                (Some(from), Some(to)) if taken.recorded == Recorded::Facts => {
                    moves.insert(Move { from, on: taken.on, to });
                }
                (None, Some(to)) => {
                    begins.insert(to);
                }
                (Some(_), Some(_)) | (_, None) => {}
            }
        }
        quiet = if moves.len() + begins.len() == known { quiet + 1 } else { 0 };
        if quiet == QUIET_STATES {
            break;
        }
    }
    let (begins, moves) = (begins.into_iter().collect(), moves.into_iter().collect());
    Graph { machine: M::NAME, states, begins, moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::Loop;

    /// A walk that only went where it had been least met these after thousands of states, if ever.
    #[test]
    fn a_walk_looks_around_first_where_it_found_something_new() {
        let steps: Vec<Step<Loop>> = Walk::new().take(WALK_MAX).collect();
        let found = |from: &str, on: &str, to: &str| {
            steps
                .iter()
                .filter(|step| Loop::drawn(&step.from) == Some(from))
                .any(|step| step.moves.iter().any(|m| m.on == on && Loop::drawn(&m.to) == Some(to)))
        };
        for (from, on, to) in [("failed", "retry", "paused"), ("completed", "reopen", "failed")] {
            assert!(found(from, on, to), "{from} + {on} does not lead to {to}");
        }
    }
}
