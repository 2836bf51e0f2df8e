//! What holds an agent: its own state and its provider are in reach at any access, the work tree as
//! far as its access goes, and the rest of the home not at all.

use std::net::TcpListener;

use crate::kit::House;
use crate::{program, settle};

/// A gemini that tries things, keeps in its own state which of them worked, and answers.
const BODY: &str = r#"case "$*" in
*--version*) echo 0.61.0 ;;
*--help*) echo '--output-format --approval-mode --skip-trust -m --resume' ;;
*) cat > /dev/null
try() { name=$1; shift
    if "$@" 2>/dev/null >/dev/null; then echo "$name" >> "$HOME/.gemini/open"; fi; }
put() { echo x >> "$1"; }
reach() { bash -c "exec 3<>/dev/tcp/127.0.0.1/PORT"; }
try tree put made
try git_config put .git/config
try journal put .loop/owner.json
try secret cat "$HOME/.ssh/id_ed25519"
try home put "$HOME/made"
try provider reach
try temporary put "$TMPDIR/x"
echo '{"type":"init","session_id":"01a1e071-b39d-7503-86fc-e537e9e678d6"}'
echo '{"type":"message","role":"assistant","content":"done"}'
echo '{"type":"result","status":"success","stats":{}}' ;;
esac"#;

#[test]
fn an_agent_reaches_what_its_access_says() {
    for (access, expected, page) in [
        (
            "read",
            "provider\ntemporary\n",
            ["write its own state and temporary", "只能写自己的状态"],
        ),
        ("edit", "tree\nprovider\ntemporary\n", ["It ran behind walls", "它在沙箱内运行"]),
    ] {
        let house = House::new();
        for room in [".gemini", ".ssh"] {
            std::fs::create_dir_all(house.home.join(room)).unwrap();
        }
        std::fs::write(house.home.join(".ssh/id_ed25519"), "swordfish").unwrap();
        std::fs::create_dir_all(house.work.join(".git")).unwrap();
        house.write(".git/config", "mine\n");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        let bin = program(&house, "gemini", &BODY.replace("PORT", &port));
        settle(&house, &format!("[agents.gemini]\nbin = \"{bin}\"\n"));
        let mut command = house.command(&["agent", "run", "gemini", "try", "--access", access]);
        let ran = command.env("GEMINI_API_KEY", "k-123456789").output().unwrap();
        assert!(ran.status.success(), "{access}: {ran:?}");
        let open = std::fs::read_to_string(house.home.join(".gemini/open")).unwrap();
        assert_eq!(open, expected, "{access}");
        assert_eq!(house.read(".git/config"), "mine\n");
        let call = house.data(&["call", "list"])[0]["run_id"].as_str().unwrap().to_owned();
        let exit = house.data(&["call", "show", &call])["result"]["exit"].clone();
        assert_eq!(exit["sandbox"], "landlock+seccomp", "{exit}");
        let looks = std::fs::read_dir(house.work.join(".loop/cache/marks"));
        let kept = house.work.join(".loop/checkpoints.git").exists();
        let marks = (looks.map_or(0, Iterator::count), kept);
        assert_eq!(marks, if access == "read" { (0, false) } else { (2, true) }, "{access}");
        let undo = house.run(&["undo", &call, "--dry-run", "--json"]).json();
        let paths = &undo["data"]["plan"]["paths"];
        match access {
            "read" => assert_eq!(undo["error"]["code"], "call.cannot_undo", "{undo}"),
            _ => assert_eq!(paths[0]["path"], "made", "{undo}"),
        }
        for (lang, words) in ["en", "zh-CN"].into_iter().zip(page) {
            let shown = house.run(&["call", "show", &call, "--lang", lang]).out;
            assert!(shown.contains(words), "{shown}");
        }
    }
}
