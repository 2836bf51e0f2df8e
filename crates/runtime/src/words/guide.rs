//! Which commands perform the next step of a code, and which settings belong to it. Language has
//! no part in it; a name in braces is filled in from the error's details or its place.

use kernel::errors::{Class, Code, Machine, Number, Reason};

/// Commands and settings for one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guide {
    /// Command lines with `{name}` where a detail or an id goes.
    pub commands: &'static [&'static str],
    /// Settings that bear on it.
    pub settings: &'static [&'static str],
}

const fn of(commands: &'static [&'static str], settings: &'static [&'static str]) -> Guide {
    Guide { commands, settings }
}

/// The guide of a code.
pub fn guide(code: Code) -> Guide {
    match code {
        Code::Class(class) => of_class(class),
        Code::Number(number) => of_number(number),
        Code::Refusal(machine, reason) => of_refusal(machine, reason),
    }
}

/// The commands of a code whose details have this kind; few kinds need others than their code.
pub fn commands(code: Code, kind: &str) -> &'static [&'static str] {
    match (code, kind) {
        // Nothing is wrong with the journal: the one who would have answered is gone.
        (Code::Class(Class::Journal), "engine_gone") => {
            &["loopwright show {run_id}", "loopwright runs"]
        }
        // What a core side is missing in is used only by a person's word, with the reason.
        (Code::Class(Class::Degraded), "unacceptable") => &[
            "loopwright collab confirm {run_id} --override --note NOTE",
            "loopwright collab decline {run_id}",
        ],
        (Code::Refusal(Machine::Policy | Machine::Lifecycle, _), "grant") => {
            &["loopwright grant list"]
        }
        (Code::Refusal(Machine::Lifecycle, _), "task") => &["loopwright lifecycle tasks"],
        (Code::Class(_) | Code::Number(_) | Code::Refusal(_, _), _) => guide(code).commands,
    }
}

fn of_class(class: Class) -> Guide {
    match class {
        Class::PolicyDenied => of(
            &["loopwright call show {call_id}", "loopwright policy rules"],
            &["policy.rule", "policy.break_hardlinks"],
        ),
        Class::Io => of(&["loopwright workspace status"], &["run.disk_floor", "sandbox.mode"]),
        Class::ToolTimeout => of(
            &["loopwright call show {call_id}"],
            &["call.timeout.read", "call.timeout.exec", "call.timeout.agent", "call.timeout.idle"],
        ),
        Class::InvalidArgs => of(&["loopwright help"], &[]),
        Class::Conflict => of(&["loopwright show {run_id}"], &[]),
        Class::BuildFail => {
            of(&["loopwright call show {call_id} --output"], &["verify.commands", "verify.timeout"])
        }
        Class::Model => of(&["loopwright call show {call_id} --output"], &["call.timeout.agent"]),
        Class::Refused => of(&["loopwright show {run_id}"], &[]),
        Class::Cancelled => of(&["loopwright diff {run_id}"], &[]),
        Class::Budget => of(&["loopwright show {run_id}"], &["loop.max_iterations"]),
        Class::UnknownOutcome => of(
            &[
                "loopwright call show {call_id} --output",
                "loopwright call settle {call_id} happened --note NOTE",
                "loopwright call settle {call_id} did-not-happen --note NOTE",
            ],
            &["call.probes"],
        ),
        Class::Degraded => {
            of(&["loopwright collab confirm {run_id}", "loopwright collab decline {run_id}"], &[])
        }
        Class::Journal => of(&["loopwright journal verify"], &[]),
        Class::NotFound => of(&["loopwright runs"], &[]),
        Class::Auth => of(&[], &["edge.listen", "edge.remote"]),
        Class::Internal => of(&["loopwright trace {trace_id}"], &["trace.keep_days"]),
    }
}

fn of_number(number: Number) -> Guide {
    match number {
        Number::E001 => of(&["loopwright doctor"], &["agents.<name>.bin"]),
        Number::E002 => of(&["loopwright config check", "loopwright doctor"], &[]),
        Number::E003 => of(&["loopwright workspace status"], &["run.memory", "run.disk_floor"]),
        Number::E004 | Number::E005 => {
            of(&["loopwright show {run_id}"], &["collab.timeout", "call.timeout.agent"])
        }
        Number::E006 => of(&["loopwright call show {call_id} --output"], &[]),
        Number::E007 => of(&["loopwright show {run_id}"], &[]),
        Number::E008 => of(&["loopwright workspace status"], &[]),
        Number::E009 => of(&["loopwright call show {call_id} --output"], &[]),
        Number::E010 => of(&["loopwright config show"], &["env.proxy"]),
    }
}

