//! The tools of an agent's own call: what it asks for goes to its turn, and what comes of it back
//! to the agent. Only the agent of a step at work has any; whether the call may be made is the
//! turn's to say.

use std::path::Path;
use std::time::{Duration, Instant};

use journal::{Journal as _, Reader, Sqlite};
use kernel::agent::Tools;
use kernel::call::{self, Done, Outcome};
use kernel::machine::By;
use kernel::run::{Command, Kind, State};
use kernel::turn;
use runtime::engine::fold;
use runtime::shim::{durable, files};
use runtime::trace;
use runtime::turns::{Counter, inner};
use serde_json::{Value, json};

use super::answers::{collect, refused};
use super::serve::Shop;
use super::wire::{Reply, ToolForm};
use super::{hear, scrub};
use crate::calls;

/// How long one answer waits for a call: less than a client waits for an answer.
const WAIT: Duration = Duration::from_secs(20);
/// Between two looks at a turn that stays as it is.
const LOOK_EVERY: Duration = Duration::from_millis(200);

impl Shop {
    /// Asks for a call. What comes of it is heard by its key, so that an engine which goes away in
    /// between loses nothing.
    pub(super) fn to_inner(
        &self,
        by: &By,
        trace: &str,
        form: &ToolForm,
        known: Option<u32>,
    ) -> Option<Reply> {
        let Some(turn) = self.turn_of(by) else {
            if let Some(seen) = self.tried_out(by, form) {
                return Some(seen);
            }
            let details = json!({ "path": "/by", "expected": "the agent of the step" });
            return Some(Reply::Refused(hear::invalid("turn.bad_request", details)));
        };
        if let Some(seen) = self.looked(form) {
            return Some(seen);
        }
        if let Some(key) = known.and_then(|known| self.taken_since(&turn, known)) {
            return Some(Reply::Told(json!({ "pending": key })));
        }
        self.asked_in(by, &turn, trace, form)
    }

    /// The same in a turn that is named: of an agent only in its own.
    pub(super) fn to_inner_of(
        &self,
        by: &By,
        turn: &str,
        trace: &str,
        form: &ToolForm,
    ) -> Option<Reply> {
        let foreign = matches!(by, By::Agent { .. }) && self.turn_of(by).as_deref() != Some(turn);
        if foreign {
            return Some(refused("turn.needs_person", turn));
        }
        self.asked_in(by, turn, trace, form)
    }

    fn asked_in(&self, by: &By, turn: &str, trace: &str, form: &ToolForm) -> Option<Reply> {
        if let Some(argv) = form.args.get("argv").and_then(Value::as_array) {
            for word in argv.iter().filter_map(Value::as_str) {
                if let Err(refusal) = scrub::runnable(word.to_owned(), &self.plan.redactor) {
                    return Some(Reply::Refused(refusal));
                }
            }
        }
        let standing = self.plan.judge.standing();
        let (loop_dir, extra) = (&*self.plan.loop_dir, &self.plan.extra);
        let counter = Counter { loop_dir, standing: &standing, extra, limits: self.plan.limits };
        let args = self.ticketed(turn, form);
        let asked = match inner(&form.name, &args, counter) {
            Ok(asked) => asked,
            Err(why) => {
                let kind = runtime::io_kind(&why).unwrap_or("interrupted");
                let details = json!({ "kind": kind, "path": ".loop/cache/args" });
                return Some(Reply::Refused(hear::invalid("E_IO", details)));
            }
        };
        let command = Command::Turn(turn::Command::ToolCallRequest(Box::new(asked)));
        let answer = self.handle.say(by.clone(), turn, trace, command).ok()?;
        let Ok(taken) = &answer else { return Some(collect(vec![answer], trace)) };
        if !taken.facts.contains(&"CallAsked") {
            return Some(Reply::Told(json!({ "ok": false, "denied": true, "facts": taken.facts })));
        }
        let key = self.last_inner(turn)?;
        Some(Reply::Told(json!({ "pending": key })))
    }

    /// Waits for a call that was asked for.
    pub(super) fn to_heard(&self, by: &By, key: &str) -> Reply {
        let own = match by {
            By::Agent { .. } => self.turn_of(by),
            // Who may read everything may hear of every call.
            By::Person | By::Guest | By::Parent { .. } | By::File | By::Timer | By::Engine => {
                key.split_once('/').map(|(turn, _)| turn.to_owned())
            }
        };
        match own.filter(|turn| key.starts_with(&format!("{turn}/"))) {
            Some(turn) => Reply::Told(self.heard(&turn, key)),
            None => Reply::Refused(hear::invalid("turn.bad_request", json!({ "path": "/key" }))),
        }
    }

    pub(super) fn reader(&self) -> Option<Reader> {
        Sqlite::open_reader(&self.plan.journal_dir).ok()
    }

