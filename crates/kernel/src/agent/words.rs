//! What an agent is told about the form of its answer: one wording for every machine that wants
//! JSON of an agent.

use alloc::format;
use alloc::string::String;

/// Asks for one JSON value that meets a schema, in the run's language.
#[must_use]
pub fn ask_json(lang: &str, schema: &str) -> String {
    if lang.starts_with("zh") {
        format!("只回答一个 JSON 值，不要任何其他内容。它必须符合以下 JSON Schema：\n{schema}")
    } else {
        format!(
            "Answer with one JSON value and nothing else. It must meet this JSON Schema:\n{schema}"
        )
    }
}
