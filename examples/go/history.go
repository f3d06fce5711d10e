package main

import "encoding/json"

// What the boundary is asked on the wire, and windows under it: spec/boundary.md.

// boundaryCall is a call and the agent that makes it.
type boundaryCall struct {
	agentID
	stepCall
}

// boundaryEvent holds one of its members.
type boundaryEvent struct {
	Call   *boundaryCall     `json:"call"`
	Act    map[string]string `json:"act"`
	Policy map[string]string `json:"policy"`
	Drive  *agentID          `json:"drive"`
}

type historyInput struct {
	Policy map[string]string `json:"policy"`
	Agents []stepOfAgent     `json:"agents"`
	Events []boundaryEvent   `json:"events"`
}

type stepOfAgent struct {
	agentID
	Calls []stepCall `json:"calls"`
}

type historyOutput struct {
	Events []any `json:"events"`
}

type ruledReport struct {
	Ruling string  `json:"ruling"`
	Held   *string `json:"held"`
}

type ruledCall struct {
	ID     string `json:"id"`
	Ruling string `json:"ruling"`
}

type drivenReport struct {
	Ruled    []ruledCall `json:"ruled"`
	Executed []string    `json:"executed"`
	Held     *string     `json:"held"`
}

type receiptReport struct {
	Receipt receipt `json:"receipt"`
}

type refusedReport struct {
	Refused string `json:"refused"`
}

type takenReport struct {
	Taken bool `json:"taken"`
}

// drive drives an agent's window with the boundary as its control: each call is ruled when the walk
// comes to it (BND-35).
func (b *boundary) drive(at agentID, w *window) drivenReport {
	report := drivenReport{[]ruledCall{}, []string{}, nil}
	driven := w.drive(func(c stepCall) seamRuling {
		ruling := b.rule(at, c)
		report.Ruled = append(report.Ruled, ruledCall{c.ID, ruling})
		return seamRuling{word: gateOf[ruling]}
	})
	for _, e := range driven.Events {
		if e.Executed != nil {
			report.Executed = append(report.Executed, *e.Executed)
		}
	}
	report.Held = b.heldAt(at)
	return report
}

func runHistory(in historyInput, scoped bool) historyOutput {
	b := newBoundary(in.Policy, scoped)
	windows := map[agentID]*window{}
	for _, a := range in.Agents {
		windows[a.agentID] = newWindow(a.Calls)
	}
	out := historyOutput{[]any{}}
	for _, e := range in.Events {
		var came any
		switch {
		case e.Call != nil:
			came = ruledReport{b.rule(e.Call.agentID, e.Call.stepCall), b.heldAt(e.Call.agentID)}
		case e.Drive != nil:
			w := windows[*e.Drive]
			if w == nil {
				w = newWindow(nil) // an agent that has emitted no step
			}
			came = b.drive(*e.Drive, w)
		case e.Policy != nil:
			b.policy = e.Policy
			came = takenReport{true}
		default:
			if made, err := b.act(e.Act); err != nil {
				came = refusedReport{err.Error()}
			} else {
				came = receiptReport{made}
			}
		}
		out.Events = append(out.Events, came)
	}
	return out
}

type verdictsOutput struct {
	Verdicts []string `json:"verdicts"`
}

// actInput holds one of its members.
type actInput struct {
	Answer *struct {
		agentID
		Verdict string `json:"verdict"`
	} `json:"answer"`
	Revoke  *agentID `json:"revoke"`
	Restore *agentID `json:"restore"`
}

// envelope is BND-02.
type envelope struct {
	Op string `json:"op"`
	agentID
	Verdict string `json:"verdict,omitempty"`
}

type envelopeOutput struct {
	Envelope envelope `json:"envelope"`
}

type descendsInput struct {
	Ancestor string `json:"ancestor"`
	Agent    string `json:"agent"`
}

type descendsOutput struct {
	Descends bool `json:"descends"`
}

var boundaryOps = map[string]handler{
	"boundary.verdicts": op(func(json.RawMessage) verdictsOutput {
		return verdictsOutput{[]string{"pass", "refuse", "hold"}} // BND-01
	}),
	"boundary.envelope": op(func(in actInput) envelopeOutput {
		switch {
		case in.Answer != nil:
			return envelopeOutput{envelope{"answer", in.Answer.agentID, in.Answer.Verdict}}
		case in.Revoke != nil:
			return envelopeOutput{envelope{"revoke", *in.Revoke, ""}}
		}
		return envelopeOutput{envelope{"restore", *in.Restore, ""}}
	}),
	"boundary.descends": op(func(in descendsInput) descendsOutput {
		return descendsOutput{descends(in.Agent, in.Ancestor)}
	}),
	"boundary.run":    op(func(in historyInput) historyOutput { return runHistory(in, false) }),
	"boundary.scoped": op(func(in historyInput) historyOutput { return runHistory(in, true) }),
	"boundary.joint":  op(func(in historyInput) historyOutput { return runHistory(in, false) }),
}
