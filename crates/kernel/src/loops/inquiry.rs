//! What debugging asks of agents, in the run's language: what could be wrong, where to log, and
//! what the evidence says. What is answered counts only as far as it can be checked; that is not
//! done here.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::legs::open_of;
use super::phase::{Action, Subject};
use super::prompt::{Tongue, tongue};
use super::state::{Body, Hypothesis, HypothesisStatus, Work};
use super::validation::TestStatus;
use crate::agent::{Part, ask_json};

/// The form of an exploration's answer, as canonical JSON. Unknown members are let be.
pub const EXPLORE_SCHEMA: &str = concat!(
    r#"{"properties":{"hypotheses":{"items":{"properties":{"#,
    r#""description":{"maxLength":2000,"minLength":1,"type":"string"},"#,
    r#""evidence_criteria":{"properties":{"confirm":{"maxLength":2000,"type":"string"},"#,
    r#""reject":{"maxLength":2000,"type":"string"}},"required":["confirm","reject"],"#,
    r#""type":"object"},"likelihood":{"maximum":100,"minimum":1,"type":"integer"},"#,
    r#""logging_point":{"maxLength":500,"type":"string"},"#,
    r#""testable_condition":{"maxLength":2000,"type":"string"}},"#,
    r#""required":["description","testable_condition","evidence_criteria","likelihood"],"#,
    r#""type":"object"},"maxItems":5,"minItems":1,"type":"array"}},"#,
    r#""required":["hypotheses"],"type":"object"}"#
);

/// The form of an analysis' answer, as canonical JSON. Unknown members are let be.
pub const ANALYZE_SCHEMA: &str = concat!(
    r#"{"properties":{"verdicts":{"items":{"properties":{"#,
    r#""id":{"pattern":"^H[0-9]+$","type":"string"},"#,
    r#""quotes":{"items":{"properties":{"line":{"minimum":1,"type":"integer"},"#,
    r#""path":{"minLength":1,"type":"string"},"text":{"minLength":1,"type":"string"}},"#,
    r#""required":["path","text"],"type":"object"},"maxItems":20,"type":"array"},"#,
    r#""reason":{"maxLength":2000,"type":"string"},"#,
    r#""status":{"enum":["confirmed","rejected","inconclusive"]}},"#,
    r#""required":["id","status","reason"],"type":"object"},"minItems":1,"type":"array"}},"#,
    r#""required":["verdicts"],"type":"object"}"#
);

/// Failed tests that are told whole; a suite that is red all over has one cause most of the time.
const FAILED_TOLD: usize = 10;

/// What is wrong, as far as it is known.
fn problem(body: &Body, action: &Action) -> String {
    let Subject::Problem { sig, text } = &action.subject else { return String::new() };
    let mut told = text.clone();
    let red = sig.starts_with("tests:").then(|| body.work().and_then(Work::fresh)).flatten();
    let failed = red.into_iter().flat_map(|found| &found.results);
    for test in failed.filter(|test| test.status == TestStatus::Failed).take(FAILED_TOLD) {
        let _ = write!(told, "\n\n{} {}", test.suite, test.test_name);
        for text in [&test.error_message, &test.stack_trace].into_iter().flatten() {
            let _ = write!(told, "\n{text}");
        }
    }
    told
}

/// The hypotheses about a problem, one paragraph each.
fn listed<'a>(all: impl Iterator<Item = &'a Hypothesis>) -> String {
    let mut told = String::new();
    for h in all {
        let Hypothesis { id, description, testable_condition, logging_point, .. } = h;
        let _ = write!(told, "\n{id}: {description}\n  condition: {testable_condition}");
        let _ = write!(told, "\n  confirm: {}\n  reject: {}", h.confirm, h.reject);
        if !logging_point.trim().is_empty() {
            let _ = write!(told, "\n  logging_point: {logging_point}");
        }
        if let Some(reason) = &h.verdict_reason {
            let _ = write!(told, "\n  so far: {reason}");
        }
    }
    told
}

/// What was looked into before and is not so.
fn rejected(body: &Body, sig: &str) -> String {
    let known = body.work().map_or(&[][..], |work| &work.debug.hypotheses);
    let of = |h: &&Hypothesis| h.problem == sig && h.status == HypothesisStatus::Rejected;
    listed(known.iter().filter(of))
}

