//! A loop's records as live objects: what programs that follow a loop are told of each. It reads
//! what was recorded and decides nothing; how often they are told is the stream's business.

use std::collections::BTreeMap;

use journal::{Head, Record};
use kernel::loops::{Event, Life, view};
use kernel::machine::At;
use kernel::run::{Event as AnyEvent, Kind, State};
use runtime::query::{self, Folded, Refusal};
use serde_json::{Value, json};

use super::read;

/// What the child of a leg came to: its exit code, and the beginning of what it printed.
pub type StepEnd = (Option<i32>, String);

/// One loop, followed record by record.
pub struct Lens {
    folded: Folded,
    /// The moments at which legs began, by their step ids, with their children.
    began: BTreeMap<String, (u64, String)>,
}

/// What one record shows.
pub struct Seen {
    /// Objects that everybody is told.
    pub objects: Vec<Value>,
    /// How the loop stands now; none once it is deleted.
    pub state: Option<Value>,
    /// Whether its status is another one now.
    pub status_changed: bool,
}

impl Lens {
    /// A loop before its first record.
    ///
    /// # Errors
    /// A machine that this build does not know.
    pub fn new(head: &Head) -> Result<Self, Refusal> {
        Ok(Self { folded: query::unborn(head)?, began: BTreeMap::new() })
    }

    fn life(&self) -> Option<&Life> {
        match &self.folded.state {
            State::Loop(state) => state.life(),
            State::Call(_)
            | State::Collab(_)
            | State::Grant(_)
            | State::Turn(_)
            | State::Lifecycle(_)
            | State::Session(_) => None,
        }
    }

    /// Takes a record in without telling anybody.
    ///
    /// # Errors
    /// A record that cannot be read.
    pub fn pass(&mut self, record: &Record) -> Result<(), Refusal> {
        if let Some(Event::LegBegan { n, leg, child, .. }) = event(record) {
            let step = format!("a{n}/{}", leg.word());
            self.began.insert(step, (record.at_ms, child));
        }
        query::step(&mut self.folded, record)
    }

    /// Takes a record in and says what it shows.
    ///
    /// # Errors
    /// A record that cannot be read.
    pub fn see(
        &mut self,
        record: &Record,
        end_of: &dyn Fn(&str) -> StepEnd,
    ) -> Result<Seen, Refusal> {
        let status = self.life().map(|life| life.phase.status());
        let before = self.life().map(read::tasks).unwrap_or_default();
        self.pass(record)?;
        let life = self.life();
        let mut objects = Vec::new();
        let id = record.run.as_str();
        if let Some(event) = event(record) {
            objects.extend(self.told(&event, record, end_of));
        }
        if let Some(life) = life {
            objects.extend(task_objects(id, &before, &read::tasks(life)));
        }
        let now = life.map(|life| life.phase.status());
        let state = life.map(|life| state_update(life, record.at_ms));
        Ok(Seen { objects, state, status_changed: now != status })
    }

    fn told(
        &self,
        event: &Event,
        record: &Record,
        end_of: &dyn Fn(&str) -> StepEnd,
    ) -> Option<Value> {
        let id = &record.run;
        match event {
            Event::LegEnded { n, leg, .. } => {
                let step = format!("a{n}/{}", leg.word());
                let (since, child) = self.began.get(&step).cloned().unwrap_or_default();
                let (exit_code, output) = end_of(&child);
                let took = if since == 0 { 0 } else { record.at_ms.saturating_sub(since) };
                let mut object = json!({
                    "type": "LOOP_STEP_COMPLETED", "loop_id": id, "step_id": step,
                    "duration_ms": took, "output": output,
                });
                if let Some(code) = exit_code {
                    object["exit_code"] = json!(code);
                }
                Some(object)
            }
            Event::LoopCompleted { .. } => Some(self.ended(id, "completed", None)),
            Event::LoopFailed { reason, .. } => Some(self.ended(id, "failed", Some(reason))),
            Event::LoopDeleted => Some(json!({ "type": "LOOP_DELETED", "loop_id": id })),
            // The loop's state and its tasks tell these.
            Event::LoopCreated { .. }
            | Event::LoopImported(_)
            | Event::LoopEdited { .. }
            | Event::TaskAdded { .. }
            | Event::TaskEdited { .. }
            | Event::TaskRemoved { .. }
            | Event::TasksReordered { .. }
            | Event::TaskRequeued { .. }
            | Event::LoopStarted { .. }
            | Event::ModeSet { .. }
            | Event::LoopPaused { .. }
            | Event::PauseCut
            | Event::LoopResumed { .. }
            | Event::LoopRetried
            | Event::LoopReopened
            | Event::LegBegan { .. }
            | Event::LegChosen { .. }
            | Event::ActionChosen { .. }
            | Event::ActionEnded { .. }
            | Event::ActionDropped { .. }
            | Event::MenuOpened { .. }
            | Event::MenuAnswered { .. }
            | Event::ValidationStaled { .. }
            | Event::ValidationAccepted { .. }
            | Event::SkillReported { .. }
            | Event::LeaseTaken { .. }
            | Event::LeaseRenewed { .. }
            | Event::ViewsRemoved => None,
        }
    }

