//! The sentences that belong to the record itself, in both languages: what a missing dimension
//! means, why a run is degraded, what to do next, and our own words in prompts. Words about states
//! and refusals that people read at doors are in the message catalogue, not here.

use alloc::format;
use alloc::string::String;

use super::plan::Lang;
use crate::agent::ask_json;

/// Why a run that asked nobody is degraded.
pub const fn lite(lang: Lang) -> &'static str {
    match lang {
        Lang::Zh => "LITE_MODE: 跳过外部模型调用",
        Lang::En => "LITE_MODE: external model calls skipped",
    }
}

/// What a code means, in the seed's words.
pub fn code(code: &str, lang: Lang) -> &'static str {
    let (zh, en) = match code {
        "E001" => ("CCG_BIN 不存在", "agent binary missing"),
        "E002" => ("命令渲染失败", "command rendering failed"),
        "E003" => ("进程启动失败", "process failed to start"),
        "E004" => ("单模型超时", "one model timed out"),
        "E005" => ("双模型超时", "all models timed out"),
        "E006" => ("SESSION_ID 提取失败", "no SESSION_ID found"),
        "E007" => ("用户取消", "cancelled by the user"),
        "E008" => ("工作目录无效", "working directory unusable"),
        "E009" => ("代理执行失败", "agent failed"),
        "E010" => ("网络不可用", "network unavailable"),
        "E_MODEL" => ("模型输出不符合协议", "model output broke the protocol"),
        "E_UNKNOWN_OUTCOME" => ("结果未知", "outcome unknown"),
        "E_POLICY_DENIED" => ("策略拒绝", "denied by policy"),
        _unknown => ("未完成", "not finished"),
    };
    match lang {
        Lang::Zh => zh,
        Lang::En => en,
    }
}

/// A state's name for people.
pub fn state(name: &str, lang: Lang) -> &'static str {
    let (zh, en) = match name {
        "INIT" => ("初始化", "Starting"),
        "RUNNING" => ("执行中", "Running"),
        "DEGRADED" => ("降级", "Degraded"),
        "SUCCESS" => ("成功", "Done"),
        _failed => ("失败", "Failed"),
    };
    match lang {
        Lang::Zh => zh,
        Lang::En => en,
    }
}

/// One missing participant in the reason: its name, code, what the code means, launches and time.
pub fn missing(name: &str, fault: &str, launches: u32, ms: u64, lang: Lang) -> String {
    let text = code(fault, lang);
    match lang {
        Lang::Zh => format!("{name}: {fault} {text} ({launches} 次启动, {ms} ms)"),
        Lang::En => format!("{name}: {fault} {text} ({launches} launches, {ms} ms)"),
    }
}

/// A participant that was skipped because the time was up before its turn.
pub fn no_time(name: &str, lang: Lang) -> String {
    match lang {
        Lang::Zh => format!("{name}: 未轮到即超时"),
        Lang::En => format!("{name}: no time was left for its turn"),
    }
}

/// What the loss of a core dimension means: Chinese and English.
pub fn impact_core(dimension: &str) -> (String, String) {
    (
        format!("缺少核心维度 {dimension}：结论未经该维度验证，不能直接采用"),
        format!(
            "the core dimension {dimension} is missing: nothing in the result was looked at from \
             that side, so it must not be used as it is"
        ),
    )
}

/// What the loss of a dimension means that is not core: Chinese and English.
pub fn impact_other(dimension: &str) -> (String, String) {
    (
        format!("缺少维度 {dimension}：核心目标已达成，该维度需另行补充"),
        format!(
            "the dimension {dimension} is missing: the core of the task is answered, that side \
             has to be added by other means"
        ),
    )
}

/// What a dimension lacks that nobody was asked about: Chinese and English.
pub fn impact_lite(dimension: &str) -> (String, String) {
    (
        format!("维度 {dimension} 未询问任何模型，由主代理自行完成"),
        format!("no model was asked about the dimension {dimension}: the main agent answers it"),
    )
}

/// What the main agent can do with a run that left a conversation: Chinese and English.
pub const GO_ON: (&str, &str) = (
    "由主代理接管：可用 participants[].resume 中的会话继续，或自行完成 task，并说明答案由谁给出",
    "Hand over to the main agent: go on with a conversation of participants[].resume, or answer \
     the task itself, and say who answered",
);

/// What it can do with one that left none: Chinese and English.
pub const BEGIN_ANEW: (&str, &str) = (
    "由主代理接管：根据 errors 排除原因后重试，或自行完成 task，并说明答案由谁给出",
    "Hand over to the main agent: remove the cause named in errors and start again, or answer the \
     task itself, and say who answered",
);

/// The heads of the two parts of the task block.
pub const fn heads(lang: Lang) -> (&'static str, &'static str) {
    match lang {
        Lang::Zh => ("需求：", "上下文："),
        Lang::En => ("Requirement: ", "Context: "),
    }
}

/// What the answer should be, without a wanted form.
pub fn output(dimension: &str, lang: Lang) -> String {
    match lang {
        Lang::Zh => format!("OUTPUT: 用中文给出 {dimension} 维度的完整答案"),
        Lang::En => {
            format!("OUTPUT: your complete answer for the {dimension} side, in English")
        }
    }
}

/// What the answer should be, with a wanted form.
pub fn output_json(schema: &str, lang: Lang) -> String {
    format!("OUTPUT: {}", ask_json(lang.word(), schema))
}

/// What a resumed retry is told.
pub const fn finish(lang: Lang) -> &'static str {
    match lang {
        Lang::Zh => "上一轮在给出答案之前中断。请在本会话中完成任务，并给出完整答案。",
        Lang::En => {
            "The last turn ended before it gave an answer. Finish the task in this conversation \
             and give your complete answer."
        }
    }
}
