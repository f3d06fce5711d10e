package main

// The settlement ledger of one pass and one call: spec/ledger.md.

// askRecord is what the engine puts on an answer: the call and the ask that it was made for, the
// digest of the bytes, and how the ask ended.
type askRecord struct {
	call       string
	origin     string
	classes    []string
	digest     string
	settlement settlement
}

// resolution is what a resolver hands back. Edited is the digest of the input that it put in the
// request's place, empty where it edited nothing.
type resolution struct {
	decision string
	record   *askRecord
	edited   string
	retired  bool // it still carries the member `settlement`
}

// ask is a standing question: who put it, and what it is about.
type ask struct {
	origin  string
	classes []string
	real    bool // only a recorded yes may release it
}

// settled is the ask that the pass consumed. licensed is empty beside a refusal.
type settled struct {
	settlement settlement
	origin     string
	licensed   string
}

// ruled is how a resolution or a decision is read.
type ruled struct {
	decision string // allow, deny or ask
	deniedBy string // beside deny
}

var refusedAsk = ruled{"deny", "ask_resolution"}

// ledger starts with nothing settled (LED-01). Each event that settles puts its settlement in the
// place of the earlier one (LED-02), and the others leave it (LED-03).
type ledger struct {
	call    string
	settled *settled
}

// refuse settles a refusal: the one that the engine composed, when called from outside (LED-04).
func (l *ledger) refuse(reason, origin string) {
	l.settled = &settled{settlement: refusedFor(reason), origin: origin}
}

// resolved reads a resolution of the ask that was put over the bytes of a request. The second result
// is false where it is a loud fault, which comes before anything else is looked at (LED-15).
func (l *ledger) resolved(r resolution, asked ask, request string) (ruled, bool) {
	if r.retired {
		return ruled{}, false
	}
	licence := request
	if r.edited != "" {
		licence = r.edited // LED-08
	}
	rec := r.record
	counts := rec != nil &&
		rec.call == l.call && // LED-05
		rec.origin == asked.origin && // LED-06
		sameSet(rec.classes, asked.classes) && // LED-07
		rec.digest == licence // LED-08
	switch {
	case counts && rec.settlement.refused():
		l.refuse(rec.settlement.Reason, asked.origin) // LED-09
		return refusedAsk, true
	case counts && r.decision == "allow":
		l.settled = &settled{rec.settlement, asked.origin, licence} // LED-10
		return ruled{decision: "allow"}, true
	case r.decision == "deny", asked.real:
		// LED-11: a deny that contradicts its own yes. LED-12: a deny by nobody.
		// LED-13: an allow by nobody, where only a recorded yes releases.
		l.refuse("approver_contract", asked.origin)
		return refusedAsk, true
	}
	return ruled{decision: "allow"}, true // LED-14: a posture allow
}

// decided reads a decision of a layer that may have asked on its own.
func (l *ledger) decided(decision string, rec *askRecord, runs string) ruled {
	if decision == "ask" {
		return ruled{decision: "ask"} // LED-21
	}
	plain := ruled{decision: decision}
	if decision == "deny" {
		plain.deniedBy = "policy"
	}
	switch {
	case rec == nil, rec.call != l.call: // LED-16, LED-05
	case rec.settlement.refused():
		l.refuse(rec.settlement.Reason, rec.origin) // LED-17
		return refusedAsk
	case decision == "deny", rec.digest == runs:
		l.settled = &settled{rec.settlement, rec.origin, rec.digest} // LED-18, LED-19
	} // else LED-20: a yes for other bytes
	return plain
}

// supersede is LED-22.
func (l *ledger) supersede() { l.settled = nil }

// keepForBytes takes away a yes for other bytes than run (LED-23), and nothing else (LED-24).
func (l *ledger) keepForBytes(runs string) {
	if s := l.settled; s != nil && !s.settlement.refused() && s.licensed != runs {
		l.settled = nil
	}
}

// classified is what a decision recorded of a classifier, and for which call.
type classified struct {
	Call  string  `json:"call"`
	Cause string  `json:"cause"`
	Round *string `json:"round"`
}

// causeOf is LED-25.
func (l *ledger) causeOf(decision string, c *classified) string {
	if decision != "deny" || c == nil || c.Call != l.call {
		return ""
	}
	return c.Cause
}

// classifierRoundOf is LED-26.
func (l *ledger) classifierRoundOf(c *classified) *string {
	if c == nil || c.Call != l.call {
		return nil
	}
	return c.Round
}

func sameSet(a, b []string) bool {
	return subset(a, b) && subset(b, a)
}

