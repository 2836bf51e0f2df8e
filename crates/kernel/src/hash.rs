//! SHA-256 of canonical JSON: the one way approvals and requests are bound to what was shown.
//! Not the journal's chain, which hashes bytes as stored.

use alloc::string::String;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Lower-case hex SHA-256 of bytes.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lower-case hex of bytes.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    out
}

/// Hash of a JSON value with its object keys sorted, so that the order in which a library keeps
/// them can never void or forge an approval.
#[must_use]
pub fn of_json(value: &Value) -> String {
    let mut text = String::new();
    canonical(value, &mut text);
    sha256_hex(text.as_bytes())
}

fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut keys: alloc::vec::Vec<&String> = map.keys().collect();
            keys.sort();
            out.push('{');
            for (i, key) in keys.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                out.push_str(&alloc::string::ToString::to_string(&Value::from(key.as_str())));
                out.push(':');
                canonical(&map[key], out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                canonical(item, out);
            }
            out.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            out.push_str(&alloc::string::ToString::to_string(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_order_does_not_matter() {
        let a: Value = serde_json::from_str(r#"{"b":[1,{"y":2,"x":"é"}],"a":null}"#).unwrap();
        let b: Value = serde_json::from_str(r#"{"a":null,"b":[1,{"x":"é","y":2}]}"#).unwrap();
        assert_eq!(of_json(&a), of_json(&b));
        assert_ne!(of_json(&a), of_json(&Value::Null));
    }
}
