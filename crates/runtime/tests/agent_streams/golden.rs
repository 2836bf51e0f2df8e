//! The recorded streams, one line of facts each. The paths in them were made neutral, so a file
//! that an agent changed is called like the directory it worked in.

use kernel::agent::Usage;

use crate::bench::{Case, transcripts};

fn golden() -> Vec<(&'static str, i32, &'static str)> {
    vec![
        ("claude.bgchild", 0, "answered e2c30553 text=done used=200/20/0/0/900"),
        ("claude.drop", 1, "E010 connection 40bf1f80 used=0/0/0/0/0 retries=2"),
        (
            "claude.edit",
            0,
            "answered 840abca8 text=all done MARK-DONE files=+repo used=500/50/0/0/2250",
        ),
        ("claude.garbage_empty", 1, "E009 error_event ad7e842c used=0/0/0/0/0"),
        ("claude.http401", 1, "E009 auth 7747ba27 used=0/0/0/0/0 retries=2"),
        ("claude.http500", 1, "E009 server 79b555a6 used=0/0/0/0/0 retries=2"),
        (
            "claude.noapprove",
            0,
            "answered 578a91a8 text=done used=300/30/0/0/1350 denied=Bash,Write",
        ),
        (
            "claude.resume",
            0,
            "answered 92d88a16 text=second answer MARK-RESUME used=100/10/0/0/450",
        ),
        ("claude.text", 0, "answered 92d88a16 text=Hello from mock. MARK-TEXT used=100/10/0/0/450"),
        ("codex.bgchild", 0, "answered 01a1e071 text=done used=200/20/0/0/- notes=1"),
        ("codex.drop", 1, "E010 connection 01a1e060 retries=5 notes=1"),
        ("codex.edit", 0, "answered 01a1e07a text=all done MARK-DONE used=500/50/0/0/- notes=1"),
        ("codex.garbage_empty", 1, "E010 connection 01a1e060 retries=5 notes=1"),
        ("codex.http401", 1, "E009 auth 01a1e05f retries=5 notes=1"),
        ("codex.http500", 1, "E009 server 01a1e05f retries=5 notes=1"),
        ("codex.noapprove", 0, "answered 01a1e05f text=done used=300/30/0/0/- notes=1"),
        (
            "codex.resume",
            0,
            "answered 01a1e079 text=second answer MARK-RESUME used=100/10/0/0/- notes=1",
        ),
        (
            "codex.text",
            0,
            "answered 01a1e079 text=Hello from mock. MARK-TEXT used=100/10/0/0/- notes=1",
        ),
        ("gemini.bgchild", 0, "answered 912638de text=done used=200/20/0/-/-"),
        ("gemini.drop", 1, "E010 connection 12264b57 used=0/0/0/-/-"),
        (
            "gemini.edit",
            0,
            "answered 5d5a7bc6 text=all done MARK-DONE files=~repo used=500/50/0/-/-",
        ),
        ("gemini.garbage_empty", 0, "E009 error_event b99884b6 used=0/0/0/-/- notes=1"),
        ("gemini.http401", 145, "E009 auth ba51a1d9 used=0/0/0/-/-"),
        ("gemini.http500", 244, "E009 server 9d130900 used=0/0/0/-/-"),
        ("gemini.noapprove", 0, "answered 37f03612 text=done used=300/30/0/-/-"),
        ("gemini.resume", 0, "answered 4b0c5f4c text=second answer MARK-RESUME used=100/10/0/-/-"),
        ("gemini.text", 0, "answered 4b0c5f4c text=Hello from mock. MARK-TEXT used=100/10/0/-/-"),
        ("qwen.bgchild", 0, "answered 9b336175 text=done used=200/20/0/-/-"),
        ("qwen.drop", 1, "E009 exit bab79cf7 retries=2"),
        ("qwen.edit", 0, "answered edcd73e9 text=all done MARK-DONE files=~repo used=500/50/0/-/-"),
        ("qwen.garbage_empty", 1, "E009 error_event f0103299 used=0/0/0/-/- retries=8"),
        ("qwen.http401", 1, "E009 auth 99228354 used=0/0/0/-/-"),
        ("qwen.http500", 1, "E009 server 900eda3a used=0/0/0/-/-"),
        ("qwen.noapprove", 0, "answered e739729f text=done used=300/30/0/-/- denied=Bash,Write"),
        ("qwen.resume", 0, "answered 75fe2520 text=second answer MARK-RESUME used=200/20/0/-/-"),
        ("qwen.text", 0, "answered 75fe2520 text=Hello from mock. MARK-TEXT used=200/20/0/-/-"),
    ]
}

/// The resumed ones were asked to go on, after a first call that cost what its own stream says.
fn resumed(name: &str, case: Case) -> Case {
    let spent = |input, output, cost| Usage {
        input_tokens: Some(input),
        output_tokens: Some(output),
        cached_tokens: Some(0),
        reasoning_tokens: Some(0),
        cost_micros: cost,
    };
    match name {
        "codex.resume" => {
            case.resume("01a1e079-fe7a-7a93-adaa-2a829bfb5029").totals(spent(100, 10, None))
        }
        "qwen.resume" => {
            case.resume("75fe2520-afe7-47a0-abde-40f3c3285765").totals(spent(200, 20, None))
        }
        "claude.resume" => {
            case.resume("92d88a16-245e-4902-8068-f240e43c9944").totals(spent(100, 10, Some(450)))
        }
        "gemini.resume" => case.resume("4b0c5f4c-1135-45a5-9c47-57581043487b"),
        _ => case,
    }
}

#[test]
fn every_recorded_stream_has_its_facts() {
    let golden = golden();
    let names: Vec<&str> = golden.iter().map(|(name, _, _)| *name).collect();
    assert_eq!(names, transcripts());
    let wrong: Vec<String> = golden
        .into_iter()
        .filter_map(|(name, code, expected)| {
            let told = resumed(name, Case::recorded(name).code(code)).told();
            (told != expected).then(|| format!("{name}\n  is  {told}\n  not {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
