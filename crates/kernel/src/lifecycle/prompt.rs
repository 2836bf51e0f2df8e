//! What planners and workers are told, in the language of the run. Agents read it; nothing is ever
//! parsed back out of it.

use alloc::format;
use alloc::string::String;

use super::document::plan::{Labels, Outline, draw};
use super::phase::{AutoFix, Failure, NO_CHANGE, Planning};
use super::state::{Life, Work};
use super::task::Task;

/// The words of one language.
struct Words {
    plan: &'static str,
    changed: &'static str,
    before: &'static str,
    checked: &'static str,
    wrong: &'static str,
    goal: &'static str,
    task: &'static str,
    files: &'static str,
    accept: &'static str,
    guidance: &'static str,
    only: &'static str,
    fix: &'static str,
    tried: &'static str,
    unchanged: &'static str,
    repeat: &'static str,
    errors: &'static str,
}

const EN: Words = Words {
    plan: "Make a plan for this requirement. Each step is one task that can be checked by itself.",
    changed: "A person wants that changed so:",
    before: "The plan so far, as input:",
    checked: "Checked as a whole by:",
    wrong: "The last plan was not valid:",
    goal: "Goal of the whole:",
    task: "Do exactly this task:",
    files: "Files:",
    accept: "It is accepted when:",
    guidance: "A person says:",
    only: "Do only this task. Checks are run after you; what you say about them does not count.",
    fix: "The checks of this task fail. Repair the cause.",
    tried: "The last attempt came to nothing:",
    unchanged: "it changed nothing.",
    repeat: "This failure was seen before: what was tried then did not help. Try something else.",
    errors: "First errors:",
};

const ZH: Words = Words {
    plan: "为以下需求制定计划。每个步骤是一个可以单独验证的任务。",
    changed: "有人要求改为：",
    before: "已有的计划，供参考：",
    checked: "整体检查：",
    wrong: "上一份计划无效：",
    goal: "总体目标：",
    task: "只完成以下任务：",
    files: "文件：",
    accept: "验收标准：",
    guidance: "人工指示：",
    only: "只做这个任务。之后会运行检查；你对检查结果的说法不算数。",
    fix: "该任务的检查失败。请修复原因。",
    tried: "上一次尝试没有成功：",
    unchanged: "它没有改变任何内容。",
    repeat: "这个失败以前出现过，当时的尝试没有用。请换一种办法。",
    errors: "最先出现的错误：",
};

fn is_chinese(life: &Life) -> bool {
    life.body.begin.options.lang.starts_with("zh")
}

fn words(life: &Life) -> &'static Words {
    if is_chinese(life) { &ZH } else { &EN }
}

/// What a planner is told.
pub(super) fn plan(life: &Life, now: &Planning, correction: Option<&str>) -> String {
    let words = words(life);
    let ask = &life.body.ask;
    let mut text = String::from(words.plan);
    for (nth, said) in ask.earlier.iter().chain([&ask.text]).enumerate() {
        if nth > 0 {
            text.push_str(&format!("\n\n{}", words.changed));
        }
        text.push_str(&format!("\n\n{said}"));
    }
    if let Some(before) = &now.before {
        let labels = if is_chinese(life) { Labels::ZH } else { Labels::EN };
        let whole = draw(&Outline::of(before), labels);
        text.push_str(&format!("\n\n{}\n\n{}", words.before, whole.trim_end()));
        for check in &before.checks {
            text.push_str(&format!("\n{} `{}`", words.checked, check.line()));
        }
    }
    if let Some(correction) = correction {
        text.push_str(&format!("\n\n{}\n{correction}", words.wrong));
    }
    text
}

/// What the worker at a task is told.
pub(super) fn task(life: &Life, work: &Work, task: &Task, guidance: Option<&str>) -> String {
    let words = words(life);
    let mut text = about(words, work, task);
    if let Some(guidance) = guidance {
        text.push_str(&format!("\n\n{}\n{guidance}", words.guidance));
    }
    text.push_str(&format!("\n\n{}", words.only));
    text
}

fn about(words: &Words, work: &Work, task: &Task) -> String {
    let spec = &task.spec;
    let mut text =
        format!("{} {}\n\n{} {}: {}", words.goal, work.plan.goal, words.task, spec.id, spec.title);
    if !spec.detail.is_empty() {
        text.push_str(&format!("\n{}", spec.detail));
    }
    if !spec.files.is_empty() {
        text.push_str(&format!("\n{} {}", words.files, spec.files.join(", ")));
    }
    for line in &spec.acceptance {
        text.push_str(&format!("\n{} {line}", words.accept));
    }
    text
}

/// What the worker at a fix is told.
pub(super) fn fix(life: &Life, now: &AutoFix, task: &Task) -> String {
    let words = words(life);
    let mut text = about(words, &now.work, task);
    let cause = now.cause.as_ref().unwrap_or(&now.failure);
    text.push_str(&format!("\n\n{} {}", words.fix, cause.summary));
    text.push_str(&errors(words, cause));
    if now.cause.is_some() {
        let how = match now.failure.code.as_str() {
            NO_CHANGE => words.unchanged,
            _other => now.failure.summary.as_str(),
        };
        text.push_str(&format!("\n\n{} {how}", words.tried));
        text.push_str(&errors(words, &now.failure));
    }
    if now.failure.repeat {
        text.push_str(&format!("\n{}", words.repeat));
    }
    text.push_str(&format!("\n\n{}", words.only));
    text
}

fn errors(words: &Words, failure: &Failure) -> String {
    if failure.errors.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}", words.errors);
    for error in &failure.errors {
        let file = error.file.as_deref().unwrap_or("-");
        let line = error.line.map_or_else(String::new, |line| format!(":{line}"));
        text.push_str(&format!("\n- {file}{line} {}", error.message));
    }
    text
}
