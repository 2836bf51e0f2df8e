//! What people and other programs see.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::super::samples::{failed, member, sample_states, session};
use super::super::view::{
    self, Meta, Sign, Snapshot, bar, line, metadata, percent, progress, result, snapshot, takeover,
};
use super::super::{Checked, Choice, Event, Lang, Outcome, Phase};
use super::world::{World, ZERO, planned};
use crate::agent::Kind;

fn meta() -> Meta {
    Meta { run_id: "collab-1".into(), parent: None, seq: 12, updated_at: ZERO.plus(61_000) }
}

fn keys(text: &str) -> Vec<String> {
    let depth_one = text.lines().filter(|line| line.starts_with("  \""));
    depth_one.filter_map(|line| line.split('"').nth(1)).map(ToString::to_string).collect()
}

#[test]
fn invariant_snapshot() {
    for (name, state) in sample_states() {
        let Some(view) = snapshot(&state, &meta(), meta().updated_at) else {
            assert_eq!(name, "New");
            continue;
        };
        let text = view.text();
        let back: Snapshot = serde_json::from_str(&text).unwrap();
        assert_eq!(back, view, "{name}");
        assert_eq!(
            keys(&text),
            [
                "state",
                "degraded_level",
                "missing_dimensions",
                "started_at",
                "codex",
                "gemini",
                "retries",
                "degraded_reason",
                "ext"
            ],
            "{name}"
        );
        let value: Value = serde_json::from_str(&text).unwrap();
        for p in ["codex", "gemini"] {
            assert!(value["retries"][p].is_u64(), "{name}");
            assert!(value[p]["status"].is_string(), "{name}");
        }
        let degraded = !value["degraded_level"].is_null();
        assert_eq!(degraded, !value["degraded_reason"].is_null(), "{name}");
        assert_eq!(degraded, value["missing_dimensions"] != Value::Array(Vec::new()), "{name}");
    }
    assert!(serde_json::from_str::<Snapshot>("{}").is_err());
}

#[test]
fn the_seeds_snapshot() {
    let world = World::running(planned(|_| ())).fires("codex/1/due").stopped(302_000, "codex", 1);
    let world = world.start(302_000, "codex", 2).answer(303_000, "gemini", 1);
    let view = snapshot(&world.state, &meta(), meta().updated_at).unwrap();
    let value = serde_json::to_value(&view).unwrap();
    assert_eq!(value["state"], "RUNNING");
    assert_eq!(value["started_at"], "1970-01-01T00:16:40Z");
    assert_eq!(value["codex"]["status"], "running");
    assert_eq!(value["codex"]["session_id"], Value::Null);
    assert_eq!(value["codex"]["task_id"], "call-codex-2");
    assert_eq!(value["codex"]["ext"]["launch"], 2);
    assert_eq!(value["codex"]["ext"]["call_dir"], ".loop/calls/call-codex-2");
    assert_eq!(value["codex"]["ext"]["errors"][0]["detail"], "attempt deadline");
    assert_eq!(value["gemini"]["status"], "success");
    assert_eq!(value["gemini"]["session_id"], session("gemini"));
    assert_eq!(value["retries"]["codex"], 1);
    assert_eq!(value["degraded_reason"], Value::Null);
    assert_eq!(value["ext"]["due_at"], "1970-01-01T00:26:40Z");
}

#[test]
fn the_reason_is_named() {
    let check = |lang, expected: &str| {
        let plan = planned(|plan| plan.lang = lang);
        let world = World::running(plan).answer(1_000, "codex", 1);
        let world = world.fail(2_000, "gemini", 1, "E009", "quota").fires("gemini/2/backoff");
        let world = world.start(3_000, "gemini", 2).fail(4_000, "gemini", 2, "E009", "quota");
        let view = snapshot(&world.state, &meta(), meta().updated_at).unwrap();
        assert_eq!(view.degraded_reason.as_deref(), Some(expected));
        assert_eq!(view.ext.degraded_class.as_deref(), Some("quota"));
    };
    check(Lang::En, "gemini: E009 agent failed (2 launches, 4000 ms)");
    check(Lang::Zh, "gemini: E009 代理执行失败 (2 次启动, 4000 ms)");
}

