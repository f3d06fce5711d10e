package main

// A tool window under a hold: spec/window.md.

// stepCall is one call of a step. Effect is the boundary's (spec/boundary.md).
type stepCall struct {
	ID     string `json:"id"`
	Tool   string `json:"tool"`
	Effect string `json:"effect,omitempty"`
}

// seamRuling is what the seam says of a call in a drive.
type seamRuling struct {
	word   string // proceed, refuse, hold, stopped or fault
	reason string
}

// mark is the record that a call is parked: what an operator is shown of it (WIN-06).
type mark struct {
	ID     string `json:"id"`
	Tool   string `json:"tool"`
	Reason string `json:"reason"`
}

type commit struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	IsError bool   `json:"isError"`
}

// windowEvent holds one of its members.
type windowEvent struct {
	Consulted *string `json:"consulted,omitempty"`
	Executed  *string `json:"executed,omitempty"`
	Lifted    *string `json:"lifted,omitempty"`
	Committed *commit `json:"committed,omitempty"`
}

type driveReport struct {
	Events []windowEvent `json:"events"`
	End    string        `json:"end"`
	Mark   *mark         `json:"mark"`
}

// window is what outlives a drive. Calls are told apart by their place in the step and not by their
// id, so that a repeated id needs a pass for each of its calls (WIN-21).
type window struct {
	calls    []stepCall
	answered []bool
	mark     *mark
	marked   int // the place of the mark's call
}

func newWindow(calls []stepCall) *window {
	return &window{calls: calls, answered: make([]bool, len(calls))}
}

// drive walks the calls in order, each to its end before the next (WIN-01). `consult` asks the
// control about one; nil says that none is configured.
func (w *window) drive(consult func(stepCall) seamRuling) driveReport {
	report := driveReport{Events: []windowEvent{}}
	report.End = w.walk(consult, func(e windowEvent) { report.Events = append(report.Events, e) })
	report.Mark = w.mark
	return report
}

func (w *window) walk(consult func(stepCall) seamRuling, log func(windowEvent)) (end string) {
	for i := range w.calls {
		c := &w.calls[i]
		if w.answered[i] {
			continue // WIN-08, WIN-14
		}
		// WIN-02, WIN-09: asked in every drive, held before or not. WIN-10: without a control it
		// proceeds, parked or not.
		ruled := seamRuling{word: "proceed"}
		if consult != nil {
			log(windowEvent{Consulted: &c.ID})
			ruled = consult(*c)
		}
		switch ruled.word {
		case "hold":
			// WIN-06, WIN-07; held again, the mark has the new reason (WIN-13)
			w.mark, w.marked = &mark{c.ID, c.Tool, ruled.reason}, i
			return "held"
		case "stopped":
			w.interrupt(i, log)
			return "stopped"
		case "proceed", "refuse":
			w.lift(i, log)
			kind := "refusal" // WIN-04, and the walk goes on (WIN-05)
			if ruled.word == "proceed" {
				log(windowEvent{Executed: &c.ID}) // WIN-03
				kind = "result"
			}
			w.commit(i, kind, log)
		default:
			// WIN-19; a mark stands (WIN-12), and the next drive asks afresh (WIN-20)
			return "fault"
		}
	}
	w.mark = nil // WIN-22
	return "done"
}

// lift takes the mark away before its call can execute (WIN-11).
func (w *window) lift(i int, log func(windowEvent)) {
	if w.mark != nil && w.marked == i {
		w.mark = nil
		log(windowEvent{Lifted: &w.calls[i].ID})
	}
}

// interrupt settles the stopped call and all after it (WIN-16, WIN-17). The mark of one of them is
// swept with it (WIN-18).
func (w *window) interrupt(from int, log func(windowEvent)) {
	for i := from; i < len(w.calls); i++ {
		if !w.answered[i] {
			w.commit(i, "interrupted", log)
			w.lift(i, log)
		}
	}
}

// commit answers a call, at once and so in order (WIN-15). Executing never fails here.
func (w *window) commit(i int, kind string, log func(windowEvent)) {
	w.answered[i] = true
	log(windowEvent{Committed: &commit{w.calls[i].ID, kind, kind != "result"}})
}

// controlAnswer is what becomes of the control when it is asked about one call.
type controlAnswer struct {
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
	Fault   bool   `json:"fault"`
	Stopped bool   `json:"stopped"`
}

func (a controlAnswer) ruling() seamRuling {
	switch {
	case a.Stopped:
		return seamRuling{word: "stopped"}
	case a.Fault:
		return seamRuling{word: "fault"}
	}
	return seamRuling{gateOf[a.Verdict], a.Reason}
}

type driveInput struct {
	Control string                   `json:"control"`
	Answers map[string]controlAnswer `json:"answers"`
}

type windowInput struct {
	Calls  []stepCall   `json:"calls"`
	Drives []driveInput `json:"drives"`
}

type windowOutput struct {
	Drives []driveReport `json:"drives"`
}

var windowOps = map[string]handler{
	"window.run": op(func(in windowInput) windowOutput {
		w := newWindow(in.Calls)
		out := windowOutput{[]driveReport{}}
		for _, d := range in.Drives {
			var consult func(stepCall) seamRuling
			if d.Control == "configured" {
				answers := d.Answers
				consult = func(c stepCall) seamRuling {
					if a, there := answers[c.ID]; there {
						return a.ruling()
					}
					return seamRuling{word: "proceed"} // a control passes what it has no answer about
				}
			}
			out.Drives = append(out.Drives, w.drive(consult))
		}
		return out
	}),
}
