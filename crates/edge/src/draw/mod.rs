//! Draws a machine's states and moves as JSON, mermaid text or SVG. Pure: from the computed graph
//! to text, the same bytes every time; it adds no state or move of its own.

mod json;
mod kept;
mod layout;
mod mermaid;
mod order;
mod ranks;
mod svg;

pub use json::json;
pub use kept::kept;
pub use mermaid::mermaid;
pub use svg::{svg, svg_passed};
