# What holds calls: `doctor`, and the page of one call.
sandbox-walled = landlock+seccomp: files by Landlock { $abi }, system calls by seccomp; { $carve }
sandbox-carve-mount = protected names are bound read-only
sandbox-carve-detected = no mount namespace here, so protected names are compared after each call and put back
sandbox-carve-none = protected names are not kept
sandbox-prefer = nothing can hold calls here ({ $lacks }), so each is asked first; `sandbox.mode` says what else could be done
sandbox-require = nothing can hold calls here ({ $lacks }), so nothing runs, as `sandbox.mode` requires
sandbox-off = switched off by `sandbox.mode`; it could be { $level } here
sandbox-lacks-landlock = Landlock { $found } of the kernel, at least { $needed } is needed
sandbox-lacks-tries = what must not work did: { $tries }
sandbox-lacks-start = the walls could not be put up

held-walled = It ran behind walls: of the disk it could write the work tree, its own temporary directory and the caches of toolchains, and read little of your home; { $carve }.
held-read = It ran behind walls: it could write its own state and temporary directory only, and read little of your home.
held-none = Nothing held it: it could do whatever you can.
held-put-back = It changed protected files: { $paths }. They are back as they were; what it wrote is in { $aside }.
held-moved = These moved while it ran and were left as they are: { $paths }
held-next = If it was refused something that it needs, a person may allow it: `sandbox.read`, `sandbox.write`, `sandbox.network`.
