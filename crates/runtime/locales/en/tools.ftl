# Tools of the engine's own, and taking a call back.
cmd-tool = Tools that read and change files, as calls that can be taken back
cmd-tool-list = All tools: what repeating them means, and what they need
cmd-tool-run = Run one tool and wait for its result
    .name = a tool: read, list, search, write, apply_patch, delete
    .pairs = its arguments; values are JSON where they can be, else text
    .args = all arguments as one JSON object; - reads it from standard input
    .headless = ask nothing on the terminal
cmd-undo = Take a call back: every byte that it changed
    .call = the call
    .force = move aside what was changed since, then take back
col-class = class
col-permission = needs
col-also = also known as
tool-done = { $call }
tool-undone = { $call } was taken back.
