//! The bullets below a task: how it is checked, what comes first, which files it names, in either
//! language, with either bullet and either colon.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Doubt, Item, Warning};

/// What a bullet is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Verify,
    Depends,
    Files,
}

/// Words for "nothing".
const NOTHING: [&str; 7] = ["-", "none", "n/a", "无", "—", "–", "[]"];

/// Takes in what stands behind a bullet below a task.
pub(super) fn take(item: &mut Item, line: usize, text: &str, warnings: &mut Vec<Warning>) {
    let Some((field, value)) = field(text) else {
        item.detail.push(text.to_owned());
        return;
    };
    if NOTHING.contains(&value.to_lowercase().as_str()) || value.is_empty() {
        return;
    }
    match field {
        Field::Verify => match spans(value) {
            Some(commands) => item.verify.extend(commands),
            None => {
                if value.contains('`') {
                    let what = Doubt::CommandInProse;
                    warnings.push(Warning { line, what, found: value.to_owned() });
                }
                item.acceptance.push(value.to_owned());
            }
        },
        Field::Depends => item.depends.extend(listed(value)),
        Field::Files => {
            let files = spans(value).unwrap_or_else(|| listed(value));
            let new: Vec<String> =
                files.into_iter().filter(|file| !item.files.contains(file)).collect();
            item.files.extend(new);
        }
    }
}

fn field(text: &str) -> Option<(Field, &str)> {
    let (name, value) = text.split_once([':', '：'])?;
    let value = value.trim_start_matches('*').trim();
    let field = match name.trim().trim_matches('*').trim().to_lowercase().as_str() {
        "verify" | "验证" => Field::Verify,
        "depends" | "depends on" | "依赖" => Field::Depends,
        "files" | "file" | "文件" => Field::Files,
        _other => return None,
    };
    Some((field, value))
}

/// The spans in backquotes of a text that is nothing but such spans and what separates them.
pub(super) fn spans(text: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (span, after) = rest.strip_prefix('`')?.split_once('`')?;
        if span.trim().is_empty() {
            return None;
        }
        found.push(span.trim().to_owned());
        rest = after.trim_start_matches(|c: char| c.is_whitespace() || ",，、;；".contains(c));
    }
    Some(found)
}

/// Words of a list, however it is separated.
fn listed(text: &str) -> Vec<String> {
    let separates = |c: char| c.is_whitespace() || ",，、;；".contains(c);
    let words = text.split(separates).map(|word| word.trim_matches(['`', '[', ']', '*']));
    words.filter(|word| !word.is_empty()).map(ToOwned::to_owned).collect()
}
