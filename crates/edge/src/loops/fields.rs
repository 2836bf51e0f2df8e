//! The fields of a JSON body, each read as what it has to be. A field that nobody asked for is
//! refused, so that a misspelt one is not taken for none.

use std::path::{Component, Path, PathBuf};

use kernel::errors::Machine;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::problem::Raised;
use crate::site::refused;

/// What a body has left to read.
#[derive(Debug)]
pub struct Fields {
    machine: Machine,
    left: Map<String, Value>,
}

impl Fields {
    /// The fields of an object; nothing at all is an empty one.
    ///
    /// # Errors
    /// Anything else.
    pub fn of(body: Value) -> Result<Self, Raised> {
        Self::to(Machine::Loop, body)
    }

    /// The same for what is said to another machine.
    ///
    /// # Errors
    /// As [`Fields::of`].
    pub fn to(machine: Machine, body: Value) -> Result<Self, Raised> {
        match body {
            Value::Object(left) => Ok(Self { machine, left }),
            Value::Null => Ok(Self { machine, left: Map::new() }),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                Err(bad(machine, "$", &body, "object"))
            }
        }
    }

    /// A field that cannot be taken.
    #[must_use]
    pub fn bad(&self, field: &str, found: &Value, expected: &str) -> Raised {
        bad(self.machine, field, found, expected)
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        self.left.remove(name).filter(|value| !value.is_null())
    }

    /// A text, if it is there.
    ///
    /// # Errors
    /// Anything but a text.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, Raised> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.bad(name, &other, "string")),
        }
    }

    /// A text that has to be there.
    ///
    /// # Errors
    /// None, or anything but a text.
    pub fn must(&mut self, name: &str) -> Result<String, Raised> {
        self.text(name)?.ok_or_else(|| self.bad(name, &Value::Null, "string"))
    }

    /// A list of texts, if it is there.
    ///
    /// # Errors
    /// Anything but a list of texts.
    pub fn texts(&mut self, name: &str) -> Result<Option<Vec<String>>, Raised> {
        let Some(value) = self.take(name) else { return Ok(None) };
        serde_json::from_value(value.clone())
            .map_err(|_| self.bad(name, &value, "array of strings"))
    }

    /// A whole number, if it is there.
    ///
    /// # Errors
    /// Anything but a whole number of a size that can be meant.
    pub fn whole(&mut self, name: &str) -> Result<Option<u32>, Raised> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let whole = value.as_u64().and_then(|number| u32::try_from(number).ok());
        whole.map(Some).ok_or_else(|| self.bad(name, &value, "integer"))
    }

    /// Yes or no; no where it is not said.
    ///
    /// # Errors
    /// Anything else.
    pub fn yes(&mut self, name: &str) -> Result<bool, Raised> {
        self.whether(name).map(Option::unwrap_or_default)
    }

    /// Yes or no, if it is said.
    ///
    /// # Errors
    /// Anything else.
    pub fn whether(&mut self, name: &str) -> Result<Option<bool>, Raised> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(yes)) => Ok(Some(yes)),
            Some(other) => Err(self.bad(name, &other, "boolean")),
        }
    }

    /// Whatever is there.
    pub fn any(&mut self, name: &str) -> Option<Value> {
        self.take(name)
    }

    /// The objects of a list; none where it is not there.
    ///
    /// # Errors
    /// Anything but a list of objects.
    pub fn each(&mut self, name: &str) -> Result<Vec<Self>, Raised> {
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(all)) => {
                all.into_iter().map(|one| Self::to(self.machine, one)).collect()
            }
            Some(other) => Err(self.bad(name, &other, "array of objects")),
        }
    }

    /// A time, in milliseconds or as people write it.
    ///
    /// # Errors
    /// Anything else.
    pub fn ms(&mut self, name: &str) -> Result<Option<u64>, Raised> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let written = value.as_str().and_then(runtime::config::duration_ms);
        let ms = value.as_u64().or(written);
        ms.map(Some).ok_or_else(|| self.bad(name, &value, "30s, 10m, 1500ms"))
    }

    /// A path below the workspace, if it is there: what lies elsewhere is nobody's business at a
    /// door that takes JSON.
    ///
    /// # Errors
    /// Any other path.
    pub fn inside(&mut self, name: &str) -> Result<Option<PathBuf>, Raised> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        let path = Path::new(&text);
        if text.is_empty() || !path.components().all(plain) {
            return Err(self.bad(name, &json!(text), "a path in the workspace"));
        }
        Ok(Some(path.to_owned()))
    }

    /// An object, if it is there.
    ///
    /// # Errors
    /// Anything else.
    pub fn object(&mut self, name: &str) -> Result<Option<Value>, Raised> {
        match self.take(name) {
            None => Ok(None),
            Some(object @ Value::Object(_)) => Ok(Some(object)),
            Some(other) => Err(self.bad(name, &other, "object")),
        }
    }

    /// One of these words, if it is there.
    ///
    /// # Errors
    /// Any other.
    pub fn word<'a>(&mut self, name: &str, known: &[&'a str]) -> Result<Option<&'a str>, Raised> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let found = known.iter().find(|word| **word == text);
        found.copied().map(Some).ok_or_else(|| self.bad(name, &json!(text), &known.join(", ")))
    }

    /// All that is left, as a form that names its own fields.
    ///
    /// # Errors
    /// What does not fit.
    pub fn form<T: DeserializeOwned>(self) -> Result<T, Raised> {
        let machine = self.machine;
        serde_json::from_value(self.rest())
            .map_err(|why| bad(machine, "$", &Value::Null, &why.to_string()))
    }

    /// All that is left, as one value.
    #[must_use]
    pub fn rest(self) -> Value {
        Value::Object(self.left)
    }

    /// That nothing is left.
    ///
    /// # Errors
    /// The first field that nobody asked for.
    pub fn done(self) -> Result<(), Raised> {
        match self.left.into_iter().next() {
            None => Ok(()),
            Some((name, value)) => Err(bad(self.machine, &name, &value, "-")),
        }
    }
}

