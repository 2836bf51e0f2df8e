//! The process tree below a shim: all that descends from it, whatever sessions, groups or
//! double forks lie between. It works because the shim is a subreaper: an orphan comes back to
//! it instead of leaving the tree.

use rustix::process::Signal;

use super::files::Named;
use super::identity::Handle;
use super::procfs::{self, Stat};

/// The living below `root`.
pub fn living(root: i32) -> Vec<Stat> {
    let mut all = procfs::descendants(&[root]);
    all.retain(|stat| !stat.is_dead());
    all
}

/// Signals each of them through its identity. Nobody is signalled by number alone, and one that
/// cannot be signalled is found alive by the next look.
pub fn signal(tree: &[Stat], signal: Signal) {
    for stat in tree {
        if let Ok(Some(handle)) = Handle::open_here(stat.process()) {
            let _ = handle.signal(signal);
            if signal != Signal::KILL {
                // A stopped process would keep the signal pending for ever.
                let _ = handle.signal(Signal::CONT);
            }
        }
    }
}

/// As records name them.
pub fn named(tree: &[Stat]) -> Vec<Named> {
    tree.iter().map(Stat::named).collect()
}
