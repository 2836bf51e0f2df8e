//! The table of a machine, computed by walking `decide` over sample states and commands. It knows
//! no row of its own: a change of behaviour shows here as a change of the table.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::machine::{Machine, Refusal as _, Said};
use crate::{call, collab, grant, lifecycle, loops, session, turn};

/// A state or command with its label.
pub type Sample<T> = (&'static str, T);

/// What a machine has to tell about itself before it can be walked.
pub trait Shown: Machine {
    /// The column of the table a state stands in.
    fn column(state: &Self::State) -> &'static str;
    /// Its name in the graph; none for "not yet there" and for "gone".
    fn drawn(state: &Self::State) -> Option<&'static str>;
    /// The command's name.
    fn command(command: &Self::Command) -> &'static str;
    /// The fact's name.
    fn event(event: &Self::Event) -> &'static str;
    /// A state for every case the rules tell apart.
    fn states() -> Vec<Sample<Self::State>>;
    /// Every command with every guard, with data that suits the state.
    fn commands(state: &Self::State) -> Vec<Sample<Said<Self::Command>>>;
}

/// What a command comes to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// Accepted.
    To {
        /// The column it leads to.
        to: &'static str,
        /// The facts recorded, in order; none where the command only reads.
        events: Vec<&'static str>,
    },
    /// Refused; nothing changed.
    Refused {
        /// The reason's word.
        reason: &'static str,
    },
}

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// The column it starts from.
    pub from: &'static str,
    /// The command's name.
    pub on: &'static str,
    /// The command's label: its name and the guard, in words.
    pub label: &'static str,
    /// What it comes to.
    pub end: End,
    /// Labels of the sample states in which it comes to this; all of the column's if `always`.
    pub samples: Vec<&'static str>,
    /// Whether it comes to this in every sample of the column that knows the label.
    pub always: bool,
}

/// The whole table of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The machine's name.
    pub machine: &'static str,
    /// Its columns, in the order of the samples.
    pub states: Vec<&'static str>,
    /// Its lines: by column, then in the order of the sample commands, then by what comes of it.
    pub rows: Vec<Row>,
    /// How many pairs of a sample state and a sample command were decided.
    pub pairs: usize,
}

/// A move between two drawn states.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Move {
    /// From where.
    pub from: &'static str,
    /// By which command.
    pub on: &'static str,
    /// To where.
    pub to: &'static str,
}

/// The states and moves of a machine, for drawing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graph {
    /// The machine's name.
    pub machine: &'static str,
    /// Its states, in the order of the samples.
    pub states: Vec<&'static str>,
    /// States in which a run can begin, sorted.
    pub begins: Vec<&'static str>,
    /// Its moves, sorted, each once.
    pub moves: Vec<Move>,
}

/// Decides every pair of samples and sorts what comes of it into lines.
#[must_use]
pub fn table<M: Shown>() -> Table {
    let mut states = Vec::new();
    let mut found: BTreeMap<Place, BTreeMap<End, Vec<&'static str>>> = BTreeMap::new();
    let mut labels = Vec::new();
    let mut pairs = 0;
    for (sample, state) in M::states() {
        let column = index(&mut states, M::column(&state));
        for (label, said) in M::commands(&state) {
            pairs += 1;
            let place = (column, index(&mut labels, label), M::command(&said.command));
            found
                .entry(place)
                .or_default()
                .entry(end::<M>(&state, &said))
                .or_default()
                .push(sample);
        }
    }
    let rows = found.into_iter().flat_map(|((column, label, on), ends)| {
        let (from, label, always) = (states[column], labels[label], ends.len() == 1);
        ends.into_iter().map(move |(end, samples)| Row { from, on, label, end, samples, always })
    });
    let rows = rows.collect();
    Table { machine: M::NAME, states, rows, pairs }
}

