//! A plan, enforced upon the process that calls this: the shim's child, or the canary. Both have
//! one thread. Nothing here can be taken back, and an error means that the program must not run.

use std::io;

use rustix::process::{Resource, Rlimit};
use rustix::thread::CapabilitySet;

use super::level::{Carve, Level};
use super::plan::Plan;
use super::{carve, filter, wall};

/// Processes one user may have while a call runs: a fork bomb ends here, a full desktop does not.
const PROCESSES_MAX: u64 = 4096;

/// What root would still be able to do to the machine or to the walls themselves.
const CAPABILITIES_LOST: CapabilitySet = CapabilitySet::SYS_ADMIN
    .union(CapabilitySet::SYS_PTRACE)
    .union(CapabilitySet::SYS_MODULE)
    .union(CapabilitySet::SYS_RAWIO)
    .union(CapabilitySet::SYS_BOOT)
    .union(CapabilitySet::SYS_TIME)
    .union(CapabilitySet::SYS_CHROOT)
    .union(CapabilitySet::MKNOD)
    .union(CapabilitySet::NET_ADMIN)
    .union(CapabilitySet::NET_RAW)
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::LINUX_IMMUTABLE)
    .union(CapabilitySet::BPF)
    .union(CapabilitySet::PERFMON);

/// Carves protected names out. To be done before the working directory is entered, so that it is
/// entered as it will be seen.
pub fn carve(plan: &Plan) -> io::Result<()> {
    match (plan.level, plan.carve) {
        (Level::Walled, Carve::Mount) => carve::out(plan),
        (Level::Walled, Carve::Detected | Carve::None) | (Level::None, _) => Ok(()),
    }
}

/// Lowers the limits a plan names.
pub fn limits(plan: &Plan) -> io::Result<()> {
    limit(Resource::Nproc, PROCESSES_MAX)?;
    match plan.memory_bytes {
        // Not the address space: interpreters with WebAssembly reserve far more than they use, and
        // do not start under such a limit.
        Some(bytes) => limit(Resource::Data, bytes),
        None => Ok(()),
    }
}

/// Lowers a limit for good; a stricter one stays.
pub fn limit(resource: Resource, most: u64) -> io::Result<()> {
    let now = rustix::process::getrlimit(resource);
    let lower = |value: Option<u64>| Some(value.map_or(most, |value| value.min(most)));
    let new = Rlimit { current: lower(now.current), maximum: lower(now.maximum) };
    Ok(rustix::process::setrlimit(resource, new)?)
}

/// Puts the wall and the filter up: the last thing before the exec, as both bind us as well.
pub fn wall(plan: &Plan) -> io::Result<()> {
    match plan.level {
        Level::None => Ok(()),
        Level::Walled => {
            rustix::thread::set_no_new_privs(true)?;
            lose_capabilities()?;
            wall::up(plan)?;
            filter::up(plan)
        }
    }
}

/// Root's child keeps what builds need, such as changing owners, and loses the rest at the exec.
fn lose_capabilities() -> io::Result<()> {
    for one in CAPABILITIES_LOST.iter() {
        match rustix::thread::remove_capability_from_bounding_set(one) {
            // Who may not lose one has none to lose, or cannot win one by an exec any more.
            Ok(()) | Err(rustix::io::Errno::PERM | rustix::io::Errno::INVAL) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
