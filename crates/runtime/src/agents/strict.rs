//! JSON as an answer must be: every key once, not too deep, not too large. Ordinary parsing takes
//! the last of two equal keys, so that two readers may see two answers.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The largest JSON that is read: the longest answer there can be.
pub const JSON_BYTES_MAX: usize = 4 << 20;
/// How deep it may go; no schema that people write goes near it.
pub const DEPTH_MAX: usize = 64;
/// How much of a repeated key is told.
const KEY_BYTES_TOLD: usize = 100;

/// Why a text is not taken as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is none.
    NotJson,
    /// An object has this key twice.
    DuplicateKey(String),
    /// Deeper than [`DEPTH_MAX`].
    TooDeep,
    /// Larger than [`JSON_BYTES_MAX`].
    TooLarge,
}

/// The value that `text` is.
///
/// # Errors
/// When it is not exactly one, or one of the bounds is passed.
pub fn parse(text: &str) -> Result<Value, Fault> {
    if text.len() > JSON_BYTES_MAX {
        return Err(Fault::TooLarge);
    }
    let fault = RefCell::new(Fault::NotJson);
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict { depth: 0, fault: &fault }.deserialize(&mut reader);
    let value = value.and_then(|value| reader.end().map(|()| value));
    value.map_err(|_| fault.into_inner())
}

#[derive(Clone, Copy)]
struct Strict<'f> {
    depth: usize,
    fault: &'f RefCell<Fault>,
}

impl Strict<'_> {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        if self.depth == DEPTH_MAX {
            return Err(self.fail(Fault::TooDeep));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }

    fn fail<E: Error>(self, fault: Fault) -> E {
        self.fault.replace(fault);
        E::custom("refused")
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("not finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                let told = super::fold::cut(&key, KEY_BYTES_TOLD).to_owned();
                return Err(self.fail(Fault::DuplicateKey(told)));
            }
            map.insert(key, entries.next_value_seed(inner)?);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults() {
        let deep = |n: usize| format!("{}1{}", "[".repeat(n), "]".repeat(n));
        let table = [
            (r#"{"a":[1,-2,3.5,"x",null,true]}"#.to_owned(), Ok(())),
            (r#"{"a":1,"b":{"a":2}}"#.to_owned(), Ok(())),
            (r#"{"a":1,"a":1}"#.to_owned(), Err(Fault::DuplicateKey("a".into()))),
            (r#"[{"x":{"k":1,"k":2}}]"#.to_owned(), Err(Fault::DuplicateKey("k".into()))),
            (deep(DEPTH_MAX), Ok(())),
            (deep(DEPTH_MAX + 1), Err(Fault::TooDeep)),
            (deep(100_000), Err(Fault::TooDeep)),
            ("1 2".to_owned(), Err(Fault::NotJson)),
            ("1e999".to_owned(), Err(Fault::NotJson)),
            (String::new(), Err(Fault::NotJson)),
            ("x".repeat(JSON_BYTES_MAX + 1), Err(Fault::TooLarge)),
        ];
        for (text, expected) in table {
            let start = super::super::fold::cut(&text, 40).to_owned();
            assert_eq!(parse(&text).map(|_| ()), expected, "{start}");
        }
        let text = r#"{"b":1,"a":[{"z":0.5}]}"#;
        assert_eq!(parse(text).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }
}
