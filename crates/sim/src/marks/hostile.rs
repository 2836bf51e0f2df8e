//! Repositories whose settings name programs, against everything of ours that opens a workspace:
//! nothing they name is ever run. Each program, if run, leaves a file in the marker directory.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use kernel::rollback::Conflicts;
use runtime::checkpoints::{Always, CallFact, KeepDays, Standing, look};
use runtime::rollback::{Refused, Wanted};

use super::odd::{self, Lay, ODD, Swapper};
use super::template::{copy, git, template};
use super::yard::{AT, Yard, text};

/// As the settings say if nobody does.
const KEEP: KeepDays = KeepDays { calls: 30, checkpoints: 14 };
/// Plans of one rollback over a tree that somebody moves.
const PLANS_MAX: usize = 200;

/// What a fixture puts into the repository; `EVIL` stands for the program.
#[derive(Debug)]
pub struct Fixture {
    /// Its name.
    pub name: &'static str,
    /// Lines for `.git/config`.
    config: &'static str,
    /// Files below the root.
    files: &'static [(&'static str, &'static str)],
    /// What makes plain git run the program, to prove that the fixture bites; empty where only
    /// rare commands do.
    bait: &'static [&'static str],
}

const fn fixture(name: &'static str, config: &'static str) -> Fixture {
    Fixture { name, config, files: &[], bait: &[] }
}

const HOOKS: [&str; 12] = [
    "pre-commit",
    "post-commit",
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "pre-auto-gc",
    "post-rewrite",
    "fsmonitor-watchman",
    "prepare-commit-msg",
    "commit-msg",
    "post-merge",
    "pre-push",
];

const fn hook(name: &'static str, files: &'static [(&'static str, &'static str)]) -> Fixture {
    Fixture { files, ..fixture(name, "") }
}

/// A file with this text is the program itself.
const PROGRAM: &str = "PROGRAM";

