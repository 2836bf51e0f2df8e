//! The words by which texts are scored and judged. Lists only; how they are counted is said by the
//! rubric, and a word here is a word of the page.

/// V: words that wish for a change.
pub const CHANGE: &[&str] = &[
    "加个",
    "加一",
    "添加",
    "新增",
    "增加",
    "加上",
    "创建",
    "新建",
    "实现",
    "编写",
    "开发",
    "做个",
    "修改",
    "改为",
    "改成",
    "换成",
    "替换",
    "调整",
    "更新",
    "升级",
    "修复",
    "修正",
    "解决",
    "删除",
    "移除",
    "去掉",
    "重命名",
    "优化",
    "改进",
    "完善",
    "重构",
    "重写",
    "迁移",
    "集成",
    "接入",
    "支持",
    "生成",
    "搭建",
    "清空",
    "add",
    "create",
    "build",
    "implement",
    "write",
    "develop",
    "make",
    "change",
    "modify",
    "replace",
    "adjust",
    "update",
    "upgrade",
    "bump",
    "fix",
    "repair",
    "solve",
    "delete",
    "remove",
    "drop",
    "rename",
    "optimize",
    "optimise",
    "improve",
    "enhance",
    "refactor",
    "rewrite",
    "migrate",
    "integrate",
    "support",
    "generate",
    "scaffold",
    "set",
    "move",
    "split",
    "extract",
];

/// Words that say nothing about a goal.
pub const EMPTY_WORDS: &[&str] = &[
    "the", "a", "an", "to", "of", "in", "for", "and", "please", "it", "me", "my", "our", "this",
    "that",
];

/// Transforms said with one word.
pub const TRANSFORMS: &[&str] = &["改为", "改成", "换成", "替换为", "重命名为"];

/// Transforms said with two words, in this order in one clause.
pub const TRANSFORM_PAIRS: &[(&str, &str)] = &[
    ("从", "到"),
    ("from", "to"),
    ("rename", "to"),
    ("rename", "with"),
    ("change", "to"),
    ("change", "with"),
    ("set", "to"),
    ("set", "with"),
    ("bump", "to"),
    ("bump", "with"),
    ("replace", "to"),
    ("replace", "with"),
];

/// Phrases that name no goal.
pub const VAGUE: &[&str] = &[
    "优化代码",
    "优化一下",
    "改进一下",
    "完善一下",
    "改进交互",
    "优化性能",
    "improve the code",
    "make it better",
    "clean up the code",
    "optimize it",
    "optimise it",
];

/// O: words of an outcome.
pub const OUTCOME: &[&str] = &[
    "应该",
    "应当",
    "能够",
    "可以",
    "返回",
    "显示",
    "提示",
    "使得",
    "确保",
    "期望",
    "完成后",
    "成功后",
    "跳转",
    "输出",
    "should",
    "must",
    "return",
    "returns",
    "show",
    "shows",
    "so that",
    "ensure",
    "expected",
    "then",
    "redirects",
    "prints",
    "exits",
];

/// K: words of a check.
pub const CHECK: &[&str] = &[
    "测试",
    "验证",
    "断言",
    "退出码",
    "状态码",
    "覆盖率",
    "test",
    "tests",
    "verify",
    "assert",
    "exit code",
    "status code",
    "coverage",
];

/// E: words of what goes wrong.
pub const TROUBLE: &[&str] = &[
    "错误",
    "异常",
    "失败",
    "边界",
    "为空",
    "空值",
    "超时",
    "非法",
    "无效",
    "并发",
    "error",
    "errors",
    "fail",
    "fails",
    "failure",
    "edge",
    "empty",
    "null",
    "timeout",
    "invalid",
    "concurrent",
];

/// Words of a place.
pub const PLACE: &[&str] = &[
    "模块",
    "页面",
    "接口",
    "文件",
    "函数",
    "组件",
    "按钮",
    "路由",
    "命令",
    "目录",
    "服务",
    "module",
    "page",
    "endpoint",
    "api",
    "file",
    "function",
    "component",
    "button",
    "route",
    "command",
    "directory",
    "service",
];

