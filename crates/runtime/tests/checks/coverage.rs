//! Coverage and reports count only where this run wrote them, below the root.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use loopwright_runtime::checks::{Ended, Parser, coverage, written};

use crate::bench::{bytes, data, failed, line, read};

const AGO: Duration = Duration::from_secs(5);

/// A root with files in it, and when its run began.
struct Place(tempfile::TempDir, SystemTime);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"), SystemTime::now() - AGO)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("below")).expect("directories");
        fs::write(path, text).expect("a file");
    }

    fn copy(&self, name: &str, of: &str) {
        self.write(name, fs::read(data(of)).expect("a capture"));
    }

    fn age(&self, name: &str) {
        let file = fs::File::options().write(true).open(self.0.path().join(name));
        file.and_then(|file| file.set_modified(self.1 - AGO)).expect("aged");
    }

    fn names(&self, paths: &[&str]) -> Vec<String> {
        let root = self.0.path().canonicalize().expect("there");
        let found = written(self.0.path(), paths, self.1);
        let name = |path: &Path| path.strip_prefix(&root).expect("below").display().to_string();
        found.iter().map(|path| name(path)).collect()
    }

    fn percent(&self, paths: &[&str]) -> Option<f64> {
        let got = coverage(&written(self.0.path(), paths, self.1));
        got.coverage_available.then_some(got.coverage)
    }
}

#[test]
fn coverage_counts_files_of_this_run_only_and_sums_them() {
    let place = Place::new();
    place.write(
        "a",
        "SF:x\nLF:8\nLH:5\nend_of_record\nSF:y\nDA:1,0\nDA:2,3\nDA:3,1,hash\nend_of_record\n",
    );
    place.write("b", "SF:z\r\nDA:1,1\r\nLF:1\r\nLH:1\r\nend_of_record\r\n");
    place.write("old", "LF:1\nLH:0\nend_of_record\n");
    place.age("old");
    place.copy("node.info", "coverage/node_lcov.info");
    place.copy("coverage.xml", "coverage/pytest_cov.xml");
    place.write("empty", "TN:\n");
    place.write("nonsense", "LF:1\nLH:2\nend_of_record\n");
    place.write(
        "rate.xml",
        "<?xml version='1.0'?><!DOCTYPE coverage><coverage line-rate='0.6789'/>",
    );
    place.write("none.xml", "<coverage lines-valid='0' lines-covered='0'/>");
    place.write("wild.xml", "<coverage line-rate='NaN'/>");
    place.write("page.xml", "<html><coverage line-rate='1'/></html>");
    place.write("cut.xml", "<coverage lines-valid='4' lines-cov");
    let rows: [(&[&str], Option<f64>); 15] = [
        (&["a"], Some(63.6)),
        (&["a", "b"], Some(66.6)),
        (&["a", "./b", "a"], Some(66.6)),
        (&["node.info"], Some(90.0)),
        (&["coverage.xml"], Some(75.0)),
        (&["node.info", "coverage.xml"], Some(85.7)),
        (&["coverage.xml", "old"], Some(75.0)),
        (&["rate.xml"], Some(67.8)),
        (&["old"], None),
        (&["missing"], None),
        (&["empty"], None),
        (&["nonsense"], None),
        (&["none.xml"], None),
        (&["wild.xml", "page.xml", "cut.xml"], None),
        (&[], None),
    ];
    for (paths, want) in rows {
        assert_eq!(place.percent(paths), want, "{paths:?}");
    }
}

