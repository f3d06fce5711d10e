// The protocol loop (spec/protocol.md): one JSON object a line in, one a line out.
// Each suite has a module of its own, which exports its ops by name.

import { ops as boundary } from "./boundary.mjs";
import { ops as key } from "./key.mjs";
import { ops as ledger } from "./ledger.mjs";
import { ops as outcome } from "./outcome.mjs";
import { ops as pass } from "./pass.mjs";
import { ops as verdict } from "./verdict.mjs";
import { ops as window } from "./window.mjs";

const suites = { key, verdict, window, boundary, outcome, ledger, pass };
const ops = new Map(Object.values(suites).flatMap((suite) => Object.entries(suite)));

const hello = {
  protocol: 1,
  name: "example-node",
  version: "1.0",
  language: "node",
  suites: Object.keys(suites),
  profiles: ["scoped-answers"],
};

/** One answer a request: what the gate says, that it lacks the op, or that it broke. */
function answer({ id, op, input }) {
  const ask = ops.get(op);
  if (ask === undefined) return { id, unsupported: `no op ${op}` };
  try {
    return { id, output: ask(input) };
  } catch (error) {
    return { id, error: String(error?.stack ?? error) };
  }
}

/** The line that answers this one, or null when it says goodbye. */
function reply(line) {
  const message = JSON.parse(line);
  if (message.bye !== undefined) return null;
  return `${JSON.stringify(message.hello === undefined ? answer(message) : { hello })}\n`;
}

let unfinished = [];
process.stdin.setEncoding("utf8");
for await (const chunk of process.stdin) {
  const lines = chunk.split("\n");
  unfinished.push(lines.shift());
  if (lines.length === 0) continue; // no line ends in this chunk
  lines.unshift(unfinished.join(""));
  unfinished = [lines.pop()];

  const replies = lines.map(reply);
  const bye = replies.indexOf(null);
  process.stdout.write((bye < 0 ? replies : replies.slice(0, bye)).join(""));
  if (bye >= 0) break; // leaving the loop closes stdin, and the process ends
}
