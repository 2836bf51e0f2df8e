//! The handle: what it opens, what it refuses, and that it never waits or leaves the root.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use kernel::paths::{Bad, Rel};

use super::super::{Fault, HardLinks, Kind, Root};
use super::ground::{CANARY, GroundIn, told};

fn rel(path: &str) -> Rel {
    Rel::file(path).unwrap()
}

#[test]
fn links_lead_only_inside() {
    let ground = GroundIn::with(&[("a/real.txt", "inside"), ("b/x", "x")]);
    ground.link("a/real.txt", "good");
    ground.link("../a/real.txt", "b/up");
    ground.link("../outside/secret.txt", "out");
    ground.link(ground.outside.join("secret.txt"), "absolute");
    ground.link("/proc/self/root", "magic");
    ground.link("/proc/self/cwd", "cwd");
    ground.link("../outside", "dir");
    ground.link("loop", "loop");
    for (path, real) in [("good", "a/real.txt"), ("b/up", "a/real.txt"), ("b/x", "b/x")] {
        assert_eq!(ground.held.open_file(&rel(path)).unwrap().real, real);
    }
    let refused =
        ["out", "absolute", "magic/etc/passwd", "cwd/x", "dir/secret.txt", "loop", "good/x"];
    for path in refused {
        let fault = ground.held.open_file(&rel(path)).unwrap_err();
        let expected = matches!(
            fault,
            Fault::Outside { .. } | Fault::Symlink { .. } | Fault::Io { kind: "not_a_file", .. }
        );
        assert!(expected, "{path}: {fault:?}");
        assert!(!fault.to_string().contains(CANARY));
    }
    let outside = ground.held.open_file(&rel("out"));
    assert_eq!(told(outside), ("E_POLICY_DENIED".to_owned(), "path"));
}

#[test]
fn the_way_to_what_is_written_has_no_links() {
    let ground = GroundIn::with(&[("a/b/x", "x")]);
    ground.link("a", "inner");
    ground.link("../outside", "outer");
    let parent = ground.held.open_parent(&rel("a/b/x")).unwrap();
    assert_eq!((parent.name(), parent.path()), ("x", "a/b/x"));
    assert_eq!(parent.facts().unwrap().unwrap().kind, Kind::File);
    assert!(ground.held.open_parent(&rel("a/new")).unwrap().facts().unwrap().is_none());
    for path in ["inner/b/x", "inner/new", "outer/new"] {
        let told = told(ground.held.open_parent(&rel(path)));
        assert_eq!(told, ("E_POLICY_DENIED".to_owned(), "symlink"), "{path}");
    }
    let told_root = ground.held.open_parent(&Rel::root());
    assert!(matches!(told_root, Err(Fault::Path { why: Bad::Root, .. })));
    assert!(matches!(
        ground.held.open_parent(&rel("a/b/x/y")),
        Err(Fault::NotAFile { kind: Kind::File, .. })
    ));
    assert_eq!(told(ground.held.open_parent(&rel("none/x"))).1, "not_found");
    assert_eq!(ground.held.stat(&rel("none/x")).unwrap(), None);
    assert_eq!(ground.held.stat(&rel("inner")).unwrap().unwrap().kind, Kind::Symlink);
    assert_eq!(ground.held.stat(&Rel::root()).unwrap().unwrap().kind, Kind::Dir);
}

#[test]
fn only_regular_files_are_opened_and_nothing_is_waited_for() {
    let ground = GroundIn::with(&[("d/x", "x")]);
    let fifo = ground.root.join("fifo");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &fifo,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(ground.root.join("socket")).unwrap();
    for path in ["fifo", "socket", "d"] {
        assert_eq!(
            told(ground.held.open_file(&rel(path))),
            ("E_IO".to_owned(), "not_a_file"),
            "{path}"
        );
    }
    let parent = ground.held.open_parent(&rel("fifo")).unwrap();
    assert_eq!(told(parent.open_file()).1, "not_a_file");
}

#[test]
fn what_may_be_replaced_is_a_plain_file_of_ours() {
    let ground = GroundIn::with(&[("one", "1"), ("two", "2"), ("set", "s")]);
    fs::hard_link(ground.outside.join("secret.txt"), ground.root.join("linked")).unwrap();
    ground.link("one", "soft");
    fs::set_permissions(ground.root.join("set"), fs::Permissions::from_mode(0o4755)).unwrap();
    let judged = |path: &str, rule| {
        let facts = ground.held.stat(&rel(path)).unwrap().unwrap();
        facts.replaceable(path, rule)
    };
    let table = [
        ("one", HardLinks::Refuse, None),
        ("linked", HardLinks::Refuse, Some("hardlink")),
        ("linked", HardLinks::Break, None),
        ("soft", HardLinks::Break, Some("symlink")),
        ("set", HardLinks::Break, Some("permission")),
    ];
    for (path, rule, expected) in table {
        assert_eq!(judged(path, rule).err().map(|fault| fault.kind()), expected, "{path}");
    }
    let mut foreign = ground.held.stat(&rel("two")).unwrap().unwrap();
    foreign.uid = foreign.uid.wrapping_add(1);
    assert_eq!(foreign.replaceable("two", HardLinks::Refuse).unwrap_err().kind(), "permission");
}

#[test]
fn a_replaced_root_ends_everything() {
    let ground = GroundIn::with(&[("x", "x")]);
    let found = crate::workspace::Root {
        path: ground.root.clone(),
        dev: ground.held.identity().0,
        inode: ground.held.identity().1,
    };
    assert!(Root::hold(&found).is_ok());
    fs::rename(&ground.root, ground.root.with_extension("moved")).unwrap();
    assert!(matches!(ground.held.open_file(&rel("x")), Err(Fault::RootReplaced { .. })));
    fs::create_dir(&ground.root).unwrap();
    ground.write("x", b"another");
    for fault in [
        ground.held.check().unwrap_err(),
        ground.held.open_file(&rel("x")).unwrap_err(),
        ground.held.open_parent(&rel("x")).unwrap_err(),
        ground.held.stat(&rel("x")).unwrap_err(),
        Root::hold(&found).unwrap_err(),
    ] {
        assert_eq!(fault.code().to_string(), "workspace.root_replaced", "{fault:?}");
    }
}

#[test]
fn every_kind_is_one_its_class_knows() {
    let path = || "p".to_owned();
    let faults = [
        Fault::Path { path: path(), why: Bad::Empty },
        Fault::Outside { path: path() },
        Fault::Protected { path: path(), class: kernel::paths::Class::Secret },
        Fault::Symlink { path: path() },
        Fault::Hardlink { path: path(), links: 2 },
        Fault::NotAFile { path: path(), kind: Kind::Other },
        Fault::OnlyRead { path: path(), why: super::super::OnlyRead::SetId },
        Fault::TooLarge { path: path(), bytes_max: 1 },
        Fault::errno("p", rustix::io::Errno::NOENT),
        Fault::errno("p", rustix::io::Errno::ACCESS),
        Fault::errno("p", rustix::io::Errno::AGAIN),
    ];
    for fault in faults {
        let kernel::errors::Code::Class(class) = fault.code() else { panic!("{fault:?}") };
        assert!(kernel::errors::kinds(class).contains(&fault.kind()), "{fault:?}");
        assert_eq!(fault.details()["kind"], fault.kind());
        assert_eq!(fault.details()["path"], "p");
    }
}
