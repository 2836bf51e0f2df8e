# Questions to people: the text by `question-<kind>`, an option's label by `question-<kind>-<key>`.
question-call-ask = May this command run? { $about }
question-call-ask-allow = Allow it
question-call-ask-deny = Deny it
question-call-settle = Nobody knows whether this call happened. What became of it? { $about }
question-call-settle-happened = It happened
question-call-settle-did_not_happen = It did not happen
question-call-settle-undo = Take it back
question-loop-menu = What next? { $about }
question-loop-unverified = The checks could not prove the work ({ $about }). What is to be done?
question-loop-paused = The loop stands still. { $about } What is to be done?
question-collab-confirm = The result is degraded. What is to be done with it? { $about }
question-collab-confirm-accept = Use the degraded result
question-collab-confirm-override = Continue anyway
question-collab-confirm-wait = Keep waiting
question-collab-confirm-cancel = Cancel
question-other = { $kind }: { $about }

cmd-questions = All open questions, the oldest first
    .run = only those of this run and the runs below it
cmd-answer = Answer an open question
    .question = a question's id, a unique beginning of it, or a run that asks only one
    .key = an option's key, its number or its whole label
    .text = what goes with the answer
    .hash = answer only if exactly this is still what is asked
    .scope = how far the yes reaches: once, or session
cmd-drive-zhi = Ask a person through an MCP server; started by us only
    .dir = the directory of the call
    .request = what to ask, and whom

questions-none = Nothing waits for an answer.
questions-item = { $id }  ({ $machine }, since { $since })
questions-option = { $n }. { $key }  { $label }
questions-with = Answer with `loopwright answer { $id } KEY`.
questions-by = Answer with `{ $command }`.
questions-with-text = Answer with `loopwright answer { $id } KEY --text TEXT`.
questions-until = Closes by itself at { $until }.
questions-type = Type a number or a key, and what goes with it.
questions-yes-alone = A yes stands alone on its line; this was not taken as one. Say it alone, or give another answer.
questions-answered = Answered { $id } with { $key }; { $run } is { $state } now.

any-unknown_option-answer = no such answer is offered
    .full = { $option } is not among the answers of { $question_id }
    .next = Use one of these keys: { $offered }.
any-no_such-question = no such question is open
    .full = no open question is named { $id }
    .next = See the open questions and use one of their ids.
any-ambiguous_command-question = the name fits several questions
    .full = { $command } fits several questions: { $candidates }
    .next = Write the whole id of the one that is meant.

zhi-again = Your last reply was kept as a comment; it was none of the options. Please choose one.
zhi-hint-override = needs a reason, written as text
