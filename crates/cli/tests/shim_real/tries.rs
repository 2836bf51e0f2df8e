//! Ways out of a sandbox, each tried for real by a process of its own: this very test binary,
//! started again as the program of a call. A try says whether it got through; whether it should
//! have is the business of the tests.

use std::ffi::CString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::{SocketAddr, UnixStream};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::kit;

/// Which try a process is to make, or `all` of them in turn.
pub const TRY: &str = "TRY";
/// Where everything lies: `workspace/`, `outside/`, `home/`.
pub const BASE: &str = "BASE";
/// The pid that stands for everybody outside.
pub const VICTIM: &str = "VICTIM";
/// Whose abstract socket may be there.
pub const LISTENS: &str = "LISTENS";
/// The test that makes the tries.
pub const CHILD: &str = "tries::child";

/// What must hold a try back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The wall or the filter: always.
    Wall,
    /// Only the mount namespace; elsewhere it gets through and is told.
    Mount,
    /// Only a Landlock that knows of scopes.
    Scope,
}

type Act = fn(&World) -> io::Result<()>;

/// What a try may use.
pub struct World {
    base: PathBuf,
    victim: i32,
    listens: String,
}

impl World {
    fn inside(&self, name: &str) -> PathBuf {
        self.base.join("workspace").join(name)
    }

    /// A file outside, one for each try that spoils it.
    fn outside(&self, name: &str) -> PathBuf {
        self.base.join("outside").join(name)
    }

    fn of_victim(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{name}", self.victim))
    }
}

/// Files that must be there before, below `outside/`.
pub const SPOILED: [&str; 12] = [
    "write",
    "truncate",
    "cut",
    "read",
    "linked_in",
    "moved_in",
    "unlinked",
    "mode",
    "times",
    "attribute",
    "through_link",
    "owner",
];

