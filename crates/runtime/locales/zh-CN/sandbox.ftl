# 约束调用的手段：`doctor` 与单次调用的页面。
sandbox-walled = landlock+seccomp：文件由 Landlock { $abi } 约束，系统调用由 seccomp 约束；{ $carve }
sandbox-carve-mount = 受保护名称以只读方式绑定
sandbox-carve-detected = 此处没有挂载命名空间，受保护名称在每次调用后比对并恢复
sandbox-carve-none = 受保护名称未受约束
sandbox-prefer = 此处无法约束调用（{ $lacks }），因此每次都先询问；可用 `sandbox.mode` 改变
sandbox-require = 此处无法约束调用（{ $lacks }），而 `sandbox.mode` 要求沙箱，因此不运行任何东西
sandbox-off = 已由 `sandbox.mode` 关闭；此处本可达到 { $level }
sandbox-lacks-landlock = 内核的 Landlock 为 { $found }，至少需要 { $needed }
sandbox-lacks-tries = 本不该成功的却成功了：{ $tries }
sandbox-lacks-start = 无法建立约束

held-walled = 它在沙箱内运行：磁盘上只能写工作树、自己的临时目录和工具链缓存，主目录中可读的很少；{ $carve }。
held-read = 它在沙箱内运行：只能写自己的状态和临时目录，主目录中可读的很少。
held-none = 没有任何约束：你能做的它都能做。
held-put-back = 它改动了受保护的文件：{ $paths }。这些文件已恢复原样；它写入的内容在 { $aside }。
held-moved = 以下内容在运行期间变化，保持现状：{ $paths }
held-next = 如果它被拒绝了所需的东西，可由人放行：`sandbox.read`、`sandbox.write`、`sandbox.network`。
