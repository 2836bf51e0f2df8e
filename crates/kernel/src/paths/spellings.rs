//! The ways protected names have been, or could be, spelled past a check, and names that only
//! look alike. A table; the rules are in `names.rs`.

use super::names::{Class, Names, Place};
use Class::{AgentSettings, Control, Secret, Sensitive};

/// Fewer would leave out a way that is known.
const SPELLINGS_MIN: usize = 200;

const PROTECTED: &[(Class, &[&str])] = &[
    (
        Control,
        &[
            ".git",
            ".GIT",
            ".Git",
            ".gIT",
            ".giT",
            ".git.",
            ".git..",
            ".git...",
            ".git ",
            ".git  ",
            ".git. .",
            ".git .",
            ".GIT. ",
            ".git:",
            ".git::$INDEX_ALLOCATION",
            ".git:$I30:$INDEX_ALLOCATION",
            ".GIT::$index_allocation",
            ".git. ::$INDEX_ALLOCATION",
            ".git::$DATA",
            ".g\u{200c}it",
            ".g\u{200d}it",
            ".gi\u{200e}t",
            ".git\u{200f}",
            "\u{feff}.git",
            ".\u{feff}git",
            ".git\u{feff}",
            ".g\u{202a}it",
            ".g\u{202b}it",
            ".g\u{202c}it",
            ".g\u{202d}it",
            ".g\u{202e}it",
            ".gi\u{206a}t",
            ".gi\u{206b}t",
            ".gi\u{206c}t",
            ".gi\u{206d}t",
            ".gi\u{206e}t",
            ".gi\u{206f}t",
            ".g\u{ad}it",
            ".g\u{34f}it",
            ".g\u{61c}it",
            ".g\u{115f}it",
            ".g\u{1160}it",
            ".g\u{17b4}it",
            ".g\u{180b}it",
            ".g\u{180e}it",
            ".g\u{180f}it",
            ".g\u{200b}it",
            ".g\u{2060}it",
            ".g\u{2064}it",
            ".g\u{2065}it",
            ".g\u{3164}it",
            ".g\u{fe00}it",
            ".g\u{fe0f}it",
            ".g\u{ffa0}it",
            ".g\u{fff0}it",
            ".g\u{1bca0}it",
            ".g\u{1d173}it",
            ".g\u{e0001}it",
            ".g\u{e0020}it",
            ".g\u{e01ef}it",
            ".g\u{131}t",
            ".\u{200b}G\u{200c}I\u{200d}T\u{feff}. ",
            "git~1",
            "GIT~1",
            "Git~2",
            "git~9",
            "git~10",
            "git~1.",
            "git~1 ",
            "git~1::$INDEX_ALLOCATION",
            "g\u{200c}it~1",
            "gi7eba~1",
            "GI7D29~1",
            ".git/config",
            ".git/hooks/pre-commit",
            "a/.git",
            "a/b/.GIT/index",
            "deps/x/.g\u{200c}it/config",
            "sub/git~1/config",
            ".hg",
            ".HG",
            ".hg/hgrc",
            "x/.hg.",
            "hg~1",
            ".svn",
            ".SVN/entries",
            ".\u{17f}vn",
            "svn~1",
            ".jj",
            ".JJ",
            ".jj/repo",
            "jj~1",
            ".loop",
            ".LOOP",
            ".Loop.",
            ".loop ",
            ".lo\u{200b}op",
            ".loop::$INDEX_ALLOCATION",
            ".loop/journal.db",
            "loop~1",
            "LOOP~1/owner.json",
            ".gitmodules",
            ".GITMODULES",
            ".GitModules",
            ".gitmodules.",
            ".gitmodules ",
            ".gitmodules:x",
            ".git\u{200c}modules",
            "gitmod~1",
            "GITMOD~4",
            "gitmo~10",
            "gi7eba~9",
            "sub/.gitmodules",
        ],
    ),
    (
        AgentSettings,
        &[
            ".claude",
            ".CLAUDE/settings.json",
            ".clau\u{200b}de",
            "claude~1",
            "a/.claude/hooks",
            ".codex",
            ".Codex/config.toml",
            "codex~1",
            ".gemini",
            ".GEMINI",
            ".gemini.",
            "gemini~1",
            ".qwen",
            ".QWEN",
            "qwen~1",
            ".cursor",
            ".cursor/rules",
            "cursor~1",
            ".vscode",
            ".vscode/tasks.json",
            ".v\u{17f}code",
            "vscode~1",
            ".idea",
            ".IDEA/workspace.xml",
            "idea~1",
            ".mcp.json",
            ".MCP.JSON",
            ".mcp.json.",
            ".mcp.json:x",
            "mcp~1.jso",
            "mcp~1",
            ".envrc",
            ".ENVRC",
            ".envrc ",
            "envrc~1",
            "loopwright.toml",
            "LOOPWRIGHT.TOML",
            "Loopwright.toml.",
            "loopwright.toml::$DATA",
            "loop\u{2060}wright.toml",
            "loopwr~1.tom",
            "loopw~10.tom",
        ],
    ),
    (
        Secret,
        &[
            ".env",
            ".ENV",
            ".Env.",
            ".env ",
            ".env:x",
            ".e\u{200b}nv",
            "env~1",
            "a/b/.env",
            ".env.local",
            ".env.production",
            ".ENV.LOCAL",
            ".env.example.local",
            ".env.examples",
            ".env.local::$DATA",
            "env~1.loc",
            "server.pem",
            "SERVER.PEM",
            "server.pem.",
            "server.pem ",
            "server.pem:x",
            "ser\u{200c}ver.p\u{200c}em",
            ".pem",
            "server~1.pem",
            "certs/a.key",
            "A.KEY",
            "a.\u{212a}ey",
            "b.p12",
            "B.P12",
            "id_rsa",
            "ID_RSA",
            "id_rsa.pub",
            "id_rsa_work",
            "id_r\u{17f}a",
            "id_rsa~1",
            "id_ed25519",
            "ID_ED25519.pub",
            "id_ed25519_sk",
            "id_ed2~1",
            "id_ed2~1.pub",
            ".npmrc",
            ".NPMRC",
            "npmrc~1",
            ".netrc",
            ".NetRC.",
            "netrc~1",
            ".pypirc",
            ".PYPIRC",
            "pypirc~1",
            ".ssh",
            ".SSH/config",
            ".\u{17f}\u{17f}h",
            ".\u{df}h",
            ".\u{1e9e}h",
            "ssh~1",
            ".aws",
            ".AWS/credentials",
            "aws~1",
            ".gnupg",
            ".GnuPG",
            "gnupg~1",
            ".kube",
            ".\u{212a}ube/config",
            "kube~1",
        ],
    ),
    (
        Sensitive,
        &[
            ".github/workflows",
            ".github/workflows/ci.yml",
            ".GitHub/Workflows/ci.yml",
            ".github./workflows./x",
            "sub/.github/workflows/x",
            "github~1/workfl~1/x",
            ".git\u{200b}hub/work\u{200b}flows",
            "infra",
            "INFRA/main.tf",
            "a/infra/b",
            "infra.",
            "in\u{200b}fra",
            "auth",
            "Auth/login.rs",
            "src/auth/mod.rs",
            "auth:x",
            "payments",
            "PAYMENTS",
            "src/payment\u{17f}/x",
        ],
    ),
];