fn of_refusal(machine: Machine, reason: &Reason) -> Guide {
    match reason.word {
        "not_now" | "ended" | "not_owed" | "held" | "not_held" | "conflict" | "owned"
        | "question_closed" | "answered" | "needs_person" => of(show(machine), &[]),
        // `unknown` is only there when nobody knows what became of the holder. What is at work is
        // waited for by watching it.
        "busy" if matches!(machine, Machine::Turn | Machine::Lifecycle | Machine::Loop) => {
            of(&["loopwright call show {unknown} --output", "loopwright watch {holder}"], &[])
        }
        "busy" => of(&["loopwright call show {unknown} --output", "loopwright show {holder}"], &[]),
        "policy" => of(show(machine), &["policy.rule"]),
        "scope_too_wide" if machine == Machine::Turn => {
            of(&["loopwright turn confirm {run_id} yes"], &[])
        }
        "scope_too_wide" => of(&["loopwright call allow {call_id}"], &[]),
        "plan_changed" if machine == Machine::Workspace => {
            of(&["loopwright rollback --dry-run"], &[])
        }
        "stale_approval" | "plan_changed" | "definition_changed" => of(show(machine), &[]),
        "key_reused" | "id_taken" | "no_such" => of(list(machine), &[]),
        "budget" if machine == Machine::Lifecycle => {
            of(&["loopwright lifecycle fix --fixed --add-turns N"], &[])
        }
        "budget" => of(&["loopwright show {run_id}"], &["loop.max_iterations"]),
        "use_amend" => of(&["loopwright lifecycle amend FILE"], &[]),
        "view_only" => of(show(machine), &[]),
        "invalid_args" | "unknown_command" | "ambiguous_command" | "unknown_option" => {
            of(&["loopwright help"], &[])
        }
        "unknown_tool" => of(&["loopwright tool list"], &[]),
        "parent_over" => of(&["loopwright runs"], &[]),
        "version" => of(&["loopwright engine status", "loopwright engine stop"], &[]),
        "already_stopping" | "nothing_to_undo" | "cannot_undo" | "undo_in_progress" => {
            of(&["loopwright call show {call_id}"], &["call.grace"])
        }
        "settle_first" => of(
            &[
                "loopwright call settle {call_id} happened --note NOTE",
                "loopwright call settle {call_id} did-not-happen --note NOTE",
            ],
            &[],
        ),
        word if machine == Machine::Lifecycle => of_lifecycle(word),
        word => of_own(word),
    }
}

/// Words of a lifecycle.
fn of_lifecycle(word: &str) -> Guide {
    match word {
        "unsettled" => of(
            &[
                "loopwright call settle {call} happened --note NOTE",
                "loopwright call settle {call} did-not-happen --note NOTE",
            ],
            &[],
        ),
        "not_current" | "immutable" => of(&["loopwright lifecycle tasks"], &[]),
        "no_task" => of(&["loopwright lifecycle why"], &[]),
        "no_run" => of(&["loopwright lifecycle start TEXT"], &[]),
        "no_checkpoint" => of(&["loopwright checkpoint list"], &[]),
        _other => of(&["loopwright lifecycle status"], &[]),
    }
}

/// Words of loop, collab, workspace, policy and journal.
fn of_own(word: &str) -> Guide {
    match word {
        "participant_ended" | "bad_session" | "already_cancelling" | "limit" => {
            of(&["loopwright collab show {run_id}"], &[])
        }
        "override_required" | "note_required" => of(
            &[
                "loopwright collab confirm {run_id} --override --note NOTE",
                "loopwright collab decline {run_id}",
            ],
            &[],
        ),
        "empty_message" => of(&["loopwright help turn start"], &[]),
        "no_planner" => of(&["loopwright agent list"], &["turn.agents", "turn.planner"]),
        "pause_first" => of(&["loopwright turn pause {run_id}"], &[]),
        "not_continuable" => of(&["loopwright turn show {turn}"], &[]),
        "bad_request" | "bad_patch" | "ask_by_control" | "step_in_progress" | "step_is_done" => {
            of(&["loopwright turn show {run_id}"], &[])
        }
        "action_running" => of(&["loopwright loop pause {run_id} --now"], &[]),
        // `unknown` is only there when the outcome of what was stopped is.
        "still_closing" => of(
            &["loopwright call show {unknown} --output", "loopwright loop show {run_id}"],
            &["call.grace"],
        ),
        "engine_drives" => of(&["loopwright loop show {run_id}"], &["loop.external.lease"]),
        "task_started" => of(&["loopwright loop task list {run_id}"], &[]),
        "nothing_pending" => of(&["loopwright loop task add {run_id} TEXT"], &[]),
        "nothing_to_debug" => of(&["loopwright loop answer {run_id} validate"], &[]),
        "iteration_limit" => {
            of(&["loopwright loop edit {run_id} --max-iterations N"], &["loop.max_iterations"])
        }
        "validation_required" => of(
            &[
                "loopwright loop answer {run_id} validate",
                "loopwright loop complete {run_id} --force --why WHY",
            ],
            &["verify.commands"],
        ),
        "root_refused" => of(&["loopwright workspace status --workspace PATH"], &[]),
        "root_replaced" => of(&["loopwright engine stop"], &[]),
        "foreign_state" => of(&["loopwright workspace adopt"], &[]),
        "state_tracked" => of(&["git rm -r --cached .loop"], &[]),
        "untrusted" => of(&["loopwright workspace trust"], &[]),
        "damaged" => of(&["loopwright workspace status"], &[]),
        "access" => of(&["loopwright agent show {agent}"], &["agents.<name>.access_max"]),
        "sandbox_required" => {
            of(&["loopwright agent show {agent}"], &["agents.<name>.unsandboxed", "sandbox.mode"])
        }
        "foreign_session" => of(&["loopwright call list"], &[]),
        "rule_examples" => of(&["loopwright policy rules"], &["policy.rule"]),
        "locked" => of(&["loopwright engine status"], &["engine.idle_exit"]),
        "no_space" => of(&["loopwright journal stats"], &["run.disk_floor"]),
        "sync_failed" | "hash_mismatch" | "shorter_than_head" => {
            of(&["loopwright journal verify"], &[])
        }
        "newer_format" => of(&["loopwright --version"], &[]),
        word => of_package(word),
    }
}

