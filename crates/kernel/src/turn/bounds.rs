//! Every bound of a turn with its reason. It decides nothing.

/// Fix steps of one turn: enough for a slip and its echo, few enough to end.
pub const FIXES_MAX: u32 = 3;
/// New plans of one turn once it runs.
pub const REPLANS_MAX: u32 = 2;
/// The most that settings may give for fixes, replans and revisions.
pub const TRIES_CEILING: u32 = 10;
/// Steps of a plan: what a person can still read before saying yes.
pub const PLAN_STEPS_MAX: u32 = 12;
/// The most that settings may give, and what a lifecycle's plan may have.
pub const PLAN_STEPS_CEILING: u32 = 30;
/// Calls that an agent may ask for in one step.
pub const STEP_TOOL_CALLS_MAX: u32 = 100;
/// The most that settings may give.
pub const STEP_TOOL_CALLS_CEILING: u32 = 500;
/// Calls of one turn.
pub const TURN_CALLS_MAX: u32 = 500;
/// The most that settings may give.
pub const TURN_CALLS_CEILING: u32 = 5_000;
/// Questions of one round: more than three are not read.
pub const QUESTIONS_MAX: usize = 3;
/// Rounds of questions before the turn only waits.
pub const CLARIFY_ROUNDS_MAX: u32 = 3;
/// The most that settings may give.
pub const CLARIFY_ROUNDS_CEILING: u32 = 10;
/// Times that a planner is told what is wrong with its plan.
pub const PLAN_CORRECTIONS_MAX: u32 = 1;
/// Times that a person may have the plan made anew before it runs.
pub const PLAN_REVISIONS_MAX: u32 = 3;
/// The same call asked for so often, always with the same result, is going round in circles.
pub const STUTTER_MAX: u32 = 3;
/// Denied calls after which a step has failed.
pub const DENIALS_MAX: u32 = 3;
/// Verifications made again because the files moved meanwhile.
pub const VERIFY_RERUNS_MAX: u32 = 1;
/// Patches that a planner may give for one failure: the first, its correction, a full plan.
pub const PATCH_TRIES_MAX: u32 = 3;
/// Answers to one question of analysis: the first and its correction.
pub const ANSWER_TRIES_MAX: u32 = 2;
/// Times that an effect which never happened is owed again.
pub const REOWED_MAX: u32 = 3;
/// Active time of a turn.
pub const ACTIVE_MS_MAX: u64 = 4 * 3_600_000;
/// How long questions, prompts and cries for help stay open.
pub const QUESTION_EXPIRY_MS: u64 = 24 * 3_600_000;
/// Waits before fixes 1, 2, 3 and later ones: a moment for what passes by itself.
pub const FIX_DELAYS_MS: [u64; 3] = [1_000, 5_000, 15_000];
/// Errors kept of one check: the rest follows from these.
pub const CHECK_ERRORS_MAX: usize = 10;
/// Characters of a step id.
pub const STEP_ID_MAX: usize = 64;
/// Files of a plan of medium risk; more is high.
pub const MEDIUM_FILES_MAX: usize = 20;
/// Estimated tokens of a context pack.
pub const CONTEXT_TOKENS_MAX: u64 = 24_000;
/// Snippets of a context pack.
pub const SNIPPETS_MAX: u32 = 20;
/// Lines of one snippet.
pub const SNIPPET_LINES_MAX: u32 = 200;
/// Bytes that are taken for one token.
pub const TOKEN_BYTES: u64 = 4;
/// Calls that a context pack tells of.
pub const RECENT_ACTIONS_MAX: usize = 20;
/// Characters of a goal, title or intent; every view repeats them.
pub const TEXT_MAX: usize = 10_000;

/// Changed lines of a commit that nobody need be asked about, if policy or a grant allows it.
pub const COMMIT_LINES_MAX: u64 = 500;

/// Time limits of a turn's effects.
pub const INTAKE_MS: u64 = 60_000;
/// Of gathering the context.
pub const CONTEXT_MS: u64 = 120_000;
/// Of one planner call, also for a patch.
pub const PLAN_MS: u64 = 600_000;
/// Of one attempt at a step.
pub const STEP_MS: u64 = 1_800_000;
/// Of one check.
pub const VERIFY_MS: u64 = 300_000;
/// Of the summary, of an answer, of a commit.
pub const SUMMARY_MS: u64 = 120_000;