/// Column, label and command of a line; the first two by their order of appearance.
type Place = (usize, usize, &'static str);

/// Where a word stands in a list, which it joins if it is new.
pub(crate) fn index(list: &mut Vec<&'static str>, word: &'static str) -> usize {
    list.iter().position(|known| *known == word).unwrap_or_else(|| {
        list.push(word);
        list.len() - 1
    })
}

fn end<M: Shown>(state: &M::State, said: &Said<M::Command>) -> End {
    match M::decide(state, said) {
        Err(refusal) => End::Refused { reason: refusal.reason() },
        Ok(events) => {
            let after = evolved::<M>(state, said, &events);
            End::To { to: M::column(&after), events: events.iter().map(M::event).collect() }
        }
    }
}

pub(crate) fn evolved<M: Machine>(
    state: &M::State,
    said: &Said<M::Command>,
    events: &[M::Event],
) -> M::State {
    let mut after = state.clone();
    for event in events {
        M::evolve(&mut after, event, said.at);
    }
    after
}

impl Shown for call::Call {
    fn column(state: &call::State) -> &'static str {
        state.name()
    }

    fn drawn(state: &call::State) -> Option<&'static str> {
        (*state != call::State::New).then(|| state.name())
    }

    fn command(command: &call::Command) -> &'static str {
        command.name()
    }

    fn event(event: &call::Event) -> &'static str {
        event.name()
    }

    fn states() -> Vec<Sample<call::State>> {
        call::samples::sample_states()
    }

    fn commands(state: &call::State) -> Vec<Sample<Said<call::Command>>> {
        call::samples::sample_commands(state)
    }
}

impl Shown for loops::Loop {
    fn column(state: &loops::State) -> &'static str {
        state.variant()
    }

    fn drawn(state: &loops::State) -> Option<&'static str> {
        state.life().map(|life| life.phase.status())
    }

    fn command(command: &loops::Command) -> &'static str {
        command.name()
    }

    fn event(event: &loops::Event) -> &'static str {
        event.name()
    }

    fn states() -> Vec<Sample<loops::State>> {
        loops::samples::sample_states()
    }

    fn commands(state: &loops::State) -> Vec<Sample<Said<loops::Command>>> {
        loops::samples::sample_commands(state)
    }
}

impl Shown for collab::Collab {
    fn column(state: &collab::State) -> &'static str {
        state.variant()
    }

    fn drawn(state: &collab::State) -> Option<&'static str> {
        (*state != collab::State::New).then(|| state.name())
    }

    fn command(command: &collab::Command) -> &'static str {
        command.name()
    }

    fn event(event: &collab::Event) -> &'static str {
        event.name()
    }

    fn states() -> Vec<Sample<collab::State>> {
        collab::samples::sample_states()
    }

    fn commands(state: &collab::State) -> Vec<Sample<Said<collab::Command>>> {
        collab::samples::sample_commands(state)
    }
}

impl Shown for grant::Grants {
    fn column(state: &grant::State) -> &'static str {
        state.name()
    }

    fn drawn(state: &grant::State) -> Option<&'static str> {
        (*state != grant::State::New).then(|| state.name())
    }

    fn command(command: &grant::Command) -> &'static str {
        command.name()
    }

    fn event(event: &grant::Event) -> &'static str {
        event.name()
    }

    fn states() -> Vec<Sample<grant::State>> {
        grant::sample_states()
    }

    fn commands(_: &grant::State) -> Vec<Sample<Said<grant::Command>>> {
        grant::sample_commands()
    }
}

impl Shown for turn::Turn {
    fn column(state: &turn::State) -> &'static str {
        state.name()
    }

    fn drawn(state: &turn::State) -> Option<&'static str> {
        Some(state.name())
    }

    fn command(command: &turn::Command) -> &'static str {
        command.name()
    }

    fn event(event: &turn::Event) -> &'static str {
        event.name()
    }

    fn states() -> Vec<Sample<turn::State>> {
        turn::samples::sample_states()
    }

    fn commands(state: &turn::State) -> Vec<Sample<Said<turn::Command>>> {
        turn::samples::sample_commands(state)
    }
}

impl Shown for session::Session {
    fn column(state: &session::State) -> &'static str {
        state.variant()
    }

    fn drawn(state: &session::State) -> Option<&'static str> {
        state.drawn()
    }

    fn command(command: &session::Command) -> &'static str {
        command.name()
    }

    fn event(event: &session::Event) -> &'static str {
        event.name()
    }

    fn states() -> Vec<Sample<session::State>> {
        session::samples::sample_states()
    }

    fn commands(state: &session::State) -> Vec<Sample<Said<session::Command>>> {
        session::samples::sample_commands(state)
    }
}

