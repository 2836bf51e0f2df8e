//! The refusal words: shared ones, that mean the same in every machine, and those of one machine.
//! Facts, not instructions; the sentences about them are in the message catalogue.

use super::class::Class;
use super::exit::Exit;

/// Who refuses: the prefix of a refusal's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Machine {
    /// What a person typed, routed.
    Session,
    /// One requirement from plan to archive.
    Lifecycle,
    /// One orchestrated turn.
    Turn,
    /// Develop, debug, validate.
    Loop,
    /// Several models on one question.
    Collab,
    /// One effect on the world.
    Call,
    /// Rules and grants.
    Policy,
    /// The user's repository.
    Workspace,
    /// The backends.
    Agent,
    /// The memory.
    Journal,
    /// Where requests come in.
    Door,
}

impl Machine {
    /// Every machine that can refuse.
    pub const ALL: [Self; 11] = [
        Self::Session,
        Self::Lifecycle,
        Self::Turn,
        Self::Loop,
        Self::Collab,
        Self::Call,
        Self::Policy,
        Self::Workspace,
        Self::Agent,
        Self::Journal,
        Self::Door,
    ];

    /// The prefix as written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Lifecycle => "lifecycle",
            Self::Turn => "turn",
            Self::Loop => "loop",
            Self::Collab => "collab",
            Self::Call => "call",
            Self::Policy => "policy",
            Self::Workspace => "workspace",
            Self::Agent => "agent",
            Self::Journal => "journal",
            Self::Door => "door",
        }
    }

    /// The machine of that exact name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|machine| machine.name() == name)
    }
}

/// Where a word is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// In every machine, with one meaning.
    Shared,
    /// Only there.
    Own(Machine),
}

/// One refusal word with everything that follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
    /// Where the word is used.
    pub scope: Scope,
    /// The word without its prefix.
    pub word: &'static str,
    /// Its class.
    pub class: Class,
    /// Its exit code, usually that of the class.
    pub exit: Exit,
    /// Its HTTP status, usually that of the class.
    pub http: u16,
    /// Whether the very same request may be accepted later without the asker doing anything.
    pub passes: bool,
}

impl Reason {
    const fn shared(word: &'static str, class: Class) -> Self {
        Self {
            scope: Scope::Shared,
            word,
            class,
            exit: class.exit(),
            http: class.http(),
            passes: false,
        }
    }

    const fn own(machine: Machine, word: &'static str, class: Class) -> Self {
        Self { scope: Scope::Own(machine), ..Self::shared(word, class) }
    }

    const fn refused(machine: Machine, word: &'static str) -> Self {
        Self::own(machine, word, Class::Refused)
    }

    const fn http(self, http: u16) -> Self {
        Self { http, ..self }
    }

    const fn exit(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }

    const fn passes(self) -> Self {
        Self { passes: true, ..self }
    }

    /// The reason for a word in a machine: the machine's own first, then the shared one.
    pub fn find(machine: Machine, word: &str) -> Option<&'static Self> {
        let fits = |reason: &&Self| match reason.scope {
            Scope::Shared => true,
            Scope::Own(owner) => owner == machine,
        };
        REASONS.iter().find(|reason| reason.word == word && fits(reason))
    }
}

