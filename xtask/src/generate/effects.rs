//! What the world can owe: the list of effects, and which state owes what, found by asking `owed`
//! of every state that a walk from the samples reaches.

use std::collections::{BTreeMap, BTreeSet};

use kernel::call::Call;
use kernel::collab::Collab;
use kernel::lifecycle::Lifecycle;
use kernel::loops::Loop;
use kernel::owed::{ChildAsk, Effect, Owed, Posture};
use kernel::session::Session;
use kernel::table::Shown;
use kernel::turn::{Act, Ask, Turn};
use kernel::walk::walk;

use super::page::{self, DRAWN, Page};

/// The page of owed effects.
pub fn pages() -> Vec<Page> {
    let mut out = format!(
        "# Owed effects\n\n{DRAWN}\n\nEffects hang on states. After every recorded fact the engine \
         compares what a state owes with what is in flight, starts the difference and stops the \
         rest; a crash, a cancel and a resume are the same comparison. A slot below the run id is \
         the key of what is owed and is never used twice; `{{n}}` stands for a number.\n\n"
    );
    let rows: Vec<Vec<String>> = effects()
        .iter()
        .map(|effect| {
            let (name, what) = told(effect);
            vec![format!("`{name}`"), what.to_owned()]
        })
        .collect();
    out.push_str("## What the hands can be asked to do\n\n");
    out.push_str(&page::table(&["effect", "what it does"], &rows));
    for (machine, rows) in [
        (Call::name(), of::<Call>()),
        (Loop::name(), of::<Loop>()),
        (Collab::name(), of::<Collab>()),
        (Turn::name(), of::<Turn>()),
        (Lifecycle::name(), of::<Lifecycle>()),
        (Session::name(), of::<Session>()),
    ] {
        out.push_str(&format!("\n## Owed by `{machine}`\n\n"));
        out.push_str(&page::table(&["state", "owes", "slot", "what"], &rows));
    }
    vec![Page::new("effects.md", out)]
}

/// A machine's name, said of the machine itself.
trait Named: Shown {
    fn name() -> &'static str {
        Self::NAME
    }
}

impl<M: Shown> Named for M {}

/// One of each effect; `told` fails to compile when one is added and not told.
fn effects() -> [Effect; 10] {
    let (attempt, epoch, n) = (1, 1, 1);
    [
        Effect::Prepare { attempt },
        Effect::Act { attempt, epoch },
        Effect::Kill { attempt, epoch },
        Effect::Probe { attempt, epoch, n },
        Effect::Seal,
        Effect::Gate,
        Effect::RemoveViews,
        Effect::Turn(Act::Intake),
        Effect::Lifecycle(kernel::lifecycle::Act::Digest),
        Effect::Session(Box::new(kernel::session::Act::Kb)),
    ]
}

fn told(effect: &Effect) -> (&'static str, &'static str) {
    match effect {
        Effect::Prepare { .. } => ("Prepare", "gets a call ready; writes only below `.loop/`"),
        Effect::Act { .. } => ("Act", "lets a prepared call act, or finds out what became of it"),
        Effect::Kill { .. } => ("Kill", "stops a started call's process tree"),
        Effect::Probe { .. } => ("Probe", "looks at what is left of a lost call; reads only"),
        Effect::Seal => ("Seal", "reads the digest of the work tree"),
        Effect::Gate => ("Gate", "looks whether a collab can start; reads only"),
        Effect::RemoveViews => ("RemoveViews", "removes the view files of a deleted run"),
        Effect::Turn(_) => ("Turn", "looks at a turn's words, context or plan file, or sums it up"),
        Effect::Lifecycle(_) => {
            ("Lifecycle", "reads a plan's document or the tree, or writes a lifecycle's record")
        }
        Effect::Session(_) => (
            "Session",
            "looks at files, packages, checks or checkpoints, or writes a flow's report",
        ),
    }
}

