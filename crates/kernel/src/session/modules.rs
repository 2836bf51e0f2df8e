//! The modules that units and stages go by: embedded, each with the digest of its words, so that a
//! log shows by which words something was done.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::event::Module;
use super::job;
use super::stage::Name as StageName;
use super::state::{Origin, What};
use crate::hash::sha256_hex;

/// Every module of this build with its words.
pub const ALL: &[(&str, &str)] = &[
    ("evaluate", "Score what was said by the rubric. Ask about facts of the user's side only."),
    ("analyze", "Read the project; change nothing. Say what it is, and what the change touches."),
    ("design", "Make one plan of tasks that can each be verified. Name files and decisions."),
    ("develop", "Do the tasks in the order of their dependencies; done is what was verified."),
    ("tweak", "Change one place within the limit. Outgrowing it is said, not hidden."),
    ("package", "A package is proposal.md and tasks.md; marks follow from verdicts."),
    ("knowledge", "The knowledge base follows the code; nothing of it is deleted."),
    ("scaling", "A large project is read in parts, the parts that matter first."),
    ("templates", "Documents follow the embedded templates in the language of the unit."),
    ("tools", "Tools keep their own states; what they print is shown as it is."),
    ("auto", "EVALUATE, then silently to the end unless a stop is met."),
    ("plan", "EVALUATE, then silently to a package; never DEVELOP."),
    ("exec", "DEVELOP of a package that is there."),
    ("init", "Make the knowledge base, or fill what is missing."),
    ("upgrade", "Move an old layout: plan, question, verified backup, moves, report."),
    ("clean", "Archive what lies in plan/ and nobody holds."),
    ("test", "Run the project's tests and show what they say."),
    ("commit", "Commit exactly what is shown."),
    ("review", "Read the code for quality, security and performance; change nothing."),
    ("validate", "Check knowledge base and packages; change nothing."),
    ("rollback", "Bring the tree back to a checkpoint; the branch is not moved."),
];

/// The words of a module.
#[must_use]
pub fn words(name: &str) -> &'static str {
    ALL.iter().find(|(known, _)| *known == name).map_or("", |(_, words)| words)
}

fn loaded(names: &[&str]) -> Vec<Module> {
    let module = |name: &&str| Module {
        name: name.to_string(),
        sha256: sha256_hex(words(name).as_bytes()),
        source: "embedded".to_string(),
    };
    names.iter().map(module).collect()
}

/// The modules of a stage.
pub(super) fn of_stage(name: StageName) -> Vec<Module> {
    loaded(match name {
        StageName::Evaluate => &["evaluate"],
        StageName::Analyze => &["analyze", "knowledge", "scaling"],
        StageName::Tweak => &["tweak", "package", "knowledge"],
        StageName::Design => &["design", "package", "scaling", "knowledge", "templates", "tools"],
        StageName::Develop => &["develop", "package", "knowledge", "tools"],
    })
}

/// The modules of a unit.
pub(super) fn of_unit(what: &What) -> Vec<Module> {
    loaded(match what {
        What::Flow { origin: Origin::Auto, .. } => &["auto", "evaluate"],
        What::Flow { origin: Origin::Plan, .. } => &["plan", "evaluate"],
        What::Flow { origin: Origin::Exec, .. } => {
            &["exec", "develop", "package", "knowledge", "tools"]
        }
        What::Flow { origin: Origin::Words, .. } => &["evaluate"],
        What::Job { kind, .. } => return of_job(*kind),
    })
}

/// The modules of a job.
pub(super) fn of_job(kind: job::Kind) -> Vec<Module> {
    loaded(&[kind.name().word()])
}
