// The subject grammar (spec/key.md).
//
// Matching is on bytes (KEY-07), so a subject is held as a string of one character a byte (latin1):
// every operation on strings is then one on bytes, and nothing is folded or normalised.

import { Buffer } from "node:buffer";
import { bytesOf, textOf } from "./text.mjs";

const MOST_ITERATIONS = 9223372036854775807n; // KEY-03
const NODE = "node:";
const STEP = ":step:";
const NODE_INSTANCE = ":taint"; // KEY-11
const CALL_INSTANCE = "#taint"; // KEY-12

/** The one parser of plan keys (KEY-01): their parts, or null. */
function planKey(subject) {
  if (!subject.startsWith(NODE)) return null; // KEY-07: case-sensitive
  const iteration = iterationAt(subject, NODE.length);
  // KEY-05: an iteration that was read stays read, whatever follows
  const start = NODE.length + (iteration === undefined ? 0 : `iter:${iteration}:`.length);

  const colon = subject.indexOf(":", start);
  const end = colon < 0 ? subject.length : colon;
  if (end === start) return null; // KEY-06: a node has a name
  const parts = { key: subject.slice(0, end), iteration, node: subject.slice(start, end) };
  if (colon < 0) return parts;

  // KEY-08: the first `:` after the name opens the Step, and the whole rest is its name
  const step = subject.slice(end + STEP.length);
  return subject.startsWith(STEP, end) && step !== "" ? { ...parts, step } : null;
}

/** The digits of the iteration that opens here, or undefined when none does. */
function iterationAt(subject, start) {
  const opening = /iter:(0|[1-9][0-9]*):/y; // KEY-02; KEY-04: anything else opens none
  opening.lastIndex = start;
  const digits = opening.exec(subject)?.[1];
  if (digits === undefined || digits.length > 19) return undefined;
  return BigInt(digits) <= MOST_ITERATIONS ? digits : undefined;
}

/** KEY-09 */
function isNodeKey(subject) {
  const parts = planKey(subject);
  return parts !== null && parts.step === undefined;
}

/** KEY-10 */
function nodeName(subject) {
  return isNodeKey(subject) ? planKey(subject).node : null;
}

/** What the subject is the instance of, or itself. */
function base(subject) {
  const itself = { base: subject, instance: false };
  const before = subject.slice(0, -NODE_INSTANCE.length); // both suffixes are of one length
  if (!subject.startsWith(NODE)) {
    // KEY-15, and KEY-16 for what has no suffix
    return subject.endsWith(CALL_INSTANCE) ? { base: before, instance: true } : itself;
  }
  if (planKey(subject) !== null) return itself; // KEY-13, KEY-17
  // KEY-14: a node key has an instance, and nothing else that starts with `node:`
  const instance = subject.endsWith(NODE_INSTANCE) && isNodeKey(before);
  return instance ? { base: before, instance } : itself;
}

/** KEY-18; the empty id is allowed here. */
function isLiveId(subject) {
  return !subject.includes("#") && !subject.startsWith(NODE);
}

const read = ({ subject }) => bytesOf(subject).toString("latin1");
const write = (subject) => textOf(Buffer.from(subject, "latin1"));

/** The parts on the wire: those that are there, all texts but the iteration. */
function written(parts) {
  if (parts === null) return null;
  const { key, iteration, node, step } = parts;
  return {
    key: write(key),
    ...(iteration !== undefined && { iteration }),
    node: write(node),
    ...(step !== undefined && { step: write(step) }),
  };
}

export const ops = {
  "key.planKey": (input) => ({ planKey: written(planKey(read(input))) }),
  "key.isNodeKey": (input) => ({ isNodeKey: isNodeKey(read(input)) }),
  "key.nodeName": (input) => {
    const name = nodeName(read(input));
    return { nodeName: name === null ? null : write(name) };
  },
  "key.nodeInstance": (input) => ({ instance: write(read(input) + NODE_INSTANCE) }),
  "key.id": (input) => ({ instance: write(read(input) + CALL_INSTANCE) }),
  "key.base": (input) => {
    const found = base(read(input));
    return { base: write(found.base), instance: found.instance };
  },
  "key.liveId": (input) => ({ live: isLiveId(read(input)) }),
};
