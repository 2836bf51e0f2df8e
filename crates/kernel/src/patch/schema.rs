//! JSON Schemas of the arguments, as agents are told them. What is accepted is decided where the
//! arguments are read; a test holds the two together.

/// Arguments of `apply_patch`.
pub const APPLY_PATCH_SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "path": {"type": "string", "minLength": 1, "maxLength": 4096},
    "old": {"type": "string", "minLength": 1},
    "new": {"type": "string"},
    "expected": {"type": "integer", "minimum": 0, "maximum": 4294967295, "default": 1},
    "diff": {"type": "string", "minLength": 1},
    "expect": {
      "type": "object",
      "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    },
    "dry_run": {"type": "boolean", "default": false}
  },
  "oneOf": [
    {"required": ["path", "old", "new"], "not": {"required": ["diff"]}},
    {
      "required": ["diff"],
      "not": {"anyOf": [
        {"required": ["path"]}, {"required": ["old"]}, {"required": ["new"]},
        {"required": ["expected"]}
      ]}
    }
  ],
  "additionalProperties": false
}"#;

/// Arguments of `write`.
pub const WRITE_SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "path": {"type": "string", "minLength": 1, "maxLength": 4096},
    "text": {"type": "string"},
    "base64": {"type": "string", "contentEncoding": "base64"},
    "mode": {"enum": ["create", "overwrite"]},
    "expect": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "eol": {"enum": ["keep", "lf", "crlf"], "default": "keep"},
    "executable": {"enum": ["keep", true, false], "default": "keep"}
  },
  "required": ["path", "mode"],
  "oneOf": [{"required": ["text"]}, {"required": ["base64"]}],
  "additionalProperties": false
}"#;

/// Arguments of `delete`.
pub const DELETE_SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "path": {"type": "string", "minLength": 1, "maxLength": 4096},
    "expect": {"type": "string", "pattern": "^[0-9a-f]{64}$"}
  },
  "required": ["path"],
  "additionalProperties": false
}"#;
