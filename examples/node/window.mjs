// A tool window under a hold: the calls of one step, over several drives (spec/window.md).

/** The ruling of the seam on a call in this drive; without a control a call proceeds unasked (WIN-02, WIN-10). */
function adjudicate(call, { control, answers = {} }, events) {
  if (control === "removed") return { verdict: "pass" };
  events.push({ consulted: call.id });
  return Object.hasOwn(answers, call.id) ? answers[call.id] : { verdict: "pass" };
}

/** What outlives a drive: which calls have their result, and the mark of the parked one. */
class Window {
  #calls;
  #answered = new Set();
  #mark = null;

  constructor(calls) {
    this.#calls = calls;
  }

  /** One walk over the calls that have no result yet, in order (WIN-01, WIN-08, WIN-14). */
  drive(drive) {
    const events = [];
    const end = this.#walk(drive, events);
    return { events, end, mark: this.#mark };
  }

  #walk(drive, events) {
    for (const call of this.#unanswered()) {
      const ruling = adjudicate(call, drive, events); // WIN-09: a held call too, afresh
      if (ruling.fault) return "fault"; // WIN-12, WIN-19: the mark and what is unanswered stay, WIN-20
      if (ruling.stopped) {
        this.#settle(events);
        return "stopped"; // WIN-16
      }
      if (ruling.verdict === "hold") {
        // WIN-06; WIN-13: restated with the new reason
        this.#mark = { id: call.id, tool: call.tool, reason: ruling.reason };
        return "held"; // WIN-07
      }
      this.#lift(events); // WIN-11: before the call can execute
      if (ruling.verdict === "refuse") {
        this.#commit(call, "refusal", events); // WIN-04; WIN-05: the walk goes on
      } else {
        events.push({ executed: call.id });
        this.#commit(call, "result", events); // WIN-03
      }
    }
    return "done"; // WIN-22: a mark stands on an unanswered call only, so none is left
  }

  /** A stop answers all that is unanswered (WIN-17), and sweeps the mark (WIN-18). */
  #settle(events) {
    this.#lift(events);
    for (const call of this.#unanswered()) this.#commit(call, "interrupted", events);
  }

  /** A call is itself and not its id: of a repeated id each is adjudicated (WIN-21). */
  #unanswered() {
    return this.#calls.filter((call) => !this.#answered.has(call));
  }

  /** The mark is that of the first unanswered call, and so of the call that is ruled on. */
  #lift(events) {
    if (this.#mark === null) return;
    events.push({ lifted: this.#mark.id });
    this.#mark = null;
  }

  /** WIN-15: at once, so in the order of the calls. */
  #commit(call, kind, events) {
    this.#answered.add(call);
    events.push({ committed: { id: call.id, kind, isError: kind !== "result" } });
  }
}

export const ops = {
  "window.run": ({ calls, drives }) => {
    const window = new Window(calls);
    return { drives: drives.map((drive) => window.drive(drive)) };
  },
};
