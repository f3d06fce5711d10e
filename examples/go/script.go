package main

// Plugs fakes that answer from a script into the seats of the gate, runs one pass and reports what
// came of it: spec/pass.md, On the wire.

type scriptScreen struct {
	Say      string   `json:"say"`
	Question question `json:"question"`
	Rewrite  optional `json:"rewrite"`
}

// scriptRecord leaves out what is as in the ask that was put, or of this call.
type scriptRecord struct {
	Settlement settlement `json:"settlement"`
	Origin     *string    `json:"origin"`
	Classes    *[]string  `json:"classes"`
	Call       *string    `json:"call"`
	Licenses   optional   `json:"licenses"`
}

// fill makes the record: of this call, for these bytes, and as in the ask, save what the script says.
func (r *scriptRecord) fill(callID string, asked ask, bytes any) *askRecord {
	if r == nil {
		return nil
	}
	made := &askRecord{callID, asked.origin, asked.classes, digest(r.Licenses.or(bytes)), r.Settlement}
	if r.Origin != nil {
		made.origin = *r.Origin
	}
	if r.Classes != nil {
		made.classes = *r.Classes
	}
	if r.Call != nil {
		made.call = *r.Call
	}
	return made
}

type scriptRuling struct {
	Say      string        `json:"say"`
	Question question      `json:"question"`
	Rewrite  optional      `json:"rewrite"`
	Record   *scriptRecord `json:"record"`
	Cause    string        `json:"cause"`
	Round    *string       `json:"round"`
}

type scriptAnswer struct {
	Say    string        `json:"say"`
	Record *scriptRecord `json:"record"`
	Edit   optional      `json:"edit"`
}

type script struct {
	Call            string          `json:"call"`
	Args            any             `json:"args"`
	EditCap         int             `json:"editCap"`
	Unowned         bool            `json:"unowned"`
	Screening       []scriptScreen  `json:"screening"`
	Locks           []string        `json:"locks"`
	Policy          []scriptRuling  `json:"policy"`
	Probe           *probeFinding   `json:"probe"`
	ReadStation     *readFinding    `json:"readStation"`
	WriteProtection []judgement     `json:"writeProtection"`
	Unstated        *question       `json:"unstated"`
	Org             *orgRuling      `json:"org"`
	Clears          []string        `json:"clears"`
	Classifier      *classification `json:"classifier"`
	Mode            *modeRuling     `json:"mode"`
	Unshown         bool            `json:"unshown"`
	Park            string          `json:"park"`
	Resolver        *[]scriptAnswer `json:"resolver"`
	Writers         []string        `json:"writers"`
	Rebinds         []string        `json:"rebinds"`
}

type seatLog struct {
	Seat  string `json:"seat"`
	Input any    `json:"input"`
}

type told struct {
	Outcome outcome `json:"outcome"`
	Input   any     `json:"input"`
}

type passReport struct {
	Result     string    `json:"result"`
	Outcome    *outcome  `json:"outcome,omitempty"`
	Runs       *any      `json:"runs,omitempty"` // there where the pointer is, null or not
	FinalInput *any      `json:"finalInput,omitempty"`
	ParkFailed bool      `json:"parkFailed,omitempty"`
	Observer   []told    `json:"observer"`
	Consulted  []seatLog `json:"consulted"`
}

// stage is the world around one pass: its host, and what the host does while the pass runs.
type stage struct {
	script
	host   host
	args   any // the object that the host called the gate with
	begun  bool
	report passReport
}

func runScript(sc script) passReport {
	s := &stage{script: sc, args: sc.Args}
	s.report.Observer, s.report.Consulted = []told{}, []seatLog{}
	if sc.Unowned {
		s.args = map[string]any{"handle": func() {}, "args": sc.Args}
	}
	s.host.editCap = sc.EditCap
	s.bind()
	ended := runPass(&s.host, sc.Call, s.args)

	s.report.Result, s.report.Outcome, s.report.ParkFailed = ended.result, ended.record, ended.parkFailed
	if ended.result == "allow" {
		// the tool gets a copy of its own (PASS-55)
		got := mustCopy(ended.final)
		runs := mustCopy(got)
		s.writes("tool", got)
		s.report.Runs, s.report.FinalInput = &runs, &ended.final
	}
	return s.report
}

// asked logs that a seat was asked. When the first one is, the host writes into the arguments that
// it handed over, and puts other seats in the place of its own.
func (s *stage) asked(seat string, input any) {
	s.report.Consulted = append(s.report.Consulted, seatLog{seat, mustCopy(input)})
	if !s.begun {
		s.begun = true
		s.writes("host", s.args)
		s.rebind()
	}
}

// writes lets a writer write into what it holds, if the script says so.
func (s *stage) writes(who string, value any) {
	if contains(s.Writers, who) {
		overwrite(value)
	}
}