#[test]
fn how_far() {
    let world = World::running(planned(|_| ()));
    let at = |ms| ZERO.plus(ms);
    assert_eq!(percent(&world.state, at(0)), 0);
    assert_eq!(percent(&world.state, at(300_000)), 25);
    let world = world.answer(300_000, "codex", 1);
    assert_eq!(percent(&world.state, at(300_000)), 50);
    assert_eq!(percent(&world.state, at(599_999)), 74);
    let longer = world.clone().extend(300_000, 600_000);
    assert_eq!(percent(&longer.state, at(300_000)), 50, "it never falls");
    assert_eq!(percent(&longer.state, at(1_100_000)), 75);
    let degraded = world.clone().fail(310_000, "gemini", 1, "E009", "auth");
    assert_eq!(percent(&degraded.state, at(900_000)), 75);
    let done = world.answer(310_000, "gemini", 1);
    assert_eq!(percent(&done.state, at(900_000)), 100);
    let alone = World::running(planned(|plan| plan.participants.truncate(1)));
    assert_eq!(percent(&alone.state, at(300_000)), 50);
    assert_eq!(percent(&alone.state, at(600_000)), 99);
    assert_eq!(percent(&World::launching(planned(|_| ())).state, at(1)), 0);
    for (percent, cells) in [(0, "░░░░░░░░░░"), (42, "▓▓▓▓░░░░░░"), (100, "▓▓▓▓▓▓▓▓▓▓")]
    {
        assert_eq!(bar(percent), cells);
    }
}

/// How far a run is goes on while nothing is recorded.
#[test]
fn a_snapshot_is_of_the_moment_it_is_looked_at() {
    let world = World::running(planned(|_| ()));
    let at = |ms: u64| snapshot(&world.state, &meta(), ZERO.plus(ms)).unwrap().ext;
    assert_eq!((at(0).percent, at(300_000).percent, at(900_000).percent), (0, 25, 50));
    assert_eq!(at(0).updated_at, at(300_000).updated_at, "nothing was recorded");
}

#[test]
fn the_progress_table() {
    let world = World::running(planned(|_| ())).seen(500, "codex", 1).answer(2_000, "gemini", 1);
    let now = ZERO.plus(50_000);
    let rows = progress(&world.state, now, &[]).rows;
    let short: Vec<_> = rows.iter().map(|row| (row.sign, row.elapsed_ms)).collect();
    assert_eq!(short, [(Sign::Running, Some(50_000)), (Sign::Done, Some(2_000))]);
    assert_eq!(rows[0].session, Some(session("codex")));
    let slow = progress(&world.state, now, &["codex".to_string()]).rows;
    assert_eq!(slow[0].sign, Sign::Slow);
    assert_eq!(Sign::Slow.symbol(), "🟡");
    let early = progress(&World::created(planned(|_| ())).state, now, &[]).rows;
    assert_eq!((early.len(), early[0].sign), (2, Sign::Waiting));
    let keys: Vec<_> = metadata(&world.state).into_iter().map(|(key, _)| key).collect();
    assert_eq!(
        keys,
        [
            "dual_model_status",
            "degraded_level",
            "missing_dimensions",
            "CODEX_SESSION",
            "GEMINI_SESSION"
        ]
    );
}

fn texts(list: &[(&str, &str)]) -> BTreeMap<String, String> {
    list.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
}

#[test]
fn the_result() {
    let running = World::running(planned(|_| ()));
    assert_eq!(result(&running.state, &meta(), &BTreeMap::new()), None);
    let world = running.answer(1_000, "codex", 1).fail(2_000, "gemini", 1, "E009", "auth");
    let given = texts(&[("codex", "use SQLite"), ("gemini", "half a sentence")]);
    let view = result(&world.state, &meta(), &given).unwrap();
    assert_eq!(
        keys(&view.text()),
        [
            "status",
            "degraded_level",
            "missing_dimensions",
            "codex_session",
            "codex_output",
            "gemini_session",
            "gemini_output",
            "duration_ms",
            "degraded_reason",
            "ext"
        ]
    );
    let value = serde_json::to_value(&view).unwrap();
    assert_eq!(value["status"], "DEGRADED");
    assert_eq!(value["codex_output"], "use SQLite");
    assert_eq!(value["gemini_output"], Value::Null, "only usable ones");
    assert_eq!(value["duration_ms"], 2_000);
    assert_eq!(value["ext"]["merged"], "## backend (codex)\n\nuse SQLite\n\n");
    assert_eq!(value["ext"]["conflicts_checked"], false);
    assert_eq!(value["ext"]["takeover_path"], Value::Null);
    let gemini = &value["ext"]["participants"]["gemini"];
    assert_eq!(gemini["unverified_output_path"], ".loop/calls/call-gemini/partial");
    assert_eq!(gemini["output_path"], Value::Null);
    let marked = world.decide(5_000, Choice::Accept, None);
    let value = serde_json::to_value(result(&marked.state, &meta(), &given)).unwrap();
    assert_eq!(value["status"], "SUCCESS");
    assert_eq!(value["degraded_level"], "ACCEPTABLE", "a marked success keeps it");
    assert_eq!(value["ext"]["degraded"], true);
    let long = "é".repeat(super::super::RESULT_OUTPUT_MAX);
    let view = result(&marked.state, &meta(), &texts(&[("codex", &long)])).unwrap();
    let output = view.participants[0].2.as_ref().unwrap();
    assert_eq!(output.len(), super::super::RESULT_OUTPUT_MAX);
    assert!(view.ext.participants["codex"].output_truncated);
}

