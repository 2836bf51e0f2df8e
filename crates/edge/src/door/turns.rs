//! What is said to a turn, from the wire to the kernel: forms are made whole and plan files copied
//! here. A process below a shim can say none of it; whether the rest is possible is the machine's
//! to decide.

use kernel::machine::{By, Refusal as _};
use kernel::policy::Verdict;
use kernel::run::{Command, State};
use kernel::session::Asking;
use kernel::turn::{self, Confirm, Judged, Keep, Profile, Reach, Reply as Answer, Start, Word};
use runtime::engine::Link;
use runtime::form::Unfit;
use runtime::plan_file::{self, PlanFileError};
use runtime::turns::{Form, FormError, Named, session_of, start};
use runtime::words::Lang;
use serde_json::json;

use super::agents::{field, no_such};
use super::answers::refused;
use super::hear::invalid;
use super::serve::Shop;
use super::turn_scrub;
use super::wire::{Refusal, Reply, TurnSay, YesNo};

impl Shop {
    pub(super) fn to_turn(
        &self,
        by: &By,
        (run, link): (&str, Link),
        trace: &str,
        say: TurnSay,
    ) -> Option<Reply> {
        if matches!(by, By::Agent { .. }) || !self.may_clarify(by, &say) {
            return Some(refused("turn.needs_person", run));
        }
        let heard = turn_scrub::of_turn(say, &self.plan.redactor)
            .and_then(|say| self.turn_command(run, trace, say));
        self.say_linked(by, (run, link), trace, heard.map(Command::Turn))
    }

    /// Whether a guest may answer: only where the settings let guests answer questions of that
    /// kind.
    fn may_clarify(&self, by: &By, say: &TurnSay) -> bool {
        let guests = matches!(by, By::Guest) && matches!(say, TurnSay::Answer { .. });
        let kinds = &self.plan.units.settings.mcp_may_answer;
        !guests || kinds.iter().any(|kind| kind == Asking::Clarify.word())
    }

    fn turn_command(&self, run: &str, trace: &str, say: TurnSay) -> Result<turn::Command, Refusal> {
        Ok(match say {
            TurnSay::Start { form } => {
                turn::Command::UserMessage(Box::new(self.started(run, trace, *form)?))
            }
            TurnSay::Continue { turn } => {
                turn::Command::UserMessage(Box::new(self.continued(run, trace, &turn)?))
            }
            TurnSay::Answer { question, text } => {
                let reply = text.map_or(Answer::Proceed, Answer::Text);
                turn::Command::ClarificationAnswer { question: below(run, question), reply }
            }
            TurnSay::Confirm { prompt, hash, word, scope, note } => {
                let word = match word {
                    YesNo::Yes => Word::Yes,
                    YesNo::No => Word::No,
                };
                let prompt = below(run, prompt);
                turn::Command::Confirm(Confirm { prompt, hash, word, scope, note })
            }
            TurnSay::Edit { patch } => turn::Command::EditPlan {
                patch,
                judged: Box::new(unjudged()),
                bad_args: Vec::new(),
            },
            TurnSay::Skip { step, reason } => turn::Command::SkipStep { step, reason },
            TurnSay::Pause { now } => {
                turn::Command::Pause { keep: if now { Keep::Now } else { Keep::AfterCurrent } }
            }
            TurnSay::Resume => turn::Command::Resume,
            TurnSay::Cancel => turn::Command::Cancel,
        })
    }

    fn started(&self, run: &str, trace: &str, form: Form) -> Result<Start, Refusal> {
        let lang = form.lang.as_deref().and_then(|tag| Lang::parse(tag).ok());
        let lang = lang.unwrap_or(self.plan.turns.lang);
        if let Some(path) = &form.plan {
            // What is recorded must be what runs, so a secret can't be taken out of it.
            let file =
                plan_file::load(&self.plan.root.join(path)).map_err(|why| bad(&why, lang))?;
            turn_scrub::whole("plan", &file.copy, &self.plan.redactor)?;
        }
        let session_id = session_of(run);
        let named = Named { id: run, trace_id: trace, session_id: &session_id };
        start(form, named, &self.plan.turns).map_err(|why| of_form(why, lang))
    }

