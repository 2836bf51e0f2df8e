//! seccomp: system calls that no build needs and every escape does are refused. A list of what is
//! denied, not of what is allowed: programs that only work must not notice. Arguments behind
//! pointers cannot be seen by a filter, so calls that hide them there are refused whole.

use std::collections::BTreeMap;
use std::io;

use rustix::io::Errno;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

use super::level::Network;
use super::plan::Plan;
use super::wall::ABI_TRUNCATE;

/// Refused whatever their arguments are.
const DENIED: &[libc::c_long] = &[
    // Other processes' memory and descriptors.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Doors that pass the filter by.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_open_by_handle_at,
    // Keys.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    OPEN_TREE_ATTR,
    libc::SYS_setns,
    libc::SYS_unshare,
];
/// Newer than the list of the C library; the same number everywhere.
const OPEN_TREE_ATTR: libc::c_long = 467;
/// Every namespace that a clone can ask for. The one of time shares its bit with the signal number
/// and is reached by `unshare` alone.
const NAMESPACES: [libc::c_int; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];
/// Typing into a terminal that one shares with somebody else, in two ways.
const TYPING: [u64; 2] = [libc::TIOCSTI, libc::TIOCLINUX];
/// The second numbering of x86-64, which a kernel may accept beside the first, begins here. No
/// other machine has numbers as high.
const X32_FIRST: u32 = 0x4000_0000;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Puts the filter up around this process, for good. One filter, not one for each answer: the
/// kernel translates each anew for every call.
pub fn up(plan: &Plan) -> io::Result<()> {
    let mut program = absent(plan);
    program.extend(refused(plan)?);
    seccompiler::apply_filter(&program).map_err(|error| match error {
        seccompiler::Error::Prctl(why) | seccompiler::Error::Seccomp(why) => why,
        seccompiler::Error::Backend(_)
        | seccompiler::Error::EmptyFilter
        | seccompiler::Error::ThreadSync(_) => Errno::NOSYS.into(),
    })
}

/// Calls that are said not to exist: a C library that is told so uses the older one, which can be
/// seen through; a refusal it would take for the answer. Whatever is none of them goes on to the
/// program that is appended; nothing is allowed here, so it need not know the machine.
fn absent(plan: &Plan) -> BpfProgram {
    let mut tests = vec![(libc::BPF_JGE, X32_FIRST), (libc::BPF_JEQ, number(libc::SYS_clone3))];
    if plan.abi < ABI_TRUNCATE {
        tests.push((libc::BPF_JEQ, number(libc::SYS_openat2)));
    }
    let load = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    let mut program = vec![step(load, CALL_NUMBER, 0)];
    for (at, (test, value)) in tests.iter().enumerate() {
        // Over the tests that are left, and over the step that passes the answer by.
        let to_answer = u8::try_from(tests.len() - at).unwrap_or(0);
        program.push(step(libc::BPF_JMP | test | libc::BPF_K, *value, to_answer));
    }
    program.push(step(libc::BPF_JMP | libc::BPF_JA, 1, 0));
    let answer = libc::SECCOMP_RET_ERRNO | Errno::NOSYS.raw_os_error().cast_unsigned();
    program.push(step(libc::BPF_RET | libc::BPF_K, answer, 0));
    program
}

/// Where the number of a call stands in what a filter sees.
const CALL_NUMBER: u32 = 0;

fn step(code: u32, value: u32, if_so: u8) -> sock_filter {
    sock_filter { code: u16::try_from(code).unwrap_or(0), jt: if_so, jf: 0, k: value }
}

fn number(call: libc::c_long) -> u32 {
    u32::try_from(call).unwrap_or(u32::MAX)
}

fn refused(plan: &Plan) -> io::Result<BpfProgram> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let answer = SeccompAction::Errno(Errno::PERM.raw_os_error().cast_unsigned());
    let filter = SeccompFilter::new(denied(plan)?, SeccompAction::Allow, answer, arch);
    filter.and_then(BpfProgram::try_from).map_err(|_| Errno::INVAL.into())
}

fn denied(plan: &Plan) -> io::Result<Rules> {
    let mut rules: Rules = DENIED.iter().map(|number| (*number, Vec::new())).collect();
    let clones = NAMESPACES.iter().map(|flag| flagged(0, flag.cast_unsigned().into()));
    rules.insert(libc::SYS_clone, clones.collect::<io::Result<_>>()?);
    let typing = TYPING.iter().map(|request| rule(vec![equals(1, *request)?]));
    rules.insert(libc::SYS_ioctl, typing.collect::<io::Result<_>>()?);
    if plan.network == Network::None {
        let family = libc::AF_UNIX.cast_unsigned().into();
        let other = condition(0, SeccompCmpOp::Ne, family)?;
        rules.insert(libc::SYS_socket, vec![rule(vec![other])?]);
    }
    if plan.abi < ABI_TRUNCATE {
        stand_in_for_truncate(&mut rules)?;
    }
    Ok(rules)
}

/// An older Landlock lets files outside be cut short by name, or by opening them for reading with
/// the wish to cut: both are refused here instead.
fn stand_in_for_truncate(rules: &mut Rules) -> io::Result<()> {
    rules.insert(libc::SYS_truncate, Vec::new());
    let cut = |flags: u8| -> io::Result<SeccompRule> {
        let wish = libc::O_TRUNC.cast_unsigned().into();
        let mode = libc::O_ACCMODE.cast_unsigned().into();
        rule(vec![
            condition(flags, SeccompCmpOp::MaskedEq(wish), wish)?,
            condition(flags, SeccompCmpOp::MaskedEq(mode), libc::O_RDONLY.cast_unsigned().into())?,
        ])
    };
    rules.insert(libc::SYS_openat, vec![cut(2)?]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, vec![cut(1)?]);
    Ok(())
}

fn flagged(argument: u8, flag: u64) -> io::Result<SeccompRule> {
    rule(vec![condition(argument, SeccompCmpOp::MaskedEq(flag), flag)?])
}

fn equals(argument: u8, value: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::Eq, value)
}

/// The kernel reads these arguments as 32 bits: what stands above them must not hide a match.
fn condition(argument: u8, op: SeccompCmpOp, value: u64) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, op, value)
        .map_err(|_| Errno::INVAL.into())
}

fn rule(conditions: Vec<SeccompCondition>) -> io::Result<SeccompRule> {
    SeccompRule::new(conditions).map_err(|_| Errno::INVAL.into())
}