impl Shown for lifecycle::Lifecycle {
    fn column(state: &lifecycle::State) -> &'static str {
        state.column()
    }

    fn drawn(state: &lifecycle::State) -> Option<&'static str> {
        Some(state.name())
    }

    fn command(command: &lifecycle::Command) -> &'static str {
        command.name()
    }

    fn event(event: &lifecycle::Event) -> &'static str {
        event.name()
    }

    fn states() -> Vec<Sample<lifecycle::State>> {
        lifecycle::samples::sample_states()
    }

    fn commands(state: &lifecycle::State) -> Vec<Sample<Said<lifecycle::Command>>> {
        lifecycle::samples::sample_commands(state)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec;

    use super::*;
    use crate::machine::{At, By, Refusal};
    use crate::owed::Owed;
    use crate::walk::graph;

    /// A door: made shut, opened unless locked, looked at.
    struct Door;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
    enum Stand {
        #[default]
        New,
        Shut {
            locked: bool,
        },
        Open,
    }

    #[derive(Clone, Copy)]
    enum Word {
        Make,
        Open,
        Look,
    }

    struct Locked;

    impl Refusal for Locked {
        fn reason(&self) -> &'static str {
            "locked"
        }
        fn allowed(&self) -> Vec<&'static str> {
            Vec::new()
        }
        fn details(&self) -> serde_json::Value {
            serde_json::Value::Null
        }
    }

    impl Machine for Door {
        const NAME: &'static str = "door";
        type State = Stand;
        type Command = Word;
        type Event = String;
        type Refusal = Locked;

        fn decide(state: &Stand, said: &Said<Word>) -> Result<Vec<String>, Locked> {
            match (said.command, state) {
                (Word::Open, Stand::Shut { locked: true }) => Err(Locked),
                (Word::Open, _) => Ok(vec!["Opened".into()]),
                (Word::Make, _) => Ok(vec!["Made".into()]),
                (Word::Look, _) => Ok(Vec::new()),
            }
        }
        fn evolve(state: &mut Stand, event: &String, _: At) {
            *state = if event == "Made" { Stand::Shut { locked: false } } else { Stand::Open };
        }
        fn owed(_: &Stand) -> Vec<Owed> {
            Vec::new()
        }
    }

    impl Shown for Door {
        fn column(state: &Stand) -> &'static str {
            match state {
                Stand::New => "New",
                Stand::Shut { .. } => "Shut",
                Stand::Open => "Open",
            }
        }
        fn drawn(state: &Stand) -> Option<&'static str> {
            (*state != Stand::New).then(|| Self::column(state))
        }
        fn command(command: &Word) -> &'static str {
            match command {
                Word::Make => "make",
                Word::Open => "open",
                Word::Look => "look",
            }
        }
        fn event(event: &String) -> &'static str {
            if event == "Made" { "Made" } else { "Opened" }
        }
        fn states() -> Vec<Sample<Stand>> {
            let shut = |locked| Stand::Shut { locked };
            vec![("new", Stand::New), ("free", shut(false)), ("locked", shut(true))]
        }
        fn commands(state: &Stand) -> Vec<Sample<Said<Word>>> {
            let said = |command| Said { by: By::Person, at: At(0), command };
            match state {
                Stand::New => vec![("make", said(Word::Make))],
                Stand::Shut { .. } | Stand::Open => {
                    vec![("open", said(Word::Open)), ("look", said(Word::Look))]
                }
            }
        }
    }

    #[test]
    fn a_table_is_what_decide_says() {
        let table = table::<Door>();
        let rows: Vec<_> = table
            .rows
            .iter()
            .map(|row| {
                let end = match &row.end {
                    End::To { to, events } => (*to, events.join(" ")),
                    End::Refused { reason } => ("refused", String::from(*reason)),
                };
                (row.from, row.label, end, row.samples.join(" "), row.always)
            })
            .collect();
        let line = |from, label, to, how: &str, samples: &str, always| {
            (from, label, (to, how.into()), samples.into(), always)
        };
        let expected = [
            line("New", "make", "Shut", "Made", "new", true),
            line("Shut", "open", "Open", "Opened", "free", false),
            line("Shut", "open", "refused", "locked", "locked", false),
            line("Shut", "look", "Shut", "", "free locked", true),
        ];
        assert_eq!(rows, expected);
        assert_eq!((table.states, table.pairs), (vec!["New", "Shut"], 5));
    }

    #[test]
    fn a_graph_has_each_move_once_and_no_reads() {
        let graph = graph::<Door>();
        assert_eq!(graph.begins, ["Shut"]);
        let open = |from| Move { from, on: "open", to: "Open" };
        assert_eq!(graph.moves, [open("Open"), open("Shut")], "also what only a walk finds");
        assert_eq!(graph.states, ["Shut", "Open"]);
    }
}
