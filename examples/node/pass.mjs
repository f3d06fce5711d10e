// One gate pass: its stations and exits (spec/pass.md).
//
// A host is an object of seats, each of them a function or absent; script.mjs makes one. A pass hands each seat the
// input as a frozen value (PASS-02), and ends in `{result, outcome?, finalInput?, parkFailed?}`.

import { digest, copy, frozenCopy } from "./bytes.mjs";
import { Ledger } from "./ledger.mjs";
import { Defect, directDeny, mint } from "./outcome.mjs";
import { run } from "./script.mjs";

/** How a pass ends before its last station: thrown by the station, and caught where the pass is run. */
class Exit {
  constructor(result, members = {}) {
    Object.assign(this, { result, ...members });
  }
}

/** What a seat answered, or undefined when it threw; a seat that never answers gives undefined itself. */
function answerOf(seat, ...handed) {
  try {
    return seat(...handed);
  } catch {
    return undefined;
  }
}

class Pass {
  #host;
  #seats;
  #ledger;
  #call;
  #editCap;

  #input;
  /** The question that stands, `{origin, classes?, real?}`, or null over an allow. */
  #ask = null;

  // what the call turned out to be
  #hookAsked = false;
  #hookQuestion;
  #hookAllowed = false;
  #policyRewrote = false;
  #boundaryDeclined = false;
  #personOnly = false; // PASS-17, PASS-20
  #noArm = false; // PASS-19: no automatic arm

  // what the record will say besides who refused and what was settled
  #round;
  #released;
  #parkFailed = false;

  constructor(host, { call, args, editCap }) {
    this.#host = host;
    // PASS-03: each binding is read once
    const { screening, policy, park, resolver } = host;
    this.#seats = { screening, policy, park, resolver };
    this.#ledger = new Ledger(call);
    this.#call = call;
    this.#editCap = editCap;
    this.#input = answerOf(frozenCopy, args); // PASS-02: the pass's own, and undefined where there is no copy
  }

  run() {
    try {
      this.#walk();
      return this.#allow();
    } catch (exit) {
      if (exit instanceof Defect) return { result: "defect" }; // PASS-53
      if (exit instanceof Exit) return exit;
      throw exit;
    }
  }

