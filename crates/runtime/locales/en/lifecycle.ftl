# What people read of a lifecycle: why it refuses, what comes next, its questions, its documents.
lifecycle-not_now = the command does not fit the state
    .full = { $command } is not possible in { $state }. { $case ->
        [rolling] A rollback is under way.
        [waiting] Nothing is running; it waits for you.
       *[state] It needs { $needed }.
    }
    .next = { $command ->
        [USER_MODIFY] Change tasks that have not started with `lifecycle amend`, or abort it and start anew.
       *[other] Use one of the allowed commands.
    }
lifecycle-ended = the run is over
    .full = { $command } is not possible in { $state }. This run is over ({ $outcome }); a new requirement starts a new run.
    .next = Look at how it ended, or give a new requirement.
lifecycle-busy = another run is at work here
    .full = { $command } is not possible in { $state }. { $holder } is at work here.
lifecycle-answered = the question has its answer
    .full = { $command } is not possible in { $state }. The question has its answer.
lifecycle-not_held = it is not paused
    .full = { $command } is not possible in { $state }. It is not paused.
lifecycle-derived = it follows from evidence and cannot be sent
    .full = { $command } is not possible in { $state }. It follows from evidence and cannot be sent.
    .when = Somebody sent a trigger that only the engine records, when its evidence is there.
    .next = Let the engine check the work, or use one of the allowed commands.
lifecycle-needs_person = only a person may do this
    .full = { $command } is not possible in { $state }. Only a person may do this.
lifecycle-plan_changed = the plan changed since it was shown
    .full = { $command } is not possible in { $state }. The plan changed since it was shown.
    .next = Look at the plan as it is now, and confirm that one.
lifecycle-definition_changed = a check is not the one that was approved
    .full = a check is defined otherwise than approved ({ $hash })
    .next = Look at the change; if it is right, accept it with `lifecycle fix --fixed --accept-definition { $hash }`.
    .otherwise = Look at the change; if it is right, accept it with `lifecycle fix --fixed --accept-definition HASH`.
lifecycle-unsettled = nobody knows yet whether a call happened
    .full = nobody knows yet whether { $call } happened
    .when = The run stands still because of a call whose outcome is unknown, and that must be settled first.
    .next = Say what became of the call, then give the fix.
lifecycle-not_current = the task is not the one in work
    .full = { $task } is not the task in work
    .when = Somebody reported on a task that is neither in work nor ready.
    .next = See which task is in work.
lifecycle-no_task = no task is in work
    .when = The run stands still for a reason that is not one task's, so there is none to skip.
    .next = Remove the reason, or roll back or abort.
lifecycle-no_run = there is no run yet
    .when = A note needs a run to belong to.
    .next = Give a requirement first.
lifecycle-no_checkpoint = there is no whole checkpoint to go back to
    .full = { $checkpoint } is no whole checkpoint
    .when = The checkpoint is not there or is damaged, or none was made yet.
    .next = Name another one of the list.
lifecycle-immutable = a task that has begun is not changed
    .full = { $tasks } has begun and is not changed
    .when = An amendment touches tasks that are no longer pending.
    .next = Amend pending tasks only, or add new ones.
lifecycle-budget = nothing left to spend
    .next = Give it more with `lifecycle fix --fixed --add-turns N`, or with `--add-wall` or `--add-cost-usd`.
lifecycle-no_such-task = no such task
    .full = no task is named { $id }
    .next = Use one of those near it: { $near }.
    .otherwise = See the tasks and use one of their ids.
lifecycle-invalid_args = a field is not valid
    .full = { $field }: { $problem }
lifecycle-use_command = a command does this, not an edit
    .full = { $what } is changed by a command, not by an edit
    .when = Somebody edited a key of the page that only shows the state.
    .next = Use one of the allowed commands.
lifecycle-unparsable = the page cannot be read
    .full = line { $line } of the page cannot be read: { $why }
    .when = The page was edited so that it cannot be read, and was refused whole.
    .next = Your file is kept; take what you need from it into the page as it is drawn now.
