//! What differs between the CLIs: package, arguments, environment and settings. Every address in
//! here is the scripted server's; every key is a word that no provider knows.

use std::path::Path;

use serde_json::json;

/// A CLI that can be installed and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cli {
    Codex,
    Claude,
    Gemini,
    Qwen,
}

/// What the agent may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Edit,
    Full,
}

impl Access {
    /// Its word on the product's command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Edit => "edit",
            Self::Full => "full",
        }
    }
}

/// Where a CLI looks for mentions of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mentions {
    Nowhere,
    AtWordStart,
    /// Also inside a word: `a@b` names the file `b`.
    Everywhere,
}

/// A key that opens nothing.
const KEY: &str = "not-a-key";

impl Cli {
    pub const ALL: [Self; 4] = [Self::Codex, Self::Claude, Self::Gemini, Self::Qwen];

    /// Its name: of the program, of the agent, of its directory.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::Claude => "claude",
            Self::Gemini => "gemini",
            Self::Qwen => "qwen",
        }
    }

    /// Its package and the version that the expectations were measured with.
    pub const fn package(self) -> (&'static str, &'static str) {
        match self {
            Self::Codex => ("@openai/codex", "0.166.0"),
            Self::Claude => ("@anthropic-ai/claude-code", "2.1.325"),
            Self::Gemini => ("@google/gemini-cli", "0.61.0"),
            Self::Qwen => ("@qwen-code/qwen-code", "0.24.4"),
        }
    }

    /// The CLI of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cli| cli.name() == name)
    }

    /// The model that is asked for; the server answers to any.
    pub const fn model(self) -> &'static str {
        match self {
            Self::Codex | Self::Qwen => "mock-model",
            Self::Claude => "claude-sonnet-4-5",
            Self::Gemini => "gemini-2.5-flash",
        }
    }

    /// Where an `@` names a file to it, whose content it then sends along.
    pub const fn mentions(self) -> Mentions {
        match self {
            Self::Codex => Mentions::Nowhere,
            Self::Claude => Mentions::AtWordStart,
            Self::Gemini | Self::Qwen => Mentions::Everywhere,
        }
    }

    /// Whether the product gives it our tools.
    pub const fn takes_tools(self) -> bool {
        match self {
            Self::Codex | Self::Claude => true,
            Self::Gemini | Self::Qwen => false,
        }
    }

    /// Arguments that lead it to the scripted server and keep it from anything else.
    pub fn args(self, base: &str) -> Vec<String> {
        match self {
            Self::Codex => {
                let provider = format!(
                    "model_providers.mock={{name=\"mock\",base_url=\"{base}/v1\",\
                     env_key=\"OPENAI_API_KEY\",wire_api=\"responses\",\
                     request_max_retries=1,stream_max_retries=1}}"
                );
                let provider = ["-c", "model_provider=\"mock\"", "-c", &provider];
                let quiet = ["--disable", "plugins", "-c", "analytics.enabled=false"];
                [quiet, provider].concat().into_iter().map(str::to_owned).collect()
            }
            Self::Claude | Self::Gemini | Self::Qwen => Vec::new(),
        }
    }

    /// Variables that lead it to the scripted server and keep it from anything else.
    pub fn env(self, base: &str) -> Vec<(&'static str, String)> {
        let all: &[(&str, &str)] = match self {
            Self::Codex => &[("OPENAI_API_KEY", KEY)],
            Self::Claude => &[
                ("ANTHROPIC_BASE_URL", base),
                ("ANTHROPIC_API_KEY", KEY),
                ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
                ("DISABLE_TELEMETRY", "1"),
                ("DISABLE_ERROR_REPORTING", "1"),
            ],
            Self::Gemini => &[("GOOGLE_GEMINI_BASE_URL", base), ("GEMINI_API_KEY", KEY)],
            Self::Qwen => {
                let base = format!("{base}/v1");
                return vec![("OPENAI_BASE_URL", base), ("OPENAI_API_KEY", KEY.to_owned())];
            }
        };
        all.iter().map(|(name, value)| (*name, (*value).to_owned())).collect()
    }

    /// The product's settings of the agent: the program, the arguments and variables above, and
    /// that it may be asked for anything here, where nothing but a script answers it.
    pub fn settings(self, bin: &Path, base: &str) -> String {
        let quoted = |words: Vec<String>| json!(words).to_string();
        let mut names: Vec<String> =
            self.env(base).into_iter().map(|(name, _)| name.to_owned()).collect();
        names.extend(self.as_root().map(|(name, _)| name.to_owned()));
        let mut text = format!(
            "[agents.{}]\nbin = {}\nmodel = \"{}\"\nargs = {}\nenv = {}\nunsandboxed = true\n",
            self.name(),
            json!(bin),
            self.model(),
            quoted(self.args(base)),
            quoted(names),
        );
        if self == Self::Qwen {
            text.push_str("auth_type = \"openai\"\n");
        }
        text
    }

    /// One of them refuses root unless it is told that this is no real machine, which here is true
    /// of the network only.
    pub fn as_root(self) -> Option<(&'static str, &'static str)> {
        let needed = self == Self::Claude && rustix::process::geteuid().is_root();
        needed.then_some(("IS_SANDBOX", "1"))
    }

    /// Puts its settings where it looks for them.
    pub fn settle(self, home: &Path) -> std::io::Result<()> {
        let (dir, settings) = match self {
            Self::Codex => (".codex", None),
            Self::Claude => (".claude", None),
            Self::Gemini => (
                ".gemini",
                Some(json!({
                    "security": {"auth": {"selectedType": "gemini-api-key"}},
                    "privacy": {"usageStatisticsEnabled": false},
                    "general": {"disableAutoUpdate": true, "disableUpdateNag": true,
                        "maxAttempts": 2},
                    "telemetry": {"enabled": false},
                })),
            ),
            Self::Qwen => (
                ".qwen",
                Some(json!({
                    "privacy": {"usageStatisticsEnabled": false},
                    "general": {"disableAutoUpdate": true, "enableAutoUpdate": false},
                    "telemetry": {"enabled": false},
                })),
            ),
        };
        std::fs::create_dir_all(home.join(dir))?;
        if let Some(settings) = settings {
            std::fs::write(home.join(dir).join("settings.json"), settings.to_string())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_loopback_is_named() {
        let base = "http://127.0.0.1:1/s/text";
        for cli in Cli::ALL {
            let mut words = cli.args(base);
            words.extend(cli.env(base).into_iter().map(|(_, value)| value));
            let addresses: Vec<_> = words.iter().filter(|word| word.contains("://")).collect();
            assert_eq!(addresses.len(), 1, "{cli:?}");
            assert!(addresses.iter().all(|word| word.contains(base)), "{cli:?}");
            assert_eq!(Cli::named(cli.name()), Some(cli));
        }
    }
}
