//! The arguments of the tool that runs a command. It reads them and starts nothing.

use std::collections::BTreeMap;

use kernel::call::{self, Class, Given, OnUnknown, Request};
use kernel::errors::{Class as ErrorClass, Code};
use kernel::policy::Network;
use serde::Deserialize;
use serde_json::{Value, json};

use super::bounds::Limits;
use super::fits::Misfit;
use crate::child_env::{self, Extra};

/// Longest wall limit: a command that takes longer belongs into a run of its own.
const TIMEOUT_S_MAX: u64 = 24 * 3600;
/// How far a command may be let reach.
const REACHES: [(&str, Network); 3] =
    [("none", Network::None), ("loopback", Network::Loopback), ("open", Network::Open)];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    argv: Option<Vec<String>>,
    script: Option<String>,
    #[serde(default = "here")]
    cwd: String,
    timeout_s: Option<u64>,
    network: Option<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    declare: Option<Declared>,
}

/// What a command says of itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    writes: Vec<String>,
}

/// The JSON Schema of the arguments.
#[must_use]
pub fn schema() -> Value {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    let argv = json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 });
    let declare = json!({
        "type": "object", "required": ["writes"], "additionalProperties": false,
        "properties": { "writes": texts },
    });
    json!({
        "type": "object", "additionalProperties": false,
        "oneOf": [{ "required": ["argv"] }, { "required": ["script"] }],
        "properties": {
            "argv": argv,
            "script": { "type": "string" },
            "cwd": { "type": "string", "default": here() },
            "timeout_s": {
                "type": "integer", "minimum": 1, "maximum": TIMEOUT_S_MAX,
                "default": Limits::default().exec_ms / 1000,
            },
            "network": { "enum": REACHES.map(|(name, _)| name) },
            "env": { "type": "object", "additionalProperties": { "type": "string" } },
            "declare": declare,
        },
    })
}

/// A command that is asked for: what is recorded of it, and its variables, which are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The request, without what names its variables' values.
    pub request: Request,
    /// Its variables.
    pub env: BTreeMap<String, String>,
}

fn here() -> String {
    ".".to_owned()
}

/// The command that the arguments ask for. `extra` says which names the settings let through,
/// `limits` how long it may take where it does not say.
///
/// # Errors
/// The first argument that does not fit.
pub fn command(args: &Value, extra: &Extra, limits: Limits) -> Result<Wanted, Misfit> {
    let form: Form = serde_json::from_value(args.clone())
        .map_err(|why| misfit("/args", &why.to_string(), ""))?;
    let argv = match (form.argv, form.script) {
        (Some(argv), None) => argv,
        (None, Some(script)) => vec!["sh".to_owned(), "-c".to_owned(), script],
        (Some(_), Some(_)) | (None, None) => {
            return Err(misfit("/args", "either argv or script", ""));
        }
    };
    if form.timeout_s.is_some_and(|said| said == 0 || said > TIMEOUT_S_MAX) {
        return Err(misfit("/args/timeout_s", &format!("1 to {TIMEOUT_S_MAX}"), ""));
    }
    if let Some(name) = form.env.keys().find(|name| !child_env::may_be_given(name, extra)) {
        return Err(misfit(&format!("/args/env/{name}"), "a name that may be set", ""));
    }
    if form.env.values().any(|value| value.contains('\0')) {
        return Err(misfit("/args/env", "values without NUL", ""));
    }
    let network = form.network.as_deref().map(reach).transpose()?;
    let writes = form.declare.map(|declared| declared.writes);
    if writes.iter().flatten().any(|pattern| !is_below(pattern)) {
        return Err(misfit("/args/declare/writes", "patterns of paths below the root", ""));
    }
    let given = Given { network, writes, ..Given::default() };
    let request = Request {
        name: call::RUN.to_owned(),
        version: call::TOOL_VERSION.to_owned(),
        argv,
        agent: None,
        args: None,
        cwd: form.cwd,
        env_names: form.env.keys().cloned().collect(),
        collect: Vec::new(),
        class: Class::Once,
        deadline_ms: form.timeout_s.map_or(limits.exec_ms, |said| said * 1000),
        idle_ms: None,
        grace_ms: limits.grace_ms,
        on_unknown: OnUnknown::Wait,
        given: (given != Given::default()).then(|| Box::new(given)),
    };
    Ok(Wanted { request, env: form.env })
}

/// Whether a pattern can only fit paths below the root.
fn is_below(pattern: &str) -> bool {
    let named = |part: &str| !matches!(part, "" | "." | "..");
    !pattern.contains(['\0', '\\']) && pattern.split('/').all(named)
}