/// Every repository whose settings or hooks name a program.
pub const FIXTURES: [Fixture; 48] = [
    hook("pre-commit", &[(".git/hooks/pre-commit", PROGRAM)]),
    hook("post-commit", &[(".git/hooks/post-commit", PROGRAM)]),
    hook("post-checkout", &[(".git/hooks/post-checkout", PROGRAM)]),
    hook("post-index-change", &[(".git/hooks/post-index-change", PROGRAM)]),
    hook("reference-transaction", &[(".git/hooks/reference-transaction", PROGRAM)]),
    hook("pre-auto-gc", &[(".git/hooks/pre-auto-gc", PROGRAM)]),
    hook("post-rewrite", &[(".git/hooks/post-rewrite", PROGRAM)]),
    hook("fsmonitor-watchman", &[(".git/hooks/fsmonitor-watchman", PROGRAM)]),
    hook("prepare-commit-msg", &[(".git/hooks/prepare-commit-msg", PROGRAM)]),
    hook("commit-msg", &[(".git/hooks/commit-msg", PROGRAM)]),
    hook("post-merge", &[(".git/hooks/post-merge", PROGRAM)]),
    hook("pre-push", &[(".git/hooks/pre-push", PROGRAM)]),
    hook("git in the tree", &[("git", PROGRAM), ("bin/git", PROGRAM)]),
    fixture("git proxy", "[core]\n\tgitProxy = EVIL\n[remote \"o\"]\n\turl = git://x/y\n"),
    fixture("pack objects hook", "[uploadpack]\n\tpackObjectsHook = EVIL\n"),
    fixture("recent objects hook", "[gc]\n\trecentObjectsHook = EVIL\n\tauto = 1\n"),
    fixture("credential helper", "[credential]\n\thelper = EVIL\n"),
    fixture("diff filter", "[interactive]\n\tdiffFilter = EVIL\n"),
    fixture("trailer", "[trailer \"x\"]\n\tcommand = EVIL\n\tcmd = EVIL\n"),
    fixture("tools", "[difftool \"x\"]\n\tcmd = EVIL\n[mergetool \"x\"]\n\tcmd = EVIL\n"),
    fixture("template", "[init]\n\ttemplateDir = HOOKS\n"),
    fixture(
        "transport",
        "[protocol \"ext\"]\n\tallow = always\n[remote \"o\"]\n\turl = ext::EVIL\n",
    ),
    fixture("instead of", "[url \"ext::EVIL \"]\n\tinsteadOf = https://\n"),
    fixture("submodule update", "[submodule \"sub\"]\n\tupdate = !EVIL\n\tactive = true\n"),
    fixture("remote helper", "[remote \"o\"]\n\tvcs = evil\n\treceivepack = EVIL\n"),
    Fixture {
        files: &[(".gitattributes", "* filter=evil diff=evil merge=evil\n")],
        ..fixture(
            "all drivers",
            "[filter \"evil\"]\n\tsmudge = EVIL\n[diff \"evil\"]\n\tcommand = EVIL\n",
        )
    },
    Fixture { bait: &["status"], ..fixture("fsmonitor", "[core]\n\tfsmonitor = EVIL\n") },
    Fixture {
        bait: &["commit", "-qm", "x", "--allow-empty"],
        ..fixture("hooks path", "[core]\n\thooksPath = HOOKS\n")
    },
    Fixture {
        files: &[(".git/hooks/ALL", "")],
        bait: &["commit", "-qm", "x", "--allow-empty"],
        ..fixture("hooks", "")
    },
    Fixture {
        files: &[(".gitattributes", "* filter=evil\n"), ("fresh.txt", "x\n")],
        bait: &["add", "fresh.txt"],
        ..fixture("filter clean", "[filter \"evil\"]\n\tclean = EVIL\n\tsmudge = EVIL\n")
    },
    Fixture {
        files: &[(".gitattributes", "* filter=evil\n"), ("fresh.txt", "x\n")],
        bait: &["add", "fresh.txt"],
        ..fixture("filter process", "[filter \"evil\"]\n\tprocess = EVIL\n\trequired = true\n")
    },
    Fixture {
        files: &[(".gitattributes", "* diff=evil\n"), ("a.txt", "changed\n")],
        bait: &["diff"],
        ..fixture("textconv", "[diff \"evil\"]\n\ttextconv = EVIL\n")
    },
    Fixture {
        files: &[("a.txt", "changed\n")],
        bait: &["diff"],
        ..fixture("external diff", "[diff]\n\texternal = EVIL\n")
    },
    Fixture {
        files: &[(".gitattributes", "* merge=evil\n")],
        ..fixture("merge driver", "[merge \"evil\"]\n\tdriver = EVIL\n")
    },
    fixture("gpg program", "[gpg]\n\tprogram = EVIL\n[commit]\n\tgpgSign = true\n"),
    fixture("ssh command", "[core]\n\tsshCommand = EVIL\n[remote \"o\"]\n\turl = ssh://x/y\n"),
    fixture("askpass", "[core]\n\taskPass = EVIL\n[credential]\n\thelper = !EVIL\n"),
    fixture("pager", "[core]\n\tpager = EVIL\n[pager]\n\tlog = EVIL\n\tdiff = EVIL\n"),
    fixture("editor", "[core]\n\teditor = EVIL\n[sequence]\n\teditor = EVIL\n"),
    fixture(
        "alias",
        "[alias]\n\tstatus = !EVIL\n\tfast-import = !EVIL\n\tcat-file = !EVIL\n\
         \tpack-objects = !EVIL\n",
    ),
    Fixture {
        files: &[("evil.inc", "[core]\n\tfsmonitor = EVIL\n")],
        bait: &["status"],
        ..fixture("include", "[include]\n\tpath = ../evil.inc\n")
    },
    Fixture {
        files: &[("evil.inc", "[core]\n\tfsmonitor = EVIL\n")],
        bait: &["status"],
        ..fixture("conditional include", "[includeIf \"onbranch:**\"]\n\tpath = ../evil.inc\n")
    },
    fixture("attr tree", "[attr]\n\ttree = HEAD\n[filter \"evil\"]\n\tclean = EVIL\n"),
    Fixture {
        files: &[(".git/info/attributes", "* filter=evil\n"), ("fresh.txt", "x\n")],
        bait: &["add", "fresh.txt"],
        ..fixture("info attributes", "[filter \"evil\"]\n\tclean = EVIL\n")
    },
    Fixture {
        files: &[(".git/objects/info/alternates", "/nowhere\n../../outside/objects\n")],
        ..fixture("alternates", "[core]\n\talternateRefsCommand = EVIL\n")
    },
    fixture(
        "promisor",
        "[extensions]\n\tpartialClone = o\n[remote \"o\"]\n\turl = .\n\tpromisor = true\n\
         \tuploadpack = EVIL\n",
    ),
    Fixture {
        files: &[(".git/config.worktree", "[core]\n\tfsmonitor = EVIL\n")],
        bait: &["status"],
        ..fixture(
            "worktree config",
            "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n",
        )
    },
    Fixture {
        files: &[(".gitattributes", "* working-tree-encoding=UTF-16 ident eol=crlf\n")],
        ..fixture("encoding", "[core]\n\tautocrlf = true\n\tworktree = /\n")
    },
];

