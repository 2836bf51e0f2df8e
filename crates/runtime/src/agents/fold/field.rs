//! Looking into an event's fields. A field of another type than expected is absent.

use kernel::agent::Usage;
use serde_json::Value;

/// Dollars to millionths.
const MICROS: f64 = 1e6;
/// More than any call costs, and well inside what both number types hold exactly.
const COST_USD_MAX: f64 = 1e9;

pub(super) fn text<'a>(of: &'a Value, key: &str) -> Option<&'a str> {
    of.get(key)?.as_str()
}

pub(super) fn number(of: &Value, key: &str) -> Option<u64> {
    of.get(key)?.as_u64()
}

pub(super) fn list<'a>(of: &'a Value, key: &str) -> &'a [Value] {
    of.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A text that is given as a string, or as a list of blocks with a `text` each.
pub(super) fn prose(of: Option<&Value>) -> Option<String> {
    match of? {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => Some(blocks.iter().filter_map(|b| text(b, "text")).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

/// A price in dollars, as millionths; none if it is not one.
pub(super) fn micros(usd: Option<&Value>) -> Option<u64> {
    let usd = usd?.as_f64().filter(|usd| (0.0..=COST_USD_MAX).contains(usd))?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 1e15 by the filter above"
    )]
    let micros = (usd * MICROS).round() as u64;
    Some(micros)
}

/// What this call spent, where the CLI counts over the whole conversation: unknown when either
/// number is, or when the count went back.
pub(super) fn since(
    told: Option<u64>,
    asked: Option<&String>,
    recorded: Option<u64>,
) -> Option<u64> {
    match asked {
        None => told,
        Some(_) => told?.checked_sub(recorded?),
    }
}

/// The same for all token counts. What is not counted over the conversation is left to the caller.
pub(super) fn tokens_since(told: Usage, asked: Option<&String>, recorded: Usage) -> Usage {
    Usage {
        input_tokens: since(told.input_tokens, asked, recorded.input_tokens),
        output_tokens: since(told.output_tokens, asked, recorded.output_tokens),
        cached_tokens: since(told.cached_tokens, asked, recorded.cached_tokens),
        reasoning_tokens: since(told.reasoning_tokens, asked, recorded.reasoning_tokens),
        cost_micros: told.cost_micros,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invariant_unknown_usage_is_null() {
        let id = "x".to_owned();
        let table = [
            (Some(5), None, None, Some(5)),
            (None, None, Some(3), None),
            (Some(5), Some(&id), Some(3), Some(2)),
            (Some(5), Some(&id), None, None),
            (Some(2), Some(&id), Some(3), None),
            (Some(0), None, None, Some(0)),
        ];
        for (told, asked, recorded, expected) in table {
            assert_eq!(since(told, asked, recorded), expected, "{told:?} {asked:?} {recorded:?}");
        }
        let prices = [
            (serde_json::json!(0.00135), Some(1350)),
            (serde_json::json!(0), Some(0)),
            (serde_json::json!(-1), None),
            (serde_json::json!(1e300), None),
            (serde_json::json!("1"), None),
        ];
        for (usd, expected) in prices {
            assert_eq!(micros(Some(&usd)), expected, "{usd}");
        }
        assert_eq!(micros(None), None);
    }
}
