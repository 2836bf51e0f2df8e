//! What a session asks of agents, in the unit's language, and the forms it wants answers in. An
//! agent reads these words, no person does; they are recorded with the call they are said in.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::modules;
use super::state::{Flow, Said};
use crate::agent::{Part, ask_json};

/// Told of what an earlier look at the project said; its beginning says most.
const CONTEXT_BYTES_MAX: usize = 64 << 10;

/// The form of a draft, as canonical JSON. Unknown members are let be.
pub const DRAFT_SCHEMA: &str = concat!(
    r#"{"properties":{"acceptance":{"items":{"type":"string"},"type":"array"},"#,
    r#""approach":{"minLength":1,"type":"string"},"#,
    r#""background":{"type":"string"},"#,
    r#""constraints":{"items":{"type":"string"},"type":"array"},"#,
    r#""decisions":{"items":{"properties":{"decision":{"type":"string"},"#,
    r#""reason":{"type":"string"},"title":{"minLength":1,"type":"string"}},"#,
    r#""required":["title","decision","reason"],"type":"object"},"type":"array"},"#,
    r#""feature":{"maxLength":60,"minLength":1,"type":"string"},"#,
    r#""goal":{"minLength":1,"type":"string"},"#,
    r#""kind":{"enum":["feature","fix","refactor","optimisation"]},"#,
    r#""modules":{"items":{"type":"string"},"type":"array"},"#,
    r#""risks":{"items":{"type":"string"},"type":"array"},"#,
    r#""tasks":{"items":{"properties":{"depends":{"items":{"type":"string"},"type":"array"},"#,
    r#""files":{"items":{"type":"string"},"type":"array"},"#,
    r#""id":{"pattern":"^[0-9]+(\\.[0-9]+){0,2}$","type":"string"},"#,
    r#""title":{"minLength":1,"type":"string"},"verify":{"type":"string"}},"#,
    r#""required":["id","title"],"type":"object"},"maxItems":50,"type":"array"},"#,
    r#""type":{"enum":["implementation","overview"]}},"#,
    r#""required":["feature","type","goal","approach","tasks"],"type":"object"}"#
);

/// The form of a review's answer.
pub const REVIEW_SCHEMA: &str = concat!(
    r#"{"properties":{"findings":{"items":{"properties":{"#,
    r#""dimension":{"enum":["quality","security","performance"]},"#,
    r#""fix":{"type":"string"},"line":{"minimum":1,"type":"integer"},"#,
    r#""path":{"minLength":1,"type":"string"},"#,
    r#""problem":{"minLength":1,"type":"string"},"#,
    r#""severity":{"enum":["critical","warning","info"]}},"#,
    r#""required":["severity","dimension","path","problem"],"type":"object"},"type":"array"}},"#,
    r#""required":["findings"],"type":"object"}"#
);

fn chinese(lang: &str) -> bool {
    lang.starts_with("zh")
}

/// Asks what the project is like.
pub(super) fn context(flow: &Flow) -> Vec<Part> {
    let wanted = flow.requirement();
    let rule = modules::words("analyze");
    let words = if chinese(&flow.setup.lang) {
        format!(
            "阅读这个项目，不要修改任何文件。（{rule}）\n\
             用不超过 60 行说明：技术栈与目录结构、与下面需求有关的文件和函数、现有约定、\
             如何构建与测试、需要注意的风险。指明文件与行号。\n\n需求：\n{wanted}"
        )
    } else {
        format!(
            "Read this project; change no file. ({rule})\n\
             In at most 60 lines say: the stack and layout, the files and functions that the \
             requirement below touches, conventions in force, how to build and test, and what to \
             beware of. Name files and lines.\n\nRequirement:\n{wanted}"
        )
    };
    vec![Part::Text(words)]
}

