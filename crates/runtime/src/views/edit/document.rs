//! An edit of `{id}.json`: the seed's document, field by field. Each field has one owner; what an
//! author may not change is refused with the command that does it, and the rest is taken in.

use serde_json::Value;

use super::super::notice::{Owner, Reason};
use super::alike::{Moved, Sides};
use super::scratch::Scratch;
use super::skill;
use super::told::{Outcome, Told, Wish};

/// Decides an edit against what its author started from and what is now.
pub(in super::super) fn document(
    base: &Value,
    edit: &Value,
    now: &Value,
    scratch: &mut Scratch,
) -> Outcome {
    let sides = Sides { base, edit, now };
    let mut outcome = Outcome::default();
    if !edit.is_object() {
        return Outcome::whole("$", Reason::Invalid, Owner::Control);
    }
    let move_asked = status(sides.at("status"), scratch, &mut outcome);
    for key in sides.keys() {
        control(sides.at(key), key, scratch.id(), &mut outcome);
    }
    let mut told = Told::new(edit["ext"]["rev"].as_u64());
    skill::skill_state(sides.at("skill_state"), scratch, &mut told, &mut outcome);
    if move_asked == Some(Asked::Start) {
        outcome.wishes.push(Wish::StartExternal);
    }
    outcome.wishes.append(&mut told.wishes());
    if move_asked == Some(Asked::Complete) {
        complete(scratch, &mut outcome);
    }
    if outcome.wishes.is_empty() {
        computed(sides, &mut outcome);
    }
    outcome
}

/// A status move that a file may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Start,
    Complete,
}

fn status(sides: Sides<'_>, scratch: &mut Scratch, outcome: &mut Outcome) -> Option<Asked> {
    let moved = sides.moved();
    let (now, edit) = (sides.now.as_str().unwrap_or(""), sides.edit.as_str().unwrap_or(""));
    let refused = match (moved, now, edit) {
        (Moved::Same, _, _) => return None,
        (Moved::Both, _, _) | (Moved::Changed, "paused" | "failed" | "completed", _) => {
            Reason::Conflict
        }
        (Moved::Changed, "created", "running") => match scratch.start_external() {
            Ok(()) => return Some(Asked::Start),
            Err(reason) => reason,
        },
        (Moved::Changed, "running", "completed") => return Some(Asked::Complete),
        (Moved::Changed, _, "created" | "running" | "paused" | "completed" | "failed") => {
            Reason::Owned
        }
        (Moved::Changed, _, _) => Reason::Invalid,
    };
    let command = status_command(scratch.id(), now, edit);
    outcome.refuse("status", refused, Owner::Control, command);
    None
}

/// The command that makes a status move.
fn status_command(id: &str, now: &str, edit: &str) -> String {
    let verb = match (now, edit) {
        ("created", "running") => "start",
        ("failed", "running") => "retry",
        ("completed", "running") => "reopen",
        (_, "running") => "resume",
        (_, "paused") => "pause",
        (_, "failed") => "stop",
        (_, "completed") => "complete",
        (_, _) => "show",
    };
    format!("loopwright loop {verb} {id}")
}

fn complete(scratch: &mut Scratch, outcome: &mut Outcome) {
    let command = kernel::loops::Command::Complete { force: None };
    match scratch.say(command) {
        Ok(()) => outcome.wishes.push(Wish::Complete),
        Err(reason) => {
            let command = format!("loopwright loop complete {}", scratch.id());
            outcome.refuse("status", reason, Owner::Control, command);
        }
    }
}

/// Fields of the control side, and fields that nobody knows.
fn control(sides: Sides<'_>, key: &str, id: &str, outcome: &mut Outcome) {
    let command = match key {
        "status" | "skill_state" | "current_iteration" | "updated_at" | "completed_at" => return,
        "title" | "description" => format!("loopwright loop edit {id} --{key} TEXT"),
        "max_iterations" => format!("loopwright loop edit {id} --max-iterations N"),
        "failure_reason" => format!("loopwright loop stop {id} --why TEXT"),
        "tags" => format!("loopwright loop edit {id} --tag TAG"),
        "priority" => format!("loopwright loop edit {id} --priority low|medium|high"),
        "notes" => format!("loopwright loop edit {id} --notes TEXT"),
        "loop_id" | "created_at" => String::new(),
        unknown => {
            if sides.moved() != Moved::Same {
                outcome.refuse(unknown, Reason::Invalid, Owner::Control, String::new());
            }
            return;
        }
    };
    match sides.moved() {
        Moved::Same => {}
        Moved::Changed => outcome.refuse(key, Reason::Owned, Owner::Control, command),
        Moved::Both => outcome.refuse(key, Reason::Conflict, Owner::Control, command),
    }
}

/// Fields the engine computes are passed over beside something that was taken in.
fn computed(sides: Sides<'_>, outcome: &mut Outcome) {
    for key in ["current_iteration", "updated_at", "completed_at"] {
        if sides.at(key).moved() != Moved::Same {
            outcome.refuse(key, Reason::Owned, Owner::Engine, String::new());
        }
    }
}
