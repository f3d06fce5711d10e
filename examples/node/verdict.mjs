// The tool-control seam: one consult of one control (spec/verdict.md).

import { isUtf8 } from "node:buffer";
import { bytesOf } from "./text.mjs";

/** The output is no verdict; the message says why. */
class NoVerdict extends Error {}

const WHITE = new Set([" ", "\t", "\n", "\r"]);
const WORDS = new Set(["pass", "refuse", "hold"]); // VER-17

/**
 * Reads an output that may be a verdict, token by token. A verdict is a flat object of strings, so nothing nested
 * is ever entered: no depth and no length of an output exhausts the reader (VER-21).
 */
class Reader {
  #text;
  #at = 0;

  constructor(text) {
    this.#text = text;
  }

  /** Takes the mark if it is the next token. */
  takes(mark) {
    this.#skipWhite();
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  expect(mark) {
    if (!this.takes(mark)) throw new NoVerdict(`expected ${mark} at character ${this.#at}`);
  }

  /** The value of the string that comes next, its escapes read. */
  string() {
    this.expect('"');
    const start = this.#at - 1;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    }
    this.#at += 1;
    const value = parseString(this.#text.slice(start, this.#at));
    if (!value.isWellFormed()) throw new NoVerdict("a lone surrogate"); // VER-21
    return value;
  }

  /** VER-16: nothing but white space after the object. */
  expectEnd() {
    this.#skipWhite();
    if (this.#at !== this.#text.length) throw new NoVerdict(`more than one object: at character ${this.#at}`);
  }

  #skipWhite() {
    while (WHITE.has(this.#text[this.#at])) this.#at += 1;
  }
}

function parseString(token) {
  try {
    return JSON.parse(token);
  } catch {
    throw new NoVerdict("a string that is not JSON's");
  }
}

/** The members of the object that the text is: names and strings. */
function readMembers(text) {
  const reader = new Reader(text);
  const members = new Map();
  reader.expect("{"); // VER-16
  if (!reader.takes("}")) {
    do {
      const name = reader.string();
      if (members.has(name)) throw new NoVerdict(`a doubled member ${name}`); // VER-20
      reader.expect(":");
      members.set(name, reader.string());
    } while (reader.takes(","));
    reader.expect("}");
  }
  reader.expectEnd();
  return members;
}

/** The verdict that a control printed before it exited 0, or throws NoVerdict. */
function readVerdict(output) {
  if (!isUtf8(output)) throw new NoVerdict("not UTF-8"); // VER-21
  const members = readMembers(output.toString("utf8"));
  for (const name of members.keys()) {
    if (name !== "verdict" && name !== "reason") throw new NoVerdict(`an unknown member ${name}`); // VER-19
  }
  const verdict = members.get("verdict");
  if (!WORDS.has(verdict)) throw new NoVerdict("no such verdict"); // VER-17
  // VER-18: a reason beside refuse and hold, and none beside pass
  if (members.has("reason") !== (verdict !== "pass")) throw new NoVerdict(`a reason out of place beside ${verdict}`);
  return verdict === "pass" ? { verdict } : { verdict, reason: members.get("reason") }; // VER-22
}

function parse(output) {
  try {
    return readVerdict(bytesOf(output));
  } catch (error) {
    if (error instanceof NoVerdict) return { fault: error.message };
    throw error;
  }
}

/** What stands on the control's stdin: the call's own values (VER-03), the input as it is (VER-04). */
function request({ id, name, input, role, agentId }) {
  return { id, name, input, role, agent_id: agentId };
}

const GATE_OF = { pass: "proceed", refuse: "refuse", hold: "hold" }; // VER-05, VER-06, VER-07

/** The ruling on what became of a control that was consulted. */
function rule(answer, stop) {
  if (answer.spawn === "failed") return { gate: "fault", detail: "it does not spawn" }; // VER-08
  if (answer.timedOut) return { gate: "fault", detail: "it did not end in time" }; // VER-12: under the stop flag too
  if (answer.signal !== undefined) {
    // VER-13: a kill under the stop flag is the stop's, and VER-09: any other is a fault
    return stop ? { gate: "stopped" } : { gate: "fault", detail: `killed by signal ${answer.signal}` };
  }
  if (answer.exit !== 0) return { gate: "fault", detail: `exited with code ${answer.exit}` }; // VER-10
  const { verdict, reason, fault } = parse(answer.stdout);
  if (fault !== undefined) return { gate: "fault", detail: `printed no verdict: ${fault}` }; // VER-11
  return { gate: GATE_OF[verdict], reason }; // VER-14: under the stop flag too
}

/** Brings one call before the seam. */
function adjudicate({ configured, command, call, answer, stop }) {
  if (!configured) return { gate: "proceed", consulted: false }; // VER-01
  const ruling = { ...rule(answer, stop), consulted: true }; // VER-02
  return ruling.gate === "fault" ? { ...ruling, command, tool: call.name } : ruling; // VER-15
}

/** What the model reads of a refused call (VER-23), without an exit code (VER-24). */
function refusalText({ tool, reason }) {
  return { text: `The call of ${tool} was refused: ${reason}`, isError: true };
}

export const ops = {
  "verdict.parse": ({ output }) => parse(output),
  "verdict.request": ({ call }) => ({ request: request(call) }),
  "verdict.adjudicate": adjudicate,
  "verdict.refusalText": refusalText,
};
