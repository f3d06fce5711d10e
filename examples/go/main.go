// A conforming tool gate behind gatespec's adapter protocol (spec/protocol.md), in Go and with the
// standard library alone. One file a suite; this one is the wire.
//
// Build it with:  go build -o gate .
// Check it with:  gatespec check -- ./gate
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// handler answers one op: the input as it stands on the line, and what goes out for it.
type handler func(input json.RawMessage) (any, error)

// suites are those that this gate takes on, with the ops of each.
var suites = []struct {
	name string
	ops  map[string]handler
}{
	{"key", keyOps},
	{"verdict", verdictOps},
	{"window", windowOps},
	{"boundary", boundaryOps},
	{"outcome", outcomeOps},
	{"ledger", ledgerOps},
	{"pass", passOps},
}

type hello struct {
	Protocol int      `json:"protocol"`
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Language string   `json:"language"`
	Suites   []string `json:"suites"`
	Profiles []string `json:"profiles"`
	Echo     bool     `json:"echo"`
}

// request is any line that gatespec sends. Members that it does not name are ignored.
type request struct {
	Hello json.RawMessage `json:"hello"`
	Bye   json.RawMessage `json:"bye"`
	ID    string          `json:"id"`
	Op    string          `json:"op"`
	Input json.RawMessage `json:"input"`
}

// answer holds an id and one of the three others.
type answer struct {
	ID          string `json:"id"`
	Output      any    `json:"output,omitempty"`
	Unsupported string `json:"unsupported,omitempty"`
	Error       string `json:"error,omitempty"`
}

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(1)
	}
}

func serve() error {
	ops := map[string]handler{"echo": op(func(input any) any { return input })}
	greeting := hello{Protocol: 1, Name: "example-go", Version: "1.0", Language: "go",
		Profiles: []string{"scoped-answers"}, Echo: true}
	for _, suite := range suites {
		greeting.Suites = append(greeting.Suites, suite.name)
		for name, run := range suite.ops {
			ops[name] = run
		}
	}

	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return out.Flush() // stdin ended
		}
		var asked request
		if err := json.Unmarshal(line, &asked); err != nil {
			return err
		}
		var reply any
		switch {
		case asked.Bye != nil:
			return out.Flush()
		case asked.Hello != nil:
			reply = map[string]hello{"hello": greeting}
		default:
			reply = respond(ops, asked)
		}
		if err := encoder.Encode(reply); err != nil {
			return err
		}
		// no answer is kept back while nothing more waits to be read
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}

func respond(ops map[string]handler, asked request) answer {
	run, known := ops[asked.Op]
	if !known {
		return answer{ID: asked.ID, Unsupported: "no op " + asked.Op}
	}
	output, err := run(asked.Input)
	if err != nil {
		return answer{ID: asked.ID, Error: err.Error()}
	}
	return answer{ID: asked.ID, Output: output}
}

// op reads the input of one op into its type. A member that the type does not know is an error: an
// input that is half understood is not answered.
func op[In, Out any](run func(In) Out) handler {
	return func(input json.RawMessage) (any, error) {
		var in In
		if err := decode(input, &in); err != nil {
			return nil, err
		}
		return run(in), nil
	}
}

// decode keeps every number as it is spelt, so that none past 2^53 is rounded.
func decode(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}