/// How many hostile repositories there are.
pub const COUNT: usize = FIXTURES.len() + ODD.len() + 1;

/// The number of a hostile repository, by its name.
#[must_use]
pub fn number(name: &str) -> Option<usize> {
    let mut names = FIXTURES.iter().map(|one| one.name).chain(ODD.iter().map(|(name, _)| *name));
    names.position(|one| one == name)
}

/// The name of one of all, and whether nothing of it was run and nothing outside touched.
///
/// # Errors
/// When something was run or touched, or something of ours failed.
pub fn one(number: usize) -> Result<(), String> {
    if let Some(fixture) = FIXTURES.get(number) {
        return if bites(fixture)? {
            withstand(fixture, None, Swaps::No)
        } else {
            Err(format!("{} does not bite", fixture.name))
        };
    }
    match ODD.get(number - FIXTURES.len()) {
        Some((name, odd)) => withstand(&fixture(name, ""), Some(*odd), Swaps::No),
        None => withstand(&fixture("swapped links", ""), None, Swaps::Yes),
    }
}

/// Whether somebody swaps directories for links meanwhile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Swaps {
    No,
    Yes,
}

/// Lays a fixture out in a tree beside all that is its own, and answers the marker directory.
fn lay(fixture: &Fixture, dir: &Path, root: &Path) -> Result<PathBuf, String> {
    let marker = dir.join("marker");
    copy(&template()?, root).map_err(text)?;
    fs::create_dir_all(&marker).map_err(text)?;
    let evil = dir.join("evil.sh");
    let script = format!("#!/bin/sh\necho ran >> {}/ran\ncat 2>/dev/null\n", marker.display());
    program(&evil, &script)?;
    let hooks = dir.join("hooks");
    let say = |text: &str| {
        text.replace("EVIL", &evil.to_string_lossy()).replace("HOOKS", &hooks.to_string_lossy())
    };
    fs::create_dir_all(&hooks).map_err(text)?;
    let mut places = vec![hooks.clone()];
    for (path, content) in fixture.files {
        let path = root.join(path);
        let above = path.parent().unwrap_or(root);
        fs::create_dir_all(above).map_err(text)?;
        if *content == PROGRAM {
            program(&path, &script)?;
        } else if path.ends_with("ALL") {
            places.push(above.to_path_buf());
        } else {
            fs::write(&path, say(content)).map_err(text)?;
        }
    }
    for hook in HOOKS {
        for place in &places {
            program(&place.join(hook), &script)?;
        }
    }
    let config = root.join(".git/config");
    let old = fs::read_to_string(&config).map_err(text)?;
    fs::write(config, old + &say(fixture.config)).map_err(text)?;
    Ok(marker)
}

fn program(path: &Path, script: &str) -> Result<(), String> {
    fs::write(path, script).map_err(text)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(text)
}

/// Lays one of all out, with the directory beside the tree that is not to be touched.
fn lay_all(
    fixture: &Fixture,
    odd: Option<Lay>,
    dir: &Path,
    root: &Path,
) -> Result<PathBuf, String> {
    let marker = lay(fixture, dir, root)?;
    let outside = dir.join("outside");
    fs::create_dir_all(&outside).map_err(text)?;
    fs::write(outside.join("canary"), "canary").map_err(text)?;
    let evil = dir.join("evil.sh");
    if let Some(odd) = odd {
        let ground = odd::Ground { root, outside: &outside, evil: &evil.to_string_lossy() };
        odd(&ground).map_err(text)?;
    }
    Ok(marker)
}

