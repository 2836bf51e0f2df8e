//! What is said to a lifecycle, from the wire to the kernel. An agent may claim and note for the
//! run it works for, and say nothing else; whether the rest is possible is the machine's to decide.
//! What only the engine knows is filled in by it.

use kernel::lifecycle::{
    self, Amendment, Confirm, Dependants, Help, Intervention, PauseHow, RollbackWish, Scope, Word,
};
use kernel::machine::By;
use kernel::run::{Command, State};
use runtime::checkpoints::is_made;
use runtime::engine::Link;
use runtime::form::Unfit;
use runtime::lifecycles::{FormError, Named, start};
use runtime::redact::Redactor;
use serde_json::json;

use super::agents::no_such;
use super::answers::refused;
use super::hear::invalid;
use super::lifecycle_wire::LifecycleSay;
use super::serve::Shop;
use super::turns::below;
use super::wire::{Refusal, Reply};

impl Shop {
    pub(super) fn to_lifecycle(
        &self,
        by: &By,
        (run, link): (&str, Link),
        trace: &str,
        say: LifecycleSay,
    ) -> Option<Reply> {
        let open = matches!(say, LifecycleSay::Update { .. } | LifecycleSay::Note { .. });
        if matches!(by, By::Agent { .. }) && !(open && self.works_for(by, run)) {
            return Some(refused("lifecycle.needs_person", run));
        }
        let heard = scrubbed(say, &self.plan.redactor)
            .and_then(|say| self.lifecycle_command(run, trace, say));
        self.say_linked(by, (run, link), trace, heard.map(Command::Lifecycle))
    }

    fn lifecycle_command(
        &self,
        run: &str,
        trace: &str,
        say: LifecycleSay,
    ) -> Result<lifecycle::Command, Refusal> {
        use lifecycle::Command;
        Ok(match say {
            LifecycleSay::Start { form } => {
                let named = Named { id: run, trace_id: trace };
                let grant = form.grant.as_deref().map(|id| self.lent(id)).transpose()?;
                let begin = start(*form, named, &self.plan.lifecycles).map_err(of_form)?;
                let begin = lifecycle::Begin { grant, ..begin };
                Command::UserInputRequirement { begin: Box::new(begin), busy_with: None }
            }
            LifecycleSay::Confirm { question, hash, scope } => {
                confirmed(below(run, question), hash, scope)
            }
            LifecycleSay::Modify { text } => {
                let digest = kernel::hash::sha256_hex(text.as_bytes());
                Command::UserModify { text, digest }
            }
            LifecycleSay::Amend { patch } => {
                let (findings, programs) = (Vec::new(), Vec::new());
                Command::Amend(Box::new(Amendment { patch: *patch, findings, programs }))
            }
            LifecycleSay::RetryPlan => Command::RetryPlan,
            LifecycleSay::Cancel => Command::UserCancel,
            LifecycleSay::Abort { reason } => Command::UserAbort { reason },
            LifecycleSay::Pause { now } => {
                let how = if now { PauseHow::Now } else { PauseHow::AfterCurrent };
                Command::Pause { how, reason: None }
            }
            LifecycleSay::Resume => Command::Resume,
            LifecycleSay::StopFix => Command::ForceStop,
            LifecycleSay::Fix { text, add_budget, accept_definition } => {
                let help = text.map_or(Help::Fixed, Help::Guidance);
                helped(Intervention { help, add_budget, accept_definition, unsettled: None })
            }
            LifecycleSay::Skip { run_dependants } => Command::SkipTask {
                dependants: if run_dependants { Dependants::Run } else { Dependants::Skip },
            },
            LifecycleSay::Rollback { to, plan_hash, conflicts } => {
                let (intact, busy_with) = (self.is_kept(run, to.as_deref()), None);
                Command::Rollback(RollbackWish { to, plan_hash, conflicts, intact, busy_with })
            }
            LifecycleSay::RollbackConfirm { question, hash, go } => Command::RollbackConfirm {
                question: below(run, question),
                plan_hash: hash,
                word: if go { Word::Go } else { Word::Cancel },
            },
            LifecycleSay::Update { task, status, summary } => {
                Command::UpdateProgress { task, status, summary }
            }
            LifecycleSay::Note { kind, task, text } => Command::Note { kind, task, text },
        })
    }
}

