//! Secrets stop at the door, also on their way to a turn. Words that are only read lose them; what
//! would run, or is planned to, is refused with one in it.

use kernel::turn::PlanPatch;
use runtime::redact::Redactor;
use runtime::turns::Form;
use serde_json::json;

use super::hear;
use super::wire::{Refusal, TurnSay};

/// What is said to a turn, without secrets.
///
/// # Errors
/// A command or a plan that holds one.
pub(super) fn of_turn(say: TurnSay, redactor: &Redactor) -> Result<TurnSay, Refusal> {
    let clean = |text: String| redactor.redact_text(&text);
    Ok(match say {
        TurnSay::Start { form } => {
            for line in &form.verify {
                whole("verify", line, redactor)?;
            }
            TurnSay::Start {
                form: Box::new(Form {
                    request: clean(form.request.clone()),
                    constraints: form.constraints.iter().cloned().map(clean).collect(),
                    expected_output: form.expected_output.clone().map(clean),
                    ..*form
                }),
            }
        }
        TurnSay::Answer { question, text } => TurnSay::Answer { question, text: text.map(clean) },
        TurnSay::Confirm { prompt, hash, word, scope, note } => {
            TurnSay::Confirm { prompt, hash, word, scope, note: note.map(clean) }
        }
        TurnSay::Edit { patch } => {
            let patch = PlanPatch { reason: patch.reason.clone().map(clean), ..*patch };
            let text = serde_json::to_string(&patch).unwrap_or_default();
            whole("patch", &text, redactor)?;
            TurnSay::Edit { patch: Box::new(patch) }
        }
        TurnSay::Skip { step, reason } => TurnSay::Skip { step, reason: clean(reason) },
        say @ (TurnSay::Pause { .. }
        | TurnSay::Resume
        | TurnSay::Cancel
        | TurnSay::Continue { .. }) => say,
    })
}

/// A text that is recorded as it runs, and so may hold no secret.
///
/// # Errors
/// One that holds a secret.
pub(super) fn whole(name: &str, text: &str, redactor: &Redactor) -> Result<(), Refusal> {
    if redactor.redact_text(text) == text {
        return Ok(());
    }
    let details = json!({
        "field": name, "kind": "secret",
        "found": "«redacted»",
        "expected": "text without a secret in it; hand secrets over by env.pass",
    });
    Err(hear::invalid("turn.invalid_args", details))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::turn::Scope;
    use runtime::redact::Secrets;

    use super::super::wire::YesNo;

    #[test]
    fn invariant_no_secret_passes_the_door_to_a_turn() {
        let env = vec![("MY_TOKEN".to_owned(), "canary-12345".to_owned())];
        let redactor = Redactor::new(&Secrets { env, ..Secrets::default() }).unwrap();
        let secret = || "say canary-12345".to_owned();
        let form = Form {
            request: secret(),
            constraints: vec![secret()],
            expected_output: Some(secret()),
            ..Form::default()
        };
        let patch = |json: serde_json::Value| TurnSay::Edit {
            patch: Box::new(serde_json::from_value(json).unwrap()),
        };
        let passed = [
            TurnSay::Start { form: Box::new(form) },
            TurnSay::Answer { question: "q".to_owned(), text: Some(secret()) },
            TurnSay::Confirm {
                prompt: "confirm/1".to_owned(),
                hash: "h".to_owned(),
                word: YesNo::No,
                scope: Scope::SingleAction,
                note: Some(secret()),
            },
            TurnSay::Skip { step: "s1".to_owned(), reason: secret() },
            patch(json!({ "remove_steps": ["s1"], "reason": secret() })),
        ];
        for say in passed {
            let text = serde_json::to_string(&of_turn(say, &redactor).unwrap()).unwrap();
            assert!(!text.contains("canary") && text.contains("redacted:env:MY_TOKEN"), "{text}");
        }
        let form = Form { verify: vec![secret()], ..Form::default() };
        let refused = [
            TurnSay::Start { form: Box::new(form) },
            patch(json!({ "add_steps": [{ "title": "t", "verify": [secret()] }] })),
        ];
        for say in refused {
            let refusal = of_turn(say, &redactor).unwrap_err();
            assert_eq!(refusal.code, "turn.invalid_args");
            assert!(!refusal.details.to_string().contains("canary"));
        }
    }
}
