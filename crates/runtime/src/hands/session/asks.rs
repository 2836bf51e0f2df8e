//! From what a session asks for to a request. Nothing is judged and nothing started here.

use kernel::session::Ask;
use kernel::turn::Fault;

use super::super::pool::Desk;
use crate::engine::{Ready, Sitting};

/// Makes it ready to begin.
pub(super) fn ready(_: &Desk, _: &Sitting, ask: &Ask) -> Result<Ready, Box<Fault>> {
    match ask {
        Ask::Package(_)
        | Ask::Create { .. }
        | Ask::Changelog { .. }
        | Ask::Archive { .. }
        | Ask::Sync
        | Ask::Commit { .. }
        | Ask::Rollback { .. }
        | Ask::Develop => Err(Box::new(Fault::new("E_INVALID_ARGS", "unsupported"))),
    }
}