    /// A turn like the one it goes on from, with what is so today.
    fn continued(&self, run: &str, trace: &str, old: &str) -> Result<Start, Refusal> {
        let Some(State::Turn(state)) = self.state(old) else {
            return Err(invalid("turn.no_such", json!({ "id": old })));
        };
        turn::continued(&state)
            .map_err(|why| invalid(&format!("turn.{}", why.reason()), why.details()))?;
        let before = &state.life().expect("a turn that can go on has begun").body.start;
        let form = Form { agents: Some(before.agents.clone()), ..Form::default() };
        let today = self.started(run, trace, form)?;
        let before = own(before, &today);
        Ok(Start {
            id: today.id,
            trace_id: today.trace_id,
            parent: None,
            profile: Profile::Person,
            continues: Some(old.to_owned()),
            detected: today.detected,
            agent_step: today.agent_step,
            // It begins now: what was checked out then is not what it would add to.
            head: today.head,
            ..before
        })
    }
}

/// What a person goes on with: what a parent had set of it is that parent's.
fn own(before: &Start, today: &Start) -> Start {
    let before = before.clone();
    match before.profile {
        Profile::Person => before,
        Profile::LifecyclePlan
        | Profile::LifecycleTask
        | Profile::Loop
        | Profile::Tweak
        | Profile::Closing => Start {
            limits: today.limits.clone(),
            git: today.git,
            checkpoints: today.checkpoints,
            covers: Vec::new(),
            ..before
        },
    }
}

/// What the engine looks up: policy is asked when the plan to be judged is known.
fn unjudged() -> Judged {
    Judged {
        verdict: Verdict::Ask { rule: String::new() },
        reach: Reach::default(),
        hash: String::new(),
        definitions: std::collections::BTreeMap::new(),
    }
}

/// The path below the run that an id means; both forms are shown to people.
pub(super) fn below(run: &str, id: String) -> String {
    match id.strip_prefix(run).and_then(|rest| rest.strip_prefix('/')) {
        Some(slot) => slot.to_owned(),
        None => id,
    }
}

fn of_form(why: FormError, lang: Lang) -> Refusal {
    match why {
        FormError::Unfit(Unfit::NoSuchAgent { name, known }) => no_such(&name, &known),
        FormError::Unfit(Unfit::Invalid { field: name, found, expected }) => {
            field("turn.invalid_args", name, &found, &expected)
        }
        FormError::Plan(why) => bad(&why, lang),
        FormError::Io(why) => {
            let kind = runtime::io_kind(&why).unwrap_or("interrupted");
            invalid("E_IO", json!({ "kind": kind, "path": ".loop/cache" }))
        }
    }
}

fn bad(why: &PlanFileError, lang: Lang) -> Refusal {
    invalid("E_INVALID_ARGS", why.details(lang))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_meant_with_and_without_its_run() {
        let table = [
            ("confirm/1", "confirm/1"),
            ("turn-1/confirm/1", "confirm/1"),
            ("turn-12/confirm/1", "turn-12/confirm/1"),
            ("turn-1", "turn-1"),
        ];
        for (id, expected) in table {
            assert_eq!(below("turn-1", id.to_owned()), expected, "{id}");
        }
    }

    /// Whoever went on from a lifecycle's turn had no repairs, no commit and no checkpoint.
    #[test]
    fn reg_what_a_parent_set_is_not_what_a_person_goes_on_with() {
        let today = turn::samples::start();
        let mut before = today.clone();
        before.profile = Profile::LifecycleTask;
        (before.limits.fixes, before.limits.replans) = (0, 0);
        before.limits.confine = vec!["docs/**".to_owned()];
        (before.git, before.checkpoints) = (turn::Git::Off, turn::Checkpoints::Off);
        before.covers = vec!["src/**".to_owned()];
        let own = own(&before, &today);
        assert_eq!((&own.limits, own.git), (&today.limits, today.git));
        assert_eq!((own.checkpoints, own.covers.len()), (today.checkpoints, 0));
        before.profile = Profile::Person;
        assert_eq!(super::own(&before, &today), before, "a person's own stays as it was set");
    }
}
