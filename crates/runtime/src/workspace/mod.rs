//! The workspace: where it begins, whose state it holds, and whether its owner trusts it. It runs
//! nothing and opens no journal.

mod key;
mod places;
mod refusal;
mod root;
mod settings;
mod state_dir;
mod trust;

pub use places::{Places, SOCKET_BYTES_MAX};
pub use refusal::{Refusal, WhyForeign, WhyRoot};
pub use root::{OwnerRule, Root, find};
pub use settings::{Unsettled, loosened, named, settings};
pub use state_dir::{DIR_NAME, Found, StateDir, adopt, create, foreign, look, untracked};
pub use trust::{SETTINGS_FILE, Shown, Standing, Trust, give, standing};
