//! Reads a plan file and copies it: what the turn works with is the copy, at its hash, so that
//! later edits of the file change nothing. Patches that the file names are taken into the copy.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use kernel::call;
use kernel::hash::sha256_hex;
use kernel::turn::{self, Answer, BadArgs, Drafted, Flaw, Ground, Made, Plan, PlanPatch};
use serde_json::Value;

use super::fault::{PlanFileError, Problem};
use super::places::{self, Placed};
use crate::io_kind::io_kind;
use crate::tools;

/// A plan is written by hand, with patches beside it; more than this was not.
pub const PLAN_BYTES_MAX: u64 = 1 << 20;
/// The argument by which a call names a patch beside the plan.
const PATCH_FILE: &str = "patch_file";
/// The argument that the tool takes.
const PATCH: &str = "patch";
/// What a change is called that lies in no file.
const NO_FILE: &str = "patch";

/// A plan file that has the form of a plan.
#[derive(Debug)]
pub struct PlanFile {
    /// The file it came from.
    pub path: PathBuf,
    /// What it holds.
    pub drafted: Drafted,
    /// The copy: one JSON text, with the patches it names.
    pub copy: String,
    /// SHA-256 of the copy.
    pub sha256: String,
    placed: Placed,
}

/// Reads a plan file.
///
/// # Errors
/// The first thing that is wrong with it, with its line.
pub fn load(path: &Path) -> Result<PlanFile, PlanFileError> {
    let mut placed = placed(path)?;
    if let Err((place, problem)) = inline(&mut placed.value, "steps", path) {
        return Err(fault(path, placed.line(&place), &place, problem));
    }
    complete(&mut placed.value);
    let drafted = turn::read_file(&placed.value).map_err(|flaw| flawed(path, &placed, flaw))?;
    let copy = placed.value.to_string();
    let sha256 = sha256_hex(copy.as_bytes());
    Ok(PlanFile { path: path.to_owned(), drafted, copy, sha256, placed })
}

/// Reads a file that changes a plan.
///
/// # Errors
/// The first thing that is wrong with its form, with its line.
pub fn load_patch(path: &Path) -> Result<PlanPatch, PlanFileError> {
    let mut placed = placed(path)?;
    for steps in ["add_steps", "update_steps"] {
        if let Err((place, problem)) = inline(&mut placed.value, steps, path) {
            return Err(fault(path, placed.line(&place), &place, problem));
        }
    }
    patch_of(placed, path)
}

/// Reads the same from a JSON text that lies in no file and names none.
///
/// # Errors
/// The first thing that is wrong with its form, with its line.
pub fn read_patch(text: &str) -> Result<PlanPatch, PlanFileError> {
    let path = Path::new(NO_FILE);
    let placed = places::of_json(text)
        .map_err(|broken| fault(path, broken.line, "", Problem::Syntax { why: broken.why }))?;
    patch_of(placed, path)
}

fn patch_of(mut placed: Placed, path: &Path) -> Result<PlanPatch, PlanFileError> {
    if let Value::Object(fields) = &mut placed.value {
        fields.insert("type".to_owned(), Value::from("PlanPatch"));
    }
    match turn::read_answer(&placed.value) {
        Ok(Answer::Patch(patch)) => Ok(patch),
        Ok(Answer::Full(_) | Answer::Questions(_) | Answer::Carried(_)) => {
            Err(fault(path, 1, "", Problem::Ending))
        }
        Err(flaw) => Err(flawed(path, &placed, flaw)),
    }
}

fn fault(path: &Path, line: usize, key: &str, problem: Problem) -> PlanFileError {
    PlanFileError { path: path.to_owned(), line, key: key.to_owned(), problem }
}

fn flawed(path: &Path, placed: &Placed, flaw: Flaw) -> PlanFileError {
    let place = blamed(placed, &flaw);
    fault(path, placed.line(&place), &place, Problem::Flaw(flaw))
}

/// A file's value with its places.
fn placed(path: &Path) -> Result<Placed, PlanFileError> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let read = match ending {
        Some("toml") => places::of_toml,
        Some("json") => places::of_json,
        Some(_) | None => return Err(fault(path, 0, "", Problem::Ending)),
    };
    let text = text_of(path).map_err(|problem| fault(path, 0, "", problem))?;
    read(&text).map_err(|broken| fault(path, broken.line, "", Problem::Syntax { why: broken.why }))
}

/// Reads the copy that was kept of a plan file; none if it is not what was kept.
#[must_use]
pub fn read_copy(copy: &str, sha256: &str) -> Option<Drafted> {
    if sha256_hex(copy.as_bytes()) != sha256 {
        return None;
    }
    turn::read_file(&serde_json::from_str(copy).ok()?).ok()
}