/// A field that cannot be taken.
fn bad(machine: Machine, field: &str, found: &Value, expected: &str) -> Raised {
    let details = json!({
        "field": field, "path": format!("/{field}"), "found": found, "expected": expected,
        "problem": format!("{found} ({expected})"),
    });
    refused(machine, "invalid_args", details)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(raised: Raised) -> String {
        raised.details["field"].as_str().unwrap_or_default().to_owned()
    }

    #[test]
    fn what_is_not_asked_for_or_not_of_its_form_is_named() {
        let body = || json!({ "a": "x", "n": 3, "no": null, "list": ["x"], "yes": true });
        let mut fields = Fields::of(body()).unwrap();
        assert_eq!(fields.text("no").unwrap(), None);
        assert_eq!((fields.must("a").unwrap(), fields.whole("n").unwrap()), ("x".into(), Some(3)));
        assert_eq!(fields.texts("list").unwrap(), Some(vec!["x".into()]));
        assert!(fields.yes("yes").unwrap() && !fields.yes("never").unwrap());
        fields.done().unwrap();
        let wrong = |act: &dyn Fn(&mut Fields) -> Option<Raised>| {
            act(&mut Fields::of(body()).unwrap()).map(field).unwrap_or_default()
        };
        assert_eq!(wrong(&|fields| fields.text("n").err()), "n");
        assert_eq!(wrong(&|fields| fields.whole("a").err()), "a");
        assert_eq!(wrong(&|fields| fields.yes("list").err()), "list");
        assert_eq!(wrong(&|fields| fields.must("gone").err()), "gone");
        assert_eq!(
            field(Fields::of(json!({ "titel": "x" })).unwrap().done().unwrap_err()),
            "titel"
        );
        assert_eq!(field(Fields::of(json!([])).unwrap_err()), "$");
        Fields::of(Value::Null).unwrap().done().unwrap();
    }
}
