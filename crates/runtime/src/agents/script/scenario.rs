//! A scenario: rules, and for each the steps of an agent that it fits. Loaded whole or refused with
//! the line and the reason; nothing is run from here.

use std::path::{Path, PathBuf};

use regex_automata::meta::Regex;
use toml::de::DeTable;

use super::dialect::Tongue;
use super::fault::{Problem, ScenarioError};
use super::fields::{Fields, Value, Wrong, line_of};
use super::parse;
use super::step::Step;
use super::text::Text;
use crate::shim::durable;

/// A scenario is written by hand; more than this was not.
pub const SCENARIO_BYTES_MAX: u64 = 1 << 20;
/// The most memory a pattern may be compiled to.
const PATTERN_BYTES_MAX: usize = 1 << 20;
/// Launches are counted in a small number everywhere.
const LAUNCH_MAX: u64 = u32::MAX as u64;

/// One rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Which prompts it fits; none: all.
    pub when: Option<Regex>,
    /// Which launch it fits; none: all.
    pub launch: Option<u32>,
    /// How it talks.
    pub dialect: Tongue,
    /// What it does, in order, once.
    pub steps: Vec<Step>,
}

/// A loaded scenario.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The file it came from.
    pub path: PathBuf,
    /// How it talks where no rule says otherwise.
    pub dialect: Tongue,
    /// Where effects are counted.
    pub effects: Option<Text>,
    /// What it answers to `--version` when it stands in for a program.
    pub version: Option<String>,
    /// What it answers to `--help` when it stands in for a program.
    pub help: Option<String>,
    /// The rules, first fit first.
    pub rules: Vec<Rule>,
}

impl Scenario {
    /// The first rule that fits, with its number from 1.
    #[must_use]
    pub fn choose(&self, prompt: &str, launch: u32) -> Option<(usize, &Rule)> {
        let fits = |rule: &Rule| {
            rule.launch.is_none_or(|wanted| wanted == launch)
                && rule.when.as_ref().is_none_or(|when| when.is_match(prompt))
        };
        (1..).zip(&self.rules).find(|(_, rule)| fits(rule))
    }
}

/// Loads a scenario.
///
/// # Errors
/// The first thing that is wrong with it, with its line.
pub fn load(path: &Path) -> Result<Scenario, ScenarioError> {
    let fault = |line: usize, key: String, problem: Problem| ScenarioError {
        path: path.to_owned(),
        line,
        key,
        problem,
    };
    let file = |problem| fault(0, String::new(), problem);
    let size = std::fs::metadata(path).map(|stat| stat.len());
    let size = size.map_err(|error| file(Problem::Unreadable { why: error.to_string() }))?;
    if size > SCENARIO_BYTES_MAX {
        return Err(file(Problem::TooLarge { bytes_max: SCENARIO_BYTES_MAX }));
    }
    // A link is fine here: the file was named by a person or a test, not found.
    let bytes = path.canonicalize().and_then(|real| durable::read(&real, SCENARIO_BYTES_MAX));
    let bytes = bytes.map_err(|error| file(Problem::Unreadable { why: error.to_string() }))?;
    let source = String::from_utf8(bytes)
        .map_err(|error| file(Problem::Unreadable { why: error.to_string() }))?;
    parse(path, &source).map_err(|wrong| fault(wrong.line, wrong.key, wrong.problem))
}

fn parse(path: &Path, source: &str) -> Result<Scenario, Wrong> {
    let table = DeTable::parse(source).map_err(|error| Wrong {
        line: error.span().map_or(1, |span| line_of(source, span.start)),
        key: String::new(),
        problem: Problem::Syntax { why: error.message().to_owned() },
    })?;
    let top = Fields::new(source, table.get_ref(), 0, "");
    let dialect = top.maybe("dialect").map_or(Ok(Tongue::Stream1), tongue)?;
    let string = |key| top.maybe(key).map(|value| value.str().map(str::to_owned)).transpose();
    let scenario = Scenario {
        path: path.to_owned(),
        dialect,
        effects: top.maybe("effects").map(|value| value.text()).transpose()?,
        version: string("version")?,
        help: string("help")?,
        rules: match top.maybe("rule") {
            None => Vec::new(),
            Some(all) => {
                let all = all.array("[[rule]]")?;
                all.iter().map(|one| rule(one, dialect)).collect::<Result<_, _>>()?
            }
        },
    };
    top.finish()?;
    if scenario.rules.is_empty() {
        return Err(Wrong { line: 0, key: "rule".to_owned(), problem: Problem::NoRules });
    }
    Ok(scenario)
}

fn tongue(value: Value<'_>) -> Result<Tongue, Wrong> {
    value.listed(&Tongue::ALL, Tongue::name)
}

fn rule(value: &Value<'_>, usual: Tongue) -> Result<Rule, Wrong> {
    let fields = value.table("[[rule]]")?;
    let launch = fields.maybe("launch").map(|value| value.whole(1..LAUNCH_MAX + 1)).transpose()?;
    let rule = Rule {
        when: fields.maybe("when").map(|value| pattern(&value)).transpose()?,
        launch: launch.and_then(|launch| u32::try_from(launch).ok()),
        dialect: fields.maybe("dialect").map_or(Ok(usual), tongue)?,
        steps: {
            let steps = fields.need("steps")?.array("[\"end\"]")?;
            steps.iter().map(parse::step).collect::<Result<_, _>>()?
        },
    };
    fields.finish()?;
    Ok(rule)
}

fn pattern(value: &Value<'_>) -> Result<Regex, Wrong> {
    let config = Regex::config().nfa_size_limit(Some(PATTERN_BYTES_MAX));
    let built = Regex::builder().configure(config).build(value.str()?);
    built.map_err(|error| {
        // The parser's picture of the place spans lines; its last line is the reason.
        let why = error.syntax_error().map_or_else(|| error.to_string(), ToString::to_string);
        let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        value.wrong(Problem::Pattern { why })
    })
}
