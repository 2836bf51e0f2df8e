//! Agents that are any program, by its template: sessions that are ours cannot be gone on with, so
//! that whatever is asked again is asked as a whole; those that the program names can, if the
//! template says how. And answers longer than a prompt.

use serde_json::json;

use crate::kit::House;
use crate::{program, scripted, settle};

/// Has no idea, until it is shown what it said.
const LEARNS: &str = r#"case "$(cat)" in
*"how many"*"Your earlier answer was:"*"no idea"*) echo '{"n": 3}' ;;
*) echo 'no idea' ;;
esac"#;
/// Says more than fits a prompt.
const TALKS: &str = "cat > /dev/null; head -c 1400000 /dev/zero | tr '\\0' x";
/// A key of the kind that everybody knows by its beginning.
const SLIPS: &str = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
const LISTENS: &str = r#"
[[rule]]
when = "x{1000}"
steps = [ { session = "auto" }, { say = "I heard" }, "end" ]
"#;

/// A house with an agent of this body, which stands for codex, and whatever else is set.
fn house(body: &str, more: impl FnOnce(&House) -> String) -> House {
    let house = House::new();
    let path = program(&house, "mine", body);
    let more = more(&house);
    settle(
        &house,
        &format!(
            "[agents.mine]\nkind = \"command\"\nargv = [{path:?}]\nsession = \"local\"\n\
             [collab.participant.codex]\nagent = \"mine\"\n{more}"
        ),
    );
    house
}

/// One who hears the other.
fn listens(house: &House) -> String {
    let heard = scripted(house, "beta", LISTENS);
    format!("{heard}[collab.participant.gemini]\nagent = \"beta\"\n")
}

/// What one agent lets slip is not handed to the next.
#[test]
fn a_secret_in_an_answer_is_not_told_to_the_next() {
    let body = format!("cat > /dev/null; echo 'the key is {SLIPS}'");
    let house = house(&body, listens);
    let scenario = LISTENS.replace("x{1000}", "the key is");
    std::fs::write(house.home.join("beta.toml"), scenario).unwrap();
    let result = house.data(&["collab", "start", "how?", "--serial", "--headless"]);
    assert_eq!(result["status"], "SUCCESS", "{result}");
    let call = result["ext"]["participants"]["gemini"]["call"].as_str().unwrap();
    let prompt = house.read(&format!(".loop/calls/{call}/prompt"));
    assert!(prompt.contains("the key is «redacted:token»"), "{prompt}");
    assert!(!prompt.contains(SLIPS), "{prompt}");
}

#[test]
fn a_bad_form_is_corrected_with_the_answer_as_it_was() {
    let house = house(LEARNS, |_| String::new());
    house.write("schema.json", r#"{"type":"object","required":["n"]}"#);
    let run = ["agent", "run", "mine", "how many?", "--schema", "schema.json", "--headless"];
    let answer = house.data(&run);
    assert_eq!(answer["value"], json!({ "n": 3 }), "{answer}");
    let start = ["collab", "start", "how many?", "--with", "codex", "--schema", "schema.json"];
    let result = house.data(&[&start[..], &["--headless"]].concat());
    assert_eq!(result["status"], "SUCCESS", "{result}");
    assert_eq!(result["ext"]["participants"]["codex"]["launches"], 2, "{result}");
}

#[test]
fn an_answer_longer_than_a_prompt_is_handed_on_as_far_as_it_fits() {
    let house = house(TALKS, listens);
    let result = house.data(&["collab", "start", "how?", "--serial", "--headless"]);
    assert_eq!(result["status"], "SUCCESS", "{result}");
    assert_eq!(result["gemini_output"], "I heard", "{result}");
}

/// Knows what it was asked, once it is told which conversation it was.
const REMEMBERS: &str = r#"words=$(cat)
case "$1 $words" in
*"Your earlier answer"*) echo '{"id": "talk-12345678", "text": "told twice"}' ;;
"--resume=talk-12345678 "*) echo '{"id": "talk-12345678", "text": "{\"n\": 3}"}' ;;
*) echo '{"id": "talk-12345678", "text": "no idea"}' ;;
esac"#;

#[test]
fn a_program_that_can_go_on_is_not_told_all_again() {
    let house = House::new();
    let path = program(&house, "mine", REMEMBERS);
    settle(
        &house,
        &format!(
            "[agents.mine]\nkind = \"command\"\nargv = [{path:?}]\n\
             argv_resume = [{path:?}, \"--resume={{session}}\"]\noutput = \"json\"\n\
             text = \"/text\"\nsession = \"/id\"\n\
             [collab.participant.codex]\nagent = \"mine\"\n"
        ),
    );
    house.write("schema.json", r#"{"type":"object","required":["n"]}"#);
    let run = ["agent", "run", "mine", "how many?", "--schema", "schema.json", "--headless"];
    assert_eq!(house.data(&run)["value"], json!({ "n": 3 }));
    let start = ["collab", "start", "how many?", "--with", "codex", "--schema", "schema.json"];
    let result = house.data(&[&start[..], &["--headless"]].concat());
    assert_eq!(result["status"], "SUCCESS", "{result}");
    let codex = &result["ext"]["participants"]["codex"];
    let told = (&codex["launches"], &codex["session_kind"], &result["codex_session"]);
    assert_eq!(told, (&2.into(), &"native".into(), &"talk-12345678".into()), "{result}");
}
