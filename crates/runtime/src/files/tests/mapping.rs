//! The map, the schemas, and that no canary of a secret shows anywhere.

use serde_json::json;

use super::super::{Tool, map};
use super::ground::GroundIn;

#[test]
fn the_nearest_files_come_first_with_their_names() {
    let ground = GroundIn::with(&[
        ("main.py", "def run():\n"),
        ("src/deep/er/x.rs", "fn x() {}\n"),
        ("src/lib.rs", "pub struct Lib;\nfn f() {}\n"),
        ("README.md", "words"),
        (".env", "fn secret() {}"),
        ("node_modules/x.js", "function no() {}"),
        (".git/config", ""),
    ]);
    let map = map::map(&ground.desk()).unwrap();
    let shown: Vec<(String, f64)> =
        map.files.iter().map(|file| (file.line(), file.weight)).collect();
    let expected = [
        ("README.md", 10.0),
        ("main.py: run", 10.0),
        ("src/lib.rs: Lib, f", 5.0),
        ("src/deep/er/x.rs: x", 2.5),
    ];
    let expected = expected.map(|(line, weight)| (line.to_owned(), weight));
    assert_eq!(shown, expected);
    assert_eq!((map.files_total, map.truncated), (4, false));
    assert_eq!(serde_json::to_value(&map).unwrap()["names_by"], "line_patterns");
}

#[test]
fn the_map_is_bounded() {
    let ground = GroundIn::new();
    let many: String = (0..20).map(|n| format!("def f{n}():\n")).collect();
    for file in 0..80 {
        ground.write(&format!("f{file:02}.py"), many.as_bytes());
    }
    let map = map::map(&ground.desk()).unwrap();
    assert_eq!((map.files.len(), map.files_total, map.truncated), (50, 80, true));
    assert!(map.files.iter().all(|file| file.names.len() == 8));
    let long = "x".repeat(79);
    let wide: String = (0..8).map(|n| format!("def {n}{long}():\n")).collect();
    for file in 0..80 {
        ground.write(&format!("f{file:02}.py"), wide.as_bytes());
    }
    let map = map::map(&ground.desk()).unwrap();
    let bytes: usize = map.files.iter().map(|file| file.line().len() + 1).sum();
    assert!(bytes <= 16 * 1024 && map.files.len() < 50, "{bytes} {}", map.files.len());
}

#[test]
fn invariant_no_secret_is_shown() {
    let ground = GroundIn::new();
    let places = [
        ".env",
        ".ENV",
        ".env.local",
        "a/.env.",
        "x.pem",
        "x.KEY",
        "id_rsa",
        "deep/id_ed25519.pub",
        ".npmrc",
        ".ssh/config",
        ".aws/credentials",
        ".kube/config",
        ".git/config",
        ".loop/x",
    ];
    for place in places {
        ground.write(place, b"fn canary_secret() {}\n");
    }
    ground.link(".env", "plain.txt");
    let shown = [
        format!("{:?}", ground.search(&json!({ "query": "canary", "case": "insensitive" }))),
        format!("{:?}", ground.search(&json!({ "glob": "*" }))),
        format!("{:?}", map::map(&ground.desk())),
        format!("{:?}", ground.read(&json!({ "path": "plain.txt" }))),
    ];
    for shown in shown {
        assert!(!shown.contains("canary_secret"), "{shown}");
    }
}

#[test]
fn every_tool_has_its_name_aliases_and_schema() {
    let table = [
        ("read", Tool::Read),
        ("read_file", Tool::Read),
        ("list_dir", Tool::List),
        ("grep", Tool::Search),
        ("glob_file_search", Tool::Search),
        ("codebase_search", Tool::SearchSemantic),
    ];
    for (name, tool) in table {
        assert_eq!(Tool::named(name), Some(tool), "{name}");
    }
    assert_eq!(Tool::named("write"), None);
    for tool in Tool::ALL {
        let schema = tool.schema();
        assert_eq!(schema["additionalProperties"], json!(false));
        assert!(schema["properties"].as_object().unwrap().contains_key("path"));
    }
    let schema = Tool::List.schema();
    assert_eq!(
        schema["properties"]["depth"],
        json!({ "type": "integer", "minimum": 1, "maximum": 8, "default": 1 })
    );
    assert_eq!(Tool::Read.schema()["required"], json!(["path"]));
}