const PLAIN: &[&str] = &[
    "git",
    ".gitignore",
    ".gitattributes",
    ".gitkeep",
    "x.git",
    "my.git.txt",
    ".git2",
    "git~",
    "git~x",
    "git~1x",
    "mygit~1",
    "\u{ff0e}git",
    "loop",
    "a/.loop",
    "a/.loop/x",
    "a/loopwright.toml",
    "loopwright.toml.md",
    ".environment",
    "env",
    ".env.example",
    ".ENV.EXAMPLE",
    "a/.env.example",
    "environment.ts",
    "pem",
    "server.pem.md",
    "keyboard.rs",
    "key",
    "my_id_rsa",
    "ssh",
    "aws.rs",
    ".github",
    ".github/dependabot.yml",
    "workflows/x",
    ".github/x/workflows",
    "infrastructure",
    "auth.rs",
    "oauth",
    "author",
    "payments.md",
    "mcp.json",
    "claude",
    "README.md",
    "src/main.rs",
    "日本/ファイル",
];

#[test]
fn every_spelling_of_a_protected_name_is_found() {
    let names = Names::default();
    let mut count = 0;
    for (class, spellings) in PROTECTED {
        for spelling in *spellings {
            count += 1;
            let classes = names.classes(spelling);
            assert!(classes.has(*class), "{spelling:?} is {class:?}, found {classes:?}");
        }
    }
    assert!(count >= SPELLINGS_MIN, "{count}");
}

#[test]
fn names_that_only_look_alike_are_plain() {
    let names = Names::default();
    for path in PLAIN {
        let classes = names.classes(path);
        assert!(classes.is_empty(), "{path:?} found {classes:?}");
    }
}

#[test]
fn a_single_name_is_judged_as_its_path_is() {
    let names = Names::default();
    let single = PROTECTED.iter().flat_map(|(_, spellings)| *spellings).chain(PLAIN);
    for path in single.filter(|path| !path.contains('/')) {
        assert_eq!(names.classes_of_name(path, Place::Root), names.classes(path), "{path:?}");
    }
    assert!(names.classes_of_name(".loop", Place::Below).is_empty());
    assert!(names.classes_of_name(".git", Place::Below).has(Control));
}

#[test]
fn a_path_may_be_of_several_classes() {
    let names = Names::default();
    let classes = names.classes(".claude/.env");
    assert!(classes.has(AgentSettings) && classes.has(Secret) && !classes.has(Control));
    assert_eq!(classes.strongest(), Some(AgentSettings));
    assert_eq!(names.classes(".env.example/.env").strongest(), Some(Secret));
    assert_eq!(names.classes("src/lib.rs").strongest(), None);
}

#[test]
fn the_user_adds_sensitive_names() {
    let names = Names::new(&["billing", "/Deploy/*", "*.tf", ""]);
    let table = [
        ("billing", true),
        ("src/Billing/x.rs", true),
        ("deploy/prod.yml", true),
        ("a/deploy/prod.yml", false),
        ("deploy", false),
        ("net/main.tf", true),
        ("main.tfvars", false),
        ("src/lib.rs", false),
    ];
    for (path, expected) in table {
        assert_eq!(names.classes(path).has(Sensitive), expected, "{path}");
    }
}
