// The mint of a pass's record and its invariants (spec/outcome.md).

/** The facts, or the call, were composed wrong: a fault of the gate, neither allow nor deny (OUT-01). */
export class Defect extends Error {}

const ASK_RESOLUTION = "ask_resolution";

/** OUT-07 */
const LAYERS = new Set([
  "engine", "hook", "compliance", "plan_mode", "policy", "org", "classifier", "mode",
  "write_protection", "hook_rescreen", "edit_cap", ASK_RESOLUTION,
]);

/** OUT-08: the layers that may stand beside a yes. */
const VETOERS = new Set(["policy", "org", "write_protection", "hook_rescreen", "edit_cap"]);

/** OUT-09 */
const APPROVERS = new Set(["person", "delegate"]);
const REASONS = new Set([
  "declined", "timeout", "cancelled", "unavailable", "approver_contract", "unshown_content",
]);

const isApproval = (settlement) => settlement?.kind === "approved";
const isRefusal = (settlement) => settlement?.kind === "refused";

/** Each rule: what is wrong when it holds of the facts. */
const DEFECTS = [
  ["I1: a settlement and no origin", ({ settlement, origin }) => settlement && origin === undefined],
  ["I1: an origin and no settlement", ({ settlement, origin }) => !settlement && origin !== undefined],
  ["I1: a licence and no settled ask", ({ settlement, licensed }) => !settlement && licensed !== undefined],
  ["I2: the ask is said to be refused, and no refusal was settled",
    ({ deniedBy, settlement }) => deniedBy === ASK_RESOLUTION && !isRefusal(settlement)],
  ["I2: a refusal was settled, and another layer is said to have refused",
    ({ deniedBy, settlement }) => deniedBy !== undefined && deniedBy !== ASK_RESOLUTION && isRefusal(settlement)],
  ["I3: a layer beside a yes that cannot veto one",
    ({ deniedBy, settlement }) => deniedBy !== undefined && isApproval(settlement) && !VETOERS.has(deniedBy)],
  ["I4: a refusal was settled, and nobody refused",
    ({ deniedBy, settlement }) => deniedBy === undefined && isRefusal(settlement)],
  ["OUT-03: a cause, and nobody refused", ({ deniedBy, cause }) => deniedBy === undefined && cause !== undefined],
  ["OUT-04: a release, and somebody refused",
    ({ deniedBy, released }) => deniedBy !== undefined && released !== undefined],
  ["OUT-05: a refusal by the mode, and the mode did not refuse",
    ({ deniedBy, modeRefusal }) => deniedBy !== "mode" && modeRefusal !== undefined],
  ["OUT-07: no such layer", ({ deniedBy }) => deniedBy !== undefined && !LAYERS.has(deniedBy)],
  ["OUT-09: no such settlement", ({ settlement }) => settlement && !isSettlement(settlement)],
];

function isSettlement(settlement) {
  if (isApproval(settlement)) return APPROVERS.has(settlement.by);
  return isRefusal(settlement) && REASONS.has(settlement.reason);
}

/** Mints the record of a pass from its facts (OUT-02), or throws the defect. */
export function mint({ deniedBy, cause, settled = {}, classifier, released, modeRefusal }) {
  const { settlement, origin, licensed } = settled; // OUT-13: an empty one is none
  const facts = { deniedBy, cause, settlement, origin, licensed, released, modeRefusal };
  for (const [defect, holds] of DEFECTS) {
    if (holds(facts)) throw new Defect(defect);
  }
  // OUT-02, OUT-06: each fact unchanged; the licence is the ledger's
  const members = { deniedBy, cause, settlement, origin, classifier, released, modeRefusal };
  const record = { decision: deniedBy === undefined ? "allow" : "deny" };
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) record[name] = value;
  }
  return Object.freeze(record); // OUT-12: whatever shows the outcome shows this object
}

/** The record of a refusal by one layer, before any ask was put (OUT-10). */
export function directDeny(layer) {
  return mint({ deniedBy: layer }); // OUT-11: by `ask_resolution` it breaks I2
}

/** OUT-01 on the wire: a thrown defect is an output. */
function minted(make) {
  try {
    return { record: make() };
  } catch (error) {
    if (error instanceof Defect) return { defect: error.message };
    throw error;
  }
}

export const ops = {
  "outcome.mint": ({ facts }) => minted(() => mint(facts)),
  "outcome.directDeny": ({ layer }) => minted(() => directDeny(layer)),
};
