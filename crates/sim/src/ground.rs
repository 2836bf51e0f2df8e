//! What every engine of the fake world stands on: a trusted place and the usual rules of calls.

use std::path::Path;

use kernel::call;
use kernel::policy::{Sandbox, Trust};
use runtime::engine::Standing;
use runtime::policy::{self, Judge};

/// A trusted place in which commands are held in.
fn ground() -> policy::Standing {
    let (root, home) = (Path::new("/home/u/w"), Path::new("/home/u"));
    let unknown = policy::Standing::unknown(root, home);
    policy::Standing { trust: Trust::Trusted, sandbox: Sandbox::Held, ..unknown }
}

pub(crate) fn standing() -> Standing {
    Standing {
        judge: Judge::fixed(ground()),
        rules: call::Rules {
            retry_delays_ms: call::RETRY_DELAYS_MS.to_vec(),
            probe_delays_ms: vec![0, 2_000, 10_000],
            ask_expiry_ms: call::ASK_EXPIRY_MS,
        },
        in_flight_max: 32,
        grace_ms: call::GRACE_MS,
        verify_ms: 300_000,
    }
}
