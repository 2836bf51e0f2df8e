//! The page of working memory beside a running engine: an edit is taken in, or kept and told.

use super::*;

const PAGE: &str = ".loop/active_context.md";

fn edit(house: &House, from: &str, to: &str) -> String {
    let text = house.read(PAGE);
    assert!(text.contains(from), "{from} is not in {text}");
    let edited = text.replacen(from, to, 1);
    let temp = house.work.join(".loop/.page.editor");
    std::fs::write(&temp, &edited).unwrap();
    std::fs::rename(&temp, house.work.join(PAGE)).unwrap();
    edited
}

fn kept(house: &House) -> Vec<String> {
    kept_of(house, "active_context.md")
}

fn kept_of(house: &House, page: &str) -> Vec<String> {
    let all = std::fs::read_dir(house.work.join(".loop/refused")).into_iter().flatten().flatten();
    let named = all.filter(|one| one.file_name().to_string_lossy().ends_with(page));
    named.map(|one| std::fs::read_to_string(one.path()).unwrap()).collect()
}

#[test]
fn an_edit_is_taken_in_or_kept_and_told_with_what_is_allowed() {
    let house = house(BOTH, PRD);
    let id = started(&house);
    until_state(&house, &id, "CONFIRMING");
    until("the page is drawn", || house.read(PAGE).contains("task_status: CONFIRMING"));
    let heading = "## 3. Scratchpad (草稿区)\n";
    edit(&house, heading, "## 3. Scratchpad (草稿区)\n- 记住超时\n");
    until("the note is taken in", || {
        let page = house.run(&["lifecycle", "context", &id]);
        page.out.contains("- 记住超时")
    });
    let table = [
        (
            "task_status: CONFIRMING",
            "task_status: EXECUTING",
            "line 3: task_status is changed by a command",
        ),
        ("x_paused: false", "x_paused: {no", "line 8: lists and maps are not read"),
    ];
    for (n, (from, to, expected)) in table.into_iter().enumerate() {
        let edited = edit(&house, from, to);
        until("it is refused and kept", || kept(&house).len() == n + 1);
        assert!(kept(&house).contains(&edited), "just the bytes of the person");
        until("it is drawn again", || house.read(PAGE).contains(from));
        until(expected, || house.run(&["lifecycle", "status", &id]).out.contains(expected));
        let page = house.run(&["lifecycle", "status", &id]);
        assert!(page.out.contains("USER_CONFIRM"), "what is allowed: {page:?}");
        assert!(page.out.contains("refused/"), "where it is kept: {page:?}");
        assert_eq!(status(&house, &id)["task_status"], "CONFIRMING");
    }
    assert!(house.read(PAGE).contains("- 记住超时"), "{}", house.read(PAGE));
    let own = house.read(&format!(".loop/runs/{id}/active_context.md"));
    assert!(own.contains("- 记住超时"), "{own}");
    until("it is known when the last client left", || {
        house.run(&["lifecycle", "context", &id]).out.contains("x_last_session_end: \"20")
    });
}

/// The document that we draw of words is a view: who edits it is led to what changes the plan.
#[test]
fn an_edit_of_a_plan_that_is_drawn_is_kept_and_told() {
    let plan = concat!(
        r#"{"type":"FullPlan","goal":"Say hello","steps":[{"id":"s1","description":"Write it","#,
        r#""runner":"agent","verify":["grep -q hello made.txt"]}],"verification":{"mode":"none","#,
        r#""commands":[],"required":false,"stop_on_fail":false}}"#
    );
    let planner = format!("[[rule]]\nsteps = [ {{ say = '{plan}' }}, \"end\" ]\n");
    let house = house(&planner, PRD);
    let data = house.data(&["lifecycle", "start", "Say hello in a file"]);
    let id = data["run_id"].as_str().unwrap().to_owned();
    until_state(&house, &id, "CONFIRMING");
    let file = format!(".loop/prd/{id}.md");
    until("the plan is drawn", || house.read(&file).contains("s1:"));
    let drawn = house.read(&file);
    house.write(&file, &drawn.replace("s1:", "s2:"));
    until("the edit is kept", || {
        kept_of(&house, &format!("{id}.md")).iter().any(|text| text.contains("s2:"))
    });
    until("it is drawn again", || house.read(&file) == drawn);
    until("it is told", || {
        let page = house.run(&["lifecycle", "status", &id]);
        page.out.contains(&format!("lifecycle amend FILE {id}"))
    });
    assert_eq!(house.run(&["lifecycle", "cancel", &id]).code, 0);
}
