//! JSON Schemas that answers must meet. References lead nowhere outside the schema, and patterns
//! are matched in time that grows with the text alone, because both come from people and models.

use jsonschema::{PatternOptions, Validator};
use kernel::agent::Issue;
use serde_json::Value;

use super::fold::cut;
use super::strict::{self, Fault};

/// The largest schema; it is a part of every prompt that asks for it.
pub const SCHEMA_BYTES_MAX: usize = 64 << 10;
/// Issues told of one answer; an agent does not read more.
pub const ISSUES_MAX: usize = 20;
/// One side of an issue.
const SIDE_BYTES_MAX: usize = 200;
/// Above this, only the first issue is looked for: there may be as many as there are values.
const ALL_ISSUES_BYTES_MAX: usize = 256 << 10;

/// Why a text is no schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSchema {
    /// Larger than [`SCHEMA_BYTES_MAX`].
    #[error("larger than {SCHEMA_BYTES_MAX} bytes")]
    TooLarge,
    /// No JSON that we take.
    #[error("not JSON: {0:?}")]
    Unreadable(Fault),
    /// JSON, but no schema, or one that refers to something outside.
    #[error("no schema at {pointer:?}: {why}")]
    Invalid {
        /// JSON Pointer into it.
        pointer: String,
        /// What is wrong, in technical words.
        why: String,
    },
}

/// The one text that a valid schema is recorded and compared as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical(String);

impl Canonical {
    /// The text.
    #[must_use]
    pub fn into_text(self) -> String {
        self.0
    }
}

/// A schema, ready to be used.
#[derive(Debug)]
pub struct Schema {
    value: Value,
    validator: Validator,
}

/// Checks a schema where it comes in.
///
/// # Errors
/// When it is none that we take.
pub fn valid_schema(text: &str) -> Result<Canonical, BadSchema> {
    // Object keys are kept sorted, so the same schema is always the same text.
    Schema::read(text).map(|schema| Canonical(schema.value.to_string()))
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// When it is none that we take.
    pub fn read(text: &str) -> Result<Self, BadSchema> {
        if text.len() > SCHEMA_BYTES_MAX {
            return Err(BadSchema::TooLarge);
        }
        let value = strict::parse(text).map_err(BadSchema::Unreadable)?;
        if !value.is_object() && !value.is_boolean() {
            let why = "not an object".to_owned();
            return Err(BadSchema::Invalid { pointer: String::new(), why });
        }
        let options = jsonschema::options().with_pattern_options(PatternOptions::regex());
        let validator = options.offline().build(&value).map_err(|error| BadSchema::Invalid {
            pointer: error.instance_path().to_string(),
            why: cut(&error.to_string(), SIDE_BYTES_MAX).to_owned(),
        })?;
        Ok(Self { value, validator })
    }

    /// Whether it describes a list.
    #[must_use]
    pub fn wants_list(&self) -> bool {
        self.value["type"] == "array"
    }

    /// What is wrong with a value; nothing if it meets the schema.
    #[must_use]
    pub fn issues(&self, value: &Value, bytes: usize) -> Vec<Issue> {
        if bytes > ALL_ISSUES_BYTES_MAX {
            return self.validator.validate(value).err().iter().map(|e| self.issue(e)).collect();
        }
        // In an order of our own: reading an answer twice must tell the same.
        let mut errors: Vec<_> = self.validator.iter_errors(value).collect();
        errors.sort_by_cached_key(|e| (e.instance_path().to_string(), e.schema_path().to_string()));
        errors.iter().take(ISSUES_MAX).map(|error| self.issue(error)).collect()
    }

    fn issue(&self, error: &jsonschema::ValidationError<'_>) -> Issue {
        let keyword = error.kind().keyword();
        let wanted = self.value.pointer(&error.schema_path().to_string());
        let expected = wanted.map_or_else(|| keyword.to_owned(), |w| format!("{keyword} {w}"));
        Issue {
            pointer: cut(&error.instance_path().to_string(), SIDE_BYTES_MAX).to_owned(),
            expected: cut(&expected, SIDE_BYTES_MAX).to_owned(),
            found: cut(&error.instance().to_string(), SIDE_BYTES_MAX).to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_that_are_taken_and_not() {
        let table = [
            (r#"{"type":"object"}"#, true),
            ("true", true),
            (r##"{"$defs":{"a":{"type":"string"}},"$ref":"#/$defs/a"}"##, true),
            (r#"{"type":"strnig"}"#, false),
            (r#"{"$ref":"https://example.com/x.json"}"#, false),
            (r#"{"$ref":"file:///etc/passwd"}"#, false),
            (r##"{"$ref":"#/nowhere"}"##, false),
            (r#"{"pattern":"(a"}"#, false),
            (r#"{"type":"string","type":"string"}"#, false),
            ("[]", false),
            ("nonsense", false),
        ];
        for (text, expected) in table {
            assert_eq!(valid_schema(text).is_ok(), expected, "{text}: {:?}", valid_schema(text));
        }
        let same = [r#"{"type":"object","title":"x"}"#, r#" {"title":"x", "type":"object"}"#];
        assert_eq!(valid_schema(same[0]), valid_schema(same[1]));
        assert_eq!(valid_schema(&" ".repeat(SCHEMA_BYTES_MAX + 1)), Err(BadSchema::TooLarge));
    }

    #[test]
    fn issues_are_told_and_capped() {
        let text = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["ok"]}"#;
        let schema = Schema::read(text).unwrap();
        let issues = schema.issues(&serde_json::json!({"n":"x"}), 9);
        let told: Vec<_> =
            issues.iter().map(|i| [&i.pointer[..], &i.expected, &i.found].join("|")).collect();
        assert_eq!(told, ["|required [\"ok\"]|{\"n\":\"x\"}", "/n|type \"integer\"|\"x\""]);
        let list = Schema::read(r#"{"type":"array","items":{"type":"string"}}"#).unwrap();
        let many = Value::Array(vec![Value::Null; 1000]);
        assert_eq!(list.issues(&many, 5000).len(), ISSUES_MAX);
        assert_eq!(list.issues(&many, ALL_ISSUES_BYTES_MAX + 1).len(), 1);
        assert!(list.wants_list() && !schema.wants_list());
    }
}