/// Asks what could be the cause.
pub(super) fn explore(body: &Body, action: &Action, lang: &str) -> Vec<Part> {
    let (title, work, wrong) = (&body.title, &body.description, problem(body, action));
    let sig = match &action.subject {
        Subject::Problem { sig, .. } => sig.as_str(),
        Subject::Loop | Subject::Task { .. } => "",
    };
    let (past, form) = (rejected(body, sig), ask_json(lang, EXPLORE_SCHEMA));
    let words = match tongue(lang) {
        Tongue::English => format!(
            "Something is wrong with the work below. Read the repository and say what the cause \
             could be; change nothing.\n\
             Give 1-5 hypotheses, the likeliest first (`likelihood` 1). Each has a \
             `testable_condition`, what would `confirm` and what would `reject` it, and, if \
             logging would tell, a `logging_point` as `file:function:line`.\n\n\
             What is wrong:\n{wrong}\n\nRejected already:{past}\n\n\
             The work: {title}\n{work}\n\n{form}"
        ),
        Tongue::Chinese => format!(
            "下面的工作出了问题。阅读代码仓库，说明可能的原因；不要做任何改动。\n\
             给出 1-5 个假设，最可能的排在最前（`likelihood` 为 1）。每个假设有 \
             `testable_condition`、什么会证实它（`confirm`）、什么会否定它（`reject`）；\
             如果日志能说明问题，还有 `logging_point`，形式为 `file:function:line`。\n\n\
             问题：\n{wrong}\n\n已被否定：{past}\n\n\
             工作：{title}\n{work}\n\n{form}"
        ),
    };
    vec![Part::Text(words)]
}

/// Asks what the evidence says of each open hypothesis.
pub(super) fn analyze(body: &Body, action: &Action, lang: &str) -> Vec<Part> {
    let wrong = problem(body, action);
    let open = listed(open_of(body, &action.subject));
    let (seen, form) = (seen(action), ask_json(lang, ANALYZE_SCHEMA));
    let words = match tongue(lang) {
        Tongue::English => format!(
            "Judge each hypothesis below by the evidence; change nothing. A hypothesis is \
             `confirmed` only with evidence: its own debug lines, or `quotes`, each with the \
             `path` of a file of the repository, the `line` and its exact `text`. Quotes are \
             looked up; what is not found there counts for nothing. Without evidence it is \
             `inconclusive`.\n\n\
             What is wrong:\n{wrong}\n\nHypotheses:{open}\n\n\
             What running it again showed:{seen}\n\n{form}"
        ),
        Tongue::Chinese => format!(
            "根据证据判断下面的每个假设；不要做任何改动。只有有证据时才能 `confirmed`：\
             它自己的调试行，或 `quotes`，每条引用包含代码仓库中文件的 `path`、`line` 和一字不差的 \
             `text`。引用会被核对，找不到的不算数。没有证据就是 `inconclusive`。\n\n\
             问题：\n{wrong}\n\n假设：{open}\n\n\
             再次运行的结果：{seen}\n\n{form}"
        ),
    };
    vec![Part::Text(words)]
}

/// What the reproduction showed; `-` where nothing was run.
fn seen(action: &Action) -> String {
    let Some(seen) = &action.seen else { return " -".into() };
    let mut told = format!("\n{}\n{}", seen.ended, seen.tail);
    for mark in &seen.marks {
        let _ = write!(told, "\n{}: {} debug lines", mark.hid, mark.lines);
        for sample in &mark.samples {
            let _ = write!(told, "\n  {sample}");
        }
    }
    told
}

/// Asks for logging at the points that would tell.
pub(super) fn instrument(body: &Body, action: &Action, lang: &str) -> String {
    let points = open_of(body, &action.subject).filter(|h| !h.logging_point.trim().is_empty());
    let points = listed(points);
    match tongue(lang) {
        Tongue::English => format!(
            "Add logging for the hypotheses below, and change nothing else. At each \
             `logging_point` the program appends one line of JSON to the file whose name is in \
             the environment variable LOOPWRIGHT_DEBUG_LOG: {{\"hid\":\"H1\",\"ts\":<epoch ms>,\
             \"func\":\"name\",\"data\":{{…}}}}, `hid` being the hypothesis' id and `data` what \
             its condition is about. If the variable is not set, nothing is written and nothing \
             fails. The logging is taken out again afterwards.\n\nHypotheses:{points}"
        ),
        Tongue::Chinese => format!(
            "为下面的假设加入日志，不要改动其他任何内容。在每个 `logging_point`，程序向环境变量 \
             LOOPWRIGHT_DEBUG_LOG 指定的文件追加一行 JSON：{{\"hid\":\"H1\",\"ts\":<毫秒时间戳>,\
             \"func\":\"函数名\",\"data\":{{…}}}}，`hid` 是假设的编号，`data` 是其条件所涉及的内容。\
             未设置该变量时不写入，也不报错。日志之后会被移除。\n\n假设：{points}"
        ),
    }
}