/// Words about packages, the knowledge base and commits.
fn of_package(word: &str) -> Guide {
    match word {
        "outside_workspace" | "kb_root_taken" => {
            of(&["loopwright kb status"], &["paths.kb_root", "paths.kb_candidates"])
        }
        "feature_invalid" | "too_many_versions" => of(&["loopwright help package new"], &[]),
        "name_invalid" | "no_package" | "package_in_use" => of(&["loopwright package list"], &[]),
        "package_not_executable" => of(&["loopwright package check {found}"], &[]),
        "package_archived" => of(&["loopwright package show {found}"], &[]),
        "not_completed" => {
            of(&["loopwright package show {package}", "loopwright package archive {package}"], &[])
        }
        "unreadable" => of(&["loopwright kb status"], &[]),
        "not_a_repository" => of(&["git init"], &[]),
        "no_git" => of(&["loopwright doctor"], &["git.path", "checkpoint.required"]),
        "git_busy" => of(&["git status"], &[]),
        "secret_found" => of(&["git status"], &["redact.patterns"]),
        word => of_session(word),
    }
}

/// Words about what runs in a session.
fn of_session(word: &str) -> Guide {
    match word {
        "flow_active" => of(&["loopwright status", "loopwright cancel"], &[]),
        "use_rollback" => of(&["loopwright cancel", "loopwright rollback --dry-run"], &[]),
        "path_forced" | "not_top_frame" | "too_deep" => of(&["loopwright status"], &[]),
        "gate_closed" => of(&["loopwright package check", "loopwright cancel"], &[]),
        "empty_project" => of(&["loopwright init"], &[]),
        "nothing_to_roll_back" => of(&["loopwright checkpoint create"], &[]),
        "no_agent" => of(&["loopwright doctor"], &["session.designers"]),
        "nothing_to_modify" => of(&["loopwright say TEXT"], &[]),
        "target_not_found" => of(&["loopwright checkpoint list"], &[]),
        "rolled_back" | "acceptance" => of(&["loopwright exec"], &[]),
        "branch_changed" => of(&["loopwright status", "loopwright cancel"], &[]),
        _ => of(&[], &[]),
    }
}

const fn show(machine: Machine) -> &'static [&'static str] {
    match machine {
        Machine::Loop => &["loopwright loop show {run_id}"],
        Machine::Call => &["loopwright call show {call_id}"],
        Machine::Session => &["loopwright status"],
        Machine::Workspace => &["loopwright workspace status"],
        Machine::Agent => &["loopwright agent list"],
        Machine::Policy => &["loopwright config check"],
        Machine::Journal => &["loopwright journal verify"],
        Machine::Door => &["loopwright engine status"],
        Machine::Turn => &["loopwright turn show {run_id}"],
        Machine::Lifecycle => &["loopwright lifecycle status {run_id}"],
        Machine::Collab => &["loopwright show {run_id}"],
    }
}

const fn list(machine: Machine) -> &'static [&'static str] {
    match machine {
        // `task_of` is only there when it is a task that is not known.
        Machine::Loop => &["loopwright loop task list {task_of}", "loopwright loop list"],
        Machine::Call => &["loopwright call list"],
        Machine::Turn => &["loopwright turn list"],
        // The only ids of a policy are those of grants, of a workspace those of checkpoints.
        Machine::Policy => &["loopwright grant list --all"],
        Machine::Workspace => &["loopwright checkpoint list"],
        Machine::Agent => &["loopwright agent list"],
        Machine::Lifecycle => &["loopwright lifecycle list"],
        Machine::Session | Machine::Collab | Machine::Journal | Machine::Door => {
            &["loopwright runs"]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::errors::names;

    /// Settings that belong to parts a smaller build may lack.
    const ELSEWHERE: [&str; 2] = ["edge.listen", "edge.remote"];

    #[test]
    fn settings_that_are_named_exist() {
        for name in names() {
            for setting in guide(Code::parse(&name).unwrap()).settings {
                let named = setting.replace("<name>", "x");
                let known = crate::config::key(setting).is_some()
                    || crate::config::member(&named).is_some()
                    || ELSEWHERE.contains(setting);
                assert!(known, "{name} names {setting}");
            }
        }
    }
}
