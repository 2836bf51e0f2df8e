//! Settings that take one of a few words. What a choice leads to is decided where it is used.

/// One enum for a setting that takes listed words, in the order of its table.
macro_rules! choice {
    (
        $(#[$doc:meta])*
        $name:ident { $($(#[$inner:meta])* $variant:ident = $word:literal),+ $(,)? }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$inner])* $variant),+ }

        impl $name {
            /// Every word, as written.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Its word.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The choice of that exact word.
            pub fn named(word: &str) -> Option<Self> {
                [$(($word, Self::$variant)),+].into_iter().find(|(w, _)| *w == word).map(|(_, v)| v)
            }
        }
    };
}

choice! {
    /// How a loop starts.
    LoopMode {
        /// A menu before each action.
        Interactive = "interactive",
        /// By itself.
        Auto = "auto",
    }
}
choice! {
    /// What to do with a loop's file that the journal does not know.
    AdoptForeign {
        /// Ask a person.
        Ask = "ask",
        /// Leave it alone.
        Never = "never",
    }
}
choice! {
    /// What a failed task does to the loop.
    OnError {
        /// Go on with the next.
        Continue = "continue",
        /// Wait for a person.
        Pause = "pause",
        /// End the loop.
        FailFast = "fail_fast",
    }
}
choice! {
    /// What to do when no test ran.
    NoTests {
        /// Add a task that writes some.
        AddTask = "add_task",
        /// Ask a person.
        Ask = "ask",
    }
}
choice! {
    /// What counts when there is no check.
    Fallback {
        /// That the named files exist and differ.
        Artifact = "artifact",
    }
}
choice! {
    /// How much the sandbox is insisted on.
    SandboxMode {
        /// Use it; running without is asked first.
        Prefer = "prefer",
        /// Nothing runs without.
        Require = "require",
        /// Not used.
        Off = "off",
    }
}
choice! {
    /// What commands may reach.
    SandboxNetwork {
        /// Nothing beyond this machine's file system.
        None = "none",
        /// Everything.
        Open = "open",
    }
}
choice! {
    /// What a caller at the HTTP door may do who cannot be found.
    EdgeRemote {
        /// Read.
        Read = "read",
        /// What a person may.
        Person = "person",
    }
}
choice! {
    /// In which order participants are asked.
    CollabMode {
        /// All at once.
        Parallel = "parallel",
        /// One after the other, each with the answers before it.
        Serial = "serial",
    }
}
choice! {
    /// How many participants a result needs.
    CollabGate {
        /// What came is used, and what is missing is named.
        Or = "or",
        /// Every one.
        And = "and",
    }
}
choice! {
    /// Who accepts a result that lacks something.
    CollabAccept {
        /// A person, when it is there.
        Ask = "ask",
        /// Whoever starts the run, beforehand, if no core part is missing.
        Acceptable = "acceptable",
    }
}
choice! {
    /// How answers are put together.
    CollabMerge {
        /// One section for each side of the question.
        Sections = "sections",
    }
}
choice! {
    /// What happens to the rest of a plan when a step is given up.
    TurnOnFailure {
        /// It stays undone.
        Stop = "stop",
        /// What does not hang on that step goes on.
        Continue = "continue",
    }
}
choice! {
    /// What becomes of a turn's change in git.
    TurnGit {
        /// Nothing.
        Off = "off",
        /// A message is written for it.
        Message = "message",
        /// It is committed on the current branch.
        Commit = "commit",
    }
}
choice! {
    /// When the tree is kept before a turn changes it.
    TurnCheckpoint {
        /// Once.
        Turn = "turn",
        /// Before each step.
        Step = "step",
        /// Never.
        Off = "off",
    }
}
