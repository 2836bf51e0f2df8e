# 设置文件的问题。绝不重复其值。
settings-syntax = { $at }：无法按 TOML 读取
settings-unknown = { $at }：未知设置 { $key }
settings-unknown-near = { $at }：未知设置 { $key }；相近：{ $nearest }
settings-shape = { $at }：{ $key } 应写作 { $expected }
settings-not-listed = { $at }：{ $key } 应为以下之一：{ $known }
settings-whole = { $at }：{ $key } 必须是 { $min } 到 { $max } 之间的整数
settings-range = { $at }：{ $key } 必须在 { $min } 到 { $max } 之间
settings-above = { $at }：{ $key } 不得高于 { $other }
settings-credential = { $at }：{ $key } 含明文凭据；请改用环境变量名
settings-source-built_in = 内置
settings-source-user = 用户文件
settings-source-workspace = 工作区文件
settings-source-environment = 环境变量
settings-source-flag = 标志
