//! All risks of a command, each bound to the part of it that shows it.

use alloc::string::String;
use alloc::vec::Vec;

use super::credentials;
use super::destroy;
use super::finding::{Finding, Look, Subject, hash};
use super::outward;
use crate::policy::argv::{Parsed, Role, Segment};
use crate::policy::path::{Ground, Names};

/// What a look needs to know beside the words.
pub(super) struct Scene<'a> {
    pub(super) ground: Ground<'a>,
    pub(super) names: Names<'a>,
    pub(super) cwd: &'a str,
}

/// Every risk of a parsed command.
#[must_use]
pub fn findings(parsed: &Parsed, cwd: &str, ground: Ground<'_>, names: Names<'_>) -> Vec<Finding> {
    let scene = Scene { ground, names, cwd };
    let mut all: Vec<Finding> = Vec::new();
    for segment in &parsed.segments {
        for found in of_segment(segment, &scene) {
            if all.iter().all(|known| known.hash != found.hash) {
                all.push(found);
            }
        }
    }
    all
}

fn of_segment(segment: &Segment, scene: &Scene<'_>) -> Vec<Finding> {
    let mut look = Look::default();
    if segment.role == Role::Carrier {
        return Vec::new();
    }
    destroy::look(segment, &mut look);
    credentials::look(segment, &mut look);
    if !segment.only_wraps() {
        outward::look(segment, scene, &mut look);
    }
    let bind = |seen: super::finding::Seen| Finding {
        hash: hash(seen.risk, &Subject::Argv { argv: &segment.words, cwd: scene.cwd }),
        risk: seen.risk,
        level: seen.level,
        reach: seen.reach,
        evidence: seen.evidence,
    };
    look.0.into_iter().map(bind).collect()
}

/// The command in a line as evidence, without what may be a secret.
pub(super) fn shown(segment: &Segment) -> String {
    let words = segment.words.iter().map(|word| credentials::masked(word)).collect();
    let line = Segment { words, ..segment.clone() }.line();
    match line.char_indices().nth(EVIDENCE_CHARS_MAX) {
        Some((at, _)) => alloc::format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// Evidence is read at a glance; the whole command stands beside it.
const EVIDENCE_CHARS_MAX: usize = 200;
