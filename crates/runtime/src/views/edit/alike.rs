//! Three documents side by side: what the author started from, what they wrote, what is now. A
//! field is compared by meaning: an absent one is null, a moment may have another offset, and `ext`
//! is not theirs.

use serde_json::Value;

use super::super::moment;

/// The same place of the three documents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides<'a> {
    pub base: &'a Value,
    pub edit: &'a Value,
    pub now: &'a Value,
}

/// What became of a place since its author read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    /// The author left it alone, or wrote what is there already.
    Same,
    /// Only the author changed it.
    Changed,
    /// Both did.
    Both,
}

impl<'a> Sides<'a> {
    /// A field below.
    pub(super) fn at(self, key: &str) -> Self {
        Self { base: &self.base[key], edit: &self.edit[key], now: &self.now[key] }
    }

    pub(super) fn moved(self) -> Moved {
        if alike(self.edit, self.base) || alike(self.edit, self.now) {
            Moved::Same
        } else if alike(self.base, self.now) {
            Moved::Changed
        } else {
            Moved::Both
        }
    }

    /// The names of fields that the author had or wrote, `ext` left out, sorted.
    pub(super) fn keys(self) -> Vec<&'a str> {
        let of = |value: &'a Value| value.as_object().into_iter().flat_map(|map| map.keys());
        let mut keys: Vec<&str> = of(self.base)
            .chain(of(self.edit))
            .map(String::as_str)
            .filter(|k| *k != "ext")
            .collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

/// Whether two values mean the same.
pub(super) fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => one == other || moment::same(one, other),
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64().is_some_and(|number| Some(number) == other.as_f64())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            let same = |key: &String| key == "ext" || alike(&one[key], &other[key]);
            ours.keys().chain(theirs.keys()).all(same)
        }
        (one, other) => one == other,
    }
}

/// The entries an author added to a list that only grows; none if it is not what they started from
/// with more behind it. Entries that are there already are left out.
pub(super) fn tail(sides: Sides<'_>) -> Option<Vec<&Value>> {
    if !matches!(sides.edit, Value::Null | Value::Array(_)) {
        return None;
    }
    let empty: &[Value] = &[];
    let base = sides.base.as_array().map_or(empty, Vec::as_slice);
    let edit = sides.edit.as_array().map_or(empty, Vec::as_slice);
    let now = sides.now.as_array().map_or(empty, Vec::as_slice);
    let kept = edit.len() >= base.len() && base.iter().zip(edit).all(|(b, e)| alike(b, e));
    if !kept {
        return None;
    }
    let since = now.get(base.len()..).unwrap_or_default();
    let new = |entry: &&Value| !since.iter().any(|known| alike(known, entry));
    Some(edit[base.len()..].iter().filter(new).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_compared_by_meaning() {
        for (one, other, expected) in [
            (json!(10), json!(10.0), true),
            (json!(10), json!("10"), false),
            (json!({"a": null}), json!({}), true),
            (json!({"a": 1, "ext": {"rev": 1}}), json!({"a": 1}), true),
            (json!("2026-01-22T02:00:00.000Z"), json!("2026-01-22T10:00:00+08:00"), true),
            (json!([1, 2]), json!([1]), false),
            (json!(null), json!(false), false),
        ] {
            assert_eq!(alike(&one, &other), expected, "{one} {other}");
        }
    }

    #[test]
    fn a_place_moves_by_its_author_or_by_both() {
        for (base, edit, now, expected) in [
            (1, 1, 1, Moved::Same),
            (1, 1, 2, Moved::Same),
            (1, 2, 2, Moved::Same),
            (1, 2, 1, Moved::Changed),
            (1, 2, 3, Moved::Both),
        ] {
            let (base, edit, now) = (json!(base), json!(edit), json!(now));
            assert_eq!(Sides { base: &base, edit: &edit, now: &now }.moved(), expected);
        }
    }

    #[test]
    fn a_growing_list_gives_what_was_added() {
        for (base, edit, now, expected) in [
            (json!([1]), json!([1, 2]), json!([1]), Some(vec![json!(2)])),
            (json!([1]), json!([1, 2, 4]), json!([1, 4]), Some(vec![json!(2)])),
            (json!([1]), json!([2]), json!([1]), None),
            (json!([1]), json!(null), json!([1]), None),
            (json!(null), json!([1]), json!(null), Some(vec![json!(1)])),
            (json!([]), json!("x"), json!([]), None),
        ] {
            let found = tail(Sides { base: &base, edit: &edit, now: &now });
            let found = found.map(|all| all.into_iter().cloned().collect::<Vec<_>>());
            assert_eq!(found, expected, "{base} {edit} {now}");
        }
    }
}
