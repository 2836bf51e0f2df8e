//! The tries, and what must hold each of them back.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;

use serde_json::json;

use super::acts::{
    Tried, World, YES, answered, at_terminal, call, copied, handed_on, left_behind, line, more,
    orphan, put, shim, signal, told, yes,
};

/// What holds a try back.
#[derive(Debug, Clone, Copy)]
pub enum Met {
    /// The walls, whatever they say.
    Wall,
    /// A door, with this code.
    Door(&'static str),
    /// The engine's door, with this code, and the log has these words.
    Told(&'static str, &'static str),
}

use Met::{Door, Told, Wall};

const TURN: &str = "turn.needs_person";
const LOOP: &str = "loop.needs_person";
const CALL: &str = "call.needs_person";
const WORKSPACE: &str = "workspace.needs_person";
const DOOR: &str = "door.needs_person";
/// A call that the agent says it is of.
pub const NOBODY: &str = "call-of-nobody";
const CONFIRMED: &str = "turn confirm @turn";

pub type Act = fn(&World) -> Tried;

pub const TABLE: &[(&str, Met, Act)] = &[
    // Its own turn, by every verb.
    ("yes", Told(TURN, CONFIRMED), |w| w.says(YES)),
    ("no", Told(TURN, CONFIRMED), |w| w.says("turn confirm @turn no")),
    ("yes_session", Told(TURN, CONFIRMED), |w| w.says("turn confirm @turn yes --scope session")),
    ("yes_prompt", Told(TURN, CONFIRMED), |w| w.says("turn confirm @turn yes --prompt confirm/2")),
    ("answer", Told(TURN, "turn answer @turn"), |w| {
        w.says("turn answer @turn me --question clarify/0/1")
    }),
    ("proceed", Told(TURN, "turn answer @turn"), |w| w.says("turn answer @turn --proceed")),
    ("edit", Told(TURN, "turn edit @turn"), |w| w.says("turn edit @turn patch.toml")),
    ("skip", Told(TURN, "turn skip @turn"), |w| w.says("turn skip @turn s1 --reason x")),
    ("pause", Told(TURN, "turn pause @turn"), |w| w.says("turn pause @turn")),
    ("pause_now", Told(TURN, "turn pause @turn"), |w| w.says("turn pause @turn --now")),
    ("resume", Told(TURN, "turn resume @turn"), |w| w.says("turn resume @turn")),
    ("cancel", Told(TURN, "turn cancel @turn"), |w| w.says("turn cancel @turn")),
    ("continue", Told(TURN, "turn continue"), |w| w.says("turn continue @turn --no-wait")),
    ("start", Told(TURN, "turn start"), |w| w.says("turn start more --no-wait")),
    ("start_plan", Told(TURN, "turn start"), |w| w.says("turn start --plan plan.toml --no-wait")),
    // Another run's question and course.
    ("other_question", Told(LOOP, "loop answer @other"), |w| w.says("answer @question accept")),
    ("other_answer", Told(LOOP, "loop answer @other"), |w| {
        w.says("loop answer @other accept --hash 0")
    }),
    ("other_force", Told(LOOP, "loop complete @other"), |w| {
        w.says("loop complete @other --force --why done")
    }),
    ("other_stop", Told(LOOP, "loop stop @other"), |w| w.says("loop stop @other")),
    ("other_delete", Told(LOOP, "loop delete @other"), |w| w.says("loop delete @other")),
    ("other_task", Told(LOOP, "loop add_task @other"), |w| w.says("loop task add @other work")),
    // Calls, its own among them.
    ("settle", Told(CALL, "call settle @call"), |w| {
        w.says("call settle @call happened --note seen")
    }),
    ("allow", Told(CALL, "call allow @call"), |w| w.says("call allow @call")),
    ("stop_call", Told(CALL, "call stop @call"), |w| w.says("call stop @call")),
    ("tool", Told(CALL, "tool"), |w| w.says("tool run write path=x text=x mode=create --headless")),
    ("agent", Told("agent.needs_person", "agent"), |w| w.says("agent run alpha work --headless")),
    ("collab", Told("collab.needs_person", "collab create"), |w| {
        w.says("collab start why --headless")
    }),
    // What stands above all runs.
    ("trust", Told(WORKSPACE, "workspace trust"), |w| w.says("workspace trust")),
    ("adopt", Told(WORKSPACE, "workspace adopt"), |w| w.says("workspace adopt")),
    ("gc", Told(WORKSPACE, "workspace gc"), |w| w.says("workspace gc")),
    ("repair", Told(WORKSPACE, "workspace repair-head"), |w| w.says("journal repair-head")),
    ("revoke", Told("policy.needs_person", "policy revoke"), |w| w.says("grant revoke gr-1")),
    ("engine_stop", Told(DOOR, "leave"), |w| w.says("engine stop")),
    ("engine", Told(DOOR, "door engine"), |w| w.says("engine")),
    // Who it says it is.
    ("unmarked", Told(TURN, CONFIRMED), |w| {
        answered(w.command(YES).env_remove("LOOPWRIGHT_CALL_ID").env_remove("LOOPWRIGHT_RUN_ID"))
    }),
    ("bare", Told(TURN, CONFIRMED), |w| {
        let keep = ["HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"];
        let kept = keep.map(|name| (name, std::env::var_os(name).unwrap_or_default()));
        answered(w.command(YES).env_clear().envs(kept))
    }),
    ("other_mark", Told(TURN, CONFIRMED), |w| {
        answered(w.command(YES).env("LOOPWRIGHT_CALL_ID", NOBODY))
    }),
    ("claims_person", Told(TURN, CONFIRMED), |w| {
        answered(w.command(YES).env("LOOPWRIGHT_BY", "person").env("SUDO_USER", "root"))
    }),
    ("other_home", Wall, |w| {
        let own = w.work.join("home");
        fs::create_dir_all(&own).map_err(told)?;
        let mut command = w.command(YES);
        for name in ["XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"] {
            command.env(name, &own);
        }
        answered(command.env("HOME", "/nowhere"))
    }),
    ("other_name", Told(TURN, CONFIRMED), |w| answered(w.command(YES).arg0("-bash"))),
    ("other_way", Told(TURN, CONFIRMED), |w| {
        answered(w.command(YES).args(["--workspace", "/proc/self/cwd/../work"]))
    }),
    ("session", Told(TURN, CONFIRMED), |w| {
        let mut command = w.command(YES);
        // SAFETY: one system call between fork and exec.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                Ok(())
            });
        }
        answered(&mut command)
    }),
    ("orphan", Told(TURN, CONFIRMED), orphan),
    ("terminal", Told(TURN, CONFIRMED), at_terminal),
    ("copied", Told(TURN, CONFIRMED), copied),
    ("left_behind", Wall, left_behind),
    // The engine's own socket.
    ("line", Told(TURN, CONFIRMED), |w| line(w, &yes(w))),
    ("line_claims", Door("door.invalid_args"), |w| {
        let mut ask = yes(w);
        ask["turn"]["by"] = json!("person");
        line(w, &ask)
    }),
    ("line_leave", Told(DOOR, "leave"), |w| line(w, &json!("leave"))),
    ("line_revoke", Told("policy.needs_person", "revoke @turn"), |w| {
        line(w, &json!({ "revoke": { "run": w.turn, "trace": super::acts::TRACE } }))
    }),
    ("handed_on", Door(TURN), handed_on),
    ("socket_taken", Wall, |w| fs::remove_file(&w.socket).map_err(told)),
    // What is on record, and what is drawn from it.
    ("journal", Wall, |w| more(&w.state("journal/journal.db"))),
    ("journal_cut", Wall, |w| fs::write(w.state("journal/journal.db"), "").map_err(told)),
    ("journal_head", Wall, |w| more(&w.state("journal/head"))),
    ("journal_moved", Wall, |w| {
        fs::rename(w.state("journal"), w.work.join("journal")).map_err(told)
    }),
    ("journal_linked", Wall, |w| {
        let link = w.work.join("linked");
        fs::hard_link(w.state("journal/journal.db"), &link).map_err(told)?;
        more(&link)
    }),
    ("journal_by_name", Wall, |w| {
        let link = w.work.join("named");
        symlink(w.state("journal/journal.db"), &link).map_err(told)?;
        more(&link)
    }),
    ("state_moved", Wall, |w| fs::rename(w.state(""), w.work.join("loop")).map_err(told)),
    ("state_mode", Wall, |w| {
        let open = fs::Permissions::from_mode(0o777);
        fs::set_permissions(w.state("journal/journal.db"), open).map_err(told)
    }),
    ("owner", Wall, |w| put(&w.state("owner.json"))),
    ("plan_view", Wall, |w| put(&w.state("turns/@turn/plan.json"))),
    ("plan_kept", Wall, |w| put(&w.state("cache/turns/made"))),
    ("audit", Wall, |w| more(&w.state("turns/@turn/audit.jsonl"))),
    ("verified", Wall, |w| put(&w.state("turns/@turn/verification.json"))),
    ("exit", Wall, |w| put(&w.state("calls/@call/exit.json"))),
    ("request", Wall, |w| put(&w.state("calls/@call/request.json"))),
    ("changes", Wall, |w| put(&w.state("calls/@call/changes.json"))),
    ("undo_bytes", Wall, |w| fs::create_dir_all(w.state("calls/@call/undo/x")).map_err(told)),
    ("refused", Wall, |w| {
        fs::create_dir_all(w.state("refused")).map_err(told)?;
        put(&w.state("refused/@turn.1.plan.json"))
    }),
    ("notices", Wall, |w| fs::remove_file(w.state("cache/notices.jsonl")).map_err(told)),
    ("traces", Wall, |w| fs::remove_dir_all(w.state("traces")).map_err(told)),
    // What rules are read from.
    ("settings", Wall, |w| more(&w.work.join("loopwright.toml"))),
    ("settings_replaced", Wall, |w| {
        put(&w.work.join("new.toml"))?;
        fs::rename(w.work.join("new.toml"), w.work.join("loopwright.toml")).map_err(told)
    }),
    ("user_settings", Wall, |w| more(&w.home.join("config/loopwright/config.toml"))),
    ("key", Wall, |w| fs::read(w.home.join("state/loopwright/key")).map(drop).map_err(told)),
    ("trust_answer", Wall, |w| put(&w.home.join("state/loopwright/trust/made.json"))),
    ("git_config", Wall, |w| more(&w.work.join(".git/config"))),
    ("git_hook", Wall, |w| put(&w.work.join(".git/hooks/post-checkout"))),
    ("program", Wall, |w| fs::OpenOptions::new().append(true).open(&w.bin).map(drop).map_err(told)),
    ("script", Wall, |w| more(&w.home.join("alpha.toml"))),
    // Processes.
    ("engine_killed", Wall, |w| signal(w.engine, libc::SIGKILL)),
    ("engine_held", Wall, |w| signal(w.engine, libc::SIGSTOP)),
    ("engine_traced", Wall, |w| call(libc::SYS_ptrace, [0x4206, w.engine.into(), 0, 0])),
    ("engine_memory", Wall, |w| more(format!("/proc/{}/mem", w.engine).as_ref())),
    ("engine_written", Wall, |w| call(libc::SYS_process_vm_writev, [w.engine.into(), 0, 0, 0])),
    ("shim_killed", Wall, |_| signal(shim()?, libc::SIGKILL)),
    ("shim_traced", Wall, |_| call(libc::SYS_ptrace, [0x4206, shim()?.into(), 0, 0])),
    ("everybody_killed", Wall, |w| signal(-w.engine, libc::SIGKILL)),
    // Ways out of the walls.
    ("namespaces", Wall, |_| call(libc::SYS_unshare, [libc::CLONE_NEWUSER.into(), 0, 0, 0])),
    ("mounts", Wall, |_| call(libc::SYS_unshare, [libc::CLONE_NEWNS.into(), 0, 0, 0])),
    ("unmounted", Wall, |_| call(libc::SYS_umount2, [c".loop".as_ptr() as i64, 2, 0, 0])),
    ("mounted_over", Wall, |_| {
        let (from, to) = (c".".as_ptr() as i64, c".loop".as_ptr() as i64);
        call(libc::SYS_mount, [from, to, 0, libc::MS_BIND.cast_signed()])
    }),
    ("other_root", Wall, |_| call(libc::SYS_chroot, [c".".as_ptr() as i64, 0, 0, 0])),
];
