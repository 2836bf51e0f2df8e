//! The tools that change files: their arguments and what stands at their paths become a list of
//! wanted changes and the payload that tells of them. It reads, and writes nothing.

use std::io::Read as _;

use kernel::patch::{
    self, Action, ApplyPatch, Change, Conflict, Delete, Executable, Mode, Patch, Refused,
    WRITE_BYTES_MAX, Why, Write,
};
use kernel::paths::Rel;
use serde::Serialize;
use serde_json::{Value, json};

use super::content::{self, Content, Kind, of_file};
use super::problem::Problem;
use super::revert::parent_of;
use super::wanted::{Goal, Removal, Wanted};
use crate::files::{self, Fault, HardLinks, Root};
use crate::tree::Hash;

/// The hash a run last read of a path, which is its ticket for changing it.
pub type Known<'a> = &'a dyn Fn(&str) -> Option<Hash>;

/// Modes of new files.
pub(super) const FILE_MODE: u32 = 0o644;
pub(super) const PROGRAM_MODE: u32 = 0o755;

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileResult {
    /// The path.
    pub path: String,
    /// What happened to it.
    pub action: Action,
    /// What stood there.
    pub before: Option<Hash>,
    /// What stands there.
    pub after: Option<Hash>,
    /// Hunks applied, or places replaced.
    pub hunks: u32,
    /// Lines by which the hunk that moved furthest missed its stated line.
    pub offset: i64,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
    /// Whether LF became CR LF.
    pub eol_translated: bool,
}

/// What a tool will do, worked out and not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// What shall become of each path.
    pub wanted: Vec<Wanted>,
    /// The same, as it is told.
    pub files: Vec<FileResult>,
    shape: Shape,
}

/// How the payload of a tool looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Files,
    One,
    Gone,
}

impl Work {
    /// The payload of the tool's result.
    pub fn payload(&self) -> Value {
        match (self.shape, self.files.first()) {
            (Shape::Files, _) | (_, None) => json!({ "files": self.files }),
            (Shape::One, Some(file)) => json!(file),
            (Shape::Gone, Some(file)) => json!({ "path": file.path, "before": file.before }),
        }
    }
}

/// Every path a request names, with what it does there; for whoever judges the request.
///
/// # Errors
/// When the arguments, the patch or a path can't be read, or no such tool changes files.
pub fn touched(tool: &str, args: &Value) -> Result<Vec<(Rel, Action)>, Problem> {
    let named: Vec<(String, Action)> = match tool {
        "apply_patch" => match ApplyPatch::read(args)?.patch {
            Patch::Edit(edit) => vec![(edit.path, Action::Modify)],
            Patch::Diff(diff) => of_diff(&diff)?,
        },
        "write" => {
            let write = Write::read(args)?;
            let action = match write.mode {
                Mode::Create => Action::Create,
                Mode::Overwrite => Action::Modify,
            };
            vec![(write.path, action)]
        }
        "delete" => vec![(Delete::read(args)?.path, Action::Delete)],
        _other => {
            let expected = "apply_patch, write or delete";
            return Err(Problem::Args(patch::BadArgs { path: "/name".to_owned(), expected }));
        }
    };
    named.into_iter().map(|(path, action)| Ok((rel(&path)?, action))).collect()
}

fn of_diff(text: &str) -> Result<Vec<(String, Action)>, Problem> {
    let diff = patch::parse(text.as_bytes()).map_err(Refused::Invalid)?;
    let mut named = Vec::new();
    for file in diff.files {
        let action = match file.op {
            patch::Op::Modify => Action::Modify,
            patch::Op::Create => Action::Create,
            patch::Op::Delete => Action::Delete,
            patch::Op::Rename { from } => {
                named.push((from, Action::Delete));
                Action::Create
            }
        };
        named.push((file.path, action));
    }
    Ok(named)
}

/// What the files that a request changes hold now, by path; those that are not there are left out.
///
/// # Errors
/// When the arguments, the patch or a file can't be read.
pub fn read_now(root: &Root, tool: &str, args: &Value) -> Result<Vec<(String, Hash)>, Problem> {
    let mut read = Vec::new();
    for (path, _) in touched(tool, args)? {
        let name = path.as_str().to_owned();
        let loaded = load(root, path, HardLinks::Break)?;
        read.extend(loaded.content().map(|content| (name, content.sha256)));
    }
    Ok(read)
}

fn rel(path: &str) -> Result<Rel, Fault> {
    Rel::file(path).map_err(|why| Fault::Path { path: path.to_owned(), why })
}