func subset(a, b []string) bool {
	in := map[string]bool{}
	for _, word := range b {
		in[word] = true
	}
	for _, word := range a {
		if !in[word] {
			return false
		}
	}
	return true
}

type recordInput struct {
	Call       string     `json:"call"`
	Origin     string     `json:"origin"`
	Classes    []string   `json:"classes"`
	DigestOf   string     `json:"digestOf"`
	Settlement settlement `json:"settlement"`
}

type resolutionInput struct {
	Decision   string       `json:"decision"`
	Record     *recordInput `json:"record"`
	Edited     string       `json:"edited"`
	Settlement bool         `json:"settlement"`
}

type askedInput struct {
	Origin       string   `json:"origin"`
	Classes      []string `json:"classes"`
	RealApproval bool     `json:"realApproval"`
}

// ledgerEvent has the members of its word.
type ledgerEvent struct {
	Event      string          `json:"event"`
	Reason     string          `json:"reason"`
	Origin     string          `json:"origin"`
	Resolution resolutionInput `json:"resolution"`
	Asked      askedInput      `json:"asked"`
	Request    string          `json:"request"`
	Decision   string          `json:"decision"`
	Record     *recordInput    `json:"record"`
	Runs       string          `json:"runs"`
	Classified *classified     `json:"classified"`
}

type traceInput struct {
	Call   string         `json:"call"`
	Bytes  map[string]any `json:"bytes"`
	Events []ledgerEvent  `json:"events"`
}

type settledReport struct {
	Settlement settlement `json:"settlement"`
	Origin     string     `json:"origin"`
	Licensed   string     `json:"licensed,omitempty"`
}

type ledgerStep struct {
	Decision string         `json:"decision,omitempty"`
	DeniedBy string         `json:"deniedBy,omitempty"`
	Fault    bool           `json:"fault,omitempty"`
	Cause    string         `json:"cause,omitempty"`
	Round    *string        `json:"round,omitempty"`
	Settled  *settledReport `json:"settled"`
}

type traceOutput struct {
	Steps []ledgerStep `json:"steps"`
}

// labels are the digests of the inputs that a trace names, and the way back.
type labels struct{ digestOf, labelOf map[string]string }

func (l labels) record(in *recordInput) *askRecord {
	if in == nil {
		return nil
	}
	return &askRecord{in.Call, in.Origin, in.Classes, l.digestOf[in.DigestOf], in.Settlement}
}

func (l labels) apply(book *ledger, e ledgerEvent) (step ledgerStep) {
	say := func(r ruled) { step.Decision, step.DeniedBy = r.decision, r.deniedBy }
	switch e.Event {
	case "set":
		book.refuse(e.Reason, e.Origin)
	case "resolved":
		r := resolution{e.Resolution.Decision, l.record(e.Resolution.Record),
			l.digestOf[e.Resolution.Edited], e.Resolution.Settlement}
		asked := ask{e.Asked.Origin, e.Asked.Classes, e.Asked.RealApproval}
		if read, ok := book.resolved(r, asked, l.digestOf[e.Request]); ok {
			say(read)
		} else {
			step.Fault = true
		}
	case "decision":
		say(book.decided(e.Decision, l.record(e.Record), l.digestOf[e.Runs]))
	case "supersede":
		book.supersede()
	case "keepForBytes":
		book.keepForBytes(l.digestOf[e.Runs])
	case "causeOf":
		step.Cause = book.causeOf(e.Decision, e.Classified)
	case "classifierRoundOf":
		step.Round = book.classifierRoundOf(e.Classified)
	}
	if s := book.settled; s != nil {
		step.Settled = &settledReport{s.settlement, s.origin, l.labelOf[s.licensed]}
	}
	return step
}

type digestInput struct {
	A any `json:"a"`
	B any `json:"b"`
}

type digestOutput struct {
	Same bool `json:"same"`
}

var ledgerOps = map[string]handler{
	"ledger.trace": op(func(in traceInput) traceOutput {
		l := labels{map[string]string{}, map[string]string{}}
		for label, value := range in.Bytes {
			l.digestOf[label] = digest(value)
			l.labelOf[digest(value)] = label
		}
		book := &ledger{call: in.Call}
		out := traceOutput{[]ledgerStep{}}
		for _, e := range in.Events {
			out.Steps = append(out.Steps, l.apply(book, e))
		}
		return out
	}),
	"ledger.digest": op(func(in digestInput) digestOutput {
		return digestOutput{digest(in.A) == digest(in.B)}
	}),
}