fn text_of(path: &Path) -> Result<String, Problem> {
    // The operating system's own words are nobody's language here.
    let unreadable = |why: &std::io::Error| {
        let word = if why.kind() == std::io::ErrorKind::IsADirectory {
            "not_a_file"
        } else {
            io_kind(why).unwrap_or("interrupted")
        };
        Problem::Unreadable { why: word.to_owned() }
    };
    let file = File::open(path).map_err(|why| unreadable(&why))?;
    let mut bytes = Vec::new();
    let most = file.take(PLAN_BYTES_MAX + 1).read_to_end(&mut bytes);
    let most = most.map_err(|why| unreadable(&why))?;
    if most as u64 > PLAN_BYTES_MAX {
        return Err(Problem::TooLarge { bytes_max: PLAN_BYTES_MAX });
    }
    String::from_utf8(bytes).map_err(|_| Problem::Unreadable { why: "not_text".to_owned() })
}

/// Puts the patches that calls name by file in their place.
fn inline(value: &mut Value, list: &str, path: &Path) -> Result<(), (String, Problem)> {
    let beside = path.parent().unwrap_or(Path::new("."));
    let steps = value.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
    for (n, step) in steps.enumerate() {
        let calls = step.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten();
        for (m, call) in calls.enumerate() {
            let Some(args) = call.get_mut("args_hint").and_then(Value::as_object_mut) else {
                continue;
            };
            let Some(Value::String(file)) = args.get(PATCH_FILE) else { continue };
            let place = format!("/{list}/{n}/tool_calls/{m}/args_hint/{PATCH_FILE}");
            let text = text_of(&beside.join(file)).map_err(|problem| (place, problem))?;
            args.remove(PATCH_FILE);
            args.insert(PATCH.to_owned(), Value::String(text));
        }
    }
    Ok(())
}

/// What a person need not write about checks: commands that are named are to be run, and must pass.
fn complete(value: &mut Value) {
    let Some(checks) = value.get_mut("verification").and_then(Value::as_object_mut) else { return };
    let named = checks.get("commands").and_then(Value::as_array).is_some_and(|all| !all.is_empty());
    let mode = if named { "custom" } else { "test" };
    let defaults = [
        ("mode", Value::from(mode)),
        ("commands", Value::Array(Vec::new())),
        ("required", Value::Bool(true)),
        ("stop_on_fail", Value::Bool(true)),
    ];
    for (name, default) in defaults {
        checks.entry(name).or_insert(default);
    }
}

/// The place that a flaw is about; for a key that nobody knows, the key itself.
fn blamed(placed: &Placed, flaw: &Flaw) -> String {
    let name = flaw.found.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
    let found = name.and_then(|name| placed.named(&flaw.path, name));
    found.unwrap_or(&flaw.path).to_owned()
}

impl PlanFile {
    /// The plan that it makes here.
    ///
    /// # Errors
    /// The first thing that makes it no valid plan, with its line.
    pub fn plan(
        &self,
        made: &Made<'_>,
        steps_max: u32,
        agents: &[String],
    ) -> Result<Plan, PlanFileError> {
        let plan = self.drafted.make(made);
        let bad_args = bad_args(&plan);
        let ground = Ground { steps_max, agents, bad_args: &bad_args };
        turn::valid_plan(&plan, ground)
            .map_err(|flaw| flawed(&self.path, &self.placed, flaw))
            .map(|()| plan)
    }
}

/// Calls of a plan whose arguments do not fit their tools.
#[must_use]
pub fn bad_args(plan: &Plan) -> Vec<BadArgs> {
    let mut bad = Vec::new();
    for step in plan.steps.iter().filter(|step| step.runner == turn::Runner::Tools) {
        for (n, template) in (0..).zip(&step.tool_calls) {
            let Some(tool) = call::named(&template.name) else { continue };
            let args = Value::Object(template.args_hint.clone());
            if let Err(misfit) = tools::check(tool, &args) {
                let why = misfit.details.to_string();
                bad.push(BadArgs { step_id: step.step_id.clone(), call: n, why });
            }
        }
    }
    bad
}

#[cfg(test)]
mod tests {
    use kernel::machine::At;
    use kernel::turn::{OnFailure, PLAN_STEPS_MAX, Source};

    use super::*;

    const GOOD: &str = r#"goal = "Add --json to list"
constraints = ["no public API change"]
[verification]
mode = "test"
commands = ["cargo test -p cli"]
required = true
stop_on_fail = true

[[steps]]
step_id = "s1"
title = "Write the flag"
intent = "machine-readable output"
runner = "tools"
tool_calls = [
  { name = "apply_patch", args_hint = { patch_file = "flag.patch" }, why = "the change" }
]
expected_artifacts = [{ type = "file", value = "src/list.rs" }]

[[steps]]
title = "Look"
depends_on = ["s1"]
tool_calls = [{ name = "read", args_hint = { path = "src/list.rs" } }]
"#;
    const DIFF: &str = "--- a/src/list.rs\n+++ b/src/list.rs\n@@ -1 +1 @@\n-a\n+b\n";

