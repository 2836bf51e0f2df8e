//! A made-up plan, and reports of agents that never ran.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::outcome::Outcome;
use super::super::plan::{Accept, Lang, Member, Merge, Mode, Plan, Rule};
use crate::agent::{Access, Answer, Error, Facts, Kind, Report, Spooled, Structured, Usage};
use crate::call::GRACE_MS;

/// One participant with its agent's own limits.
#[must_use]
pub fn member(name: &str, kind: Kind, dimension: &str) -> Member {
    Member {
        name: name.to_string(),
        agent: name.to_string(),
        kind,
        talk: None,
        dimension: dimension.to_string(),
        core: None,
        access: Access::Read,
        model: None,
        wall_ms: 1_800_000,
        idle_ms: Some(300_000),
        role_text: "You judge designs.".to_string(),
        resume: None,
    }
}

/// The seed's pair on one question.
#[must_use]
pub fn plan() -> Plan {
    Plan {
        task: "Which store fits?".to_string(),
        context: String::new(),
        role: "architect".to_string(),
        lang: Lang::En,
        workdir: "/work".to_string(),
        cwd: ".".to_string(),
        participants: Vec::from([
            member("codex", Kind::Codex, "backend"),
            member("gemini", Kind::Gemini, "frontend"),
        ]),
        mode: Mode::Parallel,
        gate: Rule::Or,
        timeout_ms: 600_000,
        max_retries: 1,
        lite: false,
        core_dimensions: None,
        schema: None,
        accept: Accept::Ask,
        confirm_timeout_ms: 0,
        merge: Merge::Sections,
        grace_ms: GRACE_MS,
    }
}

/// A conversation of this participant; each has its own.
#[must_use]
pub fn session(p: &str) -> String {
    let mark = p.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    format!("01890a5d-ac96-774b-bcce-{:012x}", mark & 0xffff_ffff_ffff)
}

fn facts() -> Facts {
    let usage = Usage { input_tokens: Some(10), output_tokens: Some(2), ..Usage::default() };
    Facts { usage, ..Facts::default() }
}

fn spooled(p: &str, name: &str) -> Spooled {
    let path = format!("calls/call-{p}/{name}");
    Spooled { sha256: crate::hash::sha256_hex(path.as_bytes()), path, bytes: 42 }
}

fn told(answer: Answer) -> Outcome {
    let report = Box::new(Report { answer, facts: facts() });
    Outcome::Report { report, survivors: Vec::new() }
}

/// A model turn that ended well, with or without an id that proves it.
#[must_use]
pub fn answered(p: &str, session: Option<String>, structured: Structured) -> Outcome {
    told(Answer::Answered { session, text: spooled(p, "answer"), structured })
}

/// A launch that failed by itself.
#[must_use]
pub fn failed(p: &str, code: &str, kind: &str, retry_after_ms: Option<u64>) -> Outcome {
    let error = Error {
        code: code.to_string(),
        kind: kind.to_string(),
        detail: String::new(),
        retry_after_ms,
        reset_at: None,
    };
    told(Answer::Failed { error, session: None, partial: Some(spooled(p, "partial")) })
}