/// What `apply_patch` will do.
///
/// # Errors
/// When the patch does not fit; every conflict is listed.
pub fn apply_patch(
    root: &Root,
    args: &ApplyPatch,
    known: Known<'_>,
    links: HardLinks,
) -> Result<Work, Problem> {
    let (diff, names) = match &args.patch {
        Patch::Edit(edit) => (None, vec![edit.path.clone()]),
        Patch::Diff(text) => {
            let diff = patch::parse(text.as_bytes()).map_err(Refused::Invalid)?;
            let names = diff.paths().map(str::to_owned).collect();
            (Some(diff), names)
        }
    };
    if let Some(path) = args.expect.keys().find(|path| !names.contains(path)) {
        let path = format!("/expect/{}", path.replace('~', "~0").replace('/', "~1"));
        return Err(Problem::Args(patch::BadArgs { path, expected: "a file of the patch" }));
    }
    let mut loaded = Vec::new();
    let mut conflicts = Vec::new();
    for name in names {
        let found = load(root, rel(&name)?, links)?;
        let expect = args.expect.get(&name).and_then(|hash| Hash::from_hex(hash));
        conflicts.extend(found.stale(expect.or_else(|| known(&name))));
        loaded.push(found);
    }
    let look =
        |path: &str| loaded.iter().find(|it| it.path.as_str() == path).and_then(Loaded::for_patch);
    let applied = match (&args.patch, &diff) {
        (Patch::Edit(edit), _) => patch::edited(edit, look(&edit.path)).map(|change| vec![change]),
        (Patch::Diff(_), Some(diff)) => patch::apply(diff, look),
        (Patch::Diff(_), None) => Ok(Vec::new()),
    };
    let changes = match applied {
        Ok(changes) if conflicts.is_empty() => changes,
        Ok(_) => return Err(Refused::Conflicts(conflicts).into()),
        Err(Refused::Conflicts(more)) => {
            conflicts.extend(more);
            return Err(Refused::Conflicts(conflicts).into());
        }
        Err(refused @ Refused::Invalid(_)) => return Err(refused.into()),
    };
    work(&changes, &loaded, Shape::Files)
}

/// What `write` will do.
///
/// # Errors
/// When the file must not be there and is, must be and is not, or is not what was read.
pub fn write(
    root: &Root,
    args: &Write,
    known: Known<'_>,
    links: HardLinks,
) -> Result<Work, Problem> {
    let found = load(root, rel(&args.path)?, links)?;
    let conflict = match (args.mode, &found.file) {
        (Mode::Create, None) => None,
        (Mode::Create, Some(_)) => Some(Conflict::of_file(&args.path, Why::Exists)),
        (Mode::Overwrite, None) => Some(Conflict::of_file(&args.path, Why::NotFound)),
        (Mode::Overwrite, Some(_)) => {
            let expect = args.expect.as_deref().and_then(Hash::from_hex);
            found.stale(expect.or_else(|| known(&args.path)))
        }
    };
    if let Some(conflict) = conflict {
        return Err(Refused::Conflicts(vec![conflict]).into());
    }
    let change = patch::written(args, found.for_patch());
    work(&[change], &[found], Shape::One)
}

/// What `delete` will do: to a file, a link, or an empty directory.
///
/// # Errors
/// When it is not there, not what was read, or not empty.
pub fn delete(root: &Root, args: &Delete, known: Known<'_>) -> Result<Work, Problem> {
    let path = rel(&args.path)?;
    let missing = || Refused::Conflicts(vec![Conflict::of_file(&args.path, Why::NotFound)]);
    let parent = parent_of(root, &path)?.ok_or_else(missing)?;
    let facts = parent.facts()?.ok_or_else(missing)?;
    if facts.kind == files::Kind::File {
        facts.replaceable(&args.path, HardLinks::Break)?;
    }
    let present = content::at(&parent, parent.name())?.ok_or_else(missing)?;
    match present.kind {
        Kind::Dir => empty(root, &path)?,
        Kind::File | Kind::Symlink => {
            let expect = args.expect.as_deref().and_then(Hash::from_hex);
            let expect = expect.or_else(|| known(&args.path));
            if let Some(conflict) = stale(&args.path, Some(present), expect) {
                return Err(Refused::Conflicts(vec![conflict]).into());
            }
        }
    }
    let file = FileResult {
        path: args.path.clone(),
        action: Action::Delete,
        before: Some(present.sha256),
        after: None,
        hunks: 0,
        offset: 0,
        added: 0,
        removed: 0,
        eol_translated: false,
    };
    let removal = Removal::Must;
    let wanted = Wanted { path, expect: Some(present), goal: Goal::Absent, removal };
    Ok(Work { wanted: vec![wanted], files: vec![file], shape: Shape::Gone })
}

