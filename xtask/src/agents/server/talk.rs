//! A conversation as any provider is sent it, made plain: who said what, in order. It finds the
//! task that is being worked on, so that a CLI's other requests (titles, memories) disturb nothing.

/// How every prompt of ours begins.
pub const HEADER: &str = "Task for ";

/// One thing that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// By the user, or by the CLI in the user's name.
    User(String),
    /// By the model.
    Model(String),
    /// By a tool that the model had asked for.
    Tool(String),
}

/// The task that a request is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Which one of the conversation, from 1.
    pub number: usize,
    /// Tool answers since it was given.
    pub done: usize,
    /// The prompt, as it arrived.
    pub text: String,
}

/// Finds the task; none when the latest words of the user are something else.
pub fn task(said: &[Said]) -> Option<Task> {
    let at = said.iter().rposition(is_user)?;
    let Said::User(text) = &said[at] else { return None };
    let text = text.trim_start().to_owned();
    if !text.starts_with(HEADER) {
        return None;
    }
    let given =
        |one: &&Said| matches!(one, Said::User(text) if text.trim_start().starts_with(HEADER));
    let number = said.iter().filter(given).count();
    let done = said[at..].iter().filter(|one| matches!(one, Said::Tool(_))).count();
    Some(Task { number, done, text })
}

/// Whether a person's words; what a CLI adds between tags is not.
fn is_user(said: &Said) -> bool {
    matches!(said, Said::User(text) if !text.trim_start().starts_with('<'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_latest_words_of_the_user_count() {
        let user = |text: &str| Said::User(text.to_owned());
        let model = Said::Model(String::new());
        let tool = Said::Tool(String::new());
        let one = user("Task for codex:\nhello");
        let two = user("Task for codex:\nmore");
        let tag = user("<system-reminder>be good</system-reminder>");
        type Row = (&'static str, Vec<Said>, Option<(usize, usize)>);
        let table: [Row; 7] = [
            ("nothing", vec![], None),
            ("first", vec![user("context"), one.clone()], Some((1, 0))),
            ("tags behind it", vec![one.clone(), tag.clone()], Some((1, 0))),
            (
                "after two tools",
                vec![one.clone(), model.clone(), tool.clone(), tag, tool.clone()],
                Some((1, 2)),
            ),
            (
                "second task",
                vec![one.clone(), tool.clone(), model.clone(), two.clone(), tool],
                Some((2, 1)),
            ),
            ("killed before it answered", vec![one.clone(), two], Some((2, 0))),
            ("a title is wanted", vec![one, model, user("Give it a title.")], None),
        ];
        for (name, said, expected) in table {
            let got = task(&said).map(|task| (task.number, task.done));
            assert_eq!(got, expected, "{name}");
        }
    }
}