any-use_amend = an amendment of the plan does this, not an edit
    .when = Somebody edited a task line beyond its mark.
    .next = Change tasks that have not started by an amendment.
any-view_only = this is only shown
    .when = Somebody edited what is drawn from state and has no command.
    .next = Write it into the scratchpad; the rest is drawn anew.

lifecycle-broken-too_large = the file is too large
lifecycle-broken-not_utf8 = it is not UTF-8
lifecycle-broken-no_fence = the front matter does not begin with ---
lifecycle-broken-open_fence = the front matter is not closed by ---
lifecycle-broken-duplicate_key = the key stands there twice: { $found }
lifecycle-broken-anchor = anchors and aliases are not read: { $found }
lifecycle-broken-tag = tags are not read: { $found }
lifecycle-broken-not_a_pair = this is no `key: value`: { $found }
lifecycle-broken-nested = a key stands at the beginning of its line: { $found }
lifecycle-broken-collection = lists and maps are not read: { $found }
lifecycle-broken-block_text = texts of several lines are not read: { $found }
lifecycle-broken-open_quote = a quote is not closed: { $found }
lifecycle-broken-bad_escape = no such escape: { $found }
lifecycle-broken-after_quote = something follows the closing quote: { $found }
lifecycle-broken-no_section = a heading is missing: { $found }

lifecycle-page-notice = An edit of { $file } was not taken in: { $what }
lifecycle-page-warned = An edit of { $file } was taken in with a doubt: { $what }
lifecycle-page-use_command = line { $line }: { $what } is changed by a command
lifecycle-page-use_amend = line { $line }: { $what } is changed by an amendment
lifecycle-page-view_only = line { $line }: this is only shown ({ $what })
lifecycle-page-use_amend-whole = what it says is changed by an amendment
lifecycle-page-view_only-whole = it is only shown
lifecycle-page-invalid_args = line { $line }: { $what } is too long
lifecycle-page-unparsable = line { $line }: { $what }
lifecycle-page-conflict = the page it was made from is too old
lifecycle-page-no_effect = it has no effect on the package that is being run
lifecycle-page-secret = it holds a secret; hand secrets over by `env.pass`
lifecycle-page-refused = line { $line }: { $what } is refused ({ $code })
lifecycle-page-next = Allowed now: { $allowed }.
lifecycle-page-next-none = Nothing is allowed now but to read it.
lifecycle-page-next-command = Use `{ $command }`.
lifecycle-no-change = nothing was changed
lifecycle-mark-foreign_mark = line { $line }: [{ $found }] is another tool's mark; it is read as { $status }
lifecycle-mark-unknown_mark = line { $line }: nobody knows the mark [{ $found }]; it is read as { $status }
lifecycle-mark-ambiguous_mark = line { $line }: [{ $found }] may mean done or failed; it is read as { $status }
lifecycle-mark-mark_disagrees = line { $line }: the sign and the word of [{ $found }] differ; it is read as { $status }
lifecycle-mark-command_in_prose = line { $line }: a command within words is not run: { $found }

lifecycle-plan-problem = line { $line }: { $what }
lifecycle-plan-too_large = the document is too large
lifecycle-plan-not_utf8 = the document is not UTF-8
lifecycle-plan-no_tasks = there is no task in it; write them as `- [ ] T-1: title`
lifecycle-plan-too_many_tasks = { $found } tasks are more than one plan may have
lifecycle-plan-no_id = a task has no id: { $found }; write `- [ ] T-1: { $found }`
lifecycle-plan-bad_id = this can be no id: { $found }
lifecycle-plan-no_title = the task has no title: { $found }
lifecycle-plan-duplicate_id = the id stands there twice: { $found }
lifecycle-plan-too_deep = the id has more than three levels: { $found }
lifecycle-plan-unknown_dependency = it depends on a task that is not there: { $found }
lifecycle-plan-cycle = the tasks depend on each other in a circle: { $found }
lifecycle-plan-bad_path = this is no path in the workspace: { $found }
lifecycle-plan-bad_command = the command cannot be run as it is: { $found }

