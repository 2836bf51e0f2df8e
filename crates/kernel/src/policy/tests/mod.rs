//! What must hold of judgements, and a corpus of commands.

mod corpus;
mod grants;
mod kit;
mod laws;
mod refused;
mod risks;
mod table;