/// Every refusal word of this build, shared ones first.
pub const REASONS: &[Reason] = &[
    Reason::shared("not_now", Class::Refused),
    Reason::shared("ended", Class::Refused),
    Reason::shared("busy", Class::Refused).passes(),
    Reason::shared("not_owed", Class::Refused),
    Reason::shared("question_closed", Class::Refused),
    Reason::shared("answered", Class::Refused),
    Reason::shared("held", Class::Refused),
    Reason::shared("not_held", Class::Refused),
    Reason::shared("needs_person", Class::PolicyDenied),
    Reason::shared("policy", Class::PolicyDenied),
    Reason::shared("scope_too_wide", Class::PolicyDenied),
    Reason::shared("stale_approval", Class::Conflict),
    Reason::shared("plan_changed", Class::Conflict),
    Reason::shared("definition_changed", Class::Conflict),
    Reason::shared("conflict", Class::Conflict).http(412),
    Reason::shared("owned", Class::Conflict),
    Reason::shared("key_reused", Class::Conflict),
    Reason::shared("id_taken", Class::Conflict),
    Reason::shared("budget", Class::Budget),
    Reason::shared("invalid_args", Class::InvalidArgs),
    Reason::shared("unknown_command", Class::InvalidArgs),
    Reason::shared("ambiguous_command", Class::InvalidArgs),
    Reason::shared("unknown_option", Class::InvalidArgs),
    Reason::shared("unknown_tool", Class::InvalidArgs),
    Reason::shared("no_such", Class::NotFound),
    Reason::shared("use_amend", Class::Refused),
    Reason::shared("view_only", Class::Refused),
    Reason::refused(Machine::Door, "version").passes(),
    Reason::refused(Machine::Call, "parent_over"),
    Reason::refused(Machine::Call, "already_stopping"),
    Reason::refused(Machine::Call, "nothing_to_undo"),
    Reason::refused(Machine::Call, "cannot_undo"),
    Reason::refused(Machine::Call, "settle_first"),
    Reason::refused(Machine::Call, "undo_in_progress").passes(),
    Reason::refused(Machine::Loop, "action_running").passes(),
    Reason::refused(Machine::Loop, "still_closing").passes(),
    Reason::refused(Machine::Loop, "engine_drives"),
    Reason::refused(Machine::Loop, "task_started"),
    Reason::refused(Machine::Loop, "nothing_pending"),
    Reason::refused(Machine::Loop, "nothing_to_debug"),
    Reason::refused(Machine::Loop, "iteration_limit"),
    Reason::refused(Machine::Loop, "validation_required"),
    Reason::refused(Machine::Collab, "participant_ended"),
    Reason::refused(Machine::Collab, "bad_session"),
    Reason::refused(Machine::Collab, "already_cancelling").passes(),
    Reason::refused(Machine::Collab, "limit"),
    Reason::refused(Machine::Collab, "override_required"),
    Reason::refused(Machine::Collab, "note_required"),
    Reason::refused(Machine::Turn, "empty_message"),
    Reason::own(Machine::Turn, "bad_request", Class::InvalidArgs),
    Reason::own(Machine::Turn, "bad_patch", Class::InvalidArgs),
    Reason::refused(Machine::Turn, "ask_by_control"),
    Reason::refused(Machine::Turn, "pause_first"),
    Reason::refused(Machine::Turn, "step_in_progress").passes(),
    Reason::refused(Machine::Turn, "step_is_done"),
    Reason::refused(Machine::Turn, "no_planner"),
    Reason::refused(Machine::Turn, "not_continuable"),
    Reason::refused(Machine::Session, "flow_active"),
    Reason::refused(Machine::Session, "use_rollback"),
    Reason::refused(Machine::Session, "path_forced"),
    Reason::refused(Machine::Session, "gate_closed"),
    Reason::refused(Machine::Session, "not_top_frame"),
    Reason::refused(Machine::Session, "too_deep"),
    Reason::refused(Machine::Session, "empty_project"),
    Reason::refused(Machine::Session, "nothing_to_roll_back"),
    Reason::refused(Machine::Session, "nothing_to_modify"),
    Reason::refused(Machine::Session, "target_not_found"),
    Reason::refused(Machine::Session, "rolled_back"),
    Reason::refused(Machine::Session, "acceptance"),
    Reason::refused(Machine::Session, "branch_changed"),
    Reason::refused(Machine::Session, "no_agent"),
    Reason::refused(Machine::Lifecycle, "derived"),
    Reason::refused(Machine::Lifecycle, "unsettled"),
    Reason::refused(Machine::Lifecycle, "not_current"),
    Reason::refused(Machine::Lifecycle, "no_task"),
    Reason::refused(Machine::Lifecycle, "no_run"),
    Reason::refused(Machine::Lifecycle, "no_checkpoint"),
    Reason::refused(Machine::Lifecycle, "immutable"),
    Reason::refused(Machine::Lifecycle, "use_command"),
    Reason::refused(Machine::Lifecycle, "unparsable"),
    Reason::refused(Machine::Workspace, "root_refused"),
    Reason::refused(Machine::Workspace, "root_replaced"),
    Reason::refused(Machine::Workspace, "foreign_state"),
    Reason::refused(Machine::Workspace, "state_tracked"),
    // Not a no but a question nobody was there to answer.
    Reason::refused(Machine::Workspace, "untrusted").exit(Exit::WAITING),
    Reason::refused(Machine::Workspace, "damaged"),
    Reason::own(Machine::Session, "outside_workspace", Class::PolicyDenied),
    Reason::refused(Machine::Session, "kb_root_taken"),
    Reason::own(Machine::Session, "feature_invalid", Class::InvalidArgs),
    Reason::own(Machine::Session, "name_invalid", Class::InvalidArgs),
    Reason::refused(Machine::Session, "too_many_versions"),
    Reason::own(Machine::Session, "no_package", Class::NotFound),
    Reason::refused(Machine::Session, "package_not_executable"),
    Reason::refused(Machine::Session, "package_in_use").passes(),
    Reason::refused(Machine::Session, "package_archived"),
    Reason::refused(Machine::Session, "not_completed"),
    Reason::refused(Machine::Session, "unreadable"),
    Reason::refused(Machine::Session, "not_a_repository"),
    Reason::refused(Machine::Session, "git_busy").passes(),
    Reason::own(Machine::Session, "secret_found", Class::PolicyDenied),
    Reason::refused(Machine::Policy, "rule_examples"),
    Reason::refused(Machine::Agent, "access"),
    Reason::refused(Machine::Agent, "sandbox_required"),
    Reason::refused(Machine::Agent, "foreign_session"),
    Reason::own(Machine::Journal, "sync_failed", Class::Journal),
    Reason::own(Machine::Journal, "hash_mismatch", Class::Journal),
    Reason::own(Machine::Journal, "shorter_than_head", Class::Journal),
    Reason::own(Machine::Journal, "locked", Class::Journal).passes(),
    Reason::own(Machine::Journal, "no_space", Class::Journal),
    Reason::own(Machine::Journal, "newer_format", Class::Journal),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invariant_one_meaning() {
        for (at, reason) in REASONS.iter().enumerate() {
            let again = REASONS[at + 1..].iter().find(|other| other.word == reason.word);
            assert_eq!(again, None, "{} has two meanings", reason.word);
            let letters = reason.word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
            assert!(letters && (2..=40).contains(&reason.word.len()), "{}", reason.word);
        }
    }

    #[test]
    fn own_words_stay_with_their_machine() {
        let table = [
            (Machine::Call, "settle_first", true),
            (Machine::Loop, "settle_first", false),
            (Machine::Turn, "not_now", true),
            (Machine::Call, "version", false),
            (Machine::Door, "version", true),
        ];
        for (machine, word, known) in table {
            assert_eq!(Reason::find(machine, word).is_some(), known, "{machine:?} {word}");
        }
    }
}
