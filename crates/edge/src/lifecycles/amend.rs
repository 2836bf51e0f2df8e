//! A change of tasks that have not started, as a person writes it. Whether it fits the plan is the
//! machine's to say.

use kernel::errors::Class;
use kernel::lifecycle::{Check, CheckSource, Level, Patch, Priority, Spec, Verify};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::problem::Raised;
use crate::site::class;

/// A task as a person writes it; command lines instead of checks.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TaskForm {
    id: String,
    title: String,
    detail: String,
    files: Vec<String>,
    depends: Vec<String>,
    priority: Option<Priority>,
    verify: Vec<String>,
    acceptance: Vec<String>,
}

/// A change as a person writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PatchForm {
    add: Vec<TaskForm>,
    update: Vec<TaskForm>,
    remove: Vec<String>,
    reason: String,
}

/// The change that this value says; `name` is where it came from.
///
/// # Errors
/// What does not fit.
pub fn amending(name: &str, value: Value) -> Result<Patch, Raised> {
    let form: PatchForm =
        serde_json::from_value(value).map_err(|why| bad(name, "", &why.to_string()))?;
    patch(form).map_err(|(path, expected)| bad(name, &path, &expected))
}

fn patch(form: PatchForm) -> Result<Patch, (String, String)> {
    let specs = |tasks: Vec<TaskForm>| tasks.into_iter().map(spec).collect::<Result<_, _>>();
    Ok(Patch {
        add: specs(form.add)?,
        update: specs(form.update)?,
        remove: form.remove,
        reason: form.reason,
    })
}

fn spec(form: TaskForm) -> Result<Spec, (String, String)> {
    let mut checks = Vec::new();
    for (n, line) in form.verify.iter().enumerate() {
        let argv = kernel::turn::split(line)
            .map_err(|why| (format!("{}.verify", form.id), format!("{line}: {}", why.word())))?;
        checks.push(Check {
            id: format!("{}-{}", form.id, n + 1),
            argv,
            cwd: ".".to_owned(),
            level: Level::Custom,
            required: true,
            // The engine knows its settings.
            timeout_s: 0,
            covers: vec!["**".to_owned()],
            source: CheckSource::Task,
            definition_hash: None,
        });
    }
    Ok(Spec {
        id: form.id,
        title: form.title,
        detail: form.detail,
        files: form.files,
        depends: form.depends,
        priority: form.priority,
        verify: if checks.is_empty() { Verify::Inherit } else { Verify::Checks(checks) },
        acceptance: form.acceptance,
        claimed: false,
    })
}

fn bad(file: &str, path: &str, expected: &str) -> Raised {
    let place = if path.is_empty() { file.to_owned() } else { format!("{file} {path}") };
    class(Class::InvalidArgs, json!({ "path": place, "expected": expected }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_named() {
        for wrong in [json!({ "nothing": 1 }), json!({ "add": [{ "id": 1 }] }), json!({ "add": 3 })]
        {
            assert!(amending("a", wrong.clone()).is_err(), "{wrong}");
        }
        let odd = amending("a", json!({ "add": [{ "id": "T", "verify": ["a; b"] }] })).unwrap_err();
        assert_eq!(odd.details["path"], "a T.verify", "{odd:?}");
    }
}
