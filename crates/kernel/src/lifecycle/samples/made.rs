//! Plain data for samples: a small plan, its checks, what they prove.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::check::{Check, CheckSource, Evidence, EvidenceKind, Level, Verdict};
use super::super::phase::Failure;
use super::super::plan::{Ask, Plan, Source};
use super::super::setup::{Begin, CheckedOut, Options};
use super::super::task::Spec;
use crate::machine::At;
use crate::policy::Backing;

/// A requirement.
#[must_use]
pub fn begin(source: Source) -> Begin {
    let path = match source {
        Source::Text => None,
        Source::File | Source::Package => Some(String::from("docs/prd.md")),
    };
    let options = Options {
        confirm_expiry_ms: Some(1_000),
        resume_at_reset: vec!["codex".into()],
        ..Options::default()
    };
    Begin {
        id: "lc-1".into(),
        parent: None,
        session_id: None,
        ask: Ask {
            text: "Add login".into(),
            earlier: Vec::new(),
            source,
            path,
            digest: "d0".into(),
        },
        options,
        grant: None,
        backing: Backing::Person,
        head: CheckedOut::default(),
    }
}

/// A task that needs these.
#[must_use]
pub fn spec(id: &str, depends: &[&str]) -> Spec {
    Spec {
        id: id.into(),
        title: format!("Do {id}"),
        depends: depends.iter().map(|need| String::from(*need)).collect(),
        ..Spec::default()
    }
}

/// A check of everything.
#[must_use]
pub fn check(id: &str) -> Check {
    Check {
        id: id.into(),
        argv: vec!["make".into(), id.into()],
        cwd: ".".into(),
        level: Level::Test,
        required: true,
        timeout_s: 300,
        covers: vec!["**".into()],
        source: CheckSource::Config,
        definition_hash: None,
    }
}

/// Two tasks, the second needs the first, checked by one command.
#[must_use]
pub fn plan() -> Plan {
    Plan {
        revision: 1,
        goal: "Login".into(),
        constraints: Vec::new(),
        tasks: vec![spec("T-1", &[]), spec("T-2", &["T-1"])],
        checks: vec![check("test")],
        findings: Vec::new(),
        path: None,
        source_digest: Some("d0".into()),
        warnings: Vec::new(),
    }
}

/// What a check came to on these files.
#[must_use]
pub fn evidence(id: &str, check: &Check, verdict: Verdict, digest: &str) -> Evidence {
    Evidence {
        evidence_id: id.into(),
        task_id: None,
        check_id: check.id.clone(),
        kind: EvidenceKind::Command,
        argv: check.argv.clone(),
        cwd: check.cwd.clone(),
        env_names: Vec::new(),
        call_id: Some("call-1".into()),
        exit_code: Some(i32::from(verdict != Verdict::Pass)),
        signal: None,
        verdict,
        started_at: At(1),
        ended_at: At(2),
        covers: check.covers.clone(),
        digest: digest.into(),
        tests: None,
        errors: Vec::new(),
        signature: (verdict != Verdict::Pass).then(|| format!("sig-{}", check.id)),
        sandbox: "none".into(),
        definition_hash: check.definition_hash.clone(),
        void: false,
        flaky: false,
    }
}

/// A failure that is known by its code.
pub(super) fn failure(code: &str, kind: &str) -> Failure {
    Failure {
        code: code.into(),
        kind: kind.into(),
        summary: format!("{code} {kind}"),
        signature: format!("{code}:{kind}"),
        repeat: false,
        check: None,
        errors: Vec::new(),
        digest: None,
    }
}
