//! Chance from a seed, and how much of it is asked for from outside. Shared by the tests that
//! mutate what programs print; it knows nothing of what is mutated.

/// Chance from a seed.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `n`, or 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if n == 0 { 0 } else { usize::try_from(self.0 >> 33).expect("31 bits") % n }
    }

    /// One of them.
    pub fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// The number that a variable asks for.
pub fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}
