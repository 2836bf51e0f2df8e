//! Commits a turn's own paths on the branch that is checked out, as the person would: their
//! identity, their hooks. It refuses what is not ours to commit and leaves everything else of the
//! index as it was. It never pushes.

mod staged;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kernel::paths::{Class, Names};
use kernel::turn::{CheckedOut, Fault};

pub use staged::staged;

use super::form::checked_out;
use super::users_git::UsersGit;
use crate::checkpoints::Git;
use crate::child_env::Extra;
use crate::shim::durable;

/// The last line of every message of ours, by which a lost commit is known again.
const TRAILER: &str = "Loopwright-Call";
/// How long somebody else's lock of the index is waited for.
const LOCK_WAIT: Duration = Duration::from_secs(10);
/// A look at a work tree, however large.
const LOOK_MAX: Duration = Duration::from_secs(60);
/// Between two looks at a lock.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// The message, in the directory of the call.
const MESSAGE: &str = "message";
/// Arguments of one git: far below what a kernel takes.
const PATHS_MAX: usize = 5_000;

/// A commit that is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Commit<'a> {
    /// The program.
    pub git: &'a Git,
    /// The work tree.
    pub root: &'a Path,
    /// The directory of the call, for its files.
    pub call_dir: &'a Path,
    /// The call.
    pub call_id: &'a str,
    /// What was checked out when the turn began.
    pub head: &'a CheckedOut,
    /// The message, without its trailer.
    pub message: &'a str,
    /// The turn's paths, below the root.
    pub paths: &'a [String],
    /// Where it is what a person staged, not what stands in the tree: the hash of that.
    pub staged: Option<&'a str>,
    /// Protected names.
    pub names: &'a Names,
    /// What of our environment passes.
    pub extra: &'a Extra,
    /// When it is given up.
    pub until: Instant,
}

/// What git says to a question about the work tree, of which it changes and runs nothing.
///
/// # Errors
/// Why it says nothing.
pub fn looked(git: &Git, root: &Path, extra: &Extra, words: &[&str]) -> Result<Vec<u8>, Fault> {
    UsersGit { git, root, extra, until: Instant::now() + LOOK_MAX }.look(words)
}

/// Looks whether it could be made now. It changes nothing.
///
/// # Errors
/// Why not.
pub fn may_commit(commit: &Commit<'_>) -> Result<(), Fault> {
    commit.is_ours()?;
    match commit.staged {
        Some(shown) => commit.entries(shown).map(drop),
        None => commit.not_foreign(),
    }
}

/// Whether nobody is at work on the index now.
#[must_use]
pub fn unlocked_now(commit: &Commit<'_>) -> bool {
    commit.lock().is_ok_and(|lock| !lock.exists())
}

/// Takes a commit back: the branch ends where it did before, unless it went on meanwhile. Its files
/// stay as they are, and are unstaged.
///
/// # Errors
/// Why it stays.
pub fn uncommit(commit: &Commit<'_>, made: &str) -> Result<(), Fault> {
    let now = checked_out(commit.root);
    if now.commit == commit.head.commit && now.branch == commit.head.branch {
        return Ok(());
    }
    if now.branch != commit.head.branch {
        return Err(fault("E_CONFLICT", "branch_changed", ""));
    }
    if now.commit.as_deref() != Some(made) {
        return Err(fault("E_CONFLICT", "head_moved", ""));
    }
    commit.unlocked()?;
    match &commit.head.commit {
        Some(before) => commit.git().act(&["update-ref", "HEAD", before, made])?,
        None => commit.git().act(&["update-ref", "-d", "HEAD", made])?,
    };
    let unstage: &[&str] = match &commit.head.commit {
        Some(_) => &["reset", "--quiet", "--"],
        None => &["rm", "--cached", "--quiet", "--ignore-unmatch", "--"],
    };
    commit.git().act(&[unstage, &refs(commit.paths)[..]].concat())
}

