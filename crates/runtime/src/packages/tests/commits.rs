//! What a commit would hold, on real repositories.

use std::process::Command;

use kernel::packages::Tongue;
use kernel::packages::commit::Change;
use kernel::paths::Names;

use super::yard::Yard;
use crate::checkpoints::Git;
use crate::child_env::Extra;
use crate::packages::{CommitGround, CommitPlan, CommitSet, CommitWish, commit_plan};
use crate::redact::{Redactor, Secrets};

fn git(yard: &Yard, args: &[&str]) {
    let who = ["-c", "user.name=A", "-c", "user.email=a@b.c"];
    let out = Command::new("git").args(who).args(args).current_dir(yard.path()).output().unwrap();
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
}

fn planned(yard: &Yard, wish: &CommitWish<'_>) -> Result<Option<CommitPlan>, String> {
    let search = std::env::var_os("PATH").unwrap();
    let found = Git::find(None, &search, yard.path()).unwrap();
    let redactor = Redactor::new(&Secrets::default()).unwrap();
    let extra = Extra { pass: Vec::new(), proxy: false };
    let names = Names::default();
    let ground = CommitGround {
        git: &found,
        root: yard.path(),
        extra: &extra,
        names: &names,
        redactor: &redactor,
    };
    commit_plan(&ground, wish).map_err(|why| why.misfit().code.to_string())
}

const WISH: CommitWish<'static> = CommitWish {
    set: CommitSet::Auto,
    message: None,
    lang: Tongue::Zh,
    bilingual: true,
    without: &[],
};

fn repository() -> Yard {
    let yard = Yard::new(&[("src/a.rs", "a\n"), ("src/b.rs", "b\n"), (".gitignore", "*.log\n")]);
    git(&yard, &["init", "-q", "-b", "main"]);
    git(&yard, &["add", "."]);
    git(&yard, &["commit", "-qm", "first"]);
    yard
}

#[test]
fn the_set_is_what_is_staged_else_all_that_changed() {
    let yard = repository();
    assert_eq!(planned(&yard, &WISH).unwrap(), None, "nothing to commit");
    yard.write("src/a.rs", "changed\n");
    yard.write("src/c.rs", "new\n");
    yard.write("x.log", "ignored\n");
    yard.write(".loop/journal", "ours\n");
    std::fs::remove_file(yard.path().join("src/b.rs")).unwrap();
    let all = planned(&yard, &WISH).unwrap().unwrap();
    let told: Vec<(&str, Change)> =
        all.files.iter().map(|file| (file.path.as_str(), file.change)).collect();
    assert_eq!(
        told,
        [
            ("src/a.rs", Change::Modified),
            ("src/b.rs", Change::Deleted),
            ("src/c.rs", Change::Added)
        ]
    );
    assert_eq!((all.added, all.modified, all.deleted), (1, 1, 1));
    assert_eq!(all.message, "✨ feat: 更新 3 个文件\n\n---\n\n✨ feat: update 3 files");
    assert_eq!(all.staged, None, "what stands in the tree");
    git(&yard, &["add", "src/a.rs"]);
    let staged = planned(&yard, &WISH).unwrap().unwrap();
    assert_eq!(staged.files.len(), 1);
    let shown = staged.args()["staged"].clone();
    yard.write("src/a.rs", "changed again\n");
    let loose = planned(&yard, &WISH).unwrap().unwrap();
    assert_eq!(loose.args()["staged"], shown, "the tree is not what is committed");
    git(&yard, &["add", "src/a.rs"]);
    assert_ne!(planned(&yard, &WISH).unwrap().unwrap().args()["staged"], shown);
    let wish = CommitWish { set: CommitSet::All, lang: Tongue::En, ..WISH };
    let every = planned(&yard, &wish).unwrap().unwrap();
    assert_eq!((every.files.len(), every.message.as_str()), (3, "✨ feat: update 3 files"));
}

#[test]
fn what_must_not_be_committed_stops_it() {
    let none = Yard::new(&[]);
    assert_eq!(planned(&none, &WISH).unwrap_err(), "session.not_a_repository");
    let yard = repository();
    let secret = "key = \"ghp_abcdefghijklmnopqrstuvwxyz0123456789\"\n";
    yard.write("notes.txt", secret);
    yard.write(".env", "A=1\n");
    yard.write("src/c.rs", "new\n");
    assert_eq!(planned(&yard, &WISH).unwrap_err(), "session.secret_found");
    let without = [String::from("notes.txt"), String::from(".env")];
    let wish = CommitWish { without: &without, ..WISH };
    assert_eq!(planned(&yard, &wish).unwrap().unwrap().files.len(), 1);
    // What was staged is looked through, whatever stands in the tree by now.
    git(&yard, &["add", "notes.txt"]);
    yard.write("notes.txt", "nothing\n");
    assert_eq!(planned(&yard, &WISH).unwrap_err(), "session.secret_found");
    git(&yard, &["add", "notes.txt"]);
    yard.write("notes.txt", secret);
    assert_eq!(planned(&yard, &WISH).unwrap().unwrap().files.len(), 1);
    std::fs::write(yard.path().join(".git/MERGE_HEAD"), "0\n").unwrap();
    assert_eq!(planned(&yard, &wish).unwrap_err(), "session.git_busy");
}

#[test]
fn only_blanks_are_a_matter_of_style() {
    let yard = repository();
    yard.write("src/a.rs", "  a  \n\n");
    let wish = CommitWish { lang: Tongue::En, ..WISH };
    assert_eq!(planned(&yard, &wish).unwrap().unwrap().message, "🌈 style: update src/a.rs");
}
