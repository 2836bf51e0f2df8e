//! The start gate looks at the installed programs, and a launch gives no flag that they do not
//! know.

use crate::kit::House;
use crate::{program, scripted, settle};

const ANSWERS: &str = r#"
[[rule]]
steps = [ { session = "auto" }, { say = "use a queue" }, "end" ]
"#;

/// A gemini that lists these flags, keeps the arguments it is given and answers.
fn gemini(house: &House, help: &str) -> String {
    // Its own state, where it may write even if it only reads.
    std::fs::create_dir_all(house.home.join(".gemini")).unwrap();
    let args = house.home.join(".gemini/args");
    let body = format!(
        "case \"$*\" in\n*--version*) echo 0.61.0 ;;\n*--help*) echo '{help}' ;;\n\
         *) echo \"$*\" > '{}'; cat > /dev/null\n\
         echo '{{\"type\":\"init\",\"session_id\":\"01a1e071-b39d-7503-86fc-e537e9e678d6\"}}'\n\
         echo '{{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"use a stack\"}}'\n\
         echo '{{\"type\":\"result\",\"status\":\"success\",\"stats\":{{}}}}' ;;\nesac",
        args.display()
    );
    program(house, "gemini", &body)
}

fn house(gemini: impl FnOnce(&House) -> String) -> House {
    let house = House::new();
    let alpha = scripted(&house, "alpha", ANSWERS);
    let participant = "[collab.participant.codex]\nagent = \"alpha\"\n";
    let bin = gemini(&house);
    settle(&house, &format!("{alpha}{participant}[agents.gemini]\nbin = \"{bin}\"\n"));
    house
}

const ASK: [&str; 5] = ["collab", "start", "how?", "--headless", "--json"];

#[test]
fn what_cannot_be_started_is_left_out_with_its_hint() {
    type Made = fn(&House) -> String;
    let table: [(Made, &str, &str); 4] = [
        (|house| house.home.join("nowhere").display().to_string(), "E001", "npm install"),
        (|house| gemini(house, "--output-format -m"), "E002", "--approval-mode"),
        (|house| program(house, "gemini", "exit 3"), "E003", "3"),
        // One that the work tree holds is not there.
        (|house| program(house, "../work/gemini", "echo"), "E001", "npm install"),
    ];
    for (made, code, hint) in table {
        let house = house(made);
        let ran = house.run(&ASK);
        let result = &ran.json()["data"];
        assert_eq!((ran.code, &result["status"]), (5, &"DEGRADED".into()), "{ran:?}");
        let error = &result["ext"]["errors"][0];
        assert_eq!((&error["participant"], &error["code"]), (&"gemini".into(), &code.into()));
        assert!(error["detail"].as_str().unwrap().contains(hint), "{error}");
        let ran = house.run(&[&ASK[..], &["--gate", "and"]].concat());
        let result = &ran.json()["data"];
        assert_eq!(result["ext"]["error_code"], code, "{ran:?}");
        assert_eq!((ran.code, &result["ext"]["cause"]), (1, &"start_gate".into()), "{ran:?}");
    }
}

#[test]
fn a_flag_that_the_program_does_not_know_is_not_given() {
    for (help, given) in [
        ("--output-format --approval-mode --skip-trust -m --resume", true),
        ("--output-format --approval-mode -m --resume", false),
    ] {
        let house = house(|house| gemini(house, help));
        let ran = house.run(&ASK);
        let result = &ran.json()["data"];
        assert_eq!((ran.code, &result["status"]), (0, &"SUCCESS".into()), "{ran:?}");
        assert_eq!(result["gemini_output"], "use a stack");
        let args = std::fs::read_to_string(house.home.join(".gemini/args")).unwrap();
        assert_eq!(args.contains("--skip-trust"), given, "{args}");
        assert!(args.contains("--approval-mode default"), "{args}");
    }
}

/// The network is looked at only where that is set, and one host that answers is enough.
#[test]
fn a_network_that_is_not_there_stops_a_run_at_its_gate() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let there = listener.local_addr().unwrap().to_string();
    let (none, one) = (r#"["127.0.0.1:1"]"#.to_owned(), format!(r#"["127.0.0.1:1", "{there}"]"#));
    for (check, probe, code) in [("true", &none, 1), ("false", &none, 0), ("true", &one, 0)] {
        let house = House::new();
        let alpha = scripted(&house, "alpha", ANSWERS);
        let set = format!(
            "[collab]\nparticipants = [\"codex\"]\ncheck_network = {check}\n\
             network_probe = {probe}\n[collab.participant.codex]\nagent = \"alpha\"\n"
        );
        settle(&house, &format!("{alpha}{set}"));
        let ran = house.run(&ASK);
        let ext = &ran.json()["data"]["ext"];
        assert_eq!(ran.code, code, "{ran:?}");
        if code == 1 {
            assert_eq!((&ext["error_code"], &ext["cause"]), (&"E010".into(), &"start_gate".into()));
        }
    }
}
