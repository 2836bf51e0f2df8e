//! The classes: what kind of thing went wrong, which decides exit code and HTTP status.
//! Not the sentences about them, and not the more specific codes.

use super::exit::Exit;

/// What kind of thing went wrong. The first seven are the seed's, the rest extend it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A rule, a person or a timer said no.
    PolicyDenied,
    /// The file system or a process failed.
    Io,
    /// A deadline passed.
    ToolTimeout,
    /// The request did not fit its schema.
    InvalidArgs,
    /// Somebody else changed or holds it.
    Conflict,
    /// A build, lint or test is red.
    BuildFail,
    /// A model's output broke the protocol.
    Model,
    /// The command does not fit the state.
    Refused,
    /// Cancelled by a person or a parent.
    Cancelled,
    /// Nothing left to spend.
    Budget,
    /// It started, and how it ended is not known.
    UnknownOutcome,
    /// A degraded result waits for confirmation.
    Degraded,
    /// The journal or its storage failed.
    Journal,
    /// One of our own ids is unknown.
    NotFound,
    /// The door refused the caller.
    Auth,
    /// The program is wrong.
    Internal,
}

/// When a call may repeat a failed read by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Never.
    No,
    /// Whatever the detail.
    Any,
    /// Only for these detail kinds.
    Kinds(&'static [&'static str]),
}

impl Class {
    /// Every class, in the order of the table.
    pub const ALL: [Self; 16] = [
        Self::PolicyDenied,
        Self::Io,
        Self::ToolTimeout,
        Self::InvalidArgs,
        Self::Conflict,
        Self::BuildFail,
        Self::Model,
        Self::Refused,
        Self::Cancelled,
        Self::Budget,
        Self::UnknownOutcome,
        Self::Degraded,
        Self::Journal,
        Self::NotFound,
        Self::Auth,
        Self::Internal,
    ];

