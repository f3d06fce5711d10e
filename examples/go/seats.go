package main

// The seats of a gate pass, and what each may say: spec/pass.md.

// question is what an ask is about, and whether it needs a real approval.
type question struct {
	Classes []string `json:"classes"`
	Real    bool     `json:"real"`
}

// screen is what the hook says. Any other word than none, allow, ask and deny is a screening that
// failed.
type screen struct {
	say      string
	question question
	rewrite  optional
}

// policyRuling is what the policy says. Any other word than allow, ask and deny is one that failed.
type policyRuling struct {
	say        string
	question   question
	rewrite    optional
	record     *askRecord
	classified classified
}

// answerToAsk is what the resolver says: allow, deny or retired; any other word is one that failed.
type answerToAsk struct {
	say    string
	record *askRecord
	edit   optional
}

type probeFinding struct {
	Say              string   `json:"say"` // reversible, irreversible or unanswered
	Question         question `json:"question"`
	BoundaryDeclined bool     `json:"boundaryDeclined"`
}

type readFinding struct {
	Question         *question `json:"question"`
	TargetUnresolved bool      `json:"targetUnresolved"`
	WriteProtected   bool      `json:"writeProtected"`
}

type judgement struct {
	Say      string   `json:"say"` // clear or match
	Question question `json:"question"`
}

type orgRuling struct {
	Say      string   `json:"say"` // deny or ask
	Question question `json:"question"`
}

type classification struct {
	Say   string  `json:"say"` // allow, deny, unavailable or parse_error
	Round *string `json:"round"`
}

type modeRuling struct {
	Say  string `json:"say"` // release or refuse
	Word string `json:"word"`
}

// host has the seats of the gate, each a function of the input as it stands. A seat that is nil is
// not configured.
type host struct {
	screening       func(input any) screen
	locks           []func(input any) (layer string)
	policy          func(input any) policyRuling
	probe           func(input any) probeFinding
	readStation     func(input any) readFinding
	writeProtection func(input any) judgement
	unstated        func(input any) question
	org             func(input any) orgRuling
	storedRules     func(input any) bool
	readOnly        func(input any) bool
	classifier      func(input any) classification
	mode            func(input any) modeRuling
	sandbox         func(input any) bool
	unshown         func(input any) bool
	park            func(input any) bool
	resolver        func(input any, asked ask) answerToAsk
	observer        func(record outcome, input any)
	editCap         int
}
