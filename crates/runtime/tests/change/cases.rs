//! The changes that are tried: each tool, each kind of target.

use kernel::patch::{ApplyPatch, Delete, Write};
use loopwright_runtime::change::{self, Problem, Work};
use loopwright_runtime::files::{HardLinks, Root};
use loopwright_runtime::tree::Hash;
use serde_json::{Value, json};

use crate::world::World;

const SEVERAL: &str = "\
diff --git a/a b/a
--- a/a
+++ b/a
@@ -1,3 +1,3 @@
 one
-two
+zwei
 three
diff --git a/n/m/new b/n/m/new
new file mode 100755
--- /dev/null
+++ b/n/m/new
@@ -0,0 +1 @@
+new
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/d/moved b/e/moved
rename from d/moved
rename to e/moved
diff --git a/b b/b
old mode 100644
new mode 100755
--- a/b
+++ b/b
@@ -1,2 +1,2 @@
-four
+vier
 five
";

/// Every change by name: the tool and its arguments.
pub fn all() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("create", "write", json!({ "path": "new", "text": "x\n", "mode": "create" })),
        ("create below", "write", json!({ "path": "p/q/new", "text": "x", "mode": "create" })),
        ("overwrite", "write", json!({ "path": "run", "text": "#!\n", "mode": "overwrite" })),
        ("empty", "write", json!({ "path": "a", "text": "", "mode": "overwrite" })),
        (
            "mode alone",
            "write",
            json!({ "path": "gone", "text": "bye\n", "mode": "overwrite", "executable": true }),
        ),
        ("edit", "apply_patch", json!({ "path": "a", "old": "two", "new": "2" })),
        ("several", "apply_patch", json!({ "diff": SEVERAL })),
        ("delete", "delete", json!({ "path": "gone" })),
        ("delete a link", "delete", json!({ "path": "link" })),
        ("delete a directory", "delete", json!({ "path": "d/empty" })),
    ]
}

/// Works out a change, everything it needs having been read.
pub fn work(world: &World, tool: &str, args: &Value) -> Result<Work, Problem> {
    let known = |path: &str| {
        let link = std::fs::read_link(world.path(path)).ok();
        let link = link.map(|target| target.to_str().unwrap().as_bytes().to_vec());
        link.or_else(|| world.get(path)).map(|bytes| Hash::of(&bytes))
    };
    of(&world.root, tool, args, &known)
}

/// Works out a change with these tickets.
pub fn of(
    root: &Root,
    tool: &str,
    args: &Value,
    known: change::Known<'_>,
) -> Result<Work, Problem> {
    match tool {
        "write" => change::write(root, &Write::read(args)?, known, HardLinks::Refuse),
        "delete" => change::delete(root, &Delete::read(args)?, known),
        _ => change::apply_patch(root, &ApplyPatch::read(args)?, known, HardLinks::Refuse),
    }
}
