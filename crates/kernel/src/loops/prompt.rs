//! What a loop tells an agent, in the run's language, and the form it wants a list of tasks in. An
//! agent reads these words, no person does, and they are recorded with the call they were said in.
//! Header lines and what a program would take for a command are its adapter's business.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::command::BadAnswer;
use super::state::Body;
use super::task::Task;
use crate::agent::{Part, Talk, ask_json, corrected_anew, wrong_form};

/// Tasks that a breakdown is asked for: enough to be steps, few enough to be looked over. More or
/// fewer are accepted within the schema's bounds.
const WANTED: &str = "3-7";

/// The form of a breakdown's answer, as canonical JSON. Unknown members are let be.
pub const BREAKDOWN_SCHEMA: &str = concat!(
    r#"{"properties":{"tasks":{"items":{"properties":{"#,
    r#""description":{"maxLength":10000,"minLength":1,"type":"string"},"#,
    r#""mode":{"enum":["analysis","write"]}},"required":["description"],"type":"object"},"#,
    r#""maxItems":20,"minItems":1,"type":"array"}},"required":["tasks"],"type":"object"}"#
);

/// The languages prompts exist in.
#[derive(Clone, Copy)]
pub(super) enum Tongue {
    English,
    Chinese,
}

pub(super) fn tongue(lang: &str) -> Tongue {
    if lang.starts_with("zh") { Tongue::Chinese } else { Tongue::English }
}

/// Asks for the tasks of the whole work.
pub(super) fn breakdown(body: &Body, lang: &str) -> Vec<Part> {
    let (title, text, form) = (&body.title, &body.description, ask_json(lang, BREAKDOWN_SCHEMA));
    let words = match tongue(lang) {
        Tongue::English => format!(
            "Break the work below down into {WANTED} tasks for a coding agent, in the order in \
             which they are to be done. Read the repository first; change nothing.\n\
             Each task has a `description` that can be understood on its own: what to do, where, \
             and how to see that it is done. Its `mode` is `write` if files must change, \
             `analysis` if it only reads and reports.\n\n\
             Title: {title}\n\nWork:\n{text}\n\n{form}"
        ),
        Tongue::Chinese => format!(
            "把下面的工作分解为 {WANTED} 个交给编码代理的任务，按执行顺序排列。\
             先阅读代码仓库；不要做任何改动。\n\
             每个任务有一个可以独立理解的 `description`：做什么、在哪里做、如何判断已完成。\
             需要修改文件时 `mode` 为 `write`，只阅读并报告时为 `analysis`。\n\n\
             标题：{title}\n\n工作：\n{text}\n\n{form}"
        ),
    };
    vec![Part::Text(words)]
}

/// Asks for the answer to a task that changes nothing.
pub(super) fn analysis(body: &Body, task: &Task, lang: &str) -> Vec<Part> {
    let (title, work) = (&body.title, &body.description);
    let wanted = task.prompt_template.as_ref().unwrap_or(&task.description);
    let words = match tongue(lang) {
        Tongue::English => format!(
            "Do the task below by reading only: change no file and run nothing that would. Answer \
             with what you found, naming files and lines.\n\n\
             Task:\n{wanted}\n\nIt is part of this work: {title}\n{work}"
        ),
        Tongue::Chinese => format!(
            "仅通过阅读完成下面的任务：不要修改任何文件，也不要运行会修改文件的命令。\
             回答你的发现，并指明文件与行号。\n\n\
             任务：\n{wanted}\n\n它属于这项工作：{title}\n{work}"
        ),
    };
    vec![Part::Text(words)]
}

/// Asks for a task that changes files.
pub(super) fn work(body: &Body, task: &Task, lang: &str) -> String {
    let (title, work) = (&body.title, &body.description);
    let wanted = task.prompt_template.as_ref().unwrap_or(&task.description);
    match tongue(lang) {
        Tongue::English => format!("{wanted}\n\nIt is part of this work: {title}\n{work}"),
        Tongue::Chinese => format!("{wanted}\n\n它属于这项工作：{title}\n{work}"),
    }
}

/// Asks again after an answer that has not the wanted form: in the same conversation if it can be
/// gone on with, else with the old words and the bad answer.
pub(super) fn correction(
    (bad, schema): (&BadAnswer, &str),
    talk: Talk,
    first: Vec<Part>,
    lang: &str,
) -> (Option<String>, Vec<Part>) {
    let wrong = wrong(bad, schema, lang);
    match bad.session.clone().filter(|_| talk.resumes()) {
        Some(session) => (Some(session), vec![Part::Text(wrong)]),
        None => (None, corrected_anew(first, (&bad.call, &bad.sha256), wrong, lang)),
    }
}

fn wrong(bad: &BadAnswer, schema: &str, lang: &str) -> String {
    let (wrong, form) = (wrong_form(lang, &bad.issues), ask_json(lang, schema));
    format!("{wrong}\n\n{form}")
}
