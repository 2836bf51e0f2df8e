//! `lifecycle amend FILE`: a change of tasks that have not started, as a person writes it. Whether
//! it fits the plan is the machine's to say.

use std::path::Path;

use edge::door::LifecycleSay;
use kernel::errors::Class;
use kernel::lifecycle::{Check, CheckSource, Level, Patch, Priority, Spec, Verify};
use serde::Deserialize;
use serde_json::json;

use super::super::collab::file_text;
use super::says;
use super::verbs::Steer;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// Seconds a check of a task may take; the settings' own default.
const TIMEOUT_S: u64 = 300;

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

/// Reads the change and says it.
pub fn run(ctx: &Ctx, file: &Path, steer: &Steer) -> Result<Reply, Trouble> {
    let name = file.display().to_string();
    let form = read(&name, &file_text(&name)?)?;
    let patch = patch(form).map_err(|(path, expected)| bad(&name, &path, &expected))?;
    says::say(ctx, steer, LifecycleSay::Amend { patch: Box::new(patch) })
}

fn read(name: &str, text: &str) -> Result<PatchForm, Trouble> {
    let json = name.ends_with(".json") || text.trim_start().starts_with('{');
    let read = match json {
        true => serde_json::from_str(text).map_err(|why| why.to_string()),
        false => toml::from_str(text).map_err(|why| why.message().to_owned()),
    };
    read.map_err(|why| bad(name, "", &why))
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
            timeout_s: TIMEOUT_S,
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

fn bad(file: &str, path: &str, expected: &str) -> Trouble {
    let place = if path.is_empty() { file.to_owned() } else { format!("{file} {path}") };
    trouble::class(Class::InvalidArgs, json!({ "path": place, "expected": expected }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_read_in_both_forms() {
        let toml = "reason = \"r\"\nremove = [\"T-3\"]\n[[add]]\nid = \"T-4\"\ntitle = \"t\"\n\
                    verify = [\"cargo test -p a\"]\n";
        let json = r#"{"reason":"r","remove":["T-3"],
            "add":[{"id":"T-4","title":"t","verify":["cargo test -p a"]}]}"#;
        let of = |name, text| patch(read(name, text).unwrap()).unwrap();
        assert_eq!(of("a.toml", toml), of("a.json", json));
        let Verify::Checks(checks) = &of("a.toml", toml).add[0].verify else { panic!("no check") };
        assert_eq!(checks[0].argv, ["cargo", "test", "-p", "a"]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for text in ["nothing = 1", "[[add]]\nid = 1", "add = 3"] {
            assert!(read("a.toml", text).is_err(), "{text}");
        }
        let form = read("a.toml", "[[add]]\nid = \"T\"\nverify = [\"a; b\"]").unwrap();
        assert_eq!(patch(form).unwrap_err().0, "T.verify");
    }
}
