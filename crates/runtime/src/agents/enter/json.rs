//! An entry in settings written as JSON. Only the bytes of the entry change: order, blanks and
//! everything else stay as the person has them.

use std::ops::Range;

use serde_json::{Map, Value, json};

use super::client::{Entered, Entry, NAME, Unfit};

/// Where clients keep their servers.
const SERVERS: &str = "mcpServers";

/// The settings with the entry in them, and with what this client wants besides.
pub(super) fn entered(
    text: &str,
    entry: &Entry,
    besides: &[(&str, &str)],
) -> Result<Entered, Unfit> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let whole: Value = serde_json::from_str(text).map_err(|_| Unfit)?;
    let servers = match &whole[SERVERS] {
        Value::Null if whole.is_object() => Map::new(),
        Value::Object(servers) => servers.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            return Err(Unfit);
        }
    };
    let old = servers.get(NAME);
    let mut new = old.and_then(Value::as_object).cloned().unwrap_or_default();
    for (name, value) in besides {
        new.entry(*name).or_insert_with(|| json!(value));
    }
    new.insert("command".to_owned(), json!(entry.command));
    new.insert("args".to_owned(), json!(entry.args));
    let new = Value::Object(new);
    if old == Some(&new) {
        return Ok(Entered::Same);
    }
    let text = placed(text, &new).ok_or(Unfit)?;
    // What the person had is there unchanged, or nothing is written.
    let mut wanted = whole;
    wanted[SERVERS][NAME] = new;
    let found: Value = serde_json::from_str(&text).map_err(|_| Unfit)?;
    if found == wanted { Ok(Entered::Text(text)) } else { Err(Unfit) }
}

/// The text with the value at its place.
fn placed(text: &str, value: &Value) -> Option<String> {
    let top = text.find('{')?;
    let at = |range: Range<usize>, new: &str| {
        Some(format!("{}{new}{}", &text[..range.start], &text[range.end..]))
    };
    let Some(servers) = of(&members(text, top)?, SERVERS) else {
        let all = json!({ NAME: value });
        return add(text, top, 1, SERVERS, &all);
    };
    match of(&members(text, servers.start)?, NAME) {
        Some(old) => at(old, &pretty(value, 2)),
        None => add(text, servers.start, 2, NAME, value),
    }
}

/// The text with one more member in the object that begins here.
fn add(text: &str, open: usize, depth: usize, name: &str, value: &Value) -> Option<String> {
    let last = members(text, open)?.last().map(|(_, range)| range.end);
    let indent = "  ".repeat(depth);
    let member = format!("\n{indent}{}: {}", json!(name), pretty(value, depth));
    Some(match last {
        Some(end) => format!("{},{member}{}", &text[..end], &text[end..]),
        None => {
            let close = open + 1 + text[open + 1..].find('}')?;
            let outer = "  ".repeat(depth - 1);
            format!("{}{member}\n{outer}{}", &text[..=open], &text[close..])
        }
    })
}

fn pretty(value: &Value, depth: usize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.replace('\n', &format!("\n{}", "  ".repeat(depth)))
}

/// The last member of this name: the one that counts.
fn of(members: &[(String, Range<usize>)], name: &str) -> Option<Range<usize>> {
    members.iter().rev().find(|(one, _)| one == name).map(|(_, range)| range.clone())
}

/// The members of the object that begins at this byte of a text that is JSON, each with the range
/// of its value.
fn members(text: &str, open: usize) -> Option<Vec<(String, Range<usize>)>> {
    let open = open + text[open..].find('{')?;
    let mut all = Vec::new();
    let mut at = open + 1;
    loop {
        at = skip(text, at, |c| c.is_ascii_whitespace() || c == b',');
        if text.as_bytes().get(at)? == &b'}' {
            return Some(all);
        }
        let end = value(text, at)?;
        let name = serde_json::from_str(&text[at..end]).ok()?;
        at = skip(text, end, |c| c.is_ascii_whitespace() || c == b':');
        let end = value(text, at)?;
        all.push((name, at..end));
        at = end;
    }
}

fn skip(text: &str, from: usize, over: impl Fn(u8) -> bool) -> usize {
    from + text.as_bytes()[from..].iter().take_while(|byte| over(**byte)).count()
}

/// Where the value that begins here ends.
fn value(text: &str, from: usize) -> Option<usize> {
    let mut read = serde_json::Deserializer::from_str(&text[from..]).into_iter::<Value>();
    read.next()?.ok()?;
    Some(from + read.byte_offset())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_else_stays_byte_for_byte() {
        let entry = Entry { command: "/lw".into(), args: vec!["mcp".into()] };
        let (head, tail) =
            ("{ \"b\" : 1,\n   \"mcpServers\": {\"x\": {\"a\":[1, 2]}", "}, \"a\":2}");
        let Ok(Entered::Text(text)) = entered(&format!("{head}{tail}"), &entry, &[]) else {
            panic!()
        };
        assert!(text.starts_with(head) && text.ends_with(tail), "{text}");
        let old = "{\"mcpServers\":{\"loopwright\":{\"command\":\"/old\",\"env\":{\"A\":\"}\"}}}}";
        let Ok(Entered::Text(text)) = entered(old, &entry, &[]) else { panic!() };
        let found: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(found[SERVERS][NAME]["env"]["A"], "}", "what the person added stays");
        assert_eq!(found[SERVERS][NAME]["command"], "/lw");
    }

    #[test]
    fn what_is_no_object_is_left_alone() {
        let entry = Entry { command: "/lw".into(), args: vec![] };
        for text in ["[]", "1", "{\"mcpServers\": []}", "{ // mine\n}", "{\"a\":1,}"] {
            assert_eq!(entered(text, &entry, &[]), Err(Unfit), "{text}");
        }
        for text in ["", " \n", "{}", "{\n}\n", "{\"mcpServers\": {}}"] {
            let Ok(Entered::Text(text)) = entered(text, &entry, &[]) else { panic!("{text}") };
            assert!(serde_json::from_str::<Value>(&text).is_ok(), "{text}");
        }
    }
}