question-lifecycle-plan = The plan could not be made, what is to be done? { $about }
question-lifecycle-plan-retry = Try again (a plan document is read anew)
question-lifecycle-plan-modify = Say it otherwise (with the new words)
question-lifecycle-plan-cancel = Cancel it
question-lifecycle-confirm = May this plan run? { $about }
question-lifecycle-confirm-go = Run it
question-lifecycle-confirm-modify = Plan anew (with what is to be different)
question-lifecycle-confirm-cancel = Cancel it
question-lifecycle-blocked = It stands still: { $about }. What is to be done?
question-lifecycle-blocked-fix = Go on with your advice (as text); without a text: it is fixed, check again
question-lifecycle-blocked-rollback = Go back to the last checkpoint
question-lifecycle-blocked-skip = Skip the task and those that need it
question-lifecycle-blocked-abort = End it here, files stay as they are
question-lifecycle-rollback = May it go back like this? { $about }
question-lifecycle-rollback-go = Go back
question-lifecycle-rollback-cancel = Leave everything as it is

lifecycle-state-idle = Idle
lifecycle-state-planning = Planning
lifecycle-state-confirming = Confirming
lifecycle-state-executing = Executing
lifecycle-state-auto-fix = Auto-fix
lifecycle-state-blocked = Blocked
lifecycle-state-archiving = Archiving

lifecycle-halted-rule = the rule { $rule } denies it
lifecycle-halted-cancelled = the turn was cancelled by { $by }
lifecycle-halted-rollback = it stopped at { $at }: { $why }. { $done } paths are back, { $left } are not; go back again to continue. What was there before is kept as { $undo }
lifecycle-closed-evidence = its checks passed
lifecycle-closed-person = a person
lifecycle-closed-dependency = a task it depends on
lifecycle-closed-policy = on_failure = continue
lifecycle-warned-no_checkpoint = no checkpoint was made: { $what }
lifecycle-warned-flaky = { $what } passed on the very files it had failed on
lifecycle-warned-self_modifying = { $what } changes the files it checks
lifecycle-warned-unavailable = a check that is not required could not be run: { $what }
lifecycle-warned-fail = { $what } failed, but is not required
lifecycle-warned-empty = { $what } ran no test
lifecycle-child-refused = { $what }. { $next }
lifecycle-why-fix_limit = every allowed fix failed
lifecycle-why-same_failure = the same failure came back
lifecycle-why-force_stop = a person stopped the fixing
lifecycle-why-cannot_verify = a check could not be run
lifecycle-why-definition_changed = a check is defined otherwise than approved
lifecycle-why-tree_moving = files kept changing while they were checked
lifecycle-why-outcome_unknown = nobody knows whether a call happened
lifecycle-why-policy_denied = policy or a person denied it
lifecycle-why-io = the file system or a process failed
lifecycle-why-agent_unavailable = no agent can be used
lifecycle-why-agent_blocked = the agent did not go on
lifecycle-why-quota = the agent's rate limit is reached
lifecycle-why-checkpoint_failed = no checkpoint could be made
lifecycle-why-branch_changed = another branch is checked out
lifecycle-why-budget = the budget is spent
lifecycle-why-rollback_failed = the rollback stopped half-way

lifecycle-outcome-completed = completed
lifecycle-outcome-partial = partly done
lifecycle-outcome-aborted = aborted
lifecycle-outcome-rolled_back = rolled back
lifecycle-outcome-cancelled = cancelled

lifecycle-pointer-interrupted = Task { $task } was interrupted; going on.
lifecycle-pointer-stuck = Task { $task } is stuck and needs you.
lifecycle-pointer-plan = A plan waits for your answer.

# Who spoke, within a sentence.
speaker-person = a person
speaker-guest = a guest
speaker-agent = the agent
speaker-parent = the run above
speaker-file = an edit of the page
speaker-timer = a timer
speaker-engine = the engine
speaker-policy = on_failure = continue