impl Shop {
    /// Whether the checkpoint that a rollback would lead to is there; the last one where none is
    /// named.
    fn is_kept(&self, run: &str, to: Option<&str>) -> bool {
        let last = || {
            let Some(State::Lifecycle(state)) = self.state(run) else { return None };
            state.life()?.phase.work()?.last_checkpoint.clone()
        };
        let name = to.map(str::to_owned).or_else(last);
        name.is_none_or(|name| is_made(&self.plan.lifecycles.loop_dir, &name))
    }

    /// What a person allowed before, as the journal has it.
    fn lent(&self, id: &str) -> Result<lifecycle::Granted, Refusal> {
        let Some(State::Grant(held)) = self.state(id) else {
            return Err(invalid("lifecycle.no_such", json!({ "what": "grant", "id": id })));
        };
        let lent = held.grant().and_then(runtime::lifecycles::lent);
        let expected = "a live grant of a plan document (loopwright grant list)";
        let found = format!("{id}, {}", held.name());
        lent.ok_or_else(|| unfit("grant", &found, expected))
    }
}

fn confirmed(question: String, plan_hash: String, scope: Scope) -> lifecycle::Command {
    let (source_digest, programs) = (None, Vec::new());
    let confirm = Confirm { question, plan_hash, scope, source_digest, programs };
    lifecycle::Command::UserConfirm(confirm)
}

fn helped(given: Intervention) -> lifecycle::Command {
    lifecycle::Command::HumanIntervention(Box::new(given))
}

/// What is said, without secrets. Words that are only read lose them; what would run is refused
/// with one in it.
fn scrubbed(say: LifecycleSay, redactor: &Redactor) -> Result<LifecycleSay, Refusal> {
    let clean = |text: String| redactor.redact_text(&text);
    Ok(match say {
        LifecycleSay::Start { form } => {
            let text = form.text.clone().map(clean);
            LifecycleSay::Start { form: Box::new(lifecycles_form(*form, text)) }
        }
        LifecycleSay::Modify { text } => LifecycleSay::Modify { text: clean(text) },
        LifecycleSay::Amend { patch } => {
            let text = serde_json::to_string(&patch).unwrap_or_default();
            if redactor.redact_text(&text) != text {
                return Err(secret("patch"));
            }
            LifecycleSay::Amend { patch }
        }
        LifecycleSay::Abort { reason } => LifecycleSay::Abort { reason: reason.map(clean) },
        LifecycleSay::Fix { text, add_budget, accept_definition } => {
            LifecycleSay::Fix { text: text.map(clean), add_budget, accept_definition }
        }
        LifecycleSay::Update { task, status, summary } => {
            LifecycleSay::Update { task, status, summary: summary.map(clean) }
        }
        LifecycleSay::Note { kind, task, text } => {
            LifecycleSay::Note { kind, task, text: clean(text) }
        }
        say @ (LifecycleSay::Confirm { .. }
        | LifecycleSay::RetryPlan
        | LifecycleSay::Cancel
        | LifecycleSay::Pause { .. }
        | LifecycleSay::Resume
        | LifecycleSay::StopFix
        | LifecycleSay::Skip { .. }
        | LifecycleSay::Rollback { .. }
        | LifecycleSay::RollbackConfirm { .. }) => say,
    })
}

fn lifecycles_form(
    form: runtime::lifecycles::Form,
    text: Option<String>,
) -> runtime::lifecycles::Form {
    runtime::lifecycles::Form { text, ..form }
}

fn secret(name: &str) -> Refusal {
    let details = json!({
        "field": name, "kind": "secret", "found": "«redacted»",
        "problem": "text without a secret in it; hand secrets over by env.pass",
    });
    invalid("lifecycle.invalid_args", details)
}

fn of_form(why: FormError) -> Refusal {
    match why {
        FormError::Unfit(Unfit::NoSuchAgent { name, known }) => no_such(&name, &known),
        FormError::Unfit(Unfit::Invalid { field, found, expected }) => {
            unfit(field, &found, &expected)
        }
        FormError::Io { path, error } => {
            let kind = runtime::io_kind(&error).unwrap_or("interrupted");
            invalid("E_IO", json!({ "kind": kind, "path": path }))
        }
    }
}

fn unfit(field: &str, found: &str, expected: &str) -> Refusal {
    let problem = format!("{found} ({expected})");
    let details = json!({
        "field": field, "path": format!("/{field}"), "found": found,
        "expected": expected, "problem": problem,
    });
    invalid("lifecycle.invalid_args", details)
}
