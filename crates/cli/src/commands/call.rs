//! `call`: calls, one call, what it printed. What a person says to a call is in `call_says`.

use edge::door::CallSay;
use kernel::run::Kind;
use runtime::query::{self, Pipe};
use serde_json::{Value, json};

use super::call_says::{self, Became, Reach};
use super::{call_tail, held, known, show};
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// What to do with calls.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// List them.
    List {
        /// Only those below this run.
        #[arg(long, value_name = "RUN")]
        run: Option<String>,
        /// Only those in this state.
        #[arg(long, value_name = "STATE")]
        state: Option<String>,
    },
    /// Show one.
    Show {
        /// The call.
        #[arg(value_name = "CALL")]
        call: String,
        /// With what it printed.
        #[arg(long)]
        output: bool,
    },
    /// What it prints.
    Tail(call_tail::Args),
    /// Say yes to it.
    Allow {
        /// The call.
        #[arg(value_name = "CALL")]
        call: String,
        /// How far the yes reaches.
        #[arg(long, value_name = "SCOPE", value_enum, default_value = "once")]
        scope: Reach,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Say no to it.
    Deny {
        /// The call.
        #[arg(value_name = "CALL")]
        call: String,
        /// Why.
        #[arg(long, value_name = "TEXT", default_value = "")]
        note: String,
    },
    /// Say what became of it.
    Settle {
        /// The call.
        #[arg(value_name = "CALL")]
        call: String,
        /// What became of it.
        #[arg(value_name = "WORD", value_enum)]
        became: Became,
        /// How this is known.
        #[arg(long, value_name = "TEXT")]
        note: String,
    },
    /// Stop it.
    Stop {
        /// The call.
        #[arg(value_name = "CALL")]
        call: String,
    },
}

/// Does it.
///
/// # Errors
/// An unknown call or state, or a journal that cannot be read.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::List { run, state } => list(ctx, run.as_deref(), state.as_deref()),
        Verb::Show { call, output } => {
            let what = if *output { Shown::WithOutput } else { Shown::Facts };
            show_one(ctx, call, what)
        }
        Verb::Tail(args) => call_tail::run(ctx, args),
        Verb::Allow { call, scope, note } => {
            let say = CallSay::Allow { scope: scope.reach().scope(), note: note.clone() };
            call_says::say(ctx, call, say)
        }
        Verb::Deny { call, note } => {
            let say = CallSay::Deny { note: note.clone(), answers: false };
            call_says::say(ctx, call, say)
        }
        Verb::Settle { call, became, note } => {
            let say = CallSay::Settle { how: became.word(), note: note.clone() };
            call_says::say(ctx, call, say)
        }
        Verb::Stop { call } => call_says::say(ctx, call, CallSay::Stop),
    }
}

enum Shown {
    Facts,
    WithOutput,
}

fn list(ctx: &Ctx, below: Option<&str>, state: Option<&str>) -> Result<Reply, Trouble> {
    let all = edge::calls::list(&ctx.site()?, below, ("--state", state), ctx.lang)?;
    known::redacted(ctx, &Value::Array(all), |data| {
        let rows: Vec<Vec<String>> = data.as_array().into_iter().flatten().map(row).collect();
        if rows.is_empty() {
            return ctx.say("reads-no-calls");
        }
        table::draw(&ctx.heading(["call", "state", "outcome", "command"]), &rows)
    })
}

fn row(call: &Value) -> Vec<String> {
    let text = |name: &str| call[name].as_str().unwrap_or("-").to_owned();
    vec![text("run_id"), text("state"), text("outcome"), text("about")]
}

fn show_one(ctx: &Ctx, id: &str, what: Shown) -> Result<Reply, Trouble> {
    let known = known::run_of(ctx, id, Kind::Call)?;
    let mut data = show::view(ctx, &known, None)?;
    if let Shown::WithOutput = what {
        let (dir, redactor) = (known.dir.call(&known.head.run), ctx.redactor()?);
        for (name, pipe) in [("stdout", Pipe::Stdout), ("stderr", Pipe::Stderr)] {
            let output = query::output(&dir, pipe, &redactor);
            data["output"][name] = json!(output.map_err(|refusal| trouble::of_query(&refusal))?);
        }
    }
    known::redacted(ctx, &data, |data| {
        let mut plain = data.clone();
        let output = plain.as_object_mut().and_then(|fields| fields.remove("output"));
        let mut page = known::facts(ctx, &plain, &show::FIRST);
        if let Some(told) = held::told(ctx, &plain) {
            page = format!("{page}\n\n{told}");
        }
        for name in ["stdout", "stderr"] {
            let text = output.as_ref().and_then(|output| output[name]["text"].as_str());
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                page = format!("{page}\n--- {name}\n{}", text.trim_end());
            }
        }
        page
    })
}
