// An adapter for gatespec: reads questions on stdin, writes your gate's answers on stdout.
//
// Build it with:  go build -o adapter .
// Check it with:  gatespec check -- ./adapter
// What is wrong:  gatespec doctor -- ./adapter
//
// The `key` suite is answered here so that you see one work. Replace its functions with calls into
// your gate, then take on the next suite: add it to suites, and answer its ops as the section
// `On the wire` of its chapter says (spec/<suite>.md).
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

var (
	suites = []string{"key"}
	lacks  = []string{"bytes"} // subjects here are text; see `Words for lacks` in each chapter
)

type object = map[string]any

type plan struct {
	key, iteration, node, step string
	isStep                     bool
}

func cutPrefix(text, prefix string) (string, bool) {
	return strings.TrimPrefix(text, prefix), strings.HasPrefix(text, prefix)
}

func cutSuffix(text, suffix string) (string, bool) {
	return strings.TrimSuffix(text, suffix), strings.HasSuffix(text, suffix)
}

// planKey reads a plan key: KEY-01 to KEY-08.
func planKey(subject string) (plan, bool) {
	rest, ok := cutPrefix(subject, "node:")
	if !ok {
		return plan{}, false
	}
	var p plan
	if after, ok := cutPrefix(rest, "iter:"); ok {
		number, tail, closed := strings.Cut(after, ":")
		n, err := strconv.ParseInt(number, 10, 64)
		if closed && err == nil && n >= 0 && strconv.FormatInt(n, 10) == number {
			p.iteration, rest = number, tail
		}
	}
	node, _, _ := strings.Cut(rest, ":")
	tail := rest[len(node):]
	if node == "" {
		return plan{}, false
	}
	p.key, p.node = subject[:len(subject)-len(tail)], node
	if tail != "" {
		p.step, p.isStep = cutPrefix(tail, ":step:")
		if !p.isStep || p.step == "" {
			return plan{}, false
		}
	}
	return p, true
}

// isNodeKey is KEY-09.
func isNodeKey(subject string) bool {
	p, ok := planKey(subject)
	return ok && !p.isStep
}

// base is KEY-13 to KEY-17.
func base(subject string) (string, bool) {
	if strings.HasPrefix(subject, "node:") {
		_, isPlan := planKey(subject)
		before, ok := cutSuffix(subject, ":taint")
		if ok && !isPlan && isNodeKey(before) {
			return before, true
		}
		return subject, false
	}
	return cutSuffix(subject, "#taint")
}

func answer(op, subject string) (object, bool) {
	switch op {
	case "key.planKey":
		p, ok := planKey(subject)
		if !ok {
			return object{"planKey": nil}, true
		}
		parts := object{"key": p.key, "node": p.node}
		if p.iteration != "" {
			parts["iteration"] = p.iteration
		}
		if p.isStep {
			parts["step"] = p.step
		}
		return object{"planKey": parts}, true
	case "key.isNodeKey":
		return object{"isNodeKey": isNodeKey(subject)}, true
	case "key.nodeName":
		if p, ok := planKey(subject); ok && !p.isStep {
			return object{"nodeName": p.node}, true
		}
		return object{"nodeName": nil}, true
	case "key.nodeInstance":
		return object{"instance": subject + ":taint"}, true
	case "key.id":
		return object{"instance": subject + "#taint"}, true
	case "key.base":
		of, instance := base(subject)
		return object{"base": of, "instance": instance}, true
	case "key.liveId":
		live := !strings.Contains(subject, "#") && !strings.HasPrefix(subject, "node:")
		return object{"live": live}, true
	}
	// next: "outcome.mint", spec/outcome.md, I1 to I4
	return nil, false
}

type message struct {
	Hello, Bye json.RawMessage
	ID, Op     string
	Input      struct{ Subject string }
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		var reply object
		if m.Bye != nil {
			return
		} else if m.Hello != nil {
			reply = object{"hello": object{"protocol": 1, "name": "my-gate", "version": "0.1",
				"language": "go", "suites": suites, "lacks": lacks}}
		} else if output, ok := answer(m.Op, m.Input.Subject); ok {
			reply = object{"id": m.ID, "output": output}
		} else {
			reply = object{"id": m.ID, "unsupported": m.Op}
		}
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(reply)
		if in.Buffered() == 0 {
			out.Flush()
		}
	}
}
