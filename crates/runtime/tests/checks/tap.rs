//! TAP that no capture shows: plans that do not fit, numbers twice, blocks in blocks, and output
//! that looks like results.

use loopwright_runtime::checks::{Ended, Parser};

use crate::bench::{bytes, failed, line, read};

#[test]
fn points_plans_and_blocks() {
    let rows: [(&str, &str, &str); 19] = [
        ("plan first", "1..2\nok 1 - a\nok 2 - b\n", "2 2 0 0 Passed 100"),
        ("no numbers", "TAP version 14\nok a\nnot ok b\nok\n1..3\n", "3 2 1 0 Failed 66.6"),
        ("missing", "1..5\nok 1\nok 3\n", "5 2 3 0 Failed 40"),
        (
            "huge plan",
            "1..18446744073709551615\nok 1\n",
            "18446744073709551615 1 18446744073709551614 0 Failed 0",
        ),
        ("nothing to do", "1..0 # SKIP no database\n", "0 0 0 0 NoTests 0?"),
        ("no plan", "TAP version 13\nok 1\n", "1 1 0 0 Unparsed 100?"),
        ("no plan, no version", "ok 1 - a\n", "0 0 0 0 Unparsed 0?"),
        ("go's own words", "ok  \tpkg\t0.1s\n", "0 0 0 0 Unparsed 0?"),
        ("bail out", "1..4\nok 1\nBail out! no database\n", "4 1 3 0 Failed 25"),
        ("bail out at the end", "1..1\nok 1\nBail out!\n", "2 1 1 0 Failed 50"),
        ("twice, red last", "1..1\nok 1\nnot ok 1\n", "1 0 1 0 Failed 0"),
        ("twice, red first", "1..1\nnot ok 1\nok 1\n", "1 0 1 0 Failed 0"),
        ("beyond the plan", "1..1\nok 1\nok 7 - printed\n", "1 1 0 0 Passed 100"),
        ("red beyond the plan", "1..1\nok 1\nnot ok 2\n", "2 1 1 0 Failed 50"),
        (
            "directives",
            "1..4\nnot ok 1 # todo x\nok 2 # skip\nnot ok 3 # SKIP\nok 4 \\# SKIP\n",
            "4 1 1 2 Failed 50",
        ),
        ("block", "1..1\n    1..2\n    ok 1\n    ok 2\nok 1 - both\n", "2 2 0 0 Passed 100"),
        ("block missing", "1..1\n    1..2\n    ok 1\nok 1 - both\n", "2 1 1 0 Failed 50"),
        ("red parent", "1..1\n    1..1\n    ok 1\nnot ok 1 - it\n", "2 1 1 0 Failed 50"),
        ("output like a block", "1..1\n    ok 1 - printed\nok 1 - it\n", "1 1 0 0 Passed 100"),
    ];
    for (name, text, want) in rows {
        let output = bytes(text.as_bytes(), b"", Ended::Exited(0));
        assert_eq!(line(&read(Parser::Tap, &output)), want, "{name}");
        let crlf = text.replace('\n', "\r\n");
        let output = bytes(crlf.as_bytes(), b"", Ended::Exited(0));
        assert_eq!(line(&read(Parser::Tap, &output)), want, "{name} crlf");
    }
}

#[test]
fn details_hide_nothing_outside_them() {
    let rows = [
        // Details without end: what stands further out ends them.
        "1..2\nok 1\n  ---\n  x: 1\nnot ok 2 - real\n",
        "1..2\nok 1\n  ---\n    ok 2\n  ...\nnot ok 2 - real\n",
        "1..2\nok 1\n\n  ---\nnot ok 2 - real\n",
        "1..2\nok 1\n      ---\nnot ok 2 - real\n",
    ];
    for text in rows {
        let parsed = read(Parser::Tap, &bytes(text.as_bytes(), b"", Ended::Exited(0)));
        assert_eq!(failed(&parsed), ["tap: real"], "{text}");
        assert_eq!(parsed.counts.total, 2, "{text}");
    }
}

#[test]
fn depth_is_bounded() {
    let mut text = String::from("1..1\n");
    for depth in (1..2000).rev() {
        text.push_str(&" ".repeat(depth * 4));
        text.push_str("1..1\n");
        text.push_str(&" ".repeat(depth * 4));
        text.push_str("ok 1 - in\n");
    }
    text.push_str("ok 1 - it\n");
    let parsed = read(Parser::Tap, &bytes(text.as_bytes(), b"", Ended::Exited(0)));
    assert_eq!(line(&parsed), "1 1 0 0 Passed 100");
}

#[test]
fn a_command_of_unknown_kind_needs_more_than_a_plan() {
    let rows = [
        ("1..5\n", "0 0 0 0 Unparsed 0?"),
        ("rows 1..5\n1..5\n    ok 1\n", "0 0 0 0 Unparsed 0?"),
        ("TAP version 14\n1..2\n", "2 0 2 0 Failed 0"),
        ("1..2\nok 1\n", "2 1 1 0 Failed 50"),
    ];
    for (text, want) in rows {
        let output = bytes(text.as_bytes(), b"", Ended::Exited(0));
        assert_eq!(line(&read(Parser::Auto, &output)), want, "{text}");
    }
    let output = bytes(b"1..5\n", b"", Ended::Exited(0));
    assert_eq!(line(&read(Parser::Tap, &output)), "5 0 5 0 Failed 0");
}
