//! Arguments of the reading tools as they come in: names and their aliases, unknown ones refused,
//! each value checked against its kind and bounds. One table says all of it, and the JSON Schema
//! that is shown is drawn from the same table.

use serde_json::{Map, Value, json};

use super::fault::Fault;

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    Text,
    Flag,
    Whole { least: u64, most: u64 },
    Word(&'static [&'static str]),
}

/// One argument.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arg {
    pub name: &'static str,
    /// What other programs call it.
    pub aliases: &'static [&'static str],
    pub shape: Shape,
    /// The value taken when it is absent, as JSON; empty if it has none.
    pub default: &'static str,
    pub needed: Needed,
}

/// Whether an argument must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needed {
    Always,
    No,
}

impl Arg {
    pub(super) const fn new(name: &'static str, shape: Shape) -> Self {
        Self { name, aliases: &[], shape, default: "", needed: Needed::No }
    }

    pub(super) const fn needed(self) -> Self {
        Self { needed: Needed::Always, ..self }
    }

    pub(super) const fn or(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    pub(super) const fn also(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    fn expected(&self) -> String {
        match self.shape {
            Shape::Text => "a text".to_owned(),
            Shape::Flag => "true or false".to_owned(),
            Shape::Whole { least, most: u64::MAX } => format!("a whole number ≥ {least}"),
            Shape::Whole { least, most } => format!("a whole number from {least} to {most}"),
            Shape::Word(words) => format!("one of {}", words.join(", ")),
        }
    }

    fn fits(&self, value: &Value) -> bool {
        match self.shape {
            Shape::Text => value.is_string(),
            Shape::Flag => value.is_boolean(),
            Shape::Whole { least, most } => {
                value.as_u64().is_some_and(|number| (least..=most).contains(&number))
            }
            Shape::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.shape {
            Shape::Text => json!({ "type": "string" }),
            Shape::Flag => json!({ "type": "boolean" }),
            Shape::Whole { least, most: u64::MAX } => {
                json!({ "type": "integer", "minimum": least })
            }
            Shape::Whole { least, most } => {
                json!({ "type": "integer", "minimum": least, "maximum": most })
            }
            Shape::Word(words) => json!({ "enum": words }),
        };
        if let Ok(default) = serde_json::from_str::<Value>(self.default) {
            schema["default"] = default;
        }
        schema
    }
}

/// Arguments under their own names, defaults filled in.
pub(super) struct Taken {
    values: Map<String, Value>,
}

/// Reads arguments against their table.
///
/// # Errors
/// The first argument that is unknown, missing, given twice or of another kind.
pub(super) fn take(table: &[Arg], args: &Value) -> Result<Taken, Fault> {
    let given = args.as_object().ok_or_else(|| bad("", "an object".to_owned()))?;
    let mut values = Map::new();
    for (name, value) in given {
        let found = table.iter().find(|arg| arg.name == name || arg.aliases.contains(&&**name));
        let arg = found.ok_or_else(|| {
            let known: Vec<&str> = table.iter().map(|arg| arg.name).collect();
            bad(name, format!("one of {}", known.join(", ")))
        })?;
        if value.is_null() && arg.needed == Needed::No {
            continue;
        }
        if !arg.fits(value) {
            return Err(bad(name, arg.expected()));
        }
        if values.insert(arg.name.to_owned(), value.clone()).is_some() {
            return Err(bad(arg.name, "only one of its names".to_owned()));
        }
    }
    for arg in table {
        if values.contains_key(arg.name) {
            continue;
        }
        match serde_json::from_str::<Value>(arg.default) {
            Ok(default) => drop(values.insert(arg.name.to_owned(), default)),
            Err(_) if arg.needed == Needed::Always => return Err(bad(arg.name, arg.expected())),
            Err(_) => {}
        }
    }
    Ok(Taken { values })
}

impl Taken {
    /// A text; empty where an optional one is absent.
    pub(super) fn text(&self, name: &str) -> String {
        self.text_if(name).unwrap_or_default()
    }

    pub(super) fn text_if(&self, name: &str) -> Option<String> {
        self.values.get(name)?.as_str().map(ToOwned::to_owned)
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.values.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    pub(super) fn whole(&self, name: &str) -> usize {
        let number = self.values.get(name).and_then(Value::as_u64).unwrap_or_default();
        usize::try_from(number).unwrap_or(usize::MAX)
    }
}

/// An argument that does not fit, by its name.
pub(super) fn bad(name: &str, expected: String) -> Fault {
    let escaped = name.replace('~', "~0").replace('/', "~1");
    let at = if name.is_empty() { String::new() } else { format!("/{escaped}") };
    Fault::Args { at, expected }
}

/// The JSON Schema of a table.
pub(super) fn schema(title: &str, table: &[Arg]) -> Value {
    let members: Map<String, Value> =
        table.iter().map(|arg| (arg.name.to_owned(), arg.schema())).collect();
    let needed: Vec<&str> =
        table.iter().filter(|arg| arg.needed == Needed::Always).map(|arg| arg.name).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "properties": members,
        "required": needed,
        "additionalProperties": false,
    })
}