#[test]
fn written_files_are_found_by_path_and_pattern_below_the_root() {
    let place = Place::new();
    let outside = tempfile::tempdir().expect("a directory");
    fs::write(outside.path().join("x.xml"), "x").expect("a file");
    for name in ["r/TEST-a.xml", "r/TEST-b.xml", "r/deep/TEST-c.xml", "r/TEST-a.txt", "old.xml"] {
        place.write(name, "x");
    }
    for name in [".git/TEST-g.xml", ".loop/calls/TEST-l.xml"] {
        place.write(name, "x");
    }
    place.age("old.xml");
    let link = |to: &Path, name: &str| {
        std::os::unix::fs::symlink(to, place.0.path().join(name)).expect("a link");
    };
    link(outside.path(), "out");
    link(&outside.path().join("x.xml"), "linked.xml");
    let above = format!("../{}/x.xml", outside.path().file_name().expect("named").display());
    let absolute = outside.path().join("x.xml").display().to_string();
    let rows: [(&[&str], &[&str]); 9] = [
        (&["r/TEST-a.xml"], &["r/TEST-a.xml"]),
        (&["r/*.xml"], &["r/TEST-a.xml", "r/TEST-b.xml"]),
        (&["**/TEST-*.xml"], &["r/TEST-a.xml", "r/TEST-b.xml", "r/deep/TEST-c.xml"]),
        (&["r/*.xml", "r/TEST-b.xml"], &["r/TEST-a.xml", "r/TEST-b.xml"]),
        (&["*.xml", "old.xml", "linked.xml"], &[]),
        (&["out/x.xml", "out/*.xml"], &[]),
        (&[&above, &absolute], &[]),
        (&["", ".", "..", "r", "[", "r/[.xml"], &[]),
        (&["./r//TEST-a.xml"], &["r/TEST-a.xml"]),
    ];
    for (paths, want) in rows {
        assert_eq!(place.names(paths), want, "{paths:?}");
    }
}

#[test]
fn junit_reads_what_this_run_wrote() {
    let place = Place::new();
    place.copy("r/vitest.xml", "junit/vitest_red.xml");
    place.copy("r/node.xml", "junit/node_green.xml");
    place.copy("r/pytest.xml", "pytest/skip.xml");
    place.copy("old.xml", "pytest/red.xml");
    place.age("old.xml");
    place.write("cut.xml", "<testsuite><testcase name='a'/>");
    place.write(
        "odd.xml",
        b"<testsuite name='s\xff'><testcase name='a\xfe'/><testcase name='b' classname='c'>\
          <system-out><![CDATA[<failure/>]]></system-out></testcase></testsuite>",
    );
    let rows: [(&[&str], i32, &str); 11] = [
        (&["r/vitest.xml"], 1, "8 2 4 2 Failed 33.3"),
        (&["r/node.xml"], 0, "4 2 0 2 Passed 100"),
        (&["r/*.xml"], 1, "13 4 4 5 Failed 50"),
        (&["r/*.xml"], 0, "13 4 4 5 Failed 50"),
        (&["r/node.xml"], 1, "5 2 1 2 Failed 66.6"),
        (&["r/pytest.xml"], 0, "1 0 0 1 NoTests 0?"),
        (&["old.xml"], 0, "0 0 0 0 Unparsed 0?"),
        (&["old.xml"], 1, "1 0 1 0 Failed 0?"),
        (&["r/node.xml", "cut.xml"], 0, "4 2 0 2 Unparsed 100?"),
        (&["odd.xml"], 0, "2 2 0 0 Passed 100"),
        (&[], 0, "0 0 0 0 Unparsed 0?"),
    ];
    for (paths, code, want) in rows {
        let mut output = bytes(b"BUILD SUCCESS\n", b"", Ended::Exited(code));
        output.reports = written(place.0.path(), paths, place.1);
        // Where the settings name reports, a command of unknown kind is read by them.
        for parser in [Parser::Junit, Parser::Auto] {
            assert_eq!(line(&read(parser, &output)), want, "{paths:?} {code} {parser:?}");
        }
        let names = failed(&read(Parser::Junit, &output));
        if paths == ["r/vitest.xml"] {
            let own = ["a.test.js: sum > is wrong", "a.test.js: sum > throws"];
            assert_eq!(names[..2], own);
            assert_eq!(names[2..], ["b.test.js: b.test.js", "c.test.js: c.test.js"]);
        }
    }
    let mut output = bytes(b"", b"", Ended::Exited(0));
    output.reports = written(place.0.path(), &["odd.xml"], place.1);
    let suites: Vec<_> =
        read(Parser::Junit, &output).results.into_iter().map(|r| r.suite).collect();
    assert_eq!(suites, ["s\u{fffd}", "c"]);
}
