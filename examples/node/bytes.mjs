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

/**
 * A deep copy of data (null, booleans, numbers, strings, lists, plain objects), each list and object passed through
 * `keep`. Anything else has no copy that is one's own, and throws a TypeError.
 */
function copied(value, keep) {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
  if (Array.isArray(value)) return keep(value.map((item) => copied(item, keep)));
  if (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype) {
    return keep(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member, keep)])));
  }
  throw new TypeError(`a ${typeof value} cannot be copied`);
}

/** A copy that its holder may write into. */
export const copy = (value) => copied(value, (part) => part);

/** A copy that nobody can write into. */
export const frozenCopy = (value) => copied(value, Object.freeze);
