//! The settings this build honours: name, shape, default and where they are described. A key
//! that is not here is refused. What a value does is the business of whoever reads it.

use kernel::turn;

use super::shapes::Shape;

/// One setting.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its full name.
    pub name: &'static str,
    /// What a value may be.
    pub shape: Shape,
    /// Its default, as it would stand in the file.
    pub default: &'static str,
    /// The variable that sets it, if there is one.
    pub env: Option<&'static str>,
    /// The chapter of the reference that describes it.
    pub page: &'static str,
}

impl Key {
    pub(super) const fn new(
        name: &'static str,
        shape: Shape,
        default: &'static str,
        page: &'static str,
    ) -> Self {
        Self { name, shape, default, env: None, page }
    }

    const fn env(self, name: &'static str) -> Self {
        Self { env: Some(name), ..self }
    }
}

/// A single attempt longer than a day is a mistake in a unit.
pub(super) const DEADLINE_MS_MAX: u64 = 24 * 60 * 60 * 1000;
/// A stopped tree that needs longer than ten minutes will not end by itself.
const GRACE_MS_MAX: u64 = 10 * 60 * 1000;
/// Questions and leases may wait for a person, but not for ever unless 0 says so.
const WAIT_MS_MAX: u64 = 30 * DEADLINE_MS_MAX;
/// Less than this cuts even a short answer.
pub(super) const PAYLOAD_BYTES_MIN: u64 = 1024;
/// What one file or spool may hold at most: a disk's worth would be a mistake in a unit.
const BYTES_MAX: u64 = 1 << 50;
/// Ten years; longer is for ever.
const DAYS_MAX: u64 = 3650;
/// Probes are looks at the world; ten tell no more than three.
const PROBES_MAX: u64 = 10;
/// More processes than this exhaust an ordinary machine.
const IN_FLIGHT_MAX: u64 = 1024;
/// A loop's own limits: above these a loop would not end within a working life.
const ITERATIONS_MAX: u64 = 1_000_000;
const ROUNDS_MAX: u64 = 100;
/// A collab run shorter than this could not even start its agents; longer than an hour nobody
/// waits for.
const COLLAB_MS_MIN: u64 = 10_000;
const COLLAB_MS_MAX: u64 = 3_600_000;
/// Retries repeat what failed; more than a few only cost.
const COLLAB_RETRIES_MAX: u64 = 3;

/// Turns of one requirement: beyond this it is many.
const FLOW_TURNS_MAX: u64 = 10_000;
/// Fixes in a row, and in all: more would not end.
const FIX_LIMIT_MAX: u64 = kernel::lifecycle::FIX_LIMIT_CEILING as u64;
const FIXES_MAX: u64 = 1000;
/// Less than a minute is no turn.
const TURN_MS_MIN: u64 = 60_000;
/// Above these a plan, a step or a turn is no longer one that a person follows.
const TURN_STEPS_MAX: u64 = turn::PLAN_STEPS_CEILING as u64;
const TURN_STEP_CALLS_MAX: u64 = turn::STEP_TOOL_CALLS_CEILING as u64;
const TURN_CALLS_MAX: u64 = turn::TURN_CALLS_CEILING as u64;
const TURN_CLARIFY_MAX: u64 = turn::CLARIFY_ROUNDS_CEILING as u64;
/// Fixes, new plans and revisions: more would not end.
const TURN_TRIES_MAX: u64 = turn::TRIES_CEILING as u64;
/// More tokens than any budget has.
const TOKENS_MAX: u64 = 1_000_000_000_000;
/// Fewer do not hold a map of anything; more than a model reads.
const CONTEXT_TOKENS_MIN: u64 = 1_000;
const CONTEXT_TOKENS_MAX: u64 = 1_000_000;
const SNIPPETS_MAX: u64 = 200;
const SNIPPET_LINES_MAX: u64 = 2_000;

/// The last of the modes in which a knowledge base is made.
const KB_MODE_MAX: u64 = 3;
/// More files in one step than this are no step.
const FILES_MAX: u64 = 100_000;

pub(super) const fn ms(min: u64, max: u64) -> Shape {
    Shape::Duration { min, max }
}

pub(super) const fn bytes(min: u64) -> Shape {
    Shape::Size { min, max: BYTES_MAX }
}

const fn whole(min: u64, max: u64) -> Shape {
    Shape::Whole { min, max }
}