/// Makes the commit; its id.
///
/// # Errors
/// Why there is none. Nothing is staged then that was not before.
pub fn git_commit(commit: &Commit<'_>) -> Result<String, Fault> {
    commit.is_ours()?;
    commit.unlocked()?;
    if let Some(shown) = commit.staged {
        let entries = commit.entries(shown)?;
        commit.make_staged(&entries)?;
        return checked_out(commit.root).commit.ok_or_else(|| fault("E_IO", "not_applied", ""));
    }
    commit.not_foreign()?;
    let unknown = commit.listed(&["ls-files", "--others", "--exclude-standard"])?;
    let tracked = commit.listed(&["ls-files"])?;
    // What git ignores is no part of a commit, and what it never knew cannot be taken out of one.
    let known = |path: &&String| unknown.contains(path) || tracked.contains(path);
    let paths: Vec<String> = commit.paths.iter().filter(known).cloned().collect();
    if paths.is_empty() {
        return Err(fault("E_IO", "not_applied", ""));
    }
    if !unknown.is_empty() {
        commit.git().act(&[&["add", "--intent-to-add", "--"], &refs(&unknown)[..]].concat())?;
    }
    let made = commit.make(&paths);
    if made.is_err() && !unknown.is_empty() {
        // What git was only told of for this commit is unknown to it again.
        let _ = commit.git().act(&[&["reset", "--quiet", "--"], &refs(&unknown)[..]].concat());
    }
    made?;
    checked_out(commit.root).commit.ok_or_else(|| fault("E_IO", "not_applied", ""))
}

/// Whether a commit of this call is what is checked out: its id. So a call that was lost in between
/// is settled.
#[must_use]
pub fn committed(commit: &Commit<'_>) -> Option<String> {
    let head = checked_out(commit.root).commit?;
    let text = commit.git().look(&["cat-file", "commit", &head]).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    (text.trim_end().lines().next_back()? == commit.trailer()).then_some(head)
}

