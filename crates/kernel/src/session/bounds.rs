//! The bounds of a session, each with its reason, and the words that its hands answer with.

/// Frames above a base: more is not a conversation any more.
pub const FRAMES_MAX: usize = 8;
/// Bytes of one input: a requirement, not a document.
pub const INPUT_BYTES_MAX: usize = 64 << 10;
/// Drafts that are asked for before a person is.
pub const RETHINKS_MAX: u32 = 3;
/// Fixes of a package that did not pass its gate.
pub const PACKAGE_FIXES_MAX: u32 = 3;
/// Fixes of tests that block the end of DEVELOP.
pub const TEST_FIXES_MAX: u32 = 3;
/// Questions of one clarification.
pub const CLARIFY_QUESTIONS_MAX: usize = 5;
/// Targets that a rollback is offered.
pub const ROLLBACK_TARGETS_MAX: usize = 5;
/// Tries of a step before a person is asked.
pub const STEP_TRIES_MAX: u32 = 2;
/// Inputs that are remembered, so that one that comes twice is routed once.
pub const INPUTS_KEPT: usize = 64;
/// Told in the place of an entry in the CHANGELOG where there is no base and none is to be made.
pub const CHANGELOG_SKIPPED: &str = "changelog_skipped";
/// Said where a package is not what was approved any more.
pub const PACKAGE_CHANGED: &str = "package_changed";
/// Said where another branch is checked out than the one that a session belongs to.
pub const BRANCH_CHANGED: &str = "branch_changed";
