//! The settings as plain fields, for those who use them. Checked already; nothing is read here.

use std::collections::BTreeMap;

use super::choices::{EdgeRemote, Fallback, SandboxMode, SandboxNetwork};
use super::collab::{Ask, Collab};
use super::kb::{Commit, Kb, Output, Package, Paths};
use super::keeping::{Checkpoint, Git, Rollback, Search};
use super::lifecycle::{Fix, Lifecycle};
use super::loops::Loops;
use super::policy::Policy;
use super::session::Session;
use super::shapes::{CheckCommand, Value};
use super::turn::Turn;
use crate::agents::config::AgentConfig;

/// Everything in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// `[call]`
    pub call: Call,
    /// `[loop]`
    pub loops: Loops,
    /// `[verify]`
    pub verify: Verify,
    /// `[collab]`
    pub collab: Collab,
    /// `[ask]`
    pub ask: Ask,
    /// `[turn]`
    pub turn: Turn,
    /// `[session]`
    pub session: Session,
    /// `[lifecycle]`
    pub lifecycle: Lifecycle,
    /// `[fix]`
    pub fix: Fix,
    /// `[agents.<name>]`, built in or configured.
    pub agents: BTreeMap<String, AgentConfig>,
    /// `[edge]`
    pub edge: Edge,
    /// `[engine]`
    pub engine: Engine,
    /// `[output]`
    pub output: Output,
    /// `[paths]`
    pub paths: Paths,
    /// `[kb]`
    pub kb: Kb,
    /// `[commit]`
    pub commit: Commit,
    /// `[package]`
    pub package: Package,
    /// `[redact]`
    pub redact: Redact,
    /// `[trace]`
    pub trace: Trace,
    /// `[env]`
    pub env: Env,
    /// `[run]`
    pub run: Run,
    /// `[sandbox]`
    pub sandbox: Sandbox,
    /// `[policy]`
    pub policy: Policy,
    /// `[checkpoint]`
    pub checkpoint: Checkpoint,
    /// `[rollback]`
    pub rollback: Rollback,
    /// `[search]`
    pub search: Search,
    /// `[git]`
    pub git: Git,
}

/// `[call]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Waits before each retry of a read.
    pub retry_delays_ms: Vec<u64>,
    /// Deadlines.
    pub timeout: Timeouts,
    /// Between asking a tree to end and giving up on a proof that it did.
    pub grace_ms: u64,
    /// How long a question stays open; 0 = for ever.
    pub ask_expiry_ms: u64,
    /// Kept of each output stream.
    pub spool_bytes: u64,
    /// Read of a file at once.
    pub read_bytes: u64,
    /// Given back as a result.
    pub payload_bytes: u64,
    /// Looks at the world before a person is asked.
    pub probes: u64,
    /// Calls at once in a workspace.
    pub in_flight: u64,
    /// Days a finished call's files are kept.
    pub keep_days: u64,
}

/// `[call.timeout]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeouts {
    /// Of a read.
    pub read_ms: u64,
    /// Of a command.
    pub exec_ms: u64,
    /// Of an agent.
    pub agent_ms: u64,
    /// Without output; 0 = off.
    pub idle_ms: u64,
}

/// `[verify]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verify {
    /// Replaces the detected checks when not empty.
    pub commands: Vec<CheckCommand>,
    /// Directories looked at for checks.
    pub dirs: Vec<String>,
    /// Deadline of a check.
    pub timeout_ms: u64,
    /// What counts when there is no check.
    pub fallback: Fallback,
    /// Whether a check may change the files it checks.
    pub allow_self_modifying: bool,
}

/// `[edge]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Address and port of the HTTP door.
    pub listen: String,
    /// What a caller may do who cannot be found.
    pub remote: EdgeRemote,
}

/// `[engine]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Engine {
    /// Idle time after which it leaves.
    pub idle_exit_ms: u64,
}

/// `[redact]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redact {
    /// Further secret variables.
    pub names: Vec<String>,
    /// Further secret patterns.
    pub patterns: Vec<String>,
}

/// `[trace]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// Days a trace is kept.
    pub keep_days: u64,
}

/// `[env]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Env {
    /// Further variables handed to children.
    pub pass: Vec<String>,
    /// Whether proxies are handed on.
    pub proxy: bool,
}