    /// The name, never translated or reused.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PolicyDenied => "E_POLICY_DENIED",
            Self::Io => "E_IO",
            Self::ToolTimeout => "E_TOOL_TIMEOUT",
            Self::InvalidArgs => "E_INVALID_ARGS",
            Self::Conflict => "E_CONFLICT",
            Self::BuildFail => "E_BUILD_FAIL",
            Self::Model => "E_MODEL",
            Self::Refused => "E_REFUSED",
            Self::Cancelled => "E_CANCELLED",
            Self::Budget => "E_BUDGET",
            Self::UnknownOutcome => "E_UNKNOWN_OUTCOME",
            Self::Degraded => "E_DEGRADED",
            Self::Journal => "E_JOURNAL",
            Self::NotFound => "E_NOT_FOUND",
            Self::Auth => "E_AUTH",
            Self::Internal => "E_INTERNAL",
        }
    }

    /// The class of that exact name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// The exit code when a door answers with this class.
    pub const fn exit(self) -> Exit {
        match self {
            Self::BuildFail | Self::Model | Self::Io | Self::Internal => Exit::FAILED,
            Self::InvalidArgs | Self::NotFound => Exit::USAGE,
            Self::Refused => Exit::REFUSED,
            Self::UnknownOutcome => Exit::WAITING,
            Self::Degraded => Exit::DEGRADED,
            Self::PolicyDenied | Self::Auth => Exit::DENIED,
            Self::Conflict => Exit::CONFLICT,
            Self::ToolTimeout => Exit::TIMEOUT,
            Self::Budget => Exit::BUDGET,
            Self::Journal => Exit::JOURNAL,
            Self::Cancelled => Exit::CANCELLED,
        }
    }

    /// The exit code when a run ended with this class: two classes mean less there, because the
    /// request itself was read and the waiting is over.
    pub const fn exit_of_run(self) -> Exit {
        match self {
            Self::InvalidArgs | Self::UnknownOutcome => Exit::FAILED,
            Self::PolicyDenied
            | Self::Io
            | Self::ToolTimeout
            | Self::Conflict
            | Self::BuildFail
            | Self::Model
            | Self::Refused
            | Self::Cancelled
            | Self::Budget
            | Self::Degraded
            | Self::Journal
            | Self::NotFound
            | Self::Auth
            | Self::Internal => self.exit(),
        }
    }

    /// The HTTP status. A waiting or degraded run is shown, not failed, hence 200 for those two.
    pub const fn http(self) -> u16 {
        match self {
            Self::PolicyDenied => 403,
            Self::Auth => 401,
            Self::Io | Self::Internal => 500,
            Self::ToolTimeout => 504,
            Self::InvalidArgs | Self::BuildFail => 422,
            Self::Conflict | Self::Refused | Self::Cancelled => 409,
            Self::Model => 502,
            Self::Budget => 429,
            Self::UnknownOutcome | Self::Degraded => 200,
            Self::Journal => 503,
            Self::NotFound => 404,
        }
    }

    /// The HTTP status once the detail kind is known.
    pub fn http_of(self, kind: &str) -> u16 {
        match kind {
            "no_space" if self == Self::Io => 507,
            "malformed" if self == Self::InvalidArgs => 400,
            "too_large" if self == Self::InvalidArgs => 413,
            "host" | "origin" if self == Self::Auth => 403,
            _other => self.http(),
        }
    }

    /// Which failures of this class a read repeats by itself.
    pub const fn retry(self) -> Retry {
        match self {
            Self::Io => Retry::Kinds(&["interrupted", "busy"]),
            Self::ToolTimeout => Retry::Any,
            Self::Model => Retry::Kinds(&["provider"]),
            Self::PolicyDenied
            | Self::InvalidArgs
            | Self::Conflict
            | Self::BuildFail
            | Self::Refused
            | Self::Cancelled
            | Self::Budget
            | Self::UnknownOutcome
            | Self::Degraded
            | Self::Journal
            | Self::NotFound
            | Self::Auth
            | Self::Internal => Retry::No,
        }
    }

    /// Would the same request later be sensible, given the detail kind (`""` if there is none)?
    pub fn retryable(self, kind: &str) -> bool {
        match self.retry() {
            Retry::No => false,
            Retry::Any => true,
            Retry::Kinds(kinds) => kinds.contains(&kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invariant_exit_stable() {
        let table = [
            ("E_POLICY_DENIED", 6, 403, 6),
            ("E_IO", 1, 500, 1),
            ("E_TOOL_TIMEOUT", 8, 504, 8),
            ("E_INVALID_ARGS", 2, 422, 1),
            ("E_CONFLICT", 7, 409, 7),
            ("E_BUILD_FAIL", 1, 422, 1),
            ("E_MODEL", 1, 502, 1),
            ("E_REFUSED", 3, 409, 3),
            ("E_CANCELLED", 130, 409, 130),
            ("E_BUDGET", 9, 429, 9),
            ("E_UNKNOWN_OUTCOME", 4, 200, 1),
            ("E_DEGRADED", 5, 200, 5),
            ("E_JOURNAL", 10, 503, 10),
            ("E_NOT_FOUND", 2, 404, 2),
            ("E_AUTH", 6, 401, 6),
            ("E_INTERNAL", 1, 500, 1),
        ];
        assert_eq!(table.len(), Class::ALL.len());
        for (name, exit, http, run) in table {
            let class = Class::named(name).unwrap();
            assert_eq!(
                (class.exit().code(), class.http(), class.exit_of_run().code()),
                (exit, http, run),
                "{name}"
            );
        }
    }

    #[test]
    fn details_change_only_the_named_statuses() {
        let table = [
            (Class::Io, "no_space", 507),
            (Class::Io, "not_found", 500),
            (Class::InvalidArgs, "malformed", 400),
            (Class::InvalidArgs, "too_large", 413),
            (Class::Io, "too_large", 500),
            (Class::InvalidArgs, "unsupported", 422),
            (Class::Auth, "token", 401),
            (Class::Auth, "origin", 403),
        ];
        for (class, kind, status) in table {
            assert_eq!(class.http_of(kind), status, "{class:?} {kind}");
        }
    }

    #[test]
    fn reads_repeat_only_what_passes_by_itself() {
        let table = [
            (Class::Io, "interrupted", true),
            (Class::Io, "not_found", false),
            (Class::ToolTimeout, "", true),
            (Class::Model, "provider", true),
            (Class::Model, "not_json", false),
            (Class::UnknownOutcome, "lost", false),
            (Class::Journal, "sync_failed", false),
        ];
        for (class, kind, expected) in table {
            assert_eq!(class.retryable(kind), expected, "{class:?} {kind}");
        }
    }
}