/// A sum of which a part is not known is not known; what was told still counts for budgets.
#[test]
fn what_a_participant_cost_is_whole_or_not_told() {
    let ends = |world: World| {
        let world = world.answer(5_000, "gemini", 1);
        let view = result(&world.state, &meta(), &BTreeMap::new()).unwrap();
        let shown = view.ext.participants["codex"].usage.and_then(|usage| usage.input_tokens);
        (shown, world.one("codex").told.and_then(|told| told.input_tokens))
    };
    let again = |first: Outcome| {
        let world = World::running(planned(|_| ())).end(1_000, "codex", 1, first);
        let retries = matches!(world.one("codex").phase, Phase::Backoff { .. });
        let world = if retries { world.fires("codex/2/backoff") } else { world };
        ends(world.start(3_000, "codex", 2).answer(4_000, "codex", 2))
    };
    assert_eq!(again(failed("codex", "E009", "server", None)), (Some(20), Some(20)));
    assert_eq!(again(Outcome::Lost), (None, Some(10)), "it may have cost something");
    assert_eq!(again(Outcome::TimedOut { report: None }), (None, Some(10)));
    let spawn = Outcome::SpawnFailed { detail: String::new() };
    assert_eq!(again(spawn), (Some(10), Some(10)), "what never ran cost nothing");
}

#[test]
fn redundancy_that_was_lost_is_named() {
    let plan = planned(|plan| plan.participants.push(member("claude", Kind::Claude, "backend")));
    let world = World::running(plan).fail(1, "codex", 1, "E009", "auth");
    let world = world.answer(2, "gemini", 1).answer(3, "claude", 1);
    let view = result(&world.state, &meta(), &BTreeMap::new()).unwrap();
    assert_eq!(view.ext.redundancy_lost, ["codex"]);
}

#[test]
fn what_is_handed_over() {
    let world = World::running(planned(|_| ())).seen(500, "codex", 1);
    assert_eq!(takeover(&world.state, &meta()), None);
    let world = world.fires("total").stopped(601_000, "codex", 1).stopped(602_000, "gemini", 1);
    let bundle = takeover(&world.state, &meta()).unwrap();
    assert_eq!((bundle.cause.as_deref(), bundle.code.as_deref()), (Some("timeout"), Some("E005")));
    assert_eq!(bundle.missing_dimensions, ["backend", "frontend"]);
    assert_eq!(bundle.participants[0].resume, Some(session("codex")));
    assert_eq!(bundle.participants[0].session_id, None, "seen, and not proven");
    assert_eq!(bundle.participants[1].resume, None);
    assert_eq!(view::takeover_path(&world.state, "c"), Some(".loop/collab/c.takeover.json".into()));
    let lite = World::created(planned(|plan| plan.lite = true)).gate(Checked::default());
    let bundle = takeover(&lite.state, &meta()).unwrap();
    assert_eq!((bundle.cause, bundle.code), (None, None));
    let view = snapshot(&lite.state, &meta(), meta().updated_at).unwrap();
    assert_eq!(view.degraded_reason.as_deref(), Some("LITE_MODE: external model calls skipped"));
}

#[test]
fn lines_for_log_files() {
    let world = World::running(planned(|_| ())).answer(1_000, "codex", 1);
    let world = world.fail(2_000, "gemini", 1, "E009", "auth");
    let lines: Vec<_> = world
        .events
        .iter()
        .filter_map(|event| line(&world.state, event, &meta()))
        .map(|line| line.event)
        .collect();
    assert_eq!(
        lines,
        ["init", "running", "participant", "participant", "participant", "participant", "degraded"]
    );
    let ended =
        |event: &&Event| matches!(event, Event::ParticipantEnded { p, .. } if p == "gemini");
    let event = world.events.iter().find(ended).unwrap();
    let text = serde_json::to_string(&line(&world.state, event, &meta()).unwrap()).unwrap();
    assert_eq!(
        text,
        "{\"type\":\"critical_event\",\"timestamp\":\"1970-01-01T00:17:41Z\",\
         \"task_id\":\"call-gemini-1\",\"backend\":\"gemini\",\"session_id\":null,\
         \"duration_ms\":2000,\"degraded_reason\":null,\"event\":\"participant\",\
         \"message\":\"gemini: failed, E009 agent failed\"}"
    );
}
