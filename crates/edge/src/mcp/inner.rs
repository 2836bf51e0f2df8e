//! The tools of an agent's own call, by the names agents know them by. What they do is the engine's
//! business.

use kernel::call;
use runtime::tools;
use serde_json::{Value, json};

use super::wire::{NotCalled, Offer, Told};
use super::work;

/// Tools by the names agents know them by.
const OFFERED: [(&str, &str, &str); 9] = [
    ("read_file", "read", "Read a file of the workspace, with its hash."),
    ("list_dir", "list", "List a directory of the workspace."),
    ("search", "search", "Search the files of the workspace."),
    ("search_semantic", "search_semantic", "Search the workspace by meaning."),
    ("apply_patch", "apply_patch", "Change files by a patch that fits exactly."),
    ("write_file", "write", "Write a file; `expect` is the hash that was read."),
    ("delete_file", "delete", "Delete a file; `expect` is the hash that was read."),
    ("run_command", call::RUN, "Run a program, without a shell."),
    ("create_checkpoint", call::CHECKPOINT, "Keep the workspace as it is."),
];

/// Words of a schema that some clients take no tool with, at its top. What they say is checked when
/// the tool is called.
const CHOICES: [&str; 6] = ["oneOf", "anyOf", "allOf", "not", "if", "$schema"];

/// Every one of them, as clients list it.
pub(super) fn offered() -> Vec<Value> {
    OFFERED.map(listed).to_vec()
}

/// The tool behind a name that agents know.
pub(super) fn behind(asked: &str) -> Option<&'static str> {
    OFFERED.iter().find(|(name, _, _)| *name == asked).map(|(_, tool, _)| *tool)
}

/// The tools of one call.
pub struct Inner<F>(pub F);

impl<F: FnMut(&str, &Value) -> Told> Offer for Inner<F> {
    fn tools(&self) -> Vec<Value> {
        let mut all = offered();
        all.extend(work::looks());
        all
    }

    fn call(&mut self, asked: &str, args: &Value) -> Result<Told, NotCalled> {
        // The engine knows further names by which a tool is called.
        Ok((self.0)(behind(asked).unwrap_or(asked), args))
    }
}

fn listed((name, tool, about): (&str, &str, &str)) -> Value {
    let declared = call::named(tool).map(tools::declared).unwrap_or_default();
    let schema = declared.get("args_schema").filter(|schema| !schema.is_null()).cloned();
    let mut schema = schema.unwrap_or_else(|| json!({ "type": "object" }));
    if let Some(members) = schema.as_object_mut() {
        members.retain(|word, _| !CHOICES.contains(&word.as_str()));
    }
    json!({ "name": name, "description": about, "inputSchema": schema })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_called_by_its_own_name() {
        let mut seen = Vec::new();
        let mut inner = Inner(|name: &str, _: &Value| {
            seen.push(name.to_owned());
            Told { text: String::new(), data: None, ok: true }
        });
        for name in ["write_file", "run_command", "other"] {
            inner.call(name, &json!({})).unwrap();
        }
        assert_eq!(inner.tools().len(), OFFERED.len() + work::LOOKS.len());
        assert_eq!(seen, ["write", call::RUN, "other"]);
    }

    #[test]
    fn every_offered_tool_is_there() {
        for (name, tool, about) in OFFERED {
            assert!(call::named(tool).is_some(), "{name}");
            let schema = &listed((name, tool, about))["inputSchema"];
            assert!(schema["properties"].is_object(), "{name}: {schema}");
            assert!(CHOICES.iter().all(|word| schema.get(*word).is_none()), "{name}: {schema}");
        }
    }
}