fn empty(root: &Root, path: &Rel) -> Result<(), Fault> {
    let (dir, _) = root.open_dir(path)?;
    let fail = |errno| Fault::errno(path.as_str(), errno);
    for entry in rustix::fs::Dir::read_from(&dir).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        if entry.file_name() != c"." && entry.file_name() != c".." {
            let path = path.as_str().to_owned();
            return Err(Fault::NotAFile { path, kind: files::Kind::Dir });
        }
    }
    Ok(())
}

/// What stands at a path of a patch.
struct Loaded {
    path: Rel,
    file: Option<(Content, Vec<u8>)>,
}

impl Loaded {
    fn for_patch(&self) -> Option<patch::Content> {
        self.file.as_ref().map(|(content, bytes)| {
            let executable = match content.mode & 0o100 {
                0 => Executable::No,
                _set => Executable::Yes,
            };
            patch::Content { bytes: bytes.clone(), executable }
        })
    }

    fn content(&self) -> Option<Content> {
        self.file.as_ref().map(|(content, _)| *content)
    }

    /// The conflict of a file that is not, or is not known to be, what was read.
    fn stale(&self, expect: Option<Hash>) -> Option<Conflict> {
        stale(self.path.as_str(), self.content(), expect)
    }
}

fn stale(path: &str, present: Option<Content>, expect: Option<Hash>) -> Option<Conflict> {
    let present = present?.sha256;
    if expect == Some(present) {
        return None;
    }
    Some(Conflict {
        want: expect.map(|it| it.to_string()),
        found: Some(present.to_string()),
        ..Conflict::of_file(path, Why::ChangedSinceRead)
    })
}

fn load(root: &Root, path: Rel, links: HardLinks) -> Result<Loaded, Fault> {
    let Some(parent) = parent_of(root, &path)? else { return Ok(Loaded { path, file: None }) };
    let Some(facts) = parent.facts()? else { return Ok(Loaded { path, file: None }) };
    facts.replaceable(path.as_str(), links)?;
    let (mut file, facts) = parent.open_file()?;
    let bytes_max = u64::try_from(WRITE_BYTES_MAX).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    file.by_ref()
        .take(bytes_max + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Fault::io(path.as_str(), &error))?;
    if bytes.len() > WRITE_BYTES_MAX {
        return Err(Fault::TooLarge { path: path.as_str().to_owned(), bytes_max });
    }
    let content = of_file(Hash::of(&bytes), &facts);
    Ok(Loaded { path, file: Some((content, bytes)) })
}

fn work(changes: &[Change], loaded: &[Loaded], shape: Shape) -> Result<Work, Problem> {
    let mut wanted = Vec::new();
    let mut files = Vec::new();
    for change in changes {
        let path = rel(&change.path)?;
        let expect = loaded.iter().find(|it| it.path == path).and_then(Loaded::content);
        let goal = match &change.after {
            None => Goal::Absent,
            Some(after) => Goal::File {
                bytes: after.bytes.clone(),
                mode: mode(change, after.executable, loaded),
            },
        };
        let after = goal.content().map(|it| it.sha256);
        files.push(FileResult {
            path: change.path.clone(),
            action: change.action,
            before: expect.map(|it| it.sha256),
            after,
            hunks: change.hunks,
            offset: change.offset,
            added: change.added,
            removed: change.removed,
            eol_translated: change.eol_translated,
        });
        wanted.push(Wanted { path, expect, goal, removal: Removal::Must });
    }
    Ok(Work { wanted, files, shape })
}

/// The mode a file gets: its own, with the executable bit as it shall be.
fn mode(change: &Change, executable: Executable, loaded: &[Loaded]) -> u32 {
    let path = change.from.as_ref().unwrap_or(&change.path);
    let own = loaded.iter().find(|it| it.path.as_str() == path).and_then(Loaded::content);
    match (own.map(|it| it.mode), executable) {
        (None, Executable::No) => FILE_MODE,
        (None, Executable::Yes) => PROGRAM_MODE,
        (Some(mode), executable) => with_bit(mode, executable),
    }
}

/// A mode with its executable bit as it shall be.
pub(super) fn with_bit(mode: u32, executable: Executable) -> u32 {
    match executable {
        Executable::No if mode & 0o100 != 0 => mode & !0o111,
        // Whoever may read it may run it.
        Executable::Yes if mode & 0o100 == 0 => mode | (mode & 0o444) >> 2,
        Executable::No | Executable::Yes => mode,
    }
}