/// Words of a limit.
pub const LIMIT: &[&str] = &[
    "只改",
    "仅",
    "只在",
    "不要改",
    "不要动",
    "不涉及",
    "不修改",
    "only",
    "except",
    "do not touch",
    "do not change",
];

/// C: words of a constraint.
pub const CONSTRAINT: &[&str] = &[
    "必须",
    "不得",
    "不能",
    "禁止",
    "兼容",
    "版本",
    "依赖",
    "截止",
    "性能",
    "不引入",
    "离线",
    "must",
    "without",
    "compatible",
    "version",
    "dependency",
    "dependencies",
    "deadline",
    "no new",
    "offline",
    "within",
];

/// Phrases that say that there are no constraints.
pub const UNCONSTRAINED: &[&str] = &["无特殊限制", "no special constraints"];

/// Words of a new project.
pub const NEW_PROJECT: &[&str] = &[
    "做个",
    "做一个",
    "新建项目",
    "创建项目",
    "从零开始",
    "搭建",
    "from scratch",
    "new project",
    "scaffold",
];

/// Words that show that something is there already.
pub const EXISTING: &[&str] =
    &["修改", "优化", "修复", "修正", "调整", "fix", "change", "modify", "update", "optimize"];

/// Words of work that reaches far.
pub const FAR: &[&str] = &[
    "重构",
    "重写",
    "迁移",
    "refactor",
    "rewrite",
    "migrate",
    "跨模块",
    "所有模块",
    "整个项目",
    "全局",
    "across modules",
    "all modules",
    "whole project",
    "架构",
    "技术选型",
    "数据模型",
    "architecture",
    "tech stack",
    "data model",
];

/// Words of a change in one place.
pub const POINT: &[&str] = &[
    "修复",
    "修改",
    "改为",
    "改成",
    "换成",
    "替换",
    "调整",
    "修正",
    "重命名",
    "拼写",
    "文案",
    "删除",
    "移除",
    "rename",
    "bump",
    "typo",
    "change",
    "replace",
    "set",
    "remove",
    "fix",
];

/// Endings of files that are sources or documents.
pub const EXTENSIONS: &[&str] = &[
    "rs", "py", "js", "jsx", "ts", "tsx", "mjs", "cjs", "vue", "svelte", "go", "java", "kt", "kts",
    "swift", "c", "h", "cc", "cpp", "hpp", "cs", "rb", "php", "dart", "scala", "lua", "pl", "sh",
    "bash", "zsh", "fish", "sql", "html", "htm", "css", "scss", "less", "json", "jsonl", "yaml",
    "yml", "toml", "xml", "ini", "cfg", "conf", "env", "proto", "graphql", "md", "mdx", "rst",
    "txt", "adoc", "csv", "lock", "gradle", "cmake", "mk", "tf", "ipynb", "ex", "exs", "erl", "hs",
    "ml", "clj", "r", "jl", "zig", "nim",
];

/// D: words of a deed that gives something away or breaks a guard.
pub const DEED: &[&str] = &[
    "删除", "清空", "导出", "打印", "记录", "上传", "公开", "绕过", "关闭", "禁用", "提升", "授予",
    "delete", "dump", "export", "log", "print", "upload", "expose", "bypass", "disable", "grant",
    "escalate", "purge", "flush",
];

/// Words that send something live, besides V.
pub const RELEASE: &[&str] = &["部署", "发布", "上线", "deploy", "release", "push"];

/// Words of a text that only describes.
pub const DESCRIBE: &[&str] = &["说明", "解释", "文档", "document", "explain", "describe"];

/// Negations; what follows one is not wished for.
pub const NEGATION: &[&str] = &["不要", "禁止", "避免", "never", "do not", "avoid"];

/// Words by which a person waives further questions.
pub const NO_MORE_QUESTIONS: &[&str] = &["别问了", "直接做", "skip the questions"];