    fn ended(&self, id: &str, status: &str, reason: Option<&String>) -> Value {
        let total = self.life().map_or(0, |life| life.body.iteration);
        let mut object = json!({
            "type": "LOOP_COMPLETED", "loop_id": id, "final_status": status,
            "total_iterations": total,
        });
        if let Some(reason) = reason {
            object["reason"] = json!(reason);
        }
        object
    }

    /// How the loop stands, if it is there.
    #[must_use]
    pub fn state(&self) -> Option<Value> {
        self.life().map(|life| state_update(life, self.folded.updated_ms))
    }
}

/// The fact of a loop's record.
fn event(record: &Record) -> Option<Event> {
    match AnyEvent::from_record(Kind::Loop, &record.body) {
        Ok(AnyEvent::Loop(event)) => Some(event),
        Ok(_) | Err(_) => None,
    }
}

/// How a loop stands, in short.
fn state_update(life: &Life, at_ms: u64) -> Value {
    let document = view::draw(life, 0);
    json!({
        "type": "LOOP_STATE_UPDATE", "loop_id": document["loop_id"], "status": document["status"],
        "updated_at": document["updated_at"], "current_iteration": document["current_iteration"],
        "current_action": document["skill_state"]["current_action"],
        "timestamp": view::rfc3339(At(at_ms)),
    })
}

/// What changed in a list of tasks. Where a task stands in it is told by the order alone.
fn task_objects(id: &str, before: &[Value], after: &[Value]) -> Vec<Value> {
    let key = |task: &Value| task["task_id"].as_str().unwrap_or_default().to_owned();
    let bare = |task: &Value| {
        let mut task = task.clone();
        task["order"] = Value::Null;
        task
    };
    let object = |name: &str, task: &Value| {
        let named = &task["task_id"];
        json!({ "type": name, "loop_id": id, "task_id": named, "task": task })
    };
    let known = |all: &[Value], task: &Value| all.iter().find(|one| key(one) == key(task)).cloned();
    let mut objects = Vec::new();
    for task in after {
        match known(before, task) {
            None => objects.push(object("TASK_ADDED", task)),
            Some(old) if bare(&old) != bare(task) => objects.push(object("TASK_UPDATED", task)),
            Some(_) => {}
        }
    }
    let gone = before.iter().filter(|task| known(after, task).is_none());
    objects.extend(gone.map(|task| object("TASK_DELETED", task)));
    let order = |all: &[Value]| all.iter().map(key).collect::<Vec<_>>();
    let (was, is) = (order(before), order(after));
    let same = was.len() == is.len() && was.iter().all(|id| is.contains(id));
    if same && was != is {
        objects.push(json!({
            "type": "TASK_REORDERED", "loop_id": id, "ordered_task_ids": is, "tasks": after,
        }));
    }
    objects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_tasks_is_told_by_what_changed() {
        let task = |id: &str, order: u32, text: &str| {
            let fields = (id, order, text);
            json!({ "task_id": fields.0, "order": fields.1, "description": fields.2 })
        };
        let (a, b, c) = (task("a", 0, "x"), task("b", 1, "x"), task("c", 2, "x"));
        let table = [
            (vec![], vec![a.clone()], vec!["TASK_ADDED a"]),
            (vec![a.clone(), b.clone()], vec![task("b", 0, "x")], vec!["TASK_DELETED a"]),
            (vec![a.clone()], vec![task("a", 0, "y")], vec!["TASK_UPDATED a"]),
            (
                vec![a.clone(), b.clone()],
                vec![task("b", 0, "x"), task("a", 1, "x")],
                vec!["TASK_REORDERED "],
            ),
            (vec![a.clone(), b.clone(), c.clone()], vec![a, b, c], vec![]),
        ];
        for (before, after, expected) in table {
            let told = task_objects("loop-1", &before, &after);
            let words = |one: &Value| {
                let text = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
                format!("{} {}", text("type"), text("task_id"))
            };
            assert_eq!(told.iter().map(words).collect::<Vec<_>>(), expected);
        }
    }
}
