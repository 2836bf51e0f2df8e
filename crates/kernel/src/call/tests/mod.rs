//! Proofs about the call machine: its whole table, and what must hold over long random lives.

mod describe;
mod held;
mod last_words;
mod lives;
mod scenarios;
mod scopes;
mod table;