    fn written(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::write(dir.path().join("flag.patch"), DIFF).unwrap();
        (dir, path)
    }

    fn planned(file: &PlanFile) -> Result<Plan, PlanFileError> {
        let made = Made {
            plan_id: "plan-1".to_owned(),
            at: At(1_000),
            source: Source::File,
            request: "",
            constraints: &[],
            given: None,
            detected: &[],
            on_failure: OnFailure::Stop,
        };
        file.plan(&made, PLAN_STEPS_MAX, &[])
    }

    #[test]
    fn a_plan_file_is_read_and_copied() {
        let (dir, path) = written("plan.toml", GOOD);
        let file = load(&path).unwrap();
        let plan = planned(&file).unwrap();
        let ids: Vec<&str> = plan.steps.iter().map(|step| step.step_id.as_str()).collect();
        assert_eq!(ids, ["s1", "s2"], "a step without an id is named by its place");
        assert_eq!(plan.steps[0].tool_calls[0].args_hint["patch"], DIFF);
        std::fs::write(dir.path().join("flag.patch"), "other").unwrap();
        let again = read_copy(&file.copy, &file.sha256).unwrap();
        assert_eq!(again, file.drafted, "the copy needs no file");
        assert_eq!(read_copy(&file.copy.replace("flag", "flap"), &file.sha256), None);
        assert_ne!(load(&path).unwrap().sha256, file.sha256, "another patch is another plan");
    }

    #[test]
    fn checks_that_are_named_are_required() {
        let short = GOOD
            .replace("mode = \"test\"\n", "")
            .replace("required = true\nstop_on_fail = true\n", "");
        let (_dir, path) = written("plan.toml", &short);
        let plan = planned(&load(&path).unwrap()).unwrap();
        let checks = &plan.verification;
        assert_eq!(checks.mode, turn::VerifyMode::Custom);
        assert!(checks.required && checks.stop_on_fail && checks.commands.len() == 1);
    }

    #[test]
    fn a_change_of_a_plan_is_read_or_named_with_its_line() {
        let text = "remove_steps = [\"s2\"]\n[[add_steps]]\ntitle = \"Look again\"\n";
        let (_dir, path) = written("patch.toml", text);
        let patch = load_patch(&path).unwrap();
        assert_eq!((patch.remove_steps.len(), patch.add_steps.len()), (1, 1));
        let (_dir, path) = written("patch.toml", &text.replace("title", "titel"));
        let wrong = load_patch(&path).unwrap_err();
        assert_eq!((wrong.line, wrong.problem.word()), (3, "schema"), "{wrong}");
    }

    #[test]
    fn a_plan_we_wrote_is_one_we_read() {
        let (dir, path) = written("plan.toml", GOOD);
        let plan = planned(&load(&path).unwrap()).unwrap();
        let json = dir.path().join("plan.json");
        std::fs::write(&json, serde_json::to_string_pretty(&plan).unwrap()).unwrap();
        assert_eq!(planned(&load(&json).unwrap()).unwrap(), plan);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let turned = |from: &str, to: &str| GOOD.replace(from, to);
        let table = [
            (turned("name = \"read\"", "name = \"format_disk\""), 22, "unknown_tool"),
            (turned("depends_on = [\"s1\"]", "depends_on = [\"s9\"]"), 21, "unknown_dependency"),
            (turned("depends_on = [\"s1\"]", "depends_on = [\"s2\"]"), 21, "cycle"),
            (turned("title = \"Look\"", "title = \"Look\"\nstep_id = \"s1\""), 21, "duplicate_id"),
            (turned("title = \"Look\"", "titel = \"Look\""), 20, "schema"),
            (turned("runner = \"tools\"", "runner = \"robot\""), 9, "schema"),
            (turned("cargo test -p cli", "npm test; rm -rf /"), 5, "bad_command"),
            (turned("path = \"src/list.rs\"", "path = 7"), 22, "bad_args"),
            (turned("flag.patch", "gone.patch"), 15, "unreadable"),
            (turned("runner = \"tools\"", "runner = \"agent\""), 9, "no_agent"),
            (turned("[[steps]]\ntitle", "[[steps]\ntitle"), 19, "syntax"),
        ];
        for (text, line, word) in table {
            let (_dir, path) = written("plan.toml", &text);
            let wrong = load(&path).and_then(|file| planned(&file)).unwrap_err();
            assert_eq!((wrong.line, wrong.problem.word()), (line, word), "{wrong}");
            for lang in [crate::words::Lang::En, crate::words::Lang::Zh] {
                assert!(wrong.say(lang).starts_with(&wrong.at()), "{}", wrong.say(lang));
            }
        }
        let (_dir, path) = written("plan.md", GOOD);
        assert!(load_patch(&path).is_err());
        assert_eq!(load(&path).unwrap_err().problem, Problem::Ending);
    }
}
