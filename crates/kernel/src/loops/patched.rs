//! How a changed field that may be emptied is stored: absent or null for no change, `false` for
//! emptied, else its new value. Null can't say both: older facts hold it for no change.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum Stored<T> {
    Emptied(bool),
    Set(T),
}

pub(super) fn serialize<T: Serialize, S: Serializer>(
    field: &Option<Option<T>>,
    out: S,
) -> Result<S::Ok, S::Error> {
    match field {
        None => out.serialize_none(),
        Some(None) => out.serialize_bool(false),
        Some(Some(value)) => value.serialize(out),
    }
}

pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<Option<T>>, D::Error> {
    Ok(Option::<Stored<T>>::deserialize(from)?.map(|stored| match stored {
        Stored::Emptied(false | true) => None,
        Stored::Set(value) => Some(value),
    }))
}