  /** The stations in their order; to return is to allow. */
  #walk() {
    if (this.#input === undefined) this.#refuseAtOnce("policy"); // PASS-01
    this.#screen();
    for (const lock of ["compliance", "plan_mode"]) {
      if (this.#host.isShut(lock)) this.#refuseAtOnce(lock); // PASS-07, PASS-08
    }
    this.#policyRewrote = this.#adjudicate();
    this.#fold();
    this.#organisation();
    if (this.#ask === null || this.#isCleared()) return;
    if (this.#isDecided()) return;
    this.#resolve();
  }

  // --- before the fold

  /** PASS-04, PASS-05, PASS-06 */
  #screen() {
    if (this.#seats.screening === undefined) return;
    const screen = answerOf(this.#seats.screening, this.#input);
    if (screen === undefined || screen.say === "cancelled") this.#refuseAtOnce("engine");
    if (screen.say === "deny") throw new Exit("deny", { outcome: directDeny("hook"), finalInput: this.#input });
    this.#rewrite(screen);
    this.#hookAllowed = screen.say === "allow";
    this.#hookAsked = screen.say === "ask";
    this.#hookQuestion = screen.question;
  }

  /** Takes a rewrite as the input of every later station (PASS-06, PASS-12), and says whether there was one. */
  #rewrite({ rewrite }) {
    if (rewrite === undefined) return false;
    this.#input = frozenCopy(rewrite);
    return true;
  }

  /** Asks the policy (PASS-09), and says whether it rewrote the arguments. */
  #adjudicate() {
    if (this.#seats.policy === undefined) return false;
    const ruling = answerOf(this.#seats.policy, this.#input);
    if (ruling === undefined) this.#refuse("policy"); // PASS-10
    const rewrote = this.#rewrite(ruling);

    const decision = { ...ruling, decision: ruling.say };
    this.#round = this.#ledger.classifierRoundOf(decision) ?? this.#round; // PASS-13
    const read = this.#ledger.decide(decision, digest(this.#input)); // PASS-11
    if (read.decision === "deny") this.#refuse(read.deniedBy, { cause: this.#ledger.causeOf(decision) });
    if (read.decision === "ask") this.#put("policy", ruling.question);
    return rewrote;
  }

  // --- the fold, and the organisation

  /** PASS-22: the first station that puts a question is its origin. */
  #put(origin, question) {
    this.#ask ??= { origin, ...question };
  }

  /** Each tighten in turn; PASS-14: over a deny none is reached. */
  #fold() {
    if (this.#hookAsked) this.#put("hook", this.#hookQuestion); // PASS-15
    this.#probe();
    this.#readStation();
    if (this.#judgesProtected((question) => this.#put("write_protection", question))) this.#noArm = true; // PASS-19
    const unstated = this.#host.unstated?.(this.#input);
    if (unstated !== undefined) this.#put("unstated", unstated); // PASS-21
    if (this.#ask !== null) this.#ledger.supersede(); // PASS-23
  }

  #probe() {
    if (this.#host.probe === undefined) return;
    const { answer, question } = this.#host.probe(this.#input);
    if (answer === undefined) this.#personOnly = true; // PASS-17
    if (answer?.say !== "reversible") this.#put("probe", question); // PASS-16, PASS-17
    this.#boundaryDeclined = answer?.boundaryDeclined === true; // PASS-27
  }

  #readStation() {
    const found = this.#host.readStation?.(this.#input) ?? {};
    if (found.question !== undefined) this.#put("read_station", found.question); // PASS-18
    if (found.writeProtected) this.#noArm = true; // PASS-19: it mandates, and puts no question
    if (found.targetUnresolved) this.#personOnly = true; // PASS-20
  }

  /** Whether the write-protection judge matches the input; its question goes to `put`. */
  #judgesProtected(put = () => {}) {
    const judgement = this.#host.writeProtection?.(this.#input);
    if (judgement?.say !== "match") return false;
    put(judgement.question);
    return true;
  }

  #organisation() {
    const said = this.#host.org?.(this.#input);
    if (said?.say === "deny") this.#refuse("org"); // PASS-24
    if (said?.say === "ask" && this.#ask === null) {
      this.#put("org", said.question); // PASS-25
      this.#ledger.supersede(); // LED-22
    }
  }

  // --- what releases an ask without asking anybody

  get #isMandated() {
    return this.#personOnly || this.#noArm;
  }

  /** The automatic arms: PASS-26, PASS-27, PASS-28. */
  #isCleared() {
    if (this.#isMandated) return false;
    const { clears } = this.#host;
    return (
      clears("stored_rules") ||
      (clears("read_only_arm") && !this.#boundaryDeclined) ||
      (this.#hookAllowed && !this.#policyRewrote)
    );
  }

  /** The classifier, the mode and the sandbox, each asked about a surviving ask. */
  #isDecided() {
    return this.#classifierAllows() || this.#modeReleases() || this.#sandboxAdmits();
  }

  /** PASS-29: a live decider, whom write protection alone does not stop. */
  #classifierAllows() {
    if (this.#host.classifier === undefined) return false;
    const { say, round } = this.#host.classifier(this.#input);
    this.#round = round ?? this.#round; // PASS-31
    if (say === "deny") this.#refuse("classifier");
    if (say !== "allow") this.#refuse("classifier", { cause: say }); // PASS-30
    return !this.#personOnly;
  }

  #modeReleases() {
    if (this.#host.mode === undefined) return false;
    const { say, word } = this.#host.mode(this.#input);
    if (say === "refuse") this.#refuse("mode", { modeRefusal: word }); // PASS-33: of a mandated ask, too
    if (this.#isMandated) return false; // PASS-34
    this.#released = word; // PASS-32
    return true;
  }

  /** PASS-34, PASS-35 */
  #sandboxAdmits() {
    return !this.#isMandated && !this.#hookAsked && this.#host.clears("sandbox");
  }

  // --- the resolver, and the rounds of edits

  /** Asks until an answer leaves no question standing. */
  #resolve() {
    if (!this.#host.canShow(this.#input)) this.#settleRefusal("unshown_content"); // PASS-36
    for (let edits = 1; this.#ask !== null; edits += 1) {
      this.#park();
      const edit = this.#putToResolver();
      this.#ask = null;
      if (edit === undefined) return;
      if (edits > this.#editCap) this.#refuse("edit_cap"); // PASS-50
      this.#input = edit;
      this.#judgeEdit();
    }
  }

  /** The gate settles the ask itself. */
  #settleRefusal(reason) {
    this.#refuse(this.#ledger.set(reason, this.#ask.origin).deniedBy);
  }

  #park() {
    if (this.#seats.park === undefined) return;
    if (this.#seats.park(this.#input)) throw new Exit("suspended"); // PASS-37
    this.#parkFailed = true; // PASS-38
  }

  /** The edit that the yes was given for, if there is one; a refusal ends the pass. */
  #putToResolver() {
    if (this.#seats.resolver === undefined) this.#settleRefusal("unavailable"); // PASS-39
    const { origin, classes = [], real = false } = this.#ask;
    const request = { call: this.#call, input: this.#input, origin, classes };
    const resolution = answerOf(this.#seats.resolver, request);
    if (resolution === undefined) this.#settleRefusal("approver_contract"); // PASS-44

    const edit = resolution.edit === undefined ? undefined : frozenCopy(resolution.edit);
    const edited = edit === undefined ? undefined : digest(edit);
    const asked = { origin, classes, realApproval: real || this.#personOnly }; // PASS-41, PASS-42
    const read = this.#ledger.resolve({ ...resolution, edited }, asked, digest(this.#input)); // PASS-40
    if (read.fault) throw new Exit("defect"); // PASS-43
    if (read.decision === "deny") this.#refuse(read.deniedBy);
    return edit;
  }

  /** An edit is screened, adjudicated and judged again, over what it has become. */
  #judgeEdit() {
    const screen = this.#rescreen();
    this.#adjudicate(); // PASS-47: on the same binding
    if (this.#judgesProtected()) this.#refuse("write_protection"); // PASS-49
    if (screen.say === "ask") this.#put("hook", screen.question);
    if (this.#ask !== null) this.#ledger.supersede(); // PASS-48
  }

  /** PASS-45 */
  #rescreen() {
    if (this.#seats.screening === undefined) return { say: "none" };
    const screen = answerOf(this.#seats.screening, this.#input);
    const failed = screen === undefined || screen.say === "cancelled";
    if (failed || screen.say === "deny") this.#refuse("hook_rescreen"); // PASS-46
    this.#rewrite(screen);
    return screen;
  }

  // --- the exits

  #allow() {
    this.#ledger.keepForBytes(digest(this.#input)); // PASS-51
    const outcome = this.#mint({ released: this.#released });
    const finalInput = frozenCopy(this.#input); // PASS-54
    this.#host.tool(copy(finalInput)); // PASS-55
    return new Exit("allow", { outcome, finalInput });
  }

  /** PASS-14: a deny ends the pass. */
  #refuse(deniedBy, facts = {}) {
    this.#deny(this.#mint({ deniedBy, ...facts }));
  }

  /** A refusal before anything could be settled. */
  #refuseAtOnce(layer) {
    this.#deny(directDeny(layer));
  }

  /** PASS-52: every deny but the hook's own; after the mint, and with the minted record. */
  #deny(outcome) {
    const finalInput = this.#input;
    this.#host.observer(outcome, finalInput);
    throw new Exit("deny", { outcome, finalInput, ...(this.#parkFailed && { parkFailed: true }) });
  }

  /** PASS-53: once a pass. */
  #mint(facts) {
    return mint({ ...facts, settled: this.#ledger.settled ?? undefined, classifier: this.#round });
  }
}

export const ops = {
  "pass.run": ({ script }) => run(script, (host, event) => new Pass(host, event).run()),
};