fn reach(word: &str) -> Result<Network, Misfit> {
    let known = REACHES.iter().find(|(name, _)| *name == word);
    let names = REACHES.map(|(name, _)| name).join(", ");
    known.map(|(_, network)| *network).ok_or_else(|| misfit("/args/network", &names, ""))
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
            (json!({ "argv": ["ls"], "network": "far" }), Err("/args/network")),
            (json!({ "argv": ["ls"], "env": { "LD_PRELOAD": "x" } }), Err("/args/env/LD_PRELOAD")),
            (json!({ "argv": ["ls"], "env": { "A": "\u{0}" } }), Err("/args/env")),
            (json!({ "argv": ["ls"], "env": { "A": 1 } }), Err("/args")),
            (json!({ "argv": ["ls"], "declare": { "writes": ["out/**"] } }), {
                Ok("ls in . for 120000")
            }),
            (json!({ "argv": ["ls"], "declare": {} }), Err("/args")),
            (json!({ "argv": ["ls"], "declare": { "writes": ["../x"] } }), {
                Err("/args/declare/writes")
            }),
            (json!({ "argv": ["ls"], "declare": { "writes": ["/x"] } }), {
                Err("/args/declare/writes")
            }),
        ];
        for (args, expected) in table {
            let found = command(&args, &Extra::default(), Limits::default())
                .map(|it| it.request)
                .map(|it| format!("{} in {} for {}", it.argv.join(" "), it.cwd, it.deadline_ms))
                .map_err(|misfit| misfit.details["path"].as_str().unwrap().to_owned());
            assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned), "{args}");
        }
    }

    #[test]
    fn what_it_does_not_say_the_settings_do() {
        let limits = Limits { exec_ms: 7000, grace_ms: 5, ..Limits::default() };
        let table =
            [(json!({ "argv": ["ls"] }), 7000), (json!({ "argv": ["ls"], "timeout_s": 2 }), 2000)];
        for (args, expected) in table {
            let request = command(&args, &Extra::default(), limits).unwrap().request;
            assert_eq!((request.deadline_ms, request.grace_ms), (expected, 5), "{args}");
        }
    }

    #[test]
    fn the_schema_knows_every_argument_and_no_other() {
        let schema = jsonschema::validator_for(&schema()).unwrap();
        let table = [
            (json!({ "argv": ["ls"], "cwd": "x", "timeout_s": 5, "network": "open" }), true),
            (json!({ "script": "a | b", "env": { "A": "1" } }), true),
            (json!({ "argv": ["ls"], "declare": { "writes": [] } }), true),
            (json!({ "argv": ["ls"], "script": "ls" }), false),
            (json!({ "argv": ["ls"], "shell": true }), false),
            (json!({ "argv": ["ls"], "timeout_s": 0 }), false),
            (json!({ "argv": ["ls"], "declare": {} }), false),
        ];
        for (args, fits) in table {
            assert_eq!(schema.is_valid(&args), fits, "{args}");
            assert_eq!(
                command(&args, &Extra::default(), Limits::default()).is_ok(),
                fits,
                "{args}"
            );
        }
    }

    #[test]
    fn what_was_not_said_to_be_written_is_told() {
        let declared = |writes: Value| {
            let args = json!({ "argv": ["ls"], "declare": { "writes": writes } });
            command(&args, &Extra::default(), Limits::default()).unwrap().request.given.unwrap()
        };
        let changed = ["out/a".to_owned(), "src/b".to_owned()];
        assert_eq!(declared(json!(["out/**"])).undeclared(&changed), ["src/b"]);
        assert_eq!(declared(json!([])).undeclared(&changed), ["out/a", "src/b"]);
        assert_eq!(Given::default().undeclared(&changed), [""; 0], "it said nothing");
    }

    #[test]
    fn variables_are_named_and_their_values_left_out() {
        let args = json!({ "argv": ["ls"], "env": { "B": "canary-12345", "A": "" } });
        let wanted = command(&args, &Extra::default(), Limits::default()).unwrap();
        assert_eq!(wanted.request.env_names, ["A", "B"]);
        assert!(!json!(wanted.request).to_string().contains("canary"));
        assert_eq!((wanted.env["B"].as_str(), &wanted.request.given), ("canary-12345", &None));
        for (word, network) in REACHES {
            let args = json!({ "argv": ["ls"], "network": word });
            let given = command(&args, &Extra::default(), Limits::default())
                .unwrap()
                .request
                .given
                .unwrap();
            assert_eq!(given.network, Some(network));
        }
    }
}
