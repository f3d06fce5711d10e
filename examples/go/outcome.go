package main

import "errors"

// The mint and its invariants: spec/outcome.md.

// settlement is how an ask ended: approved by somebody, or refused for a reason (OUT-09).
type settlement struct {
	Kind   string `json:"kind"`
	By     string `json:"by,omitempty"`
	Reason string `json:"reason,omitempty"`
}

func refusedFor(reason string) settlement { return settlement{Kind: "refused", Reason: reason} }

func (s settlement) refused() bool { return s.Kind == "refused" }

// settledAsk is what the pass knows of the ask that it consumed; nil is not known.
type settledAsk struct {
	Settlement *settlement `json:"settlement"`
	Origin     *string     `json:"origin"`
	Licensed   *string     `json:"licensed"`
}

// facts are what a pass has gathered when it comes to its exit.
type facts struct {
	DeniedBy    string     `json:"deniedBy"`
	Cause       string     `json:"cause"`
	Settled     settledAsk `json:"settled"` // nothing known of one is no settled ask (OUT-13)
	Classifier  *string    `json:"classifier"`
	Released    *string    `json:"released"`
	ModeRefusal *string    `json:"modeRefusal"`
}

// outcome is the record of a pass.
type outcome struct {
	Decision    string      `json:"decision"`
	DeniedBy    string      `json:"deniedBy,omitempty"`
	Cause       string      `json:"cause,omitempty"`
	Settlement  *settlement `json:"settlement,omitempty"`
	Origin      *string     `json:"origin,omitempty"`
	Classifier  *string     `json:"classifier,omitempty"`
	Released    *string     `json:"released,omitempty"`
	ModeRefusal *string     `json:"modeRefusal,omitempty"`
}

// vetoes says of each layer (OUT-07) whether it can speak after a resolution (OUT-08).
var vetoes = map[string]bool{
	"engine": false, "hook": false, "compliance": false, "plan_mode": false,
	"classifier": false, "mode": false, "ask_resolution": false,
	"policy": true, "org": true, "write_protection": true, "hook_rescreen": true, "edit_cap": true,
}

// mint makes the record of a pass, or finds a defect of the gate (OUT-01).
func mint(f facts) (*outcome, error) {
	s := f.Settled
	if err := checkSettled(f.DeniedBy, s); err != nil {
		return nil, err
	}
	switch {
	case f.Cause != "" && f.DeniedBy == "":
		return nil, errors.New("a cause, and nobody refused") // OUT-03
	case f.Released != nil && f.DeniedBy != "":
		return nil, errors.New("released, and refused") // OUT-04
	case f.ModeRefusal != nil && f.DeniedBy != "mode":
		return nil, errors.New("a refusal by the mode, and the mode did not refuse") // OUT-05
	}
	decision := "allow"
	if f.DeniedBy != "" {
		decision = "deny"
	}
	// OUT-02, OUT-06: each fact as it came; the licence is the ledger's and stays there
	return &outcome{decision, f.DeniedBy, f.Cause, s.Settlement, s.Origin,
		f.Classifier, f.Released, f.ModeRefusal}, nil
}

// checkSettled is I1 to I4.
func checkSettled(deniedBy string, s settledAsk) error {
	if deniedBy != "" {
		if _, known := vetoes[deniedBy]; !known {
			return errors.New("no such layer: " + deniedBy) // OUT-07
		}
	}
	if (s.Settlement == nil) != (s.Origin == nil) {
		return errors.New("half of a settled ask") // I1
	}
	if s.Settlement == nil {
		if s.Licensed != nil {
			return errors.New("a licence, and nothing settled") // I1
		}
		if deniedBy == "ask_resolution" {
			return errors.New("the ask refused, and none was settled") // I2
		}
		return nil
	}
	switch {
	case s.Settlement.refused() && deniedBy == "":
		return errors.New("a refusal, and nobody refused") // I4
	case s.Settlement.refused() != (deniedBy == "ask_resolution"):
		return errors.New("the settlement and who refused say two things") // I2
	case !s.Settlement.refused() && deniedBy != "" && !vetoes[deniedBy]:
		return errors.New(deniedBy + " cannot veto a yes") // I3
	}
	return nil
}

// directDeny is the record of a refusal by one layer with no ask settled (OUT-10); the mint finds
// that there is none by ask_resolution (OUT-11).
func directDeny(layer string) (*outcome, error) {
	return mint(facts{DeniedBy: layer})
}

type mintInput struct {
	Facts facts `json:"facts"`
}

type directDenyInput struct {
	Layer string `json:"layer"`
}

// mintOutput holds one of its members.
type mintOutput struct {
	Record *outcome `json:"record,omitempty"`
	Defect string   `json:"defect,omitempty"`
}

func minted(record *outcome, err error) mintOutput {
	if err != nil {
		return mintOutput{Defect: err.Error()}
	}
	return mintOutput{Record: record}
}

var outcomeOps = map[string]handler{
	"outcome.mint":       op(func(in mintInput) mintOutput { return minted(mint(in.Facts)) }),
	"outcome.directDeny": op(func(in directDenyInput) mintOutput { return minted(directDeny(in.Layer)) }),
}