/// `[run]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Memory of a child.
    pub memory_bytes: u64,
    /// Free space below which nothing starts.
    pub disk_floor_bytes: u64,
}

/// `[sandbox]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    /// How much it is insisted on.
    pub mode: SandboxMode,
    /// Places that calls may read beyond the standing ones; absolute or below `~/`.
    pub read: Vec<String>,
    /// Places that they may write beyond them.
    pub write: Vec<String>,
    /// What commands may reach.
    pub network: SandboxNetwork,
}

/// Looks a checked value up by its name. The table of settings has every name used below with the
/// shape used below; the test that builds the defaults proves it.
pub(super) struct Read<'a> {
    pub(super) get: &'a dyn Fn(&str) -> Option<&'a Value>,
    pub(super) said: &'a dyn Fn(&str) -> bool,
}

pub(super) const PROVEN: &str = "the table has this key with this shape";

impl Read<'_> {
    fn value(&self, name: &str) -> &Value {
        (self.get)(name).expect(PROVEN)
    }

    /// Whether somebody set it, be it to its default.
    pub(super) fn said(&self, name: &str) -> bool {
        (self.said)(name)
    }

    pub(super) fn whole(&self, name: &str) -> u64 {
        let Value::Whole(number) = self.value(name) else { unreachable!("{name}: {PROVEN}") };
        *number
    }

    pub(super) fn bool(&self, name: &str) -> bool {
        let Value::Bool(yes) = self.value(name) else { unreachable!("{name}: {PROVEN}") };
        *yes
    }

    pub(super) fn text(&self, name: &str) -> String {
        let Value::Text(text) = self.value(name) else { unreachable!("{name}: {PROVEN}") };
        text.clone()
    }

    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let Value::Texts(all) = self.value(name) else { unreachable!("{name}: {PROVEN}") };
        all.clone()
    }

    pub(super) fn checks(&self, name: &str) -> Vec<CheckCommand> {
        let Value::Checks(all) = self.value(name) else { unreachable!("{name}: {PROVEN}") };
        all.clone()
    }

    pub(super) fn delays(&self, name: &str) -> Vec<u64> {
        let Value::Delays(all) = self.value(name) else { unreachable!("{name}: {PROVEN}") };
        all.clone()
    }

    pub(super) fn json(&self, name: &str) -> serde_json::Value {
        let Value::Json(data) = self.value(name) else { unreachable!("{name}: {PROVEN}") };
        data.clone()
    }

    /// The text of a setting that may not be there.
    pub(super) fn maybe_text(&self, name: &str) -> Option<String> {
        (self.get)(name).is_some().then(|| self.text(name))
    }

    /// The answer of a setting that may not be there.
    pub(super) fn maybe_bool(&self, name: &str) -> Option<bool> {
        (self.get)(name).is_some().then(|| self.bool(name))
    }
}

impl Settings {
    /// The plain settings; named tables are taken in by the layers.
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self {
            call: Call::of(read),
            loops: Loops::of(read),
            verify: Verify {
                commands: read.checks("verify.commands"),
                dirs: read.texts("verify.dirs"),
                timeout_ms: read.whole("verify.timeout"),
                fallback: Fallback::named(&read.text("verify.fallback")).expect(PROVEN),
                allow_self_modifying: read.bool("verify.allow_self_modifying"),
            },
            collab: Collab::of(read),
            ask: Ask::of(read),
            turn: Turn::of(read),
            session: Session::of(read),
            lifecycle: Lifecycle::of(read),
            fix: Fix::of(read),
            agents: BTreeMap::new(),
            edge: Edge {
                listen: read.text("edge.listen"),
                remote: EdgeRemote::named(&read.text("edge.remote")).expect(PROVEN),
            },
            engine: Engine { idle_exit_ms: read.whole("engine.idle_exit") },
            output: Output::of(read),
            paths: Paths::of(read),
            kb: Kb::of(read),
            commit: Commit::of(read),
            package: Package::of(read),
            redact: Redact {
                names: read.texts("redact.names"),
                patterns: read.texts("redact.patterns"),
            },
            trace: Trace { keep_days: read.whole("trace.keep_days") },
            env: Env { pass: read.texts("env.pass"), proxy: read.bool("env.proxy") },
            run: Run {
                memory_bytes: read.whole("run.memory"),
                disk_floor_bytes: read.whole("run.disk_floor"),
            },
            sandbox: Sandbox {
                mode: SandboxMode::named(&read.text("sandbox.mode")).expect(PROVEN),
                read: read.texts("sandbox.read"),
                write: read.texts("sandbox.write"),
                network: SandboxNetwork::named(&read.text("sandbox.network")).expect(PROVEN),
            },
            policy: Policy::of(read),
            checkpoint: Checkpoint::of(read),
            rollback: Rollback::of(read),
            search: Search::of(read),
            git: Git::of(read),
        }
    }
}

