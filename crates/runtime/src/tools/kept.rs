//! The arguments of a tool, whole, in a file of ours under their hash, and what the record shows of
//! them. Content never enters the journal: it may hold what nobody else is to read.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use kernel::call::Args;
use kernel::hash;
use serde_json::{Map, Value, json};

use crate::shim::durable;

/// Where they are kept, below the directory of our files.
const DIR: &str = "cache/args";
/// The largest content a tool takes, as text in JSON, twice over.
const BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Texts that are shown as they are, under every name a tool takes them by. Any other text may be
/// content, and so may one that a later tool adds.
const SHOWN: [&str; 16] = [
    "path",
    "file_path",
    "filePath",
    "target_file",
    "file",
    "mode",
    "eol",
    "expect",
    "expected_sha256",
    "kind",
    "glob",
    "case",
    "cursor",
    "label",
    "call",
    "foreign",
];

/// Keeps the arguments durably and answers what is recorded of them.
///
/// # Errors
/// When they can't be written.
pub fn keep(loop_dir: &Path, args: &Value) -> io::Result<Args> {
    Ok(Args { shown: shown(args), sha256: put(loop_dir, args)? })
}

/// Keeps the variables of a command durably and answers the hash they are recorded by.
///
/// # Errors
/// When they can't be written.
pub fn keep_env(loop_dir: &Path, env: &BTreeMap<String, String>) -> io::Result<String> {
    put(loop_dir, &json!(env))
}

/// The variables that were recorded by this hash.
///
/// # Errors
/// When they are gone or are not what was recorded.
pub fn load_env(loop_dir: &Path, sha256: &str) -> io::Result<BTreeMap<String, String>> {
    Ok(serde_json::from_value(get(loop_dir, sha256)?)?)
}

fn put(loop_dir: &Path, value: &Value) -> io::Result<String> {
    let sha256 = hash::of_json(value);
    let dir = loop_dir.join(DIR);
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&dir)?;
    if !dir.join(&sha256).exists() {
        durable::keep(&dir, &sha256, value.to_string().as_bytes())?;
    }
    Ok(sha256)
}

fn get(loop_dir: &Path, sha256: &str) -> io::Result<Value> {
    let path: PathBuf = loop_dir.join(DIR).join(sha256);
    let value: Value = serde_json::from_slice(&durable::read(&path, BYTES_MAX)?)?;
    if hash::of_json(&value) == sha256 {
        Ok(value)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidData, "the kept arguments are damaged"))
    }
}

/// The arguments that were recorded.
///
/// # Errors
/// When they are gone or are not what was recorded.
pub fn load(loop_dir: &Path, args: &Args) -> io::Result<Value> {
    // What is shown whole was never kept: an undo is asked for by the call itself.
    if hash::of_json(&args.shown) == args.sha256 {
        return Ok(args.shown.clone());
    }
    get(loop_dir, &args.sha256)
}

/// The arguments with their contents given by hash and size.
fn shown(args: &Value) -> Value {
    let Some(fields) = args.as_object() else { return Value::Null };
    let field = |(name, value): (&String, &Value)| {
        let hidden = !SHOWN.contains(&name.as_str());
        let seen = match value.as_str().filter(|_| hidden) {
            Some(text) => {
                json!({ "sha256": hash::sha256_hex(text.as_bytes()), "bytes": text.len() })
            }
            None => value.clone(),
        };
        (name.clone(), seen)
    };
    Value::Object(fields.iter().map(field).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reg_the_same_arguments_are_kept_by_many_at_once() {
        const ROUNDS: usize = 50;
        let dir = tempfile::tempdir().unwrap();
        for round in 0..ROUNDS {
            let args = json!({ "feature": format!("x{round}") });
            let keep = || keep(dir.path(), &args).map(|kept| load(dir.path(), &kept));
            std::thread::scope(|threads| {
                let all: Vec<_> = (0..4).map(|_| threads.spawn(keep)).collect();
                for one in all {
                    assert_eq!(one.join().unwrap().unwrap().unwrap(), args);
                }
            });
        }
    }

    #[test]
    fn invariant_content_is_kept_and_not_recorded() {
        let dir = tempfile::tempdir().unwrap();
        let args = json!({ "path": "a.txt", "text": "canary-12345", "mode": "create" });
        let recorded = keep(dir.path(), &args).unwrap();
        assert!(!serde_json::to_string(&recorded).unwrap().contains("canary"));
        assert_eq!(recorded.shown["text"]["bytes"], 12);
        assert_eq!(load(dir.path(), &recorded).unwrap(), args);
        let path = dir.path().join(DIR).join(&recorded.sha256);
        std::fs::write(&path, r#"{"path":"b.txt"}"#).unwrap();
        assert!(load(dir.path(), &recorded).is_err(), "damaged ones are not used");
        for name in ["content", "contents", "base64", "old_string", "new_str", "patch", "query"] {
            let recorded = keep(dir.path(), &json!({ "path": "a", (name): "canary-12345" }));
            let recorded = serde_json::to_string(&recorded.unwrap()).unwrap();
            assert!(!recorded.contains("canary"), "{name}");
        }
        let undo = json!({ "call": "call-1" });
        let whole = Args { sha256: hash::of_json(&undo), shown: undo.clone() };
        assert_eq!(load(dir.path(), &whole).unwrap(), undo);
    }
}
