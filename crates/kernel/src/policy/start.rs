//! What a person's own start grants: exactly the commands it listed, and agents that are held.
//! It matches whole argument vectors, never parts of them; parsed rules are elsewhere.

use alloc::string::{String, ToString};

use serde::{Deserialize, Serialize};

use super::facts::Sandbox;
use super::verdict::{Granted, Trust, Verdict};
use crate::agent::Access;
use crate::machine::By;

/// Judges one command against the grants its owner holds.
#[must_use]
pub fn judge_at_start(argv: &[String], cwd: &str, grants: &[Granted], trust: Trust) -> Verdict {
    match trust {
        Trust::Untrusted => Verdict::Deny { rule: "untrusted".to_string() },
        Trust::Trusted => {
            if grants.iter().any(|g| g.argv == argv && g.cwd == cwd) {
                Verdict::Allow { rule: "granted-at-start".to_string() }
            } else {
                Verdict::Ask { rule: "run-asks".to_string() }
            }
        }
    }
}

/// Whether a person's own command stands behind an agent's launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backing {
    /// A person started the run that owns it, and so granted what the run said it would launch.
    Person,
    /// Nobody did.
    #[default]
    None,
}

impl Backing {
    /// What stands behind something that this one asks for.
    #[must_use]
    pub const fn by(by: &By) -> Self {
        if by.may_approve() { Self::Person } else { Self::None }
    }
}

/// Judges the launch of an agent. Without a sandbox its access is only what its own flags promise,
/// so more than reading is asked for even where a person started the run; where the sandbox is
/// missing against a person's wish, everything is.
#[must_use]
pub fn judge_agent(access: Access, backing: Backing, sandbox: Sandbox, trust: Trust) -> Verdict {
    let ask = |rule: &str| Verdict::Ask { rule: rule.to_string() };
    match trust {
        Trust::Untrusted => return Verdict::Deny { rule: "untrusted".to_string() },
        Trust::Trusted => {}
    }
    match (backing, sandbox, access) {
        (Backing::Person, Sandbox::Held, Access::Read | Access::Edit | Access::Full)
        | (Backing::Person, Sandbox::Waived, Access::Read) => {
            Verdict::Allow { rule: "granted-at-start".to_string() }
        }
        (Backing::None, Sandbox::Held, _) => ask("agent-asks"),
        (Backing::Person, Sandbox::Waived, Access::Edit | Access::Full)
        | (Backing::Person, Sandbox::Absent, _)
        | (Backing::None, Sandbox::Waived | Sandbox::Absent, _) => ask("unsandboxed-agent-asks"),
    }
}

/// The verdict over a command, given what would hold it: a start grants no command that nothing
/// holds, unless a person has said that this is all right.
#[must_use]
pub fn held(verdict: Verdict, sandbox: Sandbox) -> Verdict {
    match sandbox {
        Sandbox::Held | Sandbox::Waived => verdict,
        Sandbox::Absent => verdict.max(Verdict::Ask { rule: "unsandboxed-run-asks".to_string() }),
    }
}

/// Judges the undo that a person asked for.
#[must_use]
pub fn judge_undo(trust: Trust) -> Verdict {
    match trust {
        Trust::Untrusted => Verdict::Deny { rule: "untrusted".to_string() },
        Trust::Trusted => Verdict::Allow { rule: "undo-asked".to_string() },
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(ToString::to_string).collect()
    }

    #[test]
    fn only_the_exact_command_in_its_directory_runs_unasked() {
        let granted = Granted { argv: words("cargo test"), cwd: ".".to_string() };
        let grants = [granted];
        let check = |argv: &str, cwd: &str, trust: Trust, expected: &str| {
            let rule = match judge_at_start(&words(argv), cwd, &grants, trust) {
                Verdict::Allow { rule } => alloc::format!("allow {rule}"),
                Verdict::Ask { rule } => alloc::format!("ask {rule}"),
                Verdict::Deny { rule } => alloc::format!("deny {rule}"),
            };
            assert_eq!(rule, expected, "{argv} in {cwd}");
        };
        check("cargo test", ".", Trust::Trusted, "allow granted-at-start");
        check("cargo test --workspace", ".", Trust::Trusted, "ask run-asks");
        check("cargo", ".", Trust::Trusted, "ask run-asks");
        check("cargo test", "sub", Trust::Trusted, "ask run-asks");
        check("cargo test ; rm", ".", Trust::Trusted, "ask run-asks");
        check("cargo test", ".", Trust::Untrusted, "deny untrusted");
    }

    #[test]
    fn what_nothing_holds_is_asked() {
        use Sandbox::{Absent, Held, Waived};
        let shown = |verdict: Verdict| match verdict {
            Verdict::Allow { rule } => alloc::format!("allow {rule}"),
            Verdict::Ask { rule } => alloc::format!("ask {rule}"),
            Verdict::Deny { rule } => alloc::format!("deny {rule}"),
        };
        let agents = [
            (Access::Read, Backing::Person, Held, "allow granted-at-start"),
            (Access::Full, Backing::Person, Held, "allow granted-at-start"),
            (Access::Read, Backing::None, Held, "ask agent-asks"),
            (Access::Read, Backing::Person, Waived, "allow granted-at-start"),
            (Access::Edit, Backing::Person, Waived, "ask unsandboxed-agent-asks"),
            (Access::Read, Backing::Person, Absent, "ask unsandboxed-agent-asks"),
            (Access::Full, Backing::None, Absent, "ask unsandboxed-agent-asks"),
        ];
        for (access, backing, sandbox, expected) in agents {
            let judged = judge_agent(access, backing, sandbox, Trust::Trusted);
            assert_eq!(shown(judged), expected, "{access:?} {backing:?} {sandbox:?}");
            let judged = judge_agent(access, backing, sandbox, Trust::Untrusted);
            assert_eq!(shown(judged), "deny untrusted", "{access:?} {backing:?} {sandbox:?}");
        }
        let allow = || Verdict::Allow { rule: "granted-at-start".to_string() };
        let deny = || Verdict::Deny { rule: "untrusted".to_string() };
        for (verdict, sandbox, expected) in [
            (allow(), Held, "allow granted-at-start"),
            (allow(), Waived, "allow granted-at-start"),
            (allow(), Absent, "ask unsandboxed-run-asks"),
            (deny(), Absent, "deny untrusted"),
        ] {
            assert_eq!(shown(held(verdict, sandbox)), expected, "{sandbox:?}");
        }
    }

    #[test]
    fn one_word_with_a_space_is_not_two_words() {
        let grants = [Granted { argv: words("sh -c ls"), cwd: ".".to_string() }];
        let joined = Vec::from(["sh".to_string(), "-c ls".to_string()]);
        let verdict = judge_at_start(&joined, ".", &grants, Trust::Trusted);
        assert_eq!(verdict, Verdict::Ask { rule: "run-asks".to_string() });
    }

    #[test]
    fn the_strictest_verdict_is_the_greatest() {
        let rule = || "z".to_string();
        let deny = Verdict::Deny { rule: "a".to_string() };
        let ask = Verdict::Ask { rule: "b".to_string() };
        assert!(deny > ask && ask > Verdict::Allow { rule: rule() });
        assert_eq!(
            [Verdict::Allow { rule: rule() }, deny.clone(), ask].into_iter().max(),
            Some(deny)
        );
    }
}
