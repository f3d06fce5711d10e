// An adapter for gatespec: reads questions on stdin, writes your gate's answers on stdout.
//
// Check it with:  gatespec check -- node adapter.mjs
// What is wrong:  gatespec doctor -- node adapter.mjs
//
// The `key` suite is answered here so that you see one work. Replace its functions with calls into
// your gate, then take on the next suite: add it to SUITES, and answer its ops as the section
// `On the wire` of its chapter says (spec/<suite>.md).

import { createInterface } from "node:readline";

const NAME = "my-gate";
const VERSION = "0.1";
const SUITES = ["key"];
const LACKS = ["bytes"]; // subjects here are text; see `Words for lacks` in each chapter

const LARGEST = 2n ** 63n - 1n;

// KEY-01 to KEY-08: the parts of a plan key, or null.
function planKey(subject) {
  if (!subject.startsWith("node:")) return null;
  let rest = subject.slice(5);
  let iteration;
  const opened = /^iter:(0|[1-9][0-9]*):/.exec(rest);
  if (opened && BigInt(opened[1]) <= LARGEST) {
    iteration = opened[1];
    rest = rest.slice(opened[0].length);
  }
  const colon = rest.indexOf(":");
  const node = colon < 0 ? rest : rest.slice(0, colon);
  const tail = colon < 0 ? "" : rest.slice(colon);
  if (node === "") return null;
  if (tail !== "" && (!tail.startsWith(":step:") || tail === ":step:")) return null;
  const parts = { key: subject.slice(0, subject.length - tail.length), node };
  if (iteration !== undefined) parts.iteration = iteration;
  if (tail !== "") parts.step = tail.slice(6);
  return parts;
}

// KEY-10.
function nodeName(subject) {
  const parts = planKey(subject);
  return parts && parts.step === undefined ? parts.node : null;
}

// KEY-13 to KEY-17.
function base(subject) {
  const before = subject.slice(0, -6);
  if (subject.startsWith("node:")) {
    const instance = subject.endsWith(":taint") && !planKey(subject) && nodeName(before) !== null;
    return instance ? { base: before, instance } : { base: subject, instance };
  }
  const instance = subject.endsWith("#taint");
  return { base: instance ? before : subject, instance };
}

const OPS = {
  "key.planKey": ({ subject }) => ({ planKey: planKey(subject) }),
  "key.isNodeKey": ({ subject }) => ({ isNodeKey: nodeName(subject) !== null }),
  "key.nodeName": ({ subject }) => ({ nodeName: nodeName(subject) }),
  "key.nodeInstance": ({ subject }) => ({ instance: `${subject}:taint` }),
  "key.id": ({ subject }) => ({ instance: `${subject}#taint` }),
  "key.base": ({ subject }) => base(subject),
  "key.liveId": ({ subject }) => ({ live: !subject.includes("#") && !subject.startsWith("node:") }),
  // next: "outcome.mint", spec/outcome.md, I1 to I4
};

function answer({ id, op, input }) {
  if (!Object.hasOwn(OPS, op)) return { id, unsupported: op };
  try {
    return { id, output: OPS[op](input) };
  } catch (error) {
    return { id, error: String(error) }; // a gate that breaks is a failure, never a refusal
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.bye) break;
  const hello = { protocol: 1, name: NAME, version: VERSION, language: "node" };
  const reply = message.hello ? { hello: { ...hello, suites: SUITES, lacks: LACKS } } : answer(message);
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
process.exit(0);
