//! Output of no sense at all, seeded: no parser panics, and none calls it green.

use loopwright_runtime::checks::{
    Ended, Output, Parsed, Parser, Stream, Verdict, of_settings, parse,
};
use loopwright_runtime::config::CheckCommand;

fn bytes(stdout: &[u8], stderr: &[u8], ended: Ended) -> Output {
    let stdout = Stream::Bytes(stdout.to_vec());
    Output { stdout, stderr: Stream::Bytes(stderr.to_vec()), ended, report: None }
}

fn read(parser: Parser, output: &Output) -> Parsed {
    let argv = vec!["run".to_owned()];
    let parser = Some(parser.name().into());
    let command = CheckCommand { argv, parser, ..CheckCommand::default() };
    parse(&of_settings(&[command], 1000)[0], output, &mut |_| {})
}

#[test]
fn random_bytes_never_panic_and_never_pass() {
    let words: [&[u8]; 24] = [
        b"running 2 tests\n",
        b"running 18446744073709551615 tests\n",
        b"test a ... ok\n",
        b"failures:\n",
        b"test b ... FAILED\n",
        b"---- b stdout ----\n",
        b"    b\n",
        b"test result: ok. ",
        b"18446744073709551615 passed; ",
        b"1 failed; ",
        b"\n",
        b"\r",
        b"\x1b[",
        b"\x1b]",
        b"\xff",
        b"9 passed in 0.1s\n",
        b"= short test summary info =\n",
        b"FAILED a::b - c\n",
        b"Tests:  1 passed, 1 total\n",
        b"<testsuite>",
        b"<testcase name='&#0;'>",
        b"<failure>",
        b"{\"Action\":\"fail\",\"Package\":\"p\",\"Elapsed\":-1e300}\n",
        b"</testcase></testsuite>",
    ];
    let dir = tempfile::tempdir().expect("a directory");
    let report = dir.path().join("report");
    let mut seed = 42u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for round in 0..4000 {
        let mut text = Vec::new();
        for _ in 0..next(30) {
            if next(4) == 0 {
                text.extend((0..next(40)).map(|_| next(256) as u8).collect::<Vec<_>>());
            } else {
                text.extend_from_slice(words[next(words.len() as u64) as usize]);
            }
        }
        let mut output = bytes(&text, &text, Ended::Exited(1));
        if round % 4 == 0 {
            std::fs::write(&report, &text).expect("a report");
            output.report = Some(report.clone());
        }
        for parser in
            [Parser::Cargo, Parser::Pytest, Parser::Jest, Parser::Go, Parser::Auto, Parser::Exit]
        {
            let parsed = read(parser, &output);
            assert_eq!(parsed.verdict, Verdict::Failed, "round {round} {parser:?}");
            assert!(parsed.counts.pass_rate_tenths() < 1000);
        }
    }
}
