//! `engine`: the process that owns a workspace's journal. Without a verb it is that process,
//! started by us only; its verbs ask how it is and tell it to leave.

use std::io::Write as _;
use std::sync::Arc;
use std::time::SystemTime;

use clap::Subcommand;
use edge::door::{self, EnginePlan, Ready, ServeError, VERSION};
use edge::site::Left;
use kernel::errors::{Exit, Machine};
use kernel::loops::Mode;
use kernel::machine::At;
use runtime::collab::Around;
use runtime::config::LoopMode;
use runtime::engine::Halt;
use runtime::host::{self, HostError, Place};
use runtime::policy::{self, Judge};
use runtime::sandbox::{Walls, Wanted};
use runtime::trace;
use runtime::workspace;
use serde_json::{Value, json};

use crate::ctx::{self, Ctx};
use crate::desk;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// `engine [status|stop]`
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// How it is.
    Status,
    /// Ask it to leave.
    Stop,
}

/// Runs the verb, or the engine itself.
///
/// # Errors
/// Why there is no answer.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    match args.verb {
        None => engine(ctx),
        Some(Verb::Status) => status(ctx),
        Some(Verb::Stop) => stop(ctx),
    }
}

fn status(ctx: &Ctx) -> Result<Reply, Trouble> {
    let Some(desk) = desk::running(ctx)? else {
        return Ok(Reply::new(json!({ "running": false }), ctx.say("engine-none")));
    };
    let engine = desk.engine();
    let since = kernel_time(engine.since_ms);
    let text = ctx.tell(
        "engine-status",
        &[
            ("version", &engine.version),
            ("pid", &engine.pid),
            ("since", &since),
            ("in_flight", &engine.in_flight),
            // The one who asks is a client too, and not meant.
            ("clients", &engine.clients.saturating_sub(1)),
            ("idle_exit", &(engine.idle_exit_ms / 1000)),
        ],
    );
    let data = json!({
        "running": true, "version": engine.version, "pid": engine.pid, "since": since,
        "in_flight": engine.in_flight, "clients": engine.clients.saturating_sub(1),
        "idle_exit_ms": engine.idle_exit_ms, "epoch": engine.epoch, "redraws": engine.redraws,
    });
    Ok(Reply::new(data, text))
}

fn kernel_time(ms: u64) -> String {
    kernel::loops::view::rfc3339(At(ms))
}

fn stop(ctx: &Ctx) -> Result<Reply, Trouble> {
    Ok(match desk::visit(ctx, &ctx.site()?).leave()? {
        Left::NoEngine => Reply::new(json!({ "running": false }), ctx.say("engine-none")),
        Left::Engine => {
            Reply::new(json!({ "running": false, "left": true }), ctx.say("engine-left"))
        }
    })
}

/// Who judges here, by what is so when it is asked.
fn judge(ctx: &Ctx, walls: &Walls) -> Result<Judge, Trouble> {
    let (root, places) = (ctx.root()?, ctx.places()?);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let top = root.path.clone();
    let look = policy::looking(root, places, ctx::env(), walls.standing());
    Ok(Judge::new(Arc::new(look), top, path))
}

/// The engine process. Its one line on stdout tells its starter that it listens, or why not.
fn engine(ctx: &Ctx) -> Result<Reply, Trouble> {
    desk::person(ctx, Machine::Door, "engine")?;
    // A session of its own: a closed terminal ends a view, never work.
    let _ = rustix::process::setsid();
    let (root, places) = (ctx.root()?, ctx.places()?);
    workspace::untracked(&root).map_err(|why| trouble::of_workspace(&why))?;
    let dir = workspace::create(&root, &places).map_err(|why| trouble::of_workspace(&why))?;
    let settings = ctx.settings()?.settings;
    // Old traces go when an engine starts; one that stays costs only its space.
    drop(trace::sweep(&dir.path, SystemTime::now(), settings.trace.keep_days));
    let exe = std::env::current_exe().map_err(|why| desk::io("loopwright", &why))?;
    let (wanted, cache) = (Wanted::of(&settings), ctx.places()?.cache);
    let walls = Arc::new(Walls::measure(wanted, &exe, &dir.path.join("cache"), &cache));
    let judge = judge(ctx, &walls)?;
    let place = Place {
        root,
        loop_dir: dir.path.clone(),
        exe,
        walls,
        cache: ctx.places()?.cache,
        judge,
        lang: ctx.lang,
        version: VERSION.to_owned(),
    };
    let around = Around::of(&settings, (&place.root.path, &dir.path), ctx.lang);
    let turns = runtime::turns::Around::of(
        &settings,
        (&place.root.path, &dir.path),
        place.judge.clone(),
        ctx.lang,
    );
    let whole = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let plan = EnginePlan {
        host: host::plan(place, &settings, Arc::new(ctx.redactor()?)),
        journal_dir: dir.journal(),
        socket: ctx.places()?.socket(&dir.workspace_id).ok_or_else(no_socket)?,
        default_mode: match settings.loops.mode {
            LoopMode::Auto => Mode::Auto,
            LoopMode::Interactive => Mode::Interactive,
        },
        max_iterations: whole(settings.loops.max_iterations),
        max_iterations_ceiling: whole(settings.loops.max_iterations_ceiling),
        around,
        turns,
    };
    let since = runtime::clock::Clock::start(At(0)).now();
    match door::serve(plan, since, || announce(&Ready::Ready)) {
        Ok(()) => Ok(Reply::printed(Exit::OK)),
        Err(why) => {
            announce(&fault(&why));
            eprintln!("{why}");
            Ok(Reply::printed(Exit::JOURNAL))
        }
    }
}

fn no_socket() -> Trouble {
    trouble::class(kernel::errors::Class::Io, json!({ "kind": "too_large", "path": "socket" }))
}

/// One line, then nothing more: whoever started us stops reading.
fn announce(ready: &Ready) {
    let line = serde_json::to_string(ready).unwrap_or_default();
    let mut out = std::io::stdout().lock();
    // A starter that has gone away needs no answer.
    drop(out.write_all(format!("{line}\n").as_bytes()));
    drop(out.flush());
}

fn fault(why: &ServeError) -> Ready {
    let (kind, details) = match why {
        ServeError::Host(HostError::Halt(Halt::Journal(fault))) => {
            (fault.kind().to_owned(), runtime::query::of_fault(fault).1)
        }
        ServeError::Host(HostError::Halt(Halt::Foreign { run, seq, .. })) => {
            ("newer_format".to_owned(), json!({ "run_id": run, "seq": seq }))
        }
        ServeError::Host(HostError::Halt(Halt::Broken(_))) => ("internal".to_owned(), Value::Null),
        ServeError::Host(HostError::RootReplaced { path }) => {
            ("root_replaced".to_owned(), json!({ "path": path }))
        }
        ServeError::Host(HostError::Hands(_)) | ServeError::Socket(_) => {
            ("socket".to_owned(), json!({ "why": why.to_string() }))
        }
    };
    Ready::Fault { kind, details }
}
