//! The memory: an append-only, hash-chained journal. It knows no machine.
