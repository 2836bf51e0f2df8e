//! The arguments of the tool that runs a command. It reads them and starts nothing.

use kernel::call::{self, Class, GRACE_MS, OnUnknown, Request};
use kernel::errors::{Class as ErrorClass, Code};
use serde::Deserialize;
use serde_json::{Value, json};

use super::fits::Misfit;

/// Wall limit of a command that names none: long enough for most tests, short enough to be noticed.
const TIMEOUT_S: u64 = 120;
/// Longest wall limit: a command that takes longer belongs into a run of its own.
const TIMEOUT_S_MAX: u64 = 24 * 3600;
/// The one reach that this build can hold a command to.
const NOWHERE: &str = "none";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    argv: Option<Vec<String>>,
    script: Option<String>,
    #[serde(default = "here")]
    cwd: String,
    #[serde(default = "usual")]
    timeout_s: u64,
    #[serde(default = "nowhere")]
    network: String,
}

fn here() -> String {
    ".".to_owned()
}

const fn usual() -> u64 {
    TIMEOUT_S
}

fn nowhere() -> String {
    NOWHERE.to_owned()
}

/// The request that the arguments ask for.
///
/// # Errors
/// The first argument that does not fit.
pub fn command(args: &Value) -> Result<Request, Misfit> {
    let form: Form = serde_json::from_value(args.clone())
        .map_err(|why| misfit("/args", &why.to_string(), ""))?;
    let argv = match (form.argv, form.script) {
        (Some(argv), None) => argv,
        (None, Some(script)) => vec!["sh".to_owned(), "-c".to_owned(), script],
        (Some(_), Some(_)) | (None, None) => {
            return Err(misfit("/args", "either argv or script", ""));
        }
    };
    if form.timeout_s == 0 || form.timeout_s > TIMEOUT_S_MAX {
        return Err(misfit("/args/timeout_s", &format!("1 to {TIMEOUT_S_MAX}"), ""));
    }
    if form.network != NOWHERE {
        return Err(misfit("/args/network", NOWHERE, "unsupported"));
    }
    Ok(Request {
        name: call::RUN.to_owned(),
        version: call::TOOL_VERSION.to_owned(),
        argv,
        agent: None,
        args: None,
        cwd: form.cwd,
        env_names: Vec::new(),
        collect: Vec::new(),
        class: Class::Once,
        deadline_ms: form.timeout_s * 1000,
        idle_ms: None,
        grace_ms: GRACE_MS,
        on_unknown: OnUnknown::Wait,
    })
}

fn misfit(path: &str, expected: &str, kind: &'static str) -> Misfit {
    let mut details = json!({ "path": path, "expected": expected });
    if !kind.is_empty() {
        details["kind"] = json!(kind);
    }
    Misfit { code: Code::Class(ErrorClass::InvalidArgs), kind, details }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_words_or_a_script() {
        let table = [
            (json!({ "argv": ["ls", "-l"] }), Ok("ls -l in . for 120000")),
            (json!({ "script": "a | b", "cwd": "x" }), Ok("sh -c a | b in x for 120000")),
            (json!({ "argv": ["ls"], "timeout_s": 5 }), Ok("ls in . for 5000")),
            (json!({}), Err("/args")),
            (json!({ "argv": ["a"], "script": "b" }), Err("/args")),
            (json!({ "argv": "ls" }), Err("/args")),
            (json!({ "argv": ["ls"], "shell": true }), Err("/args")),
            (json!({ "argv": ["ls"], "timeout_s": 0 }), Err("/args/timeout_s")),
            (json!({ "argv": ["ls"], "network": "open" }), Err("/args/network")),
        ];
        for (args, expected) in table {
            let found = command(&args)
                .map(|it| format!("{} in {} for {}", it.argv.join(" "), it.cwd, it.deadline_ms))
                .map_err(|misfit| misfit.details["path"].as_str().unwrap().to_owned());
            assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned), "{args}");
        }
    }
}
