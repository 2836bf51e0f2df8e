//! What must hold for every text: it is drawn as it was read, only its tasks are tasks, and an edit
//! changes its own span.

use kernel::packages::archive::{self, Ended};
use kernel::packages::proposal::Proposal;
use kernel::packages::tasks::Tasks;
use kernel::packages::{Mark, Status, Text, Tongue, XMeans};

use super::made::{Made, make};
use crate::dice::Dice;

/// What a seed's text had, so that a proof over many can tell that it proved something.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// Tasks in the text.
    pub tasks: usize,
    /// Whether a mark was changed.
    pub marked: bool,
}

/// Whether everything holds for the text of a seed.
///
/// # Errors
/// What does not.
pub fn holds(seed: u64) -> Result<Told, String> {
    let made = make(seed);
    let text = Text::read(made.text.as_bytes()).map_err(|why| why.to_string())?;
    same(&text.render(), &made.text, "drawn as it was read")?;
    let tasks = Tasks::read(text.clone(), XMeans::Ask);
    same(&tasks.text().render(), &made.text, "a task list is drawn as it was read")?;
    let proposal = Proposal::read(text);
    same(&proposal.text().render(), &made.text, "a proposal is drawn as it was read")?;
    let found: Vec<&str> = tasks.tasks.iter().map(|task| task.id.as_str()).collect();
    let wanted: Vec<&str> = made.tasks.iter().map(|task| task.id.as_str()).collect();
    if found != wanted {
        return Err(format!("tasks {found:?} instead of {wanted:?} in {:?}", made.text));
    }
    let marked = marks(seed, &made, &tasks)?;
    finishes(&tasks)?;
    Ok(Told { tasks: made.tasks.len(), marked })
}

fn same(found: &str, wanted: &str, what: &str) -> Result<(), String> {
    if found == wanted {
        return Ok(());
    }
    Err(format!("{what}: {found:?} instead of {wanted:?}"))
}

/// One mark is changed, and a note added: no other byte differs.
fn marks(seed: u64, made: &Made, tasks: &Tasks) -> Result<bool, String> {
    if made.tasks.is_empty() {
        return Ok(false);
    }
    let mut dice = Dice::new(!seed);
    let task = dice.one_of(&made.tasks);
    let status = *dice.one_of(&Status::ALL);
    let mut edited = tasks.clone();
    let kept = tasks.task(&task.id).is_some_and(|it| it.mark == Mark::Own(status));
    if !edited.set_status(&task.id, status) {
        return Err(format!("no task {}", task.id));
    }
    let mut wanted = made.text.clone();
    if !kept {
        wanted.replace_range(task.at..task.at + task.mark.len(), status.mark());
    }
    same(&edited.text().render(), &wanted, "only the mark differs")?;
    let note = "seen once";
    edited.add_note(&task.id, note, Tongue::En);
    let noted = edited.text().render();
    let line = format!("  > Note: {note}");
    let at = noted.find(&line).ok_or_else(|| format!("no note in {noted:?}"))?;
    let before = noted.get(..at).unwrap_or_default();
    let after = noted.get(at + line.len()..).unwrap_or_default();
    let whole = wanted.starts_with(before.trim_end_matches(['\r', '\n']))
        && wanted.ends_with(after.trim_start_matches(['\r', '\n']))
        && noted.len() <= wanted.len() + line.len() + 2;
    if whole { Ok(!kept) } else { Err(format!("{noted:?} from {wanted:?}")) }
}

/// Finishing twice is finishing once, and all tasks stay.
fn finishes(tasks: &Tasks) -> Result<(), String> {
    let mut once = tasks.clone();
    archive::finish(&mut once, Ended::Partial, "2026-01-22 10:30", Tongue::Zh);
    let mut twice = once.clone();
    archive::finish(&mut twice, Ended::Partial, "2026-01-22 10:30", Tongue::Zh);
    same(&twice.text().render(), &once.text().render(), "finished once")?;
    let marks = |tasks: &Tasks| -> Vec<String> {
        tasks.tasks.iter().map(|task| format!("{} {}", task.id, task.between)).collect()
    };
    if marks(tasks) == marks(&once) { Ok(()) } else { Err("a task was lost".to_owned()) }
}
