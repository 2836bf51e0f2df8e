//! The program that searches by meaning, under its shim: one that answers, every way in which one
//! does not, and what it is kept from.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use kernel::paths::Names;
use runtime::child_env::Extra;
use runtime::config::SandboxMode;
use runtime::files::search::{self, Adapter, Source, WhyFallback};
use runtime::files::{Desk, Root};
use runtime::sandbox::{Network, Walls, Wanted};
use serde_json::json;

use crate::kit::{PATIENCE, exe};

/// A work tree, and a program beside it.
struct Ground {
    _temp: tempfile::TempDir,
    top: PathBuf,
    walls: Arc<Walls>,
}

impl Ground {
    fn new(mode: SandboxMode) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        for room in ["root/.loop", "cache"] {
            std::fs::create_dir_all(top.join(room)).unwrap();
        }
        let files = [
            ("a.rs", "one\nthe retry delay is here\nfour\n"),
            ("b.rs", "delay\n"),
            ("c.rs", "retry\n"),
            ("d.rs", "nothing\n"),
            (".env", "retry delay\n"),
        ];
        for (name, text) in files {
            std::fs::write(top.join("root").join(name), text).unwrap();
        }
        let (read, write) = (Vec::new(), Vec::new());
        let wanted = Wanted { mode, read, write, network: Network::None, memory_bytes: 8 << 30 };
        let cache = top.join("cache");
        let walls = Arc::new(Walls::measure(wanted, exe(), &cache, &cache));
        Self { _temp: temp, top, walls }
    }

    fn adapter(&self, body: &str) -> Adapter {
        let path = self.top.join("adapter");
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        Adapter {
            argv: vec!["sh".to_owned(), path.to_str().unwrap().to_owned()],
            extra: Extra::default(),
            time_max: PATIENCE,
            exe: exe().to_owned(),
            loop_dir: self.top.join("root/.loop"),
            walls: Arc::clone(&self.walls),
        }
    }

    fn ask(&self, adapter: &Adapter) -> search::Payload {
        let root = Root::open(&self.top.join("root")).unwrap();
        let names = Names::default();
        let args = search::Semantic::parse(&json!({ "query": "Retry delay?" })).unwrap();
        let payload = search::search_semantic(&Desk::new(&root, &names), &args, Some(adapter));
        let left = std::fs::read_dir(self.top.join("root/.loop/cache")).unwrap().count();
        assert_eq!(left, 0, "nothing of it is left");
        payload.unwrap()
    }

    fn why(&self, adapter: &Adapter) -> WhyFallback {
        let payload = self.ask(adapter);
        assert!(payload.hits.iter().all(|hit| hit.source == Source::Grep));
        payload.fallback.unwrap().why
    }
}

#[test]
fn an_adapter_names_places_and_we_show_them() {
    let ground = Ground::new(SandboxMode::Require);
    let answer = r#"{"hits":[{"path":"a.rs","line":2,"score":0.9},{"path":"../outside/secret.txt",
        "line":1},{"path":".env","line":1},{"path":"a.rs","line":99},
        {"path":"/etc/passwd","line":1},
        {"path":"d.rs","line":1,"score":7}]}"#;
    let body = format!(
        "read asked\ncase $asked in *'Retry delay?'*) ;; *) exit 1;; esac\n\
         grep -q retry a.rs || exit 1\ncat <<'X'\n{answer}\nX"
    );
    let payload = ground.ask(&ground.adapter(&body));
    let shown: Vec<(&str, &str, f64)> =
        payload.hits.iter().map(|hit| (&*hit.path, &*hit.text, hit.score)).collect();
    assert_eq!(shown, [("a.rs", "the retry delay is here", 0.9), ("d.rs", "nothing", 1.0)]);
    assert!(payload.fallback.is_none());
    assert!(payload.hits.iter().all(|hit| hit.source == Source::Semantic));
    assert_eq!(payload.files, 2);
}

#[test]
fn every_way_to_fail_falls_back_to_words() {
    let ground = Ground::new(SandboxMode::Prefer);
    let table = [
        ("exit 3", WhyFallback::Failed),
        ("kill -9 $$", WhyFallback::Failed),
        ("echo '{\"hits\":[]}'", WhyFallback::Empty),
        ("echo '{\"hits\":[{\"path\":\".env\",\"line\":1}]}'", WhyFallback::Empty),
        ("echo not json", WhyFallback::Unreadable),
        ("sleep 60 & exit 0", WhyFallback::Unreadable),
    ];
    for (body, expected) in table {
        assert_eq!(ground.why(&ground.adapter(body)), expected, "{body}");
    }
    for body in ["sleep 60", "sleep 60 >/dev/null & sleep 60"] {
        let quick = Adapter { time_max: Duration::from_millis(300), ..ground.adapter(body) };
        assert_eq!(ground.why(&quick), WhyFallback::Timeout, "{body}");
    }
}

#[test]
fn an_adapter_writes_nothing_but_its_own_directory() {
    let body = "for place in ../made made .loop/made; do\n\
                echo x > \"$place\" 2>/dev/null && wrote=\"$wrote $place\"; done\n\
                echo x > \"$TMPDIR/x\" || exit 1\n\
                echo \"{\\\"hits\\\":[{\\\"path\\\":\\\"a.rs\\\",\\\"line\\\":2}]}\"\n\
                test -z \"$wrote\"";
    let ground = Ground::new(SandboxMode::Require);
    assert!(ground.ask(&ground.adapter(body)).fallback.is_none(), "it was held");
    let ground = Ground::new(SandboxMode::Off);
    assert_eq!(ground.why(&ground.adapter(body)), WhyFallback::Failed, "the tries are real");
    assert!(ground.top.join("made").exists());
}
