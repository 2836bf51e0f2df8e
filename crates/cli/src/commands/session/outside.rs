//! What tools and agents said, shown as it is in our own frame: their own header and footer are
//! left out, so that of nested frames only the outermost stays.

use std::io::Read as _;

use journal::Journal as _;
use kernel::session::Event;
use runtime::shim::files;
use serde_json::Value;

use crate::ctx::Ctx;

/// More of it is shown by `call tail`.
const SHOWN_BYTES_MAX: u64 = 64 << 10;
/// The line that ends a frame's body.
const RULE: &str = "────";

/// What the last chat or tool of these facts came to, with what it said.
pub fn told(ctx: &Ctx, id: &str, events: &[Event]) -> Option<Value> {
    let (slot, told) = events.iter().rev().find_map(|event| {
        let Event::StepDone { slot, told } = event else { return None };
        let outside = slot.starts_with("chat/") || slot.starts_with("tool/");
        outside.then(|| (slot.clone(), told.clone()))
    })?;
    let mut told = told;
    told["text"] = text(ctx, &format!("{id}/{slot}")).map_or(Value::Null, Value::String);
    Some(told)
}

/// What the call of this key said: an agent its answer, a command its output.
fn text(ctx: &Ctx, key: &str) -> Option<String> {
    let (dir, journal) = ctx.journal().ok()??;
    let room = dir.call(&journal.find_key(key).ok()??);
    let read = |name: &str| {
        let mut bytes = Vec::new();
        let file = std::fs::File::open(room.join(name)).ok()?;
        file.take(SHOWN_BYTES_MAX).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let out = || {
        let both = [files::STDOUT, files::STDERR].map(|name| read(name).unwrap_or_default());
        both.concat()
    };
    Some(bare(&read(files::ANSWER).unwrap_or_else(out)))
}

/// A text without the frame that its author put around it.
fn bare(text: &str) -> String {
    let mut lines: Vec<&str> = text.trim_end().lines().collect();
    let headed = |line: &&str| {
        let before = line.split_once('【').filter(|(_, rest)| rest.contains('】'));
        before.is_some_and(|(icon, _)| {
            let icon = icon.trim();
            icon.chars().count() <= 2 && !icon.contains(char::is_alphanumeric)
        })
    };
    while lines.first().is_some_and(|line| line.trim().is_empty()) {
        lines.remove(0);
    }
    if lines.first().is_some_and(headed) {
        lines.remove(0);
        if let Some(end) = lines.iter().rposition(|line| line.trim() == RULE) {
            lines.truncate(end);
        }
    }
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_outermost_frame_stays() {
        let table = [
            ("plain\ntext\n", "plain\ntext"),
            ("💡【Other】- Answer\n\nbody\n\n────\n🔄 Next: x\n", "body"),
            ("【Other】done\nbody", "body"),
            ("a 【note】 in the middle\n────\nkept", "a 【note】 in the middle\n────\nkept"),
            ("\n\n", ""),
        ];
        for (text, expected) in table {
            assert_eq!(bare(text), expected, "{text}");
        }
    }
}
