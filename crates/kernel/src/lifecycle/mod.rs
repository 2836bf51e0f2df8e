//! One requirement from plan to archive.

pub mod document;
