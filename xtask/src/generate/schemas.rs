//! The JSON Schemas of what leaves the house, one file each.

use super::page::Page;

/// A page a schema.
pub fn pages() -> Vec<Page> {
    edge::schema::all()
        .into_iter()
        .map(|(name, schema)| {
            Page::new(format!("schemas/{name}.schema.json"), format!("{schema:#}\n"))
        })
        .collect()
}