    /// What the agent of a call that was given our tools outside a turn looks at: that its word
    /// came is kept beside the call, for whoever asked whether it would.
    fn tried_out(&self, by: &By, form: &ToolForm) -> Option<Reply> {
        let By::Agent { call } = by else { return None };
        let State::Call(state) = self.state(call)? else { return None };
        let given = state.facts()?.request.agent.as_ref()?.tools == Tools::Ours;
        let seen = self.looked(form).filter(|_| given)?;
        let dir = self.plan.loop_dir.join("calls").join(call);
        durable::show(&dir, files::TOOL_CALLED, form.name.as_bytes()).ok()?;
        Some(seen)
    }

    /// The turn that an agent works for.
    fn turn_of(&self, by: &By) -> Option<String> {
        let By::Agent { call } = by else { return None };
        let journal = self.reader()?;
        let turn = journal.head(call).ok()??.parent?;
        let head = journal.head(&turn).ok()??;
        (head.machine == Kind::Turn.name()).then_some(turn)
    }

    /// The key of a call that was taken after the one that its agent knows of.
    fn taken_since(&self, id: &str, known: u32) -> Option<String> {
        let State::Turn(state) = self.state(id)? else { return None };
        let at = state.life()?.position()?;
        (at.last > known.max(at.n)).then(|| self.last_inner(id)).flatten()
    }

    /// The key of the call that was asked for last.
    fn last_inner(&self, id: &str) -> Option<String> {
        let State::Turn(state) = self.state(id)? else { return None };
        let at = state.life()?.position()?;
        Some(format!("{id}/step/{}/{}/{}", at.step, at.attempt, at.last))
    }

    /// What came of a call, as far as that is known in time.
    fn heard(&self, turn: &str, key: &str) -> Value {
        let over = Instant::now() + WAIT;
        loop {
            let Some(journal) = self.reader() else { return gone() };
            let Ok(Some(head)) = journal.head(turn) else { return gone() };
            match self.ended(&journal, key) {
                Some(told) => return told,
                None if head.ended || !self.waits(turn, key) => return gone(),
                None if Instant::now() >= over => return json!({ "pending": key }),
                None => {}
            }
            // One that is told of nothing new in time looks again.
            let _ = self.handle.news(turn, head.seq, LOOK_EVERY);
        }
    }

    /// Whether the turn still has that call.
    fn waits(&self, id: &str, key: &str) -> bool {
        let Some(State::Turn(state)) = self.state(id) else { return false };
        let at = state.life().and_then(|life| life.position().cloned());
        at.is_some_and(|at| {
            let own = |n: u32| format!("{id}/step/{}/{}/{n}", at.step, at.attempt);
            at.inner.iter().any(|inner| own(inner.n) == key)
        })
    }

    fn ended(&self, journal: &Reader, key: &str) -> Option<Value> {
        let id = journal.find_key(key).ok()??;
        let head = journal.head(&id).ok()??;
        let State::Call(state) = fold(journal, &head, None).ok()?.state else { return None };
        let told = match &state {
            call::State::Denied { .. } => json!({ "ok": false, "denied": true }),
            call::State::Settled { outcome, exit, facts, .. } => {
                let dir = self.plan.loop_dir.join("calls").join(&id);
                let given = facts.request.given.as_deref();
                let said = |exit: &call::Exit| self.said(&dir, exit, given);
                let mut told = exit.as_ref().map_or(Value::Null, said);
                if told.is_null() {
                    told = json!({});
                }
                told["ok"] = json!(*outcome == Outcome::Ok);
                if let Outcome::Failed(failure) = outcome {
                    told["error"] = json!(failure);
                }
                told
            }
            call::State::New
            | call::State::Asked { .. }
            | call::State::Allowed { .. }
            | call::State::Started { .. }
            | call::State::Unknown { .. }
            | call::State::Undoing { .. }
            | call::State::Undone { .. } => return None,
        };
        Some(told)
    }

    /// What a tool gave, or a command said, as every door tells it.
    fn said(&self, dir: &Path, exit: &call::Exit, given: Option<&call::Given>) -> Value {
        let redactor = &self.plan.redactor;
        match exit.done.as_deref() {
            Some(Done::Payload(kept)) => {
                let payload = calls::of_file(dir, kept, self.plan.limits.payload_bytes);
                json!({ "payload": trace::redacted(&payload, redactor) })
            }
            Some(Done::Failed { details, .. }) => json!({ "details": details }),
            None => json!({ "payload": calls::of_command(dir, exit, given, redactor).ok() }),
        }
    }
}

/// The step is over, or nobody said yes.
fn gone() -> Value {
    json!({ "ok": false, "denied": true })
}
