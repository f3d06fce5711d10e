// The operator's acts: answer, revoke, restore (spec/boundary.md).

const VERDICTS = ["pass", "refuse", "hold"]; // BND-01
const SCOPES = ["call", "conversation", "workspace"]; // BND-27
const EVERYWHERE = Symbol("every agent of the workspace");

/** BND-04: byte for byte, cut at a `-`. */
function descends(ancestor, agent) {
  return agent.startsWith(`${ancestor}-`);
}

/** The agent and those that it descends from, the nearest first. */
function lineage(agent) {
  const parts = agent.split("-");
  return parts.map((_, dropped) => parts.slice(0, parts.length - dropped).join("-"));
}

/** BND-28: what a standing answer is about. */
const classOf = ({ tool, effect }) => JSON.stringify([tool, effect]);

/** One workspace (BND-05): what is held in it, its floors, its standing answers. */
class Workspace {
  /** By agent, the held call (its mark) and what was answered to it: `{call, answer?}`. */
  #held = new Map();
  #floors = new Set();
  /** By place (an agent, or everywhere), the standing verdicts by class. */
  #standing = new Map();

  /** Rules a call that comes before the boundary, for the first time or again (BND-06, BND-35). */
  rule(call, policy) {
    const held = this.#held.get(call.agent);
    // BND-09: an answer is about this very call. BND-08: another call's is gone with it
    const answer = held?.call.id === call.id ? held.answer : undefined;
    const ruling = answer ?? this.#unanswered(call, policy); // BND-11, BND-12, BND-13
    if (ruling === "hold") {
      this.#held.set(call.agent, { call, answer }); // BND-07
    } else {
      this.#held.delete(call.agent); // BND-07, BND-16: the answer is spent
    }
    return { ruling, held: ruling === "hold" ? call.id : null };
  }

  /** The id of the call that is held at an agent, or null. */
  held(agent) {
    return this.#held.get(agent)?.call.id ?? null;
  }

  #unanswered(call, policy) {
    const verdict = policy[call.effect];
    if (verdict === "refuse") return "refuse"; // BND-19, BND-33
    if (this.#isFloored(call.agent)) return call.effect === "read" ? verdict : "hold"; // BND-17, BND-18, BND-32
    return this.#standingFor(call) ?? verdict;
  }

  /** BND-20: its own floor, or that of one it descends from. */
  #isFloored(agent) {
    return this.#floors.size > 0 && lineage(agent).some((place) => this.#floors.has(place));
  }

  /** BND-31: the nearest conversation's standing answer, then the workspace's (BND-29). */
  #standingFor(call) {
    if (this.#standing.size === 0) return undefined;
    const about = classOf(call);
    const place = [...lineage(call.agent), EVERYWHERE].find((each) => this.#standing.get(each)?.has(about));
    return place === undefined ? undefined : this.#standing.get(place).get(about);
  }

  answer({ agent, verdict, scope = "call" }) {
    const held = this.#held.get(agent);
    if (held === undefined) return { refused: "nothing is held at this agent" }; // BND-10
    const { call } = held;
    if (scope !== "call") {
      if (call.effect === "destructive" || call.effect === "secret") {
        return { refused: `a ${call.effect} call is answered one at a time` }; // BND-30
      }
      this.#stand(scope === "workspace" ? EVERYWHERE : agent, call, verdict);
    }
    held.answer = verdict; // BND-15: in the place of an earlier one
    return { receipt: { answered: call.id, drives: verdict !== "hold" } }; // BND-09, BND-14
  }

  /** BND-28, BND-29; BND-34: in the place of an earlier one. */
  #stand(place, call, verdict) {
    if (!this.#standing.has(place)) this.#standing.set(place, new Map());
    this.#standing.get(place).set(classOf(call), verdict);
  }

  // BND-21, BND-24, BND-25: neither act looks at a held call, is refused, or drives
  revoke({ agent }) {
    this.#floors.add(agent); // BND-26: a floor is there or not, and is not counted
    return this.#floorReceipt(agent);
  }

  restore({ agent }) {
    this.#floors.delete(agent); // BND-22: its own alone
    return this.#floorReceipt(agent);
  }

  /** BND-23: derived again after the act. */
  #floorReceipt(agent) {
    return { receipt: { floored: this.#isFloored(agent), drives: false } };
  }
}

/** BND-03: why the envelope is no act, or undefined. */
function malformed({ op, workspace, agent, verdict, scope }) {
  if (!["answer", "revoke", "restore"].includes(op)) return "no such act";
  if (typeof workspace !== "string") return "no workspace";
  if (typeof agent !== "string") return "no agent";
  if (op === "answer" && !VERDICTS.includes(verdict)) return "no such verdict";
  if (op === "answer" && scope !== undefined && !SCOPES.includes(scope)) return "no such scope"; // BND-27
  return undefined;
}

/** The whole boundary: the policy in force, and the workspaces. */
class Boundary {
  #policy;
  #workspaces = new Map();

  constructor(policy) {
    this.#policy = policy;
  }

  /** What comes of one event of a history. */
  take({ call, act, policy }) {
    if (call !== undefined) return this.#workspace(call.workspace).rule(call, this.#policy);
    if (act !== undefined) return this.#act(act);
    this.#policy = policy;
    return { taken: true };
  }

  /** The id of the call that is held at a place, or null. */
  held({ workspace, agent }) {
    return this.#workspace(workspace).held(agent);
  }

  #act(envelope) {
    const refused = malformed(envelope);
    if (refused !== undefined) return { refused };
    return this.#workspace(envelope.workspace)[envelope.op](envelope);
  }

  #workspace(name) {
    if (!this.#workspaces.has(name)) this.#workspaces.set(name, new Workspace());
    return this.#workspaces.get(name);
  }
}

function run({ policy, events }) {
  const boundary = new Boundary(policy);
  return { events: events.map((event) => boundary.take(event)) };
}

/** BND-35: windows whose control is the boundary; each call is ruled when the walk comes to it. */
function joint({ policy, agents, events }) {
  const boundary = new Boundary(policy);
  const place = ({ workspace, agent }) => JSON.stringify([workspace, agent]);
  const calls = new Map(agents.map((step) => [place(step), step.calls]));
  const done = new Set();
  const drive = (where) => {
    const { workspace, agent } = where;
    const [ruled, executed] = [[], []];
    for (const call of calls.get(place(where)) ?? []) {
      const key = place(where) + call.id;
      if (done.has(key)) continue;
      const { ruling } = boundary.take({ call: { workspace, agent, ...call } });
      ruled.push({ id: call.id, ruling });
      if (ruling === "hold") break;
      done.add(key);
      if (ruling === "pass") executed.push(call.id);
    }
    return { ruled, executed, held: boundary.held(where) };
  };
  return { events: events.map((event) => (event.drive ? drive(event.drive) : boundary.take(event))) };
}

/** BND-02: the act's word in `op`, and the members that it needs. */
function envelope(input) {
  const [[op, { workspace, agent, verdict }]] = Object.entries(input);
  return { envelope: { op, workspace, agent, ...(op === "answer" && { verdict }) } };
}

export const ops = {
  "boundary.verdicts": () => ({ verdicts: VERDICTS }),
  "boundary.envelope": envelope,
  "boundary.descends": ({ ancestor, agent }) => ({ descends: descends(ancestor, agent) }),
  "boundary.run": run,
  "boundary.joint": joint,
  "boundary.scoped": run,
};
