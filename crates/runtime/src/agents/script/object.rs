//! A JSON object whose keys stay in the order they were put: the CLIs' lines are imitated down to
//! that. Not for records of ours, which have types.

use serde::Serialize;

/// An object under construction, as text.
#[derive(Debug, Default)]
pub(super) struct Object(String);

impl Object {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// An object that begins with its type.
    pub(super) fn of(kind: &str) -> Self {
        Self::new().put("type", kind)
    }

    /// Adds a value.
    pub(super) fn put(self, key: &str, value: impl Serialize) -> Self {
        let value = serde_json::to_string(&value).expect("plain values always become JSON");
        self.piece(key, &value)
    }

    /// Adds a value that may not be there; then the key is not either.
    pub(super) fn maybe(self, key: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.put(key, value),
            None => self,
        }
    }

    /// Adds an object.
    pub(super) fn nest(self, key: &str, inner: Self) -> Self {
        self.piece(key, &inner.finish())
    }

    /// Adds a list of objects.
    pub(super) fn list(self, key: &str, all: impl IntoIterator<Item = Self>) -> Self {
        let all: Vec<String> = all.into_iter().map(Self::finish).collect();
        self.piece(key, &format!("[{}]", all.join(",")))
    }

    /// The whole object.
    pub(super) fn finish(self) -> String {
        format!("{{{}}}", self.0)
    }

    fn piece(mut self, key: &str, json: &str) -> Self {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        let key = serde_json::to_string(key).expect("a string always becomes JSON");
        self.0.push_str(&key);
        self.0.push(':');
        self.0.push_str(json);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_in_order_and_values_are_escaped() {
        let inner = Object::new().put("b\"", "x\ny").maybe("gone", None::<u8>).put("a", 1);
        let text = Object::of("z").nest("in", inner).list("l", [Object::new()]).finish();
        assert_eq!(text, r#"{"type":"z","in":{"b\"":"x\ny","a":1},"l":[{}]}"#);
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }
}
