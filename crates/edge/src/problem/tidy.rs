//! Keeps what a door shows short, local and free of secrets: cuts sentences, shows the home
//! directory as `~`, bounds details. It adds nothing.

use runtime::redact::Redactor;
use serde_json::{Map, Value, json};

/// A sentence longer than this is not read.
const MESSAGE_CHARS_MAX: usize = 200;
/// How far back a cut looks for the end of a word; Chinese has no blanks and is cut where it is.
const WORD_CHARS: usize = 40;
/// The first ten errors tell what is wrong; the rest is counted.
const ERRORS_LISTED_MAX: usize = 10;
/// Details beyond this belong into a file that is named.
const DETAILS_BYTES_MAX: usize = 16 * 1024;
/// Above that bound each text is cut to this.
const DETAIL_CHARS_MAX: usize = 200;

/// Cut at a word.
pub(super) fn cut(text: &str) -> String {
    if text.chars().count() <= MESSAGE_CHARS_MAX {
        return text.to_owned();
    }
    let kept: String = text.chars().take(MESSAGE_CHARS_MAX - 1).collect();
    let word = kept.rfind(char::is_whitespace);
    let near = word.filter(|at| kept[*at..].chars().count() <= WORD_CHARS);
    format!("{}…", kept[..near.unwrap_or(kept.len())].trim_end())
}

/// The home directory as `~`, wherever a path begins with it.
pub(super) fn without_home(text: &str, home: &str) -> String {
    let home = home.trim_end_matches('/');
    if home.is_empty() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(home) {
        let after = &rest[at + home.len()..];
        let ends = !after.starts_with(|c: char| c.is_alphanumeric() || "._-".contains(c));
        out.push_str(&rest[..at]);
        out.push_str(if ends { "~" } else { home });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Details as a door shows them.
pub(super) fn details(value: &Value, home: &str, redactor: &Redactor) -> Value {
    let mut shown = match each(value, &|text| without_home(&redactor.redact_text(text), home)) {
        Value::Object(fields) => fields,
        Value::Null => Map::new(),
        other @ (Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
            Map::from_iter([("value".to_owned(), other)])
        }
    };
    if let Some(Value::Array(errors)) = shown.get_mut("errors") {
        let more = errors.len().saturating_sub(ERRORS_LISTED_MAX);
        errors.truncate(ERRORS_LISTED_MAX);
        if more > 0 {
            shown.insert("errors_more".to_owned(), json!(more));
        }
    }
    bounded(Value::Object(shown))
}

/// Too long a whole is cut text by text, then field by field from the largest.
fn bounded(value: Value) -> Value {
    let size = |value: &Value| value.to_string().len();
    if size(&value) <= DETAILS_BYTES_MAX {
        return value;
    }
    let short = |text: &str| text.chars().take(DETAIL_CHARS_MAX).collect::<String>();
    let Value::Object(mut fields) = each(&value, &short) else { return value };
    fields.insert("truncated".to_owned(), json!(true));
    while size(&Value::Object(fields.clone())) > DETAILS_BYTES_MAX {
        let largest = fields.iter().max_by_key(|(_, field)| size(field));
        let Some(name) = largest.map(|(name, _)| name.clone()) else { break };
        fields.remove(&name);
    }
    Value::Object(fields)
}

fn each(value: &Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(text)),
        Value::Array(all) => all.iter().map(|one| each(one, change)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, one)| (name.clone(), each(one, change))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use runtime::redact::Secrets;

    #[test]
    fn long_sentences_are_cut_at_a_word() {
        let words = "word ".repeat(60);
        let cut_words = cut(&words);
        assert!(cut_words.ends_with("word…") && cut_words.chars().count() <= 200);
        assert_eq!(cut(&"字".repeat(300)).chars().count(), 200);
        assert_eq!(cut("short"), "short");
    }

    #[test]
    fn home_is_a_tilde() {
        let table = [
            ("/home/me/x and /home/me", "/home/me", "~/x and ~"),
            ("/home/menu/x", "/home/me", "/home/menu/x"),
            ("/home/me/x", "/", "/home/me/x"),
            ("nothing", "/home/me/", "nothing"),
        ];
        for (text, home, expected) in table {
            assert_eq!(without_home(text, home), expected, "{text}");
        }
    }

    #[test]
    fn details_are_bounded() {
        let redactor = Redactor::new(&Secrets::default()).unwrap();
        let many: Vec<_> = (0..40).map(|n| json!({"file": "a.rs", "line": n})).collect();
        let shown = details(&json!({"errors": many}), "/home/me", &redactor);
        assert_eq!(shown["errors"].as_array().unwrap().len(), 10);
        assert_eq!(shown["errors_more"], 30);
        let huge = json!({"kind": "schema", "raw": "x".repeat(50_000), "all": vec!["y"; 9000]});
        let shown = details(&huge, "", &redactor);
        assert!(shown.to_string().len() <= DETAILS_BYTES_MAX, "{}", shown.to_string().len());
        assert_eq!((&shown["kind"], &shown["truncated"]), (&json!("schema"), &json!(true)));
    }
}