pub const TABLE: &[(&str, By, Act)] = &[
    // Files.
    ("write_outside", By::Wall, |w| append(&w.outside("write"))),
    ("make_outside", By::Wall, |w| File::create_new(w.outside("made")).map(drop)),
    ("make_in_tmp", By::Wall, |w| File::create_new(w.base.join("made")).map(drop)),
    ("truncate_outside", By::Wall, |w| truncate(&w.outside("truncate"))),
    ("cut_outside", By::Wall, |w| cut(&w.outside("cut"))),
    ("read_outside", By::Wall, |w| fs::read(w.outside("read")).map(drop)),
    ("list_outside", By::Wall, |w| fs::read_dir(w.outside("")).map(drop)),
    ("read_ssh_key", By::Wall, |w| fs::read(w.base.join("home/.ssh/id_ed25519")).map(drop)),
    ("list_home", By::Wall, |w| fs::read_dir(w.base.join("home")).map(drop)),
    ("link_in", By::Wall, |w| fs::hard_link(w.outside("linked_in"), w.inside("linked_in"))),
    ("link_out", By::Wall, |w| fs::hard_link(w.inside("own"), w.outside("linked_out"))),
    ("move_in", By::Wall, |w| fs::rename(w.outside("moved_in"), w.inside("moved_in"))),
    ("move_out", By::Wall, |w| fs::rename(w.inside("own2"), w.outside("moved_out"))),
    ("unlink_outside", By::Wall, |w| fs::remove_file(w.outside("unlinked"))),
    ("mkdir_outside", By::Wall, |w| fs::create_dir(w.outside("dir"))),
    ("rmdir_outside", By::Wall, |w| fs::remove_dir(w.outside("empty"))),
    ("symlink_outside", By::Wall, |w| symlink("/", w.outside("symlink"))),
    ("write_through_link", By::Wall, |w| {
        symlink(w.outside("through_link"), w.inside("way_out"))?;
        append(&w.inside("way_out"))
    }),
    ("write_through_proc_root", By::Wall, |w| {
        append(Path::new(&format!("/proc/self/root{}", w.outside("write").display())))
    }),
    ("write_through_dotdot", By::Wall, |w| append(&w.inside("../outside/write"))),
    ("mode_outside", By::Mount, |w| {
        fs::set_permissions(w.outside("mode"), Permissions::from_mode(0o777))
    }),
    ("times_outside", By::Mount, |w| times(&w.outside("times"))),
    ("owner_outside", By::Mount, |w| {
        std::os::unix::fs::chown(w.outside("owner"), Some(kit::uid()), None)
    }),
    ("attribute_outside", By::Mount, |w| attribute(&w.outside("attribute"))),
    ("device_node", By::Wall, |w| {
        let path = name(&w.outside("node"));
        // SAFETY: the name is a string of ours.
        done(unsafe { libc::mknod(path.as_ptr(), libc::S_IFCHR | 0o600, 0x0103) }.into())
    }),
    ("core_pattern", By::Wall, |_| append(Path::new("/proc/sys/kernel/core_pattern"))),
    // Protected names.
    ("git_config", By::Mount, |w| append(&w.inside(".git/config"))),
    ("git_hook", By::Mount, |w| fs::write(w.inside(".git/hooks/pre-commit"), "x")),
    ("git_renamed", By::Mount, |w| fs::rename(w.inside(".hg"), w.inside("hg"))),
    ("git_config_mode", By::Mount, |w| {
        fs::set_permissions(w.inside(".git/config"), Permissions::from_mode(0o777))
    }),
    ("nested_git_config", By::Mount, |w| append(&w.inside("sub/.git/config"))),
    ("journal", By::Mount, |w| append(&w.inside(".loop/journal"))),
    ("agent_settings", By::Mount, |w| append(&w.inside(".claude/settings.json"))),
    ("secret", By::Mount, |w| append(&w.inside(".env"))),
    ("secret_removed", By::Mount, |w| fs::remove_file(w.inside("sub/a.pem"))),
    ("own_settings", By::Mount, |w| append(&w.inside("loopwright.toml"))),
    // Other processes.
    ("victim_memory", By::Wall, |w| File::open(w.of_victim("mem")).map(drop)),
    ("victim_environment", By::Wall, |w| fs::read(w.of_victim("environ")).map(drop)),
    ("victim_descriptors", By::Wall, |w| fs::read_link(w.of_victim("fd/0")).map(drop)),
    ("victim_root", By::Wall, |w| fs::read_dir(w.of_victim("root")).map(drop)),
    ("victim_signal", By::Scope, |w| done(unsafe { libc::kill(w.victim, 0) }.into())),
    ("victim_seized", By::Wall, |w| call(libc::SYS_ptrace, [0x4206, w.victim.into(), 0, 0])),
    ("traced", By::Wall, |_| in_copy(|| call(libc::SYS_ptrace, [0, 0, 0, 0]))),
    ("traced_by_other_number", By::Wall, |_| in_copy(|| call(521 | 0x4000_0000, [0, 0, 0, 0]))),
    ("victim_read", By::Wall, |w| answered(libc::SYS_process_vm_readv, [w.victim.into(), 0, 0, 0])),
    ("victim_written", By::Wall, |w| call(libc::SYS_process_vm_writev, [w.victim.into(), 0, 0, 0])),
    ("victim_descriptor_taken", By::Wall, |w| {
        let pidfd = returned(libc::SYS_pidfd_open, [w.victim.into(), 0, 0, 0])?;
        call(libc::SYS_pidfd_getfd, [pidfd, 0, 0, 0])
    }),
    // Doors of the kernel.
    ("io_uring", By::Wall, |_| {
        let mut room = [0u8; 120];
        call(libc::SYS_io_uring_setup, [1, room.as_mut_ptr() as i64, 0, 0])
    }),
    ("bpf", By::Wall, |_| answered(libc::SYS_bpf, [0, 0, 0, 0])),
    ("perf", By::Wall, |_| answered(libc::SYS_perf_event_open, [0, 0, -1, -1])),
    ("add_key", By::Wall, |_| {
        let (kind, name) = (c"user".as_ptr() as i64, c"n".as_ptr() as i64);
        // The fifth argument is what the ring is: the thread's own.
        // SAFETY: all pointers are to constant strings.
        done(unsafe { libc::syscall(libc::SYS_add_key, kind, name, name, 1, -1) })
    }),
    ("keyctl", By::Wall, |_| call(libc::SYS_keyctl, [0, -1, 1, 0])),
    ("userfaultfd", By::Wall, |_| call(libc::SYS_userfaultfd, [1, 0, 0, 0])),
    ("open_by_handle", By::Wall, |_| answered(libc::SYS_open_by_handle_at, [-1, 0, 0, 0])),
    ("typed_into_terminal", By::Wall, |_| type_into(libc::TIOCSTI)),
    ("typed_with_high_bits", By::Wall, |_| type_into(libc::TIOCSTI | 1 << 32)),
    // Mounts and namespaces.
    ("mount", By::Wall, |w| {
        let place = name(&w.inside("sub"));
        let (place, none) = (place.as_ptr(), std::ptr::null());
        // SAFETY: all names are strings of ours.
        done(unsafe { libc::mount(place, place, none, libc::MS_BIND, none.cast()) }.into())?;
        // Taken away again: where nothing holds us, this was the machine's own tree.
        // SAFETY: the name is a string of ours.
        done(unsafe { libc::umount2(place, libc::MNT_DETACH) }.into())
    }),
    ("umount", By::Wall, |w| {
        let place = name(&w.inside(".git"));
        // Where nothing is mounted, anybody who may unmount is told so.
        // SAFETY: the name is a string of ours.
        unless(libc::EINVAL, done(unsafe { libc::umount2(place.as_ptr(), 0) }.into()))
    }),
    ("remount", By::Wall, |w| {
        let attr = [0u64, 1, 0, 0];
        let place = name(&w.inside(".git"));
        // SAFETY: the kernel reads the four words of `attr`.
        let set = unsafe {
            libc::syscall(libc::SYS_mount_setattr, -1, place.as_ptr(), 0, attr.as_ptr(), 32)
        };
        unless(libc::EINVAL, done(set))
    }),
    ("fsopen", By::Wall, |_| call(libc::SYS_fsopen, [c"tmpfs".as_ptr() as i64, 0, 0, 0])),
    ("open_tree", By::Wall, |_| call(libc::SYS_open_tree, [-100, c"/".as_ptr() as i64, 1, 0])),
    ("unshare_mounts", By::Wall, |_| call(libc::SYS_unshare, [libc::CLONE_NEWNS.into(), 0, 0, 0])),
    ("unshare_names", By::Wall, |_| call(libc::SYS_unshare, [libc::CLONE_NEWUTS.into(), 0, 0, 0])),
    ("clone_namespace", By::Wall, |_| {
        let flags = libc::CLONE_NEWUSER | libc::SIGCHLD;
        match returned(libc::SYS_clone, [flags.into(), 0, 0, 0])? {
            // SAFETY: the copy ends at once.
            0 => unsafe { libc::_exit(0) },
            _ => Ok(()),
        }
    }),
    ("clone3", By::Wall, |_| answered(libc::SYS_clone3, [0, 0, 0, 0])),
    ("setns", By::Wall, |w| {
        let there =
            File::open(w.of_victim("ns/uts")).or_else(|_| File::open("/proc/self/ns/uts"))?;
        call(libc::SYS_setns, [there.as_raw_fd().into(), 0, 0, 0])
    }),
    ("chroot", By::Wall, |w| {
        let place = name(&w.inside("sub"));
        // SAFETY: the name is a string of ours.
        done(unsafe { libc::chroot(place.as_ptr()) }.into())
    }),
    // The network.
    ("tcp", By::Wall, |_| socket(libc::AF_INET, libc::SOCK_STREAM)),
    ("tcp6", By::Wall, |_| socket(libc::AF_INET6, libc::SOCK_STREAM)),
    ("udp", By::Wall, |_| socket(libc::AF_INET, libc::SOCK_DGRAM)),
    ("netlink", By::Wall, |_| socket(libc::AF_NETLINK, libc::SOCK_RAW)),
    ("abstract_socket", By::Scope, |w| {
        let listens = SocketAddr::from_abstract_name(format!("loopwright-try-{}", w.listens))?;
        UnixStream::connect_addr(&listens).map(drop)
    }),
    ("key_agent", By::Mount, |w| UnixStream::connect(w.base.join("keys")).map(drop)),
    ("message_bus", By::Mount, |w| UnixStream::connect(w.base.join("run/bus")).map(drop)),
];