impl Call {
    fn of(read: &Read<'_>) -> Self {
        Self {
            retry_delays_ms: read.delays("call.retry_delays_ms"),
            timeout: Timeouts {
                read_ms: read.whole("call.timeout.read"),
                exec_ms: read.whole("call.timeout.exec"),
                agent_ms: read.whole("call.timeout.agent"),
                idle_ms: read.whole("call.timeout.idle"),
            },
            grace_ms: read.whole("call.grace"),
            ask_expiry_ms: read.whole("call.ask_expiry"),
            spool_bytes: read.whole("call.spool_bytes"),
            read_bytes: read.whole("call.read_bytes"),
            payload_bytes: read.whole("call.payload_bytes"),
            probes: read.whole("call.probes"),
            in_flight: read.whole("call.in_flight"),
            keep_days: read.whole("call.keep_days"),
        }
    }
}

impl Default for Settings {
    /// The built-in settings.
    fn default() -> Self {
        let resolved = super::layers::resolve(&super::layers::Layers::default());
        resolved.expect("the defaults have no faults").settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::choices::{
        AdoptForeign, CollabAccept, CollabGate, CollabMerge, CollabMode, LoopMode, NoTests,
        OnError, TurnCheckpoint, TurnGit, TurnOnFailure,
    };
    use crate::config::keys::key;
    use crate::config::shapes::Shape;

    #[test]
    fn defaults_are_as_settled() {
        let settings = Settings::default();
        assert_eq!(settings.call.retry_delays_ms, [200, 500, 1000]);
        assert_eq!(settings.call.timeout.agent_ms, 1_800_000);
        assert_eq!(settings.call.ask_expiry_ms, 86_400_000);
        assert_eq!(settings.call.spool_bytes, 64 << 20);
        assert_eq!(settings.loops.max_iterations, 10);
        assert_eq!(settings.loops.external_lease_ms, 1_800_000);
        assert_eq!(settings.verify.timeout_ms, 300_000);
        assert_eq!(settings.engine.idle_exit_ms, 60_000);
        assert_eq!(settings.run.memory_bytes, 8 << 30);
        assert_eq!(settings.output.language, None);
        assert_eq!(settings.sandbox.mode, SandboxMode::Prefer);
        assert_eq!(settings.sandbox.network, SandboxNetwork::None);
    }

    #[test]
    fn words_are_those_of_the_table() {
        let table = [
            ("loop.mode", LoopMode::WORDS),
            ("loop.adopt_foreign", AdoptForeign::WORDS),
            ("loop.develop.on_error", OnError::WORDS),
            ("loop.validate.on_no_tests", NoTests::WORDS),
            ("verify.fallback", Fallback::WORDS),
            ("edge.remote", EdgeRemote::WORDS),
            ("sandbox.mode", SandboxMode::WORDS),
            ("sandbox.network", SandboxNetwork::WORDS),
            ("collab.mode", CollabMode::WORDS),
            ("collab.gate", CollabGate::WORDS),
            ("collab.accept", CollabAccept::WORDS),
            ("collab.merge", CollabMerge::WORDS),
            ("turn.on_failure", TurnOnFailure::WORDS),
            ("lifecycle.on_failure", TurnOnFailure::WORDS),
            ("turn.git", TurnGit::WORDS),
            ("turn.checkpoint", TurnCheckpoint::WORDS),
        ];
        for (name, words) in table {
            assert_eq!(key(name).unwrap().shape, Shape::Choice(words), "{name}");
        }
    }
}
