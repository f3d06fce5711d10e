package main

import (
	"errors"
	"strings"
)

// The operator's acts: spec/boundary.md, with the profile `scoped-answers`.

// agentID is an agent of a workspace: workspaces are apart (BND-05).
type agentID struct {
	Workspace string `json:"workspace"`
	Agent     string `json:"agent"`
}

// callClass is what a standing answer is about (BND-28).
type callClass struct{ tool, effect string }

// place is where an answer stands: at an agent, or in a workspace where `everywhere` is set.
type place struct {
	agentID
	everywhere bool
}

// heldCall is the mark of an agent, and the operator's answer to it, empty where there is none.
type heldCall struct {
	call   stepCall
	answer string
}

type boundary struct {
	policy   map[string]string // a verdict for each effect
	floors   map[agentID]bool  // BND-26: not counted
	held     map[agentID]*heldCall
	standing map[place]map[callClass]string
	scoped   bool // the profile scoped-answers
}

func newBoundary(policy map[string]string, scoped bool) *boundary {
	return &boundary{
		policy:   policy,
		floors:   map[agentID]bool{},
		held:     map[agentID]*heldCall{},
		standing: map[place]map[callClass]string{},
		scoped:   scoped,
	}
}

// lineage is the agent and all that it descends from, the nearest first (BND-04).
func (a agentID) lineage() []agentID {
	line := []agentID{a}
	for {
		cut := strings.LastIndexByte(a.Agent, '-')
		if cut < 0 {
			return line
		}
		a.Agent = a.Agent[:cut]
		line = append(line, a)
	}
}

func descends(agent, ancestor string) bool {
	return strings.HasPrefix(agent, ancestor+"-") // BND-04
}

// floored looks the floors up when it is asked, so that one covers agents that are spawned after it
// (BND-20, BND-23).
func (b *boundary) floored(at agentID) bool {
	for _, a := range at.lineage() {
		if b.floors[a] {
			return true
		}
	}
	return false
}

// standingAnswer is BND-31: the nearest conversation's, then the workspace's.
func (b *boundary) standingAnswer(at agentID, class callClass) (string, bool) {
	for _, a := range at.lineage() {
		if said, there := b.standing[place{agentID: a}][class]; there {
			return said, true
		}
	}
	said, there := b.standing[everywhereIn(at)][class]
	return said, there
}

func everywhereIn(a agentID) place {
	return place{agentID{Workspace: a.Workspace}, true}
}

// rule rules one call each time that it comes before the boundary (BND-06), and moves the mark.
func (b *boundary) rule(at agentID, c stepCall) string {
	held := b.held[at]
	if held != nil && held.call.ID != c.ID {
		delete(b.held, at) // BND-08
		held = nil
	}
	ruling := b.withoutAnswer(at, c)
	if held != nil && held.answer != "" {
		ruling = held.answer // BND-11, BND-12, BND-13: whatever has changed since
	}
	switch {
	case ruling != "hold":
		delete(b.held, at) // BND-07, and its answer is spent (BND-16)
	case held == nil:
		b.held[at] = &heldCall{call: c}
	}
	return ruling
}

func (b *boundary) withoutAnswer(at agentID, c stepCall) string {
	policy := b.policy[c.Effect]
	if policy == "refuse" {
		return policy // BND-19, BND-33
	}
	if b.floored(at) { // BND-32: no standing answer rules
		if c.Effect == "read" {
			return policy // BND-18
		}
		return "hold" // BND-17
	}
	if said, there := b.standingAnswer(at, callClass{c.Tool, c.Effect}); there {
		return said
	}
	return policy
}

// receipt says what an act did: of an answer, Answered and Drives; of the others, Floored and Drives.
type receipt struct {
	Answered *string `json:"answered,omitempty"`
	Floored  *bool   `json:"floored,omitempty"`
	Drives   bool    `json:"drives"`
}

// act takes an envelope. An error refuses it, and then nothing has changed.
func (b *boundary) act(envelope map[string]string) (receipt, error) {
	members := []string{"op", "workspace", "agent"}
	word := envelope["op"]
	switch word {
	case "revoke", "restore":
	case "answer":
		members = append(members, "verdict")
		if _, there := envelope["scope"]; there && b.scoped {
			members = append(members, "scope")
		}
	default:
		return receipt{}, errors.New("no such act") // BND-03
	}
	for _, name := range members {
		if _, there := envelope[name]; !there {
			return receipt{}, errors.New("no " + name) // BND-03
		}
	}
	if len(envelope) != len(members) {
		return receipt{}, errors.New("a member too many") // BND-02
	}
	at := agentID{envelope["workspace"], envelope["agent"]}
	if word == "answer" {
		scope, there := envelope["scope"]
		if !there {
			scope = "call" // BND-27
		}
		return b.answer(at, envelope["verdict"], scope)
	}
	// BND-21, BND-25: neither touches a held call, and neither drives
	if word == "revoke" {
		b.floors[at] = true
	} else {
		delete(b.floors, at) // BND-22: its own; BND-24: never refused
	}
	floored := b.floored(at) // BND-23
	return receipt{Floored: &floored}, nil
}

func (b *boundary) answer(at agentID, said, scope string) (receipt, error) {
	if said != "pass" && said != "refuse" && said != "hold" {
		return receipt{}, errors.New("no such verdict") // BND-03
	}
	held := b.held[at] // BND-09: the call that is held now
	if held == nil {
		return receipt{}, errors.New("nothing is held there") // BND-10
	}
	var stands *place
	switch scope { // BND-27
	case "call":
	case "conversation":
		stands = &place{agentID: at} // BND-28
	case "workspace":
		p := everywhereIn(at) // BND-29
		stands = &p
	default:
		return receipt{}, errors.New("no such scope")
	}
	if stands != nil {
		class := callClass{held.call.Tool, held.call.Effect}
		if class.effect == "destructive" || class.effect == "secret" {
			return receipt{}, errors.New("such a call is answered alone") // BND-30
		}
		if b.standing[*stands] == nil {
			b.standing[*stands] = map[callClass]string{}
		}
		b.standing[*stands][class] = said // BND-34
	}
	held.answer = said // BND-15
	id := held.call.ID
	return receipt{Answered: &id, Drives: said != "hold"}, nil // BND-14
}

// heldAt is the id of the call that is held at an agent.
func (b *boundary) heldAt(at agentID) *string {
	if held := b.held[at]; held != nil {
		return &held.call.ID
	}
	return nil
}
