package main

import (
	"strconv"
	"strings"
)

// The subject grammar: spec/key.md.

// planKey is a plan key, taken apart. Iteration and Step are empty where there is none.
type planKey struct {
	Key       Text   `json:"key"`
	Iteration string `json:"iteration,omitempty"`
	Node      Text   `json:"node"`
	Step      Text   `json:"step,omitempty"`
}

// parsePlanKey is the one parser; nil says that the subject is no plan key (KEY-01). All of it is
// on bytes, and nothing is trimmed or folded (KEY-07).
func parsePlanKey(subject Text) *planKey {
	const prefix = "node:"
	text := string(subject)
	if !strings.HasPrefix(text, prefix) {
		return nil
	}
	rest := text[len(prefix):]
	var iteration string
	// KEY-04: `iter:` without a number and `:` behind it opens nothing, so the node is `iter`.
	// KEY-05: once it is read it is the iteration, and there is no going back.
	if strings.HasPrefix(rest, "iter:") {
		number, after, closed := strings.Cut(rest[len("iter:"):], ":")
		if closed && isIteration(number) {
			iteration, rest = number, after
		}
	}
	node, tail := rest, ""
	if colon := strings.IndexByte(rest, ':'); colon >= 0 {
		node, tail = rest[:colon], rest[colon:]
	}
	if node == "" {
		return nil // KEY-06
	}
	var step string
	if tail != "" {
		// KEY-08: only the first `:` can open a Step, and all of the rest is its name
		step = strings.TrimPrefix(tail, ":step:")
		if step == tail || step == "" {
			return nil
		}
	}
	return &planKey{
		Key:       Text(text[:len(text)-len(tail)]),
		Iteration: iteration,
		Node:      Text(node),
		Step:      Text(step),
	}
}

// isIteration is KEY-02, no sign and no leading zero, and KEY-03, nothing past 2^63-1: the form in
// which a signed 64-bit integer is printed.
func isIteration(number string) bool {
	n, err := strconv.ParseInt(number, 10, 64)
	return err == nil && n >= 0 && strconv.FormatInt(n, 10) == number
}

// nodeOf is KEY-10, nil where the subject has no node name; and so KEY-09, since it has one exactly
// when it is a node key.
func nodeOf(subject Text) *Text {
	if p := parsePlanKey(subject); p != nil && p.Step == "" {
		return &p.Node
	}
	return nil
}

func nodeInstance(subject Text) Text { return subject + ":taint" } // KEY-11
func callInstance(subject Text) Text { return subject + "#taint" } // KEY-12

// baseOf gives the subject that an instance is of, or the subject itself.
func baseOf(subject Text) (base Text, instance bool) {
	if parsePlanKey(subject) != nil {
		return subject, false // KEY-13
	}
	text := string(subject)
	if strings.HasPrefix(text, "node:") {
		// KEY-14, KEY-17
		if before, ok := cutSuffix(text, ":taint"); ok && nodeOf(Text(before)) != nil {
			return Text(before), true
		}
		return subject, false // KEY-16
	}
	before, ok := cutSuffix(text, "#taint")
	return Text(before), ok // KEY-15, KEY-16
}

// cutSuffix takes the suffix off, and says whether it was there.
func cutSuffix(text, suffix string) (string, bool) {
	return strings.TrimSuffix(text, suffix), strings.HasSuffix(text, suffix)
}

// isLiveID is KEY-18; this gate allows the empty id.
func isLiveID(subject Text) bool {
	text := string(subject)
	return !strings.Contains(text, "#") && !strings.HasPrefix(text, "node:")
}

type subjectInput struct {
	Subject Text `json:"subject"`
}

type planKeyOutput struct {
	PlanKey *planKey `json:"planKey"`
}

type isNodeKeyOutput struct {
	IsNodeKey bool `json:"isNodeKey"`
}

type nodeNameOutput struct {
	NodeName *Text `json:"nodeName"`
}

type instanceOutput struct {
	Instance Text `json:"instance"`
}

type baseOutput struct {
	Base     Text `json:"base"`
	Instance bool `json:"instance"`
}

type liveOutput struct {
	Live bool `json:"live"`
}

var keyOps = map[string]handler{
	"key.planKey": op(func(in subjectInput) planKeyOutput {
		return planKeyOutput{parsePlanKey(in.Subject)}
	}),
	"key.isNodeKey": op(func(in subjectInput) isNodeKeyOutput {
		return isNodeKeyOutput{nodeOf(in.Subject) != nil}
	}),
	"key.nodeName": op(func(in subjectInput) nodeNameOutput {
		return nodeNameOutput{nodeOf(in.Subject)}
	}),
	"key.nodeInstance": op(func(in subjectInput) instanceOutput {
		return instanceOutput{nodeInstance(in.Subject)}
	}),
	"key.id": op(func(in subjectInput) instanceOutput {
		return instanceOutput{callInstance(in.Subject)}
	}),
	"key.base": op(func(in subjectInput) baseOutput {
		base, instance := baseOf(in.Subject)
		return baseOutput{base, instance}
	}),
	"key.liveId": op(func(in subjectInput) liveOutput {
		return liveOutput{isLiveID(in.Subject)}
	}),
}
