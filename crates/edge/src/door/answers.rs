//! Answers of the engine in the words of the wire. It decides nothing about them.

use runtime::engine::Answer;
use serde_json::json;

use super::hear;
use super::wire::{Refusal, Reply, Taken};

pub(super) fn refused(code: &str, run: &str) -> Reply {
    let refusal = hear::invalid(code, json!({}));
    Reply::Refused(Refusal { run: Some(run.to_owned()), ..refusal })
}

/// What is accepted instead, where the refusal is about the state. One that is about the words of
/// the command lists nothing, though the state may accept a lot.
fn listed(reason: &str, allowed: &[&str]) -> Option<Vec<String>> {
    let of_state = ["not_now", "not_owed", "ended"].contains(&reason) || !allowed.is_empty();
    of_state.then(|| allowed.iter().map(|name| (*name).to_owned()).collect())
}

pub(super) fn collect(answers: Vec<Answer>, trace: &str) -> Reply {
    let mut taken = Vec::new();
    let mut refused = None;
    for answer in answers {
        match answer {
            Ok(done) => taken.push(Taken {
                run: done.run,
                seq: done.seq,
                facts: done.facts.into_iter().map(str::to_owned).collect(),
                status: done.status.to_owned(),
            }),
            Err(at) => {
                refused.get_or_insert(Refusal {
                    code: format!("{}.{}", at.refused.machine, at.refused.reason),
                    allowed: listed(at.refused.reason, &at.refused.allowed),
                    run: Some(at.run),
                    state: Some(at.status.to_owned()),
                    details: at.refused.details,
                    trace: trace.to_owned(),
                });
            }
        }
    }
    Reply::Taken { taken, refused }
}
