# The demo's story.
demo-title = Five steps that must run exactly once
demo-project = A small project in { $dir }: five steps that each leave one line in ran.log, and a check that every line is there exactly once.
demo-start = Loop { $id } starts with { $steps } steps. A detached engine drives it; this terminal only looks on.
demo-wait-steps = waiting for the second step to begin
demo-kill = kill -9 of the engine (pid { $pid }) while a step is running.
demo-orphan = The step itself goes on under its shim; nobody is watching it now.
demo-again = A new engine starts: it reads the journal, finds the running step again, and goes on.
demo-follow = the loop did not complete
demo-proof = The proof, by what the steps themselves left behind:
demo-journal = The journal holds { $records } records, every hash verified; { $calls } calls, each started once.
demo-end = Done in { $seconds } s: nothing was lost and nothing ran twice. Everything is removed again.
cmd-demo = A loop that survives kill -9, in a temporary project