/// The child's part; nothing where it was not asked for.
#[test]
fn child() {
    let (Ok(wanted), Ok(base)) = (std::env::var(TRY), std::env::var(BASE)) else { return };
    let victim = std::env::var(VICTIM).unwrap().parse().unwrap();
    let listens = std::env::var(LISTENS).unwrap();
    let world = World { base: base.into(), victim, listens };
    if wanted != "all" {
        let (_, _, act) = TABLE.iter().find(|(name, ..)| *name == wanted).unwrap();
        std::process::exit(match act(&world) {
            Ok(()) => 0,
            Err(error) => error.raw_os_error().unwrap_or(255),
        });
    }
    for (name, ..) in TABLE {
        let mut again = Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", CHILD, "--nocapture"]).env(TRY, name);
        // A process that a filter kills got nowhere either.
        let code = again.output().unwrap().status.code();
        println!("\ntry {name} {}", code.map_or("killed".to_owned(), |code| code.to_string()));
    }
}

/// What each try came to: `None` if it got through, else the error number.
pub fn results(output: &str) -> Vec<(String, Option<String>)> {
    let lines = output.lines().filter_map(|line| line.strip_prefix("try "));
    let split = lines.filter_map(|line| line.split_once(' '));
    split
        .map(|(name, code)| (name.to_owned(), Some(code.to_owned()).filter(|c| c != "0")))
        .collect()
}

