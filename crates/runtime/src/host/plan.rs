//! From settings to a host's plan: the one place where configuration becomes what the engine, the
//! hands and the loops are given.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kernel::{call, loops};

use super::life::HostPlan;
use super::pulse::Pace;
use crate::ask::ZhiPlan;
use crate::checkpoints::Keeping;
use crate::checks::Sources;
use crate::child_env::Extra;
use crate::config::{self, Settings};
use crate::engine::Standing;
use crate::hands::HandsPlan;
use crate::policy::Judge;
use crate::redact::Redactor;
use crate::sandbox::Walls;
use crate::tools::Bounds;
use crate::words::Lang;
use crate::workspace::Root;
use crate::{agents, collab, lifecycles, sessions, turns};

/// Where a host works, and for whom.
#[derive(Clone, Debug)]
pub struct Place {
    /// The work tree, as it was found.
    pub root: Root,
    /// The directory of our files.
    pub loop_dir: PathBuf,
    /// Our own program.
    pub exe: PathBuf,
    /// Where the user's caches are.
    pub cache: PathBuf,
    /// What holds calls here.
    pub walls: Arc<Walls>,
    /// Who judges what may be done there.
    pub judge: Judge,
    /// The language of pages.
    pub lang: Lang,
    /// Build version, told to clients.
    pub version: String,
}

/// The plan of a host.
#[must_use]
pub fn plan(place: Place, settings: &Settings, redactor: Arc<Redactor>) -> HostPlan {
    let standing = standing(place.judge.clone(), settings);
    let dirs = (place.root.path.as_path(), place.loop_dir.as_path());
    let (turns, lifecycles, collab) = arounds(settings, dirs, &place);
    let sessions = Arc::new(sessions::Around::of(settings, &place.root.path, place.lang));
    let loop_settings = loop_settings(settings, &place.root.path, place.lang);
    let tools = Bounds::of(settings);
    let hands = HandsPlan {
        tools: tools.asking(settings, &place.exe, &place.loop_dir, &place.walls),
        judge: place.judge,
        root: place.root.path.clone(),
        found: place.root,
        loop_dir: place.loop_dir.clone(),
        exe: place.exe,
        agent_cache: agents::detect::cache_dir(&place.cache),
        extra: Extra { pass: settings.env.pass.clone(), proxy: settings.env.proxy },
        spool_bytes: settings.call.spool_bytes,
        redactor,
        loop_settings,
        checks: Sources::of(settings),
        coverage_paths: settings.loops.validate.coverage_paths.clone(),
        walls: place.walls,
        keeping: Keeping::of(settings),
        turn_context: settings.turn.context,
        turns,
        sessions,
        lifecycles,
        collab,
        agents: Arc::new(settings.agents.values().cloned().collect()),
        network_probe: if settings.collab.check_network {
            settings.collab.network_probe.clone()
        } else {
            Vec::new()
        },
    };
    HostPlan {
        zhi: zhi_plan(settings, &hands, place.lang),
        loop_dir: place.loop_dir,
        standing,
        hands,
        pace: Pace {
            heartbeat_ms: settings.collab.heartbeat_ms,
            warning_threshold_ms: settings.collab.warning_threshold_ms,
            progress_interval_ms: settings.collab.progress_interval_ms,
        },
        lang: place.lang,
        idle_exit_ms: settings.engine.idle_exit_ms,
        version: place.version,
    }
}

/// How people are asked through an outside program, if they are.
fn zhi_plan(settings: &Settings, hands: &HandsPlan, lang: Lang) -> Option<ZhiPlan> {
    let zhi = &settings.ask.zhi;
    (zhi.enabled && !zhi.command.is_empty()).then(|| ZhiPlan {
        command: zhi.command.clone(),
        tool: zhi.tool.clone(),
        extra: zhi.extra.as_object().cloned().unwrap_or_default(),
        root: hands.root.clone(),
        loop_dir: hands.loop_dir.clone(),
        exe: hands.exe.clone(),
        env: hands.extra.clone(),
        // The engine's own, once it has one.
        epoch: 0,
        lang,
        redactor: Arc::clone(&hands.redactor),
    })
}