/// Lays one of all out by its number; answers its name and the marker directory. The last, whose
/// links are swapped all the time, is none of these.
pub(super) fn laid(
    number: usize,
    dir: &Path,
    root: &Path,
) -> Result<(&'static str, PathBuf), String> {
    let (name, marker) = match FIXTURES.get(number) {
        Some(one) => (one.name, lay_all(one, None, dir, root)?),
        None => {
            let odd = ODD.get(number - FIXTURES.len());
            let &(name, odd) = odd.ok_or_else(|| format!("no fixture {number}"))?;
            (name, lay_all(&fixture(name, ""), Some(odd), dir, root)?)
        }
    };
    Ok((name, marker))
}

/// Everything of ours that opens a workspace, over one repository.
fn withstand(fixture: &Fixture, odd: Option<Lay>, swaps: Swaps) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(text)?;
    let (root, outside) = (dir.path().join("tree"), dir.path().join("outside"));
    let marker = lay_all(fixture, odd, dir.path(), &root)?;
    let mut yard = Yard::at(dir.path())?;
    let (git, before) = (yard.user_git(), yard.files());
    let swapper = match swaps {
        Swaps::Yes => Some(Swapper::start(&root, &outside).map_err(text)?),
        Swaps::No => None,
    };
    everything(&mut yard)?;
    drop(swapper);
    let fail = |why: &str| Err(format!("{}: {why}", fixture.name));
    if fs::read_dir(&marker).map_err(text)?.next().is_some() {
        return fail("a program of the repository was run");
    }
    if yard.user_git() != git {
        return fail("the user's git changed");
    }
    let canary = super::held(&outside, &[]);
    let whole = fs::read_to_string(outside.join("canary")).is_ok_and(|text| text == "canary");
    if canary.len() != 1 || !whole {
        return fail("something outside was touched");
    }
    let mut after = yard.files();
    after.retain(|path, _| swaps == Swaps::No || !path.starts_with(b"swap"));
    if after != before {
        return fail("the rollback is not exact");
    }
    Ok(())
}

/// A checkpoint, a mark, a call, looks at both, the rollback, a collection and a verification.
fn everything(yard: &mut Yard) -> Result<(), String> {
    let first = yard.checkpoint("call-a", &mut Always)?.name;
    let marked = yard.mark("call-b")?.digest;
    yard.call("call-b", |root| {
        let _ = fs::write(root.join("a.txt"), "run\r\n");
        let _ = fs::remove_file(root.join("x.sh"));
    })?;
    let second = yard.checkpoint("call-c", &mut Always)?.name;
    yard.keeper.list().map_err(text)?;
    yard.keeper.diff(&first, &second).map_err(text)?;
    yard.keeper.diff_now(&first).map_err(text)?;
    let wanted = yard.wanted(&first, Conflicts::Aside);
    roll(yard, &wanted)?;
    let (call, standing) = ("call-b".to_owned(), Standing::Ended(kernel::machine::At(0)));
    let fact = CallFact { call, aside: None, trees: vec![marked], standing };
    let (_, done) = yard.collect(|keeper| look(keeper, &[fact], AT, KEEP), &mut Always)?;
    done.map_err(text)?;
    yard.keeper.verify().map_err(text).map(drop)
}

/// Plans and goes back. A tree that moves meanwhile is planned anew, as a person would be asked
/// anew.
fn roll(yard: &mut Yard, wanted: &Wanted) -> Result<(), String> {
    for _ in 1..PLANS_MAX {
        let plan = yard.plan(wanted).map_err(text)?.plan;
        match yard.roll(wanted, &plan.plan_hash, &mut Always) {
            Err(Refused::PlanChanged(_)) => {}
            done => return done.map(drop).map_err(text),
        }
    }
    Err("the plan changes all the time".to_owned())
}

/// Whether plain git runs the fixture's program; a fixture without bait is taken at its word.
fn bites(fixture: &Fixture) -> Result<bool, String> {
    if fixture.bait.is_empty() {
        return Ok(true);
    }
    let dir = tempfile::tempdir().map_err(text)?;
    let marker = lay(fixture, dir.path(), &dir.path().join("tree"))?;
    // It may well fail; only what it ran counts.
    let _ = git(&dir.path().join("tree"), fixture.bait);
    Ok(fs::read_dir(&marker).map_err(text)?.next().is_some())
}
