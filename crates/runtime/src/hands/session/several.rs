//! Several agents at once for a session: their question, and the one answer that is made of theirs.
//! The first who answered is followed; what the others add is what only makes it more careful.

use kernel::collab::{self, State};
use kernel::session::{Gave, Outcome, Spoken};
use kernel::turn::Fault;
use serde_json::Value;

use super::super::answer;
use super::super::pool::Desk;
use super::asks::fault;
use super::base::setup_of;
use super::failed;
use crate::collab::{Form, PlanError, plan};
use crate::engine::{Heard, Ready, Sitting, Stopped};
use crate::shim::{durable, files};

/// Told of what an earlier look at the project said; its beginning says most.
const CONTEXT_BYTES_MAX: u64 = 64 << 10;

/// Their plan.
pub(super) fn ready(
    desk: &Desk,
    sitting: &Sitting,
    (words, schema): (&str, &str),
    context: Option<&Spoken>,
) -> Result<Ready, Box<Fault>> {
    let setup = setup_of(&sitting.life).ok_or_else(|| fault("E_INTERNAL", "no_unit"))?;
    let form = Form {
        task: words.to_owned(),
        context: context.map(|said| text_of(desk, said)).unwrap_or_default(),
        with: Some(setup.designers.clone()),
        schema: Some(schema.to_owned()),
        accept: Some(collab::Accept::Ask.word().to_owned()),
        lang: Some(setup.lang.clone()),
        ..Form::default()
    };
    match plan(form, &desk.plan.collab) {
        Ok(plan) => Ok(Ready::Collab(Box::new(plan))),
        Err(PlanError::NoSuchAgent { .. }) => Err(fault("E001", "missing")),
        Err(PlanError::Invalid { field, .. }) => Err(fault("E_INVALID_ARGS", field)),
        Err(PlanError::Role(_)) => Err(fault("E_INVALID_ARGS", "role")),
    }
}

/// What an agent said of the project, as much as is told on.
fn text_of(desk: &Desk, said: &Spoken) -> String {
    let file = desk.call_dir(&said.call).join(files::ANSWER);
    let bytes = durable::read_head(&file, CONTEXT_BYTES_MAX).unwrap_or_default();
    desk.plan.redactor.redact_text(&String::from_utf8_lossy(&bytes))
}

/// What the session hears of their run.
pub(super) fn read(desk: &Desk, heard: &Heard) -> Outcome {
    if let State::Failed { cause, code, .. } = &heard.state {
        return match heard.stopped {
            Stopped::ByOwner => Outcome::Stopped,
            Stopped::No => failed(code, cause.word(), &heard.child),
        };
    }
    let answers = heard.state.participants().iter().filter_map(|one| {
        let spooled = one.answer()?.1.structured.as_ref()?;
        let text = answer::load(&desk.plan.loop_dir, spooled).ok()?;
        serde_json::from_str(&desk.plan.redactor.redact_text(&text)).ok()
    });
    match merged(answers.collect()) {
        Some(value) => Outcome::Ok(Box::new(Gave::Value(value))),
        None => failed("E_MODEL", "schema", &heard.child),
    }
}

/// The first answer; with the findings and the risks of the others, each once.
fn merged(answers: Vec<Value>) -> Option<Value> {
    let mut all = answers.into_iter();
    let mut first = all.next()?;
    for other in all {
        for name in ["findings", "risks"] {
            for one in other[name].as_array().into_iter().flatten() {
                add(&mut first, name, one);
            }
        }
    }
    Some(first)
}

fn add(into: &mut Value, name: &str, one: &Value) {
    if into[name].is_null() {
        into[name] = Value::Array(Vec::new());
    }
    if let Some(list) = into[name].as_array_mut()
        && !list.contains(one)
    {
        list.push(one.clone());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_is_followed_and_the_others_add_risks_and_findings() {
        let table = [
            (vec![], None),
            (vec![json!({ "goal": "a" })], Some(json!({ "goal": "a" }))),
            (
                vec![
                    json!({ "goal": "a", "risks": ["x"] }),
                    json!({ "goal": "b", "risks": ["x", "y"], "tasks": [1] }),
                ],
                Some(json!({ "goal": "a", "risks": ["x", "y"] })),
            ),
            (
                vec![json!({ "goal": "a" }), json!({ "risks": ["y"] })],
                Some(json!({ "goal": "a", "risks": ["y"] })),
            ),
            (
                vec![json!({ "findings": [1] }), json!({ "findings": [2, 1] })],
                Some(json!({ "findings": [1, 2] })),
            ),
        ];
        for (answers, expected) in table {
            assert_eq!(merged(answers.clone()), expected, "{answers:?}");
        }
    }
}
