//! Whether arguments fit their tool, as far as words alone tell. The door asks before anything is
//! recorded; the tool reads them again when it acts.

use serde_json::Value;

use super::reading;
use crate::files::{Fault, Tool};

/// Looks at the arguments of the tool of that name.
///
/// # Errors
/// The first argument that does not fit.
pub fn check(name: &str, args: &Value) -> Result<(), Fault> {
    Tool::named(name).map_or(Ok(()), |tool| reading::check(tool, args))
}
