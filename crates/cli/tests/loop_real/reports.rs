//! Checks that leave reports: files the settings name, and those runners are asked for. What the
//! loop says of them is what this run wrote.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;

use crate::kit::House;

const SETTINGS: &str = r#"[loop.validate]
commands = [{ argv = ["sh", "check.sh"], parser = "junit" }, { argv = ["./mocha"] }]
report_paths = ["out/TEST-*.xml"]
coverage.min = 70
coverage.paths = ["out/coverage.xml", "out/old.info"]
"#;
const CHECK: &str = r#"cat > out/TEST-new.xml <<'E'
<testsuite name="sum"><testcase name="adds" time="0.5"/><testcase name="later"><skipped/></testcase>
</testsuite>
E
echo '<coverage lines-valid="4" lines-covered="3"/>' > out/coverage.xml
"#;
/// Writes where it is told to, as the real one does.
const MOCHA: &str = r#"#!/bin/sh
for word in "$@"; do case $word in output=*) out=${word#output=};; esac; done
echo '{"passes":[{"fullTitle":"sum of none"}],"failures":[],"pending":[]}' > "$out"
"#;

fn house() -> House {
    let house = House::new();
    std::fs::create_dir(house.work.join("out")).unwrap();
    house.write(".gitignore", "out/\n");
    house.write("check.sh", CHECK);
    house.write("mocha", MOCHA);
    let may_run = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(house.work.join("mocha"), may_run).unwrap();
    // Both are red, and of a run before.
    house.write(
        "out/TEST-old.xml",
        "<testsuite><testcase name='x'><failure/></testcase></testsuite>",
    );
    house.write("out/old.info", "LF:100\nLH:0\nend_of_record\n");
    let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    for name in ["out/TEST-old.xml", "out/old.info"] {
        let file = std::fs::File::options().write(true).open(house.work.join(name)).unwrap();
        file.set_modified(hour_ago).unwrap();
    }
    house.write("loopwright.toml", SETTINGS);
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    house
}

#[test]
fn reports_and_coverage_of_this_run_validate_a_loop() {
    let house = house();
    let id = house.started(&["true"]);
    house.until_status(&id, "completed");
    let shown = house.show(&id);
    let validate = &shown["skill_state"]["validate"];
    assert_eq!((&validate["passed"], validate["coverage"].as_f64()), (&true.into(), Some(75.0)));
    let ran = &shown["skill_state"]["ext"]["validate"];
    assert_eq!(ran["counts"]["passed"], 2, "{ran}");
    assert_eq!((&ran["counts"]["skipped"], &ran["counts"]["failed"]), (&1.into(), &0.into()));
    let flags = ran["argv"][1].as_array().unwrap();
    assert_eq!(flags[1..4], ["--reporter", "json", "--reporter-option"].map(Value::from));
    // The whole list lies beside each call.
    let calls = std::fs::read_dir(house.work.join(".loop/calls")).unwrap();
    let lists = calls.filter_map(|call| {
        let text = std::fs::read(call.unwrap().path().join("results.json")).ok()?;
        Some(serde_json::from_slice::<Vec<Value>>(&text).unwrap().len())
    });
    let mut lists: Vec<usize> = lists.collect();
    lists.sort_unstable();
    assert_eq!(lists, [1, 2]);
}
