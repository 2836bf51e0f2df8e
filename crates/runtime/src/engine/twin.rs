//! Ids that differ by case alone: the files of two such loops would be one file on a file system
//! that does not tell cases apart, so the second is refused. What an id may look like is the
//! machine's to say.

use journal::{Head, Journal};
use kernel::loops;
use kernel::run::{Command, Kind, Refused};

use super::saying::Saying;
use super::step::Engine;

impl<J: Journal> Engine<J> {
    /// The refusal of a loop that is taken in under the id of another one, in other letters. Ids
    /// that the engine makes have a form of their own and meet nobody's.
    pub(super) fn twin(&self, saying: &Saying) -> Option<Refused> {
        let Command::Loop(loops::Command::Import(_)) = &saying.command else { return None };
        let other = |id: &str| id != saying.run && id.eq_ignore_ascii_case(&saying.run);
        let recorded = |head: &Head| head.machine == Kind::Loop.name() && other(&head.run);
        let heads = self.journal.heads().unwrap_or_default();
        let known = heads.into_iter().find(recorded).map(|head| head.run);
        // One of the same batch is not recorded yet.
        let id = known.or_else(|| self.runs.keys().find(|id| other(id)).cloned())?;
        let details = serde_json::json!({ "id": id });
        Some(Refused {
            machine: Kind::Loop.name(),
            reason: "id_taken",
            allowed: Vec::new(),
            details,
        })
    }
}