// overwrite puts `written` in the place of every string, in place. A value that is a string itself is
// nobody else's.
func overwrite(value any) {
	const written = "written"
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			if _, ok := item.(string); ok {
				v[i] = written
			}
			overwrite(item)
		}
	case map[string]any:
		for name, item := range v {
			if _, ok := item.(string); ok {
				v[name] = written
			}
			overwrite(item)
		}
	}
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

// inTurn gives the answers of a list one after the other, and the last again past the end.
func inTurn[T any](answers []T) func() T {
	next := 0
	return func() T {
		said := answers[next]
		if next < len(answers)-1 {
			next++
		}
		return said
	}
}

// says is a seat that answers always the same.
func says[T any](s *stage, seat string, answer T) func(any) T {
	return func(input any) T {
		s.asked(seat, input)
		return answer
	}
}

// bind configures the seats that the script has.
func (s *stage) bind() {
	h := &s.host
	s.bindLists()
	for _, lock := range []string{"compliance", "plan_mode"} {
		if contains(s.Locks, lock) {
			h.locks = append(h.locks, says(s, lock, lock))
		}
	}
	if s.Probe != nil {
		h.probe = says(s, "probe", *s.Probe)
	}
	if s.ReadStation != nil {
		h.readStation = says(s, "read_station", *s.ReadStation)
	}
	if s.Unstated != nil {
		h.unstated = says(s, "unstated", *s.Unstated)
	}
	if s.Org != nil {
		h.org = says(s, "org", *s.Org)
	}
	if contains(s.Clears, "stored_rules") {
		h.storedRules = says(s, "stored_rules", true)
	}
	if contains(s.Clears, "read_only_arm") {
		h.readOnly = says(s, "read_only_arm", true)
	}
	if contains(s.Clears, "sandbox") {
		h.sandbox = says(s, "sandbox", true)
	}
	if s.Classifier != nil {
		h.classifier = says(s, "classifier", *s.Classifier)
	}
	if s.Mode != nil {
		h.mode = says(s, "mode", *s.Mode)
	}
	if s.Unshown {
		h.unshown = says(s, "content", true)
	}
	if s.Park != "" {
		h.park = says(s, "park", s.Park == "parks")
	}
	h.observer = func(record outcome, input any) {
		s.report.Observer = append(s.report.Observer, told{record, mustCopy(input)})
		s.writes("observer", input)
	}
}

// bindLists configures the seats that answer differently each time that they are asked. A list with
// nothing in it is no seat.
func (s *stage) bindLists() {
	h := &s.host
	if len(s.Screening) > 0 {
		next := inTurn(s.Screening)
		h.screening = func(input any) screen {
			s.asked("screening", input)
			s.writes("screening", input)
			said := next()
			return screen{said.Say, said.Question, said.Rewrite}
		}
	}
	if len(s.Policy) > 0 {
		next := inTurn(s.Policy)
		h.policy = func(input any) policyRuling {
			s.asked("policy", input)
			said := next()
			record := said.Record.fill(s.Call, ask{}, said.Rewrite.or(input))
			s.writes("policy", input)
			return policyRuling{said.Say, said.Question, said.Rewrite, record,
				classified{s.Call, said.Cause, said.Round}}
		}
	}
	if len(s.WriteProtection) > 0 {
		next := inTurn(s.WriteProtection)
		h.writeProtection = func(input any) judgement {
			s.asked("write_protection", input)
			return next()
		}
	}
	// without a list a person says yes to every ask, and with an empty one there is nobody to ask
	yes := scriptRecord{Settlement: settlement{Kind: "approved", By: "person"}}
	answers := []scriptAnswer{{Say: "allow", Record: &yes}}
	if s.Resolver != nil {
		answers = *s.Resolver
	}
	if len(answers) > 0 {
		next := inTurn(answers)
		h.resolver = func(input any, asked ask) answerToAsk {
			s.asked("resolver", input)
			said := next()
			record := said.Record.fill(s.Call, asked, said.Edit.or(input))
			s.writes("resolver", input)
			return answerToAsk{said.Say, record, said.Edit}
		}
	}
}

// rebind puts other seats in the place of those that the script names. A pass that read its bindings
// at the entry asks none of them.
func (s *stage) rebind() {
	for _, seat := range s.Rebinds {
		switch seat {
		case "screening":
			s.host.screening = says(s, "replaced", screen{say: "none"})
		case "policy":
			s.host.policy = says(s, "replaced", policyRuling{say: "allow"})
		case "park":
			s.host.park = says(s, "replaced", true)
		case "resolver":
			s.host.resolver = func(input any, _ ask) answerToAsk {
				s.asked("replaced", input)
				return answerToAsk{say: "allow"}
			}
		}
	}
}

type passInput struct {
	Script script `json:"script"`
}

var passOps = map[string]handler{
	"pass.run": op(func(in passInput) passReport { return runScript(in.Script) }),
}
