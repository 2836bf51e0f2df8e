//! The internal detail behind an error, for people: what lies in its trace's file.

use std::io;

use kernel::errors::{Class, Machine};
use runtime::trace;
use serde_json::{Value, json};

use crate::problem::Raised;
use crate::site::{Site, bad_value, class, refused};

/// The lines of a trace, the oldest first.
///
/// # Errors
/// When it is no id of a trace, or there is none of that id.
pub fn read(site: &Site, id: &str) -> Result<Vec<Value>, Raised> {
    if !trace::is_id(id) {
        return Err(bad_value("ID", id, &["trace_<32 hex>"]));
    }
    let missing = || refused(Machine::Door, "no_such", json!({ "id": id, "nearest": [] }));
    let dir = site.state_dir()?.ok_or_else(missing)?;
    match trace::read(&dir.path, id) {
        Ok(lines) => Ok(lines),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(missing()),
        Err(_) => {
            let details = json!({ "kind": "permission", "path": dir.trace(id) });
            Err(class(Class::Io, details))
        }
    }
}