fn refs(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

pub(super) fn fault(code: &str, kind: &str, said: &str) -> Fault {
    let message = said.trim().to_owned();
    let error =
        kernel::turn::CheckError { file: None, line: None, column: None, message, context: None };
    Fault {
        signature: format!("{code}:git_commit:{kind}"),
        errors: if error.message.is_empty() { Vec::new() } else { vec![error] },
        ..Fault::new(code, kind)
    }
}

impl Commit<'_> {
    fn trailer(&self) -> String {
        format!("{TRAILER}: {}", self.call_id)
    }

    /// The branch and the commit that the turn began on, and paths that may be committed.
    fn is_ours(&self) -> Result<(), Fault> {
        let now = checked_out(self.root);
        if now.branch != self.head.branch {
            return Err(fault("E_CONFLICT", "branch_changed", ""));
        }
        if now.commit != self.head.commit {
            return Err(fault("E_CONFLICT", "head_moved", ""));
        }
        if self.paths.is_empty() || self.paths.len() > PATHS_MAX {
            return Err(fault("E_INVALID_ARGS", "malformed", "paths"));
        }
        let hidden = |path: &&String| {
            let classes = self.names.classes(path);
            classes.has(Class::Secret) || classes.has(Class::Control)
        };
        match self.paths.iter().find(hidden) {
            Some(path) => Err(fault("E_POLICY_DENIED", "protected", path)),
            None => Ok(()),
        }
    }

    fn lock(&self) -> Result<PathBuf, Fault> {
        let said = self.git().look(&["rev-parse", "--git-path", "index.lock"])?;
        Ok(self.root.join(String::from_utf8_lossy(&said).trim_end()))
    }

    /// Somebody else may be at work on the index; their lock is never removed.
    fn unlocked(&self) -> Result<(), Fault> {
        let lock = self.lock()?;
        let end = (Instant::now() + LOCK_WAIT).min(self.until);
        while lock.exists() {
            if Instant::now() >= end {
                return Err(fault("E_CONFLICT", "locked_by", "index.lock"));
            }
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    /// One of our paths that is staged otherwise than it stands in the tree was staged by somebody
    /// else, for a commit of theirs.
    fn not_foreign(&self) -> Result<(), Fault> {
        let staged = self.listed(&["diff", "--cached", "--name-only"])?;
        let loose = self.listed(&["diff", "--name-only"])?;
        match staged.iter().find(|path| loose.contains(path)) {
            Some(path) => Err(fault("E_CONFLICT", "changed_since_read", path)),
            None => Ok(()),
        }
    }

    /// Those of our paths that a command of git lists.
    fn listed(&self, words: &[&str]) -> Result<Vec<String>, Fault> {
        let said = self.git().look(&[words, &["-z", "--"], &refs(self.paths)[..]].concat())?;
        Ok(names(&said))
    }

    fn make(&self, paths: &[String]) -> Result<(), Fault> {
        let file = self.written()?;
        let words = ["commit", "--quiet", "--cleanup=verbatim", "--file", &file, "--only", "--"];
        self.git().act(&[&words[..], &refs(paths)[..]].concat())
    }

    fn git(&self) -> UsersGit<'_> {
        let &Self { git, root, extra, until, .. } = self;
        UsersGit { git, root, extra, until }
    }

    /// The message, in a file of its own.
    fn written(&self) -> Result<String, Fault> {
        let text = format!("{}\n\n{}\n", self.message.trim_end(), self.trailer());
        let written = || -> io::Result<PathBuf> {
            std::fs::create_dir_all(self.call_dir)?;
            durable::replace(self.call_dir, MESSAGE, text.as_bytes())?;
            Ok(self.call_dir.join(MESSAGE))
        };
        let file = written().map_err(|why| fault("E_IO", "permission", &why.to_string()))?;
        Ok(file.to_string_lossy().into_owned())
    }
}

fn names(said: &[u8]) -> Vec<String> {
    let parts = said.split(|byte| *byte == 0).filter(|part| !part.is_empty());
    parts.map(|part| String::from_utf8_lossy(part).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;

    use super::*;

    struct Repo {
        dir: tempfile::TempDir,
        git: Git,
    }

    impl Repo {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let path = std::env::var_os("PATH").unwrap();
            let git = Git::find(None, &path, dir.path()).unwrap();
            let repo = Self { dir, git };
            repo.git(&["init", "-q", "-b", "main"]);
            repo.git(&["config", "user.email", "a@b.c"]);
            repo.git(&["config", "user.name", "A"]);
            repo.write("a", "one\n");
            repo.write("theirs", "one\n");
            repo.git(&["add", "."]);
            repo.git(&["commit", "-qm", "first"]);
            repo
        }

        fn git(&self, args: &[&str]) -> String {
            let mut git = Command::new(self.git.path());
            let out = git.args(args).current_dir(self.dir.path()).output().unwrap();
            assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
            String::from_utf8(out.stdout).unwrap()
        }

        fn write(&self, path: &str, text: &str) {
            std::fs::write(self.dir.path().join(path), text).unwrap();
        }

        fn commit(&self, head: &CheckedOut, paths: &[&str]) -> Result<String, String> {
            self.commit_of(head, paths, None)
        }

        fn shown(&self, paths: &[&str]) -> String {
            staged(&self.git, self.dir.path(), &Extra::default(), paths).unwrap()
        }

        fn commit_of(
            &self,
            head: &CheckedOut,
            paths: &[&str],
            staged: Option<String>,
        ) -> Result<String, String> {
            let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
            let call_dir = self.dir.path().join(".git/loopwright-test");
            let names = Names::default();
            let asked = Commit {
                git: &self.git,
                root: self.dir.path(),
                call_dir: &call_dir,
                call_id: "call-1",
                head,
                message: "feat: it\n\n# kept\n---",
                paths: &paths,
                staged: staged.as_deref(),
                names: &names,
                extra: &Extra::default(),
                until: Instant::now() + Duration::from_secs(60),
            };
            let made = git_commit(&asked).map_err(|fault| format!("{}/{}", fault.code, fault.kind));
            assert_eq!(committed(&asked), made.clone().ok(), "a lost call is told by its trailer");
            made
        }

        fn taken_back(&self, head: &CheckedOut, made: &str, path: &str) -> Result<(), String> {
            let (paths, names) = ([path.to_owned()], Names::default());
            let asked = Commit {
                git: &self.git,
                root: self.dir.path(),
                call_dir: self.dir.path(),
                call_id: "call-1",
                head,
                message: "",
                paths: &paths,
                staged: None,
                names: &names,
                extra: &Extra::default(),
                until: Instant::now() + Duration::from_secs(60),
            };
            uncommit(&asked, made).map_err(|fault| format!("{}/{}", fault.code, fault.kind))
        }
    }

    #[test]
    fn only_the_turns_paths_are_committed() {
        let repo = Repo::new();
        let head = checked_out(repo.dir.path());
        repo.write("a", "two\n");
        repo.write("new", "new\n");
        repo.write("theirs", "staged\n");
        repo.git(&["add", "theirs"]);
        repo.write("theirs", "loose\n");
        repo.write("untracked", "x");
        repo.write(".git/info/exclude", "built\n");
        repo.write("built", "x");
        let made = repo.commit(&head, &["a", "built", "gone", "new"]).unwrap();
        assert_eq!(repo.git(&["rev-parse", "HEAD"]).trim(), made);
        assert_eq!(repo.git(&["show", "--format=", "--name-only", "HEAD"]), "a\nnew\n");
        assert_eq!(
            repo.git(&["log", "-1", "--format=%B"]).trim_end(),
            "feat: it\n\n# kept\n---\n\nLoopwright-Call: call-1"
        );
        assert_eq!(repo.git(&["show", ":theirs"]), "staged\n", "what they staged stays staged");
        assert_eq!(repo.git(&["status", "--porcelain"]), "MM theirs\n?? untracked\n");
    }

    #[test]
    fn what_is_staged_is_committed_as_it_was_shown() {
        let repo = Repo::new();
        let head = checked_out(repo.dir.path());
        repo.write("a", "staged\n");
        repo.write("new, file", "new\n");
        repo.write("theirs", "staged\n");
        repo.git(&["add", "a", "new, file", "theirs"]);
        repo.write("a", "staged\nloose\n");
        let paths = ["a", "new, file"];
        let shown = repo.shown(&paths);
        // Another content under the same names is another commit.
        repo.write("new, file", "newer\n");
        repo.git(&["add", "new, file"]);
        let other = repo.commit_of(&head, &paths, Some(shown));
        assert_eq!(other, Err("E_CONFLICT/changed_since_read".into()));
        let shown = repo.shown(&paths);
        let made = repo.commit_of(&head, &paths, Some(shown)).unwrap();
        assert_eq!(repo.git(&["rev-parse", "HEAD"]).trim(), made);
        assert_eq!(repo.git(&["show", "--format=", "--name-only", "HEAD"]), "a\nnew, file\n");
        assert_eq!(repo.git(&["show", "HEAD:a"]), "staged\n");
        assert_eq!(repo.git(&["status", "--porcelain"]), " M a\nM  theirs\n", "the rest stays");
        let head = checked_out(repo.dir.path());
        std::fs::remove_file(repo.dir.path().join("theirs")).unwrap();
        repo.git(&["add", "-A"]);
        let shown = repo.shown(&["theirs"]);
        repo.commit_of(&head, &["theirs"], Some(shown)).unwrap();
        assert_eq!(repo.git(&["show", "--format=", "--name-status", "HEAD"]), "D\ttheirs\n");
        repo.git(&["checkout", "-q", "--orphan", "empty"]);
        let none = checked_out(repo.dir.path());
        let shown = repo.shown(&["a"]);
        repo.commit_of(&none, &["a"], Some(shown)).unwrap();
        assert_eq!(repo.git(&["show", "--format=", "--name-only", "HEAD"]), "a\n");
    }

    #[test]
    fn a_commit_is_taken_back_while_the_branch_ends_with_it() {
        let repo = Repo::new();
        let head = checked_out(repo.dir.path());
        repo.write("a", "two\n");
        let made = repo.commit(&head, &["a"]).unwrap();
        repo.write("theirs", "two\n");
        repo.git(&["add", "theirs"]);
        assert_eq!(repo.taken_back(&head, &made, "a"), Ok(()));
        assert_eq!(checked_out(repo.dir.path()), head);
        assert_eq!(repo.git(&["status", "--porcelain"]), " M a\nM  theirs\n");
        assert_eq!(repo.taken_back(&head, &made, "a"), Ok(()), "again it changes nothing");
        let made = repo.commit(&head, &["a"]).unwrap();
        repo.git(&["commit", "-qm", "theirs"]);
        let moved = Err("E_CONFLICT/head_moved".to_owned());
        assert_eq!(repo.taken_back(&head, &made, "a"), moved);
        repo.git(&["checkout", "-q", "--orphan", "empty"]);
        let none = checked_out(repo.dir.path());
        let made = repo.commit(&none, &["a"]).unwrap();
        assert_eq!(repo.taken_back(&none, &made, "a"), Ok(()));
        assert_eq!(checked_out(repo.dir.path()), none);
    }

    #[test]
    fn deletions_and_first_commits_are_committed() {
        let repo = Repo::new();
        let head = checked_out(repo.dir.path());
        std::fs::remove_file(repo.dir.path().join("a")).unwrap();
        repo.commit(&head, &["a"]).unwrap();
        assert_eq!(repo.git(&["show", "--format=", "--name-status", "HEAD"]), "D\ta\n");
        repo.git(&["checkout", "-q", "--orphan", "empty"]);
        repo.git(&["rm", "-rqf", "."]);
        let head = checked_out(repo.dir.path());
        assert_eq!(head.commit, None);
        repo.write("b", "b");
        repo.commit(&head, &["b"]).unwrap();
    }

    #[test]
    fn what_is_not_ours_is_refused_and_left_alone() {
        let repo = Repo::new();
        let head = checked_out(repo.dir.path());
        repo.write("a", "staged by someone\n");
        repo.git(&["add", "a"]);
        repo.write("a", "ours\n");
        let before = repo.git(&["status", "--porcelain"]);
        assert_eq!(repo.commit(&head, &["a"]), Err("E_CONFLICT/changed_since_read".into()));
        assert_eq!(repo.git(&["status", "--porcelain"]), before);
        assert_eq!(repo.commit(&head, &[".env"]), Err("E_POLICY_DENIED/protected".into()));
        repo.git(&["checkout", "-q", "-b", "other"]);
        assert_eq!(repo.commit(&head, &["a"]), Err("E_CONFLICT/branch_changed".into()));
        repo.git(&["checkout", "-q", "main"]);
        repo.git(&["commit", "-qam", "theirs"]);
        repo.write("a", "again\n");
        assert_eq!(repo.commit(&head, &["a"]), Err("E_CONFLICT/head_moved".into()));
    }

    #[test]
    fn a_hook_that_says_no_leaves_the_index_as_it_was() {
        let repo = Repo::new();
        let head = checked_out(repo.dir.path());
        let hook = repo.dir.path().join(".git/hooks/pre-commit");
        std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
        std::fs::write(&hook, "#!/bin/sh\necho no >&2\nexit 1\n").unwrap();
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
        repo.write("new", "new\n");
        assert_eq!(repo.commit(&head, &["new"]), Err("E_IO/not_applied".into()));
        assert_eq!(repo.git(&["status", "--porcelain"]), "?? new\n");
    }

    fn program(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_look_changes_nothing_and_runs_nothing_that_the_repository_names() {
        let repo = Repo::new();
        let beside = tempfile::tempdir().unwrap();
        let (evil, ran) = (beside.path().join("evil"), beside.path().join("ran"));
        let says = format!("echo \"$0\" >> {}; exit 1", ran.display());
        program(&evil, &says);
        let object = repo.git(&["rev-parse", "HEAD:theirs"]);
        for hook in ["post-index-change", "reference-transaction"] {
            program(&repo.dir.path().join(".git/hooks").join(hook), &says);
        }
        let named = |what: &str| format!("{what} = {}\n", evil.display());
        let config = repo.dir.path().join(".git/config");
        let old = std::fs::read_to_string(&config).unwrap();
        let lines = [
            "[core]\nworktree = /\n".to_owned() + &named("fsmonitor"),
            "[filter \"evil\"]\nrequired = true\n".to_owned() + &named("clean"),
            "[diff \"evil\"]\n".to_owned() + &named("textconv"),
            "[diff]\n".to_owned() + &named("external"),
            "[extensions]\npartialClone = o\n".to_owned(),
            "[remote \"o\"]\nurl = .\npromisor = true\n".to_owned() + &named("uploadpack"),
        ];
        std::fs::write(&config, old + &lines.concat()).unwrap();
        repo.write(".gitattributes", "* filter=evil diff=evil\n");
        // The stamp is new and the bytes are not: git would write the index anew.
        repo.write("a", "one\n");
        let (dir, file) = object.trim().split_at(2);
        std::fs::remove_file(repo.dir.path().join(".git/objects").join(dir).join(file)).unwrap();
        let index = repo.dir.path().join(".git/index");
        let before = std::fs::read(&index).unwrap();
        let look = |words: &[&str]| {
            let said = looked(&repo.git, repo.dir.path(), &Extra::default(), words);
            said.map(|said| String::from_utf8(said).unwrap()).map_err(|fault| fault.kind)
        };
        let status = ["status", "--porcelain=v1", "--untracked-files=all", "--no-renames"];
        assert_eq!(look(&status).unwrap(), "?? .gitattributes\n");
        assert_eq!(look(&["diff", "HEAD", "--numstat"]).unwrap(), "");
        assert_eq!(look(&["show", "HEAD:./theirs"]), Err("not_found".to_owned()));
        assert_eq!(std::fs::read(&index).unwrap(), before, "the index is as it was");
        assert!(!ran.exists(), "{}", std::fs::read_to_string(&ran).unwrap());
    }
}
