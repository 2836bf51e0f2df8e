//! The `skill_state` part of an edit. It belongs to whoever drives: an outside skill may say all of
//! it; while the engine drives, only new or changed pending tasks and new hypotheses.

use kernel::loops::{ActionResult, Change, EndedAction, Kind};
use serde_json::Value;

use super::super::notice::{Owner, Reason};
use super::alike::{Moved, Sides, tail};
use super::scratch::Scratch;
use super::told::{Outcome, Told};
use super::{hypotheses, tasks};

/// What the parts of one edit share.
pub(super) struct Desk<'a> {
    pub scratch: &'a mut Scratch,
    pub told: &'a mut Told,
    pub outcome: &'a mut Outcome,
    pub external: bool,
    /// Numbers that follow from others; they pass beside something that was taken in.
    following: Vec<String>,
}

impl Desk<'_> {
    pub(super) fn refuse(&mut self, path: &str, reason: Reason) {
        let owner = if self.external { Owner::Skill } else { Owner::Engine };
        let command = match reason {
            Reason::EngineDrives => format!("loopwright loop task add {}", self.scratch.id()),
            Reason::Owned
            | Reason::Conflict
            | Reason::Invalid
            | Reason::Secret
            | Reason::NotDrawn
            | Reason::Samples => {
                format!("loopwright loop show {}", self.scratch.id())
            }
        };
        self.outcome.refuse(path, reason, owner, command);
    }

    /// Refuses a change that was tried in vain.
    pub(super) fn tried(&mut self, path: &str, tried: Result<(), Reason>) {
        if let Err(reason) = tried {
            self.refuse(path, reason);
        }
    }

    /// Whether a changed place may be said at all; if not, it is refused here.
    pub(super) fn may_change(&mut self, sides: Sides<'_>, path: &str) -> bool {
        match (sides.moved(), self.external) {
            (Moved::Same, _) => false,
            (Moved::Changed | Moved::Both, false) => {
                self.refuse(path, Reason::EngineDrives);
                false
            }
            (Moved::Both, true) => {
                self.refuse(path, Reason::Conflict);
                false
            }
            (Moved::Changed, true) => true,
        }
    }

    /// A change that says nothing but that its author is at work.
    fn lives(&mut self, path: &str) {
        let alive = self.told.alive(self.scratch);
        self.tried(path, alive);
    }

    /// A field the loop works out by itself: no news, but a sign of life.
    fn follows(&mut self, sides: Sides<'_>, path: String) {
        match (sides.moved(), self.external) {
            (Moved::Same, _) => {}
            (Moved::Changed | Moved::Both, true) => self.lives(&path),
            (Moved::Changed | Moved::Both, false) => self.following.push(path),
        }
    }
}

/// Decides the changes below `skill_state`.
pub(super) fn skill_state(
    sides: Sides<'_>,
    scratch: &mut Scratch,
    told: &mut Told,
    outcome: &mut Outcome,
) {
    if sides.moved() == Moved::Same {
        return;
    }
    let external = scratch.external();
    let mut desk = Desk { scratch, told, outcome, external, following: Vec::new() };
    if !sides.edit.is_object() {
        let reason = if external { Reason::Invalid } else { Reason::EngineDrives };
        return desk.refuse("skill_state", reason);
    }
    for key in sides.keys() {
        let (below, path) = (sides.at(key), format!("skill_state.{key}"));
        match key {
            "develop" => develop(&mut desk, below),
            "debug" => debug(&mut desk, below),
            "validate" => validate(&mut desk, below),
            "current_action" | "last_action" => desk.follows(below, path),
            "completed_actions" | "errors" => {}
            "mode" => mode(&mut desk, below, &path),
            _ if below.moved() == Moved::Same => {}
            _ => desk.refuse(&path, Reason::Invalid),
        }
    }
    ends(&mut desk, sides);
    if !desk.told.says_something() {
        for path in std::mem::take(&mut desk.following) {
            desk.refuse(&path, Reason::EngineDrives);
        }
    }
}

/// The mode is people's to set; a skill that writes its first state may put any.
fn mode(desk: &mut Desk<'_>, sides: Sides<'_>, path: &str) {
    if sides.base.is_null() {
        return desk.follows(sides, path.to_owned());
    }
    if sides.moved() != Moved::Same {
        let command = format!("loopwright loop mode {} auto|interactive", desk.scratch.id());
        desk.outcome.refuse(path, Reason::Owned, Owner::Control, command);
    }
}

fn develop(desk: &mut Desk<'_>, sides: Sides<'_>) {
    for key in sides.keys() {
        let (below, path) = (sides.at(key), format!("skill_state.develop.{key}"));
        match key {
            "tasks" => tasks::tasks(desk, below),
            "total" | "completed" | "current_task" => desk.follows(below, path),
            "last_progress_at" => {}
            _ if below.moved() == Moved::Same => {}
            _ => desk.refuse(&path, Reason::Invalid),
        }
    }
}