/// Asks for a draft.
pub(super) fn design(flow: &Flow, wish: Option<&str>) -> String {
    let wanted = flow.requirement();
    let rule = modules::words("design");
    let zh = chinese(&flow.setup.lang);
    let head = if zh {
        format!(
            "为下面的需求设计一个方案，不要修改任何文件。（{rule}）\n\
             `feature` 是简短的英文功能名。每个任务写明做什么、改哪些文件；`verify` 是一条能证明\
             任务完成的命令（例如测试命令）；`depends` 列出必须先完成的任务 id。只要文档时 `type` \
             为 overview 且 `tasks` 为空。\n\n需求：\n{wanted}\n"
        )
    } else {
        format!(
            "Design a solution for the requirement below; change no file. ({rule})\n\
             `feature` is a short name. Each task says what to do and which files it changes; \
             `verify` is one command line that proves it done (a test, say); `depends` lists the \
             ids that come first. If only documents are wanted, `type` is overview and `tasks` is \
             empty.\n\nRequirement:\n{wanted}\n"
        )
    };
    match wish {
        Some(wish) => {
            let label = if zh { "需要调整" } else { "To be changed" };
            format!("{head}\n{label}:\n{wish}\n")
        }
        None => head,
    }
}

/// Words with what was found out about the project, and the form that is wanted.
pub(super) fn with_form(
    lang: &str,
    words: String,
    context: Option<Said>,
    schema: &str,
) -> Vec<Part> {
    let mut parts = vec![Part::Text(words)];
    if let Some(Said { call, sha256 }) = context {
        let label = if chinese(lang) { "\n项目情况：\n" } else { "\nThe project:\n" };
        parts.push(Part::Text(String::from(label)));
        parts.push(Part::Answer { call, sha256, bytes_max: CONTEXT_BYTES_MAX });
    }
    parts.push(Part::Text(format!("\n{}", ask_json(lang, schema))));
    parts
}

/// Asks for an answer to words that want no change.
pub(super) fn chat(lang: &str, words: &str) -> Vec<Part> {
    let words = if chinese(lang) {
        format!("简短回答下面的话；可以阅读这个项目，不要修改任何文件。\n\n{words}")
    } else {
        format!("Answer briefly; you may read this project, but change no file.\n\n{words}")
    };
    vec![Part::Text(words)]
}

/// Asks for a review.
pub(super) fn review(lang: &str, scope: &str, path: Option<&str>) -> String {
    let range = path.unwrap_or(scope);
    if chinese(lang) {
        let range = match scope {
            "all" => "全部代码",
            "recent" => "未提交的修改和最近 5 次提交（git diff、git log）",
            "staged" => "暂存区（git diff --cached）",
            _path => range,
        };
        format!(
            "审查以下范围的代码质量、安全与性能，不要修改任何文件；跳过生成的和压缩过的文件。\n\
             范围：{range}\n每个问题写明严重程度、文件与行号、问题和修复建议。\n"
        )
    } else {
        let range = match scope {
            "all" => "all code",
            "recent" => "uncommitted changes and the last 5 commits (git diff, git log)",
            "staged" => "what is staged (git diff --cached)",
            _path => range,
        };
        format!(
            "Review the code in this range for quality, security and performance; change no file; \
             skip generated and minified files.\nRange: {range}\nEach finding has its severity, \
             file and line, the problem and how to fix it.\n"
        )
    }
}

/// What a tweak's turn is asked.
pub(super) fn tweak(flow: &Flow, hint: Option<&str>) -> String {
    let lost = if chinese(&flow.setup.lang) {
        "如果找不到要修改的位置，不要改动任何文件，以 {\"control\":\"replan\",\"reason\":…} 结束。"
    } else {
        "If the place to change cannot be found, change no file and end with \
         {\"control\":\"replan\",\"reason\":…}."
    };
    let hint = hint.map(|path| format!("\n\n{path}")).unwrap_or_default();
    format!("{}{hint}\n\n{lost}", flow.requirement())
}

/// What a turn is asked that mends blocking tests.
pub(super) fn fix(flow: &Flow, why: &str) -> String {
    if chinese(&flow.setup.lang) {
        format!("修复项目测试的失败，不要修改或删除测试来让它们通过。\n{why}")
    } else {
        format!("Fix the failing project tests; do not change or remove tests to pass.\n{why}")
    }
}