/// What a session's child is for.
fn for_session(ask: &kernel::session::Ask) -> &'static str {
    match ask {
        kernel::session::Ask::Package(_) => "call `package`: knowledge base or packages",
        kernel::session::Ask::Create { .. } => "call `package`: the package of a draft",
        kernel::session::Ask::Changelog { .. } => "call `package`: an entry of the CHANGELOG",
        kernel::session::Ask::Adopt { .. } => "call `package`: marks of others become ours",
        kernel::session::Ask::RolledBack { .. } => "call `package`: what a rollback took back",
        kernel::session::Ask::Mark { .. } => "call `package`: the marks of a package's tasks",
        kernel::session::Ask::Archive { .. } => "call `package`: the archive of a package",
        kernel::session::Ask::Sync => "call `package`: the counters of the knowledge base",
        kernel::session::Ask::Commit { .. } => "call `git_commit` of exactly what was shown",
        kernel::session::Ask::Rollback { .. } => "call `rollback` of exactly what was shown",
        kernel::session::Ask::Several { .. } => "several agents answer one question",
        kernel::session::Ask::Develop => "the driver of DEVELOP",
    }
}

/// What a turn's child is for.
fn asked(ask: &Ask) -> &'static str {
    match ask {
        Ask::Planner { .. } => "an agent plans",
        Ask::Tool { .. } => "a tool of a step",
        Ask::Agent { .. } => "an agent works at a step",
        Ask::Collab { .. } => "several agents work at a step",
        Ask::Check { .. } => "a command checks",
        Ask::Checkpoint => "the tree is kept",
        Ask::Undo { .. } => "a call is taken back",
        Ask::Answer { .. } => "an agent answers",
        Ask::Commit => "the change is committed",
    }
}

/// State, kind, slot and detail of everything owed, in the order of the samples.
fn of<M: Shown>() -> Vec<Vec<String>> {
    let mut columns = Vec::new();
    let mut owed: BTreeMap<&str, BTreeSet<[String; 3]>> = BTreeMap::new();
    let samples = M::states().into_iter().map(|(_, state)| state);
    for state in samples.chain(walk::<M>()) {
        let column = M::column(&state);
        if !columns.contains(&column) {
            columns.push(column);
        }
        owed.entry(column).or_default().extend(M::owed(&state).iter().map(line));
    }
    columns
        .into_iter()
        .flat_map(|column| {
            let lines = owed.remove(column).unwrap_or_default();
            lines.into_iter().map(move |[kind, slot, what]| {
                vec![format!("`{column}`"), kind, format!("`{slot}`"), what]
            })
        })
        .collect()
}

fn line(owed: &Owed) -> [String; 3] {
    let (kind, slot, what) = match owed {
        Owed::Child { slot, ask: ChildAsk::Call(request), posture, .. } => {
            let may = match posture {
                Posture::Run => "may go on",
                Posture::Hold => "may only finish what it has started",
            };
            ("child", slot, format!("call `{}`, {may}", request.name))
        }
        Owed::Child { slot, ask: ChildAsk::Turn(ask), .. } => {
            ("child", slot, asked(ask).to_owned())
        }
        Owed::Child { slot, ask: ChildAsk::NewTurn(_), .. } => ("child", slot, "a turn".to_owned()),
        Owed::Child { slot, ask: ChildAsk::Session(ask), .. } => {
            ("child", slot, for_session(ask).to_owned())
        }
        Owed::Child { slot, ask: ChildAsk::TakeBack { .. }, .. } => {
            ("child", slot, "call `undo` of what a run changed last".to_owned())
        }
        Owed::Timer { slot, .. } => ("timer", slot, "fires once".to_owned()),
        Owed::Question { slot, question } => {
            ("question", slot, format!("`{}`: {}", question.kind, question.options.join(", ")))
        }
        Owed::Effect { slot, effect } => ("effect", slot, format!("`{}`", told(effect).0)),
    };
    [kind.to_owned(), pattern(slot), what]
}

/// A slot with every number as `{n}`.
fn pattern(slot: &str) -> String {
    let mut out = String::new();
    for c in slot.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with("{n}") {
            out.push_str("{n}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_slot_are_one_pattern() {
        for (slot, expected) in
            [("a12/c3", "a{n}/c{n}"), ("ask", "ask"), ("prepare/1", "prepare/{n}")]
        {
            assert_eq!(pattern(slot), expected);
        }
    }

    #[test]
    fn every_effect_is_owed_by_some_state() {
        let text = &pages()[0].text;
        for effect in effects() {
            let name = format!("`{}`", told(&effect).0);
            assert!(text.matches(&name).count() > 1, "{name} is owed by no state");
        }
    }
}
