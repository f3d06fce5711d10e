package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// The tool-control seam: spec/verdict.md.

// call is a tool call as the harness holds it.
type call struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	Role    string          `json:"role"`
	AgentID string          `json:"agentId"`
}

// controlRequest is what a control reads on its stdin: these five members and no other (VER-03).
// The input goes on as the bytes that came (VER-04).
type controlRequest struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	Role    string          `json:"role"`
	AgentID string          `json:"agent_id"`
}

// verdict is what a control says. Reason is nil beside `pass` alone.
type verdict struct {
	Verdict string  `json:"verdict,omitempty"`
	Reason  *string `json:"reason,omitempty"`
}

// parseVerdict reads the stdout of a control that exited 0; any error is a fault (VER-11).
func parseVerdict(output []byte) (verdict, error) {
	var none verdict
	// VER-21: json.Valid lets bytes that are no UTF-8 and halves of surrogate pairs pass, and the
	// decoder would put U+FFFD in their place, so both are looked for first. It refuses a nest past
	// 10,000 levels.
	if !utf8.Valid(output) {
		return none, errors.New("the output is not UTF-8")
	}
	if !json.Valid(output) {
		return none, errors.New("the output is not one JSON text") // VER-16: nor several
	}
	if loneSurrogate(output) {
		return none, errors.New("half of a surrogate pair")
	}
	if bytes.TrimLeft(output, " \t\r\n")[0] != '{' {
		return none, errors.New("the output is no object") // VER-16
	}
	members, err := membersOf(output)
	if err != nil {
		return none, err
	}
	for name := range members {
		if name != "verdict" && name != "reason" {
			return none, fmt.Errorf("unknown member %q", name) // VER-19
		}
	}
	// VER-17 and VER-18: a null leaves a *string nil, and is no string
	var word, reason *string
	if raw, there := members["verdict"]; !there || json.Unmarshal(raw, &word) != nil || word == nil {
		return none, errors.New("no word for a verdict")
	}
	raw, given := members["reason"]
	if given && (json.Unmarshal(raw, &reason) != nil || reason == nil) {
		return none, errors.New("the reason is no string") // of a null beside pass too: it is free
	}
	switch *word {
	case "pass":
		if given {
			return none, errors.New("a reason beside pass")
		}
	case "refuse", "hold":
		if !given {
			return none, errors.New("no reason beside " + *word)
		}
	default:
		return none, fmt.Errorf("unknown verdict %q", *word)
	}
	return verdict{*word, reason}, nil // VER-22: the reason as it was given
}

// membersOf takes an object apart. A struct will not do: encoding/json takes the last of two members
// (VER-20), and takes `Verdict` for `verdict` (VER-19).
func membersOf(object []byte) (map[string]json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	members := map[string]json.RawMessage{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string) // its escapes are read
		if _, there := members[name]; there {
			return nil, fmt.Errorf("the member %q is given twice", name)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		members[name] = value
	}
	return members, nil
}

// loneSurrogate says whether an escape in a valid JSON text is half of a surrogate pair.
func loneSurrogate(text []byte) bool {
	unit := func(at int) uint64 { // the \uXXXX that begins at `at`, or 0
		if at+6 > len(text) || text[at] != '\\' || text[at+1] != 'u' {
			return 0
		}
		n, _ := strconv.ParseUint(string(text[at+2:at+6]), 16, 16)
		return n
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		switch u := unit(i); {
		case u >= 0xDC00 && u <= 0xDFFF:
			return true
		case u >= 0xD800 && u <= 0xDBFF:
			if low := unit(i + 6); low < 0xDC00 || low > 0xDFFF {
				return true
			}
			i += 6
		}
		i++ // what is escaped opens no escape
	}
	return false
}

// controlEnd is what became of a control: one of Exit, Signal, Spawn and TimedOut is there.
type controlEnd struct {
	Exit     *int   `json:"exit"`
	Signal   *int   `json:"signal"`
	Spawn    string `json:"spawn"`
	TimedOut bool   `json:"timedOut"`
	Stdout   Text   `json:"stdout"`
}

type adjudicateInput struct {
	Configured bool       `json:"configured"`
	Command    string     `json:"command"`
	Call       call       `json:"call"`
	Answer     controlEnd `json:"answer"`
	Stop       bool       `json:"stop"`
}

// ruling is what the seam says of one call. The members are those of its word in Gate.
type ruling struct {
	Gate      string  `json:"gate"`
	Reason    *string `json:"reason,omitempty"`
	Command   *string `json:"command,omitempty"`
	Tool      *string `json:"tool,omitempty"`
	Detail    string  `json:"detail,omitempty"`
	Consulted bool    `json:"consulted"`
}

var gateOf = map[string]string{"pass": "proceed", "refuse": "refuse", "hold": "hold"} // VER-05 to VER-07

// adjudicate is the seam. Everything but a well-formed verdict of a control that ended well fails
// closed, and the stop flag makes a difference to one line alone.
func adjudicate(in adjudicateInput) ruling {
	if !in.Configured {
		return ruling{Gate: "proceed"} // VER-01
	}
	fault := func(detail string) ruling { // VER-15
		return ruling{Gate: "fault", Command: &in.Command, Tool: &in.Call.Name, Detail: detail, Consulted: true}
	}
	switch end := in.Answer; {
	case end.TimedOut:
		return fault("it did not end in time") // VER-12: under the stop flag too
	case end.Signal != nil && in.Stop:
		return ruling{Gate: "stopped", Consulted: true} // VER-13
	case end.Signal != nil:
		return fault(fmt.Sprintf("killed by signal %d", *end.Signal)) // VER-09
	case end.Exit == nil:
		return fault("it did not spawn") // VER-08
	case *end.Exit != 0:
		return fault(fmt.Sprintf("it exited with %d", *end.Exit)) // VER-10
	}
	said, err := parseVerdict([]byte(in.Answer.Stdout))
	if err != nil {
		return fault(err.Error()) // VER-11
	}
	return ruling{Gate: gateOf[said.Verdict], Reason: said.Reason, Consulted: true} // VER-02, VER-14
}

type parseInput struct {
	Output Text `json:"output"`
}

type parseOutput struct {
	verdict
	Fault string `json:"fault,omitempty"`
}

type requestInput struct {
	Call call `json:"call"`
}

type requestOutput struct {
	Request controlRequest `json:"request"`
}

type refusalInput struct {
	Tool   string `json:"tool"`
	Reason string `json:"reason"`
}

// refusal has no exit code, for no child ran (VER-24).
type refusal struct {
	Text    string `json:"text"`
	IsError bool   `json:"isError"`
}

var verdictOps = map[string]handler{
	"verdict.parse": op(func(in parseInput) parseOutput {
		said, err := parseVerdict([]byte(in.Output))
		if err != nil {
			return parseOutput{Fault: err.Error()}
		}
		return parseOutput{verdict: said}
	}),
	"verdict.request": op(func(in requestInput) requestOutput {
		return requestOutput{controlRequest(in.Call)}
	}),
	"verdict.adjudicate": op(adjudicate),
	"verdict.refusalText": op(func(in refusalInput) refusal {
		return refusal{in.Tool + " was refused: " + in.Reason, true} // VER-23
	}),
}