fn append(path: &Path) -> io::Result<()> {
    OpenOptions::new().append(true).open(path).map(drop)
}

fn name(path: &Path) -> CString {
    CString::new(path.to_str().unwrap()).unwrap()
}

fn done(result: libc::c_long) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// An error that only somebody gets who was let in.
fn unless(errno: i32, result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.raw_os_error() == Some(errno) => Ok(()),
        other => other,
    }
}

fn returned(number: libc::c_long, args: [i64; 4]) -> io::Result<i64> {
    // SAFETY: the callers' pointers are to memory that is theirs.
    let result = unsafe { libc::syscall(number, args[0], args[1], args[2], args[3]) };
    done(result).map(|()| result)
}

fn call(number: libc::c_long, args: [i64; 4]) -> io::Result<()> {
    returned(number, args).map(drop)
}

/// A call with arguments that mean nothing: whatever it says but "not you" and "no such call"
/// shows that it was reached.
fn answered(number: libc::c_long, args: [i64; 4]) -> io::Result<()> {
    match call(number, args) {
        Err(error) if !matches!(error.raw_os_error(), Some(libc::EPERM | libc::ENOSYS)) => Ok(()),
        other => other,
    }
}

/// Done by a copy of this process, which has one thread: a thread that is traced would keep a
/// process with several from ever being seen to end.
fn in_copy(act: impl Fn() -> io::Result<()>) -> io::Result<()> {
    // SAFETY: the copy makes one system call and ends.
    let copy = unsafe { libc::fork() };
    done(copy.into())?;
    if copy == 0 {
        let code = act().map_or_else(|error| error.raw_os_error().unwrap_or(255), |()| 0);
        // SAFETY: ends the copy without running what the harness left to run.
        unsafe { libc::_exit(code) }
    }
    let mut status = 0;
    // SAFETY: the copy is ours, and the status is a number of this frame.
    done(unsafe { libc::waitpid(copy, &raw mut status, libc::__WALL) }.into())?;
    match libc::WEXITSTATUS(status) {
        0 if libc::WIFEXITED(status) => Ok(()),
        code => Err(io::Error::from_raw_os_error(code)),
    }
}

fn truncate(path: &Path) -> io::Result<()> {
    // SAFETY: the name is a string of ours.
    done(unsafe { libc::truncate(name(path).as_ptr(), 0) }.into())
}

fn cut(path: &Path) -> io::Result<()> {
    // SAFETY: the name is a string of ours.
    done(unsafe { libc::open(name(path).as_ptr(), libc::O_RDONLY | libc::O_TRUNC) }.into())
}

fn times(path: &Path) -> io::Result<()> {
    // SAFETY: the name is a string of ours, and no times mean now.
    done(unsafe { libc::utimes(name(path).as_ptr(), std::ptr::null()) }.into())
}

fn attribute(path: &Path) -> io::Result<()> {
    let (key, value) = (c"user.try".as_ptr(), c"x".as_ptr());
    // SAFETY: all are strings of ours, and one byte of the value is read.
    done(unsafe { libc::setxattr(name(path).as_ptr(), key, value.cast(), 1, 0) }.into())
}

fn type_into(request: u64) -> io::Result<()> {
    // SAFETY: opens and changes a terminal of this process's own.
    unsafe {
        let main = libc::posix_openpt(libc::O_RDWR);
        done(main.into())?;
        let main = OwnedFd::from_raw_fd(main);
        done(libc::grantpt(main.as_raw_fd()).into())?;
        done(libc::unlockpt(main.as_raw_fd()).into())?;
        // What a terminal that does not allow it says is an answer too, but not the filter's.
        let typed = libc::syscall(libc::SYS_ioctl, main.as_raw_fd(), request, c"x".as_ptr());
        unless(libc::EIO, done(typed))
    }
}

fn socket(family: i32, kind: i32) -> io::Result<()> {
    // SAFETY: three numbers.
    done(unsafe { libc::socket(family, kind, 0) }.into())
}
