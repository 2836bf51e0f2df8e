//! Lets a reading tool act: arguments in, payload out. Repeating it changes nothing.

use kernel::paths::Names;
use serde::Serialize;
use serde_json::Value;

use crate::files::{Desk, Fault, Root, list, read as file};

/// Whether the arguments fit their tool; also for those that write, as far as words alone tell.
///
/// # Errors
/// The first argument that does not.
pub fn check(name: &str, args: &Value) -> Result<(), Fault> {
    match name {
        "read" => file::Args::parse(args).map(drop),
        "list" => list::Args::parse(args).map(drop),
        _ => Ok(()),
    }
}

/// Reads.
///
/// # Errors
/// Why nothing was read.
pub fn read(root: &Root, names: &Names, name: &str, args: &Value) -> Result<Value, Fault> {
    let desk = Desk::new(root, names);
    match name {
        "list" => list::list(&desk, &list::Args::parse(args)?).map(payload),
        _ => file::read(&desk, &file::Args::parse(args)?).map(payload),
    }
}

fn payload(payload: impl Serialize) -> Value {
    serde_json::to_value(payload).expect("payloads are plain data")
}
