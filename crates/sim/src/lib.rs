//! The proving ground: fake world, named invariants, crash drivers. Never shipped.