/// What turns, lifecycles and runs of several agents are made in.
fn arounds(
    settings: &Settings,
    dirs: (&Path, &Path),
    place: &Place,
) -> (Arc<turns::Around>, Arc<lifecycles::Around>, Arc<collab::Around>) {
    let judge = || place.judge.clone();
    (
        Arc::new(turns::Around::of(settings, dirs, judge(), place.lang)),
        Arc::new(lifecycles::Around::of(settings, dirs, judge(), place.lang)),
        Arc::new(collab::Around::of(settings, dirs, place.lang)),
    )
}

fn standing(judge: Judge, settings: &Settings) -> Standing {
    Standing {
        judge,
        rules: call::Rules {
            retry_delays_ms: settings.call.retry_delays_ms.clone(),
            probe_delays_ms: probe_delays(settings.call.probes),
            ask_expiry_ms: settings.call.ask_expiry_ms,
        },
        in_flight_max: usize::try_from(settings.call.in_flight).unwrap_or(usize::MAX),
        grace_ms: settings.call.grace_ms,
        verify_ms: settings.verify.timeout_ms,
    }
}

/// The first look is at once; the last delay repeats if more looks are asked for.
fn probe_delays(probes: u64) -> Vec<u64> {
    let known = call::PROBE_DELAYS_MS;
    (0..usize::try_from(probes).unwrap_or(known.len()))
        .map(|n| known[n.min(known.len() - 1)])
        .collect()
}

/// The agents that a loop may ask, by name; and of these, those whose rate limit is waited out.
fn loop_agents(settings: &Settings) -> (Vec<loops::Agent>, Vec<String>) {
    let all = settings.agents.values();
    let known = all.clone().map(|agent| loops::Agent {
        name: agent.name.clone(),
        kind: agent.kind(),
        talk: agent.talk(),
        model: agent.model.clone(),
        idle_ms: (agent.idle_ms > 0).then_some(agent.idle_ms),
    });
    let waited = all.filter(|agent| agent.resume_at_reset).map(|agent| agent.name.clone());
    (known.collect(), waited.collect())
}

/// Settings that a loop's start records. Where nobody is there who could debug, fix or add tests, a
/// red validation pauses with its reason instead.
fn loop_settings(settings: &Settings, root: &Path, lang: Lang) -> loops::Settings {
    let whole = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let (agents, resume_at_reset) = loop_agents(settings);
    let default_tool = default_tool(&settings.loops.develop.default_tool, &agents);
    let named = settings.agents.get(&default_tool);
    let helped = named.is_some_and(|agent| agents::detect::is_there(agent, root));
    let rounds = |most: u64| if helped { whole(most) } else { 0 };
    loops::Settings {
        error_limit: whole(settings.loops.error_limit),
        debug_rounds_max: rounds(settings.loops.debug.max_rounds),
        fix_tasks_max: rounds(settings.loops.debug.max_fix_tasks),
        on_no_tests: match settings.loops.validate.on_no_tests {
            config::NoTests::AddTask if helped => loops::OnNoTests::AddTask,
            config::NoTests::AddTask | config::NoTests::Ask => loops::OnNoTests::Ask,
        },
        on_error: match settings.loops.develop.on_error {
            config::OnError::Continue => loops::OnError::Continue,
            config::OnError::Pause => loops::OnError::Pause,
            config::OnError::FailFast => loops::OnError::FailFast,
        },
        coverage_min_tenths: whole(settings.loops.validate.coverage_min.saturating_mul(10)),
        develop_timeout_ms: settings.loops.develop.timeout_ms,
        debug_timeout_ms: settings.loops.debug.timeout_ms,
        grace_ms: settings.call.grace_ms,
        lease_ms: settings.loops.external_lease_ms,
        default_tool,
        resume_at_reset,
        agents,
        lang: lang.to_string(),
    }
}

/// The tool of the settings; the first agent where no agent has that name.
fn default_tool(named: &str, agents: &[loops::Agent]) -> String {
    let known = agents.iter().any(|agent| agent.name == named);
    let first = agents.first().filter(|_| !known);
    first.map_or_else(|| named.to_owned(), |agent| agent.name.clone())
}