fn debug(desk: &mut Desk<'_>, sides: Sides<'_>) {
    for key in sides.keys() {
        let (below, path) = (sides.at(key), format!("skill_state.debug.{key}"));
        match key {
            "hypotheses" => hypotheses::hypotheses(desk, below),
            "hypotheses_count" | "confirmed_hypothesis" | "iteration" => desk.follows(below, path),
            "active_bug" => {
                if desk.may_change(below, &path) {
                    let bug = below.edit.as_str().map(str::to_owned);
                    let tried = desk.told.change(desk.scratch, Change::ActiveBug(bug));
                    desk.tried(&path, tried);
                }
            }
            "last_analysis_at" => {}
            _ if below.moved() == Moved::Same => {}
            _ => desk.refuse(&path, Reason::Invalid),
        }
    }
}

fn validate(desk: &mut Desk<'_>, sides: Sides<'_>) {
    for key in sides.keys() {
        let (below, path) = (sides.at(key), format!("skill_state.validate.{key}"));
        match key {
            "pass_rate" | "coverage" | "test_results" | "failed_tests" => desk.follows(below, path),
            "passed" => {
                if desk.may_change(below, &path) {
                    let claimed = below.edit.as_bool().unwrap_or(false);
                    let tried = desk.told.change(desk.scratch, Change::ClaimedPassed(claimed));
                    desk.tried(&path, tried);
                }
            }
            "last_run_at" => {}
            _ if below.moved() == Moved::Same => {}
            _ => desk.refuse(&path, Reason::Invalid),
        }
    }
}

/// The ends of actions: one per changed stamp, and one per error that has no stamp. A first init
/// has no stamp either; it shows as a completed action.
fn ends(desk: &mut Desk<'_>, sides: Sides<'_>) {
    let mut errors = errors(desk, sides.at("errors"));
    let all = sides.at("completed_actions");
    match tail(all) {
        Some(added) if desk.external => {
            if added.iter().any(|word| kind_named(word) == Some(Kind::Init)) {
                end(desk, Kind::Init, None, String::new(), "skill_state.completed_actions");
            } else if !added.is_empty() {
                desk.lives("skill_state.completed_actions");
            }
        }
        Some(_) => desk.follows(all, "skill_state.completed_actions".into()),
        None => {
            let reason = if desk.external { Reason::Invalid } else { Reason::EngineDrives };
            desk.refuse("skill_state.completed_actions", reason);
        }
    }
    for (kind, part, stamp) in [
        (Kind::Develop, "develop", "last_progress_at"),
        (Kind::Debug, "debug", "last_analysis_at"),
        (Kind::Validate, "validate", "last_run_at"),
    ] {
        let path = format!("skill_state.{part}.{stamp}");
        let place = sides.at(part).at(stamp);
        if !desk.may_change(place, &path) {
            continue;
        }
        if place.edit.is_null() {
            desk.refuse(&path, Reason::Invalid);
            continue;
        }
        let failed = errors.iter().position(|(of, _)| *of == kind).map(|at| errors.remove(at).1);
        end(desk, kind, failed, summary(kind, sides), &path);
    }
    for (kind, message) in errors {
        end(desk, kind, Some(message), String::new(), "skill_state.errors");
    }
}

fn end(desk: &mut Desk<'_>, kind: Kind, failed: Option<String>, summary: String, path: &str) {
    let result = match failed {
        Some(message) => ActionResult::Failed { message },
        None => ActionResult::Ok,
    };
    let tried = desk.told.end(desk.scratch, EndedAction { kind, result, summary });
    desk.tried(path, tried);
}

fn errors(desk: &mut Desk<'_>, sides: Sides<'_>) -> Vec<(Kind, String)> {
    let path = "skill_state.errors";
    let Some(added) = tail(sides) else {
        let reason = if desk.external { Reason::Invalid } else { Reason::EngineDrives };
        desk.refuse(path, reason);
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in added {
        match (desk.external, kind_named(&entry["action"])) {
            (true, Some(kind)) => {
                found.push((kind, entry["message"].as_str().unwrap_or("").to_owned()));
            }
            (true, None) => desk.refuse(path, Reason::Invalid),
            (false, _) => desk.refuse(path, Reason::EngineDrives),
        }
    }
    found
}

/// What the action came to, as facts that people read in the history; the loop keeps no results but
/// its own.
fn summary(kind: Kind, sides: Sides<'_>) -> String {
    let said = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(all) if all.is_empty() => None,
        Value::Array(all) => {
            let texts: Vec<&str> = all.iter().filter_map(Value::as_str).collect();
            Some(texts.join(", "))
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => Some(value.to_string()),
    };
    match kind {
        Kind::Validate => {
            let found = sides.at("validate").edit;
            let names = ["pass_rate", "coverage", "failed_tests"];
            let facts =
                names.iter().filter_map(|name| Some(format!("{name} {}", said(&found[*name])?)));
            facts.collect::<Vec<_>>().join(", ")
        }
        Kind::Develop => said(&sides.at("develop").edit["current_task"]).unwrap_or_default(),
        Kind::Init | Kind::Debug | Kind::Complete => String::new(),
    }
}

/// The action of a word in any of the forms that are in use.
fn kind_named(word: &Value) -> Option<Kind> {
    let word = word.as_str()?.to_ascii_lowercase();
    [Kind::Init, Kind::Develop, Kind::Debug, Kind::Validate, Kind::Complete]
        .into_iter()
        .find(|kind| word == kind.word() || word == kind.action_word())
}
