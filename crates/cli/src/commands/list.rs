//! The list of subcommands and the one match that runs them. No command's rule is here.

use clap::{Parser, Subcommand};

use super::{
    agent, answer, call, checkpoint, cli_md, collab, completions, config, demo, diff, doctor,
    drive_zhi, engine, explain, grant, graph, help, journal, kb, lifecycle, log, loops, mcp,
    package, policy, questions, replay, report, runs, schema, serve, session, show, tool, trace,
    turn, undo, usage, verify, watch, workspace,
};
use crate::ctx::{Ctx, Global};
use crate::out::Reply;
use crate::trouble::Trouble;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "loopwright", version, disable_help_subcommand = true)]
pub struct Cli {
    /// Flags every command takes.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Every subcommand. Words about them are in the catalogue, under `cmd-<path>`.
#[derive(Debug, Subcommand)]
pub enum Command {
    Runs(runs::Args),
    Show(show::Args),
    Log(log::Args),
    Replay(replay::Args),
    Report(report::Args),
    Diff(diff::Args),
    Usage(usage::Args),
    #[command(subcommand)]
    Call(call::Verb),
    #[command(subcommand)]
    Tool(tool::Verb),
    Undo(undo::Args),
    #[command(subcommand)]
    Checkpoint(checkpoint::Verb),
    Rollback(checkpoint::RollbackForm),
    Verify(verify::Args),
    #[command(subcommand)]
    Lifecycle(lifecycle::Verb),
    #[command(subcommand)]
    Turn(turn::Verb),
    #[command(subcommand)]
    Loop(loops::Verb),
    #[command(subcommand)]
    Collab(collab::Verb),
    Auto(session::TextArgs),
    Plan(session::TextArgs),
    Exec(session::ExecArgs),
    Init(session::BareArgs),
    Upgrade(session::BareArgs),
    Clean(session::CleanArgs),
    Test(session::TestArgs),
    Commit(session::CommitArgs),
    Review(session::ReviewArgs),
    Validate(session::ValidateArgs),
    Say(session::SayArgs),
    Status(session::StatusArgs),
    Sessions,
    Cancel(session::CancelArgs),
    Questions(questions::Args),
    Answer(answer::Args),
    Watch(watch::Args),
    #[command(subcommand)]
    Package(package::Verb),
    #[command(subcommand)]
    Kb(kb::Verb),
    #[command(subcommand)]
    Agent(agent::Verb),
    Doctor(doctor::Args),
    Mcp(mcp::Args),
    Engine(engine::Args),
    Serve(serve::Args),
    #[command(subcommand)]
    Journal(journal::Verb),
    Graph(graph::Args),
    Schema(schema::Args),
    Explain(explain::Args),
    Trace(trace::Args),
    #[command(subcommand)]
    Config(config::Verb),
    #[command(subcommand)]
    Workspace(workspace::Verb),
    #[command(subcommand)]
    Policy(policy::Verb),
    #[command(subcommand)]
    Grant(grant::Verb),
    Demo,
    Completions(completions::Args),
    Help(help::Args),
    #[command(name = "drive-zhi", hide = true)]
    DriveZhi(drive_zhi::Args),
    #[command(name = "__cli-md", hide = true)]
    CliMd,
}

/// Runs the command that was asked for.
///
/// # Errors
/// Whatever the command answers instead of doing it.
pub fn run(ctx: &Ctx, command: &Command) -> Result<Reply, Trouble> {
    match command {
        Command::Runs(args) => runs::run(ctx, args),
        Command::Show(args) => show::run(ctx, args),
        Command::Log(args) => log::run(ctx, args),
        Command::Replay(args) => replay::run(ctx, args),
        Command::Report(args) => report::run(ctx, args),
        Command::Diff(args) => diff::run(ctx, args),
        Command::Usage(args) => usage::run(ctx, args),
        Command::Call(verb) => call::run(ctx, verb),
        Command::Tool(verb) => tool::run(ctx, verb),
        Command::Checkpoint(verb) => checkpoint::run(ctx, verb),
        Command::Rollback(form) => checkpoint::rollback(ctx, form),
        Command::Undo(args) => undo::run(ctx, args),
        Command::Verify(args) => verify::run(ctx, args),
        Command::Lifecycle(verb) => lifecycle::run(ctx, verb),
        Command::Turn(verb) => turn::run(ctx, verb),
        Command::Loop(verb) => loops::run(ctx, verb),
        Command::Collab(verb) => collab::run(ctx, verb),
        Command::Auto(args) => session::auto(ctx, args),
        Command::Plan(args) => session::plan(ctx, args),
        Command::Exec(args) => session::exec(ctx, args),
        Command::Init(args) => session::init(ctx, args),
        Command::Upgrade(args) => session::upgrade(ctx, args),
        Command::Clean(args) => session::clean(ctx, args),
        Command::Test(args) => session::test(ctx, args),
        Command::Commit(args) => session::commit(ctx, args),
        Command::Review(args) => session::review(ctx, args),
        Command::Validate(args) => session::validate(ctx, args),
        Command::Say(args) => session::say(ctx, args),
        Command::Status(args) => session::status(ctx, args),
        Command::Sessions => session::sessions(ctx),
        Command::Cancel(args) => session::cancel(ctx, args),
        Command::Questions(args) => questions::run(ctx, args),
        Command::Answer(args) => answer::run(ctx, args),
        Command::Watch(args) => watch::run(ctx, args),
        Command::Package(verb) => package::run(ctx, verb),
        Command::Kb(verb) => kb::run(ctx, *verb),
        Command::Agent(verb) => agent::run(ctx, verb),
        Command::Doctor(args) => doctor::run(ctx, args),
        Command::Engine(args) => engine::run(ctx, args),
        Command::Serve(args) => serve::run(ctx, args),
        Command::Mcp(args) => mcp::run(ctx, args),
        Command::Journal(verb) => journal::run(ctx, verb),
        Command::Graph(args) => graph::run(args),
        Command::Schema(args) => schema::run(ctx, args),
        Command::Explain(args) => explain::run(ctx, args),
        Command::Trace(args) => trace::run(ctx, args),
        Command::Config(verb) => config::run(ctx, verb),
        Command::Workspace(verb) => workspace::run(ctx, *verb),
        Command::Policy(verb) => policy::run(ctx, verb),
        Command::Grant(verb) => grant::run(ctx, verb),
        Command::Demo => demo::run(ctx),
        Command::Completions(args) => completions::run(ctx, args),
        Command::Help(args) => help::run(ctx, args),
        Command::DriveZhi(args) => Ok(drive_zhi::run(args)),
        Command::CliMd => Ok(cli_md::run(ctx)),
    }
}
