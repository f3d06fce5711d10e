// A call's input: copies of it, and the digest by which one is told from another.

import { createHash } from "node:crypto";

/** One spelling a value: members in order of their names, no white space (LED-27). */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.keys(value).sort();
    return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
  }
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}

/** The digest of an input: the same for two inputs exactly when they are the same input (LED-27). */
export function digest(value) {
  return createHash("sha256").update(canonical(value)).digest("base64");
}
