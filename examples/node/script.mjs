// A script played as the host of a pass: fakes for the gate's seats, and a log of what they saw (spec/pass.md, "On the
// wire").

import { copy, digest } from "./bytes.mjs";

const PERSON_SAYS_YES = [{ say: "allow", record: { settlement: { kind: "approved", by: "person" } } }];

/** Puts the string `written` in the place of every string, in place; what refuses the write is left as it is. */
function writeInto(value) {
  if (typeof value !== "object" || value === null) return;
  for (const name of Object.keys(value)) {
    if (typeof value[name] === "string") Reflect.set(value, name, "written");
    else writeInto(value[name]);
  }
}

/** The answers of a list in turn, the last one again past the end. */
function inTurn(answers) {
  let asked = 0;
  return () => answers[Math.min(asked++, answers.length - 1)];
}

/** The answer without what says how it failed: a seat that throws throws, one that is silent gives undefined. */
function given(answer) {
  if (answer.say === "throw") throw new Error("the seat broke");
  return answer.say === "silent" || answer.say === "unanswered" ? undefined : answer;
}

/** The host of one pass. */
class Host {
  #script;
  #args;
  #begun = false;
  consulted = [];
  observed = [];
  ran;

  constructor(script, args) {
    this.#script = script;
    this.#args = args;
    const { screening, policy, park } = script;
    const resolver = script.resolver ?? PERSON_SAYS_YES;
    if (screening) this.screening = this.#screening(inTurn(screening));
    if (policy) this.policy = this.#policy(inTurn(policy));
    if (park) this.park = this.#seat("park", () => park === "parks");
    if (resolver.length > 0) this.resolver = this.#resolver(inTurn(resolver));

    const { probe, readStation, writeProtection, unstated, org, classifier, mode } = script;
    if (probe) this.probe = this.#seat("probe", () => ({ answer: given(probe), question: probe.question }));
    if (readStation) this.readStation = this.#seat("read_station", () => readStation);
    if (writeProtection) this.writeProtection = this.#seat("write_protection", inTurn(writeProtection));
    if (unstated) this.unstated = this.#seat("unstated", () => unstated);
    if (org) this.org = this.#seat("org", () => org);
    if (classifier) this.classifier = this.#seat("classifier", () => classifier);
    if (mode) this.mode = this.#seat("mode", () => mode);
  }

  isShut = (lock) => this.#script.locks?.includes(lock) ?? false;
  clears = (arm) => this.#script.clears?.includes(arm) ?? false;
  canShow = () => !this.#script.unshown;

  observer = (outcome, input) => {
    this.observed.push({ outcome, input: input === undefined ? null : copy(input) });
    if (this.#writes("observer")) writeInto(input);
  };

  tool = (input) => {
    this.ran = copy(input);
    if (this.#writes("tool")) writeInto(input);
  };

  #writes(who) {
    return this.#script.writers?.includes(who) ?? false;
  }

  /** A seat that logs what it is handed, writes into it where the script says so, and answers. */
  #seat(word, answer) {
    return (input) => {
      this.#log(word, input);
      return answer(input);
    };
  }

  #log(seat, input) {
    this.#begin();
    this.consulted.push({ seat, input: copy(input) });
    if (this.#writes(seat)) writeInto(input);
  }

  /** When the first seat is asked the host writes into its arguments, and puts other seats in the place of its own. */
  #begin() {
    if (this.#begun) return;
    this.#begun = true;
    if (this.#writes("host")) writeInto(this.#args);
    const replacements = {
      screening: () => ({ say: "none" }),
      policy: () => ({ say: "allow" }),
      park: () => true,
      resolver: () => ({ decision: "allow" }),
    };
    for (const name of this.#script.rebinds ?? []) {
      this[name] = (handed) => {
        this.consulted.push({ seat: "replaced", input: copy(name === "resolver" ? handed.input : handed) });
        return replacements[name]();
      };
    }
  }

  #screening(next) {
    return this.#seat("screening", () => given(next()));
  }

  #policy(next) {
    return this.#seat("policy", (input) => {
      const { record, cause, round, ...ruling } = given(next());
      const runs = ruling.rewrite === undefined ? input : ruling.rewrite;
      return {
        ...ruling,
        record: record && this.#record(record, runs),
        classified: { call: this.#script.call, cause, round },
      };
    });
  }

  #resolver(next) {
    return ({ input, origin, classes }) => {
      const asked = copy(input);
      this.#log("resolver", input);
      const { say, record, edit } = given(next());
      if (say === "retired") {
        return { decision: "allow", settlement: { kind: "approved", by: "person" } };
      }
      // what the record leaves out is as in the ask
      const licensed = edit === undefined ? asked : edit;
      return { decision: say, edit, record: record && this.#record({ origin, classes, ...record }, licensed) };
    };
  }

  /** The engine's record on an answer; without `licenses` it is for these bytes. */
  #record({ licenses, ...record }, bytes) {
    return { call: this.#script.call, ...record, digest: digest(licenses === undefined ? bytes : licenses) };
  }
}

/** Plays the script to a pass, and reports what came of it. */
export function run(script, pass) {
  // something that cannot be copied, beside the arguments
  const args = script.unowned ? { args: copy(script.args), handle: () => {} } : copy(script.args);
  const host = new Host(script, args);
  const ended = pass(host, { call: script.call, args, editCap: script.editCap });
  return { ...ended, runs: host.ran, observer: host.observed, consulted: host.consulted };
}
