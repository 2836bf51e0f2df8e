//! What holds calls, in words: what this machine offers, for `doctor`, and what held one call, for
//! its page. Measures nothing itself.

use runtime::config::SandboxMode;
use runtime::sandbox::probe::{LANDLOCK_MIN, Measured, landlock};
use runtime::sandbox::{Carve, Level};
use serde_json::{Value, json};

use crate::ctx::Ctx;

/// What the kernel offers and what comes of it, as a sentence.
pub fn offered(ctx: &Ctx, mode: SandboxMode, measured: &Measured) -> String {
    let lacks = || lacks(ctx, measured);
    match (mode, measured.level) {
        (SandboxMode::Off, level) => ctx.tell("sandbox-off", &[("level", &level.word())]),
        (SandboxMode::Prefer | SandboxMode::Require, Level::Walled) => {
            let carve = carve(ctx, measured.carve.word());
            ctx.tell("sandbox-walled", &[("abi", &measured.abi), ("carve", &carve)])
        }
        (SandboxMode::Prefer, Level::None) => ctx.tell("sandbox-prefer", &[("lacks", &lacks())]),
        (SandboxMode::Require, Level::None) => ctx.tell("sandbox-require", &[("lacks", &lacks())]),
    }
}

/// Why nothing holds here.
fn lacks(ctx: &Ctx, measured: &Measured) -> String {
    let found = landlock();
    if found < LANDLOCK_MIN {
        let said: [(&str, &dyn std::fmt::Display); 2] =
            [("found", &found), ("needed", &LANDLOCK_MIN)];
        ctx.tell("sandbox-lacks-landlock", &said)
    } else if measured.holes.is_empty() {
        ctx.say("sandbox-lacks-start")
    } else {
        let tries = json!(measured.holes);
        let words: Vec<&str> =
            tries.as_array().into_iter().flatten().flat_map(Value::as_str).collect();
        ctx.tell("sandbox-lacks-tries", &[("tries", &words.join(", "))])
    }
}

fn carve(ctx: &Ctx, word: &str) -> String {
    let known = [Carve::Mount, Carve::Detected].map(Carve::word).contains(&word);
    ctx.say(&format!("sandbox-carve-{}", if known { word } else { Carve::None.word() }))
}

/// What held a call that ended, and what it did against that; nothing for one that was no process.
pub fn told(ctx: &Ctx, call: &Value) -> Option<String> {
    let exit = &call["result"]["exit"];
    let word = |name: &str| exit[name].as_str().filter(|word| !word.is_empty());
    let (level, carve_out) = (word("sandbox")?, word("carve_out")?);
    let paths = |name: &str| {
        let all: Vec<&str> = exit[name].as_array()?.iter().filter_map(Value::as_str).collect();
        Some(all.join(", ")).filter(|paths| !paths.is_empty())
    };
    let mut lines = Vec::new();
    if level == Level::None.word() {
        lines.push(ctx.say("held-none"));
    } else if call["args"]["agent"]["access"] == "read" {
        lines.push(ctx.say("held-read"));
    } else {
        lines.push(ctx.tell("held-walled", &[("carve", &carve(ctx, carve_out))]));
    }
    if let Some(paths) = paths("put_back") {
        let aside = format!(".loop/aside/{}", call["run_id"].as_str().unwrap_or_default());
        lines.push(ctx.tell("held-put-back", &[("paths", &paths), ("aside", &aside)]));
    }
    if let Some(paths) = paths("moved") {
        lines.push(ctx.tell("held-moved", &[("paths", &paths)]));
    }
    if level != Level::None.word() && call["result"]["ok"] == false {
        lines.push(ctx.say("held-next"));
    }
    Some(lines.join("\n"))
}