/// Every setting, by section.
pub const KEYS: &[Key] = &[
    Key::new("call.retry_delays_ms", Shape::Delays, "[200, 500, 1000]", "call"),
    Key::new("call.timeout.read", ms(1, DEADLINE_MS_MAX), "\"30s\"", "call"),
    Key::new("call.timeout.exec", ms(1, DEADLINE_MS_MAX), "\"120s\"", "call"),
    Key::new("call.timeout.agent", ms(1, DEADLINE_MS_MAX), "\"1800s\"", "call"),
    Key::new("call.timeout.idle", ms(0, DEADLINE_MS_MAX), "\"300s\"", "call"),
    Key::new("call.grace", ms(0, GRACE_MS_MAX), "\"10s\"", "call"),
    Key::new("call.ask_expiry", ms(0, WAIT_MS_MAX), "\"24h\"", "call"),
    Key::new("call.spool_bytes", bytes(PAYLOAD_BYTES_MIN), "\"64MiB\"", "call"),
    Key::new("call.read_bytes", bytes(PAYLOAD_BYTES_MIN), "\"1MiB\"", "call"),
    Key::new("call.payload_bytes", bytes(PAYLOAD_BYTES_MIN), "\"64KiB\"", "call"),
    Key::new("call.probes", whole(0, PROBES_MAX), "3", "call"),
    Key::new("call.in_flight", whole(1, IN_FLIGHT_MAX), "32", "call"),
    Key::new("call.keep_days", whole(1, DAYS_MAX), "30", "call"),
    Key::new("loop.max_iterations", whole(1, ITERATIONS_MAX), "10", "loop"),
    Key::new("loop.max_iterations_ceiling", whole(1, ITERATIONS_MAX), "1000", "loop"),
    Key::new("loop.mode", Shape::Choice(&["interactive", "auto"]), "\"interactive\"", "loop"),
    Key::new("loop.error_limit", whole(1, ROUNDS_MAX), "3", "loop"),
    Key::new("loop.adopt_foreign", Shape::Choice(&["ask", "never"]), "\"ask\"", "loop"),
    Key::new("loop.external.lease", ms(1000, WAIT_MS_MAX), "\"30m\"", "loop"),
    Key::new("loop.develop.default_tool", Shape::Text, "\"gemini\"", "loop"),
    Key::new("loop.develop.timeout", ms(1, DEADLINE_MS_MAX), "\"30m\"", "loop"),
    Key::new(
        "loop.develop.on_error",
        Shape::Choice(&["continue", "pause", "fail_fast"]),
        "\"continue\"",
        "loop",
    ),
    Key::new("loop.debug.max_rounds", whole(0, ROUNDS_MAX), "3", "loop"),
    Key::new("loop.debug.max_fix_tasks", whole(0, ROUNDS_MAX), "2", "loop"),
    Key::new("loop.debug.timeout", ms(1, DEADLINE_MS_MAX), "\"20m\"", "loop"),
    Key::new("loop.validate.commands", Shape::Checks, "[]", "loop"),
    Key::new(
        "loop.validate.on_no_tests",
        Shape::Choice(&["add_task", "ask"]),
        "\"add_task\"",
        "loop",
    ),
    Key::new("loop.validate.coverage.min", whole(0, 100), "0", "loop"),
    Key::new(
        "loop.validate.coverage.paths",
        Shape::Texts,
        "[\"lcov.info\", \"coverage/lcov.info\", \"coverage.xml\", \
         \"coverage/cobertura-coverage.xml\"]",
        "loop",
    ),
    Key::new("loop.validate.report_paths", Shape::Texts, "[]", "loop"),
    Key::new("verify.commands", Shape::Checks, "[]", "verify"),
    Key::new("verify.dirs", Shape::Texts, "[\".\"]", "verify"),
    Key::new("verify.timeout", ms(1, DEADLINE_MS_MAX), "\"300s\"", "verify"),
    Key::new("verify.fallback", Shape::Choice(&["artifact"]), "\"artifact\"", "verify"),
    Key::new("verify.allow_self_modifying", Shape::Bool, "false", "verify"),
    Key::new("collab.participants", Shape::Members, "[\"codex\", \"gemini\"]", "collab"),
    Key::new("collab.role", Shape::Word, "\"developer\"", "collab"),
    Key::new("collab.mode", Shape::Choice(&["parallel", "serial"]), "\"parallel\"", "collab"),
    Key::new("collab.gate", Shape::Choice(&["or", "and"]), "\"or\"", "collab"),
    Key::new("collab.timeout", ms(COLLAB_MS_MIN, COLLAB_MS_MAX), "\"600s\"", "collab"),
    Key::new("collab.max_retries", whole(0, COLLAB_RETRIES_MAX), "1", "collab"),
    Key::new("collab.lite", Shape::Bool, "false", "collab").env("LITE_MODE"),
    Key::new("collab.accept", Shape::Choice(&["ask", "acceptable"]), "\"ask\"", "collab"),
    Key::new("collab.confirm_timeout", ms(0, WAIT_MS_MAX), "0", "collab"),
    Key::new("collab.merge", Shape::Choice(&["sections"]), "\"sections\"", "collab"),
    Key::new("collab.check_network", Shape::Bool, "false", "collab"),
    Key::new("collab.network_probe", Shape::Hosts, "[]", "collab"),
    Key::new("collab.progress_interval", ms(1000, DEADLINE_MS_MAX), "\"30s\"", "collab"),
    Key::new("collab.warning_threshold", ms(1000, DEADLINE_MS_MAX), "\"45s\"", "collab"),
    Key::new("collab.heartbeat", ms(1000, DEADLINE_MS_MAX), "\"10s\"", "collab"),
    Key::new("ask.zhi.enabled", Shape::Bool, "false", "collab"),
    Key::new("ask.zhi.command", Shape::Texts, "[]", "collab"),
    Key::new("ask.zhi.tool", Shape::Text, "\"zhi\"", "collab"),
    Key::new("ask.zhi.extra", Shape::Object, "{}", "collab"),
    Key::new("lifecycle.context_path", Shape::Text, "\".loop/active_context.md\"", "lifecycle"),
    Key::new("lifecycle.prd_dir", Shape::Text, "\".loop/prd\"", "lifecycle"),
    Key::new("lifecycle.history_dir", Shape::Text, "\".loop/history\"", "lifecycle"),
    Key::new("lifecycle.on_failure", Shape::Choice(&["stop", "continue"]), "\"stop\"", "lifecycle"),
    Key::new("lifecycle.confirm_expiry", ms(0, WAIT_MS_MAX), "0", "lifecycle"),
    Key::new("lifecycle.budget.turns", whole(1, FLOW_TURNS_MAX), "200", "lifecycle"),
    Key::new("lifecycle.budget.wall", ms(TURN_MS_MIN, WAIT_MS_MAX), "\"8h\"", "lifecycle"),
    Key::new("lifecycle.budget.cost_usd", Shape::Money, "0", "lifecycle"),
    Key::new("fix.limit", whole(0, FIX_LIMIT_MAX), "3", "lifecycle"),
    Key::new("fix.stop_on_repeat", Shape::Bool, "false", "lifecycle"),
    Key::new("fix.total_per_task", whole(0, FIXES_MAX), "9", "lifecycle"),
    Key::new("fix.total_per_run", whole(0, FIXES_MAX), "30", "lifecycle"),
    Key::new("turn.planner", Shape::Text, "\"auto\"", "turn"),
    Key::new("turn.agents", Shape::Texts, "[]", "turn"),
    Key::new("turn.fixes", whole(0, TURN_TRIES_MAX), "3", "turn"),
    Key::new("turn.replans", whole(0, TURN_TRIES_MAX), "2", "turn"),
    Key::new("turn.revisions", whole(0, TURN_TRIES_MAX), "3", "turn"),
    Key::new("turn.steps", whole(1, TURN_STEPS_MAX), "12", "turn"),
    Key::new("turn.step_calls", whole(1, TURN_STEP_CALLS_MAX), "100", "turn"),
    Key::new("turn.calls", whole(1, TURN_CALLS_MAX), "500", "turn"),
    Key::new("turn.clarify_rounds", whole(1, TURN_CLARIFY_MAX), "3", "turn"),
    Key::new("turn.deadline", ms(TURN_MS_MIN, WAIT_MS_MAX), "\"4h\"", "turn"),
    Key::new("turn.question_expiry", ms(0, WAIT_MS_MAX), "\"24h\"", "turn"),
    Key::new("turn.budget_usd", Shape::Money, "0", "turn"),
    Key::new("turn.budget_tokens", whole(0, TOKENS_MAX), "0", "turn"),
    Key::new("turn.on_failure", Shape::Choice(&["stop", "continue"]), "\"stop\"", "turn"),
    Key::new("turn.git", Shape::Choice(&["off", "message", "commit"]), "\"message\"", "turn"),
    Key::new("turn.checkpoint", Shape::Choice(&["turn", "step", "off"]), "\"turn\"", "turn"),
    Key::new("turn.context.tokens", whole(CONTEXT_TOKENS_MIN, CONTEXT_TOKENS_MAX), "24000", "turn"),
    Key::new("turn.context.max_snippets", whole(1, SNIPPETS_MAX), "20", "turn"),
    Key::new("turn.context.max_lines_per_snippet", whole(1, SNIPPET_LINES_MAX), "200", "turn"),
    Key::new("turn.timeout.intake", ms(1000, DEADLINE_MS_MAX), "\"60s\"", "turn"),
    Key::new("turn.timeout.context", ms(1000, DEADLINE_MS_MAX), "\"120s\"", "turn"),
    Key::new("turn.timeout.plan", ms(1000, DEADLINE_MS_MAX), "\"600s\"", "turn"),
    Key::new("turn.timeout.step", ms(1000, DEADLINE_MS_MAX), "\"1800s\"", "turn"),
    Key::new("turn.timeout.summary", ms(1000, DEADLINE_MS_MAX), "\"120s\"", "turn"),
    Key::new("session.gate", whole(7, 10), "7", "session"),
    Key::new("session.max_clarify_rounds", whole(1, ROUNDS_MAX), "5", "session"),
    Key::new(
        "session.on_task_failure",
        Shape::Choice(&["by_mode", "stop", "continue"]),
        "\"by_mode\"",
        "session",
    ),
    Key::new("session.driver", Shape::Choice(&["lifecycle", "loop"]), "\"lifecycle\"", "session"),
    Key::new("session.designers", Shape::Texts, "[]", "session"),
    Key::new("session.replace_expiry", ms(1000, WAIT_MS_MAX), "\"10m\"", "session"),
    Key::new("session.cancel_grace", ms(1000, DEADLINE_MS_MAX), "\"30s\"", "session"),
    Key::new("session.mcp_may_answer", Shape::Texts, "[\"clarify\"]", "session"),
    Key::new("tweak.max_files", whole(1, FILES_MAX), "2", "session"),
    Key::new("tweak.max_lines", whole(1, ITERATIONS_MAX), "30", "session"),
    Key::new("tweak.test_timeout", ms(1000, DEADLINE_MS_MAX), "\"30s\"", "session"),
    Key::new("ehrb.extra", Shape::Texts, "[]", "session"),
    Key::new("edge.listen", Shape::Text, "\"127.0.0.1:7411\"", "edge"),
    Key::new("edge.remote", Shape::Choice(&["read", "person"]), "\"read\"", "edge"),
    Key::new("engine.idle_exit", ms(0, DEADLINE_MS_MAX), "\"60s\"", "engine"),
    Key::new("output.language", Shape::Language, "\"auto\"", "output").env("OUTPUT_LANGUAGE"),
    Key::new("paths.kb_root", Shape::TextOrNone, "\"\"", "packages"),
    Key::new("paths.kb_candidates", Shape::Texts, "[]", "packages"),
    Key::new("kb.create_mode", whole(0, KB_MODE_MAX), "2", "packages").env("KB_CREATE_MODE"),
    Key::new("commit.bilingual", whole(0, 1), "1", "packages").env("BILINGUAL_COMMIT"),
    Key::new(
        "package.on_foreign_x",
        Shape::Choice(&["ask", "failed", "done"]),
        "\"ask\"",
        "packages",
    ),
    Key::new("redact.names", Shape::Texts, "[]", "errors"),
    Key::new("redact.patterns", Shape::Patterns, "[]", "errors"),
    Key::new("trace.keep_days", whole(1, DAYS_MAX), "30", "errors"),
    Key::new("env.pass", Shape::Names, "[]", "workspace"),
    Key::new("env.proxy", Shape::Bool, "false", "workspace"),
    Key::new("policy.rule", Shape::Rules, "[]", "workspace"),
    Key::new("policy.sensitive", Shape::Texts, "[]", "workspace"),
    Key::new("policy.break_hardlinks", Shape::Bool, "false", "workspace"),
    Key::new("policy.files_ask", whole(1, FILES_MAX), "20", "workspace"),
    Key::new("run.memory", bytes(1 << 20), "\"8GiB\"", "workspace"),
    Key::new("run.disk_floor", bytes(0), "\"512MiB\"", "workspace"),
    Key::new(
        "sandbox.mode",
        Shape::Choice(&["prefer", "require", "off"]),
        "\"prefer\"",
        "workspace",
    ),
    Key::new("sandbox.read", Shape::Texts, "[]", "workspace"),
    Key::new("sandbox.write", Shape::Texts, "[]", "workspace"),
    Key::new("sandbox.network", Shape::Choice(&["none", "open"]), "\"none\"", "workspace"),
    Key::new("checkpoint.max_file_bytes", bytes(0), "\"64MiB\"", "workspace"),
    Key::new("checkpoint.quota_bytes", bytes(1 << 20), "\"5GiB\"", "workspace"),
    Key::new("checkpoint.keep_days", whole(1, DAYS_MAX), "14", "workspace"),
    Key::new("checkpoint.required", Shape::Bool, "true", "workspace"),
    Key::new("checkpoint.include_secrets", Shape::Bool, "false", "workspace"),
    Key::new("checkpoint.timeout", ms(1000, DEADLINE_MS_MAX), "\"300s\"", "workspace"),
    Key::new("rollback.conflicts", Shape::Choice(&["aside", "keep"]), "\"aside\"", "workspace"),
    Key::new("search.max_file_bytes", bytes(PAYLOAD_BYTES_MIN), "\"2MiB\"", "workspace"),
    Key::new("search.semantic", Shape::Texts, "[]", "workspace"),
    Key::new("git.path", Shape::Program, "\"git\"", "workspace"),
];

/// The setting of that exact name.
pub fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}
