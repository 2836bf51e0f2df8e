//! One page and one picture for each machine: its whole table, as `decide` answers today.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use kernel::call::Call;
use kernel::collab::Collab;
use kernel::grant::Grants;
use kernel::lifecycle::Lifecycle;
use kernel::loops::Loop;
use kernel::session::Session;
use kernel::table::{End, Graph, Row, Shown, Table, table};
use kernel::turn::Turn;
use kernel::walk::graph;

use serde_json::json;

use super::page::{self, DRAWN, Page, code};

/// Sample labels that are named one by one in a cell; beyond that their number says more.
const SAMPLES_NAMED_MAX: usize = 6;

/// The pages and pictures of all machines, and the data that is built into the program.
pub struct Drawn {
    /// Below the reference's folder.
    pub pages: Vec<Page>,
    /// All graphs, with its path below the root.
    pub kept: Page,
}

/// Where the program keeps the graphs.
const KEPT: &str = "crates/edge/src/draw/graphs.json";

/// Walks every machine once, each on a thread of its own: the large ones take a minute.
pub fn drawn() -> Drawn {
    let walks: [fn() -> Walked; 7] = [
        walked::<Call>,
        walked::<Loop>,
        walked::<Collab>,
        walked::<Grants>,
        walked::<Turn>,
        walked::<Lifecycle>,
        walked::<Session>,
    ];
    let walked: Vec<Walked> = std::thread::scope(|scope| {
        let threads = walks.map(|walk| scope.spawn(walk));
        threads.map(|one| one.join().expect("a machine that panics is drawn by nobody")).into()
    });
    let by_name: BTreeMap<&str, &Graph> = walked.iter().map(|(g, _)| (g.machine, g)).collect();
    let kept = Page::new(KEPT, format!("{:#}\n", json!(by_name)));
    Drawn { pages: walked.into_iter().flat_map(|(_, pages)| pages).collect(), kept }
}

/// A machine's graph and its pages.
type Walked = (Graph, Vec<Page>);

fn walked<M: Shown>() -> Walked {
    let graph = graph::<M>();
    let pages = of::<M>(&graph);
    (graph, pages)
}

fn of<M: Shown>(graph: &Graph) -> Vec<Page> {
    let data = edge::draw::json(graph);
    vec![
        Page::new(format!("machines/{}.md", M::NAME), text(&table::<M>(), &samples::<M>())),
        Page::new(format!("machines/{}.svg", M::NAME), edge::draw::svg(graph)),
        Page::new(format!("machines/{}.json", M::NAME), format!("{data:#}\n")),
    ]
}

/// How many samples each column has.
fn samples<M: Shown>() -> BTreeMap<&'static str, usize> {
    let mut all = BTreeMap::new();
    for (_, state) in M::states() {
        *all.entry(M::column(&state)).or_default() += 1;
    }
    all
}

fn text(table: &Table, samples: &BTreeMap<&'static str, usize>) -> String {
    let machine = table.machine;
    let mut out = format!("# Machine `{machine}`\n\n{DRAWN}\n\n");
    writeln!(
        out,
        "{} rows: {} sample states in {} columns, {} pairs of a state and a command decided.\n\n\
         ![States and moves of {machine}]({machine}.svg)\n\n## Overview\n\n\
         `=` stays; a word in italics is the reason of a refusal.\n",
        table.rows.len(),
        samples.values().sum::<usize>(),
        table.states.len(),
        table.pairs
    )
    .expect("a String takes all text");
    out.push_str(&overview(table));
    for from in &table.states {
        let rows: Vec<&Row> = table.rows.iter().filter(|row| row.from == *from).collect();
        out.push_str(&column(from, &rows, samples[from]));
    }
    out
}

/// Commands down, columns across; each cell with everything that can come of it.
fn overview(table: &Table) -> String {
    let mut commands: Vec<&str> = Vec::new();
    for row in &table.rows {
        if !commands.contains(&row.on) {
            commands.push(row.on);
        }
    }
    let cell = |on: &str, from: &str| {
        let rows = table.rows.iter().filter(|row| row.on == on && row.from == from);
        let ends: BTreeSet<String> = rows.map(|row| short(from, &row.end)).collect();
        ends.into_iter().collect::<Vec<_>>().join(" · ")
    };
    let rows: Vec<Vec<String>> = commands
        .iter()
        .map(|on| {
            let cells = table.states.iter().map(|from| cell(on, from));
            std::iter::once(format!("`{on}`")).chain(cells).collect()
        })
        .collect();
    let heading: Vec<&str> = std::iter::once("command").chain(table.states.clone()).collect();
    page::table(&heading, &rows)
}

fn short(from: &str, end: &End) -> String {
    match end {
        End::To { to, .. } if *to == from => "=".to_owned(),
        End::To { to, .. } => (*to).to_owned(),
        End::Refused { reason } => format!("*{reason}*"),
    }
}

/// Everything that can be said in one state: first what is accepted, then what is refused.
fn column(from: &str, rows: &[&Row], samples: usize) -> String {
    let mut accepted = Vec::new();
    let mut refused: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in rows {
        match &row.end {
            End::To { to, events } => accepted.push(vec![
                row.label.to_owned(),
                (*to).to_owned(),
                if events.is_empty() { "nothing".to_owned() } else { code(events) },
                when(row, samples),
            ]),
            End::Refused { reason } => {
                let when = when(row, samples);
                let gap = if when.is_empty() { String::new() } else { format!(" ({when})") };
                refused.entry(reason).or_default().push(format!("{}{gap}", row.label));
            }
        }
    }
    let mut out = format!("\n## From `{from}`\n\n");
    if accepted.is_empty() {
        out.push_str("Nothing is accepted.\n");
    } else {
        out.push_str(&page::table(&["command", "to", "records", "when"], &accepted));
    }
    for (reason, labels) in refused {
        write!(out, "\nRefused `{reason}`: {}.\n", labels.join("; "))
            .expect("a String takes all text");
    }
    out
}

/// In which samples it comes to this; empty when in all.
fn when(row: &Row, samples: usize) -> String {
    if row.always {
        String::new()
    } else if row.samples.len() <= SAMPLES_NAMED_MAX {
        row.samples.join("; ")
    } else {
        format!("{} of {samples} samples", row.samples.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows and pairs of each machine. A change of behaviour shows here and in the pages' diff.
    #[test]
    fn the_tables_have_exactly_these_rows() {
        let size = |table: &Table| (table.machine, table.rows.len(), table.pairs);
        assert_eq!(size(&table::<Call>()), ("call", 487, 1455));
        assert_eq!(size(&table::<Loop>()), ("loop", 360, 384));
    }

    #[test]
    fn the_loop_is_drawn_with_the_names_its_users_know() {
        let graph = edge::draw::kept(kernel::run::Kind::Loop);
        assert_eq!(graph.states, ["created", "running", "paused", "completed", "failed"]);
        let must = [
            ("created", "start", "running"),
            ("running", "pause", "paused"),
            ("paused", "resume", "running"),
            ("running", "leg_ended", "completed"),
            ("running", "leg_ended", "failed"),
            ("running", "stop", "failed"),
            ("failed", "retry", "running"),
            ("failed", "retry", "paused"),
        ];
        for (from, on, to) in must {
            let found = graph.moves.iter().any(|m| (m.from, m.on, m.to) == (from, on, to));
            assert!(found, "{from} + {on} does not lead to {to}");
        }
    }
}
