// The settlement ledger: latest resolution wins (spec/ledger.md).

import { digest } from "./bytes.mjs";

const ALLOW = Object.freeze({ decision: "allow" });
const ASK = Object.freeze({ decision: "ask" });
const FAULT = Object.freeze({ fault: true });
const denyBy = (deniedBy) => ({ decision: "deny", deniedBy });

const isYes = (record) => record?.settlement.kind === "approved";
const isRefusal = (record) => record?.settlement.kind === "refused";

/** LED-07: in any order, and a word may stand there twice. */
function sameSet(some, others) {
  const [a, b] = [new Set(some), new Set(others)];
  return a.size === b.size && [...a].every((word) => b.has(word));
}

/** The ledger of one pass and one call (LED-01). Bytes are told apart by their digests. */
export class Ledger {
  #call;

  /** `{settlement, origin, licensed?}`, or null when nothing is settled. */
  settled = null;

  constructor(call) {
    this.#call = call;
  }

  // LED-02: whatever settles takes the place of what was settled. LED-03: nothing else touches it.
  #refuse(reason, origin) {
    this.settled = { settlement: { kind: "refused", reason }, origin };
    return denyBy("ask_resolution");
  }

  #approve({ settlement, digest: licensed }, origin) {
    this.settled = { settlement, origin, licensed };
  }

  /** LED-05 */
  #ofThisCall(record) {
    return record?.call === this.#call ? record : undefined;
  }

  /** LED-04: a refusal that the engine composed. */
  set(reason, origin) {
    return this.#refuse(reason, origin);
  }

  /**
   * What a resolver handed back for an ask.
   * @param resolution `{decision, record?, edited?, settlement?}`, `edited` the digest of an edit
   * @param asked `{origin, classes, realApproval?}`
   * @param request the digest of the input that was asked about
   */
  resolve(resolution, asked, request) {
    if (resolution.settlement !== undefined) return FAULT; // LED-15: before anything else

    const licensed = resolution.edited ?? request; // LED-08
    const own = this.#ofThisCall(resolution.record);
    const counts =
      own?.origin === asked.origin && // LED-06
      sameSet(own.classes, asked.classes) && // LED-07
      own.digest === licensed; // LED-08
    const record = counts ? own : undefined;
    const allows = resolution.decision === "allow";

    if (isRefusal(record)) return this.#refuse(record.settlement.reason, asked.origin); // LED-09
    if (allows && isYes(record)) {
      this.#approve(record, asked.origin); // LED-10
      return ALLOW;
    }
    if (allows && !asked.realApproval) return ALLOW; // LED-14
    return this.#refuse("approver_contract", asked.origin); // LED-11, LED-12, LED-13
  }

  /** What a layer says that may have asked on its own; `runs` is the digest of what will run. */
  decide({ decision, record: carried }, runs) {
    if (decision === "ask") return ASK; // LED-21
    const record = this.#ofThisCall(carried);
    if (isRefusal(record)) return this.#refuse(record.settlement.reason, record.origin); // LED-17

    const denied = decision === "deny";
    // LED-18 (its bytes are not looked at), LED-19; for other bytes LED-20, without a record LED-16
    if (isYes(record) && (denied || record.digest === runs)) this.#approve(record, record.origin);
    return denied ? denyBy("policy") : ALLOW;
  }

  /** LED-22 */
  supersede() {
    this.settled = null;
  }

  /** LED-23; LED-24: a refusal stays. */
  keepForBytes(runs) {
    if (isYes(this.settled) && this.settled.licensed !== runs) this.settled = null;
  }

  /** LED-25 */
  causeOf({ decision, classified }) {
    return decision === "deny" ? this.#ofThisCall(classified)?.cause : undefined;
  }

  /** LED-26 */
  classifierRoundOf({ classified }) {
    return this.#ofThisCall(classified)?.round;
  }
}

/** Runs the events of a trace; labels stand for inputs, and are put back in what is settled. */
function trace({ call, bytes, events }) {
  const digests = new Map(Object.entries(bytes).map(([label, input]) => [label, digest(input)]));
  const labels = new Map([...digests].map(([label, of]) => [of, label]));
  const ledger = new Ledger(call);

  const recordOf = (record) => record && { ...record, digest: digests.get(record.digestOf) };
  const steps = {
    set: ({ reason, origin }) => void ledger.set(reason, origin),
    resolved: ({ resolution, asked, request }) => {
      const { record, edited } = resolution;
      const read = { ...resolution, record: recordOf(record), edited: digests.get(edited) };
      return ledger.resolve(read, asked, digests.get(request));
    },
    decision: ({ decision, record, runs }) => ledger.decide({ decision, record: recordOf(record) }, digests.get(runs)),
    supersede: () => ledger.supersede(),
    keepForBytes: ({ runs }) => ledger.keepForBytes(digests.get(runs)),
    causeOf: (event) => ({ cause: ledger.causeOf(event) }),
    classifierRoundOf: (event) => ({ round: ledger.classifierRoundOf(event) }),
  };
  const settled = () => {
    if (ledger.settled === null) return null;
    const { settlement, origin, licensed } = ledger.settled;
    return { settlement, origin, licensed: labels.get(licensed) };
  };
  // members that are undefined are left out of the JSON
  return { steps: events.map((event) => ({ ...steps[event.event](event), settled: settled() })) };
}

export const ops = {
  "ledger.trace": trace,
  "ledger.digest": ({ a, b }) => ({ same: digest(a) === digest(b) }),
};
