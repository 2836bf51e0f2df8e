//! A yes that counts for longer than its run: the same document starts again unasked, and whatever
//! is different about it asks.

use super::*;

/// A dangerous check, which is shown with the plan and accepted with it.
const RISKY: &str = "# One file\n- [ ] T-1: Write a (`a.txt`)\n  - Verify: `grep -q one a.txt`\n  \
    - Verify: `rm -rf build`\n";

/// Says yes for the session and waits for the end; nobody is asked about the danger again.
fn granted(house: &House) -> String {
    let id = started(house);
    until_state(house, &id, "CONFIRMING");
    let page = house.run(&["lifecycle", "status", &id]);
    assert!(page.out.contains("Danger (destructive): rm -rf build\n"), "{page:?}");
    let args = ["lifecycle", "confirm", &id, "--scope", "session", "--wait", "--headless"];
    let ran = house.run(&[&args[..], &["--json"]].concat());
    assert_eq!((ran.code, ran.json()["result"].as_str()), (0, Some("completed")), "{ran:?}");
    let live = house.data(&["grant", "list"]);
    let grant = live[0]["grant_id"].as_str().unwrap_or_else(|| panic!("no grant: {live}"));
    assert!(ran.err.contains(&format!("--prd prd.md --grant {grant}")), "how it is used: {ran:?}");
    grant.to_owned()
}

fn with_grant(house: &House, grant: &str) -> String {
    let data = house.data(&["lifecycle", "start", "--prd", "prd.md", "--grant", grant]);
    data["run_id"].as_str().unwrap_or_else(|| panic!("no run: {data}")).to_owned()
}

#[test]
fn a_grant_starts_the_same_document_unasked_and_nothing_else() {
    let house = house(BOTH, RISKY);
    let grant = granted(&house);
    // The same danger: done without a question.
    std::fs::remove_file(house.work.join("a.txt")).unwrap();
    let args = ["lifecycle", "start", "--prd", "prd.md", "--grant", &grant, "--wait", "--headless"];
    let ran = house.run(&[&args[..], &["--json"]].concat());
    assert_eq!((ran.code, ran.json()["result"].as_str()), (0, Some("completed")), "{ran:?}");
    let id = ran.json()["data"]["run_id"].as_str().unwrap().to_owned();
    let approved = status(&house, &id)["plan"]["approved"].clone();
    assert_eq!((&approved["by"], &approved["question"]), (&"person".into(), &grant.clone().into()));
    assert_eq!(house.data(&["grant", "list"])[0]["uses"], 1);
    // A new danger beside it is named; one word more is another command.
    let table = [
        ("`rm -rf build`\n  - Verify: `rm -rf cache`", "rm -rf cache (new)", "rm -rf build\n"),
        ("`rm -rf build cache`", "rm -rf build cache (new)", "Danger"),
    ];
    for (verify, new, known) in table {
        house.write("prd.md", &RISKY.replace("`rm -rf build`", verify));
        let id = with_grant(&house, &grant);
        until_state(&house, &id, "CONFIRMING");
        let page = house.run(&["lifecycle", "status", &id]).out;
        assert!(page.contains(&format!("Danger (destructive): {new}")), "{new}: {page}");
        assert!(page.contains(known), "{known}: {page}");
        assert_eq!(page.matches("(new)").count(), 1, "{page}");
        assert_eq!(house.run(&["lifecycle", "cancel", &id]).code, 0);
        until_state(&house, &id, "IDLE");
    }
}

#[test]
fn a_grant_that_is_none_is_told_and_one_that_was_taken_back_starts_nothing() {
    let house = house(BOTH, RISKY);
    let start = |grant: &str| {
        let args = ["lifecycle", "start", "--prd", "prd.md", "--grant", grant];
        refused(&house, &args)
    };
    let (code, exit, _) = start("gr-nothing");
    assert_eq!((code.as_str(), exit), ("policy.no_such", 2));
    let grant = granted(&house);
    assert_eq!(house.run(&["grant", "revoke", &grant]).code, 0);
    let (code, exit, error) = start(&grant);
    assert_eq!((code.as_str(), exit), ("lifecycle.invalid_args", 2), "{error}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(&grant) && message.contains("revoked"), "{message}");
    assert_eq!(house.data(&["lifecycle", "list"]).as_array().map(Vec::len), Some(1));
}

#[test]
fn a_yes_to_the_plan_alone_gives_no_grant() {
    let house = house(BOTH, RISKY);
    let id = started(&house);
    until_state(&house, &id, "CONFIRMING");
    let ran = house.run(&["lifecycle", "confirm", &id, "--wait", "--headless", "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(house.data(&["grant", "list", "--all"]), Value::Array(Vec::new()));
}
