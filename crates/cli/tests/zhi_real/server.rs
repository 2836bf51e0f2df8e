//! A small MCP server on standard input and output, written by hand: it knows the handshake and one
//! tool, notes what it was called with, and replies as it is told to, or misbehaves.

use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

/// Where a server finds its replies and leaves its notes; without it nothing is served.
pub const DIR: &str = "ZHI_DIR";
/// Printed by a flood, over and over.
const NOISE: [u8; 4096] = [b'x'; 4096];

/// Not a test of anything: the server's own process enters here.
#[test]
fn serve() {
    let Some(dir) = std::env::var_os(DIR).map(PathBuf::from) else { return };
    // Whatever the harness has written stands on a line of its own, as other noise might.
    println!();
    let plan = plan(&dir);
    if plan["crash_at_start"] == true {
        std::process::exit(9);
    }
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        match message["method"].as_str() {
            Some("initialize") => answer(&message, &handshake(&message)),
            Some("tools/call") => {
                note(&dir, &message["params"]);
                called(&dir, &plan, &message);
            }
            Some(_) | None => {}
        }
    }
    std::process::exit(0);
}

/// The reply of this process: the line after those of the calls before it, or the last.
fn plan(dir: &Path) -> Value {
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap_or_default();
    let (replies, calls) = (read("replies"), read("calls").lines().count());
    let line = replies.lines().nth(calls).or_else(|| replies.lines().last()).unwrap_or("{}");
    serde_json::from_str(line).unwrap()
}

fn note(dir: &Path, params: &Value) {
    let file = std::fs::File::options().create(true).append(true).open(dir.join("calls"));
    // One write, so that whoever reads meanwhile never sees a part of a line.
    file.unwrap().write_all(format!("{params}\n").as_bytes()).unwrap();
}

fn handshake(message: &Value) -> Value {
    json!({ "result": {
        "protocolVersion": message["params"]["protocolVersion"], "capabilities": { "tools": {} },
        "serverInfo": { "name": "window", "version": "1" },
    }})
}

fn answer(message: &Value, with: &Value) {
    let mut reply = with.clone();
    reply["jsonrpc"] = json!("2.0");
    reply["id"] = message["id"].clone();
    println!("{reply}");
}

fn called(dir: &Path, plan: &Value, message: &Value) {
    if plan["crash"] == true {
        std::process::abort();
    }
    if plan["hang"] == true {
        hang(dir);
    }
    if plan["flood"] == true {
        let mut out = std::io::stdout().lock();
        while out.write_all(&NOISE).and_then(|()| out.write_all(b"\n")).is_ok() {}
        hang(dir);
    }
    if let Some(bytes) = plan["noise"].as_u64() {
        for _ in 0..bytes / 4096 {
            std::io::stderr().write_all(&NOISE).unwrap();
        }
    }
    while plan["wait"] == true && !dir.join("go").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    match plan.get("text") {
        Some(text) => {
            let content = json!([{ "type": "text", "text": text }]);
            answer(message, &json!({ "result": { "content": content } }));
        }
        None => answer(message, &plan["raw"]),
    }
}

/// Waits for nothing, with a child that would outlive it.
fn hang(dir: &Path) -> ! {
    let mut child = std::process::Command::new("setsid").args(["sleep", "86400"]).spawn().unwrap();
    std::fs::write(dir.join("hangs"), child.id().to_string()).unwrap();
    drop(child.wait());
    std::process::exit(1);
}
